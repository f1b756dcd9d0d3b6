/** Uploads the program of a controller into the project: exactly what a download wrote to its memory card. */

import { isDeepStrictEqual } from 'node:util'
import { type CommandContext, defined, type Fault, problem } from '../../core/index.ts'
import { blobHash } from '../../plc/compiler/program-file.ts'
import { definitionsOf, readDefinitions, restoreDefinitions } from '../alarms/index.ts'
import { blockChanged, blockCreated } from '../blocks/index.ts'
import {
  creationTime,
  type Device,
  deviceAdded,
  deviceKinds,
  requireFreeDeviceName,
  takenAddresses,
} from '../devices/index.ts'
import { findSymbol, requireName } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { knowsMasterSecret, protectionFor, securityConfigured } from '../security/index.ts'
import { tagTableCreated, tagTableRenamed, tagTableReplaced, tagTablesOf } from '../tags/index.ts'
import { typeChanged, typeCreated } from '../types/index.ts'
import { watchTableChanged, watchTableCreated, watchTableDeleted, watchTablesOf } from '../watch-tables/index.ts'
import { protectedConflicts } from './compatibility.ts'
import type { Reached } from './connection.ts'
import { type Category, categories, uploaded } from './declarations.ts'
import { type Manifest, requireManifest, sourceReader } from './manifest.ts'
import {
  blobsOf,
  categoryTitles,
  folderTrees,
  isSameItem,
  keyOf,
  numberOf,
  type ProgramItem,
  programItems,
} from './program-objects.ts'

export interface UploadRequest {
  /** Replace objects that differ. Default: they are an error. */
  readonly overwrite?: boolean | undefined
  /** Also those that are know-how protected in the project. */
  readonly force?: boolean | undefined
}

export interface UploadedObject {
  readonly category: Category
  readonly kind: string
  readonly name: string
  readonly number?: number
  readonly folder: string
  readonly action: 'created' | 'replaced' | 'unchanged'
}

export interface UploadResult {
  readonly device: Device
  readonly newDevice: boolean
  readonly program: string
  readonly source: { readonly project: string; readonly device: string; readonly compiledAt: string }
  readonly objects: readonly UploadedObject[]
  /** Classes, texts and text lists of alarms; `none`: the memory card has none, and those of the project stay. */
  readonly alarms: UploadedObject['action'] | 'none'
  /** Only in the project; they stay as they are. */
  readonly onlyOffline: readonly { readonly category: Category; readonly name: string }[]
  readonly warnings: readonly string[]
}

/**
 * A new device gets the security settings of the controller, as hashes; one that is there keeps its own. Returns
 * warnings.
 */
function uploadSecurity(
  ctx: CommandContext,
  device: Device,
  isNew: boolean,
  controller: Reached['controller'],
  { security }: Manifest,
): string[] {
  if (!isNew)
    return isDeepStrictEqual(security, protectionFor(ctx, device))
      ? []
      : [`The controller has other security settings than "${device.name}"; those of "${device.name}" stay.`]
  if (!security) return []
  if (security.masterSecret !== undefined && !knowsMasterSecret(ctx.actor, controller))
    return [
      `The security settings of the controller are protected by a master secret and were not uploaded; send masterSecret to get them.`,
    ]
  const { users = [], ...settings } = security
  ctx.emit(securityConfigured, { ...settings, deviceId: device.id, deviceName: device.name }, `device/${device.name}`)
  return users.length === 0 ? [] : ['The users of the controller belong to its project and were not uploaded.']
}

/** A problem has at most this many faults. */
const mostFaults = 1000

/**
 * Uploads. All or nothing: every object that is in the way is a fault.
 *
 * @param device absent: a new device of this name is made
 * @throws GatewayError `conflict` (no program, objects in the way), `name_taken`, `unacceptable_content` (a memory card
 * that is not whole)
 */
