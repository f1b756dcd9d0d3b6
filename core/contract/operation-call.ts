/** One run of an operation, as an event of the bus: collects the handler and the hooks, then runs them. */
import type { CommandContext, QueryContext } from './context.ts'
import type { Operation } from './operation.ts'
import type { Hook } from './plugin.ts'
import { problem } from './problems.ts'

type Context = CommandContext | QueryContext
/** Runs the operation itself. */
export type Handler = (input: Record<string, unknown>, ctx: Context) => unknown

export class OperationCall {
  readonly operation: Operation
  readonly input: Record<string, unknown>
  readonly ctx: Context
  readonly #hooks: Hook[] = []
  #handler: Handler | undefined

  readonly #isPart: boolean

  /** @param options `isPart`: of a command that runs others; hooks that follow the whole job are left out */
  constructor(
    operation: Operation,
    input: Record<string, unknown>,
    ctx: Context,
    options: { readonly isPart?: boolean } = {},
  ) {
    this.#isPart = options.isPart === true
    this.operation = operation
    this.input = input
    this.ctx = ctx
  }

  /** Sets the handler; the plugin of the operation calls this. */
  handle(handler: Handler): void {
    this.#handler = handler
  }
  /** Adds a hook to run before and after the handler; hooks run in the order in which they joined. */
  join(hook: Hook): void {
    if (!(this.#isPart && hook.perJob)) this.#hooks.push(hook)
  }

  /**
   * Runs hooks and handler one after the other; the first one that throws ends it.
   * @throws GatewayError `not_available` when no plugin handles the operation; otherwise what a hook or the handler
   * throws
   */
  async run(): Promise<unknown> {
    const { operation, input, ctx } = this
    if (!this.#handler) throw problem('not_available', `Operation ${operation.id} has no handler and cannot run.`)
    for (const hook of this.#hooks) await hook.before?.(input, ctx, operation)
    const result = await this.#handler(input, ctx)
    for (const hook of this.#hooks) await hook.after?.(input, result, ctx, operation)
    return result
  }
}
