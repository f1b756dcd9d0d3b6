/** `gantry diff`. */
import type { CliTools } from '../../core/index.ts'
import { diffOf } from './diff.task.ts'
import { readSide } from './diff.ts'

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
  const { diff, text } = await diffOf({
    ...{ left: await read(a!), right: await read(b!), names: { left: a!, right: b! } },
    ...{ format, culture: 'en-US' },
  })
  await tools.print(text ?? `${JSON.stringify(diff, null, 2)}\n`, raw.out as string | undefined)
  return diff.objects.length > 0 ? codes.differs : codes.same
}
