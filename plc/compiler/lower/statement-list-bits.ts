/** STL: bit logic with brackets and AND before OR, edges, set and reset, S5 timers and counters. */

import { and, binary, constant, convert, isFalse, isTrue, local, not, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { digitErrorRoutine } from '../../library/routine-names.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { Bool, DWord, UDInt, Word } from '../../program/scalars.ts'
import { load, storeScalar } from './reading.ts'
import {
  hasWrongDigit,
  type S5TimerMode,
  s5Count,
  s5CounterEnable,
  s5CounterReset,
  s5CounterSet,
  s5Timer,
  s5TimerEnable,
  s5TimerKeeps,
  s5TimerReset,
  s5TimerStarts,
} from './s5.ts'
import type { SourceRange } from './source-range.ts'
import type { First, StatementMachine } from './statement-list-machine.ts'
import { bitTarget, bitValue, s5Operand, stlOperand } from './statement-list-operands.ts'

/** Lowers a statement on bits. */
type Work = (machine: StatementMachine, operand: ModelOperand | undefined, at: SourceRange) => void

type Junction = 'A' | 'O' | 'X'

function junction(mnemonic: string): { readonly kind: Junction; readonly isNegated: boolean } {
  return { kind: mnemonic[0] as Junction, isNegated: mnemonic[1] === 'N' }
}

interface Before {
  readonly rlo: Expression
  readonly or: number | undefined
  readonly first: First
  readonly firstRegister: Expression
  readonly startsAnd: boolean
}

/** The RLO combined with one more bit. */
function combined(kind: Junction, before: Before, bit: Expression): Expression {
  const { rlo, or, first, firstRegister } = before
  if (kind === 'A' && or !== undefined)
    return binary('or', Bool, local(Bool, or), before.startsAnd ? bit : and(rlo, bit))
  const together = binary(kind === 'A' ? 'and' : kind === 'O' ? 'or' : 'xor', Bool, rlo, bit)
  if (first === 'first') return bit
  if (first === 'following') return together
  return { kind: 'select', type: Bool, condition: firstRegister, whenTrue: together, otherwise: bit }
}

/** A, AN, O, ON, X, XN with an operand. */
function logic(mnemonic: string): Work {
  const { kind, isNegated } = junction(mnemonic)
  return (machine, operand, at) => {
    if (!operand) {
      beginAndGroup(machine)
      return
    }
    const value = bitValue(machine, operand, at)
    const { rlo, or, first, startsAnd } = machine
    const firstRegister = first === 'unknown' ? local(Bool, machine.firstRegister) : isTrue
    if (value)
      machine.setRlo(combined(kind, { rlo, or, first, firstRegister, startsAnd }, isNegated ? not(value) : value))
    machine.first = 'following'
    machine.startsAnd = false
    if (kind !== 'A') machine.or = undefined
  }
}

/** `O` alone: a group of ANDs follows that is ORed with the result so far. */
function beginAndGroup(machine: StatementMachine): void {
  if (machine.first === 'first') return
  const or = machine.context.local(Bool)
  const known: Expression =
    machine.first === 'following' ? machine.rlo : and(local(Bool, machine.firstRegister), machine.rlo)
  machine.add(setLocal(or, known))
  machine.or = or
  machine.startsAnd = true
  machine.first = 'following'
}

/** Brackets in brackets: help page "A(: AND logic operation with branch". */
const deepestBrackets = 7

/** `A(`: saves the result so far, and BR, until the bracket closes. */
function openBracket(mnemonic: string): Work {
  return (machine, _operand, at) => {
    const { context, or, first, startsAnd } = machine
    if (machine.brackets.length === deepestBrackets)
      context.report('unbalanced-bracket', at, `At most ${deepestBrackets} brackets are open at a time.`)
    const rlo = context.local(Bool)
    const binaryResult = context.local(Bool)
    machine.add(setLocal(rlo, machine.rlo), setLocal(binaryResult, { kind: 'eno' }))
    let firstRegister: number | undefined
    if (first === 'unknown') {
      firstRegister = context.local(Bool)
      machine.add(setLocal(firstRegister, local(Bool, machine.firstRegister)))
    }
    machine.brackets.push({ mnemonic, rlo, or, first, firstRegister, startsAnd, binaryResult, at })
    machine.endLogic()
  }
}

const closeBracket: Work = (machine, _operand, at) => {
  const bracket = machine.brackets.pop()
  if (!bracket) {
    machine.context.report('unbalanced-bracket', at, 'This bracket was not opened.', 'A( … ) belong together.')
    return
  }
  const { kind, isNegated } = junction(bracket.mnemonic)
  const { or, first, firstRegister, startsAnd, binaryResult } = bracket
  const before: Before = {
    rlo: local(Bool, bracket.rlo),
    or,
    first,
    firstRegister: firstRegister === undefined ? isTrue : local(Bool, firstRegister),
    startsAnd,
  }
  machine.setRlo(combined(kind, before, isNegated ? not(machine.rlo) : machine.rlo))
  machine.add({ kind: 'setEno', value: local(Bool, binaryResult) })
  machine.first = 'following'
  machine.startsAnd = false
  machine.or = kind === 'A' ? or : undefined
}

/** FP, FN: the RLO is TRUE once when it changes; the operand stores its last value. */
function edge(isRising: boolean): Work {
  return (machine, operand, at) => {
    const memory = operand && bitTarget(machine, operand, at)
    const was = memory && load(memory)
    if (memory && was) {
      const now = machine.keep('edge', Bool, machine.rlo)
      machine.setRlo(isRising ? and(now, not(was)) : and(not(now), was))
      machine.add(...storeScalar(machine.context, memory, now, at))
    }
    machine.continueLogic()
  }
}

const assignBit: Work = (machine, operand, at) => {
  const target = operand && bitTarget(machine, operand, at)
  if (target) machine.add(...storeScalar(machine.context, target, machine.rlo, at))
  machine.endLogic()
}

/** S and R of a bit, a timer or a counter. */
function setOrReset(isSet: boolean): Work {
  return (machine, operand, at) => {
    const { context } = machine
    const s5 = operand && s5Operand(machine, operand, at)
    if (s5 && s5.kind !== 'wrong') {
      if (s5.kind === 'T') {
        if (isSet) context.report('wrong-operand', at, 'A timer is started with SP, SE, SD, SS or SF, not with S.')
        else machine.add(...s5TimerReset(s5, machine.rlo))
      } else if (isSet) {
        const isWrong = watchDigits(machine)
        const set = s5CounterSet(s5, machine.rlo, convert(machine.accu(1), DWord, Word, 'bits'), not(isWrong))
        machine.add(...set)
      } else machine.add(...s5CounterReset(s5, machine.rlo))
    } else if (!s5) {
      const target = operand && bitTarget(machine, operand, at)
      if (target) {
        const set = when(machine.rlo, storeScalar(context, target, isSet ? isTrue : isFalse, at))
        machine.add(context.noted(set, at, isSet ? 'S' : 'R'))
      }
    }
    machine.endLogic()
  }
}

/** Reports an operand that is no timer or counter; one that does not exist at all is already reported. */
function refuse(
  machine: StatementMachine,
  operand: ModelOperand | undefined,
  s5: ReturnType<typeof s5Operand>,
  at: SourceRange,
  message: string,
): void {
  if (s5?.kind === 'wrong' || !operand) return
  if (s5 || stlOperand(machine, operand, at).kind !== 'wrong') machine.context.report('wrong-operand', at, message)
}

/**
 * OV says whether the time or count in ACCU 1 has a digit above 9: help pages "SP: Start pulse timer", "S: Set
 * counter".
 */
function watchDigits(machine: StatementMachine): Expression {
  const pattern = convert(convert(machine.accu(1), DWord, Word, 'bits'), Word, UDInt)
  const isWrong = machine.keep('wrong digit', Bool, hasWrongDigit(pattern, 3))
  machine.setOverflow(isWrong)
  return isWrong
}

function timer(mode: S5TimerMode): Work {
  return (machine, operand, at) => {
    const { context } = machine
    const s5 = operand && s5Operand(machine, operand, at)
    if (s5 && s5.kind === 'T') {
      const isWrong = watchDigits(machine)
      const works = s5Timer(context, mode, s5, machine.rlo, convert(machine.accu(1), DWord, Word, 'bits'))
      // Without a start OV tells the wrong digit; a start is a programming error (event 16#2521).
      const fault: Statement = {
        kind: 'routine',
        routine: digitErrorRoutine(context.block.name),
        arguments: [constant(UDInt, BigInt(context.site(at)))],
        setsEno: false,
      }
      const isFault = and(isWrong, s5TimerStarts(s5, machine.rlo))
      machine.add(...s5.before, when(isFault, [s5TimerKeeps(s5), fault], works))
    } else refuse(machine, operand, s5, at, `${mode} starts a timer, e.g. ${mode} %T5.`)
    machine.endLogic()
  }
}

function count(direction: 'up' | 'down'): Work {
  return (machine, operand, at) => {
    const s5 = operand && s5Operand(machine, operand, at)
    if (s5 && s5.kind === 'C') machine.add(...s5Count(s5, direction, machine.rlo))
    else refuse(machine, operand, s5, at, `${direction === 'up' ? 'CU' : 'CD'} counts with a counter, e.g. %C5.`)
    machine.endLogic()
  }
}

const enable: Work = (machine, operand, at) => {
  const s5 = operand && s5Operand(machine, operand, at)
  if (s5?.kind === 'T') machine.add(...s5TimerEnable(s5, machine.rlo))
  else if (s5?.kind === 'C') machine.add(...s5CounterEnable(s5, machine.rlo))
  else refuse(machine, operand, s5, at, 'FR frees a timer or counter, e.g. FR %T5.')
  machine.endLogic()
}

/** Instructions on bits by international mnemonic. */
export const bitWork: ReadonlyMap<string, Work> = new Map<string, Work>([
  ...['A', 'AN', 'O', 'ON', 'X', 'XN'].flatMap((name): [string, Work][] => [
    [name, logic(name)],
    [`${name}(`, openBracket(name)],
  ]),
  [')', closeBracket],
  ['FP', edge(true)],
  ['FN', edge(false)],
  ['=', assignBit],
  ['S', setOrReset(true)],
  ['R', setOrReset(false)],
  ['NOT', (machine) => machine.setRlo(not(machine.rlo))],
  [
    'SET',
    (machine) => {
      machine.setRlo(isTrue)
      machine.endLogic()
    },
  ],
  [
    'CLR',
    (machine) => {
      machine.setRlo(isFalse)
      machine.endLogic()
    },
  ],
  ['SAVE', (machine) => machine.add({ kind: 'setEno', value: machine.rlo })],
  ...(['SP', 'SE', 'SD', 'SS', 'SF'] as const).map((mode): [string, Work] => [mode, timer(mode)]),
  ['CU', count('up')],
  ['CD', count('down')],
  ['FR', enable],
])
