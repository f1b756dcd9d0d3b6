/** Reads exports of classic HMI devices (docs/formats.md#hmi). Loads saxes: import lazily. */
import { defined } from '../../../lib/optional.ts'
import { decodeText } from '../../model/decode.ts'
import { child, type XmlElement, XmlFaults } from '../simaticml/xml.ts'
import { attributesOf, linksOf, parseHmi, partsOf, propertyName, propertyValue, textOf, textsOf } from './elements.ts'
import { readItems } from './items-read.ts'
import type { HmiContents, HmiItem, HmiKind, HmiLayer, HmiRead, HmiTag, ListEntry } from './model.ts'

/** A file of HMI objects. */
export interface HmiFile {
  /** For example `V18`; absent when the file does not say. */
  readonly engineeringVersion?: string
  readonly objects: readonly HmiRead[]
}

/** The kinds by the names of their root elements. */
const rootKinds: Readonly<Record<string, HmiKind>> = {
  'Hmi.Screen.Screen': 'screen',
  'Hmi.Screen.ScreenTemplate': 'screen',
  'Hmi.Screen.ScreenPopup': 'screen',
  'Hmi.Screen.ScreenSlidein': 'screen',
  'Hmi.Screen.ScreenGlobalElements': 'screen',
  'Hmi.Screen.ScreenOverview': 'screen',
  'Hmi.Tag.TagTable': 'tag-table',
  'Hmi.Communication.Connection': 'connection',
  'Hmi.Cycle.Cycle': 'cycle',
  'Hmi.TextGraphicList.TextList': 'text-list',
  'Hmi.TextGraphicList.GraphicList': 'graphic-list',
  'Hmi.RuntimeScripting.VBScript': 'script',
  'Hmi.Globalization.MultiLingualGraphic': 'graphic',
}

/**
 * Reads a document from its bytes.
 * @throws FormatError with places: text that is no XML, elements without a name, kinds that are not known
 */
export function readHmiFile(bytes: Uint8Array): HmiFile {
  return readHmiText(decodeText(bytes).text)
}

/** Reads a text; see {@link readHmiFile}. */
export function readHmiText(text: string): HmiFile {
  return readRoot(parseHmi(text), text)
}

/** Reads a parsed document; `text` is what it was parsed from. */
export function readRoot(root: XmlElement, text: string): HmiFile {
  const faults = new XmlFaults(text)
  if (root.name !== 'Document') faults.add('xml-root', root, `the root element is ${root.name}, not Document`)
  const version = child(root, 'Engineering')?.attributes.version
  const objects: HmiRead[] = []
  for (const element of root.children) {
    if (element.name === 'Engineering' || element.name === 'DocumentInfo') continue
    const kind = rootKinds[element.name]
    if (kind === undefined)
      faults.add(
        'unsupported',
        element,
        `${element.name} is no kind of HMI object: ${Object.keys(rootKinds).join(', ')}`,
      )
    else {
      const name = nameOf(element)
      if (name === '') faults.add('xml-structure', element, `${element.name} has no Name`)
      else objects.push(readObject(kind, name, element, faults))
    }
  }
  faults.throwIfAny()
  if (objects.length === 0) faults.add('xml-structure', root, 'the document has no HMI object')
  faults.throwIfAny()
  return { ...defined({ engineeringVersion: version }), objects }
}

/**
 * The name of an object. Slide-in screens have none: others refer to them by their edge (Openness manual, import of
 * slide-in screens); of the global and the overview screen a device has one each.
 */
function nameOf(element: XmlElement): string {
  const attributes = attributesOf(element)
  const name = attributes.get('Name') ?? ''
  if (name !== '') return name
  const edge = attributes.get('SlideinType') ?? ''
  if (element.name === 'Hmi.Screen.ScreenSlidein' && edge !== '') return `GraphX_Slidein_${edge}`
  return (
    { 'Hmi.Screen.ScreenGlobalElements': 'Global screen', 'Hmi.Screen.ScreenOverview': 'Permanent area' }[
      element.name
    ] ?? ''
  )
}

/**
 * Width and height of a slide-in screen: its file has the `Dimension` across its edge; along the edge it is as long as
 * its objects need.
 */
