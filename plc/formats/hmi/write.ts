/** Writes HMI objects as exports of TIA Portal: new documents. Loads saxes: import lazily. */
import { XmlWriter } from '../simaticml/xml-write.ts'
import { attributeName, attributeText, plainToRich } from './elements.ts'
import type {
  ConnectionContent,
  CycleContent,
  GraphicContent,
  GraphicListContent,
  HmiItem,
  HmiKind,
  HmiLayer,
  HmiRead,
  HmiTag,
  ScreenContent,
  ScriptContent,
  TextListContent,
  Texts,
} from './model.ts'

/** What is written. */
export type HmiToWrite = Pick<HmiRead, 'kind' | 'name' | 'content' | 'items' | 'tags'>

/** A text, and what the format cannot hold. */
export interface HmiWritten {
  readonly text: string
  readonly warnings: readonly string[]
}

/** Kinds that TIA Portal has no export of. */
const withoutFormat: Readonly<Partial<Record<HmiKind, string>>> = {
  alarm: 'alarms of HMI devices have no XML export in TIA Portal',
  'library-type': 'faceplates are in libraries, which have no XML export',
}

/** @returns why objects of a kind cannot be written as XML; undefined when they can */
export function unwritable(kind: HmiKind): string | undefined {
  return withoutFormat[kind]
}

interface Parts {
  readonly attributes?: Readonly<Record<string, string>>
  /** Attributes whose content is a file beside the document. */
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly objects?: () => void
}

/** Running IDs as documents have them. */
export function idsFrom(first: number): () => string {
  let next = first
  return () => (next++).toString(16).toUpperCase()
}

/** Writes elements with the running ID that a document has. */
export class HmiWriter {
  readonly xml: XmlWriter
  readonly warnings: string[] = []
  readonly #nextId: () => string

  constructor(depth: number, nextId: () => string) {
    this.xml = new XmlWriter(depth)
    this.#nextId = nextId
  }

  object(
    name: string,
    composition: string | undefined,
    { attributes = {}, files = {}, links = {}, objects }: Parts,
  ): void {
    this.xml.element(name, { ID: this.#nextId(), CompositionName: composition }, () => {
      const list = Object.entries({ ...attributes, ...files }).sort(([a], [b]) => (a < b ? -1 : 1))
      if (list.length > 0)
        this.xml.element('AttributeList', {}, () => {
          for (const [attribute, text] of list)
            if (attribute in files) this.xml.leaf(attribute, { external: text })
            else this.xml.leaf(attribute, {}, text)
        })
      const linked = Object.entries(links).filter(([, target]) => target !== '')
      if (linked.length > 0)
        this.xml.element('LinkList', {}, () => {
          for (const [link, target] of linked)
            this.xml.element(link, { TargetID: '@OpenLink' }, () => this.xml.leaf('Name', {}, target))
        })
      if (objects !== undefined) this.xml.element('ObjectList', {}, objects)
      // An element with nothing in it would be written without its end.
      if (list.length + linked.length === 0 && objects === undefined) this.xml.element('AttributeList', {}, () => {})
    })
  }

  texts(composition: string, texts: Texts, isRich: boolean): void {
    this.object('MultilingualText', composition, {
      objects: () => {
        for (const [Culture, text] of Object.entries(texts))
          this.object('MultilingualTextItem', 'Items', {
            attributes: { Culture, Text: isRich && text !== '' ? plainToRich(text) : text },
          })
      },
    })
  }
}

/**
 * A new document.
 * @param version of TIA Portal, `V19`
 */
export function writeHmi(object: HmiToWrite, version: string): HmiWritten {
  const writer = new HmiWriter(1, idsFrom(0))
  writeRoot(writer, object)
  const text = `<?xml version="1.0" encoding="utf-8"?>\n<Document>\n  <Engineering version="${version}" />\n  ${writer.xml}\n</Document>`
  return { text, warnings: writer.warnings }
}

function writeRoot(writer: HmiWriter, { kind, name, content, items, tags }: HmiToWrite): void {
  switch (kind) {
    case 'screen':
      writeScreen(writer, name, content as ScreenContent, items)
      break
    case 'tag-table':
      writeTagTable(writer, name, tags)
      break
    case 'connection': {
      const { partner, type } = content as ConnectionContent
      const attributes = { Driver: type, Name: name, PartnerName: partner }
      writer.object('Hmi.Communication.Connection', undefined, { attributes })
      break
    }
    case 'cycle':
      writer.object('Hmi.Cycle.Cycle', undefined, {
        attributes: {
          CycleTime: String((content as CycleContent).milliseconds),
          CycleUnit: 'Millisecond',
          Name: name,
        },
      })
      break
    case 'script':
      writeScript(writer, name, content as ScriptContent)
      break
    case 'graphic':
      writer.object('Hmi.Globalization.MultiLingualGraphic', undefined, {
        attributes: { Name: name },
        files: { DefaultImageStream: (content as GraphicContent).fileName },
      })
      break
    case 'text-list':
      writeTextList(writer, name, content as TextListContent)
      break
    case 'graphic-list':
      writeGraphicList(writer, name, content as GraphicListContent)
  }
}

