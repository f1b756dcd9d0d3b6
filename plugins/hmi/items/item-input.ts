/** Graphical objects as clients send them, and as they are shown. */
import { type Fault, problem, type SchemaBuilder } from '../../../core/index.ts'
import type { HmiBinding, HmiEvent, HmiItem, PropertyValue, Texts } from '../../../plc/formats/hmi/model.ts'
import { isColour, readConverter } from './converters.ts'
import { itemTypeOf, itemTypes, nearestName, propertiesOf, propertyOf } from './item-types.ts'

const bindingFields = (t: SchemaBuilder) =>
  t.Object({
    property: t.String({ minLength: 1, maxLength: 100, description: 'backColor, visible, processValue …' }),
    tag: t.String({ minLength: 1, maxLength: 2000, description: 'Dotted path of the PLC variable, or an HMI tag.' }),
    converter: t.Optional(t.String({ maxLength: 100, description: 'BoolToColor, Scale, Range …' })),
    params: t.Optional(t.Record(t.String(), t.String())),
  })

const eventFields = (t: SchemaBuilder) =>
  t.Object({
    event: t.String({ minLength: 1, maxLength: 100, description: 'Click, Press, Release, Change.' }),
    actions: t.Array(
      t.Object({
        function: t.String({
          minLength: 1,
          maxLength: 200,
          description: 'A system function, or the name of a script.',
        }),
        parameters: t.Optional(t.Record(t.String(), t.String())),
      }),
      { maxItems: 100 },
    ),
  })

/** A text in one language, or by culture. */
export const textInput = (t: SchemaBuilder) => t.Union([t.String(), t.Record(t.String(), t.String())])

const size = (t: SchemaBuilder) => t.Optional(t.Number({ minimum: 0, maximum: 100_000 }))
const place = (t: SchemaBuilder) => t.Optional(t.Number({ minimum: -100_000, maximum: 100_000 }))

/** Fields of an object that may be given; `type` and `name` are needed for a new one. */
export const itemFields = (t: SchemaBuilder) => ({
  left: place(t),
  top: place(t),
  width: size(t),
  height: size(t),
  layer: t.Optional(t.Integer({ minimum: 0, maximum: 31 })),
  group: t.Optional(t.String({ maxLength: 200, description: 'Group that it is in; empty: none.' })),
  properties: t.Optional(t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]))),
  texts: t.Optional(t.Record(t.String(), textInput(t), { description: 'text, textOn, textOff, helpText.' })),
  text: t.Optional(textInput(t)),
  links: t.Optional(
    t.Record(t.String(), t.String(), { description: 'picture, pictureList, textList, faceplate, screen.' }),
  ),
  bindings: t.Optional(t.Array(bindingFields(t), { maxItems: 100 })),
  events: t.Optional(t.Array(eventFields(t), { maxItems: 20 })),
})

/** What a client sends for an object. */
export interface ItemInput {
  readonly type?: string | undefined
  readonly name?: string | undefined
  readonly left?: number | undefined
  readonly top?: number | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly layer?: number | undefined
  readonly group?: string | undefined
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined
  readonly texts?: Readonly<Record<string, string | Texts>> | undefined
  readonly text?: string | Texts | undefined
  readonly links?: Readonly<Record<string, string>> | undefined
  readonly bindings?: readonly BindingInput[] | undefined
  readonly events?:
    | readonly {
        readonly event: string
        readonly actions: readonly {
          readonly function: string
          readonly parameters?: Readonly<Record<string, string>> | undefined
        }[]
      }[]
    | undefined
}
interface BindingInput {
  readonly property: string
  readonly tag: string
  readonly converter?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
}

/**
 * Checks an object and completes it from the one before.
 * @param path of the object in the request
 * @throws GatewayError `unacceptable_content` with all faults, each with what is allowed
 */
