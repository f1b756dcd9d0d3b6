/** Runs every opcode and compares its result with what the specification says (Core Specification 2.0, 4.3 and 4.4). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodeBuffer } from './code-buffer.ts'
import { writeModule } from './module.ts'
import { emptyBlock, Op, PrefixedOp, prefixed, ValueType, VectorOp, vectorPrefix } from './opcodes.ts'

type Value = number | bigint
const { i32, i64, f32, f64 } = ValueType

/** A function of code. The memory has the bytes 0x80, 0x81 … at 64. */
function functionOf(
  parameters: readonly ValueType[],
  results: readonly ValueType[],
  write: (code: CodeBuffer) => void,
) {
  const code = new CodeBuffer()
  write(code)
  code.byte(Op.end)
  const body = { locals: [i32, i64], code: code.bytes(), relocations: code.relocations }
  const bytes = writeModule({
    imports: [{ name: 'twice', type: { parameters: [i32], results: [i32] } }],
    functions: [{ name: 'f', type: { parameters, results }, ...body }],
    globals: [{ name: 'global', type: i32, start: 5 }],
    exports: ['f'],
    addresses: new Map(),
    memoryPages: 1,
  })
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const view = new DataView(memory.buffer)
  for (let i = 0; i < 32; i++) view.setUint8(64 + i, 0x80 + i)
  const host = { memory, twice: (value: number) => 2 * value }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host })
  return {
    view,
    global: exports.global as WebAssembly.Global,
    run: exports.f as (...values: Value[]) => Value | undefined,
  }
}

/** A function that applies an operation to its parameters. */
function applied(parameters: readonly ValueType[], result: ValueType, ...opcode: readonly number[]) {
  return functionOf(parameters, [result], (code) => {
    parameters.forEach((_one, i) => {
      code.byte(Op.localGet)
      code.unsigned(i)
    })
    for (const byte of opcode) code.byte(byte)
  }).run
}

const samples = {
  [i32]: [
    0, 1, 2, 3, 5, 7, 31, 100, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x1234_5678, 0x7fff_ffff, -0x8000_0000, -1, -2,
    -7,
  ],
  [i64]: [
    0n,
    1n,
    2n,
    3n,
    5n,
    7n,
    63n,
    100n,
    0x8000_0000n,
    0xffff_ffffn,
    0x1234_5678_9abc_def0n,
    2n ** 63n - 1n,
    -(2n ** 63n),
    -1n,
    -2n,
    -7n,
    2n ** 53n + 1n,
  ],
  [f32]: [0, 0.5, 1, 1.5, 2.5, -0.5, -1.5, -2.5, 3, 1e10, -1e10, Number.NaN, Infinity, -Infinity].map(Math.fround),
  [f64]: [
    0,
    0.5,
    1,
    1.5,
    2.5,
    -0.5,
    -1.5,
    -2.5,
    3,
    0.1,
    1e10,
    -1e10,
    3e9,
    -3e9,
    1e19,
    1e300,
    Number.NaN,
    Infinity,
    -Infinity,
  ],
} as Readonly<Record<number, readonly Value[]>>

type Calculation = (...values: never[]) => Value | boolean
/** Compares an operation with its calculation for all samples; where that throws, the operation must trap. */
function compare(
  name: string,
  parameters: readonly ValueType[],
  result: ValueType,
  opcode: readonly number[],
  right: Calculation,
) {
  const run = applied(parameters, result, ...opcode)
  const [first = [], second = [undefined]] = parameters.map((type) => samples[type])
  for (const a of first)
    for (const b of parameters.length === 1 ? [undefined] : second) {
      const values = (b === undefined ? [a] : [a, b]) as Value[]
      let wanted: Value | boolean | undefined
      try {
        wanted = right(...(values as never[]))
      } catch {
        assert.throws(() => run(...values), `${name} ${values.join(' ')} traps`)
        continue
      }
      assert.equal(run(...values), typeof wanted === 'boolean' ? Number(wanted) : wanted, `${name} ${values.join(' ')}`)
    }
}

