/** Events that are raised through the gateway run their organization blocks with their start information. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { type Answer, loadProgram, openWithProgram } from '../../../test/simulation.ts'
import { becomes } from '../../../test/until.ts'

const name = 'PLC_1'
const members =
  'n : Int; laddr : UInt; channel : UInt; io : Word; multi : Bool; class : Byte; fault : Byte; csg : Int; order : Int;'
const data = `DATA_BLOCK "Data"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (ob: string, inputs: string, body: string) =>
  `ORGANIZATION_BLOCK "${ob}"\n{ S7_Optimized_Access := 'TRUE' }\nVAR_INPUT\n${inputs}\nEND_VAR\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const main = 'ORGANIZATION_BLOCK "OB1"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n'
const program =
  data +
  main +
  block(
    'OB40',
    'LADDR : HW_IO; USI : Word; IChannel : USInt; EventType : Byte;',
    '"Data".n += 1; "Data".laddr := #LADDR; "Data".channel := #IChannel; "Data".class := #EventType; "Data".order := "Data".order * 10 + 4;',
  ) +
  block(
    'OB82',
    'IO_State : Word; LADDR : HW_ANY; Channel : UInt; MultiError : Bool;',
    '"Data".n += 1; "Data".laddr := #LADDR; "Data".channel := #Channel; "Data".io := #IO_State; "Data".multi := #MultiError; "Data".order := "Data".order * 10 + 2;',
  ) +
  block(
    'OB83',
    'LADDR : HW_IO; Event_Class : Byte; Fault_ID : Byte;',
    '"Data".n += 1; "Data".laddr := #LADDR; "Data".class := #Event_Class; "Data".fault := #Fault_ID;',
  ) +
  block(
    'OB86',
    'LADDR : HW_DEVICE; Event_Class : Byte; Fault_ID : Byte;',
    '"Data".n += 1; "Data".laddr := #LADDR; "Data".class := #Event_Class; "Data".fault := #Fault_ID;',
  ) +
  block(
    'OB122',
    'Fault_ID : Byte; Csg_OBNR : OB_ANY;',
    '"Data".n += 1; "Data".fault := #Fault_ID; "Data".csg := #Csg_OBNR;',
  )

async function running(t: Parameters<typeof openWithProgram>[0], source = program) {
  const { opened } = await openWithProgram(t)
  await loadProgram(opened, name, source, {})
  await opened.call('simulation.run', { name })
  const { call } = opened
  const raise = (input: Answer) => call<Answer>('simulation.raise-event', { name, ...input })
  const values = async (...tags: string[]) => {
    await call('simulation.advance', { name, cycles: 1 })
    const { tags: read } = await call<Answer>('simulation.read-tags', { name, tags: tags.map((tag) => `Data.${tag}`) })
    return read.map(({ value }: Answer) => value)
  }
  return { opened, call, raise, values }
}

test('each event runs its block with the start information of the manual', async (t) => {
  const { raise, values } = await running(t)
  await raise({ event: 'hardwareInterrupt', laddr: 257, channel: 3, faultId: 1 })
  assert.deepEqual(await values('n', 'laddr', 'channel', 'class'), [1, 257, 3, 1])
  await raise({ event: 'diagnosticError', laddr: 258, channel: 7 })
  assert.deepEqual(await values('n', 'laddr', 'channel', 'io', 'multi'), [2, 258, 7, 0x10, false])
  await raise({ event: 'diagnosticError', laddr: 258, direction: 'outgoing' })
  assert.deepEqual(await values('channel', 'io'), [0x8000, 1])
  await raise({ event: 'pullOrPlug', laddr: '16#103' })
  assert.deepEqual(await values('laddr', 'class', 'fault'), [259, 0x39, 0x51])
  await raise({ event: 'pullOrPlug', laddr: 259, direction: 'outgoing' })
  assert.deepEqual(await values('class', 'fault'), [0x38, 0x54])
  await raise({ event: 'rackOrStationFailure', laddr: 300, information: { Fault_ID: '16#C4' } })
  assert.deepEqual(await values('laddr', 'class', 'fault'), [300, 0x39, 0xc4])
  const { ob, information } = await raise({ event: 'ioAccessError', access: 'write' })
  assert.deepEqual([ob, information], [122, { Fault_ID: 0x43, Csg_OBNR: 1 }])
  assert.deepEqual(await values('n', 'fault', 'csg'), [7, 0x43, 1])
})

test('events that wait run by priority, each once, and too many of one block are refused', async (t) => {
  const { raise, values } = await running(t)
  await raise({ event: 'diagnosticError', laddr: 1 })
  await raise({ event: 'hardwareInterrupt', laddr: 1 })
  assert.deepEqual(await values('n', 'order'), [2, 42])
  let refused: unknown
  for (let i = 0; i < 1000 && refused === undefined; i++)
    await raise({ event: 'pullOrPlug', laddr: i }).catch((error: unknown) => {
      refused = error
    })
  assert.match(String(refused), /takes no more events/)
})

test('an event is refused with the reason when its block, its module or the state is missing', async (t) => {
  const { call, raise, values } = await running(t, data + main + block('OB40', 'LADDR : HW_IO;', '"Data".n += 1;'))
  await fails(raise({ event: 'rackOrStationFailure', laddr: 1 }), 'conflict', /no organization block.*RackOrStation/)
  await fails(raise({ event: 'hardwareInterrupt', laddr: 1, ob: 41 }), 'conflict', /only OB 40/)
  await fails(raise({ event: 'hardwareInterrupt' }), 'invalid_input', /laddr.*missing/)
  await fails(raise({ event: 'hardwareInterrupt', laddr: 1, module: 'Rack_9' }), 'not_found', /Rack_9/)
  await fails(
    raise({ event: 'hardwareInterrupt', laddr: 1, information: { Channels: 1 } }),
    'invalid_input',
    /declares only LADDR/,
  )
  assert.deepEqual(await values('n'), [0])
  await call('simulation.stop', { name })
  await fails(raise({ event: 'hardwareInterrupt', laddr: 1 }), 'invalid_operating_state', /must be in Run/)
})

test('in real time an event runs its block at once, without waiting for a request', async (t) => {
  const { call, raise } = await running(t)
  await call('simulation.set-time', { name, mode: 'real' })
  await raise({ event: 'hardwareInterrupt', laddr: 257 })
  const read = async () => (await call<Answer>('simulation.read-tag', { name, tagName: 'Data.n' })).value
  await becomes(read, 1)
})
