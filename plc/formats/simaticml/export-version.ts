/**
 * Writes stored root elements as a SimaticML file of a chosen version. It changes only what depends on the version:
 * namespaces of the fragments, what the version does not know (version-facts.ts), IDs, the order of attributes.
 * Everything else stays as it is stored. Loads the XML reader; import lazily.
 */

import { escapeAttribute } from '../../../lib/xml-text.ts'
import { alarmSettings, unknownOf, type VersionFact } from './version-facts.ts'
import { byAlphabet, namespaceFor, namespacesOf, type TargetVersion, versionNumber } from './versions.ts'
import { child, childText, parseXml, pathOf, type XmlElement } from './xml.ts'

export interface ExportOptions {
  /** Version of the roots, e.g. `V16` or `V14 SP1`. The frame names it when there is no target. */
  readonly engineeringVersion?: string | undefined
  /** Version to write for. When it is that of the roots, nothing that depends on versions is changed. */
  readonly target?: TargetVersion | undefined
}

export interface ExportedDocument {
  /** The whole file without byte order mark. */
  readonly text: string
  /**
   * What the target does not know: left out, or kept although an import will refuse it. One line each, with the
   * element's path.
   */
  readonly warnings: readonly string[]
}

/**
 * Makes a file of root elements: frame, IDs in document order (upper-case hexadecimal), attributes in alphabetical
 * order.
 * @throws FormatError when a root element is not well-formed XML.
 */
export function exportDocument(roots: readonly string[], options: ExportOptions = {}): ExportedDocument {
  const { engineeringVersion, target } = options
  const version = target ?? engineeringVersion
  const adaptTo = target === engineeringVersion ? undefined : target
  const warnings: string[] = []
  let nextId = 0
  const written = roots.map((root) => {
    const edits = new RootEdits(root, parseXml(root), nextId, adaptTo, warnings)
    const text = edits.result()
    nextId = edits.nextId
    return text
  })
  return { text: fileAround(written, version), warnings }
}

/**
 * The file around root elements, which stay as they are; its line ends are theirs.
 * @param version of TIA Portal that the elements are written for, e.g. `V19`
 */
export function fileAround(roots: readonly string[], version: string | undefined): string {
  const eol = roots[0]?.includes('\r\n') === true ? '\r\n' : '\n'
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<Document>',
    ...(version === undefined ? [] : [`  <Engineering version="${escapeAttribute(version)}" />`]),
    ...roots.map((root) => `  ${root}`),
    '</Document>',
  ].join(eol)
}

/**
 * Like `exportDocument` for one root that was just written for this version, with what the file says: an object is read
 * again by whoever wants to know what the format has lost, and is parsed once for both.
 */
export function exportWritten(root: string, target: TargetVersion): ExportedDocument & { readonly root: WrittenRoot } {
  const warnings: string[] = []
  const element = parseXml(root)
  const text = new RootEdits(root, element, 0, target, warnings).result()
  return {
    text: fileAround([text], target),
    warnings,
    root: { text, element: text === root ? element : parseXml(text), version: target },
  }
}

/** A root element, parsed, and the text that its positions count in. */
export interface WrittenRoot {
  readonly text: string
  readonly element: XmlElement
  readonly version: string
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Elements that have a namespace of their own, with the element around them and their key in `Namespaces`. */
const fragments = {
  Sections: ['Interface', 'interface'],
  FlgNet: ['NetworkSource', 'flgNet'],
  StructuredText: ['NetworkSource', 'structuredText'],
  StatementList: ['NetworkSource', 'statementList'],
  Graph: ['NetworkSource', 'graph'],
} as const

class RootEdits {
  nextId: number
  readonly #text: string
  readonly #target: TargetVersion | undefined
  readonly #warnings: string[]
  readonly #name: string
  /** The edits do not overlap and are not sorted. */
  readonly #edits: Edit[] = []
  readonly #ids = new Map<string, string>()
  readonly #reported = new Set<VersionFact>()
  readonly #root: XmlElement

  constructor(text: string, root: XmlElement, firstId: number, target: TargetVersion | undefined, warnings: string[]) {
    this.nextId = firstId
    this.#text = text
    this.#target = target
    this.#warnings = warnings
    this.#root = root
    this.#name = childText(child(this.#root, 'AttributeList'), 'Name') ?? ''
  }

