import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverEvents } from './event-stream.ts'

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const event of events) found.push(event)
  return found
}

/** Everything that a text gives, sent in pieces of so many bytes. */
async function read(text: string, size: number): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size))
      controller.close()
    },
  })
  return all(serverEvents(new Response(body)))
}

const text = [
  ': a comment\n\n',
  'data: 1\n\n',
  'event: tags\nid: 17\ndata: {"name":"Füllstand"}\n\n',
  'retry: 100\r\nid:18\r\nevent:tags\r\ndata:{"a":\r\ndata:  2}\r\n\r\n',
  'event: empty\n\n',
  'data: "the last one has no end"\n',
].join('')

test('events are read whatever pieces they come in, with both line ends and data of several lines', async () => {
  const expected = [
    { event: 'message', id: '', data: 1 },
    { event: 'tags', id: '17', data: { name: 'Füllstand' } },
    { event: 'tags', id: '18', data: { a: 2 } },
  ]
  for (const size of [1, 2, 3, 7, 50, 1000]) assert.deepEqual(await read(text, size), expected, `pieces of ${size}`)
})

test('an answer without a body has no events, and one that breaks off is a fault', async () => {
  assert.deepEqual(await all(serverEvents(new Response(null, { status: 204 }))), [])
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  await assert.rejects(all(serverEvents(new Response(broken))), new Error('gone'))
})
