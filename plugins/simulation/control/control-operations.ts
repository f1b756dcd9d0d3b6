/** Operations on virtual time, statistics, diagnostics buffer, forces and traces of a virtual controller. */
import { command, del, get, type Operation, post, problem, put, query } from '../../../core/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import type { DiagnosticEntry, Force, TimeMode } from '../controller/contract.ts'
import { eventText } from '../controller/event-ids.ts'
import { instanceAliases, instanceName, timeFields } from '../declarations.ts'
import { advanced, forcesSet, instanceConfigured, requireInstance, timeSet } from '../instances/instance.ts'
import { controllerOptions, readSystemTime, readTime } from '../instances/instance-config.ts'
import { expectedAdvance } from '../running/lock-step.ts'
import { type Connection, requireOn, runtimeOf, wrongState } from '../running/runtime.ts'
import {
  activeForces,
  ForcedBits,
  forceFault,
  forcesOf,
  type JsonValue,
  requireProgram,
  resolveTag,
  traceColumns,
  traceValues,
  writeValue,
} from '../tags/index.ts'
import { recordedTrace } from './recorded-trace.ts'

type Builder = Parameters<Operation['input']>[0]

const path = (rest: string) => `/api/simulation/instances/{name}/${rest}`
const aliases = { name: instanceAliases }

// ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const timeOutput = (t: Builder) =>
  t.Object({
    name: t.String(),
    state: t.String(),
    mode: t.String({ description: 'real or stepped.' }),
    factor: t.Optional(t.Number({ description: 'Of real time.' })),
    cycleTimeMs: t.Optional(t.Number({ description: 'Of stepped time: what a cycle takes of it.' })),
    systemTime: t.DateTime({ description: 'Virtual, UTC.' }),
    utcOffsetMinutes: t.Integer(),
    cycles: t.Integer({ description: 'Since STARTUP.' }),
  })

const timeView = (
  { instance, controller }: Connection,
  mode: TimeMode = controller.options.time,
  time = controller.time,
) => ({
  name: instance.name,
  state: controller.state,
  ...mode,
  systemTime: new Date(time).toISOString(),
  utcOffsetMinutes: controller.options.utcOffsetMinutes,
  cycles: controller.statistics.cycles,
})

const readTimeOperation = query({
  id: 'simulation.get-time',
  title: 'Read the virtual time of a virtual controller',
  live: true,
  input: (t) => t.Object({ name: instanceName(t) }),
  output: timeOutput,
  http: [get(path('time'))],
  mcp: { toolset: 'simulation' },
  aliases,
  run: async ({ name }, ctx) => timeView(await requireOn(ctx, name)),
})

const setTime = command({
  id: 'simulation.set-time',
  title: 'Set the virtual time of a virtual controller',
  description:
    'Real time passes as the computer’s does, times `factor` (0.01 to 100). Stepped time stands until `actions/advance` moves it: two runs with the same inputs give the same result. `systemTime` sets the clock. The mode is kept with the configuration of the instance.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      ...timeFields(t),
      systemTime: t.Optional(t.DateTime({ description: '1970 to 2199.' })),
    }),
  output: timeOutput,
  http: [put(path('time'))],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { ...aliases, factor: ['scaleFactor'] },
  example: { name: 'PLC_1', mode: 'stepped', cycleTimeMs: 1 },
  async run({ name, systemTime, ...fields }, ctx) {
    const connection = await requireOn(ctx, name)
    const { instance, controller } = connection
    const time = readTime(fields, instance.config.time, '')
    const clock = systemTime === undefined ? undefined : readSystemTime(systemTime, '/systemTime')
    const config = { ...instance.config, time }
    const isChanged = Object.values(fields).some((value) => value !== undefined)
    if (!ctx.dryRun) {
      const { storage, pulledModules } = controller.options
      const options = controllerOptions(instance, storage, config)
      if (isChanged) await controller.configure({ ...options, ...(pulledModules ? { pulledModules } : {}) })
      if (clock !== undefined) await controller.setTime(clock)
    }
    const entity = `instance/${instance.name}`
    if (isChanged) ctx.emit(instanceConfigured, { name: instance.name, config }, entity)
    if (clock !== undefined)
      ctx.emit(timeSet, { name: instance.name, systemTime: new Date(clock).toISOString() }, entity)
    return timeView(connection, time, ctx.dryRun ? clock : undefined)
  },
})

