/** Rules of plugins: in the check of a folder, in a gateway, and what is told of those that do not work. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageDir } from '../../../core/boot/running-code.ts'
import { openTestGateway } from '../../../core/testing/index.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { readFolderContent } from '../folder/folder.ts'
import { configuredPlugins } from '../folder/folder-plugins.ts'
import { localFiles } from '../folder/local-files.ts'
import { sarifOf } from '../output/sarif.ts'
import { checkContent, configOf } from './check.ts'
import { outcomeOf } from './outcome.ts'

const guide = await readFile(join(packageDir, 'plugins/system/docs/plugin-points.md'), 'utf8')
const codes = [...guide.matchAll(/```(?:js|yaml)\n([\s\S]*?)```/g)].map(([, code]) => code!)
const plantRules = codes.find((code) => code.includes("name: 'plant-rules'"))!
const settings = codes.find((code) => code.startsWith('plugins: '))!
const rule = (name: string, code: string, check: string) =>
  `export default ({ definePlugin, extend }, { reviewRule }) => definePlugin({ name: '${name}', version: '1.0.0', extensions: [extend(reviewRule, { code: '${code}', group: 'logic', severity: 'warning', title: 'T', why: 'W', fails: '', passes: '', ${check} })] })`

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-rules-')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

async function check(dir: string) {
  const content = await readFolderContent(localFiles, dir)
  const plugins = await configuredPlugins(content.config, dir)
  return checkContent(content, configOf(content.config, content.configFile, plugins), { plugins })
}

const program =
  'FUNCTION "Mix" : Void // gantry-ignore nothing.here\nBEGIN\nEND_FUNCTION\nFUNCTION "B7_Fill" : Void\nBEGIN\nEND_FUNCTION\n'

test('the rule of the guide counts with its options, and can be accepted with a reason', async (t) => {
  const dir = await folder(t, {
    'gantry-plugins/plant-rules/index.mjs': plantRules,
    // An error cannot be accepted.
    'gantry.yml': settings.replace('severity: error, ', ''),
    'plc/a.scl': program,
    'plc/b.scl':
      'FUNCTION "Old" : Void\nBEGIN\n  // gantry-ignore-block plant-rules.area-prefix: it goes next year\n  ;\nEND_FUNCTION\n',
  })
  const result = await check(dir)
  const own = ({ code }: { readonly code: string }) => code.includes('.')
  assert.deepEqual(
    result.findings.filter(own).map(({ severity, file, line, message, hint }) => [severity, file, line, message, hint]),
    [['warning', 'plc/a.scl', 1, '"Mix" does not begin with an area.', 'Areas: A1, A2, B7.']],
  )
  assert.deepEqual(
    result.suppressed.map(({ code, object, reason }) => [code, object, reason]),
    [['plant-rules.area-prefix', 'Old', 'it goes next year']],
  )
  const [described] = result.rules!
  assert.deepEqual([described?.code, described?.group], ['plant-rules.area-prefix', 'naming'])
  const report = JSON.stringify(sarifOf(outcomeOf(result, result.findings, 'warning'), '1.0.0', { prefix: '' }))
  assert.match(report, /"id":"plant-rules.area-prefix","shortDescription":\{"text":"A block has no prefix of its area"/)
})

test('what is wrong with a plugin, or with the settings of its rules, is told with its place', async (t) => {
  const dir = await folder(t, {
    'p/throws/index.mjs': 'throw new Error("as tested")',
    'p/named/index.mjs': rule('named', 'other.rule', 'check() {}'),
    'p/good/index.mjs': rule('good', 'good.rule', 'check() {}'),
    'gantry.yml':
      'plugins:\n  - p/throws\n  - p/named\n  - ./p/good\n  - https://example.org/rules\n  - p/none\nrules:\n  good.rul: error\n  good.rule: { most: 3 }\n',
    'a.scl': program,
  })
  const faults = await check(dir).then(
    () => 'no fault',
    (error: Error) => error.message.replace('file://', '').replaceAll(dir, '<dir>').split('\n'),
  )
  assert.deepEqual(faults, [
    'gantry.yml:5:5: "https://example.org/rules" is no folder: only plugins of this machine are loaded.',
    'gantry.yml:8:3: there is no rule "good.rul"; do you mean "good.rule"?',
    'gantry.yml:9:16: "good.rule" has no option "most"; allowed are severity.',
    'gantry.yml:2:5: the plugin "p/throws" cannot be used: as tested (<dir>/p/throws/index.mjs:1:7).',
    'gantry.yml:3:5: the plugin "p/named" cannot be used: plugin "named": extensions[0] (review.rules): the code of a rule is "named.<name>" in lower-case words with hyphens, not "other.rule".',
    'gantry.yml:6:5: the plugin "p/none" cannot be used: there is no such folder.',
  ])
})

test('a rule that throws, or reports no message, is a finding, and the others run', async (t) => {
  const dir = await folder(t, {
    'p/throws/index.mjs': rule('throws', 'throws.rule', 'check() { throw new Error("as tested") }'),
    'p/empty/index.mjs': rule('empty', 'empty.rule', 'check(program, report) { report(program.objects[0], {}) }'),
    'p/good/index.mjs': rule('good', 'good.rule', "check({ objects }, report) { report(objects[0], {}, 'seen') }"),
    'gantry.yml': 'plugins: [p/throws, p/empty, p/good]\n',
    'a.scl': program,
  })
  const { findings } = await check(dir)
  assert.deepEqual(
    findings.filter(({ code }) => /rule/.test(code)).map(({ code, file, message }) => [code, file, message]),
    [
      ['good.rule', 'a.scl', 'seen'],
      ['rule-failed', 'gantry.yml', 'The rule throws.rule of plugin "throws" failed: as tested.'],
      [
        'rule-failed',
        'gantry.yml',
        'The rule empty.rule of plugin "empty" failed: report(object, place, message) got no message.',
      ],
    ],
  )
})

test('a gateway uses the rules of its plugins, and none that a file names', async (t) => {
  const dir = await folder(t, {
    'plant-rules/index.mjs': plantRules,
    'evil/index.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('ran', import.meta.url), '')",
  })
  const gantry = await openTestGateway({ plugins: [join(dir, 'plant-rules')] })
  t.after(() => gantry.close())
  const plant = join(gantry.dir, 'workspace/plant')
  await mkdir(plant, { recursive: true })
  await writeFile(join(plant, 'a.scl'), program)
  const evil = join(dir, 'evil').replaceAll('\\', '/')
  await writeFile(
    join(plant, 'gantry.yml'),
    `plugins: [./plant-rules, '${evil}']\nrules:\n  plant-rules.area-prefix: { areas: [A1] }\n  evil.rule: error\n`,
  )
  type Answer = {
    readonly findings: readonly { readonly code: string; readonly object?: string; readonly line: number }[]
  }
  const { findings } = await gantry.call<Answer>('review.check', { path: 'plant' })
  assert.deepEqual(
    findings.filter(({ code }) => /\.|plugin/.test(code)).map(({ code, object, line }) => [code, object ?? line]),
    [
      ['plant-rules.area-prefix', 'Mix'],
      ['plant-rules.area-prefix', 'B7_Fill'],
      ['plugin-not-loaded', 1],
    ],
  )
  assert.equal(existsSync(join(dir, 'evil/ran')), false)
  const listed = await gantry.call<{ rules: { code: string }[] }>('review.list-rules', { q: 'area-prefix' })
  assert.deepEqual(
    listed.rules.map(({ code }) => code),
    ['plant-rules.area-prefix'],
  )
  assert.equal((await gantry.call('review.get-rule', { code: 'plant-rules.area-prefix' })).group, 'naming')
})
