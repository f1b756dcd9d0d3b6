/**
 * Connects a client on standard input and output to a running gateway, over its Streamable HTTP endpoint: one data
 * directory has one gateway, however many AI tools a user has. When the gateway is restarted, the session is opened
 * again without the client noticing.
 */

import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { isObject } from '../../lib/is-object.ts'
import { clientOf } from './client.ts'
import { isRequest, type RpcRequest } from './json-rpc.ts'
import type { RequestId } from './sessions.ts'

/** The address of a gateway and a key for it. */
export interface GatewayAddress {
  readonly url: string
  readonly key: string
}

export interface BridgeOptions {
  /** Called at the start, and again when the gateway does not know the session any more or cannot be reached. */
  readonly locate: () => Promise<GatewayAddress>
  readonly toolsets?: string | undefined
  readonly tools?: string | undefined
  readonly readOnly?: boolean | undefined
  /** Version of this program. */
  readonly version: string
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/** Limit of one message, bytes; long inputs (a program as text) must fit. */
const maxBufferSize = 256 * 1024 * 1024

/** Serves until the client closes its end. @throws what `locate` throws at the start */
export async function bridgeStdio(o: BridgeOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout } = o
  const client = new StdioServerTransport(stdin, stdout, { maxBufferSize })
  const bridge = new Bridge(o, (message) => void client.send(message))
  await bridge.open()
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
    stdin.once('end', resolve)
    stdin.once('close', resolve)
    stdout.once('error', () => resolve())
  })
  client.onmessage = (message) => void bridge.forward(message)
  await client.start()
  await closed
  await bridge.close()
  await client.close()
}

class Bridge {
  readonly #options: BridgeOptions
  readonly #toClient: (message: JSONRPCMessage) => void
  /** Undefined while there is no gateway. */
  #upstream: StreamableHTTPClientTransport | undefined
  /** The client's `initialize`, used to open a session again. */
  #initialize: JSONRPCMessage | undefined
  #reopening: Promise<StreamableHTTPClientTransport> | undefined
  /** Messages in progress: their answers must arrive before the end of the input ends the bridge. */
  readonly #pending = new Set<Promise<void>>()
  /** Requests of MCP 2026-07-28 in progress, which over HTTP are cancelled by leaving them. */
  readonly #leaving = new Map<RequestId, AbortController>()

