/** The small parts of tests of programs: comparisons, times, tables of stimuli, blocks of tests, merged coverage. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { stubsIn } from '../library/gantry-test.ts'
import type { ImportedObject } from '../model/object.ts'
import { assertedPaths, blockTestFile, testRoles } from './block-tests.ts'
import { ControllerSet } from './controller-set.ts'
import { type BlockCoverage, mergedCoverage } from './coverage.ts'
import { durationOf } from './durations.ts'
import type { Expected, TestValue } from './model.ts'
import { TrapError } from './private-controller.ts'
import { readStimulus } from './stimulus.ts'
import { isAsExpected, ordinal, shownExpected, shownValue, type TestVariable } from './variables.ts'

const memory = new Uint8Array()

/** A variable that keeps what is written, as it is. */
function variable(value: TestValue, dataType = 'Int'): TestVariable & { value: TestValue } {
  const own = {
    value,
    dataType,
    read: () => own.value,
    bytesOf: () => memory,
    valueIn: () => own.value,
    write: (_memory: Uint8Array, given: TestValue) => {
      own.value = given
    },
    asWritten: (_memory: Uint8Array, given: TestValue) => given,
  }
  return own
}

test('a value is as expected or not, at its limits too', () => {
  const holds = (value: TestValue, expected: Expected) => isAsExpected(variable(value), expected, memory, 0n)
  const cases: readonly (readonly [Expected, yes: readonly TestValue[], no: readonly TestValue[]])[] = [
    [{ kind: 'equal', value: 5 }, [5], [4, 6, '5', true]],
    [{ kind: 'equal', value: [1, { a: 'x' }] }, [[1, { a: 'x' }]], [[1, { a: 'y' }], [1]]],
    [{ kind: 'not', value: 5 }, [4, '5'], [5]],
    [{ kind: 'oneOf', values: [1, 'T#1s', null] }, [1, 'T#1s', null], [2, 'T#2s']],
    [{ kind: 'compare', operator: '<', value: 5 }, [4, 4.9, -1], [5, 6]],
    [{ kind: 'compare', operator: '<=', value: 5 }, [4, 5], [6]],
    [{ kind: 'compare', operator: '>', value: 5 }, [6], [5, 4]],
    [{ kind: 'compare', operator: '>=', value: 5 }, [5, 6], [4]],
    [{ kind: 'compare', operator: '>', value: 'T#1s' }, ['T#1001ms', 'T#1m'], ['T#1s', 'T#999ms']],
    [{ kind: 'compare', operator: '>', value: false }, [true], [false]],
    [{ kind: 'compare', operator: '<', value: 'Infinity' }, [1e300, '-Infinity'], ['Infinity', 'NaN']],
    [{ kind: 'between', low: 2, high: 4 }, [2, 3, 4], [1, 5]],
    [{ kind: 'between', low: 'T#1s', high: 'T#2s' }, ['T#1s', 'T#2s'], ['T#999ms', 'T#2001ms']],
    [{ kind: 'near', value: 10, by: 2 }, [8, 10, 12], [7.99, 12.01]],
    [{ kind: 'near', value: 0.3, by: 0.1 }, [0.2, 0.4, 0.4 + 1e-12], [0.19, 0.41]],
    [{ kind: 'near', value: 'T#1s', by: 'T#10ms' }, ['T#990ms', 'T#1010ms'], ['T#989ms', 'T#1011ms']],
  ]
  for (const [expected, yes, no] of cases) {
    for (const value of yes)
      assert.equal(holds(value, expected), true, `${JSON.stringify(value)} ${shownExpected(expected)}`)
    for (const value of no)
      assert.equal(holds(value, expected), false, `${JSON.stringify(value)} ${shownExpected(expected)}`)
  }
  assert.throws(
    () => isAsExpected(variable('ab', 'String'), { kind: 'compare', operator: '<', value: 5 }, memory, 0n),
    { message: 'values of type String have no order: "ab"' },
  )
  assert.throws(() => holds(5, { kind: 'between', low: 1, high: [2] }), /have no order: \[2\]/)
})

test('values and what is expected of them are shown as people write them', () => {
  assert.deepEqual([true, false, 'T#1s', 5, null, [1], { a: 'x' }].map(shownValue), [
    ...['TRUE', 'FALSE', 'T#1s', '5', 'null', '[1]', '{"a":"x"}'],
  ])
  const expected: readonly (readonly [Expected, string])[] = [
    [{ kind: 'equal', value: true }, 'TRUE'],
    [{ kind: 'not', value: 5 }, 'not 5'],
    [{ kind: 'compare', operator: '>=', value: 5 }, '>= 5'],
    [{ kind: 'near', value: 5, by: 0.1 }, '5 +/- 0.1'],
    [{ kind: 'between', low: 1, high: 'T#2s' }, '1 to T#2s'],
    [{ kind: 'oneOf', values: [1, false] }, 'one of 1, FALSE'],
  ]
  for (const [one, text] of expected) assert.equal(shownExpected(one), text)
  assert.deepEqual([3, true, false, 'T#2s', '16#FF', "'a'", 'x y', null, [1]].map(ordinal), [
    ...[3, 1, 0, 2000n, 255n, undefined, undefined, undefined, undefined],
  ])
  assert.deepEqual(['T#1m30s', 'LT#5us', 'T#-1ms', 'S5T#1s', '5', '1s', 'TRUE'].map(durationOf), [
    ...[90_000_000_000n, 5000n, -1_000_000n, undefined, undefined, undefined, undefined],
  ])
})

