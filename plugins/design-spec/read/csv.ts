/**
 * Reads the text of a design spec into rows by section.
 *
 * Fields are separated by `;`, otherwise with the quoting of RFC 4180. The reader accepts UTF-8 with or without byte
 * order mark, CRLF, LF or CR, quoted line breaks, blank lines, and empty columns at the end (Excel writes them). It
 * checks the shape only: sections, headers, number of fields.
 */
import { isUtf8 } from 'node:buffer'
import type { CsvError, Info } from 'csv-parse'
import { defined, nearest } from '../../../core/index.ts'
import type { FaultCollector, RowPlace } from '../model/faults.ts'
import { findSection, headerText, SECTIONS, type SectionLayout, type SectionName } from './layout.ts'

/** One row of a section: its values by column name. The value of a missing column is an empty string. */
export interface SpecRow extends RowPlace {
  readonly section: SectionName
  readonly values: Readonly<Record<string, string>>
}

/** One section of the file. */
export interface SpecTable {
  readonly section: SectionName
  /** Position of the section line. */
  readonly place: RowPlace
  /** False when the header could not be used: the rows are unknown, and references to them must not be checked. */
  readonly readable: boolean
  readonly rows: readonly SpecRow[]
}

/** The sections found, by name. */
export type SpecTables = ReadonlyMap<SectionName, SpecTable>

/** Options of {@link readSpecTables}. */
export interface ReadOptions {
  /** Part of a separate load, named in each fault. */
  readonly part?: string
  /** Section to assume when the text starts with the header of a section instead of a section line. */
  readonly impliedSection?: SectionName
}

interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

const NO_COLUMNS: Readonly<Record<string, number>> = {}
const LF = 0x0a
const CR = 0x0d

/**
 * Reads a spec (or one part of it) into tables. Faults of shape are added to `faults`. Readable rows are returned even
 * then, so that later rules find their faults in the same pass.
 */
export async function readSpecTables(
  text: string | Uint8Array,
  faults: FaultCollector,
  options: ReadOptions = {},
): Promise<SpecTables> {
  const bytes = decodeBytes(text, faults, options)
  if (bytes === undefined || reportSeparator(bytes, faults, options)) return new Map()
  return splitSections(await readRecords(bytes, faults, options), faults, options)
}

function placeAt(line: number, options: ReadOptions, section = ''): RowPlace {
  return { section, line, columnNumbers: NO_COLUMNS, ...defined({ part: options.part }) }
}

/**
 * Removes the byte order mark; undefined when the bytes are not UTF-8 (at most one fault for each line is reported).
 */
