import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { renameFileSync } from '../../lib/patient-rename.ts'

/**
 * The directory through which gateways find instances. Per instance: `<pid>.json` (mode 0600: its identity, its
 * address, the token that a client must present), `<id>.sock` (absent on Windows) and `<id>.log` (stderr of the
 * process).
 */

/** Content of `<pid>.json`. */
export interface InstanceFile {
  readonly id: string
  readonly pid: number
  readonly startedAt: string
  readonly address: string
  readonly token: string
  readonly protocol: number
}

/** Prefix of the private directory of a socket whose path in the instances' directory would be too long. */
const shortDirPrefix = 'gantry-engine-'

/** `sun_path` has 104 bytes on macOS and 108 on Linux, including the final zero (unix(4), unix(7)). */
const maxSocketPathBytes = 100

/** Unreferenced sockets and logs younger than this may belong to an instance that is just starting. */
const orphanAgeMs = 60_000

/** An unguessable name for the socket and the log of one instance. */
export function newInstanceId(): string {
  return randomBytes(12).toString('hex')
}

/** Makes the directory readable by this user only. Throws the file system's error. */
export function prepareInstancesDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && (statSync(dir).mode & 0o077) !== 0) chmodSync(dir, 0o700)
}

/**
 * Where the instance listens: a named pipe on Windows, else a socket in `dir`, or in a private temporary directory when
 * that path is too long.
 */
export function listenAddress(dir: string, id: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\gantry-engine-${id}`
  const path = join(dir, `${id}.sock`)
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path
  return join(mkdtempSync(join(tmpdir(), shortDirPrefix)), id)
}

/** Path of the file that receives the stderr of the instance's process. */
export function logPath(dir: string, id: string): string {
  return join(dir, `${id}.log`)
}

/** Publishes an instance; the file appears complete or not at all. */
export function writeInstanceFile(dir: string, file: InstanceFile): void {
  const temporary = join(dir, `${file.pid}.json.${file.id}`)
  writeFileSync(temporary, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameFileSync(temporary, join(dir, `${file.pid}.json`))
}

/**
 * Removes what an instance published. Synchronous, for use while a process exits. Errors are ignored: the next `list`
 * removes leftovers.
 */
export function removeInstanceFiles(
  dir: string,
  file: Pick<InstanceFile, 'id' | 'pid' | 'address'>,
  o: { keepLog: boolean },
): void {
  const targets = [join(dir, `${file.pid}.json`)]
  if (!o.keepLog) targets.push(logPath(dir, file.id))
  // Only a socket with the instance's own name: a damaged file must not remove another instance's socket.
  const parent = dirname(file.address)
  if (basename(file.address) === `${file.id}.sock`) targets.push(file.address)
  else if (basename(file.address) === file.id && basename(parent).startsWith(shortDirPrefix)) targets.push(parent)
  for (const target of targets) {
    try {
      rmSync(target, { force: true, recursive: target === parent })
    } catch {
      // Another process removed it, or the directory is gone.
    }
  }
}

/** One entry of the directory: `file` is absent when the content is not an instance file. */
export interface InstanceEntry {
  readonly pid: number
  readonly file: InstanceFile | undefined
}

/** Every `<pid>.json` of the directory; an absent directory has none. */
export async function readInstanceEntries(dir: string): Promise<InstanceEntry[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const pids = names.flatMap((name) => (/^[1-9]\d*\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
  return Promise.all(pids.map(async (pid) => ({ pid, file: await readInstanceFile(dir, pid) })))
}

/** Reads one instance file; undefined when there is none or when it is damaged. */
export async function readInstanceFile(dir: string, pid: number): Promise<InstanceFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dir, `${pid}.json`), 'utf8'))
    return isInstanceFile(value) && value.pid === pid ? value : undefined
  } catch {
    return undefined
  }
}

/** Removes sockets and logs that no live instance owns. */
export async function removeOrphans(dir: string, liveIds: ReadonlySet<string>): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  await Promise.all(
    names.map(async (name) => {
      const id = /^([0-9a-f]{24})\.(?:sock|log)$/.exec(name)?.[1]
      if (!id || liveIds.has(id)) return
      const path = join(dir, name)
      const info = await stat(path).catch(() => undefined)
      if (info && Date.now() - info.mtimeMs > orphanAgeMs) await rm(path, { force: true })
    }),
  )
}

/** Last lines of a text file, at most 8 KiB; empty when it cannot be read. */
export async function tailLines(path: string, lines: number): Promise<string[]> {
  const handle = await open(path).catch(() => undefined)
  if (!handle) return []
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, 8192)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return lastLines(buffer.toString('utf8', 0, bytesRead), lines)
  } finally {
    await handle.close()
  }
}

/** The last non-empty lines of a text. */
export function lastLines(text: string, lines: number): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-lines)
}

function isInstanceFile(value: unknown): value is InstanceFile {
  if (typeof value !== 'object' || value === null) return false
  const v = value as Record<string, unknown>
  const text = [v.id, v.startedAt, v.address, v.token].every((field) => typeof field === 'string' && field !== '')
  return text && /^[0-9a-f]{24}$/.test(v.id as string) && Number.isInteger(v.pid) && Number.isInteger(v.protocol)
}
