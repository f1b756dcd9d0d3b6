/** Programs of loads, stores, branches and loops give the same memory with and without the optimising passes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { Byte, DInt, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { forwardLoads } from './forward.ts'
import { compileBlock } from './function.ts'
import { withSafeIndices } from './ranges.ts'

const locals = [DInt, DInt, DInt]
const constant = (value: number): Expression => ({ kind: 'constant', type: DInt, value: BigInt(value) })
const local = (number: number): Expression => ({ kind: 'local', type: DInt, local: number })
const masked = (value: Expression, mask: number): Expression => ({
  kind: 'binary',
  operator: 'and',
  type: DInt,
  left: value,
  right: constant(mask),
  setsEno: false,
})

/** Places that overlap each other in many ways; indices are masked, so that they are known to be safe. */
const place: fc.Arbitrary<{ place: Place; type: ScalarType }> = fc
  .record({
    base: fc.constantFrom<Place['base']>(
      { kind: 'block', block: 'Data' },
      { kind: 'block', block: 'Other' },
      { kind: 'area', area: 'M' },
      {
        kind: 'pointer',
        address: {
          kind: 'address',
          place: { base: { kind: 'block', block: 'Data' }, offset: 8, indices: [], isStandard: false },
        },
      },
      { kind: 'pointer', address: { kind: 'local', type: 'address', local: 3 } },
    ),
    offset: fc.nat(12),
    type: fc.constantFrom(DInt, Word, Byte),
    index: fc.option(fc.nat(2), { nil: undefined }),
    high: fc.constantFrom(3, 7),
    isStandard: fc.boolean(),
  })
  .map(({ base, offset, type, index, high, isStandard }) => ({
    type,
    place: {
      base,
      offset,
      isStandard,
      indices:
        index === undefined
          ? []
          : [{ value: masked(local(index), high), low: 0, high: 7, stride: 4, site: 0, isSafe: true }],
    },
  }))

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: -9, max: 9 }).map(constant),
    fc.nat(2).map(local),
    place.map(
      ({ place: at, type }): Expression =>
        type === DInt
          ? { kind: 'load', type, place: at }
          : {
              kind: 'convert',
              from: type,
              type: DInt,
              operand: { kind: 'load', type, place: at },
              mode: 'bits',
              setsEno: false,
            },
    ),
    fc
      .record({
        operator: fc.constantFrom('add', 'multiply', 'xor', 'subtract'),
        left: tie('expression'),
        right: tie('expression'),
      })
      .map((parts): Expression => ({ kind: 'binary', type: DInt, setsEno: false, ...parts }) as Expression),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(
      ([a, b, c]): Expression => ({
        kind: 'select',
        type: DInt,
        condition: { kind: 'binary', operator: 'less', type: DInt, left: a, right: b, setsEno: false },
        whenTrue: b,
        otherwise: c,
      }),
    ),
  ),
}))

const as = (value: Expression, type: ScalarType): Expression =>
  type === DInt ? value : { kind: 'convert', from: DInt, type, operand: value, mode: 'bits', setsEno: false }

