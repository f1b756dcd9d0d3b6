/** Opens projects of TIA Portal: their own file is read, and what it holds goes the way of exported files. */
import { basename, dirname, extname, join } from 'node:path'
import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import { folderTaken } from '../files/names.ts'
import { FolderFiles } from '../files/tree.ts'
import { importContent, type Opened } from '../import-content.ts'
import { readPercent, type TiaContent } from './tia-content.task.ts'
import { readTia, type TiaFiles, tiaFilesOf } from './tia-source.ts'

/** How a TIA Portal project is opened. */
export interface TiaOpenOptions {
  readonly continueOnError: boolean
  /** An earlier save, from 1. */
  readonly asOfSave?: number
}

/**
 * Opens the project whose header file or archive a client named. Gantry's own project is saved in a folder of that name
 * beside it.
 * @throws GatewayError `unacceptable_content` when there is no project file, `name_taken` for an archive whose folder
 *   exists
 */
export async function openTiaProject(ctx: CommandContext, path: string, options: TiaOpenOptions): Promise<Opened> {
  const files = await tiaFilesOf(ctx, path)
  const folder = join(dirname(path), basename(path, extname(path)))
  if ('archive' in files.store && (await ctx.files.stat(folder))) throw folderTaken(folder)
  return openTia(ctx, files, folder, options)
}

/**
 * Opens a TIA Portal project from its two files.
 * @param folder that Gantry's own project is saved in
 */
export async function openTia(
  ctx: CommandContext,
  source: TiaFiles,
  folder: string,
  { asOfSave, continueOnError }: TiaOpenOptions,
): Promise<Opened> {
  const content = await readTia(ctx, source, {
    skipDamaged: continueOnError,
    ...defined({ asOfSave }),
  })
  const contents = new Map(content.files.map((file) => [file.path, Buffer.from(file.content)]))
  const files = new FolderFiles(
    [...contents.keys()].sort(),
    { read: async (path) => contents.get(path)!, modifiedAt: async () => ctx.now },
    content,
  )
  const opened = await importContent(ctx, {
    folder,
    name: content.name,
    author: content.author,
    comment: `Read from ${source.path}`,
    version: content.version,
    files,
    // A file of the reader's own that does not go in is a fault to report, and no reason to refuse the project.
    continueOnError: true,
    isOfTia: true,
    begin: readPercent,
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

/** What was not read of a project, and what became something else. */
export function warningsOf(content: TiaContent): string[] {
  const { report, found, version } = content
  const count = (completeness: string) => report.filter((entry) => entry.completeness === completeness).length
  const warnings: string[] = []
  if (found !== undefined && found !== version)
    warnings.push(`The project is of ${found}, which is no version of projects here; it was opened as ${version}.`)
  if (count('partly') + count('not-read') > 0)
    warnings.push(
      `${counted(count('whole'), 'object was', 'objects were')} read whole, ${count('partly')} in part and ${count('not-read')} not at all: \`tia.objects\` says why.`,
    )
  if (content.systemElements > 0)
    warnings.push(
      `${counted(content.systemElements, 'block or type', 'blocks and types')} of TIA Portal's instruction library ${content.systemElements === 1 ? 'was' : 'were'} left out; Gantry has its own.`,
    )
  if (content.systemConstants > 0)
    warnings.push(
      `${counted(content.systemConstants, 'system constant')} that the program uses ${content.systemConstants === 1 ? 'is a user constant' : 'are user constants'} of the table "System constants".`,
    )
  if (content.unknownStations.length > 0)
    warnings.push(`Stations without a PLC or a head module are not opened: ${listed(content.unknownStations)}.`)
  for (const [kind, number] of Object.entries(content.notRead))
    warnings.push(`Not read: ${number} of the kind ${kind}.`)
  if (content.damaged.length > 0)
    warnings.push(
      `${counted(content.damaged.length, 'damaged record was', 'damaged records were')} left out: ${listed(content.damaged)}.`,
    )
  return warnings
}

/** The first names of a list, and how many more there are. */
function listed(names: readonly string[]): string {
  const most = 5
  return `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`
}
