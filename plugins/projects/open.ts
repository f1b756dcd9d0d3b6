/** Opens a project: from its folder, from a folder of exported files, or from the content of an archive. */
import { basename, dirname, extname } from 'node:path'
import { type CommandContext, defined, isGatewayError, problem } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { nothingAt } from './files/folder-access.ts'
import { isManifest, manifestExtension, readManifest } from './files/manifest.ts'
import { conflictProblem } from './files/merge-conflicts.ts'
import { projectNameFault } from './files/names.ts'
import { FolderFiles, pathPattern, readTree } from './files/tree.ts'
import { importContent, type Opened, unknownOrigin } from './import-content.ts'
import {
  currentProject,
  type EngineeringVersion,
  engineeringVersions,
  type OpenedProject,
  projectLoaded,
  projectOpened,
  requireProject,
} from './project.ts'
import { type FilesOrigin, folderImporter, type ProjectSection, projectSection } from './project-section.ts'

/** @throws GatewayError `conflict` naming the project that is open */
export function requireNoProject(ctx: Pick<CommandContext, 'read'>): void {
  const open = currentProject(ctx)
  if (open) {
    throw problem(
      'conflict',
      `Project "${open.name}" (${open.path}) is open. Close it first; one project can be open.`,
      {
        suggestion: 'POST /api/projects/actions/close-sync',
      },
    )
  }
}

/**
 * Opens what a client named: a project's folder, its manifest, or a folder of exported files.
 * @param options `continueOnError`: imports the files of a folder of exports that have no fault
 */
export async function openPath(
  ctx: CommandContext,
  path: string,
  options: { readonly continueOnError: boolean; readonly asOfSave?: number } = { continueOnError: false },
): Promise<Opened> {
  const named = await ownProjectOf(ctx, await ctx.files.resolve(path))
  const info = await ctx.files.stat(named)
  if (!info) throw await nothingAt(ctx, 'project or folder', path, named, canBeOpened)
  if (info.isFile && (tiaProject.test(named) || tiaArchive.test(named))) return openTiaFile(ctx, named, options)
  if (info.isFile && !isManifest(named)) throw notAManifest(named)
  const folder = info.isFile ? dirname(named) : named
  ctx.progress(1, 'Looking through the folder')
  const tree = await readTree(ctx.files, folder)
  const files = FolderFiles.of(ctx.files, folder, tree)
  const manifest = info.isFile ? basename(named) : manifestOf(folder, tree.files)
  if (manifest !== undefined) {
    const modifiedAt = Date.parse((await ctx.files.stat(`${folder}/${manifest}`))?.modifiedAt ?? '')
    return openFiles(ctx, { how: 'opened', folder, manifest, files, savedAt: modifiedAt || ctx.now })
  }
  const tia = tree.files.find((file) => !file.includes('/') && tiaProject.test(file))
  return importFolder(ctx, folder, files, { ...options, ...defined({ tia }) })
}

async function openTiaFile(
  ctx: CommandContext,
  path: string,
  options: { readonly continueOnError: boolean; readonly asOfSave?: number },
): Promise<Opened> {
  return (await import('./tia/tia-open.ts')).openTiaProject(ctx, path, options)
}

/**
 * The manifest of the project of the same name when a client names a project file of TIA Portal: clients of this API
 * family know projects by such paths. Any other path stays as it is.
 */
async function ownProjectOf(ctx: CommandContext, named: string): Promise<string> {
  if (!tiaProject.test(named)) return named
  const plain = named.replace(tiaProject, '')
  for (const manifest of [`${plain}.gantry`, `${plain}/${basename(plain)}.gantry`])
    if ((await ctx.files.stat(manifest))?.isFile) return manifest
  return named
}

const tiaProject = /\.a[pl]\d+(_\d+)?$/i
/** Archives, and backups of the project file alone. */
const tiaArchive = /\.(za[pl](\d+(_\d+)?)?|zip)$/i

