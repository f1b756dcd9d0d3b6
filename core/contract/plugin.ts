/**
 * The plugin contract (docs/design.md#plugins): the default export of a folder in `plugins/`, or in a directory named
 * by `--plugins-dir`. `core/index.ts` is the public API for third-party plugins.
 */

import type { Collection, OwnerKind, SliceWriter } from './collection.ts'
import type { CommandContext, GatewayHandle, QueryContext } from './context.ts'
import type { DomainEvent } from './event.ts'
import type { Extension, ExtensionPoint } from './extension-point.ts'
import type { HttpMethod, Operation } from './operation.ts'
import type { ProblemDefinition } from './problems.ts'
import type { EndedOwner, EventMeta, Reducer } from './reducer.ts'
import type { PutBack } from './undone.ts'

/** One rule of the fold: how an event changes the slice. */
export interface Reduction {
  readonly event: DomainEvent<unknown>
  readonly reduce: Reducer
}

/** Declares how an event changes collections. The function must depend only on its arguments. */
export function on<T>(
  event: DomainEvent<T>,
  reduce: (write: SliceWriter, data: T, meta: EventMeta) => void,
): Reduction {
  return { event, reduce: reduce as Reducer }
}

/** An event that ends an owner. */
export interface Ending {
  readonly event: DomainEvent<unknown>
  readonly owner: OwnerKind
  readonly idOf: EndedOwner
}

/**
 * Declares that an event ends an owner: the aggregates that belong to it (`ownedBy`) are removed after all reducers of
 * the event have run.
 *
 * @param idOf the owner's id; without it the event ends every owner of the kind
 */
export function endsOwner<T>(event: DomainEvent<T>, owner: OwnerKind, idOf?: (data: T) => string): Ending {
  return { event, owner, idOf: (data) => idOf?.(data as T) }
}

/** A plugin's part of the state. */
export interface Slice {
  /**
   * Raise it when the shape of an aggregate or the meaning of a reducer changes: the slice is then folded anew from the
   * log.
   */
  readonly version: number
  readonly collections: readonly Collection<unknown>[]
  readonly reductions: readonly Reduction[]
  /** Events that end the owners of this plugin; see `ownedBy`. */
  readonly endings?: readonly Ending[]
  /**
   * Puts back an entry that an undo recorded when the slice had another version: called by the fold instead of setting
   * it as it is. `value` undefined: the entry was removed.
   */
  readonly putBack?: PutBack
}

/** Runs around operations of other plugins, e.g. a policy that denies deletes. */
export interface Hook {
  /** Operation ids; `*` matches any run of characters (`blocks.*`). */
  readonly on: string
  /** It runs once for a job, and not for the operations that are called in it (`ctx.call`, a batch). */
  readonly perJob?: boolean
  /** Throw `problem('forbidden', …)` to deny. Runs in the lane, before the operation. */
  readonly before?: (input: unknown, ctx: CommandContext | QueryContext, operation: Operation) => void | Promise<void>
  /**
   * Runs after success; for commands before the commit, so that it can emit events of its own, or throw to undo
   * everything.
   */
  readonly after?: (
    input: unknown,
    result: unknown,
    ctx: CommandContext | QueryContext,
    operation: Operation,
  ) => void | Promise<void>
}

/** A page of the documentation, Markdown. */
export interface DocsPage {
  /** The `sectionName` in `GET /api/docs/sections/{sectionName}`. */
  readonly name: string
  readonly title: string
  readonly text: string | (() => string | Promise<string>)
}

/** A route that is not an operation. */
export interface WireRoute {
  readonly method: HttpMethod
  readonly path: string
  readonly title: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly description: string }[]
  /** Media types of the body, and of the answer; without one the answer is 204. */
  readonly takes?: string
  readonly answers?: string
}

export interface Plugin {
  /** Lower-case words with hyphens; the prefix of its operations, events and collections. */
  readonly name: string
  readonly version: string
  /** The versions of the plugin API that it works with, as npm writes ranges, e.g. `^1.0.0`. Default: any. */
  readonly api?: string
  readonly description?: string
  /** Names of plugins that must be loaded before this one. */
  readonly requires?: readonly string[]
  readonly slice?: Slice
  readonly operations?: readonly Operation[]
  /** Routes that an adapter serves itself (the wire of a protocol, such as MCP's transports). They are only listed. */
  readonly wireRoutes?: readonly WireRoute[]
  /** Events that this plugin emits but does not reduce. Those in `slice.reductions` need not be repeated. */
  readonly events?: readonly DomainEvent<unknown>[]
  /** Where it lets others contribute; ids begin with the name of the plugin. */
  readonly extensionPoints?: readonly ExtensionPoint<unknown>[]
  readonly extensions?: readonly Extension[]
  readonly hooks?: readonly Hook[]
  readonly problems?: Readonly<Record<string, ProblemDefinition>>
  readonly docs?: readonly DocsPage[]
  /** After the state is folded, before the first request. */
  start?(gateway: GatewayHandle): void | Promise<void>
  /** At shutdown, after the last job. */
  stop?(gateway: GatewayHandle): void | Promise<void>
}

/** Declares a plugin: returns its argument, with its type checked. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}
