import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../lib/optional.ts'
import { parseScl } from '../../languages/scl/parser.ts'
import type { ImportedObject, Network } from '../../model/object.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { writeSimaticMl } from '../simaticml/write.ts'
import { codeOfBody } from './body.ts'
import { readSource } from './read.ts'
import { sourceTextOf } from './write.ts'

function only(text: string): ImportedObject {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  assert.equal(blocks.length, 1)
  return (blocks[0] as (typeof blocks)[number]).object
}

function members(object: ImportedObject, section: string) {
  return object.interface.find((entry) => entry.section === section)?.members ?? []
}

test('a function block with every header entry and kind of section', () => {
  const block = only(`// preamble
FUNCTION_BLOCK "Motor/1"
TITLE = it's the title
{ S7_Optimized_Access := 'TRUE'; S7_SetOBStatus := 'on' }
AUTHOR : 'a@b'
FAMILY : fam
NAME : hdr
VERSION : 2.10
KNOW_HOW_PROTECT
//block comment
// second line
   VAR_INPUT 
      enable { ExternalAccessible := 'False'; S7_SetPoint := 'True'} : Bool := TRUE;   // start
      list : ARRAY [0..9, 1..2] OF "UDT_x";
   END_VAR
   VAR RETAIN
      kept : INT := 5;
   END_VAR
   VAR
      tmr {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
      s : Struct   // the structure
         a, b : Real;
         inner : Array[1..2] of Struct
            "x y" : STRING[20] := 'a;b';
         END_STRUCT;
      END_STRUCT;
      w : Word;
      bits AT w : Array[0..15] of Bool;
   END_VAR
   VAR DB_SPECIFIC
      d : Real;
   END_VAR
   VAR_TEMP
      t : DTL;
   END_VAR
   VAR CONSTANT
      MAX : Int := 10;
   END_VAR
BEGIN
\t#kept := 1;
\t
\tIF #enable THEN
\t    ;
\tEND_IF;
END_FUNCTION_BLOCK
`)
  assert.equal(block.kind, 'FB')
  assert.equal(block.name, 'Motor/1')
  assert.deepEqual(block.title, { 'en-US': "it's the title" })
  assert.deepEqual(block.comment, { 'en-US': 'block comment\nsecond line' })
  assert.deepEqual([block.author, block.family, block.headerName, block.version], ['a@b', 'fam', 'hdr', '2.10'])
  assert.equal(block.isKnowHowProtected, true)
  assert.equal(block.memoryLayout, 'Optimized')
  assert.deepEqual(
    block.interface.map(({ section, members: list }) => `${section}:${list.map(({ name }) => name)}`),
    ['Input:enable,list', 'Output:', 'InOut:', 'Static:kept,tmr,s,w,bits,d', 'Temp:t', 'Constant:MAX'],
  )
  const [enable, list] = members(block, 'Input')
  assert.equal(enable?.startValue, 'TRUE')
  assert.deepEqual(enable?.comment, { 'en-US': 'start' })
  assert.deepEqual(
    enable?.attributes.map(({ name, value }) => [name, value]),
    [
      ['ExternalAccessible', 'false'],
      ['SetPoint', 'true'],
    ],
  )
  assert.equal(list?.dataType, 'Array[0..9, 1..2] of "UDT_x"')
  const [kept, timer, structure, , bits, specific] = members(block, 'Static')
  assert.deepEqual([kept?.remanence, kept?.dataType, kept?.startValue], ['Retain', 'Int', '5'])
  assert.deepEqual([timer?.dataType, timer?.version, timer?.attributes], ['TON_TIME', '1.0', []])
  assert.deepEqual(structure?.comment, { 'en-US': 'the structure' })
  assert.deepEqual(
    structure?.members.map(({ name }) => name),
    ['a', 'b', 'inner'],
  )
  assert.deepEqual(structure?.members[2]?.members[0]?.startValue, "'a;b'")
  assert.equal(structure?.members[2]?.dataType, 'Array[1..2] of Struct')
  assert.equal(bits?.attributes.find(({ name }) => name === 'At')?.value, 'w')
  assert.equal(specific?.remanence, 'SetInIDB')
  assert.equal(block.networks[0]?.text, '#kept := 1;\n\nIF #enable THEN\n    ;\nEND_IF;')
})

