/** What the thread of the language server answers to orders, one after the other. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startThread } from '../../core/index.ts'
import type { CheckAnswer, CheckOrder } from './check-thread.ts'

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })
const settings = (text: string) => ({ sheets: [], hardware: [], config: text, configFile: 'gantry.yaml' })
const main = file('b.scl', 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Calc"();\n  "Gone"();\nEND_ORGANIZATION_BLOCK\n')
const calc = file('a.scl', 'FUNCTION "Calc" : Void\nBEGIN\n  #x := 1;\nEND_FUNCTION\n')

test('checks of a folder as it changes: files, settings, and nothing at all', async (t) => {
  const thread = startThread(new URL('./check-thread.ts', import.meta.url), {})
  t.after(() => thread.terminate())
  let id = 0
  const check = async (order: Partial<CheckOrder>): Promise<CheckAnswer> => {
    const told = once(thread, 'message')
    thread.postMessage({ id: ++id, set: [], removed: [], ...order })
    const [answer] = (await told) as [CheckAnswer]
    assert.equal(answer.id, id)
    return answer
  }
  const found = async (order: Partial<CheckOrder>) => {
    const { findings, ...more } = await check(order)
    assert.deepEqual(Object.keys(more), ['id'], JSON.stringify(more))
    const told = findings!.filter(({ severity }) => severity !== 'information')
    return told.map((one) => `${one.file}:${one.line} ${one.code}`)
  }
  // Nothing was read yet: that is no failure, and nothing is found.
  assert.deepEqual(await check({}), { id: 1, findings: [] })
  const [undeclared, unknown, missing] = ['a.scl:3 undeclared', 'b.scl:4 missing-block', 'b.scl:3 missing-block']
  assert.deepEqual(await found({ set: [main, calc] }), [undeclared, unknown])
  // Another text of a file, the file gone, and there again.
  assert.deepEqual(await found({ set: [file('a.scl', 'FUNCTION "Calc" : Void\nBEGIN\nEND_FUNCTION\n')] }), [unknown])
  assert.deepEqual(await found({ removed: ['a.scl'] }), [missing, unknown])
  assert.deepEqual(await found({ set: [calc] }), [undeclared, unknown])
  // Settings count until there are others, for files that did not change too.
  assert.deepEqual(await found({ rest: settings('ignore: [a.scl]\n') }), [missing, unknown])
  assert.deepEqual(await found({}), [missing, unknown])
  const wrong = await check({ rest: settings('rules:\n  no-such-rule: error\n') })
  assert.deepEqual(Object.keys(wrong), ['id', 'faults', 'configFile'])
  assert.deepEqual(
    [wrong.configFile, ...wrong.faults!.map(({ line, column, message }) => `${line}:${column} ${message}`)],
    ['gantry.yaml', '2:3 there is no rule "no-such-rule".'],
  )
  // After settings that were wrong everything is checked again.
  assert.deepEqual(await found({ rest: settings('ignore: []\n') }), [undeclared, unknown])
  // Files that nothing is checked of, as the last of them are gone: what was found before is over.
  assert.deepEqual(await check({ rest: settings('ignore: [a.scl, b.scl]\n') }), { id, findings: [] })
  assert.deepEqual(await check({ removed: ['a.scl', 'b.scl'] }), { id, findings: [] })
  // What comes while a check runs is checked after it, one answer for each.
  const answers: CheckAnswer[] = []
  thread.on('message', (answer: CheckAnswer) => answers.push(answer))
  const before = { ...settings(''), id: 100 }
  thread.postMessage({ id: 100, set: [main], removed: [], rest: before })
  thread.postMessage({ id: 101, set: [calc], removed: [] })
  while (answers.length < 2) await once(thread, 'message')
  assert.deepEqual(
    answers.map((one) => [one.id, one.findings?.map(({ code }) => code).includes('undeclared')]),
    [
      [100, false],
      [101, true],
    ],
  )
})
