/**
 * What designs have made in a PLC: blocks, tags and alarms, as they were made. A design that is applied again tells
 * (and prunes) from here what it no longer has. A name alone does not show who made a thing. In the files of a project:
 * `devices/<device>/designs.json`.
 */
import {
  type CommandContext,
  collection,
  domainEvent,
  type Fault,
  isObject,
  on,
  ownedBy,
  type Slice,
  type SliceReader,
} from '../../../core/index.ts'
import { type Device, device, deviceFolder, devices } from '../../devices/index.ts'
import { faultyFiles, modifiesProject, type ProjectSection, readJsonFile } from '../../projects/index.ts'

export interface MadeTag {
  readonly name: string
  readonly dataType: string
  readonly address: string
}

export interface MadeAlarm {
  readonly instance: string
  readonly alarmClass?: string
  readonly text: Readonly<Record<string, string>>
}

/** What one design has made in one PLC and what has not been deleted since by it. */
export interface MadeByDesign {
  readonly deviceId: string
  readonly design: string
  /** Names of its blocks: units, their instances, the call, and those of modules, which designs share. */
  readonly blocks: readonly string[]
  readonly tags: readonly MadeTag[]
  readonly alarms: readonly MadeAlarm[]
}

/** Key: id of the device and name of the design. */
const madeByDesigns = collection<MadeByDesign>('block-generation.made', { byDevice: ({ deviceId }) => deviceId }, [
  ownedBy(device, 'byDevice'),
])

const designApplied = domainEvent<MadeByDesign>('block-generation.design-applied', 'A design was applied to a PLC')

const keyOf = ({ deviceId, design }: Pick<MadeByDesign, 'deviceId' | 'design'>) => `${deviceId}/${design.toLowerCase()}`

export const madeSlice: Slice = {
  version: 1,
  collections: [madeByDesigns],
  reductions: [
    on(designApplied, (write, made) => write(madeByDesigns).set(keyOf(made), made)),
    ...modifiesProject(designApplied),
  ],
}

/** What a design made in a PLC when it was applied before. */
export function madeBy(ctx: { read: SliceReader }, { id }: Pick<Device, 'id'>, design: string): MadeByDesign {
  const key = { deviceId: id, design }
  return ctx.read(madeByDesigns).get(keyOf(key)) ?? { ...key, blocks: [], tags: [], alarms: [] }
}

/** Keeps what a design has made, in the place of what was kept of it before. */
export function keepMade(ctx: CommandContext, { name }: Pick<Device, 'name'>, made: MadeByDesign): void {
  ctx.emit(designApplied, made, `device/${name}`)
}

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const fileOf = (of: Pick<Device, 'name'>) => `${deviceFolder(of)}/designs.json`

const isText = (value: unknown): value is string => typeof value === 'string'
const isListOf = (value: unknown, check: (one: unknown) => boolean) => Array.isArray(value) && value.every(check)
const isTag = (value: unknown) => isObject(value) && [value.name, value.dataType, value.address].every(isText)
const isAlarm = (value: unknown) =>
  isObject(value) &&
  isText(value.instance) &&
  (value.alarmClass === undefined || isText(value.alarmClass)) &&
  isObject(value.text) &&
  Object.values(value.text).every(isText)

function isMade(value: unknown): value is Omit<MadeByDesign, 'deviceId'> {
  return (
    isObject(value) &&
    isText(value.design) &&
    isListOf(value.blocks, isText) &&
    isListOf(value.tags, isTag) &&
    isListOf(value.alarms, isAlarm)
  )
}

/** The file of each device in which a design was applied. */
export const madeSection: ProjectSection = {
  name: 'designs',
  order: 46,
  folders: ['devices/*/designs.json'],
  async save(ctx) {
    return [...ctx.read(devices).values()].flatMap((one) => {
      const designs = [...ctx.read(madeByDesigns).find('byDevice', one.id)]
        .map(({ deviceId: _, ...made }) => made)
        .sort((a, b) => (a.design < b.design ? -1 : 1))
      return designs.length === 0 ? [] : [{ path: fileOf(one), content: `${JSON.stringify({ designs }, null, 2)}\n` }]
    })
  },
  async load(ctx, _project, files) {
    const faults: Fault[] = []
    for (const one of ctx.read(devices).values()) {
      const path = fileOf(one)
      if (!files.has(path)) continue
      const data = await readJsonFile(files, path, faults)
      if (data === undefined) continue
      const designs = Array.isArray(data.designs) ? data.designs : [data.designs]
      for (const [i, made] of designs.entries())
        if (isMade(made)) keepMade(ctx, one, { ...made, deviceId: one.id })
        else faults.push({ path: `${path}#/designs/${i}`, message: 'is not as the gateway writes it', value: made })
    }
    if (faults.length > 0) throw faultyFiles('What designs have made in the project cannot be read', faults)
    return []
  },
}
