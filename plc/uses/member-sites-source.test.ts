/** Places in sources that name a member: every form of path, and the same name of another member beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InterfaceMember } from '../model/object.ts'
import type { MemberQuery } from './member-lookup.ts'
import { memberSites, withNewName } from './member-sites.ts'

const member = (name: string, dataType: string, members: InterfaceMember[] = []): InterfaceMember => ({
  name,
  dataType,
  comment: {},
  attributes: [],
  members,
})

/** A type with `old` and a structure with another `old`, and all that can lead to it. */
const type = [member('old', 'Int'), member('sub', 'Struct', [member('old', 'Int'), member('one', '"T"')])]
const objects: MemberQuery['objects'] = [
  { kind: 'UDT', name: 'T', interface: [{ section: 'None', members: type }] },
  {
    kind: 'FB',
    name: 'F',
    interface: [
      { section: 'Input', members: [member('t', '"T"'), member('old', 'Int'), member('i', 'Int')] },
      {
        section: 'Static',
        members: [
          member('ts', 'Array[0..9] of "T"'),
          member('grid', 'Array[0..1] of Array[0..2, 0..3] of "T"'),
          member('r', 'REF_TO "T"'),
          member('pair', 'Struct', [member('t', '"T"'), member('old', 'Int')]),
          member('pairs', 'Array[0..1] of Struct', [member('t', '"T"'), member('old', 'Int')]),
          member('two words', '"T"'),
        ],
      },
      { section: 'Temp', members: [member('x', '"T"')] },
    ],
  },
  { kind: 'InstanceDB', name: 'D', instanceOf: 'F', interface: [] },
  {
    kind: 'GlobalDB',
    name: 'G',
    interface: [{ section: 'Static', members: [member('t', '"T"'), member('old', 'Int')] }],
  },
  {
    kind: 'ArrayDB',
    name: 'A',
    interface: [{ section: 'None', members: [member('A', 'Array[0..9] of "T"')] }],
  },
  {
    kind: 'FC',
    name: 'C',
    interface: [{ section: 'Input', members: [member('t', '"T"'), member('old', 'Int')] }],
  },
]
const query = (owner: string, ...path: string[]): MemberQuery => ({
  target: { owner, path },
  objects,
  numbers: { 'FB 5': 'F', 'DB 7': 'D', 'DB 8': 'G', 'FC 3': 'C' },
})

/** Each `@@` is the old name before and the new one afterwards; a written-out `old` stays. */
function check(name: string, kind: string, template: string, wanted = query('T', 'old'), newName = 'new') {
  const text = template.replaceAll('@@', 'old')
  const sites = memberSites({ text, format: 'source', kind, name, culture: 'en-US' }, wanted, newName)
  assert.equal(withNewName(text, sites), template.replaceAll('@@', newName))
  return sites.map(({ place }) => place)
}
const scl = (lines: readonly string[]) => `FUNCTION_BLOCK "F"\nBEGIN\n${lines.join('\n')}\nEND_FUNCTION_BLOCK\n`

const paths = [
  '#t.@@ := "D".t.@@ + "D".old;',
  '#t . @@ := #"t"."@@";',
  '#T.@@ := "d".T.@@;',
  '#"two words".@@ := #"two words".sub.old;',
  't.@@ := old;',
  '#ts[#i].@@ := #ts["D".t.@@].sub.old;',
  '#ts[#old + #ts[#ts[1].@@].@@].@@ := #old;',
  '#grid[1][#t.@@, 3].@@ := #grid[0][0, 0].sub.old;',
  '#r^.@@ := #r^.sub.old;',
  '#t.@@.%X0 := #t.sub.old.%X1;',
  '#t.sub.one.@@ := #t.sub.one.sub.one.@@;',
  '#pair.t.@@ := #pair.old;',
  '#pairs[1].t.@@ := #pairs[1].old;',
  '"G".t.@@ := "G".old;',
  '"A"."THIS"[#t.@@].@@ := "A"."THIS"[1].sub.old;',
  '#x.@@ := "D".x.old;',
  'IF #t.@@ > 0 AND (#t.@@ < #old) THEN #old := -#t.@@; END_IF;',
  'FOR #i := #t.@@ TO "G".t.@@ BY #old DO #i := 1; END_FOR;',
  '"C"(t := #t, old := #t.@@);',
  '"C"(old := "C"(old := #t.@@, t := "G".t), t := #ts[#t.@@]);',
  '"D"(old := #old, t := #t);',
  '#old := ABS(#t.@@) + MAX(IN1 := #t.@@, IN2 := #old);',
  "#s := '#t.old'; // #t.old\n(* #t.old *)",
  '#unknown.old := "Unknown".old + #i.old;',
  '#ts[1].@@ := 1; #i.old := 2; .old := 3; #t.@@ := 4;',
  // With faults.
  '#ts[1.old := 1; #t.@@ := 2;',
  '#t.@@ := #ts[#i; #t.@@ := 2;',
  '"C"(old := 1; #t.@@ := 2;',
  '#t).old := #ts].old; #t.@@ := 1;',
  '#t + .old; #t, .old; #t #i.old;',
]
for (const line of paths)
  test(`in SCL, ${line.split('\n')[0]}`, () => {
    check('F', 'FB', scl([line]))
  })

