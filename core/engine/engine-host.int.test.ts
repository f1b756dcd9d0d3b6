// In a process of its own: its hooks are those of the whole process.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { until } from '../../test/until.ts'
import { codeVersion, processArguments, runningModule } from '../boot/running-code.ts'
import { openConnection } from './connection.ts'
import { EngineError, EngineHost, type EngineHostOptions } from './index.ts'
import { listenAddress, readInstanceFile } from './instance-files.ts'
import { encodeFrame, FrameReader, type HostMessage, protocolVersion } from './wire.ts'

const module = new URL('../../test/engine/tasks.ts', import.meta.url).href
const task = (fn: string, input?: unknown) => ({ module, fn, input })
const posix = process.platform !== 'win32'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'engine-test-'))
})
after(() => rm(root, { recursive: true, force: true }))

let directories = 0
const newDir = () => join(root, `d${++directories}`)

/** Runs `body` with a host and makes sure that no process is left. */
async function withHost(
  options: Partial<EngineHostOptions>,
  body: (host: EngineHost, dir: string) => Promise<void>,
): Promise<void> {
  const dir = options.instancesDir ?? newDir()
  const host = new EngineHost({ cancelGraceMs: 300, shutdownGraceMs: 2000, ...options, instancesDir: dir })
  try {
    await body(host, dir)
  } finally {
    await host.close()
  }
}

const rejection = async (promise: Promise<unknown>): Promise<EngineError> => {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof EngineError, `not an EngineError: ${String(error)}`)
    return error
  }
  return assert.fail('it did not reject')
}

