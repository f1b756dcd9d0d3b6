import assert from 'node:assert/strict'
import { test } from 'node:test'
import { structuredTextText } from './structured-text-read.ts'
import { parseXml } from './xml.ts'

/** The SCL of the pieces of a network (docs/formats.md#scl-and-stl-networks). */
const text = (inside: string) => structuredTextText(parseXml(`<StructuredText>${inside}</StructuredText>`))
const access = (scope: string, inside: string) => text(`<Access Scope="${scope}">${inside}</Access>`)
const symbol = (scope: string, ...components: readonly string[]) =>
  access(scope, `<Symbol>${components.join('<Token Text="." />')}</Symbol>`)
const component = (name: string, inside = '', attributes = '') =>
  `<Component Name="${name}" ${attributes}>${inside}</Component>`
const flag = (name: string, value: boolean) => `<BooleanAttribute Name="${name}">${value}</BooleanAttribute>`
const check = (cases: readonly (readonly [found: string, expected: string])[]) =>
  assert.deepEqual(
    cases.map(([found]) => found),
    cases.map(([, expected]) => expected),
  )

test('tokens, blanks, line ends and comments', () => {
  check([
    [text('<Token Text="IF" /><Blank /><Token Text="x" /><Blank Num="3" /><Token />'), 'IF x   '],
    [text('<Token Text="a" /><NewLine /><NewLine Num="2" /><Token Text="b&#xD;&#xA;c&#xD;d" />'), 'a\n\n\nb\nc\nd'],
    [text('<Blank Num="0" /><Blank Num="-1" /><Blank Num="1.5" /><Blank Num="x" /><Token Text="|" />'), '    |'],
    [text('  bare\r\n text  '), 'bare\n text'],
    [text('<LineComment><Text> why</Text><NewLine /></LineComment>'), '// why'],
    [text('<LineComment Inserted="true"><Text> in </Text></LineComment>'), '(* in *)'],
    [text('<LineComment Inserted="true" NoClosingBracket="true"><Text> in</Text></LineComment>'), '(* in'],
    [text('<Comment><MultiLanguageText Lang="en-US">c</MultiLanguageText></Comment>'), '/*c*/'],
    [text('<Comment Inserted="true"><MultiLanguageText Lang="en-US">c</MultiLanguageText></Comment>'), '(/*c*/)'],
    [text('<Comment /><Text>t</Text><Unknown><Token Text="x" /></Unknown>'), '/**/t'],
  ])
  assert.equal(text('<Blank Num="100000" /><Token />').length, 100_000)
  assert.equal(text('<Blank Num="100001" /><Token />').length, 100_000)
})

test('addresses behind a data block or a DB_ANY', () => {
  const offset = (type: string, bits: number) => `<AbsoluteOffset BitOffset="${bits}" Type="${type}" />`
  check([
    [symbol('LocalVariable', component('db'), offset('Word', 32)), '#db.%DBW4'],
    [access('GlobalVariable', `<Symbol>${component('DB')}${offset('Bool', 17)}</Symbol>`), '"DB".%DBX2.1'],
  ])
})

test('names have # or quotes by their scope, unless the element says otherwise', () => {
  check([
    [symbol('LocalVariable', component('a')), '#a'],
    [symbol('LocalVariable', component('a b')), '#"a b"'],
    [symbol('LocalVariable', component('IF')), '#IF'],
    [symbol('LocalVariable', component('a', flag('HasHash', false))), 'a'],
    [symbol('LocalVariable', component('a', flag('HasQuotes', true))), '#"a"'],
    [symbol('GlobalVariable', component('a')), '"a"'],
    [symbol('GlobalVariable', component('a', flag('HasQuotes', false))), 'a'],
    [symbol('GlobalVariable', component('a', flag('HasQuotes', false) + flag('HasHash', true))), '#a'],
    [symbol('Undef', component('a')), 'a'],
    [symbol('Undef', component('IF')), '"IF"'],
    [symbol('GlobalVariable', component('DB'), component('a'), component('a b'), component('%X3')), '"DB".a."a b".%X3'],
    [symbol('GlobalVariable', component('DB'), component('IF')), '"DB".IF'],
    [symbol('Undef', component('&quot;own&quot;')), '"own"'],
    [symbol('LocalVariable', component('w', '', 'SliceAccessModifier="x7"')), '#w.%X7'],
    [symbol('LocalVariable', component('w', '', 'SliceAccessModifier="undef"')), '#w'],
    [symbol('GlobalVariable', component('t', '', 'SimpleAccessModifier="Periphery"')), '"t":P'],
    [symbol('GlobalVariable', component('t', '', 'SimpleAccessModifier="None"')), '"t"'],
    [
      symbol(
        'LocalVariable',
        component(
          'l',
          '<Token Text="[" /><Access Scope="LocalVariable"><Symbol><Component Name="i" /></Symbol></Access><Token Text="]" />',
        ),
      ),
      '#l[#i]',
    ],
  ])
})

