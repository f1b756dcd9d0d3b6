/**
 * Conversions between texts and numbers or characters: `INT_TO_STRING`, `STRING_TO_REAL`, S_CONV (S7-1200 manual,
 * tables 8-20 to 8-33).
 */

import { address, convert } from '../../../ir/build.ts'
import type { Expression } from '../../../ir/ir.ts'
import { Char, LInt, LReal, scalarNamed, ULInt, WChar } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { typeName } from '../../../program/type-name.ts'
import { assign } from '../assignments.ts'
import type { Instruction } from '../instruction.ts'
import { textFlags } from '../text-places.ts'
import type { Called } from '../values.ts'
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
import { typeOfGiven } from './shared-type.ts'
import { isText, newText, textsOf, textValue } from './strings.ts'

const textNames: Readonly<Record<string, boolean>> = { STRING: false, WSTRING: true }

/** Returns the conversion of this name when one side is a text; `undefined` when none is. */
export function textConversion(name: string): Instruction | undefined {
  if (name === 'S_CONV') return stringConvert
  const [, source, target = ''] = /^(?:([A-Z][A-Z0-9_]*?)_)?TO_([A-Z][A-Z0-9_]*)$/.exec(name) ?? []
  const isWide = textNames[target]
  if (isWide !== undefined) {
    const from = source === undefined || source in textNames ? undefined : scalarNamed(source)
    if (source !== undefined && !(source in textNames) && !from) return undefined
    return instruction('IN', (bound) => toText(bound, bound.given('IN'), isWide, from, true))
  }
  const type = scalarNamed(target)
  if (source === undefined || !(source in textNames) || !type || !isConvertible(type)) return undefined
  return instruction('IN', (bound) => fromText(bound, bound.given('IN'), type))
}

function isConvertible({ family }: ScalarType): boolean {
  return family === 'integer' || family === 'real' || family === 'character'
}

function refuse({ context, call }: BoundCall, { at }: Given, from: string, to: string): Called {
  context.report('no-conversion', at, `${call.name}: there is no conversion from ${from} to ${to}.`)
  return nothing
}

/**
 * Makes a conversion to a text.
 * @param isScl whether SCL calls the conversion by its name: then integers have a sign and no blanks
 */
function toText(
  bound: BoundCall,
  given: Given,
  isWide: boolean,
  named: ScalarType | undefined,
  isScl: boolean,
): Called {
  const { context } = bound
  const targetName = isWide ? 'WString' : 'String'
  if (named === undefined && isText(given)) {
    const [source] = textsOf(context, given) ?? []
    if (!source) return nothing
    const { text, prepare } = newText(context, isWide, isWide ? source.length : 254)
    const flags = textFlags([text.place, isWide], [source.place, source.isWide])
    const copy = effect(bound, 'string.assign', address(text.place), address(source.place), flags)
    return { statements: [prepare, copy], value: textValue(text, bound.call.name) }
  }
  const own = named ?? typeOfGiven(bound, given)
  if (!own) return nothing
  if (!isConvertible(own)) return refuse(bound, given, typeName(own), targetName)
  const value = valueAs(bound, given, own)
  if (!value) return nothing
  const { text, prepare } = newText(context, isWide, 254)
  const flags = textFlags([text.place, isWide])
  const target = address(text.place)
  const run =
    own.family === 'character'
      ? effect(bound, 'string.fromCharacter', target, value, flags)
      : own.family === 'real'
        ? effect(bound, 'string.fromReal', target, convert(value, own, LReal), number(own.bits), flags)
        : effect(
            bound,
            'string.fromInteger',
            target,
            convert(value, own, own.isSigned ? LInt : ULInt),
            number(isScl ? 0 : own.bits),
            number(own.isSigned ? 1 : 0),
            flags,
          )
  return { statements: [prepare, run], value: textValue(text, bound.call.name) }
}

function fromText(bound: BoundCall, given: Given, type: ScalarType): Called {
  const [text] = textsOf(bound.context, given) ?? []
  if (!text) return nothing
  const flags = textFlags([text.place, text.isWide])
  const source = address(text.place)
  let value: Expression
  if (type.family === 'character') {
    if (type !== (text.isWide ? WChar : Char))
      return refuse(bound, given, text.isWide ? 'WString' : 'String', typeName(type))
    value = routine(bound, 'string.toCharacter', type, source, flags)
  } else if (type.family === 'real')
    value = convert(routine(bound, 'string.toReal', LReal, source, number(type.bits), flags), LReal, type)
  else {
    const wide = routine(
      bound,
      'string.toInteger',
      LInt,
      source,
      number(type.bits),
      number(type.isSigned ? 1 : 0),
      flags,
    )
    value = type.bits === 64 ? convert(wide, LInt, type, 'bits') : convert(wide, LInt, type)
  }
  return valued(type, value)
}

/** S_CONV(IN, OUT): the types of both select the conversion. */
const stringConvert = instruction('IN >OUT', (bound) => {
  const [input, output] = [bound.given('IN'), bound.given('OUT')]
  const { operand } = output
  const type = operand.kind === 'variable' ? operand.type : undefined
  const give = ({ statements, value }: Called): Called =>
    value
      ? { statements: [...statements, ...assign(bound.context, operand, value, output.at, output.at)] }
      : { statements }
  if (type?.kind === 'string') return give(toText(bound, input, type.isWide, undefined, false))
  if (type?.kind === 'scalar' && isConvertible(type) && isText(input)) return give(fromText(bound, input, type))
  return refuse(bound, output, 'this input', type ? typeName(type) : 'this output')
})
