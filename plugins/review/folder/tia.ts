/** A project of TIA Portal as the content of a folder. */
import type { QueryContext } from '../../../core/index.ts'
import { readTiaFile } from '../../projects/index.ts'
import type { FolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'

/**
 * Reads a project file; its stations are in it as an AML file is in a folder.
 * @throws GatewayError `unacceptable_content` when it holds no project
 */
export async function tiaContent(ctx: Pick<QueryContext, 'files' | 'engine'>, path: string): Promise<FolderContent> {
  const content = await readTiaFile(ctx, path)
  const program = content.files.map((file) => ({ path: file.path, bytes: new TextEncoder().encode(file.content) }))
  if (content.stations.length === 0) return { program, sheets: [], hardware: [] }
  const { amlOfTia } = await import('../../cax/index.ts')
  const aml = await amlOfTia(ctx, content)
  return { program, sheets: [], hardware: [{ path: `${content.name}.aml`, bytes: new TextEncoder().encode(aml) }] }
}

/**
 * What a request has, in this process: files are its own, and tasks run here. Only what reading a project needs; a
 * cast, since the rest of both is not there.
 */
export const localContext = {
  files: { ...localFiles, resolve: async (path: string) => path },
  engine: {
    async run({ module, fn, input }: { readonly module: string; readonly fn: string; readonly input: unknown }) {
      const { [fn]: task } = (await import(module)) as Record<string, (input: unknown, api: object) => unknown>
      return task!(input, { progress() {}, signal: new AbortController().signal })
    },
  },
} as unknown as Pick<QueryContext, 'files' | 'engine'>
