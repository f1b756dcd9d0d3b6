import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSource } from '../formats/source/read.ts'
import { compileAgain, documentOf } from '../testing/compile-again.ts'
import { type CompileState, compileProgram } from './compile-program.ts'
import type { ProgramDocument } from './program-document.ts'

/** Variants of a small program where everything uses something. */
interface Shape {
  readonly extraMember: boolean
  readonly factor: number
  readonly wideResult: boolean
  readonly extraInput: boolean
  readonly startValue: number
  readonly hasOther: boolean
  readonly limit: number
  /** For rules over the whole program: blocks call each other in a ring and write the same output. */
  readonly hasRing: boolean
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  extraMember: fc.boolean(),
  factor: fc.integer({ min: 1, max: 3 }),
  wideResult: fc.boolean(),
  extraInput: fc.boolean(),
  startValue: fc.integer({ min: 0, max: 2 }),
  hasOther: fc.boolean(),
  limit: fc.integer({ min: 3, max: 4 }),
  hasRing: fc.boolean(),
})

function documents(shape: Shape): ProgramDocument[] {
  const { extraMember, factor, wideResult, extraInput, startValue, hasOther, hasRing } = shape
  const text = `TYPE "Motor"\nSTRUCT\n${extraMember ? '  run : Bool;\n' : ''}  speed : Int;\n  list : Array[0.."SIZE"] of Int;\nEND_STRUCT;\nEND_TYPE
DATA_BLOCK "Drives"\nVAR\n  main : "Motor";\n  at : Int := ${startValue};\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
FUNCTION "Scale" : ${wideResult ? 'DInt' : 'Int'}\nVAR_INPUT\n  raw : Int;\n${extraInput ? '  more : Int;\n' : ''}END_VAR\nBEGIN\n  #Scale := #raw * ${factor};\nEND_FUNCTION
FUNCTION_BLOCK "Unit"\nVAR\n  drive : "Motor";\nEND_VAR\nBEGIN\n  #drive.speed := "Scale"(2);\nEND_FUNCTION_BLOCK
DATA_BLOCK "Unit_DB"\n"Unit"\nBEGIN\nEND_DATA_BLOCK
${hasOther ? `FUNCTION "Other" : Void\nBEGIN\n  "Drives".at := 1;\n  %QB0 := 1;\n${hasRing ? '  "Again"();\n' : ''}END_FUNCTION\nFUNCTION "Again" : Void\nBEGIN\n  "Other"();\n  %Q0.1 := TRUE;\nEND_FUNCTION\n` : ''}ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Unit_DB"();\n  "Other"();\n  "Drives".main.list[3] := 1;\nEND_ORGANIZATION_BLOCK
`
  return readSource(text).blocks.map(({ object }) => documentOf(object))
}

/** Compiles a variant with units that are stored as texts. */
function compile(shape: Shape, kept: Map<string, string>, before?: CompileState) {
  const size = { name: 'SIZE', dataType: 'Int', value: String(shape.limit) }
  const tables = [{ name: 'Constants', tags: [], constants: [size] }]
  return compileAgain({ documents: documents(shape), tables }, kept, before)
}

test('compiled step by step a program is what it is when compiled at once', () => {
  fc.assert(
    fc.property(fc.array(shapes, { minLength: 2, maxLength: 6 }), (steps) => {
      const kept = new Map<string, string>()
      let state: CompileState | undefined
      for (const step of steps) {
        const after = compile(step, kept, state)
        state = after.state
        assert.deepEqual(after.shown, compile(step, new Map()).shown)
      }
    }),
    { numRuns: 60 },
  )
})

test('progress is told for each code block; what it throws ends the work', () => {
  const [shape] = fc.sample(shapes, 1) as [Shape]
  const stop = new Error('nobody waits')
  const input = { documents: documents(shape), tables: [], compiler: 'this one', unitsOf: () => [] }
  const seen: string[] = []
  compileProgram({ ...input, progress: (_done, _of, name) => void seen.push(name) })
  assert.ok(seen.includes('Main') && seen.includes('Unit'))
  const fail = () => {
    throw stop
  }
  assert.throws(() => compileProgram({ ...input, progress: fail }), stop)
})

test('warnings about blocks together come and go with the other block, which is not compiled again', () => {
  const kept = new Map<string, string>()
  const ring = (shown: ReturnType<typeof compile>['shown']) =>
    shown.objects
      .flatMap(({ name, diagnostics }) => diagnostics.map(({ code }) => `${name} ${code}`))
      // The shapes have statics that they use only in part.
      .filter((one) => !/never-(read|written)$/.test(one))
      .sort()
  // Some shapes have faults of their own.
  const without = fc
    .sample(shapes, { numRuns: 200, seed: 1 })
    .map((shape) => ({ ...shape, hasOther: true, hasRing: false }))
    .find((shape) => ring(compile(shape, new Map()).shown).length === 0) as Shape
  const first = compile(without, kept)
  assert.deepEqual(ring(first.shown), [])
  const unit = kept.get('Again')
  const second = compile({ ...without, hasRing: true }, kept, first.state)
  assert.deepEqual(ring(second.shown), ['Again overlapping-outputs', 'Again recursive-call', 'Other recursive-call'])
  assert.equal(kept.get('Again'), unit)
  assert.deepEqual(ring(compile(without, kept, second.state).shown), [])
})
