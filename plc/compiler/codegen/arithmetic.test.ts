/** Every operator and conversion on every type, against exact arithmetic in BigInt and in doubles rounded once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BinaryOperator } from '../../ir/ir.ts'
import * as types from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { functionOf, start } from '../../testing/codegen.ts'

const { SInt, Int, DInt, LInt, USInt, UInt, UDInt, ULInt, Byte, Word, DWord, LWord, Real, LReal, Bool } = types
const integers = [SInt, Int, DInt, LInt, USInt, UInt, UDInt, ULInt]
const bitStrings = [Byte, Word, DWord, LWord]

/** A value in the form that a function takes: 64 bits as BigInt, all others as a number. */
function pass(type: ScalarType, value: bigint | number): bigint | number {
  if (type.family === 'real') return Number(value)
  return type.bits === 64 ? BigInt(value) : Number(value)
}

/** The result of a function, in the range of the type. */
function taken(type: ScalarType, value: unknown): bigint {
  const whole = BigInt(value as number)
  return type.isSigned ? BigInt.asIntN(type.bits, whole) : BigInt.asUintN(type.bits, whole)
}

const wrap = (type: ScalarType, value: bigint) =>
  type.isSigned ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)

/** Values of a type, often near its limits. */
function values(type: ScalarType): fc.Arbitrary<bigint> {
  const [low, high] = types.rangeOf(type) as readonly [bigint, bigint]
  const edges = [low, low + 1n, -1n, 0n, 1n, 2n, high - 1n, high].filter((value) => value >= low && value <= high)
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: low, max: high }))
}

interface Exact {
  readonly value: bigint
  /** Whether ENO stays set. */
  readonly isRight: boolean
}

function exact(operator: BinaryOperator, type: ScalarType, a: bigint, b: bigint): Exact {
  const fits = (value: bigint): Exact => ({ value: wrap(type, value), isRight: wrap(type, value) === value })
  switch (operator) {
    case 'add':
      return fits(a + b)
    case 'subtract':
      return fits(a - b)
    case 'multiply':
      return fits(a * b)
    case 'divide':
      return b === 0n ? { value: 0n, isRight: false } : fits(a / b)
    case 'modulo':
      return b === 0n ? { value: 0n, isRight: false } : fits(a % b)
    case 'minimum':
      return fits(a < b ? a : b)
    case 'maximum':
      return fits(a > b ? a : b)
    case 'and':
      return fits(a & b)
    case 'or':
      return fits(a | b)
    case 'xor':
      return fits(a ^ b)
    default: {
      const truth = {
        equal: a === b,
        notEqual: a !== b,
        less: a < b,
        lessOrEqual: a <= b,
        greater: a > b,
        greaterOrEqual: a >= b,
      }
      return { value: truth[operator as keyof typeof truth] ? 1n : 0n, isRight: true }
    }
  }
}

const sums: BinaryOperator[] = ['add', 'subtract', 'multiply', 'divide', 'modulo']
const comparisons: BinaryOperator[] = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual']
const extremes: BinaryOperator[] = ['minimum', 'maximum']

for (const type of [...integers, ...bitStrings]) {
  const operators =
    type.family === 'bits' ? ['and', 'or', 'xor', ...comparisons] : [...sums, ...extremes, ...comparisons]
  test(`${type.name}: ${operators.join(' ')}`, () => {
    for (const operator of operators as BinaryOperator[])
      for (const setsEno of [true, false]) {
        const result = comparisons.includes(operator) ? Bool : type
        const running = start([
          functionOf([type, type], result, (left, right) => ({ kind: 'binary', operator, type, left, right, setsEno })),
        ])
        fc.assert(
          fc.property(values(type), values(type), (a, b) => {
            const got = taken(result, running.run('F', pass(type, a), pass(type, b)))
            const { value, isRight } = exact(operator, type, a, b)
            assert.equal(got, value, `${a} ${operator} ${b}`)
            if (setsEno) assert.equal(running.global('eno').value, isRight ? 1 : 0, `ENO of ${a} ${operator} ${b}`)
          }),
          { numRuns: 60 },
        )
      }
  })
}

