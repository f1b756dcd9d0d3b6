/** `gantry diff` and `gantry init` as processes. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { launcher, root } from '../../test/built.ts'
import { publicDir } from '../../test/corpus.ts'

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS|GIT_)/.test(name)),
)

function run(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], { cwd, env, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-diff-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) put(dir, path, text)
  return dir
}

function put(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}

const motor = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  on : Bool;
END_VAR
VAR_OUTPUT
  speed : Int;
END_VAR
BEGIN
  IF #on THEN
    #speed := 100;
  END_IF;
END_FUNCTION_BLOCK
`
const other = 'FUNCTION "Other" : Void\nBEGIN\nEND_FUNCTION\n'

test('sides that differ in nothing that could be read are not called equal', (t) => {
  const dir = folder(t, { 'a/Motor.scl': motor, 'a/x.xml': '<Document><', 'b/Motor.scl': motor })
  const { code, stdout } = run(dir, 'diff', 'a', 'b')
  assert.equal(code, 3)
  assert.match(stdout, /x\.xml/)
  put(dir, 'b/x.xml', '<Document><')
  assert.equal(run(dir, 'diff', 'a', 'b').code, 0)
})

test('members, statements and whole objects that differ are named; layout is none', (t) => {
  const changed = motor
    .replace('  on : Bool;', '  on : Bool;\n  slow : Bool;')
    .replace('100', '120')
    .replace('Motor"', 'Motor" // drive')
  const dir = folder(t, {
    'a/Motor.scl': motor,
    'a/Other.scl': other,
    'b/sub/Motor.scl': changed,
    'b/New.scl': other.replace('Other', 'New'),
  })
  const { code, stdout } = run(dir, 'diff', 'a', 'b')
  assert.equal(code, 1)
  assert.equal(
    stdout,
    `~ FB "Motor" (sub/Motor.scl)
    network 1, statement 1: changed
      - IF #on THEN #speed := 100;
      + IF #on THEN #speed := 120;
    Input.slow: interface added
      + Bool

+ FC "New" (New.scl)

- FC "Other" (Other.scl)

1 added, 1 removed, 1 changed, 0 the same
`,
  )
  const back = JSON.parse(run(dir, 'diff', 'b', 'a', '--format', 'json').stdout)
  assert.deepEqual(
    back.objects.map(({ name, change }: Record<string, string>) => `${name} ${change}`),
    ['Motor changed', 'New removed', 'Other added'],
  )
  writeFileSync(join(dir, 'b/sub/Motor.scl'), motor.replaceAll('\n', '\r\n').replace('  IF #on', '    IF   #on'))
  assert.equal(run(dir, 'diff', 'a/Motor.scl', 'b/sub/Motor.scl').code, 0)
})

test('a version of git is compared with the working directory, and drawn networks are shown as expressions', (t) => {
  const dir = folder(t, {})
  cpSync(join(publicDir, 'Czarnak+simaticml-decoder'), join(dir, 'plc'), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: dir, env })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  const same = run(dir, 'diff', 'HEAD:plc', 'plc')
  assert.equal(same.code, 0, same.stdout + same.stderr)
  const file = execFileSync('git', ['ls-files', '-z', '*MotorSoftstart.xml'], {
    cwd: dir,
    env,
    encoding: 'utf8',
  }).split('\0')[0]!
  const text = readFileSync(join(dir, file), 'utf8')
  const first = text.indexOf('<Component Name="generalConditions" />')
  writeFileSync(
    join(dir, file),
    `${text.slice(0, first)}${text.slice(first).replace('generalConditions', 'otherConditions')}`,
  )
  const { code, stdout } = run(join(dir, 'plc'), 'diff', 'HEAD:plc', '.')
  assert.equal(code, 1)
  assert.match(stdout, /^ {6}- #generalConditions := .*\n {6}\+ #otherConditions := /m)
  assert.match(stdout, /0 added, 0 removed, 1 changed/)
  assert.equal(run(dir, 'diff', 'no-such:plc', 'plc').code, 3)
  assert.equal(run(dir, 'diff', 'HEAD:nowhere', 'plc').code, 3)
  assert.equal(run(dir, 'diff', 'plc').code, 2)
})

test('init writes settings and pipelines whose commands run', (t) => {
  const dir = folder(t, { 'plc/line 1/Motor.scl': motor, 'plc/line 1/Other.scl': other })
  const { code, stdout } = run(dir, 'init', '--repository', 'https://example.org/gantry.git')
  assert.equal(code, 0)
  assert.equal(
    stdout,
    'wrote plc/line 1/gantry.yml\nwrote plc/line 1/tests/sample.test.yml\nwrote plc/line 1/tests/stubs/Sample_Motor.scl\nwrote .github/workflows/gantry.yml\nwrote .gitlab-ci.yml\nwrote Jenkinsfile\nwrote azure-pipelines.yml\nTry it: gantry check "plc/line 1"\n',
  )
  const read = (path: string) => readFileSync(join(dir, path), 'utf8')
  const github = parse(read('.github/workflows/gantry.yml')).jobs.check.steps.flatMap(
    ({ run: text }: { run?: string }) => text?.trim().split('\n') ?? [],
  )
  const gitlab = parse(read('.gitlab-ci.yml'))['plc-check']
  const azure = parse(read('azure-pipelines.yml')).steps.flatMap(
    ({ script }: { script?: string }) => script?.trim().split('\n') ?? [],
  )
  const jenkins = [...read('Jenkinsfile').matchAll(/sh '''(.*?)'''/g)].map(([, text = '']) => text)
  // What is cloned and built is this package.
  mkdirSync(join(dir, '.gantry'))
  symlinkSync(root, join(dir, '.gantry/tool'))
  for (const lines of [github, [...gitlab.before_script, ...gitlab.script], azure, jenkins] as string[][]) {
    assert.equal(lines[0], "git clone --depth 1 'https://example.org/gantry.git' .gantry/tool")
    const checks = lines.filter((line) => line.includes(' check '))
    assert.equal(checks.length, 2)
    const tests = lines.filter((line) => line.includes(' test '))
    assert.equal(tests.length, 1)
    for (const line of [...checks, ...tests]) {
      const { status, stderr } = spawnSync('sh', ['-c', line.replace('$(Build.ArtifactStagingDirectory)', '.')], {
        cwd: dir,
        env,
        encoding: 'utf8',
      })
      assert.equal(status, 0, `${line}\n${stderr}`)
    }
  }
  assert.equal(JSON.parse(read('gantry.sarif')).version, '2.1.0')
  assert.match(read('gantry-tests.xml'), /<testsuites name="gantry test" tests="1" failures="0" errors="0"/)
  const again = run(dir, 'init')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /Jenkinsfile is there and stays; --force replaces it/)
  assert.equal(run(dir, 'init', '--ci', 'travis').code, 2)
  assert.equal(run(dir, 'init', '--program', "plc'; rm -rf x").code, 2)
})

test('the action and the image name what exists', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  assert.equal(action.runs.using, 'composite')
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8')
  for (const path of ['package.json', 'package-lock.json', 'LICENSE', 'core/cli/gantry.mjs'])
    assert.ok(image.includes(path) && readFileSync(join(root, path)).length > 0, path)
  assert.match(image, /^USER node$/m)
})
