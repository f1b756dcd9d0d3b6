import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalNetwork } from '../../languages/ladder/canonical.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { operandText } from '../../model/operand-text.ts'
import { detectFile } from '../detect.ts'
import { programOf } from './import.ts'
import { readSd, type SdOptions } from './read.ts'
import { writeSd } from './write.ts'

/** Every connection of a network in a line: `Contact.out -> Coil.in`, instructions numbered when a name repeats. */
function connections(graph: LogicNetwork | undefined): string[] {
  if (graph === undefined) return []
  const { nodes, wires } = canonicalNetwork(graph)
  const names = new Map<number, string>()
  for (const node of nodes) {
    if (node.kind === 'operand') {
      names.set(node.uId, operandText(node.operand))
      continue
    }
    const twins = [...names.values()].filter((name) => name.split('!')[0]?.replace(/\d+$/, '') === node.name).length
    const negated = node.negated.length > 0 ? `!${node.negated.join('!')}` : ''
    names.set(node.uId, `${node.name}${twins === 0 ? '' : twins + 1}${negated}`)
  }
  return wires.flatMap(({ ends }) => {
    const [source, ...sinks] = ends.map((end) =>
      end.kind === 'pin'
        ? `${names.get(end.uId)}.${end.pin}`
        : end.kind === 'operand'
          ? (names.get(end.uId) ?? '')
          : end.kind,
    )
    return sinks.map((sink) => `${source} -> ${sink}`)
  })
}

function network(rungs: string, language = 'LAD', interfaceText = '', options: SdOptions = {}) {
  const text = `FUNCTION_BLOCK "B"\n${interfaceText}\n{ S7_Language := "${language}" }\nNETWORK\n${rungs}\nEND_NETWORK\nEND_FUNCTION_BLOCK\n`
  const { blocks, faults, warnings } = readSd(text, options)
  return { graph: blocks[0]?.object.networks[0]?.graph, faults, warnings }
}

function faultOf(text: string) {
  const { faults } = readSd(text)
  const [first] = faults
  assert.ok(first, 'no fault')
  return `${first.line}:${first.column} ${first.message}`
}

test('rungs of LAD: series, branches and joins at wires', () => {
  const { graph, faults } = network(`
    RUNG wire#powerrail
        Contact( #a )
        wire#w1
        I_Contact( #b )
        wire#w2
        Coil( #x )
    END_RUNG
    RUNG wire#w1
        Contact( #c )
    END_RUNG wire#w2
    RUNG wire#w2
        S_Coil( #y )
    END_RUNG`)
  assert.deepEqual(faults, [])
  assert.deepEqual(connections(graph).sort(), [
    '#a -> Contact.operand',
    '#b -> Contact2!operand.operand',
    '#c -> Contact3.operand',
    '#x -> Coil.operand',
    '#y -> SCoil.operand',
    'Contact.out -> Contact2!operand.in',
    'Contact.out -> Contact3.in',
    'Contact2!operand.out -> O.in1',
    'Contact3.out -> O.in2',
    'O.out -> Coil.in',
    'O.out -> SCoil.in',
    'powerrail -> Contact.in',
  ])
})

test('block moves and fills have the pins of BLKMOV and FILL', () => {
  const { graph, faults } = network(`
    RUNG wire#powerrail
        S_BlockMove( srcBlock := #a, ret_val => #b, dstBlock => #c )
        S_Fill( BVAL := #a, RET_VAL => #b, BLK => #c )
    END_RUNG`)
  assert.deepEqual(faults, [])
  assert.deepEqual(connections(graph).sort(), [
    '#a -> BLKMOV.SRCBLK',
    '#a -> FILL.BVAL',
    'BLKMOV.DSTBLK -> #c',
    'BLKMOV.RET_VAL -> #b',
    'BLKMOV.eno -> FILL.en',
    'FILL.BLK -> #c',
    'FILL.RET_VAL -> #b',
    'powerrail -> BLKMOV.en',
  ])
})

test('the order of a join is that of the text, the rung that holds the wire first', () => {
  const join = (rungs: string) =>
    connections(network(rungs).graph)
      .filter((line) => / -> O\.in\d$/.test(line))
      .sort()
  const late = `RUNG wire#powerrail Contact( #b ) END_RUNG wire#w1
    RUNG wire#powerrail Contact( #a ) wire#w1 Coil( #x ) END_RUNG
    RUNG wire#powerrail Contact( #c ) END_RUNG wire#w1`
  const operands = network(late).graph
  assert.equal(join(late).length, 3)
  const canonical = canonicalNetwork(operands as LogicNetwork)
  const texts = canonical.nodes.flatMap((node) => (node.kind === 'operand' ? [operandText(node.operand)] : []))
  assert.deepEqual(texts, ['#a', '#b', '#c', '#x'])
})

