/** Start values of members of named types, from sources through SimaticML and SIMATIC SD and back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportedObject } from '../model/object.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import { importSd, programOf } from './simatic-sd/import.ts'
import { writeSd } from './simatic-sd/write.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { assignedPlaces } from './source/assignments.ts'
import { readSource } from './source/read.ts'
import { writeSource } from './source/write-source.ts'

const types = `
TYPE "Ramp"
VERSION : 0.1
   STRUCT
      up : Real := 1.5;
      steps : Array[1..3] of Int := [7, 8, 9];
      "odd name" : Bool;
   END_STRUCT;
END_TYPE
TYPE "Motor"
VERSION : 0.1
   STRUCT
      speed : Int := 100;
      mark : String[8] := 'none';
      ramp : "Ramp";
      ramps : Array[0..1, 1..2] of "Ramp";
      box : Struct
         level : Real;
         inner : Array[0..1] of "Ramp";
      END_STRUCT;
   END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
VERSION : 0.1
   VAR_INPUT
      wanted : Int;
   END_VAR
   VAR_OUTPUT
      reached : Bool;
   END_VAR
   VAR
      motor : "Motor";
      list : Array[0..3] of Int;
   END_VAR
   VAR_TEMP
      list2 : Int;
   END_VAR
BEGIN
   ;
END_FUNCTION_BLOCK
`
const within = (place: string) => [
  `${place}speed := -5`,
  `${place}mark := 'north'`,
  `${place}ramp.up := 2.5`,
  `${place}ramp.steps[2] := 40`,
  `${place}ramp."odd name" := TRUE`,
  `${place}ramps[1,2].up := 4.0`,
  `${place}ramps[0,1].steps[3] := 6`,
  `${place}box.level := 0.25`,
  `${place}box.inner[1].steps[1] := 11`,
]
const dataBlocks: readonly [name: string, declared: string, assignments: readonly string[]][] = [
  ['Members', 'NON_RETAIN\n VAR\n m : "Motor";\n plain : Int := 3;\n END_VAR', [...within('m.'), 'plain := 4']],
  [
    'Elements',
    'NON_RETAIN\n VAR\n rows : Array[-1..1] of "Motor";\n s : Struct\n line : Array[0..1] of "Motor";\n END_STRUCT;\n END_VAR',
    [...within('rows[-1].'), ...within('rows[1].'), ...within('s.line[0].')],
  ],
  ['Row', 'Array[0..2] of "Motor"', [...within('[0].'), ...within('[2].')]],
  ['Numbers', 'Array[0..2] of Int', ['[1] := 5']],
  ['Texts', 'Array[0..2, 1..1] of String', ["[1,1] := 'one'"]],
  ['OfType', '"Motor"', within('')],
  ['OfBlock', '"Drive"', ['wanted := 12', 'list[3] := 9', ...within('motor.')]],
  ['Nothing', '"Motor"', []],
]
const sourceOf = ([name, declared, assignments]: (typeof dataBlocks)[number]) =>
  `DATA_BLOCK "${name}"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n${declared}\nBEGIN\n${assignments
    .map((one) => `   ${one};\n`)
    .join('')}END_DATA_BLOCK\n`

const typeObjects = readSource(types).blocks.map(({ object }) => object)
assert.deepEqual(readSource(types).faults, [])
const program = programOf([], { objects: typeObjects })
const read = (text: string, isKnown = true): ImportedObject => {
  const { blocks, faults } = readSource(text, isKnown ? { interfaceOf: program.interfaceOf! } : {})
  assert.deepEqual(faults, [], text)
  return blocks[0]!.object
}

/** The content of the data block when its program starts, as a controller gets it. */
function imageOf(object: ImportedObject): string {
  const { blocks } = linkProgram([...typeObjects, object].map((one) => ({ object: one })))
  const block = blocks.get(object.name.toLowerCase())
  assert.ok(block?.type, object.name)
  return Buffer.from(startImage(block)).toString('hex')
}

function toXml(object: ImportedObject) {
  const { text, warnings } = writeSimaticMl(object, { version: 'V19' })
  const [again] = readSimaticMlText(text).objects
  return { text, warnings, object: again! }
}

async function toSd(object: ImportedObject) {
  const { content, resources, warnings } = writeSd(object, { program })
  assert.equal(resources.size, 0)
  const around = programOf([content], { objects: typeObjects })
  const { objects, faults, warnings: told } = await importSd(content, { program: around })
  assert.deepEqual(faults, [], content)
  return { content, warnings: [...warnings, ...told], object: objects[0]! }
}

/** A source names the type of its data, not what kind of type that is. */
const typeNote = (object: ImportedObject) =>
  program.isDataType?.(object.instanceOf ?? '') ? ['the attribute InstanceOfType = "UDT" is left out'] : []

/** SIMATIC SD has no place for attributes of the array of an array data block. */
const isOfValues = (warning: string) => !warning.startsWith('the attribute SetPoint')

/** What is assigned in a text, without order. */
const assigned = (text: string) =>
  assignedPlaces(text)
    .map(({ place, value }) => `${place} := ${value}`)
    .sort()

