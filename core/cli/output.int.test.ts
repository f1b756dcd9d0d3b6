import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { CliError } from './exit-codes.ts'
import { openOutput, table, write } from './output.ts'

test('a table has aligned columns, and no blanks at the end of its lines', () => {
  assert.equal(
    table([['SESSION', 'STARTED', 'JOBS'], ['1', 'a long time ago', '3'], ['12', '', ''], ['only one']]),
    [
      'SESSION   STARTED          JOBS',
      '1         a long time ago  3',
      '12                         ',
      'only one',
      '',
    ].join('\n'),
  )
  assert.equal(table([]), '')
})

test('a file is written whole with the usual mode; one that cannot be written is told, also when the text is short', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-output-')
  const file = join(dir, 'out.txt')
  const output = openOutput(file)
  const text = 'line\n'.repeat(50_000)
  for (let n = 0; n < 3; n++) await output.write(text)
  await output.close()
  assert.equal(await readFile(file, 'utf8'), text.repeat(3))
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o666 & ~process.umask())
  for (const [path, code] of [
    [dir, 'EISDIR'],
    [join(dir, 'none/out.txt'), 'ENOENT'],
    [join(file, 'x'), process.platform === 'win32' ? 'ENOENT' : 'ENOTDIR'],
  ] as const)
    for (const size of [1, 1_000_000]) {
      const failing = openOutput(path)
      const writing = async () => {
        await failing.write('x'.repeat(size))
        await failing.close()
      }
      await assert.rejects(writing(), (error) => {
        assert.ok(error instanceof CliError)
        assert.equal(error.exitCode, 2)
        return error.message.startsWith(`${path} cannot be written: ${code}`)
      })
    }
})

test('a writer waits while its reader is slower', async () => {
  const stream = new PassThrough({ highWaterMark: 4 })
  let isWritten = false
  const writing = write(stream, 'longer').then(() => {
    isWritten = true
  })
  await new Promise(setImmediate)
  assert.equal(isWritten, false)
  assert.equal(String(stream.read()), 'longer')
  await writing
  await write(stream, 'x')
  assert.equal(String(stream.read()), 'x')
})
