/** Findings of old code that are known: a check fails for new ones only. */

import { createHash } from 'node:crypto'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { isObject } from '../../../lib/is-object.ts'
import type { PlacedFinding } from '../../../plc/review/check.ts'

/** How often each finding is known. */
export type Baseline = ReadonlyMap<string, number>

/**
 * What names a finding across changes of the program around it: rule, object, member and words, but no line. Findings
 * that are alike have the same one.
 */
export function fingerprintOf({ code, file, object, kind, member, message, lineText }: PlacedFinding): string {
  const words = message.replace(/\d+/g, '#')
  const place = object === undefined ? file : `${kind} ${object.toLowerCase()}`
  const text = [code, place, member ?? '', words, (lineText ?? '').replace(/\s+/g, '')].join('\0')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The text of a baseline file. */
export function writeBaseline(findings: readonly PlacedFinding[]): string {
  const counts = new Map<string, { code: string; object: string; count: number }>()
  for (const finding of findings) {
    const key = fingerprintOf(finding)
    const known = counts.get(key)
    if (known) known.count++
    else counts.set(key, { code: finding.code, object: finding.object ?? finding.file, count: 1 })
  }
  const entries = [...counts].sort(([, a], [, b]) => compareTexts(a.object, b.object) || compareTexts(a.code, b.code))
  return `${JSON.stringify({ version: 1, findings: entries.map(([fingerprint, one]) => ({ fingerprint, ...one })) }, null, 1)}\n`
}

/** @throws Error that says what is wrong with the file */
export function readBaseline(text: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`it is not JSON (${(error as Error).message})`)
  }
  const rows = isObject(value) && value.version === 1 ? value.findings : undefined
  if (!Array.isArray(rows)) throw new Error('it is not a baseline that "gantry check --write-baseline" has written')
  return new Map(
    rows.map((row: unknown) => {
      const { fingerprint, count } = isObject(row) ? row : {}
      if (typeof fingerprint !== 'string' || typeof count !== 'number')
        throw new Error('a row has no fingerprint or count')
      return [fingerprint, count]
    }),
  )
}

/** Divides findings into new ones and known ones. */
export function divide(
  findings: readonly PlacedFinding[],
  baseline: Baseline,
): { fresh: PlacedFinding[]; known: number } {
  const left = new Map(baseline)
  const fresh = findings.filter((one) => {
    const key = fingerprintOf(one)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0
  })
  return { fresh, known: findings.length - fresh.length }
}
