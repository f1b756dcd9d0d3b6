/**
 * The records of one commit as text: a JSON array with an array (a *row*) for each record, its fields in fixed places.
 *
 * ```
 * [time, type, jobId, actor, correlationId, entity, data]
 * ```
 *
 * A field is 0 where it equals that of the record before it, and null where the record has none; data is then left out.
 * Records of one command have most fields in common. So this takes two thirds of the bytes of objects with all fields,
 * and fewer bytes are faster to make, hash, write and parse (bench/store-append.ts, bench/store-replay.ts). `seq` is
 * not included: it is that of the commit plus the position.
 *
 * A caller that knows more about its records can pack them tighter with a {@link RecordCodec} of its own, which may use
 * these rows for the rest.
 */
import type { LogRecord, NewRecord, RecordCodec } from './types.ts'

/** The predecessor of the first record of a commit. */
export const noRecord: LogRecord = makeRecord({ type: '', data: undefined }, 0, 0)

/**
 * One record. All records have the same fields in the same order, used or not: code that reads many of them is then
 * faster.
 */
export function makeRecord(given: NewRecord, seq: number, time: number): LogRecord {
  const { type, jobId, actor, correlationId, entity, data } = given
  return { seq, time, type, jobId, actor, correlationId, entity, data }
}

/**
 * The row of one record.
 * @param before the record before it in the commit
 */
export function packRecord(record: LogRecord, before: LogRecord): unknown[] {
  const { data } = record
  const row: unknown[] = [
    record.time === before.time ? 0 : record.time,
    record.type === before.type ? 0 : record.type,
    record.jobId === before.jobId ? 0 : record.jobId,
    record.actor === before.actor ? 0 : record.actor,
    record.correlationId === before.correlationId ? 0 : record.correlationId,
    record.entity === before.entity ? 0 : record.entity,
  ]
  if (data !== undefined) row.push(data)
  return row
}

/** The record of a row, see {@link packRecord}. Throws when the row is malformed. */
export function unpackRecord(row: unknown, seq: number, before: LogRecord): LogRecord {
  if (!Array.isArray(row)) throw new TypeError(`record ${seq} is no array`)
  const type: unknown = row[1] === 0 ? before.type : row[1]
  if (typeof type !== 'string') throw new TypeError(`record ${seq} has no type, or another codec has packed it`)
  return {
    seq,
    time: row[0] === 0 ? before.time : row[0],
    type,
    jobId: row[2] === 0 ? before.jobId : (row[2] ?? undefined),
    actor: row[3] === 0 ? before.actor : (row[3] ?? undefined),
    correlationId: row[4] === 0 ? before.correlationId : (row[4] ?? undefined),
    entity: row[5] === 0 ? before.entity : (row[5] ?? undefined),
    data: row[6],
  }
}

/** Parses the rows of a commit. Throws when the text is something else. */
export function parseRows(text: string): unknown[] {
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows)) throw new TypeError('the records are not an array')
  return rows
}

/** Every record is a row. The default codec of a store. */
export const plainCodec: RecordCodec = {
  encode(records) {
    return JSON.stringify(records.map((record, i) => packRecord(record, records[i - 1] ?? noRecord)))
  },
  decode(text, first) {
    let before = noRecord
    return parseRows(text).map((row, i) => {
      before = unpackRecord(row, first + i, before)
      return before
    })
  },
}

/** Greatest depth of arrays and objects. */
const deepest = 1000

/**
 * Throws a TypeError for values that JSON.stringify refuses: a bigint, an object that contains itself. (To make the
 * text as a test takes ten times as long.)
 */
export function assertJson(value: unknown, depth = 0): void {
  if (typeof value === 'bigint') throw new TypeError('a bigint is not JSON')
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest) throw new TypeError(`it contains itself, or is nested deeper than ${deepest}`)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') JSON.stringify(value)
  else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) assertJson(value[i], depth + 1)
  else for (const name in value) assertJson((value as Record<string, unknown>)[name], depth + 1)
}
