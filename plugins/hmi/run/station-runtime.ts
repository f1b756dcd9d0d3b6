/**
 * What runs for a compiled station whether a page is open or not: the states of its alarms, and the recording for its
 * trends. One for each station and gateway; it ends with the gateway, and when the station is gone or compiled again.
 */
import { type Gateway, type LogRecord, problem, type QueryContext, type SliceReader } from '../../../core/index.ts'
import { type Device, devices } from '../../devices/index.ts'
import { compiledStations, requireCompiled } from '../compile/compiled.ts'
import type { ModelVariable, StationModel } from '../station-model.ts'
import { AlarmStates } from './alarm-states.ts'
import { Holds } from './holds.ts'
import { controllerOfPlc, followStation, letGo } from './live.ts'
import { TrendTraces } from './trend-traces.ts'

/** How often controllers that came or got another program are looked for, ms. */
const checkMs = 500
/** At most one message about triggers of alarms in this time, ms. */
const alarmMs = 100

interface Access {
  readonly gateway: Gateway
  readonly read: SliceReader
}

export class StationRuntime {
  readonly model: StationModel
  readonly alarms: AlarmStates
  readonly trends: TrendTraces
  /** Bits that viewers hold. */
  readonly holds = new Holds()
  readonly #access: Access
  readonly #byName: ReadonlyMap<string, ModelVariable>
  readonly #ended = new AbortController()
  #check: NodeJS.Timeout | undefined
  #working: Promise<unknown> = Promise.resolve()

  constructor(gateway: Gateway, model: StationModel, before?: StationRuntime) {
    this.model = model
    this.#access = { gateway, read: gateway.state.read }
    this.alarms = new AlarmStates(model.alarms, gateway.clock, before?.alarms)
    this.trends = new TrendTraces(model)
    this.#byName = new Map(model.variables.map((one) => [one.name.toLowerCase(), one]))
  }

  /** @param isCurrent false when the station is gone, or was compiled again */
  start(isCurrent: () => boolean): void {
    const { signal } = this.#ended
    const { variables } = this.alarms
    const warn = (error: unknown) =>
      this.#access.gateway.log.warn({ err: error, station: this.model.station }, 'the HMI station does not follow')
    if (variables.length > 0)
      this.#working = this.#followAlarms(variables, signal).catch((error: unknown) => signal.aborted || warn(error))
    if (variables.length === 0 && this.trends.plcs.length === 0) return
    this.#check = setInterval(() => {
      if (!isCurrent()) void this.end()
      else this.record().catch(warn)
    }, checkMs)
    this.#check.unref()
  }

  /** Records for trends on the controllers that are there now. */
  async record(): Promise<void> {
    for (const plc of this.trends.plcs) {
      const found = await controllerOfPlc(this.#access, plc)
      if (found !== undefined && !this.#ended.signal.aborted) await this.trends.record(plc, found.controller)
    }
  }

  readonly variable = (name: string): ModelVariable | undefined => this.#byName.get(name.toLowerCase())

  /** A viewer has gone: what it held is let go, again and again while the controller does not take it. */
  async viewerGone(viewer: string): Promise<void> {
    for (const variable of this.holds.close(viewer)) await this.#letGo(variable)
  }

  /**
   * A bit is held for a time only: it is let go then unless this is called again.
   * @param ms from now
   */
  holdFor(name: string, ms: number): void {
    const { ticks } = this.#access.gateway
    const isWatched = this.holds.endOf(name) !== undefined
    this.holds.endAt(name, ticks() + ms)
    if (!isWatched) this.#watchEnd(name, ms)
  }

  #watchEnd(name: string, ms: number): void {
    setTimeout(() => {
      const end = this.holds.endOf(name)
      if (end === undefined) return
      const left = end - this.#access.gateway.ticks()
      if (left > 0) this.#watchEnd(name, left)
      else void this.#letGo(name)
    }, ms).unref()
  }

  /** @param released what the hold was released to; it may be taken again before the bit is reset */
  async #letGo(name: string, released = this.holds.release(name)): Promise<void> {
    const { gateway } = this.#access
    const variable = this.variable(name)
    if (variable === undefined || released === undefined || !this.holds.isReleased(name, released)) return
    const isDone = await letGo(this.#access, variable).catch((error: unknown) => {
      gateway.log.warn({ err: error, station: this.model.station, variable: variable.name }, 'a held bit is not reset')
      return false
    })
    if (isDone) {
      if (this.holds.isReleased(name, released)) this.holds.drop(name)
      gateway.log.info(
        { station: this.model.station, variable: variable.name },
        'a held bit was reset: its viewer has gone',
      )
    } else if (!this.#ended.signal.aborted) setTimeout(() => void this.#letGo(name, released), checkMs).unref()
  }

  /** Aborted when it ends. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  async #followAlarms(variables: readonly number[], signal: AbortSignal): Promise<void> {
    for await (const { event, data } of followStation({ ...this.#access, signal }, this.model, variables, alarmMs))
      if (event === 'values')
        for (const [variable, value] of (data as { v: readonly [number, unknown][] }).v)
          this.alarms.take(variable, value)
  }

  async end(): Promise<void> {
    clearInterval(this.#check)
    this.#ended.abort()
    for (const variable of this.holds.held) await this.#letGo(variable)
    await this.trends.end()
    await this.#working
  }
}

interface Kept {
  /** Blob of the model. */
  readonly hash: string
  readonly runtime: Promise<StationRuntime>
}

