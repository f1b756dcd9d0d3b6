import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { key, startServer } from '../../test/http-server.ts'

interface Raw {
  readonly encoding: string | undefined
  readonly vary: string | undefined
  readonly etag: string | undefined
  readonly bytes: Buffer
}

/** A GET whose body is given as it was sent: `fetch` would decompress it. */
function raw(url: string, accepted?: string): Promise<Raw> {
  const headers = { 'x-api-key': key, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) }
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = []
      const { 'content-encoding': encoding, vary, etag } = response.headers
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => resolve({ encoding, vary, etag, bytes: Buffer.concat(parts) }))
    }).on('error', reject)
  })
}

test('large texts are compressed for clients that accept it, with the ETag of the content', async (t) => {
  const { url } = await startServer(t)
  const address = `${url}/openapi.json`
  const plain = await raw(address)
  assert.equal(plain.encoding, undefined)
  const { openapi } = JSON.parse(plain.bytes.toString()) as { openapi: string }
  assert.equal(openapi, '3.1.0')
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const packed = await raw(address, accepted)
    assert.equal(packed.encoding, encoding, accepted)
    assert.match(packed.vary ?? '', /accept-encoding/i)
    assert.equal(packed.etag, plain.etag)
    assert.ok(packed.bytes.length < plain.bytes.length)
    assert.deepEqual(unpack(packed.bytes), plain.bytes)
  }
  for (const accepted of ['identity', 'zstd', '*;q=0']) assert.equal((await raw(address, accepted)).encoding, undefined)
})

test('small answers and event streams are sent as they are', async (t) => {
  const { url } = await startServer(t)
  assert.equal((await raw(`${url}/api/health/ping`, 'gzip, br')).encoding, undefined)
  const stream = await fetch(`${url}/api/events`, { headers: { 'x-api-key': key, 'accept-encoding': 'gzip, br' } })
  assert.equal(stream.headers.get('content-encoding'), null)
  await stream.body?.cancel()
})
