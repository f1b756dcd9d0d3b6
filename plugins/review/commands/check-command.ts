/** `gantry check`. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { CliTools } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import { defined } from '../../../lib/optional.ts'
import type { PlacedFinding } from '../../../plc/review/check.ts'
import type { CheckResult } from '../check/check.ts'
import { type Outcome, outcomeOf } from '../check/outcome.ts'
import { type NamedFormats, outputFormat } from '../check/output-format.ts'
import { reportBase } from '../check/report-base.ts'
import { noPlugins } from '../folder/added-by-plugins.ts'
import { type Chosen, chosenPaths } from '../folder/chosen-paths.ts'
import { configName, FolderError, readFolderContent } from '../folder/folder.ts'
import { configuredPlugins, pluginsOfFolder } from '../folder/folder-plugins.ts'
import { localFiles } from '../folder/local-files.ts'
import { isTiaFile } from '../folder/tia-name.ts'
import { callGateway, isRemote } from './remote.ts'

/** Part of the public API, see the help of the command. */
const codes = { clean: 0, findings: 1, usage: 2, unreadable: 3 } as const

type Raw = Readonly<Record<string, unknown>>

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const
/** GitLab and code scanning take any name that ends in .json. */
const reportNames: NamedFormats<(typeof formats)[number]> = [
  [/\.sarif(\.json)?$/i, ['sarif']],
  [/\.json$/i, ['json', 'sarif', 'gitlab']],
  [/\.(html?|xml|md)$/i, []],
]
const levels = ['error', 'warning', 'information'] as const
const failLevels = [...levels, 'never'] as const

/** @returns the exit code */
export async function runCheck(given: readonly string[], raw: Raw, tools: CliTools): Promise<number> {
  const choice = <const T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const value = raw[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value === undefined) return undefined
    return allowed.find((one) => one === value) ?? tools.fail(`--${name} is one of ${allowed.join(', ')}.`, codes.usage)
  }
  const format = outputFormat(raw, formats, reportNames, { tools, usage: codes.usage })
  const failOn = choice('fail-on', failLevels)
  const show = choice('show', levels) ?? (format === 'text' || format === 'github' ? 'warning' : 'information')
  const out = raw.out as string | undefined
  const atGateway = isRemote(raw)
  if (atGateway && raw.fix === true)
    tools.fail('--fix changes files here; leave out --url and GANTRY_URL.', codes.usage)
  if (atGateway && given.length > 1) tools.fail('A gateway checks one folder of its workspace.', codes.usage)
  const chosen = await chosenPaths(atGateway ? given.slice(0, 1) : given).catch((error: unknown) => {
    if (error instanceof FolderError) return tools.fail(error.message, codes.unreadable)
    throw error
  })
  const { root } = chosen
  const found = atGateway ? await remote(given[0] ?? '.', raw, tools) : await local(chosen, raw, tools)
  const result: CheckResult = failOn ? { ...found, failOn } : found
  if (raw.writeBaseline !== undefined) return writeKnown(result, String(raw.writeBaseline), tools)
  const known = raw.baseline === undefined ? undefined : await baseline(String(raw.baseline), tools)
  const fresh = known ? (await import('../check/baseline.ts')).divide(result.findings, known).fresh : result.findings
  let outcome = outcomeOf(result, fresh, show)
  let isWhole = true
  if (raw.fix === true) {
    const { fixFiles } = await import('../check/fix.ts')
    const base = (await localFiles.stat(root))?.isDirectory ? root : dirname(root)
    const { mended, files, failed } = await fixFiles(base, fresh)
    for (const { file, message } of failed) tools.note(`${file} stays as it is: ${message}`)
    isWhole = failed.length === 0
    tools.note(`${counted(mended.size, 'finding')} mended in ${counted(files, 'file')}.`)
    const rest = fresh.filter((one) => !mended.has(one))
    outcome = outcomeOf(result, rest, show, result.findings.length - fresh.length)
  }
  await report(outcome, { format, out, isWhole: raw.all === true }, root, tools)
  if (!isWhole) return codes.unreadable
  return outcome.failed ? codes.findings : codes.clean
}

