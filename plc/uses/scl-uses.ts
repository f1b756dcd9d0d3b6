/** Uses in SCL text. */

import { type ArgumentPlace, forEachOperand, rootOf } from '../languages/scl/operands.ts'
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
  const { tokens } = tree
  const locals = localsOf(sections)
  let lines: LineIndex | undefined
  const placeOf = (token: number): UsePlace => {
    lines ??= new LineIndex(text)
    return { ...place, ...lines.at(tokens.start[token] as number) }
  }
  const add = (use: Omit<Use, 'place'>, token: number) => into.push({ ...use, place: placeOf(token) })

  // Most operands are of the block itself and no use: the rest is looked at for the others only.
  forEachOperand(tree.statements, (operand, access, argumentPlace) => {
    const root = rootOf(operand)
    if (root === undefined) return
    const token = root.start
    const written = () => sourceOf(tokens, operand).replace(/\s+/g, ' ')
    const handed = () => {
      const argument = argumentPlace && argumentOf(tokens, argumentPlace, locals)
      return argument === undefined ? {} : { argument }
    }
    switch (tokens.kind[token]) {
      case TokenKind.QuotedName:
        add({ ...pathOf(tokens, operand, token), text: written(), access, ...handed() }, token)
        return
      case TokenKind.LocalName: {
        const called = access === 'Call' ? calledType(tokens, operand, locals) : undefined
        if (called !== undefined) add({ name: called, path: [], text: written(), access: 'Call' }, token)
        return
      }
      case TokenKind.Identifier:
        if (locals.has(nameOf(tokens, token).toUpperCase())) {
          const called = access === 'Call' ? calledType(tokens, operand, locals) : undefined
          if (called !== undefined) add({ name: called, path: [], text: written(), access: 'Call' }, token)
        } else if (access !== 'Call' || !isStandardFunction(nameOf(tokens, token)))
          add({ ...pathOf(tokens, operand, token), text: written(), access, isBare: true, ...handed() }, token)
        return
      case TokenKind.Address: {
        const parsed = parseOperand(tokenText(tokens, token))
        const address = parsed?.kind === 'address' ? usedAddress(parsed) : undefined
        if (address !== undefined) add({ name: '', path: [], address, text: written(), access, ...handed() }, token)
        return
      }
      case TokenKind.TypedLiteral: {
        const literal = tokenText(tokens, token)
        if (literal.startsWith('"'))
          add({ name: typeOfNamedValue(literal), path: [], text: literal, access: 'Type' }, token)
        return
      }
    }
  })
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
