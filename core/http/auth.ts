/** The caller of a request, from its API key (docs/design.md#keys). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../access.ts'
import type { Keyring } from '../keys.ts'
import { problem } from '../problems.ts'

/** Keys are 36 characters; much longer texts are not hashed at all. */
const maxKeyLength = 512
const maxClientIdLength = 64

/**
 * The key of a request: `X-API-Key: <key>` or `Authorization: Bearer <key>` (RFC 6750, 2.1).
 * @throws GatewayError `unauthorized` for another scheme, or a text that cannot be a key
 */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  let key = headers['x-api-key'] as string | undefined
  if (key === undefined) {
    const { authorization } = headers
    if (authorization === undefined) return undefined
    if (authorization.slice(0, 7).toLowerCase() !== 'bearer ')
      throw problem(
        'unauthorized',
        'The Authorization header must be "Bearer <key>"; other schemes are not known here.',
      )
    key = authorization.slice(7).trim()
  }
  if (key === '') return undefined
  if (key.length > maxKeyLength)
    throw problem('unauthorized', `The API key has ${key.length} characters; no key of this gateway is that long.`)
  return key
}

/** The caller of a public route that sent no key. */
const anonymous: Actor = { name: 'anonymous', access: 'viewer' }

/** The caller of a request. */
export function callerOf({ actor }: FastifyRequest): Actor {
  return actor ?? anonymous
}

/** The key and the caller of a connection's last request. */
interface Remembered {
  readonly apiKey: unknown
  readonly authorization: unknown
  readonly clientId: unknown
  readonly generation: number
  readonly actor: Actor
}

/** Identifies callers by their keys and adds the client's name. */
export class Authenticator {
  readonly #keyring: Keyring
  /**
   * A connection that sends the same key again needs no second hash (2 µs each). A key is compared only with the
   * connection's own earlier one, so that the time of the comparison reveals nothing about the keys of others.
   */
  readonly #connections = new WeakMap<object, Remembered>()
  #generation = 0
  /** Actors with a client id, so that not every request makes a new object. */
  readonly #clients = new LRUCache<string, Actor>({ max: 1000 })

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  /** Forgets what it remembers: the keys, and with them access levels, have changed. */
  forget() {
    this.#generation++
    this.#clients.clear()
  }

  /**
   * The caller, if known without waiting; undefined when there is no key or `check` must be called.
   * @throws GatewayError `unauthorized` (see {@link keyOf})
   */
  known({ headers, socket }: IncomingMessage): Actor | undefined {
    const apiKey = headers['x-api-key']
    const { authorization } = headers
    const clientId = headers['x-client-id']
    const before = this.#connections.get(socket)
    if (
      before !== undefined &&
      before.apiKey === apiKey &&
      before.authorization === authorization &&
      before.clientId === clientId &&
      before.generation === this.#generation
    ) {
      return before.actor
    }
    const key = keyOf(headers)
    const found = key === undefined ? undefined : this.#keyring.known(key)
    if (found === undefined) return undefined
    const actor = this.#withClient(found, headers)
    this.#connections.set(socket, { apiKey, authorization, clientId, generation: this.#generation, actor })
    return actor
  }

  /**
   * The caller, found by every method, with scrypt if needed.
   * @throws GatewayError `unauthorized`
   */
  async check(headers: IncomingHttpHeaders): Promise<Actor> {
    const key = keyOf(headers)
    if (key === undefined) throw problem('unauthorized', 'This request carries no API key.')
    const actor = await this.#keyring.actorOf(key)
    if (!actor) throw problem('unauthorized', 'This gateway does not know the API key of this request.')
    return this.#withClient(actor, headers)
  }

  /** `X-Client-Id: <client>/<version>` becomes part of the actor's name in the audit (docs/design.md#keys). */
  #withClient(actor: Actor, headers: IncomingHttpHeaders): Actor {
    const given = headers['x-client-id'] as string | undefined
    if (given === undefined) return actor
    const client = given.slice(0, maxClientIdLength).replace(/[^\w./@+-]+/g, '_')
    if (client === '') return actor
    const name = `${actor.name}/${client}`
    const id = `${actor.access} ${name}`
    let known = this.#clients.get(id)
    if (!known) {
      known = { name, access: actor.access }
      this.#clients.set(id, known)
    }
    return known
  }
}
