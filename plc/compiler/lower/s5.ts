/**
 * S5 timers and counters: `T 5`, `C 10`, tags of them, and parameters of type Timer and Counter. The same for STL and
 * LAD/FBD.
 */

import {
  address,
  and,
  behind,
  binary,
  constant,
  convert,
  isTrue,
  load,
  local,
  not,
  setLocal,
  store,
  when,
} from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import {
  type S5TimerMode,
  s5CounterLayout,
  s5Counters,
  s5Remaining,
  s5TimerLayout,
  s5Timers,
} from '../../library/s5-blocks.ts'
import { systemBlockName } from '../../library/system-blocks.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { Bool, DInt, Int, LInt, UDInt, UInt, Word } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { load as loadVariable } from './reading.ts'
import type { SourceRange } from './source-range.ts'

export type { S5TimerMode } from '../../library/s5-blocks.ts'

/** A timer or counter with its computed address. */
export interface S5Element {
  readonly kind: 'T' | 'C'
  /** Statements that compute the address; they run once, before all others. */
  readonly before: readonly Statement[]
  readonly address: Expression
}

/** Returns the timer or counter of a number: a constant, or a value that is checked at run time. */
export function s5Element(
  context: BlockContext,
  kind: 'T' | 'C',
  number: number | Expression,
  at: SourceRange,
): S5Element | undefined {
  const { count, size } = kind === 'T' ? s5Timers : s5Counters
  const start: Place = { base: { kind: 'area', area: kind }, offset: 0, indices: [], isStandard: false }
  if (typeof number === 'number') {
    if (number >= count) {
      const what = kind === 'T' ? 'timers T0' : 'counters C0'
      context.report(
        'address-outside',
        at,
        `${kind}${number} does not exist: there are the ${what} to ${kind}${count - 1}.`,
      )
      return undefined
    }
    return { kind, before: [], address: address({ ...start, offset: number * size }) }
  }
  const pointer = context.local('address')
  const site = context.site(at)
  const place: Place = { ...start, indices: [{ value: number, low: 0, high: count - 1, stride: size, site }] }
  return { kind, before: [setLocal(pointer, address(place))], address: local('address', pointer) }
}

/**
 * Returns the number of the timer or counter that an operand names (its address, a tag, a parameter); `undefined` for
 * any other operand.
 */
export function s5Number(
  context: BlockContext,
  operand: ModelOperand,
): { readonly kind: 'T' | 'C'; readonly number: number | Expression } | undefined {
  if (operand.kind === 'address' && (operand.area === 'Timer' || operand.area === 'Counter'))
    return { kind: operand.area === 'Timer' ? 'T' : 'C', number: operand.bitOffset ?? 0 }
  if (operand.kind !== 'symbol' || operand.path.length !== 1) return undefined
  const name = operand.path[0]?.name ?? ''
  const localVariable = operand.scope === 'GlobalVariable' ? undefined : context.localName(name)
  if (localVariable?.kind === 'variable') {
    const { type } = localVariable
    const kind = type.kind === 'scalar' ? s5Kind(type) : undefined
    const value = loadVariable(localVariable)
    return kind && value && type.kind === 'scalar' ? { kind, number: convert(value, type, DInt) } : undefined
  }
  if (localVariable) return undefined
  const address = context.program.tags.get(name.toLowerCase())?.address
  return address?.area === 'T' || address?.area === 'C' ? { kind: address.area, number: address.byte } : undefined
}

const timerOffsets = Object.values(s5TimerLayout).map((byte) => ({ byte }))

function callTimer(instruction: string, element: S5Element, inputs: readonly Expression[]): Statement {
  const block = systemBlockName(instruction, LInt, false, timerOffsets)
  return { kind: 'call', block, arguments: [element.address, ...inputs], results: [], site: 0 }
}

const tenMilliseconds = 10_000_000n

/**
 * Starts or continues a timer.
 * @param time an S5 time as a word: unit in bits 12 and 13, three BCD digits below
 */
