/**
 * The headers of a program's documents, as the gateway sends them to the engine: all of them, or only those changed
 * since the last time.
 */
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'

/** A document without its text. */
export interface DocumentHeader extends Omit<StoredDocument, 'text' | 'callees'> {
  /** Blob of the text. */
  readonly document: string
  /** Blob of its unit from the last compilation. */
  readonly unit?: string | undefined
  /** `interfaces` of its last compilation, if that was of this document. */
  readonly interfaces?: string | undefined
  /** Its last compilation had no messages. */
  readonly isClean?: boolean | undefined
}

/** Changes of a list of headers that both sides have. */
export interface ChangedHeaders {
  /** `ToldHeaders.state`. */
  readonly since: string
  /** By place in the list. */
  readonly changed: readonly (readonly [place: number, header: DocumentHeader])[]
}

/** Headers that the engine has, under the name that it gave them. */
export interface ToldHeaders {
  readonly state: string
  readonly headers: readonly DocumentHeader[]
}

/** The part of these headers that the engine does not have. */
export function headersToSend(
  headers: readonly DocumentHeader[],
  told: ToldHeaders | undefined,
): readonly DocumentHeader[] | ChangedHeaders {
  if (told?.headers.length !== headers.length) return headers
  const before = told.headers
  const changed = [...headers.entries()].filter(([i, header]) => !isSameHeader(header, before[i] as DocumentHeader))
  return { since: told.state, changed }
}

/** The headers after these changes. Unchanged ones stay the same objects. */
export function withChanges(headers: readonly DocumentHeader[], { changed }: ChangedHeaders): DocumentHeader[] {
  const now = [...headers]
  for (const [place, header] of changed) now[place] = header
  return now
}

/** True when both headers describe the same text, read as the same kind of object. */
export function isSameDocument(a: DocumentHeader, b: DocumentHeader): boolean {
  return (
    a.document === b.document &&
    a.format === b.format &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.number === b.number &&
    a.autoNumber === b.autoNumber &&
    a.secondaryType === b.secondaryType &&
    a.engineeringVersion === b.engineeringVersion &&
    a.culture === b.culture
  )
}

function isSameHeader(a: DocumentHeader, b: DocumentHeader): boolean {
  return isSameDocument(a, b) && a.unit === b.unit && a.interfaces === b.interfaces && a.isClean === b.isClean
}