const advance = command({
  id: 'simulation.advance',
  title: 'Advance the stepped time of a virtual controller',
  description:
    'Runs whole cycles (`cycles`) or until virtual time has moved on (`milliseconds`), as fast as the computer can, with cyclic interrupts and timers exactly at their virtual times. Only in stepped time and in RUN.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      cycles: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000_000 })),
      milliseconds: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 3.2e12 })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      state: t.String({ description: 'Stop: the program went to STOP meanwhile; see the diagnostics buffer.' }),
      cycles: t.Integer({ description: 'Cycles that were run.' }),
      systemTime: t.DateTime(),
    }),
  http: [post(path('actions/advance')), post(path('actions/advance/async'), 'async')],
  mcp: { toolset: 'simulation' },
  aliases: { ...aliases, milliseconds: ['ms', 'durationMs'] },
  example: { name: 'PLC_1', cycles: 10 },
  async run({ name: wanted, cycles, milliseconds }, ctx) {
    const { instance, controller } = await requireOn(ctx, wanted)
    const { name } = instance
    if ((cycles === undefined) === (milliseconds === undefined)) {
      const message =
        cycles === undefined ? 'is missing: give cycles or milliseconds' : 'cannot be given beside milliseconds'
      throw problem('invalid_input', `/cycles: ${message}`, { errors: [{ path: '/cycles', message }] })
    }
    if (controller.options.time.mode !== 'stepped') {
      throw problem('conflict', `Instance "${name}" runs in real time; only stepped time can be advanced.`, {
        suggestion: `PUT /api/simulation/instances/${name}/time { "mode": "stepped" }`,
      })
    }
    if (controller.state !== 'Run') {
      throw wrongState(controller.state, `Advancing instance "${name}"`, 'it must be in Run')
    }
    const by = cycles === undefined ? { milliseconds: milliseconds! } : { cycles }
    const done = ctx.dryRun ? expectedAdvance(controller, by) : await controller.advance(by, ctx.signal)
    const systemTime = new Date(done.time).toISOString()
    ctx.emit(advanced, { name, cycles: done.cycles, systemTime }, `instance/${name}`)
    return { name, state: controller.state, cycles: done.cycles, systemTime }
  },
})

// ── Statistics and diagnostics ──────────────────────────────────────────────────────────────────────────────────────

const statistics = query({
  id: 'simulation.get-statistics',
  title: 'Read the cycle statistics of a virtual controller',
  live: true,
  input: (t) => t.Object({ name: instanceName(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      state: t.String(),
      cycles: t.Integer({ description: 'Since STARTUP.' }),
      lastMs: t.Number({
        description:
          'From the start of a cycle to the next: real time, or virtual time when it is stepped. Pauses do not count.',
      }),
      minimumMs: t.Number(),
      averageMs: t.Number(),
      maximumMs: t.Number(),
      executionLastMs: t.Number({ description: 'Execution alone, without waiting for the minimum cycle time.' }),
      executionAverageMs: t.Number(),
      executionMaximumMs: t.Number(),
      overruns: t.Integer({ description: 'Cycles beyond the maximum cycle time.' }),
      lostEvents: t.Integer({ description: 'Events of cyclic interrupts that were lost.' }),
    }),
  http: [get(path('statistics'))],
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ name }, ctx) {
    const { instance, controller } = await requireOn(ctx, name)
    const { begunCycles: _begun, ...statistics } = controller.statistics
    return { name: instance.name, state: controller.state, ...statistics }
  },
})

