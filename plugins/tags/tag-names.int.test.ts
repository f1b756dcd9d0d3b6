import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openPlant } from '../../test/plant.ts'
import { pageOf } from '../program-objects/index.ts'
import { type NameHolder, nameKey, tagNames } from './tag-names.ts'
import { pageOfTags, tableKey, tagTables } from './tag-table.ts'

const on = { deviceName: 'PLC_1' }
const tableName = fc.constantFrom('Default tag table', 'A', 'B')
const name = fc.constantFrom('one', 'two', 'three', 'Four')
const step = fc.oneof(
  fc.record({ id: fc.constant('tags.create-table'), name: tableName }),
  fc.record({ id: fc.constant('tags.update-table'), tableName, newName: fc.constantFrom('A', 'B', 'a', 'C') }),
  fc.record({ id: fc.constant('tags.delete-table'), tableName, force: fc.constant(true) }),
  fc.record({ id: fc.constant('tags.add'), tableName, name }),
  fc.record({ id: fc.constant('tags.update'), tableName, tagName: name, newName: fc.constantFrom('ONE', 'five') }),
  fc.record({ id: fc.constant('tags.delete'), tableName, tagName: name, force: fc.constant(true) }),
  fc.record({ id: fc.constant('tags.create-constant'), tableName, constantName: name, value: fc.constant('1') }),
  fc.record({ id: fc.constant('tags.delete-constant'), tableName, constantName: name, force: fc.constant(true) }),
  fc.record({
    id: fc.constant('tags.import'),
    overwrite: fc.constant(true),
    tags: fc.uniqueArray(name, { maxLength: 3 }).map((names) => names.map((one) => ({ name: one, dataType: 'Bool' }))),
    tableName,
  }),
)

test('names of tags are those of the rows after any change, and after a restart', async (t) => {
  let gateway = await openPlant(t)
  const done = new Set<string>()
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
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      for (const { id, ...input } of steps) {
        await gateway.call(id, { ...on, ...input }).then(
          () => done.add(id),
          (error) => assert.notEqual(error.code, 'internal_error', error.message),
        )
        check()
      }
    }),
    { numRuns: 30 },
  )
  // Most kinds of change were accepted; which ones depends on the random steps.
  assert(done.size >= 6, [...done].join())
  gateway = await gateway.restart()
  check()
})