describe('one instance', { concurrency: false }, () => {
  let host: EngineHost
  let dir: string
  const logged: string[] = []
  before(async () => {
    dir = newDir()
    host = new EngineHost({
      instancesDir: dir,
      // A thread that a busy computer holds up must not count as one that does not listen.
      cancelGraceMs: 5000,
      maxMessageBytes: 24 * 1024 * 1024,
      log: (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    })
    await host.launch()
  })
  after(() => host.close())

  test('is a process of its own with private files', async () => {
    const { attached } = host
    assert.ok(attached)
    assert.notEqual(attached.pid, process.pid)
    assert.ok(isProcessAlive(attached.pid))
    assert.equal(attached.mode, 'WithoutUserInterface')
    assert.equal(attached.attached, true)
    assert.match(attached.version, /^\d+\.\d+\.\d+/)
    assert.equal(attached.code, codeVersion())
    if (posix) {
      assert.equal((await stat(dir)).mode & 0o777, 0o700)
      for (const name of await readdir(dir)) assert.equal((await stat(join(dir, name))).mode & 0o077, 0, name)
    }
    assert.deepEqual(await host.list(), [host.attached])
  })

  test('copies structured data both ways', async () => {
    const input = {
      map: new Map([[1n, new Set(['a'])]]),
      date: new Date(0),
      bytes: Buffer.from([1, 2, 3]),
      none: undefined,
    }
    assert.deepEqual(await host.run(task('echo', input)), input)
    assert.equal(await host.run(task('echo')), undefined)
    assert.equal(await host.run<number>(task('doubled', 21)), 42)
  })

  test('keeps modules loaded between tasks', async () => {
    const first = await host.run<number>(task('count'))
    assert.equal(await host.run<number>(task('count')), first + 1)
  })

  test('runs one task after the other, in order', async () => {
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => host.run<number>(task('count'))))
    const sorted = [...results].sort((a, b) => a - b)
    assert.deepEqual(results, sorted)
  })

  test('reports progress', async () => {
    const seen: Array<[number, string | undefined]> = []
    const result = await host.run(task('withProgress', 4), {
      onProgress: (percent, message) => seen.push([percent, message]),
    })
    assert.equal(result, 'finished')
    assert.deepEqual(
      seen,
      [1, 2, 3, 4].map((i) => [25 * i, `step ${i} of 4`]),
    )
  })

  test('thins out a flood of progress and ends it with 100', async () => {
    const seen: number[] = []
    await host.run(task('progressFlood', 100_000), { onProgress: (percent) => seen.push(percent) })
    assert.ok(seen.length < 5000, `${seen.length} messages`)
    assert.equal(seen.at(-1), 100)
  })

  test('survives a progress listener that throws', async () => {
    const onProgress = () => {
      throw new Error('listener')
    }
    assert.equal(await host.run(task('withProgress', 2), { onProgress }), 'finished')
  })

  test('passes 16 MiB both ways and refuses more than the bound', async () => {
    const input = Buffer.alloc(16 * 1024 * 1024)
    for (let i = 0; i < input.length; i += 4096) input[i] = i >> 12
    const output = await host.run<Buffer>(task('echo', input))
    assert.ok(input.equals(output))
    const tooMuch = await rejection(host.run(task('echo', Buffer.alloc(25 * 1024 * 1024))))
    assert.match(tooMuch.message, /input of echo is \d+ bytes; up to 25165824/)
    const tooMuchBack = await rejection(host.run(task('bytes', 25 * 1024 * 1024)))
    assert.match(tooMuchBack.message, /result of bytes is \d+ bytes; up to 25165824/)
    assert.equal(await host.run(task('echo', 'still here')), 'still here')
  })

  test("a task's own error keeps what the gateway answers with", async () => {
    const error = await rejection(host.run(task('fail')))
    assert.equal(error.kind, 'engine_task_failed')
    assert.equal(error.name, 'SourceError')
    assert.equal(error.message, 'Block "Motor" has 1 error.')
    assert.equal(error.code, 'scl_syntax')
    assert.deepEqual(error.errors, [{ line: 3, column: 7, message: 'END_IF expected' }])
    assert.deepEqual(error.problem, { title: 'The source does not compile' })
    assert.ok(!('notCloneable' in error))
    assert.equal((error.cause as Error).message, 'inner')
    assert.match(error.stack ?? '', /tasks\.ts/)
    const text = await rejection(host.run(task('throwText')))
    assert.deepEqual([text.message, text.code], ['just a text', 'engine_task_failed'])
  })

  test('says what is wrong with a task that cannot run', async () => {
    assert.match(
      (await rejection(host.run(task('absent')))).message,
      /exports no function "absent" \(it exports .*echo/,
    )
    assert.match((await rejection(host.run({ ...task('x'), module: 'node:fs' }))).message, /file: URL, not "node:fs"/)
    assert.match((await rejection(host.run({ ...task('x'), module: `${module}.none` }))).message, /Cannot find module/)
    assert.match((await rejection(host.run(task('echo', () => 1)))).message, /input of echo cannot be sent/)
    assert.match((await rejection(host.run(task('notCloneable')))).message, /result of notCloneable cannot be sent/)
  })

  test('passes the output of tasks to the log', async () => {
    await host.run(task('print'))
    await until(() => logged.some((line) => line.includes('printed by the task')), 'its output is logged')
  })

  for (const fn of ['waitForAbort', 'cooperativeLoop', 'endlessLoop']) {
    test(`cancels ${fn}, and the next task runs`, async () => {
      const restartsBefore = (await host.diagnostics()).workerRestarts
      const abort = new AbortController()
      const running = host.run(task(fn), { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) })
      const error = await rejection(running)
      assert.equal(error.kind, 'cancelled')
      assert.equal((error.cause as Error).message, 'enough')
      assert.equal(await host.run<number>(task('doubled', 1)), 2)
      const { workerRestarts } = await host.diagnostics()
      assert.equal(workerRestarts - restartsBefore, fn === 'endlessLoop' ? 1 : 0)
    })
  }

  test('cancels a task that waits behind another', async () => {
    const first = new AbortController()
    const second = new AbortController()
    const running = host.run(task('waitForAbort'), { signal: first.signal, onProgress: () => second.abort() })
    const waiting = host.run(task('count'), { signal: second.signal })
    assert.equal((await rejection(waiting)).kind, 'cancelled')
    first.abort()
    assert.equal((await rejection(running)).kind, 'cancelled')
    const early = await rejection(host.run(task('count'), { signal: AbortSignal.abort() }))
    assert.equal(early.kind, 'cancelled')
  })

  test('answers diagnostics while a task computes', async () => {
    const abort = new AbortController()
    const begun = new Promise<void>((resolve) => {
      void rejection(host.run(task('endlessLoop'), { signal: abort.signal, onProgress: () => resolve() })).then(() =>
        resolve(),
      )
    })
    await begun
    const d = await host.diagnostics()
    assert.equal(d.pid, host.attached?.pid)
    assert.equal(d.busy, true)
    assert.equal(host.attached?.busy, true)
    assert.deepEqual([d.currentTask?.fn, d.currentTask?.percent], ['endlessLoop', 1])
    assert.ok(d.memory.rss > 1e6 && d.uptimeMs > 0 && d.cpu.userMs > 0 && d.cpu.percent >= 0 && d.workerHeapUsed > 0)
    assert.ok(d.tasksDone > 0 && d.tasksFailed > 0 && d.tasksCancelled > 0)
    assert.equal(d.clients, 1)
    abort.abort()
    await until(async () => !(await host.diagnostics()).busy, 'the loop ends')
  })

  test('a task that ends its thread fails alone', async () => {
    const { pid } = host.attached!
    const exit = await rejection(host.run(task('exitThread', 3)))
    assert.deepEqual([exit.kind, exit.code, exit.exitCode], ['engine_crashed', 'engine_crashed', 3])
    assert.match(exit.message, /exit code 3 while it ran exitThread/)
    assert.ok(exit.stderr?.includes('about to leave'), String(exit.stderr))
    const thrown = await rejection(host.run(task('throwLater')))
    assert.equal(thrown.kind, 'engine_crashed')
    assert.match(thrown.message, /thrown outside the task/)
    assert.equal(await host.run<number>(task('doubled', 4)), 8)
    assert.equal(host.attached?.pid, pid)
  })

  test('refuses a second launch or attach while attached', async () => {
    const { pid } = host.attached!
    assert.equal((await rejection(host.launch())).kind, 'engine_already_attached')
    assert.equal((await rejection(host.attach(pid + 1))).kind, 'engine_already_attached')
    assert.equal((await host.attach(pid)).pid, pid)
  })

  test('refuses a wrong token, another protocol and garbage', async () => {
    const file = (await readInstanceFile(dir, host.attached!.pid))!
    const options = { maxMessageBytes: 1000, cancelGraceMs: 100, log: () => {} }
    const wrong = { ...file, token: file.token.replace(/./g, '0') }
    await assert.rejects(openConnection(wrong, 'client', options), /refused: The token is wrong/)
    await assert.rejects(openConnection({ ...file, token: 'x' }, 'probe', options), /refused: The token is wrong/)
    /** What the instance answers to bytes until it ends the connection. */
    const answers = async (...chunks: Uint8Array[]): Promise<HostMessage[]> => {
      const socket = connect(file.address)
      socket.on('error', () => {})
      const heard: HostMessage[] = []
      const reader = new FrameReader<HostMessage>(1e6, 1e6)
      socket.on('data', (chunk: Buffer) => reader.push(chunk, ({ head }) => heard.push(head)))
      for (const chunk of chunks) socket.write(chunk)
      await new Promise((resolve) => socket.once('close', resolve))
      return heard
    }
    const hello = { kind: 'hello', protocol: protocolVersion, token: file.token, role: 'client' } as const
    const refused = (reason: string) => [{ kind: 'refused', reason }]
    for (const [garbage, reason] of [
      ['GET / HTTP/1.1\r\n\r\n', 'A message head of 1195725856 bytes was announced; 1 to 4096 are allowed.'],
      [
        '\0\0\0\x04\0\0\0\0abcd',
        'A message head cannot be read: Unable to deserialize cloned data due to invalid or unsupported version.',
      ],
      ['\xff'.repeat(64), 'A message head of 4294967295 bytes was announced; 1 to 4096 are allowed.'],
      ['\0\0\0\x04\0\0\0\x01abcde', 'A message body of 1 bytes was announced; up to 0 are allowed.'],
    ] as const)
      assert.deepEqual(await answers(Buffer.from(garbage, 'latin1')), refused(reason))
    assert.deepEqual(
      await answers(...encodeFrame({ ...hello, protocol: 0 })),
      refused('The instance speaks protocol 1, the gateway 0.'),
    )
    assert.deepEqual(await answers(...encodeFrame({ kind: 'diagnostics', id: 1 })), refused('The token is wrong.'))
    const [welcome, ...more] = await answers(...encodeFrame(hello), ...encodeFrame(hello))
    assert.equal(welcome?.kind, 'welcome')
    assert.deepEqual(more, refused('The greeting was sent twice.'))
    assert.equal((await host.diagnostics()).clients, 1)
    assert.equal(file.protocol, protocolVersion)
  })
})

