import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'
import { profinetLabels } from './interfaces.ts'

interface Interface {
  interface: string
  ipAddress?: string
  subnetMask?: string
  gateway?: string
  profinetName?: string
  subnet?: string
}
type Answer = Interface & { deviceName: string; changed: boolean }
type Added = { name: string; ipAddress?: string; interfaces: Interface[] }

/** A project with PLCs that have these names. */
async function withPlcs(t: TestContext, ...names: string[]) {
  const at = await openTestGateway(t)
  const { path } = await at.call<{ path: string }>('projects.create', { name: 'P' })
  const add = (input: Record<string, unknown> = {}) =>
    at.call<Added>('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...input })
  for (const name of names) await add({ name })
  const set = (deviceName: string, change: Record<string, unknown>) =>
    at.call<Answer>('devices.configure-network', { deviceName, ...change })
  return { ...at, path, add, set }
}

test('new PLC and HMI devices get the next free address, devices of other kinds none', async (t) => {
  const { call, add, set } = await withPlcs(t)
  const first = { interface: 'X1', ipAddress: '192.168.0.1', subnetMask: '255.255.255.0' }
  assert.deepEqual((await add()).interfaces, [first])
  assert.equal((await add()).ipAddress, '192.168.0.2')
  await set('PLC_1', { ipAddress: '10.0.0.1', gateway: '10.0.0.254' })
  const panel = '6AV2 124-0GC01-0AX0'
  const hmi = await add({ orderNumber: panel })
  assert.deepEqual([hmi.name, hmi.interfaces], ['HMI_1', [first]])
  await set('PLC_2', { gateway: '192.168.0.3' })
  assert.equal((await add()).ipAddress, '192.168.0.4', 'a router has an address too')
  const { entries } = await call<{ entries: { orderNumber: string; deviceKind: string }[] }>('devices.catalog-search', {
    query: 'IM 155-6 PN',
  })
  const head = entries.find(({ deviceKind }) => deviceKind === 'HeadModule')!
  const io = await add({ orderNumber: head.orderNumber })
  assert.deepEqual([io.interfaces, io.ipAddress], [[], undefined])
  const { devices } = await call<{ devices: Added[] }>('devices.list')
  assert.deepEqual(
    devices.map(({ ipAddress }) => ipAddress),
    ['10.0.0.1', '192.168.0.2', '192.168.0.1', '192.168.0.4', undefined],
  )
  assert.deepEqual(await set('IO device_1', { ipAddress: '192.168.0.9' }), {
    deviceName: 'IO device_1',
    interface: 'X1',
    ipAddress: '192.168.0.9',
    subnetMask: '255.255.255.0',
    changed: true,
  })
})

test('what is not given stays; setting the same again changes nothing', async (t) => {
  const { call, set, gateway } = await withPlcs(t, 'PLC_1')
  const all = {
    ipAddress: '10.1.2.3',
    subnetMask: '255.255.0.0',
    gateway: '10.1.0.1',
    subnet: 'PN/IE_1',
    profinetName: 'press-1',
  }
  const whole = { deviceName: 'PLC_1', interface: 'X1', ...all }
  assert.deepEqual(await set('plc_1', all), { ...whole, changed: true })
  assert.deepEqual(await set('PLC_1', all), { ...whole, changed: false })
  assert.deepEqual(await set('PLC_1', { ip: '10.1.2.4' }), { ...whole, ipAddress: '10.1.2.4', changed: true })
  assert.deepEqual(await set('PLC_1', { address: '10.1.2.3', interfaceName: 'x1' }), { ...whole, changed: true })
  const { gateway: _router, ...without } = whole
  assert.deepEqual(await set('PLC_1', { routerAddress: '0.0.0.0' }), { ...without, changed: true })
  assert.equal((await set('PLC_1', { mask: '255.255.255.0' })).subnetMask, '255.255.255.0')
  const cut = await set('PLC_1', { subnet: null, profinetName: null })
  assert.deepEqual([cut.subnet, cut.profinetName, cut.ipAddress], [undefined, undefined, '10.1.2.3'])
  const { jobId } = await call<{ jobId: string }>(
    'devices.configure-network',
    { deviceName: 'PLC_1', ipAddress: '10.1.2.9' },
    { mode: 'async' },
  )
  assert.equal((await gateway.jobs.peek(jobId)!.settled).ok, true)
  assert.equal((await call<{ devices: Added[] }>('devices.list')).devices[0]?.ipAddress, '10.1.2.9')
})

const refused: [what: string, change: Record<string, unknown>, message: RegExp][] = [
  ['nothing to set', {}, /at least one/],
  ['only the label', { interface: 'X1' }, /at least one/],
  ['three numbers', { ipAddress: '10.0.1' }, /\/ipAddress: "10\.0\.1" must be an IPv4 address/],
  ['leading zeros', { ipAddress: '10.0.0.01' }, /IPv4 address/],
  ['no text', { ipAddress: '' }, /IPv4 address/],
  ['multicast', { ipAddress: '224.0.0.1' }, /multicast/],
  ['loopback', { ipAddress: '127.0.0.1' }, /loopback/],
  ['this network', { ipAddress: '0.0.0.0' }, /begin with 0/],
  ['the network address', { ipAddress: '10.0.0.0' }, /network address/],
  ['the broadcast address', { ipAddress: '10.0.0.255' }, /broadcast address/],
  ['a mask with a hole', { ipAddress: '10.0.0.1', subnetMask: '255.0.255.0' }, /\/subnetMask.*ones followed by zeros/],
  ['a mask of one host', { subnetMask: '255.255.255.255' }, /no addresses for hosts/],
  ['a router elsewhere', { gateway: '10.0.0.1' }, /\/gateway: "10\.0\.0\.1" is not in the subnet of 192\.168\.0\.1/],
  ['itself as router', { gateway: '192.168.0.1' }, /interface itself/],
  ['the broadcast address as router', { gateway: '192.168.0.255' }, /broadcast/],
  ['two faults', { ipAddress: 'x', subnetMask: 'y' }, /and 1 more/],
  ['an address as name', { profinetName: '10.0.0.1' }, /look like an IP address/],
  ['a port as name', { profinetName: 'port-001' }, /name of a port/],
  ['a name with an empty part', { profinetName: 'a..b' }, /empty part/],
  ['a control character in a subnet', { subnet: 'a\nb' }, /control characters/],
  ['a field that is none', { ipAdress: '10.0.0.1' }, /did you mean "ipAddress"/i],
]
for (const [what, change, message] of refused) {
  test(`refused: ${what}`, async (t) => {
    const { call, set } = await withPlcs(t, 'PLC_1')
    await fails(set('PLC_1', change), 'invalid_input', message)
    assert.equal((await call<{ devices: Added[] }>('devices.list')).devices[0]?.ipAddress, '192.168.0.1')
  })
}

test('a router that is kept must fit the new address', async (t) => {
  const { set } = await withPlcs(t, 'PLC_1')
  await set('PLC_1', { gateway: '192.168.0.254' })
  await fails(set('PLC_1', { ipAddress: '10.0.0.1' }), 'invalid_input', /kept from before.*null for none/)
  assert.equal((await set('PLC_1', { ipAddress: '10.0.0.1', gateway: null })).gateway, undefined)
})

test('an address and a name are used once in a subnet; the holder is named', async (t) => {
  const { set } = await withPlcs(t, 'A', 'B', 'C')
  const taken = await fails(set('B', { ipAddress: '192.168.0.1' }), 'conflict', /is the address of "A" \(X1\)/)
  assert.deepEqual([taken.details.errors?.[0]?.path, taken.details.suggestion], ['/ipAddress', 'Free: 192.168.0.2'])
  await set('A', { subnet: 'PN/IE_1', profinetName: 'Press' })
  assert.equal((await set('B', { ipAddress: '192.168.0.1' })).changed, true)
  await fails(set('B', { subnet: 'pn/ie_1' }), 'conflict', /"A" \(X1\) in subnet "PN\/IE_1"/)
  await fails(
    set('B', { subnet: 'PN/IE_1', ipAddress: '192.168.0.9', profinetName: 'PRESS' }),
    'conflict',
    /\/profinetName: "PRESS" is the PROFINET device name of "A"/,
  )
  assert.equal((await set('B', { subnet: 'pn/ie_1', ipAddress: '192.168.0.9' })).subnet, 'PN/IE_1')
  assert.equal((await set('B', { subnet: 'PN/IE_2', ipAddress: '192.168.0.1' })).subnet, 'PN/IE_2')
})

test('each interface of a device has a subnet of its own; only those of the type can be set', async (t) => {
  const { set } = await withPlcs(t, 'PLC_1')
  await fails(set('PLC_1', { interface: 'X2', subnetMask: '255.255.255.0' }), 'invalid_input', /X2 has none yet/)
  await fails(set('PLC_1', { interface: 'X2', ipAddress: '192.168.0.7' }), 'invalid_input', /same subnet as X1/)
  assert.equal((await set('PLC_1', { interface: 'x2', ipAddress: '192.168.1.1' })).interface, 'X2')
  assert.equal((await set('PLC_1', { subnetMask: '255.255.255.128' })).interface, 'X1')
  await fails(set('PLC_1', { subnetMask: '255.255.0.0' }), 'invalid_input', /same subnet as X2/)
  await fails(set('PLC_1', { interface: 'X9', ipAddress: '10.0.0.1' }), 'not_found', /no interface "X9"; it has X1, X2/)
  await fails(set('PLC_2', { ipAddress: '10.0.0.1' }), 'not_found', /Did you mean "PLC_1"/)
})

test('without an open project nothing is set', async (t) => {
  const { call } = await openTestGateway(t)
  await fails(call('devices.configure-network', { deviceName: 'PLC_1', ipAddress: '10.0.0.1' }), 'no_project')
})

test('the address is saved with the project, is in the infrastructure, and survives a restart', async (t) => {
  const at = await withPlcs(t, 'PLC_1')
  const change = { ipAddress: '10.0.0.1', gateway: '10.0.0.2', subnet: 'PN/IE_1', profinetName: 'plc' }
  await at.set('PLC_1', change)
  await at.call('projects.close', { save: true })
  const file = JSON.parse(await readFile(join(at.path, 'devices/PLC_1/device.json'), 'utf8'))
  assert.deepEqual(file.network.interfaces, [
    {
      name: 'X1',
      ipAddress: '10.0.0.1',
      subnetMask: '255.255.255.0',
      routerAddress: '10.0.0.2',
      profinetDeviceName: 'plc',
      subnet: 'PN/IE_1',
    },
  ])
  await at.call('projects.open', { path: at.path })
  assert.equal((await at.set('PLC_1', change)).changed, false)
  const { subnets } = await at.call<{ subnets: { nodes: unknown[] }[] }>('projects.infrastructure')
  assert.deepEqual(subnets[0]?.nodes, [
    { device: 'PLC_1', interface: 'X1', ipAddress: '10.0.0.1', subnetMask: '255.255.255.0', profinetName: 'plc' },
  ])
  await at.set('PLC_1', { ipAddress: '10.0.0.7' })
  const again = await at.restart()
  assert.equal((await again.call<{ devices: Added[] }>('devices.list')).devices[0]?.ipAddress, '10.0.0.7')
})

test('an interface of PROFIBUS has no IP address, and an IO system is not left', async (t) => {
  const at = await withPlcs(t, 'PLC_1', 'PLC_2')
  await at.call('projects.close', { save: true })
  const path = join(at.path, 'devices/PLC_1/device.json')
  const network = {
    interfaces: [
      { name: 'X3', subnet: 'PROFIBUS_1', subnetType: 'Profibus' },
      { name: 'X1', subnet: 'PN/IE_1', ipAddress: '192.168.000.001', ioSystem: { name: 'IO', role: 'controller' } },
    ],
  }
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), network }))
  await at.call('projects.open', { path: at.path })
  await fails(at.set('PLC_1', { interface: 'X3', ipAddress: '10.0.0.1' }), 'conflict', /X3.*Profibus/)
  await fails(at.set('PLC_2', { subnet: 'Profibus_1' }), 'conflict', /Profibus subnet \(X3 of "PLC_1"\)/)
  await fails(at.set('PLC_1', { subnet: null }), 'conflict', /IO system "IO"/)
  await fails(at.set('PLC_2', { subnet: 'PN/IE_1', ipAddress: '192.168.0.1' }), 'conflict', /"PLC_1" \(X1\)/)
  assert.equal((await at.set('PLC_1', { ipAddress: '192.168.0.5' })).interface, 'X1')
})

