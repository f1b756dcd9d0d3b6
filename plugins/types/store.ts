/** Implementation of the operations on PLC data types. */

import { type CommandContext, defined, isObject, problem, type QueryContext } from '../../core/index.ts'
import type { MemberInput } from '../../plc/edit/input.ts'
import type { StoredDocument } from '../../plc/edit/stored-document.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import { readStatuses } from '../blocks/index.ts'
import { type Device, devices } from '../devices/index.ts'
import {
  type CollectionFiles,
  cultureOf,
  documentOf,
  editWork,
  headerOf,
  type ImportTarget,
  isSameOrigin,
  memberScope,
  plainText,
  readInterface,
  renameMemberUsers,
  requireFreeSymbol,
  requireName,
  requireStartValues,
  runExport,
  type StorableObject,
  type Stored,
  type StoreOptions,
  storeText,
  type User,
  work,
} from '../program-objects/index.ts'
import { requireProject, type SearchEntry } from '../projects/index.ts'
import {
  findType,
  type PlcType,
  requireTypeOf,
  typeChanged,
  typeCollection,
  typeCreated,
  typeDeleted,
  typesOf,
} from './type.ts'
import { typeView } from './views.ts'

/** A type in the form that functions for any object accept. */
function asObject(type: PlcType) {
  return { ...type, kind: 'UDT' as const }
}

/** A type with its members and text. */
export async function typeDetails(ctx: QueryContext, type: PlcType, culture?: string) {
  const shown = culture ?? cultureOf(ctx)
  const document = await documentOf(ctx, asObject(type), { culture: shown })
  const content = await work(ctx, 'readContent', document, type.size)
  return {
    ...typeView(type, (await readStatuses(ctx, type.deviceId, [type]))(type), shown),
    members: content.interface,
    ...defined({ sourceText: content.sourceText, rawXml: content.rawXml }),
  }
}

/** Stores types found by an import. */
export const typeTarget: Omit<ImportTarget, 'kinds'> = { store: storeType }

async function storeType(
  ctx: CommandContext,
  device: Device,
  object: StorableObject,
  options: StoreOptions,
): Promise<Stored> {
  const { name } = object
  requireName(name, '/name', 'PLC data type')
  const before = findType(ctx, device.id, name)
  if (!before) requireFreeSymbol(ctx, device, name, ['type'])
  else if (options.overwrite !== true) throw typeCollection.taken(before, device, { canOverwrite: true })
  const text = options.stored ?? (await storeText(ctx, object))
  const type: PlcType = {
    ...typeCollection.identityOf(ctx, device, name, options, before),
    ...headerOf(object),
    ...text,
  }
  const entity = typeCollection.entityOf(device, name)
  if (!before) {
    ctx.emit(typeCreated, { type }, entity)
    return { name, kind: 'UDT', action: 'created' }
  }
  const isPlaced = before.name === name && before.folder === type.folder && before.unit === type.unit
  if (before.document === type.document && isPlaced) {
    const { document, modifiedAt } = before
    if (type.origin !== undefined && !isSameOrigin(before.origin, type.origin))
      ctx.emit(typeChanged, { before: document, after: document, type: { ...type, modifiedAt } }, entity)
    return { name, kind: 'UDT', action: 'unchanged' }
  }
  ctx.emit(typeChanged, { before: before.document, after: type.document, type }, entity)
  return { name, kind: 'UDT', action: 'replaced' }
}

/** A request to create a type. */
export interface NewType {
  readonly name: string
  readonly members: readonly unknown[]
  readonly folder?: string | undefined
  readonly title?: string | undefined
  readonly comment?: string | undefined
  readonly version?: string | undefined
}

/** Creates a type from members. */
export async function createType(ctx: CommandContext, device: Device, input: NewType) {
  requireName(input.name, '/name', 'PLC data type')
  requireFreeSymbol(ctx, device, input.name)
  const sections = readInterface(requireMembers(input.members), '/members', 'None')
  const { sections: checked, warnings } = await checkedSections(ctx, device, input.name, sections)
  const spec = {
    name: input.name,
    type: 'UDT' as const,
    interface: checked,
    ...defined({ title: input.title, comment: input.comment, version: input.version }),
  }
  const { version } = requireProject(ctx)
  const object: ImportedObject = await work(ctx, 'createDocument', { spec, culture: cultureOf(ctx), version }, 0)
  requireStartValues(ctx, device, membersOf(checked), object.interface)
  await storeType(ctx, device, object, { folder: input.folder ?? '' })
  const lost = lostTexts(membersOf(checked), cultureOf(ctx))
  return { ...(await typeDetails(ctx, requireTypeOf(ctx, device, input.name))), warnings: [...warnings, ...lost] }
}

