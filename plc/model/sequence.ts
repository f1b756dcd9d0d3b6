/**
 * Sequences of GRAPH function blocks (SW.PlcBlocks.Graph_v6.xsd; docs/formats.md#graph).
 *
 * Clients read these objects as they are, in the field `chart` of a GRAPH block's one network. Therefore the names of
 * fields must not change.
 */

import type { Kept } from './kept.ts'
import type { LogicNetwork } from './logic-network.ts'
import type { MultilingualText } from './multilingual-text.ts'
import type { Operand } from './operand.ts'
import type { Statement } from './statement.ts'

/** The sequences of a GRAPH function block, with the permanent instructions before and after them. */
export interface SequenceProgram {
  readonly before: readonly PermanentOperation[]
  readonly sequences: readonly Sequence[]
  readonly after: readonly PermanentOperation[]
  /** `AlarmsSettings` and anything else. */
  readonly kept?: Kept
}

/** One network that is always executed. */
export interface PermanentOperation {
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly language: string
  readonly graph?: LogicNetwork
  readonly statements?: readonly Statement[]
  readonly text?: string
  readonly kept?: Kept
}

export interface Sequence {
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly steps: readonly Step[]
  readonly transitions: readonly Transition[]
  readonly branches: readonly Branch[]
  readonly connections: readonly Connection[]
  readonly kept?: Kept
}

export interface Step {
  readonly number: number
  readonly name: string
  /** Whether the sequence begins at this step. */
  readonly isInitial: boolean
  /** `T#10S`: maximum time of the step before its supervision responds. */
  readonly maximumTime?: string
  /** `T#7S`. */
  readonly warningTime?: string
  readonly comment: MultilingualText
  readonly actions: readonly Action[]
  readonly supervision?: Condition
  readonly interlock?: Condition
  readonly kept?: Kept
}

/** One line of a step's action table. */
export interface Action {
  /** `N S R D L CD CR CS CU ON OFF TD TF TL TR`; empty for none. */
  readonly qualifier: string
  /** `S1 S0 V1 V0 L1 L0 A1 R1`; empty for none. */
  readonly event: string
  /** The action needs the step's interlock condition. */
  readonly needsInterlock: boolean
  /**
   * Operand, assignment or call as it is typed. When it has an unusual form, `kept` contains it too: drop `kept` when
   * the text changes.
   */
  readonly text: string
  /** The operands in it, in order. */
  readonly operands: readonly Operand[]
  readonly kept?: Kept
}

/** A network that ends in a coil: `SvCoil` (supervision), `IlCoil` (interlock), `TrCoil` (transition). */
export interface Condition {
  readonly language: string
  readonly graph?: LogicNetwork
  readonly alarmText?: MultilingualText
  readonly kept?: Kept
}

export interface Transition extends Condition {
  readonly number: number
  readonly name: string
  readonly comment: MultilingualText
}

export interface Branch {
  readonly number: number
  /** Simultaneous or alternative branch; where it opens and where it closes. */
  readonly type: 'SimBegin' | 'SimEnd' | 'AltBegin' | 'AltEnd'
  readonly cardinality: number
  readonly kept?: Kept
}

export interface Connection {
  readonly from: SequenceNode
  readonly to: SequenceNode
  readonly link: 'Direct' | 'Jump'
  readonly kept?: Kept
}

export type SequenceNode =
  | { readonly kind: 'step'; readonly number: number }
  | { readonly kind: 'transition'; readonly number: number }
  /** `in` or `out`: index of the branch's connection. */
  | { readonly kind: 'branch'; readonly number: number; readonly in?: number; readonly out?: number }
  | { readonly kind: 'end' }
