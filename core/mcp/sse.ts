/**
 * The HTTP+SSE transport of MCP 2024-11-05: `GET` opens a stream whose first event, `endpoint`, contains the URL to
 * POST to; answers arrive as `message` events. The SDK's server class for it is deprecated and generates its own
 * session id, while Gantry's clients may choose theirs. So this is an own implementation of the SDK's `Transport`
 * interface, with the same bytes on the wire (a test compares them).
 */
import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'

/** Comments keep proxies and clients from considering a quiet stream dead, ms (docs/design.md#event-streams). */
export const heartbeatMs = 15_000
/** A client with more unread bytes than this is disconnected: memory must not grow with it. */
const maxBacklogBytes = 32 * 1024 * 1024

export class SseTransport implements Transport {
  readonly sessionId: string
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #response: ServerResponse
  readonly #endpoint: string
  #heartbeat: NodeJS.Timeout | undefined
  #closed = false

  /** @param endpoint path that messages are posted to; the session id is added to it */
  constructor(response: ServerResponse, endpoint: string, sessionId: string) {
    this.#response = response
    this.#endpoint = `${endpoint}?sessionId=${encodeURIComponent(sessionId)}`
    this.sessionId = sessionId
  }

  get isOpen(): boolean {
    return !this.#closed
  }

  async start(): Promise<void> {
    const response = this.#response
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
      'X-Accel-Buffering': 'no',
    })
    response.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`)
    response.on('close', () => this.#end())
    response.on('error', (error) => this.onerror?.(error))
    this.#heartbeat = setInterval(() => this.#write(': heartbeat\n\n'), heartbeatMs).unref()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.sendText(JSON.stringify(message))
  }

  /** Sends a message that is JSON text already. A message to a disconnected client is dropped: nobody waits for it. */
  sendText(json: string): void {
    this.#write(`event: message\ndata: ${json}\n\n`)
  }

  #write(text: string) {
    if (this.#closed) return
    this.#response.write(text)
    if (this.#response.writableLength > maxBacklogBytes) {
      this.onerror?.(new Error(`the client is ${this.#response.writableLength} bytes behind; its stream is closed`))
      this.#response.destroy()
    }
  }

  async close(): Promise<void> {
    this.#response.end()
    this.#end()
  }

  #end() {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#heartbeat)
    this.onclose?.()
  }
}
