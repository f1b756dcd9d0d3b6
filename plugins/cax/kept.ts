/**
 * What is kept of imported AML files: of each device the element of its station, of the project what stood around the
 * stations. The values are those of the project; the texts are for what nobody interprets. In the files of a project
 * they are `devices/<device>/hardware.aml` and `hardware.aml`.
 */
import { type CommandContext, collection, domainEvent, on, ownedBy, type Slice, undone } from '../../core/index.ts'
import {
  device,
  deviceAdded,
  deviceChanged,
  deviceFolder,
  deviceRenamed,
  devices,
  networkConfigured,
} from '../devices/index.ts'
import { linkRemoved, linkSet, moduleRemoved, moduleSet, stationSet, type TopologyLink } from '../hardware/index.ts'
import { faultyFiles, modifiesProject, type ProjectFile, type ProjectSection, project } from '../projects/index.ts'
import {
  tagAdded,
  tagChanged,
  tagDeleted,
  tagTableCreated,
  tagTableDeleted,
  tagTableRenamed,
  tagTableReplaced,
} from '../tags/index.ts'

/** What is kept of a device. Key: its id. */
export interface KeptStation {
  readonly deviceId: string
  /** When what an export holds of it was changed last, ms. */
  readonly changedAt: number
  /** Blob: the document with the element of its station. */
  readonly document?: string
}

export const keptStations = collection<KeptStation>(
  'cax.stations',
  { byDevice: (_, key) => key },
  [ownedBy(device, 'byDevice')],
  { apart: ['changedAt'] },
)
/** Key: `frame`. Blob of the document around the stations. */
export const keptFrame = collection<{ readonly document: string }>('cax.frame', {}, [ownedBy(project)])
export const frameKey = 'frame'

export const stationKept = domainEvent<KeptStation>('cax.station-kept', 'What an AML file holds of a device was kept')
export const frameKept = domainEvent<{ document: string }>(
  'cax.frame-kept',
  'What an AML file holds around its devices was kept',
)

type Write = Parameters<Parameters<typeof on>[1]>[0]

function touch(write: Write, deviceId: string, changedAt: number): void {
  const all = write(keptStations)
  const before = all.get(deviceId)
  if (before) all.set(deviceId, { ...before, changedAt })
}

function touchEnds(write: Write, { a, b }: TopologyLink, changedAt: number): void {
  for (const { deviceId } of [a, b]) touch(write, deviceId, changedAt)
}

/** The device of an entry of any collection, by the house's shapes; another text where it has none. */
function deviceOf(key: string, value: unknown): string {
  const { deviceId } = (typeof value === 'object' && value !== null ? value : {}) as { deviceId?: unknown }
  return typeof deviceId === 'string' ? deviceId : (key.split('/', 1)[0] ?? '')
}

/** The plugin's part of the state. */
export const keptSlice: Slice = {
  version: 2,
  collections: [keptStations, keptFrame],
  reductions: [
    on(deviceAdded, (write, { id, createdAt }) => write(keptStations).set(id, { deviceId: id, changedAt: createdAt })),
    on(deviceRenamed, (write, { id }, { time }) => touch(write, id, time)),
    on(deviceChanged, (write, { after }, { time }) => touch(write, after.id, time)),
    on(networkConfigured, (write, { id }, { time }) => touch(write, id, time)),
    on(stationSet, (write, { station }, { time }) => touch(write, station.deviceId, time)),
    on(moduleSet, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(moduleRemoved, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(linkSet, (write, { link }, { time }) => touchEnds(write, link, time)),
    on(linkRemoved, (write, { link }, { time }) => touchEnds(write, link, time)),
    on(tagTableCreated, (write, { table }, { time }) => touch(write, table.deviceId, time)),
    on(tagTableReplaced, (write, { table }, { time }) => touch(write, table.deviceId, time)),
    on(tagTableRenamed, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(tagTableDeleted, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(tagAdded, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(tagChanged, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(tagDeleted, (write, { deviceId }, { time }) => touch(write, deviceId, time)),
    on(stationKept, (write, kept) => write(keptStations).set(kept.deviceId, kept)),
    on(undone, (write, { entries }, { time }) => {
      for (const [, key, value] of entries) touch(write, deviceOf(key, value), time)
    }),
    on(frameKept, (write, frame) => write(keptFrame).set(frameKey, frame)),
    ...modifiesProject(stationKept, frameKept),
  ],
}

const frameFile = 'hardware.aml'
const isStationFile = /^devices\/[^/]+\/hardware\.aml$/

/** The texts in the files of a project. */
export const keptSection: ProjectSection = {
  name: 'cax',
  // Behind tags (30): what they change is not what was changed last.
  order: 50,
  folders: [frameFile, 'devices/*/hardware.aml'],
  async save(ctx) {
    const stations = [...ctx.read(devices).values()].flatMap((one): ProjectFile[] => {
      const { document } = ctx.read(keptStations).get(one.id) ?? {}
      return document === undefined ? [] : [{ path: `${deviceFolder(one)}/hardware.aml`, blob: document }]
    })
    const frame = ctx.read(keptFrame).get(frameKey)
    return [...(frame ? [{ path: frameFile, blob: frame.document }] : []), ...stations]
  },
  async load(ctx, _project, files) {
    const owners = new Map([...ctx.read(devices).values()].map((one) => [`${deviceFolder(one)}/hardware.aml`, one]))
    for (const path of files.list('devices/').filter((file) => isStationFile.test(file))) {
      const owner = owners.get(path)
      if (!owner) continue
      const { document, writtenAt } = await loadText(ctx, await files.read(path), path)
      const changedAt = writtenAt ?? owner.createdAt
      ctx.emit(stationKept, { deviceId: owner.id, changedAt, document }, `device/${owner.name}`)
    }
    if (files.has(frameFile)) {
      const { document } = await loadText(ctx, await files.read(frameFile), frameFile)
      ctx.emit(frameKept, { document })
    }
    return []
  },
}

/** A file of a project; one that is not AML is a fault, because the next save would lose it. */
async function loadText(ctx: CommandContext, bytes: Buffer, path: string) {
  const [{ readAml, writerOf }, { FormatError }] = await Promise.all([
    import('../../plc/formats/aml/read.ts'),
    import('../../plc/model/fault.ts'),
  ])
  try {
    const { writtenAt } = writerOf(readAml(bytes.toString('utf8')))
    const document = await ctx.blobs.put(bytes)
    return { document, ...(writtenAt === undefined ? {} : { writtenAt: Date.parse(writtenAt) }) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw faultyFiles(
      'The hardware files of the project cannot be read',
      error.faults.map(({ message, line, column, code }) => ({ path, message, line, column, code })),
    )
  }
}
