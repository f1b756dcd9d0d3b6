/** `gantry test`. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CliTools } from '../../core/index.ts'
import { defined } from '../../lib/optional.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import {
  callGateway,
  folderPlugins,
  isRemote,
  localFiles,
  type NamedFormats,
  outputFormat,
  type ReportBase,
  reportBase,
} from '../review/index.ts'
import { changedSince, GitError } from './changed.ts'
import { coberturaOf } from './output/cobertura.ts'
import { htmlOf } from './output/html.ts'
import { junitOf } from './output/junit.ts'
import { lcovOf } from './output/lcov.ts'
import { tapOf } from './output/tap.ts'
import { caseText, coverageText, summaryText } from './output/text.ts'
import type { Selection } from './prepare.ts'
import { runFolder, type TestRun } from './run.task.ts'
import { readTestContent, type TestContent } from './test-content.ts'

/** Part of the public API, see the help of the command. */
const codes = { passed: 0, failed: 1, usage: 2, unreadable: 3 } as const
const formats = ['text', 'junit', 'json', 'tap', 'html'] as const
const reportNames: NamedFormats<(typeof formats)[number]> = [
  [/\.xml$/i, ['junit']],
  [/\.json$/i, ['json']],
  [/\.tap$/i, ['tap']],
  [/\.html?$/i, ['html']],
]
type Raw = Readonly<Record<string, unknown>>

/** @returns the exit code */
export async function runTest(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const format = outputFormat(raw, formats, reportNames, { tools, usage: codes.usage })
  const out = raw.out as string | undefined
  const root = resolve(given ?? '.')
  const base = await reportBase(root)
  if (isRemote(raw)) {
    const run = await remote(given ?? '.', raw, tools)
    return finish(run, { format, out, base, isTold: toldBy(raw) }, tools)
  }
  const content = await read(given ?? '.', raw.plugins !== false, tools)
  const jobs = raw.jobs === undefined ? availableParallelism() : Number(raw.jobs)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 256)
    return tools.fail('--jobs is a number from 1 to 256.', codes.usage)
  const selection = await selectionOf(root, raw, tools)
  const source = raw.generate as string | undefined
  if (source !== undefined) {
    const inputs = raw.inputs as readonly string[] | undefined
    const options = { source, folder: root, inputs, isForced: raw.force === true }
    return (await import('./generate-command.ts')).runGenerate(content, options, tools)
  }
  if (raw.mutate === true) {
    if (format !== 'text' && format !== 'json') return tools.fail('--mutate has --format text or json.', codes.usage)
    return (await import('./mutate-command.ts')).runMutate(content, selection, { format, out }, tools)
  }
  const reports = coverageReports(raw)
  const isTold = toldBy(raw)
  // With a report in a file, or a report for machines, progress goes where it does not mix with it.
  const isShown = format === 'text' && out === undefined
  const texts: string[] = []
  let shown = Promise.resolve()
  const coverage =
    raw.coverageHtml !== undefined ? 'page' : reports.length > 0 || raw.coverage === true ? 'data' : undefined
  const run = await runFolder({ content, selection, jobs, ...defined({ coverage }) }, (result) => {
    if (!isTold(result)) return
    const text = caseText(result)
    texts.push(text)
    if (isShown) shown = shown.then(() => tools.print(text))
    else tools.note(text.trimEnd())
  })
  await shown
  for (const note of run.notes) tools.note(note)
  const summary = summaryText(run) + (run.coverage ? coverageText(run.coverage) : '')
  for (const { file, write } of reports) await tools.print(write(run, base), file)
  if (isShown) await tools.print(summary)
  else {
    tools.note(summary.trimEnd())
    await tools.print(reportOf(format, run, base, [...texts, summary].join('')), out)
  }
  return codeOf(run)
}

/** Which cases the text lists: all with --verbose, else those that did not pass. */
function toldBy({ verbose }: Raw): (result: CaseResult) => boolean {
  return ({ status }) => verbose === true || status !== 'passed'
}

/** Options of what only this process does. */
const localOptions = ['changedSince', 'jobs', 'mutate', 'generate', 'inputs', 'force', 'coverage'] as const

