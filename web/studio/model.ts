/** What the gateway answers about programs: the fields that the studio shows. */
import type { Answer, Schema } from '../answers.ts'

/** A block of `GET /api/devices/{deviceName}/blocks`. */
export type Block = Answer<'blocks.list'>['blocks'][number]

export type DataType = Answer<'types.list'>['udts'][number]

export type TagTable = Answer<'tags.list-tables'>['tagTables'][number]

export type Tag = Answer<'tags.list-all'>['tags'][number]

export type Member = Schema<'InterfaceMember'>

export type Network = Schema<'ContentNetwork'>

/** The content of a block. */
export type BlockContent = Answer<'blocks.content'>

/** A message of the compiler; a message of a folder or block has those of its parts. */
export type CompilerMessage = Schema<'CompileMessage'>

export type Compiled = Answer<'blocks.compile'>

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
