import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { testController } from '../../../test/controller.ts'
import { until } from '../../../test/until.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string) => `ORGANIZATION_BLOCK "${name}"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const endless = 'WHILE "Data".on DO "Data".x := "Data".x + 1; END_WHILE;'
/** A loop of this many million rounds, with as many checks of the watchdog, which are milliseconds of stepped time. */
const long = (millions: number) => `FOR #i := 1 TO ${millions}000500 DO #x := #x + #i; END_FOR;`
const longBlock = (name: string, millions: number, more = '') =>
  `ORGANIZATION_BLOCK "${name}"\nVAR_TEMP\n  i : DInt; x : DInt;\nEND_VAR\nBEGIN\n#x := 0;\n${long(millions)}\n${more}\nEND_ORGANIZATION_BLOCK\n`
const codes = (controller: { diagnostics: readonly { code: string }[] }) =>
  controller.diagnostics.map(({ code }) => code)

test('an endless loop brings the controller to STOP at the maximum cycle time, in real and in stepped time', async (t) => {
  for (const time of [
    { mode: 'stepped', cycleTimeMs: 1 },
    { mode: 'real', factor: 1 },
  ] as const) {
    const { controller, load } = await testController(t, { time, maximumCycleTimeMs: 20 })
    await load(`${data('on : Bool := TRUE; x : DInt;')}${block('Main', `\n${endless}`)}`)
    const stopped = new Promise((resolve) =>
      controller.events.on('state', (state) => state === 'Stop' && resolve(state)),
    )
    await controller.change('run')
    if (time.mode === 'stepped') assert.equal((await controller.advance({ cycles: 5 })).cycles, 0)
    await stopped
    const [entry] = controller.diagnostics
    assert.equal(entry?.code, 'cycle-time-exceeded')
    assert.equal(entry?.severity, 'error')
    assert.deepEqual([entry?.block, entry?.network, entry?.line !== undefined], ['Main', 1, true])
    assert.equal(controller.statistics.overruns, 1)
    assert.equal(controller.state, 'Stop')
    // The controller can continue.
    assert.deepEqual(controller.allowed, ['run', 'memoryReset', 'powerOff'])
  }
})

test('OB 80 is told of the maximum cycle time; exceeded twice in one cycle there is no way around STOP', async (t) => {
  const { controller, load, get } = await testController(t, { maximumCycleTimeMs: 3 })
  const main = (millions: number) =>
    `${data('errors : Int; fault : Byte; ob : Int; n : Int;')}${longBlock('Main', millions, '"Data".n := "Data".n + 1;')}
ORGANIZATION_BLOCK "OB80"\nBEGIN\n"Data".errors := "Data".errors + 1; "Data".fault := #Fault_ID; "Data".ob := #Csg_OBnr;\nEND_ORGANIZATION_BLOCK`
  await load(main(2))
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('Data.errors'), await get('Data.n')], [0, 2])
  await controller.change('stop')
  await load(main(5))
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('Data.errors'), await get('Data.fault'), await get('Data.ob')], [2, 1, 1])
  assert.equal(controller.state, 'Run')
  assert.equal(controller.statistics.overruns, 2)
  await controller.change('stop')
  await load(main(8))
  await controller.change('run')
  assert.equal((await controller.advance({ cycles: 2 })).cycles, 0)
  assert.equal(controller.state, 'Stop')
  assert.match(controller.diagnostics[0]?.message ?? '', /twice/)
})

test('RE_TRIGR gives the cycle its full time again', async (t) => {
  const { controller, load, get } = await testController(t, { maximumCycleTimeMs: 3 })
  await load(
    `${data('n : Int;')}${longBlock('Main', 2, `RE_TRIGR();\n#x := 0;\n${long(2)}\n"Data".n := "Data".n + 1;`)}`,
  )
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.deepEqual([controller.state, await get('Data.n')], ['Run', 2])
})

test('startup blocks are not monitored', async (t) => {
  const { controller, load } = await testController(t, { maximumCycleTimeMs: 2 })
  await load(`${longBlock('OB100', 8)}${block('Main', ';')}`)
  assert.equal(await controller.change('run'), 'Run')
})

