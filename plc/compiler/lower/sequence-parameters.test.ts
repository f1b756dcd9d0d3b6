/** One test for each parameter of a GRAPH function block that sequence.test.ts does not cover. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Branch, SequenceProgram } from '../../model/sequence.ts'
import { Bool } from '../../program/scalars.ts'
import { line, Running, sequenceProgram, start, test } from '../../testing/lower-sequence.ts'
import { runScl, structure } from '../../testing/runtime.ts'

const both: Branch[] = [
  { number: 1, type: 'SimBegin', cardinality: 2 },
  { number: 2, type: 'SimEnd', cardinality: 2 },
]
const bothWays = 'S1 t1 B1; B1.0 S2; B1.1 S3; S2 B2.0; S3 B2.1; B2 t2 S1'

/** A rising edge of an input: one call with it and one without; returns the active steps. */
function press(running: Running, input: string): string {
  running.scan({ [input]: true })
  return running.scan({ [input]: false })
}

/** Reduces the first network of a condition to the power rail, as exports show an unprogrammed one. */
function bareSupervision(of: SequenceProgram): SequenceProgram {
  const graph = {
    labels: [],
    nodes: [
      { kind: 'part' as const, uId: 21, name: 'SvCoil', negated: [], invisible: [], templates: [], automaticTyped: [] },
    ],
    wires: [{ uId: 22, ends: [{ kind: 'powerrail' as const }, { kind: 'pin' as const, uId: 21, pin: 'in' }] }],
  }
  return {
    ...of,
    sequences: of.sequences.map((sequence) => ({
      ...sequence,
      steps: sequence.steps.map((step) => ({ ...step, supervision: { language: 'LAD', graph } })),
    })),
  }
}

