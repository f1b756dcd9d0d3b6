/** Paths and methods without a route: preflights, OPTIONS, 405, and 404 with the nearest route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { type GatewayError, problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { routesMeant } from './meant-route.ts'
import { pathOf } from './replies.ts'
import { RouteIndex } from './route-index.ts'

const allMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
const corsHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, Prefer, X-API-Key, X-Client-Id, X-Correlation-Id, X-Group-Id, X-MCP-Readonly, X-MCP-Tools, X-MCP-Toolsets'

/** The common properties of all routes. */
interface AnyRoute {
  readonly method: string
  readonly path: string
  readonly operation?: Operation
}

/** Adds the handler. Must be called before the routes are added, so that it sees those that are not operations too. */
export function answerUnknownPaths(app: FastifyInstance, gateway: Gateway): void {
  const otherRoutes: AnyRoute[] = []
  let index: RouteIndex<AnyRoute> | undefined
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.path !== undefined) return
    const path = url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest*}')
    otherRoutes.push(...[method].flat().map((one) => ({ method: one, path })))
  })
  app.setNotFoundHandler(async (request, reply) => {
    const { method, url = '/' } = request.raw
    const path = pathOf(url)
    const allowed = url === '*' ? allMethods : methodsOf(app, path)
    if (method === 'OPTIONS') return answerOptions(request, reply, allowed)
    if (allowed.length === 0 || allowed.includes(method!)) {
      index ??= new RouteIndex<AnyRoute>([...gateway.registry.routes, ...otherRoutes])
      throw unknownPath(index, method!, path)
    }
    reply.header('allow', allowed.join(', '))
    throw problem('method_not_allowed', `${method} ${path} is not possible; allowed: ${allowed.join(', ')}.`)
  })
}

/** The methods of a path, for `Allow`; none when no route has it. Streams have no HEAD. */
function methodsOf(app: FastifyInstance, path: string): string[] {
  const methods = allMethods.filter((method) => app.findRoute({ method, url: path }) !== null)
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'].sort()
}

/** RFC 9110, 9.3.7; a preflight is an OPTIONS request too (Fetch standard, 4.8). */
function answerOptions({ raw }: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) {
  if (allowed.length === 0 && raw.headers.origin === undefined)
    throw problem('route_not_found', `${pathOf(raw.url).slice(0, 200)} is not a path of this gateway.`)
  reply.code(204).headers({ allow: allowed.join(', '), 'cache-control': 'no-store' })
  if (raw.headers['access-control-request-method'] !== undefined) {
    reply.headers({
      'access-control-allow-methods': (allowed.length > 0 ? allowed : allMethods).join(', '),
      'access-control-allow-headers': corsHeaders,
      'access-control-max-age': '600',
    })
  }
  return reply.send()
}

function unknownPath(index: RouteIndex<AnyRoute>, method: string, path: string): GatewayError {
  const [hint, ...others] = routesMeant(index, method, path.slice(0, 500)).map((one) => `${one.method} ${one.path}`)
  const hints = [hint, ...others].join(', or ')
  return problem(
    'route_not_found',
    `${method} ${path.slice(0, 200)} is not a route of this gateway.${hint ? ` Did you mean ${hints}?` : ''}`,
    hint ? { suggestion: hint } : {},
  )
}
