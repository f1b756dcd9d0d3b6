/** Edits of networks and members of stored blocks and what is read for them, as plain data (see document-work.ts). */

import { editMembers } from './edit-members.ts'
import { editNetworks, type NetworkEdit } from './edit-networks.ts'
import type { DeclaredNames, DeclaredObject } from './ladder/declared-names.ts'
import type { MemberEdit } from './member-input.ts'
import { FormatError } from './model/fault.ts'
import type { ImportedObject } from './model/object.ts'
import { type DiagnosticsTable, processDiagnostics } from './process-diagnostics.ts'
import { calleeOf, faultsAsProblems, objectOf, type StoredDocument } from './stored-document.ts'

/** Interfaces of blocks and types. What cannot be read has none. */
export function readInterfaces(documents: readonly StoredDocument[]): DeclaredObject[] {
  return documents.flatMap((document) => {
    try {
      const { kind, name, instanceOf, interface: sections } = objectOf(document)
      return [{ kind, name, ...(instanceOf === undefined ? {} : { instanceOf }), interface: sections }]
    } catch (error) {
      if (error instanceof FormatError) return []
      throw error
    }
  })
}

/** The block with its networks changed, read again from its new text. */
export function changeNetworks(input: {
  readonly document: StoredDocument
  readonly edit: NetworkEdit
  readonly declared: DeclaredNames
}): ImportedObject {
  const { document, edit, declared } = input
  return faultsAsProblems(document.name, () =>
    editNetworks(objectOf(document), edit, { culture: document.culture, declared, ...calleeOf(document) }),
  )
}

/** The block with members of its interface changed, read again from its new text. */
export function changeMembers({ document, edit }: { document: StoredDocument; edit: MemberEdit }): ImportedObject {
  return faultsAsProblems(document.name, () =>
    editMembers(objectOf(document), edit, { culture: document.culture, ...calleeOf(document) }),
  )
}

/** The table of process diagnostics. */
export function readDiagnostics(document: StoredDocument): DiagnosticsTable {
  return faultsAsProblems(document.name, () => processDiagnostics(objectOf(document)))
}
