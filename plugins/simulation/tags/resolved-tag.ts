/** A tag that was found in a program. */
import type { SymbolType } from '../../../plc/program/program-symbols.ts'
import type { Access } from '../../../plc/program/type.ts'
import type { Codec } from './scalar-codec.ts'

/**
 * Areas as `EArea` of PLCSIM Advanced has them, by a letter; PI and PQ are the periphery behind the process images, T and C S5 timers and counters.
 */
export type TagArea = 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'DB' | 'T' | 'C'

export interface ResolvedTag {
  /** As the list of tags has it: `Data.list[1,2].speed`, `%IW2`. */
  readonly name: string
  readonly type: SymbolType
  /** As TIA Portal writes it: `Int`, `Array[1..5] of Real`, `"Motor"` without quotes. */
  readonly dataType: string
  readonly primitiveType: string
  readonly area: TagArea
  /** Data block. */
  readonly block?: string
  readonly access: Access
  /** Bytes from the beginning of the area or data block; the number of a timer or counter. */
  readonly byte: number
  /** Where it is read: bytes in the program's memory. */
  readonly address: number
  /** Where it is written: of inputs the periphery, which the process image follows. */
  readonly writeAddress: number
  /** In the byte at `address`, of a value that takes bits only. */
  readonly bit?: number
  /** Bytes. */
  readonly size: number
  /** `%MW2`, `%DB1.DBX2.3`; what lies in optimized blocks has none. */
  readonly addressText?: string
  readonly comment: string
  readonly isRetentive: boolean
  readonly codec: Codec
}
