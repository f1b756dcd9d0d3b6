/**
 * The HTTP side of MCP: Streamable HTTP at `/mcp`, and the older HTTP+SSE pair `/mcp/sse` and `/mcp/messages`. Loaded
 * with the first request.
 */

import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import { callerOf } from '../http/auth.ts'
import { takeOver } from '../http/replies.ts'
import { answerCall } from './calls.ts'
import { sessionEvents } from './event-store.ts'
import { checkMessage, errorText, isRequest, type RpcRequest, readToolCall, rpcCodes } from './json-rpc.ts'
import { mcpParameters, type Requested, readRequested, requireSameSelection } from './requested-selection.ts'
import { connectServer } from './server.ts'
import {
  groupOf,
  keyOf,
  type McpSession,
  type McpSessions,
  newSession,
  noteMessage,
  requestWithoutSession,
} from './sessions.ts'
import { SseTransport } from './sse.ts'
import { StatelessMcp } from './stateless.ts'
import type { Tools } from './tools.ts'

/** Session ids that a client may choose: they appear in URLs and log lines. */
const sessionIdPattern = /^[\w.~-]{1,128}$/
/** Protocol versions whose tool calls are answered without the SDK; the SDK decides about any other. */
const knownVersions = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
const jsonType = 'application/json; charset=utf-8'

/** MCP 2025-06-18 took batches away: what a client of it sends as one is a mistake. */
const noBatch = [
  rpcCodes.invalidRequest,
  'Invalid request: one message a request; MCP has no batches since 2025-06-18',
] as const
const isUnknownBatch = (body: unknown, version: string | undefined) =>
  Array.isArray(body) && version !== undefined && version >= '2025-06-18'

export class McpEndpoint {
  readonly #tools: Tools
  readonly #sessions: McpSessions
  readonly #streamable = new WeakMap<McpSession, NodeStreamableHTTPServerTransport>()
  readonly #sse = new WeakMap<McpSession, SseTransport>()

  #stateless: StatelessMcp | undefined

  constructor(tools: Tools, sessions: McpSessions) {
    this.#tools = tools
    this.#sessions = sessions
  }

