/** STRG_VAL, VAL_STRG, Chars_TO_Strg, Strg_TO_Chars, ATH, HTA (S7-1200 manual, "String conversion instructions"). */

import { address, convert, local, setLocal } from '../../../ir/build.ts'
import type { Expression, Place } from '../../../ir/ir.ts'
import { DInt, Int, LInt, LReal, UInt, ULInt, Word } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import type { Instruction } from '../instruction.ts'
import { readScalar, requireWritable } from '../reading.ts'
import { textFlags } from '../text-places.ts'
import type { Called } from '../values.ts'
import {
  type BoundCall,
  effect,
  type Given,
  giveOut,
  instruction,
  nothing,
  number,
  routine,
  valueAs,
  valued,
} from './arguments.ts'
import { type Region, regionOf, regionOfText, targetRegion } from './regions.ts'
import { isText, textsOf } from './strings.ts'

/** Returns a text variable for writing. */
function targetText(bound: BoundCall, { operand, at }: Given): { place: Place; isWide: boolean } | undefined {
  if (operand.kind === 'variable' && operand.type.kind === 'string' && operand.at.kind === 'place')
    return requireWritable(bound.context, operand, at)
      ? { place: operand.at.place, isWide: operand.type.isWide }
      : undefined
  const of = operand.kind === 'variable' ? `, not ${typeName(operand.type)}` : ''
  bound.context.report('wrong-operand', at, `${bound.call.name} writes to a text${of}.`)
  return undefined
}

function all(values: readonly (Expression | undefined)[]): Expression[] | undefined {
  return values.every((value) => value !== undefined) ? [...values] : undefined
}

/** STRG_VAL(IN, FORMAT, P, OUT): the number that begins at character P. */
const toValue = instruction('IN FORMAT P >OUT', (bound) => {
  const [text] = textsOf(bound.context, bound.given('IN')) ?? []
  const output = bound.given('OUT')
  const type = output.operand.kind === 'variable' ? output.operand.type : undefined
  const options = all([valueAs(bound, bound.given('FORMAT'), Word), valueAs(bound, bound.given('P'), UInt)])
  if (!text || !options) return nothing
  if (type?.kind !== 'scalar' || (type.family !== 'integer' && type.family !== 'real')) {
    bound.context.report(
      'wrong-operand',
      output.at,
      `${bound.call.name} gives a number${type ? `, not ${typeName(type)}` : ''}.`,
    )
    return nothing
  }
  const flags = textFlags([text.place, text.isWide])
  const source = address(text.place)
  const value =
    type.family === 'real'
      ? convert(routine(bound, 'text.toReal', LReal, source, ...options, number(type.bits), flags), LReal, type)
      : narrowed(
          routine(
            bound,
            'text.toInteger',
            LInt,
            source,
            ...options,
            number(type.bits),
            number(type.isSigned ? 1 : 0),
            flags,
          ),
          type,
        )
  return { statements: giveOut(bound, output, type, value) }
})

function narrowed(value: Expression, type: ScalarType): Expression {
  return convert(value, LInt, type, type.bits === 64 ? 'bits' : 'value')
}

/** VAL_STRG(IN, SIZE, PREC, FORMAT, P, OUT): replaces SIZE characters from P on. */
const fromValue = instruction('IN SIZE PREC FORMAT P =OUT', (bound) => {
  const input = bound.given('IN')
  const type =
    input.operand.kind === 'constant' && typeof input.operand.value === 'bigint' && !input.operand.type
      ? DInt
      : readScalar(bound.context, input.operand, input.at)?.type
  const value = type && valueAs(bound, input, type)
  const options = all(
    ['SIZE', 'PREC', 'FORMAT', 'P'].map((name) => valueAs(bound, bound.given(name), name === 'FORMAT' ? Word : UInt)),
  )
  const target = targetText(bound, bound.given('OUT'))
  if (!type || !value || !options || !target) return nothing
  const flags = textFlags([target.place, target.isWide])
  const to = address(target.place)
  if (type.family === 'real')
    return { statements: [effect(bound, 'text.fromReal', to, convert(value, type, LReal), ...options, flags)] }
  if (type.family === 'integer') {
    const wide = convert(value, type, type.isSigned ? LInt : ULInt)
    return {
      statements: [effect(bound, 'text.fromInteger', to, wide, number(type.isSigned ? 1 : 0), ...options, flags)],
    }
  }
  bound.context.report('wrong-operand', input.at, `${bound.call.name} takes a number, not ${typeName(type)}.`)
  return nothing
})

