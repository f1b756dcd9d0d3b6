import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkContent, configOf } from './check.ts'
import { type FolderAccess, readFolderContent } from './folder.ts'

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
