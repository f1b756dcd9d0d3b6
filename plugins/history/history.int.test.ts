/** Snapshots through a gateway: automatic ones, manual ones, and exact restores. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { defined, isGatewayError } from '../../core/index.ts'
import { actor, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { automaticLimit } from './snapshot.ts'

interface View {
  snapshotId: string
  type: string
  kind: string
  reason: string
  name: string
  deviceName: string
  createdAt: string
  contentHash: string
  operation: string
  label?: string
  comment?: string
  sameContentAs?: string
  number?: number
  tagCount?: number
  exists?: boolean
  isCurrent?: boolean
}
interface List {
  snapshots: View[]
  total: number
  nextCursor?: string
}
interface Restored {
  action: string
  name: string
  deviceName: string
  number?: number
  safetySnapshotId?: string
  warnings: string[]
}

async function failure(run: Promise<unknown>) {
  try {
    await run
  } catch (error) {
    assert.ok(isGatewayError(error), String(error))
    return error
  }
  throw new Error('it did not fail')
}

const source = (name: string, value: number) =>
  `FUNCTION "${name}" : Int\nVERSION : 0.1\nBEGIN\n\t// Step ${value}\n\t#${name} := ${value};\nEND_FUNCTION\n`

/** A gateway with a project and PLC_1. The clock advances by a second each time it is read. */
async function withPlc(t: TestContext) {
  let now = Date.UTC(2026, 0, 1)
  const at = await openTestGateway(t, { clock: () => (now += 1000) })
  const { path } = await at.call<{ path: string }>('projects.create', { name: 'Plant' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
  const advance = (ms: number) => {
    now += ms
  }
  return { at, path, advance }
}

const device = { deviceName: 'PLC_1' }
const put = (at: TestGateway, name: string, value: number) =>
  at.call('blocks.import', { ...device, content: source(name, value) })
const textOf = async (at: TestGateway, blockName: string) =>
  (await at.call<{ sourceText: string }>('blocks.source', { ...device, blockName })).sourceText
const blockList = (at: TestGateway, blockName: string, more = {}) =>
  at.call<List>('history.list-block', { ...device, blockName, ...more })
const snap = (at: TestGateway, blockName: string, more = {}) =>
  at.call<View>('history.snapshot-block', { ...device, blockName, ...more })
const restore = (at: TestGateway, snapshotId: string, more = {}) =>
  at.call<Restored>('history.restore', { snapshotId, ...more })

/** Wire names of tags, as the list of tags shows them. */
const tagsOf = async (at: TestGateway, tableName: string) =>
  (await at.call<{ tags: { name: string; dataType: string }[] }>('tags.list', { ...device, tableName })).tags

describe('manual snapshots of blocks', () => {
  test('snapshot, change, restore: byte for byte; and the restore can be undone', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const taken = await snap(at, 'calc', { label: 'good', comment: 'before the change' })
    assert.deepEqual(
      [taken.type, taken.kind, taken.name, taken.deviceName, taken.label, taken.comment],
      ['block', 'manual', 'Calc', 'PLC_1', 'good', 'before the change'],
    )
    const first = await textOf(at, 'Calc')
    await put(at, 'Calc', 2)
    const second = await textOf(at, 'Calc')
    assert.notEqual(first, second)
    const details = () => at.call<View>('history.details', { snapshotId: taken.snapshotId })
    assert.deepEqual([(await details()).exists, (await details()).isCurrent], [true, false])

    const done = await restore(at, taken.snapshotId)
    assert.deepEqual([done.action, done.name, done.warnings], ['replaced', 'Calc', []])
    assert.equal(await textOf(at, 'Calc'), first)
    assert.equal((await details()).isCurrent, true)
    assert.equal((await restore(at, taken.snapshotId)).action, 'unchanged')

    const safety = await at.call<View>('history.details', { snapshotId: done.safetySnapshotId! })
    assert.deepEqual([safety.kind, safety.reason, safety.operation], ['automatic', 'restored', 'history.restore'])
    assert.equal((await restore(at, done.safetySnapshotId!)).action, 'replaced')
    assert.equal(await textOf(at, 'Calc'), second)
  })

  test('the same content again: a snapshot of its own, marked', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const one = await snap(at, 'Calc')
    const two = await snap(at, 'Calc')
    assert.equal(two.sameContentAs, one.snapshotId)
    assert.notEqual(two.snapshotId, one.snapshotId)
    assert.equal((await blockList(at, 'Calc')).total, 2)
    const stats = await at.call<{ totalSnapshots: number; distinctContents: number }>('history.stats')
    assert.deepEqual([stats.totalSnapshots, stats.distinctContents], [2, 1])
  })

  test('create-snapshot and load-snapshot: back to what was kept, however many changes came after', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const first = await textOf(at, 'Calc')
    const load = (more = {}) => at.call<Restored>('history.load-snapshot', { ...device, blockName: 'Calc', ...more })
    assert.equal((await failure(load())).code, 'not_found')
    await snap(at, 'Calc')
    await put(at, 'Calc', 2)
    await put(at, 'Calc', 3)
    assert.equal((await load()).action, 'replaced')
    assert.equal(await textOf(at, 'Calc'), first)
    await put(at, 'Other', 1)
    const other = await snap(at, 'Other')
    assert.equal((await failure(load({ snapshotId: other.snapshotId }))).code, 'conflict')
    assert.equal((await failure(load({ snapshotId: 'none' }))).code, 'not_found')
  })

  test('what does not exist is named', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    assert.equal((await failure(snap(at, 'Clac'))).details.suggestion, 'Calc')
    assert.equal((await failure(blockList(at, 'Clac'))).details.suggestion, 'Calc')
    assert.deepEqual(await blockList(at, 'Calc'), { snapshots: [], total: 0 })
    for (const id of ['history.details', 'history.content', 'history.diff', 'history.delete', 'history.restore'])
      assert.equal((await failure(at.call(id, { snapshotId: 'none' }))).code, 'not_found', id)
    const unknown = at.call('history.list-block', { deviceName: 'PCL_1', blockName: 'Calc' })
    assert.equal((await failure(unknown)).details.suggestion, 'PLC_1')
    assert.equal((await failure(at.call('history.snapshot-tags', { ...device, tableName: 'x' }))).code, 'not_found')
    const { snapshotId } = await snap(at, 'Calc')
    await at.call('history.delete', { snapshotId })
    assert.equal((await failure(at.call('history.delete', { snapshotId }))).code, 'not_found')
  })

  test('access: a viewer reads, an engineer changes', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const { snapshotId } = await snap(at, 'Calc')
    const viewer = { actor: actor('viewer') }
    await at.call('history.content', { snapshotId }, viewer)
    for (const id of ['history.restore', 'history.delete'])
      assert.equal((await failure(at.call(id, { snapshotId }, viewer))).code, 'forbidden')
  })
})

