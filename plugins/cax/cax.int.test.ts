import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'

interface Exported {
  readonly content: string
  readonly devices: readonly string[]
  readonly exportPath?: string
  readonly warnings: readonly string[]
}
interface Imported {
  readonly created: number
  readonly retained: number
  readonly overwritten: number
  readonly parked: number
  readonly subnets: number
  readonly tags: number
  readonly devices: readonly { name: string; action: string; parked?: string; kind: string }[]
  readonly warnings: readonly string[]
}
type Call = TestGateway['call']

/** An S7-1500 that controls an ET 200SP, an S7-1200, and a panel, through the API alone. */
async function buildPlant(call: Call): Promise<void> {
  await call('projects.create', { name: 'Plant' })
  const add = (orderNumber: string, name: string) => call('devices.add', { orderNumber, name })
  await add('6ES7 515-2AM02-0AB0', 'PLC_1')
  await add('6ES7 155-6AU01-0BN0', 'IO_1')
  await add('6ES7 214-1AG40-0XB0', 'PLC_2')
  await add('6AV2 124-0GC01-0AX0', 'HMI_1')
  for (const [i, deviceName] of ['PLC_1', 'IO_1', 'PLC_2', 'HMI_1'].entries())
    await call('devices.configure-network', { deviceName, ipAddress: `192.168.0.${i + 1}`, subnet: 'PN/IE_1' })
  await call('hardware.plug-module', { deviceName: 'PLC_1', orderNumber: '6ES7 521-1BH00-0AB0' })
  await call('hardware.plug-module', { deviceName: 'IO_1', orderNumber: '6ES7 131-6BH01-0BA0' })
  await call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'PLC_1' })
  await call('hardware.link-ports', { deviceName: 'PLC_1', port: 'X1 P1', partner: 'IO_1', partnerPort: 'X1 P1' })
  await call('hardware.plug-module', { deviceName: 'PLC_2', orderNumber: '6ES7 223-0BD30-0XB0' })
  await call('tags.add', {
    deviceName: 'PLC_1',
    name: 'Start',
    dataType: 'Bool',
    logicalAddress: '%I0.0',
    comment: 'a "button" & more',
  })
  await call('tags.add', { deviceName: 'PLC_1', name: 'Flag', dataType: 'Bool', logicalAddress: '%M0.0' })
}

