/** A tag that was found in a program. */
import type { SymbolType } from '../../../plc/program/program-symbols.ts'
import type { Access } from '../../../plc/program/type.ts'
import type { Codec } from './scalar-codec.ts'

/**
 * Areas of `EArea` of PLCSIM Advanced, by letters. PI and PQ are the periphery of the process images, T and C are S5
 * timers and counters.
 */
export type TagArea = 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'DB' | 'T' | 'C'

/** A tag with its place in the program's memory. */
export interface ResolvedTag {
  /** Name as in the list of tags: `Data.list[1,2].speed`, `%IW2`. */
  readonly name: string
  readonly type: SymbolType
  /** Type as written by TIA Portal: `Int`, `Array[1..5] of Real`, `"Motor"` without quotes. */
  readonly dataType: string
  readonly primitiveType: string
  readonly area: TagArea
  /** Name of the data block. */
  readonly block?: string
  readonly access: Access
  /** Offset in bytes from the start of the area or data block; for timers and counters the number. */
  readonly byte: number
  /** Address for reads, in the program's memory. */
  readonly address: number
  /** Address for writes: for inputs that of the periphery, which the process image follows. */
  readonly writeAddress: number
  /** Bit in the byte at `address`, for a value of bits only. */
  readonly bit?: number
  /** Size in bytes. */
  readonly size: number
  /** For example `%MW2`, `%DB1.DBX2.3`; absent in optimized blocks. */
  readonly addressText?: string
  readonly comment: string
  readonly isRetentive: boolean
  readonly codec: Codec
}
