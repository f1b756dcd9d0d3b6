/** What a manifest says about alarms, and what holds for those that it does not name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DefinedAlarms, definitionsIn, supervisionKey } from './alarm-definitions.ts'

const standard = [
  { name: 'Acknowledgement', needsAcknowledgement: true, priority: 0 },
  { name: 'No Acknowledgement', needsAcknowledgement: false, priority: 0 },
]
const none = { classes: standard, alarms: [], textLists: [] }
const empty = { classes: [], alarms: [], textLists: [], supervisions: [], ownSupervisions: [] }

test('definitions are read from a manifest; one without them has the standard classes', () => {
  assert.deepEqual(definitionsIn('{}'), none)
  assert.deepEqual(definitionsIn('{"alarms": null}'), none)
  assert.deepEqual(definitionsIn('no JSON'), none)
  assert.deepEqual(definitionsIn('{"alarms": {}}'), empty)
  assert.deepEqual(definitionsIn('{"alarms": {"classes": {}, "alarms": 5, "textLists": "x"}}'), empty)
  const whole = {
    classes: [{ name: 'Urgent' }],
    alarms: [{ block: 'Motor' }],
    textLists: [{ name: 'States' }],
    supervisions: [{ number: 1 }],
    ownSupervisions: [{ number: 2 }],
  }
  assert.deepEqual(definitionsIn(JSON.stringify({ alarms: whole })), whole)
})

test('an alarm has what is defined for its block, then what is defined for its instance', () => {
  const ofBlock = { block: 'Motor', member: 'jam', alarmClass: 'Urgent', text: { 'en-US': 'jammed' } }
  const ofInstance = { instance: '"Motor_DB".jam', text: { 'en-US': 'pump jammed' } }
  const urgent = { name: 'Urgent', needsAcknowledgement: false, priority: 9 }
  const other = { name: 'no acknowledgement', needsAcknowledgement: false, priority: 5 }
  const defined = new DefinedAlarms({ ...none, classes: [urgent, other], alarms: [ofBlock, ofInstance] as never })
  assert.deepEqual(defined.of('"Pump_DB".jam', 'MOTOR', 'Jam'), ofBlock)
  assert.deepEqual(defined.of('"MOTOR_DB".jam', 'Motor', 'jam'), { ...ofBlock, ...ofInstance })
  assert.deepEqual(defined.of('"motor_db".jam', undefined, undefined), ofInstance)
  assert.deepEqual(defined.of('"Pump_DB".jam', 'Motor', 'late'), {})
  const classOf = (alarmClass?: string) => defined.classOf((alarmClass === undefined ? {} : { alarmClass }) as never)
  assert.deepEqual(
    [classOf(), classOf('urgent'), classOf('No Acknowledgement'), classOf('Unknown')],
    [standard[0], urgent, other, { name: 'Unknown', needsAcknowledgement: true, priority: 0 }],
  )
  const plain = new DefinedAlarms(definitionsIn('{}'))
  assert.deepEqual(plain.classOf({ alarmClass: 'NO ACKNOWLEDGEMENT' } as never), standard[1])
})

test('a supervision is found by its block, data type or operand, and its number', () => {
  const keys = [
    { block: 'Motor', operand: '#on', number: 3 },
    { dataType: 'Valve', operand: '#on', number: 3 },
    { operand: '"Data".On', number: 12 },
  ].map((one) => supervisionKey(one as never))
  assert.deepEqual(keys, ['motor#3', 'valve#3', 'data.on#12'])
})
