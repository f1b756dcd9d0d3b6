/** A compiled program as blobs: stored, transferred by a download and run by a controller. */
import { createHash } from 'node:crypto'
import type { ProgramSymbols } from '../program/program-symbols.ts'
import type { LinkedProgram } from './codegen/linked-program.ts'
import { listBytes } from './list-bytes.ts'
import type { CompiledProgram } from './put-together.ts'

/** The table of contents. It names the other blobs, so its hash is the hash of the program. */
interface ProgramFile {
  readonly format: 3
  readonly compiler: string
  /**
   * Hashes of the blobs: the module, the bytes of the start image in one piece, the places in the source (JSON), the
   * symbols (JSON), and of these the tags (JSON), which are megabytes that a change of code leaves as they are.
   */
  readonly module: string
  readonly image: string
  readonly sites: string
  readonly symbols: string
  readonly tags: string
  readonly parts: readonly (readonly [address: number, length: number])[]
  readonly pages: number
  readonly areas: LinkedProgram['areas']
  readonly imageUse: LinkedProgram['image']
  readonly startInformation: LinkedProgram['startInformation']
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

/** Returns the hash of a blob, the same as the gateway's blobs have. */
export function blobHash(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

const knownBytes = new WeakMap<object, Uint8Array>()

/** Makes the bytes of an object only once. */
function bytesOnce(of: object, make: () => Uint8Array): Uint8Array {
  const known = knownBytes.get(of)
  if (known) return known
  const bytes = make()
  knownBytes.set(of, bytes)
  return bytes
}

const knownHashes = new WeakMap<Uint8Array, string>()

function hashOf(bytes: Uint8Array): string {
  const known = knownHashes.get(bytes)
  if (known !== undefined) return known
  const hash = blobHash(bytes)
  knownHashes.set(bytes, hash)
  return hash
}

function jsonOnce(of: object): Uint8Array {
  return bytesOnce(of, () => Buffer.from(JSON.stringify(of)))
}

/** The symbols without the tags. */
function symbolsBytes(symbols: ProgramSymbols, before: ProgramSymbols | undefined): Uint8Array {
  const { types, dataBlocks, codeBlocks, organizationBlocks } = symbols
  return Buffer.concat([
    Buffer.from('{"types":'),
    jsonOnce(types),
    Buffer.from(',"dataBlocks":'),
    listBytes(dataBlocks, before?.dataBlocks),
    Buffer.from(',"codeBlocks":'),
    listBytes(codeBlocks, before?.codeBlocks),
    Buffer.from(',"organizationBlocks":'),
    listBytes(organizationBlocks, before?.organizationBlocks),
    Buffer.from('}'),
  ])
}

/**
 * Encodes a program as blobs.
 * @param before the last encoded version of the same program: objects that both share are not encoded again
 */
export function encodeProgram(program: CompiledProgram, compiler: string, before?: CompiledProgram): ProgramBlobs {
  const { linked, image, sites, symbols } = program
  const { wasm, pages, areas, image: imageUse, startInformation, dataBlocks, blockNumbers, stackTop, routines } = linked
  const bytes = bytesOnce(image, () => Buffer.concat(image.map((part) => part.bytes)))
  const places = bytesOnce(sites, () => listBytes(sites, before?.sites))
  const names = bytesOnce(symbols, () => symbolsBytes(symbols, before?.symbols))
  const tags = jsonOnce(symbols.tags)
  const file: ProgramFile = {
    format: 3,
    compiler,
    module: hashOf(wasm),
    image: hashOf(bytes),
    sites: hashOf(places),
    symbols: hashOf(names),
    tags: hashOf(tags),
    parts: image.map((part) => [part.address, part.bytes.length]),
    pages,
    areas,
    imageUse,
    startInformation,
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
      { hash: file.symbols, bytes: names },
      { hash: hashOf(tags), bytes: tags },
      { hash, bytes: contents },
    ],
  }
}

/** Thrown for a program in the format of another compiler version. */
export class OtherFormatError extends Error {
  constructor() {
    super('The compiled program was written by another version of the gateway: compile it again.')
  }
}

type ReadBlob = (hash: string) => Promise<Uint8Array>

async function readJson(hash: string, read: ReadBlob): Promise<unknown> {
  return JSON.parse(Buffer.from(await read(hash)).toString('utf8'))
}

async function readContents(hash: string, read: ReadBlob): Promise<ProgramFile> {
  const file = (await readJson(hash, read)) as ProgramFile
  if (file.format !== 3) throw new OtherFormatError()
  return file
}

/** Reads only the symbols of a program that `encodeProgram` wrote; see `decodeProgram`. */
export async function decodeSymbols(hash: string, read: ReadBlob): Promise<ProgramSymbols> {
  return readSymbols(await readContents(hash, read), read)
}

async function readSymbols({ symbols, tags }: ProgramFile, read: ReadBlob): Promise<ProgramSymbols> {
  const [most, own] = await Promise.all([readJson(symbols, read), readJson(tags, read)])
  return { ...(most as ProgramSymbols), tags: own as ProgramSymbols['tags'] }
}

/**
 * Reads a program that `encodeProgram` wrote.
 * @throws OtherFormatError
 * @param read gives a blob by its hash
 */
export async function decodeProgram(hash: string, read: ReadBlob): Promise<CompiledProgram> {
  const file = await readContents(hash, read)
  const [wasm, bytes, sites, symbols] = await Promise.all([
    read(file.module),
    read(file.image),
    readJson(file.sites, read),
    readSymbols(file, read),
  ])
  const { pages, areas, imageUse, startInformation, blockNumbers, stackTop, routines } = file
  const dataBlocks = new Map(file.dataBlocks.map(([name, address, size]) => [name, { address, size }]))
  let at = 0
  const image = file.parts.map(([address, length]) => {
    at += length
    return { address, bytes: bytes.subarray(at - length, at) }
  })
  // The image also contains the constants: they are after the data blocks (codegen/link.ts).
  let dataEnd = 0
  for (const { address, size } of dataBlocks.values()) dataEnd = Math.max(dataEnd, address + size)
  const constants = image.filter(({ address }) => address >= dataEnd)
  const linked: LinkedProgram = {
    wasm,
    pages,
    areas,
    image: imageUse,
    startInformation,
    dataBlocks,
    constants,
    blockNumbers,
    stackTop,
    routines,
  }
  return { linked, image, sites: sites as CompiledProgram['sites'], symbols }
}
