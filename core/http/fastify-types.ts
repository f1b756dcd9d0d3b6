/** The gateway's additions to Fastify's request and to the configuration of its routes. */
import type { Access, Actor } from '../contract/access.ts'
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly sessions: BrowserSessions
  }
  interface FastifyRequest {
    /** The caller; undefined on public routes without a key. */
    actor: Actor | undefined
    /** The session of the browser that calls with a cookie. */
    session: BrowserSession | undefined
    /** `performance.now()` when the request arrived. */
    arrivedAt: number
    /** The answer goes into the envelope (`envelope.ts`). */
    envelope: boolean
  }
  interface FastifyContextConfig {
    /**
     * `public`: no key is needed; `docs`: none while the documentation is public. Default: any known key; the operation
     * itself checks its level.
     */
    access?: Access | 'public' | 'docs'
    /** The pattern of an operation's route in the registry, `/a/{b}`. */
    path?: string
  }
}
