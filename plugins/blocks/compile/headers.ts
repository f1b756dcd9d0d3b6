/**
 * The headers of a program's documents, as the gateway tells them to the engine: all of them, or only what has changed
 * since the engine was told the last time.
 */
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'

/** A document without its text. */
export interface DocumentHeader extends Omit<StoredDocument, 'text' | 'instances'> {
  /** Blob of the text. */
  readonly document: string
  /** Blob of what it was compiled to before. */
  readonly unit?: string | undefined
  /** `interfaces` of its last compilation, when it was that of this document. */
  readonly interfaces?: string | undefined
  /** Its last compilation had no messages. */
  readonly isClean?: boolean | undefined
}

/** What has changed in a list of headers that both sides have. */
export interface ChangedHeaders {
  /** `ToldHeaders.state`. */
  readonly since: string
  /** By place in the list. */
  readonly changed: readonly (readonly [place: number, header: DocumentHeader])[]
}

/** Headers that the engine was told, under the name that it gave them. */
export interface ToldHeaders {
  readonly state: string
  readonly headers: readonly DocumentHeader[]
}

/** What has to be sent so that the engine knows these headers. */
export function headersToSend(
  headers: readonly DocumentHeader[],
  told: ToldHeaders | undefined,
): readonly DocumentHeader[] | ChangedHeaders {
  if (told?.headers.length !== headers.length) return headers
  const before = told.headers
  const changed = [...headers.entries()].filter(([i, header]) => !isSameHeader(header, before[i] as DocumentHeader))
  return { since: told.state, changed }
}

/** The headers after these changes; the others stay the same objects. */
export function withChanges(headers: readonly DocumentHeader[], { changed }: ChangedHeaders): DocumentHeader[] {
  const now = [...headers]
  for (const [place, header] of changed) now[place] = header
  return now
}

/** What a document is read from, and as what, is the same. */
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
