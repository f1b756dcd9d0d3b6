import { connect, type Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { EngineError, messageOf, NotStartedError, type PackedError, reviveError } from './errors.ts'
import type { InstanceFile } from './instance-files.ts'
import type { EngineLogLevel, EngineRunOptions, EngineTask } from './types.ts'
import {
  type ClientMessage,
  encodeFrame,
  type Frame,
  FrameReader,
  type HelloRole,
  type HostInfo,
  type HostMessage,
  maxHeadBytes,
  protocolVersion,
} from './wire.ts'

/** How long an instance may take to answer the greeting. Its main thread only moves messages, so this is generous. */
const welcomeTimeoutMs = 5000

/** How long after the cancel grace the instance may take to confirm before the caller gets the error anyway. */
const cancelMarginMs = 5000

/** Why no instance answered at an address. `absent`: nothing listens there. */
export class ConnectError extends Error {
  readonly absent: boolean
  constructor(message: string, absent: boolean) {
    super(message)
    this.absent = absent
  }
}

export interface ConnectionOptions {
  readonly maxMessageBytes: number
  readonly cancelGraceMs: number
  readonly log: (level: EngineLogLevel, msg: string, fields: Record<string, unknown>) => void
}

interface PendingRun {
  started: boolean
  resolve(value: unknown): void
  reject(error: Error): void
  readonly onProgress: EngineRunOptions['onProgress']
}

/**
 * One connection of the gateway to an instance. Keeps the gateway's event loop alive only while an answer is due.
 * When the connection ends with answers due, they stay pending until `abandon` says why.
 */
export class EngineConnection {
  readonly info: HostInfo
  /** Resolves when the socket is closed, for any reason. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #runs = new Map<number, PendingRun>()
  readonly #replies = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #nextId = 1
  #open = true

  constructor(socket: Socket, info: HostInfo, options: ConnectionOptions) {
    this.#socket = socket
    this.info = info
    this.#options = options
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#open = false
        resolve()
      })
    })
    this.#hold()
  }

  get busy(): boolean {
    return this.#runs.size > 0
  }

  get open(): boolean {
    return this.#open
  }

  /**
   * Sends a task. Rejects with `EngineError`, or `NotStartedError` (cause: the reason) when the instance was lost
   * before it began.
   */
  run(task: EngineTask, options: EngineRunOptions): Promise<unknown> {
    const { signal } = options
    const id = this.#nextId++
    return new Promise<unknown>((resolve, reject) => {
      const body = packInput(task, this.#options.maxMessageBytes)
      let deadline: NodeJS.Timeout | undefined
      const settle = () => {
        clearTimeout(deadline)
        signal?.removeEventListener('abort', onAbort)
        this.#runs.delete(id)
        this.#hold()
      }
      const cancelled = () => new EngineError('cancelled', 'The task was cancelled.', { cause: signal?.reason })
      const onAbort = () => {
        this.#send({ kind: 'cancel', id })
        deadline = setTimeout(() => {
          settle()
          reject(cancelled())
        }, this.#options.cancelGraceMs + cancelMarginMs)
      }
      this.#runs.set(id, {
        started: false,
        onProgress: options.onProgress,
        resolve: (value) => {
          settle()
          if (signal?.aborted) reject(cancelled())
          else resolve(value)
        },
        reject: (error) => {
          settle()
          reject(signal?.aborted ? cancelled() : error)
        },
      })
      this.#hold()
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#send({ kind: 'run', id, module: task.module, fn: task.fn }, body)
      if (signal?.aborted) onAbort()
    })
  }

  /** Sends a question that has one answer. */
  request(kind: 'diagnostics' | 'detach' | 'shutdown'): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#replies.delete(id)
        this.#hold()
      }
      this.#replies.set(id, {
        resolve: (value) => {
          settle()
          resolve(value)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
      this.#hold()
      this.#send({ kind, id })
    })
  }

  /** Rejects every pending answer: runs that the instance had begun with `reason`, others with `NotStartedError`. */
  abandon(reason: EngineError): void {
    for (const run of [...this.#runs.values()]) {
      run.reject(run.started ? reason : new NotStartedError(reason.message, { cause: reason }))
    }
    for (const reply of [...this.#replies.values()]) reply.reject(reason)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Handles one message of the instance. */
  receive({ head, body }: Frame<HostMessage>): void {
    switch (head.kind) {
      case 'started': {
        const run = this.#runs.get(head.id)
        if (run) run.started = true
        return
      }
      case 'progress':
        this.#report(this.#runs.get(head.id), head.percent, head.message)
        return
      case 'done':
        this.#runs.get(head.id)?.resolve(body ? deserialize(body) : undefined)
        return
      case 'failed': {
        const packed = body ? (deserialize(body) as PackedError) : { name: 'Error', message: 'unknown', properties: {} }
        const error = reviveError(head.error, packed)
        // The instance's own failures are engine errors, whatever class described them.
        if (head.error !== 'engine_task_failed') Object.assign(error, { name: 'EngineError', code: head.error })
        this.#runs.get(head.id)?.reject(error)
        return
      }
      case 'reply':
        this.#replies.get(head.id)?.resolve(head.value)
        return
      case 'output':
        this.#options.log(head.stream === 'stderr' ? 'warn' : 'debug', 'engine output', {
          stream: head.stream,
          text: head.text.trimEnd(),
        })
        return
      case 'recycled': {
        const { residentBytes, limitBytes } = head
        this.#options.log('warn', 'the engine instance has replaced its task thread to free memory', {
          pid: this.info.pid,
          residentBytes,
          limitBytes,
        })
        return
      }
      case 'refused':
        this.#options.log('error', 'the engine instance ended the connection', { reason: head.reason })
        return
      case 'welcome':
        return
    }
  }

  #report(run: PendingRun | undefined, percent: number, message: string | undefined): void {
    try {
      run?.onProgress?.(percent, message)
    } catch (error) {
      this.#options.log('warn', 'a progress listener threw', { error: messageOf(error) })
    }
  }

  #send(head: ClientMessage, body?: Uint8Array): void {
    if (this.#socket.destroyed) return
    this.#socket.cork()
    for (const chunk of encodeFrame(head, body)) this.#socket.write(chunk)
    this.#socket.uncork()
  }

  #hold(): void {
    if (this.#runs.size + this.#replies.size > 0) this.#socket.ref()
    else this.#socket.unref()
  }
}

