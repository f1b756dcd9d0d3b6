import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { constant, local } from '../ir/build.ts'
import type { Expression, Statement } from '../ir/ir.ts'
import { DInt, UInt } from '../program/scalars.ts'
import { block, start } from '../testing/codegen.ts'
import { runSource } from '../testing/lower-source.ts'
import * as reference from '../testing/text-reference.ts'
import { currentLength, maximumLength, readText, type TextPlace, writeText } from './texts.ts'

/** Bytes of memory for the texts of a test. */
const arena = 1024

type Memory = Parameters<typeof readText>[0]

interface Case {
  readonly name: string
  readonly addresses: number
  readonly numbers: number
  /** Works on a copy of the memory; returns the result, if there is one, and whether it failed. */
  expected(memory: Memory, places: readonly TextPlace[], numbers: readonly number[]): readonly [number, boolean]
  readonly hasResult?: boolean
  /** Mask of the bits of the numbers. */
  readonly mask?: number
}

function making(
  name: string,
  sources: number,
  numbers: number,
  make: (texts: readonly string[], numbers: readonly number[]) => reference.TextResult,
): Case {
  return {
    name: `string.${name}`,
    addresses: sources + 1,
    numbers,
    expected: (memory, [target, ...places], values) => {
      const { text, isRight } = make(
        places.map((place) => readText(memory, place)),
        values,
      )
      const fits = writeText(memory, target as TextPlace, text)
      return [0, !fits || !isRight]
    },
  }
}

const right = (text: string) => ({ text, isRight: true })
const cases: readonly Case[] = [
  making('assign', 1, 0, ([text = '']) => right(text)),
  making('left', 1, 1, ([text = ''], [length = 0]) => reference.left(text, length)),
  making('right', 1, 1, ([text = ''], [length = 0]) => reference.rightPart(text, length)),
  making('mid', 1, 2, ([text = ''], [length = 0, position = 0]) => reference.middle(text, length, position)),
  making('delete', 1, 2, ([text = ''], [length = 0, position = 0]) => reference.remove(text, length, position)),
  making('insert', 2, 1, ([text = '', other = ''], [position = 0]) => reference.insert(text, other, position)),
  making('replace', 2, 2, ([text = '', other = ''], [length = 0, position = 0]) =>
    reference.replace(text, other, length, position),
  ),
  {
    name: 'string.append',
    addresses: 2,
    numbers: 0,
    expected: (memory, places) => {
      const [target, source] = places as [TextPlace, TextPlace]
      return [0, !writeText(memory, target, readText(memory, target) + readText(memory, source))]
    },
  },
  {
    name: 'string.fromCharacter',
    addresses: 1,
    numbers: 1,
    mask: 0xff,
    expected: (memory, [target], [code = 0]) => [0, !writeText(memory, target as TextPlace, String.fromCharCode(code))],
  },
  {
    name: 'string.toCharacter',
    addresses: 1,
    numbers: 0,
    hasResult: true,
    expected: (memory, [source]) => {
      const text = readText(memory, source as TextPlace)
      return [text === '' ? 0 : text.charCodeAt(0), text === '']
    },
  },
  {
    name: 'string.length',
    addresses: 1,
    numbers: 0,
    hasResult: true,
    expected: (memory, [source]) => [currentLength(memory, source as TextPlace), false],
  },
  {
    name: 'string.maximum',
    addresses: 1,
    numbers: 0,
    hasResult: true,
    expected: (memory, [source]) => [maximumLength(memory, source as TextPlace), false],
  },
  {
    name: 'string.find',
    addresses: 2,
    numbers: 0,
    hasResult: true,
    expected: (memory, places) => {
      const [text = '', other = ''] = places.map((place) => readText(memory, place))
      return [reference.find(text, other), false]
    },
  },
  {
    name: 'string.compare',
    addresses: 2,
    numbers: 0,
    hasResult: true,
    expected: (memory, places) => {
      const [a = '', b = ''] = places.map((place) => readText(memory, place))
      return [a < b ? -1 : a > b ? 1 : 0, false]
    },
  },
]

/** Flags with the same layout for all texts of a routine, and flags with two kinds of texts. */
function flagsOf(addresses: number): { flags: number; isMixed: boolean }[] {
  const same = [0, 1, 2, 3].map((bits) => ({
    flags: Array.from({ length: addresses }, (_one, i) => bits << (2 * i)).reduce((a, b) => a | b),
    isMixed: false,
  }))
  const mixed = [0b100110, 0b011011, 0b111110].map((flags) => ({ flags, isMixed: true }))
  return addresses === 1
    ? same
    : [...same, ...mixed.map((one) => ({ ...one, flags: one.flags & (4 ** addresses - 1) }))]
}

const unused: Expression = constant(DInt, 0n)

/** A program with the functions of all routines. */
function started(routines: readonly { readonly one: Case; readonly flags: number }[]) {
  const body = routines.map(({ one, flags }): Statement => {
    const values = [...Array<Expression>(one.addresses + one.numbers).fill(unused), constant(UInt, BigInt(flags))]
    const called = { kind: 'routine', routine: one.name, arguments: values, setsEno: false } as const
    return one.hasResult ? { kind: 'setLocal', local: 0, value: { ...called, type: DInt } } : called
  })
  const running = start([block(body, { locals: [DInt] })], [{ name: 'texts', size: arena }], {}, true, 262_144)
  assert.deepEqual(running.program.routines, [])
  return { running, base: running.program.dataBlocks.get('texts')?.address ?? 0 }
}

