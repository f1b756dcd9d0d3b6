/** Tells what a file of TIA Portal holds, without opening it: inventory, versions, saves, what cannot be read. */
import { basename, dirname, extname, join } from 'node:path'
import { problem, type QueryContext } from '../../core/index.ts'
import { type Unpacked, unpackTask } from './archive.task.ts'
import { unpackLimits } from './archive-limits.ts'
import { manifestExtension } from './manifest.ts'
import { describeTiaProject, type TiaProject, tiaStorePath } from './tia.ts'
import { type TiaContent, tiaContentTask } from './tia-content.task.ts'

export interface InspectOptions {
  readonly skipDamaged: boolean
  readonly asOfSave?: number
}

/**
 * Reads a project file, its header or its archive.
 * @throws GatewayError `not_found`, `unacceptable_content` when there is no project file
 */
export async function inspectTia(
  ctx: Pick<QueryContext, 'files' | 'engine'>,
  path: string,
  { skipDamaged, asOfSave }: InspectOptions,
): Promise<TiaContent & { readonly file: string }> {
  const { header, store, file } = await tiaFilesOf(ctx, path)
  const tia: Partial<TiaProject> = header ? await describeTiaProject(header) : {}
  const content = await ctx.engine.run<TiaContent>(
    tiaContentTask({
      store,
      skipDamaged,
      ...(tia.version === undefined ? {} : { version: tia.version }),
      ...(asOfSave === undefined ? {} : { asOfSave }),
    }),
  )
  return { ...content, name: content.name || tia.name || basename(file, extname(file)), file }
}

interface TiaFiles {
  readonly file: string
  readonly header?: Uint8Array
  readonly store: Uint8Array
}

async function tiaFilesOf(ctx: Pick<QueryContext, 'files' | 'engine'>, path: string): Promise<TiaFiles> {
  if (/\.plf$/i.test(path)) return { file: path, store: await ctx.files.read(path) }
  if (/\.a[pl]\d+(_\d+)?$/i.test(path)) {
    const header = await ctx.files.read(path)
    return { file: path, header, store: await ctx.files.read(join(dirname(path), tiaStorePath)) }
  }
  const content = await ctx.files.read(path)
  const unpacked = await ctx.engine.run<Unpacked>(unpackTask({ content, limits: unpackLimits, manifestExtension }))
  if (unpacked.kind !== 'tia' || !unpacked.store)
    throw problem('unacceptable_content', `"${path}" holds no project file of TIA Portal (${tiaStorePath}).`, {
      suggestion: 'Name a .zapNN or .zalNN archive, the .apNN or .alNN file of a project, or its PEData.plf.',
    })
  const { file, header, store } = unpacked
  return { file: `${path}/${file}`, store, ...(header ? { header } : {}) }
}
