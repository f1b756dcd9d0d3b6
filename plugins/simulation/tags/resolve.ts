/** Finds a tag of a program by its name or address. */

import { defined, nearest, notFound, problem } from '../../../core/index.ts'
import { s5Counters, s5Timers } from '../../../plc/library/s5-blocks.ts'
import { readAddress } from '../../../plc/program/absolute-address.ts'
import type { SymbolType } from '../../../plc/program/program-symbols.ts'
import { scalarNamed } from '../../../plc/program/scalars.ts'
import { isRetentiveWhole } from '../../../plc/program/symbol-rows.ts'
import type { ScalarType } from '../../../plc/program/type.ts'
import type { LoadedProgram } from '../controller/contract.ts'
import { type NameStep, nameFault, parseName, pathName } from './name-path.ts'
import { elementPlace, memberPlace, type Place, rootPlace } from './place.ts'
import { indexOf, type ProgramIndex, primitiveType, scalarSize } from './program-index.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import { s5CounterCodec, s5TimerCodec } from './s5-codec.ts'
import { bitCodec, type Codec, scalarCodec } from './scalar-codec.ts'
import { roomOf } from './text-codec.ts'

/**
 * Finds a tag by its name (`Start`, `"Data".list[1,2].speed`, `T1_DB.ET`), by its address (`%IW2`, `%DB1.DBX2.3`,
 * `%EW4`, `%I0.0:P`), with a slice (`word.%X3`), or with the index of a character (`text[1]`). Case is ignored. A whole
 * structure or array is a tag too. The type of an address is `Bool`, `Byte`, `Word`, `DWord` or `LWord`, by its width.
 * @param suggests true: a fault contains the nearest name, which takes a search of all names
 * @throws GatewayError `not_found` with the nearest name; `unacceptable_content` when the name cannot be parsed, an
 *   index is out of bounds, an address does not exist, or there is no value to read
 */
export function resolveTag(program: LoadedProgram, text: string, suggests = true): ResolvedTag {
  const index = indexOf(program)
  const known = index.resolved.get(text)
  if (known) return known
  const tag = resolve(index, text, suggests)
  index.resolved.set(text, tag)
  return tag
}

function resolve(index: ProgramIndex, text: string, suggests: boolean): ResolvedTag {
  const trimmed = text.trim()
  if (trimmed.startsWith('%')) return absolute(index, trimmed, text)
  // A name may look like an address, or contain a dot that should be in quotes.
  const whole = index.root(trimmed)
  if (whole) return finish(index, rootPlace(index, whole))
  const { steps, isPeriphery } = parseName(text)
  const [first, ...rest] = steps
  const root = first?.kind === 'name' ? index.root(first.name) : undefined
  if (root) {
    let place: Place = rootPlace(index, root)
    for (const step of rest) place = stepInto(index, place, step, suggests)
    return finish(index, isPeriphery ? periphery(place, text) : place)
  }
  if (looksAbsolute(trimmed)) return absolute(index, trimmed, text)
  throw notFound('tag or data block', first?.kind === 'name' ? first.name : text, suggests ? index.rootNames() : [])
}

// ── Symbols ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function stepInto(index: ProgramIndex, place: Place, step: NameStep, suggests: boolean): Place {
  if (step.kind === 'slice') return sliceOf(index, place, step)
  const type = typeOf(index, place)
  if (step.kind === 'indices') return elementOf(index, place, type, step.indices)
  // An array data block is the array itself: "Data"."THIS"[1].
  if (place.block?.kind === 'ArrayDB' && type.kind === 'array' && step.name.toUpperCase() === 'THIS') return place
  if (type.kind !== 'struct') throw notFound('member', `${place.name}.${step.name}`)
  return memberOf(index, place, type, step.name, suggests)
}

function typeOf(index: ProgramIndex, { of }: Place): SymbolType {
  return typeof of === 'number' ? index.type(of) : { kind: 'scalar', scalar: of }
}

type Structure = Extract<SymbolType, { kind: 'struct' }>

function memberOf(index: ProgramIndex, place: Place, type: Structure, name: string, suggests: boolean): Place {
  const members = index.members(type)
  const member = members.get(name.toLowerCase())
  if (member) return memberPlace(place, type, member)
  const names = suggests ? [...members.values()].map((one) => one.name) : []
  const near = nearest(name, names)
  const suggestion = near === undefined ? undefined : `${place.name}.${pathName(near)}`
  throw problem(
    'not_found',
    `${place.name} has no member "${name}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`,
    suggestion === undefined ? {} : { suggestion },
  )
}