describe('automatic snapshots of blocks', () => {
  test('every change keeps what there was, once for a command, and not what is kept already', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    assert.equal((await blockList(at, 'Calc')).total, 0)
    await put(at, 'Calc', 1)
    assert.equal((await blockList(at, 'Calc')).total, 0)
    const first = await textOf(at, 'Calc')
    await put(at, 'Calc', 2)
    const [kept] = (await blockList(at, 'Calc')).snapshots
    assert.deepEqual([kept?.kind, kept?.reason, kept?.operation], ['automatic', 'changed', 'blocks.import'])
    await restore(at, kept!.snapshotId)
    assert.equal(await textOf(at, 'Calc'), first)
    // The restore has stored 2; equal contents that follow each other have one snapshot.
    const hashes = (await blockList(at, 'Calc')).snapshots.map(({ contentHash }) => contentHash)
    for (const [i, hash] of hashes.entries()) assert.notEqual(hash, hashes[i + 1])
  })

  test('a failed and a dry run keep nothing', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const bad = at.call('blocks.import', { ...device, content: 'FUNCTION "Calc" : Int\nBEGIN\nEND_FUNCTIO\n' })
    assert.equal((await failure(bad)).code, 'unacceptable_content')
    const answer = await at.call<{ events: { type: string }[] }>('blocks.import', {
      ...device,
      content: source('Calc', 2),
      dryRun: true,
    })
    assert.deepEqual(
      answer.events.map(({ type }) => type),
      ['blocks.changed', 'history.snapshot-taken'],
    )
    assert.equal((await blockList(at, 'Calc')).total, 0)
  })

  test('a deleted block is found by its name and comes back with number and folder', async (t) => {
    const { at } = await withPlc(t)
    await at.call('blocks.import', { ...device, content: source('Calc', 1), folder: 'Math/Simple' })
    const before = await at.call<{ number: number; folder: string }>('blocks.content', { ...device, blockName: 'Calc' })
    const text = await textOf(at, 'Calc')
    await at.call('blocks.delete', { ...device, blockName: 'Calc' })
    const [kept] = (await blockList(at, 'CALC')).snapshots
    assert.equal(kept?.reason, 'deleted')
    assert.equal((await at.call<View>('history.details', { snapshotId: kept!.snapshotId })).exists, false)
    assert.equal((await restore(at, kept!.snapshotId)).action, 'recreated')
    const after = await at.call<{ number: number; folder: string }>('blocks.content', { ...device, blockName: 'Calc' })
    assert.deepEqual([after.number, after.folder], [before.number, before.folder])
    assert.equal(await textOf(at, 'Calc'), text)
  })

  test('a number that is taken meanwhile is told', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    await at.call('blocks.delete', { ...device, blockName: 'Calc' })
    await put(at, 'Other', 1)
    const [kept] = (await blockList(at, 'Calc')).snapshots
    const done = await restore(at, kept!.snapshotId)
    assert.notEqual(done.number, kept!.number)
    assert.match(done.warnings[0] ?? '', /Number \d+ of "Calc" is taken/)
  })

  test('a renamed block has its old snapshots; a restore makes it anew beside it', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const { snapshotId } = await snap(at, 'Calc')
    await at.call('blocks.rename', { ...device, blockName: 'Calc', newName: 'Sum' })
    assert.ok((await blockList(at, 'Sum')).snapshots.some((one) => one.snapshotId === snapshotId))
    assert.ok((await blockList(at, 'Calc')).snapshots.some((one) => one.snapshotId === snapshotId))
    assert.equal((await restore(at, snapshotId)).action, 'recreated')
    const { blocks } = await at.call<{ blocks: { name: string }[] }>('blocks.list', device)
    assert.deepEqual(blocks.map(({ name }) => name).sort(), ['Calc', 'Sum'])
    // They are now two blocks: the history of one does not contain changes of the other.
    const before = (await blockList(at, 'Sum')).total
    await put(at, 'Calc', 5)
    assert.equal((await blockList(at, 'Sum')).total, before)
    await at.call('projects.save')
  })

  test('the history of a renamed block is one list, by its name now and by each it had', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    await put(at, 'Calc', 2)
    await at.call('blocks.rename', { ...device, blockName: 'Calc', newName: 'Sum' })
    await put(at, 'Sum', 3)
    await at.call('blocks.rename', { ...device, blockName: 'Sum', newName: 'Total' })
    await put(at, 'Total', 4)
    const idsOf = async (name: string) => (await blockList(at, name)).snapshots.map(({ snapshotId }) => snapshotId)
    const whole = await idsOf('Total')
    assert.ok(whole.length >= 4)
    assert.deepEqual(await idsOf('Sum'), whole)
    assert.deepEqual(await idsOf('Calc'), whole)
  })

  test('the name is taken by something else: the restore says by what', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    await at.call('blocks.delete', { ...device, blockName: 'Calc' })
    await at.call('types.create', { ...device, name: 'Calc', members: [{ name: 'a', dataType: 'Int' }] })
    const [kept] = (await blockList(at, 'Calc')).snapshots
    assert.equal((await failure(restore(at, kept!.snapshotId))).code, 'name_taken')
  })

  test('a deleted device: everything on it is kept, and can be brought back on another one', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    await put(at, 'Other', 1)
    await at.call('tags.add', { ...device, name: 'Run', dataType: 'Bool', logicalAddress: '%M0.0' })
    await at.call('devices.delete', device)
    const { snapshots } = await at.call<List>('history.list', { deviceName: 'PLC_1' })
    const gone = snapshots.filter(({ reason }) => reason === 'device-deleted')
    assert.deepEqual(gone.map(({ name, reason }) => `${name}: ${reason}`).sort(), [
      'Calc: device-deleted',
      'Default tag table: device-deleted',
      'Other: device-deleted',
    ])
    const calc = snapshots.find(({ name }) => name === 'Calc')!
    assert.equal((await failure(restore(at, calc.snapshotId))).code, 'not_found')
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_9' })
    const done = await restore(at, calc.snapshotId, { deviceName: 'PLC_9' })
    assert.deepEqual([done.action, done.deviceName], ['recreated', 'PLC_9'])
    // A new device with the old name is found as the same device.
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
    assert.equal((await blockList(at, 'Calc')).total, 1)
    assert.equal((await restore(at, calc.snapshotId)).deviceName, 'PLC_1')
  })

  test('a renamed device keeps the history of its blocks', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const { snapshotId } = await snap(at, 'Calc')
    await put(at, 'Calc', 2)
    await at.call('blocks.delete', { ...device, blockName: 'Calc' })
    await at.call('devices.rename', { deviceName: 'PLC_1', newName: 'Line' })
    const { snapshots } = await at.call<List>('history.list-block', { deviceName: 'Line', blockName: 'Calc' })
    assert.equal(snapshots.length, 2)
    assert.equal((await restore(at, snapshotId)).deviceName, 'Line')
  })

  test(`of one block the newest ${automaticLimit} are kept; manual ones stay`, async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 0)
    const manual = await snap(at, 'Calc')
    for (let i = 1; i <= automaticLimit + 5; i++) await put(at, 'Calc', i)
    assert.equal((await blockList(at, 'Calc', { kind: 'automatic' })).total, automaticLimit)
    const { snapshots } = await blockList(at, 'Calc', { kind: 'manual' })
    assert.deepEqual(
      snapshots.map(({ snapshotId }) => snapshotId),
      [manual.snapshotId],
    )
  })

  test('an import that replaces many blocks keeps each', async (t) => {
    const { at } = await withPlc(t)
    const many = (value: number) => Array.from({ length: 300 }, (_, i) => source(`F${i}`, value)).join('\n')
    await at.call('blocks.import', { ...device, content: many(1) })
    assert.equal((await at.call<List>('history.list')).total, 0)
    await at.call('blocks.import', { ...device, content: many(2) })
    const { snapshots } = await at.call<List>('history.list')
    assert.equal(new Set(snapshots.map(({ name }) => name)).size, 300)
    assert.equal(snapshots.length, 300)
  })
})

