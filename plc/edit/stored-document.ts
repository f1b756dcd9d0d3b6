/** Reads a stored document again: the first step of all work on documents. */
import { defined } from '../../lib/optional.ts'
import type { Callee, CalleeLookup } from '../formats/simaticml/callee.ts'
import { readSource } from '../formats/source/read.ts'
import type { InterfaceLookup } from '../formats/source/value-place.ts'
import type { DeclaredObject } from '../languages/ladder/declared-names.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { objectFromXml } from './edit.ts'

/** A stored object with its text: enough to read it again as it is. */
export interface StoredDocument {
  readonly text: string
  readonly format: 'simaticml' | 'source'
  readonly kind: string
  readonly name: string
  readonly number?: number | undefined
  readonly autoNumber?: boolean | undefined
  readonly secondaryType?: string | undefined
  readonly engineeringVersion?: string | undefined
  /** Culture of texts in external sources, and the culture to show. */
  readonly culture: string
  /** What calls in sources call, by the upper-case name of the function or of the instance data block. */
  readonly callees?: Readonly<Record<string, Callee>> | undefined
  /** The types that a data block's source uses: start values of their members have a place in the interface then. */
  readonly types?: readonly DeclaredObject[] | undefined
}

/** Returns the object as the readers give it, completed with what a source has no place for. */
export function objectOf(document: StoredDocument): ImportedObject {
  const { text, format, number, secondaryType, engineeringVersion, culture } = document
  if (format === 'simaticml') return objectFromXml(text, engineeringVersion)
  const { blocks, faults } = readSource(text, { culture, interfaceOf: interfacesOf(document) })
  const object = blocks[0]?.object
  if (object === undefined || faults.length > 0) throw new FormatError(faults)
  return {
    ...object,
    ...defined({ number, secondaryType }),
  }
}

/** Looks up the types that came with a document. */
export function interfacesOf({ types = [] }: Pick<StoredDocument, 'types'>): InterfaceLookup {
  const byName = new Map(types.map(({ name, kind, interface: sections }) => [name.toUpperCase(), { kind, sections }]))
  return (name) => byName.get(name.toUpperCase())
}

/** Looks up the callees that came with a document. */
export function calleeOf({ callees }: Pick<StoredDocument, 'callees'>): { readonly callee?: CalleeLookup } {
  return callees === undefined ? {} : { callee: (name) => callees[name.toUpperCase()] }
}