const unsigned32 = (value: number) => BigInt.asUintN(32, BigInt(value))
const to32 = (value: bigint) => Number(BigInt.asIntN(32, value))
const to64 = (value: bigint) => BigInt.asIntN(64, value)
const unsigned64 = (value: bigint) => BigInt.asUintN(64, value)

/** Operations on two whole numbers of a width. */
function wholeNumbers(bits: bigint): Readonly<Record<string, (a: bigint, b: bigint) => bigint | boolean>> {
  const u = (value: bigint) => BigInt.asUintN(Number(bits), value)
  const isOverflow = (a: bigint, b: bigint) => a === -(2n ** (bits - 1n)) && b === -1n
  const rotated = (a: bigint, by: bigint) => (u(a) << by) | (u(a) >> (bits - by))
  return {
    Eq: (a, b) => a === b,
    Ne: (a, b) => a !== b,
    LtS: (a, b) => a < b,
    LtU: (a, b) => u(a) < u(b),
    GtS: (a, b) => a > b,
    GtU: (a, b) => u(a) > u(b),
    LeS: (a, b) => a <= b,
    LeU: (a, b) => u(a) <= u(b),
    GeS: (a, b) => a >= b,
    GeU: (a, b) => u(a) >= u(b),
    Add: (a, b) => a + b,
    Sub: (a, b) => a - b,
    Mul: (a, b) => a * b,
    DivS: (a, b) => {
      if (isOverflow(a, b)) throw new RangeError('overflow')
      return a / b
    },
    DivU: (a, b) => u(a) / u(b),
    RemS: (a, b) => a % b,
    RemU: (a, b) => u(a) % u(b),
    And: (a, b) => a & b,
    Or: (a, b) => a | b,
    Xor: (a, b) => a ^ b,
    Shl: (a, b) => a << (u(b) % bits),
    ShrS: (a, b) => a >> (u(b) % bits),
    ShrU: (a, b) => u(a) >> (u(b) % bits),
    Rotl: (a, b) => rotated(a, u(b) % bits),
    Rotr: (a, b) => rotated(a, bits - (u(b) % bits)),
  }
}

const opcodes: Readonly<Record<string, number>> = Op
const comparisons = ['Eq', 'Ne', 'Lt', 'Gt', 'Le', 'Ge']
const isComparison = (name: string) => comparisons.includes(name.slice(0, 2))

test('whole numbers of 32 and 64 bits', () => {
  for (const [name, calculate] of Object.entries(wholeNumbers(32n)))
    compare(`i32${name}`, [i32, i32], i32, [opcodes[`i32${name}`] as number], (a: number, b: number) => {
      const result = calculate(BigInt(a), BigInt(b))
      return typeof result === 'boolean' ? result : to32(result)
    })
  for (const [name, calculate] of Object.entries(wholeNumbers(64n)))
    compare(
      `i64${name}`,
      [i64, i64],
      isComparison(name) ? i32 : i64,
      [opcodes[`i64${name}`] as number],
      (a: bigint, b: bigint) => {
        const result = calculate(a, b)
        return typeof result === 'boolean' ? result : to64(result)
      },
    )
  compare('i32Eqz', [i32], i32, [Op.i32Eqz], (a: number) => a === 0)
  compare('i64Eqz', [i64], i32, [Op.i64Eqz], (a: bigint) => a === 0n)
  compare('i32Extend8S', [i32], i32, [Op.i32Extend8S], (a: number) => (a << 24) >> 24)
  compare('i32Extend16S', [i32], i32, [Op.i32Extend16S], (a: number) => (a << 16) >> 16)
})

