/** Assignments `target := value` for all types: scalars, texts, references, pointers, structures as a whole. */

import { when } from '../../ir/build.ts'
import type { Place, Statement } from '../../ir/ir.ts'
import { Bool, UDInt } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { storePointer } from './instructions/regions.ts'
import { momentPlace } from './moments.ts'
import { isOpenArray } from './open-array-parameters.ts'
import { dataOfType, textOf } from './operands.ts'
import {
  conversionHint,
  fewerIndices,
  mismatch,
  readAs,
  requireWritable,
  storeScalar,
  unassignableBlock,
} from './reading.ts'
import { assignReference } from './references.ts'
import type { SourceRange } from './source-range.ts'
import { stringPlace, textFlags } from './text-places.ts'
import { type BlockName, isAssignable, type Operand, sameType, type Variable } from './values.ts'

/** Lowers `target := value` for any types; a data block of a PLC data type is a variable of that type. */
export function assign(
  context: BlockContext,
  to: Operand,
  from: Operand,
  at: SourceRange,
  valueAt: SourceRange,
): Statement[] {
  const target = dataOfType(to)
  // For a number the name of a data block is its number.
  const value = target.kind === 'variable' && target.type.kind === 'scalar' ? from : dataOfType(from)
  if (value.kind === 'result' && value.isGiven) {
    const { isGiven, ...plain } = value
    const statements = assign(context, target, plain, at, valueAt)
    return statements.length === 0 ? [] : [when(isGiven, statements)]
  }
  if (target.kind === 'result' && target.expression.kind === 'eno') {
    const eno = readAs(context, value, Bool, valueAt, 'For ENO')
    return eno ? [{ kind: 'setEno', value: eno }] : []
  }
  if (!requireWritable(context, target, at) || value.kind === 'wrong') return []
  const { type } = target
  if (type.kind === 'scalar') {
    const expression = readAs(context, value, type, valueAt, `For ${target.text}`)
    return expression ? storeScalar(context, target, expression, at) : []
  }
  if (type.kind === 'unknown' || target.at.kind !== 'place') return []
  const isValue =
    value.kind === 'constant' || value.kind === 'result' || (value.kind === 'variable' && value.type.kind === 'scalar')
  if (target.partOf && isValue) {
    fewerIndices(context, target, target.partOf, at)
    return []
  }
  if (type.kind === 'reference') return assignReference(context, target, value, at, valueAt)
  if (type.kind === 'string') return assignString(context, target, value, target.at.place, valueAt)
  // An Any or Pointer copies its bytes to the target; any other value makes the target point to it.
  if (type.kind === 'pointer' && type.form !== 'Variant')
    return [...storePointer(context, target.at.place, type.form, value, valueAt)]
  if (value.kind === 'variable' && value.at.kind === 'place') {
    const isGivenVariant = value.type.kind === 'pointer' && value.readOnly === 'constant'
    // A Variant as a value comes only from instructions; a Variant of the program is passed on and not copied.
    if (isGivenVariant && sameType(type, value.type)) return copyVariant(value.at.place, target.at.place)
    if (type.kind === 'pointer') return pointsOnly(context, target, at)
    const open = [target, value].find((one) => isOpenArray(one.type))
    if (open && open.kind === 'variable') {
      context.report(
        'open-array',
        valueAt,
        `${open.text} is an Array[*]: it cannot be copied as a whole, its size is not known.`,
        'Copy its elements in a loop from LOWER_BOUND to UPPER_BOUND.',
      )
      return []
    }
    if (isAssignable(type, value.type) && copyable(type)) {
      return [{ kind: 'copy', type, from: value.at.place, to: target.at.place, site: context.site(at) }]
    }
    mismatch(context, value.type, type, value.text, valueAt, `For ${target.text}`)
    return []
  }
  if (type.kind === 'pointer') return pointsOnly(context, target, at)
  const moment = momentPlace(value, type)
  if (moment) return [{ kind: 'copy', type, from: moment, to: target.at.place, site: context.site(at) }]
  const own = value.kind === 'constant' || value.kind === 'result' ? value.type : undefined
  if (value.kind === 'block') return refuseBlock(context, value, valueAt)
  context.report(
    'type-mismatch',
    valueAt,
    `For ${target.text} a value of type ${typeName(type)} is wanted, not ${textOf(value)}.`,
    own && conversionHint(own, type, textOf(value)),
  )
  return []
}

/** Data blocks that are not of a PLC data type have no type that a variable could have. */
function refuseBlock(context: BlockContext, block: BlockName, at: SourceRange): Statement[] {
  const { message, hint } = unassignableBlock(block)
  context.report('type-mismatch', at, message, hint)
  return []
}

/** A Variant of the program points to what the call gives, and to nothing else. */
function pointsOnly(context: BlockContext, { text }: Variable, at: SourceRange): Statement[] {
  context.report(
    'not-assignable',
    at,
    `${text} is a Variant: it points to what the caller gives, and nothing can be assigned to it.`,
    `Write to what it points to with VariantPut(SRC := …, DST := ${text}).`,
  )
  return []
}

/** Copies the four words of a Variant, which is little-endian in either layout. */
function copyVariant(from: Place, to: Place): Statement[] {
  const at = (place: Place, offset: number): Place => ({ ...place, offset: place.offset + offset, isStandard: false })
  return [0, 4, 8, 12].map((offset) => ({
    kind: 'store',
    place: at(to, offset),
    type: UDInt,
    value: { kind: 'load', type: UDInt, place: at(from, offset) },
    site: 0,
  }))
}

function copyable(type: Type): boolean {
  return type.kind !== 'void'
}

/** Assigns a text and cuts it to the length of its target. */
function assignString(
  context: BlockContext,
  target: Variable,
  value: Operand,
  place: Place,
  valueAt: SourceRange,
): Statement[] {
  const { isWide, length } = target.type as Extract<Type, { kind: 'string' }>
  const source = stringPlace(context, value, isWide, valueAt, `For ${target.text}`)
  if (!source) return []
  const text = value.kind === 'constant' && typeof value.value === 'string' ? [...value.value].length : 0
  if (length >= 0 && text > length)
    context.report(
      'text-cut',
      valueAt,
      `The text has ${text} characters, ${target.text} takes ${length}: the rest is cut off.`,
      `Declare it longer: ${isWide ? 'WString' : 'String'}[${text}].`,
      'warning',
    )
  return [
    {
      kind: 'routine',
      routine: 'string.assign',
      arguments: [
        { kind: 'address', place },
        { kind: 'address', place: source },
        textFlags([place, isWide], [source, isWide]),
      ],
      setsEno: context.setsEno,
    },
  ]
}
