/** The answers of tools: text for the model, the same as structured content for programs, problems with their code. */

import { LRUCache } from 'lru-cache'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import type { Operation } from '../contract/operation.ts'
import type { Fault, Problem } from '../contract/problems.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { shortStructure } from './short-structure.ts'
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
  /** Where the whole of a cut answer is. */
  readonly link?: ResourceLink
  /** The job that goes on, when that is the answer. */
  readonly job?: Pick<ActiveJob, 'jobId' | 'message'>
}

/** A content block that names a resource (MCP 2025-06-18, Tools, Resource Links). */
export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
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

/**
 * The answer for the result of an operation. Of a long one text and structured content are cut, and a link names the
 * resource that has all of it.
 *
 * @param whole gives the URI of a resource that contains all of a long text
 */
export function resultOutcome(
  operation: Operation,
  value: unknown,
  whole: (text: string, mimeType: string) => string | undefined,
  warnings: readonly string[] = [],
): ToolOutcome {
  if (operation.kind !== 'stream' && operation.produces && typeof value === 'string') {
    const told = warnings.map((warning) => `\n[warning: ${warning}]`).join('')
    if (value.length <= textLimit) return { text: `${value}${told}` }
    const { text, ...rest } = cut(operation, value, operation.produces, whole)
    return { text: `${text}${told}`, ...rest }
  }
  const json = JSON.stringify(value ?? null)
  if (json.length <= textLimit) return { text: json, ...(isObject(value) ? { structured: value, json } : {}) }
  const outcome = cut(operation, json, 'application/json', whole)
  if (!isObject(value)) return outcome
  const rest = { characters: json.length, ...defined({ resource: outcome.link?.uri }) }
  return { ...outcome, structured: { ...(shortStructure(value, textLimit) as object), cut: rest } }
}

/** A long text in short, with a note of the missing length and where the whole text is. */
function cut(
  operation: Operation,
  text: string,
  mimeType: string,
  whole: (text: string, mimeType: string) => string | undefined,
): ToolOutcome {
  const uri = whole(text, mimeType)
  const { length } = text
  const rest = uri ? `the whole is the resource ${uri}` : 'the whole is too large to be kept'
  const note = `[cut: ${length - textLimit} of ${length} characters are missing; ${rest}. Ask for less (limit, q, a single object) where the operation can.]`
  return {
    text: `${text.slice(0, textLimit)}\n${note}`,
    length,
    ...(uri ? { link: linkTo(operation, uri, mimeType, Buffer.byteLength(text)) } : {}),
  }
}

function linkTo({ id, title }: Operation, uri: string, mimeType: string, size: number): ResourceLink {
  const description = 'The whole answer; resources/read gives it.'
  // The record of a job is JSON, whatever its result is.
  const type = uri.startsWith('gantry://jobs/') ? 'application/json' : mimeType
  return { type: 'resource_link', uri, name: id, title, description, mimeType: type, size }
}

/**
 * A problem as text (`code: detail`, then its faults) and as structured content.
 * @param hints turns suggestions into calls of tools
 */
export function problemOutcome(problem: Problem, hints: ToolHints): ToolOutcome {
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
  return { ...jsonOutcome(structured), job: { jobId: job.jobId, message: job.message } }
}

/** The answer for a plain object. */
export function jsonOutcome(structured: Readonly<Record<string, unknown>>): ToolOutcome {
  const json = JSON.stringify(structured)
  return { text: json, structured, json }
}

/** The address of the resource with the record of a job. */
export const jobUri = (jobId: string) => `gantry://jobs/${jobId}`

/** The outcome in the SDK's form. */
export function toCallToolResult(outcome: ToolOutcome) {
  return {
    content: [{ type: 'text' as const, text: outcome.text }, ...(outcome.link ? [outcome.link] : [])],
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
  const link = outcome.link ? `,${JSON.stringify(outcome.link)}` : ''
  const isError = outcome.isError ? ',"isError":true' : ''
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(outcome.text)}}${link}]${structured}${isError}}}`
}
