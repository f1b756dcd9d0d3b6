/**
 * Programs of the reference: a small tree of typed expressions and statements, and its text in SCL with no more
 * brackets than the priorities of docs/plc-semantics.md#operators require.
 */
import type { RefType, Value } from './types.ts'

/** A variable, an element (`ar`, two limits per dimension) or a member; `name` is its key among the values. */
export interface Reference {
  readonly kind: 'variable'
  readonly type: RefType
  readonly name: string
  readonly indices: readonly Node[]
  readonly dimensions: readonly (readonly [low: number, high: number])[]
  /** The member after the index: `.a`. */
  readonly member: string
  /** `%X3`, `%B1`: width in bits and number. */
  readonly slice?: readonly [width: 1 | 8 | 16 | 32, number: number]
}

export type Arithmetic = '+' | '-' | '*' | '/' | 'MOD'
export type Logic = 'AND' | 'OR' | 'XOR'
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

export type Node =
  | { readonly kind: 'literal'; readonly type: RefType; readonly value: Value; readonly isTyped: boolean }
  | Reference
  /** `at`: the type in which both sides are read. */
  | {
      readonly kind: 'binary'
      readonly operator: Arithmetic | Logic | Comparison
      readonly type: RefType
      readonly at: RefType
      readonly left: Node
      readonly right: Node
    }
  /** A duration multiplied or divided by a whole number. */
  | {
      readonly kind: 'scaled'
      readonly operator: '*' | '/'
      readonly type: RefType
      readonly left: Node
      readonly right: Node
    }
  | { readonly kind: 'unary'; readonly operator: '-' | 'NOT'; readonly type: RefType; readonly operand: Node }
  | { readonly kind: 'convert'; readonly name: string; readonly type: RefType; readonly operand: Node }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly type: RefType
      readonly given: readonly (readonly [string, Node])[]
    }

export interface BlockCall {
  readonly kind: 'blockCall'
  /** The block, or the instance of an FB. */
  readonly block: string
  readonly instance?: string
  readonly inputs: readonly (readonly [name: string, value: Node])[]
  readonly inOuts: readonly (readonly [name: string, variable: Reference])[]
  readonly outputs: readonly (readonly [name: string, variable: Reference])[]
  readonly en?: Node
  readonly eno?: Reference
  /** Variable for the return value of a function. */
  readonly result?: Reference
}

export type Step =
  | { readonly kind: 'assign'; readonly target: Reference; readonly value: Node; readonly operator?: Arithmetic }
  | { readonly kind: 'copy'; readonly target: Reference; readonly source: Reference }
  | {
      readonly kind: 'if'
      readonly branches: readonly (readonly [Node, readonly Step[]])[]
      readonly otherwise?: readonly Step[]
    }
  | {
      readonly kind: 'case'
      readonly selector: Node
      readonly branches: readonly (readonly [labels: readonly (readonly [bigint, bigint])[], body: readonly Step[]])[]
      readonly otherwise?: readonly Step[]
    }
  | {
      readonly kind: 'for'
      readonly variable: Reference
      readonly from: Node
      readonly to: Node
      readonly by?: Node
      readonly body: readonly Step[]
    }
  | {
      readonly kind: 'while' | 'repeat'
      readonly counter: Reference
      readonly rounds: bigint
      readonly condition: Node
      readonly body: readonly Step[]
    }
  | { readonly kind: 'exit' | 'continue' | 'return' }
  | BlockCall

/** Lower binds tighter; left to right on one level. */
const levels: Readonly<Record<string, number>> = {
  ...{
    '*': 4,
    '/': 4,
    MOD: 4,
    '+': 5,
    '-': 5,
    '<': 6,
    '<=': 6,
    '>': 6,
    '>=': 6,
    '=': 7,
    '<>': 7,
    AND: 8,
    XOR: 9,
    OR: 10,
  },
}
const unaryLevel = 3

/** Returns the text of an expression. */
export function textOf(node: Node): string {
  switch (node.kind) {
    case 'literal':
      return literalText(node.type, node.value, node.isTyped)
    case 'variable':
      return referenceText(node)
    case 'binary':
    case 'scaled': {
      const level = levels[node.operator] ?? 0
      return `${within(node.left, level)} ${node.operator} ${within(node.right, level - 1)}`
    }
    case 'unary':
      return `${node.operator}${node.operator === 'NOT' ? ' ' : ''}${within(node.operand, unaryLevel - 1)}`
    case 'convert':
      return `${node.name}(${textOf(node.operand)})`
    case 'call':
      return `${node.name}(${node.given.map(([name, value]) => `${name} := ${textOf(value)}`).join(', ')})`
  }
}

function levelOf(node: Node): number {
  if (node.kind === 'binary' || node.kind === 'scaled') return levels[node.operator] ?? 0
  if (node.kind === 'unary') return unaryLevel
  // A minus before a number is an operator to the parser.
  return node.kind === 'literal' && !node.isTyped && node.value < 0 ? unaryLevel : 0
}

