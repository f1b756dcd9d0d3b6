/** Watch and force tables of a device that is online, with a real controller. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { actor, openTestGateway } from '../../../test/harness.ts'
import { createServer, listen } from '../../../test/http-server.ts'
import { type Answer, newProject, plc, withController } from '../../../test/online.ts'

const program = `
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    count : DInt;
    speed : Real := 1.5;
    seen : Int;
    delay : Time := T#2s;
  END_VAR
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Data".count := "Data".count + 1;
  "Data".seen := "Setpoint";
  "Lamp" := "Start";
  "Setpoint" := 5;
END_ORGANIZATION_BLOCK
`
const on = { ...plc, tableName: 'Watch' }

/**
 * A device that is online with a controller in STOP that has its program; a watch table and a force table without rows.
 */
async function online(t: TestContext) {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  for (const [name, dataType, logicalAddress] of [
    ['Start', 'Bool', '%I0.0'],
    ['Lamp', 'Bool', '%Q0.0'],
    ['Setpoint', 'Int', '%MW10'],
  ])
    await call('tags.add', { ...plc, name, dataType, logicalAddress })
  await call('blocks.import', { ...plc, content: program })
  await call('watch-tables.create', { ...plc, name: 'Watch' })
  await call('watch-tables.create-force', plc)
  const controller = await withController(at)
  await call('online.download', { ...plc, compile: true, startAfter: false })
  await call('online.connect', plc)
  const add = (entries: unknown[], tableName = 'Watch') =>
    call('watch-tables.add-entries', { ...plc, tableName, entries })
  const run = (cycles: number) => controller.advance({ cycles })
  const values = async () => {
    const { rows } = await call<Answer>('online.read-watch-table', on)
    return Object.fromEntries(rows.map((row: Answer) => [row.name || row.address, row.value]))
  }
  return { at, call, controller, add, run, values }
}

test('live values are shown in the display format of each row, all of one scan', async (t) => {
  const { call, controller, add, run } = await online(t)
  await add([
    'Start',
    { name: 'Setpoint', displayFormat: 'Hex' },
    '"Data".speed',
    '"Data".count',
    '"Data".delay',
    '%MB11',
    { name: 'Nothing' },
  ])
  await controller.change('run')
  await run(3)
  const { rows, cycle, bad, state, instance, timestamp } = await call<Answer>('online.read-watch-table', on)
  assert.deepEqual(
    rows.map(({ value, raw, quality, dataType }: Answer) => [value, raw, quality, dataType]),
    [
      ['FALSE', false, 'Good', 'Bool'],
      ['16#0005', 5, 'Good', 'Int'],
      ['1.5', 1.5, 'Good', 'Real'],
      ['3', 3, 'Good', 'DInt'],
      [rows[4].value, rows[4].raw, 'Good', 'Time'],
      ['16#05', 5, 'Good', 'Byte'],
      ['', null, 'Bad', ''],
    ],
  )
  assert.match(rows[4].value, /2s/i)
  assert.match(rows[6].error, /Nothing/)
  assert.equal(rows[1].address, '%MW10')
  assert.deepEqual([cycle, bad, state, instance], [3, 1, 'Run', 'Sim'])
  assert.equal(Date.parse(timestamp), controller.time)
})

test('offline there are no values, and nothing is modified or forced', async (t) => {
  const { call, add, controller } = await online(t)
  await add([{ name: 'Setpoint', modifyValue: 1, modifyIntention: true }])
  await call('online.disconnect', plc)
  await fails(call('online.read-watch-table', on), 'device_offline', /PLC_1.*offline/)
  await fails(call('online.modify-watch-table', on), 'device_offline')
  await fails(call('online.start-modifying', on), 'device_offline')
  await fails(call('online.start-forcing', plc), 'device_offline')
  await call('online.connect', plc)
  await controller.change('powerOff')
  await fails(call('online.read-watch-table', on), 'device_offline')
})

