/**
 * The library of a project, or a global library: types with their versions, and master copies. The content of a
 * version or copy is a small project of its own: its objects have the version or copy as their `Environment`, and
 * what users see are its `VisibleParts`.
 */
import type { ImportedObject } from '../../model/object.ts'
import { interfaceOf, partsOf } from './block-interface.ts'
import { type BlockReader, isProgramContent, isSystemElement, type ReadObject } from './blocks.ts'
import { cultureTexts } from './cultures.ts'
import { folderPath } from './folders.ts'
import type { StoredObject } from './object.ts'
import { type TiaStore, timeOfTicks } from './store.ts'
import { readTagTable, tagTableType } from './tag-tables.ts'
import { readWatchTable, watchTableTypes } from './watch-tables.ts'

/** An object of a version or copy. */
export interface LibraryPart extends ReadObject {
  readonly name: string
  readonly kind: string
  /** Folders in what was copied, from the outermost one. */
  readonly folder: readonly string[]
}

/** A version of a type, by name. */
export interface TypeVersionReference {
  readonly type: string
  /** `1.0.2` */
  readonly version: string
}

interface LibraryEntry {
  readonly name: string
  /** Folders of the library, from the outermost one. */
  readonly folder: readonly string[]
  readonly author: string
  readonly comment: string
  /** ISO 8601. */
  readonly createdAt?: string
}

export interface StoredTypeVersion {
  /** `1.0.2` */
  readonly version: string
  /** It was released; else it is in work. */
  readonly isReleased: boolean
  readonly author: string
  readonly comment: string
  readonly createdAt?: string
  readonly part: LibraryPart
  /** Versions of other types that its interface has members of. */
  readonly dependencies: readonly TypeVersionReference[]
}

export interface StoredLibraryType extends LibraryEntry {
  readonly defaultVersion: string
  /** At least one, in the order of the file. */
  readonly versions: readonly StoredTypeVersion[]
}

export interface StoredMasterCopy extends LibraryEntry {
  /** A folder with all that is in it; else one object. */
  readonly isFolder: boolean
  readonly parts: readonly LibraryPart[]
}

export interface StoredLibrary {
  readonly types: readonly StoredLibraryType[]
  readonly copies: readonly StoredMasterCopy[]
  /** Kinds of what is in the library and not read, with their number. */
  readonly notRead: Readonly<Record<string, number>>
}

const versionType = /ByCopyVersionObject$/
const copyType = 'LibraryMasterCopyData'
const libraryAttributes = 'ICoreLibObjectAttributes'

/** Reads the library. What of its objects is damaged is told with each. */
export function readLibrary(store: TiaStore, reader: BlockReader): StoredLibrary {
  return new Reading(store, reader).read()
}

class Reading {
  readonly #store: TiaStore
  readonly #reader: BlockReader
  readonly #notRead: Record<string, number> = {}
  /** Versions by the interface of their content. */
  readonly #byInterface = new Map<StoredObject, TypeVersionReference>()

  constructor(store: TiaStore, reader: BlockReader) {
    this.#store = store
    this.#reader = reader
  }