test('boxes have their pins and templates, ENO is off unless it is said', () => {
  const { graph, faults } = network(`
    RUNG wire#powerrail
        { S7_Templates := "SrcType := Int" }
        GT_Contact( in1 := #v, in2 := -5 )
        { S7_Templates := "[SrcType := Int, DestType := Real]" }
        Normalize( min := 0, value := #v, max := 27648, out => #r )
        {
            S7_Templates := "value_type := Real";
            S7_GenerateENO := "TRUE"
        }
        Limit( min := 0.0, in := #r, max := 1.0, out => #r )
        Add( in1 := #v, in2 := 1, in3 := 2, out => #v )
    END_RUNG`)
  assert.deepEqual(faults, [])
  const parts = graph?.nodes.flatMap((node) => (node.kind === 'part' ? [node] : [])) ?? []
  assert.deepEqual(
    parts.map(({ name, disabledEno, version, templates, automaticTyped }) => [
      name,
      disabledEno === true,
      version,
      templates.map((template) => `${template.name} ${template.value}`),
      automaticTyped,
    ]),
    [
      ['Gt', false, undefined, ['SrcType Int'], []],
      ['Normalize', true, undefined, ['SrcType Int', 'DestType Real'], []],
      ['LIMIT', false, '1.0', ['value_type Real'], []],
      ['Add', true, undefined, ['Card 3'], ['SrcType']],
    ],
  )
  const literals = graph?.nodes.flatMap((node) =>
    node.kind === 'operand' && node.operand.kind === 'literal' ? [`${node.operand.value} ${node.operand.type}`] : [],
  )
  assert.deepEqual(literals, ['-5 Int', '0 Int', '27648 Int', '0.0 Real', '1.0 Real', '1 Int', '2 Int'])
  assert.ok(connections(graph).includes('LIMIT.OUT -> #r'))
  assert.ok(connections(graph).includes('Normalize.eno -> LIMIT.en'))
})

test('FBD: rungs begin at operands, NOT inverts inputs, wires name results', () => {
  const { graph, faults } = network(
    `RUNG #a
        NOT A( in2 := NOT #b, in3 := wire#w1 )
        NOT Coil( #x )
    END_RUNG
    RUNG TRUE
        O( in2 := #c )
    END_RUNG wire#w1
    RUNG
        P_Contact( operand := #d, bit := #m )
        Coil( #y )
    END_RUNG`,
    'FBD',
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(connections(graph).sort(), [
    '#a -> A!in1!in2.in1',
    '#b -> A!in1!in2.in2',
    '#c -> O.in2',
    '#d -> PContact.operand',
    '#m -> PContact.bit',
    '#x -> Coil!in.operand',
    '#y -> Coil2.operand',
    'A!in1!in2.out -> Coil!in.in',
    'O.out -> A!in1!in2.in3',
    'PContact.out -> Coil2.in',
    'TRUE -> O.in1',
  ])
})

test('calls: timers on instance data, instances of this block, functions and data blocks of the program', () => {
  const program = programOf([
    'FUNCTION_BLOCK "Motor" VAR_INPUT on : Bool; END_VAR VAR_OUTPUT fault : Int; END_VAR END_FUNCTION_BLOCK',
    'DATA_BLOCK Motor_1 : Motor END_DATA_BLOCK',
    'FUNCTION "Sum" : Int VAR_INPUT a : Int; END_VAR END_FUNCTION',
  ])
  const declared = 'VAR t : STRUCT on : TON_TIME; END_STRUCT; m : Array[0..1] of _.Motor; e : Int; END_VAR'
  const { graph, faults, warnings } = network(
    `RUNG wire#powerrail
        { S7_Templates := "time_type := Time" }
        #t.on.TON( pt := T#5s, et =>  )
        #m[1]( on := wire#powerrail, fault => #e )
        "Motor_1"( on := TRUE, fault =>  )
        "Sum"( a := 5, Ret_Val => #e )
    END_RUNG`,
    'LAD',
    declared,
    { program },
  )
  assert.deepEqual([faults, warnings], [[], []])
  const boxes = graph?.nodes.flatMap((node) => (node.kind === 'operand' ? [] : [node])) ?? []
  assert.deepEqual(
    boxes.map((box) => [
      box.kind,
      box.name,
      box.kind === 'call' ? box.blockType : box.version,
      box.instance?.scope,
      box.instance?.path.map(({ name }) => name).join('.'),
      box.kind === 'call' ? box.parameters.map(({ name, section, type }) => `${section} ${name} ${type}`) : [],
    ]),
    [
      ['part', 'TON', '1.0', 'LocalVariable', 't.on', []],
      ['call', 'Motor', 'FB', 'LocalVariable', 'm', ['Input on Bool', 'Output fault Int']],
      ['call', 'Motor', 'FB', 'GlobalVariable', 'Motor_1', ['Input on Bool', 'Output fault Int']],
      ['call', 'Sum', 'FC', undefined, undefined, ['Input a Int', 'Return Ret_Val Int']],
    ],
  )
  assert.ok(connections(graph).includes('powerrail -> Motor.on'))
  assert.ok(connections(graph).includes('TON.Q -> Motor.en'))
})

test('what is guessed without the program is said', () => {
  const { warnings } = network('RUNG wire#powerrail\n"Motor_DB"( on := TRUE )\n"Motor_DB"( on := FALSE )\nEND_RUNG')
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'data block "Motor_DB" is not at hand; it is taken to be an instance of "Motor"',
      'the interface of "Motor" is not at hand; its parameters are those of the calls',
      'data block "Motor_DB" is not at hand; it is taken to be an instance of "Motor"',
    ],
  )
})