/**
 * Connects to the instance of a file and presents its token. Throws `ConnectError` when nothing listens there, when it
 * is not the instance of the file (process ids and sockets are reused), or when it refuses.
 */
export function openConnection(
  file: InstanceFile,
  role: HelloRole,
  options: ConnectionOptions,
): Promise<EngineConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(file.address)
    const reader = new FrameReader<HostMessage>(maxHeadBytes, options.maxMessageBytes)
    let connection: EngineConnection | undefined
    const fail = (message: string, absent: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      if (!connection) reject(new ConnectError(message, absent))
    }
    const timer = setTimeout(
      () => fail(`The engine instance ${file.pid} does not answer (waited ${welcomeTimeoutMs} ms).`, false),
      welcomeTimeoutMs,
    )
    const greet = ({ head }: Frame<HostMessage>) => {
      if (head.kind === 'refused') return fail(`The engine instance ${file.pid} refused: ${head.reason}`, false)
      if (head.kind !== 'welcome')
        return fail(`The engine instance ${file.pid} sent "${head.kind}" instead of a welcome.`, false)
      if (head.info.id !== file.id || head.info.pid !== file.pid) {
        return fail(`The socket of instance ${file.pid} belongs to instance ${head.info.pid}.`, true)
      }
      clearTimeout(timer)
      connection = new EngineConnection(socket, head.info, options)
      resolve(connection)
    }
    socket.once('connect', () => {
      for (const chunk of encodeFrame({ kind: 'hello', protocol: protocolVersion, token: file.token, role }))
        socket.write(chunk)
    })
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk, (frame) => (connection ? connection.receive(frame) : greet(frame)))
      } catch (error) {
        options.log('error', 'unreadable message from the engine instance', { pid: file.pid, error: messageOf(error) })
        fail(messageOf(error), false)
      }
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const absent = error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === 'ENOTSOCK'
      fail(`The engine instance ${file.pid} cannot be reached: ${error.message}`, absent)
    })
    socket.on('close', () => fail(`The engine instance ${file.pid} closed the connection.`, false))
  })
}

/** `v8.serialize` of a task's input, with errors that say what to change. */
function packInput(task: EngineTask, maxMessageBytes: number): Buffer {
  if (!isFileUrl(task.module)) {
    throw new EngineError('engine_task_failed', `A task's module must be a file: URL, not "${task.module}".`)
  }
  let body: Buffer
  try {
    body = serialize(task.input)
  } catch (error) {
    throw new EngineError(
      'engine_task_failed',
      `The input of ${task.fn} cannot be sent to the engine: ${messageOf(error)}`,
    )
  }
  if (body.length > maxMessageBytes) {
    throw new EngineError(
      'engine_task_failed',
      `The input of ${task.fn} is ${body.length} bytes; up to ${maxMessageBytes} are allowed.`,
    )
  }
  return body
}

function isFileUrl(text: string): boolean {
  try {
    return new URL(text).protocol === 'file:'
  } catch {
    return false
  }
}
