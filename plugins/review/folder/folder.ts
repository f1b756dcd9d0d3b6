/** The files of a folder that a check reads. */

import type { FileReader } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { defined } from '../../../lib/optional.ts'
import { pathBelow } from '../../../lib/path-below.ts'
import { type ContributedFormat, formatNamed, translateFile } from '../../../plc/formats/file-format.ts'
import type { FileNote, FolderFile } from '../../../plc/review/read-folder.ts'

/** What is needed of a file system: that of a request, or of this process. */
export interface FolderAccess extends Pick<FileReader, 'read' | 'stat'> {
  list(path: string): Promise<readonly ListedEntry[]>
  /** Where a symbolic link leads; undefined: to nothing, or round in a circle. */
  target?(path: string): Promise<string | undefined>
}

export interface ListedEntry {
  readonly name: string
  readonly path: string
  /** Also of a link that leads to one. */
  readonly isDirectory: boolean
  readonly isLink?: true
}

/** Something in the folder that is not read. */
export interface Refused {
  /** Relative to the folder. */
  readonly path: string
  /** A sentence. */
  readonly message: string
  readonly hint: string
  /** The system does not let it be read; otherwise it is a link that leads nowhere, out or in a circle. */
  readonly isDenied: boolean
}

/** Everything that is read of a folder. */
export interface FolderContent {
  /** Files of program objects. */
  readonly program: readonly FolderFile[]
  /** Spreadsheets and text tables of tags. */
  readonly sheets: readonly FolderFile[]
  readonly hardware: readonly FolderFile[]
  /** Links that are not followed, and, when the caller goes on without them, what the system does not let be read. */
  readonly refused?: readonly Refused[]
  /** Text of the configuration, when there is one. */
  readonly config?: string
  /** Its path, where faults of it are reported. */
  readonly configFile?: string
}

export const configName = 'gantry.yml'
/** Of both the first counts. */
export const configNames = [configName, 'gantry.yaml']

const programFile = /\.(xml|scl|db|udt|awl|stl|s7dcl)$/i
const sheetFile = /\.(xlsx|sdf|asc|csv)$/i
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

export interface ReadFolderOptions {
  /** Without files and folders that the system does not let be read: they are listed. */
  readonly goesOn?: boolean
  /** Of plugins. */
  readonly formats?: readonly ContributedFormat[]
}

/**
 * Reads the files of a folder, or one file.
 * @throws FolderError when there are too many, or nothing that could be checked
 */
export async function readFolderContent(
  access: FolderAccess,
  root: string,
  { goesOn = false, formats = [] }: ReadFolderOptions = {},
): Promise<FolderContent> {
  const { paths, refused: notListed } = await pathsBelow(access, root, { goesOn })
  const isRead = ({ path, isDenied }: Refused) => isDenied || isRelevant(path)
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
  const refused: Refused[] = notListed.filter(isRead)
  const others = new Map<string, FolderFile>()
  for (const { path, full } of formats.length === 0 ? [] : paths) {
    if (formatNamed(formats, path) === undefined) continue
    try {
      const file = await translatedFile(formats, path, await read(full))
      if (file !== undefined) others.set(path, file)
    } catch (error) {
      if (!goesOn || !isDenied(error)) throw error
      refused.push(denied(path, error))
    }
  }
  const filesLike = async (pattern: RegExp): Promise<FolderFile[]> => {
    const found: FolderFile[] = []
    for (const { path, full } of paths) {
      if (!pattern.test(path) || others.has(path)) continue
      const beside = /\.s7dcl$/i.test(path) ? texts.get(path.toLowerCase().replace(/\.s7dcl$/, '.s7res')) : undefined
      try {
        found.push({
          path,
          bytes: await read(full),
          ...defined({ texts: beside === undefined ? undefined : await read(beside) }),
        })
      } catch (error) {
        if (!goesOn || !isDenied(error)) throw error
        refused.push(denied(path, error))
      }
    }
    return found
  }
  const config = configNames.flatMap((name) => paths.filter(({ path }) => path === name))[0]
  return {
    program: [...(await filesLike(programFile)), ...others.values()].sort((a, b) => compareTexts(a.path, b.path)),
    sheets: await filesLike(sheetFile),
    hardware: await filesLike(hardwareFile),
    ...(refused.length > 0 ? { refused } : {}),
    ...(config ? { config: new TextDecoder().decode(await access.read(config.full)), configFile: config.path } : {}),
  }
}

