/** Compiles the program of a device; runs on the engine, which remembers what it has read and compiled. */
import { LRUCache } from 'lru-cache'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import type { LinkTagTable } from '../program/link-program.ts'
import type { Diagnostic } from '../program/program.ts'
import { objectOf, type StoredDocument } from '../stored-document.ts'
import { type CompiledObject, compileProgram, type ProgramDocument } from './compile-program.ts'
import { compilerVersion } from './compiler-version.ts'
import { type InterfaceFacts, interfaceFacts } from './interfaces.ts'
import { blobHash, encodeProgram, type ProgramBlobs } from './program-file.ts'
import type { LinkedState } from './relink.ts'
import { decodeUnit, encodeUnit, type Unit } from './unit.ts'

/** A document without its text. */
export interface DocumentHeader extends Omit<StoredDocument, 'text'> {
  /** Blob of the text. */
  readonly document: string
  /** Blob of what it was compiled to before. */
  readonly unit?: string | undefined
  /** `interfaces` of its last compilation, when it was that of this document. */
  readonly interfaces?: string | undefined
  /** Its last compilation had no messages. */
  readonly isClean?: boolean | undefined
}

export interface CompileTask {
  /** Whose program it is: what is linked is remembered by it. */
  readonly device: string
  readonly documents: readonly DocumentHeader[]
  readonly tables: readonly LinkTagTable[]
  readonly only?: readonly string[] | undefined
  readonly rebuild?: boolean | undefined
  /** Texts of blobs that the engine does not know yet. */
  readonly texts: ReadonlyMap<string, string>
}

/** What became of an object, without its code. */
export interface ObjectOutcome extends Omit<CompiledObject, 'unit' | 'uses'> {
  /** Absent: as the gateway knows them. */
  readonly uses?: readonly string[]
  /** Hash of its own interface. */
  readonly interface: string
  /** Blob of its unit. */
  readonly unit?: string
}

export type CompileTaskResult =
  /** Blobs whose texts have to be sent: the task is to be run again with them. */
  | { readonly missing: readonly string[] }
  | {
      /** Without those of which there is nothing new and nothing to tell. */
      readonly objects: readonly ObjectOutcome[]
      /** Code blocks whose result still held. */
      readonly unchanged: number
      readonly others: readonly Diagnostic[]
      /** Units that were made: to be kept as blobs. */
      readonly units: readonly string[]
      readonly program?: ProgramBlobs
    }

interface ReadDocument {
  readonly object: ImportedObject
  readonly facts: InterfaceFacts
}

/** Bytes of texts whose objects are remembered: a model is some ten times as large. */
const documentBytes = 32 * 1024 * 1024
const read = new LRUCache<string, ReadDocument>({
  maxSize: documentBytes,
  sizeCalculation: ({ object }) => sizeOf(object),
})
/** By their blobs. */
const units = new LRUCache<string, Unit>({ maxSize: 64 * 1024 * 1024, sizeCalculation: unitSize })
/** Blobs of the last units of a document: what was changed and changed back is not compiled again. */
const unitsByDocument = new LRUCache<string, readonly string[]>({ max: 20_000 })
const mostVariants = 4
/** By device. */
const linked = new LRUCache<string, LinkedState>({ max: 4 })

function sizeOf({ xml, text }: ImportedObject): number {
  return 1 + (xml ?? text ?? '').length
}

function unitSize({ code, diagnostics, uses }: Unit): number {
  return 200 + (code?.compiled.function.code.length ?? 0) * 2 + (diagnostics.length + uses.length) * 50
}

/** Forgets everything: for measuring. */
export function forget(): void {
  for (const cache of [read, units, unitsByDocument, linked]) cache.clear()
}

interface Api {
  progress(percent: number, message?: string): void
  readonly signal: AbortSignal
}

