/** Checks of what a spec tells beside the fixed columns: on sound blocks, and on blocks that break a rule. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { loadSound } from '../../../test/design-spec/specs.ts'
import { checkModel, checkScratch, faultsOf } from '../../../test/design-spec/verify.ts'
import { generatePhase } from '../generate.ts'
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
      for (const [i, [what, , , rows]] of list.entries()) {
        const report = reports.find(({ blockName }) => blockName === `FB_${i}`)
        assert.ok(report?.result === 'failed', `${what}: ${report?.result}`)
        const first = report.failures[0]?.row ?? ''
        assert.ok(rows.includes(first), `${what}: ${first}: ${report.failures[0]?.message}`)
      }
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
