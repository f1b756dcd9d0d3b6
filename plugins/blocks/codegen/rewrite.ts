/** Goes through the intermediate form and rebuilds what a visitor changes. */
import type { Expression, Place, Statement } from '../program/ir.ts'

/** What is done with each part; what stays away stays as it is. Parts inside are rewritten before what is around them. */
export interface Rewriter {
  place?(place: Place): Place
  expression?(expression: Expression): Expression
  /** One statement may become several. */
  statement?(statement: Statement): readonly Statement[]
}

function rewriteExpression(expression: Expression, by: Rewriter): Expression {
  const inner = (one: Expression) => rewriteExpression(one, by)
  const rebuilt = ((): Expression => {
    switch (expression.kind) {
      case 'load':
        return { ...expression, place: rewritePlace(expression.place, by) }
      case 'address':
        return { ...expression, place: rewritePlace(expression.place, by) }
      case 'unary':
      case 'convert':
        return { ...expression, operand: inner(expression.operand) }
      case 'binary':
        return { ...expression, left: inner(expression.left), right: inner(expression.right) }
      case 'select':
        // In the order in which they are worked out.
        return {
          ...expression,
          whenTrue: inner(expression.whenTrue),
          otherwise: inner(expression.otherwise),
          condition: inner(expression.condition),
        }
      case 'routine':
        return { ...expression, arguments: expression.arguments.map(inner) }
      case 'sequence':
        return {
          ...expression,
          statements: rewriteStatements(expression.statements, by),
          value: inner(expression.value),
        }
      default:
        return expression
    }
  })()
  return by.expression?.(rebuilt) ?? rebuilt
}

function rewritePlace(place: Place, by: Rewriter): Place {
  const bound = (limit: number | Expression) => (typeof limit === 'number' ? limit : rewriteExpression(limit, by))
  const rebuilt: Place = {
    ...place,
    base:
      place.base.kind === 'pointer'
        ? { kind: 'pointer', address: rewriteExpression(place.base.address, by) }
        : place.base,
    indices: place.indices.map((index) => ({
      ...index,
      value: rewriteExpression(index.value, by),
      low: bound(index.low),
      high: bound(index.high),
    })),
  }
  return by.place?.(rebuilt) ?? rebuilt
}

export function rewriteStatements(statements: readonly Statement[], by: Rewriter): Statement[] {
  return statements.flatMap((statement) => rewriteStatement(statement, by))
}

function rewriteStatement(statement: Statement, by: Rewriter): readonly Statement[] {
  const value = (one: Expression) => rewriteExpression(one, by)
  const body = (list: readonly Statement[]) => rewriteStatements(list, by)
  const rebuilt = ((): Statement => {
    switch (statement.kind) {
      case 'store':
        return { ...statement, place: rewritePlace(statement.place, by), value: value(statement.value) }
      case 'setLocal':
      case 'setEno':
        return { ...statement, value: value(statement.value) }
      case 'copy':
        return { ...statement, from: rewritePlace(statement.from, by), to: rewritePlace(statement.to, by) }
      case 'routine':
        return { ...statement, arguments: statement.arguments.map(value) }
      case 'call':
        return {
          ...statement,
          ...(statement.instance ? { instance: value(statement.instance) } : {}),
          arguments: statement.arguments.map(value),
        }
      case 'if':
        return {
          ...statement,
          condition: value(statement.condition),
          whenTrue: body(statement.whenTrue),
          otherwise: body(statement.otherwise),
        }
      case 'switch':
        return {
          ...statement,
          selector: value(statement.selector),
          branches: statement.branches.map((branch) => ({ ...branch, body: body(branch.body) })),
          otherwise: body(statement.otherwise),
        }
      case 'loop':
      case 'group':
        return { ...statement, body: body(statement.body) }
      case 'sections':
        return { ...statement, sections: statement.sections.map(body) }
      default:
        return statement
    }
  })()
  return by.statement?.(rebuilt) ?? [rebuilt]
}
