/**
 * Writes statements of STL as text, in the international mnemonics and laid out as TIA Portal writes sources.
 * statements-read.ts is the inverse.
 */

import { keptComments } from '../../languages/stl/comments.ts'
import { stlOperandText } from '../../languages/stl/operand.ts'
import { memberName, quoted } from '../../model/names.ts'
import { pathText } from '../../model/operand-text.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { pragmaLiteral } from './pragma.ts'

export interface StatementsTextOptions {
  /** Text before every instruction; TIA Portal's sources have six blanks. Default none. */
  readonly indent?: string
}

/** Width of a parameter's name in a list, as TIA Portal pads it. */
const nameWidth = 27

/**
 * Writes one line per statement, more for calls with parameters. Lines end with LF, the last one only when it is blank.
 * `readStatements` returns the same statements again, except for what text cannot express: the type of a literal or
 * address, and whether a name is a constant.
 */
export function statementsText(statements: readonly Statement[], options: StatementsTextOptions = {}): string {
  const indent = options.indent ?? ''
  const text = statements.map((statement) => statementText(statement, indent)).join('\n')
  return statements.length > 0 && text.slice(text.lastIndexOf('\n') + 1) === '' ? `${text}\n` : text
}

function statementText(statement: Statement, indent: string): string {
  const { label, mnemonic, operand, call } = statement
  const comment = commentText([statement.comment ?? [], keptComments(statement.kept)].flat())
  if (mnemonic === '' && label === undefined) return comment
  const start = label === undefined ? indent : `${label}:${indent === '' ? ' ' : indent}`
  const tail = comment === '' ? '' : ` ${comment}`
  if (call !== undefined) return start + callText(mnemonic, call, indent, tail)
  const words = operand === undefined ? mnemonic : `${mnemonic} ${stlOperandText(operand)}`
  return `${start}${words};${tail}`
}

/** A comment cannot contain a line end. */
function commentText(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `//${texts.join(' ').replace(/[\r\n]+/g, ' ')}`
}

function callText(mnemonic: string, call: StatementCall, indent: string, tail: string): string {
  const head = `${mnemonic} ${targetText(call)}`
  const templates = call.templates ?? []
  const { parameters } = call
  if (templates.length === 0 && parameters.length === 0) return `${head};${tail}`
  const lines = [head + tail]
  if (templates.length > 0)
    lines.push(`${indent}{${templates.map(({ name, value }) => `${name} := ${pragmaLiteral(value)}`).join(', ')}}`)
  for (const [index, { name, value, kept }] of parameters.entries()) {
    const start = `${indent}${index === 0 ? '(  ' : '   '}`
    const assigned = `${memberName(name).padEnd(nameWidth)} := ${value === undefined ? '' : stlOperandText(value)}`
    const isLast = index === parameters.length - 1
    const [first, ...others] = keptComments(kept)
    lines.push(`${start}${assigned}${isLast ? '' : ' , '}${first === undefined ? '' : ` ${commentText([first])}`}`)
    for (const comment of others) lines.push(commentText([comment]))
  }
  if (parameters.length > 0) lines.push(`${indent})`)
  return `${lines.join('\n')};`
}

function targetText({ target, name, blockType, blockNumber, instance }: StatementCall): string {
  const at = instance === undefined ? '' : pathText(instance.scope, instance.path)
  // The type of a local instance determines the instruction.
  const isLocal = target === 'instruction' && instance?.scope === 'LocalVariable'
  if (target === 'multiInstance' || name === '' || isLocal) return at === '' ? `#${memberName(name)}` : at
  const isNumbered = blockNumber !== undefined && name === `${blockType}${blockNumber}`
  const callee = isNumbered ? `%${name}` : target === 'instruction' ? name : quoted(name)
  return at === '' ? callee : `${callee} , ${at}`
}