describe('GRAPH: switches', () => {
  for (const [input, output, atFirst] of [
    ['HALT_SQ', 'SQ_HALTED', false],
    ['HALT_TM', 'TM_HALTED', false],
    ['ZERO_OP', 'OP_ZEROED', false],
    ['EN_IL', 'IL_ENABLED', true],
    ['EN_SV', 'SV_ENABLED', true],
    ['EN_ACKREQ', 'ACKREQ_ENABLED', false],
    ['EN_SSKIP', 'SSKIP_ENABLED', false],
  ] as const)
    it(`${input} turns ${output} with each rising edge`, () => {
      const running = start([{}, {}])
      running.scan()
      assert.equal(running.get(output), atFirst)
      running.scan({ [input]: true })
      assert.equal(running.get(output), !atFirst)
      running.scan()
      assert.equal(running.get(output), !atFirst)
      press(running, input)
      assert.equal(running.get(output), !atFirst)
      press(running, input)
      assert.equal(running.get(output), atFirst)
    })

  it('HALT_SQ: steps stay as they are, actions go on', () => {
    const running = start([{ actions: ['N #n := #n + 1'] }, {}])
    running.scan()
    press(running, 'HALT_SQ')
    assert.equal(running.scan({ go1: true }), 'S1')
    assert.equal(running.get('n'), 4)
    assert.deepEqual([running.get('t1.TV'), running.get('t1.TT')], [true, true])
    running.scan({ HALT_SQ: true })
    assert.equal(running.active(), 'S2')
  })

  it('HALT_TM: T, U, D and L stand still', () => {
    const running = start([{ actions: ['D #q, T#1s', 'L #r, T#1s'] }, {}])
    running.scan()
    running.scan({}, 600)
    running.scan({ HALT_TM: true }, 0)
    running.scan({ HALT_TM: false }, 5000)
    assert.deepEqual([running.get('S1.T'), running.get('S1.U')].map(Number), [600, 600])
    assert.deepEqual([running.get('q'), running.get('r')], [false, true])
    running.scan({ HALT_TM: true }, 0)
    running.scan({}, 399)
    assert.deepEqual([running.get('q'), running.get('r')], [false, true])
    running.scan({}, 1)
    assert.deepEqual([Number(running.get('S1.T')), running.get('q'), running.get('r')], [1000, true, false])
  })

  it('ZERO_OP: operands of N, D and L are FALSE, assignments rest, S stays', () => {
    const running = start([{ actions: ['N #q', 'S #r', 'N #n := #n + 1', 'L #ok, T#1h'] }, {}])
    running.scan()
    running.scan({ ZERO_OP: true })
    assert.deepEqual(
      ['q', 'r', 'ok'].map((name) => running.get(name)),
      [false, true, false],
    )
    assert.equal(running.get('n'), 1)
    running.scan({ ZERO_OP: false })
    running.scan({ ZERO_OP: true })
    assert.deepEqual([running.get('q'), running.get('ok'), running.get('n')], [true, true, 2])
  })

  it('EN_IL: as if interlocks were fulfilled', () => {
    const running = start([{ interlock: 'ok', actions: ['C N #q'] }, {}])
    running.scan()
    assert.deepEqual([running.get('q'), running.get('ERROR'), running.get('FAULT')], [false, true, false])
    running.scan({ EN_IL: true })
    assert.deepEqual([running.get('q'), running.get('S1.L0'), running.get('ERROR')], [true, true, false])
  })

  it('EN_SV: supervisions are not looked at, and errors of before are gone', () => {
    const running = start([{ supervision: 'sv' }, {}])
    running.scan({ 'RT_DATA.MOP.ACKREQ': true })
    assert.equal(running.scan({ sv: true, go1: true }), 'S1')
    assert.deepEqual([running.get('ERROR'), running.get('FAULT'), running.get('ERR_FLT')], [false, true, true])
    const flags = ['ERROR', 'FAULT', 'ERR_FLT'].map((name) => running.get(`RT_DATA.SQ_FLAGS.${name}`))
    assert.deepEqual([...flags, running.get('RT_DATA.S_DISPLAY')], [false, true, true, 1])
    assert.equal(running.scan({ EN_SV: true }), 'S2')
    assert.equal(running.get('FAULT'), false)
  })

  it('blocks of version 1.0 have modes and flags in their statics', () => {
    const { members, ...rest } = test(sequenceProgram([{ supervision: 'sv' }, {}], line))
    const { RT_DATA: _data, ...others } = members
    const modes = structure({ AUTO: Bool, ACKREQ: Bool })
    const flags = structure({ ERR_FLT: Bool, ERROR: Bool })
    const run = runScl({ ...rest, members: { ...others, MOP: modes, SQ_FLAGS: flags } })
    run.scan()
    run.set('MOP.ACKREQ', true)
    run.set('sv', true)
    run.set('go1', true)
    run.scan()
    assert.deepEqual([run.get('S1.X'), run.get('SQ_FLAGS.ERR_FLT')], [true, true])
    run.set('sv', false)
    run.set('ACK_EF', true)
    run.scan()
    assert.deepEqual([run.get('S2.X'), run.get('SQ_FLAGS.ERR_FLT')], [true, false])
  })

  it('EN_ACKREQ: errors must be acknowledged', () => {
    for (const isRequired of [false, true]) {
      const running = start([{ supervision: 'sv' }, {}])
      running.scan()
      if (isRequired) press(running, 'EN_ACKREQ')
      running.scan({ sv: true, go1: true })
      assert.equal(running.scan({ sv: false }), isRequired ? 'S1' : 'S2')
    }
  })

  it('EN_SSKIP: a step is skipped whose transitions before and behind it are met', () => {
    const running = start([{}, { actions: ['N #q', 'S0 S #r'] }, {}], 'S1 t1 S2 t2 S3 t3 S1')
    running.scan()
    press(running, 'EN_SSKIP')
    assert.equal(running.scan({ go1: true, go2: true }), 'S3')
    assert.deepEqual(
      ['S2.S1', 'S2.S0', 'q', 'r', 't1.TS', 't2.TS'].map((name) => running.get(name)),
      [false, false, false, false, true, true],
    )
    // All conditions are met: it ends.
    assert.match(running.scan({ go3: true }), /^S[123]$/)
  })
})

