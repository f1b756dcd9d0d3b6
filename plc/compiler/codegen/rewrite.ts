/** Walks through the intermediate form and rebuilds the parts that a rewriter changes. */
import type { Expression, Place, Statement } from '../../ir/ir.ts'

/** Callbacks for each part; parts without a callback stay unchanged. Inner parts are rewritten before outer ones. */
export interface Rewriter {
  place?(place: Place): Place
  expression?(expression: Expression): Expression
  /** One statement may become several. */
  statement?(statement: Statement): readonly Statement[]
}

function rewriteExpression(expression: Expression, by: Rewriter): Expression {
  const rebuilt = rebuiltExpression(expression, by)
  return by.expression === undefined ? rebuilt : by.expression(rebuilt)
}

// Parts that do not change stay the same objects: most passes change little, and a copy of everything costs more than
// they do.

function rebuiltExpression(expression: Expression, by: Rewriter): Expression {
  switch (expression.kind) {
    case 'load':
    case 'address': {
      const place = rewritePlace(expression.place, by)
      return place === expression.place ? expression : { ...expression, place }
    }
    case 'unary':
    case 'convert': {
      const operand = rewriteExpression(expression.operand, by)
      return operand === expression.operand ? expression : { ...expression, operand }
    }
    case 'binary': {
      const left = rewriteExpression(expression.left, by)
      const right = rewriteExpression(expression.right, by)
      return left === expression.left && right === expression.right ? expression : { ...expression, left, right }
    }
    case 'select': {
      // Same order as the generator evaluates them: a later part may use what a rewriter keeps of an earlier one.
      const whenTrue = rewriteExpression(expression.whenTrue, by)
      const otherwise = rewriteExpression(expression.otherwise, by)
      const condition = rewriteExpression(expression.condition, by)
      const isSame =
        whenTrue === expression.whenTrue && otherwise === expression.otherwise && condition === expression.condition
      return isSame ? expression : { ...expression, whenTrue, otherwise, condition }
    }
    case 'routine': {
      const values = rewriteExpressions(expression.arguments, by)
      return values === expression.arguments ? expression : { ...expression, arguments: values }
    }
    case 'sequence': {
      const statements = rewriteList(expression.statements, by)
      const value = rewriteExpression(expression.value, by)
      const isSame = statements === expression.statements && value === expression.value
      return isSame ? expression : { ...expression, statements, value }
    }
    default:
      return expression
  }
}

function rewriteExpressions(expressions: readonly Expression[], by: Rewriter): readonly Expression[] {
  const rewritten = expressions.map((one) => rewriteExpression(one, by))
  return isSameList(rewritten, expressions) ? expressions : rewritten
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function rewritePlace(place: Place, by: Rewriter): Place {
  const { base, indices } = place
  const rebuilt = base.kind !== 'pointer' && indices.length === 0 ? place : rebuiltPlace(place, by)
  return by.place === undefined ? rebuilt : by.place(rebuilt)
}

function rebuiltPlace(place: Place, by: Rewriter): Place {
  let { base } = place
  if (base.kind === 'pointer') {
    const address = rewriteExpression(base.address, by)
    if (address !== base.address) base = { kind: 'pointer', address }
  }
  const rewritten = place.indices.map((index) => {
    const value = rewriteExpression(index.value, by)
    const low = rewriteLimit(index.low, by)
    const high = rewriteLimit(index.high, by)
    return value === index.value && low === index.low && high === index.high ? index : { ...index, value, low, high }
  })
  const indices = isSameList(rewritten, place.indices) ? place.indices : rewritten
  return base === place.base && indices === place.indices ? place : { ...place, base, indices }
}

function rewriteLimit(limit: number | Expression, by: Rewriter): number | Expression {
  return typeof limit === 'number' ? limit : rewriteExpression(limit, by)
}

export function rewriteStatements(statements: readonly Statement[], by: Rewriter): Statement[] {
  const rewritten: Statement[] = []
  for (const statement of statements) {
    const rebuilt = rebuiltStatement(statement, by)
    if (by.statement === undefined) rewritten.push(rebuilt)
    else rewritten.push(...by.statement(rebuilt))
  }
  return rewritten
}

/** Returns the same list when nothing in it changes. */
function rewriteList(statements: readonly Statement[], by: Rewriter): readonly Statement[] {
  const rewritten = rewriteStatements(statements, by)
  return isSameList(rewritten, statements) ? statements : rewritten
}

function rebuiltStatement(statement: Statement, by: Rewriter): Statement {
  switch (statement.kind) {
    case 'store': {
      const place = rewritePlace(statement.place, by)
      const value = rewriteExpression(statement.value, by)
      return place === statement.place && value === statement.value ? statement : { ...statement, place, value }
    }
    case 'setLocal':
    case 'setEno': {
      const value = rewriteExpression(statement.value, by)
      return value === statement.value ? statement : { ...statement, value }
    }
    case 'copy': {
      const from = rewritePlace(statement.from, by)
      const to = rewritePlace(statement.to, by)
      return from === statement.from && to === statement.to ? statement : { ...statement, from, to }
    }
    case 'clear': {
      const place = rewritePlace(statement.place, by)
      return place === statement.place ? statement : { ...statement, place }
    }
    case 'routine': {
      const values = rewriteExpressions(statement.arguments, by)
      return values === statement.arguments ? statement : { ...statement, arguments: values }
    }
    case 'call': {
      const instance = statement.instance && rewriteExpression(statement.instance, by)
      const values = rewriteExpressions(statement.arguments, by)
      if (instance === statement.instance && values === statement.arguments) return statement
      return { ...statement, ...(instance ? { instance } : {}), arguments: values }
    }
    case 'if': {
      const condition = rewriteExpression(statement.condition, by)
      const whenTrue = rewriteList(statement.whenTrue, by)
      const otherwise = rewriteList(statement.otherwise, by)
      const isSame =
        condition === statement.condition && whenTrue === statement.whenTrue && otherwise === statement.otherwise
      return isSame ? statement : { ...statement, condition, whenTrue, otherwise }
    }
    case 'switch': {
      const selector = rewriteExpression(statement.selector, by)
      const rewritten = statement.branches.map((branch) => {
        const body = rewriteList(branch.body, by)
        return body === branch.body ? branch : { ...branch, body }
      })
      const branches = isSameList(rewritten, statement.branches) ? statement.branches : rewritten
      const otherwise = rewriteList(statement.otherwise, by)
      const isSame =
        selector === statement.selector && branches === statement.branches && otherwise === statement.otherwise
      return isSame ? statement : { ...statement, selector, branches, otherwise }
    }
    case 'loop':
    case 'group': {
      const body = rewriteList(statement.body, by)
      return body === statement.body ? statement : { ...statement, body }
    }
    case 'sections': {
      const rewritten = statement.sections.map((one) => rewriteList(one, by))
      return isSameList(rewritten, statement.sections) ? statement : { ...statement, sections: rewritten }
    }
    default:
      return statement
  }
}

/**
 * Routines that only read their arguments and change nothing. All others may read and write any memory, even without
 * its address.
 */
export function isPureRoutine(name: string): boolean {
  return /^(ln|log|exp|sin|cos|tan|asin|acos|atan|frac|power)\./.test(name)
}
