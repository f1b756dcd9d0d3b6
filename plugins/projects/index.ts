/**
 * Projects: create, open, save, close, archive, restore, search; the place where other plugins keep their content in
 * files.
 */
import { type CommandContext, definePlugin, type QueryContext } from '../../core/index.ts'
import type { Unpacked } from './archive/archive.task.ts'
import type { Closed, ClosingDecision } from './close.ts'
import type { UnsavedFiles } from './files/collect.ts'
import { manifestExtension } from './files/manifest.ts'
import type { Saved } from './files/save.ts'
import { projectOperations } from './operations.ts'
import { currentProject, projectSlice, requireProject } from './project.ts'
import { folderImporter, projectSection } from './project-section.ts'
import type { TiaContent } from './tia/tia-content.task.ts'

export { filesOfFolder, nothingAt, packFiles, unpackFiles } from './files/folder-access.ts'
export { parseJson, parseJsonFile, readJsonFile } from './files/json-file.ts'
export { fileNameOf } from './files/names.ts'
export {
  changesProject,
  currentProject,
  type EngineeringVersion,
  engineeringVersions,
  faultyFiles,
  isModified,
  modifiesProject,
  type Project,
  project,
  projectClosed,
  requireProject,
} from './project.ts'
export {
  type FilesOrigin,
  type FolderImport,
  type FolderImporter,
  folderImporter,
  type GivenController,
  type GivenInterface,
  type GivenItem,
  type GivenLibrary,
  type GivenLibraryFile,
  type GivenStation,
  type ImportedFile,
  type Infrastructure,
  type IoSystem,
  type NetworkNode,
  type ProjectFile,
  type ProjectFiles,
  type ProjectSection,
  projectSection,
  type SaveContext,
  type SearchEntry,
  type SectionProgress,
  type Subnet,
} from './project-section.ts'
export type { TiaContent, UnsavedFiles }

/**
 * Closes the project that is open, if one is, as `POST /api/projects/actions/close` does.
 * @throws GatewayError see `closeProject` in close.ts
 */
export async function closeOpenProject(ctx: CommandContext, decision: ClosingDecision): Promise<Closed | undefined> {
  const open = currentProject(ctx)
  return open && (await import('./close.ts')).closeProject(ctx, open, decision)
}

/**
 * Saves the open project to its folder.
 * @throws GatewayError `no_project`
 */
export async function saveOpenProject(ctx: CommandContext): Promise<Saved> {
  return (await import('./files/save.ts')).saveProject(ctx, requireProject(ctx))
}

/**
 * Closes the open project and opens it again from its files, which another program has changed.
 * @returns warnings about the files
 * @throws GatewayError `conflict` when there are unsaved changes; what opening throws
 */
export async function reloadProject(ctx: CommandContext): Promise<readonly string[]> {
  const open = requireProject(ctx)
  const [{ closeProject }, { openPath }] = await Promise.all([import('./close.ts'), import('./open.ts')])
  await closeProject(ctx, open, {})
  return (await openPath(ctx, `${open.path}/${open.name}${manifestExtension}`)).warnings
}

/**
 * What a save of the open project would write.
 * @throws GatewayError `no_project`
 */
export async function unsavedFiles(ctx: QueryContext | CommandContext): Promise<UnsavedFiles> {
  return (await import('./files/collect.ts')).unsavedFiles(ctx)
}

/**
 * Reads a project of TIA Portal (`.zapNN`, `.zalNN`, `.apNN`, `.alNN` or `PEData.plf`) as files of an export.
 * @throws GatewayError `not_found`, `unacceptable_content` when there is no project file
 */
export async function readTiaFile(ctx: Pick<QueryContext, 'files' | 'engine'>, path: string): Promise<TiaContent> {
  return (await import('./tia/inspect.ts')).inspectTia(ctx, path, { skipDamaged: true })
}

/**
 * The same for an archive that was looked through (`unpackFiles`).
 * @param path of the archive, for messages
 * @param archive its bytes
 * @throws GatewayError `unacceptable_content` when there is no project file
 */
export async function readUnpackedTia(
  ctx: Pick<QueryContext, 'files' | 'engine'>,
  path: string,
  archive: Uint8Array,
  unpacked: Extract<Unpacked, { kind: 'tia' }>,
): Promise<TiaContent> {
  const { readTia, requireStore } = await import('./tia/tia-source.ts')
  return readTia(ctx, requireStore(path, archive, unpacked), { skipDamaged: true })
}

export default definePlugin({
  name: 'projects',
  version: '1.0.0',
  extensionPoints: [folderImporter, projectSection],
  description: 'Projects: create, open, save, close, archive, restore, overview, history, search.',
  slice: projectSlice,
  operations: projectOperations,
  docs: [{ name: 'projects', title: 'Projects', text: async () => (await import('./docs.ts')).projectPage }],
})
