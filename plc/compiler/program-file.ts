/** A compiled program as blobs: stored, transferred by a download and run by a controller. */
import { createHash } from 'node:crypto'
import { type Grouped, grouped, jsonBytes } from '../../lib/grouped.ts'
import type { ProgramSymbols } from '../program/program-symbols.ts'
import type { LinkedProgram } from './codegen/linked-program.ts'
import type { CompiledProgram } from './put-together.ts'

/** The table of contents. It names the other blobs, so its hash is the hash of the program. */
interface ProgramFile {
  readonly format: 5
  readonly compiler: string
  /**
   * Hashes of the blobs. Megabytes are in parts, so that after a change only some of them are new: the module as bytes
   * that follow one another, the places in the source and the symbols as JSON lists. The start image is in one piece.
   */
  readonly module: readonly string[]
  readonly image: string
  readonly sites: readonly string[]
  readonly symbols: Readonly<Record<keyof ProgramSymbols, readonly string[]>>
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

/** Elements of a part. */
const elementsOfPart = {
  sites: 100,
  types: 1000,
  tags: 1000,
  dataBlocks: 100,
  codeBlocks: 100,
  organizationBlocks: 100,
}

const knownGroups = new WeakMap<readonly object[], Grouped<object>>()

/** Encodes a list as JSON in parts, once; parts that the list has in common with an earlier one are not made again. */
function partsOf<T extends object>(list: readonly T[], size: number, before: readonly T[] | undefined) {
  const known = knownGroups.get(list) ?? grouped<object>(list, size, jsonBytes, before && knownGroups.get(before))
  knownGroups.set(list, known)
  return known.groups
}

/**
 * Encodes a program as blobs.
 * @param before the last encoded version of the same program: objects that both share are not encoded again
 */
export function encodeProgram(program: CompiledProgram, compiler: string, before?: CompiledProgram): ProgramBlobs {
  const { linked, image, sites, symbols } = program
  const { wasm, pages, areas, image: imageUse, startInformation, dataBlocks, blockNumbers, stackTop, routines } = linked
  const blobs: { hash: string; bytes: Uint8Array }[] = []
  const add = (bytes: Uint8Array) => {
    const hash = hashOf(bytes)
    blobs.push({ hash, bytes })
    return hash
  }
  const symbolParts = (list: keyof ProgramSymbols) =>
    partsOf<object>(symbols[list], elementsOfPart[list], before?.symbols[list]).map(add)
  const file: ProgramFile = {
    format: 5,
    compiler,
    module: wasm.map(add),
    image: add(bytesOnce(image, () => Buffer.concat(image.map((part) => part.bytes)))),
    sites: partsOf(sites, elementsOfPart.sites, before?.sites).map(add),
    symbols: {
      types: symbolParts('types'),
      tags: symbolParts('tags'),
      dataBlocks: symbolParts('dataBlocks'),
      codeBlocks: symbolParts('codeBlocks'),
      organizationBlocks: symbolParts('organizationBlocks'),
    },
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
  const hash = add(Buffer.from(JSON.stringify(file)))
  return { hash, blobs }
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

/** Reads a list that is in parts. */
async function readList(hashes: readonly string[], read: ReadBlob): Promise<unknown[]> {
  const parts = await Promise.all(hashes.map((hash) => readJson(hash, read)))
  return parts.flat()
}

async function readContents(hash: string, read: ReadBlob): Promise<ProgramFile> {
  const file = (await readJson(hash, read)) as ProgramFile
  if (file.format !== 5) throw new OtherFormatError()
  return file
}

/** Reads only the symbols of a program that `encodeProgram` wrote; see `decodeProgram`. */
export async function decodeSymbols(hash: string, read: ReadBlob): Promise<ProgramSymbols> {
  return readSymbols(await readContents(hash, read), read)
}

async function readSymbols({ symbols }: ProgramFile, read: ReadBlob): Promise<ProgramSymbols> {
  const readAll = async ([name, parts]: [string, readonly string[]]) => [name, await readList(parts, read)] as const
  // The lists of the file have the names and types of the symbols that were written.
  return Object.fromEntries(await Promise.all(Object.entries(symbols).map(readAll))) as unknown as ProgramSymbols
}

/**
 * Reads a program that `encodeProgram` wrote.
 * @throws OtherFormatError
 * @param read gives a blob by its hash
 */
export async function decodeProgram(hash: string, read: ReadBlob): Promise<CompiledProgram> {
  const file = await readContents(hash, read)
  const [wasm, bytes, sites, symbols] = await Promise.all([
    Promise.all(file.module.map((part) => read(part))),
    read(file.image),
    readList(file.sites, read),
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
