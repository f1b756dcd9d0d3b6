import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText } from './decode.ts'
import { encodeText } from './encode.ts'
import { FormatError } from './fault.ts'

const faultOf = (bytes: Uint8Array) => {
  try {
    decodeText(bytes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    assert.equal(error.faults.length, 1)
    return error.faults[0]!
  }
  return undefined
}
/** Bytes of the longest beginning that is well formed, as the decoder of the platform says. */
function wellFormed(bytes: Uint8Array, encoding: string): number {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  for (let length = bytes.length; length > 0; length--)
    try {
      decoder.decode(bytes.subarray(0, length))
      return length
    } catch {
      // A shorter one may be.
    }
  return 0
}

test('the fault of a text names the first byte that is not UTF-8, at its line and column', () => {
  const byte = fc.oneof(
    fc.constantFrom(0x0a, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf),
    fc.constantFrom(0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff),
  )
  const marks = [Buffer.alloc(0), Buffer.from([0xef, 0xbb, 0xbf])]
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 8 }), fc.constantFrom(...marks), (list, mark) => {
      const body = Buffer.concat([Buffer.from('a\né'), Buffer.from(list)])
      const fault = faultOf(Buffer.concat([mark, body]))
      const good = wellFormed(body, 'utf-8')
      if (good === body.length) return assert.equal(fault, undefined)
      const lines = body.subarray(0, good).toString().split('\n')
      const hex = [...body.subarray(good, good + 4)]
        .map((one) => one.toString(16).toUpperCase())
        .map((one) => one.padStart(2, '0'))
      assert.deepEqual(fault, {
        code: 'encoding',
        message: `byte ${good + mark.length} (${hex.join(' ')}) is not valid UTF-8: save the file as UTF-8, best with a byte order mark (TIA Portal reads sources without one as ANSI)`,
        offset: good + mark.length,
        line: lines.length,
        column: lines.at(-1)!.length + 1,
      })
    }),
    { numRuns: 2000 },
  )
})

test('the fault of a text in UTF-16 names the first unit without its other half, or the odd last byte', () => {
  const unit = fc.constantFrom(0x0a, 0x41, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfffd)
  const run = (encoding: 'utf-16le' | 'utf-16be', mark: readonly number[]) =>
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), fc.boolean(), (units, isOdd) => {
        const body = Buffer.from(
          [
            ...units
              .flatMap((one) => [one & 255, one >> 8])
              .map((_, i, all) => (encoding === 'utf-16le' ? all[i]! : all[i ^ 1]!)),
          ].concat(isOdd ? [0x41] : []),
        )
        const fault = faultOf(Buffer.concat([Buffer.from(mark), body]))
        const good = wellFormed(body, encoding)
        assert.equal(fault?.offset, good === body.length ? undefined : good + 2)
        if (fault) assert.match(fault.message, /is not valid UTF-16(LE|BE): save the file as UTF-8$/)
      }),
      { numRuns: 500 },
    )
  run('utf-16le', [0xff, 0xfe])
  run('utf-16be', [0xfe, 0xff])
})

test('a text is encoded as it was decoded, with its mark', () => {
  const text = 'FUNCTION "Größe"\n'
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    const as = { encoding, hasBom: true }
    assert.deepEqual(decodeText(encodeText(text, as)), { text, ...as })
  }
  const plain = { encoding: 'utf-8', hasBom: false } as const
  assert.deepEqual(decodeText(encodeText(text, plain)), { text, ...plain })
  const ansi = { encoding: 'windows-1252', hasBom: false } as const
  assert.deepEqual(decodeText(encodeText(`${text}€`, ansi)), { text: `${text}€`, ...ansi })
  assert.throws(() => encodeText('Ω', ansi), /the file is in Windows-1252, which has no "Ω"/)
})

test('markup in UTF-16 without a mark is known by the zeros beside its first characters', () => {
  const text = '<Document/>'
  assert.deepEqual(decodeText(Buffer.from(text, 'utf16le')), { text, encoding: 'utf-16le', hasBom: false })
  assert.deepEqual(decodeText(Buffer.from(text, 'utf16le').swap16()), { text, encoding: 'utf-16be', hasBom: false })
  assert.equal(decodeText(Buffer.from([0x41])).encoding, 'utf-8')
  const zeros: number[] = []
  for (const bytes of [
    [0x41, 0],
    [0x41, 0, 0x42],
    [0x41, 0, 0x42, 0x43],
    [0, 0x41, 0x42, 0x43],
    [0xc3, 0xa4, 0],
  ])
    zeros.push(Number(/^byte (\d) is zero/.exec(faultOf(Buffer.from(bytes))?.message ?? '')?.[1]))
  assert.deepEqual(zeros, [1, 1, 1, 0, 2])
  const marked = faultOf(Buffer.from('\ufeffab\u0000', 'utf16le'))
  assert.deepEqual([marked?.message, marked?.column], ['byte 6 is zero: this is a binary file and no text', 3])
})

test('a source in ANSI is read as such; a binary file, and XML, are none', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  assert.deepEqual(decodeText(bytes('  type "Größe"\n')), {
    text: '  type "Größe"\n',
    encoding: 'windows-1252',
    hasBom: false,
  })
  for (const text of ['ä', 'MYTYPE ä', '<TYPE ä', 'TYPE \u0001 ä', 'TYPE \u001f ä'])
    assert.equal(faultOf(bytes(text))?.code, 'encoding', text)
  assert.equal(decodeText(bytes('TYPE \u0009 ä')).encoding, 'windows-1252')
  const zero = faultOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('ab\u0000ä')]))
  assert.deepEqual([zero?.message, zero?.offset], ['byte 5 is zero: this is a binary file and no text', 5])
})