test('several blocks share out the file, each with its own kind', () => {
  const text = `// one

TYPE "T"
VERSION : 0.1
   STRUCT
      a : Int;   // first
   END_STRUCT;

END_TYPE

FUNCTION "F" : Real
{ S7_Optimized_Access := 'TRUE' }
   VAR_INPUT
      x : Int;
   END_VAR
BEGIN
#F := 1.0;
END_FUNCTION

DATA_BLOCK "D"
NON_RETAIN
   VAR
      n : Int := 1;
      l : Array[0..3] of Int;
      s : Struct
         v : Real;
      END_STRUCT;
   END_VAR
BEGIN
   n := 7;
   l[2] := 9;
   s.v := -1.5;
END_DATA_BLOCK
DATA_BLOCK "I"
"FB_x"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "A"
ARRAY[0..9] OF Int
BEGIN
   [3] := 5;
END_DATA_BLOCK
DATA_BLOCK "S" STRUCT q : BOOL; END_STRUCT BEGIN END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
END_ORGANIZATION_BLOCK
// tail`
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    blocks.map(({ object }) => `${object.kind} ${object.name} ${object.language}`),
    ['UDT T ', 'FC F SCL', 'GlobalDB D DB', 'InstanceDB I DB', 'ArrayDB A DB', 'GlobalDB S DB', 'OB Main SCL'],
  )
  assert.equal(blocks.map(({ object }) => object.text).join(''), text)
  const [, fn, db, instance, array] = blocks.map(({ object }) => object) as [
    ImportedObject,
    ImportedObject,
    ImportedObject,
    ImportedObject,
    ImportedObject,
  ]
  assert.equal(members(fn, 'Return')[0]?.dataType, 'Real')
  const [n, l, s] = members(db, 'Static')
  assert.deepEqual(
    [n?.startValue, l?.subelements, s?.members[0]?.startValue],
    ['7', [{ path: '2', startValue: '9' }], '-1.5'],
  )
  assert.equal(instance.instanceOf, 'FB_x')
  assert.deepEqual(members(array, 'None')[0]?.subelements, [{ path: '3', startValue: '5' }])
})

test('statement list: networks with title, comment and statements', () => {
  const block = only(`FUNCTION FC 12 : VOID
TITLE =
VAR_TEMP
  p : POINTER;
END_VAR
BEGIN
NETWORK
TITLE = Don't stop
// why
      A     "x";
      L     P##p;
M001: =     "y";
NETWORK
TITLE =
      CALL "FB" , "DB" (
           a := 1 );
END_FUNCTION
`)
  assert.deepEqual([block.name, block.number, block.language], ['FC12', 12, 'STL'])
  assert.deepEqual(
    block.networks.map(({ number, title, comment, text }) => ({ number, title, comment, text })),
    [
      {
        number: 1,
        title: { 'en-US': "Don't stop" },
        comment: { 'en-US': 'why' },
        text: '      A     "x";\n      L     P##p;\nM001: =     "y";',
      },
      { number: 2, title: {}, comment: {}, text: '      CALL "FB" , "DB" (\n           a := 1 );' },
    ],
  )
})

