import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ImportedObject, Network } from '../../model/object.ts'
import { statement } from '../../testing/stl.ts'
import { readSource } from './read.ts'
import { sourceTextOf } from './write.ts'

function blocksOf(text: string): ImportedObject[] {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  return blocks.map(({ object }) => object)
}

/** The object without the text it was imported from. */
function withoutText({ text: _text, ...object }: ImportedObject): ImportedObject {
  return object
}

function content(networks: readonly Network[]) {
  return networks.map(({ title, comment, statements }) => ({ title, comment, statements }))
}

const classicSource = `FUNCTION_BLOCK FB 10
TITLE =Motor control
//First line
//second line
AUTHOR : ME
FAMILY : DRIVES
NAME : MOTOR
VERSION : 1.2
KNOW_HOW_PROTECT
CODE_VERSION1


VAR_INPUT
  On : BOOL ;\t//switch on
  Time : S5TIME  := S5T#5S;\t
  Values : ARRAY  [1 .. 3 ] OF INT := 1, 2, 3;\t
  Data : BLOCK_DB ;\t
END_VAR
VAR
  Inst : FB 11;\t
  Timer : SFB 4;\t
  Shape : UDT 7;\t
  Parts : STRUCT \t
   a : INT ;\t
   b : ARRAY  [0 .. 9 ] OF //
   BYTE ;\t
  END_STRUCT ;\t
END_VAR
BEGIN
NETWORK
TITLE =Start
//about the network
      U     #On;
      U     On
      SPBNB M001;
      AUF   #Data;
      L     DBW    2;
M001: NOP   0;
      CALL #Inst (
           IN1                      := #On,
           OUT1                     := A      4.0);
END_FUNCTION_BLOCK

DATA_BLOCK DB 14
TITLE =
VERSION : 0.1
 FB 10
BEGIN
   On := TRUE;
END_DATA_BLOCK

DATA_BLOCK DB 5
READ_ONLY
  STRUCT \t
   Value : INT  := 5;\t//the value
   Field : ARRAY  [1 .. 3 ] OF REAL ;\t
  END_STRUCT ;\t
BEGIN
   Value := 7;
   Field[1] := 1.000000e+000;
END_DATA_BLOCK

ORGANIZATION_BLOCK OB 1
TITLE = "Main Program Sweep (Cycle)"
VERSION : 0.1
VAR_TEMP
  OB1_EV_CLASS : BYTE ;
END_VAR
BEGIN
NETWORK
TITLE =
      CALL FC     5 (
           x                        := MD    10);
      UC    FC    8;
END_ORGANIZATION_BLOCK
`

test('classic sources: blocks by number, every header entry, German mnemonics', () => {
  const [fb, instance, data, ob] = blocksOf(classicSource)
  assert.deepEqual(
    [
      fb?.kind,
      fb?.name,
      fb?.number,
      fb?.language,
      fb?.author,
      fb?.family,
      fb?.headerName,
      fb?.version,
      fb?.isKnowHowProtected,
    ],
    ['FB', 'FB10', 10, 'STL', 'ME', 'DRIVES', 'MOTOR', '1.2', true],
  )
  assert.deepEqual(fb?.attributes, [{ name: 'CODE_VERSION1', value: 'TRUE' }])
  assert.deepEqual(
    fb?.interface.flatMap(({ members }) => members.map(({ name, dataType }) => `${name} : ${dataType}`)),
    [
      ...['On : Bool', 'Time : S5Time', 'Values : Array[1..3] of Int', 'Data : Block_DB'],
      ...['Inst : "FB11"', 'Timer : SFB4', 'Shape : "UDT7"', 'Parts : Struct'],
    ],
  )
  const [network] = fb?.networks ?? []
  assert.deepEqual([network?.title, network?.comment], [{ 'en-US': 'Start' }, { 'en-US': 'about the network' }])
  // The block's own variables need no #.
  assert.deepEqual(network?.statements?.[0], network?.statements?.[1])
  assert.deepEqual(
    network?.statements?.map(({ mnemonic }) => mnemonic),
    ['A', 'A', 'JNB', 'OPN', 'L', 'NOP 0', 'CALL'],
  )
  assert.equal(network?.statements?.[6]?.call?.target, 'multiInstance')
  assert.deepEqual([instance?.kind, instance?.number, instance?.instanceOf], ['InstanceDB', 14, 'FB10'])
  assert.deepEqual([data?.kind, data?.attributes], ['GlobalDB', [{ name: 'READ_ONLY', value: 'TRUE' }]])
  assert.deepEqual([ob?.name, ob?.title], ['OB1', { 'en-US': '"Main Program Sweep (Cycle)"' }])
})

