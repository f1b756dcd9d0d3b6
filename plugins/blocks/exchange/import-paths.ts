/** Imports several files and folders of the workspace as one job. */

import { type CommandContext, defined, type Fault, problem } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { type FileOutcome, failuresFirst, type ImportResult, importFiles } from './import.ts'
import { filesOfFolder, type ImportFile, textsBeside } from './import-folder.ts'

/**
 * Imports files, each named by its path; a folder stands for the files in it.
 * @throws GatewayError `unacceptable_content` with every fault of every file, unless `continueOnError`; also when there
 *   is nothing to import
 */
export async function importPaths(
  ctx: CommandContext,
  device: Device,
  paths: readonly string[],
  options: {
    readonly folder?: string | undefined
    readonly overwrite: boolean
    readonly continueOnError: boolean
  },
): Promise<ImportResult> {
  const { folder, overwrite, continueOnError } = options
  const files: ImportFile[] = []
  const ignored: string[] = []
  const missing: Fault[] = []
  for (const [i, path] of paths.entries()) {
    const resolved = await ctx.files.resolve(path)
    const info = await ctx.files.stat(resolved)
    if (!info) missing.push({ path: `/filePaths/${i}`, message: `there is no file or folder "${path}"`, value: path })
    else if (info.isDirectory) {
      const found = await filesOfFolder(ctx, resolved, folder)
      files.push(...found.files.map((file) => ({ ...file, path: `${path.replace(/[/\\]$/, '')}/${file.path}` })))
      ignored.push(...found.ignored)
    } else {
      const texts = await textsBeside(ctx, path, resolved)
      files.push({ path, read: () => ctx.files.read(resolved), ...texts, ...defined({ folder }) })
    }
  }
  const [first] = missing
  if (first && (!continueOnError || files.length === 0))
    throw problem('unacceptable_content', `${first.path}: ${first.message}. Nothing was imported.`, { errors: missing })
  const result = await importFiles(ctx, device, files, { overwrite, continueOnError, strict: true }, ignored)
  const absent = missing.map((fault): FileOutcome => ({ path: String(fault.value), status: 'failed', errors: [fault] }))
  return {
    ...result,
    failed: result.failed + absent.length,
    files: failuresFirst([...result.files, ...absent]),
  }
}