test('STP goes to STOP with an entry that names the block', async (t) => {
  const { controller, load } = await testController(t)
  await load(`${block('Main', 'STP();')}`)
  await controller.change('run')
  assert.equal((await controller.advance({ cycles: 3 })).cycles, 0)
  assert.equal(controller.state, 'Stop')
  assert.deepEqual([controller.diagnostics[0]?.code, controller.diagnostics[0]?.block], ['stop-instruction', 'Main'])
  await load(`${block('OB100', 'STP();')}${block('Main', ';')}`)
  assert.equal(await controller.change('run'), 'Stop')
})

const indexFault = `${data('list : Array[1..3] of Int := 3(7); index : Int := 9; n : Int; read : Int := 5;')}
ORGANIZATION_BLOCK "Main"
BEGIN
"Data".n := "Data".n + 1;
"Data".read := "Data".list["Data".index];
"Data".list["Data".index] := 1;
END_ORGANIZATION_BLOCK
`

test('a programming error without OB 121 goes to STOP and names network and line', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(indexFault)
  await controller.change('run')
  assert.equal((await controller.advance({ cycles: 3 })).cycles, 0)
  assert.equal(controller.state, 'Stop')
  const [entry] = controller.diagnostics
  assert.deepEqual([entry?.code, entry?.block, entry?.network, entry?.line], ['programming-error', 'Main', 1, 2])
  assert.equal(await get('Data.n'), 1)
})

test('a programming error with OB 121: a read gives 0, a write is left out, the program goes on', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${indexFault.replace('read : Int', 'errors : Int; priority : Int; block : Int; read : Int')}
ORGANIZATION_BLOCK "OB121"
BEGIN
"Data".errors := "Data".errors + 1; "Data".priority := #Csg_Prio; "Data".block := #BlockNr;
END_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await controller.advance({ cycles: 3 })
  assert.deepEqual(
    [
      await get('Data.n'),
      await get('Data.errors'),
      await get('Data.read'),
      await get('Data.priority'),
      await get('Data.block'),
    ],
    [3, 6, 0, 1, 1],
  )
  assert.equal(controller.state, 'Run')
  // The same error is not entered again in each cycle.
  assert.equal(codes(controller).filter((code) => code === 'programming-error').length, 2)
  await controller.advance({ milliseconds: 1100 })
  assert.equal(codes(controller).filter((code) => code === 'programming-error').length, 4)
  assert.match(controller.diagnostics[0]?.message ?? '', /more since/)
})

test('OB 121 is told what failed: read or written, how wide, in which data block', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${indexFault}
DATA_BLOCK "Seen"
VAR
  n : Int; id1 : Byte; id2 : Byte; reaction1 : USInt; reaction2 : USInt; area : USInt; width : USInt; block : DB_ANY;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "OB121"
BEGIN
IF "Seen".n = 0 THEN
  "Seen".id1 := #Fault_ID; "Seen".reaction1 := #Reaction;
ELSE
  "Seen".id2 := #Fault_ID; "Seen".reaction2 := #Reaction;
END_IF;
"Seen".n := "Seen".n + 1; "Seen".area := #Area; "Seen".width := #Width; "Seen".block := #DBNr;
END_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  const seen = async (...names: string[]) => Promise.all(names.map((name) => get(`Seen.${name}`)))
  assert.deepEqual(await seen('n', 'id1', 'id2', 'reaction1', 'reaction2'), [2, 0x22, 0x23, 1, 0])
  assert.deepEqual(await seen('area', 'width', 'block'), [0x84, 2, 1])
  assert.match(controller.diagnostics[0]?.message ?? '', /an index outside its array where it is written/)
})

test('a programming error in OB 121 itself goes to STOP', async (t) => {
  const { controller, load } = await testController(t)
  await load(`${indexFault}ORGANIZATION_BLOCK "OB121"\nBEGIN\n"Data".list["Data".index] := 2;\nEND_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  assert.equal(controller.state, 'Stop')
  assert.match(controller.diagnostics[0]?.message ?? '', /it is OB 121 itself/)
})

test('calls that are nested without end go to STOP, and the next run has its whole stack', async (t) => {
  const { controller, load, set } = await testController(t)
  await load(
    `${data('n : DInt;')}FUNCTION "Deep" : Void\nVAR_INPUT\n  n : DInt;\nEND_VAR\nVAR_TEMP\n  room : Array[0..9] of DInt;\nEND_VAR\nBEGIN\n#room[0] := #n; "Data".n := #room[0]; IF %M0.0 THEN "Deep"(#n + 1); END_IF;\nEND_FUNCTION\n${block('Main', '"Deep"(1);')}`,
  )
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  await set('%M0.0', 1)
  await controller.advance({ cycles: 1 })
  assert.equal(controller.state, 'Stop')
  assert.equal(controller.diagnostics[0]?.code, 'nesting-depth')
  await controller.change('run')
  assert.equal((await controller.advance({ cycles: 2 })).cycles, 2)
})

