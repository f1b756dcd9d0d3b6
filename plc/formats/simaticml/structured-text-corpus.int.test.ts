/** SCL text to XML as TIA Portal writes it: its own exports, and what no export of the corpus has. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../lib/optional.ts'
import { corpusBytes, corpusFiles } from '../../../test/corpus.ts'
import { importFile } from '../import.ts'
import type { CalleeLookup } from './callee.ts'
import { readSimaticMlText } from './read.ts'
import { writeStructuredText } from './structured-text-write.ts'
import { XmlWriter } from './xml-write.ts'

function written(code: string, callee?: CalleeLookup): string {
  const writer = new XmlWriter(0)
  const options = {
    version: 'V19',
    interface: [],
    culture: 'en-US',
    ...defined({ callee }),
  } as const
  writeStructuredText(writer, code, options)
  return writer.toString()
}

/** Elements with their attributes and texts, without numbers of elements and what is the default. */
function elements(xml: string): string[] {
  const found = xml.matchAll(/<(?!\/)([A-Za-z]+)((?: [A-Za-z]+="[^"]*")*)[^>]*>([^<]*)/g)
  return [...found]
    .map(([, name, attributes = '', text = '']) => {
      const own = attributes.replace(/ (UId|xmlns)="[^"]*"| Num="1"| (Inserted|NoClosingBracket)="false"/g, '')
      return `${name}${own}${text.trim() === '' ? '' : ` ${text}`}`
    })
    .filter((element) => !element.startsWith('BooleanAttribute') && !element.startsWith('StructuredText'))
}

/** Files of TIA Portal whose XML says more than the text. */
const saysMore = new Set([
  // A constant by its value, a template of an instruction with a type in its name.
  'SINA_SPEED_TLG20.xml',
  'AnalogInput.xml',
  // Line ends as tokens: made by another program.
  'FB100_EM_SupplyFan.xml',
])

test('the code of every export is written as TIA Portal wrote it', async (t) => {
  let networks = 0
  for (const file of corpusFiles()) {
    if (file.kind !== 'sml-block' || !file.grade.startsWith('A') || saysMore.has(file.file.split('/').pop() ?? ''))
      continue
    for (const { xml = '', networks: units, interface: sections } of (await importFile(corpusBytes(file))).objects) {
      const originals = [...xml.matchAll(/<StructuredText[^>]*>([\s\S]*?)<\/StructuredText>/g)].map(([, text]) => text)
      const texts = units.flatMap(({ language, text }) => (language === 'SCL' && text !== undefined ? [text] : []))
      if (originals.length !== texts.length) continue
      // What the XML calls, by the name in the text. A call that TIA Portal could not resolve has an instance, no name.
      const info = /<CallInfo (?:UId="\d+" )?(?:Name="([^"]+)" )?BlockType="(F[BC])"[^>]*>/
      const instance = /(?:\s*<Instance[^>]*>\s*<Component Name="([^"]+)")?/
      const calls = new Map(
        [...xml.matchAll(new RegExp(info.source + instance.source, 'g'))].map(
          (call) => [(call[3] ?? call[1]) as string, call] as const,
        ),
      )
      for (const [i, text] of texts.entries()) {
        const writer = new XmlWriter(0)
        const callee: CalleeLookup = (name) => {
          const [, type, kind] = calls.get(name) ?? []
          return kind === 'FB' ? { kind, name: type as string } : type === undefined ? undefined : { kind: 'FC' }
        }
        writeStructuredText(writer, text, { version: 'V19', interface: sections, culture: 'en-US', callee })
        assert.deepEqual(elements(writer.toString()), elements(originals[i] as string), file.file)
        networks++
      }
    }
  }
  t.diagnostic(`${networks} networks`)
  assert.ok(networks > 5)
})

/** The text that the XML reads as. */
function readAgain(xml: string): string | undefined {
  const unit = `<SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource>${xml}</NetworkSource><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit>`
  const file = `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>SCL</ProgrammingLanguage></AttributeList><ObjectList>${unit}</ObjectList></SW.Blocks.FC></Document>`
  return readSimaticMlText(file).objects[0]?.networks[0]?.text
}

test('data blocks of timers and edges are operands before the call, which has no instance', () => {
  const callee: CalleeLookup = (name) =>
    name === 'Edge_DB'
      ? { kind: 'FB', name: 'R_TRIG' }
      : name === 'Motor_DB'
        ? { kind: 'FB', name: 'Motor' }
        : undefined
  const shape = (code: string) => {
    const xml = written(code, callee)
    assert.equal(readAgain(xml), code)
    return elements(xml).slice(0, 6)
  }
  const operand = (name: string) => ['Access Scope="GlobalVariable"', 'Symbol', `Component Name="${name}"`]
  assert.deepEqual(shape('"Timer_DB".TON(IN := TRUE, PT := T#1s);'), [
    ...operand('Timer_DB'),
    'Token Text="."',
    'Access Scope="Call"',
    'Instruction Name="TON"',
  ])
  assert.deepEqual(shape('"Edge_DB"(CLK := TRUE);'), [
    ...operand('Edge_DB'),
    'Access Scope="Call"',
    'Instruction',
    'Token Text="("',
  ])
  assert.deepEqual(shape('"Motor_DB"(on := TRUE);').slice(0, 4), [
    'Access Scope="Call"',
    'CallInfo Name="Motor" BlockType="FB"',
    'Instance Scope="GlobalVariable"',
    'Component Name="Motor_DB"',
  ])
})

test('a sign is part of a literal, and of nothing else', () => {
  for (const [code, literals] of [
    ['#a := -100;', ['-100']],
    ['#a := #b -100;', ['100']],
    ['#a := #b[-1] * -2.5;', ['-1', '-2.5']],
    ['#a := LIMIT(MN := -1, IN := (-2) - 3, MX := -#b);', ['-1', '-2', '3']],
    ['CASE #a OF\n  -5..-1: RETURN;\nEND_CASE;', ['-5', '-1']],
    ['#a := 2 MOD -3;', ['2', '-3']],
    ['#a := - 100;', ['100']],
  ] as const) {
    const xml = written(code)
    assert.deepEqual(
      [...xml.matchAll(/<ConstantValue[^>]*>([^<]*)/g)].map(([, value]) => value),
      literals,
      code,
    )
    assert.equal(readAgain(xml), code)
  }
})
