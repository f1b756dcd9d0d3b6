/** The files of a folder that a check reads. */
import type { FileReader } from '../../core/index.ts'
import { defined } from '../../lib/optional.ts'
import type { FolderFile } from '../../plc/review/read-folder.ts'

/** What is needed of a file system: that of a request, or of this process. */
export type FolderAccess = Pick<FileReader, 'read' | 'list' | 'stat'>

/** Everything that is read of a folder. */
export interface FolderContent {
  /** Files of program objects. */
  readonly program: readonly FolderFile[]
  /** Spreadsheets and text tables of tags. */
  readonly sheets: readonly FolderFile[]
  readonly hardware: readonly FolderFile[]
  /** Files that the system does not let read, when the caller goes on without them. */
  readonly refused?: readonly { readonly path: string; readonly message: string }[]
  /** Text of the configuration, when there is one. */
  readonly config?: string
}

export const configName = 'gantry.yml'

const programFile = /\.(xml|scl|db|udt|awl|stl|s7dcl)$/i
const sheetFile = /\.(xlsx|sdf|csv)$/i
const textsFile = /\.s7res$/i
const hardwareFile = /\.aml$/i
/** Folders of tools. */
const foreign = new Set(['.git', '.svn', '.hg', 'node_modules', '.gantry'])
/** Beyond these the wrong folder was named. */
const maxDepth = 40
const maxFiles = 100_000
const maxBytes = 512 * 1024 * 1024

/** The folder cannot be checked as a whole. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/**
 * Reads the files of a folder, or one file.
 * @param goesOn without files that the system does not let read: they are listed
 * @throws FolderError when there are too many, or nothing that could be checked
 */
export async function readFolderContent(
  access: FolderAccess,
  root: string,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): Promise<FolderContent> {
  const paths = await pathsBelow(access, root)
  let size = 0
  const read = async (path: string): Promise<Uint8Array> => {
    const bytes = await access.read(path)
    size += bytes.length
    if (size > maxBytes) throw new FolderError(`The files have more than ${maxBytes / 1024 / 1024} MiB together.`)
    return bytes
  }
  const texts = new Map(
    paths.filter(({ path }) => textsFile.test(path)).map((one) => [one.path.toLowerCase(), one.full]),
  )
  const refused: { path: string; message: string }[] = []
  const filesLike = async (pattern: RegExp): Promise<FolderFile[]> => {
    const found: FolderFile[] = []
    for (const { path, full } of paths) {
      if (!pattern.test(path)) continue
      const beside = /\.s7dcl$/i.test(path) ? texts.get(path.toLowerCase().replace(/\.s7dcl$/, '.s7res')) : undefined
      try {
        found.push({
          path,
          bytes: await read(full),
          ...defined({ texts: beside === undefined ? undefined : await read(beside) }),
        })
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (!goesOn || (code !== 'EACCES' && code !== 'EPERM')) throw error
        refused.push({ path, message })
      }
    }
    return found
  }
  const config = paths.find(({ path }) => path === configName || path === 'gantry.yaml')
  return {
    program: await filesLike(programFile),
    sheets: await filesLike(sheetFile),
    hardware: await filesLike(hardwareFile),
    ...(refused.length > 0 ? { refused } : {}),
    ...(config ? { config: new TextDecoder().decode(await access.read(config.full)) } : {}),
  }
}

/** Files below a folder, sorted by path; for a file itself its name. @throws FolderError when it is too large */
export async function pathsBelow(access: FolderAccess, root: string): Promise<{ path: string; full: string }[]> {
  const found: { path: string; full: string }[] = []
  const info = await access.stat(root)
  if (info && !info.isDirectory) return [{ path: root.replace(/^.*[/\\]/, ''), full: root }]
  const walk = async (folder: string, relative: string, depth: number): Promise<void> => {
    if (depth > maxDepth) throw new FolderError(`"${root}" is nested more than ${maxDepth} folders deep.`)
    for (const entry of await access.list(folder)) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory) {
        if (!foreign.has(entry.name)) await walk(entry.path, path, depth + 1)
      } else found.push({ path, full: entry.path })
      if (found.length > maxFiles)
        throw new FolderError(`"${root}" holds more than ${maxFiles} files; name the folder of a program.`)
    }
  }
  await walk(root, '', 0)
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
