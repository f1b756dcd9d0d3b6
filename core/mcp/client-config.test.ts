/** The snippets for the settings of MCP clients, in the form that each of them documents. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../boot/running-code.ts'
import { clientConfigurations } from './client-config.ts'

const given = { url: 'http://127.0.0.1:9000', dataDir: '/data' }
const launcher = join(packageDir, 'core/cli/gantry.mjs')

test('each client gets its snippet, with the address, the selection and a place for the key', () => {
  const selection = { toolsets: 'blocks,default', readOnly: true }
  const url = 'http://127.0.0.1:9000/mcp?toolsets=blocks,default&readonly=1'
  const headers = { Authorization: 'Bearer <GANTRY_API_KEY>' }
  const args = [launcher, 'mcp', '--data-dir', '/data', '--toolsets', 'blocks,default', '--readonly']
  const stdio = { command: 'node', args }
  const servers = (gantry: object) => ({ mcpServers: { gantry } })
  assert.deepEqual(
    clientConfigurations({ ...given, selection }).map(({ title: _, ...one }) => one),
    [
      { client: 'generic', transport: 'streamable-http', config: servers({ type: 'http', url, headers }) },
      {
        client: 'generic',
        transport: 'sse',
        config: servers({ type: 'sse', url: url.replace('/mcp?', '/mcp/sse?'), headers }),
      },
      { client: 'generic', transport: 'stdio', config: servers(stdio) },
      { client: 'claude-desktop', transport: 'stdio', file: 'claude_desktop_config.json', config: servers(stdio) },
      {
        client: 'claude-code',
        transport: 'streamable-http',
        file: '.mcp.json',
        config: servers({ type: 'http', url, headers }),
        command: `claude mcp add --transport http gantry "${url}" --header "Authorization: Bearer <GANTRY_API_KEY>"`,
      },
      {
        client: 'vscode',
        transport: 'streamable-http',
        file: '.vscode/mcp.json',
        config: {
          inputs: [{ type: 'promptString', id: 'gantry-key', description: 'Gantry API key', password: true }],
          servers: { gantry: { type: 'http', url, headers: { Authorization: `Bearer \${input:gantry-key}` } } },
        },
      },
      {
        client: 'vscode',
        transport: 'stdio',
        file: '.vscode/mcp.json',
        config: { servers: { gantry: { type: 'stdio', ...stdio } } },
      },
      { client: 'cursor', transport: 'streamable-http', file: '.cursor/mcp.json', config: servers({ url, headers }) },
    ],
  )
})

test('without a selection the address has no query and the command no options', () => {
  const text = (toolsets: string, readOnly: boolean) =>
    JSON.stringify(clientConfigurations({ ...given, selection: { toolsets, readOnly } }))
  assert.doesNotMatch(text('', false), /\?|toolsets|readonly/)
  assert.match(text('', true), /mcp\?readonly=1"/)
  assert.doesNotMatch(text('', true), /toolsets/)
  assert.match(text('all', false), /mcp\?toolsets=all"/)
  assert.doesNotMatch(text('all', false), /readonly/)
})
