/**
 * Follows the names of an object through its tokens: which declaration each one means. Paths go from their first name
 * inwards, parameters of a call belong to the called block. It needs no syntax tree, so that half-typed code keeps its
 * meaning.
 */
import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, tokenText } from '../languages/scl/tokens.ts'
import { Keyword } from '../model/keywords.ts'
import { unquoted } from '../model/names.ts'
import { type Declared, systemDeclared } from './declared.ts'
import type { Outline, Part } from './outline.ts'

/** Members by their names in upper case. */
export type Members = ReadonlyMap<string, Declared>

/** What names of the whole program mean. */
export interface Names {
  /** The first declaration of a block, type, tag or constant; case ignored. */
  object(name: string): Declared | undefined
}

/** A name in a text, and what it means. */
export interface Occurrence {
  readonly start: number
  readonly end: number
  readonly token: number
  readonly declared: Declared
  readonly isDeclaration: boolean
  /** It is a member of the block itself, named without a path before it, in code. */
  readonly isLocal: boolean
}

/** What may be typed at the end of a walk. */
export interface Place {
  /** Members that can follow a dot. */
  readonly path: Members | undefined
  /** The members of the called block, when the place is the beginning of an argument. */
  readonly call: Members | undefined
}

const memberMaps = new WeakMap<readonly Declared[], Members>()
const noNames: Members = new Map()

/** The members of a declaration by name. */
function byName(members: readonly Declared[]): Members {
  let map = memberMaps.get(members)
  if (map === undefined) {
    map = new Map(members.map((one) => [one.name.toUpperCase(), one]))
    memberMaps.set(members, map)
  }
  return map
}

/** The name of the type of elements: without ARRAY, REF_TO, quotes and namespace (`_.hall.Motor`, `hall.Motor`). */
export function elementTypeName(dataType: string): string {
  let type = dataType.trim()
  for (let before = ''; before !== type; ) {
    before = type
    type = type.replace(/^(?:array\s*\[[^\]]*\]\s*of|REF_TO)\s+/i, '').trim()
  }
  if (!type.startsWith('"')) type = type.slice(type.lastIndexOf('.') + 1)
  return unquoted(type)
}

/** The members that can follow a name; `undefined` when it has none. `outside`: seen from another object. */
function membersInside(declared: Declared, names: Names, outside = true): Members | undefined {
  const { kind, dataType, members } = declared
  if (kind === 'FB' || kind === 'FC' || kind === 'OB') return outside ? visible(members) : byName(members)
  if (members.length > 0) return byName(members)
  if (dataType === '') return undefined
  const type = elementTypeName(dataType)
  const own = names.object(type)
  // A data block of a data block, or a name that means itself, leads nowhere.
  if (own !== undefined && (own.kind === 'FB' || own.kind === 'UDT')) return visible(own.members)
  const system = systemDeclared(type)
  return system && byName(system.members)
}

/** The members of what a call names: a block, an instance, or a function; undefined: it cannot be called. */
export function calledMembers(callee: Declared, names: Names): Iterable<Declared> | undefined {
  const { kind } = callee
  if (kind === 'OB' || kind === 'UDT' || kind === 'Tag' || kind === 'Constant') return undefined
  const members = [...(membersInside(callee, names)?.values() ?? [])]
  const isBlock = kind === 'FC' || kind === 'FB' || members.some(({ section }) => isParameter(section))
  return isBlock ? members : undefined
}

const isParameter = (section: Declared['section']) => section === 'Input' || section === 'Output' || section === 'InOut'

const visibleMaps = new WeakMap<readonly Declared[], Members>()

/** Temporary members and constants of a block are its own. */
function visible(members: readonly Declared[]): Members {
  let map = visibleMaps.get(members)
  if (map === undefined) {
    map = byName(members.filter(({ section }) => section !== 'Temp' && section !== 'Constant'))
    visibleMaps.set(members, map)
  }
  return map
}

/** The members that an object names without a path. */
export function localMembers({ object }: Part, names: Names): Members {
  return membersInside(object, names, false) ?? noNames
}

interface Frame {
  readonly members: Members | undefined
  readonly isCall: boolean
}

/** One walk over the tokens of one object. */
export class Walk {
  readonly #outline: Outline
  readonly #names: Names
  readonly #part: Part
  readonly #local: Members
  readonly #found: (occurrence: Occurrence) => void
  readonly #stack: Frame[] = []
  #current: Members | undefined
  #isPath = false
  /** STL: the block that CALL names first. */
  #called: Members | undefined
  #isCalling = false
  #last: number = K.Semicolon

  constructor(outline: Outline, part: Part, names: Names, found: (occurrence: Occurrence) => void) {
    this.#outline = outline
    this.#names = names
    this.#part = part
    this.#local = localMembers(part, names)
    this.#found = found
  }

