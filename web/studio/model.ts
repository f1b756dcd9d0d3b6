/** What the gateway answers about programs: the fields that the studio shows. */

/** A block of `GET /api/devices/{deviceName}/blocks`. */
export interface Block {
  readonly name: string
  readonly type: string
  readonly number: number
  readonly programmingLanguage: string
  readonly folder: string
  readonly size: number
  readonly format: string
  readonly isConsistent: boolean
  readonly compileStatus: string
  readonly isKnowHowProtected: boolean
  readonly title: string
  readonly comment: string
  readonly version: string
  readonly modifiedDate: string
  /** FB or type of an instance data block. */
  readonly instanceOf?: string
}

export interface DataType {
  readonly name: string
  readonly folder: string
  readonly isConsistent: boolean
  readonly compileStatus: string
  readonly title: string
  readonly modifiedDate: string
}

export interface TagTable {
  readonly name: string
  readonly folder: string
  readonly tagCount: number
  readonly constantCount: number
  readonly isDefault: boolean
}

export interface Tag {
  readonly name: string
  readonly dataType: string
  readonly logicalAddress: string
  readonly comment: string
  readonly tableName: string
  readonly retain?: boolean
}

export interface Member {
  readonly section: string
  readonly name: string
  readonly dataType: string
  readonly startValue?: string
  readonly comment?: string
  readonly remanence?: string
  readonly members: readonly Member[]
}

export interface Network {
  readonly number: number
  readonly title: string
  readonly comment: string
  readonly language: string
  /** A LAD or FBD network as text. */
  readonly expression?: string
  /** Statements of an SCL or STL network. */
  readonly text?: string
}

/** The content of a block. */
export interface BlockContent extends Block {
  readonly interface: readonly Member[]
  readonly networks: readonly Network[]
  readonly sourceText?: string
}

/** A message of the compiler; a message of a folder or block has those of its parts. */
export interface CompilerMessage {
  readonly path: string
  readonly description: string
  readonly severity?: 'error' | 'warning' | 'information'
  readonly code?: string
  readonly network?: number
  /** Of the interface; it ends the path. */
  readonly member?: string
  readonly line?: number
  readonly column?: number
  readonly sourceLine?: number
  readonly sourceColumn?: number
  readonly hint?: string
  readonly messages: readonly CompilerMessage[]
}

export interface Compiled {
  readonly state: string
  readonly errorCount: number
  readonly warningCount: number
  readonly messages: readonly CompilerMessage[]
}

/** A fault or message with the place that it leads to. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'information'
  readonly text: string
  readonly code: string
  readonly hint?: string
  readonly block?: string
  readonly network?: number
  /** Of the source text of the block, from 1. */
  readonly line?: number
  readonly column?: number
  /** File of an import. */
  readonly file?: string
}

/** The findings in an answer of the compiler, without the messages that only count others. */
export function findingsOf(messages: readonly CompilerMessage[], station: string): Finding[] {
  return messages.flatMap((message) => {
    const { description, severity, code = '', hint, network, sourceLine, sourceColumn, line, column } = message
    const own: Finding[] =
      severity === undefined
        ? []
        : [
            {
              severity,
              text: description,
              code,
              ...(hint === undefined ? {} : { hint }),
              ...blockOf(message, station),
              ...(network === undefined ? {} : { network }),
              ...((sourceLine ?? line) === undefined ? {} : { line: sourceLine ?? (line as number) }),
              ...((sourceColumn ?? column) === undefined ? {} : { column: sourceColumn ?? (column as number) }),
            },
          ]
    return [...own, ...findingsOf(message.messages ?? [], station)]
  })
}

/** `PLC_1/Program blocks/Folder/Main/Network 1`, or the member at the end: the block before the place in it. */
function blockOf({ path, network, member }: CompilerMessage, station: string): { readonly block?: string } {
  const place = member ?? (network === undefined ? undefined : `Network ${network}`)
  const own = place !== undefined && path.endsWith(`/${place}`) ? path.slice(0, -place.length - 1) : path
  const parts = own.split('/')
  const block = parts.at(-1)
  if (parts[0] !== station || parts.length < 3 || !/program|bausteine/i.test(parts[1] ?? '')) return {}
  return block === undefined ? {} : { block }
}

/** All members below each other with their path. */
export interface MemberRow extends Member {
  readonly path: string
  readonly depth: number
}

export function memberRows(members: readonly Member[], path = '', depth = 0): MemberRow[] {
  return members.flatMap((member) => {
    const own = path === '' ? member.name : `${path}.${member.name}`
    return [{ ...member, path: own, depth }, ...memberRows(member.members ?? [], own, depth + 1)]
  })
}