describe('snapshots of tag tables', () => {
  const tag = (at: TestGateway, name: string, more = {}) =>
    at.call('tags.add', { ...device, tableName: 'Motors', name, dataType: 'Bool', ...more })

  async function withTable(t: TestContext) {
    const made = await withPlc(t)
    await made.at.call('tags.create-table', { ...device, name: 'Motors' })
    await tag(made.at, 'M1', { logicalAddress: '%Q0.0', comment: 'Pump' })
    await tag(made.at, 'M2', { logicalAddress: '%Q0.1' })
    await made.at.call('tags.create-constant', {
      ...device,
      tableName: 'Motors',
      name: 'Limit',
      dataType: 'Int',
      value: '5',
    })
    made.advance(120_000)
    return made
  }
  const tableList = (at: TestGateway, more = {}) =>
    at.call<List>('history.list-tags', { ...device, tableName: 'Motors', ...more })

  test('snapshot, change, restore', async (t) => {
    const { at } = await withTable(t)
    const before = await tagsOf(at, 'Motors')
    const taken = await at.call<View>('history.snapshot-tags', { ...device, tableName: 'motors', label: 'ok' })
    assert.deepEqual([taken.type, taken.name, taken.tagCount, taken.label], ['tag-table', 'Motors', 2, 'ok'])
    await at.call('tags.delete', { ...device, tableName: 'Motors', tagName: 'M1' })
    await tag(at, 'M3')
    assert.equal((await at.call<View>('history.details', { snapshotId: taken.snapshotId })).isCurrent, false)
    const done = await restore(at, taken.snapshotId)
    assert.equal(done.action, 'replaced')
    assert.deepEqual(await tagsOf(at, 'Motors'), before)
    assert.equal((await at.call<View>('history.details', { snapshotId: taken.snapshotId })).isCurrent, true)
    assert.equal((await restore(at, taken.snapshotId)).action, 'unchanged')
    assert.equal((await restore(at, done.safetySnapshotId!)).action, 'replaced')
    assert.deepEqual((await tagsOf(at, 'Motors')).map(({ name }) => name).sort(), ['M2', 'M3'])
  })

  test('its content: rows and constants', async (t) => {
    const { at } = await withTable(t)
    const { snapshotId } = await at.call<View>('history.snapshot-tags', { ...device, tableName: 'Motors' })
    const content = await at.call<{
      format: string
      text: string
      tags: Record<string, unknown>[]
      constants: Record<string, unknown>[]
    }>('history.content', { snapshotId })
    assert.equal(content.format, 'tag-table')
    assert.deepEqual(
      content.tags.map(({ name, dataType, logicalAddress, comment }) => [name, dataType, logicalAddress, comment]),
      [
        ['M1', 'Bool', '%Q0.0', 'Pump'],
        ['M2', 'Bool', '%Q0.1', ''],
      ],
    )
    assert.deepEqual(
      content.constants.map(({ name, value }) => [name, value]),
      [['Limit', '5']],
    )
    assert.match(content.text, /^"M1" AT %Q0\.0 : Bool;.*\/\/ Pump$/m)
    assert.match(content.text, /^CONSTANT "Limit" : Int := 5;$/m)
  })

  test('row edits within a minute share one automatic snapshot, of before the first', async (t) => {
    const { at, advance } = await withTable(t)
    const earlier = (await tableList(at)).total
    const before = (await tagsOf(at, 'Motors')).length
    for (const name of ['A', 'B', 'C']) await tag(at, name)
    const { snapshots, total } = await tableList(at)
    assert.equal(total, earlier + 1)
    assert.deepEqual(
      [snapshots[0]?.kind, snapshots[0]?.reason, snapshots[0]?.tagCount],
      ['automatic', 'edited', before],
    )
    advance(61_000)
    await tag(at, 'D')
    assert.equal((await tableList(at)).total, earlier + 2)
    await restore(at, snapshots[0]!.snapshotId)
    assert.equal((await tagsOf(at, 'Motors')).length, before)
  })

  test('a table without rows leaves none when it is deleted', async (t) => {
    const { at } = await withPlc(t)
    await at.call('tags.create-table', { ...device, name: 'Empty' })
    await at.call('tags.delete-table', { ...device, tableName: 'Empty' })
    assert.equal((await at.call<List>('history.list')).total, 0)
  })

  test('a deleted table comes back', async (t) => {
    const { at } = await withTable(t)
    const before = await tagsOf(at, 'Motors')
    await at.call('tags.delete-table', { ...device, tableName: 'Motors' })
    const [kept] = (await tableList(at)).snapshots
    assert.equal(kept?.reason, 'deleted')
    assert.equal((await restore(at, kept!.snapshotId)).action, 'recreated')
    assert.deepEqual(await tagsOf(at, 'Motors'), before)
  })

  test('a table whose tag name is taken by now is refused whole', async (t) => {
    const { at } = await withTable(t)
    await at.call('tags.delete-table', { ...device, tableName: 'Motors' })
    await at.call('tags.add', { ...device, name: 'm1', dataType: 'Int' })
    const [kept] = (await tableList(at)).snapshots
    const error = await failure(restore(at, kept!.snapshotId))
    assert.equal(error.code, 'name_taken')
    assert.match(error.message, /M1/)
  })
})

