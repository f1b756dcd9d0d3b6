/** Libraries: master copies and types with versions, in the project and in global libraries. */
import { codeTables, definePlugin, extend } from '../../core/index.ts'
import { type FolderImporter, folderImporter, type ProjectSection, projectSection } from '../projects/index.ts'
import { obstacleCodes } from './code-table.ts'
import { globalOperations } from './global-operations.ts'
import { libraryKind } from './kinds.ts'
import { librarySlice } from './library.ts'
import { projectLibraryOperations } from './operations.ts'
import { programKinds } from './program-kinds.ts'
import { typeOperations } from './type-operations.ts'

export { type KindEntry, type LibraryKind, type LibraryObject, libraryKind, type Obstacle } from './kinds.ts'
export { globalLibraries, instances, libraryFolders, libraryTypes, masterCopies } from './library.ts'

const librarySection: ProjectSection = {
  name: 'library',
  order: 70,
  folders: ['library/**'],
  async save(ctx, project) {
    return (await import('./project-section.ts')).saveProjectLibrary(ctx, project)
  },
  async load(ctx, project, files) {
    return (await import('./project-section.ts')).loadProjectLibrary(ctx, project, files)
  },
}

const givenLibrary: FolderImporter = {
  name: 'libraries',
  order: 20,
  recognizes: () => [],
  async import(ctx, _project, files) {
    return (await import('./tia-library.ts')).importGivenLibrary(ctx, files)
  },
}

export default definePlugin({
  name: 'libraries',
  version: '1.0.0',
  description: 'Project library and global libraries: master copies, types with versions, instances, compare.',
  requires: ['projects', 'devices', 'blocks', 'types', 'tags', 'watch-tables'],
  slice: librarySlice,
  operations: [...projectLibraryOperations, ...typeOperations, ...globalOperations],
  extensionPoints: [libraryKind],
  extensions: [
    extend(codeTables, obstacleCodes),
    extend(projectSection, librarySection),
    extend(folderImporter, givenLibrary),
    ...programKinds.map((kind) => extend(libraryKind, kind)),
  ],
  docs: [{ name: 'libraries', title: 'Libraries', text: async () => (await import('./docs.ts')).librariesPage }],
})
