/** Loops that move arrays give the same memory as one copy, and other loops stay loops. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSource } from '../../formats/source/read.ts'
import { binary, convert, not } from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import { linkProgram } from '../../program/link-program.ts'
import { Byte, DInt, Int, LInt, Real, Word } from '../../program/scalars.ts'
import type { StructType } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import { withLoopMoves } from './loop-moves.ts'
import { withSafeIndices } from './ranges.ts'

const record: StructType = {
  kind: 'struct',
  isSystem: false,
  members: ['a', 'b', 'c'].map((name) => ({ name, type: DInt, section: 'None', isRetentive: false, comment: '' })),
}
const [int, wide] = [
  (value: number): Expression => ({ kind: 'constant', type: Int, value: BigInt(value) }),
  (value: number): Expression => ({ kind: 'constant', type: DInt, value: BigInt(value) }),
]
const run: Expression = { kind: 'local', type: Int, local: 0 }
const sum: Expression = { kind: 'local', type: DInt, local: 1 }

/** A FOR loop as it is lowered: the run variable in register 0, its next value in register 1. */
function counted(from: number, to: number, step: number, body: Statement): Statement[] {
  const isInside = (value: Expression) => binary(step > 0 ? 'lessOrEqual' : 'greaterOrEqual', DInt, value, wide(to))
  const next: Statement[] = [
    { kind: 'setLocal', local: 1, value: binary('add', DInt, convert(run, Int, DInt), wide(step)) },
    { kind: 'setLocal', local: 0, value: convert(sum, DInt, Int) },
    { kind: 'if', condition: not(isInside(sum)), whenTrue: [{ kind: 'leave', label: 0 }], otherwise: [], site: 0 },
  ]
  return [
    { kind: 'setLocal', local: 0, value: int(from) },
    {
      kind: 'if',
      condition: isInside(convert(run, Int, DInt)),
      whenTrue: [
        {
          kind: 'loop',
          label: 0,
          site: 0,
          body: [{ kind: 'group', label: 1, body: [body] }, ...next],
          counter: { local: 0, from: int(from), to: int(to), step: BigInt(step) },
        },
      ],
      otherwise: [],
      site: 0,
    },
  ]
}

const array = fc.record({
  block: fc.constantFrom('Data', 'Data', 'Other'),
  offset: fc.nat(40),
  /** Number that is added to the run variable. */
  distance: fc.integer({ min: -3, max: 3 }),
  /** Further bytes between elements. */
  gap: fc.constantFrom(0, 0, 0, 4),
  isStandard: fc.constantFrom(false, false, true),
  isByPointer: fc.constantFrom(false, false, true),
})

function placeOf(given: typeof array extends fc.Arbitrary<infer T> ? T : never, size: number): Place {
  const { block: name, offset, distance, gap, isStandard, isByPointer } = given
  const data: Place['base'] = { kind: 'block', block: name }
  return {
    base: isByPointer
      ? { kind: 'pointer', address: { kind: 'local', type: 'address', local: name === 'Data' ? 2 : 3 } }
      : data,
    offset,
    isStandard,
    indices: [{ value: binary('add', Int, run, int(distance)), low: -3, high: 15, stride: size + gap, site: 0 }],
  }
}

test('random loops over two arrays', () => {
  let replaced = 0
  const loop = fc.record({
    type: fc.constantFrom(Byte, Word, DInt, LInt, Real, record),
    from: array,
    to: array,
    first: fc.integer({ min: 0, max: 12 }),
    last: fc.integer({ min: 0, max: 12 }),
    step: fc.constantFrom(1, -1, 1, -1, 2),
    isZero: fc.constantFrom(false, false, true),
  })
  fc.assert(
    fc.property(loop, ({ type, from, to, first, last, step, isZero }) => {
      const size = type.kind === 'struct' ? 12 : type.bits / 8
      const [source, target] = [placeOf({ ...from, isStandard: to.isStandard }, size), placeOf(to, size)]
      const body: Statement =
        type.kind === 'struct'
          ? { kind: 'copy', type, from: source, to: target, site: 0 }
          : {
              kind: 'store',
              type,
              place: target,
              value: isZero
                ? { kind: 'constant', type, value: type === Real ? 0 : 0n }
                : { kind: 'load', type, place: source },
              site: 0,
            }
      const addressOf = (name: string): Expression => ({
        kind: 'address',
        place: { base: { kind: 'block', block: name }, offset: 0, indices: [], isStandard: false },
      })
      const main = block(
        [
          { kind: 'setLocal', local: 2, value: addressOf('Data') },
          { kind: 'setLocal', local: 3, value: addressOf('Other') },
          ...counted(first, last, step, body),
          {
            kind: 'store',
            place: { base: { kind: 'area', area: 'M' }, offset: 0, indices: [], isStandard: false },
            type: Int,
            value: run,
            site: 0,
          },
        ],
        { locals: [Int, DInt, 'address', 'address'] },
      )
      if (countLoops(withLoopMoves(withSafeIndices(main)).body) === 0) replaced++
      const memories = [true, false].map((isOptimized) => {
        const data = [
          { name: 'Data', size: 512 },
          { name: 'Other', size: 512 },
        ]
        const running = start([main], data, {}, isOptimized)
        const begin = running.program.areas.M.address
        const end = (running.program.dataBlocks.get('other')?.address ?? 0) + 512
        const bytes = new Uint8Array(running.memory.buffer)
        const [from = 0] = [running.program.dataBlocks.get('data')?.address]
        for (let i = from; i < end; i++) bytes[i] = (i * 37) & 0xff
        running.run('Main')
        assert.deepEqual(running.faults, [])
        return bytes.slice(begin, end)
      })
      assert.deepEqual(memories[0], memories[1])
    }),
    { numRuns: 400 },
  )
  assert.ok(replaced > 40, `${replaced} loops became moves`)
})

