/** Compiles the program of a device. Runs on the engine, which remembers documents and units between tasks. */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { defined } from '../../../core/index.ts'
import { type CompiledObject, type CompileState, compileProgram } from '../../../plc/compiler/compile-program.ts'
import { compilerVersion } from '../../../plc/compiler/compiler-version.ts'
import { interfaceFacts } from '../../../plc/compiler/interfaces.ts'
import type { ProgramDocument } from '../../../plc/compiler/program-document.ts'
import { blobHash, encodeProgram, type ProgramBlobs } from '../../../plc/compiler/program-file.ts'
import { decodeUnit, encodeUnit, type Unit } from '../../../plc/compiler/unit.ts'
import { objectOf } from '../../../plc/edit/stored-document.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { CpuFamily } from '../../../plc/program/cpu-family.ts'
import type { LinkTagTable } from '../../../plc/program/link-program.ts'
import { type MemoryUse, memoryUse } from '../../../plc/program/memory-use.ts'
import type { Diagnostic } from '../../../plc/program/program.ts'
import { missingTypes } from '../../../plc/program/types-of-cpu.ts'
import { type ChangedHeaders, type DocumentHeader, isSameDocument, withChanges } from './headers.ts'

export interface CompileTask {
  /** The device of the program. The engine remembers linked programs by device. */
  readonly device: string
  /** All headers, or those that differ from the last finished task of the device. */
  readonly documents: readonly DocumentHeader[] | ChangedHeaders
  /** Hashes of the tag tables. */
  readonly tables: readonly string[]
  readonly only?: readonly string[] | undefined
  readonly rebuild?: boolean | undefined
  /** Of the CPU of the device. */
  readonly family?: CpuFamily | undefined
  /** What messages call the CPU. */
  readonly cpu?: string | undefined
  /** Percent of the job that is done when it has compiled; default: 100. */
  readonly upTo?: number | undefined
  /** Content that the engine does not have yet, by hash: texts of blobs, and tag tables (`LinkTagTable`) as JSON. */
  readonly texts: ReadonlyMap<string, string>
  /** Send all blobs of the program, also those that were sent with its last version. */
  readonly resend?: boolean | undefined
}

/** The outcome of an object, without its code. */
export interface ObjectOutcome extends Omit<CompiledObject, 'unit' | 'uses'> {
  /** Absent: unchanged since the gateway received them. */
  readonly uses?: readonly string[]
  /** Hash of the object's interface. */
  readonly interface: string
  /** Blob of the object's unit. */
  readonly unit?: string
}

export type CompileTaskResult =
  /** The engine does not have the headers that the changes refer to: run the task again with all headers. */
  | { readonly needsAllHeaders: true }
  /** Hashes of missing content: run the task again with it. */
  | { readonly missing: readonly string[] }
  | {
      /** The name of the headers of this task. */
      readonly state: string
      /** Only objects with changes or messages. */
      readonly objects: readonly ObjectOutcome[]
      /** Number of code blocks whose earlier result is still valid. */
      readonly unchanged: number
      readonly others: readonly Diagnostic[]
      /** New units, to be kept as blobs. */
      readonly units: readonly string[]
      readonly program?: SentProgram
      /** Memory of the CPU that the program needs. */
      readonly memory?: MemoryUse
    }

/** Blobs of a program. Without bytes: sent with its last version. */
export interface SentProgram {
  readonly hash: string
  readonly blobs: readonly { readonly hash: string; readonly bytes?: Uint8Array }[]
}

/** Limit of the texts of remembered objects, bytes. A model takes some ten times as much. */
const documentBytes = 32 * 1024 * 1024
const read = new LRUCache<string, ProgramDocument>({
  maxSize: documentBytes,
  sizeCalculation: ({ object }) => sizeOf(object),
})
/** By their blobs. */
const units = new LRUCache<string, Unit>({ maxSize: 64 * 1024 * 1024, sizeCalculation: unitSize })
/** Blobs of the last units of a document: a change that is taken back needs no new compilation. */
const unitsByDocument = new LRUCache<string, readonly string[]>({ max: 20_000 })
const mostVariants = 4
/** A document and the header it was read with. */
interface Entry {
  readonly header: DocumentHeader
  readonly document: ProgramDocument
  /** The hash of the unit that the header names. */
  readonly unit: Unit | undefined
}

interface DeviceState {
  /** A name that no other state has. */
  readonly state: string
  readonly compiled: CompileState
  /** By hash. */
  readonly tables: ReadonlyMap<string, LinkTagTable>
  /** In the order of the task. */
  readonly headers: readonly DocumentHeader[]
  /** By name, as it is written. */
  readonly entries: ReadonlyMap<string, Entry>
  /** Hashes of the blobs of the last program. */
  readonly sent: ReadonlySet<string>
}
const devices = new LRUCache<string, DeviceState>({ max: 4 })

