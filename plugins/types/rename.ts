/** Renames a PLC data type and its uses in declarations. */

import type { CommandContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import {
  documentOf,
  headerOf,
  renameUsers,
  requireFreeSymbol,
  requireName,
  storeText,
  work,
} from '../program-objects/index.ts'
import { type PlcType, requireTypeOf, typeCollection, typeRenamed } from './type.ts'

/**
 * Renames a type and its uses.
 * @throws GatewayError `invalid_input`, `name_taken`
 */
export async function renameType(ctx: CommandContext, device: Device, type: PlcType, newName: string) {
  const oldName = type.name
  requireName(newName, '/newName', 'PLC data type')
  if (newName === oldName) return { oldName, name: newName, updated: [] }
  if (newName.toLowerCase() !== oldName.toLowerCase()) requireFreeSymbol(ctx, device, newName)
  const updated = await renameUsers(ctx, device, oldName, newName)
  // A type may refer to itself, so renaming its uses may have changed its own text.
  const present = requireTypeOf(ctx, device, oldName)
  const document = await documentOf(ctx, { ...present, kind: 'UDT' })
  const edited = await work(ctx, 'editDocument', { document, edit: { name: newName } }, present.size)
  const { file: _file, ...rest } = present
  const after: PlcType = {
    ...rest,
    ...headerOf(edited),
    ...(await storeText(ctx, edited)),
    name: edited.name,
    modifiedAt: ctx.now,
  }
  const { deviceId, id, document: before } = present
  const data = { deviceId, id, oldName, newName: after.name, before, after: after.document, type: after }
  ctx.emit(typeRenamed, data, typeCollection.entityOf(device, after.name))
  return { oldName, name: after.name, updated: updated.filter(({ name }) => name !== oldName) }
}
