/**
 * What each operation on a controller needs of the access level of its CPU. This is the only list: the checks, the page
 * of the manual, the answer of `security.access-matrix` and the test are made from it
 * (docs/plc-semantics.md#protection).
 */
import { type CpuAccessLevel, cpuAccessLevels, includesLevel, s7Rights } from '../simulation/index.ts'

/** By operation. `none`: identification, which every CPU gives. */
export const cpuRights = {
  'online.get-status': 'none',
  'online.get-cpu-status': 'none',
  'online.disconnect': 'none',
  'online.list-cpu-services': 'none',
  'online.connect': 'hmi',
  'online.read-watch-table': 'hmi',
  'online.follow-watch-table': 'hmi',
  'online.get-modifying': 'hmi',
  'online.read-force-table': 'hmi',
  'online.follow-force-table': 'hmi',
  'online.list-forces': 'hmi',
  'online.network-values': 'hmi',
  'online.follow-networks': 'hmi',
  'online.explain-value': 'hmi',
  'online.upload': 'read',
  'online.compare': 'read',
  'online.snapshot-actual-values': 'read',
  'online.download': 'full',
  'simulation.start': 'full',
  'online.start-cpu': 'full',
  'online.stop-cpu': 'full',
  'online.load-start-values': 'full',
  'online.modify-watch-table': 'full',
  'online.start-modifying': 'full',
  'online.stop-modifying': 'full',
  'online.start-forcing': 'full',
  'online.replace-forces': 'full',
  'online.stop-forcing': 'full',
} as const satisfies Record<string, CpuAccessLevel>
/** An operation that a CPU protects. */
export type ProtectedOperation = keyof typeof cpuRights

/** Names of the levels, as TIA Portal has them. */
export const levelTitles: Readonly<Record<CpuAccessLevel, string>> = {
  full: 'Full access (no protection)',
  read: 'Read access',
  hmi: 'HMI access',
  none: 'No access (complete protection)',
}

/** One row of the table. */
export interface MatrixRow {
  readonly what: string
  readonly kind: 'operation' | 's7'
  readonly needs: CpuAccessLevel
}

export const matrixRows: readonly MatrixRow[] = [
  ...Object.entries(cpuRights).map(([what, needs]) => ({ what, kind: 'operation' as const, needs })),
  ...Object.entries(s7Rights).map(([what, needs]) => ({ what, kind: 's7' as const, needs })),
]

/** The levels that allow a row. */
export function allowedAt({ needs }: Pick<MatrixRow, 'needs'>): readonly CpuAccessLevel[] {
  return cpuAccessLevels.filter((level) => includesLevel(level, needs))
}

/** The table as Markdown. */
export function matrixTable(): string {
  const head = ['', ...cpuAccessLevels]
  const lines = matrixRows.map((row) => {
    const allowed = new Set<CpuAccessLevel>(allowedAt(row))
    const what = row.kind === 'operation' ? `\`${row.what}\`` : `S7: ${row.what}`
    return [what, ...cpuAccessLevels.map((level) => (allowed.has(level) ? 'yes' : 'password'))]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
