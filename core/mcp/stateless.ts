/**
 * MCP 2026-07-28 over HTTP: each request stands alone and says in `_meta` which version it speaks and what its client
 * can do. The SDK checks it, answers `server/discover` and keeps the streams of `subscriptions/listen`; the handlers
 * are those of the sessions before it.
 */
import { toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  type McpRequestContext,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import type { Actor } from '../contract/access.ts'
import type { ToolSelection } from './catalogue.ts'
import { clientOf } from './client.ts'
import { makeServer } from './server.ts'
import { introduce, keyOf, type McpSession, noteMessage, requestWithoutSession } from './sessions.ts'
import { watchResources } from './subscriptions.ts'
import type { Tools } from './tools.ts'

/** Who sends a request, and what they see. */
interface Sender {
  readonly actor: Actor
  readonly selection: ToolSelection
  readonly body: unknown
}

export class StatelessMcp {
  readonly #handler: McpHttpHandler
  readonly #endWatch: () => void

  constructor(tools: Tools) {
    const onerror = (error: Error) => tools.gateway.log.debug({ err: error }, 'MCP protocol error')
    const bus = new InMemoryServerEventBus(onerror)
    const factory = ({ authInfo }: McpRequestContext) =>
      makeServer(tools, sessionOf(senderOf(authInfo), tools), 'request')
    const handler = createMcpHandler(factory, { legacy: 'reject', onerror, bus })
    this.#handler = handler
    const isHeard = () => bus.listenerCount > 0
    this.#endWatch = watchResources(tools.gateway, (uri) => handler.notify.resourceUpdated(uri), isHeard)
  }

  /** Answers one request; when its client leaves, what it asked for is cancelled. */
  async answer(sender: Sender, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    // The SDK's type of a request allows no absent fields (exactOptionalPropertyTypes).
    const asked = await toWebRequest(request.raw as never, sender.body, { signal: left.signal })
    const authInfo = { token: '', clientId: keyOf(sender.actor), scopes: [], extra: { sender } }
    return reply.send(await this.#handler.fetch(asked, { authInfo, parsedBody: sender.body }))
  }

  async close(): Promise<void> {
    this.#endWatch()
    await this.#handler.close()
  }
}

function senderOf(authInfo: McpRequestContext['authInfo']): Sender {
  return authInfo?.extra?.sender as Sender
}

/** The request with what it says about its client. */
function sessionOf({ actor, selection, body }: Sender, { gateway }: Tools): McpSession {
  const meta = isObject(body) && isObject(body.params) ? body.params._meta : undefined
  const group = defined({ group: groupOfTrace(meta) })
  const session = requestWithoutSession({ selection, caller: actor, now: gateway.clock(), ...group })
  const { client, protocolVersion } = clientOf(meta)
  if (client) introduce(session, client, protocolVersion)
  noteMessage(session, actor, session.createdAt)
  return session
}

/**
 * The group of a request without a session: the trace that its client names, so that one task of an agent can be taken
 * back as one (W3C Trace Context, 3.2; MCP 2026-07-28, `_meta`).
 */
function groupOfTrace(meta: unknown): string | undefined {
  const traceparent = isObject(meta) ? meta.traceparent : undefined
  const [, trace] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(traceparent)) ?? []
  return trace === undefined ? undefined : `trace-${trace}`
}
