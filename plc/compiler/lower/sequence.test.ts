import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readStatements } from '../../formats/source/statements-read.ts'
import type { Branch, SequenceProgram } from '../../model/sequence.ts'
import { line, Running, type StepSpec, sequenceProgram, start, test } from '../../testing/lower-sequence.ts'
import { type SclRun, sclDiagnostics } from '../../testing/runtime.ts'

describe('GRAPH: sequences', () => {
  it('goes from step to step, one in a call, and jumps back', () => {
    const running = start([{}, {}])
    assert.equal(running.scan(), 'S1')
    assert.equal(running.get('S1.S1'), true)
    assert.equal(running.scan({ go1: true, go2: true }), 'S2')
    assert.deepEqual([running.get('S1.S0'), running.get('S2.S1'), running.get('t1.TS')], [true, true, true])
    assert.equal(running.scan(), 'S1')
    assert.equal(running.scan({ go1: false }), 'S1')
    assert.deepEqual([running.get('S2.S0'), running.get('t1.TV'), running.get('t1.TT')], [false, true, false])
  })

  it('ends', () => {
    const running = start([{}, {}], 'S1 t1 S2 t2 end')
    running.scan()
    running.scan({ go1: true, go2: true })
    assert.equal(running.scan(), '')
    assert.equal(running.scan(), '')
  })

  it('simultaneous branches begin and end together', () => {
    const ways = 'S1 t1 B1; B1.0 S2; B1.1 S3; S2 t2 S4; S4 B2.0; S3 B2.1; B2 t3 S1'
    const running = start([{}, {}, {}, {}], ways, [
      { number: 1, type: 'SimBegin', cardinality: 2 },
      { number: 2, type: 'SimEnd', cardinality: 2 },
    ])
    running.scan()
    assert.equal(running.scan({ go1: true, go3: true }), 'S2 S3')
    assert.equal(running.get('S_MORE'), true)
    assert.equal(running.scan(), 'S2 S3')
    assert.equal(running.scan({ go2: true }), 'S3 S4')
    assert.equal(running.scan(), 'S1')
  })

  it('alternative branches take the leftmost transition that is met', () => {
    const ways = 'S1 B1; B1.0 t2 S2; B1.1 t1 S3; S2 t3 B2.0; S3 t4 B2.1; B2 S4; S4 t5 S1'
    const branches: Branch[] = [
      { number: 1, type: 'AltBegin', cardinality: 2 },
      { number: 2, type: 'AltEnd', cardinality: 2 },
    ]
    for (const [values, expected] of [
      [{ go1: true }, 'S3'],
      [{ go2: true }, 'S2'],
      [{ go1: true, go2: true }, 'S2'],
    ] as const) {
      const running = start([{}, {}, {}, {}], ways, branches)
      running.scan()
      assert.equal(running.scan(values), expected)
      assert.equal(running.scan({ go3: true, go4: true }), 'S4')
    }
  })

  it('INIT_SQ begins anew when it rises, OFF_SQ leaves all steps', () => {
    const running = start([{}, {}])
    running.scan()
    assert.equal(running.scan({ go1: true }), 'S2')
    assert.equal(running.scan({ go1: false, INIT_SQ: true }), 'S1')
    assert.equal(running.scan({ go1: true }), 'S2')
    assert.equal(running.scan({ OFF_SQ: true }), '')
    assert.equal(running.scan({ OFF_SQ: false }), '')
    running.scan({ INIT_SQ: false })
    assert.equal(running.scan({ INIT_SQ: true }), 'S1')
  })

  it('times count from the activation, U stands still with an error', () => {
    const running = start([{ interlock: 'ok' }, {}])
    running.scan({ ok: true })
    running.scan({}, 100)
    assert.deepEqual([running.get('S1.T'), running.get('S1.U')].map(Number), [100, 100])
    running.scan({ ok: false }, 50)
    running.scan({}, 50)
    assert.deepEqual([running.get('S1.T'), running.get('S1.U')].map(Number), [200, 150])
    running.scan({ go1: true }, 50)
    assert.equal(Number(running.get('S2.T')), 0)
  })
})

