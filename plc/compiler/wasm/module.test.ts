import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CodeBuffer, patch } from './code-buffer.ts'
import { writeModule } from './module.ts'
import { Op, ValueType } from './opcodes.ts'

const i32 = ValueType.i32

test('a module with imports, calls, globals and addresses runs', () => {
  const triple = new CodeBuffer()
  triple.byte(Op.localGet)
  triple.unsigned(0)
  triple.byte(Op.call)
  triple.relocate('index', 'function:double')
  triple.byte(Op.localGet)
  triple.unsigned(0)
  triple.byte(Op.i32Add)
  triple.byte(Op.globalGet)
  triple.relocate('index', 'global:step')
  triple.byte(Op.i32Add)
  triple.byte(Op.i32Const)
  triple.relocate('constant', 'address:flags', -4)
  triple.byte(Op.i32Add)
  triple.byte(Op.end)
  const bytes = writeModule({
    imports: [{ name: 'double', type: { parameters: [i32], results: [i32] } }],
    functions: [
      {
        name: 'triple',
        type: { parameters: [i32], results: [i32] },
        locals: [ValueType.f64, i32, i32],
        code: triple.bytes(),
        relocations: triple.relocations,
      },
    ],
    globals: [{ name: 'step', type: i32, start: 1000 }],
    exports: ['triple'],
    addresses: new Map([['flags', 100_000]]),
    memoryPages: 1,
  })
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const module = new WebAssembly.Module(bytes)
  const instance = new WebAssembly.Instance(module, { host: { memory, double: (x: number) => 2 * x } })
  const exported = instance.exports as unknown as { triple(x: number): number; step: WebAssembly.Global }
  assert.equal(exported.triple(7), 21 + 1000 + 99_996)
  exported.step.value = 0
  assert.equal(exported.triple(7), 21 + 99_996)
})

test('a symbol that is not there is named', () => {
  const code = new CodeBuffer()
  code.byte(Op.call)
  code.relocate('index', 'function:nowhere')
  code.byte(Op.end)
  const f = {
    name: 'f',
    type: { parameters: [], results: [] },
    locals: [],
    code: code.bytes(),
    relocations: code.relocations,
  }
  const parts = { imports: [], functions: [f], globals: [], exports: [], addresses: new Map(), memoryPages: 1 }
  assert.throws(() => writeModule(parts), /"f" needs function:nowhere/)
})

/** Reads LEB128 back. */
function read(bytes: Uint8Array, isSigned: boolean): bigint {
  let value = 0n
  let shift = 0n
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift
    shift += 7n
    if ((byte & 0x80) === 0) return isSigned && (byte & 0x40) !== 0 ? value - (1n << shift) : value
  }
  throw new Error('open')
}

test('property: numbers are written so that they are read again', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const out = new CodeBuffer()
      out.signed(value)
      assert.equal(read(out.bytes(), true), value)
    }),
  )
  fc.assert(
    fc.property(fc.integer(), (value) => {
      const out = new CodeBuffer()
      out.signed32(value)
      assert.equal(read(out.bytes(), true), BigInt(value))
      const fixed = new Uint8Array(5)
      patch(fixed, 0, value, true)
      assert.equal(read(fixed, true), BigInt(value))
      patch(fixed, 0, value, false)
      assert.equal(read(fixed, false), BigInt(value >>> 0))
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
      const out = new CodeBuffer()
      out.unsigned(value)
      assert.equal(read(out.bytes(), false), BigInt(value))
    }),
  )
})
