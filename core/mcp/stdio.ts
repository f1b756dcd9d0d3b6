/**
 * MCP over standard input and output, for clients that start their servers (`gantry mcp`). No other output may go to
 * stdout.
 */
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serveEras } from '@modelcontextprotocol/server/stdio'
import type { Gateway } from '../gateway.ts'
import { greet, makeServer } from './server.ts'
import { gatewaySessions, groupOf, newSession, noteMessage } from './sessions.ts'
import { watchResources } from './subscriptions.ts'
import { gatewayTools } from './tools.ts'

export interface StdioOptions {
  /** The same as `?toolsets=`. */
  readonly toolsets?: string | undefined
  /** The same as `?tools=`. */
  readonly tools?: string | undefined
  /** The same as `?readonly=1`. */
  readonly readOnly?: boolean | undefined
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/** A user who can start a process on the data directory can read its key too. */
const localActor = { name: 'admin', access: 'admin' } as const

/**
 * Serves one client on a gateway of this process; resolves when the client closes its end.
 * @throws GatewayError `invalid_input` for an unknown toolset or tool
 */
export async function serveStdio(gateway: Gateway, o: StdioOptions = {}): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout } = o
  const tools = gatewayTools(gateway)
  const sessions = gatewaySessions(gateway)
  const maxBufferSize = gateway.settings.limits.bodyBytes
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize })
  const sessionId = `stdio-${process.pid}`
  let open = true
  const session = newSession({
    sessionId,
    group: groupOf(sessionId),
    transport: 'stdio',
    selection: tools.catalogue.parseSelection(o.toolsets, o.readOnly, o.tools),
    caller: localActor,
    now: gateway.clock(),
    isConnected: () => open,
    close: () => transport.close(),
  })
  await sessions.add(session)
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve
    stdin.once('end', resolve)
    stdin.once('close', resolve)
    stdout.once('error', () => resolve())
  })
  const heard = heardBy(transport, (message) => {
    greet(session, message)
    noteMessage(session, localActor, gateway.clock())
  })
  // The first message decides which protocol the client speaks.
  serveEras(
    ({ era }) => {
      const server = makeServer(tools, session, era === 'modern' ? 'request' : 'session')
      if (era !== 'modern') return server
      const endWatch = watchResources(gateway, (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}))
      server.onclose = endWatch
      return server
    },
    { transport: heard, onerror: (error) => gateway.log.debug({ err: error, sessionId }, 'MCP protocol error') },
  )
  await closed
  open = false
  sessions.remove(session)
  await transport.close()
}

/** A transport whose messages `hear` gets before its owner. */
function heardBy(inner: StdioServerTransport, hear: (message: unknown) => void): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    send: (message) => inner.send(message),
    close: () => inner.close(),
  }
  const onclose = inner.onclose
  inner.onmessage = (message) => {
    hear(message)
    outer.onmessage?.(message)
  }
  inner.onerror = (error) => outer.onerror?.(error)
  inner.onclose = () => {
    onclose?.()
    outer.onclose?.()
  }
  return outer
}
