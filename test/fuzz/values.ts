/**
 * Values for schemas: mostly of the right kind, often at its edge, sometimes of another. From a seed, so repeatable.
 */
import type { PlainSchema } from '../../core/contract/schema.ts'
import type { Random } from '../random.ts'

export const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Names that the plant of the test has, so that calls get further than the first look-up. */
const names =
  'PLC_1 Data Main Counter Motor Start Lamp Watch Force Sim Panel Home One Unused Spare Shared Profile'.split(' ')
const texts = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '../../etc/passwd',
  'a/b',
  '\u0000',
  '\uD800',
  '\u202Ex',
  '💥',
  '%s%n',
  '*',
  '"',
  "'",
  '[1]',
]
const other = [
  '__proto__',
  'constructor',
  'CON',
  '=1+1',
  '<x>&amp;',
  '{{x}}',
  '$(x)',
  '1e999',
  'null',
  '-1',
  'T#1d',
  '%I0.0',
]
const numbers = [0, -0, 1, -1, 0.5, 255, 256, 65_536, 2 ** 31, -(2 ** 31), 2 ** 53, -(2 ** 53), 1e308, 1e-308]

/** A text. */
export function textValue(random: Random): string {
  const kind = random()
  if (kind < 0.5) return oneOf(random, names)
  if (kind < 0.8) return oneOf(random, [...texts, ...other])
  if (kind < 0.9) return oneOf(random, names).repeat(1 + Math.floor(random() * 200))
  return Array.from({ length: Math.floor(random() * 40) }, () => String.fromCharCode(random() * 0x300)).join('')
}

/** A value of any kind. */
function anyValue(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * 8)
  if (kind === 0) return null
  if (kind === 1) return random() < 0.5
  if (kind <= 3) return oneOf(random, numbers)
  if (kind <= 5 || depth > 4) return textValue(random)
  if (kind === 6) return Array.from({ length: Math.floor(random() * 5) }, () => anyValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: Math.floor(random() * 4) }, () => [textValue(random), anyValue(random, depth + 1)]),
  )
}

/** A deep value: what walks it by calling itself must have a bound. */
function deepValue(): unknown {
  let value: unknown = 1
  for (let i = 0; i < 200; i++) value = i % 2 === 0 ? [value] : { x: value }
  return value
}

/** A value for a schema. */
export function valueFor(schema: PlainSchema, random: Random, depth = 0): unknown {
  const surprise = random()
  if (surprise < 0.03) return anyValue(random, 0)
  if (surprise < 0.035) return deepValue()
  if (schema.anyOf?.length) return valueFor(oneOf(random, schema.anyOf), random, depth)
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return oneOf(random, schema.enum)
  const type = [schema.type].flat()[0]
  if (type === 'object' || schema.properties) return objectFor(schema, random, depth)
  if (type === 'array') {
    const length = random() < 0.05 ? 300 : Math.floor(random() * 4)
    return Array.from({ length }, () => (schema.items ? valueFor(schema.items, random, depth + 1) : null))
  }
  if (type === 'boolean') return random() < 0.5
  if (type === 'integer') return random() < 0.6 ? Math.floor(random() * 12) : oneOf(random, numbers)
  if (type === 'number') return oneOf(random, numbers)
  if (type === 'null') return null
  if (type === 'string') return textValue(random)
  return anyValue(random, depth)
}

/** An object with what is required, and with each other field in half of the cases. */
export function objectFor(schema: PlainSchema, random: Random, depth = 0): Record<string, unknown> {
  const required = new Set(schema.required ?? [])
  const found: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (required.has(name) ? random() < 0.03 : random() < 0.6 || depth > 5) continue
    found[name] = valueFor(field, random, depth + 1)
  }
  if (random() < 0.03) found[textValue(random) || 'x'] = anyValue(random, 0)
  return found
}
