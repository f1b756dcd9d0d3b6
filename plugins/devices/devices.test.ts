import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../core/index.ts'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'

interface DeviceAnswer {
  name: string
  id: string
  kind: string
  orderNumber: string
  firmware: string
  typeIdentifier: string
  typeName: string
  unplaced: boolean
  warnings: string[]
}
type DeviceList = { devices: DeviceAnswer[]; total: number; nextCursor?: string }

test('a device is added by its order number, in any spelling and under any field name', async (t) => {
  const { call } = await openTestGateway(t)
  await fails(call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' }), 'no_project', /No project/)
  await call('projects.create', { name: 'P' })
  const plc = await call<DeviceAnswer>('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  assert.deepEqual([plc.name, plc.kind, plc.typeName], ['PLC_1', 'PLC', 'CPU 1515-2 PN'])
  const spellings: Record<string, unknown>[] = [
    { articleNumber: '6es75152am020ab0' },
    { MLFB: ' 6ES7515-2AM02-0AB0 ' },
    { mlfb: '6ES7 515–2AM02–0AB0' },
    { TypeIdentifier: 'OrderNumber:6ES7 515-2AM02-0AB0' },
  ]
  for (const [i, input] of spellings.entries()) {
    const device = await call<DeviceAnswer>('devices.add', input)
    assert.deepEqual(
      [device.name, device.orderNumber, device.typeIdentifier],
      [`PLC_${i + 2}`, plc.orderNumber, plc.typeIdentifier],
    )
  }
  const ids = (await call<DeviceList>('devices.list')).devices.map((device) => device.id)
  assert.equal(new Set(ids).size, 5)
})

test('the firmware is that of the request, of the type identifier, or the newest known', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  const { firmware: known, version: newest } = await call<{ firmware: string[]; version: string }>(
    'devices.catalog-find',
    {
      orderNumber: '6ES7 515-2AM02-0AB0',
    },
  )
  assert.ok(known.includes(newest))
  const add = (input: Record<string, unknown>) =>
    call<DeviceAnswer>('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...input })
  const plain = await add({})
  assert.deepEqual([plain.firmware, plain.typeIdentifier], [newest, `OrderNumber:6ES7 515-2AM02-0AB0/${newest}`])
  assert.deepEqual((await add({ firmware: newest.slice(1) })).warnings, [])
  const identified = await add({ orderNumber: 'OrderNumber:6ES7 515-2AM02-0AB0/V2.1' })
  assert.equal(identified.typeIdentifier, 'OrderNumber:6ES7 515-2AM02-0AB0/V2.1')
  const unseen = await add({ version: 'v99.0' })
  assert.equal(unseen.firmware, 'V99.0')
  assert.match(unseen.warnings[0] ?? '', /not among the versions known/)
  for (const firmware of ['', 'newest', 'V', 'V2', '2.x', 'V2.9/../x'])
    await fails(add({ firmware }), 'invalid_input', /\/firmware/)
})

test('every kind of station gets its own default name; modules are refused', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  type Entries = { entries: { orderNumber: string; deviceKind: string; isDevice: boolean }[] }
  const { entries } = await call<Entries>('devices.catalog-search', { query: 'scalance', limit: 5 })
  const wanted: [string, string, string][] = [
    ['6ES7 515-2AM02-0AB0', 'PLC', 'PLC_1'],
    [entries.find((entry) => entry.deviceKind === 'Switch')!.orderNumber, 'Switch', 'Switch_1'],
  ]
  for (const [text, kind] of [
    ['KTP700', 'HMI'],
    ['IM 155-6 PN', 'HeadModule'],
  ] as const) {
    const hit = (await call<Entries>('devices.catalog-search', { Query: text })).entries.find(
      (e) => e.deviceKind === kind && e.isDevice,
    )
    assert.ok(hit, text)
    wanted.push([hit.orderNumber, kind === 'HMI' ? 'HMI' : 'IO', kind === 'HMI' ? 'HMI_1' : 'IO device_1'])
  }
  for (const [orderNumber, kind, name] of wanted) {
    const device = await call<DeviceAnswer>('devices.add', { orderNumber })
    assert.deepEqual([device.kind, device.name], [kind, name])
  }
  const module = (await call<Entries>('devices.catalog-search', { query: 'DI 32x24VDC', limit: 100 })).entries.find(
    (e) => !e.isDevice,
  )!
  await fails(call('devices.add', { orderNumber: module.orderNumber }), 'unacceptable_content', /module/)
  const near = await fails(call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB1' }), 'not_found', /Did you mean/)
  assert.equal(near.details.suggestion, '6ES7 515-2AM02-0AB0')
  await fails(call('devices.add', { orderNumber: 'CPU 1515' }), 'not_found', /Did you mean 6ES7 515-.* \(CPU 1515/)
  const unknown = await fails(call('devices.add', { orderNumber: 'zzz qqq' }), 'not_found')
  assert.match(unknown.details.suggestion ?? '', /catalog/)
  await fails(call('devices.add', { orderNumber: '----' }), 'not_found')
  await fails(call('devices.add', {}), 'invalid_input', /orderNumber: is missing/)
})

test('names are unique without case and follow the rules', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  const add = (name: string) => call<DeviceAnswer>('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name })
  await add('Mixer')
  const taken = await fails(add('MIXER'), 'name_taken', /"Mixer"/)
  assert.equal(taken.details.suggestion, 'PLC_1')
  for (const bad of ['', ' ', ' a', 'a ', 'a\nb', 'x'.repeat(129), '\udc00', '.', '..'])
    await fails(add(bad), 'invalid_input', /device name/)
  for (const odd of ['x'.repeat(128), 'Ä/ö\\ü', '...', 'con', 'a%2Fb', '語'.repeat(120)])
    assert.equal((await add(odd)).name, odd)

  await add('Second')
  await fails(call('devices.rename', { deviceName: 'second', newName: 'mixer' }), 'name_taken')
  await fails(call('devices.rename', { deviceName: 'Secnd', newName: 'x' }), 'not_found', /Did you mean "Second"/)
  await fails(call('devices.rename', { deviceName: 'Second', newName: ' x' }), 'invalid_input', /\/newName/)
  assert.equal((await call<DeviceAnswer>('devices.rename', { deviceName: 'SECOND', newName: 'SeconD' })).name, 'SeconD')
  const renamed = await call<DeviceAnswer & { oldName: string }>('devices.rename', {
    OldName: 'second',
    newDeviceName: 'Third',
  })
  assert.deepEqual([renamed.oldName, renamed.name], ['SeconD', 'Third'])
  assert.equal((await add('Second')).name, 'Second')

  // All devices, also those with unusual names, are saved and loaded unchanged.
  const before = (await call<DeviceList>('devices.list')).devices
  await call('projects.close', { save: true })
  await call('projects.open', { path: 'P' })
  const byName = (a: DeviceAnswer, b: DeviceAnswer) => (a.name < b.name ? -1 : 1)
  assert.deepEqual((await call<DeviceList>('devices.list')).devices.sort(byName), before.sort(byName))
})

test('devices are deleted, by sync and async route; unknown ones are a 404', async (t) => {
  const { call, gateway } = await openTestGateway(t)
  await fails(call('devices.delete', { deviceName: 'x' }), 'no_project')
  await call('projects.create', { name: 'P' })
  await fails(call('devices.delete', { deviceName: 'x' }), 'not_found', /There is no device "x"/)
  for (const name of ['A', 'B']) await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name })
  assert.equal((await call<{ name: string }>('devices.delete', { deviceName: 'a' })).name, 'A')
  const { jobId } = await call<{ jobId: string }>('devices.delete', { deviceName: 'B' }, { mode: 'async' })
  const outcome = await gateway.jobs.peek(jobId)!.settled
  assert.equal(outcome.ok, true)
  assert.deepEqual(await call('devices.list'), { devices: [], total: 0 })
})

test('the parking lot holds unplaced devices until it is cleared', async (t) => {
  const { call } = await openTestGateway(t)
  await fails(call('devices.clear-parking-lot'), 'no_project')
  await call('projects.create', { name: 'P' })
  const add = (name: string, unplaced: boolean) =>
    call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name, unplaced })
  await add('A', false)
  await add('B', true)
  await add('C', true)
  const names = async (id: string) => (await call<DeviceList>(id)).devices.map((device) => device.name)
  assert.deepEqual([await names('devices.list'), await names('devices.parking-lot')], [['A'], ['B', 'C']])
  await fails(add('b', false), 'name_taken', /parking lot/)
  assert.deepEqual(await call<Record<string, unknown>>('devices.clear-parking-lot'), {
    removed: 2,
    devices: ['B', 'C'],
  })
  assert.deepEqual([await names('devices.list'), await names('devices.parking-lot')], [['A'], []])
})

