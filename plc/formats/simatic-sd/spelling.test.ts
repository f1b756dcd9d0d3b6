/** How names, types, operands, literals and statements are spelled in SIMATIC SD, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import { systemTypeVersion } from '../../model/system-type-version.ts'
import { literalTypeByForm, typedLiteral } from './literal-types.ts'
import { sdName, sdOperand, typeFromSd, typeToSd } from './names.ts'
import { withoutIndentation } from './scl-text.ts'
import { textIdsOf, withTextIds } from './text-ids.ts'

const names = [
  ...[
    'Motor',
    'motor_1',
    '_x',
    '1st',
    'a b',
    'ä',
    'a-b',
    'IF',
    'if',
    'Int',
    'DTL',
    'A',
    'i',
    'M',
    'S',
    'H',
    'j',
    'n',
    'Z',
  ],
  ...['EN', 'ENO', 'RUNG', 'WIRE', 'End_Network', 'VAR_GLOBAL', 'OB', 'fb', 'DB', 'DI', 'UDT', 'ABS', 'TON', 'true'],
]
const types = [
  ...[
    'Int',
    'Struct',
    'Array[0..1] of Struct',
    '"Motor"',
    '"a b"',
    'Array[0.."MAX"] of "UDT_x"',
    'Array["LOW".."HIGH", 1..2] of Int',
  ],
  ...[
    'REF_TO "Motor"',
    'String["SIZE"]',
    '"IF"',
    '_.hall.Motor',
    'Array[0..1] of _.hall.Motor',
    'Array[#MIN..#MAX] of Real',
  ],
]
const spelled = [
  ...[
    '_.Motor',
    '_."a b"',
    '_.hall.Motor',
    '_.hall."a b"',
    'Array[0.._.MAX] of _.UDT_x',
    'Array[_.LOW.._.HIGH, 1..2] of Int',
  ],
  ...['a_.b', '"_.x"', 'Struct', 'STRING[_.SIZE]', '_.ä', 'REF_TO _.Motor'],
]
const system = [
  'DTL',
  'dtl',
  'IEC_TIMER',
  'TON',
  'TON_TIME',
  'TON_LTIME',
  'CTUD_ULINT',
  'CTU_REAL',
  'R_TRIG',
  'Array[0..1] of TP',
  'Int',
  '"DTL"',
]
const operands = [
  ...[
    '#a',
    '#"a b"',
    '#if',
    '#A',
    '#motor.speed',
    '#motor.I',
    '"Data"',
    '"Data".x',
    '"Data"."a b".if[1, #i].Int',
    '#w.%X3',
    '#w.%b1',
  ],
  ...[
    '%MW4',
    '%I0.1',
    '%I0.1:P',
    '"In":P',
    '#list["Data".i].x',
    '%DB5.DBW2',
    '5',
    'T#1s',
    "'a'",
    '"Colour"#RED',
    '%T5',
    '%DB7',
  ],
]
const literals = [
  ...[
    'TRUE',
    'false',
    '16#0',
    '16#FF',
    '16#1_00',
    '16#1_0000',
    '16#FFFF_FFFF',
    '16#1_0000_0000',
    '2#1111_1111',
    '2#1_0000_0000',
    '8#7777',
  ],
  ...[
    '0',
    '-32768',
    '32767',
    '32768',
    '-32769',
    '2147483647',
    '2147483648',
    '-2147483648',
    '-2147483649',
    '+5',
    '1_000',
  ],
  ...['1.5', '-1.0E3', '1e5', "'a'", "'ab'", "''", "'abc'"],
]
const typed = [
  ...([
    '5:Int',
    '5:Real',
    '70000:Int',
    '1:Bool',
    '2:Bool',
    'TRUE:Bool',
    '16#FF:Byte',
    '16#FFF:Byte',
    "'a':Char",
    "'ab':String[20]",
  ] as const),
  ...(['P#DB1.DBX0.0:Any', 'P#M0.0:Variant', 'P#M0.0:Int', 'P#M0.0:', '5:', '1.5:LReal', '1.5:Int'] as const),
]

test('names, types, operands and literals', () => {
  const lines = [
    ...names.map((name) => `name ${name}: ${sdName(name)}`),
    ...types.map(
      (type) =>
        `type ${type}: ${typeToSd(type)}${typeFromSd(typeToSd(type)) === type ? '' : `, read as ${typeFromSd(typeToSd(type))}`}`,
    ),
    ...spelled.map((type) => `read ${type}: ${typeFromSd(type)}`),
    ...system.map((type) => `version of ${type}: ${systemTypeVersion(type)}`),
    ...operands.map((text) => `operand ${text}: ${sdOperand(parseOperand(text)!)}`),
    ...literals.map((text) => `literal ${text}: ${literalTypeByForm(text)}`),
    ...typed.map((text) => {
      const [value = '', type] = text.split(':')
      const literal = typedLiteral({ kind: 'literal', scope: 'LiteralConstant', value }, type === '' ? undefined : type)
      return `literal ${value} at a pin of ${type || 'no known type'}: ${literal.type} (${literal.scope})`
    }),
    `a literal that has its type: ${typedLiteral({ kind: 'literal', scope: 'LiteralConstant', value: '5', type: 'DInt' }, 'Int').type}`,
    `a time: ${typedLiteral({ kind: 'literal', scope: 'TypedConstant', value: 'T#1s' }, 'Int').type}`,
  ]
  assertRecorded(import.meta.url, 'spelling.txt', `${lines.join('\n')}\n`)
})

test('statements lose the indentation of the file, and nothing else', () => {
  const cases: readonly (readonly [body: string, text: string])[] = [
    ['', ''],
    [' #a := 1; ', '#a := 1;'],
    ['\n        #a := 1;\n    ', '#a := 1;'],
    ['\r\n        #a := 1;\r\n            #b := 2;\r\n    ', '#a := 1;\n    #b := 2;'],
    ['\r        #a := 1;\r    ', '#a := 1;'],
    // Less than TIA Portal indents: what all lines have.
    ['\n      #a := 1;\n        #b := 2;\n    ', '#a := 1;\n  #b := 2;'],
    ['\n\t#a := 1;\n\t\t#b := 2;\n', '#a := 1;\n\t#b := 2;'],
    ['\n\t#a := 1;\n    #b := 2;\n', '\t#a := 1;\n    #b := 2;'],
    ['\n#a := 1;\n    #b := 2;\n', '#a := 1;\n    #b := 2;'],
    // More than that belongs to the statements.
    ['\n            #a := 1;\n    ', '    #a := 1;'],
    ['\n        #a := 1;\n\n  \n          \n        #b := 2;\n    ', '#a := 1;\n\n\n  \n#b := 2;'],
    ['\n        // only a comment\n    ', '// only a comment'],
    ['\n    ', ''],
    ['\n\n\n    ', '\n'],
    // The first statement is behind NETWORK.
    [' #a := 1;\n        #b := 2;\n    ', '#a := 1;\n       #b := 2;'],
  ]
  for (const [body, text] of cases) {
    const made = withoutIndentation(body)
    assert.equal(made.text, text, JSON.stringify(body))
    const first = made.text.split('\n')[0] ?? ''
    assert.equal(body.slice(made.at, made.at + first.length), first, `${JSON.stringify(body)} begins at ${made.at}`)
    // What each line has more in the file.
    const inFile = body.replace(/\r\n?/g, '\n').split('\n')
    for (const line of made.text.split('\n').filter((one) => one.trim() !== ''))
      assert.ok(
        inFile.some((one) => one.slice(made.indent).trimEnd() === line.trimEnd() || one.trim() === line),
        line,
      )
  }
  assert.deepEqual(
    ['\n        #a := 1;\n    ', '\n  #a := 1;\n', ' #a := 1;'].map((body) => withoutIndentation(body).indent),
    [8, 2, 0],
  )
  assert.deepEqual(
    ['', '\n', '\r\n    ', '\n\n    ', '\n  #a := 1;\n', '  #a := 1;', '\r\n        #a;\r\n    '].map(
      (body) => withoutIndentation(body).at,
    ),
    [0, 1, 2, 1, 3, 2, 10],
  )
})

test('ids of texts are kept in the document, and are no others than those that were written', () => {
  const ids = new Map([
    ['title', 'MLC_4En'],
    ['network:1.comment', 'MLC_a_1'],
    ['a--b', 'MLC_9'],
  ])
  const xml = '<A><B /></A>'
  const kept = withTextIds(xml, ids)
  assert.equal(
    kept,
    '<A><B /><!-- SIMATIC SD texts: {"title":"MLC_4En","network:1.comment":"MLC_a_1","a\\u002d\\u002db":"MLC_9"} --></A>',
  )
  assert.deepEqual(textIdsOf(kept), ids)
  assert.equal(withTextIds(xml, new Map()), xml)
  assert.equal(withTextIds('<A />', ids), '<A />')
  assert.deepEqual(textIdsOf(xml), new Map())
  assert.deepEqual(textIdsOf('<A><!-- SIMATIC SD texts: {"a":"MLC_1"}</A>'), new Map())
  assert.deepEqual(textIdsOf('<A><!-- SIMATIC SD texts: {"a":} --></A>'), new Map())
  assert.deepEqual(
    textIdsOf('<A><!-- SIMATIC SD texts: {"a":"MLC_1","b":5,"c":"x","d":"MLC_2 "} --></A>'),
    new Map([['a', 'MLC_1']]),
  )
})
