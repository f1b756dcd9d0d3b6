/** SHA2 against Node's own hashes, over bytes that are written here as S7 lays them out under absolute addresses. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { modelBench } from '../../testing/model-bench.ts'

/**
 * A Bool, a Byte, an Int, texts of one and of two bytes a character, Bools in an array, a DTL and a long real number.
 */
const bytes = Buffer.alloc(40)
bytes[0] = 0b1
bytes[1] = 0x9c
bytes.writeInt16BE(-4660, 2)
bytes.set([3, 2, 0x47, 0x61], 4)
bytes.writeUInt16BE(2, 10)
bytes.writeUInt16BE(1, 12)
bytes.writeUInt16BE(0x20ac, 14)
bytes[18] = 0b101
bytes.writeUInt16BE(2031, 20)
bytes.set([7, 9, 4, 11, 22, 33], 22)
bytes.writeUInt32BE(123_456_789, 28)
bytes.writeDoubleBE(-1234.5e-7, 32)

const members = `data : Struct a : Bool; b : Byte; c : Int; d : String[3]; e : WString[2]; f : Array[3..5] of Bool; g : DTL; h : LReal; END_STRUCT;
  hash : Array[2..65] of Byte; short : Array[0..26] of Byte; words : Array[0..40] of Word; none : Array[0..7] of Bool; len : UDInt; bits : UInt;`
const fill = `#data.a := TRUE; #data.b := 16#9C; #data.c := -4660; #data.d := 'Ga'; #data.e := WSTRING#'€';
#data.f[3] := TRUE; #data.f[5] := TRUE; #data.g := DTL#2031-07-09-11:22:33.123456789; #data.h := -1234.5E-7;`

const bench = (isOptimized: boolean, data = '#data', hash = '#hash') =>
  modelBench('SHA2', {
    variables: members,
    before: fill,
    isOptimized,
    call: `Data := ${data}, DataLen := #len, HashLen := #bits, Hash := ${hash}`,
  })

for (const isOptimized of [true, false])
  for (const bits of [224, 256, 384, 512])
    for (const length of [0, 40, 39, 17])
      test(`SHA2 of ${length || 'all'} bytes to ${bits} bits, ${isOptimized ? 'optimized' : 'standard'} access`, () => {
        const { scan, values } = bench(isOptimized)
        scan({ '/bits': bits, '/len': length })
        assert.deepEqual(values('Busy', 'Done', 'Error', 'Status'), [0, 0, 0, 0x7000])
        scan({ REQ: true })
        assert.deepEqual(values('Busy', 'Done', 'Error', 'Status'), [1, 0, 0, 0x7001])
        scan()
        assert.deepEqual(values('Busy', 'Done', 'Error', 'Status'), [0, 1, 0, 0])
        const wanted = createHash(`sha${bits}`)
          .update(bytes.subarray(0, length || 40))
          .digest()
        const got = values(...Array.from({ length: 64 }, (_, i) => `/hash[${i + 2}]`))
        assert.deepEqual(got, [...wanted, ...Array.from({ length: 64 - wanted.length }, () => 0)])
        scan()
        assert.deepEqual(values('Busy', 'Done', 'Error', 'Status'), [0, 0, 0, 0x7000])
      })

test('SHA2 tells what is wrong with its parameters', () => {
  const status = (data: string, hash: string, bits: number, length = 0) => {
    const { scan, values } = bench(true, data, hash)
    scan({ REQ: true, '/bits': bits, '/len': length })
    scan()
    return [...values('Done', 'Error', 'Status')]
  }
  assert.deepEqual(status('#data', '#hash', 256, 41), [0, 1, 0x8080])
  assert.deepEqual(status('#data', '#short', 224), [0, 1, 0x8082])
  assert.deepEqual(status('#data', '#hash', 255), [0, 1, 0x80a3])
  assert.deepEqual(status('#none', '#hash', 256), [0, 1, 0x8251])
  assert.deepEqual(status('#data.a', '#hash', 256), [0, 1, 0x8251])
  assert.deepEqual(status('#data', '#words', 256), [0, 1, 0x8951])
  assert.deepEqual(status('#data', '#data', 256), [0, 1, 0x8951])
})

test('GetChecksum tells the first parameter that is wrong, and that there is no checksum', () => {
  const { scan, values } = modelBench('GetChecksum', { variables: 'd : Array[0..9] of Byte;', call: 'Checksum := #d' })
  for (const [scope, range, sub, status] of [
    [0, 1, 1, 0x8080],
    [4, 0, 0, 0x8080],
    [1, 1, 1, 0x8081],
    [2, 0, 1, 0x8082],
    [1, 0, 0, 0x8091],
    [3, 0, 0, 0x8091],
  ] as const) {
    scan({ Scope: scope, Range: range, Subrange: sub })
    assert.deepEqual(values('Error', 'Status'), [1, status])
  }
})
