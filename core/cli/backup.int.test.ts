/** `gantry backup` and `gantry restore` as a user runs them, with a gateway on the data directory and without. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { root } from '../../test/built.ts'
import { commandLine } from '../../test/command-line.ts'
import { removeFolder, temporaryFolder } from '../../test/folder.ts'
import { counterPlugins } from '../../test/mcp.ts'

const kept = Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$)/.test(name))
const env = { ...Object.fromEntries(kept), GANTRY_NO_INSTANCE: '1' }

function gantry(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [...commandLine, ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

test('a backup is made beside a gateway and without one, checked and restored', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-backup-')
  const data = ['--data-dir', join(dir, 'data')]
  const serve = spawn(
    process.execPath,
    // Without a watchdog jobs run all the same.
    [...commandLine, 'serve', ...data, '--port', '0', '--plugins-dir', counterPlugins, '--watchdog', '0'],
    {
      cwd: root,
      env,
    },
  )
  const end = new Promise((resolve) => serve.once('exit', resolve))
  t.after(() => serve.kill('SIGKILL'))
  await new Promise<void>((resolve) => serve.stdout.on('data', (text) => String(text).includes('at http') && resolve()))
  assert.equal((await gantry('call', 'counter.add', 'name=a', 'by:=7', ...data)).code, 0)
  const running = await gantry('backup', join(dir, 'running.zip'), ...data)
  assert.equal(running.code, 0, running.stderr)
  assert.equal(JSON.parse(running.stdout).file, join(dir, 'running.zip'))
  assert.deepEqual(await readdir(join(dir, 'data', 'backups')), [])
  assert.equal((await gantry('backup', join(dir, 'running.zip'), ...data)).code, 2)
  // To another file system it is copied, checked, and named when it is whole.
  const memory = '/dev/shm'
  if (existsSync(memory) && (await stat(memory)).dev !== (await stat(dir)).dev) {
    const far = await mkdtemp(join(memory, 'gantry-backup-'))
    t.after(() => removeFolder(far))
    const copied = await gantry('backup', join(far, 'copied.zip'), ...data)
    assert.equal(copied.code, 0, copied.stderr)
    assert.deepEqual([await readdir(far), await readdir(join(dir, 'data', 'backups'))], [['copied.zip'], []])
    const whole = await gantry('restore', join(far, 'copied.zip'), '--check')
    assert.equal(JSON.parse(whole.stdout).seq, JSON.parse(copied.stdout).seq)
  }
  serve.kill('SIGTERM')
  await end
  const closed = await gantry('backup', join(dir, 'closed.zip'), ...data)
  assert.equal(closed.code, 0, closed.stderr)
  assert.ok(JSON.parse(closed.stdout).seq > JSON.parse(running.stdout).seq)
  const checked = await gantry('restore', join(dir, 'closed.zip'), '--check')
  assert.equal(JSON.parse(checked.stdout).seq, JSON.parse(closed.stdout).seq)
  const restored = await gantry('restore', join(dir, 'running.zip'), '--data-dir', join(dir, 'again'))
  assert.equal(restored.code, 0, restored.stderr)
  const verified = await gantry('audit', 'verify', '--whole', '--data-dir', join(dir, 'again'))
  assert.deepEqual([verified.code, JSON.parse(verified.stdout).ok], [0, true])
  const onto = await gantry('restore', join(dir, 'running.zip'), '--data-dir', join(dir, 'again'))
  assert.match(onto.stderr, /not empty/)
  await writeFile(join(dir, 'bad.zip'), 'no zip file')
  const bad = await gantry('restore', join(dir, 'bad.zip'), '--data-dir', join(dir, 'third'))
  assert.deepEqual([bad.code, /damaged/.test(bad.stderr), /\n +at /.test(bad.stderr)], [1, true, false], bad.stderr)
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('/etc/passwd'), 'files/api-key', { mode: 0o120777 })
  zip.end()
  await pipeline(zip.outputStream as Readable, createWriteStream(join(dir, 'link.zip')))
  for (const more of [['--check'], ['--data-dir', join(dir, 'third')]]) {
    const link = await gantry('restore', join(dir, 'link.zip'), ...more)
    assert.equal(link.code, 1)
    assert.match(link.stderr, /^gantry: unacceptable_content: .* its entry "files\/api-key" is a symbolic link\. .*\n$/)
  }
  assert.ok(!existsSync(join(dir, 'third')))
  const below = await gantry('restore', join(dir, 'running.zip'), '--data-dir', join(dir, 'bad.zip', 'x'))
  assert.deepEqual([below.code, /\n +at /.test(below.stderr)], [1, false], below.stderr)
  assert.equal((await gantry('backup', join(dir, 'x.zip'), '--data-dir', join(dir, 'none'))).code, 5)
})
