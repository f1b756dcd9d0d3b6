/** The documentation of a program as Markdown: networks as text. */
import { contentText } from '../edit/content-text.ts'
import { textIn } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { callTree, type DocumentedProgram, ioList, type ProgramFacts, usersOf } from './facts.ts'

export interface DocumentOptions {
  readonly title: string
  /** Language of titles and comments, e.g. `de-DE`. */
  readonly culture: string
}

/** What belongs to none of several controllers. */
export const sharedName = 'Without controller'

/** Writes whole programs as one Markdown text; several have a heading each. */
export function markdownOf(programs: readonly DocumentedProgram[], { title, culture }: DocumentOptions): string {
  const parts = programs.flatMap(({ name = sharedName, facts }) => [
    ...(programs.length > 1 ? [`# ${plain(name)}`] : []),
    ...programParts(facts, culture),
  ])
  return `${[`# ${plain(title)}`, ...parts].filter((part) => part !== '').join('\n\n')}\n`
}

function programParts(facts: ProgramFacts, culture: string): string[] {
  const text = (texts: Readonly<Record<string, string>>) => textIn(texts, culture)
  return [
    '## Objects',
    table(
      ['Name', 'Kind', 'Number', 'Language', 'Title'],
      facts.objects.map((one) => [one.name, one.kind, String(one.number ?? ''), one.language, text(one.title)]),
    ),
    '## Call tree',
    callTree(facts)
      .map(
        ({ block, depth, isRepeated }) =>
          `${'  '.repeat(depth)}- ${plain(block.name)}${isRepeated ? ' (see above)' : ''}`,
      )
      .join('\n'),
    '## Inputs and outputs',
    table(
      ['Address', 'Name', 'Type', 'Table', 'Comment', 'Used by'],
      ioList(facts).map((row) => [
        ...[row.address, row.name, row.dataType, row.table.name, text(row.comment)],
        row.usedBy.map(({ name }) => name).join(', '),
      ]),
    ),
    ...facts.objects.map((object) => objectPart(object, facts, culture)),
  ]
}

function objectPart(object: ImportedObject, facts: ProgramFacts, culture: string): string {
  const text = (texts: Readonly<Record<string, string>>) => textIn(texts, culture)
  const users = usersOf(facts, object).map(({ name }) => name)
  const uses = (facts.usesOf.get(object) ?? []).map(({ name }) => name)
  const { networks = [], sourceText } = object.isKnowHowProtected ? {} : contentText(object, culture)
  return [
    `## ${object.kind} ${plain(object.name)}`,
    plain([text(object.title), text(object.comment)].filter((part) => part !== '').join('\n\n')),
    ...(object.isKnowHowProtected ? ['The block is know-how protected: only its interface is shown.'] : []),
    ...(users.length > 0 ? [`Used by: ${users.map(plain).join(', ')}`] : []),
    ...(uses.length > 0 ? [`Uses: ${uses.map(plain).join(', ')}`] : []),
    table(['Section', 'Name', 'Type', 'Start value', 'Comment'], interfaceRows(object, culture)),
    table(
      ['Name', 'Type', 'Address', 'Comment'],
      (object.tags ?? []).map((tag) => [tag.name, tag.dataType, tag.logicalAddress, text(tag.comment)]),
    ),
    table(
      ['Constant', 'Type', 'Value', 'Comment'],
      (object.constants ?? []).map((one) => [one.name, one.dataType, one.value, text(one.comment)]),
    ),
    ...(sourceText === undefined || object.networks.length === 0 ? [] : [fenced(sourceText)]),
    ...networks.map(({ number, title, comment, text: code }) =>
      [`### Network ${number}${title === undefined ? '' : `: ${plain(title)}`}`, plain(comment ?? ''), fenced(code)]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Rows of the interface; members of structures with their path. */
export function interfaceRows({ interface: sections }: ImportedObject, culture: string): string[][] {
  const rows: string[][] = []
  const add = (section: string, members: readonly InterfaceMember[], path: string) => {
    for (const { name, dataType, startValue, comment, members: inner } of members) {
      rows.push([section, path + name, dataType, startValue ?? '', textIn(comment, culture)])
      add(section, inner, `${path}${name}.`)
    }
  }
  for (const { section, members } of sections) add(section === 'None' ? '' : section, members, '')
  return rows
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell) =>
        plain(cell)
          .replace(/\|/g, '\\|')
          .replace(/\s*\n\s*/g, '<br>'),
      )
      .join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** Text of the program without meaning in Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#]|&(?=#?\w+;)/g, (character) => (character === '<' ? '&lt;' : `\\${character}`))
}

/** Code in a fence longer than any in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}scl\n${code.trimEnd()}\n${fence}`
}