test('modify now writes what the rows say, or nothing', async (t) => {
  const { call, add, values, controller, run } = await online(t)
  await add([
    { name: 'Setpoint', displayFormat: 'Hex', modifyValue: '16#1F', modifyIntention: true },
    { name: '"Data".speed', modifyValue: '2.5' },
    { name: '"Data".delay', modifyValue: 'T#5s', modifyIntention: true },
    'Start',
  ])
  const done = await call<Answer>('online.modify-watch-table', on)
  assert.deepEqual([done.modified, done.rows.map(({ raw }: Answer) => raw)[0]], [2, 31])
  const now = await values()
  assert.deepEqual([now['"Setpoint"'], now['"Data".speed']], ['16#001F', '1.5'])
  // Rows that are named need no intention; a JSON number is no text in the format.
  const entries = [2, { name: 'Setpoint', value: 10 }, { address: '%I0.0', value: true }]
  const { rows } = await call<Answer>('online.modify-watch-table', { ...on, entries })
  assert.deepEqual(
    rows.map(({ value }: Answer) => value),
    // In STOP the image of the inputs is not updated.
    ['16#000A', '2.5', 'FALSE'],
  )
  await controller.change('run')
  await run(2)
  assert.equal((await values())['"Start"'], 'TRUE')
})

test('a row that the program does not have, and a value that does not fit, refuse the whole', async (t) => {
  const { call, add, values } = await online(t)
  await fails(call('online.modify-watch-table', on), 'unacceptable_content', /no row.*modifyIntention/)
  await add([
    { name: 'Setpoint', modifyValue: '7', modifyIntention: true },
    { name: 'Missing', modifyValue: '1', modifyIntention: true },
  ])
  const error = await fails(call('online.modify-watch-table', on), 'unacceptable_content', /Row 2.*Missing/)
  assert.deepEqual(
    error.details.errors?.map(({ path }) => path),
    ['/rows/2'],
  )
  const large = [{ position: 1, value: 40_000 }]
  await fails(call('online.modify-watch-table', { ...on, entries: large }), 'unacceptable_content', /Row 1.*40000.*Int/)
  const two = [{ position: 1, value: 'x' }, 'Missing']
  const both = await fails(call('online.modify-watch-table', { ...on, entries: two }), 'unacceptable_content', /1 more/)
  assert.equal(both.details.errors?.length, 2)
  await fails(call('online.modify-watch-table', { ...on, entries: ['Setpont'] }), 'not_found', /Did you mean/)
  await fails(call('online.modify-watch-table', { ...on, entries: [9] }), 'not_found', /row 9 is behind the last \(2\)/)
  await fails(call('online.modify-watch-table', { ...on, entries: [1, 1] }), 'unacceptable_content', /twice/)
  assert.equal((await values())['"Setpoint"'], '0')
  await fails(call('online.read-watch-table', { ...plc, tableName: 'Wach' }), 'not_found', /Watch/)
})

test('rows are modified with their triggers until it is ended', async (t) => {
  const { call, add, values, controller, run } = await online(t)
  const row = (name: string, modifyValue: string, modifyTrigger: string) => ({
    name,
    modifyValue,
    modifyTrigger,
    modifyIntention: true,
  })
  await add([
    row('Setpoint', '42', 'PermanentAtStart'),
    row('Lamp', 'TRUE', 'Permanent'),
    row('Start', 'FALSE', 'PermanentAtStart'),
    row('"Data".count', '100', 'OnceOnlyAtStart'),
    row('"Data".speed', '9.0', 'OnceOnlyAtStop'),
    '"Data".seen',
  ])
  await controller.change('run')
  await call('online.modify-watch-table', { ...on, entries: [{ name: 'Start', value: true }] })
  const begun = await call<Answer>('online.start-modifying', on)
  assert.deepEqual(
    begun.rows.map(({ at, status }: Answer) => [at, status]),
    [
      ['start', 'active'],
      ['end', 'active'],
      ['start', 'active'],
      ['start', 'waiting'],
      ['stop', 'waiting'],
    ],
  )
  await run(3)
  const now = await values()
  // The program sees 42 and writes 5; the lamp is on, although the program sees Start off; the count goes on from 100.
  assert.deepEqual(
    [now['"Data".seen'], now['"Setpoint"'], now['"Lamp"'], now['"Data".count'], now['"Data".speed']],
    ['42', '5', 'TRUE', '103', '1.5'],
  )
  const during = await call<Answer>('online.get-modifying', on)
  assert.deepEqual(
    during.rows.map(({ status }: Answer) => status),
    ['active', 'active', 'active', 'done', 'waiting'],
  )
  await controller.change('stop')
  assert.equal((await values())['"Data".speed'], '9.0')
  assert.equal((await call<Answer>('online.get-modifying', on)).rows[4].status, 'done')
  const { ended } = await call<Answer>('online.stop-modifying', on)
  assert.equal(ended, 3)
  assert.equal((await call<Answer>('online.get-modifying', on)).isModifying, false)
  await controller.change('run')
  await run(3)
  const after = await values()
  // What was modified in the image is what the periphery says again.
  assert.deepEqual(
    [after['"Data".seen'], after['"Start"'], after['"Lamp"'], after['"Data".count']],
    ['5', 'TRUE', 'TRUE', '3'],
  )
})

