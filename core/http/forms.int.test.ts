import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { key, startServer } from '../../test/http-server.ts'

const hashOf = (text: string | Uint8Array) => `sha256:${createHash('sha256').update(text).digest('hex')}`

test('file parts become blobs, the others fields of their types', async (t) => {
  const { call } = await startServer(t)
  const form = new FormData()
  form.append('Left', new Blob(['left text']), '../dir/left.txt')
  form.append('right', new Blob(['right']), 'r.bin')
  form.append('count', '5')
  form.append('tags', 'a')
  form.append('tags', 'b')
  const answer = await call('/api/probe/forms', { method: 'POST', body: form })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.json, {
    left: { fileName: 'left.txt', blob: hashOf('left text'), size: 9, text: 'left text' },
    right: { fileName: 'r.bin', blob: hashOf('right'), size: 5, text: 'right' },
    count: 5,
    tags: ['a', 'b'],
  })
  const plain = new FormData()
  plain.append('left', 'text of a plain field')
  const taken = (await call('/api/probe/forms', { method: 'POST', body: plain })).json as { left: { text: string } }
  assert.equal(taken.left.text, 'text of a plain field')
  const json = { left: { fileName: 'j.txt', contentBase64: Buffer.from('from json').toString('base64') } }
  const headers = { 'content-type': 'application/json' }
  const sent = await call('/api/probe/forms', { method: 'POST', headers, body: JSON.stringify(json) })
  assert.equal((sent.json as { left: { text: string } }).left.text, 'from json')
})

test('a large file goes through in pieces and is whole', async (t) => {
  const { call } = await startServer(t)
  const bytes = Buffer.alloc(12 * 1024 * 1024)
  for (let i = 0; i < bytes.length; i += 4) bytes.writeUInt32LE((i * 2654435761) >>> 0, i)
  const form = new FormData()
  form.append('left', new Blob([bytes]), 'large.bin')
  const answer = await call('/api/probe/forms', { method: 'POST', body: form })
  assert.equal((answer.json as { left: { blob: string } }).left.blob, hashOf(bytes))
})

test('forms that cannot be taken are problems that say why', async (t) => {
  const { call, save, gateway } = await startServer(t)
  const send = async (fill: (form: FormData) => void, path = '/api/probe/forms') => {
    const form = new FormData()
    fill(form)
    return call(path, { method: 'POST', body: form })
  }
  const unknown = await send((form) => form.append('lefd', new Blob(['x']), 'x'))
  assert.equal(unknown.status, 400)
  assert.match(unknown.json.detail as string, /did you mean "left"/)
  const long = await send((form) => form.append('n'.repeat(61), new Blob(['x']), 'x'))
  assert.match(long.json.detail as string, /^\/n{60}…: unknown file part/)
  const twice = await send((form) => {
    form.append('left', new Blob(['1']), '1')
    form.append('left', new Blob(['2']), '2')
  })
  assert.equal(twice.json.code, 'invalid_input')
  assert.match(twice.json.detail as string, /only one file/)
  assert.match(
    (await send((form) => form.append('file', new Blob(['x']), 'x'), '/api/probe/nothing')).json.detail as string,
    /takes no files/,
  )
  assert.equal((await send((form) => form.append('count', '1'))).json.code, 'invalid_input')
  assert.equal((await send((form) => form.append('__proto__', '1'))).json.code, 'malformed_body')
  const many = await send((form) => {
    for (let i = 0; i < 300; i++) form.append(`f${i}`, '1')
  })
  assert.equal(many.status, 413)

  const raw = (body: string, type = 'multipart/form-data; boundary=b') =>
    call('/api/probe/forms', { method: 'POST', headers: { 'content-type': type }, body })
  for (const [body, type] of [
    ['--b\r\nnonsense'],
    ['--b\r\nContent-Disposition: form-data; name="left"; filename="x"\r\n\r\nno end'],
    ['x', 'multipart/form-data'],
  ] as const) {
    const answer = await raw(body, type)
    assert.equal(answer.status, 400, body)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  }

  await save({ limits: { uploadBytes: 1000, bodyBytes: 1000 } })
  const large = await send((form) => form.append('left', new Blob(['x'.repeat(1500)]), 'x'))
  assert.equal(large.status, 413)
  assert.match(large.json.detail as string, /1000/)
  const ofSize = (bytes: number) => send((form) => form.append('left', new Blob(['y'.repeat(bytes)]), 'x'))
  assert.equal((await ofSize(1000)).status, 200, 'a file exactly at the limit')
  assert.equal((await ofSize(1001)).status, 413, 'a byte more')
  // Two files and the fields may have 3000 bytes together, what is before the first part included.
  const last = '\r\n--b\r\nContent-Disposition: form-data; name="left"; filename="x"\r\n\r\nok\r\n--b--\r\n'
  assert.equal((await raw(last.padStart(3000, 'x'))).status, 200, 'a form exactly at the limit')
  assert.equal((await raw(last.padStart(3001, 'x'))).status, 413)
  const declared = await send((form) => form.append('left', new Blob(['x'.repeat(50_000)]), 'x'))
  assert.equal(declared.status, 413)
  assert.equal((await send((form) => form.append('left', new Blob(['ok']), 'x'))).status, 200)
  assert.equal(await gateway.blobReader.has(hashOf('x'.repeat(1500))), false)

  await save({ limits: { uploadBytes: 1000, bodyBytes: 5000 } })
  const asJson = (bytes: number) =>
    call('/api/probe/forms', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ left: { fileName: 'j', content: 'z'.repeat(bytes) } }),
    })
  assert.equal((await asJson(1000)).status, 200, 'a file in JSON exactly at the limit')
  assert.equal((await asJson(1001)).status, 413)
})

test('a form without a key is refused before it is read', async (t) => {
  const { url } = await startServer(t)
  const form = new FormData()
  form.append('left', new Blob(['x']), 'x')
  assert.equal((await fetch(`${url}/api/probe/forms`, { method: 'POST', body: form })).status, 401)
  assert.equal(
    (await fetch(`${url}/api/probe/forms`, { method: 'POST', body: form, headers: { 'x-api-key': key } })).status,
    200,
  )
})
