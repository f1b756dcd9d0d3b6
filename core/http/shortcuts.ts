/**
 * Paths that were routed before. A client asks for the same ones again and again; the framework's way from a request to its handler (routing, its
 * own request and reply, its hooks) is then left out, which costs as much as checking and running a small command.
 *
 * Only plain calls take it: of an operation, without a query, with a JSON body or none. Whatever is out of the ordinary goes the
 * framework's way, so that there is one place for each refusal.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Actor } from '../context.ts'

/** What a handler needs of a request: the framework's has it all. */
export interface Asked {
  readonly raw: IncomingMessage
  readonly headers: IncomingMessage['headers']
  readonly routeOptions: { readonly url?: string | undefined }
  readonly params: unknown
  readonly query: unknown
  body: unknown
  actor: Actor | undefined
  correlationId: string
  arrivedAt: number
  allowOrigin: string | undefined
}

/** What a handler needs of the framework's reply. */
export interface Answering {
  readonly raw: ServerResponse
  /** The handler answers itself. */
  hijack(): unknown
}

/** Answers a request of an operation's route. */
export type OperationHandler = (request: Asked, reply: Answering) => void

/** A call without a body, or with one in plain JSON. */
export function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' || (method !== 'HEAD' && headers['content-type'] === 'application/json')
}

/** A path that was routed. */
interface Routed {
  readonly method: string
  readonly handler: OperationHandler
  readonly route: { readonly url: string }
  readonly params: unknown
}

/** A request that takes the shortcut. */
export class PlainRequest implements Asked {
  readonly query = undefined
  body: unknown = undefined
  actor: Actor | undefined = undefined
  correlationId = ''
  arrivedAt = 0
  allowOrigin: string | undefined = undefined

  constructor(
    readonly raw: IncomingMessage,
    readonly routeOptions: { readonly url: string },
    readonly params: unknown,
  ) {}

  get headers() {
    return this.raw.headers
  }
}

/** Its reply. */
export class PlainReply implements Answering {
  constructor(readonly raw: ServerResponse) {}

  hijack() {}
}

/** So many paths, and none longer than this, are remembered; those of jobs come and go. */
const maxPaths = 1000
const longestPath = 512

/** See the head of this file. */
export class Shortcuts {
  #routed = new Map<string, Routed>()

  /** The request was routed by the framework, and is one that may take the shortcut next time. */
  learn(request: Asked, handler: OperationHandler): void {
    const { url, method } = request.raw
    const pattern = request.routeOptions.url
    if (url === undefined || method === undefined || pattern === undefined) return
    if (url.length > longestPath || url.includes('?')) return
    if (this.#routed.size >= maxPaths) this.#routed = new Map()
    const params = Object.freeze({ ...(request.params as object) })
    this.#routed.set(url, { method, handler, route: { url: pattern }, params })
  }

  /** Where a request goes; undefined when it has to be routed. */
  find({ url, method }: IncomingMessage): Routed | undefined {
    const routed = this.#routed.get(url as string)
    return routed !== undefined && routed.method === method ? routed : undefined
  }
}
