/**
 * Writes HMI objects as exports of TIA Portal: a new document, or an imported one with only what has changed. Loads
 * saxes: import lazily.
 */
import { escapeText } from '../../../lib/xml-text.ts'
import { applyEdits, type Edit, elementEdits } from '../simaticml/element-edit.ts'
import { child, type XmlElement } from '../simaticml/xml.ts'
import { XmlWriter } from '../simaticml/xml-write.ts'
import { attributeName, attributeText, parseHmi, plainToRich } from './elements.ts'
import type {
  ConnectionContent,
  CycleContent,
  GraphicContent,
  GraphicListContent,
  HmiItem,
  HmiKind,
  HmiRead,
  HmiTag,
  ScreenContent,
  ScriptContent,
  TextListContent,
  Texts,
} from './model.ts'
import { readRoot } from './read.ts'

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
  readonly links?: Readonly<Record<string, string>>
  readonly objects?: () => void
}

/** Writes elements with the running ID that a document has. */
class HmiWriter {
  readonly xml: XmlWriter
  readonly warnings: string[] = []
  #next = 0

  constructor(depth: number, firstId: number) {
    this.xml = new XmlWriter(depth)
    this.#next = firstId
  }

  object(name: string, composition: string | undefined, { attributes = {}, links = {}, objects }: Parts): void {
    const ID = (this.#next++).toString(16).toUpperCase()
    this.xml.element(name, { ID, CompositionName: composition }, () => {
      const list = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1))
      if (list.length > 0)
        this.xml.element('AttributeList', {}, () => {
          for (const [attribute, text] of list) this.xml.leaf(attribute, {}, text)
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
  const writer = new HmiWriter(1, 0)
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
        attributes: { Name: name, DefaultImageStream: (content as GraphicContent).fileName },
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

function writeScript(writer: HmiWriter, name: string, { language, source }: ScriptContent): void {
  if (language !== 'VBScript')
    writer.warnings.push(
      `"${name}" is ${language}: TIA Portal exports VBScript only; it is written as the text of a VBScript.`,
    )
  writer.object('Hmi.RuntimeScripting.VBScript', undefined, {
    attributes: {
      Code: source,
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
      for (const index of [...used].sort((a, b) => a - b)) {
        const layer = layers.find((one) => one.index === index)
        writer.object('Hmi.Screen.ScreenLayer', 'Layers', {
          attributes: { Index: String(index), Name: layer?.name ?? '', VisibleES: String(layer?.visible ?? true) },
          objects: () => {
            for (const item of items)
              if (item.layer === index && item.group === undefined) writeItem(writer, item, items)
          },
        })
      }
    },
  })
}

/** Properties that stand in the font. */
const fontProperties = ['fontFamily', 'fontSize', 'fontStyle']

function itemAttributes(item: HmiItem): Record<string, string> {
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

function writeItem(writer: HmiWriter, item: HmiItem, all: readonly HmiItem[]): void {
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

function tagAttributes({ name, address, attributes }: HmiTag): Record<string, string> {
  const own = Object.entries(attributes).filter(([attribute]) => !sheetAttributes.test(attribute))
  return { ...Object.fromEntries(own), Name: name, LogicalAddress: address }
}

function tagLinks({ acquisitionCycle, connection, plcTag, dataType }: HmiTag): Record<string, string> {
  const links = { AcquisitionCycle: acquisitionCycle, Connection: connection, ControllerTag: plcTag }
  return { ...links, DataType: dataType, HmiDataType: dataType }
}

function writeTag(writer: HmiWriter, tag: HmiTag): void {
  writer.object('Hmi.Tag.Tag', 'Tags', {
    attributes: tagAttributes(tag),
    links: tagLinks(tag),
    ...(Object.keys(tag.comment).length > 0 ? { objects: () => writer.texts('Comment', tag.comment, false) } : {}),
  })
}

/**
 * The imported document with what has changed since: attributes of objects and tags in their place, new ones behind the
 * others, deleted ones without a trace. All else stays as it was. Lists, and objects whose texts, links, bindings or
 * events changed, are written anew; what of them was not interpreted is told in the warnings.
 */
export function editHmi(document: string, object: HmiToWrite): HmiWritten {
  const text = document.replace(/^\uFEFF/, '')
  const whole = parseHmi(text)
  const before = readRoot(whole, text).objects.find(({ kind }) => kind === object.kind)
  const root = whole.children.find(({ name }) => name.startsWith('Hmi.'))
  if (before === undefined || root === undefined || (object.kind !== 'screen' && object.kind !== 'tag-table')) {
    const version = /<Engineering version="(V\d+)"/.exec(document)?.[1] ?? 'V19'
    const written = writeHmi(object, version)
    return { ...written, warnings: [...written.warnings, `"${object.name}" was changed: it is written anew.`] }
  }
  const byId = new Map<string, XmlElement>()
  let highest = 0
  const visit = (element: XmlElement): void => {
    const { ID } = element.attributes
    if (ID !== undefined) {
      byId.set(ID, element)
      highest = Math.max(highest, Number.parseInt(ID, 16) || 0)
    }
    element.children.forEach(visit)
  }
  visit(root)
  const warnings: string[] = []
  const writer = (depth: number) => {
    const made = new HmiWriter(depth, highest + 1)
    highest += 100_000
    return made
  }
  const edits: Edit[] = []
  if (object.kind === 'screen') {
    const { number, width, height, backColor, screenType } = object.content as ScreenContent
    const attributes = {
      Name: object.name,
      Width: String(width),
      Height: String(height),
      BackColor: attributeText(backColor),
      Number: screenType === 'Screen' ? String(number) : undefined,
    }
    edits.push(...elementEdits(root, { attributes }))
  } else edits.push(...elementEdits(root, { attributes: { Name: object.name } }))

  const isScreen = object.kind === 'screen'
  const [old, now]: [readonly (HmiItem | HmiTag)[], readonly (HmiItem | HmiTag)[]] = isScreen
    ? [before.items, object.items]
    : [before.tags, object.tags]
  const kept = new Map(now.flatMap((one) => (one.ref === undefined ? [] : [[one.ref, one] as const])))
  const gone = new Set<string>()
  for (const one of old) {
    const element = byId.get(one.ref ?? '')
    if (element === undefined) continue
    const next = kept.get(one.ref ?? '')
    if (isInside(element, gone)) continue
    if (next === undefined) {
      gone.add(one.ref ?? '')
      edits.push({ start: startOfLine(text, element.start), end: element.end, text: '' })
    } else if ('layer' in next && 'layer' in one) {
      if (isSameInside(one, next))
        edits.push(...elementEdits(element, { attributes: changed(itemAttributes(one), itemAttributes(next)) }))
      else {
        const anew = writer(5)
        writeItem(anew, next, object.items)
        gone.add(one.ref ?? '')
        edits.push({ start: element.start, end: element.end, text: anew.xml.toString() })
        warnings.push(
          ...anew.warnings,
          `"${next.name}" was changed: it is written anew, with what the gateway knows of it.`,
        )
      }
    } else if ('plcTag' in next && 'plcTag' in one) {
      edits.push(...elementEdits(element, { attributes: changed(tagAttributes(one), tagAttributes(next)) }))
      edits.push(...linkEdits(element, changed(tagLinks(one), tagLinks(next))))
    }
  }
  const added = now.filter((one) => one.ref === undefined || !byId.has(one.ref))
  for (const one of added) {
    const parent = 'layer' in one ? layerElement(root, one.layer) : root
    const list = child(parent, 'ObjectList')
    const anew = writer(isScreen ? 5 : 3)
    if ('layer' in one) {
      if (one.group === undefined) writeItem(anew, one, object.items)
      else
        warnings.push(
          `"${one.name}" was added to the group "${one.group}" of an imported screen: it is written beside it.`,
        )
      if (one.group !== undefined) writeItem(anew, one, object.items)
    } else writeTag(anew, one)
    warnings.push(...anew.warnings)
    if (list !== undefined)
      edits.push({ start: list.contentEnd, end: list.contentEnd, text: `${anew.xml.toString()}\n` })
    else if (parent !== undefined) {
      const end = parent.contentEnd
      edits.push({ start: end, end, text: `<ObjectList>${anew.xml.toString()}</ObjectList>\n` })
    } else
      warnings.push(
        `"${one.name}" is not in the file: the imported document has no layer ${'layer' in one ? one.layer : ''}.`,
      )
  }
  const edited = applyEdits(text, edits)
  return { text: document.startsWith('\uFEFF') ? `\uFEFF${edited}` : edited, warnings }
}

function isInside(element: XmlElement, ids: ReadonlySet<string>): boolean {
  for (let at: XmlElement | undefined = element.parent; at !== undefined; at = at.parent)
    if (at.attributes.ID !== undefined && ids.has(at.attributes.ID)) return true
  return false
}

function layerElement(root: XmlElement, index: number): XmlElement | undefined {
  const layers = (child(root, 'ObjectList')?.children ?? []).filter(({ name }) => name === 'Hmi.Screen.ScreenLayer')
  const wanted = layers.find((layer) => Number(child(child(layer, 'AttributeList'), 'Index')?.text) === index)
  return wanted ?? layers[0]
}

/** Whether all but the attributes is the same. */
function isSameInside(a: HmiItem, b: HmiItem): boolean {
  const inside = ({ texts, links, bindings, events, properties }: HmiItem) =>
    JSON.stringify([texts, links, bindings, events, fontProperties.map((property) => properties[property])])
  return inside(a) === inside(b)
}

function changed(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(after).filter(([name, text]) => before[name] !== text))
}

function linkEdits(element: XmlElement, links: Readonly<Record<string, string>>): Edit[] {
  return Object.entries(links).flatMap(([name, target]): Edit[] => {
    const list = child(element, 'LinkList')
    const present = child(list, name)
    const text = `<${name} TargetID="@OpenLink"><Name>${escapeText(target)}</Name></${name}>`
    if (present) return [{ start: present.start, end: present.end, text: target === '' ? '' : text }]
    if (target === '') return []
    if (list) return [{ start: list.contentEnd, end: list.contentEnd, text }]
    const at = child(element, 'AttributeList')?.end ?? element.contentStart
    return [{ start: at, end: at, text: `<LinkList>${text}</LinkList>` }]
  })
}

function startOfLine(text: string, start: number): number {
  let at = start
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return text[at - 1] === '\n' ? at - 1 : at
}
