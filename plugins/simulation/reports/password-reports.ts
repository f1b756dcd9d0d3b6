/**
 * Records in the audit that a wrong password was presented to a controller. A client that guesses must not fill the
 * log.
 */
import { command, type Gateway, type Operation, systemActor } from '../../../core/index.ts'
import type { Controller } from '../controller/contract.ts'
import { findInstance, passwordRefused } from '../instances/instance.ts'
import { ReportPace } from './report-pace.ts'

/** Invoked only by the gateway itself; HTTP, MCP and CLI do not offer it. */
const report = command({
  id: 'simulation.report-password',
  title: 'Note that a wrong password was presented to a virtual controller',
  description: 'The gateway does this when a client presents a wrong password, over S7 or the API.',
  live: true,
  lasting: false,
  access: 'admin',
  input: (t) =>
    t.Object({
      name: t.String(),
      message: t.String(),
      unreported: t.Integer({ minimum: 0, description: 'Wrong ones before this that were too many to be noted.' }),
    }),
  output: (t) => t.Object({ noted: t.Boolean() }),
  http: [],
  mcp: false,
  run({ name, message, unreported }, ctx) {
    // The instance may be deleted before its report runs.
    const instance = findInstance(ctx, name)
    if (!instance) return { noted: false }
    const data = { name: instance.name, message, ...(unreported === 0 ? {} : { unreported }) }
    ctx.emit(passwordRefused, data, `instance/${instance.name}`)
    return { noted: true }
  },
})

export const passwordReportOperations: readonly Operation[] = [report]

/** Watches the diagnostics buffer of a controller. */
export function reportPasswords(gateway: Gateway, name: string, controller: Controller): void {
  const pace = new ReportPace(gateway.ticks)
  let unreported = 0
  controller.events.on('diagnostic', ({ code, message }) => {
    if (code !== 'password-wrong') return
    if (!pace.takes()) {
      unreported++
      return
    }
    const input = { name, message, unreported }
    unreported = 0
    gateway.invoke(report, input, { actor: systemActor, mode: 'async' }).catch((error) => {
      // While the gateway stops no more commands are accepted.
      gateway.log.debug({ err: error, instance: name }, 'a wrong password was not noted')
    })
  })
}
