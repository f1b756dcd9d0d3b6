import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { PlacedFinding } from '../../../plc/review/check.ts'
import { divide, fingerprintOf, readBaseline, writeBaseline } from './baseline.ts'

const finding = (more: Partial<PlacedFinding> = {}): PlacedFinding => ({
  code: 'GN100',
  severity: 'warning',
  message: 'The counter has 3 inputs.',
  file: 'Pump.scl',
  line: 7,
  column: 3,
  lineText: '#a := 1;',
  object: 'Pump',
  kind: 'FB',
  member: 'a',
  ...more,
})

test('a fingerprint is made of rule, object, member, words and text of the line, in 32 digits', () => {
  // Files that people have kept hold such fingerprints: another way to make them would bring all findings back.
  const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32)
  const own = digest('GN100', 'FB pump', 'a', 'The counter has # inputs.', '#a:=1;')
  const same = [
    finding(),
    finding({ line: 90, column: 1, severity: 'error', file: 'Other.scl' }),
    finding({ object: 'PUMP' }),
    finding({ message: 'The counter has 41 inputs.' }),
    finding({ lineText: '  #a  :=\t1;' }),
  ]
  assert.deepEqual(
    same.map(fingerprintOf),
    same.map(() => own),
  )
  const others: [PlacedFinding, string][] = [
    [finding({ code: 'GN101' }), digest('GN101', 'FB pump', 'a', 'The counter has # inputs.', '#a:=1;')],
    [finding({ kind: 'FC' }), digest('GN100', 'FC pump', 'a', 'The counter has # inputs.', '#a:=1;')],
    [finding({ member: 'b' }), digest('GN100', 'FB pump', 'b', 'The counter has # inputs.', '#a:=1;')],
    [finding({ message: 'none' }), digest('GN100', 'FB pump', 'a', 'none', '#a:=1;')],
    [finding({ lineText: '#a := 2;' }), digest('GN100', 'FB pump', 'a', 'The counter has # inputs.', '#a:=2;')],
  ]
  for (const [one, expected] of others) assert.equal(fingerprintOf(one), expected)
  const { object: _object, member: _member, lineText: _text, ...bare } = finding()
  assert.equal(fingerprintOf(bare), digest('GN100', 'Pump.scl', '', 'The counter has # inputs.', ''))
})

test('a baseline is sorted by object and code, counts what is alike, and is read again', () => {
  const { object: _object, ...ofFile } = finding({ file: 'A.scl' })
  const findings = [
    finding({ object: 'Valve' }),
    finding({ code: 'GN200' }),
    finding(),
    finding({ line: 8 }),
    finding({ code: 'GN050' }),
    ofFile,
  ]
  const written = writeBaseline(findings)
  const { version, findings: rows } = JSON.parse(written) as { version: number; findings: Record<string, unknown>[] }
  assert.equal(version, 1)
  assert.deepEqual(
    rows.map(({ object, code, count }) => [object, code, count]),
    [
      ['A.scl', 'GN100', 1],
      ['Pump', 'GN050', 1],
      ['Pump', 'GN100', 2],
      ['Pump', 'GN200', 1],
      ['Valve', 'GN100', 1],
    ],
  )
  assert.ok(written.startsWith('{\n "version": 1,\n') && written.endsWith('}\n'))
  const baseline = readBaseline(written)
  assert.deepEqual(divide(findings, baseline), { fresh: [], known: 6 })
  assert.equal(divide([finding(), finding()], baseline).known, 2, 'a baseline is not used up by one check')
  // The third of a kind is new, and so is another.
  const [third, other] = [finding({ line: 9 }), finding({ member: 'z' })]
  assert.deepEqual(divide([finding(), finding(), third, other], baseline), { fresh: [third, other], known: 2 })
})

test('what is no baseline is said', () => {
  for (const [text, message] of [
    ['{', /^it is not JSON \(.+\)$/],
    ['[]', /^it is not a baseline that/],
    ['{"version":2,"findings":[]}', /^it is not a baseline that/],
    ['{"version":1,"findings":{}}', /^it is not a baseline that/],
    ['{"version":1,"findings":[{"fingerprint":"a"}]}', /^a row has no fingerprint or count$/],
    ['{"version":1,"findings":[{"count":1}]}', /^a row has no fingerprint or count$/],
    ['{"version":1,"findings":[7]}', /^a row has no fingerprint or count$/],
  ] as const)
    assert.throws(() => readBaseline(text), { message })
  assert.deepEqual(readBaseline('{"version":1,"findings":[]}'), new Map())
})
