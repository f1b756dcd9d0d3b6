import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../../formats/source/read.ts'
import { linkProgram } from '../../../program/link-program.ts'
import { lowerBlock } from '../lower-block.ts'

/** Diagnostics of a source: code, and the member or line. */
function found(source: string): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  return [...program.blocks.values()].flatMap((block) =>
    lowerBlock(program, block).diagnostics.map(({ code, member, line }) => `${code} ${member ?? line}`),
  )
}

const other = 'FUNCTION "Fill" : Void\nVAR_IN_OUT\n  value : Int;\nEND_VAR\nBEGIN\n  #value := 1;\nEND_FUNCTION\n'
const scl = (body: string, temporaries: string) =>
  `${other}FUNCTION "F" : Int\nVAR_INPUT\n  a : Bool;\n  n : Int;\nEND_VAR\nVAR_TEMP\n  ${temporaries}\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`
const stl = (body: string, temporaries = '') =>
  `FUNCTION "F" : Void\nVAR_INPUT\n  a : Bool;\nEND_VAR\n${temporaries === '' ? '' : `VAR_TEMP\n  ${temporaries}\nEND_VAR\n`}BEGIN\nNETWORK\nTITLE =\n${body}\nEND_FUNCTION\n`

const cases: readonly (readonly [what: string, source: string, ...expected: string[]])[] = [
  ['a temporary that is only assigned is used, but never read', scl('#x := 1;\n#F := 1;', 'x : Int;'), 'never-read x'],
  [
    'results of calls are put somewhere, whether they are read or not',
    `FUNCTION "Give" : Int\nVAR_OUTPUT\n  out : Real;\nEND_VAR\nBEGIN\n#Give := 1;\n#out := 2.0;\nEND_FUNCTION\n${scl(
      '#x := "Give"(out => #y);\n#z := #n + 1;\n#F := 1;',
      'x : Int;\n  y : Real;\n  z : Int;',
    )}`,
    'never-read z',
  ],
  ['every unused one is told', scl('#F := 1;', 'x : Int;\n  y : Real;'), 'unused-temporary x', 'unused-temporary y'],
  [
    'an array that only an index names',
    scl('#F := #list[#x];', 'list : Array[0..3] of Int;\n  x : Int := 1;'),
    'uninitialised-temporary list',
  ],
  ['errors hide what would only follow from them', scl('#F := #missing;', 'x : Int;'), 'undeclared 1'],
  [
    'read in the other branch',
    scl('IF #a THEN\n#x := 1;\nELSE\n#F := #x;\nEND_IF;', 'x : Int;'),
    'result-partly-assigned Ret_Val',
    'uninitialised-temporary x',
  ],
  [
    'assigned in one branch',
    scl('IF #a THEN\n#x := 1;\nEND_IF;\n#F := #x;', 'x : Int;'),
    'temporary-partly-assigned x',
  ],
  [
    'assigned in one case',
    scl('CASE #n OF\n1: #x := 1;\n2: ;\nEND_CASE;\n#F := #x;', 'x : Int;'),
    'temporary-partly-assigned x',
  ],
  [
    'read in one case, assigned in another',
    scl('CASE #n OF\n1: #x := 1;\n2: #F := #x;\nEND_CASE;', 'x : Int;'),
    'result-partly-assigned Ret_Val',
    'uninitialised-temporary x',
  ],
  [
    'assigned later in the same loop',
    scl('WHILE %M0.0 DO\n#F := #x;\n#x := 1;\nEND_WHILE;', 'x : Int;'),
    'temporary-partly-assigned x',
  ],
  [
    'assigned in an earlier round',
    scl('WHILE %M0.0 DO\nIF #a THEN\n#F := #x;\nELSE\n#F := 0;\nEND_IF;\n#x := 1;\nEND_WHILE;', 'x : Int;'),
  ],
  [
    'assigned behind the loop only',
    scl('WHILE %M0.0 DO\n#F := #x;\nEND_WHILE;\n#x := 1;', 'x : Int;'),
    'uninitialised-temporary x',
  ],
  ['a run variable', scl('FOR #x := 1 TO 3 DO\n#F := #x;\nEND_FOR;', 'x : Int;')],
  ['the value of itself', scl('#x := #x + 1;\n#F := #x;', 'x : Int;'), 'uninitialised-temporary x'],
  ['bit by bit', scl('#w.%X0 := TRUE;\n#F := WORD_TO_INT(#w);', 'w : Word;')],
  [
    'an element of an array bit by bit',
    scl('#w[0].%X0 := TRUE;\n#w[0].%X1 := #a;\n#F := WORD_TO_INT(#w[0]);', 'w : Array[0..1] of Word;'),
  ],
  [
    'an element of an array, bits of another',
    scl('#F := WORD_TO_INT(#w[0]);\n#w[1].%X1 := #a;', 'w : Array[0..1] of Word;'),
    'uninitialised-temporary w',
  ],
  ['given for an in-out', scl('"Fill"(#x);\n#F := #x;', 'x : Int;')],
  [
    'given for an input of a call in a condition',
    scl('IF INT_TO_DINT(#x) > 1 THEN\n#F := 1;\nEND_IF;', 'x : Int;'),
    'result-partly-assigned Ret_Val',
    'uninitialised-temporary x',
  ],
  [
    'a jump back',
    scl('again: ;\nIF #a THEN\n#F := #x;\nEND_IF;\n#x := 1;\nGOTO again;', 'x : Int;'),
    'dead-store 3',
    'temporary-partly-assigned x',
  ],
  [
    'under the same condition',
    scl('#F := 0;\nIF #a THEN\n#x := 1;\nEND_IF;\nIF #a AND #n > 1 THEN\n#F := #x;\nEND_IF;', 'x : Int;'),
  ],
  [
    'under a condition that has changed',
    scl('#F := 0;\nIF %M0.0 THEN\n#x := 1;\nEND_IF;\n%M0.0 := #a;\nIF %M0.0 THEN\n#F := #x;\nEND_IF;', 'x : Int;'),
    'temporary-partly-assigned x',
  ],
  [
    'with a flag',
    scl(
      '#F := 0;\n#ok := FALSE;\nFOR #i := 1 TO #n DO\nIF #a THEN\n#x := #i;\n#ok := TRUE;\nEND_IF;\nEND_FOR;\nIF #ok THEN\n#F := #x;\nEND_IF;',
      'x : Int;\n  i : Int;\n  ok : Bool;',
    ),
  ],
  [
    'with a status',
    scl(
      '#s := 0;\nIF #a THEN\n#x := 1;\nELSE\n#s := 5;\nEND_IF;\nIF #s = 0 THEN\n#F := #x;\nELSE\n#F := 0;\nEND_IF;',
      'x : Int;\n  s : Int;',
    ),
  ],
  [
    'in one CASE, read in the same branch of another',
    scl('#F := 0;\nCASE #n OF\n1: #x := 1;\nEND_CASE;\nCASE #n OF\n1: #F := #x;\nEND_CASE;', 'x : Int;'),
  ],
  [
    'beside a condition',
    scl('IF #a THEN\n#x := 1;\nEND_IF;\nIF #a AND #x > 0 THEN\n#F := 1;\nELSE\n#F := 2;\nEND_IF;', 'x : Int;'),
  ],
  [
    'beside the other one',
    scl('IF #a THEN\n#x := 1;\nEND_IF;\nIF NOT #a AND #x > 0 THEN\n#F := 1;\nELSE\n#F := 2;\nEND_IF;', 'x : Int;'),
    'temporary-partly-assigned x',
  ],
  [
    'RETURN before it',
    scl('IF #a THEN\nRETURN;\nEND_IF;\n#F := #n;', 'x : Int := 1;'),
    'result-partly-assigned Ret_Val',
    'unused-temporary x',
  ],
  ['in a loop with constant limits', scl('FOR #i := 1 TO 3 DO\n#F := #i;\nEND_FOR;', 'i : Int;')],
  [
    'behind RETURN',
    scl('#F := 1;\nRETURN;\n#F := 2;\n#F := 3;', 'x : Int := 1;'),
    'unreachable 3',
    'unused-temporary x',
  ],
  [
    'behind EXIT in a branch',
    scl('WHILE #a DO\nIF #a THEN\nEXIT;\n#F := 2;\nEND_IF;\nEND_WHILE;', 'x : Int;'),
    'result-partly-assigned Ret_Val',
    'unreachable 4',
    'unused-temporary x',
  ],
  [
    'behind CONTINUE at the end of a branch',
    scl('#x := 1;\nWHILE %M0.0 DO\nIF #a THEN\nCONTINUE;\nEND_IF;\n#F := #x;\nEND_WHILE;', 'x : Int;'),
  ],
  ['a label behind GOTO', scl('#x := 1;\nGOTO last;\nlast: #F := #x;', 'x : Int;')],
  ['between GOTO and its label', scl('#x := 1;\nGOTO last;\n#F := 2;\nlast: #F := #x;', 'x : Int;'), 'unreachable 3'],
  ['STL: between JU and its label', stl('      JU last;\n      SET;\nlast: NOP 0;'), 'unreachable 2'],
  ['STL: behind a conditional jump', stl('      A #a;\n      JC last;\n      SET;\nlast: NOP 0;')],
  [
    'STL: the jumps of a jump list',
    stl('      L 1;\n      JL most;\n      JU one;\n      JU two;\nmost: NOP 0;\none:  NOP 0;\ntwo:  NOP 0;'),
  ],
  ['STL: behind BEU', stl('      BEU;\n      SET;'), 'unreachable 2'],
  ['STL: a temporary that is read first', stl('      A #t;\n      = #t;', 't : Bool;'), 'uninitialised-temporary t'],
  [
    'STL: a temporary that is assigned first',
    stl('      A #a;\n      = #t;\n      A #t;\n      JC last;\nlast: NOP 0;', 't : Bool;'),
  ],
]

for (const [what, source, ...expected] of cases)
  test(what, () => assert.deepEqual(found(source).sort(), [...expected].sort()))

test('start information of organization blocks need not be used', () => {
  const ob = (access: boolean, names: string) =>
    `ORGANIZATION_BLOCK "Main"\n{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}' }\nVAR_TEMP\n  ${names}\nEND_VAR\nBEGIN\n  ;\nEND_ORGANIZATION_BLOCK\n`
  assert.deepEqual(found(ob(true, 'OB1_EV_CLASS : Byte;\n  other : Byte;')), ['unused-temporary other'])
  assert.deepEqual(found(ob(false, 'info : Array[0..19] of Byte;\n  other : Byte;')), ['unused-temporary other'])
})
