/** Communication between virtual controllers in lock step, and with real partners on loopback. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { activeConnection, dataBlock, passiveConnection, workProgram } from '../../../test/communication-programs.ts'
import { fails } from '../../../test/fails.ts'
import { connected, freePort, openNetwork } from '../../../test/network.ts'
import type { Answer } from '../../../test/simulation.ts'

const openMembers = `open : Bool; close : Bool; send : Bool; receive : Bool := TRUE; length : UDInt; adhoc : Bool;
  connected : Bool; openStatus : Word; sent : Int; sendError : Word; received : Int; size : UDInt; receiveStatus : Word; closed : Int; closeError : Word;
  out : Array[0..9] of Byte; in : Array[0..9] of Byte;`
const openStatics = 'connect : TCON; disconnect : TDISCON; sender : TSEND; receiver : TRCV; connection : TCON_IP_v4;'
const openBody = (parameters: string) => `${parameters}
#connect(REQ := "Data".open, ID := 1, CONNECT := #connection);
IF #connect.DONE THEN "Data".connected := TRUE; END_IF;
IF #connect.ERROR THEN "Data".openStatus := #connect.STATUS; END_IF;
#sender(REQ := "Data".send, ID := 1, LEN := "Data".length, DATA := "Data".out);
IF #sender.DONE THEN "Data".sent := "Data".sent + 1; END_IF;
IF #sender.ERROR THEN "Data".sendError := #sender.STATUS; END_IF;
#receiver(EN_R := "Data".receive, ID := 1, LEN := "Data".length, ADHOC := "Data".adhoc, DATA := "Data".in);
"Data".receiveStatus := #receiver.STATUS;
IF #receiver.NDR THEN "Data".received := "Data".received + 1; "Data".size := #receiver.RCVD_LEN; END_IF;
#disconnect(REQ := "Data".close, ID := 1);
IF #disconnect.DONE THEN "Data".closed := "Data".closed + 1; END_IF;
IF #disconnect.ERROR THEN "Data".closeError := #disconnect.STATUS; END_IF;`
const openProgram = (parameters: string) => workProgram(openMembers, openStatics, openBody(parameters))

const [one, two, three] = ['192.168.10.1', '192.168.10.2', '192.168.10.3']

test('TCON, TSEND, TRCV and TDISCON carry data between two controllers in lock step, the same way each time', async (t) => {
  const run = async (port: number) => {
    const { step, until, read, write } = await openNetwork(t, {
      Active: { ipAddress: one, source: openProgram(activeConnection(1, two, port)) },
      Passive: { ipAddress: two, source: openProgram(passiveConnection(1, port)) },
    })
    const steps: number[] = []
    await write('Passive', 'Data.open', true)
    await step(2)
    await write('Active', 'Data.open', true)
    const opened = await until('Active', 'Data.connected', true)
    assert.equal(opened.end, 'condition')
    steps.push(opened.steps)
    await step(1)
    assert.deepEqual(await read('Passive', 'Data.connected', 'Data.receiveStatus'), [true, 0x7002])
    await write('Active', 'Data.out', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await write('Active', 'Data.send', true)
    steps.push((await until('Passive', 'Data.received', 1)).steps)
    assert.deepEqual(await read('Passive', 'Data.in', 'Data.size'), [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 10])
    steps.push((await until('Active', 'Data.sent', 1)).steps)
    await step(3)
    // A send is started by an edge only.
    assert.deepEqual(await read('Active', 'Data.sent', 'Data.sendError'), [1, 0])
    await write('Active', 'Data.close', true)
    steps.push((await until('Active', 'Data.closed', 1)).steps)
    await step(3)
    assert.deepEqual(await read('Passive', 'Data.receiveStatus'), [0x80a1])
    return steps
  }
  assert.deepEqual(await run(2000), await run(2000))
})

test('TRCV waits for its length, or takes what is there ad hoc; wrong IDs and closed connections have their STATUS', async (t) => {
  const { step, until, read, write } = await openNetwork(t, {
    Active: { ipAddress: one, source: openProgram(activeConnection(1, two, 2001)) },
    Passive: { ipAddress: two, source: openProgram(passiveConnection(1, 2001)) },
    Late: { ipAddress: three, source: openProgram(activeConnection(1, two, 2001)) },
  })
  await write('Active', 'Data.open', true)
  await step(4)
  assert.deepEqual(await read('Active', 'Data.openStatus'), [0x80c5], 'nobody listens yet')
  await write('Active', 'Data.send', true)
  await step(1)
  assert.deepEqual(await read('Active', 'Data.sendError'), [0x80a1])
  for (const name of ['Active', 'Passive']) await write(name, 'Data.open', false)
  await step(1)
  await write('Passive', 'Data.open', true)
  await step(2)
  await write('Active', 'Data.open', true)
  await until('Passive', 'Data.connected', true)
  await write('Late', 'Data.open', true)
  await step(4)
  assert.deepEqual(await read('Late', 'Data.connected', 'Data.openStatus'), [false, 0x80c5], 'who has a partner')
  const send = async (length: number) => {
    await write('Active', 'Data.length', length)
    await write('Active', 'Data.send', false)
    await step(1)
    await write('Active', 'Data.send', true)
    await step(4)
  }
  await write('Passive', 'Data.length', 5)
  await send(3)
  assert.deepEqual(await read('Passive', 'Data.received', 'Data.receiveStatus'), [0, 0x7002])
  await send(3)
  assert.deepEqual(await read('Passive', 'Data.received', 'Data.size'), [1, 5])
  await write('Passive', 'Data.length', 0)
  await write('Passive', 'Data.adhoc', true)
  await step(2)
  assert.deepEqual(await read('Passive', 'Data.received', 'Data.size'), [2, 1])
  // LEN beyond DATA.
  await send(11)
  assert.deepEqual(await read('Active', 'Data.sendError'), [0x8088])
})

test('STOP ends connections; the partner sees it, and is connected again by itself', async (t) => {
  const { call, step, until, read, write } = await openNetwork(t, {
    Active: { ipAddress: one, source: openProgram(activeConnection(1, two, 2002)) },
    Passive: { ipAddress: two, source: openProgram(passiveConnection(1, 2002)) },
  })
  await write('Passive', 'Data.open', true)
  await step(2)
  await write('Active', 'Data.open', true)
  await until('Passive', 'Data.connected', true)
  await call('simulation.stop', { name: 'Active' })
  await call('simulation.run', { name: 'Active' })
  await step(2)
  assert.deepEqual(await read('Passive', 'Data.receiveStatus'), [0x80a1])
  await write('Active', 'Data.open', true)
  await until('Active', 'Data.connected', true)
  await step(2)
  assert.deepEqual(await read('Passive', 'Data.receiveStatus'), [0x7002])
})

test('TSEND_C and TRCV_C establish the connection by themselves', async (t) => {
  const members =
    'go : Bool; cont : Bool := TRUE; n : Int; out : Word := 16#1234; in : Word; status : Word; done : Int; error : Word;'
  const statics = 'sender : TSEND_C; receiver : TRCV_C; connection : TCON_IP_v4;'
  const { step, until, read, write } = await openNetwork(t, {
    Passive: {
      ipAddress: two,
      source: workProgram(
        members,
        statics,
        `${passiveConnection(7, 2003)}
#receiver(EN_R := TRUE, CONT := TRUE, CONNECT := #connection, DATA := "Data".in);
"Data".status := #receiver.STATUS;
IF #receiver.DONE THEN "Data".done := "Data".done + 1; END_IF;`,
      ),
    },
    Active: {
      ipAddress: one,
      source: workProgram(
        members,
        statics,
        `${activeConnection(9, two, 2003)}
#sender(REQ := "Data".go, CONT := "Data".cont, CONNECT := #connection, DATA := "Data".out);
"Data".status := #sender.STATUS;
IF #sender.DONE THEN "Data".done := "Data".done + 1; END_IF;
IF #sender.ERROR THEN "Data".error := #sender.STATUS; END_IF;`,
      ),
    },
  })
  await step(6)
  assert.deepEqual(await read('Active', 'Data.status'), [0x7004])
  assert.deepEqual(await read('Passive', 'Data.status'), [0x7006])
  await write('Active', 'Data.go', true)
  await until('Passive', 'Data.done', 1)
  await step(2)
  assert.deepEqual(await read('Passive', 'Data.in'), [0x1234])
  assert.deepEqual(await read('Active', 'Data.done', 'Data.error'), [1, 0])
  await write('Active', 'Data.cont', false)
  await write('Active', 'Data.go', false)
  await step(3)
  assert.deepEqual(await read('Active', 'Data.status'), [0x7000])
  assert.deepEqual(await read('Passive', 'Data.status'), [0x7002])
})

// ── S7 communication ────────────────────────────────────────────────────────────────────────────────────────────────

const s7Members =
  'get : Bool; put : Bool; n : Int; ndr : Int; done : Int; getError : Bool; getStatus : Word; putError : Bool; putStatus : Word; word : Word; seen : Array[0..3] of Byte; out : Word := 16#ABCD;'
const s7Program = workProgram(
  s7Members,
  'get : GET; put : PUT;',
  `#get(REQ := "Data".get, ID := W#16#100, ADDR_1 := P#DB1.DBX0.0 WORD 1, RD_1 := "Local".word, ADDR_2 := P#M20.0 BYTE 4, RD_2 := "Local".bytes);
IF #get.NDR THEN "Data".ndr := "Data".ndr + 1; END_IF;
IF #get.ERROR THEN "Data".getError := TRUE; "Data".getStatus := #get.STATUS; END_IF;
#put(REQ := "Data".put, ID := W#16#100, ADDR_1 := P#DB1.DBX2.0 WORD 1, SD_1 := "Local".out);
IF #put.DONE THEN "Data".done := "Data".done + 1; END_IF;
IF #put.ERROR THEN "Data".putError := TRUE; "Data".putStatus := #put.STATUS; END_IF;`,
  dataBlock('Local', 'word : Word; bytes : Array[0..3] of Byte; out : Word := 16#ABCD;', 'standard'),
)
const server = `
DATA_BLOCK "Shared"
{ S7_Optimized_Access := 'FALSE' }
VAR
first : Word := 16#1122;
second : Word;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
%MD20 := DW#16#01020304;
END_ORGANIZATION_BLOCK
`

test('GET and PUT read and write another controller over a configured connection', async (t) => {
  const { call, step, until, read, write, wait } = await openNetwork(t, {
    Client: {
      ipAddress: one,
      source: s7Program,
      config: { connections: [{ id: 'W#16#100', partnerAddress: two }] },
    },
    Server: { ipAddress: two, source: server },
  })
  await step(1)
  await write('Client', 'Data.get', true)
  await until('Client', 'Data.ndr', 1)
  assert.deepEqual(await read('Client', 'Local.word', 'Local.bytes', 'Data.getError'), [0x1122, [1, 2, 3, 4], false])
  await write('Client', 'Data.put', true)
  await until('Client', 'Data.done', 1)
  assert.deepEqual(await read('Server', 'Shared.second'), [0xabcd])
  // A partner that is off: communication problem.
  await call('simulation.power-off', { name: 'Server' })
  await write('Client', 'Data.get', false)
  await call('simulation.advance', { name: 'Client', cycles: 1 })
  await write('Client', 'Data.get', true)
  await wait('Client', 'Data.getError', true)
  assert.deepEqual(await read('Client', 'Data.getStatus'), [1])
})

test('GET and PUT reach a real S7 partner, here the port of another instance', async (t) => {
  const { call, read, write, wait } = await openNetwork(t, {
    Client: {
      ipAddress: one,
      source: s7Program,
      config: { connections: [] },
    },
    Server: { ipAddress: two, source: server },
  })
  await call('simulation.advance', { name: 'Server', cycles: 1 })
  await call('simulation.connect', { name: 'Server' })
  const { port } = await call<Answer>('simulation.set-runtime-port', { port: 0 })
  await call('simulation.configure-instance', {
    name: 'Client',
    connections: [{ id: 256, partnerAddress: '127.0.0.1', partnerPort: port }],
  })
  await write('Client', 'Data.get', true)
  await wait('Client', 'Data.ndr', 1)
  assert.deepEqual(await read('Client', 'Local.word'), [0x1122])
  await write('Client', 'Data.put', true)
  await wait('Client', 'Data.done', 1)
  assert.deepEqual(await read('Server', 'Shared.second'), [0xabcd])
  await call('simulation.configure-instance', {
    name: 'Client',
    connections: [{ id: 256, partnerAddress: '10.1.2.3' }],
  })
  await write('Client', 'Data.get', false)
  await call('simulation.advance', { name: 'Client', cycles: 1 })
  await write('Client', 'Data.get', true)
  await wait('Client', 'Data.getError', true)
  const { entries } = await call<Answer>('simulation.get-diagnostics', { name: 'Client', code: 'communication' })
  assert.match(entries[0].message, /10\.1\.2\.3 is not allowed/)
})

test('BSEND and BRCV exchange blocks between controllers by their R_ID', async (t) => {
  const members = 'go : Bool; done : Int; ndr : Int; error : Bool; status : Word; size : UInt := 6; got : UInt;'
  const local = dataBlock('Local', 'bytes : Array[0..7] of Byte;', 'standard')
  const { step, until, read, write } = await openNetwork(t, {
    Sender: {
      ipAddress: one,
      source: workProgram(
        members,
        'sender : BSEND;',
        `#sender(REQ := "Data".go, ID := W#16#1, R_ID := DW#16#2A, SD_1 := "Local".bytes, LEN := "Data".size);
IF #sender.DONE THEN "Data".done := "Data".done + 1; END_IF; IF #sender.ERROR THEN "Data".error := TRUE; END_IF;`,
        local,
      ),
      config: { connections: [{ id: 1, partnerAddress: two }] },
    },
    Receiver: {
      ipAddress: two,
      source: workProgram(
        members,
        'receiver : BRCV;',
        `#receiver(EN_R := TRUE, ID := W#16#7, R_ID := DW#16#2A, RD_1 := "Local".bytes, LEN := "Data".got);
IF #receiver.NDR THEN "Data".ndr := "Data".ndr + 1; END_IF;`,
        local,
      ),
      config: { connections: [{ id: 7, partnerAddress: one }] },
    },
  })
  await write('Sender', 'Local.bytes', [9, 8, 7, 6, 5, 4, 3, 2])
  await write('Sender', 'Data.go', true)
  await until('Receiver', 'Data.ndr', 1)
  await step(1)
  assert.deepEqual(await read('Receiver', 'Local.bytes', 'Data.got'), [[9, 8, 7, 6, 5, 4, 0, 0], 6])
  assert.deepEqual(await read('Sender', 'Data.done', 'Data.error'), [1, false])
})

// ── Real partners ───────────────────────────────────────────────────────────────────────────────────────────────────

/** A free TCP port. */
/** A server on loopback; `serve` gets each socket. */
async function realServer(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => {
    listening.close()
    for (const socket of sockets) socket.destroy()
  })
  return (listening.address() as AddressInfo).port
}

