/**
 * The records of one commit as text: a JSON array of arrays with their fields in fixed places. An array is one record, or a whole job: one that
 * was accepted and completed in this commit with nothing between its records, as most are.
 *
 * ```
 * [time, type, jobId, actor, correlationId, entity, data]
 * [time, 1, jobId, actor, correlationId, command, access, input, result, started, ended, type, entity, data, type, entity, data …]
 * ```
 *
 * A field is 0 where it is that of the record before (command and access: of the whole job before; type and entity of an event: of the event of a
 * whole job before), and null where the record has none (data is simply left out). The records of a command have job, actor,
 * correlation id and mostly the time in common: so they take two thirds of the bytes that objects with all fields do, and fewer bytes are
 * quicker to make, to hash, to write and to parse (bench/store-append.ts, bench/store-replay.ts).
 *
 * A whole job takes half of that again. It stands for its `job.accepted` record with `{ command, access, input }`, a record for each event, and its
 * `job.completed` record with `{ result, startedAt }`; `started` and `ended` are milliseconds after the acceptance. Every reader sees these records.
 *
 * `seq` is not there: it is that of the commit, plus the position.
 */
import { StoreError } from './errors.ts'
import type { DraftRecord, LogRecord, NewRecord } from './types.ts'

/** Before the first record of a commit. */
const noRecord: LogRecord = makeRecord({ type: '', data: undefined }, 0, 0)

/** One record. All records have the same fields in the same order, also those that they do not use: what reads many of them is quicker. */
export function makeRecord(given: NewRecord, seq: number, time: number): LogRecord {
  const { type, jobId, actor, correlationId, entity, data } = given
  return { seq, time, type, jobId, actor, correlationId, entity, data }
}

/** A record that the log takes as it is when it is appended: without number and time until then. */
export function draftRecord(
  type: string,
  jobId: string | undefined,
  actor: string | undefined,
  correlationId: string | undefined,
  entity: string | undefined,
  data: unknown,
): DraftRecord {
  return { seq: 0, time: 0, type, jobId, actor, correlationId, entity, data }
}

