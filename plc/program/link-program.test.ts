/** Linking of programs: types, constants, instances, start values, faults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticCodes } from '../diagnostics/codes.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import type { TagEntry } from '../model/object.ts'
import { extentOf, layoutOf } from './layout.ts'
import { type LinkTagTable, linkProgram } from './link-program.ts'
import type { Program, ProgramBlock } from './program.ts'
import { Bool, Int, Real, Word } from './scalars.ts'
import { systemTypeNamed, systemTypes, unreadableSystemTypes } from './system-types.ts'
import type { Member, Type } from './type.ts'
import { typeName } from './type-name.ts'

function link(source: string, tables: readonly LinkTagTable[] = []): Program {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(
    faults.map(({ message }) => message),
    [],
  )
  return linkProgram(
    blocks.map(({ object }) => ({ object })),
    tables,
  )
}

function codes({ diagnostics }: Program): string[] {
  return [...new Set(diagnostics.map(({ code }) => code))]
}

function blockOf(program: Program, name: string): ProgramBlock {
  const block = program.blocks.get(name.toLowerCase())
  assert.ok(block, name)
  return block
}

function memberOf({ members }: { readonly members: readonly Member[] }, name: string): Member {
  const member = members.find((one) => one.name === name)
  assert.ok(member, name)
  return member
}

function membersIn(type: Type | undefined): { readonly members: readonly Member[] } {
  assert.ok(type && (type.kind === 'struct' || type.kind === 'instance'))
  return type
}

const tag = (name: string, dataType: string, logicalAddress: string): TagEntry => ({
  name,
  dataType,
  logicalAddress,
  comment: {},
})
const fb = (name: string, sections: string) => `FUNCTION_BLOCK "${name}"\n${sections}\nBEGIN\nEND_FUNCTION_BLOCK\n`

const linkCodes = new Set(
  (
    'unknown-type type-syntax type-not-allowed type-too-deep recursive-type array-limits unknown-constant duplicate-member duplicate-name ' +
    'duplicate-number overlay-unknown overlay-too-large start-value start-value-path temporary-start-value instance-of-unknown block-too-large'
  ).split(' '),
)

test('the address of a tag lies inside of its area', () => {
  const told = (address: string, type = 'Word') =>
    link(fb('x', ''), [{ name: 'Tags', tags: [tag('t', type, address)], constants: [] }]).diagnostics.map(
      ({ code, object, member, message }) => `${code} ${object} ${member}: ${message}`,
    )
  for (const inside of ['%MW16382', '%IW32766', '%QW32766', '%T2047', '%C0']) assert.deepEqual(told(inside), [], inside)
  assert.deepEqual(
    ['%MW16383', '%IW32767', '%QW99999', '%M16384.0', '%MD16381'].flatMap((address) => told(address)),
    [
      'tag-address Tags t: "%MW16383" lies outside the bit memory, which ends at byte 16383.',
      'tag-address Tags t: "%IW32767" lies outside the inputs, which end at byte 32767.',
      'tag-address Tags t: "%QW99999" lies outside the outputs, which end at byte 32767.',
      'tag-address Tags t: "%M16384.0" lies outside the bit memory, which ends at byte 16383.',
      'tag-address Tags t: "%MD16381" lies outside the bit memory, which ends at byte 16383.',
    ],
  )
  assert.match(told('%MW0', 'Variant').join(), /^type-not-allowed Tags t: Variant is for parameters and Temp only/)
})

test('every code has an example that fails with it and one that passes', () => {
  for (const [code, { fails, passes }] of diagnosticCodes) {
    if (code === 'tag-address') {
      const table = (row: string): LinkTagTable => {
        const [, name = '', type = '', address = ''] = /^"(.+)" (\S+) (\S+)$/.exec(row) ?? []
        return { name: 'Tags', tags: [tag(name, type, address)], constants: [] }
      }
      assert.deepEqual(codes(link(fb('x', ''), [table(fails)])), [code])
      assert.deepEqual(codes(link(fb('x', ''), [table(passes)])), [])
      continue
    }
    if (!linkCodes.has(code)) continue
    assert.deepEqual(codes(link(fails)), [code], `${code}: fails`)
    assert.deepEqual(codes(link(passes)), [], `${code}: passes`)
  }
})

test('types are followed through UDTs, FBs, arrays and constants, whatever the case', () => {
  const program = link(
    `TYPE "Limits"\nSTRUCT\n low : Real; high : Real := 100.0;\nEND_STRUCT;\nEND_TYPE\n${fb(
      'Valve',
      'VAR_INPUT\n open : Bool;\nEND_VAR\nVAR\n t : TON_TIME;\nEND_VAR\nVAR_TEMP\n i : Int;\nEND_VAR',
    )}${fb(
      'Station',
      'VAR\n valves : Array[1.."COUNT", 0..#LAST] of "VALVE";\n limits : "limits";\n name : String[#LAST];\nEND_VAR\nVAR CONSTANT\n LAST : Int := 16#3;\nEND_VAR',
    )}`,
    [{ name: 'Tags', tags: [], constants: [{ name: 'Count', dataType: 'Int', value: '8' }] }],
  )
  assert.deepEqual(program.diagnostics, [])
  const station = blockOf(program, 'Station')
  const valves = memberOf(station, 'valves').type
  assert.ok(valves.kind === 'array')
  assert.deepEqual(valves.dimensions, [
    { low: 1, high: 8 },
    { low: 0, high: 3 },
  ])
  assert.equal(valves.element, blockOf(program, 'Valve').type)
  assert.deepEqual(
    membersIn(valves.element).members.map(({ name, section }) => [name, section]),
    [
      ['open', 'Input'],
      ['t', 'Static'],
    ],
  )
  assert.equal(memberOf(station, 'limits').type, program.types.get('limits'))
  assert.deepEqual(memberOf(station, 'name').type, { kind: 'string', isWide: false, length: 3 })
  assert.equal(memberOf(blockOf(program, 'Valve'), 'i').section, 'Temp')
})

test('parameters of functions take texts and arrays of any length', () => {
  const program = link(
    'FUNCTION "Sum" : Real\nVAR_INPUT\n text : String; fixed : String[5]; list : Array[*] of Int;\nEND_VAR\nVAR_TEMP\n own : String;\nEND_VAR\nBEGIN\nEND_FUNCTION\n',
  )
  const sum = blockOf(program, 'Sum')
  assert.deepEqual(program.diagnostics, [])
  assert.equal(sum.returnType, Real)
  const lengths = ['text', 'fixed', 'own'].map((name) => {
    const { type } = memberOf(sum, name)
    return type.kind === 'string' ? type.length : undefined
  })
  assert.deepEqual(lengths, [-1, 5, 254])
})

test('a reference and an in-out may be of the own type', () => {
  const program = link(
    `TYPE "Node"\nSTRUCT\n value : Int; next : REF_TO "Node";\nEND_STRUCT;\nEND_TYPE\n${fb('List', 'VAR_IN_OUT\n other : "List";\nEND_VAR\nVAR\n n : Int;\nEND_VAR')}`,
  )
  assert.deepEqual(program.diagnostics, [])
  const next = memberOf(membersIn(program.types.get('node')), 'next').type
  assert.ok(next.kind === 'reference')
  assert.equal(next.target, program.types.get('node'))
  const list = blockOf(program, 'List')
  assert.equal(memberOf(list, 'other').type, list.type)
})

test('a circle of types is reported once, with its way', () => {
  const program = link(
    ['A', 'B', 'C']
      .map((name, i) => `TYPE "${name}"\nSTRUCT\n x : Array[0..1] of "${'BCA'[i]}"; n : Int;\nEND_STRUCT;\nEND_TYPE\n`)
      .join(''),
  )
  assert.equal(program.diagnostics.length, 1)
  assert.match(program.diagnostics[0]?.message ?? '', /"A" -> "B" -> "C" -> "A"/)
  assert.equal(memberOf(membersIn(program.types.get('b')), 'n').type, Int)
})

test('instances: of a block, a type, a system type; the access is that of the block', () => {
  const program = link(
    `TYPE "Limits"\nSTRUCT\n low : Real;\nEND_STRUCT;\nEND_TYPE\nFUNCTION_BLOCK "Valve"\n{ S7_Optimized_Access := 'FALSE' }\nVAR_INPUT\n open : Bool;\nEND_VAR\nVAR RETAIN\n n : Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n` +
      'DATA_BLOCK "V1"\n"Valve"\nBEGIN\n n := 5;\nEND_DATA_BLOCK\nDATA_BLOCK "L1"\n"Limits"\nBEGIN\nEND_DATA_BLOCK\nDATA_BLOCK "T1"\nTON_TIME\nBEGIN\nEND_DATA_BLOCK\n',
  )
  assert.deepEqual(program.diagnostics, [])
  const v1 = blockOf(program, 'V1')
  assert.equal(v1.type, blockOf(program, 'Valve').type)
  assert.equal(v1.access, 'standard')
  assert.equal(memberOf(v1, 'n').isRetentive, true)
  assert.deepEqual(v1.startValues, [{ path: ['n'], value: '5' }])
  assert.equal(blockOf(program, 'L1').type, program.types.get('limits'))
  assert.equal(blockOf(program, 'T1').type, program.typeOf('TON_TIME'))
  assert.equal(program.byNumber.get('DB 1'), v1)
})

test('tags: typed, placed; what has no address or a wrong one is kept', () => {
  const program = link(fb('x', ''), [
    {
      name: 'Tags',
      tags: [tag('Start', 'Bool', '%E0.1'), tag('Speed', 'Word', '%MW 10'), tag('None', 'Int', '')],
      constants: [],
    },
  ])
  assert.deepEqual(program.diagnostics, [])
  assert.deepEqual(program.tags.get('start'), {
    name: 'Start',
    type: Bool,
    address: { area: 'I', byte: 0, bit: 1, bits: 1 },
    comment: '',
    table: 'Tags',
  })
  assert.equal(program.tags.get('speed')?.type, Word)
  assert.equal(program.tags.get('speed')?.address?.byte, 10)
  assert.equal(program.tags.get('none')?.address, undefined)
})

test('numbers are given where documents have none', () => {
  const program = link(
    'DATA_BLOCK DB1\nSTRUCT\n a : Int;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\nDATA_BLOCK "Free"\nSTRUCT\n a : Int;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n',
  )
  assert.equal(blockOf(program, 'Free').number, 2)
  assert.equal(blockOf(program, 'DB1').number, 1)
})

test('typeOf answers without reporting', () => {
  const program = link(fb('Valve', ''))
  assert.equal(program.typeOf('"valve"'), blockOf(program, 'Valve').type)
  assert.equal(program.typeOf('"none"').kind, 'unknown')
  assert.equal(program.typeOf('Array[1..').kind, 'unknown')
  const member: Member = { name: 'a', type: Int, section: 'None', isRetentive: false, comment: '' }
  const list = program.typeOf('Array[0..1] of Struct', [member])
  assert.ok(list.kind === 'array' && list.element.kind === 'struct')
  assert.deepEqual(list.element.members, [member])
  assert.deepEqual(program.diagnostics, [])
})

test('system types: all can be read, sizes are those of the manual', () => {
  assert.deepEqual(unreadableSystemTypes(), [])
  const program = linkProgram([])
  const size = (name: string) => extentOf(program.typeOf(name), 'standard').size
  assert.equal(size('IEC_TIMER'), 16)
  assert.equal(extentOf(program.typeOf('IEC_TIMER'), 'optimized').size, 16)
  assert.equal(size('IEC_COUNTER'), 6)
  assert.equal(size('DTL'), 12)
  // A call by another name works on the same memory.
  for (const [one, other] of [
    ['IEC_TIMER', 'TON_TIME'],
    ['IEC_LTIMER', 'TP_LTIME'],
    ['IEC_COUNTER', 'CTU_INT'],
    ['CTD_INT', 'CTUD_INT'],
  ] as const) {
    const places = (name: string) => {
      const { members } = membersIn(program.typeOf(name))
      const { offsets } = layoutOf(members, 'optimized')
      return Object.fromEntries(
        members.map((member, i) => [member.name, offsets[i]]).filter(([key]) => key !== 'Q' || one === 'IEC_TIMER'),
      )
    }
    assert.deepEqual(places(one), places(other))
  }
  for (const { name, members } of systemTypes())
    for (const { dataType } of members)
      assert.notEqual(program.typeOf(dataType).kind, 'unknown', `${name}: ${dataType}`)
  assert.equal(systemTypeNamed('ton_time')?.name, 'TON_TIME')
  // The name on CPUs with system function blocks.
  assert.equal(systemTypeNamed('TON_SFB')?.name, 'TON')
  assert.equal(systemTypeNamed('NO_SFB'), undefined)
  // A value for Modbus_Comm_Load: "Modbus_Master_DB".MB_DB.
  assert.ok(
    systemTypeNamed('Modbus_Master')?.members.some(({ name, dataType }) => `${name} ${dataType}` === 'MB_DB MB_BASE'),
  )
  assert.deepEqual(systemTypeNamed('GraphStep')?.members, systemTypeNamed('G7_StepPlus_V6')?.members)
})

test('an instance of a block of the system is known by the name of the library too', () => {
  const { blocks } = readSource('DATA_BLOCK "C"\nCTRL_PTO\nBEGIN\nEND_DATA_BLOCK\n')
  const object = blocks[0]?.object
  assert.ok(object)
  const attributes = [{ name: 'OfSystemLibElement', type: 'String', value: 'CTRL_PTO', systemDefined: true }]
  const type = (one: typeof object) => linkProgram([{ object: one }]).blocks.get('c')?.type
  assert.equal(
    (type({ ...object, instanceOf: 'PTO', attributes } as typeof object) as { name?: string })?.name,
    'CTRL_PTO',
  )
  assert.equal(type({ ...object, instanceOf: 'PTO', attributes: [] })?.kind, 'unknown')
})

test('with the data block of an axis of S7-1200 all technology objects of the program are those of S7-1200', () => {
  const member = (name: string, dataType: string) => `<Member Name="${name}" Datatype="${dataType}" />`
  const file = (element: string, name: string, more: string, section: string, members: string) =>
    `<Document><Engineering version="V19" /><${element} ID="0"><AttributeList>${more}<Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="${section}">${members}</Section></Sections></Interface><Name>${name}</Name><Number>1</Number><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></${element}></Document>`
  const drive = file('SW.Blocks.FB', 'Drive', '', 'Input', member('axis', 'TO_SpeedAxis'))
  const axisOf = (state: string) =>
    file(
      'SW.TechnologicalObjects.TechnologicalInstanceDB',
      'Axis_1',
      '<InstanceOfName>TO_PositioningAxis</InstanceOfName>',
      'Static',
      member('Position', 'Real') + state,
    )
  const linked = (state: string) => {
    const documents = [drive, axisOf(state)].flatMap((text) => readSimaticMlText(text).objects)
    const program = linkProgram(documents.map((object) => ({ object })))
    assert.deepEqual(program.diagnostics, [])
    const types = [memberOf(blockOf(program, 'Drive'), 'axis').type, blockOf(program, 'Axis_1').type!]
    const typeIn = (type: Type, name: string) => membersIn(type).members.find((one) => one.name === name)?.type
    return types.map((type) => [
      typeName(type),
      ...['Position', 'StatusWord', 'StatusBits'].map((name) => typeIn(type, name)).map((one) => one && typeName(one)),
      typeName(typeIn(typeIn(type, 'DynamicLimits')!, 'MaxVelocity')!),
    ])
  }
  assert.deepEqual(linked(member('StatusBits', 'TO_Struct_StatusBits')), [
    ['TO_SpeedAxis', 'Real', undefined, 'TO_Struct_StatusBits', 'Real'],
    ['TO_PositioningAxis', 'Real', undefined, 'TO_Struct_StatusBits', 'Real'],
  ])
  assert.deepEqual(linked(member('StatusWord', 'DWord')), [
    ['TO_SpeedAxis', 'LReal', 'DWord', undefined, 'LReal'],
    ['TO_PositioningAxis', 'LReal', 'DWord', undefined, 'LReal'],
  ])
})

test('an axis of an S7-1200 has the members of its copy in the file, and is passed by reference all the same', () => {
  const axis = (members: string) =>
    `<Member Name="axis" Datatype="TO_PositioningAxis"><Sections><Section Name="None">${members}</Section></Sections></Member>`
  const axisOf = (members: string) => {
    const sections = `<Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Input">${axis(members)}</Section></Sections>`
    const { objects } = readSimaticMlText(
      `<Document><Engineering version="V18" /><SW.Blocks.FB ID="0"><AttributeList><Interface>${sections}</Interface><Name>Drive</Name><Number>1</Number><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></SW.Blocks.FB></Document>`,
    )
    const program = linkProgram(objects.map((object) => ({ object })))
    assert.deepEqual(program.diagnostics, [])
    return memberOf(blockOf(program, 'Drive'), 'axis')
  }
  const status = (name: string) =>
    `<Member Name="${name}" Datatype="Struct"><Member Name="Enable" Datatype="Bool" /></Member>`
  for (const name of ['StatusBits', 'MotionStatus']) {
    const { section, type } = axisOf(`<Member Name="Position" Datatype="Real" />${status(name)}`)
    assert.equal(section, 'InOut')
    assert.equal(typeName(type), 'TO_PositioningAxis')
    assert.deepEqual(
      membersIn(type).members.map((member) => member.name),
      ['Position', name],
    )
  }
  // Other members are those of the S7-1500, which are known.
  const known = axisOf(status('StatusWord'))
  assert.equal(known.section, 'InOut')
  assert.deepEqual(known.type, linkProgram([]).typeOf('TO_PositioningAxis'))
})

test('no member of a function with a value has its name, which is the value', () => {
  const declared = ['VAR_INPUT v : Int;', 'VAR_OUTPUT v : Int;', 'VAR_IN_OUT v : Int;', 'VAR_TEMP v : Int;']
  const of = (section: string, type: string) =>
    link(`FUNCTION "V" : ${type}\n${section}\nEND_VAR\nBEGIN\n;\nEND_FUNCTION\n`).diagnostics
  for (const section of [...declared, 'VAR CONSTANT v : Int := 5;'])
    for (const type of ['Int', 'DTL'])
      assert.deepEqual(
        of(section, type).map(({ code, member }) => [code, member]),
        [['duplicate-member', 'v']],
        section,
      )
  // Without a value nothing else has the name.
  for (const section of declared) assert.deepEqual(of(section, 'Void'), [])
  assert.deepEqual(codes(link('FUNCTION_BLOCK "V"\nVAR v : Int;\nEND_VAR\nBEGIN\n;\nEND_FUNCTION_BLOCK\n')), [])
})
