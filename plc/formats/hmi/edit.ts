/**
 * Writes imported HMI objects with only what has changed (docs/formats.md#hmi). Loads saxes: import lazily.
 */
import { escapeText } from '../../../lib/xml-text.ts'
import { applyEdits, type Edit, elementEdits } from '../simaticml/element-edit.ts'
import { child, type XmlElement } from '../simaticml/xml.ts'
import { attributeText, parseHmi } from './elements.ts'
import type { HmiItem, HmiTag, ScreenContent } from './model.ts'
import { readRoot } from './read.ts'
import {
  fontProperties,
  type HmiToWrite,
  HmiWriter,
  type HmiWritten,
  idsFrom,
  itemAttributes,
  tagAttributes,
  tagLinks,
  writeHmi,
  writeItem,
  writeLayer,
  writeTag,
} from './write.ts'

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
  const nextId = idsFrom(highest + 1)
  const writer = (depth: number) => new HmiWriter(depth, nextId)
  const edits: Edit[] = []
  const isScreen = object.kind === 'screen'
  if (isScreen) {
    const { number, width, height, backColor, screenType, template, layers } = object.content as ScreenContent
    const attributes = {
      Name: object.name,
      Width: String(width),
      Height: String(height),
      BackColor: attributeText(backColor),
      Number: screenType === 'Screen' ? String(number) : undefined,
    }
    edits.push(...elementEdits(root, { attributes }))
    const known = before.content as ScreenContent
    edits.push(...linkEdits(root, changed({ Template: known.template }, { Template: template })))
    for (const { index, name, visible } of layers) {
      const layer = layerElement(root, index)
      const [was] = known.layers.filter((one) => one.index === index)
      const now = { Name: name, VisibleES: String(visible) }
      if (layer && was)
        edits.push(
          ...elementEdits(layer, { attributes: changed({ Name: was.name, VisibleES: String(was.visible) }, now) }),
        )
    }
  } else edits.push(...elementEdits(root, { attributes: { Name: object.name } }))

  const [old, now]: [readonly (HmiItem | HmiTag)[], readonly (HmiItem | HmiTag)[]] = isScreen
    ? [before.items, object.items]
    : [before.tags, object.tags]
  const kept = new Map(now.flatMap((one) => (one.ref === undefined ? [] : [[one.ref, one] as const])))
  const gone = new Set<string>()
  const added = now.filter((one) => one.ref === undefined || !byId.has(one.ref))
  /** Names of the groups that are written with all that is in them. */
  const wholeGroups = new Set(added.map(({ name }) => name))
  for (const one of old) {
    const element = byId.get(one.ref ?? '')
    if (element === undefined) continue
    const next = kept.get(one.ref ?? '')
    const isMoved = next !== undefined && placeOf(one, before.items) !== placeOf(next, object.items)
    if (isMoved) {
      added.push(next)
      wholeGroups.add(next.name)
      warnings.push(writtenAnew(next))
    }
    if (isInside(element, gone)) continue
    if (next === undefined || isMoved) {
      gone.add(one.ref ?? '')
      edits.push({ start: startOfLine(text, element.start), end: element.end, text: '' })
    } else if ('layer' in next && 'layer' in one) {
      if (isSameInside(one, next))
        edits.push(...elementEdits(element, { attributes: changed(itemAttributes(one), itemAttributes(next)) }))
      else {
        const anew = writer(5)
        writeItem(anew, next, object.items)
        gone.add(one.ref ?? '')
        wholeGroups.add(next.name)
        edits.push({ start: element.start, end: element.end, text: anew.xml.toString() })
        warnings.push(...anew.warnings, writtenAnew(next))
      }
    } else if ('plcTag' in next && 'plcTag' in one) {
      const attributes = changed(tagAttributes(one), tagAttributes(next))
      edits.push(...elementEdits(element, { attributes, comment: next.comment, nextId }))
      const links = changed(tagLinks(one), tagLinks(next))
      // A PLC tag that stood under its other name would come back when the link is deleted.
      edits.push(...linkEdits(element, 'ControllerTag' in links ? { ...links, PlcTag: '' } : links))
    }
  }
  const newLayers = new Map<number, HmiItem[]>()
  for (const one of added) {
    const anew = writer(isScreen ? 5 : 3)
    let parent = root
    if ('layer' in one) {
      if (one.group !== undefined && wholeGroups.has(one.group)) continue
      const group = object.items.find(({ name, type }) => type === 'Group' && name === one.group)
      const holder = byId.get(group?.ref ?? '') ?? layerElement(root, one.layer)
      if (holder === undefined) {
        newLayers.set(one.layer, [...(newLayers.get(one.layer) ?? []), one])
        continue
      }
      parent = holder
      writeItem(anew, one, object.items)
    } else writeTag(anew, one)
    warnings.push(...anew.warnings)
    edits.push(appended(parent, anew))
  }
  for (const [index, items] of newLayers) {
    const anew = writer(3)
    const { layers } = object.content as ScreenContent
    writeLayer(anew, index, layers, [...items, ...object.items.filter(({ group }) => group !== undefined)])
    warnings.push(...anew.warnings)
    edits.push(appended(root, anew))
  }
  const edited = applyEdits(text, edits)
  return { text: document.startsWith('\uFEFF') ? `\uFEFF${edited}` : edited, warnings }
}

/** Puts what was written behind the other parts of an element. */
function appended(parent: XmlElement, { xml }: HmiWriter): Edit {
  const list = child(parent, 'ObjectList')
  const at = (list ?? parent).contentEnd
  return { start: at, end: at, text: list ? `${xml}\n` : `<ObjectList>${xml}</ObjectList>\n` }
}

function isInside(element: XmlElement, ids: ReadonlySet<string>): boolean {
  for (let at: XmlElement | undefined = element.parent; at !== undefined; at = at.parent)
    if (at.attributes.ID !== undefined && ids.has(at.attributes.ID)) return true
  return false
}

const writtenAnew = ({ name }: HmiItem | HmiTag): string =>
  `"${name}" was changed: it is written anew, with what the gateway knows of it.`

/** The layer of an object and the group that it is in; a group that only has another name is the same. */
function placeOf(one: HmiItem | HmiTag, all: readonly HmiItem[]): string {
  if (!('layer' in one)) return ''
  return `${one.layer} ${all.find(({ name }) => name === one.group)?.ref ?? one.group}`
}

function layerElement(root: XmlElement, index: number): XmlElement | undefined {
  const layers = (child(root, 'ObjectList')?.children ?? []).filter(({ name }) => name === 'Hmi.Screen.ScreenLayer')
  return layers.find((layer) => Number(child(child(layer, 'AttributeList'), 'Index')?.text ?? 0) === index)
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
