import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readSimaticMl, readSimaticMlText } from '../formats/simaticml/read.ts'
import { writeObject } from '../formats/simaticml/write.ts'
import { readSource } from '../formats/source/read.ts'
import { decodeText } from '../model/decode.ts'
import type { ImportedObject, Remanence } from '../model/object.ts'
import { content } from './document.ts'
import { createObject, rename, replaceContent, setNumber } from './edit.ts'
import type { MemberInput } from './input.ts'
import { editMembers } from './members.ts'

const fixtureFolder = new URL('../../test/fixtures/ikea-vyatka-sorting/', import.meta.url)

function fixture(name: string): ImportedObject {
  const bytes = readFileSync(new URL(name, fixtureFolder))
  const objects = name.endsWith('.xml')
    ? readSimaticMl(bytes).objects
    : readSource(decodeText(bytes).text).blocks.map(({ object }) => object)
  assert.equal(objects.length, 1)
  return objects[0] as ImportedObject
}

test('renaming changes the name and nothing else', () => {
  const ladder = fixture('Counter_1.xml')
  const renamed = rename(ladder, 'Zähler <1>')
  assert.equal(renamed.name, 'Zähler <1>')
  assert.equal(renamed.xml, ladder.xml?.replace('<Name>Counter_1</Name>', '<Name>Zähler &lt;1&gt;</Name>'))
  assert.deepEqual(renamed.networks, ladder.networks)
  const adder = fixture('Adder.scl')
  const other = rename(adder, 'Other/1')
  assert.equal(other.text, adder.text?.replace('"Adder"', '"Other/1"'))
  assert.deepEqual({ ...other, text: '', name: '' }, { ...adder, text: '', name: '' })
  assert.throws(() => rename(adder, ' '), /needs a name/)
  assert.throws(() => rename(adder, 'a"b'), /cannot be part of a name/)
  assert.throws(() => rename(adder, 'x'.repeat(126)), /at most 125/)
})

test('the number goes into XML, or beside a source', () => {
  const ladder = setNumber(fixture('Counter_1.xml'), 77)
  assert.equal(ladder.number, 77)
  assert.match(ladder.xml ?? '', /<AutoNumber>false<\/AutoNumber>[\s\S]*<Number>77<\/Number>/)
  const adder = setNumber(fixture('Adder.scl'), 5)
  assert.equal(adder.number, 5)
  assert.equal(adder.text, fixture('Adder.scl').text)
  assert.equal(rename(adder, 'A').number, 5)
  assert.throws(() => setNumber(adder, 0), /from 1 to 65535/)
  assert.throws(() => setNumber(fixture('PlankOnChain.xml'), 3), /has no number/)
})

test('code and sections of a source are replaced in place', () => {
  const adder = fixture('Adder.scl')
  const edited = replaceContent(adder, {
    code: '#Count := 0;\n#new := TRUE;',
    interface: [
      {
        section: 'static',
        members: [
          { name: 'Signal_old', dataType: 'BOOL' },
          { name: 'new', dataType: 'bool', startValue: 'TRUE', comment: 'added' },
        ],
      },
    ],
  })
  assert.equal(edited.networks[0]?.text, '#Count := 0;\n#new := TRUE;')
  assert.deepEqual(
    edited.interface
      .find(({ section }) => section === 'Static')
      ?.members.map(({ name, dataType, startValue, comment }) => [name, dataType, startValue, comment]),
    [
      ['Signal_old', 'Bool', undefined, {}],
      ['new', 'Bool', 'TRUE', { 'en-US': 'added' }],
    ],
  )
  for (const section of ['Input', 'InOut'])
    assert.deepEqual(
      edited.interface.find((entry) => entry.section === section),
      adder.interface.find((entry) => entry.section === section),
    )
  assert.ok(
    edited.text?.startsWith(
      'FUNCTION_BLOCK "Adder"\n{ S7_Optimized_Access := \'FALSE\' }\nVERSION : 0.1\n   VAR_INPUT \n',
    ),
  )
  assert.ok(edited.text?.endsWith('BEGIN\n\t#Count := 0;\n\t#new := TRUE;\nEND_FUNCTION_BLOCK\n\n'))
})

