/**
 * Protection of a controller, as a download put it on its memory card: what may be done without a password, and with
 * which one (docs/plc-semantics.md#protection).
 */
import { isObject } from '../../../core/index.ts'
import type { Controller } from './contract.ts'

/** Access levels of a CPU, from all to nothing; each includes those behind it. */
export const cpuAccessLevels = ['full', 'read', 'hmi', 'none'] as const
export type CpuAccessLevel = (typeof cpuAccessLevels)[number]
/** Levels that a password gives. */
export const passwordLevels = ['full', 'read', 'hmi'] as const
export type PasswordLevel = (typeof passwordLevels)[number]

/** A user of the CPU. */
export interface CpuUser {
  readonly name: string
  /** `scrypt:…` */
  readonly password: string
  readonly level: PasswordLevel
}

/** What a download sends to a controller. Passwords are scrypt hashes. */
export interface ControllerProtection {
  /** Without a password. */
  readonly accessLevel: CpuAccessLevel
  readonly passwords: Readonly<Partial<Record<PasswordLevel, string>>>
  readonly displayPassword?: string
  /** Protects confidential configuration data: another secret refuses a download. */
  readonly masterSecret?: string
  /** "Permit access with PUT/GET communication from remote partner". */
  readonly putGetAccess: boolean
  /** "Only allow secure PG/PC and HMI communication". */
  readonly secureCommunication: boolean
  readonly users?: readonly CpuUser[]
}

/** Whether a level includes another one. */
export function includesLevel(level: CpuAccessLevel, needed: CpuAccessLevel): boolean {
  return cpuAccessLevels.indexOf(level) <= cpuAccessLevels.indexOf(needed)
}

const isText = (value: unknown) => typeof value === 'string'
const isHash = (value: unknown) => isText(value) && /^scrypt:[\w-]{22}:[\w-]{43}$/.test(value as string)

/** Whether a value is a protection as downloads write it. */
export function isProtection(value: unknown): value is ControllerProtection {
  if (!isObject(value) || !isObject(value.passwords)) return false
  const { accessLevel, passwords, displayPassword, masterSecret, putGetAccess, secureCommunication, users } = value
  const given = Object.entries(passwords)
  return (
    (cpuAccessLevels as readonly unknown[]).includes(accessLevel) &&
    given.every(([level, hash]) => (passwordLevels as readonly string[]).includes(level) && isHash(hash)) &&
    (displayPassword === undefined || isHash(displayPassword)) &&
    (masterSecret === undefined || isHash(masterSecret)) &&
    typeof putGetAccess === 'boolean' &&
    typeof secureCommunication === 'boolean' &&
    (users === undefined || (Array.isArray(users) && users.every(isUser)))
  )
}

function isUser(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.name) &&
    isHash(value.password) &&
    (passwordLevels as readonly unknown[]).includes(value.level)
  )
}

/** By the loaded package: its manifest is read once. */
const known = new WeakMap<object, ControllerProtection | null>()

/** The protection of the loaded program; `undefined`: its download set none. */
export function protectionOf({ program }: Pick<Controller, 'program'>): ControllerProtection | undefined {
  const loaded = program?.package
  if (!loaded) return undefined
  let protection = known.get(loaded)
  if (protection === undefined) {
    protection = readProtection(loaded.manifest)
    known.set(loaded, protection)
  }
  return protection ?? undefined
}

function readProtection(manifest: string): ControllerProtection | null {
  try {
    const { security } = JSON.parse(manifest) as { security?: unknown }
    return isProtection(security) ? security : null
  } catch {
    // A program that no download loaded.
    return null
  }
}

/** The level without a password; without a downloaded protection, that of the option `protectionLevel`. */
export function openLevelOf(controller: Pick<Controller, 'program' | 'options'>): CpuAccessLevel {
  const protection = protectionOf(controller)
  if (protection) return protection.accessLevel
  const { protectionLevel = 1 } = controller.options
  return protectionLevel === 1 ? 'full' : protectionLevel === 2 ? 'read' : 'hmi'
}

/**
 * Whether the server functions of PUT/GET are permitted: by the option of the instance and by what was downloaded. With
 * "no access" they are not (S7-1500 system manual, protection).
 */
export function permitsPutGet(controller: Pick<Controller, 'program' | 'options'>, level: CpuAccessLevel): boolean {
  const isPermitted = protectionOf(controller)?.putGetAccess !== false && controller.options.putGetAccess !== false
  return isPermitted && includesLevel(level, 'hmi')
}
