/**
 * Partitions of the process image (docs/plc-semantics.md#cycle). Partition 0 is that of the cycle. Partitions 1 to 31
 * have the addresses that the controller's options give them, and are no part of partition 0: they are updated with the
 * organization block they are assigned to, or by UPDAT_PI, UPDAT_PO, SYNC_PI and SYNC_PO.
 */
import type { Extent } from '../../../plc/compiler/codegen/image-use.ts'
import type { PartitionUpdate } from '../../../plc/runtime/image-updates.ts'
import type { ByteRange, ControllerOptions } from './contract.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'

/** The addresses of a partition, as bytes of the areas. */
interface Partition {
  readonly inputs: readonly Extent[]
  readonly outputs: readonly Extent[]
}

/** What is left of the bytes `from` up to `to` without the holes, which are sorted. */
export function without([from, to]: Extent, holes: readonly Extent[]): Extent[] {
  const rest: Extent[] = []
  let at = from
  for (const [begin, end] of holes) {
    if (begin > at && at < to) rest.push([at, Math.min(begin, to)])
    at = Math.max(at, end)
  }
  if (at < to) rest.push([at, to])
  return rest
}

/** The partitions of one controller with one program. */
export class ImagePartitions {
  readonly #partitions = new Map<number, Partition>()
  /** Partition by the number of its organization block. */
  readonly #ofBlock = new Map<number, number>()
  /** No organization block has a partition. */
  readonly isWithoutBlocks: boolean
  /** All bytes of partitions, sorted. */
  readonly inputs: readonly Extent[]
  readonly outputs: readonly Extent[]

  constructor(
    { processImagePartitions = {} }: Pick<ControllerOptions, 'processImagePartitions'>,
    blocks: readonly Pick<OrganizationBlockPlan, 'number' | 'processImagePartition'>[],
  ) {
    for (const { number, processImagePartition: partition } of blocks)
      if (partition !== undefined && partition in processImagePartitions) this.#ofBlock.set(number, partition)
    for (const [key, { organizationBlock, inputs = [], outputs = [] }] of Object.entries(processImagePartitions)) {
      const partition = Number(key)
      this.#partitions.set(partition, { inputs: inputs.map(extentOf), outputs: outputs.map(extentOf) })
      if (organizationBlock === undefined) continue
      // The options override the attribute of the block.
      for (const [block, other] of this.#ofBlock) if (other === partition) this.#ofBlock.delete(block)
      this.#ofBlock.set(organizationBlock, partition)
    }
    this.isWithoutBlocks = this.#ofBlock.size === 0
    const sorted = (list: readonly Extent[]) => [...list].sort((a, b) => a[0] - b[0])
    const all = [...this.#partitions.values()]
    this.inputs = sorted(all.flatMap((one) => one.inputs))
    this.outputs = sorted(all.flatMap((one) => one.outputs))
  }

  /** The partition that is updated with an organization block. */
  ofBlock({ number, eventClass }: Pick<OrganizationBlockPlan, 'number' | 'eventClass'>): number | undefined {
    // Isochronous blocks update theirs themselves, with SYNC_PI and SYNC_PO.
    return eventClass === 'SynchronousCycle' ? undefined : this.#ofBlock.get(number)
  }

  get(partition: number): Partition | undefined {
    return this.#partitions.get(partition)
  }

  /** How a partition is updated, for a program that runs under an organization block. */
  updateOf(
    partition: number,
    running: Pick<OrganizationBlockPlan, 'number' | 'eventClass'> | undefined,
  ): PartitionUpdate {
    if (partition === 0) return 'cycle'
    if (!this.#partitions.has(partition)) return 'none'
    if (running?.eventClass === 'SynchronousCycle' && this.#ofBlock.get(running.number) === partition)
      return 'isochronous'
    for (const assigned of this.#ofBlock.values()) if (assigned === partition) return 'block'
    return 'program'
  }
}

function extentOf({ firstByte, bytes }: ByteRange): Extent {
  return [firstByte, firstByte + bytes]
}