function elementOf(index: ProgramIndex, place: Place, type: SymbolType, indices: readonly number[]): Place {
  const name = `${place.name}[${indices.join(',')}]`
  if (type.kind === 'string') return characterOf(place, type, indices, name)
  if (type.kind !== 'array') throw unfit(name, `${place.name} is no array but ${textOf(index, place)}`)
  const { dimensions } = type
  if (indices.length !== dimensions.length) {
    const wanted = `${dimensions.length} ${dimensions.length === 1 ? 'index' : 'indices'}`
    throw unfit(name, `${place.name} is ${textOf(index, place)} and takes ${wanted}, not ${indices.length}`)
  }
  let position = 0
  for (const [d, { low, high }] of dimensions.entries()) {
    const value = indices[d] ?? low
    if (value < low || value > high) throw unfit(name, `index ${value} is outside ${low} to ${high}`)
    position = position * (high - low + 1) + (value - low)
  }
  return elementPlace(place, type, name, position)
}

const charType = scalarNamed('Char') as ScalarType
const wideCharType = scalarNamed('WChar') as ScalarType

/** The first character has the index 1, as in programs. */
function characterOf(
  place: Place,
  { string }: Extract<SymbolType, { kind: 'string' }>,
  indices: readonly number[],
  name: string,
): Place {
  const [position = 0, ...more] = indices
  if (more.length > 0) throw unfit(name, 'a character of a text has one index')
  const room = roomOf(string)
  if (position < 1 || position > room) throw unfit(name, `index ${position} is outside 1 to ${room}`)
  const byte = place.byte + (string.isWide ? 4 + 2 * (position - 1) : 2 + (position - 1))
  return { ...place, name, byte, of: string.isWide ? wideCharType : charType }
}

const sliceTypes: Readonly<Record<'X' | 'B' | 'W' | 'D', ScalarType>> = {
  X: scalarNamed('Bool') as ScalarType,
  B: scalarNamed('Byte') as ScalarType,
  W: scalarNamed('Word') as ScalarType,
  D: scalarNamed('DWord') as ScalarType,
}

/** Slices count from the lowest bits, so their place depends on the byte order. */
function sliceOf(index: ProgramIndex, place: Place, { width, number }: Extract<NameStep, { kind: 'slice' }>): Place {
  const name = `${place.name}.%${width}${number}`
  const type = typeOf(index, place)
  const isSliced = type.kind === 'scalar' && (type.scalar.family === 'bits' || type.scalar.family === 'integer')
  const part = sliceTypes[width]
  const whole = type.kind === 'scalar' ? type.scalar.bits : 0
  if (!isSliced || part.bits >= whole)
    throw unfit(name, `${place.name} of type ${textOf(index, place)} has no slices %${width}`)
  const last = whole / part.bits - 1
  if (number > last) throw unfit(name, `slice ${number} is outside 0 to ${last}`)
  const size = Math.max(1, part.bits / 8)
  const lowest = width === 'X' ? number >> 3 : number * size
  const byte = place.access === 'optimized' ? lowest : whole / 8 - size - lowest
  return {
    ...place,
    name,
    byte: place.byte + byte,
    ...(width === 'X' ? { bit: number & 7 } : {}),
    of: part,
  }
}

function periphery(place: Place, text: string): Place {
  if (place.area !== 'I' && place.area !== 'Q')
    throw nameFault(text, text.length - 2, 'only inputs and outputs have :P')
  return { ...place, name: `${place.name}:P`, area: place.area === 'I' ? 'PI' : 'PQ' }
}

function textOf(index: ProgramIndex, { of }: Place): string {
  return typeof of === 'number' ? index.typeText(of) : of.name
}

// ── Addresses ───────────────────────────────────────────────────────────────────────────────────────────────────────

const classicPeriphery = /^%?P([IQEA])([BWD])(\d{1,6})$/i

function looksAbsolute(text: string): boolean {
  return readAddress(text) !== undefined || classicPeriphery.test(text)
}

/** S5 timers and counters have a number, and a state of several bytes. */
const s5Elements = {
  T: { ...s5Timers, of: scalarNamed('TIMER') as ScalarType, codec: s5TimerCodec },
  C: { ...s5Counters, of: scalarNamed('COUNTER') as ScalarType, codec: s5CounterCodec },
} as const

const widths: ReadonlyMap<number, readonly [letter: string, type: string]> = new Map([
  [1, ['X', 'Bool']],
  [8, ['B', 'Byte']],
  [16, ['W', 'Word']],
  [32, ['D', 'DWord']],
  [64, ['L', 'LWord']],
])

