/** A network whose partners are the test itself: it sets phases, lets data arrive and sees what was sent. */
import type { ConnectionParameters, ConnectionPhase, Network, Received, RemoteAnswer } from '../runtime/network.ts'

export interface HandNetwork extends Network {
  readonly phases: Map<number, ConnectionPhase>
  readonly parameters: Map<number, ConnectionParameters>
  /** What blocks did, `open 1`, `close 1`, `send 1 0a0b 10.0.0.1:5`. */
  readonly log: string[]
  /** Whether the send buffer has room. */
  hasRoom: boolean
  /** Bytes that have not left yet. */
  left: number
  /** What has arrived, of a stream as one part. */
  readonly arrived: Received[]
  /** Number of the next S7 job; undefined: there is no such connection. */
  job: number | undefined
  /** Answers of S7 jobs, by their numbers. */
  readonly answers: Map<number, RemoteAnswer>
  /** Data of the partner's BSEND or USEND. */
  readonly posted: (readonly Uint8Array[])[]
}

const hex = (data: Uint8Array) => Buffer.from(data).toString('hex')

export function handNetwork(configured: Readonly<Record<number, ConnectionParameters>> = {}): HandNetwork {
  const network: HandNetwork = {
    phases: new Map(),
    parameters: new Map(),
    log: [],
    hasRoom: true,
    left: 0,
    arrived: [],
    job: undefined,
    answers: new Map(),
    posted: [],
    open(id, parameters) {
      network.log.push(`open ${id}`)
      network.phases.set(id, parameters.isActive ? 'connecting' : 'listening')
      network.parameters.set(id, parameters)
    },
    close(id) {
      network.log.push(`close ${id}`)
      network.phases.delete(id)
      network.parameters.delete(id)
    },
    phase: (id) => network.phases.get(id),
    parametersOf: (id) => network.parameters.get(id),
    send(id, data, to) {
      if (!network.hasRoom) return false
      network.log.push(`send ${id} ${hex(data)}${to ? ` ${to.address}:${to.port}` : ''}`)
      return true
    },
    unsent: () => network.left,
    available: () => network.arrived[0]?.data.length ?? 0,
    peek: (_id, count) => network.arrived[0]?.data.slice(0, count),
    take(id, count) {
      const [first, ...rest] = network.arrived
      if (!first) return undefined
      if (network.parameters.get(id)?.kind !== 'tcp') {
        network.arrived.splice(0, 1)
        return first
      }
      const remaining = first.data.slice(count)
      network.arrived.splice(
        0,
        network.arrived.length,
        ...(remaining.length > 0 ? [{ ...first, data: remaining }] : []),
        ...rest,
      )
      return { ...first, data: first.data.slice(0, count) }
    },
    request(connection, isWrite, items) {
      const texts = items.map(({ pointer, data }) => `${hex(pointer)}${data ? `=${hex(data)}` : ''}`)
      network.log.push(`${isWrite ? 'write' : 'read'} ${connection} ${texts.join(' ')}`)
      return network.job
    },
    answer: (job) => network.answers.get(job),
    post(connection, reference, parts) {
      network.log.push(`post ${connection} ${reference} ${parts.map(hex).join(' ')}`)
      return network.job !== undefined
    },
    collect(connection, reference) {
      network.log.push(`collect ${connection} ${reference}`)
      return network.posted.shift()
    },
    configured: (id) => configured[id],
  }
  return network
}
