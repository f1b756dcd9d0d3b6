/** Adds, changes and deletes interface members in the text of an external source. */

import { applyEdits, type Edit } from '../formats/simaticml/element-edit.ts'
import { type MemberPlace, memberPlaces } from '../formats/source/member-places.ts'
import { declarationText, memberLines, membersIn } from '../formats/source/write.ts'
import { lex } from '../languages/scl/lexer.ts'
import { nameOf } from '../languages/scl/syntax.ts'
import { lastTrivia, TokenKind } from '../languages/scl/tokens.ts'
import { memberName } from '../model/names.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { type EditOptions, singleBlock } from './edit.ts'
import { isRenaming, type MemberStep } from './member-input.ts'

/** The text after a step; the unchanged text where the step cannot be done in place. */
export function sourceText(object: ImportedObject, text: string, step: MemberStep, options: EditOptions): string {
  const { layout } = singleBlock(text, options)
  const isCode = object.kind === 'FC' || object.kind === 'OB'
  const { sections, members } = memberPlaces(text, layout.declarations, isCode ? 'Temp' : 'Static')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const { culture } = options
  const lines = (given: InterfaceMember, level: number) => {
    const [member = given] = culture === undefined ? [] : membersIn([given], culture)
    return `${memberLines(member, level).join(eol)}${eol}`
  }
  const splice = (start: number, end: number, by: string) => text.slice(0, start) + by + text.slice(end)
  if (step.kind === 'insert') {
    const siblings = members.filter((place) => isChild(place, step.section, step.parent))
    const next = siblings[step.index]
    const level = step.parent.length + 2
    const written = lines(step.member, level)
    // What is in a structure has the remanence of the structure.
    if (next !== undefined && (step.parent.length > 0 || fits(next, step.member)))
      return next.nameIndex === 0
        ? splice(next.start, next.start, written)
        : applyEdits(text, [splitEdit(text, next, written, eol)])
    if (step.parent.length > 0) {
      const holder = members.find((place) => isAt(place, step.section, step.parent))
      const at = holder?.names.length === 1 ? holder.innerEnd : undefined
      return at === undefined ? text : splice(at, at, written)
    }
    const open = sections.filter((place) => place.section === step.section && fits(place, step.member)).at(-1)
    if (open !== undefined) return splice(open.end, open.end, written)
    const given = [{ section: step.section, members: [step.member] }]
    const declared = declarationText(object.kind, given, culture).replace(/\r?\n/g, eol)
    const [start, end] = layout.declarations
    return start === end
      ? splice(start, start, `   ${declared}${eol}${eol}`)
      : splice(end, end, `${text.slice(0, end).endsWith('\n') ? '' : eol}   ${declared}${eol}`)
  }
  if (step.section === 'Return' && layout.returnType !== undefined && step.kind === 'replace')
    return splice(...layout.returnType, step.member.dataType)
  const place = members.find((candidate) => isAt(candidate, step.section, step.path))
  if (place === undefined) return text
  const edits = layout.body === undefined || object.language !== 'DB' ? [] : valueEdits(text, step, layout.body)
  const declared = step.kind === 'remove' ? '' : lines(step.member, step.path.length + 1)
  return applyEdits(text, [...declarationEdits(text, place, step, declared, eol), ...edits])
}

/** The edits that remove a member from its declaration, or rewrite it. */
function declarationEdits(
  text: string,
  place: MemberPlace,
  step: MemberStep & { kind: 'replace' | 'remove' },
  declared: string,
  eol: string,
): Edit[] {
  const name = place.names[place.nameIndex]
  if (name === undefined) return []
  if (step.kind === 'replace' && isRenaming(step)) {
    const by = text.charAt(name.start) === '"' ? `"${step.member.name}"` : memberName(step.member.name)
    return [{ start: name.start, end: name.nameEnd, text: by }]
  }
  if (place.names.length === 1) return [{ start: place.start, end: place.end, text: declared }]
  if (step.kind === 'remove') return withoutName(text, place)
  // a, b, c : Int -> a : Int; b : Word; c : Int
  if (place.nameIndex === 0)
    return [{ start: place.start, end: place.start, text: declared }, ...withoutName(text, place)]
  if (place.nameIndex === place.names.length - 1)
    return [
      ...withoutName(text, place),
      { start: place.end, end: place.end, text: lineBreakBefore(text, place, eol) + declared },
    ]
  return [splitEdit(text, place, declared, eol, true)]
}

/** The line break that separates a declaration from what follows it on its line, if anything does. */
function lineBreakBefore(text: string, { end }: MemberPlace, eol: string): string {
  return text.charAt(end - 1) === '\n' ? '' : eol
}

/** Removes one name from the list; comments in the list stay. */
function withoutName(text: string, { names, nameIndex }: MemberPlace): Edit[] {
  const own = names[nameIndex]!
  const [from, to] = nameIndex === 0 ? [own.start, names[1]!.start] : [names[nameIndex - 1]!.end, own.end]
  const comments = text.slice(from, own.start) + text.slice(own.end, to)
  const kept = comments.replace(',', '')
  return [{ start: from, end: to, text: kept.trim() === '' ? '' : kept }]
}

