/** Checks of what a spec tells beside the fixed columns: on sound blocks, and on blocks that break a rule. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { loadSound } from '../../../test/design-spec/specs.ts'
import { checkModel, checkScratch, faultsOf } from '../../../test/design-spec/verify.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { generatePhase } from '../generate/generate.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import { scratchOf } from './scratch.task.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')

describe('sound blocks pass every row in every step', () => {
  const added: Readonly<Record<string, readonly string[]>> = {
    'tank.csv': ['parameters', 'while-action', 'min-time', 'timeout', 'exit-action', 'interlock'],
    'cip.csv': ['parameters', 'min-time', 'timeout', 'exit-action', 'stop', 'states', 'interlock'],
    'conveyor.csv': ['parameters', 'while-action', 'timeout', 'exit-action', 'interlock'],
  }
  for (const [file, rows] of Object.entries(added))
    test(file, async () => {
      const reports = await checkModel(await loadSound(fixture(file), file))
      for (const report of reports) {
        assert.equal(report.result, 'passed', JSON.stringify(faultsOf(report), null, 1))
        assert.equal(report.coverage.percent, 100)
      }
      const seen = reports[0]!.rows.filter(({ checks }) => checks > 0).map(({ row }) => row as string)
      for (const row of rows) assert.ok(seen.includes(row), row)
    })
})

describe('blocks that break a rule are found', () => {
  type Damage = readonly [what: string, from: string | RegExp, to: string, rows: readonly string[]]
  const damages: Readonly<Record<string, readonly Damage[]>> = {
    'tank.csv': [
      ['a limit is not checked', 'NOT (#TargetLevel >= #TARGET_LEVEL_MIN AND', 'NOT (', ['parameters']],
      ['a limit is off', 'TARGET_LEVEL_MAX : Real := 95.0', 'TARGET_LEVEL_MAX : Real := 95.5', ['parameters']],
      ['the wrong reason is told', 'TargetLevel must be', 'TargetLevl must be', ['parameters']],
      ['MinTime is not kept', '#StepTime >= #MIN_TIME_DRAIN AND', '', ['min-time']],
      [
        'MinTime is off by a millisecond',
        'MIN_TIME_DRAIN : Time := T#5s',
        'MIN_TIME_DRAIN : Time := T#5s1ms',
        ['exit-action'],
      ],
      ['a timeout comes too late', 'TIMEOUT_FILL : Time := T#20m', 'TIMEOUT_FILL : Time := T#20m1ms', ['timeout']],
      [
        'a timeout comes too early',
        'TIMEOUT_FILL : Time := T#20m',
        'TIMEOUT_FILL : Time := T#19m59s999ms',
        ['timeout'],
      ],
      ['a timeout does not hold', '#_TimeoutHold := TRUE;', '', ['timeout']],
      ['a timeout does not abort', '#_TimeoutAbort := TRUE;', '', ['timeout']],
      ['the step time goes on in the next step', ' AND NOT #_StepEntry,', ',', ['entry-action', 'wait', 'hold']],
      [
        'the while action is done once',
        /#Heater\.Setpoint := #TargetTemperature \+ 5\.0;/,
        'IF #_StepEntry THEN $& END_IF;',
        ['entry-action', 'while-action'],
      ],
      ['the exit action is not done', /#ValveOut\.Open := FALSE;\s+#Alarm/, '#Alarm', ['exit-action', 'timeout']],
      [
        'an exit action that has its value before is not done',
        /(>= #TargetLevel THEN\s+)#_ValveIn_Open := FALSE;/,
        '$1',
        ['exit-action'],
      ],
      [
        'one of two exit actions is not done',
        /#_Heater_Enable := FALSE;(\s+#Agitator.Run := FALSE;\s+#_Step := #STEP_DRAIN)/,
        '$1',
        ['exit-action'],
      ],
      [
        'the while action of a step that waits for MinTime alone is done once',
        /#Heater\.Setpoint := #TargetTemperature;/,
        'IF #Heater.Setpoint > 70.0 THEN $& END_IF;',
        ['while-action'],
      ],
      ['the action of Hold is not done', /\/\/ \[Commands\] Batch, Hold\s+#_Heater_Enable := FALSE;/, '', ['hold']],
      ['the action of Restart is not done', /\/\/ \[Commands\] Batch, Restart\s+#Agitator.Run := TRUE;/, '', ['hold']],
      ['the action of Abort is not done', /\/\/ \[Commands\] Batch, Abort\s+#_Heater_Enable := FALSE;/, '', ['abort']],
      [
        'an interlock does not block',
        /(#Tank\.Level < 20\.0 THEN\s+)#Heater\.Enable := FALSE;/,
        '$1',
        ['interlock', 'entry-action', 'wait', 'hold'],
      ],
      ['an interlock tells no reason', "WSTRING#'Level too low for heating'", "WSTRING#''", ['idle']],
      [
        'after an interlock the variable stays off',
        '#Heater.Enable := #_Heater_Enable;',
        '',
        ['entry-action', 'interlock', 'hold'],
      ],
    ],
    'conveyor.csv': [
      [
        'an interlock does not end',
        'Interlocked := FALSE;',
        'Interlocked := #Interlocked AND #Active;',
        ['interlock', 'entry-action', 'wait', 'hold', 'start', 'abort'],
      ],
      ['an entry action that has its value before is not done', '#Stopper.Down := FALSE;', '', ['entry-action']],
    ],
    'cip.csv': [
      [
        'Hold has no effect while restarting',
        /(STATE_RESTARTING:[\s\S]*?)ELSIF #Hold THEN/,
        '$1ELSIF FALSE THEN',
        ['states'],
      ],
      ['Stop has no effect', /ELSIF #Stop THEN/g, 'ELSIF FALSE THEN', ['stop', 'states']],
      ['Abort is not obeyed when held', /(STATE_HELD:\s+)IF #Abort THEN/, '$1IF FALSE THEN', ['states']],
      [
        'Reset starts anew',
        /(STATE_COMPLETE:\s+IF #Reset THEN\s+#State := )#STATE_IDLE/,
        '$1#STATE_RUNNING',
        ['states'],
      ],
      ['Holding does not wait', 'IF NOT #Pump.Running THEN', 'IF TRUE THEN', ['hold', 'states', 'timeout']],
      ['Restart works while Hold is given', '#Restart AND NOT #Hold', '#Restart', ['hold']],
      ['Start needs no edge', 'AND NOT #_StartSeen', '', ['start', 'states', 'parameters', 'stop', 'abort']],
      [
        'a final step does not complete',
        '#State := #STATE_COMPLETE;',
        '#State := #STATE_IDLE;',
        ['final', 'hold', 'entry-action'],
      ],
      ['Active is wrong', '<= #STATE_ABORTING', '<= #STATE_STOPPING', ['abort', 'unknown-step', 'states']],
    ],
  }
  for (const [file, list] of Object.entries(damages))
    test(`${file}: ${list.length} kinds of damage`, async () => {
      const model = await loadSound(fixture(file), file)
      const [{ name }] = JSON.parse(JSON.stringify(model)).areas[0].processCells[0].unitTypes[0].phases as [
        { name: string },
      ]
      const generated = generatePhase(model, name)
      const damaged = list.map(([what, from, to], i) => {
        const scl = generated.scl.replace(from, to)
        assert.notEqual(scl, generated.scl, `${what}: the damage is in the block`)
        const blockName = `FB_${i}`
        return { ...generated, name: what, blockName, scl: scl.replaceAll(generated.blockName, blockName) }
      })
      // One plan serves all: they are the same phase.
      const script = planPhase(checkedPhase(model, name), 10_000)
      const reports = await checkScratch(await scratchOf(damaged, () => script))
      const told: string[] = []
      for (const [i, [what, , , rows]] of list.entries()) {
        const report = reports.find(({ blockName }) => blockName === `FB_${i}`)
        assert.ok(report?.result === 'failed', `${what}: ${report?.result}`)
        const first = report.failures[0]?.row ?? ''
        assert.ok(rows.includes(first), `${what}: ${first}: ${report.failures[0]?.message}`)
        const failed = report.failures.map(
          (one) => `  scan ${one.scan}, ${one.row}, step ${one.step}: ${one.message} ${one.trace.length} scans told`,
        )
        const missed = report.rows.filter(({ result }) => result !== 'passed')
        told.push(what, ...failed, ...missed.map(({ row, result, checks }) => `  ${row}: ${result}, ${checks}`))
      }
      assertRecorded(import.meta.url, `damages-${file.replace('csv', 'txt')}`, `${told.join('\n')}\n`)
    })
})

describe('what cannot be checked is told', () => {
  test('an interlock whose cause no In variable gives', async () => {
    const text = fixture('conveyor.csv').replace('NOT Guard.Closed', 'Guard.Closed AND NOT Guard.Closed')
    const [report] = await checkModel(await loadSound(text))
    assert.equal(report?.result, 'incomplete')
    const row = report.rows.find((one) => one.row === 'interlock')
    assert.match(row?.missing[0]?.reason ?? '', /Belt\.Run can be blocked by "Guard\.Closed AND NOT Guard\.Closed"/)
  })

  test('a step that is left at once has no timeout to be seen', async () => {
    const text = fixture('conveyor.csv').replace('"Belt.Running";3;;;T#2s', '"Belt.Running OR TRUE";3;;;T#2s')
    const [report] = await checkModel(await loadSound(text))
    assert.deepEqual(report?.failures, [])
    const row = report.rows.find((one) => one.row === 'timeout')
    assert.deepEqual(
      row?.missing.map(({ step }) => step),
      [2],
    )
  })
})

describe('random specs', () => {
  const condition = fc.oneof(
    fc.constantFrom('M.Flag', 'NOT M.Flag', 'M.Other AND M.Flag', 'TRUE', 'M.Level>=Target OR M.Other'),
    fc.integer({ min: -50, max: 50 }).map((n) => `M.Level>${n}`),
  )
  const action = fc.oneof(
    fc.constantFrom('', '', 'M.Run:=TRUE', 'M.Run:=FALSE', 'M.Speed:=M.Speed+1', 'M.Out:=Target*2; M.Run:=NOT M.Run'),
    fc.integer({ min: 0, max: 99 }).map((n) => `M.Speed:=${n}; N.On:=M.Flag`),
  )
  const time = fc.constantFrom('', '', 'T#5s', 'T#2ms', 'Wait')
  const step = fc.record({
    entry: action,
    condition,
    during: action,
    exit: action,
    minTime: time,
    timeout: fc.constantFrom('', 'T#1m', 'T#3h', 'Late'),
    reaction: fc.constantFrom('', 'Alarm', 'Hold', 'Abort', 'Stop'),
  })
  const command = fc.record({ action, condition: fc.constantFrom('', '', 'M.Done', 'NOT M.Done') })
  const phase = fc.record({
    isStates: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    commands: fc.record({ Hold: command, Restart: command, Stop: command, Abort: command }, { requiredKeys: [] }),
  })
  const interlock = fc.constantFrom(
    'M;Run;"M.Level>90"',
    'M;Speed;"M.Other";7',
    'N;On;"M.Run"',
    'M;Run;"N.On AND M.Done"',
  )
  const quote = (text: string) => (text === '' ? '' : `"${text}"`)

  type Phase = typeof phase extends fc.Arbitrary<infer T> ? T : never
  function linesOf({ isStates, steps, commands }: Phase, name: string) {
    const rows = steps.map(({ entry, condition: until, during, exit, minTime, timeout, reaction }, i) => {
      const late = timeout === '' ? '' : reaction === 'Stop' && !isStates ? 'Hold' : reaction
      const fields = [name, i + 1, `S${i}`, i === 0 ? 'TRUE' : '', '', quote(entry), quote(until), i + 2]
      return [...fields, quote(during), quote(exit), minTime, timeout, late].join(';')
    })
    const told = Object.entries(commands).filter(([command]) => isStates || command !== 'Stop')
    return {
      types: isStates ? [`${name};ISA88`] : [],
      parameters: [`${name};Target;Int;-5;-10;10`, `${name};Wait;Time;T#4s;T#1s;`, `${name};Late;Time;T#2m;;`],
      phases: [...rows, `${name};${steps.length + 1};End;;TRUE;"N.On:=FALSE";;;;;;;`],
      commands: told.map(([command, one]) =>
        [name, command, quote(one!.action), isStates ? quote(one!.condition) : ''].join(';'),
      ),
    }
  }

  test('every generated block obeys what is calculated for it', async () => {
    const specs = fc.tuple(
      fc.array(phase, { minLength: 10, maxLength: 10 }),
      fc.uniqueArray(interlock, { maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(specs, async ([phases, interlocks]) => {
        const parts = phases.map((one, i) => linesOf(one, `P${i}`))
        const section = (title: string, header: string, rows: readonly string[]) =>
          rows.length === 0 ? [] : [`[${title}]`, header, ...rows]
        const text = [
          ...section('CmTypes', 'CmType;Variable;Direction;DataType;Description', [
            ...['M;Run;Out;Bool;', 'M;Speed;Out;Int;', 'M;Out;Out;DInt;', 'N;On;Out;Bool;'],
            ...['M;Flag;In;Bool;', 'M;Other;In;Bool;', 'M;Done;In;Bool;', 'M;Level;In;Int;'],
          ]),
          ...section(
            'PhaseTypes',
            'PhaseType;States',
            parts.flatMap(({ types }) => types),
          ),
          ...section(
            'Parameters',
            'PhaseType;Parameter;DataType;Default;Min;Max',
            parts.flatMap(({ parameters }) => parameters),
          ),
          ...section(
            'Phases',
            'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep;WhileAction;ExitAction;MinTime;Timeout;OnTimeout',
            parts.flatMap(({ phases: rows }) => rows),
          ),
          ...section(
            'Commands',
            'PhaseType;Command;Action;Condition',
            parts.flatMap(({ commands }) => commands),
          ),
          ...section('Interlocks', 'CmType;Variable;BlockedWhen;SafeValue', interlocks),
        ].join('\n')
        const reports = await checkModel(await loadSound(text))
        assert.equal(reports.length, phases.length)
        for (const report of reports)
          assert.ok(
            report.result === 'passed' || report.result === 'incomplete',
            `${text}\n${JSON.stringify(faultsOf(report), null, 1)}`,
          )
      }),
      { numRuns: 3 },
    )
  })
})
