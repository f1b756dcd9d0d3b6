import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { binary, constant as constantOf, load, local, not, setLocal, store, when } from '../../ir/build.ts'
import type { BinaryOperator, BlockCode, Expression, Place, Statement } from '../../ir/ir.ts'
import { Bool, DInt, LInt, Real } from '../../program/scalars.ts'
import { block, start } from '../../testing/codegen.ts'
import { compileBlock } from './function.ts'
import { withInlinedCalls } from './inline.ts'
import { link } from './link.ts'

const number = (value: number) => constantOf(DInt, BigInt(value))
const flag = (offset: number): Place => ({ base: { kind: 'area', area: 'M' }, offset, indices: [], isStandard: false })
const element = (value: Expression): Place => ({
  ...flag(0),
  indices: [{ value, low: 0, high: 3, stride: 4, site: 7 }],
})

/** The same block, made too long for inlining by code that never runs. */
function long(code: BlockCode): BlockCode {
  const never = Array.from({ length: 200 }, (_, i) => store(DInt, flag(4 * (i % 8)), number(i)))
  return { ...code, body: [when(constantOf(Bool, 0n), never), ...code.body] }
}

/** Calls of blocks in each function. */
function calls(blocks: readonly BlockCode[]): string[] {
  return withInlinedCalls(blocks.map((one) => compileBlock(one).function)).map(({ name, relocations }) => {
    const called = relocations.flatMap(({ symbol }) => (symbol.startsWith('function:block') ? [symbol.slice(15)] : []))
    return `${name.slice(6)}:${called.join()}`
  })
}

/**
 * A function of two numbers with two results: `Ret_Val` and `out`. Registers: parameters 0 and 1, results 2 and 3, own
 * ones from 4.
 */
function callee(body: readonly Statement[], options: Partial<BlockCode> = {}): BlockCode {
  return block(body, {
    name: 'Callee',
    kind: 'FC',
    locals: [DInt, DInt, DInt, DInt, DInt, LInt, Real, DInt],
    signature: {
      parameters: [
        { name: 'a', type: DInt },
        { name: 'b', type: DInt },
      ],
      results: [
        { name: 'Ret_Val', type: DInt },
        { name: 'out', type: DInt },
      ],
    },
    ...options,
  })
}

/** Calls it for 0 … 4, and keeps results and ENO in the process image of outputs. */
function caller(name = 'Main'): BlockCode {
  const output = (offset: number): Place => ({
    base: { kind: 'area', area: 'Q' },
    offset: 0,
    indices: [{ value: local(DInt, 0), low: 0, high: 4, stride: 12, site: 0 }],
    isStandard: false,
    ...(offset === 0 ? {} : { offset }),
  })
  return block(
    [
      {
        kind: 'loop',
        label: 0,
        site: 0,
        body: [
          {
            kind: 'call',
            block: 'Callee',
            arguments: [local(DInt, 0), binary('multiply', DInt, local(DInt, 0), number(3))],
            results: [1, 2],
            site: 0,
          },
          store(DInt, output(0), local(DInt, 1)),
          store(DInt, output(4), local(DInt, 2)),
          store(Bool, output(8), { kind: 'calleeEno' }),
          setLocal(0, binary('add', DInt, local(DInt, 0), number(1))),
          when(binary('greater', DInt, local(DInt, 0), number(4)), [{ kind: 'leave', label: 0 }]),
        ],
      },
    ],
    { name, locals: [DInt, DInt, DInt] },
  )
}

/** The state after a program: areas, faults, ENO and the stack. */
function outcome(blocks: readonly BlockCode[]): unknown {
  const running = start(blocks)
  running.run('Main')
  const { areas } = running.program
  const bytes = new Uint8Array(running.memory.buffer)
  const shown = [areas.M, areas.Q].map(({ address, size }) => [...bytes.slice(address, address + size)])
  return [shown, running.faults, running.global('eno').value, running.global('stack').value]
}

function isSameWithCall(code: BlockCode): void {
  assert.deepEqual(calls([code, caller()]), ['callee:', 'main:'])
  assert.deepEqual(calls([long(code), caller()]), ['callee:', 'main:callee'])
  assert.deepEqual(outcome([code, caller()]), outcome([long(code), caller()]))
}

const operators: readonly BinaryOperator[] = ['add', 'subtract', 'multiply', 'divide', 'xor', 'minimum']
const readable = [0, 1, 2, 3, 4, 7]
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: -5, max: 5 }).map(number),
    fc.constantFrom(...readable).map((one) => local(DInt, one)),
    fc.nat({ max: 7 }).map((i) => load(DInt, flag(4 * i))),
    tie('expression').map((value) => load(DInt, element(value))),
    fc
      .tuple(fc.constantFrom(...operators), tie('expression'), tie('expression'), fc.boolean())
      .map(([operator, left, right, setsEno]) => binary(operator, DInt, left, right, setsEno)),
  ),
}))
const { statements } = fc.letrec<{ statements: Statement[]; statement: Statement }>((tie) => ({
  statements: fc.array(tie('statement'), { maxLength: 4 }),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.constantFrom(...readable), expression).map(([one, value]) => setLocal(one, value)),
    fc.tuple(fc.nat({ max: 7 }), expression).map(([i, value]) => store(DInt, flag(4 * i), value)),
    fc.tuple(expression, expression).map(([index, value]) => store(DInt, element(index), value)),
    expression.map((value): Statement => ({ kind: 'setEno', value: binary('less', DInt, value, number(1)) })),
    fc.constant<Statement>({ kind: 'return' }),
    fc
      .tuple(expression, tie('statements'), tie('statements'))
      .map(([value, a, b]) => when(binary('greater', DInt, value, number(0)), a, b)),
    fc.tuple(expression, tie('statements')).map(
      ([value, [...branch]]): Statement => ({
        kind: 'switch',
        selector: value,
        type: DInt,
        branches: [
          { ranges: [[0n, 1n]], body: branch },
          {
            ranges: [
              [2n, 2n],
              [4n, 9n],
            ],
            body: [setLocal(4, value)],
          },
          { ranges: [[3n, 3n]], body: [] },
        ],
        otherwise: branch.slice(1),
        site: 0,
      }),
    ),
  ),
}))

