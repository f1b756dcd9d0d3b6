/** What clients say about themselves: in `initialize` until MCP 2025-11-25, in every request since 2026-07-28. */
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'

/** Keys of the envelope of a request (MCP 2026-07-28, Base Protocol, `_meta`). */
const clientInfoKey = 'io.modelcontextprotocol/clientInfo'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion'

export interface ClientName {
  readonly name: string
  readonly version: string
}

/** What the envelope of a request says. */
export interface ClientEnvelope {
  readonly client?: ClientName
  readonly protocolVersion?: string
  readonly capabilities?: unknown
}

/** Reads the envelope of a request: its `_meta`. */
export function clientOf(envelope: unknown): ClientEnvelope {
  if (!isObject(envelope)) return {}
  const { [protocolVersionKey]: version, [capabilitiesKey]: capabilities } = envelope
  const protocolVersion = typeof version === 'string' ? version : undefined
  return defined({ client: nameOf(envelope[clientInfoKey]), protocolVersion, capabilities })
}

/** The client that a description names. */
export function nameOf(info: unknown): ClientName | undefined {
  if (!isObject(info)) return undefined
  return { name: String(info.name ?? ''), version: String(info.version ?? '') }
}

/** Whether a client shows forms: `elicitation: {}` of MCP 2025-06-18, `elicitation: { form: {} }` since 2025-11-25. */
export function showsForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(elicitation) && (isObject(elicitation.form) || !('url' in elicitation))
}

/** Whether a client follows tasks (extension `io.modelcontextprotocol/tasks`). */
export function followsTasks(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined
  return isObject(extensions) && isObject(extensions['io.modelcontextprotocol/tasks'])
}