test('older spellings and those of the help', () => {
  const { graph, faults } = network(
    'RUNG wire#powerrail\nCMP >=( in1 := #a, in2 := 5 )\nCMP ==( in1 := #a, in2 := 5 )\nMove{ Card := 1; DisableENO := TRUE }( IN := 5, OUT1 => #a )\nSCALE_X( MIN := 0, VALUE := #r, MAX := 9, OUT => #a )\nEND_RUNG',
  )
  assert.deepEqual(faults, [])
  const names = graph?.nodes.flatMap((node) => (node.kind === 'part' ? [node.name] : []))
  assert.deepEqual(names, ['Ge', 'Eq', 'Move', 'Scale_X'])
  assert.ok(connections(graph).includes('Scale_X.out -> #a'))
})

test('labels and jumps', () => {
  const { graph, faults } = network('Label( here )\nRUNG wire#powerrail\nContact( #a )\nJumpCoil( here )\nEND_RUNG')
  assert.deepEqual(faults, [])
  assert.deepEqual(
    graph?.labels.map(({ name }) => name),
    ['here'],
  )
  assert.ok(graph?.nodes.some((node) => node.kind === 'operand' && node.operand.kind === 'label'))
})

test('members: external access is that of the structure around them, constants and types of the program', () => {
  const text = `DATA_BLOCK "D"
    VAR RETAIN
        { S7_Access := "ReadOnly := External" }
        s : STRUCT
            { S7_Access := "ReadOnly := External"; S7_Visibility := "Hidden := External" }
            "M" : Bool;
            { S7_Access := "ReadOnly := External" }
            b : Array[1.._."MAX"] of _."UDT x";
        END_STRUCT;
        { S7_Setpoint := "False" }
        t : _.T1;
        u : _.T1;
        list : Array[0..2] of Int := [1, 2(5)];
    END_VAR
    s.b[1] := ();
    u.deep := 1;
END_DATA_BLOCK`
  const { blocks, faults, warnings } = readSd(text)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['the start value u.deep := 1 was left out: u is of type "T1", whose members are not known here'],
  )
  const members = blocks[0]?.object.interface[0]?.members ?? []
  const shown = (list: typeof members): unknown =>
    list.map(({ name, dataType, remanence, attributes, members: inner, subelements }) => [
      name,
      dataType,
      remanence,
      attributes.map((attribute) => `${attribute.name}=${attribute.value}`).join(' '),
      ...(inner.length > 0 ? [shown(inner)] : []),
      ...(subelements === undefined ? [] : [subelements]),
    ])
  assert.deepEqual(shown(members), [
    [
      's',
      'Struct',
      'Retain',
      'ExternalWritable=false',
      [
        ['M', 'Bool', undefined, 'ExternalAccessible=false ExternalVisible=false'],
        ['b', 'Array[1.."MAX"] of "UDT x"', undefined, 'SetPoint=true', [{ path: '1' }]],
      ],
    ],
    ['t', '"T1"', 'Retain', ''],
    ['u', '"T1"', 'Retain', 'SetPoint=true'],
    [
      'list',
      'Array[0..2] of Int',
      'Retain',
      '',
      [
        { path: '0', startValue: '1' },
        { path: '1', startValue: '5' },
        { path: '2', startValue: '5' },
      ],
    ],
  ])
})

