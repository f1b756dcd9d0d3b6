import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instancesOf } from './documents.ts'

test('instance data blocks are looked up by the names in a text, not searched in the program', () => {
  const asked: string[] = []
  const instances: Readonly<Record<string, string>> = { TANK_DB: 'Tank', 'A&B': 'Pair', PUMP_DB: 'Pump' }
  const contributor = {
    objects: () => assert.fail('the whole program is gone through'),
    symbols: () => assert.fail('the whole program is gone through'),
    find(_ctx: unknown, _device: unknown, name: string) {
      asked.push(name)
      const instanceOf = instances[name.toUpperCase()]
      return instanceOf === undefined ? undefined : { stored: { kind: 'InstanceDB', instanceOf } }
    },
  }
  const ctx = { read: () => new Map([['1', { id: '1' }]]), extensions: () => [contributor, {}] }
  const texts = [
    '"Tank_DB"(fill := TRUE);\nPump_DB (); IF (#x) THEN "Tank_DB"(); END_IF;',
    '<Component Name="A&amp;B" />',
  ]
  assert.deepEqual(instancesOf(ctx as unknown as Parameters<typeof instancesOf>[0], '1', texts), {
    TANK_DB: 'Tank',
    PUMP_DB: 'Pump',
    'A&B': 'Pair',
  })
  assert.deepEqual(asked, ['Tank_DB', 'Pump_DB', 'IF', 'A&B'])
  assert.deepEqual(instancesOf(ctx as unknown as Parameters<typeof instancesOf>[0], 'another', texts), {})
})
