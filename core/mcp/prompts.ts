/** Lists prompts, and writes their texts for the tools of a session. */
import { nearest } from '../../lib/nearest.ts'
import { isReadOnly, mayCall } from '../contract/operation.ts'
import { type McpPrompt, mcpPrompts } from '../contract/prompt.ts'
import { rpcCodes, rpcError } from './json-rpc.ts'
import type { McpSession } from './sessions.ts'
import type { Tools } from './tools.ts'

/** The prompts of all plugins, by name. */
export function promptsOf({ gateway }: Tools): ReadonlyMap<string, McpPrompt> {
  return new Map(gateway.registry.extensions(mcpPrompts).map((prompt) => [prompt.name, prompt]))
}

/** What `prompts/list` answers: the prompts whose every operation the session may call. */
export function listPrompts(tools: Tools, session: McpSession) {
  return [...promptsOf(tools).values()]
    .filter((prompt) => missingFor(prompt, tools, session) === undefined)
    .map(({ name, title, description, arguments: parameters }) => ({
      name,
      title,
      description,
      arguments: parameters.map(({ name, title, description, required = false }) => ({
        name,
        title,
        description,
        required,
      })),
    }))
}

/**
 * What `prompts/get` answers.
 * @throws Error with the JSON-RPC code `invalid params` for an unknown prompt, and for missing or unknown arguments
 * (MCP 2025-06-18, Prompts, Error Handling)
 */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  tools: Tools,
  session: McpSession,
): { description: string; messages: object[] } {
  const prompts = promptsOf(tools)
  const prompt = prompts.get(name)
  if (!prompt) throw invalid(`There is no prompt "${name}".${meant(name, prompts.keys())}`)
  const missing = missingFor(prompt, tools, session)
  if (missing !== undefined)
    throw invalid(`The prompt "${name}" needs the operation ${missing}, which this session may not call.`)
  const known = prompt.arguments.map((argument) => argument.name)
  for (const argument of Object.keys(given))
    if (!known.includes(argument))
      throw invalid(`The prompt "${name}" has no argument "${argument}".${meant(argument, known)}`)
  const filled = Object.fromEntries(
    Object.entries(given).flatMap(([argument, value]) => (value.trim() === '' ? [] : [[argument, value.trim()]])),
  )
  const open = prompt.arguments.filter((argument) => argument.required && filled[argument.name] === undefined)
  if (open.length > 0)
    throw invalid(`The prompt "${name}" needs ${open.map((one) => `"${one.name}" (${one.description})`).join(', ')}.`)
  const can = (id: string) => mayUse(id, tools, session)
  const text = prompt.text(filled, (id, input) => writtenCall(id, input, prompt, tools, session), can)
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** The first operation of a prompt that the session may not call; undefined: it may call all of them. */
const missingFor = ({ uses }: McpPrompt, tools: Tools, session: McpSession) =>
  uses.find((id) => !mayUse(id, tools, session))

function mayUse(id: string, { gateway, catalogue }: Tools, { caller, selection }: McpSession): boolean {
  const operation = gateway.registry.operation(id)
  if (!operation || catalogue.nameOf(operation) === undefined || !mayCall(operation, caller.access)) return false
  return !selection.readOnly || isReadOnly(operation)
}

function writtenCall(
  id: string,
  input: Readonly<Record<string, unknown>>,
  { name, uses, mayUse = [] }: McpPrompt,
  { gateway, catalogue }: Tools,
  { selection, caller }: McpSession,
): string {
  const operation = gateway.registry.operation(id)
  if (!operation || !(uses.includes(id) || mayUse.includes(id)))
    throw new Error(`prompt "${name}" names ${id} without using it`)
  // A backtick would end the code that the JSON is written as.
  const json = (value: unknown) => JSON.stringify(value).replaceAll('`', '\\u0060')
  return catalogue.select(selection, caller.access).includes(operation)
    ? `\`${catalogue.nameOf(operation)}\` with \`${json(input)}\``
    : `\`call_operation\` with \`${json({ operation: id, input })}\``
}

const invalid = (message: string) => rpcError(rpcCodes.invalidParams, message)

function meant(name: string, known: Iterable<string>): string {
  const names = [...known]
  const near = nearest(name, names)
  return near ? ` Did you mean "${near}"?` : ` Known: ${names.join(', ') || 'none'}.`
}
