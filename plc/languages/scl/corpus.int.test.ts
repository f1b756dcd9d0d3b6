/** Parses every SCL text of the corpus, and its small IEC programs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { publicDir, vectorsFile } from '../../../test/corpus.ts'
import { fixtureObjects, objectsIn, type RealObject } from '../../../test/corpus-objects.ts'
import { LineIndex } from '../../model/fault.ts'
import { parseScl } from './parser.ts'

/** Texts that are not valid SCL, with the wrong word. */
const wrongTexts: Readonly<Record<string, RegExp>> = {
  // A function block that ends with END_FUNCTION.
  ValveControl_1_way: /END_FUNCTION/,
  // `IN:= t_open NOT statusOpen`.
  ValveControl_2_way: /NOT/,
}

function faultsOf(name: string, text: string): string[] {
  const lines = new LineIndex(text)
  return parseScl(text).diagnostics.map(({ message, start }) => {
    const { line, column } = lines.at(start)
    return `${name} ${line}:${column} ${message}`
  })
}

function* texts(objects: readonly RealObject[]): Generator<{ readonly name: string; readonly text: string }> {
  for (const { object } of objects)
    for (const { text, language } of object.networks)
      if (language === 'SCL' && text !== undefined) yield { name: object.name, text }
}

test('the sample project parses without a fault', async () => {
  let count = 0
  for (const { name, text } of texts(await fixtureObjects())) {
    count++
    assert.deepEqual(faultsOf(name, text), [])
  }
  assert.ok(count >= 6)
})

test('every SCL text of the corpus parses without a fault', async (t) => {
  let count = 0
  for (const { name, text } of texts(await objectsIn(publicDir))) {
    count++
    const faults = faultsOf(name, text)
    const wrong = wrongTexts[name]
    if (wrong === undefined) assert.deepEqual(faults, [])
    else assert.match(faults[0] ?? '', wrong)
  }
  t.diagnostic(`${count} texts`)
})

test('the bodies of the IEC programs parse without a fault', (t) => {
  let count = 0
  for (const line of readFileSync(vectorsFile, 'utf8').split('\n')) {
    if (line === '') continue
    const { name, src } = JSON.parse(line) as { name: string; src: string }
    const statements = src.replace(/\bVAR(?:_\w+)?\b[\s\S]*?END_VAR|\bTYPE\b[\s\S]*?END_TYPE/g, '')
    for (const [, , body] of statements.matchAll(
      /\b(PROGRAM|FUNCTION_BLOCK|FUNCTION)\s+\w+(?:\s*:\s*\w+)?\s([\s\S]*?)END_\1/g,
    )) {
      count++
      assert.deepEqual(faultsOf(name, body ?? ''), [])
    }
  }
  t.diagnostic(`${count} bodies`)
})
