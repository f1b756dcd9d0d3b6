/** Start values of stored data blocks, as text and as SimaticML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { objectFromXml } from './edit.ts'
import { type StartValue, setStartValues } from './start-values.ts'

/** `motor.speed`, `list[1]`, `grid[0,1][2]`. */
function at(path: string, value: string): StartValue {
  const steps = path.split('.').map((part) => {
    const [name = '', ...indices] = part.split('[')
    return {
      name,
      section: 'Static',
      dataType: 'Int',
      indices: indices.map((index) => index.replace(']', '').split(',').map(Number)),
    }
  })
  return { steps, value }
}

const head =
  'DATA_BLOCK "D"\nVERSION : 0.1\nVAR\n  a : Int := 1; // one\n  "my b" : Int;\n  list : Array[0..2] of Int;\nEND_VAR\n'
const object = (text: string) => readSource(text).blocks[0]!.object

test('an assignment that is there gets the value, others come behind; nothing else in the text changes', () => {
  const text = `${head}BEGIN\n   // first\n   A := 2; list[ 1 ] := 5; (* kept *)\n   list[2] := 6;\nEND_DATA_BLOCK\n`
  const values = [at('a', '7'), at('list[1]', '8'), at('my b', '9'), at('list[0]', '10')]
  assert.equal(
    setStartValues(object(text), values).text,
    `${head}BEGIN\n   // first\n   A := 7; list[ 1 ] := 8; (* kept *)\n   list[2] := 6;\n   "my b" := 9;\n   list[0] := 10;\nEND_DATA_BLOCK\n`,
  )
  assert.equal(setStartValues(object(text), []).text, text)
})

test('a member that is assigned twice gets the value both times: the last counts', () => {
  const text = `${head}BEGIN\n   a := 2;\n   list[1] := 5;\n   "a" := 3;\nEND_DATA_BLOCK\n`
  const changed = setStartValues(object(text), [at('a', '7')])
  assert.equal(changed.text, `${head}BEGIN\n   a := 7;\n   list[1] := 5;\n   "a" := 7;\nEND_DATA_BLOCK\n`)
  assert.equal(changed.interface[0]?.members[0]?.startValue, '7')
})

test('an empty BEGIN, and line ends of Windows', () => {
  const text = `${head}BEGIN\nEND_DATA_BLOCK\n`.replaceAll('\n', '\r\n')
  assert.equal(
    setStartValues(object(text), [at('a', '3')]).text,
    `${head}BEGIN\n   a := 3;\nEND_DATA_BLOCK\n`.replaceAll('\n', '\r\n'),
  )
})

const xml = `<SW.Blocks.GlobalDB ID="0">
    <AttributeList>
      <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
  <Section Name="Static">
    <Member Name="a" Datatype="Int"><StartValue ConstantName="LIMIT">5</StartValue></Member>
    <Member Name="list" Datatype="Array[0..2] of Int"><Subelement Path="1"><StartValue>4</StartValue></Subelement></Member>
    <Member Name="motor" Datatype="&quot;Motor&quot;"><Sections><Section Name="None">
      <Member Name="speed" Datatype="Int"><StartValue Informative="true">3</StartValue></Member>
    </Section></Sections></Member>
    <Member Name="other" Datatype="&quot;Motor&quot;" />
  </Section>
</Sections></Interface>
      <Name>D</Name>
      <Number>1</Number>
      <ProgrammingLanguage>DB</ProgrammingLanguage>
    </AttributeList>
  </SW.Blocks.GlobalDB>`

test('SimaticML: members, elements, and members of a type, which the file may not mention', () => {
  const values = [
    at('a', '7'),
    at('list[1]', '8'),
    at('list[2]', '9'),
    at('motor.speed', '10'),
    at('other.speed', '11'),
  ]
  const { interface: sections } = setStartValues(objectFromXml(xml, 'V19'), values)
  const [a, list, motor, other] = sections.flatMap(({ members }) => members)
  assert.deepEqual([a?.startValue, a?.startValueConstant], ['7', undefined])
  assert.deepEqual(
    list?.subelements?.map(({ path, startValue }) => [path, startValue]),
    [
      ['1', '8'],
      ['2', '9'],
    ],
  )
  const inner = [motor, other].map((one) => one?.sections?.[0]?.members[0])
  assert.deepEqual(
    inner.map((one) => [one?.name, one?.startValue, one?.startValueIsInformative]),
    [
      ['speed', '10', undefined],
      ['speed', '11', undefined],
    ],
  )
})

test('what has no start values of its own is refused', () => {
  const code = object('FUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\n')
  assert.throws(() => setStartValues(code, [at('a', '1')]), /"F" has no start values of its own/)
})

test('an array data block: values of its elements, as text and as SimaticML', () => {
  const text = 'DATA_BLOCK "A"\nArray[0..3, 1..2] of Int\nBEGIN\n   [1, 2] := 5;\nEND_DATA_BLOCK\n'
  const values = [at('[1,2]', '7'), at('[3,1]', '8')]
  const changed = setStartValues(object(text), values)
  assert.equal(changed.text, text.replace('5;\n', '7;\n   [3,1] := 8;\n'))
  const arrayXml = xml
    .replaceAll('SW.Blocks.GlobalDB', 'SW.Blocks.ArrayDB')
    .replace(
      /<Section Name="Static">[\s\S]*<\/Section>\n/,
      '<Section Name="None"><Member Name="A" Datatype="Array[0..3, 1..2] of Int" /></Section>\n',
    )
  const { interface: sections } = setStartValues(objectFromXml(arrayXml, 'V19'), values)
  assert.deepEqual(
    sections[0]?.members[0]?.subelements?.map(({ path, startValue }) => [path, startValue]),
    [
      ['1,2', '7'],
      ['3,1', '8'],
    ],
  )
  const empty = arrayXml.replace(/<Member [^>]*\/>/, '')
  assert.throws(() => setStartValues(objectFromXml(empty, 'V19'), values), /the array data block has no element/)
})
