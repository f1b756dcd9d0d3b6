/** The values of all variables, as signals that are set together once per frame. */
import { batch, type Signal, signal } from '@preact/signals'
import type { StationModel } from '../../plugins/hmi/station-model.ts'
import { CallError, call, events } from './gateway.ts'

/** An alarm of the station that is pending; times in milliseconds since the epoch. */
export interface StationAlarm {
  readonly name: string
  /** incoming, acknowledged, outgoing. */
  readonly state: string
  readonly needsAcknowledgement: boolean
  readonly isPresent: boolean
  readonly isAcknowledged: boolean
  readonly incomingAt: number
}

/** A value that has come, or why there is none: the last one stays then. */
interface News {
  readonly value?: unknown
  readonly bad?: string
}

/** The values of a station. */
export class Values {
  readonly #model: StationModel
  /** The values, and apart from them what is wrong with them: most of what is drawn depends on one of the two. */
  readonly #signals: readonly Signal<unknown>[]
  readonly #faults: readonly Signal<string | undefined>[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #waiting = new Map<number, News>()
  #isScheduled = false
  #aborter = new AbortController()
  /** What is said about each PLC that is not reached. */
  readonly unreached = signal<ReadonlyMap<string, string>>(new Map())
  /** Instances of the controllers, for their alarms. */
  readonly instances = signal<readonly string[]>([])
  readonly fault = signal('')
  /** Pending alarms of the station, newest first. */
  readonly alarms = signal<readonly StationAlarm[]>([])
  /** Called when the gateway has another version of the station. */
  onOutdated: () => void = () => {}

  constructor(model: StationModel) {
    this.#model = model
    this.#indexes = new Map(model.variables.map(({ name }, i) => [name.toLowerCase(), i]))
    this.#signals = model.variables.map(({ plc, startValue, dataType }) =>
      signal<unknown>(plc === undefined ? startOf(startValue, dataType) : null),
    )
    this.#faults = model.variables.map(({ plc }) => signal(plc === undefined ? undefined : 'No value yet.'))
  }

  /** The value of a variable; null: none has come. */
  of(index: number): Signal<unknown> {
    return this.#signals[index]!
  }

  /** Why a variable has no value now; undefined: it is good. */
  faultOf(index: number): Signal<string | undefined> {
    return this.#faults[index]!
  }

  /** The index of a variable by its name. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name.toLowerCase())
  }

  /** Acknowledges alarms of the station: those that are named, or all. */
  async acknowledge(names?: readonly string[]): Promise<void> {
    await this.ask(`${this.path}/alarms/actions/acknowledge`, names === undefined ? { all: true } : { alarms: names })
  }

  /** Where the gateway has the station. */
  get path(): string {
    return `/api/hmi/stations/${encodeURIComponent(this.#model.station)}`
  }

  /** Calls the gateway; what it refuses is shown. */
  async ask(path: string, body: unknown): Promise<void> {
    try {
      await call(path, body)
      this.fault.value = ''
    } catch (error) {
      this.fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
    }
  }

  /** Ends the stream. */
  close(): void {
    this.#aborter.abort()
  }

  /** Follows these variables instead of those before; the stream is opened again when it ends. */
  async follow(variables: readonly number[]): Promise<void> {
    this.#aborter.abort()
    this.#aborter = new AbortController()
    const { signal: ended } = this.#aborter
    const path = `${this.path}/stream`
    while (!ended.aborted) {
      try {
        for await (const { event, data } of events(path, { variables }, ended)) {
          this.fault.value = ''
          if (event === 'station' && (data as { version: string }).version !== this.#model.version)
            return this.onOutdated()
          if (event === 'values') this.#take(data as { v: [number, unknown][]; bad?: [number, string][] })
          else if (event === 'plc')
            this.#plc(data as { plc: string; isReached: boolean; instance?: string; reason?: string })
          else if (event === 'alarms') this.alarms.value = (data as { pending: StationAlarm[] }).pending
        }
      } catch (error) {
        if (ended.aborted) return
        this.fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
        if (error instanceof CallError && error.status === 401) return
      }
      for (const index of variables)
        if (this.#model.variables[index]?.plc !== undefined) this.#later(index, { bad: 'The stream has ended.' })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  /** Writes a variable: an internal one here, others through the gateway. */
  async write(index: number, value: unknown): Promise<void> {
    const variable = this.#model.variables[index]!
    if (variable.plc === undefined) {
      this.of(index).value = value
      return
    }
    await this.ask(`${this.path}/actions/write`, { variable: variable.name, value })
  }

  #take({ v, bad = [] }: { v: [number, unknown][]; bad?: [number, string][] }) {
    for (const [index, value] of v) this.#later(index, { value })
    for (const [index, reason] of bad) this.#later(index, { bad: reason })
  }

  #later(index: number, news: News) {
    // A value that came just before stays to be seen behind a fault.
    this.#waiting.set(index, 'value' in news ? news : { ...this.#waiting.get(index), ...news })
    if (this.#isScheduled) return
    this.#isScheduled = true
    requestAnimationFrame(() => {
      this.#isScheduled = false
      batch(() => {
        for (const [at, one] of this.#waiting) {
          this.faultOf(at).value = one.bad
          if ('value' in one) this.of(at).value = one.value
        }
      })
      this.#waiting.clear()
    })
  }

  #plc({
    plc,
    isReached,
    instance,
    reason = '',
  }: {
    plc: string
    isReached: boolean
    instance?: string
    reason?: string
  }) {
    const next = new Map(this.unreached.peek())
    if (isReached) next.delete(plc)
    else next.set(plc, reason)
    this.unreached.value = next
    if (instance !== undefined && !this.instances.peek().includes(instance))
      this.instances.value = [...this.instances.peek(), instance]
  }
}

function startOf(text: string | undefined, dataType: string): unknown {
  if (/^bool$/i.test(dataType)) return /^(1|true)$/i.test(text ?? '')
  if (/string|char/i.test(dataType)) return text ?? ''
  return Number(text ?? 0) || 0
}
