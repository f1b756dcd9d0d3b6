/** Generated blocks follow the state table on a virtual controller, and wrong blocks are found. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { loadSound, specWith, specWithExpression } from '../../../test/design-spec/specs.ts'
import { checkModel, checkScratch, faultsOf } from '../../../test/design-spec/verify.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { generatePhase } from '../generate/generate.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import type { PhaseReport } from './report.ts'
import { scratchOf } from './scratch.task.ts'

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
const resultsOf = (reports: readonly PhaseReport[]) => reports.map(({ phase, result }) => [phase, result])

describe('the fixtures', () => {
  for (const file of ['mixer.csv', 'brewery.csv'])
    test(`${file}: every row of the state table holds in every step`, async () => {
      const reports = await checkModel(
        await loadSound(readFileSync(new URL(`../fixtures/${file}`, import.meta.url)), file),
      )
      assert.ok(reports.length > 1)
      for (const report of reports) {
        assert.equal(report.result, 'passed', JSON.stringify(faultsOf(report), null, 1))
        assert.deepEqual(report.coverage, { reached: report.steps.length, total: report.steps.length, percent: 100 })
        assert.ok(report.transitions.every(({ taken }) => taken))
        assert.ok(report.rows.every(({ checks }) => checks > 0))
      }
    })
})

describe('blocks that break a row are found', () => {
  const told: string[] = []
  /** Each entry: what is damaged in the block, the change, and the rows of which one must fail. */
  const damages: readonly (readonly [what: string, from: string | RegExp, to: string, rows: readonly string[]])[] = [
    ['Held is never set', '#Held := TRUE;', '#Held := FALSE;', ['hold']],
    ['Hold does not stop the step', '(#Hold OR #Abort)', '(#Abort)', ['hold']],
    ['Abort does not stop the step', '(#Hold OR #Abort)', '(#Hold)', ['abort']],
    [
      'Abort leaves the step',
      /IF #Abort AND #Active THEN\s+#_Step := #STEP_IDLE;/,
      'IF #Abort AND #Active THEN',
      ['abort'],
    ],
    ['Done is not set', '#Done := TRUE;', '#Done := FALSE;', ['final', 'entry-action']],
    ['Active stays after the end', /#Done := TRUE;\s+#Active := FALSE;/, '#Done := TRUE;', ['final', 'entry-action']],
    ['the start goes to another step', '#_Step := #STEP_OPEN;', '#_Step := #STEP_WAIT;', ['start', 'hold', 'restart']],
    ['a transition goes to another step', '#_Step := #STEP_END;', '#_Step := #STEP_OPEN;', ['transition']],
    ['a condition is the other way round', '>= 80.0', '< 80.0', ['entry-action', 'wait', 'transition']],
    ['a limit is off by a little', '>= 80.0', '> 80.0', ['transition']],
    ['the entry action is not done', '#Valve.Open := TRUE;', '', ['entry-action']],
    ['the entry action is done in every scan', 'IF #_StepEntry THEN', 'IF TRUE THEN', ['entry-action']],
    ['Execute that stays TRUE starts again', 'AND NOT #_StepEntry', '', ['restart']],
    ['another variable is written', '#Valve.Open := TRUE;', '#Valve.Open := TRUE; #Tank.Count := 7;', ['entry-action']],
    ['an unknown step is no error', '#Error := TRUE;', '#Error := FALSE;', ['unknown-step']],
  ]
  for (const [what, from, to, rows] of damages)
    test(what, async () => {
      const model = await loadSound(specWith())
      const generated = generatePhase(model, 'Fill')
      const scl = generated.scl.replace(from, to)
      assert.notEqual(scl, generated.scl, 'the damage is in the block')
      const script = () => planPhase(checkedPhase(model, 'Fill'), 10_000)
      const [report] = await checkScratch(await scratchOf([{ ...generated, name: 'Fill', scl }], script))
      assert.equal(report?.result, 'failed')
      const [first] = report.failures
      assert.ok(rows.includes(first?.row ?? ''), `${first?.row}: ${first?.message}`)
      assert.ok(report.rows.some(({ row, result }) => row === first?.row && result === 'failed'))
      assert.equal(first?.trace.at(-1)?.scan, first?.scan)
      assert.ok((first?.differences.length ?? 0) > 0)
      const failed = report.failures.map(
        ({ row, step, scan, message }) => `  scan ${scan}, ${row}, step ${step}: ${message}`,
      )
      const missed = report.rows.filter(({ result }) => result !== 'passed')
      told.push(
        [what, ...failed, ...missed.map(({ row, result, checks }) => `  ${row}: ${result}, ${checks}`)].join('\n'),
      )
    })

  test('all failures of each damage are told', () =>
    assertRecorded(import.meta.url, 'damages.txt', `${told.join('\n')}\n`))

  test('a block that ends the controller fails alone', async () => {
    const model = await loadSound(specWith())
    const generated = generatePhase(model, 'Fill')
    const endless = generated.scl.replace('#Valve.Open := TRUE;', 'WHILE TRUE DO ; END_WHILE;')
    const script = () => planPhase(checkedPhase(model, 'Fill'), 10_000)
    const other = {
      ...generated,
      name: 'Other',
      blockName: 'FB_Other',
      scl: generated.scl.replaceAll('FB_Fill', 'FB_Other'),
    }
    const reports = await checkScratch(await scratchOf([{ ...generated, name: 'Fill', scl: endless }, other], script))
    assert.deepEqual(
      reports.map(({ blockName, result }) => [blockName, result]),
      [
        ['FB_Fill', 'failed'],
        ['FB_Other', 'passed'],
      ],
    )
    assert.match(reports[0]?.failures[0]?.message ?? '', /controller went to Stop/)
  })

  test('a block that does not compile is told, the others are checked', async () => {
    const model = await loadSound(specWith())
    const generated = generatePhase(model, 'Fill')
    const broken = {
      ...generated,
      name: 'Broken',
      blockName: 'FB_Broken',
      scl: generated.scl.replaceAll('FB_Fill', 'FB_Broken').replace('#Active := TRUE;', '#Nobody := 1;'),
    }
    const script = () => planPhase(checkedPhase(model, 'Fill'), 10_000)
    const reports = await checkScratch(await scratchOf([broken, { ...generated, name: 'Fill' }], script))
    assert.deepEqual(resultsOf(reports), [
      ['Broken', 'notCompiled'],
      ['Fill', 'passed'],
    ])
    assert.match(reports[0]?.errors[0]?.message ?? '', /Nobody/)
  })
})

