/**
 * A complete compiled program: module, start values, symbols and the places in the source. This is what a download
 * transfers.
 */
import { isDeepStrictEqual } from 'node:util'
import type { SourceSite } from '../ir/ir.ts'
import { startImage } from '../program/memory-image.ts'
import { type BlockProbes, probesName } from '../program/probes.ts'
import type { Program, ProgramBlock } from '../program/program.ts'
import type { ProgramSymbols } from '../program/program-symbols.ts'
import { type CodeFacts, programSymbols } from '../program/program-symbols-of.ts'
import { link } from './codegen/link.ts'
import type { LinkedProgram } from './codegen/linked-program.ts'
import { codeHash, codeSize, type Unit, type UnitCode } from './unit.ts'

/** Bytes that must be in memory before anything runs. */
export interface ImageBytes {
  readonly address: number
  readonly bytes: Uint8Array
}

export interface CompiledProgram {
  readonly linked: LinkedProgram
  /** Start values of data blocks, and constants. */
  readonly image: readonly ImageBytes[]
  /** Places in the source by block, in the order of `linked.blockNumbers`; those of library functions are empty. */
  readonly sites: readonly (readonly SourceSite[])[]
  readonly symbols: ProgramSymbols
  /** Of each block whose code records its execution: its places, and where their bytes are. */
  readonly probes?: ReadonlyMap<string, BlockProbes & { readonly address: number }>
}

const noSites: readonly SourceSite[] = []

/**
 * Assembles the units of a program without errors.
 * @param before the last result: parts that have not changed are the same objects again
 */
export function putTogether(program: Program, units: readonly Unit[], before?: CompiledProgram): CompiledProgram {
  const codes = new Map<string, UnitCode>()
  const blocks: { name: string; compiled: UnitCode['compiled'] }[] = []
  for (const { name, code } of units) {
    if (!code) continue
    codes.set(name, code)
    blocks.push({ name, compiled: code.compiled })
  }
  const images = imagesOf(program)
  const probed = [...codes].flatMap(([name, { probes }]) => (probes ? [{ name, probes }] : []))
  const memories = probed.map(({ name, probes: { size } }) => ({ name: probesName(name), size }))
  const linked = link({ blocks, dataBlocks: [...images, ...memories], before: before?.linked })
  const sites = linked.blockNumbers.map((name) => codes.get(name)?.sites ?? noSites)
  const symbols = programSymbols(program, (name) => {
    const code = codes.get(name)
    return code && factsOf(code)
  })
  return {
    linked,
    image:
      before && isSameMap(linked, before.linked) && imageSources.get(before.image) === images
        ? before.image
        : imageBytes(linked, images),
    // Places that have not moved stay the same objects, even when their block is compiled again.
    sites: kept(before?.sites, sites, (a, b) => a === b || isDeepStrictEqual(a, b)),
    symbols,
    ...(probed.length > 0 ? { probes: placedProbes(probed, linked) } : {}),
  }
}

function placedProbes(
  probed: readonly { readonly name: string; readonly probes: BlockProbes }[],
  { dataBlocks }: LinkedProgram,
) {
  return new Map(
    probed.map(({ name, probes }) => {
      const address = dataBlocks.get(probesName(name).toLowerCase())?.address ?? 0
      return [name, { ...probes, address }]
    }),
  )
}

const knownFacts = new WeakMap<UnitCode, CodeFacts>()

/** The same object for the same code. */
function factsOf(code: UnitCode): CodeFacts {
  const known = knownFacts.get(code)
  if (known) return known
  const facts = { hash: codeHash(code), size: codeSize(code), temporaries: code.temporaries }
  knownFacts.set(code, facts)
  return facts
}

/** Returns the earlier list when its content is the same. */
function kept<T>(before: readonly T[] | undefined, now: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] {
  if (before?.length !== now.length) return now
  return now.every((one, i) => isSame(one, before[i] as T)) ? before : now
}

interface DataImage {
  readonly name: string
  readonly size: number
  /** The bytes without the zeros at the end: memory is zero at the beginning. */
  readonly used: Uint8Array
}

/**
 * Images by the tags of a program: while nothing but code changes, the tags are the same object and the data blocks are
 * unchanged.
 */
const knownImages = new WeakMap<Program['tags'], readonly DataImage[]>()

/** Returns the start values of all data blocks. */
function imagesOf({ blocks, tags }: Program): readonly DataImage[] {
  const known = knownImages.get(tags)
  if (known) return known
  const images: DataImage[] = []
  for (const block of blocks.values()) if (block.kind.endsWith('DB')) images.push(imageOf(block))
  knownImages.set(tags, images)
  return images
}

function imageOf(block: ProgramBlock): DataImage {
  const bytes = startImage(block)
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  // Large blocks without start values need not keep their zeros.
  return { name: block.name, size: bytes.length, used: bytes.slice(0, end) }
}

/** The sources of an image. */
const imageSources = new WeakMap<readonly ImageBytes[], readonly DataImage[]>()

function imageBytes(linked: LinkedProgram, images: readonly DataImage[]): readonly ImageBytes[] {
  const parts: ImageBytes[] = [...linked.constants]
  for (const { name, used } of images) {
    const place = linked.dataBlocks.get(name.toLowerCase())
    if (place && used.length > 0) parts.push({ address: place.address, bytes: used })
  }
  imageSources.set(parts, images)
  return parts
}

/** Whether data and constants have the same addresses. */
function isSameMap(a: LinkedProgram, b: LinkedProgram): boolean {
  return a.dataBlocks === b.dataBlocks && a.constants === b.constants
}
