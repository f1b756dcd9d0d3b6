/**
 * Checks the names of a program against the interface of its block (undeclared local names, unknown members of
 * structures), and collects the names of the whole program that it uses, for the caller to look up.
 */
import { nearest } from '../../../lib/nearest.ts'
import { isBuiltInType, unquoted } from '../../model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import { type Access, type ArgumentPlace, forEachOperand, rootOf } from './operands.ts'
import { type Expression, nameOf, type SyntaxTree } from './syntax.ts'
import { TokenKind } from './tokens.ts'

export interface NameScope {
  readonly sections: readonly InterfaceSection[]
  /**
   * Finds the members of a UDT, FB or system type (name without quotes); `undefined` when the type is not known. Its
   * members are not checked then.
   */
  readonly membersOf?: (type: string) => readonly InterfaceMember[] | undefined
  /** Plain words that are names although they are not declared here, e.g. the function's own name. In upper case. */
  readonly known?: ReadonlySet<string>
  /**
   * Whether a name exists in the whole program (ignoring case). External sources may leave out the quotes of such
   * names.
   */
  readonly isGlobal?: (name: string) => boolean
}

/** Stable codes of the diagnostics of the name check. */
export type NameCode = 'scl-undeclared' | 'scl-unknown-member' | 'scl-no-members'

/** A fault at `start .. end` (offsets in UTF-16 code units of the text). */
export interface NameDiagnostic {
  readonly code: NameCode
  readonly message: string
  readonly start: number
  readonly end: number
}

/** A name of the whole program, or an absolute address. */
export interface GlobalName {
  /** Token of the name. */
  readonly token: number
  readonly operand: Expression
  readonly access: Access
  readonly place: ArgumentPlace | undefined
}

export interface CheckedNames {
  readonly diagnostics: readonly NameDiagnostic[]
  readonly globals: readonly GlobalName[]
}

/** Faults beyond this number are not listed. */
const maxDiagnostics = 200

/** Words that are names in every block. */
const predefined = new Set(['ENO', 'EN', 'THIS', 'SUPER', 'NULL', 'OK', '_', 'DB_ANY'])

/** Checks every local name of the tree and collects the global ones. */
export function checkNames(tree: SyntaxTree, scope: NameScope): CheckedNames {
  return new Checker(tree, scope).run()
}

class Checker {
  readonly #tree: SyntaxTree
  readonly #scope: NameScope
  readonly #locals = new Map<string, InterfaceMember>()
  readonly #members = new Map<readonly InterfaceMember[], Map<string, InterfaceMember>>()
  readonly #expanded = new Map<InterfaceMember, readonly InterfaceMember[]>()
  readonly #diagnostics: NameDiagnostic[] = []
  readonly #globals: GlobalName[] = []

  constructor(tree: SyntaxTree, scope: NameScope) {
    this.#tree = tree
    this.#scope = scope
    for (const { members, base } of scope.sections) {
      for (const member of members) this.#locals.set(member.name.toUpperCase(), member)
      for (const inherited of base ?? [])
        for (const member of inherited.members) this.#locals.set(member.name.toUpperCase(), member)
    }
  }

