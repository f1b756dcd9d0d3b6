/** Folders and archives of files, for plugins that keep something like a project. */
import { basename, dirname, join } from 'node:path'
import { type CommandContext, type GatewayError, notFound, problem, type QueryContext } from '../../../core/index.ts'
import { type ArchivedFile, packTask, type Unpacked, unpackTask } from '../archive/archive.task.ts'
import { unpackLimits } from '../archive/archive-limits.ts'
import { FolderFiles, readTree } from './tree.ts'

/**
 * The files of a folder; folders of version control are left out.
 * @throws GatewayError `payload_too_large` for a folder that is none of ours
 */
export async function filesOfFolder(ctx: Pick<QueryContext, 'files'>, root: string): Promise<FolderFiles> {
  return FolderFiles.of(ctx.files, root, await readTree(ctx.files, root))
}

/**
 * A `not_found` for a path at which there is nothing. It names what is beside it that could have been meant, written as
 * the client writes paths: folders, and the files that fit.
 * @param resolved the same path as it is on the disk
 */
export async function nothingAt(
  ctx: Pick<QueryContext, 'files'>,
  kind: string,
  path: string,
  resolved: string,
  fits: (file: string) => boolean,
): Promise<GatewayError> {
  const beside = await ctx.files.list(dirname(resolved)).catch(() => [])
  const meant = beside.filter(({ name, isDirectory }) => (isDirectory ? !name.startsWith('.') : fits(name)))
  const folder = dirname(path)
  return notFound(
    kind,
    /[\\/]$/.test(path) ? join(folder, basename(path)) : path,
    meant.map(({ name }) => join(folder, name)),
  )
}

/** The same files give the same bytes. */
export async function packFiles(
  ctx: Pick<CommandContext, 'engine'>,
  files: readonly ArchivedFile[],
): Promise<Uint8Array> {
  return ctx.engine.run<Uint8Array>(packTask({ files }))
}

/**
 * Unpacks an archive, within the limits of all archives.
 * @param manifestExtension of the file that distinguishes our own archives from those of TIA Portal
 * @throws GatewayError `unacceptable_content`, `payload_too_large`
 */
export async function unpackFiles(
  ctx: Pick<CommandContext, 'engine'>,
  content: Uint8Array,
  manifestExtension: string,
): Promise<Unpacked> {
  if (content.byteLength > unpackLimits.totalBytes)
    throw problem(
      'payload_too_large',
      `The archive has ${content.byteLength} bytes; the limit is ${unpackLimits.totalBytes}.`,
      { suggestion: 'Unpack it into the workspace and open the folder.' },
    )
  return ctx.engine.run<Unpacked>(unpackTask({ content, limits: unpackLimits, manifestExtension }))
}
