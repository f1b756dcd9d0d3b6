/**
 * Puts the functions of all blocks into one module and lays out the memory: scratch, process images, flags, data blocks, constants, stack.
 *
 * ```
 * 0        64 Ki     scratch: what is read and written when an index is wrong and an address is needed nevertheless
 * 64 Ki    …         I, Q, M, periphery inputs and outputs, S5 timers and counters
 *          …         start information of organization blocks
 *          …         data blocks, one after the other, at multiples of 16
 *          …         constants (texts)
 *          …         stack of frames, growing down
 * ```
 */
import { startInformationSize } from '../program/organization-blocks.ts'
import { s5Counters, s5Timers } from '../runtime/s5-blocks.ts'
import { systemBlock } from '../runtime/system-blocks.ts'
import { type CompiledFunction, type GlobalVariable, type ImportedFunction, writeModule } from '../wasm/module.ts'
import { ValueType } from '../wasm/opcodes.ts'
import { FunctionEmitter } from './emitter.ts'
import {
  beginSymbol,
  type CompiledBlock,
  compileBlock,
  functionSymbol,
  globalNames,
  hostFunctions,
  numberSymbol,
  stackLimitSymbol,
} from './function.ts'
import { scratchSymbol, startInformationSymbol } from './places.ts'

/** Bytes of the areas of a controller. */
export interface AreaSizes {
  readonly I: number
  readonly Q: number
  readonly M: number
}

/** S7-1500: 32 KiB of process image for inputs and outputs each, 16 KiB of flags (CPU 1516 manual, technical data). */
export const defaultAreas: AreaSizes = { I: 32_768, Q: 32_768, M: 16_384 }

export interface LinkInput {
  readonly blocks: readonly { readonly name: string; readonly compiled: CompiledBlock }[]
  readonly dataBlocks: readonly { readonly name: string; readonly size: number }[]
  readonly areas?: AreaSizes
  /** Bytes that frames may take. */
  readonly stackSize?: number
}

/** A module with the map of its memory. Addresses are bytes. */
export interface LinkedProgram {
  readonly wasm: Uint8Array
  readonly pages: number
  readonly areas: Readonly<
    Record<'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C', { readonly address: number; readonly size: number }>
  >
  /** Written before an organization block runs, which copies it at its beginning; see `OrganizationBlock.startInformation`. */
  readonly startInformation: { readonly address: number; readonly size: number }
  /** By name in lower case. */
  readonly dataBlocks: ReadonlyMap<string, { readonly address: number; readonly size: number }>
  /** What must stand in memory before anything runs. */
  readonly constants: readonly { readonly address: number; readonly bytes: Uint8Array }[]
  /** Blocks by the number that faults name them with. */
  readonly blockNumbers: readonly string[]
  readonly stackTop: number
  /** What the module imports besides the functions of the host itself. */
  readonly routines: readonly ImportedFunction[]
}

const scratchSize = 65_536
const pageSize = 65_536
const defaultStack = 1024 * 1024
/** A look at the clock every so many rounds of loops: a few milliseconds. */
export const roundsBetweenLooks = 1_000_000

type NamedBlock = LinkInput['blocks'][number]

/** Functions of the system that the blocks call, and that these call: timers, counters, edges, texts. */
function systemBlocks(blocks: readonly NamedBlock[]): NamedBlock[] {
  const prefix = `function:${functionSymbol('$')}`
  const found = new Map<string, NamedBlock>()
  const look = (from: readonly NamedBlock[]) => {
    const names = new Set<string>()
    for (const { compiled } of from)
      for (const { symbol } of compiled.function.relocations)
        if (symbol.startsWith(prefix)) names.add(symbol.slice(prefix.length - 1))
    const added = [...names].flatMap((name) => {
      const code = found.has(name) ? undefined : systemBlock(name)
      return code ? [{ name, compiled: compileBlock(code) }] : []
    })
    for (const one of added) found.set(one.name, one)
    if (added.length > 0) look(added)
  }
  look(blocks)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What the host calls before it runs a block: takes the clock in nanoseconds. */
function beginFunction(): CompiledFunction {
  const out = new FunctionEmitter([ValueType.i64], [])
  out.get(0)
  out.setGlobal(globalNames.now)
  out.i32(roundsBetweenLooks)
  out.setGlobal(globalNames.rounds)
  const code = out.finish()
  const { locals, relocations } = out
  return { name: beginSymbol, type: { parameters: [ValueType.i64], results: [] }, locals, code, relocations }
}

/** Links a program. */
export function link({
  blocks: own,
  dataBlocks,
  areas = defaultAreas,
  stackSize = defaultStack,
}: LinkInput): LinkedProgram {
  const blocks = [...own, ...systemBlocks(own)]
  const addresses = new Map<string, number>([[scratchSymbol, 0]])
  let next = scratchSize
  const place = (symbol: string, size: number) => {
    const address = next
    addresses.set(symbol, address)
    next = Math.ceil((address + size) / 16) * 16
    return { address, size }
  }
  const areaMap = {
    I: place('I', areas.I),
    Q: place('Q', areas.Q),
    M: place('M', areas.M),
    PI: place('PI', areas.I),
    PQ: place('PQ', areas.Q),
    T: place('T', s5Timers.count * s5Timers.size),
    C: place('C', s5Counters.count * s5Counters.size),
  }
  const startInformation = place(startInformationSymbol, startInformationSize)
  const data = new Map<string, { address: number; size: number }>()
  for (const { name, size } of dataBlocks) data.set(name.toLowerCase(), place(`block ${name.toLowerCase()}`, size))
  const constants: { address: number; bytes: Uint8Array }[] = []
  for (const { compiled } of blocks)
    for (const [symbol, bytes] of compiled.constants)
      if (!addresses.has(symbol)) constants.push({ address: place(symbol, bytes.length).address, bytes })
  addresses.set(stackLimitSymbol, next)
  const stackTop = next + stackSize
  const pages = Math.ceil(stackTop / pageSize)
  for (const [number, { name }] of blocks.entries()) addresses.set(numberSymbol(name), number)

  const routines = new Map<string, ImportedFunction>()
  for (const { compiled } of blocks) for (const routine of compiled.routines) routines.set(routine.name, routine)
  const global = (name: string, start: number): GlobalVariable => ({ name, type: ValueType.i32, start })
  const wasm = writeModule({
    imports: [...hostFunctions, ...routines.values()],
    functions: [...blocks.map(({ compiled }) => compiled.function), beginFunction()],
    globals: [
      global(globalNames.eno, 1),
      global(globalNames.failed, 0),
      global(globalNames.stack, stackTop),
      global(globalNames.rounds, roundsBetweenLooks),
      { name: globalNames.now, type: ValueType.i64, start: 0 },
    ],
    exports: [...blocks.map(({ name }) => functionSymbol(name)), beginSymbol],
    addresses,
    memoryPages: pages,
  })
  return {
    wasm,
    pages,
    areas: areaMap,
    startInformation,
    dataBlocks: data,
    constants,
    blockNumbers: blocks.map(({ name }) => name),
    stackTop,
    routines: [...routines.values()],
  }
}
