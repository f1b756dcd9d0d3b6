/** Sockets of endpoints: established, refused, held back, ended; datagrams from and to whom it is allowed. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../test/network.ts'
import { becomes, until } from '../../../test/until.ts'
import type { Endpoint, OtherEnd } from './endpoint.ts'
import { Listeners } from './listeners.ts'
import { connectReal, dialUdp, plainAddress } from './real-partners.ts'

/** An endpoint that writes down what happens to it. */
function endpointTo(parameters: object, more: object = {}) {
  const told: string[] = []
  const received: unknown[] = []
  const endpoint = {
    ...{ parameters, isEnded: false, wasOpen: false, isFull: false, address: '', other: undefined as unknown },
    ...{ onRoom: () => undefined, closeSocket: () => undefined, datagrams: undefined as unknown },
    setPhase: (phase: string) => told.push(phase),
    retry: () => told.push('retry'),
    note: (text: string) => told.push(text),
    lost: () => told.push('lost'),
    open: (other: OtherEnd) => {
      told.push('established')
      endpoint.other = other
    },
    receive: (data: Uint8Array, address: string, port: number) => received.push([[...data], address, port]),
    ...more,
  }
  return { endpoint: endpoint as unknown as Endpoint, fake: endpoint, told, received }
}

async function server(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const listening = createServer(serve).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => listening.close())
  return (listening.address() as AddressInfo).port
}

test('an active connection: data both ways, held back while the program is full, lost when the partner ends', async (t) => {
  let partner: Socket | undefined
  const port = await server(t, (socket) => {
    partner = socket
    socket.on('error', () => undefined)
  })
  const { endpoint, fake, told, received } = endpointTo({ remoteAddress: '127.0.0.1', remotePort: port, localPort: 0 })
  connectReal(endpoint)
  await becomes(() => told, ['established'])
  const there = await until(() => partner, 'the partner has it')
  const sent: Buffer[] = []
  there.on('data', (data) => sent.push(data))
  const other = fake.other as OtherEnd
  await new Promise<void>((resolve) => other.send(Uint8Array.of(1, 2, 3), resolve))
  await becomes(() => [...Buffer.concat(sent)], [1, 2, 3])
  fake.isFull = true
  there.write(Buffer.of(7))
  await becomes(() => received, [[[7], '127.0.0.1', port]])
  there.write(Buffer.of(8))
  fake.isFull = false
  endpoint.onRoom()
  await becomes(() => received.length, 2)
  there.end()
  await becomes(() => told, ['established', 'lost'])
})

test('what cannot be established is told by its reason; a connection that was there before is tried again', async (t) => {
  const nobody = await freePort()
  const to = { remoteAddress: '127.0.0.1', remotePort: nobody, localPort: 0 }
  const refused = endpointTo(to)
  connectReal(refused.endpoint)
  await becomes(() => refused.told, ['refused'])
  const again = endpointTo(to, { wasOpen: true })
  connectReal(again.endpoint)
  await becomes(() => again.told, ['retry'])
  const taken = await server(t, () => undefined)
  const busy = endpointTo({ ...to, remotePort: await server(t, () => undefined), localPort: taken })
  connectReal(busy.endpoint)
  await becomes(() => busy.told, ['busyPort'])
  const ended = endpointTo(to, { isEnded: true })
  connectReal(ended.endpoint)
  const last = endpointTo(to)
  connectReal(last.endpoint)
  await becomes(() => last.told, ['refused'])
  assert.deepEqual(ended.told, [])
})

