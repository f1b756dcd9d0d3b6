/** Properties of a block from its attributes, in each spelling that files have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from './link-program.ts'
import { accessOf, blockFacts } from './program-block.ts'

const object = readSource('FUNCTION "F" : VOID\nBEGIN\nEND_FUNCTION\n').blocks[0]?.object ?? assert.fail()
const facts = (...attributes: readonly (readonly [name: string, value: string])[]) => {
  const named = attributes.map(([name, value]) => ({ name, value }))
  const { isIecCheckOn, setsEno, isOnlyLoaded, isReadOnly } = blockFacts({ ...object, attributes: named }, 1, '')
  return { isIecCheckOn, setsEno, isOnlyLoaded, isReadOnly }
}
const none = { isIecCheckOn: false, setsEno: false, isOnlyLoaded: false, isReadOnly: false }

test('a property is on by its name in exports or in sources, whatever the case', () => {
  assert.deepEqual(facts(), none)
  for (const [property, names] of Object.entries({
    isIecCheckOn: ['IsIECCheckEnabled', 'S7_IECCheck'],
    setsEno: ['SetENOAutomatically', 'S7_SetENOAutomatically'],
    isOnlyLoaded: ['UNLINKED', 'IsOnlyStoredInLoadMemory'],
    isReadOnly: ['READ_ONLY', 'IsWriteProtectedInAS'],
  }))
    for (const name of names) {
      for (const given of [name, name.toLowerCase(), name.toUpperCase()])
        for (const value of ['true', 'TRUE', 'True'])
          assert.deepEqual(facts([given, value]), { ...none, [property]: true }, `${given} ${value}`)
      for (const value of ['false', 'FALSE', '', '1', 'true?']) assert.deepEqual(facts([name, value]), none, value)
    }
  assert.deepEqual(facts(['IsIECCheckEnabled', 'false'], ['S7_IECCheck', 'true']), { ...none, isIecCheckOn: true })
})

test('properties of the sequence are those of a GRAPH block', () => {
  const names = ['SkipSteps', 'AcknowledgeErrorsRequired', 'PermanentILProcessingInMANMode']
  const of = (language: string, value: string, given = names) =>
    blockFacts({ ...object, language, attributes: given.map((name) => ({ name, value })) }, 1, '').sequence
  assert.deepEqual(of('GRAPH', 'true'), { skipsSteps: true, needsAcknowledgement: true, interlocksInManual: true })
  assert.deepEqual(of('GRAPH', 'true', names.slice(0, 1)), { skipsSteps: true })
  assert.deepEqual([of('GRAPH', 'false'), of('SCL', 'true')], [undefined, undefined])
})

test('a name that is declared twice is told once for each further time, at every depth', () => {
  const twice = (declared: string) =>
    linkProgram(readSource(declared).blocks.map((one) => ({ object: one.object })))
      .diagnostics.filter(({ code }) => code === 'duplicate-member')
      .map(({ object: name, member, message }) => `${name} ${member}: ${message}`)
  const block = (members: string) => `FUNCTION_BLOCK "B"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n`
  const type = (members: string) => `TYPE "T"\nSTRUCT\n${members}\nEND_STRUCT;\nEND_TYPE\n`
  assert.deepEqual(twice(block('a : Int; b : Int; ab : Int;')), [])
  assert.deepEqual(twice(block('a : Int; b : Int; A : Bool; a : Real;')), [
    'B A: "A" is declared twice.',
    'B a: "a" is declared twice.',
  ])
  assert.deepEqual(twice(block('s : Struct a : Int; b : Int; A : Bool; a : Int; END_STRUCT; a : Int;')), [
    'B s.A: "A" is declared twice in "s".',
    'B s.a: "a" is declared twice in "s".',
  ])
  const deep = 's : Array[0..2] of Struct t : Struct x : Int; y : Int; X : Int; END_STRUCT; x : Int; END_STRUCT;'
  assert.deepEqual(twice(block(deep)), ['B s.t.X: "X" is declared twice in "s.t".'])
  assert.deepEqual(twice(type(`a : Int; A : Int; ${deep}`)), [
    'T A: "A" is declared twice.',
    'T s.t.X: "X" is declared twice in "s.t".',
  ])
  const sections =
    'FUNCTION_BLOCK "B"\nVAR_INPUT\na : Int;\nEND_VAR\nVAR_TEMP\nA : Int;\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n'
  assert.deepEqual(twice(sections), ['B A: "A" is declared twice.'])
})

test('access: what the block says, else that of its language; members over others (AT) have that of a standard block', () => {
  const of = (source: string, change = {}) =>
    accessOf({ ...(readSource(source).blocks[0]?.object ?? assert.fail()), ...change })
  const block = (head: string, section: string, members: string) =>
    `${head}\nVAR${section}\n${members}\nEND_VAR\nBEGIN\n;\nEND_${head.split(' ')[0]}\n`
  const overlay = 'word : Word;\nbits AT word : Array[0..15] of Bool;'
  assert.equal(of(block('FUNCTION_BLOCK "F"', '', 'word : Word;')), 'optimized')
  assert.equal(of(block('FUNCTION_BLOCK "F"', '', overlay), { memoryLayout: 'Optimized' }), 'standard')
  assert.equal(of(block('FUNCTION "F" : VOID', '_INPUT', overlay), { memoryLayout: 'Optimized' }), 'standard')
  // Temporaries have no layout that another block sees.
  assert.equal(of(block('FUNCTION "F" : VOID', '_TEMP', overlay)), 'optimized')
  const data = (name: string) => `DATA_BLOCK ${name}\nSTRUCT\na : Int;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n`
  assert.equal(of(data('"Data"')), 'optimized')
  assert.equal(of(data('DB 5')), 'standard')
  assert.equal(of(data('DB 5'), { memoryLayout: 'Optimized' }), 'optimized')
  assert.equal(of(data('DB 5'), { format: 'simaticml' }), 'optimized')
  assert.equal(of(data('"Data"'), { language: 'STL' }), 'standard')
})
