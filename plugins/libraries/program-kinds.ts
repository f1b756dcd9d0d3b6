/** The kinds of objects of a PLC program for libraries: blocks, PLC data types, tag tables, watch and force tables. */

import { type CommandContext, defined, problem, type QueryContext } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { extensionOf, fileTextOf } from '../../plc/edit/object-file.ts'
import type { StoredDocument } from '../../plc/edit/stored-document.ts'
import { fitsClass } from '../../plc/model/event-classes.ts'
import { type Block, blockFolders, blocksOf, findBlock } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import {
  compareStored,
  cultureOf,
  type Exportable,
  findSymbol,
  type KeptObject,
  readObjects,
  requireName,
  storeObject,
  usesWork,
  work,
} from '../program-objects/index.ts'
import { findTagTable, type TagTable, tagTableFolders, tagTablesOf, tagTableText } from '../tags/index.ts'
import { findType, type PlcType, typeFolders, typesOf } from '../types/index.ts'
import { findWatchTable, type WatchTable, watchTableFolders, watchTablesOf } from '../watch-tables/index.ts'
import type { KindEntry, LibraryKind, LibraryObject, ObjectChange, Obstacle, StoredIn, StorePlace } from './kinds.ts'

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** How the collections differ. */
interface Source<T extends KeptObject> {
  readonly kind: string
  readonly noun: string
  readonly folders: typeof blockFolders
  readonly of: (ctx: Reader, deviceId: string) => readonly T[]
  readonly find: (ctx: Reader, deviceId: string, name: string) => T | undefined
  readonly typeFault: LibraryKind['typeFault']
  /** With the text, where that is no blob yet. */
  readonly describe: (ctx: Reader, object: T) => Promise<Described> | Described
  readonly document: (ctx: Reader, object: T) => Promise<string> | string
  readonly obstacle: (
    ctx: CommandContext,
    device: Device,
    object: LibraryObject,
    present: T | undefined,
    known: Known,
  ) => Obstacle | undefined | Promise<Obstacle | undefined>
  /** Whether its name is one of the whole program. */
  readonly isSymbol: boolean
}

type Described = Omit<LibraryObject, 'kind' | 'uses' | 'name' | 'folder'> & { readonly text?: string }

/** What is looked up once for many objects. */
interface Known {
  /** Names of blocks by group and number. */
  readonly numbers: ReadonlyMap<string, string>
}

const groupOf = (objectKind: string): string => (objectKind.endsWith('DB') ? 'DB' : objectKind)
const numberKey = (objectKind: string, number: number | undefined): string => `${groupOf(objectKind)}/${number}`

function numbersOf(ctx: Reader, device: Device): Map<string, string> {
  return new Map(blocksOf(ctx, device.id).map(({ kind, number, name }) => [numberKey(kind, number), name]))
}

const documentFields = ({ format, document, size, file, engineeringVersion }: Block | PlcType | WatchTable) => ({
  format,
  document,
  size,
  ...defined({ file, engineeringVersion }),
})

const exists = (what: string): Obstacle => ({
  code: 'exists',
  message: `${what} of this name is there with another content`,
  choices: ['overwrite', 'rename', 'keep'],
})

function symbolObstacle(
  ctx: CommandContext,
  device: Device,
  { name }: LibraryObject,
  own: readonly string[],
): Obstacle | undefined {
  const owner = findSymbol(ctx, device, name, own)
  return (
    owner && {
      code: 'name_taken',
      message: `the name is taken by a ${owner.kind} (${owner.description})`,
      choices: ['rename', 'keep'],
    }
  )
}

const blockSource: Source<Block> = {
  kind: 'block',
  noun: 'block',
  folders: blockFolders,
  of: blocksOf,
  // By its name only: FB12 is a number.
  find: findBlock,
  isSymbol: true,
  typeFault: ({ objectKind, name }) =>
    objectKind.endsWith('DB')
      ? `"${name}" is a data block: only code blocks and PLC data types can be library types. Make a master copy of it.`
      : undefined,
  describe: (_ctx, block) => ({
    ...documentFields(block),
    objectKind: block.kind,
    language: block.language,
    number: block.number,
    autoNumber: block.autoNumber,
    ...defined({ secondaryType: block.secondaryType, instanceOf: block.instanceOf }),
  }),
  document: (_ctx, { document }) => document,
  obstacle(ctx, device, object, present, { numbers }) {
    if (present) return exists(`${present.kind} ${present.number}`)
    const symbol = symbolObstacle(ctx, device, object, ['block'])
    if (symbol || object.autoNumber !== false) return symbol
    const holder = numbers.get(numberKey(object.objectKind, object.number))
    if (holder === undefined) return undefined
    const message = `its number ${groupOf(object.objectKind)} ${object.number} is that of "${holder}"`
    return { code: 'number_taken', message, choices: ['rename', 'keep'] }
  },
}

