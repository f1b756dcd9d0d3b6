/** Which instance an S7 client of the communication ports reaches, with a public client library. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import NodeS7, { type Nodes7Value } from 'nodes7'
import { openTestGateway } from '../../../test/harness.ts'
import { type Answer, loadProgram } from '../../../test/simulation.ts'

/** Reads MW10; `undefined` when the connection was refused. */
async function readFlag(host: string, port: number): Promise<Nodes7Value | undefined> {
  const client = new NodeS7({ silent: true })
  const open = promisify(client.initiateConnection.bind(client))
  const isOpen = await open({ host, port, rack: 0, slot: 1, timeout: 5000 }).then(
    () => true,
    () => false,
  )
  const drop = () => new Promise<void>((resolve) => client.dropConnection(resolve))
  if (!isOpen) return undefined
  client.addItems(['MW10'])
  const value = await new Promise<Nodes7Value | undefined>((resolve) =>
    client.readAllItems((_isAnyBad, values) => resolve(values.MW10)),
  )
  await drop()
  return value
}

test('the runtime’s port leads to the owner of the address, else to the connected instance, else to the only one', async (t) => {
  const opened = await openTestGateway(t)
  const { call } = opened
  // Only Linux can connect to all of 127.0.0.0/8.
  const hasAddresses = process.platform === 'linux'
  const { port } = await call<Answer>('simulation.set-runtime-port', {
    port: 0,
    host: hasAddresses ? '0.0.0.0' : '127.0.0.1',
  })
  for (const [i, name] of ['A', 'B'].entries()) {
    const network = { ipAddress: `127.0.${i}.2` }
    await call('simulation.create-instance', { name, ...network, config: { startup: 'Stop' } })
    await call('simulation.power-on', { name })
    await loadProgram(opened, name)
    await call('simulation.write-tag', { name, tagName: 'Setpoint', value: i + 1 })
  }
  if (hasAddresses) {
    assert.equal(await readFlag('127.0.0.2', port), 1)
    assert.equal(await readFlag('127.0.1.2', port), 2)
  }
  await call('simulation.connect', { name: 'B' })
  assert.equal(await readFlag('127.0.0.1', port), 2)
  await call('simulation.connect', { name: 'A' })
  assert.equal(await readFlag('127.0.0.1', port), 1)
  await call('simulation.disconnect')
  await call('simulation.power-off', { name: 'A' })
  assert.equal(await readFlag('127.0.0.1', port), 2)
  const { communication } = await call<Answer>('simulation.get-runtime-status')
  assert.equal(communication.listening, true)
})
