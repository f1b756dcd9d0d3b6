/** Operations on the alarms of a virtual controller: pending ones, their log, as a stream, acknowledgement. */
import {
  command,
  domainEvent,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  type StreamEvent,
  stream,
} from '../../core/index.ts'
import { currentProject } from '../projects/index.ts'
import {
  type AlarmSelection,
  controllerOf,
  instanceAliases,
  instanceEnd,
  instanceName,
  requireInstance,
} from '../simulation/index.ts'
import { followAlarms } from './follow.ts'
import { AlarmViews, alarmFields, entryFields, stateOf } from './views.ts'

type Builder = Parameters<Operation['input']>[0]

const path = (rest: string) => `/api/simulation/instances/{name}/alarms${rest}`
const aliases = { name: instanceAliases, culture: ['language', 'lang', 'locale'] } as const

const culture = (t: Builder) =>
  t.Optional(
    t.String({ minLength: 1, description: 'Language of texts, e.g. de-DE; default: the first of the project.' }),
  )
const limit = (t: Builder) => t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default 100.' }))

/** The controller of an instance, and views in the wanted language. */
async function open(ctx: QueryContext, name: string, wanted: string | undefined) {
  const instance = requireInstance(ctx, name)
  const controller = await controllerOf(ctx, name)
  const cultures = [...(wanted === undefined ? [] : [wanted]), ...(currentProject(ctx)?.cultures ?? [])]
  return { instance, controller, views: new AlarmViews(controller, cultures) }
}

/** An acknowledgement by an operation; those of the program are in the log of alarms only. */
export const alarmsAcknowledged = domainEvent<{ name: string; alarms: readonly string[] }>(
  'alarms.acknowledged',
  'Alarms of a virtual controller were acknowledged',
)

