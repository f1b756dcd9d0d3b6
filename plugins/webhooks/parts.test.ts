/** Parts of webhooks: addresses, look-ups that change, signatures, what waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ForbiddenAddress, guardedLookup, isPrivateAddress, urlFault } from './hosts.ts'
import { secretBytes, send, signature } from './send.ts'
import { afterNote, type DeliveryNote, type HookProgress, mostRecent, mostWaiting } from './state.ts'

test('addresses that are not of the public Internet', () => {
  const inside = [
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.8.8.8',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fc00::1', 'fdff::1', 'fe80::1'],
    ...[
      'fe80::1%eth0',
      'ff02::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001:db8::1',
      'name',
    ],
  ]
  for (const address of inside) assert.equal(isPrivateAddress(address), true, address)
  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
    assert.equal(isPrivateAddress(address), false, address)
})

type Resolve = Parameters<typeof guardedLookup>[1]
const answering = (...addresses: string[]): Resolve =>
  ((_name: string, _options: object, done: (error: null, all: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as Resolve

const rules = { allowedHosts: [], privateHosts: ['*.plant.local'] }

test('a name with one private address is not connected to, unless rules say so', async () => {
  const look = (name: string, ...addresses: string[]) =>
    new Promise((resolve, reject) =>
      guardedLookup(rules, answering(...addresses))(name, { all: true }, (error, found) =>
        error ? reject(error) : resolve(found),
      ),
    )
  await assert.rejects(look('evil.example', '1.1.1.1', '127.0.0.1'), ForbiddenAddress)
  await assert.rejects(look('evil.example', '::ffff:192.168.0.1'), ForbiddenAddress)
  await assert.rejects(look('none.example'), ForbiddenAddress)
  assert.deepEqual(await look('ok.example', '1.1.1.1'), [{ address: '1.1.1.1', family: 4 }])
  assert.deepEqual(await look('CI.plant.local', '192.168.0.7'), [{ address: '192.168.0.7', family: 4 }])
  const one = await new Promise((resolve) =>
    guardedLookup(rules, answering('1.1.1.1'))('ok.example', {}, (_error, address, family) =>
      resolve([address, family]),
    ),
  )
  assert.deepEqual(one, ['1.1.1.1', 4])
})

test('a name that has got a private address since it was saved is told nothing', async () => {
  const url = 'https://rebound.example/hook'
  assert.equal(urlFault(url, rules), undefined)
  const options = { rules, secret: 's', now: 0, userAgent: 'test', signal: new AbortController().signal }
  const made = await send(url, { id: 'm', body: '{}' }, { ...options, resolve: answering('127.0.0.1') })
  assert.equal(made.ok, false)
  assert.match(made.error ?? '', /"rebound.example" has the address 127\.0\.0\.1 of a private network/)
})

test('the signature is that of the example of Standard Webhooks', () => {
  // https://github.com/standard-webhooks/standard-webhooks, the test vector of its libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  assert.equal(signature(secret, message, 1_614_265_330), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.equal(secretBytes('plain text').toString(), 'plain text')
})

const note = (seq: number, more: Partial<DeliveryNote> = {}): DeliveryNote => ({
  ...{
    hookId: 'h',
    seq,
    type: 'job.failed',
    attempts: 1,
    at: 1000 + seq,
    outcome: 'retry',
    nextAt: 9000 + seq,
    error: 'down',
  },
  ...more,
})
const none: HookProgress = { hookId: 'h', cursor: 0, waiting: [], recent: [] }

test('what waits is bounded: the oldest is given up, and told so', () => {
  let now = none
  for (let seq = 1; seq <= mostWaiting + 1; seq++) now = afterNote(now, note(seq))
  assert.deepEqual([now.waiting.length, now.waiting[0]?.seq, now.cursor], [mostWaiting, 2, mostWaiting + 1])
  // The oldest has left the list of the last messages too when that is as long.
  assert.equal(now.recent.length, mostRecent)
  const small = [1, 2].reduce((before, seq) => afterNote(before, note(seq)), none)
  assert.deepEqual(
    small.waiting.map(({ seq }) => seq),
    [1, 2],
  )
  const delivered = afterNote(small, note(1, { attempts: 2, outcome: 'delivered' }))
  assert.deepEqual([delivered.waiting.map(({ seq }) => seq), delivered.cursor], [[2], 2])
  assert.deepEqual(
    delivered.recent.map(({ seq, outcome }) => [seq, outcome]),
    [
      [1, 'delivered'],
      [2, 'retry'],
    ],
  )
  assert.match(afterNote(small, note(3, { outcome: 'gone' })).stopped ?? '', /410/)
  assert.equal(afterNote(small, note(50, { outcome: 'scanned' })).cursor, 50)
})
