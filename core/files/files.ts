/** Files of clients: only inside the workspace roots, and written together or not at all. */
import { constants, lstatSync, realpath as realpathOfNames } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '../../lib/make-directory.ts'
import { pathBelow } from '../../lib/path-below.ts'
import type { FileReader, FileTimes, FileWriter, FolderEntry } from '../contract/context.ts'
import { fileProblem } from '../contract/file-problem.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import { cannotBeMade } from './data-dir.ts'
import { absolutePath, windowsForm } from './path-rules.ts'
import { type PlaceOptions, putInPlace, type Staged } from './put-in-place.ts'

/** Largest file that a command reads as a whole, bytes. */
const maxReadBytes = 512 * 1024 * 1024

/** The folders that clients' paths must lie in. */
export class Workspace implements FileReader {
  readonly roots: readonly string[]
  /** The roots and, behind them, as they were given: a drive letter may stand for a share, a link for a folder. */
  readonly #spelled: readonly string[]

  private constructor(roots: readonly string[], given: readonly string[]) {
    this.roots = roots
    this.#spelled = [...roots, ...given.map((root) => resolve(root))]
  }

  /** Creates missing roots and resolves them once. */
  static async open(roots: readonly string[]): Promise<Workspace> {
    const real = await Promise.all(
      roots.map(async (root) => {
        await makeDirectory(root).catch((error) => {
          throw cannotBeMade('workspace folder', root, '--workspace', error)
        })
        return realpath(root)
      }),
    )
    return new Workspace(real, roots)
  }

  /**
   * The absolute path as a client's path alone says it: what cannot be a file of this computer is refused before
   * anything is looked at. It may still be outside of the roots.
   * @throws GatewayError as {@link absolutePath}
   */
  absolute(path: string): string {
    return absolutePath(path, this.#spelled)
  }

  /**
   * The absolute path with all symbolic links resolved. For a file that does not exist yet, its nearest existing folder
   * is resolved.
   * @param folders folders that were resolved before for the same command; each is resolved once
   * @throws GatewayError `path_outside_workspace`; `invalid_input` for what cannot be a path (core/files/path-rules.ts)
   */
  async resolve(path: string, folders?: ResolvedFolders): Promise<string> {
    const absolute = this.absolute(path)
    const real = await (folders ? realpathIn(absolute, folders) : nearestOf(absolute).then(({ real }) => real))
    if (!this.roots.some((root) => pathBelow(root, real) !== undefined)) {
      throw problem('path_outside_workspace', `"${path}" is outside the workspace roots (${this.roots.join(', ')}).`, {
        suggestion: 'Use a path inside a root, or start the gateway with --workspace DIR.',
      })
    }
    const form = sep === '/' ? windowsForm(path) : undefined
    if (form && (await stat(real).catch(absent)) === undefined)
      throw problem('invalid_input', `"${path}" ${form.reason}.`, { suggestion: form.suggestion })
    return real
  }

  async read(path: string): Promise<Buffer> {
    const real = await this.resolve(path)
    const info = await stat(real).catch(absent).catch(told(path))
    if (!info) throw problem('not_found', `There is no file "${path}".`)
    if (!info.isFile()) throw problem('invalid_input', `"${path}" is not a file.`)
    if (info.size > maxReadBytes)
      throw problem('payload_too_large', `"${path}" has ${info.size} bytes; the limit is ${maxReadBytes}.`)
    // O_NOFOLLOW: the file that was checked is the file that is read.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(told(path))
    try {
      return await handle.readFile().catch(told(path))
    } finally {
      await handle.close()
    }
  }

  async list(path: string, { withStats = false } = {}) {
    const real = await this.resolve(path)
    const found = await readdir(real, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw problem('not_found', `There is no folder "${path}".`)
      if (error.code === 'ENOTDIR') throw problem('invalid_input', `"${path}" is not a folder.`)
      return told(path)(error)
    })
    const entries: FolderEntry[] = found
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => ({ name: entry.name, path: join(real, entry.name), isDirectory: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    if (!withStats) return entries
    const known: FolderEntry[] = []
    for (const entry of entries) {
      // Asked one by one in the thread pool, the files of a large folder take five times as long.
      if (known.length % 16 === 15) await new Promise((resolve) => setImmediate(resolve))
      // A file can go, or become a link, while the folder is read.
      const info = entry.isDirectory ? undefined : lstatSync(entry.path, { throwIfNoEntry: false })
      known.push(info?.isFile() ? { ...entry, size: info.size, modifiedAt: info.mtime.toISOString() } : entry)
    }
    return known
  }

  async stat(path: string) {
    const info = await stat(await this.resolve(path))
      .catch(absent)
      .catch(told(path))
    if (!info) return undefined
    return {
      isFile: info.isFile(),
      isDirectory: info.isDirectory(),
      size: info.size,
      modifiedAt: info.mtime.toISOString(),
    }
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

/** Tells what the system refuses with the path that the client gave. */
function told(path: string): (error: unknown) => never {
  return (error) => {
    throw fileProblem(error, path) ?? error
  }
}

/** A path without symbolic links, and whether there is something. */
interface Resolved {
  readonly real: string
  readonly isThere: boolean
}

/** Folders by their path. */
export type ResolvedFolders = Map<string, Promise<Resolved>>

async function nearestOf(path: string): Promise<Resolved> {
  let existing = path
  const rest: string[] = []
  for (;;) {
    const real = await realpathOf(existing)
    if (real !== undefined) return { real: join(real, ...rest), isThere: rest.length === 0 }
    // A dangling link must not pass for a missing file: writing would follow it.
    rest.unshift(basename(existing))
    const parent = dirname(existing)
    if (parent === existing) return { real: path, isThere: false }
    existing = parent
  }
}

/** The same, by way of the folder, which is resolved once. */
async function realpathIn(path: string, folders: ResolvedFolders): Promise<string> {
  const folder = dirname(path)
  const known = folders.get(folder) ?? nearestOf(folder)
  folders.set(folder, known)
  const { real, isThere } = await known
  const whole = join(real, basename(path))
  return (isThere ? await realpathOf(whole) : undefined) ?? whole
}

/** Link by link: drivers of disks in memory, and Wine for long paths, do not tell where an open file is. */
const realpathByName = promisify(realpathOfNames)

/** `undefined`: there is nothing. */
async function realpathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw problem('path_outside_workspace', `"${path}" is a loop of symbolic links.`)
    if (code === 'ENAMETOOLONG')
      throw problem('invalid_input', `"${basename(path).slice(0, 80)}…" is too long for a path.`)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'UNKNOWN' || code === 'EISDIR') return realpathByName(path).catch(absent).catch(told(path))
    return told(path)(error)
  }
}

/** Whether what is at this path now goes, with all below it. */
const removes = (staged: Staged | undefined): boolean => staged?.kind === 'remove' || staged?.replaces === true

/** Where a command's files are read: the workspace, or in a replay what the recorded job read. */
export interface FileSource extends FileReader {
  resolve(path: string, folders?: ResolvedFolders): Promise<string>
}

/**
 * What a command learned from files, kept with the end of its job so that a replay learns the same. The key names the
 * question:
 *
 * - `<absolute path>`: a file's content or, as JSON, a folder's entries; the value is their blob
 * - `real <path as given>`: the resolved path, where it is another
 * - `stat <absolute path>`: JSON of the answer of `stat`, `null` where nothing exists
 * - `fail real|read|list|stat <path>`: JSON `{ code, detail, suggestion? }` of the problem that was thrown
 */
export type FileFacts = Record<string, string>

/** Receives everything that a transaction learns. */
export interface FileObserver {
  content(path: string, content: Buffer | string): Promise<void>
  fact(key: string, value: string): void
}

/** One command's files: reads see what it has staged; `commit` puts everything in place. */
export class FileTransaction implements FileWriter {
  readonly #source: FileSource
  readonly #blob: (hash: string) => Promise<Buffer>
  readonly #observer: FileObserver | undefined
  readonly #staged = new Map<string, Staged>()
  /** How many paths are staged below a folder, and how many of them are there after the commit. */
  readonly #below = new Map<string, { all: number; made: number }>()
  readonly #folders: ResolvedFolders = new Map()

