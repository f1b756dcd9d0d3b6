/** A compiled program as blobs: what is kept, transferred by a download and run by a controller. */
import { createHash } from 'node:crypto'
import type { LinkedProgram } from '../codegen/link.ts'
import type { SourceSite } from '../program/ir.ts'
import type { CompiledProgram } from './put-together.ts'

/** The table of contents; the other blobs are named in it, so its hash is the hash of the program. */
interface ProgramFile {
  readonly format: 1
  readonly compiler: string
  /** Blobs: the module, the start image's bytes one part after the other, the places in the source (JSON). */
  readonly module: string
  readonly image: string
  readonly sites: string
  readonly parts: readonly (readonly [address: number, length: number])[]
  readonly pages: number
  readonly areas: LinkedProgram['areas']
  readonly dataBlocks: readonly (readonly [name: string, address: number, size: number])[]
  readonly blockNumbers: readonly string[]
  readonly stackTop: number
  readonly routines: LinkedProgram['routines']
}

/** Blobs of a program. `hash` names its table of contents, which names the others. */
export interface ProgramBlobs {
  readonly hash: string
  readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[]
}

/** The hash that the gateway's blobs have. */
export function blobHash(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

const knownTexts = new WeakMap<readonly SourceSite[], string>()

/** The places of most blocks are the same as last time. */
function sitesText(sites: readonly SourceSite[]): string {
  const known = knownTexts.get(sites)
  if (known !== undefined) return known
  const text = JSON.stringify(sites)
  knownTexts.set(sites, text)
  return text
}

export function encodeProgram({ linked, image, sites }: CompiledProgram, compiler: string): ProgramBlobs {
  const { wasm, pages, areas, dataBlocks, blockNumbers, stackTop, routines } = linked
  const bytes = Buffer.concat(image.map((part) => part.bytes))
  const places = Buffer.from(`[${sites.map(sitesText).join()}]`)
  const file: ProgramFile = {
    format: 1,
    compiler,
    module: blobHash(wasm),
    image: blobHash(bytes),
    sites: blobHash(places),
    parts: image.map((part) => [part.address, part.bytes.length]),
    pages,
    areas,
    dataBlocks: [...dataBlocks].map(([name, { address, size }]) => [name, address, size]),
    blockNumbers,
    stackTop,
    routines,
  }
  const contents = Buffer.from(JSON.stringify(file))
  const hash = blobHash(contents)
  return {
    hash,
    blobs: [
      { hash: file.module, bytes: wasm },
      { hash: file.image, bytes },
      { hash: file.sites, bytes: places },
      { hash, bytes: contents },
    ],
  }
}

/**
 * The program that `encodeProgram` wrote.
 * @param read gives a blob by its hash
 */
export async function decodeProgram(
  hash: string,
  read: (hash: string) => Promise<Uint8Array>,
): Promise<CompiledProgram> {
  const text = async (blob: string) => JSON.parse(Buffer.from(await read(blob)).toString('utf8')) as unknown
  const file = (await text(hash)) as ProgramFile
  const [wasm, bytes, sites] = await Promise.all([read(file.module), read(file.image), text(file.sites)])
  const { pages, areas, blockNumbers, stackTop, routines } = file
  const dataBlocks = new Map(file.dataBlocks.map(([name, address, size]) => [name, { address, size }]))
  let at = 0
  const image = file.parts.map(([address, length]) => {
    at += length
    return { address, bytes: bytes.subarray(at - length, at) }
  })
  // The image holds the constants too.
  const linked = { wasm, pages, areas, dataBlocks, constants: [], blockNumbers, stackTop, routines }
  return { linked, image, sites: sites as readonly (readonly SourceSite[])[] }
}
