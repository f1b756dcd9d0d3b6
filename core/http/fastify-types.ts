/** What the HTTP face keeps about one request while it is answered. */
import type { Actor } from '../context.ts'
import type { Access } from '../operation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called; undefined on public routes without a key. */
    actor: Actor | undefined
    /** Given by the client (`X-Correlation-Id`) or made here; on every answer, in the log and in the audit. */
    correlationId: string
    /** `performance.now()` when the request arrived. */
    arrivedAt: number
    /** Value of `Access-Control-Allow-Origin` when the request came from an allowed origin. */
    allowOrigin: string | undefined
  }
  interface FastifyContextConfig {
    /** `public`: answered without a key. Default: any known key; the operation itself checks its level. */
    access?: Access | 'public'
    /** The route of an operation: the registry knows it. */
    isOperation?: true
  }
}
