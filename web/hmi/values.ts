/** The values of all variables, as signals that are set together once per frame. */
import { batch, type Signal, signal } from '@preact/signals'
import type { StationModel } from '../../plugins/hmi/station-model.ts'
import { CallError, call, events } from './gateway.ts'

/** A value, or why there is none. */
export interface Value {
  readonly value: unknown
  /** Absent: the value is good. */
  readonly bad?: string
}

/** The values of a station. */
export class Values {
  readonly #model: StationModel
  readonly #signals: readonly Signal<Value>[]
  readonly #waiting = new Map<number, Value>()
  #isScheduled = false
  #aborter = new AbortController()
  /** What is said about each PLC that is not reached. */
  readonly unreached = signal<ReadonlyMap<string, string>>(new Map())
  /** Instances of the controllers, for their alarms. */
  readonly instances = signal<readonly string[]>([])
  readonly fault = signal('')

  constructor(model: StationModel) {
    this.#model = model
    this.#signals = model.variables.map(({ plc, startValue, dataType }) =>
      signal<Value>(
        plc === undefined ? { value: startOf(startValue, dataType) } : { value: null, bad: 'No value yet.' },
      ),
    )
  }

  of(index: number): Signal<Value> {
    return this.#signals[index]!
  }

  /** The index of a variable by its name. */
  indexOf(name: string): number | undefined {
    const wanted = name.toLowerCase()
    const index = this.#model.variables.findIndex((one) => one.name.toLowerCase() === wanted)
    return index < 0 ? undefined : index
  }

  /** Follows these variables instead of those before; the stream is opened again when it ends. */
  async follow(variables: readonly number[]): Promise<void> {
    this.#aborter.abort()
    this.#aborter = new AbortController()
    const { signal: ended } = this.#aborter
    const path = `/api/hmi/stations/${encodeURIComponent(this.#model.station)}/stream`
    while (!ended.aborted) {
      try {
        for await (const { event, data } of events(path, { variables }, ended)) {
          this.fault.value = ''
          if (event === 'values') this.#take(data as { v: [number, unknown][]; bad?: [number, string][] })
          else if (event === 'plc')
            this.#plc(data as { plc: string; isReached: boolean; instance?: string; reason?: string })
        }
      } catch (error) {
        if (ended.aborted) return
        this.fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
        if (error instanceof CallError && error.status === 401) return
      }
      for (const index of variables)
        if (this.#model.variables[index]?.plc !== undefined)
          this.#later(index, { value: null, bad: 'The stream has ended.' })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  /** Writes a variable: an internal one here, others through the gateway. */
  async write(index: number, value: unknown): Promise<void> {
    const variable = this.#model.variables[index]!
    if (variable.plc === undefined) {
      this.of(index).value = { value }
      return
    }
    const path = `/api/hmi/stations/${encodeURIComponent(this.#model.station)}/actions/write`
    try {
      await call(path, { variable: variable.name, value })
      this.fault.value = ''
    } catch (error) {
      this.fault.value = error instanceof CallError ? error.message : 'The gateway does not answer.'
    }
  }

  #take({ v, bad = [] }: { v: [number, unknown][]; bad?: [number, string][] }) {
    for (const [index, value] of v) this.#later(index, { value })
    for (const [index, reason] of bad) this.#later(index, { value: this.of(index).peek().value, bad: reason })
  }

  #later(index: number, value: Value) {
    this.#waiting.set(index, value)
    if (this.#isScheduled) return
    this.#isScheduled = true
    requestAnimationFrame(() => {
      this.#isScheduled = false
      batch(() => {
        for (const [at, next] of this.#waiting) this.of(at).value = next
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
