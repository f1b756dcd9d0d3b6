import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openStore } from '../../store/index.ts'
import { openPlant } from '../../test/plant.ts'
import { pageOf } from '../program-objects/index.ts'
import { overlapsWith, overlapTexts } from './addresses.ts'
import { overlapWarningsOf } from './overlap-warnings.ts'
import { tagCells } from './tag-cells.ts'
import { type NameHolder, nameKey, tagNames } from './tag-names.ts'
import { pageOfTags, tableKey, tagTables } from './tag-table.ts'

const on = { deviceName: 'PLC_1' }
const tableName = fc.constantFrom('Default tag table', 'A', 'B')
const name = fc.constantFrom('one', 'two', 'three', 'Four')
/** Bits, bytes, and strings of each size of cells; neighbours and such that share memory. */
const place = fc.constantFrom(
  ...[
    ['Bool', '%M0.0'],
    ['Bool', '%M7.7'],
    ['Bool', '%M511.0'],
    ['Bool', '%I0.0'],
    ['Byte', '%MB7'],
    ['Byte', '%MB8'],
  ],
  ...[
    ['Word', '%MW7'],
    ['LReal', '%M4.0'],
    ['String', '%M0.0'],
    ['WString[300]', '%M6.0'],
    ['Timer', '%T7'],
  ],
  ...[
    ['Real', ''],
    ['Word', '%MW511'],
    ['WString', '%M0.0'],
    ['Timer', '%T64'],
  ],
)
const typed = place.map(([dataType = '', logicalAddress = '']) => ({ dataType, logicalAddress }))
const step = fc.oneof(
  fc.record({ id: fc.constant('tags.create-table'), name: tableName }),
  fc.record({ id: fc.constant('tags.update-table'), tableName, newName: fc.constantFrom('A', 'B', 'a', 'C') }),
  fc.record({ id: fc.constant('tags.delete-table'), tableName, force: fc.constant(true) }),
  fc.record({ id: fc.constant('tags.add'), tableName, name, typed }),
  fc.record({ id: fc.constant('tags.add'), tableName, name, typed }),
  fc.record({ id: fc.constant('tags.update'), tableName, tagName: name, newName: fc.constantFrom('ONE', 'five') }),
  fc.record({ id: fc.constant('tags.update'), tableName, tagName: name, typed }),
  fc.record({ id: fc.constant('history.undo') }),
  fc.record({ id: fc.constant('history.redo') }),
  fc.record({ id: fc.constant('tags.delete'), tableName, tagName: name, force: fc.constant(true) }),
  fc.record({ id: fc.constant('tags.create-constant'), tableName, constantName: name, value: fc.constant('1') }),
  fc.record({ id: fc.constant('tags.delete-constant'), tableName, constantName: name, force: fc.constant(true) }),
  fc.record({
    id: fc.constant('tags.import'),
    overwrite: fc.constant(true),
    tags: fc
      .uniqueArray(fc.record({ name, typed }), { maxLength: 3, selector: (one) => one.name })
      .map((tags) => tags.map((one) => ({ name: one.name, ...one.typed }))),
    tableName,
  }),
)

