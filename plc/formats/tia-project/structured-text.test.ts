import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseXml } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { readStructuredText } from './structured-text.ts'

const operands: Readonly<Record<string, object>> = {
  51: { kind: 'label', name: 'Ready' },
  52: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'Wait' }] },
  53: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name: 'Axis 1' }] },
  55: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'list' }, { name: 'my value' }] },
  56: { kind: 'constant', scope: 'GlobalConstant', name: 'LIMIT' },
}
const identifiers = {
  operand: (id: string | undefined) => operands[id ?? ''],
  name: (id: string | undefined) => (id === '61' ? 'Valve' : undefined),
} as unknown as Identifiers

const source = (statements: string) =>
  parseXml(
    `<SCLSource><Symbols><Label SymID="66" RefId="51"/><Instance SymID="1" RefId="52"/><InstanceFBT SymID="2" RefId="53"/>
     <Instance SymID="3" RefId="54" Name="Lost"/></Symbols><RootStatements>${statements}</RootStatements></SCLSource>`,
  )

test('a label is printed where it stands and behind GOTO', () => {
  const text = `<Statement TE="GOTO" SI="STGOT"><BL/><SymLa SyId="66"/><FiSt/></Statement><NL/>
    <Label SyId="66"><Colon/></Label><NL/><FiSt/>`
  assert.deepEqual(readStructuredText(source(text), identifiers), { text: 'GOTO Ready;\nReady:\n;', problems: [] })
})

test('a label without a name is told', () => {
  const { problems } = readStructuredText(source('<Label SyId="67"><Colon/></Label>'), identifiers)
  assert.deepEqual(problems, ['the name of a label (67) is not in the identifiers'])
})

test('an instance is a member or a data block, as its identifier says; an unknown one is told', () => {
  const { text, problems } = readStructuredText(
    source('<SymVa SyId="1"/><NL/><SymVa SyId="2"/><NL/><SymVa SyId="3"/>'),
    identifiers,
  )
  assert.equal(text, '#Wait\n"Axis 1"\nLost')
  assert.deepEqual(problems, ['a symbol of the kind Instance is not understood'])
})

test('assignments with an operation, and powers', () => {
  const { text } = readStructuredText(source('<OpPlAs/><OpMinAs/><OpMulAs/><OpPo/>'), identifiers)
  assert.equal(text, '+=-=*=**')
})

const sourceOf = (symbols: string, statements: string) =>
  parseXml(`<SCLSource><Symbols>${symbols}</Symbols><RootStatements>${statements}</RootStatements></SCLSource>`)
const read = (symbols: string, statements: string) => readStructuredText(sourceOf(symbols, statements), identifiers)

test('blanks, line ends and comments are as they were written', () => {
  assert.deepEqual(
    read(
      '',
      '<Statement TE="IF"><BL NumBLs="3"/><LC TE=" why"/><NL/><BC/><BCL TE=" one"/><NL/><BCL TE="two "/><BCE/><LC/></Statement>',
    ),
    { text: 'IF   // why\n(* one\ntwo *)//', problems: [] },
  )
  assert.deepEqual(read('', '<BL/><KwTHEN/><Expression ODN="X1"/><Param/>'), { text: ' THENX1', problems: [] })
  assert.deepEqual(read('', '<New/>').problems, ['the token New is not understood'])
  assert.deepEqual(read('', '<New SI="VarElem"/><SymVa SI="VarElem" TE="x"/>'), { text: 'x', problems: [] })
  assert.equal(read('', '<BL NumBLs="1000000"/>').text.length, 10_000)
})

