/** Runs tasks in a thread of this process and looks at what each job is told. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deserialize, serialize } from 'node:v8'
import { until } from '../../test/until.ts'
import type { PackedError } from './errors.ts'
import { type Job, TaskRunner } from './task-runner.ts'

const module = new URL('../../test/engine/tasks.ts', import.meta.url).href

function makeRunner(t: TestContext) {
  const runner = new TaskRunner({
    cancelGraceMs: 60_000,
    maxMessageBytes: 1e6,
    memoryLimitBytes: 1e12,
    recycled: () => {},
  })
  t.after(() => runner.stop(60_000))
  return runner
}

/** A job, and all that it is told, in order. */
function jobOf(fn: string, input?: unknown): { job: Job; told: unknown[] } {
  const told: unknown[] = []
  const job: Job = {
    module,
    fn,
    body: serialize(input) as Buffer<ArrayBuffer>,
    started: () => told.push('started'),
    progress: (percent, message) => told.push([percent, message]),
    done: (body) => told.push({ done: deserialize(body) }),
    failed: (kind, body) => told.push({ [kind]: (deserialize(body) as PackedError).message }),
    output: (stream, text) => told.push({ [stream]: text }),
  }
  return { job, told }
}

const state = ({ busy, queued, done, failed, cancelled, restarts, current }: TaskRunner) => ({
  busy,
  queued,
  done,
  failed,
  cancelled,
  restarts,
  current: current && [current.fn, current.percent],
})

test('jobs run one after the other; a waiting one is cancelled at once, the running one by its signal', async (t) => {
  const runner = makeRunner(t)
  const nothing = { busy: false, queued: 0, done: 0, failed: 0, cancelled: 0, restarts: 0, current: undefined }
  assert.deepEqual(state(runner), nothing)
  const [loop, waiting, last, wrong] = [jobOf('waitForAbort'), jobOf('count'), jobOf('doubled', 4), jobOf('throwText')]
  for (const { job } of [loop, waiting, last, wrong]) runner.submit(job)
  await until(() => loop.told.length === 2, 'the first runs')
  assert.deepEqual(state(runner), { ...nothing, busy: true, queued: 3, current: ['waitForAbort', 1] })
  runner.cancel(waiting.job)
  assert.deepEqual(waiting.told, [{ cancelled: 'The task was cancelled before it started.' }])
  // Ended already, never submitted: nothing happens to the one that runs.
  runner.cancel(waiting.job)
  runner.cancel(jobOf('count').job)
  assert.deepEqual(state(runner), { ...nothing, busy: true, queued: 2, cancelled: 1, current: ['waitForAbort', 1] })
  runner.cancel(loop.job)
  runner.cancel(loop.job)
  await until(() => wrong.told.length === 2, 'the last has ended')
  assert.deepEqual(loop.told, ['started', [1, undefined], { cancelled: 'The task was cancelled.' }])
  assert.deepEqual(last.told, ['started', { done: 8 }])
  assert.deepEqual(wrong.told, ['started', { engine_task_failed: 'just a text' }])
  assert.deepEqual(state(runner), { ...nothing, done: 1, failed: 1, cancelled: 2 })
  assert.ok(runner.heapUsed > 0)
  // The flag of the cancelled task does not reach the next one.
  const next = jobOf('withProgress', 2)
  runner.submit(next.job)
  await until(() => next.told.length === 4, 'it has ended')
  assert.deepEqual(next.told, ['started', [50, 'step 1 of 2'], [100, 'step 2 of 2'], { done: 'finished' }])
})

test('a stop cancels what runs and what waits, and takes nothing more', async (t) => {
  const runner = makeRunner(t)
  const [loop, waiting, late] = [jobOf('waitForAbort'), jobOf('count'), jobOf('count')]
  for (const { job } of [loop, waiting]) runner.submit(job)
  await until(() => loop.told.length === 2, 'the first runs')
  await runner.stop(60_000)
  runner.submit(late.job)
  assert.deepEqual(loop.told.at(-1), { cancelled: 'The task was cancelled.' })
  assert.deepEqual(waiting.told, [{ cancelled: 'The task was cancelled before it started.' }])
  assert.deepEqual(late.told, [{ cancelled: 'The engine instance is shutting down.' }])
  assert.deepEqual([runner.busy, runner.queued, runner.cancelled, runner.restarts], [false, 0, 2, 0])
  // A loop that does not look at its signal is ended with its thread.
  const other = makeRunner(t)
  const endless = jobOf('endlessLoop')
  other.submit(endless.job)
  await until(() => endless.told.length === 2, 'it runs')
  await other.stop(10)
  assert.deepEqual(endless.told.at(-1), {
    cancelled: 'The task was cancelled; it did not stop by itself and was ended.',
  })
  await makeRunner(t).stop(0)
})

test('what a thread prints goes to the job that runs, and a thread that ends takes only that job along', async (t) => {
  const runner = makeRunner(t)
  const [printing, leaving, next] = [jobOf('print'), jobOf('exitThread', 3), jobOf('doubled', 1)]
  for (const { job } of [printing, leaving, next]) runner.submit(job)
  await until(() => runner.done === 2 && runner.failed === 1, 'all have ended')
  // When a text comes is a matter of time: a later job may be told it, or none.
  const texts = [{ stdout: 'printed by the task\n' }, { stderr: 'about to leave\n' }].map((one) => JSON.stringify(one))
  const all = [printing, leaving, next].map(({ told }) => told)
  const isText = (one: unknown) => typeof one === 'object' && one !== null && ('stdout' in one || 'stderr' in one)
  for (const one of all.flat().filter(isText)) assert.ok(texts.includes(JSON.stringify(one)), JSON.stringify(one))
  assert.deepEqual(
    all.map((told) => told.filter((one) => !isText(one))),
    [
      ['started', { done: undefined }],
      ['started', { engine_crashed: `The engine's task thread ended with exit code 3 while it ran exitThread` }],
      ['started', { done: 2 }],
    ],
  )
  assert.deepEqual([runner.done, runner.failed, runner.cancelled, runner.restarts], [2, 1, 0, 1])
})
