/** For tests of tags: a program from SCL, and a controller that consists only of its memory. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'eventemitter3'
import { compileProgram } from '../plc/compiler/compile-program.ts'
import { interfaceFacts } from '../plc/compiler/interfaces.ts'
import { blobHash, decodeProgram, encodeProgram } from '../plc/compiler/program-file.ts'
import { readSource } from '../plc/formats/source/read.ts'
import type {
  Controller,
  ControllerEvents,
  LoadedProgram,
  MemoryRange,
  MemoryWrite,
} from '../plugins/simulation/controller/contract.ts'

/** `Name : Type at %I0.0` for each tag. */
export type TestTags = Readonly<Record<string, readonly [type: string, address: string]>>

/** Compiles a source. The program is written to a file and read again, as it is for controllers. */
export async function loadedProgram(source: string, tags: TestTags = {}): Promise<LoadedProgram> {
  const { blocks, faults } = readSource(`${source}\nORGANIZATION_BLOCK "Main"\nBEGIN\nEND_ORGANIZATION_BLOCK\n`)
  assert.deepEqual(faults, [])
  const { program, objects, others } = compileProgram({
    documents: blocks.map(({ object }) => {
      return { object, document: blobHash(object.text ?? ''), facts: interfaceFacts(object) }
    }),
    tables: [
      {
        name: 'Tags',
        tags: Object.entries(tags).map(([name, [dataType, address]]) => ({ name, dataType, logicalAddress: address })),
        constants: [],
      },
    ],
    compiler: 'this one',
    unitsOf: () => [],
  })
  assert.ok(program, JSON.stringify([...objects.flatMap(({ diagnostics }) => diagnostics), ...others]))
  const { hash, blobs } = encodeProgram(program, 'this one')
  const bytes = new Map(blobs.map((blob) => [blob.hash, blob.bytes]))
  const compiled = await decodeProgram(hash, async (blob) => bytes.get(blob) as Uint8Array)
  return { hash, package: { hash, manifest: '{}' }, compiled, symbols: compiled.symbols }
}

export interface TestController extends Controller {
  readonly memory: Uint8Array
  /** Ranges and writes that were requested. */
  readonly asked: { readonly reads: (readonly MemoryRange[])[]; readonly writes: (readonly MemoryWrite[])[] }
  /** Replaces its program, also by none. */
  replace(program: LoadedProgram | undefined): void
}

/** Makes memory with start values; reads and writes take effect immediately. */
export function memoryController(program: LoadedProgram): TestController {
  const asked: TestController['asked'] = { reads: [], writes: [] }
  const events = new EventEmitter<ControllerEvents>()
  const state = { program: undefined as LoadedProgram | undefined, memory: new Uint8Array(0) }
  const load = (next: LoadedProgram | undefined) => {
    state.program = next
    state.memory = new Uint8Array((next?.compiled.linked.pages ?? 0) * 65_536)
    for (const { address, bytes } of next?.compiled.image ?? []) state.memory.set(bytes, address)
  }
  load(program)
  const controller = {
    options: { name: 'PLC_1' },
    state: 'Run',
    events,
    time: Date.UTC(2024, 0, 31, 14, 30),
    get program() {
      return state.program
    },
    get memory() {
      return state.memory
    },
    asked,
    replace(next: LoadedProgram | undefined) {
      load(next)
      events.emit('program', next?.hash)
    },
    async read(ranges: readonly MemoryRange[]) {
      asked.reads.push(ranges)
      const bytes = ranges.map(({ address, size }) => state.memory.slice(address, address + size))
      return { bytes, cycle: 1, time: controller.time }
    },
    async write(writes: readonly MemoryWrite[]) {
      asked.writes.push(writes)
      for (const { address, bytes, mask } of writes)
        if (mask === undefined) state.memory.set(bytes, address)
        else state.memory[address] = ((state.memory[address] ?? 0) & ~mask) | ((bytes[0] ?? 0) & mask)
    },
  }
  return controller as unknown as TestController
}