const entryFields = (t: Builder) => ({
  number: t.Integer(),
  time: t.DateTime({ description: 'Virtual.' }),
  severity: t.String({ description: 'information, warning or error.' }),
  code: t.String({ description: 'e.g. mode-change, cycle-time-exceeded, array-index, stop-instruction.' }),
  eventId: t.Optional(t.String({ description: 'As S7 controllers number the event: 16#4302 is STARTUP to RUN.' })),
  message: t.String(),
  block: t.Optional(t.String()),
  network: t.Optional(t.Integer()),
  line: t.Optional(t.Integer()),
  column: t.Optional(t.Integer()),
})

const entryView = ({ eventId, ...entry }: DiagnosticEntry) => ({
  ...entry,
  time: new Date(entry.time).toISOString(),
  ...(eventId === undefined ? {} : { eventId: eventText(eventId) }),
})

const diagnostics = query({
  id: 'simulation.get-diagnostics',
  title: 'Read the diagnostics buffer of a virtual controller',
  description:
    'Newest first: what happened, when (virtual time), and where in the program. It survives power-off only as long as the gateway runs.',
  live: true,
  byTime: true,
  input: (t) =>
    t.Object({
      name: instanceName(t),
      severity: t.Optional(t.Enum(['information', 'warning', 'error'])),
      code: t.Optional(t.String({ minLength: 1 })),
      block: t.Optional(t.String({ minLength: 1 })),
      since: t.Optional(t.DateTime({ description: 'Only entries from this time on.' })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default 100.' })),
      cursor: t.Optional(t.Integer({ description: '`nextCursor` of the page before: older entries than this.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      entries: t.Array(t.Object(entryFields(t))),
      total: t.Integer({ description: 'Entries that fit, on all pages.' }),
      nextCursor: t.Optional(t.Integer()),
    }),
  http: [get(path('diagnostics'))],
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ name, severity, code, block, since, limit = 100, cursor = Number.POSITIVE_INFINITY }, ctx) {
    const instance = requireInstance(ctx, name)
    const controller = await runtimeOf(ctx.gateway).controllerOf(instance)
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
    const found = controller.diagnostics.filter(
      (entry) =>
        (severity === undefined || entry.severity === severity) &&
        (code === undefined || entry.code === code) &&
        (block === undefined || entry.block?.toLowerCase() === block.toLowerCase()) &&
        entry.time >= from,
    )
    // New entries come before all others: a position would move, a number stays.
    const rest = found.filter(({ number }) => number < cursor)
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return {
      name: instance.name,
      entries: page.map(entryView),
      total: found.length,
      ...(last && page.length < rest.length ? { nextCursor: last.number } : {}),
    }
  },
})

// ── Forces ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const forceFields = (t: Builder) => ({ tag: t.String(), dataType: t.String(), value: tagValue(t) })
const forcesOutput = (t: Builder) =>
  t.Object({ name: t.String(), forces: t.Array(t.Object(forceFields(t))), total: t.Integer() })

/** Forces by the names with which they were set, or otherwise by their operands; default: those in the controller. */
function forcesView({ instance, controller }: Connection, wanted = controller.forces) {
  const active = wanted.length === 0 ? [] : activeForces(requireProgram(controller), wanted)
  const forces = active.map(({ tag, value }) => ({ tag: tag.name, dataType: tag.dataType, value }))
  return { name: instance.name, forces, total: forces.length }
}

const readForces = query({
  id: 'simulation.get-forces',
  title: 'Read the forces of a virtual controller',
  live: true,
  tagged: true,
  input: (t) => t.Object({ name: instanceName(t) }),
  output: forcesOutput,
  http: [get(path('forces'))],
  mcp: { toolset: 'simulation' },
  aliases,
  run: async ({ name }, ctx) => forcesView(await requireOn(ctx, name)),
})

const forceLimit = 1000

const setForces = command({
  id: 'simulation.set-forces',
  title: 'Force inputs and outputs of a virtual controller',
  description:
    'Replaces all forces. Inputs and outputs can be forced, by tag or address (`Start`, `%I0.0`, `%QW2`); they hold against the program and against writes until they are taken away, also in STOP, over power-off and another program, as in an S7-1500. An empty list takes all away.',
  live: true,
  lasting: 'Forces are of the controller: replace or remove them there.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      forces: t.Array(
        t.Object({
          tag: t.Optional(t.String({ minLength: 1, description: 'Name or address.' })),
          address: t.Optional(t.String({ minLength: 1, description: 'Instead of `tag`.' })),
          value: t.Any(),
        }),
        { maxItems: forceLimit },
      ),
    }),
  output: forcesOutput,
  http: [put(path('forces'))],
  asks: ['force a tag'],
  mcp: { toolset: 'simulation', destructive: true },
  aliases,
  example: { name: 'PLC_1', forces: [{ tag: '%I0.0', value: true }] },
  async run({ name, forces: wanted }, ctx) {
    const connection = await requireOn(ctx, name)
    const { controller, instance } = connection
    const program = requireProgram(controller)
    const forces: Force[] = []
    const held = new ForcedBits<{ readonly place: string; readonly text: string }>()
    for (const [i, { tag: text, address, value }] of wanted.entries()) {
      const at = `/forces/${i}`
      const given = text ?? address
      if (given === undefined) {
        throw problem('invalid_input', `${at}/tag: is missing`, {
          errors: [{ path: `${at}/tag`, message: 'is missing', code: 'missing' }],
        })
      }
      const tag = resolveTag(program, given)
      const message = forceFault(tag)
      if (message !== undefined) {
        throw problem('unacceptable_content', `${at}/tag: ${message}.`, {
          errors: [{ path: `${at}/tag`, message, value: given }],
        })
      }
      const place = `${tag.writeAddress}.${tag.bit ?? ''}/${tag.size}`
      const writes = writeValue(tag, value as JsonValue, `${at}/value`)
      const other = held.take({ place, text: `"${given}" of ${at}` }, writes)
      if (other) {
        const twice = `is forced twice: it ${other.place === place ? 'is' : 'shares bits with'} ${other.text}`
        throw problem('invalid_input', `${at}/tag: "${given}" ${twice}.`, {
          errors: [{ path: `${at}/tag`, message: twice, value: given }],
        })
      }
      forces.push(...forcesOf(tag, writes))
    }
    if (!ctx.dryRun) await controller.setForces(forces)
    const view = forcesView(connection, forces)
    const values = view.forces.map(({ tag, value }) => ({ tag, value }))
    ctx.emit(forcesSet, { name: instance.name, forces: values }, `instance/${instance.name}`)
    return view
  },
})

