/** What each form of naming something is: one short object for each, with all that it uses (`fixtures/forms.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { importSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { NetworkBuilder } from '../languages/ladder/build.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import type { Action, SequenceProgram } from '../model/sequence.ts'
import { renameInXml } from './rename-xml.ts'
import type { Use } from './use.ts'
import { usesOf } from './uses-of.ts'

const operand = (text: string) => parseOperand(text)!

function told({ name, path, address, text, access, place, argument, isBare }: Use): string {
  const where = Object.entries(place).map(([key, value]) => `${key} ${value}`)
  const more = [
    ...(address === undefined ? [] : [Object.entries(address).join(' ').replaceAll(',', ' ')]),
    ...(argument === undefined ? [] : [`argument ${argument.parameter} of ${argument.callee}`]),
    ...(isBare === true ? ['bare'] : []),
  ]
  const named = [name, ...path].join(' . ')
  return `  ${[`${access} ${text}${named === text ? '' : ` = ${named}`}`, ...where, ...more].join(', ')}`
}

const linesOf = (form: string, object: ImportedObject): string[] => [form, ...usesOf(object).uses.map(told)]

function read(text: string): ImportedObject {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [], text)
  return blocks[0]!.object
}

const network = (part: Partial<Network>): ImportedObject => {
  const block = read(
    'FUNCTION_BLOCK "Empty"\nVAR\n  own : "Motor";\n  timer : TON;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK',
  )
  const { text: _text, ...first } = block.networks[0]!
  const members = block.interface.map((section) => ({ ...section, members: section.members }))
  return { ...block, interface: members, networks: [{ ...first, number: 3, ...part }] }
}
/** Without what the interface of the block says. */
const inNetwork = (form: string, part: Partial<Network>): string[] => {
  const object = network(part)
  const own = usesOf({ ...object, networks: [] }).uses.length
  return [form, ...usesOf(object).uses.slice(own).map(told)]
}

function ladder(): string[] {
  const drawn = ['Coil', 'SCoil', 'RCoil', 'PCoil', 'NCoil', 'SetBF', 'ResetBF', 'SET_BF', 'RESET_BF', 'SBitfield']
  const boxes = [
    ...[
      ...drawn,
      'RBitfield',
      'Sr',
      'Rs',
      'Inc',
      'Dec',
      'CoilTP',
      'CoilTON',
      'CoilTOF',
      'CoilTONR',
      'SpCoil',
      'SeCoil',
    ],
    ...['ResetIECTimerCoil', 'PresetIECTimerCoil', 'SdCoil', 'SsCoil', 'SfCoil', 'CuCoil', 'CdCoil', 'ScCoil'],
    ...['Contact', 'PContact', 'Not', 'Move'],
  ]
  const pins = ['bit', 'timer', 'counter', 'POS', 'MB_DATA_PTR', 'DATA_PTR', 'CONNECT', 'IN']
  const wired = (box: string, pin: string, isOutput = false) => {
    const g = new NetworkBuilder()
    const uId = g.instruction(box)
    if (isOutput) g.output(uId, pin, operand('"Data".x'))
    else g.input(uId, pin, operand('"Data".x'))
    return `  ${usesOf(network({ language: 'LAD', graph: g.network() })).uses.at(-1)?.access}`
  }
  const called = (section: string | undefined, isOutput = false) => {
    const g = new NetworkBuilder()
    const parameters = section === undefined ? [] : [{ name: 'p', section, type: 'Int' }]
    const uId = g.call('Motor', 'FB', {
      instance: { scope: 'GlobalVariable', path: [{ name: 'Data' }, { name: 'all', indices: [operand('"i"')] }] },
      parameters,
    })
    if (isOutput) g.output(uId, 'p', operand('"Data".x'))
    else g.input(uId, 'p', operand('"Data".x'))
    return inNetwork(`a parameter of ${section ?? 'no known section'}${isOutput ? ', written' : ''}`, {
      language: 'LAD',
      graph: g.network(),
    })
  }
  const shared = new NetworkBuilder()
  const [one, two] = [shared.instruction('Contact'), shared.instruction('Sr')]
  const data = shared.operand(operand('"Data".x'))
  shared.connect({ kind: 'operand', uId: data }, { kind: 'pin', uId: one, pin: 'operand' })
  shared.connect({ kind: 'operand', uId: data }, { kind: 'pin', uId: two, pin: 'operand' })
  const loose = new NetworkBuilder()
  loose.operand(operand('"Data".x["i"]'))
  const convert = new NetworkBuilder()
  convert.instruction('Serialize', {
    templates: [
      { name: 'source_type', type: 'Type', value: '"Recipe"' },
      { name: 'card', type: 'Cardinality', value: '"No type"' },
      { name: 'dest_type', type: 'Type', value: 'Int' },
    ],
  })
  const written = (text: string) => {
    const g = new NetworkBuilder()
    g.input(g.instruction('Contact'), 'operand', operand(text))
    return inNetwork(`operand ${text}`, { language: 'LAD', graph: g.network() })
  }
  return [
    ...boxes.map((box) => `operand of ${box}${wired(box, 'operand')}`),
    ...pins.map((pin) => `pin ${pin}${wired('Box', pin)}`),
    `out of Add${wired('Add', 'out', true)}`,
    ...['Input', 'Output', 'Return', 'InOut', undefined].flatMap((section) => called(section)),
    ...called('Output', true),
    ...called(undefined, true),
    ...inNetwork('one operand at two boxes', { language: 'LAD', graph: shared.network() }),
    ...inNetwork('an operand without a wire', { language: 'FBD', graph: loose.network() }),
    ...inNetwork('types of a box', { language: 'LAD', graph: convert.network() }),
    ...['%M1.0', '%MB2', '%MW4', '%MD8', '%I0.0:P', '%IW2:P', '%Q0.1', '%QW2', '%T5', '%C6', '%DB3.DBW4'].flatMap(
      written,
    ),
    ...['%DB3.DBX4.1', '%DB3', '#own.x', '#list["i", #k]', '"Colour"#RED', '5', 'T#1s', '"a b"."c d"[2].e'].flatMap(
      written,
    ),
  ]
}