test('texts by id in every culture; what is missing is one warning', () => {
  const text = `{ S7_BlockTitle := "MLC_1"; S7_BlockComment := "MLC_9" }
FUNCTION "F" : Void
    VAR_INPUT
        { S7_MLC := "MLC_2" }
        a : Bool;   // beside
        b : Bool;   // only here
    END_VAR
    { S7_Language := "SCL"; S7_NetworkTitle := "plain" }
    NETWORK
        #a := #b;
        
            // END_NETWORK is no statement
    END_NETWORK
END_FUNCTION`
  const resources = new Map([
    ['MLC_1', { 'en-US': 'Title', 'de-DE': 'Titel' }],
    ['MLC_2', { 'de-DE': 'Eingang' }],
  ])
  const { blocks, faults, warnings } = readSd(text, { resources, culture: 'fr-FR' })
  const object = blocks[0]?.object
  assert.deepEqual(faults, [])
  assert.deepEqual(object?.title, { 'en-US': 'Title', 'de-DE': 'Titel' })
  assert.deepEqual(
    object?.interface[0]?.members.map(({ comment }) => comment),
    [{ 'de-DE': 'Eingang' }, { 'fr-FR': 'only here' }],
  )
  assert.deepEqual(object?.networks[0]?.title, { 'fr-FR': 'plain' })
  assert.equal(object?.networks[0]?.text, '#a := #b;\n\n    // END_NETWORK is no statement')
  assert.deepEqual(
    warnings.map(({ message, line }) => `${line} ${message}`),
    [
      '8 "plain" is no id of a text; it is taken as the text itself',
      '2 texts are missing, the .s7res file does not have them: MLC_9',
    ],
  )
  assert.match(readSd(text).warnings.at(-1)?.message ?? '', /there is no \.s7res file.*MLC_1, MLC_9, MLC_2/)
})

test('faults have their place, and reading goes on with the next block', () => {
  const bad = (rungs: string) => faultOf(`FUNCTION "F" : Void\nNETWORK\n${rungs}\nEND_NETWORK\nEND_FUNCTION`)
  assert.equal(bad('RUNG wire#powerrail\n Contact #a )\nEND_RUNG'), '4:10 expected "(" behind Contact, found "#a"')
  assert.equal(
    bad('RUNG wire#powerrail\n Coil( #a'),
    '5:1 expected "," or ")" behind the parameter, found "END_NETWORK"',
  )
  assert.equal(
    bad('RUNG wire#w1\n Coil( #a )\nEND_RUNG'),
    '3:1 wire#w1 has no source: no rung ends in it and none holds it',
  )
  assert.equal(bad('RUNG wire#w1\nEND_RUNG wire#w2\nRUNG wire#w2\nEND_RUNG wire#w1'), '3:1 wire#w1 leads into itself')
  assert.equal(bad('RUNG\n TON( pt := T#5s )\nEND_RUNG'), '4:2 TON needs instance data before it: #instance.TON( … )')
  assert.equal(bad('RUNG\n Move( 5 )\nEND_RUNG'), '4:8 Move needs the names of its parameters: name := value')
  assert.equal(bad('RUNG\n Move( in := 5, in := 6 )\nEND_RUNG'), '4:17 pin in of Move is connected twice')
  assert.equal(
    bad('RUNG wire#powerrail\n wire#w1\nEND_RUNG\nRUNG wire#powerrail\n wire#w1\nEND_RUNG'),
    '7:2 wire#w1 stands inside two rungs; the others begin or end with it',
  )
  assert.match(
    faultOf('{ S7_BlockNumber := "x" }\nDATA_BLOCK D\nEND_DATA_BLOCK'),
    /^1:1 S7_BlockNumber is "x", allowed are 1 to 65535$/,
  )
  assert.match(faultOf('hello'), /^1:1 expected FUNCTION_BLOCK, FUNCTION/)
  assert.match(faultOf(''), /holds no block/)
  assert.match(
    faultOf('FUNCTION "F" : Void\n{ S7_Language := "STL" }\nNETWORK\nRUNG\nEND_RUNG\nEND_NETWORK\nEND_FUNCTION'),
    /^2:1 network 1 is in STL; this format has LAD, FBD and SCL$/,
  )
  const two = readSd(
    'FUNCTION "F" : Void\nNETWORK\nRUNG\n Coil(\nEND_FUNCTION\nDATA_BLOCK D\nVAR a : Int; END_VAR\nEND_DATA_BLOCK',
  )
  assert.deepEqual(
    two.blocks.map(({ object }) => object.name),
    ['F', 'D'],
  )
  assert.ok(two.faults.every(({ path }) => path === 'F'))
})