/** Rounds halves to the even number. */
function nearest(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

test('floating-point numbers', () => {
  const two: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
    Eq: (a, b) => a === b,
    Ne: (a, b) => a !== b,
    Lt: (a, b) => a < b,
    Gt: (a, b) => a > b,
    Le: (a, b) => a <= b,
    Ge: (a, b) => a >= b,
    Add: (a, b) => a + b,
    Sub: (a, b) => a - b,
    Mul: (a, b) => a * b,
    Div: (a, b) => a / b,
    Min: Math.min,
    Max: Math.max,
  }
  for (const [name, calculate] of Object.entries(two)) {
    const result = (type: ValueType) => (isComparison(name) ? i32 : type)
    compare(`f64${name}`, [f64, f64], result(f64), [opcodes[`f64${name}`] as number], calculate)
    compare(`f32${name}`, [f32, f32], result(f32), [opcodes[`f32${name}`] as number], (a: number, b: number) => {
      const value = calculate(a, b)
      return typeof value === 'boolean' ? value : Math.fround(value)
    })
  }
  const one = { Abs: Math.abs, Neg: (a: number) => -a, Sqrt: Math.sqrt }
  for (const [name, calculate] of Object.entries(one)) {
    compare(`f64${name}`, [f64], f64, [opcodes[`f64${name}`] as number], calculate)
    compare(`f32${name}`, [f32], f32, [opcodes[`f32${name}`] as number], (a: number) => Math.fround(calculate(a)))
  }
  const rounded = { Ceil: Math.ceil, Floor: Math.floor, Trunc: Math.trunc, Nearest: nearest }
  // Zero has a sign here too, which `nearest` above does not keep.
  for (const [name, calculate] of Object.entries(rounded))
    compare(`f64${name}`, [f64], f64, [opcodes[`f64${name}`] as number, Op.f64Abs], (a: number) =>
      Math.abs(calculate(a)),
    )
})

test('conversions', () => {
  const bits = new DataView(new ArrayBuffer(8))
  /** The nearest number of single precision; `fround` of a BigInt's double would round twice. */
  const single = (value: bigint) => {
    const magnitude = value < 0n ? -value : value
    const length = magnitude.toString(2).length
    if (length <= 24) return Number(value)
    const unit = 1n << BigInt(length - 24)
    const [quotient, rest] = [magnitude / unit, magnitude % unit]
    const isUp = rest * 2n > unit || (rest * 2n === unit && quotient % 2n === 1n)
    return Number((isUp ? quotient + 1n : quotient) * unit) * (value < 0n ? -1 : 1)
  }
  const saturated = (low: bigint, high: bigint) => (a: number) => {
    if (Number.isNaN(a)) return 0n
    if (a >= Number(high)) return high
    return a <= Number(low) ? low : BigInt(Math.trunc(a))
  }
  compare('i32WrapI64', [i64], i32, [Op.i32WrapI64], (a: bigint) => to32(a))
  compare('i64ExtendI32S', [i32], i64, [Op.i64ExtendI32S], (a: number) => BigInt(a))
  compare('i64ExtendI32U', [i32], i64, [Op.i64ExtendI32U], unsigned32)
  compare('f32ConvertI32S', [i32], f32, [Op.f32ConvertI32S], (a: number) => single(BigInt(a)))
  compare('f32ConvertI32U', [i32], f32, [Op.f32ConvertI32U], (a: number) => single(unsigned32(a)))
  compare('f32ConvertI64S', [i64], f32, [Op.f32ConvertI64S], single)
  compare('f32ConvertI64U', [i64], f32, [Op.f32ConvertI64U], (a: bigint) => single(unsigned64(a)))
  compare('f32DemoteF64', [f64], f32, [Op.f32DemoteF64], Math.fround)
  compare('f64ConvertI32S', [i32], f64, [Op.f64ConvertI32S], (a: number) => a)
  compare('f64ConvertI32U', [i32], f64, [Op.f64ConvertI32U], (a: number) => Number(unsigned32(a)))
  compare('f64ConvertI64S', [i64], f64, [Op.f64ConvertI64S], Number)
  compare('f64ConvertI64U', [i64], f64, [Op.f64ConvertI64U], (a: bigint) => Number(unsigned64(a)))
  compare('f64PromoteF32', [f32], f64, [Op.f64PromoteF32], (a: number) => a)
  compare('i32ReinterpretF32', [f32], i32, [Op.i32ReinterpretF32], (a: number) => {
    bits.setFloat32(0, a)
    return bits.getInt32(0)
  })
  compare('i64ReinterpretF64', [f64], i64, [Op.i64ReinterpretF64], (a: number) => {
    bits.setFloat64(0, a)
    return bits.getBigInt64(0)
  })
  compare('f32ReinterpretI32', [i32], f32, [Op.f32ReinterpretI32], (a: number) => {
    bits.setInt32(0, a)
    return bits.getFloat32(0)
  })
  compare('f64ReinterpretI64', [i64], f64, [Op.f64ReinterpretI64], (a: bigint) => {
    bits.setBigInt64(0, a)
    return bits.getFloat64(0)
  })
  const { i32TruncSatF64S, i64TruncSatF64S, i64TruncSatF64U } = PrefixedOp
  const to = (low: bigint, high: bigint) => saturated(low, high)
  compare('i32TruncSatF64S', [f64], i32, [prefixed, i32TruncSatF64S], (a: number) =>
    Number(to(-(2n ** 31n), 2n ** 31n - 1n)(a)),
  )
  compare('i64TruncSatF64S', [f64], i64, [prefixed, i64TruncSatF64S], to(-(2n ** 63n), 2n ** 63n - 1n))
  compare('i64TruncSatF64U', [f64], i64, [prefixed, i64TruncSatF64U], (a: number) => to64(to(0n, 2n ** 64n - 1n)(a)))
})

