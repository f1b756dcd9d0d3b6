/**
 * Bounds of what a provider may answer. One that sends without end must neither fill the memory nor keep the gateway
 * from its other work, whether it is broken or means harm. Models answer at most about 128 000 tokens, half a million
 * characters; the bounds are above what they can say.
 */
import { setImmediate } from 'node:timers/promises'

const mebibyte = 1024 * 1024

export const limits = {
  /** A line of a streamed answer, bytes: some providers send a whole call in one. */
  lineBytes: 4 * mebibyte,
  /** An answer as it is sent, bytes: each token comes in an event of some hundred. */
  answerBytes: 64 * mebibyte,
  /** What is answered instead of an answer, or of a list, bytes. */
  errorBytes: mebibyte,
  /** A page of a list of models, bytes. */
  listBytes: 8 * mebibyte,
  /** Characters of the text and the thinking of one answer. */
  answerCharacters: 500_000,
  /** Characters of the texts of one turn. */
  turnCharacters: 1_000_000,
  /** Calls of tools in one answer, and in one turn. */
  answerCalls: 64,
  turnCalls: 500,
  /** Characters of the input of a call, and arrays and objects inside each other in it. */
  inputCharacters: mebibyte,
  inputDepth: 64,
  /** Characters of results that a model reads in one turn. */
  turnReadCharacters: 4_000_000,
  /** One answer takes at most so long, ms: a slow model on this computer needs half an hour. */
  answerMs: 3_600_000,
  /** Models of a provider, and characters of a name: of a model, of a tool that is called, of the ID of a call. */
  models: 5000,
  nameCharacters: 300,
} as const

/** The body of an answer that goes past a limit. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/**
 * `fetch` for providers: follows no redirect (a key must not reach another server), and ends an answer that is longer
 * than it may be, or has a line that is.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  if (response.body === null) return response
  const { status, statusText, headers } = response
  const most = response.ok ? limits.answerBytes : limits.errorBytes
  return new Response(response.body.pipeThrough(bounded(most)), { status, statusText, headers })
}

/** @param most bytes */
function bounded(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  /** Of the line that has not ended. */
  let line = 0
  return new TransformStream({
    async transform(chunk, controller) {
      bytes += chunk.length
      let longest = 0
      let from = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        longest = Math.max(longest, line + end - from)
        line = 0
        from = end + 1
      }
      line += chunk.length - from
      if (bytes > most) return controller.error(new TooLong(`its answer has more than ${most} bytes`))
      if (Math.max(longest, line) > limits.lineBytes)
        return controller.error(new TooLong(`a line of its answer has more than ${limits.lineBytes} bytes`))
      controller.enqueue(chunk)
      // What is waiting in this process comes before the next chunk, however fast the provider is.
      await setImmediate()
    },
  })
}

const newline = 0x0a

/**
 * The text of an answer that is read whole.
 * @throws TooLong beyond `most` bytes
 */
export async function textOf(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (response.body === null) return text
  // Node's streams of the Web iterate; the types of the DOM do not say so.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > most) throw new TooLong(`its answer has more than ${most} bytes`)
    text += decoder.decode(chunk, { stream: true })
    await setImmediate()
  }
  return text + decoder.decode()
}

/** True when there are more than `most` arrays and objects inside each other. Works without recursion. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    level = level.filter((one) => typeof one === 'object' && one !== null)
    if (level.length > 0 && depth >= most) return true
    level = level.flatMap((one) => Object.values(one as object))
  }
  return false
}
