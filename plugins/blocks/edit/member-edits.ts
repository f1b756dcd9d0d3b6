/** Runs the operations on interface members. */

import { type CommandContext, defined, type Fault, problem } from '../../../core/index.ts'
import type { MemberEdit, MemberFields } from '../../../plc/edit/member-input.ts'
import type { StartValue } from '../../../plc/edit/start-values.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import type { Device } from '../../devices/index.ts'
import {
  documentOf,
  editWork,
  memberScope,
  memberUser,
  readInterface,
  renameMemberUsers,
  requireReadable,
  requireReplaceable,
  requireStartValues,
  requireUnusedMember,
} from '../../program-objects/index.ts'
import type { Block } from '../block.ts'
import { placeOfBlock } from '../compile/program-contributor.ts'
import { statusOf } from '../compile/status.ts'
import { storeEdited } from '../store.ts'
import { blockView } from '../views.ts'

/** Changes members of a block's interface. */
export async function changeMembers(ctx: CommandContext, device: Device, block: Block, edit: MemberEdit) {
  requireReadable(block)
  const document = await documentOf(ctx, block, { callsIn: [] })
  const edited = await editWork(ctx, 'changeMembers', { document, edit }, block.size)
  requireStartValues(ctx, device, edit.kind === 'add' ? edit.members : givenIn(edit), edited.interface)
  const after = await storeEdited(ctx, device, block, edited)
  return { ...blockView(after, await statusOf(ctx, after)), changed: after.document !== block.document }
}

/** The fields of a changed member, for the check of its values. */
const givenIn = (edit: MemberEdit) => (edit.kind === 'update' ? [edit.fields] : [])

/** Sets start values of a data block; all others stay. */
export async function storeStartValues(
  ctx: CommandContext,
  device: Device,
  block: Block,
  values: readonly StartValue[],
): Promise<Block> {
  requireReadable(block)
  if (values.length === 0) return block
  const document = await documentOf(ctx, block)
  return storeEdited(ctx, device, block, await editWork(ctx, 'changeStartValues', { document, values }, block.size))
}

/** Changes a member. A new name is also written wherever the member is used. */
export async function updateMember(
  ctx: CommandContext,
  device: Device,
  block: Block,
  edit: MemberEdit & { readonly kind: 'update' },
) {
  const { newName } = edit
  requireReadable(block)
  const document = await documentOf(ctx, block, { callsIn: [] })
  const path = newName === undefined ? [] : await pathIn(ctx, document, block, edit)
  const { newName: _newName, ...unnamed } = edit
  const warnings =
    edit.fields.dataType === undefined
      ? []
      : await editWork(ctx, 'memberLosses', { document, edit: unnamed }, block.size)
  if (newName === undefined || newName === path.at(-1))
    return { ...(await changeMembers(ctx, device, block, edit)), updated: [], warnings }
  const scope = await memberScope(ctx, device, { owner: block.name, path })
  const { query } = scope
  const { object, sites } = await editWork(ctx, 'renameMember', { document, edit, query, newName }, block.size)
  const own = { name: block.name, ...placeOfBlock(block) }
  requireReplaceable(query.target, own, sites)
  requireStartValues(ctx, device, givenIn(edit), object.interface)
  const updated = await renameMemberUsers(ctx, device, scope, newName)
  const after = await storeEdited(ctx, device, block, object)
  return {
    ...blockView(after, await statusOf(ctx, after)),
    changed: after.document !== block.document,
    updated: [...(sites.length === 0 ? [] : [memberUser(own, sites)]), ...updated],
    warnings,
  }
}

/** Deletes a member that nobody uses; with `force` one that is used. */
export async function deleteMember(
  ctx: CommandContext,
  device: Device,
  block: Block,
  edit: MemberEdit & { readonly kind: 'delete' },
  force: boolean,
) {
  requireReadable(block)
  const document = await documentOf(ctx, block)
  const path = await pathIn(ctx, document, block, edit)
  // A member that cannot be deleted anyway is reported first.
  await editWork(ctx, 'changeMembers', { document, edit }, block.size)
  const users = await requireUnusedMember(ctx, device, block, path, force)
  return { ...(await changeMembers(ctx, device, block, edit)), users }
}

function pathIn(
  ctx: CommandContext,
  document: StoredDocument,
  { size }: Block,
  { name, section }: { readonly name: string; readonly section?: string },
) {
  return editWork(ctx, 'memberPath', { document, name, ...defined({ section }) }, size)
}

/** The fields of one member in a request. */
export interface GivenMember {
  readonly dataType?: string | undefined
  readonly version?: string | undefined
  readonly startValue?: string | number | boolean | undefined
  readonly comment?: string | Readonly<Record<string, string>> | undefined
  readonly retain?: boolean | undefined
  readonly remanence?: 'NonRetain' | 'Retain' | 'SetInIDB' | undefined
  readonly attributes?: Readonly<Record<string, unknown>> | undefined
  readonly members?: readonly unknown[] | undefined
  readonly position?: number | undefined
}

/**
 * The fields of a member in the form that the editor reads.
 * @throws GatewayError `invalid_input`
 */
export function fieldsOf(given: GivenMember, at: string): MemberFields {
  const { startValue, members, attributes, retain, ...rest } = given
  const inner = members && readInterface(members, `${at}/members`, 'None').flatMap((section) => section.members)
  const fields: Record<string, unknown> = {
    ...(retain === undefined ? {} : { remanence: retain ? 'Retain' : 'NonRetain' }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    startValue: startValue === undefined ? undefined : textOfValue(startValue),
    attributes: attributes && attributesOf(attributes, `${at}/attributes`),
    members: inner,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The value in the program's notation: TRUE for the JSON value `true`. */
function textOfValue(value: string | number | boolean): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

function attributesOf(given: Readonly<Record<string, unknown>>, at: string): Record<string, string | number | boolean> {
  const faults: Fault[] = []
  const attributes: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') attributes[name] = value
    else faults.push({ path: `${at}/${name}`, message: 'must be true, false, a number or text', value })
  }
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return attributes
}

/**
 * The members of a request: one by its fields, or a list `members` whose entries name their section.
 * @throws GatewayError `invalid_input`
 */
export function addedMembers(
  given: GivenMember & { readonly name?: string | undefined; readonly section?: string | undefined },
  kind: string,
): MemberEdit {
  const { name, section = kind === 'GlobalDB' ? 'Static' : undefined, ...fields } = given
  const common = section === undefined ? {} : { section }
  if (name !== undefined) return { kind: 'add', ...common, members: [{ ...fieldsOf(fields, ''), name }] }
  if (fields.members === undefined || fields.members.length === 0)
    throw problem('invalid_input', '/name: a member needs a name, or several stand in members.', {
      errors: [{ path: '/name', message: 'is missing', code: 'missing' }],
    })
  const members = readInterface(fields.members, '/members', section).flatMap((group) =>
    group.members.map((member) => ({ ...member, section: group.section })),
  )
  return { kind: 'add', ...common, members }
}
