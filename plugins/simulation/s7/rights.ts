/**
 * What S7 clients may do: the access level that each function needs, and the rights of one connection, which a session
 * password raises (docs/plc-semantics.md#protection).
 */
import { isGatewayError } from '../../../core/index.ts'
import type { Controller } from '../controller/contract.ts'
import { checkPassword, isStillValid, type Legitimation } from '../controller/password-check.ts'
import { type CpuAccessLevel, includesLevel, openLevelOf, protectionOf } from '../controller/protection.ts'
import { userDataError } from './codes.ts'

/** The access level that a function of the port needs. `none`: it is always answered. */
export const s7Rights = {
  'Identification and status lists': 'none',
  'Diagnostics buffer (status list 16#A0)': 'hmi',
  'Read Var (GET)': 'hmi',
  'Write Var (PUT)': 'hmi',
  'Read the clock': 'hmi',
  'List of blocks and their attributes': 'read',
  'PLC control, PLC stop': 'full',
  'Set the clock': 'full',
} as const satisfies Record<string, CpuAccessLevel>
export type S7Function = keyof typeof s7Rights

/** Bytes of a session password on the wire. */
const passwordBytes = 8

/** The rights of one connection. */
export class S7Session {
  readonly #controller: Controller
  readonly #from: string
  #legitimation: Legitimation | undefined

  /** @param from address of the client, for the diagnostics buffer */
  constructor(controller: Controller, from: string) {
    this.#controller = controller
    this.#from = from
  }

  get level(): CpuAccessLevel {
    const open = openLevelOf(this.#controller)
    if (!this.#legitimation || !isStillValid(this.#controller, this.#legitimation)) return open
    return includesLevel(open, this.#legitimation.level) ? open : this.#legitimation.level
  }

  may(what: S7Function): boolean {
    return includesLevel(this.level, s7Rights[what])
  }

  /**
   * Takes a session password: eight bytes, filled with blanks and scrambled as clients do (each byte with 16#55 and
   * with the scrambled byte two before it). Longer passwords cannot be sent in this protocol.
   * @returns a code of {@link userDataError}; 0: it is right
   */
  async present(payload: Buffer): Promise<number> {
    const { passwords = {} } = protectionOf(this.#controller) ?? {}
    if (Object.keys(passwords).length === 0) return userDataError.noPasswordToSet
    if (payload.length !== passwordBytes) return userDataError.invalidValue
    const plain = payload.map((byte, i) => byte ^ 0x55 ^ (i < 2 ? 0 : payload[i - 2]!))
    const password = Buffer.from(plain).toString('latin1').trimEnd()
    try {
      this.#legitimation = await checkPassword(this.#controller, password, `S7 client ${this.#from}`)
    } catch (cause) {
      if (!isGatewayError(cause)) throw cause
      return userDataError.wrongState
    }
    return this.#legitimation ? userDataError.none : userDataError.wrongPassword
  }

  /** Forgets the password. @returns a code of {@link userDataError} */
  clear(): number {
    if (!this.#legitimation) return userDataError.noPasswordToClear
    this.#legitimation = undefined
    return userDataError.none
  }
}
