/** Folders of the objects of a device (groups in TIA Portal): one tree each for blocks, types and tag tables. */

import {
  type Collection,
  type CommandContext,
  collection,
  type DomainEvent,
  domainEvent,
  notFound,
  on,
  ownedBy,
  problem,
  type SliceReader,
} from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { type Device, device } from '../devices/index.ts'

/** A folder. It can be empty. */
export interface Folder {
  readonly deviceId: string
  /** `A/B`: names from the outermost on, in their first spelling. */
  readonly path: string
}

/** A leaf of a tree: anything that is kept in a folder. */
export interface InFolder {
  readonly name: string
  /** `A/B`; empty: directly below the root. */
  readonly folder: string
}

/** A node of a tree answer. */
export type TreeNode<L> = L | { name: string; path: string; isFolder: true; children: TreeNode<L>[] }

/** Folders are nested at most this deep, and a path has at most this many characters. */
const maxDepth = 20
const maxPath = 1000

/** One plugin's folders: their place in the state, their events and functions. */
export class FolderTree {
  readonly folders: Collection<Folder>
  readonly created: DomainEvent<Folder>
  readonly deleted: DomainEvent<Folder>
  readonly #entity: string

  /**
   * @param plugin prefix of the collection and the events
   * @param entity prefix of entities, e.g. `block-folder`
   * @param noun one of the objects in the folders, e.g. `block`
   */
  constructor(plugin: string, entity: string, noun: string) {
    this.#entity = entity
    this.folders = collection<Folder>(`${plugin}.folders`, { byDevice: (folder) => folder.deviceId }, [
      ownedBy(device, 'byDevice'),
    ])
    this.created = domainEvent<Folder>(`${plugin}.folder-created`, `A folder of ${noun}s was created`)
    this.deleted = domainEvent<Folder>(`${plugin}.folder-deleted`, `A folder of ${noun}s was deleted`)
  }

  /** The rules of the fold: spread them into the plugin's slice. */
  get reductions() {
    return [
      on(this.created, (write, folder) => write(this.folders).set(folderKey(folder.deviceId, folder.path), folder)),
      on(this.deleted, (write, { deviceId, path }) => write(this.folders).delete(folderKey(deviceId, path))),
    ]
  }

  /** The path of a folder in its own spelling, or undefined. */
  find(ctx: { read: SliceReader }, deviceId: string, path: string): Folder | undefined {
    return ctx.read(this.folders).get(folderKey(deviceId, path))
  }

  /** All folders of a device, sorted by path. */
  list(ctx: { read: SliceReader }, deviceId: string): Folder[] {
    return ctx
      .read(this.folders)
      .find('byDevice', deviceId)
      .sort(byText(({ path }) => path))
  }

  /**
   * Creates the folder and its missing parents. Returns its path in the spelling of the tree.
   * @throws GatewayError `invalid_input` for a path that cannot be one
   */
  ensure(ctx: CommandContext, device: Device, path: string, field = '/folder'): string {
    let whole = ''
    for (const segment of segmentsOf(path, field)) {
      const wanted = whole === '' ? segment : `${whole}/${segment}`
      const present = this.find(ctx, device.id, wanted)
      whole = present?.path ?? wanted
      if (!present)
        ctx.emit(this.created, { deviceId: device.id, path: whole }, `${this.#entity}/${device.name}/${whole}`)
    }
    return whole
  }

  /**
   * Makes a folder that must not exist yet.
   * @throws GatewayError `name_taken`
   */
  create(ctx: CommandContext, device: Device, path: string, field = '/path'): string {
    const wanted = segmentsOf(path, field).join('/')
    const present = this.find(ctx, device.id, wanted)
    if (present) throw problem('name_taken', `Folder "${present.path}" of "${device.name}" already exists.`)
    return this.ensure(ctx, device, wanted, field)
  }

  /** @throws GatewayError `not_found` with the nearest path */
  require(ctx: { read: SliceReader }, device: Device, path: string, field = '/path'): Folder {
    const wanted = segmentsOf(path, field).join('/')
    const folder = this.find(ctx, device.id, wanted)
    if (!folder) {
      const paths = this.list(ctx, device.id).map((other) => other.path)
      throw notFound('folder', wanted, paths)
    }
    return folder
  }

