/**
 * Type check of entry actions and conditions, and their text in SCL.
 *
 * One pass does both, because the type of a constant, and so its text (`80` or `80.0`), depends on the other operand.
 * The rules are those of a block with IEC check on, so that the generated text compiles with either setting: integers
 * widen only to a type that holds all their values, 8/16-bit integers to Real, up to 32 bits to LReal, Real to LReal,
 * Time to LTime; bit strings stay bit strings.
 */

import { type DataType, elementaryType } from '../../../plc/model/data-type.ts'
import { fitsReal, type Literal, rangeText } from '../../../plc/model/literal.ts'
import { sclName } from '../model/names.ts'
import { type Scope, variableKey } from '../model/scope.ts'
import {
  type Assignment,
  type BinaryOperator,
  type Expression,
  parseActions,
  parseCondition,
  type VariableNode,
} from './expression.ts'
import type { ExpressionFault } from './lexer.ts'
import { type Found, findVariable } from './lookup.ts'
import { bracket, comparableWith, foldedConstant, type Lowered, mismatchHint } from './lowered.ts'
import {
  assignHint,
  bitsOf,
  commonTyped,
  describe,
  familyOf,
  fold,
  isComparison,
  isNumber,
  isWritable,
  isZero,
  realConstant,
  type ValueType,
  valueExample,
  widens,
} from './type-rules.ts'

const BOOL = elementaryType('Bool')
const UNKNOWN: ValueType = { kind: 'unknown' }

/** An action in SCL: one assignment without the semicolon. */
export interface CompiledActions {
  readonly statements: readonly string[]
}

/**
 * Checks a condition and writes it in SCL.
 * @param scope undefined when the control-module types could not be read: then only the syntax is checked
 * @returns the faults (with offsets in `text`), and the SCL text when there are none
 */
export function compileCondition(text: string, scope: Scope | undefined): { scl: string; faults: ExpressionFault[] } {
  const parsed = parseCondition(text)
  if ('fault' in parsed) return { scl: '', faults: [parsed.fault] }
  if (scope === undefined) return { scl: '', faults: [] }
  const typing = new Typing(scope)
  const lowered = typing.lower(parsed.expression)
  const { type } = lowered
  if (type.kind !== 'unknown' && !(type.kind === 'typed' && type.type.family === 'bool')) {
    typing.faults.push({
      code: 'condition_not_boolean',
      at: startOf(parsed.expression),
      value: text.trim(),
      message: `The condition is ${describe(type)}, not TRUE or FALSE.`,
      allowed: 'a comparison, a Bool variable, TRUE or FALSE',
    })
  }
  return { scl: typing.faults.length === 0 ? lowered.emit() : '', faults: typing.faults }
}

/**
 * Checks an entry action and writes its assignments in SCL. A write to a variable of Direction In is reported with the
 * warning code `action_writes_input`.
 */
export function compileActions(
  text: string,
  scope: Scope | undefined,
): CompiledActions & { faults: ExpressionFault[] } {
  const parsed = parseActions(text)
  if ('fault' in parsed) return { statements: [], faults: [parsed.fault] }
  if (scope === undefined) return { statements: [], faults: [] }
  const typing = new Typing(scope)
  const statements = parsed.actions.map((action) => typing.assignment(action))
  return { statements, faults: typing.faults }
}

/**
 * Checks a value for a variable of a type, and writes it in SCL.
 * @param scope with the names that may be used; an empty one for a constant
 */
export function compileValue(text: string, type: DataType, scope: Scope): { scl: string; faults: ExpressionFault[] } {
  const parsed = parseCondition(text)
  if ('fault' in parsed) return { scl: '', faults: [parsed.fault] }
  const typing = new Typing(scope)
  const scl = typing.value(parsed.expression, type)
  return { scl: typing.faults.length === 0 ? scl : '', faults: typing.faults }
}

function startOf(node: Expression): number {
  return node.kind === 'binary' ? Math.min(startOf(node.left), node.at) : node.at
}

class Typing {
  readonly faults: ExpressionFault[] = []
  readonly #scope: Scope

  constructor(scope: Scope) {
    this.#scope = scope
  }

