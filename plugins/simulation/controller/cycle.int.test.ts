import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageOf, testController } from '../../../test/controller.ts'
import { until } from '../../../test/until.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string) => `ORGANIZATION_BLOCK "${name}"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`

test('startup blocks run once, ascending, with inputs 0, before the first cycle; then cyclic blocks ascending', async (t) => {
  const { controller, load, get, set } = await testController(t)
  await load(
    `${data('order : LInt; input : Bool; cycles : Int;')}
${block('OB123', '"Data".order := "Data".order * 10 + 4;')}
${block('OB124', '"Data".order := "Data".order * 10 + 5;')}
${block('OB130_Startup', '"Data".order := "Data".order * 10 + 2;')}
${block('OB100', '"Data".order := "Data".order * 10 + 1; "Data".input := "Start";')}
${block('Main', '"Data".order := "Data".order * 10 + 3; "Data".cycles := "Data".cycles + 1;')}`,
    { Start: 'Bool at %I0.0' },
  )
  await set('Start', 1)
  await controller.change('run')
  assert.equal(await get('Data.order'), 12)
  assert.equal(await get('Data.input'), 0)
  await controller.advance({ cycles: 1 })
  assert.equal(await get('Data.order'), 12345)
  assert.equal(await get('Start'), 1)
  await controller.advance({ cycles: 1 })
  assert.equal(await get('Data.order'), 12345345)
  assert.equal(controller.statistics.cycles, 2)
})

test('inputs come from the periphery at the control point and survive it, outputs go there, and are off in STOP', async (t) => {
  const { controller, load, get, set } = await testController(t)
  await load(block('Main', '"Out" := "In" + 1; %Q9.1 := %I9.1; %I8.0 := TRUE;'), {
    In: 'Int at %IW2',
    Out: 'Int at %QW4',
  })
  await controller.change('run')
  await set('In', 41)
  assert.equal(await get('In'), 0, 'the image follows at the control point')
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await get('In'), await get('Out'), await get('%PQW4')], [41, 42, 0])
  await controller.advance({ cycles: 1 })
  assert.equal(await get('%PQW4'), 42)
  assert.equal(await get('%I8.0'), 1, 'what the program writes into the image stands until the next update')
  await controller.change('stop')
  assert.deepEqual([await get('Out'), await get('%PQW4'), await get('%PIW2')], [42, 0, 41])
})

test('start information tells the first call', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('first : Int; later : Int; date : Int; number : Int; class : Int;')}
ORGANIZATION_BLOCK "Main"
BEGIN
  IF #Initial_Call THEN "Data".first := "Data".first + 1; ELSE "Data".later := "Data".later + 1; END_IF;
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "OB35"
{ S7_Optimized_Access := 'FALSE' }
VAR_TEMP
  OB35_EV_CLASS : Byte; OB35_STRT_INF : Byte; OB35_PRIORITY : Byte; OB35_OB_NUMBR : Byte;
  OB35_RESERVED_1 : Byte; OB35_RESERVED_2 : Byte; OB35_PHASE_OFFSET : Word; OB35_RESERVED_3 : Int;
  OB35_EXC_FREQ : Int; OB35_DATE_TIME : Date_And_Time;
END_VAR
BEGIN
  "Data".number := BYTE_TO_INT(#OB35_OB_NUMBR); "Data".class := BYTE_TO_INT(#OB35_EV_CLASS); "Data".date := #OB35_EXC_FREQ;
END_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await controller.advance({ cycles: 120 })
  assert.deepEqual([await get('Data.first'), await get('Data.later')], [1, 119])
  assert.deepEqual([await get('Data.number'), await get('Data.class'), await get('Data.date')], [35, 0x11, 100])
})

