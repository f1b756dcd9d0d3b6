/** Reads the graphical objects of a screen layer, with their bindings and events. */
import { defined } from '../../../lib/optional.ts'
import { child, type XmlElement, type XmlFaults } from '../simaticml/xml.ts'
import { attributesOf, linksOf, partsOf, propertyName, propertyValue, textsOf } from './elements.ts'
import type { HmiAction, HmiBinding, HmiEvent, HmiItem, PropertyValue } from './model.ts'

/** Attributes with fields of their own. */
const ownAttributes = new Set(['ObjectName', 'Left', 'Top', 'Width', 'Height'])
const prefix = 'Hmi.Screen.'

/** The objects of a layer or group, groups before what is in them. */
export function readItems(
  parent: XmlElement,
  layer: number,
  warnings: string[],
  faults: XmlFaults,
  group?: string,
): HmiItem[] {
  return partsOf(parent, 'ScreenItems').flatMap((element) => {
    const item = readItem(element, layer, warnings, faults, group)
    const inner = item.type === 'Group' ? readItems(element, layer, warnings, faults, item.name) : []
    return [item, ...inner]
  })
}

function readItem(
  element: XmlElement,
  layer: number,
  warnings: string[],
  faults: XmlFaults,
  group: string | undefined,
): HmiItem {
  const attributes = attributesOf(element)
  const name = attributes.get('ObjectName') ?? ''
  if (name === '') faults.add('xml-structure', element, `${element.name} has no ObjectName`)
  const number = (attribute: string) => Number(attributes.get(attribute) ?? 0) || 0
  const properties: Record<string, PropertyValue> = {}
  for (const [attribute, text] of attributes)
    if (!ownAttributes.has(attribute)) properties[propertyName(attribute)] = propertyValue(text)
  const font = fontOf(element)
  const links: Record<string, string> = {}
  for (const [link, target] of Object.entries(linksOf(element))) links[propertyName(link)] = target
  const { ID } = element.attributes
  return {
    name,
    type: element.name.startsWith(prefix) ? element.name.slice(prefix.length) : element.name,
    left: number('Left'),
    top: number('Top'),
    width: number('Width'),
    height: number('Height'),
    layer,
    ...defined({ group }),
    properties: { ...properties, ...font },
    texts: textsOf(element),
    links,
    bindings: bindingsOf(element, name, warnings),
    events: partsOf(element, 'Events').map(eventOf),
    ...defined({ ref: ID }),
  }
}

/** The font of the first culture. */
function fontOf(element: XmlElement): Record<string, PropertyValue> {
  const [item] = partsOf(element, 'Font').flatMap((font) => partsOf(font, 'Items'))
  if (item === undefined) return {}
  const attributes = attributesOf(item)
  return {
    fontFamily: attributes.get('FontFamily') ?? '',
    fontSize: Number(attributes.get('FontSize') ?? 0) || 0,
    fontStyle: attributes.get('FontStyle') ?? '',
  }
}

function tagIn(element: XmlElement | undefined): string | undefined {
  return element === undefined ? undefined : linksOf(element).Tag
}

function bindingsOf(element: XmlElement, name: string, warnings: string[]): HmiBinding[] {
  const bindings: HmiBinding[] = []
  for (const property of partsOf(element, 'Properties')) {
    const target = propertyName(attributesOf(property).get('Name') ?? '')
    for (const dynamic of partsOf(property, 'Dynamic')) {
      const tag = tagIn(dynamic)
      if (dynamic.name === 'Hmi.Dynamic.TagConnectionDynamic' && tag !== undefined)
        bindings.push({ property: target, tag })
      else warnings.push(notInterpreted(name, dynamic, tag))
    }
  }
  for (const animation of partsOf(element, 'Animations')) {
    const trigger = partsOf(animation).find((part) => part.name === 'Hmi.Dynamic.TagElementTrigger')
    const tag = tagIn(trigger)
    const attributes = attributesOf(animation)
    const isShown = attributes.get('Visible') !== 'false'
    if (animation.name === 'Hmi.Dynamic.VisibilityAnimation' && tag !== undefined) {
      const [from, to] = ['RangeStart', 'RangeEnd'].map((end) => attributes.get(end) ?? '0')
      const ranges = `${from}..${to}:${isShown};else:${!isShown}`
      bindings.push({ property: 'visible', tag, converter: 'Range', params: { ranges } })
    } else if (animation.name === 'Hmi.Dynamic.SingleBitVisibilityAnimation' && tag !== undefined) {
      const bit = attributes.get('BitPosition') ?? '0'
      bindings.push({
        property: 'visible',
        tag,
        converter: 'Bit',
        params: { bit, on: `${isShown}`, off: `${!isShown}` },
      })
    } else if (animation.name === 'Hmi.Dynamic.SingleBitAppearanceAnimation' && tag !== undefined)
      bindings.push(...appearance(animation, element, tag))
    else warnings.push(notInterpreted(name, animation, tag))
  }
  return bindings
}

/** One bit drives colours: a binding for each colour that the bit changes. */
function appearance(animation: XmlElement, element: XmlElement, tag: string): HmiBinding[] {
  const own = attributesOf(element)
  const bit = attributesOf(animation).get('BitPosition') ?? '0'
  const values = partsOf(animation, 'SingleBitPropertyValues').map(attributesOf)
  const on = values.find((value) => value.get('BitPosition') !== '0')
  const off = values.find((value) => value.get('BitPosition') === '0')
  return ['BackColor', 'ForeColor', 'BorderColor'].flatMap((attribute): HmiBinding[] => {
    const [lit, dark] = [on?.get(attribute), off?.get(attribute) ?? own.get(attribute)]
    if (lit === undefined || dark === undefined) return []
    const params = { bit, on: String(propertyValue(lit)), off: String(propertyValue(dark)) }
    return [{ property: propertyName(attribute), tag, converter: 'Bit', params }]
  })
}

function notInterpreted(name: string, dynamic: XmlElement, tag: string | undefined): string {
  const what = dynamic.name.slice(dynamic.name.lastIndexOf('.') + 1)
  return `"${name}": ${what} ${tag === undefined ? 'has no tag' : `of "${tag}" is not interpreted`}; it is kept in the file.`
}

function eventOf(element: XmlElement): HmiEvent {
  const entries = partsOf(element, 'EventHandler').flatMap((handler) => partsOf(handler, 'FunctionListEntries'))
  return { event: attributesOf(element).get('Name') ?? '', actions: entries.map(actionOf) }
}

function actionOf(element: XmlElement): HmiAction {
  const parameters: Record<string, string> = {}
  for (const parameter of partsOf(element, 'Parameters')) {
    const attributes = attributesOf(parameter)
    const link = child(child(parameter, 'LinkList'), 'Value')
    const target = link === undefined ? undefined : (child(link, 'Name')?.text ?? referred(link))
    parameters[attributes.get('Name') ?? ''] = target ?? attributes.get('Value') ?? ''
  }
  return { function: attributesOf(element).get('Name') ?? '', parameters }
}

/** `#0` is the screen itself. */
function referred(link: XmlElement): string | undefined {
  const id = link.attributes.TargetID?.slice(1)
  for (let at: XmlElement | undefined = link; at !== undefined; at = at.parent)
    if (at.attributes.ID === id && id !== undefined)
      return attributesOf(at).get('Name') ?? attributesOf(at).get('ObjectName')
  return undefined
}
