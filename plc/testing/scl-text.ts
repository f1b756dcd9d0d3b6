/** Trees of the SCL parser as lines of text, for tests. */
import {
  type Assignment,
  type CaseBranch,
  type Expression,
  nameOf,
  type Statement,
  sourceOf,
} from '../languages/scl/syntax.ts'
import type { TokenList } from '../languages/scl/tokens.ts'

/** Structure of an expression: every operator in brackets of its own. */
export function shape(tokens: TokenList, node: Expression | Assignment): string {
  const of = (inner: Expression | Assignment) => shape(tokens, inner)
  switch (node.kind) {
    case 'binary':
      return `(${of(node.left)} ${node.operator} ${of(node.right)})`
    case 'unary':
      return `(${node.operator} ${of(node.operand)})`
    case 'group':
      return of(node.inner)
    case 'member':
      return `${of(node.object)}.${nameOf(tokens, node.end - 1)}`
    case 'index':
      return `${of(node.object)}[${node.indices.map(of).join(', ')}]`
    case 'slice':
      return `${of(node.object)}.${sourceOf(tokens, { start: node.end - 1, end: node.end })}`
    case 'periphery':
      return `${of(node.object)}:P`
    case 'dereference':
      return `${of(node.object)}^`
    case 'call':
      return `${of(node.callee)}<${node.arguments
        .map(({ name, isOutput, value }) => {
          const shown = value === undefined ? '' : of(value)
          return name === -1 ? shown : `${nameOf(tokens, name)} ${isOutput ? '=>' : ':='} ${shown}`.trim()
        })
        .join(', ')}>`
    case 'assignment':
      return `${of(node.target)} ${node.operator} ${of(node.value)}`
    case 'missing':
      return '?'
    default:
      return sourceOf(tokens, node)
  }
}

/** A statement on one line: its kind, its expressions as `shape` shows them, its bodies in braces. */
export function show(tokens: TokenList, statement: Statement): string {
  const list = (statements: readonly Statement[]) => `{${statements.map((inner) => show(tokens, inner)).join('; ')}}`
  const of = (node: Expression) => shape(tokens, node)
  switch (statement.kind) {
    case 'assignment':
      return shape(tokens, statement)
    case 'callStatement':
      return of(statement.call)
    case 'if': {
      const branches = statement.branches.map(({ condition, body }) => `${of(condition)} ${list(body)}`)
      return `if ${branches.join(' elsif ')}${statement.otherwise ? ` else ${list(statement.otherwise)}` : ''}`
    }
    case 'case': {
      const label = (node: CaseBranch['labels'][number]) =>
        node.kind === 'range' ? `${of(node.from)}..${of(node.to)}` : of(node)
      const branches = statement.branches.map(({ labels, body }) => `${labels.map(label).join(',')}: ${list(body)}`)
      return `case ${of(statement.selector)} ${branches.join(' ')}${statement.otherwise ? ` else ${list(statement.otherwise)}` : ''}`
    }
    case 'for':
      return `for ${of(statement.variable)} ${of(statement.from)} ${of(statement.to)} ${statement.by ? of(statement.by) : '-'} ${list(statement.body)}`
    case 'while':
      return `while ${of(statement.condition)} ${list(statement.body)}`
    case 'repeat':
      return `repeat ${list(statement.body)} ${of(statement.until)}`
    case 'goto':
      return `goto ${statement.label === -1 ? '?' : nameOf(tokens, statement.label)}`
    case 'label':
      return `label ${nameOf(tokens, statement.start)}`
    case 'region':
      return `region ${statement.name === -1 ? '' : sourceOf(tokens, { start: statement.name, end: statement.name + 1 })} ${list(statement.body)}`
    case 'faulty':
      return statement.expression === undefined ? 'faulty' : `faulty ${of(statement.expression)}`
    default:
      return statement.kind
  }
}
