/**
 * Checks passwords that are presented to a controller, one after the other. After a wrong one its answer, and all that
 * wait behind it, are delayed; each further one in a row doubles the delay.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { problem, verifySecret } from '../../../core/index.ts'
import type { Controller } from './contract.ts'
import { type PasswordLevel, passwordLevels, protectionOf } from './protection.ts'

/** Delay of the first wrong password, and the longest, ms. */
const delays = { first: 250, longest: 8000 } as const

/** By how much the answer to a wrong password is delayed, ms. @param before wrong ones in a row before it */
export const delayOf = (before: number): number => Math.min(delays.first * 2 ** before, delays.longest)

/** Passwords that may wait for one controller. */
const mostWaiting = 8

interface Attempts {
  wrongInARow: number
  waiting: number
  last: Promise<unknown>
}
const attempts = new WeakMap<Controller, Attempts>()

/** A right password. */
export interface Legitimation {
  readonly level: PasswordLevel
  /** The hash that it fits: when the controller has it no more, the legitimation is over. */
  readonly hash: string
}

/**
 * The level that a password gives. A wrong one is entered in the diagnostics buffer.
 *
 * @param from who presents it, for the diagnostics buffer
 * @param userName of a user of the CPU; absent: a password of an access level
 * @returns `undefined`: it is wrong
 * @throws GatewayError `too_many_requests`
 */
export function checkPassword(
  controller: Controller,
  password: string,
  from: string,
  userName?: string,
): Promise<Legitimation | undefined> {
  const as = userName === undefined ? '' : ` for user "${userName.slice(0, 100)}"`
  return checkSecret(controller, password, candidatesOf(controller, userName), `password${as} was presented by ${from}`)
}

/**
 * As {@link checkPassword}, against the hashes that are given.
 * @param what for the diagnostics buffer, behind "A wrong"
 */
export async function checkSecret(
  controller: Controller,
  secret: string,
  candidates: readonly Legitimation[],
  what: string,
): Promise<Legitimation | undefined> {
  const own = attempts.get(controller) ?? { wrongInARow: 0, waiting: 0, last: Promise.resolve() }
  attempts.set(controller, own)
  if (own.waiting >= mostWaiting)
    throw problem('too_many_requests', `Too many passwords for "${controller.options.name}" wait to be checked.`, {
      extra: { retryAfterSeconds: Math.ceil(delays.longest / 1000) },
    })
  own.waiting++
  const check = own.last.then(() => checkOne(controller, own, secret, candidates, what)).finally(() => own.waiting--)
  own.last = check.catch(() => undefined)
  return check
}

async function checkOne(
  controller: Controller,
  own: Attempts,
  secret: string,
  candidates: readonly Legitimation[],
  what: string,
): Promise<Legitimation | undefined> {
  for (const candidate of candidates) {
    if (!(await verifySecret(secret, candidate.hash))) continue
    own.wrongInARow = 0
    return candidate
  }
  controller.note('warning', 'password-wrong', `A wrong ${what}.`)
  await sleep(delayOf(own.wrongInARow++), undefined, { ref: false })
  return undefined
}

function candidatesOf(controller: Controller, userName: string | undefined): Legitimation[] {
  const { passwords = {}, users = [] } = protectionOf(controller) ?? {}
  if (userName === undefined)
    return passwordLevels.flatMap((level) => {
      const hash = passwords[level]
      return hash === undefined ? [] : [{ level, hash }]
    })
  const wanted = userName.toLowerCase()
  return users.flatMap(({ name, password, level }) =>
    name.toLowerCase() === wanted ? [{ level, hash: password }] : [],
  )
}

/** Whether the controller still has the password of a legitimation. */
export function isStillValid(controller: Controller, { level, hash }: Legitimation): boolean {
  const { passwords, users = [] } = protectionOf(controller) ?? {}
  return passwords?.[level] === hash || users.some((user) => user.password === hash && user.level === level)
}