function decodeBytes(text: string | Uint8Array, faults: FaultCollector, options: ReadOptions): Buffer | undefined {
  const bytes =
    typeof text === 'string' ? Buffer.from(text, 'utf8') : Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (utf16) {
    faults.add(placeAt(1, options), 'not_utf8', 'The text is UTF-16; save it as UTF-8.', {
      value: bytes.subarray(0, 2).toString('hex').toUpperCase(),
      allowed: 'UTF-8, with or without byte order mark',
    })
    return undefined
  }
  if (!isUtf8(bytes)) {
    reportBadLines(bytes, faults, options)
    return undefined
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? bytes.subarray(3) : bytes
}

function reportBadLines(bytes: Buffer, faults: FaultCollector, options: ReadOptions): void {
  let line = 1
  for (let start = 0; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(LF, start)
    const end = newline < 0 ? bytes.length : newline
    const content = bytes.subarray(start, end)
    if (!isUtf8(content)) {
      faults.add(
        placeAt(line, options),
        'not_utf8',
        `Line ${line} holds bytes that are not UTF-8; save the file as UTF-8.`,
        {
          value: content.toString('latin1').trim(),
          allowed: 'UTF-8, with or without byte order mark',
        },
      )
    }
    start = end + 1
  }
}

/** Separators of tables that are no specs, with their names. */
const otherSeparators = [
  [',', 'commas'],
  ['\t', 'tabs'],
  ['|', 'bars'],
] as const

/**
 * Reports a table with another separator than the semicolon: true when the first header is one with it. Everything
 * else in such a file would be a fault that only follows from this one.
 */
function reportSeparator(bytes: Buffer, faults: FaultCollector, options: ReadOptions): boolean {
  let layout = options.impliedSection === undefined ? undefined : findSection(options.impliedSection)
  // The header is the second line of a spec; a few blank ones are allowed around it.
  const lines = bytes
    .subarray(0, 16 * 1024)
    .toString('utf8')
    .split(/\r\n|\n|\r/, 50)
  for (const [index, text] of lines.entries()) {
    const title = /^\s*"?\[(.*?)\]"?[\s,;|]*$/.exec(text)?.[1]
    if (title !== undefined) layout = findSection(title)
    if (title !== undefined || layout === undefined || text.trim() === '') continue
    const found = otherSeparators.find(([separator]) => {
      const cells = text.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
      return cells.length > 1 && !text.includes(';') && looksLikeHeader(cells, layout!)
    })
    if (found === undefined) return false
    const message = `The fields are separated by ${found[1]}; a design spec separates them with semicolons (;). In Excel, save as "CSV UTF-8" where the list separator is a semicolon, or replace the separators.`
    faults.add(placeAt(index + 1, options, layout.name), 'separator_wrong', message, {
      columnNumber: 1,
      value: text,
      allowed: headerText(layout),
    })
    return true
  }
  return false
}

/** Thrown inside csv-parse to leave it at the first fault: its state is not usable after a fault. */
class StopReading extends Error {}

/**
 * Splits the bytes into records. After a quoting fault, reading continues with the next line of the file, so that one
 * wrong quote does not hide the other faults.
 */
async function readRecords(bytes: Buffer, faults: FaultCollector, options: ReadOptions): Promise<CsvRecord[]> {
  const { parse } = await import('csv-parse/sync')
  const records: CsvRecord[] = []
  let start = 0
  let line = 1
  let quoteFaults = 0
  let unclosed = 0
  while (start < bytes.length) {
    const base = start
    let failure: CsvError | undefined
    // csv-parse creates an error object for each row whose length differs from the first; its stack is the costly part.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    try {
      parse(bytes.subarray(base), {
        delimiter: ';',
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        trim: true,
        skip_records_with_error: true,
        on_record: (cells: string[], context: Info) => {
          records.push({ line, cells })
          const end = base + context.bytes
          // csv-parse counts a CRLF inside quotes twice, so lines are counted from the bytes.
          line += countLineEnds(bytes, start, end)
          start = end
          return null
        },
        on_skip: (error) => {
          failure = error
          throw new StopReading()
        },
      })
    } catch (error) {
      if (!(error instanceof StopReading)) throw error
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
    if (failure === undefined) break
    quoteFaults += 1
    reportQuote(failure, line, bytes, start, faults, options)
    if (failure.code === 'CSV_QUOTE_NOT_CLOSED') unclosed += 1
    // A file with this many faults is not CSV. A quote without an end reads to the end of the file, so only a few are
    // allowed.
    if (quoteFaults >= 200 || unclosed >= 3) break
    start = endOfLine(bytes, start)
    line += 1
  }
  return records
}

function reportQuote(
  error: CsvError,
  line: number,
  bytes: Buffer,
  start: number,
  faults: FaultCollector,
  options: ReadOptions,
): void {
  const unclosed = error.code === 'CSV_QUOTE_NOT_CLOSED'
  const index = typeof error.column === 'number' ? error.column : 0
  const message = unclosed
    ? `A quoted field of the row on line ${line} is not closed.`
    : `A quote stands inside a field of the row on line ${line}; a quote in a quoted field is written twice.`
  faults.add(placeAt(line, options), 'csv_quote', message, {
    columnNumber: index + 1,
    value: bytes.subarray(start, endOfLine(bytes, start)).toString('utf8').trimEnd(),
    allowed: 'a field without quotes, or a field in quotes with inner quotes doubled',
  })
}

function countLineEnds(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i]
    if (byte === LF || (byte === CR && bytes[i + 1] !== LF)) count += 1
  }
  return count
}

/** Offset after the line end that follows `from`. */
function endOfLine(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i += 1) {
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) return i + 1
  }
  return bytes.length
}

