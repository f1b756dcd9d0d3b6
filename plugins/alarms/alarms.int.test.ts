/** Alarms of a downloaded program through the operations: texts, classes, lists, stream, acknowledgement, audit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { createServer, listen } from '../../test/http-server.ts'
import { type Answer, newProject, plc, withController } from '../../test/online.ts'
import { textUntil, until } from '../../test/until.ts'

const program = `
FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  hot : Bool;
  degrees : Int;
  mode : USInt;
END_VAR
VAR
  tooHot {InstructionName := 'Program_Alarm'; LibVersion := '1.0'} : Program_Alarm; // The motor is too hot
END_VAR
BEGIN
  #tooHot(SIG := #hot, SD_1 := #degrees, SD_2 := #mode);
END_FUNCTION_BLOCK
DATA_BLOCK "Line"
{ S7_Optimized_Access := 'TRUE' }
VAR
  motors : Array[1..3] of "Motor";
  hot : Array[1..3] of Bool;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VAR_TEMP
  i : Int;
END_VAR
BEGIN
  FOR #i := 1 TO 3 DO
    "Line".motors[#i](hot := "Line".hot[#i], degrees := 90 + #i, mode := INT_TO_USINT(#i));
  END_FOR;
END_ORGANIZATION_BLOCK
`
const name = 'Sim'
const alarmOf = (i: number) => `"Line".motors[${i}].tooHot`

const definitions = {
  ...plc,
  classes: [{ name: 'Notice', needsAcknowledgement: false, priority: 3 }],
  alarms: [
    {
      block: 'Motor',
      member: 'tooHot',
      text: { 'en-US': 'Motor at @1%d@ degrees, @2%t#Modes@', 'de-DE': 'Motor hat @1%d@ Grad, @2%t#Modes@' },
    },
    { instance: alarmOf(3), alarmClass: 'Notice' },
  ],
  textLists: [
    {
      name: 'Modes',
      entries: [
        { from: 1, to: 1, text: { 'en-US': 'by hand', 'de-DE': 'Hand' } },
        { from: 2, to: 9, text: { 'en-US': 'automatic', 'de-DE': 'Automatik' } },
      ],
    },
  ],
}

async function running(
  t: Parameters<typeof openTestGateway>[0],
): Promise<TestGateway & { heat: (i: number, hot?: boolean) => Promise<void> }> {
  const at = await openTestGateway(t)
  await newProject(at, 'Line')
  await at.call('blocks.import', { ...plc, content: program })
  await at.call('alarms.set-definitions', definitions)
  await withController(at)
  await at.call('online.download', { ...plc, compile: true, startAfter: true })
  const heat = async (i: number, hot = true) => {
    await at.call('simulation.write-tag', { name, tagName: `Line.hot[${i}]`, value: hot })
    await at.call('simulation.advance', { name, cycles: 1 })
  }
  return { ...at, heat }
}

test('pending alarms have the texts, classes and values of the download, in the wanted language', async (t) => {
  const { call, heat } = await running(t)
  await heat(1)
  await heat(3)
  const { alarms, total, unacknowledged, maximum } = await call<Answer>('alarms.list-pending', { name })
  assert.deepEqual([total, unacknowledged, maximum], [2, 1, 800])
  assert.deepEqual(
    alarms.map((one: Answer) => [one.alarm, one.text, one.alarmClass, one.state, one.priority]),
    [
      [alarmOf(3), 'Motor at 93 degrees, automatic', 'Notice', 'incoming', 3],
      [alarmOf(1), 'Motor at 91 degrees, by hand', 'Acknowledgement', 'incoming', 0],
    ],
  )
  assert.deepEqual(alarms[0].values, [
    { type: 'Int', value: 93 },
    { type: 'USInt', value: 3 },
  ])
  const german = await call<Answer>('alarms.list-pending', { name, culture: 'de-DE', q: 'motors[1]' })
  assert.deepEqual([german.alarms[0].text, german.total], ['Motor hat 91 Grad, Hand', 1])
  const sources = await call<Answer>('alarms.list-sources', { name })
  assert.deepEqual([sources.total, sources.alarms[1].alarm, sources.alarms[1].block], [3, alarmOf(2), 'Motor'])
})

test('acknowledgement of one, of a class and of all; it is in the audit, and so are the alarms', async (t) => {
  const { call, heat } = await running(t)
  for (const i of [1, 2, 3]) await heat(i)
  await fails(call('alarms.acknowledge', { name }), 'invalid_input', /give alarms, alarmClass or all/)
  await fails(call('alarms.acknowledge', { name, alarms: ['x'] }), 'not_found', /No alarm x is pending/)
  const one = await call<Answer>('alarms.acknowledge', { name, alarms: [alarmOf(1)] })
  assert.deepEqual(one.acknowledged, [alarmOf(1)])
  // The class Notice needs no acknowledgement.
  assert.equal((await call<Answer>('alarms.acknowledge', { name, alarmClass: 'Notice' })).total, 0)
  await heat(2, false)
  const outgoing = await call<Answer>('alarms.list-pending', { name, state: 'outgoing' })
  assert.deepEqual(
    outgoing.alarms.map((each: Answer) => each.alarm),
    [alarmOf(2)],
  )
  assert.equal((await call<Answer>('alarms.acknowledge', { name, all: true })).total, 1)
  await heat(3, false)
  const left = await call<Answer>('alarms.list-pending', { name })
  assert.deepEqual(
    left.alarms.map((each: Answer) => [each.alarm, each.state]),
    [[alarmOf(1), 'acknowledged']],
  )
  const log = await call<Answer>('alarms.list-log', { name, limit: 4 })
  assert.deepEqual(
    log.entries.map(({ event }: Answer) => event),
    ['outgoing', 'acknowledged', 'outgoing', 'acknowledged'],
  )
  assert.equal(log.total, 7)
  const older = await call<Answer>('alarms.list-log', { name, cursor: log.nextCursor })
  assert.deepEqual(
    older.entries.map(({ event, text }: Answer) => [event, text]),
    [
      ['incoming', 'Motor at 93 degrees, automatic'],
      ['incoming', 'Motor at 92 degrees, automatic'],
      ['incoming', 'Motor at 91 degrees, by hand'],
    ],
  )
  assert.equal((await call<Answer>('alarms.list-log', { name, event: 'acknowledged' })).total, 2)
  const audit = async (operation: string) => (await call<Answer>('audit.list', { operation })).total
  assert.ok((await audit('alarms.acknowledge')) >= 5)
  await until(async () => (await audit('simulation.report-alarms')) > 0, 'the controller has reported alarms')
})

test('the stream begins with the pending alarms and goes on with what happens', async (t) => {
  const { gateway, heat } = await running(t)
  await heat(1)
  const app = await createServer(gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const end = new AbortController()
  const response = await fetch(`${url}/api/simulation/instances/${name}/alarms/stream?intervalMs=10`, {
    headers: { 'X-API-Key': gateway.createdKey ?? '' },
    signal: end.signal,
  })
  assert.equal(response.status, 200)
  const told = textUntil(response)
  await told(/event: pending\ndata: .*motors\[1\].*"total":1/)
  await heat(2)
  await told(/event: alarms\ndata: .*"event":"incoming".*motors\[2\]/)
  end.abort()
})

test('definitions are checked, merged, and kept with the project', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('blocks.import', { ...plc, content: program })
  await fails(
    call('alarms.set-definitions', { ...plc, alarms: [{ block: 'Moter', member: 'tooHot' }] }),
    'unacceptable_content',
    /no block "Moter"; did you mean "Motor"/,
  )
  await fails(
    call('alarms.set-definitions', { ...plc, alarms: [{ block: 'Motor', member: 'tooHot', alarmClass: 'Other' }] }),
    'unacceptable_content',
    /there is no class "Other"/,
  )
  await fails(
    call('alarms.set-definitions', { ...plc, alarms: [{ block: 'Motor' }] }),
    'unacceptable_content',
    /member/,
  )
  await call('alarms.set-definitions', definitions)
  const merged = await call<Answer>('alarms.set-definitions', {
    ...plc,
    alarms: [{ block: 'motor', member: 'toohot', text: { 'en-US': 'other' } }],
  })
  assert.deepEqual([merged.total, merged.classes.length, merged.textLists.length], [2, 3, 1])
  const before = await call<Answer>('alarms.get-definitions', plc)
  await call('projects.save', {})
  const { path } =
    (await call<Answer>('projects.list', {})).projects?.[0] ?? (await call<Answer>('projects.overview', {}))
  await call('projects.close', {})
  await call('projects.open', { path: path ?? `${at.dir}/workspace/Line` })
  assert.deepEqual(await call('alarms.get-definitions', plc), before)
})
