/** A folder that an editor has open: its files, the texts that are not saved yet, and checks of both. */
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { defined, startThread } from '../../core/index.ts'
import { pathBelow } from '../../lib/path-below.ts'
import { LanguageService } from '../../plc/language-service/service.ts'
import type { FormatOptions } from '../../plc/languages/scl/format.ts'
import { decodeText } from '../../plc/model/decode.ts'
import { FormatError } from '../../plc/model/fault.ts'
import type { FolderFile } from '../../plc/review/read-folder.ts'
import {
  type AddedByPlugins,
  type FolderContent,
  folderContent,
  folderPlugins,
  folderReview,
  translatedFile,
} from '../review/index.ts'
import type { CheckAnswer, CheckOrder } from './check-thread.ts'

const programFile = /\.(xml|scl|db|udt|awl|stl|s7dcl)$/i
const textFile = /\.(scl|db|udt|awl|stl|s7dcl)$/i
/** Files whose change makes the whole folder be read again. */
const otherFile = /(\.(xlsx|sdf|asc|csv|aml|s7res)|(^|\/)gantry\.ya?ml)$/i
/** Milliseconds without typing until a check begins. */
const pause = 250

export interface FolderEvents {
  checked(folder: EditedFolder, answer: CheckAnswer): void
  failed(message: string): void
}

export class EditedFolder {
  readonly service = new LanguageService()
  /** Absent: files that are in no folder. They are checked together. */
  readonly root: string | undefined
  readonly #events: FolderEvents
  readonly #open = new Map<string, { readonly uri: string; readonly text: string }>()
  readonly #changed = new Map<string, FolderFile | undefined>()
  /** Paths of the files that were read. */
  readonly #read = new Set<string>()
  #rest: CheckOrder['rest']
  #format: FormatOptions = {}
  /** Of the plugins that the settings name. */
  #formats: AddedByPlugins['formats'] = []
  /** Reading is done one after the other: what was read earlier must not replace what was read later. */
  #lastRead: Promise<void> = Promise.resolve()
  #thread: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #id = 0
  #isEnded = false

  constructor(root: string | undefined, events: FolderEvents) {
    this.root = root
    this.#events = events
  }

  /** The path of a file in this folder, `/` between segments; `undefined` when it is elsewhere. */
  pathOf(uri: string): string | undefined {
    if (this.root === undefined) return uri
    if (!uri.startsWith('file:')) return undefined
    try {
      return pathBelow(this.root, fileURLToPath(uri))?.split(sep).join('/') || undefined
    } catch {
      // An address that is no path of this system.
      return undefined
    }
  }

  uriOf(path: string): string {
    const open = this.#open.get(path)?.uri
    return open ?? (this.root === undefined ? path : pathToFileURL(join(this.root, path)).href)
  }

  /** How `gantry.yml` wants sources to be written. */
  get format(): FormatOptions {
    return this.#format
  }

  /** Reads the whole folder, and checks it. */
  load(): Promise<void> {
    return this.#inTurn(() => this.#load())
  }

  async #load(): Promise<void> {
    if (this.root === undefined) return
    let content: FolderContent
    try {
      // A fault of a plugin is a finding of the check.
      this.#formats = (await (await folderPlugins()).pluginsOfFolder(this.root)).formats
      content = await folderContent(this.root, { formats: this.#formats })
    } catch (error) {
      this.#events.failed(`${this.root}: ${(error as Error).message}`)
      return
    }
    const { sheets, hardware, config, configFile, program } = content
    // Faults of the settings are findings of the check.
    this.#format = (await folderReview()).formatOf(config)
    this.#rest = { sheets, hardware, ...defined({ config, configFile }) }
    const paths = new Set(program.map(({ path }) => path))
    for (const path of [...this.#read]) if (!paths.has(path)) await this.#onDisk(path, undefined)
    for (const file of program) await this.#onDisk(file.path, file)
    this.#checkSoon()
  }

  /** The editor has a text: it counts, whatever the file has. */
  edit(path: string, uri: string, text: string): void {
    this.#open.set(path, { uri, text })
    if (!textFile.test(path)) return
    this.service.files.setText(path, text)
    this.#changed.set(path, { path, bytes: new TextEncoder().encode(text) })
    this.#checkSoon()
  }

  /** The editor has no text any more: the file counts. */
  async close(path: string): Promise<void> {
    this.#open.delete(path)
    await this.reread(path)
  }

  /** A file was written, made or deleted. */
  reread(path: string): Promise<void> {
    return otherFile.test(path) ? this.load() : this.#inTurn(() => this.#reread(path))
  }

  async #reread(path: string): Promise<void> {
    const isOther = this.#formats.some(({ extensions }) => extensions.some((one) => path.toLowerCase().endsWith(one)))
    if (this.#open.has(path) || !(programFile.test(path) || isOther)) return
    const bytes = this.root === undefined ? undefined : await bytesOf(join(this.root, path))
    if (this.#open.has(path)) return
    const translated = bytes && isOther ? await translatedFile(this.#formats, path, bytes) : undefined
    if (isOther && !programFile.test(path) && bytes && !translated) return
    await this.#onDisk(path, translated ?? (bytes && { path, bytes }))
    this.#checkSoon()
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    void this.#thread?.terminate()
  }

  #inTurn(read: () => Promise<void>): Promise<void> {
    this.#lastRead = this.#lastRead.then(read)
    return this.#lastRead
  }

  async #onDisk(path: string, file: FolderFile | undefined): Promise<void> {
    if (file === undefined) this.#read.delete(path)
    else this.#read.add(path)
    if (this.#open.has(path) && textFile.test(path)) {
      // Texts beside it may have changed.
      const texts = file?.texts
      const bytes = new TextEncoder().encode(this.#open.get(path)?.text)
      this.#changed.set(path, { path, bytes, ...(texts === undefined ? {} : { texts }) })
      return
    }
    this.#changed.set(path, file)
    if (file === undefined) this.service.files.remove(path)
    else if (!textFile.test(path)) await this.service.files.readOther(path, file.bytes)
    else {
      const text = textOf(file.bytes)
      if (text === undefined) this.service.files.remove(path)
      else this.service.files.setText(path, text)
    }
  }

  #checkSoon(): void {
    clearTimeout(this.#timer)
    if (!this.#isEnded) this.#timer = setTimeout(() => this.#check(), pause)
  }

  #check(): void {
    const changes = [...this.#changed]
    this.#changed.clear()
    const order: CheckOrder = {
      id: ++this.#id,
      set: changes.flatMap(([, file]) => (file ? [file] : [])),
      removed: changes.flatMap(([path, file]) => (file ? [] : [path])),
      ...(this.#rest ? { rest: this.#rest } : {}),
      ...defined({ root: this.root }),
    }
    this.#rest = undefined
    this.#thread ??= this.#start()
    this.#thread.postMessage(order)
  }

  #start(): Worker {
    const thread = startThread(new URL('./check-thread.ts', import.meta.url), {})
    thread.on('message', (answer: CheckAnswer) => {
      // A later check is on its way: places of this one are those of older texts.
      if (answer.id === this.#id) this.#events.checked(this, answer)
    })
    thread.on('error', (error: Error) => {
      this.#events.failed(`The check ended: ${error.message}`)
      this.#thread = undefined
      // A new thread knows nothing: it gets everything.
      if (this.root !== undefined) void this.load()
    })
    return thread
  }
}

async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  // A file that is gone, or that is no file, is not part of the program.
  return readFile(path).catch(() => undefined)
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decodeText(bytes).text
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return undefined
  }
}
