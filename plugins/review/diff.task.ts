/** The compare of two folders of exports; runs on the engine for the gateway. */
import type { EngineTask } from '../../core/index.ts'
import { diffContents, type ProgramDiff } from './diff.ts'
import type { FolderContent } from './folder.ts'

export interface DiffTask {
  readonly left: FolderContent
  readonly right: FolderContent
  /** Names of the sides in the report. */
  readonly names: { readonly left: string; readonly right: string }
  readonly format: 'json' | 'text' | 'html'
  readonly culture: string
}

/** The compare; `text` is the report when the format is not json. */
export interface DiffAnswer {
  readonly diff: ProgramDiff
  readonly text?: string
}

/** Compares two folders. CPU-heavy. */
export async function diffOf({ left, right, names, format, culture }: DiffTask): Promise<DiffAnswer> {
  const compared = await diffContents(left, right, culture)
  const { diff } = compared
  if (format === 'json') return { diff }
  if (format === 'text') return { diff, text: (await import('./diff-text.ts')).diffText(diff) }
  return { diff, text: (await import('./diff-html.ts')).diffHtml(compared, { ...names, culture }) }
}

/** The task. */
export function diffTask(input: DiffTask): EngineTask {
  return { module: import.meta.url, fn: 'diffOf', input }
}