test('long lists come in pages', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  for (let i = 0; i < 7; i++) await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: DeviceList = await call('devices.list', { limit: 3, ...defined({ cursor }) })
    assert.equal(page.total, 7)
    seen.push(...page.devices.map((device) => device.name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(
    seen,
    [1, 2, 3, 4, 5, 6, 7].map((n) => `PLC_${n}`),
  )
  assert.equal((await call<DeviceList>('devices.list', { q: 'plc_3' })).total, 1)
  await fails(call('devices.list', { cursor: 'nowhere' }), 'invalid_input', /cursor/)
  await fails(call('devices.list', { limit: 0 }), 'invalid_input')
})

test('the catalog is found, searched, cached and drawn', async (t) => {
  const { call } = await openTestGateway(t)
  const built = await call<{ state: string; entries: number; indexed: boolean }>('devices.catalog-cache-build')
  assert.deepEqual([built.state, built.indexed], ['loaded', true])
  assert.ok(built.entries > 500)
  assert.equal((await call<{ entries: number }>('devices.catalog-cache-load')).entries, built.entries)
  const status = await call<Record<string, unknown>>('devices.catalog-cache-status')
  assert.deepEqual([status.state, status.stale], ['loaded', false])

  const found = await call<Record<string, unknown>>('devices.catalog-find', {
    typeIdentifier: 'OrderNumber:6ES7 515-2AM02-0AB0/V9.9',
  })
  assert.deepEqual(
    [found.typeName, found.deviceKind, found.requestedFirmware, found.requestedFirmwareKnown],
    ['CPU 1515-2 PN', 'PLC', 'V9.9', false],
  )
  await fails(call('devices.catalog-find', { orderNumber: '6ES7 515-2AM02' }), 'not_found', /Did you mean/)
  await fails(call('devices.catalog-find', { orderNumber: '' }), 'invalid_input')
  const { entries, total } = await call<{ entries: { orderNumber: string }[]; total: number }>(
    'devices.catalog-search',
    { keyword: '515-2AM02', maxResults: 3 },
  )
  assert.ok(total >= 1 && total <= 3 && entries[0]!.orderNumber.includes('515-2AM02'))
  assert.deepEqual(await call('devices.catalog-search', { query: 'qqqqqqqq' }), { entries: [], total: 0 })

  const image = await call<unknown>('devices.catalog-image', { orderNumber: '6ES7515-2AM02-0AB0' })
  assert.match(String(image), /^(<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/)
  await fails(call('devices.catalog-image', { orderNumber: 'nothing' }), 'not_found')
})

test('a dry run shows the event and changes nothing', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  const dry = await call<{ events: { type: string; entity: string }[] }>('devices.add', {
    orderNumber: '6ES7 515-2AM02-0AB0',
    dryRun: true,
  })
  assert.deepEqual(
    dry.events.map(({ type, entity }) => [type, entity]),
    [['devices.added', 'device/PLC_1']],
  )
  assert.equal((await call<DeviceList>('devices.list')).total, 0)
})
