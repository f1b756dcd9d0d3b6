/** Checks a folder: reads it, divides it into controllers, checks each, and counts. */
import { counted } from '../../../lib/counted.ts'
import { anyOf } from '../../../lib/wildcard.ts'
import type { FormatOptions } from '../../../plc/languages/scl/format.ts'
import type { CheckMemory, PlacedFinding } from '../../../plc/review/check.ts'
import type { ConfigFault, ReviewConfig } from '../../../plc/review/config.ts'
import { readConfig } from '../../../plc/review/config.ts'
import type { FileNote, FolderFile } from '../../../plc/review/read-folder.ts'
import type { Rule } from '../../../plc/review/rule.ts'
import { type AddedByPlugins, noPlugins } from '../folder/added-by-plugins.ts'
import { controllersIn, partsOf } from '../folder/devices.ts'
import { configName, type FolderContent, FolderError, refusedNote } from '../folder/folder.ts'
import { notLoaded } from '../folder/folder-plugins.ts'
import { tableObject } from '../folder/table-object.ts'

/** What a check found. Plain data: it is cached, sent and printed. */
export interface CheckResult {
  readonly devices: readonly {
    readonly name: string
    readonly files: number
    readonly objects: number
    /** Code blocks, and those of them that compile. */
    readonly blocks: number
    readonly compiled: number
  }[]
  readonly findings: readonly PlacedFinding[]
  /** Findings that the program accepts, each with its reason. */
  readonly suppressed: readonly PlacedFinding[]
  readonly failOn: ReviewConfig['failOn']
  /** Rules of plugins that findings name: readers of reports have them from nowhere else. */
  readonly rules?: readonly Pick<Rule, 'code' | 'group' | 'severity' | 'title' | 'why'>[]
}

/** The configuration has faults. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]
  constructor(file: string, faults: readonly ConfigFault[]) {
    super(faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'))
    this.faults = faults
  }
}

/**
 * @param plugins that the settings name: their rules are all there are. Without them the settings of their rules are
 *   not read
 * @throws ConfigError
 */
export function configOf(text: string | undefined, file = configName, plugins?: AddedByPlugins): ReviewConfig {
  const { config, faults } = readConfig(text ?? '', { rules: plugins?.rules ?? [], isComplete: plugins !== undefined })
  const all = [...faults, ...(plugins?.faults ?? [])]
  if (all.length > 0) throw new ConfigError(file, all)
  return config
}

/** The settings of a folder in a gateway, whose own plugins count. @throws ConfigError */
export function gatewayConfig(text: string | undefined, plugins: AddedByPlugins): ReviewConfig {
  const { config, faults } = readConfig(text ?? '', { rules: plugins.rules, isComplete: false })
  if (faults.length > 0) throw new ConfigError(configName, faults)
  return config
}

/** How the settings want sources to be written; what has a fault is left out. */
export function formatOf(text: string | undefined): FormatOptions {
  return readConfig(text ?? '').config.format
}

/** What a folder holds without the paths that its settings leave out. */
export function withoutIgnored(content: FolderContent, { ignore }: ReviewConfig): FolderContent {
  const isIgnored = anyOf(ignore)
  const wanted = <T extends { readonly path: string }>(files: readonly T[]) =>
    files.filter(({ path }) => !isIgnored(path))
  const { program, sheets, hardware, refused = [] } = content
  return {
    ...content,
    program: wanted(program),
    sheets: wanted(sheets),
    hardware: wanted(hardware),
    refused: wanted(refused),
  }
}

export interface CheckOptions {
  readonly memories?: Map<string, CheckMemory>
  readonly plugins?: AddedByPlugins
}

/**
 * Checks what a folder holds. CPU-heavy.
 * @param o.memories of the last check of the same folder with the same settings, by controller; they are renewed
 * @param o.plugins whose rules count
 * @throws FolderError when nothing in it can be checked
 */
