/** Import and export of HMI objects. What they do is loaded on first use. */
import { dirname, join } from 'node:path'
import {
  type CommandContext,
  command,
  defined,
  type Fault,
  faultSchema,
  type Operation,
  post,
  problem,
  type SchemaBuilder,
  type Upload,
} from '../../../core/index.ts'
import type { GraphicContent, HmiKind } from '../../../plc/formats/hmi/model.ts'
import {
  exportAliases,
  exportTarget,
  folderPath,
  importAliases,
  importSource,
  orOtherKind,
} from '../../program-objects/index.ts'
import { stationName } from '../input-fields.ts'
import { collectionOfKind, exportFolder, type HmiObject, kindNames, type StationKind, stationKinds } from '../object.ts'
import { mcp } from '../objects/kind-operations.ts'
import { isScreenKind, screenKinds } from '../objects/screen-kinds.ts'
import { requireScreen } from '../objects/screens.ts'
import { requireStation } from '../stations.ts'

/** The answer of an import. */
export const importedFields = (t: SchemaBuilder) => ({
  imported: t.Integer(),
  objects: t.Array(t.Object({ name: t.String(), kind: t.String(), action: t.String(), file: t.String() })),
  errors: t.Array(faultSchema(t)),
  warnings: t.Array(t.String()),
})

/** What a client wants imported. */
export interface ImportRequest {
  readonly deviceName: string
  readonly filePath?: string
  readonly content?: string
  readonly file?: Upload
  readonly folder?: string
  readonly overwrite?: boolean
  readonly continueOnError?: boolean
}

/**
 * Imports files of HMI objects.
 * @param kind the only one that the files may hold
 * @throws GatewayError `invalid_input`, `not_found`, `unacceptable_content` with every fault unless `continueOnError`
 */
