/** Lowers SCL expressions to values. */

import { defined } from '../../../lib/optional.ts'
import type { Expression as IrExpression, Statement as IrStatement } from '../../ir/ir.ts'
import { parseScl } from '../../languages/scl/parser.ts'
import { type Argument, type Binary, type Call, type Expression, nameOf, sourceOf } from '../../languages/scl/syntax.ts'
import { TokenKind, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { readBlockAddress } from '../../model/block-address.ts'
import { LineIndex } from '../../model/fault.ts'
import { readAddress } from '../../program/absolute-address.ts'
import { readConstant } from '../../program/constants.ts'
import { literalOf } from '../../program/literals.ts'
import { blockNamed } from '../../program/program.ts'
import { Bool } from '../../program/scalars.ts'
import { isRangePointer, rangePointer } from './any-pointers.ts'
import type { BlockContext } from './block-context.ts'
import { callFunction, callInstance, instanceVariable } from './calls.ts'
import { noteInstanceCall } from './checks/instance-calls.ts'
import { withEnable } from './enable.ts'
import { isTestFunction } from './instructions/test-functions.ts'
import { findInstruction, systemInstance, unknownInstruction } from './instructions.ts'
import {
  absoluteOperand,
  blockData,
  elementOperand,
  globalOperand,
  localOperand,
  memberOperand,
  peripheryOperand,
  textOf,
} from './operands.ts'
import { arithmetic, comparison, logic, power, unary } from './operators.ts'
import { readIndex } from './reading.ts'
import { dereference, nullReference } from './references.ts'
import { sliceOperand } from './slices.ts'
import type { SourceRange } from './source-range.ts'
import { callSystemInstance } from './system-instances.ts'
import { type AskedType, compareTypes, namedType, typeOfOperand } from './type-questions.ts'
import type { CallArgument, Called, Index, Side } from './values.ts'
import { type Operand, wrong } from './values.ts'

/**
 * Lowers the text of one expression.
 * @param names meaning of plain names in it, by the name in upper case
 * @param at place of reported faults: the expression is not part of the text of the block
 */
export function lowerSclExpression(
  context: BlockContext,
  text: string,
  names: ReadonlyMap<string, Operand>,
  at: SourceRange,
): { readonly statements: readonly IrStatement[]; readonly value: Operand } {
  const { tree, diagnostics } = parseScl(`${expressionHead}${text}\n;`)
  const [statement, ...others] = tree.statements
  const refuse = (message: string) => {
    context.report('wrong-expression', at, `${text.trim()}: ${message}`)
    return { statements: [], value: wrong }
  }
  const [fault] = diagnostics
  if (fault) return refuse(fault.message)
  if (
    statement?.kind !== 'assignment' ||
    statement.value.kind === 'assignment' ||
    others.some(({ kind }) => kind !== 'empty')
  )
    return refuse('one expression is wanted.')
  const expressions = new SclExpressions(context, tree.tokens, names)
  const before = context.diagnostics.length
  const value = expressions.lower(statement.value)
  const own = context.diagnostics.splice(before)
  for (const { code, message, hint, severity } of own)
    context.report(code, at, `${text.trim()}: ${message}`, hint, severity)
  return { statements: expressions.pending, value }
}

/** Prefix that makes a statement of an expression for the parser. */
const expressionHead = '#value := '

/** What expressions need from the statements around them. */
export class SclExpressions {
  readonly context: BlockContext
  readonly tokens: TokenList
  readonly #lines: LineIndex
  /** Meaning of plain names that takes precedence, by the name in upper case: the inputs of a Calc box. */
  readonly #names: ReadonlyMap<string, Operand>
  /** Statements that must run before the current one: calls inside expressions. */
  pending: IrStatement[] = []
  /** How many IF and CASE are around: TypeOf is in no other place. */
  choices = 0

  constructor(context: BlockContext, tokens: TokenList, names: ReadonlyMap<string, Operand> = new Map()) {
    this.context = context
    this.#names = names
    this.tokens = tokens
    this.#lines = new LineIndex(tokens.text)
  }

  /** Returns the lines and columns of a node. */
  range(node: { readonly start: number; readonly end: number }): SourceRange {
    const { start } = this.tokens
    const from = this.#lines.at(start[node.start] ?? 0)
    // Blanks after the last token are tokens of their own.
    const to = this.#lines.at(start[Math.max(node.end, node.start)] ?? 0)
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
  }

  rangeOfOffsets(start: number, end: number): SourceRange {
    const [from, to] = [this.#lines.at(start), this.#lines.at(end)]
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
  }

  /** @param mayBeText whether a text is allowed here: then an unknown name in quotes can be meant as one */
  lower(node: Expression, mayBeText = false): Operand {
    const { context, tokens } = this
    switch (node.kind) {
      case 'literal':
        return this.#literal(node)
      case 'name':
        return this.#name(node, mayBeText)
      case 'address': {
        const text = tokenText(tokens, node.start)
        return this.#address(text, node)
      }
      case 'member':
        return this.#member(node)
      case 'index': {
        const object = this.lower(node.object)
        const indices = node.indices.map((index) => this.#index(index))
        const known = indices.filter((index) => index !== undefined)
        return known.length === indices.length ? elementOperand(context, object, known, this.range(node)) : wrong
      }
      case 'slice':
        return sliceOperand(context, this.lower(node.object), tokenText(tokens, node.end - 1), this.range(node))
      case 'group':
        return this.lower(node.inner)
      case 'unary':
        return unary(context, node.operator, this.#side(node.operand), this.range(node))
      case 'binary':
        return this.#binary(node)
      case 'call': {
        const { statements, value } = this.call(node)
        this.pending.push(...statements)
        if (value) return this.#kept(value)
        // A call without statements has faults, which are already reported.
        if (statements.length > 0)
          context.report('no-value', this.range(node), `${sourceOf(tokens, node.callee)} gives no value.`)
        return wrong
      }
      case 'missing':
        return wrong
      case 'periphery':
        return peripheryOperand(context, this.lower(node.object), this.range(node))
      case 'dereference':
        return this.#behind(node)
    }
  }

  /** Lowers `reference^`: the address is read before the statement. */
  #behind(node: Extract<Expression, { kind: 'dereference' }>): Operand {
    const { statements, target } = dereference(this.context, this.lower(node.object), this.range(node))
    this.pending.push(...statements)
    return target
  }

  /** Keeps the result of a call in a register: a later call in the same expression may change it. */
  #kept(value: Operand): Operand {
    if (value.kind !== 'result') return value
    const local = this.context.local(value.type)
    this.pending.push({ kind: 'setLocal', local, value: value.expression })
    return { ...value, expression: { kind: 'local', type: value.type, local } }
  }

  #side(node: Expression, mayBeText = false): Side {
    return { operand: this.lower(node, mayBeText), at: this.range(node) }
  }

  #literal(node: Expression): Operand {
    const text = sourceOf(this.tokens, node)
    // A text without its end is a fault of its token.
    const quote = text.indexOf("'")
    if (quote >= 0 && (quote === text.length - 1 || !text.endsWith("'"))) return wrong
    if (isRangePointer(text)) return rangePointer(this.context, text, this.range(node))
    // C#100: a count for S5 counters; P#M10.0: a pointer.
    const read = /^(c#\d|p#)/i.test(text) ? literalOf(text) : readConstant(text)
    if ('kind' in read) return read
    this.context.report('wrong-constant', this.range(node), read.message, read.hint)
    return wrong
  }

  #name(node: Expression, mayBeText: boolean): Operand {
    const { context, tokens } = this
    const kind = tokens.kind[node.start]
    const name = nameOf(tokens, node.start)
    const at = this.range(node)
    if (kind === TokenKind.LocalName) return localOperand(context, name, at)
    if (kind === TokenKind.QuotedName)
      return context.localName(name, at) && (!isGlobal(context, name) || isOwnValue(context, name))
        ? localOperand(context, name, at)
        : globalOperand(context, name, at, mayBeText)
    const upper = name.toUpperCase()
    const named = this.#names.get(upper)
    if (named) return named
    if (upper === 'TRUE' || upper === 'FALSE') return this.#literal(node)
    if (upper === 'ENO') return { kind: 'result', type: Bool, expression: { kind: 'eno' } }
    // External sources may leave out the `#`, and the `%` of absolute addresses.
    if (context.localName(name, at)) return localOperand(context, name, at)
    if (upper === 'NULL') return nullReference(context)
    const address = readAddress(name)
    if (address) return absoluteOperand(context, address, `%${name}`, at)
    return globalOperand(context, name, at, mayBeText, true)
  }

  #address(text: string, node: Expression): Operand {
    const address = readAddress(text)
    if (address) return absoluteOperand(this.context, address, text, this.range(node))
    this.context.report(
      'wrong-address',
      this.range(node),
      `${text} is no address.`,
      'Addresses look like %I0.0, %MW10, %DB1.DBX2.3.',
    )
    return wrong
  }

  #member(node: Extract<Expression, { kind: 'member' }>): Operand {
    const { context, tokens } = this
    const last = node.end - 1
    const name = nameOf(tokens, last)
    const rooted = this.#rootedName(node)
    if (rooted !== undefined) return globalOperand(context, rooted, this.range(node))
    const whole = sourceOf(tokens, node)
    // The parser gives `I0.0` and `"DB".DBX2.3` as members.
    const classic =
      /^%?[A-Z]+\d+\.\d+$/i.test(whole) || /^%?DB\d+\.DB[XBWD]\d+(\.\d)?$/i.test(whole) ? readAddress(whole) : undefined
    if (classic && !context.localName(whole.split('.')[0] ?? ''))
      return absoluteOperand(context, classic, whole, this.range(node))
    const inBlock = this.#blockAddress(node)
    if (inBlock) return inBlock
    return memberOperand(context, this.lower(node.object), name, this.range({ start: last, end: node.end }))
  }

  /** `"Data".DBW4`, `"Data".DBX2.0`: classic sources leave out the `%`. */
  #blockAddress(node: Extract<Expression, { kind: 'member' }>): Operand | undefined {
    const { context, tokens } = this
    const inner = node.object.kind === 'member' ? node.object : undefined
    const last = nameOf(tokens, node.end - 1)
    const isBit = inner !== undefined && /^\d$/.test(last)
    const slice = isBit ? `${nameOf(tokens, inner.end - 1)}.${last}` : last
    const root = isBit ? inner.object : node.object
    if (root.kind !== 'name' || !readBlockAddress(slice)) return undefined
    const block = blockNamed(context.program, nameOf(tokens, root.end - 1))
    const members = block && blockData(block) ? block.members : undefined
    const name = slice.replace(/\..*/, '').toUpperCase()
    if (!members || members.some((member) => member.name.toUpperCase() === name)) return undefined
    return sliceOperand(context, this.lower(root), slice, this.range(node))
  }

  /** `_.Name`, `_.ns.Name`: returns the global name after the root namespace, when the node ends there. */
  #rootedName(node: Expression): string | undefined {
    const { context, tokens } = this
    const names: string[] = []
    let root = node
    for (; root.kind === 'member'; root = root.object) names.unshift(nameOf(tokens, root.end - 1))
    if (root.kind !== 'name' || sourceOf(tokens, root) !== '_') return undefined
    const ends = (count: number): boolean => {
      const name = names.slice(0, count).join('.')
      return isGlobal(context, name) || (count > 1 && blockNamed(context.program, name) !== undefined)
    }
    for (let count = 1; count < names.length; count++) if (ends(count)) return undefined
    return names.join('.')
  }

  #index(node: Expression): Index | undefined {
    return readIndex(this.context, this.lower(node), this.range(node))
  }

  #binary(node: Binary): Operand {
    const { context } = this
    const at = this.range(node)
    switch (node.operator) {
      case '**':
        return power(context, ...this.#sides(node), at)
      case 'AND':
      case 'OR':
      case 'XOR':
        return logic(context, node.operator, ...this.#sides(node), at)
      case '=':
      case '<>':
        return this.#typeComparison(node) ?? comparison(context, node.operator, ...this.#sides(node), at)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return comparison(context, node.operator, ...this.#sides(node), at)
      default:
        return arithmetic(context, node.operator === 'DIV' ? '/' : node.operator, ...this.#sides(node), at)
    }
  }

  #sides({ left, right, operator }: Binary): [Side, Side] {
    const mayBeText = operator === '=' || operator === '<>'
    return [this.#side(left, mayBeText), this.#side(right, mayBeText)]
  }

  /** Lowers `TypeOf(#v) = Int`; `undefined` when neither side queries a type. */
  #typeComparison({ operator, left, right }: Binary): Operand | undefined {
    if (!this.asksForType(left) && !this.asksForType(right)) return undefined
    const [one, other] = [this.askedType(left), this.askedType(right)]
    if (!one || !other) return wrong
    if (this.choices === 0) {
      const asking = this.asksForType(left) ? left : right
      const name = sourceOf(this.tokens, (asking as Call).callee).trim()
      this.context.report(
        'type-question',
        this.range(asking),
        `${name} stands in no IF or CASE.`,
        `Write IF ${name}(…) = … THEN.`,
      )
    }
    const { statements, ...result } = compareTypes(one, other, operator === '=')
    this.pending.push(...statements)
    return result
  }

  /** Whether the node is TypeOf(…) or a similar query. */
  asksForType(node: Expression): node is Call {
    if (node.kind !== 'call' || node.callee.kind !== 'name') return false
    return /^TYPEOF(ELEMENTS|DB)?$/i.test(sourceOf(this.tokens, node.callee).trim())
  }

  /** Returns the type that TypeOf(…) queries, or a named type; `undefined`: there is none, which is then reported. */
  askedType(node: Expression): AskedType | undefined {
    const { context, tokens } = this
    const text = sourceOf(tokens, node).trim()
    if (!this.asksForType(node)) return namedType(context, text, this.range(node))
    const [argument, ...others] = node.arguments
    if (!argument?.value || others.length > 0) {
      context.report('wrong-operand', this.range(node), `${text}: one variable is asked for its type.`)
      return undefined
    }
    const name = sourceOf(tokens, node.callee).trim()
    return typeOfOperand(context, name, this.lower(argument.value), this.range(argument.value))
  }

  /** Lowers a call, as a statement or in an expression. */
  call(node: Call): Called {
    const { context, tokens } = this
    const at = this.range(node)
    const { callee } = node
    if (
      callee.kind === 'name' &&
      tokens.kind[callee.start] !== TokenKind.LocalName &&
      (tokens.kind[callee.start] !== TokenKind.QuotedName || isTestFunction(context, nameOf(tokens, callee.start)))
    ) {
      const name = nameOf(tokens, callee.start)
      const instruction = findInstruction(name)
      if (instruction)
        return withEnable(context, this.#arguments(node.arguments), false, (rest) =>
          instruction({ context, name, at, arguments: rest }),
        )
      if (!context.localName(name) && !isGlobal(context, name)) {
        const type = context.program.typeOf(name)
        if (type.kind === 'instance' && type.isSystem) {
          context.report(
            'no-instance',
            at,
            `${name} keeps its state in an instance, which is missing here.`,
            `Declare a static of type ${type.name} and call it: #name(…).`,
          )
          this.#arguments(node.arguments)
          return { statements: [] }
        }
        context.report('unknown-instruction', this.range(callee), ...unknownInstruction(name))
        this.#arguments(node.arguments)
        return { statements: [] }
      }
    }
    // "IEC_Timer_0_DB".TON(…): the instruction after its instance.
    if (callee.kind === 'member' && this.#rootedName(callee) === undefined) {
      const object = this.lower(callee.object)
      const name = nameOf(tokens, callee.end - 1)
      const instance = systemInstance(object, name)
      if (instance) {
        const given = this.#arguments(node.arguments)
        noteInstanceCall(context, instance, at, !hasEnable(given))
        return withEnable(context, given, false, (rest) => callSystemInstance(context, instance, name, rest, at))
      }
      const target = memberOperand(
        context,
        object,
        nameOf(tokens, callee.end - 1),
        this.range({ start: callee.end - 1, end: callee.end }),
      )
      return this.#callOperand(target, node)
    }
    return this.#callOperand(this.#ownBlock(callee) ?? this.lower(callee), node)
  }

  /** A function that calls itself: elsewhere its name means its value. */
  #ownBlock(callee: Expression): Operand | undefined {
    const { context, tokens } = this
    if (callee.kind !== 'name' || tokens.kind[callee.start] === TokenKind.LocalName) return undefined
    const name = nameOf(tokens, callee.start)
    return isOwnValue(context, name) ? { kind: 'block', block: context.block, text: `"${name}"` } : undefined
  }

  #callOperand(target: Operand, node: Call): Called {
    const { context } = this
    const at = this.range(node)
    if (target.kind === 'wrong') {
      // The arguments may have faults of their own.
      this.#arguments(node.arguments)
      return { statements: [] }
    }
    if (target.kind === 'block') {
      if (target.block.kind === 'FC') {
        const { block } = target
        return withEnable(context, this.#arguments(node.arguments), true, (rest) =>
          callFunction(context, block, rest, at),
        )
      }
      if (target.block.kind === 'FB') {
        context.report(
          'no-instance',
          at,
          `"${target.block.name}" is a function block: it is called with an instance.`,
          'Call its instance data block, or a static of its type.',
        )
        return { statements: [] }
      }
      const instance = instanceVariable(context, target.block, this.range(node.callee))
      return instance.kind === 'wrong' ? { statements: [] } : this.#callInstance(instance, node)
    }
    if (target.kind === 'variable' && target.type.kind === 'instance') return this.#callInstance(target, node)
    const isArray = target.kind === 'variable' && target.type.kind === 'array'
    const hint = isArray ? `An element of an array is written ${target.text}[…].` : undefined
    context.report('not-callable', this.range(node.callee), `${textOf(target)} cannot be called.`, hint)
    return { statements: [] }
  }

  #callInstance(instance: Extract<Operand, { kind: 'variable' }>, node: Call): Called {
    const at = this.range(node)
    const { type } = instance
    if (type.kind !== 'instance') return { statements: [] }
    const given = this.#arguments(node.arguments)
    const { context } = this
    noteInstanceCall(context, instance, at, !hasEnable(given))
    if (type.isSystem)
      return withEnable(context, given, false, (rest) => callSystemInstance(context, instance, type.name, rest, at))
    const site = context.site(at)
    return withEnable(context, given, true, (rest) =>
      callInstance(context, instance, rest, at, (address: IrExpression) => [
        { kind: 'call', block: type.name, instance: address, arguments: [], results: [], site },
      ]),
    )
  }

  #arguments(list: readonly Argument[]): CallArgument[] {
    return list.map(({ name: token, value, isOutput, ...rest }) => {
      const name = token < 0 ? undefined : nameOf(this.tokens, token)
      return {
        ...defined({ name }),
        isOutput,
        ...(value === undefined ? {} : { operand: this.context.argument(name, () => this.lower(value, true)) }),
        at: this.range(value ?? rest),
      }
    })
  }
}

/** Whether a call has a condition of its own. */
function hasEnable(given: readonly CallArgument[]): boolean {
  return given.some(({ name }) => name?.toUpperCase() === 'EN')
}

/** In a function, its own name means its value. */
function isOwnValue({ block }: BlockContext, name: string): boolean {
  return block.kind === 'FC' && block.name.toLowerCase() === name.toLowerCase()
}

function isGlobal({ program }: BlockContext, name: string): boolean {
  const key = name.toLowerCase()
  return program.tags.has(key) || program.blocks.has(key) || program.constants.has(key)
}
