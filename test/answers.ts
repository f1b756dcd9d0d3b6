/**
 * Calls of operations with their whole answers, in a YAML file beside the test:
 *
 *     - call: tags.add
 *       input: { deviceName: PLC_1, name: Lamp, dataType: Bool }
 *       answer: { name: Lamp, tableName: Default tag table }
 *       events:
 *         - tags.added Demo/PLC_1: { … }
 *     - call: tags.add
 *       input: { deviceName: PLC_1, name: lamp, dataType: Bool }
 *       problem: { code: name_taken, status: 409, detail: … }
 *
 * The calls run in order in one gateway. A new call is written without its answer: `UPDATE_SNAPSHOTS=1` records it, and
 * everything that has changed; read the difference before it is kept. `events` are those that the command emitted, each
 * with its entity: what replay and undo fold, so one that is left out or is another is noticed at once. A step with
 * `progress` records what the job told while it ran. `as: name` names an answer, and `$name.field` in a later input
 * stands for what it holds; `by: { name: anna, access: view }` names who calls, `varies: [size]` fields that are others
 * each time, and `only: [changed]` the fields of the answer that are kept. Some steps are no calls of operations:
 * `write` makes files in the workspace, and `read` answers the text of one, or of each in a folder. `follow` opens a
 * stream and answers its messages: the first ones (`first`, 1 if absent), then the next one after each of the `calls`.
 * A step `limits` answers what the inputs of the operations of a plugin may hold (lengths, numbers, items), `declares`
 * what else they declare: routes, other names of fields, access, what is true of them, the example, the choices of
 * fields:
 *
 *     - write: { plant/Pump.scl: 'FUNCTION "Pump" …' }
 *     - read: plant
 *       answer: { Pump.scl: 'FUNCTION "Pump" …' }
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Document, isMap, isSeq, parseDocument, visit } from 'yaml'
import { packageDir } from '../core/boot/running-code.ts'
import type { Actor } from '../core/contract/access.ts'
import { buildSchema, type PlainSchema } from '../core/contract/schema.ts'
import { expectedProblem, wireProblem } from '../core/jobs/failure.ts'
import { isObject } from '../lib/is-object.ts'
import type { LogRecord } from '../store/index.ts'
import { withSlashes } from './folder.ts'
import type { TestGateway } from './harness.ts'
import { inSources } from './recorded.ts'
import { openStream, take } from './system.ts'

interface RecordedStep {
  readonly call?: string
  readonly input?: Record<string, unknown>
  readonly by?: Actor
  readonly as?: string
  readonly varies?: readonly string[]
  readonly only?: readonly string[]
  readonly write?: Readonly<Record<string, string>>
  readonly read?: string
  readonly follow?: string
  readonly first?: number
  readonly calls?: readonly { readonly call: string; readonly input?: Record<string, unknown> }[]
  readonly limits?: string
  readonly declares?: string
  readonly answer?: unknown
  readonly problem?: unknown
  readonly events?: unknown
  readonly progress?: unknown
}

/** What is recorded of a step. */
const ends = ['answer', 'problem', 'events', 'progress'] as const

type Step = Omit<RecordedStep, (typeof ends)[number] | 'as' | 'varies' | 'only'>

/** Numbers that are measured or given by the system, so they are others each time. */
const measured = /^(duration|uptime|compileTime|elapsed|running|wall|user|system|took)Ms$|^(pid|seq|lastSeq)$/

/** Hashes of what the compiler reads: they are others with each change of the compiler. */
const signatures = /^(signature|interfaces?)$/

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
/** Times before are no times of the test's run: a test has set them, as the virtual time of a controller. */
const oldTimes = '2025'

/** True for milliseconds since 1970 from 2026 to 2100. */
const isTime = (value: number) => Number.isInteger(value) && value >= Date.UTC(2026) && value < Date.UTC(2100)

/** Ids as the gateway makes them: of jobs, of what they make (`newId` of the context), and UUIDs. */
const madeIds = /\bJ[0-9a-z]+-[\w-]{8}(\.\d+)?|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/**
 * Writes a name in place of what is another value each time: ids and hashes (numbered, so one sees which are the same),
 * times, ports and the folder of the test.
 */
export class Mask {
  readonly #dir: string
  readonly #numbers = new Map<string, number>()

  constructor(dir: string) {
    this.#dir = dir
  }

