/** Operands of all languages (SW.PlcBlocks.Access_v5.xsd; docs/formats.md#lad-and-fbd-networks). */

import type { Kept } from './kept.ts'

/** Where a symbol is looked up (`Access/@Scope`). `Undef`: it was not resolved when the file was written. */
export type SymbolScope = 'GlobalVariable' | 'LocalVariable' | 'Undef' | 'PredefinedVariable'

/** `#run`, `"DB".list[#i, 2].x.%X3`, `"sensor":P`. */
export interface SymbolOperand {
  readonly kind: 'symbol'
  readonly scope: SymbolScope
  /** From the outermost name inwards; never empty. Names are without quotes and without `#`. */
  readonly path: readonly PathComponent[]
  readonly kept?: Kept
}

export interface PathComponent {
  readonly name: string
  /** One operand per dimension when the component is an array element. */
  readonly indices?: readonly Operand[]
  /** Part of the operand: `x7`, `b0`, `w1`, `d0` (lower case, without `%`); `dbw4`: block-address.ts. */
  readonly slice?: string
  /** `Periphery`: `:P`, bypassing the process image. */
  readonly access?: 'Periphery' | 'QualityInformation'
  readonly kept?: Kept
}

/** `5`, `16#FF`, `TRUE`, `'abc'`, `T#5s`, `P#M0.0 BYTE 4`. */
export interface LiteralOperand {
  readonly kind: 'literal'
  /** `LiteralConstant`: the type is given beside the value; `TypedConstant`: the value's own prefix gives it. */
  readonly scope: 'LiteralConstant' | 'TypedConstant' | 'AddressConstant' | 'AlarmConstant'
  /** As it is written. */
  readonly value: string
  /** Type of a `LiteralConstant` in a network: `Int`, `Bool`, `Real` … */
  readonly type?: string
  readonly kept?: Kept
}

/** A named constant: `"MAX"`, `#LIMIT`, `_.ns.Type#VALUE`. */
export interface ConstantOperand {
  readonly kind: 'constant'
  readonly scope: 'GlobalConstant' | 'LocalConstant' | 'NamedValueConstant'
  readonly name: string
  readonly kept?: Kept
}

/** `%I0.0`, `%MW10`, `%DB1.DBX2.3`, `%T5`, `%DB7`. */
export interface AddressOperand {
  readonly kind: 'address'
  /**
   * `Input`, `Output`, `Memory`, `PeripheryInput`, `PeripheryOutput`, `Local`, `DB`, `DI`, `Timer`, `Counter`, `FB`,
   * `FC`.
   */
  readonly area: string
  /** Data type, which determines the width: `Bool`, `Byte`, `Word`, `DWord`, `Int` … */
  readonly type: string
  /** `DB` and `DI` only. */
  readonly blockNumber?: number
  /** Byte * 8 + bit; for timers, counters and blocks the number itself. Absent for a block as a whole. */
  readonly bitOffset?: number
  readonly kept?: Kept
}

/** STL: `DBW [AR1,P#2.0]`, `M [MD 20]`. */
export interface IndirectOperand {
  readonly kind: 'indirect'
  readonly width: 'Bit' | 'Byte' | 'Word' | 'Double' | 'Long' | 'None'
  /** As in `AddressOperand`; absent for access across areas by register (`[AR1,P#0.0]`). */
  readonly area?: string
  readonly register?: 'AR1' | 'AR2'
  readonly bitOffset?: number
  /** Memory that holds the pointer, instead of a register. */
  readonly pointer?: Operand
  readonly kept?: Kept
}

/** Target of a jump. */
export interface LabelOperand {
  readonly kind: 'label'
  readonly name: string
  readonly kept?: Kept
}

/** STL: `OV`, `OS`, `UO`, `<>0`, `BR` of the status word. */
export interface StatusOperand {
  readonly kind: 'status'
  /** `Combination` of the schema: `BR`, `OV`, `OS`, `EQ`, `NE`, `GT`, `LT`, `GE`, `LE`, `UO`. */
  readonly name: string
  readonly kept?: Kept
}

/** Any other operand, kept as its whole `Access` element; `text` is the part that can be shown. */
export interface OtherOperand {
  readonly kind: 'other'
  readonly scope: string
  readonly text: string
  readonly xml: string
}

export type Operand =
  | SymbolOperand
  | LiteralOperand
  | ConstantOperand
  | AddressOperand
  | IndirectOperand
  | LabelOperand
  | StatusOperand
  | OtherOperand