const typeSource: Source<PlcType> = {
  kind: 'type',
  noun: 'PLC data type',
  folders: typeFolders,
  of: typesOf,
  find: findType,
  isSymbol: true,
  typeFault: () => undefined,
  describe: (_ctx, type) => ({ ...documentFields(type), objectKind: 'UDT', language: '' }),
  document: (_ctx, { document }) => document,
  obstacle: (ctx, device, object, present) =>
    present ? exists('a PLC data type') : symbolObstacle(ctx, device, object, ['type']),
}

const notAType = (noun: string) => (object: Pick<LibraryObject, 'name'>) =>
  `"${object.name}" is a ${noun}: only code blocks and PLC data types can be library types. Make a master copy of it.`

const tagTableSource: Source<TagTable> = {
  kind: 'tag-table',
  noun: 'tag table',
  folders: tagTableFolders,
  of: tagTablesOf,
  find: findTagTable,
  isSymbol: false,
  typeFault: notAType('tag table'),
  async describe(ctx, table) {
    const [text, { blobHash }] = await Promise.all([
      tagTableText(ctx, table),
      import('../../plc/compiler/program-file.ts'),
    ])
    const { file, isAsDocument, engineeringVersion } = table
    return {
      objectKind: 'TagTable',
      language: '',
      format: 'simaticml',
      document: blobHash(text),
      size: Buffer.byteLength(text),
      ...(file === undefined || isAsDocument !== true ? {} : { file }),
      ...defined({ engineeringVersion }),
      text,
    }
  },
  async document(ctx, table) {
    if (table.isAsDocument === true && table.document !== undefined) return table.document
    const { blobHash } = await import('../../plc/compiler/program-file.ts')
    return blobHash(await tagTableText(ctx, table))
  },
  async obstacle(ctx, device, object, present) {
    const { tags, constants } = await readDocument(ctx, object)
    const own = (holder: string) => present !== undefined && holder.includes(`"${present.name}"`)
    for (const { name } of [...(tags ?? []), ...(constants ?? [])]) {
      const owner = findSymbol(ctx, device, name)
      if (owner && !own(owner.description))
        return {
          code: 'name_taken',
          message: `the name of its row "${name}" is taken by a ${owner.kind} (${owner.description})`,
          choices: ['keep'],
        }
    }
    if (!present) return undefined
    const isUntouched = present.isDefault && present.createdAt === present.modifiedAt
    if (isUntouched) return undefined
    // Under another name its rows would be there twice.
    return { ...exists('a tag table'), choices: ['overwrite', 'keep'] }
  },
}

const watchTableSource: Source<WatchTable> = {
  kind: 'watch-table',
  noun: 'watch or force table',
  folders: watchTableFolders,
  of: watchTablesOf,
  find: findWatchTable,
  isSymbol: false,
  typeFault: notAType('watch or force table'),
  describe: (_ctx, table) => ({ ...documentFields(table), objectKind: table.kind, language: '' }),
  document: (_ctx, { document }) => document,
  obstacle(ctx, device, object, present) {
    if (object.objectKind === 'ForceTable') {
      const force = watchTablesOf(ctx, device.id).find(({ kind }) => kind === 'ForceTable')
      if (force && force.entries.length > 0)
        return {
          code: 'only_one',
          message: `the PLC has a force table, "${force.name}", with ${counted(force.entries.length, 'row')}; there is only one`,
          choices: ['overwrite', 'keep'],
        }
    }
    if (!present) return undefined
    if (present.kind !== object.objectKind)
      return { code: 'name_taken', message: 'a table of another kind has the name', choices: ['rename', 'keep'] }
    return exists('a table')
  },
}

function storedDocument(ctx: Pick<QueryContext, 'read'>, object: LibraryObject, text: string): StoredDocument {
  const { format, objectKind: kind, name, number, autoNumber, secondaryType, engineeringVersion } = object
  return {
    text,
    format: format === 'source' ? 'source' : 'simaticml',
    kind,
    name,
    number,
    autoNumber,
    secondaryType,
    engineeringVersion,
    culture: cultureOf(ctx),
  }
}

async function documentFor(ctx: Reader, object: LibraryObject): Promise<StoredDocument> {
  return storedDocument(ctx, object, await ctx.blobs.text(object.document))
}

/** The object as its document says, read again. */
async function readDocument(ctx: Reader, object: LibraryObject) {
  return work(ctx, 'editDocument', { document: await documentFor(ctx, object), edit: {} }, object.size)
}

