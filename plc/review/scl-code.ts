/** The statements and expressions of an SCL network as lists by kind: a rule passes over what it is about only. */
import { parseScl } from '../languages/scl/parser.ts'
import {
  type Argument,
  type Assignment,
  type Call,
  type Expression,
  nameOf,
  type Statement,
  type SyntaxTree,
  sourceOf,
} from '../languages/scl/syntax.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { LineIndex } from '../model/fault.ts'
import type { MessagePlace } from '../model/message-place.ts'

/** A statement with what is around it. */
export interface FoundStatement<Node extends Statement = Statement> {
  readonly node: Node
  /** Statements around it that hold others: IF, CASE, loops; regions do not count. */
  readonly depth: number
  /** The innermost loop around it. */
  readonly loop: Statement | undefined
}

/** An expression, with the node that it is directly a part of. */
export interface FoundExpression<Node extends Expression = Expression> {
  readonly node: Node
  readonly parent: Expression | Argument | Assignment | undefined
  /** The statement that it is in. */
  readonly statement: Statement
}

/** Place and extent of something in the text of a network: offsets in UTF-16 units. */
export interface Extent {
  readonly start: number
  readonly end: number
}

export class SclCode {
  readonly network: number
  readonly text: string
  readonly tokens: TokenList
  readonly tree: SyntaxTree
  readonly body: readonly Statement[]
  /** Something of the text could not be read. */
  readonly hasFaults: boolean
  readonly statements: FoundStatement[] = []
  // A rule looks for one kind of expression or statement: none of them passes over the others.
  readonly #statements = new Map<Statement['kind'], FoundStatement[]>()
  readonly #expressions = new Map<Expression['kind'], FoundExpression[]>()
  #comments: number[] | undefined
  #lines: LineIndex | undefined

  constructor(network: number, text: string) {
    this.network = network
    this.text = text
    const { tree, diagnostics } = parseScl(text)
    this.tree = tree
    this.hasFaults = diagnostics.length > 0
    this.tokens = tree.tokens
    this.body = tree.statements
    this.#addStatements(tree.statements, 0, undefined)
  }

