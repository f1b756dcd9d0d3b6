/**
 * The records of one commit as text: a JSON array with one array for each record, its fields in fixed places.
 *
 * ```
 * [time, type, jobId, actor, correlationId, entity, data]
 * ```
 *
 * A field is 0 where it is that of the record before, and null where the record has none (data is simply left out). The records of a command
 * have job, actor, correlation id and mostly the time in common: so they take two thirds of the bytes that objects with all fields do, and
 * fewer bytes are quicker to make, to hash, to write and to parse (bench/store-append.ts, bench/store-replay.ts).
 * `seq` is not there: it is that of the commit, plus the position.
 */
import { StoreError } from './errors.ts'
import type { LogRecord, NewRecord } from './types.ts'

/** Before the first record of a commit. */
const noRecord: LogRecord = makeRecord({ type: '', data: undefined }, 0, 0)

/** One record. All records have the same fields in the same order, also those that they do not use: what reads many of them is quicker. */
export function makeRecord(given: NewRecord, seq: number, time: number): LogRecord {
  const { type, jobId, actor, correlationId, entity, data } = given
  return { seq, time, type, jobId, actor, correlationId, entity, data }
}

/**
 * The text of one record.
 * @param before the record before it in the commit; `undefined` for the first one
 * @param dataJson the JSON text of `data`; `undefined` when there is no data
 */
export function packRecord(
  record: LogRecord,
  before: LogRecord | undefined = noRecord,
  dataJson: string | undefined,
): string {
  const { time, type, jobId, actor, correlationId, entity } = record
  const isSameCall = jobId === before.jobId && actor === before.actor && correlationId === before.correlationId
  const call = isSameCall
    ? '0,0,0'
    : `${field(jobId, before.jobId)},${field(actor, before.actor)},${field(correlationId, before.correlationId)}`
  const fields = `[${time === before.time ? 0 : time},${field(type, before.type)},${call},${field(entity, before.entity)}`
  return dataJson === undefined ? `${fields}]` : `${fields},${dataJson}]`
}

/**
 * Reads the records of a commit.
 * @param first seq of the first one
 * @throws SyntaxError, StoreError `store_corrupt` when the text is something else
 */
export function unpackRecords(text: string, first: number): LogRecord[] {
  const packed: unknown = JSON.parse(text)
  if (!Array.isArray(packed)) throw notPacked(first)
  let { time, type, jobId, actor, correlationId, entity } = noRecord
  for (let i = 0; i < packed.length; i++) {
    const fields = packed[i]
    if (!Array.isArray(fields)) throw notPacked(first + i)
    if (fields[0] !== 0) time = fields[0]
    if (fields[1] !== 0) type = fields[1]
    if (fields[2] !== 0) jobId = fields[2] ?? undefined
    if (fields[3] !== 0) actor = fields[3] ?? undefined
    if (fields[4] !== 0) correlationId = fields[4] ?? undefined
    if (fields[5] !== 0) entity = fields[5] ?? undefined
    packed[i] = { seq: first + i, time, type, jobId, actor, correlationId, entity, data: fields[6] } satisfies LogRecord
  }
  return packed
}

function notPacked(seq: number): StoreError {
  return new StoreError('store_corrupt', `the record ${seq} is not packed as an array`, { seq })
}

function field(value: string | undefined, before: string | undefined): string {
  return value === before ? '0' : value === undefined ? 'null' : quoted(value)
}

/** Text that JSON takes as it stands: printable ASCII without quote and backslash. */
const plain = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}
