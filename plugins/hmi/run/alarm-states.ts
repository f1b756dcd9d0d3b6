/**
 * The alarms of one compiled station: what is pending, and what happened. An alarm comes when its trigger is violated
 * and goes when it is not; one that needs acknowledgement stays in the list until both have happened.
 */
import { EventEmitter } from 'eventemitter3'
import { defined } from '../../../core/index.ts'
import type { ModelAlarm } from '../station-model.ts'

/** `incoming`: present; `acknowledged`: present and acknowledged; `outgoing`: gone without its acknowledgement. */
export type AlarmStateName = 'incoming' | 'acknowledged' | 'outgoing'

/** An alarm that is in the list. Times in milliseconds since the epoch. */
export interface PendingAlarm {
  readonly name: string
  readonly state: AlarmStateName
  readonly needsAcknowledgement: boolean
  readonly isPresent: boolean
  readonly isAcknowledged: boolean
  readonly incomingAt: number
  readonly outgoingAt?: number
  readonly acknowledgedAt?: number
  /** Name of the key or session that acknowledged it. */
  readonly acknowledgedBy?: string
}

/** Something that happened to an alarm. */
export interface AlarmEvent {
  /** 1, 2, 3 … */
  readonly number: number
  readonly alarm: string
  readonly event: 'incoming' | 'outgoing' | 'acknowledged'
  readonly time: number
  readonly by?: string
}

/** Which alarms are acknowledged. */
export type AlarmChoice =
  | { readonly names: readonly string[] }
  | { readonly alarmClass: string }
  | { readonly all: true }

/** Events that are kept. */
const mostEvents = 5000

/** Whether the value of its trigger violates an alarm. */
export function isViolated({ type, bit, limit, mode }: ModelAlarm, value: unknown): boolean {
  if (typeof value === 'boolean') return type === 'analog' ? false : value
  const number = Number(value)
  if (Number.isNaN(number)) return false
  if (type === 'analog') return mode === 'Below' ? number < limit : number > limit
  if (!Number.isFinite(number)) return false
  // Values of 64 bits are texts: as numbers they would lose their lower bits.
  const whole = typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : BigInt(Math.floor(number))
  return ((whole >> BigInt(bit)) & 1n) === 1n
}

/** States of alarms; `change` is emitted after each change. */
export class AlarmStates {
  readonly events = new EventEmitter<{ change: [] }>()
  readonly #alarms: ReadonlyMap<string, ModelAlarm>
  readonly #byVariable = new Map<number, ModelAlarm[]>()
  readonly #pending = new Map<string, PendingAlarm>()
  readonly #log: AlarmEvent[] = []
  readonly #now: () => number
  #count = 0

  /** @param before states of the station as it was compiled before: alarms of the same names go on */
  constructor(alarms: readonly ModelAlarm[], now: () => number, before?: AlarmStates) {
    this.#now = now
    this.#alarms = new Map(alarms.map((alarm) => [alarm.name, alarm]))
    for (const alarm of alarms) {
      const of = this.#byVariable.get(alarm.variable)
      if (of) of.push(alarm)
      else this.#byVariable.set(alarm.variable, [alarm])
    }
    if (before === undefined) return
    for (const one of before.pending) if (this.#alarms.has(one.name)) this.#pending.set(one.name, one)
    this.#log.push(...before.#log)
    this.#count = before.#count
  }

  /** Newest first. */
  get pending(): PendingAlarm[] {
    return [...this.#pending.values()].sort((a, b) => b.incomingAt - a.incomingAt)
  }

  /** Oldest first. */
  get log(): readonly AlarmEvent[] {
    return this.#log
  }

  alarm(name: string): ModelAlarm | undefined {
    return this.#alarms.get(name)
  }

  /** The triggers that are followed, as indexes of variables. */
  get variables(): number[] {
    return [...this.#byVariable.keys()]
  }

  /** A trigger has a value. */
  take(variable: number, value: unknown): void {
    let isChanged = false
    for (const alarm of this.#byVariable.get(variable) ?? [])
      isChanged = this.#set(alarm, isViolated(alarm, value)) || isChanged
    if (isChanged) this.events.emit('change')
  }

  #set({ name, needsAcknowledgement }: ModelAlarm, isPresent: boolean): boolean {
    const before = this.#pending.get(name)
    if ((before?.isPresent ?? false) === isPresent) return false
    const time = this.#now()
    this.#note(name, isPresent ? 'incoming' : 'outgoing', time)
    if (isPresent) {
      const next = { name, needsAcknowledgement, isPresent, isAcknowledged: false, incomingAt: time }
      this.#pending.set(name, { ...next, state: 'incoming' })
    } else if (before!.isAcknowledged || !needsAcknowledgement) this.#pending.delete(name)
    else this.#pending.set(name, { ...before!, isPresent, outgoingAt: time, state: 'outgoing' })
    return true
  }

  /** The alarms that {@link acknowledge} would acknowledge. */
  open(choice: AlarmChoice): string[] {
    const names = 'names' in choice ? new Set(choice.names) : undefined
    const wanted = 'alarmClass' in choice ? choice.alarmClass.toLowerCase() : undefined
    return this.pending
      .filter(({ needsAcknowledgement, isAcknowledged }) => needsAcknowledgement && !isAcknowledged)
      .filter(({ name }) => names === undefined || names.has(name))
      .filter(({ name }) => wanted === undefined || this.#alarms.get(name)?.alarmClass.toLowerCase() === wanted)
      .map(({ name }) => name)
  }

  /** Acknowledges alarms; those that have gone leave the list. @returns names of those that needed it */
  acknowledge(choice: AlarmChoice, by: string): string[] {
    const names = this.open(choice)
    const time = this.#now()
    for (const name of names) {
      const before = this.#pending.get(name)!
      this.#note(name, 'acknowledged', time, by)
      if (before.isPresent) {
        const done = { isAcknowledged: true, acknowledgedAt: time, acknowledgedBy: by, state: 'acknowledged' as const }
        this.#pending.set(name, { ...before, ...done })
      } else this.#pending.delete(name)
    }
    if (names.length > 0) this.events.emit('change')
    return names
  }

  #note(alarm: string, event: AlarmEvent['event'], time: number, by?: string) {
    this.#log.push({ number: ++this.#count, alarm, event, time, ...defined({ by }) })
    if (this.#log.length > mostEvents * 1.1) this.#log.splice(0, this.#log.length - mostEvents)
  }
}
