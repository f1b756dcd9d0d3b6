/**
 * Visits the intermediate form without changing it: the parts of a statement or expression, and the statements inside.
 */
import type { Expression, Place, Statement } from './ir.ts'

/**
 * Callbacks for statements and expressions. `statement` is called for each statement of a list and descends into it
 * itself.
 */
export interface Visitor {
  statement(statement: Statement): void
  expression?(expression: Expression): void
}

/**
 * Calls the visitor for every statement, including those inside others and inside expressions, and for every
 * expression; an outer one comes before those inside it.
 */
export function visitAll(statements: readonly Statement[], visitor: Partial<Visitor>): void {
  const deep: Visitor = {
    statement(statement) {
      visitor.statement?.(statement)
      visitOwnExpressions(statement, deep)
      for (const list of innerLists(statement)) for (const inner of list) deep.statement(inner)
    },
    ...(visitor.expression ? { expression: visitor.expression } : {}),
  }
  for (const statement of statements) deep.statement(statement)
}

/** Visits the expressions of a statement in evaluation order, without those of the statements inside it. */
export function visitOwnExpressions(statement: Statement, visitor: Visitor): void {
  switch (statement.kind) {
    case 'store':
      visitPlace(statement.place, visitor)
      visitExpression(statement.value, visitor)
      return
    case 'setLocal':
    case 'setEno':
      visitExpression(statement.value, visitor)
      return
    case 'copy':
      visitPlace(statement.from, visitor)
      visitPlace(statement.to, visitor)
      return
    case 'clear':
      visitPlace(statement.place, visitor)
      return
    case 'routine':
      for (const one of statement.arguments) visitExpression(one, visitor)
      return
    case 'call':
      if (statement.instance) visitExpression(statement.instance, visitor)
      for (const one of statement.arguments) visitExpression(one, visitor)
      return
    case 'if':
      visitExpression(statement.condition, visitor)
      return
    case 'switch':
      visitExpression(statement.selector, visitor)
      return
    default:
      return
  }
}

function visitExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression)
  switch (expression.kind) {
    case 'load':
    case 'address':
      visitPlace(expression.place, visitor)
      return
    case 'unary':
    case 'convert':
      visitExpression(expression.operand, visitor)
      return
    case 'binary':
      visitExpression(expression.left, visitor)
      visitExpression(expression.right, visitor)
      return
    case 'select':
      visitExpression(expression.whenTrue, visitor)
      visitExpression(expression.otherwise, visitor)
      visitExpression(expression.condition, visitor)
      return
    case 'routine':
      for (const one of expression.arguments) visitExpression(one, visitor)
      return
    case 'sequence':
      for (const one of expression.statements) visitor.statement(one)
      visitExpression(expression.value, visitor)
      return
    default:
      return
  }
}

function visitPlace({ base, indices }: Place, visitor: Visitor): void {
  if (base.kind === 'pointer') visitExpression(base.address, visitor)
  for (const { value, low, high } of indices) {
    visitExpression(value, visitor)
    if (typeof low !== 'number') visitExpression(low, visitor)
    if (typeof high !== 'number') visitExpression(high, visitor)
  }
}

/** The lists of statements inside a statement. */
export function innerLists(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case 'if':
      return [statement.whenTrue, statement.otherwise]
    case 'switch':
      return [...statement.branches.map(({ body }) => body), statement.otherwise]
    case 'loop':
    case 'group':
      return [statement.body]
    case 'sections':
      return statement.sections
    default:
      return []
  }
}