/** Compiles, or says what it has to be told first. */
export function compile(task: CompileTask, api: Api): CompileTaskResult {
  const compiler = compilerVersion()
  const missing: string[] = []
  const documents: ProgramDocument[] = []
  const others: Diagnostic[] = []
  const headers = new Map<string, DocumentHeader>()
  const factsOf = new Map<string, InterfaceFacts>()
  const given = new Map<string, Unit>()
  for (const [i, header] of task.documents.entries()) {
    if (i % 50 === 0) {
      api.signal.throwIfAborted()
      api.progress((30 * i) / task.documents.length, `Reading ${i + 1} of ${task.documents.length}: ${header.name}`)
    }
    const { document, unit } = header
    const text = task.texts.get(document)
    const known = readDocument(header, text)
    if (known === 'missing') missing.push(document)
    else if ('facts' in known) {
      const key = known.object.name.toLowerCase()
      headers.set(key, header)
      factsOf.set(key, known.facts)
      documents.push({ ...known, document })
    } else others.push(known)
    if (unit === undefined || task.rebuild === true) continue
    const saved = units.get(unit) ?? readUnit(unit, task.texts.get(unit))
    if (saved) given.set(unit, saved)
    else if (!task.texts.has(unit)) missing.push(unit)
  }
  if (missing.length > 0) return { missing }
  const output = compileProgram({
    documents,
    tables: task.tables,
    compiler,
    before: linked.get(task.device),
    only: task.only,
    rebuild: task.rebuild,
    unitsOf: (name, document) => candidates(given.get(headers.get(name.toLowerCase())?.unit ?? ''), name, document),
    progress: (done, of, name) => {
      if (done % 16 !== 0) return
      api.signal.throwIfAborted()
      api.progress(30 + (65 * done) / of, `Compiling ${done + 1} of ${of}: ${name}`)
    },
  })
  linked.set(task.device, output.state)
  const made: string[] = []
  const objects: ObjectOutcome[] = []
  let unchanged = 0
  for (const { unit, uses, ...object } of output.objects) {
    const key = object.name.toLowerCase()
    const header = headers.get(key)
    const hash = unit && keep(unit, header?.unit, made)
    // What counts is what the gateway knew: the answer does not depend on what this engine happens to remember.
    const isUnchanged = task.rebuild !== true && hash === header?.unit
    if (unit && isUnchanged) unchanged++
    const isKnown = header?.interfaces === object.interfaces
    if (isKnown && isUnchanged && header.isClean === true && object.diagnostics.length === 0) continue
    objects.push({
      ...object,
      isUnchanged,
      interface: factsOf.get(key)?.hash ?? '',
      ...(isKnown ? {} : { uses }),
      ...(hash === undefined ? {} : { unit: hash }),
    })
  }
  const isRight = output.program !== undefined && others.length === 0
  return {
    objects,
    unchanged,
    others: [...others, ...output.others],
    units: made,
    ...(isRight && output.program ? { program: encodeProgram(output.program, compiler) } : {}),
  }
}

const blobOf = new WeakMap<Unit, string>()

/** Remembers a unit. Its text goes to `made` unless the gateway has it: it may have dropped what an earlier task told it. */
function keep(unit: Unit, known: string | undefined, made: string[]): string {
  let hash = blobOf.get(unit)
  if (hash === undefined || hash !== known) {
    const text = encodeUnit(unit)
    hash = blobHash(text)
    blobOf.set(unit, hash)
    units.set(hash, unit)
    if (hash !== known) made.push(text)
  }
  const key = `${unit.name} ${unit.document}`
  const before = unitsByDocument.get(key) ?? []
  if (before[0] !== hash)
    unitsByDocument.set(key, [hash, ...before.filter((one) => one !== hash)].slice(0, mostVariants))
  return hash
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

function readDocument(header: DocumentHeader, text: string | undefined): ReadDocument | Diagnostic | 'missing' {
  const key = keyOf(header)
  const known = read.get(key)
  if (known) return known
  if (text === undefined) return 'missing'
  try {
    const object = objectOf({ ...header, text })
    // The number that the block has in this program may be another than its document says.
    const { number } = header
    const numbered = number === undefined ? object : { ...object, number }
    const found = { object: numbered, facts: interfaceFacts(numbered) }
    read.set(key, found)
    return found
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const [fault] = error.faults
    return {
      code: 'unreadable-object',
      severity: 'error',
      object: header.name,
      ...(fault === undefined ? {} : { line: fault.line, column: fault.column }),
      message: `The text of this object cannot be read: ${fault?.message ?? error.message}.`,
    }
  }
}

/** A unit that was kept as a blob; one of a compiler that wrote them in another way is no unit any more. */
function readUnit(hash: string, text: string | undefined): Unit | undefined {
  if (text === undefined) return undefined
  try {
    const unit = decodeUnit(text)
    blobOf.set(unit, hash)
    units.set(hash, unit)
    return unit
  } catch {
    return undefined
  }
}
