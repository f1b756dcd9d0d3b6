/**
 * Delivers messages. The log is the queue: each webhook follows it from its cursor, and what fails is tried again at
 * times that are in the state, so a restart goes on where it was. A message can come twice, after a crash, with the
 * same id.
 *
 *   record ─▶ first attempt ─▶ delivered
 *                  └─▶ waiting ─▶ attempt … ─▶ delivered, or given up
 */
import { type Gateway, type LogRecord, systemActor } from '../../core/index.ts'
import type { AuditReader } from '../../core/services.ts'
import { auditReaderOf, follow } from '../system/index.ts'
import { mayConcern, type Payload, payloadFor } from './messages.ts'
import { recordDeliveries } from './record-operation.ts'
import { type Attempt, type SendOptions, send } from './send.ts'
import { allHooks, type DeliveryNote, hostRules, progressOf, type Webhook } from './state.ts'

/** Pauses after the first, second … attempt that failed, seconds: nearly eight hours in all. */
export const pauses: readonly number[] = [5, 30, 120, 600, 1800, 7200, 18_000]
/** Records after which the cursor of a webhook that nothing concerns is written. */
const scannedAtOnce = 10_000
/** Notes of attempts are gathered for so long, ms. */
const gathering = 500

/** The id of a message: the same in every attempt. */
export const messageId = (hookId: string, seq: number) => `msg_${hookId}_${seq}`

export interface DeliveryOptions {
  /** In place of the network, for tests. */
  readonly sender?: (url: string, message: { id: string; body: string }, options: SendOptions) => Promise<Attempt>
  /** Pauses between attempts, seconds. */
  readonly pauses?: readonly number[]
}

/** Makes one attempt at a message of a webhook. */
export function attempt(
  gateway: Gateway,
  hook: Webhook,
  message: { readonly id: string; readonly payload: Payload },
  signal: AbortSignal,
  sender: NonNullable<DeliveryOptions['sender']> = send,
): Promise<Attempt> {
  return sender(
    hook.url,
    { id: message.id, body: JSON.stringify(message.payload) },
    {
      rules: hostRules({ read: gateway.state.read }),
      secret: gateway.unseal(hook.secret),
      now: gateway.clock(),
      userAgent: `Gantry/${gateway.version}`,
      signal,
    },
  )
}

