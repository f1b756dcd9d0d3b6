/** Guards renaming and deleting a member of a block's interface or of a PLC data type. */
import { type CommandContext, type Fault, problem } from '../../../core/index.ts'
import type { DeclaredObject } from '../../../plc/languages/ladder/declared-names.ts'
import type { MemberQuery, MemberTarget } from '../../../plc/uses/member-lookup.ts'
import type { MemberSite } from '../../../plc/uses/member-site.ts'
import type { Device } from '../../devices/index.ts'
import { editWork } from '../documents/declared.ts'
import { documentOf } from '../documents/documents.ts'
import { type ProgramObject, programContributor } from './contributor.ts'
import { mayHold, mostPlaces, refuseUsed, type User } from './guard.ts'
import { type Program, programOf } from './program.ts'
import { placeText } from './references.ts'

/** Bytes of documents in one task of the engine. */
const batchBytes = 1_000_000

type Place = Omit<MemberSite, 'edits'>

/** A member of a block or PLC data type, and the objects that can name it. */
export interface MemberScope {
  readonly query: MemberQuery
  /** Other objects whose text names the block, or something that is declared with it. */
  readonly others: readonly ProgramObject[]
}

/**
 * The objects to search for uses of a member of a block or PLC data type.
 * @param withCalls also those that do not contain its name: they may give it in a call by its position
 */
export async function memberScope(
  ctx: CommandContext,
  device: Device,
  target: MemberTarget,
  withCalls = false,
): Promise<MemberScope> {
  const program = await programOf(ctx, device)
  const { objects: declared, tags } = declaredWith(program, target.owner)
  const own = target.owner.toLowerCase()
  const users = new Set<ProgramObject>(declared.values())
  for (const name of [...declared.keys(), ...tags.map(({ name }) => name)])
    for (const { user } of program.usersOf(name)) users.add(user)
  const last = target.path.at(-1) as string
  const others: ProgramObject[] = []
  for (const object of users) {
    const isOwn = (object.category === 'block' || object.category === 'type') && object.name.toLowerCase() === own
    if (object.stored === undefined || isOwn) continue
    if (withCalls || mayHold(await ctx.blobs.text(object.stored.document), last)) others.push(object)
  }
  const numbers: Record<string, string> = {}
  for (const { category, name, stored } of program.objects)
    if (category === 'block' && stored?.number !== undefined)
      numbers[`${stored.kind.endsWith('DB') ? 'DB' : stored.kind} ${stored.number}`] = name
  const objects = [...(await interfacesOf(ctx, [...declared.values()])), ...tags]
  return { query: { target, objects, numbers }, others }
}

/**
 * The block or type, everything declared with it directly or indirectly, and tags of such types; by lower-case names.
 */
function declaredWith(program: Program, owner: string) {
  const found = new Map<string, ProgramObject>()
  const tags: DeclaredObject[] = []
  const first = program.object('block', owner) ?? program.object('type', owner)
  const pending = first === undefined ? [] : [first]
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    if (found.has(object.name.toLowerCase())) continue
    found.set(object.name.toLowerCase(), object)
    for (const { user, use, access } of program.usersOf(object.name)) {
      const { network, row } = use.place
      const isDeclaration = (access === 'Type' || access === 'Instance') && network === undefined && row === undefined
      if (isDeclaration && user.stored !== undefined) pending.push(user)
      // A tag has the members of its type.
      if (access === 'Type' && user.category === 'tag-table' && row !== undefined)
        tags.push({ name: row, kind: 'InstanceDB', instanceOf: object.name, interface: [] })
    }
  }
  return { objects: found, tags }
}

async function interfacesOf(ctx: CommandContext, objects: readonly ProgramObject[]): Promise<DeclaredObject[]> {
  const read: DeclaredObject[] = []
  for (const batch of batches(objects)) {
    const documents = await Promise.all(batch.map(({ stored }) => documentOf(ctx, stored!)))
    read.push(...(await editWork(ctx, 'readInterfaces', documents, sizeOf(batch))))
  }
  return read
}

