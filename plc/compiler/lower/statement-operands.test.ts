/**
 * Every statement of STL with operands of every kind: whether it is accepted, and else what is told, each message once
 * (`plc/compiler/fixtures/tables/statements.txt`, testing/recorded-programs.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import { stlInstructions } from '../../languages/stl/mnemonics.ts'
import { scanStlOperand } from '../../languages/stl/operand.ts'
import type { Instance } from '../../model/instance.ts'
import type { Operand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { linkProgram } from '../../program/link-program.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { codeText } from '../../testing/ir-text.ts'
import { isAsRecorded, recordedTags } from '../../testing/recorded-programs.ts'
import { lowerBlock } from './lower-block.ts'

const source = `FUNCTION "None" : Void
{ S7_Optimized_Access := 'FALSE' }
BEGIN
;
END_FUNCTION
FUNCTION "Needs" : Int
{ S7_Optimized_Access := 'FALSE' }
VAR_INPUT
  n : Int;
END_VAR
BEGIN
#Needs := #n;
END_FUNCTION
FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'FALSE' }
VAR_INPUT
  on : Bool;
END_VAR
BEGIN
;
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Pump"
{ S7_Optimized_Access := 'FALSE' }
BEGIN
;
END_FUNCTION_BLOCK
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'FALSE' }
STRUCT
  n : Int;
  list : Array[1..3] of Int;
END_STRUCT;
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Fast"
{ S7_Optimized_Access := 'TRUE' }
STRUCT
  n : Int;
END_STRUCT;
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Motor_DB"
"Motor"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Pump_DB"
"Pump"
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'FALSE' }
VAR_INPUT
  input : Int;
END_VAR
VAR_OUTPUT
  output : Int;
END_VAR
VAR_IN_OUT
  some : Variant;
END_VAR
VAR
  bool : Bool; byte : Byte; word : Word; int : Int; dint : DInt; real : Real; long : LInt; time : Time; text : String[10];
  list : Array[1..3] of Int; motor : "Motor"; timer : TON_TIME; counter : CTU_INT;
END_VAR
VAR CONSTANT
  FIVE : Int := 5;
END_VAR
BEGIN
;
END_FUNCTION_BLOCK
`
const { blocks, faults } = readSource(source)
const program = linkProgram(
  blocks.map(({ object }) => ({ object })),
  [recordedTags],
)

function mainBlock(): ProgramBlock {
  assert.deepEqual(faults, [])
  const main = program.blocks.get('main')
  assert.ok(main)
  return main
}

const listed = (text: string) => text.trim().split(/ {2,}|\n */)

const operands = listed(`
  #bool  #byte  #word  #int  #dint  #real  #long  #time  #text  #list  #list[2]  #list[4]  #motor  #motor.on  #timer
  #timer.Q  #some  #input  #output  #FIVE  #nothing  "Start"  "Speed"  "LAST"  "Delay_T"  "Pieces"  "Nowhere"  "Data"
  "Data".n  "Data".list[2]  "Data".nothing  "Fast"  "Fast".n  "Motor_DB"  "Motor"  "None"  "Needs"  M 1.0  MB 2  MW 4
  MD 8  I 0.1  IW 2  Q 0.3  QB 1  L 0.0  LW 2  PIW 4  PQW 6  DBX 0.1  DBW 0  DIX 0.0  DIW 2  DB1.DBW 0  DB1.DBX 0.1
  DB1.DBW 100  DB2.DBW 0  DB 1  DI 1  DB 99  FC 1  FC 2  FB 9  T 5  C 3  T 5000  MW 20000  5  -5  300  40000  L#100000
  1.5  TRUE  'a'  'abcd'  16#FF  W#16#1234  DW#16#12345678  B#(1,2)  T#5s  S5T#10s  C#100  2#101  D#2024-01-31
  TOD#10:00:00  P#2.0  P#M 10.0  P#DB1.DBX 0.0  P##int  P#"Data".n  P#M 0.0 BYTE 4  M [MD 8]  MW [MD 8]  MW [AR1,P#2.0]
  M [AR2,P#0.1]  W [AR1,P#0.0]  DBW [MD 8]  DBX [AR1,P#0.0]  T [MW 4]  DB [MW 4]  FC [MW 4]  OV  BR  ==0  STW
`)

/** The small words of a message: those that differ in names, types and numbers only are one. */
const wordsOf = (text: string) =>
  text
    .split(' ')
    .filter((word, i) => i === 0 || /^[a-z]+[.,;:]?$/.test(word))
    .join(' ')

test('statements with operands of each kind: what is told of them, and each message once', () => {
  const main = mainBlock()
  const isLocal = (name: string) => main.members.some((member) => member.name === name)
  const scanned = operands.map((text) => {
    const found = scanStlOperand(text, 0, { isLocal })
    assert.equal(found?.end, text.length, text)
    return found.operand
  })
  const openedBlock = scanStlOperand('"Data"', 0)?.operand as Operand
  const seen = new Set<string>()
  const messages: string[] = []
  /** The codes of a statement with each operand. */
  const answers = (mnemonic: string, texts: readonly string[], given: readonly Statement[]): string => {
    // A data block is open.
    const networks = given.map((statement, i) => ({
      number: i + 1,
      title: '',
      language: 'STL',
      statements: [{ mnemonic: 'OPN', operand: openedBlock }, statement],
    }))
    const { diagnostics } = lowerBlock(program, { ...main, networks })
    const groups = new Map<string, string[]>()
    for (const [i, text] of texts.entries()) {
      const of = diagnostics.filter(({ network }) => network === i + 1)
      for (const { code, message, hint = '' } of of) {
        const words = message.startsWith('There is no label') ? code : wordsOf(`${code} ${message} ${hint}`)
        if (!seen.has(words)) messages.push(`${mnemonic} ${text}`, `  ${code} ${message} ${hint}`.trimEnd())
        seen.add(words)
      }
      const codes = of.map(({ code, severity }) => `${code}${severity === 'error' ? '' : '!'}`).join(' ') || 'accepted'
      groups.set(codes, [...(groups.get(codes) ?? []), text])
    }
    return [...groups].map(([codes, all]) => `  ${codes}: ${all.join('  ')}`).join('\n')
  }
  const rows = new Map<string, string[]>()
  for (const { mnemonic } of stlInstructions) {
    const answer = answers(
      mnemonic,
      ['alone', ...operands],
      [{ mnemonic }, ...scanned.map((operand): Statement => ({ mnemonic, operand }))],
    )
    rows.set(answer, [...(rows.get(answer) ?? []), mnemonic])
  }
  const text = [...rows].flatMap(([answer, mnemonics]) => [mnemonics.join('  '), answer])
  isAsRecorded('tables/statements.txt', `${[...text, '', ...messages].join('\n')}\n`)
})

