/**
 * Edits of stored objects, without side effects. Each returns a new object: its text or XML is edited in place, so that
 * everything else stays as it was, and then read again. Loads saxes (through the reader); import lazily.
 */

import { defined } from '../../lib/optional.ts'
import { escapeAttribute, escapeText } from '../../lib/xml-text.ts'
import type { CalleeLookup } from '../formats/simaticml/callee.ts'
import { applyEdits, type Edit } from '../formats/simaticml/element-edit.ts'
import { sectionOrder, writeInterface } from '../formats/simaticml/interface-write.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { writeStructuredText } from '../formats/simaticml/structured-text-write.ts'
import { type TargetVersion, targetVersion } from '../formats/simaticml/versions.ts'
import { writeObject } from '../formats/simaticml/write.ts'
import { child, childrenOf, parseXml, type XmlElement } from '../formats/simaticml/xml.ts'
import { XmlWriter } from '../formats/simaticml/xml-write.ts'
import { bodyOfCode } from '../formats/source/body.ts'
import { readSource } from '../formats/source/read.ts'
import { declarationText, sourceTextOf } from '../formats/source/write.ts'
import { classOf } from '../model/event-classes.ts'
import { FormatError } from '../model/fault.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import { quoted } from '../model/names.ts'
import type { ImportedObject, InterfaceSection, Network, ProgramObjectKind } from '../model/object.ts'
import { checkName, editFault, mergeSections, type SectionInput, toText } from './input.ts'
import { languageNamed } from './network-input.ts'

export interface EditOptions {
  /** Culture of texts given without one, and of comments in sources. Default `en-US`. */
  readonly culture?: string
  readonly callee?: CalleeLookup
}

/**
 * Renames the object. References in other blocks are not changed.
 * @throws FormatError when the name is not acceptable, or is that of a member of a function with a result, whose name
 *   means the result inside the function
 */
export function rename(object: ImportedObject, name: string, options: EditOptions = {}): ImportedObject {
  checkName(name, `${object.kind} ${JSON.stringify(object.name)}`)
  requireResultName(object, name)
  if (object.text !== undefined) {
    const { layout } = singleBlock(object.text, options)
    return rereadText(object, splice(object.text, layout.name, quoted(name)), options)
  }
  return editXml(object, (root) => [setAttribute(root, 'Name', name)])
}

function requireResultName({ kind, name: before, interface: sections }: ImportedObject, name: string): void {
  const result = sections.find(({ section }) => section === 'Return')?.members[0]?.dataType ?? 'Void'
  if (kind !== 'FC' || result.toLowerCase() === 'void') return
  const wanted = name.toLowerCase()
  const taken = sections.find(
    ({ section, members }) => section !== 'Return' && members.some((member) => member.name.toLowerCase() === wanted),
  )
  if (taken !== undefined)
    throw editFault(
      `FC "${before}" declares "${name}" itself (${taken.section}), and the name of a function is that of its result: ` +
        'choose another name, or rename the member first',
    )
}

/**
 * Sets the block's number (1 to 65535). Sources have no place for it, so it is kept beside their text.
 * @param options `keepAuto`: the engineering tool may still choose another one
 */
export function setNumber(
  object: ImportedObject,
  number: number,
  options: { readonly keepAuto?: boolean } = {},
): ImportedObject {
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw editFault(
      `${object.kind} "${object.name}": the number is ${number}, allowed are whole numbers from 1 to 65535`,
    )
  if (object.kind === 'UDT' || object.tags !== undefined || object.entries !== undefined)
    throw editFault(`${object.kind} "${object.name}" has no number`)
  if (object.xml === undefined) return { ...object, number }
  return editXml(object, (root) => {
    const edits = [setAttribute(root, 'Number', String(number))]
    if (options.keepAuto !== true && child(child(root, 'AttributeList'), 'AutoNumber') !== undefined)
      edits.push(setAttribute(root, 'AutoNumber', 'false'))
    return edits
  })
}

/** Writes the event class into the XML of an organization block that does not say it. */
export function withEventClass(xml: string, secondaryType: string): string {
  return applyEdits(xml, [setAttribute(parseXml(xml), 'SecondaryType', secondaryType)])
}

export interface ContentInput {
  /** Sections to replace; sections that are not named stay. */
  readonly interface?: readonly SectionInput[]
  /** SCL statements, without BEGIN and END. */
  readonly code?: string
}