  assignment(action: Assignment): string {
    const found = this.#find(action.target)
    const value = this.lower(action.value)
    if (found === undefined) return ''
    const { cmType } = found
    if (!cmType) {
      this.faults.push({
        code: 'parameter_written',
        at: action.target.at,
        value: found.name,
        message: `${found.name} is a parameter; an action writes variables of control modules.`,
        allowed: '<CmType>.<Variable>:=<value>',
      })
      return ''
    }
    if (found.variable.direction === 'In') {
      this.faults.push({
        code: 'action_writes_input',
        at: action.target.at,
        value: found.name,
        message: `${found.name} has Direction In; an action normally writes Out variables.`,
        allowed: [...cmType.variables.values()]
          .filter((variable) => variable.direction === 'Out')
          .map((variable) => `${cmType.name}.${variable.name}`),
      })
    }
    const type = found.variable.dataType
    if (type === undefined) return ''
    if (!this.#assignable(type, value)) return ''
    const request = this.#scope.requests?.get(variableKey(cmType.name, found.variable.name))
    return `${request === undefined ? found.scl : `#${sclName(request)}`} := ${value.emit(type)}`
  }

  value(node: Expression, type: DataType): string {
    const lowered = this.lower(node)
    return this.#assignable(type, lowered) ? lowered.emit(type) : ''
  }

  lower(node: Expression): Lowered {
    switch (node.kind) {
      case 'bool':
        return this.#atom(
          node.at,
          { kind: 'typed', type: BOOL },
          () => (node.value ? 'TRUE' : 'FALSE'),
          node.value ? 'TRUE' : 'FALSE',
        )
      case 'literal':
        return this.#literal(node.literal, node.at)
      case 'variable':
        return this.#lowerVariable(node)
      case 'unary':
        return this.#unary(node.operator, this.lower(node.operand), node.at)
      case 'binary':
        return this.#binary(node.operator, this.lower(node.left), this.lower(node.right), node.at)
    }
  }