const removeForces = command({
  id: 'simulation.remove-forces',
  title: 'Take the forces of a virtual controller away',
  description:
    'All of them. Inputs have the values of the periphery again, outputs those of the program, from the next cycle on.',
  live: true,
  lasting: 'Forces are of the controller: replace or remove them there.',
  access: 'operator',
  input: (t) => t.Object({ name: instanceName(t) }),
  output: (t) => t.Object({ name: t.String(), removed: t.Integer() }),
  http: [del(path('forces'))],
  mcp: { toolset: 'simulation', destructive: true },
  aliases,
  async run({ name }, ctx) {
    const connection = await requireOn(ctx, name)
    const { instance, controller } = connection
    const { total } = forcesView(connection)
    if (!ctx.dryRun) await controller.setForces([])
    ctx.emit(forcesSet, { name: instance.name, forces: [] }, `instance/${instance.name}`)
    return { name: instance.name, removed: total }
  },
})

// ── Trace ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const startTrace = command({
  id: 'simulation.start-trace',
  title: 'Record tags of a virtual controller',
  description:
    'A sample every `everyCycles` cycles into a ring buffer of `samples`; older ones are overwritten. A trace that runs is replaced. Loading another program ends it.',
  live: true,
  lasting: false,
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      tags: t.Array(t.String({ minLength: 1, maxLength: 2000 }), { minItems: 1, maxItems: 1000 }),
      samples: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default 10000.' })),
      everyCycles: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default 1.' })),
    }),
  output: (t) =>
    t.Object({ name: t.String(), tags: t.Array(t.String()), samples: t.Integer(), everyCycles: t.Integer() }),
  http: [post(path('trace'))],
  mcp: { toolset: 'simulation' },
  aliases: { ...aliases, tags: ['tagNames', 'names'] },
  example: { name: 'PLC_1', tags: ['Start', 'Data.speed'], samples: 1000 },
  async run({ name, tags, samples = 10_000, everyCycles = 1 }, ctx) {
    const { instance, controller, entry } = await requireOn(ctx, name)
    const { ranges, columns } = traceColumns(requireProgram(controller), tags)
    if (!ctx.dryRun) {
      await controller.startTrace({ ranges, samples, everyCycles })
      entry.traced = tags
      entry.isTracing = true
    }
    return { name: instance.name, tags: columns.map(({ tag }) => tag.name), samples, everyCycles }
  },
})