test('the lines of SCL count from the first behind BEGIN', () => {
  const places = check('F', 'FB', scl(['#t.@@ := 1;', '', '#i := #t.@@ +', '   #t.@@;']))
  assert.deepEqual(
    places,
    [1, 3, 4].map((line) => ({ network: 1, line })),
  )
  const beside = check('F', 'FB', 'FUNCTION_BLOCK "F"\nBEGIN #t.@@ := 1;\n#t.@@ := 2;\nEND_FUNCTION_BLOCK\n')
  assert.deepEqual(
    beside.map(({ line }) => line),
    [1, 2],
  )
})

test('members of structures, of the block itself, parameters: each only where it is meant', () => {
  check('F', 'FB', scl(['#t.sub.@@ := #t.old + "A"."THIS"[1].sub.@@ + #pair.old;']), query('T', 'sub', 'old'))
  check('F', 'FB', scl(['#pair.@@ := #old + "D".pair.@@ + #pairs[1].old;']), query('F', 'pair', 'old'))
  check('F', 'FB', scl(['#pairs[#old].@@ := "D".pairs[1].@@;']), query('F', 'pairs', 'old'))
  const own = query('F', 'old')
  check('F', 'FB', scl(['#@@ := @@ + "D".@@ + #t.old; "D"(@@ := #@@, i := "C"(old := #@@), t := #t);']), own)
  check('F', 'FB', scl(['"D"(i := (1 + #@@) * 2, @@ := #ts[#@@].old, t => #t); "C"(old := #@@);']), own)
  check('F', 'FB', scl(['"C"(@@ := #old); "C"(t := #t, @@ => #old); "D"(old := "C"(@@ := 1));']), query('C', 'old'))
})

test('a new name is written as the old one was, and with quotes where it needs them', () => {
  const written = (source: string, newName: string, wanted = query('T', 'old')) => {
    const text = scl([source])
    const sites = memberSites({ text, format: 'source', kind: 'FB', name: 'F', culture: 'en-US' }, wanted, newName)
    return withNewName(text, sites).split('\n')[2]
  }
  const own = query('F', 'old')
  assert.equal(written('#t.old := #t."old";', 'a b'), '#t."a b" := #t."a b";')
  assert.equal(written('#t.old := #t."old";', 'IF'), '#t."IF" := #t."IF";')
  assert.equal(written('#t.old := #t."old";', 'new'), '#t.new := #t."new";')
  assert.equal(written('#old := #"old" + old;', 'new', own), '#new := #"new" + new;')
  assert.equal(written('#old := #"old" + old;', 'a b', own), '#"a b" := #"a b" + #"a b";')
  assert.equal(written('#old := #"old" + old;', 'IF', own), '#IF := #"IF" + #"IF";')
})

const list = (lines: readonly string[]) =>
  `FUNCTION_BLOCK "F"\nBEGIN\nNETWORK\nTITLE = first\n${lines.join('\n')}\nEND_FUNCTION_BLOCK\n`

