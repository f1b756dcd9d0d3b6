import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ObjectUses } from '../../../plc/uses/use.ts'
import type { ProgramObject, ProgramSymbol } from './contributor.ts'
import { ProgramDeclarations } from './declarations.ts'
import { Program } from './program.ts'
import { readUses, usesOfRows } from './uses.task.ts'

const blocks = 4

/** What one block says. */
interface Shape {
  readonly isThere: boolean
  readonly calls: readonly number[]
  readonly tags: readonly number[]
  readonly bytes: readonly number[]
  readonly hasOutput: boolean
  readonly number: number
}

const shape: fc.Arbitrary<Shape> = fc.record({
  isThere: fc.boolean(),
  calls: fc.array(fc.nat({ max: blocks - 1 }), { maxLength: 3 }),
  tags: fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
  bytes: fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
  hasOutput: fc.boolean(),
  number: fc.constantFrom(0, 0, 0, 10),
})
const first: Shape = { isThere: true, calls: [0], tags: [1], bytes: [0], hasOutput: true, number: 0 }
/** Mostly code alone changes. */
const steps = fc.array(
  fc.record({
    block: fc.nat({ max: blocks - 1 }),
    shape,
    aspects: fc.oneof(
      fc.subarray<keyof Shape>(['calls', 'tags', 'bytes'], { minLength: 1 }),
      fc.subarray(Object.keys(first) as (keyof Shape)[], { minLength: 1 }),
    ),
  }),
  { minLength: 1, maxLength: 8 },
)

function textOf(name: string, { calls, tags, bytes, hasOutput }: Shape): string {
  const code = [
    ...calls.map((i) => `  "Block_${i}"(p := "Tag_${i}");`),
    ...tags.map((i) => `  "Tag_${i}" := NOT "Tag_${i}";`),
    ...bytes.map((i) => `  %MB${i} := 1;`),
  ]
  const section = hasOutput ? 'VAR_OUTPUT' : 'VAR_INPUT'
  return `FUNCTION "${name}" : Void\n${section}\n  p : Bool;\nEND_VAR\nBEGIN\n${code.join('\n')}\nEND_FUNCTION\n`
}

const remembered = new Map<string, ProgramObject>()

/** The same object for the same text, as the plugins give it. */
function objectOf(i: number, given: Shape): ProgramObject {
  const name = `Block_${i}`
  const text = textOf(name, given)
  const document = createHash('sha256').update(text).digest('hex')
  const number = i + 1 + given.number
  const key = `${document} ${number}`
  const object = remembered.get(key) ?? {
    category: 'block',
    name,
    typeName: `FC ${number}`,
    path: 'Program blocks',
    stored: { name, deviceId: 'd', kind: 'FC', number, format: 'source' as const, document, size: text.length },
  }
  remembered.set(key, object)
  texts.set(object, text)
  return object
}
const texts = new Map<ProgramObject, string>()

const tagRows = Array.from({ length: 5 }, (_, i) => ({
  name: `Tag_${i}`,
  dataType: 'Bool',
  logicalAddress: `%M${i >> 1}.${i}`,
  comment: {},
}))
const table: ProgramObject = {
  category: 'tag-table',
  name: 'Tags',
  typeName: 'Tag table',
  path: 'PLC tags/Tags',
  rows: { tags: tagRows },
}

/** As the plugin does, an object that is the same keeps the uses that were read. */
const readBefore = new Map<ProgramObject, ObjectUses>()

function usesOf(objects: readonly ProgramObject[]) {
  return new Map(
    objects.map((object) => {
      const uses = readBefore.get(object) ?? readUsesOf(object, texts.get(object))
      readBefore.set(object, uses)
      return [object, uses]
    }),
  )
}

function readUsesOf({ rows, stored }: ProgramObject, text = ''): ObjectUses {
  if (rows !== undefined) return usesOfRows(rows)
  const { format, kind, name, number } = stored!
  const [uses] = readUses([{ text, format, kind, name, number, culture: 'en-US' }])
  assert.ok(uses, name)
  return uses
}

function symbolsOf(objects: readonly ProgramObject[]): ProgramSymbol[] {
  return objects.flatMap(({ category, name, typeName, path, rows }): ProgramSymbol[] =>
    category === 'block'
      ? [{ kind: 'block', name, typeName, path }]
      : (rows?.tags ?? []).map((tag) => ({
          kind: 'tag',
          name: tag.name,
          typeName: tag.dataType,
          address: tag.logicalAddress,
          path,
        })),
  )
}

test('links that follow changes of code are those of the whole program linked anew', async () => {
  let followed = 0
  await fc.assert(
    fc.asyncProperty(steps, async (changes) => {
      const shapes = Array.from({ length: blocks }, () => first)
      let program: Program | undefined
      for (const { block, shape: next, aspects } of changes) {
        const present = shapes[block]!
        shapes[block] = { ...present, ...Object.fromEntries(aspects.map((aspect) => [aspect, next[aspect]])) }
        const objects = [...shapes.flatMap((one, i) => (one.isThere ? [objectOf(i, one)] : [])), table]
        const uses = usesOf(objects)
        const whole = await Program.link(new ProgramDeclarations(symbolsOf(objects), uses), uses, [])
        const patched = program?.withCode(uses, [])
        if (patched !== undefined) followed++
        program = patched ?? whole
        for (const name of [...objects, ...tagRows].map((one) => one.name))
          assert.deepEqual(program.usersOf(name), whole.usersOf(name), name)
        for (const object of objects) assert.deepEqual(program.usedBy(object), whole.usedBy(object), object.name)
        for (const address of ['%MB0', '%MB1', '%MB2', '%MW0'])
          assert.deepEqual(program.usersOfAddress(address), whole.usersOfAddress(address), address)
        assert.deepEqual(program.objects, objects)
      }
    }),
  )
  assert.ok(followed > 50, `only ${followed} changes were followed`)
})
