/** Imports several files: in the order of their needs, with a result for each. */

import { type CommandContext, type Fault, problem } from '../../core/index.ts'
import { compileImported, type ImportedEntry, type ImportResult, importPaths } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'

export interface BulkRequest {
  readonly filePaths: readonly string[]
  readonly folder?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly continueOnError?: boolean | undefined
  readonly compile?: boolean | undefined
}

/** What became of one file. Files are in the order in which their objects were stored; those with faults behind. */
export interface FileResult {
  readonly path: string
  readonly status: string
  /** From 1; absent when nothing of it was stored. */
  readonly order?: number
  readonly objects: readonly Pick<ImportedEntry, 'name' | 'kind' | 'action'>[]
  readonly errors?: readonly Fault[]
  readonly message?: string
}

export async function bulkImport(ctx: CommandContext, device: Device, request: BulkRequest) {
  const { filePaths, folder, overwrite = true, continueOnError = true, compile = false } = request
  const seen = new Set<string>()
  for (const [i, path] of filePaths.entries()) {
    if (!seen.has(path)) seen.add(path)
    else {
      const message = `${JSON.stringify(path)} is given twice`
      throw problem('invalid_input', `/filePaths/${i}: ${message}.`, {
        errors: [{ path: `/filePaths/${i}`, message, value: path }],
      })
    }
  }
  const imported = await importPaths(ctx, device, filePaths, { folder, overwrite, continueOnError })
  const { files: _files, ...result } = await compileImported(ctx, device, imported, compile)
  return { ...result, files: fileResults(imported) }
}

function fileResults({ objects, files }: ImportResult): FileResult[] {
  const stored = new Map<string, ImportedEntry[]>()
  for (const object of objects) {
    const list = stored.get(object.file)
    if (list) list.push(object)
    else stored.set(object.file, [object])
  }
  const outcomes = new Map(files.map((file) => [file.path, file]))
  const inOrder = [...stored.keys()].map((path, i) => ({ path, order: i + 1 }))
  const others = files.filter(({ path }) => !stored.has(path)).map(({ path }) => ({ path }))
  return [...inOrder, ...others].map((entry): FileResult => {
    const { status = 'imported', errors, message } = outcomes.get(entry.path) ?? {}
    return {
      ...entry,
      status,
      objects: (stored.get(entry.path) ?? []).map(({ name, kind, action }) => ({ name, kind, action })),
      ...(errors === undefined ? {} : { errors }),
      ...(message === undefined ? {} : { message }),
    }
  })
}
