/** A project or library of TIA Portal: what it is, its stations, and the program of each controller with a report. */
import { BlockReader, type Completeness, isProgramObject, isSystemElement, type ReadObject } from './blocks.ts'
import { controllerOf, folderPath } from './folders.ts'
import { controllerType, readStations, type Station } from './hardware.ts'
import type { StoredObject } from './object.ts'
import { type Save, type StoreOptions, TiaStore } from './store.ts'
import { readTagTable, tagTableType } from './tag-tables.ts'

/** A program object, and where it is in the tree of its controller. */
export interface PlacedObject extends ReadObject {
  readonly name: string
  /** `FB`, `UDT`, `TagTable` … as exports call it, or the file's own word. */
  readonly kind: string
  /** Folders from the outermost one. */
  readonly folder: readonly string[]
}

export interface ControllerProgram {
  readonly name: string
  readonly objects: readonly PlacedObject[]
  /** Blocks of the instruction library that the project contains; Gantry has its own. */
  readonly systemElements: readonly string[]
}

export interface TiaProjectContent {
  readonly name: string
  readonly author?: string
  readonly kind: 'Project' | 'Library'
  readonly saves: readonly Save[]
  readonly stations: readonly Station[]
  readonly programs: readonly ControllerProgram[]
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
  VarTableData: 'watch table',
  VarTableForceData: 'force table',
  LibraryTypeData: 'library type',
  MasterCopyData: 'master copy',
}

/**
 * Reads a project file.
 * @param file content of `System/PEData.plf`
 * @throws TiaProjectError for what is no such file, and for damage unless `skipDamaged` is set
 */
export function readTiaProject(file: Buffer, options: StoreOptions = {}): TiaProjectContent {
  const store = new TiaStore(file, options)
  const [project] = store.ofType('ProjectData')
  const [library] = store.ofType('LibraryData')
  const root = project ?? library
  const author = root?.text('ICoreAttributes', 'Author')
  return {
    name: root?.name ?? '',
    ...(author ? { author } : {}),
    kind: project ? 'Project' : 'Library',
    saves: store.saves,
    stations: readStations(store),
    programs: readPrograms(store),
    damaged: store.damaged.map(({ message }) => message),
    notRead: countNotRead(store),
  }
}

function readPrograms(store: TiaStore): ControllerProgram[] {
  const reader = new BlockReader(store)
  const programs = new Map<StoredObject | undefined, { objects: PlacedObject[]; systemElements: string[] }>()
  const programOf = (object: StoredObject) => {
    const controller = controllerOf(store, object)
    const key = controller?.type === controllerType ? controller : undefined
    const program = programs.get(key) ?? { objects: [], systemElements: [] }
    programs.set(key, program)
    return program
  }
  for (const controller of store.ofType(controllerType))
    if (store.isInProject(controller)) programs.set(controller, { objects: [], systemElements: [] })
  for (const stored of store.objects) {
    if (isProgramObject(store, stored)) {
      if (isSystemElement(stored)) programOf(stored).systemElements.push(stored.name)
      else programOf(stored).objects.push(place(store, stored, reader.read(stored)))
    } else if (stored.type === tagTableType && store.isInProject(stored))
      programOf(stored).objects.push(place(store, stored, readTable(store, stored)))
  }
  return [...programs]
    .filter(([controller, { objects }]) => controller !== undefined || objects.length > 0)
    .map(([controller, program]) => ({ name: controller?.name ?? '', ...program }))
}

function readTable(store: TiaStore, stored: StoredObject): ReadObject {
  try {
    const { object, problems } = readTagTable(store, stored)
    return { stored, object, completeness: problems.length > 0 ? 'partly' : 'whole', problems }
  } catch (error) {
    return { stored, completeness: 'not-read', problems: [(error as Error).message] }
  }
}

function place(store: TiaStore, stored: StoredObject, read: ReadObject): PlacedObject {
  const kind = read.object?.kind ?? String(stored.value('IGeneralBlockSourceData', 'BlockType') ?? stored.type)
  return { ...read, name: stored.name, kind, folder: folderPath(store, stored) }
}

function countNotRead(store: TiaStore): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [type, name] of Object.entries(knownKinds)) {
    const count = store.ofType(type).filter((object) => store.isInProject(object)).length
    if (count > 0) counts[name] = count
  }
  return counts
}

/** How many objects of a content were read how far. */
export function completenessOf(content: TiaProjectContent): Record<Completeness, number> {
  const counts: Record<Completeness, number> = { whole: 0, partly: 0, 'not-read': 0 }
  for (const { objects } of content.programs) for (const { completeness } of objects) counts[completeness]++
  return counts
}
