/** Findings as people read them. */
import { counted } from '../../../lib/counted.ts'
import type { Severity } from '../../../plc/diagnostics/diagnostic-code.ts'
import type { PlacedFinding } from '../../../plc/review/check.ts'
import type { Outcome } from '../check/outcome.ts'

/** Signs of a terminal; empty texts where the output is none. */
export interface Colours {
  readonly error: string
  readonly warning: string
  readonly information: string
  readonly dim: string
  readonly end: string
}

export const noColours: Colours = { error: '', warning: '', information: '', dim: '', end: '' }
export const terminalColours: Colours = {
  ...{ error: '\u001b[31m', warning: '\u001b[33m', information: '\u001b[36m', dim: '\u001b[2m', end: '\u001b[0m' },
}

/** Findings of one kind that are shown one by one, and places that are named of more. */
const mostAlike = 3

/**
 * The whole report. More than three findings of one kind are one entry with their count and the first places.
 * @param isWhole whether each finding is shown by itself
 */
export function textOf({ shown, hidden, result, known, failed }: Outcome, colours: Colours, isWhole = false): string {
  const missing = shown.filter(({ code }) => code.startsWith('missing-'))
  const others = shown.filter(({ code }) => !code.startsWith('missing-'))
  const groups = isWhole ? others.map((one) => [one]) : groupsOf(others)
  const lines = groups.flatMap((group) => [
    ...(group.length === 1 ? findingLines(group[0]!, colours) : groupLines(group, colours)),
    '',
  ])
  if (missing.length > 0) {
    lines.push('Not in the folder:')
    for (const { message, hint: _, severity, file, line } of missing)
      lines.push(
        `  ${colours[severity]}${severity}${colours.end} ${message} ${colours.dim}${file}:${line}${colours.end}`,
      )
    lines.push('  Export them into the folder, or list them under "libraries" in gantry.yml.', '')
  }
  for (const { name, files, blocks, compiled, objects } of result.devices)
    lines.push(
      `${name}: ${counted(files, 'file')}, ${counted(objects, 'object')}; ${compiled} of ${counted(blocks, 'block')} compile`,
    )
  const of = (severity: Severity) => [...shown, ...hidden].filter((one) => one.severity === severity).length
  lines.push(
    `${counted(of('error'), 'error')}, ${counted(of('warning'), 'warning')}, ${counted(of('information'), 'piece of information', 'pieces of information')}${hidden.length > 0 ? ` (${hidden.length} not shown: --show information)` : ''}`,
  )
  const grouped = groups.filter(({ length }) => length > 1).length
  if (grouped > 0)
    lines.push(`${counted(grouped, 'kind')} with more than ${mostAlike} findings grouped (each by itself: --all)`)
  if (result.suppressed.length > 0)
    lines.push(`${counted(result.suppressed.length, 'finding')} accepted in the program, with reasons`)
  if (known > 0) lines.push(`${counted(known, 'finding')} of the baseline left out`)
  if (failed)
    lines.push(`${colours.error}failed${colours.end}: there are findings of severity ${result.failOn} or above`)
  return `${lines.join('\n')}\n`
}

/**
 * Findings by kind, in the order of the first of each: those of a rule with one severity. Errors are to be mended one
 * by one, so only those with the same words are alike.
 */
function groupsOf(findings: readonly PlacedFinding[]): PlacedFinding[][] {
  const kinds = new Map<string, PlacedFinding[]>()
  for (const one of findings) {
    const key = `${one.severity} ${one.code} ${one.severity === 'error' ? one.message : ''}`
    const known = kinds.get(key)
    if (known) known.push(one)
    else kinds.set(key, [one])
  }
  const few = new Set([...kinds.values()].filter(({ length }) => length <= mostAlike).flat())
  const first = new Map([...kinds.values()].map((group) => [group[0]!, group]))
  return findings.flatMap((one) => (few.has(one) ? [[one]] : first.has(one) ? [first.get(one)!] : []))
}

/** Count and first places of a kind, then the first finding of it with what would be right. */
function groupLines(group: readonly PlacedFinding[], colours: Colours): string[] {
  const [first] = group
  const { severity, code, message, hint } = first!
  const files = new Set(group.map(({ file }) => file)).size
  const places = group.slice(0, mostAlike).map(({ file, line, column }) => `${file}:${line}:${column}`)
  const count = `${group.length} times${files > 1 ? ` in ${files} files` : ''}`
  const fixes = group.filter(({ fix }) => fix).length
  const mended = fixes === 0 ? '' : fixes === group.length ? ' (--fix does it)' : ` (--fix does ${fixes})`
  const place = placeOf(first!)
  return [
    `${colours[severity]}${severity}${colours.end} ${colours.dim}${code}${colours.end} ${count}: ${places.join(', ')}, …`,
    `  First: ${place === '' ? '' : `${place}: `}${message}`,
    ...(hint === undefined ? [] : [`  ${colours.dim}${hint}${mended}${colours.end}`]),
  ]
}

/** `file:line:column severity code`, where it is, what it is, the line with a mark, and what would be right. */
function findingLines(one: PlacedFinding, colours: Colours): string[] {
  const { file, line, column, severity, code, message, hint, lineText, lineColumn = 1, fix } = one
  const place = placeOf(one)
  return [
    `${file}:${line}:${column} ${colours[severity]}${severity}${colours.end} ${colours.dim}${code}${colours.end}`,
    `  ${place === '' ? '' : `${place}: `}${message}`,
    ...(lineText === undefined || lineColumn > lineText.length + 1
      ? []
      : [`    ${lineText}`, `    ${lineText.slice(0, lineColumn - 1).replace(/[^\t]/g, ' ')}^`]),
    ...(hint === undefined ? [] : [`  ${colours.dim}${hint}${fix ? ' (--fix does it)' : ''}${colours.end}`]),
  ]
}

/** `"Main", network 3, element 25`. */
export function placeOf({ object, network, uId, element, member, device }: PlacedFinding): string {
  return [
    device ?? '',
    object === undefined ? '' : `"${object}"`,
    network === undefined ? '' : `network ${network}`,
    element ?? '',
    uId === undefined ? '' : `element ${uId}`,
    member ?? '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
