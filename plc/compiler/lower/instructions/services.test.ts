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
      classOf: (block) =>
        block === 40 || block === 41 ? 'HardwareInterrupt' : block === 30 ? 'CyclicInterrupt' : undefined,
      lock: note('lock', 0),
      unlock: note('unlock', 0),
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
    ['SET_TINTL(OB_NR := 10, SDT := #d, LOCAL := TRUE, PERIOD := 5, ACTIVATE := TRUE)', '8092'],
    ['SET_CINT(OB_NR := 30, CYCLE := 50000, PHASE := 60000001)', '8092'],
  ] as const)
    test(`${body}: ${wanted}`, () => {
      assert.equal(status(body, { members: { r: 'Int', d: 'DTL' }, interrupts: recorded().interrupts }), wanted)
      const isRefused = ['8090', '8091', '8092'].includes(wanted)
      // Without a controller there is no such OB.
      assert.equal(status(body, { members: { r: 'Int', d: 'DTL' } }), isRefused ? wanted : '8090')
    })

  test('they reach the controller with times in nanoseconds', () => {
    const { calls, interrupts } = recorded()
    const run = runScl({
      members: { r: 'Int', d: 'DTL', s: 'Word', t: 'Word', c: 'UDInt', p: 'UDInt', n: 'Int' },
      body: `#r := DIS_IRT(MODE := B#16#1, OB_NR := 30); #r := EN_IRT(MODE := B#16#2, OB_NR := 40); #r := SRT_DINT(OB_NR := #n, DTIME := T#1s500ms, SIGN := 7); #r := SET_CINT(OB_NR := 31, CYCLE := 2000, PHASE := 50);
        #r := SET_TINTL(OB_NR := 10, SDT := #d, LOCAL := FALSE, PERIOD := 0, ACTIVATE := FALSE);
        #r := QRY_DINT(OB_NR := 20, STATUS => #s); #r := QRY_TINT(OB_NR := 10, STATUS => #t);
        #r := QRY_CINT(OB_NR := 30, CYCLE => #c, PHASE => #p);`,
      interrupts,
    })
    run.set('n', 21)
    run.set('d', { YEAR: 1970, MONTH: 1, DAY: 2, WEEKDAY: 1, HOUR: 0, MINUTE: 0, SECOND: 1, NANOSECOND: 5 })
    run.scan()
    assert.deepEqual(calls, [
      'lock 1 30',
      'unlock 2 40',
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

// TIA Portal help of ATTACH and DETACH.
test('ATTACH and DETACH know the blocks of hardware interrupts', () => {
  const run = runScl({
    members: { r: array(0, 11, Int) },
    body: `#r[0] := ATTACH(OB_NR := 40, EVENT := 1); #r[1] := DETACH(OB_NR := 40, EVENT := 2);
      #r[2] := DETACH(OB_NR := 40, EVENT := 1); #r[3] := DETACH(OB_NR := 40, EVENT := 1);
      #r[4] := ATTACH(OB_NR := 41, EVENT := 1); #r[5] := ATTACH(OB_NR := 41, EVENT := 2, ADD := TRUE);
      #r[6] := DETACH(OB_NR := 41); #r[7] := DETACH(OB_NR := 41); #r[8] := ATTACH(OB_NR := 42, EVENT := 1);
      #r[9] := ATTACH(OB_NR := 30, EVENT := 1); #r[10] := DETACH(OB_NR := 42); #r[11] := DETACH(OB_NR := 30);`,
    interrupts: recorded().interrupts,
  })
  run.scan()
  assert.deepEqual(
    (run.get('r') as number[]).map((one) => (one & 0xffff).toString(16)),
    ['0', '1', '0', '1', '0', '0', '0', '1', '8090', '8091', '8090', '8091'],
  )
})

test('modules that are not there answer as PLCSIM does', () => {
  for (const [body, wanted] of [
    ['DPRD_DAT(LADDR := 257, RECORD => #b)', '0000'],
    ['DPWR_DAT(LADDR := 257, RECORD := #b)', '0000'],
    ['LED(LADDR := 52, LED := 1)', '0002'],
    ['LED(LADDR := 52, LED := 2)', '0001'],
    ['LED(LADDR := 52, LED := 77)', '8093'],
    ['DeviceStates(LADDR := 64, MODE := 2, STATE := #s)', '0000'],
    ['DeviceStates(LADDR := 64, MODE := 2, STATE := #w)', '8093'],
    ['GET_DIAG(MODE := 1, LADDR := 64, CNT_DIAG => #n)', '0000'],
    ['GET_DIAG(MODE := 0, LADDR := 64, CNT_DIAG => #n, DIAG := #w)', '8081'],
    ['GET_DIAG(MODE := 3, LADDR := 64, CNT_DIAG => #n)', '8080'],
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
    ['SNC_RTCB()', '0001'],
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

test('numbers of organization blocks: those of the kind, and from 123 to 32767', () => {
  for (const [low, high, body] of [
    [20, 23, 'SRT_DINT(OB_NR := #n, DTIME := T#1s, SIGN := 0)'],
    [10, 17, 'ACT_TINT(OB_NR := #n)'],
    [30, 38, 'SET_CINT(OB_NR := #n, CYCLE := 50000, PHASE := 0)'],
  ] as const)
    for (const number of [low - 1, low, high, high + 1, 122, 123, 32_767, 32_768]) {
      const { interrupts } = recorded()
      const run = runScl({ members: { r: 'Int', n: 'DInt' }, body: `#r := ${body};`, interrupts })
      run.set('n', number)
      run.scan()
      const isRight = (number >= low && number <= high) || (number >= 123 && number <= 32_767)
      assert.equal((run.get('r') as number) & 0xffff, isRight ? 0 : 0x8090, `${body} ${number}`)
    }
})

test('times of interrupts have their limits, which count', () => {
  const { interrupts } = recorded()
  for (const [body, wanted] of [
    ['SRT_DINT(OB_NR := 20, DTIME := T#0ms, SIGN := 0)', '8091'],
    ['SRT_DINT(OB_NR := 20, DTIME := T#1ms, SIGN := 0)', '0000'],
    ['SRT_DINT(OB_NR := 20, DTIME := T#60s, SIGN := 0)', '0000'],
    ['SRT_DINT(OB_NR := 20, DTIME := T#60s1ms, SIGN := 0)', '8091'],
    ['SET_CINT(OB_NR := 30, CYCLE := 0, PHASE := 0)', '0000'],
    ['SET_CINT(OB_NR := 30, CYCLE := 99, PHASE := 0)', '8091'],
    ['SET_CINT(OB_NR := 30, CYCLE := 100, PHASE := 0)', '0000'],
    ['SET_CINT(OB_NR := 30, CYCLE := 60000000, PHASE := 0)', '0000'],
    ['SET_CINT(OB_NR := 30, CYCLE := 60000001, PHASE := 0)', '8091'],
    ['SET_CINT(OB_NR := 30, CYCLE := 60000000, PHASE := 60000000)', '0000'],
    ['SET_CINT(OB_NR := 30, CYCLE := 60000000, PHASE := 60000001)', '8092'],
  ] as const)
    assert.equal(status(body, { interrupts }), wanted, body)
})

test('the periods of SET_TINTL, by their numbers', () => {
  const { calls, interrupts } = recorded()
  const run = runScl({
    members: { r: 'Int', d: 'DTL', p: 'Word' },
    body: '#r := SET_TINT(OB_NR := 10, SDT := #d, PERIOD := #p); #r := SET_TINTL(OB_NR := 11, SDT := #d, LOCAL := TRUE, PERIOD := #p, ACTIVATE := TRUE);',
    interrupts,
  })
  run.set('d', { YEAR: 1970, MONTH: 1, DAY: 1, WEEKDAY: 1, HOUR: 0, MINUTE: 0, SECOND: 1, NANOSECOND: 0 })
  for (const [number, name] of [
    [0, 'once'],
    [0x201, 'minute'],
    [0x401, 'hour'],
    [0x1001, 'day'],
    [0x1201, 'week'],
    [0x1401, 'month'],
    [0x1801, 'year'],
    [0x2001, 'endOfMonth'],
  ] as const) {
    run.set('p', number)
    run.scan()
    assert.equal(run.get('r'), 0)
    assert.deepEqual(calls.splice(0), [
      `setTimeOfDay 10 1000000000 false ${name} false`,
      `setTimeOfDay 11 1000000000 true ${name} true`,
    ])
  }
})

test('queries without a controller, and of what is locked', () => {
  const members = { r: 'Int', s: 'Word', c: 'UDInt', p: 'UDInt', t: 'Word' }
  const seen = (body: string, interrupts?: Interrupts) => {
    const run = runScl({ members, body: `#r := ${body};`, ...(interrupts ? { interrupts } : {}) })
    for (const name of ['s', 'c', 'p', 't']) run.set(name, 7)
    run.scan()
    return ['r', 's', 'c', 'p', 't'].map((name) => (run.get(name) as number) & 0xffff)
  }
  assert.deepEqual(seen('QRY_DINT(OB_NR := 20, STATUS => #s)'), [0, 0, 7, 7, 7])
  assert.deepEqual(seen('QRY_TINT(OB_NR := 10, STATUS => #s)'), [0, 0, 7, 7, 7])
  assert.deepEqual(seen('QRY_TINT(OB_NR := 20, STATUS => #s)'), [0x8090, 0, 7, 7, 7])
  assert.deepEqual(seen('QRY_CINT(OB_NR := 30, CYCLE => #c, PHASE => #p, STATUS => #t)'), [0x8090, 7, 0, 0, 0])
  const { interrupts } = recorded()
  const locked = { ...interrupts, queryDelay: () => ({ isLocked: true, isActive: false, isLoaded: false }) }
  assert.deepEqual(seen('QRY_DINT(OB_NR := 20, STATUS => #s)', locked), [0, 2, 7, 7, 7])
  // Bit 2: it is activated; bit 4: it is loaded.
  const cyclic = 'QRY_CINT(OB_NR := 30, CYCLE => #c, PHASE => #p, STATUS => #t)'
  assert.deepEqual(seen(cyclic, interrupts), [0, 7, 100_000 & 0xffff, 500, 0b10100])
})

test('instructions on modules that are not there, with all their outputs', () => {
  const members = {
    ...{ r: 'Int', bo: 'Bool', by: 'Byte', bz: 'Byte', u: 'UInt', v: 'UInt', ud: 'UDInt', ue: 'UDInt' },
    ...{ w1: 'Word', w2: 'Word', w3: 'Word', i1: 'Int', i2: 'Int', i3: 'Int', i4: 'Int', i5: 'Int', i6: 'Int' },
    record: array(0, 3, Byte),
  }
  const outputs = ['bo', 'by', 'bz', 'u', 'v', 'ud', 'ue', 'w1', 'w2', 'w3', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6']
  for (const [body, wanted, written] of [
    ['DIS_IRT(MODE := 0, OB_NR := 20)', 0, ''],
    ['EN_IRT(MODE := 0, OB_NR := 20)', 0, ''],
    ['ATTACH(OB_NR := 40, EVENT := 1)', 0x8090, ''],
    ['DETACH(OB_NR := 40)', 0x8090, ''],
    ['WR_PARM(REQ := TRUE, LADDR := 1, RECNUM := 1, RECORD := #record, BUSY => #bo)', 0, 'bo'],
    ['WR_DPARM(REQ := TRUE, LADDR := 1, RECNUM := 1, BUSY => #bo)', 0, 'bo'],
    ['PARM_MOD(REQ := TRUE, LADDR := 1, BUSY => #bo)', 0, 'bo'],
    ['RD_DPARA(REQ := TRUE, LADDR := 1, RECNUM := 1, BUSY => #bo, RECORD => #record)', 0x8090, 'bo'],
    ['RD_DPARA(REQ := FALSE, LADDR := 1, RECNUM := 1, BUSY => #bo, RECORD => #record)', 0x7000, 'bo'],
    ['RD_DPARM(LADDR := 1, RECNUM := 1, RECORD => #record)', 0x8090, ''],
    ['RD_REC(REQ := TRUE, LADDR := 1, RECNUM := 1, BUSY => #bo, RECORD => #record)', 0x8090, 'bo'],
    ['RD_REC(REQ := FALSE, LADDR := 1, RECNUM := 1, BUSY => #bo, RECORD => #record)', 0x7000, 'bo'],
    ['WR_REC(REQ := TRUE, LADDR := 1, RECNUM := 1, RECORD := #record, BUSY => #bo)', 0x8090, 'bo'],
    ['WR_REC(REQ := FALSE, LADDR := 1, RECNUM := 1, RECORD := #record, BUSY => #bo)', 0x7000, 'bo'],
    ['DPSYC_FR(REQ := TRUE, LADDR := 1, GROUP := 1, MODE := 1, BUSY => #bo)', 0x8090, 'bo'],
    ['DPSYC_FR(REQ := FALSE, LADDR := 1, GROUP := 1, MODE := 1, BUSY => #bo)', 0x7000, 'bo'],
    ['DP_TOPOL(REQ := TRUE, R := FALSE, DP_ID := 1, BUSY => #bo, DPR => #by, DPRI => #bz)', 0x8090, 'bo by bz'],
    ['DP_TOPOL(REQ := FALSE, R := FALSE, DP_ID := 1, BUSY => #bo, DPR => #by, DPRI => #bz)', 0x7000, 'bo by bz'],
    ['RD_OBINF(OB_NR := 1, INFO => #record)', 0, ''],
    ['RD_SINFO(TOP_SI => #record, START_UP_SI => #record)', 0, ''],
    ['D_ACT_DP(REQ := TRUE, MODE := 1, LADDR := 1, BUSY => #bo)', 0x7001, ''],
    ['D_ACT_DP(REQ := TRUE, MODE := 0, LADDR := 1, BUSY => #bo)', 1, 'bo'],
    ['D_ACT_DP(REQ := FALSE, MODE := 1, LADDR := 1, BUSY => #bo)', 0x7000, 'bo'],
    ['LED(LADDR := 52, LED := 3)', 1, ''],
    ['LED(LADDR := 52, LED := 4)', 0x8093, ''],
    ['LED(LADDR := 52, LED := 0)', 0x8093, ''],
    ['LED(LADDR := 52, LED := 5)', 9, ''],
    ['GEN_DIAG(LADDR := 1, MODE := 1, DIAGEVENT := #record)', 0, ''],
    ['GEN_DIAG(LADDR := 1, MODE := 4, DIAGEVENT := #record)', 0x8080, ''],
    ['DPNRM_DG(REQ := TRUE, LADDR := 1, RECORD => #record, BUSY => #bo)', 0x8090, 'bo'],
    ['RD_ADDR(LADDR := 1, PIADDR => #ud, PICOUNT => #u, PQADDR => #ue, PQCOUNT => #v)', 0x8090, 'ud u ue v'],
    ['GEO2LOG(GEOADDR := #record, LADDR => #u)', 0x8090, 'u'],
    ['LOG2GEO(LADDR := 1, GEOADDR => #record)', 0x8090, ''],
    ['IO2MOD(ADDR := %IB1, LADDR => #u)', 0x8090, 'u'],
    ['LOG2MOD(IOID := 16#54, ADDR := 1, HWID => #u)', 0x8093, 'u'],
    [
      'GADR_LGC(SUBNETID := 1, RACK := 0, SLOT := 4, SUBSLOT := 0, SUBADDR := 0, IOID => #by, LADDR => #w1)',
      0x8094,
      'by w1',
    ],
    ['GEO_LOG(MASTER := 1, STATION := 1, SLOT := 2, SUBSLOT := 1, LADDR => #w1)', 0x8094, 'w1'],
    ['LGC_GADR(IOID := 1, LADDR := 1, AREA => #by, RACK => #w1, SLOT => #w2, SUBADDR => #w3)', 0x8090, 'by w1 w2 w3'],
    [
      'RD_LGADR(IOID := 1, LADDR := 1, PEADDR => #record, PECOUNT => #i1, PAADDR => #record, PACOUNT => #i2)',
      0x8090,
      'i1 i2',
    ],
    [
      'LOG_GEO(LADDR := 1, AREA => #i1, MASTER => #i2, STATION => #i3, SLOT => #i4, SUBSLOT => #i5, OFFSET => #i6)',
      0x8090,
      'i1 i2 i3 i4 i5 i6',
    ],
    ['SYNC_PO(PART := 1, FLADDR => #w1)', 0x8091, 'w1'],
    ['CREATE_DB(REQ := TRUE, LOW_LIMIT := 1, UP_LIMIT := 9, COUNT := 2, BUSY => #bo, DB_NUM => #u)', 0x80b1, 'bo u'],
    ['CREAT_DB(LOW_LIMIT := 1, UP_LIMIT := 9, COUNT := 2, DB_NUMBER => #u)', 0x80b1, 'u'],
    ['DELETE_DB(REQ := TRUE, DB_NUMBER := 1, BUSY => #bo)', 0x80b5, 'bo'],
    ['DEL_DB(DB_NUMBER := 1)', 0x80b5, ''],
    ['GET_ALARMRESOURCES()', 0, ''],
  ] as const) {
    const run = runScl({ members, body: `#r := ${body};` })
    for (const name of outputs) run.set(name, name === 'bo' ? true : 7)
    run.scan()
    const now = outputs.filter((name) => run.get(name) === (name === 'bo' ? false : 0))
    assert.deepEqual(
      [(run.get('r') as number) & 0xffff, now.sort()],
      [wanted, written.split(' ').filter(Boolean).sort()],
      body,
    )
  }
})

// TIA Portal help of ENDIS_PW: no password is configured, so all inputs are TRUE.
test('ENDIS_PW locks no passwords, and says so', () => {
  const members = { r: 'Int', q: 'Bool', f: 'Bool', h: 'Bool', a: 'Bool', b: 'Bool', c: 'Bool', d: 'Bool' }
  const run = runScl({
    members,
    body: `#r := ENDIS_PW(REQ := #q, F_PWD := #f, FULL_PWD := TRUE, R_PWD := TRUE, HMI_PWD := #h,
      F_PWD_ON => #a, FULL_PWD_ON => #b, R_PWD_ON => #c, HMI_PWD_ON => #d);`,
  })
  const call = (q: boolean, f: boolean, h: boolean) => {
    for (const [name, value] of Object.entries({ q, f, h })) run.set(name, value)
    run.scan()
    return [(run.get('r') as number) & 0xffff, ...['a', 'b', 'c', 'd'].map((name) => run.get(name))]
  }
  const all = [true, true, true, true]
  assert.deepEqual(call(false, false, false), [0, ...all])
  assert.deepEqual(call(true, true, true), [0, ...all])
  assert.deepEqual(call(true, false, true), [0x80d0, ...all])
  assert.deepEqual(call(true, true, false), [0x8090, ...all])
})

test('a negative WAIT makes ENO FALSE', () => {
  const run = runScl({ members: { t: 'Int', ok: 'Bool' }, body: 'WAIT(WT := #t, ENO => #ok);' })
  run.scan()
  assert.equal(run.get('ok'), true)
  run.set('t', -1)
  run.scan()
  assert.equal(run.get('ok'), false)
})

test('run-time meters: each mode, and values that are wrong', () => {
  const run = runScl({
    members: { r: 'Int', on: 'Bool', hours: 'DInt', nr: 'Int', mode: 'Byte', pv: 'DInt' },
    body: '#r := RTM(NR := #nr, MODE := #mode, PV := #pv, CQ => #on, CV => #hours);',
  })
  const act = (nr: number, mode: number, pv: number, minutes = 0) => {
    run.clock.advanceMilliseconds(minutes * 60_000)
    for (const [name, value] of Object.entries({ nr, mode, pv })) run.set(name, value)
    run.scan()
    return [(run.get('r') as number) & 0xffff, run.get('on'), run.get('hours')]
  }
  assert.deepEqual(act(9, 0, 0), [0, false, 0])
  assert.deepEqual(act(9, 1, 100), [0, true, 0])
  assert.deepEqual(act(9, 0, 100, 59), [0, true, 0])
  assert.deepEqual(act(9, 0, 100, 1), [0, true, 1])
  assert.deepEqual(act(9, 2, 100, 60), [0, false, 2])
  assert.deepEqual(act(9, 0, 100, 600), [0, false, 2])
  assert.deepEqual(act(9, 4, 50), [0, false, 50])
  assert.deepEqual(act(9, 5, 60), [0, true, 60])
  assert.deepEqual(act(9, 4, 70, 60), [0, true, 70])
  assert.deepEqual(act(9, 0, 0, 60), [0, true, 71])
  assert.deepEqual(act(9, 6, 80), [0, false, 80])
  assert.deepEqual(act(9, 0, 0, 600), [0, false, 80])
  assert.deepEqual(act(8, 5, 2 ** 31 - 2), [0, true, 2 ** 31 - 2])
  assert.deepEqual(act(8, 0, 0, 59), [0, true, 2 ** 31 - 2])
  assert.deepEqual(act(8, 0, 0, 120), [0x8082, true, 2 ** 31 - 1])
  // Each has its own hours.
  assert.deepEqual(act(0, 0, 0), [0, false, 0])
  for (const [nr, mode, pv, wanted] of [
    [-1, 0, 0, 0x8080],
    [10, 0, 0, 0x8080],
    [0, 0, -1, 0x8081],
    [0, 3, 0, 0x8091],
    [0, 7, 0, 0x8091],
  ] as const)
    assert.equal(act(nr, mode, pv)[0], wanted, `${nr} ${mode} ${pv}`)
})

test('data blocks by number, and their length', () => {
  const members = {
    r: 'Int',
    n: 'DInt',
    len: 'UInt',
    long: 'UDInt',
    wp: 'Bool',
    attrib: 'Byte',
    req: 'Bool',
    r2: 'Int',
  }
  const run = runScl({
    members,
    body: '#r := TEST_DB(DB_NUMBER := #n, DB_LENGTH => #len, WRITE_PROT => #wp); #r2 := ATTR_DB(REQ := #req, DB_NUMBER := #n, DB_LENGTH => #long, ATTRIB => #attrib);',
    blocks: { Data: { type: structure({ a: Int, b: array(0, 9, Int) }), access: 'standard' } },
  })
  for (const [number, isRequested, wanted] of [
    [1, true, [0, 0, 22, 22]],
    [1, false, [0, 0x7000, 22, 0]],
    [2, true, [0x80b1, 0x80b1, 0, 0]],
    [0, true, [0x80a1, 0x80a1, 0, 0]],
    [65_535, true, [0x80b1, 0x80b1, 0, 0]],
    [65_536, true, [0x80a1, 0x80a1, 0, 0]],
  ] as const) {
    run.set('n', number)
    run.set('req', isRequested)
    run.set('len', 7)
    run.set('long', 7)
    run.scan()
    const status = ['r', 'r2'].map((name) => (run.get(name) as number) & 0xffff)
    assert.deepEqual([...status, run.get('len'), run.get('long')], wanted, `${number} ${isRequested}`)
  }
})

test('load memory: without a request nothing happens, and both sides have one size', () => {
  const run = runScl({
    members: {
      a: array(0, 1, Int),
      b: array(0, 1, Int),
      c: array(0, 2, Int),
      r: 'Int',
      s: 'Int',
      t: 'Int',
      u: 'Int',
      bo: 'Bool',
    },
    body: `#r := READ_DBL(REQ := FALSE, SRCBLK := #a, BUSY => #bo, DSTBLK => #b); #s := WRIT_DBL(REQ := FALSE, SRCBLK := #a, BUSY => #bo, DSTBLK => #b);
      #t := READ_DBL(REQ := TRUE, SRCBLK := #a, DSTBLK => #c); #u := WRIT_DBL(REQ := TRUE, SRCBLK := #a, DSTBLK => #c);`,
  })
  run.set('a', [3, 4])
  run.set('bo', true)
  run.scan()
  const status = ['r', 's', 't', 'u'].map((name) => (run.get(name) as number) & 0xffff)
  assert.deepEqual(
    [status, run.get('b'), run.get('c'), run.get('bo')],
    [[0x7000, 0x7000, 0x8453, 0x8453], [0, 0], [0, 0, 0], false],
  )
})

test('CNT_CTRL without a counting module: done, and no error at any output', () => {
  const run = runScl({
    members: { a: 'Bool', b: 'Bool', c: 'Bool', n: 'Int', db: 'Word' },
    body: '#n := CNT_CTRL(DB_NO := #db, SW_GATE := TRUE, OT_ERR => #a, OT_ERR_B => #b, L_DATERR => #c);',
  })
  for (const name of ['a', 'b', 'c']) run.set(name, true)
  run.set('n', 5)
  run.scan()
  assert.deepEqual(
    ['a', 'b', 'c', 'n'].map((name) => run.get(name)),
    [false, false, false, 0],
  )
})
