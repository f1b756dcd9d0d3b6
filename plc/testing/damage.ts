/** Texts that are wrong at one place, made from a right one: all places, one after the other. */

import { shortened } from '../../lib/shortened.ts'
import { parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import { lex } from '../languages/scl/lexer.ts'
import { lastTrivia, TokenKind } from '../languages/scl/tokens.ts'
import type { ImportedObject } from '../model/object.ts'

export interface Damaged {
  /** What was done, with the line: `12 without <Member Name="a">`. */
  readonly what: string
  readonly text: string
}

type Read = (text: string) => readonly ImportedObject[]

/** The objects of a text that is damaged at one place; texts that cannot be read are left out. */
export function* damagedObjects(
  text: string,
  read: Read,
  damage: (text: string) => readonly Damaged[],
): Generator<{ readonly what: string; readonly objects: readonly ImportedObject[] }> {
  for (const { what, text: damaged } of damage(text)) {
    let objects: readonly ImportedObject[]
    try {
      objects = read(damaged)
    } catch {
      continue
    }
    yield { what, objects }
  }
}

/** An object, and what it is when its text is damaged at one place. */
export function* changedObjects(
  text: string,
  read: Read,
  damage: (text: string) => readonly Damaged[],
): Generator<{ readonly what: string; readonly before: ImportedObject; readonly after: ImportedObject }> {
  const whole = read(text)
  for (const { what, objects } of damagedObjects(text, read, damage))
    for (const before of whole) {
      const after = objects.find(({ name }) => name === before.name)
      if (after !== undefined) yield { what, before, after }
    }
}

/**
 * Each element left out or given twice, each attribute left out or with the value `?`, each text with the value `?`;
 * of elements at the same kind of place only the first.
 *
 * @param kindOf the kind of place of an element. Default: its name and that of its parent
 */
export function damagedXml(
  text: string,
  kindOf: (element: XmlElement) => string = ({ name, parent }) => `${parent?.name}/${name}`,
): Damaged[] {
  const found: Damaged[] = []
  const kinds = new Set<string>()
  const add = (element: XmlElement, what: string, [from, to]: readonly [number, number], by: string, of = ''): void => {
    const kind = `${kindOf(element)} ${what.split(' ')[0]} ${of}`
    if (kinds.has(kind)) return
    kinds.add(kind)
    found.push({ what: `${lineOf(text, element.start)} ${what}`, text: text.slice(0, from) + by + text.slice(to) })
  }
  const walk = (element: XmlElement): void => {
    const { start, end, contentStart, contentEnd } = element
    const name = element.attributes.Name ?? element.attributes.UId ?? element.attributes.Number
    const tag = `<${element.name}${name === undefined ? '' : ` ${name}`}>`
    if (element.parent !== undefined) {
      add(element, `without ${tag}`, [start, end], '')
      add(element, `twice ${tag}`, [end, end], text.slice(start, end))
      for (const match of text.slice(start, contentStart).matchAll(/\s([\w:.]+)="([^"]*)"/g)) {
        const from = start + match.index
        const [whole, attribute = '', value] = match
        if (attribute === 'ID' || attribute.startsWith('xmlns')) continue
        add(element, `${tag} without ${attribute}="${value}"`, [from, from + whole.length], '', `-${attribute}`)
        add(element, `${tag} with ${attribute}="?"`, [from, from + whole.length], ` ${attribute}="?"`, `?${attribute}`)
      }
      if (element.text.trim() !== '')
        add(element, `<${element.name}> with ? for ${element.text}`, [contentStart, contentEnd], '?')
    }
    for (const inner of element.children) walk(inner)
  }
  walk(parseXml(text))
  return found
}

/**
 * Each token of a source left out, where the same two follow each other again only the first; and each word doubled.
 */
export function damagedSource(text: string): Damaged[] {
  const tokens = lex(text)
  const found: Damaged[] = []
  const kinds = new Set<string>()
  let before = ''
  for (let i = 0; i < tokens.count; i++) {
    const kind = tokens.kind[i] as number
    if (kind <= lastTrivia || kind === TokenKind.EndOfFile) continue
    const [from, to] = [tokens.start[i] as number, tokens.start[i + 1] as number]
    const token = text.slice(from, to)
    if (!kinds.has(`${before} ${token}`)) {
      const what = `${lineOf(text, from)} ${oneLine(before)} [${oneLine(token)}]`
      found.push({ what: `${what} left out`, text: text.slice(0, from) + text.slice(to) })
      if (!kinds.has(token)) found.push({ what: `${what} twice`, text: `${text.slice(0, to)} ${text.slice(from)}` })
      kinds.add(token)
    }
    kinds.add(`${before} ${token}`)
    before = token
  }
  return found
}

/** Pragmas take several lines. */
function oneLine(token: string): string {
  return shortened(token.replace(/\s+/g, ' '), 30)
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** Answers that differ in names and numbers only are alike; the first of them is shown. */
const mostAlike = 1

/** What is told of each damage, as a table; equal answers stand once, below all damages that have them. */
export function tableOfAnswers(damaged: readonly Damaged[], answer: (text: string) => readonly string[]): string {
  const byAnswer = new Map<string, string[]>()
  const alike = new Map<string, number>()
  for (const { what, text } of damaged) {
    const told = answer(text)
    const key = told.length === 0 ? '  as before' : told.map((line) => `  ${line}`).join('\n')
    const shape = key.replace(/"(?:[^"\\]|\\.)*"|[\w.]*\d[\w.]*|(?<=^ {2}[-+] ).*$/gm, '…')
    const known = byAnswer.get(key)
    if (known === undefined) {
      const count = (alike.get(shape) ?? 0) + 1
      alike.set(shape, count)
      if (count > mostAlike) continue
    }
    byAnswer.set(key, [...(known ?? []), what])
  }
  return [...byAnswer].map(([key, all]) => `${all.join('\n')}\n${key}\n`).join('')
}
/** Of YAML: each line left out, and each key and value changed to what it may not be. */
export function* yamlDamages(text: string): Generator<Damaged> {
  const lines = text.trimEnd().split('\n')
  for (const [i, line] of lines.entries()) {
    const put = (what: string, ...by: readonly string[]): Damaged => ({
      what: `${i + 1} ${what}: ${line.trim().slice(0, 30)}`,
      text: `${lines.toSpliced(i, 1, ...by).join('\n')}\n`,
    })
    yield put('left out')
    yield put('twice', line, line)
    const [, before = '', key = '', behind = '', value = ''] =
      /^(\s*(?:- )?)("[^"]*"|[\w[\].]+)(:\s*)(.*)$/.exec(line) ?? []
    if (key === '') continue
    yield put('key', `${before}${key.replace(/(\w)("?)$/, '$1x$2')}${behind}${value}`)
    if (value === '') continue
    for (const other of ['', 'qq', '-1', '[]', '{ x: 1 }']) yield put(`value ${other}`, `${before}${key}: ${other}`)
    for (const [at] of value.matchAll(/[\w"<=>]+(?=:)/g))
      yield put(`field ${at}`, `${before}${key}${behind}${value.replace(at, at.replace(/(.)("?)$/, '$1x$2'))}`)
  }
}
