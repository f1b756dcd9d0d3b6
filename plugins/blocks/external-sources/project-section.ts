/**
 * External sources in the files of a project: `devices/<device>/sources/<folders>/<name>`, each with its attributes
 * beside it.
 */

import { basename } from 'node:path'
import { type CommandContext, type Fault, isGatewayError } from '../../../core/index.ts'
import { deviceFolder, devices } from '../../devices/index.ts'
import {
  attributesFile,
  decodedName,
  directoryOf,
  folderFiles,
  objectFileName,
  plcFolders,
  readBesideTexts,
} from '../../program-objects/index.ts'
import { faultyFiles, type ProjectFile, type ProjectFiles, type SaveContext } from '../../projects/index.ts'
import { sourceCollection, sourceFolders, sourceStored, sourcesOf } from './external-source.ts'
import { keepSource } from './sources.ts'

/** All files of all sources. */
export function saveSources(ctx: SaveContext): ProjectFile[] {
  const files: ProjectFile[] = []
  for (const device of ctx.read(devices).values()) {
    const all = sourcesOf(ctx, device.id)
    const folders = sourceFolders.list(ctx, device.id).map(({ path }) => path)
    const base = `${deviceFolder(device)}/sources/`
    const used = all.map(({ folder }) => folder)
    files.push(...folderFiles(base, folders, used))
    for (const { id, name, folder, file: blob, createdAt, modifiedAt } of all) {
      const directory = directoryOf(folder)
      const file = objectFileName(name)
      const path = `${base}${directory === '' ? '' : `${directory}/`}${file}`
      files.push({ path, blob, modifiedAt })
      files.push(attributesFile(path, { id, ...(decodedName(file) === name ? {} : { name }), createdAt }))
    }
  }
  return files
}

/** Loads the sources into the state. A file without attributes beside it was added by hand and is a source too. */
export async function loadSources(ctx: CommandContext, files: ProjectFiles): Promise<string[]> {
  const faults: Fault[] = []
  const warnings: string[] = []
  for (const { device, folder } of await plcFolders(ctx, files)) {
    const base = `${folder}/sources/`
    const beside = await readBesideTexts(files, base, '.index.json', faults)
    warnings.push(...beside.warnings)
    try {
      for (const path of beside.folders) sourceFolders.ensure(ctx, device, path)
    } catch (error) {
      faults.push(faultOf(error, base))
    }
    const ids = new Set<string>()
    for (const path of files.list(base).filter((one) => !beside.isBeside(one))) {
      const file = path.slice(base.length)
      const attributes = beside.attributesOf(file)
      const name = attributes?.name ?? decodedName(basename(file))
      try {
        const options = { name, folder: beside.folderOf(file) }
        const source = await keepSource(ctx, device, await files.read(path), options)
        if (attributes === undefined) continue
        const modifiedAt = await beside.modifiedAt(path, [source.file])
        const { id: known, createdAt = modifiedAt } = attributes
        // A file that was copied together with its attributes becomes a source of its own.
        const id = known === undefined || ids.has(known) ? source.id : known
        ids.add(id)
        const saved = { ...source, id, createdAt, modifiedAt }
        ctx.emit(sourceStored, { source: saved }, sourceCollection.entityOf(device, name))
      } catch (error) {
        faults.push(faultOf(error, path))
      }
    }
  }
  if (faults.length > 0) throw faultyFiles('The external sources of the project cannot be read', faults)
  return warnings
}

function faultOf(error: unknown, path: string): Fault {
  if (!isGatewayError(error)) throw error
  return { path, code: error.code, message: error.message }
}
