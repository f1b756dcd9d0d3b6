/** Uses: places where an object of a program uses a name of the whole program. */
import type { AddressOperand } from '../model/operand.ts'

/**
 * `Call`: a block is called. `Instance`: data of a call, or the type of an instance data block. `Type`: a data type is
 * declared with it.
 */
export type UseAccess = 'Read' | 'Write' | 'ReadWrite' | 'Call' | 'Instance' | 'Type'

/** Where in the object. */
export interface UsePlace {
  /** Path of the interface member: `Static.motor.drive`. */
  readonly member?: string
  /** Counts from 1. */
  readonly network?: number
  /** Line of the network's text, from 1. */
  readonly line?: number
  /** Column of the line, from 1. */
  readonly column?: number
  /** UId of the network's element. */
  readonly uId?: number
  /** `Step 3 "Fill"`, `Transition 2 "Full"` of a GRAPH block, `before` and `after` the sequences; `Supervision 2`. */
  readonly element?: string
  /** Name of the row of a tag table, watch table or force table. */
  readonly row?: string
}

/** Memory that an absolute operand addresses. */
export interface UsedAddress {
  /** `I`, `Q`, `M`, `T`, `C`, `DB`, `FB`, `FC`. */
  readonly area: string
  /** Number of the data block for `DB` operands; for `T`, `C`, `FB` and `FC` the number itself. */
  readonly number?: number
  /** First bit in the area (byte * 8 + bit), and the number of bits. Absent for whole blocks, timers, counters. */
  readonly start?: number
  readonly bits?: number
}

/** One use. */
export interface Use {
  /** First name of the operand without quotes; '' when there is only an address. */
  readonly name: string
  /** Names of the members after it, without indices. */
  readonly path: readonly string[]
  readonly address?: UsedAddress
  /** The whole operand, as an engineer reads it: `"DB".list[#i].x`. */
  readonly text: string
  readonly access: UseAccess
  readonly place: UsePlace
  /** The parameter, where the operand is an argument of a call whose parameters are not known here. */
  readonly argument?: UsedArgument
  /**
   * The name has neither quotes nor `#`: it is a use when the program has such a name, otherwise e.g. a built-in
   * function.
   */
  readonly isBare?: boolean
}

export interface UsedArgument {
  /** Name of the called block, instance data block or type. */
  readonly callee: string
  /** Name of the parameter, or its position from 0. */
  readonly parameter: string | number
}

/** What one object uses, and what others need to know about it. */
export interface ObjectUses {
  readonly uses: readonly Use[]
  /** Parameters in order: Input, Output, InOut. Empty for everything except code blocks. */
  readonly parameters: readonly { readonly name: string; readonly section: string }[]
  /** The namespace of the object; absent for the root. */
  readonly namespace?: string
}

/** Bits of an absolute operand by its type, where the type is wider than the text shows. */
const bitsOfType: Readonly<Record<string, number>> = {
  Bool: 1,
  Byte: 8,
  Char: 8,
  SInt: 8,
  USInt: 8,
  Word: 16,
  Int: 16,
  UInt: 16,
  WChar: 16,
  Date: 16,
  S5Time: 16,
  LWord: 64,
  LInt: 64,
  ULInt: 64,
  LReal: 64,
  LTime: 64,
  LTime_Of_Day: 64,
  LDT: 64,
  Date_And_Time: 64,
  DTL: 96,
}

const areas: Readonly<Record<string, string>> = {
  Input: 'I',
  Output: 'Q',
  Memory: 'M',
  PeripheryInput: 'I',
  PeripheryOutput: 'Q',
  Timer: 'T',
  Counter: 'C',
  DB: 'DB',
  FB: 'FB',
  FC: 'FC',
}

/**
 * Returns the memory of an absolute operand; `undefined` for memory that does not belong to the program (local data,
 * the opened data block).
 */
export function usedAddress({ area, type, blockNumber, bitOffset }: AddressOperand): UsedAddress | undefined {
  const known = areas[area]
  if (known === undefined) return undefined
  if (known === 'DB') {
    if (blockNumber === undefined)
      return type === 'Block_DB' && bitOffset !== undefined ? { area: known, number: bitOffset } : undefined
    return bitOffset === undefined || type === 'Block_DB'
      ? { area: known, number: blockNumber }
      : { area: known, number: blockNumber, start: bitOffset, bits: bitsOfType[type] ?? 32 }
  }
  if (bitOffset === undefined) return undefined
  if (known.length === 1 && known !== 'T' && known !== 'C')
    return { area: known, start: bitOffset, bits: bitsOfType[type] ?? 32 }
  return { area: known, number: bitOffset }
}
