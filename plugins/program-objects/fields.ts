/**
 * Input and output fields that the operations of all collections have in common, and the spellings that clients use for
 * them.
 */
import { faultSchema, problem, type SchemaBuilder } from '../../core/index.ts'
import { compileMessage } from './compile-message.ts'

/** The PLC that an operation works on. */
export const deviceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the PLC; case does not matter.' })

/** The version in the header of a new object. */
export const objectVersion = (t: SchemaBuilder, noun: string) =>
  t.String({ pattern: '^\\d{1,3}\\.\\d{1,3}$', description: `Of the ${noun}, e.g. 0.1.` })

/** The object that an operation works on. */
export const objectName = (t: SchemaBuilder, noun: string) =>
  t.String({ minLength: 1, maxLength: 200, description: `Name of the ${noun}; case does not matter.` })

/** A file or folder of the workspace. */
const workspacePath = (t: SchemaBuilder, description: string) =>
  t.String({ minLength: 1, maxLength: 4096, description })

/** A folder of the collection. */
export const folderPath = (t: SchemaBuilder, description: string) => t.String({ maxLength: 1000, description })
export const folderAliases = ['folderPath', 'targetFolder', 'groupPath']

/** Engineering version to write for. */
export const engineeringVersion = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      pattern: '^[vV]?(1[6-9]|2[01])$',
      description: 'Engineering version V16 to V21. Default: that of the project.',
    }),
  )

/** The destination of an export. */
export const exportTarget = (t: SchemaBuilder) => ({
  exportPath: t.Optional(workspacePath(t, 'File or folder in the workspace.')),
  overwrite: t.Optional(t.Boolean({ description: 'Replace an existing file.' })),
})
export const exportAliases = {
  exportPath: ['path', 'filePath', 'exportFilePath', 'targetPath', 'outputPath'],
  overwrite: ['overwriteExisting', 'force'],
}
export const exportRules =
  'Without `exportPath` the content is in the answer. A path of a folder, or without extension, is a folder: the file is named after the object. An existing file is refused (409) unless `overwrite` is true.'

/** Values that a change of data types lost. */
export const lossFields = (t: SchemaBuilder) =>
  t.Array(t.String(), { description: 'Start values and members that a new data type cannot hold, and that are lost.' })

/** The answer of an export. */
export const exportedFields = (t: SchemaBuilder) => ({
  name: t.String(),
  format: t.String({ description: 'xml, source or sd.' }),
  exportPath: t.Optional(t.String({ description: 'The file that was written.' })),
  size: t.Integer({ description: 'Bytes of the file.' }),
  content: t.Optional(t.String({ description: 'The text, when no exportPath was given.' })),
  resources: t.Optional(t.String({ description: 'Format sd: the texts (`.s7res`), when no exportPath was given.' })),
  resourcesPath: t.Optional(t.String({ description: 'Format sd: the file with the texts.' })),
  warnings: t.Array(t.String(), { description: 'What the format or version cannot express and was left out.' }),
})

/** The source of an import: one of `filePath`, `file` and `content`. */
export const importSource = (t: SchemaBuilder, content: string) => ({
  filePath: t.Optional(workspacePath(t, 'File or folder in the workspace.')),
  file: t.Optional(t.Upload({ description: 'A file, instead of filePath.' })),
  content: t.Optional(t.String({ minLength: 1, description: `${content}, instead of filePath.` })),
})

/** Texts of a content in SIMATIC SD. */
export const importResources = (t: SchemaBuilder) =>
  t.Optional(t.String({ description: 'Texts (`.s7res`) of a content in SIMATIC SD.' }))

/** The software unit of files that are not in a unit's folder. */
export const importUnit = (t: SchemaBuilder) =>
  t.Optional(
    t.String({
      minLength: 1,
      description:
        'Software unit to import into. Files below `Software units/<unit>/` tell it; a text with a namespace goes to the unit that has it, which `warnings` tell.',
    }),
  )

/** The form of an export. */
export const exportFormat = (t: SchemaBuilder) =>
  t.Optional(
    t.Enum(['xml', 'source', 'scl', 'sd'], {
      description:
        'xml: SimaticML; source or scl: text (SCL, STL, DB, types); sd: SIMATIC SD, `.s7dcl` (LAD, FBD, SCL, DB, types). Default: by the file name, else xml.',
    }),
  )

/** How an import treats existing objects and faults. */
export const importChoices = (t: SchemaBuilder, objects: string, overwrites = true) => ({
  overwrite: t.Optional(t.Boolean({ description: `Replace present ${objects}. Default: ${overwrites}.` })),
  continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
})
export const importAliases = {
  filePath: ['importFilePath', 'path', 'importPath', 'xmlFilePath', 'sourcePath', 'directory'],
  content: ['xmlContent', 'rawXml', 'sourceText', 'sclContent'],
  folder: folderAliases,
  overwrite: ['override', 'overwriteExisting', 'importOption', 'importOptions'],
  continueOnError: ['keepOnError', 'ignoreErrors'],
}

/** The answer of an import. */
export const importedFields = (t: SchemaBuilder) => ({
  imported: t.Integer({ description: 'Objects created or replaced.' }),
  created: t.Integer(),
  replaced: t.Integer(),
  unchanged: t.Integer({ description: 'Objects that were there with the same text.' }),
  skipped: t.Integer({ description: 'Files that were read and hold nothing for a PLC program; see files.' }),
  failed: t.Integer({ description: 'Files with faults (only with continueOnError).' }),
  objects: t.Array(
    t.Object({
      name: t.String(),
      kind: t.String({
        description: 'OB, FB, FC, GlobalDB, InstanceDB, ArrayDB, UDT, TagTable, WatchTable or ForceTable.',
      }),
      number: t.Optional(t.Integer()),
      action: t.String({ description: 'created, replaced or unchanged.' }),
      file: t.String(),
    }),
  ),
  files: t.Array(
    t.Object({
      path: t.String(),
      status: t.String({
        description: 'imported, partial, failed, skipped (nothing for a PLC program) or ignored (not read).',
      }),
      errors: t.Optional(t.Array(faultSchema(t))),
      message: t.Optional(t.String({ description: 'Why it was skipped.' })),
    }),
  ),
  warnings: t.Array(t.String()),
  compiled: t.Boolean({ description: 'It was asked for, and there are no errors.' }),
  compileStatus: t.String({ description: 'success, warning, error; notCompiled: it was not asked for.' }),
  compileMessages: t.Optional(
    t.Array(compileMessage(t), { description: 'Of the compiler, without the nodes above them.' }),
  ),
})

/** Part of the description of operations that answer with the file itself. */
export const bareWarnings =
  'What the file leaves out is told in the header `Gantry-Warnings` (a JSON array); over MCP behind the text.'

/**
 * A request describes one object by its fields, or has a list of them: fields beside the list would be lost silently.
 * @throws GatewayError `invalid_input` naming the fields
 */
export function refuseBoth(
  list: string,
  given: readonly unknown[] | undefined,
  fields: Readonly<Record<string, unknown>>,
) {
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined)
  if (given === undefined || names.length === 0) return
  const errors = names.map((name) => ({
    path: `/${name}`,
    message: `belongs into ${list}: send the list, or the fields of one`,
    code: 'not_allowed',
  }))
  throw problem('invalid_input', `/${names[0]}: ${errors[0]!.message}.`, { errors })
}
