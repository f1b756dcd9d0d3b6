/** Program_Alarm, Ack_Alarms and Get_Alarm beside alarms that are a list of what was asked for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modelBench } from '../../testing/model-bench.ts'
import type { AlarmChange, Alarms } from '../alarms.ts'

/** Alarms of a controller that only keeps what it is told, and answers what the test sets. */
function listedAlarms() {
  const log: unknown[] = []
  const changes: AlarmChange[] = []
  const state = { isLoggedOn: false, answer: 0 }
  const alarms: Alarms = {
    signal(_instance, isPresent, timestamp, values) {
      log.push([isPresent, timestamp, ...values.map(({ type, value }) => `${type} ${value}`)])
      return state.answer
    },
    state: () => undefined,
    logOn() {
      log.push('on')
      state.isLoggedOn = true
      return true
    },
    logOff() {
      log.push('off')
      state.isLoggedOn = false
    },
    nextChange: () => changes.shift(),
    get isLoggedOn() {
      return state.isLoggedOn
    },
    available: () => 0,
    acknowledgeAll: () => log.push('acknowledge'),
    userMessage: () => 0,
  }
  return { alarms, state, changes, did: () => log.splice(0) }
}

describe('Program_Alarm', () => {
  const alarm = (call: string, variables = '') => {
    const listed = listedAlarms()
    const model = modelBench('Program_Alarm', { alarms: listed.alarms, call, variables })
    const scan = (given: Readonly<Record<string, number | boolean>>) => {
      model.scan(given)
      return [...model.values('Error', 'Status'), listed.did()]
    }
    return { ...listed, model, scan }
  }

  test('each edge of SIG is told once, with the values of that call', () => {
    const { scan } = alarm('SD_1 := #i, SD_3 := #ok', 'i : Int; ok : Bool;')
    assert.deepEqual(scan({ SIG: false }), [0, 0, []])
    assert.deepEqual(scan({ SIG: true, '/i': -5, '/ok': true }), [0, 0, [[true, 0n, 'Int -5', ' 0', 'Bool true']]])
    assert.deepEqual(scan({ '/i': 6 }), [0, 0, []])
    assert.deepEqual(scan({ SIG: false }), [0, 0, [[false, 0n, 'Int 6', ' 0', 'Bool true']]])
    assert.deepEqual(scan({}), [0, 0, []])
  })

  test('an edge that the controller cannot take is told again until it can', () => {
    const { scan, state } = alarm('TIMESTAMP := #t', 't : LDT;')
    state.answer = 0x80c3
    assert.deepEqual(scan({ SIG: true, '/t': 77 }), [1, 0x80c3, [[true, 77n]]])
    assert.deepEqual(scan({}), [1, 0x80c3, [[true, 77n]]])
    state.answer = 0
    assert.deepEqual(scan({}), [0, 0, [[true, 77n]]])
    assert.deepEqual(scan({}), [0, 0, []])
  })

  test('a signal that goes without having come is told once', () => {
    const { scan, state } = alarm('', '')
    scan({ SIG: true })
    state.answer = 0x8007
    assert.deepEqual(scan({ SIG: false }), [1, 0x8007, [[false, 0n]]])
    assert.deepEqual(scan({}), [0, 0, []])
  })

  test('values that no alarm shows, and more than 512 bytes of them, are refused', () => {
    const wrong = alarm('SD_2 := #s', 's : Struct a : Int; END_STRUCT;')
    assert.deepEqual(wrong.scan({ SIG: true }), [1, 0x80a2, []])
    assert.deepEqual(wrong.scan({ SIG: false }), [0, 0, []])
    // A text counts with its characters and its lengths: 2 bytes, of a WString 4.
    const status = (type: string, ...texts: number[]) => {
      const given = texts.map((_, i) => `SD_${i + 1} := #t${i}`).join(', ')
      const sign = type === 'WString' ? "WSTRING#'" : "'"
      const variables = texts.map((length, i) => `t${i} : ${type} := ${sign}${'x'.repeat(length)}';`).join(' ')
      return alarm(given, variables).scan({ SIG: true })[1]
    }
    assert.deepEqual([status('String', 254, 254), status('String', 254, 253, 0)], [0, 0x8004])
    assert.deepEqual([status('String', 200, 200, 106), status('String', 200, 200, 107)], [0, 0x8004])
    assert.deepEqual([status('WString', 200, 52), status('WString', 200, 53)], [0, 0x8004])
  })
})