const local = (name: string): Instance => ({ scope: 'LocalVariable', path: [{ name }] })
const global = (name: string): Instance => ({ scope: 'GlobalVariable', path: [{ name }] })
const values = (list: string) =>
  list.split(' ').map((one) => {
    const [name = '', text = ''] = one.split('=')
    const operand = scanStlOperand(text, 0)?.operand
    return operand ? { name, value: operand } : { name }
  })

/** Calls as imports have them. */
const calls: readonly (readonly [target: StatementCall['target'], name: string, rest: Partial<StatementCall>])[] = [
  ['block', 'None', {}],
  ['block', 'NONE', {}],
  ['block', 'None', { parameters: values('n=#int') }],
  ['block', 'None', { parameters: values('RET_VAL=#int') }],
  ['block', 'Needs', { parameters: values('n=5 RET_VAL=#int') }],
  ['block', 'Needs', { parameters: values('N=#int ret_val=#bool') }],
  ['block', 'Needs', { parameters: values('n=#bool') }],
  ['block', 'Needs', { parameters: values('n=') }],
  ['block', 'Needs', { parameters: values('n=5 n=6') }],
  ['block', '', { blockType: 'FC', blockNumber: 1 }],
  ['block', '', { blockType: 'FC', blockNumber: 99 }],
  ['block', 'FC 1', {}],
  ['block', 'fc2', { parameters: values('n=5') }],
  ['block', 'FC 99', {}],
  ['block', 'Nobody', {}],
  ['block', 'Motor', {}],
  ['block', 'Data', {}],
  ['block', 'Motor', { instance: global('Motor_DB'), parameters: values('on=#bool') }],
  ['block', 'Motor', { instance: local('motor'), parameters: values('on=#int') }],
  ['block', 'Motor', { instance: local('motor'), parameters: values('off=#bool') }],
  ['block', 'Motor', { instance: local('nothing') }],
  ['block', 'Motor', { instance: local('int') }],
  ['block', 'Motor', { instance: global('Data') }],
  ['block', 'Motor', { instance: global('None') }],
  ['block', 'Motor', { instance: local('timer') }],
  ['block', 'Motor', { instance: global('Pump_DB') }],
  ['multiInstance', 'motor', { parameters: values('on=#bool') }],
  ['multiInstance', 'timer', { parameters: values('IN=#bool PT=T#1s Q=#bool') }],
  ['multiInstance', 'int', {}],
  ['multiInstance', 'nothing', {}],
  ['instruction', 'TON', { instance: local('timer'), parameters: values('IN=#bool PT=T#1s ET=#time') }],
  ['instruction', 'TON', { instance: local('timer'), parameters: values('IN=#int PT=5 Nothing=#time') }],
  ['instruction', 'TON', { instance: local('nothing') }],
  ['instruction', 'TON', { instance: local('int') }],
  ['instruction', 'TON', { instance: global('Data') }],
  ['instruction', 'TON', { instance: global('None') }],
  ['instruction', 'TON', { instance: local('counter') }],
  ['instruction', 'TON', {}],
  ['instruction', 'LEN', { parameters: values('IN=#text RET_VAL=#int') }],
  ['instruction', 'LEN', { parameters: values('IN=#int') }],
  ['instruction', 'LENN', {}],
  ['instruction', 'WAIT', { parameters: values('WT=5') }],
]

test('calls of blocks and instructions: what is told of them, and their code', () => {
  const rows = ['CALL', 'CC'].flatMap((mnemonic) =>
    calls.flatMap(([target, name, rest]) => {
      const call: StatementCall = { target, name, parameters: [], ...rest }
      const networks = [{ number: 1, title: '', language: 'STL', statements: [{ mnemonic, call }] }]
      const { diagnostics, code } = lowerBlock(program, { ...mainBlock(), networks })
      const { instance, parameters = [], blockType, blockNumber } = rest
      const given = parameters.map((one) => (one.value ? `${one.name}=${operandText(one.value)}` : one.name)).join(' ')
      const parts = [instance && `of ${instance.path[0]?.name}`, blockType && `${blockType} ${blockNumber}`, given]
      return [
        [mnemonic, target, `"${name}"`, ...parts].filter(Boolean).join(' '),
        ...diagnostics.map((one) => `  ${one.code}: ${one.message} ${one.hint ?? ''}`.trimEnd()),
        ...(code ? codeText(code).trimEnd().split('\n').slice(1) : []),
      ]
    }),
  )
  isAsRecorded('tables/statement-calls.txt', `${rows.join('\n')}\n`)
})
