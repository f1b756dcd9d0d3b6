/**
 * The two ways in which a question reaches the person at a client. Until MCP 2025-11-25 it is a request of the server,
 * which the call waits for. Since 2026-07-28 it is the answer (`input_required`), and the client calls again with what
 * the person said (MCP 2026-07-28, Multi Round-Trip Requests).
 */
import { hash, randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import { clientOf, showsForms } from './client.ts'
import type { ToolCallRequest } from './json-rpc.ts'
import type { McpSession } from './sessions.ts'
import { type Answer, type Person, type Question, QuestionFirst } from './tool-caller.ts'
import type { Tools } from './tools.ts'

/** Sends a question to the client and waits for its answer. */
export type AskClient = (
  request: { method: 'elicitation/create'; params: never },
  options: { timeout: number; signal?: AbortSignal },
) => Promise<unknown>

/** The person at a session's client, asked with `elicitation/create`; undefined: the client shows no forms. */
export function personByRequest(
  { askWithinMs }: Tools,
  { client, trusted, canAsk }: McpSession,
  ask: AskClient,
): Person | undefined {
  if (!canAsk) return undefined
  return {
    client: client?.name || 'The client',
    trusted,
    async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
      // The SDK's type of a form is a union of primitive schemas; the question is made of those (confirmation.ts).
      const request = { method: 'elicitation/create', params: question as never } as const
      return (await ask(request, { timeout: askWithinMs, ...defined({ signal }) })) as Answer
    },
  }
}

/** What the client brings back, unread and unchanged, with an answer. */
interface Asked {
  /** Digest of the call and the question that the person saw. */
  readonly question: string
}
export type QuestionSeal = RequestStateCodec<Asked>

const seals = new WeakMap<Tools, QuestionSeal>()

/**
 * Seals what a client brings back: only an answer to a question of this gateway, to the key that was asked, within the
 * time that a person has for it, counts. The key of the seal lives as long as the process; after a restart the client
 * is told that its state is not valid, and calls anew.
 */
export function questionSeal(tools: Tools): QuestionSeal {
  let seal = seals.get(tools)
  if (!seal) {
    seal = createRequestStateCodec<Asked>({
      key: randomBytes(32),
      ttlSeconds: Math.ceil(tools.askWithinMs / 1000),
      bind: ({ http, mcpReq }) => `${mcpReq.method}\0${http?.authInfo?.clientId ?? ''}`,
    })
    seals.set(tools, seal)
  }
  return seal
}

/** The key of the question among the inputs that a call requires. */
const inputKey = 'confirm'

/**
 * The person at the client of a request that may be called again with an answer; undefined: the client shows no forms.
 * An answer counts for the call and the question that the person saw: when the trial run shows something else by now,
 * they are asked again.
 */
export function personByRetry(call: ToolCallRequest, context: ServerContext, seal: QuestionSeal): Person | undefined {
  const { mcpReq } = context
  const { client, capabilities } = clientOf(mcpReq.envelope)
  if (!showsForms(capabilities)) return undefined
  return {
    client: client?.name || 'The client',
    async ask(question: Question): Promise<Answer> {
      const asked: Asked = { question: hash('sha256', JSON.stringify([call.name, call.args, question]), 'base64url') }
      const given = mcpReq.inputResponses?.[inputKey]
      if (isObject(given) && mcpReq.requestState<Asked>()?.question === asked.question)
        // The client answers by the protocol; what it lacks counts as no.
        return given as unknown as Answer
      throw new QuestionFirst(question, await seal.mint(asked, context))
    },
  }
}

/** The answer to a call that waits for its person. */
export function answerWithQuestion({ question, state }: QuestionFirst) {
  return inputRequired({
    // As above: the SDK's type of a form.
    inputRequests: { [inputKey]: inputRequired.elicit(question as never) },
    requestState: state,
  })
}