/** Checks in this process. */
async function local({ root, access }: Chosen, raw: Raw, tools: CliTools): Promise<CheckResult> {
  const info = await localFiles.stat(root)
  if (info === undefined) tools.fail(`There is nothing at ${root}.`, codes.unreadable)
  const config = raw.config === undefined ? undefined : await textOf(String(raw.config), tools)
  try {
    const plugins =
      raw.plugins === false
        ? undefined
        : config === undefined
          ? await pluginsOfFolder(root)
          : await configuredPlugins(config, dirname(resolve(String(raw.config))))
    const content = isTiaFile(root)
      ? await tia(root)
      : await readFolderContent(access, root, { goesOn: info!.isDirectory, formats: plugins?.formats ?? [] })
    const settings = config ?? content.config
    const configFile = raw.config === undefined ? (content.configFile ?? configName) : String(raw.config)
    const { cacheKey, defaultCacheDir, ResultCache } = await import('../check/cache.ts')
    // What a plugin does depends on more than its files: its result is not kept.
    const isKept = raw.cache !== false && (plugins === undefined || plugins === noPlugins)
    const cache = isKept ? new ResultCache(resolve(String(raw.cache ?? defaultCacheDir()))) : undefined
    const key = cacheKey(content, config ?? '')
    const kept = await cache?.find(key)
    if (kept) return kept
    const { checkContent, configOf } = await import('../check/check.ts')
    const result = await checkContent(content, configOf(settings, configFile, plugins), defined({ plugins }))
    await cache?.keep(key, result)
    return result
  } catch (error) {
    if (error instanceof FolderError) tools.fail(`${root}: ${error.message}`, codes.unreadable)
    const { name, message, code } = error as Error & { code?: string }
    if (name === 'ConfigError') tools.fail(message, codes.usage)
    if (name === 'GatewayError' || code === 'EACCES' || code === 'EPERM')
      tools.fail(`${root}: ${message}`, codes.unreadable)
    throw error
  }
}

async function tia(path: string) {
  const { localContext, tiaContent } = await import('../folder/tia.ts')
  return tiaContent(localContext, path)
}

async function remote(path: string, raw: Raw, tools: CliTools): Promise<CheckResult> {
  const config = raw.config === undefined ? {} : { config: await textOf(String(raw.config), tools) }
  return callGateway<CheckResult>(tools, 'review.check', { path, ...config, mostFindings: 100_000 }, (message) =>
    /settings have faults/.test(message) ? codes.usage : codes.unreadable,
  )
}

async function textOf(file: string, tools: CliTools): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    tools.fail(`${file} cannot be read (${error.code}).`, codes.usage),
  )
}

async function baseline(file: string, tools: CliTools) {
  const { readBaseline } = await import('../check/baseline.ts')
  try {
    return readBaseline(await textOf(file, tools))
  } catch (error) {
    if ((error as Error).name === 'CliError') throw error
    return tools.fail(`${file}: ${(error as Error).message}.`, codes.usage)
  }
}

async function writeKnown({ findings }: CheckResult, file: string, tools: CliTools): Promise<number> {
  const { writeBaseline } = await import('../check/baseline.ts')
  await tools.print(writeBaseline(findings), file)
  tools.note(`${counted(findings.length, 'finding')} known from now on: gantry check --baseline ${file}`)
  return codes.clean
}

interface Form {
  readonly format: (typeof formats)[number]
  readonly out: string | undefined
  /** In text: each finding by itself. */
  readonly isWhole: boolean
}

async function report(outcome: Outcome, { format, out, isWhole }: Form, root: string, tools: CliTools): Promise<void> {
  const json = (value: unknown) => tools.print(`${JSON.stringify(value, null, 2)}\n`, out)
  if (format === 'sarif' || format === 'gitlab' || format === 'github') {
    const base = await reportBase(root)
    const placed = isTiaFile(root) ? inProject(outcome, basename(root)) : outcome
    if (format === 'sarif') return json((await import('../output/sarif.ts')).sarifOf(placed, tools.version, base))
    const { githubOf, gitlabOf } = await import('../output/annotations.ts')
    if (format === 'gitlab') return json(gitlabOf(placed, base.prefix))
    return tools.print(githubOf(placed, base.prefix), out)
  }
  if (format === 'json') {
    const { result, shown, hidden, known, failed } = outcome
    return json({ ...result, findings: shown, notShown: hidden.length, known, failed })
  }
  const { noColours, terminalColours, textOf: asText } = await import('../output/text.ts')
  const isTerminal = out === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR
  await tools.print(asText(outcome, isTerminal ? terminalColours : noColours, isWhole), out)
}

/** For services the file of a finding in a project of TIA Portal is the project: they have no file inside of it. */
function inProject(outcome: Outcome, file: string): Outcome {
  const placed = ({ fix: _, ...one }: PlacedFinding): PlacedFinding => ({
    ...one,
    ...{ file, line: 1, column: 1, message: one.object === undefined ? `${one.file}: ${one.message}` : one.message },
  })
  const { shown, result } = outcome
  return { ...outcome, shown: shown.map(placed), result: { ...result, suppressed: result.suppressed.map(placed) } }
}
