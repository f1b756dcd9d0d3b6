/** `gantry diff`. */
import { diffLines } from 'diff'
import type { CliTools } from '../../core/index.ts'
import { type ChangedObject, diffContents, type ObjectChange, type ProgramDiff, readSide } from './diff.ts'

const codes = { same: 0, differs: 1, usage: 2, unreadable: 3 } as const
const formats = ['text', 'json', 'html'] as const

/** @returns the exit code */
export async function runDiff(
  [a, b]: readonly (string | undefined)[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const format = formats.find((one) => one === (raw.format ?? 'text'))
  if (!format) return tools.fail(`--format is one of ${formats.join(', ')}.`, codes.usage)
  const read = async (text: string) => {
    try {
      return await readSide(text, process.cwd())
    } catch (error) {
      const { name, message } = error as Error
      if (name === 'FolderError' || name === 'GatewayError') return tools.fail(`${text}: ${message}`, codes.unreadable)
      throw error
    }
  }
  const compared = await diffContents(await read(a!), await read(b!), 'en-US')
  const { diff } = compared
  const text =
    format === 'json'
      ? `${JSON.stringify(diff, null, 2)}\n`
      : format === 'html'
        ? (await import('./diff-html.ts')).diffHtml(compared, { left: a!, right: b!, culture: 'en-US' })
        : diffText(diff)
  await tools.print(text, raw.out as string | undefined)
  return diff.objects.length > 0 ? codes.differs : codes.same
}

/** The report as people read it. */
export function diffText({ objects, same, unread }: ProgramDiff): string {
  const lines = unread.map(
    ({ side, file, line, column, message }) => `cannot be read (${side}): ${file}:${line}:${column} ${message}`,
  )
  if (unread.length > 0) lines.push('')
  for (const one of objects) lines.push(...objectLines(one), '')
  const count = (change: ChangedObject['change']) => objects.filter((one) => one.change === change).length
  lines.push(`${count('added')} added, ${count('removed')} removed, ${count('changed')} changed, ${same} the same`)
  return `${lines.join('\n')}\n`
}

const signs = { added: '+', removed: '-', changed: '~' } as const

function objectLines({ name, kind, change, leftFile, rightFile, differences }: ChangedObject): string[] {
  const file = rightFile ?? leftFile
  return [
    `${signs[change]} ${kind} "${name}"${file === undefined ? '' : ` (${file})`}`,
    ...differences.flatMap((one) => changeLines(one).map((line) => `    ${line}`)),
  ]
}

function changeLines({ aspect, path, change, left, right }: ObjectChange): string[] {
  const head = `${path}: ${aspect === 'code' ? '' : `${aspect} `}${change}`
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
