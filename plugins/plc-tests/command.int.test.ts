/** `gantry test` as a process, and `plc-tests.run`. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { XMLParser } from 'fast-xml-parser'
import { launcher } from '../../test/built.ts'
import { coberturaDtd, dtdFaults, junitDtd } from '../../test/dtd.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { openPlant, writeWorkspace } from '../../test/plant.ts'

const source = `FUNCTION "Add" : Int
VAR_INPUT
  a : Int;
  b : Int;
END_VAR
BEGIN
  #Add := #a + #b;
END_FUNCTION
`
const good =
  'block: Add\ncases:\n  - name: adds <&> "1"\n    tags: [quick]\n    given: { a: 1, b: 2 }\n    steps: [{ run: 3 cycles, expect: { Return: 3 } }]\n'
const bad =
  'block: Add\ncases:\n  - name: wrong <&>\n    given: { a: 1 }\n    steps: [{ run: T#50ms, expect: { Return: "< 1" } }]\n'

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-test-')
  await mkdir(join(dir, 'sub'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  return dir
}

function run(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [launcher, 'test', ...args], { cwd }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('exit codes, and the report for people', async (t) => {
  const dir = await folder(t, { 'Add.scl': source, 'sub/a.test.yml': good })
  const passed = await run(dir)
  assert.deepEqual([passed.code, passed.stdout, passed.stderr], [0, '1 passed, 0 failed, 0 with errors\n', ''])
  const verbose = await run(dir, '--verbose')
  assert.equal(
    verbose.stdout,
    'ok    sub/a.test.yml: adds <&> "1"  (3 cycles, T#20ms)\n1 passed, 0 failed, 0 with errors\n',
  )
  const report = await run(dir, '--format', 'junit')
  assert.equal(report.stderr, '1 passed, 0 failed, 0 with errors\n')
  await writeFile(join(dir, 'b.test.yml'), bad)
  const failed = await run(dir)
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /b\.test\.yml:5:38: step 1 at T#40ms\n {6}Return is 1; expected < 1\.\n/)
  assert.match(failed.stdout, /the last 5 cycles:\n {6}a {7}▁▁▁▁▁ {2}1\n {6}Return {2}▁▁▁▁▁ {2}1\n/)
  assert.equal((await run(dir, '--tag', 'quick')).code, 0)
  assert.equal((await run(dir, '--name', 'WRONG')).code, 1)
  const none = await run(dir, '--name', 'nothing')
  assert.deepEqual([none.code, /No case ran: none of the 2 has a name with "nothing"/.test(none.stderr)], [2, true])
  await writeFile(join(dir, 'c.test.yml'), 'block: Add\ncases:\n  - nam: x\n')
  const faulty = await run(dir)
  assert.equal(faulty.code, 2, 'the other files ran')
  assert.match(faulty.stdout, /c\.test\.yml:3:5: a case has no field "nam"; do you mean "name"\?/)
  assert.match(faulty.stdout, /1 passed, 1 failed, 0 with errors, 1 test file not read/)
  assert.equal((await run(dir, '--format', 'xml')).code, 2)
  assert.equal((await run(dir, 'missing')).code, 3)
  assert.equal((await run(join(dir, 'sub'), '..', '--tag', 'quick', '--format', 'json')).code, 2)
})

test('reports in JUnit, TAP and JSON', async (t) => {
  const files = { 'Add.scl': source, 'sub/a.test.yml': good, 'b.test.yml': bad, 'c.test.yml': 'block: Add\n' }
  const dir = await folder(t, files)
  const written = await run(dir, '--format', 'junit', '--out', 'report.xml')
  assert.deepEqual([written.code, written.stdout], [2, ''])
  const xml = await readFile(join(dir, 'report.xml'), 'utf8')
  assert.deepEqual(dtdFaults(xml, junitDtd), [])
  const parsed = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  }).parse(xml).testsuites
  assert.deepEqual([parsed['@_tests'], parsed['@_failures'], parsed['@_errors']], ['3', '1', '1'])
  assert.deepEqual(
    Object.keys(parsed).filter((one) => !one.startsWith('@_')),
    ['testsuite'],
  )
  type Case = Record<string, unknown> & { failure?: Record<string, string>; error?: Record<string, string> }
  const suites = parsed.testsuite as (Record<string, string> & { testcase: Case[] })[]
  assert.deepEqual(
    suites.map((one) => [one['@_name'], one['@_tests'], one['@_failures'], one['@_errors'], one['@_skipped']]),
    [
      ['b.test.yml', '1', '1', '0', '0'],
      ['sub/a.test.yml', '1', '0', '0', '0'],
      ['c.test.yml', '1', '0', '1', '0'],
    ],
  )
  for (const { testcase } of suites)
    for (const one of testcase) {
      assert.ok(one['@_name'] && one['@_classname'])
      assert.match(String(one['@_time']), /^\d+(\.\d+)?$/)
    }
  const [failed, passed, fault] = suites.map(({ testcase }) => testcase[0])
  assert.equal(failed?.failure?.['@_message'], 'Return is 1; expected < 1.')
  assert.deepEqual([passed?.failure, passed?.error], [undefined, undefined])
  assert.match(fault?.error?.['@_message'] ?? '', /"cases" is a list/)

  const tap = (await run(dir, '--format', 'tap')).stdout
  const lines = tap.split('\n')
  assert.deepEqual(lines.slice(0, 3), ['TAP version 14', '1..3', 'not ok 1 - b.test.yml: wrong <&>'])
  assert.equal(lines.filter((line) => /^(not )?ok \d+ - /.test(line)).length, 3)
  assert.equal(lines.filter((line) => line === '  ---').length, lines.filter((line) => line === '  ...').length)

  const json = JSON.parse((await run(dir, '--format', 'json')).stdout)
  assert.deepEqual(
    json.results.map(({ name, status }: Record<string, string>) => `${name} ${status}`),
    ['wrong <&> failed', 'adds <&> "1" passed'],
  )
  assert.equal(json.faults[0].file, 'c.test.yml')
})

test('coverage, HTML, changed tests, mutation and made tests', async (t) => {
  const spare = source.replace('"Add"', '"Spare"').replace('#Add', '#Spare')
  const dir = await folder(t, {
    'Add.scl': source,
    'Spare.scl': spare,
    'sub/a.test.yml': good,
    'spare.test.yml':
      'block: Spare\ncases:\n  - { name: spare, given: { b: 1 }, steps: [{ run: 1 cycle, expect: { Return: 1 } }] }\n',
  })
  const coverage = await run(
    ...[dir, '--coverage-lcov', 'c.info', '--coverage-cobertura', 'c.xml', '--coverage-html', 'c.html', '--jobs', '1'],
    ...['--format', 'html', '--out', 'r.html'],
  )
  assert.equal(coverage.code, 0, coverage.stderr)
  assert.match(coverage.stderr, /all +100\.0 % \(2\/2\)/)
  assert.match(await readFile(join(dir, 'c.info'), 'utf8'), /^TN:\nSF:Add\.scl\n/)
  assert.deepEqual(dtdFaults(await readFile(join(dir, 'c.xml'), 'utf8'), coberturaDtd), [])
  assert.match(await readFile(join(dir, 'c.html'), 'utf8'), /^<!doctype html>.*Coverage/s)
  assert.match(await readFile(join(dir, 'r.html'), 'utf8'), /<td class="passed">passed<\/td>/)

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dir, stdio: 'ignore' })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  await writeFile(join(dir, 'Spare.scl'), spare.replace('#a + #b', '#b + #a'))
  const changed = await run(dir, '--changed-since', 'HEAD', '--verbose')
  assert.match(
    changed.stdout,
    /^ok {4}spare\.test\.yml: spare .*\n1 passed, 0 failed, 0 with errors, 1 not selected\n$/,
  )
  const unknown = await run(dir, '--changed-since', 'no-such')
  assert.deepEqual([unknown.code, /--changed-since no-such: /.test(unknown.stderr)], [2, true])

  const mutated = await run(dir, '--mutate', '--format', 'json')
  assert.equal(mutated.code, 1, mutated.stderr)
  const { killed, survived } = JSON.parse(mutated.stdout)
  assert.ok(killed > 0)
  assert.deepEqual(
    survived.map((one: Record<string, unknown>) => `${one.file}:${one.line} ${one.after}`),
    ['Spare.scl:7 #b - #a'],
  )
  assert.equal((await run(dir, '--mutate', '--format', 'tap')).code, 2)

  await writeFile(join(dir, 'trace.csv'), 'cycle,time,M,N\n1,2026-01-01T00:00:00Z,1,2\n')
  const short = await run(dir, '--generate', 'trace.csv', '--inputs', 'M')
  assert.deepEqual([short.code, /fewer than two samples/.test(short.stderr)], [2, true])
  assert.equal((await run(dir, '--generate', 'missing.csv')).code, 3)
  assert.match((await run(dir, '--generate', 'Add.scl')).stderr, /neither a design spec nor a trace/)
})

test('plc-tests.run runs the tests of a folder of the workspace', async (t) => {
  const gateway = await openPlant(t)
  await writeWorkspace(gateway, {
    'plant/Add.scl': source,
    'plant/sub/a.test.yml': good,
    'plant/b.test.yml': bad,
    'empty/Add.scl': source,
  })
  const { call } = gateway
  const all = await call<{ passed: boolean; counts: object; results: { name: string; status: string }[] }>(
    'plc-tests.run',
    { path: 'plant' },
  )
  assert.deepEqual([all.passed, all.counts], [false, { passed: 1, failed: 1, error: 0, skipped: 0, notSelected: 0 }])
  const failed = await call<{ results: { name: string }[]; omitted: number }>('plc-tests.run', {
    ...{ path: 'plant', show: 'failed' },
  })
  assert.deepEqual([failed.results.map(({ name }) => name), failed.omitted], [['wrong <&>'], 1])
  const quick = await call<{ passed: boolean }>('plc-tests.run', { path: 'plant', tags: ['quick'] })
  assert.equal(quick.passed, true)
  await assert.rejects(call('plc-tests.run', { path: 'nowhere' }), /nothing at "nowhere"/)
  await assert.rejects(call('plc-tests.run', { path: 'plant/b.test.yml' }), /is a file/)
  await assert.rejects(call('plc-tests.run', { path: 'empty' }), /holds no tests/)
})
