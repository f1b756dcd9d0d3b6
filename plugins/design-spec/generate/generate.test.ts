/** Runs the generated text: every row of the state table is checked on the text itself. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { BlockInstance } from '../../../test/design-spec/scl-interpreter.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import type { DesignModel } from '../model/model.ts'
import { phasesView } from '../model/model-view.ts'
import { parseDesignSpec } from '../read/parse.ts'
import { generatePhase, generateUdt, UnknownPhaseError } from './generate.ts'

async function load(file: string): Promise<DesignModel> {
  const result = await parseDesignSpec(readFileSync(new URL(`../fixtures/${file}`, import.meta.url)), file)
  assert.ok('model' in result, JSON.stringify(result, null, 1))
  return result.model
}

function instance(model: DesignModel, phase: string): BlockInstance {
  const generated = generatePhase(model, phase)
  return new BlockInstance(
    generated.scl,
    generated.udts.map((udt) => udt.scl),
  )
}

/** Step, Active, Done, Held and Error in one line, for comparison. */
function state(block: BlockInstance): string {
  const flags = ['Active', 'Done', 'Held', 'Error'].filter((name) => block.get(name))
  return [`${block.get('_Step')}`, ...flags].join(' ')
}

/** Sets inputs, runs one scan and returns the state. */
function scan(block: BlockInstance, inputs: Record<string, boolean | bigint | number> = {}): string {
  for (const [name, value] of Object.entries(inputs)) block.set(name, value)
  block.scan()
  return state(block)
}

async function fill(): Promise<BlockInstance> {
  return instance(await load('mixer.csv'), 'Fill')
}

async function filling(): Promise<BlockInstance> {
  const block = await fill()
  assert.equal(scan(block, { Execute: true }), '1 Active')
  return block
}

