/**
 * The MCP server of one client, or since MCP 2026-07-28 of one request. The SDK handles the protocol; on connections
 * that last, tool calls are answered at the JSON-RPC layer, because the SDK checks each of them five times with zod
 * (message, request twice, result, response), which costs as much as running the command (bench/mcp.ts).
 */
import { Server, type ServerContext, type Transport } from '@modelcontextprotocol/server'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { answerCall, type Notify, runCall } from './calls.ts'
import { clientOf, nameOf, showsForms } from './client.ts'
import { complete } from './completion.ts'
import { isRequest, isRequestId, rpcCodes, rpcError, type ToolCallRequest } from './json-rpc.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { type AskClient, answerWithQuestion, personByRequest, personByRetry, questionSeal } from './questions.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { toCallToolResult } from './results.ts'
import { introduce, type McpSession } from './sessions.ts'
import { takeSubscriptions } from './subscriptions.ts'
import { serveTasks, taskInstead } from './tasks.ts'
import { QuestionFirst } from './tool-caller.ts'
import type { Tools } from './tools.ts'

/** Instructions for the model before its first call. */
const instructions = `Gantry drives PLC engineering projects: devices, blocks, types, tags, snapshots, design specs, compiling, virtual controllers, online functions.
The tools listed are the common operations. find_operations searches all of them, describe_operation shows one, call_operation runs any.
Most operations work on the open project: open or create one first. Commands run one after the other.
A command that takes long hands back {jobId, status}: follow it with get_job and wait. Every command takes dryRun to show what it would do.
A read of one thing gives its hash; a change that takes expectedHash is refused when somebody has changed the thing since.
An error is "code: what is wrong and what would be right"; resources gantry://docs/… explain codes and operations.`

/** How long a client may keep a list of tools, prompts or templates: settings change what a key may call, ms. */
const listsHoldMs = 60_000
const hold = { ttlMs: listsHoldMs, cacheScope: 'private' } as const

/**
 * The protocol that a server speaks: `session` is MCP 2024-11-05 to 2025-11-25, where the server can send requests;
 * `request` is 2026-07-28, where it answers with what it wants to know.
 */
export type Era = 'session' | 'request'

/** Makes the server of a session, or of one request, not yet connected. */
export function makeServer(tools: Tools, session: McpSession, era: Era): Server {
  const { gateway } = tools
  const isRequestEra = era === 'request'
  const seal = isRequestEra ? questionSeal(tools) : undefined
  const server = new Server(
    { name: 'gantry', title: 'Gantry', version: gateway.version },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        ...(isRequestEra ? { extensions: { 'io.modelcontextprotocol/tasks': {} } } : {}),
      },
      instructions,
      cacheHints: {
        'tools/list': hold,
        'prompts/list': hold,
        'resources/templates/list': hold,
        'server/discover': hold,
      },
      ...(seal ? { requestState: { verify: seal.verify } } : {}),
      // Only used by `elicitInput`; questions are sent with `request`. The default makes an Ajv for each client.
      jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not used' }) },
    },
  )
  server.onerror = (error) => gateway.log.debug({ err: error, sessionId: session.sessionId }, 'MCP protocol error')
  // `as never` below: the SDK's types of results allow no absent fields, and take JSON Schemas only as literals.
  server.setRequestHandler('tools/list', async () => ({
    tools: (await tools.list(session.selection, session.caller.access)) as never[],
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = callOf(params, context)
    const notify: Notify = (notification) => void context.mcpReq.notify(notification as never).catch(() => {})
    const person = seal
      ? personByRetry(call, context, seal)
      : personByRequest(tools, session, (...question) => context.mcpReq.send(...question))
    try {
      const outcome = await runCall(tools, session, call, {
        notify,
        signal: context.mcpReq.signal,
        ...defined({ person }),
      })
      return ((isRequestEra ? taskInstead(outcome, tools, context) : undefined) ?? toCallToolResult(outcome)) as never
    } catch (error) {
      if (error instanceof QuestionFirst) return answerWithQuestion(error)
      throw error
    }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(tools, session) }))
  server.setRequestHandler(
    'prompts/get',
    ({ params }) => getPrompt(params.name, params.arguments ?? {}, tools, session) as never,
  )
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => ({
    completion: await complete({ ref, argument, given: context?.arguments ?? {} }, tools, session),
  }))
  server.setRequestHandler('resources/list', async () => ({
    resources: (await listResources(tools, session.caller)) as never[],
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: listTemplates(tools) as never[] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return { contents: [await readResource(uri, tools, session.caller)] } as never
    } catch (error) {
      const { code, message } = gateway.asProblem(error, 'resources/read', session.sessionId)
      // MCP 2026-07-28, Resources, Error Handling; -32002 before.
      throw rpcError(code === 'not_found' ? rpcCodes.invalidParams : rpcCodes.internalError, `${code}: ${message}`, {
        uri,
      })
    }
  })
  if (isRequestEra) serveTasks(server, tools, session)
  else takeSubscriptions(server, gateway)
  return server
}

/** The call of a request that the SDK has checked. */
function callOf(
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  { mcpReq }: ServerContext,
): ToolCallRequest {
  return { id: mcpReq.id, name, args, progressToken: mcpReq._meta?.progressToken }
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
  const server = makeServer(tools, session, 'session')
  // The SDK calls a handler that is there before its own. On stdio the first message comes while it connects.
  transport.onmessage = (message) => greet(session, message)
  await server.connect(transport)
  const toSdk = transport.onmessage!
  transport.onmessage = (message, extra) => {
    if (cancels(session, message)) return
    if (respond && isRequest(message) && message.method === 'tools/call') {
      const notify: Notify = (notification) => respond(JSON.stringify({ jsonrpc: '2.0', ...notification }))
      const ask: AskClient = (...question) => server.request(...question)
      const person = personByRequest(tools, session, ask)
      void answerCall(tools, session, message, { notify, ...defined({ person }) }).then(
        (text) => text !== undefined && respond(text),
      )
      return
    }
    toSdk(message, extra)
  }
}

/**
 * Takes from a message what the session must know: who the client is and whether it can ask its person. Until MCP
 * 2025-11-25 `initialize` says so, since 2026-07-28 every request does.
 */
export function greet(session: McpSession, message: unknown): void {
  if (!isObject(message) || !isObject(message.params)) return
  if (message.method === 'initialize') {
    const { clientInfo, capabilities, protocolVersion } = message.params
    session.canAsk = showsForms(capabilities)
    const client = nameOf(clientInfo)
    if (client) introduce(session, client, typeof protocolVersion === 'string' ? protocolVersion : undefined)
    return
  }
  const { client, protocolVersion } = clientOf(message.params._meta)
  if (client) introduce(session, client, protocolVersion)
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