test('memory', () => {
  const loads: readonly (readonly [number, ValueType, (view: DataView) => Value])[] = [
    [Op.i32Load, i32, (view) => view.getInt32(66, true)],
    [Op.i64Load, i64, (view) => view.getBigInt64(66, true)],
    [Op.f32Load, f32, (view) => view.getFloat32(66, true)],
    [Op.f64Load, f64, (view) => view.getFloat64(66, true)],
    [Op.i32Load8S, i32, (view) => view.getInt8(66)],
    [Op.i32Load8U, i32, (view) => view.getUint8(66)],
    [Op.i32Load16S, i32, (view) => view.getInt16(66, true)],
    [Op.i32Load16U, i32, (view) => view.getUint16(66, true)],
  ]
  for (const [opcode, type, right] of loads) {
    // Alignment 0, offset 2.
    const { run, view } = functionOf([i32], [type], (code) => {
      for (const byte of [Op.localGet, 0, opcode, 0, 2]) code.byte(byte)
    })
    assert.equal(run(64), right(view), `${opcode}`)
  }
  const stores: readonly (readonly [number, ValueType, Value, bytes: string])[] = [
    [Op.i32Store, i32, 0x0102_0304, '0403020184858687'],
    [Op.i64Store, i64, 0x0102_0304_0506_0708n, '0807060504030201'],
    [Op.f32Store, f32, 1, '0000803f84858687'],
    [Op.f64Store, f64, 1, '000000000000f03f'],
    [Op.i32Store8, i32, 0x0102_0304, '0481828384858687'],
    [Op.i32Store16, i32, 0x0102_0304, '0403828384858687'],
  ]
  for (const [opcode, type, value, bytes] of stores) {
    const { run, view } = functionOf([i32, type], [], (code) => {
      for (const byte of [Op.localGet, 0, Op.localGet, 1, opcode, 0, 4]) code.byte(byte)
    })
    run(60, value)
    assert.equal(Buffer.from(new Uint8Array(view.buffer, 64, 8)).toString('hex'), bytes, `${opcode}`)
  }
  const blocks: readonly (readonly [readonly number[], middle: number, bytes: string])[] = [
    [[prefixed, PrefixedOp.memoryCopy, 0, 0], 80, '90919283'],
    [[prefixed, PrefixedOp.memoryFill, 0], 7, '07070783'],
  ]
  for (const [opcode, middle, bytes] of blocks) {
    const { run, view } = functionOf([i32, i32, i32], [], (code) => {
      for (const byte of [Op.localGet, 0, Op.localGet, 1, Op.localGet, 2, ...opcode]) code.byte(byte)
    })
    run(64, middle, 3)
    assert.equal(Buffer.from(new Uint8Array(view.buffer, 64, 4)).toString('hex'), bytes)
  }
  const vectors = functionOf([i32, i32], [], (code) => {
    for (const byte of [Op.localGet, 0, Op.localGet, 1, vectorPrefix, VectorOp.load, 0, 0]) code.byte(byte)
    for (const byte of [vectorPrefix, VectorOp.store, 0, 0, Op.localGet, 1, vectorPrefix, VectorOp.const])
      code.byte(byte)
    for (let i = 0; i < 16; i++) code.byte(i)
    for (const byte of [vectorPrefix, VectorOp.store, 0, 0]) code.byte(byte)
  })
  vectors.run(8, 64)
  const hex = (at: number) => Buffer.from(new Uint8Array(vectors.view.buffer, at, 16)).toString('hex')
  assert.deepEqual([hex(8), hex(64)], ['808182838485868788898a8b8c8d8e8f', '000102030405060708090a0b0c0d0e0f'])
})

