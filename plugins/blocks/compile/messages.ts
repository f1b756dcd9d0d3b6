/** The result of a compilation as clients read it: a tree of device, area, object, message. */
import type { SchemaBuilder } from '../../../core/index.ts'
import type { Diagnostic } from '../../../plc/program/program.ts'

export type CompileState = 'Success' | 'Warning' | 'Error'

export interface CompileMessage {
  /** `PLC_1/Program blocks/Conveyor/Main`. */
  readonly path: string
  readonly description: string
  readonly state: CompileState
  readonly errorCount: number
  readonly warningCount: number
  /** In the text of the network: from 1. */
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly network?: number
  /** Of a graph's element. */
  readonly uId?: number
  /** Of the interface: path of the member. */
  readonly member?: string
  /** See `GET /api/diagnostics/codes/{code}`. */
  readonly code?: string
  readonly hint?: string
  readonly messages: readonly CompileMessage[]
}

export interface CompileCounts {
  readonly state: CompileState
  readonly errorCount: number
  readonly warningCount: number
}

/** A node above others: its state is the worst of them. */
export function group(path: string, description: string, messages: readonly CompileMessage[]): CompileMessage {
  return { path, description, ...countsOf(messages), messages }
}

export function countsOf(messages: readonly Pick<CompileMessage, 'errorCount' | 'warningCount'>[]): CompileCounts {
  const errorCount = messages.reduce((sum, message) => sum + message.errorCount, 0)
  const warningCount = messages.reduce((sum, message) => sum + message.warningCount, 0)
  return { state: errorCount > 0 ? 'Error' : warningCount > 0 ? 'Warning' : 'Success', errorCount, warningCount }
}

/** One diagnostic. */
export function messageOf(diagnostic: Omit<Diagnostic, 'object'>, path: string): CompileMessage {
  const { severity, message, code, hint, network, line, column, endLine, endColumn, uId, member } = diagnostic
  const isError = severity === 'error'
  const places = { network, line, column, endLine, endColumn, uId, member, hint }
  const known = Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined))
  return {
    path: [path, placeOf(diagnostic)].filter((part) => part !== '').join('/'),
    description: message,
    state: isError ? 'Error' : 'Warning',
    errorCount: isError ? 1 : 0,
    warningCount: isError ? 0 : 1,
    code,
    ...known,
    messages: [],
  }
}

function placeOf({ network, member }: Pick<Diagnostic, 'network' | 'member'>): string {
  if (member !== undefined) return member
  return network === undefined ? '' : `Network ${network}`
}

/** The messages themselves, without the nodes above them. */
export function leavesOf(messages: readonly CompileMessage[]): CompileMessage[] {
  return messages.flatMap((message) => (message.code === undefined ? leavesOf(message.messages) : [message]))
}

/** Schema of a result; `messages` nest. */
export const compileResultFields = (t: SchemaBuilder) => ({
  state: t.Enum(['Success', 'Warning', 'Error']),
  errorCount: t.Integer(),
  warningCount: t.Integer(),
  messages: t.Array(t.Any(), {
    description:
      'A tree, device > area > object > message: { path, description, state, errorCount, warningCount, line, column, endLine, endColumn, network, uId, member, code, hint, messages }. `code` is explained at /api/diagnostics/codes/{code}.',
  }),
  compiledBlocks: t.Integer({ description: 'Blocks that were compiled anew.' }),
  unchangedBlocks: t.Integer({ description: 'Blocks whose last result still held.' }),
  programHash: t.Optional(
    t.String({ description: 'Of the compiled program; absent when there are errors, or only a part was compiled.' }),
  ),
})
