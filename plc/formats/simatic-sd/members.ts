/**
 * Members of an interface: converts attributes of SIMATIC SD to those of SimaticML and back, and places start values
 * that are assigned after the sections.
 */

import { defined } from '../../../lib/optional.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { isBuiltInType } from '../../model/names.ts'
import type { MemberAttribute, SectionName } from '../../model/object.ts'
import { systemTypeVersion } from '../../model/system-type-version.ts'
import type { MutableMember } from '../source/declarations.ts'
import { listedElements } from '../source/initial-values.ts'
import { placeOf, setElement, setValue, type ValueStep } from '../source/value-place.ts'
import { typeFromSd } from './names.ts'
import { elementType, type ProgramAround, valueTypes } from './program.ts'

/**
 * What a member hides from outside. SimaticML writes only a member's own attributes, SIMATIC SD the outcome: members of
 * a structure that cannot be written are marked themselves (seen in every pair of the same data block in both forms).
 */
export interface Exposure {
  readonly isReadOnly: boolean
  readonly isHidden: boolean
}

export const exposed: Exposure = { isReadOnly: false, isHidden: false }

/** Sections whose members can be set points. */
function hasSetPoints(section: SectionName): boolean {
  return section === 'Static' || section === 'None'
}

/**
 * Structured members are set points unless `S7_Setpoint := "False"` is given; simple ones only when it is "True". (One
 * pair of files differs: TIA Portal leaves the attribute out for instances in a block written in SCL.)
 */
export function isSetPointByDefault(dataType: string, section: SectionName): boolean {
  const type = elementType(dataType)
  return hasSetPoints(section) && !isBuiltInType(type.replace(/\[.*\]$/, '')) && !/^Struct$/i.test(type)
}

export interface MemberContext {
  readonly section: SectionName
  /** Looks up the text of an id, for the member of that dotted path. */
  readonly text: (id: string, path: string) => MultilingualText
  readonly warn: (message: string) => void
}

/**
 * Makes a declared member, applying its attributes.
 * @param around data types of what it is in, from outside to inside
 */
export function memberFromSd(
  member: MutableMember,
  outer: Exposure,
  context: MemberContext,
  path = member.name,
  around: readonly string[] = [],
): MutableMember {
  const attributes: MemberAttribute[] = []
  let { comment } = member
  let isReadOnly = false
  let isHidden = false
  let setPoint: boolean | undefined
  for (const attribute of member.attributes) {
    const { name, value } = attribute
    switch (name.toUpperCase()) {
      case 'S7_MLC': {
        const text = context.text(value, path)
        if (Object.keys(text).length > 0) comment = text
        break
      }
      case 'S7_ACCESS':
        if (/^ReadOnly\s*:=\s*External$/i.test(value.trim())) isReadOnly = true
        else context.warn(`${path}: S7_Access "${value}" is not known and was left out`)
        break
      case 'S7_VISIBILITY':
        if (/^Hidden\s*:=\s*External$/i.test(value.trim())) isHidden = true
        else context.warn(`${path}: S7_Visibility "${value}" is not known and was left out`)
        break
      case 'S7_SETPOINT':
      case 'SETPOINT':
        setPoint = /^true$/i.test(value)
        break
      default:
        if (/^S7_/i.test(name)) context.warn(`${path}: the attribute ${name} is not known and was left out`)
        else attributes.push(attribute)
    }
  }
  const own: MemberAttribute[] = []
  const hide = (name: string): number => own.push({ name, type: 'Boolean', value: 'false', systemDefined: true })
  const inner: Exposure = { isReadOnly: isReadOnly || outer.isReadOnly, isHidden: isHidden || outer.isHidden }
  if (inner.isReadOnly && inner.isHidden && !(outer.isReadOnly && outer.isHidden)) hide('ExternalAccessible')
  if (inner.isHidden && !outer.isHidden) hide('ExternalVisible')
  if (inner.isReadOnly && !outer.isReadOnly) hide('ExternalWritable')
  const dataType = typeFromSd(member.dataType)
  if (setPoint ?? isSetPointByDefault(dataType, context.section))
    own.push({ name: 'SetPoint', type: 'Boolean', value: 'true', systemDefined: true })
  const version = member.version ?? systemTypeVersion(dataType)
  const { startValue: declared, ...rest } = member
  // SimaticML has a value for every element of an array, and none for the whole array.
  const listed = listedElements({ dataType, ...defined({ startValue: declared }) }, around)
  const startValue = listed === undefined ? declared : undefined
  return {
    ...rest,
    dataType,
    ...defined({ version }),
    ...(startValue === undefined ? {} : valueFromSd(startValue)),
    ...defined({ subelements: listed }),
    comment,
    attributes: [...own, ...attributes],
    members: member.members.map((part) =>
      memberFromSd(part, inner, context, `${path}.${part.name}`, [...around, dataType]),
    ),
  }
}

/** `_.MAX` and `#MAX` name a constant. */
function valueFromSd(value: string): { startValue: string; startValueConstant?: string } {
  const name = /^(?:_\.|#)("[^"]*"|[\p{L}\p{N}_]+)$/u.exec(value.trim())?.[1]
  if (name === undefined) return { startValue: value }
  return {
    startValue: value.startsWith('_') ? `"${name.replaceAll('"', '')}"` : value,
    startValueConstant: name.replaceAll('"', ''),
  }
}

/** Sets the value or comment of an element, or of a member of a named type. Returns what is wrong, or `undefined`. */
export function placeValue(
  members: MutableMember[],
  steps: readonly ValueStep[],
  value: string | undefined,
  comment: MultilingualText,
  program: ProgramAround,
): string | undefined {
  const place = placeOf(members, steps, valueTypes(program))
  if (typeof place === 'string') return place
  const { member, path } = place
  const hasComment = Object.keys(comment).length > 0
  if (path !== undefined) {
    if (value !== undefined) setValue(place, value)
    if (value === undefined || hasComment) setElement(member, { path, ...(hasComment ? { comment } : {}) })
    return undefined
  }
  if (value !== undefined) {
    const { startValue, ...constant } = valueFromSd(value)
    setValue(place, startValue)
    Object.assign(member, constant)
  }
  if (hasComment) member.comment = comment
  return undefined
}
