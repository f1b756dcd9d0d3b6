/** The walk over the intermediate form, beside one that looks into every field of it, over all recorded programs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { linkProgram } from '../program/link-program.ts'
import { importedProgram } from '../testing/program-text.ts'
import { recordedSources, recordedTags } from '../testing/recorded-programs.ts'
import type { Expression, Statement } from './ir.ts'
import { visitAll } from './walk.ts'

/** What is told about a part, and does not run: types, places of messages, the run variable of a FOR. */
const notCode = new Set(['type', 'counter', 'safePoint'])

/** All statements and expressions below a value, each with the one directly around it. */
function* codeIn(
  value: unknown,
  field = '',
  around?: object,
): Generator<readonly [one: object, around: object | undefined]> {
  if (Array.isArray(value)) {
    for (const one of value) yield* codeIn(one, field, around)
    return
  }
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || notCode.has(field)) return
  const { kind } = value as { kind?: string }
  // The type that a conversion starts from.
  if (kind === 'scalar') return
  // The base of a place is none itself.
  const isCode = kind !== undefined && field !== 'base'
  if (isCode) yield [value, around]
  for (const [name, inner] of Object.entries(value)) yield* codeIn(inner, name, isCode ? value : around)
}

const counted = (list: Iterable<object>) => {
  const found = new Map<object, number>()
  for (const one of list) found.set(one, (found.get(one) ?? 0) + 1)
  return found
}

const folders = ['behaviour', 'checks', 'codegen', 'instructions', 'ladder', 'lower', 'program', 'sequences']
const sources = folders.flatMap(recordedSources).filter(({ file }) => /\.(scl|awl|xml)$/.test(file))

for (const { file, bytes } of sources)
  test(`each statement and expression of ${file} is visited once, an outer one before those inside it`, async () => {
    const { objects } = await importedProgram(bytes, file)
    const program = linkProgram(
      objects.map((object) => ({ object })),
      [recordedTags],
    )
    for (const block of program.blocks.values()) {
      if (block.kind.endsWith('DB')) continue
      const { code } = lowerBlock(program, block)
      if (code === undefined) continue
      const visited: (Statement | Expression)[] = []
      visitAll(code.body, { statement: (one) => visited.push(one), expression: (one) => visited.push(one) })
      const parts = [...codeIn(code.body)]
      const wanted = counted(parts.map(([one]) => one))
      const found = counted(visited)
      for (const [one, times] of wanted) if (found.get(one) !== times) assert.fail(`${block.name}: ${describe(one)}`)
      assert.equal(found.size, wanted.size, block.name)
      const order = new Map(visited.map((one, i): [object, number] => [one, i]))
      // Where parts are shared, one place of them tells nothing of the other.
      for (const [one, around] of parts)
        if (around !== undefined && found.get(one) === 1 && found.get(around) === 1)
          if ((order.get(around) as number) > (order.get(one) as number)) assert.fail(describe(around))
    }
  })

function describe(one: object): string {
  return JSON.stringify(one, (_key, value) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 400)
}
