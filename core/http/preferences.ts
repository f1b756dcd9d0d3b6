/**
 * `Prefer` (RFC 7240), the part of `Accept` (RFC 9110) that the gateway uses, and the other request headers that
 * control an operation.
 */
import { problem } from '../contract/problems.ts'

export interface Preferences {
  readonly respondAsync: boolean
  /** Seconds that the client will wait before it gets the job. */
  readonly waitSeconds: number
}

/** Longest accepted wait, so that a forgotten client does not keep its connection for ever. */
const maxWaitSeconds = 300

/** Reads `Prefer: respond-async, wait=10`; unknown preferences are ignored, as the RFC requires. */
export function readPreferences(header: string | readonly string[]): Preferences {
  let respondAsync = false
  let waitSeconds = 0
  for (const preference of String(header).split(/[,;]/)) {
    const [name, value] = preference.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'respond-async') respondAsync = true
    else if (name === 'wait' && value !== undefined && /^"?\d{1,9}"?$/.test(value)) {
      waitSeconds = Math.min(maxWaitSeconds, Number(value.replaceAll('"', '')))
    }
  }
  return { respondAsync, waitSeconds }
}

/**
 * The Idempotency-Key of a request.
 * @throws GatewayError `malformed_request` when it is empty or too long for the index
 */
export function readIdempotencyKey(header: string | readonly string[]): string {
  const key = String(header).trim()
  if (key === '' || key.length > 255 || !/^[\x21-\x7e ]+$/.test(key)) {
    throw problem('malformed_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.')
  }
  return key
}

/**
 * The X-Group-Id of a request: commands with the same one can be taken back together.
 * @throws GatewayError `malformed_request`
 */
export function readGroupId(header: string | readonly string[]): string {
  const group = String(header).trim()
  if (!/^[\w.:@/+-]{1,100}$/.test(group))
    throw problem('malformed_request', 'X-Group-Id must have 1 to 100 letters, digits and characters of ._:@/+-')
  return group
}

/** True when an entity tag of `If-None-Match` is the given one (weak comparison, RFC 9110, 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}

/**
 * Selects the media type that an `Accept` header requests (RFC 9110, 12.5.1): among the given types named in full, the
 * one with the highest weight; of equal ones the first in the header. Wildcards select none: the default satisfies
 * them.
 *
 * @param types in lower case
 * @returns undefined when none is named, or only with weight 0
 */
export function readAccept(header: string, types: ReadonlySet<string>): string | undefined {
  let best: string | undefined
  let bestWeight = 0
  for (const range of header.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (!types.has(name)) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    if (value > bestWeight) {
      best = name
      bestWeight = value
    }
  }
  return best
}
