/** Writes the open project to its folder: only changed files, and removes those of deleted objects. */
import { basename, dirname, join } from 'node:path'
import { type CommandContext, problem } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import { requireProjectName } from '../create.ts'
import { type Project, projectSaved } from '../project.ts'
import type { ProjectFile } from '../project-section.ts'
import { collectFiles } from './collect.ts'
import { hashOf, readTree, type Tree } from './tree.ts'

/** The outcome of a save. */
export interface Saved {
  readonly name: string
  readonly path: string
  /** Files of the project. */
  readonly files: number
  readonly written: number
  readonly removed: number
  readonly unchanged: number
}

/** The files of the last save: path to hash. */
export type SavedFiles = Readonly<Record<string, string>>

const noTree: Tree = { files: [], folders: [], foreign: [], leftovers: [], modifiedAt: new Map() }

/**
 * Saves the project; with `target` under another name into a new folder, which is then the folder of the project.
 * Files are put in place after the command, the manifest last.
 */
export async function saveProject(
  ctx: CommandContext,
  project: Project,
  target?: { readonly name: string; readonly path: string },
): Promise<Saved> {
  const { name, path } = target ?? project
  const { files, patterns } = await collectFiles(ctx, project, name)
  const exists = target === undefined && (await ctx.files.stat(path)) !== undefined
  const tree = exists ? await readTree(ctx.files, path) : noTree
  const removed = await removeGone(ctx, path, tree, files, patterns)
  const before: SavedFiles = exists && project.savedFiles ? JSON.parse(await ctx.blobs.text(project.savedFiles)) : {}
  const saved: Record<string, string> = {}
  let written = 0
  let done = 0
  for (const file of files.values()) {
    if (++done % 100 === 0) {
      ctx.signal.throwIfAborted()
      ctx.progress(50 + (45 * done) / files.size, `Writing ${done} of ${files.size} files`)
    }
    const hash = file.blob ?? hashOf(file.content ?? '')
    saved[file.path] = hash
    const target = join(path, file.path)
    const changedAt = tree.modifiedAt.get(file.path)
    if (changedAt !== undefined) {
      // A file untouched since the last save has the saved content.
      const known = changedAt <= (project.savedAt ?? 0) ? before[file.path] : undefined
      if ((known ?? hashOf(await ctx.files.read(target))) === hash) continue
    }
    // No file is newer than the save that wrote it.
    const times = { modifiedAt: file.modifiedAt ?? ctx.now }
    if (file.blob) await ctx.files.writeBlob(target, file.blob, times)
    else await ctx.files.write(target, file.content ?? '', times)
    written++
  }
  ctx.emit(
    projectSaved,
    { projectId: project.id, name, path, savedAt: ctx.now, files: await ctx.blobs.put(JSON.stringify(saved)) },
    `project/${name}`,
  )
  ctx.progress(100, `${counted(written, 'file')} written`)
  return { name, path, files: files.size, written, removed, unchanged: files.size - written }
}

/**
 * Removes files of a part whose objects are deleted, folders that become empty, and leftovers of an interrupted save.
 * All before anything is written: on a file system without case `plc_1` would otherwise be removed with `PLC_1`.
 */
async function removeGone(
  ctx: CommandContext,
  root: string,
  tree: Tree,
  files: ReadonlyMap<string, ProjectFile>,
  patterns: readonly RegExp[],
): Promise<number> {
  const gone = tree.files.filter((path) => !files.has(path) && patterns.some((pattern) => pattern.test(path)))
  const away = new Set([...gone, ...tree.leftovers])
  if (away.size === 0) return 0
  const kept = new Set<string>()
  const keep = (path: string) => {
    for (let folder = path; folder !== '.' && folder !== ''; folder = dirname(folder)) kept.add(folder.toLowerCase())
  }
  for (const path of tree.files) if (!away.has(path)) keep(dirname(path))
  for (const path of files.keys()) keep(dirname(path))
  for (const folder of tree.foreign) keep(folder)
  const { folders, single } = outermostOf(
    away,
    tree.folders.filter((folder) => !kept.has(folder.toLowerCase())),
  )
  for (const path of single) await ctx.files.remove(join(root, path))
  for (const folder of folders) await ctx.files.remove(join(root, folder))
  return gone.length
}

/** The folders that a path lies in, the innermost first. */
function* foldersAbove(path: string): Generator<string> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) yield folder
}

/**
 * What is removed: the outermost folders that become empty because files in them go, and the files in none of them.
 * @param free folders in which nothing stays
 */
export function outermostOf(
  away: ReadonlySet<string>,
  free: readonly string[],
): { readonly folders: readonly string[]; readonly single: readonly string[] } {
  const left = new Set([...away].flatMap((path) => [...foldersAbove(path)]))
  const emptied = new Set(free.filter((folder) => left.has(folder)))
  const isOut = (path: string) => !emptied.has(dirname(path))
  return { folders: [...emptied].filter(isOut), single: [...away].filter(isOut) }
}

/** The destination of "save as": a new folder, whose name is the project's new name. */
export async function saveTarget(ctx: CommandContext, path: string): Promise<{ name: string; path: string }> {
  const folder = await ctx.files.resolve(path)
  const name = basename(folder)
  requireProjectName(name, '/path')
  if (await ctx.files.stat(folder))
    throw problem('name_taken', `"${folder}" exists already; name a folder that does not.`)
  return { name, path: folder }
}
