/** The port with a controller that runs a compiled program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import NodeS7, { type Nodes7Value } from 'nodes7'
import { packageOf, testController } from '../../../test/controller.ts'
import { item, items, openPort, readyClient } from '../../../test/s7.ts'

const source = `
DATA_BLOCK "Line"
{ S7_Optimized_Access := 'FALSE' }
VERSION : 0.1
   VAR
      enable : Bool;
      speed : Int;
      level : Real := 1.5;
      counts : Array[0..3] of DInt;
   END_VAR
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Hidden"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR
      secret : Int := 42;
   END_VAR
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
VERSION : 0.1
BEGIN
   "Motor" := "Start" AND "Line".enable;
   IF "Motor" THEN
      "Line".speed := "Setpoint" * 2;
      "Line".counts[2] := "Line".counts[2] + 1;
   END_IF;
END_ORGANIZATION_BLOCK
`
const tags = { Start: 'Bool at %I0.3', Motor: 'Bool at %Q4.1', Setpoint: 'Int at %MW20' }

test('a client runs a program: starts it, writes its inputs and data, reads its outputs', async (t) => {
  const { controller, load } = await testController(t, { time: { mode: 'real', factor: 1 } })
  await load(source, tags)
  const port = await openPort(controller)
  t.after(() => port.close())
  const raw = await readyClient(port.port)
  t.after(async () => raw.close())
  assert.equal((await raw.statusList(0x0424)).records[0]?.[3], 4)
  const start = Buffer.concat([Buffer.from('28000000000000fd000009', 'hex'), Buffer.from('P_PROGRAM')])
  assert.equal((await raw.job(start)).error, 0)
  assert.equal(controller.state, 'Run')
  assert.equal((await raw.statusList(0x0424)).records[0]?.[3], 8)

  const numberOf = (name: string) => controller.program?.symbols.dataBlocks.find((one) => one.name === name)?.number
  const line = numberOf('Line')
  const client = new NodeS7({ silent: true })
  await promisify(client.initiateConnection.bind(client))({ host: '127.0.0.1', port: port.port, rack: 0, slot: 1 })
  t.after(() => new Promise<void>((resolve) => client.dropConnection(resolve)))
  const write = (names: readonly string[], values: readonly Nodes7Value[]) =>
    new Promise<boolean>((resolve) => void client.writeItems(names, values, (isAnyBad) => resolve(!isAnyBad)))
  const read = () =>
    new Promise<Record<string, Nodes7Value>>((resolve) => client.readAllItems((_bad, values) => resolve(values)))
  client.addItems(['Q4.1', 'I0.3', `DB${line},INT2`, `DB${line},REAL4`, `DB${line},DINT16`])
  assert.deepEqual(
    { ...(await read()) },
    { 'Q4.1': false, 'I0.3': false, [`DB${line},INT2`]: 0, [`DB${line},REAL4`]: 1.5, [`DB${line},DINT16`]: 0 },
  )
  assert.ok(await write(['MI20', `DB${line},X0.0`, 'I0.3'], [-700, true, true]))
  let after = await read()
  while (after['Q4.1'] !== true) after = await read()
  assert.equal(after['I0.3'], true)
  assert.equal(after[`DB${line},INT2`], -1400)
  const counter = `DB${line},DINT16`
  const counted = after[counter]
  while (after[counter] === counted) after = await read()

  // Data without an absolute address do not exist for clients.
  const hidden = await raw.job(items(4, item(2, 2, numberOf('Hidden') ?? 0, 0x84, 0)))
  assert.equal(hidden.data.toString('hex'), '0a000000')
  assert.equal((await raw.userData(3, 2, Buffer.from('0A'))).payload.length, 8)
  assert.ok((await raw.statusList(0x00a0)).count > 0)

  const stop = Buffer.concat([Buffer.from('29000000000009', 'hex'), Buffer.from('P_PROGRAM')])
  assert.equal((await raw.job(stop)).error, 0)
  assert.equal(controller.state, 'Stop')
  assert.equal((await raw.userData(7, 2, Buffer.from('00202705171314150001', 'hex'))).error, 0)
  assert.equal((await raw.userData(7, 1)).payload.toString('hex', 0, 5), '0020270517')
  await controller.change('powerOff')
  assert.equal(await raw.packet(), undefined)
})

test('the time that a timer has left and the count of a counter are those of the program', async (t) => {
  const { controller, load } = await testController(t)
  await load(
    `ORGANIZATION_BLOCK "Main"
VERSION : 0.1
BEGIN
NETWORK
TITLE = Delay
      AN "Never";
      L S5T#20s;
      SD T5;
NETWORK
TITLE = Count
      AN "Pulse";
      = "Pulse";
      A "Pulse";
      CU C7;
END_ORGANIZATION_BLOCK`,
    { Never: 'Bool at %M0.0', Pulse: 'Bool at %M0.1' },
  )
  await controller.change('run')
  await controller.advance({ milliseconds: 5_000 })
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const { data } = await client.job(items(4, item(0x1d, 1, 0, 0x1d, 5), item(0x1c, 1, 0, 0x1c, 7)))
  // S5T#20s is 200 x 100 ms; 5 s of it have passed. A counter ends at 999.
  assert.equal(data.toString('hex'), 'ff0900021150ff0900020999')
  // Between two advances too.
  assert.equal((await client.job(items(5, item(0x1c, 1, 0, 0x1c, 7)), '000900020123')).data.toString('hex'), 'ff')
  assert.equal((await client.job(items(4, item(0x1c, 1, 0, 0x1c, 7)))).data.toString('hex'), 'ff0900020123')
})

const stopRequest = Buffer.concat([Buffer.from('29000000000009', 'hex'), Buffer.from('P_PROGRAM')])

test('without PUT/GET clients can read status lists, but no data; a protection level keeps them from stopping', async (t) => {
  const { controller, load, get } = await testController(t, { putGetAccess: false, protectionLevel: 2 })
  await load(source, tags)
  await controller.change('run')
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const flag = item(2, 1, 0, 0x83, 20 * 8)
  assert.equal((await client.job(items(4, flag))).error, 0x8104)
  assert.equal((await client.job(items(5, flag), '0004000805')).error, 0x8104)
  assert.equal(await get('%MB20'), 0)
  assert.equal((await client.statusList(0x0424)).error, 0)
  assert.equal((await client.statusList(0x0232, 4)).records[0]?.toString('hex', 0, 8), '0004000100020002')
  assert.equal((await client.job(stopRequest)).error, 0xd241)
  assert.equal((await client.userData(7, 2, Buffer.from('00202705171314150001', 'hex'))).error, 0xd241)
  assert.equal(controller.state, 'Run')
  // A change of the configuration holds for connections that are open.
  await controller.configure({ ...controller.options, putGetAccess: true, protectionLevel: 1 })
  assert.equal((await client.job(items(5, flag), '0004000805')).error, 0)
  assert.equal(await get('%MB20'), 5)
  assert.equal((await client.job(stopRequest)).error, 0)
  assert.equal(controller.state, 'Stop')
})

test('a data block that is write-protected in the device can be read, not written', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`DATA_BLOCK "Fixed"
{ S7_Optimized_Access := 'FALSE' }
READ_ONLY
VAR
  limit : Int := 70;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
%MW0 := "Fixed".limit;
END_ORGANIZATION_BLOCK`)
  const number = controller.program?.symbols.dataBlocks[0]?.number ?? 0
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const limit = item(4, 1, number, 0x84, 0)
  const flag = item(2, 1, 0, 0x83, 20 * 8)
  assert.equal((await client.job(items(4, limit))).data.toString('hex'), 'ff0400100046')
  // The other item of the request is written.
  const answer = await client.job(items(5, limit, flag), '000400100007 00040008 09'.replaceAll(' ', ''))
  assert.deepEqual([answer.error, answer.data.toString('hex')], [0, '03ff'])
  assert.deepEqual([await get('Fixed.limit'), await get('%MB20')], [70, 9])
})

test('loads in RUN are not seen by clients: their reads and writes are done with the new addresses', async (t) => {
  const { controller } = await testController(t, { time: { mode: 'real', factor: 1 }, maximumCycleTimeMs: 60_000 })
  const program = (n: number) =>
    packageOf(`DATA_BLOCK "Line"
{ S7_Optimized_Access := 'FALSE' }
VAR
  wanted : DInt;${n % 2 === 0 ? '' : '\n  more : Array[0..99] of DInt;'}
END_VAR
BEGIN
END_DATA_BLOCK
${n % 2 === 0 ? '' : 'DATA_BLOCK "Above"\nVAR\n  values : Array[0..999] of LReal;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n'}ORGANIZATION_BLOCK "Main"
BEGIN
%MW0 := ${n};
END_ORGANIZATION_BLOCK`)
  await controller.load(program(0), { inRun: false, reinitialize: false })
  await controller.change('run')
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const number = controller.program?.symbols.dataBlocks.find(({ name }) => name === 'Line')?.number ?? 0
  const wanted = item(7, 1, number, 0x84, 0)
  let isLoading = true
  const loads = (async () => {
    for (let n = 1; n <= 10; n++) await controller.load(program(n), { inRun: true, reinitialize: false })
    isLoading = false
  })()
  let count = 0
  for (; isLoading; count++) {
    const value = count.toString(16).padStart(8, '0')
    const written = await client.job(items(5, wanted), `00040020${value}`)
    assert.deepEqual([written.error, written.data.toString('hex')], [0, 'ff'])
    const read = await client.job(items(4, wanted))
    assert.deepEqual([read.error, read.data.toString('hex')], [0, `ff040020${value}`])
  }
  await loads
  assert.ok(count > 1)
})

test('a client lets a controller in HOLD go on', async (t) => {
  const { controller, load } = await testController(t)
  await load(source, tags)
  await controller.change('run')
  await controller.change('hold')
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const state = (await client.statusList(0x0424)).records[0]
  assert.deepEqual([state?.readUInt16BE(0), state?.[3]], [0x4305, 0x0a])
  const start = Buffer.concat([Buffer.from('28000000000000fd000009', 'hex'), Buffer.from('P_PROGRAM')])
  assert.equal((await client.job(start)).error, 0)
  assert.equal(controller.state, 'Run')
})
