/** F-blocks: enables, delays, acknowledgments and DIAG as the pages of the help describe them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

/** One instance `x`, inputs by name, outputs after each call. */
function block(type: string, constants: string, inputs: readonly string[], isOptimized = true) {
  const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }
VAR x : ${type}; ${inputs.map((name) => `c_${name} : Bool;`).join(' ')} END_VAR
BEGIN
#x(${[...inputs.map((name) => `${name} := #c_${name}`), ...(constants === '' ? [] : [constants])].join(', ')});
END_FUNCTION_BLOCK
`)
  return (on: string, outputs: string, milliseconds = 10): unknown[] => {
    for (const name of inputs) run.setBits(`c_${name}`, on.split(' ').includes(name) ? 1n : 0n)
    run.clock.advanceMilliseconds(milliseconds)
    run.scan()
    return outputs.split(' ').map((name) => {
      const value = run.get(`x.${name}`) as number
      return name === 'DIAG' ? value & 0xffff : value
    })
  }
}

for (const isOptimized of [true, false])
  test(`ESTOP1 waits for the acknowledgment and switches the second enable off with a delay (${isOptimized})`, () => {
    const call = block('ESTOP1', 'ACK_NEC := TRUE, TIME_DEL := T#100ms', ['E_STOP', 'ACK'], isOptimized)
    const all = 'Q Q_DELAY ACK_REQ'
    assert.deepEqual(call('E_STOP', all), [0, 0, 1])
    assert.deepEqual(call('E_STOP ACK', all), [1, 1, 0])
    assert.deepEqual(call('ACK', all), [0, 1, 0])
    assert.deepEqual(call('', all, 90), [0, 1, 0])
    assert.deepEqual(call('', all, 20), [0, 0, 0])
    call('ACK', all)
    // Bit 4: acknowledged while still pressed; bit 5: the button stays.
    assert.equal((call('ACK', 'DIAG')[0] as number) & 0x30, 0x30)
  })

test('ESTOP1 without acknowledgment and without delay follows its input', () => {
  const call = block('ESTOP1', 'ACK_NEC := FALSE', ['E_STOP', 'ACK'])
  assert.deepEqual(call('E_STOP', 'Q Q_DELAY DIAG'), [1, 1, 0x80])
  assert.deepEqual(call('', 'Q Q_DELAY DIAG'), [0, 0, 0])
})

test('EV1oo2DI finds a discrepancy that lasts, and is acknowledged when it is over', () => {
  const call = block('EV1oo2DI', 'DISCTIME := T#50ms, ACK_NEC := TRUE', ['IN1', 'IN2', 'ACK'])
  const all = 'Q DISC_FLT ACK_REQ'
  assert.deepEqual(call('IN1 IN2', all), [1, 0, 0])
  assert.deepEqual(call('IN1', all), [0, 0, 0])
  assert.deepEqual(call('IN1 IN2', all, 40), [1, 0, 0])
  call('IN1', all)
  assert.deepEqual(call('IN1', `${all} DIAG`, 60), [0, 1, 0, 0x05])
  assert.deepEqual(call('IN1 IN2', all), [0, 1, 1])
  assert.deepEqual(call('IN1 IN2 ACK', all), [1, 0, 0])
  const wrong = block('EV1oo2DI', 'DISCTIME := T#61s, ACK_NEC := FALSE', ['IN1', 'IN2'])
  assert.deepEqual(wrong('IN1 IN2', all), [0, 1, 0])
})

test('FDBACK wants the contact to open in time', () => {
  const call = block('FDBACK', 'FDB_TIME := T#100ms, ACK_NEC := TRUE', ['ON', 'FEEDBACK', 'QBAD_FIO', 'ACK'])
  const all = 'Q ERROR ACK_REQ'
  assert.deepEqual(call('FEEDBACK', all), [0, 0, 0])
  assert.deepEqual(call('ON FEEDBACK', all), [1, 0, 0])
  assert.deepEqual(call('ON', all, 90), [1, 0, 0])
  call('FEEDBACK', all)
  assert.deepEqual(call('ON FEEDBACK', all), [1, 0, 0])
  assert.deepEqual(call('ON FEEDBACK', all, 110), [0, 1, 1])
  assert.deepEqual(call('FEEDBACK ACK', all), [0, 0, 0])
  assert.deepEqual(call('ON FEEDBACK QBAD_FIO', all), [1, 0, 0])
  assert.deepEqual(call('ON FEEDBACK QBAD_FIO', `${all} DIAG`, 500), [1, 0, 0, 0x82])
})

test('SFDOOR wants the door to be opened whole and closed again', () => {
  const call = block('SFDOOR', 'OPEN_NEC := TRUE, ACK_NEC := TRUE', ['IN1', 'IN2', 'QBAD_IN1', 'ACK'])
  const all = 'Q ACK_REQ DIAG'
  assert.deepEqual(call('IN1 IN2', all), [0, 0, 0x02])
  assert.deepEqual(call('IN1', all), [0, 0, 0x02])
  assert.deepEqual(call('', all), [0, 0, 0x04])
  assert.deepEqual(call('IN1 IN2', all), [0, 1, 0x40])
  assert.deepEqual(call('IN1 IN2 ACK', all), [1, 0, 0x80])
  assert.deepEqual(call('IN2 QBAD_IN1', 'Q'), [0])
  assert.deepEqual(call('IN1 IN2', all), [0, 1, 0x40])
  const automatic = block('SFDOOR', 'OPEN_NEC := FALSE, ACK_NEC := TRUE', ['IN1', 'IN2'])
  assert.deepEqual(automatic('IN1 IN2', 'Q'), [1])
})

test('TWO_H_EN: both hands within the time, both let go before', () => {
  const call = block('TWO_H_EN', 'DISCTIME := T#200ms', ['IN1', 'IN2', 'ENABLE'])
  const all = 'Q DIAG'
  call('ENABLE', all)
  call('IN1 ENABLE', all)
  assert.deepEqual(call('IN1 IN2 ENABLE', all, 150), [1, 0x80])
  assert.deepEqual(call('IN1 ENABLE', all), [0, 0])
  assert.deepEqual(call('IN1 IN2 ENABLE', all), [0, 0x10])
  call('ENABLE', all)
  call('IN2 ENABLE', all)
  assert.deepEqual(call('IN1 IN2 ENABLE', all, 250), [0, 0x02])
  call('', all)
  assert.deepEqual(call('IN1 IN2', all), [0, 0x20])
})

test('MUT_P lets a product through and stops for anything else', () => {
  const inputs = ['MS_11', 'MS_12', 'MS_21', 'MS_22', 'STOP', 'FREE', 'ENABLE', 'QBAD_MUT', 'ACK']
  const call = block('MUT_P', 'DISCTIM1 := T#1s, DISCTIM2 := T#1s, TIME_MAX := T#10s', inputs)
  const all = 'Q MUTING FAULT ACK_REQ'
  assert.deepEqual(call('FREE ENABLE', all), [0, 0, 1, 1])
  assert.deepEqual(call('FREE ENABLE ACK', all), [1, 0, 0, 0])
  call('FREE ENABLE MS_11', all)
  assert.deepEqual(call('FREE ENABLE MS_11 MS_12', all), [1, 1, 0, 0])
  assert.deepEqual(call('ENABLE MS_11 MS_12', all), [1, 1, 0, 0])
  call('ENABLE MS_11 MS_12 MS_21 MS_22', all)
  assert.deepEqual(call('FREE ENABLE MS_21 MS_22', all), [1, 1, 0, 0])
  assert.deepEqual(call('FREE ENABLE', all), [1, 0, 0, 0])
  assert.deepEqual(call('ENABLE', `${all} DIAG`), [0, 0, 1, 0, 0x08])
  call('FREE ENABLE ACK', all)
  // Too long: a fault, which the FREE function clears.
  call('FREE ENABLE MS_11 MS_12', all)
  assert.deepEqual(call('ENABLE MS_11 MS_12', all, 10_100), [0, 0, 1, 1])
  call('ENABLE MS_11 ACK', all)
  call('ENABLE MS_11', all)
  assert.deepEqual(call('ENABLE MS_11 ACK', `${all} DIAG`).slice(0, 3), [1, 1, 1])
  assert.deepEqual(call('ENABLE MS_11', all).slice(0, 3), [0, 0, 1])
})

test('ACK_OP: 6, then the identifier between one second and one minute later', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR x : ACK_OP; v : Int; END_VAR
BEGIN
#x(ACK_ID := 12, IN := #v);
END_FUNCTION_BLOCK
`)
  const enter = (value: number | undefined, milliseconds: number) => {
    if (value !== undefined) run.setBits('v', BigInt(value))
    run.clock.advanceMilliseconds(milliseconds)
    run.scan()
    return [run.get('x.Q'), run.get('x.OUT'), run.get('v')]
  }
  assert.deepEqual(enter(6, 10), [1, 0, 6])
  assert.deepEqual(enter(12, 500), [0, 0, 0])
  enter(6, 10)
  assert.deepEqual(enter(0, 1_500), [1, 0, 0])
  assert.deepEqual(enter(12, 10), [0, 1, 0])
  assert.deepEqual(enter(undefined, 10), [0, 0, 0])
  enter(6, 10)
  assert.deepEqual(enter(0, 61_000), [0, 0, 0])
})
