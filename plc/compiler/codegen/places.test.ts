/** Memory: byte order, bits, checked indices, copies between the layouts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { extentOf, layoutOf, strideOf } from '../../program/layout.ts'
import {
  Bool,
  Byte,
  Char,
  DInt,
  DWord,
  Int,
  LInt,
  LReal,
  Real,
  SInt,
  UDInt,
  UInt,
  ULInt,
  Word,
} from '../../program/scalars.ts'
import type { Access, ArrayType, Member, ScalarType, StructType, Type } from '../../program/type.ts'
import { block, functionOf, type Running, start } from '../../testing/codegen.ts'

const scalars = [Bool, Byte, SInt, Int, UInt, Word, DInt, UDInt, DWord, LInt, ULInt, Real, LReal, Char]
const data = (isStandard: boolean, offset = 0, more: Partial<Place> = {}): Place => ({
  base: { kind: 'block', block: 'Data' },
  offset,
  indices: [],
  isStandard,
  ...more,
})
const copyOf = (type: ScalarType, from: Place, to: Place): Statement => ({
  kind: 'store',
  place: to,
  type,
  value: { kind: 'load', type, place: from },
  site: 0,
})

/** Reads a scalar in a layout; for a Bool of standard layout the bit `bit`. */
function peek({ memory, program }: Running, name: string, type: ScalarType, byte: number, access: Access, bit = 0) {
  const at = (program.dataBlocks.get(name.toLowerCase())?.address ?? 0) + byte
  const isLittle = access === 'optimized'
  if (type.bits === 1) return isLittle ? memory.getUint8(at) : (memory.getUint8(at) >> bit) & 1
  if (type.family === 'real')
    return type.bits === 32 ? memory.getFloat32(at, isLittle) : memory.getFloat64(at, isLittle)
  if (type.bits === 64) return type.isSigned ? memory.getBigInt64(at, isLittle) : memory.getBigUint64(at, isLittle)
  if (type.bits === 32) return type.isSigned ? memory.getInt32(at, isLittle) : memory.getUint32(at, isLittle)
  if (type.bits === 16) return type.isSigned ? memory.getInt16(at, isLittle) : memory.getUint16(at, isLittle)
  return type.isSigned ? memory.getInt8(at) : memory.getUint8(at)
}

function poke({ memory, program }: Running, name: string, bytes: readonly number[], byte = 0): void {
  const at = (program.dataBlocks.get(name.toLowerCase())?.address ?? 0) + byte
  for (const [i, value] of bytes.entries()) memory.setUint8(at + i, value)
}

test('every scalar goes from either layout to either layout', () => {
  for (const type of scalars)
    for (const from of ['optimized', 'standard'] as const)
      for (const to of ['optimized', 'standard'] as const) {
        const bit = type.bits === 1 ? 5 : undefined
        const place = (access: Access, offset: number) =>
          data(access === 'standard', offset, access === 'standard' && bit !== undefined ? { bit } : {})
        const running = start([block([copyOf(type, place(from, 3), place(to, 20))])], [{ name: 'Data', size: 32 }])
        const bytes =
          type === Bool
            ? [from === 'standard' ? 0x20 : 1]
            : [0xc1, 0x42, 0x83, 0x04, 0x85, 0x16, 0x67, 0x38].slice(0, type.bits / 8)
        poke(running, 'Data', bytes, 3)
        running.run('Main')
        const wanted = peek(running, 'Data', type, 3, from, bit)
        assert.ok(Object.is(peek(running, 'Data', type, 20, to, bit), wanted), `${type.name} ${from} ${to}`)
      }
})

test('a bit is written without touching the others', () => {
  for (let bit = 0; bit < 8; bit++)
    for (const value of [0n, 1n]) {
      const store: Statement = {
        kind: 'store',
        place: data(true, 1, { bit }),
        type: Bool,
        value: { kind: 'constant', type: Bool, value },
        site: 0,
      }
      const running = start([block([store])], [{ name: 'Data', size: 4 }])
      poke(running, 'Data', [0xa5, 0x5a, 0xa5])
      running.run('Main')
      const wanted = value === 1n ? 0x5a | (1 << bit) : 0x5a & ~(1 << bit)
      assert.equal(peek(running, 'Data', Byte, 1, 'standard'), wanted)
      assert.deepEqual(
        [peek(running, 'Data', Byte, 0, 'standard'), peek(running, 'Data', Byte, 2, 'standard')],
        [0xa5, 0xa5],
      )
    }
})

