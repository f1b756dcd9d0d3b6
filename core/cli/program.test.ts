/** The help of every command, and what the commands of plugins get. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { temporaryFolder } from '../../test/folder.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { CliError } from './exit-codes.ts'
import { defaultDataDir } from './options.ts'
import { type CliCommand, type CliTools, runPluginCommand } from './plugin-commands.ts'
import { buildProgram } from './program.ts'

test('the help of each command is as recorded', async () => {
  const texts: string[] = []
  const show = (command: Command) => {
    let text = ''
    command.configureHelp({ helpWidth: 10_000 }).configureOutput({
      writeOut: (part) => {
        text += part
      },
    })
    command.outputHelp()
    texts.push(text.trimEnd().replaceAll(defaultDataDir(tmpdir()), '<data directory of the user>'))
    command.commands.forEach(show)
  }
  show(await buildProgram())
  assert.ok(texts.length > 25, `${texts.length} commands`)
  assertRecorded(import.meta.url, 'help.txt', `${texts.join('\n\n=====\n\n')}\n`)
})

test('a command of a plugin gets its arguments and tools, and gives the exit code', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-commands-')
  const before = process.exitCode
  t.after(() => {
    process.exitCode = before
  })
  const run = (action: (tools: CliTools) => unknown) => {
    const command: CliCommand = {
      name: 'try',
      description: '',
      arguments: [],
      options: [],
      async run(args, options, tools) {
        assert.deepEqual([args, options.url], [['a', ['b', 'c'], undefined], 'http://127.0.0.1:9'])
        assert.match(tools.version, /^\d+\.\d+\.\d+/)
        await action(tools)
        return 3
      },
    }
    return runPluginCommand(command, ['a', ['b', 'c'], undefined], { url: 'http://127.0.0.1:9', key: 'k' })
  }
  const fails = async (action: (tools: CliTools) => unknown, exitCode: number, message: RegExp) =>
    assert.rejects(run(action), (error) => {
      assert.ok(error instanceof CliError, String(error))
      assert.equal(error.exitCode, exitCode)
      assert.match(error.message, message)
      return true
    })
  const file = join(dir, 'out.txt')
  await run(({ print }) => print('some text', file))
  assert.equal(process.exitCode, 3)
  process.exitCode = before
  assert.equal(await readFile(file, 'utf8'), 'some text')
  await fails(({ print }) => print('text', dir), 2, /^.* cannot be written: EISDIR/)
  await fails(({ fail }) => fail('It is not so.', 7), 7, /^It is not so\.$/)
  await fails(({ call }) => call('jobs.list', {}), 3, /cannot be reached/)
  await fails(({ read }) => read('/openapi.json'), 3, /cannot be reached/)
})
