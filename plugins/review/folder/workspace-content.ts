/** A folder or file of the workspace, as a review reads it. */
import { problem, type QueryContext } from '../../../core/index.ts'
import { fileFormat } from '../../program-objects/index.ts'
import type { FolderContent } from './folder.ts'
import { isTiaFile } from './tia-name.ts'

/** @throws GatewayError `not_found`, `payload_too_large` */
export async function workspaceContent(
  ctx: Pick<QueryContext, 'files' | 'engine' | 'extensions'>,
  path: string,
): Promise<FolderContent> {
  if ((await ctx.files.stat(path)) === undefined) throw problem('not_found', `There is nothing at "${path}".`)
  if (isTiaFile(path)) return (await import('./tia.ts')).tiaContent(ctx, path)
  const { readFolderContent } = await import('./folder.ts')
  const formats = ctx.extensions(fileFormat)
  return readFolderContent(ctx.files, await ctx.files.resolve(path), { formats }).catch((error: Error) => {
    throw error.name === 'FolderError' ? problem('payload_too_large', error.message) : error
  })
}
