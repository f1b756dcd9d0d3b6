/** The access list of a data directory on Windows: what is asked of its programs, and what is told when they fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePrivateOnWindows } from './private-folder.ts'

const profile = 'C:\\Users\\anna'

test('a folder outside of the profile is given to its user, administrators and the system alone', async () => {
  const calls: (readonly string[])[] = []
  const run = async (program: string, args: readonly string[]) => {
    calls.push([program, ...args])
    return program === 'whoami' ? '"plant\\anna","S-1-5-21-7-8-9-1001"\r\n' : ''
  }
  for (const folder of ['D:\\gantry', 'C:\\Users\\anna2', 'C:\\Users', '\\\\server\\share\\gantry']) {
    calls.length = 0
    assert.equal(await makePrivateOnWindows(folder, profile, run), undefined)
    const grants = ['S-1-5-21-7-8-9-1001', 'S-1-5-18', 'S-1-5-32-544'].flatMap((sid) => [
      '/grant:r',
      `*${sid}:(OI)(CI)F`,
    ])
    assert.deepEqual(calls, [
      ['whoami', '/user', '/fo', 'csv', '/nh'],
      ['icacls', folder, '/inheritance:r', ...grants],
    ])
  }
})

test('a folder in the profile is private by what it inherits, in any spelling', async () => {
  const run = () => Promise.reject(new Error('nothing is run'))
  for (const folder of ['C:\\Users\\anna\\AppData\\Local\\Gantry', 'c:\\users\\ANNA\\x', 'C:/Users/anna/y'])
    assert.equal(await makePrivateOnWindows(folder, profile, run), undefined)
})

test('what cannot be done is told, and is no error', async () => {
  const absent = await makePrivateOnWindows('D:\\gantry', profile, () =>
    Promise.reject(new Error('spawn whoami ENOENT')),
  )
  assert.match(absent!, /other users of this machine may read the data directory D:\\gantry.*\(spawn whoami ENOENT\)/)
  const nobody = await makePrivateOnWindows('D:\\gantry', profile, async () => '')
  assert.match(nobody!, /whoami names no user/)
})