test('clock bits have their frequencies, system bits their meaning', async (t) => {
  const { controller, load, get } = await testController(t, { clockMemoryByte: 10, systemMemoryByte: 11 })
  await load(
    `${data('edges10 : Int; edges05 : Int; last10 : Bool; last05 : Bool; first : Int; always : Int; zero : Int;')}
${block(
  'Main',
  `IF %M10.0 AND NOT "Data".last10 THEN "Data".edges10 := "Data".edges10 + 1; END_IF; "Data".last10 := %M10.0;
IF %M10.7 AND NOT "Data".last05 THEN "Data".edges05 := "Data".edges05 + 1; END_IF; "Data".last05 := %M10.7;
IF %M11.0 THEN "Data".first := "Data".first + 1; END_IF;
IF %M11.2 THEN "Data".always := "Data".always + 1; END_IF;
IF %M11.3 THEN "Data".zero := 1; END_IF;`,
)}`,
  )
  await controller.change('run')
  await controller.advance({ milliseconds: 10_000 })
  assert.deepEqual([await get('Data.edges10'), await get('Data.edges05')], [100, 5])
  assert.deepEqual([await get('Data.first'), await get('Data.always'), await get('Data.zero')], [1, 10_000, 0])
})

test('stepped time: the same inputs give the same trace, whatever steps it is advanced in', async (t) => {
  const source = `${data('a : DInt; b : DInt; time : LTime; timer : TON_TIME; on : Bool;')}
${block('Main', '"Data".a := "Data".a * 31 + 7; "Data".timer(IN := NOT "Data".on, PT := T#5ms, Q => "Data".on);')}
${block('OB30', '"Data".b := "Data".b * 17 + "Data".a;')}
${block('OB31', '"Data".b := "Data".b * 13 + 1;')}`
  const cyclicInterrupts = { 30: { cycleTimeMs: 0.7 }, 31: { cycleTimeMs: 3.1, phaseMs: 0.3 } }
  const runs: unknown[] = []
  for (const steps of [[100], [1, 2, 3, 94], Array.from({ length: 100 }, () => 1)]) {
    const { controller, load, range, end } = await testController(t, { cyclicInterrupts })
    await load(source)
    await controller.startTrace({
      ranges: ['Data.a', 'Data.b', 'Data.on'].map(range),
      samples: 1000,
      everyCycles: 1,
    })
    await controller.change('run')
    for (const cycles of steps) await controller.advance({ cycles })
    runs.push(await controller.trace())
    await end()
  }
  assert.equal((runs[0] as unknown[]).length, 100)
  assert.deepEqual(runs[1], runs[0])
  assert.deepEqual(runs[2], runs[0])
})

