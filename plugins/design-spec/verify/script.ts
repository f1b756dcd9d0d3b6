/**
 * The parts of a check of a phase: scans with the values written before and expected after, and what could not be
 * planned.
 */

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
      /** The step that is active before the scan; 0 is idle. */
      readonly step: number
      readonly write: readonly MemberValue[]
      /** Members that the scan changes; all others must stay as they are. */
      readonly expect: readonly MemberValue[]
      /** Members that may have any value now. */
      readonly open: readonly (readonly string[])[]
    }
  /** Saves and restores the whole instance: the items between them have no effect on the items after. */
  | { readonly kind: 'save' }
  | { readonly kind: 'restore' }

/** A step and what is planned for it. */
export interface StepPlan {
  readonly number: number
  readonly name: string
  readonly isFinal: boolean
  /** True when the script reaches the step. */
  readonly isReached: boolean
  /** True when its entry action has assignments; `isActionTold`: all their values can be predicted. */
  readonly hasAction: boolean
  readonly isActionTold: boolean
  /** True when it is evaluated with its condition FALSE; `leaves`: with its condition TRUE, or when it is final. */
  readonly waits: boolean
  readonly leaves: boolean
  /** Values written so that the condition is TRUE, by variable name; `presets`: the Out variables among them. */
  readonly inputs: Readonly<Record<string, JsonScalar>>
  readonly presets: string[]
  /** Why it is not reached, does not wait or is not left. */
  readonly reason?: string
}

/** The script that checks a phase. */
export interface PhaseScript {
  readonly phase: string
  readonly items: readonly ScriptItem[]
  readonly scans: number
  readonly steps: readonly StepPlan[]
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly condition: string }[]
  /** All variables of the control modules. */
  readonly members: readonly (readonly string[])[]
  /** True when the script ends here because of the limit of scans. */
  readonly isCut: boolean
}
