/** Signing in and out with a browser: `/api/session` (docs/design.md#browser-sessions). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Keyring } from '../access/keys.ts'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import { type Authenticator, callerOf } from './auth.ts'
import { type BrowserSession, type BrowserSessions, requireOwnOrigin } from './browser-sessions.ts'
import type {} from './fastify-types.ts'

const sessionPath = '/api/session'

/** Adds `POST` (a key or a token for a session), `GET` (who calls) and `DELETE` (ends the session). */
export function addSessionRoutes(
  app: FastifyInstance,
  auth: Authenticator,
  keyring: Keyring,
  sessions: BrowserSessions,
) {
  const answer = (reply: FastifyReply, { name, access }: Actor, session?: BrowserSession) =>
    reply.header('cache-control', 'no-store').send({
      name,
      access,
      ...(session ? { csrfToken: session.csrfToken, endsInSeconds: sessions.secondsLeft(session) } : {}),
    })

  app.route({
    method: 'POST',
    url: sessionPath,
    config: { access: 'public' },
    handler: async (request, reply) => {
      requireOwnOrigin(request.raw.headers)
      const given = readCredentials(request.body)
      let session: BrowserSession
      if ('token' in given) {
        auth.countWrong(request.raw)
        session = sessions.redeem(given.token)
      } else {
        if (!keyring.known(given.key)) await auth.checkKey(given.key, request.raw)
        session = sessions.open(keyring.handleOf(given.key))
      }
      // A browser has one session: the one before ends.
      if (request.session) sessions.end(request.session, reply.raw)
      reply.header('set-cookie', sessions.cookie(request.raw, session))
      return answer(reply, auth.withClient(keyring.ofHandle(session.keyHandle)!, request.raw.headers), session)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: sessionPath,
    handler: async (request, reply) => answer(reply, callerOf(request), request.session),
  })
  app.route({
    method: 'DELETE',
    url: sessionPath,
    handler: async (request, reply) => {
      const { session } = request
      if (session === undefined) throw problem('conflict', 'This request has an API key and no session that could end.')
      sessions.end(session, reply.raw)
      return reply.header('set-cookie', sessions.cookie(request.raw)).code(204).send()
    },
  })
}

/** @throws GatewayError `invalid_input` */
function readCredentials(body: unknown): { readonly key: string } | { readonly token: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const { key, token } = fields
  const names = Object.keys(fields)
  const isOne = names.length === 1 && typeof (key ?? token) === 'string' && (key ?? token) !== ''
  if (!isOne)
    throw problem('invalid_input', '/: needs either "key" (an API key) or "token" (of a printed link), a text each', {
      errors: [{ path: '/', message: 'needs either "key" or "token"', code: 'missing' }],
    })
  return typeof key === 'string' ? { key: key.trim() } : { token: (token as string).trim() }
}
