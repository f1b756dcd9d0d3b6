/**
 * Who may do what with a protected controller. A right password holds for the API key that presented it, for one
 * controller: until the controller is switched off, has other passwords, the device goes offline, or it is not used for
 * 30 minutes. It is kept in memory alone.
 */
import type { Actor } from '../../core/index.ts'
import { steadyNow } from '../../lib/steady-clock.ts'
import {
  type Controller,
  type CpuAccessLevel,
  checkPassword,
  checkSecret,
  includesLevel,
  isStillValid,
  type Legitimation,
  protectionOf,
} from '../simulation/index.ts'
import { cpuRights, levelTitles, type ProtectedOperation } from './access-matrix.ts'
import { problem } from './problems.ts'

/** Time without use after which a password must be presented again, ms. */
const idleMs = 30 * 60_000

interface Held {
  readonly legitimation?: Legitimation
  /** The master secret that was presented, by its hash. */
  readonly masterSecret?: string
  usedAt: number
}
/** By the name of the API key. */
const heldBy = new WeakMap<Controller, Map<string, Held>>()

/** The name of a key, without the client program behind it. */
const keyNameOf = ({ name }: Actor) => name.split('/')[0] ?? name

function heldOf(controller: Controller): Map<string, Held> {
  let held = heldBy.get(controller)
  if (!held) {
    const own = new Map<string, Held>()
    controller.events.on('state', (state) => {
      if (state === 'Off') own.clear()
    })
    heldBy.set(controller, own)
    held = own
  }
  return held
}

function currentOf(actor: Actor, controller: Controller): Held | undefined {
  const held = heldBy.get(controller)?.get(keyNameOf(actor))
  return held && steadyNow() - held.usedAt < idleMs ? held : undefined
}

function keep(actor: Actor, controller: Controller, more: Partial<Held>): void {
  heldOf(controller).set(keyNameOf(actor), { ...currentOf(actor, controller), ...more, usedAt: steadyNow() })
}

/** What a caller presents. */
export interface Credentials {
  readonly password?: string | undefined
  /** Of a UMAC user that the controller knows. */
  readonly userName?: string | undefined
  readonly masterSecret?: string | undefined
}

/**
 * Checks what a caller presents; what is right holds from now on. A controller without protection needs nothing and
 * checks nothing.
 * @throws GatewayError `wrong_cpu_password` after a delay, `too_many_requests`, `invalid_input`
 */
export async function present(
  actor: Actor,
  controller: Controller,
  { password, userName, masterSecret }: Credentials,
): Promise<void> {
  if (userName !== undefined && password === undefined)
    throw problem('invalid_input', '/password: is missing; userName needs one.', {
      errors: [{ path: '/password', message: 'is missing' }],
    })
  const protection = protectionOf(controller)
  if (!protection) return
  const wrong = (what: string) =>
    problem('wrong_cpu_password', `The ${what} is wrong for instance "${controller.options.name}".`)
  if (password !== undefined) {
    const legitimation = await checkPassword(controller, password, `key "${actor.name}"`, userName)
    if (!legitimation) throw wrong('password')
    keep(actor, controller, { legitimation })
  }
  const own = protection.masterSecret
  if (masterSecret !== undefined && own !== undefined) {
    const candidates = [{ level: 'full', hash: own }] as const
    const what = `master secret was presented by key "${actor.name}"`
    if (!(await checkSecret(controller, masterSecret, candidates, what))) throw wrong('master secret')
    keep(actor, controller, { masterSecret: own })
  }
}

/** Whether a caller has presented the master secret of the controller. */
export function knowsMasterSecret(actor: Actor, controller: Controller): boolean {
  const own = protectionOf(controller)?.masterSecret
  return own !== undefined && currentOf(actor, controller)?.masterSecret === own
}

/** The access level that a caller has now. */
function levelOf(actor: Actor, controller: Controller): CpuAccessLevel {
  const open = protectionOf(controller)?.accessLevel ?? 'full'
  const held = currentOf(actor, controller)
  if (!held?.legitimation || !isStillValid(controller, held.legitimation)) return open
  held.usedAt = steadyNow()
  return includesLevel(open, held.legitimation.level) ? open : held.legitimation.level
}

/**
 * Allows an operation on a controller, or not.
 * @throws GatewayError `cpu_access_denied`
 */
export function requireAccess(actor: Actor, controller: Controller, operation: ProtectedOperation): void {
  const needed = cpuRights[operation]
  const granted = levelOf(actor, controller)
  if (includesLevel(granted, needed)) return
  const { passwords = {}, users = [] } = protectionOf(controller) ?? {}
  throw problem(
    'cpu_access_denied',
    `Operation ${operation} needs "${levelTitles[needed]}" of the CPU of instance "${controller.options.name}"; this key has "${levelTitles[granted]}".`,
    {
      suggestion: 'Send password, or go online with it first: POST /api/devices/{deviceName}/online { "password": … }',
      extra: { needed, granted, passwords: Object.keys(passwords), hasUsers: users.length > 0 },
    },
  )
}

/** Ends what was presented to a controller: the device goes offline. */
export function forgetLegitimations(controller: Controller): void {
  heldBy.get(controller)?.clear()
}
