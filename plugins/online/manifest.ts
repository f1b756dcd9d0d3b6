/**
 * What a download writes beside the program: a manifest (JSON) that names the device and every object, and one blob with the texts of all of
 * them, one after the other. From both the program can be had again as it was.
 */
import { problem } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import type { LoadPackage } from '../simulation/index.ts'
import { categories, type Folders, type ProgramItem } from './program-objects.ts'

export const manifestFormat = 'gantry-download/1'

/** The device that was loaded, as it was in its project. */
export type ManifestDevice = Pick<
  Device,
  'id' | 'name' | 'orderNumber' | 'firmware' | 'typeIdentifier' | 'typeName' | 'family' | 'kind' | 'network'
>

export interface Manifest {
  readonly format: typeof manifestFormat
  /** Of the gateway's compiled program, see LoadPackage. */
  readonly program: string
  readonly project: { readonly id: string; readonly name: string; readonly version: string }
  readonly device: ManifestDevice
  /** RFC 3339. */
  readonly compiledAt: string
  readonly objects: readonly ProgramItem[]
  readonly folders: Folders
  /** What survives power-off: bytes of each data block that has such. */
  readonly retentive: readonly { readonly dataBlock: string; readonly bytes: number }[]
  /** Blob with the texts. */
  readonly sources: string
  /** Where each text is in it, bytes. By hash. */
  readonly documents: Readonly<Record<string, readonly [offset: number, size: number]>>
}

/** Puts texts one after the other, in the order of their hashes. */
export function packSources(texts: ReadonlyMap<string, Uint8Array>): {
  bytes: Uint8Array
  documents: Manifest['documents']
} {
  const documents: Record<string, readonly [number, number]> = {}
  const parts: Uint8Array[] = []
  let at = 0
  for (const hash of [...texts.keys()].sort()) {
    const part = texts.get(hash)!
    documents[hash] = [at, part.length]
    parts.push(part)
    at += part.length
  }
  return { bytes: Buffer.concat(parts), documents }
}

/** A text of a package, by its hash. @throws GatewayError `unacceptable_content` when it is not there or is not what its hash says */
export function sourceReader(
  manifest: Manifest,
  { blobs }: Pick<LoadPackage, 'blobs'>,
  hashOf: (bytes: Uint8Array) => string,
): (hash: string) => Buffer {
  const all = blobs.get(manifest.sources)
  return (hash) => {
    const [offset, size] = manifest.documents[hash] ?? [0, -1]
    const bytes = all && size >= 0 ? Buffer.from(all.subarray(offset, offset + size)) : undefined
    if (bytes !== undefined && hashOf(bytes) === hash) return bytes
    throw problem(
      'unacceptable_content',
      `The memory card does not hold the text ${hash} that its manifest names, so the program cannot be read back.`,
    )
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The manifest of a package; undefined: it was not written by a download, so there is nothing but the program that runs. */
export function readManifest(text: string): Manifest | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || value.format !== manifestFormat) return undefined
  const { program, sources, compiledAt, device, project, folders, documents, retentive, objects } = value
  const isWhole =
    [program, sources, compiledAt].every((one) => typeof one === 'string') &&
    isObject(device) &&
    typeof device.name === 'string' &&
    typeof device.kind === 'string' &&
    isObject(project) &&
    isObject(folders) &&
    categories.every((category) => isTexts(folders[category])) &&
    isObject(documents) &&
    Array.isArray(retentive) &&
    Array.isArray(objects) &&
    objects.every(isItem)
  return isWhole ? (value as unknown as Manifest) : undefined
}

function isItem(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.record)) return false
  const { category, name, kind, hash, record } = value
  return (
    (categories as readonly unknown[]).includes(category) &&
    [name, kind, hash, record.id, record.folder].every((one) => typeof one === 'string') &&
    record.name === name &&
    (category === 'tag-table'
      ? Array.isArray(record.tags) && Array.isArray(record.constants)
      : typeof record.document === 'string') &&
    (category !== 'block' || Number.isInteger(record.number)) &&
    (category !== 'watch-table' || Array.isArray(record.entries))
  )
}

/** @throws GatewayError `conflict` when the controller has no program, or one that was loaded in another way */
export function requireManifest(loaded: { readonly manifest: string } | undefined, where: string): Manifest {
  if (!loaded) throw problem('conflict', `${where} has no program.`, { suggestion: 'Download the device first.' })
  const manifest = readManifest(loaded.manifest)
  if (manifest) return manifest
  throw problem(
    'conflict',
    `${where} has a program that was not loaded by a download of this gateway: its objects and their texts are not on the memory card.`,
    { suggestion: 'Download the device; then the controller has them.' },
  )
}
