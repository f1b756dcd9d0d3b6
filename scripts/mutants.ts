/**
 * The single changes that a mutation test makes in a JavaScript module: one operator, constant, condition, call or
 * statement at a time, the usual ones (those of StrykerJS without texts, and every number). Texts are left out: most
 * are messages, and those with a meaning are compared somewhere, where `===` is changed.
 */
import { type Node, parse } from 'acorn'

/** One change: the characters from `start` to `end` of the module become `text`. */
export interface Mutant {
  start: number
  end: number
  text: string
  /** Where the code is executed that the change is in: for an operator, the beginning of its left side. */
  executedAt: number
}

const operators: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
}

const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  floor: 'ceil',
  ceil: 'floor',
  trunc: 'ceil',
}

/** Methods whose call is replaced by the object that it is called on. */
const leftOut = new Set(['filter', 'sort', 'reverse', 'trim', 'toLowerCase', 'toUpperCase', 'slice'])

// biome-ignore lint/suspicious/noExplicitAny: acorn's nodes have a type for each kind, and all are walked alike.
type AnyNode = Node & Record<string, any>

const isNode = (value: unknown): value is AnyNode => typeof (value as Node | null)?.type === 'string'
const isText = (node: AnyNode): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)))

/** All changes of a module, in the order of the text. */
export function mutantsOf(code: string): Mutant[] {
  const found: Mutant[] = []
  walk(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  return found.sort((a, b) => a.start - b.start || a.end - b.end)

  function walk(node: AnyNode): void {
    if (node.type === 'ImportDeclaration') return
    mutate(node)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child)
  }

  function replace({ start, end }: { start: number; end: number }, text: string, executedAt = start): void {
    found.push({ start, end, text, executedAt })
  }

  /** Replaces the operator between two nodes. */
  function replaceOperator({ operator }: AnyNode, left: Node, right: Node): void {
    const start = code.indexOf(operator, left.end)
    const other = operators[operator]
    if (other !== undefined && start < right.start) replace({ start, end: start + operator.length }, other, left.start)
  }

  function mutate(node: AnyNode): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        if (!isText(node) && !(node.operator === '+=' && isText(node.right)))
          replaceOperator(node, node.left, node.right)
        break
      case 'UpdateExpression':
        replace(
          node,
          code.slice(node.start, node.end).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')),
        )
        break
      case 'UnaryExpression':
        if (['!', '-', '~'].includes(node.operator)) replace(node, code.slice(node.argument.start, node.argument.end))
        break
      case 'IfStatement':
      case 'ConditionalExpression':
        replace(node.test, `!(${code.slice(node.test.start, node.test.end)})`)
        break
      case 'Literal':
        if (typeof node.value === 'boolean') replace(node, String(!node.value))
        // Beyond 2⁵³ one more is the same number.
        if (typeof node.value === 'number' && node.value + 1 !== node.value) replace(node, String(node.value + 1))
        break
      case 'ArrayExpression':
        if (node.elements.length > 0) replace(node, '[]')
        break
      case 'ExpressionStatement':
        if (!('directive' in node)) replace(node, ';')
        break
      case 'CallExpression':
        mutateCall(node)
        break
      case 'MemberExpression':
        if (node.optional && !node.computed)
          replace(node, `${code.slice(node.object.start, node.object.end)}.${node.property.name}`)
        break
    }
  }

  function mutateCall({ callee, start, end }: AnyNode): void {
    if (callee.type !== 'MemberExpression' || callee.computed) return
    const other = methods[callee.property.name]
    if (other !== undefined) replace(callee.property, other)
    if (leftOut.has(callee.property.name)) replace({ start, end }, code.slice(callee.object.start, callee.object.end))
  }
}
