/** Signals of a design: their operands, and the tags that are made for their addresses. */

import type { Fault } from '../../../core/index.ts'
import { nameFault } from '../../program-objects/index.ts'
import type { DesignTag, Signal } from './model.ts'
import type { GeneratedTag, NamedSymbol } from './sources.ts'

export interface SignalPlace {
  /** Pointer in the design. */
  readonly at: string
  /** Name of the tag that is made: `Tank_Agitator_Run`. */
  readonly tag: string
  readonly dataType: 'Bool' | 'Int'
  readonly direction: 'in' | 'out'
  readonly comment: string
}

const addressForm = /^%([IQM])(?:(\d{1,5})\.([0-7])|W(\d{1,5}))$/i

export class Wiring {
  readonly #tags = new Map<string, GeneratedTag>()
  readonly #outputs = new Map<string, string>()
  readonly #named: NamedSymbol[] = []
  readonly #faults: Fault[]

  constructor(faults: Fault[]) {
    this.#faults = faults
  }

  get tags(): readonly GeneratedTag[] {
    return [...this.#tags.values()]
  }

  /** What the design names in double quotes, or as the tag of a signal, in its order. */
  get named(): readonly NamedSymbol[] {
    return this.#named
  }

  /** Makes a tag that the design declares for its expressions. @param at pointer of the tag in the design */
  declare({ name, address, comment = '' }: DesignTag, at: string): void {
    if (this.#tags.has(name.toLowerCase())) this.#fault(`${at}/name`, `the tag "${name}" is declared twice`, name)
    this.operand(
      { tag: name, address },
      {
        at,
        tag: name,
        dataType: /^%[IQM]W/i.test(address) ? 'Int' : 'Bool',
        direction: /^%Q/i.test(address) ? 'out' : 'in',
        comment,
      },
    )
  }

  /** Notes what an expression names in double quotes. @param scl a translated expression */
  note(scl: string, at: string): void {
    for (const [piece] of scl.matchAll(/'(?:\$.|[^'$\n])*'|"[^"\n]*"/g))
      if (piece.startsWith('"')) this.#named.push({ name: piece.slice(1, -1), path: at })
  }

  /** The operand of a signal: `"Tank_Agitator_Run"`. */
  operand(signal: Signal, place: SignalPlace): string {
    const { at, dataType, direction } = place
    const given = typeof signal === 'string' ? (signal.startsWith('%') ? { address: signal } : { tag: signal }) : signal
    const { address, comment = place.comment } = given
    const name = (given.tag ?? (address === undefined ? undefined : place.tag))?.replace(/^"(.*)"$/, '$1')
    if (name === undefined || name.trim() === '' || name.includes('"')) {
      this.#fault(at, 'needs an address (%I0.0) or the name of a tag', signal)
      return '""'
    }
    if (address === undefined) {
      this.#named.push({ name, path: at })
      return `"${name}"`
    }
    const wrongName = nameFault(name)
    if (wrongName !== undefined) this.#fault(at, `the name of the tag ${wrongName}`, name)
    const [, area = '', byte, bit, word] = addressForm.exec(address) ?? []
    if (area === '') this.#fault(at, 'is no address; an address is %I0.0, %Q0.0, %M0.0, %IW64 or %QW64', address)
    else if ((word === undefined) !== (dataType === 'Bool'))
      this.#fault(at, `must be the address of a ${dataType === 'Bool' ? 'bit' : 'word'}`, address)
    else if (area.toUpperCase() === (direction === 'in' ? 'Q' : 'I'))
      this.#fault(
        at,
        direction === 'in'
          ? 'must be the address of an input or of memory, not of an output'
          : 'must be the address of an output or of memory, not of an input',
        address,
      )
    const logicalAddress =
      word === undefined ? `%${area.toUpperCase()}${Number(byte)}.${bit}` : `%${area.toUpperCase()}W${Number(word)}`
    if (direction === 'out') {
      const other = this.#outputs.get(logicalAddress)
      if (other !== undefined) this.#fault(at, `${logicalAddress} is already the output of ${other}`, address)
      this.#outputs.set(logicalAddress, place.tag)
    }
    const key = name.toLowerCase()
    const known = this.#tags.get(key)
    if (known !== undefined && known.address !== logicalAddress)
      this.#fault(at, `the tag "${name}" has the address ${known.address} already`, address)
    this.#tags.set(key, { name, dataType, address: logicalAddress, comment })
    return `"${name}"`
  }

  #fault(path: string, message: string, value: unknown): void {
    this.#faults.push({ path, message, value })
  }
}
