/**
 * Headers of tag and constant sheets: the field of each column (docs/formats.md#tag-tables-as-files). CSV and xlsx
 * share this reader.
 */

import { defined, nearest } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import type { ConstantRow, ExchangeContent, RowFaults, RowPlace, TableRow, TagRow } from './content.ts'
import { splitPath } from './content.ts'

/** A cell: text, or a value of a spreadsheet. */
export type Cell = string | number | boolean | Date | null | undefined

/** The content of a sheet (or section of a text), known from its header. */
export type SheetKind = 'tags' | 'constants' | 'tables'

/** TIA Portal's ten columns of `PLC Tags`; V13 has the first seven. */
export const tagHeaders = [
  'Name',
  'Path',
  'Data Type',
  'Logical Address',
  'Comment',
  'Hmi Visible',
  'Hmi Accessible',
  'Hmi Writeable',
  'Typeobject ID',
  'Version ID',
] as const
export const constantHeaders = ['Name', 'Path', 'Data Type', 'Value', 'Comment'] as const
export const tableHeaders = ['Path', 'BelongsToUnit', 'Accessibility'] as const

/** Accepted headers, in lower case without blanks and dashes. */
const fieldsOfHeader: Readonly<Record<string, string>> = {
  name: 'name',
  tagname: 'name',
  symbol: 'name',
  constantname: 'name',
  path: 'path',
  tagtable: 'path',
  table: 'path',
  tablename: 'path',
  datatype: 'dataType',
  datatypename: 'dataType',
  type: 'dataType',
  logicaladdress: 'logicalAddress',
  address: 'logicalAddress',
  value: 'value',
  comment: 'comment',
  hmivisible: 'externalVisible',
  externalvisible: 'externalVisible',
  hmiaccessible: 'externalAccessible',
  hmiaccess: 'externalAccessible',
  externalaccessible: 'externalAccessible',
  hmiwriteable: 'externalWritable',
  hmiwritable: 'externalWritable',
  hmiwrite: 'externalWritable',
  externalwritable: 'externalWritable',
  typeobjectid: 'typeObject',
  typeobject: 'typeObject',
  versionid: 'typeVersion',
  belongstounit: 'unit',
  accessibility: 'accessibility',
}

/** Headers of TIA Portal's table editor; how they end depends on the version (`Accessible from HMI/OPC UA/Web API`). */
const editorHeaders: readonly (readonly [string, string])[] = [
  ['accessiblefromhmi', 'externalAccessible'],
  ['visibleinhmi', 'externalVisible'],
  ['writablefromhmi', 'externalWritable'],
]

/** The field of a header; `comment:de-DE` for `Comment [de-DE]`. */
function fieldOf(header: string): string | undefined {
  const comment = /^\s*comment\s*\[\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\s*\]\s*$/i.exec(header)
  if (comment) return `comment:${comment[1]}`
  const key = header.toLowerCase().replace(/[\s_.-]+/g, '')
  if (Object.hasOwn(fieldsOfHeader, key)) return fieldsOfHeader[key]
  return editorHeaders.find(([start]) => key.startsWith(start))?.[1]
}

/** A header row with known columns. */
export interface Header {
  readonly kind: SheetKind
  /** Column index of each field. */
  readonly indexOf: Readonly<Record<string, number>>
  /** Column number of each field, from 1. */
  readonly columns: Readonly<Record<string, number>>
  /** Number of columns up to the last header. */
  readonly width: number
  /** Headers that a tag table does not have; their columns are ignored. */
  readonly unknown: readonly string[]
}

/** The fault of a header row. */
export interface HeaderFault {
  readonly fault: string
  /** Index of the wrong column. */
  readonly column?: number
}

/** Number of cells of a row that are headers. */
export function headerCells(cells: readonly Cell[]): number {
  return cells.filter((cell) => typeof cell === 'string' && fieldOf(cell) !== undefined).length
}

/** True for a row in which every cell is a header. */
export function isHeader(cells: readonly Cell[]): boolean {
  const filled = cells.filter((cell) => cell !== '' && cell !== null && cell !== undefined)
  return filled.length > 1 && headerCells(filled) === filled.length
}

/**
 * Reads a header row; columns may have any order. A header that resembles one of a tag table is a fault, because a
 * typing mistake must not lose a column; other unknown headers are listed in `unknown`.
 */
export function readHeader(cells: readonly Cell[]): Header | HeaderFault {
  const indexOf: Record<string, number> = {}
  const unknown: string[] = []
  let width = 0
  for (const [index, cell] of cells.entries()) {
    const text = cell === null || cell === undefined ? '' : String(cell).trim()
    if (text === '') continue
    width = index + 1
    const field = fieldOf(text)
    if (field === undefined) {
      const near = nearest(text, [...tagHeaders, ...constantHeaders, ...tableHeaders])
      if (near !== undefined)
        return { fault: `"${text}" is not a column of a tag table; did you mean "${near}"?`, column: index }
      unknown.push(text.slice(0, 60))
      continue
    }
    if (Object.hasOwn(indexOf, field)) return { fault: `the column "${text}" stands twice`, column: index }
    indexOf[field] = index
  }
  const columns = Object.fromEntries(Object.entries(indexOf).map(([field, index]) => [field, index + 1]))
  const found = { indexOf, columns, width, unknown }
  const has = (field: string) => indexOf[field] !== undefined
  if (has('value') && has('logicalAddress'))
    return { fault: 'tags have a Logical Address, constants a Value; one sheet cannot have both' }
  if (has('name') && has('value')) return { kind: 'constants', ...found }
  if (has('name') && (has('dataType') || has('logicalAddress'))) return { kind: 'tags', ...found }
  if (has('path') && (has('unit') || has('accessibility'))) return { kind: 'tables', ...found }
  const wanted = `tags need ${tagHeaders.slice(0, 4).join(', ')} …, constants ${constantHeaders.join(', ')}`
  return { fault: `the columns for a tag table are missing: ${wanted}` }
}

