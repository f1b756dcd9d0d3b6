/**
 * Where the parts of a block are in the text of a `.s7dcl` file. Its document is SimaticML, so messages about it find
 * their place in the file only with this.
 */

import { LineIndex } from '../../model/fault.ts'
import type { MessagePlace } from '../../model/message-place.ts'
import type { SectionName } from '../../model/object.ts'
import { memberPlaces } from '../source/member-places.ts'

/** Line and column from 1. */
export type LineColumn = readonly [line: number, column: number]

/** The places of one network. */
export interface SdNetworkPlaces {
  readonly at: LineColumn
  /** Of the first character of its statements, and the number of characters that every line of the file has more. */
  readonly text?: { readonly at: LineColumn; readonly indent: number }
  /** By the UId of operands, instructions and calls. */
  readonly nodes?: Readonly<Record<string, LineColumn>>
}

/** The places of one block or type; plain data. */
export interface SdPlaces {
  readonly at: LineColumn
  /** Members by their dotted paths in lower case. */
  readonly members: Readonly<Record<string, LineColumn>>
  readonly networks: readonly SdNetworkPlaces[]
}

/** Collects the places of the blocks of a text. */
export class SdPlaceRecorder {
  readonly #text: string
  readonly #lines: LineIndex
  #start = 0
  #members: Record<string, LineColumn> = {}
  #networks: SdNetworkPlaces[] = []

  constructor(text: string) {
    this.#text = text
    this.#lines = new LineIndex(text)
  }

  /** Begins a block at the offset of its keyword. */
  begin(start: number): void {
    this.#start = start
    this.#members = {}
    this.#networks = []
  }

  /** Records the members between two offsets. */
  declarations(from: number, to: number, plainVar: SectionName): void {
    const declared = this.#text.slice(from, to)
    for (const { path, names, nameIndex } of memberPlaces(declared, [0, declared.length], plainVar).members) {
      const key = path.join('.').toLowerCase()
      this.#members[key] ??= this.#at(from + (names[nameIndex]?.start ?? 0))
    }
  }

  /**
   * Records the next network.
   * @param text offset of its statements, and their indentation
   * @param nodes offsets of its nodes by their UIds
   */
  network(
    start: number,
    text: { readonly start: number; readonly indent: number } | undefined,
    nodes: ReadonlyMap<number, number> | undefined,
  ): void {
    this.#networks.push({
      at: this.#at(start),
      ...(text === undefined ? {} : { text: { at: this.#at(text.start), indent: text.indent } }),
      ...(nodes === undefined
        ? {}
        : { nodes: Object.fromEntries([...nodes].map(([uId, offset]) => [uId, this.#at(offset)])) }),
    })
  }

  /** Returns the places of the block. */
  places(): SdPlaces {
    return { at: this.#at(this.#start), members: this.#members, networks: this.#networks }
  }

  #at(offset: number): LineColumn {
    const { line, column } = this.#lines.at(offset)
    return [line, column]
  }
}

/** Returns the place in the file of what a message is about; where it is not known, of what is around it. */
export function sdPlaceOf({ at, members, networks }: SdPlaces, place: MessagePlace): LineColumn {
  const { network = 0, line, column = 1, uId, member } = place
  const found = networks[network - 1]
  if (line !== undefined && found?.text !== undefined) {
    const { at: first, indent } = found.text
    return [first[0] + line - 1, (line === 1 ? first[1] : 1 + indent) + column - 1]
  }
  if (uId !== undefined && found !== undefined) return found.nodes?.[uId] ?? found.at
  for (let path = member?.toLowerCase() ?? ''; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const known = members[path] ?? members[path.replace(/["#]|\[[^\]]*\]/g, '')]
    if (known !== undefined) return known
  }
  return found?.at ?? at
}
