/** Runs generated code in tests. */

import { compileBlock } from '../compiler/codegen/function.ts'
import { controlAddress, link, roundsBetweenLooks } from '../compiler/codegen/link.ts'
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { controlCells, functionSymbol } from '../compiler/codegen/symbols.ts'
import type { BlockCode, Expression, Statement } from '../ir/ir.ts'
import type { ScalarType } from '../program/type.ts'

export interface Running {
  readonly program: LinkedProgram
  readonly memory: DataView
  /** Faults in the order they occurred: `block:site`. */
  readonly faults: string[]
  run(block: string, ...parameters: (number | bigint)[]): unknown
  global(name: string): WebAssembly.Global
}

/** Makes a block of its parts. */
export function block(body: readonly Statement[], options: Partial<BlockCode> = {}): BlockCode {
  return {
    name: 'Main',
    kind: 'OB',
    locals: [],
    signature: { parameters: [], results: [] },
    frameSize: 0,
    sites: [],
    ...options,
    body,
  }
}

/** Links and instantiates blocks. */
export function start(
  blocks: readonly BlockCode[],
  dataBlocks: readonly { name: string; size: number }[] = [],
  routines: Readonly<Record<string, (...values: never[]) => unknown>> = {},
  isOptimized = true,
  stackSize = 65_536,
): Running {
  const compiled = blocks.map((one) => ({ name: one.name, compiled: compileBlock(one, isOptimized) }))
  const program = link({ blocks: compiled, dataBlocks, areas: { I: 64, Q: 64, M: 64 }, stackSize })
  const memory = new WebAssembly.Memory({ initial: program.pages, maximum: program.pages, shared: true })
  for (const { address, bytes } of program.constants) new Uint8Array(memory.buffer).set(bytes, address)
  new DataView(memory.buffer).setInt32(controlAddress + controlCells.rounds, roundsBetweenLooks, true)
  const faults: string[] = []
  const host = {
    memory,
    fault: (number: number, site: number) => void faults.push(`${program.blockNumbers[number]}:${site}`),
    watchdog: () => {
      throw new Error('watchdog')
    },
    periphery: () => undefined,
    stackOverflow: () => {
      throw new Error('stack overflow')
    },
    ...routines,
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.concat(program.wasm)), { host })
  return {
    program,
    memory: new DataView(memory.buffer),
    faults,
    run: (name, ...parameters) =>
      (instance.exports[functionSymbol(name)] as (...values: unknown[]) => unknown)(...parameters),
    global: (name) => instance.exports[name] as WebAssembly.Global,
  }
}

/** Makes a function of its parameters: an FC `F` that returns `value`. */
export function functionOf(
  parameters: readonly ScalarType[],
  result: ScalarType,
  value: (...parameters: Expression[]) => Expression,
): BlockCode {
  const given = parameters.map((type, local): Expression => ({ kind: 'local', type, local }))
  return block([{ kind: 'setLocal', local: parameters.length, value: value(...given) }], {
    name: 'F',
    kind: 'FC',
    locals: [...parameters, result],
    signature: {
      parameters: parameters.map((type, i) => ({ name: `p${i}`, type })),
      results: [{ name: 'Ret_Val', type: result }],
    },
  })
}
