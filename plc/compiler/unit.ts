/** The result of compiling one block: its code or its diagnostics. Stored as a text, so that it survives restarts. */
import { createHash } from 'node:crypto'
import type { SourceSite } from '../ir/ir.ts'
import type { BlockProbes } from '../program/probes.ts'
import type { Diagnostic } from '../program/program.ts'
import type { TemporaryPlace } from '../program/temporary-place.ts'
import type { CompiledBlock } from './codegen/function.ts'
import type { BlockFacts } from './lower/checks/block-facts.ts'
import type { CompiledFunction, ImportedFunction } from './wasm/module.ts'

export interface Unit {
  /** See `compilerVersion`. */
  readonly compiler: string
  readonly name: string
  /** Hash of the document. */
  readonly document: string
  /** Names that its code depends on, in lower case, sorted; see `ProgramInterfaces`. */
  readonly uses: readonly string[]
  /** Hash of the meaning of these names. */
  readonly interfaces: string
  readonly diagnostics: readonly Diagnostic[]
  /** Facts for the rules over the whole program; absent when the block could not be read. */
  readonly facts?: BlockFacts
  /** Absent when there are errors. */
  readonly code?: UnitCode
}

export interface UnitCode {
  readonly compiled: CompiledBlock
  /** Places in the source that faults refer to. */
  readonly sites: readonly SourceSite[]
  /** Places of its temporaries. */
  readonly temporaries: readonly TemporaryPlace[]
  /** Present when the code records its execution; such units are not stored. */
  readonly probes?: BlockProbes
}

/** Bytes of the code and of the constants that it needs in memory. */
export function codeSize({ compiled }: UnitCode): number {
  let size = compiled.function.code.length
  for (const bytes of compiled.constants.values()) size += bytes.length
  return size
}

/** Returns the hash of the code: blocks with the same hash behave the same. Places in the source are not part of it. */
export function codeHash({ compiled }: UnitCode): string {
  const { function: own, constants } = compiled
  const { code, ...rest } = own
  const hash = createHash('sha256').update(JSON.stringify(rest)).update(code)
  for (const [symbol, bytes] of constants) hash.update(`\n${symbol} ${bytes.length}\n`).update(bytes)
  return `sha256:${hash.digest('hex')}`
}

interface SavedUnit extends Omit<Unit, 'code'> {
  readonly code?: {
    readonly function: Omit<CompiledFunction, 'code'> & { readonly code: string }
    readonly routines: readonly ImportedFunction[]
    readonly constants: readonly (readonly [symbol: string, bytes: string])[]
    readonly image: CompiledBlock['image']
    readonly sites: readonly SourceSite[]
    readonly temporaries: readonly TemporaryPlace[]
  }
}

/** Encodes a unit as JSON; the same unit gives the same text. */
export function encodeUnit({ code, ...unit }: Unit): string {
  if (!code) return JSON.stringify(unit)
  const { function: own, routines, constants, image } = code.compiled
  const saved: SavedUnit = {
    ...unit,
    code: {
      function: { ...own, code: base64(own.code) },
      routines,
      constants: [...constants].map(([symbol, bytes]) => [symbol, base64(bytes)] as const),
      image,
      sites: code.sites,
      temporaries: code.temporaries,
    },
  }
  return JSON.stringify(saved)
}

/** Decodes a unit that `encodeUnit` wrote. */
export function decodeUnit(text: string): Unit {
  const { code, ...unit } = JSON.parse(text) as SavedUnit
  if (!code) return unit
  return {
    ...unit,
    code: {
      compiled: {
        function: { ...code.function, code: fromBase64(code.function.code) },
        routines: code.routines,
        constants: new Map(code.constants.map(([symbol, bytes]) => [symbol, fromBase64(bytes)])),
        image: code.image,
      },
      sites: code.sites,
      temporaries: code.temporaries,
    },
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
