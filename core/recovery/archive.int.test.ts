/** The archive of the log, as users of the gateway see it. */
import assert from 'node:assert/strict'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSystem, problemOf } from '../../test/system.ts'
import { until } from '../../test/until.ts'
import type { Settings } from '../access/settings.ts'

test('old records are archived as the settings say, and jobs and audit read them from there', async (t) => {
  const first = await openSystem(t)
  await first.call('counter.add', { name: 'early', by: 3 })
  const { entries } = await first.call<{ entries: { jobId: string }[] }>('audit.list', { types: ['job.completed'] })
  const jobId = entries[0]!.jobId
  const { log } = first.gateway.store
  const served = { operation: 'counter.get', input: { name: 'x'.repeat(900) } }
  for (let i = 0; i < 300; i++) {
    const group = Array.from({ length: 100 }, () => ({ type: 'query.served', actor: 'anna', data: served }))
    await log.durable(log.append(group).lastSeq)
  }
  const settings = await first.call<Settings>('settings.get')
  const wanted = { archiveAfterDays: 0, archiveAboveBytes: 1 }
  const saved = await first.call<Settings>('settings.save', { ...settings, log: wanted })
  assert.deepEqual(saved.log, wanted)
  const archive = join(first.gateway.dataDir, 'store', 'archive')
  await first.call('system.checkpoint')
  await first.call('system.checkpoint')
  const files = async () => (await readdir(archive).catch(() => [])).filter((name) => name.endsWith('.gz'))
  const file = await until(async () => (await files())[0], 'a file is in the archive')
  assert.match(file, /^0000000000001-/)
  const second = await first.restart()
  const job = await second.call('jobs.get', { jobId })
  assert.deepEqual([job.status, job.result], ['Completed', { name: 'early', value: 3 }])
  const page = await second.call<{ entries: { seq: number }[] }>('audit.list', { order: 'asc', limit: 3 })
  assert.deepEqual(
    page.entries.map(({ seq }) => seq),
    [1, 2, 3],
  )
  const report = await second.call('audit.verify', {})
  assert.deepEqual([report.ok, report.absent], [true, []])
  assert.deepEqual(await second.call('counter.get', { name: 'early' }), { name: 'early', value: 3 })
  await rename(join(archive, file), join(archive, '..', file))
  const third = await second.restart()
  assert.deepEqual(await third.call('counter.get', { name: 'early' }), { name: 'early', value: 3 })
  const gone = problemOf('gone', new RegExp(`archived in the file ${file}`))
  await assert.rejects(third.call('jobs.get', { jobId }), gone)
  await assert.rejects(third.call('audit.list', { order: 'asc', limit: 3 }), gone)
  const without = await third.call('audit.verify', {})
  assert.deepEqual([without.ok, without.absent], [true, [file]])
})
