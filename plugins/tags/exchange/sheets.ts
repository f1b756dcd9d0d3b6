/** The rows of tag tables as sheets: TIA Portal's columns, and on request a column for each additional language. */
import { textIn } from '../../program-objects/index.ts'
import type { Constant, Tag, TagTable, Text } from '../tag-table.ts'
import { constantHeaders, tableHeaders, tagHeaders } from './columns.ts'
import { pathOf } from './content.ts'

/** Options of sheets. */
export interface SheetOptions {
  /** Language of the column `Comment`. */
  readonly culture: string
  /**
   * True: additional languages have their own columns `Comment [de-DE]`. False: their texts are lost, with a warning.
   */
  readonly allCultures: boolean
}

/** Rows with their header. */
export type SheetRows = readonly (readonly string[])[]

const flag = (value: boolean) => (value ? 'True' : 'False')

/** The sheet `PLC Tags`. */
export function tagSheet(tables: readonly TagTable[], options: SheetOptions): SheetRows {
  const more = furtherCultures(
    tables.flatMap(({ tags }) => tags),
    options,
  )
  return [
    [...tagHeaders, ...more.map(header)],
    ...tables.flatMap((table) =>
      table.tags.map((tag: Tag) => [
        tag.name,
        pathOf(table.folder, table.name),
        tag.dataType,
        tag.logicalAddress,
        mainComment(tag.comment, options),
        flag(tag.externalVisible),
        flag(tag.externalAccessible),
        flag(tag.externalWritable),
        '',
        '',
        ...more.map((culture) => tag.comment[culture] ?? ''),
      ]),
    ),
  ]
}

/** The sheet `Constants`. */
export function constantSheet(tables: readonly TagTable[], options: SheetOptions): SheetRows {
  const more = furtherCultures(
    tables.flatMap(({ constants }) => constants),
    options,
  )
  return [
    [...constantHeaders, ...more.map(header)],
    ...tables.flatMap((table) =>
      table.constants.map((constant: Constant) => [
        constant.name,
        pathOf(table.folder, table.name),
        constant.dataType,
        constant.value,
        mainComment(constant.comment, options),
        ...more.map((culture) => constant.comment[culture] ?? ''),
      ]),
    ),
  ]
}

/** The sheet `TagTable Properties`. */
export function tableSheet(tables: readonly TagTable[]): SheetRows {
  return [[...tableHeaders], ...tables.map(({ folder, name }) => [pathOf(folder, name), '', ''])]
}

/** Warnings about comments that the sheets do not contain. */
export function lostComments(tables: readonly TagTable[], options: SheetOptions): string[] {
  if (options.allCultures) return []
  const lost = new Set<string>()
  for (const { comment } of tables.flatMap(({ tags, constants }) => [...tags, ...constants])) {
    const shown = mainComment(comment, options)
    for (const [culture, text] of Object.entries(comment)) if (text !== '' && text !== shown) lost.add(culture)
  }
  if (lost.size === 0) return []
  return [
    `comments in ${[...lost].sort().join(', ')} are not in the file: TIA Portal's layout has one language; send allCultures: true for a column each`,
  ]
}

const header = (culture: string) => `Comment [${culture}]`

/** A single column shows the text in any language that exists; with a column for each language, only its own. */
function mainComment(comment: Text, { culture, allCultures }: SheetOptions): string {
  return allCultures ? (comment[culture] ?? '') : textIn(comment, culture)
}

function furtherCultures(
  rows: readonly { readonly comment: Text }[],
  { culture, allCultures }: SheetOptions,
): string[] {
  if (!allCultures) return []
  const cultures = new Set<string>()
  for (const { comment } of rows)
    for (const [key, text] of Object.entries(comment)) if (key !== culture && text !== '') cultures.add(key)
  return [...cultures].sort()
}
