/** The files that an import names: one of the workspace, all of a folder, an upload, or a text. */
import { dirname, join } from 'node:path'
import { type CommandContext, problem, type Upload } from '../../../core/index.ts'

/** A file to import. */
export interface ImportedSource {
  readonly path: string
  /** Folder below the one that was named: `A/B`. */
  readonly folder?: string
  read(): Promise<Uint8Array>
  /** Reads a file that the document names, relative to it. */
  readonly beside?: (path: string) => Promise<Uint8Array | undefined>
}

/** Files of one import at most. */
const mostFiles = 20_000
const importable = /\.(xml|svg|png|jpe?g|gif|bmp|webp)$/i

/** @throws GatewayError `invalid_input` when there is not exactly one source, `not_found`, `unacceptable_content` */
export async function sourcesOf(
  ctx: CommandContext,
  input: { readonly filePath?: string; readonly content?: string; readonly file?: Upload },
): Promise<ImportedSource[]> {
  const given = [input.filePath, input.content, input.file].filter((one) => one !== undefined).length
  if (given !== 1)
    throw problem('invalid_input', `Send one of filePath, file and content; ${given} were sent.`, {
      errors: [{ path: '/filePath', message: 'exactly one of filePath, file and content is needed' }],
    })
  const { content, file, filePath = '' } = input
  if (content !== undefined) return [{ path: 'content', read: async () => Buffer.from(content) }]
  if (file !== undefined) return [{ path: file.fileName, read: () => ctx.blobs.get(file.blob) }]
  const stat = await ctx.files.stat(filePath)
  if (stat?.isDirectory !== true) return [fileSource(ctx, filePath)]
  const found: ImportedSource[] = []
  const visit = async (path: string, folder: string, depth: number): Promise<void> => {
    if (depth > 20) throw problem('unacceptable_content', `${path}: folders are nested deeper than 20 levels.`)
    for (const entry of await ctx.files.list(path)) {
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`
      // Images of a graphic are in the folder that its document names.
      if (entry.isDirectory && !/ files$/i.test(entry.name)) await visit(entry.path, below, depth + 1)
      else if (!entry.isDirectory && importable.test(entry.name))
        found.push({ ...fileSource(ctx, entry.path), ...(folder === '' ? {} : { folder }) })
      if (found.length > mostFiles)
        throw problem('unacceptable_content', `${filePath} has more than ${mostFiles} files.`)
    }
  }
  await visit(filePath, '', 0)
  if (found.length === 0)
    throw problem('unacceptable_content', `${filePath} holds no .xml files and no images.`, {
      errors: [{ path: '/filePath', message: 'nothing to import', value: filePath }],
    })
  return found
}

function fileSource(ctx: CommandContext, path: string): ImportedSource {
  return {
    path,
    read: () => ctx.files.read(path),
    async beside(name) {
      const whole = join(dirname(path), name)
      return (await ctx.files.stat(whole))?.isFile === true ? ctx.files.read(whole) : undefined
    },
  }
}
