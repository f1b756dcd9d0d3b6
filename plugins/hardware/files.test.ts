/** The hardware of a project in its files: written and read back whole, and each field that is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext, Fault } from '../../core/index.ts'
import { type Device, devices } from '../devices/index.ts'
import type { ProjectFiles } from '../projects/index.ts'
import { readHardware, writeHardware } from './files.ts'
import { guid } from './guid.ts'
import type { ConfiguredConnection, DeviceItem, Station, SubnetData, TopologyLink } from './model.ts'
import { connections, stations, subnets, topologyLinks } from './station.ts'

const attributes = [{ name: 'Author', value: 'me', type: 'xs:string', attributes: [{ name: 'x' }] }]
const rack: DeviceItem = {
  ...{ id: 'r', name: 'Rail', kind: 'rack', position: 0, builtIn: false, typeIdentifier: 'T', attributes },
  items: [
    {
      ...{ id: 'm', name: 'PLC_1', kind: 'module', position: 1, builtIn: false, typeName: 'CPU', firmware: 'V2' },
      ...{ role: 'CPU', moduleKind: 'cpu', hardwareIdentifier: 50, comment: 'c', parameters: { a: 1 } },
      addresses: [{ ioType: 'Input', start: 4, length: 16, attributes }],
      channels: [{ kind: 'Digital', ioType: 'Output', number: 3, length: 1, id: 'ch', attributes }],
      interface: {
        ...{ label: 'X1', type: 'Ethernet', network: 'PROFINET', node: { id: 'n', name: 'Node', attributes } },
        ioSystem: { id: 'io', name: 'System' },
        ports: [{ id: 'p1', name: 'Port_1', label: 'P1 R', position: 1, builtIn: true }],
      },
      items: [],
    },
  ],
} as DeviceItem
const station: Station = {
  ...{ deviceId: 'd1', id: 's', name: 'Station', typeIdentifier: 'S7', groups: ['G'], comment: 'why' },
  racks: [rack],
}
const other: Station = { ...station, deviceId: 'd2', id: 's2', racks: [{ ...rack, items: [] }] }
const subnet = { id: 'sn', name: 'PN', type: 'Ethernet' } as SubnetData
const link: TopologyLink = { id: 'l', a: { deviceId: 'd1', portId: 'p1' }, b: { deviceId: 'd1', portId: 'p1' } }
const connection: ConfiguredConnection = {
  ...{ id: 'c', name: 'S7_1', type: 'S7', active: true, localId: 100, partnerId: 101, partnerAddress: '1.2.3.4' },
  local: { deviceId: 'd1', interface: 'X1', tsap: '10.02' },
  partner: { deviceId: 'd2', interface: 'X1' },
} as ConfiguredConnection

const all = [
  [devices, ['d1', 'd2'].map((id, i) => ({ id, name: `PLC_${i + 1}` }) as Device)],
  [stations, [station, other]],
  [subnets, [subnet]],
  [topologyLinks, [link, { ...link, id: 'k' }]],
  [connections, [connection, { ...connection, id: 'b', name: 'Z' }]],
] as const

/** A project with these aggregates, and what is emitted in it. */
function contextOf(lists: readonly (readonly [object, readonly object[]])[]) {
  const emitted: object[] = []
  const read = (wanted: object) => {
    const list = lists.find(([one]) => one === wanted)?.[1] ?? []
    return new Map(list.map((one, i) => [(one as { id?: string }).id ?? String(i), one]))
  }
  const ctx = { read, emit: (_event: object, data: object) => void emitted.push(data) } as unknown as CommandContext
  return { ctx, emitted }
}

function filesOf(contents: Readonly<Record<string, unknown>>): ProjectFiles {
  const files = new Map(Object.entries(contents).map(([path, data]) => [path, Buffer.from(JSON.stringify(data))]))
  return { has: (path: string) => files.has(path), read: async (path: string) => files.get(path) } as ProjectFiles
}

const stationPath = 'devices/PLC_1/hardware.json'
const networksPath = 'hardware/networks.json'