const stopTrace = command({
  id: 'simulation.stop-trace',
  title: 'Stop recording tags of a virtual controller',
  description: 'What was recorded can be read until another trace is started.',
  live: true,
  lasting: false,
  access: 'operator',
  input: (t) => t.Object({ name: instanceName(t) }),
  output: (t) =>
    t.Object({ name: t.String(), stopped: t.Boolean({ description: 'false: nothing was being recorded.' }) }),
  http: [del(path('trace'))],
  mcp: { toolset: 'simulation', destructive: true },
  aliases,
  async run({ name }, ctx) {
    const { instance, controller, entry } = await requireOn(ctx, name)
    const stopped = entry.isTracing
    if (!ctx.dryRun) {
      await controller.stopTrace()
      entry.isTracing = false
    }
    return { name: instance.name, stopped }
  },
})

const readTrace = query({
  id: 'simulation.get-trace',
  title: 'Read the recorded tags of a virtual controller',
  description:
    'Oldest sample first, as JSON or (with `format=csv` or `Accept: text/csv`) as CSV with a line for each sample: cycle, virtual time, values.',
  live: true,
  input: (t) =>
    t.Object({
      name: instanceName(t),
      format: t.Optional(t.Enum(['json', 'csv'])),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000, description: 'Only the newest so many.' })),
    }),
  output: (t) =>
    t.Union([
      t.Object({
        name: t.String(),
        tags: t.Array(t.String()),
        samples: t.Array(t.Object({ cycle: t.Integer(), time: t.String(), values: t.Array(tagValue(t)) })),
        total: t.Integer(),
      }),
      t.String({ description: 'CSV.' }),
    ]),
  http: [get(path('trace'))],
  mcp: { toolset: 'simulation' },
  produces: 'text/csv',
  accepts: { 'text/csv': { format: 'csv' } },
  aliases,
  async run({ name, format, limit }, ctx) {
    const { name: stored, columns, samples: all } = await recordedTrace(ctx, name)
    const samples = limit === undefined ? all : all.slice(-limit)
    if (format === 'csv') {
      const { traceCsv } = await import('../tags/trace-csv.ts')
      let text = ''
      for await (const piece of traceCsv(samples, columns)) text += piece
      return text
    }
    return {
      name: stored,
      tags: columns.map(({ tag }) => tag.name),
      samples: samples.map((sample) => ({
        cycle: sample.cycle,
        time: new Date(sample.time).toISOString(),
        values: traceValues(sample, columns),
      })),
      total: all.length,
    }
  },
})

export const controlOperations: readonly Operation[] = [
  readTimeOperation,
  setTime,
  advance,
  statistics,
  diagnostics,
  readForces,
  setForces,
  removeForces,
  startTrace,
  stopTrace,
  readTrace,
]
