/** Uses in SCL text. */

import { type Access, type ArgumentPlace, forEachOperand, rootOf } from '../languages/scl/operands.ts'
import { parseScl } from '../languages/scl/parser.ts'
import { isStandardFunction } from '../languages/scl/standard-functions.ts'
import { type Expression, nameOf, sourceOf } from '../languages/scl/syntax.ts'
import { TokenKind, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { LineIndex } from '../model/fault.ts'
import { unquoted } from '../model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import { typeOfNamedValue } from './operand-uses.ts'
import { type Use, type UsedArgument, type UsePlace, usedAddress } from './use.ts'

/**
 * Adds what SCL statements use.
 * @param sections interface of the block: calls of local instances are calls of their types
 * @param tree of the text, when it is parsed already
 */
export function addScl(
  into: Use[],
  text: string,
  sections: readonly InterfaceSection[],
  place: UsePlace,
  tree = parseScl(text).tree,
): void {
  const walk = new SclWalk(into, text, sections, place, tree.tokens)
  forEachOperand(tree.statements, (operand, access, argument) => walk.visit(operand, access, argument))
}

/** One walk over a text: what all its operands need is made once, for most are of the block itself and no use. */
class SclWalk {
  readonly #into: Use[]
  readonly #text: string
  readonly #place: UsePlace
  readonly #tokens: TokenList
  readonly #locals: ReadonlyMap<string, InterfaceMember>
  #lines: LineIndex | undefined

  constructor(into: Use[], text: string, sections: readonly InterfaceSection[], place: UsePlace, tokens: TokenList) {
    this.#into = into
    this.#text = text
    this.#place = place
    this.#tokens = tokens
    this.#locals = localsOf(sections)
  }

  visit(operand: Expression, access: Access, argument: ArgumentPlace | undefined): void {
    const root = rootOf(operand)
    if (root === undefined) return
    const token = root.start
    const tokens = this.#tokens
    switch (tokens.kind[token]) {
      case TokenKind.QuotedName:
        this.#add(token, {
          ...pathOf(tokens, operand, token),
          text: this.#written(operand),
          access,
          ...this.#handed(argument),
        })
        return
      case TokenKind.LocalName:
        if (access === 'Call') this.#addCalled(operand, token)
        return
      case TokenKind.Identifier: {
        const name = nameOf(tokens, token)
        if (this.#locals.has(name.toUpperCase())) {
          if (access === 'Call') this.#addCalled(operand, token)
        } else if (access !== 'Call' || !isStandardFunction(name))
          this.#add(token, {
            ...pathOf(tokens, operand, token),
            text: this.#written(operand),
            access,
            isBare: true,
            ...this.#handed(argument),
          })
        return
      }
      case TokenKind.Address: {
        const parsed = parseOperand(tokenText(tokens, token))
        const address = parsed?.kind === 'address' ? usedAddress(parsed) : undefined
        if (address !== undefined)
          this.#add(token, {
            ...{ name: '', path: [], address, text: this.#written(operand), access },
            ...this.#handed(argument),
          })
        return
      }
      case TokenKind.TypedLiteral: {
        const literal = tokenText(tokens, token)
        if (literal.startsWith('"'))
          this.#add(token, { name: typeOfNamedValue(literal), path: [], text: literal, access: 'Type' })
        return
      }
    }
  }

  /** A call of a local instance is one of its type. */
  #addCalled(operand: Expression, token: number): void {
    const name = calledType(this.#tokens, operand, this.#locals)
    if (name !== undefined) this.#add(token, { name, path: [], text: this.#written(operand), access: 'Call' })
  }

  #add(token: number, use: Omit<Use, 'place'>): void {
    this.#lines ??= new LineIndex(this.#text)
    this.#into.push({ ...use, place: { ...this.#place, ...this.#lines.at(this.#tokens.start[token] as number) } })
  }

  #written(operand: Expression): string {
    return sourceOf(this.#tokens, operand).replace(/\s+/g, ' ')
  }

  #handed(place: ArgumentPlace | undefined): { readonly argument?: UsedArgument } {
    const argument = place && argumentOf(this.#tokens, place, this.#locals)
    return argument === undefined ? {} : { argument }
  }
}

function localsOf(sections: readonly InterfaceSection[]): Map<string, InterfaceMember> {
  const locals = new Map<string, InterfaceMember>()
  for (const { members, base } of sections) {
    for (const member of members) locals.set(member.name.toUpperCase(), member)
    for (const inherited of base ?? [])
      for (const member of inherited.members) locals.set(member.name.toUpperCase(), member)
  }
  return locals
}

/**
 * First name and the members after it. `_.ns.Name.member` stays whole: only the program knows where the name in it
 * ends.
 */
function pathOf(tokens: TokenList, operand: Expression, root: number): Pick<Use, 'name' | 'path'> {
  const members: string[] = []
  let node = operand
  for (;;) {
    if (node.kind === 'member') members.push(nameOf(tokens, node.end - 1))
    if (!('object' in node)) break
    node = node.object
  }
  members.reverse()
  const name = nameOf(tokens, root)
  if (name !== '_' || members.length === 0) return { name, path: members }
  const last = members.at(-1) as string
  return { name: last.includes('#') ? typeOfNamedValue(last) : `_.${members.join('.')}`, path: [] }
}

/** Type of the local instance that is called; `undefined` for methods and for types that are not of the program. */
function calledType(
  tokens: TokenList,
  callee: Expression,
  locals: ReadonlyMap<string, InterfaceMember>,
): string | undefined {
  const type = typeOf(tokens, callee, locals)
  return type !== undefined && /^"[^"]+"$/.test(type.dataType) ? unquoted(type.dataType) : undefined
}

/** Declared type of a local operand. */
function typeOf(
  tokens: TokenList,
  node: Expression,
  locals: ReadonlyMap<string, InterfaceMember>,
): { readonly member: InterfaceMember; readonly dataType: string } | undefined {
  switch (node.kind) {
    case 'name': {
      const member = locals.get(nameOf(tokens, node.start).toUpperCase())
      return member && { member, dataType: member.dataType }
    }
    case 'index': {
      const object = typeOf(tokens, node.object, locals)
      const of = object && /^\s*array\s*\[[^\]]*\]\s*of\s+/i.exec(object.dataType)
      return object && of ? { member: object.member, dataType: object.dataType.slice(of[0].length) } : undefined
    }
    case 'member': {
      const object = typeOf(tokens, node.object, locals)
      const wanted = nameOf(tokens, node.end - 1).toUpperCase()
      const member = object?.member.members.find(({ name }) => name.toUpperCase() === wanted)
      return member && { member, dataType: member.dataType }
    }
    default:
      return undefined
  }
}

function argumentOf(
  tokens: TokenList,
  { call, argument, position }: ArgumentPlace,
  locals: ReadonlyMap<string, InterfaceMember>,
): UsedArgument | undefined {
  if (argument.isOutput) return undefined
  const root = rootOf(call.callee)
  if (root === undefined) return undefined
  const kind = tokens.kind[root.start]
  const isLocal =
    kind === TokenKind.LocalName ||
    (kind === TokenKind.Identifier && locals.has(nameOf(tokens, root.start).toUpperCase()))
  const callee = isLocal
    ? calledType(tokens, call.callee, locals)
    : call.callee === root
      ? nameOf(tokens, root.start)
      : undefined
  if (callee === undefined) return undefined
  return { callee, parameter: argument.name === -1 ? position : nameOf(tokens, argument.name) }
}