/**
 * Replaces sections of the interface, the SCL code, or both.
 * @throws FormatError when the input is not acceptable, or the object has no such part.
 */
export function replaceContent(object: ImportedObject, input: ContentInput, options: EditOptions = {}): ImportedObject {
  const culture = options.culture ?? 'en-US'
  if (input.interface !== undefined && sectionOrder[object.kind as ProgramObjectKind] === undefined)
    throw editFault(`${object.kind} "${object.name}" has no interface`)
  if (input.interface !== undefined && object.kind === 'InstanceDB')
    throw editFault(
      `the interface of "${object.name}" is that of its type "${object.instanceOf ?? ''}": change it there`,
    )
  const sections =
    input.interface === undefined
      ? undefined
      : mergeSections(object.interface, input.interface, { culture, kind: object.kind })
  if (object.text !== undefined) return replaceInText(object, object.text, sections, input.code, options)
  return editXml(object, (root) => {
    const edits: Edit[] = []
    if (sections !== undefined) edits.push(interfaceEdit(root, object, sections))
    if (input.code !== undefined)
      edits.push(codeEdit(root, object, input.code, sections ?? object.interface, culture, options))
    return edits
  })
}

function splice(text: string, [start, end]: readonly [number, number], replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Reads the only block of a stored text. */
export function singleBlock(text: string, { culture }: EditOptions) {
  const { blocks, faults } = readSource(text, culture === undefined ? {} : { culture })
  if (faults.length > 0) throw new FormatError(faults)
  const [block] = blocks
  if (block === undefined || blocks.length > 1) throw editFault(`expected one block, the text holds ${blocks.length}`)
  return block
}

/** Reads the object from its new text; what a source has no place for is copied from `before`. */
export function rereadText(before: ImportedObject, text: string, options: EditOptions): ImportedObject {
  const { object } = singleBlock(text, options)
  return {
    ...object,
    ...defined({ number: before.number, secondaryType: before.secondaryType }),
  }
}

function replaceInText(
  object: ImportedObject,
  text: string,
  sections: readonly InterfaceSection[] | undefined,
  code: string | undefined,
  options: EditOptions,
): ImportedObject {
  const { layout } = singleBlock(text, options)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const inFile = (part: string): string => (eol === '\n' ? part : part.replace(/\r?\n/g, eol))
  // From back to front, so that offsets stay valid.
  let result = text
  if (code !== undefined) {
    if (object.language !== 'SCL')
      throw editFault(`"${object.name}" is written in ${object.language || 'no language'}: it takes no SCL code`)
    const body = layout.body
    if (body === undefined)
      result = splice(result, [layout.declarations[1], layout.declarations[1]], inFile(`\n\nBEGIN${bodyOfCode(code)}`))
    else result = splice(result, body, inFile(bodyOfCode(code)))
  }
  if (sections !== undefined) {
    const declared = inFile(declarationText(object.kind, sections, options.culture))
    const [start, end] = layout.declarations
    const separator = start === end && declared !== '' ? inFile('\n\n') : ''
    result = splice(result, [start, end], declared + separator)
    const returns = sections.find(({ section }) => section === 'Return')?.members[0]?.dataType
    if (returns !== undefined && layout.returnType !== undefined) result = splice(result, layout.returnType, returns)
  }
  const edited = rereadText(object, result, options)
  if (code !== undefined && edited.networks[0]?.language !== 'SCL') throw editFault('the code is not SCL')
  return edited
}

/** Applies edits to the object's XML and reads it again. */
export function editXml(
  object: ImportedObject,
  edits: (root: XmlElement, xml: string) => readonly Edit[],
): ImportedObject {
  const { xml } = object
  if (xml === undefined) throw editFault(`${object.kind} "${object.name}" has neither text nor XML`)
  return objectFromXml(applyEdits(xml, edits(parseXml(xml), xml)), object.engineeringVersion)
}

/** Reads a single root element. */
export function objectFromXml(xml: string, engineeringVersion?: string): ImportedObject {
  const engineering =
    engineeringVersion === undefined ? '' : `<Engineering version="${escapeAttribute(engineeringVersion)}"/>`
  const [object] = readSimaticMlText(`<Document>${engineering}${xml}</Document>`).objects
  if (object === undefined) throw editFault('the XML holds no object')
  return object
}

/** Sets an attribute of the object's AttributeList; a new one is inserted in alphabetical order. */
function setAttribute(root: XmlElement, name: string, value: string): Edit {
  const list = child(root, 'AttributeList')
  if (list === undefined) throw editFault(`<${root.name}> has no AttributeList`)
  const element = `<${name}>${escapeText(value)}</${name}>`
  const present = child(list, name)
  if (present !== undefined) return { start: present.start, end: present.end, text: element }
  const next = list.children.find((entry) => entry.name > name)
  const at = next?.start ?? list.contentEnd
  return { start: at, end: at, text: element }
}

function versionOf(object: ImportedObject): TargetVersion {
  try {
    return targetVersion(object.engineeringVersion ?? 'V19')
  } catch {
    return 'V16'
  }
}

/** Writes the interface anew. @throws FormatError for what SimaticML cannot hold */
export function interfaceEdit(root: XmlElement, object: ImportedObject, sections: readonly InterfaceSection[]): Edit {
  const list = child(root, 'AttributeList')
  const writer = new XmlWriter(3)
  const warnings = writeInterface(writer, object.kind as ProgramObjectKind, sections, { version: versionOf(object) })
  if (warnings[0] !== undefined) throw editFault(warnings.join('; '))
  const present = child(list, 'Interface')
  if (present === undefined || list === undefined) throw editFault(`<${root.name}> has no Interface`)
  return { start: present.start, end: present.end, text: writer.toString() }
}

/** Replaces the code of the block's only SCL network. */
function codeEdit(
  root: XmlElement,
  object: ImportedObject,
  code: string,
  sections: readonly InterfaceSection[],
  culture: string,
  options: EditOptions,
): Edit {
  const units = childrenOf(child(root, 'ObjectList'), 'SW.Blocks.CompileUnit')
  const list = child(units[0], 'AttributeList')
  if (object.language !== 'SCL' || units.length !== 1 || list === undefined)
    throw editFault(`"${object.name}" is not an SCL block with one network: its code cannot be replaced as text`)
  const writer = new XmlWriter(5)
  writer.element('NetworkSource', {}, () => {
    if (code !== '')
      writeStructuredText(writer, code, {
        version: versionOf(object),
        interface: sections,
        culture,
        ...defined({ callee: options.callee }),
      })
  })
  const present = child(list, 'NetworkSource')
  const at = present ?? { start: list.contentStart, end: list.contentStart }
  return { start: at.start, end: at.end, text: writer.toString() }
}

export interface NewNetwork {
  readonly title?: string | MultilingualText
  readonly comment?: string | MultilingualText
  /** Default: the block's language. */
  readonly language?: string
  /** SCL statements of an SCL network. */
  readonly code?: string
  /** Content of `NetworkSource` (`<FlgNet …>…</FlgNet>`) of a LAD or FBD network. */
  readonly xml?: string
}

export interface NewObject {
  readonly name: string
  readonly type: 'OB' | 'FB' | 'FC' | 'DB' | 'ArrayDB' | 'UDT'
  /** `SCL` (default), `LAD`, `FBD` or `STL`; ignored for DB and UDT. */
  readonly language?: string
  readonly number?: number
  readonly title?: string | MultilingualText
  readonly comment?: string | MultilingualText
  readonly author?: string
  readonly version?: string
  /** Event class of an OB. Default `ProgramCycle`. */
  readonly secondaryType?: string
  /** Of an ArrayDB: `Array[0..9] of Int`. */
  readonly dataType?: string
  /** Makes the DB an instance of this FB or UDT. */
  readonly instanceOf?: string
  readonly interface?: readonly SectionInput[]
  readonly code?: string
  readonly networks?: readonly NewNetwork[]
}

export interface CreateOptions extends EditOptions {
  /** SimaticML version in which LAD and FBD blocks are written. Default `V19`. */
  readonly version?: TargetVersion
}

/**
 * Creates an object: SCL blocks, data blocks and types as source text, LAD and FBD blocks as SimaticML.
 * @throws FormatError when the description is not acceptable.
 */
export function createObject(spec: NewObject, options: CreateOptions = {}): ImportedObject {
  checkName(spec.name, spec.type)
  const culture = options.culture ?? 'en-US'
  const kind: ProgramObjectKind =
    spec.type === 'DB' ? (spec.instanceOf === undefined ? 'GlobalDB' : 'InstanceDB') : spec.type
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  const language = isCode ? languageNamed(spec.language ?? 'SCL') : kind === 'UDT' ? '' : 'DB'
  if (isCode && !['SCL', 'LAD', 'FBD', 'STL'].includes(language))
    throw editFault(`language ${JSON.stringify(spec.language)} cannot be created; allowed: SCL, LAD, FBD, STL`)
  if (!isCode && (spec.code !== undefined || (spec.networks?.length ?? 0) > 0))
    throw editFault(`a ${spec.type} has no code`)
  if (kind === 'InstanceDB') checkName(spec.instanceOf ?? '', 'instanceOf')
  const networks = isCode ? newNetworks(spec, language, culture) : []
  const order = sectionOrder[kind] ?? []
  const empty = kind === 'InstanceDB' ? [] : order.map((section): InterfaceSection => ({ section, members: [] }))
  const draft: ImportedObject = {
    kind,
    element: '',
    format: 'source',
    name: spec.name,
    language,
    title: toText(spec.title ?? '', culture),
    comment: toText(spec.comment ?? '', culture),
    author: spec.author ?? '',
    family: '',
    headerName: '',
    version: spec.version ?? '0.1',
    ...(kind === 'UDT' ? {} : { memoryLayout: 'Optimized' as const }),
    isKnowHowProtected: false,
    ...(kind === 'OB' ? { secondaryType: spec.secondaryType ?? classOf(spec.number ?? 1) } : {}),
    ...(kind === 'InstanceDB' ? { instanceOf: spec.instanceOf ?? '' } : {}),
    attributes: [],
    interface: mergeSections(withVoidReturn(empty), kind === 'ArrayDB' ? arraySection(spec) : (spec.interface ?? []), {
      culture,
      kind,
    }),
    networks,
  }
  const isXml = language === 'LAD' || language === 'FBD' || language === 'STL'
  const object = isXml ? createXml(draft, spec, options) : createText(draft, options)
  return spec.number === undefined ? object : setNumber(object, spec.number)
}

/** The one member of an array data block, which has the name of the block. */
function arraySection({ name, dataType, interface: sections = [] }: NewObject): SectionInput[] {
  const given = sections.flatMap(({ members }) => members)
  const type = dataType ?? given[0]?.dataType
  if (given.length > 1 || type === undefined || !/^\s*array\s*\[[^\]]*\]\s*of\s/i.test(type))
    throw editFault(`ArrayDB "${name}" needs its array in dataType, e.g. Array[0..9] of Int`)
  return [{ section: 'None', members: [{ name, ...given[0], dataType: type }] }]
}

