/** The caller of a request, from its API key (docs/design.md#keys). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Keyring } from '../access/keys.ts'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import { RateLimiter } from './rate-limit.ts'

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

/** Wrong keys that an address may send in a minute; a person who mistypes one sends fewer. */
const wrongKeysPerMinute = 30

/** Identifies callers by their keys and adds the client's name. */
export class Authenticator {
  readonly #keyring: Keyring
  /** Actors with a client id, so that not every request makes a new object. */
  readonly #clients = new LRUCache<string, Actor>({ max: 1000 })
  readonly #wrongKeys: RateLimiter
  /**
   * The last key of each connection with its handle: a client sends the same one in every request, and its digest costs
   * a tenth of a small request (measured). Whether the key still holds is looked up every time.
   */
  readonly #handles = new WeakMap<Socket, { readonly key: string; readonly handle: string }>()

  constructor(keyring: Keyring, now?: () => number) {
    this.#keyring = keyring
    this.#wrongKeys = new RateLimiter({
      windowMs: 60_000,
      detail: (limit) => `More than ${limit} wrong API keys came from this address in one minute.`,
      now,
    })
  }

  /** Forgets what it remembers: the keys, and with them access levels, have changed. */
  forget() {
    this.#clients.clear()
  }

  /**
   * The caller, if known without waiting; undefined when there is no key or `check` must be called.
   * @throws GatewayError `unauthorized` (see {@link keyOf})
   */
  known({ headers, socket }: IncomingMessage): Actor | undefined {
    const key = keyOf(headers)
    const found = key === undefined ? undefined : this.#keyring.ofHandle(this.#handleOf(key, socket))
    return found && this.withClient(found, headers)
  }

  #handleOf(key: string, socket: Socket): string {
    const last = this.#handles.get(socket)
    if (last?.key === key) return last.handle
    const handle = this.#keyring.handleOf(key)
    this.#handles.set(socket, { key, handle })
    return handle
  }

  /**
   * The caller whose key is not `known`: it has none, a wrong one, or one that an earlier version has stored. Wrong
   * keys are limited for each address; right ones are known before they come here.
   * @throws GatewayError `unauthorized`, `too_many_requests`
   */
  async check(request: IncomingMessage): Promise<Actor> {
    const key = keyOf(request.headers)
    if (key === undefined) throw problem('unauthorized', 'This request carries no API key.')
    return this.withClient(await this.checkKey(key, request), request.headers)
  }

  /**
   * The owner of a key that may be wrong.
   * @throws GatewayError `unauthorized`, `too_many_requests`
   */
  async checkKey(key: string, request: IncomingMessage): Promise<Actor> {
    this.countWrong(request)
    const actor = key.length > maxKeyLength ? undefined : await this.#keyring.actorOf(key)
    if (!actor) throw problem('unauthorized', 'This gateway does not know the API key of this request.')
    return actor
  }

  /** Counts a secret of an address that may be wrong. @throws GatewayError `too_many_requests` */
  countWrong({ socket }: IncomingMessage) {
    this.#wrongKeys.take(socket.remoteAddress ?? '', wrongKeysPerMinute)
  }

  /** `X-Client-Id: <client>/<version>` becomes part of the actor's name in the audit (docs/design.md#keys). */
  withClient(actor: Actor, headers: IncomingHttpHeaders): Actor {
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
