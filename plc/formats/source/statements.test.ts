import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Statement } from '../../model/statement.ts'
import { statement } from '../../testing/stl.ts'
import { mnemonicSetOf, readStatements } from './statements-read.ts'
import { statementsText } from './statements-write.ts'

function read(text: string): { statements: Statement[]; faults: string[] } {
  const faults: string[] = []
  const statements = readStatements(text, {
    fault: (message, offset) => {
      const before = text.slice(0, offset).split('\n')
      faults.push(`${before.length}:${(before.at(-1) ?? '').length + 1} ${message}`)
    },
  })
  return { statements, faults }
}

function clean(text: string): Statement[] {
  const { statements, faults } = read(text)
  assert.deepEqual(faults, [])
  return statements
}

test('one statement a line or several, with and without semicolon', () => {
  const expected = clean('A #a;\n= #b;')
  for (const text of ['A #a\n= #b', 'A #a; = #b', 'A #a ;= #b;', 'a\t#a\r\n=#b\r\n', ';; A #a;;\n = #b'])
    assert.deepEqual(clean(text), expected, text)
  assert.deepEqual(
    expected.map(({ mnemonic }) => mnemonic),
    ['A', '='],
  )
})

test('both sets of mnemonics give the same statements', () => {
  const german = `
      U     E 1.0; UN "x"; U(; O M 2.0; )
      SPBN  M1
      L     PEW 256; SE T 5; SV T 6; ZV Z 1
      AUF   DB 5; AUF DI 7
M1:   BEB; BEA; TAR; SPU M1; U BIE`
  const international = `
      A     I 1.0; AN "x"; A(; O M 2.0; )
      JCN   M1
      L     PIW 256; SD T 5; SE T 6; CU C 1
      OPN   DB 5; OPN DI 7
M1:   BEC; BEU; CAR; JUO M1; A BR`
  assert.equal(mnemonicSetOf(german), 'german')
  assert.equal(mnemonicSetOf(international), 'international')
  assert.deepEqual(clean(german), clean(international))
})

test('a timer of a text that does not tell its set is read internationally, or as it is said', () => {
  assert.equal(readStatements('SE T 5')[0]?.mnemonic, 'SE')
  assert.equal(readStatements('SE T 5', { mnemonics: 'german' })[0]?.mnemonic, 'SD')
})

test('a text does not mix the sets', () => {
  assert.equal(mnemonicSetOf('SE T 5'), undefined)
  assert.deepEqual(read('SPB M1; JC M1; U #a').faults, [
    '1:9 JC is one of the international mnemonics, but this text uses the german ones',
  ])
  assert.deepEqual(read('A #a; SPB M1').faults, [
    '1:7 SPB is one of the german mnemonics, but this text uses the international ones',
  ])
})

test('instructions of two words, of signs and with brackets', () => {
  const text =
    'NOP 0; NOP 1; L DBLG; LAR1 AR2; LAR1; RND+; RND-; +AR1 P#2.0; +AR1; +I; ==D; <>R; + 5; = #x; )MCR; MCR(; X('
  assert.deepEqual(
    clean(text).map(({ mnemonic }) => mnemonic),
    [
      ...['NOP 0', 'NOP 1', 'L DBLG', 'LAR1 AR2', 'LAR1', 'RND+', 'RND-', '+AR1', '+AR1', '+I', '==D', '<>R', '+', '='],
      ...[')MCR', 'MCR(', 'X('],
    ],
  )
})

test('labels, comments and blank lines', () => {
  assert.deepEqual(clean('// first\n\nM001: A #a; // why\nM002:\n  // alone\n  NOP 0\nM003: ;\n/* two\nlines */\n'), [
    { mnemonic: '', comment: ' first' },
    { mnemonic: '' },
    {
      label: 'M001',
      mnemonic: 'A',
      operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] },
      comment: ' why',
    },
    { mnemonic: '', comment: ' alone' },
    { label: 'M002', mnemonic: 'NOP 0' },
    { label: 'M003', mnemonic: '' },
    { mnemonic: '', comment: ' two' },
    { mnemonic: '', comment: 'lines ' },
  ])
})