  of(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'bigint') return `${value}`
    if (Array.isArray(value)) return value.map((one) => this.of(one))
    if (Buffer.isBuffer(value) || value instanceof Uint8Array) return `<${value.byteLength} bytes>`
    if (!isObject(value)) return value
    // The end of a job is `late` when its acceptance was written before it, which is a matter of time.
    const entries = Object.entries(value).filter(([name, field]) => field !== undefined && name !== 'late')
    return Object.fromEntries(entries.map(([name, field]) => [this.#text(name), this.#field(name, field)]))
  }

  #field(name: string, value: unknown): unknown {
    if (typeof value === 'string' && signatures.test(name) && /^[\w-]{22}$/.test(value))
      return `<hash ${this.#numberOf(value)}>`
    if (typeof value !== 'number') return this.of(value)
    return measured.test(name) ? '<measured>' : isTime(value) ? '<time>' : value
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#dir, '<dir>')
      .replaceAll(packageDir, '<package>')
      .replace(/(?<=<(?:dir|package)>)[^"'\n:]*/g, withSlashes)
      .replace(time, (text) => (text < oldTimes ? text : '<time>'))
      .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>')
      .replace(madeIds, (id) => `<id ${this.#numberOf(id)}>`)
      .replace(/(?<=\b(sealed|scrypt|hmac):)[\w:-]+/g, (text) => `<secret ${this.#numberOf(text)}>`)
      .replace(/\b[0-9a-f]{64}\b|(?<=sha256:)[0-9a-f]{12}\b/g, (hash) => `<hash ${this.#numberOf(hash)}>`)
  }

  #numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1
    this.#numbers.set(text, number)
    return number
  }
}

/** An input with the values that `$name.field` stands for. */
function filled(value: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    const [, name = '', path = ''] = /^\$(\w+)((?:\.\w+)+)$/.exec(value) ?? []
    if (!answers.has(name)) return value
    const fields = path.slice(1).split('.')
    return fields.reduce((one, field) => (one as Record<string, unknown>)[field], answers.get(name))
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, answers))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, filled(field, answers)]))
}

/** The text of a file, or those of all files in a folder by their paths; of one that is no text, its size. */
export async function textsOf(path: string): Promise<unknown> {
  if (!(await stat(path)).isDirectory()) {
    const bytes = await readFile(path)
    return bytes.includes(0) ? bytes : bytes.toString('utf8')
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(
    files.sort().map(async (file) => [withSlashes(relative(path, file)), await textsOf(file)]),
  )
  return Object.fromEntries(texts)
}

const bounds = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' entries'],
] as const

/** The limits of a schema and of all in it: `names[] 1..500 characters`. */
function limitsIn(schema: PlainSchema, path: string): string[] {
  const own = bounds.flatMap(([least, most, unit]) => {
    const [from, to] = [schema[least], schema[most]]
    return from === undefined && to === undefined ? [] : [`${path} ${from ?? ''}..${to ?? ''}${unit}`]
  })
  const { properties = {}, items, anyOf = [], additionalProperties, patternProperties = {} } = schema
  const inner = [...Object.values(patternProperties), ...(isObject(additionalProperties) ? [additionalProperties] : [])]
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, one]) => limitsIn(one, path === '' ? name : `${path}.${name}`)),
    ...(isObject(items) ? limitsIn(items, `${path}[]`) : []),
    ...anyOf.flatMap((one) => limitsIn(one, path)),
    ...inner.flatMap((one) => limitsIn(one, `${path}.*`)),
  ]
}

/** The limits of the inputs of the operations whose ids begin with a group. */
async function limitsOf({ gateway }: TestGateway, group: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { id, input } of gateway.registry.operations.values()) {
    const limits = id.startsWith(`${group}.`) ? limitsIn(await buildSchema(input), '') : []
    if (limits.length > 0) found[id] = limits.join(', ')
  }
  return found
}

/** The fields of a schema that have one of some values: `format xml source`. */
function choicesIn(schema: PlainSchema, path: string): string[] {
  const { enum: own, properties = {}, items, anyOf = [] } = schema as PlainSchema & { enum?: readonly unknown[] }
  return [
    ...(own === undefined ? [] : [`${path} ${own.join(' ')}`]),
    ...Object.entries(properties).flatMap(([name, one]) => choicesIn(one, path === '' ? name : `${path}.${name}`)),
    ...(isObject(items) ? choicesIn(items, `${path}[]`) : []),
    ...anyOf.flatMap((one) => choicesIn(one, path)),
  ]
}

/** The declarations of the operations whose ids begin with a group, without texts and schemas. */
async function declarationsOf({ gateway }: TestGateway, group: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const operation of gateway.registry.operations.values()) {
    const { id, title: _title, description: _description, input, http, ...more } = operation
    if (!id.startsWith(`${group}.`)) continue
    const { run: _run, output: _output, admit: _admit, ...plain } = more as typeof more & Record<string, unknown>
    const choices = choicesIn(await buildSchema(input), '')
    const routes = http.map(({ method, path, mode }) => `${method} ${path}${mode === 'async' ? ' async' : ''}`)
    found[id] = { http: routes, ...plain, ...(choices.length > 0 ? { choices } : {}) }
  }
  return found
}

/** An event as it is recorded. The hook of snapshots is the same for all commands, so theirs are told in short. */
function eventOf({ type, entity, data }: LogRecord, call: string) {
  if (type === 'history.snapshot-taken' && !call.startsWith('history.')) {
    const { reason, type: kind, name, content } = data as Record<string, unknown>
    return { [type]: { reason, type: kind, name, content } }
  }
  return { [entity === undefined ? type : `${type} ${entity}`]: withoutLongLists(data) }
}

/** What an event contains, with the number of its parts in place of a long list: answers hold their content. */
function withoutLongLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 8 ? `<${value.length} items>` : value.map(withoutLongLists)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutLongLists(field)]))
}