test('what waits for RUN is written once in the first cycle; going offline ends what is modified', async (t) => {
  const { call, add, values, controller, run } = await online(t)
  await add([
    { name: '"Data".count', modifyValue: '50', modifyTrigger: 'OnceOnlyAtEnd', modifyIntention: true },
    { name: 'Lamp', modifyValue: 'TRUE', modifyTrigger: 'PermanentAtEnd', modifyIntention: true },
  ])
  await call('online.start-modifying', on)
  assert.equal((await call<Answer>('online.get-modifying', on)).rows[0].status, 'waiting')
  await controller.change('run')
  await run(3)
  assert.deepEqual([(await values())['"Data".count'], (await values())['"Lamp"']], ['52', 'TRUE'])
  assert.equal((await call<Answer>('online.get-modifying', on)).rows[0].status, 'done')
  await call('online.disconnect', plc)
  await call('online.connect', plc)
  await run(2)
  assert.equal((await values())['"Lamp"'], 'FALSE')
  assert.equal((await call<Answer>('online.get-modifying', on)).total, 0)
})

test('forces hold against program, writes and modifying until they are stopped', async (t) => {
  const { call, add, values, controller, run } = await online(t)
  const status = async () => (await call<Answer>('online.get-cpu-status', plc)).isForcing
  await add(['Start', { name: 'Lamp' }])
  await add(
    [
      { name: 'Start', forceValue: 'TRUE', forceIntention: true },
      { name: '%QB4', forceValue: '16#A5' },
    ],
    'Force table',
  )
  await controller.change('run')
  assert.equal(await status(), false)
  const started = await call<Answer>('online.start-forcing', plc)
  assert.deepEqual(
    started.forces.map(({ tag, address, value }: Answer) => [tag, address, value]),
    [['Start', '%I0.0', true]],
  )
  assert.equal(await status(), true)
  await call('online.modify-watch-table', { ...on, entries: [{ name: 'Start', value: false }] })
  await run(2)
  assert.deepEqual(await values(), { '"Start"': 'TRUE', '"Lamp"': 'TRUE' })
  const { rows } = await call<Answer>('online.read-force-table', plc)
  assert.deepEqual(
    rows.map(({ isForced }: Answer) => isForced),
    [true, false],
  )
  await fails(call('online.start-forcing', plc), 'conflict', /Start.*Replace/)
  const replaced = await call<Answer>('online.replace-forces', { ...plc, entries: [2] })
  assert.deepEqual(
    replaced.forces.map(({ tag, value }: Answer) => [tag, value]),
    [['%QB4', 0xa5]],
  )
  await run(2)
  assert.equal((await values())['"Lamp"'], 'FALSE')
  assert.equal((await call<Answer>('online.stop-forcing', plc)).stopped, 1)
  assert.equal(await status(), false)
  assert.equal((await call<Answer>('online.stop-forcing', plc)).stopped, 0)
})

test('forces survive going offline, power-off and a download', async (t) => {
  const { call, add, controller } = await online(t)
  await add([{ name: 'Start', forceValue: 'TRUE', forceIntention: true }], 'Force table')
  await call('online.start-forcing', plc)
  await call('online.disconnect', plc)
  assert.equal(controller.forces.length, 1)
  await call('simulation.power-off', { name: 'Sim' })
  await call('simulation.power-on', { name: 'Sim' })
  await call('online.connect', plc)
  const forced = async () => (await call<Answer>('online.list-forces', plc)).forces.map(({ tag }: Answer) => tag)
  assert.deepEqual(await forced(), ['Start'])
  await call('tags.delete', { ...plc, name: 'Lamp' }).catch(() => undefined)
  await call('blocks.import', { ...plc, content: program.replace('"Lamp" := "Start";', ''), overwrite: true })
  await call('online.download', { ...plc, compile: true, startAfter: false })
  assert.deepEqual(await forced(), ['Start'])
  await call('online.stop-forcing', plc)
  await call('simulation.power-off', { name: 'Sim' })
  await call('simulation.power-on', { name: 'Sim' })
  assert.equal(controller.forces.length, 0)
})

