/**
 * Tool calls of a client: who asks, how they hear of progress, how their person is asked, and the answer as JSON-RPC.
 */

import { defined } from '../../lib/optional.ts'
import { isGatewayError } from '../contract/problems.ts'
import { errorText, type RpcRequest, readToolCall, rpcCodes, type ToolCallRequest } from './json-rpc.ts'
import { type ToolOutcome, toResponseText } from './results.ts'
import type { McpSession, RequestId } from './sessions.ts'
import type { Person } from './tool-caller.ts'
import { type Tools, UnknownTool } from './tools.ts'

/** Sends a JSON-RPC notification to the client. */
export type Notify = (notification: { method: string; params: Record<string, unknown> }) => void
/** How a call reaches its client before its answer. */
export interface WayBack {
  readonly notify?: Notify
  readonly person?: Person
  /** Fires when the client cancels the call. */
  readonly signal?: AbortSignal
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
export async function runCall(
  tools: Tools,
  session: McpSession,
  call: ToolCallRequest,
  { notify, person, signal: cancelledByClient }: WayBack,
): Promise<ToolOutcome> {
  const { id, name, args, progressToken } = call
  const abort = new AbortController()
  session.running.set(id, abort)
  const { signal } = abort
  const cancel = () => abort.abort()
  cancelledByClient?.addEventListener('abort', cancel, { once: true })
  try {
    const onProgress =
      notify && progressToken !== undefined
        ? (progress: number, message?: string) =>
            notify({ method: 'notifications/progress', params: progressParams(progressToken, progress, message) })
        : undefined
    const outcome = await tools.call(name, args, {
      actor: session.caller,
      readOnly: session.selection.readOnly,
      signal,
      ...defined({ group: session.group, onProgress, person }),
    })
    return signal.aborted ? cancelled : outcome
  } finally {
    cancelledByClient?.removeEventListener('abort', cancel)
    // A client may wrongly use an id twice at a time; its cancellation then refers to the later call.
    if (session.running.get(id) === abort) session.running.delete(id)
  }
}

function progressParams(progressToken: RequestId, progress: number, message: string | undefined) {
  return { progressToken, progress, total: 100, ...defined({ message }) }
}
