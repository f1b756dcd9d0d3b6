/** A member that gets another data type: what of it stays, and its start value as the new type writes it. */

import { counted } from '../../lib/counted.ts'
import { defined } from '../../lib/optional.ts'
import { parseDataType } from '../formats/source/declarations.ts'
import { arrayLimits, spreadArrayValue } from '../formats/source/initial-values.ts'
import { type DataType, parseElementaryType } from '../model/data-type.ts'
import { fitsReal, parseNumber, parseTyped } from '../model/literal.ts'
import type { InterfaceMember, InterfaceSection, Subelement } from '../model/object.ts'

/** Attributes that belong to the data type or to the place in memory. */
const typeAttributes = new Set(['At', 'InstructionName', 'LibVersion', 'Offset', 'PaddedSize', 'Address'])

/**
 * The member under another data type. It keeps comment, attributes, remanence, and its values where the new type can
 * hold them; `lostValues` lists those that it cannot.
 */
export function retyped(before: InterfaceMember, given: string): InterfaceMember {
  const dataType = parseDataType(given)
  if (dataType === undefined || dataType === before.dataType) return before
  const { name, comment, attributes, remanence, accessibility, startValue, startValueConstant, subelements } = before
  const value = startValue === undefined ? undefined : convertedStart(startValue, before.dataType, dataType)
  const elements = (subelements ?? []).flatMap((element) => convertedElement(element, before.dataType, dataType))
  return {
    name,
    dataType,
    comment,
    attributes: attributes.filter((attribute) => attribute.informative !== true && !typeAttributes.has(attribute.name)),
    ...defined({ remanence, accessibility, startValue: value }),
    ...(value === undefined || startValueConstant === undefined ? {} : { startValueConstant }),
    ...(elements.length === 0 ? {} : { subelements: elements }),
    members: [],
  }
}

/** What members with another data type have lost of their values and members, one sentence for each. */
export function lostValues(before: readonly InterfaceSection[], after: readonly InterfaceSection[]): string[] {
  const losses: string[] = []
  for (const { section, members } of before) {
    const others = after.filter((one) => one.section === section).flatMap((one) => one.members)
    compare(members, others, '', losses)
  }
  return losses
}

function compare(
  before: readonly InterfaceMember[],
  after: readonly InterfaceMember[],
  outer: string,
  losses: string[],
): void {
  const byName = new Map(after.map((member) => [member.name.toUpperCase(), member]))
  for (const member of before) {
    const now = byName.get(member.name.toUpperCase())
    if (now === undefined) continue
    const place = `${outer}${member.name}`
    if (now.dataType === member.dataType) {
      compare(member.members, now.members, `${place}.`, losses)
      continue
    }
    const change = `with the data type ${now.dataType} instead of ${member.dataType || 'none'}`
    if (member.startValue !== undefined && member.startValue !== '' && now.startValue === undefined)
      losses.push(`${place}: its start value ${member.startValue} is lost ${change}`)
    const kept = new Map(now.subelements?.map(({ path, startValue }) => [path, startValue]))
    const lost = member.subelements?.filter(
      ({ path, startValue }) => startValue !== undefined && kept.get(path) === undefined,
    )
    if (lost !== undefined && lost.length > 0)
      losses.push(`${place}: start values of ${counted(lost.length, 'element')} are lost ${change}`)
    if (member.members.length > 0 && now.members.length === 0)
      losses.push(`${place}: its ${counted(member.members.length, 'member is', 'members are')} lost ${change}`)
  }
}

function elementOf(dataType: string): string {
  return dataType.replace(/^Array\[[^\]]*\] of /i, '')
}

function convertedStart(value: string, from: string, to: string): string | undefined {
  if (!value.startsWith('[')) return convertedValue(value, from, to)
  const elements = spreadArrayValue(from, value)?.map((element) => convertedElement(element, from, to))
  if (elements === undefined || elements.some((list) => list.length === 0)) return undefined
  if (spreadArrayValue(to, value)?.length !== elements.length) return undefined
  return `[${elements.map(([element]) => element?.startValue).join(', ')}]`
}

/** The value of an element, when the new type has this element and can hold it. */
function convertedElement(element: Subelement, from: string, to: string): Subelement[] {
  const limits = arrayLimits(to)
  const indices = element.path.split(',').map(Number)
  const isThere =
    limits !== undefined &&
    limits.length === indices.length &&
    limits.every(([low, high], at) => (indices[at] as number) >= low && (indices[at] as number) <= high)
  if (!isThere) return []
  const { startValue, ...rest } = element
  const value = startValue === undefined ? undefined : convertedValue(startValue, elementOf(from), elementOf(to))
  if (value === undefined && rest.comment === undefined) return []
  return [{ ...rest, ...defined({ startValue: value }) }]
}

