/**
 * Asks the person at an MCP client before a destructive call (MCP 2025-06-18, Elicitation). The question has what a dry
 * run of the call shows. Only an explicit yes lets the call run; everything else leaves all as it is and says so.
 */
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { isDestructive, isReadOnly, type Operation } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import type { Expected } from '../contract/targets.ts'
import type { Gateway } from '../gateway.ts'
import { hiddenMark, secretMark, shownInput } from '../input/shown-input.ts'
import { type Answer, type Person, QuestionFirst, type ToolCaller } from './tool-caller.ts'

/** How long the dry run for a question may take, ms; the question is asked without it afterwards. */
const previewWithinMs = 5_000
/** Most lines of events or files in a question, and characters of a value. */
const mostLines = 12
const mostCharacters = 100

/** A call to be confirmed. */
export interface CallToConfirm {
  /** Operation id, or name of a built-in tool. */
  readonly id: string
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
  /** Absent for built-in tools. */
  readonly operation?: Operation
  readonly expected?: Expected | undefined
}

/**
 * True for a call that deletes, stops or overwrites something: of a destructive operation, unless it is a dry run or is
 * asked not to overwrite; of any other when it is asked to overwrite.
 */
export function isDestructiveCall(operation: Operation, input: Readonly<Record<string, unknown>>): boolean {
  if (isReadOnly(operation)) return false
  const fields = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]))
  if (operation.kind === 'command' && fields.get('dryrun') === true) return false
  const overwrite = fields.get('overwrite')
  if (overwrite !== undefined) return overwrite !== false
  return isDestructive(operation)
}

/**
 * Asks the person. Returns after a yes, and at once for a change that only adds to what there is.
 * @throws GatewayError `not_confirmed`; `request_cancelled`; and what the dry run throws: a call that cannot succeed is
 * not asked about
 */
export async function requireConsent(call: CallToConfirm, caller: ToolCaller, gateway: Gateway): Promise<void> {
  const { person, signal } = caller
  if (!person || person.trusted?.has(call.id)) return
  const preview = call.operation?.kind === 'command' ? await previewOf(call, call.operation, caller, gateway) : []
  if (preview === 'adds only') return
  const question = { message: await messageOf(call, preview, person, gateway), requestedSchema: formOf(call, person) }
  let answer: Answer
  try {
    answer = await person.ask(question, signal)
  } catch (error) {
    if (error instanceof QuestionFirst) throw error
    if (signal?.aborted) throw cancelled()
    throw notConfirmed(call, `the client gave no answer (${(error as Error).message})`)
  }
  if (signal?.aborted) throw cancelled()
  if (answer.action === 'cancel') throw notConfirmed(call, 'the person closed the question')
  if (answer.action !== 'accept' || answer.content?.proceed !== true) throw notConfirmed(call, 'the person said no')
  if (answer.content.always === true) person.trusted?.add(call.id)
}

const cancelled = () => problem('request_cancelled', 'The client cancelled the request.')

function notConfirmed({ id }: CallToConfirm, why: string) {
  return problem('not_confirmed', `${id} was not run: ${why}. Nothing was changed.`)
}

function formOf({ id }: CallToConfirm, { trusted }: Person) {
  const always = { type: 'boolean', title: `Do not ask about ${id} again in this session`, default: false }
  return {
    type: 'object',
    properties: {
      proceed: { type: 'boolean', title: 'Do it', description: 'No leaves everything as it is.', default: false },
      ...(trusted ? { always } : {}),
    },
    required: ['proceed'],
  }
}

/** What a dry run of a command shows, as lines; of one that acts on more than the project, it cannot show all. */
async function previewOf(
  { input, expected }: CallToConfirm,
  operation: Operation,
  { actor, signal }: ToolCaller,
  gateway: Gateway,
): Promise<string[] | 'adds only'> {
  const reply = await gateway.invoke(operation, { ...input }, defined({ actor, expected, dryRun: true, mode: 'async' }))
  const job = reply.kind === 'job' ? reply.job : undefined
  if (!job) return []
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const late = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    timer = setTimeout(stop, previewWithinMs)
    signal?.addEventListener('abort', stop, { once: true })
  })
  const outcome = await Promise.race([job.settled, late])
  clearTimeout(timer)
  signal?.removeEventListener('abort', stop!)
  if (!outcome) {
    // It may have ended meanwhile: then there is nothing to cancel.
    gateway.jobs.cancel(job.jobId).catch(() => {})
    if (signal?.aborted) throw cancelled()
    return [`A trial run did not end within ${previewWithinMs / 1000} s, so what would happen is not known.`]
  }
  if (!outcome.ok) throw outcome.error
  if (job.addsOnly && operation.kind === 'command' && operation.live !== true) return 'adds only'
  return effectOf(outcome.result, gateway)
}

/** The events and files of a dry run, as lines. */
function effectOf(trial: unknown, gateway: Gateway): string[] {
  const { events, files } = isObject(trial) ? trial : {}
  const titles = new Map(gateway.registry.events.map(({ type, title }) => [type, title]))
  const counted = new Map<string, string[]>()
  for (const event of Array.isArray(events) ? events.filter(isObject) : []) {
    const { type, data } = event
    const title = titles.get(String(type)) ?? String(type)
    const named = isObject(data) ? [data.name, data.blockName, data.deviceName].find((n) => typeof n === 'string') : ''
    const names = counted.get(title) ?? []
    names.push(named ? String(named) : '')
    counted.set(title, names)
  }
  const lines = [...counted].map(([title, names]) => {
    const known = names.filter((name) => name !== '')
    const shown = known.slice(0, 5).join(', ') + (known.length > 5 ? ', …' : '')
    return `- ${title}${names.length > 1 ? ` (${names.length} times)` : ''}${shown ? `: ${shown}` : ''}`
  })
  for (const { path, change } of Array.isArray(files) ? files.filter(isObject) : [])
    lines.push(`- File, ${String(change)}: ${short(path)}`)
  if (lines.length === 0) return ['A trial run shows no change in the project or its files.']
  const rest = lines.length > mostLines ? [`- and ${lines.length - mostLines} more`] : []
  return ['A trial run shows what would happen:', ...lines.slice(0, mostLines), ...rest]
}

async function messageOf(
  { id, title, input, operation }: CallToConfirm,
  preview: readonly string[],
  { client }: Person,
  { registry }: Gateway,
): Promise<string> {
  const shown = operation ? await shownInput(registry, operation, input) : input
  const given = Object.entries(shown).map(
    ([name, value]) => `${name}: ${value === secretMark || value === hiddenMark ? value : short(value)}`,
  )
  return [`${client} wants to run ${id}: ${title}.`, ...given, ...preview].join('\n')
}

/** Of lists and objects only the size: they are long. */
function short(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} entries`
  if (isObject(value)) return `{ ${Object.keys(value).slice(0, 10).join(', ')} }`
  const text = JSON.stringify(value) ?? String(value)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length} characters)` : text
}
