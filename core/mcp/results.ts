/** The answers of tools: text for the model, the same as structured content for programs, problems with their code. */

import { LRUCache } from 'lru-cache'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import type { ActiveJob } from '../active-job.ts'
import type { Gateway } from '../gateway.ts'
import type { Operation } from '../operation.ts'
import type { Fault, GatewayError, Problem } from '../problems.ts'
import type { ToolHints } from './tool-hints.ts'

/** The answer to a tool call. */
export interface ToolOutcome {
  readonly text: string
  /** `structuredContent`. */
  readonly structured?: Readonly<Record<string, unknown>>
  /** The JSON text of `structured`, when it is known: avoids writing it twice. */
  readonly json?: string
  readonly isError?: true
  /** Length of the whole text, when `text` is its beginning and a note. */
  readonly length?: number
}

/** Length of a text that fits a model's context in one answer, characters. */
export const textLimit = 60_000
/** Number of faults shown as text; the structured content contains all of them. */
const faultLimit = 50

/**
 * Large results of queries, for `gantry://results/{id}`: kept for a while, each readable with the key that requested
 * it.
 */
export class LargeResults {
  readonly #kept = new LRUCache<string, { key: string; text: string; mimeType: string }>({
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ text }) => text.length + 1,
    ttl: 15 * 60 * 1000,
  })
  #next = 1

  /** @returns the resource's URI; undefined when it is larger than the whole store of results */
  keep(key: string, text: string, mimeType: string): string | undefined {
    const id = String(this.#next++)
    this.#kept.set(id, { key, text, mimeType })
    return this.#kept.has(id) ? `gantry://results/${id}` : undefined
  }
  get(id: string, key: string): { text: string; mimeType: string } | undefined {
    const result = this.#kept.get(id)
    return result?.key === key ? result : undefined
  }
}

/** The answer for the result of an operation. `whole` gives the URI of a resource that contains all of a long text. */
export function resultOutcome(
  operation: Operation,
  value: unknown,
  whole: (text: string, mimeType: string) => string | undefined,
  warnings: readonly string[] = [],
): ToolOutcome {
  if (operation.kind !== 'stream' && operation.produces && typeof value === 'string') {
    const told = warnings.map((warning) => `\n[warning: ${warning}]`).join('')
    return { text: `${cut(value, () => whole(value, operation.produces!))}${told}`, ...lengthOf(value) }
  }
  const json = JSON.stringify(value ?? null)
  const text = cut(json, () => whole(json, 'application/json'))
  return { text, ...lengthOf(json), ...(isObject(value) ? { structured: value, json } : {}) }
}

function lengthOf({ length }: string): Pick<ToolOutcome, 'length'> {
  return length > textLimit ? { length } : {}
}

/** Cuts a long text and adds a note with the missing length and where the whole text is. */
function cut(text: string, whole: () => string | undefined): string {
  if (text.length <= textLimit) return text
  const uri = whole()
  const rest = uri ? `the whole is the resource ${uri}` : 'the whole is too large to be kept'
  return `${text.slice(0, textLimit)}\n[cut: ${text.length - textLimit} of ${text.length} characters are missing; ${rest}. Ask for less (limit, q, a single object) where the operation can.]`
}

/**
 * A problem as text (`code: detail`, then its faults) and as structured content.
 * @param hints turns suggestions into calls of tools
 */
export function problemOutcome(gateway: Gateway, error: GatewayError, hints: ToolHints): ToolOutcome {
  const problem = gateway.toProblem(error)
  const { detail, suggestion } = problem
  const structured = {
    ...problem,
    detail: hints.of(detail),
    ...(suggestion === undefined ? {} : { suggestion: hints.of(suggestion) }),
  }
  return { text: problemText(structured), structured, isError: true }
}

/** `code: detail`, the faults with their places, and the suggestion. */
export function problemText({ code, detail, errors, suggestion }: Problem): string {
  const lines = [`${code}: ${detail}`]
  for (const fault of (errors ?? []).slice(0, faultLimit)) lines.push(`- ${faultText(fault)}`)
  if (errors && errors.length > faultLimit) lines.push(`- and ${errors.length - faultLimit} more`)
  if (suggestion) lines.push(`Suggestion: ${suggestion}`)
  return lines.join('\n')
}

function faultText({ path, message, line, column, code, value, allowed }: Fault): string {
  const place = [
    path,
    line === undefined ? undefined : `line ${line}${column === undefined ? '' : `, column ${column}`}`,
  ]
  const where = place.filter((p) => p !== undefined && p !== '').join(' ')
  const found = value === undefined ? '' : ` (found ${JSON.stringify(value)})`
  const right =
    allowed === undefined || message.includes('must be one of') ? '' : ` (allowed: ${JSON.stringify(allowed)})`
  return `${where ? `${where}: ` : ''}${message}${found}${right}${code ? ` [${code}]` : ''}`
}

/** The answer for a job that outlives the call: the client follows it with `get_job`. */
export function jobOutcome(job: Pick<ActiveJob, 'jobId' | 'status' | 'progress' | 'message'>): ToolOutcome {
  const structured = {
    jobId: job.jobId,
    status: job.status,
    progress: job.progress,
    ...defined({ message: job.message }),
    hint: `The job goes on. Call get_job with {"jobId": "${job.jobId}", "wait": 20} until its status is Completed, Failed or Cancelled.`,
  }
  return jsonOutcome(structured)
}

/** The answer for a plain object. */
export function jsonOutcome(structured: Readonly<Record<string, unknown>>): ToolOutcome {
  const json = JSON.stringify(structured)
  return { text: json, structured, json }
}

/** The outcome in the SDK's form. */
export function toCallToolResult(outcome: ToolOutcome) {
  return {
    content: [{ type: 'text' as const, text: outcome.text }],
    ...(outcome.structured ? { structuredContent: outcome.structured as Record<string, unknown> } : {}),
    ...(outcome.isError ? { isError: true } : {}),
  }
}

/**
 * The outcome as a JSON-RPC response. Written directly as text, because `structuredContent` is mostly the text itself.
 */
export function toResponseText(id: string | number, outcome: ToolOutcome): string {
  const structured = outcome.structured
    ? `,"structuredContent":${outcome.json ?? JSON.stringify(outcome.structured)}`
    : ''
  const isError = outcome.isError ? ',"isError":true' : ''
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(outcome.text)}}]${structured}${isError}}}`
}