test('a table of stimuli has times and a column for each variable', () => {
  const rows = [
    { nanoseconds: 0n, values: [true, 5] },
    { nanoseconds: 1_500_000_000n, values: [undefined, 6.5] },
  ]
  for (const text of [
    'time,a,b\n0,TRUE,5\n1.5,,6.5\n',
    'time s;a;b\r\n0;true;5\r\n\r\n1.5;;6.5',
    '\uFEFFTime [ms]\ta\tb\n0\tTRUE\t5\n1500\t\t6.5\n',
    'time (s) , a , b\nT#0s, TRUE, 5\nT#1500ms, , 6.5\n',
  ])
    assert.deepEqual(readStimulus(text), { paths: ['a', 'b'], rows }, text)
  const refused: readonly (readonly [string, string])[] = [
    ['', 'line 1: the columns are "time" (or "time ms") and then one variable each.'],
    ['time\n0\n', 'line 1: the columns are "time" (or "time ms") and then one variable each.'],
    ['time,a,\n0,1,2\n', 'line 1: the columns are "time" (or "time ms") and then one variable each.'],
    ['clock,a\n0,1\n', 'line 1: the columns are "time" (or "time ms") and then one variable each.'],
    ['time min,a\n0,1\n', 'line 1: the columns are "time" (or "time ms") and then one variable each.'],
    ['time,a\n', 'there are no rows.'],
    ['time,a\n1,1\n1,2\n', 'line 3: "1" is no time above that of the row before it.'],
    ['time,a\n-1,1\n', 'line 2: "-1" is no time above that of the row before it.'],
    ['time,a\n,1\n', 'line 2: "" is no time above that of the row before it.'],
    ['time,a\nsoon,1\n', 'line 2: "soon" is no time above that of the row before it.'],
  ]
  for (const [text, message] of refused) assert.throws(() => readStimulus(text), { name: 'StimulusError', message })
  assert.throws(() => readStimulus('time,a\n0,1,2\n'), { name: 'StimulusError', message: /line 2/ })
})

const block = (name: string, code: string, kind = 'FUNCTION_BLOCK') =>
  readSource(`${kind} "${name}"${kind === 'FUNCTION' ? ' : Void' : ''}\nFAMILY : fill\nBEGIN\n${code}\nEND_${kind}\n`)
    .blocks[0]!.object

test('a block of tests is named so and asserts something; comments do not count', () => {
  const roleOf = (object: ImportedObject) => testRoles([object]).get(object.name.toLowerCase())?.kind
  for (const code of ['Assert_True(#a);', 'x := 1; "Run_Cycles" (3);', "STUB('A', 'B');", 'Advance(T#1s);'])
    for (const kind of ['FUNCTION_BLOCK', 'FUNCTION'])
      assert.equal(roleOf(block('test_Fill', code, kind)), 'test', code)
  for (const code of [
    '',
    '#a := 1;',
    '// Assert_True(#a);',
    '(* Advance(T#1s); *)',
    'Assert_Other(#a);',
    'Assert_True;',
  ])
    assert.equal(roleOf(block('Test_Fill', code)), 'none', code)
  assert.equal(roleOf(block('Fill_Test_', 'Assert_True(#a);')), undefined)
  assert.equal(roleOf(block('Test_Fill', 'Assert_True(#a);', 'ORGANIZATION_BLOCK')), 'none')
  assert.equal(roleOf(block('Test_Fill', '#a := 1;', 'ORGANIZATION_BLOCK')), undefined)
  assert.deepEqual(
    stubsIn(
      block('T', "Stub('A', 'B'); // Stub('C', 'D')\n\"Stub\"( BLOCK := 'my block' , BY := 'other' ); Stub('E');"),
    ),
    [
      { block: 'A', by: 'B' },
      { block: 'my block', by: 'other' },
    ],
  )
  const asserts = `Assert_Equal(#a, "Data".list[1, 2].x);\nAssert_Near(#"b c".d, 5, 0.1, 'it''s #e'); "Assert_True"(#a AND #f);
    #g := #h;`
  assert.deepEqual(assertedPaths(block('T', asserts)), ['#a', '"Data".list[1, 2].x', '#"b c".d', '#f'])
  const many = Array.from({ length: 30 }, (_, i) => `Assert_True(#v${i});`).join('\n')
  assert.equal(assertedPaths(block('T', many)).length, 24)
  const place = { line: 3, column: 1 }
  const file = blockTestFile(block('T', ''), 'a.scl', place)
  assert.deepEqual(
    [file.path, file.block, file.place, file.isBlockTest, file.cases],
    ['a.scl', 'T', place, true, [{ name: 'T', tags: ['fill'], place, given: [], steps: [] }]],
  )
  assert.deepEqual(blockTestFile({ ...block('T', ''), family: '' }, 'a.scl', place).cases[0]?.tags, [])
})

