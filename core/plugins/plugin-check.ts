/**
 * Checks a plugin before anything of it is registered: fields, their types, unknown keys, routes. A plugin is code of
 * somebody else, in JavaScript perhaps, so what TypeScript promises is checked here once, and nothing later has to
 * doubt it.
 */
import { isObject } from '../../lib/is-object.ts'
import { nearest } from '../../lib/nearest.ts'
import { accessLevels } from '../contract/access.ts'
import { pathParameters } from '../contract/operation.ts'

/** Version of the plugin API: the surface in `plugin-api.ts` and the fields of a plugin. */
export const pluginApiVersion = '1.0.0'

/** Returns what is wrong with a value; the place is the path of the value in the plugin. */
type Check = (value: unknown, place: string) => string[]

const ofType =
  (type: 'string' | 'boolean' | 'function', named: string): Check =>
  (value, place) =>
    typeof value === type ? [] : [`${place} must be ${named}, not ${kindOf(value)}`]
const text = ofType('string', 'text')
const flag = ofType('boolean', 'true or false')
const callable = ofType('function', 'a function')
const anything: Check = () => []
const none: Check = (value) => (value === false ? [] : [''])
const whole: Check = (value, place) =>
  Number.isInteger(value) ? [] : [`${place} must be an integer, not ${shown(value)}`]
const filled: Check = (value, place) =>
  typeof value === 'string' && value.trim() !== ''
    ? []
    : [`${place} must be text that is not empty, not ${kindOf(value)}`]
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, place) =>
    allowed.includes(value as string) ? [] : [`${place} must be one of ${allowed.join(', ')}, not ${shown(value)}`]
const either =
  (named: string, ...checks: readonly Check[]): Check =>
  (value, place) =>
    checks.some((check) => check(value, place).length === 0) ? [] : [`${place} must be ${named}, not ${kindOf(value)}`]
const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value)
      ? value.flatMap((item, i) => check(item, `${place}[${i}]`))
      : [`${place} must be a list, not ${kindOf(value)}`]
const mapOf =
  (check: Check): Check =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => check(item, `${place}.${key}`))
      : [`${place} must be an object, not ${kindOf(value)}`]

