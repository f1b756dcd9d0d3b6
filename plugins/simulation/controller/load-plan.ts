/**
 * Plans what a load does to the data: data blocks with the same layout keep their values, others get their start
 * values.
 */

import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'
import type { LoadReport } from './contract.ts'
import type { Copy } from './messages.ts'

/** The parts of a program that the plan uses. */
export interface PlannedProgram {
  readonly linked: Pick<LinkedProgram, 'areas' | 'dataBlocks'>
  readonly symbols: Pick<ProgramSymbols, 'dataBlocks'>
}

/**
 * Plans which data keep their values, with their old and new places. I, Q, M, the periphery, timers and counters always
 * keep their values.
 */
export function planCopies(
  before: PlannedProgram | undefined,
  next: PlannedProgram,
  reinitialize: boolean,
): { readonly report: LoadReport; readonly copies: readonly Copy[] } {
  const copies: Copy[] = []
  if (before)
    for (const name of ['I', 'Q', 'M', 'PI', 'PQ', 'T', 'C'] as const) {
      const [from, to] = [before.linked.areas[name], next.linked.areas[name]]
      copies.push({ from: from.address, to: to.address, size: Math.min(from.size, to.size) })
    }
  const old = new Map(before?.symbols.dataBlocks.map((block) => [block.name.toLowerCase(), block]))
  const [added, kept, reinitialized]: [string[], string[], string[]] = [[], [], []]
  for (const block of next.symbols.dataBlocks) {
    const key = block.name.toLowerCase()
    const same = old.get(key)
    old.delete(key)
    const from = before?.linked.dataBlocks.get(key)
    const to = next.linked.dataBlocks.get(key)
    if (!same) added.push(block.name)
    else if (!reinitialize && same.layout === block.layout && from && to) {
      kept.push(block.name)
      copies.push({ from: from.address, to: to.address, size: Math.min(from.size, to.size) })
    } else reinitialized.push(block.name)
  }
  const removed = [...old.values()].map(({ name }) => name)
  return { report: { added, removed, kept, reinitialized }, copies }
}
