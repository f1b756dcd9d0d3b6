/**
 * Shared by the plugins that keep objects of a PLC program (blocks, types, tags, watch tables): collections in folders,
 * names, symbols, targets of imports, documents and their export, project files, cross-references, pages of lists.
 */
import { definePlugin, extend, undoCheck } from '../../core/index.ts'
import { namesCheck } from './undo-check.ts'

export {
  attributesFile,
  decodedName,
  directoryOf,
  folderFiles,
  objectFileName,
  readBesideTexts,
} from './beside-texts.ts'
export { type CollectionFiles, collectionSection } from './collection-section.ts'
export { compareStored } from './compare.ts'
export {
  type ProgramContributor,
  type ProgramObject,
  type ProgramSymbol,
  programContributor,
} from './cross-references/contributor.ts'
export { updatedFields, userFields } from './cross-references/fields.ts'
export { renameUsers, requireUnused, type User, usersOf } from './cross-references/guard.ts'
export { findReferences, requireRowOf } from './cross-references/lookup.ts'
export {
  memberScope,
  memberUser,
  renameMemberUsers,
  requireReplaceable,
  requireUnusedMember,
} from './cross-references/member-guard.ts'
export { usesWork } from './cross-references/program.ts'
export type { References } from './cross-references/references.ts'
export { declaredFor, declaredNamed, editWork } from './declared.ts'
export type { DocumentEdit } from './document.task.ts'
export { cultureOf, documentOf, instancesOf, taskWork, work } from './documents.ts'
export {
  type Exportable,
  exportAsSource,
  exportAsXml,
  exportFile,
  requireReadable,
  runExport,
  storedAsXml,
  writeExport,
} from './export.ts'
export { faultsAsProblems } from './faults-as-problems.ts'
export {
  bareWarnings,
  deviceName,
  engineeringVersion,
  exportAliases,
  exportedFields,
  exportFormat,
  exportRules,
  exportTarget,
  folderAliases,
  folderPath,
  importAliases,
  importChoices,
  importedFields,
  importResources,
  importSource,
  importUnit,
  lossFields,
  objectName,
  objectVersion,
  refuseBoth,
} from './fields.ts'
export { folderOperations, treeOperation } from './folder-operations.ts'
export { byText, isInside, segmentsOf, treeOf } from './folders.ts'
export { readInterface } from './interface-input.ts'
export { nameFault, requireName } from './names.ts'
export { missingTypes } from './needs.ts'
export { type KeptObject, type ObjectCollection, objectCollection } from './object-collection.ts'
export { oncePer } from './once-per.ts'
export { orOtherKind } from './other-kind.ts'
export { type Page, type PageRequest, pageOf, pageOfRows, pageOfSorted } from './paging.ts'
export { plcFolders, type Savable } from './project-files.ts'
export { contentPath, isReadable, type ReadObjects, readObjects, type SourceFile } from './read-files.ts'
export { maxSearchText, plainText } from './search-text.ts'
export { requireStartValues } from './start-values.ts'
export {
  headerOf,
  isSameOrigin,
  type ObjectHeader,
  type Origin,
  originOf,
  type StoredText,
  storeText,
} from './stored-text.ts'
export { findSymbol, requireFreeSymbol, type SymbolHolder, symbolHolder } from './symbols.ts'
export {
  type ImportTarget,
  importTarget,
  type SavedIdentity,
  type StorableObject,
  type Stored,
  type StoreOptions,
  storeObject,
  targetFor,
  unsupportedKind,
} from './targets.ts'
export { objectsCheck } from './undo-check.ts'
export { withUnitNames } from './unit-names.ts'
export { memberFields, textIn } from './views.ts'

export default definePlugin({
  name: 'program-objects',
  version: '1.0.0',
  description: 'What objects of a PLC program have in common: collections, folders, names, files, cross-references.',
  requires: ['projects', 'devices'],
  operations: [],
  extensions: [extend(undoCheck, namesCheck)],
})
