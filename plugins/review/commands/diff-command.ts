/** `gantry diff`. */
import type { CliTools } from '../../../core/index.ts'
import { defined } from '../../../lib/optional.ts'
import { outputFormat } from '../check/output-format.ts'
import { type DiffAnswer, diffOf } from '../compare/diff.task.ts'
import { differs, type ProgramDiff, readSide } from '../compare/diff.ts'
import { callGateway, isRemote } from './remote.ts'

const codes = { same: 0, differs: 1, usage: 2, unreadable: 3 } as const
const formats = ['text', 'json', 'html'] as const
const reportNames = [
  [/\.html?$/i, ['html']],
  [/\.json$/i, ['json']],
] as const

/** @returns the exit code */
export async function runDiff(
  [a, b]: readonly (string | undefined)[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const format = outputFormat(raw, formats, reportNames, { tools, usage: codes.usage })
  const { diff, text } = isRemote(raw) ? await remote([a!, b!], format, tools) : await local([a!, b!], format, tools)
  await tools.print(text ?? `${JSON.stringify(diff, null, 2)}\n`, raw.out as string | undefined)
  if (differs(diff)) return codes.differs
  // What could not be read may differ.
  return diff.unread.length > 0 ? codes.unreadable : codes.same
}

type Format = (typeof formats)[number]
type Sides = readonly [left: string, right: string]

/** Compares in this process. */
async function local([a, b]: Sides, format: Format, tools: CliTools): Promise<DiffAnswer> {
  const read = async (text: string) => {
    try {
      return await readSide(text, process.cwd())
    } catch (error) {
      const { name, message } = error as Error
      if (name === 'FolderError' || name === 'GatewayError') return tools.fail(`${text}: ${message}`, codes.unreadable)
      throw error
    }
  }
  return diffOf({ left: await read(a), right: await read(b), names: { left: a, right: b }, format, culture: 'en-US' })
}

/** The gateway compares. */
async function remote([left, right]: Sides, format: Format, tools: CliTools): Promise<DiffAnswer> {
  const input = { left, right, format, mostObjects: 100_000 }
  const found = await callGateway<RemoteDiff>(tools, 'review.diff', input, () => codes.unreadable)
  const { text, objects, counts, unread } = found
  return { diff: { objects, same: counts.same, unread }, ...defined({ text }) }
}

/** What is needed of the answer of `review.diff`. */
interface RemoteDiff extends Pick<ProgramDiff, 'objects' | 'unread'>, Pick<DiffAnswer, 'text'> {
  readonly counts: { readonly same: number }
}