  result(): string {
    const lists: XmlElement[] = []
    this.#number(this.#root, lists)
    this.#visit(this.#root)
    const edits = this.#edits.sort((a, b) => a.start - b.start)
    const applied: Edit[] = []
    let next = 0
    const takeUpTo = (end: number): Edit[] => {
      const from = next
      while (next < edits.length && (edits[next] as Edit).start < end) next++
      return edits.slice(from, next)
    }
    for (const list of lists) {
      if (isSorted(list)) continue
      applied.push(...takeUpTo(list.contentStart))
      const text = sortedContent(this.#text, list, takeUpTo(list.contentEnd))
      applied.push({ start: list.contentStart, end: list.contentEnd, text })
    }
    applied.push(...takeUpTo(this.#text.length + 1))
    return withEdits(this.#text, 0, this.#text.length, applied)
  }

  /** Gives IDs to objects (the root, and the contents of an ObjectList) and collects their attribute lists. */
  #number(object: XmlElement, lists: XmlElement[]): void {
    const id = object.attributes.ID
    if (id !== undefined) {
      const text = (this.nextId++).toString(16).toUpperCase()
      this.#ids.set(id, text)
      if (text !== id) this.#setAttribute(object, 'ID', text)
    }
    for (const part of object.children) {
      if (part.name === 'AttributeList') lists.push(part)
      else if (part.name === 'ObjectList') for (const inner of part.children) this.#number(inner, lists)
    }
  }

  #visit(element: XmlElement): void {
    if (this.#target !== undefined && this.#isLeftOut(element, this.#target)) return
    const { TargetID: link } = element.attributes
    const linked = link === undefined ? undefined : this.#ids.get(link)
    if (linked !== undefined && linked !== link) this.#setAttribute(element, 'TargetID', linked)
    if (this.#target !== undefined) this.#setNamespaces(element, this.#target)
    if (this.#target !== undefined && element.name === 'AlarmsSettings') this.#completeAlarms(element)
    for (const inner of element.children) this.#visit(inner)
  }

  #isLeftOut(element: XmlElement, target: TargetVersion): boolean {
    const fact = unknownOf(element, versionNumber(target))
    if (fact === undefined) return false
    const { leaveOut } = fact
    const isEmpty = element.text.trim() === '' && element.children.length === 0
    if (!(fact.isSilentWhenEmpty === true && isEmpty) && !(fact.once === true && this.#reported.has(fact))) {
      this.#reported.add(fact)
      const versions = fact.since === undefined ? `up to V${fact.until}` : `since V${fact.since}`
      const fate = leaveOut === undefined ? `kept; ${target} will refuse it` : 'left out'
      const of = this.#name === '' ? '' : `"${this.#name}" `
      this.#warnings.push(`${of}${pathOf(element)}: ${fact.describe(element)} exists ${versions}: ${fate}`)
    }
    if (leaveOut === undefined) return false
    if (leaveOut !== 'element') {
      this.#setAttribute(element, leaveOut.attribute, undefined)
      return false
    }
    this.#edits.push({ start: this.#blanksBefore(element.start), end: element.start, text: '' })
    this.#edits.push({ start: element.start, end: element.end, text: '' })
    return true
  }

  /** Where the white space that ends at an offset begins. */
  #blanksBefore(offset: number): number {
    let at = offset
    while (at > 0 && isBlank(this.#text.charCodeAt(at - 1))) at--
    return at
  }

  /** Adds what later versions require to the alarm settings of GRAPH blocks before V15, with TIA Portal's defaults. */
  #completeAlarms(settings: XmlElement): void {
    let after = child(settings, 'AlarmSupervisionCategories')
    const added: string[] = []
    for (const [name, id] of alarmSettings) {
      const present = child(settings, name)
      if (present === undefined && after !== undefined) {
        const space = this.#text.slice(this.#blanksBefore(after.start), after.start)
        this.#edits.push({ start: after.end, end: after.end, text: `${space}<${name} Id="${id}" />` })
        added.push(name)
      } else after = present ?? after
    }
    if (added.length > 0)
      this.#warnings.push(`"${this.#name}" ${pathOf(settings)}: ${added.join(', ')} were added with their defaults`)
  }

  #setNamespaces(element: XmlElement, target: TargetVersion): void {
    let isDeclared = false
    for (const name in element.attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      isDeclared = true
      const namespace = element.attributes[name] as string
      const wanted = namespaceFor(namespace, target)
      if (wanted !== namespace) this.#setAttribute(element, name, wanted)
    }
    if (isDeclared || !(element.name in fragments)) return
    const [around, key] = fragments[element.name as keyof typeof fragments]
    if (element.parent?.name !== around || !this.#text.startsWith(element.name, element.start + 1)) return
    const at = element.start + 1 + element.name.length
    this.#edits.push({ start: at, end: at, text: ` xmlns="${namespacesOf(target)[key]}"` })
  }

  /** Changes or removes an attribute of the element. */
  #setAttribute(element: XmlElement, name: string, value: string | undefined): void {
    const tag = this.#text.slice(element.start, element.contentStart)
    for (const found of tag.matchAll(/\s+([^\s=<>/]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
      if (found[1] !== name) continue
      const end = element.start + found.index + found[0].length
      const quoted = found[2] as string
      if (value === undefined) this.#edits.push({ start: element.start + found.index, end, text: '' })
      else this.#edits.push({ start: end - quoted.length + 1, end: end - 1, text: escapeAttribute(value) })
      return
    }
  }
}

function isSorted({ children }: XmlElement): boolean {
  return children.every(({ name }, index) => index === 0 || byAlphabet(children[index - 1]?.name ?? '', name) <= 0)
}

/** Sorts the attributes of an object; the white space between them stays in place. */
function sortedContent(text: string, list: XmlElement, edits: readonly Edit[]): string {
  const { children, contentStart, contentEnd } = list
  const isLeftOut = ({ start, end }: XmlElement): boolean =>
    edits.some((edit) => edit.start === start && edit.end === end)
  const sorted = children.filter((entry) => !isLeftOut(entry)).sort((a, b) => byAlphabet(a.name, b.name))
  let result = ''
  let at = contentStart
  let next = 0
  for (const entry of children) {
    result += withEdits(text, at, entry.start, edits)
    const put = isLeftOut(entry) ? undefined : sorted[next++]
    if (put !== undefined) result += withEdits(text, put.start, put.end, edits)
    at = entry.end
  }
  return result + withEdits(text, at, contentEnd, edits)
}

/** A part of the text after applying the edits in it, in order. */
function withEdits(text: string, from: number, to: number, edits: readonly Edit[]): string {
  let result = ''
  let at = from
  for (const edit of edits) {
    if (edit.start < at || edit.end > to) continue
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at, to)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
