/**
 * Program objects of external sources (and objects made from JSON) as SimaticML for a chosen version.
 * Facts: formats.md 1.2, 1.3, 1.5, 1.7. Objects that came as SimaticML are exported by `wrapDocument` instead.
 */

import { encodeWithBom } from '../formats/decode.ts'
import { FormatError } from '../model/fault.ts'
import { type ImportedObject, isProgramObjectKind, type MultilingualText, type Network } from '../model/object.ts'
import { writeInterface } from './interface-write.ts'
import { type StructuredTextOptions, writeStructuredText } from './structured-text-write.ts'
import { type TargetVersion, versionNumber } from './versions.ts'
import { hasForbiddenCharacters, XmlWriter } from './xml-write.ts'

export interface SimaticMlOptions {
  readonly version: TargetVersion
  /** Culture of texts whose object names none. Default `en-US`. */
  readonly culture?: string
  /** See `StructuredTextOptions.callee`. */
  readonly callee?: StructuredTextOptions['callee']
  /** Content of `NetworkSource` by network number, for networks whose XML is at hand (LAD, FBD). */
  readonly networkXml?: ReadonlyMap<number, string>
  /** Whether an instance DB belongs to an FB or a UDT. Default FB. */
  readonly instanceOfType?: 'FB' | 'UDT'
  /** The engineering tool may choose another number. Default: when the object has none. */
  readonly autoNumber?: boolean
}

export interface WrittenXml {
  /** The root element, as `ImportedObject.xml` holds it. */
  readonly xml: string
  /** What the format or version cannot express and was left out. */
  readonly warnings: readonly string[]
}

const ELEMENTS: Readonly<Record<string, string>> = {
  OB: 'SW.Blocks.OB',
  FB: 'SW.Blocks.FB',
  FC: 'SW.Blocks.FC',
  GlobalDB: 'SW.Blocks.GlobalDB',
  InstanceDB: 'SW.Blocks.InstanceDB',
  ArrayDB: 'SW.Blocks.ArrayDB',
  UDT: 'SW.Types.PlcStruct',
}

/** Languages whose networks can be written: SCL from text, LAD and FBD only when empty. */
const CODE_LANGUAGES = new Set(['SCL', 'LAD', 'FBD'])

/**
 * Writes the root element of a block or type.
 * @throws FormatError code `unsupported` for objects this form cannot hold (tables, STL text).
 */
export function writeObject(object: ImportedObject, options: SimaticMlOptions): WrittenXml {
  const element = ELEMENTS[object.kind]
  if (element === undefined || !isProgramObjectKind(object.kind))
    throw unsupported(`objects of kind ${object.kind} cannot be converted to SimaticML`)
  const isCode = object.kind === 'OB' || object.kind === 'FB' || object.kind === 'FC'
  if (isCode && !CODE_LANGUAGES.has(object.language))
    throw unsupported(`${object.kind} "${object.name}" is written in ${object.language}; SCL blocks can be converted`)
  const culture = options.culture ?? 'en-US'
  const writer = new XmlWriter(1)
  const ids = { next: 0 }
  const id = (): string => (ids.next++).toString(16).toUpperCase()
  let warnings: string[] = []
  writer.element(element, { ID: id() }, () => {
    writer.element('AttributeList', {}, () => {
      warnings = writeAttributeList(writer, object, options)
    })
    writer.element('ObjectList', {}, () => {
      writeMultilingualText(writer, 'Comment', object.comment, culture, id)
      if (isCode) for (const network of object.networks) writeCompileUnit(writer, object, network, options, culture, id)
      writeMultilingualText(writer, 'Title', object.title, culture, id)
    })
  })
  if (hasForbiddenCharacters(object.text ?? ''))
    warnings.push('control characters that XML cannot hold were replaced by U+FFFD')
  return { xml: writer.toString(), warnings }
}

