/**
 * Puts the files of a command in their place: all of them, or none.
 *
 * New content is written beside its place first, and every file that will be replaced is kept there under a second
 * name. Then follow the renames, each atomic, and what is removed is renamed away. When one of them is refused (on
 * Windows: a program has the file open) those before it are taken back. What stands beside is removed in the end.
 */
import { constants } from 'node:fs'
import { copyFile, link, lstat, open, rm, rmdir } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { draftOf } from '../../lib/draft-file.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { patiently, renameFile } from '../../lib/patient-rename.ts'
import type { FileTimes } from '../contract/context.ts'
import { fileProblem } from '../contract/file-problem.ts'
import { problem } from '../contract/problems.ts'

/** What is to be done at a path. */
export type Staged = (
  | ({ readonly kind: 'write'; readonly content: string | Uint8Array } & FileTimes)
  | ({ readonly kind: 'blob'; readonly hash: string } & FileTimes)
  | { readonly kind: 'directory' }
  | { readonly kind: 'remove' }
) & {
  /** It comes instead of what was removed at this path before. */
  readonly replaces?: boolean
}

export interface PlaceOptions {
  readonly blob: (hash: string) => Promise<Uint8Array>
  /** The topmost folder above a path that is removed; what stands beside must not be inside it. */
  readonly removedAbove: (path: string) => string | undefined
  /** For tests. */
  readonly rename?: typeof renameFile
}

/**
 * Does everything that is staged, in its order; in the end the folders are synced, so that a power failure takes
 * nothing back.
 *
 * @throws GatewayError that names the file and says what is changed: nothing, or exactly what could not be taken back
 */
export async function putInPlace(staged: ReadonlyMap<string, Staged>, options: PlaceOptions): Promise<void> {
  const placing = new Placing(staged, options)
  try {
    await placing.prepare()
    await placing.place()
  } catch (error) {
    const fault = error instanceof FileFault ? error : undefined
    throw refusal(fault?.cause ?? error, fault?.path, await placing.takeBack())
  }
  await placing.finish()
}

/** The error of the system, at the path that it is about: it may name a draft itself. */
class FileFault extends Error {
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(path, { cause })
    this.path = path
  }
}

/** What could not be taken back. */
interface Remaining {
  readonly path: string
  /** Where the former content is. */
  readonly kept?: string
}

function refusal(error: unknown, path: string | undefined, remaining: readonly Remaining[]): unknown {
  const { code } = error as NodeJS.ErrnoException
  const found = path === undefined ? undefined : fileProblem(error, path, { isMaking: true })
  // The error of a blob that is not there, say: what it is, is told elsewhere.
  if (found === undefined && remaining.length === 0 && (path === undefined || code === undefined)) return error
  const told = remaining.map((one) => `"${one.path}"${one.kept === undefined ? '' : ` (as it was: "${one.kept}")`}`)
  const changed =
    told.length === 0
      ? 'Nothing was changed.'
      : `The other files are as they were; these could not be put back: ${told.join(', ')}.`
  const detail = found?.message ?? `"${path ?? 'A file'}" cannot be written (${code ?? String(error)}).`
  return problem((found?.code ?? 'internal_error') as 'internal_error', `${detail} ${changed}`, { cause: error })
}

class Placing {
  readonly #staged: ReadonlyMap<string, Staged>
  readonly #options: PlaceOptions
  readonly #rename: (from: string, to: string) => Promise<void>
  readonly #folders = new ChangedFolders()
  /** New content, by its path. */
  readonly #drafts = new Map<string, string>()
  /** What files that are replaced were. */
  readonly #kept = new Map<string, string>()
  /** What was removed is there still, with another name. */
  readonly #aside: string[] = []
  readonly #done: { readonly path: string; readonly kept?: string; takeBack(): Promise<unknown> }[] = []

  constructor(staged: ReadonlyMap<string, Staged>, options: PlaceOptions) {
    this.#staged = staged
    this.#options = options
    this.#rename = options.rename ?? renameFile
  }