function within(node: Node, level: number): string {
  return levelOf(node) > level ? `(${textOf(node)})` : textOf(node)
}

export function referenceText({ name, indices, member, slice }: Reference): string {
  const index = indices.length > 0 ? `[${indices.map(textOf).join(', ')}]` : ''
  const letters = { 1: 'X', 8: 'B', 16: 'W', 32: 'D' } as const
  return `#${name}${index}${member}${slice ? `.%${letters[slice[0]]}${slice[1]}` : ''}`
}

function literalText(type: RefType, value: Value, isTyped: boolean): string {
  if (type.family === 'bool') return value ? 'TRUE' : 'FALSE'
  if (type.family === 'duration')
    return `${type.bits === 64 ? 'LT' : 'T'}#${value < 0 ? '-' : ''}${value < 0 ? -value : value}${type.bits === 64 ? 'ns' : 'ms'}`
  const number =
    type.family === 'bits' ? `16#${value.toString(16)}` : type.family === 'real' ? realText(Number(value)) : `${value}`
  return isTyped ? `${type.name.toUpperCase()}#${number}` : number
}

function realText(value: number): string {
  const text = value.toExponential()
  const [digits = '', exponent = ''] = text.split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`
}

/** Returns the text of statements. */
export function stepsText(steps: readonly Step[], indent = ''): string {
  return steps.map((step) => stepText(step, indent)).join('')
}

function stepText(step: Step, indent: string): string {
  const inner = `${indent}  `
  switch (step.kind) {
    case 'assign':
      return `${indent}${referenceText(step.target)} ${step.operator ?? ':'}= ${textOf(step.value)};\n`
    case 'copy':
      return `${indent}${referenceText(step.target)} := ${referenceText(step.source)};\n`
    case 'if': {
      const branches = step.branches.map(
        ([condition, body], i) =>
          `${indent}${i > 0 ? 'ELSIF' : 'IF'} ${textOf(condition)} THEN\n${stepsText(body, inner)}`,
      )
      const otherwise = step.otherwise ? `${indent}ELSE\n${stepsText(step.otherwise, inner)}` : ''
      return `${branches.join('')}${otherwise}${indent}END_IF;\n`
    }
    case 'case': {
      const branches = step.branches.map(([labels, body]) => {
        const list = labels.map(([from, to]) => (from === to ? `${from}` : `${from}..${to}`)).join(', ')
        return `${inner}${list}:\n${stepsText(body, `${inner}  `) || `${inner}  ;\n`}`
      })
      const otherwise = step.otherwise ? `${inner}ELSE\n${stepsText(step.otherwise, `${inner}  `)}` : ''
      return `${indent}CASE ${textOf(step.selector)} OF\n${branches.join('')}${otherwise}${indent}END_CASE;\n`
    }
    case 'for': {
      const by = step.by ? ` BY ${textOf(step.by)}` : ''
      return (
        `${indent}FOR ${referenceText(step.variable)} := ${textOf(step.from)} TO ${textOf(step.to)}${by} DO\n` +
        `${stepsText(step.body, inner)}${indent}END_FOR;\n`
      )
    }
    case 'while': {
      const counter = referenceText(step.counter)
      return (
        `${indent}${counter} := 0;\n${indent}WHILE ${counter} < ${step.rounds} AND (${textOf(step.condition)}) DO\n` +
        `${inner}${counter} := ${counter} + 1;\n${stepsText(step.body, inner)}${indent}END_WHILE;\n`
      )
    }
    case 'repeat': {
      const counter = referenceText(step.counter)
      return (
        `${indent}${counter} := 0;\n${indent}REPEAT\n${inner}${counter} := ${counter} + 1;\n${stepsText(step.body, inner)}` +
        `${indent}UNTIL ${counter} >= ${step.rounds} OR (${textOf(step.condition)}) END_REPEAT;\n`
      )
    }
    case 'exit':
    case 'continue':
    case 'return':
      return `${indent}${step.kind.toUpperCase()};\n`
    case 'blockCall': {
      const given = [
        ...(step.en ? [`EN := ${textOf(step.en)}`] : []),
        ...step.inputs.map(([name, value]) => `${name} := ${textOf(value)}`),
        ...step.inOuts.map(([name, variable]) => `${name} := ${referenceText(variable)}`),
        ...step.outputs.map(([name, variable]) => `${name} => ${referenceText(variable)}`),
        ...(step.eno ? [`ENO => ${referenceText(step.eno)}`] : []),
      ].join(', ')
      const callee = step.instance === undefined ? `"${step.block}"` : `#${step.instance}`
      const result = step.result ? `${referenceText(step.result)} := ` : ''
      return `${indent}${result}${callee}(${given});\n`
    }
  }
}
