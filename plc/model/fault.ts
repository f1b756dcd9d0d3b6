/**
 * Faults of files: what is wrong, where, what was found and what would be right. Readers report faults as data; a
 * caller turns them into the `errors[]` of a 422 problem.
 */

/** Stable codes of all faults that the readers and writers of block files report. */
export type FaultCode =
  | 'encoding'
  | 'xml-syntax'
  | 'xml-doctype'
  | 'xml-limit'
  | 'xml-root'
  | 'xml-structure'
  | 'xml-value'
  | 'xml-reference'
  | 'source-syntax'
  | 'source-structure'
  | 'source-limit'
  | 'edit'
  | 'unsupported'

/** One fault. `line` and `column` count from 1 (column in UTF-16 code units), `offset` from 0. */
export interface FormatFault {
  readonly code: FaultCode
  readonly message: string
  readonly line: number
  readonly column: number
  /** Offset in UTF-16 code units of the decoded text; in bytes when `code` is `encoding`. */
  readonly offset?: number
  /** Path of element names from the root for XML, the block's name for external sources. */
  readonly path?: string
  /** The place is in the `.s7res` file with the texts of a `.s7dcl` file. */
  readonly inTexts?: true
}

/** Thrown when nothing of a file can be used; contains every fault found (at least one). */
export class FormatError extends Error {
  readonly faults: readonly FormatFault[]
  constructor(faults: readonly FormatFault[]) {
    const first = faults[0]
    super(first === undefined ? 'unreadable file' : `${first.line}:${first.column}: ${first.message}`)
    this.name = 'FormatError'
    this.faults = faults
  }
}

/** Thrown when an edit names something that does not exist. */
export class UnknownNameError extends Error {
  /** What was searched for: `member`, `Input member`. */
  readonly kind: string
  readonly unknownName: string
  /** The names that exist. */
  readonly known: readonly string[]
  constructor(kind: string, unknownName: string, known: readonly string[]) {
    super(`There is no ${kind} "${unknownName}".`)
    this.name = 'UnknownNameError'
    this.kind = kind
    this.unknownName = unknownName
    this.known = known
  }
}

/** Finds line and column (from 1) of offsets in a text; lines end with LF (a CR before it belongs to the line). */
export class LineIndex {
  readonly #starts: number[] = [0]
  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  /** Position of an offset; offsets after the end give the last line. */
  at(offset: number): { line: number; column: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 }
  }
}
