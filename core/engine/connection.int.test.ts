/** The gateway's side of the wire, against instances that behave as a real one never does when all is well. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { deserialize, serialize } from 'node:v8'
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { until } from '../../test/until.ts'
import { ConnectError, type ConnectionOptions, openConnection } from './connection.ts'
import { EngineError, NotStartedError, packError } from './errors.ts'
import { EngineHost } from './index.ts'
import { type InstanceFile, listenAddress } from './instance-files.ts'
import { type ClientMessage, encodeFrame, type Frame, FrameReader, type HostInfo, type HostMessage } from './wire.ts'

const id = 'ab'.repeat(12)
const posix = process.platform !== 'win32'
const task = (fn: string, input?: unknown) => ({ module: 'file:///task.js', fn, input })

interface Fake {
  readonly dir: string
  readonly file: InstanceFile
  /** What the gateway has sent, without the greeting. */
  readonly heard: Frame<ClientMessage>[]
  readonly logged: [string, string, Record<string, unknown>][]
  readonly options: ConnectionOptions
  say(head: HostMessage, body?: Uint8Array): void
  hangUp(): void
  isLeft(): boolean
}

/** A process that does nothing, for an instance's process id. */
async function idleProcess(t: TestContext, script = 'setInterval(() => {}, 1e6)'): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('ready')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

