/** All values of a data block, each with the way to it: what a snapshot of actual values holds. */
import { defined } from '../../../core/index.ts'
import type { DataBlockSymbol, SymbolMember, TypeNumber } from '../../../plc/program/program-symbols.ts'
import { elementsOf, isRetentiveWhole } from '../../../plc/program/symbol-rows.ts'
import type { Access } from '../../../plc/program/type.ts'
import type { LoadedProgram } from '../controller/contract.ts'
import { formatValue } from './display.ts'
import { indexOf, type ProgramIndex } from './program-index.ts'

/** One name on the way to a value, with the indices behind it: one list for each pair of brackets. */
export interface ValueStep {
  /** `''`: the elements of an array data block have no name. */
  readonly name: string
  readonly section: SymbolMember['section']
  /** As it is written, without quotes: `Int`, `Array[0..9] of Motor`, `Struct`. */
  readonly dataType: string
  readonly indices: readonly (readonly number[])[]
}

/** A value that has no parts (`DTL` is one value). */
export interface BlockValue {
  readonly steps: readonly ValueStep[]
  readonly dataType: string
  /**
   * As a constant: `TRUE`, `1.5`, `T#2s`, `'abc'`; `undefined`: the bytes are no value of the type, e.g. a Real that is
   * no number.
   */
  readonly text: string | undefined
  /** It is what it was at the start. */
  readonly isStart: boolean
  readonly isRetentive: boolean
  readonly isSetpoint: boolean
}

interface Node {
  readonly steps: readonly ValueStep[]
  readonly of: TypeNumber
  readonly access: Access
  readonly byte: number
  readonly bit?: number
  readonly isRetentive: boolean
  readonly isSetpoint: boolean
}

/**
 * Walks through the values of a data block in the order of declaration. What programs do not see, and addresses, are
 * left out.
 * @param bytes the data of the block
 * @param start the same at the start
 */
export function blockValues(
  program: LoadedProgram,
  block: DataBlockSymbol,
  bytes: Uint8Array,
  start: Uint8Array,
): Generator<BlockValue> {
  const index = indexOf(program)
  const isRetentive = isRetentiveWhole(block)
  const root = { steps: [], of: block.type, access: block.access, byte: 0, isRetentive, isSetpoint: false }
  return new Walk(index, bytes, start).values(root)
}

class Walk {
  readonly #index: ProgramIndex
  readonly #bytes: Uint8Array
  readonly #start: Uint8Array

  constructor(index: ProgramIndex, bytes: Uint8Array, start: Uint8Array) {
    this.#index = index
    this.#bytes = bytes
    this.#start = start
  }

  *values(node: Node): Generator<BlockValue> {
    const type = this.#index.type(node.of)
    if (type.kind === 'opaque') return
    if (type.kind === 'array') {
      // The array of an array data block has no name.
      const steps = node.steps.length > 0 ? node.steps : [this.#step('', 'None', node.of)]
      const own = steps.at(-1)!
      const lengths = type.dimensions.map(({ low, high }) => high - low + 1)
      for (let i = 0, count = elementsOf(type); i < count; i++) {
        let rest = i
        const indices: number[] = []
        for (let d = lengths.length - 1; d >= 0; d--) {
          indices.unshift(type.dimensions[d]!.low + (rest % lengths[d]!))
          rest = Math.floor(rest / lengths[d]!)
        }
        const bits = (node.bit ?? 0) + i
        const place = type.isBits
          ? { byte: node.byte + (bits >> 3), bit: bits & 7 }
          : { byte: node.byte + i * type.stride }
        const { bit: _bit, ...around } = node
        const step = { ...own, indices: [...own.indices, indices] }
        yield* this.values({ ...around, ...place, steps: [...steps.slice(0, -1), step], of: type.element })
      }
    } else if (type.kind === 'struct' && type.name?.toUpperCase() !== 'DTL') {
      for (const member of type.members) {
        if (member.isHidden) continue
        yield* this.values({
          steps: [...node.steps, this.#step(member.name, member.section, member.type)],
          of: member.type,
          access: type.access ?? node.access,
          byte: node.byte + member.byte,
          ...defined({ bit: member.bit }),
          isRetentive: node.isRetentive || member.isRetentive,
          isSetpoint: node.isSetpoint || member.isSetpoint === true,
        })
      }
    } else yield this.#value(node)
  }

  #step(name: string, section: ValueStep['section'], type: TypeNumber): ValueStep {
    return { name, section, dataType: this.#index.typeText(type), indices: [] }
  }

  #value({ steps, of, access, byte, bit, isRetentive, isSetpoint }: Node): BlockValue {
    const [text, start] = [
      this.#text(this.#bytes, of, access, byte, bit),
      this.#text(this.#start, of, access, byte, bit),
    ]
    // A Real may be infinite or no number, which no constant is.
    const isConstant = text !== '' && text !== 'null' && !/^-?(?:NaN|Inf)/i.test(text)
    return {
      steps,
      dataType: this.#index.typeText(of),
      text: isConstant ? text : undefined,
      isStart: text === start,
      isRetentive,
      isSetpoint,
    }
  }

  #text(from: Uint8Array, of: TypeNumber, access: Access, byte: number, bit: number | undefined): string {
    const type = this.#index.type(of)
    const codec = this.#index.codec(of, access, bit !== undefined)
    const size = this.#index.size(of)
    const place = { byte, address: byte, writeAddress: byte, size, ...defined({ bit }) }
    const names = { name: '', dataType: '', primitiveType: '', comment: '', isRetentive: false }
    const tag = { ...names, ...place, type, area: 'DB' as const, access, codec }
    return formatValue(tag, from.subarray(byte, byte + size), 'Undef')
  }
}