/** True for a {@link draftRecord} that has not been appended. */
export function isDraft(given: NewRecord | DraftRecord): given is DraftRecord {
  return (given as DraftRecord).seq === 0
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

/** In the place of a record's type: the array is a whole job. */
const wholeJob = 1
/** Fields of a whole job before those of its events, and fields of an event. */
const jobFields = 11
const eventFields = 3

/** An acceptance whose text is not made yet. */
interface Held {
  readonly record: LogRecord
  readonly command: string
  readonly access: string
  readonly inputJson: string
}

const comma = 0x2c
const bracket = 0x5b
const endBracket = 0x5d
const quote = 0x22
const backslash = 0x5c
/** Texts up to this length are written character by character: the way into Node's own code takes as long as 50 of them. */
const shortText = 64

/** Bytes before the text, for the frame of the commit. */
const headRoom = 160
/** Room for the text of a commit at the beginning, and what is kept of it at most from one commit to the next, bytes. */
const smallestRoom = 64 * 1024
const largestRoom = 4 * 1024 * 1024

/**
 * Packs the records of one commit after the other, in order. The text is written to its place at once: strings that wait for the
 * commit would be copied by the garbage collector again and again.
 */
export class RecordPacker {
  #bytes = Buffer.allocUnsafeSlow(smallestRoom)
  #length = headRoom
  /** Of the commit before, which may be on its way to the disk. */
  #spare = Buffer.allocUnsafeSlow(smallestRoom)
  #before = noRecord
  #held: Held | undefined
  /** Of the whole job before, and of the last event in one. */
  #command: string | undefined
  #access: string | undefined
  #type: string | undefined
  #entity: string | undefined

  /** The next record. */
  add(record: LogRecord, dataJson: string | undefined): string {
    this.#release()
    const text = packRecord(record, this.#before, dataJson)
    this.#write(text)
    this.#before = record
    return text
  }

  /**
   * The next record, when it is the acceptance of a job whose end may follow.
   * @param inputJson see {@link acceptedInput}
   */
  hold(record: LogRecord, inputJson: string): void {
    this.#release()
    const { command, access } = record.data as AcceptanceData
    this.#held = { record, command, access, inputJson }
  }

  /**
   * True when these records, appended now, make the held acceptance a whole job.
   * @param resultJson the JSON text of the last one's result, if it has one
   */
  isEndOfHeld(records: readonly (NewRecord | DraftRecord)[], resultJson: string | undefined): resultJson is string {
    const accepted = this.#held?.record
    if (accepted === undefined) return false
    const { jobId, actor, correlationId } = accepted
    for (const given of records) {
      if (given.jobId !== jobId || given.actor !== actor || given.correlationId !== correlationId) return false
      if (given.time !== undefined && !isDraft(given)) return false
    }
    const end = records[records.length - 1] as NewRecord
    return resultJson !== undefined && end.type === 'job.completed' && end.entity === undefined && isPlainEnd(end.data)
  }

  /**
   * The next records, which {@link isEndOfHeld}: those of the events and of the end. All have the same time.
   * @param first index of the first one in `records`
   * @param dataJsons of the events; the end's is not needed
   */
  end(records: readonly LogRecord[], first: number, dataJsons: readonly string[], resultJson: string): void {
    const { record: accepted, command, access, inputJson } = this.#held as Held
    const end = records[records.length - 1] as LogRecord
    const before = this.#before
    const { time, jobId, actor, correlationId } = accepted
    this.#delimiter(comma)
    this.#delimiter(bracket)
    this.#number(time === before.time ? 0 : time)
    this.#delimiter(comma)
    this.#number(wholeJob)
    this.#field(jobId, before.jobId)
    this.#field(actor, before.actor)
    this.#field(correlationId, before.correlationId)
    this.#field(command, this.#command)
    this.#field(access, this.#access)
    this.#json(inputJson)
    this.#json(resultJson)
    this.#delimiter(comma)
    this.#number((end.data as EndData).startedAt - time)
    this.#delimiter(comma)
    this.#number(end.time - time)
    for (let i = 0; i < dataJsons.length; i++) {
      const { type, entity } = records[first + i] as LogRecord
      this.#field(type, this.#type)
      this.#field(entity, this.#entity)
      this.#json(dataJsons[i] as string)
      this.#type = type
      this.#entity = entity
    }
    this.#delimiter(endBracket)
    this.#command = command
    this.#access = access
    this.#before = end
    this.#held = undefined
  }

  /**
   * Ends the commit.
   * @param head number of bytes to leave free in front
   * @returns the JSON array of its records, as UTF-8, behind the free bytes; written over when the commit after the next is packed
   */
  done(head: number): Buffer {
    this.#release()
    if (this.#length === headRoom) this.#length++
    const bytes = this.#bytes
    bytes[headRoom] = bracket
    bytes[this.#length] = endBracket
    const end = this.#length + 1
    this.#bytes = this.#spare.length > largestRoom ? Buffer.allocUnsafeSlow(smallestRoom) : this.#spare
    this.#spare = bytes
    this.reset()
    if (head <= headRoom) return bytes.subarray(headRoom - head, end)
    const value = Buffer.allocUnsafe(head + end - headRoom)
    bytes.copy(value, head, headRoom, end)
    return value
  }

  /** Forgets what was packed since the last commit. */
  reset(): void {
    this.#length = headRoom
    this.#before = noRecord
    this.#held = this.#command = this.#access = this.#type = this.#entity = undefined
  }

  /** Appends a text behind a comma; that of the first record becomes the bracket. */
  #write(text: string): void {
    this.#delimiter(comma)
    this.#text(text)
  }

  /** Room for as many characters, and for a few delimiters and digits. */
  #need(characters: number): void {
    // UTF-8 has at most three bytes for each UTF-16 code unit.
    const needed = this.#length + 3 * characters + 32
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  #delimiter(byte: number): void {
    this.#need(0)
    this.#bytes[this.#length++] = byte
  }

  #number(value: number): void {
    if (value >= 0 && value < 10) this.#delimiter(0x30 + value)
    else this.#text(String(value))
  }

  /** A comma and a text. */
  #json(text: string): void {
    this.#delimiter(comma)
    this.#text(text)
  }

  /** A comma and a field: 0 for that of the record before, `null` for none. */
  #field(value: string | undefined, before: string | undefined): void {
    this.#delimiter(comma)
    if (value === before) this.#delimiter(0x30)
    else if (value === undefined) this.#text('null')
    else this.#quoted(value)
  }

  #quoted(text: string): void {
    const { length } = text
    this.#need(length)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = quote
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) {
        this.#text(JSON.stringify(text))
        return
      }
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.#length = at
  }

  #text(text: string): void {
    const { length } = text
    this.#need(length)
    let at = this.#length
    if (length <= shortText) {
      const bytes = this.#bytes
      let i = 0
      for (; i < length; i++) {
        const code = text.charCodeAt(i)
        if (code > 0x7e) break
        bytes[at++] = code
      }
      if (i < length) at += bytes.write(text.slice(i), at, 'utf8')
    } else at += this.#bytes.write(text, at, 'utf8')
    this.#length = at
  }

  #release(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    const { record, command, access, inputJson } = held
    this.add(record, `{"command":${quoted(command)},"access":${quoted(access)},"input":${inputJson}}`)
  }
}