function slideInSize(element: XmlElement, items: readonly HmiItem[], faults: XmlFaults) {
  const across = numberIn(element, 'Dimension', faults) ?? 0
  const isHigh = /left|right/i.test(attributesOf(element).get('SlideinType') ?? '')
  const along = Math.max(across, ...items.map(({ left, top, width, height }) => (isHigh ? top + height : left + width)))
  return isHigh ? { width: across, height: along } : { width: along, height: across }
}

function readObject(kind: HmiKind, name: string, element: XmlElement, faults: XmlFaults): HmiRead {
  const attributes = attributesOf(element)
  const number = (attribute: string, fallback: number) => numberIn(element, attribute, faults) ?? fallback
  const warnings: string[] = []
  const made = (content: HmiContents[HmiKind], more: Partial<HmiRead> = {}): HmiRead => {
    return { kind, name, content, items: [], tags: [], warnings, ...more }
  }
  if (kind === 'screen') {
    const content = {
      screenType: element.name.slice('Hmi.Screen.'.length),
      number: number('Number', 0),
      width: number('Width', 0),
      height: number('Height', 0),
      backColor: String(propertyValue(attributes.get('BackColor') ?? '255, 255, 255')),
      template: linksOf(element).Template ?? '',
      layers: partsOf(element, 'Layers').map((layer) => layerOf(layer, faults)),
    }
    const items = partsOf(element, 'Layers').flatMap((layer, i) =>
      readItems(layer, content.layers[i]?.index ?? 0, warnings, faults),
    )
    for (const item of partsOf(element, 'ScreenItems'))
      warnings.push(`"${attributesOf(item).get('ObjectName') ?? ''}" stands in no layer; it is kept in the file.`)
    const isSized = content.width > 0 || attributes.get('Dimension') === undefined
    return made(isSized ? content : { ...content, ...slideInSize(element, items, faults) }, { items })
  }
  if (kind === 'tag-table') {
    const parts = partsOf(element, 'Tags')
    warnings.push(...tagWarnings(parts))
    return made({ isDefault: false }, { tags: parts.map((tag) => tagOf(tag, faults)) })
  }
  const links = linksOf(element)
  if (kind === 'connection')
    return made({
      partner: links.Partner ?? attributes.get('PartnerName') ?? attributes.get('Partner') ?? addressOf(element),
      type: attributes.get('Driver') ?? links.CommunicationDriver ?? attributes.get('CommunicationDriver') ?? '',
    })
  if (kind === 'cycle') return made({ milliseconds: cycleTime(attributes, name) })
  if (kind === 'script')
    return made({
      language: 'VBScript',
      parameters: parametersIn(attributes.get('Code') ?? ''),
      source: attributes.get('Code') ?? '',
    })
  if (kind === 'graphic') {
    const stream = child(child(element, 'AttributeList'), 'DefaultImageStream')
    const file = stream?.attributes.external ?? ''
    const more = file === '' ? {} : { imageFile: file.replaceAll('\\', '/') }
    return made({ mediaType: '', image: '', size: 0, fileName: file.split(/[\\/]/).pop() ?? '' }, more)
  }
  const rangeType = attributes.get('ListRange') ?? attributes.get('RangeType') ?? 'Decimal'
  const entries = partsOf(element, 'Entries')
  if (kind === 'text-list')
    return made({
      rangeType,
      entries: entries.map((one) => {
        const [text = {}] = partsOf(one)
          .filter(({ name: tag }) => tag === 'MultilingualText')
          .map(textOf)
        return { ...entryOf(one, faults), text }
      }),
    })
  return made({
    rangeType,
    entries: entries.map((one) => {
      const { Graphic, Picture, Value } = linksOf(one)
      return { ...entryOf(one, faults), graphic: Graphic ?? Picture ?? Value ?? '' }
    }),
  })
}

/** Address of the partner of a connection that names none: a pair of name and value among its protocol's. */
function addressOf(element: XmlElement): string {
  const pairs = partsOf(element, 'ProtocolValues').map(attributesOf)
  return pairs.find((pair) => pair.get('Name') === 'RemStAddress')?.get('Value') ?? ''
}

/** The number of an attribute; what is no number is a fault. */
function numberIn(element: XmlElement, attribute: string, faults: XmlFaults): number | undefined {
  const text = attributesOf(element).get(attribute) ?? ''
  if (text === '') return undefined
  const value = Number(text)
  if (Number.isFinite(value)) return value
  faults.add('xml-value', element, `${attribute} "${text}" is no number`)
  return undefined
}

