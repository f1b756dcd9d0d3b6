/**
 * A linked program: the blocks, types, tags and constants of one controller with every name followed. What the checkers and the lowering of
 * all languages ask; made by `linkProgram` (link-program.ts) from documents.
 */
import type { KnownCode } from '../diagnostics/codes.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { SequenceProgram } from '../model/sequence.ts'
import type { Statement } from '../model/statement.ts'
import type { Access, ElementValue, InstanceType, Member, StructType, Type } from './type.ts'

export interface Program {
  /** By name in lower case. */
  readonly blocks: ReadonlyMap<string, ProgramBlock>
  /** PLC data types, by name in lower case. */
  readonly types: ReadonlyMap<string, StructType>
  readonly tags: ReadonlyMap<string, ProgramTag>
  /** User and system constants. */
  readonly constants: ReadonlyMap<string, ProgramConstant>
  /** Blocks by `FB 12`, `DB 3`: operands of STL and absolute calls. */
  readonly byNumber: ReadonlyMap<string, ProgramBlock>
  /** What linking objects to: unknown types, doubled names and numbers, types that contain themselves. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * The type a text names, e.g. `Array[0..9] of "Motor"`, `String[20]`, `TON_TIME`, `Struct` (with `members`).
   * Unknown ones give an `UnknownType`; nothing is reported.
   */
  typeOf(text: string, members?: readonly Member[]): Type
}

export interface ProgramBlock {
  readonly name: string
  /** Namespace that the block is in, parted by dots; not there for the root. */
  readonly namespace?: string
  readonly kind: 'OB' | 'FB' | 'FC' | 'GlobalDB' | 'InstanceDB' | 'ArrayDB'
  readonly number: number
  /** `SCL`, `LAD`, `FBD`, `STL`, `GRAPH`, `DB`. */
  readonly language: string
  readonly access: Access
  /** `IsIECCheckEnabled`: implicit conversions as IEC 61131-3 has them. */
  readonly isIecCheckOn: boolean
  /** `SetENOAutomatically`. */
  readonly setsEno: boolean
  readonly isKnowHowProtected: boolean
  /** All members of all sections, in the order of the interface. */
  readonly members: readonly Member[]
  /** Of an FB: the type of its instances. Of a DB: the type of its data. */
  readonly type?: InstanceType | StructType | Type
  /** Of an FC. */
  readonly returnType?: Type
  /** FB, PLC data type or system type that an instance DB is of. */
  readonly instanceOf?: string
  /** Start values that a data block gives to parts of its type. Later ones count. */
  readonly startValues?: readonly ElementValue[]
  /** Event class of an OB. */
  readonly eventClass?: string
  /** What the document says of when an OB runs. */
  readonly schedule?: DeclaredSchedule
  readonly networks: readonly ProgramNetwork[]
  /** Content hash of the document: what compiled code is kept under. */
  readonly document: string
}

/** Attributes of an OB as Openness names them: `PriorityNumber`, `CyclicTime`, `PhaseOffset` (microseconds). */
export interface DeclaredSchedule {
  readonly priority?: number
  readonly cycleTimeUs?: number
  readonly phaseUs?: number
}

/** A network as the compiler takes it; one of the last four is there. */
export interface ProgramNetwork {
  /** From 1. */
  readonly number: number
  readonly title: string
  readonly language: string
  /** SCL. */
  readonly text?: string
  readonly graph?: LogicNetwork
  readonly statements?: readonly Statement[]
  readonly chart?: SequenceProgram
}

export interface ProgramTag {
  readonly name: string
  readonly type: Type
  readonly address?: AbsoluteAddress
  readonly comment: string
  /** Tag table. */
  readonly table?: string
}

export interface ProgramConstant {
  readonly name: string
  readonly type: Type
  /** As it is written. */
  readonly value: string
}

/** `%I0.0`, `%MW10`, `%DB1.DBX2.3`, `%T5`. */
export interface AbsoluteAddress {
  readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'DB' | 'T' | 'C'
  /** Of area DB. */
  readonly block?: number
  readonly byte: number
  readonly bit?: number
  /** 1, 8, 16, 32 or 64. */
  readonly bits: number
}

/** What is wrong, where, and what would be right. */
export interface Diagnostic {
  /** A code of `program/codes.ts`: stable, with a page and an example each. */
  readonly code: KnownCode
  readonly severity: 'error' | 'warning'
  /** Block, type or table. */
  readonly object: string
  /** In the interface: the member's path. */
  readonly member?: string
  /** From 1; in its text line and column from 1, or the UId of a network's node. */
  readonly network?: number
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly uId?: number
  /** Plain words. */
  readonly message: string
  readonly hint?: string
}

/** The block of a name in any case; a block in a namespace is also found by its whole name, `ns.Name`. */
export function blockNamed({ blocks }: Pick<Program, 'blocks'>, name: string): ProgramBlock | undefined {
  const key = name.toLowerCase()
  const found = blocks.get(key)
  const dot = key.lastIndexOf('.')
  if (found || dot < 0) return found
  const block = blocks.get(key.slice(dot + 1))
  return block?.namespace?.toLowerCase() === key.slice(0, dot) ? block : undefined
}
