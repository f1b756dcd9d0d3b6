/**
 * Classes, texts and text lists of the alarms of a PLC: their place in the state, their events, and their file in the
 * project. Exports of TIA Portal do not contain the texts of Program_Alarm, so they are kept here beside the blocks.
 */
import {
  type CommandContext,
  collection,
  domainEvent,
  type Fault,
  on,
  ownedBy,
  type Slice,
  type SliceReader,
} from '../../core/index.ts'
import { type Device, device, deviceFolder, devices } from '../devices/index.ts'
import { faultyFiles, modifiesProject, type ProjectFile, type ProjectSection, readJsonFile } from '../projects/index.ts'
import {
  type AlarmClass,
  type AlarmDefinition,
  type AlarmDefinitions,
  type AlarmTextList,
  type DefinedSupervision,
  instanceKey,
} from '../simulation/index.ts'

/** Most alarms with texts of a PLC, and of entries of all text lists (CPU 1518: 10 000 program alarms). */
export const mostDefinitions = 20_000

/** The definitions of one device; key: its id. */
export interface DeviceAlarms extends AlarmDefinitions {
  readonly deviceId: string
}

const deviceAlarms = collection<DeviceAlarms>('alarms.definitions', { byDevice: (_, key) => key }, [
  ownedBy(device, 'byDevice'),
])

export const alarmsDefined = domainEvent<DeviceAlarms>('alarms.defined', 'Classes and texts of alarms were changed')

export const alarmSlice: Slice = {
  version: 2,
  collections: [deviceAlarms],
  reductions: [
    on(alarmsDefined, (write, data) => write(deviceAlarms).set(data.deviceId, data)),
    ...modifiesProject(alarmsDefined),
  ],
}

export const noDefinitions: AlarmDefinitions = { classes: [], alarms: [], textLists: [], ownSupervisions: [] }

/** What is defined for the alarms of a device. */
export function definitionsOf(ctx: { read: SliceReader }, { id }: Pick<Device, 'id'>): AlarmDefinitions {
  const { classes, alarms, textLists, ownSupervisions = [] } = ctx.read(deviceAlarms).get(id) ?? noDefinitions
  return { classes, alarms, textLists, ownSupervisions }
}

/** Reads the definitions that a download put on a memory card; `undefined`: they are not as the gateway writes them. */
export function readDefinitions(data: unknown): AlarmDefinitions | undefined {
  if (!isObject(data)) return undefined
  const { classes = [], alarms = [], textLists = [], ownSupervisions = [] } = data
  const listOf = <T>(value: unknown, check: (one: unknown) => one is T): value is T[] =>
    Array.isArray(value) && value.every(check)
  if (!listOf(classes, isClass) || !listOf(alarms, isDefinition) || !listOf(textLists, isTextList)) return undefined
  if (!listOf(ownSupervisions, isSupervision)) return undefined
  return { classes, alarms, textLists, ownSupervisions }
}

/** Puts definitions in the place of those of a device, for an upload. */
export function restoreDefinitions(ctx: CommandContext, { id, name }: Device, definitions: AlarmDefinitions): void {
  const { classes, alarms, textLists, ownSupervisions = [] } = definitions
  ctx.emit(alarmsDefined, { deviceId: id, classes, alarms, textLists, ownSupervisions }, `device/${name}`)
}

/** The key of a definition: two of one key replace each other. */
export function keyOf({ block, member, instance }: Pick<AlarmDefinition, 'block' | 'member' | 'instance'>): string {
  return instance === undefined ? `${block}.${member}`.toLowerCase() : instanceKey(instance)
}

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const fileOf = (of: Pick<Device, 'name'>) => `${deviceFolder(of)}/alarms.json`
const isAlarmFile = /^devices\/[^/]+\/alarms\.json$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown) => isObject(value) && Object.values(value).every(isText)
const optional = (check: (value: unknown) => boolean) => (value: unknown) => value === undefined || check(value)
const isWhole = (value: unknown) => Number.isSafeInteger(value)

