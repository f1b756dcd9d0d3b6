/** Connections with partners outside the gateway: TCP sockets and UDP datagrams. */
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import type { Endpoint, OtherEnd } from './endpoint.ts'

/** Time to establish a connection, ms. */
const connectTimeout = 5000

/** On sockets for IPv4 and IPv6, IPv4 addresses have a prefix. */
export const plainAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:/i, '')

/** Establishes the connection of an active endpoint. */
export function connectReal(endpoint: Endpoint): void {
  const { remoteAddress, remotePort, localPort } = endpoint.parameters
  const options = { host: remoteAddress, port: remotePort, ...(localPort > 0 ? { localPort } : {}) }
  const socket = connect({ ...options, timeout: connectTimeout })
  const fail = (phase: 'refused' | 'unreachable' | 'busyPort') => {
    socket.destroy()
    if (endpoint.isEnded) return
    if (endpoint.wasOpen) endpoint.retry(() => connectReal(endpoint))
    else endpoint.setPhase(phase)
  }
  endpoint.closeSocket = () => socket.destroy()
  socket.once('timeout', () => fail('unreachable'))
  socket.once('error', (cause: NodeJS.ErrnoException) => {
    fail(cause.code === 'ECONNREFUSED' ? 'refused' : cause.code === 'EADDRINUSE' ? 'busyPort' : 'unreachable')
  })
  socket.once('connect', () => {
    socket.removeAllListeners('timeout')
    socket.removeAllListeners('error')
    socket.setTimeout(0)
    serveReal(endpoint, socket)
  })
}

/** Joins an endpoint with a socket that is connected. */
export function serveReal(endpoint: Endpoint, socket: Socket): void {
  const [address, port] = [plainAddress(socket.remoteAddress), socket.remotePort ?? 0]
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 30_000)
  const other: OtherEnd = {
    send: (data, done) => void socket.write(data, () => done()),
    end: () => socket.end(),
  }
  endpoint.open(other)
  endpoint.onRoom = () => {
    if (socket.isPaused()) socket.resume()
  }
  socket.on('data', (data) => {
    endpoint.receive(Uint8Array.from(data), address, port)
    if (endpoint.isFull) socket.pause()
  })
  socket.on('error', () => socket.destroy())
  socket.once('close', () => endpoint.lost())
}

interface Options {
  isAllowed(address: string): boolean
  host(): string
}

/**
 * Opens the port of an endpoint for datagrams. Without it other instances are still reached.
 * @param address of its instance
 */
export async function dialUdp(endpoint: Endpoint, options: Options, address: string): Promise<void> {
  const { localPort } = endpoint.parameters
  endpoint.address = address
  const socket = createSocket('udp4')
  endpoint.closeSocket = () => socket.close()
  const host = address.startsWith('127.') ? address : options.host()
  const failed = await new Promise<Error | undefined>((resolve) => {
    socket.once('error', resolve)
    socket.bind(localPort, host, () => resolve(undefined))
  })
  if (failed) {
    endpoint.closeSocket = () => undefined
    endpoint.note(`UDP port ${host}:${localPort} cannot be opened (${failed.message}): only other instances reach it.`)
  } else {
    socket.on('error', () => undefined)
    socket.on('message', (data, from) => {
      if (options.isAllowed(from.address) && !endpoint.isFull)
        endpoint.receive(Uint8Array.from(data), from.address, from.port)
    })
    endpoint.datagrams = (data, to, done) => {
      if (options.isAllowed(to.address)) socket.send(data, to.port, to.address, () => done())
      else {
        endpoint.note(`Datagrams to ${to.address} are not allowed: it is not among the allowed partners.`)
        done()
      }
    }
  }
  if (!endpoint.isEnded) endpoint.setPhase('open')
}