test('without an instance nothing runs, and the message says why', async () => {
  await withHost({}, async (host) => {
    const error = await rejection(host.run(task('echo')))
    assert.equal(error.kind, 'engine_not_attached')
    assert.match(error.message, /^Portal instance is not available: no instance has been launched/)
    assert.equal((await rejection(host.diagnostics())).kind, 'engine_not_attached')
    assert.equal((await rejection(host.detach())).kind, 'engine_not_attached')
    assert.equal((await rejection(host.shutdown())).kind, 'engine_not_attached')
    assert.deepEqual(await host.list(), [])
    const missing = await rejection(host.attach(process.pid))
    assert.equal(missing.kind, 'engine_not_found')
    assert.match(missing.message, /no instance is running/)
  })
})

test('run waits for a launch in progress; shutdown leaves no process and no file', async () => {
  await withHost({}, async (host, dir) => {
    const launching = host.launch()
    assert.equal(host.connecting, true)
    const result = host.run(task('doubled', 5))
    const joined = host.launch()
    const { pid } = await launching
    assert.equal((await joined).pid, pid)
    assert.equal(await result, 10)
    const running = rejection(host.run(task('endlessLoop')))
    await host.shutdown()
    assert.equal((await running).kind, 'cancelled')
    assert.equal(isProcessAlive(pid), false)
    assert.deepEqual(await readdir(dir), [])
    assert.equal(host.attached, undefined)
    assert.match(
      (await rejection(host.run(task('echo')))).message,
      /Portal instance is not available: it was shut down/,
    )
  })
})

