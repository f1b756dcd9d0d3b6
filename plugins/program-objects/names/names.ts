/** Names of objects of a PLC program. */
import { dotSegmentFault, problem } from '../../../core/index.ts'

/** Longest name of an object of a PLC program in TIA Portal. */
const maxName = 125

/**
 * What is wrong with the name of a block, type, tag or table, or undefined. It must fit between double quotes on one
 * line.
 */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  if (name !== name.trim()) return 'must not begin or end with a blank'
  if (name.length > maxName) return `has ${name.length} characters; at most ${maxName} are allowed`
  if (/\p{Surrogate}/u.test(name)) return 'has half of a surrogate pair, which is not a character'
  const dots = dotSegmentFault(name)
  if (dots !== undefined) return dots
  const bad = /["\p{Cc}]/u.exec(name)?.[0]
  return bad === undefined ? undefined : `must not contain ${JSON.stringify(bad)}`
}

/** @throws GatewayError `invalid_input` */
export function requireName(name: string, field: string, what: string): void {
  const fault = nameFault(name)
  if (fault === undefined) return
  const noun = /^([aeio]|HMI)/i.test(what) ? `an ${what}` : `a ${what}`
  throw problem('invalid_input', `${field}: ${JSON.stringify(name)} cannot be the name of ${noun}: it ${fault}.`, {
    errors: [{ path: field, message: fault, value: name }],
  })
}