test('symbols are written with # or quotes by where they are declared', () => {
  const table = `<LocalVariable SymID="1" RefId="52"/><MultiInstance SymID="2" RefId="52"/><GlobalVariable SymID="3" RefId="53"/>
    <DBBlock SymID="4" RefId="53"/><TagConstant SymID="5" RefId="56"/><FCBlock SymID="6" RefId="61"/>
    <FBBlock SymID="7" Name="Fill_x0020_up"/><LiteralConst SymID="8" Name="T_x0023_5s" OrigInputName="t_x0023_5s"/>
    <LiteralConst SymID="9" Name="5"/><LocalVariable SymID="10" Name="my_x0020_own"/><LocalVariable SymID="11"/>`
  const text = (id: number) => read(table, `<SymVa SyId="${id}"/>`).text
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(text), [
    '#Wait',
    '#Wait',
    '"Axis 1"',
    '"Axis 1"',
    '"LIMIT"',
    '"Valve"',
    '"Fill up"',
    't#5s',
    '5',
    '#"my own"',
  ])
  assert.deepEqual(read(table, '<SymVa SyId="11"/><SymDB SyId="12"/><Sub/>'), {
    text: '',
    problems: [
      'the name of a symbol (LocalVariable) is not in the identifiers',
      'a symbol (12) is not in the table of symbols',
      'a symbol (undefined) is not in the table of symbols',
    ],
  })
})

test('a member is the last name of its path, after the dot; a constant index has its #', () => {
  const table = '<LocalVariable SymID="1" RefId="55"/><LocalVariable SymID="2"/>'
  assert.equal(read(table, '<SymVa SyId="1"/><Dot/><SymVa SyId="1"/>').text, '#list."my value"')
  assert.equal(read(table, '<Dot/><SymVa SyId="1" Deco="A=True"/>').text, '.#"my value"')
  assert.equal(read(table, '<Dot/><SymVa SyId="1" Deco="True=A"/>').text, '."my value"')
  assert.deepEqual(read(table, '<Dot/><SymVa SyId="2"/>').problems, ['the name of a member is not in the identifiers'])
})

test('parameters have their names; one that was not written has none', () => {
  assert.equal(read('', '<SymPa V="1" FormalName="IN_x0031_"/><OpAs/>').text, 'IN1:=')
  assert.equal(read('', '<SymPa V="0" FormalName="IN"/>').text, '')
})

test('an instruction has its name; a conversion that of its two types', () => {
  const table = '<Instruction SymID="1" Name="ABS"/><Instruction SymID="2" Name="CONVERT"/>'
  const call = (id: number, attributes = '') => read(table, `<SymVa SyId="${id}" ${attributes}/>`)
  assert.deepEqual(call(1), { text: 'ABS', problems: [] })
  const deco = `Deco="Template0='src_type 33554439,DInt,DInt' Template1='dest_type 33554440,Real,Real'"`
  assert.deepEqual(call(2, deco), { text: 'DINT_TO_REAL', problems: [] })
  assert.deepEqual(call(2, 'Template0="src_type Int" Template1="Real"'), { text: 'INT_TO_REAL', problems: [] })
  assert.deepEqual(call(2, 'Template0="src_type Int"'), {
    text: 'CONVERT',
    problems: ['a conversion without its types'],
  })
})

test('every fixed token is the word or sign of SCL that it is named after', () => {
  const pairs =
    'OpAs := OpPa => FiSt ; BracO ( BracC ) BoxO [ BoxC ] Dot . Comma , Colon : OpPl + OpMi - OpMu * OpDi / OpG > OpL < OpE = ' +
    'OpU <> OpLE <= OpGE >= OpAAND & OpAND AND OpOR OR OpNOT NOT OpXOR XOR OpMod MOD OpMOD MOD LDots .. KwTHEN THEN ' +
    'KwELSE ELSE KwELSIF ELSIF KwENDIF END_IF KwTO TO KwBY BY KwDO DO KwENDFOR END_FOR KwOF OF KwENDC END_CASE ' +
    'KwEndRegion END_REGION KwENDW END_WHILE KwENDR END_REPEAT KwUNTIL UNTIL'
  const words = pairs.split(' ')
  for (let i = 0; i < words.length; i += 2) assert.equal(read('', `<${words[i]}/>`).text, words[i + 1], words[i])
})
