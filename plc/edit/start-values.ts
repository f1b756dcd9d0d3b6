/** Sets the start values of a stored data block: in `BEGIN` of a source, at the members of a SimaticML file. */

import { Cursor } from '../formats/source/cursor.ts'
import { readValue } from '../formats/source/declarations.ts'
import { readPath } from '../formats/source/start-values.ts'
import { setElement } from '../formats/source/value-place.ts'
import { TokenKind } from '../languages/scl/tokens.ts'
import { isBuiltInType, memberName } from '../model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, SectionName, Subelement } from '../model/object.ts'
import { type EditOptions, editXml, interfaceEdit, rereadText, singleBlock } from './edit.ts'
import { editFault } from './input.ts'

/** One name on the way to a value, with the indices behind it: one list for each pair of brackets. */
export interface StartValueStep {
  /** `''`: the elements of an array data block have no name. */
  readonly name: string
  readonly section: string
  readonly dataType: string
  readonly indices: readonly (readonly number[])[]
}

export interface StartValue {
  readonly steps: readonly StartValueStep[]
  /** A constant: `TRUE`, `1.5`, `T#2s`. */
  readonly value: string
}

/**
 * Returns the data block with other start values; those that are not named stay.
 * @throws FormatError for what is no data block
 */
export function setStartValues(
  object: ImportedObject,
  values: readonly StartValue[],
  options: EditOptions = {},
): ImportedObject {
  if (!object.kind.endsWith('DB')) throw editFault(`${object.kind} "${object.name}" has no start values of its own`)
  if (values.length === 0) return object
  if (object.text !== undefined) return rereadText(object, assigned(object.text, values, options), options)
  const sections = withValues(object.interface, values)
  return editXml(object, (root) => [interfaceEdit(root, object, sections)])
}

// ── Sources ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The text with the values assigned in `BEGIN`: assignments that are there get their values, others come behind. */
function assigned(text: string, values: readonly StartValue[], options: EditOptions): string {
  const { body } = singleBlock(text, options).layout
  if (body === undefined) throw editFault('the data block has no BEGIN')
  const wanted = new Map(values.map((one) => [keyOf(one.steps), one]))
  const missing = new Map(wanted)
  const [from, to] = body
  const cursor = new Cursor(text)
  let result = ''
  let copied = 0
  while (!cursor.atEnd && cursor.start < from) cursor.next()
  while (!cursor.atEnd && cursor.start < to) {
    const path = readPath(cursor)
    if (path && cursor.accept(TokenKind.Assign)) {
      const names = path.map(({ name, indices }) => ({ name, indices: indices.map((index) => [index]) }))
      const key = keyOf(names)
      const start = cursor.start
      readValue(cursor)
      const one = wanted.get(key)
      // A member may be assigned twice, where the last counts.
      if (one !== undefined) {
        result += text.slice(copied, start) + one.value
        copied = start + text.slice(start, cursor.start).trimEnd().length
        missing.delete(key)
      }
    }
    if (!cursor.accept(TokenKind.Semicolon)) cursor.next()
  }
  if (missing.size === 0) return result + text.slice(copied)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const rest = [...missing.values()].map(({ steps, value }) => `   ${pathText(steps)} := ${value};${eol}`)
  return `${result}${text.slice(copied, to).trimEnd()}${eol}${rest.join('')}${text.slice(to)}`
}

/** Spelling of names and blanks between indices do not count. */
function keyOf(steps: readonly { readonly name: string; readonly indices: readonly (readonly unknown[])[] }[]): string {
  const index = (list: readonly unknown[]) => list.join(',').replace(/\s+/g, '')
  return JSON.stringify(steps.map(({ name, indices }) => [name.toLowerCase(), ...indices.map(index)]))
}

function pathText(steps: readonly StartValueStep[]): string {
  return steps
    .map(({ name, indices }) => {
      const brackets = indices.map((index) => `[${index.join(',')}]`).join('')
      return `${name === '' ? '' : memberName(name)}${brackets}`
    })
    .join('.')
}

// ── SimaticML ───────────────────────────────────────────────────────────────────────────────────────────────────────

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type OpenMember = Mutable<Omit<InterfaceMember, 'members' | 'sections' | 'subelements'>> & {
  members: OpenMember[]
  sections?: OpenSection[]
  subelements?: Subelement[]
}
type OpenSection = Mutable<Omit<InterfaceSection, 'members' | 'base'>> & { members: OpenMember[]; base?: OpenSection[] }

/** The interface with the values at their members. The part of a type in it is the file's own copy of that type. */
function withValues(sections: readonly InterfaceSection[], values: readonly StartValue[]): InterfaceSection[] {
  // The copy may be written to until it is given back.
  const copy = structuredClone(sections) as unknown as OpenSection[]
  const places = new Places()
  for (const { steps, value } of values) {
    let level = copy
    let holder: OpenMember | undefined
    const indices: string[] = []
    for (const step of steps) {
      const member: OpenMember = step.name === '' ? firstOf(level) : places.member(level, step)
      indices.push(...step.indices.map((index) => index.join(',')))
      holder = member
      if (step === steps.at(-1)) break
      // A structure of the member itself, or what the file knows of its type.
      const isOwn = member.members.length > 0
      if (!isOwn) member.sections ??= []
      level = isOwn ? places.own(member) : (member.sections as OpenSection[])
    }
    if (holder) places.set(holder, indices, value)
  }
  return copy as unknown as InterfaceSection[]
}

function firstOf(level: readonly OpenSection[]): OpenMember {
  const member = level.flatMap(({ members }) => members)[0]
  if (!member) throw editFault('the array data block has no element')
  return member
}

/** Finds members and elements by name: large data blocks have thousands. */
class Places {
  readonly #levels = new WeakMap<readonly OpenSection[], Map<string, OpenMember>>()
  readonly #own = new WeakMap<OpenMember, OpenSection[]>()

  own(member: OpenMember): OpenSection[] {
    const known = this.#own.get(member) ?? [{ section: 'None', members: member.members }]
    this.#own.set(member, known)
    return known
  }

  /** The member of a name; one that the file does not mention is added. */
  member(level: OpenSection[], { name, section, dataType }: StartValueStep): OpenMember {
    let known = this.#levels.get(level)
    if (!known) {
      known = new Map()
      for (const member of membersOf(level)) known.set(member.name.toLowerCase(), member)
      this.#levels.set(level, known)
    }
    const found = known.get(name.toLowerCase())
    if (found) return found
    const isPlain = /^(?:Array|Struct\b)/i.test(dataType) || isBuiltInType(dataType.replace(/\[.*$/, ''))
    const added: OpenMember = {
      name,
      dataType: isPlain ? dataType : `"${dataType}"`,
      comment: {},
      attributes: [],
      members: [],
    }
    let holder = level.find((one) => one.section === section)
    if (!holder) {
      holder = { section: section as SectionName, members: [] }
      level.push(holder)
    }
    holder.members.push(added)
    known.set(name.toLowerCase(), added)
    return added
  }

  set(member: OpenMember, indices: readonly string[], value: string): void {
    if (indices.length === 0) {
      member.startValue = value
      delete member.startValueIsInformative
      delete member.startValueConstant
      delete member.startValueIsBulk
      return
    }
    setElement(member, { path: indices.join(';'), startValue: value })
  }
}

function* membersOf(level: readonly OpenSection[]): Generator<OpenMember> {
  for (const { members, base } of level) {
    if (base) yield* membersOf(base)
    yield* members
  }
}
