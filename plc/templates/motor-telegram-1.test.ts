import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { motorTelegram1 } from './motor-telegram-1.ts'

/** Bits of ZSW1. */
const [readyToSwitchOn, ready, operation, fault, inhibited, warning, atSpeed, control] = [0, 1, 2, 3, 6, 7, 8, 9].map(
  (bit) => 1 << bit,
) as [number, number, number, number, number, number, number, number]
const idle = control | readyToSwitchOn
const runs = idle | ready | operation
const released = { enable: true, coastStopOk: true, quickStopOk: true, telegramOk: true }

test('drive with telegram 1: control word, state sequence, setpoint, faults', () => {
  const drive = templateBench(motorTelegram1)
  const status = (word: number) => drive.after(10, { 'receive.statusWord': word })
  assert.equal(drive.after(10), 'STATE_FAULT')
  assert.equal(drive.get('faultCode'), 3)
  // OFF1, OFF2 and OFF3 are given, as long as nothing releases the drive.
  assert.equal((drive.get('send.controlWord') as number) & 7, 0)
  drive.set(released)
  status(control | inhibited)
  drive.pulse('acknowledge')
  drive.scan()
  assert.equal(drive.state(), 'STATE_INHIBITED')
  assert.equal(drive.get('send.controlWord'), 0x047e)
  assert.equal(status(idle), 'STATE_OFF')
  assert.equal(drive.get('ready'), 1)
  drive.set({ speed: 750 })
  assert.equal(drive.pulse('start'), 'STATE_STARTING')
  assert.deepEqual(drive.read('send.controlWord', 'send.speedSetpoint'), [0x047f, 0])
  assert.equal(status(runs), 'STATE_OPERATION')
  assert.equal(drive.get('send.speedSetpoint'), 8192)
  drive.after(10, { 'receive.speedActual': 8192, 'receive.statusWord': runs | atSpeed | warning })
  assert.deepEqual(drive.read('actualSpeed', 'atSpeed', 'warning', 'running'), [750, 1, 1, 1])
  drive.after(10, { speed: -10_000 })
  assert.equal(drive.get('send.speedSetpoint'), -16_384)
  drive.after(10, { speed: 10_000, maximumSpeed: 9000 })
  assert.equal(drive.get('send.speedSetpoint'), 32_767)

  assert.equal(drive.after(10, { stop: true }), 'STATE_STOPPING')
  assert.deepEqual(drive.read('send.controlWord', 'send.speedSetpoint'), [0x047e, 0])
  assert.equal(drive.after(500), 'STATE_STOPPING')
  assert.equal(status(idle), 'STATE_OFF')
  drive.after(10, { stop: false })

  // OFF3 and OFF2 stop it too, and each has its bit.
  drive.pulse('start')
  status(runs)
  assert.equal(drive.after(10, { quickStopOk: false }), 'STATE_STOPPING')
  assert.equal(drive.get('send.controlWord'), 0x047a)
  drive.after(10, { quickStopOk: true, coastStopOk: false })
  assert.equal(drive.get('send.controlWord'), 0x047c)
  drive.after(10, { coastStopOk: true, 'receive.statusWord': idle })

  // Operation does not come.
  drive.pulse('start')
  assert.equal(drive.after(9980), 'STATE_STARTING')
  assert.equal(drive.after(30), 'STATE_FAULT')
  assert.equal(drive.get('faultCode'), 2)
  assert.equal(drive.pulse('acknowledge'), 'STATE_OFF')

  // The drive trips: acknowledging sends bit 7, and helps only when the fault is gone.
  drive.pulse('start')
  status(runs)
  assert.equal(status(control | fault), 'STATE_FAULT')
  assert.equal(drive.get('faultCode'), 1)
  drive.after(10, { acknowledge: true })
  assert.deepEqual([drive.get('send.controlWord'), drive.state()], [0x04fe, 'STATE_FAULT'])
  drive.after(10, { acknowledge: false, 'receive.statusWord': idle })
  assert.equal(drive.pulse('acknowledge'), 'STATE_OFF')

  // It leaves operation by itself, and does not come back without a start.
  drive.pulse('start')
  status(runs)
  assert.equal(status(idle), 'STATE_STOPPING')
  assert.equal(drive.after(50), 'STATE_OFF')
  assert.equal(drive.after(10, { telegramOk: false }), 'STATE_FAULT')
  drive.assertEveryState()
})

test('drive with telegram 1 in one direction only', () => {
  const drive = templateBench(motorTelegram1, { reverse: false, referenceSpeed: 3000 })
  drive.after(10, { ...released, 'receive.statusWord': idle, speed: -100 })
  drive.pulse('acknowledge')
  drive.pulse('start')
  drive.after(10, { 'receive.statusWord': runs })
  assert.deepEqual([drive.state(), drive.get('send.speedSetpoint')], ['STATE_OPERATION', 0])
  drive.after(10, { speed: 1500 })
  assert.equal(drive.get('send.speedSetpoint'), 8192)
})
