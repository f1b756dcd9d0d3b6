/**
 * What a download says about the alarms of a program, in its manifest: classes, and what each alarm of a function block
 * or instance has of its own. Texts are there too; the controller needs only the classes.
 */

/** A class of alarms. */
export interface AlarmClass {
  readonly name: string
  readonly needsAcknowledgement: boolean
  /** 0 (lowest) to 16. */
  readonly priority: number
}

/** Texts by culture: `{ "en-US": "Motor @1%d@ is too hot" }`. */
export type AlarmTexts = Readonly<Record<string, string>>

/**
 * The definition of an alarm: of every instance of a function block (`block` and `member`), or of one instance
 * (`instance`), which overrides what it says itself.
 */
export interface AlarmDefinition {
  readonly block?: string
  /** Member of the block: `jam`, `left.jam`. */
  readonly member?: string
  /** Path of an instance: `"Line_DB".station[2].jam`. */
  readonly instance?: string
  readonly alarmClass?: string
  readonly text?: AlarmTexts
  readonly infoText?: AlarmTexts
  /** Additional texts 1 to 9. */
  readonly additionalTexts?: readonly AlarmTexts[]
}

/** A text list: texts by ranges of a value. */
export interface AlarmTextList {
  readonly name: string
  /** Number that Gen_UsrMsg uses. */
  readonly number?: number
  readonly entries: readonly { readonly from: number; readonly to: number; readonly text: AlarmTexts }[]
}

/**
 * A supervision (ProDiag): of every instance of a function block (`block`), of every value of a PLC data type
 * (`dataType`), or without both of one operand of the whole program, a tag or a member of a data block.
 */
export interface DefinedSupervision {
  readonly block?: string
  readonly dataType?: string
  /** Unique in its block or data type, or among those of its operand. */
  readonly number: string
  /** Shown where there is no text. */
  readonly name?: string
  /** Operand, Interlock, Action, Reaction, Position, MessageText or MessageError. */
  readonly type: string
  /** `#late` inside a block or data type; else a name of the whole program. */
  readonly operand: string
  /** The state of the operand that is an error. */
  readonly status: boolean
  readonly delay: string
  readonly conditions: readonly { readonly operand: string; readonly status: boolean }[]
  readonly category: string
  readonly values: readonly string[]
  /** Of a supervision in a document: absent. */
  readonly alarmClass?: string
  /** With fields for the values: `too late: @1%s@`. */
  readonly text: AlarmTexts
}

/** All that is known about the alarms of a program. */
export interface AlarmDefinitions {
  readonly classes: readonly AlarmClass[]
  readonly alarms: readonly AlarmDefinition[]
  readonly textLists: readonly AlarmTextList[]
  /** Those that documents of blocks and data types have. */
  readonly supervisions?: readonly DefinedSupervision[]
  /** Those that an operation set; they replace others of the same place and number. */
  readonly ownSupervisions?: readonly DefinedSupervision[]
}

/** The place and number of a supervision, without regard to case. */
export function supervisionKey({ block, dataType, operand, number }: DefinedSupervision): string {
  const place = block ?? dataType ?? operand.replaceAll('"', '')
  return `${place}#${number}`.toLowerCase()
}

/** The classes that each project of TIA Portal has. */
export const standardClasses: readonly AlarmClass[] = [
  { name: 'Acknowledgement', needsAcknowledgement: true, priority: 0 },
  { name: 'No Acknowledgement', needsAcknowledgement: false, priority: 0 },
]
/** The class of an alarm that has none of its own. */
const usualClass = 'Acknowledgement'

const none: AlarmDefinitions = { classes: standardClasses, alarms: [], textLists: [] }

/**
 * The alarms in a manifest; those of a program that was loaded in another way have nothing but the standard classes.
 */
export function definitionsIn(manifest: string): AlarmDefinitions {
  try {
    const { alarms: told } = JSON.parse(manifest) as { alarms?: Partial<AlarmDefinitions> }
    const list = <T>(value: readonly T[] | undefined) => (Array.isArray(value) ? value : [])
    return told
      ? {
          classes: list(told.classes),
          alarms: list(told.alarms),
          textLists: list(told.textLists),
          supervisions: list(told.supervisions),
          ownSupervisions: list(told.ownSupervisions),
        }
      : none
  } catch {
    return none
  }
}

/**
 * The key of the path of an alarm: the same for `Line_DB.jam` and `"Line_DB"."jam"`, whatever the case. Only the quotes
 * of the data block mean something: its name may have dots.
 */
export function instanceKey(path: string): string {
  const [, quoted, plain = '', rest = ''] = /^\s*(?:"([^"]*)"|([^".[]+))(.*)$/s.exec(path) ?? []
  return `"${quoted ?? plain.trim()}"${rest.replace(/["\s]/g, '')}`.toLowerCase()
}

/** Finds definitions by their places. */
export class DefinedAlarms {
  readonly definitions: AlarmDefinitions
  readonly #ofBlocks = new Map<string, AlarmDefinition>()
  readonly #ofInstances = new Map<string, AlarmDefinition>()
  readonly #classes: ReadonlyMap<string, AlarmClass>

  constructor(definitions: AlarmDefinitions) {
    this.definitions = definitions
    this.#classes = new Map([...standardClasses, ...definitions.classes].map((one) => [one.name.toLowerCase(), one]))
    for (const one of definitions.alarms) {
      if (one.instance !== undefined) this.#ofInstances.set(instanceKey(one.instance), one)
      else this.#ofBlocks.set(`${one.block}.${one.member}`.toLowerCase(), one)
    }
  }

  /** What is defined for an alarm. */
  of(name: string, block: string | undefined, member: string | undefined): AlarmDefinition {
    return { ...this.#ofBlocks.get(`${block}.${member}`.toLowerCase()), ...this.#ofInstances.get(instanceKey(name)) }
  }

  classOf({ alarmClass = usualClass }: AlarmDefinition): AlarmClass {
    return this.#classes.get(alarmClass.toLowerCase()) ?? { name: alarmClass, needsAcknowledgement: true, priority: 0 }
  }
}
