/**
 * How the records of one commit are packed in the log: as the store's plain rows (store/record-codec.ts), except that a
 * whole job is one row. A job is whole when it was accepted and completed in this commit with nothing between its
 * records; most jobs are.
 *
 * ```
 * [time, 1, jobId, actor, correlationId, command, access, input, result, started, ended,
 *  type, entity, data, type, entity, data …]
 * ```
 *
 * It represents the job's `job.accepted` record with `{ command, access, input }`, a record for each event, and its
 * `job.completed` record with `{ result, startedAt }`. `started` and `ended` are milliseconds after the acceptance. A
 * field is 0 where it equals that of the record before it; command and access are compared with the previous whole job,
 * type and entity of an event with the previous event in a whole job.
 *
 * A whole job takes half of the bytes of its rows: 115 instead of 275 for a command with one event that follows another
 * of its kind.
 */
import { type LogRecord, noRecord, packRecord, parseRows, type RecordCodec, unpackRecord } from '../../store/index.ts'

/** In the place of a record's type: the row is a whole job. */
const wholeJob = 1
/** Number of fields of a whole job before those of its events, and number of fields of an event. */
const jobFields = 11
const eventFields = 3

/** The only data that the `job.accepted` record of a whole job has. */
interface Accepted {
  readonly command: string
  readonly access: string
  readonly input: unknown
}

/** The only data that its `job.completed` record has. */
interface Completed {
  readonly result: unknown
  readonly startedAt: number
}

/** Values of the previous whole job, and of the last event in one. */
interface Before {
  command: string | undefined
  access: string | undefined
  type: string | undefined
  entity: string | undefined
}

/** See the head of this file. */
export const jobCodec: RecordCodec = {
  encode(records) {
    const rows: unknown[] = []
    const jobBefore = nothingBefore()
    let before = noRecord
    for (let at = 0; at < records.length; at++) {
      const end = endOfWholeJob(records, at)
      rows.push(
        end === undefined ? packRecord(records[at]!, before) : packJob(records.slice(at, end + 1), before, jobBefore),
      )
      if (end !== undefined) at = end
      before = records[at]!
    }
    return JSON.stringify(rows)
  },

  decode(text, first) {
    const records: LogRecord[] = []
    const jobBefore = nothingBefore()
    let before = noRecord
    for (const row of parseRows(text)) {
      if (Array.isArray(row) && row[1] === wholeJob) unpackJob(row, first, before, jobBefore, records)
      else records.push(unpackRecord(row, first + records.length, before))
      before = records[records.length - 1]!
    }
    return records
  },
}

function nothingBefore(): Before {
  return { command: undefined, access: undefined, type: undefined, entity: undefined }
}

/** Index of the end of the job accepted at `at`; undefined when there is no acceptance or the job is not whole. */
function endOfWholeJob(records: readonly LogRecord[], at: number): number | undefined {
  const accepted = records[at]!
  if (!isPlainAcceptance(accepted)) return undefined
  for (let i = at + 1; i < records.length; i++) {
    const record = records[i]!
    if (
      record.time !== records[at + 1]!.time ||
      record.jobId !== accepted.jobId ||
      record.actor !== accepted.actor ||
      record.correlationId !== accepted.correlationId ||
      record.data === undefined
    )
      return undefined
    if (record.type === 'job.completed') return isPlainEnd(record) ? i : undefined
  }
  return undefined
}

function isPlainAcceptance({ type, entity, data }: LogRecord): boolean {
  if (type !== 'job.accepted' || entity !== undefined || !hasOnly(data, 'command', 'access', 'input')) return false
  const { command, access, input } = data as Accepted
  return typeof command === 'string' && typeof access === 'string' && input !== undefined
}

function isPlainEnd({ entity, data }: LogRecord): boolean {
  if (entity !== undefined || !hasOnly(data, 'result', 'startedAt')) return false
  const { result, startedAt } = data as Completed
  return result !== undefined && Number.isSafeInteger(startedAt)
}

function hasOnly(data: unknown, ...names: string[]): boolean {
  if (data === null || typeof data !== 'object') return false
  for (const name in data) if (!names.includes(name)) return false
  return true
}

/** @param records acceptance, events and end */
function packJob(records: readonly LogRecord[], before: LogRecord, jobBefore: Before): unknown[] {
  const accepted = records[0]!
  const end = records[records.length - 1]!
  const { command, access, input } = accepted.data as Accepted
  const { result, startedAt } = end.data as Completed
  const row = [
    accepted.time === before.time ? 0 : accepted.time,
    wholeJob,
    accepted.jobId === before.jobId ? 0 : accepted.jobId,
    accepted.actor === before.actor ? 0 : accepted.actor,
    accepted.correlationId === before.correlationId ? 0 : accepted.correlationId,
    command === jobBefore.command ? 0 : command,
    access === jobBefore.access ? 0 : access,
    input,
    result,
    startedAt - accepted.time,
    end.time - accepted.time,
  ]
  jobBefore.command = command
  jobBefore.access = access
  for (let i = 1; i < records.length - 1; i++) {
    const { type, entity, data } = records[i]!
    row.push(type === jobBefore.type ? 0 : type, entity === jobBefore.entity ? 0 : entity, data)
    jobBefore.type = type
    jobBefore.entity = entity
  }
  return row
}

/** Adds the records of a whole job to those before it. Throws when the fields are not those of a whole job. */
// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse gives it
function unpackJob(row: any[], first: number, before: LogRecord, jobBefore: Before, records: LogRecord[]): void {
  if (row.length < jobFields || (row.length - jobFields) % eventFields !== 0)
    throw new TypeError(`the job at record ${first + records.length} has ${row.length} fields`)
  const time: number = row[0] === 0 ? before.time : row[0]
  const jobId: string | undefined = row[2] === 0 ? before.jobId : (row[2] ?? undefined)
  const actor: string | undefined = row[3] === 0 ? before.actor : (row[3] ?? undefined)
  const correlationId: string | undefined = row[4] === 0 ? before.correlationId : (row[4] ?? undefined)
  if (row[5] !== 0) jobBefore.command = row[5]
  if (row[6] !== 0) jobBefore.access = row[6]
  const { command, access } = jobBefore
  const none = undefined
  let seq = first + records.length
  const accepted = { command, access, input: row[7] }
  records.push({ seq, time, type: 'job.accepted', jobId, actor, correlationId, entity: none, data: accepted })
  const ended = time + row[10]
  for (let at = jobFields; at < row.length; at += eventFields) {
    if (row[at] !== 0) jobBefore.type = row[at]
    if (row[at + 1] !== 0) jobBefore.entity = row[at + 1] ?? undefined
    const { type = '', entity } = jobBefore
    records.push({ seq: ++seq, time: ended, type, jobId, actor, correlationId, entity, data: row[at + 2] })
  }
  const type = 'job.completed'
  const completed = { result: row[8], startedAt: time + row[9] }
  records.push({ seq: ++seq, time: ended, type, jobId, actor, correlationId, entity: none, data: completed })
}
