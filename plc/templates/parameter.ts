/**
 * Parameters of templates: each with its JSON schema and default; what a client gives is checked with JSON pointers.
 */
import { nearest } from '../../lib/nearest.ts'

/** The part of JSON Schema that parameters of templates need. */
export interface ParameterSchema {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array'
  readonly description: string
  readonly default: boolean | number | string | readonly string[]
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: {
    readonly type: 'string'
    readonly minLength: number
    readonly maxLength: number
    readonly pattern: string
  }
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** One parameter; `T` is the type of its values. */
export interface Parameter<T> {
  readonly schema: ParameterSchema
  readonly default: T
}

// biome-ignore lint/suspicious/noExplicitAny: the values of a table are of many types
export type Parameters = Readonly<Record<string, Parameter<any>>>

/** The values of a table of parameters. */
export type ValuesOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** What is wrong with a value. */
export interface ParameterFault {
  /** JSON pointer within the parameters. */
  readonly path: string
  readonly message: string
  readonly value?: unknown
  readonly allowed?: readonly unknown[]
}

export function flag(value: boolean, description: string): Parameter<boolean> {
  return { default: value, schema: { type: 'boolean', description, default: value } }
}

export function integer(value: number, [minimum, maximum]: readonly [number, number], description: string) {
  const schema = { type: 'integer', description, default: value, minimum, maximum } as const
  return { default: value, schema } satisfies Parameter<number>
}

export function number(value: number, [minimum, maximum]: readonly [number, number], description: string) {
  const schema = { type: 'number', description, default: value, minimum, maximum } as const
  return { default: value, schema } satisfies Parameter<number>
}

/** A duration in seconds, in steps of a millisecond, at most a day. */
export function seconds(value: number, description: string): Parameter<number> {
  return number(value, [0.001, 86_400], `${description}, in seconds.`)
}

export function choice<const T extends string>(values: readonly T[], value: NoInfer<T>, description: string) {
  const schema = { type: 'string', description, default: value, enum: values } as const
  return { default: value, schema } as { readonly default: T; readonly schema: ParameterSchema }
}

/** A name of an object, or a text of a header: without quotation marks, no blank at its ends. */
const plainName = '^(?! )[^"\'\\u0000-\\u001f]*(?<! )$'

/** A name of an object, or a text of a header. */
export function text(
  value: string,
  description: string,
  maxLength = 100,
  { pattern = plainName } = {},
): Parameter<string> {
  return { default: value, schema: { type: 'string', description, default: value, minLength: 1, maxLength, pattern } }
}

/** A version as block headers have it: major.minor, each 0 to 15 (the Openness property HeaderVersion). */
export function version(value: string, description: string): Parameter<string> {
  const pattern = '^(1[0-5]|[0-9])\\.(1[0-5]|[0-9])$'
  return { default: value, schema: { type: 'string', description, default: value, pattern } }
}

/** A list of names that differ, whatever their case. */
export function names(
  value: readonly string[],
  [minItems, maxItems]: readonly [number, number],
  description: string,
  { pattern = plainName, maxLength = 100 } = {},
): Parameter<readonly string[]> {
  const items = { type: 'string', minLength: 1, maxLength, pattern } as const
  return {
    default: value,
    schema: { type: 'array', description, default: value, items, minItems, maxItems, uniqueItems: true },
  }
}

/** Returns the faults of given values: unknown names, wrong types, values outside. */
export function faultsOf(parameters: Parameters, given: Readonly<Record<string, unknown>>): ParameterFault[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter !== undefined) return valueFaults(parameter.schema, value, path)
    const known = Object.keys(parameters)
    const near = nearest(name, known)
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    return [{ path, message: `unknown parameter${hint}`, allowed: known }]
  })
}

function valueFaults(schema: ParameterSchema, value: unknown, path: string): ParameterFault[] {
  const fault = (message: string, more: Partial<ParameterFault> = {}) => [{ path, message, value, ...more }]
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault('must be true or false', { allowed: [true, false] })
    case 'integer':
    case 'number': {
      const kind = schema.type === 'integer' ? 'an integer' : 'a number'
      const isRight = schema.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
      const range = `must be ${kind} from ${schema.minimum} to ${schema.maximum}`
      if (!isRight || typeof value !== 'number') return fault(range)
      return value < (schema.minimum ?? value) || value > (schema.maximum ?? value) ? fault(range) : []
    }
    case 'string':
      return textFaults(schema, value, path)
    case 'array': {
      const { items, minItems = 0, maxItems = 0 } = schema
      if (!Array.isArray(value)) return fault('must be a list of names')
      if (value.length < minItems || value.length > maxItems)
        return fault(`must have ${minItems} to ${maxItems} entries, it has ${value.length}`)
      const seen = new Set<string>()
      return value.flatMap((one, i): ParameterFault[] => {
        const at = `${path}/${i}`
        const found = textFaults(items ?? {}, one, at)
        if (found.length > 0) return found
        const key = String(one).toLowerCase()
        if (seen.has(key)) return [{ path: at, message: 'is in the list twice', value: one }]
        seen.add(key)
        return []
      })
    }
  }
}

function textFaults(schema: Partial<ParameterSchema>, value: unknown, path: string): ParameterFault[] {
  const { enum: allowed, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  if (allowed !== undefined) {
    if (allowed.includes(value as string)) return []
    const near = typeof value === 'string' ? nearest(value, allowed) : undefined
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    return [{ path, message: `must be one of ${allowed.join(', ')}${hint}`, value, allowed }]
  }
  if (typeof value !== 'string') return [{ path, message: 'must be a text', value }]
  if (value.length < minLength) return [{ path, message: 'must not be empty', value }]
  if (value.length > maxLength) return [{ path, message: `must have at most ${maxLength} characters`, value }]
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return []
  const message =
    pattern === plainName
      ? 'must not contain quotation marks or control characters, nor begin or end with a blank'
      : `must match ${pattern}`
  return [{ path, message, value }]
}
