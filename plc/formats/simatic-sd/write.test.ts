import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defined } from '../../../lib/optional.ts'
import { cardinality, NetworkBuilder, pinEnd, typeTemplate } from '../../languages/ladder/build.ts'
import { FormatError } from '../../model/fault.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { ImportedObject, InterfaceMember } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { isSameLogic } from './compare.ts'
import { readSd } from './read.ts'
import { writeSd } from './write.ts'

const local = (name: string): Operand => ({ kind: 'symbol', scope: 'LocalVariable', path: [{ name }] })

function blockOf(graph: LogicNetwork | undefined, language = 'LAD'): ImportedObject {
  return {
    kind: 'FC',
    element: 'SW.Blocks.FC',
    format: 'simaticml',
    name: 'F',
    language,
    title: {},
    comment: {},
    author: '',
    family: '',
    headerName: '',
    version: '',
    isKnowHowProtected: false,
    attributes: [],
    interface: [],
    networks: [{ number: 1, title: {}, comment: {}, language, parts: [], ...defined({ graph }) }],
  }
}

function refusal(object: ImportedObject): string {
  try {
    writeSd(object)
  } catch (error) {
    assert.ok(error instanceof FormatError)
    return error.faults[0]?.message ?? ''
  }
  return assert.fail('it was written')
}

/** Laid out as TIA Portal does. */
const sample = `{
    S7_Author := "me";
    S7_BlockNumber := "7";
    S7_BlockTitle := "MLC_a";
    S7_IECCheck := "TRUE";
    S7_Optimized := "FALSE";
    S7_PreferredLanguage := "LAD";
    S7_Version := "1.2"
}
FUNCTION_BLOCK "Block, one"
    VAR_INPUT
        { S7_MLC := "MLC_b" }
        run : Bool;
        "A" : Int := 5;
    END_VAR
    VAR
        "timer" : TON_TIME;
    END_VAR

    VAR RETAIN
        {
            S7_Access := "ReadOnly := External";
            S7_Setpoint := "True";
            S7_Visibility := "Hidden := External"
        }
        "ä b" : STRUCT
            {
                S7_Access := "ReadOnly := External";
                S7_Visibility := "Hidden := External"
            }
            list : Array[0..1, 1..2] of Real := [1.0, 2.0, 3.0, 4.0];
        END_STRUCT;
    END_VAR
    VAR CONSTANT
        MAX : Int := 16#1F;
    END_VAR

    {
        S7_Language := "LAD";
        S7_NetworkComment := "MLC_c";
        S7_NetworkTitle := "MLC_d"
    }
    NETWORK
        Label( here )
        RUNG wire#powerrail
            Contact( #run )
            wire#w1
            I_Contact( "DB".list[#"A", 2]."M".%X3 )
            wire#w2
            { S7_Templates := "time_type := Time" }
            #timer.TON(
                pt := T#5s,
                et =>  
            )
            Coil( %Q0.1 )
        END_RUNG
        RUNG wire#powerrail
            { S7_Templates := "SrcType := Int" }
            LT_Contact(
                in1 := #"A",
                in2 := #MAX
            )
        END_RUNG wire#w2
        RUNG wire#w1
            JumpCoil( here )
        END_RUNG
        RUNG wire#powerrail
            "Sum"(
                a := wire#w3,
                b :=  ,
                c => %MW10
            )
        END_RUNG
        RUNG wire#powerrail
            Not()
        END_RUNG wire#w3
    END_NETWORK
    { S7_Language := "SCL" }
    NETWORK
        REGION one
            #run := FALSE;
            
        END_REGION
        
    END_NETWORK
    { S7_Language := "FBD" }
    NETWORK
        RUNG #run
            NOT A(
                in2 := NOT #"A",
                in3 := wire#w1
            )
            NOT S_Coil( #y )
        END_RUNG
        RUNG
            P_Contact(
                operand := #run,
                bit := #y
            )
        END_RUNG wire#w1
        RUNG
            {
                S7_Templates := "SrcType := Real"; 
                S7_GenerateENO := "TRUE"; 
                S7_Expression := "in1 * in2"
            }
            Calculate(
                in1 := 1.0,
                in2 :=  ,
                out => #r
            )
        END_RUNG
    END_NETWORK
    { S7_Language := "LAD" }
    NETWORK
        RUNG wire#powerrail
        END_RUNG
    END_NETWORK
END_FUNCTION_BLOCK
`

