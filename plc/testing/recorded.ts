/**
 * Compares whole answers with a recorded file. `UPDATE_SNAPSHOTS=1` writes the file again; then read the difference.
 */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shortened } from '../../lib/shortened.ts'

/** The path of a file in the sources, also when the test that names it runs compiled. */
export function inSources(file: URL): string {
  return fileURLToPath(file).replace(/([\\/])dist-(?:test|mutate-\d+)\1/, '$1')
}

/** A file of the folder `fixtures` beside a test. */
function fixture(test: string, name: string): string {
  return inSources(new URL(`fixtures/${name}`, test))
}

/** Reads an input. @param test `import.meta.url` of the test */
export function fixtureText(test: string, name: string): string {
  return readFileSync(fixture(test, name), 'utf8')
}

/** @param test `import.meta.url` of the test */
export function assertRecorded(test: string, name: string, text: string): void {
  const path = fixture(test, name)
  if (process.env.UPDATE_SNAPSHOTS) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  assert.equal(text, readFileSync(path, 'utf8'), `${name} is another: look at the difference, then UPDATE_SNAPSHOTS=1`)
}

const widest = 110

/**
 * A value as indented lines to read: what fits stands on one line, what is empty is left out.
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
