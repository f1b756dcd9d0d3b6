/** Backups of a gateway that runs: consistent, checked, and a data directory again. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { flipByte } from '../store/fixtures/stores.ts'
import { isStoreError } from '../store/index.ts'
import { Gateway, type TestGateway } from '../test/harness.ts'
import { openSystem, problemOf } from '../test/system.ts'
import { until } from '../test/until.ts'
import { type BackupReport, checkBackup, restoreBackup } from './backup.ts'
import { isGatewayError } from './problems.ts'

async function emptyDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-restored-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A gateway with some state, a file in its workspace, and a backup. */
async function backedUp(t: TestContext, name = 'one.zip'): Promise<{ opened: TestGateway; report: BackupReport }> {
  const opened = await openSystem(t)
  for (let i = 1; i <= 30; i++) await opened.call('counter.add', { name: `c${i}`, by: i })
  const { dataDir } = opened.gateway
  await mkdir(join(dataDir, 'workspace', 'Plant', 'blocks'), { recursive: true })
  await writeFile(join(dataDir, 'workspace', 'Plant', 'blocks', 'Main.scl'), '// Main ä')
  const report = await opened.call<BackupReport>('system.backup', { name })
  return { opened, report }
}

test('a backup of a running gateway becomes a gateway with the same state, keys and files', async (t) => {
  const { opened, report } = await backedUp(t)
  const { gateway } = opened
  assert.equal(report.file, join(gateway.dataDir, 'backups', 'one.zip'))
  assert.deepEqual(report.warnings, [])
  assert.equal((await stat(report.file)).mode & 0o077, 0)
  await opened.call('counter.add', { name: 'c1', by: 1000 })
  const dataDir = join(await emptyDir(t), 'data')
  const restored = await restoreBackup(report.file, dataDir)
  assert.deepEqual([restored.seq, restored.commits, restored.files], [report.seq, report.commits, report.files])
  for (const file of ['api-key', 'seal-key', 'workspace/Plant/blocks/Main.scl']) {
    const [a, b] = await Promise.all([gateway.dataDir, dataDir].map((dir) => readFile(join(dir, file))))
    assert.deepEqual(a, b, file)
  }
  assert.equal((await stat(join(dataDir, 'api-key'))).mode & 0o077, 0)
  assert.deepEqual((await readdir(dataDir)).sort(), ['api-key', 'seal-key', 'store', 'workspace'])
  const again = await Gateway.open({ ...gateway.options, dataDir })
  const get = again.registry.operation('counter.get')!
  const call = { actor: { name: 'test', access: 'admin' as const } }
  for (const [name, value] of [
    ['c1', 1],
    ['c30', 30],
  ] as const)
    assert.deepEqual(((await again.invoke(get, { name }, call)) as { value: unknown }).value, { name, value })
  assert.deepEqual((await again.store.log.verify({ blobs: 'whole' })).faults, [])
  await again.close(0)
})

test('commands go on while a backup is made, and the backup is that of one record', async (t) => {
  const opened = await openSystem(t)
  for (let i = 0; i < 200; i++) await opened.call('counter.add', { name: 'a' })
  let job: { status: string; result?: unknown } = { status: '' }
  /** How many commands ended during a backup. A backup can be as quick as one of them, so that it may be none. */
  const backupAgain = async (name: string) => {
    const { jobId } = await opened.call<{ jobId: string }>('system.backup', { name }, { mode: 'async' })
    for (let added = 0; ; added++) {
      await opened.call('counter.add', { name: 'a' })
      job = await opened.call('jobs.get', { jobId })
      if (job.status !== 'Running' && job.status !== 'Pending') return added
    }
  }
  let round = 0
  await until(async () => (await backupAgain(`${round++}.zip`)) > 0, 'commands do not wait for a backup')
  assert.equal(job.status, 'Completed', JSON.stringify(job))
  const report = await checkBackup((job.result as BackupReport).file)
  const state = await opened.call('audit.state', { seq: report.seq, collection: 'counter.counters', key: 'a' })
  assert.ok((state.value as { value: number }).value >= 200)
})

test('neither a taken name nor a directory with files is overwritten; other kinds of files are named', async (t) => {
  const { opened, report } = await backedUp(t)
  await assert.rejects(opened.call('system.backup', { name: 'one.zip' }), problemOf('name_taken', /one\.zip/))
  await assert.rejects(opened.call('system.backup', { name: '../x.zip' }), problemOf('invalid_input', /name/))
  await assert.rejects(restoreBackup(report.file, opened.gateway.dataDir), problemOf('name_taken', /not empty/))
  await symlink('/', join(opened.gateway.dataDir, 'workspace', 'link'))
  const { warnings } = await opened.call<BackupReport>('system.backup', { name: 'two.zip' })
  assert.deepEqual(warnings, ['workspace/link is left out: it is no regular file'])
  assert.deepEqual((await readdir(join(opened.gateway.dataDir, 'backups'))).sort(), ['one.zip', 'two.zip'])
})

test('a damaged backup is refused, and nothing is restored of it', async (t) => {
  const { report } = await backedUp(t)
  const dir = await emptyDir(t)
  const size = (await stat(report.file)).size
  const refused = async (what: string) => {
    const error = await restoreBackup(report.file, join(dir, 'data')).then(
      () => undefined,
      (e: unknown) => e,
    )
    assert.deepEqual(await readdir(dir), error === undefined ? ['data'] : [], what)
    if (error === undefined) return false
    assert.ok(isGatewayError(error) || isStoreError(error), `${what}: ${(error as Error).stack}`)
    return true
  }
  let accepted = 0
  for (let at = 0; at < size; at += 1 + Math.floor(size / 60)) {
    await flipByte(report.file, at)
    if (!(await refused(`byte ${at}`))) {
      // Times, comments and the headers before each file, which repeat the directory, have no checksum. What is in the
      // files has: the restore has compared it.
      accepted++
      await rm(join(dir, 'data'), { recursive: true })
    }
    await flipByte(report.file, at)
  }
  assert.ok(accepted < 20, `${accepted} flips were accepted`)
  await truncate(report.file, size - 100)
  assert.ok(await refused('a cut off file'))
  await writeFile(report.file, 'no zip file')
  assert.ok(await refused('another file'))
  await assert.rejects(restoreBackup(join(dir, 'absent.zip'), join(dir, 'data')), problemOf('not_found', /ENOENT/))
})