  #atom(at: number, type: ValueType, emit: (target?: DataType) => string, source: string): Lowered {
    return { type, at, source, shape: 'atom', emit }
  }

  #literal(literal: Literal, at: number): Lowered {
    if (literal.kind === 'typed')
      return this.#atom(at, { kind: 'typed', type: literal.type }, () => literal.text, literal.text)
    if (literal.kind === 'integer') {
      const type: ValueType = { kind: 'integer', value: literal.value }
      return this.#atom(
        at,
        type,
        (target) => (target?.family === 'real' ? realConstant(literal.value) : literal.text),
        literal.text,
      )
    }
    if (literal.kind === 'real')
      return this.#atom(at, { kind: 'real', value: literal.value }, () => literal.text, literal.text)
    const type: ValueType = { kind: 'text', length: literal.length }
    return this.#atom(
      at,
      type,
      (target) =>
        target?.bits === 16 ? `${target.family === 'string' ? 'WSTRING' : 'WCHAR'}#${literal.text}` : literal.text,
      literal.text,
    )
  }

  #lowerVariable(node: VariableNode): Lowered {
    const found = this.#find(node)
    const source = node.cmType === '' ? node.variable : `${node.cmType}.${node.variable}`
    if (found === undefined || found.variable.dataType === undefined)
      return this.#atom(node.at, UNKNOWN, () => '', source)
    return this.#atom(node.at, { kind: 'typed', type: found.variable.dataType }, () => found.scl, source)
  }

  #find(node: VariableNode): Found | undefined {
    const found = findVariable(node, this.#scope)
    if (!('fault' in found)) return found
    this.faults.push(found.fault)
    return undefined
  }

  #fault(
    code: ExpressionFault['code'],
    at: number,
    value: string,
    message: string,
    allowed: readonly string[] | string,
    suggestion?: string,
  ): void {
    this.faults.push({ code, at, value, message, allowed, suggestion })
  }

  #unary(operator: 'NOT' | '+' | '-', operand: Lowered, at: number): Lowered {
    const source = operator === 'NOT' ? `NOT ${operand.source}` : `${operator}${operand.source}`
    const emit = (target?: DataType): string => {
      const inner = operand.shape === 'atom' ? operand.emit(target) : `(${operand.emit(target)})`
      return operator === 'NOT' ? `NOT ${inner}` : `${operator}${inner}`
    }
    const result = (type: ValueType): Lowered => ({ type, at, source, shape: 'unary', emit })
    const { type } = operand
    if (type.kind === 'unknown') return result(UNKNOWN)
    if (operator === 'NOT') {
      if (type.kind === 'typed' && (type.type.family === 'bool' || type.type.family === 'bits')) return result(type)
      const hint = ' NOT binds tighter than a comparison: write NOT (a = b).'
      this.#fault(
        'type_mismatch',
        at,
        operand.source,
        `NOT needs a Bool or a bit string; ${operand.source} is ${describe(type)}.${hint}`,
        'Bool, Byte, Word, DWord, LWord',
      )
      return result(UNKNOWN)
    }
    if (type.kind === 'integer') return result({ kind: 'integer', value: operator === '-' ? -type.value : type.value })
    if (type.kind === 'real') return result({ kind: 'real', value: operator === '-' ? -type.value : type.value })
    const signed =
      type.kind === 'typed' &&
      (type.type.family === 'real' ||
        type.type.family === 'duration' ||
        (type.type.family === 'integer' && type.type.range![0] < 0n))
    if (signed) return result(type)
    this.#fault(
      'type_mismatch',
      at,
      operand.source,
      `${operator} needs a signed number; ${operand.source} is ${describe(type)}.`,
      'SInt, Int, DInt, LInt, Real, LReal, Time, LTime',
    )
    return result(UNKNOWN)
  }

  #binary(operator: BinaryOperator, left: Lowered, right: Lowered, at: number): Lowered {
    const source = `${left.source} ${operator} ${right.source}`
    const make = (type: ValueType, operandType?: DataType): Lowered => ({
      type,
      at: left.at,
      source,
      shape: operator,
      // Constants in arithmetic adapt to the target of the whole expression; those in a comparison adapt to each other.
      emit: (target) => {
        const wanted = operandType ?? target
        return `${bracket(left, operator, 'left', wanted)} ${operator} ${bracket(right, operator, 'right', wanted)}`
      },
    })
    if (left.type.kind === 'unknown' || right.type.kind === 'unknown')
      return make(isComparison(operator) ? { kind: 'typed', type: BOOL } : UNKNOWN)
    if (operator === 'AND' || operator === 'OR' || operator === 'XOR')
      return this.#logic(operator, left, right, at, make)
    if (isComparison(operator)) return this.#comparison(operator, left, right, at, make)
    return this.#arithmetic(operator, left, right, at, make)
  }

  #logic(operator: BinaryOperator, left: Lowered, right: Lowered, at: number, make: Make): Lowered {
    const [a, b] = [left.type, right.type]
    if (familyOf(a) === 'bool' && familyOf(b) === 'bool') return make({ kind: 'typed', type: BOOL })
    const common = this.#commonBits(left, right)
    if (common === 'reported') return make(UNKNOWN)
    if (common !== undefined) return make({ kind: 'typed', type: common }, common)
    const wrong = familyOf(a) === 'bool' || familyOf(a) === 'bits' ? right : left
    this.#fault(
      'type_mismatch',
      at,
      wrong.source,
      `${operator} joins Bool with Bool or bit strings with bit strings; ${wrong.source} is ${describe(wrong.type)}.`,
      'Bool, or Byte, Word, DWord, LWord',
    )
    return make(UNKNOWN)
  }

  #comparison(operator: BinaryOperator, left: Lowered, right: Lowered, at: number, make: Make): Lowered {
    const result: ValueType = { kind: 'typed', type: BOOL }
    const [a, b] = [familyOf(left.type), familyOf(right.type)]
    if (a === 'bool' && b === 'bool') {
      if (operator !== '=' && operator !== '<>') {
        this.#fault('type_mismatch', at, operator, `Bool values have no order; ${operator} cannot compare them.`, [
          '=',
          '<>',
        ])
      }
      return make(result)
    }
    const common = this.#commonType(left, right)
    if (common === undefined) {
      this.#fault(
        'type_mismatch',
        at,
        `${left.source} ${operator} ${right.source}`,
        `${left.source} is ${describe(left.type)} and ${right.source} is ${describe(right.type)}: they cannot be compared.${mismatchHint(left, right)}`,
        comparableWith(left, right),
      )
      return make(result)
    }
    if (common === 'reported' || common === 'constant') return make(result, undefined)
    return make(result, common)
  }

  #arithmetic(operator: BinaryOperator, left: Lowered, right: Lowered, at: number, make: Make): Lowered {
    if ((operator === '/' || operator === 'MOD') && isZero(right.type)) {
      this.#fault('value_out_of_range', right.at, right.source, `${operator} by 0.`, 'a number other than 0')
      return make(UNKNOWN)
    }
    const folded = fold(operator, left.type, right.type)
    if (folded !== undefined) {
      const source = `${left.source} ${operator} ${right.source}`
      if (isWritable(folded)) return foldedConstant(folded, left.at, source)
      this.#fault(
        'value_out_of_range',
        left.at,
        source,
        `${source} is too large for every data type.`,
        rangeText(elementaryType('LReal')),
      )
      return make(UNKNOWN)
    }
    const [a, b] = [familyOf(left.type), familyOf(right.type)]
    if (a === 'duration') {
      const scales =
        (operator === '*' || operator === '/') &&
        (right.type.kind === 'integer' || (b === 'integer' && bitsOf(right.type) <= 32))
      if (scales) return make(left.type)
      if (b === 'duration' && (operator === '+' || operator === '-')) {
        const common = this.#commonType(left, right)
        if (common !== undefined && common !== 'reported' && common !== 'constant')
          return make({ kind: 'typed', type: common }, common)
      }
    } else if (isNumber(a) && isNumber(b)) {
      const common = this.#commonType(left, right)
      if (common === 'reported') return make(UNKNOWN)
      const wholeOnly = operator === 'MOD' && common !== undefined && common !== 'constant' && common.family === 'real'
      if (common !== undefined && common !== 'constant' && !wholeOnly)
        return make({ kind: 'typed', type: common }, common)
    }
    const allowed =
      operator === 'MOD' ? 'integers' : 'two numbers, or a duration with a duration (+ -) or an integer (* /)'
    this.#fault(
      'type_mismatch',
      at,
      `${left.source} ${operator} ${right.source}`,
      `${operator} cannot be done: ${left.source} is ${describe(left.type)}, ${right.source} is ${describe(right.type)}.`,
      allowed,
    )
    return make(UNKNOWN)
  }

  #commonBits(left: Lowered, right: Lowered): DataType | 'reported' | undefined {
    const [a, b] = [left.type, right.type]
    if (a.kind === 'typed' && a.type.family === 'bits') {
      if (b.kind === 'typed' && b.type.family === 'bits') return a.type.bits >= b.type.bits ? a.type : b.type
      if (b.kind === 'integer') return this.#inRange(a.type, b.value, right) ? a.type : 'reported'
    } else if (b.kind === 'typed' && b.type.family === 'bits' && a.kind === 'integer') {
      return this.#inRange(b.type, a.value, left) ? b.type : 'reported'
    }
    return undefined
  }

  /** The common type of two operands; `constant` when both are untyped numbers, undefined when there is none. */
  #commonType(left: Lowered, right: Lowered): DataType | 'reported' | 'constant' | undefined {
    const bits = this.#commonBits(left, right)
    if (bits !== undefined) return bits
    const [a, b] = [left.type, right.type]
    if (a.kind === 'typed' && b.kind === 'typed') return commonTyped(a.type, b.type)
    if (a.kind === 'typed') return this.#withConstant(a.type, right)
    if (b.kind === 'typed') return this.#withConstant(b.type, left)
    const bothNumbers = a.kind !== 'text' && b.kind !== 'text'
    return bothNumbers || a.kind === b.kind ? 'constant' : undefined
  }

  #withConstant(type: DataType, constant: Lowered): DataType | 'reported' | undefined {
    const value = constant.type
    if (value.kind === 'integer') {
      if (type.family === 'integer') return this.#inRange(type, value.value, constant) ? type : 'reported'
      if (type.family === 'real') return this.#inReal(type, Number(value.value), constant) ? type : 'reported'
    }
    if (value.kind === 'real') {
      if (type.family === 'real') return this.#inReal(type, value.value, constant) ? type : 'reported'
      if (type.family === 'integer' && type.bits <= 32) return elementaryType(type.bits <= 16 ? 'Real' : 'LReal')
    }
    if (value.kind === 'text') {
      if (type.family === 'string') return type
      if (type.family === 'character' && value.length === 1) return type
    }
    return undefined
  }

  #inRange(type: DataType, value: bigint, where: Lowered): boolean {
    if (value >= type.range![0] && value <= type.range![1]) return true
    this.#fault(
      'value_out_of_range',
      where.at,
      where.source,
      `${where.source} does not fit into ${type.name}.`,
      rangeText(type),
    )
    return false
  }

  #inReal(type: DataType, value: number, where: Lowered): boolean {
    if (fitsReal(value, type)) return true
    this.#fault(
      'value_out_of_range',
      where.at,
      where.source,
      `${where.source} does not fit into ${type.name}.`,
      rangeText(type),
    )
    return false
  }

  /** Whether a value can be assigned; reports the reason when it cannot. */
  #assignable(target: DataType, value: Lowered): boolean {
    const { type } = value
    if (type.kind === 'unknown') return false
    if (
      type.kind === 'integer' &&
      target.range !== undefined &&
      (target.family === 'integer' || target.family === 'bits')
    ) {
      return this.#inRange(target, type.value, value)
    }
    if (type.kind === 'integer' && target.family === 'real') return this.#inReal(target, Number(type.value), value)
    if (type.kind === 'real' && target.family === 'real') return this.#inReal(target, type.value, value)
    if (type.kind === 'text' && target.family === 'character' && type.length === 1) return true
    const textLength = type.kind === 'text' ? type.length : undefined
    if (target.family === 'string' && textLength !== undefined) {
      if (textLength <= target.length!) return true
      this.#fault(
        'value_out_of_range',
        value.at,
        value.source,
        `A text of ${textLength} characters does not fit into ${target.name}.`,
        `at most ${target.length} characters`,
      )
      return false
    }
    if (type.kind === 'typed' && widens(type.type, target)) return true
    this.#fault(
      'type_mismatch',
      value.at,
      value.source,
      `${value.source} is ${describe(type)}; a value of type ${target.name} is expected.${assignHint(target, type)}`,
      valueExample(target),
    )
    return false
  }
}

type Make = (type: ValueType, operandType?: DataType) => Lowered
