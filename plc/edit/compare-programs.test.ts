/** Two programs in figures, as text and as SimaticML: what a source does not say is no difference. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'
import { comparePrograms } from './compare-programs.ts'

const text = (content: string, id: string, name: string) =>
  `<MultilingualText ID="${id}" CompositionName="${name}"><ObjectList><MultilingualTextItem ID="${id}1" CompositionName="Items"><AttributeList><Culture>en-US</Culture><Text>${content}</Text></AttributeList></MultilingualTextItem></ObjectList></MultilingualText>`
const comment = (content: string) => `<Comment><MultiLanguageText Lang="en-US">${content}</MultiLanguageText></Comment>`
const exported = readSimaticMlText(`<Document><Engineering version="V18" />
<SW.Blocks.GlobalDB ID="0"><AttributeList>
<Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static">
<Member Name="a" Datatype="Int">${comment('one')}<StartValue>1</StartValue></Member>
<Member Name="s" Datatype="Struct"><Member Name="b" Datatype="Bool">${comment('two')}</Member></Member>
</Section></Sections></Interface>
<MemoryLayout>Optimized</MemoryLayout><Name>D</Name><Number>7</Number><ProgrammingLanguage>DB</ProgrammingLanguage>
</AttributeList><ObjectList>${text('What it is for.', '1', 'Comment')}${text('Data', '2', 'Title')}</ObjectList></SW.Blocks.GlobalDB>
<SW.Tags.PlcTagTable ID="5"><AttributeList><Name>D</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="6" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><LogicalAddress>%I0.0</LogicalAddress><Name>x</Name></AttributeList></SW.Tags.PlcTag>
<SW.Tags.PlcUserConstant ID="7" CompositionName="UserConstants"><AttributeList><DataTypeName>Int</DataTypeName><Name>MAX</Name><Value>5</Value></AttributeList></SW.Tags.PlcUserConstant>
</ObjectList></SW.Tags.PlcTagTable></Document>`)

const source = (head: string, a: string, b: string): ImportedObject =>
  readSource(
    `DATA_BLOCK "d"\n${head}VERSION : 0.1\nVAR\n  a : Int := 1;${a}\n  s : Struct\n    b : Bool;${b}\n  END_STRUCT;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
  ).blocks[0]!.object

const none = { equal: 0, total: 0 }
const said = (right: ImportedObject) => {
  const { counts, differences } = comparePrograms([exported.objects[0]!], [right])
  return [counts.blocks.equal, ...differences.map(({ name, aspect, path }) => [name, aspect, path].join(' '))]
}

test('title and comments that a source has not, and its attributes, are not compared; those that it has are', () => {
  assert.equal(exported.objects.length, 2)
  const plain = source('', '', '')
  const { counts, onlyLeft, onlyRight, differences } = comparePrograms(exported.objects, [plain])
  assert.deepEqual(differences, [])
  assert.deepEqual(counts, {
    blocks: { equal: 1, total: 1 },
    members: { equal: 3, total: 3 },
    ...{ networks: none, sclLines: none, tags: none, constants: none },
  })
  // A table has names of its own.
  assert.deepEqual([onlyLeft, onlyRight], [[{ name: 'D', kind: 'TagTable' }], []])
  assert.deepEqual(said(source('', ' // one', ' // two')), [1])
  assert.deepEqual(said(source('', ' // one', '')), [0, 'd comments s.b'])
  assert.deepEqual(said(source('', '', ' // other')), [0, 'd comments a', 'd comments s.b'])
  assert.deepEqual(said(source('TITLE = Data\n', '', '')), [1])
  assert.deepEqual(said(source('TITLE = Other\n', '', '')), [0, 'd comments (title)'])
  // The other way round all of it counts.
  assert.deepEqual(
    comparePrograms([plain], [exported.objects[0]!]).differences.map(({ aspect, path }) => `${aspect} ${path}`),
    ['comments (title)', 'comments (comment)', 'comments a', 'comments s.b'],
  )
})

test('tags and constants are counted by name; what only one program has counts with all that is in it', () => {
  const [block, table] = exported.objects as [ImportedObject, ImportedObject]
  const tagged = (address: string): ImportedObject => ({
    ...table,
    tags: table.tags!.map((tag) => ({ ...tag, logicalAddress: address })),
  })
  const counted = (left: readonly ImportedObject[], right: readonly ImportedObject[]) => {
    const { counts, onlyLeft, onlyRight } = comparePrograms(left, right)
    const figures = Object.entries(counts).flatMap(([kind, { equal, total }]) =>
      total === 0 ? [] : [`${kind} ${equal}/${total}`],
    )
    return [figures.join(', '), onlyLeft.length, onlyRight.length]
  }
  assert.deepEqual(counted([table], [table]), ['tags 1/1, constants 1/1', 0, 0])
  assert.deepEqual(counted([table], [tagged('%I0.1')]), ['tags 0/1, constants 1/1', 0, 0])
  assert.deepEqual(counted([block], [table]), ['tags 0/1, constants 0/1', 1, 1])
  assert.deepEqual(counted([], [block, table]), ['blocks 0/1, members 0/3, tags 0/1, constants 0/1', 0, 2])
  assert.deepEqual(counted([block, table], []), ['', 2, 0])
})
