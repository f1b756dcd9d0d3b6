/** Import and export of HMI objects. What they do is loaded on first use. */
import { command, defined, type Fault, type Operation, post, problem, type Upload } from '../../core/index.ts'
import type { GraphicContent, HmiKind } from '../../plc/formats/hmi/model.ts'
import {
  exportAliases,
  exportTarget,
  folderPath,
  importAliases,
  importSource,
  orOtherKind,
} from '../program-objects/index.ts'
import { stationName } from './input-fields.ts'
import { mcp } from './kind-operations.ts'
import { collectionOfKind, hmiKinds } from './object.ts'
import { requireStation } from './stations.ts'

const importObjects = command({
  id: 'hmi.import',
  title: 'Import HMI objects from XML files or images',
  description:
    'Screens, templates, tag tables, connections, cycles, text and graphic lists, scripts and graphics of classic HMI devices, as TIA Portal exports them: one file, or all `.xml` files and images of a folder. Images (SVG, PNG, JPEG, GIF, BMP, WebP) become project graphics; SVG is cleaned of scripts and of references to other files, which `warnings` tell. The text of a file is kept: an export gives the same bytes until the object is changed. All or nothing unless `continueOnError`.',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      ...importSource(t, 'Text of an XML file'),
      folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present objects. Default: true.' })),
      continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
    }),
  output: (t) =>
    t.Object({
      imported: t.Integer(),
      objects: t.Array(t.Object({ name: t.String(), kind: t.String(), action: t.String(), file: t.String() })),
      errors: t.Array(t.Any()),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/hmi/actions/import'),
    post('/api/devices/{deviceName}/hmi/actions/import/async', 'async'),
  ],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: importAliases,
  async run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const { faultOf, importFile } = await import('./exchange.ts')
    const { sourcesOf } = await import('./import-sources.ts')
    const sources = await sourcesOf(ctx, input as { filePath?: string; content?: string; file?: Upload })
    const objects: { name: string; kind: string; action: string; file: string }[] = []
    const warnings: string[] = []
    const errors: Fault[] = []
    for (const [i, source] of sources.entries()) {
      ctx.signal.throwIfAborted()
      ctx.progress((100 * i) / sources.length, source.path)
      try {
        const folder = input.folder ?? source.folder
        const read = async () =>
          importFile(ctx, station, await source.read(), source.path, {
            overwrite: input.overwrite ?? true,
            ...defined({ folder, beside: source.beside }),
          })
        const found = await (sources.length === 1
          ? orOtherKind(source.path, source.read, ['hmi', 'picture'], read)
          : read())
        for (const { warnings: told, ...one } of found) {
          objects.push({ ...one, file: source.path })
          warnings.push(...told)
        }
      } catch (error) {
        const fault = faultOf(error, source.path)
        if (input.continueOnError !== true && sources.length === 1) throw error
        errors.push(fault)
      }
    }
    if (errors.length > 0 && input.continueOnError !== true)
      throw problem('unacceptable_content', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
    const imported = objects.filter(({ action }) => action !== 'unchanged').length
    return { imported, objects, errors, warnings }
  },
})

const exportObject = command({
  id: 'hmi.export',
  title: 'Export an HMI object as XML',
  description:
    'What was imported and not changed since is given byte for byte. The image of a graphic is written beside its file. Alarms and library types have no XML in TIA Portal (409). Without `exportPath` the content is in the answer.',
  access: 'viewer',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      kind: t.Enum([...hmiKinds]),
      name: t.String({ minLength: 1, maxLength: 200 }),
      ...exportTarget(t),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      kind: t.String(),
      size: t.Integer({ description: 'Bytes.' }),
      exportPath: t.Optional(t.String()),
      content: t.Optional(t.String()),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/hmi/actions/export'),
    post('/api/devices/{deviceName}/hmi/actions/export/async', 'async'),
  ],
  mcp,
  aliases: { ...exportAliases, name: ['objectName'], kind: ['type'] },
  async run(input, ctx) {
    const station = requireStation(ctx, input.deviceName)
    const kind = input.kind as HmiKind
    const object = collectionOfKind(kind).requireOf(ctx, station, input.name)
    const { exportText } = await import('./exchange.ts')
    const { text, warnings } = await exportText(ctx, object)
    const size = Buffer.byteLength(text)
    const { image = '', fileName = '' } = kind === 'graphic' ? (object.content as GraphicContent) : {}
    const told = { name: object.name, kind, size }
    if (input.exportPath === undefined) {
      const apart =
        image === '' ? [] : [`The image ${fileName} is no part of the text: with exportPath it is beside it.`]
      return { ...told, warnings: [...warnings, ...apart], content: text }
    }
    const { fileNameOf } = await import('../projects/index.ts')
    const isFolder = (await ctx.files.stat(input.exportPath))?.isDirectory === true || !/\.xml$/i.test(input.exportPath)
    const path = isFolder ? `${input.exportPath}/${fileNameOf(object.name)}.xml` : input.exportPath
    // The document names its image by a path beside it.
    const beside = image === '' ? undefined : `${path.slice(0, path.lastIndexOf('/') + 1)}${fileName}`
    for (const one of [path, beside])
      if (one !== undefined && input.overwrite !== true && (await ctx.files.stat(one)) !== undefined)
        throw problem('conflict', `${one} exists already.`, { suggestion: 'Send overwrite: true to replace it.' })
    await ctx.files.write(path, text)
    if (beside !== undefined) await ctx.files.writeBlob(beside, image)
    return { ...told, warnings: [...warnings], exportPath: await ctx.files.resolve(path) }
  },
})

export const exchangeOperations: readonly Operation[] = [importObjects, exportObject]
