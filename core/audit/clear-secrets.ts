/**
 * Secrets that are in the log in clear text: inputs of operations in records of before their fields were
 * protected, e.g. those of changes that waited for a yes, in the result of a chat. Found by the schema of the
 * operation, wherever a record has an operation and its input; one that is not loaded any more cannot be judged.
 */
import { isObject } from '../../lib/is-object.ts'
import { isStoreError, type LogRecord, type StagedBlob, type Store } from '../../store/index.ts'
import { holdsSecrets, isProtected } from '../access/secrets.ts'
import { fieldForms, itemForms, type PlainSchema } from '../contract/schema.ts'
import { hiddenMark, type OperationFinder, secretMark, unrecordedMark } from '../input/shown-input.ts'
import { compileInput, type InputReader } from '../input/validation.ts'
import { iso } from '../log/job.ts'

/** In the place of a text that was taken out. */
export const redactedMark = '(redacted)'

type Path = readonly string[]

/** A record with secrets in clear text. */
export interface ClearRecord {
  readonly record: LogRecord
  /** JSON pointers into its data; below `inputBlob` and `resultBlob` into that content. */
  readonly places: readonly string[]
  /** Its data without them, with the new contents that it names, and the hashes of the old ones. */
  redacted(): Promise<{
    readonly data: unknown
    readonly staged: readonly StagedBlob[]
    readonly old: readonly string[]
  }>
}

const contentFields = ['inputBlob', 'resultBlob'] as const

/** Searches the log, oldest record first. Memory does not grow with it. */
export async function* clearRecords(
  store: Store,
  operations: OperationFinder,
  signal?: AbortSignal,
): AsyncGenerator<ClearRecord> {
  for await (const records of store.log.read()) {
    signal?.throwIfAborted()
    for (const record of records) {
      const own = await clearPaths(record.data, operations)
      const contents = await clearContents(store, record, operations)
      if (own.length + contents.length === 0) continue
      const below = contents.flatMap(({ field, paths }) => paths.map((path) => [field, ...path]))
      yield {
        record,
        places: [...own, ...below].map(pointerOf),
        async redacted() {
          const staged = await Promise.all(
            contents.map(({ value, paths }) => store.blobs.stage(JSON.stringify(without(value, paths)))),
          )
          const names = Object.fromEntries(contents.map(({ field }, i) => [field, staged[i]!.hash]))
          const data = { ...(without(record.data, own) as object), ...names }
          return { data, staged, old: contents.map(({ hash }) => hash) }
        },
      }
    }
  }
}

/** The inputs and results of a job that are too long for its records. */
async function clearContents(store: Store, { data }: LogRecord, operations: OperationFinder) {
  const found: { field: string; hash: string; value: unknown; paths: readonly Path[] }[] = []
  if (!isObject(data)) return found
  for (const field of contentFields) {
    const hash = data[field]
    if (typeof hash !== 'string') continue
    const bytes = await store.blobs.get(hash).catch((error: unknown) => {
      // It is not kept any more, or damaged: the check of the contents says so.
      if (isStoreError(error) && (error.code === 'blob_missing' || error.code === 'blob_corrupt')) return undefined
      throw error
    })
    if (bytes === undefined) continue
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const paths =
      field === 'inputBlob'
        ? (await clearPaths({ command: data.command, input: value }, operations)).map(([, ...path]) => path)
        : await clearPaths(value, operations)
    if (paths.length > 0) found.push({ field, hash, value, paths })
  }
  return found
}

/** Paths to secrets in clear text in a value. */
async function clearPaths(value: unknown, operations: OperationFinder): Promise<Path[]> {
  const found = new Map<string, Path>()
  for (const { id, input, path } of callsIn(value, [])) await searchCall(id, input, path, operations, found)
  return [...found.values()]
}

async function searchCall(
  id: string,
  input: Readonly<Record<string, unknown>>,
  path: Path,
  operations: OperationFinder,
  found: Map<string, Path>,
): Promise<void> {
  const operation = operations.operation(id)
  const reader = operation && (await compileInput(operation))
  if (reader?.mayHoldSecrets !== true) return
  for (const [name, value] of Object.entries(input))
    await search(value, fieldForms([reader.schema], nameOf(reader, name)), input, [...path, name], operations, found)
}

interface RecordedCall {
  readonly id: string
  readonly input: Readonly<Record<string, unknown>>
  readonly path: Path
}