/** What a source, which has one text at each place, does not keep of comments in several languages. */
function lostTexts(members: readonly MemberInput[], culture: string, above = ''): string[] {
  return members.flatMap(({ name, comment = '', members: inner = [] }) => {
    const given = Object.entries(typeof comment === 'string' ? {} : comment).filter(([, text]) => text !== '')
    const isThere = given.some(([language]) => language === culture)
    const others = given.map(([language]) => language).filter((language) => language !== culture)
    const told = others.map((language, i) => {
      const end = isThere || i > 0 ? 'is left out' : `becomes that in ${culture}`
      return `member "${above}${name}": its comment in ${language} ${end}, as a source has one text at each place`
    })
    return [...told, ...lostTexts(inner, culture, `${above}${name}.`)]
  })
}

type Sections = ReturnType<typeof readInterface>
const membersOf = (sections: Sections) => sections.flatMap(({ members }) => members)

/** See `checkedMembers`. */
async function checkedSections(ctx: CommandContext, device: Device, name: string, sections: Sections) {
  const { checkedMembers } = await import('./members.ts')
  const warnings: string[] = []
  const checked: Sections = []
  for (const { section, members } of sections) {
    const { members: named, warnings: more } = await checkedMembers(ctx, device, name, members)
    checked.push({ section, members: named })
    warnings.push(...more)
  }
  return { sections: checked, warnings }
}

/**
 * TIA Portal does not compile a structure without members.
 * @throws GatewayError `invalid_input` for an empty list
 */
function requireMembers(members: readonly unknown[]): readonly unknown[] {
  if (members.length > 0) return members
  throw problem('invalid_input', '/members: a PLC data type needs at least one member.', {
    errors: [{ path: '/members', message: 'must have at least one member', value: members }],
  })
}

/** A request to rename a member. */
interface MemberRename {
  /** Current names, from the outermost member on. */
  readonly path: readonly string[]
  readonly newName: string
  /** JSON pointer in the request. */
  readonly at: string
}

/** Removes `oldName` from the members of a request and returns the renames that it describes. */
function withoutOldNames(members: readonly unknown[], above: readonly string[] = [], at = '/members') {
  const renames: MemberRename[] = []
  const plain = members.map((member, i): unknown => {
    if (!isObject(member)) return member
    const { oldName, ...rest } = member
    const here = `${at}/${i}`
    if (oldName !== undefined && (typeof oldName !== 'string' || oldName === ''))
      throw problem('invalid_input', `${here}/oldName: must be the name that the member has now.`, {
        errors: [{ path: `${here}/oldName`, message: 'must be a name', value: oldName }],
      })
    const newName = String(rest.name)
    const path = [...above, (oldName as string | undefined) ?? newName]
    if (oldName !== undefined && oldName !== newName) renames.push({ path, newName, at: here })
    if (!Array.isArray(rest.members)) return rest
    const inner = withoutOldNames(rest.members, path, `${here}/members`)
    renames.push(...inner.renames)
    return { ...rest, members: inner.plain }
  })
  return { plain, renames }
}

/**
 * Renames members in all uses. The type itself is not changed.
 * @throws GatewayError `invalid_input` (no such member, or another member has the name), `conflict` (a use that cannot
 *   be replaced)
 */