describe('what cannot be checked is told', () => {
  test('a condition that is never TRUE: the steps behind it are not reached, with the reason', async () => {
    const [report] = await checkModel(
      await loadSound(specWithExpression({ condition: 'Tank.Level > 5 AND Tank.Level < 3' })),
    )
    assert.equal(report?.result, 'incomplete')
    assert.deepEqual(report.failures, [])
    assert.deepEqual(report.coverage, { reached: 1, total: 3, percent: 33.3 })
    assert.deepEqual(
      report.unreachable.map(({ number }) => number),
      [2, 3],
    )
    assert.match(report.unreachable[0]?.reason ?? '', /step 1 Open is not left: no values .* make "Tank.Level > 5/)
    assert.equal(report.rows.find(({ row }) => row === 'final')?.result, 'notChecked')
  })

  test('a condition that cannot be FALSE: the step does not wait; the constant TRUE need not', async () => {
    const [report] = await checkModel(await loadSound(specWithExpression({ condition: 'Tank.Level<>5 OR TRUE' })))
    assert.equal(report?.coverage.percent, 100)
    assert.deepEqual(report.failures, [])
    const wait = report.rows.find(({ row }) => row === 'wait')
    assert.equal(wait?.result, 'incomplete')
    assert.deepEqual(
      wait.missing.map(({ step }) => step),
      [1],
    )
    const [constant] = await checkModel(await loadSound(specWithExpression({ condition: 'TRUE' })))
    assert.equal(constant?.result, 'passed', JSON.stringify(faultsOf(constant!)))
  })

  test('a condition on an Out variable that the phase does not write: it is set, and told', async () => {
    const [report] = await checkModel(await loadSound(specWithExpression({ condition: 'Tank.Count = 5' })))
    assert.equal(report?.coverage.percent, 100)
    assert.deepEqual(report.transitions[0]?.presets, ['Tank.Count'])
    assert.deepEqual(report.transitions[0]?.inputs, { 'Tank.Count': 5 })
  })

  test('the limit of scans ends the check', async () => {
    const [report] = await checkModel(await loadSound(specWith()), 12)
    assert.equal(report?.result, 'incomplete')
    assert.equal(report.limited, true)
    assert.ok(report.scans <= 12)
    assert.deepEqual(report.failures, [])
    assert.match(report.unreachable.at(-1)?.reason ?? '', /more scans/)
  })
})

describe('conditions of every kind are solved', () => {
  const variables = [
    'Tank;B;In;Byte;',
    'Tank;W;In;Word;',
    'Tank;L;In;LWord;',
    'Tank;I;In;Int;',
    'Tank;U;In;UDInt;',
    'Tank;Big;In;LInt;',
    'Tank;R2;In;Real;',
    'Tank;LR;In;LReal;',
    'Tank;T;In;Time;',
    'Tank;LT;In;LTime;',
    'Tank;D;In;Date;',
    'Tank;Clock;In;Time_Of_Day;',
    'Tank;Stamp;In;DTL;',
    'Tank;LS;In;LDT;',
    'Tank;C;In;Char;',
    'Tank;S;In;String[20];',
    'Tank;WS;In;WString[20];',
    'Tank;Run;In;Bool;',
    'Tank;Done2;In;Bool;',
  ]
  const conditions = [
    'Tank.B = 16#7F',
    '(Tank.W AND 16#0080) <> 0',
    'Tank.L = 16#FFFF_FFFF_FFFF_FFFF',
    'Tank.I * 2 + 3 = 21',
    'Tank.I * Tank.I > 900',
    'Tank.U > 4_000_000_000',
    'Tank.Big < -9_000_000_000',
    'Tank.R2 > 0.1 AND Tank.R2 < 0.2',
    'Tank.LR / 3 >= 1.0E10',
    'Tank.Level - Tank.R2 > 12.5',
    'Tank.T >= T#1h30m AND Tank.T < T#1h31m',
    'Tank.LT > LT#5us',
    'Tank.D = D#2024-02-29',
    'Tank.Clock > TOD#14:30:00',
    "Tank.C = 'x'",
    "Tank.S = 'Pils; 1'",
    'Tank.Run XOR Tank.Done2',
    'NOT (Tank.Run = Tank.Done2)',
    'Tank.Run <> (Tank.I > 5)',
    'Tank.I MOD 7 = 3',
    'Tank.I > Tank.Count + 1',
    '(Tank.Run OR Tank.Done2) AND NOT (Tank.Run AND Tank.Done2)',
    '-Tank.I > 30',
    'Tank.LS > LDT#2024-01-31-14:30:00',
    'Tank.I > 2.5',
    "Tank.WS <> 'x'",
    'Tank.Level >= 80 AND Valve.Opened AND Tank.I >= 3 AND Tank.I <= 3',
  ]
  test('each both ways, on the controller', async () => {
    const lines = [
      '[CmTypes]',
      'CmType;Variable;Direction;DataType;Description',
      'Valve;Open;Out;Bool;',
      'Valve;Opened;In;Bool;',
      'Tank;Level;In;Real;',
      'Tank;Count;Out;SInt;',
      ...variables,
      '[Phases]',
      'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep',
      ...conditions.map(
        (text, i) => `All;${i + 1};S${i};${i === 0 ? 'TRUE' : ''};;"Tank.Count := ${i}";${quote(text)};${i + 2}`,
      ),
      `All;${conditions.length + 1};End;;TRUE;;;`,
    ]
    const [report] = await checkModel(await loadSound(lines.join('\n')))
    assert.equal(report?.result, 'passed', JSON.stringify(faultsOf(report!), null, 1))
  })
})

describe('entry actions of every kind are reckoned as the controller does them', () => {
  const outputs = [
    ...['Bool', 'Byte', 'LWord', 'SInt', 'USInt', 'LInt', 'ULInt', 'Real', 'LReal', 'Time', 'LTime', 'S5Time'],
    ...['Date', 'Time_Of_Day', 'LTime_Of_Day', 'LDT', 'Char', 'WChar', 'String[10]', 'WString[300]'],
  ]
  const variableOf = (type: string) => `x${type.replace(/\W.*/, '')}`
  const constants: readonly (readonly [type: string, value: string])[] = [
    ['Bool', 'TRUE'],
    ['Byte', '16#FE'],
    ['LWord', '16#FFFF_FFFF_FFFF_FFFF'],
    ['SInt', '-128'],
    ['USInt', '255'],
    ['LInt', '-9_000_000_000_000_000_000'],
    ['ULInt', '18_446_744_073_709_551_615'],
    ['Real', '0.1'],
    ['LReal', '-1.0E300'],
    ['Time', 'T#-24d20h'],
    ['LTime', 'LT#-1ns'],
    ['S5Time', 'S5T#1h2m3s'],
    ['Date', 'D#2169-06-06'],
    ['Time_Of_Day', 'TOD#23:59:59.999'],
    ['LTime_Of_Day', 'LTOD#23:59:59.999999999'],
    ['LDT', 'LDT#2024-02-29-01:02:03.000000004'],
    ['Char', "'$''"],
    ['WChar', "'x'"],
    ['String[10]', "'a$Nb'"],
    ['WString[300]', "'Öl$$'"],
  ]
  const calculations = [
    'V.xReal := V.xReal * 3 + V.xSInt; V.xLReal := V.xReal / 7',
    'V.xLTime_Of_Day := V.xTime_Of_Day; V.xLTime := V.xTime; V.xString := V.xChar',
    'V.xByte := NOT V.xByte AND 16#0F; V.xBool := NOT V.xBool XOR V.go; V.xLInt := -V.xLInt / 7 MOD 1000',
    'V.xTime := V.xTime / 3 + T#1s; V.xUSInt := V.xUSInt / 2 - 1',
    // Too large for its type: the result is not predicted, and this is reported.
    'V.xSInt := V.xSInt - 1',
  ]
  test('constants and calculations', async () => {
    const actions = [...constants.map(([type, value]) => `${`V.${variableOf(type)}`} := ${value}`), ...calculations]
    const rows = actions.map(
      (action, i) => `All;${i + 1};S${i};${i === 0 ? 'TRUE' : ''};;${quote(action)};"V.go";${i + 2}`,
    )
    const text = [
      '[CmTypes]',
      'CmType;Variable;Direction;DataType;Description',
      'V;go;In;Bool;',
      ...outputs.map((type) => `V;${variableOf(type)};Out;${type};`),
      '[Phases]',
      'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep',
      ...rows,
      `All;${actions.length + 1};End;;TRUE;;;`,
    ].join('\n')
    const [report] = await checkModel(await loadSound(text))
    assert.deepEqual(report?.failures, [])
    assert.equal(report.coverage.percent, 100)
    const open = report.rows.filter(({ result }) => result !== 'passed')
    assert.deepEqual(
      open.map(({ row, missing }) => [row, missing.map(({ step }) => step)]),
      [['entry-action', [actions.length]]],
    )
  })
})

describe('random specs', () => {
  const number = fc.integer({ min: -1000, max: 1000 })
  const atom: fc.Arbitrary<string> = fc.oneof(
    fc.boolean().map((value) => `M.Flag=${value ? 'TRUE' : 'FALSE'}`),
    fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '<>'), number).map(([op, n]) => `M.Level ${op} ${n}`),
    fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '<>'), number).map(([op, n]) => `NOT (M.Count ${op} ${n} + 1)`),
    fc.nat(100_000).map((ms) => `T#${ms}ms <= "Odd Name"."End"`),
    fc.tuple(number, fc.integer({ min: 1, max: 9 })).map(([n, f]) => `M.Count * ${f} - 2 > ${n}`),
    fc.constant('M.Other'),
  )
  const condition: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc
        .tuple(tie('tree'), fc.constantFrom('AND', 'OR', 'XOR'), tie('tree'))
        .map(([a, op, b]) => `(${a}) ${op} (${b})`),
      tie('tree').map((inner) => `NOT (${inner})`),
    ),
  })).tree
  const action: fc.Arbitrary<string> = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -30_000, max: 30_000 }).map((n) => `M.Speed := ${n}`),
    fc.tuple(number, number).map(([a, b]) => `M.Setpoint := M.Level * ${a} + ${b}; M.Run := NOT M.Run`),
    fc.nat(9999).map((n) => `M.Mask := W#16#${n.toString(16)} XOR M.Mask; M.Wait := T#${n}ms + "Odd Name"."End" / 2`),
    fc.constantFrom("M.Text := 'a$'b'", "M.Text := 'b; c'"),
  )
  const spec = fc.uniqueArray(fc.integer({ min: 1, max: 32_767 }), { minLength: 1, maxLength: 6 }).chain((numbers) =>
    fc.array(fc.tuple(action, condition), { minLength: numbers.length, maxLength: numbers.length }).map((steps) => {
      const last = numbers.length - 1
      return steps.map(([act, text], i) =>
        [
          'Run',
          numbers[i],
          `S${i}`,
          i === 0 ? 'TRUE' : '',
          i === last ? 'TRUE' : '',
          quote(act),
          i === last ? '' : quote(text),
          numbers[i + 1] ?? '',
        ].join(';'),
      )
    }),
  )
  const head = [
    '[CmTypes]',
    'CmType;Variable;Direction;DataType;Description',
    'M;Speed;Out;Int;',
    'M;Setpoint;Out;Real;',
    'M;Run;Out;Bool;',
    'M;Mask;Out;Word;',
    'M;Wait;Out;Time;',
    'M;Text;Out;String[8];',
    'M;Flag;In;Bool;',
    'M;Other;In;Bool;',
    'M;Level;In;Real;',
    'M;Count;In;DInt;',
    'Odd Name;End;In;Time;',
    '[Phases]',
    'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep',
  ]

  test('every generated block obeys every row of the state table', async () => {
    // Several specs form one program: compiling and starting a controller takes longer than the checks.
    const phases = fc.array(spec, { minLength: 10, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(phases, async (specs) => {
        const rows = specs.flatMap((steps, i) => steps.map((row) => row.replace(/^Run;/, `Run${i};`)))
        const reports = await checkModel(await loadSound([...head, ...rows].join('\n')))
        assert.equal(reports.length, specs.length)
        for (const report of reports) {
          assert.ok(
            report.result === 'passed' || report.result === 'incomplete',
            JSON.stringify(faultsOf(report), null, 1),
          )
          // What was not checked has a reason, and all steps that the script enters were active.
          assert.ok(report.unreachable.every(({ reason }) => /no values of variables were found/.test(reason)))
          assert.equal(report.coverage.reached + report.unreachable.length, report.coverage.total)
        }
      }),
      { numRuns: 8 },
    )
  })
})