test('division by a constant needs no look at it', () => {
  for (const [divisor, wanted] of [
    [7n, -3n],
    [-7n, 3n],
    [-1n, 21n],
    [1n, -21n],
    [0n, 0n],
  ] as const) {
    const right = { kind: 'constant', type: DInt, value: divisor } as const
    const f = functionOf([DInt], DInt, (left) => ({
      kind: 'binary',
      operator: 'divide',
      type: DInt,
      left,
      right,
      setsEno: true,
    }))
    const running = start([f])
    assert.equal(running.run('F', -21), Number(wanted))
    assert.equal(running.global('eno').value, divisor === 0n ? 0 : 1)
  }
})

test('shifts and rotations, also by more bits than there are', () => {
  const count = fc.oneof(fc.nat(70), fc.constantFrom(0, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 0xffff))
  for (const type of [...integers, ...bitStrings]) {
    const n = BigInt(type.bits)
    const rotations: BinaryOperator[] = type.family === 'bits' ? ['rotateLeft', 'rotateRight'] : []
    for (const operator of ['shiftLeft', 'shiftRight', ...rotations] as BinaryOperator[]) {
      const running = start([
        functionOf([type, UInt], type, (left, right) => ({
          kind: 'binary',
          operator,
          type,
          left,
          right,
          setsEno: false,
        })),
      ])
      fc.assert(
        fc.property(values(type), count, (value, by) => {
          const got = taken(type, running.run('F', pass(type, value), by))
          const pattern = BigInt.asUintN(type.bits, value)
          const turn = BigInt(by) % n
          const wanted = {
            shiftLeft: wrap(type, value << BigInt(by)),
            shiftRight: wrap(type, value >> BigInt(by)),
            rotateLeft: wrap(type, (pattern << turn) | (pattern >> (n - turn))),
            rotateRight: wrap(type, (pattern >> turn) | (pattern << (n - turn))),
          }
          assert.equal(got, wanted[operator as keyof typeof wanted], `${type.name} ${value} ${operator} ${by}`)
        }),
        { numRuns: 60 },
      )
    }
  }
})

test('one operand: sign, NOT, absolute value', () => {
  for (const type of [...integers, ...bitStrings]) {
    const operators =
      type.family === 'bits' ? (['not'] as const) : type.isSigned ? (['negate', 'abs'] as const) : (['negate'] as const)
    for (const operator of operators) {
      const running = start([functionOf([type], type, (operand) => ({ kind: 'unary', operator, type, operand }))])
      fc.assert(
        fc.property(values(type), (value) => {
          const wanted = { not: ~value, negate: -value, abs: value < 0n ? -value : value }[operator]
          assert.equal(taken(type, running.run('F', pass(type, value))), wrap(type, wanted))
        }),
        { numRuns: 60 },
      )
    }
  }
})

const doubles = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 0.5, 1.5, 2.5, -0.5, -1.5, 32767.5, 2 ** 31, 2 ** 63, -(2 ** 63), 2 ** 64, 1e300, Number.NaN),
  // Around 32 bits, where conversions change their way.
  fc.constantFrom(
    2 ** 31 - 1,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 31 - 0.5,
    -(2 ** 31) - 0.5,
    2 ** 32 + 5,
    -(2 ** 33) - 3,
  ),
)

test('reals: rounded once after each operation; infinity and NaN clear ENO', () => {
  for (const type of [Real, LReal]) {
    const round = type === Real ? Math.fround : (x: number) => x
    const operations = {
      add: (a: number, b: number) => a + b,
      subtract: (a: number, b: number) => a - b,
      multiply: (a: number, b: number) => a * b,
      divide: (a: number, b: number) => a / b,
    }
    for (const [operator, operation] of Object.entries(operations)) {
      const running = start([
        functionOf([type, type], type, (left, right) => ({
          kind: 'binary',
          operator: operator as BinaryOperator,
          type,
          left,
          right,
          setsEno: true,
        })),
      ])
      fc.assert(
        fc.property(doubles, doubles, (x, y) => {
          const [a, b] = [round(x), round(y)]
          const wanted = round(operation(a, b))
          assert.ok(Object.is(running.run('F', a, b), wanted), `${a} ${operator} ${b}`)
          assert.equal(running.global('eno').value, Number.isFinite(wanted) ? 1 : 0)
        }),
      )
    }
  }
})

