/** Plans what a load does to the data: which values stay, and which are start values (kept-values.ts). */

import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'
import type { LoadReport, LostValue } from './contract.ts'
import { accessReason, KeptValues } from './kept-values.ts'
import type { Copy } from './messages.ts'

/** The parts of a program that the plan uses. */
export interface PlannedProgram {
  readonly linked: Pick<LinkedProgram, 'areas' | 'dataBlocks'>
  readonly symbols: Pick<ProgramSymbols, 'dataBlocks' | 'types'>
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
  const lost: LostValue[] = []
  const values = before && new KeptValues(before.symbols, next.symbols)
  for (const block of next.symbols.dataBlocks) {
    const key = block.name.toLowerCase()
    const same = old.get(key)
    old.delete(key)
    const from = before?.linked.dataBlocks.get(key)
    const to = next.linked.dataBlocks.get(key)
    if (!same) added.push(block.name)
    else if (reinitialize || !values || !from || !to) reinitialized.push(block.name)
    else if (same.access !== block.access) {
      reinitialized.push(block.name)
      lost.push({ dataBlock: block.name, path: '', reason: accessReason(block.access) })
    } else if (same.layout === block.layout) {
      kept.push(block.name)
      copies.push({ from: from.address, to: to.address, size: Math.min(from.size, to.size) })
    } else {
      const found = values.of(same.type, block.type, block.access)
      const list = found.lost.length === 0 ? kept : reinitialized
      list.push(block.name)
      lost.push(...found.lost.map((one) => ({ dataBlock: block.name, ...one })))
      for (const copy of found.copies)
        copies.push({ ...copy, from: copy.from + from.address, to: copy.to + to.address })
    }
  }
  const removed = [...old.values()].map(({ name }) => name)
  return { report: { added, removed, kept, reinitialized, ...(lost.length > 0 ? { lost } : {}) }, copies }
}
