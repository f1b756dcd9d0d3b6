/** What a spec may tell beside the fixed columns: parameters, times, exit actions, commands, interlocks, ISA-88. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { compileSources } from '../../../plc/compiler/compile-sources.ts'
import { faultCodes, faultsIn, loadSound, specWith } from '../../../test/design-spec/specs.ts'
import { generatePhase } from '../generate/generate.ts'
import { type DesignModel, unitTypesOf } from '../model/model.ts'
import { constantName } from '../model/names.ts'
import { stateNames, transitionsOf } from '../model/states.ts'
import { mergeSeparate } from './merge.ts'
import { parseDesignSpec } from './parse.ts'
import { writeDesignSpec } from './write.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const files = ['tank.csv', 'cip.csv', 'conveyor.csv']

function phasesOf(model: DesignModel): string[] {
  return [...unitTypesOf(model)].flatMap(({ unit }) => unit.phases.map(({ name }) => name))
}

/** Names declared in a section of a block. */
function declared(scl: string, keyword: string): string[] {
  const section = scl.slice(scl.indexOf(`   ${keyword} \n`)).split('END_VAR')[0]!
  return [...section.matchAll(/^ {6}"?(\w+)"?[^\n]* : /gm)].map(([, name]) => name!)
}

const bodyOf = (scl: string) => scl.slice(scl.indexOf('\nBEGIN'))

