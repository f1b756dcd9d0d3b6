/**
 * The gateway as a protected resource of OAuth 2.0 (RFC 9728): where a proxy before it takes tokens, MCP clients find
 * out by themselves who issues them (MCP 2026-07-28, Authorization). The proxy checks the token and adds an API key.
 */
import type { Gateway } from '../gateway.ts'

/** RFC 9728, 3: the path of the resource follows the well-known one. */
export const metadataPaths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']

/** The metadata; undefined: there is no authorization server, only API keys. */
export function resourceMetadata({ settings }: Pick<Gateway, 'settings'>) {
  const { authorizationServers, publicUrl } = settings.mcp
  if (authorizationServers.length === 0) return undefined
  return {
    resource: `${withoutSlash(publicUrl)}/mcp`,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    resource_name: 'Gantry',
  }
}

/** The header `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1; RFC 9728, 5.1). */
export function challengeOf(gateway: Pick<Gateway, 'settings'>): string {
  const scheme = 'Bearer realm="gantry"'
  if (resourceMetadata(gateway) === undefined) return scheme
  return `${scheme}, resource_metadata="${withoutSlash(gateway.settings.mcp.publicUrl)}${metadataPaths[1]}"`
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')
