/** What the rules find in sources with one wrong word and not in the right ones, or the other way round. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { importFile } from '../formats/import.ts'
import type { ImportedObject } from '../model/object.ts'
import { linkProgram } from '../program/link-program.ts'
import { damagedSource, tableOfAnswers } from '../testing/damage.ts'
import { changedLines } from '../testing/outline.ts'
import { defaultConfig, type RuleSetting } from './config.ts'
import { ReviewedProgram } from './reviewed-program.ts'
import { rules } from './rules.ts'
import { review } from './run-rules.ts'

const config = {
  ...defaultConfig,
  rules: new Map(rules.map(({ code }): [string, RuleSetting] => [code, { severity: 'warning', options: {} }])),
}

function findingsIn(objects: readonly ImportedObject[]): string[] {
  const tables = objects.flatMap(({ name, tags, constants = [] }) =>
    tags === undefined ? [] : [{ name, tags, constants }],
  )
  const blocks = objects.filter(({ tags }) => tags === undefined)
  const program = linkProgram(
    blocks.map((object) => ({ object })),
    tables,
  )
  const { findings, suppressed } = review(new ReviewedProgram(program, objects), [], config)
  const line = ({ code, object, message }: (typeof findings)[number]) => `${code} in ${object}: ${message}`
  return [...findings.map(line), ...suppressed.map((one) => `accepted ${line(one)}`)]
}

test('a wrong word changes only what the rules say of it', async () => {
  const read = async (path: string) => {
    const { objects } = await importFile(readFileSync(new URL(`./fixtures/folder/${path}`, import.meta.url)), { path })
    return objects
  }
  const tags = await read('tags.xml')
  const told: string[] = []
  for (const path of ['cell.scl', 'guards.scl']) {
    const text = readFileSync(new URL(`./fixtures/folder/${path}`, import.meta.url), 'utf8')
    const whole = findingsIn([...tags, ...(await read(path))])
    assert.ok(whole.length > 5, path)
    const answers = new Map<string, string[]>()
    const damages = damagedSource(text)
    for (const { text: damaged } of damages) {
      const { objects, faults } = await importFile(Buffer.from(damaged), { path })
      const found = faults.length > 0 ? whole : findingsIn([...tags, ...objects])
      answers.set(damaged, changedLines(whole, found, 2))
    }
    const changing = damages.filter(({ text: damaged }) => (answers.get(damaged) ?? []).length > 0)
    told.push(
      `── ${path}\n`,
      tableOfAnswers(changing, (damaged) => answers.get(damaged) ?? []),
    )
  }
  assertRecorded(import.meta.url, 'damaged.txt', told.join(''))
})

test('nothing is mended in statements that cannot be read', async () => {
  const fixesOf = async (code: string) => {
    const text = `FUNCTION "F" : Void\nVAR_TEMP\n  a : Bool;\n  q : Bool;\nEND_VAR\nBEGIN\n${code}\nEND_FUNCTION\n`
    const { objects } = await importFile(Buffer.from(text), { path: 'f.scl' })
    const program = linkProgram(
      objects.map((object) => ({ object })),
      [],
    )
    const { findings } = review(new ReviewedProgram(program, objects), [], config)
    return findings.filter(({ code: one }) => one === 'bool-compared').map(({ fix }) => fix?.edits[0]?.text)
  }
  assert.deepEqual(await fixesOf('#q := #a = TRUE;'), ['#a'])
  assert.deepEqual(await fixesOf('#q := #a = TRUE;\n#q := ;'), [undefined])
  assert.deepEqual(await fixesOf('IF = TRUE THEN #q := #a; END_IF;'), [undefined])
})
