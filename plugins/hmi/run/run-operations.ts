/** Live values of a compiled station, and writing them. */
import {
  command,
  defined,
  domainEvent,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  type StreamEvent,
  stream,
} from '../../../core/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { mcp } from '../objects/kind-operations.ts'
import { requireStation } from '../stations.ts'
import type { StationRuntime } from './station-runtime.ts'

/** A person, or a program, wrote a variable through a station. */
export const variableWritten = domainEvent<{ station: string; plc: string; path: string; instance: string }>(
  'hmi.variable-written',
  'A variable was written through an HMI station',
)

const follow = stream({
  id: 'hmi.follow',
  title: 'Follow the values of a compiled HMI station',
  description:
    'Server-sent events. `station`: the version of the model that the indexes are of, and the `viewer` that this stream is; the stream ends when the station is compiled again. `alarms`: the pending alarms of the station after each change. `values`: pairs of index and value in `v` of the variables that changed (first all of them), those without a value in `bad` with the reason; at most one message in `intervalMs`. `plc`: whether the controller of a PLC is reached, its instance and its operating state (`Run`, `Stop` …). Indexes are those of the model; `variables` limits them to those of a screen.',
  input: (t) =>
    t.Object({
      stationName: t.String({ minLength: 1 }),
      variables: t.Optional(
        t.Array(t.Integer({ minimum: 0 }), { maxItems: 50_000, description: 'Indexes in the model. Default: all.' }),
      ),
      intervalMs: t.Optional(t.Integer({ minimum: 20, maximum: 3_600_000, description: 'Default 100.' })),
    }),
  http: [get('/api/hmi/stations/{stationName}/stream'), post('/api/hmi/stations/{stationName}/stream')],
  mcp: false,
  async run({ stationName, variables, intervalMs = 100 }, ctx): Promise<AsyncIterable<StreamEvent>> {
    const station = requireStation(ctx, stationName)
    const { runtimeOfStation } = await import('./station-runtime.ts')
    const runtime = await runtimeOfStation(ctx, station)
    const { model } = runtime
    const wrong = variables?.find((index) => index >= model.variables.length)
    if (wrong !== undefined)
      throw problem(
        'invalid_input',
        `/variables: ${wrong} is no index; there are ${model.variables.length} variables.`,
        {
          errors: [{ path: '/variables', message: 'is no index of a variable', value: wrong }],
        },
      )
    return followRuntime(ctx, runtime, variables ?? model.variables.map((_one, i) => i), intervalMs)
  },
})

async function* followRuntime(
  ctx: QueryContext,
  runtime: StationRuntime,
  variables: readonly number[],
  intervalMs: number,
): AsyncGenerator<StreamEvent> {
  const { followStation } = await import('./live.ts')
  const { model, alarms, holds } = runtime
  const { gateway } = ctx
  const signal = AbortSignal.any([ctx.signal, runtime.signal])
  const viewer = holds.open()
  try {
    yield { event: 'station', data: { version: model.version, viewer } }
    yield* followStation({ read: gateway.state.read, gateway, signal }, model, variables, intervalMs, alarms)
  } finally {
    await runtime.viewerGone(viewer)
  }
}

const write = command({
  id: 'hmi.write-variable',
  title: 'Write a variable through a compiled HMI station',
  description:
    'What operating an object of a screen does. The variable must be one of the station, and writable from HMI; the limits of its HMI tag hold (422). With `viewer` a bit is held: when the stream of that viewer ends, the gateway resets it; with `holdMs` also when it is not renewed in that time, as of a computer that is switched off.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) =>
    t.Object({
      stationName: t.String({ minLength: 1 }),
      variable: t.String({ minLength: 1, maxLength: 2000, description: 'As the objects of the station name it.' }),
      value: t.Any({ description: 'JSON value, or a constant as text.' }),
      viewer: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 100,
          description: 'Of a Bool that is set while a button is pressed: the `viewer` of the `station` event.',
        }),
      ),
      holdMs: t.Optional(
        t.Integer({
          minimum: 500,
          maximum: 60_000,
          description: 'With `viewer`: the bit is reset after this time, ms, unless it is renewed.',
        }),
      ),
      renew: t.Optional(
        t.Boolean({
          description:
            'With `viewer` and `holdMs`: the time begins again; nothing is written. 409 when it is not held.',
        }),
      ),
    }),
  output: (t) => t.Object({ variable: t.String(), value: tagValue(t), plc: t.String(), instance: t.String() }),
  http: [post('/api/hmi/stations/{stationName}/actions/write')],
  mcp: { ...mcp, destructive: true },
  aliases: { variable: ['tag', 'name'] },
  async run({ stationName, variable: name, value, viewer, holdMs, renew }, ctx) {
    const station = requireStation(ctx, stationName)
    const [{ writeVariable }, { runtimeOfStation }] = await Promise.all([
      import('./live.ts'),
      import('./station-runtime.ts'),
    ])
    const runtime = await runtimeOfStation(ctx, station)
    const { plc, path, instance, written } = await writeVariable(ctx, station, runtime, {
      ...{ name, value },
      ...defined({ viewer, renew }),
    })
    if (holdMs !== undefined && viewer !== undefined && !ctx.dryRun && runtime.holds.isHeldBy(viewer, name))
      runtime.holdFor(name, holdMs)
    if (renew !== true)
      ctx.emit(variableWritten, { station: station.name, plc, path, instance }, `instance/${instance}`)
    return { variable: name, value: written, plc, instance }
  },
})

export const runOperations: readonly Operation[] = [follow, write]
