/** What the operations of the core's own plugins declare and answer (fixtures/answers.yaml). */
import { fileURLToPath } from 'node:url'
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { docsPlugin } from './operations.ts'

const pluginDirs = ['../fixtures/plugins', '../http/fixtures/plugins'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

testAnswers('documentation and MCP answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), (t) =>
  openTestGateway(t, { pluginDirs, corePlugins: [docsPlugin, mcpPlugin] }),
)