/** Every object with the name of an operation and an input. */
function* callsIn(value: unknown, path: Path): Generator<RecordedCall> {
  if (typeof value !== 'object' || value === null) return
  if (isObject(value)) {
    const { operation, command = operation, input } = value
    if (typeof command === 'string' && isObject(input)) yield { id: command, input, path: [...path, 'input'] }
  }
  for (const [name, field] of Object.entries(value)) yield* callsIn(field, [...path, name])
}

/** The name of a field by the schema: an input that was not called has the spelling of its client. */
function nameOf(reader: InputReader, name: string): string {
  try {
    return Object.keys(reader.named({ [name]: '' }))[0] ?? name
  } catch {
    return name
  }
}

/** The forms of a field whose name may be spelled otherwise. */
function formsOfField(forms: readonly PlainSchema[], name: string): PlainSchema[] {
  const own = fieldForms(forms, name)
  if (own.length > 0) return own
  const lower = name.toLowerCase()
  const other = forms
    .flatMap(({ properties = {} }) => Object.keys(properties))
    .find((one) => one.toLowerCase() === lower)
  return other === undefined ? own : fieldForms(forms, other)
}

async function search(
  value: unknown,
  forms: readonly PlainSchema[],
  parent: Readonly<Record<string, unknown>>,
  path: Path,
  operations: OperationFinder,
  found: Map<string, Path>,
): Promise<void> {
  const of = forms.find((form) => form['x-input-of'])?.['x-input-of']
  const id = of === undefined ? undefined : parent[of]
  if (typeof id === 'string' && isObject(value)) return searchCall(id, value, path, operations, found)
  if (forms.some((form) => form['x-secret'] !== undefined)) {
    if (isClear(value)) found.set(pointerOf(path), path)
  } else if (forms.some(holdsSecrets)) {
    if (Array.isArray(value))
      for (const [i, item] of value.entries())
        await search(item, itemForms(forms), parent, [...path, String(i)], operations, found)
    else if (isObject(value))
      for (const [name, field] of Object.entries(value))
        await search(field, formsOfField(forms, name), value, [...path, name], operations, found)
    // A text in the place of an object: perhaps the object as JSON.
    else if (typeof value === 'string' && isClear(value)) found.set(pointerOf(path), path)
  }
}

/** What stands in the place of a text. */
const marks: ReadonlySet<string> = new Set([secretMark, hiddenMark, unrecordedMark, redactedMark])

function isClear(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  if (typeof value !== 'string') return true
  return !isProtected(value) && !marks.has(value)
}

const pointerOf = (path: Path) => path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A copy of a value with the mark at these paths. */
function without(value: unknown, paths: readonly Path[]): unknown {
  const copy = structuredClone(value)
  for (const path of paths) {
    let at = copy as Record<string, unknown>
    for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
    at[path.at(-1)!] = redactedMark
  }
  return copy
}

/** A place of a secret in clear text, as it is told. */
export interface ClearPlace {
  readonly seq: number
  readonly time: string
  readonly type: string
  readonly place: string
}

/** Most places that are told one by one. */
const mostTold = 1000

/** What {@link clearRecords} finds, without the texts. */
export async function clearPlaces(store: Store, operations: OperationFinder, signal?: AbortSignal) {
  const places: ClearPlace[] = []
  let count = 0
  for await (const { record, places: found } of clearRecords(store, operations, signal)) {
    count += found.length
    for (const place of found)
      if (places.length < mostTold) places.push({ seq: record.seq, time: iso(record.time), type: record.type, place })
  }
  return { count, places }
}

/**
 * Takes all of them out of the log (`Store.redact`). Nothing is done when there is none.
 * @param by who asked, and what else the record `log.redacted` says
 */
export async function redactClearSecrets(
  store: Store,
  operations: OperationFinder,
  by: { readonly actor: string; readonly correlationId: string; readonly data: Readonly<Record<string, unknown>> },
  signal?: AbortSignal,
): Promise<{ readonly seq?: number; readonly records: readonly LogRecord[]; readonly places: readonly object[] }> {
  const records: LogRecord[] = []
  const places: { seq: number; place: string }[] = []
  const changes = new Map<number, unknown>()
  const staged: StagedBlob[] = []
  const contents: string[] = []
  for await (const found of clearRecords(store, operations, signal)) {
    const { data, staged: own, old } = await found.redacted()
    const { seq } = found.record
    records.push(found.record)
    changes.set(seq, data)
    staged.push(...own)
    contents.push(...old)
    places.push(...found.places.map((place) => ({ seq, place })))
  }
  if (records.length === 0) return { records, places }
  const { actor, correlationId } = by
  const { lastSeq } = await store.redact({
    ...{ changes, actor, correlationId, staged, contents },
    data: { ...by.data, places },
  })
  return { seq: lastSeq, records, places }
}
