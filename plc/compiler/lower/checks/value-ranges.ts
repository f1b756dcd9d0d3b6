/**
 * Rules over the ranges of values: `condition-never-true` for conditions that contradict each other,
 * `condition-always-true` for an OR that excludes nothing, `narrow-product` for a product that leaves its type before
 * it is widened or divided, `shift-too-far` for a shift of all bits.
 */
import { exactInterval, intervalOfType, type Ranges } from '../../../flow/intervals.ts'
import { walkRanges } from '../../../flow/range-walk.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import type { ScalarType } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'

/** Reports each place once. Call it after lowering the whole block. */
export function checkValueRanges(context: BlockContext, body: readonly Statement[]): void {
  const found = new Set<Expression>()
  const place = (node: Expression) => context.watch.places.get(node)
  const report = (
    code: 'condition-never-true' | 'condition-always-true' | 'narrow-product' | 'shift-too-far',
    node: Expression,
    message: string,
    hint: string,
    severity: 'warning' | 'information' = 'warning',
  ) => {
    const noted = place(node)
    if (noted === undefined || found.has(node)) return
    found.add(node)
    const { at } = noted
    context.diagnostics.push({ code, severity, object: context.block.name, ...at, message, hint })
  }
  walkRanges(
    body,
    {
      decided: (condition, value, by) => {
        let node = condition
        while (node.kind === 'unary') node = node.operand
        const text = place(node)?.text ?? ''
        const shown = condition.kind === 'unary' ? `NOT ${text}` : text
        if (!value)
          report(
            'condition-never-true',
            node,
            by === 'beside'
              ? `${shown} is never TRUE together with the condition beside it.`
              : `${shown} is never TRUE here: what was asked or assigned before excludes it.`,
            'Correct the limits, or remove what never runs.',
          )
        else if (by === 'beside')
          report(
            'condition-always-true',
            node,
            `With the condition before it ${shown} covers every value: the OR is always TRUE.`,
            'AND is probably meant.',
          )
      },
      expression: (node, ranges) => {
        if (node.kind === 'convert' && isWidening(node)) products(node.operand, node.from, ranges).forEach(tellProduct)
        else if (node.kind === 'binary' && node.operator === 'divide' && node.type.family === 'integer')
          products(node.left, node.type, ranges)
            .filter(({ hasConstant }) => hasConstant)
            .forEach(tellProduct)
        else if (node.kind === 'binary' && node.right.kind === 'constant') tellShift(node)
      },
    },
    (branching) => context.watch.places.has(branching),
  )

  function tellProduct({ node, hasConstant }: Product): void {
    const { type } = node
    report(
      'narrow-product',
      node,
      `The product is calculated as ${type.name}, and may leave its range before it is used: then it is wrong.`,
      `Convert one of the factors first: ${type.name.toUpperCase()}_TO_DINT(…).`,
      // How large two variables become nobody can tell from the code.
      hasConstant ? 'warning' : 'information',
    )
  }

  function tellShift(node: Extract<Expression, { kind: 'binary' }>): void {
    const { operator, type, right } = node
    if (right.kind !== 'constant') return
    const by = Number(right.value)
    const isRotation = operator === 'rotateLeft' || operator === 'rotateRight'
    const isShift = operator === 'shiftLeft' || operator === 'shiftRight'
    if ((isShift && by >= type.bits) || (isRotation && by > 0 && by % type.bits === 0))
      report(
        'shift-too-far',
        node,
        isShift
          ? `${type.name} has ${type.bits} bits: a shift by ${by} leaves none of them.`
          : `${type.name} has ${type.bits} bits: a rotation by ${by} changes nothing.`,
        `Use a number from 1 to ${type.bits - 1}, or a wider type.`,
      )
  }
}

function isWidening({ from, type, mode }: Extract<Expression, { kind: 'convert' }>): boolean {
  if (mode !== 'value' || from.family !== 'integer') return false
  return type.family === 'real' || (type.family === 'integer' && type.bits > from.bits)
}

interface Product {
  readonly node: Extract<Expression, { kind: 'binary' }>
  /** One of the factors is a constant that is large enough by itself. */
  readonly hasConstant: boolean
}

/** The products of a type in a sum or quotient that may leave it. */
function products(node: Expression, type: ScalarType, ranges: Ranges): Product[] {
  // Products of longer numbers seldom leave them.
  if (node.kind !== 'binary' || node.type !== type || type.bits > 16) return []
  const { operator, left, right } = node
  if (operator === 'add' || operator === 'subtract' || operator === 'divide')
    return [...products(left, type, ranges), ...products(right, type, ranges)]
  if (operator !== 'multiply') return []
  const own = intervalOfType(type)
  const exact = exactInterval(node, ranges)
  if (own === undefined || exact === undefined || (own.low <= exact.low && exact.high <= own.high)) return []
  const constant = [left, right].find(({ kind }) => kind === 'constant')
  if (constant?.kind !== 'constant') return [{ node, hasConstant: false }]
  // A percentage, or a number of half the bits, times a smaller one stays inside.
  const least = Math.max(own.high / 100, Math.sqrt(own.high))
  return Math.abs(Number(constant.value)) > least ? [{ node, hasConstant: true }] : []
}
