/** The documentation of a dense program in both forms (`fixtures/*.txt`); names and calls of every kind in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { importFile } from '../formats/import.ts'
import type { ImportedObject } from '../model/object.ts'
import { callTree, factsOf } from './facts.ts'
import { htmlOf } from './html.ts'
import { markdownOf } from './markdown.ts'

async function objectsOf(text: string, path = 'program.scl'): Promise<readonly ImportedObject[]> {
  const { objects, faults } = await importFile(new TextEncoder().encode(text), { path })
  assert.deepEqual(faults, [])
  return objects
}

/** @param inputs names of tags and their addresses */
function table(name: string, inputs: readonly (readonly [string, string])[]): string {
  const tags = inputs.map(
    ([tag, address], i) =>
      `<SW.Tags.PlcTag ID="${i + 1}" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><LogicalAddress>${address}</LogicalAddress><Name>${tag}</Name></AttributeList></SW.Tags.PlcTag>`,
  )
  return `<Document><Engineering version="V18" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>${name}</Name></AttributeList><ObjectList>${tags.join('')}<SW.Tags.PlcUserConstant ID="99"><AttributeList><DataTypeName>Int</DataTypeName><Name>MOST_1</Name><Value>7</Value></AttributeList></SW.Tags.PlcUserConstant></ObjectList></SW.Tags.PlcTagTable></Document>`
}

const program = `TYPE "recipe"
  STRUCT
    level : Real := 1.5;   // *fill* | <level> &amp; _more_
    inner : Struct   // pair
      n : Array[0..1] of Int;
    END_STRUCT;
  END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Pump_1"
TITLE = Moves #water & oil
VAR_INPUT
  on : Bool;   // from the panel
END_VAR
VAR_OUTPUT
  run : Bool;
END_VAR
VAR CONSTANT
  LIMIT : Int := 3;
END_VAR
BEGIN
  (* \`\`\`\` a fence *)
  #run := #on AND "in_8.0";
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Cell"
VAR
  own : "Pump_1";
  many : Array[0..2] of "Pump_1";
  what : "recipe";
END_VAR
BEGIN
  #own(on := "in_0.1");
  "Pump_DB"(on := TRUE);
  "help"();
  "help"();
  "out_0" := #own.run;
END_FUNCTION_BLOCK
FUNCTION "help" : Void
BEGIN
  "out_0" := "Pump_DB".run;
END_FUNCTION
FUNCTION "Unused" : Void
BEGIN
  "help"();
  "nowhere"();
END_FUNCTION
DATA_BLOCK "Pump_DB"
"Pump_1"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Cell_DB"
"Cell"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Cell_DB"();
  "help"();
END_ORGANIZATION_BLOCK
`

async function dense(): Promise<ImportedObject[]> {
  const inputs = table('I and Q', [
    ['out_0', '%Q0.0'],
    ['in_8.0', '%I8.0'],
    ['in_0.1', '%I0.1'],
    ['in_0.0', '%E0.0'],
    ['word', '%IW2'],
    ['mark', '%M0.0'],
  ])
  const objects: ImportedObject[] = [
    ...(await objectsOf(program)),
    ...(await objectsOf(inputs, 'tags.xml')),
    ...(await objectsOf(fixtureText(import.meta.url, '../../review/fixtures/folder/ladder.s7dcl'), 'ladder.s7dcl')),
  ]
  return [
    ...objects,
    { ...(objects.find(({ name }) => name === 'help') as ImportedObject), name: 'Shut', isKnowHowProtected: true },
  ]
}

/** What is drawn is recorded elsewhere. */
function readable(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<svg.*?<\/svg>/gs, '<svg>…</svg>')
    .replace(/(?<!^)<(?=h1|h2|h3|table|tr|p>|p |div|figure|li|nav|main|pre)/gm, '\n<')
}

test('a dense program in both forms; of one controller and of two', async () => {
  const facts = factsOf(await dense())
  const options = { title: 'Plant <1> & co', culture: 'en-US' }
  assertRecorded(import.meta.url, 'markdown.txt', markdownOf([{ facts }], options))
  assertRecorded(import.meta.url, 'html.txt', readable(htmlOf([{ facts }], options)))
  const small = { facts: factsOf(await objectsOf('FUNCTION "one" : Void\nBEGIN\nEND_FUNCTION\n')) }
  const two = [{ ...small, name: 'PLC_1 <a>' }, small]
  assertRecorded(import.meta.url, 'two.txt', `${markdownOf(two, options)}\n${readable(htmlOf(two, options))}`)
})

const treeOf = (objects: readonly ImportedObject[]) =>
  callTree(factsOf(objects)).map(
    ({ block, depth, isRepeated }) => `${'  '.repeat(depth)}${block.name}${isRepeated ? ' …' : ''}`,
  )

test('blocks that only call themselves or each other are in the call tree', async () => {
  const call = (name: string, called: string) => `FUNCTION "${name}" : Void\nBEGIN\n  "${called}"();\nEND_FUNCTION\n`
  const objects = await objectsOf(call('self', 'self') + call('there', 'back') + call('back', 'there'))
  assert.deepEqual(treeOf(objects), ['self', '  self …', 'back', '  there', '    back …'])
})

test('a table may have the name of a block: each has its own place, uses and calls', async () => {
  const source = `FUNCTION "Motor" : Void
BEGIN
END_FUNCTION
ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor"();
END_ORGANIZATION_BLOCK
`
  const objects = [...(await objectsOf(source)), ...(await objectsOf(table('Motor', [['go', '%I0.0']]), 'tags.xml'))]
  assert.deepEqual(treeOf(objects), ['Main', '  Motor'])
  const programs = [{ facts: factsOf(objects) }]
  const options = { title: 'Plant', culture: 'en-US' }
  const html = htmlOf(programs, options)
  assert.deepEqual(
    [...html.matchAll(/<h2 id="(o\d+)">([^<]*)/g)].map(([, id, text]) => `${id} ${text}`),
    ['o1 OB Main', 'o2 FC Motor', 'o3 TagTable Motor'],
  )
  assert.match(html, /<td>go<\/td><td>Bool<\/td><td><a href="#o3">Motor<\/a>/, 'the table of the tag')
  assert.equal(markdownOf(programs, options).match(/^Used by: Main$/gm)?.length, 1)
})
