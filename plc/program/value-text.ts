/**
 * Parses start values into a tree: `5`, `[1, 2, 3(0)]`, `(speed := 1.5, list := [10(0)])`. Lists of
 * classic sources need no brackets.
 */

export type ValueTree =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly { readonly count: number; readonly value: ValueTree }[] }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly value: ValueTree }[] }

/**
 * Parses a start value; a text that is neither a list nor a structure is one value. `undefined`: brackets do not match
 * or something is missing.
 */
export function parseValueText(text: string): ValueTree | undefined {
  const reader = new ValueReader(text)
  try {
    return reader.whole()
  } catch (error) {
    if (error === malformed) return undefined
    throw error
  }
}

const malformed = new Error('malformed value')
const mostNested = 32

class ValueReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): ValueTree {
    const value = this.#item(0)
    if (this.#peek() === '')
      return value.count === 1 && !value.isRepeated ? value.value : { kind: 'list', items: [value] }
    // A classic list: `1, 2, 3(0)`.
    const items = [value]
    while (this.#peek() === ',') {
      this.#at++
      items.push(this.#item(0))
    }
    if (this.#peek() !== '') throw malformed
    return { kind: 'list', items }
  }

  #item(depth: number): { count: number; value: ValueTree; isRepeated: boolean } {
    if (depth > mostNested) throw malformed
    const next = this.#peek()
    if (next === '[') return once(this.#list(']', depth))
    if (next === '(') return once(this.#fields(depth))
    const repeated = /^(\d[\d_]*)\s*\(/.exec(this.#text.slice(this.#at, this.#at + 64))
    if (repeated) {
      this.#at += repeated[0].length - 1
      const list = this.#list(')', depth)
      const [only] = list.kind === 'list' && list.items.length === 1 ? list.items : []
      const value: ValueTree = only?.count === 1 ? only.value : list
      return { count: Number((repeated[1] ?? '').replaceAll('_', '')), value, isRepeated: true }
    }
    return once({ kind: 'one', text: this.#one() })
  }

  #list(close: string, depth: number): ValueTree {
    this.#at++
    const items: { count: number; value: ValueTree }[] = []
    if (this.#peek() !== close)
      for (;;) {
        items.push(this.#item(depth + 1))
        if (this.#peek() !== ',') break
        this.#at++
      }
    if (this.#peek() !== close) throw malformed
    this.#at++
    return { kind: 'list', items }
  }

  /** `(a := 1, b := 2)`; without names it is a list. */
  #fields(depth: number): ValueTree {
    if (!/^\(\s*(?:"[^"]*"|[^\s:=,()[\]'"]+)\s*:=/.test(this.#text.slice(this.#at, this.#at + 300)))
      return this.#list(')', depth)
    this.#at++
    const fields: { name: string; value: ValueTree }[] = []
    for (;;) {
      this.#peek()
      const match = /^(?:"([^"]*)"|([^\s:=,()[\]'"]+))\s*:=/.exec(this.#text.slice(this.#at, this.#at + 300))
      if (!match) throw malformed
      this.#at += match[0].length
      fields.push({ name: match[1] ?? match[2] ?? '', value: this.#item(depth + 1).value })
      if (this.#peek() !== ',') break
      this.#at++
    }
    if (this.#peek() !== ')') throw malformed
    this.#at++
    return { kind: 'fields', fields }
  }

  /** Reads up to a comma or closing bracket outside quotes and inner brackets: `B#(1,2)` is one value. */
  #one(): string {
    const start = this.#at
    let open = 0
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]
      if (char === "'") {
        this.#at++
        while (this.#at < this.#text.length && this.#text[this.#at] !== "'")
          this.#at += this.#text[this.#at] === '$' ? 2 : 1
      } else if (char === '"') {
        const end = this.#text.indexOf('"', this.#at + 1)
        if (end < 0) throw malformed
        this.#at = end
      } else if (char === '(') open++
      else if (char === ')' && open > 0) open--
      else if (open === 0 && (char === ',' || char === ')' || char === ']')) break
    }
    const text = this.#text.slice(start, this.#at).trim()
    if (text === '') throw malformed
    return text
  }

  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text[this.#at] ?? ''
  }
}

function once(value: ValueTree): { count: number; value: ValueTree; isRepeated: boolean } {
  return { count: 1, value, isRepeated: false }
}

/** Returns a value text with every single value in it replaced; a text that cannot be parsed stays unchanged. */
export function mapValueText(text: string, replace: (one: string) => string): string {
  const tree = parseValueText(text)
  return tree ? textOf(tree, replace) : text
}

function textOf(tree: ValueTree, replace: (one: string) => string): string {
  if (tree.kind === 'one') return replace(tree.text)
  if (tree.kind === 'fields')
    return `(${tree.fields.map(({ name, value }) => `"${name}" := ${textOf(value, replace)}`).join(', ')})`
  const items = tree.items.map(({ count, value }) => {
    const inner = textOf(value, replace)
    return count === 1 ? inner : `${count}(${inner})`
  })
  return `[${items.join(', ')}]`
}
