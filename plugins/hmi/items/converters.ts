/** Converters of bindings: their parameters, and what the page makes of them. */
import type { Fault } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import type { CompiledConverter } from '../station-model.ts'
import { colourNames } from './colour-names.ts'
import { nearestName, type PropertyType } from './item-types.ts'

/** What a PLC value must be for a converter. */
export type ValueClass = 'boolean' | 'number' | 'any'

interface Parameter {
  readonly isRequired?: boolean
  readonly type: 'colour' | 'number' | 'boolean' | 'text' | 'ranges'
  readonly aliases?: readonly string[]
}

interface Converter {
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly takes: ValueClass
  /** Properties that it can drive. */
  readonly gives: readonly PropertyType[]
  readonly aliases: readonly string[]
  compile(params: Readonly<Record<string, string>>): CompiledConverter
}

const number = (text: string | undefined, fallback: number) => (text === undefined ? fallback : Number(text))
const onOff = (type: Parameter['type']): Readonly<Record<string, Parameter>> => ({
  on: {
    type,
    isRequired: true,
    aliases: ['true', 'trueValue', 'trueColor', 'trueColour', 'trueText', 'onColor', 'onText', 'onColour'],
  },
  off: {
    type,
    isRequired: true,
    aliases: ['false', 'falseValue', 'falseColor', 'falseColour', 'falseText', 'offColor', 'offText', 'offColour'],
  },
})
const bothWays = ({ on = '', off = '' }: Readonly<Record<string, string>>): CompiledConverter => ({
  kind: 'switch',
  on,
  off,
})