describe('generated blocks', () => {
  for (const file of files)
    test(`${file}: every phase compiles, the same text each time`, async () => {
      const [model, again] = [await loadSound(fixture(file), file), await loadSound(fixture(file), file)]
      for (const name of phasesOf(model)) {
        const { scl, udts } = generatePhase(model, name)
        assert.equal(scl, generatePhase(again, name).scl)
        const result = compileSources([...udts.map((udt) => udt.scl), scl].join('\n'))
        assert.ok(result.ok, JSON.stringify(result))
      }
    })

  test('the fixed interface comes first; parameters, times and interlocks add to it', async () => {
    const { scl } = generatePhase(await loadSound(fixture('tank.csv')), 'Batch')
    assert.deepEqual(declared(scl, 'VAR_INPUT'), [
      ...['Execute', 'Abort', 'Hold', 'ValveIn', 'ValveOut', 'Heater', 'Agitator', 'Tank'],
      ...['TargetLevel', 'TargetTemperature', 'SoakTime'],
    ])
    assert.deepEqual(declared(scl, 'VAR_OUTPUT'), [
      ...['Done', 'Active', 'Held', 'Error', 'ErrorText', 'StepTime', 'Alarm', 'AlarmText'],
      ...['Interlocked', 'InterlockText'],
    ])
    assert.match(scl, /TargetLevel : Real := 80\.0; {3}\/\/ Parameter: Level after filling \(10 to 95 %\)/)
  })

  test('only the modules that a phase uses, and only their types', async () => {
    const model = await loadSound(fixture('conveyor.csv'))
    const { scl, udts } = generatePhase(model, 'Signal')
    assert.deepEqual(declared(scl, 'VAR_INPUT'), ['Execute', 'Abort', 'Hold', 'Sensor', 'Beacon'])
    assert.deepEqual(
      udts.map(({ name }) => name),
      ['UDT_Sensor', 'UDT_Beacon'],
    )
  })

  test('one timer in the instance; none where no step has a time', async () => {
    const model = await loadSound(fixture('conveyor.csv'))
    assert.equal(generatePhase(model, 'Transport').scl.match(/TON_TIME;/g)?.length, 1)
    assert.doesNotMatch(generatePhase(model, 'Signal').scl, /TON_TIME|StepTime|Alarm/)
  })

  test('steps, times and limits have names: the body has no numbers but those of the expressions', async () => {
    for (const file of files) {
      const model = await loadSound(fixture(file))
      for (const name of phasesOf(model)) {
        const code = bodyOf(generatePhase(model, name).scl).replace(/\/\/.*$|'[^']*'/gm, '')
        assert.doesNotMatch(code, /#_Step (:=|=|>|<)+ \d|#State (:=|=|>|<)+ \d|StepTime >= T#|PT := T#/)
        for (const [, constant] of code.matchAll(/#((?:STEP|STATE|TIMEOUT|MIN_TIME)_\w+)/g))
          assert.ok(declared(generatePhase(model, name).scl, 'VAR CONSTANT').includes(constant!), constant)
      }
    }
  })

  test('comments lead back to the spec', async () => {
    const { scl } = generatePhase(await loadSound(fixture('tank.csv'), 'tank.csv'), 'Batch')
    for (const line of [
      '#STEP_OPEN_INLET:  // Step 10: Open inlet (initial)',
      '// The limit switch must come within ten seconds',
      '// [Interlocks] Heater.Enable',
      '// [Commands] Batch, Abort',
      '// Source     tank.csv',
    ])
      assert.ok(scl.includes(line), line)
    assert.doesNotMatch(scl, /[ \t]+$/m.test(bodyOf(scl).replace(/^\t$/gm, '')) ? /./ : /\r/)
  })

  test('a change of the spec changes only what it concerns', async () => {
    const text = fixture('conveyor.csv')
    const before = await loadSound(text, 'c.csv')
    const after = await loadSound(
      text
        .replace('Beacon.Red:=FALSE', 'Beacon.Red:=TRUE')
        .replace('[Phases]', '; ;\n[Phases]')
        .replace('Beacon;Red;Out;Bool;Lamp', 'Beacon;Red;Out;Bool;Red lamp\nNew;Module;Out;Bool;'),
      'c.csv',
    )
    assert.deepEqual(generatePhase(after, 'Transport'), generatePhase(before, 'Transport'))
    const [one, two] = [before, after].map((model) => generatePhase(model, 'Signal').scl.split('\n'))
    // Only the table in the header has new lines: #Beacon.Red := TRUE is in the block already.
    const fresh = two!.filter((line) => !one!.includes(line))
    assert.ok(fresh.length > 0 && fresh.every((line) => line.startsWith('// ')), fresh.join('\n'))
  })

  test('names of constants: accents, digits, doubles, and the name of idle', async () => {
    assert.equal(constantName('STEP', 'Ölventil öffnen', 1), 'STEP_OLVENTIL_OFFNEN')
    assert.equal(constantName('STEP', 'Straße 7', 1), 'STEP_STRASSE_7')
    assert.equal(constantName('STEP', '加热', 30), 'STEP_30')
    assert.equal(constantName('STEP', 'HeatUp', 1), 'STEP_HEAT_UP')
    const rows = ['Idle', 'a b', 'A-B', '1', '…'].map(
      (name, i) => `P;${i + 1};${name};${i === 0 ? 'TRUE' : ''};;;TRUE;${i + 2}`,
    )
    const model = await loadSound(
      ['[CmTypes]', 'CmType;Variable;Direction;DataType;Description', '[Phases]']
        .concat('PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep', rows, 'P;6;End;;TRUE;;;')
        .join('\n'),
    )
    const { scl } = generatePhase(model, 'P')
    const names = declared(scl, 'VAR CONSTANT')
    assert.deepEqual(names, ['STEP_IDLE', 'STEP_IDLE_2', 'STEP_A_B', 'STEP_A_B_2', 'STEP_1', 'STEP_5', 'STEP_END'])
    assert.ok(compileSources(scl).ok)
  })

  test('texts of any kind stay texts', async () => {
    const text = fixture('conveyor.csv').replace('Guard is open', 'It\'s $5 → "open"'.replaceAll('"', ''))
    const { scl, udts } = generatePhase(await loadSound(text), 'Transport')
    assert.match(scl, /WSTRING#'It\$'s \$\$5 → open'/)
    assert.ok(compileSources([...udts.map((udt) => udt.scl), scl].join('\n')).ok)
  })
})

describe('the states of ISA-88', () => {
  test('transitions are those of the standard (ANSI/ISA-88.00.01, without Pause)', () => {
    const matrix = Object.fromEntries(
      stateNames.map((state) => [state, Object.fromEntries(transitionsOf[state])] as const),
    )
    const both = { Abort: 'Aborting', Stop: 'Stopping' }
    assert.deepEqual(matrix, {
      Idle: { Start: 'Running' },
      Running: { ...both, Hold: 'Holding' },
      Holding: both,
      Held: { ...both, Restart: 'Restarting' },
      Restarting: { ...both, Hold: 'Holding' },
      Stopping: { Abort: 'Aborting' },
      Aborting: {},
      Complete: { Reset: 'Idle' },
      Stopped: { Abort: 'Aborting', Reset: 'Idle' },
      Aborted: { Reset: 'Idle' },
    })
  })

  test('the option adds commands and State; without it the interface is the fixed one', async () => {
    const model = await loadSound(fixture('cip.csv'))
    const { scl } = generatePhase(model, 'Clean')
    assert.deepEqual(declared(scl, 'VAR_INPUT').slice(0, 6), ['Start', 'Hold', 'Restart', 'Stop', 'Abort', 'Reset'])
    assert.deepEqual(declared(scl, 'VAR_OUTPUT').slice(0, 5), ['Done', 'Active', 'Held', 'Error', 'State'])
    assert.ok(!declared(scl, 'VAR_INPUT').includes('Spare'))
    for (const state of stateNames) assert.ok(scl.includes(`#STATE_${state.toUpperCase()}:`), state)
  })
})

describe('reading', () => {
  for (const file of files)
    test(`${file}: written and read again it is the same`, async () => {
      const model = await loadSound(fixture(file), file)
      assert.deepEqual(await loadSound(writeDesignSpec(model), file), model)
    })

  test('columns beyond the fixed ones may stand in any order, behind them', async () => {
    const header =
      'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep;Timeout;MinTime;Comment;ExitAction'
    const text = specWith({
      9: header,
      10: 'Fill;1;Open;TRUE;;;TRUE;2;T#9s;T#1s;why;"Valve.Open:=FALSE"',
      11: 'Fill;2;Wait;;;;"Tank.Level>=80.0";3',
    })
    const { unit } = [...unitTypesOf(await loadSound(text))][0]!
    const { timeout, minTime, comment, exitAction, onTimeout } = unit.phases[0]!.steps[0]!
    assert.deepEqual(
      { timeout, minTime, comment, exitAction, onTimeout },
      { timeout: 'T#9s', minTime: 'T#1s', comment: 'why', exitAction: 'Valve.Open:=FALSE', onTimeout: 'Alarm' },
    )
    const wrong = 'Timeout;PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep'
    assert.equal((await faultCodes(specWith({ 9: wrong })))[0], '9:Timeout:column_order')
  })

  test('an unknown column is told, with the nearest one', async () => {
    const found = faultsIn(
      await parseDesignSpec(fixture('tank.csv').replace(';MinTime;Timeout', ';MinTime;Timout'), 'tank.csv'),
    )
    assert.deepEqual(
      found.map(({ code, section, line, columnNumber, suggestion }) => [code, section, line, columnNumber, suggestion]),
      [['column_unknown', 'Phases', 26, 12, 'Timeout']],
    )
  })

  test('a parameter without Default whose limits leave out 0 is told: its phase would not start', async () => {
    const given = 'Batch;TargetLevel;Real;%;80;10;95'
    const warned = async (row: string) => {
      const result = await parseDesignSpec(fixture('tank.csv').replace(given, row), 'tank.csv')
      assert.ok('model' in result)
      return result.warnings.filter(({ code }) => code === 'default_missing').map(({ line, column }) => [line, column])
    }
    assert.deepEqual(await warned(given), [])
    assert.deepEqual(await warned('Batch;TargetLevel;Real;%;;10;95'), [[21, 'Default']])
    assert.deepEqual(await warned('Batch;TargetLevel;Real;%;;-95;-10'), [[21, 'Default']])
    assert.deepEqual(await warned('Batch;TargetLevel;Real;%;;0;95'), [])
    assert.deepEqual(await warned('Batch;TargetLevel;Real;%;;;95'), [])
  })

  test('rubbish: every fault with its row and column, and what would be right', async () => {
    const text = fixture('tank.csv')
      .replace('Batch;TargetLevel;Real;%;80;10;95', 'Batch;TargetLevel;Real;%;eighty;10;9')
      .replace('Batch;SoakTime;Time;;T#10m', 'Batc;SoakTime;Tyme;;T#10m')
      .replace('T#20m;Alarm', '20min;Alarn')
      .replace('Batch;Hold;', 'Batch;Hlod;')
      .replace('Heater;Enable;"Tank.Level<20"', 'Heater;Enabl;"Tank.Levle<20"')
      .replace('Tank.Temperature>=TargetTemperature', 'Tank.Temperature>=TargetTemperatur')
    const found = faultsIn(await parseDesignSpec(text, 'tank.csv'))
    const told = found.map(({ section, line, column, code, suggestion }) => {
      return [section, line, column, code, suggestion ?? '']
    })
    assert.deepEqual(told, [
      ['Parameters', 21, 'Default', 'type_mismatch', ''],
      ['Parameters', 23, 'PhaseType', 'phase_unknown', 'Batch'],
      ['Parameters', 23, 'DataType', 'data_type_unknown', 'Time'],
      ['Phases', 28, 'Timeout', 'literal_invalid', ''],
      ['Phases', 28, 'OnTimeout', 'reaction_unknown', 'Alarm'],
      ['Phases', 29, 'Condition', 'parameter_unknown', 'TargetTemperature'],
      // The row that declares it names another phase.
      ['Phases', 30, 'MinTime', 'parameter_unknown', ''],
      ['Commands', 36, 'Command', 'command_unknown', 'Hold'],
      ['Interlocks', 42, 'BlockedWhen', 'variable_unknown', 'Level'],
    ])
    for (const fault of found) assert.ok(fault.allowed !== undefined, fault.message)
  })

  test('an output that a phase has because of its times cannot be the name of a module', async () => {
    const text = fixture('conveyor.csv').replaceAll('Belt', 'Alarm')
    assert.deepEqual(await faultCodes(text), ['18:PhaseType:name_conflict'])
    assert.ok('model' in (await parseDesignSpec(specWith().replaceAll('Valve', 'Alarm'), 'plant.csv')))
  })

  test('a part of the logic replaces only the sections that it has', async () => {
    const loaded = await loadSound(fixture('tank.csv'), 'tank.csv')
    const logic = '[Commands]\nPhaseType;Command;Action\nBatch;Abort;"Heater.Enable:=FALSE"\n'
    const merged = await mergeSeparate({ logic }, loaded)
    assert.ok('model' in merged)
    const phase = [...unitTypesOf(merged.model)][0]!.unit.phases[0]!
    const before = [...unitTypesOf(loaded)][0]!.unit.phases[0]!
    assert.deepEqual(phase.commands, [{ command: 'Abort', action: 'Heater.Enable:=FALSE' }])
    assert.deepEqual({ ...phase, commands: before.commands }, before)
  })

  test('a spec of the fixed columns gives a model without anything else', async () => {
    const phase = [...unitTypesOf(await loadSound(specWith()))][0]!.unit.phases[0]!
    assert.deepEqual(Object.keys(phase), ['name', 'steps'])
    assert.deepEqual(Object.keys(phase.steps[0]!), [
      ...['number', 'name', 'isInitial', 'isFinal', 'entryAction', 'condition', 'nextStep'],
    ])
  })
})
