/** Coverage as lcov: https://github.com/linux-test-project/lcov (geninfo, "FILES"). */
import { byFile, type CoveredBlock, callsOf, linesOf } from '../coverage.ts'

export function lcovOf(blocks: readonly CoveredBlock[]): string {
  const parts: string[] = []
  for (const [file, own] of byFile(blocks)) {
    parts.push('TN:', `SF:${file}`)
    for (const { block, line } of own) parts.push(`FN:${line},${block}`)
    for (const one of own) parts.push(`FNDA:${callsOf(one)},${one.block}`)
    parts.push(`FNF:${own.length}`, `FNH:${own.filter((one) => callsOf(one) > 0).length}`)
    const lines = linesOf(own)
    const outcomes = lines.flatMap((one) => one.outcomes)
    for (const { line, hits, outcomes: all } of lines)
      for (const [i, count] of all.entries()) parts.push(`BRDA:${line},0,${i},${hits === 0 ? '-' : count}`)
    parts.push(`BRF:${outcomes.length}`, `BRH:${outcomes.filter((count) => count > 0).length}`)
    for (const { line, hits } of lines) parts.push(`DA:${line},${hits}`)
    parts.push(`LF:${lines.length}`, `LH:${lines.filter(({ hits }) => hits > 0).length}`, 'end_of_record')
  }
  return parts.length === 0 ? '' : `${parts.join('\n')}\n`
}