function writeTagTable(writer: HmiWriter, name: string, tags: readonly HmiTag[]): void {
  const objects = () => {
    for (const tag of tags) writeTag(writer, tag)
  }
  writer.object('Hmi.Tag.TagTable', undefined, {
    attributes: { Name: name },
    ...(tags.length === 0 ? {} : { objects }),
  })
}

/** The parameters of a VBScript are in its text: a body that has some is put into a Sub with them. */
function writeScript(writer: HmiWriter, name: string, { language, source, parameters }: ScriptContent): void {
  const isVb = language === 'VBScript'
  const isBody = parameters.length > 0 && !/^[ \t]*(?:Sub|Function)\b/im.test(source)
  if (!isVb) {
    const without = isBody ? `, without its parameters ${parameters.join(', ')}` : ''
    writer.warnings.push(
      `"${name}" is ${language}: TIA Portal exports VBScript only; it is written as the text of a VBScript${without}.`,
    )
  }
  writer.object('Hmi.RuntimeScripting.VBScript', undefined, {
    attributes: {
      Code: isVb && isBody ? `Sub ${name}(${parameters.join(', ')})\n${source}\nEnd Sub` : source,
      Name: name,
      PreCode: '',
      Type: /^[ \t]*Function\b/im.test(source) ? 'Function' : 'Sub',
    },
  })
}

function writeTextList(writer: HmiWriter, name: string, { rangeType, entries }: TextListContent): void {
  writer.object('Hmi.TextGraphicList.TextList', undefined, {
    attributes: { ListRange: rangeType, Name: name },
    objects: () => {
      for (const { text, ...entry } of entries)
        writer.object('Hmi.TextGraphicList.TextListEntry', 'Entries', {
          attributes: entryAttributes(entry),
          objects: () => writer.texts('Text', text, true),
        })
    },
  })
}

function writeGraphicList(writer: HmiWriter, name: string, { rangeType, entries }: GraphicListContent): void {
  writer.object('Hmi.TextGraphicList.GraphicList', undefined, {
    attributes: { ListRange: rangeType, Name: name },
    objects: () => {
      for (const { graphic, ...entry } of entries)
        writer.object('Hmi.TextGraphicList.GraphicListEntry', 'Entries', {
          attributes: entryAttributes(entry),
          links: { Graphic: graphic },
        })
    },
  })
}

function entryAttributes({ from, to, isDefault }: { from: number; to: number; isDefault: boolean }) {
  const type = from === to ? { EntryType: 'SingleValue' } : {}
  return { DefaultEntry: String(isDefault), ...type, From: String(from), To: String(to) }
}

function writeScreen(writer: HmiWriter, name: string, screen: ScreenContent, items: readonly HmiItem[]): void {
  const { screenType, number, width, height, backColor, template, layers } = screen
  const used = new Set([...layers.map(({ index }) => index), ...items.map(({ layer }) => layer)])
  if (used.size === 0) used.add(0)
  writer.object(`Hmi.Screen.${screenType}`, undefined, {
    attributes: {
      ActiveLayer: '0',
      BackColor: attributeText(backColor),
      Height: String(height),
      Name: name,
      ...(screenType === 'Screen' ? { Number: String(number) } : {}),
      Visible: 'true',
      Width: String(width),
    },
    links: { Template: template },
    objects: () => {
      for (const index of [...used].sort((a, b) => a - b)) writeLayer(writer, index, layers, items)
    },
  })
}

/** Writes a layer with the objects in it. */
export function writeLayer(
  writer: HmiWriter,
  index: number,
  layers: readonly HmiLayer[],
  items: readonly HmiItem[],
): void {
  const layer = layers.find((one) => one.index === index)
  writer.object('Hmi.Screen.ScreenLayer', 'Layers', {
    attributes: { Index: String(index), Name: layer?.name ?? '', VisibleES: String(layer?.visible ?? true) },
    objects: () => {
      for (const item of items) if (item.layer === index && item.group === undefined) writeItem(writer, item, items)
    },
  })
}

/** Properties that are in the font. */
export const fontProperties = ['fontFamily', 'fontSize', 'fontStyle']

export function itemAttributes(item: HmiItem): Record<string, string> {
  const attributes: Record<string, string> = { ObjectName: item.name }
  if (item.type !== 'Group')
    Object.assign(attributes, {
      Left: String(item.left),
      Top: String(item.top),
      Width: String(item.width),
      Height: String(item.height),
    })
  for (const [property, value] of Object.entries(item.properties))
    if (!fontProperties.includes(property)) attributes[attributeName(property)] = attributeText(value)
  return attributes
}

