/**
 * The MCP server of one client. The SDK handles the protocol; tool calls are answered at the JSON-RPC layer, because
 * the SDK checks each of them five times with zod (message, request twice, result, response), which costs as much as
 * running the command (bench/mcp.ts).
 */

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ElicitResult, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { isGatewayError } from '../problems.ts'
import { complete } from './completion.ts'
import {
  errorText,
  isRequest,
  isRequestId,
  type RpcRequest,
  readToolCall,
  rpcCodes,
  rpcError,
  type ToolCallRequest,
} from './json-rpc.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { type ToolOutcome, toCallToolResult, toResponseText } from './results.ts'
import { groupOf, introduce, type McpSession, type RequestId } from './sessions.ts'
import type { Answer, Person, Question } from './tool-caller.ts'
import { type Tools, UnknownTool } from './tools.ts'

/** Instructions for the model before its first call. */
const instructions = `Gantry drives PLC engineering projects: devices, blocks, types, tags, snapshots, design specs, compiling, virtual controllers, online functions.
The tools listed are the common operations. find_operations searches all of them, describe_operation shows one, call_operation runs any.
Most operations work on the open project: open or create one first. Commands run one after the other.
A command that takes long hands back {jobId, status}: follow it with get_job and wait. Every command takes dryRun to show what it would do.
A read of one thing gives its hash; a change that takes expectedHash is refused when somebody has changed the thing since.
An error is "code: what is wrong and what would be right"; resources gantry://docs/… explain codes and operations.`

let sdkLoading: ReturnType<typeof importSdk> | undefined
const importSdk = async () => ({
  ...(await import('@modelcontextprotocol/sdk/server/index.js')),
  types: await import('@modelcontextprotocol/sdk/types.js'),
})
/** Loads the SDK's server once (about 0.2 s): when the first client needs it, not at start. */
function loadSdk() {
  sdkLoading ??= importSdk()
  return sdkLoading
}

/** Answers a JSON-RPC notification to the client. */
type Notify = (notification: { method: string; params: Record<string, unknown> }) => void
/** Sends a question to the client and waits for its answer. */
type AskClient = (
  request: { method: 'elicitation/create'; params: never },
  schema: typeof ElicitResultSchema,
  options: { timeout: number; signal?: AbortSignal },
) => Promise<ElicitResult>
/** How a call reaches its client before its answer. */
interface WayBack {
  readonly notify?: Notify
  readonly ask?: AskClient
}

/**
 * Connects a session's transport to a new MCP server.
 *
 * @param respond when given, tool calls are answered with it instead of through the SDK. Without it (Streamable HTTP,
 * where the SDK keeps track of which HTTP response an answer belongs to) the SDK sends them.
 */
export async function connectServer(
  tools: Tools,
  session: McpSession,
  transport: Transport,
  respond?: (json: string) => void,
): Promise<void> {
  const { Server, types } = await loadSdk()
  const server = new Server(
    { name: 'gantry', title: 'Gantry', version: tools.gateway.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions,
      // Only used by `elicitInput`; questions are sent with `request`. The default makes an Ajv for each client.
      jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) },
    },
  )
  const { gateway } = tools
  server.onerror = (error) => gateway.log.debug({ err: error, sessionId: session.sessionId }, 'MCP protocol error')
  server.setRequestHandler(types.ListToolsRequestSchema, async () => ({
    tools: (await tools.list(session.selection, session.caller.access)) as never[],
  }))
  server.setRequestHandler(types.CallToolRequestSchema, async (request, extra) => {
    const call = readToolCall({
      jsonrpc: '2.0',
      id: extra.requestId,
      method: 'tools/call',
      params: request.params as never,
    })
    if (typeof call === 'string') throw rpcError(rpcCodes.invalidParams, call)
    const notify: Notify = (notification) => void extra.sendNotification(notification as never).catch(() => {})
    const ask: AskClient = (...question) => extra.sendRequest(...question)
    return toCallToolResult(await runCall(tools, session, call, { notify, ask })) as never
  })
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: listPrompts(tools, session) }))
  server.setRequestHandler(
    types.GetPromptRequestSchema,
    ({ params }) => getPrompt(params.name, params.arguments ?? {}, tools, session) as never,
  )
  server.setRequestHandler(types.CompleteRequestSchema, async ({ params: { ref, argument, context } }) => ({
    completion: await complete({ ref, argument, given: context?.arguments ?? {} }, tools, session),
  }))
  server.setRequestHandler(types.ListResourcesRequestSchema, async () => ({
    resources: (await listResources(tools, session.caller)) as never[],
  }))
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: listTemplates(tools) as never[],
  }))
  server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      return { contents: [await readResource(uri, tools, session.caller)] } as never
    } catch (error) {
      const failure = gateway.asProblem(error, 'resources/read', session.sessionId)
      // -32002: "Resource not found" (MCP 2025-06-18, Resources, Error Handling).
      throw rpcError(
        failure.code === 'not_found' ? -32002 : rpcCodes.internalError,
        `${failure.code}: ${failure.message}`,
        { uri },
      )
    }
  })
  // The SDK calls a handler that is there before its own. On stdio the first message comes while it connects.
  transport.onmessage = (message) => greet(session, message)
  await server.connect(transport)
  const toSdk = transport.onmessage!
  transport.onmessage = (message, extra) => {
    if (cancels(session, message)) return
    if (respond && isRequest(message) && message.method === 'tools/call') {
      const notify: Notify = (notification) => respond(JSON.stringify({ jsonrpc: '2.0', ...notification }))
      const ask: AskClient = (...question) => server.request(...question)
      void answerCall(tools, session, message, { notify, ask }).then((text) => text !== undefined && respond(text))
      return
    }
    toSdk(message, extra)
  }
}

