/**
 * The extension points of the core and of the built-in plugins, with the types of their contributions: `gantry/points`.
 * A plugin that is a function gets this module as its second argument.
 */
export {
  type CodeTable,
  codeTables,
  type McpPrompt,
  mcpPrompts,
  type ResourceChange,
  resourceChanges,
  type UndoCheck,
  undoCheck,
  type WebFolder,
  type WebPage,
  webFolders,
  webPages,
} from '../core/index.ts'
export { blockTemplate, type ContributedTemplate, type MadeFromTemplate } from './block-templates/index.ts'
export {
  type CatalogSource,
  catalogSource,
  type HardwareRule,
  hardwareRule,
  type SubnetSource,
  subnetSource,
} from './devices/index.ts'
export { type ModuleSource, moduleSource } from './hardware/index.ts'
export { type LibraryKind, libraryKind } from './libraries/index.ts'
export {
  type ContributedFormat,
  fileFormat,
  type ImportTarget,
  importTarget,
  type ProgramContributor,
  programContributor,
  type SymbolHolder,
  symbolHolder,
} from './program-objects/index.ts'
export { type FolderImporter, folderImporter, type ProjectSection, projectSection } from './projects/index.ts'
export { type ContributedRule, reviewRule } from './review/index.ts'
export {
  type ControllerDriver,
  controllerDriver,
  type DeviceLink,
  type DriverProgram,
  type ProgramLoader,
  programLoader,
} from './simulation/index.ts'
export { type StudioView, studioView } from './studio/index.ts'
export { type SystemConstantSource, systemConstantSource } from './tags/index.ts'
