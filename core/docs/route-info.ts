/** The description of one route, for `GET /api/command/list` and `GET /api/command/info/{route}`. */
import { defined } from '../../lib/optional.ts'
import { sortableList } from '../calls/sorted-list.ts'
import { accessOf, type Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import { buildSchema, type PlainSchema } from '../contract/schema.ts'
import { routesMeant } from '../http/meant-route.ts'
import { RouteIndex } from '../http/route-index.ts'
import { operationsMeant } from '../input/meant-operation.ts'
import type { RegisteredRoute, Registry } from '../plugins/registry.ts'
import { parametersOf, typeText, wireSchema } from './parameters.ts'
import { curlExample } from './samples.ts'

/** One entry of the list. */
export interface RouteEntry {
  readonly method: string
  readonly path: string
  readonly route: string
  readonly controller: string
  readonly operation: string
  readonly kind: 'command' | 'query' | 'stream' | 'wire'
  readonly title: string
  readonly mode: 'sync' | 'async'
  readonly access: string
}

/** The entry of an operation's route. */
export function routeEntry({ method, path, mode, operation, plugin }: RegisteredRoute): RouteEntry {
  return {
    method,
    path,
    route: path,
    controller: plugin,
    operation: operation.id,
    kind: operation.kind,
    title: operation.title,
    mode,
    access: accessOf(operation),
  }
}

/** The entry of a route that an adapter serves itself. */
export function wireRouteEntry({ method, path, title, plugin }: Registry['wireRoutes'][number]): RouteEntry {
  return {
    method,
    path,
    route: path,
    controller: plugin,
    operation: '',
    kind: 'wire',
    title,
    mode: 'sync',
    access: 'viewer',
  }
}

const problemResponse = {
  status: '4XX, 5XX',
  contentType: 'application/problem+json',
  description: 'See GET /api/errors.',
}

/** The routes of this path that an adapter serves itself; the one with the given method first. */
export function findWireRoutes(registry: Registry, text: string, method?: string): Registry['wireRoutes'] {
  const named = /^([A-Z]+)[ :]+(.*)$/i.exec(text.trim())
  const paths = candidates(decoded(named?.[2] ?? text.trim()).replace(/\?.*$/s, ''))
  const wanted = (named?.[1] ?? method)?.toUpperCase()
  const routes = registry.wireRoutes.filter(({ path }) => paths.includes(path))
  return [...routes.filter((r) => r.method === wanted), ...routes.filter((r) => r.method !== wanted)]
}

/** The description of a route that is not an operation. */
export function describeWireRoute(routes: Registry['wireRoutes']) {
  const [route] = routes
  if (!route) throw new Error('describeWireRoute needs a route')
  const { method, path, description, parameters = [], takes, answers } = route
  const body = takes === undefined ? '' : ` -H "Content-Type: ${takes}" -d '{"jsonrpc":"2.0","id":1,"method":"ping"}'`
  return {
    ...wireRouteEntry(route),
    ...defined({ description }),
    needsInstance: false,
    methods: routes.map((one) => one.method),
    otherRoutes: routes.slice(1).map((one) => ({ method: one.method, path: one.path, mode: 'sync' })),
    parameters: parameters.map(({ name, required = false, description: about }) => ({
      name,
      in: 'query' as const,
      type: 'string',
      required,
      description: about,
    })),
    contentTypes: takes === undefined ? [] : [takes],
    body: takes === undefined ? null : { type: 'object', description: 'A JSON-RPC 2.0 message.' },
    example: `curl ${method === 'GET' ? '-N' : `-X ${method}`} "$GANTRY${path}" -H "X-API-Key: $KEY"${body}`,
    responses: [
      answers === undefined
        ? { status: '204', contentType: '', description: 'It is done; there is no content.' }
        : { status: answers === 'text/plain' ? '202' : '200', contentType: answers, description: 'The answer.' },
      problemResponse,
    ],
  }
}

/**
 * Finds the route that a client means: an operation id, a pattern or a real path, with or without `/api`, URL-encoded
 * or not, with or without the method in front.
 *
 * @returns the route and all that share its path
 * @throws GatewayError `route_not_found` with the nearest one
 */
export function findRoutes(registry: Registry, text: string, method?: string): RegisteredRoute[] {
  const given = decoded(text.trim())
  const named = /^(GET|POST|PUT|PATCH|DELETE|HEAD)[ :]+(.*)$/i.exec(given)
  const wanted = (named?.[1] ?? method)?.toUpperCase().replace('HEAD', 'GET')
  const rest = (named?.[2] ?? given).replace(/\?.*$/s, '')
  const operation = registry.operation(rest.replace(/^\//, ''))
  const table = new RouteIndex(registry.routes)
  const routes = operation
    ? registry.routes.filter((route) => route.operation === operation)
    : candidates(rest).reduce<RegisteredRoute[]>((found, path) => {
        if (found.length > 0) return found
        const same = table.withPattern(path)
        return same.length > 0 ? same : table.matches(path)
      }, [])
  const chosen = wanted ? routes.filter((route) => route.method === wanted) : routes
  if (chosen.length > 0) return [...chosen, ...routes.filter((route) => !chosen.includes(route))]
  const near = nearest(registry, table, rest, wanted)
  const reason =
    routes.length > 0
      ? `"${rest}" has no method ${wanted}; it has ${routes.map((route) => route.method).join(', ')}.`
      : `"${rest.slice(0, 200)}" is neither a route nor an operation of this gateway.`
  throw problem('route_not_found', near ? `${reason} Did you mean ${near}?` : reason, near ? { suggestion: near } : {})
}

/** The path unchanged, and with `/api` in front. */
function candidates(text: string): string[] {
  const path = text.startsWith('/') ? text : `/${text}`
  return /^\/(api|mcp)(\/|$)/.test(path) ? [path] : [`/api${path}`, path]
}

/** The decoded text. Some clients encode twice: once for the path parameter, once for the path. */
function decoded(text: string): string {
  if (!/%2f/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function nearest(registry: Registry, table: RouteIndex, text: string, method = 'GET'): string | undefined {
  // A word without slashes is taken for an operation id.
  if (!text.replace(/^\//, '').includes('/')) {
    const id = operationsMeant(text.slice(0, 100), registry.operations)[0]?.id
    if (id !== undefined || text.includes('.')) return id
  }
  for (const path of candidates(text)) {
    const route = routesMeant(table, method, path.slice(0, 500))[0] ?? table.nearest(method, path.slice(0, 500))
    if (route) return `${route.method} ${route.path}`
  }
  return undefined
}

/** The full description of a route. */
export async function describeRoute(routes: readonly RegisteredRoute[]) {
  const [route] = routes
  if (!route) throw new Error('describeRoute needs a route')
  const { operation } = route
  const input = await buildSchema(operation.input)
  const parameters = parametersOf(route, operation, input, await sortableList(operation))
  const body = parameters.filter((p) => p.in === 'body')
  return {
    ...routeEntry(route),
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.mcp ? { toolset: operation.mcp.toolset } : {}),
    needsInstance: operation.needsInstance === true,
    methods: [...new Set(routes.filter((r) => r.path === route.path).map((r) => r.method))],
    otherRoutes: routes.slice(1).map(({ method, path, mode }) => ({ method, path, mode })),
    parameters: parameters.map((p) => ({
      name: p.name,
      in: p.in,
      type: typeText(p.schema),
      required: p.required,
      ...(p.schema.description ? { description: p.schema.description } : {}),
      ...defined({ default: p.schema.default }),
      ...(p.aliases ? { aliases: [...p.aliases] } : {}),
    })),
    contentTypes:
      body.length === 0
        ? []
        : body.some((p) => p.schema['x-upload'])
          ? ['multipart/form-data', 'application/json']
          : ['application/json'],
    body:
      body.length === 0
        ? null
        : bodySchema(
            input,
            body.map((p) => p.name),
          ),
    example: curlExample(route, operation, input),
    responses: await responseList(operation, route),
  }
}

/** The part of the input schema that belongs to the body. */
function bodySchema(input: PlainSchema, names: readonly string[]): PlainSchema {
  const required = (input.required ?? []).filter((name) => names.includes(name))
  return {
    ...input,
    properties: Object.fromEntries(names.map((name) => [name, wireSchema(input.properties?.[name] ?? {})])),
    required,
  }
}

async function responseList(operation: Operation, { mode }: RegisteredRoute) {
  const errors = [problemResponse]
  if (operation.kind === 'stream') {
    return [{ status: '200', contentType: 'text/event-stream', description: 'Server-sent events.' }, ...errors]
  }
  if (mode === 'async') {
    const description = 'The job: { jobId, status }; poll GET /api/jobs/{jobId}.'
    return [{ status: '202', contentType: 'application/json', description }, ...errors]
  }
  const { produces, accepts } = operation
  const text = produces ? [{ contentType: produces, schema: { type: 'string' } }] : []
  // With `accepts` the text is the alternative that a client requests.
  const json =
    produces && !accepts ? [] : [{ contentType: 'application/json', schema: await buildSchema(operation.output) }]
  const events =
    operation.kind === 'command' && operation.streams
      ? [{ contentType: 'text/event-stream', schema: { type: 'string' } }]
      : []
  const results = [...events, ...json, ...text].map((content) => ({
    status: '200',
    description: 'The result.',
    ...content,
  }))
  return [...results, ...errors]
}
