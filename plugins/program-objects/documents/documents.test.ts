import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calleesOf } from './documents.ts'

test('functions and instance data blocks are looked up by the names in a text, not searched in the program', () => {
  const asked: string[] = []
  const instances: Readonly<Record<string, string>> = { TANK_DB: 'Tank', 'A&B': 'Pair', PUMP_DB: 'Pump' }
  const functions = ['SCALE']
  const contributor = {
    objects: () => assert.fail('the whole program is gone through'),
    symbols: () => assert.fail('the whole program is gone through'),
    find(_ctx: unknown, _device: unknown, name: string) {
      asked.push(name)
      const instanceOf = instances[name.toUpperCase()]
      if (functions.includes(name.toUpperCase())) return { stored: { kind: 'FC' } }
      return instanceOf === undefined ? undefined : { stored: { kind: 'InstanceDB', instanceOf } }
    },
  }
  const ctx = { read: () => new Map([['1', { id: '1' }]]), extensions: () => [contributor, {}] }
  const texts = [
    '"Tank_DB"(fill := TRUE);\nPump_DB (); IF (#x) THEN "Tank_DB"(); "Scale"(); END_IF;',
    '<Component Name="A&amp;B" />',
  ]
  assert.deepEqual(calleesOf(ctx as unknown as Parameters<typeof calleesOf>[0], '1', texts), {
    TANK_DB: { kind: 'FB', name: 'Tank' },
    PUMP_DB: { kind: 'FB', name: 'Pump' },
    SCALE: { kind: 'FC' },
    'A&B': { kind: 'FB', name: 'Pair' },
  })
  assert.deepEqual(asked, ['Tank_DB', 'Pump_DB', 'IF', 'Scale', 'A&B'])
  assert.deepEqual(calleesOf(ctx as unknown as Parameters<typeof calleesOf>[0], 'another', texts), {})
})