test('attributes nobody knows are warnings with their names, comments in the code too', () => {
  const { warnings, faults } = readSd(
    '{ S7_Secret := "1" }\nFUNCTION "F" : Void\n// gone\n{ S7_Language := "LAD"; S7_Odd := "2" }\nNETWORK\nRUNG wire#powerrail\n{ S7_Strange := "3" }\nNot()\nEND_RUNG\nEND_NETWORK\nEND_FUNCTION',
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(
    warnings.map(({ line, message }) => `${line} ${message}`),
    [
      '1 the attribute S7_Secret := "1" of the block is not known and was left out',
      '4 the attribute S7_Odd of network 1 is not known and was left out',
      '7 the attribute S7_Strange of Not is not known and was left out',
      '3 comments are no part of this format and were left out: 1',
    ],
  )
})

test('attributes of a type stand behind the word TYPE, and are written there', () => {
  const text = `TYPE
    {
        S7_BlockComment := "MLC_1";
        S7_Version := "1.2"
    }
    Setpoints : STRUCT
        speed : Real := 1.5;
    END_STRUCT;
END_TYPE
`
  const resources = new Map([['MLC_1', { 'en-US': 'What to reach' }]])
  const { blocks, faults } = readSd(text, { resources })
  assert.deepEqual(faults, [])
  const object = blocks[0]!.object
  assert.deepEqual(
    [object.kind, object.name, object.version, object.comment],
    ['UDT', 'Setpoints', '1.2', { 'en-US': 'What to reach' }],
  )
  const { content } = writeSd(object)
  assert.match(content, /^TYPE\n {4}\{[^}]*S7_BlockComment[^}]*\}\n {4}Setpoints : STRUCT\n/)
  assert.equal(detectFile(new TextEncoder().encode(content)).format, 's7dcl')
  const plain = 'TYPE\n    { Note := "x" }\n    A : STRUCT\n        b : Int;\n    END_STRUCT;\nEND_TYPE\n'
  assert.equal(detectFile(new TextEncoder().encode(plain)).format, 's7dcl')
})

test('texts that nothing uses are named, ten at most; in a file with faults nothing is said of them', () => {
  const warningsOf = (count: number, text = 'FUNCTION "F" : Void\nEND_FUNCTION\n') => {
    const resources = new Map(Array.from({ length: count }, (_, i) => [`MLC_${i + 1}`, { 'en-US': `text ${i}` }]))
    return readSd(text, { resources }).warnings.map(({ message, line, column }) => `${line}:${column} ${message}`)
  }
  const ten = 'MLC_1, MLC_2, MLC_3, MLC_4, MLC_5, MLC_6, MLC_7, MLC_8, MLC_9, MLC_10'
  const told = (count: number, names: string) =>
    `1:1 texts of the .s7res file that nothing uses were left out (${count}): ${names}`
  assert.deepEqual(warningsOf(0), [])
  assert.deepEqual(warningsOf(1), [told(1, 'MLC_1')])
  assert.deepEqual(warningsOf(10), [told(10, ten)])
  assert.deepEqual(warningsOf(12), [told(12, `${ten} and 2 more`)])
  assert.deepEqual(warningsOf(2, '{ S7_BlockTitle := "MLC_2" }\nFUNCTION "F" : Void\nEND_FUNCTION\n'), [
    told(1, 'MLC_1'),
  ])
  assert.deepEqual(warningsOf(1, 'FUNCTION "F" : Void\nVAR_INPUT\na Int;\nEND_VAR\nEND_FUNCTION\n'), [])
})
