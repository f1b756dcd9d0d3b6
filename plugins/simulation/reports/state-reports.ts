/**
 * Records in the audit changes of state that no operation requested: a program that calls STP, exceeds its cycle time
 * or fails, a client that stops the controller over S7, a start with the gateway. Changes that operations request are
 * recorded by these (`simulation.state-changed`).
 */
import { command, defined, type Gateway, type Operation, systemActor } from '../../../core/index.ts'
import type { Controller, DiagnosticEntry, OperatingState } from '../controller/contract.ts'
import { findInstance, stateReported } from '../instances/instance.ts'
import { ReportPace } from './report-pace.ts'

/** States in which a controller stays. */
const lasting: ReadonlySet<OperatingState> = new Set(['Off', 'Stop', 'Run', 'Hold', 'Freeze'])

/** Invoked only by the gateway itself; HTTP, MCP and CLI do not offer it. */
const report = command({
  id: 'simulation.report-state',
  title: 'Note that a virtual controller changed its operating state',
  description: 'The gateway does this when a controller changes its state without being asked by an operation.',
  live: true,
  lasting: false,
  access: 'admin',
  input: (t) =>
    t.Object({
      name: t.String(),
      before: t.String(),
      after: t.String(),
      cause: t.Optional(t.Any({ description: 'The last entry of its diagnostics buffer.' })),
      unreported: t.Integer({ minimum: 0, description: 'Changes before this one that were too many to be noted.' }),
    }),
  output: (t) => t.Object({ noted: t.Boolean() }),
  http: [],
  mcp: false,
  run({ name, before, after, cause, unreported }, ctx) {
    // The instance may be deleted before its report runs.
    const instance = findInstance(ctx, name)
    if (!instance) return { noted: false }
    const data = {
      name: instance.name,
      before: before as OperatingState,
      after: after as OperatingState,
      ...(cause === undefined ? {} : { cause: cause as DiagnosticEntry }),
      ...(unreported === 0 ? {} : { unreported }),
    }
    ctx.emit(stateReported, data, `instance/${instance.name}`)
    return { noted: true }
  },
})

export const reportOperations: readonly Operation[] = [report]

/** Watches the controllers of a gateway. */
export class StateReports {
  readonly #gateway: Gateway
  /** Controllers that operations are changing, with the number of these operations. */
  readonly #asked = new Map<Controller, number>()

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  /** Runs work that changes the state of a controller and that the audit records in another way. */
  async asked<T>(controller: Controller, work: () => Promise<T>): Promise<T> {
    this.#asked.set(controller, (this.#asked.get(controller) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (this.#asked.get(controller) ?? 1) - 1
      if (left > 0) this.#asked.set(controller, left)
      else this.#asked.delete(controller)
    }
  }

  watch(name: string, controller: Controller): void {
    let cause: DiagnosticEntry | undefined
    let last: OperatingState = controller.state
    let unreported = 0
    const pace = new ReportPace(this.#gateway.ticks)
    controller.events.on('diagnostic', (entry) => {
      cause = entry
    })
    controller.events.on('state', (after) => {
      if (!lasting.has(after)) return
      const before = last
      last = after
      // An entry comes directly before the state that it causes.
      const own = cause
      cause = undefined
      const isFault = after === 'Stop' && own !== undefined && own.code !== 'mode-change' && before !== 'Off'
      if (this.#asked.has(controller) && !isFault) return
      if (!pace.takes()) {
        unreported++
        return
      }
      this.#send({ name, before, after, ...defined({ cause: own }), unreported })
      unreported = 0
    })
  }

  #send(input: Record<string, unknown>): void {
    this.#gateway.invoke(report, input, { actor: systemActor, mode: 'async' }).catch((error) => {
      // While the gateway stops, controllers are powered off and no more commands are accepted.
      this.#gateway.log.debug({ err: error, instance: input.name }, 'a change of state was not noted')
    })
  }
}
