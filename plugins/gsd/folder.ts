/**
 * The GSD files of the workspace: found in the folder of the setting `engineering.gsdFolder`, read when they are asked
 * for.
 */
import { createHash } from 'node:crypto'
import { isGatewayError } from '../../core/index.ts'
import type { GsdFile } from '../../plc/formats/gsdml/gsdml.ts'
import type { SourceContext } from '../devices/index.ts'

/** A file, read; `fault`: why it cannot be. */
export interface ReadGsd {
  readonly fileName: string
  readonly file?: GsdFile
  readonly fault?: string
}

/** Most files of the folder that are read for a list or search. */
const mostFiles = 500
/** Results by the hash of the content: the same bytes are parsed once. */
const parsed = new Map<string, ReadGsd>()
const mostParsed = 200

const isGsdml = (name: string) => /^GSDML-.*\.xml$/i.test(name)

/**
 * Paths of the files of the folder by name in capitals, in order; none when the folder is absent.
 * @throws GatewayError for a folder outside of the workspace, and for a file in its place
 */
async function gsdPaths({ files, gateway }: SourceContext): Promise<ReadonlyMap<string, string>> {
  try {
    const entries = await files.list(gateway.settings.engineering.gsdFolder)
    const found = entries.filter(({ name, isDirectory }) => !isDirectory && isGsdml(name))
    return new Map(found.map(({ name, path }) => [name.toUpperCase(), path]))
  } catch (error) {
    if (isGatewayError(error) && error.code === 'not_found') return new Map()
    throw error
  }
}

/**
 * The file of a name, in capitals; undefined when the folder has none.
 * @throws GatewayError for a folder outside of the workspace, and for a file in its place
 */
export async function gsdFile(ctx: SourceContext, fileName: string): Promise<ReadGsd | undefined> {
  const path = (await gsdPaths(ctx)).get(fileName.toUpperCase())
  return path === undefined ? undefined : readOne(ctx, fileName.toUpperCase(), path)
}

/** The files of the folder; the folder itself with a fault when it cannot be read, or not whole. */
export async function gsdFiles(ctx: SourceContext): Promise<ReadGsd[]> {
  const paths = await gsdPaths(ctx).catch((error: unknown) => {
    if (isGatewayError(error)) return error.message
    throw error
  })
  const folder = ctx.gateway.settings.engineering.gsdFolder
  if (typeof paths === 'string') return [{ fileName: folder, fault: paths }]
  const all: ReadGsd[] = []
  for (const [fileName, path] of [...paths].slice(0, mostFiles)) all.push(await readOne(ctx, fileName, path))
  const left = paths.size - all.length
  if (left > 0)
    all.push({ fileName: folder, fault: `${left} of its files are left out: at most ${mostFiles} are read` })
  return all
}

/** Commands read the bytes each time, so that a replay of them reads the same. */
async function readOne({ files }: SourceContext, fileName: string, path: string): Promise<ReadGsd> {
  const bytes = await files.read(path)
  const key = `${fileName}:${createHash('sha256').update(bytes).digest('hex')}`
  const known = parsed.get(key)
  if (known) return known
  const read = await parse(fileName, bytes)
  if (parsed.size >= mostParsed) parsed.delete(parsed.keys().next().value as string)
  parsed.set(key, read)
  return read
}

async function parse(fileName: string, bytes: Buffer): Promise<ReadGsd> {
  const [{ readGsdml }, { decodeText }, { FormatError }] = await Promise.all([
    import('../../plc/formats/gsdml/read.ts'),
    import('../../plc/model/decode.ts'),
    import('../../plc/model/fault.ts'),
  ])
  try {
    return { fileName, file: readGsdml(decodeText(bytes).text, fileName) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const [first, ...more] = error.faults
    const others = more.length > 0 ? `; ${more.length} more` : ''
    return { fileName, fault: `line ${first?.line}: ${first?.message}${others}` }
  }
}