export function readItem(input: ItemInput, before: HmiItem | undefined, culture: string, path = ''): HmiItem {
  const faults: Fault[] = []
  const type = input.type === undefined ? before?.type : itemTypeOf(input.type)
  if (type === undefined) {
    const allowed = Object.keys(itemTypes)
    const message = `"${input.type}" is no type of object${nearestName(input.type ?? '', allowed)}; there are ${allowed.join(', ')}`
    faults.push({ path: `${path}/type`, message, value: input.type, allowed })
  }
  const name = input.name ?? before?.name ?? ''
  const bindings = input.bindings?.flatMap((one, i) => readBinding(one, type, `${path}/bindings/${i}`, faults) ?? [])
  const twice = bindings?.find(({ property }, i) => bindings.findIndex((one) => one.property === property) < i)
  if (twice) faults.push({ path: `${path}/bindings`, message: `the property ${twice.property} has two bindings` })
  const properties: Record<string, PropertyValue> = { ...before?.properties }
  for (const [given, value] of Object.entries(input.properties ?? {}))
    readProperty(type, given, value, properties, `${path}/properties/${given}`, faults)
  const texts: Record<string, Texts> = { ...before?.texts }
  const asTexts = (text: string | Texts): Texts => (typeof text === 'string' ? { [culture]: text } : text)
  for (const [property, text] of Object.entries(input.texts ?? {})) texts[property] = asTexts(text)
  if (input.text !== undefined) texts.text = { ...texts.text, ...asTexts(input.text) }
  if (faults.length > 0)
    throw problem('unacceptable_content', `Object "${name}": ${faults[0]?.message}.`, { errors: faults })
  const group = input.group ?? before?.group ?? ''
  return {
    name,
    type: type as string,
    left: input.left ?? before?.left ?? 0,
    top: input.top ?? before?.top ?? 0,
    width: input.width ?? before?.width ?? 100,
    height: input.height ?? before?.height ?? 100,
    layer: input.layer ?? before?.layer ?? 0,
    ...(group === '' ? {} : { group }),
    properties,
    texts,
    links: { ...before?.links, ...input.links },
    bindings: bindings ?? before?.bindings ?? [],
    events: input.events?.map(readEvent) ?? before?.events ?? [],
    ...(before?.ref === undefined ? {} : { ref: before.ref }),
  }
}

function readEvent({ event, actions }: NonNullable<ItemInput['events']>[number]): HmiEvent {
  return {
    event,
    actions: actions.map((action) => ({ function: action.function, parameters: action.parameters ?? {} })),
  }
}

function readBinding(
  input: BindingInput,
  type: string | undefined,
  path: string,
  faults: Fault[],
): HmiBinding | undefined {
  if (type === undefined) return undefined
  const property = propertyOf(type, input.property)
  if (property === undefined) {
    const allowed = Object.keys(propertiesOf(type))
    const message = `"${input.property}" is no property of a ${type}${nearestName(input.property, allowed)}; it has ${allowed.join(', ')}`
    faults.push({ path: `${path}/property`, message, value: input.property, allowed })
    return undefined
  }
  const tag = input.tag.trim()
  if (tag === '') faults.push({ path: `${path}/tag`, message: 'is empty', value: input.tag })
  if (input.converter === undefined || input.converter === '' || input.converter.toLowerCase() === 'none') {
    const [key] = Object.keys(input.params ?? {})
    if (key !== undefined)
      faults.push({
        path: `${path}/params/${key}`,
        message: 'there is no converter to take it',
        value: input.params?.[key],
      })
    return { property, tag }
  }
  const read = readConverter(input.converter, input.params ?? {}, propertiesOf(type)[property], path, faults)
  return read && { property, tag, ...read }
}

/** Properties that are no field of `properties` in the model. */
const placed = new Set(['left', 'top', 'width', 'height'])

function readProperty(
  type: string | undefined,
  given: string,
  value: PropertyValue,
  into: Record<string, PropertyValue>,
  path: string,
  faults: Fault[],
) {
  if (type === undefined) return
  const name = propertyOf(type, given) ?? given.slice(0, 1).toLowerCase() + given.slice(1)
  const fault = (message: string) => void faults.push({ path, message, value })
  if (placed.has(name)) return fault(`is a field of the object itself: send "${name}" beside "properties"`)
  if (!/^[a-z][A-Za-z0-9]{0,99}$/.test(name)) return fault('is no name of a property')
  const expected = propertiesOf(type)[name]
  if (expected === 'colour' && (typeof value !== 'string' || !isColour(value)))
    return fault(`${JSON.stringify(value)} is no colour: write #rrggbb or a name such as red`)
  if (expected === 'number' && typeof value !== 'number') return fault(`${JSON.stringify(value)} is no number`)
  if (expected === 'boolean' && typeof value !== 'boolean')
    return fault(`${JSON.stringify(value)} is neither true nor false`)
  into[name] = value
}

/** Fields of an object in answers. */
export const itemView = (t: SchemaBuilder) => ({
  objectId: t.String(),
  name: t.String(),
  type: t.String(),
  left: t.Number(),
  top: t.Number(),
  width: t.Number(),
  height: t.Number(),
  layer: t.Integer(),
  group: t.String({ description: 'Empty: none.' }),
  properties: t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()])),
  texts: t.Record(t.String(), t.Record(t.String(), t.String())),
  links: t.Record(t.String(), t.String()),
  bindings: t.Array(bindingFields(t)),
  events: t.Array(
    t.Object({
      event: t.String(),
      actions: t.Array(t.Object({ function: t.String(), parameters: t.Record(t.String(), t.String()) })),
    }),
  ),
})

/** An object as it is shown. */
export function viewOfItem(item: HmiItem & { readonly id: string }) {
  const {
    id,
    name,
    type,
    left,
    top,
    width,
    height,
    layer,
    group = '',
    properties,
    texts,
    links,
    bindings,
    events,
  } = item
  return {
    objectId: id,
    name,
    type,
    left,
    top,
    width,
    height,
    layer,
    group,
    properties,
    texts,
    links,
    bindings,
    events,
  }
}