function isClass(value: unknown): value is AlarmClass {
  return (
    isObject(value) && isText(value.name) && typeof value.needsAcknowledgement === 'boolean' && isWhole(value.priority)
  )
}
function isDefinition(value: unknown): value is AlarmDefinition {
  if (!isObject(value)) return false
  const { block, member, instance, alarmClass, text, infoText, additionalTexts } = value
  const isPlaced = instance === undefined ? isText(block) && isText(member) : isText(instance)
  const areAdditional = Array.isArray(additionalTexts) && additionalTexts.every(isTexts)
  return (
    isPlaced &&
    optional(isText)(alarmClass) &&
    optional(isTexts)(text) &&
    optional(isTexts)(infoText) &&
    (additionalTexts === undefined || areAdditional)
  )
}
function isTextList(value: unknown): value is AlarmTextList {
  if (!isObject(value) || !isText(value.name) || !Array.isArray(value.entries)) return false
  return (
    optional(isWhole)(value.number) &&
    value.entries.every((entry) => isObject(entry) && isWhole(entry.from) && isWhole(entry.to) && isTexts(entry.text))
  )
}
function isSupervision(value: unknown): value is DefinedSupervision {
  if (!isObject(value)) return false
  const { block, dataType, number, type, operand, status, delay, conditions, category, values, alarmClass, text } =
    value
  const isCondition = (one: unknown) => isObject(one) && isText(one.operand) && typeof one.status === 'boolean'
  return (
    [block, dataType, alarmClass].every(optional(isText)) &&
    [number, type, operand, delay, category].every(isText) &&
    typeof status === 'boolean' &&
    Array.isArray(conditions) &&
    conditions.every(isCondition) &&
    Array.isArray(values) &&
    values.every(isText) &&
    isTexts(text)
  )
}

/** The file of each device that has definitions: `devices/<device>/alarms.json`. */
export const alarmSection: ProjectSection = {
  name: 'alarms',
  order: 45,
  folders: ['devices/*/alarms.json'],
  async save(ctx) {
    return [...ctx.read(devices).values()].flatMap((one): ProjectFile[] => {
      const { classes, alarms, textLists, ownSupervisions = [] } = definitionsOf(ctx, one)
      if (classes.length + alarms.length + textLists.length + ownSupervisions.length === 0) return []
      const supervisions = ownSupervisions.length > 0 ? { supervisions: ownSupervisions } : {}
      const content = JSON.stringify({ classes, alarms, textLists, ...supervisions }, null, 2)
      return [{ path: fileOf(one), content: `${content}\n` }]
    })
  },
  async load(ctx, _project, files) {
    const faults: Fault[] = []
    for (const path of files.list('devices/').filter((file) => isAlarmFile.test(file))) {
      const owner = [...ctx.read(devices).values()].find((one) => fileOf(one) === path)
      const data = await readJsonFile(files, path, faults)
      if (data && owner) load(ctx, owner, data, path, faults)
    }
    if (faults.length > 0) throw faultyFiles('The alarms of the project cannot be read', faults)
    return []
  },
}

function load(
  ctx: CommandContext,
  owner: Device,
  data: Readonly<Record<string, unknown>>,
  path: string,
  faults: Fault[],
) {
  const list = <T>(field: string, check: (value: unknown) => value is T): T[] => {
    const value = data[field] ?? []
    if (!Array.isArray(value)) {
      faults.push({ path: `${path}#/${field}`, message: 'must be a list' })
      return []
    }
    for (const [i, one] of value.entries())
      if (!check(one))
        faults.push({ path: `${path}#/${field}/${i}`, message: 'is not as the gateway writes it', value: one })
    return value.filter(check)
  }
  const [classes, alarms, textLists, ownSupervisions] = [
    list('classes', isClass),
    list('alarms', isDefinition),
    list('textLists', isTextList),
    list('supervisions', isSupervision),
  ]
  restoreDefinitions(ctx, owner, { classes, alarms, textLists, ownSupervisions })
}
