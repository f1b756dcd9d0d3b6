/**
 * Names of tags as text: `Start`, `"Start"`, `Data.list[1,2].speed`, `"Data".list[1].word.%X3`. Quotes are needed only
 * for names with `.`, `[`, `]`, `"` or `:` in them.
 */
import { type GatewayError, problem } from '../../../core/index.ts'

/** A step of a name. */
export type NameStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'indices'; readonly indices: readonly number[] }
  /** Bits of a value: 1 (`X`), 8 (`B`), 16 (`W`) or 32 (`D`), counted from the lowest. */
  | { readonly kind: 'slice'; readonly width: 'X' | 'B' | 'W' | 'D'; readonly number: number }

/** A parsed name. */
export interface NamePath {
  readonly steps: readonly NameStep[]
  /** True with `:P` at the end: the periphery instead of the process image. */
  readonly isPeriphery: boolean
}

/** Maximum length: 128 characters for each name, eight nested structures, six indices each. */
const longest = 2000

/**
 * Parses a name.
 * @throws GatewayError `unacceptable_content` with the column of the fault
 */
export function parseName(text: string): NamePath {
  if (text.length > longest) throw nameFault(`${text.slice(0, 40)}…`, longest, 'is too long for the name of a tag')
  let rest = text.trim()
  const isPeriphery = /:P$/i.test(rest)
  if (isPeriphery) rest = rest.slice(0, -2)
  const steps: NameStep[] = []
  let at = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest.slice(at))
    if (match) at += match[0].length
    return match
  }
  for (;;) {
    const slice = steps.length > 0 ? next(/^\s*%([XBWD])(\d{1,3})(?=\s*(?:$|[.[]))/i) : null
    const quoted = slice ? null : next(/^\s*"([^"]*)"\s*/)
    const bare = slice || quoted ? null : next(/^[^.[\]":]+/)
    const name = quoted?.[1] ?? bare?.[0].trim() ?? ''
    if (slice)
      steps.push({
        kind: 'slice',
        width: (slice[1] ?? 'X').toUpperCase() as 'X' | 'B' | 'W' | 'D',
        number: Number(slice[2]),
      })
    else if (name === '') throw nameFault(text, at, 'a name is missing')
    else steps.push({ kind: 'name', name })
    for (let list = next(/^\s*\[([^\]]*)\]\s*/); list; list = next(/^\s*\[([^\]]*)\]\s*/)) {
      const indices = (list[1] ?? '').split(',').map((one) => one.trim())
      const wrong = indices.find((one) => !/^[+-]?\d{1,10}$/.test(one))
      if (wrong !== undefined) {
        const column = at - list[0].length
        throw nameFault(text, column, `${JSON.stringify(wrong)} is no index: a whole number is`)
      }
      steps.push({ kind: 'indices', indices: indices.map(Number) })
    }
    if (at >= rest.length) return { steps, isPeriphery }
    if (!next(/^\s*\./)) throw nameFault(text, at, `${JSON.stringify(rest[at])} is not possible here`)
  }
}

/** Creates a fault at a position in a name, from 0. */
export function nameFault(text: string, at: number, message: string): GatewayError {
  return problem('unacceptable_content', `${JSON.stringify(text)}, column ${at + 1}: ${message}.`, {
    errors: [{ message, column: at + 1, value: text }],
  })
}

/** Writes a name as part of a path, with quotes only where necessary. */
export function pathName(name: string): string {
  return /[.[\]":]|^%|^\s|\s$/.test(name) ? `"${name}"` : name
}
