/** The wire form of cross-references (docs/design.md#field-names): the users of a name, and the uses of an object. */

import { defined } from '../../../core/index.ts'
import type { UsePlace } from '../../../plc/uses/use.ts'
import type { ProgramObject, ProgramSymbol } from './contributor.ts'
import type { Program, Reference } from './program.ts'

export interface ReferenceLocation {
  /** `Network 3, line 5`, `Interface: Static.motor`, `Row: "Start"`. */
  readonly referenceLocation: string
  /** `UsedBy`: the reference object uses the source; `Uses`: the source uses it. */
  readonly referenceType: 'UsedBy' | 'Uses'
  readonly access: string
  /** The operand in its own spelling. */
  readonly text: string
  readonly network?: number
  readonly line?: number
  readonly column?: number
  readonly uId?: number
  readonly member?: string
  /** The operand is an address in the memory of the tag or data block. */
  readonly byAddress?: boolean
}

export interface ReferenceObject {
  readonly name: string
  readonly typeName: string
  readonly address: string
  readonly device: string
  readonly path: string
  readonly locations: readonly ReferenceLocation[]
}

export interface ReferenceSource {
  readonly name: string
  readonly typeName: string
  readonly address: string
  readonly device: string
  readonly path: string
  readonly referenceObjects: readonly ReferenceObject[]
}

export interface References {
  readonly sourceCount: number
  readonly totalReferenceCount: number
  readonly sources: readonly ReferenceSource[]
  /** Objects whose text cannot be read: the answer lacks their uses. */
  readonly unreadable: readonly string[]
}

/**
 * References of a name: the source itself with its users and, for an object, its uses; then each of its used members
 * (members of data blocks and of tags of a structure).
 *
 * @param path only this member and what is in it, names without indices; empty: all
 */
export function referencesOf(
  program: Program,
  deviceName: string,
  symbol: ProgramSymbol,
  object: ProgramObject | undefined,
  path: readonly string[] = [],
): References {
  const bySource = new Map<string, { name: string; references: Reference[] }>()
  const source = (members: readonly string[]) => {
    const key = members.map((member) => member.toLowerCase()).join('.')
    let entry = bySource.get(key)
    if (entry === undefined) {
      entry = { name: [symbol.name, ...members].join('.'), references: [] }
      bySource.set(key, entry)
    }
    return entry
  }
  source(path)
  for (const reference of program.usersOf(symbol.name)) {
    const members = reference.byAddress || reference.access === 'Call' ? [] : reference.use.path
    if (isBelow(members, path)) source(members).references.push(reference)
  }
  const own = object === undefined || path.length > 0 ? [] : program.usedBy(object)
  const { typeName, address = '', path: place } = symbol
  const sources = [...bySource].map(
    ([key, { name, references }], index): ReferenceSource => ({
      name,
      typeName: index === 0 && path.length === 0 ? typeName : 'Member',
      address: key === '' ? address : '',
      device: deviceName,
      path: place,
      referenceObjects: [
        ...byObject(references, deviceName, (reference) => userView(reference)),
        ...(index === 0 ? byObject(own, deviceName, (reference) => usedView(program, reference)) : []),
      ],
    }),
  )
  return counted(sources, program)
}

/** References of an address: every absolute operand that touches its memory. */
export function referencesOfAddress(
  program: Program,
  deviceName: string,
  text: string,
  references: readonly Reference[],
): References {
  const referenceObjects = byObject(references, deviceName, userView)
  return counted(
    [{ name: text, typeName: 'Address', address: text, device: deviceName, path: '', referenceObjects }],
    program,
  )
}

function counted(sources: readonly ReferenceSource[], program: Program): References {
  let total = 0
  for (const { referenceObjects } of sources) for (const { locations } of referenceObjects) total += locations.length
  return {
    sourceCount: sources.length,
    totalReferenceCount: total,
    sources,
    unreadable: program.unreadable.map(({ name }) => name),
  }
}

function isBelow(members: readonly string[], path: readonly string[]): boolean {
  return path.every((name, i) => members[i]?.toLowerCase() === name.toLowerCase())
}

type View = Omit<ReferenceObject, 'device' | 'locations'> & { readonly type: ReferenceLocation['referenceType'] }

function userView({ user: { name, typeName, path } }: Reference): View {
  return { name, typeName, address: '', path, type: 'UsedBy' }
}

function usedView(program: Program, { name }: Reference): View {
  const symbol = program.symbol(name)
  return {
    name: symbol?.name ?? name,
    typeName: symbol?.typeName ?? 'unknown',
    address: symbol?.address ?? '',
    path: symbol?.path ?? '',
    type: 'Uses',
  }
}

function byObject(
  references: readonly Reference[],
  device: string,
  view: (reference: Reference) => View,
): ReferenceObject[] {
  const objects = new Map<string, { view: Omit<View, 'type'>; locations: ReferenceLocation[] }>()
  for (const reference of references) {
    const { type, ...shown } = view(reference)
    const key = `${type} ${shown.typeName} ${shown.name}`
    let entry = objects.get(key)
    if (entry === undefined) {
      entry = { view: shown, locations: [] }
      objects.set(key, entry)
    }
    entry.locations.push(locationOf(reference, type))
  }
  return [...objects.values()].map(({ view: shown, locations }) => ({ ...shown, device, locations }))
}

function locationOf(
  { use, access, byAddress }: Reference,
  referenceType: ReferenceLocation['referenceType'],
): ReferenceLocation {
  const { network, line, column, uId, member } = use.place
  return {
    referenceLocation: placeText(use.place),
    referenceType,
    access,
    text: use.text,
    ...defined({ network, line, column, uId, member }),
    ...(byAddress ? { byAddress } : {}),
  }
}

/** A place for people. */
export function placeText({ member, network, line, element, row }: UsePlace): string {
  if (member !== undefined) return `Interface: ${member}`
  if (row !== undefined) return `Row: ${row}`
  if (network === undefined) return element ?? 'Properties'
  return [`Network ${network}`, element, line === undefined ? undefined : `line ${line}`]
    .filter((part) => part !== undefined)
    .join(', ')
}