  /** Walks over tokens of the code: indexes of significant tokens, the end excluded. */
  body(from: number, to: number): Place {
    for (let n = from; n < to; n++) this.#step(n, to)
    const top = this.#stack.at(-1)
    const isArgument = top?.isCall === true && (this.#last === K.LeftParen || this.#last === K.Comma)
    return {
      path: this.#last === K.Dot && this.#isPath ? this.#current : undefined,
      call: isArgument ? top.members : undefined,
    }
  }

  /** Walks over the declarations: names of types, of constants in limits and values, of overlaid members. */
  declarations(): void {
    const { significant, declarations, tokens } = this.#outline
    for (let n = this.#part.from; n < Math.min(this.#part.body, this.#part.to); n++) {
      const token = significant[n] as number
      const own = declarations.get(token)
      if (own !== undefined) {
        this.#note(token, own, true)
        continue
      }
      const kind = tokens.kind[token] as number
      const name = nameOf(tokens, token)
      if (kind === K.LocalName) this.#noteIf(token, this.#local.get(name.toUpperCase()), true)
      else if (kind === K.QuotedName) this.#noteIf(token, this.#names.object(name))
      else if (kind === K.Identifier) {
        const before = this.#kind(n - 1)
        const word = tokens.keyword[significant[n - 1] ?? 0]
        const isType = before === K.Colon || before === K.Dot || word === Keyword.OF || word === Keyword.REF_TO
        const isOverlay = word === Keyword.AT
        if (isType) this.#noteIf(token, this.#names.object(name) ?? systemDeclared(name))
        else if (isOverlay || before === K.LeftBracket || before === K.Range || before === K.Assign)
          this.#noteIf(token, this.#local.get(name.toUpperCase()) ?? this.#constant(name), true)
        else if (this.#part.object.kind === 'DB' && name === this.#part.object.dataType)
          this.#noteIf(token, this.#names.object(name) ?? systemDeclared(name))
      }
    }
  }

  #constant(name: string): Declared | undefined {
    const found = this.#names.object(name)
    return found?.kind === 'Constant' ? found : undefined
  }

  #kind(n: number): number {
    const token = this.#outline.significant[n]
    return token === undefined ? K.EndOfFile : (this.#outline.tokens.kind[token] as number)
  }

  #noteIf(token: number, declared: Declared | undefined, isLocal = false): void {
    if (declared !== undefined) this.#note(token, declared, false, isLocal)
  }

  #note(token: number, declared: Declared, isDeclaration: boolean, isLocal = false): void {
    const { start } = this.#outline.tokens
    this.#found({
      start: start[token] as number,
      end: start[token + 1] as number,
      ...{ token, declared, isDeclaration, isLocal },
    })
  }

  /** Follows a name in members. */
  #follow(members: Members | undefined, token: number): Members | undefined {
    const declared = members?.get(nameOf(this.#outline.tokens, token).toUpperCase())
    if (declared === undefined) return undefined
    this.#note(token, declared, false, members === this.#local && this.#part.object.kind !== 'DB')
    return membersInside(declared, this.#names)
  }

  #step(n: number, to: number): void {
    const { tokens, significant } = this.#outline
    const token = significant[n] as number
    const kind = tokens.kind[token] as number
    const before = this.#last
    const top = this.#stack.at(-1)
    this.#last = kind
    switch (kind) {
      case K.Dot:
      case K.Caret:
        return
      case K.LeftBracket:
        this.#stack.push({ members: this.#isPath ? this.#current : undefined, isCall: false })
        break
      case K.RightBracket:
        if (top !== undefined && !top.isCall) this.#stack.pop()
        this.#current = top?.isCall === false ? top.members : undefined
        this.#isPath = this.#current !== undefined
        return
      case K.LeftParen: {
        const callee = this.#isCalling && this.#stack.length === 0 ? (this.#called ?? this.#current) : this.#current
        this.#stack.push({ members: callee, isCall: true })
        break
      }
      case K.RightParen:
        while (this.#stack.length > 0 && this.#stack.pop()?.isCall === false);
        break
      case K.Comma:
        if (this.#isCalling && this.#stack.length === 0) this.#called ??= this.#current
        break
      case K.Semicolon:
        this.#stack.length = 0
        this.#isCalling = false
        this.#called = undefined
        break
      case K.LocalName:
      case K.QuotedName:
      case K.Identifier:
      case K.Keyword:
        if (this.#name(n, to, token, kind, before, top)) return
        break
    }
    this.#current = undefined
    this.#isPath = false
  }

  /** @returns whether a path goes on behind the name */
  #name(n: number, to: number, token: number, kind: number, before: number, top: Frame | undefined): boolean {
    const { tokens, significant } = this.#outline
    const text = nameOf(tokens, token)
    if (before === K.Dot) {
      // SIMATIC SD: _.Name is a name of the program, #timer.TON calls the timer.
      const isGlobal = tokenText(tokens, significant[n - 2] ?? 0) === '_'
      if (isGlobal) return this.#global(token, text)
      const known = this.#current?.has(text.toUpperCase()) === true
      if (this.#isPath && (known || this.#kind(n + 1) !== K.LeftParen))
        this.#current = this.#follow(this.#current, token)
      this.#isPath = this.#current !== undefined
      return true
    }
    const behind = n + 1 < to ? this.#kind(n + 1) : K.EndOfFile
    const isArgument =
      top?.isCall === true &&
      (before === K.LeftParen || before === K.Comma) &&
      (behind === K.Assign || behind === K.OutputAssign)
    if (isArgument) {
      this.#follow(top.members, token)
      return false
    }
    if (this.#part.isStatementList && kind !== K.LocalName && kind !== K.QuotedName) {
      if (text.toUpperCase() === 'CALL' && this.#stack.length === 0) this.#isCalling = true
      return false
    }
    if (kind === K.Keyword) return false
    const isLocal = kind === K.LocalName || (kind === K.Identifier && this.#local.has(text.toUpperCase()))
    // An assignment of a data block begins with a member, whatever else has that name.
    if (!isLocal && this.#part.object.kind === 'DB' && before === K.Semicolon) return false
    if (!isLocal) return this.#global(token, text)
    this.#current = this.#follow(this.#local, token)
    this.#isPath = this.#current !== undefined
    return true
  }

  #global(token: number, name: string): boolean {
    const declared = this.#names.object(name)
    this.#noteIf(token, declared)
    this.#current = declared && membersInside(declared, this.#names)
    this.#isPath = this.#current !== undefined
    return true
  }
}
