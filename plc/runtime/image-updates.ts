/**
 * Partitions of the process image as UPDAT_PI, UPDAT_PO, SYNC_PI and SYNC_PO use them. The status numbers are those of
 * "System Software for S7-300/400, System and Standard Functions", SFC 26, 27, 126 and 127.
 */

/**
 * What updates a partition: the cycle (partition 0), the organization block it is assigned to, the isochronous block
 * that runs and calls SYNC_PI and SYNC_PO, the program with UPDAT_PI and UPDAT_PO; `none`: it is not configured.
 */
export type PartitionUpdate = 'cycle' | 'block' | 'isochronous' | 'program' | 'none'

/** The process image of a controller. */
export interface ImageUpdates {
  updateOf(partition: number): PartitionUpdate
  /** Reads the inputs of a partition into the image. */
  readInputs(partition: number): void
  /** Writes the outputs of a partition from the image to the periphery. */
  writeOutputs(partition: number): void
}

const status = {
  done: 0,
  /** PART is no partition, or may not be updated here. */
  wrongPartition: 0x8090,
  notDefined: 0x8091,
  /** The partition is updated by the system, with an organization block. */
  ofSystem: 0x8092,
} as const

const last = 31

/** UPDAT_PI and UPDAT_PO. Returns the status. */
export function updatePartition(image: ImageUpdates | undefined, isInput: boolean, part: bigint): number {
  if (part < 0n || part > last) return status.wrongPartition
  const partition = Number(part)
  const update = image?.updateOf(partition) ?? (partition === 0 ? 'cycle' : 'none')
  if (update === 'none') return status.notDefined
  if (update === 'isochronous') return status.wrongPartition
  if (isInput && update === 'block') return status.ofSystem
  if (isInput) image?.readInputs(partition)
  else image?.writeOutputs(partition)
  return status.done
}

/** SYNC_PI and SYNC_PO: only of the partition of the isochronous block that runs. Returns the status. */
export function synchronizePartition(image: ImageUpdates | undefined, isInput: boolean, part: bigint): number {
  if (part < 1n || part > last) return status.wrongPartition
  const update = image?.updateOf(Number(part)) ?? 'none'
  if (update === 'none') return status.notDefined
  if (update !== 'isochronous') return status.wrongPartition
  if (isInput) image?.readInputs(Number(part))
  else image?.writeOutputs(Number(part))
  return status.done
}
