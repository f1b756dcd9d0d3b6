/**
 * Rules that follow from the form of a network expression alone: which elements are in series, what can follow what,
 * and NOT moved to the contacts.
 */

import { operandText } from '../../model/operand-text.ts'
import { flowElements, valueBoxes } from './elements.ts'
import { ExpressionFault } from './expression-fault.ts'
import type {
  Argument,
  ArithmeticExpression,
  Call,
  Expression,
  LogicExpression,
  OperandExpression,
} from './expression-syntax.ts'
import { knownInstruction } from './instructions.ts'

const inverse: Readonly<Record<string, string>> = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' }
const arithmeticParts: Readonly<Record<string, string>> = {
  '+': 'Add',
  '-': 'Sub',
  '*': 'Mul',
  '/': 'Div',
  MOD: 'Mod',
}

/** Makes a fault at a node of the tree. */
export function fault(place: { readonly at: number }, message: string): ExpressionFault {
  return new ExpressionFault(place.at, message)
}

/** Returns the expression without the parentheses around it. */
export function ungrouped(expression: Expression): Expression {
  return expression.kind === 'group' ? ungrouped(expression.inner) : expression
}

/** The text between the apostrophes. */
export function textOfLiteral({ operand }: OperandExpression): string {
  return operandText(operand).slice(1, -1).replace(/\$(.)/gs, '$1')
}

/** Returns the pins for arguments without a name. */
export function argumentPins({ name, isBlock, args }: Call): readonly string[] {
  if (isBlock) return []
  if (name === 'Inc' || name === 'Dec') return ['operand']
  const shape = valueBoxes.get(name)
  if (shape === undefined) return []
  const numbered = shape.args[0] === 'in#' ? args.map((_, i) => `in${i + 1}`) : shape.args
  return name === 'Calc' ? ['equation', ...numbered] : numbered
}

/** Converts `a + b` to the call of its box. */
export function arithmeticCall({ at, operator, items, braces }: ArithmeticExpression): Call {
  const args = items.map((value, i): Argument => ({ at: value.at, name: `in${i + 1}`, value }))
  const name = arithmeticParts[operator] as string
  return { kind: 'call', at, name, isBlock: false, args, ...(braces && { braces }) }
}

/** Returns the members of an AND, including those in parentheses: all are elements in series. */
export function factorsOf(expression: Expression): Expression[] {
  const inner = ungrouped(expression)
  return inner.kind === 'and' ? inner.items.flatMap(factorsOf) : [expression]
}

/** Whether the expression contains the beginning of a value, which cannot follow other elements in series. */
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
        (/^[PN]$/i.test(expression.name) || flowElements.has(knownInstruction(expression.name) ?? ''))
      )
    default:
      return true
  }
}

/** Moves a NOT to the contacts of an expression; `undefined` where that is not possible. */
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
      return { ...expression, operator: inverse[expression.operator] as string }
    case 'and':
    case 'or': {
      const items = expression.items.map(pushedIn)
      if (items.some((item) => item === undefined)) return undefined
      return { ...expression, kind: expression.kind === 'and' ? 'or' : 'and', items: items as Expression[] }
    }
    case 'xor': {
      const branches = branchesOfXor(expression)
      return branches && pushedIn(branches)
    }
    default:
      return undefined
  }
}

/** The most contacts that an exclusive or is drawn with: 46 are those of five operands. */
const mostContacts = 64

/**
 * LAD has no exclusive or, so it is drawn as `a AND NOT b OR NOT a AND b`; of several operands, the result of the first
 * ones with the next one.
 * @throws ExpressionFault where that is not possible
 */
export function withoutXor(expression: LogicExpression): Expression {
  const branches = branchesOfXor(expression)
  if (branches !== undefined) return branches
  throw fault(
    expression,
    `LAD has no exclusive or; it is drawn as branches of contacts and comparisons, at most ${mostContacts}, and not with boxes and edges in it: write it in FBD, or use bits for its parts`,
  )
}

/** An exclusive or as branches; `undefined` when a part of it cannot be in several branches, or there are too many. */
function branchesOfXor({ at, items }: LogicExpression): Expression | undefined {
  const and = (a: Expression, b: Expression): Expression => ({ kind: 'and', at, items: [a, b] })
  let [result, ...rest] = items as [Expression, ...Expression[]]
  if (contactsOf(result) === undefined) return undefined
  for (const item of rest) {
    // Counted first, so that nested exclusive ors that are too many are not written out.
    const contacts = contactsOf(item)
    if (contacts === undefined || 2 * ((contactsOf(result) ?? mostContacts) + contacts) > mostContacts) return undefined
    const [notResult, notItem] = [pushedIn(result), pushedIn(item)]
    if (notResult === undefined || notItem === undefined) return undefined
    result = { kind: 'or', at, items: [and(result, notItem), and(notResult, item)] }
  }
  return result
}

/** Number of contacts and comparisons; `undefined` when it contains anything else, which must not be executed twice. */
function contactsOf(expression: Expression): number | undefined {
  switch (expression.kind) {
    case 'group':
      return contactsOf(expression.inner)
    case 'operand':
      return expression.braces?.words.includes('direct') === true ? undefined : 1
    case 'not':
      return expression.mark === undefined ? contactsOf(expression.inner) : undefined
    case 'compare':
      return expression.items.every((item) => isOperand(item)) ? 1 : undefined
    case 'and':
    case 'or': {
      let sum = 0
      for (const item of expression.items) sum += contactsOf(item) ?? Number.NaN
      return Number.isNaN(sum) ? undefined : sum
    }
    case 'xor': {
      const branches = branchesOfXor(expression)
      return branches && contactsOf(branches)
    }
    default:
      return undefined
  }
}

function isOperand(expression: Expression): boolean {
  return ['operand', 'rail'].includes(ungrouped(expression).kind)
}
