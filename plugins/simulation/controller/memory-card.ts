import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { blobHash } from '../../../plc/compiler/program-file.ts'
import type { LoadPackage } from './contract.ts'
import { readIfThere, replaceFile } from './files.ts'

interface Contents {
  readonly format: 1
  readonly hash: string
  /** SHA-256 of the stored `manifest.json`. */
  readonly manifest: string
  readonly program: string
  readonly blobs: readonly string[]
}

/** Thrown when the content of the card differs from what was written. */
export class DamagedCard extends Error {}

const isHash = (text: unknown): text is string => typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text)

/** The memory card of one controller: a folder with the loaded package. */
export class MemoryCard {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  #blobPath(hash: string): string {
    return join(this.#folder, 'blobs', hash.slice('sha256:'.length))
  }

  /** Replaces the package on the card. The old one is kept until the new one is complete. */
  async write(next: LoadPackage): Promise<void> {
    await mkdir(join(this.#folder, 'blobs'), { recursive: true })
    const there = new Set(await readdir(join(this.#folder, 'blobs')))
    for (const [hash, bytes] of next.blobs)
      if (!there.has(hash.slice('sha256:'.length))) await replaceFile(this.#blobPath(hash), bytes, true)
    // The old manifest is kept until the list of contents refers to the new one.
    const manifest = blobHash(next.manifest)
    await replaceFile(this.#blobPath(manifest), next.manifest, true)
    const blobs = [...next.blobs.keys()]
    const contents: Contents = { format: 1, hash: next.hash, manifest, program: next.program, blobs }
    await replaceFile(join(this.#folder, 'card.json'), JSON.stringify(contents), true)
    const used = new Set([manifest, ...blobs].map((hash) => hash.slice('sha256:'.length)))
    for (const name of there) if (!used.has(name)) await rm(join(this.#folder, 'blobs', name), { force: true })
  }

  /**
   * Reads the content of the card; returns `undefined` when it is empty.
   * @throws DamagedCard when a file is missing or differs from what was written
   */
  async read(): Promise<LoadPackage | undefined> {
    const file = await readIfThere(join(this.#folder, 'card.json'))
    if (file === undefined) return undefined
    const { hash, manifest, program, blobs: names } = contentsOf(file)
    const blobs = new Map<string, Uint8Array>()
    for (const name of names) blobs.set(name, await this.#readBlob(name))
    return { hash, manifest: Buffer.from(await this.#readBlob(manifest)).toString('utf8'), program, blobs }
  }

  async #readBlob(hash: string): Promise<Uint8Array> {
    const bytes = await readIfThere(this.#blobPath(hash))
    if (bytes === undefined) throw new DamagedCard(`The file blobs/${hash.slice(7)} is missing.`)
    if (blobHash(bytes) !== hash) throw new DamagedCard(`The file blobs/${hash.slice(7)} is not what was written.`)
    return bytes
  }
}

function contentsOf(file: Uint8Array): Contents {
  let value: Partial<Contents> | null
  try {
    value = JSON.parse(Buffer.from(file).toString('utf8')) as Partial<Contents> | null
  } catch {
    throw new DamagedCard('The file card.json is not JSON.')
  }
  const isRight =
    value?.format === 1 &&
    typeof value.hash === 'string' &&
    isHash(value.manifest) &&
    isHash(value.program) &&
    Array.isArray(value.blobs) &&
    value.blobs.every(isHash)
  if (!isRight) throw new DamagedCard('The file card.json is not a table of contents of format 1.')
  return value as Contents
}