describe('content and difference', () => {
  test('text, source, interface', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const { snapshotId } = await snap(at, 'Calc', { comment: 'mine' })
    const content = await at.call<{
      text: string
      sourceText: string
      comment: string
      interface: { name: string }[]
      networks: unknown[]
    }>('history.content', { snapshotId })
    assert.match(content.text, /#Calc := 1;/)
    assert.equal(content.sourceText.trim(), (await textOf(at, 'Calc')).trim())
    assert.equal(content.comment, 'mine')
    assert.ok(content.interface.some(({ name }) => name === 'Ret_Val' || name === 'Calc'))
    assert.equal(content.networks.length, 1)
  })

  test('between two snapshots, and between one and now', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const one = await snap(at, 'Calc')
    await put(at, 'Calc', 2)
    const two = await snap(at, 'Calc')
    interface Diff {
      to: string
      identical: boolean
      diff: string
      added: number
      removed: number
      format: string
    }
    const compare = (more = {}) => at.call<Diff>('history.diff', { snapshotId: one.snapshotId, ...more })
    const now = await compare()
    assert.deepEqual([now.to, now.identical, now.added, now.removed, now.format], ['current', false, 2, 2, 'source'])
    assert.match(now.diff, /^-\t#Calc := 1;$/m)
    assert.match(now.diff, /^\+\t#Calc := 2;$/m)
    const between = await compare({ to: two.snapshotId })
    assert.deepEqual([between.added, between.removed], [2, 2])
    await restore(at, one.snapshotId)
    assert.deepEqual([(await compare()).identical, (await compare()).diff], [true, ''])
    await at.call('blocks.delete', { ...device, blockName: 'Calc' })
    const gone = await compare()
    assert.deepEqual([gone.added, gone.identical], [0, false])
    assert.match(gone.diff, /deleted/)
    const table = await at.call<View>('history.snapshot-tags', { ...device, tableName: 'Default tag table' })
    assert.equal((await failure(compare({ to: table.snapshotId }))).code, 'invalid_input')
  })
})

describe('lists, statistics, cleaning up', () => {
  test('pages, newest first, without gaps and repetitions, also when the last one seen is deleted', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push((await snap(at, 'Calc', { label: `n${i}` })).snapshotId)
    const first = await blockList(at, 'Calc', { limit: 3 })
    assert.deepEqual(
      first.snapshots.map(({ label }) => label),
      ['n6', 'n5', 'n4'],
    )
    assert.equal(first.total, 7)
    await at.call('history.delete', { snapshotId: first.snapshots[2]!.snapshotId })
    const second = await blockList(at, 'Calc', { limit: 3, cursor: first.nextCursor })
    assert.deepEqual(
      second.snapshots.map(({ label }) => label),
      ['n3', 'n2', 'n1'],
    )
    const third = await blockList(at, 'Calc', { limit: 3, cursor: second.nextCursor })
    assert.deepEqual([third.snapshots.map(({ label }) => label), third.nextCursor], [['n0'], undefined])
    assert.equal((await blockList(at, 'Calc', { q: 'N3' })).total, 1)
    assert.equal((await failure(blockList(at, 'Calc', { cursor: 'x' }))).code, 'invalid_input')
  })

  test('many in the same millisecond keep their order', async (t) => {
    const at = await openTestGateway(t, { clock: () => Date.UTC(2026, 0, 1) })
    await at.call('projects.create', { name: 'Plant' })
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
    await put(at, 'Calc', 1)
    for (let i = 0; i < 40; i++) await snap(at, 'Calc', { label: `${i}` })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: List = await blockList(at, 'Calc', { limit: 7, ...defined({ cursor }) })
      seen.push(...page.snapshots.map(({ label }) => label ?? ''))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, i) => `${39 - i}`),
    )
  })

  test('cleanup: by number, by age, by both; a dry run shows', async (t) => {
    const { at, advance } = await withPlc(t)
    const day = 24 * 3600 * 1000
    for (const name of ['A', 'B']) {
      await put(at, name, 1)
      for (let i = 0; i < 3; i++) await snap(at, name, { label: `${i}` })
    }
    advance(10 * day)
    await snap(at, 'A', { label: 'new' })
    const clean = (input: Record<string, unknown>) =>
      at.call<{ deleted: number; remaining: number }>('history.cleanup', input)
    assert.equal((await clean({})).deleted, 0)
    assert.equal((await clean({ olderThanDays: 11 })).deleted, 0)
    const dry = await at.call<{ result: { deleted: number } }>('history.cleanup', { olderThanDays: 5, dryRun: true })
    assert.equal(dry.result.deleted, 6)
    // Of A one of four is recent; of B the newest two are kept although they are old.
    assert.deepEqual((await clean({ keepNewest: 2, olderThanDays: 5 })).deleted, 3)
    assert.equal((await clean({ keep: 1, kind: 'automatic' })).deleted, 0)
    assert.equal((await clean({ keep: 1 })).deleted, 2)
    assert.equal((await clean({ olderThanDays: 0 })).remaining, 0)
    assert.equal((await at.call<{ totalSnapshots: number }>('history.stats')).totalSnapshots, 0)
    // Without a rule: all but the newest ten, when they are older than 30 days.
    for (let i = 0; i < 12; i++) await snap(at, 'A', { label: `${i}` })
    advance(29 * day)
    assert.equal((await clean({})).deleted, 0)
    advance(day)
    const { deleted, remaining } = await clean({})
    assert.deepEqual([deleted, remaining], [2, 10])
  })
})

