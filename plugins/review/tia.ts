/** A project of TIA Portal as the content of a folder. */
import type { QueryContext } from '../../core/index.ts'
import { readTiaFile } from '../projects/index.ts'
import type { FolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'

/**
 * Reads a project file.
 * @throws GatewayError `unacceptable_content` when it holds no project
 */
export async function tiaContent(ctx: Pick<QueryContext, 'files' | 'engine'>, path: string): Promise<FolderContent> {
  const { files } = await readTiaFile(ctx, path)
  const program = files.map((file) => ({ path: file.path, bytes: new TextEncoder().encode(file.content) }))
  return { program, sheets: [], hardware: [] }
}

/** What a request has, in this process: files are its own, and tasks run here. */
export const localContext = {
  files: { ...localFiles, resolve: async (path: string) => path },
  engine: {
    async run({ module, fn, input }: { readonly module: string; readonly fn: string; readonly input: unknown }) {
      const { [fn]: task } = (await import(module)) as Record<string, (input: unknown, api: object) => unknown>
      return task!(input, { progress() {}, signal: new AbortController().signal })
    },
  },
} as unknown as Pick<QueryContext, 'files' | 'engine'>
