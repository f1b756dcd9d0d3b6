/** What follows from the form of a network expression alone: what stands in series, what can follow what, and NOT moved to the contacts. */

import { operandText } from '../model/operand-text.ts'
import { FLOW_ELEMENTS, VALUE_BOXES } from './elements.ts'
import { ExpressionFault } from './expression-parser.ts'
import type {
  Argument,
  ArithmeticExpression,
  Call,
  Expression,
  LogicExpression,
  OperandExpression,
} from './expression-syntax.ts'
import { knownInstruction } from './instructions.ts'

const INVERSE: Readonly<Record<string, string>> = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' }
const ARITHMETIC_PARTS: Readonly<Record<string, string>> = {
  '+': 'Add',
  '-': 'Sub',
  '*': 'Mul',
  '/': 'Div',
  MOD: 'Mod',
}

/** A fault at a node of the tree. */
export function fault(place: { readonly at: number }, message: string): ExpressionFault {
  return new ExpressionFault(place.at, message)
}

/** Without the parentheses around it. */
export function ungrouped(expression: Expression): Expression {
  return expression.kind === 'group' ? ungrouped(expression.inner) : expression
}

/** What stands between the apostrophes. */
export function textOfLiteral({ operand }: OperandExpression): string {
  return operandText(operand).slice(1, -1).replace(/\$(.)/gs, '$1')
}

/** Pins for arguments without a name. */
export function argumentPins({ name, isBlock, args }: Call): readonly string[] {
  if (isBlock) return []
  if (name === 'Inc' || name === 'Dec') return ['operand']
  const shape = VALUE_BOXES.get(name)
  if (shape === undefined) return []
  const numbered = shape.args[0] === 'in#' ? args.map((_, i) => `in${i + 1}`) : shape.args
  return name === 'Calc' ? ['equation', ...numbered] : numbered
}

/** `a + b` as the call of its box. */
export function arithmeticCall({ at, operator, items, braces }: ArithmeticExpression): Call {
  const args = items.map((value, i): Argument => ({ at: value.at, name: `in${i + 1}`, value }))
  const name = ARITHMETIC_PARTS[operator] as string
  return { kind: 'call', at, name, isBlock: false, args, ...(braces && { braces }) }
}

/** The members of an AND, also of those in parentheses: all are elements in series. */
export function factorsOf(expression: Expression): Expression[] {
  const inner = ungrouped(expression)
  return inner.kind === 'and' ? inner.items.flatMap(factorsOf) : [expression]
}

/** Whether a value begins in it that cannot follow other elements in series. */
export function isRooted(expression: Expression): boolean {
  switch (expression.kind) {
    case 'group':
      return isRooted(expression.inner)
    case 'and':
    case 'or':
    case 'xor':
      return expression.items.some(isRooted)
    case 'not':
      return expression.mark === undefined ? pushedIn(expression.inner) === undefined : isRooted(expression.inner)
    case 'operand':
      return expression.braces?.words.includes('direct') === true
    case 'rail':
      return expression.isWord
    case 'compare':
      return false
    case 'call':
      return !(
        expression.instance === undefined &&
        !expression.isBlock &&
        expression.output === undefined &&
        (/^[PN]$/i.test(expression.name) || FLOW_ELEMENTS.has(knownInstruction(expression.name) ?? ''))
      )
    default:
      return true
  }
}

/** NOT of an expression with the NOTs at its contacts; undefined where that is not possible. */
export function pushedIn(expression: Expression): Expression | undefined {
  switch (expression.kind) {
    case 'group': {
      const inner = pushedIn(expression.inner)
      return inner && { ...expression, inner }
    }
    case 'operand':
      return { kind: 'not', at: expression.at, inner: expression }
    case 'not':
      return expression.mark === undefined ? expression.inner : undefined
    case 'compare':
      return { ...expression, operator: INVERSE[expression.operator] as string }
    case 'and':
    case 'or': {
      const items = expression.items.map(pushedIn)
      if (items.some((item) => item === undefined)) return undefined
      return { ...expression, kind: expression.kind === 'and' ? 'or' : 'and', items: items as Expression[] }
    }
    default:
      return undefined
  }
}

/** LAD has no exclusive or: two branches with each operand once as it is and once inverted. */
export function withoutXor(expression: LogicExpression): Expression {
  const { at, items } = expression
  const [left, right] = items as [Expression, Expression]
  const [notLeft, notRight] = [pushedIn(left), pushedIn(right)]
  const isSimple = (item: Expression) =>
    ['operand', 'compare'].includes(ungrouped(item.kind === 'not' ? item.inner : item).kind)
  if (items.length !== 2 || notLeft === undefined || notRight === undefined || !isSimple(left) || !isSimple(right))
    throw fault(
      expression,
      'LAD has no exclusive or; it is drawn as two branches for two operands or comparisons, else write it in FBD',
    )
  const and = (a: Expression, b: Expression): Expression => ({ kind: 'and', at, items: [a, b] })
  return { kind: 'or', at, items: [and(left, notRight), and(notLeft, right)] }
}
