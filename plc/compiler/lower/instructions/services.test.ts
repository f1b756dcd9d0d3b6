import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Bool, Byte, Int } from '../../../program/scalars.ts'
import type { Interrupts } from '../../../runtime/interrupts.ts'
import { array, codesOf, runScl, type SclTest, structure } from '../../../testing/runtime.ts'

/** Status of a call in the form of the help. */
function status(body: string, more: Partial<SclTest> = {}): string {
  const run = runScl({ members: { r: 'Int', ...more.members }, ...more, body: `#r := ${body};` } as SclTest)
  run.scan()
  return ((run.get('r') as number) & 0xffff).toString(16).padStart(4, '0')
}

/** Interrupts that record the calls. */
function recorded(): { readonly calls: string[]; readonly interrupts: Interrupts } {
  const calls: string[] = []
  const note =
    <T>(name: string, answer: T) =>
    (...given: readonly unknown[]): T => {
      calls.push(`${name} ${given.join(' ')}`)
      return answer
    }
  const state = { isLocked: false, isActive: true, isLoaded: true }
  let delays = 0
  return {
    calls,
    interrupts: {
      startDelay: note('startDelay', 0),
      cancelDelay: note('cancelDelay', 0x80a0),
      queryDelay: () => state,
      setTimeOfDay: note('setTimeOfDay', 0),
      activateTimeOfDay: note('activate', 0),
      cancelTimeOfDay: note('cancel', 0),
      queryTimeOfDay: () => ({ ...state, isActive: false }),
      setCyclic: note('setCyclic', 0),
      queryCyclic: () => ({ cycleUs: 100_000, phaseUs: 500 }),
      delayAll: () => ++delays,
      releaseAll: () => (delays === 0 ? undefined : --delays),
    },
  }
}

describe('interrupts', () => {
  for (const [body, wanted] of [
    ['SRT_DINT(OB_NR := 20, DTIME := T#5s, SIGN := 16#1234)', '0000'],
    ['SRT_DINT(OB_NR := 1, DTIME := T#5s, SIGN := 0)', '8090'],
    ['SRT_DINT(OB_NR := 20, DTIME := T#61s, SIGN := 0)', '8091'],
    ['CAN_DINT(20)', '80a0'],
    ['SET_CINT(OB_NR := 30, CYCLE := 50000, PHASE := 100)', '0000'],
    ['SET_CINT(OB_NR := 30, CYCLE := 10, PHASE := 0)', '8091'],
    ['ACT_TINT(OB_NR := 10)', '0000'],
    ['ACT_TINT(OB_NR := 99)', '8090'],
    ['SET_TINTL(OB_NR := 10, SDT := #d, LOCAL := TRUE, PERIOD := 16#0401, ACTIVATE := TRUE)', '0000'],
    ['SET_TINTL(OB_NR := 10, SDT := #d, LOCAL := TRUE, PERIOD := 5, ACTIVATE := TRUE)', '8091'],
  ] as const)
    test(`${body}: ${wanted}`, () => {
      assert.equal(status(body, { members: { r: 'Int', d: 'DTL' }, interrupts: recorded().interrupts }), wanted)
      const isRefused = wanted === '8090' || wanted === '8091'
      // Without a controller there is no such OB.
      assert.equal(status(body, { members: { r: 'Int', d: 'DTL' } }), isRefused ? wanted : '80b0')
    })

  test('they reach the controller with times in nanoseconds', () => {
    const { calls, interrupts } = recorded()
    const run = runScl({
      members: { r: 'Int', d: 'DTL', s: 'Word', t: 'Word', c: 'UDInt', p: 'UDInt', n: 'Int' },
      body: `#r := SRT_DINT(OB_NR := #n, DTIME := T#1s500ms, SIGN := 7); #r := SET_CINT(OB_NR := 31, CYCLE := 2000, PHASE := 50);
        #r := SET_TINTL(OB_NR := 10, SDT := #d, LOCAL := FALSE, PERIOD := 0, ACTIVATE := FALSE);
        #r := QRY_DINT(OB_NR := 20, STATUS => #s); #r := QRY_TINT(OB_NR := 10, STATUS => #t);
        #r := QRY_CINT(OB_NR := 30, CYCLE => #c, PHASE => #p);`,
      interrupts,
    })
    run.set('n', 21)
    run.set('d', { YEAR: 1970, MONTH: 1, DAY: 2, WEEKDAY: 1, HOUR: 0, MINUTE: 0, SECOND: 1, NANOSECOND: 5 })
    run.scan()
    assert.deepEqual(calls, [
      'startDelay 21 1500000000 7',
      'setCyclic 31 2000 50',
      'setTimeOfDay 10 86401000000005 false once false',
    ])
    assert.deepEqual(
      ['s', 't', 'c', 'p'].map((name) => run.get(name)),
      [0b10100, 0b10000, 100_000, 500],
    )
  })

  test('delays and releases are counted, with a controller and without', () => {
    for (const more of [{}, { interrupts: recorded().interrupts }]) {
      const run = runScl({
        members: { list: array(0, 4, Int), ok: 'Bool' },
        body: '#list[0] := DIS_AIRT(); #list[1] := DIS_AIRT(); #list[2] := EN_AIRT(); #list[3] := EN_AIRT(); #list[4] := EN_AIRT(); #ok := ENO;',
        ...more,
      })
      run.scan()
      assert.deepEqual([run.get('list'), run.get('ok')], [[1, 2, 1, 0, 0x8080 - 0x10000], false])
    }
  })
})