test('what TIA Portal lays out comes back to the letter', () => {
  const resources = new Map(
    ['a', 'b', 'c', 'd'].map((id): [string, Record<string, string>] => [`MLC_${id}`, { 'en-US': `text ${id}` }]),
  )
  const { blocks, faults } = readSd(sample, { resources })
  assert.deepEqual(faults, [])
  const [block] = blocks
  assert.ok(block)
  const written = writeSd(block.object, { textIds: block.textIds })
  assert.equal(written.content, sample)
  assert.deepEqual(written.resources, resources)
  assert.deepEqual(written.warnings, [])
})

test('texts get ids of their own, the same ones each time', () => {
  const object = { ...blockOf(undefined), title: { 'en-US': 'one' }, comment: { 'en-US': 'one' } }
  const { content, resources } = writeSd(object)
  assert.equal(resources.size, 2)
  for (const id of resources.keys()) assert.ok(content.includes(`"${id}"`) && /^MLC_[0-9A-Za-z]+$/.test(id))
  assert.deepEqual(writeSd(object).resources, resources)
})

test('data blocks: of a type, of an array, with values of elements and their comments', () => {
  const text = `{
    S7_Optimized := "TRUE";
    S7_StandardRetain := "FALSE";
    S7_Version := "0.1"
}
DATA_BLOCK Dat
    VAR
        list : Array[0..2] of Int;
        pair : STRUCT
            "x y" : Array[1..2] of Bool;
        END_STRUCT;
        n : Int := 3;
    END_VAR

    { S7_MLC := "MLC_1" }
    list[1] := 5;
    { S7_MLC := "MLC_2" }
    pair."x y"[2] := ();
END_DATA_BLOCK
`
  const resources = new Map([
    ['MLC_1', { 'en-US': 'one' }],
    ['MLC_2', { 'de-DE': 'zwei' }],
  ])
  const { blocks, faults } = readSd(text, { resources })
  assert.deepEqual(faults, [])
  const written = writeSd(blocks[0]?.object as ImportedObject, { textIds: blocks[0]?.textIds as never })
  assert.equal(written.content, text)
  assert.deepEqual(written.resources, resources)
  for (const head of ['I : _."a b"', 'T : IEC_TIMER', 'R : Array[0..9] of _.U'])
    assert.deepEqual(readSd(`DATA_BLOCK ${head}\nEND_DATA_BLOCK`).faults, [], head)
})

test('members of one PLC data type, of which an export without defaults shows different parts, can be read again', () => {
  const member = (name: string, dataType: string, more: object = {}) =>
    ({ name, dataType, comment: {}, attributes: [], members: [], ...more }) as InterfaceMember
  const partOf = (...members: InterfaceMember[]) => ({ sections: [{ section: 'None' as const, members }] })
  const limits = (name: string) =>
    member('limits', 'Struct', { members: [member(name, 'Real', { startValue: '1.5' })] })
  const { blocks } = readSd('DATA_BLOCK Dat\n    VAR\n        n : Int;\n    END_VAR\nEND_DATA_BLOCK\n')
  const object: ImportedObject = {
    ...(blocks[0]?.object as ImportedObject),
    interface: [
      {
        section: 'Static',
        members: [
          member('one', '"U"', partOf(member('id', 'Int', { startValue: '1' }), limits('low'))),
          member('two', '"U"', partOf(member('target', 'Real', { startValue: '2.0' }), limits('high'))),
        ],
      },
    ],
  }
  const { content, warnings } = writeSd(object)
  assert.deepEqual(content.split('\n').slice(-12), [
    '        { S7_Setpoint := "False" }',
    '        one : _.U;',
    '        { S7_Setpoint := "False" }',
    '        two : _.U;',
    '    END_VAR',
    '',
    '    one.id := 1;',
    '    one.limits.low := 1.5;',
    '    two.target := 2.0;',
    '    two.limits.high := 1.5;',
    'END_DATA_BLOCK',
    '',
  ])
  assert.deepEqual(warnings, [])
})

