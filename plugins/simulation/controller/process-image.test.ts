/** The process image (docs/plc-semantics.md#cycle) on a memory of a few bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Extent } from '../../../plc/compiler/codegen/image-use.ts'
import { testOptions } from '../../../test/controller.ts'
import type { ControllerOptions } from './contract.ts'
import { ProcessImage } from './process-image.ts'

const areas = { I: 0, Q: 16, M: 32, PI: 48, PQ: 64 }
const size = 8

/** An image whose program uses these bytes; each area has 8. */
function imageOf(use: { I: Extent; Q: Extent }, options: Partial<ControllerOptions> = {}, blocks: object[] = []) {
  const memory = new Uint8Array(80)
  const copy = (to: number, from: number, length: number) => void memory.copyWithin(to, from, from + length)
  const linked = Object.fromEntries(Object.entries(areas).map(([name, address]) => [name, { address, size }]))
  const program = { areas: linked, image: use } as never
  const image = new ProcessImage(memory, copy, program, testOptions('', options), blocks as never)
  const of = (area: keyof typeof areas) => [...memory.subarray(areas[area], areas[area] + size)]
  const set = (area: keyof typeof areas, ...bytes: number[]) => memory.set(bytes, areas[area])
  /** Bytes at a place of an area, as a write or force. */
  const at = (area: keyof typeof areas, byte: number, ...bytes: number[]) => ({
    ...{ address: areas[area] + byte, bytes: Uint8Array.from(bytes), key: `${area}${byte}` },
  })
  return { image, memory, of, set, at }
}
const none: { I: Extent; Q: Extent } = { I: [0, 0], Q: [0, 0] }
const ones = [1, 1, 1, 1, 1, 1, 1, 1]

test('what the program uses is copied between image and periphery, and what was written from outside', () => {
  const { image, of, set, at } = imageOf({ I: [1, 3], Q: [6, 9] })
  set('PI', ...ones)
  set('Q', ...ones)
  image.update()
  assert.deepEqual(
    [of('I'), of('PQ')],
    [
      [0, 1, 1, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 1, 1],
    ],
  )
  image.write([at('PI', 5, 7), at('Q', 4, 9)])
  image.update()
  assert.deepEqual(
    [of('I'), of('PQ')],
    [
      [0, 1, 1, 1, 1, 7, 0, 0],
      [0, 0, 0, 0, 9, 1, 1, 1],
    ],
  )
  // A write to flags, and one across the end of an area, copy nothing else.
  const other = imageOf(none)
  other.set('PI', ...ones)
  other.image.write([other.at('M', 0, 5), { ...other.at('PI', 7, 2), bytes: Uint8Array.of(2, 3) }])
  other.image.update()
  assert.deepEqual(
    [other.of('I'), other.of('M')],
    [
      [0, 0, 0, 0, 0, 0, 0, 2],
      [5, 0, 0, 0, 0, 0, 0, 0],
    ],
  )
})

test('values that another program left are copied from then on', () => {
  const { image, of, set } = imageOf(none)
  set('PI', 0, 4, 0, 6)
  set('PQ', 0, 0, 8)
  image.update()
  assert.deepEqual(of('I'), [0, 0, 0, 0, 0, 0, 0, 0])
  image.valuesTaken()
  image.update()
  assert.deepEqual(
    [of('I'), of('PQ')],
    [
      [0, 4, 0, 6, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0],
    ],
  )
})

test('forces override inputs, outputs and every write, by bits too; when they end the outside is as it was meanwhile', () => {
  const { image, of, set, at } = imageOf({ I: [0, 4], Q: [0, 4] })
  set('PI', 1, 2, 3, 4)
  set('Q', 1, 2, 3, 4)
  const forces = [at('PI', 1, 0xf0), { ...at('PI', 2, 0xff), mask: 0x80 }, at('Q', 1, 9), at('PQ', 2, 8)]
  image.setForces(forces)
  assert.equal(image.forces, forces)
  image.update()
  assert.deepEqual(
    [of('I').slice(0, 4), of('PQ').slice(0, 4)],
    [
      [1, 0xf0, 0x83, 4],
      [1, 9, 8, 4],
    ],
  )
  set('Q', 5, 5, 5, 5)
  image.write([at('PI', 0, 11, 12, 13, 14), { ...at('PI', 1, 0xff), mask: 1 }])
  image.update()
  assert.deepEqual(
    [of('I').slice(0, 4), of('PQ').slice(0, 4)],
    [
      [11, 0xf0, 0x8d, 14],
      [5, 9, 8, 5],
    ],
  )
  image.setForces([])
  image.update()
  assert.deepEqual(of('PI').slice(0, 4), [11, 13, 13, 14])
  assert.deepEqual(of('I').slice(0, 4), [11, 13, 13, 14])
})

