/**
 * The operations that import and export tags and constants: JSON, CSV, spreadsheets. Their implementation is loaded on
 * first use.
 */

import { command, faultSchema, type Operation, post, problem, type SchemaBuilder } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import {
  deviceName,
  exportAliases,
  exportRules,
  exportTarget,
  importAliases,
  importSource,
} from '../program-objects/index.ts'
import { tableName } from './constant-operations.ts'
import { requireTagTableOf } from './tag-table.ts'

const importRun = () => import('./exchange/run.ts')

const importOutput = (t: SchemaBuilder) =>
  t.Object({
    imported: t.Integer({ description: 'Tags and constants that were created or changed.' }),
    created: t.Integer(),
    updated: t.Integer(),
    unchanged: t.Integer(),
    failed: t.Integer({ description: 'Rows with faults (only with continueOnError).' }),
    tables: t.Array(
      t.Object({
        name: t.String(),
        folder: t.String(),
        action: t.String({ description: 'created, changed or unchanged.' }),
        tags: t.Integer({ description: 'Tags created or changed.' }),
        constants: t.Integer({ description: 'Constants created or changed.' }),
      }),
    ),
    errors: t.Array(faultSchema(t), { description: 'With file, sheet and name.' }),
    omittedErrors: t.Integer({ description: 'Faults beyond those in errors.' }),
    warnings: t.Array(t.String(), { description: 'Addresses that share memory, columns that were left out …' }),
  })

const choices = (t: SchemaBuilder) => ({
  overwrite: t.Optional(
    t.Boolean({
      description: 'Change tags and constants that are there already; false: that is a fault. Default: true.',
    }),
  ),
  continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
  culture: t.Optional(
    t.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      description: "Language of comments that name none, e.g. de-DE. Default: the project's first.",
    }),
  ),
})
const choiceAliases = { overwrite: importAliases.overwrite, continueOnError: importAliases.continueOnError }

const rowRules =
  'All or nothing: one faulty row and nothing is imported (422), with every faulty row, its line and column in `errors`; `continueOnError` takes the rows that are right. What a row does not say stays as it is, or gets its default in a new tag. Addresses that share memory are warnings.'

const pathRules =
  'All rows go to `tableName`, which is made when absent; `warnings` says when their column `Path` names other tables. `ignorePath: false` follows it: rows go to the table of their `Path` (folders before it: `Folder\\Table`), made when absent, and to `tableName` when it is empty. A `Path` that names `tableName` gives its folder.'

const importJson = command({
  id: 'tags.import',
  title: 'Import tags and constants from JSON',
  description: `Lists of tags and constants, each with its \`tableName\` or in \`tagTables\` with its rows; a table that is not there is made, rows without go to the default table. The same JSON can be a file: \`filePath\`, \`file\` or \`content\`. ${rowRules}`,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      tags: t.Optional(
        t.Array(t.Any(), {
          description:
            '{ name, dataType, logicalAddress, comment, externalAccessible, externalVisible, externalWritable, tableName, folder }; a comment is text, or texts by culture.',
        }),
      ),
      constants: t.Optional(t.Array(t.Any(), { description: '{ name, dataType, value, comment, tableName, folder }' })),
      tagTables: t.Optional(t.Array(t.Any(), { description: '{ name, folder, tags, constants }' })),
      tableName: t.Optional(tableName(t)),
      ...importSource(t, 'JSON text'),
      ...choices(t),
    }),
  output: importOutput,
  http: [
    post('/api/devices/{deviceName}/tags/actions/import-sync'),
    post('/api/devices/{deviceName}/tags/actions/import', 'async'),
  ],
  mcp: { toolset: 'tags', destructive: true },
  needsInstance: true,
  changes: '/api/devices/{deviceName}/tag-tables',
  aliases: {
    ...choiceAliases,
    constants: ['userConstants'],
    tagTables: ['tables'],
    tableName: ['tagTableName', 'table', 'tagTable'],
    filePath: ['importFilePath', 'path', 'importPath', 'jsonFilePath'],
    content: ['json', 'jsonContent'],
  },
  example: {
    deviceName: 'PLC_1',
    tags: [
      { name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: 'button', tableName: 'IO' },
      { name: 'Speed', dataType: 'Real', logicalAddress: '%MD4' },
    ],
    constants: [{ name: 'MAX_SPEED', dataType: 'Real', value: '1500.0', tableName: 'IO' }],
  },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { tags, constants, tagTables, ...request } = input
    const { importFile, importRows } = await importRun()
    const rows = Object.entries({ tags, constants, tagTables }).filter(([, value]) => value !== undefined)
    const isFile = [input.filePath, input.file, input.content].some((source) => source !== undefined)
    if (rows.length > 0 && isFile) {
      const message = 'rows and a file cannot be sent together'
      throw problem('invalid_input', `/${rows[0]![0]}: ${message}.`, {
        errors: [{ path: `/${rows[0]![0]}`, message }],
      })
    }
    if (rows.length === 0 && !isFile) {
      const message = 'tags, constants or tagTables are needed, or a file with them (filePath, file, content)'
      throw problem('invalid_input', `/tags: ${message}.`, { errors: [{ path: '/tags', message }] })
    }
    if (isFile) return await importFile(ctx, device, request, 'json')
    return await importRows(ctx, device, request, Object.fromEntries(rows))
  },
})

