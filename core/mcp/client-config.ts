/** Configuration snippets for MCP clients, in the form each client documents for its own settings file. */
import { join } from 'node:path'
import { packageDir } from '../boot/running-code.ts'
import type { ToolSelection } from './catalogue.ts'

/** Placeholder for the user's key. */
export const keyPlaceholder = '<GANTRY_API_KEY>'

export interface ClientConfiguration {
  readonly client: string
  readonly title: string
  readonly transport: 'streamable-http' | 'sse' | 'stdio'
  readonly file?: string
  readonly config?: unknown
  readonly command?: string
}

/** The entry of the command line: an absolute path, because clients start servers in a folder of their choice. */
const launcher = join(packageDir, 'core/cli/gantry.mjs')

/** Snippets for common clients over Streamable HTTP, SSE and stdio. */
export function clientConfigurations(o: {
  url: string
  dataDir: string
  selection: ToolSelection
}): readonly ClientConfiguration[] {
  const { toolsets, readOnly, tools } = o.selection
  const parameters = [
    ...(toolsets === '' ? [] : [`toolsets=${toolsets}`]),
    ...(tools ? [`tools=${tools}`] : []),
    ...(readOnly ? ['readonly=1'] : []),
  ]
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  const url = `${o.url}/mcp${query}`
  const sseUrl = `${o.url}/mcp/sse${query}`
  const headers = { Authorization: `Bearer ${keyPlaceholder}` }
  const stdio = {
    command: 'node',
    args: [
      launcher,
      'mcp',
      '--data-dir',
      o.dataDir,
      ...(toolsets === '' ? [] : ['--toolsets', toolsets]),
      ...(tools ? ['--tools', tools] : []),
      ...(readOnly ? ['--readonly'] : []),
    ],
  }
  const vscodeKey = { type: 'promptString', id: 'gantry-key', description: 'Gantry API key', password: true }
  const vscodeHeaders = { Authorization: `Bearer \${input:gantry-key}` }
  return [
    {
      client: 'generic',
      title: 'Any client with Streamable HTTP',
      transport: 'streamable-http',
      config: { mcpServers: { gantry: { type: 'http', url, headers } } },
    },
    {
      client: 'generic',
      title: 'Any client with HTTP+SSE (older clients)',
      transport: 'sse',
      config: { mcpServers: { gantry: { type: 'sse', url: sseUrl, headers } } },
    },
    {
      client: 'generic',
      title: 'Any client that starts its servers (no key needed: the data directory holds it)',
      transport: 'stdio',
      config: { mcpServers: { gantry: stdio } },
    },
    {
      client: 'claude-desktop',
      title: 'Claude Desktop',
      transport: 'stdio',
      file: 'claude_desktop_config.json',
      config: { mcpServers: { gantry: stdio } },
    },
    {
      client: 'claude-code',
      title: 'Claude Code',
      transport: 'streamable-http',
      file: '.mcp.json',
      config: { mcpServers: { gantry: { type: 'http', url, headers } } },
      command: `claude mcp add --transport http gantry "${url}" --header "Authorization: Bearer ${keyPlaceholder}"`,
    },
    {
      client: 'vscode',
      title: 'Visual Studio Code',
      transport: 'streamable-http',
      file: '.vscode/mcp.json',
      config: { inputs: [vscodeKey], servers: { gantry: { type: 'http', url, headers: vscodeHeaders } } },
    },
    {
      client: 'vscode',
      title: 'Visual Studio Code, started by the editor',
      transport: 'stdio',
      file: '.vscode/mcp.json',
      config: { servers: { gantry: { type: 'stdio', ...stdio } } },
    },
    {
      client: 'cursor',
      title: 'Cursor',
      transport: 'streamable-http',
      file: '.cursor/mcp.json',
      config: { mcpServers: { gantry: { url, headers } } },
    },
  ]
}
