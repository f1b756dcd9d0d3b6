/** The values of all variables, as signals that are set together once per frame. */
import { batch, type Signal, signal } from '@preact/signals'
import type { StationModel } from '../../plugins/hmi/station-model.ts'
import { CallError, call, events, messageOf, whileShown } from '../gateway.ts'

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

/** A PLC of the station as the gateway has it. */
export interface PlcState {
  readonly isReached: boolean
  /** Why it is not reached. */
  readonly reason?: string
  /** Instance of its controller, and its operating state: Run, Stop, Startup … */
  readonly instance?: string
  readonly state?: string
}

/** Something that a person has to know, and that stays until it was seen. */
export interface Notice {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly text: string
}

/** After this time the gateway resets a bit that this page holds and does not renew, ms. */
const holdMs = 6000

/** Notices that are kept. */
const mostNotices = 20

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
  #followed: readonly number[] = []
  /** The writes of each variable, one after the other: two that are under way could arrive in another order. */
  readonly #writes = new Map<number, Promise<boolean>>()
  readonly #held = new Set<number>()
  /** The timers that renew what is held. */
  readonly #renewals = new Map<number, ReturnType<typeof setTimeout>>()
  /** The stream as the gateway knows it, which owns the bits that are held. */
  #viewer: string | undefined
  #noticed = 0
  /** The PLCs of the station by name. */
  readonly plcs = signal<ReadonlyMap<string, PlcState>>(new Map())
  /** Instances of the controllers, for their alarms. */
  readonly instances = signal<readonly string[]>([])
  /** Why nothing comes from the gateway now. */
  readonly fault = signal('')
  /** Counts streams that began after another one had ended: what happened between them has not come. */
  readonly gaps = signal(0)
  /** What was refused or went wrong, newest first. */
  readonly notices = signal<readonly Notice[]>([])
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

  /** Calls the gateway; what it refuses is shown. @returns whether it was done */
  async ask(path: string, body: unknown): Promise<boolean> {
    try {
      await call(path, { body })
      return true
    } catch (error) {
      // Where it is in the call is of no use to a person.
      this.note(messageOf(error).replace(/^\/[\w/]+: /, ''))
      return false
    }
  }

  /** Tells a person something, until it is seen; what is told already comes to the top. */
  note(text: string): void {
    const others = this.notices.peek().filter((one) => one.text !== text)
    const notice = { id: ++this.#noticed, time: Date.now(), text }
    this.notices.value = [notice, ...others].slice(0, mostNotices)
  }

  /** All notices were seen. */
  seen(): void {
    this.notices.value = []
  }

  /** Ends the stream. */
  close(): void {
    this.#aborter.abort()
  }

  /**
   * Follows these variables instead of those before, while the page is to be seen; the stream is opened again when it
   * ends.
   */
  async follow(variables: readonly number[]): Promise<void> {
    this.#followed = variables
    this.#aborter.abort()
    this.#aborter = new AbortController()
    const { signal: closed } = this.#aborter
    let streams = 0
    await whileShown(closed, async (until) => {
      while (!until.aborted) {
        try {
          for await (const { event, data } of events(`${this.path}/stream`, { body: { variables }, signal: until })) {
            this.fault.value = ''
            if (event === 'station') {
              const { version, viewer } = data as { version: string; viewer?: string }
              if (version !== this.#model.version) return this.onOutdated()
              this.#viewer = viewer
              if (streams++ > 0) this.gaps.value++
            } else if (event === 'values') this.#take(data as { v: [number, unknown][]; bad?: [number, string][] })
            else if (event === 'plc') this.#plc(data as PlcState & { plc: string })
            else if (event === 'alarms') this.alarms.value = (data as { pending: StationAlarm[] }).pending
          }
        } catch (error) {
          if (!until.aborted) this.fault.value = messageOf(error)
          if (error instanceof CallError && error.problem.status === 401) return this.#lose(variables)
        }
        if (closed.aborted) return
        this.#lose(variables)
        // Of a page that is hidden the stream ends at once, and begins when it is shown.
        if (!until.aborted) await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    })
  }

  /** Follows what was followed when the stream ended because nobody was signed in. */
  async followAgain(): Promise<void> {
    await this.follow(this.#followed)
  }

  #lose(variables: readonly number[]) {
    this.#viewer = undefined
    for (const index of variables)
      if (this.#model.variables[index]?.plc !== undefined) this.#later(index, { bad: 'The stream has ended.' })
  }

  /** Writes a variable: an internal one here, others through the gateway. @returns whether it was written */
  async write(index: number, value: unknown): Promise<boolean> {
    return this.#inOrder(index, () => this.#write(index, value, {}))
  }

  /** Sets a bit until {@link letGo}, or until this page is gone: the gateway resets it then. */
  async hold(index: number): Promise<boolean> {
    this.#held.add(index)
    return this.#inOrder(index, async () => {
      const isInternal = this.#model.variables[index]!.plc === undefined
      if (this.#viewer !== undefined) {
        const isDone = await this.#write(index, true, { viewer: this.#viewer, holdMs })
        if (isDone && !isInternal) this.#renew(index, this.#viewer)
        return isDone
      }
      if (isInternal) return this.#write(index, true, {})
      this.#held.delete(index)
      this.note('The stream has ended.')
      return false
    })
  }

  /** Says again and again that a bit is held: when this computer is gone, nothing else says that it is not. */
  #renew(index: number, viewer: string): void {
    clearTimeout(this.#renewals.get(index))
    const next = setTimeout(async () => {
      if (viewer !== this.#viewer || !this.#held.has(index)) return
      const { name } = this.#model.variables[index]!
      const body = { variable: name, value: true, viewer, holdMs, renew: true }
      const fault = await call(`${this.path}/actions/write`, { body }).catch((error: unknown) => error)
      // Somebody else has written it, and wants it as it is. Any other fault may be over the next time.
      const isLost = fault instanceof CallError && fault.problem.status === 409
      if (!isLost && this.#renewals.get(index) === next) this.#renew(index, viewer)
    }, holdMs / 3)
    this.#renewals.set(index, next)
  }

  /** Resets a bit that is held. */
  async letGo(index: number): Promise<boolean> {
    this.#held.delete(index)
    return this.#inOrder(index, () => this.#write(index, false, {}))
  }

  /** Whether this page holds a bit. */
  holds(index: number): boolean {
    return this.#held.has(index)
  }

  #inOrder(index: number, work: () => Promise<boolean>): Promise<boolean> {
    const done = (this.#writes.get(index) ?? Promise.resolve(true)).then(work)
    this.#writes.set(index, done)
    return done
  }

  async #write(
    index: number,
    value: unknown,
    more: { readonly viewer?: string; readonly holdMs?: number },
  ): Promise<boolean> {
    const variable = this.#model.variables[index]!
    if (variable.plc !== undefined)
      return this.ask(`${this.path}/actions/write`, { variable: variable.name, value, ...more })
    const fault = this.#beyond(index, value)
    if (fault === undefined) this.of(index).value = value
    else this.note(fault)
    return fault === undefined
  }

  /** What the limits of an internal variable have against a value; those of others are the gateway's to check. */
  #beyond(index: number, value: unknown): string | undefined {
    const { name, low, high } = this.#model.variables[index]!
    if (typeof value !== 'number') return undefined
    const [least, most] = [low, high].map((limit) => {
      const found = limit && ('value' in limit ? limit.value : Number(this.of(limit.variable).peek()))
      return found === undefined || Number.isNaN(found) ? undefined : found
    })
    if (most !== undefined && value > most) return `${value} is above the upper limit ${most} of "${name}".`
    if (least !== undefined && value < least) return `${value} is below the lower limit ${least} of "${name}".`
    return undefined
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

  #plc({ plc, ...state }: PlcState & { plc: string }) {
    this.plcs.value = new Map(this.plcs.peek()).set(plc, state)
    const { instance } = state
    if (instance !== undefined && !this.instances.peek().includes(instance))
      this.instances.value = [...this.instances.peek(), instance]
  }
}

function startOf(text: string | undefined, dataType: string): unknown {
  if (/^bool$/i.test(dataType)) return /^(1|true)$/i.test(text ?? '')
  if (/string|char/i.test(dataType)) return text ?? ''
  return Number(text ?? 0) || 0
}
