/** What a virtual controller makes of the configured hardware: OB 83, OB 86, and OB 122 by an access of the program. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openTestGateway } from '../../test/harness.ts'
import { type Answer, newProject, plc, withController } from '../../test/online.ts'
import { until } from '../../test/until.ts'

const block = (name: string, inputs: string, body: string) =>
  `ORGANIZATION_BLOCK "${name}"\n{ S7_Optimized_Access := 'TRUE' }\n${inputs === '' ? '' : `VAR_INPUT\n${inputs}\nEND_VAR\n`}BEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const program = [
  `DATA_BLOCK "Seen"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\npulls : Int; laddr : UInt; class : Byte; failures : Int; errors : Int; fault : Byte; direct : Int; image : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
  block('Main', '', '"Seen".direct := WORD_TO_INT(%IW4:P); "Seen".image := WORD_TO_INT(%IW4); %QB0:P := 16#7;'),
  block(
    'OB83',
    'LADDR : HW_IO; Event_Class : Byte; Fault_ID : Byte;',
    '"Seen".pulls += 1; "Seen".laddr := #LADDR; "Seen".class := #Event_Class;',
  ),
  block('OB86', 'LADDR : HW_DEVICE; Event_Class : Byte; Fault_ID : Byte;', '"Seen".failures += 1;'),
  block('OB122', 'Fault_ID : Byte;', '"Seen".errors += 1; "Seen".fault := #Fault_ID;'),
].join('\n')

/** A running PLC; with modules: inputs 0 to 3 and outputs 0 to 3 of its own, inputs 4 and 5 of an IO device. */
async function running(t: TestContext, hasModules: boolean) {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  if (hasModules) {
    await call('hardware.plug-module', { ...plc, orderNumber: '6ES7 521-1BL00-0AB0' })
    await call('hardware.plug-module', { ...plc, orderNumber: '6ES7 522-1BL00-0AB0', name: 'Valves' })
    await call('devices.add', { orderNumber: '6ES7 155-6AU01-0BN0', name: 'IO_1' })
    await call('hardware.plug-module', { deviceName: 'IO_1', orderNumber: '6ES7 131-6BH01-0BA0', name: 'Doors' })
    await call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'PLC_1' })
  }
  await call('blocks.import', { ...plc, content: program })
  await withController(at)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const values = async (...tags: string[]) => {
    await call('simulation.advance', { name: 'Sim', cycles: 2 })
    const { tags: read } = await call<Answer>('simulation.read-tags', {
      name: 'Sim',
      tags: tags.map((tag) => `Seen.${tag}`),
    })
    return read.map(({ value }: Answer) => value)
  }
  const set = (value: number) => call('simulation.write-tag', { name: 'Sim', tagName: '%IW4', value })
  return { call, values, set }
}

test('without configured modules every address exists, as before', async (t) => {
  const { call, values, set } = await running(t, false)
  await set(77)
  assert.deepEqual(await values('direct', 'image', 'errors'), [77, 77, 0])
  assert.equal((await call<Answer>('simulation.modules', { name: 'Sim' })).total, 0)
  await fails(call('simulation.pull-module', { name: 'Sim', moduleName: 'Doors' }), 'not_found', /Doors/)
})

test('a pulled module: OB 83, its inputs are 0, direct accesses raise OB 122; plugged again all is as before', async (t) => {
  const { call, values, set } = await running(t, true)
  const listed = await call<Answer>('simulation.modules', { name: 'Sim' })
  assert.deepEqual(
    listed.modules.map(({ name, device, position, inputs }: Answer) => [name, device, position, inputs]),
    [
      ['DI 32x24VDC HF_1', 'PLC_1', '2', [{ firstByte: 0, bytes: 4 }]],
      ['Valves', 'PLC_1', '3', []],
      ['Doors', 'IO_1', '1', [{ firstByte: 4, bytes: 2 }]],
    ],
  )
  await set(77)
  assert.deepEqual(await values('direct', 'image', 'errors'), [77, 77, 0])
  const pulled = await call<Answer>('simulation.pull-module', { name: 'Sim', moduleName: 'doors' })
  assert.deepEqual([pulled.modules, pulled.event, pulled.ob], [['Doors'], 'pullOrPlug', 83])
  const [direct, image, errors, pulls, laddr, eventClass, fault] = await values(
    'direct',
    'image',
    'errors',
    'pulls',
    'laddr',
    'class',
    'fault',
  )
  assert.deepEqual(
    [direct, image, pulls, laddr, eventClass, fault],
    [0, 0, 1, listed.modules[2].hardwareIdentifier, 0x39, 0x42],
  )
  assert.ok(errors >= 1)
  assert.deepEqual((await call<Answer>('simulation.pull-module', { name: 'Sim', moduleName: 'Doors' })).modules, [])
  await call('simulation.plug-module', { name: 'Sim', moduleName: 'Doors' })
  await values('direct')
  await set(78)
  const [after] = await values('errors')
  assert.deepEqual(await values('direct', 'image', 'errors', 'pulls', 'class'), [78, 78, after, 2, 0x38])
})

