/** `gantry test`. */
import { resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { defined } from '../../lib/optional.ts'
import { localFiles } from '../review/index.ts'
import { junitOf } from './output/junit.ts'
import { tapOf } from './output/tap.ts'
import { caseText, summaryText } from './output/text.ts'
import { runFolder, type TestRun } from './run.task.ts'
import { readTestContent, type TestContent } from './test-content.ts'

/** Part of the public API, see the help of the command. */
const codes = { passed: 0, failed: 1, usage: 2, unreadable: 3 } as const
const formats = ['text', 'junit', 'json', 'tap'] as const
type Raw = Readonly<Record<string, unknown>>

/** @returns the exit code */
export async function runTest(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const format = formats.find((one) => one === (raw.format ?? 'text'))
  if (format === undefined) return tools.fail(`--format is one of ${formats.join(', ')}.`, codes.usage)
  const out = raw.out as string | undefined
  const content = await read(given ?? '.', tools)
  const selection = {
    ...defined({ names: raw.name as readonly string[] | undefined, tags: raw.tag as readonly string[] | undefined }),
  }
  // With a report in a file, or a report for machines, progress goes where it does not mix with it.
  const isShown = format === 'text' && out === undefined
  const texts: string[] = []
  let shown = Promise.resolve()
  const run = await runFolder({ content, selection }, (result) => {
    const text = caseText(result)
    texts.push(text)
    if (isShown) shown = shown.then(() => tools.print(text))
    else tools.note(text.trimEnd())
  })
  await shown
  for (const note of run.notes) tools.note(note)
  const summary = summaryText(run)
  if (isShown) await tools.print(summary)
  else {
    tools.note(summary.trimEnd())
    await tools.print(reportOf(format, run, [...texts, summary].join('')), out)
  }
  if (run.faults.length > 0) return codes.usage
  if (run.results.length === 0) {
    tools.note(nothing(run, content))
    return codes.usage
  }
  return run.results.every(({ status }) => status === 'passed') ? codes.passed : codes.failed
}

function reportOf(format: (typeof formats)[number], run: TestRun, text: string): string {
  if (format === 'junit') return junitOf(run)
  if (format === 'tap') return tapOf(run)
  return format === 'json' ? `${JSON.stringify(run, null, 2)}\n` : text
}

function nothing({ skipped }: TestRun, { files }: TestContent): string {
  return files.length === 0
    ? 'There are no tests: no file *.test.yml in the folder.'
    : `No case has that name and tag; ${skipped} have others.`
}

async function read(path: string, tools: CliTools): Promise<TestContent> {
  const root = resolve(path)
  const access = await localFiles()
  const info = await access.stat(root)
  if (!info?.isDirectory) return tools.fail(`There is no folder ${root}.`, codes.unreadable)
  try {
    return await readTestContent(access, root)
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException
    if (name === 'FolderError' || code === 'EACCES' || code === 'EPERM') return tools.fail(message, codes.unreadable)
    throw error
  }
}
