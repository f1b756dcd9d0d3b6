/**
 * Turns what a client sent into the input of an operation: matches names through aliases and regardless of case, turns
 * text of path and query into the schema's types and uploads given as text into blobs, then checks the JSON Schema.
 * Compiled on first use per operation.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ValidateFunction } from 'ajv'
import { holdsSecrets } from '../access/secrets.ts'
import { loadAjv } from '../contract/ajv.ts'
import { isDeeper } from '../contract/json-depth.ts'
import type { Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import { buildSchema, formsOf, loadSchemaBuilder, type PlainSchema } from '../contract/schema.ts'
import { FaultFinder, unknownNames } from './input-faults.ts'
import { asMeant, gathered, listField, spellingsOf } from './meant.ts'

/** Reads and checks the input of an operation. */
export interface InputReader {
  readonly schema: PlainSchema
  /** True when some field is a secret or an upload: the dispatcher then has more to do before it accepts the job. */
  readonly hasSecrets: boolean
  /** True when some field is a secret, or the input of another operation, which may have one. */
  readonly mayHoldSecrets: boolean
  readonly uploads: readonly string[]
  /** The field that a body which is a list stands for, if there is one. */
  readonly list: string | undefined
  /** Fields that the audit does not show: what a client puts there may hold secrets of another operation. */
  readonly unrecorded: readonly string[]
  /** Gives fields the names of the schema, at every depth, without a check. */
  named(raw: Record<string, unknown>): Record<string, unknown>
  /**
   * Checks an input and returns a new object with normalised names.
   * @param strings fields that arrived as text (path and query) and are converted to their schema's type
   * @throws GatewayError `invalid_input` with one fault for each wrong field
   */
  read(raw: Record<string, unknown>, strings?: Readonly<Record<string, unknown>>): Record<string, unknown>
}

/** A declaration of an input: an operation, or a tool that is not one. */
export type InputDeclaration = Pick<Operation, 'input' | 'aliases' | 'http'>

const readers = new WeakMap<InputDeclaration, InputReader>()

/** The reader of an operation's input, compiled on first use. */
export async function compileInput(operation: InputDeclaration): Promise<InputReader> {
  const known = readers.get(operation)
  if (known) return known
  const schema = await buildSchema(operation.input)
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0
  // An operation without input needs no validator; it only checks that nothing was given.
  const validators = isEmpty ? undefined : await loadAjv()
  const validate = validators?.first.compile(schema)
  const faults = validators && new FaultFinder(schema, validators)
  // `null` means an absent field: serializers of typed languages and agents send every field. For a change it could
  // mean "clear it", so there it stays an error.
  const dropsNulls = !operation.http.some(({ method }) => method === 'PUT' || method === 'PATCH')
  const names = new NameMatcher(schema, spellingsOf(schema, operation.aliases), dropsNulls)
  const reader: InputReader = {
    schema,
    hasSecrets: JSON.stringify(schema).includes('"x-secret"'),
    mayHoldSecrets: holdsSecrets(schema),
    uploads: Object.entries(schema.properties ?? {}).flatMap(([name, s]) => (s['x-upload'] ? [name] : [])),
    list: listField(
      schema,
      operation.http.map(({ path }) => path),
    ),
    unrecorded: Object.entries(schema.properties ?? {}).flatMap(([name, s]) => (s['x-unrecorded'] ? [name] : [])),
    named: (raw) => names.match(raw),
    read(raw, strings) {
      requireShallow(raw)
      const input = names.match(raw)
      if (strings) {
        for (const [name, text] of Object.entries(names.match(strings as Record<string, unknown>))) {
          const value = fromText(text, schema.properties?.[name])
          if (name in input && String(input[name]) !== String(text) && !isDeepStrictEqual(input[name], value))
            throw twice(name, name, 'in the address and in the body')
          input[name] = value
        }
      }
      if (validate === undefined || faults === undefined) {
        const given = Object.keys(input)
        if (given.length > 0) throw unknownNames(given)
        return input
      }
      if (validate(input)) return input
      // Names inside of a text that turns out to be JSON are matched like all others.
      const meant = names.match(asMeant(names.match(gathered(input, schema)), schema) as Record<string, unknown>)
      requireShallow(meant)
      if (validate(meant)) return meant
      throw faults.errorOf(meant, validate.errors?.[0])
    },
  }
  readers.set(operation, reader)
  return reader
}

