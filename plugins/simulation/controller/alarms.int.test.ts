/** Program alarms of a running controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { becomes } from '../../../test/until.ts'
import type { AlarmEntry } from './alarm-log.ts'

/** A motor with an alarm, twice in a data block and once as its instance. */
const program = (more = '') => `
FUNCTION_BLOCK "Motor"
VAR_INPUT
  hot : Bool;
  degrees : Int;
  place : String[20] := 'north';
  at : LDT;
END_VAR
VAR_OUTPUT
  error : Bool;
  status : Word;
  state : Byte;
END_VAR
VAR
  tooHot {InstructionName := 'Program_Alarm'; LibVersion := '1.0'} : Program_Alarm;
  e : Bool;
  s : Word;
  n : Int;
END_VAR
BEGIN
  #tooHot(SIG := #hot, TIMESTAMP := #at, SD_1 := #degrees, SD_2 := #place, SD_3 := #hot, Error => #error, Status => #status);
  #n := Get_AlarmState(Alarm := #tooHot, AlarmState => #state, Error => #e, Status => #s);
END_FUNCTION_BLOCK
DATA_BLOCK "Motor_DB"
"Motor"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Line"
VAR
  motors : Array[1..2] of "Motor";
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Data"
VAR
  hot : Bool;
  first : Bool;
  second : Bool;
  acknowledge : Bool;
  degrees : Int;
  status : Word;
END_VAR
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Ack"
VAR
  ack : Ack_Alarms;
END_VAR
BEGIN
  IF "Data".acknowledge THEN #ack(MODE := 1); END_IF;
END_FUNCTION_BLOCK
DATA_BLOCK "Ack_DB"
"Ack"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_DB"(hot := "Data".hot, degrees := "Data".degrees, status => "Data".status);
  "Line".motors[1](hot := "Data".first, degrees := 1);
  "Line".motors[2](hot := "Data".second, degrees := 2);
  "Ack_DB"();
  ${more}
END_ORGANIZATION_BLOCK
`

const short = (entry: AlarmEntry) =>
  entry.kind === 'lost' ? `lost ${entry.count}` : `${entry.kind} ${entry.alarm.name.replace('.tooHot', '')}`

async function running(t: Parameters<typeof testController>[0], options: Parameters<typeof testController>[1] = {}) {
  const made = await testController(t, options)
  await made.load(program())
  await made.controller.change('run')
  return made
}

test('an alarm comes with its values, is acknowledged and goes', async (t) => {
  const { controller, get, set } = await running(t)
  await set('Data.degrees', 95)
  await set('Data.hot', 1)
  await controller.advance({ cycles: 2 })
  const [alarm] = controller.alarms.pending
  assert.deepEqual(
    [alarm?.name, alarm?.isPresent, alarm?.isAcknowledged, alarm?.incomingAt],
    ['"Motor_DB".tooHot', true, false, controller.time - 2],
  )
  assert.deepEqual(alarm?.values, [
    { type: 'Int', value: 95 },
    { type: 'String', value: 'north' },
    { type: 'Bool', value: true },
  ])
  assert.equal((await get('Motor_DB.state')) & 0xff, 0x85)
  // The values are those of the change, not the present ones.
  await set('Data.degrees', 99)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(controller.alarms.pending[0]?.values[0], { type: 'Int', value: 95 })
  assert.deepEqual(await controller.acknowledge({ names: ['"Motor_DB".tooHot'] }, 'test'), ['"Motor_DB".tooHot'])
  assert.deepEqual(await controller.acknowledge({ all: true }, 'test'), [])
  await controller.advance({ cycles: 1 })
  assert.equal((await get('Motor_DB.state')) & 0xff, 0x87)
  await set('Data.hot', 0)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(controller.alarms.pending, [])
  assert.deepEqual(controller.alarms.log.map(short), [
    'outgoing "Motor_DB"',
    'acknowledged "Motor_DB"',
    'incoming "Motor_DB"',
  ])
  assert.equal((await get('Motor_DB.state')) & 0xff, 0x86)
})

