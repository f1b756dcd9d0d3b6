/**
 * All that is found in a folder that has something for nearly every rule, with all rules switched on
 * (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { type CheckedProgram, CheckMemory, checkProgram, type PlacedFinding } from './check.ts'
import { defaultConfig, type ReviewConfig, type RuleSetting } from './config.ts'
import type { OptionValue } from './rule.ts'
import { rules } from './rules.ts'

const folder = new URL('./fixtures/folder/', import.meta.url)
const files = readdirSync(folder)
  .sort()
  .map((path) => ({ path, bytes: new Uint8Array(readFileSync(new URL(path, folder))) }))

function configOf(change: (code: string) => RuleSetting['options'] = () => ({})): ReviewConfig {
  const all = rules.map(({ code }): [string, RuleSetting] => [code, { severity: 'warning', options: change(code) }])
  return { ...defaultConfig, missing: 'error', libraries: ['Missing_*'], rules: new Map(all) }
}

function linesOf({ findings, suppressed, counts }: CheckedProgram): string[] {
  const line = (one: PlacedFinding): string[] => {
    const { severity, code, file, line: row, column, message, hint, lineText, lineColumn, fix } = one
    const place = [one.kind, one.object, one.network, one.uId, one.element, one.member].filter(
      (part) => part !== undefined,
    )
    return [
      `${file}:${row}:${column} ${severity} ${code}: ${message}${one.reason === undefined ? '' : ` (${one.reason})`}`,
      `  ${place.join(' ')}${lineText === undefined ? '' : ` | ${lineText.slice(0, (lineColumn ?? 1) - 1)}^${lineText.slice((lineColumn ?? 1) - 1)}`}`,
      ...(hint === undefined ? [] : [`  ${hint}`]),
      ...(fix === undefined
        ? []
        : [
            `  fix: ${fix.description} ${fix.edits.map((edit) => `${edit.line}:${edit.column}..${edit.endLine}:${edit.endColumn} ${JSON.stringify(edit.text)}`).join(', ')}`,
          ]),
    ]
  }
  return [JSON.stringify(counts), ...findings.flatMap(line), '── accepted by the program', ...suppressed.flatMap(line)]
}

test('every finding of a folder, with its place, its line, its advice and its fix', async () => {
  const memory = new CheckMemory()
  const checked = await checkProgram(files, [], configOf(), memory)
  assertRecorded(import.meta.url, 'findings.txt', `${linesOf(checked).join('\n')}\n`)
  const again = await checkProgram(files, [], configOf(), memory)
  assert.deepEqual(linesOf(again), linesOf(checked), 'a second check with what was kept finds the same')
})

test('rules that are not set have their own severity', async () => {
  const { findings, suppressed } = await checkProgram(files, [], defaultConfig)
  const counts = new Map<string, number>()
  for (const { severity, code } of findings)
    counts.set(`${severity} ${code}`, (counts.get(`${severity} ${code}`) ?? 0) + 1)
  const told = [...counts].map(([what, count]) => `${count} ${what}`).sort()
  assertRecorded(import.meta.url, 'findings-by-default.txt', `${told.join('\n')}\n${suppressed.length} accepted\n`)
})

test('options: how many findings a rule has with each limit', async () => {
  const told: string[] = []
  for (const { code, options = {} } of rules)
    for (const [name, { value }] of Object.entries(options)) {
      const values: readonly OptionValue[] =
        typeof value === 'number' ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 20] : typeof value === 'boolean' ? [!value] : []
      if (values.length === 0) continue
      const counts: number[] = []
      for (const given of values) {
        const config = {
          ...defaultConfig,
          rules: new Map([[code, { severity: 'warning' as const, options: { [name]: given } }]]),
        }
        const { findings } = await checkProgram(files, [], config)
        counts.push(findings.filter((one) => one.code === code).length)
      }
      told.push(`${code} ${name} (${value}): ${values.map((given, i) => `${given}→${counts[i]}`).join(' ')}`)
    }
  assertRecorded(import.meta.url, 'limits.txt', `${told.join('\n')}\n`)
})

test('a type that nobody knows is missing, with and without quotes', async () => {
  const source =
    'FUNCTION_BLOCK "User"\nVAR\n  a : typeOfLibrary;\n  b : "Other";\nEND_VAR\nBEGIN\nEND_FUNCTION_BLOCK\n'
  const bytes = new TextEncoder().encode(source)
  const { findings } = await checkProgram([{ path: 'User.scl', bytes }], [], defaultConfig)
  assert.deepEqual(
    findings.filter(({ line }) => line! > 1).map(({ line, code, message }) => `${line} ${code}: ${message}`),
    [
      '3 missing-type: The type "typeOfLibrary" is not in the folder (used once).',
      '4 missing-type: The type "Other" is not in the folder (used once).',
    ],
  )
})

test('the library GantryTest beside the tests, tests and stubs are not unused', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const fc = (name: string, code: string) => `FUNCTION "${name}" : Void\nBEGIN\n  ${code}\nEND_FUNCTION\n`
  const program = [
    fc('Valve', '%M0.0 := TRUE;'),
    fc('Valve_Stub', '%M0.1 := TRUE;'),
    fc('Test_valve', `Stub(BLOCK := 'Valve', BY := 'Valve_Stub');\n  "Assert_True"(TRUE);`),
    'FUNCTION_BLOCK "Test_fb"\nBEGIN\n  Assert_True(TRUE);\nEND_FUNCTION_BLOCK\n',
    'DATA_BLOCK "Test_fb_DB"\n"Test_fb"\nBEGIN\nEND_DATA_BLOCK\n',
    'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Valve"();\nEND_ORGANIZATION_BLOCK\n',
  ].join('')
  const library = readFileSync(new URL('../../examples/GantryTest.scl', import.meta.url))
  const found = async () => {
    const own = { path: 'a.scl', bytes: bytes(program) }
    const { findings } = await checkProgram([own, { path: 'GantryTest.scl', bytes: library }], [], configOf())
    return findings
  }
  const unused = (list: readonly PlacedFinding[]) =>
    list.flatMap(({ code, object }) => (code.startsWith('unused-') ? [`${code} ${object}`] : []))
  const findings = await found()
  assert.deepEqual(unused(findings), [])
  assert.deepEqual(
    findings.filter(({ file }) => file === 'GantryTest.scl'),
    [],
  )
  // A block of the plant that only shares a name.
  const { findings: own } = await checkProgram(
    [{ path: 'a.scl', bytes: bytes(program + fc('Advance', '%M0.2 := TRUE;')) }],
    [],
    configOf(),
  )
  assert.deepEqual(unused(own), ['unused-block Advance'])
})
