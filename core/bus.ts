/**
 * The bus: what happens in a gateway, as events.
 *
 *   call ─▶ accepted ─▶ lane ─▶ `command` ─▶ the plugin's handler ─▶ log ─▶ `records` ─▶ `job` (settled) ─▶ answer
 *
 * Records and jobs reach server-sent events, MCP, checkpoints and plugins through it; hooks and handlers get their
 * commands from it.
 */
import { EventEmitter } from 'eventemitter3'
import type { LogRecord, StoreHealth } from '../store/index.ts'
import { notify } from '../store/index.ts'
import type { ActiveJob } from './active-job.ts'
import type { OperationCall } from './operation-call.ts'

/** The events and what their listeners get. */
export interface BusEvents {
  /**
   * The turn of a command has come: hooks join it, then its plugin handles it (the same event with the operation's id).
   */
  command: [OperationCall]
  [ofOperation: `command:${string}`]: [OperationCall]
  /** A query is about to be answered: hooks join it. */
  query: [OperationCall]
  /** A job was accepted, was started, made progress, or has ended durably. */
  job: [ActiveJob]
  /** Records that are durable now, in order. */
  records: [readonly LogRecord[]]
  /** The store's health has changed. */
  health: [StoreHealth]
}

export class Bus extends EventEmitter<BusEvents> {
  /** As the library's, but a listener that throws keeps the others going; its error becomes that of the process. */
  override emit<E extends EventEmitter.EventNames<BusEvents>>(
    event: E,
    ...args: EventEmitter.EventArgs<BusEvents, E>
  ): boolean {
    const listeners = this.listeners(event)
    for (const listener of listeners) notify(listener, ...args)
    return listeners.length > 0
  }
}