function statements(): string[] {
  const list = (lines: readonly string[]) =>
    read(
      `FUNCTION_BLOCK "F"\nVAR\n  own : "Motor";\n  timer : TON;\nEND_VAR\nBEGIN\nNETWORK\nTITLE = x\n${lines.join('\n')}\nEND_FUNCTION_BLOCK`,
    )
  const shown = (...lines: readonly string[]) => {
    const object = list(lines)
    const own = usesOf({ ...object, networks: [] }).uses.length
    return [lines.map((line) => line.trim()).join(' '), ...usesOf(object).uses.slice(own).map(told)]
  }
  const bits = ['A', 'AN', 'O', 'ON', 'X', 'XN', '=', 'S', 'R', 'FP', 'FN']
  return [
    ...bits.flatMap((mnemonic) => shown(`  ${mnemonic} "Data".x;`)),
    ...['L', 'T'].flatMap((mnemonic) => shown(`  ${mnemonic} "Data".w["i"];`)),
    ...['SP', 'SE', 'SD', 'SS', 'SF', 'FR', 'R', 'A'].flatMap((mnemonic) => shown(`  ${mnemonic} T 5;`)),
    ...['CU', 'CD', 'FR', 'LC'].flatMap((mnemonic) => shown(`  ${mnemonic} "Pieces";`)),
    ...[
      'OPN "Data";',
      'OPNDI "Data";',
      'OPN DB 4;',
      'UC "Fill";',
      'CC FC 7;',
      'TAR1 "Data".d;',
      'LAR1 "Data".d;',
    ].flatMap((line) => shown(line)),
    ...shown('  A( ;', '', '  O "a"; O "b";', '// nothing', '  ) ;', 'm1: = "c" ;'),
    ...shown('  CALL "Fill" (in := "a", inout := "b", none := );', '  L "c";'),
    ...shown('  CALL FC 7 (in := %MW4);', '  CALL FB 8 , DB 9 (x := "a");'),
    ...shown('  CALL "Motor" , "Motor_DB" (', '    x := "a" );'),
    ...shown('  CALL #own (x := "a");', '  CALL #timer (IN := "b");', '  CALL #unknown (x := "c");'),
    ...shown('  CALL TON , "Timer_DB" (IN := "a", PT := T#1s);'),
  ]
}

