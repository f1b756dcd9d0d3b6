/** Writes docs/access.md: `node --import tsx scripts/access-docs.ts > docs/access.md`. */
import { docsPlugin } from '../core/docs/operations.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { accessPage } from '../test/access-page.ts'
import { builtInPlugins } from '../test/harness.ts'

const opened = await openTestGateway({ pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
try {
  process.stdout.write(accessPage(opened.gateway.registry.operations))
} finally {
  await opened.close()
}
