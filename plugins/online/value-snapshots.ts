/**
 * Snapshots of the actual values of data blocks: what they are, and the one of each data block that the project keeps.
 */
import { collection, domainEvent, on, ownedBy } from '../../core/index.ts'
import { device } from '../devices/index.ts'

/** The snapshot of a data block; a new one replaces it. Times in ms since the epoch. */
export interface ValueSnapshot {
  readonly deviceId: string
  readonly blockId: string
  readonly blockName: string
  readonly instance: string
  readonly takenAt: number
  /** Hash of the block's text at that time. */
  readonly document: string
  readonly count: number
  /** Blob: JSON, a list of `BlockValue`. */
  readonly values: string
}

/** Which values of a snapshot become start values. */
export const snapshotParts = ['all', 'setpoints', 'retain'] as const
export type SnapshotPart = (typeof snapshotParts)[number]

/** Key: the ids of device and block. */
export const valueSnapshots = collection<ValueSnapshot>(
  'online.value-snapshots',
  { byDevice: ({ deviceId }) => deviceId },
  [ownedBy(device, 'byDevice')],
  'attached',
)

export function snapshotKey({ deviceId, blockId }: Pick<ValueSnapshot, 'deviceId' | 'blockId'>): string {
  return `${deviceId}/${blockId}`
}

export const valuesTaken = domainEvent<ValueSnapshot & { readonly deviceName: string }>(
  'online.values-taken',
  'A snapshot of the actual values of a data block was taken',
)

export const snapshotApplied = domainEvent<{
  readonly deviceName: string
  readonly blockName: string
  readonly values: SnapshotPart
  readonly changed: number
  /** The snapshot in relation to the data block as it is now; events of earlier versions have none. */
  readonly snapshot?: ValueSnapshot
}>('online.snapshot-applied', 'Values of a snapshot became the start values of a data block')

export const valueReductions = [
  on(valuesTaken, (write, { deviceName: _, ...snapshot }) =>
    write(valueSnapshots).set(snapshotKey(snapshot), snapshot),
  ),
  on(snapshotApplied, (write, { snapshot }) => {
    if (snapshot) write(valueSnapshots).set(snapshotKey(snapshot), snapshot)
  }),
]