/** Levels of arrays and objects that can be walked recursively. A body of JSON is refused with fewer. */
const mostLevels = 200

/** @throws GatewayError `invalid_input` for an input that is nested too deep: not all of them come as a body */
function requireShallow(input: unknown): void {
  if (isDeeper(input, mostLevels))
    throw problem('invalid_input', `The input is nested deeper than ${mostLevels} levels of arrays and objects.`)
}

const outputs = new WeakMap<Operation, ValidateFunction>()

/**
 * Checks a result against the operation's output schema. Tests switch it on, so that answers match the docs.
 * @throws Error that names the operation and the places
 */
export async function assertOutput(operation: Operation, result: unknown): Promise<void> {
  if (operation.kind === 'stream') return
  const place = notPlain(result, '')
  if (place !== undefined)
    throw new Error(`the result of ${operation.id} is not plain JSON: ${place} is lost or changed when it is sent`)
  let validate = outputs.get(operation)
  if (!validate) {
    validate = (await loadAjv()).first.compile(await buildSchema(operation.output))
    outputs.set(operation, validate)
  }
  if (!validate(result)) {
    throw new Error(
      `the result of ${operation.id} does not fit its output schema: ${JSON.stringify(validate.errors?.slice(0, 5))}`,
    )
  }
}

/** The first place of a value that JSON cannot hold as it is: a Map, a class with state, a function, NaN, a bigint. */
function notPlain(value: unknown, place: string, depth = 0): string | undefined {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place || '/'} (${value})`
  if (typeof value !== 'object' || value instanceof Uint8Array)
    return typeof value === 'object' && place === '' ? undefined : `${place || '/'} (a ${typeof value})`
  const prototype = Object.getPrototypeOf(value) as object | null
  if (depth > 1000) return `${place.slice(0, 80)}… (it contains itself)`
  if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype)
    return `${place || '/'} (a ${value.constructor?.name ?? 'class'})`
  for (const [key, item] of Object.entries(value)) {
    const found = notPlain(item, `${place}/${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Loads the schema library and the validator before their first use. */
export async function warmUp(): Promise<void> {
  await Promise.all([loadSchemaBuilder(), loadAjv()])
}

/**
 * Gives properties the spelling of their schema, at every depth: clients of this API family send both `path` and
 * `Path`, also inside lists, and those of languages without regard to case (PowerShell) `username` for `userName`.
 */
class NameMatcher {
  /** By the spelling in lower case. */
  readonly #names = new Map<string, string>()
  /** Properties whose `null` is taken out, because their schema does not allow it. */
  readonly #notNull = new Set<string>()
  readonly #nested: [string, NameMatcher][] = []
  readonly #items: NameMatcher | undefined = undefined
  /** For the values of a map, whose names are what they are. */
  readonly #values: NameMatcher | undefined = undefined
  /** Values of a map that are `null` are taken out. */
  readonly #withoutNullValues: boolean

  constructor(schema: PlainSchema, aliases: Operation['aliases'] = {}, dropsNulls = false) {
    const parts = formsOf(schema)
    const properties = new Map<string, PlainSchema[]>()
    for (const part of parts) {
      for (const [name, property] of Object.entries(part.properties ?? {}))
        properties.set(name, [...(properties.get(name) ?? []), property])
    }
    for (const [name, schemas] of properties) {
      this.#names.set(name.toLowerCase(), name)
      if (dropsNulls && !schemas.some(allowsNull)) this.#notNull.add(name)
      const matcher = new NameMatcher({ anyOf: schemas }, aliases, dropsNulls)
      if (!matcher.#isIdle) this.#nested.push([name, matcher])
    }
    for (const [name, spellings] of Object.entries(aliases)) {
      if (!properties.has(name)) continue
      for (const spelling of spellings) {
        const lower = spelling.toLowerCase()
        if (!this.#names.has(lower)) this.#names.set(lower, name)
      }
    }
    const items = parts.flatMap(({ items: own }): PlainSchema[] => (own ? [own] : []))
    if (items.length > 0) {
      const matcher = new NameMatcher({ anyOf: items }, aliases, dropsNulls)
      if (!matcher.#isIdle) this.#items = matcher
    }
    const values = parts.flatMap(({ patternProperties = {} }) => Object.values(patternProperties))
    this.#withoutNullValues = dropsNulls && values.length > 0 && !values.some(allowsNull)
    if (values.length > 0) {
      const matcher = new NameMatcher({ anyOf: values }, aliases, dropsNulls)
      if (!matcher.#isIdle) this.#values = matcher
    }
  }

  get #hasValues(): boolean {
    return this.#values !== undefined || this.#withoutNullValues
  }
  /** True when there is nothing to match. */
  get #isIdle(): boolean {
    return this.#names.size === 0 && this.#items === undefined && !this.#hasValues
  }

  match(raw: Record<string, unknown>): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    for (const key in raw) {
      const value = raw[key]
      if (value === undefined) continue
      const name = this.#names.get(key.toLowerCase()) ?? key
      if (value === null && this.#notNull.has(name)) continue
      // Defined as an own property even for "__proto__": the schema check then refuses it as unknown.
      if (key === '__proto__') Object.defineProperty(out, key, { value, enumerable: true })
      else if (!(name in out)) out[name] = value
      else if (!isDeepStrictEqual(out[name], value)) throw twice(key, name, `also under another spelling of "${name}"`)
    }
    for (const [name, matcher] of this.#nested) if (name in out) out[name] = matcher.#deep(out[name])
    return out
  }

  #deep(value: unknown): unknown {
    if (Array.isArray(value)) return this.#items ? value.map((item) => this.#items!.#deep(item)) : value
    if (value === null || typeof value !== 'object') return value
    if (this.#names.size > 0) return this.match(value as Record<string, unknown>)
    return this.#hasValues ? this.#map(value as Record<string, unknown>) : value
  }

  #map(values: Record<string, unknown>): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(values)) {
      if (this.#withoutNullValues && values[key] === null) continue
      const value = this.#values ? this.#values.#deep(values[key]) : values[key]
      Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
    }
    return out
  }
}

/** The error for a field that is given twice with different values. */
function twice(given: string, name: string, where: string) {
  const message = `is given twice with different values, ${where}`
  return problem('invalid_input', `/${given}: ${message}`, { errors: [{ path: `/${given}`, message, field: name }] })
}

/** True when a schema accepts `null`. */
function allowsNull({ type, anyOf, enum: values }: PlainSchema): boolean {
  if (type !== undefined) return [type].flat().includes('null')
  return anyOf?.some(allowsNull) ?? values?.includes(null) ?? true
}

/**
 * An object whose names no schema describes, with the first letter of each in lower case, as all names of this API
 * begin.
 */
export function plainNames(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const key of Object.keys(entry)) {
    const name = key.charAt(0).toLowerCase() + key.slice(1)
    // The exact spelling wins.
    if (name === key || !Object.hasOwn(entry, name))
      Object.defineProperty(named, name, { value: entry[key], enumerable: true, configurable: true, writable: true })
  }
  return named
}

/**
 * Converts a path or query parameter, which is text, to the type of its schema. Text that does not fit stays text, and
 * the check reports it.
 */
export function fromText(text: unknown, schema: PlainSchema | undefined): unknown {
  if (!schema) return text
  if (schema.type === 'array') {
    const list = Array.isArray(text) ? text : typeof text === 'string' ? text.split(',') : [text]
    return list.map((item) => fromText(item, schema.items))
  }
  if (typeof text !== 'string') return text
  const types = schema.type === undefined ? (schema.anyOf ?? []).map((s) => s.type) : [schema.type].flat()
  if (types.includes('integer') && /^[+-]?\d+$/.test(text)) return Number(text)
  if (types.includes('number') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (types.includes('boolean')) {
    const lower = text.toLowerCase()
    if (lower === 'true' || lower === '1' || lower === '') return true
    if (lower === 'false' || lower === '0') return false
  }
  return text
}
