/** Input fields that the operations of both libraries have in common, and the spellings that clients use for them. */
import type { SchemaBuilder } from '../../core/index.ts'

const name = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 200, description })

/** Which open global library is meant. */
export const libraryName = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Name, path or id of an open global library. Default: the one that was opened last.',
    }),
  )
export const libraryAliases = ['libraryName', 'globalLibrary', 'libraryPath']

const choice = (t: SchemaBuilder) => t.Enum(['overwrite', 'rename', 'keep'])

/** What is to be done about what is in the way. */
export const conflictFields = (t: SchemaBuilder) => ({
  onConflict: t.Optional(
    t.Enum(['overwrite', 'rename', 'keep'], {
      description:
        'What is done about everything in the way: replace it, a free name or number, or leave it. Default: a 409 that names all of it.',
    }),
  ),
  choices: t.Optional(
    t.Array(t.Object({ name: t.String(), choice: choice(t) }), {
      description: 'The same for single objects, by their names in the library.',
    }),
  ),
})

/** What a master copy is made of. */
export const newCopyFields = (t: SchemaBuilder) => ({
  deviceName: t.Optional(name(t, 'Device that the objects are of. Alone: the whole station.')),
  objectName: t.Optional(name(t, 'Block, PLC data type, tag table, watch table …')),
  kind: t.Optional(
    t.String({ description: 'block, type, tag-table, watch-table …, when several have the name, or of objectFolder.' }),
  ),
  objectFolder: t.Optional(
    t.String({ minLength: 1, maxLength: 1000, description: 'A folder of objects of `kind` (default: block), A/B.' }),
  ),
  fromLibrary: t.Optional(
    t.String({ minLength: 1, description: '`project`, or an open global library, whose `masterCopy` is copied.' }),
  ),
  masterCopy: t.Optional(t.String({ minLength: 1, description: 'Path of a master copy of fromLibrary.' })),
  name: t.Optional(name(t, 'Of the master copy. Default: that of what it is made of.')),
  folder: t.Optional(t.String({ maxLength: 1000, description: 'Folder of the library, A/B; made when absent.' })),
  author: t.Optional(t.String({ maxLength: 200 })),
  comment: t.Optional(t.String({ maxLength: 10_000 })),
  withDependencies: t.Optional(t.Boolean({ description: 'Blocks and types that are used come along. Default: true.' })),
  overwrite: t.Optional(t.Boolean({ description: 'Make a master copy that is there anew.' })),
})
export const newCopyAliases = {
  objectName: ['blockName', 'udtName', 'tableName', 'itemName', 'sourceName', 'plcTypeName'],
  kind: ['objectType', 'itemType', 'type'],
  objectFolder: ['sourceFolder', 'blockFolder'],
  name: ['masterCopyName', 'copyName', 'newName'],
  folder: ['folderPath', 'targetFolder'],
  masterCopy: ['mcPath', 'masterCopyPath'],
  overwrite: ['replace'],
}

/** Where a master copy goes. */
export const instantiateCopyFields = (t: SchemaBuilder) => ({
  name: t.String({ minLength: 1, maxLength: 2000, description: 'Name or path (A/B/name) of the master copy.' }),
  deviceName: t.Optional(name(t, 'Device to put the objects into. Of a station: absent makes a new device.')),
  folder: t.Optional(t.String({ maxLength: 1000, description: 'Folder on the device, A/B; made when absent.' })),
  newName: t.Optional(name(t, 'Another name for the one object, or for the device of a station.')),
  withDependencies: t.Optional(t.Boolean({ description: 'What is used comes along. Default: true.' })),
  ...conflictFields(t),
})
export const instantiateCopyAliases = {
  name: ['masterCopyName', 'mcPath', 'masterCopy', 'path', 'masterCopyPath'],
  folder: ['folderPath', 'targetFolder', 'groupPath'],
  deviceName: ['targetDevice', 'targetDeviceName'],
  newName: ['targetName'],
}

/** Where an instance of a type goes. */
export const instantiateTypeFields = (t: SchemaBuilder) => ({
  typeName: name(t, 'Library type; case does not matter.'),
  version: t.Optional(t.String({ description: '1.0.0. Default: the default version.' })),
  deviceName: name(t, 'Device to put it into.'),
  folder: t.Optional(t.String({ maxLength: 1000, description: 'Folder on the device, A/B; made when absent.' })),
  newName: t.Optional(name(t, 'Another name for the instance.')),
  ...conflictFields(t),
})
export const instantiateTypeAliases = {
  typeName: ['name', 'libraryType', 'typePath'],
  version: ['typeVersion', 'versionNumber'],
  folder: ['folderPath', 'targetFolder', 'groupPath'],
  deviceName: ['targetDevice', 'targetDeviceName'],
  newName: ['targetName', 'instanceName'],
}

/** Folder of a library. */
export const folderAliases = ['folderPath', 'folder', 'name', 'folderName']
