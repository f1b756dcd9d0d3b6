import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectOf, type StoredDocument } from '../edit/stored-document.ts'
import { renameInSource } from './rename-source.ts'
import { withBareNames, withNames } from './whole-names.ts'

const culture = 'en-US'
const source = (text: string, name: string): StoredDocument => ({ text, format: 'source', kind: 'FC', name, culture })

const scale = `NAMESPACE a.b
FUNCTION "Scale" : Int
VERSION : 0.1
   VAR_INPUT
      x : "Data";
   END_VAR

BEGIN
	#Scale := "Other"(#x.value) + _.c.Other(1);
END_FUNCTION
END_NAMESPACE
`

test('an object gets its whole name and those of what it uses, and the bare ones again', () => {
  const names = ['Scale', 'Data', 'Other'].map((name) => ({ from: name, to: `a.b.${name}` }))
  const whole = withNames(source(scale, 'Scale'), 'a.b.Scale', names)
  assert.equal(whole.name, 'a.b.Scale')
  assert.match(whole.text ?? '', /x : "a\.b\.Data";/)
  assert.match(whole.text ?? '', /#"a\.b\.Scale" := "a\.b\.Other"\(#x\.value\) \+ _\.c\.Other\(1\);/)
  const bare = withBareNames(source(whole.text ?? '', 'a.b.Scale'))
  assert.deepEqual([bare.name, bare.text], ['Scale', scale])
  assert.equal(objectOf(bare).name, 'Scale')
  // Nothing is done to what has no whole names.
  const document = source(scale, 'Scale')
  assert.equal(withBareNames(document), document)
})

test('whole names of SimaticML: called blocks, types, the own name', () => {
  const xml = `<SW.Blocks.GlobalDB ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static"><Member Name="d" Datatype="&quot;Data&quot;" /></Section></Sections></Interface><Name>Values</Name><Namespace>ns</Namespace><Number>1</Number><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB>`
  const document: StoredDocument = { text: xml, format: 'simaticml', kind: 'GlobalDB', name: 'Values', culture }
  const whole = withNames(document, 'ns.Values', [{ from: 'Data', to: 'ns.Data' }])
  assert.match(whole.xml ?? '', /<Name>ns\.Values<\/Name>/)
  assert.match(whole.xml ?? '', /Datatype="&quot;ns\.Data&quot;"/)
  assert.equal(withBareNames({ ...document, name: whole.name, text: whole.xml ?? '' }).text, xml)
})

test('names behind the root of the namespaces are renamed, with what follows them', () => {
  const text = 'FUNCTION "F" : Void\nBEGIN\n\t_.ns.Db.a.Db := _.ns.Db.b + _.other.Db.c + #x.ns.Db;\nEND_FUNCTION\n'
  assert.match(
    renameInSource(text, 'ns.Db', 'ns.Two words'),
    /\t_\.ns\."Two words"\.a\.Db := _\.ns\."Two words"\.b \+ _\.other\.Db\.c \+ #x\.ns\.Db;/,
  )
  assert.equal(renameInSource(text, 'Db.a', 'X'), text)
})

test('rows of a tag table have whole names like all else of their unit, and types', () => {
  const row = (element: string, name: string, type = 'Int') =>
    `<${element} ID="1"><AttributeList><DataTypeName>${type}</DataTypeName><Name>${name}</Name></AttributeList></${element}>`
  const xml = (space: string) =>
    `<SW.Tags.PlcTagTable ID="0"><AttributeList><Name>Tags</Name></AttributeList><ObjectList>${row('SW.Tags.PlcTag', `${space}Start`)}${row(
      'SW.Tags.PlcTag',
      'Stop',
      `&quot;${space}Data&quot;`,
    )}${row('SW.Tags.PlcUserConstant', `${space}LAST`)}</ObjectList></SW.Tags.PlcTagTable>`
  const document: StoredDocument = { text: xml(''), format: 'simaticml', kind: 'TagTable', name: 'Tags', culture }
  const names = ['start', 'LAST', 'Data'].map((from) => ({ from, to: `ns.${from === 'start' ? 'Start' : from}` }))
  assert.equal(withNames(document, undefined, names).xml, xml('ns.'))
  assert.equal(withNames(document, undefined, [{ from: 'Elsewhere', to: 'ns.Elsewhere' }]).xml, xml(''))
  // Tag tables have no namespace of their own: that of their unit says which names are bare.
  const whole = { ...document, text: xml('ns.') }
  assert.equal(withBareNames(whole, 'ns').text, xml(''))
  assert.equal(withBareNames(whole, 'NS.part').text, xml(''))
  assert.equal(withBareNames(whole, 'n'), whole)
  assert.equal(withBareNames(whole), whole)
  const far = { ...document, text: xml('a.b.') }
  assert.equal(withBareNames(far, 'a').text, xml('b.'))
})
