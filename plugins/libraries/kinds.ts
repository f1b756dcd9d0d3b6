/**
 * Kinds of objects that libraries keep: blocks, PLC data types, tag tables and watch tables here; a plugin with objects
 * of another kind (screens, faceplates) contributes its own. A device is captured with all objects of all kinds.
 */
import { type CommandContext, extensionPoint, notFound, problem, type QueryContext } from '../../core/index.ts'
import type { ComparedObjects } from '../../plc/edit/compare.ts'
import type { Device } from '../devices/index.ts'
import type { SaveContext } from '../projects/index.ts'

/** An object in a library: what there is to know of it, and its content as references to blobs. */
export interface LibraryObject {
  /** {@link LibraryKind.kind} */
  readonly kind: string
  /** `FB`, `GlobalDB`, `UDT`, `TagTable` … */
  readonly objectKind: string
  readonly name: string
  /** Folder in what was copied, `A/B`; empty: none. */
  readonly folder: string
  /** Blob: the exact text, as the object's own collection keeps it. */
  readonly document: string
  /** Bytes of the document. */
  readonly size: number
  /** How the document is written, e.g. `simaticml` or `source`. */
  readonly format: string
  /** Blob: the file that it came from, byte for byte, where that is known. */
  readonly file?: string
  /** `SCL`, `LAD` …; empty for what has none. */
  readonly language: string
  readonly number?: number
  readonly autoNumber?: boolean
  /** Event class of an organization block. */
  readonly secondaryType?: string
  /** FB or type of an instance data block. */
  readonly instanceOf?: string
  readonly engineeringVersion?: string
  /** Names of objects of the same program that it uses. */
  readonly uses: readonly string[]
  /** It was not asked for: others use it. */
  readonly isDependency?: true
}

/** An object of a device, in its collection. */
export interface KindEntry {
  readonly id: string
  readonly name: string
  readonly folder: string
}

/** What can be done about something in the way. */
export type Choice = 'overwrite' | 'rename' | 'keep'

/** Something in the way of an object that is to be stored. */
export interface Obstacle {
  /** `exists`: another object has the name; `name_taken`: something else has; `number_taken`; `only_one`. */
  readonly code: 'exists' | 'name_taken' | 'number_taken' | 'only_one'
  /** What is in the way, as a sentence without its subject. */
  readonly message: string
  readonly choices: readonly Choice[]
}

/** Where an object goes. */
export interface StorePlace {
  readonly folder: string
  /** Over the object of its name. */
  readonly overwrite: boolean
}

/** The outcome of an object. */
export interface StoredIn {
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly number?: number
  readonly action: 'created' | 'replaced' | 'unchanged'
  /** Blob of the document that is stored now. */
  readonly document: string
  readonly warnings: readonly string[]
}

type Reader = Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>

/** An object that is compared. */
export interface Comparable {
  readonly object: LibraryObject
  /** Its text, where that is no blob yet. */
  readonly text?: string
}

/** One kind of objects of a device, for libraries. */
export interface LibraryKind {
  /** `block`, `type`, `tag-table`, `watch-table`, `screen` … */
  readonly kind: string
  /** One object, for people: `PLC data type`. */
  readonly noun: string
  /** The kind of devices that have such objects. */
  readonly device: Device['kind']
  /** Other objects use its objects by their names. */
  readonly isSymbol: boolean
  /** The kind that earlier versions kept its objects as, which is another one now. */
  readonly earlier?: string
  /** The kind of an object that is kept as one of this kind, when an earlier version did so; absent: this one. */
  kindNow?(ctx: Reader, object: LibraryObject): Promise<string>
  /** Why such an object cannot be a library type; undefined: it can. */
  typeFault(object: Pick<LibraryObject, 'objectKind' | 'name'>): string | undefined
  list(ctx: Reader, device: Device): readonly KindEntry[]
  find(ctx: Reader, device: Device, name: string): KindEntry | undefined
  /** Folders, sorted. */
  folders(ctx: Reader, device: Device): readonly string[]
  ensureFolder(ctx: CommandContext, device: Device, path: string): string
  /** The object as a library keeps it; its folder is that on the device. */
  capture(ctx: CommandContext, device: Device, name: string): Promise<LibraryObject>
  /** Blob of the document that {@link capture} would give. */
  documentOf(ctx: Reader, device: Device, name: string): Promise<string>
  /** What is in the way of each object, or that it is there already with the same content. */
  obstacles(
    ctx: CommandContext,
    device: Device,
    objects: readonly LibraryObject[],
  ): Promise<readonly (Obstacle | 'same' | undefined)[]>
  /** A name like this one that is free on the device. @param taken further names that are not, in lower case */
  freeName(ctx: CommandContext, device: Device, name: string, taken: ReadonlySet<string>): string
  /** Numbers that objects of the device have, with their group: `FB/12`. */
  numbersTaken(ctx: CommandContext, device: Device): Set<string>
  /** A number for the object that is not taken; it is taken then. */
  freeNumber(object: LibraryObject, taken: Set<string>): number
  /** @throws GatewayError for a name that cannot be one */
  requireName(name: string, field: string): void
  /** The object under another name or number, and with other names for what it uses. */
  changed(ctx: CommandContext, device: Device, object: LibraryObject, change: ObjectChange): Promise<LibraryObject>
  store(ctx: CommandContext, device: Device, object: LibraryObject, place: StorePlace): Promise<StoredIn>
  /** The object as it is now, to be compared; nothing is stored for it. */
  current(ctx: Reader, device: Device, name: string): Promise<Comparable>
  compare(ctx: Reader, left: Comparable, right: Comparable): Promise<ComparedObjects>
  /** The object as a file: name with extension, and content. */
  fileOf(ctx: SaveContext, object: LibraryObject): Promise<{ readonly extension: string; readonly content: string }>
  /** The object in a file that {@link fileOf} made; the attributes beside it in the library only fill gaps. */
  readFile(
    ctx: CommandContext,
    files: readonly { readonly path: string; readonly beside: LibraryObject; read(): Promise<Buffer> }[],
  ): Promise<readonly (LibraryObject | { readonly fault: string })[]>
}

