/** What a reader of events costs that never reads. */
// In a process of its own: it looks at the memory of the process.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServer, listen } from '../../core/http/server.ts'
import { openSystem } from '../../test/system.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function memory(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    await sleep(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('a hundred readers that never read cost little, whether they follow or come from far behind', async (t) => {
  const opened = await openSystem(t)
  const app = await createServer(opened.gateway, { graceMs: 0 })
  t.after(() => app.close())
  const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
  const text = 'x'.repeat(3600)
  const add = async (count: number) => {
    for (let i = 0; i < count; i += 50)
      await Promise.all(Array.from({ length: 50 }, (_, n) => opened.call('counter.add', { name: `${text}${n % 7}` })))
  }
  // Held for each reader, they would be above two megabytes.
  await add(600)
  const { createdKey: key } = opened.gateway
  for (const after of [1, undefined]) {
    const before = await memory()
    const sockets: Socket[] = []
    for (let i = 0; i < 100; i++) {
      const socket = connect({ port: Number(port), host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.pause()
      sockets.push(socket)
      const resume = after === undefined ? '' : `Last-Event-ID: ${after}\r\n`
      socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n${resume}\r\n`)
    }
    await sleep(500)
    await add(600)
    await sleep(500)
    const each = ((await memory()) - before) / 100
    t.diagnostic(`${after === undefined ? 'following' : 'behind'}: ${Math.round(each / 1024)} KiB each`)
    assert.ok(each < 1024 * 1024, `${Math.round(each / 1024)} KiB each`)
    for (const socket of sockets) socket.destroy()
    await sleep(300)
  }
})