for (const dataBlock of dataBlocks) {
  const [name, , assignments] = dataBlock
  const object = read(sourceOf(dataBlock))
  const image = imageOf(read(sourceOf(dataBlock), false))

  test(`${name}: source, SimaticML and source again`, () => {
    const xml = toXml(object)
    assert.deepEqual(xml.warnings, [])
    assert.equal(imageOf(xml.object), image, xml.text)
    const source = writeSource(xml.object, 'en-US')!
    assert.deepEqual(source.warnings, typeNote(object))
    const isDeclared = (one: string) => name === 'Members' && one.startsWith('plain')
    assert.deepEqual(assigned(source.text), assignments.filter((one) => !isDeclared(one)).sort())
    assert.equal(imageOf(read(source.text, false)), image, source.text)
    assert.equal(toXml(read(source.text)).text, xml.text)
  })

  test(`${name}: source, SIMATIC SD and source again`, async () => {
    const sd = await toSd(object)
    assert.deepEqual(sd.warnings.filter(isOfValues), [])
    assert.equal(imageOf(sd.object), image, sd.content)
    const source = writeSource(sd.object, 'en-US')!
    assert.deepEqual(source.warnings.filter(isOfValues), typeNote(object))
    assert.equal(imageOf(read(source.text, false)), image, source.text)
    assert.equal((await toSd(read(source.text))).content, sd.content)
  })
}

test('the values differ from those of the types', () => {
  for (const dataBlock of dataBlocks) {
    const [name, declared, assignments] = dataBlock
    const bare = read(sourceOf([name, declared, []]), false)
    const isSame = imageOf(bare) === imageOf(read(sourceOf(dataBlock), false))
    assert.equal(isSame, assignments.length === 0, name)
  }
})

test('values of members of a type are written as SimaticML below the member', () => {
  const { text } = toXml(read(sourceOf(['D', 'VAR\n r : Array[0..1] of "Motor";\n END_VAR', within('r[1].')])))
  const compact = text.replace(/>\s+</g, '><')
  assert.match(compact, /Datatype="Array\[0\.\.1\] of &quot;Motor&quot;"[^>]*><Sections><Section Name="None">/)
  const value = (path: string, one: string) => `<Subelement Path="${path}"><StartValue>${one}</StartValue></Subelement>`
  assert.ok(compact.includes(`<Member Name="speed" Datatype="Int">${value('1', '-5')}</Member>`), compact)
  assert.ok(compact.includes(`<Member Name="level" Datatype="Real">${value('1', '0.25')}</Member>`), compact)
  assert.ok(compact.includes(`Datatype="Array[1..3] of Int">${value('1;0,1;3', '6')}</Member>`), compact)
})

test('a list for an array inside of elements is a value for each; the later of two values counts', () => {
  const dataBlock = [
    'D',
    'VAR\n r : Array[0..1] of "Ramp";\n one : "Ramp";\n l : Array[0..2] of Int := [1, 2, 3];\n END_VAR',
    ['r[1].steps := [4, 5]', 'r[1].steps[2] := 6', 'one.steps := [2(3)]', 'l[1] := 9', 'l[1] := 8'],
  ] as const
  const object = read(sourceOf(dataBlock as unknown as (typeof dataBlocks)[number]))
  const xml = toXml(object)
  assert.equal(imageOf(xml.object), imageOf(object), xml.text)
  assert.equal(xml.text.match(/<Subelement Path="1"/g)?.length, 2)
  const source = writeSource(xml.object, 'en-US')!
  assert.equal(imageOf(read(source.text, false)), imageOf(object))
  assert.deepEqual(xml.warnings, [])
})

test('without its types the values of a data block are told as left out', async () => {
  for (const dataBlock of dataBlocks) {
    const [name, , assignments] = dataBlock
    const unknown = read(sourceOf(dataBlock), false)
    const told = toXml(unknown).warnings.join('\n')
    const wanted = assignments.filter((one) => !/^plain|^\[1[\],]/.test(one))
    assert.equal(/the start value/.test(told), wanted.length > 0, `${name}: ${told}`)
    const none = writeSd(unknown).warnings.join('\n')
    assert.equal(/the start value/.test(none), wanted.length > 0, `${name}: ${none}`)
  }
})

test('lists of arrays in arrays of structures are those of each structure, in every format', async () => {
  const source = `DATA_BLOCK "Recipes"
{ S7_Optimized_Access := 'FALSE' }
VERSION : 0.1
   STRUCT
      one : Array[1..1] of Int := 42;
      s : Array[0..1, 1..2] of Struct
         v : Array[1..2] of Int := [3, 4];
         inner : Array[1..2] of Struct
            b : Array[0..3] of Byte := [4(16#A)];
         END_STRUCT;
      END_STRUCT;
   END_STRUCT;
BEGIN
   s[1,1].v[2] := 9;
   s[0,2].inner[2].b[0] := 16#B;
END_DATA_BLOCK
`
  const imageOf = (object: ImportedObject) => {
    const program = linkProgram([{ object }])
    assert.deepEqual(program.diagnostics, [])
    return Buffer.from(startImage([...program.blocks.values()][0]!, program)).toString('hex')
  }
  const read = readSource(source)
  assert.deepEqual(read.faults, [])
  const object = read.blocks[0]!.object
  const tens = '0a0a0a0a'
  const image = [
    '002a',
    ...['00030004', tens, tens],
    ...['00030004', tens, '0b0a0a0a'],
    ...['00030009', tens, tens],
    ...['00030004', tens, tens],
  ].join('')
  assert.equal(imageOf(object), image)
  const xml = writeSimaticMl(object, { version: 'V19' })
  assert.deepEqual(xml.warnings, [])
  assert.equal(imageOf(readSimaticMlText(xml.text).objects[0]!), image)
  const sd = writeSd(object)
  assert.deepEqual(sd.warnings, [])
  assert.equal(imageOf((await importSd(sd.content)).objects[0]!), image)
})