test('what the format cannot say is refused by name, or left out with a warning', () => {
  assert.match(refusal({ ...blockOf(undefined), kind: 'TagTable' }), /kind TagTable have no form in SIMATIC SD/)
  assert.match(refusal(blockOf(undefined, 'STL')), /written in STL; SIMATIC SD has LAD, FBD and SCL/)
  assert.match(refusal({ ...blockOf(undefined), isKnowHowProtected: true }), /know-how protected/)
  const builder = new NetworkBuilder()
  const box = builder.instruction('Or', { disabledEno: true, negated: ['eno'], templates: [cardinality(2)] })
  builder.powerrail(box, 'en')
  assert.match(refusal(blockOf(builder.network())), /network 1 has no form in SIMATIC SD: the output eno of Or/)
  const ring = new NetworkBuilder()
  const [a, b] = [ring.instruction('Not'), ring.instruction('Not')]
  ring.connect(pinEnd(a, 'out'), pinEnd(b, 'in')).connect(pinEnd(b, 'out'), pinEnd(a, 'in'))
  assert.match(refusal(blockOf(ring.network())), /network 1 has no form/)
  const versioned = new NetworkBuilder()
  versioned.powerrail(
    versioned.instruction('MC_Power', { version: '7.0', instance: { scope: 'GlobalVariable', path: [{ name: 'p' }] } }),
    'en',
  )
  assert.deepEqual(writeSd({ ...blockOf(versioned.network()), headerName: 'h' }).warnings, [
    'network 1: MC_Power: its version 7.0 is left out',
    'the header\'s name "h" is left out',
  ])
})

const names = fc.constantFrom('a', 'M', 'x y', 'IF', 'ä', 'run', 'w1')
const operands: fc.Arbitrary<Operand> = fc.oneof(
  names.map(local),
  fc
    .tuple(names, names)
    .map(([db, name]): Operand => ({ kind: 'symbol', scope: 'GlobalVariable', path: [{ name: db }, { name }] })),
  fc
    .integer({ min: -9, max: 99 })
    .map((value): Operand => ({ kind: 'literal', scope: 'LiteralConstant', value: String(value), type: 'Int' })),
)

