/**
 * Problems suggest remedies as requests (`POST /api/projects/actions/close-sync { "save": true }`). Clients of tools
 * cannot send requests, so this rewrites them as calls of tools.
 */

import type { Operation } from '../contract/operation.ts'
import { RouteIndex } from '../http/route-index.ts'

interface HintedRoute {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** A request in a text: method, path, and the fields of its body. */
const request = /(?:\b(GET|POST|PUT|PATCH|DELETE) )?(\/api\/[^\s"'`,;)]*[^\s"'`,;).:])(?: \{ ?([^{}]*?) ?\})?/g

/** Rewrites texts for clients of tools. */
export class ToolHints {
  readonly #routes: RouteIndex<HintedRoute>
  readonly #callOf: (operation: Operation) => string | undefined

  /** @param callOf how to call an operation; undefined: it is not a tool, and its requests stay as they are */
  constructor(routes: readonly HintedRoute[], callOf: (operation: Operation) => string | undefined) {
    this.#routes = new RouteIndex(routes)
    this.#callOf = callOf
  }

  /**
   * `text` in which each request of a recognised operation is written as `tool { fields }`; the parameters in the path
   * become fields.
   */
  of(text: string): string {
    if (!text.includes('/api/')) return text
    return text.replace(request, (whole, method: string | undefined, path: string, body: string | undefined) => {
      const [pathname = '', query] = path.split('?')
      const routes = this.#routes.matches(pathname).filter((route) => method === undefined || route.method === method)
      const [route, ...others] = routes
      if (!route || query !== undefined || others.some(({ operation }) => operation !== route.operation)) return whole
      const call = this.#callOf(route.operation)
      if (call === undefined) return whole
      const fields = [...pathFields(route.path, pathname), ...(body ? [body] : [])]
      return fields.length === 0 ? call : `${call} { ${fields.join(', ')} }`
    })
  }
}

/** `"deviceName": "PLC_1"` of `/api/devices/PLC_1/…`. Names that the text leaves open (`{name}`) are left out. */
function pathFields(pattern: string, path: string): string[] {
  const given = path.split('/')
  return pattern.split('/').flatMap((segment, i) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    const value = given[i] ?? ''
    if (name === undefined || name.endsWith('*') || value.startsWith('{')) return []
    return [`"${name}": ${JSON.stringify(decoded(value))}`]
  })
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
