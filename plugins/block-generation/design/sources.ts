/** What a design is generated to, and what becomes of each thing in a program. */

/** One object as external source. */
export interface GeneratedSource {
  readonly name: string
  /** `FB`, `FC`, `OB`, `InstanceDB`, `UDT`. */
  readonly kind: string
  readonly text: string
}

export interface GeneratedTag {
  readonly name: string
  readonly dataType: string
  readonly address: string
  readonly comment: string
}

/** The texts of an alarm, by the path of its instance: `"Tank_DB".Agitator.alarmTrip`. */
export interface GeneratedAlarm {
  readonly instance: string
  readonly text: string
  readonly alarmClass?: string
}

export interface GeneratedDesign {
  readonly sources: readonly GeneratedSource[]
  readonly tags: readonly GeneratedTag[]
  readonly alarms: readonly GeneratedAlarm[]
  /** Names in double quotes that the design uses, in its order. */
  readonly named: readonly NamedSymbol[]
  /** The function that calls all units. */
  readonly callBlock: string
}

/** A tag, block or constant of the program that a design names. */
export interface NamedSymbol {
  /** Without quotes. */
  readonly name: string
  /** Pointer in the design. */
  readonly path: string
}

export type Action = 'create' | 'change' | 'unchanged' | 'delete' | 'obsolete'

/** What becomes, or would become, of one thing. */
export interface Entry {
  readonly kind: string
  readonly name: string
  readonly action: Action
  /** Regions of a person that are kept. */
  readonly kept?: readonly string[]
  readonly detail?: string
}

/** A block of SCL with its marks for what a person writes. */
export interface SclBlock {
  readonly name: string
  readonly kind: 'FB' | 'FC'
  readonly title: string
  readonly family: string
  /** What the block does, at its head. */
  readonly notes: readonly string[]
  /** `VAR_INPUT` … with their lines. Lines for a person are added to the statics. */
  readonly sections: readonly (readonly [keyword: string, lines: readonly string[]])[]
  readonly body: readonly string[]
}

/** The text of a block: attributes, interface, statements. */
export function sclText({ name, kind, title, family, notes, sections, body }: SclBlock): string {
  const [open, close] = kind === 'FB' ? ['FUNCTION_BLOCK', 'END_FUNCTION_BLOCK'] : ['FUNCTION', 'END_FUNCTION']
  const declared = sections
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([keyword, lines]) => [`   ${keyword}`, ...lines.map((line) => `      ${line}`), '   END_VAR', ''])
  return [
    `${open} "${name}"${kind === 'FC' ? ' : Void' : ''}`,
    `TITLE = ${title.replace(/[\r\n]+/g, ' ')}`,
    "{ S7_Optimized_Access := 'TRUE' }",
    'AUTHOR : Gantry',
    `FAMILY : ${family}`,
    'VERSION : 1.0',
    ...notes.map((note) => `// ${note}`),
    ...declared,
    'BEGIN',
    ...body.map((line) => (line === '' ? '' : `   ${line}`)),
    close,
    '',
    '',
  ].join('\n')
}

export const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `   ${line}`))

export const region = (title: string, lines: readonly string[]): string[] => [
  `REGION ${title}`,
  ...indent(lines),
  'END_REGION',
  '',
]

/** A declaration with its comment. */
export const declared = (name: string, dataType: string, comment: string, value?: string): string =>
  `${name} : ${dataType}${value === undefined ? '' : ` := ${value}`};${comment === '' ? '' : `   // ${comment.replace(/[\r\n]+/g, ' ')}`}`

/** An instance of a system block inside of a function block. */
export const systemInstance = (name: string, type: string, comment: string): string =>
  `${name} {InstructionName := '${type}'; LibVersion := '1.0'} : ${type};   // ${comment}`
