/** What tests ran of a program, with the places in its files. */

import type { ProbeKind, ProbePoint } from '../../plc/program/probes.ts'
import type { BlockCoverage } from '../../plc/program-tests/coverage.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'

/** A place with how often each outcome was reached; plain data. */
export interface CoveredPoint extends Omit<ProbePoint, 'bytes'> {
  readonly fileLine: number
  readonly fileColumn: number
  /** Cases that reached each outcome: TRUE or taken first. */
  readonly hits: readonly number[]
}

export interface CoveredBlock {
  readonly block: string
  readonly kind: string
  readonly language: string
  readonly file: string
  /** Of the block in the file. */
  readonly line: number
  readonly points: readonly CoveredPoint[]
}

/** Covered and all outcomes. */
export interface Share {
  readonly covered: number
  readonly all: number
}

export interface CoverageTotals {
  /** Statements of texts, networks, boxes, actions of steps. */
  readonly statements: Share
  /** Ways of IF, CASE and loops. */
  readonly branches: Share
  /** TRUE and FALSE of contacts, comparisons and gates; steps and transitions. */
  readonly conditions: Share
}

const groups: Readonly<Record<ProbeKind, keyof CoverageTotals>> = {
  statement: 'statements',
  box: 'statements',
  branch: 'branches',
  loop: 'branches',
  condition: 'conditions',
  step: 'conditions',
  transition: 'conditions',
}

/** Blocks in the order of their files. */
export function placedCoverage(coverage: readonly BlockCoverage[], objects: readonly PlacedObject[]): CoveredBlock[] {
  const byName = new Map(objects.map((one) => [one.object.name, one]))
  const blocks = coverage.flatMap(({ block, points, hits }): CoveredBlock[] => {
    const found = byName.get(block)
    if (!found) return []
    const { object, file, placeOf } = found
    return [
      {
        ...{ block, kind: object.kind, language: object.language, file, line: placeOf({}).line },
        points: points.map(({ bytes, ...point }) => {
          const { line, column } = placeOf(point)
          return { ...point, fileLine: line, fileColumn: column, hits: bytes.map((byte) => hits[byte] ?? 0) }
        }),
      },
    ]
  })
  return blocks.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

export function totalsOf(blocks: readonly Pick<CoveredBlock, 'points'>[]): CoverageTotals {
  type Totals = Record<keyof CoverageTotals, [number, number]>
  const totals: Totals = { statements: [0, 0], branches: [0, 0], conditions: [0, 0] }
  for (const { points } of blocks)
    for (const { kind, hits } of points) {
      const total = totals[groups[kind]]
      total[0] += hits.filter((count) => count > 0).length
      total[1] += hits.length
    }
  const share = ([covered, all]: readonly [number, number]): Share => ({ covered, all })
  return {
    statements: share(totals.statements),
    branches: share(totals.branches),
    conditions: share(totals.conditions),
  }
}

/** A share between 0 and 1; of nothing all is covered. */
export function rateOf({ covered, all }: Share): number {
  return all === 0 ? 1 : covered / all
}

/** Lines of a file with their hits, and the outcomes on each. */
export interface CoveredLine {
  readonly line: number
  hits: number
  readonly outcomes: number[]
}

/** The lines of blocks, by line; several places of one line are one. */
export function linesOf(blocks: readonly CoveredBlock[]): CoveredLine[] {
  const lines = new Map<number, CoveredLine>()
  for (const { points } of blocks)
    for (const { kind, fileLine, hits } of points) {
      const known = lines.get(fileLine) ?? { line: fileLine, hits: 0, outcomes: [] }
      lines.set(fileLine, known)
      known.hits = Math.max(known.hits, ...hits)
      if (kind === 'branch' || kind === 'loop' || kind === 'condition') known.outcomes.push(...hits)
    }
  return [...lines.values()].sort((a, b) => a.line - b.line)
}

/** Blocks by their file. */
export function byFile(blocks: readonly CoveredBlock[]): Map<string, CoveredBlock[]> {
  const files = new Map<string, CoveredBlock[]>()
  for (const one of blocks) {
    const list = files.get(one.file)
    if (list) list.push(one)
    else files.set(one.file, [one])
  }
  return files
}

/** How often a block was called: its first statement or network. */
export function callsOf({ points }: CoveredBlock): number {
  return Math.max(0, ...points.map(({ hits }) => Math.max(...hits)))
}
