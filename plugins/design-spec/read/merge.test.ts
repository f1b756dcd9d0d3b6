/** Separate load: what each part replaces, and that nothing is merged when there is a fault. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { faultsIn, loadSound, SOUND_LINES, specWith } from '../../../test/design-spec/specs.ts'
import type { DesignModel } from '../model/model.ts'
import { loadCounts, modelView } from '../model/model-view.ts'
import { mergeSeparate, type SpecParts } from './merge.ts'
import { writeDesignSpec } from './write.ts'

const HEADER = SOUND_LINES[1]!
const PARTS: Required<SpecParts> = {
  inputs: `[CmTypes]\n${HEADER}\n${SOUND_LINES[3]}\n${SOUND_LINES[4]}`,
  outputs: `[CmTypes]\n${HEADER}\n${SOUND_LINES[2]}\n${SOUND_LINES[5]}`,
  logic: SOUND_LINES.slice(7).join('\n'),
  configuration:
    '[Areas]\nArea;Description\nNorth;\n[ProcessCells]\nArea;ProcessCell;Description\nNorth;Line;\n[UnitTypes]\nProcessCell;UnitType;Description\nLine;Mixer;',
}

async function merged(parts: SpecParts, loaded: DesignModel | null): Promise<DesignModel> {
  const result = await mergeSeparate(parts, loaded)
  assert.ok('model' in result, JSON.stringify(result, null, 1))
  return result.model
}

async function faults(parts: SpecParts, loaded: DesignModel | null): Promise<string[]> {
  return faultsIn(await mergeSeparate(parts, loaded)).map(
    (fault) => `${fault.part}:${fault.line}:${fault.column}:${fault.code}`,
  )
}

describe('separate load', () => {
  test('all parts at once, and one after the other, give the same', async () => {
    const once = await merged(PARTS, null)
    let model: DesignModel | null = null
    for (const part of ['outputs', 'inputs', 'logic', 'configuration'] as const)
      model = await merged({ [part]: PARTS[part] }, model)
    assert.deepEqual(model, once)
    assert.deepEqual(loadCounts(once), {
      success: true,
      areas: 1,
      processCells: 1,
      unitTypes: 1,
      cmTypes: 2,
      phases: 1,
    })
    assert.equal(modelView(once).areas[0]!.processCells[0]!.unitTypes[0]!.name, 'Mixer')
  })

  test('a part of one section may start with its header', async () => {
    const bare: SpecParts = {
      inputs: PARTS.inputs.replace('[CmTypes]\n', ''),
      outputs: PARTS.outputs.replace('[CmTypes]\n', ''),
      logic: PARTS.logic.replace('[Phases]\n', ''),
    }
    assert.deepEqual(
      await merged(bare, null),
      await merged({ inputs: PARTS.inputs, outputs: PARTS.outputs, logic: PARTS.logic }, null),
    )
  })

  test('a part replaces what it covers and keeps the rest, and the order of variables', async () => {
    const loaded = await loadSound(specWith())
    const model = await merged(
      { inputs: `[CmTypes]\n${HEADER}\nTank;Level;In;LReal;\nValve;Opened;In;Bool;\nValve;Closed;In;Bool;` },
      loaded,
    )
    const types = model.areas[0]!.processCells[0]!.unitTypes[0]!.cmTypes
    assert.deepEqual(
      types.map((type) => [type.name, ...type.variables.map((variable) => `${variable.name}:${variable.dataType}`)]),
      [
        ['Valve', 'Open:Bool', 'Opened:Bool', 'Closed:Bool'],
        ['Tank', 'Level:LReal', 'Count:SInt'],
      ],
    )
    assert.equal(loadCounts(model).phases, 1)
  })

  test('the same parts again change nothing', async () => {
    const model = await merged(PARTS, null)
    assert.deepEqual(await merged(PARTS, model), model)
  })

  test('new logic drops the old phases', async () => {
    const model = await merged(
      { logic: `[Phases]\n${SOUND_LINES[8]}\nOther;1;End;TRUE;TRUE;;;` },
      await loadSound(specWith()),
    )
    assert.deepEqual(modelView(model).areas[0]!.processCells[0]!.unitTypes[0]!.phases, [{ name: 'Other', steps: 1 }])
  })

  test('faults name their part', async () => {
    assert.deepEqual(await faults({ inputs: `[CmTypes]\n${HEADER}\nValve;Open;Out;Bool;` }, null), [
      'inputs:3:Direction:part_direction',
    ])
    assert.deepEqual(await faults({ logic: PARTS.inputs }, null), ['logic:1::part_section'])
    assert.deepEqual(await faults({ outputs: '' }, null), ['outputs:1::part_empty'])
    assert.deepEqual(
      await faults({ logic: PARTS.logic.replace('Valve.Open:', 'Valve.Opn:') }, await loadSound(specWith())),
      ['logic:3:EntryAction:variable_unknown'],
    )
    const [fault] = faultsIn(
      await mergeSeparate({ inputs: 'x', outputs: `[CmTypes]\n${HEADER}\nValve;Open;Out;Bolean;` }, null),
    )
    assert.deepEqual([fault!.part, fault!.code], ['inputs', 'row_outside_section'])
  })

  test('a variable that the loaded logic needs cannot be taken away', async () => {
    const loaded = await loadSound(specWith())
    const before = structuredClone(loaded)
    const found = faultsIn(await mergeSeparate({ inputs: `[CmTypes]\n${HEADER}\nTank;Level;In;Real;` }, loaded))
    assert.deepEqual(
      found.map((fault) => [fault.part, fault.section, fault.column, fault.code, fault.value]),
      [['loaded model', 'Phases', 'Condition', 'variable_unknown', 'Opened']],
    )
    assert.deepEqual(loaded, before)
  })
})

describe('writing a spec', () => {
  for (const file of ['mixer.csv', 'brewery.csv']) {
    test(`${file} read, written and read again is the same`, async () => {
      const model = await loadSound(readFileSync(new URL(`../fixtures/${file}`, import.meta.url)), file)
      const text = writeDesignSpec(model)
      assert.deepEqual(await loadSound(text, file), model)
      assert.equal(writeDesignSpec(await loadSound(text, file)), text)
    })
  }
})
