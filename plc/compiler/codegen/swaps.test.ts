import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { constant, local, setLocal } from '../../ir/build.ts'
import type { Base, Place, Statement } from '../../ir/ir.ts'
import { Byte, DInt } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { block, start } from '../../testing/codegen.ts'
import { swapAt } from './swaps.ts'

const bases: readonly Base[] = [
  { kind: 'block', block: 'Data' },
  { kind: 'block', block: 'Other' },
  { kind: 'area', area: 'M' },
]
const bytes = (count: number): Type => ({
  kind: 'array',
  element: Byte,
  dimensions: [{ low: 0, high: count - 1 }],
})
/** A place whose index is in register 0 or 1, or that has none. */
const place: fc.Arbitrary<Place> = fc
  .record({
    base: fc.constantFrom(...bases),
    offset: fc.integer({ min: 0, max: 24 }),
    index: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    stride: fc.constantFrom(1, 8, 20),
  })
  .map(({ base, offset, index, stride }) => ({
    base,
    offset,
    indices: index === undefined ? [] : [{ value: local(DInt, index), low: 0, high: 1, stride, isSafe: true, site: 0 }],
    isStandard: false,
  }))

function exchange(type: Type, a: Place, b: Place, held: Place): Statement[] {
  const copy = (from: Place, to: Place): Statement => ({ kind: 'copy', type, from, to, site: 0 })
  return [copy(a, held), copy(b, a), copy(held, b)]
}

/** Memory after statements that run with 0 and 1 in registers. */
function memoryAfter(statements: readonly Statement[]): string {
  const registers = [setLocal(0, constant(DInt, 0n)), setLocal(1, constant(DInt, 1n))]
  const running = start(
    [block([...registers, ...statements], { locals: [DInt, DInt, DInt] })],
    [
      { name: 'Data', size: 200 },
      { name: 'Other', size: 200 },
    ],
  )
  const { areas, dataBlocks } = running.program
  const memory = new Uint8Array(running.memory.buffer)
  const parts = [areas.M, ...dataBlocks.values()]
  for (const { address, size } of parts)
    for (let i = 0; i < size; i++) memory[address + i] = (i * 7 + address / 16) & 255
  running.run('Main')
  return parts.map(({ address, size }) => Buffer.from(memory.slice(address, address + size)).toString('hex')).join()
}

test('property: a swap leaves what its three copies leave one after the other', () => {
  let swaps = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), place, place, place, (size, a, b, held) => {
      const copies = exchange(bytes(size), a, b, held)
      if (swapAt(copies, 0)) swaps++
      const apart = copies.flatMap((copy) => [copy, setLocal(2, constant(DInt, 0n))])
      assert.equal(memoryAfter(copies), memoryAfter(apart))
    }),
    { numRuns: 500 },
  )
  assert.ok(swaps > 50, `${swaps} swaps`)
})

test('what is no swap, or might not be, stays three copies', () => {
  const at = (offset: number, base: Base = { kind: 'block', block: 'Data' }): Place => ({
    base,
    offset,
    indices: [],
    isStandard: false,
  })
  const [a, b, held] = [at(0), at(20), at(0, { kind: 'frame' })]
  const type = bytes(16)
  assert.deepEqual(swapAt(exchange(type, a, b, held), 0), { type, a, b, held })
  assert.equal(swapAt(exchange(type, a, b, at(8)), 0), undefined)
  assert.equal(swapAt(exchange(type, a, b, at(0, { kind: 'instance' })), 0), undefined)
  assert.equal(swapAt(exchange(bytes(4000), at(0), at(4000), held), 0), undefined)
  const pointer: Base = { kind: 'pointer', address: local('address', 0) }
  assert.equal(swapAt(exchange(type, at(0, pointer), b, held), 0), undefined)
  const unsafe: Place = { ...a, indices: [{ value: local(DInt, 0), low: 0, high: 3, stride: 16, site: 0 }] }
  assert.equal(swapAt(exchange(type, unsafe, at(100), held), 0), undefined)
  const [first, second, third] = exchange(type, a, b, held)
  for (const other of [
    [first, third, second],
    [second, first, third],
    [first, second],
    [first, first, third],
  ])
    assert.equal(swapAt(other as Statement[], 0), undefined)
})