test('conversions between integers and bit strings keep the low bits, and clear ENO when the number changes', () => {
  for (const from of [...integers, Word, DWord, LWord])
    for (const type of [...integers, Byte, DWord, LWord]) {
      const running = start([
        functionOf([from], type, (operand) => ({ kind: 'convert', from, type, operand, mode: 'value', setsEno: true })),
      ])
      fc.assert(
        fc.property(values(from), (value) => {
          const got = taken(type, running.run('F', pass(from, value)))
          assert.equal(got, wrap(type, value), `${from.name} ${value} to ${type.name}`)
          assert.equal(
            running.global('eno').value,
            wrap(type, value) === value ? 1 : 0,
            `ENO of ${value} to ${type.name}`,
          )
        }),
        { numRuns: 30 },
      )
    }
})

/** Rounds to the nearest integer, halves to the even one (docs/plc-semantics.md#explicit-conversion). */
function nearest(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

test('reals to integers: rounding modes, what does not fit', () => {
  const modes = { value: nearest, round: nearest, truncate: Math.trunc, ceiling: Math.ceil, floor: Math.floor } as const
  for (const from of [Real, LReal])
    for (const type of integers)
      for (const [mode, rounded] of Object.entries(modes)) {
        const running = start([
          functionOf([from], type, (operand) => ({
            kind: 'convert',
            from,
            type,
            operand,
            mode: mode as keyof typeof modes,
            setsEno: true,
          })),
        ])
        fc.assert(
          fc.property(doubles, (x) => {
            const value = from === Real ? Math.fround(x) : x
            const got = taken(type, running.run('F', value))
            const whole = rounded(value)
            const [low, high] = types.rangeOf(type) as readonly [bigint, bigint]
            const fits = Number.isFinite(whole) && BigInt(whole) >= low && BigInt(whole) <= high
            assert.equal(running.global('eno').value, fits ? 1 : 0, `ENO of ${value} ${mode} to ${type.name}`)
            if (fits) assert.equal(got, BigInt(whole), `${value} ${mode} to ${type.name}`)
            // Numbers of 32 bits and larger ones go different ways; both keep the low bits.
            else if (type.bits < 64 && Math.abs(whole) < 2 ** 62)
              assert.equal(got, wrap(type, BigInt(whole)), `low bits of ${value} ${mode} to ${type.name}`)
          }),
          { numRuns: 40 },
        )
      }
})

test('integers to reals, and bits that stay as they are', () => {
  for (const from of integers)
    for (const type of [Real, LReal]) {
      const running = start([
        functionOf([from], type, (operand) => ({
          kind: 'convert',
          from,
          type,
          operand,
          mode: 'value',
          setsEno: false,
        })),
      ])
      fc.assert(
        fc.property(values(from), (value) => {
          // 64 bits to single precision are rounded once, not through a double.
          if (from.bits === 64 && type === Real && value > 2n ** 53n) return
          if (from.bits === 64 && type === Real && value < -(2n ** 53n)) return
          const wanted = type === Real ? Math.fround(Number(value)) : Number(value)
          assert.equal(running.run('F', pass(from, value)), wanted)
        }),
        { numRuns: 30 },
      )
    }
  const toReal = start([
    functionOf([DWord], Real, (operand) => ({
      kind: 'convert',
      from: DWord,
      type: Real,
      operand,
      mode: 'bits',
      setsEno: false,
    })),
  ])
  assert.equal(toReal.run('F', 0x40490fdb), Math.fround(Math.PI))
  const toWord = start([
    functionOf([SInt], Word, (operand) => ({
      kind: 'convert',
      from: SInt,
      type: Word,
      operand,
      mode: 'bits',
      setsEno: false,
    })),
  ])
  assert.equal(toWord.run('F', -1), 0xff)
})