test('calls: blocks by name and number, multi-instances, instructions', () => {
  const calls = (text: string) => clean(text).map(({ call }) => call)
  const [byName, byNumber, multi, system, instruction, timer] = calls(`
CALL "Motor" , "Motor_DB" ( on := E 1.0 , // the switch
     speed := "Setpoints".fast );
CALL FB 10, DB 11 (
     run := #a,
     open := )
CALL #drive
(  on := TRUE );
CALL SFC 20 ( SRCBLK := P#M 0.0 BYTE 4, RET_VAL := MW 10 );
CALL FILL_BLK
{value_type := 'Bool', count_type := 'UInt'}
( IN := 0 );
CALL #timer {time_type := 'Time'} ( PT := T#5s );`).filter((call) => call !== undefined)
  assert.deepEqual(byName, {
    target: 'block',
    name: 'Motor',
    blockType: 'FB',
    instance: { scope: 'GlobalVariable', path: [{ name: 'Motor_DB' }] },
    parameters: [
      {
        name: 'on',
        value: { kind: 'address', area: 'Input', type: 'Bool', bitOffset: 8 },
        kept: { elements: [{ at: 1, xml: '<LineComment Inserted="false"><Text> the switch</Text></LineComment>' }] },
      },
      {
        name: 'speed',
        value: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Setpoints' }, { name: 'fast' }] },
      },
    ],
  })
  assert.equal(byNumber?.blockNumber, 10)
  assert.deepEqual(byNumber?.instance?.path, [{ name: 'DB11' }])
  assert.deepEqual(byNumber?.parameters[1], { name: 'open' })
  assert.deepEqual([multi?.target, multi?.name], ['multiInstance', 'drive'])
  assert.deepEqual([system?.target, system?.blockType, system?.blockNumber], ['instruction', 'SFC', 20])
  assert.deepEqual(instruction?.templates, [
    { name: 'value_type', type: 'Type', value: 'Bool' },
    { name: 'count_type', type: 'Type', value: 'UInt' },
  ])
  assert.deepEqual([timer?.target, timer?.name, timer?.instance?.path], ['instruction', '', [{ name: 'timer' }]])
})

test('parameters as the editor of TIA Portal shows them, without brackets', () => {
  assert.deepEqual(clean('CALL "F"\n  a := 1\n  b := #x\nA #y'), clean('CALL "F" ( a := 1, b := #x )\nA #y'))
})

test('conditional calls take blocks, pointers and parameters', () => {
  assert.deepEqual(
    clean('UC FC 5; CC "F"; UC FC[LW 0]; CC #block').map(({ call, operand }) => call?.name ?? operand?.kind),
    ['FC5', 'F', 'indirect', 'symbol'],
  )
})

test('a fault says what, where and what would be right; reading goes on behind it', () => {
  const { statements, faults } = read(`A #a
#x := 5;
L ,; SET #q
AN #x #y; O #z
JC ;
JC 'a'
CALL ( a := 1 ); R #r
CALL "F" ( a 1 ); S #s
CALL "F", 5;
CALL "F" ( a := 1
  b := 2 );
END_FUNCTION
= #b`)
  assert.deepEqual(
    statements.filter(({ call }) => call === undefined).map(({ mnemonic }) => mnemonic),
    ['A', 'O', 'JC', 'R', 'S', '='],
  )
  assert.deepEqual(faults, [
    '2:1 expected an instruction, found "#x"',
    '3:3 expected an operand of L, found ",;"',
    '3:10 SET takes no operand',
    '4:7 expected ";" or the end of the line behind "AN #x", found "#y;"',
    '6:4 expected the label JC jumps to, found "\'a\'"',
    '7:6 expected a block or an instruction behind CALL, found "("',
    '8:14 expected a parameter or ")" ("name := value"), found "1"',
    '9:11 expected the instance data block, found "5;"',
    '11:3 expected "," or ")", found "b"',
    '12:1 "END_FUNCTION" is no instruction of STL',
  ])
})

test('a word that is no instruction is kept when it can be one', () => {
  assert.deepEqual(clean('XYZ #a; ABC'), [
    { mnemonic: 'XYZ', operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] } },
    { mnemonic: 'ABC' },
  ])
  assert.equal(read('Prompt operator to confirm').faults.length, 1)
})

test('calls are laid out as TIA Portal writes them', () => {
  const text = `      CALL "fcMode"
      (  mode                        := #p.mode , 
         out                         := %MW10
      );
M1:      NOP 0; // end`
  assert.equal(statementsText(clean(text), { indent: '      ' }), text)
})

test('property: the text of statements reads as those statements', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 12 }), fc.constantFrom('', '      '), (statements, indent) => {
      const { statements: again, faults } = read(statementsText(statements, { indent }))
      assert.deepEqual(faults, [])
      assert.deepEqual(again, statements)
    }),
    { numRuns: 300 },
  )
})

test('property: whatever a text is, what is read of it is written and read again', () => {
  const words = fc.constantFrom(
    ...[
      'A',
      'U',
      'L',
      'CALL',
      'JC',
      '=',
      '(',
      ')',
      ',',
      ';',
      ':=',
      ':',
      '#a',
      '"b"',
      'M 1.0',
      '\n',
      ' ',
      '//',
      '/*',
      '*/',
      '(*',
    ],
    ...['{', '}', "'", '"', 'P#', '[', ']', 'AR1', 'FB', '5', 'DB', 'TITLE', 'NOP', '0'],
  )
  const text = fc.oneof(
    fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
    fc.array(words).map((list) => list.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (given) => {
      const { statements } = read(given)
      const written = statementsText(statements)
      const again = read(written)
      assert.deepEqual(again.faults, [], written)
      assert.deepEqual(again.statements, statements, written)
    }),
    { numRuns: 1000 },
  )
})
