/**
 * Adds, replaces, deletes and moves networks of a stored block. The text is edited in place, so that everything else
 * stays as it was. Loads saxes (through the reader); import lazily.
 */

import { defined } from '../../lib/optional.ts'
import { writeNetworkSource } from '../formats/simaticml/compile-unit-write.ts'
import type { Edit } from '../formats/simaticml/element-edit.ts'
import { type TargetVersion, targetVersion } from '../formats/simaticml/versions.ts'
import { writeCompileUnit, writeMultilingualText } from '../formats/simaticml/write.ts'
import { child, childrenOf, type XmlElement } from '../formats/simaticml/xml.ts'
import { XmlWriter } from '../formats/simaticml/xml-write.ts'
import { regionOfCode, statementBody } from '../formats/source/body.ts'
import { opensLine } from '../formats/source/cursor.ts'
import { type DeclaredNames, declaredNames } from '../languages/ladder/declared-names.ts'
import { lex } from '../languages/scl/lexer.ts'
import { Keyword } from '../model/keywords.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import { anyText } from '../model/multilingual-text.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import { type EditOptions, editXml, replaceContent, rereadText, singleBlock } from './edit.ts'
import { editFault, toText } from './input.ts'
import { hasContent, type NetworkContext, type NetworkInput, type ReadNetwork, readNetwork } from './network-input.ts'

export type NetworkEdit =
  /** Inserts new networks before number `position`; by default after the last one. */
  | { readonly kind: 'add'; readonly networks: readonly NetworkInput[]; readonly position?: number }
  /** Changes title, comment, language or content of networks; what is not given stays. */
  | { readonly kind: 'update'; readonly networks: readonly (NetworkInput & { readonly number: number })[] }
  | { readonly kind: 'delete'; readonly number: number }
  | { readonly kind: 'move'; readonly number: number; readonly position: number }

export interface NetworkEditOptions extends EditOptions {
  /** The names that the program declares, for expressions. */
  readonly declared?: DeclaredNames
}

/**
 * Returns the block after the edit.
 * @throws FormatError when the block has no such networks or cannot contain the new one, and when the statements of an
 *   added network have syntax faults; SCL that replaces other statements may be a draft
 */
export function editNetworks(
  object: ImportedObject,
  edit: NetworkEdit,
  options: NetworkEditOptions = {},
): ImportedObject {
  checkHasNetworks(object)
  const count = object.networks.length
  if (edit.kind === 'update') for (const { number } of edit.networks) requireNumber(object, number, 'number')
  if (edit.kind === 'delete' || edit.kind === 'move') requireNumber(object, edit.number, 'number')
  if (edit.kind === 'move') requireNumber(object, edit.position, 'position')
  if (edit.kind === 'add' && edit.position !== undefined && (edit.position < 1 || edit.position > count + 1))
    throw editFault(`/position: ${edit.position} is not between 1 and ${count + 1}`)
  if (object.language === 'SCL') return editStructuredText(object, edit, options)
  if (object.text !== undefined) return editStatementSource(object, object.text, edit, options)
  return editUnits(object, edit, options)
}

function checkHasNetworks(object: ImportedObject): void {
  if (object.kind !== 'OB' && object.kind !== 'FB' && object.kind !== 'FC')
    throw editFault(`"${object.name}" is a ${object.kind} and has no networks`)
  if (object.language === 'GRAPH')
    throw editFault(`"${object.name}" is written in GRAPH: its one network is its sequence; change it through rawXml`)
}

function requireNumber(object: ImportedObject, number: number, field: string): void {
  const count = object.networks.length
  if (Number.isInteger(number) && number >= 1 && number <= count) return
  const there = count === 0 ? 'has no networks' : count === 1 ? 'has one network' : `has networks 1 to ${count}`
  throw editFault(`/${field}: "${object.name}" has no network ${number}; it ${there}`)
}

function contextOf(object: ImportedObject, options: NetworkEditOptions, at: string): NetworkContext {
  return {
    blockName: object.name,
    blockLanguage: object.language,
    culture: options.culture ?? 'en-US',
    names: declaredNames(object.interface, options.declared ?? { objects: [], tags: [] }),
    at,
  }
}

// ── SCL: one network ────────────────────────────────────────────────────────────────────────────────────────────────

