/**
 * Completion of the arguments of prompts and of the parameters of resource templates (MCP 2025-06-18, Completion). The
 * values are those of list operations, read with the access of the session's key.
 */
import { isObject } from '../../lib/is-object.ts'
import { isGatewayError } from '../contract/problems.ts'
import type { Suggestions } from '../contract/prompt.ts'
import { rpcCodes, rpcError } from './json-rpc.ts'
import { promptsOf } from './prompts.ts'
import { templateSuggestions } from './resources.ts'
import type { McpSession } from './sessions.ts'
import type { Tools } from './tools.ts'

/** Most values of one answer (MCP 2025-06-18, Completion, Data Types). */
const mostValues = 100

/** The parameters of `completion/complete`. */
export interface CompletionRequest {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string }
  readonly argument: { readonly name: string; readonly value: string }
  /** The arguments that were filled in before. */
  readonly given: Readonly<Record<string, string>>
}

/**
 * The values that begin with what has been typed, then those that contain it. There are none while an argument that
 * they depend on is open, or when there is nothing to choose from (no project is open, the device does not exist).
 *
 * @throws Error with the JSON-RPC code `invalid params` for an unknown prompt, template or argument
 */
export async function complete(
  { ref, argument, given }: CompletionRequest,
  tools: Tools,
  session: McpSession,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const suggestions = suggestionsFor(ref, argument.name, tools)
  const values = suggestions ? await valuesOf(suggestions, argument.value, given, tools, session) : []
  const typed = argument.value.toLowerCase()
  const begins = (value: string) => value.toLowerCase().startsWith(typed)
  const matching = [...new Set(values)].filter((value) => value.toLowerCase().includes(typed))
  const sorted = [...matching.filter(begins), ...matching.filter((value) => !begins(value))]
  return { values: sorted.slice(0, mostValues), total: sorted.length, hasMore: sorted.length > mostValues }
}

function suggestionsFor(ref: CompletionRequest['ref'], name: string, tools: Tools): Suggestions | undefined {
  if (ref.type === 'ref/prompt') {
    const prompt = promptsOf(tools).get(ref.name ?? '')
    if (!prompt) throw rpcError(rpcCodes.invalidParams, `There is no prompt "${ref.name}".`)
    const found = prompt.arguments.find((argument) => argument.name === name)
    if (!found) throw rpcError(rpcCodes.invalidParams, `The prompt "${ref.name}" has no argument "${name}".`)
    return found.suggestions
  }
  const parameters = templateSuggestions.get(ref.uri ?? '')
  if (!parameters) throw rpcError(rpcCodes.invalidParams, `There is no resource template "${ref.uri}".`)
  if (!(name in parameters))
    throw rpcError(rpcCodes.invalidParams, `The resource template "${ref.uri}" has no parameter "${name}".`)
  return parameters[name]
}

async function valuesOf(
  { path, list, value, given: needed = {}, input = {}, typed }: Suggestions,
  text: string,
  given: Readonly<Record<string, string>>,
  { gateway }: Tools,
  { caller }: McpSession,
): Promise<string[]> {
  const route = gateway.registry.routes.find((one) => one.method === 'GET' && one.path === path)
  if (!route) return []
  const fields: Record<string, unknown> = { ...input }
  for (const [field, argument] of Object.entries(needed)) {
    const before = given[argument]
    if (before === undefined || before === '') return []
    fields[field] = before
  }
  if (typed !== undefined && text !== '') fields[typed] = text
  try {
    const reply = await gateway.invoke(route.operation, fields, { actor: caller })
    const answer = reply.kind === 'result' && isObject(reply.value) ? reply.value[list] : undefined
    if (!Array.isArray(answer)) return []
    return answer.flatMap((entry) => {
      const one = isObject(entry) ? entry[value] : undefined
      return typeof one === 'string' ? [one] : []
    })
  } catch (error) {
    if (isGatewayError(error)) return []
    throw error
  }
}