function withVoidReturn(sections: readonly InterfaceSection[]): InterfaceSection[] {
  const ret = { name: 'Ret_Val', dataType: 'Void', comment: {}, attributes: [], members: [] }
  return sections.map((entry) => (entry.section === 'Return' ? { ...entry, members: [ret] } : entry))
}

function newNetworks(spec: NewObject, language: string, culture: string): Network[] {
  const given = spec.networks ?? (spec.code === undefined && language !== 'SCL' ? [] : [{ code: spec.code ?? '' }])
  if (language === 'SCL' && given.some((network) => (network.language ?? 'SCL') !== 'SCL' || network.xml !== undefined))
    throw editFault('an SCL block holds SCL code only')
  return given.map((network, index) => ({
    number: index + 1,
    title: toText(network.title ?? '', culture),
    comment: toText(network.comment ?? '', culture),
    language: network.language ?? (network.code === undefined ? language : 'SCL'),
    parts: [],
    ...defined({ text: network.code }),
  }))
}

function createText(draft: ImportedObject, options: CreateOptions): ImportedObject {
  const text = sourceTextOf(draft, options.culture)
  if (text === undefined) throw editFault(`${draft.kind} "${draft.name}" has no source form`)
  return rereadText(draft, text, options)
}

function createXml(draft: ImportedObject, spec: NewObject, options: CreateOptions): ImportedObject {
  const version = options.version ?? 'V19'
  const networkXml = new Map<number, string>()
  spec.networks?.forEach(({ xml }, index) => {
    if (xml === undefined) return
    parseXml(xml)
    networkXml.set(index + 1, xml.trim())
  })
  const { xml, warnings } = writeObject(draft, { version, networkXml, ...options })
  if (warnings[0] !== undefined) throw editFault(warnings.join('; '))
  return objectFromXml(xml, version)
}