function countLoops(statements: readonly Statement[]): number {
  let count = 0
  visitAll(statements, {
    statement(statement) {
      if (statement.kind === 'loop') count++
    },
  })
  return count
}

/** Number of loops left in a body with two arrays of ten numbers and one of records. */
function loopsOf(body: string): number {
  const { blocks, faults } = readSource(`TYPE "Record"
   STRUCT
      number : DInt;
      weights : Array[0..9] of Real;
   END_STRUCT;
END_TYPE

FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
   VAR
      a : Array[0..9] of Int;
      b : Array[0..9] of Int;
      belt : Array[0..9] of "Record";
      limit : Int;
      top : Array[250..255] of Int;
      bottom : Array[-128..-120] of Int;
   END_VAR
   VAR_TEMP
      i : Int;
      u : USInt;
      s : SInt;
   END_VAR
BEGIN
	${body}
END_FUNCTION_BLOCK
`)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const main = program.blocks.get('main')
  const { code, diagnostics } = main ? lowerBlock(program, main) : { code: undefined, diagnostics: [] }
  assert.ok(code, JSON.stringify(diagnostics))
  return countLoops(withLoopMoves(withSafeIndices(code)).body)
}

for (const [what, body, loops] of [
  ['a copy', 'FOR #i := 0 TO 9 DO #a[#i] := #b[#i]; END_FOR;', 0],
  ['a shift to the front', 'FOR #i := 1 TO 9 DO #a[#i - 1] := #a[#i]; END_FOR;', 0],
  ['a shift to the back', 'FOR #i := 9 TO 1 BY -1 DO #belt[#i] := #belt[#i - 1]; END_FOR;', 0],
  ['zeros', 'FOR #i := 2 TO 5 DO #a[#i] := 0; END_FOR;', 0],
  ['one element passed on to all', 'FOR #i := 1 TO 9 DO #a[#i] := #a[#i - 1]; END_FOR;', 1],
  ['members with others between', 'FOR #i := 0 TO 9 DO #belt[#i].number := 0; END_FOR;', 1],
  ['every second element', 'FOR #i := 0 TO 9 BY 2 DO #a[#i] := #b[#i]; END_FOR;', 1],
  ['an index that may be wrong', 'FOR #i := 0 TO 10 DO #a[#i] := #b[#i]; END_FOR;', 1],
  ['a limit that is no constant', 'FOR #i := 0 TO #limit DO #a[#i] := #b[#i]; END_FOR;', 1],
  ['one round', 'FOR #i := 3 TO 3 DO #a[#i] := #b[#i]; END_FOR;', 0],
  ['one round, downwards', 'FOR #i := 3 TO 3 BY -1 DO #a[#i] := #b[#i]; END_FOR;', 0],
  // The run variable has the first value behind the loop, where its type has one.
  ['all but the greatest number of a type', 'FOR #u := 250 TO 254 DO #top[#u] := 0; END_FOR;', 0],
  ['up to the greatest number of a type', 'FOR #u := 250 TO 255 DO #top[#u] := 0; END_FOR;', 1],
  ['all but the least number of a type', 'FOR #s := -120 TO -127 BY -1 DO #bottom[#s] := 0; END_FOR;', 0],
  ['down to the least number of a type', 'FOR #s := -120 TO -128 BY -1 DO #bottom[#s] := 0; END_FOR;', 1],
  ['a loop that may end before', 'FOR #i := 0 TO 9 DO #a[#i] := #b[#i]; EXIT; END_FOR;', 1],
] as const)
  test(`${what}: ${loops === 0 ? 'a move' : 'a loop'}`, () => assert.equal(loopsOf(body), loops))
