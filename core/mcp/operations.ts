/** Operations about the MCP server itself, as a plugin of the core. */
import type { AddressInfo } from 'node:net'
import { jsonValue } from '../contract/free-schemas.ts'
import { get, post, query } from '../contract/operation.ts'
import { definePlugin } from '../contract/plugin.ts'
import { notFound } from '../contract/problems.ts'
import type { SchemaBuilder } from '../contract/schema.ts'
import type { Gateway } from '../gateway.ts'
import type { McpSession, McpSessions } from './sessions.ts'

/** The address that the gateway's HTTP server is bound to; known once it listens. */
export const addresses = new WeakMap<object, AddressInfo>()

/** The address for clients on this machine. */
function baseUrlOf(gateway: object): string {
  const address = addresses.get(gateway)
  if (!address) return 'http://127.0.0.1:9000'
  const { address: host, port, family } = address
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : family === 'IPv6' ? `[${host}]` : host
  return `http://${reachable}:${port}`
}

const sessionsOf = async (gateway: Gateway): Promise<McpSessions> =>
  (await import('./sessions.ts')).gatewaySessions(gateway)

function sessionView(session: McpSession, sessions: McpSessions) {
  const { sessionId, transport, client, protocolVersion, key, selection, createdAt, lastActivityAt, requests } = session
  return {
    sessionId,
    transport,
    ...(client ? { client } : {}),
    ...(protocolVersion ? { protocolVersion } : {}),
    actor: session.caller.name,
    key,
    toolsets: selection.toolsets !== '' ? selection.toolsets.split(',') : selection.tools ? [] : ['default'],
    ...(selection.tools ? { tools: selection.tools.split(',') } : {}),
    readOnly: selection.readOnly,
    createdAt: new Date(createdAt).toISOString(),
    lastActivityAt: new Date(lastActivityAt).toISOString(),
    requests,
    running: session.running.size,
    connected: session.isConnected(),
    stale: sessions.isStale(session),
  }
}

/** Schema of a `sessionView`. */
const sessionFields = (t: SchemaBuilder) => ({
  sessionId: t.String(),
  transport: t.Enum(['sse', 'streamable-http', 'stdio']),
  client: t.Optional(t.Object({ name: t.String(), version: t.String() }, { additionalProperties: true })),
  protocolVersion: t.Optional(t.String()),
  actor: t.String(),
  key: t.String({ description: 'Name of the API key.' }),
  toolsets: t.Array(t.String()),
  tools: t.Optional(t.Array(t.String())),
  readOnly: t.Boolean(),
  createdAt: t.DateTime(),
  lastActivityAt: t.DateTime(),
  requests: t.Integer(),
  running: t.Integer({ description: 'Calls in progress.' }),
  connected: t.Boolean({ description: 'A stream to the client is open.' }),
  stale: t.Boolean(),
})

/** What `toolsets` means everywhere. */
const toolsetsMeaning =
  'Show the tools of exactly these toolsets: names with commas; default adds the default set, all is everything, dynamic only what finds, describes and calls operations.'

const toolsetsParameter = {
  name: 'toolsets',
  description: toolsetsMeaning,
}
/** What `tools` means everywhere. */
const toolsMeaning = 'Show these single tools: names with commas, blocks_list or blocks.list; with toolsets, these too.'
const toolsParameter = { name: 'tools', description: toolsMeaning }
const readonlyParameter = { name: 'readonly', description: '1: only tools that change nothing, listed and callable.' }
const headersMeaning =
  'The headers `X-MCP-Toolsets`, `X-MCP-Tools` and `X-MCP-Readonly` mean the same as `toolsets`, `tools` and `readonly`.'

