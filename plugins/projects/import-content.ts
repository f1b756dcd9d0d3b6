/** Makes a new project of exported files, wherever they come from. */
import type { CommandContext } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import type { ObjectReport } from '../../plc/formats/tia-project/files.ts'
import type { Save } from '../../plc/formats/tia-project/store.ts'
import { projectNameFault } from './files/names.ts'
import type { FolderFiles } from './files/tree.ts'
import { type EngineeringVersion, type OpenedProject, type Project, projectOpened, requireProject } from './project.ts'
import { type FilesOrigin, folderImporter, type ImportedFile } from './project-section.ts'

/** How a project was opened. */
export interface Opened {
  readonly project: Project
  readonly how: 'opened' | 'restored' | 'imported'
  /** Files imported from a folder without manifest, each with its outcome. */
  readonly imported?: number
  readonly files?: readonly ImportedFile[]
  readonly warnings: readonly string[]
  /** What a project of TIA Portal held, and how far each object was read. */
  readonly tia?: TiaReport
}

/** How far a project of TIA Portal was read. */
export interface TiaReport {
  readonly kind: 'Project' | 'Library'
  /** `V19`. */
  readonly version?: string
  /** The saves that the file still has, the oldest first. */
  readonly saves: readonly Save[]
  readonly objects: readonly ObjectReport[]
  /** Damaged records that were left out. */
  readonly damaged: readonly string[]
}

/** What becomes a new project. */
export interface NewContent {
  /** Folder that it is saved in. */
  readonly folder: string
  /** Any text; what a project's name cannot have is replaced. */
  readonly name: string
  readonly author: string
  readonly comment: string
  /** Default: that of the settings. */
  readonly version?: EngineeringVersion
  readonly files: FolderFiles
  readonly continueOnError: boolean
  /** The files were read from a project of TIA Portal, which may have no program at all. */
  readonly isOfTia: boolean
  /** Percent of the job that reading them was; default: 5. */
  readonly begin?: number
}

/** Opens files of exports as a new project that was never saved. */
export async function importContent(ctx: CommandContext, content: NewContent): Promise<Opened> {
  const { folder, files, continueOnError, begin = 5 } = content
  const version = content.version ?? ctx.gateway.settings.engineering.defaultVersion
  const name = nameFrom(content.name)
  const suited = []
  // A library, or a project of panels or drives only, has no files of programs at all.
  const { library } = files
  const hasContent =
    files.list().length > 0 || files.controllers.length > 0 || library.types.length > 0 || library.copies.length > 0
  const importers = [...ctx.extensions(folderImporter)].sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
  for (const importer of importers)
    if ((content.isOfTia && hasContent) || (await importer.recognizes(files)).length > 0) suited.push(importer)
  const origins = await Promise.all(suited.map((importer) => importer.describe?.(files) ?? unknownOrigin))
  const cultures = [...new Set(origins.flatMap((origin) => origin.cultures))]
  const project: OpenedProject = {
    id: ctx.newId(),
    name,
    path: folder,
    author: content.author,
    comment: content.comment,
    version,
    createdAt: ctx.now,
    modifiedAt: ctx.now,
    simulationSupport: false,
    cultures: cultures.length === 0 ? ['en-US'] : cultures,
  }
  ctx.emit(projectOpened, { project, how: 'imported', openedAt: ctx.now }, `project/${name}`)
  let imported = 0
  const warnings: string[] = []
  const outcomes = new Map<string, ImportedFile>()
  for (const [i, importer] of suited.entries()) {
    ctx.signal.throwIfAborted()
    const report = (fraction: number, message?: string) =>
      ctx.progress(begin + ((95 - begin) * (i + Math.min(1, fraction))) / suited.length, message)
    const outcome = await importer.import(ctx, requireProject(ctx), files, report, { continueOnError })
    imported += outcome.imported
    warnings.push(...outcome.warnings)
    // A file that one importer ignores may be for another one.
    for (const file of outcome.files)
      if (file.status !== 'ignored' || !outcomes.has(file.path)) outcomes.set(file.path, file)
  }
  ctx.progress(100, `${counted(imported, 'file')} imported`)
  return { project: requireProject(ctx), how: 'imported', imported, files: [...outcomes.values()], warnings }
}

export const unknownOrigin: FilesOrigin = { versions: new Map(), cultures: [], hasObjects: true }

/** A project name out of a folder's name. */
function nameFrom(folder: string): string {
  const cleaned = [...folder]
    .map((c) => (projectNameFault(`a${c}a`) ? '_' : c))
    .join('')
    .trim()
  return projectNameFault(cleaned) ? 'Imported' : cleaned
}
