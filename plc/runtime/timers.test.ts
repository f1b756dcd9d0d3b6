import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DInt, Int, LInt, rangeOf, SInt, UDInt, UInt, ULInt, USInt } from '../program/scalars.ts'
import type { Access, ScalarType, Type } from '../program/type.ts'
import { codesOf, runScl, type SclRun, systemTypes } from '../testing/runtime.ts'

const accesses: readonly Access[] = ['optimized', 'standard']

function timer(name: string, access: Access, call = '#t(IN := #in, PT := #pt, Q => #q, ET => #et);'): SclRun {
  const isLong = name.endsWith('LTIME')
  const type = isLong ? 'LTime' : 'Time'
  return runScl({
    access,
    members: { t: systemTypes.timer(name), in: 'Bool', r: 'Bool', pt: type, q: 'Bool', et: type },
    body: call,
  })
}

/** Advances the time, sets the input, scans, and checks output and elapsed time. */
function step(run: SclRun, milliseconds: number, input: boolean, q: boolean, et: number): void {
  run.clock.advanceMilliseconds(milliseconds)
  run.set('in', input)
  run.scan()
  assert.deepEqual([run.get('q'), Number(run.get('et'))], [q, et])
}

for (const access of accesses)
  describe(`timers, ${access} access`, () => {
    test('TON: on after the time, exactly at PT, off at once', () => {
      const run = timer('TON_TIME', access)
      run.set('pt', 1000)
      step(run, 500, false, false, 0)
      step(run, 10, true, false, 0)
      step(run, 999, true, false, 999)
      step(run, 1, true, true, 1000)
      step(run, 5000, true, true, 1000)
      step(run, 0, false, false, 0)
      step(run, 0, true, false, 0)
      step(run, 500, true, false, 500)
      step(run, 100, false, false, 0)
    })
    test('TON: a change of PT has no effect while it runs', () => {
      const run = timer('TON_TIME', access)
      run.set('pt', 1000)
      step(run, 0, true, false, 0)
      run.set('pt', 100)
      step(run, 500, true, false, 500)
      run.set('pt', 5000)
      step(run, 500, true, true, 1000)
      step(run, 0, false, false, 0)
      step(run, 0, true, false, 0)
      step(run, 4999, true, false, 4999)
      step(run, 1, true, true, 5000)
    })
    test('TON: nothing and less than nothing to wait for', () => {
      for (const pt of [0, -5]) {
        const run = timer('TON_TIME', access)
        run.set('pt', pt)
        step(run, 10, true, true, 0)
        step(run, 10, false, false, 0)
      }
    })
    test('TON: the clock of milliseconds wraps after 24.8 and 49.7 days', () => {
      for (const days of [24.85513, 49.71026]) {
        const run = timer('TON_TIME', access)
        run.set('pt', 10_000)
        const start = Math.floor(days * 86_400_000) - 5000
        step(run, start, false, false, 0)
        step(run, 0, true, false, 0)
        step(run, 9999, true, false, 9999)
        step(run, 1, true, true, 10_000)
      }
    })
    test('TON: the longest time there is', () => {
      const run = timer('TON_TIME', access)
      run.set('pt', 2_147_483_647)
      step(run, 0, true, false, 0)
      step(run, 2_147_483_646, true, false, 2_147_483_646)
      step(run, 1, true, true, 2_147_483_647)
    })
    test('TOF: stays on for the time', () => {
      const run = timer('TOF_TIME', access)
      run.set('pt', 1000)
      step(run, 0, false, false, 0)
      step(run, 0, true, true, 0)
      step(run, 10, false, true, 0)
      step(run, 999, false, true, 999)
      step(run, 1, false, false, 1000)
      step(run, 50, false, false, 1000)
      step(run, 0, true, true, 0)
      step(run, 0, false, true, 0)
      step(run, 500, true, true, 0)
      step(run, 0, false, true, 0)
      step(run, 1000, false, false, 1000)
    })
    test('TP: a pulse is neither cut nor stretched', () => {
      const run = timer('TP_TIME', access)
      run.set('pt', 1000)
      step(run, 0, true, true, 0)
      step(run, 300, false, true, 300)
      step(run, 300, true, true, 600)
      step(run, 400, true, false, 1000)
      step(run, 100, true, false, 1000)
      step(run, 0, false, false, 0)
      step(run, 0, true, true, 0)
      step(run, 1000, false, false, 0)
    })
    test('TONR: keeps what it has measured, R clears it, PT counts from the next resume on', () => {
      const run = timer('TONR_TIME', access, '#t(IN := #in, R := #r, PT := #pt, Q => #q, ET => #et);')
      run.set('pt', 1000)
      step(run, 0, true, false, 0)
      step(run, 400, true, false, 400)
      step(run, 100, false, false, 500)
      step(run, 9000, false, false, 500)
      run.set('pt', 2000)
      step(run, 0, true, false, 500)
      run.set('pt', 1)
      step(run, 1499, true, false, 1999)
      step(run, 1, true, true, 2000)
      step(run, 10, false, true, 2000)
      run.set('r', true)
      step(run, 0, true, false, 0)
      run.set('r', false)
      step(run, 0, true, false, 0)
      step(run, 1, true, true, 1)
    })
    test('LTIME timers measure nanoseconds', () => {
      const run = timer('TON_LTIME', access)
      run.set('pt', 1500n)
      run.set('in', true)
      run.scan()
      run.clock.advance(1499n)
      run.scan()
      assert.deepEqual([run.get('q'), run.get('et')], [false, 1499n])
      run.clock.advance(1n)
      run.scan()
      assert.deepEqual([run.get('q'), run.get('et')], [true, 1500n])
    })
  })

