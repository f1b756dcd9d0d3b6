/** The manifest `<name>.gantrylib` of a global library, and the lock of who writes to it. */
import type { Fault } from '../../core/index.ts'
import { engineeringVersions, faultyFiles, parseJsonFile } from '../projects/index.ts'
import type { GlobalLibrary } from './library.ts'

export const manifestExtension = '.gantrylib'
/** File in the folder while a gateway has the library open for writing. */
export const lockFile = 'library.lock'

const format = 'gantry-library'
/** Raised when an older Gantry could not read the library any more. */
const formatVersion = 1

type Manifest = Pick<GlobalLibrary, 'author' | 'comment' | 'version' | 'createdAt'> & { readonly id: string }

/** The manifest's text. It says nothing that changes with every save. */
export function writeManifest({
  fileId: id,
  author,
  comment,
  version,
  createdAt,
}: Omit<Manifest, 'id'> & Pick<GlobalLibrary, 'fileId'>): string {
  const created = new Date(createdAt).toISOString()
  return `${JSON.stringify({ format, formatVersion, id, version, author, comment, createdAt: created }, null, 2)}\n`
}

/**
 * Reads a manifest.
 * @throws GatewayError `unacceptable_content` with every faulty field; one of a newer Gantry is named as such
 */
export function readManifest(file: string, text: string): Manifest {
  const faults: Fault[] = []
  const fault = (field: string, message: string, value: unknown) =>
    faults.push({ path: `${file}#/${field}`, message, value })
  const data = parseJsonFile(text, file, faults) ?? {}
  const version = data.formatVersion
  if (faults.length === 0) {
    if (data.format !== format) fault('format', `must be "${format}"`, data.format)
    else if (typeof version !== 'number' || version < 1) fault('formatVersion', 'must be a number from 1', version)
    else if (version > formatVersion)
      fault('formatVersion', `is of a newer Gantry; this one reads up to ${formatVersion}`, version)
    else {
      for (const field of ['id', 'author', 'comment', 'createdAt'])
        if (typeof data[field] !== 'string') fault(field, 'must be text', data[field])
      if (!(engineeringVersions as readonly unknown[]).includes(data.version))
        fault('version', `must be one of ${engineeringVersions.join(', ')}`, data.version)
      if (Number.isNaN(Date.parse(String(data.createdAt))))
        fault('createdAt', 'must be an RFC 3339 time', data.createdAt)
    }
  }
  if (faults.length > 0) throw faultyFiles(`"${file}" is not a manifest that can be read`, faults)
  return {
    id: data.id as string,
    author: data.author as string,
    comment: data.comment as string,
    version: data.version as string,
    createdAt: Date.parse(data.createdAt as string),
  }
}

/** Who has a library open for writing. */
export interface Lock {
  readonly token: string
  readonly by: string
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export function writeLock({ token, by, host, at }: Lock): string {
  return `${JSON.stringify({ token, by, host, at: new Date(at).toISOString() }, null, 2)}\n`
}

/** The lock in a file. What cannot be read is the lock of somebody unknown. */
export function readLock(text: string): Lock {
  const data = (parseJsonFile(text, lockFile, []) ?? {}) as Record<string, unknown>
  const textOf = (field: string) => (typeof data[field] === 'string' ? (data[field] as string) : 'unknown')
  const at = Date.parse(String(data.at))
  return { token: textOf('token'), by: textOf('by'), host: textOf('host'), at: Number.isNaN(at) ? 0 : at }
}