  /** Deletes the folder and all folders below it. They must be empty. */
  delete(ctx: CommandContext, device: Device, path: string): string[] {
    const gone = this.list(ctx, device.id)
      .map((folder) => folder.path)
      .filter((other) => isInside(other, path))
      .reverse()
    for (const one of gone)
      ctx.emit(this.deleted, { deviceId: device.id, path: one }, `${this.#entity}/${device.name}/${one}`)
    return gone
  }
}

/** Key of a folder: names are compared without case. */
export function folderKey(deviceId: string, path: string): string {
  return `${deviceId}/${path.toLowerCase()}`
}

/** True when `path` is the folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()]
  return inner === outer || inner.startsWith(`${outer}/`)
}

/**
 * The names of a path; `\` separates too, and empty segments at both ends are left out.
 * @throws GatewayError `invalid_input`
 */
export function segmentsOf(path: string, field: string): string[] {
  const segments = path
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) => segment.trim())
  const fault =
    path.length > maxPath
      ? `has ${path.length} characters; at most ${maxPath} are allowed`
      : segments.length > maxDepth
        ? `is ${segments.length} folders deep; at most ${maxDepth} are allowed`
        : segments.some((segment) => segment === '')
          ? 'has an empty name in it; write A/B'
          : segments.some((segment) => segment.length > 128)
            ? 'has a name of more than 128 characters'
            : segments.some((segment) => segment === '.' || segment === '..' || /[\p{Cc}\p{Surrogate}]/u.test(segment))
              ? 'has a name that no folder can have (., .. or control characters)'
              : undefined
  if (fault) {
    throw problem('invalid_input', `${field}: "${path}" is not a folder path: it ${fault}.`, {
      errors: [{ path: field, message: fault, value: path }],
    })
  }
  return segments
}

/** The tree of folders with their objects: folders first, then objects, each sorted by name. */
export function treeOf<T extends InFolder, L>(
  folders: readonly Folder[],
  objects: readonly T[],
  leaf: (object: T) => L,
): TreeNode<L>[] {
  interface Building {
    readonly folders: TreeNode<L>[]
    readonly leaves: T[]
  }
  const root: Building = { folders: [], leaves: [] }
  const built = new Map<string, Building>([['', root]])
  const all: [Building, { children: TreeNode<L>[] }][] = []
  for (const { path } of folders) {
    const at = path.lastIndexOf('/')
    const parent = built.get(path.slice(0, Math.max(0, at)).toLowerCase()) ?? root
    const node = { name: path.slice(at + 1), path, isFolder: true as const, children: [] as TreeNode<L>[] }
    const own: Building = { folders: [], leaves: [] }
    parent.folders.push(node)
    built.set(path.toLowerCase(), own)
    all.push([own, node])
  }
  for (const object of objects) (built.get(object.folder.toLowerCase()) ?? root).leaves.push(object)
  const nodesOf = ({ folders: inner, leaves }: Building) => [
    ...inner,
    ...leaves.sort(byText(({ name }) => name)).map(leaf),
  ]
  for (const [own, node] of all) node.children.push(...nodesOf(own))
  return nodesOf(root)
}

/** What is directly in a folder (empty: the root): folders, then objects, each sorted by name. */
export function levelOf<T extends InFolder>(folders: readonly Folder[], objects: readonly T[], inside: string) {
  const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/'))).toLowerCase()
  const known = new Set(folders.map(({ path }) => path.toLowerCase()))
  const wanted = inside.toLowerCase()
  const isHere = (folder: string) => (known.has(folder) ? folder : '') === wanted
  return {
    folders: folders
      .filter(({ path }) => isHere(parentOf(path)))
      .map(({ path }) => ({ name: path.slice(path.lastIndexOf('/') + 1), path, isFolder: true as const })),
    leaves: objects.filter(({ folder }) => isHere(folder.toLowerCase())).sort(byText(({ name }: InFolder) => name)),
  }
}

/** Compares texts without regard to case, the same way on every machine. */
export function byText<T>(text: (value: T) => string) {
  return (a: T, b: T): number => compareTexts(text(a).toLowerCase(), text(b).toLowerCase())
}
