/** The files of an imported folder, and the folders of the program that they go to. */

import { type CommandContext, defined, problem } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { fileFormat, isReadable, type SourceFile } from '../../program-objects/index.ts'
import { unpackFiles } from '../../projects/index.ts'

/** A file to import. */
export interface ImportFile extends SourceFile {
  /** Folder of the program that its objects go to; absent: an existing object stays in its folder. */
  readonly folder?: string
  /** Software unit that the file is of. */
  readonly unit?: string
}

/**
 * Names of the root groups in exports, by language of the user interface (as TIA Portal shows them in the project
 * tree).
 */
const rootGroups = new Set(
  [
    'Program blocks',
    'PLC tags',
    'PLC data types',
    'Watch and force tables',
    'Programmbausteine',
    'PLC-Variablen',
    'PLC-Datentypen',
    'Beobachtungs- und Forcetabellen',
    'Blocs de programme',
    'Variables API',
    'Types de données API',
    'Tables de visualisation et de forçage permanent',
    'Bloques de programa',
    'Variables PLC',
    'Tipos de datos PLC',
    'Tablas de observación y forzado permanente',
    'Blocchi di programma',
    'Variabili PLC',
    'Tipi di dati PLC',
    'Tabelle di controllo e di forzamento permanente',
    '程序块',
    'PLC 变量',
    'PLC 数据类型',
    '监控与强制表',
    'Technology objects',
    'Technologieobjekte',
    'Objets technologiques',
    'Objetos tecnológicos',
    'Oggetti tecnologici',
    '工艺对象',
    'External source files',
    'Externe Quellen',
    '外部源文件',
  ].map((name) => name.toLowerCase()),
)
/** Folders of a device in a project tree of the gateway. */
const ownRoots = new Set(['blocks', 'types', 'tags', 'watch-tables'])

/** Where the software units of a PLC are, beside its root groups. */
const unitGroups = new Set(['software units', 'software-units'])

/**
 * Where a file of an imported folder goes: the folders between the root group (or the imported folder) and the file.
 * Files of a software unit go to a folder with the unit's name.
 * @param path relative to the imported folder, `/` between segments
 */
export function programFolder(path: string): {
  /** Folders above the PLC, and the PLC's own. */
  readonly before: readonly string[]
  readonly folder: string
  readonly unit?: string
} {
  const segments = path.split('/').slice(0, -1).map(decoded)
  const root = segments.findLastIndex((segment) => rootGroups.has(segment.toLowerCase()))
  if (unitGroups.has(segments[root - 2]?.toLowerCase() ?? '')) {
    const unit = segments[root - 1] as string
    return { before: segments.slice(0, root - 2), folder: [unit, ...segments.slice(root + 1)].join('/'), unit }
  }
  if (root >= 0) return { before: segments.slice(0, root), folder: segments.slice(root + 1).join('/') }
  const skip = ownRoots.has(segments[0] ?? '') ? 1 : 0
  return { before: [], folder: segments.slice(skip).join('/') }
}

/** Exports percent-encode characters that file systems do not allow in names. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '_')
  } catch {
    return segment
  }
}

/** Limits of a folder import in levels and files: beyond them the client named the wrong folder. */
const maxDepth = 40
const maxFiles = 100_000
const foreign = new Set(['.git', '.svn', '.hg', 'node_modules'])

/** The files of a folder, recursively, sorted by path. */
export async function filesOfFolder(
  ctx: CommandContext,
  root: string,
  target: string | undefined,
): Promise<{ files: ImportFile[]; ignored: string[] }> {
  const files: ImportFile[] = []
  const ignored: string[] = []
  const formats = ctx.extensions(fileFormat)
  const walk = async (folder: string, relative: string, depth: number): Promise<void> => {
    if (depth > maxDepth) throw problem('invalid_input', `"${root}" is nested more than ${maxDepth} folders deep.`)
    ctx.signal.throwIfAborted()
    for (const entry of await ctx.files.list(folder)) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory) {
        if (!foreign.has(entry.name)) await walk(entry.path, path, depth + 1)
      } else if (isReadable(path, formats)) files.push(placed(path, () => ctx.files.read(entry.path), target))
      else ignored.push(path)
      if (files.length > maxFiles)
        throw problem('payload_too_large', `"${root}" holds more than ${maxFiles} files; name the folder of a program.`)
    }
  }
  await walk(root, '', 0)
  return { files, ignored }
}

/** A file of a folder, with the place in the program that its path tells. */
function placed(path: string, read: ImportFile['read'], target: string | undefined): ImportFile {
  const { folder: inside, unit } = programFolder(path)
  const into = [target, inside].filter((part) => part !== undefined && part !== '').join('/')
  return { path, read, ...(into === '' && target === undefined ? {} : { folder: into }), ...defined({ unit }) }
}

/**
 * The files of a zip as those of a folder, sorted by path.
 * @throws GatewayError `unacceptable_content` when it cannot be read, or is a project
 */
export async function filesInZip(
  ctx: CommandContext,
  name: string,
  content: Uint8Array,
  target: string | undefined,
): Promise<{ files: ImportFile[]; ignored: string[] }> {
  const unpacked = await unpackFiles(ctx, content, '.xml')
  if (unpacked.kind === 'tia')
    throw problem('unacceptable_content', `"${name}" is a project of TIA Portal, not a folder of exports.`, {
      suggestion: 'POST /api/projects/actions/create-from-archive',
    })
  const all = [...unpacked.files].sort((a, b) => compareTexts(a.path, b.path))
  const isPart = ({ path }: { readonly path: string }) => !path.split('/').some((segment) => foreign.has(segment))
  const formats = ctx.extensions(fileFormat)
  const files = all.filter((one) => isPart(one) && isReadable(one.path, formats))
  return {
    files: files.map((one) => placed(one.path, async () => Buffer.from(one.content), target)),
    ignored: all.filter((one) => isPart(one) && !isReadable(one.path, formats)).map(({ path }) => path),
  }
}

/** The `.s7res` file beside a `.s7dcl` file. */
export async function textsBeside(
  ctx: CommandContext,
  filePath: string,
  resolved: string,
): Promise<Pick<ImportFile, 'texts'>> {
  if (!/\.s7dcl$/i.test(resolved)) return {}
  const beside = resolved.replace(/\.s7dcl$/i, '.s7res')
  const info = await ctx.files.stat(beside)
  if (!info || info.isDirectory) return {}
  return { texts: { path: filePath.replace(/\.s7dcl$/i, '.s7res'), read: () => ctx.files.read(beside) } }
}
