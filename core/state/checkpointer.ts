/** Writes checkpoints of the current state and of the jobs that have not ended, and decides when. */

import { defined } from '../../lib/optional.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { OpenJob } from '../log/active-job.ts'
import { type SlicedPlugin, writeCheckpoint } from './checkpoint.ts'
import { CheckpointPace } from './checkpoint-pace.ts'

export class Checkpointer {
  readonly #gateway: GatewayHandle
  readonly #plugins: readonly SlicedPlugin[]
  readonly #pace: CheckpointPace
  #seq: number
  #writing: Promise<void> | undefined

  /** @param seq seq of the newest checkpoint */
  constructor(gateway: GatewayHandle, plugins: readonly SlicedPlugin[], seq: number, every: number) {
    this.#gateway = gateway
    this.#plugins = plugins
    this.#seq = seq
    this.#pace = new CheckpointPace(every)
    gateway.bus.on('records', () => this.#writeIfDue())
  }

  /** Resolves when no checkpoint is being written. */
  get idle(): Promise<void> {
    return this.#writing ?? Promise.resolve()
  }

  /** Writes a checkpoint of the state as it is now. */
  async write(): Promise<void> {
    const { store, state, jobs } = this.#gateway
    const seq = store.log.headSeq
    const snapshot = state.snapshot()
    const open = jobs.open.map(
      (job): OpenJob => ({
        jobId: job.jobId,
        seq: job.acceptedSeq,
        time: job.createdAt,
        actor: job.actor.name,
        correlationId: job.correlationId,
        data: defined({
          command: job.operation.id,
          access: job.actor.access,
          input: job.options.loggedInput ?? job.input,
          dryRun: job.dryRun || undefined,
          expected: job.options.expected,
        }) as OpenJob['data'],
        started: job.started,
      }),
    )
    await store.log.durable(seq)
    await writeCheckpoint(store, seq, snapshot, this.#plugins, open)
    this.#seq = seq
  }

  /** Moves old records into the archive: a new checkpoint makes more of them movable. */
  archive(): void {
    archiveOldRecords(this.#gateway).catch((error) => {
      if (this.#gateway.store.health.state !== 'closed')
        this.#gateway.log.warn({ err: error }, 'the log could not be archived')
    })
  }

  #writeIfDue() {
    if (this.#writing) return
    const beganAt = performance.now()
    if (!this.#pace.isDue(this.#gateway.store.log.durableSeq - this.#seq, beganAt)) return
    this.#writing = this.write()
      .then(() => this.archive())
      .catch((error) => this.#gateway.log.warn({ err: error }, 'checkpoint failed'))
      .finally(() => {
        this.#writing = undefined
        this.#pace.wrote(beganAt, performance.now())
      })
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** Moves the records that the settings name. */
async function archiveOldRecords({ store, settings, clock, log }: GatewayHandle): Promise<void> {
  const { archiveAfterDays: days, archiveAboveBytes: bytes } = settings.log
  if (days === 0 && bytes === 0) return
  const before = days === 0 ? 0 : await store.index.seqAt(clock() - days * dayMs)
  const { segments, records, through } = await store.archive({ before, ...(bytes === 0 ? {} : { liveBytes: bytes }) })
  if (segments > 0) log.info({ segments, records, through }, 'old records of the log were archived')
}