function declarations(): string[] {
  const types = [
    ...[
      '"Motor"',
      'Motor',
      'Array[0..3] of "Motor"',
      'Array[0..3, "LOW".."HIGH"] of Motor',
      'REF_TO "Motor"',
      'REF_TO Motor',
    ],
    ...[
      '_.hall.Motor',
      'hall.Motor',
      'Array[0..1] of _.hall.Motor',
      'Array["LOW".."HIGH"] of Int',
      'String["SIZE"]',
      'Int',
    ],
  ]
  const values = [
    'Int := 5',
    'Int := "LIMIT"',
    'Array[0..1] of Int := ["A", 2]',
    'String := \'"text"\'',
    'Array[0..1] of Int := [2("A")]',
  ]
  const declared = (type: string) =>
    linesOf(`a : ${type}`, read(`FUNCTION_BLOCK "F"\nVAR\n  a : ${type};\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK`))
  const block = (lines: readonly string[]) =>
    `DATA_BLOCK "D"\nVAR\n  a : Int;\n  s : Struct\n    b : Int := "IN";\n    c : "Motor";\n  END_STRUCT;\n  l : Array[0..3] of Int;\nEND_VAR\nBEGIN\n${lines.join('\n')}\nEND_DATA_BLOCK`
  const assigned = (...lines: readonly string[]) => {
    const whole = read(block(lines))
    return [lines.join(' '), ...usesOf(whole).uses.map(told)]
  }
  return [
    ...types.flatMap(declared),
    ...values.flatMap(declared),
    ...assigned('  a := "A";', '  s.b := 5;', '  l[2] := "B";'),
    ...assigned('  (* first *) a := "A"; // "X"', '  s . c . x := "C" ;', '  s.c.y := "D".z;'),
    ...assigned('  s.b := "IN";', '  s.c.x := "C" + "D";', '  a := b := "A";'),
    ...linesOf('an instance', read('DATA_BLOCK "D"\n"Motor"\nBEGIN\n  a := "A";\nEND_DATA_BLOCK')),
    ...linesOf('an instance of a system type', read('DATA_BLOCK "D"\nTON\nBEGIN\nEND_DATA_BLOCK')),
    ...linesOf('an array', read('DATA_BLOCK "D"\nArray[0..3] of "Motor"\nBEGIN\nEND_DATA_BLOCK')),
    ...linesOf(
      'a type',
      read('TYPE "T"\nSTRUCT\n  a : Struct\n    b : "Motor";\n  END_STRUCT;\nEND_STRUCT;\nEND_TYPE'),
    ),
    ...linesOf('a function', read('FUNCTION "F" : "Motor"\nBEGIN\n#F := "Data".m;\nEND_FUNCTION')),
  ]
}

function scl(): string[] {
  const statementsOf = [
    ...[
      '"a" := "b";',
      '"a" += "b";',
      '"a".x["i"].y := -"b"."c"[1, "j"];',
      'a := b.c;',
      '#a := #b;',
      '_.ns.Data.x := _.Data2;',
    ],
    ...[
      '"Fill"();',
      '"Fill"("a", "b");',
      '"Fill"(in := "a", out => "b", inout := "c".x);',
      '"r" := "Fill"("a") + Fill(x := "b");',
    ],
    ...[
      '#own(x := "a", y => "b");',
      '#timer(IN := "a");',
      '#own.part(x := "a");',
      '"Motor_DB"(x := "a");',
      '"Data".motor(x := "a");',
    ],
    ...['ABS("a");', '"r" := MAX(IN1 := "a", IN2 := b);', '"Timer_DB".TON(IN := "a", PT => "b");', 'own(x := "a");'],
    ...[
      '%MW2 := %IW4:P + %DB5.DBW6;',
      '"Colour"#RED := Colour#RED;',
      '"r" := _.ns.Colour#RED;',
      'REPEAT "a" := 1; UNTIL "b" END_REPEAT;',
    ],
    ...[
      'CASE "a" OF 1: "b" := 1; "C".."D": ; ELSE "e" := 1; END_CASE;',
      'WHILE "a" DO EXIT; END_WHILE;',
      'FOR "a" := "b" TO "c" BY "d" DO ; END_FOR;',
    ],
    ...['"a"."b" := "c"^.d;', '"a".%X1 := "b".%B0;', '"a" ?= "b";', '"a" := ("b" > "c") AND NOT "d";'],
  ]
  return statementsOf.flatMap((text) => inNetwork(text, { language: 'SCL', text }))
}