export async function checkContent(
  content: FolderContent,
  config: ReviewConfig,
  { memories, plugins = noPlugins }: CheckOptions = {},
): Promise<CheckResult> {
  const { program, sheets, hardware, refused = [] } = withoutIgnored(content, config)
  if (program.length + sheets.length + hardware.length + refused.length === 0)
    throw new FolderError(
      'There is nothing to check: no SimaticML (.xml), SIMATIC SD (.s7dcl), source (.scl, .awl, .db, .udt), tag table (.xlsx, .sdf, .asc, .csv) or hardware (.aml).',
    )
  const { checkProgram, CheckMemory, inOrder } = await import('../../../plc/review/check.ts')
  const notes = refused.map(refusedNote)
  const settings = { file: content.configFile ?? configName, line: 1, column: 1 }
  for (const { folder, ...place } of notLoaded(config, plugins))
    notes.push({
      ...{ code: 'plugin-not-loaded', severity: 'information', ...settings, ...place },
      message: `The plugin "${folder}" is not loaded here, so its rules and formats do not count.`,
      hint: 'A gateway uses the plugins that it is started with: gantry serve --plugins-dir.',
    })
  const controllers = controllersIn(hardware, notes)
  const files = [...program, ...sheets].map(({ path }) => path)
  const parts = partsOf(config.devices, controllers, files)
  const devices: CheckResult['devices'][number][] = []
  const findings: PlacedFinding[] = []
  const suppressed: PlacedFinding[] = []
  for (const { name, isOf } of parts) {
    const own = program.filter(({ path }) => isOf(path))
    const tables = [
      ...(await tablesIn(
        sheets.filter(({ path }) => isOf(path)),
        notes,
      )),
    ]
    const [first] = controllers
    const aml = controllers.find((one) => one.name === name) ?? (parts.length === 1 ? first : undefined)
    for (const { name: table, tags, line } of aml?.tables ?? [])
      tables.push(tableObject(table, aml!.file, { tags, constants: [] }, () => line))
    // Tables of exports have more than those of the hardware: they count when both are there.
    const memory = memories?.get(name) ?? new CheckMemory()
    memories?.set(name, memory)
    const checked = await checkProgram(own, tables, config, memory, plugins.rules)
    const inDevice = parts.length > 1 ? (one: PlacedFinding) => ({ ...one, device: name }) : (one: PlacedFinding) => one
    findings.push(...checked.findings.map(inDevice))
    for (const { code, message } of checked.failed)
      findings.push({
        ...{ code: 'rule-failed', severity: 'error', ...settings },
        message: `The rule ${code} of plugin "${code.split('.')[0]}" failed: ${message}.`,
        hint: 'Mend the plugin, or switch the rule off in gantry.yml.',
      })
    suppressed.push(...checked.suppressed.map(inDevice))
    devices.push({ name, ...checked.counts })
  }
  const others = files.filter((path) => !parts.some(({ isOf }) => isOf(path)))
  if (others.length > 0)
    notes.push({
      ...{ code: 'not-checked', severity: 'information', file: others[0]!, line: 1, column: 1 },
      message: `${others.length === 1 ? 'This file is' : `This file and ${counted(others.length - 1, 'other')} are`} of no controller (${parts.map(({ name }) => name).join(', ')}) and not checked.`,
      hint: 'List its folder under "devices" in gantry.yml.',
    })
  const found = inOrder([...notes, ...findings])
  const codes = new Set([...found, ...suppressed].map(({ code }) => code))
  const rules = plugins.rules
    .filter(({ code }) => codes.has(code))
    .map(({ code, group, severity, title, why }) => ({ code, group, severity, title, why }))
  return { devices, findings: found, suppressed, failOn: config.failOn, ...(rules.length > 0 ? { rules } : {}) }
}

/** The reader of spreadsheets is loaded when there are some. */
async function tablesIn(files: readonly FolderFile[], notes: FileNote[]) {
  return files.length === 0 ? [] : (await import('../folder/sheets.ts')).tablesOf(files, notes)
}
