/** Several threads give every result, in the order of the cases, and the same as one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergedCoverage } from '../../plc/program-tests/coverage.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import { groupsOf } from '../../plc/program-tests/run-tests.ts'
import { folderOf } from '../../test/program-tests.ts'
import { prepareRun } from './prepare.ts'
import { runGroup } from './run-group.ts'
import { readTestContent } from './test-content.ts'

const source = `FUNCTION_BLOCK "Divide"
VAR_INPUT
  a : Int;
  b : Int;
END_VAR
VAR_OUTPUT
  q : Int;
END_VAR
VAR
  list : Array[1..3] of Int;
END_VAR
BEGIN
  IF #a > 30 THEN
    #q := -1;
  ELSE
    #list[#b] := #a;
    #q := #a + #list[#b];
  END_IF;
END_FUNCTION_BLOCK
`

/** Cases that pass, fail, and trap (an index outside of its array), and one that goes on after another. */
const cases = Array.from({ length: 40 }, (_, i) => {
  const expected = i > 30 ? -1 : i % 7 === 3 ? 0 : 2 * i
  return `  - name: case ${i}\n    ${i === 20 ? 'after: case 19\n    ' : ''}steps: [{ set: { a: ${i}, b: ${i % 11 === 5 ? 9 : 1} }, run: 5 cycles, expect: { q: ${expected} } }]\n`
})

test('complete, in order, with the same failures and coverage as in one thread', async () => {
  const files = { 'Divide.scl': source, 'd.test.yml': `block: Divide\ncases:\n${cases.join('')}` }
  const { objects, tests, faults } = await prepareRun(await readTestContent(folderOf(files), ''), {})
  assert.deepEqual(faults, [])
  const [group] = groupsOf(
    objects.map(({ object }) => object),
    tests,
    true,
  )
  assert.ok(group)
  const ran = async (jobs: number) => {
    const results: CaseResult[] = []
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const covered = await runGroup(group, {
      ...{ jobs, beforeThreads: 0 },
      onResult(result) {
        results.push(result)
        // So the other threads have time to begin, whatever the machine.
        if (jobs > 1) Atomics.wait(pause, 0, 0, 20)
      },
    })
    const plain = results.map(({ wallMs: _, ...rest }) => rest)
    return { results: plain, threads: covered.length, coverage: mergedCoverage(covered) }
  }
  const [one, several] = [await ran(1), await ran(3)]
  assert.deepEqual([one.threads, several.threads], [1, 3], 'each thread told what it reached')
  assert.deepEqual(
    several.results.map(({ name }) => name),
    cases.map((_, i) => `case ${i}`),
  )
  assert.deepEqual(several.results, one.results)
  assert.deepEqual(several.coverage, one.coverage)
  const statuses = new Set(one.results.map(({ status }) => status))
  assert.deepEqual([...statuses].sort(), ['error', 'failed', 'passed'])
})