export interface ObjectChange {
  readonly name?: string
  readonly number?: number
  /** From the old name to the new one. */
  readonly uses?: readonly (readonly [from: string, to: string])[]
}

/** Plugins that have objects of a kind contribute to this point. */
export const libraryKind = extensionPoint<LibraryKind>('libraries.kinds', {
  title: 'Kinds of library objects',
  description:
    'A kind of objects of a device that libraries keep: how its objects are found, captured, stored and compared. Each kind has a name of its own.',
  constant: 'libraryKind',
  check: {
    kind: 'text',
    noun: 'text',
    device: 'text',
    isSymbol: 'boolean',
    earlier: 'text?',
    kindNow: 'function?',
    typeFault: 'function',
    list: 'function',
    find: 'function',
    folders: 'function',
    ensureFolder: 'function',
    capture: 'function',
    documentOf: 'function',
    obstacles: 'function',
    freeName: 'function',
    numbersTaken: 'function',
    freeNumber: 'function',
    requireName: 'function',
    changed: 'function',
    store: 'function',
    current: 'function',
    compare: 'function',
    fileOf: 'function',
    readFile: 'function',
  },
  example:
    "{ kind: 'recipe', noun: 'recipe', device: 'plc', isSymbol: false, typeFault() {}, list: () => [], find() {}, " +
    'folders: () => [], ensureFolder: (ctx, device, path) => path, capture, documentOf, obstacles, freeName, ' +
    'numbersTaken: () => new Set(), freeNumber, requireName() {}, changed, store, current, compare, fileOf, readFile }',
  formerly: 'libraries.kind',
})

/** Kinds that a device has objects of. */
export function kindsOf(ctx: Pick<QueryContext, 'extensions'>, device: Pick<Device, 'kind'>): LibraryKind[] {
  return ctx.extensions(libraryKind).filter((kind) => kind.device === device.kind)
}

/**
 * The kind of this name.
 * @throws GatewayError `unacceptable_content`: no loaded plugin keeps such objects
 */
export function kindNamed(ctx: Pick<QueryContext, 'extensions'>, kind: string): LibraryKind {
  const all = ctx.extensions(libraryKind)
  const found = all.find((one) => one.kind === kind)
  if (found) return found
  const known = all.map((one) => one.kind).join(', ')
  throw problem('unacceptable_content', `Objects of kind "${kind}" are not known here; there are ${known}.`)
}

/** The kind that a word means: `udt`, `tagTable` and the types of blocks (FB, DB) as other routes name them. */
function kindWord(text: string): string {
  const word = text.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  if (word === 'udt' || word === 'plc-type') return 'type'
  return /^(ob|fb|fc|db|(global|instance|array)-db)$/.test(word) ? 'block' : word
}

/**
 * An object of a device by its name.
 * @param wanted its kind; absent: a block or type of the name counts before a table
 * @throws GatewayError `not_found` with the nearest name, `invalid_input` for a kind that the device has not
 */
export function requireObject(
  ctx: Reader,
  device: Device,
  name: string,
  wanted: string | undefined,
): { readonly kind: LibraryKind; readonly entry: KindEntry } {
  const all = kindsOf(ctx, device)
  const word = wanted === undefined ? undefined : kindWord(wanted)
  const among = word === undefined ? all : all.filter(({ kind }) => kind === word)
  if (among.length === 0) {
    const allowed = all.map(({ kind }) => kind)
    const message = allowed.length === 0 ? `"${device.name}" has no objects` : `must be one of ${allowed.join(', ')}`
    throw problem('invalid_input', `/kind: ${message}.`, {
      errors: [{ path: '/kind', message, value: wanted, allowed }],
    })
  }
  for (const kind of among) {
    const entry = kind.find(ctx, device, name)
    if (entry) return { kind, entry }
  }
  const names = among.flatMap((kind) => kind.list(ctx, device).map((entry) => entry.name))
  throw notFound(wanted === undefined ? 'object' : among[0]!.noun, name, names)
}
