/** What a screen of a compiled station shows with given values: made by the code of its page, which runs here too. */
import type { StationModel } from '../station-model.ts'

/** What the controllers of a station have now. */
export interface StationState {
  /** By index of the variable; those of no controller have their start values. */
  readonly values: ReadonlyMap<number, unknown>
  /** Why a variable has no value. */
  readonly faults: ReadonlyMap<number, string>
  /** The PLCs of the station by name. */
  readonly plcs: ReadonlyMap<string, { readonly isReached: boolean; readonly reason?: string; readonly state?: string }>
  /** Pending alarms of the station, newest first. */
  readonly alarms: readonly {
    readonly name: string
    readonly state: string
    readonly needsAcknowledgement: boolean
    readonly isPresent: boolean
    readonly isAcknowledged: boolean
    readonly incomingAt: number
  }[]
  /** Pending alarms of the programs of its controllers, by instance. */
  readonly programAlarms: ReadonlyMap<string, readonly ProgramAlarm[]>
}

/** An alarm of a controller's program, as its list tells it. */
export interface ProgramAlarm {
  readonly id: number
  readonly incomingAt: string
  readonly alarmClass: string
  readonly text: string
  readonly state: string
  readonly alarm: string
  readonly needsAcknowledgement: boolean
  readonly isAcknowledged: boolean
}

/** A property of an object that follows a variable. */
export interface ShownValue {
  readonly property: string
  /** Index of the variable. */
  readonly variable: number
  /** After the converter of the binding, as the property has it. */
  readonly value: unknown
}

/** An object of a screen as it is now. */
export interface ShownObject {
  /** Objects of a faceplate after its name: `Pump_1/Speed`. */
  readonly name: string
  readonly type: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isVisible: boolean
  /** The text that it shows; absent: it shows none. */
  readonly text?: string
  readonly values: readonly ShownValue[]
  /** What it does when it is operated: `Click: SetBit(Tag=Motor)`. */
  readonly does: readonly string[]
}

export interface ScreenChoice {
  readonly screen: string
  readonly culture: string
}

/** The program of the page that is bundled for this side. */
export interface ScreenProgram {
  /** The objects of a screen and of its templates, those of faceplates after them. */
  shownObjects(model: StationModel, state: StationState, choice: ScreenChoice): ShownObject[]
  /** The screen as an SVG document. @param style the style sheet of the page */
  screenPicture(model: StationModel, state: StationState, choice: ScreenChoice, style: string): string
}
