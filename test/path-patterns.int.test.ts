/** Patterns in paths of commands, which no shell of Windows expands; elsewhere a quoted one is the same. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CliError } from '../core/cli/exit-codes.ts'
import { withoutPatterns } from '../core/cli/path-arguments.ts'
import type { CliCommand, CliTools } from '../core/index.ts'
import { commands as testCommands } from '../plugins/plc-tests/cli.ts'
import { commands as reviewCommands } from '../plugins/review/cli.ts'
import { launcher } from './built.ts'
import { temporaryFolder } from './folder.ts'

const source = (name: string, statement: string) =>
  `FUNCTION "${name}" : Void\nVAR_TEMP\n    a : Int;\nEND_VAR\nBEGIN\n    ${statement}\nEND_FUNCTION\n`

async function plant(t: TestContext): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-patterns-')
  const files = {
    'plant/A.scl': source('A', '#b := 1;'),
    'plant/B.scl': source('B', '#a:=1;'),
    'plant/Other.udt': 'TYPE "Other"\nSTRUCT\n    x : Nothing;\nEND_STRUCT;\nEND_TYPE\n',
    'plant/sub/C.scl': source('C', '#c := 1;'),
    'plant/gantry.yml': 'rules:\n  block-comment-missing: off\n',
    'two/D.scl': source('D', '#a := 1;'),
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, file)), { recursive: true })
    await writeFile(join(dir, file), text)
  }
  return dir
}

/** Runs a command as the command line does, in this process. */
async function gantry(name: string, paths: readonly string[], options: Parameters<CliCommand['run']>[1] = {}) {
  const command = [...reviewCommands, ...testCommands].find((one) => one.name === name)
  assert.ok(command)
  let out = ''
  const notes: string[] = []
  const tools: CliTools = {
    version: '1.2.3',
    fail(message, exitCode) {
      throw new CliError(message, exitCode)
    },
    async print(text) {
      out += text
    },
    note: (text) => notes.push(text),
    call: () => assert.fail('there is no gateway'),
    read: () => assert.fail('there is no gateway'),
  }
  const isList = command.arguments[0]?.name.includes('...')
  try {
    const args = await withoutPatterns(isList ? [paths] : paths, command.arguments)
    return { code: await command.run(args, options, tools), out, said: notes.join('\n') }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return { code: error.exitCode, out, said: error.message }
  }
}

test('check, fmt, doc and diff take what a pattern matches; a command of one path says when there are several', async (t) => {
  const dir = await plant(t)
  const at = (...patterns: string[]) => patterns.map((one) => join(dir, one))
  const checked = async (...patterns: string[]) => {
    const { code, out, said } = await gantry('check', at(...patterns), { format: 'json', cache: false })
    assert.equal(code, 1, said)
    // The settings are those of the folder, and what is not named is not there.
    if (!patterns.includes('pl?nt')) assert.doesNotMatch(out, /Other/)
    const { findings } = JSON.parse(out) as { findings: { file: string; code: string }[] }
    const codes = new Set(findings.map((one) => one.code))
    assert.equal(codes.has('block-comment-missing'), patterns.includes('*/*.scl'))
    return findings.filter((one) => one.code === 'undeclared').map(({ file }) => file)
  }
  assert.deepEqual(await checked('plant/*.scl'), ['A.scl'])
  assert.deepEqual(await checked('plant/A.scl', 'plant/B.scl'), ['A.scl'])
  assert.deepEqual(await checked('plant/**/*.scl'), ['A.scl', 'sub/C.scl'])
  assert.deepEqual(await checked('*/*.scl'), ['plant/A.scl'])
  assert.deepEqual(await checked('pl?nt'), ['A.scl', 'sub/C.scl'])

  const formatted = await gantry('fmt', at('plant/*.scl'), { check: true })
  assert.equal(formatted.said, '2 would change, 0 as they were, 0 not readable')
  const document = await gantry('doc', at('plant/?.scl'), { format: 'markdown' })
  assert.match(document.out, /^# plant\n/)
  assert.match(document.out, /\bA\b[\s\S]*\bB\b/)
  assert.doesNotMatch(document.out, /Other/)
  assert.equal((await gantry('diff', at('plant/A.*', 'plant/B.*'), { format: 'text' })).code, 1)

  const several = await gantry('test', at('*'))
  assert.equal(several.code, 2)
  assert.equal(several.said, `${join(dir, '*')} stands for 2 paths (${at('plant', 'two').join(', ')}); name one.`)
  for (const none of at('none*', 'plant/*.db', 'none/*'))
    assert.deepEqual(await gantry('check', [none]), { code: 3, out: '', said: `There is nothing at ${none}.` })
  const gone = { code: 3, out: '', said: `There is nothing at ${join(dir, 'gone')}.` }
  for (const name of ['check', 'doc']) assert.deepEqual(await gantry(name, at('plant/A.scl', 'gone')), gone)
  await writeFile(join(dir, 'two', 'Old.zap19'), '')
  assert.match((await gantry('check', at('two/*'))).said, /Old\.zap19 is of TIA Portal: name it alone\.$/)
})

test('the command line itself expands them, also written with the separators of the system', async (t) => {
  const dir = await plant(t)
  const said = await new Promise<string>((resolve) => {
    const args = [launcher, 'fmt', '--check', join('plant', '*.scl')]
    execFile(process.execPath, args, { cwd: dir }, (_error, out) => resolve(out))
  })
  assert.equal(said, `would change ${join('plant', 'A.scl')}\nwould change ${join('plant', 'B.scl')}\n`)
})
