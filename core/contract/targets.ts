/** The object that a command changes, found by its address: the query that reads it (`If-Match`, `expectedHash`). */
import type { HttpRoute, Operation, Query } from './operation.ts'

/** The hashes of which the object must have one; `*`: it exists. */
export type Expected = '*' | readonly string[]

/** What a command changes. */
export interface Target {
  /** Reads it. */
  readonly query: Query
  /** Path of the query. */
  readonly path: string
  /** Parameters of that path, each with the field of the command's input that has its value. */
  readonly parameters: readonly (readonly [parameter: string, field: string])[]
}

/** What can be read of an object at a path that answers nothing itself. */
const parts = ['', '/content', '/tree']

/**
 * The targets of all commands: what the command names (`changes`), else the object at the command's own path, its
 * `content` or `tree`, else the same at the nearest path above that can be read.
 * `POST /api/devices/{device}/blocks/{name}/networks` changes what `GET /api/devices/{device}/blocks/{name}/content`
 * answers. Answers that depend on more than state (`live`) are no targets unless they are `tagged`.
 */
export function targetsIn(
  routes: readonly (HttpRoute & { readonly operation: Operation })[],
): ReadonlyMap<Operation, Target> {
  const readable = new Map<string, { readonly query: Query; readonly path: string }>()
  for (const { method, mode, path, operation } of routes)
    if (
      method === 'GET' &&
      mode === 'sync' &&
      operation.kind === 'query' &&
      (operation.live !== true || operation.tagged)
    )
      readable.set(shapeOf(segmentsOf(path)), { query: operation, path })
  const targets = new Map<Operation, Target>()
  for (const { path, operation } of routes) {
    if (operation.kind !== 'command' || targets.has(operation)) continue
    const segments = segmentsOf(operation.changes ?? path)
    for (let length = segments.length; length > 1; length--) {
      const shape = shapeOf(segments.slice(0, length))
      const found = parts.map((part) => readable.get(`${shape}${part}`)).find((one) => one !== undefined)
      if (found === undefined) continue
      const names = segmentsOf(found.path)
      const parameters = names.flatMap((name, i) =>
        isParameter(name) ? [[bare(name), bare(segments[i]!)] as const] : [],
      )
      targets.set(operation, { ...found, parameters })
      break
    }
  }
  return targets
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

const isParameter = (segment: string) => segment.startsWith('{')
const bare = (segment: string) => segment.replace(/^\{|\*?\}$/g, '')

/** Without the names of the parameters. */
function shapeOf(segments: readonly string[]): string {
  return segments.map((segment) => segment.replace(/\{\w+(\*?)\}/, '{$1}')).join('/')
}
