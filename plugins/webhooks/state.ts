/** Webhooks: what is wanted where, and what became of each message. Secrets are sealed. */
import { collection, domainEvent, on, type Slice, type SliceReader } from '../../core/index.ts'

/** What a webhook tells of: ends of jobs, records of the audit, alarms of controllers. */
export const hookKinds = ['job', 'audit', 'alarm'] as const
export type HookKind = (typeof hookKinds)[number]

export const jobEnds = ['Completed', 'Failed', 'Cancelled'] as const
export type JobEnd = (typeof jobEnds)[number]

/** Which of them; all conditions hold together. `*` matches any run of characters. */
export interface HookFilter {
  /** Operation ids: of jobs and of the audit. */
  readonly operation?: string
  /** Of jobs. */
  readonly statuses?: readonly JobEnd[]
  /** Of the audit: types of records, entity, and who called. */
  readonly types?: readonly string[]
  readonly entity?: string
  readonly actor?: string
  /** Of alarms: the controller. */
  readonly instance?: string
}

export interface Webhook {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly on: HookKind
  readonly filter: HookFilter
  /** Sealed. */
  readonly secret: string
  readonly isActive: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Which hosts may be told. */
export interface HostRules {
  /** Names or addresses, with *; empty: any public one. */
  readonly allowedHosts: readonly string[]
  /** Those that may have addresses of private networks, and may be told without TLS. */
  readonly privateHosts: readonly string[]
}

/**
 * What became of an attempt. `retry`: there will be another; `gone`: the receiver wants no more; `scanned`: none was
 * made.
 */
export type Outcome = 'delivered' | 'retry' | 'failed' | 'gone' | 'scanned'

/** An attempt at a message. */
export interface DeliveryNote {
  readonly hookId: string
  /** Number of the record that the message tells of. */
  readonly seq: number
  /** Of the message: `job.failed`, `alarm.reported` … */
  readonly type: string
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly outcome: Outcome
  readonly httpStatus?: number
  readonly error?: string
  readonly durationMs?: number
  readonly nextAt?: number
}

/** How far a webhook is. */
export interface HookProgress {
  readonly hookId: string
  /** Records up to here are dealt with, or are in `waiting`. */
  readonly cursor: number
  /** Messages that are tried again, the oldest first. */
  readonly waiting: readonly DeliveryNote[]
  /** The last messages, the newest first. */
  readonly recent: readonly DeliveryNote[]
  /** Why nothing is sent any more. */
  readonly stopped?: string
}

/** Messages of a webhook that wait for another attempt, at most: the oldest is given up for a new one. */
export const mostWaiting = 100
/** Messages that are shown of a webhook. */
export const mostRecent = 100
export const mostHooks = 50

/** Key: id. */
export const webhooks = collection<Webhook>('webhooks.hooks')
const progress = collection<HookProgress>('webhooks.progress')
const settings = collection<HostRules>('webhooks.settings')
const settingsKey = 'settings'

/** `since`: it begins after this record; absent: it goes on where it was. */
export const hookSaved = domainEvent<{ hook: Webhook; since?: number }>('webhooks.saved', 'A webhook was saved')
export const hookDeleted = domainEvent<{ id: string; name: string }>('webhooks.deleted', 'A webhook was deleted')
export const rulesSaved = domainEvent<HostRules>('webhooks.settings-saved', 'The settings of webhooks were saved')
export const deliveriesNoted = domainEvent<{ notes: readonly DeliveryNote[] }>(
  'webhooks.deliveries-noted',
  'Webhooks were told of something',
)

/** The progress after an attempt. */
export function afterNote(before: HookProgress, note: DeliveryNote): HookProgress {
  const cursor = Math.max(before.cursor, note.seq)
  if (note.outcome === 'scanned') return { ...before, cursor }
  const isOther = ({ seq }: DeliveryNote) => seq !== note.seq
  const waiting = before.waiting.filter(isOther)
  let recent = [note, ...before.recent.filter(isOther)]
  if (note.outcome === 'retry') waiting.push(note)
  const [oldest] = waiting
  if (waiting.length > mostWaiting && oldest) {
    waiting.shift()
    const { nextAt: _, ...given } = oldest
    const up: DeliveryNote = {
      ...given,
      outcome: 'failed',
      error: `more than ${mostWaiting} messages wait; ${oldest.error ?? ''}`,
    }
    recent = recent.map((one) => (one.seq === up.seq ? up : one))
  }
  return {
    hookId: before.hookId,
    cursor,
    waiting,
    recent: recent.slice(0, mostRecent),
    ...(note.outcome === 'gone' ? { stopped: 'The receiver answered 410 Gone.' } : {}),
    ...(before.stopped !== undefined ? { stopped: before.stopped } : {}),
  }
}

export const webhookSlice: Slice = {
  version: 1,
  collections: [webhooks, progress, settings],
  reductions: [
    on(hookSaved, (write, { hook, since }) => {
      write(webhooks).set(hook.id, hook)
      if (since === undefined) return
      const before = write(progress).get(hook.id)
      const { stopped: _, ...kept } = before ?? { hookId: hook.id, waiting: [], recent: [], cursor: since }
      write(progress).set(hook.id, { ...kept, cursor: since })
    }),
    on(hookDeleted, (write, { id }) => {
      write(webhooks).delete(id)
      write(progress).delete(id)
    }),
    on(rulesSaved, (write, rules) => write(settings).set(settingsKey, rules)),
    on(deliveriesNoted, (write, { notes }) => {
      for (const note of notes) {
        const before = write(progress).get(note.hookId)
        // It may have been deleted meanwhile.
        if (before) write(progress).set(note.hookId, afterNote(before, note))
      }
    }),
  ],
}

interface Reader {
  readonly read: SliceReader
}

/** All webhooks, by name. */
export function allHooks(ctx: Reader): Webhook[] {
  return [...ctx.read(webhooks).values()].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

export function progressOf(ctx: Reader, hookId: string): HookProgress {
  return ctx.read(progress).get(hookId) ?? { hookId, cursor: 0, waiting: [], recent: [] }
}

export function hostRules(ctx: Reader): HostRules {
  return ctx.read(settings).get(settingsKey) ?? { allowedHosts: [], privateHosts: [] }
}
