/**
 * Random lists of STL statements on whole numbers, against a machine of accumulators and status bits that follows
 * "Statement List (STL) for S7-300 and S7-400 Programming" and shares nothing with the compiler.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readStatements } from '../../formats/source/statements-read.ts'
import { runScl } from '../../testing/runtime.ts'

const unsigned = (bits: number, value: bigint) => BigInt.asUintN(bits, value)
const signed = (bits: number, value: bigint) => BigInt.asIntN(bits, value)

/** CC 1 and CC 0 as one number: 0 zero, 1 less, 2 greater, 3 unordered. */
type Codes = 0 | 1 | 2 | 3
const codesOf = (value: bigint): Codes => (value === 0n ? 0 : value < 0n ? 1 : 2)

class Machine {
  one = 0n
  two = 0n
  codes: Codes = 0
  ov = false
  os = false

  get low() {
    return signed(16, this.one)
  }

  set low(value: bigint) {
    this.one = (this.one & 0xffff_0000n) | unsigned(16, value)
  }

  load(value: bigint) {
    this.two = this.one
    this.one = unsigned(32, value)
  }

  overflow(isOver: boolean) {
    this.ov = isOver
    this.os ||= isOver
  }

  /** Sums wrap, and their codes are those of what is left; the codes of a product are those of all of it. */
  sum(bits: 16 | 32, exact: bigint, isProduct: boolean) {
    const wrapped = signed(bits, exact)
    this.codes = codesOf(isProduct ? exact : wrapped)
    this.overflow(wrapped !== exact)
    if (bits === 16 && !isProduct) this.low = wrapped
    else this.one = unsigned(32, exact)
  }

  /** The last bit that leaves is in CC 1. A shift by 0 clears CC 1 only: help page "SLW: Shift left word by word". */
  shift(bits: 16 | 32, count: bigint, step: (value: bigint) => { value: bigint; out: bigint }) {
    if (count === 0n) {
      this.codes = this.codes & 1 ? 1 : 0
      return
    }
    let [value, out] = [unsigned(bits, this.one), 0n]
    for (let i = 0n; i < count; i++) ({ value, out } = step(value))
    this.codes = out === 1n ? 2 : 0
    this.ov = false
    if (bits === 16) this.low = value
    else this.one = value
  }

  /** Returns false when the number has too many digits, and stays. */
  toBcd(digits: number, value: bigint): bigint | undefined {
    const size = value < 0n ? -value : value
    this.overflow(size >= 10n ** BigInt(digits))
    if (this.ov) return undefined
    return BigInt(`0x${value < 0n ? 'f' : '0'}${size.toString().padStart(digits, '0')}`)
  }
}

interface Step {
  readonly text: string
  readonly run: (machine: Machine) => void
  /** The result of a comparison. */
  readonly compares?: (machine: Machine) => boolean
}

const plain: Readonly<Record<string, (m: Machine) => void>> = {
  '+I': (m) => m.sum(16, signed(16, m.two) + m.low, false),
  '-I': (m) => m.sum(16, signed(16, m.two) - m.low, false),
  '*I': (m) => m.sum(16, signed(16, m.two) * m.low, true),
  '+D': (m) => m.sum(32, signed(32, m.two) + signed(32, m.one), false),
  '-D': (m) => m.sum(32, signed(32, m.two) - signed(32, m.one), false),
  '*D': (m) => m.sum(32, signed(32, m.two) * signed(32, m.one), true),
  NEGI: (m) => m.sum(16, -m.low, false),
  NEGD: (m) => m.sum(32, -signed(32, m.one), false),
  INVI: (m) => {
    m.low = ~m.low
  },
  INVD: (m) => {
    m.one = unsigned(32, ~m.one)
  },
  ITD: (m) => {
    m.one = unsigned(32, m.low)
  },
  ITB: (m) => {
    m.low = m.toBcd(3, m.low) ?? m.low
  },
  DTB: (m) => {
    m.one = m.toBcd(7, signed(32, m.one)) ?? m.one
  },
  CAW: (m) => {
    m.low = ((m.one & 0xffn) << 8n) | ((m.one >> 8n) & 0xffn)
  },
  CAD: (m) => {
    const bytes = m.one.toString(16).padStart(8, '0').match(/../g) ?? []
    m.one = BigInt(`0x${bytes.reverse().join('')}`)
  },
  TAK: (m) => {
    ;[m.one, m.two] = [m.two, m.one]
  },
  PUSH: (m) => {
    m.two = m.one
  },
  POP: (m) => {
    m.one = m.two
  },
  RLDA: (m) => {
    const carry = m.codes >= 2 ? 1n : 0n
    m.codes = m.one >> 31n === 1n ? 2 : 0
    m.ov = false
    m.one = unsigned(32, (m.one << 1n) | carry)
  },
  RRDA: (m) => {
    const carry = m.codes >= 2 ? 1n : 0n
    m.codes = (m.one & 1n) === 1n ? 2 : 0
    m.ov = false
    m.one = (m.one >> 1n) | (carry << 31n)
  },
}

