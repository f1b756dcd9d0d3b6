/** TypeScript types of JSON schemas, in the shape that openapi-fetch reads. */
import { refName, type Schema } from './document.ts'
import { wrap } from './names.ts'

/** A text in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A property name: quoted where it is no identifier. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** A comment before a declaration; empty without a text. */
export function docComment(text: string, indent: string): string {
  if (text === '') return ''
  const lines = wrap(text.replaceAll('*/', '* /'), Math.max(60, 116 - indent.length))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

const union = (parts: readonly string[]): string => {
  const different = [...new Set(parts)]
  return different.includes('unknown') ? 'unknown' : different.join(' | ') || 'never'
}

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * The type of a schema.
 * @param indent of the line in which it begins
 */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return `components['schemas'][${quoted(refName(schema.$ref))}]`
  if (schema.enum) return union(schema.enum.map(literal))
  if (schema.const !== undefined) return literal(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((part) => typeOf(part, indent)))
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, indent)})`).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  if (schema.type === 'array') {
    const items = typeOf(schema.items ?? {}, indent)
    return /^[\w.]+$|^components\['schemas'\]\['[^']*'\]$/.test(items) ? `${items}[]` : `Array<${items}>`
  }
  if (schema.type === 'object' || schema.properties) return objectType(schema, indent)
  return simple[schema.type as string] ?? 'unknown'
}

/** The pattern of a map: no name is left for additional properties. */
const everyName = '^.*$'

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {})
  const patterns = Object.values(schema.patternProperties ?? {})
  const more =
    typeof schema.additionalProperties === 'object'
      ? [...patterns, schema.additionalProperties]
      : schema.additionalProperties === false || everyName in (schema.patternProperties ?? {})
        ? patterns
        : [...patterns, {}]
  if (properties.length === 0) return more.length === 0 ? 'Record<string, never>' : recordOf(more, indent)
  const required = new Set(schema.required ?? [])
  const inner = `${indent}  `
  const lines = properties.map(
    ([name, property]) =>
      `${docComment(property.description ?? '', inner)}${inner}${propertyName(name)}${required.has(name) ? '' : '?'}: ${typeOf(property, inner)}\n`,
  )
  // Named fields have types of their own, so the others can only be of the widest.
  if (more.length > 0) lines.push(`${inner}[name: string]: unknown\n`)
  return `{\n${lines.join('')}${indent}}`
}

// No `Record`: a value of JSON contains itself, which TypeScript allows in members only.
const recordOf = (values: readonly Schema[], indent: string): string =>
  `{ [name: string]: ${union(values.map((value) => typeOf(value, indent)))} }`