function absolute(index: ProgramIndex, text: string, whole: string): ResolvedTag {
  const classic = classicPeriphery.exec(text)
  const read = readAddress(classic ? `${classic[1]}${classic[2]}${classic[3]}:P` : text)
  if (!read)
    throw nameFault(whole, 0, 'no address has this form; %I0.0, %IW2, %QD4, %MB3, %DB1.DBX2.3 and %DB1.DBW4 do')
  const { area, byte, bits, bit } = read
  if (area === 'T' || area === 'C') {
    const { count, of } = s5Elements[area]
    if (byte >= count) throw unfit(text, `there are ${area}0 to ${area}${count - 1}`)
    const name = `%${area}${byte}`
    return finish(index, { name, area, byte, access: 'optimized', isRetentive: false, comment: '', of })
  }
  const of = scalarNamed(widths.get(bits)?.[1] ?? 'Byte') as ScalarType
  const block = area === 'DB' ? index.blockNumbered(read.block ?? 0) : undefined
  if (area === 'DB' && !block)
    throw notFound(
      'data block',
      `DB${read.block}`,
      index.blocks.map(({ number }) => `DB${number}`),
    )
  if (block?.access === 'optimized')
    throw unfit(text, `"${block.name}" has optimized access: its members have names, but no addresses`)
  const size = block?.size ?? (area === 'DB' ? 0 : index.linked.areas[area].size)
  const bytes = scalarSize(of)
  if (byte + bytes > size) {
    const owner = block ? `"${block.name}"` : `The area ${area}`
    throw unfit(text, `${owner} has ${size} bytes, the address ends at byte ${byte + bytes}`)
  }
  const place = { area, byte, ...defined({ bit }), ...(block ? { block } : {}), of }
  const name = addressText(place) ?? text
  return finish(index, {
    ...place,
    name,
    access: 'standard',
    isRetentive: block !== undefined && isRetentiveWhole(block),
    comment: '',
  })
}

/** Returns `%MW2` or `%DB1.DBX2.3`; `undefined` when there is no address. */
export function addressText({
  area,
  block,
  byte,
  bit,
  of,
}: Pick<Place, 'area' | 'block' | 'byte' | 'bit'> & { readonly of: ScalarType | undefined }): string | undefined {
  if (block && block.access === 'optimized') return undefined
  if (area === 'T' || area === 'C') return `%${area}${byte}`
  // A value larger than a register is shown by its first address, as in TIA Portal.
  const letter = of ? widths.get(bit === undefined && of.bits === 1 ? 8 : of.bits)?.[0] : 'X'
  if (letter === undefined) return undefined
  const tail = letter === 'X' ? `${byte}.${bit ?? 0}` : `${byte}`
  if (block) return `%DB${block.number}.DB${letter}${tail}`
  const isDirect = area === 'PI' || area === 'PQ'
  return `%${isDirect ? area[1] : area}${letter === 'X' ? '' : letter}${tail}${isDirect ? ':P' : ''}`
}

// ── Result ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function finish(index: ProgramIndex, place: Place): ResolvedTag {
  const { name, area, block, byte, bit, access, isRetentive, comment, of } = place
  const type = typeOf(index, place)
  const dataType = area === 'T' ? 'Timer' : area === 'C' ? 'Counter' : textOf(index, place)
  if (type.kind === 'opaque') throw noValue(name, dataType)
  const codec = codecAt(index, place)
  const scalar = type.kind === 'scalar' ? type.scalar : undefined
  const { address, writeAddress } = addresses(index, place)
  const s5 = area === 'T' || area === 'C' ? s5Elements[area] : undefined
  const size = s5 ? s5.size : typeof of === 'number' ? index.size(of) : scalarSize(of)
  const shownAddress = addressText({
    area,
    byte,
    of: scalar,
    ...(block ? { block } : {}),
    ...defined({ bit }),
  })
  return {
    name,
    type,
    dataType,
    primitiveType: primitiveType(type),
    area,
    ...(block ? { block: block.name } : {}),
    access,
    byte,
    address,
    writeAddress,
    ...defined({ bit }),
    size,
    ...defined({ addressText: shownAddress }),
    comment,
    isRetentive,
    codec,
  }
}

function codecAt(index: ProgramIndex, { area, of, access, bit }: Place): Codec {
  if (area === 'T' || area === 'C') return s5Elements[area].codec
  if (typeof of === 'number') return index.codec(of, access, bit !== undefined)
  return bit === undefined ? scalarCodec(of, access) : bitCodec
}

function addresses(index: ProgramIndex, { area, block, byte }: Place): { address: number; writeAddress: number } {
  const { areas, dataBlocks } = index.linked
  if (area === 'DB') {
    const address = (dataBlocks.get((block?.name ?? '').toLowerCase())?.address ?? 0) + byte
    return { address, writeAddress: address }
  }
  if (area === 'T' || area === 'C') {
    const address = areas[area].address + byte * s5Elements[area].size
    return { address, writeAddress: address }
  }
  return { address: areas[area].address + byte, writeAddress: (area === 'I' ? areas.PI : areas[area]).address + byte }
}

function noValue(name: string, what: string) {
  return unfit(name, `${what} has no value that can be read or written`)
}

function unfit(name: string, message: string) {
  return problem('unacceptable_content', `${name}: ${message}.`, { errors: [{ path: name, message }] })
}