  constructor(options: BridgeOptions, toClient: (message: JSONRPCMessage) => void) {
    this.#options = options
    this.#toClient = (message) => {
      if (!('method' in message) && message.id !== undefined) this.#leaving.delete(message.id)
      toClient(message)
    }
  }

  async open(): Promise<StreamableHTTPClientTransport> {
    const { url, key } = await this.#options.locate()
    const { toolsets, tools, readOnly, version } = this.#options
    const address = new URL('/mcp', url)
    if (toolsets) address.searchParams.set('toolsets', toolsets)
    if (tools) address.searchParams.set('tools', tools)
    if (readOnly) address.searchParams.set('readonly', '1')
    const headers = { 'x-api-key': key, 'user-agent': `gantry-mcp/${version}` }
    const upstream = new StreamableHTTPClientTransport(address, { requestInit: { headers } })
    upstream.onmessage = (message) => this.#toClient(message)
    await upstream.start()
    this.#upstream = upstream
    return upstream
  }

  forward(message: JSONRPCMessage): Promise<void> {
    const sending = this.#forward(message).finally(() => this.#pending.delete(sending))
    this.#pending.add(sending)
    return sending
  }

  async #forward(message: JSONRPCMessage): Promise<void> {
    if (this.#leaves(message)) return
    try {
      const upstream = this.#upstream ?? (await this.#reopen(undefined))
      try {
        await this.#send(upstream, message)
      } catch (error) {
        if (!neverArrived(error)) throw error
        await this.#send(await this.#reopen(upstream), message)
      }
    } catch (failure) {
      if (isRequest(message) && !wasLeft(failure)) this.#refuse(message.id, failure as Error)
    }
  }

  async #send(upstream: StreamableHTTPClientTransport, message: JSONRPCMessage): Promise<void> {
    if (isRequest(message) && standsAlone(message)) return this.#sendAlone(upstream, message)
    if (!isRequest(message) || message.method !== 'initialize') return upstream.send(message)
    this.#initialize = undefined
    void this.#watchInitialize(upstream, message.id, this.#toClient)
    await upstream.send(message)
    this.#initialize = message
  }

  async #sendAlone(upstream: StreamableHTTPClientTransport, message: RpcRequest & JSONRPCMessage): Promise<void> {
    const leave = new AbortController()
    // An answer that streams goes on after it was sent: the last message of it ends this.
    this.#leaving.set(message.id, leave)
    try {
      await upstream.send(message, { requestSignal: leave.signal })
    } catch (error) {
      this.#leaving.delete(message.id)
      throw error
    }
  }

  /** Leaves the request that a message cancels. @returns true when there is one */
  #leaves(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false
    const id = message.params?.requestId as RequestId
    const leave = this.#leaving.get(id)
    leave?.abort()
    return leave !== undefined
  }

  #refuse(id: string | number, error: Error) {
    const cause = (error.cause as Error | undefined)?.message
    const text = `The gateway did not answer: ${error.message}${cause ? ` (${cause})` : ''}`
    this.#toClient({ jsonrpc: '2.0', id, error: { code: -32000, message: text } })
  }

  /** The agreed version goes into a header of all later requests (MCP 2025-06-18, Transports). */
  #watchInitialize(
    upstream: StreamableHTTPClientTransport,
    id: string | number,
    pass: (message: JSONRPCMessage) => void,
  ): Promise<void> {
    return new Promise((resolve) => {
      upstream.onmessage = (message) => {
        if ('id' in message && message.id === id && ('result' in message || 'error' in message)) {
          const result = 'result' in message ? message.result : undefined
          if (isObject(result) && typeof result.protocolVersion === 'string')
            upstream.setProtocolVersion(result.protocolVersion)
          upstream.onmessage = (later) => this.#toClient(later)
          resolve()
          pass(message)
        } else this.#toClient(message)
      }
    })
  }

  /** Opens a session in place of a broken one; callers that found the same one broken share the new one. */
  #reopen(broken: StreamableHTTPClientTransport | undefined): Promise<StreamableHTTPClientTransport> {
    if (this.#upstream && this.#upstream !== broken && !this.#reopening) return Promise.resolve(this.#upstream)
    this.#reopening ??= this.#openAgain(broken).finally(() => {
      this.#reopening = undefined
    })
    return this.#reopening
  }

  async #openAgain(broken: StreamableHTTPClientTransport | undefined): Promise<StreamableHTTPClientTransport> {
    this.#upstream = undefined
    // Other messages may be on their way over it: each must hear by itself that the session is not known any more.
    void Promise.allSettled(this.#pending).then(() => broken?.close().catch(() => {}))
    const upstream = await this.open()
    const initialize = this.#initialize
    if (!initialize || !isRequest(initialize)) return upstream
    try {
      const answered = this.#watchInitialize(upstream, initialize.id, () => {})
      await upstream.send(initialize)
      await answered
      await upstream.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    } catch (error) {
      // The next message begins a session again; without one the gateway would not know the client.
      this.#upstream = undefined
      throw error
    }
    return upstream
  }

  async close(): Promise<void> {
    await Promise.race([Promise.allSettled(this.#pending), new Promise((resolve) => setTimeout(resolve, 2000).unref())])
    await this.#upstream?.terminateSession().catch(() => {})
    await this.#upstream?.close().catch(() => {})
  }
}

/** Whether a request is one of MCP 2026-07-28, which belongs to no session. */
const standsAlone = ({ params }: RpcRequest) => clientOf(params?._meta).protocolVersion !== undefined

const wasLeft = (failure: unknown) => (failure as Error).name === 'AbortError'

/**
 * True when the gateway certainly has not received the message: it does not know the session, or nothing listens. Only
 * then may it be sent again: when a connection breaks on the way, a command may have run.
 */
function neverArrived(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
}
