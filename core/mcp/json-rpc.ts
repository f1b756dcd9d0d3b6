/** JSON-RPC 2.0 messages, as far as MCP needs them before the SDK: classified, checked, refused. */
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { problem } from '../contract/problems.ts'
import type { RequestId } from './sessions.ts'

/** Error codes of JSON-RPC 2.0, 5.1, and the SDK's for a session that is gone. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  sessionNotFound: -32001,
} as const

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** A request `tools/call` with its parameters checked. */
export interface ToolCallRequest {
  readonly id: RequestId
  readonly name: string
  readonly args: Record<string, unknown>
  readonly progressToken: string | number | undefined
}

export function isRequest(message: unknown): message is RpcRequest {
  return isObject(message) && typeof message.method === 'string' && isRequestId(message.id)
}

export const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isInteger(id)

/**
 * The fault of a JSON-RPC message; undefined when it is valid. JSON-RPC 2.0, 4 and 5; batches are not part of MCP since
 * 2025-06-18 and never were of its SSE transport.
 */
function faultOf(message: unknown): string | undefined {
  if (!isObject(message)) return 'a message is one JSON object'
  if (message.jsonrpc !== '2.0') return `"jsonrpc" must be "2.0", not ${JSON.stringify(message.jsonrpc)}`
  if ('method' in message) {
    if (typeof message.method !== 'string') return '"method" must be a string'
    if (message.params !== undefined && !isObject(message.params)) return '"params" must be an object'
    if (message.id !== undefined && !isRequestId(message.id)) return '"id" must be a string or an integer'
    return undefined
  }
  if (!('result' in message) && !('error' in message)) return 'a message has a "method", a "result" or an "error"'
  return undefined
}

/** Checks one posted message. @throws GatewayError `malformed_body` */
export function checkMessage(body: unknown): Record<string, unknown> {
  const fault = faultOf(body)
  if (fault) throw problem('malformed_body', `The body is not a JSON-RPC message: ${fault}.`)
  return body as Record<string, unknown>
}

/** Reads the parameters of `tools/call`; returns a text that describes the fault when they are wrong. */
export function readToolCall({ id, params }: RpcRequest): ToolCallRequest | string {
  const { name, arguments: args = {}, _meta: meta } = params ?? {}
  if (typeof name !== 'string')
    return `Invalid tools/call request: params.name must be a string, not ${JSON.stringify(name)}`
  if (!isObject(args)) return 'Invalid tools/call request: params.arguments must be an object'
  const token = isObject(meta) ? meta.progressToken : undefined
  return { id, name, args, progressToken: isRequestId(token) ? token : undefined }
}

/** A JSON-RPC error response as text. */
export function errorText(id: RequestId | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: defined({ code, message, data }) })
}

/** An error that the SDK answers with this JSON-RPC code. */
export function rpcError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...defined({ data }) })
}
