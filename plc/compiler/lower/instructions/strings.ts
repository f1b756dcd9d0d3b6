/** Instructions on texts: LEN, CONCAT, LEFT … and S_CONV (rules: testing/text-reference.ts). */

import { address } from '../../../ir/build.ts'
import type { Expression, Place, Statement } from '../../../ir/ir.ts'
import { DInt, Int } from '../../../program/scalars.ts'
import type { StringType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { BlockContext } from '../block-context.ts'
import type { Instruction } from '../instruction.ts'
import { stringPlace, textFlags } from '../text-places.ts'
import type { Called, Operand, Value } from '../values.ts'
import {
  type BoundCall,
  effect,
  type Given,
  instruction,
  nothing,
  number,
  routine,
  valueAs,
  valued,
} from './arguments.ts'

/** A text with its place. */
export interface Text {
  readonly place: Place
  readonly isWide: boolean
  /** Its maximum length in characters. */
  readonly length: number
}

const longest = { narrow: 254, wide: 16_382 }

function isWideOperand(operand: Operand): boolean {
  if (operand.kind === 'variable' || operand.kind === 'result' || operand.kind === 'constant') {
    const { type } = operand
    return (type?.kind === 'string' && type.isWide) || (type?.kind === 'scalar' && type.name === 'WChar')
  }
  return false
}

function lengthOf(operand: Operand, isWide: boolean): number {
  if (operand.kind === 'constant') return typeof operand.value === 'string' ? operand.value.length : 1
  if (operand.kind === 'variable' && operand.type.kind === 'string' && operand.type.length >= 0)
    return operand.type.length
  return operand.kind === 'variable' && operand.type.kind === 'string' ? (isWide ? longest.wide : longest.narrow) : 1
}

/**
 * Returns the texts of some arguments: all wide when one of them is; `undefined`: one is no text, which is then
 * reported.
 */
export function textsOf(context: BlockContext, ...all: readonly Given[]): Text[] | undefined {
  const isWide = all.some(({ operand }) => isWideOperand(operand))
  const texts = all.map(({ operand, at, name }): Text | undefined => {
    const place = stringPlace(context, operand, isWide, at, `For parameter "${name}"`)
    return place && { place, isWide, length: lengthOf(operand, isWide) }
  })
  return texts.every((one) => one !== undefined) ? texts : undefined
}

/** Whether an argument is a text, or a character that can be used as one. */
export function isText({ operand }: Given): boolean {
  if (operand.kind === 'constant' && typeof operand.value === 'string') return true
  return (operand.kind === 'variable' || operand.kind === 'constant') && operand.type?.kind === 'string'
}

/** Makes an empty text in the frame, with the statement that prepares it. */
export function newText(context: BlockContext, isWide: boolean, length: number): { text: Text; prepare: Statement } {
  const room = Math.min(Math.max(length, 1), isWide ? longest.wide : longest.narrow)
  const place = context.frame({ kind: 'string', isWide, length: room })
  const prepare: Statement = {
    kind: 'routine',
    routine: 'string.clear',
    arguments: [address(place), number(room), textFlags([place, isWide])],
    setsEno: false,
  }
  return { text: { place, isWide, length: room }, prepare }
}

/** Returns the value of an instruction whose result is a text. */
export function textValue({ place, isWide, length }: Text, name: string): Value {
  const type: StringType = { kind: 'string', isWide, length }
  return {
    kind: 'variable',
    type,
    at: { kind: 'place', place },
    text: `the text that ${name} gives`,
    readOnly: 'constant',
  }
}

function flags(...texts: readonly Text[]): Expression {
  return textFlags(...texts.map((text) => [text.place, text.isWide] as const))
}

/** Makes an instruction that builds a text from one or two others and from numbers. */
function making(name: string, parameters: string, texts: readonly string[], numbers: readonly string[]): Instruction {
  return instruction(parameters, (bound) => {
    const { context } = bound
    const sources = textsOf(context, ...texts.map((one) => bound.given(one)))
    const values = numbers.map((one) => valueAs(bound, bound.given(one), DInt))
    if (!sources || !values.every((value) => value !== undefined)) return nothing
    const { isWide } = sources[0] as Text
    const length = sources.reduce((sum, one) => sum + one.length, 0)
    const { text, prepare } = newText(context, isWide, isWide ? length : longest.narrow)
    const run = effect(
      bound,
      `string.${name}`,
      address(text.place),
      ...sources.map(({ place }) => address(place)),
      ...values,
      flags(text, ...sources),
    )
    return { statements: [prepare, run], value: textValue(text, bound.call.name) }
  })
}

/** CONCAT takes two or more texts. */
const concat: Instruction = (call) => {
  const names = call.arguments.map((_one, i) => `IN${i + 1}`)
  if (names.length < 2) {
    call.context.report('missing-parameter', call.at, 'CONCAT takes two texts or more.')
    return nothing
  }
  return instruction(names.join(' '), (bound) => {
    const sources = textsOf(bound.context, ...names.map((name) => bound.given(name)))
    if (!sources) return nothing
    const { isWide } = sources[0] as Text
    const length = sources.reduce((sum, one) => sum + one.length, 0)
    const { text, prepare } = newText(bound.context, isWide, isWide ? length : longest.narrow)
    const statements = sources.map((source, i) =>
      effect(
        bound,
        i === 0 ? 'string.assign' : 'string.append',
        address(text.place),
        address(source.place),
        flags(text, source),
      ),
    )
    return { statements: [prepare, ...statements], value: textValue(text, 'CONCAT') }
  })(call)
}

function counting(name: string): Instruction {
  return instruction('IN', (bound) => {
    const [text] = textsOf(bound.context, bound.given('IN')) ?? []
    if (!text) return nothing
    // No text has more than 16382 characters; an Int converts to DInt implicitly.
    return valued(Int, routineOf(bound, name, Int, text))
  })
}

function routineOf(bound: BoundCall, name: string, type: typeof Int, ...texts: readonly Text[]): Expression {
  return routine(bound, `string.${name}`, type, ...texts.map(({ place }) => address(place)), flags(...texts))
}

const find = instruction('IN1 IN2', (bound) => {
  const texts = textsOf(bound.context, bound.given('IN1'), bound.given('IN2'))
  return texts ? valued(Int, routineOf(bound, 'find', Int, ...texts)) : nothing
})

/** S_MOVE(IN, OUT): copies a text; a text that is too long is cut and clears ENO. */
const move: Instruction = instruction('IN >OUT', (bound): Called => {
  const { operand, at } = bound.given('OUT')
  if (operand.kind !== 'variable' || operand.type.kind !== 'string' || operand.at.kind !== 'place') {
    const of = operand.kind === 'variable' ? `, not ${typeName(operand.type)}` : ''
    bound.context.report('wrong-operand', at, `S_MOVE writes to a text${of}.`)
    return nothing
  }
  const target: Text = { place: operand.at.place, isWide: operand.type.isWide, length: operand.type.length }
  const source = stringPlace(bound.context, bound.given('IN').operand, target.isWide, bound.given('IN').at, 'For IN')
  if (!source) return nothing
  const from: Text = { place: source, isWide: target.isWide, length: 0 }
  return { statements: [effect(bound, 'string.assign', address(target.place), address(source), flags(target, from))] }
})

export const stringInstructions: Readonly<Record<string, Instruction>> = {
  LEN: counting('length'),
  MAX_LEN: counting('maximum'),
  CONCAT: concat,
  LEFT: making('left', 'IN L', ['IN'], ['L']),
  RIGHT: making('right', 'IN L', ['IN'], ['L']),
  MID: making('mid', 'IN L P', ['IN'], ['L', 'P']),
  DELETE: making('delete', 'IN L P', ['IN'], ['L', 'P']),
  INSERT: making('insert', 'IN1 IN2 P', ['IN1', 'IN2'], ['P']),
  REPLACE: making('replace', 'IN1 IN2 L P', ['IN1', 'IN2'], ['L', 'P']),
  FIND: find,
  S_MOVE: move,
}
