/** Projects: create, open, save, close, archive, restore, search; the place where other plugins keep their content in files. */
import { definePlugin } from '../../core/index.ts'
import { projectOperations } from './operations.ts'
import { projectSlice } from './project.ts'

export { parseJsonFile, readJsonFile } from './json-file.ts'
export { fileNameOf, folderPathOf } from './names.ts'
export {
  currentProject,
  type EngineeringVersion,
  engineeringVersions,
  faultyFiles,
  isModified,
  modifiesProject,
  openProject,
  type Project,
  project,
  projectClosed,
  projectLoaded,
  projectOpened,
  projectSaved,
  requireProject,
} from './project.ts'
export {
  type FilesOrigin,
  type FolderImport,
  type FolderImporter,
  folderImporter,
  type ImportedFile,
  type Infrastructure,
  type IoSystem,
  type NetworkNode,
  type OverviewDevice,
  type ProjectFile,
  type ProjectFiles,
  type ProjectSection,
  projectSection,
  type SearchEntry,
  type SectionProgress,
  type Subnet,
} from './project-section.ts'

export default definePlugin({
  name: 'projects',
  version: '1.0.0',
  description: 'Projects: create, open, save, close, archive, restore, overview, history, search.',
  slice: projectSlice,
  operations: projectOperations,
  docs: [{ name: 'projects', title: 'Projects', text: async () => (await import('./docs.ts')).projectPage }],
})
