/**
 * MCP over standard input and output, for clients that start their servers (`gantry mcp`). No other output may go to
 * stdout.
 */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Gateway } from '../gateway.ts'
import { connectServer } from './server.ts'
import { gatewaySessions, newSession, noteMessage } from './sessions.ts'
import { gatewayTools } from './tools.ts'

export interface StdioOptions {
  /** The same as `?toolsets=`. */
  readonly toolsets?: string | undefined
  /** The same as `?readonly=1`. */
  readonly readOnly?: boolean | undefined
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/** A user who can start a process on the data directory can read its key too. */
const localActor = { name: 'admin', access: 'admin' } as const

/**
 * Serves one client on a gateway of this process; resolves when the client closes its end.
 * @throws GatewayError `invalid_input` for an unknown toolset
 */
export async function serveStdio(gateway: Gateway, o: StdioOptions = {}): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout } = o
  const tools = gatewayTools(gateway)
  const sessions = gatewaySessions(gateway)
  const maxBufferSize = gateway.settings.limits.bodyBytes
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize })
  let open = true
  const session = newSession({
    sessionId: `stdio-${process.pid}`,
    transport: 'stdio',
    selection: tools.catalogue.parseSelection(o.toolsets, o.readOnly),
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
  await connectServer(tools, session, transport, (json) => void (open && stdout.write(`${json}\n`)))
  const handle = transport.onmessage!
  transport.onmessage = (message) => {
    noteMessage(session, localActor, gateway.clock())
    handle(message)
  }
  await closed
  open = false
  sessions.remove(session)
  await transport.close()
}
