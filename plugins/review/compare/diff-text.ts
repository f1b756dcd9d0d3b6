/** A compare as text. */
import { diffLines } from 'diff'
import { counted } from '../../../lib/counted.ts'
import type { ChangedObject, ObjectChange, ProgramDiff } from './diff.ts'

/** What a report says of objects that a limit leaves out; undefined: of none. */
export function omittedText(all: number, mostObjects: number): string | undefined {
  return all > mostObjects ? `${all - mostObjects} more objects differ and are not shown.` : undefined
}

/** What a report says of differences of one object that its list has no room for; undefined: of none. */
export function moreText({ more }: ChangedObject): string | undefined {
  return more === undefined ? undefined : `and ${counted(more, 'more difference')}`
}

/** `0 added, 1 removed, 2 changed, 5 the same`, and how many are only written differently. */
export function countsText(objects: readonly ChangedObject[], same: number): string {
  const count = (change: ChangedObject['change']) => objects.filter((one) => one.change === change).length
  const written = count('written') === 0 ? '' : `${count('written')} written differently, `
  return `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed, ${written}${same} the same`
}

/**
 * The report as people read it.
 * @param mostObjects so many objects; the others are counted. Default: all
 */
export function diffText({ objects, same, unread }: ProgramDiff, mostObjects = objects.length): string {
  const lines = unread.map(
    ({ side, file, line, column, message }) => `cannot be read (${side}): ${file}:${line}:${column} ${message}`,
  )
  if (unread.length > 0) lines.push('')
  for (const one of objects.slice(0, mostObjects)) lines.push(...objectLines(one), '')
  const omitted = omittedText(objects.length, mostObjects)
  if (omitted !== undefined) lines.push(omitted)
  lines.push(countsText(objects, same))
  return `${lines.join('\n')}\n`
}

const signs = { added: '+', removed: '-', changed: '~', written: '=' } as const

function objectLines(object: ChangedObject): string[] {
  const { name, kind, change, device, leftFile, rightFile, differences } = object
  const file = rightFile ?? leftFile
  const more = moreText(object)
  return [
    `${signs[change]} ${kind} "${name}"${device === undefined ? '' : ` of ${device}`}${file === undefined ? '' : ` (${file})`}${change === 'written' ? ': the same, written differently' : ''}`,
    ...differences.flatMap((one) => changeLines(one).map((line) => `    ${line}`)),
    ...(more === undefined ? [] : [`    ${more}`]),
  ]
}

function changeLines({ aspect, path, change, left, right }: ObjectChange): string[] {
  const what = aspect === 'text' ? 'written differently' : `${aspect === 'code' ? '' : `${aspect} `}${change}`
  const head = `${path}: ${what}`
  if (left !== undefined && right !== undefined && (left.includes('\n') || right.includes('\n'))) {
    const parts = diffLines(`${left}\n`, `${right}\n`)
    return [head, ...parts.flatMap(({ value, added, removed }) => marked(value, added ? '+' : removed ? '-' : ' '))]
  }
  return [head, ...(left === undefined ? [] : marked(left, '-')), ...(right === undefined ? [] : marked(right, '+'))]
}

function marked(text: string, sign: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `  ${sign} ${line}`)
}
