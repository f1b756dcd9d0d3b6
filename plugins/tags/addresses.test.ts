import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Addressed, addressFault, normalizedAddress, overlapsOf, overlapsWith, overlapTexts } from './addresses.ts'

test('addresses that fit their data type', () => {
  const good: [string, string][] = [
    ['%I0.0', 'Bool'],
    ['%QB4', 'Byte'],
    ['%MW10', 'Int'],
    ['%MD20', 'Real'],
    ['%ML8', 'LReal'],
    ['%M8.0', 'LReal'],
    ['%T1', 'Timer'],
    ['%C12', 'Counter'],
    ['%I0.0', '"UDT_x"'],
    ['%IW32766', 'Word'],
    ['', 'Bool'],
  ]
  for (const [address, type] of good) assert.equal(addressFault(address, type), undefined, address)
})

test('what is wrong with an address, and what would be right', () => {
  const bad: [string, string, RegExp][] = [
    ['%I0.8', 'Bool', /not an address: there is no bit 8, a byte has the bits 0 to 7/],
    ['%IW64:P', 'Word', /not an address of a tag: the tag has %IW64, .* with %IW64:P/],
    ['PEW 64', 'Word', /the tag has %IW64/],
    ['%DB1.DBX0.0', 'Bool', /not an address of a tag: data blocks/],
    ['%M10', 'Bool', /not an address: the bit is missing/],
    ['%X1', 'Bool', /not an address; e\.g\. %I0\.0/],
    ['%T1.0', 'Timer', /not an address/],
    ['%MW10', 'Bool', /Bool: an address such as %M10\.0 is needed/],
    ['%M2.3', 'Int', /%MW2 is needed/],
    ['%MD4', 'LWord', /%ML4 is needed/],
    ['%M8.1', 'LWord', /%ML8 is needed/],
    ['%T1', 'Int', /is a timer/],
    ['%MW0', 'Timer', /%T1/],
    ['%MW16383', 'Word', /out of range: bit memory ends at byte 16383/],
    ['%I99999999.0', 'Bool', /out of range: inputs end at byte 32767/],
    ['%I32768.0', 'Bool', /out of range: inputs end at byte 32767/],
    ['%T2048', 'Timer', /out of range: timers end at 2047/],
  ]
  for (const [address, type, message] of bad) assert.match(addressFault(address, type) ?? '', message, address)
})

test('every spelling of an address becomes the one of TIA Portal', () => {
  const spelled = ['e0.0', '%a1.2', 'mw4', 'Z3', '', ' nonsense ', '%IX0.0', 'M 750.0', 'ab 07', '%e0.8']
  assert.deepEqual(spelled.map(normalizedAddress), [
    ...['%I0.0', '%Q1.2', '%MW4', '%C3', '', 'nonsense', '%I0.0', '%M750.0', '%QB7', '%e0.8'],
  ])
})

const placed = (name: string, dataType: string, logicalAddress: string) => ({
  tag: { name, dataType, logicalAddress },
  tableName: 'T',
})

test('tags that share memory are told, each pair once', () => {
  const tags = [
    placed('byte', 'Byte', '%MB0'),
    placed('bit', 'Bool', '%M0.7'),
    placed('next', 'Bool', '%M1.0'),
    placed('input', 'Bool', '%I0.7'),
    placed('wide', 'LReal', '%M10.0'),
    placed('inside', 'Bool', '%M17.7'),
    placed('behind', 'Bool', '%M18.0'),
    placed('timer', 'Timer', '%T7'),
    placed('same', 'Timer', '%T7'),
    placed('none', 'Bool', ''),
  ]
  const pairs = overlapsOf(tags, () => true, 100).map(({ tag, other }) =>
    [tag.tag.name, other.tag.name].sort().join(' '),
  )
  assert.deepEqual(pairs.sort(), ['bit byte', 'inside wide', 'same timer'])
  assert.deepEqual(overlapTexts(overlapsOf(tags, ({ tag }) => tag.name === 'byte', 100)), [
    '"byte" (%MB0, table "T") overlaps "bit" (%M0.7, table "T")',
  ])
  assert.equal(overlapsOf(tags, ({ tag }) => tag.name === 'none', 100).length, 0)
  assert.equal(overlapsOf(tags, () => true, 1).length, 2)
})