test('what is written is read back: stations by device, networks in the order of their ids', async () => {
  const written = writeHardware(contextOf(all).ctx)
  assert.deepEqual(
    written.map(({ path }) => path),
    [stationPath, 'devices/PLC_2/hardware.json', networksPath],
  )
  const contents = Object.fromEntries(written.map(({ path, content }) => [path, JSON.parse(String(content))]))
  const { deviceId: _device, ...data } = station
  assert.deepEqual(contents[stationPath], data)
  const { ctx, emitted } = contextOf(all.slice(0, 1))
  assert.deepEqual(await readHardware(ctx, filesOf(contents)), [])
  assert.deepEqual(emitted, [
    ...[{ station }, { station: other }, { subnet }],
    ...[{ link: { ...link, id: 'k' } }, { link }],
    ...[{ connection: { ...connection, id: 'b', name: 'Z' } }, { connection }],
  ])
  assert.deepEqual(writeHardware(contextOf(all.slice(0, 1)).ctx), [], 'nothing to say, no file')
  const onlySubnet = writeHardware(
    contextOf([
      [
        subnets,
        [
          { ...subnet, id: 'z', name: 'b' },
          { ...subnet, name: 'a' },
        ],
      ],
    ]).ctx,
  )
  assert.deepEqual(
    JSON.parse(String(onlySubnet[0]?.content)).subnets.map(({ name }: SubnetData) => name),
    ['a', 'b'],
  )
})

test('a station that was copied with its folder gets ids of its own; links and connections to nothing are left out', async () => {
  const { ctx, emitted } = contextOf(all.slice(0, 1))
  const { deviceId: _device, ...data } = station
  const lost = { ...link, id: 'lost', b: { deviceId: 'd9', portId: 'p9' } }
  const gone = { ...connection, local: { deviceId: 'd9', interface: 'X1' } }
  const alone = { ...connection, name: 'alone', partner: { deviceId: 'd9', interface: 'X1' } }
  const { partner: _partner, ...open } = { ...connection, name: 'open' }
  const contents = {
    [stationPath]: data,
    'devices/PLC_2/hardware.json': data,
    [networksPath]: { links: [lost], connections: [gone, alone, open] },
  }
  assert.deepEqual(await readHardware(ctx, filesOf(contents)), [
    'hardware/networks.json: link lost names a port that no device has; it is left out.',
    'hardware/networks.json: connection "S7_1" names a device that is not there; it is left out.',
    'hardware/networks.json: connection "alone" names a device that is not there; it is left out.',
  ])
  const fresh = (id: string) => guid('d2', id)
  const module = rack.items[0] as DeviceItem
  const own = module.interface as NonNullable<DeviceItem['interface']>
  const copy = {
    ...{ ...station, deviceId: 'd2', id: fresh('s') },
    racks: [
      {
        ...{ ...rack, id: fresh('r') },
        items: [
          {
            ...{ ...module, id: fresh('m') },
            channels: [{ ...module.channels?.[0], id: fresh('ch') }],
            interface: {
              ...own,
              node: { ...own.node, id: fresh('n') },
              ioSystem: { ...own.ioSystem, id: fresh('io') },
              ports: own.ports.map((port) => ({ ...port, id: fresh(port.id) })),
            },
          },
        ],
      },
    ],
  }
  assert.deepEqual(emitted, [{ station }, { station: copy }, { connection: open }])
})

/** The faults of a project whose station and networks are these, and that nothing was stored then. */
async function faultsOf(stationData: unknown, networks: unknown = {}): Promise<string[]> {
  const { ctx, emitted } = contextOf(all.slice(0, 1))
  try {
    await readHardware(ctx, filesOf({ [stationPath]: stationData, [networksPath]: networks }))
  } catch (error) {
    assert.deepEqual(emitted, [])
    const { errors } = (error as { details: { errors: Fault[] } }).details
    return errors.map(({ path = '', message }) => `${path.split('#')[1]} ${message}`)
  }
  return []
}