/** A file that is not text. */
function sourceFile(t: SchemaBuilder) {
  const { filePath, file } = importSource(t, '')
  return { filePath, file }
}

/** The operation that imports one file format into a table. */
function fileImport(format: 'csv' | 'xlsx', title: string, description: string) {
  return command({
    id: `tags.import-${format}`,
    title,
    description: `${description} ${pathRules} ${rowRules}`,
    input: (t) =>
      t.Object({
        deviceName: deviceName(t),
        tableName: tableName(t),
        ...(format === 'csv'
          ? importSource(t, 'The text')
          : {
              ...sourceFile(t),
              contentBase64: t.Optional(
                t.String({ minLength: 1, description: 'The file itself, instead of filePath.' }),
              ),
            }),
        ignorePath: t.Optional(
          t.Boolean({
            description:
              'true: all rows go to tableName. false: to the tables that their column Path names. Default: true.',
          }),
        ),
        ...choices(t),
      }),
    output: importOutput,
    http: [
      post(`/api/devices/{deviceName}/tag-tables/{tableName}/actions/import-${format}-sync`),
      post(`/api/devices/{deviceName}/tag-tables/{tableName}/actions/import-${format}`, 'async'),
    ],
    mcp: { toolset: 'tags', destructive: true },
    needsInstance: true,
    aliases: {
      ...choiceAliases,
      filePath: [
        'importFilePath',
        'path',
        'importPath',
        'sourcePath',
        `${format}FilePath`,
        `${format}Path`,
        'excelFilePath',
      ],
      ...(format === 'csv' ? { content: ['csvContent', 'csv'] } : { contentBase64: ['base64', 'content'] }),
    },
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const { importFile } = await importRun()
      return await importFile(ctx, device, { ...input, ignorePath: input.ignorePath ?? true }, format)
    },
  })
}

const importCsv = fileImport(
  'csv',
  'Import tags and constants from a CSV file',
  "The columns of TIA Portal's spreadsheet in any order: Name, Path, Data Type, Logical Address, Comment, Hmi Visible, Hmi Accessible, Hmi Writeable (only Name and Data Type or Logical Address are needed), `Comment [de-DE]` for a further language; of constants Name, Path, Data Type, Value, Comment. Separated by `,`, `;` or TAB; UTF-8, UTF-16 or ANSI. Symbol lists without header (`.sdf`), symbol tables of STEP 7 in columns (`.asc`) and the XML that TIA Portal's editor exports (`<Tagtable>`) are taken too.",
)

