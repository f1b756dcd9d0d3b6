/**
 * Goes on by itself after the log could not be written (a full disk): tries every few seconds to write again, and takes
 * in what the batch that failed has left on the disk.
 */

import type { GatewayHandle } from '../contract/context.ts'
import { RecordFold } from '../state/checkpoint.ts'

/** Time between two tries, ms. */
const tryEveryMs = 3000

/** See the head of this file. */
export class LogResume {
  readonly #gateway: GatewayHandle
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined
  #trying: Promise<void> | undefined
  #closed = false

  constructor(gateway: GatewayHandle, everyMs = tryEveryMs) {
    this.#gateway = gateway
    this.#everyMs = everyMs
    gateway.bus.on('health', ({ state }) => {
      if (state === 'write-failed') this.#wait()
    })
  }

  /** Resolves when no try is under way; there is none afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#trying
  }

  #wait() {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#trying = this.#try().finally(() => {
        this.#trying = undefined
      })
    }, this.#everyMs).unref()
  }

  async #try(): Promise<void> {
    const { jobs, store, log, state } = this.#gateway
    try {
      // A job that still runs has seen the state of before.
      if (jobs.isQuiet) {
        await store.resume((landed) => {
          const fold = new RecordFold(state)
          for (const record of landed) fold.add(record)
          fold.end()
          jobs.renew()
        })
        if (store.health.state === 'ok') {
          log.info({ durableSeq: store.log.durableSeq }, 'the log is written again')
          await jobs.settleLost()
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'the log cannot be written yet')
    }
    if (store.health.state === 'write-failed') this.#wait()
  }
}
