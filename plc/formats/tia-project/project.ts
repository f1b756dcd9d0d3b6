/** A project or library of TIA Portal: what it is, its stations, and the program of each controller with a report. */
import { defined } from '../../../lib/optional.ts'
import type { ImportedObject, InterfaceMember } from '../../model/object.ts'
import { BlockReader, isProgramObject, isSystemElement, type ReadObject } from './blocks.ts'
import { controllerOf, folderPath } from './folders.ts'
import { controllerType, readStations, type Station } from './hardware.ts'
import { readLibrary, type StoredLibrary, type TypeVersionReference, typeVersionOf } from './libraries.ts'
import type { StoredObject } from './object.ts'
import { type Save, type StoreOptions, TiaStore } from './store.ts'
import { systemConstantTable, systemConstantType, usedConstants } from './system-constants.ts'
import { readTagTable, tagTable, tagTableType } from './tag-tables.ts'
import { readWatchTable, watchTableTypes } from './watch-tables.ts'

/** A program object, and where it is in the tree of its controller. */
export interface PlacedObject extends ReadObject {
  readonly name: string
  /** `FB`, `UDT`, `TagTable` … as exports call it, or the file's own word. */
  readonly kind: string
  /** Folders from the outermost one. */
  readonly folder: readonly string[]
  /** The version of a library type that it is an instance of. */
  readonly typeVersion?: TypeVersionReference
}

export interface ControllerProgram {
  readonly name: string
  readonly objects: readonly PlacedObject[]
  /** Blocks of the instruction library that the project contains; Gantry has its own. */
  readonly systemElements: readonly string[]
  /** The system constants that the program uses, as a table of user constants. */
  readonly systemConstants?: ImportedObject
}

export interface TiaProjectContent {
  readonly name: string
  readonly author?: string
  readonly kind: 'Project' | 'Library'
  /** Version of the TIA Portal that it was last opened with, e.g. `V19`, `V15.1`. */
  readonly version?: string
  /** Products it was made with, e.g. `STEP 7 Professional V19`. */
  readonly products: readonly string[]
  readonly saves: readonly Save[]
  readonly stations: readonly Station[]
  readonly programs: readonly ControllerProgram[]
  /** The library of the project, or the content of a global library. */
  readonly library: StoredLibrary
  /** Records that were left out because they are damaged. */
  readonly damaged: readonly string[]
  /** Kinds of objects of the project that are not read, with their number. */
  readonly notRead: Readonly<Record<string, number>>
}

/** Objects of a project that users know, by what they are called in the tool. */
const knownKinds: Readonly<Record<string, string>> = {
  HmiScreenData: 'HMI screen',
  HmiTagTableData: 'HMI tag table',
  HmiConnectionData: 'HMI connection',
  DriveObjectData: 'drive object',
  UnitData: 'software unit',
}

/**
 * Reads a project file.
 * @param file content of `System/PEData.plf`
 * @throws TiaProjectError for what is no such file, and for damage unless `skipDamaged` is set
 */
export function readTiaProject(file: Buffer, options: StoreOptions = {}): TiaProjectContent {
  const store = new TiaStore(file, options)
  const [project] = store.ofType('ProjectData')
  const root = project ?? store.ofType('LibraryData')[0]
  const author = root?.text('ICoreAttributes', 'Author')
  const reader = new BlockReader(store)
  const library = readLibrary(store, reader)
  return {
    name: root?.name ?? '',
    ...(author ? { author } : {}),
    kind: project ? 'Project' : 'Library',
    ...readProducts(store),
    saves: store.saves,
    stations: readStations(store),
    programs: readPrograms(store, reader),
    library,
    damaged: store.damaged.map(({ message }) => message),
    notRead: { ...countNotRead(store), ...library.notRead },
  }
}

/** Types of the instruction library that the program names are part of it; others Gantry has itself. */
function addNamedTypes(store: TiaStore, reader: BlockReader, program: Program): void {
  const types = new Map(
    program.systemObjects.flatMap((stored) =>
      stored.value('IGeneralBlockSourceData', 'BlockType') === 'UDT'
        ? [[stored.name.toLowerCase(), stored] as const]
        : [],
    ),
  )
  const open = program.objects.map(({ object }) => object)
  for (let object = open.pop(); object || open.length > 0; object = open.pop()) {
    for (const name of object ? namedTypes(object) : []) {
      const stored = types.get(name.toLowerCase())
      if (!stored) continue
      types.delete(name.toLowerCase())
      const read = reader.read(stored)
      program.objects.push(place(store, stored, read))
      open.push(read.object)
    }
  }
}

