/** Batches through a gateway: all or nothing, by what other operations answer afterwards. */
import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, type TestGateway } from '../../test/harness.ts'
import { fails, fbSource, openPlant } from '../../test/plant.ts'

const plc = { deviceName: 'PLC_1' }
interface Batch {
  count: number
  results: { command: string; result: Record<string, unknown> }[]
}
const run = <T = Batch>(at: TestGateway, commands: unknown, more: Record<string, unknown> = {}) =>
  at.call<T>('jobs.execute-batch', { commands, ...more })
const motor = { command: 'types.create', input: { ...plc, name: 'Motor', members: [{ name: 'on', dataType: 'Bool' }] } }
const names = async (at: TestGateway) => ({
  types: (await at.call<{ udts: { name: string }[] }>('types.list', plc)).udts.map(({ name }) => name),
  blocks: (await at.call<{ blocks: { name: string }[] }>('blocks.list', plc)).blocks.map(({ name }) => name),
})

test('commands run one after the other in one job, later ones with results of earlier ones', async (t) => {
  const at = await openPlant(t)
  const jobs = (await at.call<{ total: number }>('jobs.list')).total
  const { results, count } = await run(at, [
    motor,
    {
      command: 'blocks.create',
      input: {
        ...plc,
        name: 'Data',
        type: 'GlobalDB',
        interface: [{ section: 'Static', name: 'm', dataType: { $from: 0, pointer: '/name' } }],
      },
    },
    { command: 'blocks.list', input: plc },
    {
      command: 'blocks.rename',
      input: { ...plc, blockName: { $from: 2, pointer: '/blocks/0/name' }, newName: 'Store' },
    },
  ])
  assert.equal(count, 4)
  assert.deepEqual(
    results.map(({ command }) => command),
    ['types.create', 'blocks.create', 'blocks.list', 'blocks.rename'],
  )
  assert.equal((results[2]!.result.blocks as unknown[]).length, 1)
  assert.deepEqual(await names(at), { types: ['Motor'], blocks: ['Store'] })
  assert.match(
    JSON.stringify(await at.call('blocks.content', { ...plc, blockName: 'Store' })),
    /"name":"m","dataType":"Motor"/,
  )
  assert.equal((await at.call<{ total: number }>('jobs.list')).total, jobs + 1)
  const undo = await at.call<{ jobs: { command: string }[] }>('history.undo')
  assert.equal(undo.jobs[0]!.command, 'jobs.execute-batch')
  assert.deepEqual(await names(at), { types: [], blocks: [] })
})

test('one that fails leaves nothing of the others, files included, and is named', async (t) => {
  const at = await openPlant(t)
  await at.call('blocks.create', { ...plc, name: 'Pump', type: 'FC', language: 'SCL' })
  const error = await fails(
    run(at, [
      motor,
      { command: 'blocks.export', input: { ...plc, blockName: 'Pump', exportPath: 'Pump.xml' } },
      { command: 'tags.add', input: { ...plc, name: 'Motor', dataType: 'Bool' } },
    ]),
    'name_taken',
    /^Command 3 of 3 \(tags\.add\): "Motor" is taken/,
  )
  assert.equal(error.details.extra?.failedCommand, 2)
  assert.deepEqual(await names(at), { types: [], blocks: ['Pump'] })
  await assert.rejects(access(join(at.dir, 'workspace/Pump.xml')))
})

test('a dry run shows all results and keeps nothing', async (t) => {
  const at = await openPlant(t)
  const { result, events } = await run<{ result: Batch; events: { type: string }[] }>(at, [motor], { dryRun: true })
  assert.equal(result.results[0]!.result.name, 'Motor')
  assert.equal(events[0]!.type, 'types.created')
  assert.deepEqual(await names(at), { types: [], blocks: [] })
})

test('a file that is given as text is imported, and what it replaces is kept in one snapshot', async (t) => {
  const at = await openPlant(t)
  await at.call('blocks.import', { ...plc, content: fbSource('Pump', '#out := 1;') })
  const file = (n: number) => ({ fileName: 'Pump.scl', content: fbSource('Pump', `#out := ${n};`) })
  await run(at, [
    { command: 'blocks.import', input: { ...plc, file: file(2) } },
    { command: 'blocks.import', input: { ...plc, file: file(3) } },
  ])
  assert.match(JSON.stringify(await at.call('blocks.content', { ...plc, blockName: 'Pump', view: 'text' })), /:= 3;/)
  const { snapshots } = await at.call<{ snapshots: { operation: string }[] }>('history.list')
  assert.deepEqual(
    snapshots.map(({ operation }) => operation),
    ['jobs.execute-batch'],
  )
})

test('what has no place in a batch is refused before anything runs', async (t) => {
  const at = await openPlant(t)
  const refused = (command: string, input: unknown, code: string, detail: RegExp) =>
    fails(run(at, [motor, { command, input }]), code, detail)
  await refused('online.download', plc, 'not_in_batch', /cannot be taken back .*The controller keeps the program/)
  await refused('jobs.execute-batch', { commands: [motor] }, 'not_in_batch', /no part of a batch/)
  await refused('events.follow', {}, 'not_in_batch', /stream/)
  await refused('settings.change', {}, 'not_in_batch', /takes a secret/)
  await refused('blocks.delet', plc, 'not_found', /Did you mean "blocks.delete"/)
  const fault = await refused('blocks.delete', { ...plc, blockNam: 'x' }, 'invalid_input', /is missing/)
  assert.equal(fault.details.errors![0]!.path, '/commands/1/input/blockName')
  await refused('blocks.delete', { $from: 1 }, 'invalid_input', /must be the index of an earlier command, 0 to 0/)
  await refused('blocks.delete', { $from: 0, pointer: 'name' }, 'invalid_input', /JSON pointer/)
  await refused('blocks.delete', { $from: 0, path: '/name' }, 'invalid_input', /only \$from and pointer/)
  assert.equal((await at.call<{ total: number }>('types.list', plc)).total, 0)
  // Only the result says that there is nothing.
  await refused(
    'blocks.delete',
    { ...plc, blockName: { $from: 0, pointer: '/nam' } },
    'invalid_input',
    /nothing at "\/nam"\. There is name, /,
  )
  assert.equal((await at.call<{ total: number }>('types.list', plc)).total, 0)
})

test('each command needs its own access level', async (t) => {
  const at = await openPlant(t)
  const call = { actor: actor('viewer') }
  await fails(at.call('jobs.execute-batch', { commands: [motor] }, call), 'forbidden')
  const admins = at.gateway.registry.operations.find(
    ({ kind, access, ...one }) => kind === 'command' && access === 'admin' && !('live' in one && one.live),
  )!
  await fails(
    at.call('jobs.execute-batch', { commands: [{ command: admins.id }] }, { actor: actor('engineer') }),
    'forbidden',
    /access level "admin"/,
  )
})
