import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialize } from 'node:v8'
import fc from 'fast-check'
import { EngineError, packError, reviveError } from './errors.ts'
import { type ClientMessage, encodeFrame, type Frame, FrameError, FrameReader } from './wire.ts'

const head = (id: number): ClientMessage => ({ kind: 'run', id, module: 'file:///m.ts', fn: 'f' })

test('frames come out as they went in, however the stream is cut', () => {
  const body = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(
      fc.array(body, { minLength: 1, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 }),
      (bodies, cuts) => {
        const stream = Buffer.concat(bodies.flatMap((bytes, id) => encodeFrame(head(id), bytes)))
        const reader = new FrameReader<ClientMessage>(1000, 1000)
        const frames: Array<Frame<ClientMessage>> = []
        for (let at = 0, i = 0; at < stream.length; i++) {
          const next = at + cuts[i % cuts.length]!
          reader.push(stream.subarray(at, next), (frame) => frames.push(frame))
          at = next
        }
        assert.deepEqual(
          frames.map((frame) => frame.head),
          bodies.map((_, id) => head(id)),
        )
        assert.deepEqual(
          frames.map((frame) => [...(frame.body ?? [])]),
          bodies.map((bytes) => [...bytes]),
        )
        for (const frame of frames) if (frame.body) assert.equal(frame.body.buffer.byteLength, frame.body.length)
      },
    ),
  )
})

test('bounds are checked before anything is allocated', () => {
  const prefix = (headLength: number, bodyLength: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32BE(headLength, 0)
    bytes.writeUInt32BE(bodyLength, 4)
    return bytes
  }
  const push = (bytes: Buffer) => new FrameReader(100, 1000).push(bytes, () => assert.fail('no frame is complete'))
  assert.throws(() => push(prefix(101, 0)), /head of 101 bytes was announced; 1 to 100/)
  assert.throws(() => push(prefix(0, 0)), FrameError)
  assert.throws(() => push(prefix(4, 0xffffffff)), /body of 4294967295 bytes was announced; up to 1000/)
  push(prefix(100, 1000))
})

test('a head that is no message is refused', () => {
  for (const value of [42, null, 'text', {}, { kind: 1 }]) {
    const packed = serialize(value)
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32BE(packed.length, 0)
    assert.throws(() => new FrameReader(100, 0).push(Buffer.concat([prefix, packed]), () => {}), FrameError)
  }
})

test('anything thrown can be packed and revived', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const error = reviveError('engine_task_failed', structuredClone(packError(thrown)))
      assert.ok(error instanceof EngineError)
      assert.equal(error.kind, 'engine_task_failed')
      assert.equal(typeof error.message, 'string')
    }),
  )
  const loop = Object.assign(new Error('outer'), { kind: 'impostor', code: 7 })
  loop.cause = loop
  const revived = reviveError('engine_task_failed', packError(loop))
  assert.deepEqual([revived.kind, revived.code, revived.message], ['engine_task_failed', 'engine_task_failed', 'outer'])
})