/** An instance that answers the greeting with `welcome`, and whatever else with what the test says. */
async function fakeInstance(
  t: TestContext,
  pid: number,
  welcome: (socket: Socket, info: HostInfo) => void = (socket, info) => send(socket, { kind: 'welcome', info }),
): Promise<Fake> {
  const dir = await temporaryFolder(t, 'engine-fake-')
  const address = listenAddress(dir, id)
  const file = { id, pid, startedAt: new Date(0).toISOString(), address, token: 'secret', protocol: 1 }
  const info: HostInfo = {
    id,
    pid,
    protocol: 1,
    version: '1.2.3',
    code: 'c',
    startedAt: file.startedAt,
    mode: 'WithoutUserInterface',
    attached: true,
    busy: false,
    dataDir: dir,
  }
  const heard: Frame<ClientMessage>[] = []
  const logged: Fake['logged'] = []
  let latest: Socket | undefined
  const server = createServer((socket) => {
    latest = socket
    socket.on('error', () => {})
    const reader = new FrameReader<ClientMessage>(1e6, 1e6)
    socket.on('data', (chunk: Buffer) =>
      reader.push(chunk, (frame) => {
        if (frame.head.kind !== 'hello') return void heard.push(frame)
        assert.deepEqual({ ...frame.head, role: '' }, { kind: 'hello', protocol: 1, token: 'secret', role: '' })
        welcome(socket, info)
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(address, resolve))
  t.after(() => {
    latest?.destroy()
    server.close()
  })
  await writeFile(join(dir, `${pid}.json`), JSON.stringify(file))
  const log: ConnectionOptions['log'] = (level, message, fields) => logged.push([level, message, fields])
  return {
    dir,
    file,
    heard,
    logged,
    options: { maxMessageBytes: 1000, cancelGraceMs: 60_000, log },
    say: (head, body) => send(latest!, head, body),
    hangUp: () => latest!.destroy(),
    isLeft: () => latest!.closed,
  }
}

function send(socket: Socket, head: HostMessage, body?: Uint8Array): void {
  for (const chunk of encodeFrame(head, body)) socket.write(chunk)
}

const refusal = async (promise: Promise<unknown>): Promise<ConnectError> => {
  const error = await promise.then(
    () => assert.fail('it did not reject'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ConnectError, String(error))
  return error
}

const rejection = (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(
    () => assert.fail('it did not reject'),
    (thrown) => thrown as EngineError,
  )

test('what does not welcome the gateway as the instance of the file is refused', { skip: !posix }, async (t) => {
  const answers: [(socket: Socket, info: HostInfo) => void, string, boolean][] = [
    [(socket) => send(socket, { kind: 'refused', reason: 'No.' }), 'The engine instance 7 refused: No.', false],
    [
      (socket) => send(socket, { kind: 'started', id: 1 }),
      'The engine instance 7 sent "started" instead of a welcome.',
      false,
    ],
    [
      (socket, info) => send(socket, { kind: 'welcome', info: { ...info, pid: 8 } }),
      'The socket of instance 7 belongs to instance 8.',
      true,
    ],
    [
      (socket, info) => send(socket, { kind: 'welcome', info: { ...info, id: 'other' } }),
      'The socket of instance 7 belongs to instance 7.',
      true,
    ],
    [(socket) => socket.destroy(), 'The engine instance 7 closed the connection.', false],
    [
      (socket) => socket.write(Buffer.alloc(8)),
      'A message head of 0 bytes was announced; 1 to 1048576 are allowed.',
      false,
    ],
  ]
  for (const [welcome, message, absent] of answers) {
    const { file, options, logged } = await fakeInstance(t, 7, welcome)
    const error = await refusal(openConnection(file, 'client', options))
    assert.deepEqual([error.message, error.absent], [message, absent])
    assert.deepEqual(
      logged,
      message.startsWith('A message head')
        ? [['error', 'unreadable message from the engine instance', { pid: 7, error: message }]]
        : [],
    )
  }
  const { dir, file, options } = await fakeInstance(t, 7)
  const plain = join(dir, 'plain')
  await writeFile(plain, '')
  for (const [address, code] of [
    [join(dir, 'nothing'), 'ENOENT'],
    [plain, 'ECONNREFUSED'],
  ] as const) {
    const error = await refusal(openConnection({ ...file, address }, 'probe', options))
    assert.deepEqual(
      [error.message, error.absent],
      [`The engine instance 7 cannot be reached: connect ${code} ${address}`, true],
    )
  }
  // Not a way to say that there is no instance: the address itself is wrong.
  const error = await refusal(openConnection({ ...file, address: join(plain, 'x') }, 'probe', options))
  assert.deepEqual([/ENOTDIR/.test(error.message), error.absent], [true, false])
})

test('a run is started, reports, and ends with its result or its error; other messages are logged', async (t) => {
  const { file, options, heard, logged, say, hangUp } = await fakeInstance(t, 7)
  const connection = await openConnection(file, 'client', options)
  assert.deepEqual([connection.open, connection.busy, connection.info.version], [true, false, '1.2.3'])
  const seen: unknown[] = []
  const onProgress = (percent: number, message?: string) => {
    seen.push([percent, message])
    if (percent === 50) throw new Error('the listener')
  }
  const first = connection.run(task('first', { a: 1 }), { onProgress })
  const second = connection.run(task('second'), {})
  const third = connection.run(task('third'), {})
  assert.equal(connection.busy, true)
  await until(() => heard.length === 3, 'the runs have arrived')
  assert.deepEqual(
    heard.map(({ head, body }) => [head, deserialize(body!)]),
    [
      [{ kind: 'run', id: 1, module: 'file:///task.js', fn: 'first' }, { a: 1 }],
      [{ kind: 'run', id: 2, module: 'file:///task.js', fn: 'second' }, undefined],
      [{ kind: 'run', id: 3, module: 'file:///task.js', fn: 'third' }, undefined],
    ],
  )
  // What belongs to no run of this gateway (any more) is passed over.
  for (const kind of ['started', 'done'] as const) say({ kind, id: 99 })
  say({ kind: 'failed', id: 99, error: 'engine_crashed' })
  say({ kind: 'progress', id: 99, percent: 1 })
  say({ kind: 'reply', id: 99, value: 1 })
  say({ kind: 'welcome', info: connection.info })
  say({ kind: 'started', id: 1 })
  say({ kind: 'progress', id: 1, percent: 50, message: 'half' })
  say({ kind: 'progress', id: 1, percent: 60 })
  say({ kind: 'progress', id: 2, percent: 60 })
  say({ kind: 'output', stream: 'stdout', text: 'told\n' })
  say({ kind: 'output', stream: 'stderr', text: 'complained\n\n' })
  say({ kind: 'recycled', residentBytes: 2, limitBytes: 1 })
  say({ kind: 'refused', reason: 'enough' })
  say({ kind: 'done', id: 1 }, serialize('result'))
  assert.equal(await first, 'result')
  say({ kind: 'done', id: 2 })
  assert.equal(await second, undefined)
  const packed = packError(Object.assign(new TypeError('too much'), { code: 'mine', exitCode: 3 }))
  say({ kind: 'failed', id: 3, error: 'engine_crashed' }, serialize(packed))
  const crashed = await rejection(third)
  assert.deepEqual(
    [crashed.name, crashed.kind, crashed.code, crashed.message, crashed.exitCode],
    ['EngineError', 'engine_crashed', 'engine_crashed', 'too much', 3],
  )
  const own = connection.run(task('own'), {})
  say({ kind: 'failed', id: 4, error: 'engine_task_failed' }, serialize(packed))
  const thrown = await rejection(own)
  assert.deepEqual(
    [thrown.name, thrown.kind, thrown.code, thrown.message],
    ['TypeError', 'engine_task_failed', 'mine', 'too much'],
  )
  const silent = connection.run(task('silent'), {})
  say({ kind: 'failed', id: 5, error: 'engine_task_failed' })
  assert.deepEqual((await rejection(silent)).message, 'unknown')
  assert.equal(connection.busy, false)
  assert.deepEqual(seen, [
    [50, 'half'],
    [60, undefined],
  ])
  assert.deepEqual(logged, [
    ['warn', 'a progress listener threw', { error: 'the listener' }],
    ['debug', 'engine output', { stream: 'stdout', text: 'told' }],
    ['warn', 'engine output', { stream: 'stderr', text: 'complained' }],
    [
      'warn',
      'the engine instance has replaced its task thread to free memory',
      { pid: 7, residentBytes: 2, limitBytes: 1 },
    ],
    ['error', 'the engine instance ended the connection', { reason: 'enough' }],
  ])
  // Answers that are due stay so until somebody says why there are none.
  let hasBegun = false
  const begun = connection.run(task('begun'), {
    onProgress: () => {
      hasBegun = true
    },
  })
  const waiting = connection.run(task('waiting'), {})
  const question = connection.request('diagnostics')
  await until(() => heard.length === 8, 'they have arrived')
  assert.deepEqual(heard.at(-1)!.head, { kind: 'diagnostics', id: 8 })
  say({ kind: 'started', id: 6 })
  say({ kind: 'progress', id: 6, percent: 1 })
  await until(() => hasBegun, 'it has begun')
  hangUp()
  await connection.closed
  assert.deepEqual([connection.open, connection.busy], [false, true])
  const reason = new EngineError('engine_crashed', 'It is gone.')
  connection.abandon(reason)
  assert.equal(await rejection(begun), reason)
  assert.equal(await rejection(question), reason)
  const never = await rejection(waiting)
  assert.ok(never instanceof NotStartedError)
  assert.deepEqual([never.message, never.cause, connection.busy], ['It is gone.', reason, false])
})

test('what cannot be sent is refused before it is sent', async (t) => {
  const { file, options, heard } = await fakeInstance(t, 7)
  const connection = await openConnection(file, 'client', options)
  t.after(() => connection.destroy())
  const overhead = serialize('').length
  for (const [sent, message] of [
    [{ ...task('f'), module: 'node:fs' }, `A task's module must be a file: URL, not "node:fs".`],
    [{ ...task('f'), module: './f.js' }, `A task's module must be a file: URL, not "./f.js".`],
    [task('f', Symbol('s')), 'The input of f cannot be sent to the engine: Symbol(s) could not be cloned.'],
    [task('f', 'x'.repeat(1001)), `The input of f is ${1001 + overhead + 1} bytes; up to 1000 are allowed.`],
  ] as const) {
    const error = await rejection(connection.run(sent, {}))
    assert.deepEqual([error.kind, error.message], ['engine_task_failed', message])
  }
  assert.equal(connection.busy, false)
  const most = 'x'.repeat(1000 - overhead - 1)
  void connection.run(task('f', most), {}).catch(() => {})
  await until(() => heard.length === 1, 'what is just as large as allowed arrives')
  assert.equal(deserialize(heard[0]!.body!), most)
  connection.abandon(new EngineError('cancelled', 'The end.'))
})

test('a cancelled run is cancelled whatever the instance answers then', async (t) => {
  const { file, options, heard, say } = await fakeInstance(t, 7)
  const connection = await openConnection(file, 'client', options)
  t.after(() => connection.destroy())
  for (const [index, answer] of (['done', 'failed'] as const).entries()) {
    const abort = new AbortController()
    const running = connection.run(task('f'), { signal: abort.signal })
    abort.abort('enough')
    const n = 1 + index
    await until(() => heard.length === 2 * n, 'the wish has arrived')
    assert.deepEqual(heard.at(-1)!.head, { kind: 'cancel', id: n })
    if (answer === 'done') say({ kind: 'done', id: n }, serialize(1))
    else say({ kind: 'failed', id: n, error: 'engine_task_failed' }, serialize(packError(new Error('other'))))
    const error = await rejection(running)
    assert.deepEqual(
      [error.kind, error.message, error.cause],
      ['cancelled', 'The task was cancelled.', 'enough'],
      answer,
    )
  }
  // Too early: it is sent all the same, since the instance has to confirm.
  const early = connection.run(task('f'), { signal: AbortSignal.abort('early') })
  await until(() => heard.length === 6, 'both have arrived')
  assert.deepEqual(
    heard.slice(4).map(({ head }) => head.kind),
    ['run', 'cancel'],
  )
  say({ kind: 'failed', id: 3, error: 'cancelled' }, serialize(packError(new Error('as asked'))))
  assert.equal((await rejection(early)).cause, 'early')
  assert.equal(connection.busy, false)
})

const hostOf = (t: TestContext, { dir, options: { log } }: Fake, shutdownGraceMs = 200) => {
  const host = new EngineHost({ instancesDir: dir, shutdownGraceMs, restartDelaysMs: [], log })
  t.after(() => host.close({ keepRunning: true }))
  return host
}

test('an instance that does not answer as one is left out of the list, and its file is kept', async (t) => {
  const child = await idleProcess(t)
  const fake = await fakeInstance(t, child.pid!, (socket) => socket.destroy())
  const host = hostOf(t, fake)
  assert.deepEqual(await host.list(), [])
  assert.ok(existsSync(join(fake.dir, `${child.pid}.json`)))
  assert.ok(existsSync(fake.file.address))
  const why = `The engine instance ${child.pid} closed the connection.`
  assert.deepEqual(fake.logged, [['warn', 'an engine instance does not answer', { pid: child.pid, error: why }]])
  const error = await rejection(host.attach(child.pid!))
  assert.deepEqual([error.kind, error.message], ['engine_unavailable', why])
  assert.equal(
    (await rejection(host.run(task('f')))).message,
    `Portal instance is not available: the last attempt failed: ${why}`,
  )
})

test('an instance of another gateway that is lost counts as crashed, without an exit status', async (t) => {
  const child = await idleProcess(t)
  const fake = await fakeInstance(t, child.pid!)
  await writeFile(join(fake.dir, `${id}.log`), 'first line\n\nlast line\n')
  const host = hostOf(t, fake)
  const { pid, attached, busy } = await host.attach(child.pid!)
  assert.deepEqual([pid, attached, busy], [child.pid, true, false])
  let hasBegun = false
  const onProgress = () => {
    hasBegun = true
  }
  const running = host.run(task('f'), { onProgress })
  await until(() => fake.heard.length === 1, 'the task has arrived')
  assert.equal(host.attached?.busy, true)
  fake.say({ kind: 'started', id: 1 })
  fake.say({ kind: 'progress', id: 1, percent: 1 })
  await until(() => hasBegun, 'it has begun')
  fake.hangUp()
  const error = await rejection(running)
  const why =
    `The engine instance ${child.pid} ended unexpectedly ` +
    '(exit status not known, it was started by another gateway).'
  assert.deepEqual(
    [error.kind, error.message, error.stderr, error.exitCode, error.exitSignal],
    ['engine_crashed', why, ['first line', 'last line'], undefined, undefined],
  )
  await until(() => !host.connecting, 'the crash is handled')
  assert.deepEqual(await readdir(fake.dir), [])
  assert.deepEqual(fake.logged.at(-1), ['error', why, { pid: child.pid, stderr: ['first line', 'last line'] }])
  const later = await rejection(host.run(task('f')))
  assert.equal(later.message, `Portal instance is not available: the last attempt failed: ${why}`)
  assert.ok(isProcessAlive(child.pid!), 'a process id may be of another program meanwhile: it is not ended')
})

test('an instance of another gateway that ignores the request to end is ended by its process id', async (t) => {
  for (const script of ['setInterval(() => {}, 1e6)', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)']) {
    const child = await idleProcess(t, script)
    const fake = await fakeInstance(t, child.pid!)
    const ended = new Promise<unknown>((resolve) =>
      child.once('exit', (_code, signal) => {
        fake.hangUp()
        resolve(signal)
      }),
    )
    // Time for its end to be seen, also on a busy machine.
    const host = hostOf(t, fake, 1500)
    await host.attach(child.pid!)
    const running = rejection(host.run(task('f')))
    await host.shutdown()
    const { kind, message } = await running
    // The task had never begun.
    assert.deepEqual([kind, message], ['cancelled', 'The engine instance was shut down while the task ran.'])
    const needed = script.includes('SIGTERM') ? ['SIGTERM', 'SIGKILL'] : ['SIGTERM']
    assert.equal(await ended, needed.at(-1))
    assert.deepEqual(
      fake.logged.filter(([level]) => level === 'warn').map(([, text]) => text),
      needed.map((signal) => `the engine instance does not stop; sending ${signal}`),
    )
    assert.deepEqual(fake.logged.at(-1), ['info', 'engine instance ended', { pid: child.pid }])
    assert.deepEqual(await readdir(fake.dir), [])
    assert.equal((await rejection(host.diagnostics())).message, 'Portal instance is not available: it was shut down.')
  }
})

test('an instance whose connection never ends cannot be ended', async (t) => {
  const child = await idleProcess(t)
  const fake = await fakeInstance(t, child.pid!)
  const host = hostOf(t, fake)
  await host.attach(child.pid!)
  const error = await rejection(host.shutdown())
  assert.deepEqual(
    [error.kind, error.message],
    ['engine_unavailable', `The engine instance ${child.pid} could not be ended.`],
  )
})

test('a second attach while one is under way is refused, and a wait for it can be cancelled', async (t) => {
  const child = await idleProcess(t)
  let welcome: (() => void) | undefined
  const fake = await fakeInstance(t, child.pid!, (socket, info) => {
    welcome = () => send(socket, { kind: 'welcome', info })
  })
  const host = hostOf(t, fake)
  const attaching = host.attach(child.pid!)
  assert.equal(host.connecting, true)
  const other = await rejection(host.attach(1))
  assert.deepEqual(
    [other.kind, other.message],
    ['engine_already_attached', 'An engine instance is just being launched or attached.'],
  )
  const abort = new AbortController()
  const waiting = rejection(host.run(task('f'), { signal: abort.signal }))
  abort.abort('no longer')
  const { kind, message, cause } = await waiting
  assert.deepEqual([kind, message, cause], ['cancelled', 'The task was cancelled before it started.', 'no longer'])
  await until(() => welcome !== undefined, 'the greeting has arrived')
  welcome!()
  assert.equal((await attaching).pid, child.pid)
  assert.equal(host.connecting, false)
  const { message: second } = await rejection(host.launch())
  assert.equal(second, `The engine instance ${child.pid} is attached; detach from it or shut it down first.`)
  assert.deepEqual(
    fake.logged.map(([level, text]) => [level, text]),
    [['info', 'engine instance attached']],
  )
  const detaching = host.detach()
  await until(() => fake.heard.length === 1, 'the wish has arrived')
  assert.deepEqual(fake.heard[0]!.head, { kind: 'detach', id: 1 })
  fake.say({ kind: 'reply', id: 1, value: undefined })
  await detaching
  await until(() => fake.isLeft(), 'the connection has ended')
  assert.deepEqual(fake.logged.at(-1), ['info', 'engine instance detached', { pid: child.pid }])
})
