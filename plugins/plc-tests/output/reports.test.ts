/** Each form of a report, whole, of one run that has every kind of result. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'
import type { CoveredBlock } from '../coverage.ts'
import type { TestRun } from '../run.task.ts'
import { coberturaOf } from './cobertura.ts'
import { htmlOf } from './html.ts'
import { junitOf } from './junit.ts'
import { lcovOf } from './lcov.ts'
import { tapOf } from './tap.ts'
import { caseText, coverageText, summaryText } from './text.ts'

const place = { line: 3, column: 5 }
const passed: CaseResult = {
  ...{ ...place, file: 'a.yml', name: 'one & two', tags: [], status: 'passed', failures: [] },
  ...{ cycles: 1, milliseconds: 10, wallMs: 1, trace: [] },
}
const failed: CaseResult = {
  ...{ ...passed, name: 'fails #1', status: 'failed', cycles: 3, milliseconds: 1500 },
  failures: [
    { line: 7, column: 9, step: 2, message: 'Level is 10; expected < 5.', expected: '< 5', actual: '10' },
    { line: 8, column: 1, step: 0, message: 'x <> y', milliseconds: 20 },
  ],
  trace: [
    { path: 'Level', values: [0, 5, 10] },
    { path: 'On', values: [true, true, false] },
    { path: 'Same', values: [7, 7, 7] },
    { path: 'Name', values: [null, '"a"', '"a"'] },
  ],
}
const broken: CaseResult = {
  ...{ ...passed, file: 'b.yml', name: 'no such', status: 'error', milliseconds: 0 },
  failures: [{ line: 4, column: 2, step: 1, message: 'there is no variable "z"' }],
  trace: [{ path: 'On', values: [true] }],
}
const skipped: CaseResult = {
  ...{ ...passed, file: 'a.scl', name: 'Test_x', status: 'skipped', cycles: 0, milliseconds: 0 },
  failures: [{ line: 2, column: 4, step: 0, message: '"Test_x" is no test: #1 & more.' }],
}
const run: TestRun = {
  results: [passed, failed, broken],
  faults: [
    { file: 'c.yml', line: 1, column: 2, message: '"cases" is <a list>' },
    { file: 'c.yml', line: 9, column: 1, message: 'twice' },
  ],
  notes: ['Plan.xml cannot be read'],
  skipped: 2,
}

test('as text: a line for each case, and what failed with its time and trace', () => {
  assert.deepEqual([passed, failed, broken].map(caseText), [
    'ok    a.yml: one & two  (1 cycle, T#10ms)\n',
    [
      'FAIL  a.yml: fails #1  (3 cycles, T#1.5s)',
      '    a.yml:7:9: step 2 at T#1.5s',
      '      Level is 10; expected < 5.',
      '    a.yml:8:1: at T#20ms',
      '      x <> y',
      '    the last 3 cycles:',
      '      Level  ▁▅█  0 .. 10, now 10',
      '      On     ██▁  FALSE',
      '      Same   ▁▁▁  7',
      '      Name   .|.  "a"\n',
    ].join('\n'),
    'ERROR b.yml: no such  (1 cycle, T#0ms)\n    b.yml:4:2: step 1 at T#0ms\n      there is no variable "z"\n    the last cycle:\n      On  █  TRUE\n',
  ])
  assert.equal(
    summaryText(run),
    'c.yml:1:2: "cases" is <a list>\nc.yml:9:1: twice\n1 passed, 1 failed, 1 with an error, 2 not selected, 1 test file not read\n',
  )
  assert.equal(
    summaryText({ results: [broken, broken], faults: [], notes: [], skipped: 0 }),
    '0 passed, 0 failed, 2 with errors\n',
  )
})

test('a block that is no test is skipped with its reason in each form', () => {
  const one: TestRun = { results: [passed, skipped], faults: [], notes: [], skipped: 0 }
  assert.equal(caseText(skipped), 'SKIP  a.scl: Test_x\n    a.scl:2:4:\n      "Test_x" is no test: #1 & more.\n')
  assert.equal(summaryText(one), '1 passed, 0 failed, 0 with errors, 1 skipped\n')
  assert.match(htmlOf(one), /0 with errors, 1 skipped<\/p>.*<span class="skipped">skipped<\/span> Test_x/s)
  assert.match(
    junitOf(one),
    /<testsuite name="a.scl" file="a.scl" tests="1" failures="0" errors="0" time="0.000" skipped="1">\n {4}<testcase name="Test_x" classname="a.scl" time="0.000">\n {6}<skipped message="&quot;Test_x&quot; is no test: #1 &amp; more."\/>\n {4}<\/testcase>\n {2}<\/testsuite>/,
  )
  assert.match(tapOf(one), /\nok 2 - a.scl: Test_x # SKIP "Test_x" is no test: \\#1 & more\.\n$/)
})

test('as HTML: counts, faults, failures with drawn variables, and all cases', () => {
  const main = /<main>(.*)<\/main>/s.exec(htmlOf(run))?.[1]?.split('\n')
  const plot = (path: string, d: string) =>
    `<svg class="plot" width="400" height="28" viewBox="0 0 400 28" role="img" aria-label="${path} over the last cycles"><path d="${d}"/></svg>`
  const row = (path: string, d: string, last: string) =>
    `<tr><td>${path}</td><td>${plot(path, d)}</td><td>${last}</td></tr>`
  const head = (count: string) => `<table><tr><th>Variable</th><th>The last ${count}</th><th>Last</th></tr>`
  const flat = (y: string) => `M3.0 ${y}H134.3L134.3 ${y}H265.7L265.7 ${y}H397.0`
  assert.deepEqual(main, [
    '<h1>Tests</h1>',
    '<p>1 passed, 1 failed, 1 with errors, 2 not selected</p>',
    '<ul><li>c.yml:1:2: "cases" is &lt;a list&gt;</li><li>c.yml:9:1: twice</li><li>Plan.xml cannot be read</li></ul>',
    [
      '<section><h2><span class="failed">failed</span> fails #1</h2>',
      '<ul><li><code>a.yml:7:9</code> at T#1.5s: Level is 10; expected &lt; 5.</li>',
      '<li><code>a.yml:8:1</code> at T#20ms: x &lt;&gt; y</li></ul>',
      head('3 cycles'),
      // The lowest value is at 25, the highest at 3, with 3 to each edge.
      row('Level', 'M3.0 25.0H134.3L134.3 14.0H265.7L265.7 3.0H397.0', '10'),
      row('On', 'M3.0 3.0H134.3L134.3 3.0H265.7L265.7 25.0H397.0', 'FALSE'),
      row('Same', flat('25.0'), '7'),
      // What has no order is a line in the middle, with a mark where it changes.
      row('Name', `${flat('14.0')}M134.3 3V25`, '"a"'),
      '</table></section>',
    ].join(''),
    [
      '<section><h2><span class="error">error</span> no such</h2>',
      '<ul><li><code>b.yml:4:2</code> at T#0ms: there is no variable "z"</li></ul>',
      `${head('cycle')}${row('On', 'M3.0 3.0H397.0', 'TRUE')}</table></section>`,
    ].join(''),
    '<h2>All cases</h2>',
    '<table><tr><th>Result</th><th>File</th><th>Case</th><th>Cycles</th><th>Virtual time</th></tr>',
    '<tr><td class="passed">passed</td><td>a.yml</td><td>one &amp; two</td><td>1</td><td>T#10ms</td></tr>',
    '<tr><td class="failed">failed</td><td>a.yml</td><td>fails #1</td><td>3</td><td>T#1.5s</td></tr>',
    '<tr><td class="error">error</td><td>b.yml</td><td>no such</td><td>1</td><td>T#0ms</td></tr>',
    '</table>',
  ])
  const untraced = htmlOf({ results: [{ ...failed, trace: [] }], faults: [], notes: [], skipped: 0 })
  assert.doesNotMatch(untraced, /Variable|<svg|not selected/)
  assert.match(untraced, /with errors<\/p>\n\n<section>/, 'no empty list')
  assert.match(htmlOf({ results: [], faults: [], notes: [], skipped: 1 }), /0 with errors, 1 not selected<\/p>/)
})

test('as JUnit: a suite for each file with its counts and its time in seconds', () => {
  assert.equal(
    junitOf(run),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gantry test" tests="5" failures="1" errors="3" time="1.510">
  <testsuite name="a.yml" file="a.yml" tests="2" failures="1" errors="0" time="1.510" skipped="0">
    <testcase name="one &amp; two" classname="a.yml" time="0.010"/>
    <testcase name="fails #1" classname="a.yml" time="1.500">
      <failure message="Level is 10; expected &lt; 5." type="assertion">a.yml:7:9: step 2: Level is 10; expected &lt; 5.
a.yml:8:1: x &lt;&gt; y
Level  ▁▅█  0 .. 10, now 10
On     ██▁  FALSE
Same   ▁▁▁  7
Name   .|.  "a"</failure>
    </testcase>
  </testsuite>
  <testsuite name="b.yml" file="b.yml" tests="1" failures="0" errors="1" time="0.000" skipped="0">
    <testcase name="no such" classname="b.yml" time="0.000">
      <error message="there is no variable &quot;z&quot;" type="error">b.yml:4:2: step 1: there is no variable "z"
On  █  TRUE</error>
    </testcase>
  </testsuite>
  <testsuite name="c.yml" file="c.yml" tests="2" failures="0" errors="2" time="0.000" skipped="0">
    <testcase name="line 1, column 2" classname="c.yml" time="0"><error message="&quot;cases&quot; is &lt;a list&gt;" type="test-file">c.yml:1:2: "cases" is &lt;a list&gt;</error></testcase>
    <testcase name="line 9, column 1" classname="c.yml" time="0"><error message="twice" type="test-file">c.yml:9:1: twice</error></testcase>
  </testsuite>
</testsuites>
`,
  )
})

test('as TAP: numbers, diagnostics, what begins a directive escaped', () => {
  assert.equal(
    tapOf(run),
    `TAP version 14
1..5
ok 1 - a.yml: one & two
not ok 2 - a.yml: fails \\#1
  ---
  message: "Level is 10; expected < 5. x <> y"
  severity: "fail"
  at: "a.yml:7:9"
  time: "T#1500ms"
  wanted: "< 5"
  found: "10"
  ...
not ok 3 - b.yml: no such
  ---
  message: "there is no variable \\"z\\""
  severity: "error"
  at: "b.yml:4:2"
  time: "T#0ms"
  ...
not ok 4 - c.yml:1:2
  ---
  message: "\\"cases\\" is <a list>"
  severity: "error"
  at: "c.yml:1:2"
  ...
not ok 5 - c.yml:9:1
  ---
  message: "twice"
  severity: "error"
  at: "c.yml:9:1"
  ...
`,
  )
})

const point = (kind: 'statement' | 'branch', fileLine: number, ...hits: number[]) => ({
  ...{ kind, network: 1, fileLine, fileColumn: 1, hits },
})
const covered: CoveredBlock[] = [
  {
    ...{ block: 'Motor', kind: 'FB', language: 'SCL', file: 'src/Motor.scl', line: 1 },
    points: [point('statement', 5, 3), point('branch', 5, 2, 0), point('statement', 6, 0), point('branch', 6, 0, 0)],
  },
  {
    ...{ block: 'Spare', kind: 'FC', language: 'SCL', file: 'src/Motor.scl', line: 20 },
    points: [point('statement', 22, 0)],
  },
  {
    ...{ block: 'Add', kind: 'FC', language: 'SCL', file: 'Add.scl', line: 1 },
    points: [point('statement', 2, 1)],
  },
]

test('coverage as lcov: blocks as functions, outcomes of a line that ran, lines', () => {
  assert.deepEqual(lcovOf(covered).split('end_of_record\n'), [
    [
      ...['TN:', 'SF:src/Motor.scl', 'FN:1,Motor', 'FN:20,Spare', 'FNDA:3,Motor', 'FNDA:0,Spare', 'FNF:2', 'FNH:1'],
      ...['BRDA:5,0,0,2', 'BRDA:5,0,1,0', 'BRDA:6,0,0,-', 'BRDA:6,0,1,-', 'BRF:4', 'BRH:1'],
      ...['DA:5,3', 'DA:6,0', 'DA:22,0', 'LF:3', 'LH:1', ''],
    ].join('\n'),
    [
      'TN:',
      'SF:Add.scl',
      'FN:1,Add',
      'FNDA:1,Add',
      'FNF:1',
      'FNH:1',
      'BRF:0',
      'BRH:0',
      'DA:2,1',
      'LF:1',
      'LH:1',
      '',
    ].join('\n'),
    '',
  ])
  assert.equal(lcovOf([]), '')
})

test('coverage as Cobertura: a package for each folder, a class for each block; of nothing all is covered', () => {
  const text = coberturaOf(covered, 12)
  const heads = [...text.matchAll(/<(?:coverage|package|class|line) [^>]*>/g)].map(([one]) => one)
  assert.deepEqual(heads, [
    '<coverage line-rate="0.5000" branch-rate="0.2500" lines-covered="2" lines-valid="4" branches-covered="1" branches-valid="4" complexity="0" version="1" timestamp="12">',
    '<package name="src" line-rate="0.3333" branch-rate="0.2500" complexity="0">',
    '<class name="Motor" filename="src/Motor.scl" line-rate="0.5000" branch-rate="0.2500" complexity="0">',
    '<line number="5" hits="3" branch="true" condition-coverage="50% (1/2)"/>',
    '<line number="6" hits="0" branch="true" condition-coverage="0% (0/2)"/>',
    '<class name="Spare" filename="src/Motor.scl" line-rate="0.0000" branch-rate="1.0000" complexity="0">',
    '<line number="22" hits="0" branch="false"/>',
    '<package name="." line-rate="1.0000" branch-rate="1.0000" complexity="0">',
    '<class name="Add" filename="Add.scl" line-rate="1.0000" branch-rate="1.0000" complexity="0">',
    '<line number="2" hits="1" branch="false"/>',
  ])
})

test('coverage as text: shares of each block and of all; a dash where there is nothing', () => {
  assert.equal(
    coverageText(covered),
    [
      '',
      'block            statements              branches            conditions',
      'Motor          50.0 % (1/2)          25.0 % (1/4)                     –',
      'Spare           0.0 % (0/1)                     –                     –',
      'Add           100.0 % (1/1)                     –                     –',
      'all            50.0 % (2/4)          25.0 % (1/4)                     –',
      '',
    ].join('\n'),
  )
})