test('advancing by milliseconds runs the cycles that begin in them; the rest of a cycle follows', async (t) => {
  const { controller, load, get } = await testController(t, { time: { mode: 'stepped', cycleTimeMs: 2 } })
  await load(`${data('n : Int;')}${block('Main', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  const begin = controller.time
  assert.deepEqual(await controller.advance({ milliseconds: 5 }), { cycles: 3, time: begin + 5 })
  assert.deepEqual(await controller.advance({ milliseconds: 1 }), { cycles: 0, time: begin + 6 })
  assert.deepEqual(await controller.advance({ cycles: 2 }), { cycles: 2, time: begin + 10 })
  assert.equal(await get('Data.n'), 5)
  assert.equal(controller.time, begin + 10)
})

test('a cancelled advance ends at a cycle control point', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('n : DInt;')}${block('Main', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  const abort = new AbortController()
  const long = controller.advance({ cycles: 1e12 }, abort.signal)
  await assert.rejects(controller.advance({ cycles: 1 }), { code: 'conflict' })
  await until(() => controller.statistics.cycles >= 10, 'it advances')
  abort.abort()
  await assert.rejects(long, { name: 'AbortError' })
  const { cycles } = controller.statistics
  assert.equal(await get('Data.n'), cycles)
  assert.equal((await controller.advance({ cycles: 1 })).cycles, 1)
})

test('real time passes times its factor; frozen it stands; cycles follow at the minimum cycle time', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'real', factor: 10 },
    minimumCycleTimeMs: 5,
  })
  await load(
    `${data('n : DInt; fast : DInt;')}${block('Main', '"Data".n := "Data".n + 1;')}${block('OB38', '"Data".fast := "Data".fast + 1;')}`,
  )
  await assert.rejects(controller.advance({ cycles: 1 }), { code: 'conflict' })
  const begin = controller.time
  await controller.change('run')
  const ran = async () => (await get('Data.n')) >= 2 && (await get('Data.fast')) >= 1
  await until(async () => controller.time >= begin + 1000 && (await ran()), 'cycles and events have come')
  await controller.change('freeze')
  const [frozen, cycles] = [controller.time, await get('Data.n')]
  // Each cycle takes at least 5 ms of virtual time, however busy the computer was.
  assert.ok(cycles >= 2 && cycles <= (frozen - begin) / 5 + 1, `${cycles} cycles`)
  const { lostEvents, cycles: counted, averageMs, maximumMs } = controller.statistics
  const events = (await get('Data.fast')) + lostEvents
  // Events that became due while the thread waited for a processor run after the freeze.
  assert.ok(events >= 1 && events <= (frozen - begin) / 10, `${events} events`)
  assert.equal(counted, cycles)
  assert.ok(averageMs > 0 && averageMs <= maximumMs)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(controller.time, frozen)
  assert.equal(await get('Data.n'), cycles)
  assert.equal(await controller.change('unfreeze'), 'Run')
  await until(async () => (await get('Data.n')) > cycles, 'cycles go on')
  // From here on time is stepped.
  await controller.configure({ ...controller.options, time: { mode: 'stepped', cycleTimeMs: 1 } })
  const before = await get('Data.n')
  await controller.advance({ cycles: 3 })
  assert.equal(await get('Data.n'), before + 3)
  // Time that passed by itself between two advances does not count for the second.
  await controller.advance({ milliseconds: 5 })
  await controller.configure({ ...controller.options, time: { mode: 'real', factor: 10 } })
  await until(async () => (await get('Data.n')) > before + 20, 'cycles go on')
  await controller.configure({ ...controller.options, time: { mode: 'stepped', cycleTimeMs: 1 } })
  const [stood, done] = [controller.time, await get('Data.n')]
  const advanced = await controller.advance({ milliseconds: 50 })
  assert.equal(Math.round((advanced.time - stood) * 1000), 50_000)
  assert.ok(advanced.cycles >= 40 && (await get('Data.n')) === done + advanced.cycles, `${advanced.cycles} cycles`)
})

test('system time can be set; programs see it', async (t) => {
  const { controller, load, get } = await testController(t, { utcOffsetMinutes: 60 })
  await load(`${data('utc : LDT; local : LDT; status : Int;')}
${block('Main', '"Data".status := RD_SYS_T("Data".utc); "Data".status := RD_LOC_T("Data".local);')}`)
  await controller.change('run')
  const time = Date.UTC(2030, 5, 1, 12)
  await controller.setTime(time)
  assert.equal(controller.time, time)
  await controller.advance({ cycles: 1 })
  assert.deepEqual([(await get('Data.utc')) / 1e6, (await get('Data.local')) / 1e6], [time, time + 3_600_000])
})

test('RT_INFO tells cycle times and settings of the controller, and which organization blocks there are', async (t) => {
  const { controller, load, get } = await testController(t, { maximumCycleTimeMs: 40, minimumCycleTimeMs: 2 })
  await load(`DATA_BLOCK "Data"
VAR last : LTime; longest : LTime; most : LTime; least : LTime; there : Int; missing : Int; END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VAR_TEMP n : Int; END_VAR
BEGIN
#n := RT_INFO(MODE := 25, OB := 1, INFO := "Data".last);
#n := RT_INFO(MODE := 23, OB := 1, INFO := "Data".longest);
#n := RT_INFO(MODE := 30, OB := 1, INFO := "Data".most);
#n := RT_INFO(MODE := 31, OB := 1, INFO := "Data".least);
"Data".there := RT_INFO(MODE := 1, OB := 1, INFO := "Data".least);
"Data".missing := RT_INFO(MODE := 1, OB := 35, INFO := "Data".least);
#n := RT_INFO(MODE := 31, OB := 1, INFO := "Data".least);
END_ORGANIZATION_BLOCK
`)
  await controller.change('run')
  await controller.advance({ cycles: 5 })
  const [last, longest] = [Number(await get('Data.last')), Number(await get('Data.longest'))]
  assert.ok(last > 0 && last <= longest, `${last} ${longest}`)
  assert.deepEqual([Number(await get('Data.most')), Number(await get('Data.least'))], [40e6, 2e6])
  assert.deepEqual([await get('Data.there'), await get('Data.missing')], [0, 0x8081 - 0x10000])
})

test('RD_SINFO tells of the block that runs and of the startup block, also in the middle of another', async (t) => {
  const { controller, load, get } = await testController(t)
  const read = (name: string) => `"Data".n := RD_SINFO(TOP_SI => "Data".${name}, START_UP_SI => "Data".startup);`
  await load(`DATA_BLOCK "Data"
VAR n : Int; main : SI_ProgramCycle; old : SI_classic; startup : SI_Startup; fast : SI_Cyclic; after : SI_ProgramCycle;
  i : DInt; END_VAR
BEGIN
END_DATA_BLOCK
${block('Main', `${read('main')} WHILE "Data".fast.OB_Nr = 0 AND "Data".i < 100000000 DO "Data".i := "Data".i + 1; END_WHILE; ${read('after')} ${read('old')}`)}
${block('OB38', read('fast'))}
${block('OB100', '')}
`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  const names = ['main.OB_Class', 'main.OB_Nr', 'main.Initial_Call', 'fast.OB_Class', 'fast.OB_Nr', 'after.OB_Nr']
  assert.deepEqual(await Promise.all(names.map((name) => get(`Data.${name}`))), [1, 1, 1, 30, 38, 1])
  const more = ['old.EV_CLASS', 'old.EV_NUM', 'old.PRIORITY', 'old.NUM', 'startup.OB_Nr', 'startup.LostRetentive', 'n']
  assert.deepEqual(await Promise.all(more.map((name) => get(`Data.${name}`))), [0x11, 1, 1, 1, 100, 0, 0])
})

test('values from outside pass between image and periphery, also where the program uses nothing', async (t) => {
  const { controller, load, get, set, range } = await testController(t)
  await load(block('Main', '%QB7 := %IB3;'))
  await controller.change('run')
  await set('%IB3', 5)
  await set('%IB9000', 6)
  await set('%QB12000', 7)
  await controller.advance({ cycles: 2 })
  assert.deepEqual(
    [await get('%PQB7'), await get('%IB9000'), await get('%PQB12000')],
    [5, 6, 7],
    'before another program is loaded',
  )
  await controller.load(packageOf(block('Main', '%M0.0 := TRUE;')), { inRun: true, reinitialize: false })
  await set('%QB12000', 8)
  await set('%IB9000', 9)
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('%PQB7'), await get('%IB9000'), await get('%PQB12000')], [5, 9, 8])
  await set('%IB9000', 0)
  await controller.advance({ cycles: 2 })
  assert.equal(await get('%IB9000'), 0)
  const { address } = range('%PIB20000')
  await controller.setForces([{ key: '%IB20000:P', address, bytes: Uint8Array.of(3) }])
  await controller.advance({ cycles: 2 })
  assert.equal(await get('%IB20000'), 3)
})

test('statistics of stepped time are those of virtual time: pauses between advances are no cycle time', async (t) => {
  const { controller, load } = await testController(t, { time: { mode: 'stepped', cycleTimeMs: 4 } })
  await load('ORGANIZATION_BLOCK "Main"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n')
  await controller.change('run')
  for (let i = 0; i < 3; i++) {
    await controller.advance({ cycles: 5 })
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const { cycles, lastMs, minimumMs, averageMs, maximumMs } = controller.statistics
  assert.deepEqual([cycles, lastMs, minimumMs, averageMs, maximumMs], [15, 4, 4, 4, 4])
})
