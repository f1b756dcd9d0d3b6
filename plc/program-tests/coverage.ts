/** What tests ran of a program: how many cases reached each outcome of each place (program/probes.ts). */
import type { CompiledProgram } from '../compiler/put-together.ts'
import type { ProbePoint } from '../program/probes.ts'

/** What ran of a block. */
export interface BlockCoverage {
  readonly block: string
  readonly points: readonly ProbePoint[]
  /** By the byte: the number of cases that set it. */
  readonly hits: readonly number[]
}

/** Collects after each case. */
export class CoverageCollector {
  readonly #blocks: readonly {
    readonly block: string
    readonly points: readonly ProbePoint[]
    readonly address: number
    readonly hits: number[]
  }[]

  /** @param isCounted whether a block is a part of the tested program */
  constructor({ probes }: CompiledProgram, isCounted: (block: string) => boolean) {
    this.#blocks = [...(probes ?? [])]
      .filter(([block]) => isCounted(block))
      .map(([block, { points, address, size }]) => ({
        ...{ block, points, address },
        hits: new Array<number>(size).fill(0),
      }))
  }

  /** Adds what is set in the memory of a controller since its restart. */
  take(memory: Uint8Array): void {
    for (const { address, hits } of this.#blocks)
      for (let i = 0; i < hits.length; i++) if (memory[address + i] !== 0) hits[i] = (hits[i] ?? 0) + 1
  }

  /** Blocks of which something ran since the restart. */
  reached(memory: Uint8Array): string[] {
    return this.#blocks
      .filter(({ address, hits }) => hits.some((_count, i) => memory[address + i] !== 0))
      .map(({ block }) => block)
  }

  get result(): BlockCoverage[] {
    return this.#blocks.map(({ block, points, hits }) => ({ block, points, hits }))
  }
}

/** Adds what several runs of the same program reached. */
export function mergedCoverage(runs: readonly (readonly BlockCoverage[])[]): BlockCoverage[] {
  const found = new Map<string, BlockCoverage>()
  for (const one of runs.flat()) {
    const known = found.get(one.block)
    // The same block has the same places, whatever is around it.
    if (known === undefined) found.set(one.block, one)
    else if (known.hits.length === one.hits.length)
      found.set(one.block, { ...one, hits: one.hits.map((count, i) => count + (known.hits[i] ?? 0)) })
  }
  return [...found.values()]
}