test('a launch that fails says why', async () => {
  await withHost({ execArgv: ['--import', 'data:text/javascript,throw new Error("bad start")'] }, async (host) => {
    const error = await rejection(host.launch())
    assert.equal(error.kind, 'engine_unavailable')
    assert.match(error.message, /ended at once \(exit code 1\)/)
    assert.ok(error.stderr?.some((line) => line.includes('bad start')))
    assert.match((await rejection(host.run(task('echo')))).message, /the last attempt failed/)
  })
  const file = join(root, 'a-file')
  await writeFile(file, '')
  await withHost({ instancesDir: file }, async (host) => {
    assert.equal((await rejection(host.launch())).kind, 'engine_unavailable')
  })
})

test('an instance whose task thread cannot start says so, and tries again for the next task', async () => {
  const broken = `import threads from 'node:worker_threads'
    import { syncBuiltinESMExports } from 'node:module'
    threads.Worker = class extends threads.Worker {
      constructor(_module, options) {
        super('console.error("it complains"); throw new Error("broken installation")', { ...options, eval: true })
      }
    }
    syncBuiltinESMExports()`
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(broken)}`]
  await withHost({ execArgv }, async (host) => {
    await host.launch()
    for (const restarts of [0, 0]) {
      const error = await rejection(host.run(task('echo')))
      assert.deepEqual(
        [error.kind, error.message],
        ['engine_unavailable', `The engine's task thread could not start: broken installation`],
      )
      assert.ok(error.stderr?.includes('it complains'), String(error.stderr))
      const { tasksFailed, workerRestarts } = await host.diagnostics()
      assert.deepEqual([tasksFailed > 0, workerRestarts], [true, restarts])
    }
  })
})

test('a killed instance fails the running task and is restarted; waiting tasks run in the new one', async () => {
  await withHost({}, async (host) => {
    const { pid } = await host.launch()
    const [killed, waiting] = await Promise.allSettled([
      host.run(task('killProcess')),
      host.run<number>(task('doubled', 8)),
    ])
    assert.equal(killed.status, 'rejected')
    const error = killed.reason as EngineError
    assert.equal(error.kind, 'engine_crashed')
    if (posix) {
      assert.equal(error.exitSignal, 'SIGKILL')
      assert.match(error.message, /signal SIGKILL/)
    }
    assert.deepEqual(waiting, { status: 'fulfilled', value: 16 })
    assert.ok(host.attached)
    assert.notEqual(host.attached.pid, pid)
    assert.deepEqual((await host.list()).length, 1)
  })
})

