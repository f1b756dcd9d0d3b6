/** GUIDs of hardware nodes. */
import { createHash } from 'node:crypto'

/**
 * The same GUID for the same parts, in the form of AML files: `f7739854-271f-4b69-ae08-45d1b85aa327` (RFC 9562, version
 * 8).
 */
export function guid(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-')
}
