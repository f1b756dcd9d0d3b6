/** Images of project graphics: what they are, and SVG without what could run or load something. */
import { problem } from '../../../core/index.ts'

/** Bytes of an image. */
const maxSize = 20 * 1024 * 1024

/** The first bytes of images. */
const signatures: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/bmp', (bytes) => bytes.subarray(0, 2).toString('latin1') === 'BM'],
  ['image/webp', (bytes) => /^RIFF....WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))],
]

/** An image that may be shown. */
export interface ReadImage {
  readonly bytes: Uint8Array
  readonly content: { readonly mediaType: string; readonly size: number }
  /** What was taken out of it. */
  readonly warnings: readonly string[]
}

/**
 * Checks an image by its content. SVG is cleaned: scripts, event handlers, references to other files, foreign content.
 * @throws GatewayError `unacceptable_content` when it is no image, `payload_too_large`
 */
export async function readImage(given: Uint8Array, name: string): Promise<ReadImage> {
  const bytes = Buffer.from(given)
  if (bytes.length > maxSize)
    throw problem('payload_too_large', `${name}: an image has at most ${maxSize} bytes, this one ${bytes.length}.`)
  const type = signatures.find(([, is]) => is(bytes))?.[0]
  if (type !== undefined) return { bytes, content: { mediaType: type, size: bytes.length }, warnings: [] }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (!/^\s*(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i.test(text.slice(0, 20_000)))
    throw problem('unacceptable_content', `${name}: is no image: SVG, PNG, JPEG, GIF, BMP and WebP are.`)
  const { cleanSvg } = await import('./svg-clean.ts')
  const { svg, warnings } = cleanSvg(text, name)
  const cleaned = Buffer.from(svg)
  return { bytes: cleaned, content: { mediaType: 'image/svg+xml', size: cleaned.length }, warnings }
}
