/** Files that a command cannot write are named, without a stack, and what was written beside them is told. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { launcher } from './built.ts'
import { temporaryFolder } from './folder.ts'

const isWindows = process.platform === 'win32'
const mayWriteAll = !isWindows && process.getuid?.() === 0 && 'this user may write everything'

/** Keeps others from writing a file, until the returned function is called. */
async function hold(file: string): Promise<() => Promise<void>> {
  if (isWindows) {
    // As a spreadsheet does: nobody else may open it (a flag of libuv).
    const held = openSync(file, constants.O_RDWR | 0x10000000)
    return async () => closeSync(held)
  }
  await chmod(file, 0o444)
  return () => chmod(file, 0o644)
}

function gantry(cwd: string, ...args: string[]): Promise<{ code: number; out: string; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [launcher, ...args], { cwd }, (_error, out, said) =>
      resolve({ code: child.exitCode ?? -1, out, said }),
    )
  })
}

test('fmt goes on with the other files', { skip: mayWriteAll }, async (t) => {
  const dir = await temporaryFolder(t, 'gantry-written-')
  for (const name of ['A.scl', 'B.scl', 'C.scl'])
    await writeFile(join(dir, name), `FUNCTION "${name[0]}" : Void\nBEGIN\n#b:=1;\nEND_FUNCTION\n`)
  const release = await hold(join(dir, 'B.scl'))
  const { code, out, said } = await gantry(dir, 'fmt')
  await release()
  assert.deepEqual([code, out], [3, 'changed A.scl\nchanged C.scl\n'])
  assert.match(
    said,
    /^B\.scl: .*(EPERM|EACCES|EBUSY): .*\n2 changed, 0 as they were, \d not readable(, 1 not writable)?\n$/,
  )
  assert.match(await readFile(join(dir, 'B.scl'), 'utf8'), /\n#b:=1;\n/)
})

test('init lists what it has written before a file that is in the way', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-written-')
  await mkdir(join(dir, '.gantry'))
  // A file in the place of a folder; a name that the system refuses is told in the same way.
  await writeFile(join(dir, '.gantry', 'schemas'), '')
  const { code, out, said } = await gantry(dir, 'init')
  assert.equal(code, 1)
  assert.match(out, /^wrote gantry\.yml\n/)
  assert.match(said, /^gantry: [^\n]*schemas[^\n]*\n$/)
})