test('a plant built through the API goes through AML into an empty project and comes out byte for byte', async (t) => {
  const one = await openTestGateway(t)
  await buildPlant(one.call)
  const first = await one.call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', scope: 'project' })
  assert.deepEqual(first.devices, ['PLC_1', 'IO_1', 'PLC_2', 'HMI_1'])
  assert.ok(first.warnings.some((text) => /^1 tag or constant of "PLC_1" is not in the file/.test(text)))
  assert.ok(first.warnings.some((text) => /"HMI_1" is an HMI device/.test(text)))
  assert.match(first.content, /Link To Tag_1" RefPartnerSideA="[^"]+:Channel_DI_0" RefPartnerSideB="[^"]+:Start"/)
  const two = await openTestGateway(t)
  await two.call('projects.create', { name: 'Other' })
  const imported = await two.call<Imported>('cax.import-hardware', { content: first.content })
  assert.deepEqual([imported.created, imported.subnets, imported.tags], [4, 1, 1])
  assert.deepEqual(imported.warnings, [])
  const kinds = imported.devices.map(({ name, kind }) => `${name} ${kind}`)
  assert.deepEqual(kinds, ['PLC_1 PLC', 'IO_1 IO', 'PLC_2 PLC', 'HMI_1 HMI'])
  const again = await two.call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', scope: 'project' })
  assert.equal(again.content, first.content)
  const details = (call: Call, deviceName: string) => call<Record<string, unknown>>('hardware.details', { deviceName })
  for (const name of ['PLC_1', 'IO_1', 'PLC_2']) {
    const [before, after] = [await details(one.call, name), await details(two.call, name)]
    const shape = (value: unknown) =>
      JSON.stringify(value).replace(/"(id|hardwareIdentifier|createdAt)":("[^"]*"|\d+),?/g, '')
    assert.equal(shape(after.station), shape(before.station), name)
  }
  const tags = await two.call<{ tags: { name: string; comment: unknown }[] }>('tags.list-all', { deviceName: 'PLC_1' })
  assert.equal(tags.tags[0]?.name, 'Start')
  // Saved, closed and opened, it is the same.
  const { path } = await two.call<{ path: string }>('projects.save')
  await two.call('projects.close')
  await two.call('projects.open', { path })
  const opened = await two.call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', scope: 'project' })
  assert.equal(opened.content, first.content)
})

const minimal = `<?xml version="1.0" encoding="utf-8"?>
<CAEXFile FileName="a.aml" SchemaVersion="2.15">
  <InstanceHierarchy Name="H">
    <InternalElement ID="p" Name="P">
      <InternalElement ID="u" Name="Folder"><Attribute Name="Own"><Value>1</Value></Attribute><SupportedRoleClass RefRoleClassPath="Lib/Unknown" /></InternalElement>
      <InternalElement ID="d" Name="Station">
        <Attribute Name="TypeIdentifier" AttributeDataType="xs:string"><Value>System:Device.S71500</Value></Attribute>
        <InternalElement ID="r" Name="Rail_0">
          <Attribute Name="PositionNumber" AttributeDataType="xs:int"><Value>0</Value></Attribute>
          <InternalElement ID="c" Name="PLC_1">
            <Attribute Name="DeviceItemType" AttributeDataType="xs:string"><Value>CPU</Value></Attribute>
            <Attribute Name="PositionNumber" AttributeDataType="xs:int"><Value>1</Value></Attribute>
            <Attribute Name="TypeIdentifier" AttributeDataType="xs:string"><Value>OrderNumber:6ES7 999-9XX99-0XX0</Value></Attribute>
            <Attribute Name="Color" AttributeDataType="xs:string"><Description>paint</Description><Value>red</Value></Attribute>
            <SupportedRoleClass RefRoleClassPath="AutomationProjectConfigurationRoleClassLib/DeviceItem" />
          </InternalElement>
          <SupportedRoleClass RefRoleClassPath="AutomationProjectConfigurationRoleClassLib/DeviceItem" />
        </InternalElement>
        <SupportedRoleClass RefRoleClassPath="AutomationProjectConfigurationRoleClassLib/Device" />
      </InternalElement>
      <SupportedRoleClass RefRoleClassPath="AutomationProjectConfigurationRoleClassLib/AutomationProject" />
    </InternalElement>
  </InstanceHierarchy>
  <RoleClassLib Name="Lib"><RoleClass Name="Unknown" /></RoleClassLib>
</CAEXFile>`

test('the racks of an S7-300 are built, saved and go through AML; a missing interface module is told', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'Racks' })
  await call('devices.add', { orderNumber: '6ES7 315-2EH14-0AB0', name: 'PLC_1' })
  const deviceName = 'PLC_1'
  const plug = (orderNumber: string, more: object = {}) =>
    call<{ name: string; rack: number; position: string; addresses: { startAddress: number }[] }>(
      'hardware.plug-module',
      { deviceName, orderNumber, ...more },
    )
  const [im360, im361, di] = ['6ES7 360-3AA01-0AA0', '6ES7 361-3CA01-0AA0', '6ES7 321-1BL00-0AA0']
  await fails(plug(im361), 'conflict', /IM 360 comes first/)
  await plug(im360)
  assert.equal((await plug(im361)).position, '1/3')
  assert.equal((await plug(im361)).position, '2/3')
  await plug(di)
  const far = await plug(di, { rack: 2, slot: 5 })
  assert.deepEqual([far.rack, far.position, far.addresses[0]?.startAddress], [2, '2/5', 68])
  const fits = await call<{ slots: { position: string }[] }>('hardware.compatible-slots', {
    ...{ deviceName, orderNumber: di, rack: 2 },
  })
  assert.deepEqual(fits.slots.map(({ position }) => position).slice(0, 2), ['2/4', '2/6'])
  await fails(
    call('hardware.unplug-module', { deviceName, moduleName: 'IM 361 R_2' }),
    'conflict',
    /rack 2 has other modules/,
  )
  const modules = async () =>
    (
      await call<{ modules: { name: string; position: string; addresses: unknown }[] }>('hardware.modules', {
        deviceName,
      })
    ).modules.map(({ name, position, addresses }) => ({ name, position, addresses }))
  const before = await modules()
  assert.deepEqual(
    before.map(({ position }) => position),
    ['2', '3', '4', '1/3', '2/3', '2/5'],
  )
  const whole = { deviceName, scope: 'project' }
  const { content } = await call<Exported>('cax.export-hardware', whole)
  const faults = async () => {
    const compiled = await call<{ messages: unknown }>('blocks.compile-device', { deviceName, scope: 'hardware' })
    return JSON.stringify(compiled.messages)
  }
  assert.doesNotMatch(await faults(), /hardware-missing-module/)
  await call('hardware.move-module', { deviceName, moduleName: far.name, rack: 1, slot: 4 })
  await call('hardware.unplug-module', { deviceName, moduleName: 'IM 361 R_2' })
  assert.equal((await modules()).length, 5)
  await call('cax.import-hardware', { content, importOption: 'OverwriteTiaDevice' })
  assert.deepEqual(await modules(), before)
  assert.equal((await call<Exported>('cax.export-hardware', whole)).content, content)
  // The file of somebody who forgot the interface module of rack 2.
  const without = content.replaceAll('6ES7 361-3CA01-0AA0', '6ES7 999-3CA01-0AA0').replaceAll('IM 361 R', 'Other')
  await call('cax.import-hardware', { content: without, importOption: 'OverwriteTiaDevice' })
  assert.match(
    await faults(),
    /Rack 1 has no interface module\.".*"code":"hardware-missing-module","device":"PLC_1","slot":"1\/3"/,
  )
})

