import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { NetworkBuilder } from '../languages/ladder/build.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import type { SequenceProgram } from '../model/sequence.ts'
import type { Statement } from '../model/statement.ts'
import type { Use } from './use.ts'
import { usesOf } from './uses-of.ts'

function objectOf(text: string): ImportedObject {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  return blocks[0]!.object
}

const operand = (text: string) => parseOperand(text)!

/** Formats each use as `access name.path @place`. */
function show(uses: readonly Use[]): string[] {
  return uses.map(({ access, name, path, address, place, text }) => {
    const { member, network, line, element, row } = place
    const where = member ?? row ?? [network, element, line].filter((part) => part !== undefined).join('/')
    return `${access} ${address === undefined ? [name, ...path].join('.') : text} @${where}`
  })
}

const empty = objectOf('FUNCTION_BLOCK "Empty"\nBEGIN\nEND_FUNCTION_BLOCK')

function usesOfNetwork(network: Partial<Network>): string[] {
  const { text: _text, ...base } = empty.networks[0] ?? { number: 1, title: {}, comment: {}, language: '', parts: [] }
  return show(usesOf({ ...empty, networks: [{ ...base, number: 2, language: 'LAD', ...network }] }).uses)
}

test('SCL: reads, writes, calls, indices, constants, addresses, types, each at its line', () => {
  const { uses, parameters } = usesOf(
    objectOf(`FUNCTION_BLOCK "F"
VAR_INPUT
  start : Bool;
END_VAR
VAR_IN_OUT
  data : "UDT_data";
END_VAR
VAR
  motor : "FB_motor";
  motors : Array[0.."MAX"] of "FB_motor";
  nested : Struct
    inner : Array[1..2] of "UDT_inner" := [];
  END_STRUCT;
  delay : TON_TIME;
  limit : Int := "LIMIT";
END_VAR
BEGIN
#motor(run := "Start", speed => "DB".speeds[#i, "n"].x);
#motors[1](run := #start);
"DB".count += %MW10;
"FC"(1, "Handed", out := "Other");
"T_DB".TON(IN := #start);
#delay(IN := "Colour"#RED = "C");
IF "A" THEN "B" := Undeclared; END_IF;
FOR "k" := 0 TO 1 DO ; END_FOR;
END_FUNCTION_BLOCK`),
  )
  assert.deepEqual(show(uses), [
    'Type UDT_data @InOut.data',
    'Type FB_motor @Static.motor',
    'Read MAX @Static.motors',
    'Type FB_motor @Static.motors',
    'Type UDT_inner @Static.nested.inner',
    'Type TON_TIME @Static.delay',
    'Read LIMIT @Static.limit',
    'Call FB_motor @1/1',
    'Read Start @1/1',
    'Write DB.speeds.x @1/1',
    'Read n @1/1',
    'Call FB_motor @1/2',
    'ReadWrite DB.count @1/3',
    'Read %MW10 @1/3',
    'Call FC @1/4',
    'Read Handed @1/4',
    'Read Other @1/4',
    'Call T_DB.TON @1/5',
    'Type Colour @1/6',
    'Read C @1/6',
    'Read A @1/7',
    'Write B @1/7',
    'Read Undeclared @1/7',
    'ReadWrite k @1/8',
  ])
  assert.deepEqual(
    uses.filter(({ argument }) => argument !== undefined).map(({ name, argument }) => [name, argument]),
    [
      ['Start', { callee: 'FB_motor', parameter: 'run' }],
      ['Handed', { callee: 'FC', parameter: 1 }],
      ['Other', { callee: 'FC', parameter: 'out' }],
    ],
  )
  assert.deepEqual(parameters, [
    { name: 'start', section: 'Input' },
    { name: 'data', section: 'InOut' },
  ])
})

test('STL source: local instances are calls of their types; types without quotes', () => {
  const { uses } = usesOf(
    objectOf(
      'FUNCTION_BLOCK "F"\nVAR\n  m : "FB_motor";\n  u : UDT_plain;\n  t : TON_TIME;\nEND_VAR\nBEGIN\nNETWORK\n' +
        '      CALL #m\n      (  in := "Start");\n      // comment\n      A     "Stop"; =     "Run";\nEND_FUNCTION_BLOCK',
    ),
  )
  assert.deepEqual(show(uses), [
    'Type FB_motor @Static.m',
    'Type UDT_plain @Static.u',
    'Type TON_TIME @Static.t',
    'Call FB_motor @1/1',
    'Read Start @1/1',
    'Read Stop @1/4',
    'Write Run @1/4',
  ])
  assert.deepEqual(
    uses.filter(({ isBare }) => isBare).map(({ name }) => name),
    ['UDT_plain', 'TON_TIME'],
  )
  assert.deepEqual(uses.at(-3)?.argument, { callee: 'FB_motor', parameter: 'in' })
})

