/**
 * Which tools an MCP client asks for: by the address (`?toolsets=`, `?tools=`, `?readonly=`) or by headers, which are
 * those of GitHub's MCP server (`X-MCP-Toolsets`, `X-MCP-Tools`, `X-MCP-Readonly`; its page "Remote GitHub MCP
 * Server"). What is not understood is refused: a client that asks for less must not get more.
 */
import type { FastifyRequest } from 'fastify'
import { defined } from '../../lib/optional.ts'
import { problem } from '../contract/problems.ts'
import { compileInput, type InputDeclaration } from '../input/validation.ts'
import type { Catalogue, ToolSelection } from './catalogue.ts'

const toolsetsHeader = 'x-mcp-toolsets'
const toolsHeader = 'x-mcp-tools'
const readonlyHeader = 'x-mcp-readonly'
/** Headers of that server which choose tools in ways that this one does not have. */
const otherHeaders = ['x-mcp-exclude-tools', 'x-mcp-lockdown']

/** What that server takes for no; it takes everything else for yes. */
const noWords = new Set(['', 'false', 'f', 'no', 'n', '0', 'off'])
const yesWords = new Set(['true', 't', 'yes', 'y', '1', 'on'])

/** The query parameters of MCP's addresses: checked as those of all routes. */
const parameters = (withSession: boolean, withSelection: boolean): InputDeclaration => ({
  input: (t) =>
    t.Object({
      ...(withSelection
        ? { toolsets: t.Optional(t.String()), tools: t.Optional(t.String()), readonly: t.Optional(t.String()) }
        : {}),
      ...(withSession ? { sessionId: t.Optional(t.String()) } : {}),
    }),
  http: [],
})

/** Query parameters by address. */
export const mcpParameters = {
  streamable: parameters(false, true),
  sse: parameters(true, true),
  messages: parameters(true, false),
} as const

/** What a request asks for. */
export interface Requested {
  readonly selection: ToolSelection
  /** The request says something about it. */
  readonly isNamed: boolean
  readonly sessionId?: string | undefined
}

/**
 * Reads the query and the headers of a request.
 * @throws GatewayError `invalid_input` for an unknown parameter, toolset, tool or value
 */
export async function readRequested(
  request: FastifyRequest,
  of: InputDeclaration,
  catalogue: Catalogue,
): Promise<Requested> {
  const reader = await compileInput(of)
  const { toolsets, tools, readonly, sessionId } = reader.read({}, request.query as Record<string, unknown>) as Partial<
    Record<string, string>
  >
  const named = {
    toolsets: headerText(request, toolsetsHeader),
    tools: headerText(request, toolsHeader),
    readonly: headerText(request, readonlyHeader),
  }
  const other = otherHeaders.find((name) => request.headers[name] !== undefined)
  if (other !== undefined)
    throw problem(
      'invalid_input',
      `${other}: this server does not choose tools in this way. ${toolsetsHeader}, ${toolsHeader} and ${readonlyHeader} do, or ?toolsets=, ?tools= and ?readonly=1.`,
      {
        errors: [
          {
            path: `/${other}`,
            message: 'is not known here',
            allowed: [toolsetsHeader, toolsHeader, readonlyHeader],
          },
        ],
      },
    )
  const fromAddress = catalogue.parseSelection(toolsets, readonly, tools)
  const fromHeaders = catalogue.parseSelection(named.toolsets, saysReadOnly(named.readonly), named.tools)
  for (const [field, header] of [
    ['toolsets', toolsetsHeader],
    ['tools', toolsHeader],
  ] as const)
    if (fromAddress[field] && fromHeaders[field] && fromAddress[field] !== fromHeaders[field])
      throw problem('invalid_input', `${header}: names other ${field} than ?${field}= of the address.`, {
        errors: [{ path: `/${header}`, message: 'differs from the address', value: named[field] }],
      })
  return {
    selection: {
      toolsets: named.toolsets ? fromHeaders.toolsets : fromAddress.toolsets,
      // Either may take rights away, none gives back what the other took.
      readOnly: fromAddress.readOnly || fromHeaders.readOnly,
      ...defined({ tools: fromHeaders.tools ?? fromAddress.tools }),
    },
    isNamed: [toolsets, tools, readonly, ...Object.values(named)].some((text) => text !== undefined),
    sessionId: sessionId === '' ? undefined : sessionId,
  }
}

/** @throws GatewayError `invalid_input` for a word that is neither yes nor no */
function saysReadOnly(text: string | undefined): boolean {
  const word = (text ?? '').trim().toLowerCase()
  if (yesWords.has(word)) return true
  if (noWords.has(word)) return false
  const message = 'must be true (only tools that change nothing) or false'
  throw problem('invalid_input', `${readonlyHeader}: ${message}.`, {
    errors: [{ path: `/${readonlyHeader}`, message, value: text, allowed: ['true', 'false'] }],
  })
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/**
 * @throws GatewayError `invalid_input` for a message that asks for other tools than its session was opened with: it
 * would get those of the session
 */
export function requireSameSelection({ selection, isNamed }: Requested, session: ToolSelection): void {
  if (!isNamed) return
  const text = ({ toolsets, readOnly, tools }: ToolSelection) => {
    const shown = [
      ...(toolsets || !tools ? [`toolsets ${toolsets || 'default'}`] : []),
      ...(tools ? [`tools ${tools}`] : []),
    ]
    return `${shown.join(', ')}${readOnly ? ', readonly' : ''}`
  }
  if (text(selection) === text(session)) return
  throw problem(
    'invalid_input',
    `This session was opened with ${text(session)}, the message asks for ${text(selection)}: open another session.`,
  )
}
