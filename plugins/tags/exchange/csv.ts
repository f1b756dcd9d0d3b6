/**
 * Tag tables as CSV: the columns of TIA Portal's spreadsheet (docs/formats.md#tag-tables-as-files), separated by `,`,
 * `;` or TAB, RFC 4180 quoting.
 */
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { problem } from '../../../core/index.ts'
import {
  type Cell,
  type Header,
  type HeaderFault,
  headerCells,
  isHeader,
  isHmiHeader,
  RowReader,
  readHeader,
} from './columns.ts'
import { type ExchangeContent, maxRows, type RowFaults, type RowProgress, tooManyRows } from './content.ts'

const delimiters = [',', ';', '\t'] as const

/**
 * Reads a CSV text. It may contain tags and then constants, each with a header row.
 * @throws GatewayError `unacceptable_content` when the text is not CSV with tags: header, quoting, too many rows
 */
export function readCsv(text: string, faults: RowFaults, progress: RowProgress): ExchangeContent {
  const separator = /^sep=(.)\r?\n/i.exec(text)
  const body = separator ? text.slice(separator[0].length) : text
  const delimiter = separator?.[1] ?? delimiterOf(body)
  const reader = new RowReader(faults)
  const warnings = new Set<string>()
  let header: Header | undefined
  let line = separator ? 2 : 1
  let failure: { error: CsvError; line: number } | undefined
  const bytes = Buffer.from(body)
  let end = 0
  let records = 0
  const onRecord = (cells: string[], info: Info): null => {
    const start = line
    line += lineEnds(bytes, end, info.bytes)
    end = info.bytes
    if (header === undefined || isHeader(cells)) header = requireHeader(cells, start, warnings)
    else reader.add(header, cells as Cell[], { line: start })
    records += 1
    if (records > maxRows) throw tooManyRows()
    if (records % 1000 === 0) progress(records)
    return null
  }
  // csv-parse creates an error object for each row whose length differs from the first; its stack is the costly part.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    parse(bytes, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: 1_000_000,
      on_record: onRecord,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    failure = { error, line }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  if (failure) throw quoteProblem(failure.error, failure.line)
  if (header === undefined)
    throw problem('unacceptable_content', 'The file is empty: a header row and rows of tags are expected.')
  return reader.content([...warnings])
}

function requireHeader(cells: readonly string[], line: number, warnings: Set<string>): Header {
  const header: Header | HeaderFault = isHmiHeader(cells)
    ? { fault: 'these are tags of an HMI device, not of a PLC' }
    : readHeader(cells)
  if (!('fault' in header)) {
    for (const name of header.unknown) warnings.add(`the column "${name}" is not one of a tag table; it was left out`)
    return header
  }
  const message = header.fault
  throw problem('unacceptable_content', `Line ${line}: ${message}.`, {
    errors: [{ line, message, ...(header.column === undefined ? {} : { column: header.column + 1 }) }],
  })
}

/** The separator that gives the most headers in the first line, or else the most fields. */
function delimiterOf(text: string): string {
  const first = /^[\r\n]*([^\r\n]*)/.exec(text.slice(0, 10_000))?.[1] ?? ''
  const score = (delimiter: string) => {
    const cells = first.split(delimiter).map((cell) => cell.replace(/^\s*"(.*)"\s*$/, '$1'))
    return headerCells(cells) * 1000 + Math.min(cells.length, 999)
  }
  return delimiters.reduce((best, one) => (score(one) > score(best) ? one : best))
}

function quoteProblem(error: CsvError, line: number) {
  const message =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? `a field that starts with a quote in the row of line ${line} is not closed`
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? `the row of line ${line} has more than a million characters: is a quote missing?`
        : `a quote stands inside a field in the row of line ${line}; in a quoted field it is written twice`
  const column = typeof error.column === 'number' ? { column: error.column + 1 } : {}
  return problem('unacceptable_content', `Line ${line}: ${message}.`, { errors: [{ line, ...column, message }] })
}

function lineEnds(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (bytes[i] === 10 || (bytes[i] === 13 && bytes[i + 1] !== 10)) count++
  return count
}

/** Writes sections of rows as CSV: each with its header, separated by an empty line, CRLF (RFC 4180). */
export function writeCsv(sections: readonly (readonly (readonly string[])[])[], delimiter: string): string {
  const texts = sections.map((rows) =>
    stringify(rows as string[][], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }),
  )
  return texts.join('\r\n')
}