let labels = 0
const { statement } = fc.letrec<{ statement: Statement }>((tie) => {
  const list = fc.array(tie('statement'), { maxLength: 4 })
  return {
    statement: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'statement' },
      fc.tuple(place, expression).map(
        ([{ place: at, type }, value]): Statement => ({
          kind: 'store',
          place: at,
          type,
          value: as(value, type),
          site: 0,
        }),
      ),
      fc.tuple(fc.nat(2), expression).map(([number, value]): Statement => ({ kind: 'setLocal', local: number, value })),
      fc.tuple(place, place).map(
        ([a, b]): Statement => ({
          kind: 'copy',
          type: { kind: 'dateAndTime' },
          from: { ...a.place, isStandard: false },
          to: { ...b.place, isStandard: false },
          site: 0,
        }),
      ),
      fc.tuple(expression, list, list).map(
        ([value, whenTrue, otherwise]): Statement => ({
          kind: 'if',
          condition: {
            kind: 'binary',
            operator: 'greater',
            type: DInt,
            left: value,
            right: constant(0),
            setsEno: false,
          },
          whenTrue,
          otherwise,
          site: 0,
        }),
      ),
      fc.tuple(expression, list).map(([value, body]): Statement => {
        const label = labels++
        const leave: Statement = { kind: 'leave', label }
        const condition: Expression = {
          kind: 'binary',
          operator: 'less',
          type: DInt,
          left: value,
          right: constant(0),
          setsEno: false,
        }
        return {
          kind: 'group',
          label,
          body: [...body, { kind: 'if', condition, whenTrue: [leave], otherwise: [], site: 0 }, ...body],
        }
      }),
      list.map((body): Statement => {
        // Three rounds, counted in memory that nothing else uses.
        const label = labels++
        const counter: Place = {
          base: { kind: 'area', area: 'Q' },
          offset: 4 * (label % 8),
          indices: [],
          isStandard: false,
        }
        const next: Expression = {
          kind: 'binary',
          operator: 'add',
          type: DInt,
          left: { kind: 'load', type: DInt, place: counter },
          right: constant(1),
          setsEno: false,
        }
        const done: Expression = {
          kind: 'binary',
          operator: 'greaterOrEqual',
          type: DInt,
          left: { kind: 'load', type: DInt, place: counter },
          right: constant(3),
          setsEno: false,
        }
        return {
          kind: 'loop',
          label,
          site: 0,
          body: [
            ...body,
            { kind: 'store', place: counter, type: DInt, value: next, site: 0 },
            { kind: 'if', condition: done, whenTrue: [{ kind: 'leave', label }], otherwise: [], site: 0 },
          ],
        }
      }),
    ),
  }
})

const data = [
  { name: 'Data', size: 64 },
  { name: 'Other', size: 64 },
]

/** Memory and registers after a run. */
function run(body: readonly Statement[], isOptimized: boolean): string {
  const setAddress: Statement = {
    kind: 'setLocal',
    local: 3,
    value: {
      kind: 'address',
      place: { base: { kind: 'block', block: 'Other' }, offset: 4, indices: [], isStandard: false },
    },
  }
  const keep = locals.map(
    (_type, i): Statement => ({
      kind: 'store',
      place: { base: { kind: 'area', area: 'I' }, offset: 4 * i, indices: [], isStandard: false },
      type: DInt,
      value: local(i),
      site: 0,
    }),
  )
  const code = block([setAddress, ...body, ...keep], { locals: [...locals, 'address'] })
  const running = start([code], data, {}, isOptimized)
  const bytes = new Uint8Array(running.memory.buffer)
  for (const name of ['data', 'other']) {
    const at = running.program.dataBlocks.get(name)?.address ?? 0
    for (let i = 0; i < 64; i++) bytes[at + i] = i * 7 + at
  }
  running.run('Main')
  return Buffer.from(bytes.slice(running.program.areas.I.address, running.program.stackTop - 65_536)).toString('hex')
}

test('property: the same memory and registers with the passes and without', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), (body) => {
      assert.equal(run(body, false), run(body, true))
    }),
    { numRuns: 600 },
  )
})

test('a member that is read after it was written is not loaded again', () => {
  const at: Place = { base: { kind: 'instance' }, offset: 0, indices: [], isStandard: false }
  const load: Expression = { kind: 'load', type: DInt, place: at }
  const twice: Statement[] = [
    { kind: 'store', place: at, type: DInt, value: constant(5), site: 0 },
    {
      kind: 'setLocal',
      local: 0,
      value: { kind: 'binary', operator: 'add', type: DInt, left: load, right: load, setsEno: false },
    },
  ]
  const code = block(twice, { kind: 'FB', locals: [DInt] })
  const text = JSON.stringify(forwardLoads(withSafeIndices(code)).body, (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  assert.equal(text.includes('"load"'), false)
  assert.ok(compileBlock(code).function.code.length > 0)
})
