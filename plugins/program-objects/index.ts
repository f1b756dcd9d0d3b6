/**
 * Shared by the plugins that keep objects of a PLC program (blocks, types, tags, watch tables): collections in folders,
 * names, symbols, targets of imports, documents and their export, project files, cross-references, pages of lists.
 */
import { definePlugin, extend, undoCheck } from '../../core/index.ts'
import { programContributor } from './cross-references/contributor.ts'
import { fileFormat } from './files/file-format.ts'
import { importTarget } from './files/targets.ts'
import { symbolHolder } from './names/symbols.ts'
import { namesCheck } from './names/undo-check.ts'

export type { ContributedFormat } from '../../plc/formats/file-format.ts'
export { compileMessage } from './compile-message.ts'
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
export { compareStored } from './documents/compare.ts'
export { declaredFor, declaredNamed, editWork } from './documents/declared.ts'
export type { DocumentEdit } from './documents/document.task.ts'
export { calleesOf, cultureOf, documentOf, taskWork, work } from './documents/documents.ts'
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
export {
  attributesFile,
  decodedName,
  directoryOf,
  folderFiles,
  objectFileName,
  readBesideTexts,
} from './files/beside-texts.ts'
export { type CollectionFiles, collectionSection } from './files/collection-section.ts'
export {
  type Exportable,
  exportAsSource,
  exportAsXml,
  exportFile,
  requireReadable,
  runExport,
  storedAsXml,
  writeExport,
} from './files/export.ts'
export { fileFormat } from './files/file-format.ts'
export { orOtherKind } from './files/other-kind.ts'
export { plcFolders, type Savable } from './files/project-files.ts'
export { contentPath, isReadable, type ReadObjects, readObjects, type SourceFile } from './files/read-files.ts'
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
} from './files/targets.ts'
export { folderOperations, treeOperation } from './folder-operations.ts'
export { byText, type FolderTree, isInside, segmentsOf, treeOf } from './folders.ts'
export { readInterface } from './interface-input.ts'
export { nameFault, requireName } from './names/names.ts'
export { findSymbol, requireFreeSymbol, type SymbolHolder, symbolHolder } from './names/symbols.ts'
export { objectsCheck } from './names/undo-check.ts'
export { withUnitNames } from './names/unit-names.ts'
export { missingTypes } from './needs.ts'
export { contentNetwork } from './network-schemas.ts'
export { type KeptObject, type ObjectCollection, objectCollection } from './object-collection.ts'
export { oncePer } from './once-per.ts'
export { type Page, type PageRequest, pageOf, pageOfRows, pageOfSorted } from './paging.ts'
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
export { interfaceMember, tagValue, textIn, treeNode } from './views.ts'

export default definePlugin({
  name: 'program-objects',
  version: '1.0.0',
  description: 'What objects of a PLC program have in common: collections, folders, names, files, cross-references.',
  requires: ['projects', 'devices'],
  operations: [],
  extensionPoints: [fileFormat, importTarget, programContributor, symbolHolder],
  extensions: [extend(undoCheck, namesCheck)],
})