  read(): StoredLibrary {
    const store = this.#store
    const versions = new Map<StoredObject, Map<string, StoredTypeVersion>>()
    const all = store.objects.filter((stored) => versionType.test(stored.type) && store.isInProject(stored))
    for (const stored of all) this.#addInterface(stored)
    for (const stored of all) {
      const type = store.first(stored, 'VersionObjectToTypeObject')
      const version = type && this.#version(stored, type)
      if (!version) {
        this.#leftOut('library type version')
        continue
      }
      const own = versions.get(type) ?? new Map<string, StoredTypeVersion>()
      versions.set(type, own)
      // A number can be there twice; the default version counts before another one.
      const isSecond = own.has(version.version)
      if (isSecond) this.#leftOut('library type version with the number of another one')
      if (!isSecond || store.first(stored, 'DefaultVersionToType') === type) own.set(version.version, version)
    }
    const types = [...versions].map(([type, own]) => ({
      ...this.#entry(type),
      versions: [...own.values()],
      defaultVersion: this.#defaultVersion(type) ?? [...own.keys()].at(-1)!,
    }))
    const copies = store.ofType(copyType).filter((copy) => store.isInProject(copy))
    const parts = copies.length > 0 ? this.#partsOfCopies(new Set(copies)) : new Map<StoredObject, LibraryPart[]>()
    return { types, copies: copies.flatMap((copy) => this.#copy(copy, parts.get(copy) ?? [])), notRead: this.#notRead }
  }

  #leftOut(kind: string): void {
    this.#notRead[kind] = (this.#notRead[kind] ?? 0) + 1
  }

  #entry(stored: StoredObject): LibraryEntry {
    const createdAt = timeOf(stored)
    return {
      name: stored.name,
      folder: folderPath(this.#store, stored),
      ...textsOf(stored),
      ...(createdAt === undefined ? {} : { createdAt }),
    }
  }

  #addInterface(stored: StoredObject): void {
    const type = this.#store.first(stored, 'VersionObjectToTypeObject')
    const version = versionText(stored)
    const content = this.#store.first(stored, 'VisibleParts')
    const own = content && interfaceOf(this.#store, content)
    if (own && type && version !== undefined) this.#byInterface.set(own, { type: type.name, version })
  }
  #dependencies(content: StoredObject) {
    const own = interfaceOf(this.#store, content)
    const parts = new Set(own ? partsOf(this.#store, own) : [])
    return [...parts].flatMap((part) => (part && part !== own ? (this.#byInterface.get(part) ?? []) : []))
  }

  #version(stored: StoredObject, type: StoredObject): StoredTypeVersion | undefined {
    const version = versionText(stored)
    const [content] = this.#store.related(stored, 'VisibleParts')
    if (version === undefined || !content || !isProgramContent(content)) return undefined
    const createdAt = timeOf(stored)
    const read = this.#reader.read(content)
    // The content has a name that the tool made; users see that of the type.
    const object = read.object && renamed(read.object, type.name)
    return {
      version,
      isReleased: stored.value(libraryAttributes, 'State') === 'Committed',
      ...textsOf(stored),
      ...(createdAt === undefined ? {} : { createdAt }),
      part: { ...read, ...(object ? { object } : {}), name: type.name, kind: kindOf(read), folder: [] },
      dependencies: this.#dependencies(content),
    }
  }

  #defaultVersion(type: StoredObject): string | undefined {
    const stored = this.#store.first(type, 'TypeToDefaultVersion')
    return stored && versionText(stored)
  }

  /** The objects of all copies, found in one pass. */
  #partsOfCopies(copies: ReadonlySet<StoredObject>): Map<StoredObject, LibraryPart[]> {
    const found = new Map<StoredObject, LibraryPart[]>()
    for (const stored of this.#store.objects) {
      const isProgram = isProgramContent(stored) && !isSystemElement(stored)
      if (!isProgram && stored.type !== tagTableType && !(stored.type in watchTableTypes)) continue
      const copy = this.#store.first(stored, 'Environment')
      if (!copy || !copies.has(copy) || this.#store.first(stored, 'TRefParent')) continue
      const read = isProgram ? this.#reader.read(stored) : this.#table(stored)
      const part = { ...read, name: stored.name, kind: kindOf(read), folder: folderPath(this.#store, stored) }
      const parts = found.get(copy)
      if (parts) parts.push(part)
      else found.set(copy, [part])
    }
    return found
  }

  #table(stored: StoredObject): ReadObject {
    try {
      const readAs = stored.type === tagTableType ? readTagTable : readWatchTable
      const { object, problems } = readAs(this.#store, stored)
      return { stored, object, completeness: problems.length > 0 ? 'partly' : 'whole', problems }
    } catch (error) {
      return { stored, completeness: 'not-read', problems: [(error as Error).message] }
    }
  }

  /** A copy of a device, screen or of a thing of another kind is told and left out. */
  #copy(copy: StoredObject, all: readonly LibraryPart[]): StoredMasterCopy[] {
    const visible = this.#store.related(copy, 'VisibleParts')
    const isFolder = visible.some(({ type }) => type === 'FolderData')
    const shown = new Set(visible)
    const parts = isFolder ? all : all.filter(({ stored }) => shown.has(stored))
    if (parts.length === 0) {
      this.#leftOut(kindOfCopy(visible.map(({ type }) => type)))
      return []
    }
    return [
      { ...this.#entry(copy), isFolder, parts: isFolder ? parts : parts.map((part) => ({ ...part, folder: [] })) },
    ]
  }
}

/** What users call a master copy that is not read. */
function kindOfCopy(types: readonly string[]): string {
  if (types.includes('DeviceData')) return 'master copy of a station'
  if (types.some((type) => type.startsWith('Hmi'))) return 'master copy of an HMI object'
  return types.length === 0 ? 'empty master copy' : `master copy of the kind ${types.join(', ')}`
}

/** The version of a library type that an object of the project is an instance of. */
export function typeVersionOf(store: TiaStore, stored: StoredObject): TypeVersionReference | undefined {
  const master = store.first(stored, 'IsInstanceOf')
  const type = master && store.first(master, 'VersionObjectToTypeObject')
  const version = master && versionText(master)
  return type && version !== undefined ? { type: type.name, version } : undefined
}

/** `Major.Minor.Build`, as TIA Portal shows it. */
function versionText(stored: StoredObject): string | undefined {
  const numbers = stored.structure('IVersionInfo', 'Version')
  const [major, minor, build] = ['Major', 'Minor', 'Build'].map((name) => numbers?.get(name))
  const isWhole = [major, minor, build].every((part) => part !== undefined && part >= 0)
  return isWhole ? `${major}.${minor}.${build}` : undefined
}

function timeOf(stored: StoredObject): string | undefined {
  const ticks = stored.value('ICoreAttributes', 'CreationTime')
  return typeof ticks === 'number' ? timeOfTicks(BigInt(ticks)) : undefined
}

function textsOf(stored: StoredObject) {
  const comment = cultureTexts(stored.texts('ICoreAttributes', 'Comment'))
  return {
    author: stored.text('ICoreAttributes', 'Author') ?? '',
    comment: comment['en-US'] ?? Object.values(comment)[0] ?? '',
  }
}

const kindOf = ({ object, stored }: ReadObject): string =>
  object?.kind ?? String(stored.value('IGeneralBlockSourceData', 'BlockType') ?? stored.type)

const renamed = (object: ImportedObject, name: string): ImportedObject => ({
  ...object,
  name,
  attributes: object.attributes.map((one) => (one.name === 'Name' ? { ...one, value: name } : one)),
})