test('without autoRestart a crash leaves nothing attached', async () => {
  await withHost({ autoRestart: false }, async (host, dir) => {
    await host.launch()
    assert.equal((await rejection(host.run(task('killProcess')))).kind, 'engine_crashed')
    await until(() => !host.connecting, 'the crash is handled')
    assert.match(
      (await rejection(host.run(task('echo')))).message,
      /Portal instance is not available: .*ended unexpectedly/,
    )
    assert.deepEqual(await readdir(dir), [])
  })
})

test('an instance that crashes again and again is given up, until it is launched again', async () => {
  await withHost({ restartDelaysMs: [0, 0] }, async (host) => {
    await host.launch()
    for (let i = 0; i < 3; i++) assert.equal((await rejection(host.run(task('killProcess')))).kind, 'engine_crashed')
    const error = await rejection(host.run(task('echo')))
    assert.equal(error.kind, 'engine_not_attached')
    assert.match(error.message, /^Portal instance is not available: .*ended unexpectedly/)
    await host.launch()
    assert.equal(await host.run<number>(task('doubled', 2)), 4)
  })
})

test('closing does not wait for the next start of an instance that has crashed', async () => {
  await withHost({ restartDelaysMs: [3_600_000] }, async (host) => {
    await host.launch()
    assert.equal((await rejection(host.run(task('killProcess')))).kind, 'engine_crashed')
    // `withHost` closes it: with the wait the test would not end.
  })
})

test('a task that fills the memory takes only its thread with it', async () => {
  await withHost({ execArgv: ['--max-old-space-size=96'] }, async (host) => {
    const { pid } = await host.launch()
    const error = await rejection(host.run(task('fillMemory')))
    assert.equal(error.kind, 'engine_crashed')
    assert.match(error.message, /memory/)
    assert.equal(await host.run<number>(task('doubled', 2)), 4)
    assert.equal(host.attached?.pid, pid)
  })
})

test('detach leaves the instance running; a second gateway attaches and ends it', async () => {
  const dir = newDir()
  await withHost({ instancesDir: dir }, async (first) => {
    await withHost({ instancesDir: dir }, async (second) => {
      const { pid } = await first.launch()
      assert.equal((await second.list())[0]?.attached, true)
      const before = await first.run<number>(task('count'))
      const running = rejection(first.run(task('endlessLoop')))
      await first.detach()
      assert.equal((await running).kind, 'cancelled')
      assert.match((await rejection(first.run(task('echo')))).message, /it was detached/)
      const [found] = await second.list()
      assert.deepEqual([found?.pid, found?.attached], [pid, false])
      assert.match((await rejection(second.attach(process.ppid))).message, new RegExp(`running instances: ${pid}`))
      assert.equal((await second.attach(pid)).pid, pid)
      assert.ok(before > 0)
      assert.equal(await second.run<number>(task('doubled', 3)), 6)
      await second.shutdown()
      assert.equal(isProcessAlive(pid), false)
      assert.deepEqual(await readdir(dir), [])
    })
  })
})

test('close with keepRunning detaches', async () => {
  const dir = newDir()
  const first = new EngineHost({ instancesDir: dir })
  const { pid } = await first.launch()
  await first.close({ keepRunning: true })
  await first.close()
  assert.match((await rejection(first.launch())).message, /the gateway is stopping/)
  await withHost({ instancesDir: dir }, async (second) => {
    assert.equal((await second.attach(pid)).pid, pid)
  })
  assert.equal(isProcessAlive(pid), false)
})

