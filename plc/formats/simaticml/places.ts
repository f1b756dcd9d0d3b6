/** Finds what a message is about in the XML of an object: nodes of networks, words of statements, members, rows. */

import type { MessagePlace, PlaceFinder } from '../../model/message-place.ts'
import type { ImportedObject } from '../../model/object.ts'
import { placesOfStatements } from '../../model/statement.ts'
import { pieceText } from './structured-text-read.ts'
import { child, childrenOf, childText, parseXml, type XmlElement } from './xml.ts'

/**
 * Returns what finds places in the root element of an object.
 * @throws FormatError when its text is not XML
 */
export function xmlPlaces({ xml = '', networks, kind }: ImportedObject): PlaceFinder {
  const root = parseXml(xml)
  const units = unitsOf(root)
  const finders = new Map<number, NetworkFinder>()
  let members: ReadonlyMap<string, number> | undefined
  const finderOf = (network: number): NetworkFinder | undefined => {
    const known = finders.get(network)
    const unit = units[network - 1]
    if (known !== undefined || unit === undefined) return known
    const lines = placesOfStatements(networks[network - 1] ?? {}).map(({ line }) => line)
    const found = new NetworkFinder(unit, lines)
    finders.set(network, found)
    return found
  }
  return (place) => {
    const inNetwork = place.network === undefined ? undefined : finderOf(place.network)?.find(place)
    if (place.member === undefined || place.line !== undefined || place.uId !== undefined)
      return inNetwork ?? root.start
    members ??= kind === 'TagTable' ? rowPlaces(root) : memberPlaces(root)
    return nearest(members, place.member.toLowerCase()) ?? inNetwork ?? root.start
  }
}

function unitsOf(root: XmlElement): XmlElement[] {
  return childrenOf(child(root, 'ObjectList'), 'SW.Blocks.CompileUnit')
}

/** The place of a dotted path, else that of the member around it. */
function nearest(places: ReadonlyMap<string, number>, path: string): number | undefined {
  const plain = path.replace(/["#]|\[[^\]]*\]/g, '')
  for (const start of [path, plain])
    for (let key = start; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.')))) {
      const found = places.get(key)
      if (found !== undefined) return found
    }
  return undefined
}

/** Start of each member by its path in lower case. */
function memberPlaces(root: XmlElement): Map<string, number> {
  const found = new Map<string, number>()
  const sections = (element: XmlElement | undefined, above: string) => {
    for (const section of childrenOf(element, 'Section')) {
      members(section, above)
      for (const base of childrenOf(section, 'Sections')) sections(base, above)
    }
  }
  const members = (element: XmlElement, above: string) => {
    for (const member of childrenOf(element, 'Member')) {
      const path = `${above}${member.attributes.Name ?? ''}`.toLowerCase()
      if (!found.has(path)) found.set(path, member.start)
      members(member, `${path}.`)
      for (const inner of childrenOf(member, 'Sections')) sections(inner, `${path}.`)
    }
  }
  sections(child(child(child(root, 'AttributeList'), 'Interface'), 'Sections'), '')
  return found
}

/** Start of each row of a tag table by its name in lower case. */
function rowPlaces(root: XmlElement): Map<string, number> {
  const rows = child(root, 'ObjectList')?.children ?? []
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const name = childText(child(row, 'AttributeList'), 'Name')
      return name === undefined ? [] : [[name.trim().toLowerCase(), row.start]]
    }),
  )
}

/** Finds places in one network. */
class NetworkFinder {
  readonly #unit: XmlElement
  readonly #content: XmlElement | undefined
  /** Lines of the statements of an STL network. */
  readonly #lines: readonly number[]
  readonly #nodes = new Map<XmlElement, ReadonlyMap<string, number>>()
  readonly #words = new Map<XmlElement, StatementWords>()

  constructor(unit: XmlElement, lines: readonly number[]) {
    this.#unit = unit
    this.#content = child(child(unit, 'AttributeList'), 'NetworkSource')?.children[0]
    this.#lines = lines
  }

