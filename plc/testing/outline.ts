/** Values, and differences between texts, as lines that people can read and check. */

import { shortened } from '../../lib/shortened.ts'

const widest = 110

/**
 * A value as indented lines to read: what fits is on one line, what is empty is left out.
 *
 * @param hidden names of properties that are not shown
 */
export function outline(value: unknown, hidden: readonly string[] = []): string[] {
  const lines: string[] = []
  const put = (label: string, part: unknown, indent: string): void => {
    const whole = inline(part, hidden)
    if (whole === '' || isPlain(part) || `${indent}${label}${whole}`.length <= widest) {
      if (whole !== '') lines.push(`${indent}${label}${whole}`)
      return
    }
    if (Array.isArray(part)) {
      if (label !== '') lines.push(`${indent}${label.trimEnd()}`)
      for (const item of part) put('- ', item, label === '' ? indent : `${indent}  `)
      return
    }
    const entries = Object.entries(part as object).filter(([name]) => !hidden.includes(name))
    const short = entries.filter(([, inner]) => isPlain(inner)).map(([name, inner]) => `${name} ${plain(inner)}`)
    const head = `${label}${short.join(', ')}`.trimEnd()
    if (head !== '') lines.push(`${indent}${head}`)
    const inside = head === '' ? indent : `${indent}  `
    for (const [name, inner] of entries) if (!isPlain(inner)) put(`${name}: `, inner, inside)
  }
  put('', value, '')
  return lines
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function plain(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  return /^[\w#%.:@+-]+$/.test(value) ? value : JSON.stringify(value)
}

function inline(value: unknown, hidden: readonly string[]): string {
  if (isPlain(value)) return value === undefined ? '' : plain(value)
  if (Array.isArray(value)) return value.length === 0 ? '' : `[${value.map((item) => inline(item, hidden)).join(', ')}]`
  const entries = Object.entries(value as object)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, inner]) => [name, inline(inner, hidden)])
    .filter(([, text]) => text !== '')
  return entries.length === 0 ? '' : `{${entries.map(([name, text]) => `${name} ${text}`).join(', ')}}`
}

/**
 * What differs between two texts: as many lines left out as come in are shown as what changes in them, others with `- `
 * and `+ `; at most so many of each.
 */
export function changedLines(before: readonly string[], after: readonly string[], most = 3): string[] {
  const [out, come] = [linesOnlyIn(before, after), linesOnlyIn(after, before)]
  const shown =
    out.length === come.length
      ? out.map((line, i) => change(line.trim(), come[i]?.trim() ?? ''))
      : [...out.map((line) => `- ${beginning(line)}`), ...come.map((line) => `+ ${beginning(line)}`)]
  return shown.length > 2 * most ? [...shown.slice(0, 2 * most), `… ${shown.length - 2 * most} more`] : shown
}

function beginning(line: string): string {
  return shortened(line.trim(), 44)
}

function linesOnlyIn(these: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return these.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

/** The words that differ, with the ones around them. */
function change(before: string, after: string): string {
  const [a, b] = [before.split(' '), after.split(' ')]
  let first = 0
  while (first < a.length && first < b.length && a[first] === b[first]) first++
  let last = 0
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last++
  first = Math.max(0, first - 1)
  const words = (all: readonly string[]) => all.slice(first, all.length - last).join(' ')
  return `${words(a)} → ${words(b)}`
}
