import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bool, DWord, UInt, Word } from '../../program/scalars.ts'
import type { InstanceType, Section, Type } from '../../program/type.ts'
import { array, codesOf, member, runScl } from '../../testing/runtime.ts'

const variant: Type = { kind: 'pointer', form: 'Variant' }

function block(name: string, members: readonly [string, Type, Section][]): InstanceType {
  return {
    kind: 'instance',
    name,
    isSystem: true,
    members: members.map(([one, type, section]) => member(one, type, section)),
  }
}

const send = block('TSEND', [
  ['REQ', Bool, 'Input'],
  ['ID', Word, 'Input'],
  ['DONE', Bool, 'Output'],
  ['BUSY', Bool, 'Output'],
  ['ERROR', Bool, 'Output'],
  ['STATUS', Word, 'Output'],
  ['DATA', variant, 'InOut'],
  ['REQ_OLD', Bool, 'Static'],
])
const receive = block('TRCV', [
  ['EN_R', Bool, 'Input'],
  ['ERROR', Bool, 'Output'],
  ['STATUS', Word, 'Output'],
])
const record = block('RDREC', [
  ['REQ', Bool, 'Input'],
  ['VALID', Bool, 'Output'],
  ['ERROR', Bool, 'Output'],
  ['STATUS', DWord, 'Output'],
  ['STATE', DWord, 'Static'],
  ['REQ_OLD', Bool, 'Static'],
])

test('a job to nowhere ends with its error, once for each request', () => {
  const run = runScl({
    members: { s: send, req: 'Bool', error: 'Bool', status: 'Word', data: array(0, 3, UInt) },
    body: '#s(REQ := #req, ID := 1, DATA := #data, ERROR => #error, STATUS => #status);',
  })
  const seen = [false, true, true, false, true].map((req) => {
    run.set('req', req)
    run.scan()
    return [run.get('error'), run.get('status')]
  })
  const [idle, failed] = [
    [false, 0x7000],
    [true, 0x80a1],
  ]
  assert.deepEqual(seen, [idle, failed, idle, idle, failed])
})

test('receivers report as long as they are enabled; records have their own codes', () => {
  const run = runScl({
    members: { r: receive, d: record, on: 'Bool', e: 'Bool', s: 'Word', status: 'DWord' },
    body: '#r(EN_R := #on, ERROR => #e, STATUS => #s); #d(REQ := #on, STATUS => #status);',
  })
  run.scan()
  assert.deepEqual([run.get('e'), run.get('s'), run.get('status')], [false, 0x7000, 0x00700000])
  run.set('on', true)
  const seen = [1, 2, 3, 4].map(() => {
    run.scan()
    return [run.get('e'), run.get('s'), run.get('status')]
  })
  assert.deepEqual(seen, [
    [true, 0x8086, 0x00700100],
    [true, 0x8086, 0x00700200],
    [true, 0x8086, 0xc0809000],
    [true, 0x8086, 0x00700000],
  ])
})

test('a block of the system without a model is named', () => {
  const pid = block('PID_Compact', [['Setpoint', Bool, 'Input']])
  assert.deepEqual(codesOf({ members: { p: pid }, body: '#p();' }), ['unknown-instruction'])
})

test('alarms end without an error', () => {
  const alarm = block('Program_Alarm', [
    ['SIG', Bool, 'Input'],
    ['SD_1', variant, 'Input'],
    ['Error', Bool, 'Output'],
    ['Status', Word, 'Output'],
  ])
  const run = runScl({
    members: { a: alarm, e: 'Bool', s: 'Word' },
    body: '#a(SIG := TRUE, SD_1 := #s, Error => #e);',
  })
  run.set('e', true)
  run.scan()
  assert.equal(run.get('e'), false)
})