const index = (value: Expression, low: number, high: number, stride: number, isBits?: boolean) => ({
  value,
  low,
  high,
  stride,
  site: 7,
  ...(isBits ? { isBits } : {}),
})

test('indices are checked: outside a read gives 0, a write is left out, and the fault names the place', () => {
  const element = (value: Expression): Place => data(false, 4, { indices: [index(value, -2, 3, 2)] })
  const read = functionOf([DInt], Int, (i) => ({ kind: 'load', type: Int, place: element(i) }))
  const write = {
    ...functionOf([DInt], Int, (i) => i),
    name: 'W',
    body: [
      {
        kind: 'store',
        place: element({ kind: 'local', type: DInt, local: 0 }),
        type: Int,
        value: { kind: 'constant', type: Int, value: 77n },
        site: 7,
      },
    ] as Statement[],
  }
  const running = start([read, write], [{ name: 'Data', size: 32 }])
  for (let i = 0; i < 32; i += 2) poke(running, 'Data', [i, 0], i)
  for (let i = -2; i <= 3; i++) assert.equal(running.run('F', i), 4 + 2 * (i + 2))
  assert.deepEqual(running.faults, [])
  for (const i of [-3, 4, -(2 ** 31), 2 ** 31 - 1]) assert.equal(running.run('F', i), 0)
  running.run('W', 4)
  assert.deepEqual(running.faults, ['F:7', 'F:7', 'F:7', 'F:7', 'W:7'])
  assert.equal(peek(running, 'Data', Int, 16, 'optimized'), 16)
  running.run('W', 3)
  assert.equal(peek(running, 'Data', Int, 14, 'optimized'), 77)
})

test('a 64-bit index that does not fit 32 bits is outside, not somewhere else', () => {
  const read = functionOf([LInt], Byte, (i) => ({
    kind: 'load',
    type: Byte,
    place: data(false, 0, { indices: [index(i, 0, 9, 1)] }),
  }))
  const running = start([read], [{ name: 'Data', size: 16 }])
  poke(running, 'Data', [11, 12])
  assert.equal(running.run('F', 1n), 12)
  for (const i of [2n ** 32n, 2n ** 32n + 1n, -(2n ** 63n), 2n ** 63n - 1n, -1n]) assert.equal(running.run('F', i), 0)
  assert.equal(running.faults.length, 5)
})

test('property: bits of packed arrays are found by any index, in two dimensions too', () => {
  const place = (i: Expression, j: Expression): Place =>
    data(true, 2, { bit: 3, indices: [index(i, 1, 5, 7, true), index(j, 0, 6, 1, true)] })
  const read = functionOf([DInt, DInt], Bool, (i, j) => ({ kind: 'load', type: Bool, place: place(i, j) }))
  const store: Statement = {
    kind: 'store',
    place: place({ kind: 'local', type: DInt, local: 0 }, { kind: 'local', type: DInt, local: 1 }),
    type: Bool,
    value: { kind: 'constant', type: Bool, value: 1n },
    site: 0,
  }
  const write = { ...functionOf([DInt, DInt], Bool, (i) => i), name: 'W', body: [store] }
  const running = start([read, write], [{ name: 'Data', size: 16 }])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 6 }), (i, j) => {
      poke(running, 'Data', new Array(16).fill(0))
      running.run('W', i, j)
      const bit = 3 + (i - 1) * 7 + j
      assert.equal(peek(running, 'Data', Byte, 2 + (bit >> 3), 'standard'), 1 << (bit & 7))
      assert.equal(running.run('F', i, j), 1)
    }),
  )
})

const members = (types: readonly Type[]): Member[] =>
  types.map((type, i) => ({ name: `m${i}`, type, section: 'None' as const, isRetentive: false, comment: '' }))