function layerOf(element: XmlElement, faults: XmlFaults): HmiLayer {
  const attributes = attributesOf(element)
  return {
    index: numberIn(element, 'Index', faults) ?? 0,
    name: attributes.get('Name') ?? '',
    visible: attributes.get('VisibleES') !== 'false',
  }
}

function entryOf(element: XmlElement, faults: XmlFaults): ListEntry {
  const attributes = attributesOf(element)
  const first = (...names: readonly string[]) =>
    names.map((name) => numberIn(element, name, faults)).find((value) => value !== undefined)
  const from = first('From', 'RangeFrom', 'Value') ?? 0
  return {
    from,
    to: first('To', 'RangeTo') ?? from,
    isDefault: attributes.get('DefaultEntry') === 'true' || attributes.get('EntryType') === 'Default',
  }
}

/** The parameters of a VBScript are in its text: `Sub Start(ByVal speed, mode)`. */
function parametersIn(code: string): string[] {
  const [, list = ''] = /^[ \t]*(?:Sub|Function)[ \t]+\w+[ \t]*\(([^)\n]*)\)/im.exec(code) ?? []
  return list.split(',').flatMap((one) => /(\w+)[ \t]*$/.exec(one.trim())?.[1] ?? [])
}

/** Milliseconds of units, by how their names begin: `ms`, `Millisecond`, `s`, `Second` … */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
]

/** CycleTime with CycleUnit; absent: the name tells the time of the standard cycles, `100 ms`, `1 s`. */
function cycleTime(attributes: ReadonlyMap<string, string>, name: string): number {
  const [, count = '0', unit = 'ms'] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h)$/.exec(name) ?? []
  const told = Number(attributes.get('CycleTime') ?? Number.NaN)
  const isTold = Number.isFinite(told)
  const of = isTold ? (attributes.get('CycleUnit') ?? 'ms') : unit
  return (isTold ? told : Number(count)) * (units.find(([pattern]) => pattern.test(of))?.[1] ?? 1)
}

/** Links of a tag that are read. TIA Portal writes ControllerTag; PlcTag is the name in WinCC Unified's Openness. */
const tagLinks: ReadonlySet<string> = new Set([
  ...['AcquisitionCycle', 'Connection', 'ControllerTag', 'DataType', 'HmiDataType', 'PlcTag'],
])

/** What tags have that is not read, or have not and should: one sentence each. */
function tagWarnings(tags: readonly XmlElement[]): string[] {
  const holders = new Map<string, { readonly first: string; more: number }>()
  const tell = (tag: XmlElement, what: string) => {
    const known = holders.get(what)
    if (known) known.more++
    else holders.set(what, { first: attributesOf(tag).get('Name') ?? '', more: 0 })
  }
  for (const tag of tags) {
    const links = linksOf(tag)
    for (const { name } of child(tag, 'LinkList')?.children ?? [])
      if (links[name] === undefined) tell(tag, `The link ${name} of @ has no Name element; it is kept in the file.`)
      else if (!tagLinks.has(name)) tell(tag, `The link ${name} of @ is not interpreted; it is kept in the file.`)
    if (links.DataType === undefined && links.HmiDataType === undefined)
      tell(tag, 'There is no link DataType or HmiDataType of @: it has no data type.')
  }
  return [...holders].map(([what, { first, more }]) =>
    what.replace('@', () => `tag "${first}"${more > 0 ? ` and ${more} more` : ''}`),
  )
}

/** Attributes of a tag that have a field of their own. */
const ownAttributes = new Set(['Name', 'LogicalAddress'])

function tagOf(element: XmlElement, faults: XmlFaults): HmiTag {
  const attributes = attributesOf(element)
  const links = linksOf(element)
  const name = attributes.get('Name') ?? ''
  if (name === '') faults.add('xml-structure', element, 'a tag has no Name')
  const { ID } = element.attributes
  const others = [...attributes].filter(([attribute]) => !ownAttributes.has(attribute))
  return {
    name,
    dataType: links.DataType ?? links.HmiDataType ?? '',
    connection: links.Connection ?? '',
    plcTag: links.ControllerTag ?? links.PlcTag ?? '',
    address: attributes.get('LogicalAddress') ?? '',
    acquisitionCycle: links.AcquisitionCycle ?? '',
    comment: textsOf(element)[propertyName('Comment')] ?? {},
    attributes: Object.fromEntries(others),
    ...defined({ ref: ID }),
  }
}
