/** GUIDs of what has none yet. */
import { createHash } from 'node:crypto'

/** Namespace of the GUIDs made here, a random UUID. */
const namespace = Buffer.from('8d0fb2b1c7e94a53a4d86f0d1b7e2c35', 'hex')

/**
 * A GUID made of names (RFC 9562, version 5): the same names give the same GUID, so that two exports are equal and a
 * second import finds what the first one made.
 */
export function guidOf(...names: readonly string[]): string {
  const hash = createHash('sha1').update(namespace).update(names.join('\0')).digest().subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
