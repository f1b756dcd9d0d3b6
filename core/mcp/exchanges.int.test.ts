/** Messages of MCP clients over HTTP with their whole answers (test/exchanges.ts). */
import { test } from 'node:test'
import { compareExchanges } from '../../test/exchanges.ts'
import { serveMcp, testKey } from '../../test/mcp.ts'

test('messages get the recorded answers', async (t) => {
  const { gateway, url } = await serveMcp(t)
  await compareExchanges(
    import.meta.url,
    'exchanges.txt',
    { gateway, key: testKey, port: Number(new URL(url).port) },
    50,
  )
})