  run(): CheckedNames {
    const { tokens, statements } = this.#tree
    forEachOperand(statements, (operand, access, place) => {
      const root = rootOf(operand)
      if (root === undefined || root.kind === 'literal') return
      const token = root.start
      const kind = tokens.kind[token]
      if (kind === TokenKind.LocalName) {
        const name = nameOf(tokens, token)
        const member = this.#locals.get(name.toUpperCase())
        if (member !== undefined) this.#path(operand, member)
        else this.#undeclared(token, name)
      } else if (kind === TokenKind.Identifier) this.#plain(operand, token, access, place)
      else if (kind === TokenKind.QuotedName || kind === TokenKind.Address)
        this.#globals.push({ token, operand, access, place })
    })
    return { diagnostics: this.#diagnostics, globals: this.#globals }
  }

  /**
   * A word without a mark: a local name of an external source, a function, a classic address, or something predefined.
   */
  #plain(operand: Expression, token: number, access: Access, place: ArgumentPlace | undefined): void {
    const name = nameOf(this.#tree.tokens, token)
    const upper = name.toUpperCase()
    const member = this.#locals.get(upper)
    if (member !== undefined) this.#path(operand, member)
    else if (!predefined.has(upper) && this.#scope.known?.has(upper) !== true) {
      this.#globals.push({ token, operand, access, place })
      if (access !== 'Call' && !isClassicAddress(upper) && this.#scope.isGlobal?.(name) !== true)
        this.#undeclared(token, name)
    }
  }

  #undeclared(token: number, name: string): void {
    if (this.#scope.known?.has(name.toUpperCase()) === true) return
    const hint = this.#hint(name, this.#locals.values())
    this.#fault('scl-undeclared', `"${name}" is not declared in the interface of this block${hint}`, token)
  }

  /** The name that was possibly meant. Not searched when there are too many faults to list. */
  #hint(name: string, members: Iterable<InterfaceMember>): string {
    if (this.#diagnostics.length >= maxDiagnostics) return ''
    const similar = nearest(
      name,
      Array.from(members, (member) => member.name),
    )
    return similar === undefined ? '' : `; did you mean "${similar}"?`
  }

  #fault(code: NameCode, message: string, token: number): void {
    const { start } = this.#tree.tokens
    if (this.#diagnostics.length >= maxDiagnostics) return
    this.#diagnostics.push({ code, message, start: start[token] as number, end: start[token + 1] as number })
  }

  /**
   * Follows the members of an operand.
   * @returns what the operand is, as far as it is known; `undefined` after too few indices, a reference or an unknown
   *   type
   */
  #path(operand: Expression, root: InterfaceMember): Place | undefined {
    switch (operand.kind) {
      case 'name':
        return { member: root, dataType: root.dataType }
      case 'index': {
        const object = this.#path(operand.object, root)
        return object && afterIndex(object)
      }
      case 'member': {
        const object = this.#path(operand.object, root)
        return object && this.#memberOf(object, operand.end - 1)
      }
      default:
        if ('object' in operand) this.#path(operand.object, root)
        return undefined
    }
  }

  #memberOf(place: Place, token: number): Place | undefined {
    const name = nameOf(this.#tree.tokens, token)
    const members = this.#membersOf(place)
    if (members === undefined) {
      if (isScalar(place.dataType) && this.#tree.tokens.kind[token] === TokenKind.Identifier)
        this.#fault('scl-no-members', `"${place.member.name}" is ${place.dataType}: it has no member "${name}"`, token)
      return undefined
    }
    let byName = this.#members.get(members)
    if (byName === undefined) {
      byName = new Map(members.map((member) => [member.name.toUpperCase(), member]))
      this.#members.set(members, byName)
    }
    const member = byName.get(name.toUpperCase())
    if (member !== undefined) return { member, dataType: member.dataType }
    const hint = this.#hint(name, members)
    this.#fault('scl-unknown-member', `${place.dataType} has no member "${name}"${hint}`, token)
    return undefined
  }

  #membersOf({ member, dataType }: Place): readonly InterfaceMember[] | undefined {
    if (member.members.length > 0) return /^array\b/i.test(dataType) ? undefined : member.members
    if (/^(array|ref_to|struct|variant)\b/i.test(dataType)) return undefined
    const type = unquoted(dataType)
    const known = this.#scope.membersOf?.(type)
    if (known !== undefined) return known
    if (member.sections === undefined || member.sections.length === 0) return undefined
    let expanded = this.#expanded.get(member)
    if (expanded === undefined) {
      expanded = member.sections.flatMap((section) => section.members)
      this.#expanded.set(member, expanded)
    }
    return expanded.length === 0 ? undefined : expanded
  }
}

/** A variable or member, with its type at this place (after an index, that of the elements). */
interface Place {
  readonly member: InterfaceMember
  readonly dataType: string
}

/** The place after `[i, j]`: the type of the elements. */
function afterIndex({ member, dataType }: Place): Place | undefined {
  const of = /^\s*array\s*\[[^\]]*\]\s*of\s+/i.exec(dataType)
  return of === null ? undefined : { member, dataType: dataType.slice(of[0].length) }
}

/** Types without members. */
function isScalar(dataType: string): boolean {
  const name = /^[A-Za-z_0-9]+/.exec(dataType)?.[0]
  return name !== undefined && isBuiltInType(name) && !/^(dtl|struct|variant|any|pointer)$/i.test(name)
}

/** `MW10`, `I0`, `DB5`, `T3`: addresses as STEP 7 classic writes them. */
function isClassicAddress(name: string): boolean {
  return /^(?:P?[IQEAMLV][XBWDL]?|DB|DI|DB[XBWD]|T|C|Z|FB|FC)[0-9]+$/.test(name)
}
