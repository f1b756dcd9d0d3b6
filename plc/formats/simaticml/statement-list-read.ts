/**
 * Reads `StatementList` to the statements of an STL network (SW.PlcBlocks.STL_v5.xsd;
 * docs/formats.md#scl-and-stl-networks). The schema is the same in every version since v3; `L_STW` and `T_STW` of V14
 * are read as `L STW` and `T STW`.
 */

import {
  commentToken,
  emptyToken,
  isStlToken,
  mnemonicOfToken,
  tokenOfMnemonic,
} from '../../languages/stl/mnemonics.ts'
import type { Instance, TemplateValue } from '../../model/instance.ts'
import type { Kept } from '../../model/kept.ts'
import type { Operand } from '../../model/operand.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { statementsText } from '../source/statements-write.ts'
import { keptOf, withKept } from './kept.ts'
import { checkBlockType, readInstance, readOperand } from './operand-read.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/**
 * Reads the statements of a network and their text in international mnemonics. Faults: elements that are not allowed in
 * a list, lines without an instruction, unknown names of instructions, duplicate parameters.
 */
export function readStatementList(
  list: XmlElement,
  faults: XmlFaults,
): { readonly statements: readonly Statement[]; readonly text: string } {
  const statements: Statement[] = []
  for (const element of list.children) {
    if (element.name === 'StlStatement') statements.push(readStatement(element, faults))
    else
      faults.add('xml-structure', element, `<${element.name}> cannot stand in a StatementList; allowed: StlStatement`)
  }
  return { statements, text: statementsText(statements) }
}

/** Reads a statement; children that the model does not represent are kept in their place. */
function readStatement(element: XmlElement, faults: XmlFaults): Statement {
  const token = child(element, 'StlToken')
  const given = token?.attributes.Text
  if (token === undefined)
    faults.add('xml-structure', element, 'a StlStatement needs a <StlToken>; an empty line has Text="EMPTY_LINE"')
  else if (given === undefined) faults.add('xml-structure', token, 'a StlToken needs the attribute Text')
  const access = child(element, 'Access')
  const label = readLabel(child(element, 'LabelDeclaration'))
  const name = given ?? emptyToken
  const isLine = name === commentToken || name === emptyToken
  if (given !== undefined && !isStlToken(given) && !(given in statusWord)) faultOfToken(token as XmlElement, faults)
  const comment = findComment(element, token, access, isLine)
  const content =
    access === undefined ? {} : readAccess(access, comment?.holder === access ? comment.element : undefined, faults)
  const status = statusWord[name]
  const statement: Statement = {
    ...(label === undefined ? {} : { label: label.name }),
    mnemonic: isLine ? '' : (status ?? mnemonicOfToken(name)),
    ...content,
    ...(status === undefined || access !== undefined ? {} : { operand: { kind: 'status', name: 'STW' } }),
    ...(comment === undefined ? {} : { comment: comment.text }),
  }
  const isPlainToken = token !== undefined && isBare(token, ['Text']) && status === undefined
  const hasComment = element.children.some((inner) => isCommentName(inner.name))
  const isToken = isPlainToken && tokenOf(statement, hasComment) === name
  const known = new Set([access, label?.element, comment?.element, isToken || status !== undefined ? token : undefined])
  return { ...statement, ...withKept(keptOf(element, [], (inner) => known.has(inner))) }
}

/** Instructions of V14 for the status word as a whole. */
const statusWord: Readonly<Record<string, string>> = { L_STW: 'L', T_STW: 'T' }

function faultOfToken(token: XmlElement, faults: XmlFaults): void {
  const { Text: text = '' } = token.attributes
  const meant = tokenOfMnemonic(text.toUpperCase(), true)
  const hint = meant === undefined ? 'see STL_TE of the schema' : `the name of that instruction is "${meant}"`
  faults.add('xml-value', token, `StlToken has the unknown Text ${JSON.stringify(text)}; ${hint}`)
}

/**
 * Returns the schema's name of a statement's instruction; `undefined` when the schema has none for it.
 *
 * @param hasComment whether the statement contains a comment, which makes a line without an instruction another kind of
 *   line
 */
export function tokenOf({ mnemonic, operand, call }: Statement, hasComment: boolean): string | undefined {
  if (mnemonic === '') return hasComment ? commentToken : emptyToken
  return tokenOfMnemonic(mnemonic, operand !== undefined || call !== undefined)
}

function isCommentName(name: string): boolean {
  return name === 'LineComment' || name === 'Comment'
}

/** Whether an element has only these attributes (and a UId) and no children. */
function isBare(element: XmlElement, attributes: readonly string[]): boolean {
  if (element.children.length > 0) return false
  return Object.keys(element.attributes).every((name) => name === 'UId' || attributes.includes(name))
}

/** A label that consists of a name only; other labels are kept as they are, with their comments. */
function readLabel(declaration: XmlElement | undefined): { name: string; element: XmlElement | undefined } | undefined {
  const name = child(declaration, 'Label')?.attributes.Name
  if (declaration === undefined || name === undefined) return undefined
  const [label, ...others] = declaration.children
  const isPlain = others.length === 0 && label !== undefined && isBare(label, ['Name'])
  return { name, element: isPlain && isBare({ ...declaration, children: [] }, []) ? declaration : undefined }
}

