/**
 * The kept results of the last compilation of each object: their place in the state, and the event that changes them.
 */

import { type CollectionWriter, collection, domainEvent, on, ownedBy } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { device, deviceDeleted } from '../../devices/index.ts'
import { projectClosed } from '../../projects/index.ts'

/** The last compilation of a block or PLC data type. */
export interface CompileRecord {
  readonly deviceId: string
  readonly name: string
  /** Hash of the document that was compiled. */
  readonly document: string
  /** Hash of its own interface. */
  readonly interface: string
  /** Names that it depends on, in lower case, with a hash of what each named. */
  readonly uses: readonly string[]
  readonly interfaces: string
  readonly errors: number
  readonly warnings: number
  /** Blob of the unit: code and diagnostics. */
  readonly unit?: string
}

/** The last compilation of a whole device. */
export interface CompiledDevice {
  readonly deviceId: string
  readonly compiledAt: number
  readonly errors: number
  readonly warnings: number
  /** Blob of the compiled program (see program-file.ts); only without errors. */
  readonly program?: string
  /** Hash of all documents and tags that it was made of. */
  readonly signature: string
}

/** Key: `<deviceId>/<name in lower case>`; blocks and PLC data types share their names. */
export const compileRecords = collection<CompileRecord>(
  'blocks.compile-records',
  { byDevice: ({ deviceId }) => deviceId },
  [ownedBy(device, 'byDevice')],
  // They say of which documents they are.
  'attached',
)
/** Key: the device's id. */
export const compiledDevices = collection<CompiledDevice>(
  'blocks.compiled-devices',
  { byDevice: (_, key) => key },
  [ownedBy(device, 'byDevice')],
  'attached',
)

/**
 * Units of blocks that are in no open project any more, so that a project that is opened again takes them over. Key:
 * see `keptKey`. What a unit holds says whether it is still right: a wrong one is not taken.
 */
export const keptUnits = collection<KeptUnit>('blocks.kept-units')

export interface KeptUnit {
  /** Blob of the unit. */
  readonly unit: string
  /** When the block last left a project, milliseconds since the epoch. */
  readonly keptAt: number
}

/** The newest are kept: some twenty projects of a thousand blocks. */
const mostKept = 20_000

/** Key of a block by its document, independent of project and device. */
export function keptKey({ document, name }: { readonly document: string; readonly name: string }): string {
  return `${document}/${name.toLowerCase()}`
}

function keepUnits(units: CollectionWriter<KeptUnit>, records: Iterable<CompileRecord>, keptAt: number): void {
  for (const record of records) if (record.unit !== undefined) units.set(keptKey(record), { unit: record.unit, keptAt })
  const excess = units.size - mostKept
  if (excess <= 0) return
  // Sorted by time and name, because a replay must give the same result as the first run.
  const oldest = [...units.entries()].sort(([a, one], [b, other]) => one.keptAt - other.keptAt || compareTexts(a, b))
  for (const [key] of oldest.slice(0, excess)) units.delete(key)
}

export const blocksCompiled = domainEvent<{
  readonly deviceId: string
  readonly records: readonly Omit<CompileRecord, 'deviceId'>[]
  /** The result of compiling the whole software. */
  readonly device?: Omit<CompiledDevice, 'deviceId' | 'compiledAt'>
  /** Further blobs that belong to the program. */
  readonly blobs: readonly string[]
}>('blocks.compiled', 'Blocks were compiled')

export const compileCollections = [compileRecords, compiledDevices, keptUnits] as const

export const compileReductions = [
  on(blocksCompiled, (write, { deviceId, records, device }, { time }) => {
    for (const record of records) write(compileRecords).set(recordKey(deviceId, record.name), { deviceId, ...record })
    if (device) write(compiledDevices).set(deviceId, { deviceId, compiledAt: time, ...device })
  }),
  // The records themselves go with their device, after this.
  on(projectClosed, (write, _event, { time }) => keepUnits(write(keptUnits), write(compileRecords).values(), time)),
  on(deviceDeleted, (write, { id }, { time }) =>
    keepUnits(write(keptUnits), write(compileRecords).find('byDevice', id), time),
  ),
]

export function recordKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}
