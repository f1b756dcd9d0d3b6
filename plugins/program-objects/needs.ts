/** Types of declarations that do not exist. */

import type { CommandContext } from '../../core/index.ts'
import type { Needs } from '../../plc/edit/import-order.ts'
import type { Device } from '../devices/index.ts'
import { findSymbol } from './names/symbols.ts'

/** Longest list of names in a message. */
const namedAtMost = 5

/** The name of an object and the types it needs. */
export interface Needing {
  readonly name: string
  readonly needs: Needs
}

/**
 * A warning for each type that is neither in the program nor one of the system, with the objects and members that have
 * it.
 */
export async function missingTypes(
  ctx: CommandContext,
  device: Device,
  objects: readonly Needing[],
): Promise<string[]> {
  const { isSystemTypeName } = await import('../../plc/program/system-types.ts')
  // A type in a namespace has its bare name in the program.
  const isThere = (type: string) =>
    (findSymbol(ctx, device, type) ?? findSymbol(ctx, device, type.replace(/^.*\./, ''))) !== undefined
  const missing = new Map<string, string[]>()
  const unknown = new Map<string, { readonly type: string; readonly users: string[] }>()
  for (const { name, needs } of objects) {
    for (const type of needs.types) {
      if (isThere(type)) continue
      const users = missing.get(type)
      if (users) users.push(`"${name}"`)
      else missing.set(type, [`"${name}"`])
    }
    for (const { type, member } of needs.plainTypes) {
      if (isSystemTypeName(type) || isThere(type)) continue
      const entry = unknown.get(type.toLowerCase())
      if (entry) entry.users.push(`"${name}" (${member})`)
      else unknown.set(type.toLowerCase(), { type, users: [`"${name}" (${member})`] })
    }
  }
  return [
    ...[...missing].map(([type, users]) => `"${type}" is not in the program; ${listed(users, 'need', 'needs')} it.`),
    ...[...unknown.values()].map(
      ({ type, users }) => `${type} is neither a data type nor in the program; ${listed(users, 'use', 'uses')} it.`,
    ),
  ]
}

function listed(users: readonly string[], many: string, one: string): string {
  const named = users.slice(0, namedAtMost)
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
  return `${named.join(', ')}${more} ${users.length > 1 ? many : one}`
}