export function s5Timer(
  context: BlockContext,
  mode: S5TimerMode,
  element: S5Element,
  signal: Expression,
  time: Expression,
): Statement[] {
  const unit = context.local(LInt)
  const value = context.local(Word)
  const code = binary(
    'and',
    Word,
    binary('shiftRight', Word, local(Word, value), constant(UInt, 12n)),
    constant(Word, 3n),
  )
  const is = (number: bigint) => binary('equal', Word, code, constant(Word, number))
  const choose = (number: bigint, size: bigint, otherwise: Expression): Expression => ({
    kind: 'select',
    type: LInt,
    condition: is(number),
    whenTrue: constant(LInt, size),
    otherwise,
  })
  const sizes = choose(
    0n,
    tenMilliseconds,
    choose(1n, tenMilliseconds * 10n, choose(2n, tenMilliseconds * 100n, constant(LInt, tenMilliseconds * 1000n))),
  )
  const count = convert(fromBcd(local(Word, value)), DInt, LInt)
  return [
    ...element.before,
    setLocal(value, time),
    setLocal(unit, sizes),
    callTimer(`S5_${mode}`, element, [signal, binary('multiply', LInt, count, local(LInt, unit)), local(LInt, unit)]),
  ]
}

/** Whether a timer is started by a signal: it was FALSE at the last call. */
export function s5TimerStarts(element: S5Element, signal: Expression): Expression {
  return and(signal, not(load(Bool, part(element, s5TimerLayout.input))))
}

/** The signal of a timer that cannot be started. */
export function s5TimerKeeps(element: S5Element): Statement {
  return store(Bool, part(element, s5TimerLayout.input), isTrue)
}

/** R: while the signal is TRUE the timer stops at 0. */
export function s5TimerReset(element: S5Element, signal: Expression): Statement[] {
  return [...element.before, callTimer('S5_RESET', element, [signal])]
}

/** FR: a rising signal makes the timer start again without a new edge at its start input. */
export function s5TimerEnable(element: S5Element, signal: Expression): Statement[] {
  return [...element.before, callTimer('S5_ENABLE', element, [signal])]
}

function part(element: S5Element, offset: number): Place {
  return behind(element.address, false, offset)
}

/** Returns the state of a timer (`A T5`) or counter (`A C5`: not 0); `before` runs first. */
export function s5State(element: S5Element): { readonly before: readonly Statement[]; readonly value: Expression } {
  if (element.kind === 'T')
    return {
      before: [...element.before, callTimer('S5_UPDATE', element, [])],
      value: load(Bool, part(element, s5TimerLayout.output)),
    }
  const count = load(Int, part(element, s5CounterLayout.value))
  return { before: element.before, value: binary('notEqual', Int, count, constant(Int, 0n)) }
}

/**
 * Returns the value of a timer (remaining time in its unit) or counter as a number (`L`) and as a word of BCD digits
 * (`LC`), with the unit of a timer.
 */
export function s5Value(
  context: BlockContext,
  element: S5Element,
): { readonly before: readonly Statement[]; readonly binary: Expression; readonly bcd: Expression } {
  if (element.kind === 'C') {
    const count = load(Int, part(element, s5CounterLayout.value))
    return { before: element.before, binary: convert(count, Int, Word, 'bits'), bcd: toBcd(convert(count, Int, DInt)) }
  }
  const { statements, value } = s5Remaining(
    (offset) => part(element, offset),
    (type) => context.local(type),
  )
  const unit = load(LInt, part(element, s5TimerLayout.unit))
  const over = (size: bigint): Expression => convert(binary('greater', LInt, unit, constant(LInt, size)), Bool, Word)
  const code = binary(
    'add',
    Word,
    over(tenMilliseconds),
    binary('add', Word, over(tenMilliseconds * 10n), over(tenMilliseconds * 100n)),
  )
  const digits = toBcd(convert(value, LInt, DInt))
  return {
    before: [...element.before, callTimer('S5_UPDATE', element, []), ...statements],
    binary: convert(value, LInt, Word),
    bcd: binary('or', Word, binary('shiftLeft', Word, code, constant(UInt, 12n)), digits),
  }
}

/** Runs `body` once when the signal rises, with an edge memory of a counter. */
function onRise(element: S5Element, memory: number, signal: Expression, body: readonly Statement[]): Statement[] {
  const place = part(element, memory)
  return [when(and(signal, not(load(Bool, place))), body), store(Bool, place, signal)]
}

