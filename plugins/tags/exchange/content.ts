/** What an exchange file (CSV, `.sdf`, xlsx, JSON) holds, before it meets a project: rows with their place. Plain data, so that it crosses to and from the engine. */
import { type Fault, problem } from '../../../core/index.ts'

/** Where a row stands. */
export interface RowPlace {
  /** Sheet of a workbook. */
  readonly sheet?: string
  /** Line of a text, row of a sheet, from 1. */
  readonly line?: number
  /** JSON pointer of a row in a JSON text. */
  readonly path?: string
  /** Column (from 1) of each field, for faults. */
  readonly columns?: Readonly<Record<string, number>>
}

/** Comments by culture; `''` is the file's one language. An absent key: the file says nothing. */
export type RowComments = Readonly<Record<string, string>>

interface Row {
  readonly place: RowPlace
  readonly name: string
  /** Folders and table. Absent or empty: the table that the client named. */
  readonly folder?: string
  readonly table?: string
  readonly dataType?: string
  readonly comments?: RowComments
}

/** A tag. What is absent is not in the file: it stays as it is, or gets its default. */
export interface TagRow extends Row {
  readonly logicalAddress?: string
  readonly externalVisible?: boolean
  readonly externalAccessible?: boolean
  readonly externalWritable?: boolean
}

/** A user constant. */
export interface ConstantRow extends Row {
  readonly value?: string
}

/** A table that a file names, also when it holds no row. */
export interface TableRow {
  readonly place: RowPlace
  readonly folder?: string
  readonly table: string
}

export interface ExchangeContent {
  readonly tags: readonly TagRow[]
  readonly constants: readonly ConstantRow[]
  readonly tables: readonly TableRow[]
  /** Of single rows; at most `maxFaults`. A row with a fault is in none of the lists above. */
  readonly faults: readonly Fault[]
  /** Faulty rows that `faults` has no room for. */
  readonly omitted: number
  readonly warnings: readonly string[]
}

/** A problem has at most this many faults; the rest is counted. */
export const maxFaults = 1000
/** An import takes at most this many rows: a PLC has no room for more. */
export const maxRows = 250_000

/** Told the number of rows now and then; throws to stop. */
export type RowProgress = (rows: number) => void

/** The error for more rows than `maxRows`. */
export function tooManyRows() {
  return problem('payload_too_large', `The file has more than ${maxRows} rows; that is the limit of one import.`)
}

/** A text file has at most this many bytes: 250 a row. */
export const maxTextBytes = 64 * 1024 * 1024

/**
 * Folders and table of a `Path` cell: `Folder\Sub\Table`; a leading `\` is taken too
 * (docs/formats.md#tag-tables-as-files).
 */
export function splitPath(path: string): { folder?: string; table?: string } {
  const parts = path
    .split('\\')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const table = parts.pop()
  if (table === undefined) return {}
  // `/` separates folders in this gateway; within the name of a folder it cannot stand.
  const folder = parts.map((part) => part.replaceAll('/', '_')).join('/')
  return folder === '' ? { table } : { folder, table }
}

/** The `Path` cell of a table: folders and table, `\` between them. */
export function pathOf(folder: string, table: string): string {
  return [...folder.split('/').filter((part) => part !== ''), table].join('\\')
}

/** Collects faults up to the bound. */
export class RowFaults {
  readonly faults: Fault[] = []
  omitted = 0

  add(place: RowPlace, field: string | undefined, message: string, value?: unknown, more: Partial<Fault> = {}): void {
    if (this.faults.length >= maxFaults) {
      this.omitted += 1
      return
    }
    const column = field === undefined ? undefined : place.columns?.[field]
    const pointer = place.path === undefined ? undefined : field === undefined ? place.path : `${place.path}/${field}`
    this.faults.push({
      ...(pointer === undefined ? {} : { path: pointer }),
      ...(place.sheet === undefined ? {} : { sheet: place.sheet }),
      ...(place.line === undefined ? {} : { line: place.line }),
      ...(column === undefined ? {} : { column }),
      message,
      ...(value === undefined ? {} : { value }),
      ...more,
    })
  }
}
