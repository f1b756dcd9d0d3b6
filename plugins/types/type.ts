/** PLC data types (UDT) of the open project: their type, their collection in the state, and their events. */

import { domainEvent, on, type Slice } from '../../core/index.ts'
import { type KeptObject, type ObjectHeader, objectCollection, type StoredText } from '../program-objects/index.ts'
import { modifiesProject } from '../projects/index.ts'

/** A PLC data type. */
export interface PlcType extends KeptObject, ObjectHeader, StoredText {}

/** All PLC data types of the open project. */
export const typeCollection = objectCollection<PlcType>({
  plugin: 'types',
  collection: 'types.types',
  entity: 'type',
  noun: 'PLC data type',
})
export const {
  objects: types,
  folders: typeFolders,
  key: typeKey,
  find: findType,
  of: typesOf,
  require: requireType,
  requireOf: requireTypeOf,
} = typeCollection

export const typeCreated = domainEvent<{ type: PlcType }>('types.created', 'A PLC data type was created')
/** `before` and `after` are document hashes; `type` is the type after the change. */
export const typeChanged = domainEvent<{ before: string; after: string; type: PlcType }>(
  'types.changed',
  'A PLC data type was changed',
)
/** The document changes as well, because it contains the name. `type` is the type after the change. */
export const typeRenamed = domainEvent<{
  deviceId: string
  id: string
  oldName: string
  newName: string
  before: string
  after: string
  type: PlcType
}>('types.renamed', 'A PLC data type was renamed')
/** `type` is its last state, so that it can be restored. */
export const typeDeleted = domainEvent<{ deviceId: string; id: string; name: string; type: PlcType }>(
  'types.deleted',
  'A PLC data type was deleted',
)

/** The plugin's part of the state. */
export const typeSlice: Slice = {
  version: 1,
  collections: [types, typeFolders.folders],
  reductions: [
    on(typeCreated, (write, { type }) => write(types).set(typeKey(type.deviceId, type.name), type)),
    on(typeChanged, (write, { type }) => write(types).set(typeKey(type.deviceId, type.name), type)),
    on(typeRenamed, (write, { deviceId, oldName, type }) => {
      write(types).delete(typeKey(deviceId, oldName))
      write(types).set(typeKey(deviceId, type.name), type)
    }),
    on(typeDeleted, (write, { deviceId, name }) => write(types).delete(typeKey(deviceId, name))),
    ...typeFolders.reductions,
    ...modifiesProject(typeCreated, typeChanged, typeRenamed, typeDeleted, typeFolders.created, typeFolders.deleted),
  ],
}