interface FoundComment {
  readonly text: string
  readonly element: XmlElement
  /** The element that contains it. */
  readonly holder: XmlElement
}

/**
 * Finds the comment after `//` where TIA Portal puts it: first in a line of comment, otherwise after everything else.
 */
function findComment(
  statement: XmlElement,
  token: XmlElement | undefined,
  access: XmlElement | undefined,
  isLine: boolean,
): FoundComment | undefined {
  const { children } = statement
  const [holder, candidate] =
    access !== undefined && access === children.at(-1)
      ? [access, access.children.length > 1 ? access.children.at(-1) : undefined]
      : [statement, isLine ? children[0] : children[children.indexOf(token as XmlElement) + 1]]
  const text = candidate === undefined ? undefined : lineComment(candidate)
  return text === undefined ? undefined : { text, element: candidate as XmlElement, holder }
}

/** Text of a `LineComment` with one text and no other content. */
function lineComment(element: XmlElement): string | undefined {
  if (element.name !== 'LineComment' || element.children.length !== 1) return undefined
  const [text] = element.children
  if (text?.name !== 'Text' || !isBare(text, [])) return undefined
  const isPlain = isBare({ ...element, children: [] }, ['Inserted']) && element.attributes.Inserted !== 'true'
  return isPlain ? text.text : undefined
}

function readAccess(
  access: XmlElement,
  comment: XmlElement | undefined,
  faults: XmlFaults,
): { operand: Operand } | { call: StatementCall } {
  const own =
    comment === undefined ? access : { ...access, children: access.children.filter((inner) => inner !== comment) }
  const info = own.children.find(({ name }) => name === 'CallInfo' || name === 'Instruction')
  if (access.attributes.Scope !== 'Call' || info === undefined) return { operand: readOperand(own, faults) }
  return {
    call: readCall(
      info,
      keptOf(own, ['Scope'], (inner) => inner === info),
      faults,
    ),
  }
}

function readCall(info: XmlElement, outer: Kept | undefined, faults: XmlFaults): StatementCall {
  const isInstruction = info.name === 'Instruction'
  const { Name: name, BlockType: blockType, Version: version } = info.attributes
  if (!isInstruction) checkBlockType(info, faults)
  const instance = child(info, 'Instance')
  const number = isInstruction ? undefined : childrenOf(info, 'IntegerAttribute').find(isBlockNumber)
  const templates = isInstruction ? childrenOf(info, 'TemplateValue') : []
  const known = new Set([instance, number, ...templates, ...childrenOf(info, 'Parameter')])
  const attributes = isInstruction ? ['Name', 'Version'] : ['Name', 'BlockType']
  const kept = keptOf(info, attributes, (inner) => known.has(inner), outer)
  const read = instance === undefined ? undefined : readInstance(instance, faults)
  return {
    ...(isInstruction ? instructionTarget(name) : blockTarget(name, blockType, number, read)),
    ...(version === undefined || !isInstruction ? {} : { version }),
    ...(read === undefined ? {} : { instance: read }),
    ...(templates.length === 0 ? {} : { templates: templates.map(readTemplate) }),
    parameters: readParameters(info, faults),
    ...withKept(kept),
  }
}

type Target = Pick<StatementCall, 'target' | 'name'> & Partial<Pick<StatementCall, 'blockType' | 'blockNumber'>>

function instructionTarget(name: string | undefined): Target {
  const system = /^(SFC|SFB)(\d{1,5})$/.exec(name ?? '')
  if (system === null) return { target: 'instruction', name: name ?? '' }
  return { target: 'instruction', name: name ?? '', blockType: system[1] as string, blockNumber: Number(system[2]) }
}

function blockTarget(
  name: string | undefined,
  blockType: string | undefined,
  number: XmlElement | undefined,
  instance: Instance | undefined,
): Target {
  const blockNumber = number === undefined ? {} : { blockNumber: Number(number.text) }
  // The call of a multi-instance names the instance only.
  if (name === undefined && instance !== undefined && blockType === 'FB' && number === undefined)
    return { target: 'multiInstance', name: instance.path.at(-1)?.name ?? '' }
  return { target: 'block', name: name ?? '', blockType: blockType ?? '', ...blockNumber }
}

/** Whether it is the informative number of the called block, which exports with read-only attributes contain. */
function isBlockNumber({ attributes, text }: XmlElement): boolean {
  return attributes.Name === 'BlockNumber' && attributes.Informative === 'true' && /^\d{1,6}$/.test(text)
}

function readTemplate({ attributes, text }: XmlElement): TemplateValue {
  return { name: attributes.Name ?? '', type: attributes.Type ?? '', value: text }
}

function readParameters(info: XmlElement, faults: XmlFaults): StatementCall['parameters'] {
  const seen = new Set<string>()
  return childrenOf(info, 'Parameter').map((element) => {
    const { Name: name = '' } = element.attributes
    if (name === '') faults.add('xml-structure', element, 'a Parameter needs the attribute Name')
    else if (seen.has(name.toUpperCase())) faults.add('xml-value', element, `the call gives parameter ${name} twice`)
    seen.add(name.toUpperCase())
    const value = child(element, 'Access')
    return {
      name,
      ...(value === undefined ? {} : { value: readOperand(value, faults) }),
      ...withKept(keptOf(element, ['Name'], (inner) => inner === value)),
    }
  })
}