async function renameMembers(ctx: CommandContext, device: Device, type: PlcType, renames: readonly MemberRename[]) {
  if (renames.length === 0) return []
  const document = await documentOf(ctx, asObject(type))
  const content = await work(ctx, 'readContent', document, type.size)
  const users = new Map<string, User>()
  for (const { path, newName, at } of renames) {
    let around = content.interface as readonly NamedMember[]
    for (const name of path.slice(0, -1)) around = memberCalled(around, name)?.members ?? []
    const last = path.at(-1) as string
    const clash = last.toLowerCase() === newName.toLowerCase() ? undefined : memberCalled(around, newName)
    const message = !memberCalled(around, last)
      ? `"${type.name}" has no member ${path.join('.')}`
      : clash && `"${type.name}" has a member ${newName} now: rename that one first, by itself`
    if (message !== undefined)
      throw problem('invalid_input', `${at}/oldName: ${message}.`, {
        errors: [{ path: `${at}/oldName`, message, value: last }],
      })
    const scope = await memberScope(ctx, device, { owner: type.name, path })
    for (const user of await renameMemberUsers(ctx, device, scope, newName)) {
      const known = users.get(`${user.typeName} ${user.name}`)
      const places = [...new Set([...(known?.places ?? []), ...user.places])]
      users.set(`${user.typeName} ${user.name}`, { ...user, places, count: (known?.count ?? 0) + user.count })
    }
  }
  return [...users.values()]
}

/** The type's own document with the new names, so that renamed members keep what a request does not give. */
async function withNewNames(
  ctx: CommandContext,
  before: StoredDocument,
  renames: readonly MemberRename[],
  size: number,
): Promise<StoredDocument> {
  let document = before
  // Inner members first: their paths are the names of now.
  for (const { path, newName } of [...renames].reverse()) {
    const edit = { kind: 'update' as const, name: path.map((name) => `"${name}"`).join('.'), newName, fields: {} }
    const { xml, text = '' } = await editWork(ctx, 'changeMembers', { document, edit }, size)
    document = { ...document, text: xml ?? text }
  }
  return document
}

interface NamedMember {
  readonly name: string
  readonly members?: readonly NamedMember[]
}

function memberCalled(members: readonly NamedMember[], name: string): NamedMember | undefined {
  return members.find((one) => one.name.toLowerCase() === name.toLowerCase())
}

/** Replaces the members of a type. A member with an `oldName` is renamed, together with its uses. */
export async function updateType(ctx: CommandContext, device: Device, type: PlcType, members: readonly unknown[]) {
  const document = await documentOf(ctx, asObject(type))
  const { plain, renames } = withoutOldNames(requireMembers(members))
  const given = readInterface(plain, '/members', 'None')
  const { sections, warnings } = await checkedSections(ctx, device, type.name, given)
  const updated = await renameMembers(ctx, device, type, renames)
  const renamed = await withNewNames(ctx, document, renames, type.size)
  const edited = await work(
    ctx,
    'editDocument',
    { document: renamed, edit: { content: { interface: sections } } },
    type.size,
  )
  requireStartValues(ctx, device, membersOf(sections), edited.interface)
  const lost = await work(ctx, 'valueLosses', { document: renamed, after: edited.interface }, type.size)
  if (edited.format === 'source') lost.push(...lostTexts(membersOf(sections), cultureOf(ctx)))
  const { action } = await storeType(ctx, device, edited, { overwrite: true })
  const details = await typeDetails(ctx, requireTypeOf(ctx, device, type.name))
  return { ...details, changed: action !== 'unchanged', warnings: [...warnings, ...lost], updated }
}

/** Exports a type to a file or as content. */
export async function exportType(ctx: CommandContext, type: PlcType, request: Parameters<typeof runExport>[2]) {
  return runExport(ctx, asObject(type), request)
}

/** Deletes a type. Its uses are not changed. */
export function deleteType(ctx: CommandContext, device: Device, type: PlcType): void {
  const { deviceId, id, name } = type
  ctx.emit(typeDeleted, { deviceId, id, name, type }, typeCollection.entityOf(device, name))
}

/** Saving and searching types. */
export const typeFiles: CollectionFiles<PlcType> = { savable: (_ctx, type) => asObject(type), search: searchTypes }

async function searchTypes(ctx: QueryContext): Promise<SearchEntry[]> {
  const entries: SearchEntry[] = []
  for (const device of ctx.read(devices).values()) {
    for (const { name, folder, title, comment, document } of typesOf(ctx, device.id)) {
      const texts = [...Object.values(title), ...Object.values(comment), plainText(await ctx.blobs.text(document))]
      const path = folder === '' ? 'PLC data types' : `PLC data types/${folder}`
      entries.push({ kind: 'type', name, device: device.name, path, text: texts.join(' ') })
    }
  }
  return entries
}
