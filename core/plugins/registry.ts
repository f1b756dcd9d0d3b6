/** The only list of operations, routes, events, hooks, extensions, problems and docs of the loaded plugins. */

import { accessLevels } from '../contract/access.ts'
import { corePoints } from '../contract/core-points.ts'
import type { DomainEvent } from '../contract/event.ts'
import type { ExtensionPoint } from '../contract/extension-point.ts'
import { accessOf, type HttpRoute, type Operation } from '../contract/operation.ts'
import type { DocsPage, Plugin, Slice, WireRoute } from '../contract/plugin.ts'
import { coreProblems, notFound, type ProblemDefinition } from '../contract/problems.ts'
import { type Target, targetsIn } from '../contract/targets.ts'

/** A route with the operation and plugin it belongs to. */
export interface RegisteredRoute extends HttpRoute {
  readonly operation: Operation
  readonly plugin: string
}

export class Registry {
  readonly plugins: Plugin[] = []
  readonly #operations = new Map<string, Operation>()
  readonly #pluginOf = new Map<Operation, string>()
  readonly #routes = new Map<string, RegisteredRoute>()
  readonly #extensions = new Map<string, unknown[]>()
  readonly #points = new Map(corePoints.map((point) => [point.id, point]))
  readonly #problems = new Map<string, ProblemDefinition>(Object.entries(coreProblems))
  readonly #events = new Map<string, DomainEvent<unknown>>()
  /** Made on first use. */
  #targets: ReadonlyMap<Operation, Target> | undefined
  #targetQueries: ReadonlySet<Operation> = new Set()

  /**
   * Registers a plugin, completely or not at all.
   * @throws Error that names the conflicting id, route, event or problem code
   */
  add(plugin: Plugin): void {
    this.#check(plugin)
    this.plugins.push(plugin)
    this.#targets = undefined
    for (const operation of plugin.operations ?? []) {
      this.#operations.set(operation.id, operation)
      this.#pluginOf.set(operation, plugin.name)
      for (const route of operation.http)
        this.#routes.set(routeKey(route), { ...route, operation, plugin: plugin.name })
    }
    for (const point of plugin.extensionPoints ?? []) this.#points.set(point.id, point)
    for (const { point, value } of plugin.extensions ?? []) {
      const values = this.#extensions.get(point)
      if (values) values.push(value)
      else this.#extensions.set(point, [value])
    }
    for (const [code, definition] of Object.entries(plugin.problems ?? {})) this.#problems.set(code, definition)
    for (const event of [...(plugin.events ?? []), ...eventsOf(plugin.slice)]) {
      if (!this.#events.has(event.type)) this.#events.set(event.type, event)
    }
  }

  /** Another registry with the same plugins. */
  copy(): Registry {
    const copy = new Registry()
    for (const plugin of this.plugins) copy.add(plugin)
    return copy
  }

  #check(plugin: Plugin) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin.name))
      throw new Error(`"${plugin.name}" is not a plugin name (lower-case words with hyphens)`)
    if (this.plugins.some((p) => p.name === plugin.name)) throw new Error(`a plugin "${plugin.name}" is loaded already`)
    const ids = new Set<string>()
    const routes = new Set<string>()
    for (const operation of plugin.operations ?? []) {
      const { id } = operation
      if (!/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/.test(id))
        throw new Error(`"${id}" is not an operation id (plugin.verb-noun)`)
      if (this.#operations.has(id) || ids.has(id)) throw new Error(`operation "${id}" exists already`)
      ids.add(id)
      const access = accessOf(operation)
      if (access !== 'public' && !accessLevels.includes(access))
        throw new Error(`operation "${id}": "${access}" is no access level`)
      for (const route of operation.http) {
        const key = routeKey(route)
        const holder = this.#routes.get(key)
        if (holder || routes.has(key))
          throw new Error(
            `route ${route.method} ${route.path} of "${id}" is taken${holder ? ` by "${holder.operation.id}"` : ''}`,
          )
        if (!/^\/(api|mcp)\//.test(route.path))
          throw new Error(`route ${route.path} of "${id}" must start with /api/ or /mcp/`)
        routes.add(key)
      }
    }
    const points = new Set(this.#points.keys())
    for (const { id } of plugin.extensionPoints ?? []) {
      if (!id.startsWith(`${plugin.name}.`) || !/^[a-z][a-z0-9-]*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
        throw new Error(`extension point "${id}" must be named "${plugin.name}.<plural-noun>"`)
      if (points.has(id)) throw new Error(`extension point "${id}" exists already`)
      points.add(id)
    }
    for (const code of Object.keys(plugin.problems ?? {})) {
      if (this.#problems.has(code)) throw new Error(`problem code "${code}" exists already`)
    }
  }

  get operations(): readonly Operation[] {
    return [...this.#operations.values()]
  }
  operation(id: string): Operation | undefined {
    return this.#operations.get(id)
  }
  /** The operation that a call names. @throws GatewayError `not_found`, with the nearest names */
  requireOperation(id: string): Operation {
    const operation = this.#operations.get(id)
    if (operation) return operation
    throw notFound('operation', id, [...this.#operations.keys()])
  }
  pluginOf(operation: Operation): string {
    return this.#pluginOf.get(operation) ?? 'core'
  }
  /** What a command changes; undefined when that cannot be read at an address of its own. */
  targetOf(operation: Operation): Target | undefined {
    return this.#allTargets().get(operation)
  }
  /** True when a command changes what this query reads. */
  isTarget(query: Operation): boolean {
    this.#allTargets()
    return this.#targetQueries.has(query)
  }
  #allTargets(): ReadonlyMap<Operation, Target> {
    if (this.#targets === undefined) {
      this.#targets = targetsIn(this.routes)
      this.#targetQueries = new Set([...this.#targets.values()].map(({ query }) => query))
    }
    return this.#targets
  }
  get routes(): readonly RegisteredRoute[] {
    return [...this.#routes.values()]
  }
  /** Routes that adapters serve themselves. */
  get wireRoutes(): readonly (WireRoute & { readonly plugin: string })[] {
    return this.plugins.flatMap((plugin) => (plugin.wireRoutes ?? []).map((r) => ({ ...r, plugin: plugin.name })))
  }
  get events(): readonly DomainEvent<unknown>[] {
    return [...this.#events.values()]
  }
  get problems(): ReadonlyMap<string, ProblemDefinition> {
    return this.#problems
  }
  get docs(): readonly (DocsPage & { plugin: string })[] {
    return this.plugins.flatMap((plugin) => (plugin.docs ?? []).map((page) => ({ ...page, plugin: plugin.name })))
  }
  /** The extension points of the core and of the loaded plugins, by id. */
  get points(): ReadonlyMap<string, ExtensionPoint<unknown>> {
    return this.#points
  }
  extensions<T>(point: ExtensionPoint<T>): readonly T[] {
    return (this.#extensions.get(point.id) ?? []) as T[]
  }
}

function eventsOf(slice: Slice | undefined): DomainEvent<unknown>[] {
  return [...(slice?.reductions ?? []), ...(slice?.endings ?? [])].map(({ event }) => event)
}

/** Two routes are the same when only the names of their parameters differ. */
function routeKey({ method, path }: HttpRoute): string {
  return `${method} ${path.replace(/\{\w+(\*?)\}/g, '{$1}')}`
}
