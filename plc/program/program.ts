/**
 * A linked program: the blocks, types, tags and constants of one controller with every name resolved. `linkProgram`
 * (link-program.ts) makes it from documents; the checkers and the lowering of all languages read it.
 */
import type { KnownCode } from '../diagnostics/codes.ts'
import type { Severity } from '../diagnostics/diagnostic-code.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { SequenceProgram } from '../model/sequence.ts'
import type { Statement, StatementPlace } from '../model/statement.ts'
import type { CpuFamily } from './cpu-family.ts'
import type { Access, ElementValue, InstanceType, Member, StructType, Type } from './type.ts'

export interface Program {
  /** Blocks by name in lower case. */
  readonly blocks: ReadonlyMap<string, ProgramBlock>
  /** PLC data types, by name in lower case. */
  readonly types: ReadonlyMap<string, StructType>
  readonly tags: ReadonlyMap<string, ProgramTag>
  /** User and system constants. */
  readonly constants: ReadonlyMap<string, ProgramConstant>
  /** Blocks by `FB 12`, `DB 3`: operands of STL and absolute calls. */
  readonly byNumber: ReadonlyMap<string, ProgramBlock>
  /** The family of the CPU, or the one that the declarations speak for: some results have their type from it. */
  readonly family: CpuFamily
  /** Whether the device says the family: only then what the family lacks is refused. */
  readonly isFamilyKnown: boolean
  /** Faults found while linking: unknown types, duplicate names and numbers, types that contain themselves. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Returns the type that a text names, e.g. `Array[0..9] of "Motor"`, `String[20]`, `TON_TIME`, `Struct` (with
   * `members`). Unknown names give an `UnknownType`; nothing is reported.
   */
  typeOf(text: string, members?: readonly Member[]): Type
}

/** Properties of a GRAPH function block, "Sequence properties" in TIA Portal. */
export interface SequenceProperties {
  /** `SkipSteps`: a step is skipped when the transition behind it is met too. */
  readonly skipsSteps?: true
  /** `AcknowledgeErrorsRequired`: "Acknowledge supervision alarms". */
  readonly needsAcknowledgement?: true
  /** `PermanentILProcessingInMANMode`: manual mode processes all interlocks. */
  readonly interlocksInManual?: true
}

export interface ProgramBlock {
  readonly name: string
  /** Namespace of the block, its parts separated by dots; absent for the root. */
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
  /** For an FB the type of its instances, for a DB the type of its data. */
  readonly type?: InstanceType | StructType | Type
  /** Return type of an FC. */
  readonly returnType?: Type
  /** FB, PLC data type or system type of an instance DB. */
  readonly instanceOf?: string
  /** Start values that a data block gives to parts of its type. Later ones override earlier ones. */
  readonly startValues?: readonly ElementValue[]
  /** Event class of an OB. */
  readonly eventClass?: string
  /** The schedule of an OB as its document states it. */
  readonly schedule?: DeclaredSchedule
  /** Properties of a GRAPH function block; absent: all are off. */
  readonly sequence?: SequenceProperties
  /** Of a data block: write-protected in the device. */
  readonly isReadOnly?: boolean
  /** Of a data block: only stored in load memory. */
  readonly isOnlyLoaded?: boolean
  readonly networks: readonly ProgramNetwork[]
  /** Content hash of the document, the key of its compiled code. */
  readonly document: string
}

/**
 * Attributes of an OB as Openness names them: `PriorityNumber`, `CyclicTime`, `PhaseOffset` (microseconds),
 * `ProcessImagePartNumber`, `EventsToBeQueued`, `EnableTimeError`.
 */
export interface DeclaredSchedule extends EventAttributes {
  readonly priority?: number
  readonly cycleTimeUs?: number
  readonly phaseUs?: number
}

/** What the attributes of an OB say about its process image and about events that come too often. */
export interface EventAttributes {
  /** Partition of the process image that is updated with the block, 1 to 31. */
  readonly processImagePartition?: number
  /** Events of one source that wait while the block cannot run. */
  readonly eventsToBeQueued?: number
  /** False: a lost event of the block does not call OB 80. */
  readonly isTimeErrorEnabled?: boolean
}

/** A network as the compiler reads it; exactly one of the last four fields is present. */
export interface ProgramNetwork {
  /** Number of the network, from 1. */
  readonly number: number
  readonly title: string
  readonly language: string
  /** SCL text. */
  readonly text?: string
  readonly graph?: LogicNetwork
  readonly statements?: readonly Statement[]
  /** Where these begin in the text that clients see of the network. */
  readonly statementPlaces?: readonly StatementPlace[]
  readonly chart?: SequenceProgram
}

export interface ProgramTag {
  readonly name: string
  readonly type: Type
  readonly address?: AbsoluteAddress
  readonly comment: string
  /** Name of the tag table. */
  readonly table?: string
}

export interface ProgramConstant {
  readonly name: string
  readonly type: Type
  /** The value as it is written. */
  readonly value: string
}

/** `%I0.0`, `%MW10`, `%DB1.DBX2.3`, `%T5`. */
export interface AbsoluteAddress {
  readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'DB' | 'T' | 'C'
  /** Number of the data block, for area DB. */
  readonly block?: number
  readonly byte: number
  readonly bit?: number
  /** Size in bits: 1, 8, 16, 32 or 64. */
  readonly bits: number
}

/** A fault of a program: what is wrong, where, and what would be right. */
export interface Diagnostic {
  /** A code of `plc/diagnostics/codes.ts`: stable, with a page and an example each. */
  readonly code: KnownCode
  readonly severity: Severity
  /** Name of the block, type or table. */
  readonly object: string
  /** Path of the member, for a fault in the interface. */
  readonly member?: string
  /** Number of the network from 1. In its text, line and column from 1, or the UId of a node of the network. */
  readonly network?: number
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly uId?: number
  /** In a sequence program the step or transition: `Step 3 "Fill"`. */
  readonly element?: string
  /** Line and column from 1 in the text of the object (its XML or its source). */
  readonly sourceLine?: number
  readonly sourceColumn?: number
  /** The message in plain words. */
  readonly message: string
  readonly hint?: string
}

/** Finds a block by its name, case ignored; a block in a namespace is also found by its whole name, `ns.Name`. */
export function blockNamed({ blocks }: Pick<Program, 'blocks'>, name: string): ProgramBlock | undefined {
  const key = name.toLowerCase()
  const found = blocks.get(key)
  const dot = key.lastIndexOf('.')
  if (found || dot < 0) return found
  const block = blocks.get(key.slice(dot + 1))
  return block?.namespace?.toLowerCase() === key.slice(0, dot) ? block : undefined
}