/** A section while its lines are read. */
interface OpenSection {
  readonly layout: SectionLayout
  readonly place: RowPlace
  header: 'expected' | 'read' | 'unusable'
  columns: readonly string[]
  columnNumbers: Readonly<Record<string, number>>
  readonly rows: SpecRow[]
}

function splitSections(records: readonly CsvRecord[], faults: FaultCollector, options: ReadOptions): SpecTables {
  const open = new Map<SectionName, OpenSection>()
  let current: OpenSection | 'none' | 'unknown' = 'none'
  for (const record of records) {
    const cells = withoutEmptyEnd(record.cells)
    if (cells.length === 0) continue
    const title = sectionTitle(cells)
    if (title !== undefined) {
      current = startSection(title, record.line, open, faults, options)
      continue
    }
    if (current === 'none') {
      const implied = options.impliedSection === undefined ? undefined : findSection(options.impliedSection)
      if (implied === undefined || !looksLikeHeader(cells, implied)) {
        reportOutside(cells, record.line, faults, options)
        current = 'unknown' // one report for the block of rows
        continue
      }
      current = startSection(implied.name, record.line, open, faults, options)
    }
    if (current === 'unknown') continue
    if (current.header === 'expected') {
      const wasHeader = readHeader(current, cells, record.line, faults, options)
      if (wasHeader) continue
    }
    if (current.header === 'read') addRow(current, cells, record.line, faults, options)
  }
  const tables = new Map<SectionName, SpecTable>()
  for (const [name, section] of open) {
    if (section.header === 'expected') {
      faults.add(section.place, 'header_missing', `[${name}] has no header line.`, {
        allowed: headerText(section.layout),
      })
    }
    tables.set(name, { section: name, place: section.place, readable: section.header === 'read', rows: section.rows })
  }
  return tables
}

function withoutEmptyEnd(cells: readonly string[]): string[] {
  let length = cells.length
  while (length > 0 && cells[length - 1]!.trim() === '') length -= 1
  return cells.slice(0, length)
}

function sectionTitle(cells: readonly string[]): string | undefined {
  if (cells.length !== 1) return undefined
  return /^\[(.*)\]$/s.exec(cells[0]!.trim())?.[1]?.trim()
}

function startSection(
  title: string,
  line: number,
  open: Map<SectionName, OpenSection>,
  faults: FaultCollector,
  options: ReadOptions,
): OpenSection | 'unknown' {
  const layout = findSection(title)
  const names = SECTIONS.map((section) => section.name)
  if (layout === undefined) {
    const suggestion = nearest(title, names)
    const hint = suggestion === undefined ? '' : ` Did you mean [${suggestion}]?`
    faults.add(placeAt(line, options), 'section_unknown', `[${title}] is no section of a design spec.${hint}`, {
      value: title,
      allowed: names,
      suggestion,
    })
    return 'unknown'
  }
  const place = placeAt(line, options, layout.name)
  const earlier = open.get(layout.name)
  if (earlier !== undefined) {
    const message = `[${layout.name}] is started again; it already stands on line ${earlier.place.line}.`
    faults.add(place, 'section_duplicate', message, { value: title, allowed: 'each section once' })
  }
  const section: OpenSection = {
    layout,
    place,
    header: 'expected',
    columns: [],
    columnNumbers: NO_COLUMNS,
    rows: earlier?.rows ?? [],
  }
  open.set(layout.name, section)
  return section
}

function reportOutside(cells: readonly string[], line: number, faults: FaultCollector, options: ReadOptions): void {
  faults.add(
    placeAt(line, options),
    'row_outside_section',
    'The row stands in no section; a section starts with its name in square brackets.',
    {
      columnNumber: 1,
      value: cells.join(';'),
      allowed: SECTIONS.map((section) => `[${section.name}]`),
    },
  )
}

function allColumns(layout: SectionLayout): string[] {
  const first = layout.optionalFirst === undefined ? [] : [layout.optionalFirst]
  return [...first, ...layout.columns, ...(layout.optional ?? [])]
}

function findColumn(layout: SectionLayout, cell: string): string | undefined {
  return allColumns(layout).find((column) => column.toLowerCase() === cell.trim().toLowerCase())
}

