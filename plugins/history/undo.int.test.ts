/** Undo and redo through a gateway, by what other operations answer afterwards. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, type TestGateway } from '../../test/harness.ts'
import { withDownload } from '../../test/online.ts'
import { fails, fbSource, openPlant } from '../../test/plant.ts'

interface Done {
  jobs: { jobId: string; command: string; group?: string }[]
  changed: number
  objects: string[]
  warnings: string[]
}
interface Command {
  jobId: string
  command: string
  group?: string
  kind: string
  canUndo: boolean
  canRedo: boolean
  takenBackBy?: string
  reason?: string
  code?: string
  laterJobs?: { jobId: string; command: string }[]
  remains: string[]
  objects: string[]
}
interface Undoable {
  commands: Command[]
  total: number
  nextCursor?: string
  mark: number
  undo?: string
  redo?: string
}

const plc = { deviceName: 'PLC_1' }
const undoable = (at: TestGateway, input = {}) => at.call<Undoable>('history.undoable', input)
const blockNames = async (at: TestGateway) =>
  (await at.call<{ blocks: { name: string }[] }>('blocks.list', plc)).blocks.map(({ name }) => name).sort()
const put = (at: TestGateway, name: string, statement: string) =>
  at.call('blocks.import', { ...plc, content: fbSource(name, statement) })
const textOf = async (at: TestGateway, blockName: string) =>
  JSON.stringify(await at.call('blocks.content', { ...plc, blockName, view: 'text' }))
/** The job of the last command. */
const lastJob = async (at: TestGateway) => (await undoable(at, { limit: 1 })).commands[0]!.jobId

test('the last command is taken back and done again, as commands with events of their own', async (t) => {
  const at = await openPlant(t)
  await put(at, 'Pump', '#out := 1;')
  await put(at, 'Pump', '#out := 2;')
  const job = await lastJob(at)
  const before = at.gateway.store.log.durableSeq
  const done = await at.call<Done>('history.undo')
  assert.deepEqual([done.jobs.map(({ jobId }) => jobId), done.objects], [[job], ['block/PLC_1/Pump']])
  assert.match(await textOf(at, 'Pump'), /:= 1;/)
  assert.ok(at.gateway.store.log.durableSeq > before, 'the log grows')
  const { entries } = await at.call<{ entries: { type: string; operation: string }[] }>('audit.list', {
    entity: 'block/PLC_1/Pump',
    limit: 1,
  })
  assert.deepEqual([entries[0]!.type, entries[0]!.operation], ['core.entity-undone', 'history.undo'])
  await at.call('history.redo')
  assert.match(await textOf(at, 'Pump'), /:= 2;/)
  await at.call('history.undo')
  await at.call('history.undo')
  assert.deepEqual(await blockNames(at), [])
  await at.call('history.redo')
  assert.match(await textOf(at, 'Pump'), /:= 1;/)
  await at.call('history.redo')
  assert.match(await textOf(at, 'Pump'), /:= 2;/)
  await fails(at.call('history.redo'), 'nothing_to_undo')
})

test('a dry run shows the undo and changes nothing; something else after an undo ends the redo', async (t) => {
  const at = await openPlant(t)
  await put(at, 'Pump', '#out := 1;')
  const { result, events } = await at.call<{ result: Done; events: { type: string }[] }>('history.undo', {
    dryRun: true,
  })
  assert.equal(result.jobs[0]!.command, 'blocks.import')
  assert.equal(events[0]!.type, 'core.undone')
  assert.deepEqual(await blockNames(at), ['Pump'])
  await at.call('history.undo')
  const undone = await lastJob(at)
  await at.call('blocks.create', { ...plc, name: 'Valve', type: 'FC', language: 'SCL' })
  const error = await fails(at.call('history.redo'), 'nothing_to_undo', /something else was done: blocks\.create/)
  assert.match(String(error.details.suggestion), new RegExp(undone))
  await at.call('history.redo', { jobId: undone })
  assert.deepEqual(await blockNames(at), ['Pump', 'Valve'])
})