/** The gateway reads its workspace, and runs the tests. */
async function remote(path: string, raw: Raw, tools: CliTools): Promise<TestRun> {
  const given = Object.keys(raw).find((name) => localOptions.some((one) => name.startsWith(one)))
  if (given !== undefined) {
    const option = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    tools.fail(`--${option} works here; leave out --url and GANTRY_URL.`, codes.usage)
  }
  const [names, tags] = [raw.name, raw.tag] as (readonly string[] | undefined)[]
  const input = { path, ...defined({ names, tags }), limit: 100_000 }
  type Answer = TestRun & { readonly counts: { readonly notSelected: number } }
  const answer = await callGateway<Answer>(tools, 'plc-tests.run', input, () => codes.unreadable)
  const { results, faults, notes, counts } = answer
  return { results, faults, notes, skipped: counts.notSelected }
}

interface Form {
  readonly format: (typeof formats)[number]
  readonly out: string | undefined
  readonly base: ReportBase
  readonly isTold: (result: CaseResult) => boolean
}

/** Reports a run of the gateway. */
async function finish(run: TestRun, { format, out, base, isTold }: Form, tools: CliTools): Promise<number> {
  for (const note of run.notes) tools.note(note)
  await tools.print(
    reportOf(format, run, base, run.results.filter(isTold).map(caseText).join('') + summaryText(run)),
    out,
  )
  return codeOf(run)
}

/** A run without any test has not passed. */
function codeOf({ faults, results }: TestRun): number {
  const ran = results.filter(({ status }) => status !== 'skipped')
  if (faults.length > 0 || ran.length === 0) return codes.usage
  return ran.every(({ status }) => status === 'passed') ? codes.passed : codes.failed
}

function reportOf(format: Form['format'], run: TestRun, base: ReportBase, text: string): string {
  if (format === 'junit') return junitOf(inRepository(run, base))
  if (format === 'tap') return tapOf(inRepository(run, base))
  if (format === 'html') return htmlOf(run)
  return format === 'json' ? `${JSON.stringify({ ...run, coveragePage: undefined }, null, 2)}\n` : text
}

/** Services name files from the root of the repository; people and programs that gave the folder name them from it. */
function inRepository(run: TestRun, { prefix }: ReportBase): TestRun {
  const placed = <T extends { readonly file: string }>(one: T): T => ({ ...one, file: prefix + one.file })
  const { results, faults, coverage } = run
  return {
    ...run,
    ...{ results: results.map(placed), faults: faults.map(placed) },
    ...defined({ coverage: coverage?.map(placed) }),
  }
}

interface CoverageReport {
  readonly file: string
  readonly write: (run: TestRun, base: ReportBase) => string
}

function coverageReports(raw: Raw): CoverageReport[] {
  const report = (name: string, write: CoverageReport['write']): CoverageReport[] =>
    typeof raw[name] === 'string' ? [{ file: raw[name], write }] : []
  return [
    ...report('coverageHtml', ({ coveragePage = '' }) => coveragePage),
    ...report('coverageLcov', (run, base) => lcovOf(inRepository(run, base).coverage ?? [])),
    ...report('coverageCobertura', (run, base) =>
      coberturaOf(inRepository(run, base).coverage ?? [], Date.now(), base.uri && fileURLToPath(base.uri)),
    ),
  ]
}

async function selectionOf(root: string, raw: Raw, tools: CliTools): Promise<Selection> {
  const ref = raw.changedSince as string | undefined
  const changed =
    ref === undefined
      ? undefined
      : await changedSince(root, ref).catch((error: Error) => {
          if (!(error instanceof GitError)) throw error
          return tools.fail(`--changed-since ${ref}: ${error.message}`, codes.usage)
        })
  const [names, tags] = [raw.name, raw.tag] as (readonly string[] | undefined)[]
  return defined({ names, tags, changed })
}

async function read(path: string, withPlugins: boolean, tools: CliTools): Promise<TestContent> {
  const root = resolve(path)
  const access = await localFiles()
  const info = await access.stat(root)
  if (!info?.isDirectory) return tools.fail(`There is no folder ${root}.`, codes.unreadable)
  const { configuredPlugins, pluginsOfFolder } = await folderPlugins()
  const { faults, formats } = withPlugins ? await pluginsOfFolder(root) : await configuredPlugins(undefined, root)
  if (faults.length > 0)
    return tools.fail(
      faults.map(({ line, column, message }) => `gantry.yml:${line}:${column}: ${message}`).join('\n'),
      codes.usage,
    )
  try {
    return await readTestContent(access, root, formats)
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException
    if (name === 'FolderError' || code === 'EACCES' || code === 'EPERM') return tools.fail(message, codes.unreadable)
    throw error
  }
}
