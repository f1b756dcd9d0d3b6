/** Who has presented what to a controller, for how long it holds, and what ends it. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { hashSecret } from '../../core/index.ts'
import { fails } from '../../test/fails.ts'
import { actor } from '../../test/harness.ts'
import type { Controller, ControllerProtection } from '../simulation/index.ts'
import { forgetLegitimations, knowsMasterSecret, present, requireAccess } from './legitimation.ts'

const minute = 60_000
const anna = actor('engineer', 'anna/Editor/1.0')
const sameKey = actor('engineer', 'anna/Other')
const ben = actor('engineer', 'ben')

/** A controller that was loaded with a protection, as far as it is asked about it. */
function controllerWith(protection: ControllerProtection | undefined) {
  const events = new EventEmitter()
  const load = (security: ControllerProtection | undefined) => ({
    package: { hash: '', manifest: JSON.stringify(defined(security)) },
  })
  const controller = { events, options: { name: 'Sim' }, note: () => undefined, program: load(protection) }
  return {
    controller: controller as unknown as Controller,
    reload(security: ControllerProtection) {
      controller.program = load(security)
    },
    turnOff: () => void events.emit('state', 'Off'),
    stop: () => void events.emit('state', 'Stop'),
  }
}
const defined = (security: ControllerProtection | undefined) => (security === undefined ? {} : { security })

test('a password holds for its key for 30 minutes after its last use; what ends it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const [full, read, master, own] = await Promise.all(['full', 'read', 'master', 'own'].map(hashSecret))
  const protection: ControllerProtection = {
    ...{ accessLevel: 'none', passwords: { full: full!, read: read! }, masterSecret: master! },
    ...{ putGetAccess: false, secureCommunication: false, users: [{ name: 'Zoe', password: own!, level: 'hmi' }] },
  }
  const { controller, reload, turnOff, stop } = controllerWith(protection)
  const may = (who: typeof anna, operation: Parameters<typeof requireAccess>[2]) => {
    try {
      requireAccess(who, controller, operation)
      return true
    } catch {
      return false
    }
  }
  const rights = (who: typeof anna) =>
    (['online.get-status', 'online.connect', 'online.compare', 'online.download'] as const).map((one) => may(who, one))
  assert.deepEqual(rights(anna), [true, false, false, false])
  const denied = await fails(
    (async () => requireAccess(anna, controller, 'online.compare'))(),
    'cpu_access_denied',
    /^Operation online\.compare needs "Read access" of the CPU of instance "Sim"; this key has "No access/,
  )
  assert.deepEqual(denied.details.extra, {
    ...{ needed: 'read', granted: 'none', passwords: ['full', 'read'], hasUsers: true },
  })

  await present(anna, controller, { password: 'read' })
  assert.deepEqual(
    [rights(anna), rights(sameKey), rights(ben)],
    [
      [true, true, true, false],
      [true, true, true, false],
      [true, false, false, false],
    ],
  )
  // Each use counts; without one it is over.
  for (let i = 0; i < 3; i++) {
    // The time that this test takes counts too.
    t.mock.timers.tick(20 * minute)
    assert.equal(may(anna, 'online.compare'), true)
  }
  t.mock.timers.tick(30 * minute)
  assert.equal(may(anna, 'online.compare'), false)

  // The secret of the configuration is no password, and both hold beside each other.
  await present(anna, controller, { masterSecret: 'master' })
  assert.deepEqual([knowsMasterSecret(anna, controller), knowsMasterSecret(ben, controller)], [true, false])
  assert.equal(may(anna, 'online.connect'), false)
  await present(anna, controller, { password: 'own', userName: 'ZOE' })
  assert.deepEqual(rights(anna), [true, true, false, false])
  await present(anna, controller, { password: 'full' })
  assert.deepEqual([rights(anna), knowsMasterSecret(anna, controller)], [[true, true, true, true], true])

  stop()
  assert.equal(may(anna, 'online.download'), true)
  turnOff()
  assert.deepEqual([rights(anna), knowsMasterSecret(anna, controller)], [[true, false, false, false], false])
  await present(anna, controller, { password: 'full', masterSecret: 'master' })
  forgetLegitimations(controller)
  assert.deepEqual([rights(anna), knowsMasterSecret(anna, controller)], [[true, false, false, false], false])
  await present(anna, controller, { password: 'full', masterSecret: 'master' })
  reload({ ...protection, passwords: { full: read! } })
  assert.deepEqual([rights(anna), knowsMasterSecret(anna, controller)], [[true, false, false, false], true])
  // What the CPU gives without a password is not less with one.
  reload({ ...protection, accessLevel: 'read' })
  await present(anna, controller, { password: 'own', userName: 'zoe' })
  assert.deepEqual(rights(anna), [true, true, true, false])

  await fails(present(anna, controller, { userName: 'zoe' }), 'invalid_input', /^\/password: is missing; userName/)
  // The answer to a wrong one is delayed, by a timer that keeps no process alive.
  const alive = setInterval(() => undefined, minute)
  t.after(() => clearInterval(alive))
  const wrong = present(anna, controller, { password: 'master' })
  await fails(wrong, 'wrong_cpu_password', /^The password is wrong for instance "Sim"\.$/)
  await present(anna, controller, { password: 'read' })
  await fails(present(anna, controller, { masterSecret: 'full' }), 'wrong_cpu_password', /^The master secret is wrong/)
})

test('a controller without a protection asks nobody and checks nothing', async () => {
  const { controller } = controllerWith(undefined)
  await present(anna, controller, { password: 'any', userName: 'any', masterSecret: 'any' })
  requireAccess(anna, controller, 'online.download')
  assert.equal(knowsMasterSecret(anna, controller), false)
  await fails(present(anna, controller, { userName: 'zoe' }), 'invalid_input')
  forgetLegitimations(controller)
})