test('Ack_Alarms acknowledges with MODE 1, does nothing with 0 and refuses every other', () => {
  for (const mode of [0, 1, 2]) {
    const { alarms, did } = listedAlarms()
    const model = modelBench('Ack_Alarms', { alarms })
    model.scan({ MODE: mode })
    assert.deepEqual(
      [model.values('ERROR', 'STATUS'), did()],
      [mode < 2 ? [0, 0] : [1, 0x8001], mode === 1 ? ['acknowledge'] : []],
    )
  }
})

describe('Get_Alarm', () => {
  const change = (id: number, producer: 0 | 9, isPresent: boolean): AlarmChange => ({
    id,
    producer,
    isPresent,
    time: 1234n,
  })
  const reader = (data = 'AlarmData') => {
    const listed = listedAlarms()
    const model = modelBench('Get_Alarm', { alarms: listed.alarms, call: 'Data := #d', variables: `d : ${data};` })
    /** DataReady, Busy, Error, Init, Status. */
    const call = (OperateMode: number, DataMode = 1) => {
      model.scan({ OperateMode, DataMode })
      return model.values('DataReady', 'Busy', 'Error', 'Init', 'Status')
    }
    return { ...listed, model, call }
  }
  const failed = (status: number) => [0, 0, 1, 0, status]
  const [nothing, begun, ready] = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0],
    [1, 0, 0, 0, 1],
  ]

  test('modes are 1 to 3, data modes 0 to 3', () => {
    const { call, did } = reader()
    assert.deepEqual([call(0), call(4)], [failed(0x8001), failed(0x8001)])
    assert.deepEqual([call(1, 4), call(2, 4), call(3, 255)], [failed(0x8005), failed(0x8005), failed(0x8005)])
    assert.deepEqual(did(), [])
    assert.deepEqual([call(3, 3), did()], [nothing, ['off']])
  })

  test('nothing is read before logging on, after logging off, and after the controller has logged off', () => {
    const { call, did, state, changes } = reader()
    changes.push(change(1, 0, true))
    assert.deepEqual(call(2), failed(0x8085))
    // Another instance has logged on.
    state.isLoggedOn = true
    assert.deepEqual(call(2), failed(0x8085))
    state.isLoggedOn = false
    assert.deepEqual([call(1), did()], [begun, ['off', 'on']])
    assert.deepEqual(call(1), failed(0x8004))
    // Loading a program and STARTUP log off.
    state.isLoggedOn = false
    assert.deepEqual(call(2), failed(0x8085))
    assert.deepEqual([call(1), call(2)], [begun, ready])
    assert.deepEqual([call(3), call(2)], [nothing, failed(0x8085)])
    // What another instance has begun ends with a log-on of this one.
    state.isLoggedOn = true
    did()
    assert.deepEqual([call(1), did()], [begun, ['off', 'on']])
  })

  test('changes come one by one, the oldest first, with their numbers and text', () => {
    const { call, changes, model } = reader()
    const data = () =>
      model.values('/d.ProducerID', '/d.ID_1', '/d.ID_2', '/d.State', '/d.TimeStamp', '/d.AlarmText[0]')
    call(1)
    assert.deepEqual(call(2), nothing)
    changes.push(change(70_001, 0, true), change(12, 9, false))
    assert.deepEqual([call(2), data()], [ready, [0, 70_001 & 0xffff, 0, 1, 1234, '70001']])
    assert.deepEqual([call(2, 0), data()], [ready, [9, 12, 0, 0, 1234, '']])
    assert.deepEqual([call(2), data()], [nothing, [9, 12, 0, 0, 1234, '']])
  })

  test('alarms have display class 0: those who ask for others get none', () => {
    for (const [classes, isAsked] of [
      [[65_535, 0], true],
      [[5, 0], true],
      [[0], true],
    ] as const) {
      const { call, changes, model } = reader()
      for (const [i, value] of classes.entries()) model.set({ [`DispClassNr[${i}]`]: value })
      changes.push(change(3, 0, true))
      call(1)
      assert.deepEqual(call(2), isAsked ? ready : nothing, String(classes))
    }
    const { call, changes, model } = reader()
    for (let i = 0; i < 32; i++) model.set({ [`DispClassNr[${i}]`]: i + 1 })
    changes.push(change(3, 0, true))
    call(1)
    assert.deepEqual([call(2), changes], [nothing, []])
  })
})
