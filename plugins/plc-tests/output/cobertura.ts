/** Coverage as Cobertura XML: https://cobertura.sourceforge.net/xml/coverage-04.dtd. A class is a block. */
import { posix } from 'node:path'
import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import { byFile, type CoveredBlock, type CoveredLine, linesOf } from '../coverage.ts'

const rate = (covered: number, all: number) => (all === 0 ? 1 : covered / all).toFixed(4)

interface Counts {
  readonly lines: number
  readonly hit: number
  readonly outcomes: number
  readonly taken: number
}

function countsOf(lines: readonly CoveredLine[]): Counts {
  const outcomes = lines.flatMap((one) => one.outcomes)
  return {
    lines: lines.length,
    hit: lines.filter(({ hits }) => hits > 0).length,
    outcomes: outcomes.length,
    taken: outcomes.filter((count) => count > 0).length,
  }
}

function rates({ lines, hit, outcomes, taken }: Counts): string {
  return `line-rate="${rate(hit, lines)}" branch-rate="${rate(taken, outcomes)}" complexity="0"`
}

/**
 * @param timestamp milliseconds since 1970
 * @param source the folder that file names count from; `.`: the root of the repository
 */
export function coberturaOf(blocks: readonly CoveredBlock[], timestamp: number, source = '.'): string {
  const all = [...byFile(blocks).values()].flatMap(linesOf)
  const total = countsOf(all)
  const packages = new Map<string, CoveredBlock[]>()
  for (const one of blocks) {
    const folder = posix.dirname(one.file)
    packages.set(folder, [...(packages.get(folder) ?? []), one])
  }
  const body = [...packages].map(([folder, own]) => {
    const counts = countsOf([...byFile(own).values()].flatMap(linesOf))
    return `    <package name="${escapeAttribute(folder)}" ${rates(counts)}>\n      <classes>\n${own.map(classOf).join('')}      </classes>\n    </package>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="${rate(total.hit, total.lines)}" branch-rate="${rate(total.taken, total.outcomes)}" lines-covered="${total.hit}" lines-valid="${total.lines}" branches-covered="${total.taken}" branches-valid="${total.outcomes}" complexity="0" version="1" timestamp="${timestamp}">
  <sources>
    <source>${escapeText(source)}</source>
  </sources>
  <packages>
${body.join('')}  </packages>
</coverage>
`
}

function classOf(block: CoveredBlock): string {
  const lines = linesOf([block])
  return `        <class name="${escapeAttribute(block.block)}" filename="${escapeAttribute(block.file)}" ${rates(countsOf(lines))}>\n          <methods/>\n          <lines>\n${lines.map(lineOf).join('')}          </lines>\n        </class>\n`
}

function lineOf({ line, hits, outcomes }: CoveredLine): string {
  const taken = outcomes.filter((count) => count > 0).length
  const share =
    outcomes.length === 0
      ? ''
      : ` condition-coverage="${Math.round((100 * taken) / outcomes.length)}% (${taken}/${outcomes.length})"`
  return `            <line number="${line}" hits="${hits}" branch="${outcomes.length > 0}"${share}/>\n`
}
