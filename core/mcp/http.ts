/**
 * MCP's routes on the HTTP server. Small, because it is loaded at start: everything else is loaded with the first
 * request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { metadataPaths, resourceMetadata } from '../http/protected-resource.ts'
import { asProblem, jsonType, sendProblem } from '../http/replies.ts'
import type { McpEndpoint } from './endpoint.ts'
import { errorText, rpcCodes } from './json-rpc.ts'
import { addresses } from './operations.ts'

/** Bodies that cannot be read, with the JSON-RPC error that says so. */
const bodyFaults: Readonly<Record<string, number>> = {
  malformed_body: rpcCodes.parseError,
  payload_too_large: rpcCodes.invalidRequest,
  unsupported_media_type: rpcCodes.invalidRequest,
}

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
  // Clients read JSON-RPC from `/mcp`; the refusals of other servers on the way, a missing key say, stay problems.
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = asProblem(gateway, error, request)
    const code = bodyFaults[failure.code]
    if (code === undefined) return sendProblem(gateway, failure, request, reply)
    return sendProblem(gateway, failure, request, reply, (body) => ({
      type: jsonType,
      text: errorText(null, code, body.detail, body),
    }))
  }
  app.post('/mcp', { errorHandler }, handler('post'))
  app.get('/mcp', handler('get'))
  app.delete('/mcp', handler('delete'))
  app.get('/mcp/sse', handler('openSse'))
  app.post('/mcp/messages', handler('postMessage'))
  for (const path of metadataPaths)
    app.get(path, { config: { access: 'public' } }, () => {
      const metadata = resourceMetadata(gateway)
      if (metadata) return metadata
      throw problem(
        'not_found',
        'This gateway takes API keys; no authorization server is set (mcp.authorizationServers).',
      )
    })
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (address !== null && typeof address === 'object') addresses.set(gateway, address)
  })
  app.addHook('preClose', async () => {
    if (!loading) return
    await (await import('./sessions.ts')).gatewaySessions(gateway).closeAll()
    await (await loading).close()
  })
}
