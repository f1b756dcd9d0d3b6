/** A compiled program as blobs: what is kept, transferred by a download and run by a controller. */
import { createHash } from 'node:crypto'
import type { LinkedProgram } from '../codegen/link.ts'
import type { ProgramSymbols } from '../program/program-symbols.ts'
import type { CompiledProgram } from './put-together.ts'

/** The table of contents; the other blobs are named in it, so its hash is the hash of the program. */
interface ProgramFile {
  readonly format: 2
  readonly compiler: string
  /** Blobs: the module, the start image's bytes one part after the other, the places in the source (JSON), the symbols (JSON). */
  readonly module: string
  readonly image: string
  readonly sites: string
  readonly symbols: string
  readonly parts: readonly (readonly [address: number, length: number])[]
  readonly pages: number
  readonly areas: LinkedProgram['areas']
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

/** The hash that the gateway's blobs have. */
export function blobHash(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

const knownTexts = new WeakMap<object, string>()

/** What belongs to one block is mostly the same object as last time. */
function textOf(part: object): string {
  const known = knownTexts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  knownTexts.set(part, text)
  return text
}

function listText(parts: readonly object[]): string {
  return `[${parts.map(textOf).join()}]`
}

function symbolsText({ types, tags, dataBlocks, codeBlocks, organizationBlocks }: ProgramSymbols): string {
  return `{"types":${textOf(types)},"tags":${textOf(tags)},"dataBlocks":${listText(dataBlocks)},"codeBlocks":${listText(codeBlocks)},"organizationBlocks":${listText(organizationBlocks)}}`
}

export function encodeProgram({ linked, image, sites, symbols }: CompiledProgram, compiler: string): ProgramBlobs {
  const { wasm, pages, areas, startInformation, dataBlocks, blockNumbers, stackTop, routines } = linked
  const bytes = Buffer.concat(image.map((part) => part.bytes))
  const places = Buffer.from(listText(sites))
  const names = Buffer.from(symbolsText(symbols))
  const file: ProgramFile = {
    format: 2,
    compiler,
    module: blobHash(wasm),
    image: blobHash(bytes),
    sites: blobHash(places),
    symbols: blobHash(names),
    parts: image.map((part) => [part.address, part.bytes.length]),
    pages,
    areas,
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
      { hash, bytes: contents },
    ],
  }
}

/** A program that another version of the compiler wrote in another way. */
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
  if (file.format !== 2) throw new OtherFormatError()
  return file
}

/** The symbols alone of a program that `encodeProgram` wrote; see `decodeProgram`. */
export async function decodeSymbols(hash: string, read: ReadBlob): Promise<ProgramSymbols> {
  const { symbols } = await readContents(hash, read)
  return (await readJson(symbols, read)) as ProgramSymbols
}

/**
 * The program that `encodeProgram` wrote.
 * @throws OtherFormatError
 * @param read gives a blob by its hash
 */
export async function decodeProgram(hash: string, read: ReadBlob): Promise<CompiledProgram> {
  const file = await readContents(hash, read)
  const [wasm, bytes, sites, symbols] = await Promise.all([
    read(file.module),
    read(file.image),
    readJson(file.sites, read),
    readJson(file.symbols, read),
  ])
  const { pages, areas, startInformation, blockNumbers, stackTop, routines } = file
  const dataBlocks = new Map(file.dataBlocks.map(([name, address, size]) => [name, { address, size }]))
  let at = 0
  const image = file.parts.map(([address, length]) => {
    at += length
    return { address, bytes: bytes.subarray(at - length, at) }
  })
  // The image holds the constants too.
  const linked = { wasm, pages, areas, startInformation, dataBlocks, constants: [], blockNumbers, stackTop, routines }
  return { linked, image, sites: sites as CompiledProgram['sites'], symbols: symbols as ProgramSymbols }
}