/** What a `job.accepted` record of a whole job says, and nothing else. */
interface AcceptanceData {
  readonly command: string
  readonly access: string
  readonly input: unknown
}

/** What its `job.completed` record says, and nothing else. */
interface EndData {
  readonly result: unknown
  readonly startedAt: number
}

/** The JSON text of the input when the record is an acceptance that {@link RecordPacker.hold} takes. Throws what JSON.stringify does. */
export function acceptedInput({ type, entity, data }: NewRecord): string | undefined {
  if (type !== 'job.accepted' || entity !== undefined || data === null || typeof data !== 'object') return undefined
  let fields = 0
  for (const name in data)
    if (fields++ > 2 || !(name === 'command' || name === 'access' || name === 'input')) return undefined
  const { command, access, input } = data as AcceptanceData
  if (fields !== 3 || typeof command !== 'string' || typeof access !== 'string') return undefined
  return JSON.stringify(input)
}

function isPlainEnd(data: unknown): boolean {
  if (data === null || typeof data !== 'object' || !Number.isSafeInteger((data as EndData).startedAt)) return false
  let fields = 0
  for (const name in data) if (fields++ > 1 || !(name === 'result' || name === 'startedAt')) return false
  return fields === 2
}

/**
 * Reads the records of a commit.
 * @param first seq of the first one
 * @throws SyntaxError, StoreError `store_corrupt` when the text is something else
 */
export function unpackRecords(text: string, first: number): LogRecord[] {
  const packed: unknown = JSON.parse(text)
  if (!Array.isArray(packed)) throw notPacked(first)
  // Records take the places of their arrays, up to the first whole job.
  let records: LogRecord[] = packed
  let count = 0
  let { time, type, jobId, actor, correlationId, entity } = noRecord
  let jobs: JobUnpacker | undefined
  for (let i = 0; i < packed.length; i++) {
    const fields = packed[i]
    if (!Array.isArray(fields)) throw notPacked(first + count)
    if (fields[0] !== 0) time = fields[0]
    if (fields[2] !== 0) jobId = fields[2] ?? undefined
    if (fields[3] !== 0) actor = fields[3] ?? undefined
    if (fields[4] !== 0) correlationId = fields[4] ?? undefined
    if (fields[1] === wholeJob) {
      if (records === packed) records = packed.slice(0, i)
      jobs ??= new JobUnpacker(records, first)
      time = jobs.add(fields, time, jobId, actor, correlationId)
      type = 'job.completed'
      entity = undefined
      count = records.length
      continue
    }
    if (fields[1] !== 0) type = fields[1]
    if (fields[5] !== 0) entity = fields[5] ?? undefined
    records[count] = { seq: first + count, time, type, jobId, actor, correlationId, entity, data: fields[6] }
    count++
  }
  return records
}

type Text = string | undefined

/** Adds the records of whole jobs to a list. */
class JobUnpacker {
  readonly #records: LogRecord[]
  readonly #first: number
  #command: unknown
  #access: unknown
  #type = ''
  #entity: Text

  constructor(records: LogRecord[], first: number) {
    this.#records = records
    this.#first = first
  }

  /** Returns the time of its end. */
  // biome-ignore lint/suspicious/noExplicitAny: as JSON.parse gives it
  add(fields: readonly any[], time: number, jobId: Text, actor: Text, correlationId: Text): number {
    const records = this.#records
    const { length } = fields
    let seq = this.#first + records.length
    if (length < jobFields || (length - jobFields) % eventFields !== 0) throw notPacked(seq)
    if (fields[5] !== 0) this.#command = fields[5]
    if (fields[6] !== 0) this.#access = fields[6]
    const accepted = { command: this.#command, access: this.#access, input: fields[7] }
    const completed = { result: fields[8], startedAt: time + fields[9] }
    const none = undefined
    records.push({ seq, time, type: 'job.accepted', jobId, actor, correlationId, entity: none, data: accepted })
    const ended = time + fields[10]
    for (let at = jobFields; at < length; at += eventFields) {
      if (fields[at] !== 0) this.#type = fields[at]
      if (fields[at + 1] !== 0) this.#entity = fields[at + 1] ?? undefined
      const type = this.#type
      const data = fields[at + 2]
      records.push({ seq: ++seq, time: ended, type, jobId, actor, correlationId, entity: this.#entity, data })
    }
    const type = 'job.completed'
    records.push({ seq: ++seq, time: ended, type, jobId, actor, correlationId, entity: none, data: completed })
    return ended
  }
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