/** Strg_TO_Chars(Strg, pChars, Cnt, Chars): copies the characters into an array from pChars on; Cnt counts them. */
const toCharacters = instruction('Strg pChars >Cnt *Chars', (bound) => {
  const [text] = textsOf(bound.context, bound.given('STRG')) ?? []
  const skip = valueAs(bound, bound.given('PCHARS'), DInt)
  const array = bound.given('CHARS')
  const to = targetRegion(bound.context, array.operand, array.at)
  if (!text || !skip || !to) return nothing
  const count = bound.context.local(UInt)
  const flags = textFlags([text.place, text.isWide])
  const run = routine(bound, 'text.toCharacters', UInt, address(text.place), skip, flags, ...to.values)
  return {
    statements: [
      ...to.statements,
      setLocal(count, run),
      ...giveOut(bound, bound.given('CNT'), UInt, local(UInt, count)),
    ],
  }
})

/** Chars_TO_Strg(Chars, pChars, Cnt, Strg): copies Cnt characters from pChars on; 0 means all. */
const fromCharacters = instruction('Chars pChars Cnt =Strg', (bound) => {
  const array = bound.given('CHARS')
  const from = regionOf(bound.context, array.operand, array.at)
  const options = all([valueAs(bound, bound.given('PCHARS'), DInt), valueAs(bound, bound.given('CNT'), UInt)])
  const target = targetText(bound, bound.given('STRG'))
  if (!from || !options || !target) return nothing
  const flags = textFlags([target.place, target.isWide])
  const run = effect(bound, 'text.fromCharacters', address(target.place), ...options, flags, ...from.values)
  return { statements: [...from.statements, run] }
})

function status(bound: BoundCall, value: Expression, region: { readonly statements: Called['statements'] }): Called {
  const register = bound.context.local(Int)
  return valued(Word, convert(local(Int, register), Int, Word, 'bits'), [
    ...region.statements,
    setLocal(register, value),
  ])
}

/** A variable of any type, or the place of a text that is written out. */
function regionOrText(bound: BoundCall, given: Given): Region | undefined {
  if (given.operand.kind === 'variable' || !isText(given)) return regionOf(bound.context, given.operand, given.at)
  const [text] = textsOf(bound.context, given) ?? []
  return text && regionOfText(text.place, { kind: 'string', isWide: text.isWide, length: text.length })
}

/** ATH and HTA(IN, N, OUT): hexadecimal digits to a value, and back. */
function hexadecimal(name: string): Instruction {
  return instruction('IN N >OUT', (bound) => {
    const from = regionOrText(bound, bound.given('IN'))
    const count = valueAs(bound, bound.given('N'), UInt)
    const output = bound.given('OUT')
    const to = targetRegion(bound.context, output.operand, output.at)
    if (!from || !count || !to) return nothing
    const work = routine(bound, name, Int, ...from.values, count, ...to.values)
    const called = status(bound, work, { statements: [...from.statements, ...to.statements] })
    return { ...called, statements: [...called.statements, ...to.after] }
  })
}

export const numberTextInstructions: Readonly<Record<string, Instruction>> = {
  STRG_VAL: toValue,
  VAL_STRG: fromValue,
  STRG_TO_CHARS: toCharacters,
  CHARS_TO_STRG: fromCharacters,
  ATH: hexadecimal('hex.read'),
  HTA: hexadecimal('hex.write'),
}
