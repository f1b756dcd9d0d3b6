/** The documentation is current, and its example loads. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadSound } from '../../test/design-spec/specs.ts'
import { checkModel, faultsOf } from '../../test/design-spec/verify.ts'
import { designSpecDocumentation, EXAMPLE_SPEC } from './docs.ts'
import { fullExample } from './example.ts'
import { FAULTS } from './model/faults.ts'
import { parseDesignSpec } from './read/parse.ts'

test('the example loads without faults and warnings', async () => {
  const result = await parseDesignSpec(EXAMPLE_SPEC, 'example.csv')
  assert.ok('model' in result)
  assert.deepEqual(result.warnings, [])
})

test('the full example compiles, and passes every check', async () => {
  const model = await loadSound(fullExample, 'example.csv')
  const reports = await checkModel(model)
  assert.equal(reports.length, 2)
  for (const report of reports) assert.equal(report.result, 'passed', JSON.stringify(faultsOf(report), null, 1))
  assert.ok(designSpecDocumentation().includes(fullExample))
})

test('every code is documented', () => {
  const text = designSpecDocumentation()
  for (const code of Object.keys(FAULTS)) assert.ok(text.includes(`| \`${code}\` |`), code)
})

test('README.md is what docs.ts writes', () => {
  // To update it: node --import tsx plugins/design-spec/docs.ts > plugins/design-spec/README.md
  // A formatter may align the tables, so blanks and dashes are ignored.
  const plain = (text: string) => text.replace(/[ -]+/g, ' ')
  assert.equal(plain(readFileSync(new URL('README.md', import.meta.url), 'utf8')), plain(designSpecDocumentation()))
})
