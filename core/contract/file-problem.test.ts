/** Every refusal of the system has the file, the reason and what to do; both systems are asked here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileProblem } from './file-problem.ts'

type System = Parameters<typeof fileProblem>[2]
const told = (code: string, path: string, system: System = {}) => {
  const cause = Object.assign(new Error(code), { code })
  const found = fileProblem(cause, path, system)
  if (found) assert.equal(found.details.cause, cause)
  return found && `${found.code}: ${found.message}`
}

const linux = { platform: 'linux' } as const
const windows = { platform: 'win32' } as const

test('a file that another program has', () => {
  const busy =
    'conflict: "C:\\plc\\Main.xml" is in use by another program (EBUSY). Close it there (a spreadsheet, an editor, a virus scanner), and try again.'
  for (const system of [linux, windows]) assert.equal(told('EBUSY', 'C:\\plc\\Main.xml', system), busy)
  assert.match(told('EPERM', 'C:\\a', windows) ?? '', /^conflict: "C:\\a" cannot be used \(EPERM\).*another program/)
  assert.equal(
    told('EPERM', '/a', linux),
    'forbidden: The file system refuses "/a" to the account of the gateway (EPERM).',
  )
  assert.match(told('EACCES', '/a', linux) ?? '', /^forbidden: /)
  for (const code of ['EMFILE', 'ENFILE'])
    assert.match(told(code, '/a', linux) ?? '', /^conflict: "\/a" cannot be opened: too many files are open/)
  assert.match(told('ENOSPC', '/a', linux) ?? '', /^conflict: The disk is full \(ENOSPC\): "\/a"/)
  assert.match(told('EROFS', '/a', windows) ?? '', /^forbidden: "\/a" is on a file system that is only read/)
})

test('a name that the system refuses is told, the one of a long path that is wrong', () => {
  const making = { ...windows, isMaking: true }
  const said = (name: string) => new RegExp(`^invalid_input: "${name}" is no name that this file system takes`)
  assert.match(told('ENOENT', 'Z:\\a\\what?\\b.xml', making) ?? '', said('what\\?'))
  assert.match(told('EINVAL', 'Z:\\a\\b|.xml', making) ?? '', said('b\\|\\.xml'))
  assert.match(told('ENOENT', 'Z:\\a.\\b.xml', making) ?? '', said('a\\.'))
  assert.match(told('ENOENT', `Z:\\${'x'.repeat(256)}\\b.xml`, making) ?? '', said('x{80}…'))
  assert.match(told('ENOENT', 'Z:\\a\\b.xml', making) ?? '', said('b\\.xml'))
  // A file system of Windows that is mounted elsewhere.
  assert.match(told('EINVAL', '/mnt/a*b', { ...linux, isMaking: true }) ?? '', said('a\\*b'))
  const long = 'x'.repeat(300)
  for (const system of [linux, windows])
    assert.equal(
      told('ENAMETOOLONG', `/a/${long}/b`, system),
      `invalid_input: "${'x'.repeat(80)}…" is too long for the name of a file, or its path is.`,
    )
})

test('what is in the way is told where something is made; what is not there is told by who looks for it', () => {
  for (const code of ['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY']) {
    assert.match(told(code, '/a', { isMaking: true }) ?? '', /^conflict: A file or folder is in the way of "\/a"/)
    assert.equal(told(code, '/a'), undefined)
  }
  assert.equal(told('ENOENT', '/a', { ...linux, isMaking: true }), undefined)
  assert.equal(told('ENOENT', '/a', windows), undefined)
  assert.equal(told('EIO', '/a'), undefined)
  assert.equal(fileProblem(new Error('x'), '/a'), undefined)
})