test('clock bytes with their bits, and many tags of one address, are one sentence each', () => {
  const bits = Array.from({ length: 8 }, (_, i) => placed(`Clock_${i}`, 'Bool', `%M0.${i}`))
  const tags = [
    placed('Clock_Byte', 'Byte', '%MB0'),
    ...bits,
    placed('System_Byte', 'Byte', '%MB1'),
    ...['FirstScan', 'DiagStatusUpdate', 'AlwaysTRUE'].map((name, i) => placed(name, 'Bool', `%M1.${i}`)),
    placed('Both', 'Word', '%MW0'),
    placed('Shifted', 'Word', '%MW1'),
    ...['a', 'b', 'c'].map((name) => placed(name, 'Int', '%IW4')),
    placed('Bit', 'Bool', '%I4.0'),
  ]
  const clock = bits.map(({ tag }) => `"${tag.name}" (${tag.logicalAddress})`)
  const inClock = `8 tags share memory with "Clock_Byte" (%MB0, table "T"): ${clock.slice(0, 7).join(', ')} and ${clock[7]}`
  const inSystem = '"FirstScan" (%M1.0), "DiagStatusUpdate" (%M1.1) and "AlwaysTRUE" (%M1.2)'
  assert.deepEqual(overlapTexts(overlapsOf(tags, () => true, 100)), [
    `13 tags share memory with "Both" (%MW0, table "T"): "Clock_Byte" (%MB0), ${clock.slice(0, 7).join(', ')} and 5 more`,
    inClock,
    '"Shifted" (%MW1, table "T") overlaps "Both" (%MW0, table "T")',
    `4 tags share memory with "Shifted" (%MW1, table "T"): "System_Byte" (%MB1), ${inSystem}`,
    `3 tags share memory with "System_Byte" (%MB1, table "T"): ${inSystem}`,
    '3 tags have the address %IW4: "a", "b" and "c"',
    ...['a', 'b', 'c'].map((name) => `"Bit" (%I4.0, table "T") overlaps "${name}" (%IW4, table "T")`),
  ])
  assert.deepEqual(overlapTexts(overlapsWith(tags[0]!, tags, 100)), [
    inClock,
    '"Clock_Byte" (%MB0, table "T") overlaps "Both" (%MW0, table "T")',
  ])
  assert.deepEqual(overlapTexts(overlapsWith(bits[0]!, tags, 100)), [
    '"Clock_0" (%M0.0, table "T") overlaps "Clock_Byte" (%MB0, table "T")',
    '"Clock_0" (%M0.0, table "T") overlaps "Both" (%MW0, table "T")',
  ])
})

test('overlaps are those that a comparison of all pairs finds', () => {
  const tag = fc.record({
    dataType: fc.constantFrom('Bool', 'Byte', 'Word', 'DWord', 'LWord'),
    start: fc.integer({ min: 0, max: 12 }),
    bit: fc.integer({ min: 0, max: 7 }),
    isNew: fc.boolean(),
  })
  const letter: Record<string, string> = { Byte: 'B', Word: 'W', DWord: 'D', LWord: 'L' }
  const bits: Record<string, number> = { Bool: 1, Byte: 8, Word: 16, DWord: 32, LWord: 64 }
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 12 }), (tags) => {
      const rows = tags.map(({ dataType, start, bit }, i) =>
        placed(String(i), dataType, dataType === 'Bool' ? `%M${start}.${bit}` : `%M${letter[dataType]}${start}`),
      )
      const first = ({ dataType, start, bit }: (typeof tags)[number]) => start * 8 + (dataType === 'Bool' ? bit : 0)
      const wanted: string[] = []
      for (const [i, a] of tags.entries())
        for (const [j, b] of tags.entries())
          if (
            i < j &&
            (a.isNew || b.isNew) &&
            first(a) < first(b) + bits[b.dataType]! &&
            first(b) < first(a) + bits[a.dataType]!
          )
            wanted.push(`${i} ${j}`)
      const isNew = ({ tag: { name } }: { tag: Addressed }) => tags[Number(name)]!.isNew
      const pairOf = ({ tag: a, other: b }: ReturnType<typeof overlapsOf>[number]) =>
        [Number(a.tag.name), Number(b.tag.name)].sort((x, y) => x - y).join(' ')
      assert.deepEqual(overlapsOf(rows, isNew, 1000).map(pairOf).sort(), wanted.sort())
      if (rows[0] && tags[0]?.isNew)
        assert.deepEqual(
          overlapsWith(rows[0], rows, 1000).map(pairOf).sort(),
          wanted.filter((pair) => pair.startsWith('0 ')).sort(),
        )
    }),
  )
})