test('a failed IO device calls OB 86; a module of the rack keeps working', async (t) => {
  const { call, values } = await running(t, true)
  const failed = await call<Answer>('simulation.pull-module', { name: 'Sim', moduleName: 'IO_1' })
  assert.deepEqual([failed.modules, failed.ob], [['Doors'], 86])
  assert.deepEqual(await values('failures', 'pulls'), [1, 0])
  await call('simulation.plug-module', { name: 'Sim', moduleName: 'IO_1' })
  assert.deepEqual(await values('failures'), [2])

  // An event can be raised by the name of its module in place of the hardware identifier.
  const { modules } = await call<Answer>('simulation.modules', { name: 'Sim' })
  const raised = await call<Answer>('simulation.raise-event', { name: 'Sim', event: 'pullOrPlug', module: 'doors' })
  assert.equal(raised.information.LADDR, modules[2].hardwareIdentifier)
  assert.deepEqual(await values('pulls', 'laddr'), [1, modules[2].hardwareIdentifier])
  const raise = (module: string) =>
    call('simulation.raise-event', { name: 'Sim', event: 'rackOrStationFailure', module })
  await raise('IO_1')
  assert.deepEqual(await values('failures'), [3])
  await fails(raise('PLC_1'), 'invalid_input', /laddr: is missing.*the loaded hardware has none of "PLC_1"/)
  await fails(raise('Rack_9'), 'not_found', /"Rack_9" is neither in the loaded hardware nor in the open project/)
})

test('a module that is not configured: a direct access to its address raises OB 122', async (t) => {
  const { call, values } = await running(t, true)
  assert.deepEqual(await values('errors'), [0])
  await call('hardware.unplug-module', { deviceName: 'IO_1', moduleName: 'Doors' })
  await call('simulation.stop', { name: 'Sim' })
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const [errors, direct] = await values('errors', 'direct')
  assert.ok(errors >= 1)
  assert.equal(direct, 0)
})

