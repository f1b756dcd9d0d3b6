import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { heartbeatMs, SseTransport } from './sse.ts'

/** A response that records what is written to it. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = []
  writableLength = 0
  destroyed = false
  ended = false
  writeHead() {}
  write(text: string) {
    this.written.push(text)
  }
  end() {
    this.ended = true
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

async function open() {
  const response = new FakeResponse()
  const transport = new SseTransport(response as never, '/mcp/messages', 's')
  let closed = 0
  transport.onclose = () => closed++
  await transport.start()
  return { response, transport, closed: () => closed }
}

test('a quiet stream gets a comment every 15 seconds, until it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { response, transport, closed } = await open()
  assert.deepEqual(response.written, ['event: endpoint\ndata: /mcp/messages?sessionId=s\n\n'])
  t.mock.timers.tick(heartbeatMs * 2)
  assert.deepEqual(response.written.slice(1), [': heartbeat\n\n', ': heartbeat\n\n'])
  await transport.close()
  assert.deepEqual([closed(), response.ended, transport.isOpen], [1, true, false])
  t.mock.timers.tick(heartbeatMs)
  transport.sendText('{}')
  assert.equal(response.written.length, 3)
})

test('a client that does not read is cut off', async () => {
  const { response, transport, closed } = await open()
  const errors: Error[] = []
  transport.onerror = (error) => errors.push(error)
  transport.sendText('{}')
  response.writableLength = 33 * 1024 * 1024
  transport.sendText('{}')
  assert.equal(response.destroyed, true)
  assert.match(errors[0]!.message, /bytes behind/)
  assert.equal(closed(), 1)
})
