/** PLC data types (UDT) of the open project: their shape, their place in the state, and the events that change them. */
import { collection, domainEvent, notFound, on, type Slice, type SliceReader } from '../../core/index.ts'
import { FolderTree, type ObjectHeader, type StoredText } from '../blocks/index.ts'
import { type Device, deviceDeleted, requirePlc } from '../devices/index.ts'
import { modifiesProject, projectClosed } from '../projects/index.ts'

/** A PLC data type. Times in ms since the epoch. */
export interface PlcType extends ObjectHeader, StoredText {
  readonly id: string
  readonly deviceId: string
  readonly name: string
  /** `A/B`; empty: directly below the PLC data types. */
  readonly folder: string
  readonly createdAt: number
  readonly modifiedAt: number
}

/** Key: `typeKey`. Index `byDevice`: the device's id. */
export const types = collection<PlcType>('types.types', { byDevice: (type) => type.deviceId })
export const typeFolders = new FolderTree('types', 'type-folder')

export const typeCreated = domainEvent<{ type: PlcType }>('types.created', 'A PLC data type was created')
/** `before` and `after` are document hashes; `type` is the type after the change. */
export const typeChanged = domainEvent<{ before: string; after: string; type: PlcType }>(
  'types.changed',
  'A PLC data type was changed',
)
/** `type` is what it was, so that it can be brought back. */
export const typeDeleted = domainEvent<{ deviceId: string; id: string; name: string; type: PlcType }>(
  'types.deleted',
  'A PLC data type was deleted',
)

/** Key of a type: names are compared without case. */
export function typeKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}

export const typeSlice: Slice = {
  version: 1,
  collections: [types, typeFolders.folders],
  reductions: [
    on(typeCreated, (write, { type }) => write(types).set(typeKey(type.deviceId, type.name), type)),
    on(typeChanged, (write, { type }) => write(types).set(typeKey(type.deviceId, type.name), type)),
    on(typeDeleted, (write, { deviceId, name }) => write(types).delete(typeKey(deviceId, name))),
    on(projectClosed, (write) => write(types).clear()),
    on(deviceDeleted, (write, { id }) => {
      for (const { name } of write(types).find('byDevice', id)) write(types).delete(typeKey(id, name))
    }),
    ...typeFolders.reductions,
    ...modifiesProject(typeCreated, typeChanged, typeDeleted, typeFolders.created, typeFolders.deleted),
  ],
}

/** The type of this name (case ignored), if there is one. */
export function findType(ctx: { read: SliceReader }, deviceId: string, name: string): PlcType | undefined {
  return ctx.read(types).get(typeKey(deviceId, name))
}

/** All types of a device, in the order they were made. */
export function typesOf(ctx: { read: SliceReader }, deviceId: string): PlcType[] {
  return ctx.read(types).find('byDevice', deviceId)
}

/**
 * The type of this name (case ignored) of the PLC of this name.
 * @throws GatewayError `no_project`, `not_found` with the nearest name, `conflict` when the device is not a PLC
 */
export function requireType(ctx: { read: SliceReader }, deviceName: string, typeName: string): PlcType {
  return requireTypeOf(ctx, requirePlc(ctx, deviceName), typeName)
}

/** As `requireType`, of a device that is at hand. */
export function requireTypeOf(ctx: { read: SliceReader }, device: Device, typeName: string): PlcType {
  const type = findType(ctx, device.id, typeName)
  if (!type) {
    const names = typesOf(ctx, device.id).map((other) => other.name)
    throw notFound('PLC data type', typeName, names)
  }
  return type
}
