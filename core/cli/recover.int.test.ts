/** A damaged data directory of a killed gateway, from `gantry recover` to the next start, as a user sees it. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root, serve } from '../../test/built.ts'
import { commandLine } from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { counterPlugins } from '../../test/mcp.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[]): Promise<Ended> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$)/.test(name)))
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [...commandLine, ...args],
      { cwd: root, env, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}

function makeDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-recover-')
}

const options = ['--no-instance', '--plugins-dir', counterPlugins]

interface Summary {
  readonly written: boolean
  readonly damaged: readonly { readonly file: string; readonly detail: string }[]
  readonly saved: { readonly records: number }
  readonly lost: { readonly records: number; readonly ranges: readonly { first: number; last: number }[] }
  readonly state?: { readonly checkpointSeq?: number; readonly incompleteCount: number; readonly unknownJobs: string[] }
  readonly original?: string
}

/** A data directory after one orderly end and one kill, with the jobs that were answered. */
async function killed(t: TestContext) {
  const dir = await makeDir(t)
  const jobs: string[] = []
  const add = async (call: Awaited<ReturnType<typeof serve>>, count: number) => {
    for (let n = 0; n < count; n++) {
      await call('POST', 'jobs/execute-sync', { command: 'counter.add', input: { name: 'a', by: 1 } })
    }
    const page = await call<{ jobs: { jobId: string; command: string }[] }>('GET', `jobs?limit=${count}`)
    jobs.push(...page.jobs.filter(({ command }) => command === 'counter.add').map(({ jobId }) => jobId))
  }
  await t.test('the gateway runs', async (inner) => add(await serve(inner, commandLine, dir, options), 60))
  const copy = await makeDir(t)
  await t.test('and is killed', async (inner) => {
    await add(await serve(inner, commandLine, dir, options), 40)
    await cp(dir, copy, { recursive: true }) // what a kill would leave at this moment
  })
  await rm(join(copy, 'gateway.json'), { force: true })
  return { dir: copy, jobs }
}

/** What happens to which file. */
const damages: readonly (readonly [file: RegExp, damage: (file: string, size: number) => Promise<void>])[] = [
  [/\.ldb$/, (file, size) => writeFile(file, Buffer.alloc(size))],
  [/\.log$/, (file, size) => truncate(file, size >> 1)],
  [/MANIFEST/, (file) => rm(file)],
  [
    /CURRENT|witness/,
    async (file, size) => {
      const bytes = await readFile(file)
      bytes[size >> 1]! ^= 1
      await writeFile(file, bytes)
    },
  ],
]

test('any file of the log may be damaged: recover tells, saves with consent, and the gateway goes on', async (t) => {
  const { dir, jobs } = await killed(t)
  assert.equal(new Set(jobs).size, 100)
  const files = (await readdir(join(dir, 'store'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/^(LOG|LOCK)/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length))
  assert.ok(files.some((name) => name.endsWith('.ldb')) && files.some((name) => name.endsWith('.log')))
  let lossy = 0
  // One of each kind; store/recover.int.test.ts damages all of them.
  for (const [kind, damage] of damages) {
    const name = files.find((file) => kind.test(file)) ?? assert.fail(String(kind))
    await t.test(name, async (inner) => {
      const copy = await makeDir(inner)
      await cp(dir, copy, { recursive: true })
      await damage(join(copy, name), (await stat(join(copy, name))).size)
      const args = ['recover', '--data-dir', copy, '--plugins-dir', counterPlugins]
      const trial = await run(args)
      assert.equal(trial.code, 0, trial.stderr)
      const told = JSON.parse(trial.stdout) as Summary
      assert.equal(told.written, false)
      if (told.damaged.length > 0)
        assert.match(trial.stderr, /Nothing was changed\.[\s\S]*gantry recover --accept-loss/)
      const written = await run([...args, '--accept-loss'])
      assert.equal(written.code, 0, written.stderr)
      const summary = JSON.parse(written.stdout) as Summary
      assert.deepEqual({ ...summary, written: false, original: undefined }, { ...told, original: undefined })
      assert.equal(summary.written, told.damaged.length > 0)
      if (summary.original !== undefined) assert.ok((await readdir(summary.original)).length > 0)
      const { ranges } = summary.lost
      if (ranges.length > 0) lossy++

      const call = await serve(inner, commandLine, copy, options)
      const report = await call<{ ok: boolean; faults: unknown[]; lost: unknown[] }>('GET', 'audit/verify?blobs=whole')
      assert.deepEqual([report.ok, report.faults], [true, []])
      assert.equal(report.lost.length, ranges.length)
      let missing = 0
      for (const jobId of jobs) {
        const job = await call<{ status: string | number; error?: { code: string } }>('GET', `jobs/${jobId}`)
        if (job.status === 'Completed') continue
        missing++
        const seq = Number.parseInt(/^J([0-9a-z]+)-/.exec(jobId)![1]!, 36)
        if (job.status === 404)
          assert.ok(
            ranges.some(({ first, last }) => seq >= first && seq <= last),
            jobId,
          )
        else assert.deepEqual([job.status, job.error?.code], ['Failed', 'job_interrupted'])
      }
      assert.equal(missing > 0, ranges.length > 0)
      const audit = await call<{ entries: { type: string; data: { lost: unknown[] } }[] }>(
        'GET',
        'audit?types=log.recovered',
      )
      assert.equal(audit.entries.length, summary.written ? 1 : 0)
      // A checkpoint is later than all that it can replace.
      const { value } = await call<{ value?: number }>('GET', 'counter/a')
      if (missing === 0 || (summary.state?.checkpointSeq ?? 0) > Math.max(...ranges.map(({ last }) => last)))
        assert.equal(value, 100)
      else assert.ok(value === undefined || value <= 100)
      const added = await call<{ value?: number }>('POST', 'counter/new/actions/add-sync', { by: 5 })
      assert.equal(added.value, 5)
    })
  }
  assert.ok(lossy >= 1, `${lossy} cases with loss`)
})

test('recover leaves a directory in use alone, and says what is there without one', async (t) => {
  const dir = await makeDir(t)
  await serve(t, commandLine, dir, options)
  const inUse = await run(['recover', '--accept-loss', '--data-dir', dir])
  assert.equal(inUse.code, 5)
  assert.match(inUse.stderr, /is in use\. The gateway at/)
  await rm(join(dir, 'gateway.json'))
  const locked = await run(['recover', '--accept-loss', '--data-dir', dir])
  assert.equal(locked.code, 5)
  assert.match(locked.stderr, /is in use/)
  const nothing = await run(['recover', '--data-dir', join(dir, 'nowhere')])
  assert.equal(nothing.code, 5)
  assert.match(nothing.stderr, /there is no log in/)
})
