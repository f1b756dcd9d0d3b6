/** Rules for new passwords. They are checked before a call is accepted, because afterwards there is only a hash. */
import { type Fault, problem, verifySecret } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import type { PasswordPolicy } from './umac.ts'

const classes = [
  { name: 'upper case letters', pattern: /\p{Lu}/u },
  { name: 'lower case letters', pattern: /\p{Ll}/u },
  { name: 'digits', pattern: /\p{Nd}/u },
  { name: 'other characters', pattern: /[^\p{Lu}\p{Ll}\p{Nd}]/u },
] as const

/** Longest password, characters. */
export const longestPassword = 120
/** What can be typed at the display of a CPU. */
export const displayPasswordPattern = '^[A-Z0-9]{1,8}$'

/** What a policy has against a password; the password itself is in no message. */
export function policyFaults(password: string, policy: PasswordPolicy, path: string): Fault[] {
  const faults: Fault[] = []
  const length = [...password].length
  const { minimumLength, characterClasses } = policy
  if (length < minimumLength)
    faults.push({
      path,
      code: 'password-policy',
      message: `has ${counted(length, 'character')}; at least ${minimumLength} are needed`,
    })
  const found = classes.filter(({ pattern }) => pattern.test(password))
  if (found.length < characterClasses) {
    const names = found.map(({ name }) => name).join(', ') || 'none'
    const all = classes.map(({ name }) => name).join(', ')
    const message = `has characters of ${counted(found.length, 'class', 'classes')} (${names}); ${characterClasses} of ${all} ${characterClasses === 1 ? 'is' : 'are'} needed`
    faults.push({ path, code: 'password-policy', message })
  }
  return faults
}

/** The index of the first hash that a password fits; -1: none. */
export async function indexOfMatch(password: string, hashes: readonly string[]): Promise<number> {
  for (const [i, hash] of hashes.entries()) if (await verifySecret(password, hash)) return i
  return -1
}

/** @throws GatewayError `unacceptable_content` with all faults */
export function requireNoFaults(faults: readonly Fault[]): void {
  const [first] = faults
  if (!first) return
  throw problem('unacceptable_content', `${first.path}: the password ${first.message}.`, { errors: faults })
}
