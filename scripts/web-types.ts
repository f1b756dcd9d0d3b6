/** Writes web/schemas.ts: `node --import tsx scripts/web-types.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageDir } from '../core/boot/running-code.ts'
import { docsPlugin } from '../core/docs/operations.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { builtInPlugins } from '../test/harness.ts'
import { webTypes, webTypesPath } from '../test/web-types.ts'

const opened = await openTestGateway({ pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
try {
  writeFileSync(join(packageDir, webTypesPath), await webTypes(opened.gateway.registry))
} finally {
  await opened.close()
}