test('statement lists: operands, calls by name and number, several lines', () => {
  const own = query('F', 'old')
  check('F', 'FB', list(['      A     #t.@@;', '      =     "D".t.@@;', '      L     "G".old;', 'old:  T     #old;']))
  check('F', 'FB', list(['      L     #ts[#t.@@].@@;', '      L     DB7.old;', '      L     old;']))
  check('F', 'FB', list(['      CALL "F", "D" (t := "G".t, @@ := #t.old);', '      L     #@@;']), own)
  check(
    'F',
    'FB',
    list(['      CALL FB 5, DB 7', '      ( t := "G".t , ', '        @@ := #@@);', '      L     1;']),
    own,
  )
  check(
    'F',
    'FB',
    list(['      CALL FB5,DB7 (@@ := #@@);', '      CALL FC 3 (old := #@@);', '      CALL FC3 (old := 1);']),
    own,
  )
  check(
    'F',
    'FB',
    list(['      CALL FC 3 (@@ := #old);', '      CALL FC3 (t := #t, @@ := 1);', '      CALL "C" (@@ := 1);']),
    query('C', 'old'),
  )
  check(
    'F',
    'FB',
    list(['      CALL FB 6, DB 9 (old := 1);', '      CALL FC 4 (old := 1);', '      UC FB 5;', '      L     #@@;']),
    own,
  )
})

test('statement lists: the network, and the line from its first statement', () => {
  const places = check(
    'F',
    'FB',
    `${list(['      A     #t.@@;', '      ', '      =     #t.@@;', 'NETWORK', 'TITLE = ', '      L     #t.@@;', '      T     #i;', '      L     #t.@@;'])}`,
  )
  assert.deepEqual(
    places.map(({ network, line }) => `${network}/${line}`),
    ['1/1', '1/3', '2/1', '2/3'],
  )
})

test('declarations: overlays, constants in limits and values of the block that has the member', () => {
  const own = query('F', 'old')
  const places = check(
    'F',
    'FB',
    `FUNCTION_BLOCK "F"
VAR_INPUT
   old : Int := 1;
   t : "T";
END_VAR
VAR
   view AT @@ : Word;
   "view 2" AT "@@" : Struct
      old : Int;
      other : Array[0..#@@] of Int := [#@@, 2];
   END_STRUCT;
   list { ExternalVisible := 'False' } : Array[@@..9, 0..#@@ + 1] of "old" := @@;
   value : Int := #@@;
   text : String := 'old'; // old
   old2 : Int := "old";
END_VAR
BEGIN
END_FUNCTION_BLOCK
`,
    own,
  )
  assert.deepEqual(
    places.map((place) => place.member),
    ['view', 'view 2', 'other', 'other', 'list', 'list', 'list', 'value'],
  )
  // Those of a structure, and of another block, are not named there.
  const declared =
    'FUNCTION_BLOCK "F"\nVAR\n   view AT old : Word;\n   v : Int := #old;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n'
  assert.deepEqual(check('F', 'FB', declared, query('F', 'pair', 'old')), [])
  assert.deepEqual(check('F', 'FB', declared, query('C', 'old')), [])
})

test('values of data blocks name members, also of the type of the instance', () => {
  const values = (head: string, lines: readonly string[]) =>
    `DATA_BLOCK ${head}\nBEGIN\n${lines.join('\n')}\nEND_DATA_BLOCK\n`
  const inG = '"G"\nVAR\n   t : "T";\n   old : Int;\nEND_VAR'
  const places = check(
    'G',
    'GlobalDB',
    values(inG, [
      '   t.@@ := 1;',
      '   t.sub.old := 2;',
      '   old := 3;',
      '   t.sub.one.@@ := "old";',
      '   t . "@@" := 1 + (2);',
    ]),
  )
  assert.deepEqual(places, Array(3).fill({ member: 'old' }))
  check(
    'D',
    'InstanceDB',
    values('"D"\n"F"', [
      '   t.@@ := 1;',
      '   ts[1].@@ := 2;',
      '   ts[old].sub.old := 3;',
      '   old := 4;',
      '   pairs[1].t.@@ := 5;',
      '   pair.old := 6;',
    ]),
  )
  check(
    'D',
    'InstanceDB',
    values('"D"\n"F"', ['   t.old := 1;', '   @@ := #old;', '   pair.old := 6;']),
    query('F', 'old'),
  )
})
