/**
 * MCP's routes on the HTTP server. Small, because it is loaded at start: everything else is loaded with the first
 * request.
 */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Gateway } from '../gateway.ts'
import type { McpEndpoint } from './endpoint.ts'
import { addresses } from './operations.ts'

/** Adds `/mcp`, `/mcp/sse` and `/mcp/messages`: an `HttpAdapter`. */
export async function registerMcp(app: FastifyInstance, gateway: Gateway): Promise<void> {
  let endpoint: McpEndpoint | undefined
  let loading: Promise<McpEndpoint> | undefined
  const load = async (): Promise<McpEndpoint> => {
    const [{ McpEndpoint }, { gatewayTools }, { gatewaySessions }] = await Promise.all([
      import('./endpoint.ts'),
      import('./tools.ts'),
      import('./sessions.ts'),
    ])
    endpoint = new McpEndpoint(gatewayTools(gateway), gatewaySessions(gateway))
    return endpoint
  }
  const handler =
    (method: 'post' | 'get' | 'delete' | 'openSse' | 'postMessage'): RouteHandlerMethod =>
    async (request, reply) => {
      loading ??= load()
      return (endpoint ?? (await loading))[method](request, reply)
    }
  app.post('/mcp', handler('post'))
  app.get('/mcp', handler('get'))
  app.delete('/mcp', handler('delete'))
  app.get('/mcp/sse', handler('openSse'))
  app.post('/mcp/messages', handler('postMessage'))
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (address !== null && typeof address === 'object') addresses.set(gateway, address)
  })
  app.addHook('preClose', async () => {
    if (loading) await (await import('./sessions.ts')).gatewaySessions(gateway).closeAll()
  })
}
