/** Advances several virtual controllers together in virtual time. */
import { command, type Operation, post, problem } from '../../../core/index.ts'
import { advanced, type Instance, instances, requireInstance } from '../instances/instance.ts'
import { type JsonValue, type ResolvedTag, readTags, requireProgram, resolveTag, valueAsRead } from '../tags/index.ts'
import { advanceTogether, expectedAdvance, type StepPlan, type Stepped, smallestCycle } from './lock-step.ts'
import { runtimeOf, wrongState } from './runtime.ts'

/** Comparisons of a condition. */
const comparisons: Readonly<Record<string, (is: JsonValue, wanted: JsonValue) => boolean>> = {
  '=': (is, wanted) => JSON.stringify(is) === JSON.stringify(wanted),
  '<>': (is, wanted) => JSON.stringify(is) !== JSON.stringify(wanted),
  '>': (is, wanted) => Number(is) > Number(wanted),
  '>=': (is, wanted) => Number(is) >= Number(wanted),
  '<': (is, wanted) => Number(is) < Number(wanted),
  '<=': (is, wanted) => Number(is) <= Number(wanted),
}

const invalid = (path: string, message: string) =>
  problem('invalid_input', `${path}: ${message}`, { errors: [{ path, message }] })

/** Most steps of one request: an hour of a millisecond each. */
const mostSteps = 3_600_000

const advance = command({
  id: 'simulation.advance-together',
  title: 'Advance several virtual controllers in lock step',
  description:
    'All advance by one step of virtual time, then they exchange what they sent to each other (PUT, GET, TSEND, MB_CLIENT …), in the order given; so runs repeat exactly. The step is the smallest cycle of them unless `stepMs` says otherwise. Runs for `milliseconds`, for `steps`, or `until` a tag has a value (at most `milliseconds` or `steps`, by default 60 s of virtual time). Only in stepped time and in RUN.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      instances: t.Optional(
        t.Array(t.String({ minLength: 1 }), {
          minItems: 1,
          maxItems: 16,
          description: 'In this order they exchange; default: all that are in RUN with stepped time, by name.',
        }),
      ),
      milliseconds: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 3.2e12 })),
      steps: t.Optional(t.Integer({ minimum: 1, maximum: mostSteps })),
      stepMs: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 60_000 })),
      until: t.Optional(
        t.Object({
          instance: t.Optional(t.String({ minLength: 1, description: 'Default: the first.' })),
          tag: t.String({ minLength: 1, maxLength: 2000 }),
          operator: t.Optional(t.Enum(Object.keys(comparisons), { description: 'Default =.' })),
          value: t.Any({ description: 'As for a write: 6, "16#FF", "T#5s"; `>` and the like need a number.' }),
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      steps: t.Integer(),
      stepMs: t.Number(),
      end: t.String({ description: 'steps: all were run; condition: it holds; state: an instance left RUN.' }),
      instances: t.Array(
        t.Object({ name: t.String(), state: t.String(), cycles: t.Integer(), systemTime: t.DateTime() }),
      ),
    }),
  http: [post('/api/simulation/actions/advance'), post('/api/simulation/actions/advance/async', 'async')],
  mcp: { toolset: 'simulation' },
  aliases: { instances: ['names', 'instanceNames'], milliseconds: ['ms', 'durationMs'], stepMs: ['step'] },
  example: { instances: ['PLC_1', 'PLC_2'], milliseconds: 1000 },
  async run({ instances: names, milliseconds, steps, stepMs: wantedStep, until }, ctx) {
    const runtime = runtimeOf(ctx.gateway)
    const isReady = (instance: Instance) =>
      runtime.stateOf(instance) === 'Run' && instance.config.time.mode === 'stepped'
    const chosen =
      names?.map((name) => requireInstance(ctx, name)) ??
      [...ctx.read(instances).values()].filter(isReady).sort((a, b) => (a.name < b.name ? -1 : 1))
    if (chosen.length === 0) throw problem('conflict', 'No instance is in RUN with stepped time.')
    if (new Set(chosen).size < chosen.length) throw invalid('/instances', 'an instance is listed twice')
    const members: Stepped[] = []
    for (const instance of chosen) {
      const { name } = instance
      const controller = await runtime.controllerOf(instance)
      if (controller.options.time.mode !== 'stepped') {
        throw problem('conflict', `Instance "${name}" runs in real time; only stepped time can be advanced.`, {
          suggestion: `PUT /api/simulation/instances/${name}/time { "mode": "stepped" }`,
        })
      }
      if (controller.state !== 'Run')
        throw wrongState(controller.state, `Advancing instance "${name}"`, 'it must be in Run')
      members.push({ name, controller })
    }
    if (milliseconds !== undefined && steps !== undefined)
      throw invalid('/steps', 'cannot be given beside milliseconds')
    if (milliseconds === undefined && steps === undefined && until === undefined)
      throw invalid('/milliseconds', 'is missing: give milliseconds, steps or until')
    const stepMs = wantedStep ?? smallestCycle(members)
    const most = steps ?? Math.ceil((milliseconds ?? 60_000) / stepMs - 1e-9)
    if (most > mostSteps)
      throw invalid('/milliseconds', `are ${most} steps of ${stepMs} ms; at most ${mostSteps} are run`)
    const plan: StepPlan = {
      stepMs,
      steps: most,
      ...(until === undefined ? {} : { until: conditionOf(members, until) }),
    }
    if (ctx.dryRun) {
      const expected = members.map(({ controller }) => expectedAdvance(controller, { milliseconds: most * stepMs }))
      return { steps: most, stepMs, end: 'steps', instances: views(members, expected) }
    }
    let told = 0
    const result = await advanceTogether(await runtime.hub(), members, plan, ctx.signal, (done) => {
      const percent = Math.floor((done / most) * 100)
      if (percent > told) ctx.progress(percent, `${done} of ${most} steps`)
      told = Math.max(told, percent)
    })
    const all = views(
      members,
      result.cycles.map((count, i) => ({ cycles: count, time: members[i]!.controller.time })),
    )
    for (const { name, cycles, systemTime } of all) ctx.emit(advanced, { name, cycles, systemTime }, `instance/${name}`)
    return { steps: result.steps, stepMs, end: result.end, instances: all }
  },
})