  /** `POST /mcp`: one JSON-RPC message (or, for old clients, a batch), answered as JSON or as a stream. */
  async post(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const actor = callerOf(request)
    const { body } = request
    const requested = await readRequested(request, mcpParameters.streamable, this.#tools.catalogue)
    if (body === undefined || body === null)
      return this.#refuse(reply, 400, rpcCodes.parseError, 'Parse error: the body is empty')
    if (Array.isArray(body) && body.length === 0)
      return this.#refuse(reply, 400, rpcCodes.invalidRequest, 'Invalid request: the batch has no messages')
    if (standsAlone(request)) {
      this.#stateless ??= new StatelessMcp(this.#tools)
      const { selection } = requested
      return this.#stateless.answer({ actor, selection, body }, request, reply)
    }
    const sessionId = header(request, 'mcp-session-id')
    if (sessionId !== undefined) {
      const session = this.#owned(sessionId, actor)
      if (session?.transport !== 'streamable-http') return this.#gone(reply, sessionId)
      requireSameSelection(requested, session.selection)
      if (isUnknownBatch(body, session.protocolVersion)) return this.#refuse(reply, 400, ...noBatch)
      noteMessage(session, actor, this.#tools.gateway.clock())
      if (mayAnswerDirectly(request, body) && !this.#needsStream(session, body))
        return this.#answer(session, body, reply)
      return this.#handOver(this.#streamable.get(session)!, request, reply, body)
    }
    if (isUnknownBatch(body, header(request, 'mcp-protocol-version'))) return this.#refuse(reply, 400, ...noBatch)
    const isInitialize = isObject(body) && body.method === 'initialize'
    return isInitialize
      ? this.#initialize(actor, requested, request, reply, body)
      : this.#withoutSession(actor, requested, request, reply, body)
  }

  /** `GET /mcp`: the stream for messages that are not answers. */
  async get(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const actor = callerOf(request)
    await readRequested(request, mcpParameters.streamable, this.#tools.catalogue)
    const sessionId = header(request, 'mcp-session-id')
    if (sessionId === undefined) {
      reply.header('allow', 'POST')
      return this.#refuse(reply, 405, rpcCodes.invalidRequest, 'A stream needs a session: send Mcp-Session-Id')
    }
    const session = this.#owned(sessionId, actor)
    if (session?.transport !== 'streamable-http') return this.#gone(reply, sessionId)
    noteMessage(session, actor, this.#tools.gateway.clock())
    const streams = openStreams.get(session) ?? 0
    openStreams.set(session, streams + 1)
    reply.raw.once('close', () => {
      openStreams.set(session, (openStreams.get(session) ?? 1) - 1)
      session.lastActivityAt = this.#tools.gateway.clock()
    })
    return this.#handOver(this.#streamable.get(session)!, request, reply)
  }

  /** `DELETE /mcp`: the client ends its session. */
  async delete(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const actor = callerOf(request)
    await readRequested(request, mcpParameters.streamable, this.#tools.catalogue)
    const sessionId = header(request, 'mcp-session-id')
    if (sessionId === undefined)
      return this.#refuse(reply, 400, rpcCodes.invalidRequest, 'Mcp-Session-Id names the session to end; it is missing')
    const session = this.#owned(sessionId, actor)
    if (session?.transport !== 'streamable-http') return this.#gone(reply, sessionId)
    this.#sessions.remove(session)
    await session.close()
    return this.#send(reply, 204)
  }

  /** `GET /mcp/sse`: opens a stream; the client may name its session. */
  async openSse(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const actor = callerOf(request)
    const { selection, sessionId: wanted } = await readRequested(request, mcpParameters.sse, this.#tools.catalogue)
    if (wanted !== undefined && !sessionIdPattern.test(wanted))
      throw problem(
        'invalid_input',
        `/sessionId: ${JSON.stringify(wanted.slice(0, 100))} is not a session id (1 to 128 of A-Z a-z 0-9 . _ ~ -).`,
        {
          errors: [{ path: '/sessionId', message: 'must match ^[A-Za-z0-9._~-]{1,128}$' }],
        },
      )
    const sessionId = wanted ?? randomUUID()
    const holder = this.#sessions.get(sessionId)
    if (holder) {
      if (holder.key !== keyOf(actor) || holder.transport !== 'sse')
        throw problem('conflict', `MCP session "${sessionId}" is in use. Name another one, or none.`)
      // The same client again: its old stream is broken, even if this side has not noticed yet.
      this.#sessions.remove(holder)
      await holder.close()
    }
    const transport = new SseTransport(reply.raw, '/mcp/messages', sessionId)
    const session = newSession({
      sessionId,
      group: groupOf(sessionId),
      transport: 'sse',
      selection,
      caller: actor,
      now: this.#tools.gateway.clock(),
      isConnected: () => transport.isOpen,
      close: () => transport.close(),
    })
    await this.#sessions.add(session)
    this.#sse.set(session, transport)
    transport.onclose = () => this.#sessions.remove(session)
    this.#takeOver(reply)
    await connectServer(this.#tools, session, transport, (json) => transport.sendText(json))
    return reply
  }

  /** `POST /mcp/messages`: one message of a client with an open SSE stream; the answer comes on the stream. */
  async postMessage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const actor = callerOf(request)
    const requested = await readRequested(request, mcpParameters.messages, this.#tools.catalogue)
    const session = this.#sseSession(requested.sessionId ?? header(request, 'mcp-session-id'), actor)
    requireSameSelection(requested, session.selection)
    const message = checkMessage(request.body)
    noteMessage(session, actor, this.#tools.gateway.clock())
    // Checked by `checkMessage` the line before; the SDK has another type of the same message.
    this.#sse.get(session)!.onmessage?.(message as never)
    return this.#send(reply, 202, 'Accepted', 'text/plain; charset=utf-8')
  }

  /** Without an id: the only open stream of this key. */
  #sseSession(sessionId: string | undefined, actor: Actor): McpSession {
    if (sessionId !== undefined) {
      const session = this.#owned(sessionId, actor)
      if (session?.transport === 'sse' && session.isConnected()) return session
      throw problem(
        'not_found',
        `There is no MCP session "${sessionId.slice(0, 128)}" with an open stream. Open one with GET /mcp/sse.`,
      )
    }
    const own = this.#sessions.list().filter((s) => s.transport === 'sse' && s.key === keyOf(actor))
    if (own.length === 1) return own[0]!
    throw problem(
      'invalid_input',
      `/sessionId: is missing, and this key has ${own.length} open streams. Post to the address of the stream's "endpoint" event.`,
      {
        errors: [{ path: '/sessionId', message: 'is missing', code: 'missing' }],
      },
    )
  }

  /**
   * Whether the answer must be a stream, which the SDK makes: when a question to the person may come before it, and
   * when the call may change something and the client can fetch an answer whose connection broke (an event id before
   * the first message: MCP 2025-11-25, Transports). A query can simply be asked again.
   */
  #needsStream({ canAsk, protocolVersion = '' }: McpSession, body: RpcRequest): boolean {
    const call = readToolCall(body)
    if (typeof call === 'string') return false
    if (canAsk && this.#tools.mayAsk(call.name, call.args)) return true
    return protocolVersion >= '2025-11-25' && this.#tools.mayChange(call.name)
  }

  /** Ends what is open; the sessions are ended by their own list. */
  async close(): Promise<void> {
    await this.#stateless?.close()
  }

  /** A session of this key; those of other keys are not visible to it. */
  #owned(sessionId: string, actor: Actor): McpSession | undefined {
    const session = this.#sessions.get(sessionId)
    return session?.key === keyOf(actor) ? session : undefined
  }

  async #initialize(
    actor: Actor,
    { selection }: Requested,
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ) {
    const sessionId = randomUUID()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      eventStore: sessionEvents(),
    })
    const session = newSession({
      sessionId,
      group: groupOf(sessionId),
      transport: 'streamable-http',
      selection,
      caller: actor,
      now: this.#tools.gateway.clock(),
      isConnected: () => (openStreams.get(session) ?? 0) > 0,
      close: () => transport.close(),
    })
    noteMessage(session, actor, session.createdAt)
    await this.#sessions.add(session)
    this.#streamable.set(session, transport)
    // The SDK's own transport and interface differ under exactOptionalPropertyTypes.
    await connectServer(this.#tools, session, transport as never)
    reply.raw.once('finish', () => {
      // An invalid `initialize` has not begun a session.
      if (reply.raw.statusCode >= 400) this.#sessions.remove(session)
    })
    return this.#handOver(transport, request, reply, body)
  }

  /** A client of a version with sessions that has none: each message is independent. */
  async #withoutSession(
    actor: Actor,
    { selection }: Requested,
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ) {
    const now = this.#tools.gateway.clock()
    const session = requestWithoutSession({ selection, caller: actor, now })
    if (mayAnswerDirectly(request, body)) return this.#answer(session, body, reply)
    const wantsProgress =
      isRequest(body) && isObject(body.params?._meta) && body.params._meta.progressToken !== undefined
    const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress })
    // As above: the SDK's own transport.
    await connectServer(this.#tools, session, transport as never)
    reply.raw.once('close', () => void transport.close())
    return this.#handOver(transport, request, reply, body)
  }

  async #answer(session: McpSession, body: RpcRequest, reply: FastifyReply) {
    const text = await answerCall(this.#tools, session, body)
    // Cancelled: an HTTP request must end all the same; 202 is "nothing follows" to clients (MCP 2025-06-18,
    // Transports).
    if (text === undefined) return this.#send(reply, 202)
    return this.#send(reply, 200, text)
  }

  async #handOver(
    transport: NodeStreamableHTTPServerTransport,
    request: FastifyRequest,
    reply: FastifyReply,
    body?: unknown,
  ) {
    this.#takeOver(reply)
    try {
      await transport.handleRequest(request.raw, reply.raw, body)
    } catch (error) {
      this.#tools.gateway.log.warn({ err: error }, 'MCP request failed')
      if (!reply.raw.headersSent) reply.raw.writeHead(500, { 'content-type': jsonType })
      reply.raw.end(errorText(null, rpcCodes.internalError, 'Internal error'))
    }
    return reply
  }

  #gone(reply: FastifyReply, sessionId: string) {
    const message = `Session not found: ${sessionId.slice(0, 128)}`
    return this.#refuse(reply, 404, rpcCodes.sessionNotFound, message)
  }

  /** Clients of `/mcp` read JSON-RPC errors, whatever the status (MCP 2025-06-18, Transports). */
  #refuse(reply: FastifyReply, status: number, code: number, message: string) {
    return this.#send(reply, status, errorText(null, code, message))
  }

