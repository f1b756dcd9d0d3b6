import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { importFile } from './formats/import.ts'
import { sourceTextOf } from './source/write.ts'

const FIXTURES = new URL('../../test/fixtures/ikea-vyatka-sorting/', import.meta.url)
const REAL = readdirSync(FIXTURES)
  .filter((name) => /\.(xml|scl)$/.test(name))
  .map((name) => new Uint8Array(readFileSync(new URL(encodeURIComponent(name), FIXTURES))))
  .filter((bytes) => bytes.length < 20_000)

/** Whatever comes in: objects or at least one fault with a position, and texts that share out a source. */
async function check(bytes: Uint8Array): Promise<void> {
  const { format, objects, faults } = await importFile(bytes)
  assert.ok(objects.length > 0 || faults.length > 0)
  for (const { line, column, message } of faults) assert.ok(line >= 1 && column >= 1 && message.length > 0)
  for (const object of objects) {
    assert.equal(typeof object.name, 'string')
    sourceTextOf(object)
  }
  if (format === 'source' && objects.length > 0)
    assert.equal(objects.map(({ text }) => text).join(''), new TextDecoder('utf-8').decode(bytes))
}

test('arbitrary bytes give objects or faults, never an exception', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), check), { numRuns: 500 })
})

test('arbitrary text behind a real beginning', async () => {
  const beginnings = fc.constantFrom(
    '<Document><SW.Blocks.FB ID="0"><AttributeList><Name>x</Name><Interface>',
    '<?xml version="1.0"?><Document>',
    'FUNCTION_BLOCK "x"\nVAR_INPUT\n',
    'DATA_BLOCK "x"\nVAR a : Int; END_VAR\nBEGIN\n',
    'TYPE "x" STRUCT a : ',
    'FUNCTION F : Void\nBEGIN\nNETWORK\nTITLE = ',
  )
  await fc.assert(
    fc.asyncProperty(beginnings, fc.string({ unit: 'grapheme' }), (beginning, rest) =>
      check(new TextEncoder().encode(beginning + rest)),
    ),
    { numRuns: 500 },
  )
})

test('real files with bytes changed, cut out, doubled', async () => {
  const mutation = fc.record({
    file: fc.nat({ max: REAL.length - 1 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 200 }),
    kind: fc.constantFrom('cut', 'double', 'set', 'end'),
    byte: fc.integer({ min: 0, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      let bytes = REAL[mutations[0]?.file ?? 0] as Uint8Array
      for (const { at, length, kind, byte } of mutations) {
        const start = Math.floor(at * bytes.length)
        const end = Math.min(bytes.length, start + length)
        const parts =
          kind === 'cut'
            ? [bytes.subarray(0, start), bytes.subarray(end)]
            : kind === 'double'
              ? [bytes.subarray(0, end), bytes.subarray(start)]
              : kind === 'end'
                ? [bytes.subarray(0, start)]
                : [bytes.subarray(0, start), Uint8Array.of(byte), bytes.subarray(start + 1)]
        bytes = new Uint8Array(Buffer.concat(parts))
      }
      await check(bytes)
    }),
    { numRuns: 400 },
  )
})

test('structure without end is bounded', async () => {
  const bombs = [
    `<Document>${'<a>'.repeat(100_000)}`,
    `TYPE "T" STRUCT ${'a : ARRAY[0..1] OF '.repeat(50_000)}`,
    `TYPE "T" STRUCT ${'a : STRUCT '.repeat(50_000)}`,
    `FUNCTION "F" : Void\nBEGIN\n${'#a['.repeat(100_000)}`,
    'FUNCTION_BLOCK '.repeat(20_000),
    `FUNCTION_BLOCK "a"\n`.repeat(3_000),
  ]
  for (const bomb of bombs) await check(new TextEncoder().encode(bomb))
})