describe('GRAPH: interlock and supervision', () => {
  it('events of the interlock', () => {
    const running = start([{ interlock: 'ok' }, {}])
    running.scan({ ok: true })
    running.scan({ ok: false })
    assert.deepEqual([running.get('S1.LA'), running.get('S1.L1'), running.get('ERR_FLT')], [true, true, true])
    running.scan({ ok: true })
    assert.deepEqual([running.get('S1.LA'), running.get('S1.L0'), running.get('S1.L1')], [false, true, false])
  })

  it('a supervision error stops the sequence until it leaves', () => {
    const running = start([{ supervision: 'sv' }, {}])
    running.scan()
    assert.equal(running.scan({ sv: true, go1: true }), 'S1')
    assert.deepEqual([running.get('S1.V1'), running.get('S1.VA')], [true, true])
    assert.equal(running.scan({ sv: false }), 'S2')
  })

  it('with acknowledgement required it must be acknowledged too', () => {
    const running = start([{ supervision: 'sv' }, {}])
    running.scan({ 'RT_DATA.MOP.ACKREQ': true })
    running.scan({ sv: true, go1: true })
    assert.equal(running.scan({ sv: false }), 'S1')
    assert.equal(running.scan({ ACK_EF: true }), 'S2')
  })
})

describe('GRAPH: actions', () => {
  /** q in each call: two in step 1, two in step 2. */
  function trace(lines: readonly string[], more: StepSpec = {}, values: Record<string, boolean> = {}): string {
    const running = start([{ ...more, actions: lines }, {}])
    const seen: string[] = []
    for (const go of [false, false, true, false]) {
      running.scan({ ...values, go1: go })
      seen.push(running.get('q') ? '1' : '0')
    }
    return seen.join('')
  }
  it('N', () => assert.equal(trace(['N #q']), '1100'))
  it('N with interlock', () => assert.equal(trace(['C N #q'], { interlock: 'ok' }), '0000'))
  it('S and R', () => {
    assert.equal(trace(['S #q']), '1111')
    assert.equal(trace(['S1 S #q', 'S0 R #q']), '1100')
  })
  it('events', () => {
    assert.equal(trace(['S1 N #q']), '1000')
    assert.equal(trace(['S0 S #q']), '0011')
    assert.equal(trace(['L1 S #q'], { interlock: 'ok' }), '1111')
    assert.equal(trace(['V1 S #q'], { supervision: 'sv' }, { sv: true }), '1111')
    assert.equal(trace(['V1 S #q'], { supervision: 'sv' }), '0000')
  })
  it('assignments, each cycle or once', () => {
    const counts = (text: string) => {
      const running = start([{ actions: [text] }, {}])
      for (const go1 of [false, false, true, false]) running.scan({ go1 })
      return running.get('n')
    }
    assert.equal(counts('N #n := #n + 1'), 2)
    assert.equal(counts('S1 N #n := #n + 1'), 1)
    assert.equal(counts('S0 N #n := #n + 5'), 5)
  })
  it('D and L', () => {
    const run = (text: string) => {
      const running = start([{ actions: [text] }, {}])
      return [0, 999, 1, 500]
        .map((milliseconds, i) => {
          running.scan({ go1: i === 3 }, milliseconds)
          return running.get('q') ? '1' : '0'
        })
        .join('')
    }
    assert.equal(run('D #q, T#1s'), '0010')
    assert.equal(run('L #q, T#1s'), '1100')
  })
  it('ON and OFF', () => {
    const running = start([{ actions: ['S1 ON S3'] }, { actions: ['S1 OFF S_ALL'] }, {}])
    assert.equal(running.scan(), 'S1')
    assert.equal(running.scan(), 'S1 S3')
    assert.equal(running.scan({ go1: true }), 'S2 S3')
    assert.equal(running.scan({ go1: false }), 'S2')
  })
  it('counters', () => {
    const running = start([{ actions: ['S1 CS %C3, C#7', 'S0 CU %C3'] }, { actions: ['S1 CU %C3', 'S0 CD %C3'] }])
    running.scan()
    running.scan({ go1: true })
    running.scan({ go1: false, go2: true })
    const { view, program } = counterOf(running.run)
    assert.equal(view.getInt16(program, true), 7)
  })
  it('timers', () => {
    const q = (lines: readonly string[], milliseconds: number) => {
      const of = sequenceProgram([{ actions: lines }, {}], line)
      const withTimer: SequenceProgram = {
        ...of,
        after: [{ title: {}, comment: {}, language: 'STL', statements: readStatements('A T 5;\n= #q;\n') }],
      }
      const running = new Running(withTimer)
      return [0, 0, milliseconds]
        .map((passed, i) => {
          running.scan({ go1: i > 0 }, passed)
          return running.get('q') ? '1' : '0'
        })
        .join('')
    }
    assert.equal(q(['S1 TL %T5, S5T#1s'], 999), '111')
    assert.equal(q(['S1 TL %T5, S5T#1s'], 1000), '110')
    assert.equal(q(['S1 TD %T5, S5T#1s'], 999), '000')
    assert.equal(q(['S1 TD %T5, S5T#1s'], 1000), '001')
    assert.equal(q(['TF %T5, S5T#1s'], 999), '111')
    assert.equal(q(['TF %T5, S5T#1s'], 1000), '110')
    assert.equal(q(['S1 TL %T5, S5T#1s', 'S0 TR %T5'], 10), '100')
  })
})

