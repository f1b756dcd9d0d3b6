/** Files of a folder that can be opened or restored as a project. */
import { extname } from 'node:path'
import type { QueryContext } from '../../../core/index.ts'

/** Projects of Gantry and of TIA Portal, and archives of either. */
const projectFile = /\.(gantry|ap\d\d|zap\d\d)$/i
/** Folders of a TIA Portal project, of version control and of package tools hold no project. */
const foreignFolder = /^(\.|node_modules$|System$|IM$|UserFiles$|AdditionalFiles$|XRef$|Vci$|TMP$|Logs$)/

/** Folders that are looked at, and files that are told, at most. */
const mostFolders = 5000
const mostFiles = 1000

/** A file as clients list it. */
export interface ProjectFile {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** With its dot, as in the name. */
  readonly extension: string
  /** Bytes. */
  readonly size: number
  readonly lastModified: string
}

/**
 * The project files in a folder and below it, by path. What is below the folder of a project belongs to that project.
 * @throws GatewayError `not_found`, `path_outside_workspace`
 */
export async function projectFilesIn(
  ctx: Pick<QueryContext, 'files' | 'signal'>,
  folder: string,
): Promise<{ files: ProjectFile[]; warnings: string[] }> {
  const files: ProjectFile[] = []
  const warnings: string[] = []
  let looked = 0
  for (let level = [folder]; level.length > 0; ) {
    const next: string[] = []
    for (const one of level) {
      ctx.signal.throwIfAborted()
      if (looked++ >= mostFolders || files.length >= mostFiles) {
        const limit = files.length >= mostFiles ? `${mostFiles} files` : `${mostFolders} folders`
        warnings.push(`Not all is listed: "${folder}" holds more than ${limit}. Name a folder in it with path.`)
        return { files: sorted(files), warnings }
      }
      const entries = await ctx.files.list(one, { withStats: true })
      const found = entries.filter(({ name, isDirectory }) => !isDirectory && projectFile.test(name))
      for (const { name, path, size, modifiedAt } of found)
        files.push({ name, path, extension: extname(name), size: size ?? 0, lastModified: modifiedAt ?? '' })
      if (found.some(({ name }) => !/\.zap\d\d$/i.test(name))) continue
      next.push(
        ...entries.flatMap(({ name, path, isDirectory }) => (isDirectory && !foreignFolder.test(name) ? [path] : [])),
      )
    }
    level = next
  }
  return { files: sorted(files), warnings }
}

const sorted = (files: readonly ProjectFile[]) => [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
