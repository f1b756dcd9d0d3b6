/** STL: arithmetic, comparison, conversion, word logic, shifts, all on the accumulators. */

import { and, binary, constant, convert, isFalse, not, realsDiffer, setLocal, when } from '../../ir/build.ts'
import type { BinaryOperator, Expression } from '../../ir/ir.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { wholeNumber } from '../../program/constants.ts'
import { Bool, Byte, DInt, DWord, Int, LInt, Real, UDInt, UInt, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { lowerOperand } from './model-operand.ts'
import { bcdDigits, hasWrongDigit, toBcdDigits } from './s5.ts'
import type { SourceRange } from './source-range.ts'
import { codes, type StatementMachine } from './statement-list-machine.ts'
import { accuValue } from './statement-list-operands.ts'

/** Lowers a statement on accumulators. */
type Work = (machine: StatementMachine, operand: ModelOperand | undefined, at: SourceRange) => void

function choose(type: ScalarType, condition: Expression, whenTrue: Expression, otherwise: Expression): Expression {
  return { kind: 'select', type, condition, whenTrue, otherwise }
}

type Sum = 'add' | 'subtract' | 'multiply'

/** `+I -I *I` on the low words; a product takes all of ACCU 1. The codes of sums are those of the wrapped result. */
function intSum(operator: Sum): Work {
  return (machine) => {
    const side = (accu: 1 | 2) => convert(machine.accuAs(accu, Int), Int, DInt)
    const wide = machine.keep('result', DInt, binary(operator, DInt, side(2), side(1)))
    const narrow = convert(convert(wide, DInt, Int, 'bits'), Int, DInt)
    machine.codesOf(DInt, operator === 'multiply' ? wide : narrow)
    if (machine.watchesOverflow) machine.setOverflow(binary('notEqual', DInt, wide, narrow))
    if (operator === 'multiply') machine.setAccu(1, convert(wide, DInt, DWord, 'bits'))
    else machine.setLowWord(wide)
  }
}

function dintSum(operator: Sum): Work {
  return (machine) => {
    if (machine.watchesOverflow || machine.watched.codes) {
      const side = (accu: 1 | 2) => convert(machine.accuAs(accu, DInt), DInt, LInt)
      const wide = machine.keep('result', LInt, binary(operator, LInt, side(2), side(1)))
      const narrow = convert(convert(wide, LInt, DInt, 'bits'), DInt, LInt)
      machine.codesOf(LInt, operator === 'multiply' ? wide : narrow)
      if (machine.watchesOverflow) machine.setOverflow(binary('notEqual', LInt, wide, narrow))
      machine.setAccu(1, convert(wide, LInt, DWord, 'bits'))
    } else
      machine.setAccu(
        1,
        convert(binary(operator, DInt, machine.accuAs(2, DInt), machine.accuAs(1, DInt)), DInt, DWord, 'bits'),
      )
  }
}

/** `/I`: quotient in the low word, remainder in the high one. */
const divideInt: Work = (machine) => {
  const side = (accu: 1 | 2) => convert(machine.accuAs(accu, Int), Int, DInt)
  const [a, b] = [machine.keep('left', DInt, side(2)), machine.keep('right', DInt, side(1))]
  const quotient = machine.keep('result', DInt, binary('divide', DInt, a, b))
  divisionCodes(machine, DInt, b, quotient, constant(DInt, 32_768n))
  const word = (value: Expression) => convert(convert(value, DInt, Word, 'bits'), Word, DWord)
  const high = binary('shiftLeft', DWord, word(binary('modulo', DInt, a, b)), constant(UInt, 16n))
  machine.setAccu(1, binary('or', DWord, high, word(quotient)))
}

/** `/D` and `MOD`. The largest negative number divided by -1 does not fit: OV. */
function divideDint(operator: 'divide' | 'modulo'): Work {
  return (machine) => {
    const side = (accu: 1 | 2) => convert(machine.accuAs(accu, DInt), DInt, LInt)
    const [a, b] = [machine.keep('left', LInt, side(2)), machine.keep('right', LInt, side(1))]
    const result = machine.keep('result', LInt, binary(operator, LInt, a, b))
    divisionCodes(machine, LInt, b, result, constant(LInt, 2_147_483_648n))
    machine.setAccu(1, convert(result, LInt, DWord, 'bits'))
  }
}

function divisionCodes(
  machine: StatementMachine,
  type: ScalarType,
  divisor: Expression,
  result: Expression,
  tooLarge: Expression,
): void {
  const byZero = binary('equal', type, divisor, constant(type, 0n))
  machine.codesOf(type, result)
  if (machine.watched.codes) machine.setCodes(choose(Byte, byZero, constant(Byte, codes.unordered), machine.codes))
  if (machine.watchesOverflow) machine.setOverflow(binary('or', Bool, byZero, binary('equal', type, result, tooLarge)))
}

/** Neither infinite nor NaN. */
function isFiniteReal(value: Expression): Expression {
  return binary('equal', Real, binary('subtract', Real, value, value), constant(Real, 0))
}

/** The smallest Real with all its digits. */
const smallestNormal = constant(Real, 2 ** -126)

/**
 * After an operation on reals: OV when the result is infinite or NaN, or so small that digits are lost, which then is
 * zero in CC. An operand that is no number, and what `isRefused` says, make it unordered. Help pages "+R: Add
 * floating-point numbers", "LN: Form natural logarithm", "JZ: Jump if the result is zero".
 */
function realResult(
  machine: StatementMachine,
  value: Expression,
  operands: readonly Expression[],
  isRefused: Expression = isFalse,
): void {
  const watches = machine.watchesOverflow || machine.watched.codes
  const invalid = watches
    ? machine.keep(
        'invalid',
        Bool,
        operands.reduce((all, one) => binary('or', Bool, all, not(isFiniteReal(one))), isRefused),
      )
    : isFalse
  const result = machine.keep('result', Real, value)
  if (watches) {
    const size: Expression = { kind: 'unary', operator: 'abs', type: Real, operand: result }
    const isTiny = machine.keep(
      'tiny',
      Bool,
      and(binary('less', Real, size, smallestNormal), binary('greater', Real, size, constant(Real, 0))),
    )
    machine.codesOf(Real, result)
    const known = choose(Byte, isTiny, constant(Byte, codes.zero), machine.codes)
    if (machine.watched.codes) machine.setCodes(choose(Byte, invalid, constant(Byte, codes.unordered), known))
    if (machine.watchesOverflow)
      machine.setOverflow(binary('or', Bool, binary('or', Bool, invalid, isTiny), not(isFiniteReal(result))))
  }
  machine.setReal(result)
}

function realOperation(operator: Sum | 'divide'): Work {
  return (machine) => {
    const [a, b] = [machine.accuAs(2, Real), machine.accuAs(1, Real)]
    const byZero = operator === 'divide' ? binary('equal', Real, b, constant(Real, 0)) : isFalse
    realResult(machine, binary(operator, Real, a, b), [a, b], byZero)
  }
}

function realFunction(apply: (value: Expression) => Expression, isRefused?: (value: Expression) => Expression): Work {
  return (machine) => {
    const value = machine.accuAs(1, Real)
    realResult(machine, apply(value), [value], isRefused?.(value))
  }
}

function routine(name: string): Work {
  return realFunction(
    (value) => ({ kind: 'routine', routine: `${name}.real`, type: Real, arguments: [value], setsEno: false }),
    name === 'ln' ? (value) => binary('equal', Real, value, constant(Real, 0)) : undefined,
  )
}

// ── Comparison ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Compares ACCU 2 with ACCU 1; the RLO is the result. */
function compare(operator: BinaryOperator, type: ScalarType): Work {
  return (machine) => {
    const [a, b] = [machine.accuAs(2, type), machine.accuAs(1, type)]
    const isUnequalReals = operator === 'notEqual' && type === Real
    machine.setRlo(isUnequalReals ? realsDiffer(type, a, b) : binary(operator, type, a, b))
    if (machine.watched.codes) {
      const code = (number: bigint) => constant(Byte, number)
      const equal = binary('equal', type, a, b)
      const last = type === Real ? choose(Byte, equal, code(codes.zero), code(codes.unordered)) : code(codes.zero)
      machine.setCodes(
        choose(
          Byte,
          binary('less', type, a, b),
          code(codes.less),
          choose(Byte, binary('greater', type, a, b), code(codes.greater), last),
        ),
      )
    }
    if (type !== Real) machine.setOverflow(isFalse)
    else if (machine.watchesOverflow) {
      const isNumber = (value: Expression) => binary('equal', Real, value, value)
      machine.setOverflow(not(and(isNumber(a), isNumber(b))))
    }
    machine.continueLogic()
  }
}

// ── Conversion ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** BCD with a sign digit of 0 or F. A digit above 9 sets OV: help page "BTI: Convert BCD to integer (16 bit)". */
function fromBcd(digits: 3 | 7): Work {
  return (machine) => {
    const signBit = digits === 3 ? 0x8000n : 0x80000000n
    const accu = machine.keep('pattern', UDInt, convert(machine.accu(1), DWord, UDInt, 'bits'))
    const number = machine.keep('result', DInt, bcdDigits(accu, digits))
    const isNegative = binary(
      'notEqual',
      UDInt,
      binary('and', UDInt, accu, constant(UDInt, signBit)),
      constant(UDInt, 0n),
    )
    const signed = choose(DInt, isNegative, binary('subtract', DInt, constant(DInt, 0n), number), number)
    if (machine.watchesOverflow) machine.setOverflow(hasWrongDigit(accu, digits))
    if (digits === 3) machine.setLowWord(signed)
    else machine.setAccu(1, convert(signed, DInt, DWord, 'bits'))
  }
}

/** A number with more digits stays unchanged and sets OV. */
function intoBcd(digits: 3 | 7): Work {
  return (machine) => {
    const limit = constant(UDInt, 10n ** BigInt(digits))
    const value = machine.keep(
      'left',
      DInt,
      digits === 3 ? convert(machine.accuAs(1, Int), Int, DInt) : machine.accuAs(1, DInt),
    )
    const isNegative = binary('less', DInt, value, constant(DInt, 0n))
    const size = machine.keep(
      'pattern',
      UDInt,
      convert(
        choose(DInt, isNegative, binary('subtract', DInt, constant(DInt, 0n), value), value),
        DInt,
        UDInt,
        'bits',
      ),
    )
    const fits = machine.keep('fits', Bool, binary('less', UDInt, size, limit))
    if (machine.watchesOverflow) machine.setOverflow(not(fits))
    const sign = choose(UDInt, isNegative, constant(UDInt, digits === 3 ? 0xf000n : 0xf0000000n), constant(UDInt, 0n))
    const all = binary('or', UDInt, toBcdDigits(size, digits), sign)
    const old = machine.accu(1)
    const bits = convert(all, UDInt, DWord, 'bits')
    const converted =
      digits === 3 ? binary('or', DWord, binary('and', DWord, old, constant(DWord, 0xffff0000n)), bits) : bits
    machine.setAccu(1, choose(DWord, fits, converted, old))
  }
}

/** A real to an integer; a number that does not fit stays unchanged and sets OV. */
function round(mode: 'round' | 'truncate' | 'ceiling' | 'floor'): Work {
  return (machine) => {
    const value = machine.keep('result', Real, machine.accuAs(1, Real))
    const number: Expression = { kind: 'convert', from: Real, type: DInt, operand: value, mode, setsEno: false }
    const fits = machine.keep(
      'fits',
      Bool,
      and(
        binary('greaterOrEqual', Real, value, constant(Real, -2_147_483_648)),
        binary('less', Real, value, constant(Real, 2_147_483_648)),
      ),
    )
    if (machine.watchesOverflow) machine.setOverflow(not(fits))
    machine.setAccu(1, choose(DWord, fits, convert(number, DInt, DWord, 'bits'), machine.accu(1)))
  }
}

const negateInt: Work = (machine) => {
  const value = machine.keep(
    'result',
    DInt,
    binary('subtract', DInt, constant(DInt, 0n), convert(machine.accuAs(1, Int), Int, DInt)),
  )
  const narrow = convert(convert(value, DInt, Int, 'bits'), Int, DInt)
  machine.codesOf(DInt, narrow)
  if (machine.watchesOverflow) machine.setOverflow(binary('notEqual', DInt, value, narrow))
  machine.setLowWord(value)
}

const negateDint: Work = (machine) => {
  const value = machine.keep('result', DInt, binary('subtract', DInt, constant(DInt, 0n), machine.accuAs(1, DInt)))
  machine.codesOf(DInt, value)
  if (machine.watchesOverflow) machine.setOverflow(binary('equal', DInt, value, constant(DInt, -2_147_483_648n)))
  machine.setAccu(1, convert(value, DInt, DWord, 'bits'))
}

/** Reverses the bytes of the low word, or of all of ACCU 1. */
const swapWord: Work = (machine) => {
  const low = binary('rotateLeft', Word, machine.accuAs(1, Word), constant(UInt, 8n))
  machine.setLowWord(convert(low, Word, DInt))
}

const swapAll: Work = (machine) => {
  const mask = (value: Expression, bits: bigint) => binary('and', DWord, value, constant(DWord, bits))
  const turn = (count: bigint) => binary('rotateLeft', DWord, machine.accu(1), constant(UInt, count))
  machine.setAccu(1, binary('or', DWord, mask(turn(8n), 0x00ff00ffn), mask(turn(24n), 0xff00ff00n)))
}

// ── Word logic and shifts ───────────────────────────────────────────────────────────────────────────────────────────

function wordLogic(operator: 'and' | 'or' | 'xor', type: typeof Word | typeof DWord): Work {
  return (machine, operand, at) => {
    const other = operand ? accuValue(machine, operand, at) : machine.accu(2)
    if (!other) return
    const side = convert(other, DWord, type, 'bits')
    const result = machine.keep('logic', type, binary(operator, type, machine.accuAs(1, type), side))
    machine.codesOfPattern(type, result)
    if (type === Word) machine.setLowWord(convert(result, Word, DInt))
    else machine.setAccu(1, result)
  }
}

/** An integer that is written after the instruction. */
function numberOf(
  machine: StatementMachine,
  operand: ModelOperand,
  low: bigint,
  high: bigint,
  at: SourceRange,
): bigint | undefined {
  const found = lowerOperand(machine.context, operand, at)
  if (found.kind === 'wrong') return undefined
  const value = found.kind === 'constant' ? wholeNumber(found) : undefined
  if (value !== undefined && value >= low && value <= high) return value
  machine.context.report('wrong-operand', at, `A whole number from ${low} to ${high} is wanted here.`)
  return undefined
}

/** CC 1 is the last bit shifted out; a shift by 0 makes it 0 and leaves CC 0 and OV: help pages "SLW", "RLD" … */
function shift(operator: BinaryOperator, type: ScalarType): Work {
  return (machine, operand, at) => {
    const fixed = operand ? numberOf(machine, operand, 0n, BigInt(Math.min(type.bits, 32)), at) : undefined
    if (operand && fixed === undefined) return
    const lowCode = () => binary('and', Byte, machine.codes, constant(Byte, codes.less))
    if (fixed === 0n) {
      if (machine.watched.codes) machine.setCodes(lowCode())
      return
    }
    const count = machine.keep(
      'count',
      UInt,
      fixed === undefined ? convert(machine.accuAs(2, Byte), Byte, UInt) : constant(UInt, fixed),
    )
    const isNone = binary('equal', UInt, count, constant(UInt, 0n))
    const before = machine.keep('shifted', type, machine.accuAs(1, type))
    const result = binary(operator, type, before, count)
    const isLeft = operator === 'shiftLeft' || operator === 'rotateLeft'
    if (machine.watched.codes) {
      // Shift by all but one step, then read the outermost bit.
      const less = binary('subtract', UInt, count, constant(UInt, 1n))
      const almost = binary(operator, type, before, less)
      const bits = convert(almost, type, type.bits === 16 ? Word : DWord, 'bits')
      const pattern = type.bits === 16 ? Word : DWord
      const edge = isLeft ? 1n << BigInt(type.bits - 1) : 1n
      const out = binary(
        'notEqual',
        pattern,
        binary('and', pattern, bits, constant(pattern, edge)),
        constant(pattern, 0n),
      )
      const code = choose(Byte, out, constant(Byte, codes.greater), constant(Byte, codes.zero))
      machine.setCodes(choose(Byte, isNone, lowCode(), code))
    }
    if (machine.watched.overflow) machine.add(when(not(isNone), [setLocal(machine.register('OV', Bool), isFalse)]))
    if (type.bits === 16) machine.setLowWord(convert(convert(result, type, Word, 'bits'), Word, DInt))
    else machine.setAccu(1, convert(result, type, DWord, 'bits'))
  }
}

/** RLDA, RRDA: rotate by one through CC 1. */
function rotateThroughCode(isLeft: boolean): Work {
  return (machine) => {
    const carried = binary('greaterOrEqual', Byte, machine.codes, constant(Byte, codes.greater))
    const entering = convert(machine.keep('carried', Bool, carried), Bool, DWord)
    const out = binary(
      'notEqual',
      DWord,
      binary('and', DWord, machine.accu(1), constant(DWord, isLeft ? 0x80000000n : 1n)),
      constant(DWord, 0n),
    )
    machine.setCodes(choose(Byte, out, constant(Byte, codes.greater), constant(Byte, codes.zero)))
    const moved = binary(isLeft ? 'shiftLeft' : 'shiftRight', DWord, machine.accu(1), constant(UInt, 1n))
    const placed = isLeft ? entering : binary('shiftLeft', DWord, entering, constant(UInt, 31n))
    machine.setOverflow(isFalse)
    machine.setAccu(1, binary('or', DWord, moved, placed))
  }
}

/** `+ 5` on the low word, `+ L#5` on all of ACCU 1; sets no codes. */
const addConstant: Work = (machine, operand, at) => {
  if (!operand) return
  const found = lowerOperand(machine.context, operand, at)
  if (found.kind === 'wrong') return
  const value = found.kind === 'constant' ? wholeNumber(found) : undefined
  if (found.kind !== 'constant' || value === undefined) {
    machine.context.report('wrong-operand', at, '+ takes a whole number, e.g. + 5 or + L#100000.')
    return
  }
  if (found.type === DInt || value < -32_768n || value > 32_767n)
    machine.setAccu(1, binary('add', DWord, machine.accu(1), constant(DWord, BigInt.asUintN(32, value))))
  else machine.setLowWord(binary('add', DInt, convert(machine.accuAs(1, Int), Int, DInt), constant(DInt, value)))
}

/** INC, DEC: change the lowest byte. */
function step(operator: 'add' | 'subtract'): Work {
  return (machine, operand, at) => {
    const by = operand && numberOf(machine, operand, 0n, 255n, at)
    if (by === undefined) return
    const low = convert(binary(operator, Byte, machine.accuAs(1, Byte), constant(Byte, by)), Byte, DWord)
    const rest = binary('and', DWord, machine.accu(1), constant(DWord, 0xffffff00n))
    machine.setAccu(1, binary('or', DWord, rest, low))
  }
}

const comparisons: readonly (readonly [string, BinaryOperator])[] = [
  ['==', 'equal'],
  ['<>', 'notEqual'],
  ['>', 'greater'],
  ['<', 'less'],
  ['>=', 'greaterOrEqual'],
  ['<=', 'lessOrEqual'],
]
const letters: readonly (readonly [string, ScalarType])[] = [
  ['I', Int],
  ['D', DInt],
  ['R', Real],
]

/** Instructions on accumulators by international mnemonic. */
export const accumulatorWork: ReadonlyMap<string, Work> = new Map<string, Work>([
  ...comparisons.flatMap(([sign, operator]) =>
    letters.map(([letter, type]): [string, Work] => [`${sign}${letter}`, compare(operator, type)]),
  ),
  ['+I', intSum('add')],
  ['-I', intSum('subtract')],
  ['*I', intSum('multiply')],
  ['/I', divideInt],
  ['+D', dintSum('add')],
  ['-D', dintSum('subtract')],
  ['*D', dintSum('multiply')],
  ['/D', divideDint('divide')],
  ['MOD', divideDint('modulo')],
  ['+R', realOperation('add')],
  ['-R', realOperation('subtract')],
  ['*R', realOperation('multiply')],
  ['/R', realOperation('divide')],
  ['+', addConstant],
  ['INC', step('add')],
  ['DEC', step('subtract')],
  [
    'ABS',
    (machine) => machine.setReal({ kind: 'unary', operator: 'abs', type: Real, operand: machine.accuAs(1, Real) }),
  ],
  [
    'NEGR',
    (machine) => machine.setReal({ kind: 'unary', operator: 'negate', type: Real, operand: machine.accuAs(1, Real) }),
  ],
  ['SQR', realFunction((value) => binary('multiply', Real, value, value))],
  ['SQRT', realFunction((operand) => ({ kind: 'unary', operator: 'sqrt', type: Real, operand }))],
  ...['EXP', 'LN', 'SIN', 'COS', 'TAN', 'ASIN', 'ACOS', 'ATAN'].map((name): [string, Work] => [
    name,
    routine(name.toLowerCase()),
  ]),
  ['BTI', fromBcd(3)],
  ['BTD', fromBcd(7)],
  ['ITB', intoBcd(3)],
  ['DTB', intoBcd(7)],
  ['ITD', (machine) => machine.setAccu(1, convert(convert(machine.accuAs(1, Int), Int, DInt), DInt, DWord, 'bits'))],
  ['DTR', (machine) => machine.setReal(convert(machine.accuAs(1, DInt), DInt, Real))],
  ['INVI', (machine) => machine.setAccu(1, binary('xor', DWord, machine.accu(1), constant(DWord, 0xffffn)))],
  ['INVD', (machine) => machine.setAccu(1, binary('xor', DWord, machine.accu(1), constant(DWord, 0xffffffffn)))],
  ['NEGI', negateInt],
  ['NEGD', negateDint],
  ['RND', round('round')],
  ['RND+', round('ceiling')],
  ['RND-', round('floor')],
  ['TRUNC', round('truncate')],
  ['CAW', swapWord],
  ['CAD', swapAll],
  ['AW', wordLogic('and', Word)],
  ['OW', wordLogic('or', Word)],
  ['XOW', wordLogic('xor', Word)],
  ['AD', wordLogic('and', DWord)],
  ['OD', wordLogic('or', DWord)],
  ['XOD', wordLogic('xor', DWord)],
  ['SLW', shift('shiftLeft', Word)],
  ['SRW', shift('shiftRight', Word)],
  ['SLD', shift('shiftLeft', DWord)],
  ['SRD', shift('shiftRight', DWord)],
  ['SSI', shift('shiftRight', Int)],
  ['SSD', shift('shiftRight', DInt)],
  ['RLD', shift('rotateLeft', DWord)],
  ['RRD', shift('rotateRight', DWord)],
  ['RLDA', rotateThroughCode(true)],
  ['RRDA', rotateThroughCode(false)],
  [
    'TAK',
    (machine) => {
      const kept = machine.keep('kept', DWord, machine.accu(1))
      machine.setAccu(1, machine.accu(2))
      machine.setAccu(2, kept)
    },
  ],
  ['PUSH', (machine) => machine.setAccu(2, machine.accu(1))],
  ['POP', (machine) => machine.setAccu(1, machine.accu(2))],
])