test('Q and ET follow the clock when they are read outside the call', () => {
  const run = runScl({
    members: { t: systemTypes.timer('TON_TIME'), call: 'Bool', q: 'Bool', et: 'Time', raw: 'Bool' },
    body: 'IF #call THEN #t(IN := TRUE, PT := T#1s); END_IF; #et := #t.ET; #q := #t.Q;',
  })
  run.set('call', true)
  run.scan()
  run.set('call', false)
  run.clock.advanceMilliseconds(700)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('et')], [false, 700])
  run.clock.advanceMilliseconds(300)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('et')], [true, 1000])
})

test('"DB".TON and #timer.TP: the instruction stands behind its instance', () => {
  const run = runScl({
    members: { t: systemTypes.iecTimer, q: 'Bool', p: 'Bool' },
    blocks: { Delay: { type: systemTypes.iecTimer, access: 'standard' } },
    body: '"Delay".TON(IN := TRUE, PT := T#20ms, Q => #q); #t.TP(IN := TRUE, PT := T#10ms, Q => #p);',
  })
  run.scan()
  assert.deepEqual([run.get('q'), run.get('p')], [false, true])
  run.clock.advanceMilliseconds(20)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('p')], [true, false])
  assert.equal(run.get('Delay.ET'), 20)
})

test('RESET_TIMER sets a timer back, PRESET_TIMER changes its time at once', () => {
  const run = runScl({
    members: { t: systemTypes.timer('TON_TIME'), reset: 'Bool', preset: 'Bool', q: 'Bool', et: 'Time' },
    body: `IF #reset THEN RESET_TIMER(#t); END_IF;
      IF #preset THEN PRESET_TIMER(PT := T#300ms, TIMER := #t); END_IF;
      #t(IN := TRUE, PT := T#1s, Q => #q, ET => #et);`,
  })
  run.scan()
  run.clock.advanceMilliseconds(500)
  run.set('reset', true)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('et')], [false, 0])
  run.set('reset', false)
  run.clock.advanceMilliseconds(250)
  run.set('preset', true)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('et')], [false, 250])
  run.clock.advanceMilliseconds(50)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('et')], [true, 300])
})

test('what is not given stays as it was', () => {
  const run = runScl({
    members: { t: systemTypes.timer('TON_TIME'), q: 'Bool' },
    body: '#t(PT := T#5ms); #t(IN := TRUE); #q := #t.Q;',
  })
  run.scan()
  assert.equal(run.get('q'), false)
  run.clock.advanceMilliseconds(5)
  run.scan()
  assert.equal(run.get('q'), true)
})

test('wrong parameters of an instance are named', () => {
  const members = { t: systemTypes.timer('TON_TIME'), q: 'Bool' }
  assert.deepEqual(codesOf({ members, body: '#t(INN := TRUE);' }), ['unknown-parameter'])
  assert.deepEqual(codesOf({ members, body: '#t(IN => #q);' }), ['parameter-direction'])
  assert.deepEqual(codesOf({ members, body: '#t(IN := TRUE, IN := TRUE);' }), ['duplicate-parameter'])
  assert.deepEqual(codesOf({ members, body: '#t(PT := 1.5);' }), ['constant-does-not-fit'])
  assert.deepEqual(codesOf({ members, body: '#q := TONN(1);' }), ['unknown-instruction'])
})