/**
 * A start value as the other type writes it; `undefined` when that cannot hold exactly this value, or one of the types
 * is not elementary. Names of constants stay: what they are is known to the compiler.
 */
export function convertedValue(value: string, from: string, to: string): string | undefined {
  if (from === to || /^["#_]/.test(value)) return value
  const was = parseElementaryType(from === '' ? typeOfValue(value) : from)
  const is = parseElementaryType(to)
  if (was === undefined || is === undefined) return undefined
  const number = numberOf(value, was)
  if (number !== undefined) return numberAs(number, value, is)
  if (was.family === 'duration' && is.family === 'duration') return retagged(value, is, ['T', 'LT', 'S5T'])
  const isText = (type: DataType) => type.family === 'string' || type.family === 'character'
  return isText(was) && isText(is) ? textAs(value, is) : undefined
}

/** The widest type of a value whose constant is declared without a type. */
function typeOfValue(value: string): string {
  const prefix = /^([a-z]\w*)#/i.exec(value)?.[1]
  if (/^(?:w?(?:string|char)#)?'/i.test(value)) return 'WString'
  if (/^(?:L?T|L?TIME|S5T|S5TIME)#/i.test(value)) return 'LTime'
  return prefix ?? 'LReal'
}

const truths: Readonly<Record<string, bigint>> = { TRUE: 1n, FALSE: 0n }

function numberOf(value: string, type: DataType): bigint | number | undefined {
  if (!/^(bool|bits|integer|real)$/.test(type.family)) return undefined
  const truth = truths[value.toUpperCase()]
  if (truth !== undefined) return truth
  const typed = /^([a-z]\w*)#(.*)$/i.exec(value)
  const isNegative = value.startsWith('-')
  const read = typed ? parseTyped(typed[1] as string, typed[2] as string) : parseNumber(value.replace(/^[+-]/, ''))
  if (!('kind' in read) || !('value' in read)) return undefined
  const found = read.value
  if (typeof found !== 'bigint' && typeof found !== 'number') return undefined
  return isNegative ? -found : found
}

function numberAs(number: bigint | number, value: string, type: DataType): string | undefined {
  if (typeof number === 'number' && type.family === 'real') return fitsReal(number, type) ? value : undefined
  if (typeof number === 'number' && !Number.isInteger(number)) return undefined
  const whole = BigInt(number)
  // A text such as 16#FF stays when it needs no prefix of a type.
  const text = /^(\d[\d_]*|(2|8|16)#[\da-f_]+)$/i.test(value) ? value : String(whole)
  switch (type.family) {
    case 'bool':
      return whole === 1n ? 'TRUE' : whole === 0n ? 'FALSE' : undefined
    case 'integer':
    case 'bits': {
      const [least, most] = type.range as readonly [bigint, bigint]
      return whole >= least && whole <= most ? text : undefined
    }
    case 'real':
      return BigInt(type.bits === 32 ? Math.fround(Number(whole)) : Number(whole)) === whole ? `${whole}.0` : undefined
    default:
      return undefined
  }
}

/** A duration under the prefix of another type, if that can hold it. */
function retagged(value: string, type: DataType, prefixes: readonly string[]): string | undefined {
  const body = /^[a-z]\w*#(.*)$/i.exec(value)?.[1]
  const prefix = prefixes[['Time', 'LTime', 'S5Time'].indexOf(type.name)]
  if (body === undefined || prefix === undefined) return undefined
  const read = parseTyped(prefix, body)
  return 'kind' in read ? `${prefix}#${body}` : undefined
}

function textAs(value: string, type: DataType): string | undefined {
  const text = /^(?:[a-z]\w*#)?('(?:.*)')$/is.exec(value)?.[1]
  if (text === undefined) return undefined
  const length = text.slice(1, -1).replace(/\$(\$|'|[0-9a-f]{2}|.)/gi, '.').length
  const most = type.family === 'character' ? 1 : (type.length ?? 254)
  if (length > most || (type.family === 'character' && length !== 1)) return undefined
  return type.bits === 16 ? `${type.name.startsWith('WChar') ? 'WCHAR' : 'WSTRING'}#${text}` : text
}