/** Networks as an engineer draws them: series, branches, joins, boxes, wires into pins. */
const networks = fc
  .array(
    fc.record({
      what: fc.constantFrom('contact', 'negated', 'coil', 'join', 'branch', 'box', 'timer', 'flipflop', 'compare'),
      operand: operands,
      pick: fc.nat(20),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) => {
    const builder = new NetworkBuilder()
    const open: [number, string][] = []
    const rail: ['rail', ''] = ['rail', '']
    const from = (pick: number) =>
      pick % (open.length + 1) === 0 ? rail : (open[pick % open.length] as [number, string])
    const lead = (source: [number, string] | typeof rail, node: number, pin: string) =>
      source[0] === 'rail'
        ? builder.powerrail(node, pin)
        : builder.connect(pinEnd(source[0], source[1]), pinEnd(node, pin))
    for (const { what, operand, pick } of steps) {
      const source = from(pick)
      if (what === 'contact' || what === 'negated' || what === 'coil') {
        const node = builder.instruction(what === 'coil' ? 'Coil' : 'Contact', {
          negated: what === 'negated' ? ['operand'] : [],
        })
        lead(source, node, 'in')
        builder.input(node, 'operand', operand)
        if (what !== 'coil') open.push([node, 'out'])
      } else if (what === 'compare') {
        const node = builder.instruction('Eq', { templates: [typeTemplate('SrcType', 'Int')] })
        lead(source, node, 'pre')
        builder.input(node, 'in1', operand)
        builder.input(node, 'in2', operand)
        open.push([node, 'out'])
      } else if (what === 'box') {
        const node = builder.instruction('Move', { disabledEno: pick % 2 === 0, templates: [cardinality(1)] })
        lead(source, node, 'en')
        builder.input(node, 'in', operand)
        builder.output(node, 'out1', local('a'))
        open.push([node, 'eno'])
      } else if (what === 'timer') {
        const node = builder.instruction('TON', {
          version: '1.0',
          instance: { scope: 'LocalVariable', path: [{ name: 'run' }] },
          templates: [typeTemplate('time_type', 'Time')],
        })
        lead(source, node, 'IN')
        builder.input(node, 'PT', { kind: 'literal', scope: 'TypedConstant', value: 'T#5s' })
        builder.open(node, 'ET', 'output')
        open.push([node, 'Q'])
      } else if (what === 'flipflop') {
        const node = builder.instruction('Rs')
        lead(source, node, 'r')
        lead(from(pick + 1), node, 's1')
        builder.input(node, 'operand', operand)
        open.push([node, 'q'])
      } else if (what === 'join' && open.length > 1) {
        const node = builder.instruction('O', { templates: [cardinality(2)] })
        lead(source, node, 'in1')
        lead(from(pick + 1), node, 'in2')
        open.push([node, 'out'])
      } else {
        const node = builder.instruction('SCoil')
        lead(source, node, 'in')
        builder.input(node, 'operand', operand)
      }
    }
    return builder.network()
  })

test('drawn networks come back the same, in LAD and FBD', () => {
  fc.assert(
    fc.property(networks, fc.constantFrom('LAD', 'FBD'), (graph, language) => {
      const { content } = writeSd(blockOf(graph, language))
      const { blocks, faults } = readSd(content)
      assert.deepEqual(faults, [])
      assert.ok(isSameLogic(graph, blocks[0]?.object.networks[0]?.graph), content)
    }),
    { numRuns: 400 },
  )
})

const pieces = fc.constantFrom(
  ...'{ } ( ) [ ] := => , ; : . # " \' wire#w1 wire#powerrail RUNG END_RUNG NETWORK END_NETWORK FUNCTION FUNCTION_BLOCK DATA_BLOCK TYPE VAR'.split(
    ' ',
  ),
  ...'END_VAR END_FUNCTION END_DATA_BLOCK END_TYPE STRUCT END_STRUCT NOT Contact Coil TON Move #a "DB".x T#5s 5 -1 TRUE A Array of Int _.T (* //'.split(
    ' ',
  ),
  '{ S7_Language := "LAD" }',
  '{ S7_Templates := "SrcType := Int" }',
  '\n',
)

test('any text is read without throwing', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 120 }), (words) => {
      const { faults, blocks, warnings } = readSd(words.join(' '))
      assert.ok(faults.length + blocks.length + warnings.length >= 0)
      for (const { line, column } of [...faults, ...warnings]) assert.ok(line >= 1 && column >= 1)
    }),
    { numRuns: 1500 },
  )
  fc.assert(
    fc.property(fc.nat(sample.length), fc.nat(40), fc.string(), (at, length, text) => {
      const broken = sample.slice(0, at) + text + sample.slice(at + length)
      for (const { object } of readSd(broken).blocks) {
        try {
          writeSd(object)
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error))
        }
      }
    }),
    { numRuns: 400 },
  )
})
