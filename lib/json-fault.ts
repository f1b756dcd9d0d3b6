/**
 * Finds where a JSON text goes wrong. `JSON.parse` does not always name a position, and quotes the text around it,
 * which may contain a secret.
 */
import { shortened } from './shortened.ts'

/**
 * The first place where a text is not JSON (RFC 8259). Line and column count from 1, `position` from 0, in UTF-16
 * units.
 */
export interface JsonFault {
  readonly position: number
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Levels of arrays and objects that the readers of files can walk recursively. */
const maxDepth = 200

const space = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, 7 forbids exactly these inside a string.
const special = /["\\\u0000-\u001f]/g
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const word = /[\w.+-]+/y

type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end'

/** Finds the first fault; undefined when the text is well-formed, and not nested too deep for a reader. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let at = 0
  const fault = (message: string) => faultAt(text, at, message)
  for (;;) {
    at += lengthOf(space, text, at)
    if (state === 'comma-or-end' && open.length === 0) {
      return at === text.length ? undefined : fault(`${found(text, at)} after the end of the value`)
    }
    if (at >= text.length) return fault(endMessage(open, state))
    const char = text[at]!
    const inObject = open[open.length - 1] === '{'
    if (char === (inObject ? '}' : ']') && (state.endsWith('or-end') || state === 'comma-or-end') && open.length > 0) {
      open.pop()
      at++
      state = 'comma-or-end'
    } else if (state === 'comma-or-end') {
      if (char !== ',') return fault(`expected "," or "${inObject ? '}' : ']'}", found ${found(text, at)}`)
      at++
      state = inObject ? 'key' : 'value'
    } else if (state === 'colon') {
      if (char !== ':') return fault(`expected ":" after the property name, found ${found(text, at)}`)
      at++
      state = 'value'
    } else if (state === 'key' || state === 'key-or-end') {
      const length = stringLength(text, at)
      if (length === 0) return fault(char === '"' ? stringFault(text, at) : keyFault(text, at, state))
      at += length
      state = 'colon'
    } else if (char === '{' || char === '[') {
      if (open.length === maxDepth) return fault(`arrays and objects are nested deeper than ${maxDepth} levels`)
      open.push(char)
      at++
      state = char === '{' ? 'key-or-end' : 'value-or-end'
    } else {
      const length = char === '"' ? stringLength(text, at) : wholeScalar(text, at)
      if (length === 0)
        return fault(char === '"' ? stringFault(text, at) : `expected a value, found ${found(text, at)}`)
      at += length
      state = 'comma-or-end'
    }
  }
}

const mark = /["{}[\]:]/g

/** Finds the first name that stands a second time in one object of a well-formed text. */
export function findRepeatedName(text: string): JsonFault | undefined {
  const open: Set<string>[] = []
  let string = { at: 0, length: 0 }
  mark.lastIndex = 0
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const at = match.index
    if (match[0] === '"') {
      string = { at, length: stringLength(text, at) }
      mark.lastIndex = at + string.length
    } else if (match[0] === ':') {
      const written = text.slice(string.at, string.at + string.length)
      const names = open.at(-1)!
      const name: string = JSON.parse(written)
      if (names.has(name))
        return faultAt(text, string.at, `the property ${shortened(written, 100)} stands twice in one object`)
      names.add(name)
    } else if (match[0] === '{' || match[0] === '[') open.push(new Set())
    else open.pop()
  }
  return undefined
}

/**
 * Length of the string that begins at a place; 0 when none does, or it is not whole. Not one pattern: it would keep a
 * place to come back to for each character, and a file in a string has millions.
 */
function stringLength(text: string, start: number): number {
  if (text[start] !== '"') return 0
  special.lastIndex = start + 1
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const at = match.index
    if (match[0] === '"') return at + 1 - start
    const length = lengthOf(escapeSequence, text, at)
    if (length === 0) return 0
    special.lastIndex = at + length
  }
  return 0
}

function faultAt(text: string, position: number, message: string): JsonFault {
  const before = text.slice(0, position)
  return { position, line: before.split('\n').length, column: position - before.lastIndexOf('\n'), message }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}

/** A number or literal that is not followed by more letters or digits (`01`, `truex`). */
function wholeScalar(text: string, at: number): number {
  const length = lengthOf(scalar, text, at)
  return length === lengthOf(word, text, at) ? length : 0
}

function keyFault(text: string, at: number, state: State): string {
  if (text[at] === '}' && state === 'key') return 'a comma stands before "}"'
  return `expected a property name in double quotes, found ${found(text, at)}`
}

function stringFault(text: string, at: number): string {
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i]!
    if (char === '"') break
    if (char === '\\') {
      if (lengthOf(escapeSequence, text, i) === 0) return 'the string has an unknown escape after "\\"'
      i++
    } else if (char < ' ') {
      const code = char.charCodeAt(0).toString(16).padStart(4, '0')
      return `the string holds a control character (U+${code.toUpperCase()}); write it as an escape`
    }
  }
  return 'the string has no end'
}

function endMessage(open: readonly string[], state: State): string {
  const last = open[open.length - 1]
  if (last === undefined) return 'the text is empty'
  if (state === 'colon' || state === 'value') return 'the text ends where a value is expected'
  return `the text ends before "${last === '{' ? '}' : ']'}"`
}

/** The character at this place, and never more of the text. */
function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text'
  const char = String.fromCodePoint(text.codePointAt(at)!)
  return char < ' ' || char === '\u007f'
    ? `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    : `"${char}"`
}
