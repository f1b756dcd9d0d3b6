/**
 * A model of undo and redo: whatever was done, taking all of it back gives the state before, doing it again the state
 * after.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../core/index.ts'
import { contentHash } from '../../test/content-hash.ts'
import { fbSource, openPlant } from '../../test/plant.ts'

type Action = readonly [operation: string, input: Record<string, unknown>]

const name = fc.constantFrom(...'ABCDEFGHIJKL')
const device = fc.constantFrom('PLC_1', 'PLC_2')
const folder = fc.constantFrom('', 'X', 'X/Y', 'Z')
const on = <T>(operation: string, input: fc.Arbitrary<T>): fc.Arbitrary<Action> =>
  input.map((one) => [operation, one as Record<string, unknown>] as const)
const d = { deviceName: device }

/** Commands of several plugins, with names that meet. Those that the gateway refuses count for nothing. */
const action: fc.Arbitrary<Action> = fc.oneof(
  on('devices.add', fc.record({ orderNumber: fc.constant('6ES7 518-4AX00-1AC0'), name: device })),
  { weight: 1, arbitrary: on('devices.delete', fc.record(d)) },
  on('devices.rename', fc.record({ deviceName: device, newName: device })),
  on('devices.configure-network', fc.record({ ...d, ipAddress: fc.constantFrom('192.168.0.1', '192.168.0.2') })),
  {
    weight: 4,
    arbitrary: on('tags.add', fc.record({ ...d, name, dataType: fc.constantFrom('Bool', 'Int'), comment: name })),
  },
  on('tags.create-table', fc.record({ ...d, name, folder })),
  on('tags.delete-table', fc.record({ ...d, tableName: name, force: fc.constant(true) })),
  on(
    'tags.delete',
    fc.record({ ...d, tableName: fc.constant('Default tag table'), tagName: name, force: fc.constant(true) }),
  ),
  on('tags.update', fc.record({ ...d, tableName: fc.constant('Default tag table'), tagName: name, newName: name })),
  on('types.create', fc.record({ ...d, name, folder, members: fc.constant([{ name: 'on', dataType: 'Bool' }]) })),
  on('types.rename', fc.record({ ...d, udtName: name, newName: name })),
  on('types.delete', fc.record({ ...d, udtName: name, force: fc.constant(true) })),
  {
    weight: 4,
    arbitrary: on(
      'blocks.import',
      fc
        .tuple(device, name, fc.integer({ min: 0, max: 9 }))
        .map(([deviceName, one, n]) => ({ deviceName, content: fbSource(one, `#out := ${n};`) })),
    ),
  },
  on('blocks.create', fc.record({ ...d, name, folder, type: fc.constant('FC'), language: fc.constant('SCL') })),
  on('blocks.rename', fc.record({ ...d, blockName: name, newName: name })),
  on('blocks.delete', fc.record({ ...d, blockName: name, force: fc.constant(true) })),
  on('blocks.create-folder', fc.record({ ...d, path: fc.constantFrom('X', 'X/Y', 'Q') })),
  on('watch-tables.create', fc.record({ ...d, name, folder })),
  on('watch-tables.add-entries', fc.record({ ...d, tableName: name, address: fc.constant('%M0.0') })),
  on('watch-tables.delete', fc.record({ ...d, tableName: name })),
  on('projects.simulation-support', fc.record({ enabled: fc.boolean() })),
)

/** `GANTRY_RUNS=1000` is a long form. */
const most = Number(process.env.GANTRY_RUNS ?? 120)

test(`${most} random commands are taken back one by one and together, and done again`, async (t) => {
  const actions = fc.sample(action, 10 * most)
  let plant = await openPlant(t)
  await plant.call('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_2' })
  const hashOf = () => contentHash(plant.gateway.state)
  const { mark } = await plant.call<{ mark: number }>('history.undoable')
  /** After each command that changed something. */
  const states = [hashOf()]
  const done = new Set<string>()
  for (const [operation, input] of actions) {
    if (states.length > most) break
    const steps = (await plant.gateway.jobs.steps.all()).length
    await plant.call(operation, input).then(
      () => done.add(operation.split('.')[0]!),
      (error) => assert.ok(isGatewayError(error) && error.code !== 'internal_error', `${operation}: ${String(error)}`),
    )
    if ((await plant.gateway.jobs.steps.all()).length > steps) states.push(hashOf())
  }
  assert.equal(states.length, most + 1)
  assert.ok(done.size >= 6, [...done].join())

  const back = async () => {
    for (const state of [...states].reverse().slice(1)) {
      await plant.call('history.undo')
      assert.equal(hashOf(), state)
    }
  }
  const forth = async () => {
    for (const state of states.slice(1)) {
      await plant.call('history.redo')
      assert.equal(hashOf(), state)
    }
  }
  await back()
  await forth()
  await plant.call('history.undo', { since: mark })
  assert.equal(hashOf(), states[0])
  await plant.call('history.redo')
  assert.equal(hashOf(), states.at(-1))

  // What the log says is the same: folded from its beginning, and taken back by a gateway that knows only the log.
  plant = await plant.restart()
  assert.equal(hashOf(), states.at(-1))
  const { data } = await import('../../core/audit/audit.ts').then(async ({ stateAt }) => {
    const { coreSlice } = await import('../../core/access/settings.ts')
    const slices = [{ name: 'core', slice: coreSlice }, ...plant.gateway.plugins.map(({ plugin }) => plugin)]
    return { data: await stateAt(plant.gateway.store, slices, plant.gateway.sessionSeq - 2) }
  })
  assert.equal(contentHash(data), states.at(-1))
  await plant.call('history.undo', { since: mark })
  assert.equal(hashOf(), states[0])
  await plant.call('history.redo')
  assert.equal(hashOf(), states.at(-1))
})
