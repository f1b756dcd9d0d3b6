/**
 * The last messages of a session's streams, so that a client whose connection broke can fetch what it missed with
 * `Last-Event-ID` (MCP 2025-11-25, Transports, Resumability). In memory: a session does not outlive the process.
 */
import type { EventStore } from '@modelcontextprotocol/server'

type Message = Parameters<EventStore['storeEvent']>[1]

/** Characters of JSON that are kept for one session; the oldest messages go first. */
const mostCharacters = 4 * 1024 * 1024

interface Kept {
  readonly stream: string
  readonly message: Message
  readonly length: number
}

/** Makes the store of one session. */
export function sessionEvents(): EventStore {
  const kept = new Map<string, Kept>()
  let total = 0
  let next = 1
  return {
    async storeEvent(stream, message) {
      const id = String(next++)
      const { length } = JSON.stringify(message)
      kept.set(id, { stream, message, length })
      total += length
      for (const [oldest, entry] of kept) {
        if (total <= mostCharacters || oldest === id) break
        kept.delete(oldest)
        total -= entry.length
      }
      return id
    },
    async getStreamIdForEventId(id) {
      return kept.get(id)?.stream
    },
    async replayEventsAfter(last, { send }) {
      const stream = kept.get(last)?.stream
      if (stream === undefined) throw new Error(`the event "${last}" is not kept any more`)
      for (const [id, { stream: of, message }] of kept)
        if (Number(id) > Number(last) && of === stream) await send(id, message)
      return stream
    },
  }
}
