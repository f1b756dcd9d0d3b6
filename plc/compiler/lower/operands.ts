/**
 * Resolves names to variables: members, elements, slices, tags, data blocks, absolute addresses. The same for all
 * languages.
 */
import { nearest } from '../../../lib/nearest.ts'
import { defined } from '../../../lib/optional.ts'
import { constant, convert } from '../../ir/build.ts'
import type { Expression, Place, PlaceIndex } from '../../ir/ir.ts'
import { extentOf, layoutOf, strideOf } from '../../program/layout.ts'
import { literalOf } from '../../program/literals.ts'
import { areaFault } from '../../program/memory-areas.ts'
import { type AbsoluteAddress, blockNamed, type Program, type ProgramBlock } from '../../program/program.ts'
import { Bool, Byte, DInt, DWord, LWord, scalarNamed, Word } from '../../program/scalars.ts'
import type { ArrayType, ScalarType, Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { checkIndexRange } from './checks/index-ranges.ts'
import { isOpenArray, limitsOf } from './open-array-parameters.ts'
import { elementNumber, openElement } from './open-arrays.ts'
import { accessOf, placeOfValue } from './places.ts'
import type { SourceRange } from './source-range.ts'
import { timerUpdate } from './system-functions.ts'
import { type Index, type Operand, type Variable, wrong } from './values.ts'

/** What is written without quotes and is no name. */
const literals: readonly string[] = ['TRUE', 'FALSE']

/**
 * Returns the operand of a global name: tag, constant, data block, FB or FC.
 * @param mayBeText whether a text may be meant: hints say how it is written
 * @param mayBeLocal whether it is written without quotes, so that hints name members of the block too
 */
export function globalOperand(
  context: BlockContext,
  name: string,
  at: SourceRange,
  mayBeText = false,
  mayBeLocal = false,
): Operand {
  const { program } = context
  const key = name.toLowerCase()
  const tag = program.tags.get(key)
  if (tag) {
    const s5 = tag.address && s5Operand(tag.address)
    if (s5) return s5
    if (tag.type.kind === 'unknown') return context.leftOut()
    if (!tag.address) {
      context.report('tag-without-address', at, `"${tag.name}" has no address.`, 'Give the tag an address, e.g. %M0.0.')
      return wrong
    }
    return {
      kind: 'variable',
      type: tag.type,
      at: { kind: 'place', place: absolutePlace(tag.address) },
      text: `"${tag.name}"`,
    }
  }
  const constant = program.constants.get(key)
  if (constant) {
    const read = literalOf(constant.value)
    return 'kind' in read ? { ...read, type: constant.type, text: `"${constant.name}"` } : wrong
  }
  const block = blockNamed(program, name)
  if (block) return { kind: 'block', block, text: `"${block.name}"` }
  const names = [...program.tags.values(), ...program.constants.values(), ...program.blocks.values()].map(
    (one) => one.name,
  )
  const local = mayBeLocal ? nearest(name, context.localNames()) : undefined
  const other = nearest(name, mayBeLocal ? [...literals, ...names] : names)
  const isLiteral = mayBeLocal && literals.includes(other ?? '')
  const close = local === undefined ? other && (isLiteral ? other : `"${other}"`) : `#${local}`
  context.report(
    'undeclared',
    at,
    `"${name}" is not in the program.`,
    [
      close === undefined ? 'Declare a tag, constant or block of this name.' : `Did you mean ${close}?`,
      ...(mayBeText ? [`A text stands between single quotes: '${name}'.`] : []),
    ].join(' '),
  )
  return wrong
}

/** Returns the operand of a local name. */
export function localOperand(context: BlockContext, name: string, at: SourceRange): Operand {
  const found = context.localName(name, at)
  // A type that cannot be resolved is reported where the member is declared.
  const isUnknown = found?.kind === 'wrong' || (found?.kind === 'variable' && found.type.kind === 'unknown')
  if (isUnknown) return context.leftOut()
  if (found) return found
  const close = nearest(name, context.localNames())
  context.report(
    'undeclared',
    at,
    `#${name} is not declared in "${context.block.name}".`,
    close === undefined ? 'Declare it in the interface of the block.' : `Did you mean #${close}?`,
  )
  return wrong
}

/** Returns the type and place of the data of a data block. */
export function blockData(block: ProgramBlock): { readonly type: Type; readonly place: Place } | undefined {
  if (!block.type || !block.kind.endsWith('DB')) return undefined
  return {
    type: block.type,
    place: {
      base: { kind: 'block', block: block.name },
      offset: 0,
      indices: [],
      isStandard: block.access === 'standard',
    },
  }
}

/** Returns a variable unchanged, a data block as a variable of its type; `undefined` for any other operand. */
export function wholeVariable(operand: Operand): Variable | undefined {
  if (operand.kind === 'variable') return operand
  const data = operand.kind === 'block' ? blockData(operand.block) : undefined
  if (!data || operand.kind !== 'block') return undefined
  return { kind: 'variable', type: data.type, at: { kind: 'place', place: data.place }, text: operand.text }
}

/**
 * Returns the name of a data block of a PLC data type as a variable of that type, which is assigned and moved as a
 * whole; any other operand unchanged.
 */
export function dataOfType(operand: Operand): Operand {
  const whole = operand.kind === 'block' ? wholeVariable(operand) : undefined
  return whole?.type.kind === 'struct' && whole.type.name !== undefined ? whole : operand
}

/** Resolves `object.name`. */
export function memberOperand(context: BlockContext, object: Operand, name: string, at: SourceRange): Operand {
  if (object.kind === 'wrong') return wrong
  context.watch.members.add(name.toLowerCase())
  let type: Type
  let place: Place
  let text: string
  let readOnly: Variable['readOnly']
  // "ArrayDB".THIS is the array of the data block.
  if (object.kind === 'block' && name.toUpperCase() === 'THIS' && blockData(object.block)?.type.kind === 'array')
    return arrayOfBlock(object.block) ?? wrong
  if (object.kind === 'block') {
    const data = blockData(object.block)
    if (!data) {
      context.report(
        'no-members',
        at,
        `${object.text} is ${article(object.block.kind)} ${object.block.kind} and has no members from outside.`,
      )
      return wrong
    }
    ;({ type, place } = data)
    text = object.text
  } else if (object.kind === 'variable' && object.at.kind === 'place') {
    type = object.type
    place = object.at.place
    text = object.text
    // A structure passed as an input is often a control module with commands in it: writing a part of it is intended.
    readOnly = object.readOnly === 'in' ? undefined : object.readOnly
  } else {
    const hint = bitHint(object, name)
    context.report('no-members', at, `${textOf(object)} is no structure: it has no member "${name}".`, hint)
    return wrong
  }
  if (type.kind === 'unknown') return context.leftOut()
  if (type.kind !== 'struct' && type.kind !== 'instance') {
    const hint = bitHint(object, name)
    context.report('no-members', at, `${text} is of type ${typeName(type)}: it has no member "${name}".`, hint)
    return wrong
  }
  const { members } = type
  const index = members.findIndex((member) => member.name.toLowerCase() === name.toLowerCase())
  const member = members[index]
  if (!member) {
    const close = nearest(
      name,
      members.map((other) => other.name),
    )
    context.report(
      'unknown-member',
      at,
      `${text} has no member "${name}".`,
      close === undefined ? `Its type is ${typeName(type)}.` : `Did you mean "${close}"?`,
    )
    return wrong
  }
  if (member.type.kind === 'unknown') return context.leftOut()
  const offset = layoutOf(members, accessOf(place)).offsets[index] ?? { byte: 0 }
  const inner = moved(place, offset.byte, offset.bit)
  const whole = `${text}.${member.name}`
  if (member.section === 'InOut' && isOpenArray(member.type)) {
    context.report(
      'open-array',
      at,
      `${whole} is an Array[*]: it is known inside its block only, while a call runs.`,
      'Use the array that was passed.',
    )
    return wrong
  }
  if (member.section === 'InOut' && member.type.kind !== 'scalar') {
    const address: Expression = { kind: 'load', type: DWord, place: inner }
    const behind: Place = { base: { kind: 'pointer', address }, offset: 0, indices: [], isStandard: place.isStandard }
    return {
      kind: 'variable',
      type: member.type,
      at: { kind: 'place', place: placeOfValue(member.type, behind) },
      text: whole,
    }
  }
  const refresh = timerUpdate(type, place, member.name)
  return {
    kind: 'variable',
    type: member.type,
    at: { kind: 'place', place: placeOfValue(member.type, inner) },
    text: whole,
    ...(type.kind === 'struct' && member.type.kind === 'scalar' ? { member: { of: type, place, number: index } } : {}),
    ...defined({ refresh, readOnly }),
  }
}

/**
 * Resolves `object[i, j]`: `indices` have integer types and are already evaluated; constant indices are checked here
 * where the limits are known.
 */
export function elementOperand(
  context: BlockContext,
  object: Operand,
  indices: readonly Index[],
  at: SourceRange,
): Operand {
  if (object.kind === 'wrong') return wrong
  const array = object.kind === 'block' ? arrayOfBlock(object.block) : object
  if (array?.kind !== 'variable' || array.at.kind !== 'place' || array.type.kind !== 'array') {
    if (array?.kind === 'variable' && array.type.kind === 'string') return characterOperand(context, array, indices, at)
    const of = array?.kind === 'variable' ? `is of type ${typeName(array.type)}, not an array` : 'is no array'
    context.report('not-an-array', at, `${textOf(object)} ${of}.`)
    return wrong
  }
  const { type } = array
  const { place } = array.at
  const inner = type.dimensions.slice(indices.length)
  // With fewer indices the rest of the dimensions is meant as a whole; packed bits have no address for that.
  const isPart = inner.length > 0 && indices.length > 0 && !array.limits && !strideOf(type, accessOf(place)).isBits
  if (indices.length !== type.dimensions.length && !isPart) {
    context.report(
      'wrong-dimensions',
      at,
      `${array.text} has ${type.dimensions.length === 1 ? '1 dimension' : `${type.dimensions.length} dimensions`}, ${indices.length === 1 ? '1 index is' : `${indices.length} indices are`} given.`,
      `Its type is ${typeName(type)}.`,
    )
    return wrong
  }
  const { element: _element, partOf: _partOf, limits, stride, ...rest } = array
  const whole = indices.map(wholeIndex)
  const element = limits
    ? openElement(
        context,
        type,
        { place, stride },
        limits,
        indices.map((index, i) => ({ ...index, whole: whole[i] as Expression })),
      )
    : elementPlace(context, type, place, indices, array.text)
  if (!element) return wrong
  if (isPart) {
    const part: ArrayType = { kind: 'array', dimensions: inner, element: type.element }
    const partOf = { type: array.partOf?.type ?? type, indices: indices.length + (array.partOf?.indices ?? 0) }
    return { ...rest, type: part, at: { kind: 'place', place: element }, text: `${array.text}[…]`, partOf }
  }
  return {
    ...rest,
    type: type.element,
    at: { kind: 'place', place: placeOfValue(type.element, element) },
    text: `${array.text}[…]`,
    // Moves of several elements count in the size of the type.
    ...(stride === undefined
      ? { element: { of: type, place, number: elementNumber(limitsOf(array), whole), ...(limits ? { limits } : {}) } }
      : {}),
  }
}

/** Returns an index as a DInt. */
function wholeIndex({ expression, constant: known }: Index): Expression {
  if (known !== undefined) return constant(DInt, BigInt.asIntN(32, known))
  const own = 'type' in expression && expression.type !== 'address' ? expression.type : DInt
  return convert(expression, own, DInt)
}

export function arrayOfBlock(block: ProgramBlock): Variable | undefined {
  const data = blockData(block)
  return (
    data && { kind: 'variable', type: data.type, at: { kind: 'place', place: data.place }, text: `"${block.name}"` }
  )
}

function elementPlace(
  context: BlockContext,
  type: ArrayType,
  place: Place,
  indices: readonly Index[],
  text: string,
): Place | undefined {
  const stride = strideOf(type, accessOf(place))
  // The stride of a dimension is the product of the sizes of all inner dimensions.
  const strides = type.dimensions.map((_dimension, i) =>
    type.dimensions.slice(i + 1).reduce((size, { low = 0, high = 0 }) => size * (high - low + 1), stride.size),
  )
  let result = place
  let isRight = true
  const dynamic: PlaceIndex[] = []
  for (const [i, { expression, constant, at }] of indices.entries()) {
    const { low, high } = type.dimensions[i] ?? {}
    const step = strides[i] ?? 0
    if (low === undefined || high === undefined) {
      context.report(
        'open-array',
        at,
        `The limits of ${text} are not known here.`,
        'Array[*] is taken as a parameter only.',
      )
      return undefined
    }
    if (constant !== undefined) {
      if (constant < BigInt(low) || constant > BigInt(high)) {
        context.report('index-out-of-range', at, `Index ${constant} of ${text} is outside ${low} to ${high}.`)
        isRight = false
      } else if (stride.isBits) {
        const bits = (result.bit ?? 0) + (Number(constant) - low) * step
        result = moved(result, bits >> 3, bits & 7)
      } else result = moved(result, (Number(constant) - low) * step)
    } else {
      checkIndexRange(context, expression, [BigInt(low), BigInt(high)], text, at)
      dynamic.push({
        value: expression,
        low,
        high,
        stride: step,
        site: context.site(at),
        ...(stride.isBits ? { isBits: true } : {}),
      })
    }
  }
  if (!isRight) return undefined
  const bit = stride.isBits && result.bit === undefined ? { bit: 0 } : {}
  return { ...result, ...bit, indices: [...result.indices, ...dynamic] }
}

/** Resolves `text[3]`: a character of a string, counted from 1. */
function characterOperand(
  context: BlockContext,
  text: Variable,
  indices: readonly { readonly expression: Expression; readonly at: SourceRange }[],
  at: SourceRange,
): Operand {
  const [index] = indices
  if (text.at.kind !== 'place' || text.type.kind !== 'string' || indices.length !== 1 || !index) {
    context.report(
      'not-an-array',
      at,
      `${text.text} is of type ${typeName(text.type)}: one index counts its characters.`,
    )
    return wrong
  }
  const { isWide, length } = text.type
  const width = isWide ? 2 : 1
  const { place } = text.at
  const high = length < 0 ? (isWide ? 16_382 : 254) : length
  const character: PlaceIndex = { value: index.expression, low: 1, high, stride: width, site: context.site(index.at) }
  return {
    kind: 'variable',
    type: scalarNamed(isWide ? 'WChar' : 'Char') as ScalarType,
    at: {
      kind: 'place',
      place: { ...place, offset: place.offset + 2 * width, indices: [...place.indices, character] },
    },
    text: `${text.text}[…]`,
  }
}

/** Whether a type has unknown parts (reported where they are declared), so that its size is unknown. */
export function holdsUnknown(type: Type): boolean {
  if (type.kind === 'unknown') return true
  if (type.kind === 'array') return holdsUnknown(type.element)
  return (
    (type.kind === 'struct' || type.kind === 'instance') && type.members.some((member) => holdsUnknown(member.type))
  )
}

/** Resolves `object:P`: an input or output that bypasses the process image. */
export function peripheryOperand(context: BlockContext, object: Operand, at: SourceRange): Operand {
  if (object.kind === 'wrong') return wrong
  if (object.kind === 'variable' && object.at.kind === 'place') {
    const { base } = object.at.place
    const area = base.kind === 'area' ? (base.area === 'I' ? 'PI' : base.area === 'Q' ? 'PQ' : undefined) : undefined
    if (area) {
      const place = { ...object.at.place, base: { kind: 'area', area } as const }
      return { ...object, at: { kind: 'place', place }, text: `${object.text}:P` }
    }
  }
  context.report('no-periphery', at, `${textOf(object)} is no input or output: ":P" cannot stand behind it.`)
  return wrong
}

/** Returns the place of an absolute address. */
export function absolutePlace({ area, byte, bit }: AbsoluteAddress): Place {
  const base =
    area === 'DB' || area === 'T' || area === 'C'
      ? ({ kind: 'area', area: 'M' } as const)
      : ({ kind: 'area', area } as const)
  return { base, offset: byte, indices: [], isStandard: true, ...defined({ bit }) }
}

const bitStrings: Readonly<Record<number, ScalarType>> = { 1: Bool, 8: Byte, 16: Word, 32: DWord, 64: LWord }

/** Resolves `%MW10`, `%DB1.DBX2.3`. */
export function absoluteOperand(
  context: BlockContext,
  address: AbsoluteAddress,
  text: string,
  at: SourceRange,
): Operand {
  const s5 = s5Operand(address)
  if (s5) return s5
  const type = bitStrings[address.bits]
  if (!type) {
    context.report('unsupported-address', at, `${text} cannot be used here.`)
    return wrong
  }
  const fault = areaFault(address)
  if (fault !== undefined) {
    context.report('address-outside', at, `${text} ${fault}.`)
    return wrong
  }
  if (address.area !== 'DB')
    return { kind: 'variable', type, at: { kind: 'place', place: absolutePlace(address) }, text }
  const block = blockByNumber(context.program, address.block ?? 0)
  if (!block) {
    context.report('undeclared', at, `There is no data block DB ${address.block}.`)
    return wrong
  }
  const data = blockData(block)
  if (block.access === 'optimized' || !data) {
    context.report(
      'optimized-access',
      at,
      `"${block.name}" (DB ${block.number}) has optimized access: its data have no addresses.`,
      'Use the names of its members, or switch optimized access off.',
    )
    return wrong
  }
  const { size } = extentOf(data.type, 'standard')
  if (address.byte + Math.ceil(address.bits / 8) > size) {
    if (holdsUnknown(data.type)) return context.leftOut()
    context.report('address-outside', at, `${text} lies outside "${block.name}", which has ${size} bytes.`)
    return wrong
  }
  return { kind: 'variable', type, at: { kind: 'place', place: moved(data.place, address.byte, address.bit) }, text }
}

/** Returns an S5 timer or counter as its number, as calls pass it on; `undefined` for other addresses. */
function s5Operand({ area, byte }: AbsoluteAddress): Operand | undefined {
  const type = area === 'T' ? scalarNamed('TIMER') : area === 'C' ? scalarNamed('COUNTER') : undefined
  return type && { kind: 'result', type, expression: constant(type, BigInt(byte)) }
}

function blockByNumber({ byNumber }: Program, number: number): ProgramBlock | undefined {
  return byNumber.get(`DB ${number}`)
}

/** Returns a place `bytes` further on in the same memory. */
export function moved(place: Place, bytes: number, bit?: number): Place {
  const { bit: _bit, ...rest } = place
  return { ...rest, offset: place.offset + bytes, ...defined({ bit }) }
}

/** Returns the name of an operand for messages. */
export function textOf(operand: Operand): string {
  return operand.kind === 'wrong'
    ? 'this'
    : operand.kind === 'result'
      ? `the value of type ${operand.type.name}`
      : operand.text
}

function article(word: string): string {
  return /^[AEIO]/.test(word) ? 'an' : 'a'
}

/** `#w.3`: how the bit is written. */
function bitHint(object: Operand, name: string): string | undefined {
  const type = object.kind === 'variable' || object.kind === 'result' ? object.type : undefined
  const isNumber = type?.kind === 'scalar' && (type.family === 'bits' || type.family === 'integer')
  return isNumber && /^\d+$/.test(name) ? `Bit ${name} is written ${textOf(object)}.%X${name}.` : undefined
}