test('an alarm that went stays until it is acknowledged; only then it comes again, as a new one', async (t) => {
  const { controller, set } = await running(t)
  for (const hot of [1, 0]) {
    await set('Data.first', hot)
    await controller.advance({ cycles: 1 })
  }
  const state = () => controller.alarms.pending.map(({ isPresent, isAcknowledged }) => [isPresent, isAcknowledged])
  assert.deepEqual(state(), [[false, false]])
  await set('Data.first', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(state(), [[false, false]])
  await set('Data.acknowledge', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(state(), [])
  await set('Data.acknowledge', 0)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(state(), [[true, false]])
  assert.deepEqual(controller.alarms.log.map(short), [
    'incoming "Line".motors[1]',
    'acknowledged "Line".motors[1]',
    'outgoing "Line".motors[1]',
    'incoming "Line".motors[1]',
  ])
})

test('a timestamp of the program is that of the alarm', async (t) => {
  const made = await testController(t)
  await made.load(
    program('"Motor_DB"(hot := TRUE, at := LDT#2026-05-17-10:20:30.5);').replace(
      '"Motor_DB"(hot := "Data".hot, degrees := "Data".degrees, status => "Data".status);',
      '',
    ),
  )
  await made.controller.change('run')
  await made.controller.advance({ cycles: 1 })
  assert.equal(made.controller.alarms.pending[0]?.incomingAt, Date.UTC(2026, 4, 17, 10, 20, 30, 500))
})

test('STOP keeps alarms, a warm restart and power-off remove them, a load keeps those that are still there', async (t) => {
  const { controller, set, load } = await running(t)
  await set('Data.hot', 1)
  await set('Data.second', 1)
  await controller.advance({ cycles: 1 })
  await controller.change('stop')
  assert.equal(controller.alarms.pending.length, 2)
  // Alarms can be acknowledged in STOP.
  await controller.acknowledge({ names: ['"Motor_DB".tooHot'] }, 'test')
  await load(
    program()
      .replace('Array[1..2]', 'Array[1..1]')
      .replace(/"Line".motors\[2\]\(.*/, ''),
  )
  assert.deepEqual(
    controller.alarms.pending.map(({ name, isAcknowledged }) => [name, isAcknowledged]),
    [['"Motor_DB".tooHot', true]],
  )
  assert.equal(controller.alarms.log[0]?.kind, 'removed')
  await controller.change('run')
  assert.deepEqual(controller.alarms.pending, [])
  await set('Data.hot', 1)
  await controller.advance({ cycles: 1 })
  assert.equal(controller.alarms.pending.length, 1)
  await controller.change('powerOff')
  assert.deepEqual(controller.alarms.pending, [])
  assert.match(JSON.stringify(controller.alarms.log[0]), /powered off/)
})

test('more alarms than the CPU takes are refused with STATUS, and reported when there is room again', async (t) => {
  const { controller, set, get } = await running(t, { pendingAlarms: 1 })
  await set('Data.first', 1)
  await controller.advance({ cycles: 1 })
  await set('Data.hot', 1)
  await controller.advance({ cycles: 2 })
  assert.equal((await get('Data.status')) & 0xffff, 0x80c3)
  assert.equal(controller.alarms.pending.length, 1)
  await controller.acknowledge({ all: true }, 'test')
  await set('Data.first', 0)
  await controller.advance({ cycles: 2 })
  assert.deepEqual(
    controller.alarms.pending.map(({ name }) => name),
    ['"Motor_DB".tooHot'],
  )
  assert.equal(await get('Data.status'), 0)
})

test('alarms that come and go in every cycle are counted when they are too many, and the pending ones stay right', async (t) => {
  const made = await testController(t)
  await made.load(program('"Data".hot := NOT "Data".hot; "Data".first := "Data".hot; "Data".second := "Data".hot;'))
  await made.controller.change('run')
  await made.controller.advance({ cycles: 4001 })
  const { log, pending } = made.controller.alarms
  assert.ok(log.length <= 10_000)
  const told = log.reduce((sum, entry) => sum + (entry.kind === 'lost' ? entry.count : 1), 0)
  // The log has its own bound too: what it has and what it says it lost is never more than what happened.
  assert.ok(told <= 12_003)
  assert.ok(log.every(({ number }, i) => i === 0 || number === (log[i - 1]?.number ?? 0) - 1))
  assert.deepEqual(pending.map(({ name }) => name).sort(), [
    '"Line".motors[1].tooHot',
    '"Line".motors[2].tooHot',
    '"Motor_DB".tooHot',
  ])
})

test('events that the thread kept back while the gateway was busy come when it has read the earlier ones', async (t) => {
  const toggling = program(
    '"Data".acknowledge := TRUE; "Data".hot := NOT "Data".hot; "Data".degrees += 1; IF "Data".degrees = 50 THEN STP(); END_IF;',
  )
  const stepped = await testController(t)
  await stepped.load(toggling)
  await stepped.controller.change('run')
  await stepped.controller.advance({ cycles: 60 })
  const all = stepped.controller.alarms.log.map(short)
  assert.ok(all.length > 50)
  const { controller, load } = await testController(t, {
    time: { mode: 'real', factor: 1 },
    maximumCycleTimeMs: 60_000,
  })
  await load(toggling)
  await controller.change('run')
  // The gateway reads nothing until the program has ended, and its thread waits.
  while (controller.statistics.cycles < 49);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  await becomes(() => controller.alarms.log.map(short), all)
  assert.equal(controller.state, 'Stop')
})

test('Gen_UsrMsg makes an alarm and an entry of the diagnostics buffer', async (t) => {
  const { controller, load, set } = await testController(t)
  await load(`
DATA_BLOCK "Data"
VAR
  on : Bool;
  mode : UInt := 1;
  status : Int;
  values : AssocValues;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  IF "Data".on THEN
    "Data".status := Gen_UsrMsg(Mode := "Data".mode, TextID := 16#10, TextListID := 16#2, AssocValues := "Data".values);
    "Data".on := FALSE;
  END_IF;
END_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await set('Data.on', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(
    controller.alarms.pending.map(({ name }) => name),
    ['UserMessage:2:16'],
  )
  assert.equal(controller.diagnostics[0]?.code, 'user-message')
  await set('Data.mode', 2)
  await set('Data.on', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(controller.alarms.pending, [])
})

test('Get_Alarm reads the changes of alarms one by one, Get_AlarmResources the free places', async (t) => {
  const { controller, load, get, set } = await testController(t)
  const reader = `FUNCTION_BLOCK "Reader"
VAR
  get {InstructionName := 'Get_Alarm'; LibVersion := '1.0'} : Get_Alarm;
  data : AlarmData;
  mode : Byte := 16#1;
  read : Int;
  last : Int;
  state : Int;
  free : Int;
  status : Word;
  ready : Bool;
END_VAR
BEGIN
  #get(OperateMode := #mode, DataMode := 1, Data := #data, DataReady => #ready, Status => #status);
  IF #mode = 16#1 THEN #mode := 16#2; END_IF;
  IF #ready THEN
    #read := #read + 1;
    #last := UINT_TO_INT(#data.ID_1);
    #state := BYTE_TO_INT(#data.State);
  END_IF;
  #free := Get_AlarmResources();
END_FUNCTION_BLOCK
DATA_BLOCK "Reader_DB"
"Reader"
BEGIN
END_DATA_BLOCK
`
  await load(`${reader}${program('"Reader_DB"();')}`)
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  const free = await get('Reader_DB.free')
  assert.equal(await get('Reader_DB.read'), 0)
  await set('Data.hot', 1)
  await set('Data.first', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual(
    [await get('Reader_DB.read'), await get('Reader_DB.state'), await get('Reader_DB.status')],
    [1, 1, 1],
  )
  await controller.advance({ cycles: 3 })
  assert.deepEqual([await get('Reader_DB.read'), await get('Reader_DB.status')], [2, 0])
  assert.equal(await get('Reader_DB.free'), free - 2)
  const ids = controller.alarms.pending.map(({ id }) => id)
  assert.ok(ids.includes(await get('Reader_DB.last')))
  await set('Data.hot', 0)
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('Reader_DB.read'), await get('Reader_DB.state')], [3, 0])
  // Logged on twice, a wrong mode, logged off.
  for (const [mode, status] of [
    [1, 0x8004],
    [9, 0x8001],
    [3, 0],
  ] as const) {
    await set('Reader_DB.mode', mode)
    await controller.advance({ cycles: 1 })
    assert.equal((await get('Reader_DB.status')) & 0xffff, status)
  }
  await set('Reader_DB.mode', 2)
  await controller.advance({ cycles: 1 })
  assert.equal((await get('Reader_DB.status')) & 0xffff, 0x8085)
})
