/** What is kept of the last compilation of each object: its place in the state, and the event that changes it. */
import { collection, domainEvent, on } from '../../../core/index.ts'
import { deviceDeleted } from '../../devices/index.ts'
import { projectClosed } from '../../projects/index.ts'

/** The last compilation of a block or PLC data type. */
export interface CompileRecord {
  readonly deviceId: string
  readonly name: string
  /** Hash of the document that was compiled. */
  readonly document: string
  /** Hash of its own interface. */
  readonly interface: string
  /** Names it depends on, in lower case, and a hash of what they stood for. */
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
  /** Of all documents and tags that it was made of. */
  readonly signature: string
}

/** Key: `<deviceId>/<name in lower case>`; blocks and PLC data types share their names. */
export const compileRecords = collection<CompileRecord>('blocks.compile-records', {
  byDevice: ({ deviceId }) => deviceId,
})
/** Key: the device's id. */
export const compiledDevices = collection<CompiledDevice>('blocks.compiled-devices')

export const blocksCompiled = domainEvent<{
  readonly deviceId: string
  readonly records: readonly Omit<CompileRecord, 'deviceId'>[]
  /** Of a compilation of the whole software. */
  readonly device?: Omit<CompiledDevice, 'deviceId' | 'compiledAt'>
  /** Further blobs that belong to the program. */
  readonly blobs: readonly string[]
}>('blocks.compiled', 'Blocks were compiled')

export const compileCollections = [compileRecords, compiledDevices] as const

export const compileReductions = [
  on(blocksCompiled, (write, { deviceId, records, device }, { time }) => {
    for (const record of records) write(compileRecords).set(recordKey(deviceId, record.name), { deviceId, ...record })
    if (device) write(compiledDevices).set(deviceId, { deviceId, compiledAt: time, ...device })
  }),
  on(projectClosed, (write) => {
    write(compileRecords).clear()
    write(compiledDevices).clear()
  }),
  on(deviceDeleted, (write, { id }) => {
    write(compiledDevices).delete(id)
    for (const { name } of write(compileRecords).find('byDevice', id)) write(compileRecords).delete(recordKey(id, name))
  }),
]

export function recordKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}
