/** The documentation of the program in a folder of exports; runs on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { factsOf } from '../../plc/documentation/facts.ts'
import { htmlOf } from '../../plc/documentation/html.ts'
import { type DocumentOptions, markdownOf } from '../../plc/documentation/markdown.ts'
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

/** Writes the documentation of a folder. CPU-heavy. */
export async function documentOf({ content, format, ...options }: DocumentTask): Promise<Documentation> {
  const { objects, unread, twice } = await folderObjects(content, options.culture)
  const facts = factsOf(objects.map(({ object }) => object))
  return {
    text: format === 'html' ? htmlOf(facts, options) : markdownOf(facts, options),
    notes: [
      ...unread.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
      ...twice.map(
        ({ file, line, column, message }) =>
          `${file}:${line}:${column}: ${message.replace(/is checked\.$/, 'is in the document.')} Document one program at a time.`,
      ),
    ],
  }
}

/** The task. */
export function documentTask(input: DocumentTask): EngineTask {
  return { module: import.meta.url, fn: 'documentOf', input }
}
