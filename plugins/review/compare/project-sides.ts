/** The open project, its devices and the snapshots of its objects as sides of a compare: what an export would hold. */
import { notFound, problem, type QueryContext } from '../../../core/index.ts'
import { extensionOf, type FileShape, fileTextOf } from '../../../plc/edit/object-file.ts'
import type { FolderFile } from '../../../plc/review/read-folder.ts'
import { type Block, blocksOf } from '../../blocks/index.ts'
import { amlOfDevices } from '../../cax/index.ts'
import { type Device, devices, requireDevice } from '../../devices/index.ts'
import { snapshots } from '../../history/index.ts'
import { fileNameOf, requireProject } from '../../projects/index.ts'
import { findTagTable, type TagTable, tagTablesOf, tagTableText } from '../../tags/index.ts'
import { typesOf } from '../../types/index.ts'
import type { FolderContent } from '../folder/folder.ts'

/**
 * Reads a side of the gateway (see gateway-side.ts).
 * @throws GatewayError `no_project`, `not_found`, `invalid_input` for a time that is not one
 */
export async function projectSide(now: QueryContext, text: string): Promise<FolderContent> {
  const [, kind = '', rest = ''] = /^(\w+):(.*)$/s.exec(text) ?? []
  if (kind === 'snapshot') return snapshotContent(now, rest)
  const at = timeIn(now, kind, rest)
  const ctx = at.asOf === undefined ? now : (await now.gateway.past.queryAt(at.asOf, now)).ctx
  requireProject(ctx)
  if (kind === 'project') {
    if (at.name !== '')
      throw problem('invalid_input', `"${text}": behind "project:" there is nothing, or @ with the time of a state.`)
    return contentOf(
      ctx,
      [...ctx.read(devices).values()].filter(({ unplaced }) => !unplaced),
    )
  }
  const { device, object } = named(ctx, at.name)
  return object === undefined ? contentOf(ctx, [device]) : objectContent(ctx, device, object)
}

/** Names may contain an @: the name as a whole counts first. */
function timeIn(ctx: QueryContext, kind: string, rest: string): { readonly name: string; readonly asOf?: string } {
  const [, name, asOf] = /^(.*)@(\d{1,15}|\d{4}-\d\d-\d\d[^@/]*)$/s.exec(rest) ?? []
  if (name === undefined || asOf === undefined) return { name: rest }
  const isName = kind === 'device' && [...ctx.read(devices).values()].some((one) => isNamed(rest, one))
  return isName ? { name: rest } : { name, asOf }
}

const isNamed = (text: string, { name }: Device): boolean => text.toLowerCase() === name.toLowerCase()

/** A device, or an object of one: `PLC_1/Motor`. Both names may contain a slash. */
function named(ctx: QueryContext, text: string): { readonly device: Device; readonly object?: string } {
  const all = [...ctx.read(devices).values()].sort((a, b) => b.name.length - a.name.length)
  const whole = all.find((one) => isNamed(text, one))
  if (whole) return { device: whole }
  const device = all.find(({ name }) => text.toLowerCase().startsWith(`${name.toLowerCase()}/`))
  if (device) return { device, object: text.slice(device.name.length + 1) }
  return { device: requireDevice(ctx, text) }
}

async function contentOf(ctx: QueryContext, chosen: readonly Device[]): Promise<FolderContent> {
  const program: FolderFile[] = []
  for (const device of chosen) program.push(...(await programFiles(ctx, device)))
  const placed = chosen.filter(({ unplaced }) => !unplaced)
  if (placed.length === 0) return { program, sheets: [], hardware: [] }
  const aml = await amlOfDevices(ctx, placed)
  return { program, sheets: [], hardware: [{ path: 'hardware.aml', bytes: Buffer.from(aml) }] }
}

/** Blocks, types and tag tables of a PLC as files of an export. */
async function programFiles(ctx: QueryContext, device: Device): Promise<FolderFile[]> {
  const root = fileNameOf(device.name)
  const files: FolderFile[] = []
  for (const { stored, path } of programObjects(ctx, device))
    files.push(fileOf(`${root}/${path}`, stored, await ctx.blobs.text(stored.document)))
  for (const table of tagTablesOf(ctx, device.id)) files.push(await tableFile(ctx, root, table))
  return files
}

/** The program of a PLC of the open project. */
export async function deviceProgram(ctx: QueryContext, device: Device): Promise<FolderContent> {
  return { program: await programFiles(ctx, device), sheets: [], hardware: [] }
}

/** Blocks and types, with the folder that an export has them in. */
function programObjects(ctx: QueryContext, { id }: Device) {
  const folder = (root: string, inside: string) => (inside === '' ? root : `${root}/${inside}`)
  return [
    ...blocksOf(ctx, id).map((one) => ({ stored: one, path: folder('Program blocks', one.folder) })),
    ...typesOf(ctx, id).map((one) => ({ stored: { ...one, kind: 'UDT' }, path: folder('PLC data types', one.folder) })),
  ]
}

async function objectContent(ctx: QueryContext, device: Device, name: string): Promise<FolderContent> {
  const root = fileNameOf(device.name)
  const objects = programObjects(ctx, device)
  const found = objects.find(({ stored }) => stored.name.toLowerCase() === name.toLowerCase())
  if (found) {
    const text = await ctx.blobs.text(found.stored.document)
    return only(fileOf(`${root}/${found.path}`, found.stored, text))
  }
  const table = findTagTable(ctx, device.id, name)
  if (table) return only(await tableFile(ctx, root, table))
  const names = [...objects.map(({ stored }) => stored), ...tagTablesOf(ctx, device.id)].map((one) => one.name)
  throw notFound('block, type or tag table', name, names)
}

async function snapshotContent(ctx: QueryContext, id: string): Promise<FolderContent> {
  const all = ctx.read(snapshots)
  const snapshot = all.get(id)
  if (!snapshot)
    throw notFound(
      'snapshot',
      id,
      [...all.values()].map((one) => one.id),
    )
  const root = fileNameOf(snapshot.deviceName)
  const text = await ctx.blobs.text(snapshot.content)
  if (snapshot.block) return only(fileOf(`${root}/Program blocks`, snapshot.block, text))
  const rows = JSON.parse(text) as Pick<TagTable, 'tags' | 'constants'>
  return only(await tableFile(ctx, root, { ...rows, name: snapshot.name }))
}

const only = (file: FolderFile): FolderContent => ({ program: [file], sheets: [], hardware: [] })

/** A block or type as a file of an export, without its folder. */
export async function objectFile(ctx: QueryContext, object: FileShape & Pick<Block, 'name' | 'document'>) {
  return fileOf('', object, await ctx.blobs.text(object.document))
}

function fileOf(folder: string, object: FileShape & { readonly name: string }, text: string): FolderFile {
  const path = `${folder}/${fileNameOf(object.name)}${extensionOf(object)}`
  return { path, bytes: Buffer.from(fileTextOf(text, object)) }
}

/** A tag table as a file of an export. */
export async function tableFile(ctx: QueryContext, root: string, table: Parameters<typeof tagTableText>[1]) {
  const shape = { format: 'simaticml', kind: 'TagTable', language: '', name: table.name } as const
  return fileOf(`${root}/PLC tags`, shape, await tagTableText(ctx, table))
}