const kept = new WeakMap<Gateway, Map<string, Kept>>()

/** Gateways that close: a request that is still under way must not begin what nobody would end. */
const closing = new WeakSet<Gateway>()

/**
 * The runtime of a station; made on first use after the gateway has started or the station was compiled.
 * @throws GatewayError `conflict` when the station is not compiled; `shutting_down`
 */
export async function runtimeOfStation(
  ctx: Pick<QueryContext, 'gateway' | 'read' | 'blobs'>,
  station: Device,
): Promise<StationRuntime> {
  const { model: hash } = requireCompiled(ctx, station)
  const { gateway } = ctx
  if (closing.has(gateway)) throw problem('shutting_down', 'The gateway is shutting down.')
  const all = kept.get(gateway) ?? new Map<string, Kept>()
  kept.set(gateway, all)
  const before = all.get(station.id)
  if (before?.hash === hash) return before.runtime
  const make = async () => {
    const old = await before?.runtime.catch(() => undefined)
    // The old one ends also when the new model cannot be read; its alarms are taken over.
    const [text] = await Promise.all([ctx.blobs.text(hash), old?.end()])
    const runtime = new StationRuntime(gateway, JSON.parse(text) as StationModel, old)
    runtime.start(() => gateway.state.read(compiledStations).get(station.id)?.model === hash)
    return runtime
  }
  const runtime = make()
  all.set(station.id, { hash, runtime })
  runtime.catch(() => {
    if (all.get(station.id)?.runtime === runtime) all.delete(station.id)
  })
  return runtime
}

/**
 * Makes the runtimes of the stations that are compiled when the gateway starts, and of those that are compiled later.
 */
export function watchStations(gateway: Gateway): void {
  // A replay uses a past state.
  if (gateway.options.blobSource) return
  gateway.bus.on('records', (records: readonly LogRecord[]) => {
    if (!records.some(({ type }) => type === 'hmi.compiled' || type === 'gateway.started')) return
    const operation = gateway.registry.operation('hmi.list-pending-alarms')
    const all = gateway.state.read(devices)
    for (const { deviceId, isLive } of gateway.state.read(compiledStations).values()) {
      const station = all.get(deviceId)
      if (isLive !== true || station === undefined || operation === undefined) continue
      const input = { stationName: station.name, limit: 1 }
      gateway.invoke(operation, input, { actor: { name: 'system', access: 'viewer' } }).catch((error: unknown) => {
        if (!closing.has(gateway)) gateway.log.warn({ err: error, station: station.name }, 'the HMI station is not run')
      })
    }
  })
}

/** Ends all runtimes of a gateway, for good. */
export async function endStations(gateway: Gateway): Promise<void> {
  closing.add(gateway)
  const all = kept.get(gateway)
  kept.delete(gateway)
  for (const { runtime } of all?.values() ?? []) await runtime.then((one) => one.end()).catch(() => undefined)
}
