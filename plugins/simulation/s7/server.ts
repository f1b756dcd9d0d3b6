/**
 * The communication port: an S7 server (ISO-on-TCP, RFC 1006) through which standard clients connect to virtual
 * controllers.
 */
import { createServer, type Server } from 'node:net'
import type { Controller } from '../controller/contract.ts'
import { Connection, type ConnectionContext, type PortLog, type S7ConnectionInfo } from './connection.ts'
import type { S7Identity } from './identity.ts'
import { loadS5Layouts } from './s5-words.ts'

/** Options of the port. */
export interface S7ServerOptions {
  /**
   * Finds the controller at a rack and slot of a local address (without the `::ffff:` of IPv4). `undefined` refuses the
   * connection, and so does a controller that is off. Connections end when their controller is powered off.
   */
  controllerFor(rack: number, slot: number, localAddress: string): Controller | undefined
  /** Returns the identity of a controller; by default only its name. */
  identify?(controller: Controller): Partial<S7Identity>
  /** Address to listen on; default: loopback. */
  readonly host?: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Maximum number of connections (default 32); more are closed immediately. */
  readonly maximumConnections?: number
  /** A connection without a request for this time is closed, ms (default ten minutes). */
  readonly idleTimeoutMs?: number
  /** Time for a client to set up communication, ms (default 10 000). */
  readonly handshakeTimeoutMs?: number
  readonly log: PortLog
}

/** An open port. */
export interface S7Server {
  readonly host: string
  readonly port: number
  /** The connected clients. */
  readonly connections: readonly S7ConnectionInfo[]
  /** Stops listening and ends all connections. */
  close(): Promise<void>
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

const unknownIdentity: S7Identity = {
  orderNumber: '',
  typeName: '',
  firmware: '',
  stationName: '',
  serialNumber: '',
}

/**
 * Opens the port.
 * @throws Error of the operating system when it cannot listen: `code` is `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`
 */
export async function createS7Server({
  controllerFor,
  identify,
  host = '127.0.0.1',
  port,
  maximumConnections = 32,
  idleTimeoutMs = 600_000,
  handshakeTimeoutMs = 10_000,
  log,
}: S7ServerOptions): Promise<S7Server> {
  const context: ConnectionContext = {
    controllerFor,
    identify: (controller) => ({
      ...unknownIdentity,
      stationName: controller.options.name,
      ...identify?.(controller),
    }),
    layouts: await loadS5Layouts(),
    maximumConnections,
    idleTimeoutMs,
    handshakeTimeoutMs,
    log,
  }
  const connections = new Set<Connection>()
  let reference = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // 1 to 65535: 0 means no connection.
    reference = (reference % 0xffff) + 1
    const connection = new Connection(socket, reference, context)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  })
  server.maxConnections = maximumConnections
  await listen(server, host, port)
  server.on('error', (cause) => log.error({ err: cause }, 'the S7 port has a fault'))
  const address = server.address()
  return {
    host,
    port: typeof address === 'object' && address ? address.port : port,
    get connections() {
      return [...connections].flatMap(({ info }) => info ?? [])
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}