/** Takes from `initialize` what the session must know: who the client is and whether it can ask its person. */
function greet(session: McpSession, message: unknown): void {
  if (!isObject(message) || message.method !== 'initialize' || !isObject(message.params)) return
  const { clientInfo, capabilities, protocolVersion } = message.params
  session.canAsk = showsForms(capabilities)
  if (!isObject(clientInfo)) return
  const client = { name: String(clientInfo.name ?? ''), version: String(clientInfo.version ?? '') }
  introduce(session, client, typeof protocolVersion === 'string' ? protocolVersion : undefined)
}

/**
 * Aborts the call that a message cancels.
 * @returns true when the message needs no further handling
 */
function cancels(session: McpSession, message: unknown): boolean {
  if (!isObject(message) || message.method !== 'notifications/cancelled' || !isObject(message.params)) return false
  const { requestId } = message.params
  const call = isRequestId(requestId) ? session.running.get(requestId) : undefined
  call?.abort()
  return call !== undefined
}

/** Whether a client shows forms: `elicitation: {}` of MCP 2025-06-18, `elicitation: { form: {} }` since 2025-11-25. */
function showsForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(elicitation) && (isObject(elicitation.form) || !('url' in elicitation))
}

/**
 * Answers a request `tools/call` with the text of its JSON-RPC response.
 * @returns undefined when the client has cancelled it: then no response is sent (MCP 2025-06-18, Cancellation)
 */
export async function answerCall(
  tools: Tools,
  session: McpSession,
  request: RpcRequest,
  way: WayBack = {},
): Promise<string | undefined> {
  const call = readToolCall(request)
  if (typeof call === 'string') return errorText(request.id, rpcCodes.invalidParams, call)
  try {
    const outcome = await runCall(tools, session, call, way)
    return outcome === cancelled ? undefined : toResponseText(call.id, outcome)
  } catch (error) {
    if (error instanceof UnknownTool) return errorText(call.id, error.code, error.message)
    const code = isGatewayError(error) ? `${error.code}: ${error.message}` : 'Internal error'
    return errorText(call.id, rpcCodes.internalError, code)
  }
}

/** The outcome of a call that the client has cancelled. */
const cancelled: ToolOutcome = { text: 'request_cancelled: The client cancelled the request.', isError: true }

/** @throws UnknownTool */
async function runCall(
  tools: Tools,
  session: McpSession,
  call: ToolCallRequest,
  { notify, ask }: WayBack,
): Promise<ToolOutcome> {
  const { id, name, args, progressToken } = call
  const abort = new AbortController()
  session.running.set(id, abort)
  const { signal } = abort
  try {
    const onProgress =
      notify && progressToken !== undefined
        ? (progress: number, message?: string) =>
            notify({ method: 'notifications/progress', params: progressParams(progressToken, progress, message) })
        : undefined
    const outcome = await tools.call(name, args, {
      actor: session.caller,
      group: groupOf(session),
      readOnly: session.selection.readOnly,
      signal,
      ...(onProgress ? { onProgress } : {}),
      ...(ask && session.canAsk ? { person: personAt(tools, session, ask) } : {}),
    })
    return signal.aborted ? cancelled : outcome
  } finally {
    // A client may wrongly use an id twice at a time; its cancellation then refers to the later call.
    if (session.running.get(id) === abort) session.running.delete(id)
  }
}

/** The person at a session's client, asked with `elicitation/create`. */
function personAt({ askWithinMs }: Tools, { client, trusted }: McpSession, ask: AskClient): Person {
  return {
    client: client?.name || 'The client',
    trusted,
    async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
      const { types } = await loadSdk()
      const request = { method: 'elicitation/create', params: question as never } as const
      const options = { timeout: askWithinMs, ...defined({ signal }) }
      return (await ask(request, types.ElicitResultSchema, options)) as Answer
    },
  }
}

function progressParams(progressToken: RequestId, progress: number, message: string | undefined) {
  return { progressToken, progress, total: 100, ...defined({ message }) }
}
