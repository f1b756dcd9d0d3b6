/**
 * Generated code, optimised and plain, does what the intermediate form says: the function blocks of recorded programs
 * run on random data beside an interpreter (testing/ir-interpreter.ts), and memory and faults are compared after each
 * run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, randomFrom } from '../../../test/random.ts'
import { countOf, extentOf, layoutOf, strideOf } from '../../program/layout.ts'
import { linkProgram } from '../../program/link-program.ts'
import type { Access, ScalarType, Type } from '../../program/type.ts'
import { start } from '../../testing/codegen.ts'
import { Interpreter } from '../../testing/ir-interpreter.ts'
import { importedProgram } from '../../testing/program-text.ts'
import { recordedSources, recordedTags } from '../../testing/recorded-programs.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import { controlAddress } from './link.ts'
import { controlCells } from './symbols.ts'

const runs = 20
/** Routines that the host gives. */
const functions = {
  sin: Math.sin,
  ln: Math.log,
  power: Math.pow,
}

/** Small numbers, limits of the type, and any. */
function numberOf({ bits, isSigned, family }: ScalarType, random: Random): bigint | number {
  const choice = random()
  if (family === 'real')
    return choice < 0.5 ? Math.floor(random() * 41 - 20) / 4 : (random() - 0.5) * 10 ** Math.floor(random() * 20)
  const size = 1n << BigInt(bits)
  const small = BigInt(Math.floor(random() * 14)) - (isSigned && bits > 1 ? 3n : 0n)
  if (choice < 0.7) return small
  if (choice < 0.8) return isSigned ? -(size / 2n) : 0n
  if (choice < 0.9) return isSigned ? size / 2n - 1n : size - 1n
  return BigInt(Math.floor(random() * 2 ** 48))
}

/** Fills a value with random data. */
function fill(machine: Interpreter, type: Type, access: Access, address: number, random: Random, bit?: number): void {
  switch (type.kind) {
    case 'scalar':
      machine.store(type, { address, bit }, access === 'standard', numberOf(type, random))
      return
    case 'struct': {
      const { offsets } = layoutOf(type.members, access)
      for (const [i, member] of type.members.entries()) {
        const { byte = 0, bit: at } = offsets[i] ?? {}
        fill(machine, member.type, access, address + byte, random, at)
      }
      return
    }
    case 'array': {
      const { size, isBits } = strideOf(type, access)
      for (let i = 0; i < countOf(type); i++)
        if (isBits) fill(machine, type.element, access, address + (i >> 3), random, i & 7)
        else fill(machine, type.element, access, address + i * size, random)
      return
    }
    default:
  }
}

const programs = ['codegen', 'behaviour'].flatMap(recordedSources).filter(({ file }) => !file.endsWith('swaps.scl'))
const others = recordedSources('lower').filter(({ file }) => /(slices|statements)\.scl$/.test(file))

for (const { file, bytes } of [...programs, ...others])
  for (const isOptimized of [true, false])
    test(`${file} does what its intermediate form says, ${isOptimized ? 'optimised' : 'plain'}`, async (t) => {
      const { objects } = await importedProgram(bytes, file)
      const program = linkProgram(
        objects.map((object) => ({ object })),
        [recordedTags],
      )
      const blocks = [...program.blocks.values()]
      const codes = blocks
        .filter(({ kind }) => !kind.endsWith('DB'))
        .map((block) => {
          const { code } = lowerBlock(program, block)
          assert.ok(code)
          return code
        })
      const instances = blocks.filter(
        ({ kind, members }) => kind === 'FB' && !members.some(({ section }) => section === 'InOut'),
      )
      const data = [
        ...blocks.filter(({ kind }) => kind.endsWith('DB')).map(({ name, type, access }) => ({ name, type, access })),
        ...instances.map(({ name, type, access }) => ({ name: `${name} data`, type, access })),
      ].map((one) => ({ ...one, size: one.type ? extentOf(one.type, one.access).size : 0 }))
      const imported = Object.fromEntries(Object.entries(functions).map(([name, run]) => [`math.${name}`, run]))
      // No round is left, so that loops look whether they may go on, and write their registers to memory, each turn.
      const running = start(codes, data, { ...imported, watchdog: () => undefined }, isOptimized)
      const memory = new Uint8Array(running.memory.buffer)
      const random = randomFrom(7)
      let compared = 0
      for (let run = 0; run < runs; run++)
        for (const { name } of instances) {
          const own = running.program.dataBlocks.get(`${name} data`.toLowerCase())
          assert.ok(own)
          running.faults.length = 0
          const filler = new Interpreter([], running.program, running.memory)
          for (const { name: block, type, access } of data) {
            const at = running.program.dataBlocks.get(block.toLowerCase())?.address ?? 0
            const shown: Type | undefined =
              type?.kind === 'instance' ? { kind: 'struct', isSystem: false, members: type.members } : type
            if (shown) fill(filler, shown, access, at, random)
          }
          for (const area of ['I', 'Q', 'M'] as const)
            for (let i = 0; i < 32; i++) memory[running.program.areas[area].address + i] = Math.floor(random() * 256)
          const copy = memory.slice()
          const machine = new Interpreter(codes, running.program, new DataView(copy.buffer), functions)
          try {
            machine.run(name, own.address, [])
          } catch (error) {
            // Too many rounds, or an address outside: not for this comparison.
            if (error instanceof Error && /endless|not compared|no routine/.test(error.message)) continue
            throw error
          }
          compared++
          running.memory.setInt32(controlAddress + controlCells.rounds, 0, true)
          running.run(name, own.address)
          const same = (what: string, { address, size }: { readonly address: number; readonly size: number }) => {
            const [one, other] = [memory, copy].map((all) => Buffer.from(all.slice(address, address + size)))
            if (!one?.equals(other!)) assert.deepEqual([...(one ?? [])], [...(other ?? [])], `${what}, run ${run}`)
          }
          for (const [block, place] of running.program.dataBlocks) same(block, place)
          for (const area of ['I', 'Q', 'M'] as const) same(area, running.program.areas[area])
          assert.deepEqual(running.faults, machine.faults, `faults of run ${run}`)
        }
      t.diagnostic(`${compared} runs compared`)
      assert.ok(compared > 0)
    })
