/** What objects show as a text now: the one place that drawings, fields and lists of values have it from. */
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { entryOf, inLanguage, isOn, textOf } from './convert.ts'
import { plainText, shownText } from './formats.ts'
import type { Runtime } from './runtime.ts'

const valueBinding = (item: ModelItem) => item.bindings.find(({ property }) => property === 'processValue')

/** The variable behind the value of an object, by its index. */
export function targetOf(item: ModelItem): number | undefined {
  return valueBinding(item)?.variable
}

/** The converter of the value of an object. */
export function converterOf(item: ModelItem) {
  return valueBinding(item)?.converter
}

/** The text of a label or a button. */
export function labelText(runtime: Runtime, item: ModelItem): string {
  const bound = runtime.read(item, 'text').value
  return bound === undefined ? inLanguage(item.texts.text ?? item.texts.textOff, runtime.culture.value) : textOf(bound)
}

/** The value of a field with its unit; stars for a hidden input. */
export function fieldText(runtime: Runtime, item: ModelItem): string {
  const kind = converterOf(item)?.kind
  const culture = runtime.culture.value
  const value = runtime.read(item, 'processValue').value
  // A converter has made its text; the format is for the value itself.
  const isText = kind !== undefined && kind !== 'scale'
  const text = isText ? plainText(value, culture) : shownText(item.format, value, culture)
  return item.properties.hiddenInput === true
    ? '*'.repeat(text.length)
    : `${text}${text === '' ? '' : textOf(item.properties.unit)}`
}

/** The entries of the text list of a symbolic field. */
export function entriesOf({ model }: Runtime, item: ModelItem) {
  const converter = converterOf(item)
  const name = converter?.kind === 'list' ? converter.list : (item.links.textList ?? '').toLowerCase()
  return model.textLists[name] ?? []
}

/** The text that a symbolic field shows: of the entry of its value, else the value. */
function entryText(runtime: Runtime, item: ModelItem): string {
  const index = targetOf(item)
  const value = index === undefined ? undefined : runtime.values.of(index).value
  const entry = entryOf(entriesOf(runtime, item), value)
  return entry === undefined ? textOf(value) : inLanguage(entry.text, runtime.culture.value)
}

/** The text of a switch in the position that it has. */
export function switchText(runtime: Runtime, item: ModelItem): string {
  const isLit = isOn(runtime.read(item, 'processValue').value)
  const text = inLanguage(isLit ? item.texts.textOn : item.texts.textOff, runtime.culture.value)
  return text || (isLit ? 'I' : '0')
}

/** The name of the graphic that an object shows. */
export function graphicName(runtime: Runtime, item: ModelItem): string {
  if (item.type === 'GraphicView')
    return textOf(runtime.read(item, 'graphic').value ?? item.links.picture ?? item.links.graphic)
  const list = runtime.model.graphicLists[(item.links.pictureList ?? item.links.graphicList ?? '').toLowerCase()]
  const { value } = runtime.read(item, 'processValue')
  return entryOf(list, value ?? 0)?.graphic ?? textOf(value)
}

/** Whether an object is drawn. */
export function isVisible(runtime: Runtime, item: ModelItem): boolean {
  const visible = runtime.read(item, 'visible').value
  return !(visible === false || visible === 'false' || visible === 0)
}

/** The text, value or name of the graphic that an object shows; undefined for shapes, and views of many values. */
export function shownOf(runtime: Runtime, item: ModelItem): string | undefined {
  switch (item.type) {
    case 'TextField':
    case 'Button':
      return labelText(runtime, item)
    case 'IOField':
      return fieldText(runtime, item)
    case 'SymbolicIOField':
      return entryText(runtime, item)
    case 'Switch':
      return switchText(runtime, item)
    case 'Slider':
    case 'Bar':
    case 'Gauge':
      return plainText(runtime.read(item, 'processValue').value, runtime.culture.value)
    case 'GraphicView':
    case 'GraphicIOField':
      return graphicName(runtime, item)
    default:
      return undefined
  }
}
