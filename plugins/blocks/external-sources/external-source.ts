/** External sources of the PLCs: source files that the project keeps unchanged and from which blocks are generated. */

import { domainEvent, on } from '../../../core/index.ts'
import { type KeptObject, objectCollection } from '../../program-objects/index.ts'
import { modifiesProject } from '../../projects/index.ts'

/** A source. By custom its name has the extension, e.g. `Motor.scl`. */
export interface ExternalSource extends KeptObject {
  /** Blob: the file's bytes. */
  readonly file: string
  readonly size: number
}

export const sourceCollection = objectCollection<ExternalSource>({
  plugin: 'blocks.sources',
  collection: 'blocks.sources',
  entity: 'external-source',
  noun: 'external source',
})
export const {
  objects: externalSources,
  folders: sourceFolders,
  key: sourceKey,
  find: findSource,
  of: sourcesOf,
  requireOf: requireSource,
} = sourceCollection

export const sourceStored = domainEvent<{ source: ExternalSource }>(
  'blocks.source-stored',
  'An external source was created or replaced',
)
export const sourceDeleted = domainEvent<{ deviceId: string; name: string }>(
  'blocks.source-deleted',
  'An external source was deleted',
)

/** The part of the slice of the blocks plugin that holds them. */
export const sourceCollections = [externalSources, sourceFolders.folders]
export const sourceReductions = [
  on(sourceStored, (write, { source }) => write(externalSources).set(sourceKey(source.deviceId, source.name), source)),
  on(sourceDeleted, (write, { deviceId, name }) => write(externalSources).delete(sourceKey(deviceId, name))),
  ...sourceFolders.reductions,
  ...modifiesProject(sourceStored, sourceDeleted, sourceFolders.created, sourceFolders.deleted),
]