test('modifications are written at their point of the cycle, once or each time', () => {
  const { image, of, at } = imageOf(none)
  image.setModifications([
    { ...at('M', 0, 1), at: 'cycleStart', once: true },
    { ...at('M', 1, 2), at: 'cycleStart' },
    { ...at('M', 2, 3), at: 'cycleEnd', once: true },
  ] as never)
  const flags = () => of('M').slice(0, 3)
  image.modify('cycleEnd' as never)
  assert.deepEqual(flags(), [0, 0, 3])
  image.modify('cycleStart' as never)
  assert.deepEqual(flags(), [1, 2, 3])
  image.write([at('M', 0, 0, 0, 0)])
  for (const point of ['cycleStart', 'cycleEnd']) image.modify(point as never)
  assert.deepEqual(flags(), [0, 2, 0])
  assert.equal(image.modifications.length, 1)
})

test('outputs in STOP and HOLD: 0 or as they were, forces stay; HOLD gives them back', () => {
  for (const [outputsInStop, stopped] of [
    ['Off', [0, 7, 0, 0, 0, 0, 0, 0]],
    ['Keep', [1, 7, 1, 1, 1, 1, 1, 1]],
  ] as const) {
    const { image, of, set, at } = imageOf({ I: [0, 0], Q: [0, 8] }, { outputsInStop } as never)
    set('Q', ...ones)
    image.setForces([at('PQ', 1, 7)])
    image.update()
    image.hold()
    assert.deepEqual(of('PQ'), stopped, outputsInStop)
    image.continue()
    assert.deepEqual(of('PQ'), [1, 7, 1, 1, 1, 1, 1, 1])
    image.outputsOff()
    image.continue()
    assert.deepEqual(of('PQ'), stopped, 'only what HOLD kept is given back')
  }
})

test('partitions have their bytes alone; inputs of a module that is pulled are 0', () => {
  const { image, of, set } = imageOf({ I: [0, 6], Q: [0, 6] }, {
    processImagePartitions: {
      1: { inputs: [{ firstByte: 2, bytes: 2 }], outputs: [{ firstByte: 1, bytes: 1 }] },
    },
    pulledModules: [{ inputs: [{ firstByte: 5, bytes: 4 }] }],
  } as never)
  set('PI', ...ones)
  set('Q', ...ones)
  image.update()
  assert.deepEqual(
    [of('I'), of('PQ')],
    [
      [1, 1, 0, 0, 1, 0, 0, 0],
      [1, 0, 1, 1, 1, 1, 0, 0],
    ],
  )
  assert.deepEqual(of('PI'), [1, 1, 1, 1, 1, 0, 0, 0])
  image.readInputs(1)
  image.writeOutputs(1)
  image.readInputs(2)
  assert.deepEqual(
    [of('I'), of('PQ')],
    [
      [1, 1, 1, 1, 1, 0, 0, 0],
      [1, 1, 1, 1, 1, 1, 0, 0],
    ],
  )
})

test('clock memory: half periods of 10 Hz to 0.5 Hz; system memory: first scan, diagnostics, 1, 0, the rest is kept', () => {
  const { image, of, set } = imageOf(none, { clockMemoryByte: 0, systemMemoryByte: 7 })
  const clock = (milliseconds: number) => {
    image.setClock(milliseconds * 1e6)
    return of('M')[0]
  }
  assert.deepEqual([0, 49, 50, 99, 100].map(clock), [0, 0, 1, 1, 2])
  for (const ms of [200, 250, 400, 500, 800, 1000, 1999, 1234]) {
    const halves = [50, 100, 200, 250, 400, 500, 800, 1000]
    assert.equal(
      clock(ms),
      halves.reduce((bits, half, i) => bits + (Math.floor(ms / half) % 2) * 2 ** i, 0),
    )
  }
  set('M', 0, 0, 0, 0, 0, 0, 0, 0xab)
  const system = (isFirst: boolean, isChanged: boolean) => {
    image.setSystem(isFirst, isChanged)
    return of('M')[7]
  }
  assert.deepEqual([system(true, false), system(false, true), system(false, false)], [0xa5, 0xa6, 0xa4])
  // A byte beyond the flags is none.
  const beyond = imageOf(none, { clockMemoryByte: 8, systemMemoryByte: 8 })
  beyond.image.setClock(50e6)
  beyond.image.setSystem(true, true)
  assert.ok(beyond.memory.every((byte) => byte === 0))
})