/** The messages of a stream, the first ones and those after calls. */
async function messagesOf(at: TestGateway, { follow = '', input = {}, first = 1, calls = [] }: Step) {
  const end = new AbortController()
  const events = await openStream(at, follow, input, end.signal)
  try {
    const messages = await take(events, first)
    for (const { call, input: own } of calls) {
      await at.call(call, own)
      messages.push(...(await take(events, 1)))
    }
    return messages
  } finally {
    end.abort()
    await events.return?.()
  }
}

/** `30 Storing 1 of 3`: what the jobs of a call tell from now on, until `stop`. */
function toldProgress({ gateway }: TestGateway, correlationId: string) {
  const told: string[] = []
  const note = (job: { correlationId: string; progress: number; message?: string | undefined }) => {
    const text = `${job.progress} ${job.message}`
    if (job.correlationId === correlationId && job.message !== undefined && told.at(-1) !== text) told.push(text)
  }
  gateway.bus.on('job', note)
  return { told, stop: () => gateway.bus.off('job', note) }
}

/** What a step ends with: `{ answer }`, `{ problem }`, or nothing. @throws what is no expected problem */
async function endOf(at: TestGateway, step: Step, withProgress: boolean) {
  const { call = '', input = {}, by, write, read, follow, limits, declares } = step
  const workspace = join(at.dir, 'workspace')
  for (const [path, text] of Object.entries(write ?? {})) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), text)
  }
  if (write !== undefined) return {}
  if (limits !== undefined) return { answer: await limitsOf(at, limits) }
  if (declares !== undefined) return { answer: await declarationsOf(at, declares) }
  if (read !== undefined) return { answer: await textsOf(join(workspace, read)) }
  const correlationId = randomUUID()
  const events: Record<string, unknown>[] = []
  const collect = (records: readonly LogRecord[]) => {
    for (const record of records)
      if (record.correlationId === correlationId && !record.type.startsWith('job.')) events.push(eventOf(record, call))
  }
  at.gateway.bus.on('records', collect)
  const { told, stop } = toldProgress(at, correlationId)
  const progress = withProgress ? { progress: told } : {}
  try {
    const isStream = follow !== undefined
    const answer = isStream
      ? await messagesOf(at, step)
      : await at.call(call, input, { correlationId, ...(by && { actor: by }) })
    return { answer, ...(events.length > 0 && { events }), ...progress }
  } catch (error) {
    const known = expectedProblem(error)
    if (known === undefined) throw new Error(`${follow ?? call} fails`, { cause: error })
    const {
      type: _type,
      title: _title,
      jobId: _jobId,
      ...problem
    } = wireProblem(known, at.gateway.registry.problems.get(known.code))
    return { problem, ...progress }
  } finally {
    stop()
    at.gateway.bus.off('records', collect)
  }
}

/** What a step ends with, with some fields of its answer alone. */
function withOnly(end: Pick<RecordedStep, (typeof ends)[number]>, only: readonly string[] | undefined) {
  const { answer } = end
  if (only === undefined || !isObject(answer)) return end
  return { ...end, answer: Object.fromEntries(Object.entries(answer).filter(([name]) => only.includes(name))) }
}

/** What is short is on one line: such files are half as long, and read as well. */
export function compact(document: Document, value: unknown) {
  const node = document.createNode(value)
  visit(node, {
    Collection(_key, one) {
      const text = JSON.stringify(one.toJS(document))
      if (text.length < 180 && !text.includes('\\n')) one.flow = true
    },
  })
  return node
}

/** A test that makes the calls of a file and compares each answer with the recorded one. */
export function testAnswers(title: string, file: URL, open: (t: TestContext) => Promise<TestGateway>) {
  test(title, async (t) => {
    const path = inSources(file)
    const document = parseDocument(await readFile(path, 'utf8'))
    assert.deepEqual(document.errors, [])
    const { contents } = document
    assert.ok(isSeq(contents), 'a list of calls')
    const at = await open(t)
    const mask = new Mask(at.dir)
    const answers = new Map<string, unknown>()
    for (const [index, node] of contents.items.entries()) {
      assert.ok(isMap(node))
      const { as, varies = [], only, answer, problem, events, progress, ...step } = node.toJS(document) as RecordedStep
      const recorded = JSON.parse(JSON.stringify({ answer, problem, events, progress }))
      // Records of earlier calls are written in batches, and would come into what this step reads of the log.
      await at.gateway.flushRecords()
      const end = await endOf(at, filled(step, answers) as Step, progress !== undefined)
      if (as !== undefined) answers.set(as, end.answer)
      const masked = JSON.parse(JSON.stringify(mask.of(withOnly(end, only))), (name, value) =>
        varies.includes(name) ? '<varies>' : value,
      )
      if (process.env.UPDATE_SNAPSHOTS) {
        for (const name of ends) document.deleteIn([index, name])
        for (const [name, value] of Object.entries(masked)) document.setIn([index, name], compact(document, value))
      } else assert.deepEqual(masked, recorded, `step ${index + 1}: ${JSON.stringify(step)}`)
    }
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(path, document.toString({ lineWidth: 200 }))
  })
}
