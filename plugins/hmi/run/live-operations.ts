/** Alarms of compiled stations, their acknowledgement, and what was recorded for trends. */
import {
  command,
  defined,
  domainEvent,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
} from '../../../core/index.ts'
import { pageOf } from '../../program-objects/index.ts'
import { stationAliases, stationName } from '../input-fields.ts'
import { mcp } from '../objects/kind-operations.ts'
import { requireStation } from '../stations.ts'
import type { AlarmChoice, PendingAlarm } from './alarm-states.ts'
import type { StationRuntime } from './station-runtime.ts'

/** A person, or a program, acknowledged alarms of a station. */
export const alarmsAcknowledged = domainEvent<{ station: string; alarms: readonly string[] }>(
  'hmi.alarms-acknowledged',
  'Alarms of an HMI station were acknowledged',
)

const aliases = stationAliases

async function open(ctx: QueryContext, name: string) {
  const station = requireStation(ctx, name)
  const { runtimeOfStation } = await import('./station-runtime.ts')
  return { station, runtime: await runtimeOfStation(ctx, station) }
}

const timeText = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

function viewOfAlarm({ alarms }: StationRuntime, pending: PendingAlarm) {
  const { name, state, needsAcknowledgement, isPresent, isAcknowledged, acknowledgedBy } = pending
  const { number = 0, alarmClass = '', type = '', text = {} } = alarms.alarm(name) ?? {}
  const [outgoingAt, acknowledgedAt] = [timeText(pending.outgoingAt), timeText(pending.acknowledgedAt)]
  return {
    name,
    number,
    alarmClass,
    alarmType: type,
    text,
    state,
    needsAcknowledgement,
    isPresent,
    isAcknowledged,
    incomingAt: new Date(pending.incomingAt).toISOString(),
    ...defined({ outgoingAt, acknowledgedAt, acknowledgedBy }),
  }
}

