/**
 * Reads SimaticML files to program objects (docs/formats.md#simaticml): any number of root objects, every namespace
 * version, with or without `DocumentInfo`. This module loads saxes; import it lazily.
 */

import { defined } from '../../../lib/optional.ts'
import { decodeText } from '../../model/decode.ts'
import type { ImportedObject, Network, ObjectAttribute, ProgramObjectKind } from '../../model/object.ts'
import { readNetworkSource } from './compile-unit-read.ts'
import type { WrittenRoot } from './export-version.ts'
import { checkContents, checkLanguages, checkVersion, nestedRemanences, unknownAttributes } from './import-check.ts'
import { readInterface } from './interface-read.ts'
import { keptOf, withKept } from './kept.ts'
import { readTables } from './table-read.ts'
import { readComposition } from './texts.ts'
import {
  child,
  childrenOf,
  childText,
  defaultLimits,
  parseXml,
  type XmlElement,
  XmlFaults,
  type XmlLimits,
} from './xml.ts'

export interface SimaticMlFile {
  /** As the file spells it (`V16`, `V14 SP1`); absent when it has no `Engineering` element. */
  readonly engineeringVersion?: string
  readonly objects: readonly ImportedObject[]
}

/** Kinds by root element. Technology objects are instance DBs of a library type. */
const kinds: Readonly<Record<string, ProgramObjectKind>> = {
  'SW.Blocks.OB': 'OB',
  'SW.Blocks.FB': 'FB',
  'SW.Blocks.FC': 'FC',
  'SW.Blocks.GlobalDB': 'GlobalDB',
  'SW.Blocks.InstanceDB': 'InstanceDB',
  'SW.Blocks.ArrayDB': 'ArrayDB',
  'SW.Types.PlcStruct': 'UDT',
  'SW.Tags.PlcTagTable': 'TagTable',
  'SW.WatchAndForceTables.PlcWatchTable': 'WatchTable',
  'SW.WatchAndForceTables.PlcForceTable': 'ForceTable',
  'SW.TechnologicalObjects.TechnologicalInstanceDB': 'InstanceDB',
}

/**
 * Reads a SimaticML file from its bytes (UTF-8 or UTF-16).
 * @throws FormatError with line, column and element path of everything that is wrong; then nothing is returned.
 */
export function readSimaticMl(bytes: Uint8Array, limits: XmlLimits = defaultLimits): SimaticMlFile {
  return readSimaticMlText(decodeText(bytes).text, limits)
}

/** Like `readSimaticMl`, but from text without byte order mark. */
export function readSimaticMlText(text: string, limits: XmlLimits = defaultLimits): SimaticMlFile {
  return readDocument(text, limits, false)
}

/**
 * Like `readSimaticMlText`, for a file that comes from outside: what TIA Portal refuses is a fault too (versions and
 * languages that do not exist), and what it may refuse is among the warnings of the objects.
 */
export function importSimaticMlText(text: string, limits: XmlLimits = defaultLimits): SimaticMlFile {
  return readDocument(text, limits, true)
}

/**
 * Reads one root element that a writer of this program made.
 * @throws FormatError as `readSimaticMl`
 */
export function readWrittenRoot({ element, text, version }: WrittenRoot): ImportedObject {
  const faults = new XmlFaults(text)
  const object = readObject(element, text, version, faults)
  faults.throwIfAny()
  return object
}

function readDocument(text: string, limits: XmlLimits, isImport: boolean): SimaticMlFile {
  const document = parseXml(text, limits)
  const faults = new XmlFaults(text)
  if (document.name !== 'Document')
    faults.add('xml-root', document, `the root element is <${document.name}>, SimaticML files begin with <Document>`)
  faults.throwIfAny()
  const engineeringVersion = child(document, 'Engineering')?.attributes.version
  const roots = document.children.filter((element) => element.name !== 'Engineering' && element.name !== 'DocumentInfo')
  if (roots.length === 0)
    faults.add(
      'xml-structure',
      document,
      '<Document> holds no object: expected SW.Blocks.…, SW.Types.…, SW.Tags.… or other',
    )
  for (const root of roots) checkPrefixes(document, root, text, faults)
  if (isImport) checkVersion(document, faults)
  const objects = roots.map((root) => {
    const object = readObject(root, text, engineeringVersion, faults)
    if (!isImport) return object
    checkLanguages(root, faults)
    checkContents(root, faults)
    const warnings = [...unknownAttributes(root, text), ...nestedRemanences(root, text)]
    return warnings.length === 0 ? object : { ...object, warnings }
  })
  faults.throwIfAny()
  return { ...defined({ engineeringVersion }), objects }
}

/**
 * Reports namespace prefixes declared outside the object but used in it: an object is stored as its own text, so they
 * would be lost. TIA Portal never writes that.
 */
