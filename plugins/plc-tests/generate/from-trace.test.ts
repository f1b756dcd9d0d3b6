/** Recorded traces, read and made into tests, word by word; and each that is not one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrace, type TraceTestOptions, traceTest } from './from-trace.ts'

const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString()
const csv = (head: string, ...rows: readonly (readonly [cycle: number, milliseconds: number, cells: string])[]) =>
  [head, ...rows.map(([cycle, milliseconds, cells]) => `${cycle},${at(milliseconds)},${cells}`)].join('\n')
const isInput = (tag: string) => tag.startsWith('In')

function made(text: string, more: Partial<TraceTestOptions> = {}) {
  try {
    const { name, content, cases, notes } = traceTest(readTrace(text), { name: 'night', isInput, ...more })
    return { name, cases, notes: notes.length, content: content.split('\n') }
  } catch (error) {
    return (error as Error).message
  }
}

test('values are those of the cells: texts, numbers, lists and structures', () => {
  const cells = '"[1,2]","{""a"":true}",-3,2.5e3,0,1,TRUE,"[x",T#5s,'
  const { tags, samples } = readTrace(`\uFEFF${csv('cycle,time,A,B,C,D,E,F,G,H,I,J', [7, 1.5, cells])}\n\n`)
  assert.deepEqual(tags, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'])
  const values = [[1, 2], { a: true }, -3, 2500, '0', '1', 'TRUE', '[x', 'T#5s', '']
  assert.deepEqual(samples, [{ cycle: 7, time: Date.UTC(2026, 0, 1) + 1, values }])
})

test('each change is a step: inputs are set, what follows of them is expected, and in the end everything', () => {
  const text = csv(
    'cycle,time,InA,InB,Level,Text',
    [10, 0, '0,1,5,<a'],
    // Nothing happens until the sample before the next change.
    [11, 10, '0,1,5,<a'],
    [12, 20, '0,1,5,<a'],
    [13, 30, '0,1,5,<a'],
    [14, 40, '1,1,5,<a'],
    [16, 60, '1,0,6.25,<a'],
    [17, 70, '1,0,6.25,<a'],
    [20, 100, '1,0,-0.5,<b'],
  )
  assert.deepEqual(made(text), {
    name: 'night.test.yml',
    cases: 1,
    notes: 1,
    content: [
      '# Made from a recorded trace: 8 samples.',
      '',
      'program: true',
      'cycle: LT#10000us',
      'cases:',
      '  - name: "as recorded: night"',
      '    tags: [ recorded ]',
      '    given: { InA: "0", InB: "1", Level: 5, Text: <a }',
      '    steps:',
      '      - { run: 3 cycles }',
      '      - { set: { InA: "1" }, run: 1 cycle }',
      '      - { set: { InB: "0" }, run: 2 cycles, expect: { Level: { near: 6.25, by: 0.00063 } } }',
      '      - { run: 1 cycle }',
      '      - { run: 3 cycles, expect: { Level: { near: -0.5, by: 0.00005 }, Text: { is: <b } } }',
      '',
    ],
  })
  // A trace in which nothing changes is one run, and its end is expected all the same.
  const quiet = csv('cycle,time,In,Out', [1, 0, '0,1'], [2, 1, '0,1'], [3, 2, '0,1'], [4, 3, '0,1'])
  assert.deepEqual((made(quiet) as { content: string[] }).content.slice(7), [
    '    given: { In: "0", Out: "1" }',
    '    steps:',
    '      - { run: 3 cycles, expect: { Out: "1" } }',
    '',
  ])
})

test('the cycle time is that of the trace, and never nothing', () => {
  const cycleOf = (cycles: number, milliseconds: number) =>
    (made(csv('cycle,time,In,Out', [1, 0, '0,0'], [1 + cycles, milliseconds, '1,1'])) as { content: string[] })
      .content[3]
  assert.equal(cycleOf(4, 10), 'cycle: LT#2500us')
  assert.equal(cycleOf(3, 1), 'cycle: LT#333us')
  assert.equal(cycleOf(1, 0), 'cycle: LT#1us')
  assert.equal(cycleOf(0, 5), 'cycle: LT#5000us')
})

test('inputs are those that are named, in any case, or those with an input address', () => {
  const text = csv('cycle,time,InA,Gate.open,"""Out""",x', [1, 0, '0,0,0,0'], [2, 10, '1,1,1,1'])
  const setOf = (...inputs: string[]) =>
    /set: \{ (.*?) \}, run/.exec(
      (made(text, inputs.length > 0 ? { inputs } : {}) as { content: string[] }).content[9]!,
    )?.[1]
  assert.equal(setOf(), 'InA: "1"')
  assert.equal(setOf('GATE*', 'X'), 'Gate.open: "1", x: "1"')
  assert.equal(
    made(text, { inputs: ['None'] }),
    'no tag of the trace is an input: name those that come from outside with --inputs. It has InA, Gate.open, "Out", x.',
  )
  assert.equal(made(text, { inputs: ['*'] }), 'all tags of the trace are inputs: nothing is left to be expected.')
})

test('what is no trace, or too little of one', () => {
  const columns = 'line 1: the columns are cycle, time, and then one tag each, as GET …/trace?format=csv gives them.'
  for (const head of ['', 'cycle,time', 'cycle,when,A', 'round,time,A']) assert.equal(made(head), columns, head)
  assert.equal(made('cycle,time,A\n1,yesterday,0'), 'line 2: "1" and "yesterday" are no cycle and time.')
  assert.equal(made(`cycle,time,A\n1,${at(0)},0\n-2,${at(0)},0`), `line 3: "-2" and "${at(0)}" are no cycle and time.`)
  assert.match(String(made('cycle,time,A\n1,2')), /^Invalid Record Length: .* got 2 on line 2$/)
  assert.equal(made(csv('cycle,time,In,Out')), 'the trace has fewer than two samples.')
  assert.equal(made(csv('cycle,time,In,Out', [1, 0, '0,0'])), 'the trace has fewer than two samples.')
})