const listPending = query({
  id: 'alarms.list-pending',
  title: 'List the pending alarms of a virtual controller',
  description:
    'Newest first: alarms whose signal is present, and those that have gone without their acknowledgement. Times are virtual.',
  live: true,
  input: (t) =>
    t.Object({
      name: instanceName(t),
      state: t.Optional(t.Enum(['incoming', 'acknowledged', 'outgoing'])),
      alarmClass: t.Optional(t.String({ minLength: 1 })),
      q: t.Optional(t.String({ description: 'Part of the path of the source, in any case.' })),
      culture: culture(t),
      limit: limit(t),
      cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      alarms: t.Array(t.Object(alarmFields(t))),
      total: t.Integer({ description: 'Alarms that fit, on all pages.' }),
      unacknowledged: t.Integer({ description: 'Of all pending alarms.' }),
      maximum: t.Integer({ description: 'Alarms that may be pending at once on this CPU.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(path(''))],
  mcp: { toolset: 'alarms' },
  aliases: { ...aliases, alarmClass: ['class'] },
  example: { name: 'PLC_1' },
  async run({ name, state, alarmClass, q = '', culture: wanted, limit: most = 100, cursor }, ctx) {
    const { instance, controller, views } = await open(ctx, name, wanted)
    const all = controller.alarms.pending
    const found = all.filter(
      (alarm) =>
        (state === undefined || stateOf(alarm) === state) &&
        (alarmClass === undefined || alarm.alarmClass.toLowerCase() === alarmClass.toLowerCase()) &&
        alarm.name.toLowerCase().includes(q.toLowerCase()),
    )
    const after = cursor === undefined ? -1 : found.findIndex((alarm) => alarm.name === cursor)
    if (cursor !== undefined && after < 0) {
      throw problem('conflict', `Alarm ${cursor} is not pending any more: read the list from its beginning.`)
    }
    const page = found.slice(after + 1, after + 1 + most)
    const last = page.at(-1)
    return {
      name: instance.name,
      alarms: page.map((alarm) => views.pending(alarm)),
      total: found.length,
      unacknowledged: all.filter(({ isAcknowledged }) => !isAcknowledged).length,
      maximum: controller.options.pendingAlarms,
      ...(last && last !== found.at(-1) ? { nextCursor: last.name } : {}),
    }
  },
})

const listLog = query({
  id: 'alarms.list-log',
  title: 'Read the log of alarms of a virtual controller',
  description:
    'Newest first: each alarm that came, went, was acknowledged or removed, with its values then. The newest 10 000 entries, as long as the gateway runs; when alarms come faster than they can be told, an entry `lost` says how many are missing.',
  live: true,
  byTime: true,
  input: (t) =>
    t.Object({
      name: instanceName(t),
      event: t.Optional(t.Enum(['incoming', 'outgoing', 'acknowledged', 'removed', 'lost'])),
      alarmClass: t.Optional(t.String({ minLength: 1 })),
      q: t.Optional(t.String({ description: 'Part of the path of the source, in any case.' })),
      since: t.Optional(t.DateTime({ description: 'Only events from this time on (virtual).' })),
      culture: culture(t),
      limit: limit(t),
      cursor: t.Optional(t.Integer({ description: '`nextCursor` of the page before: older entries than this.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      entries: t.Array(t.Object(entryFields(t))),
      total: t.Integer({ description: 'Entries that fit, on all pages.' }),
      nextCursor: t.Optional(t.Integer()),
    }),
  http: [get(path('/log'))],
  mcp: { toolset: 'alarms' },
  aliases: { ...aliases, alarmClass: ['class'], event: ['kind'] },
  async run({ name, event, alarmClass, q = '', since, culture: wanted, limit: most = 100, cursor }, ctx) {
    const { instance, controller, views } = await open(ctx, name, wanted)
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
    const found = controller.alarms.log.filter((entry) => {
      if ((event !== undefined && entry.kind !== event) || entry.time < from) return false
      if (entry.kind === 'lost') return alarmClass === undefined && q === ''
      return (
        (alarmClass === undefined || entry.alarm.alarmClass.toLowerCase() === alarmClass.toLowerCase()) &&
        entry.alarm.name.toLowerCase().includes(q.toLowerCase())
      )
    })
    const rest = cursor === undefined ? found : found.filter(({ number }) => number < cursor)
    const page = rest.slice(0, most)
    const last = page.at(-1)
    return {
      name: instance.name,
      entries: page.map((entry) => views.entry(entry)),
      total: found.length,
      ...(last && page.length < rest.length ? { nextCursor: last.number } : {}),
    }
  },
})

const listSources = query({
  id: 'alarms.list-sources',
  title: 'List the alarms that the program of a virtual controller can raise',
  description: 'Every instance of Program_Alarm and every supervision of the loaded program, with class and texts.',
  live: true,
  input: (t) =>
    t.Object({
      name: instanceName(t),
      q: t.Optional(t.String({ description: 'Part of the path, in any case.' })),
      culture: culture(t),
      limit: limit(t),
      cursor: t.Optional(t.Integer({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      alarms: t.Array(
        t.Object({
          id: t.Integer(),
          alarm: t.String(),
          block: t.Optional(t.String()),
          alarmClass: t.String(),
          needsAcknowledgement: t.Boolean(),
          priority: t.Integer(),
          text: t.String(),
          infoText: t.Optional(t.String()),
          additionalTexts: t.Optional(t.Array(t.String())),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.Integer()),
    }),
  http: [get(path('/sources'))],
  mcp: { toolset: 'alarms' },
  aliases,
  async run({ name, q = '', culture: wanted, limit: most = 100, cursor = 0 }, ctx) {
    const { instance, views } = await open(ctx, name, wanted)
    const found = views.sources.filter((one) => one.name.toLowerCase().includes(q.toLowerCase()))
    const rest = found.filter(({ id }) => id > cursor)
    const page = rest.slice(0, most)
    const last = page.at(-1)
    return {
      name: instance.name,
      alarms: page.map((one) => views.source(one)),
      total: found.length,
      ...(last && page.length < rest.length ? { nextCursor: last.id } : {}),
    }
  },
})

const acknowledge = command({
  id: 'alarms.acknowledge',
  title: 'Acknowledge alarms of a virtual controller',
  description:
    'One or several (`alarms`: paths or numbers), those of a class (`alarmClass`), or `all`. Alarms that have gone leave the list with it. Possible whenever the controller is on; who did it is in the audit.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      alarms: t.Optional(
        t.Array(t.Union([t.String({ minLength: 1 }), t.Integer()]), { minItems: 1, maxItems: 10_000 }),
      ),
      alarmClass: t.Optional(t.String({ minLength: 1 })),
      all: t.Optional(t.Boolean()),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      acknowledged: t.Array(t.String(), { description: 'Paths of the alarms that needed it.' }),
      total: t.Integer(),
    }),
  http: [post(path('/actions/acknowledge'))],
  mcp: { toolset: 'alarms' },
  aliases: { ...aliases, alarms: ['alarm', 'ids', 'id', 'names'], alarmClass: ['class'] },
  example: { name: 'PLC_1', all: true },
  async run({ name, alarms, alarmClass, all }, ctx) {
    const { instance, controller } = await open(ctx, name, undefined)
    const ways = [alarms, alarmClass, all === true ? true : undefined].filter((one) => one !== undefined)
    if (ways.length !== 1) {
      const message = ways.length === 0 ? 'give alarms, alarmClass or all' : 'give only one of alarms, alarmClass, all'
      throw problem('invalid_input', `/alarms: ${message}`, { errors: [{ path: '/alarms', message }] })
    }
    const { pending } = controller.alarms
    const byText = new Map(
      pending.flatMap((one) => [
        [String(one.id), one.name],
        [one.name.toLowerCase(), one.name],
      ]),
    )
    const names = (alarms ?? []).map((wanted, i) => {
      const found = byText.get(String(wanted).toLowerCase())
      if (found !== undefined) return found
      throw problem('not_found', `/alarms/${i}: No alarm ${wanted} is pending in "${instance.name}".`, {
        errors: [{ path: `/alarms/${i}`, message: 'is not pending', value: wanted }],
      })
    })
    const selection: AlarmSelection =
      alarms !== undefined ? { names } : alarmClass !== undefined ? { alarmClass } : { all: true }
    const wouldBe = pending.filter(
      (one) =>
        !one.isAcknowledged &&
        (alarms === undefined || names.includes(one.name)) &&
        (alarmClass === undefined || one.alarmClass.toLowerCase() === alarmClass.toLowerCase()),
    )
    const done = ctx.dryRun ? wouldBe.map((one) => one.name) : await controller.acknowledge(selection, ctx.actor.name)
    if (done.length > 0)
      ctx.emit(alarmsAcknowledged, { name: instance.name, alarms: done }, `instance/${instance.name}`)
    return { name: instance.name, acknowledged: [...done], total: done.length }
  },
})

const follow = stream({
  id: 'alarms.follow',
  title: 'Follow the alarms of a virtual controller',
  description:
    'Server-sent events: first `pending` with all pending alarms, then `alarms` with the `entries` since, at most one message in `intervalMs`. A client that reads too slowly gets `pending` again, with the number of entries that it has missed. When the instance is deleted or the gateway stops, an event `end` with the `reason` is the last.',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      culture: culture(t),
      intervalMs: t.Optional(t.Integer({ minimum: 10, maximum: 3_600_000, description: 'Default 250.' })),
    }),
  http: [get(path('/stream'))],
  mcp: false,
  aliases: { ...aliases, intervalMs: ['interval'] },
  async run({ name, culture: wanted, intervalMs = 250 }, ctx): Promise<AsyncIterable<StreamEvent>> {
    const { controller } = await open(ctx, name, wanted)
    const ended = await instanceEnd(ctx, name)
    const cultures = [...(wanted === undefined ? [] : [wanted]), ...(currentProject(ctx)?.cultures ?? [])]
    return followAlarms(controller, () => new AlarmViews(controller, cultures), intervalMs, ctx.signal, ended)
  },
})

export const liveOperations: readonly Operation[] = [listPending, listLog, listSources, acknowledge, follow]
