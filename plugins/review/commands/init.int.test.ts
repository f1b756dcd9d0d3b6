/** `gantry init` as a process: the commands of the pipelines that it writes run with stand-ins of npm and Docker. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { launcher, root } from '../../../test/built.ts'

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

/** The shell commands of the pipelines that init has written, service by service. */
function pipelineCommands(dir: string): string[][] {
  const read = (path: string) => readFileSync(join(dir, path), 'utf8')
  const linesOf = (steps: readonly Record<string, string>[], field: string) =>
    steps.flatMap((step) => step[field]?.trim().split('\n') ?? [])
  const gitlab = parse(read('.gitlab-ci.yml'))['plc-check']
  return [
    linesOf(parse(read('.github/workflows/gantry.yml')).jobs.check.steps, 'run'),
    [...(gitlab.before_script ?? []), ...gitlab.script],
    linesOf(parse(read('azure-pipelines.yml')).steps, 'script'),
    [...read('Jenkinsfile').matchAll(/sh '''(.*?)'''/g)].map(([, text = '']) => text),
  ]
}

/** A folder with a stand-in of a program that notes how it is called. */
function standIn(dir: string, name: string, script: string): NodeJS.ProcessEnv {
  mkdirSync(join(dir, 'bin'), { recursive: true })
  writeFileSync(join(dir, 'bin', name), `#!/bin/sh\necho "$*" >> '${dir}/${name}-calls'\n${script}`)
  chmodSync(join(dir, 'bin', name), 0o755)
  return { ...env, PATH: [join(dir, 'bin'), dirname(process.execPath), process.env.PATH].join(':') }
}

function runAll(dir: string, lines: readonly string[], own: NodeJS.ProcessEnv): void {
  assert.equal(lines.filter((line) => line.includes(' check ')).length, 2)
  assert.equal(lines.filter((line) => line.includes(' test ')).length, 1)
  for (const line of lines) {
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: dir, env: own, encoding: 'utf8' })
    assert.equal(status, 0, `${line}\n${stderr}`)
  }
  assert.equal(JSON.parse(readFileSync(join(dir, 'gantry.sarif'), 'utf8')).version, '2.1.0')
  const tests = readFileSync(join(dir, 'gantry-tests.xml'), 'utf8')
  assert.match(tests, /<testsuites name="gantry test" tests="1" failures="0" errors="0"/)
}

test('init writes settings, schemas and pipelines that install the package; their commands run', (t) => {
  const dir = folder(t, { 'plc/line 1/Motor.scl': motor, 'plc/line 1/Other.scl': other })
  const { code, stdout, stderr } = run(dir, 'init', '--package', 'tools/gantry-0.1.0.tgz')
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(
    stdout.split('\n').map((line) => line.replace(/^wrote /, '')),
    [
      ...['plc/line 1/gantry.yml', 'plc/line 1/tests/sample.test.yml', 'plc/line 1/tests/stubs/Sample_Motor.scl'],
      ...['.gantry/schemas/config.schema.json', '.gantry/schemas/test.schema.json', '.github/workflows/gantry.yml'],
      ...['.gitlab-ci.yml', 'Jenkinsfile', 'azure-pipelines.yml', 'Try it: gantry check "plc/line 1"', ''],
    ],
  )
  // The first line leads an editor to the schema.
  for (const file of ['plc/line 1/gantry.yml', 'plc/line 1/tests/sample.test.yml']) {
    const schema = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(join(dir, file), 'utf8'))?.[1]
    assert.match(readFileSync(join(dir, dirname(file), schema!), 'utf8'), /"\$schema": "http:\/\/json-schema.org/)
  }
  // What npm installs is this package.
  const install = `mkdir -p .gantry/tool/bin && ln -sf '${launcher}' .gantry/tool/bin/gantry\n`
  const own = standIn(dir, 'npm', install)
  for (const lines of pipelineCommands(dir)) runAll(dir, lines, own)
  const calls = readFileSync(join(dir, 'npm-calls'), 'utf8').trim().split('\n')
  assert.deepEqual(
    calls,
    Array(4).fill('install --global --prefix .gantry/tool --no-audit --no-fund ./tools/gantry-0.1.0.tgz'),
  )
  const again = run(dir, 'init')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /Jenkinsfile is there and stays; --force replaces it/)
  assert.match(again.stderr, /The pipelines need the variable GANTRY_PACKAGE: /)
  assert.equal(run(dir, 'init', '--ci', 'travis').code, 2)
  assert.equal(run(dir, 'init', '--program', "plc'; rm -rf x").code, 2)
  assert.equal(run(dir, 'init', '--package', "x'; rm -rf x").code, 2)
  assert.equal(run(dir, 'init', '--package', '--image').code, 2)
  assert.equal(run(dir, 'init', '--package', 'a', '--image', 'b').code, 2)
})

test('a pipeline without a package says which variable it needs', (t) => {
  const dir = folder(t, { 'plc/Motor.scl': motor })
  assert.equal(run(dir, 'init').code, 0)
  const own = standIn(dir, 'npm', '')
  for (const [install] of pipelineCommands(dir)) {
    const missing = spawnSync('sh', ['-c', install!], { cwd: dir, env: own, encoding: 'utf8' })
    assert.notEqual(missing.status, 0)
    assert.match(missing.stderr, /GANTRY_PACKAGE: .*what npm installs/)
  }
})

test('init --image writes pipelines that run the container', (t) => {
  const dir = folder(t, { 'plc/Motor.scl': motor, 'plc/Other.scl': other })
  assert.equal(run(dir, 'init', '--image', 'registry.example:5000/gantry:0.1').code, 0)
  const [github, gitlab, azure, jenkins] = pipelineCommands(dir) as [string[], string[], string[], string[]]
  // Docker: what is behind the image is for Gantry, in the folder that is mounted.
  const docker = `while [ "$1" != registry.example:5000/gantry:0.1 ]; do shift; done; shift\nexec '${process.execPath}' '${launcher}' "$@"\n`
  const own = standIn(dir, 'docker', docker)
  for (const lines of [github, azure, jenkins]) runAll(dir, lines, own)
  for (const call of readFileSync(join(dir, 'docker-calls'), 'utf8').trim().split('\n'))
    assert.match(
      call,
      /^run --rm --user \d+:\d+ --volume \S+:\/work --workdir \/work registry\.example:5000\/gantry:0\.1 /,
    )
  const job = parse(readFileSync(join(dir, '.gitlab-ci.yml'), 'utf8'))['plc-check']
  assert.deepEqual(job.image, { name: 'registry.example:5000/gantry:0.1', entrypoint: [''] })
  runAll(dir, gitlab, standIn(dir, 'gantry', `exec '${process.execPath}' '${launcher}' "$@"\n`))
})

test('the action and the image name what exists', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  assert.equal(action.runs.using, 'composite')
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8')
  for (const path of ['package.json', 'package-lock.json', 'LICENSE', 'core/cli/gantry.mjs'])
    assert.ok(image.includes(path) && readFileSync(join(root, path)).length > 0, path)
  assert.match(image, /^USER node$/m)
})
