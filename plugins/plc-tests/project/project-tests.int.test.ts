/** Tests of the open project: written, listed, read, run, taken back, saved and opened, exported and imported. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what they hold
type Answer = Record<string, any>

const on = { deviceName: 'PLC_1' }
const motor = `program: true
tags: [motor]
cases:
  - name: starts and stops
    steps:
      - set: { Start: true }
        run: 1 cycle
        expect: { Run: true }
      - set: { Start: false, Stop: true }
        run: 1 cycle
        expect: { Run: false }
`
const wrong = motor.replace('Run: false', 'Run: true').replace('starts and stops', 'goes on')

async function withProgram(t: TestContext) {
  const at = await openTestGateway(t)
  const call = at.call as <T = Answer>(id: string, input?: object) => Promise<T>
  await call('projects.create', { name: 'Line' })
  await call('devices.add', { orderNumber: '6ES7 511-1AK02-0AB0', name: 'PLC_1' })
  const tag = (name: string, logicalAddress: string) => ({ name, dataType: 'Bool', logicalAddress })
  await call('tags.import', { ...on, tags: [tag('Start', '%I0.0'), tag('Stop', '%I0.1'), tag('Run', '%Q0.0')] })
  const code = '"Run" := ("Start" OR "Run") AND NOT "Stop";'
  await call('blocks.create', { ...on, name: 'Main', type: 'OB', language: 'SCL', code })
  return { ...at, call }
}

test('a test is written, listed, read, run, replaced and deleted', async (t) => {
  const { call } = await withProgram(t)
  const made = await call('plc-tests.write', { ...on, testName: 'motor', content: motor })
  assert.deepEqual(
    [made.name, made.file, made.cases, made.action, made.tests],
    ['motor', 'motor.test.yml', 1, 'created', [{ name: 'starts and stops', tags: ['motor'], line: 4 }]],
  )
  assert.equal((await call('plc-tests.write', { ...on, testName: 'motor', content: motor })).action, 'unchanged')
  // As clients name files, and as models send texts.
  const fenced = { ...on, name: 'Other.test.yml', yaml: `\`\`\`yaml\n${wrong}\`\`\`` }
  assert.equal((await call('plc-tests.write', fenced)).name, 'Other')
  const { tests, total } = await call('plc-tests.list', on)
  assert.deepEqual([total, tests.map((one: Answer) => one.name)], [2, ['motor', 'Other']])
  assert.equal((await call('plc-tests.list')).total, 2)
  assert.equal((await call('plc-tests.get', { ...on, testName: 'MOTOR' })).content, motor)

  const ran = await call('plc-tests.run', on)
  assert.deepEqual([ran.passed, ran.counts.passed, ran.counts.failed, ran.faults], [false, 1, 1, []])
  const failed = ran.results.find(({ status }: Answer) => status === 'failed')
  assert.deepEqual([failed.file, failed.name, failed.failures[0].line], ['Other.test.yml', 'goes on', 11])
  const one = await call('plc-tests.run', { names: ['starts'] })
  assert.deepEqual([one.passed, one.counts.passed, one.counts.notSelected], [true, 1, 1])

  assert.equal((await call('plc-tests.write', { ...on, testName: 'other', content: motor })).action, 'replaced')
  assert.equal((await call('plc-tests.run', on)).passed, true)
  await call('plc-tests.delete', { ...on, testName: 'other' })
  assert.deepEqual(
    (await call('plc-tests.list', on)).tests.map((each: Answer) => each.name),
    ['motor'],
  )
  await fails(call('plc-tests.get', { ...on, testName: 'moter' }), 'not_found', /Did you mean "motor"/)
})

test('faults of a test have their line and column, and nothing is kept', async (t) => {
  const { call } = await withProgram(t)
  const refused = async (content: string, detail: RegExp) => {
    const { details } = await fails(
      call('plc-tests.write', { ...on, testName: 'bad', content }),
      'unacceptable_content',
      detail,
    )
    return (details.errors ?? []).map(({ path, line, column }) => [path, line, column])
  }
  const misspelled = motor.replace('steps:', 'stepz:')
  assert.ok((await refused(misspelled, /line 5, column 5: .*stepz/)).some(([, line]) => line === 5))
  assert.ok((await refused('cases: [', /line 1, column/)).length > 0)
  assert.deepEqual(await refused(`stubs: [x.scl]\n${motor}`, /the stub "x.scl" needs a folder/), [['/content', 1, 9]])
  assert.equal((await call('plc-tests.list', on)).total, 0)
  await fails(
    call('plc-tests.write', { ...on, testName: 'a/b', content: motor }),
    'invalid_input',
    /must not contain "\/"/,
  )
  await fails(call('plc-tests.run', on), 'unacceptable_content', /"PLC_1" holds no tests/)
  await fails(call('plc-tests.run', { ...on, path: 'x' }), 'invalid_input', /beside deviceName/)
  await fails(call('plc-tests.write', { deviceName: 'PLC_9', testName: 'a', content: motor }), 'not_found', /PLC_9/)
})

test('undo and redo, save and open, export and import keep the tests', async (t) => {
  const { call } = await withProgram(t)
  const names = async () => (await call('plc-tests.list', on)).tests.map((one: Answer) => one.name)
  await call('plc-tests.write', { ...on, testName: 'motor', content: motor })
  await call('history.undo')
  assert.deepEqual(await names(), [])
  await call('history.redo')
  assert.deepEqual(await names(), ['motor'])
  await call('plc-tests.delete', { ...on, testName: 'motor' })
  await call('history.undo')
  assert.equal((await call('plc-tests.get', { ...on, testName: 'motor' })).content, motor)

  const { path } = (await call('projects.list')).projects[0]
  await call('projects.close', { save: true })
  await call('projects.open', { path })
  assert.deepEqual(await names(), ['motor'])
  assert.equal((await call('plc-tests.run', on)).passed, true)

  const out = await call('plc-tests.export', { ...on, exportPath: 'out' })
  assert.ok(out.files.includes('motor.test.yml') && out.files.length > 2)
  assert.equal((await call('plc-tests.run', { path: 'out' })).passed, true)
  await call('plc-tests.delete', { ...on, testName: 'motor' })
  const back = await call('plc-tests.import', { ...on, path: 'out' })
  assert.deepEqual(back.tests, [{ name: 'motor', file: 'motor.test.yml', action: 'created', cases: 1 }])
  assert.equal((await call('plc-tests.run', on)).passed, true)

  await call('devices.rename', { deviceName: 'PLC_1', newName: 'Line_A' })
  assert.equal((await call('plc-tests.run', { deviceName: 'Line_A' })).passed, true)
  await call('devices.delete', { deviceName: 'Line_A' })
  assert.equal((await call('plc-tests.list')).total, 0)
})
