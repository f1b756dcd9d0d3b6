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
import { mkdir, open, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { draftOf, numbered, placeNew, removeDrafts } from '../../lib/draft-file.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { renameFile } from '../../lib/patient-rename.ts'
import { isDeviceName } from '../../lib/windows-names.ts'
import { type CheckedCopy, checkCopy, openStore, restoreCopy, type Store } from '../../store/index.ts'
import { problem } from '../contract/problems.ts'
import { iso, termsOf } from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import {
  type BackedUpFile,
  type BackupManifest,
  backupFormat,
  filesIn,
  filesPrefix,
  isLeftOut,
  manifestName,
  type OpenBackup,
  openBackup,
  storeParts,
  unsound,
} from './backup-reader.ts'

/** Folder of a data directory for the backups that the gateway makes by itself. */
export const backupsDir = 'backups'

/** Drafts that this process is writing. */
const drafts = new Set<string>()

/** Log and checkpoints pack to a fifth; a higher level takes twice as long for a tenth less. */
const compressionLevel = 4

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
 * not replaced. Several can be written at once: each has a draft of its own.
 *
 * @param o `isNumbered`: where the name is taken, the backup is called `-2`, `-3` …
 * @throws GatewayError `name_taken`; StoreError `copy_damaged` when what was read back is not sound
 */
export async function writeBackup(
  source: BackupSource,
  file: string,
  o: BackupOptions & { readonly isNumbered?: boolean } = {},
): Promise<BackupReport> {
  const path = resolve(file)
  if (o.isNumbered !== true) await requireFreeBackup(path)
  const draft = draftOf(path)
  drafts.add(draft)
  try {
    const warnings: string[] = []
    await writeZip(source, draft, [path, draft], warnings, o)
    const report = await checkBackup(draft, { ...o, from: 60 })
    let name = path
    for (let number = 2; !(await placeNew(draft, name)); number++) {
      if (o.isNumbered !== true) throw nameTaken(path)
      name = numbered(path, number)
    }
    return { ...report, file: name, warnings }
  } finally {
    await rm(draft, { force: true })
    drafts.delete(draft)
  }
}

/** Removes what a gateway that ended during a backup has left in the folder of its backups. */
export function removeBackupDrafts(dir: string): Promise<void> {
  return removeDrafts(dir, drafts)
}

/** @throws GatewayError `name_taken` when there is something of this path, `invalid_input` for a device (`CON.zip`) */
export async function requireFreeBackup(path: string): Promise<void> {
  const name = basename(path)
  if (process.platform === 'win32' && isDeviceName(name))
    throw problem('invalid_input', `"${name}" is the name of a device of Windows, with any extension.`, {
      suggestion: 'Give the backup another name.',
    })
  if (await stat(path).catch(() => undefined)) throw nameTaken(path)
}

const nameTaken = (path: string) => problem('name_taken', `There is a file ${path} already.`)

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
  // A ZipFile emits errors; the types of yazl leave that out.
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
      if (name.includes('\\')) {
        warnings.push(`${name} is left out: in a zip file \\ stands for /`)
        continue
      }
      const file = await open(path).catch((error: NodeJS.ErrnoException) => {
        warnings.push(`${name} is left out: ${error.code}`)
      })
      if (!file) continue
      const { mode } = await file.stat()
      await add(`files/${name}`, file.createReadStream() as AsyncIterable<Buffer>, true, mode)
    }
    const manifest: BackupManifest = {
      format: backupFormat,
      version,
      createdAt: iso(now),
      head: copy.head,
      files: [...written],
    }
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
    if ((dir === dataDir && isLeftOut(entry.name)) || own.includes(resolve(path))) continue
    if (entry.isDirectory()) yield* filesBelow(dataDir, own, warnings, path)
    else if (entry.isFile()) yield path
    else warnings.push(`${relative(dataDir, path)} is left out: it is no regular file`)
  }
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
  const others = filesIn(backup)
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
  // Of a link to an empty directory, that directory.
  const target = await realpath(dataDir).catch(() => resolve(dataDir))
  await requireEmpty(target)
  const backup = await openBackup(path)
  const draft = draftOf(target)
  try {
    const report = await checkOpened(backup, path, o)
    await makeDirectory(dirname(target))
    await mkdir(draft, { mode: 0o700 })
    await restoreCopy(join(draft, 'store'), storeParts(backup))
    for (const file of filesIn(backup)) {
      o.onProgress?.(90, file.name)
      const to = join(draft, ...file.name.slice(filesPrefix.length).split('/'))
      await makeDirectory(dirname(to), { mode: 0o700 })
      const mode = backup.mode(file) || 0o600
      await pipeline(backup.content(file), createWriteStream(to, { mode, flags: 'wx', flush: true }))
    }
    await assertOpens(join(draft, 'store'), report.seq)
    await takePlace(draft, target)
    return report
  } finally {
    backup.close()
    await rm(draft, { recursive: true, force: true })
  }
}

/** Another restore may have made the directory meanwhile. @throws GatewayError `name_taken` */
async function takePlace(draft: string, target: string): Promise<void> {
  try {
    await rmdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await renameFile(draft, target)
  } catch (error) {
    await requireEmpty(target)
    throw error
  }
}

/** @throws GatewayError `name_taken` unless there is nothing, or an empty directory */
async function requireEmpty(target: string): Promise<void> {
  const present = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw problem('name_taken', `${target} is a file. Restore into an empty data directory.`)
    throw error
  })
  if (present.length > 0)
    throw problem(
      'name_taken',
      `${target} is not empty (${present[0]} is in it). Restore into an empty data directory.`,
    )
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