/** An SCL block has one network. More statements go after those it has, in a region with the title. */
function editStructuredText(object: ImportedObject, edit: NetworkEdit, options: NetworkEditOptions): ImportedObject {
  const code = object.networks.map(({ text }) => text ?? '').join('\n')
  if (edit.kind === 'move') return object
  if (edit.kind === 'delete') return replaceContent(object, { code: '' }, options)
  if (edit.kind === 'update') {
    const [input] = edit.networks
    if (input === undefined) return object
    const { network } = readNetwork(input, { ...contextOf(object, options, '/networks/0'), isDraft: true })
    const texts = newTexts(object, input, network)
    if (!hasContent(input) && (texts === undefined || isUnder(code, texts))) return object
    const statements = hasContent(input) ? (network.text ?? '') : code
    return replaceContent(object, { code: titledCode({ ...texts, text: statements }) }, options)
  }
  const added = edit.networks.map((input, i) => {
    const { network } = readNetwork(input, contextOf(object, options, `/networks/${i}`))
    return titledCode({ ...network, text: (network.text ?? '').replace(/\s+$/, '') })
  })
  const parts = edit.position === 1 ? [...added, code] : [code, ...added]
  return replaceContent(object, { code: parts.filter((part) => part.trim() !== '').join('\n\n') }, options)
}

type NetworkTexts = Partial<Pick<Network, 'title' | 'comment'>>

/** Statements with the title of a network as that of a region, and with its comment before them. */
function titledCode({ title, comment, text = '' }: NetworkTexts & Pick<Network, 'text'>): string {
  const lines = commentLines(comment)
  return regionOfCode(anyText(title ?? {}), lines === '' ? text : `${lines}\n${text}`)
}

function commentLines(comment: MultilingualText | undefined): string {
  const text = anyText(comment ?? {}).replace(/\r\n?/g, '\n')
  return text.trim() === '' ? '' : text.replace(/^/gm, '// ')
}

/** Whether the statements have these texts already. */
function isUnder(code: string, texts: NetworkTexts): boolean {
  const [first = ''] = titledCode({ ...texts, text: '' }).split('\n')
  return code.trimStart().split(/\r?\n/)[0]?.trim() === first.trim()
}

/** The texts that a client gives the network of an SCL block beside those it has; `undefined` when there are none. */
function newTexts(
  object: ImportedObject,
  { title, comment }: NetworkInput,
  read: ReadNetwork['network'],
): NetworkTexts | undefined {
  const [network] = object.networks
  const isSame = (given: NetworkInput['title'], has: MultilingualText | undefined) =>
    given === undefined ||
    (typeof given === 'string' ? given === anyText(has ?? {}) : JSON.stringify(given) === JSON.stringify(has))
  const texts: NetworkTexts = {
    ...(isSame(title, network?.title) ? {} : { title: read.title }),
    ...(isSame(comment, network?.comment) ? {} : { comment: read.comment }),
  }
  if (Object.values(texts).some((text) => anyText(text).trim() === ''))
    throw editFault(
      `"${object.name}" is an SCL block: the title and comment that its statements have stay; remove them in its whole text`,
    )
  return Object.keys(texts).length === 0 ? undefined : texts
}

// ── STL sources ─────────────────────────────────────────────────────────────────────────────────────────────────────

function editStatementSource(
  object: ImportedObject,
  text: string,
  edit: NetworkEdit,
  options: NetworkEditOptions,
): ImportedObject {
  const { layout } = singleBlock(text, options)
  const [start, end] = layout.body ?? [layout.declarations[1], layout.declarations[1]]
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const written = (network: Omit<Network, 'number'>) =>
    statementBody([{ ...network, number: 1 }], anyText)
      .replace(/^\n/, '')
      .replace(/\r?\n/g, eol)
  const starts = networkStarts(text, start, end)
  const slices = starts.map((from, i) => text.slice(from, starts[i + 1] ?? end))
  const head = layout.body === undefined ? `${eol}${eol}BEGIN${eol}` : text.slice(start, starts[0] ?? end)
  switch (edit.kind) {
    case 'add': {
      const added = edit.networks.map((input, i) =>
        written(readNetwork(input, contextOf(object, options, `/networks/${i}`)).network),
      )
      slices.splice((edit.position ?? slices.length + 1) - 1, 0, ...added)
      break
    }
    case 'update':
      edit.networks.forEach((input, i) => {
        const before = object.networks[input.number - 1] as Network
        const { network } = readNetwork(input, contextOf(object, options, `/networks/${i}`))
        slices[input.number - 1] = written({
          ...before,
          ...(hasContent(input) ? { statements: network.statements ?? [] } : {}),
          ...(input.title === undefined ? {} : { title: network.title }),
          ...(input.comment === undefined ? {} : { comment: network.comment }),
        })
      })
      break
    case 'delete':
      slices.splice(edit.number - 1, 1)
      break
    case 'move':
      slices.splice(edit.position - 1, 0, ...slices.splice(edit.number - 1, 1))
  }
  const opened = head.endsWith('\n') || slices.length === 0 ? head : head + eol
  return rereadText(object, text.slice(0, start) + opened + slices.join('') + text.slice(end), options)
}

