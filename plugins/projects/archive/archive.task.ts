/**
 * Packs and unpacks archives; runs on the engine. A `.zapNN` is a plain ZIP of the project's folder, as TIA Portal
 * writes it.
 */
import type { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import { type EngineTask, problem } from '../../../core/index.ts'
import { zipEntryFault } from '../../../lib/zip-entries.ts'
import { zipFault } from '../../../lib/zip-faults.ts'
import { tiaStorePath } from '../tia/tia.ts'

/** What a task of the engine can report and heed. */
interface TaskApi {
  progress(percent: number, message?: string): void
  readonly signal: AbortSignal
}

/** A file in an archive. */
export interface ArchivedFile {
  /** Relative, `/` between the segments. */
  readonly path: string
  readonly content: Uint8Array
  /** Milliseconds since the epoch; archives keep whole seconds. */
  readonly modifiedAt: number
}

/** Bounds of what is unpacked. */
export interface UnpackLimits {
  /** Bytes of all files together. */
  readonly totalBytes: number
  readonly files: number
  /**
   * Unpacked bytes per packed byte, once there are more than `ratioFromBytes`. Project text reaches 30, a zip bomb
   * 1000.
   */
  readonly ratio: number
  readonly ratioFromBytes: number
}

/** An unpacked archive: the files of a project, or where the two files of a TIA Portal project are that are read. */
export type Unpacked =
  | { readonly kind: 'files'; readonly files: readonly ArchivedFile[]; readonly ignored: readonly string[] }
  | {
      readonly kind: 'tia'
      /** Path of the header file, or of the project file where there is no header. */
      readonly file: string
      readonly files: number
      /** The header file, if the archive has it. */
      readonly header?: Uint8Array
      /**
       * Path of the project file in the archive, if it has one. It stays there: only what reads it unpacks it
       * (`unpackEntry`), since it is large.
       */
      readonly store?: string
    }

/** A file in an archive that is unpacked where it is read. */
export interface PackedFile {
  readonly archive: Uint8Array
  /** Path of the entry. */
  readonly entry: string
  readonly limits: UnpackLimits
}

/**
 * Makes the bytes of an archive. Its entries have the times of the files, so that the same project gives the same
 * archive.
 */
export async function packArchive(
  input: { readonly files: readonly ArchivedFile[] },
  api: TaskApi,
): Promise<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  for (const { path, content, modifiedAt } of input.files)
    zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), path, {
      mtime: new Date(modifiedAt),
      mode: 0o100644,
    })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as Readable) {
    api.signal.throwIfAborted()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Reads an archive within bounds. Nothing in it is trusted: names, sizes, kinds of entries. */
export async function unpackArchive(
  input: { readonly content: Uint8Array; readonly limits: UnpackLimits; readonly manifestExtension: string },
  api: TaskApi,
): Promise<Unpacked> {
  const { content, limits } = input
  const opened = await openZip(content)
  const { zip } = opened
  try {
    if (zip.entryCount > limits.files)
      throw unacceptable(`The archive has ${zip.entryCount} entries; at most ${limits.files} are taken.`)
    const entries: Entry[] = []
    const ignored: string[] = []
    const seen = new Map<string, string>()
    try {
      for await (const entry of zip.eachEntry()) {
        const path = checkedPath(entry)
        if (path.endsWith('/')) continue
        if (path.split('/').some((segment) => segment.toLowerCase() === '.git')) {
          ignored.push(path)
          continue
        }
        const twin = seen.get(path.toLowerCase())
        if (twin !== undefined)
          throw unacceptable(`The archive holds "${path}" twice${twin === path ? '' : ` (also as "${twin}")`}.`)
        seen.set(path.toLowerCase(), path)
        entries.push({ path, entry })
      }
    } catch (error) {
      throw refusal(error)
    }
    const read = (entry: Entry, room: number) => readEntry(opened, entry, room, limits)
    const manifest = entries.some(({ path }) => path.split('/').length <= 2 && path.endsWith(input.manifestExtension))
    const tia = manifest ? undefined : tiaEntries(entries)
    if (tia) {
      const header = tia.header && (await read(tia.header, 16 * 1024 * 1024))
      return {
        kind: 'tia',
        file: (tia.header ?? tia.store)!.path,
        files: entries.length,
        ...(header ? { header } : {}),
        ...(tia.store ? { store: tia.store.path } : {}),
      }
    }
    const files: ArchivedFile[] = []
    let total = 0
    for (const [i, entry] of entries.entries()) {
      api.signal.throwIfAborted()
      const file = await read(entry, limits.totalBytes - total)
      total += file.length
      if (total > limits.ratioFromBytes && total > content.length * limits.ratio)
        throw bomb(`At "${entry.path}" the archive's ${content.length} bytes`, limits)
      files.push({ path: entry.path, content: file, modifiedAt: entry.entry.getLastModDate().getTime() })
      // What is in it is loaded afterwards, which takes longer.
      api.progress((5 * (i + 1)) / entries.length)
    }
    return { kind: 'files', files, ignored }
  } finally {
    zip.close()
  }
}

/**
 * Unpacks one file of an archive that `unpackArchive` has looked through.
 * @throws GatewayError `unacceptable_content`
 */
export async function unpackEntry({ archive, entry: path, limits }: PackedFile): Promise<Buffer> {
  const opened = await openZip(archive)
  const { zip } = opened
  try {
    for await (const entry of zip.eachEntry())
      if (checkedPath(entry) === path) return await readEntry(opened, { path, entry }, limits.totalBytes, limits)
  } catch (error) {
    throw refusal(error)
  } finally {
    zip.close()
  }
  throw unacceptable(`The archive has no entry "${path}".`)
}

async function openZip(content: Uint8Array): Promise<OpenZip> {
  const { fromBufferPromise } = await import('yauzl')
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return { bytes, zip: await fromBufferPromise(bytes, { lazyEntries: true }).catch(refuse) }
}

type ZipFile = Awaited<ReturnType<typeof import('yauzl').fromBufferPromise>>
/** An archive that is looked through, and its bytes. */
interface OpenZip {
  readonly zip: ZipFile
  readonly bytes: Buffer
}
interface Entry {
  readonly path: string
  readonly entry: Parameters<ZipFile['readLocalFileHeaderPromise']>[0]
}

/** The path of an entry. yauzl has turned `\` (TIA Portal V16) into `/`. */
function checkedPath(entry: Entry['entry']): string {
  const path = entry.fileName
  const fail = (reason: string) => unacceptable(`The archive's entry ${JSON.stringify(path)} ${reason}.`)
  const fault = zipEntryFault(entry)
  if (fault !== undefined) throw fail(fault)
  const segments = path.replace(/\/$/, '').split('/')
  if (segments.some((segment) => segment.length > 255)) throw fail('has a path that is not allowed')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw fail('has control characters in its name')
  if (segments.length > 40) throw fail('is nested more than 40 folders deep')
  return path
}

/** The files of a TIA Portal project: at the top, in the one folder of the project, or a backup of its file alone. */
function tiaEntries(entries: readonly Entry[]) {
  const headers = entries.filter(({ path }) => /^([^/]+\/)?[^/]+\.a[pl]\d+(_\d+)?$/i.test(path))
  const [header] = headers
  const folderOf = ({ path }: Entry) => path.slice(0, path.lastIndexOf('/') + 1)
  const wanted = header ? `${folderOf(header)}${tiaStorePath}`.toLowerCase() : undefined
  const stores = entries.filter(({ path }) =>
    wanted === undefined ? /(^|\/)PEData\.plf$/i.test(path) : path.toLowerCase() === wanted,
  )
  const [store] = stores
  const projects = header ? headers : stores
  if (new Set(projects.map(folderOf)).size > 1)
    throw unacceptable(
      `The archive holds several projects of TIA Portal: ${projects.map(({ path }) => path).join(', ')}. Unpack it and open one of them.`,
    )
  return header || store ? { header, store } : undefined
}

/**
 * The content of one entry, at most `room` bytes. It is unpacked at once into memory of the size that the archive
 * claims: a stream would leave a second copy of it behind in pieces.
 */
async function readEntry(
  { zip, bytes }: OpenZip,
  { path, entry }: Entry,
  room: number,
  limits: UnpackLimits,
): Promise<Buffer> {
  const { uncompressedSize: claimed, compressedSize, compressionMethod } = entry
  if (claimed > room)
    throw unacceptable(`The archive unpacks to more than ${limits.totalBytes} bytes (at "${path}"); that is the limit.`)
  if (claimed > limits.ratioFromBytes && claimed > compressedSize * limits.ratio)
    throw bomb(`The ${compressedSize} bytes of "${path}"`, limits)
  try {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry)
    const stored = bytes.subarray(start, start + compressedSize)
    if (compressionMethod === 0) return stored
    if (compressionMethod !== 8) throw new Error(`it is packed by method ${compressionMethod}, which is not read`)
    // One byte more: output that fills its memory would get more of it.
    const content = inflateRawSync(stored, { chunkSize: Math.max(claimed + 1, 64), maxOutputLength: claimed + 1 })
    if (content.length !== claimed) throw new Error(`it unpacks to another size than the ${claimed} bytes it claims`)
    return content
  } catch (error) {
    throw refusal(error, path)
  }
}

function unacceptable(detail: string) {
  return problem('unacceptable_content', detail)
}

function bomb(what: string, { ratio }: UnpackLimits) {
  return unacceptable(`${what} unpack to more than ${ratio} times as many: it is taken for a zip bomb.`)
}

/** An error of the zip library is a fault of the archive. */
function refusal(error: unknown, path?: string) {
  if (error instanceof Error && 'details' in error) return error
  const fault = zipFault(error)
  if (path === undefined && fault.startsWith('it is no zip archive')) return unacceptable(`The file${fault.slice(2)}.`)
  return unacceptable(`The archive cannot be read${path === undefined ? '' : ` at "${path}"`}: ${fault}.`)
}
function refuse(error: unknown): never {
  throw refusal(error)
}

/** The task that packs. */
export function packTask(input: Parameters<typeof packArchive>[0]): EngineTask {
  return { module: import.meta.url, fn: 'packArchive', input }
}
/** The task that unpacks. */
export function unpackTask(input: Parameters<typeof unpackArchive>[0]): EngineTask {
  return { module: import.meta.url, fn: 'unpackArchive', input }
}