test('modules that are not there answer as PLCSIM does', () => {
  for (const [body, wanted] of [
    ['DPRD_DAT(LADDR := 257, RECORD => #b)', '0000'],
    ['DPWR_DAT(LADDR := 257, RECORD := #b)', '0000'],
    ['LED(LADDR := 52, LED := 1)', '0002'],
    ['LED(LADDR := 52, LED := 2)', '0001'],
    ['LED(LADDR := 52, LED := 77)', '8093'],
    ['DeviceStates(LADDR := 64, MODE := 2, STATE := #s)', '0000'],
    ['GET_DIAG(MODE := 0, LADDR := 64, CNT_DIAG => #n)', '0000'],
    ['RD_ADDR(LADDR := 64, PIADDR => #n)', '8090'],
    ['RD_LGADR(IOID := B#16#54, LADDR := W#16#10, PEADDR => #b, PECOUNT => #r, PAADDR => #b, PACOUNT => #r)', '8090'],
    ['LGC_GADR(IOID := B#16#54, LADDR := W#16#10, SLOT => #w)', '8090'],
    [
      'GADR_LGC(SUBNETID := B#16#1, RACK := W#16#0, SLOT := W#16#4, SUBSLOT := B#16#0, SUBADDR := W#16#0, LADDR => #w)',
      '8094',
    ],
    ['GEO_LOG(MASTER := 100, STATION := 1, SLOT := 2, SUBSLOT := 1, LADDR => #w)', '8094'],
    ['LOG_GEO(LADDR := W#16#10, STATION => #r)', '8090'],
    ['SYNC_PI(PART := 1, FLADDR => #w)', '8091'],
    ['UPDAT_PI(PART := 0)', '0000'],
    ['UPDAT_PI(PART := 32)', '8090'],
    ['UPDAT_PO(PART := 1)', '8091'],
    ['ATTR_DB(REQ := TRUE, DB_NUMBER := 1, DB_LENGTH => #n)', '0000'],
    ['ATTR_DB(REQ := TRUE, DB_NUMBER := 9, DB_LENGTH => #n)', '80b1'],
    ['RTM(NR := 1, MODE := B#16#5, PV := 7, CV => #v)', '0000'],
    ['RTM(NR := 11, MODE := B#16#5, PV := 7, CV => #v)', '8080'],
    ['SNC_RTCB()', '0000'],
    ['WAIT(WT := 100)', '0000'],
  ] as const)
    assert.equal(
      status(body, {
        members: { r: 'Int', b: array(0, 3, Byte), s: array(0, 15, Bool), n: 'UDInt', v: 'DInt', w: 'Word' },
        blocks: { Data: { type: structure({ a: Int }) } },
      }),
      wanted,
      body,
    )
})

test('states are cleared, run-time meters count hours', () => {
  const run = runScl({
    members: { r: 'Int', s: array(0, 15, Bool), hours: 'DInt', on: 'Bool', mode: 'Byte' },
    body: '#r := DeviceStates(LADDR := 64, MODE := 2, STATE := #s); #r := RTM(NR := 0, MODE := #mode, PV := 5, CQ => #on, CV => #hours);',
  })
  run.set(
    's',
    Array.from({ length: 16 }, () => true),
  )
  run.set('mode', 5)
  run.scan()
  run.set('mode', 0)
  run.clock.advanceMilliseconds(3 * 3_600_000 + 5)
  run.scan()
  assert.deepEqual([run.get('hours'), run.get('on'), (run.get('s') as boolean[]).some((one) => one)], [8, true, false])
  run.set('mode', 2)
  run.scan()
  run.clock.advanceMilliseconds(3_600_000)
  run.scan()
  assert.deepEqual([run.get('hours'), run.get('on')], [8, false])
})

test('what was written to load memory is read from there', () => {
  const run = runScl({
    members: { a: array(0, 1, Int), b: array(0, 1, Int), c: array(0, 1, Int), r: 'Int', step: 'Int' },
    body: `IF #step = 0 THEN #r := WRIT_DBL(REQ := TRUE, SRCBLK := #a, DSTBLK => #b); END_IF;
      #r := READ_DBL(REQ := TRUE, SRCBLK := #b, DSTBLK => #c);`,
  })
  run.set('a', [3, 4])
  run.scan()
  run.set('b', [9, 9])
  run.set('step', 1)
  run.scan()
  assert.deepEqual(
    [run.get('c'), run.get('b')],
    [
      [3, 4],
      [9, 9],
    ],
  )
})

test('clocks and days by their older names; names of blocks and tags', () => {
  const run = runScl({
    members: { t: 'DT', r: 'Int', day: 'Int', tod: 'Time_Of_Day', s: 'String', w: 'WString', n: 'String' },
    body: `#r := READ_CLK(CDT => #t); #day := DT_DAY(#t); #tod := DT_TOD(#t); #s := GetBlockName(SIZE := 0);
      #w := CONCAT_WSTRING(IN1 := WSTRING#'a', IN2 := WSTRING#'b'); #n := GetSymbolName(VARIABLE := #tod, SIZE := 0);`,
  })
  run.clock.setSystemTime(BigInt(Date.UTC(2024, 1, 29, 1, 0, 0)) * 1_000_000n)
  run.scan()
  assert.deepEqual(
    ['day', 'tod', 's', 'w', 'n'].map((name) => run.get(name)),
    [5, 3_600_000, 'main', 'ab', 'tod'],
  )
})

test('numbers are wanted where numbers belong', () => {
  assert.deepEqual(codesOf({ members: { r: 'Int', x: 'Real' }, body: '#r := LED(LADDR := #x, LED := 1);' }), [
    'wrong-operand',
  ])
  assert.deepEqual(codesOf({ members: { r: 'Int' }, body: '#r := LED(LADDR := 1);' }), ['missing-parameter'])
  assert.deepEqual(codesOf({ members: { r: 'Int', x: 'Int' }, body: '#r := SET_CLK(PDT := #x);' }), ['wrong-operand'])
})
