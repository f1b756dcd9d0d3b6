/** Backups of a gateway that runs: consistent, checked, and a data directory again. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { flipByte } from '../../store/fixtures/stores.ts'
import { isStoreError, type Store, type StoreCopy } from '../../store/index.ts'
import { temporaryFolder, withSlashes } from '../../test/folder.ts'
import { Gateway, type TestGateway } from '../../test/harness.ts'
import { noLinks } from '../../test/links.ts'
import { openSystem, problemOf } from '../../test/system.ts'
import { until } from '../../test/until.ts'
import { isGatewayError } from '../contract/problems.ts'
import { type BackupReport, backupName, checkBackup, restoreBackup, writeBackup } from './backup.ts'

function emptyDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-restored-')
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
  if (process.platform !== 'win32') assert.equal((await stat(report.file)).mode & 0o077, 0)
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

test('neither a taken name nor a directory with files is overwritten; other kinds of files are named', {
  skip: noLinks,
}, async (t) => {
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

test('a backup tells what it does, leaves out what describes the process, and can be broken off', async (t) => {
  const opened = await openSystem(t)
  for (let i = 1; i <= 3; i++) await opened.call('counter.add', { name: `c${i}` })
  const { gateway } = opened
  const { dataDir, store } = gateway
  for (const [name, text] of [
    ['gateway.json', 'of the process'],
    ['gateway.json.123', 'its draft'],
    ['instances/1.json', 'of the engine'],
    ['workspace/b.txt', 'b'],
    ['workspace/a/gateway.json', 'of a project'],
    ['workspace/a/instances', 'of a project'],
  ] as const) {
    await mkdir(dirname(join(dataDir, name)), { recursive: true })
    await writeFile(join(dataDir, name), text)
  }
  await chmod(join(dataDir, 'workspace/b.txt'), 0o640)
  const dir = await emptyDir(t)
  // One that is written into the data directory does not hold itself.
  const file = join(dataDir, 'own.zip')
  const source = { store, dataDir, version: '1.2.3', now: Date.UTC(2026, 0, 31, 14) }
  const told: [number, string][] = []
  const onProgress = (percent: number, message: string) =>
    void told.push([Math.round(percent), withSlashes(message).replace(`${withSlashes(dataDir)}/`, '')])
  const report = await writeBackup(source, file, { onProgress })
  assert.deepEqual(report, {
    ...{ file, bytes: (await stat(file)).size, version: '1.2.3', createdAt: '2026-01-31T14:00:00.000Z' },
    ...{ seq: store.log.headSeq, commits: report.commits, blobs: 0, files: 5, warnings: [] },
  })
  const files = ['api-key', 'seal-key', 'workspace/a/gateway.json', 'workspace/a/instances', 'workspace/b.txt']
  const checked = (from: number): [number, string][] => [
    [from, 'checking the store'],
    ...['contents', 'state', 'log'].map((part): [number, string] => [from, `checked: ${part}`]),
    ...files.map((name, i): [number, string] => [Math.round(from + ((100 - from) * i) / 5), `files/${name}`]),
  ]
  assert.deepEqual(told, [
    [0, 'the store: log'],
    [13, 'the store: contents'],
    [27, 'the store: state'],
    ...files.map((name): [number, string] => [45, name]),
    ...checked(60),
  ])
  told.length = 0
  const to = join(dir, 'data')
  await restoreBackup(file, to, { onProgress })
  assert.deepEqual(told, [...checked(0), ...files.map((name): [number, string] => [90, `files/${name}`])])
  assert.equal((await stat(join(to, 'workspace/b.txt'))).mode & 0o777, 0o640)
  assert.equal((await stat(join(to, 'workspace/a'))).mode & 0o777, 0o700)
  assert.equal(await readFile(join(to, 'workspace/a/gateway.json'), 'utf8'), 'of a project')
  for (const at of ['the store: contents', 'checking the store']) {
    const abort = new AbortController()
    const broken = writeBackup(source, join(dir, 'broken.zip'), {
      signal: abort.signal,
      onProgress: (_, message) => message === at && abort.abort(new Error('not wanted')),
    })
    await assert.rejects(broken, /not wanted/, at)
  }
  await assert.rejects(checkBackup(file, { signal: AbortSignal.abort(new Error('not wanted')) }), /not wanted/)
  await assert.rejects(restoreBackup(file, join(dir, 'x'), { signal: AbortSignal.abort(new Error('no')) }), /no/)
  assert.deepEqual(await readdir(dir), ['data'], 'nothing is left of them')
})

test('a file of the archive of the log that was moved elsewhere is named in the warnings', async (t) => {
  const { gateway } = await openSystem(t)
  const dir = await emptyDir(t)
  const file = join(dir, 'a.zip')
  const own = await gateway.store.copy()
  const made = (copy: StoreCopy) =>
    writeBackup({ store: { copy: async () => copy } as unknown as Store, dataDir: dir, version: '1', now: 0 }, file)
  const { warnings } = await made({ ...own, absent: ['1-2.log.gz'] })
  assert.deepEqual(warnings, ['1-2.log.gz is left out: it is not in the archive of the log'])
  await assert.rejects(made(own), problemOf('name_taken', /There is a file .*a\.zip already\.$/))
  // What was written is read back before it has its name.
  await rm(file)
  await assert.rejects(made({ ...own, parts: [] }), { code: 'copy_damaged', message: /contents: it is missing/ })
  assert.deepEqual(await readdir(dir), [])
})

test('a zip file that is no backup is refused with the reason', async (t) => {
  const dir = await emptyDir(t)
  const zipOf = async (name: string, files: Record<string, string>) => {
    const zip = new ZipFile()
    for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path)
    zip.end()
    const file = join(dir, name)
    await pipeline(zip.outputStream as Readable, createWriteStream(file))
    return file
  }
  const head = { seq: 1, hash: 'x' }
  const manifest = (value: object) => ({ 'backup.json': JSON.stringify(value) })
  const digest = createHash('sha256').update('text').digest('hex')
  const listed = { name: 'files/a', bytes: 4, sha256: digest }
  const cases: [files: Record<string, string>, detail: RegExp][] = [
    [{ a: 'text' }, /it has no backup\.json: it is no backup, or its end is missing\.$/],
    [{ 'backup.json': '{' }, /JSON/],
    [manifest({ format: 2 }), /it has format 2, this version of Gantry reads 1\.$/],
    [manifest({ format: 1 }), /the list of its contents \(backup\.json\) is damaged\.$/],
    [manifest({ format: 1, head, files: {} }), /the list of its contents \(backup\.json\) is damaged\.$/],
    [manifest({ format: 1, head: { seq: 'x' }, files: [] }), /the list of its contents \(backup\.json\) is damaged\.$/],
    [
      { ...manifest({ format: 1, head, files: [] }), more: '' },
      /more is only in the list of its contents, or only in the/,
    ],
    [
      manifest({ format: 1, head, files: [listed] }),
      /files\/a is only in the list of its contents, or only in the file\.$/,
    ],
  ]
  for (const [i, [files, detail]] of cases.entries()) {
    const file = await zipOf(`${i}.zip`, files)
    await assert.rejects(checkBackup(file), problemOf('unacceptable_content', detail), `${i}`)
    await assert.rejects(restoreBackup(file, join(dir, 'data')), problemOf('unacceptable_content', detail))
  }
  const empty = await zipOf('empty.zip', manifest({ format: 1, head, files: [] }))
  await assert.rejects(checkBackup(empty), { code: 'copy_damaged', message: /contents: it is missing/ })
  assert.equal(backupName(Date.UTC(2026, 0, 31, 14, 5, 6, 789)), '2026-01-31T14-05-06Z.zip')
})

test('backups of one second, and at the same time, are all written, each under a name of its own', async (t) => {
  const opened = await openSystem(t, { clock: () => Date.UTC(2026, 0, 31, 14) })
  const dir = join(opened.gateway.dataDir, 'backups')
  const names = (reports: readonly BackupReport[]) => reports.map(({ file }) => file.slice(dir.length + 1)).sort()
  // What a gateway has left that was killed while it wrote.
  await mkdir(dir)
  await writeFile(join(dir, 'old.zip.0123456789ab.tmp'), 'half')
  const first = await opened.call<BackupReport>('system.backup', {})
  assert.deepEqual(names([first]), ['2026-01-31T14-00-00Z.zip'])
  assert.deepEqual(await readdir(dir), ['2026-01-31T14-00-00Z.zip'])
  const some = await Promise.all([1, 2, 3].map(() => opened.call<BackupReport>('system.backup', {})))
  const all = [2, 3, 4].map((number) => `2026-01-31T14-00-00Z-${number}.zip`)
  assert.deepEqual(names(some), all)
  for (const { file, seq } of [first, ...some]) assert.equal((await checkBackup(file)).seq, seq)
  // Of two with one name, one is written and the other told.
  const both = await Promise.allSettled([1, 2].map(() => opened.call<BackupReport>('system.backup', { name: 'a.zip' })))
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  for (const one of both)
    if (one.status === 'rejected') await assert.rejects(Promise.reject(one.reason), problemOf('name_taken', /a\.zip/))
  assert.deepEqual((await readdir(dir)).sort(), [...all, '2026-01-31T14-00-00Z.zip', 'a.zip'])
})

/** A backup with one entry more; `listed`: in the list of its contents too. */
async function withEntry(from: string, to: string, name: string, o: { mode?: number; listed?: boolean } = {}) {
  const { mode = 0o100600, listed = true } = o
  const text = Buffer.from('/etc/passwd')
  const zip = new ZipFile()
  const source = await openPromise(from, { lazyEntries: true })
  for await (const entry of source.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await source.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    let content = Buffer.concat(chunks)
    if (entry.fileName === 'backup.json' && listed) {
      const manifest = JSON.parse(content.toString('utf8')) as { files: object[] }
      const sha256 = createHash('sha256').update(text).digest('hex')
      manifest.files.push({ name, bytes: text.length, sha256 })
      content = Buffer.from(JSON.stringify(manifest))
    }
    zip.addBuffer(content, entry.fileName, { mode: entry.externalFileAttributes >>> 16 })
  }
  if (name.endsWith('/')) zip.addEmptyDirectory(name)
  else zip.addBuffer(text, name, { mode, compress: false })
  zip.end()
  await pipeline(zip.outputStream as Readable, createWriteStream(to))
}

