/** Values of a compiled station from the controllers of its PLCs. */
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  type CommandContext,
  type Gateway,
  isGatewayError,
  notFound,
  problem,
  type SliceReader,
  type StreamEvent,
} from '../../../core/index.ts'
import { type Device, findDevice } from '../../devices/index.ts'
import {
  findInstanceByAddress,
  type JsonValue,
  planWrites,
  readTags,
  requireProgram,
  writeTags,
} from '../../simulation/index.ts'
import type { ModelVariable, StationModel } from '../station-model.ts'
import { limitFault } from '../tags/tag-limits.ts'
import type { AlarmStates } from './alarm-states.ts'
import type { Holds } from './holds.ts'
import { followShared } from './shared-watch.ts'

interface Access {
  readonly read: SliceReader
  readonly gateway: Gateway
  readonly signal: AbortSignal
}

/** How often an absent controller is looked for, ms. */
const retryMs = 500

/** The controller that a PLC of the project has, which may be off; undefined: none has its address. */
export async function controllerOfPlc(ctx: Pick<Access, 'read' | 'gateway'>, plc: string) {
  const device = findDevice(ctx, plc)
  for (const { ipAddress } of device?.network?.interfaces ?? []) {
    const found = ipAddress === undefined ? undefined : await findInstanceByAddress(ctx, ipAddress)
    if (found !== undefined && found.controller.state !== 'Off') return found
  }
  return undefined
}

/** Events of several sources in the order they come; a slow reader gets those of a source together. */
class Outlet {
  readonly #values = new Map<number, unknown>()
  readonly #bad = new Map<number, string>()
  readonly #plcs = new Map<string, object>()
  readonly #alarms: AlarmStates | undefined
  #isAlarmed = false
  #wake: () => void = () => {}

  constructor(alarms: AlarmStates | undefined) {
    this.#alarms = alarms
    this.#isAlarmed = alarms !== undefined
  }

  value(index: number, value: unknown) {
    this.#bad.delete(index)
    this.#values.set(index, value)
    this.#wake()
  }
  bad(index: number, reason: string) {
    this.#values.delete(index)
    this.#bad.set(index, reason)
    this.#wake()
  }
  plc(name: string, state: object) {
    this.#plcs.set(name, state)
    this.#wake()
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    const onAlarms = () => {
      this.#isAlarmed = true
      this.#wake()
    }
    this.#alarms?.events.on('change', onAlarms)
    try {
      yield* this.#all(signal)
    } finally {
      this.#alarms?.events.off('change', onAlarms)
    }
  }

