/**
 * Reads a backup (core/recovery/backup.ts says what is in it). Nothing in it is trusted. An entry of another kind than
 * a backup has is refused with its name, before anything is written.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isObject } from '../../lib/is-object.ts'
import { zipEntryFault } from '../../lib/zip-entries.ts'
import { zipFault } from '../../lib/zip-faults.ts'
import type { CopyPart } from '../../store/index.ts'
import { problem } from '../contract/problems.ts'

/** Name of the list of contents, its format, and the folders of the zip file. */
export const manifestName = 'backup.json'
export const backupFormat = 1
const storePrefix = 'store/'
export const filesPrefix = 'files/'

export interface BackedUpFile {
  /** Path in the zip file. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/** Content of `backup.json`. */
export interface BackupManifest {
  readonly format: number
  /** Of the gateway that wrote it. */
  readonly version: string
  /** RFC 3339 UTC. */
  readonly createdAt: string
  readonly head: { readonly seq: number; readonly hash: string }
  readonly files: readonly BackedUpFile[]
}

/** An opened backup whose list of contents fits its contents. */
export interface OpenBackup {
  readonly manifest: BackupManifest
  /** Content of an entry; throws when it is not what the manifest says. */
  content(file: BackedUpFile): AsyncGenerator<Buffer>
  mode(file: BackedUpFile): number
  close(): void
}

type ZipFile = Awaited<ReturnType<typeof import('yauzl').openPromise>>
type ZipEntry = Parameters<ZipFile['openReadStreamPromise']>[0]

/**
 * What a data directory has at its top that no backup has: the log, which comes from `store/`, and what describes the
 * running process (`gateway.json` and its draft).
 */
const leftOut: ReadonlySet<string> = new Set(['store', 'backups', 'instances'])
export const isLeftOut = (name: string): boolean => leftOut.has(name) || /^gateway\.json(\.\d+)?$/.test(name)

/** @throws GatewayError `not_found`, `unacceptable_content` with the entry and what is wrong with it */
export async function openBackup(path: string): Promise<OpenBackup> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== undefined) throw problem('not_found', `The backup ${path} cannot be read: ${error.code}.`)
    throw unsound(path, zipFault(error))
  })
  try {
    const entries = await entriesOf(path, zip)
    const own = entries.get(manifestName)
    if (own === undefined) throw unsound(path, `it has no ${manifestName}: it is no backup, or its end is missing`)
    const manifest = JSON.parse(await textOf(zip, own)) as BackupManifest
    if (manifest.format !== backupFormat)
      throw unsound(path, `it has format ${manifest.format}, this version of Gantry reads ${backupFormat}`)
    // A flipped bit in a name leaves JSON behind that is another object.
    if (!Number.isInteger(manifest.head?.seq) || !Array.isArray(manifest.files) || !manifest.files.every(isListed))
      throw unsound(path, `the list of its contents (${manifestName}) is damaged`)
    const listed = new Set([manifestName, ...manifest.files.map(({ name }) => name)])
    const odd = [...listed].find((name) => !entries.has(name)) ?? [...entries.keys()].find((name) => !listed.has(name))
    if (odd !== undefined) throw unsound(path, `${odd} is only in the list of its contents, or only in the file`)
    if (listed.size <= manifest.files.length) throw unsound(path, `the list of its contents names an entry twice`)
    const elsewhere = manifest.files.find(({ name }) => !name.startsWith(storePrefix) && !name.startsWith(filesPrefix))
    if (elsewhere !== undefined) throw refused(path, elsewhere.name, 'is in none of its folders')
    return {
      manifest,
      content: (file) => checkedContent(path, zip, entries.get(file.name) as ZipEntry, file),
      mode: (file) => ((entries.get(file.name) as ZipEntry).externalFileAttributes >>> 16) & 0o777,
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    if (error instanceof SyntaxError) throw unsound(path, error.message)
    throw isZipError(error) ? unsound(path, zipFault(error)) : error
  }
}

/** The parts of the store in a backup. */
export function storeParts(backup: OpenBackup): Pick<CopyPart, 'name' | 'read'>[] {
  return backup.manifest.files
    .filter(({ name }) => name.startsWith(storePrefix))
    .map((file) => ({ name: file.name.slice(storePrefix.length), read: () => backup.content(file) }))
}

/** The files beside the store. */
export function filesIn({ manifest }: OpenBackup): readonly BackedUpFile[] {
  return manifest.files.filter(({ name }) => name.startsWith(filesPrefix))
}

function isListed(file: unknown): file is BackedUpFile {
  if (!isObject(file)) return false
  const { name, bytes, sha256 } = file as Record<string, unknown>
  return typeof name === 'string' && Number.isInteger(bytes) && typeof sha256 === 'string'
}

/** The entries by their names: regular files, each once, where a backup has them. */
async function entriesOf(path: string, zip: ZipFile): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>()
  const folders = new Set<string>()
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName
    const fault = zipEntryFault(entry)
    if (fault !== undefined) throw refused(path, name, fault)
    if (name.endsWith('/')) throw refused(path, name, 'is a folder')
    if (entries.has(name)) throw refused(path, name, 'is there twice')
    entries.set(name, entry)
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) folders.add(name.slice(0, end))
    const [top = ''] = name.startsWith(filesPrefix) ? name.slice(filesPrefix.length).split('/') : []
    if (isLeftOut(top))
      throw refused(path, name, `is where a data directory has ${top === 'store' ? 'its log' : 'no backup'}`)
  }
  for (const name of entries.keys())
    if (folders.has(name)) throw refused(path, name, 'is a file, and the folder of other entries')
  return entries
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
      if (bytes > file.bytes) break
      yield chunk as Buffer
    }
  } catch (error) {
    throw isZipError(error) ? unsound(path, `${file.name}: ${zipFault(error)}`) : error
  } finally {
    stream?.destroy()
  }
  if (bytes !== file.bytes || digest.digest('hex') !== file.sha256)
    throw unsound(path, `${file.name} is not what was written`)
}

function refused(path: string, name: string, fault: string) {
  return problem(
    'unacceptable_content',
    `The backup ${path} is not as "gantry backup" wrote it: its entry ${JSON.stringify(name)} ${fault}. ` +
      `A backup has regular files alone, each once, below ${storePrefix} and ${filesPrefix}.`,
  )
}

/** A backup that is not what was written. */
export function unsound(path: string, detail: string) {
  return problem('unacceptable_content', `The backup ${path} is damaged: ${detail}.`)
}
