/**
 * HMI stations in the files of a project: `devices/<device>/hmi/<kind>/<folders>/<name>.json`, one for each object;
 * screens of each kind apart (`screens`, `templates`, `popups` …); earlier versions had one folder for all of them.
 * What was imported and not changed has its own file beside it, byte for byte; a graphic has its image.
 */
import { type CommandContext, defined, type Fault, isGatewayError, isObject } from '../../core/index.ts'
import type { GraphicContent, HmiKind } from '../../plc/formats/hmi/model.ts'
import { type Device, deviceFolder, devices } from '../devices/index.ts'
import { directoryOf, objectFileName } from '../program-objects/index.ts'
import {
  faultyFiles,
  type ProjectFile,
  type ProjectFiles,
  parseJson,
  readJsonFile,
  type SaveContext,
} from '../projects/index.ts'
import { importFile } from './exchange/exchange.ts'
import {
  collectionOfKind,
  type HmiObject,
  itemsOf,
  kindNames,
  objectStored,
  type StationKind,
  type StationSettings,
  type StoredItem,
  type StoredTag,
  stationConfigured,
  stationKindOf,
  stationKinds,
  stationSettings,
  tagsOfTable,
} from './object.ts'
import { isScreenKind, screenKinds } from './objects/screen-kinds.ts'
import { contentFields, itemFields, tagFields, withFields } from './objects/stored-fields.ts'
import { stationsOf } from './stations.ts'

const json = (data: unknown) => `${JSON.stringify(data, null, 2)}\n`
const extensions: Readonly<Record<string, string>> = {
  'image/svg+xml': '.svg',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/bmp': '.bmp',
  'image/webp': '.webp',
}

/** All files of all stations. */
export function writeStations(ctx: SaveContext): ProjectFile[] {
  return stationsOf(ctx).flatMap((station) => {
    const base = `${deviceFolder(station)}/hmi`
    const settings = ctx.read(stationSettings).get(station.id)
    const files: ProjectFile[] = []
    if (settings !== undefined) {
      const { startScreen, width, height } = settings
      files.push({ path: `${base}/station.json`, content: json({ startScreen, width, height }) })
    }
    for (const kind of stationKinds) {
      const { of, folders } = collectionOfKind(kind)
      const paths = folders.list(ctx, station.id).map(({ path }) => path)
      // The folders of all screens are with the screens.
      if (paths.length > 0 && (kind === 'screen' || !isScreenKind(kind)))
        files.push({ path: `${base}/${kindNames[kind].plural}/.folders.json`, content: json(paths) })
      for (const object of of(ctx, station.id)) files.push(...filesOf(ctx, base, object))
    }
    return files
  })
}

function filesOf(ctx: SaveContext, base: string, object: HmiObject): ProjectFile[] {
  const { kind, id, name, folder, content, createdAt, modifiedAt, document, isAsDocument } = object
  const directory = directoryOf(folder)
  const { plural } = kindNames[stationKindOf(object)]
  const at = `${base}/${plural}/${directory === '' ? '' : `${directory}/`}${objectFileName(name)}`
  const identity = { id, name, folder, createdAt: new Date(createdAt).toISOString() }
  const files: ProjectFile[] = []
  if (document !== undefined) files.push({ path: `${at}.xml`, blob: document, modifiedAt })
  const { image = '', mediaType = '' } = kind === 'graphic' ? (content as GraphicContent) : {}
  const extension = extensions[mediaType] ?? ''
  if (image !== '') files.push({ path: `${at}${extension}`, blob: image, modifiedAt })
  if (isAsDocument === true && kind !== 'graphic') {
    files.push({ path: `${at}.json`, content: json({ ...identity, isAsDocument }), modifiedAt })
    return files
  }
  const bare = ({ deviceId: _d, screenId: _s, tableId: _t, ...rest }: Partial<StoredItem & StoredTag>) => rest
  const { image: _image, ...plain } = content as GraphicContent
  const data = {
    ...identity,
    ...(image === '' ? {} : { image: extension }),
    ...(document === undefined ? {} : { document: true, isAsDocument }),
    content: kind === 'graphic' ? plain : content,
    ...(kind === 'screen' ? { objects: itemsOf(ctx, id).map(bare) } : {}),
    ...(kind === 'tag-table' ? { tags: tagsOfTable(ctx, id).map(bare) } : {}),
  }
  files.push({ path: `${at}.json`, content: json(data), modifiedAt })
  return files
}

/**
 * Reads the files of all stations and emits their events.
 * @throws GatewayError `unacceptable_content` with all faults of all files
 */
export async function readStations(ctx: CommandContext, files: ProjectFiles): Promise<string[]> {
  const faults: Fault[] = []
  const warnings: string[] = []
  for (const { station, folder } of await stationFolders(ctx, files)) {
    const base = `${folder}/hmi`
    if (files.has(`${base}/station.json`)) {
      const data = await readJsonFile(files, `${base}/station.json`, faults)
      const { startScreen, width, height } = (data ?? {}) as Partial<StationSettings>
      const settings: StationSettings = {
        deviceId: station.id,
        ...(typeof startScreen === 'string' ? { startScreen } : {}),
        ...(typeof width === 'number' ? { width } : {}),
        ...(typeof height === 'number' ? { height } : {}),
      }
      ctx.emit(stationConfigured, settings, `device/${station.name}`)
    }
    const ids = new Set<string>()
    for (const kind of stationKinds) {
      const area = `${base}/${kindNames[kind].plural}/`
      await readFolders(ctx, files, station, kind, `${area}.folders.json`, faults)
      for (const path of files.list(area).filter((file) => file.endsWith('.json') && !file.endsWith('.folders.json')))
        try {
          warnings.push(...(await readObject(ctx, files, station, kind, path, ids, faults)))
        } catch (error) {
          if (!isGatewayError(error)) throw error
          faults.push({ path, code: error.code, message: error.message })
        }
    }
  }
  if (faults.length > 0) throw faultyFiles('The HMI stations of the project cannot be read', faults)
  return warnings
}