test('CRLF sources stay CRLF', () => {
  const text =
    'FUNCTION "F" : Int\r\n   VAR_INPUT\r\n      a : Int;\r\n   END_VAR\r\nBEGIN\r\n\t#F := 1;\r\nEND_FUNCTION\r\n'
  const object = (readSource(text).blocks[0] as { object: ImportedObject }).object
  const edited = replaceContent(object, {
    code: '#F := 2;\n;',
    interface: [{ section: 'Return', members: [{ name: 'Ret_Val', dataType: 'Real' }] }],
  })
  assert.equal(
    edited.text,
    text
      .replace('" : Int', '" : Real')
      .replace('VAR_INPUT\r', 'VAR_INPUT \r')
      .replace('\t#F := 1;', '\t#F := 2;\r\n\t;'),
  )
})

test('code that would end the block, or input that is no declaration, is refused', () => {
  const adder = fixture('Adder.scl')
  assert.throws(() => replaceContent(adder, { code: 'END_FUNCTION_BLOCK' }))
  const member = (entry: object) => () =>
    replaceContent(adder, { interface: [{ section: 'Temp', members: [{ name: 'x', dataType: 'Int', ...entry }] }] })
  assert.throws(member({ dataType: 'Int; y : Int' }), /is not a data type/)
  assert.throws(member({ startValue: '1; y : Int := 2' }), /is not a start value/)
  assert.throws(member({ name: 'a"b' }), /cannot be part of a name/)
  assert.throws(member({ name: 'a\ud800' }), /cannot be part of a name/, 'half a character cannot be written')
  assert.throws(
    () => replaceContent(adder, { interface: [{ section: 'Statik', members: [] }] }),
    /allowed: None, Base, Input/,
  )
  assert.throws(() => replaceContent(fixture('Counter_1_DB.xml'), { interface: [] }), /that of its type "Counter_1"/)
  assert.throws(() => replaceContent(fixture('Counter_1.xml'), { code: ';' }), /not an SCL block/)
  assert.throws(() => replaceContent(fixture('PlankOnChain.xml'), { code: ';' }))
})