/** A whole file for one object: frame, root element, byte order mark. */
export function writeSimaticMl(
  object: ImportedObject,
  options: SimaticMlOptions,
): { readonly bytes: Uint8Array; readonly warnings: readonly string[] } {
  const { xml, warnings } = writeObject(object, options)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<Document>',
    `  <Engineering version="${options.version}" />`,
    `  ${xml}`,
    '</Document>',
  ]
  return { bytes: encodeWithBom(lines.join('\n')), warnings }
}

/** Attributes sorted by name (ordinal), as TIA Portal writes them. */
function writeAttributeList(writer: XmlWriter, object: ImportedObject, options: SimaticMlOptions): string[] {
  const { kind } = object
  const since = versionNumber(options.version)
  const isType = kind === 'UDT'
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  const entries = new Map<string, string>()
  entries.set('Name', object.name)
  if (since >= 18) entries.set('Namespace', '')
  if (!isType) {
    entries.set('AutoNumber', String(options.autoNumber ?? object.number === undefined))
    entries.set('Number', String(object.number ?? 0))
    entries.set('ProgrammingLanguage', isCode ? object.language : 'DB')
    if (object.author !== '') entries.set('HeaderAuthor', object.author)
    if (object.family !== '') entries.set('HeaderFamily', object.family)
    if (object.headerName !== '') entries.set('HeaderName', object.headerName)
    if (object.version !== '') entries.set('HeaderVersion', object.version)
    if (object.memoryLayout !== undefined) entries.set('MemoryLayout', object.memoryLayout)
  }
  if (isCode) entries.set('SetENOAutomatically', 'false')
  if (kind === 'OB') entries.set('SecondaryType', object.secondaryType ?? 'ProgramCycle')
  if (kind === 'InstanceDB') {
    entries.set('InstanceOfName', object.instanceOf ?? '')
    entries.set('InstanceOfType', options.instanceOfType ?? 'FB')
  } else entries.set('Interface', '')
  let warnings: string[] = []
  for (const name of [...entries.keys()].sort()) {
    if (name === 'Interface' && isProgramObjectKind(kind))
      warnings = writeInterface(writer, kind, object.interface, options.version)
    else writer.leaf(name, {}, entries.get(name))
  }
  const lost = object.isKnowHowProtected ? ['know-how protection is not part of an export'] : []
  if (kind === 'InstanceDB' && object.text !== undefined && /:=/.test(object.text.replace(/\{[^}]*\}/g, '')))
    lost.push('start values of an instance data block need the interface of its type and were left out')
  return [...warnings, ...lost]
}

function writeCompileUnit(
  writer: XmlWriter,
  object: ImportedObject,
  network: Network,
  options: SimaticMlOptions,
  culture: string,
  id: () => string,
): void {
  writer.element('SW.Blocks.CompileUnit', { ID: id(), CompositionName: 'CompileUnits' }, () => {
    writer.element('AttributeList', {}, () => {
      const given = options.networkXml?.get(network.number)
      writer.element('NetworkSource', {}, () => {
        if (given !== undefined) writer.raw(given)
        else if (network.language === 'SCL' && network.text !== undefined && network.text !== '')
          writeStructuredText(writer, network.text, {
            version: options.version,
            interface: object.interface,
            culture,
            ...(options.callee === undefined ? {} : { callee: options.callee }),
          })
        else if (network.parts.length > 0)
          throw unsupported(`network ${network.number} of "${object.name}" holds a ${network.language} graph`)
      })
      writer.leaf('ProgrammingLanguage', {}, network.language)
    })
    writer.element('ObjectList', {}, () => {
      writeMultilingualText(writer, 'Comment', network.comment, culture, id)
      writeMultilingualText(writer, 'Title', network.title, culture, id)
    })
  })
}

/** `MultilingualText` with an item per culture; one empty item when there is no text at all. */
function writeMultilingualText(
  writer: XmlWriter,
  composition: 'Comment' | 'Title',
  texts: MultilingualText,
  culture: string,
  id: () => string,
): void {
  const entries = Object.entries(texts)
  if (entries.length === 0) entries.push([culture, ''])
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
