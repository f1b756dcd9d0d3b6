import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { Authenticator } from '../http/auth.ts'
import { Keyring } from './keys.ts'
import { hashSecret, Sealer, verifySecret } from './secrets.ts'

async function keyring(t: TestContext) {
  const dataDir = await temporaryFolder(t, 'gantry-keys-')
  const { sealer } = await Sealer.load(join(dataDir, 'seal-key'))
  let digests = 0
  const digest = (secret: string) => {
    digests++
    return sealer.digest(secret)
  }
  const { keyring, created } = await Keyring.open({ dataDir, digest })
  return { keyring, own: created!, digest: (secret: string) => sealer.digest(secret), digests: () => digests }
}

test('a key costs one digest, right or wrong, however many keys there are', async (t) => {
  const ring = await keyring(t)
  const entries = Array.from({ length: 1000 }, (_, i) => ({
    name: `key ${i}`,
    access: 'viewer' as const,
    hash: ring.digest(`a long secret ${i}`),
  }))
  ring.keyring.use(entries)
  const before = ring.digests()
  assert.deepEqual(ring.keyring.known('a long secret 999'), { name: 'key 999', access: 'viewer' })
  assert.deepEqual(ring.keyring.known(ring.own), { name: 'admin', access: 'admin' })
  for (let i = 0; i < 100; i++) assert.equal(ring.keyring.known(`wrong ${i}`), undefined)
  assert.equal(ring.digests() - before, 102)
  assert.equal(ring.keyring.known(entries[0]!.hash), undefined, 'a digest is no key')
})

test('a key that an earlier version stored is slow once, and ends with its entry', async (t) => {
  const { keyring: ring } = await keyring(t)
  const entry = { name: 'panel', access: 'viewer' as const, hash: await hashSecret('panel-key') }
  ring.use([entry])
  assert.equal(ring.known('panel-key'), undefined)
  assert.deepEqual(await ring.actorOf('panel-key'), { name: 'panel', access: 'viewer' })
  assert.deepEqual(ring.known('panel-key'), { name: 'panel', access: 'viewer' })
  ring.use([])
  assert.equal(await ring.actorOf('panel-key'), undefined)
})

test('a hash that an earlier version has stored is still that of its secret', async () => {
  // Made with N = 2^14, r = 8, p = 5 and 32 bytes: other parameters would lock everybody out.
  const stored = 'scrypt:Ci8USybtvpZ_fVPsh1NXzA:5mCycbsMa8tdQAV6UZWkYYh4NhzbmOFhcN4slf8Bn4Y'
  assert.equal(await verifySecret('Valve-42-open', stored), true)
  assert.equal(await verifySecret('Valve-42-opem', stored), false)
  // A letter with its accent apart is the same letter.
  assert.equal(await verifySecret('Stra\u0308nge', await hashSecret('Str\u00e4nge')), true)
})

test('keys that wait for the slow check are few', async (t) => {
  const { keyring: ring } = await keyring(t)
  ring.use([{ name: 'panel', access: 'viewer', hash: await hashSecret('panel-key') }])
  const checks = Array.from({ length: 20 }, (_, i) => ring.actorOf(`wrong ${i}`))
  const results = await Promise.allSettled(checks)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 8)
  for (const result of results)
    if (result.status === 'rejected') assert.equal((result.reason as { code: string }).code, 'too_many_requests')
})

test('wrong keys of an address are limited; right ones and other addresses are not', async (t) => {
  const { keyring: ring, own } = await keyring(t)
  let now = 1_000_000_000
  const auth = new Authenticator(ring, () => now)
  const from = (remoteAddress: string, key: string) =>
    ({ headers: { 'x-api-key': key }, socket: { remoteAddress } }) as unknown as IncomingMessage
  const codes = async (remoteAddress: string) => {
    const found: string[] = []
    for (let i = 0; i < 32; i++)
      await auth.check(from(remoteAddress, `wrong ${i}`)).catch((error) => found.push(error.code))
    return found
  }
  const refused = await codes('10.0.0.1')
  assert.deepEqual([...new Set(refused.slice(0, 30))], ['unauthorized'])
  assert.deepEqual(refused.slice(30), ['too_many_requests', 'too_many_requests'])
  await assert.rejects(auth.check(from('10.0.0.1', 'x')), { details: { extra: { retryAfterSeconds: 20 } } })
  assert.equal(auth.known(from('10.0.0.1', own))?.name, 'admin')
  assert.equal((await codes('10.0.0.2'))[0], 'unauthorized')
  now += 20_000
  assert.equal((await codes('10.0.0.1'))[0], 'unauthorized')
})
