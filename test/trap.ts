/** A server that nothing may reach: it counts connections and requests. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Trap {
  /** `127.0.0.1:<port>`, where it listens for HTTP and WebSockets. */
  readonly host: string
  /** What has reached it: paths of requests, and `connection`. */
  readonly caught: readonly string[]
}

/** Opens a trap that welcomes every origin; the end of the test closes it. */
export async function openTrap(t: TestContext): Promise<Trap> {
  const caught: string[] = []
  const server = createServer(({ url }, answer) => {
    caught.push(url ?? '')
    answer.setHeader('access-control-allow-origin', '*')
    answer.setHeader('content-type', 'text/javascript')
    answer.end('postMessage("reached")')
  })
  server.on('connection', () => caught.push('connection'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, caught }
}
