/**
 * Conditions of a change (RFC 9110, 13): the object must still be as the client has read it. They are checked when the
 * command's turn has come, so nothing can change it between the check and the change.
 */
import { hash } from 'node:crypto'
import { defined } from '../../lib/optional.ts'
import type { GatewayHandle } from '../contract/context.ts'
import { jsonText } from '../contract/json-text.ts'
import type { Query } from '../contract/operation.ts'
import { OperationCall } from '../contract/operation-call.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import type { Expected, Target } from '../contract/targets.ts'
import { compileInput } from '../input/validation.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { iso } from '../log/job.ts'
import { RunningQuery } from './run-context.ts'

/** An answer with its hash: the strong validator of what it describes. */
export interface HashedAnswer {
  readonly hash: string
  /** JSON text of the answer; absent when it is no JSON. */
  readonly json?: string
}

/**
 * Hashes an answer: 22 characters of the sha256 of its JSON text, or of its bytes. A list with pages is hashed by the
 * versions of the collections that it read: a change on any page counts.
 */
export async function hashedAnswer(
  gateway: GatewayHandle,
  query: Query,
  value: unknown,
  ctx: RunningQuery,
): Promise<HashedAnswer> {
  if (await isPaged(query)) {
    const versions = [...ctx.collectionsRead].map((one) => `${one.id} ${gateway.state.version(one)}`).sort()
    return { hash: shortHash([gateway.startedAt, gateway.sessionSeq, ...versions].join()) }
  }
  if (value instanceof Uint8Array) return { hash: shortHash(value) }
  const json = jsonText(value) ?? 'null'
  return { hash: shortHash(json), json }
}

/** True for a list that is answered in pages. */
export async function isPaged(query: Query): Promise<boolean> {
  const { properties = {} } = (await compileInput(query)).schema
  return properties.limit !== undefined && properties.cursor !== undefined
}

function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}

/** Characters of an entity tag (RFC 9110, 8.8.3). */
const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/

/**
 * Reads `If-Match`: `*`, or a list of entity tags. Weak ones stay in the list as they are: they never match, since the
 * comparison is strong (RFC 9110, 13.1.1).
 * @throws GatewayError `malformed_request`
 */
export function readIfMatch(header: string): Expected {
  const text = header.trim()
  if (text === '*') return '*'
  const tags: string[] = []
  let rest = text
  while (rest !== '') {
    // A tag may contain commas; empty elements of a list are allowed (RFC 9110, 5.6.1).
    const [element = ''] = /^(?:W\/)?"[^"]*"|^[^,]*/.exec(rest) ?? []
    rest = rest.slice(element.length).replace(/^[ \t]*/, '')
    if (rest !== '' && !rest.startsWith(',')) throw malformed(header)
    rest = rest.replace(/^,[ \t]*/, '')
    if (element.trim() === '') continue
    const [, weak, tag] = entityTag.exec(element.trim()) ?? []
    if (tag === undefined) throw malformed(header)
    tags.push(weak === undefined ? tag : element)
  }
  if (tags.length === 0) throw malformed(header)
  return tags
}

function malformed(header: string) {
  return problem(
    'malformed_request',
    `If-Match must be * or entity tags in quotes with commas between them, as in the header ETag of an answer; found ${header.slice(0, 200)}`,
  )
}

/**
 * Runs a query with the hooks of all plugins.
 * @param onRead called when it has read, before what it awaits
 */
export async function answerOf(
  gateway: GatewayHandle,
  query: Query,
  input: Record<string, unknown>,
  ctx: RunningQuery,
  onRead: () => void = () => {},
): Promise<unknown> {
  ctx.isLive = query.live === true
  const call = new OperationCall(query, input, ctx)
  call.handle(() => {
    const value = query.run(input, ctx)
    onRead()
    return value
  })
  gateway.bus.emit('query', call)
  return call.run()
}

/**
 * Reads what a path names, without other parameters, and hashes it.
 * @param strings parameters of the path
 * @returns undefined when there is no such object
 */