/** The webhooks of a gateway at work. */
export class Deliveries {
  readonly #gateway: Gateway
  readonly #reader: AuditReader
  readonly #options: DeliveryOptions
  /** By the webhook: what it was when it was started. */
  readonly #running = new Map<string, { readonly hook: Webhook; readonly end: AbortController }>()
  readonly #ends = new Set<Promise<void>>()
  #notes: DeliveryNote[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #onRecords = (records: readonly LogRecord[]) => {
    if (records.some(({ type }) => type.startsWith('webhooks.'))) this.#sync()
  }

  constructor(gateway: Gateway, options: DeliveryOptions = {}) {
    this.#gateway = gateway
    this.#reader = auditReaderOf(gateway)
    this.#options = options
    gateway.bus.on('records', this.#onRecords)
    this.#sync()
  }

  /** Ends all work; attempts on their way are cut, and made again after the next start. */
  async stop(): Promise<void> {
    this.#gateway.bus.off('records', this.#onRecords)
    for (const { end } of this.#running.values()) end.abort()
    this.#running.clear()
    clearTimeout(this.#timer)
    await Promise.all(this.#ends)
  }

  get #ctx() {
    return { read: this.#gateway.state.read }
  }

  /** Starts and stops followers as webhooks come, go and change. */
  #sync(): void {
    const wanted = new Map(
      allHooks(this.#ctx)
        .filter(({ id, isActive }) => isActive && progressOf(this.#ctx, id).stopped === undefined)
        .map((hook) => [hook.id, hook]),
    )
    for (const [id, { hook, end }] of this.#running) {
      if (wanted.get(id) === hook) continue
      end.abort()
      this.#running.delete(id)
    }
    for (const [id, hook] of wanted) {
      if (this.#running.has(id)) continue
      const end = new AbortController()
      this.#running.set(id, { hook, end })
      this.#keep(this.#follow(hook, end.signal))
      this.#keep(this.#retry(hook, end.signal))
    }
  }

  #keep(work: Promise<void>): void {
    const kept = work
      .catch((error) => this.#gateway.log.error({ err: error }, 'a webhook stands still'))
      .finally(() => this.#ends.delete(kept))
    this.#ends.add(kept)
  }

  /** First attempts, record by record: a receiver that is slow holds up its own messages only. */
  async #follow(hook: Webhook, signal: AbortSignal): Promise<void> {
    const after = Math.max(progressOf(this.#ctx, hook.id).cursor, this.#notedUpTo(hook.id))
    let scanned = 0
    for await (const followed of follow(this.#gateway, { after, wantsProgress: () => false, signal })) {
      if (!('record' in followed)) continue
      const { record } = followed
      const payload = mayConcern(hook, record) ? payloadFor(hook, await this.#reader.entry(record)) : undefined
      if (payload === undefined) {
        if (++scanned < scannedAtOnce) continue
        scanned = 0
        this.#note({
          hookId: hook.id,
          seq: record.seq,
          type: '',
          attempts: 0,
          at: this.#gateway.clock(),
          outcome: 'scanned',
        })
      } else await this.#attempt(hook, record.seq, payload, 1, signal)
    }
  }

  /** Further attempts, when they are due. */
  async #retry(hook: Webhook, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = this.#gateway.clock()
      const { waiting } = progressOf(this.#ctx, hook.id)
      const noted = new Set(this.#notes.filter(({ hookId }) => hookId === hook.id).map(({ seq }) => seq))
      const due = waiting.find(({ seq, nextAt = 0 }) => nextAt <= now && !noted.has(seq))
      if (due) {
        const payload = await this.#payloadOf(hook, due.seq)
        if (payload) await this.#attempt(hook, due.seq, payload, due.attempts + 1, signal)
        else
          this.#note({ ...due, at: now, outcome: 'failed', error: 'What it tells of is no longer for this webhook.' })
        continue
      }
      const next = Math.min(...waiting.map(({ nextAt = now }) => nextAt), now + 60_000)
      await pause(Math.max(next - now, 50), signal, this.#gateway)
    }
  }

  async #payloadOf(hook: Webhook, seq: number): Promise<Payload | undefined> {
    for await (const records of this.#gateway.store.log.read({ from: seq, to: seq }))
      for (const record of records) if (record.seq === seq) return payloadFor(hook, await this.#reader.entry(record))
    return undefined
  }

  async #attempt(hook: Webhook, seq: number, payload: Payload, attempts: number, signal: AbortSignal): Promise<void> {
    const id = messageId(hook.id, seq)
    const made = await attempt(this.#gateway, hook, { id, payload }, signal, this.#options.sender)
    // What was cut by the end of the gateway, or by a change of the webhook, is made again.
    if (signal.aborted && !made.ok) return
    const at = this.#gateway.clock()
    const { ok, isFinal, retryAfterMs = 0, ...told } = made
    const seconds = (this.#options.pauses ?? pauses)[attempts - 1]
    const note = { hookId: hook.id, seq, type: payload.type, attempts, at, ...told }
    if (ok) this.#note({ ...note, outcome: 'delivered' })
    else if (isFinal) this.#note({ ...note, outcome: 'gone' })
    else if (seconds === undefined) this.#note({ ...note, outcome: 'failed' })
    else this.#note({ ...note, outcome: 'retry', nextAt: at + Math.max(seconds * 1000, retryAfterMs) })
  }

  #notedUpTo(hookId: string): number {
    return Math.max(0, ...this.#notes.filter((one) => one.hookId === hookId).map(({ seq }) => seq))
  }

  #note(note: DeliveryNote): void {
    this.#notes.push(note)
    this.#timer ??= setTimeout(() => this.#write(), gathering).unref()
  }

  /** Writes the notes to the log; those that it does not take are written with the next. */
  #write(): void {
    const notes = this.#notes.slice(0, 1000)
    const gateway = this.#gateway
    gateway
      .invoke(recordDeliveries, { notes }, { actor: systemActor, mode: 'sync' })
      .then(() => {
        this.#notes = this.#notes.slice(notes.length)
      })
      .catch((error) => gateway.log.debug({ err: error }, 'deliveries of webhooks were not noted'))
      .finally(() => {
        this.#timer = this.#notes.length === 0 ? undefined : setTimeout(() => this.#write(), gathering).unref()
      })
  }
}

/** Waits, at most until something of webhooks is in the log. */
function pause(ms: number, signal: AbortSignal, { bus }: Gateway): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      bus.off('records', onRecords)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const onRecords = (records: readonly LogRecord[]) => {
      if (records.some(({ type }) => type === 'webhooks.deliveries-noted')) done()
    }
    const timer = setTimeout(done, ms).unref()
    bus.on('records', onRecords)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
