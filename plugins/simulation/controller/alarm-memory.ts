/**
 * The alarms of a controller, in its thread.
 *
 * ```
 * none ──signal──▶ present ──end──▶ gone ──acknowledged──▶ none
 *                     └──acknowledged──▶ present, acknowledged ──end──▶ none
 * ```
 *
 * An alarm whose class needs no acknowledgement is acknowledged from the beginning. What the program sees depends on
 * virtual time alone. Events for the gateway are bounded: when it does not keep up, the oldest are left out, counted,
 * and the alarms that are pending then are sent whole.
 */
import { defined } from '../../../core/index.ts'
import {
  type AlarmChange,
  type AlarmState,
  type Alarms,
  type AlarmValue,
  alarmStatus,
} from '../../../plc/runtime/alarms.ts'
import type {
  AlarmBatch,
  AlarmEvent,
  AlarmEventKind,
  AlarmSelection,
  AlarmSource,
  PendingAlarm,
} from './alarm-messages.ts'

/** Batches that the gateway may have to read before the thread waits with the next, and events that it keeps then. */
const mostUnread = 4
const mostKept = 5000
/** Numbers of alarms of Gen_UsrMsg: text list and text are in the lower bytes. */
const userMessages = 2 ** 32

/** Words that thread and gateway share: batches read by the gateway; 1 while the thread keeps events back. */
export const alarmWords = { read: 0, waiting: 1 } as const

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Environment {
  /** Most alarms that may be pending. */
  readonly most: number
  /** System time, ms since 1970, virtual. */
  now(): number
  post(batch: AlarmBatch): void
  /** Enters a message of the program in the diagnostics buffer. */
  note(text: string): void
}

/** The alarms of one controller. */
export class AlarmMemory implements Alarms {
  readonly #environment: Environment
  readonly #words: Int32Array
  #byAddress: ReadonlyMap<number, AlarmSource> = new Map()
  #byName: ReadonlyMap<string, AlarmSource> = new Map()
  readonly #pending = new Map<string, Mutable<PendingAlarm>>()
  #events: AlarmEvent[] = []
  #lost = 0
  /** Changes that the program has not read; absent while it is not logged on. */
  #changes: AlarmChange[] | undefined
  #sent = 0

  constructor(words: SharedArrayBuffer, environment: Environment) {
    this.#words = new Int32Array(words)
    this.#environment = environment
  }

  /** Another program is loaded: alarms whose source is still there stay. */
  load(sources: readonly AlarmSource[]): void {
    this.logOff()
    this.#byAddress = new Map(
      sources.flatMap((source) => (source.address === undefined ? [] : [[source.address, source]])),
    )
    this.#byName = new Map(sources.map((source) => [source.name, source]))
    for (const alarm of [...this.#pending.values()]) {
      const source = this.#byName.get(alarm.name)
      if (source) Object.assign(alarm, { id: source.id })
      else this.#end(alarm, 'removed', 'The program has no such alarm any more.')
    }
  }

