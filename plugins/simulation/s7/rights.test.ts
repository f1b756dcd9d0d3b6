/** What an S7 client may do: by the open level, and by the session password of its connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '../../../core/index.ts'
import { FakeController } from '../../../test/s7.ts'
import { delayOf } from '../controller/password-check.ts'
import { userDataError } from './codes.ts'
import { type S7Function, S7Session, s7Rights } from './rights.ts'

const hashes = { full: await hashSecret('ALL'), read: await hashSecret('READER'), hmi: await hashSecret('longer77') }

/** A controller whose download set a protection. */
function protectedBy(accessLevel: string, passwords: object): FakeController {
  const controller = new FakeController()
  const security = { accessLevel, passwords, putGetAccess: true, secureCommunication: false }
  Object.assign(controller.program ?? {}, { package: { hash: 'sha256:0', manifest: JSON.stringify({ security }) } })
  return controller
}

/** As clients scramble a password: eight bytes with blanks, each with 16#55 and the scrambled byte two before it. */
function scrambled(password: string): Buffer {
  const bytes = Buffer.from(password.padEnd(8), 'latin1')
  for (const [i, byte] of bytes.entries()) bytes[i] = byte ^ 0x55 ^ (i < 2 ? 0 : (bytes[i - 2] ?? 0))
  return bytes
}
const functions = Object.keys(s7Rights) as S7Function[]
const refusedTo = (session: S7Session) => functions.filter((what) => !session.may(what))

test('a password raises the rights of its connection until it is cleared, or another program comes', async () => {
  const controller = protectedBy('none', hashes)
  const notes: string[] = []
  controller.note = (...parts: string[]) => notes.push(parts.join(' '))
  const session = new S7Session(controller, '10.0.0.9')
  assert.deepEqual([session.level, refusedTo(session).length], ['none', functions.length - 1])
  assert.equal(session.clear(), userDataError.noPasswordToClear)
  assert.equal(await session.present(scrambled('READER')), 0)
  assert.equal(session.level, 'read')
  assert.deepEqual(refusedTo(session), ['PLC control, PLC stop', 'Set the clock'])
  assert.equal(await session.present(scrambled('longer77')), 0, 'all eight bytes')
  assert.deepEqual(refusedTo(session), [
    'List of blocks and their attributes',
    'PLC control, PLC stop',
    'Set the clock',
  ])
  assert.equal(await session.present(scrambled('ALL')), 0)
  assert.deepEqual([session.level, refusedTo(session)], ['full', []])
  assert.equal(new S7Session(controller, 'other').level, 'none', 'of this connection alone')
  assert.equal(session.clear(), 0)
  assert.deepEqual([session.level, session.clear()], ['none', userDataError.noPasswordToClear])
  await session.present(scrambled('ALL'))
  Object.assign(controller.program ?? {}, { package: protectedBy('hmi', { read: hashes.read }).program?.package })
  assert.equal(session.level, 'hmi', 'the new program does not have it')
  assert.deepEqual(notes, [])
})

test('a password never lowers the level, a wrong one is noted, and what is none is refused', async (t) => {
  // The delay of a wrong password keeps no process alive.
  const alive = setInterval(() => undefined, 1000)
  t.after(() => clearInterval(alive))
  const open = new S7Session(protectedBy('read', hashes), 'a')
  assert.equal(await open.present(scrambled('longer77')), 0)
  assert.equal(open.level, 'read')
  const controller = protectedBy('hmi', hashes)
  const notes: string[] = []
  controller.note = (...parts: string[]) => notes.push(parts.join(' '))
  const session = new S7Session(controller, '10.0.0.9')
  for (const length of [0, 7, 9]) assert.equal(await session.present(Buffer.alloc(length)), userDataError.invalidValue)
  assert.equal(await session.present(scrambled('all')), userDataError.wrongPassword)
  assert.equal(session.level, 'hmi')
  assert.deepEqual(notes, ['warning password-wrong A wrong password was presented by S7 client 10.0.0.9.'])
  assert.equal(await new S7Session(new FakeController(), 'a').present(scrambled('ALL')), userDataError.noPasswordToSet)
  assert.equal(
    await new S7Session(protectedBy('hmi', {}), 'a').present(scrambled('ALL')),
    userDataError.noPasswordToSet,
  )
})

test('each wrong password in a row doubles the delay of its answer, up to eight seconds', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 60].map(delayOf), [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000])
})

test('of passwords that come at once eight wait, and the others are refused', async () => {
  const session = new S7Session(protectedBy('none', hashes), 'a')
  const all = await Promise.all(Array.from({ length: 10 }, () => session.present(scrambled('ALL'))))
  assert.deepEqual(all, [...Array(8).fill(0), userDataError.wrongState, userDataError.wrongState])
})