/** The manifest in a project's folder. */
function manifestOf(folder: string, files: readonly string[]): string | undefined {
  const manifests = files.filter((file) => !file.includes('/') && isManifest(file))
  if (manifests.length > 1) {
    throw problem(
      'invalid_input',
      `/path: "${folder}" holds ${manifests.length} projects; name one of them: ${manifests.join(', ')}.`,
      {
        errors: [{ path: '/path', message: 'holds several projects', value: folder, allowed: manifests }],
      },
    )
  }
  return manifests[0]
}

/** The location of a project's content, and how it is opened. */
interface Source {
  readonly how: 'opened' | 'restored'
  readonly folder: string
  /** File name of the manifest. */
  readonly manifest: string
  readonly files: FolderFiles
  /** When the files were written, ms. */
  readonly savedAt: number
}

/** Opens a project from its files. */
export async function openFiles(ctx: CommandContext, source: Source): Promise<Opened> {
  const { manifest: file, files } = source
  const parts = [...ctx.extensions(projectSection)].sort((a, b) => a.order - b.order)
  const patterns = parts.flatMap((part) => part.folders.map(pathPattern))
  const own = [file, ...files.list().filter((path) => patterns.some((pattern) => pattern.test(path)))]
  // A merge conflict causes all kinds of faults: the conflict itself is reported.
  const loaded = await loadFiles(ctx, source, parts).catch(async (error: unknown) => {
    throw (isGatewayError(error) ? await conflictProblem(files, own) : undefined) ?? error
  })
  const conflicts = await conflictProblem(files, [])
  if (conflicts) throw conflicts
  return loaded
}

async function loadFiles(ctx: CommandContext, source: Source, parts: readonly ProjectSection[]): Promise<Opened> {
  const { how, folder, manifest: file, files, savedAt } = source
  const name = file.slice(0, -manifestExtension.length)
  const fault = projectNameFault(name)
  if (fault)
    throw problem('unacceptable_content', `The project name "${name}" (from its manifest's file name) ${fault}.`)
  const { parts: present, ...manifest } = readManifest(file, (await files.read(file)).toString('utf8'))
  const opened: OpenedProject = { ...manifest, name, path: folder, modifiedAt: savedAt, savedAt }
  ctx.emit(projectOpened, { project: opened, how, openedAt: ctx.now }, `project/${name}`)

  const warnings: string[] = []
  for (const [i, part] of parts.entries()) {
    ctx.signal.throwIfAborted()
    const report = (fraction: number, message?: string) =>
      ctx.progress(5 + (90 * (i + Math.min(1, fraction))) / parts.length, message)
    report(0, `Loading ${part.name}`)
    warnings.push(...(await part.load(ctx, requireProject(ctx), files, report)))
  }
  // Sorted, because several files are read at once.
  const read = [...files.hashes].sort(([a], [b]) => (a < b ? -1 : 1))
  const hashes = await ctx.blobs.put(JSON.stringify(Object.fromEntries(read)))
  ctx.emit(projectLoaded, { projectId: opened.id, files: hashes }, `project/${name}`)
  ctx.progress(100, `Project "${name}" is open`)
  const unknown = present.filter((part) => !parts.some((other) => other.name === part))
  return {
    project: requireProject(ctx),
    how,
    warnings: [
      ...unknown.map(
        (part) =>
          `The project has content of part "${part}", which no loaded plugin reads; its files are left as they are.`,
      ),
      ...warnings,
    ],
  }
}