describe('GRAPH: properties of the block', () => {
  it('SkipSteps: steps are skipped from the first call on', () => {
    const of = sequenceProgram([{}, { actions: ['N #q'] }, {}], 'S1 t1 S2 t2 S3 t3 S1')
    for (const skipsSteps of [undefined, true] as const) {
      const running = new Running(of, {}, skipsSteps ? { skipsSteps } : undefined)
      running.scan()
      assert.equal(running.scan({ go1: true, go2: true }), skipsSteps ? 'S3' : 'S2')
      assert.equal(running.get('RT_DATA.MOP.SSKIP'), skipsSteps === true)
    }
  })

  it('AcknowledgeErrorsRequired: errors must be acknowledged, until EN_ACKREQ ends that', () => {
    const running = new Running(sequenceProgram([{ supervision: 'sv' }, {}], line), {}, { needsAcknowledgement: true })
    running.scan()
    running.scan({ sv: true, go1: true })
    assert.equal(running.scan({ sv: false }), 'S1')
    assert.equal(running.get('ACKREQ_ENABLED'), true)
    assert.equal(running.scan({ ACK_EF: true }), 'S2')
  })

  it('ILP_MAN, IL_PERM and T_PERM: conditions of steps that are not active are processed', () => {
    const of = sequenceProgram([{}, { interlock: 'ok' }], line)
    const seen = (running: Running) => [running.get('S2.LS'), running.get('S2.LA'), running.get('t2.TT')]
    const manual = new Running(of, {}, { interlocksInManual: true })
    manual.scan({ ok: true, go2: true })
    assert.deepEqual(seen(manual), [false, false, false])
    manual.scan({ SW_MAN: true })
    assert.deepEqual(seen(manual), [true, false, false])
    const running = new Running(of)
    running.scan({ ok: true, go2: true, 'RT_DATA.MOP.IL_PERM': true })
    assert.deepEqual(seen(running), [true, false, false])
    assert.equal(running.scan({ ok: false, 'RT_DATA.MOP.T_PERM': true }), 'S1')
    assert.deepEqual(seen(running), [false, false, true])
  })
})

describe('GRAPH: acknowledgement', () => {
  it('ACK_EF goes on although the error is there', () => {
    const running = start([{ supervision: 'sv' }, {}])
    running.scan()
    assert.equal(running.scan({ sv: true, go1: true }), 'S1')
    assert.equal(running.scan({ ACK_EF: true }), 'S2')
  })
  it('ACK_S and REG_S are for the step that S_NO shows', () => {
    const running = start([{}, { supervision: 'sv' }, { supervision: 'sv' }], bothWays, both)
    running.scan({ 'RT_DATA.MOP.ACKREQ': true })
    running.scan({ go1: true })
    running.scan({ sv: true })
    running.scan({ sv: false, S_NEXT: true })
    assert.equal(running.get('S_NO'), 3)
    running.scan({ ACK_S: true, REG_S: true })
    assert.deepEqual(
      ['S2.VA', 'S3.VA', 'S2.R1', 'S3.R1'].map((name) => running.get(name)),
      [true, false, false, true],
    )
  })
  it('REG_EF is for all steps', () => {
    const running = start([{}, {}, {}], bothWays, both)
    running.scan()
    running.scan({ go1: true })
    running.scan({ REG_EF: true })
    assert.deepEqual([running.get('S2.R1'), running.get('S3.R1')], [true, true])
  })
})

