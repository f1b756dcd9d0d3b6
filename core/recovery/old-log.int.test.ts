import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Level } from 'level'
import { openStore } from '../../store/index.ts'
import { temporaryFolder } from '../../test/folder.ts'
import type { OldLog } from '../../test/make-old-log.ts'
import { type AuditEntry, AuditReader } from '../audit/audit.ts'
import type { GatewayError } from '../contract/problems.ts'
import { Gateway } from '../gateway.ts'
import { jobCodec } from '../log/job-codec.ts'

/** Logs of earlier versions: with and without whole jobs packed as one array. */
const formats = ['2', '3']
const pluginDirs = [fileURLToPath(new URL('../fixtures/plugins', import.meta.url))]
const actor = { name: 'anna', access: 'admin' as const }

async function read(format: string): Promise<OldLog> {
  return JSON.parse(await readFile(new URL(`./fixtures/logs/format-${format}.json`, import.meta.url), 'utf8'))
}

async function database(dir: string) {
  const level = new Level<Buffer, Buffer>(join(dir, 'store/db'), { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await level.open()
  return level
}

/** A data directory with the old log. */
async function oldDirectory(t: TestContext, log: OldLog): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-old-log-')
  await mkdir(join(dir, 'store'), { recursive: true })
  const level = await database(dir)
  const bytes = (text: string) => Buffer.from(text, 'base64')
  await level.batch(log.entries.map(([key, value]) => ({ type: 'put', key: bytes(key), value: bytes(value) })))
  await level.close()
  return dir
}

async function formatOf(dir: string): Promise<string | undefined> {
  const level = await database(dir)
  const format = await level.get(Buffer.from('mformat'))
  await level.close()
  return format?.toString()
}

async function auditOf(gateway: Gateway): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for await (const entry of new AuditReader(gateway.store).entries()) entries.push(entry)
  return entries
}

async function counter(gateway: Gateway, name: string): Promise<unknown> {
  const reply = await gateway.invoke(gateway.registry.operation('counter.get')!, { name }, { actor })
  return reply.kind === 'result' && (reply.value as { value: number }).value
}

async function assertAsBefore(gateway: Gateway, log: OldLog) {
  assert.deepEqual((await auditOf(gateway)).slice(0, log.audit.length), log.audit)
  for (const job of log.jobs as { jobId: string }[])
    assert.deepEqual(await gateway.jobs.find(job.jobId), JSON.parse(JSON.stringify(job)))
  for (const [name, value] of Object.entries(log.counters)) assert.equal(await counter(gateway, name), value)
  assert.deepEqual((await gateway.store.log.verify()).faults, [])
}

for (const format of formats)
  test(`a log of format ${format} is read as it was, goes on in format 3, and its open jobs are taken up`, async (t) => {
    const log = await read(format)
    const dir = await oldDirectory(t, log)
    assert.equal(await formatOf(dir), format)
    const open = () => Gateway.open({ dataDir: dir, version: '0', pluginDirs, withoutEngine: true })
    const first = await open()
    await assertAsBefore(first, log)
    const waited = await first.jobs.peek(log.waiting)?.settled
    assert.deepEqual(waited?.ok && waited.result, { name: 'later', value: 7 })
    assert.equal((await first.jobs.find(log.running))?.error?.code, 'job_interrupted')
    const again = { actor, idempotencyKey: 'once' }
    // The key of the digests is not in the log, so every body counts as different; the job is found all the same.
    await assert.rejects(
      first.invoke(first.registry.operation('counter.add')!, { name: 'pump' }, again),
      (error: GatewayError) => error.code === 'idempotency_mismatch',
    )
    const added = await first.invoke(first.registry.operation('counter.add')!, { name: 'new', by: 3 }, { actor })
    assert.ok(added.kind === 'result' && added.job)
    const job = await first.jobs.find(added.job.jobId)
    const audit = await auditOf(first)
    await first.close()
    assert.equal(await formatOf(dir), '3')
    // Without a checkpoint the state is folded from records of both formats.
    const store = await openStore({ dir: join(dir, 'store'), codec: jobCodec })
    await store.checkpoints.drop()
    await store.close()

    const second = await open()
    t.after(() => second.close())
    await assertAsBefore(second, log)
    assert.equal(await counter(second, 'new'), 3)
    assert.deepEqual(await second.jobs.find(added.job.jobId), job)
    assert.deepEqual((await auditOf(second)).slice(0, audit.length), audit)
  })
