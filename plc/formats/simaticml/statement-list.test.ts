import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FormatError } from '../../model/fault.ts'
import type { Statement } from '../../model/statement.ts'
import { statement } from '../../testing/stl.ts'
import { readStatementList } from './statement-list-read.ts'
import { writeStatementList } from './statement-list-write.ts'
import { parseXml, XmlFaults } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

const namespace = 'http://www.siemens.com/automation/Openness/SW/NetworkSource/StatementList/v5'

function list(content: string): string {
  return `<StatementList xmlns="${namespace}">\n${content}\n</StatementList>`
}

function read(xml: string) {
  const faults = new XmlFaults(xml)
  const { statements, text } = readStatementList(parseXml(xml), faults)
  return { statements, text, faults: faults.faults.map(({ line, path, message }) => ({ line, path, message })) }
}

function write(statements: readonly Statement[]): string {
  const writer = new XmlWriter()
  writeStatementList(writer, statements, { version: 'V21' })
  return writer.toString()
}

/** Removes what may differ: white space between elements and UIds. */
function plain(xml: string): string {
  return xml.replace(/>\s+</g, '><').replace(/ UId="\d+"/g, '')
}

const local = (name: string) => `<Access Scope="LocalVariable"><Symbol><Component Name="${name}" /></Symbol></Access>`

/** Lines as TIA Portal V16 and V20 export them, and others that the schema allows. */
const lines: readonly (readonly [xml: string, text: string])[] = [
  [`<StlToken Text="A" />${local('start')}`, 'A #start;'],
  [`<StlToken Text="Assign" />${local('run')}`, '= #run;'],
  [
    '<StlToken Text="L" /><Access Scope="GlobalVariable"><Symbol><Component Name="Data" /><AbsoluteOffset BitOffset="32" Type="Word" /></Symbol></Access>',
    'L "Data".DBW4;',
  ],
  ['<StlToken Text="JNB" /><Access Scope="Label"><Label Name="FS" /></Access>', 'JNB FS;'],
  ['<LabelDeclaration><Label Name="FS" /></LabelDeclaration><StlToken Text="NOP_0" />', 'FS: NOP 0;'],
  ['<StlToken Text="EMPTY_LINE" />', ''],
  ['<LineComment Inserted="false"><Text>A</Text></LineComment><StlToken Text="COMMENT" />', '//A'],
  ['<StlToken Text="SET" /><LineComment Inserted="false"><Text> on</Text></LineComment>', 'SET; // on'],
  [
    '<StlToken Text="L" /><Access Scope="TypedConstant"><Constant><ConstantValue>S5T#5S</ConstantValue></Constant><LineComment Inserted="false"><Text>time</Text></LineComment></Access>',
    'L S5T#5S; //time',
  ],
  [
    '<StlToken Text="OnDelay" /><Access Scope="Address"><Address Area="Timer" Type="Timer" BitOffset="5" /></Access>',
    'SD %T5;',
  ],
  [
    '<StlToken Text="OPEN_DI" /><Access Scope="Address"><Address Area="DI" Type="Block_DB" BitOffset="7" /></Access>',
    'OPNDI %DI7;',
  ],
  [
    '<StlToken Text="L" /><Access Scope="Address"><Indirect Width="Word" Area="Memory"><Access Scope="LocalVariable"><Symbol><Component Name="p" /></Symbol></Access></Indirect></Access>',
    'L MW[#p];',
  ],
  [
    '<StlToken Text="T" /><Access Scope="Address"><Indirect Width="Double" Area="DB" Register="AR1" BitOffset="34" /></Access>',
    'T DBD[AR1,P#4.2];',
  ],
  ['<StlToken Text="A" /><Access Scope="Statusword"><Statusword Combination="OV" /></Access>', 'A OV;'],
  ['<StlToken Text="LAR1_AR2" />', 'LAR1 AR2;'],
  ['<StlToken Text="TAR1_ACCU1" />', 'TAR1;'],
  ['<StlToken Text="LAR1" /><Access Scope="AddressConstant"><Constant Name="x" /></Access>', 'LAR1 P#x;'],
  [
    `<StlToken Text="CALL" /><Access Scope="Call"><CallInfo Name="Motor" BlockType="FB"><IntegerAttribute Name="BlockNumber" Informative="true">7</IntegerAttribute><Instance Scope="GlobalVariable"><Component Name="M_DB" /></Instance><Parameter Name="on" Section="Input" Type="Bool">${local('a')}</Parameter><Parameter Name="q" Section="Output" Type="Bool" /></CallInfo></Access>`,
    'CALL "Motor" , "M_DB"\n(  on                          := #a , \n   q                           := \n);',
  ],
  [
    '<StlToken Text="CALL" /><Access Scope="Call"><CallInfo BlockType="FB"><Instance Scope="LocalVariable"><Component Name="inst" /></Instance></CallInfo></Access>',
    'CALL #inst;',
  ],
  [
    `<StlToken Text="CALL" /><Access Scope="Call"><Instruction Name="CompType" Version="1.0"><TemplateValue Name="src_type" Type="Type">Variant</TemplateValue><TemplateValue Name="relation" Type="Operation">Eq</TemplateValue><Parameter Name="IN1">${local('v')}</Parameter></Instruction></Access>`,
    "CALL CompType\n{src_type := 'Variant', relation := 'Eq'}\n(  IN1                         := #v\n);",
  ],
]

