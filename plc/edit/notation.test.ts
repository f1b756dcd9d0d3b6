/** Notation is no difference of meaning, what looks like notation and is none is one, and networks are paired once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import { compareObjects } from './compare.ts'
import { comparePrograms } from './compare-programs.ts'
import { literalForm } from './notation.ts'

const block = (code: string, start = '5') =>
  readSource(
    `FUNCTION_BLOCK "B"\nVERSION : 0.1\nVAR_INPUT\n  a : Bool;\n  b : Bool;\n  c : Bool;\nEND_VAR\nVAR\n  n : Int := ${start};\n  d : Word;\n  t : Time;\n  list : Array[0..9] of Int;\nEND_VAR\nBEGIN\n${code}\nEND_FUNCTION_BLOCK\n`,
  ).blocks[0]!.object

const aspectsOf = (left: string, right: string) => compareObjects(block(left), block(right)).aspects

test('the same with another notation', () => {
  for (const [left, right] of [
    ['#n := 1;', 'n := 1;'],
    ['#n := 1;', '#N := 1;'],
    ['IF #a THEN #n := 1; END_IF;', 'if #A then #n := 1; end_if;'],
    ['#n := 255;', '#n := 16#FF;'],
    ['#d := 16#00ff;', '#d := 16#FF;'],
    ['#d := W#16#FF;', '#d := WORD#16#ff;'],
    ['#t := T#1s;', '#t := TIME#1000ms;'],
    ['#n := 1_000;', '#n := 1000;'],
    ['#a := (#b AND #c) OR #a;', '#a := #b & #c OR #a;'],
    ['#a := #b AND (#c AND #a);', '#a := #b AND #c AND #a;'],
    ['#n := ((#n)) + (2 * 3);', '#n := #n + 2 * 3;'],
    ['"Tag" := "Other".x;', '"TAG" := Other.X;'],
    ['#n := #list[(1 + 1)];', '#n := #list[1 + 1];'],
    ['"f"(IN := #n);', '"F"(in := (#n));'],
    ['CASE #n OF 16#A: #n := 1; END_CASE;', 'CASE #n OF 10: #n := 1; END_CASE;'],
    ['FOR #n := 0 TO 16#F DO ; END_FOR;', 'FOR #n := (0) TO 15 DO ; END_FOR;'],
    ['REPEAT #n := 1; UNTIL (#n = 1) END_REPEAT;', 'REPEAT #n := 1; UNTIL #n = 1 END_REPEAT;'],
  ] as const) {
    const { isSameMeaning, isSameText, aspects, differences } = compareObjects(block(left), block(right))
    assert.deepEqual([isSameMeaning, isSameText, aspects], [true, false, ['text']], `${left} ${right}`)
    assert.ok(
      differences.length > 0 && differences.every(({ path }) => path.startsWith('network 1, statement ')),
      JSON.stringify(differences),
    )
  }
})

test('another meaning', () => {
  for (const [left, right] of [
    ['#a := (#a OR #b) AND #c;', '#a := #a OR #b AND #c;'],
    ['#n := #n - (#n - 1);', '#n := #n - #n - 1;'],
    ['#n := (#n + 1) * 2;', '#n := #n + 1 * 2;'],
    ['#n := 16#10;', '#n := 10;'],
    ['#n := 1;', '"n" := 1;'],
    ['#t := T#1s;', '#t := T#1m;'],
    ['#n := INT#5;', '#n := SINT#5;'],
    ['#n := 1;', '#n := 1.0;'],
    ["#n := LEN('a');", "#n := LEN('A');"],
    ['#n := LIMIT(1, #n, 2);', '#n := "LIMIT"(1, #n, 2);'],
    ['#a := NOT (#a AND #b);', '#a := NOT #a AND #b;'],
  ] as const)
    assert.deepEqual(aspectsOf(left, right), ['code'], `${left} ${right}`)
})

test('a statement that differs in both is code, one in notation beside it is told apart', () => {
  const { differences } = compareObjects(block('#n := 255;\n#n := 1;'), block('#n := 16#ff;\n#n := 2;'))
  assert.deepEqual(
    differences.map(({ aspect, path }) => `${aspect} ${path}`),
    ['text network 1, statement 1', 'code network 1, statement 2'],
  )
})

test('start values by the type of their member', () => {
  const compared = (right: string) => compareObjects(block('', '5'), block('', right)).aspects
  assert.deepEqual(compared('16#5'), ['text'])
  assert.deepEqual(compared('INT#5'), ['text'])
  assert.deepEqual(compared('6'), ['startValues'])
  for (const [type, left, right, isSame] of [
    ['Real', '1', '1.0', true],
    ['Real', '1.0', '1.00E0', true],
    ['LReal', '1.0', 'REAL#1.0', false],
    ['Bool', 'true', '1', true],
    ['Bool', 'BOOL#TRUE', 'TRUE', true],
    ['Time', 'T#1m', 'T#60s', true],
    ['Word', 'W#16#ff', '255', true],
    ['Int', '-5', '-16#5', true],
    ['Date', 'D#2024-01-02', 'DATE#2024-01-02', true],
    ['String', "'a'", "STRING#'a'", true],
    ['String', "'a'", "'A'", false],
    ['', '1', 'TRUE', false],
  ] as const)
    assert.equal(literalForm(left, type) === literalForm(right, type), isSame, `${type} ${left} ${right}`)
})

test('long chains and deep brackets take no stack', () => {
  const chain = (blank: string) => `#n := ${Array.from({ length: 3000 }, () => `${blank}#n`).join(' + ')};`
  assert.deepEqual(aspectsOf(chain(''), chain(' ')), ['text'])
  const deep = `${'('.repeat(150)}#n${')'.repeat(150)}`
  assert.deepEqual(aspectsOf(`#n := ${deep};`, '#n := #n;'), ['text'])
})

const titled = (networks: readonly (readonly [title: string, code: string])[]): ImportedObject => {
  const object = block('')
  return {
    ...object,
    networks: networks.map(
      ([title, text], at): Network => ({
        ...object.networks[0]!,
        number: at + 1,
        title: { 'en-US': title },
        text,
      }),
    ),
  }
}

const told = (left: ImportedObject, right: ImportedObject) =>
  compareObjects(left, right).differences.map(({ aspect, path, change }) => `${aspect} ${path} ${change}`)

test('a network that is taken out or put in changes no title behind it', () => {
  const all = Array.from({ length: 40 }, (_, i) => [`Motor ${i}`, `#n := ${i};`] as const)
  const without = all.filter((_, i) => i !== 3)
  assert.deepEqual(told(titled(all), titled(without)), ['code network 4 removed', 'comments network 4, title removed'])
  assert.deepEqual(told(titled(without), titled(all)), ['code network 4 added', 'comments network 4, title added'])
  const { counts } = comparePrograms([titled(all)], [titled(without)])
  assert.deepEqual(counts.sclLines, { equal: 39, total: 39 })
})

test('networks of the same logic, or none, are told apart by their titles', () => {
  const all = ['A', 'B', 'C', 'D'].map((title) => [title, ''] as const)
  assert.deepEqual(told(titled(all), titled(all.filter(([title]) => title !== 'B'))), [
    'code network 2 removed',
    'comments network 2, title removed',
  ])
  const same = all.map(([title]) => [title, '#n := 1;'] as const)
  assert.deepEqual(told(titled(same), titled(same.filter(([title]) => title !== 'A'))), [
    'code network 1 removed',
    'comments network 1, title removed',
  ])
})

test('of a new title and of new logic each is told once, with the other as it was', () => {
  const list = (title: string, code: string) =>
    titled([
      ['First', '#n := 1;'],
      [title, code],
      ['Last', '#n := 3;'],
    ])
  assert.deepEqual(told(list('Second', '#n := 2;'), list('Other', '#n := 2;')), ['comments network 2, title changed'])
  assert.deepEqual(told(list('Second', '#n := 2;'), list('Second', '#n := 9;')), [
    'code network 2, statement 1 changed',
  ])
  // One goes, and the one behind it is another one now, with its title.
  const right = titled([
    ['Second', '#n := 9;'],
    ['Last', '#n := 3;'],
  ])
  assert.deepEqual(told(list('Second', '#n := 2;'), right), [
    'code network 1 removed',
    'code network 2, statement 1 changed',
    'comments network 1, title removed',
  ])
})

test('an empty network has a name, and its language is not compared', () => {
  const drawn = (languages: readonly string[]): ImportedObject => {
    const object = block('')
    const [{ text: _, ...network } = assert.fail()] = object.networks
    return { ...object, networks: languages.map((language, at) => ({ ...network, language, number: at + 1 })) as never }
  }
  const [gone] = compareObjects(drawn(['FBD', 'FBD']), drawn(['FBD'])).differences
  assert.deepEqual(gone, { aspect: 'code', path: 'network 2', change: 'removed', left: 'FBD (empty)' })
  assert.deepEqual(told(drawn(['FBD']), drawn(['LAD'])), [])
})