const pendingAlarms = query({
  id: 'hmi.list-pending-alarms',
  title: 'List the pending alarms of a compiled HMI station',
  description:
    'Those of the station itself (discrete and analog); alarms of the controller have a list of their own. States: incoming, acknowledged (present and acknowledged), outgoing (gone without acknowledgement). They are followed as long as the gateway runs, whether a page is open or not.',
  live: true,
  input: (t) => t.Object({ stationName: stationName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      alarms: t.Array(
        t.Object({
          name: t.String(),
          number: t.Integer(),
          alarmClass: t.String(),
          alarmType: t.String({ description: 'discrete or analog.' }),
          text: t.Record(t.String(), t.String()),
          state: t.String(),
          needsAcknowledgement: t.Boolean(),
          isPresent: t.Boolean(),
          isAcknowledged: t.Boolean(),
          incomingAt: t.DateTime(),
          outgoingAt: t.Optional(t.DateTime()),
          acknowledgedAt: t.Optional(t.DateTime()),
          acknowledgedBy: t.Optional(t.String()),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/hmi/stations/{stationName}/alarms')],
  mcp,
  aliases,
  async run(input, ctx) {
    const { runtime } = await open(ctx, input.stationName)
    const { page, ...rest } = pageOf(runtime.alarms.pending, input)
    return { alarms: page.map((one) => viewOfAlarm(runtime, one)), ...rest }
  },
})

const alarmLog = query({
  id: 'hmi.list-alarm-log',
  title: 'Read what happened to the alarms of a compiled HMI station',
  description:
    'Newest first: each alarm that came, went or was acknowledged. The newest 5 000, as long as the gateway runs.',
  live: true,
  byTime: true,
  input: (t) =>
    t.Object({
      stationName: stationName(t),
      q: t.Optional(t.String({ description: 'Part of the name of the alarm, in any case.' })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default 100.' })),
      cursor: t.Optional(t.Integer({ description: '`nextCursor` of the page before: older entries than this.' })),
    }),
  output: (t) =>
    t.Object({
      entries: t.Array(
        t.Object({
          number: t.Integer(),
          alarm: t.String(),
          event: t.String({ description: 'incoming, outgoing, acknowledged.' }),
          time: t.DateTime(),
          by: t.Optional(t.String({ description: 'Who acknowledged it.' })),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.Integer()),
    }),
  http: [get('/api/hmi/stations/{stationName}/alarms/log')],
  mcp,
  aliases,
  async run({ stationName: name, q = '', limit = 100, cursor }, ctx) {
    const { runtime } = await open(ctx, name)
    const matching = runtime.alarms.log.filter(({ alarm }) => alarm.toLowerCase().includes(q.toLowerCase())).reverse()
    const rest = cursor === undefined ? matching : matching.filter(({ number }) => number < cursor)
    const page = rest.slice(0, limit)
    return {
      entries: page.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() })),
      total: matching.length,
      ...(page.length < rest.length ? { nextCursor: page.at(-1)!.number } : {}),
    }
  },
})

const acknowledge = command({
  id: 'hmi.acknowledge-alarms',
  title: 'Acknowledge alarms of a compiled HMI station',
  description:
    'One or several by name (`alarms`), those of a class (`alarmClass`), or `all`. Alarms that have gone leave the list with it.',
  live: true,
  access: 'operator',
  input: (t) =>
    t.Object({
      stationName: stationName(t),
      alarms: t.Optional(t.Array(t.String({ minLength: 1 }), { minItems: 1, maxItems: 10_000 })),
      alarmClass: t.Optional(t.String({ minLength: 1 })),
      all: t.Optional(t.Boolean()),
    }),
  output: (t) =>
    t.Object({
      stationName: t.String(),
      acknowledged: t.Array(t.String(), { description: 'Names of the alarms that needed it.' }),
      total: t.Integer(),
    }),
  http: [post('/api/hmi/stations/{stationName}/alarms/actions/acknowledge')],
  mcp,
  aliases: { ...aliases, alarms: ['alarm', 'names'], alarmClass: ['class'] },
  example: { stationName: 'HMI_1', all: true },
  async run({ stationName: name, alarms, alarmClass, all }, ctx) {
    const { station, runtime } = await open(ctx, name)
    const ways = [alarms, alarmClass, all === true ? true : undefined].filter((one) => one !== undefined)
    if (ways.length !== 1) {
      const message = ways.length === 0 ? 'give alarms, alarmClass or all' : 'give only one of alarms, alarmClass, all'
      throw problem('invalid_input', `/alarms: ${message}`, { errors: [{ path: '/alarms', message }] })
    }
    const byName = new Map(runtime.alarms.pending.map((one) => [one.name.toLowerCase(), one.name]))
    const names = (alarms ?? []).map((wanted, i) => {
      const found = byName.get(wanted.toLowerCase())
      if (found !== undefined) return found
      throw problem('not_found', `/alarms/${i}: No alarm "${wanted}" is pending on "${station.name}".`, {
        errors: [{ path: `/alarms/${i}`, message: 'is not pending', value: wanted }],
      })
    })
    const choice: AlarmChoice =
      alarms !== undefined ? { names } : alarmClass !== undefined ? { alarmClass } : { all: true }
    const done = ctx.dryRun ? runtime.alarms.open(choice) : runtime.alarms.acknowledge(choice, ctx.actor.name)
    if (done.length > 0) ctx.emit(alarmsAcknowledged, { station: station.name, alarms: done }, `device/${station.name}`)
    return { stationName: station.name, acknowledged: done, total: done.length }
  },
})

const trends = query({
  id: 'hmi.read-trends',
  title: 'Read what controllers recorded for the trends of a compiled HMI station',
  description:
    'The last half hour of the variables that trends show, in steps of 250 ms, from a trace on the controller. It begins when the station is compiled, and anew when the controller gets another program. Times are milliseconds since 1970 by the clock of the controller; `now` is its time.',
  live: true,
  input: (t) =>
    t.Object({
      stationName: stationName(t),
      variables: t.Array(t.Integer({ minimum: 0 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Indexes in the model.',
      }),
      points: t.Optional(
        t.Integer({ minimum: 1, maximum: 7200, description: 'Points of a variable at most. Default 3600.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      series: t.Array(
        t.Object({
          variable: t.Integer(),
          now: t.Number(),
          points: t.Array(t.Array(t.Number()), { description: '[time, value], oldest first.' }),
          reason: t.Optional(t.String({ description: 'Why there are none.' })),
        }),
      ),
    }),
  http: [post('/api/hmi/stations/{stationName}/trends')],
  mcp: false,
  aliases,
  async run({ stationName: name, variables, points = 3600 }, ctx) {
    const { runtime } = await open(ctx, name)
    const { model } = runtime
    const at = variables.findIndex((index) => index >= model.variables.length)
    if (at >= 0) {
      const message = `is no index: there are ${model.variables.length} variables`
      throw problem('invalid_input', `/variables/${at}: ${message}.`, {
        errors: [{ path: `/variables/${at}`, message, value: variables[at] }],
      })
    }
    await runtime.record()
    const { controllerOfPlc } = await import('./live.ts')
    const series = []
    for (const plc of new Set(variables.map((index) => model.variables[index]!.plc))) {
      const own = variables.filter((index) => model.variables[index]!.plc === plc)
      const found = plc === undefined ? undefined : await controllerOfPlc(ctx, plc)
      if (found === undefined) {
        const reason = plc === undefined ? 'Internal tags are not recorded.' : `The controller of "${plc}" is off.`
        series.push(...own.map((variable) => ({ variable, now: ctx.now, points: [], reason })))
        continue
      }
      const read = await runtime.trends.read(found.controller, own, points)
      // One time for all of a controller: their points lie at the same times.
      const now = found.controller.time
      series.push(...read.map((one) => ({ ...one, points: one.points.map((point) => [...point]), now })))
    }
    return { series }
  },
})

export const liveOperations: readonly Operation[] = [pendingAlarms, alarmLog, acknowledge, trends]
