/** Merges of sources beside a merge of plain values, and every answer about a whole file (`fixtures/*.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../test/random.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { writeSimaticMl } from '../formats/simaticml/write.ts'
import { readSource } from '../formats/source/read.ts'
import { FormatError } from '../model/fault.ts'
import { changedLines } from '../testing/outline.ts'
import { mergeFile } from './file.ts'
import { mergeText } from './lines.ts'

const names = { ours: 'ours', theirs: 'theirs' }

test('between lines that nobody touches: the change of a side is taken, two changes are a conflict in their place', () => {
  const random = randomFrom(3)
  const kinds = ['same', 'same', 'gone', 'other', 'more', 'mine'] as const
  const made = (line: string, kind: (typeof kinds)[number], side: string) =>
    kind === 'same'
      ? [line]
      : kind === 'gone'
        ? []
        : kind === 'other'
          ? [`${line} changed`]
          : kind === 'more'
            ? [line, `${line} and more`]
            : [`${line} ${side}`, `${line} ${side} 2`]
  for (let run = 0; run < 400; run++) {
    const [base, ours, theirs, expected]: string[][] = [[], [], [], []]
    const conflicts: { line: number; endLine: number }[] = []
    const count = 1 + Math.floor(random() * 6)
    for (let i = 0; i < count; i++) {
      const [own, other] = [0, 0].map(() => kinds[Math.floor(random() * kinds.length)]!)
      const [x, y, z] = [[`line ${i}`], made(`line ${i}`, own!, 'ours'), made(`line ${i}`, other!, 'theirs')]
      base!.push(...x)
      ours!.push(...y)
      theirs!.push(...z)
      if (own === 'same' || `${y}` === `${z}`) expected!.push(...z)
      else if (other === 'same') expected!.push(...y)
      else {
        conflicts.push({ line: expected!.length + 1, endLine: expected!.length + y.length + z.length + 3 })
        expected!.push('<<<<<<< ours', ...y, '=======', ...z, '>>>>>>> theirs')
      }
      for (const side of [base, ours, theirs, expected]) side!.push(`anchor ${i}`)
    }
    const [a, b, c] = [base, ours, theirs].map((lines) => lines!.join('\n'))
    assert.deepEqual(
      mergeText(a!, b!, c!, names),
      { text: expected!.join('\n'), conflicts },
      `${a}\n--\n${b}\n--\n${c}`,
    )
  }
})

test('declarations: members of both sides stay, in the order of ours; two changes of one are a conflict', () => {
  const random = randomFrom(4)
  let fights = 0
  for (let run = 0; run < 400; run++) {
    const chosen = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const members = ['a', '"b b"', 'c {x := 1}', 'd', 'e'].slice(0, 1 + Math.floor(random() * 5))
    const side = (name: string) => {
      const states = members.map((one) =>
        chosen([`${one} : Int;`, `${one} : Int;`, `${one} : Int;`, '', `${one} : ${name};`]),
      )
      const added = states.flatMap((_, i) => (random() < 0.3 ? [[i, `${name}_${i} : Bool;`] as const] : []))
      const lines = states.flatMap((line, i) => [
        ...(line === '' ? [] : [line]),
        ...added.filter(([at]) => at === i).map(([, text]) => text),
      ])
      return { states, added: added.map(([, text]) => text), lines }
    }
    const [ours, theirs] = [side('Real'), side(chosen(['Real', 'Word']))]
    const base = members.map((one) => `${one} : Int;`)
    const isContested = base.some((line, i) => {
      const [y, z] = [ours.states[i], theirs.states[i]]
      return y !== z && y !== line && z !== line
    })
    const expected = base.map((line, i) => (ours.states[i] === line ? theirs.states[i]! : ours.states[i]!))
    const [a, b, c] = [base, ours.lines, theirs.lines].map((lines) => ['VAR_TEMP', ...lines, 'END_VAR'].join('\n'))
    const { text, conflicts } = mergeText(a!, b!, c!, names)
    assert.equal(conflicts.length > 0, isContested, text)
    if (isContested) {
      fights++
      continue
    }
    const lines = text.split('\n').slice(1, -1)
    const wanted = new Set([...expected.filter((line) => line !== ''), ...ours.added, ...theirs.added])
    assert.deepEqual([...lines].sort(), [...wanted].sort(), `${a}\n--\n${b}\n--\n${c}\n--\n${text}`)
    const kept = (these: readonly string[]) => these.filter((line) => lines.includes(line))
    for (const { lines: own } of [ours, theirs])
      assert.deepEqual(
        lines.filter((line) => own.includes(line)),
        kept(own),
        `${a}\n--\n${b}\n--\n${c}\n--\n${text}`,
      )
  }
  assert.ok(fights > 50 && fights < 350, `${fights}`)
})

/** The document of a block with statements in SCL. */
function document(members: readonly string[], statements: readonly string[], more = ''): string {
  const text = `FUNCTION_BLOCK "Block"\n${more}VAR\n${members.join('\n')}\nEND_VAR\nBEGIN\n${statements.join('\n')}\nEND_FUNCTION_BLOCK\n`
  const { blocks } = readSource(text)
  return writeSimaticMl(blocks[0]!.object, { version: 'V18' }).text
}

const source = (members: string, statements = '') =>
  `FUNCTION_BLOCK "Block"\nVAR\n${members}\nEND_VAR\nBEGIN\n${statements}\nEND_FUNCTION_BLOCK\n`

const ab = ['a : Int;', 'b : Int;', 'c : Int;']
const [first, second, third] = ['#a := 1;', '#b := 2;', '#c := 3;']
const call = '"other"(#a);'
const [one, two] = [document(ab, [first, second, third]), document([...ab, 'd : Int;'], [first, second, third])]