export async function upload(
  ctx: CommandContext,
  present: Device | undefined,
  deviceName: string,
  { instance, controller }: Reached,
  { overwrite = false, force = false }: UploadRequest,
): Promise<UploadResult> {
  const project = requireProject(ctx)
  ctx.progress(5, `Reading the memory card of ${instance.name}`)
  const card = await controller.memoryCard()
  const manifest = requireManifest(card, `Instance "${instance.name}"`)
  const read = sourceReader(manifest, card!, blobHash)
  const warnings: string[] = []
  if (manifest.project.version !== project.version)
    warnings.push(`The program is of a ${manifest.project.version} project; "${project.name}" is ${project.version}.`)
  const device = present ?? addDevice(ctx, manifest, deviceName)
  if (!present) warnings.push(...takenAddresses(ctx, device))
  warnings.push(...uploadSecurity(ctx, device, present === undefined, controller, manifest))
  if (present && present.typeIdentifier !== manifest.device.typeIdentifier)
    warnings.push(`The program is of a ${manifest.device.typeName}; "${present.name}" is a ${present.typeName}.`)

  const before = new Map(programItems(ctx, device, blobHash).map((item) => [keyOf(item), item]))
  const items = inOrder(manifest.objects)
  for (const item of items) requireName(item.name, '/name', categoryTitles[item.category])
  ctx.progress(20, 'Comparing with the project')
  const faults = present ? obstacles(ctx, device, items, before, overwrite) : []
  const alarms = uploadedAlarms(ctx, device, manifest, warnings)
  if (alarms.action === 'replaced' && !overwrite)
    faults.push({ path: 'Alarms', code: 'exists', message: 'classes, texts or text lists are others in the project' })
  if (!force) faults.push(...protectedConflicts([...before.values()], items, false))
  requireNoObstacles(faults, device)

  for (const category of categories)
    for (const path of manifest.folders[category]) folderTrees[category].ensure(ctx, device, path)
  const objects: UploadedObject[] = []
  for (const [i, item] of items.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      ctx.progress(30 + (65 * i) / items.length, `Storing ${i + 1} of ${items.length}: ${item.name}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const own = before.get(keyOf(item))
    before.delete(keyOf(item))
    const action = own === undefined ? 'created' : isSameItem(own, item) ? 'unchanged' : 'replaced'
    if (action !== 'unchanged') {
      for (const hash of blobsOf(item)) await ctx.blobs.put(read(hash))
      const dropped = item.kind === 'ForceTable' && !own ? dropForceTable(ctx, device) : undefined
      if (dropped !== undefined) {
        before.delete(keyOf({ category: 'watch-table', name: dropped }))
        warnings.push(`The force table "${dropped}" gave way to "${item.name}": a PLC has one.`)
      }
      store(ctx, device, item, own)
    }
    const { category, kind, name, record } = item
    const number = numberOf(item)
    objects.push({ category, kind, name, ...defined({ number }), folder: record.folder, action })
  }
  if (alarms.definitions) restoreDefinitions(ctx, device, alarms.definitions)
  const count = (action: UploadedObject['action']) => objects.filter((one) => one.action === action).length
  ctx.emit(
    uploaded,
    {
      deviceName: device.name,
      instance: instance.name,
      program: manifest.program,
      created: count('created'),
      replaced: count('replaced'),
      newDevice: present === undefined,
    },
    `device/${device.name}`,
  )
  return {
    device,
    newDevice: present === undefined,
    program: manifest.program,
    source: { project: manifest.project.name, device: manifest.device.name, compiledAt: manifest.compiledAt },
    objects,
    alarms: alarms.action,
    onlyOffline: [...before.values()].map(({ category, name }) => ({ category, name })),
    warnings,
  }
}

/** What becomes of the definitions of alarms; `definitions` when they have to be stored. */
function uploadedAlarms(
  ctx: CommandContext,
  device: Device,
  manifest: Manifest,
  warnings: string[],
): { readonly action: UploadResult['alarms']; readonly definitions?: ReturnType<typeof readDefinitions> } {
  const given = manifest.alarms === undefined ? undefined : readDefinitions(manifest.alarms)
  if (manifest.alarms !== undefined && !given)
    warnings.push('The texts of alarms on the memory card cannot be read: those of the project stay.')
  const { classes = [], alarms = [], textLists = [], ownSupervisions = [] } = given ?? {}
  const count = classes.length + alarms.length + textLists.length + ownSupervisions.length
  if (!given || count === 0) return { action: 'none' }
  const own = definitionsOf(ctx, device)
  if (isDeepStrictEqual({ classes, alarms, textLists, ownSupervisions }, own)) return { action: 'unchanged' }
  const isNew = [own.classes, own.alarms, own.textLists, own.ownSupervisions].every((list) => (list ?? []).length === 0)
  return { action: isNew ? 'created' : 'replaced', definitions: given }
}

function inOrder(items: readonly ProgramItem[]): ProgramItem[] {
  return categories.flatMap((category) => items.filter((item) => item.category === category))
}

/** The device of the manifest, under a name of this project. Its default tag table keeps its name. */
function addDevice(ctx: CommandContext, { device: saved, objects }: Manifest, name: string): Device {
  requireFreeDeviceName(ctx, name, '/deviceName')
  const { orderNumber, firmware, typeIdentifier, typeName, family, kind, network } = saved
  if (!deviceKinds.includes(kind))
    throw problem('unacceptable_content', `The memory card has a device of kind "${kind}".`)
  const device: Device = {
    id: ctx.newId(),
    name,
    orderNumber,
    firmware,
    typeIdentifier,
    typeName,
    family,
    kind,
    unplaced: false,
    createdAt: creationTime(ctx),
    ...(network ? { network } : {}),
  }
  ctx.emit(deviceAdded, device, `device/${name}`)
  const standard = objects.find((item) => item.category === 'tag-table' && item.record.isDefault)
  const own = tagTablesOf(ctx, device.id).find(({ isDefault }) => isDefault)
  if (standard && own && own.name !== standard.name) {
    const { id, deviceId, name: oldName } = own
    ctx.emit(tagTableRenamed, { deviceId, id, oldName, newName: standard.name }, `tag-table/${name}/${standard.name}`)
  }
  return device
}

/** A default table that nobody has touched. */
function isUntouched(item: ProgramItem): boolean {
  return item.category === 'tag-table' && item.record.isDefault && item.record.createdAt === item.record.modifiedAt
}

/**
 * Everything that is in the way, all at once: objects that differ, names and numbers that others of the project have.
 */
function obstacles(
  ctx: CommandContext,
  device: Device,
  items: readonly ProgramItem[],
  before: ReadonlyMap<string, ProgramItem>,
  overwrite: boolean,
): Fault[] {
  const coming = new Set(items.map(keyOf))
  const staying = [...before.values()].filter((item) => !coming.has(keyOf(item)))
  const faults: Fault[] = []
  const names = new Map<string, string>()
  const numbers = new Map<string, string>()
  for (const item of staying) {
    for (const name of symbolsOf(item)) names.set(name.toLowerCase(), placeOf(item))
    const number = numberKeyOf(item)
    if (number !== undefined) numbers.set(number, placeOf(item))
  }
  const force = staying.find(({ kind }) => kind === 'ForceTable')
  for (const item of items) {
    const path = placeOf(item)
    const own = before.get(keyOf(item))
    if (own && !overwrite && !isSameItem(own, item) && !isUntouched(own))
      faults.push({ path, code: 'exists', message: 'is in the project with another content' })
    if (own && item.category === 'watch-table' && own.kind !== item.kind)
      faults.push({ path, code: 'name_taken', message: `has the name of a table of kind ${own.kind}` })
    for (const name of symbolsOf(item)) {
      const holder = names.get(name.toLowerCase()) ?? (own ? undefined : foreignHolder(ctx, device, name))
      if (holder !== undefined)
        faults.push({ path, code: 'name_taken', message: `the name "${name}" is taken by ${holder}`, value: name })
    }
    const holder = numbers.get(numberKeyOf(item) ?? '')
    if (holder !== undefined)
      faults.push({
        path,
        code: 'conflict',
        message: `its number ${numberOf(item)} is that of ${holder}`,
        value: numberOf(item),
      })
    if (
      item.kind === 'ForceTable' &&
      force &&
      !overwrite &&
      force.category === 'watch-table' &&
      force.record.entries.length > 0
    )
      faults.push({ path, code: 'exists', message: `the PLC has another force table, "${force.name}"` })
  }
  return faults
}

/** Names that other plugins keep. */
function foreignHolder(ctx: CommandContext, device: Device, name: string): string | undefined {
  const symbol = findSymbol(ctx, device, name)
  if (!symbol || ['block', 'type', 'tag', 'constant'].includes(symbol.kind)) return undefined
  return `${symbol.kind} "${symbol.name}"`
}

function placeOf({ category, kind, name }: ProgramItem): string {
  return category === 'block' ? `${kind} "${name}"` : `${categoryTitles[category]} "${name}"`
}

/** The names that an object brings into the program. Tables have names of their own. */
function symbolsOf(item: ProgramItem): string[] {
  if (item.category === 'tag-table') return [...item.record.tags, ...item.record.constants].map(({ name }) => name)
  return item.category === 'watch-table' ? [] : [item.name]
}

function numberKeyOf(item: ProgramItem): string | undefined {
  if (item.category !== 'block') return undefined
  return `${item.kind.endsWith('DB') ? 'DB' : item.kind}/${item.record.number}`
}

function requireNoObstacles(faults: readonly Fault[], device: Device): void {
  const [first] = faults
  if (!first) return
  const more = faults.length > 1 ? ` (${faults.length} objects or names in the way)` : ''
  const onlyExisting = faults.every(({ code }) => code === 'exists')
  throw problem('conflict', `${first.path}: ${first.message}${more}. Nothing was uploaded to "${device.name}".`, {
    errors: faults.slice(0, mostFaults),
    suggestion: onlyExisting
      ? 'Send overwrite: true to replace what differs.'
      : faults.every(({ code }) => code === 'know-how-protected')
        ? 'Send force: true to replace protected blocks.'
        : 'Rename or delete what is in the way, or upload into a new device.',
    ...(faults.length > mostFaults ? { extra: { omittedErrors: faults.length - mostFaults } } : {}),
  })
}

/** Emits what makes the object the one of its name. Names and numbers were checked for all of them together. */
function store(ctx: CommandContext, device: Device, item: ProgramItem, own: ProgramItem | undefined): void {
  const identity = {
    id: own?.record.id ?? ctx.newId(),
    deviceId: device.id,
    folder: item.record.folder === '' ? '' : folderTrees[item.category].ensure(ctx, device, item.record.folder),
    createdAt: own?.record.createdAt ?? item.record.createdAt,
  }
  const place = `${device.name}/${item.name}`
  if (item.category === 'block') {
    const block = { ...item.record, ...identity }
    if (!own) ctx.emit(blockCreated, { block }, `block/${place}`)
    else ctx.emit(blockChanged, { before: own.hash, after: item.hash, block }, `block/${place}`)
  } else if (item.category === 'type') {
    const type = { ...item.record, ...identity }
    if (!own) ctx.emit(typeCreated, { type }, `type/${place}`)
    else ctx.emit(typeChanged, { before: own.hash, after: item.hash, type }, `type/${place}`)
  } else if (item.category === 'tag-table') {
    const isDefault = own?.category === 'tag-table' && own.record.isDefault
    const table = { ...item.record, ...identity, isDefault }
    ctx.emit(own ? tagTableReplaced : tagTableCreated, { table }, `tag-table/${place}`)
  } else {
    const table = { ...item.record, ...identity }
    if (own) ctx.emit(watchTableChanged, { before: own.hash, after: item.hash, table }, `watch-table/${place}`)
    else ctx.emit(watchTableCreated, { table }, `watch-table/${place}`)
  }
}

/** A PLC has one force table: the one that is there goes. @returns its name */
function dropForceTable(ctx: CommandContext, device: Device): string | undefined {
  const present = watchTablesOf(ctx, device.id).find(({ kind }) => kind === 'ForceTable')
  if (!present) return undefined
  const { deviceId, id, name } = present
  ctx.emit(watchTableDeleted, { deviceId, id, name, table: present }, `watch-table/${device.name}/${name}`)
  return name
}
