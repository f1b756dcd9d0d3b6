/** PLC data types (UDT): list, read, create, change, import and export; folders. */

import { definePlugin, extend, undoCheck } from '../../core/index.ts'
import { readStatuses } from '../blocks/index.ts'
import {
  collectionSection,
  type ImportTarget,
  importTarget,
  objectsCheck,
  programContributor,
  type SymbolHolder,
  symbolHolder,
} from '../program-objects/index.ts'
import { projectSection } from '../projects/index.ts'
import { typeOperations } from './operations.ts'
import { typeProgramContributor } from './program-contributor.ts'
import { findType, typeCollection, typeSlice, typesOf } from './type.ts'

export { findType, type PlcType, typeChanged, typeCreated, typeDeleted, typeFolders, types, typesOf } from './type.ts'

const typeTarget: ImportTarget = {
  kinds: ['UDT'],
  async store(ctx, device, object, options) {
    return (await import('./store.ts')).typeTarget.store(ctx, device, object, options)
  },
}

const typeNames: SymbolHolder = {
  kinds: ['type'],
  collection: typeCollection.objects.id,
  find(ctx, deviceId, name) {
    const type = findType(ctx, deviceId, name)
    return type && { kind: 'type', name: type.name, description: 'PLC data type' }
  },
}

const typePart = collectionSection({
  searchKinds: ['type'],
  area: 'types',
  order: 20,
  collection: typeCollection,
  files: async () => (await import('./store.ts')).typeFiles,
  async overview(ctx, deviceId) {
    const all = typesOf(ctx, deviceId)
    const statusOf = await readStatuses(ctx, deviceId, all)
    return {
      udts: all.map((type) => ({
        name: type.name,
        number: null,
        isConsistent: statusOf(type).isConsistent,
        modifiedDate: new Date(type.modifiedAt).toISOString(),
      })),
    }
  },
})

export default definePlugin({
  name: 'types',
  version: '1.0.0',
  description: 'PLC data types (UDT): list, read, create, change, import and export; folders.',
  requires: ['projects', 'devices', 'blocks'],
  slice: typeSlice,
  operations: typeOperations,
  extensions: [
    extend(importTarget, typeTarget),
    extend(symbolHolder, typeNames),
    extend(undoCheck, objectsCheck(typeCollection)),
    extend(projectSection, typePart),
    extend(programContributor, typeProgramContributor),
  ],
})
