/** Blocks whose networks are in SCL keep their language, and title and comment of each network, in every format. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportedObject } from '../model/object.ts'
import { importFile } from './import.ts'
import { importSd } from './simatic-sd/import.ts'
import { writeResources } from './simatic-sd/resources.ts'
import { writeSd } from './simatic-sd/write.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { writeSource } from './source/write-source.ts'

const statements =
  '<StructuredText xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/StructuredText/v3">' +
  '<Text UId="21">// sets nothing</Text><NewLine UId="22" /><Text UId="23">;</Text></StructuredText>'

type Texts = readonly [title: string, comment: string, source?: string]

/** A function with a network in SCL for each pair of texts. */
function functionOf(language: string, networks: readonly Texts[]): ImportedObject {
  const text = (kind: string, value: string) =>
    `<MultilingualText ID="1" CompositionName="${kind}"><ObjectList><MultilingualTextItem ID="2" CompositionName="Items">` +
    `<AttributeList><Culture>en-US</Culture><Text>${value}</Text></AttributeList></MultilingualTextItem></ObjectList></MultilingualText>`
  const units = networks.map(
    ([title, comment, source = statements]) =>
      '<SW.Blocks.CompileUnit ID="3" CompositionName="CompileUnits"><AttributeList>' +
      `<NetworkSource>${source}</NetworkSource><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList>` +
      `<ObjectList>${text('Comment', comment)}${text('Title', title)}</ObjectList></SW.Blocks.CompileUnit>`,
  )
  const [object] = readSimaticMlText(
    '<Document><SW.Blocks.FC ID="0"><AttributeList><AutoNumber>true</AutoNumber><Interface>' +
      '<Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5" /></Interface>' +
      `<Name>F</Name><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList>` +
      `<ObjectList>${units.join('')}</ObjectList></SW.Blocks.FC></Document>`,
  ).objects
  return object as ImportedObject
}

const filled = (text: ImportedObject['title']) => Object.entries(text).filter(([, value]) => value !== '')

function contentOf({ language, networks }: ImportedObject) {
  const content = networks.map((one) => [
    one.number,
    one.language,
    filled(one.title),
    filled(one.comment),
    one.text ?? '',
  ])
  return { language, content }
}

const blocks: readonly ImportedObject[] = [
  functionOf('SCL', [["It's $N a 'title'", 'two\nlines']]),
  functionOf('SCL', [['', 'only a comment']]),
  functionOf('SCL', [
    ['One', ''],
    ['', ''],
    ['Three', 'its comment'],
  ]),
  functionOf('LAD', [['One', 'its comment']]),
  functionOf('FBD', [['', '']]),
  functionOf('LAD', [
    ['Empty', '', ''],
    ['', 'only a comment'],
    ['', '', ''],
  ]),
  functionOf('FBD', []),
]

test('networks in SCL and the language of their block survive a source', async () => {
  for (const object of blocks) {
    const { text, warnings } = writeSource(object, 'en-US') ?? { text: '', warnings: [] }
    assert.deepEqual(warnings, [], text)
    const { objects, faults } = await importFile(Buffer.from(text), { path: 'F.scl', culture: 'en-US' })
    assert.deepEqual(faults, [])
    const [back] = objects as [ImportedObject]
    assert.deepEqual(contentOf(back), contentOf(object), text)
    // What a source text holds stays one; the rest is kept where its networks can be worked on.
    assert.equal(back.format, object.language === 'SCL' && object.networks.length === 1 ? 'source' : 'simaticml')
    assert.equal(writeSource(back, 'en-US')?.text, text)
  }
})

test('networks in SCL and the language of their block survive SIMATIC SD', async () => {
  for (const object of blocks) {
    const { content, resources } = writeSd(object, {})
    const texts = new TextEncoder().encode(writeResources(resources))
    const { objects, faults } = await importSd(content, { resources: texts })
    assert.deepEqual(faults, [], content)
    assert.deepEqual(contentOf(objects[0] as ImportedObject), contentOf(object), content)
  }
})

test('a region and a comment of a user are no networks, and a changed region stays', async () => {
  const read = async (body: string) => {
    const text = `FUNCTION "F" : Void\nBEGIN\n${body}\nEND_FUNCTION\n`
    const { objects, faults } = await importFile(Buffer.from(text), { path: 'F.scl' })
    assert.deepEqual(faults, [])
    return objects[0]?.networks.map(({ title, text: own }) => [title['en-US'] ?? '', own])
  }
  const plain =
    "REGION A\n;\nEND_REGION\n(* \n// Gantry { NetworkTitle := 'A' }\n*)\n; // Gantry { NetworkTitle := 'A' }"
  assert.deepEqual(await read(plain), [['', plain]])
  const changed = "// Gantry { NetworkTitle := 'A' }\nREGION A\n;\nEND_REGION\n;"
  assert.deepEqual(await read(changed), [['A', 'REGION A\n;\nEND_REGION\n;']])
  const before = ";\n// Gantry { NetworkTitle := 'B' }\n;"
  assert.deepEqual(await read(before), [
    ['', ';'],
    ['B', ';'],
  ])
})

test('what a line says that no block of the kind has is told', async () => {
  const text = `// Gantry { Number := '3'; Language := 'Pascal' }\nFUNCTION "F" : Void\nBEGIN\n;\nEND_FUNCTION\n`
  const { objects } = await importFile(Buffer.from(text), { path: 'F.scl' })
  assert.deepEqual(objects[0]?.warnings, [
    'line 1, column 1: Number := "3" says nothing about a function; it has no effect',
    'line 1, column 1: Language := "Pascal" says nothing about a function; it has no effect',
  ])
})