test('constants, locals, globals, calls and control', () => {
  const result = (type: ValueType, write: (code: CodeBuffer) => void, ...given: number[]) =>
    functionOf([i32], [type], write).run(...(given.length === 0 ? [0] : given))
  const bytes =
    (...list: number[]) =>
    (code: CodeBuffer) => {
      for (const one of list) code.byte(one)
    }
  assert.equal(result(i32, bytes(Op.i32Const, 0x7f)), -1)
  assert.equal(result(i64, bytes(Op.i64Const, 0x7f)), -1n)
  assert.equal(result(f32, bytes(Op.f32Const, 0, 0, 0xc0, 0x3f)), 1.5)
  assert.equal(result(f64, bytes(Op.f64Const, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f)), 1.5)
  // Register 1 is the first local after the parameter.
  assert.equal(result(i32, bytes(Op.localGet, 0, Op.localTee, 1, Op.localGet, 1, Op.i32Add), 21), 42)
  assert.equal(result(i32, bytes(Op.localGet, 0, Op.localSet, 1, Op.localGet, 1), 21), 21)
  assert.equal(result(i32, bytes(Op.localGet, 0, Op.call, 0), 21), 42)
  assert.equal(result(i32, bytes(Op.i32Const, 1, Op.i32Const, 2, Op.drop), 21), 1)
  assert.deepEqual(
    [0, 9].map((one) => result(i32, bytes(Op.i32Const, 1, Op.i32Const, 2, Op.localGet, 0, Op.select), one)),
    [2, 1],
  )
  assert.equal(result(i32, bytes(Op.i32Const, 1, Op.return, Op.unreachable)), 1)
  assert.throws(() => result(i32, bytes(Op.unreachable)), /unreachable/)
  const choice = bytes(Op.localGet, 0, Op.if, i32, Op.i32Const, 1, Op.else, Op.i32Const, 2, Op.end)
  assert.deepEqual(
    [0, 9].map((one) => result(i32, choice, one)),
    [2, 1],
  )
  // A loop that counts the parameter down, and local 1 up, until the branch out of the block.
  const loop = bytes(
    ...[Op.block, emptyBlock, Op.loop, emptyBlock, Op.localGet, 0, Op.i32Eqz, Op.brIf, 1],
    ...[Op.localGet, 0, Op.i32Const, 1, Op.i32Sub, Op.localSet, 0],
    ...[Op.localGet, 1, Op.i32Const, 3, Op.i32Add, Op.localSet, 1, Op.br, 0, Op.end, Op.end, Op.localGet, 1],
  )
  assert.equal(result(i32, loop, 5), 15)
  const table = bytes(
    ...[Op.block, emptyBlock, Op.block, emptyBlock, Op.localGet, 0, Op.brTable, 1, 0, 1, Op.end],
    ...[Op.i32Const, 7, Op.return, Op.end, Op.i32Const, 8],
  )
  assert.deepEqual(
    [0, 1, 2].map((one) => result(i32, table, one)),
    [7, 8, 8],
  )
  const { run, global } = functionOf([], [i32], bytes(Op.globalGet, 0, Op.i32Const, 6, Op.globalSet, 0))
  assert.deepEqual([run(), global.value], [5, 6])
})