test('faults carry line and column, and reading goes on with the next block', () => {
  const { blocks, faults } = readSource(`FUNCTION_BLOCK "A"
   VAR_INPUT
      x Bool;
      y : ;
      z : Int
   END_VAR
BEGIN
   #z := 1;
FUNCTION "B" : Void
BEGIN
END_FUNCTION
`)
  assert.deepEqual(
    faults.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`),
    [
      '3:9 A expected ":" and a data type for member "x", found "Bool"',
      '4:11 A expected a data type, found ";"',
      '6:4 A expected ";" behind the declaration, found "END_VAR"',
      '9:1 A expected END_FUNCTION_BLOCK of FUNCTION_BLOCK "A", found "FUNCTION"',
    ],
  )
  assert.deepEqual(
    blocks.map(({ object }) => object.name),
    ['A', 'B'],
  )
  assert.deepEqual(
    members((blocks[0] as (typeof blocks)[0]).object, 'Input').map(({ name }) => name),
    ['z'],
  )
})

test('header entries that do not exist are named, once', () => {
  const { faults, blocks } = readSource(
    "FUNCTION F : Void\nPURPOSE : 'x'\nVAR_INPUT\n a : Int;\nEND_VAR\nBEGIN\nEND_FUNCTION",
  )
  assert.equal(faults.length, 1)
  assert.match(faults[0]?.message ?? '', /PURPOSE does not exist; allowed: TITLE/)
  assert.equal(members((blocks[0] as (typeof blocks)[0]).object, 'Input')[0]?.name, 'a')
})

test('text that is no source gives one fault, not one per word', () => {
  const { blocks, faults } = readSource('this is a letter, not a program')
  assert.equal(blocks.length, 0)
  assert.equal(faults.length, 1)
  assert.deepEqual([faults[0]?.line, faults[0]?.column], [1, 1])
  assert.equal(readSource('').faults.length, 1)
})

test('the layout points at name, declarations and body', () => {
  const text =
    'FUNCTION "F" : Int\nVERSION : 0.1\n   VAR_INPUT\n      a : Int;\n   END_VAR\nBEGIN\n\t#F := #a;\nEND_FUNCTION\n'
  const [block] = readSource(text).blocks
  assert.ok(block)
  const part = (range: readonly [number, number] | undefined): string => text.slice(...(range ?? [0, 0]))
  assert.equal(part(block.layout.name), '"F"')
  assert.equal(part(block.layout.returnType), 'Int')
  assert.equal(part(block.layout.declarations), 'VAR_INPUT\n      a : Int;\n   END_VAR')
  assert.equal(part(block.layout.body), '\n\t#F := #a;\n')
})

test('structures nested without end are refused, not followed', () => {
  const { faults } = readSource(`TYPE "T" STRUCT ${'a : STRUCT '.repeat(5000)}`)
  assert.ok(faults.some(({ code }) => code === 'source-limit'))
})

test('organization blocks tell by their number or their start information when they run', () => {
  const event = (name: string, declarations = '') => {
    const { number, secondaryType } = only(
      `ORGANIZATION_BLOCK ${name}\n${declarations}\nBEGIN\nEND_ORGANIZATION_BLOCK\n`,
    )
    return [number, secondaryType]
  }
  assert.deepEqual(event('OB100'), [100, 'Startup'])
  assert.deepEqual(event('OB 35'), [35, 'CyclicInterrupt'])
  assert.deepEqual(event('OB122'), [122, 'IOAccessError'])
  assert.deepEqual(event('OB1'), [1, 'ProgramCycle'])
  assert.deepEqual(event('OB81'), [81, 'PowerSupplyError'])
  assert.deepEqual(event('OB130'), [130, undefined])
  const cycle = 'VAR_INPUT Initial_Call : Bool; Remanence : Bool; END_VAR'
  assert.deepEqual(event('"Startup"', cycle), [undefined, 'ProgramCycle'])
  assert.deepEqual(event('"Go"', 'VAR_INPUT LostRetentive : Bool; LostRTC : Bool; END_VAR'), [undefined, 'Startup'])
  const cyclic = 'VAR_INPUT Initial_Call : Bool; Event_Count : Int; END_VAR'
  assert.deepEqual(event('"Fast"', cyclic), [undefined, 'CyclicInterrupt'])
  assert.deepEqual(event('"Later"', 'VAR_INPUT Sign : Word; END_VAR'), [undefined, 'TimeDelayInterrupt'])
  const classic = 'VAR_TEMP OB33_EV_CLASS : Byte; OB33_STRT_INF : Byte; END_VAR'
  assert.deepEqual(event('"CYC_INT3"', classic), [33, 'CyclicInterrupt'])
  assert.deepEqual(event('"Any"', 'VAR_TEMP OB1_EV_CLASS : Byte; END_VAR'), [1, 'ProgramCycle'])
  assert.deepEqual(event('"Any"', 'VAR_TEMP x : Byte; OB33_EV_CLASS : Byte; END_VAR'), [undefined, undefined])
})

test('the names and titles that engineering tools give organization blocks are guesses', () => {
  const event = (name: string, title = '') => {
    const { number, secondaryType, guessedEvent } = only(
      `ORGANIZATION_BLOCK "${name}"\n${title === '' ? '' : `TITLE = ${title}\n`}BEGIN\nEND_ORGANIZATION_BLOCK\n`,
    )
    return [number, secondaryType, guessedEvent]
  }
  assert.deepEqual(event('OB100'), [100, 'Startup', 'name'])
  for (const [number, eventClass] of [
    [20, 'TimeDelayInterrupt'],
    [30, 'CyclicInterrupt'],
    [80, 'TimeErrorInterrupt'],
    [82, 'DiagnosticErrorInterrupt'],
    [83, 'PullOrPlugOfModules'],
    [86, 'RackOrStationFailure'],
    [121, 'ProgrammingError'],
    [122, 'IOAccessError'],
  ] as const)
    assert.deepEqual(event(`OB${number}`), [number, eventClass, 'name'])
  assert.deepEqual(event('OB_35'), [35, 'CyclicInterrupt', 'name'])
  assert.deepEqual(event('OB200'), [200, undefined, undefined])
  assert.deepEqual(event('Main'), [undefined, 'ProgramCycle', 'name'])
  assert.deepEqual(event('Startup'), [undefined, 'Startup', 'name'])
  assert.deepEqual(event('Startup_1'), [undefined, 'Startup', 'name'])
  assert.deepEqual(event('Cyclic interrupt'), [undefined, 'CyclicInterrupt', 'name'])
  assert.deepEqual(event('Time of day_2'), [undefined, 'TimeOfDay', 'name'])
  assert.deepEqual(event('CYC_INT5'), [35, 'CyclicInterrupt', 'name'])
  assert.deepEqual(event('MC-Servo'), [undefined, 'MCServo', 'name'])
  assert.deepEqual(event('Init', '"Complete Restart"'), [undefined, 'Startup', 'title'])
  assert.deepEqual(event('Init', 'Complete Restart'), [undefined, 'Startup', 'title'])
  assert.deepEqual(event('Loop', '"Main Program Sweep (Cycle)"'), [undefined, 'ProgramCycle', 'title'])
  assert.deepEqual(event('Regler', 'Weckalarm 5'), [undefined, 'CyclicInterrupt', 'title'])
  assert.deepEqual(event('Init', 'OB100'), [undefined, undefined, undefined])
  assert.deepEqual(event('Anything', 'Whatever'), [undefined, undefined, undefined])
})

test('a line says when an organization block runs, with its number, cycle and priority', () => {
  const text =
    "// About the file\n// Gantry { Number := '31'; SecondaryType := 'CyclicInterrupt'; PriorityNumber := '12'; CyclicTime := '2500' }\n" +
    'ORGANIZATION_BLOCK "Startup"\nBEGIN\n\t;\nEND_ORGANIZATION_BLOCK\n'
  const object = only(text)
  assert.deepEqual(
    [object.number, object.secondaryType, object.guessedEvent, object.comment],
    [31, 'CyclicInterrupt', undefined, {}],
  )
  assert.deepEqual(object.attributes, [
    { name: 'PriorityNumber', value: '12' },
    { name: 'CyclicTime', value: '2500' },
  ])
  assert.equal(sourceTextOf(object), text)
  // The line of another block is not this one's.
  const [, second] = readSource(`${text}ORGANIZATION_BLOCK "Other"\nBEGIN\nEND_ORGANIZATION_BLOCK\n`).blocks
  assert.equal(second?.object.secondaryType, undefined)
  // What is so replaces what it says.
  const changed = only(sourceTextOf({ ...object, number: 32, secondaryType: 'Startup' }) as string)
  assert.deepEqual([changed.number, changed.secondaryType, changed.attributes.length], [32, 'Startup', 2])
})

test('written as a source, an organization block of any class comes back', () => {
  for (const [name, secondaryType, number] of [
    ['Fast', 'CyclicInterrupt', 30],
    ['Cyclic interrupt', 'CyclicInterrupt', 31],
    ['Startup', 'Startup', 100],
    ['Startup', 'ProgramCycle', 123],
    ['OB100', 'CyclicInterrupt', 30],
    ['Main', 'ProgramCycle', 1],
    ['Main', 'Startup', 100],
    ['Clock', 'TimeOfDay', 10],
    ['Fault', 'ProgrammingError', 121],
  ] as const) {
    const before = only(`ORGANIZATION_BLOCK "${name}"\nBEGIN\n\t;\nEND_ORGANIZATION_BLOCK\n`)
    const attributes = [{ name: 'PhaseOffset', value: '700' }]
    for (const { text: own, ...rest } of [before, { ...before, attributes }])
      for (const text of [own, undefined]) {
        const wanted = { ...rest, secondaryType, number, ...defined({ text }) }
        const back = only(sourceTextOf(wanted) as string)
        assert.equal(back.secondaryType, secondaryType, name)
        assert.ok(back.number === number || (back.number === undefined && number === 1), name)
        assert.deepEqual(back.attributes, rest.attributes)
      }
  }
  const main = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n\t;\nEND_ORGANIZATION_BLOCK\n'
  assert.equal(sourceTextOf({ ...only(main), number: 1, secondaryType: 'ProgramCycle' }), main)
})

/** Texts that are not there are no texts at all. */
function emptied({ title, comment }: Pick<Network, 'title' | 'comment'>) {
  const filled = (text: Network['title']) =>
    Object.fromEntries(Object.entries(text).filter(([, value]) => value !== ''))
  return { title: filled(title), comment: filled(comment) }
}

test('networks in SCL are regions of a source: their titles and comments stay, also on the way to SimaticML and back', () => {
  const network = (number: number, title: string, comment: string, text: string) => ({
    ...{ number, language: 'SCL', parts: [], text },
    ...{ title: { 'en-US': title }, comment: { 'en-US': comment } },
  })
  const plain = only('FUNCTION_BLOCK "F"\nVAR\n  x : Int;\nEND_VAR\nBEGIN\n\t#x := 1;\nEND_FUNCTION_BLOCK\n')
  const { text: _text, ...model } = plain
  const networks = [
    network(1, 'Start of it', '', '#x := 1;'),
    network(2, '', '', '#x := 2;'),
    network(3, 'End', 'two\nlines', '#x := 3;\n#x := 4;'),
  ]
  const text = sourceTextOf({ ...model, language: 'LAD', networks }) as string
  assert.match(text, /REGION Start of it\n\t#x := 1;\n\tEND_REGION/)
  assert.match(text, /REGION End\n\t\/\/ two\n\t\/\/ lines\n\t#x := 3;/)
  assert.equal(parseScl(codeOfBody(/BEGIN([\s\S]*)END_FUNCTION_BLOCK/.exec(text)?.[1] ?? '')).diagnostics.length, 0)
  const back = only(text)
  assert.deepEqual([back.language, back.networks], ['LAD', networks.map((one) => ({ ...one, ...emptied(one) }))])
  const { text: _own, ...rest } = back
  const [inXml] = readSimaticMlText(writeSimaticMl(rest, { version: 'V19' }).text).objects
  assert.equal(sourceTextOf(inXml as ImportedObject), text)
})

test('remanence of inputs and outputs is read and written, section by section', () => {
  const text = `FUNCTION_BLOCK "F"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT RETAIN
      kept : Int;
   END_VAR

   VAR_INPUT 
      plain : Int;
   END_VAR

   VAR_OUTPUT DB_SPECIFIC
      chosen : Int;
   END_VAR


BEGIN
	;
END_FUNCTION_BLOCK

`
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  const object = blocks[0]!.object
  const found = object.interface.flatMap(({ members: list }) => list.map(({ name, remanence }) => [name, remanence]))
  assert.deepEqual(found, [
    ['kept', 'Retain'],
    ['plain', undefined],
    ['chosen', 'SetInIDB'],
  ])
  const { text: _text, ...model } = object
  const [inXml] = readSimaticMlText(writeSimaticMl(model, { version: 'V19' }).text).objects
  assert.equal(sourceTextOf(inXml!), text)
})

test('a word between declarations and BEGIN is a fault, and the code behind BEGIN is read as without it', () => {
  const text = (stray: string) =>
    `FUNCTION "A" : Void\nVAR_TEMP\n  i : Int;\nEND_VAR\n${stray}BEGIN\nNETWORK\nTITLE = one\n      L 1;\n      T #i;\nEND_FUNCTION\n`
  const [right, wrong] = [readSource(text('')), readSource(text('stray\n'))]
  assert.deepEqual(
    wrong.faults.map(({ line, column, path, message }) => ({ line, column, path, message })),
    [{ line: 5, column: 1, path: 'A', message: 'expected a section or BEGIN, found "stray"' }],
  )
  const [one, other] = [right, wrong].map(({ blocks }) => blocks[0]?.object)
  assert.equal(other?.language, 'STL')
  assert.deepEqual(other?.networks, one?.networks)
})
