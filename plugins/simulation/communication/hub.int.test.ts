/** What the hub tells controllers of their connections, request by request, as recorded in fixtures/hub.txt. */
import { test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import type { ConnectionParameters } from '../../../plc/runtime/network.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { FakeController, hex } from '../../../test/s7.ts'
import { until } from '../../../test/until.ts'
import type { ConfiguredConnection } from '../controller/contract.ts'
import type { NetworkEvent, NetworkRequest } from '../controller/network-messages.ts'
import { CommunicationHub } from './hub.ts'

const addresses: Readonly<Record<string, readonly string[]>> = {
  A: ['10.0.0.1'],
  B: ['10.0.0.2', '10.0.1.2'],
  C: ['10.0.0.3'],
}
/** Of the configured S7 connections. */
const connections: Readonly<Record<string, readonly Partial<ConfiguredConnection>[]>> = {
  A: [
    { id: 1, kind: 's7', partnerAddress: '10.0.1.2' },
    { id: 2, kind: 's7', partnerAddress: '10.0.0.3' },
    { id: 3, kind: 'tcp', partnerAddress: '10.0.0.2' },
    { id: 4, kind: 's7', partnerAddress: '10.9.9.9' },
  ],
  B: [
    { id: 6, kind: 's7', partnerAddress: '10.0.0.3' },
    { id: 7, kind: 's7', partnerAddress: '10.0.0.1' },
  ],
  C: [],
}

/** A controller that writes down what it is told. */
class Told extends FakeController {
  readonly told: string[] = []

  constructor(name: string) {
    super()
    Object.assign(this.options, { name, connections: connections[name] ?? [] })
  }

  override network(event: NetworkEvent): void {
    this.told.push(eventText(event))
  }
}

const sizeText = (data: Uint8Array) => (data.length > 8 ? `${data.length} bytes` : Buffer.from(data).toString('hex'))

function eventText(event: NetworkEvent): string {
  switch (event.kind) {
    case 'phase':
      return `${event.connection} is ${event.phase}`
    case 'data':
      return `${event.connection} gets ${sizeText(event.data)} of ${event.address}:${event.port}`
    case 'sent':
      return `${event.connection} has sent ${event.bytes} bytes`
    case 's7': {
      const { answer, job } = event
      const items = answer.kind === 'done' ? answer.items.map((one) => (one ? sizeText(one) : 'none')) : []
      return `job ${job} ${answer.kind} ${items.join(' ')}`.trim()
    }
    case 'post':
      return `post on ${event.connection} for ${event.reference}: ${event.parts.map(sizeText).join(' ')}`
    case 'note':
      return event.text
  }
}

test('connections of controllers with each other, request by request', async () => {
  const members = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, new Told(name)]))
  const nameOf = (address: string) => Object.keys(addresses).find((name) => addresses[name]?.includes(address))
  const hub = new CommunicationHub({
    addressesOf: (name) => addresses[name] ?? [],
    controllerAt(address) {
      const name = nameOf(address)
      const controller = name === undefined ? undefined : members[name]
      return name === undefined || !controller || controller.state === 'Off' ? undefined : { name, controller }
    },
    isInstance: (address) => nameOf(address) !== undefined,
    isAllowed: (address) => address === '10.8.8.8',
    host: () => '127.0.0.1',
    log: { debug: () => undefined, error: () => undefined },
  })
  for (const [name, controller] of Object.entries(members)) hub.join(name, controller)

  const lines: string[] = []
  const flush = async () => {
    for (let i = 0; i < 12; i++) await soon()
    for (const [name, { told }] of Object.entries(members))
      for (const text of told.splice(0)) lines.push(`  ${name}: ${text}`)
  }
  /** @param awaited who is told something when sockets have been opened or memory was read */
  const ask = async (name: string, request: NetworkRequest, text: string, awaited?: string) => {
    lines.push(`${name} ${text}`)
    members[name]?.events.emit('network', request)
    if (awaited !== undefined) await until(() => (members[awaited]?.told.length ?? 0) > 0, `${awaited} is told`)
    await flush()
  }
  const open = (name: string, connection: number, parameters: Partial<ConnectionParameters>, awaited?: string) => {
    const { isActive = false, remoteAddress = '', remoteSelector, localSelector, kind = 'iso' } = parameters
    const whole = { kind, isActive, remoteAddress, remotePort: 0, localPort: 0, ...parameters }
    const selectors = [localSelector, remoteSelector].map((one) => one ?? '-').join(' to ')
    const way = isActive ? `calls ${remoteAddress}` : `waits for ${remoteAddress || 'anybody'}`
    const text = `${connection} (${kind}) ${way}, ${selectors}`
    return ask(name, { kind: 'open', connection, parameters: whole }, text, awaited)
  }
  const close = (name: string, connection: number) => ask(name, { kind: 'close', connection }, `closes ${connection}`)
  const send = (name: string, connection: number, size: number) =>
    ask(name, { kind: 'send', connection, data: new Uint8Array(size) }, `${connection} sends ${size} bytes`)
  const taken = (name: string, connection: number, bytes: number) =>
    ask(name, { kind: 'taken', connection, bytes }, `${connection} has taken ${bytes} bytes`)
  const state = async (name: string, to: 'Off' | 'Run') => {
    lines.push(`${name} is ${to}`)
    members[name]?.go(to)
    await flush()
  }
  const title = (text: string) => lines.push('', `# ${text}`)

  title('who is not there')
  await open('A', 1, { isActive: true, remoteAddress: '10.0.0.2' })
  await state('B', 'Off')
  await open('A', 2, { isActive: true, remoteAddress: '10.0.0.2' })
  await state('B', 'Run')
  await open('A', 3, { isActive: true, remoteAddress: '10.7.7.7', remotePort: 99 })
  await open('A', 4, { isActive: true, remoteAddress: '10.8.8.8', remoteSelector: 'T1' })
  await open('A', 5, { isActive: true, remoteAddress: '10.8.8.8' })
  for (const number of [1, 2, 3, 4, 5]) await close('A', number)
  await close('A', 5)

  title('who finds whom')
  await open('B', 1, { localSelector: 'first', remoteAddress: '10.0.0.3' })
  await open('B', 2, { localSelector: 'first' })
  await open('B', 3, { localSelector: 'second' })
  await open('A', 6, { isActive: true, remoteAddress: '10.0.1.2', remoteSelector: 'third' })
  await open('A', 7, { isActive: true, remoteAddress: '10.0.1.2', remoteSelector: 'second' })
  await open('A', 8, { isActive: true, remoteAddress: '10.0.1.2', remoteSelector: 'second' })
  await open('A', 9, { isActive: true, remoteAddress: '10.0.1.2', remoteSelector: 'first' })
  await open('C', 1, { isActive: true, remoteAddress: '10.0.0.2', remoteSelector: 'first' })
  await open('A', 10, { isActive: true, remoteAddress: '10.0.0.2', remotePort: 1, remoteSelector: 'first' })

  await open('B', 8, { kind: 'tcp', remotePort: 5 })
  await open('A', 13, { kind: 'tcp', isActive: true, remoteAddress: '10.0.0.2', localPort: 6 })
  await open('A', 14, { kind: 'tcp', isActive: true, remoteAddress: '10.0.0.2', localPort: 5 })
  await close('B', 8)
  await open('B', 9, { kind: 'tcp', remotePort: 5 }, 'A')
  await close('A', 14)
  await open('A', 15, { kind: 'tcp', isActive: true, remoteAddress: '10.0.0.2' })
  await close('A', 15)
  await close('B', 9)

  title('data, and who is full')
  await send('A', 7, 3)
  await send('B', 3, 2)
  for (let i = 0; i < 3; i++) await send('A', 7, 40_000)
  await taken('B', 3, 3)
  await taken('B', 3, 14_464)
  await taken('B', 3, 1)
  await send('A', 99, 1)
  await taken('A', 99, 1)
  await send('A', 6, 1)

  title('what ends is established again')
  await close('B', 3)
  await send('A', 7, 5)
  await open('B', 4, { localSelector: 'second' })
  await close('A', 7)
  await open('A', 11, { isActive: true, remoteAddress: '10.0.0.2', remoteSelector: 'second' })
  await state('A', 'Off')
  await state('A', 'Run')
  await open('A', 12, { isActive: true, remoteAddress: '10.0.0.2', remoteSelector: 'second' })
  await ask('B', { kind: 'closeAll' }, 'closes all')
  await open('B', 5, { localSelector: 'second', remoteAddress: '10.0.0.3' })
  await open('B', 6, { localSelector: 'other' })
  await open('B', 7, { localSelector: 'second', remoteAddress: '10.0.0.1' })

  title('datagrams')
  await open('B', 20, { kind: 'udp' }, 'B')
  await open('C', 20, { kind: 'udp' }, 'C')
  const datagram = (name: string, connection: number, size: number, address: string, port = 0) =>
    ask(
      name,
      { kind: 'send', connection, data: new Uint8Array(size), to: { address, port } },
      `${connection} sends ${size} bytes to ${address}:${port}`,
    )
  await datagram('B', 20, 4, '10.0.0.3')
  await datagram('C', 20, 5, '10.0.1.2')
  await datagram('B', 20, 6, '10.0.0.3', 1)
  await datagram('B', 20, 6, '10.0.0.9')
  for (let i = 0; i < 3; i++) await datagram('B', 20, 60_000, '10.0.0.3')
  await close('C', 20)
  await datagram('B', 20, 7, '10.0.0.3')

  title('S7 jobs and blocks of data')
  members.B!.memory.set([1, 2, 3], 0x1800)
  const items = [{ pointer: hex('10 02 0003 0000 83 000000') }]
  let isHeld = false
  const job = (name: string, connection: number, isWrite = false) => {
    const written = [{ pointer: hex('10 02 0001 0000 83 000008'), data: Uint8Array.of(9) }]
    const request = { kind: 's7' as const, job: connection, connection, isWrite, items: isWrite ? written : items }
    const text = `${isWrite ? 'writes' : 'reads'} over ${connection}`
    return isHeld ? ask(name, request, text) : ask(name, request, text, name)
  }
  for (const connection of [1, 2, 3, 4, 5]) await job('A', connection)
  await job('A', 1, true)
  await job('A', 1)
  await state('B', 'Off')
  await job('A', 1)
  await state('B', 'Run')
  const post = (name: string, connection: number) =>
    ask(
      name,
      { kind: 'post', connection, reference: 5, parts: [Uint8Array.of(1), Uint8Array.of(2, 3)] },
      `posts on ${connection}`,
    )
  await post('A', 1)
  await post('A', 2)
  await post('A', 9)
  await post('B', 7)

  title('in lock step')
  hub.hold(['b', 'A'])
  isHeld = true
  await post('A', 1)
  await post('B', 7)
  await job('A', 1)
  lines.push('exchange')
  await hub.exchange()
  await flush()
  await post('A', 1)
  lines.push('release')
  await hub.release()
  await flush()
  await post('A', 1)

  title('an instance is deleted, and the gateway stops')
  await open('B', 30, { localSelector: 'last' })
  await open('A', 30, { isActive: true, remoteAddress: '10.0.0.2', remoteSelector: 'last' })
  lines.push('B is deleted')
  hub.leave('b')
  await flush()
  await post('A', 1)
  lines.push('the gateway stops')
  await hub.close()
  await flush()
  assertRecorded(import.meta.url, 'hub.txt', `${lines.join('\n').trim()}\n`)
})