test('who calls a block with the name of a test decides what it is', () => {
  const inputs = 'VAR_INPUT\n  a : Bool;\nEND_VAR\n'
  const fc = (name: string, code: string, section = '') =>
    `FUNCTION "${name}" : Void\n${section}BEGIN\n${code}\nEND_FUNCTION\n`
  const source = [
    fc('Test_Part', 'Assert_True(#a);', inputs),
    fc('Test_Suite', '"Test_Part"(a := TRUE);\n"Test_Alone"();'),
    fc('Test_Alone', 'Assert_True(TRUE);'),
    fc('Test_Lamp', '#a := NOT #a;', inputs),
    fc('Lamps', '"Test_Lamp"(a := TRUE);'),
    fc('Test_Forgotten', '"Lamps"();'),
    'FUNCTION_BLOCK "Test_Plant"\nBEGIN\n;\nEND_FUNCTION_BLOCK\n',
    'FUNCTION_BLOCK "Test_Unused"\nBEGIN\n;\nEND_FUNCTION_BLOCK\n',
    ...['Plant', 'Unused'].map((name) => `DATA_BLOCK "${name}_DB"\n"Test_${name}"\nBEGIN\nEND_DATA_BLOCK\n`),
    'ORGANIZATION_BLOCK "Test_All"\nBEGIN\n"Plant_DB"();\n"Test_Suite"();\nEND_ORGANIZATION_BLOCK\n',
  ].join('')
  const roles = testRoles(readSource(source).blocks.map(({ object }) => object))
  assert.deepEqual(Object.fromEntries([...roles].map(([name, { kind }]) => [name, kind])), {
    test_part: 'part',
    test_suite: 'test',
    test_alone: 'test',
    test_forgotten: 'none',
    test_unused: 'none',
  })
})

test('coverage of several runs is added where blocks have the same places', () => {
  const one = (name: string, ...hits: number[]): BlockCoverage => ({ block: name, points: [], hits })
  assert.deepEqual(mergedCoverage([[one('A', 1, 0), one('B', 2)], [], [one('A', 3, 1), one('B', 1, 1), one('C', 5)]]), [
    one('A', 4, 1),
    one('B', 2),
    one('C', 5),
  ])
})

test('several controllers are named in paths; a fault says which one, connections copy all values at once', () => {
  const made = (name: string, cycle: () => void = () => undefined) => {
    const [a, b] = [variable(1), variable(10)]
    const events: string[] = []
    const controller = {
      ...{ memory, cycles: 3, now: 7n, cycle },
      restart: () => events.push('restart'),
      startUp: () => events.push('start'),
      trigger: (event: string) => events.push(`trigger ${event}`),
      advance: (time: bigint) => events.push(`advance ${time}`),
    }
    const find = (path: string) => (path === 'a' ? a : b)
    return { a, b, events, named: { name, controller: controller as never, find } }
  }
  const place = { line: 1, column: 1 }
  const [line, hall] = [made('line'), made('hall')]
  const wires = [
    { from: 'line/a', to: 'hall/a', place },
    { from: 'hall/a', to: 'line/b', place },
  ]
  const set = new ControllerSet([line.named, hall.named], wires)
  set.restart({ cycle: 1n, look: () => undefined })
  set.startUp()
  hall.a.value = 2
  set.cycle()
  assert.deepEqual([line.a.value, line.b.value, hall.a.value, hall.b.value], [1, 2, 1, 10])
  set.trigger('hall / OB40')
  set.advance(5n)
  assert.deepEqual(line.events, ['restart', 'start', 'advance 5'])
  assert.deepEqual(hall.events, ['restart', 'start', 'trigger OB40', 'advance 5'])
  assert.deepEqual([set.cycles, set.now, set.memory], [3, 7n, memory])
  set.find('hall/b').write(memory, 5)
  assert.deepEqual([hall.b.value, set.find(' hall / b ').read(memory, 0n)], [5, 5])
  assert.throws(() => set.find('haal/b'), { message: '"haal/b" begins with no controller; do you mean "hall/"?' })
  assert.throws(() => set.find('b'), { message: '"b" begins with no controller; write line/… or hall/….' })
  assert.throws(() => set.call(), /in one program/)
  const trapped = made('cell', () => {
    throw new TrapError('it traps')
  })
  const broken = made('cell', () => {
    throw new RangeError('odd')
  })
  assert.throws(() => new ControllerSet([line.named, trapped.named], []).cycle(), {
    name: 'TrapError',
    message: 'cell: it traps',
  })
  assert.throws(() => new ControllerSet([broken.named], []).cycle(), { name: 'RangeError', message: 'odd' })
})
