/** An object as a file of its own: its text, extension and byte order mark. */

/** The byte order mark that TIA Portal writes before XML and needs before sources that are not pure ASCII. */
const mark = '\uFEFF'

/** The properties that decide how the file of an object looks. */
export interface FileShape {
  readonly format: 'simaticml' | 'source'
  readonly kind: string
  readonly language: string
  readonly engineeringVersion?: string | undefined
}

/**
 * Returns the text of a file with this document alone. For SimaticML it adds the frame around the root element and
 * renumbers nothing, so that reading the file gives the same document.
 */
export function fileTextOf(document: string, { format, engineeringVersion }: FileShape): string {
  if (format === 'source') return hasOnlyAscii(document) ? document : mark + document
  const eol = document.includes('\r\n') ? '\r\n' : '\n'
  const version = (engineeringVersion ?? '').replace(/[<>&"']/g, '')
  const frame = ['<?xml version="1.0" encoding="utf-8"?>', '<Document>']
  if (version !== '') frame.push(`  <Engineering version="${version}" />`)
  return `${mark}${[...frame, `  ${document}`, '</Document>', ''].join(eol)}`
}

/** Returns the usual file extension. */
export function extensionOf({ format, kind, language }: FileShape): string {
  if (format === 'simaticml') return '.xml'
  if (kind === 'UDT') return '.udt'
  if (kind.endsWith('DB')) return '.db'
  return language === 'STL' ? '.awl' : '.scl'
}

/** Extensions of external sources. */
export const sourceExtensions: ReadonlySet<string> = new Set(['.scl', '.db', '.udt', '.awl', '.stl'])

/** Extensions of files that an import can read. */
export const readableExtensions: ReadonlySet<string> = new Set(['.xml', ...sourceExtensions, '.s7dcl', '.s7res'])

function hasOnlyAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}
