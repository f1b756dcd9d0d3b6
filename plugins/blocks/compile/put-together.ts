/** The whole of a compiled program: module, start values, symbols and the way back to the source. This is what a download transfers. */
import { type LinkedProgram, link } from '../codegen/link.ts'
import type { SourceSite } from '../program/ir.ts'
import { startImage } from '../program/memory-image.ts'
import type { Program } from '../program/program.ts'
import type { ProgramSymbols } from '../program/program-symbols.ts'
import { programSymbols } from '../program/program-symbols-of.ts'
import { codeHash, type Unit } from './unit.ts'

/** Bytes that stand in memory before anything runs. */
export interface ImagePart {
  readonly address: number
  readonly bytes: Uint8Array
}

export interface CompiledProgram {
  readonly linked: LinkedProgram
  /** Start values of data blocks, and constants. */
  readonly image: readonly ImagePart[]
  /** Places in the source by block, in the order of `linked.blockNumbers`; those of the system's own blocks are empty. */
  readonly sites: readonly (readonly SourceSite[])[]
  readonly symbols: ProgramSymbols
}

const noSites: readonly SourceSite[] = []

/** Puts the units of a program without errors together. */
export function putTogether(program: Program, units: readonly Unit[]): CompiledProgram {
  const blocks = units.flatMap(({ name, code }) => (code ? [{ name, compiled: code.compiled }] : []))
  const images = [...program.blocks.values()]
    .filter(({ kind }) => kind.endsWith('DB'))
    .map((block) => ({ name: block.name, bytes: startImage(block, program) }))
  const linked = link({ blocks, dataBlocks: images.map(({ name, bytes }) => ({ name, size: bytes.length })) })
  const image: ImagePart[] = [...linked.constants]
  for (const { name, bytes } of images) {
    const place = linked.dataBlocks.get(name.toLowerCase())
    const end = lastUsed(bytes)
    if (place && end > 0) image.push({ address: place.address, bytes: bytes.subarray(0, end) })
  }
  const codes = new Map(units.flatMap(({ name, code }) => (code ? [[name, code] as const] : [])))
  const symbols = programSymbols(program, (name) => {
    const code = codes.get(name)
    return code && { hash: codeHash(code), temporaries: code.temporaries }
  })
  return { linked, image, sites: linked.blockNumbers.map((name) => codes.get(name)?.sites ?? noSites), symbols }
}

/** Memory is zero at the beginning. */
function lastUsed(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}