function sizeOf({ xml, text }: ImportedObject): number {
  return 1 + (xml ?? text ?? '').length
}

function unitSize({ code, diagnostics, uses }: Unit): number {
  return 200 + (code?.compiled.function.code.length ?? 0) * 2 + (diagnostics.length + uses.length) * 50
}

/** Forgets everything (for benchmarks). */
export function forget(): void {
  for (const cache of [read, units, unitsByDocument, devices]) cache.clear()
}

interface Api {
  progress(percent: number, message?: string): void
  readonly signal: AbortSignal
}

/** Compiles, or answers with what it needs first. */
export function compile(task: CompileTask, { signal, progress }: Api): CompileTaskResult {
  const { upTo = 100 } = task
  const api: Api = { signal, progress: (percent, message) => progress((percent * upTo) / 100, message) }
  const compiler = compilerVersion(import.meta.url)
  const state = devices.get(task.device)
  const headers = headersOf(task, state)
  if (headers === undefined) return { needsAllHeaders: true }
  const { entries, documents, others, missing } = readAll(task, headers, state?.entries, api)
  const tables = readTables(task, state?.tables, missing)
  if (missing.length > 0) return { missing }
  const output = compileProgram({
    documents,
    tables: [...tables.values()],
    // Code for another family is other code.
    compiler: task.family === undefined ? compiler : `${compiler} ${task.family}`,
    family: task.family,
    before: state?.compiled,
    only: task.only,
    rebuild: task.rebuild,
    unitsOf: (name, document) => candidates(entries.get(name)?.unit, name, document),
    progress: (done, of, name) => {
      if (done % 16 !== 0) return
      api.signal.throwIfAborted()
      api.progress(30 + (65 * done) / of, `Compiling ${done + 1} of ${of}: ${name}`)
    },
  })
  const foreign: Diagnostic[] = []
  const { cpu, family } = task
  const only = task.only && new Set(task.only.map((name) => name.toLowerCase()))
  if (cpu !== undefined && family !== undefined)
    for (const { object } of documents)
      if (!only || only.has(object.name.toLowerCase())) foreign.push(...missingTypes(object, cpu, family))
  const isRight = output.program !== undefined && others.length + foreign.length === 0
  const blobs = isRight && output.program && encodeProgram(output.program, compiler, state?.compiled.program)
  const before = state?.sent ?? new Set()
  const sent = blobs ? new Set(blobs.blobs.map(({ hash }) => hash)) : before
  const name = randomUUID()
  devices.set(task.device, { state: name, compiled: output.state, tables, headers, entries, sent })
  const made: string[] = []
  const objects: ObjectOutcome[] = []
  let unchanged = 0
  for (const object of output.objects) {
    const entry = entries.get(object.name)
    const header = entry?.header
    const hash = object.unit && keep(object.unit, header?.unit, made)
    // Compared with what the gateway has, so that the answer does not depend on what this engine remembers.
    const isUnchanged = task.rebuild !== true && hash === header?.unit
    if (object.unit && isUnchanged) unchanged++
    const isKnown = header?.interfaces === object.interfaces
    if (isKnown && isUnchanged && header.isClean === true && object.diagnostics.length === 0) continue
    const { unit: _unit, uses, ...rest } = object
    objects.push({
      ...rest,
      isUnchanged,
      interface: entry?.document.facts.hash ?? '',
      ...(isKnown ? {} : { uses }),
      ...defined({ unit: hash }),
    })
  }
  return {
    state: name,
    objects,
    unchanged,
    others: [...others, ...output.others, ...foreign],
    units: made,
    ...(blobs ? { program: task.resend === true ? blobs : withoutSent(blobs, before) } : {}),
    ...(output.program ? { memory: memoryUse(output.program.symbols) } : {}),
  }
}

function withoutSent({ hash, blobs }: ProgramBlobs, sent: ReadonlySet<string>): SentProgram {
  return { hash, blobs: blobs.map((blob) => (sent.has(blob.hash) ? { hash: blob.hash } : blob)) }
}

interface ReadProgram {
  /** By name, as it is written. */
  readonly entries: ReadonlyMap<string, Entry>
  /** In the order of the task. */
  readonly documents: readonly ProgramDocument[]
  /** Messages about documents that cannot be read. */
  readonly others: readonly Diagnostic[]
  /** Hashes of the missing content. */
  readonly missing: string[]
}

/** The tag tables of the task. Unchanged ones stay the same objects. */
function readTables(
  { tables, texts }: CompileTask,
  before: ReadonlyMap<string, LinkTagTable> | undefined,
  missing: string[],
): Map<string, LinkTagTable> {
  const read = new Map<string, LinkTagTable>()
  for (const hash of tables) {
    const known = before?.get(hash)
    const text = known === undefined ? texts.get(hash) : undefined
    if (known !== undefined) read.set(hash, known)
    else if (text !== undefined) read.set(hash, JSON.parse(text) as LinkTagTable)
    else missing.push(hash)
  }
  return read
}

