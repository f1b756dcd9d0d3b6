/** The pages of `web/` read answers by the types of the gateway as it is now. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { builtInPlugins, openTestGateway } from './harness.ts'
import { webTypes, webTypesPath } from './web-types.ts'

test('web/schemas.ts has the types that the pages name, as the gateway answers them', async (t) => {
  const { gateway } = await openTestGateway(t, {
    pluginDirs: [builtInPlugins],
    corePlugins: [docsPlugin, mcpPlugin],
    durability: 'os',
  })
  const written = await readFile(join(packageDir, webTypesPath), 'utf8')
  assert.equal(written, await webTypes(gateway.registry), 'node --import tsx scripts/web-types.ts')
})