/** A text with any head: its length may be larger than its maximum, which then counts. */
function anyText(place: { isWide: boolean; isStandard: boolean }, from: number, to: number) {
  const most = place.isWide ? 60 : 90
  return fc.record({
    place: fc.integer({ min: from, max: to }).map((address) => ({ ...place, address })),
    room: fc.oneof(fc.integer({ min: 0, max: most }), fc.constantFrom(most, 20)),
    length: fc.oneof(fc.integer({ min: 0, max: most }), fc.constantFrom(16, 17, 32, 33)),
    characters: fc.array(fc.constantFrom(97, 97, 98, 0xe9, place.isWide ? 0x3a9 : 99), {
      minLength: most,
      maxLength: most,
    }),
  })
}

for (const one of cases)
  describe(one.name, () => {
    const all = flagsOf(one.addresses)
    const { running, base } = started(all.map(({ flags }) => ({ one, flags })))
    const { memory: view } = running
    const bytes = new Uint8Array(view.buffer)
    const failed = running.global('failed')
    for (const { flags, isMixed } of all)
      test(`as the reference, flags ${flags.toString(2).padStart(2 * one.addresses, '0')}`, () => {
        const kinds = Array.from({ length: one.addresses }, (_one, i) => ({
          isStandard: ((flags >> (2 * i)) & 1) !== 0,
          isWide: ((flags >> (2 * i)) & 2) !== 0,
        }))
        // Texts of one kind may overlap; the result of a conversion is a new text.
        const texts = fc.tuple(
          ...kinds.map((kind, i) => (isMixed ? anyText(kind, i * 300, i * 300 + 100) : anyText(kind, 0, 300))),
        )
        const number = fc.oneof(fc.integer({ min: -2, max: 60 }), fc.constantFrom(-2_147_483_648, 2_147_483_647, 0, 1))
        const numbers = fc.array(
          number.map((value) => value & (one.mask ?? -1)),
          { minLength: one.numbers, maxLength: one.numbers },
        )
        fc.assert(
          fc.property(texts, numbers, (given, values) => {
            bytes.fill(0x2e, base, base + arena)
            const places = given.map(({ place }) => ({ ...place, address: base + place.address }))
            for (const [i, { room, length, characters }] of given.entries()) {
              const { address, isWide, isStandard } = places[i] as TextPlace
              for (const [j, value] of [room, length, ...characters].entries())
                if (isWide) view.setUint16(address + 2 * j, value, !isStandard)
                else view.setUint8(address + j, value)
            }
            const copy = bytes.slice(0, base + arena)
            const memory = { bytes: copy, view: new DataView(copy.buffer) }
            // When texts overlap, characters of one may be the length of another.
            fc.pre(places.every((place) => maximumLength(memory, place) <= 120))
            const [result, hasFailed] = one.expected(memory, places, values)
            const got = running.run(`$${one.name}:${flags}`, ...places.map(({ address }) => address), ...values)
            if (one.hasResult) assert.equal(got, result)
            assert.equal(failed.value, hasFailed ? 1 : 0)
            assert.deepEqual(bytes.slice(base, base + arena), copy.slice(base))
          }),
          { numRuns: 300 },
        )
      })
  })

test('bytes are moved as if all were read first, at every size and distance', () => {
  const moves: Statement = {
    kind: 'call',
    block: '$text.move',
    arguments: [local('address', 0), local('address', 0), unused],
    results: [],
    site: 0,
  }
  const running = start([block([moves], { locals: ['address'] })], [{ name: 'bytes', size: arena }])
  const bytes = new Uint8Array(running.memory.buffer)
  const base = running.program.dataBlocks.get('bytes')?.address ?? 0
  for (let size = 0; size <= 70; size++)
    for (let distance = -40; distance <= 40; distance++) {
      for (let i = 0; i < 300; i++) bytes[base + i] = (i * 7) & 0xff
      const expected = bytes.slice(base, base + 300).copyWithin(100 + distance, 100, 100 + size)
      running.run('$text.move', base + 100 + distance, base + 100, size)
      assert.deepEqual(bytes.slice(base, base + 300), expected, `${size} bytes by ${distance}`)
    }
})

test('ENO of a block is its own, whatever its texts do on the way out', () => {
  const run = runSource(`FUNCTION "Tell" : Void
   VAR_INPUT
      good : Bool;
   END_VAR
   VAR_OUTPUT
      words : String;
   END_VAR
BEGIN
	#words := 'too long';
	ENO := #good;
END_FUNCTION

FUNCTION_BLOCK "Main"
   VAR
      s : String[3];
      length : Int;
      good : Bool;
      ok : Bool;
   END_VAR
BEGIN
	"Tell"(good := #good, words => #s, ENO => #ok);
	#length := LEN(#s);
END_FUNCTION_BLOCK
`)
  for (const good of [1n, 0n]) {
    run.setBits('good', good)
    run.scan()
    assert.deepEqual([run.bits('length'), run.bits('ok')], [3n, good])
  }
})
