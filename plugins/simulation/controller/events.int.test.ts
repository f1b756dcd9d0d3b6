import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testController } from '../../../test/controller.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string, variables = '') =>
  `ORGANIZATION_BLOCK "${name}"\n${variables}\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
/** A loop of this many milliseconds of stepped time: each round takes a nanosecond. */
const busy = (ms: number) => `FOR #i := 1 TO ${ms * 1_000_000} DO "Data".rounds := "Data".rounds + 1; END_FOR;`
const counter = 'VAR_TEMP\n  i : DInt;\nEND_VAR'

test('an event that is raised runs its block with its start information, once, and by its priority', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('n : Int; module : Int; channel : Int; order : Int;')}
${block('Main', '"Data".order := "Data".order * 10 + 1;')}
${block('OB40', '"Data".n := "Data".n + 1; "Data".module := UINT_TO_INT(#laddr); "Data".channel := #IChannel; "Data".order := "Data".order * 10 + 4;', 'VAR_INPUT\n  laddr : UInt;\n  USI : Word;\n  IChannel : USInt;\n  EventType : Byte;\nEND_VAR')}
${block('OB82', '"Data".order := "Data".order * 10 + 8;')}`)
  assert.equal(await controller.raise(40, { LADDR: 1 }), 'lost')
  await controller.change('run')
  assert.equal(await controller.raise(82, {}), 'queued')
  assert.equal(await controller.raise(40, { LADDR: 259, ICHANNEL: 3 }), 'queued')
  assert.equal(await controller.raise(41, {}), 'no-block')
  assert.equal(await controller.raise(1, {}), 'no-block')
  await controller.advance({ cycles: 2 })
  // OB 40 has priority 18, OB 82 has 5; then two cycles.
  assert.deepEqual(
    [await get('Data.n'), await get('Data.module'), await get('Data.channel'), await get('Data.order')],
    [1, 259, 3, 4811],
  )
})

test('events wait in a queue; those that find it full are lost, counted, and each calls OB 80', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('n : Int; errors : Int; kind : Int; ob : Int; priority : Int;')}
${block('Main', ';')}
${block('OB40', '"Data".n := "Data".n + 1;')}
${block('OB80', '"Data".errors := "Data".errors + 1; "Data".kind := BYTE_TO_INT(#fault_id); "Data".ob := #csg_OBnr; "Data".priority := UINT_TO_INT(#csg_prio);', 'VAR_INPUT\n  fault_id : Byte;\n  csg_OBnr : Int;\n  csg_prio : UInt;\nEND_VAR')}`)
  await controller.change('run')
  for (let i = 0; i < 20; i++) assert.equal(await controller.raise(40, {}), i < 16 ? 'queued' : 'lost')
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await get('Data.n'), await get('Data.errors'), controller.statistics.lostEvents], [16, 4, 4])
  assert.deepEqual([await get('Data.kind'), await get('Data.ob'), await get('Data.priority')], [7, 40, 18])
})

test('OB 80 is called for each cyclic event that is lost, when it is lost, in the middle of what runs', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 100 },
    maximumCycleTimeMs: 1000,
    cyclicInterrupts: { 30: { cycleTimeMs: 10 } },
  })
  await load(`${data('n : Int; errors : Int; rounds : DInt; first : DInt; ob : Int;')}
${block('Main', ';')}
${block('OB30', `"Data".n := "Data".n + 1; IF "Data".n = 1 THEN ${busy(45)} END_IF;`, counter)}
${block('OB80', 'IF "Data".errors = 0 THEN "Data".first := "Data".rounds; END_IF; "Data".errors := "Data".errors + 1; "Data".ob := #csg_OBnr;', 'VAR_INPUT\n  fault_id : Byte;\n  csg_OBnr : Int;\nEND_VAR')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 99 })
  // OB 30 runs from 10 to 55 ms: its event of 20 ms waits, those of 30, 40 and 50 ms are lost.
  assert.deepEqual([await get('Data.n'), await get('Data.errors'), controller.statistics.lostEvents], [6, 3, 3])
  assert.equal(await get('Data.ob'), 30)
  const first = await get('Data.first')
  assert.ok(Math.abs(first - 20_000_000) < 1_100_000, `the first loss is at 30 ms, 20 ms after the begin: ${first}`)
})

test('a queue of the attribute EventsToBeQueued keeps events, and EnableTimeError false calls no OB 80', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 100 },
    maximumCycleTimeMs: 1000,
  })
  const told = (entries: string) => `// Gantry { ${entries} }\n`
  await load(`${data('n : Int; m : Int; errors : Int; rounds : DInt;')}
${block('Main', ';')}
${told("Number := '30'; SecondaryType := 'CyclicInterrupt'; CyclicTime := '10000'; EventsToBeQueued := '3'; EnableTimeError := 'false'")}${block('Often', `"Data".n := "Data".n + 1; IF "Data".n = 1 THEN ${busy(45)} END_IF;`, counter)}
${block('OB80', '"Data".errors := "Data".errors + 1;')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 99 })
  // Of the events of 20, 30, 40 and 50 ms three wait.
  assert.deepEqual([await get('Data.n'), await get('Data.errors'), controller.statistics.lostEvents], [8, 0, 1])
})

test('with real time an event comes in the middle of a block that runs long', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'real', factor: 1 },
    maximumCycleTimeMs: 60_000,
  })
  await load(`${data('go : Bool; rounds : DInt; n : Int;')}
${block('Main', '"Data".go := FALSE; WHILE NOT "Data".go DO "Data".rounds := "Data".rounds + 1; END_WHILE;')}
${block('OB40', '"Data".go := TRUE; "Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  // Without an event no cycle ends; one that comes before the cycle begins ends none. The queue is never filled.
  for (let i = 0; controller.statistics.cycles === 0; i++) {
    assert.ok(i < 600, 'an event ends the cycle that it interrupts')
    if (i % 10 === 0) assert.notEqual(await controller.raise(40, {}), 'no-block')
    await setTimeout(100)
  }
  assert.equal(controller.state, 'Run')
  await controller.change('stop')
  assert.ok((await get('Data.n')) >= 1)
})
