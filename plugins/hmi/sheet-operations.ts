/** HMI tags as spreadsheets. */
import { command, type Operation, post, problem } from '../../core/index.ts'
import { importSource, orOtherKind } from '../program-objects/index.ts'
import { stationName } from './input-fields.ts'
import { mcp } from './kind-operations.ts'
import { requireStation } from './stations.ts'

const exportTags = command({
  id: 'hmi.export-tags',
  title: 'Export the HMI tags of a device as a workbook',
  description:
    'Sheet `Hmi Tags` with the 30 columns of TIA Portal. Attributes without a column are told in `warnings`.',
  access: 'viewer',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      exportPath: t.String({ minLength: 1, maxLength: 4096, description: 'File of the workspace, `.xlsx`.' }),
      overwrite: t.Optional(t.Boolean()),
    }),
  output: (t) => t.Object({ exportPath: t.String(), tags: t.Integer(), warnings: t.Array(t.String()) }),
  http: [post('/api/devices/{deviceName}/hmi/tags/actions/export')],
  mcp,
  aliases: { exportPath: ['path', 'filePath'] },
  async run({ deviceName, exportPath, overwrite }, ctx) {
    const station = requireStation(ctx, deviceName)
    if (!/\.xlsx$/i.test(exportPath))
      throw problem('invalid_input', `/exportPath: "${exportPath}" must end with .xlsx.`, {
        errors: [{ path: '/exportPath', message: 'must end with .xlsx', value: exportPath }],
      })
    if (overwrite !== true && (await ctx.files.stat(exportPath)) !== undefined)
      throw problem('conflict', `${exportPath} exists already.`, { suggestion: 'Send overwrite: true to replace it.' })
    const { tagWorkbook } = await import('./tag-sheet.ts')
    const { bytes, ...told } = await tagWorkbook(ctx, station)
    await ctx.files.write(exportPath, bytes)
    return { exportPath: await ctx.files.resolve(exportPath), ...told }
  },
})

const importTags = command({
  id: 'hmi.import-tags',
  title: 'Import HMI tags from a workbook',
  description:
    'A sheet with the columns of TIA Portal (`Hmi Tags`). `Path` is the tag table with its folders; a table is made when it is absent, a tag that is there is replaced, and keeps what has no column in the file. All or nothing: `errors` names the rows.',
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
    const { importWorkbook } = await import('./tag-sheet.ts')
    const bytes = file === undefined ? await ctx.files.read(filePath as string) : await ctx.blobs.get(file.blob)
    const path = file?.fileName ?? (filePath as string)
    return orOtherKind(
      path,
      () => bytes,
      ['workbook'],
      () => importWorkbook(ctx, station, bytes),
    )
  },
})

export const sheetOperations: readonly Operation[] = [exportTags, importTags]