/**
 * Splits a list of names before a member: `a, b : Int` -> `a : Int`, then `written`, then `b : Int`.
 * @param isReplaced `written` replaces the member
 */
function splitEdit(text: string, place: MemberPlace, written: string, eol: string, isReplaced = false): Edit {
  const { names, nameIndex, start, declarationEnd } = place
  const before = names[nameIndex - 1]!
  const own = names[nameIndex]!
  const next = isReplaced ? names[nameIndex + 1]! : own
  const type = withoutComments(text.slice(names.at(-1)!.end, declarationEnd)).trimEnd()
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
  const gaps = [text.slice(before.end, own.start), isReplaced ? text.slice(own.end, next.start) : '']
  const comments = gaps.map((gap) => gap.replace(',', '').trim()).filter((gap) => gap !== '')
  const behind = comments.length === 0 ? '' : ` ${comments.join(`${eol}${indent}`)}`
  return { start: before.end, end: next.start, text: `${type}${behind}${eol}${written}${indent}` }
}

function withoutComments(text: string): string {
  const tokens = lex(text)
  let result = ''
  for (let i = 0; i < tokens.count - 1; i++) {
    const kind = tokens.kind[i] as number
    const isSpace = kind === TokenKind.Whitespace || kind === TokenKind.NewLine
    if (kind > lastTrivia || isSpace) result += text.slice(tokens.start[i], tokens.start[i + 1])
  }
  return result
}

/** `BEGIN` of a data block assigns values by name: the assignments of a member are deleted or changed with it. */
function valueEdits(
  text: string,
  step: MemberStep & { kind: 'replace' | 'remove' },
  [from, to]: readonly [number, number],
): Edit[] {
  const tokens = lex(text)
  const edits: Edit[] = []
  let first = -1
  let names: number[] = []
  let assign = -1
  let brackets = 0
  for (let i = 0; i < tokens.count - 1; i++) {
    const kind = tokens.kind[i] as number
    const start = tokens.start[i] as number
    if (start < from || start >= to || kind <= lastTrivia) continue
    if (first === -1) first = i
    if (kind === TokenKind.Semicolon) {
      const isOwn = step.path.every((name, n) => nameAt(names[n]) === name.toUpperCase())
      if (isOwn && assign !== -1) edits.push(...assignmentEdits(first, assign, i))
      first = -1
      names = []
      assign = -1
      brackets = 0
    } else if (kind === TokenKind.Assign && assign === -1) assign = i
    else if (kind === TokenKind.LeftBracket) brackets++
    else if (kind === TokenKind.RightBracket) brackets--
    else if (assign === -1 && brackets === 0 && kind !== TokenKind.Dot) names.push(i)
  }
  return edits

  function nameAt(token: number | undefined): string | undefined {
    return token === undefined ? undefined : nameOf(tokens, token).toUpperCase()
  }

  /** The edits of one assignment: its first token, `:=`, and the semicolon. */
  function assignmentEdits(start: number, assigned: number, end: number): Edit[] {
    const offset = (token: number) => tokens.start[token] as number
    const isWhole = names.length === step.path.length && assigned - (names.at(-1) as number) <= 2
    const value = step.kind === 'replace' ? step.member.startValue : undefined
    const isGone =
      step.kind === 'remove' ||
      step.member.dataType !== step.before.dataType ||
      (isWhole && value === undefined && step.before.startValue !== undefined)
    if (isGone) return [statement(text, offset(start), offset(end + 1))]
    const own = names[step.path.length - 1] as number
    const changes: Edit[] = []
    if (step.member.name !== step.before.name)
      changes.push({ start: offset(own), end: offset(own + 1), text: memberName(step.member.name) })
    if (isWhole && value !== undefined && value !== step.before.startValue)
      changes.push({ start: offset(assigned + 1), end: offset(end), text: ` ${value}` })
    return changes
  }
}

/** Deletes a statement, with its line when nothing else is on it. */
function statement(text: string, start: number, end: number): Edit {
  const line = text.lastIndexOf('\n', start - 1) + 1
  const rest = /^[^\S\n]*(?:\n|$)/.exec(text.slice(end, end + 1000))
  return text.slice(line, start).trim() === '' && rest !== null
    ? { start: line, end: end + rest[0].length, text: '' }
    : { start, end, text: '' }
}

function isAt(place: MemberPlace, section: string, path: readonly string[]): boolean {
  return (
    place.section === section && place.path.length === path.length && path.every((name, i) => name === place.path[i])
  )
}

function isChild(place: MemberPlace, section: string, parent: readonly string[]): boolean {
  return (
    place.section === section &&
    place.path.length === parent.length + 1 &&
    parent.every((name, i) => name === place.path[i])
  )
}

/** Whether a new member fits into a section: only into one of its own remanence, which has none where none is given. */
function fits(place: Pick<MemberPlace, 'remanence'>, member: InterfaceMember): boolean {
  return (place.remanence ?? 'NonRetain') === (member.remanence ?? 'NonRetain')
}
