/** Requests of every kind with their whole answers (test/exchanges.ts). */
import { test } from 'node:test'
import { compareExchanges } from '../../test/exchanges.ts'
import { key, startServer } from '../../test/http-server.ts'

test('requests get the recorded answers', async (t) => {
  const server = await startServer(t)
  await compareExchanges(import.meta.url, 'exchanges.txt', { ...server, key }, 130)
})