  find({ line, column = 1, uId, element }: MessagePlace): number {
    const content = this.#content
    if (content === undefined) return this.#unit.start
    const around = element === undefined ? content : (partOf(content, element) ?? content)
    if (uId !== undefined) return this.#nodesIn(around).get(String(uId)) ?? around.start
    if (line === undefined) return element === undefined ? this.#unit.start : around.start
    if (content.name === 'StatementList') return content.children[this.#lines.indexOf(line)]?.start ?? content.start
    const text = content.name === 'StructuredText' ? content : undefined
    return text === undefined ? around.start : this.#wordsOf(text).find(line, column)
  }

  #nodesIn(around: XmlElement): ReadonlyMap<string, number> {
    const known = this.#nodes.get(around)
    if (known !== undefined) return known
    const found = new Map<string, number>()
    const pending = [around]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const { UId: id } = at.attributes
      if (isNode(at) && id !== undefined && !found.has(id)) found.set(id, at.start)
      for (let i = at.children.length - 1; i >= 0; i--) pending.push(at.children[i] as XmlElement)
    }
    this.#nodes.set(around, found)
    return found
  }

  #wordsOf(text: XmlElement): StatementWords {
    const words = this.#words.get(text) ?? new StatementWords(text)
    this.#words.set(text, words)
    return words
  }
}

/** Elements that have a UId of their own; wires refer to those of others. */
function isNode({ name }: XmlElement): boolean {
  return name === 'Access' || name === 'Part' || name === 'Call' || name === 'Instance' || name === 'LabelDeclaration'
}

/** The `Step` or `Transition` of a text such as `Step 3 "Fill"`. */
function partOf(graph: XmlElement, element: string): XmlElement | undefined {
  const [kind = '', number] = element.split(' ')
  for (const sequence of childrenOf(graph, 'Sequence'))
    for (const part of childrenOf(child(sequence, `${kind}s`), kind)) if (part.attributes.Number === number) return part
  return undefined
}

/** The elements that the text of SCL statements is made of, by their places in it. */
class StatementWords {
  readonly #pieces: readonly Piece[]
  /** Offsets of the lines in the text. */
  readonly #lines: readonly number[]
  readonly #start: number

  constructor(element: XmlElement) {
    const texts = element.children.map((piece) => normalized(pieceText(piece)))
    let at = 0
    this.#pieces = element.children.map((piece, i) => {
      const from = at
      at += texts[i]?.length ?? 0
      return { element: piece, text: texts[i] ?? '', from }
    })
    this.#start = element.start
    const lines = [0]
    for (const { text, from } of this.#pieces)
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.push(from + end + 1)
    this.#lines = lines
  }

  /** Start of the element at a line and column of the text. */
  find(line: number, column: number): number {
    const offset = (this.#lines[line - 1] ?? 0) + column - 1
    let [low, high] = [0, this.#pieces.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#pieces[middle]?.from ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    // Elements without text begin where the next one begins.
    const piece = this.#pieces[low]
    return piece === undefined ? this.#start : innermost(piece, offset).start
  }
}

interface Piece {
  readonly element: XmlElement
  readonly text: string
  readonly from: number
}

function normalized(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** The token or operand at an offset: calls contain others. */
function innermost({ element, text, from }: Piece, offset: number): XmlElement {
  const inner = isPlainOperand(element) ? [] : element.children
  let at = 0
  let found: Piece | undefined
  for (const part of inner) {
    const own = normalized(pieceText(part))
    const start = own === '' ? -1 : text.indexOf(own, at)
    if (start < 0) continue
    if (from + start > offset) break
    at = start + own.length
    found = { element: part, text: own, from: from + start }
  }
  if (found === undefined || offset >= found.from + found.text.length) return element
  const { name } = found.element
  const isWord = name === 'Token' || name === 'Access' || found.element.children.length > 0
  return isWord ? innermost(found, offset) : element
}

/** A symbol, constant or address: nothing in it has a place of its own. */
function isPlainOperand({ name, children }: XmlElement): boolean {
  return name === 'Access' && !children.some(({ name: inner }) => inner === 'CallInfo' || inner === 'Instruction')
}