  async *#all(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    while (!signal.aborted) {
      if (this.#isAlarmed) {
        this.#isAlarmed = false
        yield { event: 'alarms', data: { pending: this.#alarms?.pending } }
      }
      for (const [plc, state] of [...this.#plcs]) {
        if (this.#plcs.get(plc) === state) this.#plcs.delete(plc)
        yield { event: 'plc', data: { plc, ...state } }
      }
      if (this.#values.size + this.#bad.size > 0) {
        const v = [...this.#values]
        const bad = [...this.#bad]
        this.#values.clear()
        this.#bad.clear()
        yield { event: 'values', data: { v, ...(bad.length > 0 ? { bad } : {}) } }
      } else if (this.#plcs.size === 0 && !this.#isAlarmed && !signal.aborted)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}

/**
 * Follows variables of a station; the controllers are looked for again when they go.
 * @param alarms whose states are sent too: first all that are pending, and again after each change
 */
export async function* followStation(
  ctx: Access,
  model: StationModel,
  indexes: readonly number[],
  intervalMs: number,
  alarms?: AlarmStates,
): AsyncGenerator<StreamEvent> {
  const outlet = new Outlet(alarms)
  const ended = new AbortController()
  const signal = AbortSignal.any([ctx.signal, ended.signal])
  // Also of PLCs without a variable here: a page shows the state of all, and their alarms.
  const byPlc = new Map<string, number[]>((model.plcs ?? []).map((plc) => [plc, []]))
  for (const index of indexes) {
    const { plc } = model.variables[index]!
    if (plc === undefined) continue
    const of = byPlc.get(plc)
    if (of) of.push(index)
    else byPlc.set(plc, [index])
  }
  const failures: unknown[] = []
  const fail = (error: unknown) => {
    if (!signal.aborted) failures.push(error)
    ended.abort()
  }
  for (const [plc, own] of byPlc) followPlc(ctx, plc, model, own, intervalMs, outlet, signal).catch(fail)
  try {
    yield* outlet.events(signal)
  } finally {
    ended.abort()
  }
  if (failures.length > 0) throw failures[0]
}

async function followPlc(
  ctx: Access,
  plc: string,
  model: StationModel,
  indexes: readonly number[],
  intervalMs: number,
  outlet: Outlet,
  signal: AbortSignal,
): Promise<void> {
  const names = indexes.map((index) => model.variables[index]!.path ?? '')
  let isTold = false
  while (!signal.aborted) {
    const found = await controllerOfPlc(ctx, plc)
    if (found === undefined) {
      const reason = `No controller that is switched on has the address of ${plc}.`
      if (!isTold) {
        outlet.plc(plc, { isReached: false, reason })
        for (const index of indexes) outlet.bad(index, reason)
      }
      isTold = true
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined)
      continue
    }
    isTold = false
    const { instance, controller } = found
    let told: string | undefined
    const tell = () => {
      if (controller.state !== told)
        outlet.plc(plc, { isReached: true, instance: instance.name, state: controller.state })
      told = controller.state
    }
    tell()
    const gone = new AbortController()
    const check = setInterval(() => {
      controllerOfPlc(ctx, plc).then(
        (now) => {
          if (now?.controller !== controller) gone.abort()
          else tell()
        },
        () => gone.abort(),
      )
    }, retryMs)
    try {
      const positions = new Map<string, number[]>()
      for (const [i, name] of names.entries()) {
        const at = positions.get(name)
        if (at) at.push(indexes[i]!)
        else positions.set(name, [indexes[i]!])
      }
      const unique = [...positions.keys()]
      const ended = AbortSignal.any([signal, gone.signal])
      if (unique.length === 0) await once(ended, 'abort')
      await followShared(controller, unique, intervalMs, ended, (place, change) => {
        for (const index of positions.get(unique[place]!) ?? [])
          if (change.quality === 'Good') outlet.value(index, change.value)
          else outlet.bad(index, change.error ?? 'The value cannot be read.')
      })
    } finally {
      clearInterval(check)
    }
  }
}

/** Variables of a station by name, ignoring case. */
interface Variables {
  readonly model: StationModel
  readonly variable: (name: string) => ModelVariable | undefined
}

/** Variables of a station by name, ignoring case, and who holds them. */
interface Writing extends Variables {
  readonly holds: Holds
}

interface VariableWrite {
  readonly name: string
  readonly value: unknown
  /** Holds the bit that is set: it is reset when its stream ends. */
  readonly viewer?: string
  /** The viewer still holds the bit: nothing is written, which would undo what the program has made of it. */
  readonly renew?: boolean
}

/**
 * Writes a variable of a station, within the limits of its HMI tag.
 * @throws GatewayError `not_found` for another variable, `conflict` when it is read only or its controller or viewer is
 *   not there, `unacceptable_content` beyond a limit, errors of the write
 */
export async function writeVariable(
  ctx: CommandContext,
  station: Device,
  { model, variable: find, holds }: Writing,
  { name, value, viewer, renew = false }: VariableWrite,
) {
  const variable = find(name)
  if (variable === undefined) {
    const names = model.variables.map((one) => one.name)
    throw notFound('variable', name, names, `on the station "${station.name}"`)
  }
  const { plc, path, isWritable } = variable
  if (plc === undefined || path === undefined)
    throw problem('conflict', `"${name}" is an internal tag: each page has a value of its own.`)
  if (!isWritable) throw problem('conflict', `"${name}" is not writable from HMI.`)
  const found = await controllerOfPlc(ctx, plc)
  if (found === undefined) throw problem('conflict', `No controller that is switched on has the address of "${plc}".`)
  const { instance, controller } = found
  const inputs = [{ name: path, value: value as JsonValue }]
  const places = () => ({ name: '/variable', value: '/value' })
  const [planned] = planWrites(requireProgram(controller), inputs, places).values
  await requireWithin(ctx, model, variable, planned)
  const isHeld = viewer !== undefined && planned === true
  if (viewer !== undefined && !holds.has(viewer))
    throw problem('conflict', `The viewer that would hold "${name}" has gone.`, {
      errors: [{ path: '/viewer', message: 'is no stream that is open', value: viewer }],
    })
  if (viewer !== undefined && typeof planned !== 'boolean')
    throw problem('unacceptable_content', `"${name}" is ${variable.dataType}: only a Bool can be held.`, {
      errors: [{ path: '/viewer', message: 'only a Bool can be held', value: viewer }],
    })
  const done = { plc, path, instance: instance.name, written: planned ?? null }
  if (renew && !(isHeld && holds.isHeldBy(viewer, name)))
    throw problem('conflict', `"${name}" is not held by this viewer.`, {
      errors: [{ path: '/renew', message: 'only what the viewer holds TRUE is renewed' }],
    })
  if (ctx.dryRun || renew) return done
  // Before it is set: a viewer that goes meanwhile lets it go.
  if (isHeld) holds.hold(viewer, name)
  const written = (await writeTags(controller, inputs, places))[0]?.value
  if (!isHeld) holds.drop(name)
  else if (!holds.has(viewer)) await letGo(ctx, variable)
  return { ...done, written: written ?? null }
}

/** @throws GatewayError `unacceptable_content` for a value beyond a limit of the variable */
async function requireWithin(
  ctx: Pick<Access, 'read' | 'gateway'>,
  model: StationModel,
  variable: ModelVariable,
  value: unknown,
): Promise<void> {
  const known = new Map<number, number>()
  for (const limit of [variable.low, variable.high])
    if (limit !== undefined && 'variable' in limit) {
      const { plc, path, startValue } = model.variables[limit.variable]!
      const found = plc === undefined ? undefined : await controllerOfPlc(ctx, plc)
      const read = found && path !== undefined ? (await readTags(found.controller, [path]))[0]?.value : startValue
      if (read !== null && read !== undefined && Number.isFinite(Number(read))) known.set(limit.variable, Number(read))
    }
  const fault = limitFault(variable, value, (limit) => ('value' in limit ? limit.value : known.get(limit.variable)))
  if (fault !== undefined)
    throw problem('unacceptable_content', `/value: ${fault}.`, { errors: [{ path: '/value', message: fault, value }] })
}

/** Resets a bit that nobody holds any more. @returns false: its controller is not there, or does not take it */
export async function letGo(ctx: Pick<Access, 'read' | 'gateway'>, variable: ModelVariable): Promise<boolean> {
  const { plc, path } = variable
  const found = plc === undefined ? undefined : await controllerOfPlc(ctx, plc)
  if (found === undefined || path === undefined) return false
  try {
    await writeTags(found.controller, [{ name: path, value: false }])
    return true
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return false
  }
}