describe('shape of the generated block', () => {
  test('sections are exactly those of the table', async () => {
    const block = await fill()
    assert.equal(block.interface.name, 'FB_Fill')
    assert.deepEqual(block.interface.sections, {
      // Of the control modules of the unit, only those that the phase uses.
      VAR_INPUT: ['Execute', 'Abort', 'Hold', 'ValveIn', 'Tank'],
      VAR_OUTPUT: ['Done', 'Active', 'Held', 'Error'],
      VAR: ['_Step', '_StepEntry'],
      'VAR CONSTANT': ['STEP_IDLE', 'STEP_OPEN_INLET', 'STEP_WAIT_LEVEL', 'STEP_CLOSE_INLET', 'STEP_FILLED'],
    })
    const bools = ['Execute', 'Abort', 'Hold', 'Done', 'Active', 'Held', 'Error', '_StepEntry']
    for (const name of bools) assert.equal(block.interface.types[name], 'Bool', name)
    assert.equal(block.interface.types._Step, 'Int')
    assert.equal(block.interface.types.ValveIn, '"UDT_ValveIn"')
  })

  test('one CASE over _Step: idle and every step by its constant; HOLD then ABORT after it', async () => {
    const { scl } = generatePhase(await load('mixer.csv'), 'Mix')
    assert.equal(scl.match(/\bCASE\b(?! \()/g)?.length, 1)
    assert.match(scl, /CASE #_Step OF/)
    const constants = new Map(
      [...scl.matchAll(/^ +(STEP_\w+) : Int := (\d+);/gm)].map(([, name, value]) => [name, value]),
    )
    assert.deepEqual(
      [...scl.matchAll(/^\s+#(STEP_\w+):/gm)].map((match) => constants.get(match[1])),
      ['0', '10', '20', '30', '40', '50'],
    )
    assert.doesNotMatch(scl, /#_Step (:=|=) \d/)
    const order = ['END_CASE;', 'REGION HOLD', 'REGION ABORT', 'END_FUNCTION_BLOCK'].map((mark) => scl.indexOf(mark))
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    )
    assert.ok(!order.includes(-1))
  })

  test('two runs give identical bytes, with LF only', async () => {
    const [first, second] = [await load('brewery.csv'), await load('brewery.csv')]
    for (const { name } of phasesView(first)) assert.deepEqual(generatePhase(first, name), generatePhase(second, name))
    assert.doesNotMatch(generatePhase(first, 'MashIn').scl, /\r|\uFEFF/)
  })

  test('steps are named in comments and in the header', async () => {
    const { scl } = generatePhase(await load('mixer.csv'), 'Fill')
    assert.match(scl, /^\t +#STEP_WAIT_LEVEL: {2}\/\/ Step 2: WaitLevel$/m)
    assert.match(scl, /^\/\/ 3 +CloseInlet +4 +ValveIn\.Open:=FALSE +ValveIn\.Closed=TRUE$/m)
    assert.match(scl, /^\/\/ Source {5}mixer\.csv$/m)
  })

  test('names that are no plain identifiers are quoted; a line break in a step name stays in its comment', async () => {
    const model = await load('brewery.csv')
    const cool = generatePhase(model, 'cool down')
    assert.equal(cool.blockName, 'FB_Cool Down')
    assert.match(cool.scl, /#"Glycol Loop"\.Cool := TRUE;/)
    assert.match(generatePhase(model, 'MashIn').scl, /#Motor\."Type" := 16#047F;/)
    assert.doesNotThrow(() => instance(model, 'MashIn'))
  })

  test('a type has one member per variable', async () => {
    const cmType = (await load('mixer.csv')).areas[0]!.processCells[0]!.unitTypes[0]!.cmTypes[2]!
    const udt = generateUdt(cmType)
    assert.equal(udt.name, 'UDT_Agitator')
    assert.match(udt.scl, /^TYPE "UDT_Agitator"\n/)
    assert.deepEqual(
      [...udt.scl.matchAll(/^ {6}(\w+) : (\w+);/gm)].map(([, name, type]) => `${name} ${type}`),
      ['Run Bool', 'Speed Real', 'Running Bool', 'RunTime Time'],
    )
  })

  test('an unknown phase is named, with the nearest one', async () => {
    const model = await load('mixer.csv')
    assert.throws(
      () => generatePhase(model, 'Fil'),
      (error) => error instanceof UnknownPhaseError && error.suggestion === 'Fill' && error.phases.length === 3,
    )
  })
})

describe('state table: idle', () => {
  test('nothing happens without Execute', async () => {
    const block = await fill()
    assert.equal(scan(block), '0')
    assert.equal(scan(block, { Hold: true }), '0')
    assert.equal(scan(block, { Hold: false, Abort: true }), '0')
  })

  test('Execute becomes true: the initial step, Active', async () => {
    const block = await fill()
    scan(block)
    assert.equal(scan(block, { Execute: true }), '1 Active')
    assert.equal(block.get('_StepEntry'), true)
    assert.equal(block.get('ValveIn.Open'), false, 'the entry action belongs to the evaluation of the step')
  })

  test('the initial step is the one flagged, not the lowest number', async () => {
    const spec =
      '[CmTypes]\nCmType;Variable;Direction;DataType;Description\n[Phases]\nPhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\nP;5;B;;TRUE;;;\nP;9;A;TRUE;;;TRUE;5\n'
    const result = await parseDesignSpec(spec, 'x.csv')
    assert.ok('model' in result)
    const block = instance(result.model, 'P')
    assert.equal(scan(block, { Execute: true }), '9 Active')
    assert.equal(scan(block), '5 Active')
    assert.equal(scan(block), '0 Done')
  })
})

describe('state table: steps', () => {
  test('entry action runs while _StepEntry is true, once', async () => {
    const block = await filling()
    assert.equal(scan(block), '1 Active')
    assert.equal(block.get('ValveIn.Open'), true)
    assert.equal(block.get('_StepEntry'), false)
    block.set('ValveIn.Open', false)
    scan(block)
    assert.equal(block.get('ValveIn.Open'), false, 'not written again')
    block.set('_StepEntry', true)
    scan(block)
    assert.equal(block.get('ValveIn.Open'), true)
  })

  test('Condition true: the step named by NextStep, with its entry', async () => {
    const block = await filling()
    assert.equal(scan(block), '1 Active')
    assert.equal(scan(block, { 'ValveIn.Opened': true }), '2 Active')
    assert.equal(block.get('_StepEntry'), true)
    assert.equal(scan(block, { 'Tank.Level': 79.9 }), '2 Active')
    assert.equal(scan(block, { 'Tank.Level': 80 }), '3 Active')
    assert.equal(scan(block), '3 Active')
    assert.equal(block.get('ValveIn.Open'), false)
  })

  test('entry action and transition in one evaluation', async () => {
    const block = await filling()
    assert.equal(scan(block, { 'ValveIn.Opened': true }), '2 Active')
    assert.equal(block.get('ValveIn.Open'), true)
  })

  test('final step: idle, Done, not Active', async () => {
    const block = await filling()
    scan(block, { 'ValveIn.Opened': true, 'Tank.Level': 90 })
    scan(block)
    assert.equal(scan(block, { 'ValveIn.Closed': true }), '4 Active')
    assert.equal(scan(block), '0 Done')
  })

  test('Execute may be a pulse; Done then stays until the next start', async () => {
    const block = await filling()
    scan(block, { Execute: false, 'ValveIn.Opened': true, 'ValveIn.Closed': true, 'Tank.Level': 90 })
    for (let i = 0; i < 5; i += 1) scan(block)
    assert.equal(state(block), '0 Done')
    assert.equal(scan(block, { Execute: true }), '1 Active')
  })

  test('an Execute that stays true does not start again; its fall clears Done', async () => {
    const block = await filling()
    scan(block, { 'ValveIn.Opened': true, 'ValveIn.Closed': true, 'Tank.Level': 90 })
    for (let i = 0; i < 5; i += 1) scan(block)
    assert.equal(state(block), '0 Done')
    assert.equal(scan(block, { Execute: false }), '0')
    assert.equal(scan(block, { Execute: true }), '1 Active')
  })

  test('all data types of a real spec run: Time, LReal, USInt, Word, String', async () => {
    const block = instance(await load('brewery.csv'), 'MashIn')
    scan(block, { Execute: true })
    assert.equal(scan(block, { 'Valve.Opened': true, 'Steam.Temperature': 35 }), '100 Active')
    assert.equal(block.get('Motor.Mode'), 1n)
    assert.equal(block.get('Motor.Type'), 0x047fn)
    assert.equal(scan(block, { 'Steam.Temperature': 35.5, 'Recipe.Rest': 60_000n }), '200 Active')
    assert.equal(scan(block, { 'Recipe.Elapsed': 89_999n }), '200 Active')
    assert.equal(block.get('Steam.Position'), 500n)
    assert.equal(block.get('Recipe.Name'), "'Pils; 1. Rast'")
    assert.equal(scan(block, { 'Recipe.Elapsed': 90_000n }), '300 Active')
    assert.equal(scan(block), '0 Done')
    assert.equal(block.get('Valve.Open'), false, 'the entry action of the final step ran')
  })
})

describe('state table: Hold', () => {
  test('Hold and Active: unchanged step, Held', async () => {
    const block = await filling()
    scan(block)
    assert.equal(scan(block, { Hold: true, 'ValveIn.Opened': true }), '1 Active Held')
    assert.equal(scan(block), '1 Active Held')
    assert.equal(scan(block, { Hold: false }), '2 Active')
  })

  test('a held phase issues nothing; the entry action follows after Hold', async () => {
    const block = await fill()
    assert.equal(scan(block, { Execute: true, Hold: true }), '1 Active Held')
    scan(block)
    assert.equal(block.get('ValveIn.Open'), false)
    scan(block, { Hold: false })
    assert.equal(block.get('ValveIn.Open'), true)
  })

  test('a held final step does not complete', async () => {
    const block = await filling()
    scan(block, { 'ValveIn.Opened': true, 'ValveIn.Closed': true, 'Tank.Level': 90 })
    scan(block)
    assert.equal(scan(block), '4 Active')
    assert.equal(scan(block, { Hold: true }), '4 Active Held')
    assert.equal(scan(block, { Hold: false }), '0 Done')
  })
})

describe('state table: Abort', () => {
  test('Abort and Active: idle, not Active, not Done', async () => {
    const block = await filling()
    scan(block)
    assert.equal(scan(block, { Abort: true }), '0')
  })

  test('an aborted phase issues nothing more', async () => {
    const block = await filling()
    assert.equal(scan(block, { Abort: true }), '0')
    assert.equal(block.get('ValveIn.Open'), false)
  })

  test('it starts again only after Execute was false', async () => {
    const block = await filling()
    scan(block, { Abort: true })
    assert.equal(scan(block, { Abort: false }), '0')
    assert.equal(scan(block), '0')
    assert.equal(scan(block, { Execute: false }), '0')
    assert.equal(scan(block, { Execute: true }), '1 Active')
  })

  test('Abort wins over Hold, over a start and over the final step', async () => {
    const held = await filling()
    assert.equal(scan(held, { Hold: true }), '1 Active Held')
    assert.equal(scan(held, { Abort: true }), '0')
    const starting = await fill()
    assert.equal(scan(starting, { Execute: true, Abort: true }), '0')
    assert.equal(scan(starting, { Abort: false }), '0')
    const final = await filling()
    scan(final, { 'ValveIn.Opened': true, 'ValveIn.Closed': true, 'Tank.Level': 90 })
    scan(final)
    assert.equal(scan(final), '4 Active')
    assert.equal(scan(final, { Abort: true }), '0')
  })
})

describe('unknown step', () => {
  test('Error, idle, not Active; a new start clears it', async () => {
    const block = await filling()
    block.set('_Step', 99n)
    assert.equal(scan(block), '0 Error')
    assert.equal(scan(block), '0 Error')
    assert.equal(scan(block, { Execute: false }), '0')
    assert.equal(scan(block, { Execute: true }), '1 Active')
  })

  test('Error stays visible when Execute was a pulse', async () => {
    const block = await filling()
    scan(block, { Execute: false })
    block.set('_Step', -1n)
    assert.equal(scan(block), '0 Error')
    assert.equal(scan(block), '0 Error')
  })
})

test('the text of each block and type of the specs with parameters, times, commands, interlocks and states', async () => {
  for (const name of ['tank', 'cip', 'conveyor']) {
    const model = await load(`${name}.csv`)
    const phases = phasesView(model).map((phase) => generatePhase(model, phase.name))
    const types = new Map(phases.flatMap(({ udts }) => udts.map((udt) => [udt.name, udt.scl] as const)))
    const texts = [...types.values(), ...phases.map(({ scl }) => scl)]
    assertRecorded(import.meta.url, `generated-${name}.scl`, texts.join(''))
  }
})
