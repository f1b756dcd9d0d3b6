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
  const rebuilt = expressionParts(expression, by)
  return by.expression?.(rebuilt) ?? rebuilt
}

function expressionParts(expression: Expression, by: Rewriter): Expression {
  switch (expression.kind) {
    case 'load':
    case 'address':
      return { ...expression, place: rewritePlace(expression.place, by) }
    case 'unary':
    case 'convert':
      return { ...expression, operand: rewriteExpression(expression.operand, by) }
    case 'binary':
      return {
        ...expression,
        left: rewriteExpression(expression.left, by),
        right: rewriteExpression(expression.right, by),
      }
    case 'select':
      // In the order in which the generator works them out: what a rewriter keeps of one part, a later part may use.
      return {
        ...expression,
        whenTrue: rewriteExpression(expression.whenTrue, by),
        otherwise: rewriteExpression(expression.otherwise, by),
        condition: rewriteExpression(expression.condition, by),
      }
    case 'routine':
      return { ...expression, arguments: expression.arguments.map((one) => rewriteExpression(one, by)) }
    case 'sequence':
      return {
        ...expression,
        statements: rewriteStatements(expression.statements, by),
        value: rewriteExpression(expression.value, by),
      }
    default:
      return expression
  }
}

function rewritePlace(place: Place, by: Rewriter): Place {
  const { base, indices } = place
  const rebuilt: Place =
    base.kind !== 'pointer' && indices.length === 0
      ? place
      : {
          ...place,
          base: base.kind === 'pointer' ? { kind: 'pointer', address: rewriteExpression(base.address, by) } : base,
          indices: indices.map((index) => ({
            ...index,
            value: rewriteExpression(index.value, by),
            low: rewriteLimit(index.low, by),
            high: rewriteLimit(index.high, by),
          })),
        }
  return by.place?.(rebuilt) ?? rebuilt
}

function rewriteLimit(limit: number | Expression, by: Rewriter): number | Expression {
  return typeof limit === 'number' ? limit : rewriteExpression(limit, by)
}

export function rewriteStatements(statements: readonly Statement[], by: Rewriter): Statement[] {
  return statements.flatMap((statement) => rewriteStatement(statement, by))
}

function rewriteStatement(statement: Statement, by: Rewriter): readonly Statement[] {
  const rebuilt = statementParts(statement, by)
  return by.statement?.(rebuilt) ?? [rebuilt]
}

function statementParts(statement: Statement, by: Rewriter): Statement {
  switch (statement.kind) {
    case 'store':
      return { ...statement, place: rewritePlace(statement.place, by), value: rewriteExpression(statement.value, by) }
    case 'setLocal':
    case 'setEno':
      return { ...statement, value: rewriteExpression(statement.value, by) }
    case 'copy':
      return { ...statement, from: rewritePlace(statement.from, by), to: rewritePlace(statement.to, by) }
    case 'clear':
      return { ...statement, place: rewritePlace(statement.place, by) }
    case 'routine':
      return { ...statement, arguments: statement.arguments.map((one) => rewriteExpression(one, by)) }
    case 'call':
      return {
        ...statement,
        ...(statement.instance ? { instance: rewriteExpression(statement.instance, by) } : {}),
        arguments: statement.arguments.map((one) => rewriteExpression(one, by)),
      }
    case 'if':
      return {
        ...statement,
        condition: rewriteExpression(statement.condition, by),
        whenTrue: rewriteStatements(statement.whenTrue, by),
        otherwise: rewriteStatements(statement.otherwise, by),
      }
    case 'switch':
      return {
        ...statement,
        selector: rewriteExpression(statement.selector, by),
        branches: statement.branches.map((branch) => ({ ...branch, body: rewriteStatements(branch.body, by) })),
        otherwise: rewriteStatements(statement.otherwise, by),
      }
    case 'loop':
    case 'group':
      return { ...statement, body: rewriteStatements(statement.body, by) }
    case 'sections':
      return { ...statement, sections: statement.sections.map((one) => rewriteStatements(one, by)) }
    default:
      return statement
  }
}

/** Routines that look at their arguments only, and change nothing. All others may read and write memory, also where nobody gave them an address. */
export function isPureRoutine(name: string): boolean {
  return /^(ln|log|exp|sin|cos|tan|asin|acos|atan|frac|power)\./.test(name)
}