/** CU and CD: a rising signal counts by one, within 0 to 999. */
export function s5Count(element: S5Element, direction: 'up' | 'down', signal: Expression): Statement[] {
  const place = part(element, s5CounterLayout.value)
  const count = load(Int, place)
  const isUp = direction === 'up'
  const canCount = binary(isUp ? 'less' : 'greater', Int, count, constant(Int, isUp ? 999n : 0n))
  const counted = binary(isUp ? 'add' : 'subtract', Int, count, constant(Int, 1n))
  return [
    ...element.before,
    ...onRise(element, s5CounterLayout[direction], signal, [when(canCount, [store(Int, place, counted)])]),
  ]
}

/**
 * S: a rising signal sets the counter.
 * @param value a word of three BCD digits
 * @param isValid whether these are digits; otherwise the counter stays
 */
export function s5CounterSet(
  element: S5Element,
  signal: Expression,
  value: Expression,
  isValid = not(hasWrongDigit(convert(value, Word, UDInt), 3)),
): Statement[] {
  const set = store(Int, part(element, s5CounterLayout.value), convert(fromBcd(value), DInt, Int))
  return [...element.before, ...onRise(element, s5CounterLayout.set, signal, [when(isValid, [set])])]
}

/** R: while the signal is TRUE the counter is 0. */
export function s5CounterReset(element: S5Element, signal: Expression): Statement[] {
  return [...element.before, when(signal, [store(Int, part(element, s5CounterLayout.value), constant(Int, 0n))])]
}

/** FR: a rising signal clears the edge memories, so that signals that stay TRUE count and set again. */
export function s5CounterEnable(element: S5Element, signal: Expression): Statement[] {
  const { up, down, set, enable } = s5CounterLayout
  const clear = [up, down, set].map((memory) => store(Bool, part(element, memory), constant(Bool, 0n)))
  return [...element.before, ...onRise(element, enable, signal, clear)]
}

/** Returns three BCD digits of a word as a DInt. */
function fromBcd(word: Expression): Expression {
  return bcdDigits(convert(word, Word, UDInt), 3)
}

/** Returns whether one of the lowest BCD digits of a UDInt is above 9: its bit 8 and one of the bits 4 and 2. */
export function hasWrongDigit(value: Expression, digits: number): Expression {
  const moved = (by: bigint) => binary('shiftLeft', UDInt, value, constant(UInt, by))
  const eights = BigInt(`0x${'8'.repeat(digits)}`)
  const both = binary('and', UDInt, value, binary('or', UDInt, moved(1n), moved(2n)))
  return binary('notEqual', UDInt, binary('and', UDInt, both, constant(UDInt, eights)), constant(UDInt, 0n))
}

/** Returns the number in the lowest BCD digits of a UDInt, a DInt. */
export function bcdDigits(value: Expression, digits: number): Expression {
  let sum: Expression = constant(UDInt, 0n)
  for (let i = digits - 1; i >= 0; i--) {
    const shifted = i === 0 ? value : binary('shiftRight', UDInt, value, constant(UInt, BigInt(4 * i)))
    const digit = binary('and', UDInt, shifted, constant(UDInt, 15n))
    sum = i === digits - 1 ? digit : binary('add', UDInt, binary('multiply', UDInt, sum, constant(UDInt, 10n)), digit)
  }
  return convert(sum, UDInt, DInt, 'bits')
}

/** Returns a number of 0 to 999 as a word of BCD digits. */
function toBcd(value: Expression): Expression {
  return convert(toBcdDigits(convert(value, DInt, UDInt, 'bits'), 3), UDInt, Word)
}

/** Converts a UDInt to a number of BCD digits, also a UDInt. */
export function toBcdDigits(value: Expression, digits: number): Expression {
  const u = (number: bigint): Expression => constant(UDInt, number)
  let all: Expression | undefined
  for (let i = 0; i < digits; i++) {
    const rest = i === 0 ? value : binary('divide', UDInt, value, u(10n ** BigInt(i)))
    const digit = binary('modulo', UDInt, rest, u(10n))
    const placed = i === 0 ? digit : binary('shiftLeft', UDInt, digit, constant(UInt, BigInt(4 * i)))
    all = all ? binary('or', UDInt, all, placed) : placed
  }
  return all ?? u(0n)
}

/** Returns whether a type is that of a timer or counter parameter. */
export function s5Kind(type: ScalarType): 'T' | 'C' | undefined {
  return type.name === 'TIMER' ? 'T' : type.name === 'COUNTER' ? 'C' : undefined
}
