/**
 * Texts that are nested very deep or are chains of very many parts, through everything that the PLC library does with a
 * program: each is taken, or refused by a message that says so. None ends as an overflow of the stack.
 */
// In a process of its own: it takes long, and what fits into the stack should not depend on the neighbours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResources } from '../plc/formats/simatic-sd/resources.ts'
import { FormatError } from '../plc/model/fault.ts'
import { readTests } from '../plc/program-tests/read-tests.ts'
import { readConfig } from '../plc/review/config.ts'
import { checked, passInput, programPasses } from './program-passes.ts'

const repeated = (part: string, n: number, between = '') => Array(n).fill(part).join(between)
const numbered = (n: number, part: (i: number) => string, between = '') =>
  Array.from({ length: n }, (_, i) => part(i)).join(between)

const fc = (body: string) =>
  `FUNCTION "F" : Void\nVAR_INPUT\n  a : Int;\n  b : Bool;\nEND_VAR\nVAR_OUTPUT\n  o : Int;\n  p : Bool;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`
const list = (body: string) => fc(`NETWORK\n${body}`)
const type = (members: string) => `TYPE "T"\nSTRUCT\n${members}\nEND_STRUCT;\nEND_TYPE\n`
const data = (members: string, values = '') =>
  `DATA_BLOCK "D"\nVAR\n${members}\nEND_VAR\nBEGIN\n${values}\nEND_DATA_BLOCK\n`

/** A rung of this many contacts in series or in parallel. */
function rung(n: number, isSeries: boolean): string {
  const contact = (i: number) => `<Part Name="Contact" UId="${100 + i}" />`
  const join = isSeries
    ? ''
    : `<Part Name="O" UId="30"><TemplateValue Name="Card" Type="Cardinality">${n}</TemplateValue></Part>`
  const operand = (i: number) =>
    `<Wire UId="${40_000 + i}"><IdentCon UId="21" /><NameCon UId="${100 + i}" Name="operand" /></Wire>`
  const inputs = isSeries
    ? `<Wire UId="50"><Powerrail /><NameCon UId="100" Name="in" /></Wire>`
    : `<Wire UId="50"><Powerrail />${numbered(n, (i) => `<NameCon UId="${100 + i}" Name="in" />`)}</Wire>`
  const outputs = numbered(n, (i) => {
    const to = isSeries
      ? `<NameCon UId="${i + 1 < n ? 101 + i : 31}" Name="in" />`
      : `<NameCon UId="30" Name="in${i + 1}" />`
    return `<Wire UId="${20_000 + i}"><NameCon UId="${100 + i}" Name="out" />${to}</Wire>`
  })
  const end = isSeries ? '' : '<Wire UId="51"><NameCon UId="30" Name="out" /><NameCon UId="31" Name="in" /></Wire>'
  return `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V18" /><SW.Blocks.FC ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Input"><Member Name="b" Datatype="Bool" /></Section><Section Name="Output"><Member Name="p" Datatype="Bool" /></Section><Section Name="InOut" /><Section Name="Temp" /><Section Name="Constant" /><Section Name="Return"><Member Name="Ret_Val" Datatype="Void" /></Section></Sections></Interface><MemoryLayout>Optimized</MemoryLayout><Name>L</Name><Number>1</Number><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList><ObjectList><SW.Blocks.CompileUnit ID="3" CompositionName="CompileUnits"><AttributeList><NetworkSource><FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts><Access Scope="LocalVariable" UId="21"><Symbol><Component Name="b" /></Symbol></Access><Access Scope="LocalVariable" UId="22"><Symbol><Component Name="p" /></Symbol></Access>${numbered(n, contact)}${join}<Part Name="Coil" UId="31" /></Parts><Wires>${inputs}${numbered(n, operand)}${outputs}${end}<Wire UId="52"><IdentCon UId="22" /><NameCon UId="31" Name="operand" /></Wire></Wires></FlgNet></NetworkSource><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.FC></Document>`
}