for (const [xml, text] of lines)
  test(`${text.split('\n')[0] || 'a blank line'} is read and written without loss`, () => {
    const whole = list(`<StlStatement UId="21">${xml}</StlStatement>`)
    const { statements, text: shown, faults } = read(whole)
    assert.deepEqual(faults, [])
    assert.equal(statements.length, 1)
    assert.equal(statements[0]?.kept, undefined)
    assert.equal(shown.trimEnd(), text)
    assert.equal(plain(write(statements)), plain(whole))
  })

test('statements are numbered from 21, operands take a number too', () => {
  const xml = write([{ mnemonic: 'A', operand: { kind: 'label', name: 'x' } }, { mnemonic: '' }, { mnemonic: 'SET' }])
  assert.deepEqual(
    [...xml.matchAll(/UId="(\d+)"/g)].map(([, uId]) => uId),
    ['21', '23', '24'],
  )
})

/** Forms that the model does not interpret. */
const keptXml = [
  '<StlToken Text="A"><IntegerAttribute Name="NumBLs" Informative="true">5</IntegerAttribute></StlToken><Access Scope="LocalVariable"><IntegerAttribute Name="NumBLs" Informative="true">2</IntegerAttribute><Symbol><Component Name="a" /></Symbol></Access>',
  '<LineComment Inserted="true"><Text>first</Text></LineComment><StlToken Text="SET" />',
  '<Comment><MultiLanguageText Lang="de-DE">eins</MultiLanguageText></Comment><StlToken Text="COMMENT" />',
  '<StlToken Text="COMMENT" />',
  '<LineComment Inserted="false"><Text>x</Text></LineComment><StlToken Text="EMPTY_LINE" />',
  '<LabelDeclaration><Label Name="M1" /><Token Text=":" /></LabelDeclaration><StlToken Text="SET" /><NewLine />',
  '<StlToken Text="NOP_0"><Blank /><Token Text="0" /></StlToken>',
  `<StlToken Text="CALL" /><Access Scope="Call"><CallInfo Name="F" BlockType="FC"><DateAttribute Name="ParameterModifiedTS" Informative="true">2020-01-01T00:00:00</DateAttribute><Parameter Name="a" Informative="true">${local('a')}<LineComment Inserted="false"><Text>c</Text></LineComment></Parameter></CallInfo></Access>`,
]

test('what is not interpreted stays where it stood', () => {
  for (const xml of keptXml) {
    const whole = list(`<StlStatement Future="1">${xml}</StlStatement>`)
    const { statements, faults } = read(whole)
    assert.deepEqual(faults, [])
    assert.equal(plain(write(statements)), plain(whole))
    assert.deepEqual(read(write(statements)).statements, statements)
  }
})

test('comments that are kept are shown', () => {
  const { text } = read(list(`<StlStatement>${keptXml[2]}</StlStatement><StlStatement>${keptXml[1]}</StlStatement>`))
  assert.equal(text, '//eins\nSET; //first')
})

test('the status word of V14 has no instruction of its own any more', () => {
  const { statements, text } = read(list('<StlStatement><StlToken Text="L_STW" /></StlStatement>'))
  assert.equal(text, 'L STW;')
  assert.match(
    write(statements),
    /<StlToken Text="L" \/>\s*<Access Scope="Statusword">\s*<Statusword Combination="STW" \/>/,
  )
})

test('faults have line and path', () => {
  const { faults } = read(
    list(
      [
        '<StlStatement><StlToken Text="=" /></StlStatement>',
        '<StlStatement />',
        '<Token Text="A" />',
        `<StlStatement><StlToken Text="A" /><Access Scope="Nowhere"><Symbol><Component Name="a" /></Symbol></Access></StlStatement>`,
        `<StlStatement><StlToken Text="CALL" /><Access Scope="Call"><CallInfo Name="F"><Parameter Name="a" /><Parameter Name="A" /></CallInfo></Access></StlStatement>`,
        '<StlStatement><StlToken Text="CALL" /><Access Scope="Call"><CallInfo Name="F" BlockType="?" /></Access></StlStatement>',
      ].join('\n'),
    ),
  )
  assert.deepEqual(
    faults.map(({ line, path, message }) => [line, path, message.slice(0, 60)]),
    [
      [2, '/StatementList/StlStatement[1]/StlToken', 'StlToken has the unknown Text "="; the name of that instruct'],
      [3, '/StatementList/StlStatement[2]', 'a StlStatement needs a <StlToken>; an empty line has Text="E'],
      [4, '/StatementList/Token', '<Token> cannot stand in a StatementList; allowed: StlStateme'],
      [5, '/StatementList/StlStatement[3]/Access', 'Access has the unknown scope "Nowhere"; allowed: Undef, Glob'],
      [6, '/StatementList/StlStatement[4]/Access/CallInfo', 'a CallInfo needs the attribute BlockType, FB or FC'],
      [6, '/StatementList/StlStatement[4]/Access/CallInfo/Parameter[2]', 'the call gives parameter A twice'],
      [
        7,
        '/StatementList/StlStatement[5]/Access/CallInfo',
        'CallInfo has the unknown BlockType "?"; FB or FC is wanted',
      ],
    ],
  )
})

test('a word that is no instruction cannot be written', () => {
  assert.throws(
    () => write([{ mnemonic: 'A(' }, { mnemonic: 'XYZ' }]),
    (error: unknown) => error instanceof FormatError && /statement 2: "XYZ"/.test(error.faults[0]?.message ?? ''),
  )
})

test('property: statements survive the way to SimaticML and back', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 10 }), (statements) => {
      // XML has no characters below blank; parsers turn CR into LF.
      const xml = write(statements)
      const again = read(xml)
      assert.deepEqual(again.faults, [])
      if (!xml.includes('\ufffd')) assert.deepEqual(again.statements, statements)
    }),
    { numRuns: 300 },
  )
})