/** Names of blocks and types of the device that a document uses, in the document's spelling. */
async function usesOf(ctx: CommandContext, device: Device, object: Omit<LibraryObject, 'uses'>): Promise<string[]> {
  const document = await documentFor(ctx, { ...object, uses: [] })
  const [found] = await usesWork(ctx, 'readUses', [document], object.size)
  const names = new Map<string, string>()
  const add = (name: string | undefined) => {
    if (name === undefined || name === '' || names.has(name.toLowerCase())) return
    const present = findBlock(ctx, device.id, name) ?? findType(ctx, device.id, name)
    if (present && present.name.toLowerCase() !== object.name.toLowerCase()) names.set(name.toLowerCase(), present.name)
  }
  add(object.instanceOf)
  for (const { name } of found?.uses ?? []) add(name)
  return [...names.values()]
}

function programKind<T extends KeptObject>(source: Source<T>): LibraryKind {
  const { kind, noun, folders, of, find, isSymbol } = source
  const entryOf = ({ id, name, folder }: T): KindEntry => ({ id, name, folder })
  const requireOf = (ctx: Reader, device: Device, name: string): T => {
    const object = find(ctx, device.id, name)
    if (!object) throw new Error(`"${device.name}" has no ${noun} "${name}"`)
    return object
  }
  const isFree = (ctx: CommandContext, device: Device, name: string) =>
    isSymbol ? findSymbol(ctx, device, name) === undefined : find(ctx, device.id, name) === undefined

  return {
    kind,
    noun,
    device: 'PLC',
    isSymbol,
    typeFault: source.typeFault,
    list: (ctx, device) => of(ctx, device.id).map(entryOf),
    find(ctx, device, name) {
      const object = find(ctx, device.id, name)
      return object && entryOf(object)
    },
    folders: (ctx, device) => folders.list(ctx, device.id).map(({ path }) => path),
    ensureFolder: (ctx, device, path) => folders.ensure(ctx, device, path),
    async capture(ctx, device, name) {
      const object = requireOf(ctx, device, name)
      const { text, ...described } = await source.describe(ctx, object)
      if (text !== undefined) await ctx.blobs.put(text)
      const captured = { kind, name: object.name, folder: object.folder, ...described }
      return { ...captured, uses: await usesOf(ctx, device, captured) }
    },
    async current(ctx, device, name) {
      const object = requireOf(ctx, device, name)
      const { text, ...described } = await source.describe(ctx, object)
      const now = { kind, name: object.name, folder: object.folder, ...described, uses: [] }
      return { object: now, ...defined({ text }) }
    },
    async documentOf(ctx, device, name) {
      return source.document(ctx, requireOf(ctx, device, name))
    },
    async obstacles(ctx, device, objects) {
      const known: Known = { numbers: kind === 'block' ? numbersOf(ctx, device) : new Map() }
      const found: (Obstacle | 'same' | undefined)[] = []
      for (const object of objects) {
        const present = find(ctx, device.id, object.name)
        const isSame = present && (await source.document(ctx, present)) === object.document
        found.push(isSame ? 'same' : await source.obstacle(ctx, device, object, present, known))
      }
      return found
    },
    freeName(ctx, device, name, taken) {
      const stem = name.replace(/_\d+$/, '').slice(0, 115)
      for (let n = 1; ; n++) {
        const candidate = `${stem}_${n}`
        if (!taken.has(candidate.toLowerCase()) && isFree(ctx, device, candidate)) return candidate
      }
    },
    numbersTaken: (ctx, device) => new Set(kind === 'block' ? numbersOf(ctx, device).keys() : []),
    freeNumber,
    requireName: (name, field) => requireName(name, field, noun),
    changed: (ctx, _device, object, change) => changedObject(ctx, object, change),
    store: (ctx, device, object, place) => store(ctx, device, object, place, find),
    async compare(ctx, left, right) {
      const documents = [left, right].map(async ({ object, text }) =>
        storedDocument(ctx, object, text ?? (await ctx.blobs.text(object.document))),
      )
      const [a, b] = await Promise.all(documents)
      return compareStored(ctx, a!, b!)
    },
    async fileOf(ctx, object) {
      const shape = { ...object, kind: object.objectKind, format: storedFormat(object) }
      const extension = extensionOf(shape)
      if (object.file !== undefined) return { extension, content: await ctx.blobs.text(object.file) }
      return { extension, content: fileTextOf(await ctx.blobs.text(object.document), shape) }
    },
    readFile: readObjectFiles,
  }
}

const storedFormat = ({ format }: LibraryObject) => (format === 'source' ? ('source' as const) : ('simaticml' as const))