/** Texts by what is deep in them, with the end of their files' names. */
const deep: Readonly<Record<string, (n: number) => readonly [string, string]>> = {
  'a sum': (n) => ['scl', fc(`#o := ${repeated('#a', n, ' + ')};`)],
  'a sum of numbers': (n) => ['scl', fc(`#o := ${repeated('1', n, ' + ')};`)],
  'a chain of AND': (n) => ['scl', fc(`#p := ${repeated('#b', n, ' AND ')};`)],
  'a chain of comparisons': (n) => ['scl', fc(`#p := ${repeated('#a', n, ' = ')};`)],
  'a chain of powers': (n) => ['scl', fc(`#o := ${repeated('#a', n, ' ** ')};`)],
  'a chain of assignments': (n) => ['scl', fc(`${repeated('#o := ', n)}#a;`)],
  'a path': (n) => ['scl', fc(`#o := #a${repeated('.a', n)};`)],
  'a path that is called': (n) => ['scl', fc(`#a${repeated('.a', n)}();`)],
  indices: (n) => ['scl', fc(`#o := #a${repeated('[1]', n)};`)],
  dereferences: (n) => ['scl', fc(`#o := #a${repeated('^', n)};`)],
  'calls of results': (n) => ['scl', fc(`#o := #a${repeated('()', n)};`)],
  signs: (n) => ['scl', fc(`#o := ${repeated('-', n)}#a;`)],
  negations: (n) => ['scl', fc(`#p := ${repeated('NOT ', n)}#b;`)],
  brackets: (n) => ['scl', fc(`#o := ${repeated('(', n)}#a${repeated(')', n)};`)],
  'indices in indices': (n) => ['scl', fc(`#o := ${repeated('#a[', n)}1${repeated(']', n)};`)],
  'calls in calls': (n) => ['scl', fc(`#o := ${repeated('ABS(', n)}#a${repeated(')', n)};`)],
  'inputs of a function': (n) => ['scl', fc(`#o := MAX(${repeated('#a', n, ', ')});`)],
  'IF in IF': (n) => ['scl', fc(`${repeated('IF #b THEN ', n)}${repeated('END_IF; ', n)}`)],
  'IF in ELSE': (n) => ['scl', fc(`${repeated('IF #b THEN ; ELSE ', n)}${repeated('END_IF; ', n)}`)],
  ELSIF: (n) => ['scl', fc(`IF #b THEN ; ${numbered(n, (i) => `ELSIF #a = ${i} THEN #o := ${i}; `)}END_IF;`)],
  loops: (n) => ['scl', fc(`${repeated('WHILE #b DO ', n)}${repeated('END_WHILE; ', n)}`)],
  regions: (n) => ['scl', fc(`${repeated('REGION a\n', n)}${repeated('END_REGION\n', n)}`)],
  'branches of CASE': (n) => ['scl', fc(`CASE #a OF ${numbered(n, (i) => `${i}: #o := ${i}; `)}END_CASE;`)],
  pragmas: (n) => ['scl', fc(`${repeated('{', n)}${repeated('}', n)} #o := 1;`)],
  namespaces: (n) => ['scl', `${repeated('NAMESPACE a\n', n)}${fc('')}${repeated('END_NAMESPACE\n', n)}`],
  structures: (n) => ['udt', type(`${repeated('a : Struct\n', n)}b : Int;\n${repeated('END_STRUCT;\n', n)}`)],
  'arrays of arrays': (n) => ['udt', type(`a : ${repeated('Array[0..1] of ', n)}Int;`)],
  dimensions: (n) => ['udt', type(`a : Array[${repeated('0..1', n, ', ')}] of Int;`)],
  'types of types': (n) => [
    'udt',
    numbered(n >> 3, (i) => type(`a : ${i + 1 < n >> 3 ? `"T${i + 1}"` : 'Int'};`).replace('"T"', `"T${i}"`)),
  ],
  'start values': (n) => ['db', data(`a : Array[0..1] of Int := ${repeated('[', n)}1${repeated(']', n)};`)],
  'paths of start values': (n) => ['db', data('a : Int;', `a${repeated('.a', n)} := 1;\na${repeated('[1]', n)} := 1;`)],
  'brackets in STL': (n) => ['awl', list(`${repeated('A(;\n', n)}A #b;\n${repeated(');\n', n)}= #p;`)],
  'logic in STL': (n) => ['awl', list(`${repeated('A #b;\n', n)}= #p;`)],
  'arithmetic in STL': (n) => ['awl', list(`L #a;\n${repeated('L #a;\n+I;\n', n)}T #o;`)],
  'a path in STL': (n) => ['awl', list(`L #a${repeated('.a', n)};`)],
  'contacts in series': (n) => ['xml', rung(n, true)],
  'contacts in parallel': (n) => ['xml', rung(n, false)],
  'elements of XML': (n) => ['xml', `<Document>${repeated('<a>', n)}${repeated('</a>', n)}</Document>`],
  'brackets in SIMATIC SD': (n) => ['s7dcl', fc(`#o := ${repeated('(', n)}#a${repeated(')', n)};`)],
}

async function passAll(name: string, [ending, text]: readonly [string, string]): Promise<boolean> {
  const files = [{ path: `a.${ending}`, text }]
  const input = await passInput(files)
  for (const [pass, run] of Object.entries(programPasses)) {
    // Each mutant is a whole text: there are as many as operators.
    if (pass === 'mutants' && text.length > 3_000) continue
    try {
      await run(input)
    } catch (error) {
      assert.fail(`${name}, ${pass}: ${(error as Error).stack?.slice(0, 600)}`)
    }
  }
  const { findings } = await checked(input)
  for (const { code, message } of findings)
    assert.ok(code !== 'compiler-failure' && !/call stack/i.test(message), `${name}: ${message}`)
  for (const { message } of input.read.flatMap(({ faults }) => faults))
    assert.doesNotMatch(message, /call stack/i, name)
  return input.read.every(({ faults }) => faults.length === 0)
}

for (const [name, make] of Object.entries(deep))
  test(`deep: ${name}`, async () => {
    await passAll(name, make(1000))
    await passAll(name, make(190))
  })

test('chains of 499 parts are compiled, also where statements and brackets are as deep as they may be', async () => {
  for (const name of ['a sum', 'a chain of AND', 'ELSIF', 'contacts in series']) {
    const [ending, text] = deep[name]!(499)
    const { findings } = await checked({ files: [{ path: `a.${ending}`, text }] })
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'error'),
      [],
      name,
    )
  }
  const inside = `${repeated('IF #b THEN ', 190)}#o := ${repeated('#a', 490, ' + ')}; ${repeated('END_IF; ', 190)}`
  const { findings } = await checked({ files: [{ path: 'a.scl', text: fc(inside) }] })
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    [],
  )
})

test('what the compiler has no room for is said, and the other blocks are compiled', async () => {
  const text = fc(`#o := MAX(${repeated('#a', 5000, ', ')});`)
  const files = [{ path: 'a.scl', text: text + fc('#o := "x";').replace('"F"', '"G"') }]
  const { findings } = await checked({ files })
  assert.deepEqual(
    findings
      .filter(({ code }) => /^(code-too-deep|missing-name)$/.test(code))
      .map(({ code, object }) => [code, object]),
    [
      ['code-too-deep', 'F'],
      ['missing-name', 'G'],
    ],
  )
})

test('70 000 statements in one line are compiled', async () => {
  const { findings } = await checked({ files: [{ path: 'a.scl', text: fc(repeated('#o := #a;', 70_000)) }] })
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    [],
  )
})

test('YAML of 100 000 brackets is refused where it is too deep', () => {
  const brackets = '['.repeat(100_000)
  const expected = { line: 1, message: /nested deeper than 50 levels/ }
  for (const { faults } of [readConfig(`devices: ${brackets}`), readTests('a.test.yml', `block: ${brackets}`)]) {
    assert.equal(faults.length, 1)
    assert.equal(faults[0]!.line, expected.line)
    assert.match(faults[0]!.message, expected.message)
  }
  return assert.rejects(readResources(`MultiLingualTexts: ${brackets}`), (error) => {
    assert.ok(error instanceof FormatError)
    assert.match(error.faults[0]!.message, expected.message)
    return true
  })
})
