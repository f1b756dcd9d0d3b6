/**
 * Backups: the whole data directory in one zip file, made while the gateway runs or of a directory that none has open.
 *
 * ```
 * store/<part>      the store as it was at one record (store/copy.ts)
 * files/<path>      every other file of the data directory, as it was when its turn came
 * backup.json       what the two are: sizes, checksums, the last record; written last
 * ```
 *
 * It has what the data directory has: the API key, the key that seals secrets, and the sealed secrets in the log. So it
 * is readable by its owner alone.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeDirectory } from '../lib/make-directory.ts'
import { type CheckedCopy, type CopyPart, checkCopy, openStore, restoreCopy, type Store } from '../store/index.ts'
import { iso, termsOf } from './job.ts'
import { jobCodec } from './job-codec.ts'
import { problem } from './problems.ts'

/** Folder of a data directory for the backups that the gateway makes by itself. */
export const backupsDir = 'backups'

/** What a backup has besides the store: everything of the data directory but what describes the running process. */
const leftOut: ReadonlySet<string> = new Set(['store', backupsDir, 'instances'])
/** `gateway.json` and its draft. */
const isOfTheProcess = (name: string) => leftOut.has(name) || /^gateway\.json(\.\d+)?$/.test(name)

const manifestName = 'backup.json'
const format = 1
/** Log and checkpoints pack to a fifth; a higher level takes twice as long for a tenth less. */
const compressionLevel = 4

interface BackedUpFile {
  /** Path in the zip file. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/** Content of `backup.json`. */
interface BackupManifest {
  readonly format: number
  /** Of the gateway that wrote it. */
  readonly version: string
  /** RFC 3339 UTC. */
  readonly createdAt: string
  readonly head: { readonly seq: number; readonly hash: string }
  readonly files: readonly BackedUpFile[]
}

/** What a backup contains. */
export interface BackupReport {
  /** Absolute path. */
  readonly file: string
  readonly bytes: number
  readonly version: string
  readonly createdAt: string
  /** Last record in it. */
  readonly seq: number
  readonly commits: number
  /** Contents in the store. */
  readonly blobs: number
  /** Files beside the store: keys, workspace. */
  readonly files: number
  readonly warnings: readonly string[]
}

export interface BackupSource {
  readonly store: Store
  readonly dataDir: string
  /** Of the gateway. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface BackupOptions {
  readonly signal?: AbortSignal
  /** 0-100. */
  readonly onProgress?: (percent: number, message: string) => void
}

/**
 * Writes a backup, reads it back and checks it. The file appears under its name when it is whole; an existing file is
 * not replaced.
 *
 * @throws GatewayError `name_taken`; StoreError `copy_damaged` when what was read back is not sound
 */
export async function writeBackup(source: BackupSource, file: string, o: BackupOptions = {}): Promise<BackupReport> {
  const path = resolve(file)
  await requireFreeBackup(path)
  const draft = `${path}.${process.pid}.part`
  try {
    const warnings: string[] = []
    await writeZip(source, draft, [path, draft], warnings, o)
    const report = await checkBackup(draft, { ...o, from: 60 })
    await rename(draft, path)
    return { ...report, file: path, warnings }
  } finally {
    await rm(draft, { force: true })
  }
}

/** @throws GatewayError `name_taken` when there is something of this path */
export async function requireFreeBackup(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) throw problem('name_taken', `There is a file ${path} already.`)
}

async function writeZip(
  { store, dataDir, version, now }: BackupSource,
  draft: string,
  own: readonly string[],
  warnings: string[],
  { signal, onProgress }: BackupOptions,
): Promise<void> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const written: BackedUpFile[] = []
  const failed = new Promise<never>((_, reject) => (zip as unknown as NodeJS.EventEmitter).on('error', reject))
  failed.catch(() => {})
  const out = pipeline(
    zip.outputStream as Readable,
    createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }),
  )
  out.catch(() => {})
  const mtime = new Date(now)
  /** Adds one file and waits until it is in the zip: its content is only there now. */
  const add = async (name: string, content: AsyncIterable<Buffer>, compress: boolean, mode = 0o100600) => {
    const digest = createHash('sha256')
    let bytes = 0
    async function* seen() {
      for await (const chunk of content) {
        signal?.throwIfAborted()
        digest.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const stream = Readable.from(seen(), { objectMode: false })
    const ended = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject))
    const options = { mtime, mode, compress, ...(compress ? { compressionLevel } : {}) }
    zip.addReadStreamLazy(name, options, (give) => give(null, stream))
    await Promise.race([ended, failed, out.then(() => ended)])
    written.push({ name, bytes, sha256: digest.digest('hex') })
  }
  const copy = await store.copy()
  try {
    for (const [i, { name, compressible, read }] of copy.parts.entries()) {
      onProgress?.((40 * i) / copy.parts.length, `the store: ${name}`)
      await add(`store/${name}`, read(), compressible)
    }
    for (const file of copy.absent) warnings.push(`${file} is left out: it is not in the archive of the log`)
    for await (const path of filesBelow(dataDir, own, warnings)) {
      onProgress?.(45, path)
      const name = relative(dataDir, path).split(sep).join('/')
      const file = await open(path).catch((error: NodeJS.ErrnoException) => {
        warnings.push(`${name} is left out: ${error.code}`)
      })
      if (!file) continue
      const { mode } = await file.stat()
      await add(`files/${name}`, file.createReadStream() as AsyncIterable<Buffer>, true, mode)
    }
    const manifest: BackupManifest = { format, version, createdAt: iso(now), head: copy.head, files: [...written] }
    await add(manifestName, Readable.from([Buffer.from(JSON.stringify(manifest))]), true)
    zip.end()
    await Promise.race([out, failed])
  } finally {
    await copy.close()
    ;(zip.outputStream as Readable).destroy()
  }
}

