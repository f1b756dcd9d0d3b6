/** What the compile makes of a station, and what its page reads (`web/` has the same shapes). */
import type { HmiAction, PropertyValue, Texts } from '../../plc/formats/hmi/model.ts'

/** A converter as the page runs it. Values are those of the property: colours, numbers, truth values, texts. */
export type CompiledConverter =
  | { readonly kind: 'switch'; readonly bit?: number; readonly on: string; readonly off: string }
  | { readonly kind: 'scale'; readonly factor: number; readonly offset: number }
  | {
      readonly kind: 'ranges'
      readonly ranges: readonly { readonly from: number; readonly to: number; readonly value: string }[]
      readonly otherwise?: string
    }
  | { readonly kind: 'list'; readonly list: string; readonly of: 'text' | 'graphic' }
  | { readonly kind: 'format'; readonly decimals?: number; readonly prefix: string; readonly suffix: string }

/** How a field shows the value of its variable, and reads what is typed. */
export type CompiledFormat = {
  /** Texts around the value. */
  readonly prefix: string
  readonly suffix: string
} & (
  | {
      readonly kind: 'decimal'
      /** Digits before the point at most, filled with zeros at least; absent: as many as there are. */
      readonly most?: number
      readonly least?: number
      /** Digits behind the point; absent: as many as there are. */
      readonly decimals?: number
      /** False: a negative value does not fit. */
      readonly isSigned: boolean
      /** The value is shown divided by ten to this power. */
      readonly shift: number
    }
  | {
      readonly kind: 'radix'
      readonly radix: 2 | 8 | 16
      readonly digits?: number
      /** Width of the variable, and whether its values have a sign: a negative one is its two's complement. */
      readonly bits: number
      readonly isSigned: boolean
    }
  | { readonly kind: 'exponent'; readonly decimals?: number }
  | { readonly kind: 'date' | 'time' | 'dateTime' }
  | { readonly kind: 'text'; readonly length?: number }
)

/** A limit of a variable: a number, or the index of the variable that has it. */
export type ModelLimit = { readonly value: number } | { readonly variable: number }

/** A variable; values are told by its index. */
export interface ModelVariable {
  /** As objects name it. */
  readonly name: string
  readonly dataType: string
  readonly isWritable: boolean
  /** PLC and path there; absent: internal. */
  readonly plc?: string
  readonly path?: string
  /** Of an internal variable. */
  readonly startValue?: string
  /** What may be written at least and at most. */
  readonly low?: ModelLimit
  readonly high?: ModelLimit
}

export interface ModelBinding {
  readonly property: string
  /** Index of the variable. */
  readonly variable: number
  readonly converter?: CompiledConverter
}

/** A graphical object; `items` are those of a faceplate, in its own coordinates. */
export interface ModelItem {
  readonly name: string
  readonly type: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly properties: Readonly<Record<string, PropertyValue>>
  readonly texts: Readonly<Record<string, Texts>>
  readonly links: Readonly<Record<string, string>>
  readonly bindings: readonly ModelBinding[]
  readonly events: readonly { readonly event: string; readonly actions: readonly HmiAction[] }[]
  /** Of a field for values; absent: as the value is. */
  readonly format?: CompiledFormat
  readonly items?: readonly ModelItem[]
  readonly innerWidth?: number
  readonly innerHeight?: number
}

export interface ModelScreen {
  readonly name: string
  readonly number: number
  readonly width: number
  readonly height: number
  readonly backColor: string
  /** Objects of the template first, then its own by layer. */
  readonly items: readonly ModelItem[]
}

/** A screen that opens above others: a popup, or a slide-in screen at an edge. */
export interface ModelPopup extends ModelScreen {
  /** Of a slide-in screen. */
  readonly edge?: 'top' | 'bottom' | 'left' | 'right'
}

export interface ModelListEntry {
  readonly from: number
  readonly to: number
  readonly isDefault: boolean
}

export interface ModelAlarm {
  readonly name: string
  readonly number: number
  readonly alarmClass: string
  readonly needsAcknowledgement: boolean
  readonly variable: number
  readonly type: string
  readonly bit: number
  readonly limit: number
  readonly mode: string
  readonly text: Texts
}

export interface ModelScript {
  readonly parameters: readonly string[]
  readonly source: string
  /** Indexes of the variables that it names. */
  readonly variables: readonly number[]
}

export interface StationModel {
  /** The same for the same content. */
  readonly version: string
  readonly station: string
  readonly width: number
  readonly height: number
  readonly startScreen: string
  readonly cultures: readonly string[]
  readonly variables: readonly ModelVariable[]
  /** Names of its PLCs, whose state and alarms a page shows; absent in a model of an earlier version. */
  readonly plcs?: readonly string[]
  readonly screens: readonly ModelScreen[]
  /** Absent in a model of an earlier version. */
  readonly popups?: readonly ModelPopup[]
  readonly textLists: Readonly<Record<string, readonly (ModelListEntry & { readonly text: Texts })[]>>
  readonly graphicLists: Readonly<Record<string, readonly (ModelListEntry & { readonly graphic: string })[]>>
  /** Data URLs. */
  readonly graphics: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, ModelScript>>
  readonly alarms: readonly ModelAlarm[]
}

/** A message of the compile. */
export interface HmiMessage {
  readonly state: 'error' | 'warning'
  readonly code: string
  readonly description: string
  readonly hint: string
  /** Empty: of the station. */
  readonly screen: string
  /** Of the screen; absent: a screen of its own. */
  readonly screenType?: string
  readonly object: string
  readonly property: string
  readonly line?: number
  readonly column?: number
}

/** All that can be shown, with what it is: the page and the gateway tell popups and slide-in screens by their edge. */
export function screensOfModel({
  screens,
  popups = [],
}: StationModel): { readonly screen: ModelScreen; readonly kind: 'screen' | 'popup' | 'slide-in' }[] {
  return [
    ...screens.map((screen) => ({ screen, kind: 'screen' as const })),
    ...popups.map((screen) => ({
      screen,
      kind: screen.edge === undefined ? ('popup' as const) : ('slide-in' as const),
    })),
  ]
}
