/** What a check of a phase consists of: scans with what is written before and what must be there after, and what could not be planned. */

/** Rows of the state table, and what the documentation of the block adds to them. */
export const ROWS = {
  idle: 'Idle: without Execute nothing happens.',
  start: 'Idle, Execute becomes TRUE: the initial step is next, Active is TRUE.',
  'entry-action': 'In a step: the entry action is done once, when the step is evaluated first.',
  wait: 'In a step, Condition FALSE: the step stays.',
  transition: 'In a step, Condition TRUE: the step named by NextStep is next.',
  final: 'Final step: idle, Done is TRUE, Active is FALSE.',
  hold: 'Hold and Active: the step stays and issues nothing, Held is TRUE; without Hold the phase goes on.',
  abort: 'Abort and Active: idle, Active is FALSE; nothing more is issued, and Abort wins over Hold.',
  restart:
    'An Execute that stays TRUE does not start the phase again; Done stays until it is FALSE or the phase starts again.',
  'unknown-step': '_Step has a value that is no step: idle, Error is TRUE.',
} as const
export type RowName = keyof typeof ROWS

export type JsonScalar = boolean | number | string
/** A member of the instance and its value. */
export type MemberValue = readonly [path: readonly string[], value: JsonScalar]

export type ScriptItem =
  /** Runs the block once. */
  | {
      readonly kind: 'scan'
      readonly row: RowName
      /** Active before the scan; 0: idle. */
      readonly step: number
      readonly write: readonly MemberValue[]
      /** What the scan changes; all else must stay as it is. */
      readonly expect: readonly MemberValue[]
      /** Members that may have any value now. */
      readonly open: readonly (readonly string[])[]
    }
  /** Keeps the whole instance, and puts it back: what is between them is a side road. */
  | { readonly kind: 'save' }
  | { readonly kind: 'restore' }

/** A step and what the plan could do with it. */
export interface StepPlan {
  readonly number: number
  readonly name: string
  readonly isFinal: boolean
  /** The script goes there. */
  readonly isReached: boolean
  /** Its entry action has assignments, and the values of all of them are told. */
  readonly hasAction: boolean
  readonly isActionTold: boolean
  /** It is evaluated with its condition FALSE, and TRUE. */
  readonly waits: boolean
  readonly leaves: boolean
  /** What is written so that the condition holds, by names of variables; `presets`: Out variables among them. */
  readonly inputs: Readonly<Record<string, JsonScalar>>
  readonly presets: string[]
  /** Why it is not reached, does not wait or does not leave. */
  readonly reason?: string
}

export interface PhaseScript {
  readonly phase: string
  readonly items: readonly ScriptItem[]
  readonly scans: number
  readonly steps: readonly StepPlan[]
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly condition: string }[]
  /** All variables of the control modules. */
  readonly members: readonly (readonly string[])[]
  /** It ends here because more scans were not allowed. */
  readonly isCut: boolean
}