/** A file of a format of a plugin as its reader makes it; undefined for any other. */
export async function translatedFile(
  formats: readonly ContributedFormat[],
  path: string,
  original: Uint8Array,
): Promise<FolderFile | undefined> {
  const found = await translateFile(formats, path, original)
  if (found === undefined) return undefined
  const { bytes, ...translated } = found
  return { path, bytes, translated: { ...translated, original } }
}

/** A link whose name says nothing can have been a folder. */
const isRelevant = (path: string): boolean =>
  [programFile, sheetFile, textsFile, hardwareFile, /\.test\.ya?ml$/i, /(^|\/)[^.]+$/, /^gantry\.ya?ml$/].some(
    (pattern) => pattern.test(path),
  )

const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')

const denied = (path: string, { message }: Error): Refused => ({
  ...{ path, message: `The system does not let it be read (${message}).`, isDenied: true },
  hint: 'Give the account that checks the right to read it, or list it under "ignore" in gantry.yml.',
})

const notFollowed = (path: string, message: string): Refused => ({
  ...{ path, message, isDenied: false },
  hint: 'Put what is meant into the folder, or list the link under "ignore" in gantry.yml.',
})

/** The finding, or note, of something that is not read. */
export const refusedNote = ({ path, message, hint }: Refused): FileNote => ({
  ...{ code: 'unreadable-file', severity: 'error', file: path, line: 1, column: 1, message, hint },
})

/** What is below a folder. */
export interface FoundPaths {
  /** Sorted by path; for a file itself its name. */
  readonly paths: readonly { readonly path: string; readonly full: string }[]
  readonly refused: readonly Refused[]
}

/**
 * Files below a folder. Symbolic links are followed inside of it.
 * @param goesOn without folders that the system does not let be read
 * @throws FolderError when it is too large
 */
export async function pathsBelow(
  access: FolderAccess,
  root: string,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): Promise<FoundPaths> {
  const found: { path: string; full: string }[] = []
  const refused: Refused[] = []
  const info = await access.stat(root)
  if (info && !info.isDirectory) return { paths: [{ path: root.replace(/^.*[/\\]/, ''), full: root }], refused }
  const top = await access.target?.(root)
  /** @param folders where the links of the way here lie @returns why a link is not followed */
  const linkFault = async (link: ListedEntry, folders: readonly string[]): Promise<string | undefined> => {
    const target = await access.target?.(link.path)
    if (target === undefined) return 'It is a link that leads to nothing.'
    if (top !== undefined && pathBelow(top, target) === undefined)
      return `It is a link that leads out of the folder, to ${target}.`
    return link.isDirectory && folders.some((one) => pathBelow(target, one) !== undefined)
      ? 'It is a link to a folder that it lies in itself.'
      : undefined
  }
  const listOf = async (folder: string, path: string): Promise<readonly ListedEntry[]> => {
    try {
      return await access.list(folder)
    } catch (error) {
      if (!goesOn || path === '' || !isDenied(error)) throw error
      refused.push(denied(path, error))
      return []
    }
  }
  const walk = async (folder: string, above: string, depth: number, linksIn: readonly string[]): Promise<void> => {
    if (depth > maxDepth) throw new FolderError(`"${root}" is nested more than ${maxDepth} folders deep.`)
    for (const entry of await listOf(folder, above)) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`
      if (entry.isDirectory && foreign.has(entry.name)) continue
      const here = entry.isLink === true ? await access.target?.(folder) : undefined
      const folders = here === undefined ? linksIn : [...linksIn, here]
      const fault = entry.isLink === true ? await linkFault(entry, folders) : undefined
      if (fault !== undefined) refused.push(notFollowed(path, fault))
      else if (entry.isDirectory) await walk(entry.path, path, depth + 1, folders)
      else found.push({ path, full: entry.path })
      if (found.length > maxFiles)
        throw new FolderError(`"${root}" holds more than ${maxFiles} files; name the folder of a program.`)
    }
  }
  await walk(root, '', 0, [])
  return { paths: found.sort((a, b) => compareTexts(a.path, b.path)), refused }
}
