/** Finds the places in a stored text that name a declared member, and writes another name there. */

import type { StoredDocument } from '../edit/stored-document.ts'
import { applyEdits } from '../formats/simaticml/element-edit.ts'
import { MemberLookup, type MemberQuery } from './member-lookup.ts'
import type { MemberSite } from './member-site.ts'
import { sourceSites } from './member-sites-source.ts'
import { xmlSites } from './member-sites-xml.ts'

/**
 * Finds every place of a document that names the member, in the order of the text, except its own declaration.
 * @param newName the name that the edits of the places write; without it the places are also the calls that give the
 *   member, or one behind it, by position
 * @throws FormatError when the document cannot be read
 */
export function memberSites(document: StoredDocument, query: MemberQuery, newName?: string): MemberSite[] {
  const lookup = new MemberLookup(query)
  const sites = document.format === 'simaticml' ? xmlSites : sourceSites
  return sites(document, lookup, query.target, newName)
}

/** Returns the text with the new name at these places. */
export function withNewName(text: string, sites: readonly MemberSite[]): string {
  const edits = sites.flatMap((site) => site.edits)
  return edits.length === 0 ? text : applyEdits(text, edits)
}
