/** The documentation of the program in a folder of exports; runs on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { defined } from '../../lib/optional.ts'
import { type DocumentedProgram, factsOf } from '../../plc/documentation/facts.ts'
import { htmlOf } from '../../plc/documentation/html.ts'
import { type DocumentOptions, markdownOf } from '../../plc/documentation/markdown.ts'
import { contentsOf, divisionOf, hardwareOf } from './controllers.ts'
import type { FolderContent } from './folder.ts'
import { folderObjects } from './folder-objects.ts'

export interface Documentation {
  readonly text: string
  /** Files that are not in it, and why. */
  readonly notes: readonly string[]
}

export interface DocumentTask extends DocumentOptions {
  readonly content: FolderContent
  readonly format: 'html' | 'markdown'
}

/** Writes the documentation of a folder, controller by controller. CPU-heavy. */
export async function documentOf({ content, format, ...options }: DocumentTask): Promise<Documentation> {
  const division = divisionOf([content], [await hardwareOf(content.hardware)])
  const programs: DocumentedProgram[] = []
  const notes: string[] = []
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

/** The task. */
export function documentTask(input: DocumentTask): EngineTask {
  return { module: import.meta.url, fn: 'documentOf', input }
}