function checkPrefixes(document: XmlElement, root: XmlElement, text: string, faults: XmlFaults): void {
  for (const name in document.attributes) {
    const prefix = /^xmlns:(.+)$/.exec(name)?.[1]
    if (prefix === undefined || root.attributes[name] !== undefined) continue
    const escaped = prefix.replace(/[^\w]/g, '\\$&')
    const use = new RegExp(`<${escaped}:|\\s${escaped}:[\\w.-]+=["']`)
    if (use.test(text.slice(root.start, root.end)))
      faults.add(
        'xml-structure',
        root,
        `the namespace prefix "${prefix}" is declared at <Document>: declare it at the element that uses it`,
      )
  }
}

function readObject(
  root: XmlElement,
  text: string,
  engineeringVersion: string | undefined,
  faults: XmlFaults,
): ImportedObject {
  const kind = kinds[root.name] ?? root.name
  const list = child(root, 'AttributeList')
  const value = (name: string): string => childText(list, name) ?? ''
  const isProgram = root.name in kinds
  const name = value('Name')
  if (isProgram && list === undefined) faults.add('xml-structure', root, `<${root.name}> needs an <AttributeList>`)
  else if (isProgram && name === '' && kind !== 'ForceTable')
    faults.add('xml-structure', list ?? root, `<${root.name}> needs a <Name> in its AttributeList`)
  const number = readNumber(list, faults)
  const layout = value('MemoryLayout')
  const instanceOf = childText(list, 'InstanceOfName') ?? childText(list, 'OfSystemLibElement')
  const secondaryType = childText(list, 'SecondaryType')
  const children = child(root, 'ObjectList')
  return {
    kind,
    element: root.name,
    format: 'simaticml',
    name,
    ...defined({ number }),
    language: value('ProgrammingLanguage'),
    title: readComposition(children, 'Title'),
    comment: readComposition(children, 'Comment'),
    author: value('HeaderAuthor'),
    family: value('HeaderFamily'),
    headerName: value('HeaderName'),
    version: value('HeaderVersion'),
    ...(layout === 'Optimized' || layout === 'Standard' ? { memoryLayout: layout } : {}),
    isKnowHowProtected: value('IsKnowHowProtected') === 'true',
    ...(secondaryType === undefined || secondaryType === '' ? {} : { secondaryType }),
    ...(instanceOf === undefined || instanceOf === '' ? {} : { instanceOf }),
    attributes: readAttributes(list),
    ...withKept(isProgram && list !== undefined ? keptOf(list, [], isPlainAttribute) : undefined),
    interface: isProgram ? readInterface(child(list, 'Interface'), faults) : [],
    networks: isProgram ? readNetworks(children, faults) : [],
    ...readTables(kind, children),
    xml: text.slice(root.start, root.end),
    ...defined({ engineeringVersion }),
  }
}

/**
 * Block numbers are 1 to 65535; 0 leaves the choice to the engineering tool (docs/formats.md#objects-and-attributes).
 */
function readNumber(list: XmlElement | undefined, faults: XmlFaults): number | undefined {
  const element = child(list, 'Number')
  if (element === undefined || element.text.trim() === '') return undefined
  const number = Number(element.text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    faults.add(
      'xml-value',
      element,
      `Number is ${JSON.stringify(element.text)}, allowed are whole numbers from 0 to 65535`,
    )
    return undefined
  }
  return number === 0 ? undefined : number
}

/** Attributes in order; those with structured content are interpreted (Interface) or kept. */
function readAttributes(list: XmlElement | undefined): ObjectAttribute[] {
  if (list === undefined) return []
  return list.children
    .filter(({ children }) => children.length === 0)
    .map(({ name, text, attributes }) => ({
      name,
      value: text,
      ...(attributes.ReadOnly === 'true' ? { readOnly: true } : {}),
    }))
}

/** Whether an `ObjectAttribute` or the interface can represent all of it. */
function isPlainAttribute({ name, children }: XmlElement): boolean {
  return name === 'Interface' || children.length === 0
}

function readNetworks(objectList: XmlElement | undefined, faults: XmlFaults): Network[] {
  return childrenOf(objectList, 'SW.Blocks.CompileUnit').map((unit, index) => {
    const list = child(unit, 'AttributeList')
    const texts = child(unit, 'ObjectList')
    return {
      number: index + 1,
      title: readComposition(texts, 'Title'),
      comment: readComposition(texts, 'Comment'),
      language: childText(list, 'ProgrammingLanguage') ?? '',
      ...readNetworkSource(child(list, 'NetworkSource'), faults),
      ...withKept(
        list === undefined
          ? undefined
          : keptOf(list, [], ({ name }) => name === 'NetworkSource' || name === 'ProgrammingLanguage'),
      ),
    }
  })
}