describe('GRAPH: the step and the transition that are shown', () => {
  it('S_TIME, S_TIMEOK and S_STATE', () => {
    const running = start([{ interlock: 'ok' }, {}])
    running.scan({ ok: true })
    running.scan({}, 100)
    running.scan({ ok: false }, 10)
    running.scan({}, 10)
    assert.deepEqual([running.get('S_TIME'), running.get('S_TIMEOK')].map(Number), [120, 110])
    // X and LA.
    assert.equal(running.get('S_STATE'), 0x0003)
  })
  it('SQ_ISOFF', () => {
    const running = start([{}, {}])
    running.scan()
    assert.equal(running.get('SQ_ISOFF'), false)
    running.scan({ OFF_SQ: true })
    assert.deepEqual([running.get('SQ_ISOFF'), running.get('S_NO'), running.get('S_ACTIVE')], [true, 0, false])
  })
  it('manual: S_PREV and S_NEXT go through all steps, S_SEL counts when it changes', () => {
    const running = start([{}, {}, {}], 'S1 t1 S2 t2 S3 t3 S1')
    running.scan()
    running.scan({ SW_MAN: true })
    const shown: unknown[] = []
    for (const input of ['S_NEXT', 'S_NEXT', 'S_NEXT', 'S_PREV']) {
      press(running, input)
      shown.push(running.get('S_NO'))
    }
    assert.deepEqual(shown, [2, 3, 1, 3])
    running.scan({ S_SEL: 2 })
    assert.equal(running.get('S_NO'), 2)
    press(running, 'S_NEXT')
    assert.equal(running.get('S_NO'), 3)
    running.scan({ S_SEL: 99 })
    assert.equal(running.get('S_NO'), 3)
    assert.equal(running.scan({ S_ON: true }), 'S1 S3')
  })
  it('S_SELOK takes S_SEL over', () => {
    const running = new Running(sequenceProgram([{}, {}], 'S1 t1 S2 t2 S1'), { S_SELOK: 'Bool' })
    running.scan()
    running.scan({ SW_MAN: true, S_SEL: 2 })
    assert.equal(running.get('S_NO'), 1)
    running.scan({ S_SELOK: true })
    assert.equal(running.get('S_NO'), 2)
  })
  it('DISP_SACT, DISP_SEF and DISP_SALL', () => {
    const running = start([{}, {}, { supervision: 'sv' }], bothWays, both)
    running.scan()
    running.scan({ go1: true })
    const seen = (input: string) => {
      press(running, input)
      const numbers = [running.get('S_NO')]
      for (let i = 0; i < 3; i++) {
        press(running, 'S_NEXT')
        numbers.push(running.get('S_NO'))
      }
      return [...numbers, ['SACT_DISP', 'SEF_DISP', 'SALL_DISP'].filter((name) => running.get(name)).join()]
    }
    running.scan({ sv: true })
    assert.deepEqual(seen('DISP_SALL'), [2, 3, 1, 2, 'SALL_DISP'])
    assert.deepEqual(seen('DISP_SEF'), [3, 3, 3, 3, 'SEF_DISP'])
    assert.deepEqual(seen('DISP_SACT'), [3, 2, 3, 2, 'SACT_DISP'])
  })
  it('T_NO, T_MORE, T_NEXT and T_PREV', () => {
    const running = start([{}, {}, {}], 'S1 t1 B1; B1.0 S2; B1.1 S3; S2 t2 S1; S3 t3 S1', both)
    running.scan()
    running.scan()
    assert.deepEqual([running.get('T_NO'), running.get('T_MORE')], [1, false])
    running.scan({ go1: true })
    running.scan({ go1: false })
    assert.deepEqual([running.get('T_NO'), running.get('T_MORE')], [2, true])
    running.scan({ T_NEXT: true })
    assert.equal(running.get('T_NO'), 3)
    running.scan({ T_PREV: true })
    assert.equal(running.get('T_NO'), 2)
  })
})

describe('GRAPH: times of steps', () => {
  it('T_MAX comes from the properties of the step, and stops nothing by itself', () => {
    const running = start([{ maximumTime: 'T#2S' }, {}])
    running.scan()
    assert.equal(Number(running.get('S1.T_MAX')), 2000)
    running.scan({}, 5000)
    assert.equal(running.scan({ go1: true }), 'S2')
  })
  it('a supervision with nothing but its coil is none', () => {
    const running = new Running(bareSupervision(sequenceProgram([{}, {}], 'S1 t1 S2 t2 S1')))
    running.scan()
    assert.equal(running.scan({ go1: true }), 'S2')
  })
})
