/**
 * The files beside the texts of objects in a saved project: `<file>.json` contains the attributes of the object in
 * `<file>`, `.folder.json` the name of a folder whose directory has another name. Each object has files of its own and
 * no file is shared, so that changes of two people meet only where they changed the same object.
 */
import type { Fault } from '../../../core/index.ts'
import { fileNameOf, type ProjectFile, type ProjectFiles, readJsonFile } from '../../projects/index.ts'
import { readOldIndex } from './old-index.ts'
import { attributeNames, attributesIn, Fields, type SavedAttributes } from './saved-attributes.ts'

const attributesExtension = '.json'
/** No object has such a file: `fileNameOf` encodes a leading dot. */
const folderFile = '.folder.json'

/** The file name of an object; it cannot be taken for the attributes of another one. */
export function objectFileName(name: string, extension = ''): string {
  return `${fileNameOf(name)}${extension}`.replace(/\.(?=json$)/i, '%2E')
}

/** A folder path in the file system. A folder must not look like the file of an object beside it. */
export function directoryOf(folder: string): string {
  return folder
    .split('/')
    .filter((segment) => segment !== '')
    .map(directoryName)
    .join('/')
}

function directoryName(folder: string): string {
  return fileNameOf(folder).replace(/\.(?=(xml|scl|db|udt|awl|json)$)/i, '%2E')
}

/** The name of the object or folder of a file or directory. */
export function decodedName(name: string): string {
  return name.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The file with the attributes of the object in `file`. Always the same fields in the same order. */
export function attributesFile(file: string, attributes: SavedAttributes): ProjectFile {
  const { id, name, number, autoNumber, secondaryType, isDefault, unit, createdAt } = attributes
  const created = createdAt === undefined ? undefined : new Date(createdAt).toISOString()
  const data = { id, name, number, autoNumber, secondaryType, isDefault, unit, createdAt: created }
  return { path: `${file}${attributesExtension}`, content: `${JSON.stringify(data, null, 2)}\n` }
}

/**
 * The files of folders that need one: those with nothing in them, which version control would drop, and those whose
 * directory has another name.
 *
 * @param base path in front, with `/` at its end
 * @param folders paths such as `A/B`
 * @param used folders of the objects
 */
export function folderFiles(base: string, folders: readonly string[], used: readonly string[]): ProjectFile[] {
  const filled = new Set<string>()
  for (const path of [...used, ...folders.map(parentOf)])
    for (let folder = path; folder !== ''; folder = parentOf(folder)) filled.add(folder.toLowerCase())
  return folders.flatMap((folder) => {
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    if (filled.has(folder.toLowerCase()) && decodedName(directoryName(name)) === name) return []
    return [{ path: `${base}${directoryOf(folder)}/${folderFile}`, content: `${JSON.stringify({ name }, null, 2)}\n` }]
  })
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
}

/** The attributes and folders that were found beside the texts of an area. */
export interface BesideTexts {
  /** Folders that exist whether or not something is in them. */
  readonly folders: readonly string[]
  /** True for files that contain attributes of other files. */
  isBeside(path: string): boolean
  /** The attributes of the object in a file; `file` is relative to the area. */
  attributesOf(file: string): SavedAttributes | undefined
  /** The folder of a file. */
  folderOf(file: string): string
  /** When the object was changed, ms. */
  modifiedAt(path: string, contents: readonly (string | undefined)[]): Promise<number>
  readonly warnings: readonly string[]
}

/**
 * Reads the files beside the texts below `base`.
 *
 * @param base path of the area, with `/` at its end
 * @param oldIndex file name of the index that projects of format 1 have
 */
export async function readBesideTexts(
  files: ProjectFiles,
  base: string,
  oldIndex: string,
  faults: Fault[],
): Promise<BesideTexts> {
  const paths = files.list(base)
  const old = await readOldIndex(files, `${base}${oldIndex}`, faults)
  const isIndex = (path: string) => path === `${base}${oldIndex}`
  const isBeside = (path: string) =>
    path.endsWith(attributesExtension) && (isIndex(path) || !old.entries.has(path.slice(base.length).toLowerCase()))
  const attributes = new Map<string, SavedAttributes>()
  const names = new Map<string, string>()
  const warnings: string[] = []
  for (const path of paths.filter((one) => isBeside(one) && !isIndex(one))) {
    const file = path.slice(base.length)
    const data = await readJsonFile(files, path, faults)
    if (data === undefined) continue
    const fields = new Fields(path, data, faults)
    if (file === folderFile || file.endsWith(`/${folderFile}`)) {
      const name = fields.text('name')
      if (name !== undefined) names.set(file.slice(0, -folderFile.length - 1), name)
      fields.refuseOthers(['name'])
      continue
    }
    const own = file.slice(0, -attributesExtension.length)
    const found = attributesIn(fields)
    fields.refuseOthers(attributeNames)
    attributes.set(own.toLowerCase(), found)
    if (!files.has(`${base}${own}`)) warnings.push(`${path} describes ${own}, which is not there; it is left out.`)
  }
  const folderOf = (directory: string): string => {
    if (directory === '') return ''
    const name = names.get(directory) ?? decodedName(directory.slice(directory.lastIndexOf('/') + 1))
    const above = folderOf(parentOf(directory))
    return `${above}${above === '' ? '' : '/'}${name.replaceAll('/', '_')}`
  }
  return {
    folders: [...old.folders, ...[...names.keys()].map(folderOf)],
    isBeside,
    attributesOf: (file) => attributes.get(file.toLowerCase()) ?? old.entries.get(file.toLowerCase()),
    folderOf: (file) => old.entries.get(file.toLowerCase())?.folder ?? folderOf(parentOf(file)),
    async modifiedAt(path, contents) {
      const entry = old.entries.get(path.slice(base.length).toLowerCase())
      const isAsSaved = entry?.content !== undefined && contents.includes(entry.content)
      return isAsSaved && entry.modifiedAt !== undefined ? entry.modifiedAt : files.modifiedAt(path)
    },
    warnings,
  }
}
