/** The two files of a TIA Portal project, and their content: for opening it and for telling what it holds. */
import { basename, dirname, extname, join } from 'node:path'
import { defined, problem, type QueryContext } from '../../../core/index.ts'
import type { PackedFile, Unpacked } from '../archive/archive.task.ts'
import { unpackLimits } from '../archive/archive-limits.ts'
import { unpackFiles } from '../files/folder-access.ts'
import { isManifest, manifestExtension } from '../files/manifest.ts'
import { describeTiaProject, type TiaProject, tiaStorePath } from './tia.ts'
import { type TiaContent, tiaContentTask } from './tia-content.task.ts'

type Context = Pick<QueryContext, 'files' | 'engine'>

/** The files, wherever they were. */
export interface TiaFiles {
  /** Path of `<Name>.apNN`, or of the project file where there is no header; for messages. */
  readonly path: string
  /** Absent in a backup of the project file alone. */
  readonly header?: Uint8Array
  /** It passes once from here to what reads it: its bytes, or the archive that it is in. */
  readonly store: Uint8Array | PackedFile
}

/** What of the content is taken. */
export interface TiaReadOptions {
  /** Leaves damaged records out. */
  readonly skipDamaged: boolean
  /** An earlier save, from 1. */
  readonly asOfSave?: number
}

/**
 * The files of what a client named: a project file, its header, or an archive or backup that it is in.
 * @throws GatewayError `unacceptable_content` when there is no project file of TIA Portal
 */
export async function tiaFilesOf(ctx: Context, path: string): Promise<TiaFiles> {
  if (/\.plf$/i.test(path)) return { path, store: await ctx.files.read(path) }
  if (/\.a[pl]\d+(_\d+)?$/i.test(path)) return readTiaFiles(ctx, path)
  const content = await ctx.files.read(path)
  return requireStore(path, content, await unpackFiles(ctx, content, manifestExtension))
}

/** Those of the project whose header file is named. */
async function readTiaFiles(ctx: Context, path: string): Promise<TiaFiles> {
  const storePath = join(dirname(path), tiaStorePath)
  const header = await ctx.files.read(path)
  if (!(await ctx.files.stat(storePath))?.isFile) {
    const { type, version, name } = await describeTiaProject(header)
    const what = `a ${type === 'Library' ? 'global library' : 'project'} of TIA Portal${version ? ` ${version}` : ''}${name ? ` ("${name}")` : ''}`
    throw problem(
      'unacceptable_content',
      `"${path}" is the header of ${what}, and the project file itself (${tiaStorePath} beside it) is not there.`,
      { suggestion: 'Copy the whole project folder, or send the archive (.zapNN) of the project.' },
    )
  }
  return { path, header, store: await ctx.files.read(storePath) }
}

/**
 * The files of an archive that was looked through.
 * @param path of the archive, for messages
 * @param archive its bytes
 * @throws GatewayError `unacceptable_content` when the project file is not in it
 */
export function requireStore(path: string, archive: Uint8Array, unpacked: Unpacked): TiaFiles {
  if (unpacked.kind === 'files' && unpacked.files.some((file) => isManifest(file.path)))
    throw problem('unacceptable_content', `"${path}" is an archive of a project that was saved here.`, {
      suggestion: 'Restore it: POST /api/projects/actions/create-from-archive { archivePath, targetDirectory }',
    })
  if (unpacked.kind !== 'tia' || unpacked.store === undefined) {
    const what =
      unpacked.kind === 'tia'
        ? `the header of a TIA Portal project (${unpacked.file}), but not the project file itself (${tiaStorePath})`
        : `no project file of TIA Portal (${tiaStorePath})`
    throw problem('unacceptable_content', `"${path}" holds ${what}.`, {
      suggestion: 'Name a .zapNN or .zalNN archive, the .apNN or .alNN file of a project, or its PEData.plf.',
    })
  }
  const { file, header, store: entry } = unpacked
  return { path: `${path}/${file}`, store: { archive, entry, limits: unpackLimits }, ...defined({ header }) }
}

/** Reads the content; its name is that of the project, of its header, or of the file. */
export async function readTia(
  ctx: Context,
  { path, header, store }: TiaFiles,
  { skipDamaged, asOfSave }: TiaReadOptions,
): Promise<TiaContent> {
  const tia: Partial<TiaProject> = header ? await describeTiaProject(header) : {}
  const content = await ctx.engine.run<TiaContent>(
    tiaContentTask({
      path,
      store,
      skipDamaged,
      ...defined({ version: tia.version, asOfSave }),
    }),
  )
  return { ...content, name: content.name || tia.name || basename(path, extname(path)) }
}