test('datagrams come from and go to those that are allowed; a port that is in use is told', async (t) => {
  const partner = createSocket('udp4').bind(0, '127.0.0.1')
  await once(partner, 'listening')
  t.after(() => partner.close())
  const got: string[] = []
  partner.on('message', (data, { port }) => got.push(`${data.toString('hex')} ${port}`))
  const options = { isAllowed: (address: string) => address === '127.0.0.1', host: () => '127.0.0.1' }
  const localPort = await freePort()
  const { endpoint, fake, told, received } = endpointTo({ localPort })
  await dialUdp(endpoint, options, '192.168.0.1')
  t.after(() => endpoint.closeSocket())
  assert.deepEqual([told, endpoint.address], [['open'], '192.168.0.1'])
  const datagrams = fake.datagrams as (data: Uint8Array, to: object, done: () => void) => void
  const send = (address: string) =>
    new Promise<void>((resolve) => datagrams(Uint8Array.of(1, 2), { address, port: partner.address().port }, resolve))
  await send('127.0.0.1')
  await becomes(() => got, [`0102 ${localPort}`])
  await send('10.0.0.1')
  assert.deepEqual(told.slice(1), ['Datagrams to 10.0.0.1 are not allowed: it is not among the allowed partners.'])
  partner.send(Buffer.of(5), localPort, '127.0.0.1')
  await becomes(() => received, [[[5], '127.0.0.1', partner.address().port]])
  const second = endpointTo({ localPort })
  await dialUdp(second.endpoint, options, '127.0.0.1')
  assert.match(
    second.told[0] ?? '',
    /^UDP port 127\.0\.0\.1:\d+ cannot be opened \(.*EADDRINUSE.*\): only other instances/,
  )
  assert.equal(second.told[1], 'open')
  second.endpoint.closeSocket()
  const closed = endpointTo({ localPort: 0 }, { isEnded: true })
  await dialUdp(closed.endpoint, options, '127.0.0.1')
  assert.deepEqual(closed.told, [])
  closed.endpoint.closeSocket()
})

test('a passive endpoint takes callers that are meant and allowed, and its port is closed with the last one', async (t) => {
  const allowed = new Set(['127.0.0.1'])
  const options = { isAllowed: (address: string) => allowed.has(address), host: () => '127.0.0.1' }
  const log = { debug: () => undefined, error: () => undefined }
  const listeners = new Listeners({ ...options, log })
  const localPort = await freePort()
  const passive = (remoteAddress: string, more: object = {}) =>
    endpointTo(
      { kind: 'tcp', isActive: false, localPort, remoteAddress, remotePort: 0 },
      { member: { name: 'PLC' }, ...more },
    )
  const add = async (one: ReturnType<typeof passive>) => listeners.add(one.endpoint, ['10.0.0.1'])
  const callers: Socket[] = []
  t.after(() => {
    for (const caller of callers) caller.destroy()
  })
  /** A caller: taken by an endpoint, or closed. */
  const call = async (taken?: ReturnType<typeof passive>) => {
    const caller = connect({ port: localPort, host: '127.0.0.1' }).on('error', () => undefined)
    callers.push(caller)
    const ended = once(caller, 'close')
    if (taken) await becomes(() => taken.told, ['established'])
    else await ended
  }
  const [other, any, meant] = [passive('10.0.0.9'), passive(''), passive('127.0.0.1')]
  assert.equal(await add(other), true)
  await call()
  assert.equal(await add(any), true)
  await call(any)
  await call()
  assert.equal(await add(meant), true)
  await call(meant)
  const late = passive('')
  assert.equal(await add(late), true)
  allowed.clear()
  await call()
  assert.deepEqual([other.told, late.told], [[], []])
  assert.equal(await add(passive('', { isEnded: true })), false)

  const elsewhere = passive('', { member: { name: 'Other' } })
  assert.equal(await add(elsewhere), true)
  const why = `Port 127.0.0.1:${localPort} cannot be opened (another program or instance uses it)`
  assert.deepEqual(elsewhere.told, [`${why}: only other instances reach it.`])
  for (const one of [other, any, meant]) one.endpoint.closeSocket()
  allowed.add('127.0.0.1')
  await call(late)
  late.endpoint.closeSocket()
  for (const caller of callers) caller.destroy()
  await until(async () => {
    const [end] = await new Promise<unknown[]>((resolve) => {
      const caller = connect({ port: localPort, host: '127.0.0.1' })
      for (const event of ['connect', 'error']) caller.once(event, (error) => resolve([error]))
      callers.push(caller)
    })
    return (end as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
  }, 'the port is closed')
  await listeners.close()
})

test('IPv4 addresses on sockets of both versions are plain', () => {
  const texts = ['::ffff:10.0.0.1', '::FFFF:10.0.0.1', '10.0.0.1', 'fe80::1', undefined]
  assert.deepEqual(texts.map(plainAddress), ['10.0.0.1', '10.0.0.1', '10.0.0.1', 'fe80::1', ''])
})
