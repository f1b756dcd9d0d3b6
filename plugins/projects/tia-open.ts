/** Opens projects of TIA Portal: their own file is read, and what it holds goes the way of exported files. */
import { basename, dirname, extname, join } from 'node:path'
import { type CommandContext, problem } from '../../core/index.ts'
import { importContent, type Opened } from './import-content.ts'
import { describeTiaProject, type TiaProject, tiaStorePath } from './tia.ts'
import { type TiaContent, tiaContentTask } from './tia-content.task.ts'
import { FolderFiles } from './tree.ts'

/** How a TIA Portal project is opened. */
export interface TiaOpenOptions {
  readonly continueOnError: boolean
  /** An earlier save, from 1. */
  readonly asOfSave?: number
}

/** A project of TIA Portal: its header file and its project file. */
export interface TiaSource {
  /** Path of `<Name>.apNN`, for messages. */
  readonly path: string
  /** Absent in a backup of the project file alone. */
  readonly header?: Uint8Array
  readonly store: Uint8Array
  /** Folder that Gantry's own project is saved in. */
  readonly folder: string
}

/**
 * Opens the project whose header file a client named.
 * @throws GatewayError `unacceptable_content` when there is no project file beside it
 */
export async function openTiaProject(ctx: CommandContext, path: string, options: TiaOpenOptions): Promise<Opened> {
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
  const store = await ctx.files.read(storePath)
  return openTia(ctx, { path, header, store, folder: join(dirname(path), basename(path, extname(path))) }, options)
}

/** Opens a TIA Portal project from its two files. */
export async function openTia(ctx: CommandContext, source: TiaSource, options: TiaOpenOptions): Promise<Opened> {
  const tia: Partial<TiaProject> = source.header ? await describeTiaProject(source.header) : {}
  const { asOfSave, continueOnError } = options
  const content = await ctx.engine.run<TiaContent>(
    tiaContentTask({
      store: source.store,
      skipDamaged: continueOnError,
      ...(tia.version === undefined ? {} : { version: tia.version }),
      ...(asOfSave === undefined ? {} : { asOfSave }),
    }),
  )
  const contents = new Map(content.files.map((file) => [file.path, Buffer.from(file.content)]))
  const files = new FolderFiles(
    [...contents.keys()].sort(),
    { read: async (path) => contents.get(path)!, modifiedAt: async () => ctx.now },
    content.controllers,
  )
  const name = content.name || tia.name || basename(source.path, extname(source.path))
  const opened = await importContent(ctx, {
    folder: source.folder,
    name,
    author: content.author,
    comment: `Read from ${source.path}`,
    version: content.version,
    files,
    // A file of the reader's own that does not go in is a fault to report, and no reason to refuse the project.
    continueOnError: true,
    isOfTia: true,
  })
  return {
    ...opened,
    warnings: [...warningsOf(content), ...opened.warnings],
    tia: {
      kind: content.kind,
      ...(content.found ? { version: content.found } : {}),
      saves: content.saves,
      objects: content.report,
      damaged: content.damaged,
    },
  }
}

function warningsOf(content: TiaContent): string[] {
  const { report, found, version } = content
  const count = (completeness: string) => report.filter((entry) => entry.completeness === completeness).length
  const warnings: string[] = []
  if (found !== undefined && found !== version)
    warnings.push(`The project is of ${found}, which is no version of projects here; it was opened as ${version}.`)
  if (count('partly') + count('not-read') > 0)
    warnings.push(
      `${count('whole')} objects were read whole, ${count('partly')} in part and ${count('not-read')} not at all: \`tia.objects\` says why.`,
    )
  if (content.systemElements > 0)
    warnings.push(
      `${content.systemElements} blocks and types of TIA Portal's instruction library were left out; Gantry has its own.`,
    )
  if (content.systemConstants > 0)
    warnings.push(
      `${content.systemConstants} system constants that the program uses are user constants of the table "System constants".`,
    )
  if (content.otherStations.length > 0)
    warnings.push(`Stations without a PLC are not opened: ${listed(content.otherStations)}.`)
  for (const [kind, number] of Object.entries(content.notRead))
    warnings.push(`${number} ${kind}${number === 1 ? ' is' : 's are'} not read.`)
  if (content.damaged.length > 0)
    warnings.push(`${content.damaged.length} damaged records were left out: ${listed(content.damaged)}.`)
  return warnings
}

/** The first names of a list, and how many more there are. */
function listed(names: readonly string[]): string {
  const most = 5
  return `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`
}
