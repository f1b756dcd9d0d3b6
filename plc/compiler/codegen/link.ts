/**
 * Links the functions of all blocks to one module and lays out the memory: scratch, process images, flags, data blocks,
 * constants, stack.
 *
 * ```
 * 0        64 Ki     scratch: read and written when an index is wrong but an address is needed
 * 64 Ki    16        clock, rounds of loops until the next look (controlCells)
 *          …         I, Q, M, periphery inputs and outputs, S5 timers and counters
 *          …         start information of organization blocks
 *          …         data blocks, one after the other, at multiples of 16
 *          …         constants (texts)
 *          …         stack of frames, growing down; behind it those of interrupting blocks
 * ```
 */
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { s5Counters, s5Timers } from '../../library/s5-blocks.ts'
import { systemBlock } from '../../library/system-blocks.ts'
import { type AreaSizes, defaultAreas } from '../../program/memory-areas.ts'
import { startInformationSize } from '../../program/organization-blocks.ts'
import { type CompiledFunction, type GlobalVariable, type ImportedFunction, ModuleFrame } from '../wasm/module.ts'
import { ValueType } from '../wasm/opcodes.ts'
import { type CompiledBlock, compileBlock } from './function.ts'
import { usedImage } from './image-use.ts'
import { withInlinedCalls } from './inline.ts'
import type { LinkedProgram } from './linked-program.ts'
import { scratchSymbol, startInformationSymbol } from './places.ts'
import { controlCells, controlSymbol, functionSymbol, globalNames, hostFunctions, numberSymbol } from './symbols.ts'

export interface LinkInput {
  readonly blocks: readonly { readonly name: string; readonly compiled: CompiledBlock }[]
  readonly dataBlocks: readonly { readonly name: string; readonly size: number }[]
  readonly areas?: AreaSizes
  /** Size of the stack of frames in bytes. */
  readonly stackSize?: number
  /** The result of the last link of the same program; the parts that are still valid are reused. */
  readonly before?: LinkedProgram | undefined
}

const scratchSize = 65_536
const pageSize = 65_536
/** Address of the control cells. */
export const controlAddress = scratchSize
const defaultStack = 1024 * 1024
/** Ranges of stack behind the main one, for blocks that interrupt others: one for each priority, 64 KiB as S7-1500. */
export const interruptStacks = { count: 25, size: 65_536 }
/** Rounds of loops between two looks at the clock: a few milliseconds. */
export const roundsBetweenLooks = 1_000_000

type NamedBlock = LinkInput['blocks'][number]

const systemPrefix = `function:${functionSymbol('$')}`
const startInformationAddress = `address:${startInformationSymbol}`

/** What the code of a block refers to outside of it. */
interface References {
  /** Names of library functions. */
  readonly systemNames: readonly string[]
  readonly readsStartInformation: boolean
}

const knownReferences = new WeakMap<CompiledBlock, References>()

function referencesOf(compiled: CompiledBlock): References {
  const known = knownReferences.get(compiled)
  if (known) return known
  const names = new Set<string>()
  let readsStartInformation = false
  for (const { symbol } of compiled.function.relocations)
    if (symbol.startsWith(systemPrefix)) names.add(symbol.slice(systemPrefix.length - 1))
    else if (symbol === startInformationAddress) readsStartInformation = true
  const found = { systemNames: [...names], readsStartInformation }
  knownReferences.set(compiled, found)
  return found
}

/**
 * Largest number of library functions that are cached: their names contain the layout of their data, so the number of
 * names is unlimited.
 */
const mostSystemBlocks = 2000
const systemBlocksByName = new LRUCache<string, CompiledBlock>({ max: mostSystemBlocks })

function compiledSystemBlock(name: string): CompiledBlock | undefined {
  const known = systemBlocksByName.get(name)
  if (known) return known
  const code = systemBlock(name)
  if (!code) return undefined
  const compiled = compileBlock(code)
  systemBlocksByName.set(name, compiled)
  return compiled
}

