/**
 * F-blocks of STEP 7 Safety (TIA Portal help, "STEP 7 Safety instructions": each block's page with its DIAG bits). They
 * run like any other block: a virtual controller has no fail-safe I/O, no passivation and no runtime group, so ACK_GL
 * has nothing to acknowledge. Times are those of the clock, without the time base of an F-runtime group.
 */
import type { InstanceView, Model } from './instance-view.ts'

const millisecond = 1_000_000n

/** Whether a state lasts longer than a time; it begins with the first call that finds it. */
function lasts(instance: InstanceView, name: string, isOn: boolean, milliseconds: number): boolean {
  if (!isOn) {
    instance.set(name, 0)
    return false
  }
  // One more than the time: 0 means that the state is off.
  const since = BigInt.asIntN(64, instance.bits(name))
  if (since === 0n) instance.set(name, instance.now + 1n)
  const start = since === 0n ? instance.now : since - 1n
  return instance.now - start > BigInt(Math.trunc(milliseconds)) * millisecond
}

function diagnosis(bits: readonly (boolean | undefined)[]): number {
  return bits.reduce((word, bit, i) => (bit === true ? word | (1 << i) : word), 0)
}

/** A bit of DIAG that stays on until it is acknowledged. */
function kept(instance: InstanceView, bit: number, isOn: boolean, isReset: boolean): boolean {
  return isOn || (!isReset && ((instance.number('DIAG') >> bit) & 1) === 1)
}

const emergencyStop: Model = (instance) => {
  const acknowledges = instance.rises('ACK')
  const [stop, ack, delay] = [!instance.is('E_STOP'), instance.is('ACK'), instance.number('TIME_DEL')]
  const [needs, before] = [instance.is('ACK_NEC'), instance.is('Q')]
  const q = !stop && (before || !needs || acknowledges)
  const request = !stop && !q
  const isOver = lasts(instance, 'SINCE', !q, delay)
  // The delay begins when Q switches off: without it Q_DELAY switches off at once.
  const delayed = q || (instance.is('Q_DELAY') && delay > 0 && !isOver)
  instance.setAll({ Q: q, Q_DELAY: delayed, ACK_REQ: request })
  const bit4 = kept(instance, 4, stop && acknowledges, q)
  const bit5 = kept(instance, 5, !q && ack && !acknowledges, q)
  instance.set('DIAG', diagnosis([delay < 0, false, false, false, bit4, bit5, request, q]))
}

const twoSensors: Model = (instance) => {
  const acknowledges = instance.rises('ACK')
  const [one, two, time] = [instance.is('IN1'), instance.is('IN2'), instance.number('DISCTIME')]
  const last = one !== instance.is('IN1_OLD') ? 1 : two !== instance.is('IN2_OLD') ? 2 : instance.number('LAST')
  instance.setAll({ IN1_OLD: one, IN2_OLD: two, LAST: last })
  const isWrong = time < 0 || time > 60_000
  const differs = one !== two
  const before = instance.is('DISC_FLT')
  const isLate = lasts(instance, 'SINCE', differs, time)
  const mayEnd = before && !differs && !isWrong
  const fault = isWrong || isLate || (before && !(mayEnd && (!instance.is('ACK_NEC') || acknowledges)))
  const request = fault && !differs && !isWrong
  const q = one && two && !fault
  instance.setAll({ Q: q, DISC_FLT: fault, ACK_REQ: request })
  const stuck = fault && instance.is('ACK') && !acknowledges
  const bits = [fault, fault && last === 1, fault && last === 2, false, false, stuck, request, q]
  instance.set('DIAG', diagnosis(bits))
}

