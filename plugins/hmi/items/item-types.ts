/** The types of graphical objects with their properties. */
import { nearest } from '../../../core/index.ts'
import type { HmiItem } from '../../../plc/formats/hmi/model.ts'

/** What the value of a property is. */
export type PropertyType = 'colour' | 'number' | 'boolean' | 'text' | 'value' | 'graphic'

interface ItemType {
  /** Properties of its own, beside those that all objects have. */
  readonly properties: Readonly<Record<string, PropertyType>>
  /** Other names that clients use. */
  readonly aliases: readonly string[]
  /** True when a person changes a value with it. */
  readonly isInput?: boolean
}

const shape = { backColor: 'colour', borderColor: 'colour', borderWidth: 'number' } as const
const line = { borderColor: 'colour', borderWidth: 'number' } as const
const written = { ...shape, foreColor: 'colour', text: 'text', fontSize: 'number' } as const
const scaled = {
  ...shape,
  foreColor: 'colour',
  processValue: 'value',
  minimumValue: 'number',
  maximumValue: 'number',
} as const

/** Several values: `processValue`, `processValue2`, `processValue3` … */
function values(count: number): Readonly<Record<string, PropertyType>> {
  const names = Array.from({ length: count }, (_one, i) => `processValue${i === 0 ? '' : i + 1}`)
  return Object.fromEntries(names.map((name) => [name, 'value' as const]))
}

/** Properties that every object has. */
const common: Readonly<Record<string, PropertyType>> = {
  left: 'number',
  top: 'number',
  width: 'number',
  height: 'number',
  visible: 'boolean',
  enabled: 'boolean',
  opacity: 'number',
  rotation: 'number',
  helpText: 'text',
}

/** All types; the names are those of TIA Portal's classic screens. */
export const itemTypes: Readonly<Record<string, ItemType>> = {
  Rectangle: { properties: shape, aliases: ['rect'] },
  Circle: { properties: { ...shape, radius: 'number' }, aliases: [] },
  Ellipse: { properties: shape, aliases: [] },
  Line: { properties: line, aliases: [] },
  Polyline: { properties: line, aliases: [] },
  Polygon: { properties: shape, aliases: [] },
  TextField: { properties: written, aliases: ['text', 'label', 'textbox', 'staticText'] },
  IOField: { properties: { ...written, processValue: 'value' }, aliases: ['inputOutputField'], isInput: true },
  SymbolicIOField: { properties: { ...written, processValue: 'value' }, aliases: ['symbolicIO'], isInput: true },
  GraphicIOField: { properties: { ...shape, processValue: 'value' }, aliases: ['graphicIO'], isInput: true },
  Button: { properties: written, aliases: [], isInput: true },
  Switch: { properties: { ...written, processValue: 'value' }, aliases: ['toggleSwitch'], isInput: true },
  Bar: { properties: scaled, aliases: ['barGraph'] },
  Gauge: { properties: scaled, aliases: [] },
  Slider: { properties: scaled, aliases: [], isInput: true },
  GraphicView: { properties: { ...shape, graphic: 'graphic' }, aliases: ['image', 'graphicsView'] },
  TrendView: { properties: { ...shape, ...values(8) }, aliases: ['trend', 'trendControl', 'f(t)TrendView'] },
  AlarmView: { properties: shape, aliases: ['alarmControl'] },
  TableView: { properties: { ...shape, foreColor: 'colour', ...values(32) }, aliases: ['table'] },
  FaceplateInstance: { properties: {}, aliases: ['faceplate', 'faceplateContainer'] },
  Group: { properties: {}, aliases: [] },
  SoftKey: { properties: {}, aliases: [] },
}

/** Names of properties that mean the same. */
const propertyAliases: Readonly<Record<string, string>> = {
  fillcolor: 'backColor',
  fill: 'backColor',
  color: 'backColor',
  colour: 'backColor',
  backgroundcolor: 'backColor',
  bordercolour: 'borderColor',
  linecolor: 'borderColor',
  strokecolor: 'borderColor',
  linewidth: 'borderWidth',
  fontcolor: 'foreColor',
  textcolor: 'foreColor',
  value: 'processValue',
  value1: 'processValue',
  processvalue1: 'processValue',
  visibility: 'visible',
  tooltip: 'helpText',
  minimum: 'minimumValue',
  maximum: 'maximumValue',
  minvalue: 'minimumValue',
  maxvalue: 'maximumValue',
  picture: 'graphic',
  allowoperatorcontrol: 'enabled',
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
const typesByName = new Map(
  Object.entries(itemTypes).flatMap(([name, { aliases }]) =>
    [name, ...aliases].map((one) => [plain(one), name] as const),
  ),
)

/** The type that a name means: `circle`, `HmiCircle` and `Hmi.Screen.Circle` are `Circle`. */
export function itemTypeOf(name: string): string | undefined {
  const bare = plain(name)
    .replace(/^hmi\.screen\./, '')
    .replace(/^hmi/, '')
  return typesByName.get(plain(name)) ?? typesByName.get(bare)
}

/** The properties of a type, with what their values are; a type that is only kept has those that all have. */
export function propertiesOf(type: string): Readonly<Record<string, PropertyType>> {
  return { ...common, ...itemTypes[type]?.properties }
}

/** Whether a person writes the variable of a property of an object: the value of an input that is not output only. */
export function isWrittenBy(item: Pick<HmiItem, 'type' | 'properties'>, property: string): boolean {
  return itemTypes[item.type]?.isInput === true && property === 'processValue' && item.properties.mode !== 'Output'
}

/** The property that a name means. */
export function propertyOf(type: string, name: string): string | undefined {
  const wanted = plain(name)
  const own = propertiesOf(type)
  const found = Object.keys(own).find((property) => property.toLowerCase() === wanted)
  if (found !== undefined) return found
  const alias = propertyAliases[wanted]
  if (alias !== undefined && Object.hasOwn(own, alias)) return alias
  // The fill of a line is its colour; a faceplate has properties of its own.
  if (alias === 'backColor' && Object.hasOwn(own, 'borderColor')) return 'borderColor'
  return type === 'FaceplateInstance' ? name : undefined
}

/** The nearest of the allowed names. */
export function nearestName(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed)
  return near === undefined ? '' : ` (did you mean "${near}"?)`
}
