/** Guards deleting and renaming: finds the users of a name and gives them a new one. */
import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import type { Use } from '../../../plc/uses/use.ts'
import type { NewName } from '../../../plc/uses/whole-names.ts'
import type { Device } from '../../devices/index.ts'
import { documentOf } from '../documents/documents.ts'
import { type ProgramObject, programContributor } from './contributor.ts'
import { type Program, programOf, type Reference, usesWork } from './program.ts'
import { placeText } from './references.ts'

/** An object that uses a name. */
export interface User {
  readonly name: string
  /** `FB 12 (SCL)`, `PLC data type`, `Tag table` … */
  readonly typeName: string
  readonly path: string
  /** `Network 3, line 5`; at most ten. */
  readonly places: string[]
  /** Number of places. */
  readonly count: number
}

/** Number of places of one user in an answer. */
export const mostPlaces = 10
const mostNamed = 5

/** The users of any of the names, except the objects that are deleted with them. */
export async function usersOf(
  ctx: CommandContext,
  device: Device,
  names: readonly string[],
  leaving: readonly Pick<ProgramObject, 'category' | 'name'>[] = [],
): Promise<User[]> {
  const program = await programOf(ctx, device)
  const gone = new Set(leaving.map(({ category, name }) => `${category} ${name.toLowerCase()}`))
  const byUser = new Map<ProgramObject, string[]>()
  for (const name of names)
    for (const { user, use, byAddress } of program.usersOf(name)) {
      // An address exists without its tag; the address of a data block does not.
      if (byAddress && program.symbol(name)?.kind !== 'block') continue
      // A row of a watch table then shows an unknown name, as in TIA Portal.
      if (user.category === 'watch-table') continue
      if (gone.has(`${user.category} ${user.name.toLowerCase()}`)) continue
      const places = byUser.get(user) ?? []
      places.push(placeText(use.place))
      byUser.set(user, places)
    }
  return [...byUser].map(([{ name, typeName, path }, places]) => ({
    name,
    typeName,
    path,
    places: [...new Set(places)].slice(0, mostPlaces),
    count: places.length,
  }))
}

/**
 * Refuses to delete something that is used, unless `force` is set.
 * @param what for people: `Block "Motor"`
 * @param names the names that are deleted
 * @param options.force delete it although it is used
 * @param options.leaving objects that are deleted with it: their uses do not count
 * @returns the users for the answer, with `force`; else empty. Rows of watch and force tables do not count as users.
 * @throws GatewayError `conflict` naming the users
 */
export async function requireUnused(
  ctx: CommandContext,
  device: Device,
  what: string,
  names: readonly string[],
  options: {
    readonly force?: boolean | undefined
    readonly leaving?: readonly Pick<ProgramObject, 'category' | 'name'>[]
  } = {},
): Promise<User[]> {
  const users = await usersOf(ctx, device, names, options.leaving)
  if (options.force !== true) refuseUsed(what, users)
  return users
}

/** @throws GatewayError `conflict` naming the users, when there are any */
export function refuseUsed(what: string, users: readonly User[]): void {
  if (users.length === 0) return
  const shown = users.slice(0, mostNamed).map(({ name, typeName, places }) => `${typeName} "${name}" (${places[0]})`)
  const more = users.length > mostNamed ? ` and ${users.length - mostNamed} more` : ''
  throw problem('conflict', `${what} is used by ${shown.join(', ')}${more}.`, {
    suggestion: 'Change the users first, or send force: true to delete it all the same.',
    errors: users.map(
      ({ name, typeName, path, places, count }): Fault => ({
        path,
        message: `${typeName} "${name}" uses it ${count === 1 ? 'once' : `${count} times`}: ${places.join('; ')}`,
        value: name,
      }),
    ),
  })
}

/**
 * Writes a new name into every object that uses the old one: networks, interfaces, instance data blocks, tags and rows
 * of watch tables. Call it before the object itself is renamed, with a name that is free. The object's own text changes
 * too (a function assigns its result), but not its own name.
 *
 * @returns the changed objects
 * @throws GatewayError `conflict` when a use cannot be replaced; the command then does nothing
 */
export async function renameUsers(ctx: CommandContext, device: Device, from: string, to: string): Promise<User[]> {
  const program = await programOf(ctx, device)
  const references = program.usersOf(from)
  const namespace = program.namespaceOf(from)
  const names: NewName[] = [{ from, to }]
  if (namespace !== '') names.push({ from: `${namespace}.${from}`, to: `${namespace}.${to}` })
  const updated: User[] = []
  for (const part of ctx.extensions(programContributor)) {
    for (const object of part.objects(ctx, device)) {
      if (object.stored !== undefined && part.replaceText !== undefined) {
        const text = await renamedText(ctx, object, names)
        if (text === undefined) continue
        await part.replaceText(ctx, device, object, text)
        updated.push(userOf(object, references))
      } else if (part.renameType !== undefined && usesType(program, object, from)) {
        await part.renameType(ctx, device, object, names)
        updated.push(userOf(object, references))
      }
    }
  }
  return updated
}

function usesType(program: Program, object: ProgramObject, name: string): boolean {
  return program
    .usersOf(name)
    .some(({ user, access }) => access !== 'Read' && user.category === object.category && user.name === object.name)
}

function userOf({ category, name, typeName, path }: ProgramObject, references: readonly Reference[]): User {
  const places = references
    .filter(({ user, byAddress }) => !byAddress && user.category === category && user.name === name)
    .map(({ use }) => placeText(use.place))
  return { name, typeName, path, places: [...new Set(places)].slice(0, mostPlaces), count: places.length }
}

/** The text of an object with the new names; undefined when it does not contain the old ones. */
async function renamedText(
  ctx: CommandContext,
  object: ProgramObject,
  names: readonly NewName[],
): Promise<string | undefined> {
  const { stored } = object
  if (stored === undefined) return undefined
  const text = await ctx.blobs.text(stored.document)
  let renamed = text
  for (const { from, to } of names) {
    // Most texts do not contain the name in any form.
    if (!mayHold(renamed, from)) continue
    const document = { ...(await documentOf(ctx, stored)), text: renamed }
    const result = await usesWork(ctx, 'renameIn', { document, from, to }, stored.size)
    requireAllRenamed(object, from, result.remaining)
    renamed = result.text
  }
  return renamed === text ? undefined : renamed
}

/** @throws GatewayError `conflict` naming the uses that could not be replaced */
function requireAllRenamed({ typeName, name }: ProgramObject, from: string, remaining: readonly Use[]): void {
  const [first] = remaining
  if (first !== undefined)
    throw problem(
      'conflict',
      `"${from}" cannot be renamed: ${typeName} "${name}" uses it in a form that cannot be replaced (${placeText(first.place)}: ${first.text}).`,
      { errors: remaining.map(({ place, text: value }): Fault => ({ message: placeText(place), value })) },
    )
}

/** True when a text can contain a name, in any case. */
export function mayHold(text: string, name: string): boolean {
  const lower = text.toLowerCase()
  const wanted = name.toLowerCase()
  if (lower.includes(wanted)) return true
  // XML may write any character as an entity.
  return text.startsWith('<') && /[^A-Za-z0-9_ ]/.test(name)
}