test('an undo that later work depends on is refused and names the work', async (t) => {
  const at = await openPlant(t)
  await put(at, 'Pump', '#out := 1;')
  const first = await lastJob(at)
  await at.call('blocks.create-folder', { ...plc, path: 'Drives' })
  const folder = await lastJob(at)
  await put(at, 'Pump', '#out := 2;')
  const second = await lastJob(at)
  const { commands } = await undoable(at)
  const told = commands.find(({ jobId }) => jobId === first)!
  assert.deepEqual(
    [told.canUndo, told.code, told.laterJobs?.map(({ jobId }) => jobId)],
    [false, 'undo_conflict', [second]],
  )
  const error = await fails(
    at.call('history.undo', { jobId: first }),
    'undo_conflict',
    /block "Pump" was changed, by job/,
  )
  assert.deepEqual(
    (error.details.extra as { laterJobs: Command[] }).laterJobs.map(({ jobId, command }) => [jobId, command]),
    [[second, 'blocks.import']],
  )
  // What goes must not leave behind what was put into it.
  await at.call('blocks.create', { ...plc, name: 'Drive', type: 'FC', language: 'SCL', folder: 'Drives' })
  await fails(
    at.call('history.undo', { jobId: folder }),
    'undo_conflict',
    /block "Drive" is in a folder that would go, by job .*blocks\.create/,
  )
  assert.equal((await at.call<{ blocks: unknown[] }>('blocks.list', plc)).blocks.length, 2)
  // Changed and changed back: nothing stands in the way any more.
  await at.call('history.undo', { jobId: second })
  await at.call('history.undo', { jobId: first })
  assert.deepEqual(await blockNames(at), ['Drive'])
})

test('a device does not go with what later work put into it, and nothing comes back into a device that is gone', async (t) => {
  const at = await openPlant(t)
  await at.call('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_2' })
  const added = await lastJob(at)
  await at.call('blocks.create', { deviceName: 'PLC_2', name: 'Drive', type: 'FC', language: 'SCL' })
  await fails(
    at.call('history.undo', { jobId: added }),
    'undo_conflict',
    /block "Drive" is in it, by job .*blocks\.create/,
  )
  await at.call('blocks.delete', { deviceName: 'PLC_2', blockName: 'Drive' })
  const deleted = await lastJob(at)
  await at.call('devices.delete', { deviceName: 'PLC_2' })
  await fails(at.call('history.undo', { jobId: deleted }), 'undo_conflict', /is gone, by job .*devices\.delete/)
  await at.call('history.undo')
  await at.call('history.undo', { jobId: deleted })
  const statuses = async () => {
    const { blocks } = await at.call<{ blocks: { name: string; compileStatus: string }[] }>('blocks.list', {
      deviceName: 'PLC_2',
    })
    return blocks.map(({ name, compileStatus }) => `${name} ${compileStatus}`)
  }
  assert.deepEqual(await statuses(), ['Drive notCompiled'])
  // What was compiled comes back with the device, also when it goes and comes again.
  await at.call('blocks.compile-device', { deviceName: 'PLC_2' })
  const compiled = await at.call('blocks.list-program-symbols', { deviceName: 'PLC_2' })
  await at.call('devices.delete', { deviceName: 'PLC_2' })
  for (const operation of ['history.undo', 'history.redo', 'history.undo']) await at.call(operation)
  assert.deepEqual(await statuses(), ['Drive success'])
  assert.deepEqual(await at.call('blocks.list-program-symbols', { deviceName: 'PLC_2' }), compiled)
})

