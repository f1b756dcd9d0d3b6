/**
 * The parts of a check of a phase: scans with the values written before and expected after, and what could not be
 * planned.
 */

/** Rows of the state table, and what the documentation of the block adds to them. */
export const ROWS = {
  idle: 'Idle: without Execute (Start) nothing happens.',
  parameters: 'A parameter outside its limits refuses the start: idle, Error is TRUE, ErrorText tells which one.',
  start: 'Idle, Execute (Start) becomes TRUE: the initial step is next, Active is TRUE.',
  'entry-action': 'In a step: the entry action is done once, when the step is evaluated first.',
  'while-action': 'In a step: the while action is done at every call.',
  wait: 'In a step, Condition FALSE: the step stays.',
  'min-time': 'In a step, Condition TRUE before MinTime is over: the step stays.',
  timeout: 'In a step that is not left before Timeout: Alarm, AlarmText, and the reaction of OnTimeout.',
  'exit-action': 'In a step, Condition TRUE: the exit action is done, then the step is left.',
  transition: 'In a step, Condition TRUE: the step named by NextStep is next.',
  final: 'Final step: idle (Complete), Done is TRUE, Active is FALSE.',
  hold: 'Hold and Active: the step stays and issues nothing but the action of Hold, Held is TRUE; then the phase goes on.',
  abort: 'Abort and Active: idle (Aborted), Active is FALSE; only the action of Abort is issued; Abort wins over Hold.',
  stop: 'Stop: Stopping with the action of Stop, then Stopped.',
  states: 'The states of ISA-88: each command has its effect in the states that obey it, and none in the others.',
  interlock: 'An interlock keeps its variable at the safe value and tells the reason; then the phase has it again.',
  restart:
    'An Execute that stays TRUE does not start the phase again; Done stays until it is FALSE or the phase starts again.',
  'unknown-step': '_Step has a value that is no step: idle (Aborting), Error is TRUE.',
} as const
/** Name of a row. */
export type RowName = keyof typeof ROWS

/** A value of a member as JSON. */
export type JsonScalar = boolean | number | string
/** A member of the instance and its value. */
export type MemberValue = readonly [path: readonly string[], value: JsonScalar]

/** One item of a script. */
export type ScriptItem =
  /** Runs the block once. */
  | {
      readonly kind: 'scan'
      readonly row: RowName
      /** The values that the scan shows, if the row does not define them. */
      readonly note?: string
      /** The step that is active before the scan; 0 is idle. */
      readonly step: number
      readonly write: readonly MemberValue[]
      /** Members that the scan changes; all others must stay as they are. */
      readonly expect: readonly MemberValue[]
      /** What the row asks for, with the values that do not change. */
      readonly must: readonly MemberValue[]
      /** Members that may have any value now. */
      readonly open: readonly (readonly string[])[]
    }
  /** Saves and restores the whole instance: the items between them have no effect on the items after. */
  | { readonly kind: 'save' }
  | { readonly kind: 'restore' }
  /** Time passes, and the block is not called. */
  | { readonly kind: 'elapse'; readonly milliseconds: number }

/** A step and what is planned for it. */
export interface StepPlan {
  readonly number: number
  readonly name: string
  readonly isFinal: boolean
  /** True when the script reaches the step. */
  readonly isReached: boolean
  /** True when it is left, or when it is final. */
  readonly leaves: boolean
  /** Values written so that the condition is TRUE, by variable name; `presets`: those that are no In variables. */
  readonly inputs: Readonly<Record<string, JsonScalar>>
  readonly presets: string[]
  /** Rows that apply to the step. */
  readonly due: readonly RowName[]
  /** Rows that could not be planned, or not in full. */
  readonly missed: Readonly<Partial<Record<RowName, string>>>
  /** Why it is not reached, does not wait or is not left. */
  readonly reason?: string
}

/** The script that checks a phase. */
export interface PhaseScript {
  readonly phase: string
  /** The rows that apply to the phase. */
  readonly rows: readonly RowName[]
  readonly items: readonly ScriptItem[]
  readonly scans: number
  readonly steps: readonly StepPlan[]
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly condition: string }[]
  /** What could not be planned and belongs to no step. */
  readonly missing: readonly { readonly row: RowName; readonly reason: string }[]
  /** Inputs and outputs of the block, for traces. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** The timer of the steps, when there is one: its content is not compared. */
  readonly timer?: string
  /** All variables of the control modules, parameters, and what the phase wants. */
  readonly members: readonly (readonly string[])[]
  /** True when the script ends here because of the limit of scans. */
  readonly isCut: boolean
}