function sequences(): string[] {
  const action = (qualifier: string, text: string, ...operands: string[]): Action => ({
    qualifier,
    event: '',
    needsInterlock: false,
    text,
    operands: operands.map(operand),
  })
  const condition = (name: string) => {
    const g = new NetworkBuilder()
    g.input(g.instruction('Contact'), 'operand', operand(name))
    return { language: 'LAD', graph: g.network() }
  }
  const texts = { title: {}, comment: {} }
  const chart: SequenceProgram = {
    before: [
      { ...texts, ...condition('"first"') },
      { ...texts, language: 'STL', statements: [{ mnemonic: '' }, { mnemonic: 'T', operand: operand('"second"') }] },
      { ...texts, language: 'SCL', text: '"third" := 1;\n"fourth" := "fifth";' },
    ],
    sequences: [
      {
        ...texts,
        steps: [
          {
            number: 1,
            name: 'Fill',
            isInitial: true,
            comment: {},
            actions: [
              action('', '"read"', '"read"', '#own'),
              action('N', '"written"', '"written"'),
              action('D', '"late", T#5s', '"late"', 'T#5s'),
              action('N', ' call "Fill" (x := "handed")', '"Fill"', '"handed"'),
              action('N', 'CALL #own (x := "handed")', '#own'),
              action('N', '"Fill"("handed");', '"Fill"'),
              action('N', '"a" := "b" + 1;', '"a"', '"b"'),
            ],
            interlock: condition('"locked"'),
            supervision: condition('"watched"'),
          },
          { number: 2, name: 'Stir', isInitial: false, comment: {}, actions: [] },
        ],
        transitions: [{ number: 7, name: 'Full', comment: {}, ...condition('"full"') }],
        branches: [],
        connections: [],
      },
    ],
    after: [{ ...texts, ...condition('"last"') }],
  }
  return inNetwork('a sequence', { language: 'GRAPH', chart })
}

function rows(): string[] {
  const empty = network({})
  const comment = {}
  const entry = (name: string, address = '', more: object = {}) => {
    const row = { name, address, displayFormat: '', monitorTrigger: '', comment, ...more }
    const table: ImportedObject = { ...empty, kind: 'WatchTable', interface: [], networks: [], entries: [row] }
    return linesOf(`row ${name} ${address} ${Object.keys(more).join()}`, table)
  }
  const tags = ['Int', '"Motor"', 'Motor'].map((dataType) => ({
    name: dataType,
    dataType,
    logicalAddress: '%M0.0',
    comment,
  }))
  const constants = [{ name: 'LAST', dataType: '"Colour"', value: '1', comment }]
  return [
    ...entry('"Data".x'),
    ...entry(' "Data".x ', '%MW2'),
    ...entry('', '%MW2'),
    ...entry('', ' %DB2.DBX4.0 ', { modifyIntention: true }),
    ...entry('"Data".x', '', { forceIntention: true }),
    ...entry('"Data".x', '', { modifyIntention: false, forceIntention: false }),
    ...entry(''),
    ...entry('// a comment'),
    ...linesOf('tags and constants', { ...empty, kind: 'TagTable', interface: [], networks: [], tags, constants }),
  ]
}

test('each form in networks, statements, declarations, SCL, sequences and tables', () => {
  const all = { ladder, statements, declarations, scl, sequences, rows }
  const lines = Object.entries(all).flatMap(([name, forms]) => [`── ${name}`, ...forms()])
  assertRecorded(import.meta.url, 'forms.txt', `${lines.join('\n')}\n`)
})

/** A block with supervisions whose operands are written with `name`. */
const supervised = (
  name: string,
) => `<Document><SW.Blocks.FB ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>SCL</ProgrammingLanguage>
<Supervisions><BlockTypeSupervisions xmlns="http://www.siemens.com/automation/Openness/SW/Supervisions/v3">
<BlockTypeSupervision Type="Operand" Number="2"><SupervisedOperand Name="&quot;${name}&quot;.x" /><DelayOperand Name="&quot;${name}&quot;.late" />
<Conditions><ConditionOperand Number="1" Name="#own" /><ConditionOperand Number="2" Name="&quot;${name}&quot;" /></Conditions>
<SpecificField><AssociatedValueOperand Number="1" Name=" &quot;${name}&quot;.shown " /><OtherOperand Name="&quot;Old&quot;" /></SpecificField></BlockTypeSupervision>
</BlockTypeSupervisions><BlockInstSupervision Number="3"><DelayOperand Name="&quot;${name}&quot;.instance" /><DelayOperand Name="T#5s" /></BlockInstSupervision>
<DelayOperand Name="%MW2" /><DelayOperand /></Supervisions></AttributeList></SW.Blocks.FB></Document>`

test('operands of supervisions are used where they are, and renamed', () => {
  const [object] = importSimaticMlText(supervised('Old')).objects
  assert.deepEqual(linesOf('', object!).slice(1), [
    '  Read "Old".x = Old . x, element Supervision 2',
    '  Read "Old".late = Old . late, element Supervision 2',
    '  Read "Old" = Old, element Supervision 2',
    '  Read "Old".shown = Old . shown, element Supervision 2',
    '  Read "Old".instance = Old . instance, element Supervision 3',
    '  Read %MW2 = , area M start 16 bits 16',
  ])
  assert.equal(renameInXml(supervised('Old'), 'old', 'New one'), supervised('New one'))
})