describe('counters', () => {
  for (const access of accesses)
    for (const type of [SInt, Int, DInt, LInt, USInt, UInt, UDInt, ULInt])
      test(`CTU of ${type.name}, ${access} access`, () => {
        const run = counter(`CTU_${type.name.toUpperCase()}`, type, access)
        run.set('pv', 2)
        const cycle = (cu: boolean, r = false) => {
          run.set('cu', cu)
          run.set('r', r)
          run.scan()
          return [run.get('q'), Number(run.get('cv'))]
        }
        assert.deepEqual(cycle(true), [false, 1])
        assert.deepEqual(cycle(true), [false, 1])
        assert.deepEqual(cycle(false), [false, 1])
        assert.deepEqual(cycle(true), [true, 2])
        assert.deepEqual(cycle(false, true), [false, 0])
        assert.deepEqual(cycle(true, true), [false, 0])
        assert.deepEqual(cycle(true), [false, 0], 'the edge came while R was on')
        const [, high] = rangeOf(type) as readonly [bigint, bigint]
        run.set('c.CV', high)
        cycle(false)
        cycle(true)
        assert.equal(BigInt(run.get('cv') as number), high, 'counting stops at the limit')
      })

  function counter(name: string, type: ScalarType, access: Access): SclRun {
    const down = name.startsWith('CTD_')
    return runScl({
      access,
      members: { c: systemTypes.counter(name, type), cu: 'Bool', r: 'Bool', pv: type, q: 'Bool', cv: type },
      body: down
        ? '#c(CD := #cu, LD := #r, PV := #pv, Q => #q, CV => #cv);'
        : '#c(CU := #cu, R := #r, PV := #pv, Q => #q, CV => #cv);',
    })
  }

  test('CTD: from PV down, Q at zero and below, stops at the lowest value', () => {
    const run = counter('CTD_SINT', SInt, 'optimized')
    run.set('pv', 2)
    const cycle = (cd: boolean, ld = false) => {
      run.set('cu', cd)
      run.set('r', ld)
      run.scan()
      return [run.get('q'), run.get('cv')]
    }
    assert.deepEqual(cycle(false), [true, 0])
    assert.deepEqual(cycle(false, true), [false, 2])
    assert.deepEqual(cycle(true), [false, 1])
    assert.deepEqual(cycle(false), [false, 1])
    assert.deepEqual(cycle(true), [true, 0])
    run.set('c.CV', -128)
    cycle(false)
    assert.deepEqual(cycle(true), [true, -128])
  })

  test('CTUD: both ways, R before LD', () => {
    const run = runScl({
      members: {
        ...{ c: systemTypes.iecCounter as Type, up: 'Bool', down: 'Bool', r: 'Bool', ld: 'Bool' },
        ...{ qu: 'Bool', qd: 'Bool', cv: 'Int' },
      },
      body: '#c.CTUD(CU := #up, CD := #down, R := #r, LD := #ld, PV := 2, QU => #qu, QD => #qd, CV => #cv);',
    })
    const cycle = (up: boolean, down: boolean, r = false, ld = false) => {
      for (const [name, value] of Object.entries({ up, down, r, ld })) run.set(name, value)
      run.scan()
      return [run.get('qu'), run.get('qd'), run.get('cv')]
    }
    assert.deepEqual(cycle(false, false), [false, true, 0])
    assert.deepEqual(cycle(true, false), [false, false, 1])
    assert.deepEqual(cycle(false, true), [false, true, 0])
    assert.deepEqual(cycle(true, false), [false, false, 1])
    assert.deepEqual(cycle(false, false), [false, false, 1])
    assert.deepEqual(cycle(true, true), [false, false, 1])
    assert.deepEqual(cycle(false, false, false, true), [true, false, 2])
    assert.deepEqual(cycle(false, false, true, true), [false, true, 0])
  })
})

test('R_TRIG and F_TRIG: one cycle each; the first TRUE is an edge', () => {
  const run = runScl({
    members: {
      ...{ up: systemTypes.edge('R_TRIG'), down: systemTypes.edge('F_TRIG'), in: 'Bool', rises: 'Bool', falls: 'Bool' },
    },
    body: '#up(CLK := #in, Q => #rises); #down(CLK := #in, Q => #falls);',
  })
  const seen = [true, true, false, false, true].map((input) => {
    run.set('in', input)
    run.scan()
    return [run.get('rises'), run.get('falls')]
  })
  assert.deepEqual(seen, [
    [true, false],
    [false, false],
    [false, true],
    [false, false],
    [true, false],
  ])
})

test('EN and ENO of a call', () => {
  const run = runScl({
    members: { t: systemTypes.timer('TON_TIME'), en: 'Bool', eno: 'Bool', x: 'Int', bad: 'Bool' },
    body: `#t(EN := #en, IN := TRUE, PT := T#1s, ENO => #eno);
      #x := TO_INT(IN := 100000, ENO => #bad);`,
    setsEno: false,
  })
  run.scan()
  assert.deepEqual([run.get('eno'), run.get('t.IN'), run.get('bad')], [false, false, false])
  run.set('en', true)
  run.scan()
  assert.deepEqual([run.get('eno'), run.get('t.IN')], [true, true])
})
