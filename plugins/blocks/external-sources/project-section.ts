/** External sources in the files of a project: `devices/<device>/sources/<folders>/<name>`, byte for byte, and `index.json` for the rest. */
import { basename } from 'node:path'
import { type CommandContext, type Fault, isGatewayError } from '../../../core/index.ts'
import { deviceFolder, devices } from '../../devices/index.ts'
import { plcFolders } from '../../program-objects/project-files.ts'
import { faultyFiles, fileNameOf, folderPathOf, type ProjectFile, type ProjectFiles } from '../../projects/index.ts'
import { type ExternalSource, sourceCollection, sourceFolders, sourceStored, sourcesOf } from './external-source.ts'
import { keepSource } from './sources.ts'

interface IndexEntry {
  readonly name: string
  readonly file: string
  readonly folder: string
  readonly id?: string
  readonly createdAt?: string
  readonly modifiedAt?: string
  /** Hash of the file when it was saved: another one means that it was edited. */
  readonly content?: string
}

/** All files of all sources. */
export function saveSources(ctx: CommandContext): ProjectFile[] {
  const files: ProjectFile[] = []
  for (const device of ctx.read(devices).values()) {
    const all = sourcesOf(ctx, device.id)
    const folders = sourceFolders.list(ctx, device.id).map(({ path }) => path)
    if (all.length === 0 && folders.length === 0) continue
    const base = `${deviceFolder(device)}/sources`
    const entries = all.map((source): IndexEntry => {
      const directory = folderPathOf(source.folder)
      const file = `${directory === '' ? '' : `${directory}/`}${fileNameOf(source.name)}`
      files.push({ path: `${base}/${file}`, blob: source.file })
      return {
        name: source.name,
        file,
        folder: source.folder,
        id: source.id,
        content: source.file,
        createdAt: new Date(source.createdAt).toISOString(),
        modifiedAt: new Date(source.modifiedAt).toISOString(),
      }
    })
    entries.sort((a, b) => (a.file < b.file ? -1 : 1))
    const index = { version: 1, folders, sources: entries }
    files.push({ path: `${base}/${indexName}`, content: `${JSON.stringify(index, null, 2)}\n` })
  }
  return files
}

/** A name that no source's file can have: `fileNameOf` encodes a leading dot. */
const indexName = '.index.json'

/** Brings the sources into the state. A file that the index does not know was added by hand and is a source too. */
export async function loadSources(ctx: CommandContext, files: ProjectFiles): Promise<void> {
  const faults: Fault[] = []
  for (const { device, folder } of await plcFolders(ctx, files)) {
    const base = `${folder}/sources/`
    const index = await readIndex(files, `${base}${indexName}`, faults)
    const known = new Map(index.sources.map((entry) => [entry.file, entry]))
    try {
      for (const path of index.folders) sourceFolders.ensure(ctx, device, path)
    } catch (error) {
      faults.push(faultOf(error, `${base}${indexName}`))
    }
    for (const path of files.list(base)) {
      const file = path.slice(base.length)
      if (file === indexName) continue
      const entry = known.get(file)
      const directory = file.split('/').slice(0, -1).map(decodeSegment).join('/')
      try {
        const options = { name: entry?.name ?? decodeSegment(basename(file)), folder: entry?.folder ?? directory }
        const source = await keepSource(ctx, device, await files.read(path), options)
        const saved = entry && identityOf(source, entry)
        if (saved) ctx.emit(sourceStored, { source: saved }, sourceCollection.entityOf(device, saved.name))
      } catch (error) {
        faults.push(faultOf(error, path))
      }
    }
  }
  if (faults.length > 0) throw faultyFiles('The external sources of the project cannot be read', faults)
}

/** The source with the identity it was saved with; times are those of the save unless the file was edited since. */
function identityOf(source: ExternalSource, entry: IndexEntry): ExternalSource | undefined {
  const [createdAt, modifiedAt] = [Date.parse(entry.createdAt ?? ''), Date.parse(entry.modifiedAt ?? '')]
  if (entry.id === undefined || Number.isNaN(createdAt) || Number.isNaN(modifiedAt)) return undefined
  const isEdited = entry.content !== undefined && entry.content !== source.file
  return { ...source, id: entry.id, createdAt, modifiedAt: isEdited ? source.modifiedAt : modifiedAt }
}

function decodeSegment(segment: string): string {
  return segment.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function faultOf(error: unknown, path: string): Fault {
  if (!isGatewayError(error)) throw error
  return { path, code: error.code, message: error.message }
}

async function readIndex(files: ProjectFiles, path: string, faults: Fault[]) {
  const empty = { folders: [] as string[], sources: [] as IndexEntry[] }
  if (!files.has(path)) return empty
  try {
    const data = JSON.parse((await files.read(path)).toString('utf8').replace(/^\uFEFF/, '')) as Partial<typeof empty>
    const folders = (data.folders ?? []).filter((folder) => typeof folder === 'string')
    const isEntry = (entry: IndexEntry) => [entry?.name, entry?.file, entry?.folder].every((x) => typeof x === 'string')
    const sources = data.sources ?? []
    for (const [i, entry] of sources.entries())
      if (!isEntry(entry)) faults.push({ path: `${path}#/sources/${i}`, message: 'needs name, file and folder' })
    return { folders, sources: sources.filter(isEntry) }
  } catch (error) {
    faults.push({ path, message: (error as Error).message })
    return empty
  }
}
