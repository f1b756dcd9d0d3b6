/** The template of a Modbus poll between two virtual controllers in lock step: the partner runs MB_SERVER. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modbusTcpPoll } from '../../plc/templates/modbus-tcp-poll.ts'
import { freePort, openNetwork } from '../../test/network.ts'

const client = (port: number) => `${
  modbusTcpPoll.generate({
    ...{ jobs: 2, registers: 4, ipAddress: '192.168.10.2', port, instances: ['Poll'] },
    ...{ pollInterval: 0.05, retryDelay: 0.1 },
  }).source
}
DATA_BLOCK "Table"
{ S7_Optimized_Access := 'TRUE' }
VAR
  jobs : Array[1..2] of "ModbusPoll_Job";
END_VAR
BEGIN
  jobs[1].enabled := TRUE;
  jobs[1].length := 3;
  jobs[2].enabled := TRUE;
  jobs[2].mode := 1;
  jobs[2].address := 40006;
  jobs[2].length := 2;
  jobs[2].data[0] := 16#CAFE;
  jobs[2].data[1] := 16#BABE;
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
"Poll"(jobs := "Table".jobs);
END_ORGANIZATION_BLOCK
`

const server = (port: number) => `
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VAR
  registers : Array[0..9] of Word;
END_VAR
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Serve"
{ S7_Optimized_Access := 'TRUE' }
VAR
  server : MB_SERVER;
  connection : TCON_IP_v4;
END_VAR
BEGIN
#connection.ID := 1;
#connection.ConnectionType := 16#0B;
#connection.LocalPort := ${port};
#server(MB_HOLD_REG := "Data".registers, CONNECT := #connection);
END_FUNCTION_BLOCK
DATA_BLOCK "Serve_DB"
"Serve"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
"Serve_DB"();
END_ORGANIZATION_BLOCK
`

test('the Modbus poll reads and writes the registers of another controller, and finds it again', async (t) => {
  const port = await freePort()
  const { call, until, step, read, write } = await openNetwork(t, {
    Client: { ipAddress: '192.168.10.1', source: client(port) },
    Server: { ipAddress: '192.168.10.2', source: server(port) },
  })
  await write('Server', 'Data.registers', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await write('Client', 'Poll.enable', true)
  await until('Client', 'Poll.communicationOk', true)
  assert.deepEqual((await read('Client', 'Table.jobs[1].data'))[0], [1, 2, 3, 0])
  assert.deepEqual((await read('Server', 'Data.registers'))[0], [1, 2, 3, 4, 5, 0xcafe, 0xbabe, 8, 9, 10])
  const [rounds = 0] = (await read('Client', 'Poll.roundCount')) as number[]
  await write('Server', 'Data.registers[0]', 77)
  await step(200)
  assert.deepEqual((await read('Client', 'Table.jobs[1].data[0]', 'Poll.errorCount')) as unknown[], [77, 0])
  assert.ok(((await read('Client', 'Poll.roundCount'))[0] as number) > rounds)

  // The partner stops, and comes back.
  await call('simulation.stop', { name: 'Server' })
  for (let i = 0; i < 300 && (await read('Client', 'Poll.communicationOk'))[0] === true; i++)
    await call('simulation.advance', { name: 'Client', cycles: 50 })
  assert.deepEqual(await read('Client', 'Poll.communicationOk', 'Table.jobs[1].data[0]'), [false, 77])
  await call('simulation.run', { name: 'Server' })
  await until('Client', 'Poll.communicationOk', true, 3000)
  await write('Client', 'Poll.enable', false)
  await until('Client', 'Poll.connected', false)
  assert.deepEqual(await read('Client', 'Poll.state'), [0])
})
