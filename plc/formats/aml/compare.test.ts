/** What a compare of hardware finds, and that ids, order and layout of files are no difference. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareHardware } from './compare.ts'
import type { AmlHardware, AmlItem } from './hardware.ts'

const module = (id: string, name: string, position: number, more: Partial<AmlItem> = {}): AmlItem => ({
  ...{ id, name, position, kind: 'module', builtIn: false, typeIdentifier: 'OrderNumber:6ES7 131-6BH01-0BA0' },
  ...{ items: [], ...more },
})

/** A controller and a device on one subnet, with a cable; `ids` is ahead of every id. */
function plant(ids: string, change: { readonly [key: string]: unknown } = {}): AmlHardware {
  const { ip = '10.0.0.1', start = 0, modules, cable = true, subnet = 'PN/IE_1', tag = '%I0.0' } = change
  const socket = (own: string, name: string, ipAddress: string): AmlItem => ({
    ...{ id: `${ids}${own}`, name, kind: 'interface', position: 1, builtIn: true, items: [] },
    interface: {
      ...{ label: 'X1', type: 'Ethernet' },
      node: { id: `${ids}${own}n`, name: 'IE1', type: 'Ethernet', ipAddress, subnet: `${ids}net` },
      ports: [{ id: `${ids}${own}p`, name: 'Port_1', label: 'P1', position: 1, builtIn: true }],
      ...(own === 'a' ? { ioSystem: { id: `${ids}io`, name: 'IO', number: 100 } } : { memberOf: `${ids}io` }),
    },
  })
  const input = module(`${ids}di`, 'DI 16', 2, {
    firmware: 'V1.0',
    addresses: [{ ioType: 'Input', start: start as number, length: 16 }],
    channels: [
      { kind: 'Digital', ioType: 'Input', number: 0, length: 1, attributes: [{ name: 'Filter', value: '3.2' }] },
    ],
  })
  const cpu = module(`${ids}cpu`, 'PLC_1', 1, {
    role: 'CPU',
    items: [socket('a', 'PROFINET', ip as string)],
    tagTables: [
      { id: '', name: 'Tags', tags: [{ name: 'Go', dataType: 'Bool', address: tag as string, comment: {} }] },
    ],
  })
  const rack = (id: string, items: readonly AmlItem[]): AmlItem => ({
    ...{ id, name: 'Rail_0', kind: 'rack', position: 0, builtIn: false, items },
  })
  const own = (modules as readonly AmlItem[] | undefined) ?? [cpu, input]
  return {
    project: { id: `${ids}project`, name: 'Plant' },
    subnets: [{ id: `${ids}net`, name: subnet as string, type: 'Ethernet' }],
    stations: [
      {
        id: `${ids}s1`,
        name: 'S1',
        typeIdentifier: 'System:Device.S71500',
        groups: [],
        racks: [rack(`${ids}r1`, own)],
      },
      {
        ...{ id: `${ids}s2`, name: 'S2', typeIdentifier: 'System:Device.ET200SP', groups: ['Cell'] },
        racks: [rack(`${ids}r2`, [module(`${ids}head`, 'IM', 1, { items: [socket('b', 'PN', '10.0.0.2')] })])],
      },
    ],
    links: cable ? [{ a: `${ids}ap`, b: `${ids}bp` }] : [],
  }
}

/** Differences as text: `name path: aspect change left > right`. */
function found(left: AmlHardware, right: AmlHardware): string[] {
  return compareHardware([left], [right]).objects.flatMap(({ name, change, differences }) => [
    ...(change === 'changed' ? [] : [`${name} ${change}`]),
    ...differences.map((one) =>
      `${name} ${one.path}: ${one.aspect} ${one.change} ${one.left ?? ''} > ${one.right ?? ''}`.trim(),
    ),
  ])
}

test('other ids and another order of files are no difference', () => {
  assert.deepEqual(compareHardware([plant('x')], [plant('y')]), { objects: [], same: 3 })
  const { stations, ...rest } = plant('y')
  const parts = stations.map((station, i) => ({ ...rest, stations: [station], subnets: i === 0 ? rest.subnets : [] }))
  // The cable and the IO system lead from one file into the other.
  const links = parts.map((one, i) => ({ ...one, links: i === 0 ? rest.links : [] }))
  assert.deepEqual(compareHardware([plant('x')], links.reverse()), { objects: [], same: 3 })
})

test('addresses, attributes, cables and tags that differ are named with both values', () => {
  assert.deepEqual(found(plant('x'), plant('y', { ip: '10.0.0.9', start: 4, tag: '%I4.0' })), [
    'S1 Go of table Tags of Rail_0/PLC_1: tags changed Bool %I0.0 > Bool %I4.0',
    'S1 ipAddress of Rail_0/PLC_1/PROFINET: addresses changed 10.0.0.1 > 10.0.0.9',
    'S1 input address of Rail_0/DI 16: addresses changed 0 (16 bits) > 4 (16 bits)',
  ])
  assert.deepEqual(found(plant('x'), plant('y', { cable: false })), [
    'S1 cable at P1 of Rail_0/PLC_1/PROFINET: properties removed S2/PN/P1 >',
    'S2 cable at P1 of Rail_0/IM/PN: properties removed S1/PROFINET/P1 >',
  ])
  const [cpu, input] = plant('y').stations[0]!.racks[0]!.items as [AmlItem, AmlItem]
  const filtered = {
    ...input,
    firmware: 'V2.0',
    channels: input.channels!.map((one) => ({ ...one, attributes: [{ name: 'Filter', value: '0.05' }] })),
  }
  assert.deepEqual(found(plant('x'), plant('y', { modules: [cpu, filtered] })), [
    'S1 firmware of Rail_0/DI 16: properties changed V1.0 > V2.0',
    'S1 Channel_DI_0.Filter of Rail_0/DI 16: properties changed 3.2 > 0.05',
  ])
})

test('modules are added, removed, moved to another slot and given another name; the way back is the mirror', () => {
  const [cpu, input] = plant('y').stations[0]!.racks[0]!.items as [AmlItem, AmlItem]
  const moved = plant('y', { modules: [cpu, module('yn', 'DQ 8', 2), { ...input, position: 3 }] })
  assert.deepEqual(found(plant('x'), moved), [
    'S1 Rail_0/DQ 8: modules added  > slot 2, OrderNumber:6ES7 131-6BH01-0BA0',
    'S1 Rail_0/DI 16: modules moved slot 2 > slot 3',
  ])
  assert.deepEqual(found(moved, plant('x')).sort(), [
    'S1 Rail_0/DI 16: modules moved slot 3 > slot 2',
    'S1 Rail_0/DQ 8: modules removed slot 2, OrderNumber:6ES7 131-6BH01-0BA0 >',
  ])
  assert.deepEqual(found(plant('x'), plant('y', { modules: [cpu, { ...input, name: 'Inputs' }] })), [
    'S1 name of Rail_0/Inputs: properties changed DI 16 > Inputs',
  ])
  const { stations, ...rest } = plant('y', { subnet: 'Line' })
  assert.deepEqual(found(plant('x'), { ...rest, stations: stations.slice(0, 1), links: [] }), [
    'Line added',
    'PN/IE_1 removed',
    'S1 subnet of Rail_0/PLC_1/PROFINET: properties changed PN/IE_1 > Line',
    'S1 cable at P1 of Rail_0/PLC_1/PROFINET: properties removed S2/PN/P1 >',
    'S2 removed',
  ])
})
