/** What an HMI station is made of, as plain data: the same for files of TIA Portal and for what is made here. */

/** A text by culture: `{ 'en-US': 'Pump' }`. */
export type Texts = Readonly<Record<string, string>>

/** A value of a property. Colours are `#rrggbb`. */
export type PropertyValue = string | number | boolean

/** A property of an object that follows a PLC variable or an HMI tag. */
export interface HmiBinding {
  /** Name of the property as {@link HmiItem.properties} spells it. */
  readonly property: string
  /** Dotted path of the PLC variable (`Data.motor.speed`), or the name of an HMI tag. */
  readonly tag: string
  /** Name of the converter; absent: the value as it is. */
  readonly converter?: string
  /** Parameters of the converter; keys and values are text. */
  readonly params?: Readonly<Record<string, string>>
}

/** One system function or script that an event calls. */
export interface HmiAction {
  /** For example `ActivateScreen`, `SetBit`, or the name of a script. */
  readonly function: string
  readonly parameters: Readonly<Record<string, string>>
}

/** What happens on an event of an object: `Press`, `Release`, `Click`, `Change`. */
export interface HmiEvent {
  readonly event: string
  readonly actions: readonly HmiAction[]
}

/** A graphical object of a screen or faceplate. Positions and sizes in pixels. */
export interface HmiItem {
  readonly name: string
  /** For example `Circle`; see the table of object types. */
  readonly type: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Index of the layer, 0 to 31. */
  readonly layer: number
  /** Name of the group that it is in. */
  readonly group?: string
  readonly properties: Readonly<Record<string, PropertyValue>>
  /** Texts by property: `text`, `textOn`, `textOff`, `helpText`. */
  readonly texts: Readonly<Record<string, Texts>>
  /** Names of what it refers to: `picture`, `pictureList`, `textList`, `faceplate`. */
  readonly links: Readonly<Record<string, string>>
  readonly bindings: readonly HmiBinding[]
  readonly events: readonly HmiEvent[]
  /** ID of its element in the document that it was read from. */
  readonly ref?: string
}

/** An HMI tag. Without `plcTag` it is internal. */
export interface HmiTag {
  readonly name: string
  /** Type of the PLC tag, or of the internal tag. */
  readonly dataType: string
  readonly connection: string
  /** Path of the PLC tag, as the program writes it: `"Data".motor.speed`. */
  readonly plcTag: string
  /** Address, when the access is not symbolic. */
  readonly address: string
  readonly acquisitionCycle: string
  readonly comment: Texts
  /** Other attributes of TIA Portal by their names there: `Length`, `StartValue`, `LinearScaling` … */
  readonly attributes: Readonly<Record<string, string>>
  /** ID of its element in the document that it was read from. */
  readonly ref?: string
}

export interface HmiLayer {
  readonly index: number
  readonly name: string
  readonly visible: boolean
}

export interface ScreenContent {
  /** Screen, ScreenTemplate, ScreenPopup, ScreenSlidein, ScreenGlobalElements or ScreenOverview. */
  readonly screenType: string
  readonly number: number
  readonly width: number
  readonly height: number
  readonly backColor: string
  readonly template: string
  readonly layers: readonly HmiLayer[]
}

export interface ConnectionContent {
  /** Name of the PLC, or its IPv4 address. */
  readonly partner: string
  /** Communication driver: `SIMATIC S7 1500`, in exports `ILRT_S7_1500_OMS`, `SMART_S7_1200_OMS`. */
  readonly type: string
}

export interface CycleContent {
  readonly milliseconds: number
}

export interface ScriptContent {
  /** JavaScript or VBScript. */
  readonly language: string
  readonly parameters: readonly string[]
  readonly source: string
}

export interface ListEntry {
  readonly from: number
  readonly to: number
  /** True: it stands for all values that no other entry has. */
  readonly isDefault: boolean
}
export interface TextListContent {
  /** Decimal (value or range), Bit or BitNumber. */
  readonly rangeType: string
  readonly entries: readonly (ListEntry & { readonly text: Texts })[]
}
export interface GraphicListContent {
  readonly rangeType: string
  readonly entries: readonly (ListEntry & { readonly graphic: string })[]
}

export interface GraphicContent {
  readonly mediaType: string
  /** Blob of the image; empty when the file did not bring it. */
  readonly image: string
  /** Bytes. */
  readonly size: number
  /** Name of the file. */
  readonly fileName: string
}

export interface AlarmContent {
  readonly alarmType: string
  readonly number: number
  readonly alarmClass: string
  /** Absent: as its class has it. */
  readonly needsAcknowledgement?: boolean
  /** Trigger tag: a PLC path or an HMI tag. */
  readonly tag: string
  /** Discrete: the bit of the tag. */
  readonly bit: number
  /** Analog: the limit, and how it is violated: Above, Below. */
  readonly limit: number
  readonly mode: string
  readonly text: Texts
}

export interface FaceplateProperty {
  readonly name: string
  readonly dataType: string
  readonly defaultValue: string
}
export interface LibraryTypeContent {
  readonly version: string
  readonly description: string
  readonly width: number
  readonly height: number
  readonly properties: readonly FaceplateProperty[]
  readonly items: readonly HmiItem[]
}

/** The content of each kind of object. */
export interface HmiContents {
  readonly screen: ScreenContent
  readonly 'tag-table': { readonly isDefault: boolean }
  readonly connection: ConnectionContent
  readonly cycle: CycleContent
  readonly script: ScriptContent
  readonly 'text-list': TextListContent
  readonly 'graphic-list': GraphicListContent
  readonly graphic: GraphicContent
  readonly alarm: AlarmContent
  readonly 'library-type': LibraryTypeContent
}
export type HmiKind = keyof HmiContents

/** An object that was read from a file. */
export interface HmiRead {
  readonly kind: HmiKind
  readonly name: string
  readonly content: HmiContents[HmiKind]
  readonly items: readonly HmiItem[]
  readonly tags: readonly HmiTag[]
  /** File beside the document that holds its image. */
  readonly imageFile?: string
  /** What of the document is kept but not interpreted. */
  readonly warnings: readonly string[]
}