/** C3 in memory. */
function counterOf({ host }: SclRun): { view: DataView; program: number } {
  const { view, program } = host as unknown as {
    view: DataView
    program: { areas: Record<string, { address: number }> }
  }
  return { view, program: (program.areas.C?.address ?? 0) + 3 * 8 }
}

describe('GRAPH: modes', () => {
  it('TAP: condition and T_PUSH', () => {
    const running = start([{}, {}])
    running.scan()
    running.scan({ SW_TAP: true })
    assert.deepEqual([running.get('TAP_ON'), running.get('AUTO_ON')], [true, false])
    assert.equal(running.scan({ go1: true }), 'S1')
    assert.equal(running.scan({ T_PUSH: true }), 'S2')
  })
  it('TOP: condition or T_PUSH', () => {
    const running = start([{}, {}])
    running.scan()
    assert.equal(running.scan({ SW_TOP: true }), 'S1')
    assert.equal(running.scan({ T_PUSH: true }), 'S2')
    assert.equal(running.scan({ go2: true }), 'S1')
  })
  it('MAN: steps are chosen', () => {
    const running = start([{}, {}])
    running.scan()
    assert.equal(running.scan({ SW_MAN: true, go1: true, S_SEL: 2 }), 'S1')
    assert.equal(running.get('S_NO'), 2)
    assert.equal(running.scan({ S_ON: true }), 'S1 S2')
    assert.equal(running.get('S_ACTIVE'), true)
    assert.equal(running.scan({ S_SEL: 1, S_OFF: true }), 'S2')
    assert.equal(running.scan({ SW_AUTO: true, go2: true }), 'S1')
  })
  it('S_NO, S_NEXT and S_PREV', () => {
    const ways = 'S1 t1 B1; B1.0 S2; B1.1 S3; S2 B2.0; S3 B2.1; B2 t2 S1'
    const running = start([{}, {}, {}], ways, [
      { number: 1, type: 'SimBegin', cardinality: 2 },
      { number: 2, type: 'SimEnd', cardinality: 2 },
    ])
    running.scan()
    assert.equal(running.get('S_NO'), 1)
    running.scan({ go1: true })
    assert.equal(running.get('S_NO'), 2)
    running.scan({ S_NEXT: true })
    assert.equal(running.get('S_NO'), 3)
    running.scan({ S_NEXT: false, S_PREV: true })
    assert.equal(running.get('S_NO'), 2)
  })
})