describe('what snapshots outlive', () => {
  test('the closing of the project, a restart, a checkpoint', async (t) => {
    const { at, path } = await withPlc(t)
    await put(at, 'Calc', 1)
    const first = await textOf(at, 'Calc')
    const { snapshotId } = await snap(at, 'Calc')
    await put(at, 'Calc', 2)
    await at.call('projects.save')
    await at.call('projects.close')
    assert.equal((await at.call<List>('history.list')).total, 1)
    assert.match(JSON.stringify(await at.call('history.content', { snapshotId })), /Calc := 1/)
    assert.equal((await failure(restore(at, snapshotId))).code, 'no_project')
    assert.equal((await failure(blockList(at, 'Calc'))).code, 'no_project')

    const second = await at.restart()
    await second.call('projects.open', { path })
    assert.equal((await blockList(second, 'Calc')).total, 1)
    await restore(second, snapshotId)
    assert.equal(await textOf(second, 'Calc'), first)
    const third = await second.restart()
    assert.equal((await blockList(third, 'Calc')).total, 2)
  })

  test('a snapshot of another project is not restored into this one unasked', async (t) => {
    const { at } = await withPlc(t)
    await put(at, 'Calc', 1)
    const { snapshotId } = await snap(at, 'Calc')
    await at.call('projects.save')
    await at.call('projects.close')
    await at.call('projects.create', { name: 'Second', directory: join(at.dir, 'workspace') })
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
    assert.equal((await failure(restore(at, snapshotId))).code, 'conflict')
    assert.equal((await failure(blockList(at, 'Calc'))).code, 'not_found')
    assert.equal((await restore(at, snapshotId, { deviceName: 'PLC_1' })).action, 'recreated')
  })
})
