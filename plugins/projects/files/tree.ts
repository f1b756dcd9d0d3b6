/** The files of a project: a folder of the workspace, or the content of an archive. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { problem, type QueryContext } from '../../../core/index.ts'
import { draftEnd } from '../../../lib/draft-file.ts'
import { lowerBound } from '../../../lib/lower-bound.ts'
import type { GivenController, GivenLibrary, GivenStation, ProjectFiles } from '../project-section.ts'
import { conflictLines } from './merge-conflicts.ts'

type FileReader = QueryContext['files']

/** Limits of a project in files and in segments of a path. Beyond them the client named the wrong folder. */
const maxFiles = 100_000
const maxDepth = 40

/** Folders of version control and package tools: never part of a project. */
const foreignFolders = new Set(['.git', '.svn', '.hg', 'node_modules'])

/** The content of a folder. Paths are relative, with `/`, sorted. */
export interface Tree {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /** Folders that contain files of others (`.git` …): they must stay. */
  readonly foreign: readonly string[]
  /** Temporary files of a save that was interrupted, and folders that it removed. */
  readonly leftovers: readonly string[]
  /** When each file was last changed, milliseconds since the epoch. */
  readonly modifiedAt: ReadonlyMap<string, number>
}

/** Walks a folder. Symbolic links are not followed. */
export async function readTree(files: FileReader, root: string): Promise<Tree> {
  const tree = { files: [] as string[], folders: [] as string[], foreign: [] as string[], leftovers: [] as string[] }
  const modifiedAt = new Map<string, number>()
  // Folder after folder would wait for the disk once for each: a plant of 200 devices has more than 200.
  for (let [level, depth] = [[''], 0]; level.length > 0; depth++) {
    if (depth > maxDepth)
      throw problem('invalid_input', `"${root}" is nested more than ${maxDepth} folders deep at "${level[0]}".`)
    const below: string[] = []
    const lists = await Promise.all(level.map((folder) => files.list(join(root, folder), { withStats: true })))
    for (const [i, folder] of level.entries()) {
      for (const entry of lists[i]!) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory && foreignFolders.has(entry.name)) tree.foreign.push(folder)
        else if (draftEnd.test(entry.name)) tree.leftovers.push(path)
        else if (entry.isDirectory) below.push(path)
        else {
          tree.files.push(path)
          if (entry.modifiedAt !== undefined) modifiedAt.set(path, Date.parse(entry.modifiedAt))
        }
      }
      if (tree.files.length > maxFiles)
        throw problem('payload_too_large', `"${root}" holds more than ${maxFiles} files; name the folder of a project.`)
    }
    tree.folders.push(...below)
    level = below
  }
  tree.files.sort()
  return { ...tree, modifiedAt }
}

/** The bytes of a file and when it was changed. */
interface FileSource {
  readonly read: (path: string) => Promise<Buffer>
  /** Milliseconds since the epoch. */
  readonly modifiedAt: (path: string) => Promise<number>
}

/** The files of a project's folder. Keeps the hashes of read files for the next save. */
export class FolderFiles implements ProjectFiles {
  readonly hashes = new Map<string, string>()
  /** Lines of merge conflicts in the files that were read, by path. */
  readonly conflicts = new Map<string, readonly number[]>()
  readonly #paths: readonly string[]
  readonly #known: ReadonlySet<string>
  readonly #source: FileSource

  readonly controllers: readonly GivenController[]
  readonly stations: readonly GivenStation[]
  readonly library: GivenLibrary

  constructor(
    paths: readonly string[],
    source: FileSource,
    plant: Pick<ProjectFiles, 'controllers' | 'stations' | 'library'> = {
      controllers: [],
      stations: [],
      library: { types: [], copies: [], instances: [] },
    },
  ) {
    this.controllers = plant.controllers
    this.stations = plant.stations
    this.library = plant.library
    this.#paths = [...paths].sort()
    this.#known = new Set(paths)
    this.#source = source
  }

  /** The files below `root`. */
  static of(files: FileReader, root: string, tree: Tree): FolderFiles {
    return new FolderFiles(tree.files, {
      read: (path) => files.read(join(root, path)),
      modifiedAt: async (path) => tree.modifiedAt.get(path) ?? 0,
    })
  }

  list(prefix = ''): string[] {
    // Each device lists its own: to look at all paths for each would grow with the square.
    const from = lowerBound(this.#paths, (path) => path < prefix)
    let end = from
    while (this.#paths[end]?.startsWith(prefix)) end++
    return this.#paths.slice(from, end)
  }
  has(path: string): boolean {
    return this.#known.has(path)
  }
  async read(path: string): Promise<Buffer> {
    if (!this.has(path)) throw problem('not_found', `The project has no file "${path}".`)
    const content = await this.#source.read(path)
    this.hashes.set(path, hashOf(content))
    const lines = conflictLines(content)
    if (lines.length > 0) this.conflicts.set(path, lines)
    return content
  }
  modifiedAt(path: string): Promise<number> {
    return this.#source.modifiedAt(path)
  }
}

/** Hash in the form of blob names. */
export function hashOf(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** The test for a pattern: `*` matches characters of one segment, `**` any segments. */
export function pathPattern(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((segment) =>
      segment === '**' ? '**' : segment.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'),
    )
    .join('/')
    .replaceAll('**/', '(?:[^/]+/)*')
    .replaceAll('**', '.*')
  return new RegExp(`^${source}$`)
}
