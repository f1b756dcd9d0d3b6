/**
 * What must survive every format: names that are words of the language, titles with quotes, ids of texts, access by OPC
 * UA.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keywordTexts } from '../model/keywords.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { hardObjects } from '../testing/hard-objects.ts'
import { importSd, programOf } from './simatic-sd/import.ts'
import { readSd } from './simatic-sd/read.ts'
import { writeResources } from './simatic-sd/resources.ts'
import { writeSd } from './simatic-sd/write.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { readSource } from './source/read.ts'
import { sourceTextOf } from './source/write.ts'
import { writeSource } from './source/write-source.ts'

const words = [
  ...keywordTexts.filter((word) => word !== ''),
  ...'word Bool DTL Struct Timer Counter Time TOD Date String Any DB FB OB UDT DB1 FB12 M0 M T5 EN ENO'.split(' '),
  ...'TON IEC_TIMER TITLE NAME VERSION END_NETWORK RUNG wire P1'.split(' '),
]

const sources = (word: string): readonly string[] => [
  `TYPE "${word}"\nVERSION : 0.1\n   STRUCT\n      "${word}" : Word;\n      b : Array[0..1] of "${word}";\n   END_STRUCT;\n\nEND_TYPE\n`,
  `DATA_BLOCK "${word}"\nVERSION : 0.1\n   VAR\n      "${word}" : Struct\n         "${word}" : Int := 3;\n      END_STRUCT;\n   END_VAR\n\n\nBEGIN\n   "${word}"."${word}" := 5;\n\nEND_DATA_BLOCK\n`,
  `DATA_BLOCK "i"\nVERSION : 0.1\n"${word}"\n\nBEGIN\n\nEND_DATA_BLOCK\n`,
  `FUNCTION_BLOCK "${word}"\nVERSION : 0.1\n   VAR_INPUT\n      "${word}" : "${word}";\n   END_VAR\n\n\nBEGIN\n\t#x := #"${word}";\nEND_FUNCTION_BLOCK\n`,
  `FUNCTION "${word}" : "${word}"\nVERSION : 0.1\n\nBEGIN\n\t#"${word}" := 1;\nEND_FUNCTION\n`,
]

function fromSource(text: string): ImportedObject {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [], text)
  return blocks[0]?.object as ImportedObject
}

function toXml(object: ImportedObject): ImportedObject {
  return readSimaticMlText(writeSimaticMl(object, { version: 'V21' }).text).objects[0] as ImportedObject
}

function shape({ kind, name, instanceOf, interface: sections }: ImportedObject): unknown {
  const members = (list: readonly InterfaceMember[]): unknown =>
    list.map((member) => [member.name, member.dataType, member.startValue, members(member.members)])
  const filled = sections.filter((section) => section.members.length > 0)
  return [kind, name, instanceOf, filled.map(({ section, members: list }) => [section, members(list)])]
}

test('names that are keywords or data types come back from every format', () => {
  for (const word of words)
    for (const text of sources(word)) {
      const object = fromSource(text)
      const xml = toXml(object)
      assert.deepEqual(shape(xml), shape(object), text)
      assert.deepEqual(shape(fromSource(writeSource(xml, 'en-US')?.text ?? '')), shape(object), text)
      const { content } = writeSd(xml)
      const { blocks, faults } = readSd(content)
      assert.deepEqual(faults, [], content)
      assert.deepEqual(shape(blocks[0]?.object as ImportedObject), shape(object), content)
    }
})

test('names of data types are quoted where they are declared', () => {
  const [type = '', block = '', instance = ''] = sources('Timer')
  assert.match(writeSource(toXml(fromSource(type)), 'en-US')?.text ?? '', /"Timer" : Word;/)
  assert.match(writeSource(toXml(fromSource(instance)), 'en-US')?.text ?? '', /\n"Timer"\n/)
  assert.match(writeSd(toXml(fromSource(type))).content, /"Timer" : Word;/)
  assert.match(writeSd(toXml(fromSource(block.replace('"Timer"', '"DB"')))).content, /DATA_BLOCK "DB"/)
})

test('quotes of a title are a part of it', () => {
  for (const title of ["'single'", '"Main Program Sweep (Cycle)"', "it's"]) {
    const object = fromSource(`FUNCTION "F" : Void\nTITLE = ${title}\nVERSION : 0.1\n\nBEGIN\nEND_FUNCTION\n`)
    assert.deepEqual(object.title, { 'en-US': title })
    assert.deepEqual(fromSource(writeSource(toXml(object), 'en-US')?.text ?? '').title, { 'en-US': title })
  }
})

test('access by OPC UA and web server survives SimaticML, source and SIMATIC SD', async () => {
  const object = fromSource(
    `DATA_BLOCK "D"\n{ DB_Accessible_From_OPC_UA := 'FALSE'; DB_Accessible_From_Webserver := 'FALSE' }\nVERSION : 0.1\n   VAR\n      a : Int;\n   END_VAR\n\n\nBEGIN\n\nEND_DATA_BLOCK\n`,
  )
  const isClosed = ({ attributes }: ImportedObject) =>
    ['DBAccessibleFromOPCUA', 'DBAccessibleFromWebserver'].every((wanted) =>
      attributes.some(({ name, value }) => name === wanted && value === 'false'),
    )
  const xml = toXml(object)
  assert.ok(isClosed(xml))
  const written = writeSource(xml, 'en-US')
  assert.ok(isClosed(toXml(fromSource(written?.text ?? ''))))
  assert.deepEqual(written?.warnings, [])
  for (const one of [xml, object]) {
    const { content } = writeSd(one)
    const { objects } = await importSd(content)
    assert.ok(isClosed(objects[0] as ImportedObject), content)
  }
})

test('a constant is a constant where the program has it, otherwise the export says that it is not', async () => {
  const [ladder] = hardObjects().filter(({ name }) => name === 'Ladder')
  const { content, warnings } = writeSd(ladder as ImportedObject)
  assert.ok(
    warnings.some((warning) => /that "MAX" is a constant is left out/.test(warning)),
    warnings.join('\n'),
  )
  const { objects } = await importSd(content, { program: programOf([content], { constants: ['max'] }) })
  const operands = objects[0]?.networks[0]?.graph?.nodes.flatMap((node) =>
    node.kind === 'operand' ? [node.operand] : [],
  )
  assert.ok(operands?.some((operand) => operand.kind === 'constant' && operand.scope === 'GlobalConstant'))
})

const sd = `{
    S7_BlockTitle := "MLC_4En";
    S7_Optimized := "TRUE";
    S7_PreferredLanguage := "FBD";
    S7_Safety := "TRUE";
    S7_Version := "0.1"
}
FUNCTION_BLOCK "F"
    VAR_INPUT
        { S7_MLC := "MLC_9x" }
        in : Bool;
    END_VAR

    {
        S7_Language := "FBD";
        S7_NetworkTitle := "MLC_7"
    }
    NETWORK
        RUNG
        END_RUNG
    END_NETWORK
END_FUNCTION_BLOCK
`

test('texts keep their ids through the document, and a block of the safety program its language', async () => {
  const resources = new TextEncoder().encode(
    'MultiLingualTexts:\n  - id: MLC_4En\n    en-US: title\n  - id: MLC_9x\n    en-US: input\n    de-DE: Eingang\n  - id: MLC_7\n    en-US: network\n  - id: MLC_zz\n    en-US: nobody\n',
  )
  const { objects, faults, warnings } = await importSd(sd, { resources })
  assert.deepEqual(faults, [])
  assert.deepEqual(warnings, ['(1:1): texts of the .s7res file that nothing uses were left out (1): MLC_zz'])
  const [object] = objects
  assert.deepEqual([object?.language, object?.networks[0]?.language], ['F_FBD', 'F_FBD'])
  const written = writeSd(object as ImportedObject)
  assert.equal(written.content, sd)
  assert.deepEqual([...written.resources.keys()].sort(), ['MLC_4En', 'MLC_7', 'MLC_9x'])
  assert.match(writeResources(written.resources), /MLC_9x\n {4}en-US: input\n {4}de-DE: Eingang/)
})

test('whether an object of a unit is published survives sources, and is told where a format has no word for it', () => {
  const text = `FUNCTION "F" : Void\n{ S7_Optimized_Access := 'TRUE'; Published := 'FALSE' }\nVERSION : 0.1\n\nBEGIN\n\t;\nEND_FUNCTION\n\n`
  const [source] = readSource(text).blocks
  assert.ok(source)
  const { text: _text, ...model } = source.object
  assert.match(sourceTextOf(model) ?? '', /Published := 'FALSE'/)
  const xml = writeSimaticMl(model, { version: 'V19' })
  assert.ok(xml.warnings.includes('the attribute Published = "FALSE" is left out'), xml.warnings.join('\n'))
  const sd = writeSd(model, {})
  assert.ok(sd.warnings.includes('the attribute Published = "FALSE" is left out'), sd.warnings.join('\n'))
  // A document that has it as an attribute keeps it in a source.
  const inXml = xml.text.replace('<ProgrammingLanguage>', '<Published>true</Published><ProgrammingLanguage>')
  const [object] = readSimaticMlText(inXml).objects
  assert.match(sourceTextOf(object as ImportedObject) ?? '', /Published := 'TRUE'/)
})