/** Pages of the TIA Portal help V19 "Creating GRAPH programs"; each test names its page. */
describe('GRAPH of the help', () => {
  const mop = (name: string) => `RT_DATA.MOP.${name}`

  it('Event-dependent actions: OFF has priority over ON', () => {
    const running = start([{ actions: ['S1 ON S3', 'S1 OFF S3'] }, {}, {}])
    running.scan()
    assert.equal(running.scan(), 'S1')
    assert.equal(running.scan(), 'S1')
  })

  it('Static parameters of a step: LS and VS are the results of interlock and supervision', () => {
    const running = start([{ interlock: 'ok', supervision: 'sv' }, {}])
    const seen = [
      { ok: true, sv: true },
      { ok: false, sv: false },
      { sv: true, [mop('SUP')]: false, [mop('LOCK')]: false },
      { go1: true, [mop('SUP')]: true, sv: false },
    ].map((values) => {
      running.scan(values)
      return ['LS', 'VS', 'LA', 'VA'].map((name) => (running.get(`S1.${name}`) ? '1' : '0')).join('')
    })
    assert.deepEqual(seen, ['1101', '0010', '0100', '0000'])
  })

  it('Access to interface parameters: members of MOP work with their rising edge, requests end themselves', () => {
    const running = start([{}, {}])
    running.scan()
    assert.equal(running.scan({ go1: true }), 'S2')
    assert.equal(running.scan({ go1: false, [mop('INIT')]: true }), 'S1')
    assert.equal(running.get(mop('INIT')), false)
    assert.equal(running.scan({ go1: true }), 'S2')
    // A program that writes TRUE in each cycle asks once.
    assert.equal(running.scan({ go1: false, [mop('OFF')]: true }), '')
    assert.equal(running.scan({ [mop('OFF')]: true, [mop('INIT')]: true }), 'S1')
  })

  it('Other static parameters: modes, T_PUSH, S_ON and S_OFF', () => {
    const running = start([{}, {}])
    running.scan()
    running.scan({ [mop('TAP')]: true })
    assert.deepEqual([running.get('TAP_ON'), running.get('AUTO_ON'), running.get(mop('AUTO'))], [true, false, false])
    assert.equal(running.scan({ go1: true }), 'S1')
    assert.equal(running.scan({ [mop('T_PUSH')]: true }), 'S2')
    running.scan({ [mop('MAN')]: true, go2: true, S_SEL: 1 })
    assert.deepEqual([running.get('MAN_ON'), running.get('TAP_ON'), running.get('S_NO')], [true, false, 1])
    assert.equal(running.scan({ [mop('S_ON')]: true }), 'S1 S2')
    assert.equal(running.scan({ [mop('S_OFF')]: true }), 'S2')
  })

  it('Other static parameters: HOLD stops the sequence and lets it go on, ACK acknowledges', () => {
    const running = start([{ supervision: 'sv' }, {}])
    running.scan()
    assert.equal(running.scan({ go1: true, [mop('HALT')]: true }), 'S1')
    assert.deepEqual([running.get('SQ_HALTED'), running.scan({ [mop('HALT')]: false })], [true, 'S1'])
    assert.equal(running.scan({ sv: true, [mop('ACKREQ')]: true, [mop('HALT')]: true }), 'S1')
    assert.equal(running.scan({ sv: false }), 'S1')
    assert.equal(running.scan({ [mop('ACK')]: true }), 'S2')
  })
})

describe('GRAPH: faults', () => {
  it('names what is wrong', () => {
    const found = sclDiagnostics(
      test(sequenceProgram([{ actions: ['S1 D #q, T#1s', 'ON S9', 'TL #q, S5T#1s', 'S #n'] }, {}], 'S1 t1 S2; t2 S1')),
    )
    assert.deepEqual(found.map(({ code }) => code).sort(), [
      'chart-structure',
      'type-mismatch',
      'unsupported-action',
      'unsupported-action',
      'unsupported-action',
    ])
  })
})
