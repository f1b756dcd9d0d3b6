/**
 * Records in the audit that alarms of a controller came, went or were acknowledged by its program. They are
 * observations of a running program, so their number is bounded: one record for all events of some time, with at most a
 * hundred of them, and so many records a minute; what is left out is counted.
 */
import { command, type Gateway, type Operation, systemActor } from '../../../core/index.ts'
import type { AlarmEntry } from '../controller/alarm-log.ts'
import type { Controller } from '../controller/contract.ts'
import { alarmsReported, findInstance, type ReportedAlarm } from '../instances/instance.ts'
import { ReportPace } from './report-pace.ts'

/** Time for which events are gathered, ms; events of one record. */
const gathering = 1000
const mostEvents = 100

/** Invoked only by the gateway itself; HTTP, MCP and CLI do not offer it. */
const report = command({
  id: 'simulation.report-alarms',
  title: 'Note alarms of a virtual controller',
  description: 'The gateway does this when alarms come or go.',
  live: true,
  lasting: false,
  access: 'admin',
  input: (t) =>
    t.Object({
      name: t.String(),
      alarms: t.Array(t.Any()),
      unreported: t.Integer({ minimum: 0, description: 'Events before these that were too many to be noted.' }),
    }),
  output: (t) => t.Object({ noted: t.Boolean() }),
  http: [],
  mcp: false,
  run({ name, alarms, unreported }, ctx) {
    // The instance may be deleted before its report runs.
    const instance = findInstance(ctx, name)
    if (!instance) return { noted: false }
    const data = {
      name: instance.name,
      alarms: alarms as ReportedAlarm[],
      ...(unreported === 0 ? {} : { unreported }),
    }
    ctx.emit(alarmsReported, data, `instance/${instance.name}`)
    return { noted: true }
  },
})

export const alarmReportOperations: readonly Operation[] = [report]

/** Watches the alarms of a controller. Ends with the signal. */
export function reportAlarms(gateway: Gateway, name: string, controller: Controller, ended: AbortSignal): void {
  let gathered: ReportedAlarm[] = []
  let unreported = 0
  let timer: NodeJS.Timeout | undefined
  const pace = new ReportPace(gateway.ticks)
  const send = () => {
    timer = undefined
    if (gathered.length === 0) return
    if (!pace.takes()) {
      unreported += gathered.length
      gathered = []
      return
    }
    const input = { name, alarms: gathered, unreported }
    gathered = []
    unreported = 0
    gateway.invoke(report, input, { actor: systemActor, mode: 'async' }).catch((error) => {
      // While the gateway stops no more commands are accepted.
      gateway.log.debug({ err: error, instance: name }, 'alarms were not noted')
    })
  }
  controller.events.on('alarms', (entries) => {
    for (const entry of entries) {
      if (entry.kind === 'lost') unreported += entry.count
      else if (gathered.length < mostEvents) gathered.push(reported(entry))
      else unreported++
    }
    if (timer !== undefined || ended.aborted || gathered.length === 0) return
    timer = setTimeout(send, gathering)
    timer.unref()
  })
  ended.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

function reported({ kind, time, alarm, cause }: Exclude<AlarmEntry, { kind: 'lost' }>): ReportedAlarm {
  const why = cause === undefined ? {} : { cause }
  return { event: kind, alarm: alarm.name, alarmClass: alarm.alarmClass, time: new Date(time).toISOString(), ...why }
}