  /** The statements of a kind, in the order of the text. */
  statementsOf<Kind extends Statement['kind']>(
    kind: Kind,
  ): readonly FoundStatement<Extract<Statement, { readonly kind: Kind }>>[] {
    return (this.#statements.get(kind) ?? []) as FoundStatement<Extract<Statement, { readonly kind: Kind }>>[]
  }

  /** The expressions of a kind, in the order of the text; those in another come after it. */
  expressionsOf<Kind extends Expression['kind']>(
    kind: Kind,
  ): readonly FoundExpression<Extract<Expression, { readonly kind: Kind }>>[] {
    return (this.#expressions.get(kind) ?? []) as FoundExpression<Extract<Expression, { readonly kind: Kind }>>[]
  }

  /** The tokens that are comments. */
  get comments(): readonly number[] {
    if (this.#comments === undefined) {
      this.#comments = []
      const { kind, count } = this.tokens
      for (let i = 0; i < count; i++) {
        const one = kind[i] as number
        if (one > TokenKind.NewLine && one <= lastTrivia) this.#comments.push(i)
      }
    }
    return this.#comments
  }

  /** The exact text of a node. */
  sourceOf(node: { readonly start: number; readonly end: number }): string {
    return sourceOf(this.tokens, node)
  }

  /** The text of a node in one form: without white space and comments, in lower case but for texts. */
  formOf(node: { readonly start: number; readonly end: number }): string {
    let form = ''
    for (let i = node.start; i < node.end; i++) {
      const kind = this.tokens.kind[i] as number
      if (kind <= TokenKind.MultilingualComment) continue
      const text = tokenText(this.tokens, i)
      form += `${kind === TokenKind.String ? text : text.toLowerCase()} `
    }
    return form
  }

  /** Offsets of a node. */
  extentOf({ start, end }: { readonly start: number; readonly end: number }): Extent {
    return { start: this.tokens.start[start] as number, end: this.tokens.start[end] as number }
  }

  /** Offset of a token. */
  offsetOf(token: number): number {
    return this.tokens.start[token] as number
  }

  placeAt(offset: number): MessagePlace {
    this.#lines ??= new LineIndex(this.text)
    return { network: this.network, ...this.#lines.at(offset) }
  }

  placeOf(node: { readonly start: number }): MessagePlace {
    return this.placeAt(this.offsetOf(node.start))
  }

  /** Name in a token, without `#` and quotes. */
  nameAt(token: number): string {
    return nameOf(this.tokens, token)
  }

  kindAt(token: number): number {
    return this.tokens.kind[token] as number
  }

  #addStatements(list: readonly Statement[], depth: number, loop: Statement | undefined): void {
    for (const node of list) {
      const found = { node, depth, loop }
      this.statements.push(found)
      addTo(this.#statements, node.kind, found)
      switch (node.kind) {
        case 'assignment':
          this.#addAssignment(node)
          break
        case 'callStatement':
          this.#add(node.call, undefined, node)
          break
        case 'if':
          for (const { condition, body } of node.branches) {
            this.#add(condition, undefined, node)
            this.#addStatements(body, depth + 1, loop)
          }
          this.#addStatements(node.otherwise ?? [], depth + 1, loop)
          break
        case 'case':
          this.#add(node.selector, undefined, node)
          for (const { body } of node.branches) this.#addStatements(body, depth + 1, loop)
          this.#addStatements(node.otherwise ?? [], depth + 1, loop)
          break
        case 'for':
          for (const part of [node.variable, node.from, node.to, node.by])
            if (part !== undefined) this.#add(part, undefined, node)
          this.#addStatements(node.body, depth + 1, node)
          break
        case 'while':
          this.#add(node.condition, undefined, node)
          this.#addStatements(node.body, depth + 1, node)
          break
        case 'repeat':
          this.#addStatements(node.body, depth + 1, node)
          this.#add(node.until, undefined, node)
          break
        case 'region':
          this.#addStatements(node.body, depth, loop)
          break
        case 'faulty':
          if (node.expression !== undefined) this.#add(node.expression, undefined, node)
          break
      }
    }
  }

  #addAssignment(node: Assignment): void {
    for (let link: Assignment | undefined = node; link !== undefined; ) {
      this.#add(link.target, link, node)
      const { value }: Assignment = link
      if (value.kind === 'assignment') link = value
      else {
        this.#add(value, link, node)
        link = undefined
      }
    }
  }

  #add(node: Expression, parent: FoundExpression['parent'], statement: Statement): void {
    addTo(this.#expressions, node.kind, { node, parent, statement })
    switch (node.kind) {
      case 'unary':
        this.#add(node.operand, node, statement)
        break
      case 'binary':
        this.#add(node.left, node, statement)
        this.#add(node.right, node, statement)
        break
      case 'group':
        this.#add(node.inner, node, statement)
        break
      case 'index':
        this.#add(node.object, node, statement)
        for (const index of node.indices) this.#add(index, node, statement)
        break
      case 'member':
      case 'slice':
      case 'periphery':
      case 'dereference':
        this.#add(node.object, node, statement)
        break
      case 'call':
        this.#addCall(node, statement)
        break
    }
  }

  #addCall(node: Call, statement: Statement): void {
    this.#add(node.callee, node, statement)
    for (const argument of node.arguments)
      if (argument.value !== undefined) this.#add(argument.value, argument, statement)
  }
}

function addTo<Kind, Found>(lists: Map<Kind, Found[]>, kind: Kind, found: Found): void {
  const list = lists.get(kind)
  if (list) list.push(found)
  else lists.set(kind, [found])
}

/** The expression without the brackets around it. */
export function withoutGroups(node: Expression): Expression {
  let inner = node
  while (inner.kind === 'group') inner = inner.inner
  return inner
}
