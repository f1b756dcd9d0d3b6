/** Edits of networks and members of stored blocks, with the documents they need, as plain data (documents.ts). */

import { defined } from '../../../core/index.ts'
import { checkHasInterface, locate, type MemberEdit, memberSteps } from '../../../plc/edit/member-input.ts'
import { editMembers } from '../../../plc/edit/members.ts'
import { editNetworks, type NetworkEdit } from '../../../plc/edit/networks.ts'
import { type DiagnosticsTable, processDiagnostics } from '../../../plc/edit/process-diagnostics.ts'
import { lostValues } from '../../../plc/edit/retyped-member.ts'
import { type StartValue, setStartValues } from '../../../plc/edit/start-values.ts'
import { calleeOf, objectOf, type StoredDocument } from '../../../plc/edit/stored-document.ts'
import type { DeclaredNames, DeclaredObject } from '../../../plc/languages/ladder/declared-names.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { MemberQuery } from '../../../plc/uses/member-lookup.ts'
import type { MemberSite } from '../../../plc/uses/member-site.ts'
import { memberSites, withNewName } from '../../../plc/uses/member-sites.ts'
import { faultsAsProblems } from '../faults-as-problems.ts'
import { withCodeWarnings } from './document.task.ts'

/** Interfaces of blocks and types; none for those that cannot be read. */
export function readInterfaces(documents: readonly StoredDocument[]): DeclaredObject[] {
  return documents.flatMap((document) => {
    try {
      const { kind, name, instanceOf, interface: sections } = objectOf(document)
      return [{ kind, name, ...defined({ instanceOf }), interface: sections }]
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
  return faultsAsProblems(document.name, () => {
    const options = { culture: document.culture, declared, ...calleeOf(document) }
    const edited = editNetworks(objectOf(document), edit, options)
    return 'networks' in edit ? withCodeWarnings(edited) : edited
  })
}

/** The block with members of its interface changed, read again from its new text. */
export function changeMembers({ document, edit }: { document: StoredDocument; edit: MemberEdit }): ImportedObject {
  return faultsAsProblems(document.name, () =>
    editMembers(objectOf(document), edit, { culture: document.culture, ...calleeOf(document) }),
  )
}

/** The data block with other start values, read again from its new text. */
export function changeStartValues(input: {
  readonly document: StoredDocument
  readonly values: readonly StartValue[]
}): ImportedObject {
  const { document, values } = input
  return faultsAsProblems(document.name, () =>
    setStartValues(objectOf(document), values, { culture: document.culture, ...calleeOf(document) }),
  )
}

/** Values that members lose because an edit changes their data type. */
export function memberLosses({ document, edit }: { document: StoredDocument; edit: MemberEdit }): string[] {
  return faultsAsProblems(document.name, () => {
    const object = objectOf(document)
    return lostValues(object.interface, memberSteps(object, edit, document.culture).sections)
  })
}

/** The table of process diagnostics. */
export function readDiagnostics(document: StoredDocument): DiagnosticsTable {
  return faultsAsProblems(document.name, () => processDiagnostics(objectOf(document)))
}

/** Places in documents that name a member of a block; `undefined` for a document that cannot be read. */
export function findMember(input: {
  readonly documents: readonly StoredDocument[]
  readonly query: MemberQuery
}): (Omit<MemberSite, 'edits'>[] | undefined)[] {
  return input.documents.map((document) => {
    try {
      return memberSites(document, input.query).map(({ edits: _edits, ...site }) => site)
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  })
}

/** The text of a document with a member's new name, and the places that name the member. */
export function renameMemberIn(input: {
  readonly document: StoredDocument
  readonly query: MemberQuery
  readonly newName: string
}): { text: string; sites: Omit<MemberSite, 'edits'>[] } {
  const { document, query, newName } = input
  return faultsAsProblems(document.name, () => {
    const sites = memberSites(document, query, newName)
    return { text: withNewName(document.text, sites), sites: sites.map(({ edits: _edits, ...site }) => site) }
  })
}

/** The block with a renamed member, in its declarations and its own code. */
export function renameMember(input: {
  readonly document: StoredDocument
  readonly edit: MemberEdit
  readonly query: MemberQuery
  readonly newName: string
}): { object: ImportedObject; sites: Omit<MemberSite, 'edits'>[] } {
  const { query, newName } = input
  const edited = changeMembers(input)
  const document = { ...input.document, text: edited.xml ?? edited.text ?? input.document.text }
  const { text, sites } = renameMemberIn({ document, query, newName })
  return faultsAsProblems(document.name, () => ({ object: objectOf({ ...document, text }), sites }))
}

/** The names of a member in the spelling of its declaration. */
export function memberPath(input: {
  readonly document: StoredDocument
  readonly name: string
  readonly section?: string
}): readonly string[] {
  return faultsAsProblems(input.document.name, () => {
    const object = objectOf(input.document)
    checkHasInterface(object)
    return locate(object, input.name, input.section).path
  })
}
