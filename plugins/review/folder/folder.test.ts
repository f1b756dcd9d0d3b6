import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noLinks } from '../../../test/links.ts'
import { checkContent, configOf } from '../check/check.ts'
import { type FolderAccess, readFolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'

const text =
  'FUNCTION "Add" : Int\nTITLE = Adds one\nVAR_INPUT\n  x : Int; // any\nEND_VAR\nBEGIN\n  #Add := #x + 1;\nEND_FUNCTION\n'

/** A folder with two files, one of which the system refuses. */
const access: FolderAccess = {
  async read(path) {
    if (path === 'plc/Add.scl') return Buffer.from(text)
    throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' })
  },
  list: async () => ['Add.scl', 'Secret.scl'].map((name) => ({ name, path: `plc/${name}`, isDirectory: false })),
  stat: async () => ({ isFile: false, isDirectory: true, size: 0, modifiedAt: '2024-01-01T00:00:00.000Z' }),
}

test('a file without permission is named, and the others are checked', async () => {
  const { findings, devices } = await checkContent(
    await readFolderContent(access, 'plc', { goesOn: true }),
    configOf(undefined),
  )
  assert.deepEqual(
    findings.map(({ code, severity, file }) => [code, severity, file]),
    [['unreadable-file', 'error', 'Secret.scl']],
  )
  assert.match(findings[0]!.message, /EACCES/)
  assert.equal(devices[0]!.compiled, 1)
})

test('what compares folders does not go on without a file', async () => {
  await assert.rejects(readFolderContent(access, 'plc'), /EACCES/)
})

test('a folder without permission is named, and the others are read', async () => {
  const files = new Map([['plc/open', [{ name: 'Add.scl', path: 'plc/Add.scl', isDirectory: false }]]])
  const guarded: FolderAccess = {
    ...access,
    async list(path) {
      if (path === 'plc') return ['closed', 'open'].map((name) => ({ name, path: `plc/${name}`, isDirectory: true }))
      return files.get(path) ?? Promise.reject(Object.assign(new Error('EACCES: scandir'), { code: 'EACCES' }))
    },
  }
  const { program, refused } = await readFolderContent(guarded, 'plc', { goesOn: true })
  assert.deepEqual([program.map(({ path }) => path), refused?.map(({ path }) => path)], [['open/Add.scl'], ['closed']])
  await assert.rejects(readFolderContent(guarded, 'plc'), /EACCES/)
})

test('links are followed inside the folder, and told where they lead elsewhere', { skip: noLinks }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-links-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const name of ['root/shared', 'root/PLC_1', 'root/PLC_2', 'other'])
    mkdirSync(join(dir, name), { recursive: true })
  writeFileSync(join(dir, 'root/shared/Add.scl'), text)
  writeFileSync(join(dir, 'other/Sub.scl'), text)
  const links = [
    ['root/PLC_1/lib', '../shared'],
    ['root/PLC_2/Add.scl', join(dir, 'root/shared/Add.scl')],
    ['root/Gone.scl', 'nowhere.scl'],
    ['root/Gone.png', 'nowhere.png'],
    ['root/Self.scl', 'Self.scl'],
    ['root/Out.scl', join(dir, 'other/Sub.scl')],
    ['root/out', '../other'],
    ['root/PLC_2/up', '..'],
    ['root/PLC_1/two', '../PLC_2'],
    ['root/PLC_2/one', '../PLC_1'],
  ] as const
  for (const [at, target] of links) symlinkSync(target, join(dir, at))
  const { program, refused = [] } = await readFolderContent(localFiles, join(dir, 'root'))
  assert.deepEqual(
    program.map(({ path }) => path),
    ['PLC_1/lib/Add.scl', 'PLC_1/two/Add.scl', 'PLC_2/Add.scl', 'PLC_2/one/lib/Add.scl', 'shared/Add.scl'],
  )
  const told = new Map(refused.map(({ path, message }) => [path, message.replace(/^It is a link (that leads )?/, '')]))
  assert.deepEqual([...told].map(([path, message]) => `${path}: ${message.replace(/, to .*/, '')}`).sort(), [
    'Gone.scl: to nothing.',
    'Out.scl: out of the folder',
    'PLC_1/two/one: to a folder that it lies in itself.',
    'PLC_1/two/up: to a folder that it lies in itself.',
    'PLC_2/one/two: to a folder that it lies in itself.',
    'PLC_2/up: to a folder that it lies in itself.',
    'Self.scl: to nothing.',
    'out: out of the folder',
  ])
  const { findings } = await checkContent({ program, sheets: [], hardware: [], refused }, configOf(undefined))
  assert.deepEqual(findings.filter(({ code }) => code === 'unreadable-file').length, 8)
})

test('an empty file is said to be empty', async () => {
  const program = ['A.scl', 'B.s7dcl', 'C.xml'].map((path) => ({ path, bytes: Buffer.from('\ufeff \n') }))
  const { findings } = await checkContent({ program, sheets: [], hardware: [] }, configOf(undefined))
  assert.deepEqual(
    findings.filter(({ message }) => message === 'the file is empty.').map(({ file }) => file),
    ['A.scl', 'B.s7dcl', 'C.xml'],
  )
})