/** Offsets of the lines on which a network begins. */
function networkStarts(text: string, start: number, end: number): number[] {
  const tokens = lex(text)
  const starts: number[] = []
  for (let i = 0; i < tokens.kind.length; i++) {
    const at = tokens.start[i] as number
    if (at < start || at >= end || tokens.keyword[i] !== Keyword.NETWORK || !opensLine(tokens, i)) continue
    starts.push(text.lastIndexOf('\n', at) + 1)
  }
  return starts
}

// ── SimaticML ───────────────────────────────────────────────────────────────────────────────────────────────────────

function editUnits(object: ImportedObject, edit: NetworkEdit, options: NetworkEditOptions): ImportedObject {
  return editXml(object, (root, xml) => {
    const units = childrenOf(child(root, 'ObjectList'), 'SW.Blocks.CompileUnit')
    const writing: Writing = { object, options, xml, ids: freeIds(xml) }
    switch (edit.kind) {
      case 'add':
        return [insertion(root, units, edit.position ?? units.length + 1, newUnits(edit.networks, writing), xml)]
      case 'update':
        return edit.networks.flatMap((input, i) => updates(units[input.number - 1] as XmlElement, input, i, writing))
      case 'delete':
        return [removal(units[edit.number - 1] as XmlElement, xml)]
      case 'move':
        return moves(root, units, edit, xml)
    }
  })
}

interface Writing {
  readonly object: ImportedObject
  readonly options: NetworkEditOptions
  readonly xml: string
  /** Makes IDs that the document does not have. */
  readonly ids: () => string
}

/** Makes unused IDs. They are hexadecimal, and new ones follow the greatest. */
function freeIds(xml: string): () => string {
  let last = 0
  for (const [, id] of xml.matchAll(/\sID="([0-9A-Fa-f]{1,8})"/g))
    last = Math.max(last, Number.parseInt(id as string, 16))
  return () => (++last).toString(16).toUpperCase()
}

function newUnits(inputs: readonly NetworkInput[], writing: Writing): string {
  const { object, options, ids } = writing
  return inputs
    .map((input, i) => {
      const read = readNetwork(input, contextOf(object, options, `/networks/${i}`))
      const writer = new XmlWriter(3)
      writeCompileUnit(writer, object, { ...read.network, number: i + 1 }, unitOptions(writing, read, i + 1), ids)
      return writer.toString()
    })
    .join('\n')
}

function unitOptions({ object, options }: Writing, read: ReadNetwork, number: number) {
  const culture = options.culture ?? 'en-US'
  return {
    version: versionOf(object),
    culture,
    emptyCulture: culture,
    ...defined({ callee: options.callee }),
    ...(read.xml === undefined ? {} : { networkXml: new Map([[number, read.xml]]) }),
  }
}

function versionOf({ engineeringVersion }: ImportedObject): TargetVersion {
  try {
    return targetVersion(engineeringVersion ?? 'V19')
  } catch {
    return 'V16'
  }
}

/** Where new units go. Units are between the comment and the title of the block. */
function insertion(root: XmlElement, units: readonly XmlElement[], position: number, text: string, xml: string): Edit {
  const next = units[position - 1]
  if (next !== undefined)
    return { start: lineStart(xml, next.start), end: lineStart(xml, next.start), text: `${text}\n` }
  const list = child(root, 'ObjectList')
  if (list === undefined) {
    const attributes = child(root, 'AttributeList')
    const at = attributes?.end ?? root.contentStart
    return { start: at, end: at, text: `\n    <ObjectList>\n${text}\n    </ObjectList>` }
  }
  if (list.contentStart === list.end)
    return { start: list.start, end: list.end, text: `<ObjectList>\n${text}\n    </ObjectList>` }
  const last = units.at(-1) ?? list.children.find((element) => element.attributes.CompositionName === 'Comment')
  const at = last?.end ?? list.contentStart
  return { start: at, end: at, text: `\n${text}` }
}

