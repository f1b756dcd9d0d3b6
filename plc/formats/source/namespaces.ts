/**
 * `NAMESPACE a.b … END_NAMESPACE` around the blocks of software units (TIA Portal V18 and later write it around each
 * block). The namespace is an attribute of the block, as in SimaticML; the name of the block does not include it.
 */

import { TokenKind } from '../../languages/scl/tokens.ts'
import { unquoted } from '../../model/names.ts'
import { namespaceAttributeName } from '../../model/namespace.ts'
import type { ObjectAttribute } from '../../model/object.ts'
import type { Cursor } from './cursor.ts'

/** The namespace of a block, and whether the words around it are in its own part of the file. */
export interface NamespaceOfBlock {
  readonly name: string
  readonly opens: boolean
  closes: boolean
}

/** Follows the namespaces of a file from block to block. */
export class NamespaceReader {
  readonly #cursor: Cursor
  #name = ''
  #at = 0
  #isNew = false
  #last: NamespaceOfBlock | undefined

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  /**
   * Reads the word at the cursor when it opens or closes a namespace; `closed` is the offset after the closing word.
   */
  read(): { readonly closed?: number } | undefined {
    if (this.#cursor.isWord('NAMESPACE')) return this.#open()
    return this.#cursor.isWord('END_NAMESPACE') ? this.#close() : undefined
  }

  /** Returns the namespace of the block that begins at the cursor; `undefined` outside of any. */
  enter(): NamespaceOfBlock | undefined {
    this.#last = this.#name === '' ? undefined : { name: this.#name, opens: this.#isNew, closes: false }
    this.#isNew = false
    return this.#last
  }

  /** Reports a namespace that is still open at the end of the file. */
  finish(): void {
    if (this.#name !== '')
      this.#cursor.fault(`NAMESPACE ${this.#name} is not closed: END_NAMESPACE is missing`, 'source-syntax', this.#at)
  }

  #open(): object {
    const cursor = this.#cursor
    const at = cursor.start
    cursor.next()
    const name = this.#readName()
    if (name === '') cursor.expected('the name of the NAMESPACE')
    else if (this.#name !== '')
      cursor.fault(
        `NAMESPACE ${name} stands inside of NAMESPACE ${this.#name}: close that with END_NAMESPACE first, or write ${this.#name}.${name}`,
        'source-syntax',
        at,
      )
    this.#name = name
    this.#at = at
    this.#isNew = true
    this.#last = undefined
    return {}
  }

  #close(): { closed?: number } {
    const cursor = this.#cursor
    if (this.#name === '') cursor.fault('END_NAMESPACE closes nothing: no NAMESPACE is open')
    const { end } = cursor
    cursor.next()
    const last = this.#last
    this.#name = ''
    this.#last = undefined
    if (last === undefined) return {}
    last.closes = true
    return { closed: end }
  }

  /** `a.b."c d"`. */
  #readName(): string {
    const cursor = this.#cursor
    const parts: string[] = []
    do {
      const { kind, text } = cursor
      if (kind !== TokenKind.Identifier && kind !== TokenKind.QuotedName && kind !== TokenKind.Address) return ''
      parts.push(unquoted(text))
      cursor.next()
    } while (cursor.accept(TokenKind.Dot))
    return parts.join('.')
  }
}

/** Returns the text to put before and after the text of a block so that it states its namespace by itself. */
export function namespaceFrame(namespace: NamespaceOfBlock | undefined, text: string): readonly [string, string] {
  if (namespace === undefined) return ['', '']
  const before = namespace.opens ? '' : `${openingOf(namespace.name)}\n`
  const behind = namespace.closes ? '' : `${text.endsWith('\n') ? '' : '\n'}END_NAMESPACE\n`
  return [before, behind]
}

/** The attribute of a block in a namespace. */
export function namespaceAttribute(namespace: NamespaceOfBlock | undefined): ObjectAttribute[] {
  return namespace === undefined ? [] : [{ name: namespaceAttributeName, value: namespace.name }]
}

/** Puts the text of a block between the words of its namespace, laid out as TIA Portal writes it. */
export function inNamespace(name: string, text: string): string {
  return name === '' ? text : `${openingOf(name)}\n${text.trimEnd()}\nEND_NAMESPACE\n\n`
}

function openingOf(name: string): string {
  const part = (text: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) ? text : `"${text}"`)
  return `NAMESPACE ${name.split('.').map(part).join('.')}`
}