test('the instance ends with a gateway that is killed, whatever it computes', async () => {
  const dir = newDir()
  const gateway = spawn(
    process.execPath,
    [...processArguments(new URL('../../test/engine/gateway.ts', import.meta.url)), dir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const pid = await new Promise<number>((resolve) =>
    createInterface(gateway.stdout).once('line', (line) => resolve(Number(line))),
  )
  const gone = new Promise((resolve) => gateway.once('exit', resolve))
  gateway.kill('SIGKILL')
  await gone
  await until(() => !isProcessAlive(pid), 'its process ends')
  assert.deepEqual(await readdir(dir), [])
})

test('the instance ends with a gateway that is killed before it has attached', async () => {
  const dir = newDir()
  const script = `
    import { launchInstance } from ${JSON.stringify(runningModule(new URL('./launch.ts', import.meta.url).href))}
    const settings = { idleExitMs: 60000, detachedExitMs: 60000, cancelGraceMs: 100, maxMessageBytes: 1000, memoryLimitBytes: 1e12 }
    const { pid } = await launchInstance({ ...settings, instancesDir: ${JSON.stringify(dir)} }, { timeoutMs: 60000, execArgv: [] })
    console.log(pid)
    setInterval(() => {}, 60000)`
  const gateway = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((resolve) =>
    createInterface(gateway.stdout).once('line', (line) => resolve(Number(line))),
  )
  assert.ok(isProcessAlive(pid))
  gateway.kill('SIGKILL')
  await until(() => !isProcessAlive(pid), 'its process ends')
})

test('an instance has no file of its gateway open', { skip: process.platform !== 'linux' }, async (t) => {
  const data = join(root, 'store')
  const { openStore } = await import('../../store/index.ts')
  const store = await openStore({ dir: data })
  t.after(() => store.close())
  await withHost({}, async (host) => {
    const { pid } = await host.launch()
    const files = async (process: string) =>
      (
        await Promise.all(
          (await readdir(`/proc/${process}/fd`)).map((fd) => readlink(`/proc/${process}/fd/${fd}`).catch(() => '')),
        )
      ).filter((file) => file.startsWith(data))
    assert.ok((await files('self')).length > 2, 'the store has files open')
    assert.deepEqual(await files(String(pid)), [])
    assert.equal(await host.run<number>(task('doubled', 4)), 8)
  })
})

test('a task that needs more memory than the limit is ended, and what tasks leave behind is freed', async () => {
  const logged: string[] = []
  const limit = 500 * 1024 * 1024
  const log: EngineHostOptions['log'] = (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`)
  await withHost({ memoryLimitBytes: () => limit, log }, async (host) => {
    const { pid } = await host.launch()
    const error = await rejection(host.run(task('fillBuffers', { bytes: 16 * limit })))
    assert.equal(error.kind, 'engine_crashed')
    assert.match(
      error.message,
      /fillBuffers was ended: .* its limit is 524288000 \(setting engineering\.memoryLimitBytes\)/,
    )
    assert.equal(await host.run<number>(task('keepBuffers', { bytes: 0.6 * limit })), 1)
    assert.equal(await host.run<number>(task('keepBuffers', { bytes: 0.6 * limit })), 1, 'a new thread has begun')
    assert.equal(host.attached?.pid, pid)
    assert.ok(logged.some((line) => /has replaced its task thread to free memory .*"limitBytes":524288000/.test(line)))
    await until(async () => (await host.diagnostics()).memory.rss < limit, 'the memory is freed')
  })
})

test('an instance that ignores the request is ended by force', { skip: !posix }, async () => {
  await withHost({ shutdownGraceMs: 100 }, async (host, dir) => {
    const { pid } = await host.launch()
    process.kill(pid, 'SIGSTOP')
    await host.shutdown()
    assert.equal(isProcessAlive(pid), false)
    assert.deepEqual(await readdir(dir), [])
  })
})

test('an instance ends with its last gateway; after a deliberate detach it stays, and ends by itself later', async () => {
  const dir = newDir()
  await withHost({ instancesDir: dir, detachedExitMs: 600_000 }, async (host) => {
    const { pid } = await host.launch()
    const file = (await readInstanceFile(dir, pid))!
    await host.detach()
    const other = await openConnection(file, 'client', { maxMessageBytes: 1000, cancelGraceMs: 100, log: () => {} })
    other.destroy()
    await until(() => !existsSync(join(dir, `${pid}.json`)), 'it ends')
    await until(() => !isProcessAlive(pid), 'its process ends')
  })
  await withHost({ detachedExitMs: 50 }, async (host) => {
    const { pid } = await host.launch()
    await host.detach()
    await until(() => !isProcessAlive(pid), 'its process ends')
  })
})

describe('stale files', () => {
  const stale = (pid: number, address: string) =>
    JSON.stringify({
      id: 'ab'.repeat(12),
      pid,
      startedAt: new Date(0).toISOString(),
      address,
      token: 'none',
      protocol: protocolVersion,
    })

  test('of a dead process are removed', async () => {
    await withHost({}, async (host, dir) => {
      const child = spawn(process.execPath, ['-e', ''])
      await new Promise((resolve) => child.once('exit', resolve))
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, `${child.pid}.json`), stale(child.pid!, join(dir, 'gone.sock')))
      await writeFile(join(dir, `${'ab'.repeat(12)}.log`), 'what it said')
      await writeFile(join(dir, 'readme.txt'), 'not ours')
      const orphan = join(dir, `${'cd'.repeat(12)}.log`)
      await writeFile(orphan, '')
      await utimes(orphan, new Date(0), new Date(0))
      assert.deepEqual(await host.list(), [])
      assert.deepEqual(await readdir(dir), ['readme.txt'])
    })
  })

  test('whose process id belongs to another program are removed', async () => {
    await withHost({}, async (host, dir) => {
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, `${process.pid}.json`), stale(process.pid, join(dir, 'gone.sock')))
      await writeFile(join(dir, `${'ab'.repeat(12)}.log`), 'what it said')
      assert.equal((await rejection(host.attach(process.pid))).kind, 'engine_not_found')
      assert.deepEqual(await readdir(dir), [])
      assert.ok(isProcessAlive(process.pid))
    })
  })

  test('whose socket belongs to another instance are removed', async () => {
    await withHost({}, async (host, dir) => {
      const { pid } = await host.launch()
      const real = JSON.parse(await readFile(join(dir, `${pid}.json`), 'utf8')) as Record<string, unknown>
      await writeFile(
        join(dir, `${process.pid}.json`),
        JSON.stringify({ ...real, id: 'ab'.repeat(12), pid: process.pid }),
      )
      assert.deepEqual(
        (await host.list()).map((i) => i.pid),
        [pid],
      )
      assert.equal(existsSync(join(dir, `${process.pid}.json`)), false)
      await host.detach()
      assert.equal((await host.attach(pid)).pid, pid, "the real one's socket is still there")
    })
  })

  test('a damaged file of a live process is left alone and not listed', async () => {
    await withHost({}, async (host, dir) => {
      await mkdir(dir, { recursive: true })
      for (const content of ['{"id":', 'null', '[]', stale(1, '/x'), stale(process.pid, ''), '{"id":"ab"}']) {
        await writeFile(join(dir, `${process.pid}.json`), content)
        assert.deepEqual(await host.list(), [], content)
        assert.deepEqual(await readdir(dir), [`${process.pid}.json`])
      }
      // That of a process that is gone is removed, with the log that has its name.
      const child = spawn(process.execPath, ['-e', ''])
      await new Promise((resolve) => child.once('exit', resolve))
      await writeFile(join(dir, `${child.pid}.json`), '{')
      await writeFile(join(dir, `${child.pid}.log`), '')
      assert.deepEqual(await host.list(), [])
      assert.deepEqual(await readdir(dir), [`${process.pid}.json`])
    })
  })
})

test('a directory with a long path works', async () => {
  const dir = join(newDir(), 'x'.repeat(120))
  await mkdir(join(dir, '..'), { recursive: true })
  await withHost({ instancesDir: dir }, async (host) => {
    const { pid } = await host.launch()
    const file = await readInstanceFile(dir, pid)
    assert.equal(await host.run<number>(task('doubled', 1)), 2)
    await host.shutdown()
    if (posix) assert.equal(existsSync(join(file!.address, '..')), false)
  })
})

test('the listen address is usable as it is', async () => {
  const address = listenAddress(await mkdtemp(join(root, 'a-')), 'ab'.repeat(12))
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(address, resolve))
  await new Promise((resolve) => server.close(resolve))
})
