/** The index of an area in projects of format 1, which had attributes, folders, times and hashes of all its objects. */
import { defined, type Fault } from '../../../core/index.ts'
import { type ProjectFiles, readJsonFile } from '../../projects/index.ts'
import { attributesIn, Fields, type SavedAttributes } from './saved-attributes.ts'

export interface OldEntry extends SavedAttributes {
  readonly file: string
  readonly folder?: string
  readonly modifiedAt?: number
  /** Hash of the document or source at the save: a different one means that the file was edited. */
  readonly content?: string
}

export interface OldIndex {
  readonly folders: readonly string[]
  /** By the file's path in lower case, relative to the area. */
  readonly entries: ReadonlyMap<string, OldEntry>
}

/** The index; one that is absent is empty. */
export async function readOldIndex(files: ProjectFiles, path: string, faults: Fault[]): Promise<OldIndex> {
  const data = files.has(path) ? await readJsonFile(files, path, faults) : undefined
  const folders = list(data?.folders).filter((folder, i): folder is string => {
    if (typeof folder !== 'string')
      faults.push({ path: `${path}#/folders/${i}`, message: 'must be text', value: folder })
    return typeof folder === 'string'
  })
  const entries = new Map<string, OldEntry>()
  for (const part of ['objects', 'sources'])
    for (const [i, value] of list(data?.[part]).entries()) {
      const fields = new Fields(`${path}#/${part}/${i}`, (value ?? {}) as Record<string, unknown>, faults)
      const file = fields.text('file')
      if (file === undefined) faults.push({ path: `${path}#/${part}/${i}/file`, message: 'is missing' })
      else entries.set(file.toLowerCase(), entryOf(file, fields))
    }
  return { folders, entries }
}

function entryOf(file: string, fields: Fields): OldEntry {
  const folder = fields.text('folder')
  const modifiedAt = fields.time('modifiedAt')
  const content = fields.text('document') ?? fields.text('content')
  return { file, ...attributesIn(fields), ...defined({ folder, modifiedAt, content }) }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
