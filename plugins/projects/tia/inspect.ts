/** Tells what a file of TIA Portal holds, without opening it: inventory, versions, saves, what cannot be read. */
import { problem, type QueryContext } from '../../../core/index.ts'
import { filesOfFolder } from '../files/folder-access.ts'
import { type TiaComparison, tiaCompareTask } from './tia-compare.task.ts'
import type { TiaContent } from './tia-content.task.ts'
import { readTia, type TiaReadOptions, tiaFilesOf } from './tia-source.ts'

/**
 * Reads a project file, its header or its archive.
 * @throws GatewayError `not_found`, `unacceptable_content` when there is no project file
 */
export async function inspectTia(
  ctx: Pick<QueryContext, 'files' | 'engine'>,
  path: string,
  options: TiaReadOptions,
): Promise<TiaContent & { readonly file: string }> {
  const files = await tiaFilesOf(ctx, path)
  return { ...(await readTia(ctx, files, options)), file: files.path }
}

/** Files that exports consist of. */
const exportFile = /\.(xml|scl|awl|db|udt)$/i

/**
 * Compares what was read with exports of the same project.
 * @param folder of the workspace, with all folders below it
 * @throws GatewayError `not_found`, `unacceptable_content` when it holds no exports
 */
export async function compareWithExports(
  ctx: Pick<QueryContext, 'files' | 'engine'>,
  content: TiaContent,
  folder: string,
): Promise<TiaComparison> {
  const files = await filesOfFolder(ctx, folder)
  const paths = files.list().filter((path) => exportFile.test(path))
  if (paths.length === 0)
    throw problem('unacceptable_content', `"${folder}" holds no exports.`, {
      suggestion: 'Name a folder with SimaticML (.xml) or external sources (.scl, .awl, .db, .udt) of the project.',
    })
  const exports: { path: string; content: Uint8Array }[] = []
  for (const path of paths) exports.push({ path, content: await files.read(path) })
  return ctx.engine.run<TiaComparison>(tiaCompareTask({ files: content.files, exports }))
}