/** Replaces a text in a file by one of the same length. */
async function patch(file: string, from: string, to: string) {
  const bytes = await readFile(file)
  assert.equal(from.length, to.length)
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
  await writeFile(file, bytes)
}

test('an entry of another kind than a backup has is named, and nothing is restored', async (t) => {
  const { report } = await backedUp(t)
  const dir = await emptyDir(t)
  const file = join(dir, 'x.zip')
  const cases: [name: string, o: { mode?: number; listed?: boolean; patched?: string }, detail: RegExp][] = [
    ['files/link', { mode: 0o120777 }, /its entry "files\/link" is a symbolic link\. A backup has regular files alone/],
    ['files/link', { mode: 0o120777, listed: false }, /its entry "files\/link" is a symbolic link/],
    ['files/pipe', { mode: 0o010600 }, /"files\/pipe" is a pipe/],
    ['files/tty', { mode: 0o020600 }, /"files\/tty" is a device/],
    ['files/folder/', {}, /"files\/folder\/" is a folder/],
    ['files/xx/evil', { patched: 'files/../evil' }, /its entry "files\/\.\.\/evil" has a path that is not allowed/],
    ['files/xx/evil', { patched: '/iles/xx/evil' }, /its entry "\/iles\/xx\/evil" has a path that is not allowed/],
    ['files/xx/evil', { patched: 'C:/es/xx/evil' }, /its entry "C:\/es\/xx\/evil" has a path that is not allowed/],
    ['files/xx/evil', { patched: 'files/./xevil' }, /its entry "files\/\.\/xevil" has a path that is not allowed/],
    ['files/dap-key', { patched: 'files/api-key' }, /its entry "files\/api-key" is there twice/],
    ['files/api-key/below', {}, /its entry "files\/api-key" is a file, and the folder of other entries/],
    ['files/store/db/CURRENT', {}, /its entry "files\/store\/db\/CURRENT" is where a data directory has its log/],
    ['files/gateway.json', {}, /its entry "files\/gateway\.json" is where a data directory has no backup/],
    ['elsewhere/file', {}, /elsewhere\/file/],
    ['store/archive/xx/x', { patched: 'store/archive/../x' }, /path that is not allowed/],
  ]
  for (const [name, { patched, ...o }, detail] of cases) {
    await withEntry(report.file, file, name, o)
    if (patched !== undefined) await patch(file, name, patched)
    const refusal = problemOf('unacceptable_content', detail)
    await assert.rejects(restoreBackup(file, join(dir, 'data')), refusal, name)
    await assert.rejects(checkBackup(file), refusal, name)
    assert.deepEqual(await readdir(dir), ['x.zip'], name)
  }
  for (const part of ['store/more', 'store/archive/other.log.gz']) {
    await withEntry(report.file, file, part)
    await assert.rejects(
      restoreBackup(file, join(dir, 'data')),
      { code: 'copy_damaged', message: /no store has/ },
      part,
    )
  }
  assert.deepEqual(await readdir(dir), ['x.zip'])
})

test('a restore goes to the directory behind a link, and neither over a file nor beside another restore', {
  skip: noLinks,
}, async (t) => {
  const { report } = await backedUp(t)
  const dir = await emptyDir(t)
  await mkdir(join(dir, 'disk'))
  await symlink(join(dir, 'disk'), join(dir, 'link'))
  await restoreBackup(report.file, join(dir, 'link'))
  assert.ok((await readdir(join(dir, 'disk'))).includes('seal-key'))
  await writeFile(join(dir, 'file'), '')
  await assert.rejects(restoreBackup(report.file, join(dir, 'file')), problemOf('name_taken', /is a file/))
  const both = await Promise.allSettled([1, 2].map(() => restoreBackup(report.file, join(dir, 'both'))))
  assert.ok(both.some(({ status }) => status === 'fulfilled'))
  for (const one of both)
    if (one.status === 'rejected')
      await assert.rejects(Promise.reject(one.reason), problemOf('name_taken', /not empty/))
  assert.deepEqual((await readdir(dir)).sort(), ['both', 'disk', 'file', 'link'])
})
