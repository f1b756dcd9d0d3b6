/**
 * The parts that a download writes beside the program: a manifest (JSON) with the device and every object, and one blob
 * with all texts. From both the program can be restored exactly.
 */

import { isObject, problem } from '../../core/index.ts'
import { blockKinds } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import {
  type AlarmDefinitions,
  type ControllerProtection,
  isProtection,
  type LoadPackage,
  type ManifestHardware,
} from '../simulation/index.ts'
import { type Category, categories } from './declarations.ts'
import { type Folders, keyOf, type ProgramItem } from './program-objects.ts'

export const manifestFormat = 'gantry-download/1'

/** The loaded device, as in its project. */
export type ManifestDevice = Pick<
  Device,
  'id' | 'name' | 'orderNumber' | 'firmware' | 'typeIdentifier' | 'typeName' | 'family' | 'kind' | 'network'
>

export interface Manifest {
  readonly format: typeof manifestFormat
  /** Hash of the gateway's compiled program, see LoadPackage. */
  readonly program: string
  readonly project: { readonly id: string; readonly name: string; readonly version: string }
  readonly device: ManifestDevice
  /** Access levels, passwords (scrypt hashes) and communication; absent: the device has no security settings. */
  readonly security?: ControllerProtection
  /** The I/O modules of the device and its IO devices; absent: none are configured, and every address exists. */
  readonly hardware?: ManifestHardware
  /** RFC 3339. */
  readonly compiledAt: string
  readonly objects: readonly ProgramItem[]
  readonly folders: Folders
  /** Retentive bytes of each data block that has any. */
  readonly retentive: readonly { readonly dataBlock: string; readonly bytes: number }[]
  /** Classes and texts of alarms; packages of older versions have none. */
  readonly alarms?: AlarmDefinitions
  /** Blob with the texts. */
  readonly sources: string
  /** Position of each text in the blob, bytes, by hash. */
  readonly documents: Readonly<Record<string, readonly [offset: number, size: number]>>
}

/** Joins texts in the order of their hashes. */
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

/**
 * A text of a package, by its hash.
 * @throws GatewayError `unacceptable_content` when it is missing or does not match its hash
 */
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

const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isHash = (value: unknown) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
/** Milliseconds since the epoch that are a date (ECMAScript: up to 8.64e15). */
const isTime = (value: unknown) => isCount(value) && (value as number) <= 8.64e15
const isBlockNumber = (value: unknown) => isCount(value) && (value as number) >= 1 && (value as number) <= 65_535
/** Texts by culture. */
const isMultilingual = (value: unknown) => isObject(value) && Object.values(value).every(isText)

type Check = (value: unknown) => boolean
const listOf = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check)
const optional = (check: Check) => (value: unknown) => value === undefined || check(value)
const oneOf = (allowed: readonly unknown[]) => (value: unknown) => allowed.includes(value)
/** Checks that an object has fields of these types; it can have more. */
const shape = (fields: Readonly<Record<string, Check>>) => (value: unknown) =>
  isObject(value) && Object.entries(fields).every(([field, check]) => check(value[field]))

const kept = { id: isText, name: isText, folder: isText, createdAt: isTime, modifiedAt: isTime }
const stored = {
  ...kept,
  document: isHash,
  file: optional(isHash),
  size: isCount,
  format: oneOf(['simaticml', 'source']),
  engineeringVersion: optional(isText),
}
const header = {
  ...stored,
  element: isText,
  language: isText,
  title: isMultilingual,
  comment: isMultilingual,
  author: isText,
  family: isText,
  headerName: isText,
  version: isText,
  isKnowHowProtected: isFlag,
  secondaryType: optional(isText),
  instanceOf: optional(isText),
  memoryLayout: optional(oneOf(['Optimized', 'Standard'])),
}
const row = { name: isText, dataType: isText, comment: isMultilingual }
const tagFlags = { externalAccessible: isFlag, externalVisible: isFlag, externalWritable: isFlag }

/** The used fields of each category. */
const records: Readonly<Record<Category, Check>> = {
  block: shape({ ...header, kind: oneOf(blockKinds), number: isBlockNumber, autoNumber: isFlag }),
  type: shape(header),
  'tag-table': shape({
    ...kept,
    isDefault: isFlag,
    document: optional(isHash),
    file: optional(isHash),
    tags: listOf(shape({ ...row, ...tagFlags, logicalAddress: isText })),
    constants: listOf(shape({ ...row, value: isText })),
  }),
  'watch-table': shape({
    ...stored,
    kind: oneOf(['WatchTable', 'ForceTable']),
    entries: listOf(shape({ name: isText, address: isText, comment: isMultilingual })),
  }),
}

const isPlace = (value: unknown) => listOf(isCount)(value) && (value as unknown[]).length === 2

const isManifest = shape({
  format: oneOf([manifestFormat]),
  program: isHash,
  sources: isHash,
  compiledAt: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)),
  project: shape({ id: isText, name: isText, version: isText }),
  device: shape({
    id: isText,
    name: isText,
    orderNumber: isText,
    firmware: isText,
    typeIdentifier: isText,
    typeName: isText,
    family: isText,
    kind: isText,
    network: optional(shape({ interfaces: listOf(shape({ name: isText, ipAddress: optional(isText) })) })),
  }),
  security: optional(isProtection),
  folders: shape(Object.fromEntries(categories.map((category) => [category, listOf(isText)]))),
  retentive: listOf(shape({ dataBlock: isText, bytes: isCount })),
  documents: (value) => isObject(value) && Object.values(value).every(isPlace),
  objects: (value) =>
    listOf(isItem)(value) && new Set((value as ProgramItem[]).map(keyOf)).size === (value as unknown[]).length,
})

function isItem(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.record)) return false
  const { category, name, kind, hash, record } = value
  if (!(categories as readonly unknown[]).includes(category)) return false
  const own = record.kind ?? (category === 'type' ? 'UDT' : 'TagTable')
  return isHash(hash) && record.name === name && own === kind && records[category as Category](record)
}

/** The manifest of a package; undefined when no download wrote it: then there is only the running program. */
export function readManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isManifest(value) ? (value as Manifest) : undefined
  } catch {
    return undefined
  }
}

/** @throws GatewayError `conflict` when the controller has no program, or one that no download loaded */
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