/** The headers of a task's documents; `undefined` when they refer to a state that the engine does not have. */
function headersOf({ documents }: CompileTask, before: DeviceState | undefined): readonly DocumentHeader[] | undefined {
  if (!('since' in documents)) return documents
  return before?.state === documents.since ? withChanges(before.headers, documents) : undefined
}

/** Reads the documents and units that headers name. Unchanged ones are not read again. */
function readAll(
  task: CompileTask,
  headers: readonly DocumentHeader[],
  before: ReadonlyMap<string, Entry> | undefined,
  api: Api,
): ReadProgram {
  const entries = new Map<string, Entry>()
  const documents: ProgramDocument[] = []
  const others: Diagnostic[] = []
  const missing: string[] = []
  const add = (entry: Entry) => {
    entries.set(entry.header.name, entry)
    documents.push(entry.document)
  }
  let count = 0
  for (const header of headers) {
    const known = before?.get(header.name)
    if (known?.header === header) {
      add(known)
      continue
    }
    const isRead = known !== undefined && isSameDocument(known.header, header)
    if (isRead && known.header.unit === header.unit) {
      add({ header, document: known.document, unit: known.unit })
      continue
    }
    if (count++ % 50 === 0) {
      api.signal.throwIfAborted()
      api.progress(
        (30 * entries.size) / headers.length,
        `Reading ${entries.size + 1} of ${headers.length}: ${header.name}`,
      )
    }
    const document = isRead ? known.document : readDocument(header, task.texts.get(header.document))
    const unit = task.rebuild === true ? undefined : unitOf(header, task.texts)
    if (unit === 'missing' && header.unit !== undefined) missing.push(header.unit)
    if (document === 'missing') missing.push(header.document)
    else if ('facts' in document) add({ header, document, unit: unit === 'missing' ? undefined : unit })
    else others.push(document)
  }
  return { entries, documents, others, missing }
}

/** The unit of a document from an earlier compilation; undefined when it cannot be read. */
function unitOf({ unit }: DocumentHeader, texts: ReadonlyMap<string, string>): Unit | 'missing' | undefined {
  if (unit === undefined) return undefined
  const known = units.get(unit)
  if (known) return known
  const text = texts.get(unit)
  return text === undefined ? 'missing' : readUnit(unit, text)
}

const blobOf = new WeakMap<Unit, string>()

/** Remembers a unit. Its text goes to `made` unless the gateway has it: it may have dropped an earlier one. */
function keep(unit: Unit, known: string | undefined, made: string[]): string {
  const before = blobOf.get(unit)
  if (before !== undefined && before === known) return before
  const text = encodeUnit(unit)
  const hash = blobHash(text)
  remember(unit, hash)
  if (hash !== known) made.push(text)
  return hash
}

function remember(unit: Unit, hash: string): void {
  blobOf.set(unit, hash)
  units.set(hash, unit)
  const key = `${unit.name} ${unit.document}`
  const before = unitsByDocument.get(key) ?? []
  if (before[0] !== hash)
    unitsByDocument.set(key, [hash, ...before.filter((one) => one !== hash)].slice(0, mostVariants))
}

function* candidates(first: Unit | undefined, name: string, document: string): Iterable<Unit> {
  if (first) yield first
  for (const hash of unitsByDocument.get(`${name} ${document}`) ?? []) {
    const unit = units.get(hash)
    if (unit && unit !== first) yield unit
  }
}

function keyOf(header: DocumentHeader): string {
  const { document, format, kind, name, number, autoNumber, secondaryType, engineeringVersion, culture } = header
  return `${document} ${format} ${kind} ${number} ${autoNumber} ${secondaryType} ${engineeringVersion} ${culture} ${name}`
}

function readDocument(header: DocumentHeader, text: string | undefined): ProgramDocument | Diagnostic | 'missing' {
  const key = keyOf(header)
  const known = read.get(key)
  if (known) return known
  if (text === undefined) return 'missing'
  try {
    const object = objectOf({ ...header, text })
    // The block's number in this program can differ from the one in its document.
    const { number } = header
    const numbered = number === undefined ? object : { ...object, number }
    const found = { object: numbered, document: header.document, facts: interfaceFacts(numbered) }
    read.set(key, found)
    return found
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const [fault] = error.faults
    return {
      code: 'unreadable-object',
      severity: 'error',
      object: header.name,
      ...(fault === undefined
        ? {}
        : { line: fault.line, column: fault.column, sourceLine: fault.line, sourceColumn: fault.column }),
      message: `The text of this object cannot be read: ${fault?.message ?? error.message}.`,
    }
  }
}

/** Reads a unit from its blob; undefined when another version of the compiler wrote it. */
function readUnit(hash: string, text: string): Unit | undefined {
  try {
    const unit = decodeUnit(text)
    remember(unit, hash)
    return unit
  } catch {
    return undefined
  }
}