/** Names in quotes among the data types of an object. */
function namedTypes({ interface: sections, tags = [] }: ImportedObject): string[] {
  const names: string[] = []
  const add = (dataType: string) => {
    const name = /"([^"]+)"/.exec(dataType)?.[1]
    if (name !== undefined) names.push(name)
  }
  const addMembers = (members: readonly InterfaceMember[]) => {
    for (const { dataType, members: inner } of members) {
      add(dataType)
      addMembers(inner)
    }
  }
  for (const { members } of sections) addMembers(members)
  for (const { dataType } of tags) add(dataType)
  return names
}

interface Program {
  readonly objects: PlacedObject[]
  readonly systemObjects: StoredObject[]
}

function readPrograms(store: TiaStore, reader: BlockReader): ControllerProgram[] {
  const programs = new Map<StoredObject | undefined, Program>()
  const programOf = (object: StoredObject) => {
    const controller = controllerOf(store, object)
    const key = controller?.type === controllerType ? controller : undefined
    const program = programs.get(key) ?? { objects: [], systemObjects: [] }
    programs.set(key, program)
    return program
  }
  for (const controller of store.ofType(controllerType))
    if (store.isInProject(controller)) programs.set(controller, { objects: [], systemObjects: [] })
  for (const stored of store.objects) {
    if (isProgramObject(store, stored)) {
      if (isSystemElement(stored)) programOf(stored).systemObjects.push(stored)
      else programOf(stored).objects.push(place(store, stored, reader.read(stored)))
    } else if (stored.type === tagTableType && store.isInProject(stored))
      programOf(stored).objects.push(place(store, stored, readTable(store, stored, readTagTable)))
    else if (stored.type in watchTableTypes && store.isInProject(stored)) {
      const table = readTable(store, stored, readWatchTable)
      // TIA Portal makes an empty force table for each PLC.
      const isEmptyForce = table.object?.kind === 'ForceTable' && table.object.entries?.length === 0
      if (!isEmptyForce) programOf(stored).objects.push(place(store, stored, table))
    }
  }
  for (const program of programs.values()) addNamedTypes(store, reader, program)
  const constants = store.ofType(systemConstantType)
  return [...programs]
    .filter(([controller, { objects }]) => controller !== undefined || objects.length > 0)
    .map(([controller, { objects, systemObjects }]) => {
      const taken = new Set(objects.map(({ stored }) => stored))
      const systemElements = systemObjects.filter((stored) => !taken.has(stored)).map(({ name }) => name)
      const own = constants.filter((constant) => controller && store.first(constant, 'BelongsTo') === controller)
      const used = usedConstants(
        own,
        objects.flatMap(({ object }) => object ?? []),
      )
      return {
        name: controller?.name ?? '',
        objects,
        systemElements,
        ...(used.length > 0 ? { systemConstants: tagTable(systemConstantTable, [], used) } : {}),
      }
    })
}

/** The products that are named in the file, the newest of each, and the version of TIA Portal itself. */
function readProducts(store: TiaStore): { version?: string; products: string[] } {
  const set = 'IProductVersionInfoDataAttributes'
  const newest = new Map<string, { order: string; text: string; version: string }>()
  for (const object of store.ofType('ProductVersionInfoData')) {
    // `Siemens.Simatic.Portal:19.00.00.00`
    const [product = '', order = ''] = object.name.split(':')
    if (object.flag(set, 'IsHidden') && !product.endsWith('.Portal')) continue
    const version = object.text(set, 'DisplayVersion') ?? ''
    const text = `${object.text(set, 'DisplayName') ?? product} ${version}`.trim()
    if ((newest.get(product)?.order ?? '') < order) newest.set(product, { order, text, version })
  }
  const portal = newest.get('Siemens.Simatic.Portal')
  return {
    ...(portal ? { version: portal.version } : {}),
    products: [...newest.values()].map(({ text }) => text).sort(),
  }
}

function readTable(store: TiaStore, stored: StoredObject, readAs: typeof readTagTable): ReadObject {
  try {
    const { object, problems } = readAs(store, stored)
    return { stored, object, completeness: problems.length > 0 ? 'partly' : 'whole', problems }
  } catch (error) {
    return { stored, completeness: 'not-read', problems: [(error as Error).message] }
  }
}

function place(store: TiaStore, stored: StoredObject, read: ReadObject): PlacedObject {
  const kind = read.object?.kind ?? String(stored.value('IGeneralBlockSourceData', 'BlockType') ?? stored.type)
  const typeVersion = typeVersionOf(store, stored)
  return { ...read, name: stored.name, kind, folder: folderPath(store, stored), ...defined({ typeVersion }) }
}

function countNotRead(store: TiaStore): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [type, name] of Object.entries(knownKinds)) {
    const count = store.ofType(type).filter((object) => store.isInProject(object)).length
    if (count > 0) counts[name] = (counts[name] ?? 0) + count
  }
  let unknown = 0
  for (const count of store.unknownTypes.values()) unknown += count
  if (unknown > 0) counts['unknown object'] = unknown
  return counts
}