/** An object with exactly these fields. */
function shape(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const known = { ...required, ...optional }
  return (value, place) => {
    if (!isObject(value)) return [`${place === '' ? 'it' : place} must be an object, not ${kindOf(value)}`]
    const at = (key: string) => (place === '' ? key : `${place}.${key}`)
    const faults: string[] = []
    for (const [key, check] of Object.entries(known)) {
      if (value[key] !== undefined) faults.push(...check(value[key], at(key)))
      else if (key in required) faults.push(`${at(key)} is missing`)
    }
    for (const key of Object.keys(value)) {
      if (key in known) continue
      const near = nearest(key, Object.keys(known))
      faults.push(`${at(key)} is not known${near === undefined ? '' : ` (did you mean "${near}"?)`}`)
    }
    return faults
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const route: Check = (value, place) => {
  const faults = shape({ method: oneOf(...methods), path: text, mode: oneOf('sync', 'async') })(value, place)
  if (faults.length > 0) return faults
  const { path } = value as { path: string }
  if (!/^\/(api|mcp)\//.test(path)) return [`${place}.path must start with /api/ or /mcp/, not ${shown(path)}`]
  if (!/^(\/([^/{}*\s]+|\{\w+\}))+(\/\{\w+\*\})?$/.test(path))
    return [`${place}.path ${shown(path)} is not a path: segments are words or {name}; {name*} may be the last one`]
  const names = pathParameters(path)
  return new Set(names).size === names.length ? [] : [`${place}.path ${shown(path)} names a parameter twice`]
}

const plainKinds = ['text', 'number', 'boolean', 'function', 'text[]', 'list', 'object']
const memberKinds = plainKinds.flatMap((kind) => [kind, `${kind}?`])

const exposure = either(
  'false, or { toolset } with essential, destructive, defaults',
  (value) => (value === false ? [] : ['']),
  shape({ toolset: filled }, { essential: flag, destructive: flag, defaults: mapOf(anything) }),
)

const operation: Check = (value, place) => {
  const kinds = ['command', 'query', 'stream']
  if (!isObject(value) || !kinds.includes(value.kind as string))
    return [`${place} must be made with command(…), query(…) or stream(…)`]
  const isStream = value.kind === 'stream'
  const at = typeof value.id === 'string' ? `operation "${value.id}"` : place
  return shape(
    {
      kind: oneOf(...kinds),
      id: filled,
      title: filled,
      input: callable,
      http: listOf(route),
      mcp: exposure,
      run: callable,
      ...(isStream ? {} : { output: callable }),
    },
    {
      description: text,
      access: oneOf(...accessLevels, 'public'),
      needsInstance: flag,
      whenDamaged: flag,
      besideLane: flag,
      quietMs: whole,
      aliases: mapOf(listOf(text)),
      asks: listOf(filled),
      example: anything,
      ...(isStream
        ? {}
        : { live: flag, tagged: flag, byTime: flag, changes: text, produces: filled, accepts: mapOf(mapOf(anything)) }),
      ...(value.kind === 'command'
        ? {
            admit: callable,
            streams: mapOf(filled),
            sealsResult: listOf(filled),
            lasting: either('text or false', text, none),
          }
        : {}),
    },
  )(value, at)
}

const event = shape({ type: filled, title: filled }, { schema: callable, description: text })
const reduction: Check = (value, place) =>
  shape({ event, reduce: callable })(value, place).length === 0 ? [] : [`${place} must be made with on(event, reducer)`]
const owner: Check = (value, place) => filled(isObject(value) ? value.id : undefined, place)
const ending: Check = (value, place) =>
  shape({ event, owner, idOf: callable })(value, place).length === 0
    ? []
    : [`${place} must be made with endsOwner(event, owner, idOf)`]

const kept: Check = (value, place) =>
  isObject(value) && typeof value.id === 'string' && isObject(value.indexes) && Array.isArray(value.owners)
    ? []
    : [`${place} must be made with collection(id, …)`]

const plugin = shape(
  { name: filled, version: filled },
  {
    api: filled,
    description: text,
    requires: listOf(filled),
    slice: shape(
      { version: whole, collections: listOf(kept), reductions: listOf(reduction) },
      { endings: listOf(ending), putBack: callable },
    ),
    operations: listOf(operation),
    wireRoutes: listOf(
      shape(
        { method: oneOf(...methods), path: filled, title: filled },
        {
          description: text,
          takes: filled,
          answers: filled,
          parameters: listOf(shape({ name: filled, description: text }, { required: flag })),
        },
      ),
    ),
    events: listOf(event),
    extensionPoints: listOf(
      shape(
        {
          id: filled,
          title: filled,
          description: filled,
          constant: filled,
          check: either('"function", or the kinds of its members', oneOf('function'), mapOf(oneOf(...memberKinds))),
          example: filled,
        },
        { formerly: filled, faults: callable },
      ),
    ),
    // A value that is missing is told where the point is known, with what it must be.
    extensions: listOf(shape({ point: filled }, { value: anything })),
    hooks: listOf(shape({ on: filled }, { perJob: flag, before: callable, after: callable })),
    problems: mapOf(shape({ status: whole, title: filled, meaning: filled, remedy: filled, example: text })),
    docs: listOf(shape({ name: filled, title: filled, text: either('text or a function', text, callable) })),
    start: callable,
    stop: callable,
  },
)

/**
 * Returns what is wrong with the default export of a plugin; empty: nothing. Reports at most 20 faults.
 *
 * @param satisfies checks whether a version is in a range of npm's notation (`semver.satisfies`)
 */
export function pluginFaults(value: unknown, satisfies: (version: string, range: string) => boolean): string[] {
  const faults = plugin(value, '')
  const range = isObject(value) ? value.api : undefined
  if (typeof range === 'string' && !satisfies(pluginApiVersion, range))
    faults.unshift(`it is made for version ${shown(range)} of the plugin API; this gateway has ${pluginApiVersion}`)
  return faults.length <= 20 ? faults : [...faults.slice(0, 20), `and ${faults.length - 20} more`]
}

/** What a value is, in words: `a list`, `"text"`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value === '' ? 'empty text' : shown(value)
  return typeof value === 'object' ? 'an object' : typeof value === 'function' ? 'a function' : String(value)
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80)
}