async function changedObject(
  ctx: CommandContext,
  object: LibraryObject,
  { name, number, uses = [] }: ObjectChange,
): Promise<LibraryObject> {
  const { file: _file, ...rest } = object
  let changed: LibraryObject = rest
  let text = await ctx.blobs.text(object.document)
  const before = text
  // Its own text may use its name too: a function assigns its result to it.
  const own: readonly (readonly [string, string])[] = name === undefined ? [] : [[object.name, name]]
  for (const [from, to] of [...own, ...uses]) {
    const document = storedDocument(ctx, changed, text)
    text = (await usesWork(ctx, 'renameIn', { document, from, to }, object.size)).text
  }
  const newNames = new Map(uses.map(([from, to]) => [from.toLowerCase(), to]))
  const named = (one: string) => newNames.get(one.toLowerCase()) ?? one
  changed = {
    ...changed,
    uses: object.uses.map(named),
    ...(object.instanceOf === undefined ? {} : { instanceOf: named(object.instanceOf) }),
  }
  if (name !== undefined || (number !== undefined && object.format !== 'source')) {
    const edit = {
      ...defined({ name }),
      ...(number === undefined || object.format === 'source' ? {} : { number }),
    }
    const document = storedDocument(ctx, changed, text)
    const edited = await work(ctx, 'editDocument', { document, edit }, object.size)
    text = edited.xml ?? edited.text ?? text
  }
  if (text !== before) changed = { ...changed, document: await ctx.blobs.put(text), size: Buffer.byteLength(text) }
  else if (object.file !== undefined) changed = { ...changed, file: object.file }
  return {
    ...changed,
    ...defined({ name, number }),
  }
}

/** The next free number after that of the object; of an organization block one that its event class has. */
function freeNumber(
  { objectKind, number = 0, secondaryType = 'ProgramCycle' }: LibraryObject,
  taken: Set<string>,
): number {
  const last = 65_535
  for (let step = 1; step <= last; step++) {
    const candidate = ((number + step - 1) % last) + 1
    const key = numberKey(objectKind, candidate)
    if (taken.has(key) || (objectKind === 'OB' && !fitsClass(candidate, secondaryType))) continue
    taken.add(key)
    return candidate
  }
  throw problem('conflict', `All numbers of kind ${objectKind} are taken.`)
}

async function store(
  ctx: CommandContext,
  device: Device,
  object: LibraryObject,
  { folder, overwrite }: StorePlace,
  find: (ctx: Reader, deviceId: string, name: string) => KeptObject | undefined,
): Promise<StoredIn> {
  const { document, size, file, autoNumber, secondaryType } = object
  const present = find(ctx, device.id, object.name)
  const own = present && 'number' in present ? (present as Block) : undefined
  // An object that is replaced keeps its number, as long as it is of the same group.
  const isSameGroup = own !== undefined && groupOf(own.kind) === groupOf(object.objectKind)
  const number = isSameGroup ? own.number : object.number
  const stored = {
    format: storedFormat(object),
    document,
    size,
    ...defined({ file }),
  }
  const result = await storeObject(ctx, device, await readDocument(ctx, object), {
    folder,
    overwrite,
    stored,
    saved: {
      id: ctx.newId(),
      createdAt: ctx.now,
      modifiedAt: ctx.now,
      ...defined({ number }),
      ...(autoNumber === undefined ? {} : { autoNumber: isSameGroup ? own.autoNumber : autoNumber }),
      ...defined({ secondaryType }),
    },
  })
  const kept = find(ctx, device.id, result.name)!
  const warnings = [...(result.warnings ?? [])]
  if (result.number !== undefined && object.number !== undefined && !isSameGroup && result.number !== object.number)
    warnings.push(`"${result.name}" has number ${result.number}; ${object.number} is taken.`)
  return {
    id: kept.id,
    name: result.name,
    folder: kept.folder,
    ...defined({ number: result.number }),
    action: result.action,
    document: (kept as Partial<Exportable>).document ?? document,
    warnings,
  }
}

const readObjectFiles: LibraryKind['readFile'] = async (ctx, files) => {
  const read = await readObjects(ctx, files, { culture: cultureOf(ctx) })
  return read.map(({ objects, faults }, i) => {
    const beside = files[i]!.beside
    const [fault] = faults
    if (fault) return { fault: `${fault.line === undefined ? '' : `line ${fault.line}: `}${fault.message}` }
    const [found] = objects
    if (!found || objects.length > 1) return { fault: `holds ${objects.length} objects; one is needed` }
    const { object, stored } = found
    return {
      ...beside,
      objectKind: object.kind,
      name: object.name === '' ? beside.name : object.name,
      language: object.language,
      format: stored.format,
      document: stored.document,
      size: stored.size,
      ...defined({ file: stored.file, instanceOf: object.instanceOf, engineeringVersion: object.engineeringVersion }),
    }
  })
}

export const programKinds: readonly LibraryKind[] = [
  programKind(typeSource),
  programKind(blockSource),
  programKind(tagTableSource),
  programKind(watchTableSource),
]
