/**
 * Writes statements of an STL network as `StatementList` (SW.PlcBlocks.STL_v5.xsd;
 * docs/formats.md#scl-and-stl-networks).
 */

import { keptComments, lineCommentXml } from '../../languages/stl/comments.ts'
import { FormatError } from '../../model/fault.ts'
import type { Kept } from '../../model/kept.ts'
import type { Operand } from '../../model/operand.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { holds, writeChildren } from './kept.ts'
import { writeInstance, writeOperand } from './operand-write.ts'
import { tokenOf } from './statement-list-read.ts'
import { namespacesOf, type TargetVersion } from './versions.ts'
import type { XmlWriter } from './xml-write.ts'

/** Number of a network's first statement. */
const firstUid = 21

/**
 * Writes a network. Statements are renumbered from 21; an operand takes a number too, as in TIA Portal, but STL does
 * not show it.
 * @throws FormatError code `unsupported` when a word is no instruction that the schema has a name for.
 */
export function writeStatementList(
  writer: XmlWriter,
  statements: readonly Statement[],
  options: { readonly version: TargetVersion },
): void {
  let uId = firstUid
  writer.element('StatementList', { xmlns: namespacesOf(options.version).statementList }, () => {
    for (const [index, statement] of statements.entries()) {
      writeStatement(writer, statement, uId, index)
      uId += statement.operand === undefined && statement.call === undefined ? 1 : 2
    }
  })
}

function writeStatement(writer: XmlWriter, statement: Statement, uId: number, index: number): void {
  const { label, operand, call, comment, kept } = statement
  const children: (() => void)[] = []
  const line = () => writer.raw(lineCommentXml(comment ?? ''))
  const isLine = statement.mnemonic === ''
  const hasAccess = operand !== undefined || call !== undefined
  if (comment !== undefined && isLine && !hasAccess) children.push(line)
  if (label !== undefined && !holds(kept, 'LabelDeclaration'))
    children.push(() => writer.element('LabelDeclaration', {}, () => writer.leaf('Label', { Name: label })))
  if (!holds(kept, 'StlToken')) {
    const token = tokenOf(statement, comment !== undefined || keptComments(kept).length > 0)
    if (token === undefined) throw unknown(statement.mnemonic, index)
    children.push(() => writer.leaf('StlToken', { Text: token }))
  }
  if (comment !== undefined && !isLine && !hasAccess) children.push(line)
  if (operand !== undefined) children.push(() => writeOperand(writer, withComment(operand, comment)))
  else if (call !== undefined) children.push(() => writeCall(writer, call, comment))
  writer.element('StlStatement', { UId: uId, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

function unknown(mnemonic: string, index: number): FormatError {
  const message = `statement ${index + 1}: ${JSON.stringify(mnemonic)} is no instruction of STL, and SimaticML has no name for it`
  return new FormatError([{ code: 'unsupported', message, line: 1, column: 1 }])
}

/** The comment is last in the operand's `Access`. */
function withComment(operand: Operand, comment: string | undefined): Operand {
  if (comment === undefined) return operand
  const xml = lineCommentXml(comment)
  if (operand.kind === 'other')
    return {
      ...operand,
      xml: operand.xml.replace(/(?:<\/Access>| \/>)$/, (end) => (end === ' />' ? `>${xml}</Access>` : xml + end)),
    }
  return { ...operand, kept: { ...operand.kept, outer: withLast(operand.kept?.outer, xml) } }
}

function withLast(kept: Kept | undefined, xml: string): Kept {
  return { ...kept, elements: [...(kept?.elements ?? []), { at: Number.MAX_SAFE_INTEGER, xml }] }
}

function writeCall(writer: XmlWriter, call: StatementCall, comment: string | undefined): void {
  const { kept } = call
  const outer = comment === undefined ? kept?.outer : withLast(kept?.outer, lineCommentXml(comment))
  const isInstruction = call.target === 'instruction'
  const attributes = isInstruction
    ? { Name: call.name || undefined, Version: call.version }
    : { Name: call.target === 'multiInstance' ? undefined : call.name || undefined, BlockType: call.blockType ?? 'FB' }
  const info = () =>
    writer.element(isInstruction ? 'Instruction' : 'CallInfo', { ...attributes, ...kept?.attributes }, () =>
      writeChildren(writer, kept, callChildren(writer, call)),
    )
  writer.element('Access', { Scope: 'Call', ...outer?.attributes }, () => writeChildren(writer, outer, [info]))
}

function callChildren(writer: XmlWriter, call: StatementCall): (() => void)[] {
  const { target, blockNumber, instance, templates = [], parameters } = call
  const children: (() => void)[] = []
  if (target !== 'instruction' && blockNumber !== undefined)
    children.push(() =>
      writer.leaf('IntegerAttribute', { Name: 'BlockNumber', Informative: 'true' }, String(blockNumber)),
    )
  if (instance !== undefined) children.push(() => writeInstance(writer, instance))
  for (const { name, type, value } of templates)
    children.push(() => writer.leaf('TemplateValue', { Name: name, Type: type }, value))
  for (const { name, value, kept } of parameters)
    children.push(() =>
      writer.element('Parameter', { Name: name, ...kept?.attributes }, () =>
        writeChildren(writer, kept, value === undefined ? [] : [() => writeOperand(writer, value)]),
      ),
    )
  return children
}
