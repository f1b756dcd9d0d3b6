/**
 * Visits the operands of a program and how each is used: the one walk over the tree that cross-references and rules of
 * the review share.
 */
import type { Argument, Assignment, Call, Expression, Statement } from './syntax.ts'

export type Access = 'Read' | 'Write' | 'ReadWrite' | 'Call'

/** The call that an operand is a direct argument of. */
export interface ArgumentPlace {
  readonly call: Call
  readonly argument: Argument
  /** Counts from 0. */
  readonly position: number
}

/**
 * Called for every operand, from its first name to its last member: names, members, indices, addresses, and literals
 * (`"colour"#RED` names a type). Indices and arguments are operands of their own, visited after the operand that
 * contains them.
 */
export type OperandVisitor = (operand: Expression, access: Access, place: ArgumentPlace | undefined) => void

/** Visits every operand of the statements in the order of the text. */
export function forEachOperand(statements: readonly Statement[], visit: OperandVisitor): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'assignment':
        assignment(statement, visit)
        break
      case 'callStatement':
        expression(statement.call, 'Read', visit)
        break
      case 'if':
        for (const { condition, body } of statement.branches) {
          expression(condition, 'Read', visit)
          forEachOperand(body, visit)
        }
        if (statement.otherwise !== undefined) forEachOperand(statement.otherwise, visit)
        break
      case 'case':
        expression(statement.selector, 'Read', visit)
        for (const { labels, body } of statement.branches) {
          for (const label of labels) {
            if (label.kind === 'range') {
              expression(label.from, 'Read', visit)
              expression(label.to, 'Read', visit)
            } else expression(label, 'Read', visit)
          }
          forEachOperand(body, visit)
        }
        if (statement.otherwise !== undefined) forEachOperand(statement.otherwise, visit)
        break
      case 'for':
        expression(statement.variable, 'ReadWrite', visit)
        expression(statement.from, 'Read', visit)
        expression(statement.to, 'Read', visit)
        if (statement.by !== undefined) expression(statement.by, 'Read', visit)
        forEachOperand(statement.body, visit)
        break
      case 'while':
        expression(statement.condition, 'Read', visit)
        forEachOperand(statement.body, visit)
        break
      case 'repeat':
        forEachOperand(statement.body, visit)
        expression(statement.until, 'Read', visit)
        break
      case 'region':
        forEachOperand(statement.body, visit)
        break
      case 'faulty':
        if (statement.expression !== undefined) expression(statement.expression, 'Read', visit)
        break
    }
  }
}

function assignment(node: Assignment, visit: OperandVisitor): void {
  let link = node
  for (;;) {
    const { target, operator, value } = link
    expression(target, operator === ':=' || operator === '?=' ? 'Write' : 'ReadWrite', visit)
    if (value.kind !== 'assignment') {
      expression(value, 'Read', visit)
      return
    }
    link = value
  }
}

function expression(node: Expression, access: Access, visit: OperandVisitor, place?: ArgumentPlace): void {
  switch (node.kind) {
    case 'unary':
      expression(node.operand, 'Read', visit)
      return
    case 'binary':
      expression(node.left, 'Read', visit)
      expression(node.right, 'Read', visit)
      return
    case 'group':
      // `f(x := (#a))` passes the operand itself.
      expression(node.inner, access, visit, place)
      return
    case 'missing':
      return
    case 'call':
      call(node, visit)
      return
    default:
      visit(node, access, place)
      inside(node, visit)
  }
}

function call(node: Call, visit: OperandVisitor): void {
  // A method of a call's result has no name of its own to look up.
  if (node.callee.kind === 'call') call(node.callee, visit)
  else {
    visit(node.callee, 'Call', undefined)
    inside(node.callee, visit)
  }
  for (const [position, argument] of node.arguments.entries())
    if (argument.value !== undefined)
      expression(argument.value, argument.isOutput ? 'Write' : 'Read', visit, { call: node, argument, position })
}

/** Visits operands in the indices of an operand, and in a call that it continues. */
function inside(node: Expression, visit: OperandVisitor): void {
  switch (node.kind) {
    case 'index':
      inside(node.object, visit)
      for (const index of node.indices) expression(index, 'Read', visit)
      return
    case 'member':
    case 'slice':
    case 'periphery':
    case 'dereference':
      inside(node.object, visit)
      return
    case 'call':
      call(node, visit)
      return
  }
}

/**
 * Returns the first part of an operand: a name, an address or a literal; `undefined` when the operand continues a call.
 */
export function rootOf(operand: Expression): Expression | undefined {
  let node = operand
  for (;;) {
    switch (node.kind) {
      case 'member':
      case 'index':
      case 'slice':
      case 'periphery':
      case 'dereference':
        node = node.object
        break
      case 'name':
      case 'address':
      case 'literal':
        return node
      default:
        return undefined
    }
  }
}
