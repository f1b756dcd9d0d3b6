/** JOIN and SPLIT against the examples and status tables of their help. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../testing/lower-source.ts'

const declared = (access: string) => `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := '${access}' }
VAR
  rec : Char := ','; fin : Char := ';'; wide : WChar := WCHAR#',';
  person : Struct year : String[4]; last : String[13]; first : String[10]; road : String[14]; END_Struct;
  list : Array[0..2] of String[10];
  line : Array[0..59] of Char;
  short : Array[0..9] of Char;
  pos : UDInt; count : UDInt; status : Int; text : String; n : Int; left : Int; mode : DWord;
END_VAR
BEGIN
`
const fillPerson = (...[year, last, first, road]: readonly string[]) =>
  `#person.year := '${year}'; #person.last := '${last}'; #person.first := '${first}'; #person.road := '${road}';\n`
const fillLine = (text: string) => `Strg_TO_Chars(Strg := '${text}', pChars := 0, Cnt => #n, Chars := #line);\n`

function run(body: string, access = 'TRUE') {
  const one = runSource(`${declared(access)}${body}\nEND_FUNCTION_BLOCK\n`)
  one.scan()
  assert.deepEqual(one.faults, [])
  const characters = (name: string, length: number) =>
    String.fromCharCode(...Array.from({ length }, (_one, i) => Number(one.get(`${name}[${i}]`))))
  return { ...one, characters }
}
const join = (mode: string, source = '#person', count = 0, target = '#line') =>
  `#status := JOIN(Mode := ${mode}, RecSeparator := #rec, EndSeparator := #fin, SrcStruct := ${source}, Count := ${count}, DestArray := ${target}, Position := #pos);`
const split = (mode: string, target = '#person') =>
  `#status := SPLIT(Mode := ${mode}, RecSeparator := #rec, EndSeparator := #fin, SrcArray := #line, DestStruct := ${target}, Position := #pos, Count => #count);`

describe('JOIN', () => {
  for (const access of ['TRUE', 'FALSE'])
    for (const [given, mode, expected] of [
      [['1963', 'Miller', 'John', 'Roadname'], '16#0', '1963,Miller,John,Roadname'],
      [['1963', 'Miller', 'John', 'Roadname'], '16#8', '1963,Miller,John,Roadname;'],
      [['1963', 'Miller', 'John', 'Roadname'], '16#1', '1963Miller,,,,,,,John,,,,,,Roadname,,,,,,'],
      [['1974', 'Jackson', 'Peter', 'VeryLongRoadname'], '16#1', '1974Jackson,,,,,,Peter,,,,,VeryLongRoadna'],
    ] as const)
      it(`${expected}, optimized access ${access}`, () => {
        const one = run(`${fillPerson(...given)}${join(mode)}`, access)
        assert.equal(one.characters('line', expected.length), expected)
        assert.deepEqual([one.get('pos'), one.get('status')], [expected.length, 0])
      })

  it('Position goes on where the call before ended; Count limits the texts of an array', () => {
    const one = run(
      `#list[0] := 'a'; #list[1] := 'bc'; #list[2] := 'd'; ${join('16#8', '#list', 2)} ${join('16#0', '#list')}`,
    )
    assert.equal(one.characters('line', 11), 'a,bc;a,bc,d')
    assert.equal(one.get('pos'), 11)
  })

  it('status numbers', () => {
    const status = (body: string) => (run(body).get('status') as number) & 0xffff
    const text = fillPerson('1963', 'Miller', 'John', 'Roadname')
    assert.equal(status(text + join('16#20')), 0x8190)
    assert.equal(status(text + join('16#0', '#pos')), 0x8454)
    assert.equal(status(text + join('16#0', '#person', 0, '#list')), 0x8654)
    assert.equal(status(text + join('16#0', '#list', 4)), 0x8082)
    assert.equal(status(text + join('16#0', '#person', 0, '#short')), 0x80b5)
    assert.equal(status(`#pos := 60; ${text}${join('16#0')}`), 0x80b5)
    assert.equal(status(text + join('16#0').replace('#rec', '#wide')), 0x80b4)
    assert.equal(status(text + join('16#0').replace('#rec', '#pos')), 0x8254)
  })
})

describe('SPLIT', () => {
  const person = (one: ReturnType<typeof run>) =>
    ['year', 'last', 'first', 'road'].map((name) => one.get(`person.${name}`))
  for (const [text, mode, expected, status, position] of [
    ['1963,Miller,John,Roadname;', '16#2', ['1963', 'Miller', 'John', 'Roadname'], 0, 25],
    ['1963,Miller,John,Roadname;', '16#A', ['1963', 'Miller', 'John', 'Roadname'], 0, 26],
    ['1974,Jackson,Peter,VeryLongRoadname;', '16#2', ['1974', 'Jackson', 'Peter', 'VeryLongRoadna'], 1, 35],
    ['1974,Jackson,VeryLongRoadname,Peter;', '16#2', ['1974', 'Jackson', 'VeryLongRo', 'Peter'], 1, 35],
    [
      '1963Miller,,,,,,,John,,,,,,Roadname,,,,,,',
      '16#1',
      ['1963', 'Miller,,,,,,,', 'John,,,,,,', 'Roadname,,,,,,'],
      0,
      41,
    ],
    ['1963Miller,,,,,,,Roadname,,,,,,John,,,,,,', '16#3', ['1963', 'Miller', 'Roadname', ',,,,John'], 0, 41],
    ['1974Jackson,,,,,,VeryLongRoadnamePeter,,,,,', '16#3', ['1974', 'Jackson', 'VeryLongRo', 'adnamePeter'], 0, 41],
    // A text that does not fit: no further text is filled.
    ['1974,Jackson,VeryLongRoadname,Peter;', '16#0', ['1974', 'Jackson', '', ''], 0x8584, 29],
    // All texts are filled before the end separator.
    ['1,2,3,4,5;', '16#0', ['1', '2', '3', '4'], 2, 8],
    ['1;2,3', '16#0', ['1', '', '', ''], 0, 1],
  ] as const)
    it(`${text} with mode ${mode}`, () => {
      const one = run(`${fillLine(text)}${split(mode)}`)
      assert.deepEqual(person(one), expected)
      assert.deepEqual(
        [(one.get('status') as number) & 0xffff, one.get('pos'), one.get('count')],
        [status, position, 0],
      )
    })

  it('texts of an array are counted, those without content are not; the rest is cleared when the mode says so', () => {
    const fill = `#list[0] := 'old'; #list[1] := 'old'; #list[2] := 'old'; ${fillLine('a,;')}`
    const seen = (mode: string) => {
      const one = run(`${fill}${split(mode, '#list')}`)
      return [one.get('list[0]'), one.get('list[1]'), one.get('list[2]'), one.get('count')]
    }
    assert.deepEqual(seen('16#0'), ['a', '', 'old', 1])
    assert.deepEqual(seen('16#10'), ['a', '', '', 1])
  })

  it('what JOIN made SPLIT takes apart', () => {
    for (const mode of ['16#A', '16#B']) {
      const one = run(
        `${fillPerson('1963', 'Miller', 'John', 'Roadname')}${join(mode)} ${fillPerson('', '', '', '')} #pos := 0; ${split(mode)}`,
      )
      assert.deepEqual(person(one), ['1963', 'Miller', 'John', 'Roadname'])
      assert.equal(one.get('status'), 0)
    }
  })

  it('status numbers', () => {
    const status = (body: string) => (run(body).get('status') as number) & 0xffff
    assert.equal(status(`#pos := 60; ${split('16#0')}`), 0x8882)
    assert.equal(status(split('16#20')), 0x8190)
    assert.equal(status(split('16#0', '#pos')), 0x8554)
    assert.equal(status(split('16#0').replace('#rec', '#wide')), 0x80b4)
    assert.equal(status(split('16#0').replace('#line', '#pos')), 0x8454)
  })
})

describe('RT_INFO', () => {
  const source = (mode: number, type: string) => `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR status : Int; value : ${type}; END_VAR
BEGIN
#status := RT_INFO(MODE := ${mode}, OB := 1, INFO := #value);
END_FUNCTION_BLOCK
`
  for (const [mode, type, status, value] of [
    [1, 'LTime', 0, 0n],
    [3, 'LTime', 0, 2n ** 64n - 1n],
    [24, 'LTime', 0, 2n ** 64n - 1n],
    [11, 'UInt', 0, 0n],
    [25, 'UInt', 0x8452, 0n],
    [4, 'UInt', 0x8080, 0n],
    [42, 'UInt', 0x8092, 0n],
    [50, 'LInt', 0x8091, 0n],
  ] as const)
    it(`mode ${mode} into ${type}, before anything was measured`, () => {
      const one = runSource(source(mode, type))
      one.scan()
      assert.deepEqual([(one.get('status') as number) & 0xffff, one.bits('value')], [status, value])
    })

  const measured = { last: 7n, longest: 9n, shortest: 5n, minimum: 1n, monitoring: 150n }
  it('all modes of 0 to 60, with a controller that measures', () => {
    const least = 2n ** 64n - 1n
    const durations: Readonly<Record<number, bigint>> = {
      ...{ 1: 0n, 2: 0n, 3: least, 23: 9n, 24: 5n, 25: 7n, 30: 150n, 31: 1n },
    }
    const numbers = [10, 11, 20, 21, 32]
    const noResets = [40, 42, 43, 44]
    for (let mode = 0; mode <= 60; mode++)
      for (const type of ['LTime', 'UInt']) {
        const one = runSource(source(mode, type), { cycleTimes: () => measured })
        one.set('value', 3)
        one.scan()
        const isOfType = mode in durations ? type === 'LTime' : type === 'UInt'
        const isKnown = mode in durations || numbers.includes(mode)
        const isRedundant = mode >= 50 && mode <= 55
        const refusal = noResets.includes(mode) ? 0x8092 : isRedundant ? 0x8091 : isKnown ? 0x8452 : 0x8080
        const wanted = isKnown && isOfType ? [0, durations[mode] ?? 0n] : [refusal, 3n]
        assert.deepEqual([(one.get('status') as number) & 0xffff, one.bits('value')], wanted, `mode ${mode}, ${type}`)
      }
  })

  it('modes of one organization block need it', () => {
    for (const mode of [1, 2, 3, 23]) {
      for (const number of [1, 2]) {
        const one = runSource(source(mode, 'LTime'), { hasOrganizationBlock: (asked) => asked === number })
        one.scan()
        assert.equal((one.get('status') as number) & 0xffff, mode <= 3 && number !== 1 ? 0x8081 : 0, `mode ${mode}`)
      }
    }
  })
})

it('Random gives numbers of 32 bits, T_DIFF of two DTL is 0 beyond 24 days, T_DIFF_INT counts days', () => {
  const one = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR r : Array[0..9] of UDInt; i : Int; t : Time; u : Time; d : Int; ok : Bool; END_VAR
BEGIN
FOR #i := 0 TO 9 DO #r[#i] := Random(); END_FOR;
#t := T_DIFF(IN1 := DTL#2024-03-01-00:00:00, IN2 := DTL#2024-01-01-00:00:00);
#u := T_DIFF(IN1 := DTL#2024-01-01-00:00:00, IN2 := DTL#2024-01-02-00:00:00);
#d := T_DIFF_INT(IN1 := D#2024-03-01, IN2 := D#2023-03-01);
END_FUNCTION_BLOCK
`)
  one.scan()
  assert.ok(new Set(Array.from({ length: 10 }, (_one, i) => one.bits(`r[${i}]`))).size > 1)
  assert.deepEqual([one.get('t'), one.get('u'), one.get('d')], [0, -86_400_000, 366])
})
