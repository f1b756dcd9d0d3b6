/** XML inside of values: parsed, with names as they are shown. */
import { parseXml, type XmlElement } from '../simaticml/xml.ts'

/** Limits for one value; the largest seen has 3 MB. */
const limits = { maxLength: 64 * 1024 * 1024, maxDepth: 400, maxElements: 4_000_000 }

/**
 * The XML of a value, undefined when it is empty.
 * @throws FormatError for what is no XML, or has a DTD
 */
export function parsePayload(bytes: Buffer | undefined): XmlElement | undefined {
  const text =
    bytes
      ?.toString('utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\0+$/, '') ?? ''
  return text.trim() === '' ? undefined : parseXml(text, limits)
}

/** A name without the escapes of XML names: `_x0031_` is `1`. */
export function plainName(name: string | undefined): string {
  return (name ?? '').replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
