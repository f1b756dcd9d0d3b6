import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blobHash } from '../../../plc/compiler/program-file.ts'
import { type CompileTask, type CompileTaskResult, compile, forget, type SentProgram } from './compile.task.ts'
import { type DocumentHeader, headersToSend, type ToldHeaders } from './headers.ts'

/** What may change in one block from step to step. */
interface BlockShape {
  readonly isThere: boolean
  readonly number: number
  /** Lines before the code: only places move. */
  readonly lines: number
  readonly factor: number
  /** A constant of the module. */
  readonly word: string
  /** A function of the system. */
  readonly hasTimer: boolean
  readonly calls: number
  readonly output: number
  readonly extraMember: boolean
}

const count = 4
const blockShape: fc.Arbitrary<BlockShape> = fc.record({
  isThere: fc.boolean(),
  number: fc.integer({ min: 0, max: 1 }),
  lines: fc.integer({ min: 0, max: 2 }),
  factor: fc.integer({ min: 1, max: 3 }),
  word: fc.constantFrom('', 'a', 'bc'),
  hasTimer: fc.boolean(),
  calls: fc.integer({ min: 0, max: count }),
  output: fc.integer({ min: 0, max: 2 }),
  extraMember: fc.boolean(),
})
const first: BlockShape = {
  isThere: true,
  number: 0,
  lines: 0,
  factor: 1,
  word: '',
  hasTimer: false,
  calls: count,
  output: 0,
  extraMember: false,
}

/** Each step changes some aspects of one block. */
const steps = fc.array(
  fc.record({
    block: fc.nat({ max: count - 1 }),
    shape: blockShape,
    aspects: fc.subarray(Object.keys(first) as (keyof BlockShape)[], { minLength: 1 }),
    startValue: fc.integer({ min: 0, max: 1 }),
    /** A compilation before this one whose answer is lost. */
    isLost: fc.boolean(),
  }),
  { minLength: 2, maxLength: 8 },
)

interface Source {
  readonly name: string
  readonly kind: string
  readonly number: number
  readonly text: string
}

function sources(shapes: readonly BlockShape[], startValue: number): Source[] {
  const block = (shape: BlockShape, i: number): Source[] => {
    const { lines, factor, word, hasTimer, calls, output, extraMember } = shape
    const code = [
      `  #value := #value * ${factor};`,
      ...(word === '' ? [] : [`  #text := '${word}';`]),
      ...(hasTimer ? ['  #timer(IN := TRUE, PT := T#1s);'] : []),
      ...(output === 0 ? [] : [`  %QB${output} := 1;`]),
      ...(calls < count ? [`  "Unit_${calls}_DB"();`] : []),
    ].join('\n')
    const name = `Unit_${i}`
    const text = `FUNCTION_BLOCK "${name}"\nVAR\n  value : Int;\n  text : String[4];\n  timer : TON_TIME;\n${extraMember ? '  more : Int;\n' : ''}END_VAR\nBEGIN\n${'\n'.repeat(lines)}${code}\nEND_FUNCTION_BLOCK\n`
    const data = `DATA_BLOCK "${name}_DB"\n"${name}"\nBEGIN\n  value := ${startValue};\nEND_DATA_BLOCK\n`
    return [
      { name, kind: 'FB', number: 10 + 2 * i + shape.number, text },
      { name: `${name}_DB`, kind: 'InstanceDB', number: 10 + i, text: data },
    ]
  }
  const main = `ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Unit_0_DB"();\n  "Unit_1_DB"();\nEND_ORGANIZATION_BLOCK\n`
  return [
    ...shapes.flatMap((shape, i) => (shape.isThere ? block(shape, i) : [])),
    { name: 'Main', kind: 'OB', number: 1, text: main },
  ]
}

type Finished = Extract<CompileTaskResult, { readonly state: string }>
interface Known {
  readonly document: string
  readonly unit: string | undefined
  readonly interfaces: string
  readonly isClean: boolean
}

let told: ToldHeaders | undefined

/** Compiles as the gateway does: keeps the units and the results of each object, and sends only changes. */
function run(list: readonly Source[], known: Map<string, Known>, blobs: Map<string, string>, isLost = false): Finished {
  const documents = list.map(({ name, kind, number, text }): DocumentHeader => {
    const document = blobHash(text)
    blobs.set(document, text)
    const before = known.get(name)
    return {
      document,
      format: 'source',
      kind,
      name,
      number,
      culture: 'en-US',
      unit: before?.unit,
      interfaces: before?.document === document ? before.interfaces : undefined,
      isClean: before?.isClean ?? false,
    }
  })
  const texts = new Map<string, string>()
  const api = { progress() {}, signal: new AbortController().signal }
  let resend = false
  for (;;) {
    const sent = headersToSend(documents, told)
    const task: CompileTask = { device: 'PLC_1', documents: sent, tables: [], texts, resend }
    const result = compile(task, api)
    if ('needsAllHeaders' in result) {
      assert.ok('since' in sent)
      told = undefined
      continue
    }
    if ('missing' in result) {
      for (const hash of result.missing) texts.set(hash, blobs.get(hash) as string)
      continue
    }
    if (isLost) return result
    told = { state: result.state, headers: documents }
    const isAbsent = ({ hash, bytes }: SentProgram['blobs'][number]) => bytes === undefined && !blobs.has(hash)
    if (result.program?.blobs.some(isAbsent)) {
      // Blobs that are not sent now were sent with the lost answer.
      assert.ok(!resend)
      resend = true
      continue
    }
    for (const text of result.units) blobs.set(blobHash(text), text)
    for (const { bytes, hash } of result.program?.blobs ?? []) {
      if (bytes !== undefined) assert.equal(blobHash(bytes), hash)
      blobs.set(hash, '')
    }
    for (const { name, document, unit, interfaces, diagnostics } of result.objects)
      known.set(name, { document, unit, interfaces, isClean: diagnostics.length === 0 })
    return result
  }
}

/** The result without the fields that depend on earlier compilations. */
function shown({ objects, others, program }: Finished) {
  const told = objects.flatMap(({ diagnostics }) => diagnostics)
  return { told, others, hash: program?.hash, blobs: program?.blobs.map(({ hash }) => hash) }
}

test('edited step by step, with everything remembered, a program is byte by byte what it is when compiled at once', () => {
  let programs = 0
  fc.assert(
    fc.property(steps, (edits) => {
      const shapes = Array.from({ length: count }, () => first)
      const lists = [sources(shapes, 0)]
      const lost = [false]
      for (const { block, shape, aspects, startValue, isLost } of edits) {
        const changed = Object.fromEntries(aspects.map((aspect) => [aspect, shape[aspect]]))
        shapes[block] = { ...(shapes[block] as BlockShape), ...changed }
        lists.push(sources(shapes, startValue))
        lost.push(isLost)
      }
      forget()
      const [known, blobs] = [new Map<string, Known>(), new Map<string, string>()]
      const stepwise = lists.map((list, i) => {
        if (lost[i]) run(sources(shapes, 0), known, blobs, true)
        return shown(run(list, known, blobs))
      })
      const atOnce = lists.map((list) => {
        forget()
        return shown(run(list, new Map(), new Map()))
      })
      assert.deepEqual(stepwise, atOnce)
      programs += atOnce.filter(({ hash }) => hash !== undefined).length
      for (const list of lists) run(list, new Map(), blobs)
    }),
    { numRuns: 60 },
  )
  assert.ok(programs > 50, `only ${programs} programs were without errors`)
})