function* batches(objects: readonly ProgramObject[]): Generator<readonly ProgramObject[]> {
  let batch: ProgramObject[] = []
  for (const object of objects) {
    batch.push(object)
    if (sizeOf(batch) < batchBytes) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function sizeOf(objects: readonly ProgramObject[]): number {
  return objects.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0)
}

/**
 * Refuses to delete a used member unless `force` is set. Copies of the interface, values of data blocks and rows of
 * watch tables are no uses.
 * @returns the users, with `force`, for the answer
 * @throws GatewayError `conflict` naming the users
 */
export async function requireUnusedMember(
  ctx: CommandContext,
  device: Device,
  block: { readonly name: string },
  path: readonly string[],
  force: boolean,
): Promise<User[]> {
  const { query, others } = await memberScope(ctx, device, { owner: block.name, path }, path.length === 1)
  const program = await programOf(ctx, device)
  const own = program.object('block', block.name)
  const objects = [...(own === undefined ? [] : [own]), ...others.filter(({ category }) => category !== 'watch-table')]
  const users: User[] = []
  for (const batch of batches(objects)) {
    const documents = await Promise.all(batch.map(({ stored }) => documentOf(ctx, stored!)))
    const found = await editWork(ctx, 'findMember', { documents, query }, sizeOf(batch))
    for (const [i, object] of batch.entries()) {
      const uses = (found[i] ?? []).filter(({ isDeclared }) => !isDeclared)
      if (uses.length > 0) users.push(memberUser(object, uses))
    }
  }
  if (!force) refuseUsed(`Member ${path.join('.')} of "${block.name}"`, users)
  return users
}

/**
 * Writes a member's new name into every other object that names it. Stores nothing when one cannot be changed.
 * @returns what was changed
 * @throws GatewayError `conflict` when a name has a form that cannot be replaced
 */
export async function renameMemberUsers(
  ctx: CommandContext,
  device: Device,
  { query, others }: MemberScope,
  newName: string,
): Promise<User[]> {
  const parts = ctx.extensions(programContributor)
  const changes: { readonly object: ProgramObject; readonly text: string; readonly sites: readonly Place[] }[] = []
  for (const object of others) {
    const document = await documentOf(ctx, object.stored!)
    const { text, sites } = await editWork(ctx, 'renameMemberIn', { document, query, newName }, object.stored!.size)
    requireReplaceable(query.target, object, sites)
    if (text !== document.text) changes.push({ object, text, sites })
  }
  for (const { object, text } of changes) {
    const part = parts.find(
      (candidate) =>
        candidate.replaceText !== undefined &&
        candidate
          .objects(ctx, device)
          .some(({ category, name }) => category === object.category && name === object.name),
    )
    await part?.replaceText?.(ctx, device, object, text)
  }
  return changes.map(({ object, sites }) => memberUser(object, sites))
}

/** @throws GatewayError `conflict` when a name has a form that cannot be replaced */
export function requireReplaceable(
  { owner, path }: MemberTarget,
  { name, typeName }: Pick<ProgramObject, 'name' | 'typeName'>,
  sites: readonly Place[],
): void {
  const remaining = sites.filter(({ canReplace }) => !canReplace)
  if (remaining.length === 0) return
  throw problem(
    'conflict',
    `Member ${path.join('.')} of "${owner}" cannot be renamed: ${typeName} "${name}" uses it in a form that cannot be replaced (${placeText(remaining[0]!.place)}).`,
    { errors: remaining.map(({ place }): Fault => ({ message: placeText(place), value: name })) },
  )
}

/** An object with the places where it names a member. */
export function memberUser(
  { name, typeName, path }: Pick<ProgramObject, 'name' | 'typeName' | 'path'>,
  sites: readonly Place[],
): User {
  const places = [...new Set(sites.map(({ place }) => placeText(place)))].slice(0, mostPlaces)
  return { name, typeName, path, places, count: sites.length }
}
