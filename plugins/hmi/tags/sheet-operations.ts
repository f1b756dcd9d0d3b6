/** HMI tags of a device as a file: a workbook, or XML. */
import { type CommandContext, command, defined, type Operation, post, problem } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { importSource, orOtherKind } from '../../program-objects/index.ts'
import { exportAll, type ImportRequest, importRequest, requireFree } from '../exchange/exchange-operations.ts'
import { stationName } from '../input-fields.ts'
import { collectionOfKind, tagsOfTable } from '../object.ts'
import { mcp } from '../objects/kind-operations.ts'
import { requireStation } from '../stations.ts'

/** Tag tables of an XML file, in the numbers of tags that an import of tags tells. */
async function importTables(ctx: CommandContext, station: Device, request: ImportRequest) {
  const collection = collectionOfKind('tag-table')
  const before = collection.of(ctx, station.id).flatMap(({ id }) => tagsOfTable(ctx, id).map(({ name }) => name))
  const present = new Set(before.map((name) => name.toLowerCase()))
  const { objects, warnings } = await importRequest(ctx, request, 'tag-table')
  const names = objects.flatMap(({ name }) =>
    tagsOfTable(ctx, collection.requireOf(ctx, station, name).id).map((tag) => tag.name.toLowerCase()),
  )
  const replaced = names.filter((name) => present.has(name)).length
  return { tags: names.length, created: names.length - replaced, replaced, warnings }
}

const exportTags = command({
  id: 'hmi.export-tags',
  title: 'Export the HMI tags of a device as a workbook or XML',
  description:
    'A file `.xlsx`: sheet `Hmi Tags` with the 30 columns of TIA Portal; attributes without a column are told in `warnings`. A file `.xml`: all tag tables as TIA Portal exports them.',
  access: 'viewer',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      exportPath: t.String({ minLength: 1, maxLength: 4096, description: 'File of the workspace, `.xlsx` or `.xml`.' }),
      overwrite: t.Optional(t.Boolean()),
    }),
  output: (t) => t.Object({ exportPath: t.String(), tags: t.Integer(), warnings: t.Array(t.String()) }),
  http: [post('/api/devices/{deviceName}/hmi/tags/actions/export')],
  mcp,
  aliases: { exportPath: ['path', 'filePath'] },
  async run({ deviceName, exportPath, overwrite }, ctx) {
    const station = requireStation(ctx, deviceName)
    if (/\.xml$/i.test(exportPath)) {
      const { names, warnings } = await exportAll(
        ctx,
        { deviceName, exportPath, ...defined({ overwrite }) },
        'tag-table',
      )
      const tables = names.map((name) => collectionOfKind('tag-table').requireOf(ctx, station, name))
      const tags = tables.reduce((sum, { id }) => sum + tagsOfTable(ctx, id).length, 0)
      return { exportPath: await ctx.files.resolve(exportPath), tags, warnings }
    }
    if (!/\.xlsx$/i.test(exportPath))
      throw problem('invalid_input', `/exportPath: "${exportPath}" must end with .xlsx or .xml.`, {
        errors: [{ path: '/exportPath', message: 'must end with .xlsx or .xml', value: exportPath }],
      })
    await requireFree(ctx, exportPath, overwrite)
    const { tagWorkbook } = await import('./tag-sheet.ts')
    const { bytes, ...told } = await tagWorkbook(ctx, station)
    await ctx.files.write(exportPath, bytes)
    return { exportPath: await ctx.files.resolve(exportPath), ...told }
  },
})

const importTags = command({
  id: 'hmi.import-tags',
  title: 'Import HMI tags from a workbook or XML',
  description:
    'XML: tag tables as TIA Portal exports them; a table that is there is replaced. A workbook: a sheet with the columns of TIA Portal (`Hmi Tags`). `Path` is the tag table with its folders; a table is made when it is absent, a tag that is there is replaced, and keeps what has no column in the file. All or nothing: `errors` names the rows.',
  input: (t) => {
    const { filePath, file } = importSource(t, 'Text')
    return t.Object({ deviceName: stationName(t), filePath, file })
  },
  output: (t) =>
    t.Object({ tags: t.Integer(), created: t.Integer(), replaced: t.Integer(), warnings: t.Array(t.String()) }),
  http: [post('/api/devices/{deviceName}/hmi/tags/actions/import')],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { filePath: ['path', 'importFilePath'] },
  async run({ deviceName, filePath, file }, ctx) {
    const station = requireStation(ctx, deviceName)
    if ((filePath === undefined) === (file === undefined))
      throw problem('invalid_input', 'Send one of filePath and file.', {
        errors: [{ path: '/filePath', message: 'exactly one of filePath and file is needed' }],
      })
    const path = file?.fileName ?? (filePath as string)
    if (/\.xml$/i.test(path)) return importTables(ctx, station, { deviceName, ...defined({ filePath, file }) })
    const { importWorkbook } = await import('./tag-sheet.ts')
    const bytes = file === undefined ? await ctx.files.read(filePath as string) : await ctx.blobs.get(file.blob)
    return orOtherKind(
      path,
      () => bytes,
      ['workbook'],
      () => importWorkbook(ctx, station, bytes),
    )
  },
})

export const sheetOperations: readonly Operation[] = [exportTags, importTags]
