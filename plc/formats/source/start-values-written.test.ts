/** Start values of arrays and constants through sources and SIMATIC SD: kept, or told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportedObject, Subelement } from '../../model/object.ts'
import { readSd } from '../simatic-sd/read.ts'
import { writeSd } from '../simatic-sd/write.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { listedElements } from './initial-values.ts'
import { readSource } from './read.ts'
import { writeSource } from './write-source.ts'

const fb = (members: string) =>
  readSimaticMlText(
    `<Document><SW.Blocks.FB ID="0"><AttributeList><Interface><Sections><Section Name="Input">${members}</Section></Sections></Interface><Name>F</Name><Number>1</Number><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList><ObjectList /></SW.Blocks.FB></Document>`,
  ).objects[0] as ImportedObject
const array = (type: string, values: Readonly<Record<string, string>>) =>
  fb(
    `<Member Name="a" Datatype="${type}">${Object.entries(values)
      .map(([path, value]) => `<Subelement Path="${path}"><StartValue>${value}</StartValue></Subelement>`)
      .join('')}</Member>`,
  )
const elementsOf = ({ interface: sections }: ImportedObject): readonly Subelement[] => {
  const member = sections.flatMap(({ members }) => members).find(({ name }) => name === 'a')
  return member === undefined ? [] : (listedElements(member, []) ?? member.subelements ?? [])
}
const pairs = (object: ImportedObject) => elementsOf(object).map(({ path, startValue }) => `${path}=${startValue}`)

test('arrays of any number of dimensions keep their start values, in whatever order a file has them', () => {
  for (const [type, values] of [
    ['Array[0..1] of Int', { 0: '1', 1: '2' }],
    ['Array[0..1, 1..3] of Int', { '0,1': '1', '0,2': '2', '0,3': '3', '1,1': '4', '1,2': '5', '1,3': '6' }],
    ['Array[-1..0, 0..1, 2..2] of Real', { '-1,0,2': '1.5', '-1,1,2': '2.5', '0,0,2': '3.5', '0,1,2': '4.5' }],
    // A part from the first on, and not sorted.
    ['Array[0..9, 0..1] of Int', { '0,1': '2', '0,0': '1', '1,0': '3' }],
  ] as const) {
    const object = array(type, values)
    const { text, warnings } = writeSource(object, 'en-US') as NonNullable<ReturnType<typeof writeSource>>
    assert.deepEqual(
      warnings.filter((one) => /start value/.test(one)),
      [],
      type,
    )
    assert.deepEqual(pairs(readSource(text).blocks[0]!.object).sort(), pairs(object).sort(), text)
  }
})

test('values with a gap before them have no place in a declaration, which is told', () => {
  const { text, warnings } = writeSource(array('Array[0..1, 0..1] of Int', { '1,1': '4' }), 'en-US')!
  assert.match(text, /a : Array\[0\.\.1, 0\.\.1\] of Int;/)
  assert.match(warnings.join(), /the start value/)
})

test('the value beside a constant is told, where a format has the name alone', () => {
  const constant = (value: string) =>
    fb(`<Member Name="most" Datatype="Int"><StartValue ConstantName="MAX">${value}</StartValue></Member>`)
  const isTold = (warnings: readonly string[]) =>
    warnings.some((one) => /the value that the constant had.*10/.test(one))
  const { content, warnings } = writeSd(constant('10'))
  assert.match(content, /most : Int := _\.MAX;/)
  assert.ok(isTold(warnings), warnings.join())
  assert.equal(readSd(content).blocks[0]?.object.interface[0]?.members[0]?.startValueConstant, 'MAX')
  assert.ok(isTold(writeSource(constant('10'), 'en-US')!.warnings))
  assert.deepEqual(
    writeSd(constant('&quot;MAX&quot;')).warnings.filter((one) => /constant had/.test(one)),
    [],
  )
})
