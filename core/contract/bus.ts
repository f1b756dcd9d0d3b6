/**
 * The bus: what happens in a gateway, as events.
 *
 *   call ─▶ accepted ─▶ lane ─▶ `command` ─▶ the plugin's handler ─▶ log ─▶ `records` ─▶ `job` (settled) ─▶ answer
 *
 * Server-sent events, MCP, checkpoints and plugins get records and jobs through it; hooks and handlers get their
 * commands from it.
 */
import { EventEmitter } from 'eventemitter3'
import type { LogRecord, StoreHealth } from '../../store/index.ts'
import { notify } from '../../store/index.ts'
import type { ActiveJob } from '../log/active-job.ts'
import type { OperationCall } from './operation-call.ts'

/** The events and the arguments of their listeners. */
export interface BusEvents {
  /** A command's turn has come: hooks join it, then its plugin handles it (the same event with the operation's id). */
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
  /** As the library's, but a listener that throws does not stop the others; its error becomes an uncaught exception. */
  override emit<E extends EventEmitter.EventNames<BusEvents>>(
    event: E,
    ...args: EventEmitter.EventArgs<BusEvents, E>
  ): boolean {
    const listeners = this.listeners(event)
    for (const listener of listeners) notify(listener, ...args)
    return listeners.length > 0
  }
}
