/** `gantry diff` as a process. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { launcher } from '../../../test/built.ts'
import { publicDir } from '../../../test/corpus.ts'

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

test('what is only written differently is listed, and is no difference', (t) => {
  const written = motor.replace('IF #on THEN', 'if (#ON) then').replace('#speed := 100', 'speed := 16#64')
  const dir = folder(t, { 'a/Motor.scl': motor, 'a/Other.scl': other, 'b/Motor.scl': written, 'b/Other.scl': other })
  const { code, stdout } = run(dir, 'diff', 'a', 'b')
  assert.equal(code, 0)
  assert.match(stdout, /^= FB "Motor" \(Motor\.scl\): the same, written differently\n/)
  assert.match(stdout, /network 1, statement 1: written differently\n +- IF #on THEN #speed := 100;\n/)
  assert.match(stdout, /\n0 added, 0 removed, 0 changed, 1 written differently, 1 the same\n$/)
  assert.match(
    run(dir, 'diff', 'a', 'b', '--format', 'html').stdout,
    /<span class="written">written differently<\/span>/,
  )
  put(dir, 'b/Other.scl', other.replace('BEGIN', 'BEGIN\n  "x" := 1;'))
  assert.equal(run(dir, 'diff', 'a', 'b').code, 1)
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