/** Regular files of a data directory, depth first; anything else is named in `warnings`. */
async function* filesBelow(
  dataDir: string,
  own: readonly string[],
  warnings: string[],
  dir = dataDir,
): AsyncGenerator<string> {
  const entries = await readdir(dir, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(dir, entry.name)
    if ((dir === dataDir && isOfTheProcess(entry.name)) || own.includes(resolve(path))) continue
    if (entry.isDirectory()) yield* filesBelow(dataDir, own, warnings, path)
    else if (entry.isFile()) yield path
    else warnings.push(`${relative(dataDir, path)} is left out: it is no regular file`)
  }
}

type ZipFile = Awaited<ReturnType<typeof import('yauzl').openPromise>>
type ZipEntry = Parameters<ZipFile['openReadStreamPromise']>[0]

/** An opened backup whose list of contents fits its contents. */
interface OpenBackup {
  readonly manifest: BackupManifest
  /** Content of an entry; throws when it is not what the manifest says. */
  content(file: BackedUpFile): AsyncGenerator<Buffer>
  mode(file: BackedUpFile): number
  close(): void
}

async function openBackup(path: string): Promise<OpenBackup> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== undefined) throw problem('not_found', `The backup ${path} cannot be read: ${error.code}.`)
    throw unsound(path, error.message)
  })
  try {
    const entries = new Map<string, ZipEntry>()
    // yauzl refuses absolute paths, drive letters and `..`.
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const own = entries.get(manifestName)
    if (own === undefined) throw unsound(path, `it has no ${manifestName}: it is no backup, or its end is missing`)
    const manifest = JSON.parse(await textOf(zip, own)) as BackupManifest
    if (manifest.format !== format)
      throw unsound(path, `it has format ${manifest.format}, this version of Gantry reads ${format}`)
    // A flipped bit in a name leaves JSON behind that is another object.
    if (!Number.isInteger(manifest.head?.seq) || !Array.isArray(manifest.files))
      throw unsound(path, `the list of its contents (${manifestName}) is damaged`)
    const listed = new Set([manifestName, ...manifest.files.map(({ name }) => name)])
    const odd = [...listed].find((name) => !entries.has(name)) ?? [...entries.keys()].find((name) => !listed.has(name))
    if (odd !== undefined) throw unsound(path, `${odd} is only in the list of its contents, or only in the file`)
    return {
      manifest,
      content: (file) => checkedContent(path, zip, entries.get(file.name) as ZipEntry, file),
      mode: (file) => ((entries.get(file.name) as ZipEntry).externalFileAttributes >>> 16) & 0o777,
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error instanceof SyntaxError || isZipError(error) ? unsound(path, (error as Error).message) : error
  }
}

/** Errors of yauzl and zlib about the bytes of a zip file; those of the system have a `syscall`. */
function isZipError(error: unknown): boolean {
  if (!(error instanceof Error) || 'syscall' in error) return false
  return error.constructor === Error
}

async function textOf(zip: ZipFile, entry: ZipEntry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function* checkedContent(
  path: string,
  zip: ZipFile,
  entry: ZipEntry,
  file: BackedUpFile,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let bytes = 0
  let stream: Readable | undefined
  try {
    stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) {
      digest.update(chunk as Buffer)
      bytes += (chunk as Buffer).length
      yield chunk as Buffer
    }
  } catch (error) {
    throw isZipError(error) ? unsound(path, `${file.name}: ${(error as Error).message}`) : error
  } finally {
    stream?.destroy()
  }
  if (bytes !== file.bytes || digest.digest('hex') !== file.sha256)
    throw unsound(path, `${file.name} is not what was written`)
}