  #send(reply: FastifyReply, status: number, text?: string, type = jsonType): FastifyReply {
    if (text !== undefined) reply.type(type)
    return reply.code(status).send(text)
  }

  /** From here on a transport writes the response. */
  #takeOver(reply: FastifyReply): void {
    // Pages of allowed origins must be able to read the session id that they have to send.
    const exposed = reply.getHeader('access-control-expose-headers')
    if (exposed !== undefined) reply.header('access-control-expose-headers', `${exposed}, Mcp-Session-Id`)
    takeOver(reply)
  }
}

/** Open GET streams of Streamable HTTP sessions. */
const openStreams = new WeakMap<McpSession, number>()

/**
 * True for one `tools/call` whose answer is one JSON document: no progress requested, JSON accepted, a known protocol
 * version.
 */
function mayAnswerDirectly(request: FastifyRequest, body: unknown): body is RpcRequest {
  if (!isRequest(body) || body.method !== 'tools/call' || body.jsonrpc !== '2.0') return false
  const meta = body.params?._meta
  if (isObject(meta) && meta.progressToken !== undefined) return false
  const { accept, 'mcp-protocol-version': version } = request.headers
  if (accept !== undefined && !accept.includes('application/json') && !accept.includes('*/*')) return false
  return version === undefined || knownVersions.has(version as string)
}

/** Whether a request belongs to MCP 2026-07-28, by what it says in its body and headers. */
function standsAlone(request: FastifyRequest): boolean {
  const of = defined({
    protocolVersionHeader: header(request, 'mcp-protocol-version'),
    mcpMethodHeader: header(request, 'mcp-method'),
    mcpNameHeader: header(request, 'mcp-name'),
  })
  return classifyInboundRequest({ httpMethod: 'POST', body: request.body, ...of }).kind !== 'legacy'
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
