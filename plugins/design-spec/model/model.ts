/** The ISA-88 model of a design spec: Area > ProcessCell > UnitType > control-module types and phases. */

/** One variable of a control-module type. */
export interface CmVariable {
  readonly name: string
  /** Out: written by the phase. In: read by the phase. */
  readonly direction: 'In' | 'Out'
  /** As written by TIA Portal: `Bool`, `Real`, `String[20]`. */
  readonly dataType: string
  readonly description: string
}

/** A control-module type: the user-defined type `UDT_<name>` and an input of each phase block of its unit. */
export interface CmType {
  readonly name: string
  readonly variables: readonly CmVariable[]
}

/** A parameter of a phase: an input of its block. Values are stored as written; absent when the spec gives none. */
export interface PhaseParameter {
  readonly name: string
  /** As written by TIA Portal. */
  readonly dataType: string
  readonly unit?: string
  readonly defaultValue?: string
  readonly min?: string
  readonly max?: string
  readonly description?: string
}

/** What a phase does when a step has not ended within its Timeout. */
export type TimeoutReaction = 'Alarm' | 'Hold' | 'Stop' | 'Abort'

/** A command whose actions a spec can define. */
export type CommandName = 'Hold' | 'Restart' | 'Stop' | 'Abort'

/** What a phase does on a command. */
export interface PhaseCommand {
  readonly command: CommandName
  readonly action: string
  /** ISA-88 states only: ends Holding, Restarting, Stopping or Aborting; absent: at once. */
  readonly condition?: string
}

/** Keeps a variable of a control module at its safe value while a condition holds. */
export interface Interlock {
  readonly cmType: string
  readonly variable: string
  /** TRUE: blocked. */
  readonly blockedWhen: string
  /** A constant of the variable's type. */
  readonly safeValue: string
  /** Shown while blocked. */
  readonly reason: string
}

/** One step of a phase. Actions and conditions are stored as written, after they have been checked. */
export interface PhaseStep {
  /** 1 to 32767; 0 is idle. */
  readonly number: number
  readonly name: string
  readonly isInitial: boolean
  readonly isFinal: boolean
  readonly entryAction: string
  /** Empty only on final steps. */
  readonly condition: string
  /** null only on final steps. */
  readonly nextStep: number | null
  /** Done at every call while the step is active, after the entry action. */
  readonly whileAction?: string
  /** Done once when Condition ends the step. */
  readonly exitAction?: string
  /** The step lasts at least so long: a duration, or the name of a parameter. */
  readonly minTime?: string
  /** A duration, or the name of a parameter. */
  readonly timeout?: string
  /** Present when there is a timeout. */
  readonly onTimeout?: TimeoutReaction
  readonly alarmText?: string
  readonly comment?: string
}

/** A phase: one function block `FB_<name>`. Steps are sorted by number. */
export interface Phase {
  readonly name: string
  readonly steps: readonly PhaseStep[]
  /** The block has the states of ISA-88; absent: the interface of docs/design.md#design-specs. */
  readonly states?: 'ISA88'
  readonly description?: string
  readonly parameters?: readonly PhaseParameter[]
  readonly commands?: readonly PhaseCommand[]
}

/** A unit type with its control-module types and phases. */
export interface UnitType {
  readonly name: string
  readonly description: string
  readonly cmTypes: readonly CmType[]
  readonly phases: readonly Phase[]
  readonly interlocks?: readonly Interlock[]
}

/** A process cell of an area. */
export interface ProcessCell {
  readonly name: string
  readonly description: string
  readonly unitTypes: readonly UnitType[]
}

/** An area of the plant. */
export interface Area {
  readonly name: string
  readonly description: string
  readonly processCells: readonly ProcessCell[]
}

/**
 * Where the names of a level come from: its own section (`declared`), the leading column of the level below
 * (`referred`), or the file name because the spec does not contain the level (`default`).
 */
export type LevelOrigin = 'declared' | 'referred' | 'default'

/** A loaded design spec. It is plain JSON, so it can be stored and sent unchanged. */
export interface DesignModel {
  /** Name of the file from which it was read, with extension, without folders. */
  readonly sourceName: string
  readonly origins: { readonly areas: LevelOrigin; readonly processCells: LevelOrigin; readonly unitTypes: LevelOrigin }
  readonly areas: readonly Area[]
}

/** Iterates over all unit types, with the process cell and area above each, in model order. */
export function* unitTypesOf(model: DesignModel): Generator<{ area: Area; cell: ProcessCell; unit: UnitType }> {
  for (const area of model.areas) {
    for (const cell of area.processCells) {
      for (const unit of cell.unitTypes) yield { area, cell, unit }
    }
  }
}