test('a list of values without brackets spreads over the array', async () => {
  const { writeObject } = await import('../simaticml/write.ts')
  const [fb] = blocksOf(classicSource)
  const { xml } = writeObject(withoutText(fb as ImportedObject), { version: 'V19' })
  assert.match(xml, /<Subelement Path="3">\s*<StartValue>3<\/StartValue>/)
})

const frameText = (body: string) => `FUNCTION "F" : Void\nVERSION : 0.1\n\nBEGIN\n${body}END_FUNCTION\n`

test('title and comment of a network, and what belongs to its statements', () => {
  const [f] = blocksOf(
    frameText(`NETWORK
TITLE = plain
// about it
      A #a;
NETWORK

// before the title
TITLE = 'quoted'

// a statement's
      = #b;
NETWORK
// no title: a statement's

NETWORK
TITLE =
`),
  )
  assert.deepEqual(
    content(f?.networks ?? []).map(({ title, comment, statements }) => [
      title['en-US'] ?? '',
      comment['en-US'] ?? '',
      statements?.map((of) => of.mnemonic || `//${of.comment ?? ''}`),
    ]),
    [
      ['plain', 'about it', ['A']],
      ["'quoted'", 'before the title', ["// a statement's", '=']],
      ['', '', ["// no title: a statement's", '//']],
      ['', '', []],
    ],
  )
})

test('faults of statements have their place in the file and the block’s name; the next block is read', () => {
  const { blocks, faults } = readSource(
    `${frameText('NETWORK\n      A #a\n      #x := 5;\n')}\n${frameText('NETWORK\n= #b\n')}`,
  )
  assert.deepEqual(
    faults.map(({ code, line, column, path, message }) => [code, line, column, path, message]),
    [['source-syntax', 7, 7, 'F', 'expected an instruction, found "#x"']],
  )
  assert.equal(blocks.length, 2)
  assert.equal(blocks[1]?.object.networks[0]?.statements?.length, 1)
})

test('the type of a local instance tells the instruction that is called', () => {
  const text = `FUNCTION_BLOCK "F"
VERSION : 0.1
   VAR 
      timer {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
      edges : Array[0..3] of R_TRIG;
      drive : "Drive";
   END_VAR
BEGIN
NETWORK
      CALL #timer {time_type := 'Time'} ( PT := T#5s );
      CALL #drive;
      CALL #unknown {time_type := 'Time'};
END_FUNCTION_BLOCK
`
  const [fb] = blocksOf(text)
  const calls = (of: ImportedObject | undefined) =>
    of?.networks[0]?.statements?.map(({ call }) => [call?.target, call?.name])
  const expected = [
    ['instruction', 'TON'],
    ['multiInstance', 'drive'],
    ['instruction', ''],
  ]
  assert.deepEqual(calls(fb), expected)
  const [again] = blocksOf(sourceTextOf(withoutText(fb as ImportedObject)) ?? '')
  assert.deepEqual(calls(again), expected)
})

test('one set of mnemonics holds for all networks of a block', () => {
  const [f] = blocksOf(frameText('NETWORK\n      SE T 5;\nNETWORK\n      SPA M1;\nM1:   BE;\n'))
  assert.equal(f?.networks[0]?.statements?.[0]?.mnemonic, 'SD')
})

