/** Compares two texts; runs on the engine when they are large. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/** The difference between two texts. */
export interface TextDiff {
  /** Unified diff; absent when the texts have too little in common. */
  readonly diff?: string
  readonly added: number
  readonly removed: number
}

/** Maximum number of changed lines: a longer diff is not useful, and the time grows with the square. */
const maxChanges = 20_000

/** Unified diff of two texts. Line ends are ignored. */
export async function diffTexts(input: {
  readonly from: { readonly title: string; readonly text: string }
  readonly to: { readonly title: string; readonly text: string }
  /** Number of lines around each change. */
  readonly context: number
}): Promise<TextDiff> {
  const plain = (text: string) => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const from = plain(input.from.text)
  const to = plain(input.to.text)
  if (from === to) return { diff: '', added: 0, removed: 0 }
  const diff = createTwoFilesPatch(input.from.title, input.to.title, from, to, undefined, undefined, {
    context: input.context,
    maxEditLength: maxChanges,
    headerOptions: FILE_HEADERS_ONLY,
  })
  if (diff === undefined) return { added: lineCount(to), removed: lineCount(from) }
  const body = diff.slice(diff.indexOf('@@'))
  return { diff, added: body.match(/^\+/gm)?.length ?? 0, removed: body.match(/^-/gm)?.length ?? 0 }
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
