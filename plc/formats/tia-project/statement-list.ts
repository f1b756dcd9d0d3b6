/** STL: the stored statements. Calls have not been seen yet in a file and are not guessed. */
import type { Statement } from '../../model/statement.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'

/** Mnemonics that call something: their parameters have a form of their own. */
const calls = new Set(['CALL', 'UC', 'CC'])
const known = new Set(['Token', 'OpdAccess', 'LC'])

/**
 * Reads a stored statement list.
 * @param root `Statements`
 */
export function readStatementList(root: XmlElement, identifiers: Identifiers) {
  const problems: string[] = []
  const statements = childrenOf(root, 'Statement').map((element, index): Statement => {
    const at = `statement ${index + 1}`
    const mnemonic = child(element, 'Token')?.attributes.DispName ?? ''
    if (calls.has(mnemonic.toUpperCase())) problems.push(`${at}: ${mnemonic} is not read`)
    for (const { name } of element.children) if (!known.has(name)) problems.push(`${at}: ${name} is not understood`)
    const reference = child(element, 'OpdAccess')?.attributes.RefId
    const operand = identifiers.operand(reference)
    if (reference !== undefined && !operand)
      problems.push(
        `${at}: the operand (${identifiers.kind(reference) ?? 'no identifier'} ${reference}) is not understood`,
      )
    const comment = child(element, 'LC')?.attributes.DispName
    return { mnemonic, ...(operand ? { operand } : {}), ...(comment === undefined ? {} : { comment }) }
  })
  return { statements, problems }
}
