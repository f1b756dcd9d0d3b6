/** `gantry fmt` as a process, and `review.format`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { launcher } from '../../../test/built.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { noLinks } from '../../../test/links.ts'
import { openPlant } from '../../../test/plant.ts'

const plain = 'FUNCTION "A" : Void\nBEGIN\nif #a then\n#b:=1;\nend_if;\nEND_FUNCTION\n'
const tidy = 'FUNCTION "A" : Void\nBEGIN\n    IF #a THEN\n        #b := 1;\n    END_IF;\nEND_FUNCTION\n'

async function folder(t: TestContext): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-fmt-')
  await mkdir(join(dir, 'sub'))
  return dir
}

function fmt(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [launcher, 'fmt', ...args], { cwd }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('gantry fmt formats files and folders, once; --check changes nothing', async (t) => {
  const dir = await folder(t)
  await writeFile(join(dir, 'A.scl'), `\ufeff${plain}`)
  await writeFile(join(dir, 'sub/B.scl'), tidy)
  await writeFile(join(dir, 'sub/notes.txt'), plain)
  const checked = await fmt(dir, '--check')
  assert.deepEqual([checked.code, checked.stdout], [1, 'would change A.scl\n'])
  assert.equal(await readFile(join(dir, 'A.scl'), 'utf8'), `\ufeff${plain}`)
  const done = await fmt(dir)
  assert.deepEqual([done.code, done.stdout], [0, 'changed A.scl\n'])
  assert.equal(await readFile(join(dir, 'A.scl'), 'utf8'), `\ufeff${tidy}`, 'the byte order mark stays')
  assert.equal(await readFile(join(dir, 'sub/notes.txt'), 'utf8'), plain)
  const again = await fmt(dir, 'A.scl', 'sub')
  assert.deepEqual([again.code, again.stdout], [0, ''])
  assert.equal((await fmt(dir, '--indent', 'tab', 'A.scl')).code, 0)
  assert.match(await readFile(join(dir, 'A.scl'), 'utf8'), /\n\t\t#b := 1;/)
})

test('files that cannot be read are named with their place; the others are formatted', { skip: noLinks }, async (t) => {
  const dir = await folder(t)
  await writeFile(join(dir, 'A.scl'), plain)
  await writeFile(join(dir, 'Open.scl'), 'FUNCTION "A" : Void\nBEGIN\n#a := \'open;\nEND_FUNCTION\n')
  await writeFile(join(dir, 'Ansi.scl'), Buffer.from(`// \xe4\n${plain}`, 'latin1'))
  // Links that lead nowhere: told when a source is meant.
  for (const name of ['Gone.scl', 'Gone.txt', '.hidden.scl']) await symlink('nowhere', join(dir, name))
  const { code, stdout, stderr } = await fmt(dir)
  assert.deepEqual([code, stdout], [3, 'changed A.scl\n'])
  assert.match(stderr, /^Gone\.scl: It is a link that leads to nothing\.$/m)
  assert.doesNotMatch(stderr, /Gone\.txt/)
  assert.match(stderr, /^1 changed, 0 as they were, 4 not readable$/m)
  assert.match(stderr, /^Open\.scl:3:7: /m)
  assert.match(stderr, /^Ansi\.scl: is in windows-1252; save it as UTF-8 first$/m)
  assert.equal((await fmt(dir, 'missing')).code, 3)
  assert.equal((await fmt(dir, '--indent', '12')).code, 2)
})

test('review.format formats a text', async (t) => {
  const { call } = await openPlant(t)
  assert.deepEqual(await call('review.format', { text: plain }), { text: tidy, changed: true, faults: [] })
  const { faults } = await call<{ faults: unknown[] }>('review.format', { text: "#a := 'open;" })
  assert.equal(faults.length, 1)
})