export const mcpPlugin = definePlugin({
  name: 'mcp',
  version: '1.0.0',
  description: 'The Model Context Protocol: server information, client configuration, sessions.',
  wireRoutes: [
    {
      method: 'GET',
      path: '/mcp/sse',
      title: 'Open the server-sent event stream of an MCP session (?sessionId=)',
      description: 'The first event, `endpoint`, says where messages go; each `message` is a JSON-RPC message.',
      parameters: [
        { name: 'sessionId', description: 'An id of your own: 1 to 128 of A-Z a-z 0-9 . _ ~ -. Default: a new one.' },
        toolsetsParameter,
        toolsParameter,
        readonlyParameter,
      ],
      answers: 'text/event-stream',
    },
    {
      method: 'POST',
      path: '/mcp/messages',
      title: 'Send a JSON-RPC message to an MCP session (?sessionId=)',
      description: 'The body is one JSON-RPC 2.0 message. 202: it was taken; what it answers comes over the stream.',
      parameters: [{ name: 'sessionId', description: 'Of the stream. Default: the one that this key has open.' }],
      takes: 'application/json',
      answers: 'text/plain',
    },
    {
      method: 'POST',
      path: '/mcp',
      title: 'MCP over Streamable HTTP: send messages',
      description:
        'The body is a JSON-RPC 2.0 message. `Accept: application/json, text/event-stream` is needed; `Mcp-Session-Id` names the session. ' +
        headersMeaning,
      parameters: [toolsetsParameter, toolsParameter, readonlyParameter],
      takes: 'application/json',
      answers: 'application/json',
    },
    {
      method: 'GET',
      path: '/mcp',
      title: 'MCP over Streamable HTTP: open the stream of a session',
      description: 'The header `Mcp-Session-Id` names the session.',
      parameters: [toolsetsParameter, toolsParameter, readonlyParameter],
      answers: 'text/event-stream',
    },
    {
      method: 'DELETE',
      path: '/mcp',
      title: 'MCP over Streamable HTTP: end a session',
      description: 'The header `Mcp-Session-Id` names the session.',
      parameters: [toolsetsParameter, toolsParameter, readonlyParameter],
    },
  ],
  operations: [
    query({
      id: 'mcp.info',
      title: 'Show the MCP server',
      description:
        'Version, protocol versions, transports, the tools that this key sees, and the toolsets (`?toolsets=`).',
      input: (t) =>
        t.Object({
          toolsets: t.Optional(t.String({ description: toolsetsMeaning })),
          tools: t.Optional(t.String({ description: toolsMeaning })),
          readonly: t.Optional(t.Boolean({ description: 'Only tools that change nothing.' })),
        }),
      output: (t) =>
        t.Object({
          name: t.String(),
          version: t.String(),
          protocolVersions: t.Array(t.String(), { description: 'Newest first.' }),
          transports: t.Array(
            t.Object({
              transport: t.String(),
              url: t.Optional(t.String()),
              messagesUrl: t.Optional(t.String()),
              command: t.Optional(t.String()),
            }),
          ),
          tools: t.Array(t.Object({ name: t.String(), title: t.String(), operation: t.Optional(t.String()) })),
          toolCount: t.Integer(),
          operationCount: t.Integer({ description: 'Operations that call_operation reaches.' }),
          toolsets: t.Array(t.Object({ name: t.String(), operations: t.Integer() })),
          sessions: t.Integer(),
        }),
      http: [get('/mcp/info')],
      mcp: { toolset: 'mcp' },
      live: true,
      async run({ toolsets, tools: named, readonly }, { gateway, actor }) {
        const [{ gatewayTools }, types, sessions] = await Promise.all([
          import('./tools.ts'),
          import('@modelcontextprotocol/server'),
          sessionsOf(gateway),
        ])
        const tools = gatewayTools(gateway)
        const { catalogue } = tools
        const listed = await tools.list(catalogue.parseSelection(toolsets, readonly, named), actor.access)
        const url = baseUrlOf(gateway)
        return {
          name: 'gantry',
          version: gateway.version,
          protocolVersions: ['2026-07-28', ...types.SUPPORTED_PROTOCOL_VERSIONS],
          transports: [
            { transport: 'streamable-http', url: `${url}/mcp` },
            { transport: 'sse', url: `${url}/mcp/sse`, messagesUrl: `${url}/mcp/messages` },
            { transport: 'stdio', command: 'gantry mcp' },
          ],
          tools: listed.map(({ name, title }) => {
            const operation = catalogue.tools.get(name)?.id
            return { name, title, ...(operation ? { operation } : {}) }
          }),
          toolCount: listed.length,
          operationCount: catalogue.operations.length,
          toolsets: [...catalogue.toolsets]
            .map(([name, operations]) => ({ name, operations: operations.length }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
          sessions: sessions.size,
        }
      },
    }),
    query({
      id: 'mcp.config',
      title: 'Show how to configure an AI tool',
      description:
        'Ready configuration snippets for common MCP clients, for each transport. The API key is a placeholder: put yours in its place.',
      input: (t) =>
        t.Object({
          client: t.Optional(t.String({ description: 'Only this client, e.g. claude-desktop.' })),
          toolsets: t.Optional(t.String({ description: toolsetsMeaning })),
          tools: t.Optional(t.String({ description: toolsMeaning })),
          readonly: t.Optional(t.Boolean({ description: 'Only tools that change nothing.' })),
        }),
      output: (t) =>
        t.Object({
          url: t.String(),
          keyPlaceholder: t.String(),
          clients: t.Array(
            t.Object({
              client: t.String(),
              title: t.String(),
              transport: t.Enum(['streamable-http', 'sse', 'stdio']),
              file: t.Optional(t.String({ description: 'Where the snippet goes.' })),
              config: t.Optional(jsonValue(t)),
              command: t.Optional(t.String({ description: 'Or a command to run.' })),
            }),
          ),
        }),
      http: [get('/mcp/config')],
      mcp: { toolset: 'mcp' },
      live: true,
      async run({ client, toolsets, tools, readonly }, { gateway }) {
        const [{ clientConfigurations, keyPlaceholder }, { gatewayTools }] = await Promise.all([
          import('./client-config.ts'),
          import('./tools.ts'),
        ])
        const url = baseUrlOf(gateway)
        const selection = gatewayTools(gateway).catalogue.parseSelection(toolsets, readonly, tools)
        const all = clientConfigurations({ url, dataDir: gateway.dataDir, selection })
        const clients = client === undefined ? all : all.filter((c) => c.client === client)
        if (client !== undefined && clients.length === 0)
          throw notFound('client', client, new Set(all.map((c) => c.client)))
        return { url, keyPlaceholder, clients: [...clients] }
      },
    }),
    query({
      id: 'mcp.instance',
      title: 'Show the engineering instance behind the MCP server',
      description:
        'Which engineering-tool instance the gateway is attached to, its version, and the state of the project.',
      input: (t) => t.Object({}),
      output: (t) =>
        t.Object({
          service: t.Object({ name: t.String(), version: t.String(), startedAt: t.String(), uptimeMs: t.Number() }),
          attached: t.Boolean(),
          connecting: t.Boolean({ description: 'A launch or attach is under way.' }),
          instance: t.Union([
            t.Null(),
            t.Object({
              pid: t.Integer(),
              version: t.String(),
              startedAt: t.String(),
              mode: t.String(),
              busy: t.Boolean(),
            }),
          ]),
          defaultVersion: t.String({ description: 'Engineering version of new projects.' }),
          projectOpen: t.Boolean(),
          projects: t.Array(t.Object({ name: t.String(), path: t.String() }, { additionalProperties: true }), {
            description: 'As GET /api/projects shows them.',
          }),
          runningJob: t.Union([t.Null(), t.Object({ jobId: t.String(), command: t.String(), progress: t.Number() })]),
          pendingJobs: t.Integer(),
        }),
      http: [get('/mcp/instance')],
      mcp: { toolset: 'mcp' },
      live: true,
      async run(_input, { gateway, actor }) {
        const { engineHost, jobs, uptime, settings } = gateway
        const attached = engineHost?.attached
        const projects = await openProjects(gateway, actor)
        const { running } = jobs
        return {
          service: { name: 'gantry', version: gateway.version, ...uptime },
          attached: attached !== undefined,
          connecting: engineHost?.connecting ?? false,
          instance: attached
            ? {
                pid: attached.pid,
                version: attached.version,
                startedAt: attached.startedAt,
                mode: attached.mode,
                busy: attached.busy,
              }
            : null,
          defaultVersion: settings.engineering.defaultVersion,
          projectOpen: projects.length > 0,
          projects,
          runningJob: running
            ? { jobId: running.jobId, command: running.operation.id, progress: running.progress }
            : null,
          pendingJobs: jobs.pending,
        }
      },
    }),
    query({
      id: 'mcp.list-sessions',
      title: 'List MCP sessions',
      input: (t) => t.Object({}),
      output: (t) => t.Object({ sessions: t.Array(t.Object(sessionFields(t))), total: t.Integer() }),
      http: [get('/mcp/sessions')],
      mcp: { toolset: 'mcp' },
      live: true,
      async run(_input, { gateway }) {
        const sessions = await sessionsOf(gateway)
        const list = sessions.list().map((session) => sessionView(session, sessions))
        return { sessions: list, total: list.length }
      },
    }),
    query({
      id: 'mcp.get-session',
      title: 'Show an MCP session',
      input: (t) => t.Object({ sessionId: t.String() }),
      output: (t) => t.Object(sessionFields(t)),
      http: [get('/mcp/sessions/{sessionId}')],
      mcp: { toolset: 'mcp' },
      live: true,
      async run({ sessionId }, { gateway }) {
        const sessions = await sessionsOf(gateway)
        const session = sessions.get(sessionId)
        if (!session)
          throw notFound(
            'MCP session',
            sessionId,
            sessions.list().map((s) => s.sessionId),
          )
        return sessionView(session, sessions)
      },
    }),
    query({
      id: 'mcp.clean-sessions',
      title: 'Remove stale MCP sessions',
      description:
        'Ends sessions that have been idle too long, and those without an open stream that have sent nothing for `disconnectedSeconds`. Sessions with a call under way stay.',
      input: (t) =>
        t.Object({
          disconnectedSeconds: t.Optional(
            t.Number({ minimum: 0, description: 'Default 60. 0: every session without an open stream.' }),
          ),
        }),
      output: (t) => t.Object({ removed: t.Integer(), sessionIds: t.Array(t.String()), remaining: t.Integer() }),
      http: [post('/mcp/sessions/cleanup')],
      mcp: false,
      access: 'engineer',
      live: true,
      async run({ disconnectedSeconds = 60 }, { gateway }) {
        const sessions = await sessionsOf(gateway)
        const removed = await sessions.cleanup(disconnectedSeconds * 1000)
        return { removed: removed.length, sessionIds: removed.map((s) => s.sessionId), remaining: sessions.size }
      },
    }),
  ],
  docs: [
    {
      name: 'mcp-server',
      title: 'MCP: transports, tools, answers',
      text: async () => (await import('./docs-page.ts')).mcpPage,
    },
  ],
})

/** The open projects as the projects plugin reports them; none when it is not loaded. */
async function openProjects(gateway: Gateway, actor: Parameters<Gateway['invoke']>[2]['actor']) {
  const operation = gateway.registry.routes.find((r) => r.method === 'GET' && r.path === '/api/projects')?.operation
  if (!operation) return []
  const reply = await gateway.invoke(operation, {}, { actor })
  const { projects } = (reply.kind === 'result' ? reply.value : {}) as { projects?: unknown }
  return Array.isArray(projects) ? (projects as { readonly name: string; readonly path: string }[]) : []
}
