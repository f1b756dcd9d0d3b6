/**
 * The content of an exchange file (CSV, `.sdf`, `.asc`, xlsx, JSON), before it is checked against a project: rows with
 * their positions. It is plain data, so that it can be sent to and from the engine.
 */
import { defined, type Fault, problem } from '../../../core/index.ts'

/** Position of a row. */
export interface RowPlace {
  /** Name of the sheet in a workbook. */
  readonly sheet?: string
  /** Line of a text, or row of a sheet, from 1. */
  readonly line?: number
  /** JSON pointer of a row in a JSON text. */
  readonly path?: string
  /** Column (from 1) of each field, used in faults. */
  readonly columns?: Readonly<Record<string, number>>
}

/**
 * Comments by culture; the key `''` is the only language of the file. An absent key: the file does not contain the
 * comment.
 */
export type RowComments = Readonly<Record<string, string>>

interface Row {
  readonly place: RowPlace
  readonly name: string
  /** Folders and table. Absent or empty: the table in the request. */
  readonly folder?: string
  readonly table?: string
  readonly dataType?: string
  readonly comments?: RowComments
}

/** A tag. An absent field is not in the file: it is not changed, or has its default in a new tag. */
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

/** A table named in a file, even when it has no rows. */
export interface TableRow {
  readonly place: RowPlace
  readonly folder?: string
  readonly table: string
}

/** The content of an exchange file. */
export interface ExchangeContent {
  readonly tags: readonly TagRow[]
  readonly constants: readonly ConstantRow[]
  readonly tables: readonly TableRow[]
  /** Faults of rows, at most `maxFaults`. A row with a fault is in none of the lists above. */
  readonly faults: readonly Fault[]
  /** Number of faults beyond `maxFaults`. */
  readonly omitted: number
  /** Number of rows with faults; a row may have several. */
  readonly failed: number
  readonly warnings: readonly string[]
}

/** Maximum number of faults in a problem; the others are counted. */
export const maxFaults = 1000
/** Names the rows of a request body, in place of a file's path. */
export const requestRows = 'request'
/** Maximum number of rows in an import: more do not fit into a PLC. */
export const maxRows = 250_000

/** Called with the number of rows from time to time; it throws to stop the work. */
export type RowProgress = (rows: number) => void

/** The error for more rows than `maxRows`. */
export function tooManyRows() {
  return problem('payload_too_large', `The file has more than ${maxRows} rows; that is the limit of one import.`)
}

/** Maximum size of a text file in bytes: about 250 for each row. */
export const maxTextBytes = 64 * 1024 * 1024

/**
 * Splits a `Path` cell into folders and table: `Folder\Sub\Table`; a leading `\` is allowed
 * (docs/formats.md#tag-tables-as-files).
 */
export function splitPath(path: string): { folder?: string; table?: string } {
  const parts = path
    .split('\\')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const table = parts.pop()
  if (table === undefined) return {}
  // `/` separates folders in this gateway, so it cannot be in the name of a folder.
  const folder = parts.map((part) => part.replaceAll('/', '_')).join('/')
  return folder === '' ? { table } : { folder, table }
}

/** The `Path` cell of a table: folders and table, separated by `\`. */
export function pathOf(folder: string, table: string): string {
  return [...folder.split('/').filter((part) => part !== ''), table].join('\\')
}

/** Collects faults up to `maxFaults`. */
export class RowFaults {
  readonly faults: Fault[] = []
  omitted = 0
  /** Number of rows with faults. */
  failed = 0
  #isRight = true

  /** Begins a row: its faults count as one row. */
  begin(): void {
    this.#isRight = true
  }

  /** True while the row has no fault. */
  get isRight(): boolean {
    return this.#isRight
  }

  add(place: RowPlace, field: string | undefined, message: string, value?: unknown, more: Partial<Fault> = {}): void {
    if (this.#isRight) this.failed += 1
    this.#isRight = false
    if (this.faults.length >= maxFaults) {
      this.omitted += 1
      return
    }
    const column = field === undefined ? undefined : place.columns?.[field]
    const pointer = place.path === undefined ? undefined : field === undefined ? place.path : `${place.path}/${field}`
    this.faults.push({
      ...defined({ path: pointer, sheet: place.sheet, line: place.line, column }),
      message,
      ...defined({ value }),
      ...more,
    })
  }
}