test('hardware identifiers are constants of the program, and DeviceStates, ModuleStates and RD_ADDR answer for them', async (t) => {
  const { call, values } = await running(t, true)
  const { constants } = await call<Answer>('tags.list-system-constants', { ...plc, tableName: 'Default tag table' })
  const known = new Map<string, Answer>(constants.map((one: Answer) => [one.name, one]))
  assert.equal(new Set(constants.map(({ value }: Answer) => value)).size, constants.length, 'numbers are unique')
  const types = (...names: string[]) => names.map((name) => known.get(name)?.dataType)
  assert.deepEqual(
    types(
      'Local~Valves',
      'IO_1~IODevice',
      'IO_1~Head',
      'IO_1~Doors',
      'IO_1~PROFINET_interface',
      'Local~PROFINET_IO-System',
    ),
    ['HW_SUBMODULE', 'HW_DEVICE', 'HW_SUBMODULE', 'HW_SUBMODULE', 'HW_INTERFACE', 'HW_IOSYSTEM'],
  )
  const { modules } = await call<Answer>('simulation.modules', { name: 'Sim' })
  assert.equal(String(modules[2].hardwareIdentifier), known.get('IO_1~Doors')?.value)
  const asking = `DATA_BLOCK "Asked"
{ S7_Optimized_Access := 'TRUE' }
VAR
r : Int; devices : Array[0..15] of Bool; there : Array[0..7] of Bool; slots : Array[0..7] of Bool; wrong : Int; kind : Int; first : UDInt; bytes : UDInt; door : UInt; ob : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
BEGIN
"Asked".r := DeviceStates(LADDR := "Local~PROFINET_IO-System", MODE := 5, STATE := "Asked".devices);
"Asked".r := DeviceStates(LADDR := "Local~PROFINET_IO-System", MODE := 1, STATE := "Asked".there);
"Asked".r := ModuleStates(LADDR := "IO_1~IODevice", MODE := 4, STATE := "Asked".slots);
"Asked".wrong := DeviceStates(LADDR := 9999, MODE := 1, STATE := "Asked".there);
"Asked".kind := ModuleStates(LADDR := "Local~Valves", MODE := 1, STATE := "Asked".slots);
"Asked".r := RD_ADDR(LADDR := "IO_1~Doors", PIADDR => "Asked".first, PICOUNT => "Asked".bytes);
"Asked".door := "IO_1~Doors";
"Asked".ob := OB_TO_INT("OB_Main");
END_ORGANIZATION_BLOCK`.replace('OB_TO_INT("OB_Main")', '"OB_Main"')
  await call('blocks.import', { ...plc, content: asking, overwrite: true })
  await call('simulation.stop', { name: 'Sim' })
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const asked = async () => {
    await values('pulls')
    const bits = ['devices', 'there', 'slots'].flatMap((name) => [0, 1, 2, 3].map((bit) => `${name}[${bit}]`))
    const tags = [...bits, 'wrong', 'kind', 'first', 'bytes', 'door', 'ob'].map((tag) => `Asked.${tag}`)
    const answer = await call<Answer>('simulation.read-tags', { name: 'Sim', tags })
    const read = answer.tags.map(({ value }: Answer) => value)
    const set = (from: number) => [0, 1, 2, 3].filter((bit) => read[from + bit])
    return [set(0), set(4), set(8), ...read.slice(12)]
  }
  // Slots 0 (head module) and 1 are bits 1 and 2; device 1 is bit 1.
  const door = Number(known.get('IO_1~Doors')?.value)
  assert.deepEqual(await asked(), [[], [0, 1], [0, 1, 2], 0x8091 - 65_536, 0x8092 - 65_536, 4, 2, door, 1])
  await call('simulation.pull-module', { name: 'Sim', moduleName: 'Doors' })
  assert.deepEqual((await asked()).slice(0, 3), [
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  // Another number of the module makes what uses it outdated.
  await call('hardware.unplug-module', { deviceName: 'IO_1', moduleName: 'Doors' })
  const { errorCount, messages } = await call<Answer>('blocks.compile-device', { ...plc, scope: 'software' })
  assert.ok(errorCount > 0)
  assert.match(JSON.stringify(messages), /IO_1~Doors/)
})

test('a configured S7 connection is loaded with the program: GET uses it, from both ends', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_2' })
  const made = await call<Answer>('hardware.create-connection', { deviceName: 'PLC_1', partner: 'PLC_2' })
  assert.deepEqual([made.localId, made.partnerId], [256, 256])
  const second = await call<Answer>('hardware.create-connection', { deviceName: 'PLC_2', partnerAddress: '10.9.9.9' })
  assert.equal(second.localId, 257)
  const source = (number: number) => `FUNCTION_BLOCK "Reader"
{ S7_Optimized_Access := 'FALSE' }
VAR
get : GET; got : Array[0..1] of Byte; on : Bool; done : Int;
END_VAR
BEGIN
#get(REQ := #on, ID := W#16#100, ADDR_1 := P#M20.0 BYTE 2, RD_1 := #got);
IF #get.NDR THEN #done += 1; END_IF;
#on := NOT #on;
END_FUNCTION_BLOCK
DATA_BLOCK "Reader_DB"
{ S7_Optimized_Access := 'FALSE' }
"Reader"
BEGIN
END_DATA_BLOCK
${block('Main', '', `%MW20 := W#16#${number}; "Reader_DB"();`)}`
  const addresses = ['192.168.0.1', '192.168.0.2']
  for (const [i, name] of ['PLC_1', 'PLC_2'].entries()) {
    await call('blocks.import', { deviceName: name, content: source((i + 1) * 1111) })
    await withController(at, { name: `Sim${i + 1}`, ipAddress: addresses[i] ?? '' })
    await call('online.download', { deviceName: name, compile: true })
    await call('simulation.run', { name: `Sim${i + 1}` })
  }
  const got = async (name: string) => {
    const { tags } = await call<Answer>('simulation.read-tags', { name, tags: ['Reader_DB.done', 'Reader_DB.got'] })
    return tags.map(({ value }: Answer) => value)
  }
  for (const [name, bytes] of [
    ['Sim1', [0x22, 0x22]],
    ['Sim2', [0x11, 0x11]],
  ] as const) {
    await until(async () => {
      for (const one of ['Sim1', 'Sim2']) await call('simulation.advance', { name: one, cycles: 2 })
      const [done, read] = await got(name)
      return done > 0 && String(read) === String(bytes)
    }, `${name} has read ${bytes}`)
  }
})
