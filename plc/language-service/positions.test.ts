/** What the service answers at every word of a small program in all kinds of texts (`fixtures/*.txt`). */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { lex } from '../languages/scl/lexer.ts'
import { lastTrivia, TokenKind } from '../languages/scl/tokens.ts'
import { LanguageService, type OutlineEntry } from './service.ts'

const paths = ['motor.scl', 'line.scl', 'old.awl', 'conveyor.s7dcl']
const texts = new Map(paths.map((path) => [path, fixtureText(import.meta.url, path)]))

async function service(): Promise<LanguageService> {
  const made = new LanguageService()
  for (const [path, text] of texts) made.files.setText(path, text)
  await made.files.readOther('tags.xml', new TextEncoder().encode(fixtureText(import.meta.url, 'tags.xml')))
  return made
}

function placeOf(path: string, offset: number): string {
  const lines = (texts.get(path) ?? '').slice(0, offset).split('\n')
  return `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/** The words of a text with their offsets; also one in a comment. */
function wordsOf(path: string): { readonly start: number; readonly end: number; readonly text: string }[] {
  const text = texts.get(path) ?? ''
  const tokens = lex(text)
  const words = Array.from({ length: tokens.count }, (_, i) => i)
    .filter((i) => (tokens.kind[i] as number) > lastTrivia && tokens.kind[i] !== TokenKind.EndOfFile)
    .map((i) => ({ start: tokens.start[i] as number, end: tokens.start[i + 1] as number }))
  return words.map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
}

test('each word: what it is, where it is declared and used, what renaming it changes', async () => {
  const made = await service()
  const told: string[] = []
  for (const path of paths)
    for (const { start, text } of wordsOf(path)) {
      const hover = made.hover(path, start)
      // What ends a name belongs to it.
      if (hover === undefined || hover.end === start) continue
      const uses = made.references(path, start).map((one) => placeOf(one.path, one.start))
      const own = made.references(path, start, false).length
      const renamed = made.rename(path, start, 'new name')
      const edits =
        'fault' in renamed
          ? renamed.fault
          : renamed.map((one) => `${placeOf(one.path, one.start)} ${one.text}`).join(', ')
      told.push(
        `${placeOf(path, start)} ${text} [${hover.start - start}..${hover.end - start}]`,
        `  ${hover.text
          .replace(/```(scl)?\n?/g, '')
          .trim()
          .replace(/\n+ */g, ' | ')}`,
        `  declared ${made.definition(path, start).map((one) => placeOf(one.path, one.start))}`,
      )
      // The uses of a name are the same wherever it stands.
      if (uses[0] === placeOf(path, start) || uses.length === 0)
        told.push(`  used ${uses.join(' ')}, ${own} without declarations`, `  renamed ${edits}`)
    }
  assertRecorded(import.meta.url, 'words.txt', `${told.join('\n')}\n`)
})

test('behind each word: what may be typed', async () => {
  const made = await service()
  const byAnswer = new Map<string, string[]>()
  for (const path of paths)
    for (const { start, end, text } of wordsOf(path))
      for (const offset of [start + 1, end]) {
        const { start: from, end: to, items, isIncomplete } = made.complete(path, offset)
        const [first, last] = [items.slice(0, 4), items.slice(-1)]
        const shown = [...first, ...last.filter((one) => !first.includes(one))].map(
          ({ text: one, kind, detail, comment }) => `${one} ${kind} ${detail ?? ''} ${comment ?? ''}`.trim(),
        )
        const answer = `  ${items.length}${isIncomplete ? '+' : ''} [${from - offset}..${to - offset}] ${shown.join(', ')}`
        const place = `${placeOf(path, offset)} ${offset === end ? `${text}|` : `${text.slice(0, 1)}|${text.slice(1)}`}`
        byAnswer.set(answer, [...(byAnswer.get(answer) ?? []), place])
      }
  const told = [...byAnswer].map(([answer, places]) => `${[...new Set(places)].join(' ')}\n${answer}\n`)
  assertRecorded(import.meta.url, 'completions.txt', told.join(''))
})

test('the outline of each text', async () => {
  const made = await service()
  const told = paths.flatMap((path) => {
    const lines = (entries: readonly OutlineEntry[], indent: string): string[] =>
      entries.flatMap(({ name, kind, detail, range, nameRange, children }) => [
        `${indent}${kind} ${name} ${detail} ${range.map((at) => placeOf(path, at).replace(path, '')).join(' ')} ${nameRange.map((at) => at - range[0])}`,
        ...lines(children, `${indent}  `),
      ])
    return [path, ...lines(made.symbols(path), '  ')]
  })
  assertRecorded(import.meta.url, 'outline.txt', `${told.join('\n')}\n`)
})
