/**
 * The JSON Schemas that editors use: they are those of the package, and they agree with the readers. What a reader
 * takes has no fault in the editor; a field that a reader does not know has one.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { packageDir } from '../core/boot/running-code.ts'
import { readTests } from '../plc/program-tests/read-tests.ts'
import { testSchema } from '../plc/program-tests/test-schema.ts'
import { readConfig } from '../plc/review/config.ts'
import { configSchema } from '../plc/review/config-schema.ts'
import { rulesByCode } from '../plc/review/rules.ts'
import { yamlDamages } from '../plc/testing/damage.ts'
import { sampleTest, settings } from '../plugins/review/commands/pipelines.ts'
import { fileSchemas } from '../plugins/review/commands/schema-command.ts'
import { schemaFiles } from '../scripts/schemas.ts'

function validatorOf(schema: object): ValidateFunction {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Compares reader and schema. @returns texts that both refuse */
function compare(
  texts: readonly string[],
  isValid: ValidateFunction,
  read: (text: string) => readonly { readonly message: string }[],
): number {
  let refused = 0
  for (const text of texts) {
    const found = parsed(text)
    const faults = read(text)
    if (found === undefined) {
      assert.ok(faults.length > 0, text)
      continue
    }
    const isGood: boolean = isValid(found.value)
    if (faults.length === 0) assert.ok(isGood, `${text}\n${JSON.stringify(isValid.errors, null, 1)}`)
    if (
      faults.some(({ message }) =>
        /has no field "|there is no field "|has no option "|there is no rule "/.test(message),
      )
    )
      assert.ok(!isGood, `the schema takes what the reader does not know: ${text}\n${faults[0]?.message}`)
    if (!isGood) refused++
  }
  return refused
}

const fixture = (name: string) => readFileSync(join(packageDir, 'plc/program-tests/fixtures', name), 'utf8')

test('schemas and their pages are those of the code', async () => {
  for (const [path, text] of Object.entries(await schemaFiles()))
    assert.equal(readFileSync(join(packageDir, path), 'utf8'), text, `${path}: run scripts/schemas.ts`)
})

test('test files: what the reader takes is good in an editor, unknown fields are not', () => {
  const isValid = validatorOf(testSchema)
  const whole = [
    fixture('dense.test.yml'),
    fixture('controllers.test.yml'),
    sampleTest('x.json')['tests/sample.test.yml']!,
  ]
  const damaged = whole.flatMap((text) => [...yamlDamages(text)].map((one) => one.text))
  const read = (text: string) => readTests('a.test.yml', text).faults
  assert.equal(compare(whole, isValid, read), 0)
  assert.ok(compare(damaged, isValid, read) > 100)
})

test('test files: mistakes of structure have a fault in an editor too', () => {
  const isValid = validatorOf(testSchema)
  const cases = (one: string) => `block: Motor\ncases:\n  - ${one}\n`
  const wrong = [
    'block: Motor\n',
    'block: Motor\nprogram: true\ncases: [{ name: a, then: { x: 1 } }]\n',
    'program: false\ncases: [{ name: a, then: { x: 1 } }]\n',
    'cases: [{ name: a, then: { x: 1 } }]\n',
    'block: Motor\nconnect: []\ncases: [{ name: a, then: { x: 1 } }]\n',
    'block: Motor\ncases: []\n',
    ...[
      ...['{ then: { x: 1 } }', '{ name: a }', '{ name: a, then: {} }', '{ name: a, when: { x: 1 } }'],
      ...[
        '{ name: a, steps: [], then: { x: 1 } }',
        '{ name: a, steps: [{}] }',
        '{ name: a, steps: [{ within: T#1s }] }',
      ],
      ...['{ name: a, steps: [{ never: { x: 1 } }] }', '{ name: a, then: { x: { near: 5 } } }'],
      ...['{ name: a, then: { x: { is: 5, not: 6 } } }', '{ name: a, then: { x: { between: [1, 2, 3] } } }'],
      ...['{ name: a, table: [], then: { x: 1 } }', '{ name: a, given: 5, then: { x: 1 } }'],
    ].map(cases),
  ]
  for (const text of wrong) {
    assert.ok(readTests('a.test.yml', text).faults.length > 0, text)
    const isGood: boolean = isValid(parse(text))
    assert.ok(!isGood, text)
  }
})

test('gantry.yml: what the reader takes is good in an editor, unknown fields and rules are not', () => {
  const isValid = validatorOf(configSchema())
  const whole = [
    settings('x.json'),
    '',
    'devices:\n  - { name: Line, folder: line }\n  - name: Cell\n    folders: [cell, lib]\n  - Tank\nignore: [gen*, 7]\nlibraries: Lib*\nculture: de-DE\nfailOn: warning\nmissing: information\nformat: { style: tia, keywords: keep }\nrules:\n  block-size: { severity: error, statements: 100 }\n  magic-number: { allowed: [3, four] }\n  naming-block: { pattern: "^F" }\n  complexity: off\n  unknown-type: error\n',
    'format: { indent: tab }\n',
    'format: { indent: 8, style: gantry }\n',
  ]
  const read = (text: string) => readConfig(text).faults
  assert.equal(compare(whole, isValid, read), 0)
  const damaged = whole.flatMap((text) => [...yamlDamages(text)].map((one) => one.text))
  assert.ok(compare(damaged, isValid, read) > 30)
  // Rules of plugins: which there are is only known where these are loaded.
  const plugins =
    'plugins: [./plant-rules]\nrules:\n  plant-rules.area-prefix: { severity: error, areas: [A1] }\n  other.rule: off\n'
  assert.equal(compare([plugins], isValid, read), 0)
  // Each rule with each of its options at its default, as the manual shows them.
  const each = [...rulesByCode].map(([code, { options = {} }]) => {
    const own = Object.entries(options).map(([name, { value }]) => `${name}: ${JSON.stringify(value)}`)
    return `rules:\n  ${code}: { ${['severity: warning', ...own].join(', ')} }\n`
  })
  assert.equal(compare(each, isValid, read), 0)
})

test('the package has the schemas', () => {
  const { files, exports } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  assert.ok(files.includes('schemas'))
  assert.equal(exports['./schemas/*'], './schemas/*')
  assert.deepEqual(
    readdirSync(join(packageDir, 'schemas')).sort(),
    Object.values(fileSchemas)
      .map(({ file }) => file)
      .sort(),
  )
})
