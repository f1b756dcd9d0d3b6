/** The high-level design of equipment modules as clients send it (schema.ts checks its form). */

/** A signal: an address such as `%I0.0`, for which a tag is made, or the name of a tag that is there. */
export type Signal = string | { readonly tag?: string; readonly address?: string; readonly comment?: string }

/** What every module has. */
export interface Module {
  readonly name: string
  readonly comment?: string
}

export interface Motor extends Module {
  readonly run: Signal
  readonly running?: Signal
  readonly trip?: Signal
  /** Command in automatic mode, as expression. */
  readonly start?: string
  readonly interlock?: string
  readonly feedbackTime?: string
}

export interface ReversingMotor extends Module {
  readonly forward: Signal
  readonly reverse: Signal
  readonly runningForward?: Signal
  readonly runningReverse?: Signal
  readonly trip?: Signal
  readonly startForward?: string
  readonly startReverse?: string
  readonly interlock?: string
  readonly feedbackTime?: string
  readonly pauseTime?: string
}

export interface Valve extends Module {
  readonly open: Signal
  readonly opened?: Signal
  readonly closed?: Signal
  readonly openWhen?: string
  readonly interlock?: string
  readonly travelTime?: string
}

export interface AnalogInput extends Module {
  readonly input: Signal
  readonly low: number
  readonly high: number
  readonly unit?: string
  readonly lowLow?: number
  readonly lowLimit?: number
  readonly highLimit?: number
  readonly highHigh?: number
  readonly hysteresis?: number
}

export interface AnalogOutput extends Module {
  readonly output: Signal
  readonly low: number
  readonly high: number
  readonly unit?: string
  /** Value in automatic mode, as expression. */
  readonly value?: string
}

export interface PidLoop extends Module {
  readonly processValue: string
  readonly setpoint: string | number
  readonly enable?: string
  readonly gain?: number
  readonly integralTime?: string
  readonly derivativeTime?: string
  readonly outputLow?: number
  readonly outputHigh?: number
}

export interface SequenceStep {
  readonly name: string
  readonly comment?: string
  /** Commands while the step is active: `Agitator`, `Conveyor.reverse`. */
  readonly on?: readonly string[]
  /** Longest time; then there is an alarm. */
  readonly maximumTime?: string
  /** In order: the first one whose condition is fulfilled is taken. None: the sequence ends here. */
  readonly next?: readonly { readonly to?: string; readonly when?: string; readonly after?: string }[]
}

export interface Sequence extends Module {
  /** Starts it in automatic mode, as expression. */
  readonly start?: string
  readonly hold?: string
  readonly abort?: string
  readonly steps: readonly SequenceStep[]
}

export interface Interlock extends Module {
  readonly conditions: readonly { readonly text: string; readonly when: string }[]
}

export interface AlarmGroup extends Module {
  readonly alarms?: readonly { readonly name: string; readonly text: string; readonly when: string }[]
  /** Modules whose faults are in it. Default: all of the unit. */
  readonly modules?: readonly string[]
  readonly horn?: Signal
  readonly lamp?: Signal
  readonly acknowledge?: Signal
}

export interface Mode extends Module {
  readonly automatic?: Signal
  readonly manual?: Signal
  /** Permits automatic mode, as expression. */
  readonly permit?: string
}

/** The modules of a unit by their type, in the order in which they are called. */
export interface Unit extends Module {
  readonly modes?: readonly Mode[]
  readonly analogInputs?: readonly AnalogInput[]
  readonly interlocks?: readonly Interlock[]
  readonly sequences?: readonly Sequence[]
  readonly pidLoops?: readonly PidLoop[]
  readonly motors?: readonly Motor[]
  readonly reversingMotors?: readonly ReversingMotor[]
  readonly valves?: readonly Valve[]
  readonly analogOutputs?: readonly AnalogOutput[]
  readonly alarmGroups?: readonly AlarmGroup[]
}

/** A tag that expressions name: buttons, switches and lamps that belong to no module. */
export interface DesignTag {
  readonly name: string
  /** `%I0.0` makes a Bool, `%IW64` an Int. */
  readonly address: string
  readonly comment?: string
}

export interface Design {
  readonly name: string
  readonly comment?: string
  readonly tags?: readonly DesignTag[]
  readonly units: readonly Unit[]
}

/** Lists of modules in the order of their calls. */
export const moduleLists = [
  'modes',
  'analogInputs',
  'interlocks',
  'sequences',
  'pidLoops',
  'motors',
  'reversingMotors',
  'valves',
  'analogOutputs',
  'alarmGroups',
] as const
export type ModuleList = (typeof moduleLists)[number]

/** What other modules may read of a module of each type. */
export const readable: Readonly<Record<ModuleList, readonly string[]>> = {
  modes: ['automatic', 'manual'],
  analogInputs: ['value', 'fault', 'belowLowLow', 'belowLow', 'aboveHigh', 'aboveHighHigh'],
  interlocks: ['ok', 'first', 'bypass'],
  sequences: ['step', 'running', 'done', 'held', 'timeout'],
  pidLoops: ['output', 'error', 'setpoint', 'processValue'],
  motors: ['run', 'running', 'fault', 'ready'],
  reversingMotors: ['forward', 'reverse', 'runningForward', 'runningReverse', 'fault', 'ready'],
  valves: ['open', 'isOpen', 'isClosed', 'fault', 'ready'],
  analogOutputs: ['actual', 'raw'],
  alarmGroups: ['active', 'unacknowledged', 'horn', 'lamp', 'count'],
}

/** Commands that a step of a sequence can give to modules of a type; the first one is meant without a word. */
export const commands: Readonly<Partial<Record<ModuleList, readonly string[]>>> = {
  motors: ['start'],
  reversingMotors: ['forward', 'reverse'],
  valves: ['open'],
}

/** Types of modules that have a fault. */
export const faulty: ReadonlySet<ModuleList> = new Set(['analogInputs', 'motors', 'reversingMotors', 'valves'])