test('only inputs and outputs can be forced, and each bit by one row', async (t) => {
  const { call, add, controller } = await online(t)
  await fails(call('online.start-forcing', plc), 'unacceptable_content', /no row.*forceIntention/)
  await add(
    [
      { name: 'Setpoint', forceValue: '1', forceIntention: true },
      { name: '%I0.0:P', forceValue: 'TRUE' },
      { name: '%IB0', forceValue: '1' },
      { name: '%IW2' },
    ],
    'Force table',
  )
  await fails(
    call('online.start-forcing', plc),
    'unacceptable_content',
    /Row 1.*Setpoint.*neither an input nor an output/,
  )
  await fails(call('online.start-forcing', { ...plc, entries: [2, 3] }), 'unacceptable_content', /Row 3.*row 2/)
  await fails(call('online.start-forcing', { ...plc, entries: [4] }), 'unacceptable_content', /Row 4.*no forceValue/)
  assert.equal(controller.forces.length, 0)
  await call('online.start-forcing', { ...plc, entries: ['%I0.0:P'] })
  assert.equal(controller.forces.length, 1)
  await call('watch-tables.delete-force', { ...plc, tableName: 'Force table' })
  await fails(call('online.replace-forces', plc), 'not_found', /no force table/)
})

test('modifying and forcing are for operators; a dry run does nothing', async (t) => {
  const { call, add, values, controller } = await online(t)
  await add([{ name: 'Setpoint', modifyValue: '3', modifyIntention: true }])
  await add([{ name: 'Start', forceValue: 'TRUE', forceIntention: true }], 'Force table')
  const engineer = { actor: actor('engineer') }
  for (const id of ['modify-watch-table', 'start-modifying', 'stop-modifying'])
    await fails(call(`online.${id}`, on, engineer), 'forbidden')
  for (const id of ['start-forcing', 'replace-forces', 'stop-forcing'])
    await fails(call(`online.${id}`, plc, engineer), 'forbidden')
  const dryRun = true
  await call('online.modify-watch-table', { ...on, dryRun })
  await call('online.start-modifying', { ...on, dryRun })
  const { result } = await call<Answer>('online.start-forcing', { ...plc, dryRun })
  assert.deepEqual(result.forces, [{ tag: 'Start', address: '%I0.0', dataType: 'Bool', value: true }])
  assert.equal((await values())['"Setpoint"'], '0')
  assert.equal((await call<Answer>('online.get-modifying', on)).total, 0)
  assert.equal(controller.forces.length, 0)
})