/** Opens a folder of exported files as a new project that was never saved. */
async function importFolder(
  ctx: CommandContext,
  folder: string,
  files: FolderFiles,
  {
    continueOnError,
    asOfSave,
    tia,
  }: {
    readonly continueOnError: boolean
    readonly asOfSave?: number
    /** The project file of TIA Portal beside the files. */
    readonly tia?: string
  },
): Promise<Opened> {
  const importers = ctx.extensions(folderImporter)
  const suited = []
  for (const importer of importers) if ((await importer.recognizes(files)).length > 0) suited.push(importer)
  const origins = await Promise.all(suited.map((importer) => importer.describe?.(files) ?? unknownOrigin))
  // Folders of TIA Portal contain files of all kinds; only exported objects are more than its own.
  if (tia !== undefined && !origins.some(({ hasObjects }) => hasObjects))
    return openTiaFile(ctx, `${folder}/${tia}`, { continueOnError, ...defined({ asOfSave }) })
  if (suited.length === 0) {
    const held = files.list()
    throw problem(
      'unacceptable_content',
      `"${folder}" is not a project: it holds no manifest (*${manifestExtension}) and no exported SimaticML or source files. ${contentOf(held)}`,
      {
        suggestion:
          'Name the folder or the manifest of a project, or a folder with exported .xml, .scl, .db, .udt files.',
      },
    )
  }
  const told = await versionOf(ctx, origins, tia === undefined ? undefined : `${folder}/${tia}`)
  const opened = await importContent(ctx, {
    folder,
    name: basename(folder),
    author: '',
    comment: `Imported from ${folder}`,
    ...defined({ version: told.version }),
    files,
    continueOnError,
    isOfTia: false,
  })
  return { ...opened, warnings: [...told.warnings, ...opened.warnings] }
}

/** The version of a project of files: the newest version of its files, else that of TIA Portal's file beside them. */
async function versionOf(
  ctx: CommandContext,
  origins: readonly FilesOrigin[],
  tia: string | undefined,
): Promise<{ readonly version?: EngineeringVersion; readonly warnings: readonly string[] }> {
  const warnings: string[] = []
  if (tia !== undefined)
    warnings.push(`"${basename(tia)}" is a project of TIA Portal; the exported files beside it were read, not its own.`)
  const counts = new Map<string, number>()
  for (const { versions } of origins)
    for (const [version, count] of versions) counts.set(version, (counts.get(version) ?? 0) + count)
  if (counts.size === 0 && tia !== undefined) {
    const { describeTiaProject } = await import('./tia/tia.ts')
    const { version } = await describeTiaProject(await ctx.files.read(tia))
    if (version !== undefined) counts.set(version, 1)
  }
  const major = (text: string) => Number(/^V(\d+)/.exec(text)?.[1] ?? 0)
  const found = [...counts].sort(([a], [b]) => major(b) - major(a) || (a < b ? 1 : -1))
  const [newest] = found
  if (newest === undefined) return { warnings }
  const known = engineeringVersions.map((version) => ({ version, by: Math.abs(major(version) - major(newest[0])) }))
  const { version, by } = known.reduce((best, one) => (one.by < best.by ? one : best))
  const told = found.map(([text, count]) => `${text} (${count})`).join(', ')
  if (by > 0) warnings.push(`Files are of ${told}, which is no version of projects; the project is of ${version}.`)
  else if (found.length > 1) warnings.push(`Files are of several versions: ${told}; the project is of ${version}.`)
  return { version, warnings }
}

/** The content of a folder for an error: how many files of which kinds. */
export function contentOf(files: readonly string[]): string {
  if (files.length === 0) return 'It is empty.'
  const counts = new Map<string, number>()
  for (const file of files) {
    const extension = extname(file).toLowerCase() || 'no extension'
    counts.set(extension, (counts.get(extension) ?? 0) + 1)
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 6)
  const more = counts.size > kinds.length ? ' …' : ''
  return `It holds ${counted(files.length, 'file')}: ${kinds.map(([k, n]) => `${n} × ${k}`).join(', ')}${more}.`
}

function canBeOpened(file: string): boolean {
  return isManifest(file) || tiaProject.test(file) || tiaArchive.test(file)
}

function notAManifest(path: string) {
  return problem(
    'unacceptable_content',
    `"${path}" is not a project: a folder, a manifest (*${manifestExtension}), or a project or archive of TIA Portal (.apNN, .zapNN, .alNN, .zalNN, .zip) is needed.`,
  )
}
