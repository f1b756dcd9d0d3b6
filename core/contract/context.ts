/** What an operation can use while it runs. */

import type { EngineTask } from '../engine/index.ts'
import type { Actor } from './access.ts'
import type { SliceReader } from './collection.ts'
import type { DomainEvent } from './event.ts'
import type { ExtensionPoint } from './extension-point.ts'
import type { Answer, Lazy, Static, TObject, TSchema } from './schema.ts'
import type { StreamEvent } from './stream-event.ts'

/** What is directly in a folder. */
export interface FolderEntry {
  readonly name: string
  /** Absolute. */
  readonly path: string
  readonly isDirectory: boolean
  /** Of a file, when it is asked for. */
  readonly size?: number
  readonly modifiedAt?: string
}

/** Files inside the workspace roots. Every path is resolved (symlinks too) and refused outside the roots (403). */
export interface FileReader {
  /** The absolute, resolved path. A relative path is taken from the first workspace root. */
  resolve(path: string): Promise<string>
  /** 404 when the file is absent. The bytes are kept as a blob of the job, so that a replay reads the same. */
  read(path: string): Promise<Buffer>
  /** Files and folders directly in a folder, sorted by name; `withStats` also gives size and time of files. */
  list(path: string, options?: { readonly withStats?: boolean }): Promise<FolderEntry[]>
  stat(path: string): Promise<{ isFile: boolean; isDirectory: boolean; size: number; modifiedAt: string } | undefined>
}

/** Times that a written file gets. */
export interface FileTimes {
  /** Milliseconds since the epoch; absent: when it is written. */
  readonly modifiedAt?: number
}

/**
 * A command's files. Writes are staged and put in place together (each by an atomic rename) after `run` has succeeded,
 * right before its events are committed. A failed, cancelled or dry-run command leaves no file behind.
 */
export interface FileWriter extends FileReader {
  /** Creates missing folders. Overwrites. */
  write(path: string, content: string | Uint8Array, times?: FileTimes): Promise<void>
  /** Copies a blob's content to a file. */
  writeBlob(path: string, hash: string, times?: FileTimes): Promise<void>
  makeDirectory(path: string): Promise<void>
  /** Removes a file or a folder with its content. Does nothing when it is absent. */
  remove(path: string): Promise<void>
}

/** Content-addressed content (sha256). */
export interface BlobReader {
  get(hash: string): Promise<Buffer>
  text(hash: string): Promise<string>
  /** Whether all of these are there. */
  has(...hashes: readonly string[]): Promise<boolean>
}

export interface BlobWriter extends BlobReader {
  /** Stores content, which becomes durable with the command's events. Returns `sha256:<hex>`. */
  put(content: string | Uint8Array): Promise<string>
}

/** Runs CPU-heavy work in the engineering instance's process, never on the event loop. */
export interface EngineRunner {
  run<O>(task: EngineTask): Promise<O>
}

/**
 * The gateway, for what is below it: contexts, jobs, plugins. `gateway.ts` declares its members (declaration merging),
 * because the gateway is made of all these files and none of them can import it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: completed in gateway.ts
export interface GatewayHandle {}

/** How an operation is called by another one. */
export interface CallOptions {
  /** What its 0 and its 100 percent are of the caller. Without it only its messages are shown. */
  readonly progress?: readonly [from: number, to: number]
  /** Gets its warnings (`ctx.warn`); without it they are warnings of the caller. */
  readonly onWarnings?: (warnings: readonly string[]) => void
}

/** The part of a declaration that types its call. */
interface Declared<K extends 'command' | 'query', I extends TObject, O extends TSchema> {
  readonly kind: K
  readonly id: string
  readonly input: Lazy<I>
  readonly output: Lazy<O>
}

/** Runs a query as a part of the operation that calls it. */
export interface CallQuery {
  <I extends TObject, O extends TSchema>(
    operation: Declared<'query', I, O>,
    input: Static<I>,
    options?: CallOptions,
  ): Promise<Answer<O>>
  (id: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>
}

/** Runs a command or a query as a part of the command that calls it. */
export interface CallOperation {
  <I extends TObject, O extends TSchema>(
    operation: Declared<'command' | 'query', I, O>,
    input: Static<I>,
    options?: CallOptions,
  ): Promise<Answer<O>>
  (id: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>
}

export interface QueryContext {
  /** Reads a collection, of this plugin or of another one that exports its handle. */
  read: SliceReader
  readonly blobs: BlobReader
  readonly files: FileReader
  readonly engine: EngineRunner
  readonly actor: Actor
  readonly correlationId: string
  /** The group that the call names; see docs/design.md#undo. */
  readonly group?: string | undefined
  /** Milliseconds since the epoch; the same during the whole operation. */
  readonly now: number
  readonly signal: AbortSignal
  /** 0-100. Reported to pollers and event streams of a job; without effect in a query that is answered at once. */
  progress(percent: number, message?: string): void
  /**
   * Adds a warning that an answer with bare content (`produces`) cannot contain: over HTTP in the header
   * Gantry-Warnings, over MCP behind the text. Without effect in a job, whose result has room for warnings of its own.
   */
  warn(warnings: readonly string[]): void
  /**
   * Runs another query on the same state, given by its declaration (typed) or its id. Its input is checked as that of
   * any call, its hooks run, and the key of the actor must have access.
   * @throws GatewayError `conflict` when it cannot be called here (a command, a stream, a live query of one that is
   * not, a recursion of more than 8 levels)
   */
  readonly call: CallQuery
  /** The contributions of plugins to an extension point, in load order. */
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
  /** The gateway itself, for operations about jobs, audit, plugins and settings. */
  readonly gateway: GatewayHandle
}

export interface CommandContext extends QueryContext {
  /**
   * Runs another command or query in this job: on the same changes, kept or taken back with them, as one. When a called
   * command fails after it has changed something, this job fails with its error, also where the caller catches it.
   */
  readonly call: CallOperation
  /** Appends a domain event. `entity` (e.g. `block/PLC_1/Main`) makes it findable in the audit. */
  emit<T>(event: DomainEvent<T>, data: T, entity?: string): void
  /** The events emitted so far, in order: for hooks that react to them. */
  readonly emitted: readonly { readonly type: string; readonly data: unknown; readonly entity?: string | undefined }[]
  readonly blobs: BlobWriter
  readonly files: FileWriter
  readonly jobId: string
  readonly dryRun: boolean
  /** Sends an event to the client that follows the command (`streams`); without effect where nobody does. */
  send(event: StreamEvent): void
  /** An id that is the same when the job is replayed: derived from the job's id and a counter. */
  newId(): string
}