/** True for the header of another table of TIA Portal: HMI tags. */
export function isHmiHeader(cells: readonly Cell[]): boolean {
  return cells.includes('Connection') && cells.includes('PLC tag')
}

/** Converts rows of cells to rows of fields. */
export class RowReader {
  readonly tags: TagRow[] = []
  readonly constants: ConstantRow[] = []
  readonly tables: TableRow[] = []
  readonly #faults: RowFaults
  #typeObjects = 0
  #units = 0

  constructor(faults: RowFaults) {
    this.#faults = faults
  }

  /** Reads one row; a row without text is skipped. */
  add(header: Header, cells: readonly Cell[], at: Omit<RowPlace, 'columns'>): void {
    if (cells.every((cell) => cell === null || cell === undefined || cell === '')) return
    const place: RowPlace = { ...at, columns: header.columns }
    this.#faults.begin()
    const text = (field: string): string | undefined => this.#text(header, cells, place, field)
    const extra = cells.findIndex((cell, i) => i >= header.width && cell !== '' && cell !== null && cell !== undefined)
    if (extra >= 0)
      this.#faults.add(
        { ...place, columns: { extra: extra + 1 } },
        'extra',
        `stands behind the last column (${header.width}); a text with the separator in it must be in quotes`,
        String(cells[extra]),
      )
    const path = splitPath(text('path')?.trim() ?? '')
    if (header.kind === 'tables') {
      if ((text('unit') ?? '') !== '' || (text('accessibility') ?? '') !== '') this.#units += 1
      if (path.table !== undefined) this.tables.push({ place, ...path, table: path.table })
      return
    }
    const name = text('name')?.trim() ?? ''
    if (name === '') this.#faults.add(place, 'name', 'the name is missing', '')
    const dataType = text('dataType')?.trim()
    if (dataType === '') this.#faults.add(place, 'dataType', 'the data type is missing, e.g. Bool, Int, Real', '')
    const row = {
      place,
      name,
      ...path,
      ...defined({ dataType }),
      ...this.#comments(header, text),
    }
    if (header.kind === 'constants') {
      const value = text('value')?.trim()
      if (this.#faults.isRight) this.constants.push({ ...row, ...defined({ value }) })
      return
    }
    if ((text('typeObject') ?? '') !== '' || (text('typeVersion') ?? '') !== '') this.#typeObjects += 1
    const logicalAddress = text('logicalAddress')?.trim()
    const flags = {
      ...this.#flag(header, cells, place, 'externalVisible'),
      ...this.#flag(header, cells, place, 'externalAccessible'),
      ...this.#flag(header, cells, place, 'externalWritable'),
    }
    if (this.#faults.isRight) this.tags.push({ ...row, ...defined({ logicalAddress }), ...flags })
  }

  /** What was read. */
  content(warnings: readonly string[] = []): ExchangeContent {
    const { faults, omitted, failed } = this.#faults
    return {
      tags: this.tags,
      constants: this.constants,
      tables: this.tables,
      faults,
      omitted,
      failed,
      warnings: [
        ...warnings,
        ...(this.#typeObjects > 0
          ? [
              `${counted(this.#typeObjects, 'tag names', 'tags name')} a library type (Typeobject ID, Version ID), which is not kept`,
            ]
          : []),
        ...(this.#units > 0
          ? [
              `${counted(this.#units, 'table belongs to a software unit or names', 'tables belong to a software unit or name')} an accessibility, which is not kept`,
            ]
          : []),
      ],
    }
  }

  #comments(header: Header, text: (field: string) => string | undefined): { comments?: Record<string, string> } {
    const comments: Record<string, string> = {}
    for (const field of Object.keys(header.indexOf)) {
      if (field === 'comment') comments[''] = text(field) ?? ''
      else if (field.startsWith('comment:')) comments[field.slice('comment:'.length)] = text(field) ?? ''
    }
    return Object.keys(comments).length === 0 ? {} : { comments }
  }

  #text(header: Header, cells: readonly Cell[], place: RowPlace, field: string): string | undefined {
    const index = header.indexOf[field]
    if (index === undefined) return undefined
    const cell = cells[index]
    if (cell === null || cell === undefined) return ''
    if (cell instanceof Date) {
      this.#faults.add(place, field, 'is a date; give the cell the format Text', cell.toISOString())
      return ''
    }
    if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
    const text = String(cell)
    return text === '<No Value>' ? '' : text
  }

  #flag(header: Header, cells: readonly Cell[], place: RowPlace, field: string): Record<string, boolean> {
    const index = header.indexOf[field]
    const cell = index === undefined ? undefined : cells[index]
    const text = cell === null || cell === undefined ? '' : String(cell).trim().toLowerCase()
    if (text === '') return {}
    if (/^(true|1|yes)$/.test(text)) return { [field]: true }
    if (/^(false|0|no)$/.test(text)) return { [field]: false }
    this.#faults.add(place, field, 'must be True or False', String(cell))
    return {}
  }
}
