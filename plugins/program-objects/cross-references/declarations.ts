/** The declarations of a program: what its names and addresses mean, for linking. */
import { parseOperand } from '../../../plc/model/operand-reader.ts'
import { type ObjectUses, type UsedAddress, type UsedArgument, usedAddress } from '../../../plc/uses/use.ts'
import type { ProgramObject, ProgramSymbol } from './contributor.ts'

/** The fields of a block that linking reads. */
export type StoredBlock = NonNullable<ProgramObject['stored']>

/** The declaration of a name. */
export interface Meaning {
  /** The spelling of the declaration. */
  readonly name: string
  /** In lower case: all spellings of a name have one key. */
  readonly key: string
  readonly symbol: ProgramSymbol | undefined
  readonly block: StoredBlock | undefined
}

/** Widest tag whose bytes are all listed; longer ones (structures) are found by their first bytes. */
const maxListedBytes = 512

/** The declarations of a program. */
export class ProgramDeclarations {
  readonly #symbols = new Map<string, ProgramSymbol>()
  readonly #blocks = new Map<string, StoredBlock>()
  readonly #blockByNumber = new Map<string, StoredBlock>()
  readonly #parameters = new Map<string, ObjectUses['parameters']>()
  readonly #tagsByByte = new Map<string, { symbol: ProgramSymbol; start: number; end: number }[]>()
  /** Lower-case names by the whole name in a namespace, `ns.name`. */
  readonly #inNamespaces = new Map<string, string>()
  readonly #meanings = new Map<string, Meaning>()

  constructor(symbols: readonly ProgramSymbol[], uses: ReadonlyMap<ProgramObject, ObjectUses>) {
    for (const symbol of symbols) {
      this.#symbols.set(symbol.name.toLowerCase(), symbol)
      if (symbol.address !== undefined && symbol.address !== '') this.#placeTag(symbol, symbol.address)
    }
    for (const [{ name, category, stored: block }, { namespace, parameters }] of uses) {
      const key = name.toLowerCase()
      if (namespace !== undefined) this.#inNamespaces.set(`${namespace}.${name}`.toLowerCase(), key)
      if (category !== 'block' || block === undefined) continue
      this.#parameters.set(key, parameters)
      this.#blocks.set(key, block)
      this.#blockByNumber.set(`${block.kind.endsWith('DB') ? 'DB' : block.kind} ${block.number}`, block)
    }
  }

  /** The declaration of a name (any case), if there is one. */
  symbol(name: string): ProgramSymbol | undefined {
    return this.#symbols.get(name.toLowerCase())
  }

  /** All names. */
  names(): string[] {
    return [...this.#symbols.values()].map(({ name }) => name)
  }

  /** The declaration of a name. Each spelling is looked up once. */
  meaningOf(spelling: string): Meaning {
    let meaning = this.#meanings.get(spelling)
    if (meaning === undefined) {
      const key = this.#keyOf(spelling.toLowerCase())
      const symbol = this.#symbols.get(key)
      meaning = { name: symbol?.name ?? spelling, key, symbol, block: this.#blocks.get(key) }
      this.#meanings.set(spelling, meaning)
    }
    return meaning
  }

  /** The section of the parameter that an argument is for, if the program contains the callee. */
  sectionOf({ callee, parameter: wanted }: UsedArgument): string | undefined {
    const { block } = this.meaningOf(callee)
    const code = block?.kind.endsWith('DB') === true ? block.instanceOf : block?.name
    const parameters = code === undefined ? undefined : this.#parameters.get(this.meaningOf(code).key)
    if (typeof wanted === 'number') return parameters?.[wanted]?.section
    return parameters?.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.section
  }

  /** The block that has a number: `DB`, `FB` or `FC`. */
  blockWithNumber(area: string, number: number | undefined): StoredBlock | undefined {
    return this.#blockByNumber.get(`${area} ${number}`)
  }

  /** Tags that have bits of an area, from the first one to the one before `end`. */
  tagsIn(area: string, first: number, end: number): Set<ProgramSymbol> {
    const hit = new Set<ProgramSymbol>()
    for (let byte = first >> 3; byte <= (end - 1) >> 3; byte++)
      for (const tag of this.#tagsByByte.get(`${area}${byte}`) ?? [])
        if (tag.start < end && first < tag.end) hit.add(tag.symbol)
    return hit
  }

  /** The names of what is at an address: tags that have some of its bits, or the block of a number. */
  namesAt({ area, number, start, bits }: UsedAddress): string[] {
    if (area === 'DB' || area === 'FB' || area === 'FC') {
      // Which members of a data block lie at a byte, only the compiler knows.
      const block = start === undefined ? this.blockWithNumber(area, number) : undefined
      return block === undefined ? [] : [block.name]
    }
    const first = start ?? (number ?? 0) * 8
    const end = first + (start === undefined ? 1 : (bits ?? 1))
    return [...this.tagsIn(area, first, end)].map(({ name }) => name)
  }

  #placeTag(symbol: ProgramSymbol, text: string): void {
    const operand = parseOperand(text)
    const address = operand?.kind === 'address' ? usedAddress(operand) : undefined
    if (address === undefined) return
    const start = address.start ?? (address.number ?? 0) * 8
    const end = start + Math.max(address.start === undefined ? 1 : (address.bits ?? 1), bitsOf(symbol.typeName))
    const last = Math.min((end - 1) >> 3, (start >> 3) + maxListedBytes)
    for (let byte = start >> 3; byte <= last; byte++) {
      const key = `${address.area}${byte}`
      const tags = this.#tagsByByte.get(key)
      if (tags === undefined) this.#tagsByByte.set(key, [{ symbol, start, end }])
      else tags.push({ symbol, start, end })
    }
  }

  /**
   * The declared name in `name`, `ns.name` or `_.ns.name.member`, in lower case; the text itself when there is none.
   */
  #keyOf(spelling: string): string {
    if (this.#symbols.has(spelling)) return spelling
    if (!spelling.startsWith('_.')) return this.#inNamespaces.get(spelling) ?? spelling
    const whole = spelling.slice(2)
    for (let end = whole.length; end > 0; end = whole.lastIndexOf('.', end - 1)) {
      const name = whole.slice(0, end)
      const key = this.#symbols.has(name) ? name : this.#inNamespaces.get(name)
      if (key !== undefined) return key
    }
    return whole
  }
}

/** Size of a tag in bits by its type; 1 for types whose layout only the compiler knows. */
function bitsOf(dataType: string): number {
  const text = /^(w?)string(?:\[(\d+)\])?$/i.exec(dataType)
  if (text !== null) return (Number(text[2] ?? 254) + 2) * (text[1] === '' ? 8 : 16)
  return { dtl: 96, date_and_time: 64, lword: 64, lreal: 64, lint: 64, ulint: 64 }[dataType.toLowerCase()] ?? 1
}
