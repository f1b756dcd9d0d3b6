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
  readonly screens: readonly ModelScreen[]
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
  readonly object: string
  readonly property: string
  readonly line?: number
  readonly column?: number
}
