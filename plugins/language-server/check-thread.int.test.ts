/** What the thread of the language server answers to orders, one after the other, and of which files of a folder. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startThread } from '../../core/index.ts'
import { temporaryFolder } from '../../test/folder.ts'
import type { CheckAnswer, CheckOrder } from './check-thread.ts'
import { EditedFolder } from './folder.ts'

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

test('the plugins that the settings name are loaded in the thread', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-thread-')
  await mkdir(join(dir, 'plant'))
  await writeFile(
    join(dir, 'plant/index.ts'),
    `export default ({ definePlugin, extend }: any, { reviewRule }: any) => definePlugin({ name: 'plant', version: '1.0.0', extensions: [extend(reviewRule, { code: 'plant.seen', group: 'logic', severity: 'warning', title: 'T', why: 'W', fails: '', passes: '', check({ code }: any, report: any) { for (const one of code) report(one, {}, 'seen') } })] })`,
  )
  const thread = startThread(new URL('./check-thread.ts', import.meta.url), {})
  t.after(() => thread.terminate())
  const check = async (config: string): Promise<CheckAnswer> => {
    const told = once(thread, 'message')
    thread.postMessage({ id: 1, set: [calc], removed: [], rest: settings(config), root: dir })
    const [answer] = (await told) as [CheckAnswer]
    return answer
  }
  const codesOf = ({ findings = [] }: CheckAnswer) =>
    findings.map(({ code }) => code).filter((code) => /plant/.test(code))
  assert.deepEqual(codesOf(await check('plugins: plant\n')), ['plant.seen'])
  assert.deepEqual(codesOf(await check('plugins: plant\nrules: { plant.seen: off }\n')), [])
  assert.deepEqual(codesOf(await check('')), [])
  assert.deepEqual((await check('plugins: [gone]\n')).faults, [
    { line: 1, column: 11, message: 'the plugin "gone" cannot be used: there is no such folder.' },
  ])
})

test('a folder is checked with what is typed, else with what its files have, and with its settings', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-folder-'))
  const text = (statement: string) => `FUNCTION "Calc" : Void\nBEGIN\n  ${statement}\nEND_FUNCTION\n`
  const put = (path: string, content: string) => writeFile(join(dir, path), content)
  let heard = (_: CheckAnswer) => {}
  const failures: string[] = []
  const folder = new EditedFolder(dir, {
    checked: (of, answer) => {
      assert.equal(of, folder)
      heard(answer)
    },
    failed: (message) => failures.push(message),
  })
  t.after(async () => {
    folder.end()
    await rm(dir, { recursive: true })
  })
  /** Does something, and tells the errors of the check that follows. */
  const after = async (change: () => unknown) => {
    const told = new Promise<CheckAnswer>((resolve) => {
      heard = resolve
    })
    await change()
    const { findings = [], faults, reason, configFile } = await told
    if (faults) return `${configFile}: ${faults[0]?.message}`
    const errors = findings.filter(({ severity }) => severity === 'error')
    return reason ?? errors.map(({ file, line }) => `${file}:${line}`).join(' ')
  }
  const uri = folder.uriOf('a.scl')
  assert.equal(uri, pathToFileURL(join(dir, 'a.scl')).href)
  await put('a.scl', text('#x := 1;'))
  assert.equal(await after(() => folder.load()), 'a.scl:3')
  assert.equal(await after(() => folder.edit('a.scl', uri, text(';'))), '')
  // Its file, and all others, may be read meanwhile: what is typed counts.
  await put('b.scl', text('#y := 1;').replace('Calc', 'Other'))
  assert.equal(await after(() => folder.load()), 'b.scl:3')
  assert.equal(folder.service.files.textOf('a.scl'), text(';'))
  assert.equal(await after(() => folder.close('a.scl')), 'a.scl:3 b.scl:3')
  assert.equal(folder.service.files.textOf('a.scl'), text('#x := 1;'))
  await rm(join(dir, 'b.scl'))
  assert.equal(await after(() => folder.reread('b.scl')), 'a.scl:3')
  assert.deepEqual([...folder.service.files.paths], ['a.scl'])
  await put('gantry.yaml', 'ignore: [a.scl]\n')
  assert.equal(await after(() => folder.reread('gantry.yaml')), '')
  await put('gantry.yaml', 'ignor: []\n')
  assert.match(await after(() => folder.reread('gantry.yaml')), /^gantry\.yaml: there is no field "ignor"/)
  await rm(join(dir, 'gantry.yaml'))
  assert.equal(await after(() => folder.reread('gantry.yaml')), 'a.scl:3')
  // A text that is not one, and what is no program.
  await put('c.scl', '\u0000\uFFFD')
  await folder.reread('notes.txt')
  folder.edit('notes.txt', folder.uriOf('notes.txt'), 'text')
  assert.equal(folder.service.files.textOf('notes.txt'), undefined)
  const xml = `<Document><SW.Blocks.GlobalDB ID="0"><AttributeList><Name>D</Name><ProgrammingLanguage>DB</ProgrammingLanguage></AttributeList></SW.Blocks.GlobalDB></Document>`
  await put('d.xml', xml)
  assert.equal(await after(() => folder.load()), 'a.scl:3 c.scl:1')
  const { files } = folder.service
  const known = () => ['a.scl', 'c.scl', 'd.xml'].filter((path) => files.textOf(path) ?? files.declaredBy(path))
  assert.deepEqual(known(), ['a.scl', 'd.xml'])
  assert.equal(folder.service.files.textOf('c.scl'), undefined)
  await rm(join(dir, 'd.xml'))
  assert.equal(await after(() => folder.load()), 'a.scl:3 c.scl:1')
  assert.deepEqual(known(), ['a.scl'])
  await put('a.scl', '\u0000')
  assert.equal(await after(() => folder.reread('a.scl')), 'a.scl:1 c.scl:1')
  assert.deepEqual(known(), [])
  // A text that is open is not read from its file; another file that is open is.
  await put('d.xml', xml)
  folder.edit('d.xml', folder.uriOf('d.xml'), '')
  folder.edit('a.scl', uri, text(';'))
  assert.equal(await after(() => folder.load()), 'c.scl:1')
  assert.deepEqual([known(), files.textOf('a.scl')], [['a.scl', 'd.xml'], text(';')])
  assert.deepEqual(failures, [])
})

test('files are in a folder by their addresses; those of no folder keep their address', () => {
  const none = { checked: () => {}, failed: () => {} }
  // As each system writes it: /plant/PLC 1, or C:\plant\PLC 1.
  const plant = pathToFileURL(resolve('/plant')).href
  const folder = new EditedFolder(resolve('/plant/PLC 1'), none)
  const paths = [`${plant}/PLC%201/a/b.scl`, `${plant}/PLC%201`, `${plant}/x.scl`, 'untitled:1']
  assert.deepEqual(
    paths.map((one) => folder.pathOf(one)),
    ['a/b.scl', undefined, undefined, undefined],
  )
  assert.deepEqual(
    ['file://server/a', `${plant}/PLC%201/..x/%2F`].map((one) => folder.pathOf(one)),
    [undefined, undefined],
  )
  assert.equal(folder.uriOf('a/b ä.scl'), `${plant}/PLC%201/a/b%20%C3%A4.scl`)
  const loose = new EditedFolder(undefined, none)
  assert.deepEqual([loose.pathOf('untitled:1'), loose.uriOf('untitled:1')], ['untitled:1', 'untitled:1'])
  folder.end()
  loose.end()
})