export async function hashOf(
  gateway: GatewayHandle,
  query: Query,
  strings: Readonly<Record<string, unknown>>,
  ctx: RunningQuery,
): Promise<string | undefined> {
  try {
    const input = (await compileInput(query)).read({}, strings)
    return (await hashedAnswer(gateway, query, await answerOf(gateway, query, input, ctx), ctx)).hash
  } catch (error) {
    if (isGatewayError(error) && gateway.registry.problems.get(error.code)?.status === 404) return undefined
    throw error
  }
}

/**
 * Checks the condition of a job whose turn has come.
 * @throws GatewayError `precondition_failed`, which says who changed the object
 */
export async function requireExpected(gateway: GatewayHandle, job: ActiveJob, signal: AbortSignal): Promise<void> {
  const { expected } = job.options
  const target = gateway.registry.targetOf(job.operation)
  if (expected === undefined || target === undefined) return
  const strings = stringsOf(target, job.input)
  const ctx = new RunningQuery(gateway, job.actor, job.correlationId, signal)
  const found = await hashOf(gateway, target.query, strings, ctx)
  const values = Object.values(strings).map(String)
  const name = values.length === 0 ? target.path : values.join('/')
  if (found === undefined)
    throw problem('precondition_failed', `${name} does not exist (any more); the change was made conditional on it.`, {
      extra: defined({ changedBy: await lastChange(gateway, target, values) }),
    })
  if (expected === '*' || expected.includes(found)) return
  const weak = expected.find((tag) => tag.startsWith('W/'))
  const changedBy = await lastChange(gateway, target, values)
  const by = changedBy
    ? ` The last change was made by ${changedBy.actor}${changedBy.jobId ? ` (job ${changedBy.jobId})` : ''} at ${changedBy.time}.`
    : ''
  const hint =
    weak === undefined
      ? ''
      : ` ${weak} is a weak tag, which never matches: an answer without query parameters has a strong one.`
  throw problem('precondition_failed', `${name} is not as it was read: its hash is ${found}.${by}${hint}`, {
    suggestion: `Read it again (GET ${addressOf(target, strings)}) and apply the change to what is there now.`,
    extra: defined({ currentHash: found, changedBy }),
  })
}

function stringsOf({ parameters }: Target, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(([name, field]) => (input[field] === undefined ? [] : [[name, input[field]]])),
  )
}

function addressOf({ path }: Target, strings: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\*?\}/g, (whole, name: string) =>
    strings[name] === undefined ? whole : encodeURIComponent(String(strings[name])),
  )
}

/** Records that are looked through for the last change, newest first. */
const mostExamined = 20_000

interface Change {
  readonly actor: string
  readonly jobId?: string
  readonly time: string
}

/**
 * The last recorded change of an object or of something in it: an event whose entity names it. Of an object without
 * parameters (the settings) any event of its plugin.
 */
async function lastChange(
  gateway: GatewayHandle,
  { query }: Target,
  values: readonly string[],
): Promise<Change | undefined> {
  const { log } = gateway.store
  // The command before may be ahead of the disk.
  await log.durable(gateway.jobs.lastMergedSeq)
  const plugin = `${gateway.registry.pluginOf(query)}.`
  const wanted = values.map((value) => `/${value.toLowerCase()}/`)
  const isChange = ({ type, entity }: { type: string; entity?: string | undefined }) =>
    wanted.length === 0
      ? type.startsWith(plugin)
      : entity !== undefined && namesAll(`/${entity.toLowerCase()}/`, wanted)
  let examined = 0
  for await (const records of log.read({ reverse: true })) {
    const found = records.findLast((record) => isChange(record))
    if (found !== undefined)
      return defined({ actor: found.actor ?? 'system', jobId: found.jobId, time: iso(found.time) })
    examined += records.length
    if (examined >= mostExamined) return undefined
  }
  return undefined
}

/** True when the parts are in the text, one behind the other. */
function namesAll(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    // The slash at the end of a part is the one at the beginning of the next.
    at = found + part.length - 1
  }
  return true
}
