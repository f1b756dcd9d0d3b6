import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test/folder.ts'
import { expandPaths } from './expand-paths.ts'

test('patterns are the files and folders that they match, as the path is written', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-expand-')
  const files = [
    'A.scl',
    'B.scl',
    'C.xml',
    'plc (1)/D.scl',
    'plc (1)/deep/E.scl',
    'other/F.scl',
    '.hidden/G.scl',
    '.H.scl',
  ]
  for (const file of files) {
    await mkdir(join(dir, file, '..'), { recursive: true })
    await writeFile(join(dir, file), '')
  }
  const found = async (...patterns: string[]) =>
    (await expandPaths(patterns.map((one) => join(dir, one)))).map((path) =>
      path.slice(dir.length + 1).replaceAll(sep, '/'),
    )
  assert.deepEqual(await found('*.scl'), ['A.scl', 'B.scl'])
  assert.deepEqual(await found('?.*'), ['A.scl', 'B.scl', 'C.xml'])
  assert.deepEqual(await found('C.xml', '[AB].scl', '*.scl'), ['C.xml', '[AB].scl', 'A.scl', 'B.scl'])
  assert.deepEqual(await found('*'), ['A.scl', 'B.scl', 'C.xml', 'other', 'plc (1)'])
  assert.deepEqual(await found('*/'), ['other', 'plc (1)'])
  assert.deepEqual(await found('p* (?)/*.scl'), ['plc (1)/D.scl'])
  assert.deepEqual(await found('*/F.scl'), ['other/F.scl'])
  assert.deepEqual(await found('**/*.scl'), ['A.scl', 'B.scl', 'other/F.scl', 'plc (1)/D.scl', 'plc (1)/deep/E.scl'])
  assert.deepEqual(await found('p*/**'), ['plc (1)/D.scl', 'plc (1)/deep/E.scl'])
  assert.deepEqual(await found('.*'), ['.H.scl', '.hidden'])
  // As in a shell.
  for (const none of ['*.pdf', 'none/*', 'A.scl/*', 'plain', ''])
    assert.deepEqual(await expandPaths([none === '' ? '' : join(dir, none)]), [none === '' ? '' : join(dir, none)])
  // Below the working directory the path stays relative: tests run in the folder of the repository.
  assert.deepEqual(await expandPaths(['l?b/expand-p*.test.ts']), [join('lib', 'expand-paths.test.ts')])
})

test('separators and case are those of the system', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-expand-')
  await mkdir(join(dir, 'plant'))
  await writeFile(join(dir, 'plant', 'Main.scl'), '')
  const main = join(dir, 'plant', 'Main.scl')
  const isWindows = sep === '\\'
  assert.deepEqual(await expandPaths([`${dir}/plant/M*.scl`]), [main])
  for (const pattern of [`${dir}\\plant\\M*.scl`, `${dir}/plant/m*.SCL`])
    assert.deepEqual(await expandPaths([pattern]), [isWindows ? main : pattern])
  if (isWindows) return
  await writeFile(join(dir, 'odd*.scl'), '')
  await writeFile(join(dir, 'odd1.scl'), '')
  assert.deepEqual(await expandPaths([join(dir, 'odd*.scl')]), [join(dir, 'odd*.scl')])
})
