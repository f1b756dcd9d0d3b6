/**
 * What is wrong with an input that does not fit its schema. The check itself stops at the first fault; only then all
 * are looked for, each list and object in one pass that keeps the first 50 faults and counts the others, so that a
 * large wrong body costs no more than its size.
 */

import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { nearest } from '../../lib/nearest.ts'
import { shortened } from '../../lib/shortened.ts'
import type { Validators } from '../contract/ajv.ts'
import { type Fault, type GatewayError, mostFaults, problem } from '../contract/problems.ts'
import type { PlainSchema } from '../contract/schema.ts'

/** Finds the faults of inputs of one schema. */
export class FaultFinder {
  readonly #schema: PlainSchema
  readonly #validators: Validators
  #validate: ValidateFunction | undefined

  constructor(schema: PlainSchema, validators: Validators) {
    this.#schema = schema
    this.#validators = validators
  }

  /**
   * The error for an input that does not fit.
   * @param first the fault at which the check stopped: reported when no other is found (`uniqueItems`)
   */
  errorOf(input: Record<string, unknown>, first: ErrorObject | undefined): GatewayError {
    this.#validate ??= collectorOf(this.#validators).compile(bounded(this.#schema))
    this.#validate(input)
    const faults = new Map<string, Fault>()
    let moreFaults = 0
    const found = told(this.#validate.errors ?? [])
    // A secret that may be null too is refused twice at its place: as a text, and as no null.
    const secrets = new Set(found.filter(isOfSecret).map(({ instancePath }) => instancePath))
    for (const error of found.length > 0 || first === undefined ? found : [first]) {
      if (error.keyword === more) moreFaults += error.params.count
      else if (faults.size === mostFaults) moreFaults++
      else {
        const fault = explain(error, this.#schema, secrets.has(error.instancePath))
        faults.set(`${fault.path} ${fault.message}`, fault)
      }
    }
    return invalidInput([...faults.values()], moreFaults)
  }
}

/** The error for names that an operation without parameters was given. */
export function unknownNames(names: readonly string[]): GatewayError {
  const message = 'unknown property (this operation takes none)'
  const faults = names
    .slice(0, mostFaults)
    .map((name): Fault => ({ path: `/${brief(name)}`, message, code: 'unknown_property' }))
  return invalidInput(faults, names.length - faults.length)
}

function invalidInput(errors: readonly Fault[], moreFaults: number): GatewayError {
  const [first] = errors
  const others = errors.length - 1 + moreFaults
  const detail = first
    ? `${first.path}: ${first.message}${others > 0 ? ` (and ${others} more)` : ''}`
    : 'The input does not fit.'
  return problem('invalid_input', detail, { errors, moreFaults })
}

/** Keyword of the entry that counts the errors which are not kept. */
const more = 'more'
/** Keyword of an entry that wraps another error: the validator overwrites `data` and `schema` of the entry itself. */
const wrapped = 'wrapped'

/** The errors to report: unwrapped, and without those of `anyOf`, which only repeat the errors of its branches. */
function told(errors: readonly Partial<ErrorObject>[]): ErrorObject[] {
  const plain = errors.map((error) => (error.keyword === wrapped ? error.params?.error : error) as ErrorObject)
  return plain.length > 1 ? plain.filter(({ keyword }) => keyword !== 'anyOf') : plain
}

const collectors = new WeakMap<Validators, Ajv>()

/** The validator with the keywords of {@link bounded}. */
function collectorOf(validators: Validators): Ajv {
  const known = collectors.get(validators)
  if (known) return known
  const ajv = validators.make({ allErrors: true })
  collectors.set(validators, ajv)
  const add = <S>(keyword: string, type: 'array' | 'object', finder: (schema: S, parent: PlainSchema) => Find) =>
    ajv.addKeyword({
      keyword,
      type,
      compile: (schema: S, parent: object): DataValidateFunction => {
        const find = finder(schema, parent as PlainSchema)
        const check: DataValidateFunction = (data, context) => {
          const found = new Found()
          find(data, context?.instancePath ?? '', found)
          check.errors = found.entries
          return found.entries.length === 0
        }
        return check
      },
    })
  add('eachItem', 'array', ({ each, plain }: Each, { maxItems }) => {
    const entry = entryCheck(ajv.compile(each), validators.first.compile(plain))
    return (data, at, found) => {
      // Of a list that is too long only as many are looked at as it may have.
      const end = Math.min((data as unknown[]).length, typeof maxItems === 'number' ? maxItems : Infinity)
      for (let i = 0; i < end; i++) entry(data, at, i, found)
    }
  })
  add('eachValue', 'object', ({ each, plain }: Each) => {
    const entry = entryCheck(ajv.compile(each), validators.first.compile(plain))
    return (data, at, found) => {
      for (const name in data as object) entry(data, at, name, found)
    }
  })
  add('onlyNames', 'object', (names: readonly string[]) => {
    const known = new Set(names)
    return (data, at, found) => {
      for (const name in data as object) {
        if (known.has(name)) continue
        if (found.isFull) found.count()
        else found.add({ keyword: 'additionalProperties', instancePath: at, params: { name, known: names } })
      }
    }
  })
  return ajv
}

/** The schema of the entries of a list or map: with the keywords that keep few, and as declared. */
interface Each {
  readonly each: PlainSchema
  readonly plain: PlainSchema
}

/** Looks for faults in a list or object; `at` is its JSON pointer. */
type Find = (data: unknown, at: string, found: Found) => void

/** What is found in one list or object: the first errors, and how many more. */
class Found {
  readonly #kept: Partial<ErrorObject>[] = []
  #more = 0

  get isFull(): boolean {
    return this.#kept.length >= mostFaults
  }
  count(number = 1) {
    this.#more += number
  }
  add(error: Partial<ErrorObject>) {
    if (error.keyword === more) this.count(error.params?.count)
    else if (this.isFull) this.count()
    else this.#kept.push({ keyword: wrapped, params: { error } })
  }
  get entries(): Partial<ErrorObject>[] {
    if (this.#more === 0) return this.#kept
    return [...this.#kept, { keyword: wrapped, params: { error: { keyword: more, params: { count: this.#more } } } }]
  }
}

/** Finds the errors of one entry; once enough are kept, wrong entries are only counted. */
function entryCheck(validate: ValidateFunction, isRight: ValidateFunction) {
  return (data: unknown, at: string, name: string | number, found: Found) => {
    const holder = data as Record<string, unknown>
    if (isRight(holder[name])) return
    if (found.isFull) return found.count()
    const place = { instancePath: `${at}/${toPointer(name)}`, parentData: holder, parentDataProperty: name }
    validate(holder[name], { ...place, rootData: holder, dynamicAnchors: {} })
    for (const error of told(validate.errors ?? [])) found.add(error)
  }
}

/** One step of a JSON pointer (RFC 6901). */
function toPointer(name: string | number): string {
  return typeof name === 'number' ? String(name) : brief(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/**
 * A schema in which every keyword that can find a fault for each entry of a list or object is one that keeps few.
 * (`uniqueItems` stops at its first fault and needs the `items` beside it to take linear time; it is left to the
 * check.)
 */
function bounded({ items, uniqueItems: _, properties, patternProperties, anyOf, ...rest }: PlainSchema): PlainSchema {
  const out: Record<string, unknown> = { ...rest }
  if (items) out.eachItem = { each: bounded(items), plain: items } satisfies Each
  if (properties) out.properties = Object.fromEntries(Object.entries(properties).map(([k, s]) => [k, bounded(s)]))
  if (properties && rest.additionalProperties === false) {
    delete out.additionalProperties
    out.onlyNames = Object.keys(properties)
  }
  // The schemas of maps have one pattern, which every name matches.
  for (const value of Object.values(patternProperties ?? {}))
    out.eachValue = { each: bounded(value), plain: value } satisfies Each
  if (anyOf) out.anyOf = anyOf.map(bounded)
  return out as PlainSchema
}

/** @param isSecret what was given is not shown */
function explain(error: ErrorObject, schema: PlainSchema, isSecret: boolean): Fault {
  const at = error.instancePath
  const shown = isSecret ? {} : { value: short(error.data) }
  switch (error.keyword) {
    case 'additionalProperties': {
      // As found by `onlyNames`, or by the validator.
      const name = String(error.params.name ?? error.params.additionalProperty)
      const known: string[] = error.params.known ?? Object.keys((error.parentSchema ?? schema).properties ?? {})
      const near = nearest(name, known)
      const hint = near ? ` (did you mean "${near}"?)` : known.length > 0 ? ` (known: ${known.join(', ')})` : ''
      return { path: `${at}/${brief(name)}`, message: `unknown property${hint}`, code: 'unknown_property' }
    }
    case 'required':
      return { path: `${at}/${error.params.missingProperty}`, message: 'is missing', code: 'missing' }
    case 'enum': {
      const allowed = error.params.allowedValues as unknown[]
      return {
        path: at,
        message: `must be one of ${allowed.join(', ')}`,
        code: 'not_allowed',
        ...shown,
        allowed,
      }
    }
    case 'const':
      return {
        path: at,
        message: `must be ${JSON.stringify(error.params.allowedValue)}`,
        code: 'not_allowed',
        ...shown,
      }
    case 'type':
      return {
        path: at || '/',
        message: `must be ${[error.params.type].flat().join(' or ')}${formOf(error.parentSchema)}`,
        code: 'wrong_type',
        ...shown,
      }
    case 'pattern': {
      // A pattern says little to people; the field's description says what is expected.
      const about = (error.parentSchema as PlainSchema | undefined)?.description
      const message = `${error.message ?? 'has the wrong form'}${about === undefined ? '' : ` (${about.replace(/\.$/, '')})`}`
      return { path: at, message, code: 'pattern', ...shown }
    }
    default:
      return { path: at || '/', message: error.message ?? error.keyword, code: error.keyword, ...shown }
  }
}

/** What an object, or each entry of a list, has: the names of its fields. */
function formOf(schema: PlainSchema | undefined): string {
  const { properties, eachItem, items } = schema ?? {}
  const entry = items ?? (eachItem as Each | undefined)?.plain
  if (properties) return ` { ${Object.keys(properties).join(', ')} }`
  return entry?.properties ? ` of { ${Object.keys(entry.properties).join(', ')} }` : ''
}

/** A text for an error message: enough to recognise it, never a whole file. */
const brief = (text: string) => shortened(text, 100)

function isOfSecret({ parentSchema }: ErrorObject): boolean {
  return (parentSchema as PlainSchema | undefined)?.['x-secret'] !== undefined
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return brief(value)
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? '[array]' : '[object]'
  return value
}