/** What is merged: path, base, ours, theirs. */
const cases: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'both sides are equal': ['a.scl', 'x', 'y', 'y'],
  'only ours': ['a.scl', 'x', 'y', 'x'],
  'only theirs': ['a.scl', 'x', 'x', 'y'],
  'both add a source': ['a.scl', '', source('  a : Int;'), source('  b : Int;')],
  'both add a document': ['a.xml', '', one, two],
  'a document became a source': ['a.xml', one, two, source('  a : Int;')],
  'a source became a document': ['a.scl', source('  a : Int;'), one, source('  b : Int;')],
  'lines of both': [
    'a.scl',
    source('  a : Int;', '  #a := 1;\n  ;\n  #a := 2;'),
    source('  a : Int;\n  b : Int;', '  #a := 1;\n  ;\n  #a := 3;'),
    source('  a : Int;\n  c : Int;', '  #a := 0;\n  ;\n  #a := 2;'),
  ],
  'two places that both changed': [
    'a.scl',
    source('  a : Int;', '  #a := 1;\n  ;\n  #a := 2;'),
    source('  a : Int;', '  #a := 11;\n  ;\n  #a := 12;'),
    source('  a : Int;', '  #a := 21;\n  ;\n  #a := 22;'),
  ],
  'the same member at two places': [
    'a.scl',
    source('  a : Int;\n  b : Int;\n  s : Struct\n    n : Int;\n  END_STRUCT;'),
    source('  new : Int;\n  a : Int;\n  b : Int;\n  s : Struct\n    m : Int;\n    n : Int;\n  END_STRUCT;'),
    source('  a : Int;\n  b : Int;\n  NEW : Bool;\n  s : Struct\n    n : Int;\n    M : Int;\n  END_STRUCT;'),
  ],
  'a side that has a member twice': [
    'a.scl',
    source('  a : Int;'),
    source('  a : Int;\n  b : Int;\n  b : Bool;'),
    source('  a : Int;\n  c : Int;'),
  ],
  'the other side has a member twice': [
    'a.scl',
    source('  a : Int;'),
    source('  a : Int;\n  c : Int;'),
    source('  a : Int;\n  b : Int;\n  b : Bool;'),
  ],
  'together they cannot be read': [
    'a.scl',
    source('  n : Int;\n  (*\n  a : Int;\n  b : Int;\n  *)'),
    source('  n : Int;\n  // on\n  a : Int;\n  b : Int;\n  // off'),
    source('  n : Int;\n  (*\n  a : Int;\n  : what is this\n  b : Int;\n  *)'),
  ],
  'statements of documents': [
    'a.xml',
    one,
    document(ab, ['#a := 11;', second, third]),
    document(ab, [first, second, '#c := 33;']),
  ],
  'the same statement of documents': [
    'a.xml',
    one,
    document(ab, ['#a := 11;', second, third]),
    document(ab, ['#a := 12;', second, third]),
  ],
  'statements and a member of documents': [
    'a.xml',
    one,
    document(ab, ['#a := 11;', second, third]),
    document([...ab, 'd : Int;'], [first, second, '#d := 3;']),
  ],
  'statements and the start value that both changed': [
    'a.xml',
    one,
    document(['a : Int := 1;', ...ab.slice(1)], ['#a := 11;', second, third]),
    document(['a : Int := 2;', ...ab.slice(1)], [first, second, '#c := 33;']),
  ],
  'statements with a call': [
    'a.xml',
    document(ab, [first, second, call]),
    document(ab, ['#a := 11;', second, call]),
    document(ab, [first, second, call, third]),
  ],
  'a member of documents at two places': [
    'a.xml',
    one,
    document(['d : Int;', ...ab], [first, second, third]),
    document([...ab, 'D : Bool;'], [first, second, third]),
  ],
  'a member of documents in two sections': [
    'a.xml',
    one,
    document([...ab, 'd : Int;'], [first, second, third]),
    document(ab, [first, second, third], 'VAR_INPUT\n  d : Int;\nEND_VAR\n'),
  ],
  'two objects against one': ['a.xml', one, `${one.replace('</Document>', '')}${two.slice(two.indexOf('<SW'))}`, two],
  'ours cannot be read': ['a.xml', one, one.replace('<Name>', '<Nam>'), two],
  'the base cannot be read': ['a.xml', one.replace('<Name>', '<Nam>'), one, two],
  'sources that cannot be read': ['a.scl', 'nothing\nof\nit', 'nothing\nat all\nof\nit', 'nothing\nof\nit\nhere'],
}

test('every answer about a file: what is merged and what people must decide', async () => {
  const told: string[] = []
  for (const [what, [path, ...sides]] of Object.entries(cases)) {
    const [base, ours, theirs] = sides.map((text) => new TextEncoder().encode(text))
    told.push(`── ${what}`)
    try {
      const { bytes, conflicts } = await mergeFile({ base: base!, ours: ours!, theirs: theirs!, path, names })
      const text = new TextDecoder().decode(bytes)
      const lines = changedLines(sides[1]!.split('\n'), text.split('\n'), 9)
      told.push(
        lines.length === 0 ? '  ours' : text === sides[2] ? '  theirs' : lines.map((line) => `  ${line}`).join('\n'),
      )
      told.push(...conflicts.map((conflict) => `! ${conflict.path}: ${conflict.message}`))
    } catch (error) {
      assert.ok(error instanceof FormatError, String(error))
      told.push(...error.faults.map(({ line, message }) => `✗ ${line}: ${message}`))
    }
  }
  assertRecorded(import.meta.url, 'merged.txt', `${told.join('\n')}\n`)
})
