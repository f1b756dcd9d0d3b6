/** Compares two documents; large ones on the engine. */
import { type ComparedObjects, compareDocuments } from '../../../plc/edit/compare.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import { faultsAsProblems } from '../faults-as-problems.ts'

/** See {@link compareDocuments}. */
export function compared(input: { readonly left: StoredDocument; readonly right: StoredDocument }): ComparedObjects {
  return faultsAsProblems(`"${input.left.name}" or "${input.right.name}"`, () =>
    compareDocuments(input.left, input.right),
  )
}
