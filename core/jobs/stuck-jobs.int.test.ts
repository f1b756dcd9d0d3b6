/** Jobs and plugins that never end: the lane goes on, and what is known is told. */
// In a process of its own: its jobs never end.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestGateway } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import type { GatewayOptions } from '../gateway.ts'
import { control } from './fixtures/stuck-plugins/stuck/index.ts'

const pluginDirs = [fileURLToPath(new URL('./fixtures/stuck-plugins', import.meta.url))]
function open(t: TestContext, options: Partial<GatewayOptions> = {}) {
  // A server would keep the process alive while nothing but a stuck job is left.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  return openTestGateway(t, { pluginDirs, cancelGraceMs: 1000, ...options })
}

async function waiting({ call, gateway }: Awaited<ReturnType<typeof open>>) {
  const { jobId } = await call<{ jobId: string }>('stuck.wait', {}, { mode: 'async' })
  const job = gateway.jobs.peek(jobId)!
  await until(() => job.progress > 0, 'the job runs')
  return { jobId, job }
}

test('a cancelled job that does not stop has failed after a grace; its later effects are dropped', async (t) => {
  const opened = await open(t)
  const { gateway, call } = opened
  const { jobId, job } = await waiting(opened)
  const next = call<{ marks: string[] }>('stuck.mark')
  const cancelled = gateway.jobs.cancel(jobId)
  assert.equal(job.status, 'Running', 'it has its grace')
  await cancelled
  assert.deepEqual(await next, { marks: ['early'] })
  const ended = (await gateway.jobs.find(jobId))!
  assert.equal(ended.status, 'Failed')
  assert.equal(ended.error!.code, 'job_not_stopped')
  assert.match(ended.error!.detail, /did not stop within 1 s.*had reported 40 %, "half way"/)
  assert.match(gateway.jobs.troubles.join(), new RegExp(`${jobId} .*was given up and still runs`))
  control.release!()
  await until(() => gateway.jobs.troubles.length === 0, 'the job has ended')
  assert.equal((control.lateError as { code: string }).code, 'job_not_stopped')
  assert.deepEqual(await call('stuck.mark'), { marks: ['early'] })
  const again = await opened.restart()
  assert.equal((await again.gateway.jobs.find(jobId))!.error!.code, 'job_not_stopped')
  assert.deepEqual(await again.call('stuck.mark'), { marks: ['early'] })
})

test('a job without progress is told, until it makes some', async (t) => {
  const opened = await open(t)
  const { jobId } = await waiting(opened)
  // The operation may be without progress for 20 ms.
  await until(() => opened.gateway.jobs.troubles.length > 0, 'it is told')
  assert.match(
    opened.gateway.jobs.troubles.join(),
    new RegExp(`${jobId} \\(stuck\\.wait\\) has made no progress for \\d+ s; DELETE /api/jobs/${jobId} cancels it`),
  )
  control.release!()
  await opened.gateway.jobs.peek(jobId)!.settled
  assert.deepEqual(opened.gateway.jobs.troubles, [])
})

test('a gateway closes although a job never ends, and the job has failed', async (t) => {
  const opened = await open(t)
  const { jobId } = await waiting(opened)
  await opened.gateway.close(10)
  const again = await opened.restart()
  assert.equal((await again.gateway.jobs.find(jobId))!.error!.code, 'job_not_stopped')
})

test('a plugin whose start never ends is named, and the gateway starts', async (t) => {
  const { dir } = await open(t)
  const folder = join(dir, 'endless/waits')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'index.mjs'),
    "export default { name: 'waits', version: '1.0.0', start: () => new Promise(() => {}) }",
  )
  const { gateway } = await open(t, { pluginDirs: [join(dir, 'endless')], pluginStartMs: 20 })
  assert.deepEqual(
    gateway.pluginFaults.map(({ name, reason }) => [name, /start failed: it has not ended after 20 ms/.test(reason)]),
    [['waits', true]],
  )
})
