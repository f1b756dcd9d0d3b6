/**
 * Tag tables as TIA Portal's workbook (docs/formats.md#tag-tables-as-files): sheets `PLC Tags`, `Constants`,
 * `TagTable Properties`.
 */
import { readXlsx, streamXlsxRows, writeXlsx } from 'hucre/xlsx'
import { problem } from '../../../core/index.ts'
import { zipFault } from '../../../lib/zip-faults.ts'
import { type Cell, type Header, isHmiHeader, RowReader, readHeader } from './columns.ts'
import { type ExchangeContent, maxRows, type RowFaults, type RowProgress, tooManyRows } from './content.ts'
import { boundedArchive } from './zip-bounds.ts'

/** Maximum number of cells in all rows: a row with one cell in the last column is 16384 cells wide. */
const maxCells = 8_000_000
/** The header is in the first rows of a sheet; there may be titles above it. */
const headerWithin = 10

/**
 * Reads a workbook. The header decides what a sheet contains, not its name; other sheets are ignored.
 * @throws GatewayError `unacceptable_content`, `payload_too_large` when it is not a workbook, or contains no tag table
 */
export async function readWorkbook(
  bytes: Uint8Array,
  faults: RowFaults,
  progress: RowProgress,
): Promise<ExchangeContent> {
  const archive = await boundedArchive(bytes)
  const names = await sheetNames(archive)
  const reader = new RowReader(faults)
  const warnings: string[] = []
  const left: string[] = []
  let found = 0
  let cells = 0
  let records = 0
  for (const [index, sheet] of names.entries()) {
    let header: Header | undefined
    let refused: string | undefined
    let seen = 0
    for await (const row of rowsOf(archive, index, sheet)) {
      cells += row.values.length
      if (cells > maxCells)
        throw problem('payload_too_large', `The workbook has more than ${maxCells} cells (sheet "${sheet}").`)
      if (header) {
        reader.add(header, row.values as Cell[], { sheet, line: row.index + 1 })
        records += 1
        if (records > maxRows) throw tooManyRows()
        if (records % 1000 === 0) progress(records)
        continue
      }
      const filled = (row.values as Cell[]).some((cell) => cell !== '' && cell !== null && cell !== undefined)
      if (!filled) continue
      if (isHmiHeader(row.values as Cell[])) {
        refused = 'holds tags of an HMI device, not of a PLC'
        break
      }
      const tried = readHeader(row.values as Cell[])
      if (!('fault' in tried)) header = tried
      else
        refused ??= `row ${row.index + 1}${tried.column === undefined ? '' : `, column ${tried.column + 1}`}: ${tried.fault}`
      seen += 1
      if (!header && seen >= headerWithin) break
    }
    if (header) {
      found += 1
      for (const name of header.unknown)
        warnings.push(`sheet "${sheet}": the column "${name}" is not one of a tag table; it was left out`)
    } else if (refused !== undefined) left.push(`sheet "${sheet}" ${refused}`)
  }
  if (found === 0) throw noTags(names, left)
  return reader.content([...warnings, ...left.map((reason) => `${reason}; it was left out`)])
}

function noTags(names: readonly string[], left: readonly string[]) {
  const reason = left[0] ?? (names.length === 0 ? 'the workbook has no sheet' : 'its sheets are empty')
  return problem('unacceptable_content', `The workbook holds no tags or constants: ${reason}.`, {
    errors: left.length > 0 ? left.map((message) => ({ message })) : [{ message: reason }],
    suggestion:
      'The first row names the columns: Name, Path, Data Type, Logical Address, Comment … or, of constants, Name, Path, Data Type, Value, Comment.',
  })
}

async function sheetNames(archive: Uint8Array): Promise<string[]> {
  const names: string[] = []
  await guarded(async () =>
    readXlsx(archive, {
      sheets: ({ name }) => {
        names.push(name)
        return false
      },
    }),
  )
  return names
}

async function* rowsOf(archive: Uint8Array, index: number, sheet: string) {
  const rows = streamXlsxRows(archive, { sheet: index })
  for (;;) {
    const next = await guarded(() => rows.next(), sheet)
    if (next.done === true) return
    yield next.value
  }
}

/** Any error of the library is a fault of the file, because its bytes come from a client. */
async function guarded<T>(work: () => Promise<T>, sheet?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const where = sheet === undefined ? '' : ` (sheet "${sheet}")`
    throw problem('unacceptable_content', `The workbook cannot be read${where}: ${zipFault(error)}.`, { cause: error })
  }
}

/** A sheet to write: its name and its rows, starting with the header. */
export interface SheetToWrite {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

/**
 * Writes a workbook. All cells are shared strings, and `TIA_Version` marks it as a workbook of tags, as in TIA Portal's
 * own.
 * @param modifiedAt milliseconds since the epoch, an argument so that the same tables give the same file
 */
export async function writeWorkbook(sheets: readonly SheetToWrite[], modifiedAt: number): Promise<Uint8Array> {
  return writeXlsx({
    sheets: sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => [...row]) })),
    properties: { modified: new Date(modifiedAt), custom: { TIA_Version: '1.0' } },
  })
}