const feedback: Model = (instance) => {
  const acknowledges = instance.rises('ACK')
  const [on, back, bad] = [instance.is('ON'), instance.is('FEEDBACK'), instance.is('QBAD_FIO')]
  const time = instance.number('FDB_TIME')
  const before = instance.is('ERROR')
  // Acknowledged with the feedback contact closed again: Q is 0 while there is an error.
  const ends = before && back && time >= 0 && (!instance.is('ACK_NEC') || acknowledges)
  let error = time < 0 || (before && !ends)
  let q = on && !error && (instance.is('Q') || back)
  const isLate = lasts(instance, 'SINCE', !bad && back === q && !error, Math.max(0, time))
  if (isLate) {
    error = true
    q = false
  }
  const request = error && back && time >= 0
  instance.setAll({ Q: q, ERROR: error, ACK_REQ: request })
  const bit2 = kept(instance, 2, before && error && !back, !error)
  const bit5 = kept(instance, 5, before && error && instance.is('ACK') && !acknowledges, !error)
  instance.set('DIAG', diagnosis([error, bad, bit2, false, false, bit5, request, q]))
}

const safetyDoor: Model = (instance) => {
  const acknowledges = instance.rises('ACK')
  const [one, two] = [instance.is('IN1'), instance.is('IN2')]
  const bad = instance.is('QBAD_IN1') || instance.is('QBAD_IN2')
  const needs = instance.is('ACK_NEC')
  let q = instance.is('Q') && one && two
  // Passivated inputs do not count as an open door, which need not be opened for them.
  let opened = instance.is('OPENED') || (!one && !two && !bad) || (instance.is('Q') && !q && bad)
  if (!instance.is('STARTED') && !bad) {
    instance.set('STARTED', true)
    q = one && two && !instance.is('OPEN_NEC')
  }
  const isReady = !q && one && two && !bad && opened
  if (isReady && (!needs || acknowledges)) q = true
  if (q) opened = false
  const request = isReady && !q
  instance.setAll({ Q: q, OPENED: opened, ACK_REQ: request })
  const stuck = !q && instance.is('ACK') && !acknowledges
  const bits = [false, !q && !opened && !bad, !q && opened && !(one && two), bad, false, stuck, request, q]
  instance.set('DIAG', diagnosis(bits))
}

/** Both buttons must be pressed within the time; TWO_HAND has no ENABLE. */
const twoHands: Model = (instance) => {
  const [one, two, time] = [instance.is('IN1'), instance.is('IN2'), instance.number('DISCTIME')]
  const enable = !instance.has('ENABLE') || instance.is('ENABLE')
  const isWrong = time < 0 || time > 500
  let isReady = instance.is('READY')
  let q = instance.is('Q') && one && two && enable && !isWrong
  let [late, order, missing] = [1, 4, 5].map((bit) => ((instance.number('DIAG') >> bit) & 1) === 1)
  if (!one && !two) {
    isReady = true
    late = false
    order = false
    missing = false
  }
  const isLate = lasts(instance, 'SINCE', (one || two) && !q, time)
  if (isReady && isLate) {
    isReady = false
    late = true
  } else if (one && two && !q) {
    if (isReady && enable && !isWrong) q = true
    else if (isReady && !enable) missing = true
    else if (!isReady && !late && !missing) order = true
    isReady = false
  }
  instance.setAll({ Q: q, READY: isReady })
  instance.set('DIAG', diagnosis([isWrong, late, false, false, order, missing, false, q]))
}

/**
 * Muting of a light curtain by one or two pairs of sensors: MUT_P, and MUTING of older controllers, which is always
 * enabled.
 */
