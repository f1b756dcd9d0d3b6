/** Devices in the files of a project: written and read back whole, each field that is wrong (fixtures/files.txt). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext, Fault } from '../../core/index.ts'
import { damagedJson } from '../../test/damaged-json.ts'
import { assertRecorded } from '../../test/recorded.ts'
import type { ProjectFiles } from '../projects/index.ts'
import { type Device, deviceAdded, devices } from './device.ts'
import { readDevices, writeDevices } from './files.ts'

const plc: Device = {
  ...{ id: 'a1', name: 'PLC_1', orderNumber: '6ES7 515-2AM02-0AB0', firmware: 'V2.8', typeIdentifier: 'OrderNumber:x' },
  ...{ typeName: 'CPU 1515-2 PN', family: 'S7-1500', kind: 'PLC', unplaced: false, createdAt: 1_700_000_000_000 },
  network: {
    interfaces: [
      {
        ...{ name: 'X1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0', routerAddress: '192.168.0.9' },
        ...{ profinetDeviceName: 'plc', subnet: 'PN', subnetType: 'Ethernet', ipProtocol: 'project', busAddress: 2 },
        ioSystem: { name: 'IO', number: 100, role: 'controller', deviceNumber: 0 },
      },
      { name: 'X2' },
    ],
  },
}
const parked: Device = { ...plc, id: 'b2', name: 'Old', kind: 'IO', unplaced: true, createdAt: plc.createdAt - 1 }

const filesOf = (texts: Readonly<Record<string, string>>) =>
  ({
    list: () => Object.keys(texts).sort(),
    read: async (path: string) => Buffer.from(texts[path]!),
  }) as unknown as ProjectFiles

/** What reading emits, or its faults. */
async function read(texts: Readonly<Record<string, string>>): Promise<readonly Device[] | readonly Fault[]> {
  const added: Device[] = []
  let ids = 0
  const ctx = {
    emit: (event: unknown, device: Device) => {
      assert.equal(event, deviceAdded)
      added.push(device)
    },
    newId: () => `new ${++ids}`,
  }
  try {
    await readDevices(ctx as unknown as CommandContext, filesOf(texts))
    return added
  } catch (error) {
    return (error as { details: { errors: Fault[] } }).details.errors
  }
}

const written = (...all: readonly Device[]) => {
  const map = new Map(all.map((one) => [one.id, one]))
  const files = writeDevices({ read: (of: unknown) => (of === devices ? map : new Map()) } as never)
  return Object.fromEntries(files.map(({ path, content }) => [path, String(content)]))
}

test('devices are read as they were written, the oldest first', async () => {
  const { network: _, ...bare } = parked
  const texts = written(plc, bare)
  assert.deepEqual(Object.keys(texts), ['devices/PLC_1/device.json', 'devices/Old/device.json'])
  assert.deepEqual(await read({ ...texts, 'devices/PLC_1/other.json': '{', 'devices/x.json': '{' }), [bare, plc])
  const sameTime = { ...bare, createdAt: plc.createdAt }
  assert.deepEqual(await read(written(plc, sameTime)), [sameTime, plc])
  // The fields of an interface are in one order.
  const [first] = plc.network!.interfaces
  const turned = { ...plc, network: { interfaces: [Object.fromEntries(Object.entries(first!).reverse())] } } as never
  const straight = { ...plc, network: { interfaces: [first!] } }
  assert.deepEqual(written(turned), written(straight))
})

test('a folder that was copied is a device of its own, if its name is', async () => {
  const copy = written({ ...plc, name: 'Copy' })['devices/Copy/device.json']!
  const all = (await read({ ...written(plc), 'devices/Copy/device.json': copy })) as readonly Device[]
  assert.deepEqual(
    all.map(({ id, name }) => [id, name]),
    [
      ['a1', 'Copy'],
      ['new 1', 'PLC_1'],
    ],
  )
  const [fault] = (await read({
    ...written(plc),
    'devices/Copy/device.json': written(plc)['devices/PLC_1/device.json']!,
  })) as Fault[]
  assert.deepEqual(fault, {
    ...{ path: 'devices/PLC_1/device.json#/name', message: 'the name is taken by devices/Copy/device.json' },
    value: 'PLC_1',
  })
})

test('each field that is missing, of another kind, or wrong', async () => {
  const path = 'devices/PLC_1/device.json'
  const data = JSON.parse(written({ ...plc, unplaced: true })[path]!) as object
  const told: string[] = []
  const tell = async (what: string, text: string) => {
    const result = await read({ [path]: text })
    const lines = result.map((one) =>
      'message' in one ? `  ${one.path} ${one.message} ${JSON.stringify(one.value)}` : '  is read',
    )
    told.push(what, ...lines)
  }
  for (const [what, text] of damagedJson(data)) await tell(what, text)
  for (const more of [
    { colour: 'red' },
    { kind: 'plc' },
    { createdAt: 'yesterday' },
    { name: 'a\nb' },
    { unplaced: false },
  ])
    await tell(JSON.stringify(more), JSON.stringify({ ...data, ...more }))
  for (const text of ['', '[]', '{"name": }', '\ufeff{}']) await tell(JSON.stringify(text), text)
  assertRecorded(import.meta.url, 'files.txt', `${told.join('\n')}\n`)
})