  constructor(source: FileSource, blob: (hash: string) => Promise<Buffer>, observer?: FileObserver) {
    this.#source = source
    this.#blob = blob
    this.#observer = observer
  }

  /** Asks the source; a problem is recorded as a fact too. */
  async #ask<T>(verb: 'real' | 'read' | 'list' | 'stat', path: string, answer: () => Promise<T>): Promise<T> {
    try {
      return await answer()
    } catch (error) {
      if (this.#observer && isGatewayError(error))
        this.#observer.fact(
          `fail ${verb} ${path}`,
          JSON.stringify({ code: error.code, detail: error.message, suggestion: error.details.suggestion }),
        )
      throw error
    }
  }

  /** Paths that `commit` will write or remove. */
  get changes(): { path: string; change: Staged['kind'] }[] {
    return [...this.#staged].map(([path, { kind }]) => ({ path, change: kind }))
  }
  get isEmpty(): boolean {
    return this.#staged.size === 0
  }

  async resolve(path: string) {
    const real = await this.#ask('real', path, () => this.#source.resolve(path, this.#folders))
    if (real !== path) this.#observer?.fact(`real ${path}`, real)
    return real
  }

  async read(path: string): Promise<Buffer> {
    const real = await this.resolve(path)
    const staged = this.#staged.get(real)
    if (staged?.kind === 'write') return Buffer.from(staged.content as Uint8Array)
    if (staged?.kind === 'blob') return this.#blob(staged.hash)
    if (staged?.kind === 'remove' || this.#isRemoved(real)) throw problem('not_found', `There is no file "${path}".`)
    const content = await this.#ask('read', real, () => this.#source.read(real))
    await this.#observer?.content(real, content)
    return content
  }

  async list(path: string, options?: { readonly withStats?: boolean }) {
    const real = await this.resolve(path)
    const own = this.#staged.get(real)
    const isGone = removes(own) || this.#isRemoved(real)
    const isMade = own?.kind === 'directory' || this.#isMade(real)
    if (isGone && !isMade) throw problem('not_found', `There is no folder "${path}".`)
    const listing = isGone ? undefined : this.#ask('list', real, () => this.#source.list(real, options))
    const known = isMade ? await listing?.catch(notThere) : await listing
    if (known) await this.#observer?.content(real, JSON.stringify(known))
    const entries = new Map<string, FolderEntry>((known ?? []).map((entry) => [entry.path, entry]))
    for (const [staged, { kind }] of this.#staged) if (kind === 'remove') entries.delete(staged)
    for (const [staged, { kind }] of this.#staged) {
      if (kind === 'remove' || !staged.startsWith(real + sep)) continue
      // Entries that are staged deeper imply the folders above them.
      const name = staged.slice(real.length + 1).split(sep)[0]!
      const entry = join(real, name)
      entries.set(entry, { name, path: entry, isDirectory: entry !== staged || kind === 'directory' })
    }
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }

  async stat(path: string) {
    const real = await this.resolve(path)
    // Also of a folder that is removed and then written into again.
    if (this.#isMade(real)) return { isFile: false, isDirectory: true, size: 0, modifiedAt: new Date().toISOString() }
    const staged = this.#staged.get(real)
    if (!staged) {
      if (this.#isRemoved(real)) return undefined
      const info = await this.#ask('stat', real, () => this.#source.stat(real))
      this.#observer?.fact(`stat ${real}`, JSON.stringify(info ?? null))
      return info
    }
    if (staged.kind === 'remove') return undefined
    const size =
      staged.kind === 'write'
        ? Buffer.byteLength(staged.content as Uint8Array)
        : staged.kind === 'blob'
          ? (await this.#blob(staged.hash)).length
          : 0
    return {
      isFile: staged.kind !== 'directory',
      isDirectory: staged.kind === 'directory',
      size,
      modifiedAt: new Date().toISOString(),
    }
  }

  async write(path: string, content: string | Uint8Array, times: FileTimes = {}) {
    this.#stage(await this.resolve(path), { kind: 'write', content, ...times })
  }
  async writeBlob(path: string, hash: string, times: FileTimes = {}) {
    this.#stage(await this.resolve(path), { kind: 'blob', hash, ...times })
  }
  async makeDirectory(path: string) {
    this.#stage(await this.resolve(path), { kind: 'directory' })
  }
  async remove(path: string) {
    const real = await this.resolve(path)
    if (this.#below.get(real)?.all)
      for (const staged of [...this.#staged.keys()]) if (staged.startsWith(real + sep)) this.#unstage(staged)
    this.#stage(real, { kind: 'remove' })
  }

  /** Later entries win and move to the end: a folder can be removed and then written into again. */
  #stage(path: string, staged: Staged) {
    const before = this.#staged.get(path)
    const replaces = staged.kind !== 'remove' && removes(before)
    // What replaces keeps its turn: what was written into the folder since then stays.
    if (!replaces) this.#staged.delete(path)
    if (before !== undefined) this.#count(path, before, -1)
    this.#staged.set(path, replaces ? { ...staged, replaces } : staged)
    this.#count(path, staged, 1)
  }

  #unstage(path: string) {
    const staged = this.#staged.get(path)
    if (staged === undefined) return
    this.#staged.delete(path)
    this.#count(path, staged, -1)
  }

  #count(path: string, { kind }: Staged, by: 1 | -1) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const below = this.#below.get(folder) ?? { all: 0, made: 0 }
      below.all += by
      if (kind !== 'remove') below.made += by
      this.#below.set(folder, below)
    }
  }

  /** True when something is staged below the folder: it exists or will exist. */
  #isMade(folder: string): boolean {
    return (this.#below.get(folder)?.made ?? 0) > 0
  }

  #isRemoved(path: string): boolean {
    return this.#outermostRemoved(path) !== undefined
  }

  /** The topmost folder above `path` that this transaction removes; temporary files must not be inside it. */
  #outermostRemoved(path: string): string | undefined {
    let found: string | undefined
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (removes(this.#staged.get(folder))) found = folder
    }
    return found
  }

  /**
   * Puts everything in place, or changes nothing: {@link putInPlace}.
   * @param seams for tests
   */
  commit(seams: Pick<PlaceOptions, 'rename'> = {}): Promise<void> {
    const removedAbove = (path: string) => this.#outermostRemoved(path)
    return putInPlace(this.#staged, { blob: this.#blob, removedAbove, ...seams })
  }
}

function notThere(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'not_found') return undefined
  throw error
}