test('the stream follows the monitor triggers of the rows and ends when the device goes offline', async (t) => {
  const { at, call, add, controller, run } = await online(t)
  await add([
    '"Data".count',
    { name: '"Data".seen', monitorTrigger: 'PermanentAtStop' },
    { name: 'Setpoint', monitorTrigger: 'OnceOnlyAtStart' },
  ])
  const app = await createServer(at.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const headers = { 'X-API-Key': at.gateway.createdKey ?? '' }
  const path = '/api/devices/PLC_1/watch-tables/Watch/values/stream?intervalMs=10'
  const response = await fetch(`${url}${path}`, { headers })
  assert.equal(response.status, 200)
  const messages = eventsOf(response)
  const first = await messages()
  assert.deepEqual([first.event, first.state, shown(first), first.waiting], ['values', 'Stop', ['1=0'], [2, 3]])
  await controller.change('run')
  // The stream may look while the controller starts.
  let once = await messages()
  while (once.state === 'Startup') once = await messages()
  assert.deepEqual([once.state, once.waiting, shown(once)], ['Run', [2], ['3=0']])
  await run(4)
  // The stream may look in the middle of the four cycles.
  let counted = shown(await messages())
  for (let i = 0; i < 4 && counted[0] !== '1=4'; i++) counted = shown(await messages())
  assert.deepEqual(counted, ['1=4'])
  await controller.change('stop')
  const stopped = await messages()
  assert.deepEqual([stopped.state, shown(stopped)], ['Stop', ['2=5']])
  await call('online.disconnect', plc)
  assert.match((await messages()).reason, /offline/)
  const refused = await fetch(`${url}${path}`, { headers })
  assert.equal(refused.status, 409)
})

const shown = ({ rows }: Answer) => rows.map(({ position, value }: Answer) => `${position}=${value}`)

/** The next event of a response, with its data. */
function eventsOf(response: Response): () => Promise<Answer> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const message = text.slice(0, end)
        text = text.slice(end + 2)
        const data = /^data: ?(.*)$/m.exec(message)?.[1]
        if (data !== undefined) return { event: /^event: ?(.*)$/m.exec(message)?.[1], ...JSON.parse(data) }
        continue
      }
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended; ${text}`)
      text += value
    }
  }
}

test('in real time a value that is written once is written once, also when others are given meanwhile', async (t) => {
  const { call, add, controller, values } = await online(t)
  await call('simulation.set-time', { name: 'Sim', mode: 'real', factor: 1 })
  await call('watch-tables.create', { ...plc, name: 'Other' })
  await add([{ name: '"Data".count', modifyValue: '1000000', modifyTrigger: 'OnceOnlyAtStart' }])
  await add([{ name: 'Lamp', modifyValue: 'TRUE', modifyTrigger: 'PermanentAtEnd' }], 'Other')
  await controller.change('run')
  await call('online.start-modifying', { ...on, entries: [1] })
  const count = async () => Number((await values())['"Data".count'])
  while ((await count()) < 1_000_000) await new Promise(setImmediate)
  const before = await count()
  await call('online.start-modifying', { ...plc, tableName: 'Other', entries: [1] })
  while ((await count()) < before + 5) await new Promise(setImmediate)
  await call('online.stop-modifying', { ...plc, tableName: 'Other' })
  assert.equal((await call<Answer>('online.get-modifying', on)).rows[0].status, 'done')
  const at = await count()
  while ((await count()) < at + 5) await new Promise(setImmediate)
})

test('comment rows and rows without an operand are told as what they are', async (t) => {
  const { call, add } = await online(t)
  const content = `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V16" />
<SW.WatchAndForceTables.PlcWatchTable ID="0"><AttributeList><Name>Odd</Name></AttributeList><ObjectList>
<SW.WatchAndForceTables.PlcWatchTableCommentEntry ID="1" CompositionName="Entries"></SW.WatchAndForceTables.PlcWatchTableCommentEntry>
<SW.WatchAndForceTables.PlcWatchTableEntry ID="2" CompositionName="Entries"><AttributeList><DisplayFormat>Hex</DisplayFormat></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>
<SW.WatchAndForceTables.PlcWatchTableEntry ID="3" CompositionName="Entries"><AttributeList><Address>%MW99999</Address></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>
<SW.WatchAndForceTables.PlcWatchTableEntry ID="4" CompositionName="Entries"><AttributeList><Name>"Start"</Name></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>
</ObjectList></SW.WatchAndForceTables.PlcWatchTable></Document>`
  await call('watch-tables.import', { ...plc, content })
  await add(['Start', 'Start'])
  const odd = { ...plc, tableName: 'Odd' }
  const { rows } = await call<Answer>('online.read-watch-table', odd)
  assert.deepEqual(
    rows.map(({ position, quality }: Answer) => [position, quality]),
    [
      [2, 'Bad'],
      [3, 'Bad'],
      [4, 'Good'],
    ],
  )
  assert.match(rows[0].error, /neither a symbol nor an address/)
  await fails(call('online.modify-watch-table', { ...odd, entries: [1] }), 'not_found', /comment/)
  await fails(
    call('online.modify-watch-table', { ...odd, entries: [{ position: 2, value: 1 }] }),
    'unacceptable_content',
    /Row 2/,
  )
  const start = [{ name: 'start', value: true }]
  await fails(call('online.modify-watch-table', { ...on, entries: start }), 'conflict', /rows 1, 2/)
})