const logic: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  A: (a, b) => a & b,
  O: (a, b) => a | b,
  XO: (a, b) => a ^ b,
}
function logicStep(name: string, bits: 16 | 32, value: bigint | undefined): Step {
  const mnemonic = `${name}${bits === 16 ? 'W' : 'D'}`
  const text = value === undefined ? mnemonic : `${mnemonic} ${bits === 16 ? 'W' : 'DW'}#16#${value.toString(16)}`
  return {
    text,
    run: (m) => {
      const result = unsigned(bits, logic[name]?.(m.one, value ?? m.two) ?? 0n)
      m.codes = result === 0n ? 0 : 2
      m.ov = false
      if (bits === 16) m.low = result
      else m.one = result
    },
  }
}

type Shifting = (value: bigint) => { value: bigint; out: bigint }
const left =
  (bits: number): Shifting =>
  (value) => ({ value: unsigned(bits, value << 1n), out: (value >> BigInt(bits - 1)) & 1n })
const right: Shifting = (value) => ({ value: value >> 1n, out: value & 1n })
const arithmetic =
  (bits: number): Shifting =>
  (value) => ({ value: unsigned(bits, signed(bits, value) >> 1n), out: value & 1n })
const shifts: Readonly<Record<string, readonly [bits: 16 | 32, step: Shifting]>> = {
  SLW: [16, left(16)],
  SRW: [16, right],
  SLD: [32, left(32)],
  SRD: [32, right],
  SSI: [16, arithmetic(16)],
  SSD: [32, arithmetic(32)],
  RLD: [32, (value) => ({ value: unsigned(32, value << 1n) | (value >> 31n), out: value >> 31n })],
  RRD: [32, (value) => ({ value: (value >> 1n) | ((value & 1n) << 31n), out: value & 1n })],
}

const orders: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  '==': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
}
function comparison(sign: string, bits: 16 | 32): Step {
  const sides = (m: Machine) => [signed(bits, m.two), signed(bits, m.one)] as const
  return {
    text: `${sign}${bits === 16 ? 'I' : 'D'}`,
    run: (m) => {
      const [a, b] = sides(m)
      m.codes = codesOf(a - b)
      m.ov = false
    },
    compares: (m) => orders[sign]?.(...sides(m)) ?? false,
  }
}

/** Quotient and remainder by a constant that is not 0. */
function division(mnemonic: '/I' | '/D' | 'MOD', divisor: bigint): Step {
  const bits = mnemonic === '/I' ? 16 : 32
  const loaded = mnemonic === '/I' ? `${divisor}` : `L#${divisor}`
  return {
    text: `L ${loaded}; ${mnemonic}`,
    run: (m) => {
      m.load(unsigned(bits, divisor))
      const [a, b] = [signed(bits, m.two), signed(bits, m.one)]
      const result = mnemonic === 'MOD' ? a % b : a / b
      m.codes = codesOf(result)
      m.overflow(signed(bits, result) !== result)
      m.one = bits === 16 ? (unsigned(16, a % b) << 16n) | unsigned(16, result) : unsigned(32, result)
    },
  }
}

