/**
 * Compares two documents of an object, on the engine, in batches. Imports single files, so that the engine loads no
 * plugin.
 */
import { type Aspect, aspectsOf } from '../../plc/edit/compare.ts'
import type { StoredDocument } from '../../plc/edit/stored-document.ts'

export interface DocumentPair {
  readonly offline: StoredDocument
  readonly online: StoredDocument
}

/** One list of aspects for each pair. */
export function differencesOf({ pairs }: { readonly pairs: readonly DocumentPair[] }): Aspect[][] {
  return pairs.map(({ offline, online }) => aspectsOf(offline, online))
}
