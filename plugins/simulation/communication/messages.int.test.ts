/** Messages between virtual controllers: TUSEND and TURCV over UDP, TSEND and TRCV over ISO-on-TCP, USEND and URCV. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workProgram } from '../../../test/communication-programs.ts'
import { openNetwork } from '../../../test/network.ts'

const [one, two] = ['192.168.10.1', '192.168.10.2']
const members = `open : Bool; send : Bool; connected : Bool; openStatus : Word; sent : Int; sendError : Word; length : UDInt;
  received : Int; size : UDInt; receiveStatus : Word; out : Array[0..9] of Byte; in : Array[0..9] of Byte;
  from : Int; port : Int; to : Int := 2; toPort : Int := 2000;`
const jobs = (sender: string, receiver: string, more: string) => `
#connect(REQ := "Data".open, ID := 1, CONNECT := #connection);
IF #connect.DONE THEN "Data".connected := TRUE; END_IF;
IF #connect.ERROR THEN "Data".openStatus := #connect.STATUS; END_IF;
#sender(REQ := "Data".send, ID := 1, LEN := "Data".length, DATA := "Data".out${sender});
IF #sender.DONE THEN "Data".sent := "Data".sent + 1; END_IF;
IF #sender.ERROR THEN "Data".sendError := #sender.STATUS; END_IF;
#receiver(EN_R := TRUE, ID := 1, LEN := 0, DATA := "Data".in${receiver});
"Data".receiveStatus := #receiver.STATUS;
IF #receiver.NDR THEN "Data".received := "Data".received + 1; "Data".size := #receiver.RCVD_LEN; ${more} END_IF;`

test('TUSEND and TURCV carry datagrams with the address of the sender; what has no receiver is lost', async (t) => {
  const source = (local: number) =>
    workProgram(
      members,
      'connect : TCON; sender : TUSEND; receiver : TURCV; connection : TCON_IP_v4; to : TADDR_Param; from : TADDR_Param;',
      `#connection.ID := 1; #connection.ConnectionType := 19; #connection.LocalPort := ${local};
#to.REM_IP_ADDR[1] := 192; #to.REM_IP_ADDR[2] := 168; #to.REM_IP_ADDR[3] := 10;
#to.REM_IP_ADDR[4] := INT_TO_USINT("Data".to); #to.REM_PORT_NR := INT_TO_UINT("Data".toPort);
${jobs(', ADDR := #to', ', ADDR := #from', '"Data".from := USINT_TO_INT(#from.REM_IP_ADDR[4]); "Data".port := UINT_TO_INT(#from.REM_PORT_NR);')}`,
    )
  const { step, until, read, write } = await openNetwork(t, {
    First: { ipAddress: one, source: source(2001) },
    Second: { ipAddress: two, source: source(2000) },
  })
  for (const name of ['First', 'Second']) await write(name, 'Data.open', true)
  for (const name of ['First', 'Second']) assert.equal((await until(name, 'Data.connected', true)).end, 'condition')
  const send = async (length: number) => {
    await write('First', 'Data.length', length)
    await write('First', 'Data.send', false)
    await step(1)
    await write('First', 'Data.send', true)
    await step(4)
  }
  await write('First', 'Data.out', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await send(4)
  assert.deepEqual(await read('Second', 'Data.in', 'Data.size', 'Data.received', 'Data.from', 'Data.port'), [
    [1, 2, 3, 4, 0, 0, 0, 0, 0, 0],
    4,
    1,
    1,
    2001,
  ])
  assert.deepEqual(await read('First', 'Data.sent', 'Data.sendError'), [1, 0])
  // One datagram is one message, however long the area is.
  await send(2)
  await send(3)
  assert.deepEqual(await read('Second', 'Data.received', 'Data.size'), [3, 3])
  await write('First', 'Data.toPort', 2999)
  await send(3)
  assert.deepEqual(await read('First', 'Data.sent', 'Data.sendError'), [4, 0])
  assert.deepEqual(await read('Second', 'Data.received'), [3])
  // LEN beyond DATA, and a receiver without a port.
  await send(11)
  assert.deepEqual(await read('First', 'Data.sendError'), [0x8088])
  await write('First', 'Data.toPort', 0)
  await send(3)
  assert.deepEqual(await read('First', 'Data.sendError'), [0x8085])
})

test('TSEND and TRCV over ISO-on-TCP find each other by their T selectors and keep the borders of messages', async (t) => {
  const source = (isActive: boolean, partner: number, local: number, remote: number) =>
    workProgram(
      members,
      'connect : TCON; sender : TSEND; receiver : TRCV; connection : TCON_IP_RFC;',
      `#connection.ID := 1; #connection.ConnectionType := 12; #connection.ActiveEstablished := ${isActive ? 'TRUE' : 'FALSE'};
#connection.RemoteAddress.ADDR[1] := 192; #connection.RemoteAddress.ADDR[2] := 168; #connection.RemoteAddress.ADDR[3] := 10;
#connection.RemoteAddress.ADDR[4] := ${partner};
#connection.LocalTSelector.TSelLength := 2; #connection.LocalTSelector.TSel[1] := 16#E0; #connection.LocalTSelector.TSel[2] := ${local};
#connection.RemoteTSelector.TSelLength := 2; #connection.RemoteTSelector.TSel[1] := 16#E0; #connection.RemoteTSelector.TSel[2] := ${remote};
${jobs('', '', '')}`,
    )
  const opened = async (remote: number) => {
    const network = await openNetwork(t, {
      Active: { ipAddress: one, source: source(true, 2, 1, remote) },
      Passive: { ipAddress: two, source: source(false, 1, 2, 1) },
    })
    await network.write('Passive', 'Data.open', true)
    await network.step(2)
    await network.write('Active', 'Data.open', true)
    await network.step(6)
    return network
  }
  const { step, read, write } = await opened(2)
  assert.deepEqual(await read('Active', 'Data.connected', 'Data.openStatus'), [true, 0])
  await write('Active', 'Data.out', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  for (const length of [3, 2]) {
    await write('Active', 'Data.length', length)
    await write('Active', 'Data.send', false)
    await step(1)
    await write('Active', 'Data.send', true)
    await step(4)
    // Unlike TCP: a message is received as it was sent, though the area is longer.
    assert.deepEqual(await read('Passive', 'Data.size'), [length])
  }
  assert.deepEqual(await read('Passive', 'Data.received', 'Data.in'), [2, [9, 8, 7, 0, 0, 0, 0, 0, 0, 0]])
  const wrong = await opened(7)
  assert.deepEqual(await wrong.read('Active', 'Data.connected', 'Data.openStatus'), [false, 0x80c5])
})

test('USEND and URCV hand values over by their R_ID', async (t) => {
  const own = 'go : Bool; done : Int; ndr : Int; error : Bool; bytes : Array[0..3] of Byte; word : Word; other : Int;'
  const { step, until, read, write } = await openNetwork(t, {
    Sender: {
      ipAddress: one,
      source: workProgram(
        own,
        'sender : USEND;',
        `#sender(REQ := "Data".go, ID := W#16#1, R_ID := DW#16#2A, SD_1 := "Data".bytes, SD_2 := "Data".word);
IF #sender.DONE THEN "Data".done := "Data".done + 1; END_IF; IF #sender.ERROR THEN "Data".error := TRUE; END_IF;`,
      ),
      config: { connections: [{ id: 1, partnerAddress: two }] },
    },
    Receiver: {
      ipAddress: two,
      source: workProgram(
        own,
        'receiver : URCV; wrong : URCV;',
        `#receiver(EN_R := TRUE, ID := W#16#7, R_ID := DW#16#2A, RD_1 := "Data".bytes, RD_2 := "Data".word);
IF #receiver.NDR THEN "Data".ndr := "Data".ndr + 1; END_IF;
#wrong(EN_R := TRUE, ID := W#16#7, R_ID := DW#16#2B, RD_1 := "Data".bytes, RD_2 := "Data".word);
IF #wrong.NDR THEN "Data".other := "Data".other + 1; END_IF;`,
      ),
      config: { connections: [{ id: 7, partnerAddress: one }] },
    },
  })
  await write('Sender', 'Data.bytes', [4, 3, 2, 1])
  await write('Sender', 'Data.word', 0x1234)
  await write('Sender', 'Data.go', true)
  await until('Receiver', 'Data.ndr', 1)
  await step(2)
  assert.deepEqual(await read('Receiver', 'Data.bytes', 'Data.word', 'Data.other'), [[4, 3, 2, 1], 0x1234, 0])
  assert.deepEqual(await read('Sender', 'Data.done', 'Data.error'), [1, false])
})