/** Returns the library functions that the blocks call, and those that these call: timers, counters, edges, texts. */
function systemBlocks(blocks: readonly NamedBlock[]): NamedBlock[] {
  const found = new Map<string, NamedBlock>()
  const look = (from: readonly NamedBlock[]) => {
    const added: NamedBlock[] = []
    for (const { compiled: user } of from)
      for (const name of referencesOf(user).systemNames) {
        const compiled = found.has(name) ? undefined : compiledSystemBlock(name)
        if (!compiled) continue
        found.set(name, { name, compiled })
        added.push({ name, compiled })
      }
    if (added.length > 0) look(added)
  }
  look(blocks)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The inputs of a linked program, for the next link. */
interface Linking {
  readonly blocks: readonly NamedBlock[]
  readonly dataBlocks: LinkInput['dataBlocks']
  readonly areas: AreaSizes
  readonly stackSize: number
  readonly frame: ModuleFrame
}

const linkings = new WeakMap<LinkedProgram, Linking>()

/** Links the blocks of a program to one module. */
export function link(input: LinkInput): LinkedProgram {
  const { before } = input
  const blocks = [...input.blocks, ...systemBlocks(input.blocks)]
  const known = before && linkings.get(before)
  if (before && known && isSameMap(known, input, blocks)) {
    if (blocks.every(({ compiled }, i) => compiled === known.blocks[i]?.compiled)) return before
    const wasm = known.frame.module(functionsOf(blocks))
    const image = usedImage(
      blocks.map(({ compiled }) => compiled),
      known.areas,
    )
    const startInformation = { ...before.startInformation, readers: readersOfStartInformation(blocks) }
    const program: LinkedProgram = { ...before, wasm, image, startInformation }
    linkings.set(program, { ...known, blocks })
    return program
  }
  return linkAnew(input, blocks)
}

function readersOfStartInformation(blocks: readonly NamedBlock[]): string[] {
  return blocks.filter(({ compiled }) => referencesOf(compiled).readsStartInformation).map(({ name }) => name)
}

function functionsOf(blocks: readonly NamedBlock[]): CompiledFunction[] {
  return withInlinedCalls(blocks.map(({ compiled }) => compiled.function))
}

/** Whether the memory map is unchanged: the blocks are the same, and at most their code differs in size. */
function isSameMap(known: Linking, input: LinkInput, blocks: readonly NamedBlock[]): boolean {
  const { dataBlocks, areas = defaultAreas, stackSize = defaultStack } = input
  const isSameArea = known.areas.I === areas.I && known.areas.Q === areas.Q && known.areas.M === areas.M
  if (!isSameArea || known.stackSize !== stackSize) return false
  if (known.blocks.length !== blocks.length || known.dataBlocks.length !== dataBlocks.length) return false
  for (const [i, { name, size }] of dataBlocks.entries()) {
    const other = known.dataBlocks[i]
    if (other?.name !== name || other.size !== size) return false
  }
  for (const [i, { name, compiled }] of blocks.entries()) {
    const other = known.blocks[i]
    if (other?.name !== name || (other.compiled !== compiled && !isSameShape(other.compiled, compiled))) return false
  }
  return true
}

/** Whether two blocks differ in nothing but their code. */
function isSameShape(a: CompiledBlock, b: CompiledBlock): boolean {
  return (
    a.function.name === b.function.name &&
    isDeepStrictEqual(a.function.type, b.function.type) &&
    isDeepStrictEqual(a.routines, b.routines) &&
    isDeepStrictEqual([...a.constants], [...b.constants])
  )
}

function linkAnew(
  { dataBlocks, areas = defaultAreas, stackSize = defaultStack }: LinkInput,
  blocks: readonly NamedBlock[],
): LinkedProgram {
  const addresses = new Map<string, number>([[scratchSymbol, 0]])
  let next = scratchSize
  const place = (symbol: string, size: number) => {
    const address = next
    addresses.set(symbol, address)
    next = Math.ceil((address + size) / 16) * 16
    return { address, size }
  }
  place(controlSymbol, controlCells.size)
  const areaMap = {
    I: place('I', areas.I),
    Q: place('Q', areas.Q),
    M: place('M', areas.M),
    PI: place('PI', areas.I),
    PQ: place('PQ', areas.Q),
    T: place('T', s5Timers.count * s5Timers.size),
    C: place('C', s5Counters.count * s5Counters.size),
  }
  const startInformation = {
    ...place(startInformationSymbol, startInformationSize),
    readers: readersOfStartInformation(blocks),
  }
  const data = new Map<string, { address: number; size: number }>()
  for (const { name, size } of dataBlocks) data.set(name.toLowerCase(), place(`block ${name.toLowerCase()}`, size))
  const constants: { address: number; bytes: Uint8Array }[] = []
  for (const { compiled } of blocks)
    for (const [symbol, bytes] of compiled.constants)
      if (!addresses.has(symbol)) constants.push({ address: place(symbol, bytes.length).address, bytes })
  const stackLimit = next
  const stackTop = next + stackSize
  const pages = Math.ceil((stackTop + interruptStacks.count * interruptStacks.size) / pageSize)
  for (const [number, { name }] of blocks.entries()) addresses.set(numberSymbol(name), number)

  const routines = new Map<string, ImportedFunction>()
  for (const { compiled } of blocks) for (const routine of compiled.routines) routines.set(routine.name, routine)
  const global = (name: string, start: number): GlobalVariable => ({ name, type: ValueType.i32, start })
  const functions = functionsOf(blocks)
  const frame = new ModuleFrame({
    imports: [...hostFunctions, ...routines.values()],
    functions,
    globals: [
      global(globalNames.eno, 1),
      global(globalNames.failed, 0),
      global(globalNames.stack, stackTop),
      global(globalNames.limit, stackLimit),
    ],
    exports: blocks.map(({ name }) => functionSymbol(name)),
    addresses,
    memoryPages: pages,
  })
  const program: LinkedProgram = {
    wasm: frame.module(functions),
    pages,
    areas: areaMap,
    image: usedImage(
      blocks.map(({ compiled }) => compiled),
      areas,
    ),
    startInformation,
    dataBlocks: data,
    constants,
    blockNumbers: blocks.map(({ name }) => name),
    stackTop,
    routines: [...routines.values()],
  }
  linkings.set(program, { blocks, dataBlocks, areas, stackSize, frame })
  return program
}
