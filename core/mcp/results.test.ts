import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import type { Fault, Problem } from '../contract/problems.ts'
import {
  jobOutcome,
  jsonOutcome,
  LargeResults,
  problemOutcome,
  problemText,
  resultOutcome,
  textLimit,
  toCallToolResult,
  toResponseText,
} from './results.ts'
import type { ToolHints } from './tool-hints.ts'

const query = { kind: 'query' } as Operation
const text = { kind: 'query', produces: 'application/xml' } as Operation

test('a text comes with what it leaves out', () => {
  const whole = () => 'gantry://results/1'
  assert.equal(resultOutcome(text, '<a/>', whole).text, '<a/>')
  assert.equal(
    resultOutcome(text, '<a/>', whole, ['b is left out', 'c too']).text,
    '<a/>\n[warning: b is left out]\n[warning: c too]',
  )
})

test('objects are structured content too; other results are their JSON', () => {
  const whole = () => assert.fail('it is short')
  assert.deepEqual(resultOutcome(query, { a: 1 }, whole), { text: '{"a":1}', structured: { a: 1 }, json: '{"a":1}' })
  for (const [value, json] of [
    [[1], '[1]'],
    ['x', '"x"'],
    [undefined, 'null'],
  ])
    assert.deepEqual(resultOutcome(query, value, whole), { text: json })
  assert.deepEqual(resultOutcome(text, { lines: [] }, whole).structured, { lines: [] })
  assert.deepEqual(resultOutcome({ kind: 'stream' } as Operation, 'x', whole), { text: '"x"' })
})

test('a long text is cut, with where all of it is', () => {
  const kept: unknown[] = []
  const keep = (uri: string | undefined) => (all: string, mimeType: string) => {
    kept.push([all.length, mimeType])
    return uri
  }
  const note = (length: number, rest: string) =>
    `\n[cut: ${length - textLimit} of ${length} characters are missing; ${rest}. Ask for less (limit, q, a single object) where the operation can.]`
  const just = 'x'.repeat(textLimit)
  assert.equal(resultOutcome(text, just, keep('u')).text, just)
  assert.deepEqual(kept, [])
  const uri = 'the whole is the resource u'
  assert.equal(
    resultOutcome(text, `${just}y`, keep('u'), ['w']).text,
    `${just}${note(textLimit + 1, uri)}\n[warning: w]`,
  )
  const large = resultOutcome(query, just, keep(undefined)).text
  assert.equal(large, `"${just.slice(1)}${note(textLimit + 2, 'the whole is too large to be kept')}`)
  assert.deepEqual(kept, [
    [textLimit + 1, 'application/xml'],
    [textLimit + 2, 'application/json'],
  ])
})

test('a large result is kept for the key that asked for it', () => {
  const results = new LargeResults()
  assert.equal(results.keep('anna', 'one', 'text/plain'), 'gantry://results/1')
  assert.equal(results.keep('anna', '', 'text/csv'), 'gantry://results/2')
  const { text: kept, mimeType } = results.get('1', 'anna') ?? assert.fail('it is kept')
  assert.deepEqual([kept, mimeType, results.get('2', 'anna')?.text], ['one', 'text/plain', ''])
  assert.deepEqual([results.get('1', 'eve'), results.get('3', 'anna')], [undefined, undefined])
})

test('a problem is its code and detail, each fault with its place, and what to do', () => {
  const base: Problem = { type: '', title: 'T', status: 400, code: 'invalid_input', detail: 'Why.' }
  assert.equal(problemText(base), 'invalid_input: Why.')
  const errors: Fault[] = [
    { message: 'plain' },
    { path: '', message: 'whole' },
    { path: '/a', message: 'must be integer', value: 'x', code: 'wrong_type' },
    { path: '/b', message: 'is another', line: 3, allowed: ['y', 1] },
    { message: 'must be one of y', line: 3, column: 4, value: null, allowed: ['y'] },
  ]
  assert.equal(
    problemText({ ...base, errors, suggestion: 'Do that.' }),
    [
      'invalid_input: Why.',
      '- plain',
      '- whole',
      '- /a: must be integer (found "x") [wrong_type]',
      '- /b line 3: is another (allowed: ["y",1])',
      '- line 3, column 4: must be one of y (found null)',
      'Suggestion: Do that.',
    ].join('\n'),
  )
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ message: `m${n}` }))
  assert.deepEqual(
    problemText({ ...base, errors: many(50) })
      .split('\n')
      .slice(-1),
    ['- m49'],
  )
  assert.deepEqual(
    problemText({ ...base, errors: many(52) })
      .split('\n')
      .slice(-2),
    ['- m49', '- and 2 more'],
  )
  assert.equal(problemText({ ...base, errors: [] }), 'invalid_input: Why.')
})

test('a problem names tools where it would name requests', () => {
  const base: Problem = { type: '/api/errors/not_found', title: 'Not found', status: 404, detail: '', code: '' }
  const hints = { of: (one: string) => one.replace('GET /x', 'tool_x') } as ToolHints
  assert.deepEqual(
    problemOutcome({ ...base, code: 'not_found', detail: 'See GET /x.', suggestion: 'GET /x first' }, hints),
    {
      text: 'not_found: See tool_x.\nSuggestion: tool_x first',
      structured: { ...base, code: 'not_found', detail: 'See tool_x.', suggestion: 'tool_x first' },
      isError: true,
    },
  )
  const plain = { ...base, code: 'not_found', detail: 'No.' }
  assert.deepEqual(problemOutcome(plain, hints).structured, plain)
})

test('a job that goes on comes with how to follow it; outcomes have the forms of the protocol', () => {
  const hint =
    'The job goes on. Call get_job with {"jobId": "J1", "wait": 20} until its status is Completed, Failed or Cancelled.'
  const job = { jobId: 'J1', status: 'Running' as const, progress: 5 }
  const outcome = jobOutcome({ ...job, message: undefined })
  assert.deepEqual(outcome.structured, { ...job, hint })
  assert.deepEqual(jobOutcome({ ...job, message: 'half' }).structured, { ...job, message: 'half', hint })
  assert.equal(outcome.text, JSON.stringify(outcome.structured))
  const failed = { text: 'no "way"', structured: { code: 'c' }, isError: true as const }
  for (const [id, one, expected] of [
    [1, jsonOutcome({ a: 1 }), { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } }],
    ['x"', failed, { content: [{ type: 'text', text: 'no "way"' }], structuredContent: { code: 'c' }, isError: true }],
    [0, { text: 'plain' }, { content: [{ type: 'text', text: 'plain' }] }],
  ] as const) {
    assert.deepEqual(toCallToolResult(one), expected)
    assert.deepEqual(JSON.parse(toResponseText(id, one)), { jsonrpc: '2.0', id, result: expected })
  }
})
