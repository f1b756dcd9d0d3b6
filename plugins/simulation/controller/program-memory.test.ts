/** The data of a program over restart, reset and load. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProgramMemory } from './program-memory.ts'

const area = (address: number) => ({ address, size: 4 })
const part = (address: number, ...list: number[]) => ({ address, bytes: Uint8Array.from(list) })

/** A program whose memory is full of 16#EE. */
function filled(fill = 0xee) {
  const [I, Q, M, PI, PQ, T, C] = [0, 4, 8, 12, 16, 20, 24].map(area)
  const memory = new ProgramMemory({
    linked: { areas: { I, Q, M, PI, PQ, T, C } },
    memory: { buffer: new ArrayBuffer(64) },
    dataBlocks: [
      {
        ...{ address: 40, size: 6 },
        retentive: [
          [41, 2],
          [45, 1],
        ],
      },
      { address: 30, size: 4, retentive: [] },
      { address: 50, size: 2, retentive: [] },
    ],
    image: [part(30, 1, 2), part(33, 3), part(40, 4, 5, 6, 7), part(45, 8), part(28, 9), part(36, 9)],
  } as unknown as ConstructorParameters<typeof ProgramMemory>[0])
  memory.bytes.fill(fill)
  return memory
}

/** Four bytes a word. */
const words = ({ bytes }: ProgramMemory) => Buffer.from(bytes).toString('hex').match(/.{8}/g)
const [same, none] = ['eeeeeeee', '00000000']

test('a restart gives start values to what is not retentive, a reset to all; the periphery of inputs stays', () => {
  const restarted = filled()
  restarted.restart(2)
  const head = [none, none, 'eeee0000', same, none, none, none, 'eeee0102', '0003eeee', same]
  assert.deepEqual(words(restarted), [...head, '04eeee07', '00eeeeee', 'eeee0000', same, same, same])
  const whole = filled()
  whole.restart(99)
  assert.equal(words(whole)?.[2], same, 'all flags')
  const reset = filled()
  reset.reset()
  head[2] = none
  assert.deepEqual(words(reset), [...head, '04050607', '0008eeee', 'eeee0000', same, same, same])
})

test('values move to another program: bytes, single bits, elements of arrays', () => {
  const next = filled(0)
  const old = Uint8Array.from({ length: 64 }, (_, i) => i)
  const bit = { from: 8, to: 7, fromBit: 1, toBit: 0, size: 0 }
  next.takeOver(old, [
    { from: 10, to: 2, size: 2 },
    { from: 7, to: 6, fromBit: 2, toBit: 5, size: 0 },
    bit,
    { from: 20, to: 40, count: 2, fromStride: 4, toStride: 3, each: [{ from: 1, to: 0, size: 2 }] },
  ] as unknown as Parameters<ProgramMemory['takeOver']>[1])
  assert.deepEqual(words(next)?.slice(0, 2), ['00000a0b', '00002000'])
  assert.deepEqual(words(next)?.slice(10, 12), ['15160019', '1a000000'])
  next.bytes[7] = 0xff
  next.takeOver(old, [bit] as unknown as Parameters<ProgramMemory['takeOver']>[1])
  assert.equal(next.bytes[7], 0xfe)
})
