import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modbusNetwork } from '../testing/modbus-network.ts'
import { templateBench } from '../testing/template-bench.ts'
import { modbusTcpPoll } from './modbus-tcp-poll.ts'

const options = { main: '"Dut"(jobs := #jobs);', members: 'jobs : Array[1..3] of "ModbusPoll_Job";' }

test('Modbus poll: rounds of reading and writing, exceptions, a silent server, a lost one, off', () => {
  const network = modbusNetwork(20)
  const parameters = { jobs: 3, registers: 4, ipAddress: '10.0.0.7', port: 1502, connectionId: 5 }
  const poll = templateBench(modbusTcpPoll, parameters, { ...options, network })
  const job = (row: number, ...members: string[]) => members.map((name) => poll.getMain(`jobs[${row}].${name}`))
  const until = (state: string, most = 2000) => {
    for (let i = 0; i < most && poll.state() !== state; i++) poll.scan()
    assert.equal(poll.state(), state)
  }
  network.registers.splice(0, 4, 11, 22, 33, 44)
  assert.equal(poll.after(50), 'STATE_OFF')
  assert.deepEqual(network.opened, [])

  // Job 1 reads three registers, job 3 writes two; job 2 is off.
  poll.setMain({
    'jobs[1].enabled': true,
    'jobs[1].length': 3,
    'jobs[3].enabled': true,
    'jobs[3].mode': 1,
    'jobs[3].address': 40_011,
    'jobs[3].length': 2,
    'jobs[3].data[0]': 0x1234,
    'jobs[3].data[1]': 0x5678,
  })
  assert.equal(poll.after(10, { enable: true }), 'STATE_SELECT')
  assert.equal(poll.after(10), 'STATE_REQUEST')
  assert.equal(poll.get('activeJob'), 1)
  until('STATE_WAITING')
  assert.deepEqual(network.opened, ['5 10.0.0.7:1502'])
  assert.deepEqual(job(1, 'ok', 'data[0]', 'data[1]', 'data[2]', 'data[3]'), [1, 11, 22, 33, 0])
  assert.deepEqual(network.registers.slice(9, 13), [0, 0x1234, 0x5678, 0])
  assert.deepEqual(job(2, 'ok', 'doneCount'), [0, 0])
  assert.deepEqual(poll.read('communicationOk', 'roundCount', 'errorCount', 'connected'), [1, 1, 0, 1])
  // One more round after the interval.
  network.registers[0] = 99
  poll.after(1100)
  until('STATE_WAITING')
  assert.deepEqual([...job(1, 'data[0]', 'doneCount'), poll.get('roundCount')], [99, 2, 2])

  // An exception: the next job follows, on the same connection.
  poll.setMain({ 'jobs[2].enabled': true, 'jobs[2].address': 40_100 })
  poll.after(1100)
  until('STATE_WAITING')
  assert.deepEqual(job(2, 'ok', 'status', 'errorCount'), [0, 0x8383, 1])
  assert.deepEqual([...job(3, 'doneCount'), poll.get('communicationOk')], [3, 0])
  assert.equal(network.opened.length, 1)
  // What MB_CLIENT itself refuses is an error of the job too.
  poll.setMain({ 'jobs[2].address': 40_001, 'jobs[2].length': 5 })
  until('STATE_RETRY')
  assert.deepEqual(job(2, 'status'), [0x818b])
  poll.setMain({ 'jobs[2].enabled': false })
  assert.equal(poll.after(4900), 'STATE_RETRY')
  until('STATE_WAITING')
  assert.equal(network.opened.length, 2)
  poll.after(1100)
  until('STATE_WAITING')
  assert.equal(poll.get('communicationOk'), 1)

  // It keeps silent: data stay, the connection is closed and made again.
  network.behaviour = 'silent'
  until('STATE_REQUEST')
  until('STATE_RETRY')
  assert.deepEqual(job(1, 'ok', 'status', 'data[0]'), [0, 0x80c8, 99])
  poll.scan()
  assert.deepEqual(poll.read('communicationOk', 'connected'), [0, 0])
  network.behaviour = 'gone'
  until('STATE_REQUEST')
  until('STATE_RETRY')
  // It does not come to an end: the time of the job is over.
  network.behaviour = 'connecting'
  until('STATE_REQUEST')
  assert.equal(poll.after(9900), 'STATE_REQUEST')
  assert.equal(poll.after(200), 'STATE_RETRY')
  network.behaviour = 'answers'
  until('STATE_WAITING')
  poll.after(1100)
  until('STATE_WAITING')
  assert.equal(poll.get('communicationOk'), 1)

  assert.equal(poll.after(20, { enable: false }), 'STATE_OFF')
  assert.deepEqual(poll.read('communicationOk', 'connected', 'activeJob'), [0, 0, 0])
  poll.assertEveryState()
})

test('Modbus poll without an enabled job, and addresses that are none', () => {
  const poll = templateBench(modbusTcpPoll, { jobs: 3 }, { ...options, network: modbusNetwork(1) })
  assert.equal(poll.after(100, { enable: true }), 'STATE_WAITING')
  assert.equal(poll.get('communicationOk'), 0)
  for (const ipAddress of ['256.0.0.1', '1.2.3', '1.2.3.4.', 'plc', ' 1.2.3.4'])
    assert.equal(modbusTcpPoll.check({ ipAddress })[0]?.path, '/ipAddress', ipAddress)
})