export async function importRequest(ctx: CommandContext, input: ImportRequest, kind?: HmiKind) {
  const station = requireStation(ctx, input.deviceName)
  const { faultOf, importFile } = await import('./exchange.ts')
  const { sourcesOf } = await import('./import-sources.ts')
  const sources = await sourcesOf(ctx, input)
  const objects: { name: string; kind: string; action: string; file: string }[] = []
  const warnings: string[] = []
  const errors: Fault[] = []
  for (const [i, source] of sources.entries()) {
    ctx.signal.throwIfAborted()
    ctx.progress((100 * i) / sources.length, source.path)
    try {
      const read = async () =>
        importFile(ctx, station, await source.read(), source.path, {
          overwrite: input.overwrite ?? true,
          ...defined({ folder: input.folder, below: source.folder, kind, beside: source.beside }),
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
}

const importObjects = command({
  id: 'hmi.import',
  title: 'Import HMI objects from XML files or images',
  description:
    'Screens, templates, popups, slide-in screens (each kind has names of its own), tag tables, connections, cycles, text and graphic lists, scripts and graphics of classic HMI devices, as TIA Portal exports them: one file, or all `.xml` files and images of a folder. Images (SVG, PNG, JPEG, GIF, BMP, WebP) become project graphics; SVG is cleaned of scripts and of references to other files, which `warnings` tell. The text of a file is kept: an export gives the same bytes until the object is changed. All or nothing unless `continueOnError`.',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      ...importSource(t, 'Text of an XML file'),
      folder: t.Optional(folderPath(t, 'A/B; made when absent.')),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present objects. Default: true.' })),
      continueOnError: t.Optional(t.Boolean({ description: 'Import what is right, report the rest. Default: false.' })),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [
    post('/api/devices/{deviceName}/hmi/actions/import'),
    post('/api/devices/{deviceName}/hmi/actions/import/async', 'async'),
  ],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: importAliases,
  run: (input, ctx) => importRequest(ctx, input as ImportRequest),
})

/** What an export says of its file. */
export const writtenFields = (t: SchemaBuilder) => ({
  size: t.Integer({ description: 'Bytes.' }),
  exportPath: t.Optional(t.String()),
  content: t.Optional(t.String()),
  warnings: t.Array(t.String()),
})

/** The object that a client wants as XML. */
export interface ExportRequest {
  readonly deviceName: string
  readonly kind: StationKind
  readonly name: string
  readonly exportPath?: string
  readonly overwrite?: boolean
}

/**
 * Exports an object; the image of a graphic is written beside its file.
 * @throws GatewayError `not_found`, `conflict` for kinds without XML and for files that are there
 */
export async function exportRequest(ctx: CommandContext, input: ExportRequest) {
  const station = requireStation(ctx, input.deviceName)
  const { kind } = input
  const object = isScreenKind(kind)
    ? (requireScreen(ctx, station, input.name, screenKinds[kind].screenType) as HmiObject)
    : collectionOfKind(kind).requireOf(ctx, station, input.name)
  const { exportText } = await import('./exchange.ts')
  const { text, warnings } = await exportText(ctx, object)
  const size = Buffer.byteLength(text)
  const { image = '', fileName = '' } = kind === 'graphic' ? (object.content as GraphicContent) : {}
  const told = { name: object.name, kind, size }
  if (input.exportPath === undefined) {
    const apart = image === '' ? [] : [`The image ${fileName} is no part of the text: with exportPath it is beside it.`]
    return { ...told, warnings: [...warnings, ...apart], content: text }
  }
  const path = await xmlPath(ctx, input.exportPath, object.name, exportFolder(kind))
  // The document names its image by a path beside it.
  const beside = image === '' ? undefined : join(dirname(path), fileName)
  for (const one of [path, beside]) if (one !== undefined) await requireFree(ctx, one, input.overwrite)
  await ctx.files.write(path, text)
  if (beside !== undefined) await ctx.files.writeBlob(beside, image)
  return { ...told, warnings: [...warnings], exportPath: await ctx.files.resolve(path) }
}

/** The file of an export: a path that is a folder, or has no `.xml`, gets the name of what is exported. */
async function xmlPath(ctx: CommandContext, exportPath: string, name: string, below = ''): Promise<string> {
  const { fileNameOf } = await import('../../projects/index.ts')
  const isFolder = (await ctx.files.stat(exportPath))?.isDirectory === true || !/\.xml$/i.test(exportPath)
  return isFolder ? `${exportPath}/${below}${fileNameOf(name)}.xml` : exportPath
}

/** @throws GatewayError `conflict` when the file is there and may not be replaced */
export async function requireFree(ctx: CommandContext, path: string, overwrite = false): Promise<void> {
  if (!overwrite && (await ctx.files.stat(path)) !== undefined)
    throw problem('conflict', `${path} exists already.`, { suggestion: 'Send overwrite: true to replace it.' })
}

/** What of a station a client wants as one file. */
export interface ExportAllRequest {
  readonly deviceName: string
  readonly exportPath?: string
  readonly overwrite?: boolean
}

/**
 * Exports all objects of a kind of a station as one XML file.
 * @throws GatewayError `conflict` when there are none, or the file is there
 */
export async function exportAll(ctx: CommandContext, input: ExportAllRequest, kind: HmiKind) {
  const station = requireStation(ctx, input.deviceName)
  const { exportAllText } = await import('./exchange.ts')
  const { text, names, warnings } = await exportAllText(ctx, station, kind)
  const told = { names: [...names], size: Buffer.byteLength(text), warnings: [...warnings] }
  if (input.exportPath === undefined) return { ...told, content: text }
  const path = await xmlPath(ctx, input.exportPath, `${station.name} ${kindNames[kind].plural}`)
  await requireFree(ctx, path, input.overwrite)
  await ctx.files.write(path, text)
  return { ...told, exportPath: await ctx.files.resolve(path) }
}

const exportObject = command({
  id: 'hmi.export',
  title: 'Export an HMI object as XML',
  description:
    'What was imported and not changed since is given byte for byte. The image of a graphic is written beside its file. In a folder (`exportPath` without `.xml`), every kind but screens has a subfolder (`popups`, `text-lists` …), since objects of different kinds may have one name; an import of the folder reads it as well as files beside each other. Alarms and library types have no XML in TIA Portal (409). Without `exportPath` the content is in the answer.',
  access: 'viewer',
  input: (t) =>
    t.Object({
      deviceName: stationName(t),
      kind: t.Enum([...stationKinds], {
        description: 'Screens are of kinds with names of their own: popup, template …',
      }),
      name: t.String({ minLength: 1, maxLength: 200 }),
      ...exportTarget(t),
    }),
  output: (t) => t.Object({ name: t.String(), kind: t.String(), ...writtenFields(t) }),
  http: [
    post('/api/devices/{deviceName}/hmi/actions/export'),
    post('/api/devices/{deviceName}/hmi/actions/export/async', 'async'),
  ],
  mcp,
  aliases: { ...exportAliases, name: ['objectName'], kind: ['type'] },
  run: (input, ctx) => exportRequest(ctx, input as ExportRequest),
})

export const exchangeOperations: readonly Operation[] = [importObjects, exportObject]