test('a dry run tells the event, with what an undo needs, and changes nothing', async (t) => {
  const { call } = await withPlcs(t, 'PLC_1')
  const dry = await call<{ events: { type: string; entity: string; data?: unknown }[]; result: Answer }>(
    'devices.configure-network',
    { deviceName: 'PLC_1', ipAddress: '10.0.0.1', dryRun: true },
  )
  assert.equal(dry.result.changed, true)
  assert.deepEqual(
    dry.events.map(({ type, entity }) => [type, entity]),
    [['devices.network-configured', 'device/PLC_1']],
  )
  assert.equal((await call<{ devices: Added[] }>('devices.list')).devices[0]?.ipAddress, '192.168.0.1')
})

test('compiling the hardware sees the address that is set', async (t) => {
  const { call, set, path } = await withPlcs(t, 'PLC_1')
  const compile = async () =>
    (await call<{ state: string }>('blocks.compile-device', { deviceName: 'PLC_1', scope: 'hardware' })).state
  await call('projects.close', { save: true })
  const file = join(path, 'devices/PLC_1/device.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace('192.168.0.1', '192.168.0.255'))
  await call('projects.open', { path })
  assert.equal(await compile(), 'Error')
  await set('PLC_1', { ipAddress: '192.168.0.25' })
  assert.equal(await compile(), 'Success')
})

test('whatever is sent as address, mask and router, the answer is the same values or a fault', async (t) => {
  const { set } = await withPlcs(t, 'PLC_1')
  const octet = fc.oneof(
    fc.constantFrom('0', '1', '127', '192', '224', '254', '255', '256', '01', ''),
    fc.nat(300).map(String),
  )
  const address = fc.oneof(
    fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.')),
    fc.string(),
  )
  const mask = fc.oneof(fc.constantFrom('255.0.0.0', '255.255.255.0', '255.255.255.252'), address)
  await fc.assert(
    fc.asyncProperty(address, mask, fc.option(address), async (ipAddress, subnetMask, gateway) => {
      try {
        const now = await set('PLC_1', { ipAddress, subnetMask, gateway })
        assert.deepEqual([now.ipAddress, now.subnetMask], [ipAddress.trim(), subnetMask.trim()])
      } catch (error) {
        assert.ok(isGatewayError(error) && error.code === 'invalid_input', String(error))
      }
    }),
    { numRuns: 200 },
  )
})

test('labels of PROFINET interfaces follow the type', () => {
  const labels = (family: string, typeName: string, kind: 'PLC' | 'HMI' = 'PLC') =>
    profinetLabels({ family, typeName, kind }).join(' ')
  assert.deepEqual(
    [
      labels('S7-1200', 'CPU 1214C DC/DC/DC'),
      labels('S7-1500', 'CPU 1511-1 PN'),
      labels('S7-1500', 'CPU 1516F-3 PN/DP'),
      labels('SIPLUS S7-1500', 'SIPLUS S7-1500 CPU 1518-4 PN/DP MFP'),
      labels('ET 200SP', 'CPU 1512SP F-1 PN'),
      labels('S7-300', 'CPU 315-2 PN/DP'),
      labels('S7-300', 'CPU 319F-3 PN/DP'),
      labels('S7-400', 'CPU 414-3 PN/DP V7'),
      labels('S7-400', 'CPU 412-1 DP V7'),
      labels('ET 200S', 'IM151-8 PN/DP CPU'),
      labels('SIMATIC Drive Controller', 'Drive Controller CPU 1507D TF'),
      labels('HMI Basic Panel', 'KTP700 Basic (DP variant)', 'HMI'),
      labels('HMI Comfort Panel', 'TP700 Comfort', 'HMI'),
    ],
    ['X1', 'X1', 'X1 X2', 'X1 X2 X3', 'X1', 'X2', 'X3', 'X5', '', 'X1', 'X150 X127 X130', '', 'X1'],
  )
})