function views(members: readonly Stepped[], done: readonly { readonly cycles: number; readonly time: number }[]) {
  return done.map(({ cycles, time }, i) => {
    const { name, controller } = members[i]!
    return { name, state: controller.state, cycles, systemTime: new Date(time).toISOString() }
  })
}

/** A condition on a tag; the tag must exist. */
function conditionOf(
  members: readonly Stepped[],
  {
    instance,
    tag,
    operator = '=',
    value,
  }: { instance?: string | undefined; tag: string; operator?: string | undefined; value?: unknown },
): () => Promise<boolean> {
  const found =
    instance === undefined ? members[0] : members.find(({ name }) => name.toLowerCase() === instance.toLowerCase())
  if (!found) throw invalid('/until/instance', 'is none of those that advance')
  const resolved = resolveTag(requireProgram(found.controller), tag)
  const wanted = wantedValue(resolved, value as JsonValue)
  const compare = comparisons[operator]
  if (operator !== '=' && operator !== '<>' && (typeof wanted === 'object' || Number.isNaN(Number(wanted)))) {
    const message = `${tag} is ${resolved.dataType}, of which one value can be = or <> another, not ${operator}`
    throw invalid('/until/operator', message)
  }
  return async () => {
    const [read] = await readTags(found.controller, [tag])
    return read?.quality === 'Good' && compare?.(read.value, wanted) === true
  }
}

/** The value of a condition as the tag is read; arrays, structures and S5 timers are given so. */
function wantedValue(tag: ResolvedTag, value: JsonValue): JsonValue {
  const isWhole = tag.type.kind === 'array' || tag.type.kind === 'struct' || tag.area === 'T'
  return isWhole ? value : valueAsRead(tag, value, '/until/value')
}

export const lockStepOperations: readonly Operation[] = [advance]
