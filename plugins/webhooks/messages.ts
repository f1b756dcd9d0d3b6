/** What is told of a record of the log, and to which webhooks. */
import { defined, isObject, type LogRecord } from '../../core/index.ts'
import { type AuditEntry, anyOf, isEnd, wildcard } from '../../core/services.ts'
import { alarmsReported } from '../simulation/index.ts'
import type { JobEnd, Webhook } from './state.ts'

/** Bytes of the data of a message; longer data are left out. */
const longestData = 64 * 1024

/** The body of a message. */
export interface Payload {
  readonly type: string
  /** When it happened, RFC 3339. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const ends: Readonly<Record<string, JobEnd>> = {
  'job.completed': 'Completed',
  'job.failed': 'Failed',
  'job.cancelled': 'Cancelled',
}

/** True for what this plugin writes: a message about a message would have no end. */
export function isOwn({ type }: Pick<LogRecord, 'type'>, operation: string | undefined): boolean {
  return type.startsWith('webhooks.') || operation?.startsWith('webhooks.') === true
}

/** Whether a record could be one for a webhook, before its job is looked up. */
export function mayConcern({ on }: Webhook, { type }: Pick<LogRecord, 'type'>): boolean {
  if (on === 'job') return isEnd(type)
  return on === 'alarm' ? type === alarmsReported.type : true
}

/** The message for a webhook about an entry of the audit; undefined when it is not one for it. */
export function payloadFor(hook: Webhook, entry: AuditEntry): Payload | undefined {
  const { type, operation, actor, jobId, time, seq } = entry
  if (isOwn(entry, operation) || !mayConcern(hook, entry)) return undefined
  const { filter } = hook
  const fits = (pattern: string | undefined, text: string | undefined) =>
    pattern === undefined || (text !== undefined && wildcard(pattern)(text))
  if (!fits(filter.operation, operation)) return undefined
  if (hook.on === 'job') {
    const status = ends[type]!
    if (filter.statuses && !filter.statuses.includes(status)) return undefined
    const problem = isObject(entry.data) && isObject(entry.data.error) ? entry.data.error : undefined
    const error = problem && { code: problem.code, detail: problem.detail }
    return { type, timestamp: time, data: { seq, status, ...defined({ jobId, command: operation, actor, error }) } }
  }
  if (hook.on === 'alarm') {
    const { name, ...data } = entry.data as { name: string }
    if (!fits(filter.instance, name)) return undefined
    return { type: 'alarm.reported', timestamp: time, data: { seq, instance: name, ...data } }
  }
  const own = actor?.split('/')[0]
  if (filter.types && !anyOf(filter.types)(type)) return undefined
  if (!fits(filter.entity, entry.entity)) return undefined
  if (filter.actor !== undefined && filter.actor !== actor && filter.actor !== own) return undefined
  return { type: 'audit.recorded', timestamp: time, data: shortened(entry) }
}

/** The entry; without its data when they are long: they can be read with `GET /api/audit`. */
function shortened(entry: AuditEntry): Readonly<Record<string, unknown>> {
  const { data, ...rest } = entry
  const { length } = JSON.stringify(data ?? null)
  return length > longestData ? { ...rest, omittedBytes: length } : { ...rest, data }
}
