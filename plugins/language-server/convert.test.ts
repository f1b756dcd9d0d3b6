/** Findings of a check as diagnostics of the protocol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DiagnosticSeverity } from 'vscode-languageserver'
import type { CheckAnswer } from './check-thread.ts'
import { diagnosticsOf } from './convert.ts'

type Finding = NonNullable<CheckAnswer['findings']>[number]

const texts: Readonly<Record<string, string>> = { 'a.scl': 'x := 1;\r\n  #"long name" := Größe_2 + #b;', 'b.scl': '' }
const finding = (more: Partial<Finding>) =>
  ({ file: 'a.scl', line: 1, column: 1, code: 'c', severity: 'error', message: 'm', ...more }) as Finding
const diagnostics = (answer: Omit<CheckAnswer, 'id'>) => diagnosticsOf({ id: 1, ...answer }, (path) => texts[path])

test('a finding reaches over the word at its place', () => {
  const reach = (line: number, column: number, file = 'a.scl') => {
    const { start, end } = diagnostics({ findings: [finding({ file, line, column })] }).get(file)![0]!.range
    assert.equal(start.line, end.line)
    return [start.line, start.character, end.character]
  }
  assert.deepEqual(reach(1, 1), [0, 0, 1])
  assert.deepEqual(reach(1, 3), [0, 2, 3])
  assert.deepEqual(reach(2, 3), [1, 2, 14])
  assert.deepEqual(reach(2, 19), [1, 18, 25])
  assert.deepEqual(reach(2, 29), [1, 28, 30])
  // Behind the text, in a file that has none, and a finding about a file as a whole.
  assert.deepEqual(reach(9, 4), [8, 3, 3])
  assert.deepEqual(reach(1, 1, 'gone.scl'), [0, 0, 0])
  assert.deepEqual(reach(0, 0), [0, 0, 1])
})

test('message and hint, code and severity; findings are listed by file, those of no file are left out', () => {
  const found = diagnostics({
    findings: [
      finding({ message: 'wrong', hint: 'Do this.' }),
      finding({ file: 'b.scl', severity: 'warning', code: 'w' }),
      finding({ file: '' }),
      finding({ severity: 'information', code: 'i' }),
    ],
  })
  assert.deepEqual([...found.keys()], ['a.scl', 'b.scl'])
  assert.deepEqual(
    [...found.values()].flat().map(({ message, severity, code, source }) => [message, severity, code, source]),
    [
      ['wrong\nDo this.', DiagnosticSeverity.Error, 'c', 'gantry'],
      ['m', DiagnosticSeverity.Information, 'i', 'gantry'],
      ['m', DiagnosticSeverity.Warning, 'w', 'gantry'],
    ],
  )
})

test('faults of the settings stand in their file', () => {
  const found = diagnostics({ faults: [{ line: 2, column: 3, message: 'no such rule' }] })
  const other = diagnostics({ faults: [{ line: 2, column: 3, message: 'm' }], configFile: 'gantry.yaml' })
  assert.deepEqual([[...found.keys()], [...other.keys()]], [['gantry.yml'], ['gantry.yaml']])
  const [fault] = found.get('gantry.yml') ?? []
  assert.deepEqual(
    [fault?.message, fault?.code, fault?.severity, fault?.range.start],
    ['no such rule', 'settings-fault', DiagnosticSeverity.Error, { line: 1, character: 2 }],
  )
})