  /** STARTUP or memory reset: no alarm is pending. */
  clear(cause: string): void {
    this.logOff()
    for (const alarm of [...this.#pending.values()]) this.#end(alarm, 'removed', cause)
  }

  get pending(): readonly PendingAlarm[] {
    return [...this.#pending.values()]
  }

  // ── Program ───────────────────────────────────────────────────────────────────────────────────────────────────────

  signal(instance: number, isPresent: boolean, timestamp: bigint, values: readonly AlarmValue[]): number {
    const source = this.#byAddress.get(instance)
    if (!source) return alarmStatus.noInstance
    const before = this.#pending.get(source.name)
    if (!isPresent && !before?.isPresent) return alarmStatus.notComing
    if (isPresent && before?.isPresent === false) return alarmStatus.notAcknowledged
    return this.#change(
      source,
      isPresent,
      timestamp > 0n ? Number(timestamp / 1000n) / 1000 : this.#environment.now(),
      values,
    )
  }

  /** The signal of a source that is no instance. Returns a status of `alarmStatus`. */
  supervise(name: string, isPresent: boolean, values: readonly AlarmValue[]): number {
    const source = this.#byName.get(name)
    return source ? this.#change(source, isPresent, this.#environment.now(), values) : alarmStatus.noInstance
  }

  state(instance: number): AlarmState | undefined {
    const source = this.#byAddress.get(instance)
    return source && this.#pending.get(source.name)
  }

  get isLoggedOn(): boolean {
    return this.#changes !== undefined
  }

  logOn(): boolean {
    if (this.#changes) return false
    this.#changes = this.pending
      .filter(({ isPresent }) => isPresent)
      .map(({ id, name, incomingAt }) => this.#changeOf(id, name, true, incomingAt))
    return true
  }

  logOff(): void {
    this.#changes = undefined
  }

  nextChange(): AlarmChange | undefined {
    return this.#changes?.shift()
  }

  available(): number {
    return Math.max(0, this.#environment.most - this.#pending.size)
  }

  acknowledgeAll(): void {
    this.acknowledge({ all: true }, 'Ack_Alarms')
  }

  userMessage(isPresent: boolean, textList: number, text: number, values: readonly AlarmValue[]): number {
    const name = `UserMessage:${textList}:${text}`
    const id = userMessages + textList * 65_536 + text
    const source = { id, name, alarmClass: 'No Acknowledgement', needsAcknowledgement: false }
    this.#environment.note(
      `Gen_UsrMsg: ${isPresent ? 'incoming' : 'outgoing'} message, text list ${textList}, text ${text}.`,
    )
    return this.#change(source, isPresent, this.#environment.now(), values)
  }

  #change(
    source: Omit<AlarmSource, 'address'>,
    isPresent: boolean,
    time: number,
    values: readonly AlarmValue[],
  ): number {
    const { id, name, alarmClass, needsAcknowledgement } = source
    const before = this.#pending.get(name)
    if (!isPresent) {
      if (!before?.isPresent) return 0
      Object.assign(before, { isPresent: false, outgoingAt: time, values })
      this.#keep(this.#changeOf(id, name, false, time))
      this.#tell('outgoing', before, time)
      if (before.isAcknowledged) this.#pending.delete(name)
      return 0
    }
    if (before?.isPresent) return 0
    if (before === undefined && this.#pending.size >= this.#environment.most) return alarmStatus.tooMany
    const alarm = {
      ...{ id, name, alarmClass, needsAcknowledgement, isPresent },
      ...{ isAcknowledged: !needsAcknowledgement, incomingAt: time, values },
    }
    // The newest comes last.
    this.#pending.delete(name)
    this.#pending.set(name, alarm)
    this.#keep(this.#changeOf(id, name, true, time))
    this.#tell('incoming', alarm, time)
    return 0
  }

  #changeOf(id: number, name: string, isPresent: boolean, ms: number): AlarmChange {
    const source = this.#byName.get(name)
    // Sources without an address are supervisions.
    const producer = source && source.address === undefined ? 9 : 0
    return { id, producer, isPresent, time: BigInt(Math.round(ms * 1000)) * 1000n }
  }

  /** A program that reads too seldom is logged off, as by the CPU: nothing is lost unseen. */
  #keep(change: AlarmChange): void {
    if (!this.#changes) return
    if (this.#changes.length < mostKept) this.#changes.push(change)
    else this.logOff()
  }

  // ── Gateway ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Acknowledges alarms that need it. Returns their names. */
  acknowledge(selection: AlarmSelection, by: string): string[] {
    const isMeant =
      'all' in selection
        ? () => true
        : 'names' in selection
          ? has(new Set(selection.names))
          : ({ alarmClass }: PendingAlarm) => alarmClass.toLowerCase() === selection.alarmClass.toLowerCase()
    const time = this.#environment.now()
    const done: string[] = []
    for (const alarm of [...this.#pending.values()]) {
      if (alarm.isAcknowledged || !isMeant(alarm)) continue
      Object.assign(alarm, { isAcknowledged: true, acknowledgedAt: time })
      this.#tell('acknowledged', alarm, time, by)
      if (!alarm.isPresent) this.#pending.delete(alarm.name)
      done.push(alarm.name)
    }
    return done
  }

  #end(alarm: PendingAlarm, kind: 'removed', cause: string): void {
    this.#pending.delete(alarm.name)
    this.#tell(kind, alarm, this.#environment.now(), cause)
  }

  #tell(kind: AlarmEventKind, alarm: PendingAlarm, time: number, cause?: string): void {
    this.#events.push({ kind, time, alarm: { ...alarm }, ...defined({ cause }) })
    // Twice as many, so that leaving out the oldest costs the same for each event.
    if (this.#events.length < 2 * mostKept) return
    this.#lost += this.#events.length - mostKept
    this.#events = this.#events.slice(-mostKept)
  }

  /**
   * Sends the events so far.
   * @param isUrgent also when the gateway has not read the last batches: an answer follows that shows their effect
   */
  flush(isUrgent = false): void {
    if (this.#events.length === 0) return
    const unread = this.#sent - Atomics.load(this.#words, alarmWords.read)
    if (unread >= mostUnread && !isUrgent) {
      Atomics.store(this.#words, alarmWords.waiting, 1)
      return
    }
    Atomics.store(this.#words, alarmWords.waiting, 0)
    const [events, lost] = [this.#events, this.#lost]
    this.#events = []
    this.#lost = 0
    this.#sent++
    this.#environment.post({ events, lost, ...(lost > 0 ? { pending: this.pending } : {}) })
  }
}

function has(names: ReadonlySet<string>) {
  return ({ name }: PendingAlarm) => names.has(name)
}
