/** The time in an exported file is that of the last change of what it holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'

const plc = { deviceName: 'PLC_1' }
const io = { deviceName: 'IO_1' }
const table = { ...plc, tableName: 'Inputs' }

test('a file was written when the hardware or the tags of its device were changed last', async (t) => {
  let now = Date.UTC(2026, 0, 1)
  const { call } = await openTestGateway(t, { clock: () => now })
  const timeOf = async (device = plc) => {
    const { content } = await call<{ content: string }>('cax.export-hardware', device)
    return Date.parse(/<LastWritingDateTime>(.*)<\/LastWritingDateTime>/.exec(content)?.[1] ?? '')
  }
  await call('projects.create', { name: 'Plant' })
  await call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 515-2AM02-0AB0' })
  const added = now
  const counted: string[] = []
  /** Makes a call at a time of its own, and notes it when the time in the file of the PLC is that. */
  const change = async <T = unknown>(operation: string, input: object) => {
    now += 60_000
    const answer = await call<T>(operation, { ...input })
    if ((await timeOf()) === now) counted.push(operation)
    return answer
  }
  await change('devices.add', { name: 'IO_1', orderNumber: '6ES7 155-6AU01-0BN0' })
  await change('hardware.create-subnet', { name: 'Net' })
  await change('hardware.plug-module', { ...io, orderNumber: '6ES7 131-6BH01-0BA0' })
  assert.deepEqual([await timeOf(), await timeOf(io)], [added, now])
  await change('devices.configure-network', { ...plc, ipAddress: '10.0.0.1' })
  await change('hardware.plug-module', { ...plc, orderNumber: '6ES7 521-1BL00-0AB0', name: 'DI' })
  await change('hardware.update-module', { ...plc, moduleName: 'DI', comment: 'doors' })
  await change('hardware.unplug-module', { ...plc, moduleName: 'DI' })
  await change('hardware.assign-io-controller', { ...io, controller: 'PLC_1' })
  const ports = { ...plc, port: 'X1 P1', partner: 'IO_1', partnerPort: 'X1 P1' }
  const { id: linkId } = await change<{ id: string }>('hardware.link-ports', ports)
  assert.equal(await timeOf(io), now)
  await change('hardware.unlink-ports', { linkId })
  await change('tags.create-table', { ...plc, name: 'Inputs' })
  await change('tags.add', { ...table, name: 'Go', dataType: 'Bool', logicalAddress: '%I0.0' })
  await change('tags.update', { ...table, tagName: 'Go', logicalAddress: '%I0.1' })
  await change('tags.delete', { ...table, tagName: 'Go' })
  await change('tags.update-table', { ...table, newName: 'Buttons' })
  await change('tags.delete-table', { ...plc, tableName: 'Buttons' })
  await change('history.undo', {})
  await change('blocks.create', { ...plc, name: 'Main', type: 'OB' })
  await change('devices.rename', { ...io, newName: 'IO_2' })
  assert.equal(await timeOf({ deviceName: 'IO_2' }), now)
  assert.deepEqual(counted, [
    'devices.configure-network',
    'hardware.plug-module',
    'hardware.update-module',
    'hardware.unplug-module',
    'hardware.assign-io-controller',
    'hardware.link-ports',
    'hardware.unlink-ports',
    'tags.create-table',
    'tags.add',
    'tags.update',
    'tags.delete',
    'tags.update-table',
    'tags.delete-table',
    'history.undo',
  ])
})
