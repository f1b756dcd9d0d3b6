/** The compare of two folders of exports; runs on the engine for the gateway. */
import { defined, type EngineTask } from '../../../core/index.ts'
import { contentText } from '../../../plc/edit/content-text.ts'
import type { FolderContent } from '../folder/folder.ts'
import { type ChangedObject, type DiffWithSides, diffContents, diffKey, type ProgramDiff } from './diff.ts'
import { type NetworkChange, networkChanges } from './network-changes.ts'

export interface DiffTask {
  readonly left: FolderContent
  readonly right: FolderContent
  /** Names of the sides in the report. */
  readonly names: { readonly left: string; readonly right: string }
  readonly format: 'json' | 'text' | 'html'
  readonly culture: string
  /** With the networks that differ, drawn. */
  readonly pictures?: boolean
  /** Most objects in the report, and with pictures; the others are counted. Default: all. */
  readonly mostObjects?: number
}

/** How an object that differs looks on both sides. */
export interface ObjectPictures {
  /** Of an object of one side: its source, or its interface as text. */
  readonly text?: string
  readonly networks: readonly NetworkChange[]
}

/** The compare; `text` is the report when the format is not json. */
export interface DiffAnswer {
  readonly diff: ProgramDiff
  readonly text?: string
  /** For each object of `diff`, up to the limit. */
  readonly pictures?: readonly ObjectPictures[]
}

/** Compares two folders. CPU-heavy. */
export async function diffOf(task: DiffTask): Promise<DiffAnswer> {
  const { left, right, names, format, culture, pictures, mostObjects } = task
  const compared = await diffContents(left, right, culture)
  const { diff } = compared
  const drawn = pictures
    ? { pictures: diff.objects.slice(0, mostObjects).map((one) => picturesOf(one, compared, culture)) }
    : {}
  if (format === 'json') return { diff, ...drawn }
  if (format === 'text') return { diff, ...drawn, text: (await import('./diff-text.ts')).diffText(diff, mostObjects) }
  const { diffHtml } = await import('./diff-html.ts')
  return { diff, ...drawn, text: diffHtml(compared, { ...names, culture, ...defined({ mostObjects }) }) }
}

function picturesOf(one: ChangedObject, { lefts, rights }: DiffWithSides, culture: string): ObjectPictures {
  const [left, right] = [lefts.get(diffKey(one))?.object, rights.get(diffKey(one))?.object]
  const isOfOneSide = one.change === 'added' || one.change === 'removed'
  const only = isOfOneSide ? (right ?? left) : undefined
  const { sourceText, declarations = '' } = only === undefined ? {} : contentText(only)
  const text = (sourceText ?? declarations).trim()
  const isCode = isOfOneSide || one.differences.some(({ aspect }) => aspect === 'code')
  return {
    ...(text === '' ? {} : { text }),
    networks: isCode && sourceText === undefined ? networkChanges(left, right, culture) : [],
  }
}

/** The task. */
export function diffTask(input: DiffTask): EngineTask {
  return { module: import.meta.url, fn: 'diffOf', input }
}
