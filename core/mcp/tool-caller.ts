/** Who calls a tool, and how they hear of its progress. */
import type { Actor } from '../contract/access.ts'

/** The form of a question, as `elicitation/create` takes it. */
export interface Question {
  readonly message: string
  readonly requestedSchema: Readonly<Record<string, unknown>>
}

/** What the client answers. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** Ends a call that the client has to make again with the answer of its person. */
export class QuestionFirst extends Error {
  readonly question: Question
  /** What the client sends back with the answer. */
  readonly state: string

  constructor(question: Question, state: string) {
    super('the person is asked first')
    this.question = question
    this.state = state
  }
}

/** The way to the person at a client. */
export interface Person {
  /** Name of the client, for the question. */
  readonly client: string
  /** What is not asked about any more in this session: operation ids and tool names. Absent without a session. */
  readonly trusted?: Set<string>
  /** @throws QuestionFirst where the client has to call again; else when it gives no answer in time, or an error */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>
}

/** Who calls a tool, and how they follow it. */
export interface ToolCaller {
  readonly actor: Actor
  /** The group of its commands, which can be taken back together (docs/design.md#undo). */
  readonly group?: string
  /** Of a session that may only call what changes nothing. */
  readonly readOnly?: boolean
  /** Asked before a destructive call; absent when the client has no way to ask. */
  readonly person?: Person
  /** Aborted when the client cancels the request. */
  readonly signal?: AbortSignal
  /** Wanted by clients that sent a progress token. Called with a rising percentage. */
  readonly onProgress?: (percent: number, message?: string) => void
  /** Called with the job of a command once it is accepted. */
  readonly onJob?: (jobId: string) => void
}

/** MCP 2025-06-18, Progress: the value MUST increase with each notification. */
export function risingProgress(report: (percent: number, message?: string) => void) {
  let last = -1
  return (percent: number, message?: string) => {
    if (percent <= last) return
    last = percent
    report(percent, message)
  }
}
