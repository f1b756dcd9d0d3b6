/**
 * Prompts: tasks that people start from a menu of their MCP client (MCP 2025-06-18, Prompts). The plugin that owns the
 * subject contributes them; the text of a prompt names the tools as the client's session has them.
 */
import { extensionPoint } from './extension-point.ts'

/** Where the values of an argument come from while it is typed: a list operation. */
export interface Suggestions {
  /** Path of the query, e.g. `/api/devices/{deviceName}/blocks`. Without that operation there are no suggestions. */
  readonly path: string
  /** Member of its answer that is the list, and member of an entry that is the value. */
  readonly list: string
  readonly value: string
  /** Inputs of the query that other arguments give: `{ deviceName: 'device' }`. They must have been filled in. */
  readonly given?: Readonly<Record<string, string>>
  /** Inputs of the query that are always the same. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Input of the query that takes what has been typed so far, e.g. `q`; without it the whole list is searched. */
  readonly typed?: string
}

/** An argument of a prompt; its value is text. */
export interface PromptArgument {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly required?: boolean
  readonly suggestions?: Suggestions
}

/**
 * Writes a call of an operation as the session can make it: `` `blocks_list` with `{"deviceName":"PLC_1"}` ``, or with
 * `call_operation` when the session does not list the tool. Values still unknown are texts in angle brackets.
 */
export type WriteCall = (operation: string, input: Readonly<Record<string, unknown>>) => string

/** A prompt. */
export interface McpPrompt {
  /** Lower-case words with underscores; unique among all plugins. */
  readonly name: string
  /** For menus. */
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** Ids of the operations that the text names. A session that may not call one of them does not get the prompt. */
  readonly uses: readonly string[]
  /** Ids of operations that the text names only for sessions that may call them. */
  readonly mayUse?: readonly string[]
  /**
   * The message of the user.
   * @param given the arguments that were filled in
   * @param can whether the session may call an operation of `mayUse`
   */
  text(given: Readonly<Record<string, string>>, call: WriteCall, can: (operation: string) => boolean): string
}

/** Where plugins put their prompts. */
export const mcpPrompts = extensionPoint<McpPrompt>('mcp.prompts', {
  title: 'MCP prompts',
  description:
    'A task that people start from a menu of their MCP client. A session that may not call one of the operations in uses does not get it.',
  constant: 'mcpPrompts',
  check: {
    name: 'text',
    title: 'text',
    description: 'text',
    arguments: 'list',
    uses: 'text[]',
    mayUse: 'text[]?',
    text: 'function',
  },
  example:
    "{ name: 'look_around', title: 'Look around', description: 'Lists the devices.', arguments: [], uses: ['devices.list'], text: (given, call) => 'Call ' + call('devices.list', {}) }",
})

/** Numbered steps, one line each. */
export const steps = (lines: readonly string[]): string => lines.map((line, i) => `${i + 1}. ${line}`).join('\n')

/** Suggestions for the name of a PLC. */
export const deviceNames: Suggestions = { path: '/api/projects/devices', list: 'devices', value: 'name', typed: 'q' }

/** Suggestions for the name of a block of the PLC that another argument names. */
export const blockNames = (device: string): Suggestions => ({
  path: '/api/devices/{deviceName}/blocks',
  list: 'blocks',
  value: 'name',
  given: { deviceName: device },
  typed: 'q',
})
