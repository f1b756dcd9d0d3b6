/** DEMUX; SEG and BCDCPL, conversions that S7-1500 inherits from STEP 7 (TIA Portal help of each instruction). */

import { binary, constant, convert, isFalse, local, setLocal } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { DInt, DWord, UDInt, UInt, Word } from '../../../program/scalars.ts'
import { assign } from '../assignments.ts'
import type { Instruction } from '../instruction.ts'
import { bcdDigits, toBcdDigits } from '../s5.ts'
import type { Called, Operand } from '../values.ts'
import { type BoundCall, instruction, nothing, valueAs, valued } from './arguments.ts'
import { typeOfGiven } from './shared-type.ts'

/**
 * DEMUX(K, IN, OUT0, OUT1 …, OUTELSE): writes IN to the output with number K, or to OUTELSE, with ENO FALSE, when there
 * is none. In SCL IN may be a text or a Date_And_Time too (TIA help V19, "DEMUX").
 */
const demultiplex: Instruction = (call) => {
  const numbers = call.arguments.flatMap(({ name }) => /^OUT(\d{1,3})$/i.exec(name ?? '')?.[1] ?? []).map(Number)
  const outputs = Array.from({ length: Math.max(-1, ...numbers) + 1 }, (_one, i) => `?>OUT${i}`)
  const work = instruction(['K', 'IN', ...outputs, '?>OUTELSE'].join(' '), (bound): Called => {
    const { context } = bound
    const kept = keptInput(bound)
    const index = valueAs(bound, bound.given('K'), DInt)
    if (!kept || !index) return nothing
    const selector = context.local(DInt)
    const give = (name: string): Statement[] => {
      const given = bound.optional(name)
      return given ? assign(context, given.operand, kept.value, given.at, bound.given('IN').at) : []
    }
    const branches = outputs.map((_one, i) => ({
      ranges: [[BigInt(i), BigInt(i)] as const],
      body: give(`OUT${i}`),
    }))
    return {
      statements: [
        setLocal(selector, index),
        ...kept.statements,
        {
          kind: 'switch',
          selector: local(DInt, selector),
          type: DInt,
          branches,
          otherwise: [...give('OUTELSE'), ...(context.setsEno ? [{ kind: 'setEno' as const, value: isFalse }] : [])],
          site: context.site(bound.call.at),
        },
      ],
    }
  })
  return work(call)
}

/** The value at IN, a scalar in a register. A number without a type fits each output. */
function keptInput(bound: BoundCall): { readonly value: Operand; readonly statements: Statement[] } | undefined {
  const given = bound.given('IN')
  const { operand } = given
  const isWhole = operand.kind === 'variable' && /^(string|dateAndTime)$/.test(operand.type.kind)
  if (isWhole || (operand.kind === 'constant' && operand.type === undefined)) return { value: operand, statements: [] }
  const type = typeOfGiven(bound, given)
  const value = type && valueAs(bound, given, type)
  if (!type || !value) return undefined
  const register = bound.context.local(type)
  return { value: { kind: 'result', type, expression: local(type, register) }, statements: [setLocal(register, value)] }
}

/** Segments a to g of the hexadecimal digits; a is bit 0. */
const segments = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x67, 0x77, 0x7c, 0x39, 0x5e, 0x79, 0x71]

/** SEG(IN): the four digits of a Word as seven-segment patterns, a byte each. */
const sevenSegments = instruction('IN', (bound) => {
  const value = valueAs(bound, bound.given('IN'), Word)
  if (!value) return nothing
  const { context } = bound
  const word = context.local(UDInt)
  let all: Expression = constant(UDInt, 0n)
  for (let i = 3; i >= 0; i--) {
    const shifted = binary('shiftRight', UDInt, local(UDInt, word), constant(UInt, BigInt(4 * i)))
    const digit = binary('and', UDInt, shifted, constant(UDInt, 15n))
    const code = segments.reduce(
      (otherwise, pattern, value): Expression => ({
        kind: 'select',
        type: UDInt,
        condition: binary('equal', UDInt, digit, constant(UDInt, BigInt(value))),
        whenTrue: constant(UDInt, BigInt(pattern)),
        otherwise,
      }),
      constant(UDInt, 0n),
    )
    all = binary('or', UDInt, binary('shiftLeft', UDInt, all, constant(UInt, 8n)), code)
  }
  return valued(DWord, convert(all, UDInt, DWord, 'bits'), [setLocal(word, convert(value, Word, UDInt))])
})

/** BCDCPL(IN): 10 000 000 minus the seven BCD digits of IN, as BCD digits. */
const complement = instruction('IN', (bound) => {
  const value = valueAs(bound, bound.given('IN'), DWord)
  if (!value) return nothing
  const count = convert(bcdDigits(convert(value, DWord, UDInt, 'bits'), 7), DInt, UDInt, 'bits')
  const register = bound.context.local(UDInt)
  const rest = binary('subtract', UDInt, constant(UDInt, 10_000_000n), count)
  const digits = toBcdDigits(local(UDInt, register), 8)
  return valued(DWord, convert(digits, UDInt, DWord, 'bits'), [setLocal(register, rest)])
})

export const distributionInstructions: Readonly<Record<string, Instruction>> = {
  DEMUX: demultiplex,
  SEG: sevenSegments,
  BCDCPL: complement,
}