test('TCON reaches a real partner on loopback, and other addresses only when they are allowed', async (t) => {
  const port = await realServer(t, (socket) => socket.on('data', (data) => socket.write(Buffer.from(data).reverse())))
  const { call, read, write, wait } = await openNetwork(t, {
    Plc: { ipAddress: one, source: openProgram(activeConnection(1, '127.0.0.1', port)) },
    Far: { ipAddress: two, source: openProgram(activeConnection(1, '10.9.8.7', 2000)) },
  })
  await write('Plc', 'Data.open', true)
  await wait('Plc', 'Data.connected', true)
  await write('Plc', 'Data.out', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await write('Plc', 'Data.send', true)
  await wait('Plc', 'Data.received', 1)
  assert.deepEqual(await read('Plc', 'Data.in'), [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]])
  await write('Far', 'Data.open', true)
  await wait('Far', 'Data.openStatus', 0x80c6)
  const { entries } = await call<Answer>('simulation.get-diagnostics', { name: 'Far', code: 'communication' })
  assert.match(entries[0].message, /10\.9\.8\.7:2000 is not allowed/)
  await fails(
    call('simulation.configure-runtime', { allowedPartners: ['10.9.8'] }),
    'invalid_input',
    /allowedPartners\/0/,
  )
  const config = await call<Answer>('simulation.configure-runtime', { allowedPartners: ['10.9.8.0/24'] })
  assert.deepEqual(config.allowedPartners, ['10.9.8.0/24'])
})

test('a passive connection is reached from outside, and a slow program holds the sender back', async (t) => {
  const port = await freePort()
  const { read, write, wait } = await openNetwork(t, {
    Plc: { ipAddress: one, source: openProgram(passiveConnection(1, port)) },
  })
  await write('Plc', 'Data.receive', false)
  await write('Plc', 'Data.open', true)
  await wait('Plc', 'Data.openStatus', 0)
  const socket = await connected(t, port)
  const megabyte = Buffer.alloc(16 * 1024 * 1024, 7)
  socket.write(megabyte)
  await wait('Plc', 'Data.connected', true)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.ok(socket.writableLength > 0, 'not everything is taken while the program does not receive')
  await write('Plc', 'Data.receive', true)
  await wait('Plc', 'Data.size', 10)
  assert.deepEqual(await read('Plc', 'Data.in'), [Array.from({ length: 10 }, () => 7)])
})
