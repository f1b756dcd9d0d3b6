/** The result of a compilation as clients read it: a tree of device, area, object, message. */
import type { SchemaBuilder } from '../../../core/index.ts'
import type { Diagnostic } from '../../../plc/program/program.ts'
import { compileMessage } from '../../program-objects/index.ts'

export type CompileState = 'Success' | 'Warning' | 'Error'

export interface CompileMessage {
  /** `PLC_1/Program blocks/Conveyor/Main`. */
  readonly path: string
  readonly description: string
  readonly state: CompileState
  readonly errorCount: number
  readonly warningCount: number
  /** Line in the text of the network, from 1. */
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly network?: number
  /** Element of a LAD or FBD network. */
  readonly uId?: number
  /** Place in a sequence (GRAPH): `Step 3 "Fill"`. */
  readonly element?: string
  /** Path of the member of the interface. */
  readonly member?: string
  /** Place in the hardware configuration: device, and slot of the module (`4`, `1.3`). */
  readonly device?: string
  readonly slot?: string
  /** The file that the object was imported from, as the import named it; absent once the object was edited. */
  readonly file?: string
  /** Line in that file, else in the text of the object itself (source or XML), from 1. */
  readonly sourceLine?: number
  readonly sourceColumn?: number
  /** Severity of a message with a code. The state of an information is Success. */
  readonly severity?: Diagnostic['severity']
  /** See `GET /api/diagnostics/codes/{code}`. */
  readonly code?: string
  readonly hint?: string
  /** All places of a message that applies to several, including the first. */
  readonly places?: readonly MessagePlace[]
  readonly messages: readonly CompileMessage[]
}

/** A place that a message applies to. */
export type MessagePlace = Pick<
  CompileMessage,
  | 'path'
  | 'network'
  | 'line'
  | 'column'
  | 'endLine'
  | 'endColumn'
  | 'uId'
  | 'element'
  | 'member'
  | 'device'
  | 'slot'
  | 'file'
  | 'sourceLine'
  | 'sourceColumn'
>

export interface CompileCounts {
  readonly state: CompileState
  readonly errorCount: number
  readonly warningCount: number
}

/** A node above others. Its state is the worst of them; nodes with errors come first. */
export function group(path: string, description: string, messages: readonly CompileMessage[]): CompileMessage {
  return { path, description, ...countsOf(messages), messages: errorsFirst(messages) }
}

const ranks: Readonly<Record<CompileState, number>> = { Error: 0, Warning: 1, Success: 2 }

/** Errors, then warnings, then the rest; each in the order of arrival. */
function errorsFirst(messages: readonly CompileMessage[]): CompileMessage[] {
  return [...messages].sort((a, b) => ranks[a.state] - ranks[b.state])
}

/** The messages of one object. Equal ones at several places become one, with their number and the places. */
export function messagesOf(
  diagnostics: readonly (Omit<Diagnostic, 'object'> & Pick<CompileMessage, 'file' | 'device' | 'slot'>)[],
  path: string,
): CompileMessage[] {
  const same = new Map<string, CompileMessage[]>()
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.severity} ${diagnostic.code} ${diagnostic.message}`
    const message = messageOf(diagnostic, path)
    const others = same.get(key)
    if (others) others.push(message)
    else same.set(key, [message])
  }
  return [...same.values()].map((messages) => {
    const [first] = messages as [CompileMessage]
    if (messages.length === 1) return first
    const { state: _state, ...counts } = countsOf(messages)
    const description = `${first.description} (${messages.length} places)`
    return { ...first, ...counts, description, places: messages.map(placeIn) }
  })
}

function placeIn(message: CompileMessage) {
  const { description, state, errorCount, warningCount, severity, code, hint, messages, ...place } = message
  return place satisfies MessagePlace
}

export function countsOf(messages: readonly Pick<CompileMessage, 'errorCount' | 'warningCount'>[]): CompileCounts {
  const errorCount = messages.reduce((sum, message) => sum + message.errorCount, 0)
  const warningCount = messages.reduce((sum, message) => sum + message.warningCount, 0)
  return { state: errorCount > 0 ? 'Error' : warningCount > 0 ? 'Warning' : 'Success', errorCount, warningCount }
}

const states: Readonly<Record<Diagnostic['severity'], CompileState>> = {
  error: 'Error',
  warning: 'Warning',
  information: 'Success',
}

/** The message of one diagnostic. */
function messageOf(
  diagnostic: Omit<Diagnostic, 'object'> & Pick<CompileMessage, 'file' | 'device' | 'slot'>,
  path: string,
): CompileMessage {
  const { severity, message, code, hint, network, line, column, endLine, endColumn, uId, element, member } = diagnostic
  const { file, device, slot, sourceLine, sourceColumn } = diagnostic
  const errorCount = severity === 'error' ? 1 : 0
  const warningCount = severity === 'warning' ? 1 : 0
  const lines = { network, line, column, endLine, endColumn, file, sourceLine, sourceColumn }
  const places = { ...lines, uId, element, member, device, slot, hint }
  const known = Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined))
  return {
    path: [path, placeOf(diagnostic)].filter((part) => part !== '').join('/'),
    description: message,
    state: states[severity],
    errorCount,
    warningCount,
    severity,
    code,
    ...known,
    messages: [],
  }
}

function placeOf({ network, member }: Pick<Diagnostic, 'network' | 'member'>): string {
  if (member !== undefined) return member
  return network === undefined ? '' : `Network ${network}`
}

/** The messages without the nodes above them. */
export function leavesOf(messages: readonly CompileMessage[]): CompileMessage[] {
  const leaves = messages.flatMap((message) => (message.code === undefined ? leavesOf(message.messages) : [message]))
  return errorsFirst(leaves)
}

/** Schema of the memory that a program needs. `available` has the kinds that the table of sizes knows. */
export const memoryFields = (t: SchemaBuilder) => ({
  codeBytes: t.Integer({ description: 'Work memory for code.' }),
  dataBytes: t.Integer({ description: 'Work memory for data.' }),
  loadBytes: t.Integer({ description: 'Load memory: code and start values.' }),
  available: t.Optional(
    t.Object({
      codeBytes: t.Optional(t.Integer()),
      dataBytes: t.Optional(t.Integer()),
      workBytes: t.Optional(t.Integer({ description: 'Of an S7-1200: for code and data together.' })),
      loadBytes: t.Integer(),
    }),
  ),
})

/** Schema of a result; `messages` nest. */
export const compileResultFields = (t: SchemaBuilder) => ({
  state: t.Enum(['Success', 'Warning', 'Error']),
  errorCount: t.Integer(),
  warningCount: t.Integer(),
  messages: t.Array(compileMessage(t), {
    description:
      'A tree, device > area > object > message. Errors stand first. What is true of several places of an object is told once, with all `places`.',
  }),
  compiledBlocks: t.Integer({ description: 'Blocks that were compiled anew.' }),
  unchangedBlocks: t.Integer({ description: 'Blocks whose last result still held.' }),
  programHash: t.Optional(
    t.String({ description: 'Of the compiled program; absent when blocks have errors, or only a part was compiled.' }),
  ),
  memory: t.Optional(t.Object(memoryFields(t))),
})