const words = fc.stringMatching(/^[A-Za-z0-9 '",.;:äß-]{0,20}$/).map((text) => text.trim())
const network: fc.Arbitrary<Network> = fc
  .tuple(
    words,
    fc.array(
      words.filter((text) => text !== ''),
      { maxLength: 2 },
    ),
    fc.array(statement, { maxLength: 6 }),
  )
  .map(([title, comment, statements]) => ({
    number: 1,
    title: title === '' ? {} : { 'en-US': title },
    comment: comment.length === 0 ? {} : { 'en-US': comment.join('\n') },
    language: 'STL',
    parts: [],
    statements,
  }))

test('property: the source of an STL block reads as its networks', () => {
  const [frame] = blocksOf(frameText('NETWORK\n'))
  fc.assert(
    fc.property(fc.array(network, { minLength: 1, maxLength: 4 }), (networks) => {
      const text = sourceTextOf({ ...withoutText(frame as ImportedObject), networks })
      const [again] = blocksOf(text ?? '')
      assert.deepEqual(content(again?.networks ?? []), content(networks), text)
    }),
    { numRuns: 300 },
  )
})

test('a statement list without the word NETWORK is one network; SCL that begins with such a name stays SCL', () => {
  const read = (body: string) => {
    const [object] = blocksOf(
      `FUNCTION_BLOCK "M"\nVAR\n  a : Bool;\n  n : Int;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`,
    )
    assert.ok(object)
    const words = object.networks.flatMap(({ statements }) =>
      statements?.map(({ label = '', mnemonic }) => `${label}:${mnemonic}`),
    )
    return [object.language, ...words.map((one) => one ?? '')]
  }
  assert.deepEqual(read('      A     #a;\n      =     #a;'), ['STL', ':A', ':='])
  assert.deepEqual(read('      U     #a;\n      SPB   go;\ngo:   SET;'), ['STL', ':A', ':JC', 'go:SET'])
  assert.deepEqual(read('go: L 5;\nT #n;'), ['STL', 'go:L', ':T'])
  assert.deepEqual(read('U(;\nO #a;\n);\n= #a;'), ['STL', ':A(', ':O', ':)', ':='])
  assert.deepEqual(read('SET;'), ['STL', ':SET'])
  for (const scl of ['#a := TRUE;', 'L := 5;', 'A(x := 1);', 'A();', 'go: #n := 5;', '// L 5;', ''])
    assert.deepEqual(read(scl)[0], 'SCL', scl)
})

test('faults of a statement list without NETWORK have their lines', () => {
  const source = 'FUNCTION "F" : Void\nBEGIN\n      SET;\n      = %M0.0;\n      ? 5;\nEND_FUNCTION\n'
  const { blocks, faults } = readSource(source)
  assert.deepEqual(
    faults.map(({ line }) => line),
    [5],
  )
  const [network] = blocks[0]?.object.networks ?? []
  assert.deepEqual(network?.statementPlaces?.slice(0, 2), [
    { line: 1, column: 7 },
    { line: 2, column: 7 },
  ])
})

test('blanks may stand between a label and its colon, and no assignment is a label', () => {
  const statements = (line: string) =>
    readSource(`FUNCTION F1 : VOID\nBEGIN\nNETWORK\n${line}\nEND_FUNCTION\n`).blocks[0]?.object.networks[0]?.statements
  const set = [{ label: 'M001', mnemonic: 'SET' }]
  for (const line of ['M001:SET;', 'M001: SET;', 'M001 : SET;', 'M001\t: SET;', 'M001 \t :SET;'])
    assert.deepEqual(statements(line), set, line)
  assert.deepEqual(statements('M001:=SET;'), [])
})

test('a body is a statement list by its first instruction, in both sets of mnemonics, behind a label and comments', () => {
  const language = (first: string) =>
    readSource(`FUNCTION F1 : VOID\nBEGIN\n${first}\nEND_FUNCTION\n`).blocks[0]?.object.language
  for (const first of [
    'NETWORK',
    'SET;',
    'A #x;',
    'U #x;',
    'L 5;',
    'A(;',
    'NOT;',
    'l1: L 5;',
    'l1 : CLR;',
    '// one\nSPA l1;',
  ])
    assert.equal(language(first), 'STL', first)
  for (const first of ['', '= #x;', '#x := 5;', 'L := 5;', 'A(#x);', 'l1: #x := 5;', 'l1:', 'SET', 'abc;', '5;'])
    assert.equal(language(first), 'SCL', first)
})