test('the racks of an S7-400 are built, replaced, saved and go through AML; what is missing is told', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'Racks' })
  await call('devices.add', { orderNumber: '6ES7 412-2EK07-0AB0', name: 'PLC_1' })
  const deviceName = 'PLC_1'
  const plug = (orderNumber: string, more: object = {}) =>
    call<{ position: string }>('hardware.plug-module', { deviceName, orderNumber, ...more })
  const [im460, im461, di] = ['6ES7 460-3AA01-0AB0', '6ES7 461-3AA01-0AA0', '6ES7 421-1BL01-0AA0']
  await fails(plug(im461), 'conflict', /IM 460-3 comes first, into rack 0/)
  assert.equal((await plug(im460)).position, '4')
  assert.equal((await plug(im461, { rack: 2 })).position, '2/9')
  assert.equal((await plug(im461, { rack: 5, slot: 18 })).position, '5/18')
  await plug('6ES7 407-0KA02-0AA0', { rack: 2 })
  assert.equal((await plug(di, { rack: 2 })).position, '2/3')
  const replace = (moduleName: string, orderNumber: string) =>
    call<{ name: string; rack: number }>('hardware.replace-module', { deviceName, moduleName, orderNumber })
  await fails(replace('UR1_5', '6ES7 401-2TA01-0AA0'), 'conflict', /CR2 is a central rack/)
  const small = await replace('UR1_5', '6ES7 403-1JA01-0AA0')
  assert.deepEqual([small.name, small.rack], ['ER2_5', 5])
  await fails(plug('6GK7 443-1EX30-0XE0', { rack: 5 }), 'conflict', /ER2 has no communication bus/)
  const modules = async () => {
    const answer = await call<{ modules: { name: string; position: string }[] }>('hardware.modules', { deviceName })
    return answer.modules.map(({ name, position }) => `${position} ${name}`)
  }
  const before = await modules()
  assert.ok(before.includes('5/9 IM 461-3_2'), before.join())
  const faults = async () => {
    const compiled = await call<{ messages: unknown }>('blocks.compile-device', { deviceName, scope: 'hardware' })
    return JSON.stringify(compiled.messages)
  }
  assert.match(await faults(), /Rack 5 has no power supply\./)
  assert.doesNotMatch(await faults(), /Rack 2 has no power supply/)
  const whole = { deviceName, scope: 'project' }
  const { content } = await call<Exported>('cax.export-hardware', whole)
  await call('cax.import-hardware', { content, importOption: 'OverwriteTiaDevice' })
  assert.deepEqual(await modules(), before)
  assert.equal((await call<Exported>('cax.export-hardware', whole)).content, content)
  // The kinds of the racks came back too.
  await fails(plug('6GK7 443-1EX30-0XE0', { rack: 5 }), 'conflict', /ER2 has no communication bus/)
  const without = content.replaceAll('6ES7 460-3AA01-0AB0', '6ES7 999-3AA01-0AB0').replaceAll('IM 460-3', 'Other')
  await call('cax.import-hardware', { content: without, importOption: 'OverwriteTiaDevice' })
  assert.match(await faults(), /Rack 0 has too few IM 460-3 for \\"IM 461-3_1\\"/)
})