/** All converters by name. */
export const converters: Readonly<Record<string, Converter>> = {
  BoolToColor: {
    parameters: onOff('colour'),
    takes: 'boolean',
    gives: ['colour'],
    aliases: ['booleanToColor', 'boolToColour', 'booleanToColour', 'boolColor'],
    compile: bothWays,
  },
  BoolToText: {
    parameters: onOff('text'),
    takes: 'boolean',
    gives: ['text', 'value'],
    aliases: ['booleanToText'],
    compile: bothWays,
  },
  BoolToVisibility: {
    parameters: { invert: { type: 'boolean', aliases: ['inverted', 'negate'] } },
    takes: 'boolean',
    gives: ['boolean'],
    aliases: ['booleanToVisibility', 'boolToVisible', 'boolToEnabled'],
    compile: ({ invert = 'false' }) =>
      invert === 'true' ? { kind: 'switch', on: 'false', off: 'true' } : { kind: 'switch', on: 'true', off: 'false' },
  },
  Bit: {
    parameters: { bit: { type: 'number', isRequired: true }, ...onOff('text') },
    takes: 'number',
    gives: ['colour', 'boolean', 'text', 'number', 'graphic'],
    aliases: ['singleBit', 'bitToValue'],
    compile: ({ bit, on = '', off = '' }) => ({ kind: 'switch', bit: number(bit, 0), on, off }),
  },
  Scale: {
    parameters: Object.fromEntries(
      ['inMin', 'inMax', 'outMin', 'outMax'].map((name) => [name, { type: 'number' as const }]),
    ),
    takes: 'number',
    gives: ['number', 'value', 'text'],
    aliases: ['linear', 'linearScaling'],
    compile({ inMin, inMax, outMin, outMax }) {
      const [a, b, c, d] = [number(inMin, 0), number(inMax, 100), number(outMin, 0), number(outMax, 100)]
      const factor = (d - c) / (b - a)
      return { kind: 'scale', factor, offset: c - a * factor }
    },
  },
  Threshold: {
    parameters: {
      limit: { type: 'number', isRequired: true, aliases: ['threshold', 'value'] },
      above: { type: 'text', isRequired: true, aliases: ['aboveColor', 'high', 'over'] },
      below: { type: 'text', isRequired: true, aliases: ['belowColor', 'low', 'under'] },
    },
    takes: 'number',
    gives: ['colour', 'boolean', 'text', 'number', 'graphic'],
    aliases: ['limit'],
    compile: ({ limit, above = '', below = '' }) => ({
      kind: 'ranges',
      ranges: [{ from: number(limit, 0), to: Number.MAX_VALUE, value: above }],
      otherwise: below,
    }),
  },
  Range: {
    parameters: { ranges: { type: 'ranges', isRequired: true, aliases: ['table', 'map'] } },
    takes: 'number',
    gives: ['colour', 'boolean', 'text', 'number', 'graphic', 'value'],
    aliases: ['rangeTable', 'ranges', 'valueMap'],
    compile: ({ ranges = '' }) => rangesOf(ranges) ?? { kind: 'ranges', ranges: [] },
  },
  TextList: {
    parameters: { list: { type: 'text', isRequired: true, aliases: ['textList', 'name'] } },
    takes: 'any',
    gives: ['text', 'value'],
    aliases: [],
    compile: ({ list = '' }) => ({ kind: 'list', list, of: 'text' }),
  },
  GraphicList: {
    parameters: { list: { type: 'text', isRequired: true, aliases: ['graphicList', 'name'] } },
    takes: 'any',
    gives: ['graphic', 'value'],
    aliases: [],
    compile: ({ list = '' }) => ({ kind: 'list', list, of: 'graphic' }),
  },
  Format: {
    parameters: {
      decimals: { type: 'number', aliases: ['digits', 'decimalPlaces'] },
      prefix: { type: 'text' },
      suffix: { type: 'text', aliases: ['unit'] },
    },
    takes: 'any',
    gives: ['text', 'value'],
    aliases: ['numberFormat'],
    compile: ({ decimals, prefix = '', suffix = '' }) => ({
      kind: 'format',
      ...(decimals === undefined ? {} : { decimals: Math.min(12, Math.max(0, Number(decimals))) }),
      prefix,
      suffix,
    }),
  },
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
const byName = new Map(
  Object.entries(converters).flatMap(([name, { aliases }]) =>
    [name, ...aliases].map((one) => [plain(one), name] as const),
  ),
)

/** The converter that a name means, whatever its case. */
function converterOf(name: string): string | undefined {
  return byName.get(plain(name))
}

/** `0..10:#00ff00;10..20:yellow;else:red`. A single number stands for itself. */
export function rangesOf(text: string): Extract<CompiledConverter, { kind: 'ranges' }> | undefined {
  const ranges: { from: number; to: number; value: string }[] = []
  let otherwise: string | undefined
  for (const part of text.split(';').filter((one) => one.trim() !== '')) {
    const colon = part.indexOf(':')
    if (colon < 0) return undefined
    const [range, value] = [part.slice(0, colon).trim(), part.slice(colon + 1).trim()]
    if (range.toLowerCase() === 'else') {
      otherwise = value
      continue
    }
    const [from = '', to = from, more] = range.split('..').map((one) => one.trim())
    if (from === '' || to === '' || more !== undefined || !(Number(from) <= Number(to))) return undefined
    ranges.push({ from: Number(from), to: Number(to), value })
  }
  if (ranges.length === 0 && otherwise === undefined) return undefined
  return { kind: 'ranges', ranges, ...defined({ otherwise }) }
}

/** True for a colour that a page shows: `#rgb`, `#rrggbb`, a name, `rgb(…)`, `r, g, b`. */
export function isColour(text: string): boolean {
  const colour = text.trim().toLowerCase()
  if (/^[a-z]+$/.test(colour)) return colourNames.has(colour)
  return /^(#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|rgba?\([\d.,%\s/]{5,40}\)|\d{1,3}, ?\d{1,3}, ?\d{1,3})$/.test(
    colour,
  )
}

/** Names of the converters that can drive properties of a type. */
export function convertersFor(propertyType: PropertyType): readonly string[] {
  return Object.keys(converters).filter((one) => converters[one]!.gives.includes(propertyType))
}

/**
 * Checks converter and parameters of a binding.
 * @param path of the binding in the request
 * @returns name and parameters as they are stored; faults name what is allowed
 */
export function readConverter(
  name: string,
  given: Readonly<Record<string, string>>,
  propertyType: PropertyType | undefined,
  path: string,
  faults: Fault[],
): { converter: string; params: Record<string, string> } | undefined {
  const converter = converterOf(name)
  const allowed = Object.keys(converters)
  if (converter === undefined) {
    const message = `"${name}" is no converter${nearestName(name, allowed)}; there are ${allowed.join(', ')}`
    faults.push({ path: `${path}/converter`, message, value: name, allowed })
    return undefined
  }
  const { parameters, gives } = converters[converter]!
  if (propertyType !== undefined && !gives.includes(propertyType)) {
    const fitting = convertersFor(propertyType)
    const message = `${converter} gives ${gives.join(' or ')}, the property is a ${propertyType}; these fit: ${fitting.join(', ')}`
    faults.push({ path: `${path}/converter`, message, value: name, allowed: fitting })
  }
  const params: Record<string, string> = {}
  const names = Object.keys(parameters)
  for (const [key, value] of Object.entries(given)) {
    const found = names.find((one) =>
      [one, ...(parameters[one]!.aliases ?? [])].some((alias) => plain(alias) === plain(key)),
    )
    if (found === undefined) {
      const message = `"${key}" is no parameter of ${converter}${nearestName(key, names)}; it takes ${names.join(', ')}`
      faults.push({ path: `${path}/params/${key}`, message, value, allowed: names })
      continue
    }
    const { type } = parameters[found]!
    const fault = valueFault(type, value) ?? (propertyType === 'colour' ? colourFault(type, value) : undefined)
    if (fault !== undefined) faults.push({ path: `${path}/params/${key}`, message: fault, value })
    params[found] = value
  }
  for (const one of names)
    if (parameters[one]!.isRequired === true && params[one] === undefined) {
      const others = parameters[one]!.aliases ?? []
      const message = `${converter} needs the parameter "${one}"${others.length > 0 ? ` (or ${others.join(', ')})` : ''}`
      faults.push({ path: `${path}/params/${one}`, message, allowed: names })
    }
  if (converter === 'Scale') {
    const [from, to] = [number(params.inMin, 0), number(params.inMax, 100)]
    if (from === to) faults.push({ path: `${path}/params/inMax`, message: 'inMin and inMax are the same', value: to })
  }
  return { converter, params }
}

/** Of what a converter puts into a property that is a colour. */
function colourFault(type: Parameter['type'], value: string): string | undefined {
  const { ranges = [], otherwise } = (type === 'ranges' ? rangesOf(value) : undefined) ?? {}
  const values = type === 'text' ? [value] : [...ranges.map((one) => one.value), ...(otherwise ? [otherwise] : [])]
  return values.map((one) => valueFault('colour', one)).find((fault) => fault !== undefined)
}

function valueFault(type: Parameter['type'], value: string): string | undefined {
  if (type === 'colour' && !isColour(value)) return `"${value}" is no colour: write #rrggbb or a name such as red`
  if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return `"${value}" is no number`
  if (type === 'boolean' && value !== 'true' && value !== 'false') return `"${value}" is neither true nor false`
  if (type === 'ranges' && rangesOf(value) === undefined)
    return `"${value}" is no table of ranges: write 0..10:green;10..20:yellow;else:red`
  return undefined
}
