/** PUT and GET of another instance need the permission of the partner, as those of S7 clients do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeController, hex } from '../../../test/s7.ts'
import { answerWithin } from './s7-jobs.ts'

/** A manifest with a protection, as downloads write it. */
function protectedBy(controller: FakeController, accessLevel: string, putGetAccess: boolean): FakeController {
  const security = { accessLevel, passwords: {}, putGetAccess, secureCommunication: false }
  const manifest = JSON.stringify({ security })
  Object.assign(controller.program ?? {}, { package: { hash: 'sha256:0', manifest } })
  return controller
}

test('PUT and GET are refused without the permission, and by a completely protected CPU', async () => {
  const flag = [{ pointer: hex('10 02 0001 0000 83 000000') }]
  const get = async (controller: FakeController) => (await answerWithin(controller, false, flag)).kind
  assert.equal(await get(new FakeController()), 'done')
  for (const [level, isPermitted, kind] of [
    ['full', true, 'done'],
    ['hmi', true, 'done'],
    ['none', true, 'failed'],
    ['full', false, 'failed'],
  ] as const)
    assert.equal(await get(protectedBy(new FakeController(), level, isPermitted)), kind, `${level} ${isPermitted}`)
  const closed = new FakeController()
  Object.assign(closed.options, { putGetAccess: false })
  assert.equal(await get(closed), 'failed')
})