  /** Everything that needs no change of what is there. */
  async prepare(): Promise<void> {
    await mapSomeAtOnce([...this.#staged], ([path, staged]) => at(path, () => this.#prepare(path, staged)))
  }

  async #prepare(path: string, staged: Staged): Promise<void> {
    const removed = this.#options.removedAbove(path)
    const isNew = removed !== undefined || staged.replaces === true
    if (staged.kind === 'directory' && !isNew) await this.#folders.make(path)
    if (staged.kind !== 'write' && staged.kind !== 'blob') return
    const beside = removed ?? path
    await this.#folders.make(dirname(beside))
    const draft = draftOf(beside)
    const handle = await open(draft, 'wx')
    this.#drafts.set(path, draft)
    try {
      await handle.writeFile(staged.kind === 'write' ? staged.content : await this.#options.blob(staged.hash))
      if (staged.modifiedAt !== undefined) await handle.utimes(new Date(), new Date(staged.modifiedAt))
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (!isNew) await this.#keep(path)
  }

  /** Keeps what a file is now. */
  async #keep(path: string): Promise<void> {
    const info = await lstat(path).catch(absent)
    if (info === undefined) return
    if (info.isDirectory()) throw systemError('EISDIR', path)
    // The mark of Windows: a rename would be tried for two seconds.
    if (process.platform === 'win32' && (info.mode & 0o200) === 0) throw systemError('EPERM', path)
    const kept = draftOf(path)
    this.#kept.set(path, kept)
    // On Windows a second name cannot be removed while a program has the file open, and not every system has them.
    if (process.platform === 'win32' || (await link(path, kept).catch(() => 'none')) === 'none')
      await patiently(() => copyFile(path, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
  }

  async place(): Promise<void> {
    for (const [path, staged] of this.#staged) await at(path, () => this.#place(path, staged))
  }

  async #place(path: string, staged: Staged): Promise<void> {
    const isFolder = staged.kind === 'directory'
    if (staged.kind === 'remove' || (staged.replaces && (isFolder || (await isDirectory(path))))) {
      await this.#setAside(path)
      this.#folders.removed(path)
    } else if (staged.replaces) await this.#keep(path)
    if (isFolder) await this.#folders.make(path)
    const draft = this.#drafts.get(path)
    if (draft === undefined) return
    await this.#folders.make(dirname(path))
    await this.#rename(draft, path).catch(async (error: unknown) => {
      throw (await isDirectory(path)) ? systemError('EISDIR', path) : error
    })
    const kept = this.#kept.get(path)
    if (kept === undefined) this.#done.push({ path, takeBack: () => rm(path, { force: true }) })
    else this.#done.push({ path, kept, takeBack: () => this.#rename(kept, path) })
  }

  async #setAside(path: string): Promise<void> {
    const kept = draftOf(path)
    if ((await lstat(path).catch(absent)) === undefined) return
    await this.#rename(path, kept)
    this.#aside.push(kept)
    this.#done.push({ path, kept, takeBack: () => this.#rename(kept, path) })
  }

  /** Puts everything back as it was. @returns what could not be */
  async takeBack(): Promise<readonly Remaining[]> {
    const remaining: Remaining[] = []
    for (const { path, kept, takeBack } of this.#done.reverse()) {
      // What was made is in the way of what was there before.
      if (kept !== undefined && this.#aside.includes(kept)) await this.#folders.takeBack(path)
      try {
        await takeBack()
      } catch {
        remaining.push(kept === undefined ? { path } : { path, kept })
      }
    }
    const needed = new Set(remaining.map(({ kept }) => kept))
    await removeAll([...this.#drafts.values(), ...this.#kept.values()].filter((one) => !needed.has(one)))
    await this.#folders.takeBack()
    return remaining
  }

  /** Makes it lasting, and removes what stands beside. */
  async finish(): Promise<void> {
    await this.#folders.sync()
    // What cannot be removed now is left as a draft; the files are in their place.
    await removeAll([...this.#kept.values(), ...this.#aside])
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  await mapSomeAtOnce(paths, (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined))
}

async function at<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new FileFault(path, error)
  }
}

const systemError = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code, path })

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(absent))?.isDirectory() === true
}

/** The folders in which a commit makes or removes something. */
class ChangedFolders {
  readonly #made = new Map<string, Promise<void>>()
  readonly #changed = new Set<string>()
  /** Folders that were not there before. */
  readonly #new = new Set<string>()

  /** Makes a folder, with those above it, unless it is there; something in it is going to change. */
  make(folder: string): Promise<void> {
    this.#changed.add(folder)
    const making = this.#made.get(folder) ?? this.#make(folder)
    this.#made.set(folder, making)
    return making
  }

  async #make(folder: string): Promise<void> {
    const first = await makeDirectory(folder)
    if (first === undefined) return
    for (let made = folder; made.length >= first.length; made = dirname(made)) {
      this.#new.add(made)
      this.#changed.add(dirname(made))
    }
  }

  /** A path was removed, and with it what was below it. */
  removed(path: string): void {
    for (const folder of this.#made.keys())
      if (folder === path || folder.startsWith(path + sep)) this.#made.delete(folder)
    this.#changed.add(dirname(path))
  }

  /** Removes the folders that were made, below a path or everywhere; one that something else has used stays. */
  async takeBack(below?: string): Promise<void> {
    const own = [...this.#new].filter((one) => below === undefined || one === below || one.startsWith(below + sep))
    for (const folder of own.sort((a, b) => b.length - a.length)) {
      this.#new.delete(folder)
      await rmdir(folder).catch(() => undefined)
    }
  }

  /** Makes the changes survive a power failure, where folders can be synced: not on Windows and some network drives. */
  async sync(): Promise<void> {
    const unsupported = (error: NodeJS.ErrnoException): undefined => {
      if (error.code === 'EIO') throw error
    }
    await mapSomeAtOnce([...this.#changed], async (folder) => {
      const handle = await open(folder, 'r').catch(unsupported)
      await handle
        ?.sync()
        .catch(unsupported)
        .finally(() => handle.close())
    })
  }
}

/** How many files are worked on together: the file system does some at once. */
const filesAtOnce = 16

/**
 * Does work for each item, some at once. After a failure nothing more is begun, and what has begun has ended.
 */
async function mapSomeAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += filesAtOnce) {
    const some = await Promise.allSettled(items.slice(from, from + filesAtOnce).map(work))
    for (const one of some) if (one.status === 'rejected') throw one.reason
  }
}