test('what nobody interprets is kept, unknown order numbers are told, and the import options decide', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  const importAml = (more: Record<string, unknown> = {}) =>
    call<Imported>('cax.import-hardware', { content: minimal, ...more })
  const first = await importAml()
  assert.ok(first.warnings.some((text) => /^line 10: the catalog has no 6ES7 999-9XX99-0XX0 \("PLC_1"\)/.test(text)))
  assert.ok(first.warnings.some((text) => /line 5, "P\/Folder".*it is kept/.test(text)))
  const { content } = await call<Exported>('cax.export-hardware', { deviceName: 'PLC_1' })
  for (const text of ['Name="Folder"', '<Description>paint</Description>', '<RoleClass Name="Unknown" />', '9XX99'])
    assert.ok(content.includes(text), text)
  assert.deepEqual(
    (await importAml({ importOption: 'RetainTiaDevice' })).devices.map(({ action }) => action),
    ['retained'],
  )
  await call('devices.configure-network', { deviceName: 'PLC_1', ipAddress: '10.0.0.1' })
  assert.deepEqual((await call<Exported>('cax.export-hardware', { deviceName: 'PLC_1' })).warnings, [
    'interface X1 of "PLC_1" is not in the file: the station has no such interface',
  ])
  assert.equal((await importAml({ importOptions: 'overwrite' })).overwritten, 1)
  const parked = await importAml()
  assert.deepEqual([parked.parked, parked.devices[0]?.parked], [1, 'PLC_1_1'])
  const lot = await call<{ devices: { name: string }[] }>('devices.parking-lot')
  assert.deepEqual(
    lot.devices.map(({ name }) => name),
    ['PLC_1_1'],
  )
  await fails(call('cax.export-hardware', { deviceName: 'PLC_1_1' }), 'conflict', /parking lot/)
  await fails(importAml({ importOption: 'Merge' }), 'invalid_input', /MoveToParkingLot, OverwriteTiaDevice/)
})

