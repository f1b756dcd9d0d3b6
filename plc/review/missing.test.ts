/** Names that a folder does not hold: one kind of finding for all of them, silenced by `libraries` alike. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileSources } from '../compiler/compile-sources.ts'
import { checkProgram } from './check.ts'
import { defaultConfig } from './config.ts'

async function found(files: Readonly<Record<string, string>>, libraries: readonly string[] = []) {
  const given = Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }))
  const { findings } = await checkProgram(given, [], { ...defaultConfig, libraries })
  return findings.flatMap(({ severity, code, message }) =>
    severity !== 'error' && !code.startsWith('missing-') ? [] : [`${severity} ${code}: ${message}`],
  )
}
const missing = (what: string, name: string, uses = 'once') => {
  const code = what === 'block or tag' ? 'name' : what
  return `warning missing-${code}: The ${what} "${name}" is not in the folder (used ${uses}).`
}
const db = (name: string, of: string) => `DATA_BLOCK "${name}"\n${of}\nBEGIN\nEND_DATA_BLOCK\n`
const called = (body: string, statics = '') =>
  `FUNCTION_BLOCK "Caller"\nVAR\n${statics}END_VAR\nVAR_TEMP\n  n : Int;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

/** Each way to name what is not there, with what is said. */
const ways: readonly (readonly [source: string, names: readonly string[], findings: readonly string[]])[] = [
  [
    called('  "NoFc"(a := 1);\n  #n := "NoFc"(a := 2) + 1;'),
    ['NoFc'],
    [missing('block', 'NoFc', '2 times, in "Caller"')],
  ],
  [called('  "NoDb"(a := 1);'), ['NoDb'], [missing('block', 'NoDb')]],
  [called('  "NoDb".x := "NoDb".y[1].z;'), ['NoDb'], [missing('block or tag', 'NoDb', '2 times, in "Caller"')]],
  [called('  #n := "NoTag";'), ['NoTag'], [missing('block or tag', 'NoTag')]],
  [called('  %DB88.DBW0 := %DB88.DBW2;'), ['DB88'], [missing('block or tag', 'DB88', '2 times, in "Caller"')]],
  [
    called('  #u.x := 1;\n  #f(a := 1);', '  u : "NoU";\n  f : "NoFb";\n'),
    ['NoU', 'NoFb'],
    [missing('type', 'NoU'), missing('type', 'NoFb', '2 times, in "Caller"')],
  ],
  [called('  #u[1].x := 1;', '  u : Array[0..3] of "NoU";\n'), ['NoU'], [missing('type', 'NoU')]],
  // Types of the system that are not known here: of SINUMERIK, of other families.
  [
    called('  #u.x := 1;\n  #f(a := 1, b => #n);', '  u : ResolvedSymbol;\n  f : Diag_Alarm;\n'),
    ['ResolvedSymbol', 'Diag_*'],
    [missing('type', 'ResolvedSymbol'), missing('type', 'Diag_Alarm')],
  ],
  // An instance, and what is done with it.
  [db('I', '"NoFb"') + called('  "I"(a := 1, q => #n);\n  "I".x := 1;'), ['NoFb'], [missing('type', 'NoFb')]],
  [db('I', 'NoFb') + called('  "I"(a := 1, q => #n);\n  "I".x := 1;'), ['NoFb'], [missing('type', 'NoFb')]],
  [db('I', 'Diag_Alarm') + called('  "I"(a := 1);'), ['Diag_Alarm'], [missing('type', 'Diag_Alarm')]],
  [db('I', 'UDT 7'), ['UDT7'], [missing('type', 'UDT7')]],
  ['TYPE "T"\nSTRUCT\n  a : Diag_Alarm;\nEND_STRUCT;\nEND_TYPE\n', ['Diag_Alarm'], [missing('type', 'Diag_Alarm')]],
]

test('what is not in the folder is a warning that libraries silence, whatever it is', async () => {
  for (const [source, names, findings] of ways) {
    assert.deepEqual(await found({ 'a.scl': source }), findings, source)
    assert.deepEqual(await found({ 'a.scl': source }, names), [], `${names} ${source}`)
  }
})

const xml = (name: string, kind: string, attributes: string, members: string) => `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V18" /><SW.Blocks.${kind} ID="0"><AttributeList>${attributes}
<Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
<Section Name="Input">${members}</Section>
<Section Name="Output" /><Section Name="InOut" /><Section Name="Static" /></Sections></Interface>
<Name>${name}</Name><Number>5</Number></AttributeList><ObjectList /></SW.Blocks.${kind}></Document>`

test('exports as XML say the same', async () => {
  const instance = (of: string) => `<InstanceOfName>${of}</InstanceOfName><InstanceOfType>FB</InstanceOfType>`
  const member = '<Member Name="i" Datatype="ResolvedSymbol" />'
  const block = xml('F', 'FB', '<ProgrammingLanguage>SCL</ProgrammingLanguage>', member)
  for (const of of ['NoFb', 'Diag_Alarm']) {
    assert.deepEqual(await found({ 'a.xml': xml('I', 'InstanceDB', instance(of), '') }), [missing('type', of)])
    assert.deepEqual(await found({ 'a.xml': xml('I', 'InstanceDB', instance(of), '') }, [of]), [])
  }
  assert.deepEqual(await found({ 'a.xml': block }), [missing('type', 'ResolvedSymbol')])
  assert.deepEqual(await found({ 'a.xml': block }, ['Resolve*']), [])
})

test('a slip in the name of a common type and an unknown instruction stay errors, unless a library has them', async () => {
  const slip = called('  ResolveIt(a := 1);', '  i : Intt;\n')
  assert.deepEqual(await found({ 'a.scl': slip }), [
    'error unknown-type: There is no data type Intt.',
    'error unknown-instruction: ResolveIt is no instruction that is known here.',
  ])
  assert.deepEqual(await found({ 'a.scl': slip }, ['Intt', 'Resolve*']), [])
})

test('a compile refuses the same: the instance, and each call of it', () => {
  const source = `${db('I', 'NoFb')}${called('  "I"(a := 1);\n  "I"(a := 2);')}`
  const compiled = compileSources(source)
  assert.deepEqual(
    compiled.ok ||
      compiled.errors.filter(({ code }) => code === 'instance-of-unknown').map(({ object, line }) => [object, line]),
    [
      ['I', undefined],
      ['Caller', 1],
      ['Caller', 2],
    ],
  )
})