/** All objects in some JSON with their places. */
function* objectsIn(data: unknown, at = ''): Generator<[object: Record<string, unknown>, at: string]> {
  if (typeof data !== 'object' || data === null) return
  if (!Array.isArray(data)) yield [data as Record<string, unknown>, at]
  for (const [key, value] of Object.entries(data)) yield* objectsIn(value, `${at}/${key}`)
}

test('each field that is missing, wrong or unknown is told with its place', async () => {
  const { deviceId: _device, ...good } = station
  const networks = { subnets: [subnet], links: [{ ...link, attributes }], connections: [connection] }
  assert.deepEqual(await faultsOf(good, networks), [])
  const optional = new Set(
    'attributes comment typeName firmware role moduleKind hardwareIdentifier parameters addresses channels interface ioSystem partner partnerAddress partnerId'.split(
      ' ',
    ),
  )
  for (const part of [good, networks]) {
    const places = [...objectsIn(part)].filter(
      ([, at]) => !/attributes|parameters/.test(at) && (part === good || at !== ''),
    )
    for (const [object, at] of places) {
      /** The faults when the object is changed. */
      const changed = (change: (copy: Record<string, unknown>) => unknown) => {
        const copy = structuredClone(part)
        change([...objectsIn(copy)].filter(([, one]) => one === at)[0]![0])
        return part === good ? faultsOf(copy) : faultsOf(good, copy)
      }
      for (const field of Object.keys(object)) {
        const told = await changed((copy) => Reflect.deleteProperty(copy, field))
        const isOptional =
          (optional.has(field) && !(field === 'interface' && at.startsWith('/connections'))) ||
          /tsap$|racks.*\/typeIdentifier$|channels\/0\/id$/.test(`${at}/${field}`)
        assert.deepEqual(told, isOptional ? [] : [`${at}/${field} is missing`], `${at}/${field}`)
        const wrong = await changed((copy) => Object.assign(copy, { [field]: -1 }))
        assert.match(wrong[0] ?? 'no fault', new RegExp(`^${at}/${field} must be `))
        assert.equal(wrong.length, 1)
      }
      const unknown = await changed((copy) => Object.assign(copy, { colour: 'red' }))
      assert.match(unknown[0] ?? 'no fault', new RegExp(`^${at}/colour is not a field \\(`))
    }
  }
  const items = (change: object) => faultsOf({ ...good, racks: [{ ...rack, ...change }] })
  assert.deepEqual(await items({ position: 1.5 }), ['/racks/0/position must be a whole number'])
  assert.deepEqual(await items({ position: '1' }), ['/racks/0/position must be a whole number'])
  assert.deepEqual(await items({ kind: 'slot' }), ['/racks/0/kind must be rack, module, submodule or interface'])
  assert.deepEqual(await items({ role: 'Head' }), ['/racks/0/role must be CPU or HeadModule'])
  assert.deepEqual(await items({ role: 'HeadModule', kind: 'submodule' }), [])
  assert.deepEqual(await items({ items: [7] }), ['/racks/0/items/0 must be an object'])
  const address = { ioType: 'Input', start: 0, length: 8 }
  assert.deepEqual(await items({ addresses: [address, { ...address, ioType: 'Both' }] }), [
    '/racks/0/addresses/1/ioType must be Input or Output',
  ])
  for (const wrong of [
    {},
    [7],
    [{ value: 'x' }],
    [{ name: 'a', value: 1 }],
    [{ name: 'a', type: 1 }],
    [{ name: 'a', attributes: [7] }],
  ])
    assert.deepEqual(await items({ attributes: wrong }), [
      '/racks/0/attributes must be a list of { name, value, type }',
    ])
  assert.deepEqual(await faultsOf({ ...good, groups: ['a', 1] }), ['/groups must be a list of names'])
  assert.deepEqual(await faultsOf(good, { subnets: {}, links: [] }), ['/subnets must be a list'])
  assert.deepEqual(await faultsOf(good, { links: [5] }), ['/links/0 must be an object'])
})
