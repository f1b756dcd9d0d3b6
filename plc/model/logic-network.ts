/**
 * LAD and FBD networks: operands, instructions and calls with the wires between them (SW.PlcBlocks.LADFBD_v5.xsd;
 * docs/formats.md#lad-and-fbd-networks).
 *
 * Clients read and send these objects as they are, in the field `graph` of a network. Therefore the names of fields and
 * the values of `kind` must not change.
 */

import type { Instance, TemplateValue } from './instance.ts'
import type { Kept } from './kept.ts'
import type { MultilingualText } from './multilingual-text.ts'
import type { Operand } from './operand.ts'

/** A LAD or FBD network. UIds are unique in it; TIA Portal counts nodes, then wires, from 21. */
export interface LogicNetwork {
  /** Jump labels of this network, in order. */
  readonly labels: readonly NetworkLabel[]
  /** Operands, instructions and calls in document order: the order of evaluation where the wires leave it open. */
  readonly nodes: readonly NetworkNode[]
  readonly wires: readonly Wire[]
  readonly kept?: Kept
}

export interface NetworkLabel {
  readonly uId?: number
  readonly name: string
  readonly comment?: MultilingualText
  readonly kept?: Kept
}

export type NetworkNode = OperandNode | InstructionNode | CallNode

/** An operand; a wire with its `operand` connector connects it to pins. */
export interface OperandNode {
  readonly kind: 'operand'
  readonly uId: number
  readonly operand: Operand
}

interface Box {
  readonly uId: number
  /** Pins that are negated (the small circle); `operand` for a negated contact or coil. */
  readonly negated: readonly string[]
  /** Pins that are not shown. */
  readonly invisible: readonly string[]
  readonly comment?: MultilingualText
  readonly kept?: Kept
}

/** An instruction: `Contact`, `Coil`, `O`, `Move`, `TON` … (names and pins: docs/flgnet-parts.tsv). */
export interface InstructionNode extends Box {
  readonly kind: 'part'
  readonly name: string
  readonly version?: string
  /** The EN/ENO mechanism of the instruction is switched off. */
  readonly disabledEno?: boolean
  /** Formula of a `Calc` box. */
  readonly equation?: string
  readonly instance?: Instance
  /** `Card`, `SrcType`, `DestType`, `time_type` … in order. */
  readonly templates: readonly TemplateValue[]
  /** Names of templates whose type follows from the operands. */
  readonly automaticTyped: readonly string[]
}

/** Call of a block of the program. */
export interface CallNode extends Box {
  readonly kind: 'call'
  /** Name of the called block, without quotes. */
  readonly name: string
  readonly blockType: 'FB' | 'FC' | (string & {})
  /** Number of the called block, when the file has it. */
  readonly blockNumber?: number
  readonly instance?: Instance
  /** The called block's interface as the caller last knew it, in order. */
  readonly parameters: readonly CallParameter[]
}

/** What a call names: its block; of one that is not resolved, and has no block, the instance. */
export function callName({ name, instance }: CallNode): string {
  return name === '' ? (instance?.path.map((part) => part.name).join('.') ?? '') : name
}

export interface CallParameter {
  readonly name: string
  readonly section?: string
  readonly type?: string
  readonly kept?: Kept
}

/** Ends in order: the first is the source, the others are sinks. */
export interface Wire {
  readonly uId: number
  readonly ends: readonly WireEnd[]
  readonly kept?: Kept
}

export type WireEnd =
  | { readonly kind: 'powerrail' }
  /** A pin of a part or call. */
  | { readonly kind: 'pin'; readonly uId: number; readonly pin: string }
  /** An operand node. */
  | { readonly kind: 'operand'; readonly uId: number }
  /** A pin without a connection. */
  | { readonly kind: 'open'; readonly uId: number }
  | { readonly kind: 'openbranch' }