test('an instance data block uses its function block, not what is in it', () => {
  assert.deepEqual(show(usesOf(objectOf('DATA_BLOCK "I"\n"FB_motor"\nBEGIN\nEND_DATA_BLOCK')).uses), [
    'Instance FB_motor @',
  ])
})

test('LAD and FBD: what a pin does with its operand', () => {
  const g = new NetworkBuilder()
  const contact = g.instruction('Contact')
  const coil = g.instruction('Coil')
  const set = g.instruction('SCoil')
  const add = g.instruction('Add')
  const edge = g.instruction('PContact')
  const timer = g.instruction('TON', {
    instance: { scope: 'GlobalVariable', path: [{ name: 'T_DB' }] },
    templates: [{ name: 'time_type', type: 'Type', value: 'Time' }],
  })
  const call = g.call('FB_motor', 'FB', {
    instance: { scope: 'GlobalVariable', path: [{ name: 'Motors' }, { name: 'left' }] },
    parameters: [
      { name: 'in', section: 'Input', type: 'Bool' },
      { name: 'both', section: 'InOut', type: 'Int' },
      { name: 'out', section: 'Output', type: 'Bool' },
    ],
  })
  const wire = (text: string, box: number, pin: string) => g.input(box, pin, operand(text))
  wire('"Start"', contact, 'operand')
  wire('"Run"', coil, 'operand')
  wire('"Latch"', set, 'operand')
  wire('"List"["i"].x', add, 'in1')
  g.output(add, 'out', operand('%MW4'))
  wire('"Clock"', edge, 'operand')
  wire('"Edge"', edge, 'bit')
  g.output(timer, 'ET', operand('"Elapsed"'))
  wire('"In"', call, 'in')
  wire('"Both"', call, 'both')
  g.output(call, 'out', operand('"Out"'))
  wire('#local', contact, 'in')
  assert.deepEqual(usesOfNetwork({ graph: g.network() }).sort(), [
    'Call FB_motor @2',
    'Instance Motors.left @2',
    'Instance T_DB @2',
    'Read Clock @2',
    'Read In @2',
    'Read List.x @2',
    'Read Start @2',
    'Read i @2',
    'ReadWrite Both @2',
    'ReadWrite Edge @2',
    'Write %MW4 @2',
    'Write Elapsed @2',
    'Write Latch @2',
    'Write Out @2',
    'Write Run @2',
  ])
})

test('STL: operands by mnemonic, calls with their instances and parameters', () => {
  const statements: Statement[] = [
    { mnemonic: 'A', operand: operand('"Start"') },
    { mnemonic: 'FP', operand: operand('%M0.1') },
    { mnemonic: '=', operand: operand('"Run"') },
    { mnemonic: 'T', operand: operand('"DB".x') },
    { mnemonic: 'SD', operand: operand('%T5') },
    {
      mnemonic: 'CALL',
      call: {
        target: 'block',
        name: 'FB_motor',
        instance: { scope: 'GlobalVariable', path: [{ name: 'I' }] },
        parameters: [{ name: 'in', value: operand('"In"') }],
      },
    },
    { mnemonic: 'CALL', call: { target: 'block', name: '', blockType: 'FC', blockNumber: 7, parameters: [] } },
    {
      mnemonic: 'CALL',
      call: {
        target: 'block',
        name: 'FB8',
        instance: { scope: 'GlobalVariable', path: [{ name: 'DB9' }] },
        parameters: [],
      },
    },
  ]
  assert.deepEqual(usesOfNetwork({ language: 'STL', statements }), [
    'Read Start @2/1',
    'ReadWrite %M0.1 @2/2',
    'Write Run @2/3',
    'Write DB.x @2/4',
    'Write %T5 @2/5',
    'Call FB_motor @2/6',
    'Instance I @2/6',
    'Read In @2/6',
    'Call FC 7 @2/9',
    'Call FB 8 @2/10',
    'Instance DB 9 @2/10',
  ])
})