const grouped = new WeakMap<readonly HmiItem[], Map<string, HmiItem[]>>()

/** The objects of each group of a screen. */
function inGroups(all: readonly HmiItem[]): Map<string, HmiItem[]> {
  let groups = grouped.get(all)
  if (groups === undefined) {
    groups = new Map()
    for (const item of all) {
      if (item.group === undefined) continue
      const group = groups.get(item.group)
      if (group) group.push(item)
      else groups.set(item.group, [item])
    }
    grouped.set(all, groups)
  }
  return groups
}

export function writeItem(writer: HmiWriter, item: HmiItem, all: readonly HmiItem[]): void {
  const links = Object.fromEntries(Object.entries(item.links).map(([link, target]) => [attributeName(link), target]))
  const parts = () => {
    for (const { event, actions } of item.events) writeEvent(writer, event, actions)
    const { fontFamily, fontSize, fontStyle } = item.properties
    if (fontFamily !== undefined || fontSize !== undefined || fontStyle !== undefined)
      writer.object('Hmi.Globalization.MultiLingualFont', 'Font', {
        objects: () =>
          writer.object('Hmi.Globalization.FontItem', 'Items', {
            attributes: {
              Culture: 'en-US',
              FontFamily: String(fontFamily ?? 'Tahoma'),
              FontSize: String(fontSize ?? 12),
              FontStyle: String(fontStyle ?? 'Regular'),
            },
          }),
      })
    for (const [property, texts] of Object.entries(item.texts))
      writer.texts(attributeName(property), texts, property.startsWith('text'))
    for (const binding of item.bindings) {
      if (binding.converter !== undefined)
        writer.warnings.push(
          `"${item.name}": the converter ${binding.converter} of ${binding.property} is not in the file: classic screens have none.`,
        )
      writer.object('Hmi.Screen.Property', 'Properties', {
        attributes: { Name: attributeName(binding.property) },
        objects: () =>
          writer.object('Hmi.Dynamic.TagConnectionDynamic', 'Dynamic', {
            attributes: { Indirect: 'false' },
            links: { Tag: binding.tag },
          }),
      })
    }
    if (item.type === 'Group') for (const inner of inGroups(all).get(item.name) ?? []) writeItem(writer, inner, all)
  }
  const hasParts =
    item.events.length + item.bindings.length + Object.keys(item.texts).length > 0 ||
    fontProperties.some((property) => item.properties[property] !== undefined) ||
    item.type === 'Group'
  writer.object(`Hmi.Screen.${item.type}`, 'ScreenItems', {
    attributes: itemAttributes(item),
    links,
    ...(hasParts ? { objects: parts } : {}),
  })
}

function writeEvent(writer: HmiWriter, event: string, actions: HmiItem['events'][number]['actions']): void {
  writer.object('Hmi.Event.Event', 'Events', {
    attributes: { Name: event },
    objects: () =>
      writer.object('Hmi.Event.FunctionListEventHandler', 'EventHandler', {
        objects: () => {
          for (const action of actions)
            writer.object('Hmi.Event.FunctionListEntry', 'FunctionListEntries', {
              attributes: { Name: action.function, Type: 'SystemFunction' },
              objects: () => {
                for (const [Name, Value] of Object.entries(action.parameters))
                  writer.object('Hmi.Event.FunctionListEntryParameter', 'Parameters', { attributes: { Name, Value } })
              },
            })
        },
      }),
  })
}

/** Attributes that only spreadsheets have. */
const sheetAttributes = /^(HmiDataType|IdTag|Limit(Upper|Lower)2(Type)?|RequiredFunctionRights|Scope)$/

export function tagAttributes({ name, address, attributes }: HmiTag): Record<string, string> {
  const own = Object.entries(attributes).filter(([attribute]) => !sheetAttributes.test(attribute))
  return { ...Object.fromEntries(own), Name: name, LogicalAddress: address }
}

export function tagLinks({ acquisitionCycle, connection, plcTag, dataType }: HmiTag): Record<string, string> {
  const links = { AcquisitionCycle: acquisitionCycle, Connection: connection, ControllerTag: plcTag }
  return { ...links, DataType: dataType, HmiDataType: dataType }
}

export function writeTag(writer: HmiWriter, tag: HmiTag): void {
  writer.object('Hmi.Tag.Tag', 'Tags', {
    attributes: tagAttributes(tag),
    links: tagLinks(tag),
    ...(Object.keys(tag.comment).length > 0 ? { objects: () => writer.texts('Comment', tag.comment, false) } : {}),
  })
}