/** Start of the element's line when only white space precedes it. */
function lineStart(xml: string, at: number): number {
  const line = xml.lastIndexOf('\n', at - 1) + 1
  return xml.slice(line, at).trim() === '' ? line : at
}

function removal(unit: XmlElement, xml: string): Edit {
  const line = lineStart(xml, unit.start)
  const hasOwnLine = line > 0 && /^\s*?\r?\n/.test(xml.slice(unit.end, unit.end + 20))
  if (!hasOwnLine) return { start: unit.start, end: unit.end, text: '' }
  return { start: line, end: xml.indexOf('\n', unit.end) + 1, text: '' }
}

function moves(
  root: XmlElement,
  units: readonly XmlElement[],
  edit: NetworkEdit & { kind: 'move' },
  xml: string,
): Edit[] {
  if (edit.number === edit.position) return []
  const unit = units[edit.number - 1] as XmlElement
  const text = xml.slice(lineStart(xml, unit.start), unit.end)
  const before = edit.position > edit.number ? edit.position + 1 : edit.position
  return [removal(unit, xml), insertion(root, units, before, text, xml)]
}

function updates(unit: XmlElement, input: NetworkInput & { number: number }, index: number, writing: Writing): Edit[] {
  const { object, options } = writing
  const before = object.networks[input.number - 1] as Network
  const culture = options.culture ?? 'en-US'
  const language = input.language ?? before.language
  const context = { ...contextOf(object, options, `/networks/${index}`), isDraft: true }
  const edits: Edit[] = []
  if (hasContent(input)) {
    const read = readNetwork({ ...input, language }, context)
    edits.push(...contentEdits(unit, { ...read.network, number: input.number }, read, writing))
  } else if (language.toUpperCase() !== before.language)
    throw editFault(`${context.at}/language: a network gets another language with its content only`)
  for (const [name, given] of [
    ['Comment', input.comment],
    ['Title', input.title],
  ] as const) {
    if (given === undefined) continue
    const has = name === 'Title' ? before.title : before.comment
    const text = changed(has, given, culture)
    if (text !== has) edits.push(textEdit(unit, name, text, writing))
  }
  return edits
}

/** Sets the text of one culture; the others stay. */
function changed(before: MultilingualText, given: string | MultilingualText, culture: string): MultilingualText {
  if (typeof given !== 'string') return given
  if (given === '') return Object.values(before).every((text) => text === '') ? before : toText(given, culture)
  return Object.values(before).includes(given) ? before : { ...before, [culture]: given }
}

function contentEdits(unit: XmlElement, network: Network, read: ReadNetwork, { object, options }: Writing): Edit[] {
  const list = child(unit, 'AttributeList')
  if (list === undefined) throw editFault(`network ${network.number} of "${object.name}" has no AttributeList`)
  const writer = new XmlWriter(5)
  if (read.xml !== undefined) writer.element('NetworkSource', {}, () => writer.raw(read.xml as string))
  else
    writeNetworkSource(writer, network, {
      version: versionOf(object),
      interface: object.interface,
      culture: options.culture ?? 'en-US',
      ...defined({ callee: options.callee }),
    })
  const source = child(list, 'NetworkSource')
  const at = source ?? { start: list.contentStart, end: list.contentStart }
  const edits: Edit[] = [{ start: at.start, end: at.end, text: writer.toString().trimStart() }]
  const language = child(list, 'ProgrammingLanguage')
  if (language !== undefined && language.text !== network.language)
    edits.push({
      start: language.start,
      end: language.end,
      text: `<ProgrammingLanguage>${network.language}</ProgrammingLanguage>`,
    })
  return edits
}

function textEdit(
  unit: XmlElement,
  name: 'Comment' | 'Title',
  text: MultilingualText,
  { ids, options }: Writing,
): Edit {
  const list = child(unit, 'ObjectList')
  const writer = new XmlWriter(5)
  writeMultilingualText(writer, name, text, options.culture ?? 'en-US', ids)
  const written = writer.toString()
  const present = childrenOf(list, 'MultilingualText').find(({ attributes }) => attributes.CompositionName === name)
  if (present !== undefined) return { start: present.start, end: present.end, text: written.trimStart() }
  if (list === undefined || list.contentStart === list.end) {
    const at = list ?? { start: unit.contentEnd, end: unit.contentEnd }
    return { start: at.start, end: at.end, text: `<ObjectList>\n${written}\n</ObjectList>` }
  }
  const at = name === 'Comment' ? list.contentStart : list.contentEnd
  return { start: at, end: at, text: name === 'Comment' ? `\n${written}` : `${written}\n` }
}