const importXlsx = fileImport(
  'xlsx',
  'Import tags and constants from a spreadsheet',
  "TIA Portal's workbook (sheets PLC Tags, Constants, TagTable Properties) or any `.xlsx` whose sheets have these columns: Name, Path, Data Type, Logical Address, Comment, Hmi Visible, Hmi Accessible, Hmi Writeable; of constants Name, Path, Data Type, Value, Comment.",
)

const exportInput = (t: SchemaBuilder) => ({
  deviceName: deviceName(t),
  tableName: tableName(t),
  ...exportTarget(t),
  allTables: t.Optional(t.Boolean({ description: 'All tag tables of the PLC in one file. Default: false.' })),
  culture: t.Optional(
    t.String({ maxLength: 20, description: "Language of the column Comment. Default: the project's first." }),
  ),
})
const exportOutput = (t: SchemaBuilder) => ({
  name: t.String(),
  format: t.String({ description: 'xlsx, csv or sdf.' }),
  tables: t.Array(t.String()),
  tags: t.Integer({ description: 'Tags of these tables.' }),
  constants: t.Integer({ description: 'User constants of these tables.' }),
  exportPath: t.Optional(t.String({ description: 'The file that was written.' })),
  size: t.Integer({ description: 'Bytes of the file.' }),
  warnings: t.Array(t.String(), { description: 'What is not in the file.' }),
})

const exportXlsx = command({
  id: 'tags.export-xlsx',
  title: 'Export a tag table to a spreadsheet',
  description: `TIA Portal's layout: sheets PLC Tags, Constants, TagTable Properties; it can be imported there. ${exportRules}`,
  input: (t) =>
    t.Object({
      ...exportInput(t),
      allCultures: t.Optional(
        t.Boolean({
          description: "A column for each further language, which TIA Portal's layout has not. Default: false.",
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      ...exportOutput(t),
      contentBase64: t.Optional(t.String({ description: 'The file, when no exportPath was given.' })),
    }),
  http: [
    post('/api/devices/{deviceName}/tag-tables/{tableName}/actions/export-excel-sync'),
    post('/api/devices/{deviceName}/tag-tables/{tableName}/actions/export-excel', 'async'),
  ],
  mcp: { toolset: 'tags' },
  needsInstance: true,
  aliases: exportAliases,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    return (await importRun()).exportWorkbook(ctx, device, table, input)
  },
})

const exportCsv = command({
  id: 'tags.export-csv',
  title: 'Export a tag table to a CSV file',
  description: `The columns of TIA Portal's spreadsheet, and \`Comment [de-DE]\` for each further language. UTF-8 with byte order mark. ${exportRules}`,
  input: (t) =>
    t.Object({
      ...exportInput(t),
      include: t.Optional(
        t.Enum(['tags', 'constants', 'all'], {
          description:
            'What to write; all: tags, then constants under a header of their own. Default: tags; of a .sdf all.',
        }),
      ),
      delimiter: t.Optional(t.Enum([',', ';', 'tab'], { description: 'Default: a comma.' })),
      format: t.Optional(
        t.Enum(['csv', 'sdf'], {
          description:
            'sdf: the symbol list of TIA Portal, without header, of one table with its constants. Default: csv.',
        }),
      ),
      allCultures: t.Optional(
        t.Boolean({ description: 'A column for each further language of comments. Default: true.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      ...exportOutput(t),
      content: t.Optional(t.String({ description: 'The text, when no exportPath was given.' })),
    }),
  http: [
    post('/api/devices/{deviceName}/tag-tables/{tableName}/actions/export-csv-sync'),
    post('/api/devices/{deviceName}/tag-tables/{tableName}/actions/export-csv', 'async'),
  ],
  mcp: { toolset: 'tags' },
  needsInstance: true,
  aliases: { ...exportAliases, delimiter: ['separator'] },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const table = requireTagTableOf(ctx, device, input.tableName)
    const run = await importRun()
    return input.format === 'sdf' ? run.exportSdf(ctx, device, table, input) : run.exportCsv(ctx, device, table, input)
  },
})

export const exchangeOperations: readonly Operation[] = [importJson, importCsv, importXlsx, exportXlsx, exportCsv]
