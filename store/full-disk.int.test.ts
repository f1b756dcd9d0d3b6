/** A full disk stops writing once, with an error; reading goes on; with space the store continues where it was. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { processArguments } from '../core/boot/running-code.ts'
import { allRecords, tempDir, terms } from './fixtures/stores.ts'
import { openStore } from './index.ts'

const run = promisify(execFile)
const script = processArguments(new URL('./fixtures/fill-disk.ts', import.meta.url))

interface Limited {
  readonly dir: string
  /** Runs node with these arguments on a small disk. */
  node(args: string[]): Promise<string>
  /** Removes the limit. */
  makeRoom(): Promise<void>
}

/** A small tmpfs where this user may mount one, else a limit on the size of a file: both make `write` fail. */
async function limited(t: TestContext): Promise<Limited> {
  let unmount = async (): Promise<void> => {}
  t.after(() => unmount()) // before the directory is removed
  const mountPoint = join(await tempDir(t), 'small')
  await mkdir(mountPoint)
  const node = async (command: string, args: string[]): Promise<string> =>
    (await run(command, args, { maxBuffer: 1 << 24 })).stdout
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', mountPoint])
  } catch {
    t.diagnostic('no permission to mount a tmpfs: a file size limit is used instead')
    const shell = 'ulimit -f 2048; exec "$0" "$@"'
    return {
      dir: mountPoint,
      node: (args) => node('sh', ['-c', shell, process.execPath, ...args]),
      makeRoom: async () => {},
    }
  }
  unmount = async () => {
    await run('umount', [mountPoint])
  }
  return {
    dir: mountPoint,
    node: (args) => node(process.execPath, args),
    makeRoom: async () => {
      await run('mount', ['-o', 'remount,size=200m', mountPoint])
    },
  }
}

for (const what of ['commits', 'checkpoints', 'uploads']) {
  test(`the disk fills up with ${what}`, async (t) => {
    const { dir, node, makeRoom } = await limited(t)
    const report = JSON.parse(await node([...script, dir, what]))
    assert.equal(report.failures.length, 1, 'onFailure was called once')
    assert.equal(report.failures[0].code, 'store_unavailable')
    assert.equal(report.failures[0].firstLostSeq, report.committed + 1)
    assert.deepEqual(report.order, ['onFailure', 'rejected'], 'before any rejection')
    for (const code of report.rejected) assert.equal(code, 'store_unavailable')
    if (what !== 'commits') assert.equal(report.other, 'store_unavailable')
    assert.equal(report.late, 'store_unavailable')
    assert.equal(report.state, 'write-failed')
    assert.match(report.detail, /No space left on device|File too large/)
    assert.ok(report.acknowledged > 0)
    assert.equal(report.committed, report.acknowledged, 'every durable commit was acknowledged')
    assert.equal(report.read, report.committed, 'what was durable is still readable')
    assert.equal(report.found, report.committed)

    await makeRoom()
    const store = await openStore({ dir, terms })
    const records = await allRecords(store)
    assert.ok(records.length >= report.acknowledged, 'nothing acknowledged is lost')
    assert.ok(records.every(({ type }) => type === 'fill'))
    const { lastSeq } = store.log.append([{ type: 'goes-on', data: 1 }])
    await store.log.durable(lastSeq)
    assert.equal(lastSeq, records.length + 1)
    assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
    assert.deepEqual(await store.index.find('type:goes-on'), [lastSeq])
    await store.close()
  })
}