test('constants, addresses, labels and expressions', () => {
  const constant = (inside: string, attributes = '') => `<Constant ${attributes}>${inside}</Constant>`
  const value = (of: string) => constant(`<ConstantValue>${of}</ConstantValue>`)
  check([
    [access('LiteralConstant', value('16#FF')), '16#FF'],
    [access('LiteralConstant', constant('')), ''],
    [access('LocalConstant', constant('', 'Name="SIZE"')), '#SIZE'],
    [access('LocalConstant', value('#SIZE')), '#SIZE'],
    [access('LocalConstant', value('a b')), '#"a b"'],
    [access('LocalConstant', constant(flag('HasHash', false), 'Name="SIZE"')), 'SIZE'],
    [access('GlobalConstant', constant('', 'Name="MAX"')), '"MAX"'],
    [access('GlobalConstant', value('&quot;MAX&quot;')), '"MAX"'],
    [access('GlobalConstant', constant(flag('HasQuotes', false), 'Name="MAX"')), 'MAX'],
    [access('Address', '<Address Area="Memory" Type="Word" BitOffset="80" />'), '%MW10'],
    [access('Address', '<Address Area="DB" Type="Bool" BlockNumber="3" BitOffset="17" />'), '%DB3.DBX2.1'],
    [
      access(
        'GlobalVariable',
        '<Symbol><Address Area="DB" Type="Block_DB" BitOffset="2" /><Token Text="." /><Component Name="x" /></Symbol>',
      ),
      '%DB2.x',
    ],
    [access('Label', '<Label Name="end"><Token Text=":" /></Label>'), 'end:'],
    [access('PredefinedVariable', '<PredefinedVariable Name="ENO" />'), 'ENO'],
    [access('Undef', '<DataType>Int</DataType>'), 'Int'],
    [
      access(
        'Undef',
        '<Expression><Token Text="(" /></Expression><Reference><Token Text=")" /></Reference><Token Text=";" />',
      ),
      '();',
    ],
  ])
})

test('calls show their instance, or the block, or the instruction', () => {
  const instance = (scope: string, name: string) => `<Instance Scope="${scope}"><Component Name="${name}" /></Instance>`
  const parameter = (name: string, inside = '') =>
    `<Parameter Name="${name}">${inside}<Token Text=" := 1" /></Parameter>`
  check([
    [
      access(
        'Call',
        `<CallInfo Name="Motor">${instance('GlobalVariable', 'D')}<Token Text="(" />${parameter('on')}<Token Text=")" /></CallInfo>`,
      ),
      '"D"(on := 1)',
    ],
    [access('Call', `<CallInfo Name="Motor">${instance('LocalVariable', 'm')}</CallInfo>`), '#m'],
    [
      access(
        'Call',
        '<CallInfo Name="Scale"><Token Text="(" /><NamelessParameter><Token Text="5" /></NamelessParameter><Token Text=")" /></CallInfo>',
      ),
      '"Scale"(5)',
    ],
    [
      access(
        'Call',
        `<Instruction Name="TON">${instance('GlobalVariable', 'T')}<TemplateValue Name="x">Time</TemplateValue></Instruction>`,
      ),
      '"T".TON',
    ],
    [access('Call', '<Instruction Name="ABS"><Token Text="(" /></Instruction>'), 'ABS('],
    [access('Call', `<Instruction>${instance('LocalVariable', 'x')}</Instruction>`), '#x'],
    [
      access(
        'Call',
        `<CallInfo><Token Text="(" />${parameter('a b')}${parameter('c', flag('HasQuotes', true))}</CallInfo>`,
      ),
      '("a b" := 1"c" := 1',
    ],
  ])
})
