/** Reads whole specs: the allowed forms of a file, and every fault with its position. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { CASES } from '../../../test/design-spec/faulty.ts'
import {
  faultCodes,
  faultsIn,
  loadSound,
  SOUND_LINES,
  specWith,
  specWithExpression,
} from '../../../test/design-spec/specs.ts'
import { FAULTS } from '../model/faults.ts'
import { loadCounts, modelView, phasesView } from '../model/model-view.ts'
import { mergeSeparate } from './merge.ts'
import { parseDesignSpec } from './parse.ts'

describe('responses', () => {
  test('model, phases and counts have exactly the fields of docs/design.md#design-specs', async () => {
    const model = await loadSound(specWith())
    assert.deepEqual(modelView(model), {
      areas: [
        {
          name: 'plant',
          processCells: [
            {
              name: 'plant',
              unitTypes: [
                {
                  name: 'plant',
                  cmTypes: [
                    { name: 'Valve', variables: 2 },
                    { name: 'Tank', variables: 2 },
                  ],
                  phases: [{ name: 'Fill', steps: 3 }],
                },
              ],
            },
          ],
        },
      ],
    })
    assert.deepEqual(phasesView(model), [{ name: 'Fill', steps: ['Open', 'Wait', 'End'] }])
    assert.deepEqual(loadCounts(model), {
      success: true,
      areas: 1,
      processCells: 1,
      unitTypes: 1,
      cmTypes: 2,
      phases: 1,
    })
  })

  test('step names come in the order of the step numbers, not of the rows', async () => {
    const text = specWith({ 10: SOUND_LINES[11]!, 12: SOUND_LINES[9]! })
    assert.deepEqual(phasesView(await loadSound(text)), [{ name: 'Fill', steps: ['Open', 'Wait', 'End'] }])
  })

  test('a spec with the hierarchy', async () => {
    const bytes = readFileSync(new URL('../fixtures/brewery.csv', import.meta.url))
    const model = await loadSound(bytes, '/upload/brewery.csv')
    assert.deepEqual(
      modelView(model).areas.map((area) => [
        area.name,
        area.processCells.map((cell) => [cell.name, cell.unitTypes.map((unit) => unit.name)]),
      ]),
      [
        ['Brewhouse', [['Line 1', ['MashTun']]]],
        ['Cellar', [['Tank farm', ['Fermenter']]]],
      ],
    )
    assert.equal(model.areas[1]!.processCells[0]!.unitTypes[0]!.description, 'Fermenter with "glycol" jacket')
    assert.equal(model.areas[0]!.processCells[0]!.description, 'Mash, lauter; whirlpool')
    assert.equal(model.sourceName, 'brewery.csv')
  })

  test('a leading UnitType column without [UnitTypes] makes the unit types', async () => {
    const lines = SOUND_LINES.map((line, index) =>
      line === '' || line.startsWith('[') ? line : `${index === 1 || index === 8 ? 'UnitType' : 'Reactor'};${line}`,
    )
    const model = await loadSound(lines.join('\n'))
    assert.deepEqual(
      modelView(model).areas.map((area) => [area.name, area.processCells[0]!.unitTypes.map((unit) => unit.name)]),
      [['plant', ['Reactor']]],
    )
  })
})

describe('forms of the text', () => {
  const expected = () => loadSound(specWith())
  const forms: Record<string, string | Uint8Array> = {
    'byte order mark': `\uFEFF${specWith()}`,
    bytes: Buffer.from(`\uFEFF${specWith()}`, 'utf8'),
    CRLF: specWith().replaceAll('\n', '\r\n'),
    'CR only': specWith().replaceAll('\n', '\r'),
    'mixed line ends': specWith().replace('\n', '\r\n').replace(/\n$/, '\r'),
    'empty columns at the end': SOUND_LINES.map((line) => `${line};;;;;;;;`.slice(0, line.length + 9)).join('\n'),
    'no empty columns at the end': SOUND_LINES.map((line) => line.replace(/;+$/, '')).join('\n'),
    'blank lines and lines of separators': SOUND_LINES.join('\n\n;;;\n  \n'),
    'quoted names': specWith({ 3: '"Valve";"Open";"Out";"Bool";"Open command"' }),
    'blanks around fields': specWith({ 3: ' Valve ; Open ; Out ;\tBool ; Open command ' }),
    'blanks inside quotes': specWith({ 3: '" Valve ";"Open ";" Out";" Bool ";" Open command "' }),
    'expressions without quotes': specWith({ 10: 'Fill;1;Open;TRUE;;Valve.Open:=TRUE;Valve.Opened=TRUE;2' }),
    'case of keywords': specWith({
      1: '[cmtypes]',
      2: 'cmtype;variable;direction;datatype;description',
      3: 'Valve;Open;OUT;BOOL;Open command',
    }),
    'phases first': [...SOUND_LINES.slice(7), ...SOUND_LINES.slice(0, 6)].join('\n'),
    'line end at the end': `${specWith()}\n\n`,
  }
  for (const [name, text] of Object.entries(forms)) {
    test(name, async () => assert.deepEqual(await loadSound(text), await expected()))
  }

  test('quoted semicolons, quotes and line breaks; lines are counted through them', async () => {
    const text = specWith({ 3: 'Valve;Open;Out;Bool;"a; ""b""\r\nc"', 4: 'Valve;Opened;In;Boool;' })
    assert.deepEqual(await faultCodes(text), ['5:DataType:data_type_unknown'])
    const model = await loadSound(text.replace('Boool', 'Bool'))
    assert.equal(model.areas[0]!.processCells[0]!.unitTypes[0]!.cmTypes[0]!.variables[0]!.description, 'a; "b"\r\nc')
  })

  test('an expression that a spreadsheet has quoted once more', async () => {
    const model = await loadSound(
      specWith({ 10: 'Fill;1;Open;TRUE;;"""Valve.Open:=TRUE""";"""Valve.Opened=TRUE""";2' }),
    )
    assert.equal(phasesView(model)[0]!.steps.length, 3)
  })

  test('names differing only in case are the same name', async () => {
    await loadSound(
      specWith({ 4: 'VALVE;Opened;In;Bool;', 10: 'Fill;1;Open;TRUE;;"valve.OPEN:=true";"Valve.opened=True";2' }),
    )
  })

  test('a phase name is taken from its first row, whatever the case of the others', async () => {
    assert.deepEqual(
      phasesView(await loadSound(specWith({ 11: 'FILL;2;Wait;;;;"Tank.Level>=80.0";3' })))[0]!.name,
      'Fill',
    )
  })
})

const MERGE_CODES = ['part_section', 'part_direction', 'part_empty']

describe('faults', () => {
  for (const [code, { text, faults }] of Object.entries(CASES)) {
    test(code, async () => {
      const found = await faultCodes(text)
      assert.ok(
        found.some((fault) => fault.endsWith(`:${code}`)),
        found.join('\n'),
      )
      if (code !== 'too_many_faults') assert.deepEqual(found, faults)
    })
  }

  test('every fault code has a case, every warning one below', () => {
    const expected = Object.entries(FAULTS).filter(
      ([code, { severity }]) => severity === 'fault' && !MERGE_CODES.includes(code),
    )
    assert.deepEqual(Object.keys(CASES).sort(), expected.map(([code]) => code).sort())
  })

  test('a fault names place, value, what is allowed and what was meant', async () => {
    const result = await parseDesignSpec(
      specWithExpression({ action: 'Valve.Open:=FALSE; Tank.Cuont := 5' }),
      'plant.csv',
    )
    assert.deepEqual(faultsIn(result), [
      {
        code: 'variable_unknown',
        section: 'Phases',
        line: 10,
        column: 'EntryAction',
        columnNumber: 6,
        position: 25,
        value: 'Cuont',
        message: 'Tank has no variable Cuont. Did you mean Tank.Count? (character 25)',
        allowed: ['Level', 'Count'],
        suggestion: 'Count',
      },
    ])
  })

  test('all faults are reported, not the first', async () => {
    const found = await faultCodes(
      specWith({
        3: 'Valve;Open;Out;Boool;',
        5: 'Tank;Level;Sideways;Real;',
        10: 'Fill;1;Open;;;"Valve.Open:=";"(TRUE";2',
        11: 'Fill;1;Wait;;;;"Tank.Lvl>=80";9',
      }),
    )
    assert.deepEqual(found, [
      '3:DataType:data_type_unknown',
      '5:Direction:direction_unknown',
      '10:IsInitial:initial_missing',
      '10:EntryAction:expression_syntax',
      '10:Condition:expression_unbalanced',
      '10:NextStep:next_step_unknown',
      '11:Step:step_duplicate',
      '11:Condition:variable_unknown',
      '11:NextStep:next_step_unknown',
    ])
  })

  test('a wrong quote does not hide the rest of the file', async () => {
    const found = await faultCodes(specWith({ 4: 'Valve;Opened;In;Bool;"never closed', 6: 'Tank;Count;Out;Whole;' }))
    assert.deepEqual(found.slice(0, 2), ['4:5:csv_quote', '6:DataType:data_type_unknown'])
  })

  test('an unreadable [CmTypes] does not make every expression a fault', async () => {
    assert.deepEqual(await faultCodes(specWith({ 2: 'Typ;Variable;Direction;DataType;Description' })), [
      '2:1:column_unknown',
      '2:CmType:column_missing',
    ])
  })

  test('an empty file and one of another kind', async () => {
    assert.deepEqual(await faultCodes(''), ['1:0:section_missing', '1:0:section_missing'])
    assert.ok((await faultCodes('Name,Value\na,1')).includes('1:1:row_outside_section'))
    assert.deepEqual(await faultCodes(Buffer.from('\uFEFF[CmTypes]', 'utf16le')), ['1:0:not_utf8'])
  })

  test('a byte order mark is no part of the first line, which may be quoted', async () => {
    const phases = phasesView(await loadSound(specWith()))
    for (const first of ['[CmTypes]', '"[CmTypes]"'])
      assert.deepEqual(phasesView(await loadSound(`\uFEFF${specWith({ 1: first })}`)), phases, first)
  })

  test('NextStep 0 is no way to idle except from a final step', async () => {
    assert.deepEqual(await faultCodes(specWith({ 11: 'Fill;2;Wait;;;;TRUE;0' })), ['11:NextStep:next_step_unknown'])
  })

  test('a loop that never ends in the final step leaves it unreachable', async () => {
    assert.deepEqual(await faultCodes(specWith({ 11: 'Fill;2;Wait;;;;TRUE;1' })), ['12:Step:step_unreachable'])
  })

  test('a type of another unit is said to be one', async () => {
    const text = `[CmTypes]\nUnitType;${SOUND_LINES[1]}\nA;Valve;Open;Out;Bool;\nB;Pump;Run;Out;Bool;\n[Phases]\nUnitType;${SOUND_LINES[8]}\nA;P;1;End;TRUE;TRUE;Pump.Run:=TRUE;;`
    const [fault] = faultsIn(await parseDesignSpec(text, 'x.csv'))
    assert.equal(fault!.code, 'cm_type_unknown')
    assert.match(fault!.message, /belongs to the unit type B/)
  })

  test('without [UnitTypes], several process cells leave it open where the unit belongs', async () => {
    const text = `[ProcessCells]\nArea;ProcessCell;Description\n;C1;\n;C2;\n${specWith()}`
    assert.deepEqual(await faultCodes(text), ['7:0:section_missing'])
  })
})

describe('limits', () => {
  /** A spec of so many steps, each with an entry action. */
  const steps = (count: number, action: (i: number) => string) => {
    const rows = Array.from({ length: count }, (_, i) => `Fill;${i + 2};S${i + 2};;;"${action(i)}";TRUE;${i + 3}`)
    const last = `Fill;${count + 2};End;;TRUE;;TRUE;`
    return specWith({ 11: rows.join('\n'), 12: last })
  }

  test('the nearest name is looked for 200 unknown names, in expressions and for parents', async () => {
    const read = async (text: string) => faultsIn(await parseDesignSpec(text, 'plant.csv'))
    const modules = await read(steps(202, () => 'Valv.Open:=TRUE'))
    assert.deepEqual(
      modules.map(({ code, suggestion }) => [code, suggestion]),
      [...Array(200).fill(['cm_type_unknown', 'Valve']), ...Array(2).fill(['cm_type_unknown', undefined])],
    )
    const without = 'The unit has no control-module type Valv.'
    assert.deepEqual(
      [modules[199]!.message, modules[200]!.message],
      [`${without} Did you mean Valve? (character 1)`, `${without} (character 1)`],
    )
    const cells = Array.from({ length: 201 }, (_, i) => `Nrth;Cell${i};`).join('\n')
    const head = '[Areas]\nArea;Description\nNorth;\n[ProcessCells]\nArea;ProcessCell;Description'
    const areas = (await read(`${head}\n${cells}\n${specWith()}`)).filter(({ code }) => code === 'area_unknown')
    assert.deepEqual(
      areas.map(({ suggestion }) => suggestion),
      [...Array(200).fill('North'), undefined],
    )
    assert.equal(areas[200]!.message, 'Area Nrth is not declared in [Areas].')
  })

  test('1000 faults are listed, the others are counted; a fault lists 50 names that are allowed', async () => {
    const most = faultsIn(
      await parseDesignSpec(
        steps(1000, () => 'Tank.Level:='),
        'plant.csv',
      ),
    )
    assert.equal(most.length, 1000)
    assert.ok(most.every(({ code, line }, i) => code !== 'too_many_faults' && line === i + 11))
    const faults = faultsIn(
      await parseDesignSpec(
        steps(1003, () => 'Tank.Level:='),
        'plant.csv',
      ),
    )
    assert.deepEqual(faults.slice(0, 1000), most)
    const { code, message, value, column, columnNumber, line } = faults[1000]!
    assert.deepEqual(
      [faults.length, code, message, value, column, columnNumber, line],
      [1001, 'too_many_faults', '3 more faults are not listed.', '3', '', 0, 1010],
    )
    const names = (count: number) => Array.from({ length: count }, (_, i) => `Tank;Var${i + 10};Out;Int;`)
    const allowedOf = async (count: number) => {
      const text = specWithExpression({ action: 'Tank.Other:=1', variables: names(count - 2) })
      return faultsIn(await parseDesignSpec(text, 'plant.csv'))[0]!.allowed
    }
    const own = ['Level', 'Count', ...Array.from({ length: 48 }, (_, i) => `Var${i + 10}`)]
    assert.deepEqual(await allowedOf(50), own)
    assert.deepEqual(await allowedOf(51), [...own, '…'])
    assert.deepEqual(await allowedOf(52), [...own, '…'])
  })

  test('1000 warnings are listed, the others are counted', async () => {
    const warningsOf = async (count: number) => {
      const result = await parseDesignSpec(
        steps(count, () => 'Valve.Opened:=TRUE'),
        'plant.csv',
      )
      assert.ok('model' in result)
      return result.warnings
    }
    const most = await warningsOf(1000)
    assert.deepEqual([most.length, most.at(-1)!.code], [1000, 'action_writes_input'])
    const last = { ...most.at(-1)!, code: 'too_many_warnings', column: '', columnNumber: 0 }
    assert.deepEqual(await warningsOf(1002), [
      ...most,
      { ...last, value: '2', message: '2 more warnings are not listed.' },
    ])
  })
})

describe('warnings', () => {
  const warnings = async (text: string) => {
    const result = await parseDesignSpec(text, 'plant.csv')
    assert.ok('model' in result, JSON.stringify(result))
    return result.warnings.map((warning) => `${warning.line}:${warning.column}:${warning.code}`)
  }

  test('a sound spec has none', async () => assert.deepEqual(await warnings(specWith()), []))

  test('an entry action that writes an input', async () => {
    assert.deepEqual(await warnings(specWithExpression({ action: 'Valve.Opened:=TRUE' })), [
      '10:EntryAction:action_writes_input',
    ])
  })

  test('Condition and NextStep of a final step have no effect', async () => {
    assert.deepEqual(await warnings(specWith({ 12: 'Fill;3;End;;TRUE;;"Valve.Opened=FALSE";1' })), [
      '12:Condition:final_condition_ignored',
      '12:NextStep:final_next_step_ignored',
    ])
    assert.deepEqual(await warnings(specWith({ 12: 'Fill;3;End;;TRUE;;TRUE;0' })), [])
  })
})

test('the codes of a separate load are faults too', async () => {
  const result = await mergeSeparate({}, null)
  assert.deepEqual(
    faultsIn(result).map((fault) => fault.code),
    ['part_empty'],
  )
})
