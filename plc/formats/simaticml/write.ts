/**
 * Writes program objects of external sources (and objects made from JSON) as SimaticML for a chosen version. Facts:
 * docs/formats.md#simaticml. Objects imported as SimaticML are exported from their own text (export-version.ts).
 */

import { hasForbiddenCharacters } from '../../../lib/xml-text.ts'
import { FormatError } from '../../model/fault.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { namespaceOf } from '../../model/namespace.ts'
import { type ImportedObject, isProgramObjectKind, type Network, type ObjectAttribute } from '../../model/object.ts'
import { attributeOfSource, isSimaticMlAttribute } from '../source/attribute-names.ts'
import { lossesOf } from '../source/losses.ts'
import type { CalleeLookup } from './callee.ts'
import { writeNetworkSource } from './compile-unit-write.ts'
import { type ExportedDocument, exportWritten } from './export-version.ts'
import { writeInterface } from './interface-write.ts'
import { writeChildren } from './kept.ts'
import { readWrittenRoot } from './read.ts'
import type { StructuredTextOptions } from './structured-text-write.ts'
import { byAlphabet, type TargetVersion, versionNumber } from './versions.ts'
import { XmlWriter } from './xml-write.ts'

export interface SimaticMlOptions {
  readonly version: TargetVersion
  /** Culture of the empty texts of objects without texts. Default `en-US`. */
  readonly culture?: string
  readonly callee?: CalleeLookup
  /** Content of `NetworkSource` by network number, for networks whose XML is available (LAD, FBD). */
  readonly networkXml?: ReadonlyMap<number, string>
  /** Whether an instance DB belongs to an FB or a UDT. Default: what the object says, else FB. */
  readonly instanceOfType?: 'FB' | 'UDT'
  /** The engineering tool may choose another number. Default: when the object has none. */
  readonly autoNumber?: boolean
}

export interface WrittenXml {
  /** The root element, as in `ImportedObject.xml`. */
  readonly xml: string
  /** What the format or version cannot express and the text leaves out. */
  readonly warnings: readonly string[]
}

const elements: Readonly<Record<string, string>> = {
  OB: 'SW.Blocks.OB',
  FB: 'SW.Blocks.FB',
  FC: 'SW.Blocks.FC',
  GlobalDB: 'SW.Blocks.GlobalDB',
  InstanceDB: 'SW.Blocks.InstanceDB',
  ArrayDB: 'SW.Blocks.ArrayDB',
  UDT: 'SW.Types.PlcStruct',
}

/**
 * Writes the root element of a block or type from the model.
 * @throws FormatError code `unsupported` for objects that have no such form (tables), and for networks whose content is
 *   not in the model.
 */
export function writeObject(object: ImportedObject, options: SimaticMlOptions): WrittenXml {
  const element = elements[object.kind]
  if (element === undefined || !isProgramObjectKind(object.kind))
    throw unsupported(`objects of kind ${object.kind} cannot be converted to SimaticML`)
  const isCode = object.kind === 'OB' || object.kind === 'FB' || object.kind === 'FC'
  const culture = options.culture ?? 'en-US'
  const writer = new XmlWriter(1)
  const ids = { next: 0 }
  const id = (): string => (ids.next++).toString(16).toUpperCase()
  // Objects imported as SimaticML have their texts; others get one empty text each.
  const emptyCulture = object.format === 'simaticml' ? undefined : culture
  let warnings: string[] = []
  const unresolved = new Set<string>()
  const onUnresolved = (name: string) => unresolved.add(name)
  writer.element(isElementOf(object) ? object.element : element, { ID: id() }, () => {
    writer.element('AttributeList', {}, () => {
      warnings = writeAttributeList(writer, object, options)
    })
    writer.element('ObjectList', {}, () => {
      writeMultilingualText(writer, 'Comment', object.comment, emptyCulture, id)
      if (isCode)
        for (const network of object.networks)
          writeCompileUnit(writer, object, network, { ...options, culture, emptyCulture, onUnresolved }, id)
      writeMultilingualText(writer, 'Title', object.title, emptyCulture, id)
    })
  })
  if (hasForbiddenCharacters(object.text ?? ''))
    warnings.push('control characters that XML cannot hold were replaced by U+FFFD')
  for (const name of unresolved)
    warnings.push(
      `what "${name}"(…) calls is not at hand, a function or an instance data block: it is written as a call that is not resolved`,
    )
  return { xml: writer.toString(), warnings }
}

/** Technology objects are instance DBs with an element name of their own. */
function isElementOf({ format, element }: ImportedObject): boolean {
  return format === 'simaticml' && element.startsWith('SW.')
}

/**
 * Writes a whole file for one object (text without byte order mark); the warnings include what the version does not
 * know.
 */
export function writeSimaticMl(object: ImportedObject, options: SimaticMlOptions): ExportedDocument {
  const { xml, warnings } = writeObject(object, options)
  const file = exportWritten(xml, options.version)
  const losses = lossesOf(object, readWrittenRoot(file.root))
  return { text: file.text, warnings: [...warnings, ...file.warnings, ...losses] }
}

/** Attributes sorted by name, as TIA Portal writes them. */
function writeAttributeList(writer: XmlWriter, object: ImportedObject, options: SimaticMlOptions): string[] {
  const { kind, kept } = object
  const entries = object.format === 'simaticml' ? givenAttributes(object, options) : attributesOfSource(object, options)
  const hasInterface = kind !== 'InstanceDB' || object.interface.length > 0
  let warnings: string[] = []
  const names = [...entries.keys(), ...(hasInterface ? ['Interface'] : [])].sort(byAlphabet)
  const children = names.map((name) => () => {
    if (name !== 'Interface') {
      const entry = entries.get(name)
      writer.leaf(name, { ReadOnly: entry?.readOnly === true ? 'true' : undefined }, entry?.value)
    } else if (isProgramObjectKind(kind)) {
      const onlyGiven = object.format === 'simaticml'
      warnings = writeInterface(writer, kind, object.interface, { version: options.version, onlyGiven })
    }
  })
  writeChildren(writer, kept, children)
  return warnings
}