test('property: a program does the same whether a call is made or its code stands in its place', () => {
  let compared = 0
  fc.assert(
    fc.property(statements, fc.boolean(), (body, hasFrame) => {
      const code = callee(body, hasFrame ? { frameSize: 16 } : {})
      if (compileBlock(code).function.code.length > 1200) return
      isSameWithCall(code)
      compared++
    }),
    { numRuns: 400 },
  )
  assert.ok(compared > 200)
})

test('registers that a call finds at 0 are 0 at each call', () => {
  const unset: Statement[] = [
    when(binary('equal', DInt, local(DInt, 0), number(1)), [
      setLocal(4, number(9)),
      setLocal(5, constantOf(LInt, 1n)),
      setLocal(6, constantOf(Real, 2)),
    ]),
    setLocal(2, local(DInt, 4)),
    setLocal(3, {
      kind: 'convert',
      from: LInt,
      type: DInt,
      mode: 'value',
      setsEno: false,
      operand: local(LInt, 5),
    }),
    when(binary('greater', Real, local(Real, 6), constantOf(Real, 1)), [setLocal(3, number(77))]),
  ]
  isSameWithCall(callee(unset))
})

test('a fault names the block that it is in, also when its code stands in another one', () => {
  const code = callee([setLocal(2, load(DInt, element(local(DInt, 0))))])
  assert.deepEqual(calls([code, caller()]), ['callee:', 'main:'])
  const running = start([code, caller()])
  running.run('Main')
  assert.deepEqual(running.faults, ['Callee:7'])
})

test('a frame that does not fit is noticed as in a call', () => {
  const code = callee([], { frameSize: 100_000 })
  assert.deepEqual(calls([code, caller()]), ['callee:', 'main:'])
  assert.throws(() => start([code, caller()]).run('Main'), /stack overflow/)
})

test('blocks that call themselves or each other keep their calls', () => {
  const call = (name: string): Statement => ({ kind: 'call', block: name, arguments: [], results: [], site: 0 })
  const three = [
    block([call('Self')], { name: 'Self', kind: 'FC' }),
    block([call('Pong')], { name: 'Ping', kind: 'FC' }),
    block([call('Ping')], { name: 'Pong', kind: 'FC' }),
  ]
  assert.deepEqual(calls(three), ['self:self', 'ping:pong', 'pong:ping'])
})

test('small blocks that call small blocks are put in place too', () => {
  const call = (name: string): Statement => ({ kind: 'call', block: name, arguments: [], results: [], site: 0 })
  const chain = [
    block([store(DInt, flag(0), number(3))], { name: 'Inner', kind: 'FC' }),
    block([call('Inner')], { name: 'Middle', kind: 'FC' }),
    block([call('Middle'), when(not(load(Bool, flag(8))), [call('Inner')])]),
  ]
  assert.deepEqual(calls(chain), ['inner:', 'middle:', 'main:'])
})

test('a function grows by so much only, and what is in its loops comes first', () => {
  const call: Statement = { kind: 'call', block: 'Inner', arguments: [], results: [], site: 0 }
  const inner = block(
    Array.from({ length: 15 }, (_, i) => store(DInt, flag(0), number(i))),
    { name: 'Inner', kind: 'FC' },
  )
  const many = block([
    ...Array.from({ length: 1000 }, () => call),
    { kind: 'loop', label: 0, site: 0, body: [call, { kind: 'leave', label: 0 }] },
  ])
  const [own, grown] = withInlinedCalls([inner, many].map((one) => compileBlock(one).function))
  assert.ok(own && grown)
  const before = compileBlock(many).function
  assert.ok(grown.code.length > before.code.length && grown.code.length < before.code.length + 10_000)
  const rest = grown.relocations.filter(({ symbol }) => symbol === 'function:block inner')
  assert.ok(rest.length > 500)
  // The loop is last in it and contains no call any more.
  assert.ok(Math.max(...rest.map(({ at }) => at)) < grown.code.length - own.code.length)
})

test('linked again after a change of the block that is called, the module is that of a program linked at once', () => {
  const codes = [1, 2, 3].map((value) => callee([setLocal(2, binary('add', DInt, local(DInt, 0), number(value)))]))
  const compiled = [...codes, long(codes[0] as BlockCode)].map((one) => compileBlock(one))
  const main = compileBlock(caller())
  let before: ReturnType<typeof link> | undefined
  for (const one of [0, 1, 3, 2, 0, 3, 1].map((i) => compiled[i])) {
    if (!one) continue
    const blocks = [
      { name: 'Callee', compiled: one },
      { name: 'Main', compiled: main },
    ]
    const next = link({ blocks, dataBlocks: [], before })
    assert.deepEqual(Buffer.concat(next.wasm), Buffer.concat(link({ blocks, dataBlocks: [] }).wasm))
    before = next
  }
})
