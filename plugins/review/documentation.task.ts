/** The documentation of the program in a folder of exports; runs on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { defined } from '../../lib/optional.ts'
import { type DocumentedProgram, factsOf } from '../../plc/documentation/facts.ts'
import { htmlOf } from '../../plc/documentation/html.ts'
import { type DocumentOptions, markdownOf } from '../../plc/documentation/markdown.ts'
import { type ReviewConfig, readConfig } from '../../plc/review/config.ts'
import { withoutIgnored } from './check/check.ts'
import { contentsOf, type Division, divisionOf, hardwareOf } from './folder/controllers.ts'
import { partsOf } from './folder/devices.ts'
import type { FolderContent } from './folder/folder.ts'
import { folderObjects } from './folder/folder-objects.ts'

export interface Documentation {
  readonly text: string
  /** Files that are not in it, and why. */
  readonly notes: readonly string[]
}

export interface DocumentTask extends DocumentOptions {
  readonly content: FolderContent
  readonly format: 'html' | 'markdown'
}

/**
 * Writes the documentation of a folder, controller by controller, with `devices` and `ignore` of its settings.
 * CPU-heavy.
 */
export async function documentOf({ content: all, format, ...options }: DocumentTask): Promise<Documentation> {
  const { config, faults } = readConfig(all.config ?? '')
  const content = withoutIgnored(all, config)
  const division =
    config.devices.length > 0 ? configuredDivision(config) : divisionOf([content], [await hardwareOf(content.hardware)])
  const programs: DocumentedProgram[] = []
  const notes = faults.map(({ line, column, message }) => `${all.configFile}:${line}:${column}: ${message}`)
  notes.push(...leftOut(content, division))
  for (const [i, own] of contentsOf(content, division).entries()) {
    const { objects, unread, twice } = await folderObjects(own, options.culture)
    const name = division.devices[i]
    if (objects.length > 0 || division.devices.length === 1)
      programs.push({ facts: factsOf(objects.map(({ object }) => object)), ...defined({ name }) })
    for (const { file, line, column, message } of unread) notes.push(`${file}:${line}:${column}: ${message}`)
    for (const { file, line, column, message } of twice)
      notes.push(
        `${file}:${line}:${column}: ${message.replace(/is checked\.$/, 'is in the document.')} Document one program at a time.`,
      )
  }
  return { text: format === 'html' ? htmlOf(programs, options) : markdownOf(programs, options), notes }
}

/** The controllers that the settings list. */
function configuredDivision({ devices }: ReviewConfig): Division {
  const parts = partsOf(devices, [], [])
  return {
    devices: parts.map(({ name }) => name),
    deviceOf: (path) => parts.find(({ isOf }) => isOf(path))?.name,
  }
}

/** Files that are of none of the controllers that are documented. */
function leftOut({ program, sheets }: FolderContent, { devices, deviceOf }: Division): string[] {
  const [first, ...others] = [...program, ...sheets].filter(({ path }) => !devices.includes(deviceOf(path)))
  if (first === undefined) return []
  const what = others.length === 0 ? 'this file is' : `this file and ${counted(others.length, 'other')} are`
  return [`${first.path}: ${what} of no controller (${devices.join(', ')}) and not in the document.`]
}

/** The task. */
export function documentTask(input: DocumentTask): EngineTask {
  return { module: import.meta.url, fn: 'documentOf', input }
}
