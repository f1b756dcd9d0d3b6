/** Facts that programs read at run time and only symbols contain: data blocks by number, and paths of instances. */

import type { DataBlockSymbol, ProgramSymbols, TypeNumber } from '../program/program-symbols.ts'
import { indexText, typeText } from '../program/symbol-rows.ts'
import { typesWith } from '../program/types-with.ts'
import type { NumberedBlock } from './context.ts'
import { instanceKey } from './instance-names.ts'

/** More than the bytes of any tag. */
const beyondTags = 2 ** 32

/** Places of data blocks, by name in lower case. */
export type BlockPlaces = ReadonlyMap<string, { readonly address: number; readonly size: number }>

/** Returns data blocks by number, for PEEK, DB_ANY and TypeOf. */
export function numberedBlocks(symbols: ProgramSymbols, places: BlockPlaces): ReadonlyMap<number, NumberedBlock> {
  return new Map(
    symbols.dataBlocks.flatMap((block) => {
      const place = places.get(block.name.toLowerCase())
      const typeName = typeNameOf(symbols, block)
      const of = typeName === undefined ? {} : { typeName }
      return place ? [[block.number, { ...place, access: block.access, ...of }] as const] : []
    }),
  )
}

function typeNameOf(symbols: ProgramSymbols, { kind, type, instanceOf }: DataBlockSymbol): string | undefined {
  const own = symbols.types[type]
  return kind === 'ArrayDB' && own ? typeText(symbols, own) : instanceOf
}

/**
 * Returns the paths of the instances of these function blocks, `"Line_DB".station[2].drive`, by `instanceKey`; of PLC
 * data types the paths of their values, also in tags.
 * @param wanted function blocks or PLC data types
 * @param spelled how the name of a member is written; default: as GetInstancePath has it, without quotes
 */
export function instancePaths(
  symbols: ProgramSymbols,
  places: BlockPlaces,
  wanted: Iterable<string>,
  spelled = (name: string) => name,
): ReadonlyMap<string, string> {
  const names = new Set([...wanted].map((name) => name.toLowerCase()))
  const paths = new Map<string, string>()
  if (names.size === 0) return paths
  const { types } = symbols
  const holds = typesWith(symbols, (name) => name !== undefined && names.has(name.toLowerCase()))
  const walk = (number: TypeNumber, path: string, address: number): void => {
    const type = types[number]
    if (!type || !holds(number)) return
    if (type.kind === 'struct') {
      if (type.name !== undefined && names.has(type.name.toLowerCase()))
        paths.set(instanceKey(type.name, address), path)
      for (const member of type.members) walk(member.type, `${path}.${spelled(member.name)}`, address + member.byte)
    } else if (type.kind === 'array') {
      const count = type.dimensions.reduce((product, { low, high }) => product * Math.max(0, high - low + 1), 1)
      for (let i = 0; i < count; i++)
        walk(type.element, `${path}[${indexText(type.dimensions, i)}]`, address + i * type.stride)
    }
  }
  for (const block of symbols.dataBlocks) {
    const place = places.get(block.name.toLowerCase())
    if (!place) continue
    // The type of an instance data block may lack the name of its function block.
    const { instanceOf } = block
    if (instanceOf !== undefined && names.has(instanceOf.toLowerCase()))
      paths.set(instanceKey(instanceOf, place.address), `"${block.name}"`)
    walk(block.type, `"${block.name}"`, place.address)
  }
  // Tags may lie on each other: each has addresses of its own, which no data block has.
  for (const [i, { name, type }] of symbols.tags.entries()) walk(type, `"${name}"`, -(i + 1) * beyondTags)
  return paths
}