function unsound(path: string, detail: string) {
  return problem('unacceptable_content', `The backup ${path} is damaged: ${detail}.`)
}

const storePrefix = 'store/'
const filesPrefix = 'files/'

function storeParts(backup: OpenBackup): Pick<CopyPart, 'name' | 'read'>[] {
  return backup.manifest.files
    .filter(({ name }) => name.startsWith(storePrefix))
    .map((file) => ({ name: file.name.slice(storePrefix.length), read: () => backup.content(file) }))
}

/**
 * Reads a whole backup and checks it: every file against its checksum, the chain of the log, the contents.
 *
 * @throws GatewayError `unacceptable_content`, StoreError `copy_damaged`: with what is wrong and where
 */
export async function checkBackup(path: string, o: BackupOptions & { from?: number } = {}): Promise<BackupReport> {
  const backup = await openBackup(path)
  try {
    return await checkOpened(backup, path, o)
  } finally {
    backup.close()
  }
}

async function checkOpened(
  backup: OpenBackup,
  path: string,
  { signal, onProgress, from = 0 }: BackupOptions & { from?: number },
): Promise<BackupReport> {
  const { manifest } = backup
  onProgress?.(from, 'checking the store')
  const read = storeParts(backup).map((part) => ({
    ...part,
    async *read() {
      for await (const chunk of part.read()) {
        signal?.throwIfAborted()
        yield chunk
      }
      onProgress?.(from, `checked: ${part.name}`)
    },
  }))
  const copy: CheckedCopy = await checkCopy(read)
  if (copy.head.seq !== manifest.head.seq || copy.head.hash !== manifest.head.hash)
    throw unsound(path, `its log ends at seq ${copy.head.seq}, its list says ${manifest.head.seq}`)
  const others = manifest.files.filter(({ name }) => name.startsWith(filesPrefix))
  for (const [i, file] of others.entries()) {
    signal?.throwIfAborted()
    onProgress?.(from + ((100 - from) * i) / others.length, file.name)
    for await (const _ of backup.content(file));
  }
  return {
    file: path,
    bytes: (await stat(path)).size,
    version: manifest.version,
    createdAt: manifest.createdAt,
    seq: copy.head.seq,
    commits: copy.commits,
    blobs: copy.blobs,
    files: others.length,
    warnings: [],
  }
}

/**
 * Makes a data directory of a backup. The backup is checked before anything is written, and the directory appears when
 * it is complete.
 *
 * @param dataDir must be absent or empty
 * @throws GatewayError `name_taken` when it is not, and what {@link checkBackup} throws
 */
export async function restoreBackup(path: string, dataDir: string, o: BackupOptions = {}): Promise<BackupReport> {
  const target = resolve(dataDir)
  const present = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (present.length > 0)
    throw problem(
      'name_taken',
      `${target} is not empty (${present[0]} is in it). Restore into an empty data directory.`,
    )
  const backup = await openBackup(path)
  const draft = `${target}.${process.pid}.part`
  try {
    const report = await checkOpened(backup, path, o)
    await makeDirectory(dirname(target))
    await mkdir(draft, { mode: 0o700 })
    await restoreCopy(join(draft, 'store'), storeParts(backup))
    for (const file of backup.manifest.files) {
      if (!file.name.startsWith(filesPrefix)) continue
      o.onProgress?.(90, file.name)
      const to = join(draft, ...file.name.slice(filesPrefix.length).split('/'))
      await makeDirectory(dirname(to), { mode: 0o700 })
      const mode = backup.mode(file) || 0o600
      await pipeline(backup.content(file), createWriteStream(to, { mode, flags: 'wx', flush: true }))
    }
    await assertOpens(join(draft, 'store'), report.seq)
    await rmdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(draft, target)
    return report
  } finally {
    backup.close()
    await rm(draft, { recursive: true, force: true })
  }
}

/** The restored store as the gateway will open it. */
async function assertOpens(dir: string, seq: number): Promise<void> {
  const store = await openStore({ dir, readOnly: true, terms: termsOf, codec: jobCodec })
  try {
    if (store.log.headSeq !== seq)
      throw problem('internal_error', `The restored log ends at seq ${store.log.headSeq} instead of ${seq}.`)
  } finally {
    await store.close()
  }
}

/** File name of a backup that is made at `now` (ms), e.g. `2026-01-31T14-00-00Z.zip`. */
export function backupName(now: number): string {
  return `${iso(now)
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.zip`
}