test('stop ends an endless startup block and a cycle without limit', async (t) => {
  const { controller, load } = await testController(t, { maximumCycleTimeMs: 1e9 })
  await load(`${data('on : Bool := TRUE; x : DInt;')}${block('OB100', endless)}${block('Main', ';')}`)
  const running = controller.change('run')
  while (controller.state !== 'Startup') await new Promise(setImmediate)
  assert.equal(await controller.change('stop'), 'Stop')
  assert.equal(await running, 'Stop')
  await load(`${data('on : Bool := TRUE; x : DInt;')}${block('Main', endless)}`)
  await controller.change('run')
  const advanced = controller.advance({ cycles: 1 })
  assert.equal(await controller.change('stop'), 'Stop')
  assert.equal((await advanced).cycles, 0)
  assert.equal(await controller.change('powerOff'), 'Off')
})

test('nested calls without loops are ended by stop, and the thread lives', async (t) => {
  const { controller, load, get } = await testController(t, { maximumCycleTimeMs: 1e9 })
  // Nested calls without loops: 2 to the power of 60.
  await load(
    `${data('n : DInt;')}FUNCTION "Tree" : Void\nVAR_INPUT\n  n : Int;\nEND_VAR\nBEGIN\nIF #n > 0 THEN "Tree"(#n - 1); "Tree"(#n - 1); END_IF;\nEND_FUNCTION\n${block('Main', '"Tree"(60);')}`,
  )
  await controller.change('run')
  const advanced = controller.advance({ cycles: 1 })
  // Requests that arrive together are handled together, so the cycle must have begun.
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal(await controller.change('stop'), 'Stop')
  assert.equal((await advanced).cycles, 0)
  assert.ok(!codes(controller).includes('controller-ended'))
  assert.equal(await get('Data.n'), 0)
  await load(block('Main', ';'))
  assert.equal(await controller.change('run'), 'Run')
})

test('dispose ends whatever runs', async (t) => {
  const { controller, load } = await testController(t, { maximumCycleTimeMs: 1e9 })
  await load(`${data('on : Bool := TRUE; x : DInt;')}${block('Main', endless)}`)
  await controller.change('run')
  const advanced = assert.rejects(controller.advance({ cycles: 1 }), { code: 'conflict' })
  await controller.dispose()
  await advanced
  assert.equal(controller.state, 'Off')
})

test('a thread that ends by itself is started again in STOP with its program; one that cannot start is off', async (t) => {
  const workers: Worker[] = []
  const note = (worker: Worker) => workers.push(worker)
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  const { controller, load, get, set } = await testController(t, { startup: 'Last' })
  await load(`DATA_BLOCK "Kept"\nVAR RETAIN\n  n : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
FUNCTION_BLOCK "Watch"\nVAR\n  late {InstructionName := 'Program_Alarm'; LibVersion := '1.0'} : Program_Alarm;\nEND_VAR
BEGIN\n  #late(SIG := TRUE);\nEND_FUNCTION_BLOCK
DATA_BLOCK "Watch_DB"\n"Watch"\nBEGIN\nEND_DATA_BLOCK
${block('Main', '"Watch_DB"(); "Kept".n := "Kept".n + 1;')}`)
  await controller.change('run')
  await controller.advance({ cycles: 3 })
  await until(() => controller.alarms.pending.length === 1, 'the alarm has come')
  const states: string[] = []
  controller.events.on('state', (state) => states.push(state))
  const { time } = controller
  const waiting = assert.rejects(controller.advance({ milliseconds: 1e9 }), {
    code: 'conflict',
    message: /The controller was stopped meanwhile: it ended unexpectedly/,
  })
  await workers[0]?.terminate()
  await waiting
  await until(() => controller.state === 'Stop', 'it is in STOP again')
  const { message, time: ended = 0 } = controller.diagnostics[0] ?? {}
  assert.deepEqual(
    [states, message, ended >= time],
    [['Booting', 'Stop'], "The controller's thread ended (it ended unexpectedly): it is started again, in STOP.", true],
  )
  const [gone] = controller.alarms.log
  assert.deepEqual(
    [controller.alarms.pending, gone?.kind, gone && 'cause' in gone && gone.cause],
    [[], 'removed', "The controller's thread ended."],
  )
  await set('Kept.n', 7)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  assert.equal(await get('Kept.n'), 8)
  await until(() => controller.alarms.pending.length === 1, 'the alarm has come again')
  // Neither that which ends nor the one after it starts: the controller is off, and stays so.
  const end = (worker: Worker) => void worker.terminate()
  process.on('worker', end)
  await workers[1]?.terminate()
  await until(() => controller.state === 'Off', 'it is off')
  await assert.rejects(controller.change('powerOn'), /it ended unexpectedly/)
  process.off('worker', end)
  assert.deepEqual(
    [controller.state, controller.diagnostics[0]?.message, workers.length],
    ['Off', 'It could not be started again: it ended unexpectedly', 4],
  )
  assert.equal(await controller.change('powerOn'), 'Run', 'as it was before')
})