test('names and places of tags are those of the rows after any change, an undo, and a restart', async (t) => {
  let gateway = await openPlant(t)
  const done = new Set<string>()
  let several = 0
  const check = () => {
    const { read } = gateway.gateway.state
    const names = new Map<string, NameHolder>()
    const rows = []
    for (const table of read(tagTables).values()) {
      const key = tableKey(table.deviceId, table.name)
      for (const tag of table.tags) names.set(nameKey(table.deviceId, tag.name), { table: key, kind: 'tag' })
      for (const one of table.constants) names.set(nameKey(table.deviceId, one.name), { table: key, kind: 'constant' })
      rows.push(...table.tags.map((tag) => ({ name: tag.name, tag, table })))
    }
    assert.deepEqual(new Map(read(tagNames).entries()), names)
    const [device] = [...read(tagTables).values()].map(({ deviceId }) => deviceId)
    for (const request of [{}, { limit: 2 }, { limit: 1, cursor: 'one' }, { q: 'O', limit: 2 }])
      assert.deepEqual(pageOfTags({ read }, device ?? '', request), pageOf(rows, request))
    const inCells = [...read(tagCells).values()].flatMap((cell) => cell.rows.map((row) => row.name))
    assert.deepEqual(new Set(inCells), new Set(rows.flatMap(({ tag }) => (tag.logicalAddress === '' ? [] : tag.name))))
    const placed = rows.map(({ tag, table }) => ({ tag, tableName: table.name }))
    for (const one of placed) {
      const wanted = overlapTexts(overlapsWith(one, placed, 1000))
      assert.deepEqual(overlapWarningsOf({ read }, { id: device ?? '' }, one.tag), wanted)
      if (wanted.length > 1) several++
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      for (const { id, typed: more, ...input } of steps as readonly { id: string; typed?: object }[]) {
        const isHistory = id.startsWith('history.')
        await gateway.call(id, isHistory ? {} : { ...on, ...input, ...more }).then(
          () => done.add(id),
          (error) => assert.notEqual(error.code, 'internal_error', error.message),
        )
        check()
      }
    }),
    { numRuns: 30 },
  )
  // Most kinds of change were accepted; which ones depends on the random steps.
  assert(done.size >= 8, [...done].join())
  assert(several > 0, 'no tag shared memory with two others')
  gateway = await gateway.restart()
  check()
})

test('places of tags are made of the log in a data directory that has none', async (t) => {
  const at = await openPlant(t)
  const add = (name: string, logicalAddress: string, dataType: string) =>
    at.call('tags.add', { ...on, name, logicalAddress, dataType })
  await add('Word', '%MW0', 'Word')
  await add('Bit', '%M1.0', 'Bool')
  await add('Gone', '%M0.7', 'Bool')
  await at.call('history.undo')
  await at.call('tags.update', { ...on, tableName: 'Default tag table', tagName: 'Bit', logicalAddress: '%M2.0' })
  await at.call('history.undo')
  const places = [...at.gateway.state.read(tagCells).entries()]
  await at.call('system.checkpoint')
  await at.gateway.close()
  // The checkpoint of the version before.
  const store = await openStore({ dir: join(at.dir, 'data/store') })
  const { seq, parts } = (await store.checkpoints.newest())!
  const head = parts.get('head') as { readonly slices: object }
  parts.set('head', { ...head, slices: { ...head.slices, tags: 2 } })
  assert.ok(parts.delete('tags.cells#0'))
  await store.checkpoints.write(seq, parts)
  await store.close()
  const again = await at.restart()
  assert.deepEqual([...again.gateway.state.read(tagCells).entries()], places)
  const { warnings } = await again.call('tags.add', { ...on, name: 'Byte', dataType: 'Byte', logicalAddress: '%MB1' })
  assert.deepEqual(warnings, [
    '"Byte" (%MB1, table "Default tag table") overlaps "Word" (%MW0, table "Default tag table")',
    '"Byte" (%MB1, table "Default tag table") overlaps "Bit" (%M1.0, table "Default tag table")',
  ])
})

test('tags that share memory are told in the order of the rows, whenever each got its address', async (t) => {
  const { call } = await openPlant(t)
  const table = { ...on, tableName: 'Default tag table' }
  await call('tags.import', { ...table, tags: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, dataType: 'Byte' })) })
  await call('tags.create-table', { ...on, name: 'Second' })
  const move = (tagName: string, logicalAddress: string) => call('tags.update', { ...table, tagName, logicalAddress })
  await move('e', '%MB0')
  await move('b', '%MB1')
  await move('d', '%MB1')
  await call('tags.delete', { ...table, tagName: 'a', force: true })
  await move('c', '%MB1')
  await call('tags.add', { ...on, tableName: 'Second', name: 'f', dataType: 'Int', logicalAddress: '%MW2' })
  await call('tags.add', { ...table, name: 'g', dataType: 'Byte', logicalAddress: '%MB2' })
  await move('e', '%MB3')
  const { warnings } = await call<{ warnings: string[] }>('tags.add', {
    ...{ ...on, tableName: 'Second', name: 'Wide', dataType: 'DWord', logicalAddress: '%MD0' },
  })
  const inside = '"b" (%MB1), "c" (%MB1), "d" (%MB1), "e" (%MB3), "g" (%MB2) and "f" (%MW2)'
  assert.deepEqual(warnings, [`6 tags share memory with "Wide" (%MD0, table "Second"): ${inside}`])
})