/** Types of any shape for copies. */
const anyType: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Type>(...scalars),
    fc.record({ kind: fc.constant('string' as const), isWide: fc.boolean(), length: fc.integer({ min: 1, max: 9 }) }),
    fc.constant<Type>({ kind: 'dateAndTime' }),
    fc.tuple(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }), tie('type')).map(
      ([sizes, element]): ArrayType => ({
        kind: 'array',
        dimensions: sizes.map((size) => ({ low: 1, high: size })),
        element,
      }),
    ),
    fc
      .array(tie('type'), { minLength: 1, maxLength: 4 })
      .map((types): StructType => ({ kind: 'struct', isSystem: false, members: members(types) })),
  ),
})).type

/** All scalars in a value, read from memory in one order. */
function flat(running: Running, name: string, type: Type, byte: number, access: Access, bit = 0): unknown[] {
  switch (type.kind) {
    case 'scalar':
      return [peek(running, name, type, byte, access, bit)]
    case 'string': {
      const unit = type.isWide ? Word : Byte
      const width = type.isWide ? 2 : 1
      return Array.from({ length: type.length + 2 }, (_one, i) => peek(running, name, unit, byte + i * width, access))
    }
    case 'struct': {
      const { offsets } = layoutOf(type.members, access)
      return type.members.flatMap((member, i) =>
        flat(running, name, member.type, byte + (offsets[i]?.byte ?? 0), access, offsets[i]?.bit),
      )
    }
    case 'array': {
      const count = type.dimensions.reduce((all, { high }) => all * (high ?? 0), 1)
      const { size, isBits } = strideOf(type, access)
      return Array.from({ length: count }, (_one, i) =>
        isBits
          ? flat(running, name, type.element, byte + (i >> 3), access, i & 7)
          : flat(running, name, type.element, byte + i * size, access),
      ).flat()
    }
    default:
      return Array.from({ length: extentOf(type, access).size }, (_one, i) =>
        peek(running, name, Byte, byte + i, access),
      )
  }
}

test('property: whole values keep all their parts from layout to layout', () => {
  fc.assert(
    fc.property(
      anyType,
      fc.infiniteStream(fc.nat(255)),
      fc.boolean(),
      fc.boolean(),
      (type, random, fromStandard, toStandard) => {
        if (type.kind === 'scalar') return
        const access = (isStandard: boolean): Access => (isStandard ? 'standard' : 'optimized')
        const [from, to] = [access(fromStandard), access(toStandard)]
        const copy: Statement = {
          kind: 'copy',
          type,
          from: data(fromStandard),
          to: { ...data(toStandard), base: { kind: 'block', block: 'Other' } },
          site: 0,
        }
        const { size } = extentOf(type, from)
        const running = start(
          [block([copy])],
          [
            { name: 'Data', size },
            { name: 'Other', size: extentOf(type, to).size },
          ],
        )
        const bytes = Array.from({ length: size }, () => random.next().value as number)
        poke(running, 'Data', from === 'optimized' ? bytes.map((byte) => byte & 1) : bytes)
        running.run('Main')
        assert.deepEqual(flat(running, 'Other', type, 0, to), flat(running, 'Data', type, 0, from))
      },
    ),
    { numRuns: 300 },
  )
})

test('frames lie below each other, and an endless recursion is stopped', () => {
  const frame = (offset: number): Place => ({ base: { kind: 'frame' }, offset, indices: [], isStandard: false })
  const inner = block(
    [{ kind: 'store', place: frame(0), type: DInt, value: { kind: 'constant', type: DInt, value: 5n }, site: 0 }],
    { name: 'Inner', kind: 'FC', frameSize: 16 },
  )
  const outer = block(
    [
      { kind: 'store', place: frame(4), type: DInt, value: { kind: 'constant', type: DInt, value: 9n }, site: 0 },
      { kind: 'call', block: 'Inner', arguments: [], results: [], site: 0 },
      copyOf(DInt, frame(4), data(false)),
    ],
    { frameSize: 8 },
  )
  const running = start([inner, outer], [{ name: 'Data', size: 4 }])
  const before = running.global('stack').value
  running.run('Main')
  assert.equal(peek(running, 'Data', DInt, 0, 'optimized'), 9)
  assert.equal(running.global('stack').value, before)
  const endless = block([{ kind: 'call', block: 'Main', arguments: [], results: [], site: 0 }], { frameSize: 64 })
  assert.throws(() => start([endless]).run('Main'), /stack overflow/)
})
