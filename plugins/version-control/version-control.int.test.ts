/** Version control of a project with real git: what it commits, compares, checks out, merges and refuses. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import { createServer } from '../../test/http-server.ts'

const on = { deviceName: 'PLC_1' }
const scl = (value: number) => `FUNCTION "Scale" : Int\nBEGIN\n  #Scale := ${value};\nEND_FUNCTION\n`
const other = 'FUNCTION "Other" : Int\nBEGIN\n  #Other := 7;\nEND_FUNCTION\n'

interface Status {
  isInitialized: boolean
  branch?: string
  changedFilesCount: number
  changes: { filePath: string; status: string; domain: string; deviceName: string; itemName: string }[]
  lastCommitSha?: string
  lastCommitMessage?: string
}

async function open(t: TestContext) {
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins], durability: 'os' })
  await at.call('projects.create', { name: 'Line' })
  await at.call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  const folder = join(at.dir, 'workspace/Line')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const write = (content: string) => at.call('blocks.import-and-generate', { ...on, content })
  const source = async (blockName: string) =>
    (await at.call<{ sourceText: string }>('blocks.content', { ...on, blockName })).sourceText
  const status = () => at.call<Status>('version-control.status', {})
  const commit = (message: string) =>
    at.call<{ sha: string; filesChanged: number }>('version-control.commit', { message })
  const refused = async (operation: string, input: Record<string, unknown>, code: string, detail: RegExp) => {
    await assert.rejects(at.call(operation, input), (error: { code: string; message: string }) => {
      assert.equal(error.code, code, error.message)
      assert.match(error.message, detail)
      return true
    })
  }
  return { ...at, folder, git, write, source, status, commit, refused }
}

test('changes are seen before they are saved, committed byte by byte, listed and compared', async (t) => {
  const { call, git, write, status, commit, refused, folder } = await open(t)
  assert.deepEqual(await status(), { isInitialized: false, changedFilesCount: 0, changes: [] })
  await refused('version-control.commit', { message: 'x' }, 'no_repository', /is in no git repository/)
  await refused('version-control.init', { branchName: 'a..b' }, 'invalid_input', /branchName/)
  await call('version-control.init', {})
  await refused('version-control.init', {}, 'conflict', /already/)
  await write(scl(1))
  const before = await status()
  assert.deepEqual([before.isInitialized, before.branch, before.lastCommitSha], [true, 'main', undefined])
  assert.deepEqual(
    before.changes.map((one) => [one.status, one.domain, one.deviceName, one.itemName]),
    [
      ['Added', 'project', '', 'Line'],
      ['Added', 'blocks', 'PLC_1', 'Scale'],
      ['Added', 'blocks', 'PLC_1', 'Scale'],
      ['Added', 'device', 'PLC_1', 'PLC_1'],
    ],
  )
  await refused('version-control.commit', { message: '  ' }, 'invalid_input', /message/)
  await refused('version-control.create-branch', { branchName: 'early' }, 'conflict', /no commit/)
  const first = await commit('As delivered')
  assert.equal(first.filesChanged, before.changes.length)
  // Git in the folder agrees: what is on the disk is what was committed, and its author is the caller.
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('log', '-1', '--format=%an: %s').trim(), 'test: As delivered')
  git('fsck', '--strict')
  const blockFile = 'devices/PLC_1/blocks/Scale.scl'
  assert.deepEqual(git('show', `HEAD:${blockFile}`), await readFile(join(folder, blockFile), 'utf8'))
  await refused('version-control.commit', { message: 'again' }, 'conflict', /nothing to commit/)

  // Not saved, and another file of the repository is no change of the project.
  await write(scl(2))
  await writeFile(join(folder, 'README.md'), 'mine\n')
  git('add', 'README.md')
  const changed = await status()
  assert.deepEqual(
    changed.changes.filter(({ filePath }) => filePath.endsWith('.scl')).map((one) => [one.filePath, one.status]),
    [[blockFile, 'Modified']],
  )
  assert.deepEqual([changed.lastCommitSha, changed.lastCommitMessage], [first.sha, 'As delivered'])
  type Diff = { patch: string; toSha: string; files: { path: string; linesAdded: number; linesDeleted: number }[] }
  const working = await call<Diff>('version-control.diff', {})
  assert.match(working.patch, /^-\s+#Scale := 1;\n\+\s+#Scale := 2;$/m)
  assert.equal(working.toSha, 'WORKING')
  const row = working.files.find(({ path }) => path === blockFile)
  assert.deepEqual(row, { path: blockFile, status: 'Modified', linesAdded: 1, linesDeleted: 1 })
  const read = async (commitSha: string, filePath = blockFile) =>
    (await call<{ content: string | null }>('version-control.get-file', { commitSha, filePath })).content
  assert.match((await read('HEAD'))!, /:= 1;/)
  assert.match((await read('WORKING'))!, /:= 2;/)
  assert.equal(await read('HEAD', 'devices/none.json'), null)
  await refused('version-control.get-file', { commitSha: '--help', filePath: 'x' }, 'not_found', /no commit/)

  await commit('Faster')
  assert.equal(git('status', '--porcelain'), 'A  README.md\n')
  await call('blocks.delete', { ...on, blockName: 'Scale' })
  // The manifest says that no part has blocks any more.
  assert.deepEqual(
    (await status()).changes.map((one) => [one.status, one.domain]),
    [
      ['Modified', 'project'],
      ['Removed', 'blocks'],
      ['Removed', 'blocks'],
    ],
  )
  await commit('Without')
  assert.equal(git('ls-files', 'devices/PLC_1/blocks'), '')
  type Log = { commits: { message: string; author: string; filesChanged: number; sha: string }[]; total: number }
  const log = await call<Log>('version-control.log', { count: 2 })
  assert.deepEqual([log.commits.map(({ message }) => message), log.total], [['Without', 'Faster'], 3])
  assert.equal(log.commits[0]!.filesChanged, 3)
  const of = log.commits[1]!.sha
  const between = await call<Diff>('version-control.diff', { from: `${of}~1`, to: of })
  assert.match(between.patch, /^\+\s+#Scale := 2;$/m)
  await refused('version-control.diff', { from: `${first.sha}~1` }, 'not_found', /no commit/)
})

test('branches: checked out, merged, deleted; with conflicts nothing is merged', async (t) => {
  const { call, git, write, status, commit, refused, source } = await open(t)
  await write(scl(1))
  await call('version-control.init', {})
  await commit('One')
  await call('version-control.create-branch', { branchName: 'feature/fast' })
  await refused('version-control.create-branch', { branchName: 'feature/fast' }, 'name_taken', /already/)
  await refused('version-control.create-branch', { branchName: 'two words' }, 'invalid_input', /branchName/)
  await refused('version-control.checkout', { branchName: 'feature/fat' }, 'not_found', /feature\/fast/)
  await write(scl(2))
  await refused('version-control.checkout', { branchName: 'feature/fast' }, 'conflict', /not committed/)
  await commit('Two')
  await call('version-control.checkout', { branchName: 'feature/fast' })
  assert.match(await source('Scale'), /:= 1;/)
  assert.equal((await status()).branch, 'feature/fast')
  await write(other)
  await commit('Other')
  await call('version-control.checkout', { branchName: 'main' })
  await refused('blocks.content', { ...on, blockName: 'Other' }, 'not_found', /Other/)
  await refused('version-control.delete-branch', { branchName: 'feature/fast' }, 'conflict', /1 commits/)
  const merged = await call<{ merged: boolean; message: string }>('version-control.merge', {
    branchName: 'feature/fast',
  })
  assert.deepEqual([merged.merged, /Merged "feature\/fast" into "main": \d+ files/.test(merged.message)], [true, true])
  // Both sides of the merge are in the gateway and on the disk.
  assert.deepEqual([/:= 2;/.test(await source('Scale')), /:= 7;/.test(await source('Other'))], [true, true])
  assert.deepEqual([(await status()).changes, git('status', '--porcelain')], [[], ''])
  assert.equal(git('log', '-1', '--format=%P').trim().split(' ').length, 2)
  const again = await call<{ merged: boolean }>('version-control.merge', { branchName: 'feature/fast' })
  assert.equal(again.merged, false)
  await refused('version-control.delete-branch', { branchName: 'main' }, 'conflict', /checked out/)
  await call('version-control.delete-branch', { branchName: 'feature/fast' })

  await call('version-control.create-branch', { branchName: 'b' })
  await write(scl(3))
  await commit('Three')
  const head = git('rev-parse', 'HEAD')
  await call('version-control.checkout', { branchName: 'b' })
  await write(scl(4))
  await commit('Four')
  await call('version-control.checkout', { branchName: 'main' })
  await refused('version-control.merge', { branchName: 'b' }, 'conflict', /Scale\.scl/)
  assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain')], [head, ''])
  assert.match(await source('Scale'), /:= 3;/)
  type Branches = { branches: { name: string; isCurrentBranch: boolean }[] }
  const { branches } = await call<Branches>('version-control.list-branches', {})
  assert.deepEqual(
    branches.map((one) => [one.name, one.isCurrentBranch]),
    [
      ['b', false],
      ['main', true],
    ],
  )
})

test('a version that cannot be opened leaves files and project as they were; a file is restored', async (t) => {
  const { call, git, write, commit, refused, source, folder } = await open(t)
  await write(scl(1))
  await call('version-control.init', {})
  await commit('One')
  git('checkout', '-q', '-b', 'broken')
  await writeFile(join(folder, 'devices/PLC_1/device.json'), '{ "broken"')
  git('commit', '-qam', 'Broken')
  git('checkout', '-q', 'main')
  await refused('version-control.checkout', { branchName: 'broken' }, 'unacceptable_content', /device\.json/)
  await refused('version-control.merge', { branchName: 'broken' }, 'unacceptable_content', /device\.json/)
  assert.deepEqual([git('branch', '--show-current'), git('status', '--porcelain')], ['main\n', ''])
  assert.match(await source('Scale'), /:= 1;/)
  const filePath = 'devices/PLC_1/device.json'
  await refused('version-control.restore', { commitSha: 'broken', filePath }, 'unacceptable_content', /device\.json/)
  assert.equal(git('status', '--porcelain'), '')

  await write(scl(2))
  const block = { commitSha: 'HEAD', filePath: 'devices/PLC_1/blocks/Scale.scl' }
  await refused('version-control.restore', block, 'conflict', /unsaved/)
  await call('projects.save', {})
  await call('version-control.restore', block)
  assert.match(await source('Scale'), /:= 1;/)
  await refused('version-control.restore', { ...block, filePath: 'devices/none.json' }, 'not_found', /no file/)
  git('remote', 'add', 'origin', 'https://anna:secret@git.example/line.git')
  assert.deepEqual(await call('version-control.list-remotes', {}), {
    remotes: [{ name: 'origin', url: 'https://git.example/line.git' }],
    total: 1,
  })
  // A hook of the repository would run with the rights of the gateway.
  await writeFile(join(folder, '.git/hooks/post-checkout'), '#!/bin/sh\ntouch hooked\n', { mode: 0o755 })
  await commit('Two').catch(() => {})
  await call('version-control.create-branch', { branchName: 'c' })
  await call('version-control.checkout', { branchName: 'c' })
  await assert.rejects(readFile(join(folder, 'hooked')), { code: 'ENOENT' })
})

test('a repository of the workspace holds the project in a folder; one above the workspace is not used', async (t) => {
  const { call, git, write, status, commit, refused, source, folder, dir } = await open(t)
  await write(scl(1))
  execFileSync('git', ['init', '-q', '-b', 'main', dir])
  assert.equal((await status()).isInitialized, false)
  await rm(join(dir, '.git'), { recursive: true })
  execFileSync('git', ['init', '-q', '-b', 'main', join(folder, '..')])
  await writeFile(join(folder, '../README.md'), 'mine\n')
  git('add', '../README.md')
  git('commit', '-qm', 'Mine')
  const before = await status()
  assert.ok(before.changes.every((one) => one.status === 'Added' && !one.filePath.startsWith('Line/')))
  await commit('One')
  assert.equal(git('status', '--porcelain'), '')
  assert.match(
    git('ls-tree', '-r', '--name-only', '--full-tree', 'HEAD'),
    /^Line\/devices\/PLC_1\/blocks\/Scale\.scl$/m,
  )
  assert.match(git('show', 'HEAD:README.md'), /mine/)
  type Log = { commits: { message: string }[]; total: number }
  assert.equal((await call<Log>('version-control.log', {})).total, 1)

  const filePath = 'devices/PLC_1/blocks/Scale.scl'
  await call('version-control.create-branch', { branchName: 'b' })
  await write(scl(2))
  const { files } = await call<{ files: { path: string }[] }>('version-control.diff', {})
  assert.ok(files.some(({ path }) => path === filePath))
  await commit('Two')
  await call('version-control.checkout', { branchName: 'b' })
  assert.match(await source('Scale'), /:= 1;/)
  await write(scl(3))
  await commit('Three')
  await refused(
    'version-control.merge',
    { branchName: 'main' },
    'conflict',
    /changed devices\/PLC_1\/blocks\/Scale\.scl/,
  )
  await call('version-control.restore', { commitSha: 'main', filePath })
  assert.match(await source('Scale'), /:= 2;/)
  // The folder of another project of the repository is no part of this one.
  for (const operation of ['version-control.restore', 'version-control.get-file'])
    for (const one of ['../README.md', 'devices/../../README.md', '/README.md', 'devices//x'])
      await refused(operation, { commitSha: 'main', filePath: one }, 'invalid_input', /below the folder/)
})

test('a commit can be made conditional on the status that was looked at', async (t) => {
  const { call, gateway, write, git } = await open(t)
  await write(scl(1))
  await call('version-control.init', {})
  const app = await createServer(gateway)
  t.after(() => app.close())
  const headers = { 'x-api-key': gateway.createdKey ?? '' }
  const url = '/api/source-control'
  const looked = await app.inject({ url: `${url}/status`, headers })
  let tag = String(looked.headers.etag)
  const send = (message: string) =>
    app.inject({
      method: 'POST',
      url: `${url}/commit-sync`,
      headers: { ...headers, 'if-match': tag },
      payload: { message },
    })
  await write(scl(2))
  assert.equal((await send('Late')).statusCode, 412)
  await call('blocks.import-and-generate', { ...on, content: scl(1) })
  assert.match(tag, /^"/)
  assert.equal(git('for-each-ref'), '')
  tag = String((await app.inject({ url: `${url}/status`, headers })).headers.etag)
  assert.equal((await send('In time')).statusCode, 200)
  assert.equal(git('log', '--format=%s'), 'In time\n')
})