const edges16 = [-0x8000n, -0x7fffn, -1000n, -999n, -1n, 0n, 1n, 2n, 7n, 999n, 1000n, 0x7fffn]
const edges32 = [
  -0x8000_0000n,
  -10_000_000n,
  -9_999_999n,
  -0x1_0000n,
  -1n,
  0n,
  1n,
  9_999_999n,
  10_000_000n,
  0x7fff_ffffn,
]
const word = fc.oneof(fc.constantFrom(...edges16), fc.bigInt({ min: -0x8000n, max: 0x7fffn }))
const double = fc.oneof(fc.constantFrom(...edges32), fc.bigInt({ min: -0x8000_0000n, max: 0x7fff_ffffn }))
const nonZero = (value: bigint) => value !== 0n

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.entries(plain)).map(([text, run]): Step => ({ text, run })) },
  // A constant of 16 bits leaves the high word 0.
  word.map((value): Step => ({ text: `L ${value}`, run: (m) => m.load(unsigned(16, value)) })),
  double.map((value): Step => ({ text: `L L#${value}`, run: (m) => m.load(value) })),
  fc.constantFrom('x', 'y').map((name): Step => ({ text: `L #${name}`, run: () => undefined })),
  fc
    .tuple(fc.constantFrom('A', 'O', 'XO'), fc.constantFrom<16 | 32>(16, 32), fc.option(double, { nil: undefined }))
    .map(([name, bits, value]) => logicStep(name, bits, value === undefined ? undefined : unsigned(bits, value))),
  fc
    .tuple(fc.constantFrom(...Object.keys(shifts)), fc.option(fc.integer({ min: 0, max: 16 }), { nil: undefined }))
    .map(([name, count]): Step => {
      const [bits, shifting] = shifts[name] as (typeof shifts)[string]
      return {
        text: count === undefined ? name : `${name} ${count}`,
        // Without a number, the lowest byte of ACCU 2 counts.
        run: (m) => m.shift(bits, count === undefined ? m.two & 0xffn : BigInt(count), shifting),
      }
    }),
  fc
    .tuple(fc.constantFrom(...Object.keys(orders)), fc.constantFrom<16 | 32>(16, 32))
    .map(([sign, bits]) => comparison(sign, bits)),
  word.filter(nonZero).map((value) => division('/I', value)),
  fc
    .tuple(fc.constantFrom<'/D' | 'MOD'>('/D', 'MOD'), double.filter(nonZero))
    .map(([name, value]) => division(name, value)),
  word.map(
    (value): Step => ({
      text: `+ ${value}`,
      run: (m) => {
        m.low = m.low + value
      },
    }),
  ),
  double.map(
    (value): Step => ({
      text: `+ L#${value}`,
      run: (m) => {
        m.one = unsigned(32, m.one + value)
      },
    }),
  ),
  fc.tuple(fc.constantFrom('INC', 'DEC'), fc.integer({ min: 0, max: 255 })).map(
    ([name, by]): Step => ({
      text: `${name} ${by}`,
      run: (m) => {
        const changed = name === 'INC' ? m.one + BigInt(by) : m.one - BigInt(by)
        m.one = (m.one & 0xffff_ff00n) | unsigned(8, changed)
      },
    }),
  ),
)

const flags = ['ov', 'os', 'greater', 'less', 'zero', 'unordered'] as const
const mostSteps = 14
const members = {
  ...{ x: 'DWord', y: 'DWord', v: 'DWord', w: 'DWord' },
  ...Object.fromEntries(
    [...flags, ...Array.from({ length: mostSteps }, (_one, i) => `b${i}`)].map((name) => [name, 'Bool']),
  ),
}
const shown =
  'T #v; TAK; T #w; A OV; = #ov; A OS; = #os; A >0; = #greater; A <0; = #less; A ==0; = #zero; A UO; = #unordered;'

function execute(text: string, x: bigint, y: bigint) {
  const statements = readStatements(text.replace(/;/g, ';\n'), {
    names: { isLocal: (name: string) => name in members },
  })
  const run = runScl({
    members,
    body: '',
    setsEno: false,
    networks: [{ number: 1, title: '', language: 'STL', statements }],
  })
  run.set('x', Number(x))
  run.set('y', Number(y))
  run.scan()
  return run
}

test('property: accumulators, status bits and results of comparisons are those of the manual', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: mostSteps }), double, double, (steps, first, second) => {
      const [x, y] = [unsigned(32, first), unsigned(32, second)]
      const machine = new Machine()
      machine.load(x)
      machine.load(y)
      const compared = new Map<string, boolean>()
      const text = steps.map((one, i) => {
        if (one.text === 'L #x') machine.load(x)
        else if (one.text === 'L #y') machine.load(y)
        if (one.compares) compared.set(`b${i}`, one.compares(machine))
        one.run(machine)
        return one.compares ? `${one.text}; = #b${i}` : one.text
      })
      const source = `L #x; L #y; ${text.join('; ')}; ${shown}`
      const run = execute(source, x, y)
      const { codes, ov, os } = machine
      assert.deepEqual(
        ['v', 'w', ...flags, ...compared.keys()].map((name) => run.get(name)),
        [
          Number(machine.one),
          Number(machine.two),
          ov,
          os,
          codes === 2,
          codes === 1,
          codes === 0,
          codes === 3,
          ...compared.values(),
        ],
        `${source} with x = 16#${x.toString(16)}, y = 16#${y.toString(16)}`,
      )
    }),
    { numRuns: 250 },
  )
})

test('BTI and BTD read digits with their sign', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -9_999_999, max: 9_999_999 }), (short, long) => {
      const digits = (value: number, count: number) =>
        BigInt(`0x${value < 0 ? 'f' : '0'}${String(Math.abs(value)).padStart(count, '0')}`)
      const run = execute('L #x; BTI; ITD; T #v; L #y; BTD; T #w;', digits(short, 3), digits(long, 7))
      assert.deepEqual([run.get('v'), run.get('w')], [short >>> 0, long >>> 0])
    }),
    { numRuns: 40 },
  )
})

test('a division by 0 is unordered and an overflow', () => {
  for (const operation of ['/I', '/D', 'MOD']) {
    const run = execute(`L #x; L 0; ${operation}; ${shown}`, 5n, 0n)
    assert.deepEqual(
      flags.map((name) => run.get(name)),
      [true, true, false, false, false, true],
      operation,
    )
  }
})