test('code and sections of a SimaticML block are replaced in place', () => {
  const { xml } = writeObject(fixture('FB_Ramp.scl'), { version: 'V17' })
  const block = readSimaticMlText(`<Document><Engineering version="V17"/>${xml}</Document>`)
    .objects[0] as ImportedObject
  const edited = replaceContent(block, {
    code: '#x := "T".y;',
    interface: [
      {
        section: 'Temp',
        members: [{ name: 'x', dataType: 'Array[0..1] of Struct', members: [{ name: 'q', dataType: 'Int' }] }],
      },
    ],
  })
  assert.equal(edited.networks[0]?.text, '#x := "T".y;')
  assert.equal(edited.interface.find(({ section }) => section === 'Temp')?.members[0]?.members[0]?.name, 'q')
  assert.deepEqual(
    edited.interface.find(({ section }) => section === 'Input'),
    block.interface.find(({ section }) => section === 'Input'),
  )
  assert.match(edited.xml ?? '', /StructuredText\/v3"/)
  const ladder = fixture('Counter_1.xml')
  const widened = replaceContent(ladder, {
    interface: [{ section: 'Input', members: [{ name: 'i', dataType: 'Int' }] }],
  })
  assert.deepEqual(widened.networks, ladder.networks)
  assert.deepEqual(
    widened.interface.find(({ section }) => section === 'Static'),
    ladder.interface.find(({ section }) => section === 'Static'),
  )
})

test('blocks are created from a description', () => {
  const fb = createObject({
    name: 'Motor',
    type: 'FB',
    number: 12,
    title: 'a motor',
    interface: [
      { section: 'Input', members: [{ name: 'on', dataType: 'Bool', comment: 'start' }] },
      { section: 'Static', members: [{ name: 's', dataType: 'Struct', members: [{ name: 'a', dataType: 'Real' }] }] },
    ],
    code: 'IF #on THEN\n    #s.a := 1.0;\nEND_IF;',
  })
  assert.deepEqual(
    [fb.kind, fb.number, fb.language, fb.title, fb.memoryLayout],
    ['FB', 12, 'SCL', { 'en-US': 'a motor' }, 'Optimized'],
  )
  assert.equal(fb.networks[0]?.text, 'IF #on THEN\n    #s.a := 1.0;\nEND_IF;')
  assert.equal(fb.interface.find(({ section }) => section === 'Static')?.members[0]?.members[0]?.dataType, 'Real')

  const fc = createObject({
    name: 'F',
    type: 'FC',
    interface: [{ section: 'Return', members: [{ name: 'Ret_Val', dataType: 'Int' }] }],
  })
  assert.match(fc.text ?? '', /^FUNCTION "F" : Int\n/)
  const ob = createObject({ name: 'Cyc', type: 'OB', number: 30, secondaryType: 'CyclicInterrupt' })
  assert.deepEqual([ob.kind, ob.number, ob.secondaryType], ['OB', 30, 'CyclicInterrupt'])
  const db = createObject({
    name: 'D',
    type: 'DB',
    interface: [{ section: 'Static', members: [{ name: 'x', dataType: 'Int', startValue: '5' }] }],
  })
  assert.deepEqual([db.kind, db.interface[0]?.members[0]?.startValue], ['GlobalDB', '5'])
  const instance = createObject({ name: 'M_DB', type: 'DB', instanceOf: 'Motor' })
  assert.deepEqual([instance.kind, instance.instanceOf], ['InstanceDB', 'Motor'])
  const udt = createObject({
    name: 'T',
    type: 'UDT',
    interface: [{ section: 'None', members: [{ name: 'x', dataType: '"U"' }] }],
  })
  assert.deepEqual([udt.kind, udt.interface[0]?.members[0]?.dataType], ['UDT', '"U"'])

  const net =
    '<FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v5"><Parts><Access Scope="GlobalVariable" UId="21"><Symbol><Component Name="x"/></Symbol></Access><Part Name="Coil" UId="22"/></Parts><Wires><Wire UId="23"><Powerrail/><NameCon UId="22" Name="in"/></Wire><Wire UId="24"><IdentCon UId="21"/><NameCon UId="22" Name="operand"/></Wire></Wires></FlgNet>'
  const ladder = createObject({
    name: 'L',
    type: 'FC',
    language: 'lad',
    number: 3,
    networks: [{ title: 'one', xml: net }, { code: '"x" := TRUE;' }, {}],
  })
  assert.deepEqual([ladder.language, ladder.number, ladder.engineeringVersion], ['LAD', 3, 'V19'])
  assert.deepEqual(
    ladder.networks.map(({ language, title, parts, text }) => [language, title, parts[0]?.signal, text]),
    [
      ['LAD', { 'en-US': 'one' }, '"x"', undefined],
      ['SCL', { 'en-US': '' }, undefined, '"x" := TRUE;'],
      ['LAD', { 'en-US': '' }, undefined, undefined],
    ],
  )
  assert.throws(() => createObject({ name: 'G', type: 'FB', language: 'GRAPH' }), /allowed: SCL, LAD, FBD/)
  assert.throws(() => createObject({ name: 'D', type: 'DB', code: ';' }), /has no code/)
})

test('content view', () => {
  const ladder = fixture('Counter_1.xml')
  const view = content(ladder)
  // A whole file, with the root element as it is kept.
  assert.equal(view.rawXml?.startsWith('<?xml version="1.0" encoding="utf-8"?>'), true)
  assert.equal(view.rawXml.includes(ladder.xml ?? '-'), true)
  assert.deepEqual(
    readSimaticMlText(view.rawXml).objects.map(({ name, engineeringVersion }) => [name, engineeringVersion]),
    [[ladder.name, ladder.engineeringVersion]],
  )
  assert.equal(view.sourceText, undefined)
  assert.equal(view.networks[0]?.parts[0]?.signal, '"ALG".start_encoder')
  const gate = view.interface.find(({ name }) => name === 'SW_GATE_timer')
  assert.deepEqual([gate?.section, gate?.members.map(({ name }) => name).includes('PT')], ['Static', true])

  const adder = content(fixture('Adder.scl'))
  assert.equal(adder.rawXml, undefined)
  assert.equal(adder.sourceText, fixture('Adder.scl').text)
  assert.equal(adder.interface.find(({ name }) => name === 'PT')?.comment, 'Пресет счетчика')
  assert.equal(content(fixture('PlankOnChain.xml')).sourceText?.startsWith('TYPE "PlankOnChain"\n'), true)
})

test('only whole members of data are retentive: what is in a structure is so with it', () => {
  const block = (section: string, member: Partial<MemberInput>, type: 'FB' | 'FC' | 'UDT' | 'DB' = 'FB') =>
    createObject({
      name: 'B',
      type,
      interface: [{ section, members: [{ name: 'm', dataType: 'Struct', ...member }] }],
    })
  const inner = (remanence: Remanence) => ({ members: [{ name: 'in', dataType: 'Int', remanence }] })
  assert.throws(() => block('Static', inner('Retain')), /Static\.m\.in: Retain is for a whole member .* for "m"/)
  assert.throws(() => block('Static', { remanence: 'Retain', ...inner('NonRetain') }), /NonRetain .* for "m"/)
  assert.throws(() => block('Temp', { dataType: 'Int', remanence: 'Retain' }), /Temp\.m: Retain is for members of/)
  assert.throws(() => block('Input', { dataType: 'Int', remanence: 'SetInIDB' }, 'FC'), /SetInIDB is for members of/)
  assert.throws(() => block('None', { dataType: 'Int', remanence: 'Retain' }, 'UDT'), /Retain is for members of/)
  const kept = block('Static', { remanence: 'Retain', ...inner('Retain') }, 'DB')
  const [member] = kept.interface.find(({ section }) => section === 'Static')?.members ?? []
  assert.deepEqual([member?.remanence, member?.members[0]?.remanence], ['Retain', undefined])
  assert.doesNotThrow(() => block('Temp', { dataType: 'Int', remanence: 'NonRetain' }, 'FC'))
  const add = (name: string, remanence: Remanence) =>
    editMembers(kept, { kind: 'add', members: [{ name, dataType: 'Int', remanence }] })
  assert.throws(() => add('m.more', 'SetInIDB'), /SetInIDB is for a whole member .* for "m"/)
  assert.match(add('M.more', 'Retain').text ?? '', /VAR RETAIN|RETAIN\s+VAR/)
})

test('of texts in several languages a source takes that of the project: new, replaced, added', () => {
  const comment = { 'de-DE': 'erster', 'en-US': 'first' }
  const options = { culture: 'en-US' }
  const member = { name: 'a', dataType: 'Int', comment }
  const sections = [{ section: 'None', members: [member] }]
  const spec = { type: 'UDT' as const, name: 'T', title: { 'de-DE': 'Typ', 'en-US': 'type' }, interface: sections }
  const created = createObject(spec, options)
  assert.match(created.text ?? '', /TITLE = type\n.*a : Int; {3}\/\/ first\n/s)
  const inner = { name: 's', dataType: 'Struct', comment, members: [member] }
  const replaced = replaceContent(created, { interface: [{ section: 'None', members: [inner] }] }, options)
  assert.match(replaced.text ?? '', /s : Struct {3}\/\/ first\n +a : Int; {3}\/\/ first\n/)
  const block = createObject({ type: 'FB', name: 'B' }, options)
  const added = editMembers(block, { kind: 'add', section: 'Static', members: [{ ...member, name: 'b' }] }, options)
  assert.match(added.text ?? '', /b : Int; {3}\/\/ first\n/)
})