test('a device that was copied in a file gets IDs of its own, so that the file of the project can be read again', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await call('hardware.plug-module', { deviceName: 'PLC_1', orderNumber: '6GK7 543-1AX00-0XE0', name: 'Card' })
  await call('hardware.create-subnet', { name: 'Net' })
  await call('devices.configure-network', {
    deviceName: 'PLC_1',
    interface: 'Card.X1',
    ipAddress: '10.0.0.1',
    subnet: 'Net',
  })
  const whole = () => call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', scope: 'project' })
  const { content } = await whole()
  // As one who copies a device by hand: its own ID and name are others, those of its parts and of the subnet are not.
  const copied = content
    .replace(/ID="[^"]*" Name="PLC_1 station"/, 'ID="00000000-0000-0000-0000-000000000001" Name="PLC_2 station"')
    .replaceAll('PLC_1', 'PLC_2')
    .replaceAll('"Net"', '"Other"')
  const { warnings } = await call<Imported>('cax.import-hardware', { content: copied })
  assert.deepEqual(warnings, [
    '"PLC_2" has 13 elements with IDs of other devices of the project: all its elements got new ones',
    'subnet "Other" had the ID of subnet "Net" and got a new one',
  ])
  const both = await whole()
  await call('projects.close', { discardChanges: true })
  await call('projects.create', { name: 'Q' })
  const read = await call<Imported>('cax.import-hardware', { content: both.content })
  assert.deepEqual([read.created, read.warnings], [2, []])
  const namesOf = async (deviceName: string) => {
    const { interfaces } = await call<{ interfaces: { interface: string; subnet?: string }[] }>('devices.get', {
      deviceName,
    })
    return interfaces.map((one) => [one.interface, one.subnet])
  }
  assert.deepEqual(await namesOf('PLC_1'), [
    ['X1', undefined],
    ['X2', undefined],
    ['Card.X1', 'Net'],
  ])
  assert.deepEqual(await namesOf('PLC_2'), [
    ['X1', undefined],
    ['X2', undefined],
    ['Card.X1', 'Other'],
  ])
  assert.equal((await whole()).content.replaceAll('"Q"', '"P"').replaceAll('Q.aml', 'P.aml'), both.content)
  // The same copy again is the same device.
  const again = await call<Imported>('cax.import-hardware', { content: copied, importOption: 'OverwriteTiaDevice' })
  assert.deepEqual([again.overwritten, again.created], [1, 0])
})

test('what is wrong in the hardware of a file is told by compiling it: device, slot, code and hint', async (t) => {
  const { call } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  const add = (orderNumber: string, name: string) => call('devices.add', { orderNumber, name })
  const plug = (deviceName: string, orderNumber: string, name: string) =>
    call('hardware.plug-module', { deviceName, orderNumber, name })
  await add('6ES7 515-2AM02-0AB0', 'PLC_1')
  await add('6ES7 155-6AU01-0BN0', 'IO_1')
  await plug('PLC_1', '6ES7 521-1BL00-0AB0', 'Doors')
  await plug('PLC_1', '6ES7 521-1BH00-0AB0', 'Locks')
  for (const name of ['Lamps', 'Bells']) await plug('IO_1', '6ES7 131-6BH01-0BA0', name)
  await call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'PLC_1' })
  const { content } = await call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', scope: 'project' })
  const faulty = content
    .replace(/(Name="StartAddress"[^>]*>\s*<Value>)4</, '$10<')
    .replace('<Value>V2.1</Value>', '<Value>V9.9</Value>')
    .replace(/<Attribute Name="NetworkAddress"[^>]*>\s*<Value>192\.168\.0\.1<\/Value>\s*<\/Attribute>/, '')
  await call('cax.import-hardware', { content: faulty, importOption: 'OverwriteTiaDevice' })
  await call('hardware.unplug-module', { deviceName: 'IO_1', moduleName: 'Lamps' })
  await add('6ES7 155-6AU01-0BN0', 'IO_2')
  await call('hardware.unplug-module', { deviceName: 'IO_2', moduleName: 'BA 2xRJ45' })
  interface Message {
    readonly code?: string
    readonly description?: string
    readonly device?: string
    readonly slot?: string
    readonly hint?: string
    readonly messages?: readonly Message[]
  }
  const leaves = (one: Message): Message[] => (one.code === undefined ? (one.messages ?? []).flatMap(leaves) : [one])
  const told = async (deviceName: string) => {
    const found = leaves(await call<Message>('blocks.compile-device', { deviceName, scope: 'hardware' }))
    for (const { device, hint = '' } of found) assert.ok(device === deviceName && hint.length > 10)
    return new Set(found.map(({ code, slot = '' }) => `${code} ${slot}`.trim()))
  }
  assert.deepEqual(
    await told('PLC_1'),
    new Set(['hardware-no-ip', 'hardware-address-overlap 2', 'hardware-firmware 2']),
  )
  assert.ok((await told('IO_1')).has('hardware-missing-module 1'))
  assert.deepEqual(await told('IO_2'), new Set(['hardware-no-controller', 'hardware-missing-module 0.127']))
  // Addresses of two devices of one controller that overlap, and those that the controller has not.
  const start = (from: number, to: number) => (text: string) =>
    text.replace(new RegExp(`(Name="StartAddress"[^>]*>\\s*<Value>)${from}<`), (_, before) => `${before}${to}<`)
  const moved = start(4, 32_767)(start(8, 2)(content))
  await call('cax.import-hardware', { content: moved, importOption: 'OverwriteTiaDevice' })
  const addressFaults = async (deviceName: string) => {
    const found = leaves(await call<Message>('blocks.compile-device', { deviceName, scope: 'hardware' }))
    return found.flatMap(({ code, description }) => (code === 'hardware-address-overlap' ? [description] : []))
  }
  assert.deepEqual(await addressFaults('PLC_1'), [
    'Input 0 to 3 of "Doors" overlap 2 to 3 of "Bells" of "IO_1".',
    'Input 32767 to 32768 of "Locks" are beyond the 32768 bytes of CPU 1515-2 PN.',
  ])
  assert.deepEqual(await addressFaults('IO_1'), ['Input 2 to 3 of "Bells" overlap 0 to 3 of "Doors" of "PLC_1".'])
  await call('devices.delete', { deviceName: 'PLC_1' })
  assert.deepEqual((await call<Exported>('cax.export-hardware', { deviceName: 'IO_1' })).warnings, [
    '"IO_1" (X1) belongs to IO system "PROFINET IO-System", which no device of the project controls: it is not in the file',
  ])
})