const muting: Model = (instance) => {
  const acknowledges = instance.rises('ACK')
  const enable = !instance.has('ENABLE') || instance.is('ENABLE')
  const [stop, free, lampFails] = [instance.is('STOP'), instance.is('FREE'), instance.is('QBAD_MUT')]
  const pairs = ([1, 2] as const).map((pair) => {
    const [a, b] = [instance.is(`MS_${pair}1`), instance.is(`MS_${pair}2`)]
    const time = instance.number(`DISCTIM${pair}`)
    const isLate = lasts(instance, `SINCE_${pair}`, a !== b && !stop && enable, time)
    return { both: a && b, some: a || b, differs: a !== b, fails: isLate || time < 0 || time > 3_000 }
  })
  const [first, second] = pairs as [(typeof pairs)[number], (typeof pairs)[number]]
  const isCovered = first.both || second.both
  const some = first.some || second.some
  const longestTime = instance.number('TIME_MAX')
  const isStart = !instance.is('STARTED')
  let fault = instance.is('FAULT') || isStart
  let mutes = instance.is('MUTING') && !instance.is('FREEING')
  if (!mutes && isCovered && !instance.is('COVERED') && enable && !fault && !lampFails) mutes = true
  if (!isCovered || !enable || lampFails) mutes = false
  const isLong = lasts(instance, 'SINCE_MUTED', mutes && !stop, longestTime)
  const badTime = isLong || longestTime < 0 || longestTime > 600_000
  const breaks = !free && !mutes
  const faults = [first.fails, second.fails, badTime, breaks, lampFails && breaks]
  const isFaulty = faults.some((one) => one)
  if (isFaulty) {
    fault = true
    mutes = false
  }
  const canFree = fault && enable && some
  const mayEnd = fault && free && !isFaulty && !canFree
  const ends = mayEnd && acknowledges && !isStart
  // Two edges within 4 s, and the second stays on: the path is cleared until the sensors are valid again.
  const isSecond = acknowledges && instance.is('ARMED') && !lasts(instance, 'SINCE_ACK', true, 4_000)
  if (acknowledges) instance.setAll({ ARMED: canFree && !isSecond, SINCE_ACK: 0 })
  else if (instance.is('ARMED') && lasts(instance, 'SINCE_ACK', true, 4_000)) instance.set('ARMED', false)
  if (acknowledges) lasts(instance, 'SINCE_ACK', true, 4_000)
  let frees = fault && instance.is('ACK') && enable && (instance.is('FREEING') || (canFree && isSecond))
  const isValid = !first.differs && !second.differs && (isCovered || free) && !first.fails && !second.fails
  if (frees && isValid) {
    frees = false
    fault = false
    mutes = isCovered
  }
  if (ends) fault = false
  const request = fault && !frees && (mayEnd || canFree)
  const q = !fault || frees
  instance.setAll({
    Q: q,
    MUTING: mutes || frees,
    FAULT: fault,
    ACK_REQ: request,
    FREEING: frees,
    COVERED: isCovered,
    STARTED: true,
  })
  const kept5 = faults.map((isOn, bit) => kept(instance, bit, isOn, !fault))
  const bits = [...kept5, request && canFree, request && !canFree, q, mutes || frees, frees]
  instance.set('DIAG', diagnosis(instance.has('ENABLE') ? bits : kept5))
}

/**
 * Enter 6, then after one second and within one minute the identifier: OUT is on for one call. Any other input is
 * reset.
 */
const operatorAcknowledgment: Model = (instance) => {
  const value = instance.number('IN')
  const wanted = instance.has('ACK_ID') ? instance.number('ACK_ID') : 9
  const waits = instance.is('Q')
  const isEarly = !lasts(instance, 'SINCE', waits, 999)
  const isLate = waits && instance.now + 1n - BigInt.asIntN(64, instance.bits('SINCE')) > 60_000n * millisecond
  const isDone = waits && !isEarly && !isLate && value === wanted
  const begins = !waits && value === 6
  const goesOn = waits && !isLate && (value === 0 || value === 6) && !isDone
  // The first 6 may stay as long as the operator panel leaves it there.
  if (!begins && !(goesOn && value === 6)) instance.set('IN', 0)
  instance.setAll({ OUT: isDone, Q: begins || goesOn })
  if (begins) lasts(instance, 'SINCE', true, 0)
}

/** Models by name in upper case. */
export const safetyModels: Readonly<Record<string, Model>> = {
  ESTOP1: emergencyStop,
  EV1OO2DI: twoSensors,
  FDBACK: feedback,
  SFDOOR: safetyDoor,
  TWO_HAND: twoHands,
  TWO_H_EN: twoHands,
  MUTING: muting,
  MUT_P: muting,
  ACK_OP: operatorAcknowledgment,
  ACK_GL: () => undefined,
}