test('GRAPH: actions, transitions, conditions, permanent operations', () => {
  const coil = (part: string, name: string) => {
    const g = new NetworkBuilder()
    const contact = g.instruction('Contact')
    g.input(contact, 'operand', operand(name))
    g.connect({ kind: 'pin', uId: contact, pin: 'out' }, { kind: 'pin', uId: g.instruction(part), pin: 'in' })
    return { language: 'LAD', graph: g.network() }
  }
  const action = (qualifier: string, text: string, ...operands: string[]) => ({
    qualifier,
    event: '',
    needsInterlock: false,
    text,
    operands: operands.map(operand),
  })
  const chart: SequenceProgram = {
    before: [{ title: {}, comment: {}, ...coil('Coil', '"Always"') }],
    sequences: [
      {
        title: {},
        comment: {},
        steps: [
          {
            number: 1,
            name: 'Fill',
            isInitial: true,
            comment: {},
            actions: [
              action('S', '"Valve"', '"Valve"'),
              action('N', '"Level" := "Raw" + 1', '"Level"', '"Raw"'),
              action('N', 'CALL "FC" (x := "Arg")', '"FC"', '"Arg"'),
            ],
            interlock: coil('IlCoil', '"Ready"'),
          },
        ],
        transitions: [{ number: 1, name: 'Full', comment: {}, ...coil('TrCoil', '"Done"') }],
        branches: [],
        connections: [],
      },
    ],
    after: [],
  }
  assert.deepEqual(usesOfNetwork({ language: 'GRAPH', chart }), [
    'Read Always @2/before the sequences',
    'Write Valve @2/Step 1 "Fill"',
    'Write Level @2/Step 1 "Fill"',
    'Read Raw @2/Step 1 "Fill"',
    'Call FC @2/Step 1 "Fill"',
    'Read Arg @2/Step 1 "Fill"',
    'Read Ready @2/Step 1 "Fill"',
    'Read Done @2/Transition 1 "Full"',
  ])
})

test('rows of tag tables and watch tables', () => {
  const comment = {}
  const { uses } = usesOf({
    ...empty,
    kind: 'WatchTable',
    networks: [],
    tags: [{ name: 'Motor', dataType: '"UDT_motor"', logicalAddress: '%I0.0', comment }],
    entries: [
      { name: '"DB".a[1].b', address: '', displayFormat: '', monitorTrigger: '', comment },
      { name: '', address: '%MW10', displayFormat: '', monitorTrigger: '', modifyIntention: true, comment },
      { name: '', address: 'nonsense at all', displayFormat: '', monitorTrigger: '', comment },
    ],
  })
  assert.deepEqual(show(uses), ['Type UDT_motor @Motor', 'Read DB.a.b @"DB".a[1].b', 'ReadWrite %MW10 @%MW10'])
})

test('SCL in SimaticML: the function block that a call names beside its instance', () => {
  const call =
    '<Access Scope="Call"><CallInfo BlockType="FB" Name="Fill &amp; stir"><Instance Scope="GlobalVariable"><Component Name="Fill_DB" /></Instance><Token Text="(" /><Token Text=")" /></CallInfo></Access><Token Text=";" />'
  const code = `<StructuredText xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/StructuredText/v4">${call}</StructuredText>`
  const unit = `<SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource>${code}</NetworkSource><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit>`
  const [object] = readSimaticMlText(
    `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList><ObjectList>${unit}</ObjectList></SW.Blocks.FC></Document>`,
  ).objects
  assert.deepEqual(show(usesOf(object!).uses), ['Call Fill_DB @1/1', 'Call Fill & stir @1'])
})

test('constants of assigned values are used once, at their members, whatever these are called', () => {
  const block = objectOf(`DATA_BLOCK "D"
STRUCT
  plain : Int;
  "a b" : Int;
  "quoted" : Int;
  s : Struct
    "c d" : Int;
  END_STRUCT;
  m : "Motor";
  list : Array[0..1, 0..2] of Int;
END_STRUCT;
BEGIN
  plain := "A";
  (* one *) "a b" := "B";   // "X"
  "quoted" := "C";
  s . "c d" := "E";
  m."x y" (* two *) . z := "F";
  list [1, 2] := "G";
END_DATA_BLOCK
`)
  const used = usesOf(block).uses.map(({ name, place }) => `${name} ${place.member}`)
  assert.deepEqual(used.sort(), [
    ...['A Static.plain', 'B Static.a b', 'C Static.quoted', 'E Static.s.c d'],
    ...['F Static.m.x y.z', 'G Static.list[1,2]', 'Motor Static.m'],
  ])
})

test('a whole data block that is assigned or moved is read and written', () => {
  const scl = objectOf('FUNCTION "F" : Void\nBEGIN\n"D1" := "D2";\n#x := "D2";\n"D1" := #x;\nEND_FUNCTION\n')
  assert.deepEqual(
    show(usesOf(scl).uses).filter((one) => one.includes(' D')),
    ['Write D1 @1/1', 'Read D2 @1/1', 'Read D2 @1/2', 'Write D1 @1/3'],
  )
  const builder = new NetworkBuilder()
  const move = builder.instruction('Move', {})
  builder.powerrail(move, 'en')
  builder.input(move, 'in', operand('"D2"'))
  builder.output(move, 'out1', operand('"D1"'))
  const found = usesOfNetwork({ graph: builder.network() })
  assert.deepEqual(
    found.map((one) => one.split(' @')[0]),
    ['Read D2', 'Write D1'],
  )
})