test('faults are told with element and line, and nothing is imported', async (t) => {
  const { call } = await openTestGateway(t)
  await fails(call('cax.import-hardware', { content: minimal }), 'no_project', /No project/)
  await call('projects.create', { name: 'P' })
  const refused = (from: string, to: string, message: RegExp) =>
    fails(call('cax.import-hardware', { content: minimal.replace(from, to) }), 'unacceptable_content', message)
  await refused('ID="r"', 'ID="d"', /line 8, .*the ID d is also that of "P\/Station" in line 6/)
  const link =
    '<InternalLink Name="L" RefPartnerSideA="nobody:X" RefPartnerSideB="c:Y" /></InternalElement>\n  </InstanceH'
  await refused(
    '</InternalElement>\n  </InstanceH',
    link,
    /RefPartnerSideA names the element nobody, which is not in the file/,
  )
  await refused(
    '<Value>1</Value></Attribute>\n            <Attribute Name="TypeI',
    '<Value>x</Value></Attribute>\n            <Attribute Name="TypeI',
    /PositionNumber is "x"/,
  )
  await refused('<?xml version="1.0" encoding="utf-8"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', /document type declaration/)
  await refused('Name="Rail_0"', 'Name="&rail;"', /line 8: "&rail;" is not an entity/)
  await refused('</CAEXFile>', '', /malformed XML/)
  await fails(call('cax.import-hardware', { content: '<a/>' }), 'unacceptable_content', /CAEXFile/)
  await fails(call('cax.import-hardware', {}), 'invalid_input', /one of filePath/)
  await fails(call('cax.import-hardware', { filePath: 'none.aml' }), 'not_found', /none\.aml/)
  assert.equal((await call<{ total: number }>('devices.list')).total, 0)
  const left = await call<Imported>('cax.import-hardware', {
    content: minimal.replace('</InternalElement>\n  </InstanceH', link),
    continueOnError: true,
  })
  assert.equal(left.created, 1)
  const file = await call<Exported>('cax.export-hardware', { deviceName: 'PLC_1', exportPath: 'out/plc.aml' })
  assert.match(await readFile(file.exportPath as string, 'utf8'), /^\uFEFF<\?xml/)
  await fails(
    call('cax.export-hardware', { deviceName: 'PLC_1', exportPath: 'out/plc.aml' }),
    'conflict',
    /exists already/,
  )
})