/** A header contains the names of at least half of the columns; a line with fewer is a row of data. */
function looksLikeHeader(cells: readonly string[], layout: SectionLayout): boolean {
  const known = cells.filter((cell) => findColumn(layout, cell) !== undefined)
  return known.length * 2 >= layout.columns.length
}

/** Returns true when the line is a header, with or without faults. */
function readHeader(
  section: OpenSection,
  cells: readonly string[],
  line: number,
  faults: FaultCollector,
  options: ReadOptions,
): boolean {
  const { layout } = section
  const place = placeAt(line, options, layout.name)
  const allowed = headerText(layout)
  if (!looksLikeHeader(cells, layout)) {
    faults.add(place, 'header_missing', `The header of [${layout.name}] is missing; it is ${allowed}.`, {
      columnNumber: 1,
      value: cells.join(';'),
      allowed,
    })
    useColumns(section, layout.columns)
    // A line that contains only words is a header in another language; a data row has a direction, a number or a flag.
    return cells.every((cell) => /^[\p{L} _-]+$/u.test(cell) && !/^(in|out|true|false)$/i.test(cell.trim()))
  }
  const columns = cells.map((cell) => findColumn(layout, cell) ?? '')
  const sound = judgeColumns(columns, cells, layout, place, faults)
  if (sound) useColumns(section, columns)
  else section.header = 'unusable'
  return true
}

function useColumns(section: OpenSection, columns: readonly string[]): void {
  section.columns = columns
  section.columnNumbers = Object.fromEntries(columns.map((column, index) => [column, index + 1]))
  section.header = 'read'
}

/** Returns true when rows can be read with these columns. A wrong order alone is reported, and the rows are read. */
function judgeColumns(
  columns: readonly string[],
  cells: readonly string[],
  layout: SectionLayout,
  place: RowPlace,
  faults: FaultCollector,
): boolean {
  const before = faults.count
  const all = allColumns(layout)
  columns.forEach((column, index) => {
    const value = cells[index]!.trim()
    if (column === '') {
      const suggestion = nearest(value, all)
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
      const message = `[${layout.name}] has no column "${value}".${hint}`
      faults.add(place, 'column_unknown', message, { columnNumber: index + 1, value, allowed: all, suggestion })
    } else if (columns.indexOf(column) < index) {
      const message = `[${layout.name}] names the column ${column} twice.`
      faults.add(place, 'column_duplicate', message, {
        column,
        columnNumber: index + 1,
        value,
        allowed: headerText(layout),
      })
    }
  })
  for (const [index, column] of layout.columns.entries()) {
    if (columns.includes(column)) continue
    const message = `[${layout.name}] lacks the column ${column}.`
    faults.add(place, 'column_missing', message, {
      column,
      columnNumber: index + 1,
      value: cells.join(';'),
      allowed: headerText(layout),
    })
  }
  if (faults.count > before) return false
  const first = layout.optionalFirst
  const expected = first !== undefined && columns.includes(first) ? [first, ...layout.columns] : layout.columns
  const wrong = expected.findIndex((column, index) => columns[index] !== column)
  if (wrong >= 0) {
    const message = `Column ${wrong + 1} of [${layout.name}] must be ${expected[wrong]}, not ${columns[wrong]}.`
    faults.add(place, 'column_order', message, {
      column: columns[wrong]!,
      columnNumber: wrong + 1,
      value: cells.join(';'),
      allowed: expected.join(';'),
    })
  }
  return true
}

function addRow(
  section: OpenSection,
  cells: readonly string[],
  line: number,
  faults: FaultCollector,
  options: ReadOptions,
): void {
  const values: Record<string, string> = {}
  section.columns.forEach((column, index) => {
    values[column] = cells[index] ?? ''
  })
  const row: SpecRow = {
    section: section.layout.name,
    line,
    columnNumbers: section.columnNumbers,
    values,
    ...defined({ part: options.part }),
  }
  section.rows.push(row)
  if (cells.length > section.columns.length) {
    const message = `The row has ${cells.length} fields, the header ${section.columns.length}; a field that contains ";" must be quoted.`
    faults.add(row, 'row_too_long', message, {
      columnNumber: section.columns.length + 1,
      value: cells.slice(section.columns.length).join(';'),
      allowed: `${section.columns.length} fields`,
    })
  }
}
