/**
 * Edits of networks and members: each is tried without a trace with `dryRun`, and leaves a snapshot of what was before.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlant } from '../../../test/plant.ts'

const block = { deviceName: 'PLC_1', blockName: 'Motor' }

const EDITS: [operation: string, input: Record<string, unknown>][] = [
  ['blocks.add-networks', { expressions: '#run := #stop', title: 'third' }],
  ['blocks.update-network', { number: 1, expressions: '#run := NOT #stop' }],
  ['blocks.move-network', { number: 1, position: 2 }],
  ['blocks.delete-network', { number: 1 }],
  ['blocks.add-members', { section: 'Input', name: 'more', dataType: 'Int' }],
  ['blocks.update-member', { memberName: 'stop', newName: 'halt' }],
  ['blocks.delete-member', { memberName: 'spare' }],
]

interface Snapshot {
  readonly snapshotId: string
  readonly operation: string
}

for (const [operation, input] of EDITS)
  test(`${operation}: a trial changes nothing, the edit has a snapshot, and the block comes back from it`, async (t) => {
    const { call } = await openPlant(t)
    await call('blocks.create', {
      deviceName: 'PLC_1',
      name: 'Motor',
      type: 'FB',
      language: 'LAD',
      interface: [
        { section: 'Input', name: 'start', dataType: 'Bool' },
        { section: 'Input', name: 'stop', dataType: 'Bool' },
        { section: 'Input', name: 'spare', dataType: 'Bool' },
        { section: 'Output', name: 'run', dataType: 'Bool' },
      ],
      networks: [{ expressions: '#run := #start AND NOT #stop' }, { expressions: 'S(#run) := #start' }],
    })
    const text = async () => (await call<{ rawXml: string }>('blocks.content', block)).rawXml
    const snapshots = async () => (await call<{ snapshots: Snapshot[] }>('history.list-block', block)).snapshots
    const before = await text()
    const count = (await snapshots()).length
    await call(operation, { ...block, ...input, dryRun: true })
    assert.equal(await text(), before)
    assert.equal((await snapshots()).length, count)
    await call(operation, { ...block, ...input })
    assert.notEqual(await text(), before)
    const taken = await snapshots()
    assert.equal(taken.length, count + 1)
    const snapshot = taken.find((one) => one.operation === operation)
    assert.ok(snapshot, JSON.stringify(taken))
    await call('history.restore', { snapshotId: snapshot.snapshotId })
    assert.equal(await text(), before)
  })