test('an endless loop of programming errors is ended as any other, though OB 121 handles each', async (t) => {
  const { controller, load } = await testController(t, { maximumCycleTimeMs: 5 })
  await load(
    `${data('on : Bool := TRUE; x : DInt; list : Array[1..2] of Int; index : Int := 5; errors : DInt;')}${block('Main', 'WHILE "Data".on DO "Data".list["Data".index] := 1; END_WHILE;')}${block('OB121', '"Data".errors := "Data".errors + 1;')}`,
  )
  await controller.change('run')
  assert.equal((await controller.advance({ cycles: 1 })).cycles, 0)
  assert.equal(controller.diagnostics[0]?.code, 'cycle-time-exceeded')
})

test('a flood of writes keeps no cycle from running', async (t) => {
  const { controller, load, get, range } = await testController(t, { time: { mode: 'real', factor: 1 } })
  await load(`${data('n : DInt; x : DInt;')}${block('Main', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  const { address } = range('Data.x')
  const bytes = Uint8Array.of(1, 0, 0, 0)
  const before = await get('Data.n')
  await Promise.all(Array.from({ length: 20_000 }, () => controller.write([{ address, bytes }])))
  assert.ok((await get('Data.n')) > before)
  assert.equal(controller.state, 'Run')
})

test('power-off ends an endless startup block', async (t) => {
  const { controller, load } = await testController(t)
  await load(`${data('on : Bool := TRUE; x : DInt;')}${block('OB100', endless)}${block('Main', ';')}`)
  const running = controller.change('run').catch(() => undefined)
  while (controller.state !== 'Startup') await new Promise(setImmediate)
  assert.equal(await controller.change('powerOff'), 'Off')
  await running
})

test('an aborted run ends in Stop', async (t) => {
  const { controller, load } = await testController(t)
  await load(`${data('on : Bool := TRUE; x : DInt;')}${block('OB100', endless)}${block('Main', ';')}`)
  const abort = new AbortController()
  const running = assert.rejects(controller.change('run', abort.signal), { name: 'AbortError' })
  while (controller.state !== 'Startup') await new Promise(setImmediate)
  abort.abort()
  await running
  assert.equal(controller.state, 'Stop')
})

test('a masked programming error runs no OB 121 and brings no STOP; the diagnostics buffer knows it', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('list : Array[0..3] of Int; i : Int := 9; x : Int; seen : DWord; mask : DWord; n : Int; r : Int;')}
ORGANIZATION_BLOCK "Main"
BEGIN
"Data".r := MSK_FLT(PRGFLT_SET_MASK := 16#4, ACCFLT_SET_MASK := 0, PRGFLT_MASKED => "Data".mask);
"Data".x := "Data".list["Data".i];
"Data".r := READ_ERR(PRGFLT_QUERY := 16#4, ACCFLT_QUERY := 0, PRGFLT_CLR => "Data".seen);
"Data".n := "Data".n + 1;
END_ORGANIZATION_BLOCK`)
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.equal(controller.state, 'Run')
  assert.deepEqual([await get('Data.n'), await get('Data.seen'), await get('Data.mask')], [2, 4, 4])
  assert.ok(
    controller.diagnostics.some(({ code, message }) => code === 'programming-error' && /it is masked/.test(message)),
  )
})