test('a name that another object has by now is not given twice', async (t) => {
  const at = await openPlant(t)
  await at.call('blocks.create', { ...plc, name: 'Motor', type: 'FC', language: 'SCL' })
  await at.call('blocks.delete', { ...plc, blockName: 'Motor' })
  const deleted = await lastJob(at)
  await at.call('tags.add', { ...plc, name: 'Motor', dataType: 'Bool' })
  await fails(at.call('history.undo', { jobId: deleted }), 'undo_conflict', /has the name \(in table/)
})

test('a group is taken back whole, also with work of others in between that it does not touch', async (t) => {
  const at = await openPlant(t)
  const turn = { group: 'turn-1' }
  const { mark } = await undoable(at)
  await at.call('types.create', { ...plc, name: 'Motor', members: [{ name: 'on', dataType: 'Bool' }] }, turn)
  await put(at, 'Other', ';')
  await at.call('blocks.import', { ...plc, content: fbSource('Pump', '#out := 1;') }, turn)
  await at.call('blocks.import', { ...plc, content: fbSource('Pump', '#out := 2;') }, turn)
  const jobs = await at.call<{ jobs: { group?: string }[] }>('jobs.list', { limit: 2 })
  assert.equal(jobs.jobs[0]!.group, 'turn-1')
  assert.equal((await undoable(at, { group: 'turn-1' })).total, 3)
  const done = await at.call<Done>('history.undo', { thisGroup: true }, turn)
  assert.deepEqual(
    done.jobs.map(({ command }) => command),
    ['blocks.import', 'blocks.import', 'types.create'],
  )
  assert.deepEqual(await blockNames(at), ['Other'])
  assert.equal((await at.call<{ total: number }>('types.list', plc)).total, 0)
  const again = await at.call<Done>('history.redo')
  assert.equal(again.jobs.length, 3)
  assert.match(await textOf(at, 'Pump'), /:= 2;/)
  await at.call('history.undo', { since: mark })
  assert.deepEqual(await blockNames(at), [])
  await fails(at.call('history.undo', { group: 'turn-2' }), 'nothing_to_undo', /turn-2/)
  await fails(at.call('history.undo', { thisGroup: true }), 'invalid_input', /X-Group-Id/)

  // Work of others on the same object in between would be lost.
  const two = { group: 'turn-3' }
  await at.call('blocks.import', { ...plc, content: fbSource('Pump', '#out := 3;') }, two)
  await put(at, 'Pump', '#out := 4;')
  await at.call('blocks.import', { ...plc, content: fbSource('Pump', '#out := 5;') }, two)
  await fails(at.call('history.undo', { group: 'turn-3' }), 'undo_conflict', /block "Pump" was changed in between/)
})

test('what cannot be taken back says so beforehand, and an undo leaves it out only when it is told to', async (t) => {
  const { at } = await withDownload(t)
  const { commands, undo } = await undoable(at)
  assert.equal(undo, undefined)
  const [download] = commands
  assert.deepEqual(
    [download!.command, download!.canUndo, download!.code, download!.remains],
    ['online.download', false, 'cannot_undo', ['The controller keeps the program that it was given.']],
  )
  const before = await fails(at.call('history.undo'), 'cannot_undo', /online\.download.*The controller keeps/)
  assert.match(String(before.details.suggestion), /blocks\.create-folder/)
  await fails(at.call('history.undo', { jobId: download!.jobId }), 'cannot_undo')
  const done = await at.call<Done>('history.undo', { skip: true })
  assert.equal(done.jobs[0]!.command, 'blocks.create-folder')
  assert.match(done.warnings.join(), /online\.download .* was left out: The controller keeps/)
})

test('files that were written stay, and say so; a project that was opened or closed is the end', async (t) => {
  const at = await openPlant(t)
  await put(at, 'Pump', '#out := 1;')
  const job = await lastJob(at)
  await at.call('blocks.export', { ...plc, blockName: 'Pump', exportPath: 'Pump.xml' })
  await fails(
    at.call('history.undo'),
    'cannot_undo',
    /blocks\.export.*wrote or removed a file; what is on the disk stays/,
  )
  await at.call('projects.save')
  await at.call('history.undo', { jobId: job })
  assert.deepEqual(await blockNames(at), [])
  // The files have the block still: the project differs from them.
  const { isModified } = (await at.call<{ projects: { isModified: boolean }[] }>('projects.list')).projects[0]!
  assert.equal(isModified, true)
  assert.ok((await readdir(join(at.dir, 'workspace'))).includes('Pump.xml'))
  await at.call('projects.close', { force: true })
  await fails(at.call('history.undo'), 'cannot_undo', /It opened or closed a project/)
  await fails(at.call('history.redo', { jobId: job }), 'cannot_undo', /It opened or closed a project/)
  assert.ok((await undoable(at)).commands.every(({ canUndo, canRedo }) => !canUndo && !canRedo))
})

test('a gateway that was started anew takes back what an earlier run did', async (t) => {
  let at = await openPlant(t)
  await put(at, 'Pump', '#out := 1;')
  await put(at, 'Pump', '#out := 2;')
  const job = await lastJob(at)
  at = await at.restart()
  assert.equal((await undoable(at)).undo, job)
  await at.call('history.undo')
  at = await at.restart()
  assert.match(await textOf(at, 'Pump'), /:= 1;/)
  await at.call('history.redo')
  assert.match(await textOf(at, 'Pump'), /:= 2;/)
})

test('whoever may not do it may not take it back; mine are the commands of the caller', async (t) => {
  const at = await openPlant(t)
  await put(at, 'Pump', ';')
  await at.call('tags.add', { ...plc, name: 'T', dataType: 'Bool' }, { actor: actor('engineer', 'anna') })
  await fails(at.call('history.undo', {}, { actor: actor('viewer', 'eve') }), 'forbidden')
  await fails(at.call('history.undo', { mine: true }, { actor: actor('engineer', 'eve') }), 'nothing_to_undo')
  const done = await at.call<Done>('history.undo', { mine: true })
  assert.deepEqual(done.objects, ['block/PLC_1/Pump'])
})

test('rubbish is refused with what would be right', async (t) => {
  const at = await openPlant(t)
  await fails(at.call('history.undo', { jobId: 'J1-nothing' }), 'not_found', /J1-nothing/)
  await fails(at.call('history.undo', { jobId: 'J1-x', group: 'g' }), 'invalid_input', /comes alone/)
  await fails(at.call('history.undo', { since: -1 }), 'invalid_input')
  await put(at, 'Pump', ';')
  const done = await lastJob(at)
  await at.call('history.undo')
  const undo = await lastJob(at)
  await fails(at.call('history.undo', { jobId: done }), 'nothing_to_undo', /is taken back already/)
  await fails(at.call('history.undo', { jobId: undo }), 'nothing_to_undo', /is an undo itself/)
  await at.call('history.redo', { jobId: done })
  await fails(at.call('history.redo', { jobId: done }), 'nothing_to_undo', /is not taken back/)
  const tried = await at.call<{ jobId: string }>(
    'blocks.delete',
    { ...plc, blockName: 'Pump', dryRun: true },
    { mode: 'async' },
  )
  await at.call('jobs.get', { jobId: tried.jobId, wait: 20 })
  await fails(at.call('history.undo', { jobId: tried.jobId }), 'nothing_to_undo', /dry run/)
})

test('the list has pages and a search', async (t) => {
  const at = await openPlant(t)
  for (const name of ['A', 'B', 'C']) await at.call('tags.add', { ...plc, name, dataType: 'Bool' })
  const first = await undoable(at, { limit: 2 })
  assert.equal(first.total, 5)
  const second = await undoable(at, { limit: 2, cursor: first.nextCursor })
  assert.deepEqual(
    [...first.commands, ...second.commands].map(({ command }) => command),
    ['tags.add', 'tags.add', 'tags.add', 'devices.add'],
  )
  assert.equal((await undoable(at, { q: 'devices' })).total, 1)
})

test('commands that are partly too long ago are not taken back in part', async (t) => {
  const at = await openPlant(t)
  const { mark } = await undoable(at)
  const early = { group: 'early' }
  await at.call('tags.create-table', { ...plc, name: 'Early' }, early)
  for (let n = 0; n < 500; n++) await at.call('blocks.create-folder', { ...plc, path: `F${n}` })
  await at.call('tags.create-table', { ...plc, name: 'Late' }, early)
  const listed = await undoable(at)
  assert.deepEqual([listed.commands.length, listed.total], [50, 500])
  await fails(at.call('history.undo', { group: 'early' }), 'cannot_undo', /too long ago/)
  const { suggestion } = (await fails(at.call('history.undo', { since: mark }), 'cannot_undo', /too long ago/)).details
  const since = Number(/"since": (\d+)/.exec(String(suggestion))![1])
  const done = await at.call<Done>('history.undo', { since })
  assert.equal(done.jobs.length, 500)
  const { tagTables } = await at.call<{ tagTables: { name: string }[] }>('tags.list-tables', plc)
  assert.deepEqual(tagTables.map(({ name }) => name).sort(), ['Default tag table', 'Early'])
})
