/** `gantry check`. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import type { CheckResult } from './check.ts'
import { FolderError, readFolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { callGateway, isRemote } from './remote.ts'
import { isTiaFile } from './tia-name.ts'

/** Part of the public API, see the help of the command. */
const codes = { clean: 0, findings: 1, usage: 2, unreadable: 3 } as const

type Raw = Readonly<Record<string, unknown>>

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const
const levels = ['error', 'warning', 'information'] as const
const failLevels = [...levels, 'never'] as const

/** @returns the exit code */
export async function runCheck(given: string | undefined, raw: Raw, tools: CliTools): Promise<number> {
  const choice = <const T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const value = raw[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value === undefined) return undefined
    return allowed.find((one) => one === value) ?? tools.fail(`--${name} is one of ${allowed.join(', ')}.`, codes.usage)
  }
  const format = choice('format', formats) ?? 'text'
  const failOn = choice('fail-on', failLevels)
  const show = choice('show', levels) ?? (format === 'text' || format === 'github' ? 'warning' : 'information')
  const out = raw.out as string | undefined
  const atGateway = isRemote(raw)
  if (atGateway && raw.fix === true)
    tools.fail('--fix changes files here; leave out --url and GANTRY_URL.', codes.usage)
  const root = resolve(given ?? '.')
  const found = atGateway ? await remote(given ?? '.', raw, tools) : await local(root, raw, tools)
  const result: CheckResult = failOn ? { ...found, failOn } : found
  if (raw.writeBaseline !== undefined) return writeKnown(result, String(raw.writeBaseline), tools)
  const known = raw.baseline === undefined ? undefined : await baseline(String(raw.baseline), tools)
  const fresh = known ? (await import('./baseline.ts')).divide(result.findings, known).fresh : result.findings
  let outcome = outcomeOf(result, fresh, show)
  if (raw.fix === true) {
    const { fixFiles } = await import('./fix.ts')
    const base = (await localFiles.stat(root))?.isDirectory ? root : dirname(root)
    const { mended, files } = await fixFiles(base, fresh)
    tools.note(`${counted(mended.size, 'finding')} mended in ${counted(files, 'file')}.`)
    const rest = fresh.filter((one) => !mended.has(one))
    outcome = outcomeOf(result, rest, show, result.findings.length - fresh.length)
  }
  await report(outcome, format, root, out, tools)
  return outcome.failed ? codes.findings : codes.clean
}

/** Checks in this process. */
async function local(root: string, raw: Raw, tools: CliTools): Promise<CheckResult> {
  const info = await localFiles.stat(root)
  if (info === undefined) tools.fail(`There is nothing at ${root}.`, codes.unreadable)
  const config = raw.config === undefined ? undefined : await textOf(String(raw.config), tools)
  try {
    const content = isTiaFile(root)
      ? await tia(root)
      : await readFolderContent(localFiles, root, { goesOn: info!.isDirectory })
    const settings = config ?? content.config
    const { cacheKey, defaultCacheDir, ResultCache } = await import('./cache.ts')
    const cache = raw.cache === false ? undefined : new ResultCache(resolve(String(raw.cache ?? defaultCacheDir())))
    const key = cacheKey(content, config ?? '')
    const kept = await cache?.find(key)
    if (kept) return kept
    const { checkContent, configOf } = await import('./check.ts')
    const result = await checkContent(
      content,
      configOf(settings, raw.config === undefined ? content.configFile : String(raw.config)),
    )
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
  const { localContext, tiaContent } = await import('./tia.ts')
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
  const { readBaseline } = await import('./baseline.ts')
  try {
    return readBaseline(await textOf(file, tools))
  } catch (error) {
    if ((error as Error).name === 'CliError') throw error
    return tools.fail(`${file}: ${(error as Error).message}.`, codes.usage)
  }
}

async function writeKnown({ findings }: CheckResult, file: string, tools: CliTools): Promise<number> {
  const { writeBaseline } = await import('./baseline.ts')
  await tools.print(writeBaseline(findings), file)
  tools.note(`${counted(findings.length, 'finding')} known from now on: gantry check --baseline ${file}`)
  return codes.clean
}

async function report(
  outcome: Outcome,
  format: (typeof formats)[number],
  root: string,
  out: string | undefined,
  tools: CliTools,
): Promise<void> {
  const json = (value: unknown) => tools.print(`${JSON.stringify(value, null, 2)}\n`, out)
  // Services know files from the root of the repository, where commands run.
  const inside = relative(process.cwd(), root).replaceAll('\\', '/')
  const prefix = inside === '' || inside.startsWith('..') || basename(inside).includes('.') ? '' : `${inside}/`
  if (format === 'sarif') return json((await import('./output/sarif.ts')).sarifOf(outcome, tools.version))
  if (format === 'gitlab') return json((await import('./output/annotations.ts')).gitlabOf(outcome, prefix))
  if (format === 'github') {
    await tools.print((await import('./output/annotations.ts')).githubOf(outcome, prefix), out)
    return
  }
  if (format === 'json') {
    const { result, shown, hidden, known, failed } = outcome
    return json({ ...result, findings: shown, notShown: hidden.length, known, failed })
  }
  const { noColours, terminalColours, textOf: asText } = await import('./output/text.ts')
  const isTerminal = out === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR
  await tools.print(asText(outcome, isTerminal ? terminalColours : noColours), out)
}
