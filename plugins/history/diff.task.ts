/** Compares two texts; run on the engine when they are large. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

export interface TextDiff {
  /** Unified diff; absent: the texts have too little in common. */
  readonly diff?: string
  readonly added: number
  readonly removed: number
}

/** Beyond so many changed lines a diff is no help, and its cost grows with their square. */
const maxChanges = 20_000

/** Unified diff of two texts. Line ends do not count. */
export async function diffTexts(input: {
  readonly from: { readonly title: string; readonly text: string }
  readonly to: { readonly title: string; readonly text: string }
  /** Lines around each change. */
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