/** Blocks and types are in namespaces from V18 on. */
function hasNamespaces({ version }: SimaticMlOptions): boolean {
  return versionNumber(version) >= 18
}

type Attributes = Map<string, Omit<ObjectAttribute, 'name'>>

/** The attributes that the object was imported with; values of the model take precedence. */
function givenAttributes(object: ImportedObject, { autoNumber }: SimaticMlOptions): Attributes {
  const entries: Attributes = new Map(object.attributes.map(({ name, ...entry }) => [name, entry]))
  const set = (name: string, value: string | undefined): void => {
    const present = entries.get(name)
    if (value !== undefined && value !== (present?.value ?? '')) entries.set(name, { ...present, value })
  }
  set('Name', object.name)
  set('Number', object.number?.toString())
  set('AutoNumber', autoNumber?.toString())
  set('ProgrammingLanguage', object.language)
  set('HeaderAuthor', object.author)
  set('HeaderFamily', object.family)
  set('HeaderName', object.headerName)
  set('HeaderVersion', object.version)
  set('MemoryLayout', object.memoryLayout)
  set('SecondaryType', object.secondaryType)
  if (entries.has('InstanceOfName') || !entries.has('OfSystemLibElement')) set('InstanceOfName', object.instanceOf)
  return entries
}

/** Attributes of an object that came from a source or from JSON. */
function attributesOfSource(object: ImportedObject, options: SimaticMlOptions): Attributes {
  const { kind } = object
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  const entries: Attributes = new Map()
  const set = (name: string, value: string): unknown => entries.set(name, { value })
  set('Name', object.name)
  if (hasNamespaces(options)) set('Namespace', namespaceOf(object))
  if (kind !== 'UDT') {
    set('AutoNumber', String(options.autoNumber ?? object.number === undefined))
    set('Number', String(object.number ?? 0))
    set('ProgrammingLanguage', isCode ? object.language : 'DB')
    if (object.author !== '') set('HeaderAuthor', object.author)
    if (object.family !== '') set('HeaderFamily', object.family)
    if (object.headerName !== '') set('HeaderName', object.headerName)
    if (object.version !== '') set('HeaderVersion', object.version)
    if (object.memoryLayout !== undefined) set('MemoryLayout', object.memoryLayout)
  }
  if (isCode) set('SetENOAutomatically', 'false')
  if (kind === 'OB') set('SecondaryType', object.secondaryType ?? 'ProgramCycle')
  for (const { name, value } of object.attributes)
    if (isSimaticMlAttribute(name)) {
      const own = attributeOfSource({ name, value })
      set(own.name, own.value)
    }
  if (kind === 'InstanceDB') {
    const ownType = object.attributes.find(({ name }) => name === 'InstanceOfType')?.value
    if (!entries.has('OfSystemLibElement')) set('InstanceOfType', options.instanceOfType ?? ownType ?? 'FB')
    set('InstanceOfName', object.instanceOf ?? '')
  }
  return entries
}

/** Writes one network with its language, comment and title. */
export function writeCompileUnit(
  writer: XmlWriter,
  object: Pick<ImportedObject, 'interface'>,
  network: Network,
  options: SimaticMlOptions &
    Pick<StructuredTextOptions, 'onUnresolved'> & {
      readonly culture: string
      readonly emptyCulture: string | undefined
    },
  id: () => string,
): void {
  const { networkXml, emptyCulture } = options
  writer.element('SW.Blocks.CompileUnit', { ID: id(), CompositionName: 'CompileUnits' }, () => {
    const given = networkXml?.get(network.number)
    writer.element('AttributeList', {}, () =>
      writeChildren(writer, network.kept, [
        () => {
          if (given !== undefined) writer.element('NetworkSource', {}, () => writer.raw(given))
          else writeNetworkSource(writer, network, { ...options, interface: object.interface })
        },
        () => writer.leaf('ProgrammingLanguage', {}, network.language),
      ]),
    )
    writer.element('ObjectList', {}, () => {
      writeMultilingualText(writer, 'Comment', network.comment, emptyCulture, id)
      writeMultilingualText(writer, 'Title', network.title, emptyCulture, id)
    })
  })
}

/** Writes `MultilingualText` with an item per culture; without texts, one empty item of `emptyCulture`, or nothing. */
export function writeMultilingualText(
  writer: XmlWriter,
  composition: 'Comment' | 'Title',
  texts: MultilingualText,
  emptyCulture: string | undefined,
  id: () => string,
): void {
  const entries = Object.entries(texts)
  if (entries.length === 0 && emptyCulture === undefined) return
  if (entries.length === 0) entries.push([emptyCulture as string, ''])
  writer.element('MultilingualText', { ID: id(), CompositionName: composition }, () =>
    writer.element('ObjectList', {}, () => {
      for (const [language, text] of entries)
        writer.element('MultilingualTextItem', { ID: id(), CompositionName: 'Items' }, () =>
          writer.element('AttributeList', {}, () => {
            writer.leaf('Culture', {}, language)
            writer.leaf('Text', {}, text)
          }),
        )
    }),
  )
}

function unsupported(message: string): FormatError {
  return new FormatError([{ code: 'unsupported', message, line: 1, column: 1 }])
}
