/** Finds what a message is about in the text of a block: a line of its statements, a member of its declarations. */

import { lex } from '../../languages/scl/lexer.ts'
import type { MessagePlace, PlaceFinder } from '../../model/message-place.ts'
import type { ImportedObject } from '../../model/object.ts'
import { placesOfStatements } from '../../model/statement.ts'
import { lineStarts, placesInBody, statementNetworkStarts } from './body.ts'
import { memberPlaces } from './member-places.ts'
import { readSource, type SourceLayout } from './read.ts'

/** Returns what finds places in the text of an object that was read from a source, `layout` of which may be known. */
export function sourcePlaces(
  { text = '', networks, kind, language }: ImportedObject,
  layout = readSource(text).blocks[0]?.layout,
): PlaceFinder {
  if (layout === undefined) return () => 0
  const [start] = layout.name
  const members = memberFinder(text, layout, kind)
  let code: ReturnType<typeof codeFinder> | undefined
  return (place) => {
    if (place.line !== undefined) {
      code ??= codeFinder(text, layout, networks, language)
      return code(place) ?? (language === 'STL' ? code({ network: place.network ?? 1 }) : undefined) ?? start
    }
    if (place.member !== undefined)
      return members(place.member, place.code?.startsWith('start-value') === true) ?? start
    // The other languages have one network in a source.
    if (place.network !== undefined && language === 'STL') {
      code ??= codeFinder(text, layout, networks, language)
      return code({ network: place.network }) ?? start
    }
    return start
  }
}

/** Finds members by their dotted paths, case ignored: their declarations, or the values that a data block assigns. */
function memberFinder(text: string, { declarations, body, returnType }: SourceLayout, kind: string) {
  let known: { readonly declared: Map<string, number>; readonly assigned: Map<string, number> } | undefined
  const find = () => {
    const plainVar = kind === 'FC' || kind === 'OB' ? 'Temp' : kind === 'UDT' ? 'None' : 'Static'
    const found = new Map<string, number>()
    for (const { path, names, nameIndex } of memberPlaces(text, declarations, plainVar).members) {
      const key = path.join('.').toLowerCase()
      if (!found.has(key)) found.set(key, names[nameIndex]?.start ?? 0)
    }
    if (returnType !== undefined) found.set('ret_val', returnType[0])
    const values = new Map<string, number>()
    if (body !== undefined && kind.endsWith('DB'))
      for (const assigned of text.slice(...body).matchAll(/(?<=^|;)\s*([^\s:;/(][^:;]*?)\s*:=/gm)) {
        const key = keyOf(assigned[1] as string)
        if (!values.has(key)) values.set(key, body[0] + assigned.index + assigned[0].search(/\S/))
      }
    return { declared: found, assigned: values }
  }
  return (member: string, isValue: boolean): number | undefined => {
    known ??= find()
    const { declared, assigned } = known
    const order = isValue ? [assigned, declared] : [declared, assigned]
    return order.map((places) => places.get(member.toLowerCase()) ?? nearestOf(places, keyOf(member))).find(isFound)
  }
}

function isFound(offset: number | undefined): boolean {
  return offset !== undefined
}

/** A path without quotes, indices and blanks around its dots. */
function keyOf(path: string): string {
  return path
    .replace(/["#]|\[[^\]]*\]/g, '')
    .replace(/\s*\.\s*/g, '.')
    .trim()
    .toLowerCase()
}

/** The place of a path, else that of the member around it. */
function nearestOf(places: ReadonlyMap<string, number>, path: string): number | undefined {
  for (let key = path; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.')))) {
    const found = places.get(key)
    if (found !== undefined) return found
  }
  return undefined
}

function codeFinder(
  text: string,
  { body }: SourceLayout,
  networks: ImportedObject['networks'],
  language: string,
): (place: MessagePlace) => number | undefined {
  if (body === undefined) return () => undefined
  const [from] = body
  const code = text.slice(...body)
  if (language !== 'STL') {
    const offsetOf = placesInBody(code)
    return ({ line = 1, column = 1 }) => from + offsetOf(line, column)
  }
  const tokens = lex(code)
  const networkStarts = statementNetworkStarts(tokens, 0, tokens.count - 1)
  const known = new Map<number, number[]>()
  return ({ network = 1, line, column = 1 }) => {
    const start = networkStarts[network - 1]
    const own = networks[network - 1]
    if (start === undefined || own === undefined) return undefined
    const place = line === undefined ? placesOfStatements(own)[0] : { line, column }
    const end = networkStarts[network] ?? code.length
    const starts = known.get(network) ?? lineStarts(code.slice(start, end))
    known.set(network, starts)
    const lineStart = starts[(place?.line ?? 1) - 1]
    return lineStart === undefined ? undefined : from + Math.min(start + lineStart + (place?.column ?? 1) - 1, end)
  }
}
