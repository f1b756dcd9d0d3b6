/**
 * S5 timers and counters as functions of SCL: `#left := S_ODT(T_NO := T5, S := #go, TV := S5T#2s)` (S7-SCL manual,
 * "Counters", "Timers"; TIA Portal help, "S_PULSE" and similar). A timer returns the remaining time as an S5Time, and
 * in BI as a number in its unit; a counter returns its count in three BCD digits, and in CV as a number. Parameters
 * that are left out have no effect.
 */

import { constant, convert, local, setLocal } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { Bool, DInt, S5Time, Word } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { Instruction } from '../instruction.ts'
import { readScalar } from '../reading.ts'
import {
  type S5Element,
  type S5TimerMode,
  s5Count,
  s5CounterReset,
  s5CounterSet,
  s5Element,
  s5Kind,
  s5State,
  s5Timer,
  s5TimerReset,
  s5Value,
} from '../s5.ts'
import type { Called } from '../values.ts'
import { type BoundCall, giveOut, instruction, nothing, valueAs, valued } from './arguments.ts'

function element(bound: BoundCall, parameter: 'T_NO' | 'C_NO'): S5Element | undefined {
  const { context, call } = bound
  const { operand, at } = bound.given(parameter)
  const kind = parameter === 'T_NO' ? 'T' : 'C'
  const type = operand.kind === 'result' || operand.kind === 'variable' ? operand.type : undefined
  if (type?.kind !== 'scalar' || s5Kind(type) !== kind) {
    const [what, example] = kind === 'T' ? ['an S5 timer', 'T5'] : ['an S5 counter', 'C5']
    const not = type ? `, not ${typeName(type)}` : ''
    context.report('wrong-operand', at, `${call.name} works on ${what}${not}.`, `E.g. ${parameter} := ${example}.`)
    return undefined
  }
  const read = readScalar(context, operand, at, type)
  if (!read) return undefined
  const { expression } = read
  const number = expression.kind === 'constant' ? Number(expression.value) : convert(expression, read.type, DInt)
  return s5Element(context, kind, number, at)
}

/** Returns a signal in a register; `undefined`: it is left out. */
function signal(bound: BoundCall, name: string): { readonly set: Statement[]; readonly value: Expression } | undefined {
  const given = bound.optional(name)
  const value = given && valueAs(bound, given, Bool)
  if (!value) return undefined
  const register = bound.context.local(Bool)
  return { set: [setLocal(register, value)], value: local(Bool, register) }
}

/** Returns the bits of the word at a parameter, which must have one of these types. */
function word(bound: BoundCall, name: string, types: readonly string[]): Expression | undefined {
  const given = bound.optional(name)
  if (!given) return constant(Word, 0n)
  const { context, call } = bound
  const own =
    given.operand.kind === 'constant' && !given.operand.type ? undefined : readScalar(context, given.operand, given.at)
  if (!own) return given.operand.kind === 'constant' ? valueAs(bound, given, Word) : undefined
  if (types.includes(own.type.name)) return convert(own.expression, own.type, Word, 'bits')
  context.report(
    'wrong-operand',
    given.at,
    `For ${name} of ${call.name} a value of type ${types.join(' or ')} is wanted, not ${own.type.name}.`,
    types.includes('S5Time') ? 'E.g. S5T#2s.' : 'E.g. C#100 or 16#100: three digits.',
  )
  return undefined
}

function output(bound: BoundCall, name: string, type: ScalarType, value: Expression): Statement[] {
  const given = bound.optional(name)
  return given ? giveOut(bound, given, type, value) : []
}

function timer(mode: S5TimerMode): Instruction {
  return instruction('T_NO ?S ?TV ?R ?>BI ?>Q', (bound): Called => {
    const { context } = bound
    const timed = element(bound, 'T_NO')
    const [start, reset] = [signal(bound, 'S'), signal(bound, 'R')]
    const time = word(bound, 'TV', ['S5Time', 'Word'])
    if (!timed || !time) return nothing
    const [digits, count, state] = [context.local(S5Time), context.local(Word), context.local(Bool)]
    const works = start ? s5Timer(context, mode, timed, start.value, time) : []
    const isOn = s5State(timed)
    const left = s5Value(context, timed)
    return valued(S5Time, local(S5Time, digits), [
      ...(start?.set ?? []),
      ...(reset?.set ?? []),
      ...works,
      ...(reset ? s5TimerReset(timed, reset.value) : []),
      ...isOn.before,
      setLocal(state, isOn.value),
      ...left.before,
      setLocal(count, left.binary),
      setLocal(digits, convert(left.bcd, Word, S5Time, 'bits')),
      ...output(bound, 'BI', Word, local(Word, count)),
      ...output(bound, 'Q', Bool, local(Bool, state)),
    ])
  })
}

function counter(directions: readonly ('up' | 'down')[]): Instruction {
  const inputs = directions.map((direction) => (direction === 'up' ? '?CU' : '?CD')).join(' ')
  return instruction(`C_NO ${inputs} ?S ?PV ?R ?>CV ?>Q`, (bound): Called => {
    const { context } = bound
    const counted = element(bound, 'C_NO')
    const counts = directions.map((direction) => ({
      direction,
      flow: signal(bound, direction === 'up' ? 'CU' : 'CD'),
    }))
    const [set, reset] = [signal(bound, 'S'), signal(bound, 'R')]
    const preset = word(bound, 'PV', ['Word'])
    if (!counted || !preset) return nothing
    const [digits, count, state] = [context.local(Word), context.local(Word), context.local(Bool)]
    const isOn = s5State(counted)
    const value = s5Value(context, counted)
    return valued(Word, local(Word, digits), [
      ...counts.flatMap(({ flow }) => flow?.set ?? []),
      ...(set?.set ?? []),
      ...(reset?.set ?? []),
      ...counts.flatMap(({ direction, flow }) => (flow ? s5Count(counted, direction, flow.value) : [])),
      ...(set ? s5CounterSet(counted, set.value, preset) : []),
      ...(reset ? s5CounterReset(counted, reset.value) : []),
      ...isOn.before,
      setLocal(state, isOn.value),
      ...value.before,
      setLocal(count, value.binary),
      setLocal(digits, value.bcd),
      ...output(bound, 'CV', Word, local(Word, count)),
      ...output(bound, 'Q', Bool, local(Bool, state)),
    ])
  })
}

export const s5Instructions: Readonly<Record<string, Instruction>> = {
  S_PULSE: timer('SP'),
  S_PEXT: timer('SE'),
  S_ODT: timer('SD'),
  S_ODTS: timer('SS'),
  S_OFFDT: timer('SF'),
  S_CU: counter(['up']),
  S_CD: counter(['down']),
  S_CUD: counter(['up', 'down']),
}