async function readFolders(
  ctx: CommandContext,
  files: ProjectFiles,
  station: Device,
  kind: StationKind,
  path: string,
  faults: Fault[],
) {
  if (!files.has(path)) return
  const read = parseJson((await files.read(path)).toString('utf8'), path, faults)
  if (read === undefined) return
  const paths = read.value
  if (!Array.isArray(paths) || !paths.every((one): one is string => typeof one === 'string' && one !== ''))
    faults.push({ path, message: 'must be a list of paths' })
  else for (const one of paths) collectionOfKind(kind).folders.ensure(ctx, station, one)
}

async function readObject(
  ctx: CommandContext,
  files: ProjectFiles,
  station: Device,
  area: StationKind,
  path: string,
  ids: Set<string>,
  faults: Fault[],
): Promise<readonly string[]> {
  const data = await readJsonFile(files, path, faults)
  if (data === undefined) return []
  const at = path.slice(0, -'.json'.length)
  const kind: HmiKind = isScreenKind(area) ? 'screen' : area
  const { name, folder = '', createdAt } = data
  if (typeof name !== 'string' || name === '' || typeof folder !== 'string') {
    faults.push({ path: `${path}#/name`, message: 'name and folder must be text' })
    return []
  }
  // A copied file becomes an object of its own.
  const id = typeof data.id === 'string' && data.id !== '' && !ids.has(data.id) ? data.id : ctx.newId()
  ids.add(id)
  const modifiedAt = await files.modifiedAt(path)
  const created = Date.parse(String(createdAt))
  const saved = { id, createdAt: Number.isNaN(created) ? modifiedAt : created, modifiedAt }
  if (data.isAsDocument === true && kind !== 'graphic') {
    const document = await files.read(`${at}.xml`)
    await importFile(ctx, station, document, `${at}.xml`, { folder, overwrite: false, saved })
    // Warnings about the file were given when it was imported.
    return []
  }
  if (!isObject(data.content)) {
    faults.push({ path: `${path}#/content`, message: 'must be an object' })
    return []
  }
  const usual = isScreenKind(area) ? { screenType: screenKinds[area].screenType } : {}
  const fields = { ...contentFields[kind], ...usual }
  const content = withFields(data.content, fields, `${path}#/content`, faults) as HmiObject['content']
  // What it says itself counts: earlier versions had all screens in one folder.
  const collection = collectionOfKind(stationKindOf({ kind, content }))
  if (collection.find(ctx, station.id, name) !== undefined) throw collection.taken({ name }, station)
  const identity = collection.identityOf(ctx, station, name, { folder, saved }, undefined)
  const image = typeof data.image === 'string' ? await ctx.blobs.put(await files.read(`${at}${data.image}`)) : ''
  const document = data.document === true ? await ctx.blobs.put(await files.read(`${at}.xml`)) : undefined
  const object = {
    ...identity,
    kind,
    content: kind === 'graphic' ? { ...content, image } : content,
    ...defined({ document }),
    ...(data.isAsDocument === true ? { isAsDocument: true } : {}),
  } as HmiObject
  const list = <T extends { readonly name: string; readonly id?: string }>(
    field: string,
    fields: typeof itemFields,
  ) => {
    const value = data[field] ?? []
    const isList = Array.isArray(value) && value.every((one) => typeof one?.name === 'string')
    if (!isList) faults.push({ path: `${path}#/${field}`, message: 'must be a list of objects with names' })
    const all = isList ? (value as T[]) : []
    return all.map((one, i) => withFields(one, fields, `${path}#/${field}/${i}`, faults))
  }
  const owner = { deviceId: station.id }
  const items = kind === 'screen' ? list<StoredItem>('objects', itemFields) : undefined
  const tags = kind === 'tag-table' ? list<StoredTag>('tags', tagFields) : undefined
  const stored = {
    object,
    ...(items === undefined
      ? {}
      : { items: items.map((item) => ({ ...item, ...owner, screenId: id, id: item.id ?? ctx.newId() })) }),
    ...(tags === undefined
      ? {}
      : { tags: tags.map((tag) => ({ ...tag, ...owner, tableId: id, id: tag.id ?? ctx.newId() })) }),
  }
  ctx.emit(objectStored, stored, collection.entityOf(station, name))
  return []
}

/** The stations with their folders: a folder may have another name than its device. */
async function stationFolders(
  ctx: CommandContext,
  files: ProjectFiles,
): Promise<{ station: Device; folder: string }[]> {
  const folders = new Map<string, string>()
  for (const path of files.list('devices/').filter((file) => /^devices\/[^/]+\/device\.json$/.test(file))) {
    const name = (await readJsonFile(files, path, []))?.name
    if (typeof name === 'string') folders.set(name.toLowerCase(), path.slice(0, path.lastIndexOf('/')))
  }
  return [...ctx.read(devices).values()]
    .filter(({ kind }) => kind === 'HMI')
    .map((station) => ({ station, folder: folders.get(station.name.toLowerCase()) ?? deviceFolder(station) }))
}
