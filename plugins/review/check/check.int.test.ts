/** `gantry check` and `gantry rules` as processes: reports, exit codes, settings, cache, fixes. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { launcher } from '../../../test/built.ts'
import { publicDir } from '../../../test/corpus.ts'
import { temporaryFolder } from '../../../test/folder.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(cwd: string, ...args: string[]): Promise<Ended> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS)/.test(name)))
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: { ...env, XDG_CACHE_HOME: join(cwd, '.gantry') },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-check-')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

const scale = `FUNCTION "Scale" : Void
TITLE = Brings the mode into range
VAR_INPUT
  mode : Int; // 1 to 2
  on : Bool; // releases
END_VAR
VAR_IN_OUT
  value : Int; // scaled
END_VAR
BEGIN
  IF #on = TRUE THEN
    CASE #mode OF
      1: #value := 10;
      2: #value := 20;
    END_CASE;
  END_IF;
END_FUNCTION
`
const main = `ORGANIZATION_BLOCK "Main"
TITLE = Cycle
VAR_TEMP
  tempValue : Int;
END_VAR
BEGIN
  "Scale"(mode := 1, on := TRUE, value := #tempValue);
  "Log"(text := #tempValue);
END_ORGANIZATION_BLOCK
`
const faulty = `FUNCTION "Broken" : Int
TITLE = A fault
VAR_INPUT
  x : Int; // any
END_VAR
BEGIN
  #Broken := #x + #y;
END_FUNCTION
`

test('a folder with warnings: the report, and the exit code by --fail-on', async (t) => {
  const dir = await folder(t, { 'blocks/Scale.scl': scale, 'blocks/Main.scl': main })
  const { code, stdout, stderr } = await run(dir, 'check')
  assert.equal(stderr, '')
  assert.equal(
    stdout,
    `blocks/Scale.scl:12:5 warning case-without-else
  "Scale", network 1: The CASE over #mode has no ELSE.
    CASE #mode OF
    ^
  Add ELSE with what is to happen for any other value, e.g. an error status.

Not in the folder:
  warning The block "Log" is not in the folder (used once). blocks/Main.scl:8
  Export them into the folder, or list them under "libraries" in gantry.yml.

PLC_1: 2 files, 2 objects; 1 of 2 blocks compile
0 errors, 2 warnings, 1 piece of information (1 not shown: --show information)
`,
  )
  assert.equal(code, 0)
  assert.equal((await run(dir, 'check', '--fail-on', 'warning')).code, 1)
  assert.equal((await run(dir, 'check', '--fail-on', 'never')).code, 0)
})

test('a fault of the program fails; what is missing does not hide it', async (t) => {
  const dir = await folder(t, { 'Broken.scl': faulty, 'Main.scl': main })
  const { code, stdout } = await run(dir, 'check')
  assert.equal(code, 1)
  assert.match(stdout, /^Broken\.scl:7:\d+ error \S+\n {2}"Broken", network 1: .*y/m)
  assert.match(stdout, /failed: there are findings of severity error or above/)
})

test('the command line, the settings and the folder are checked', async (t) => {
  const dir = await folder(t, {
    'a/Scale.scl': scale,
    'b/readme.txt': 'nothing',
    'c/gantry.yml': 'rules:\n  case-without-els: off\nfailon: error\n',
    'c/Scale.scl': scale,
  })
  const usage = await run(dir, 'check', 'a', '--format', 'pdf')
  assert.equal(usage.code, 2)
  assert.match(usage.stderr, /--format is one of text, json, sarif, github, gitlab/)
  const settings = await run(dir, 'check', 'c')
  assert.equal(settings.code, 2)
  assert.equal(
    settings.stderr,
    `gantry: gantry.yml:2:3: there is no rule "case-without-els"; do you mean "case-without-else"?
gantry.yml:3:1: there is no field "failon"; allowed are devices, ignore, libraries, culture, failOn, missing, format, plugins, rules.
`,
  )
  for (const path of ['b', 'nowhere']) {
    const unreadable = await run(dir, 'check', path)
    assert.equal(unreadable.code, 3, path)
    assert.match(unreadable.stderr, /nothing (to check|at)/i)
  }
})

test('gantry.yml: severities, options, libraries, what is left out, devices', async (t) => {
  const dir = await folder(t, {
    'gantry.yml': `failOn: warning
libraries: [Lo*]
ignore: ['old/*']
devices:
  - { name: Line, folder: blocks }
rules:
  case-without-else: error
  block-comment-missing: off
  bool-compared: { severity: warning }
  nesting-depth: { most: 1 }
`,
    'blocks/Scale.scl': scale,
    'blocks/Main.scl': main,
    'old/Broken.scl': faulty,
  })
  const { code, stdout } = await run(dir, 'check', '--format', 'json')
  const report = JSON.parse(stdout)
  assert.equal(code, 1)
  assert.deepEqual(
    report.findings.map(({ severity, code: rule, line }: Record<string, unknown>) => `${line} ${severity} ${rule}`),
    ['11 warning bool-compared', '12 error case-without-else', '13 warning nesting-depth', '14 warning nesting-depth'],
  )
  assert.equal(report.devices[0].name, 'Line')
})

test('SARIF is as its schema has it, with rules, fixes and suppressions', async (t) => {
  const accepted = scale.replace(
    '    CASE',
    '    // gantry-ignore case-without-else: the modes are checked by the caller\n    CASE',
  )
  const dir = await folder(t, { 'Scale.scl': accepted, 'Broken one.scl': faulty })
  const { stdout } = await run(dir, 'check', '--format', 'sarif')
  const log = JSON.parse(stdout)
  const file = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  // What the schema uses of draft 4 means the same in later drafts.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(await readFile(file, 'utf8'))
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  const isValid: ValidateFunction = ajv.compile(schema)
  const hasSchema: boolean = isValid(log)
  assert.ok(hasSchema, JSON.stringify(isValid.errors, null, 1))
  const { results, tool, originalUriBaseIds } = log.runs[0]
  // There is no repository: the base says where the folder is.
  const base = fileURLToPath(originalUriBaseIds['%SRCROOT%'].uri)
  assert.equal(await realpath(base), await realpath(dir))
  const resultOf = (rule: string) => results.find((one: { ruleId: string }) => one.ruleId === rule)
  const fix = resultOf('bool-compared').fixes[0].artifactChanges[0]
  assert.deepEqual(fix.replacements[0].deletedRegion, { startLine: 11, startColumn: 6, endLine: 11, endColumn: 16 })
  assert.equal(fix.replacements[0].insertedContent.text, '#on')
  assert.equal(resultOf('case-without-else').suppressions[0].justification, 'the modes are checked by the caller')
  assert.equal(
    results.find((one: { level: string }) => one.level === 'error').locations[0].physicalLocation.artifactLocation.uri,
    'Broken%20one.scl',
  )
  for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId)
})

test('annotations of GitHub and GitLab name files from the root of the repository', async (t) => {
  const dir = await folder(t, { 'plc/Scale.scl': scale })
  const github = await run(dir, 'check', 'plc', '--format', 'github')
  assert.equal(
    github.stdout,
    '::warning file=plc/Scale.scl,line=12,col=5,title=case-without-else::"Scale", network 1: The CASE over #mode has no ELSE.%0AAdd ELSE with what is to happen for any other value, e.g. an error status.\n',
  )
  const gitlab = JSON.parse((await run(dir, 'check', 'plc', '--format', 'gitlab')).stdout)
  assert.deepEqual(
    gitlab.map(({ check_name, severity, location }: Record<string, unknown>) => ({ check_name, severity, location })),
    [
      { check_name: 'bool-compared', severity: 'info', location: { path: 'plc/Scale.scl', lines: { begin: 11 } } },
      { check_name: 'case-without-else', severity: 'major', location: { path: 'plc/Scale.scl', lines: { begin: 12 } } },
    ],
  )
  assert.equal(new Set(gitlab.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size, 2)
})

test('a suppression without a reason is none, and one of nothing is reported', async (t) => {
  const dir = await folder(t, {
    'Scale.scl': scale
      .replace('    CASE', '    // gantry-ignore case-without-else\n    CASE')
      .replace('  IF', '  // gantry-ignore goto-used: it was here\n  IF'),
  })
  const { findings } = JSON.parse((await run(dir, 'check', '--format', 'json')).stdout)
  const codes = findings.map(({ code }: { code: string }) => code)
  for (const code of ['case-without-else', 'suppression-without-reason', 'suppression-unused'])
    assert.ok(codes.includes(code), code)
})

test('--baseline leaves out what is known, also when lines move', async (t) => {
  const dir = await folder(t, { 'Scale.scl': scale })
  assert.equal((await run(dir, 'check', '--write-baseline', 'known.json')).code, 0)
  await writeFile(join(dir, 'Scale.scl'), scale.replace('BEGIN\n', 'BEGIN\n  // one line more\n'))
  const same = await run(dir, 'check', '--baseline', 'known.json', '--fail-on', 'information')
  assert.equal(same.code, 0, same.stdout)
  assert.match(same.stdout, /2 findings of the baseline left out/)
  await writeFile(join(dir, 'New.scl'), scale.replaceAll('Scale', 'New'))
  assert.equal((await run(dir, 'check', '--baseline', 'known.json', '--fail-on', 'warning')).code, 1)
  await writeFile(join(dir, 'known.json'), '{')
  assert.equal((await run(dir, 'check', '--baseline', 'known.json')).code, 2)
})

test('--fix changes only what it says, and the rest of the file stays', async (t) => {
  const text = scale.replaceAll('\n', '\r\n')
  const dir = await folder(t, { 'Scale.scl': text })
  const { stderr } = await run(dir, 'check', '--fix')
  assert.equal(stderr, '1 finding mended in 1 file.\n')
  assert.equal(await readFile(join(dir, 'Scale.scl'), 'utf8'), text.replace('#on = TRUE', '#on'))
})

test('a classic source in Windows-1252 is shown as it reads, and stays in it when it is mended', async (t) => {
  const text = scale.replace('#on = TRUE THEN', '#on = TRUE THEN // für 5 €')
  const bytesOf = (one: string) => Buffer.from(one.replace('€', '\x80'), 'latin1')
  const dir = await folder(t, {})
  await writeFile(join(dir, 'Scale.scl'), bytesOf(text))
  const { stdout } = await run(dir, 'check', '--show', 'information')
  assert.match(stdout, /^ +IF #on = TRUE THEN \/\/ für 5 €$/m)
  await run(dir, 'check', '--fix')
  assert.deepEqual(await readFile(join(dir, 'Scale.scl')), bytesOf(text.replace('#on = TRUE', '#on')))
})

test('a second run takes the result of the first; a change of a file or of the settings does not', async (t) => {
  const dir = await folder(t, { 'Scale.scl': scale })
  const cache = ['--cache', '.gantry/cache']
  const results = () => readdir(join(dir, '.gantry/cache/check'))
  const first = await run(dir, 'check', ...cache)
  assert.equal((await results()).length, 1)
  assert.deepEqual(await run(dir, 'check', ...cache), first)
  assert.equal((await results()).length, 1)
  await writeFile(join(dir, 'gantry.yml'), 'rules: { case-without-else: error }\n')
  assert.equal((await run(dir, 'check', ...cache)).code, 1)
  assert.equal((await results()).length, 2)
  await run(dir, 'check', '--no-cache')
  assert.equal((await results()).length, 2)
})

test('files in other encodings, broken files and files of other kinds: each is named, the rest is checked', async (t) => {
  const dir = await folder(t, {
    'Scale.scl': scale,
    'Broken.xml': '<?xml version="1.0"?>\n<Document>\n<SW.Blocks.FC ID="0">',
    'pom.xml': '<project/>',
  })
  await writeFile(join(dir, 'Wide.scl'), Buffer.from(`\uFEFF${scale.replaceAll('Scale', 'Wide')}`, 'utf16le'))
  await writeFile(join(dir, 'Bytes.scl'), Buffer.from([0x46, 0x55, 0x4e, 0x00, 0xff, 0xfe, 0x80, 0x00, 0x9f]))
  const { code, stdout } = await run(dir, 'check', '--format', 'json')
  const { findings, devices } = JSON.parse(stdout)
  assert.equal(code, 1)
  assert.equal(devices[0].blocks, 2)
  const of = (file: string) =>
    findings.filter((one: { file: string }) => one.file === file).map((one: { code: string }) => one.code)
  assert.deepEqual(of('Broken.xml'), ['unreadable-file'])
  assert.deepEqual(of('Bytes.scl'), ['unreadable-file'])
  assert.deepEqual(of('pom.xml'), ['not-checked'])
})

test('a TIA Portal archive is checked as a folder is', async (t) => {
  const archive = (await readdir(publicDir, { recursive: true })).find((path) => /\.zap\d+$/.test(path))!
  const dir = await folder(t, {})
  const { code, stdout } = await run(dir, 'check', join(publicDir, archive), '--format', 'json', '--fail-on', 'never')
  assert.equal(code, 0)
  assert.ok(JSON.parse(stdout).devices[0].blocks > 0)
})

test('gantry rules lists and explains', async (t) => {
  const dir = await folder(t, {})
  const { stdout } = await run(dir, 'rules', '--json')
  assert.ok(JSON.parse(stdout).length >= 60)
  assert.match((await run(dir, 'rules', 'case-without-else')).stdout, /Fails:[\s\S]*CASE #x OF[\s\S]*Passes:/)
  assert.equal((await run(dir, 'rules', 'case-without')).code, 2)
})
