/** External sources of the PLCs: source files that are kept in the project as they are, and that blocks are generated from. */
import { collection, domainEvent, notFound, on, type SliceReader } from '../../../core/index.ts'
import { type Device, deviceDeleted } from '../../devices/index.ts'
import { modifiesProject, projectClosed } from '../../projects/index.ts'
import { FolderTree } from '../folders.ts'

/** A source. Times in ms since the epoch. */
export interface ExternalSource {
  readonly id: string
  readonly deviceId: string
  /** Unique on the device, case ignored; by custom with the extension, e.g. `Motor.scl`. */
  readonly name: string
  /** `A/B`; empty: directly below the external sources. */
  readonly folder: string
  /** Blob: the file's bytes. */
  readonly file: string
  readonly size: number
  readonly createdAt: number
  readonly modifiedAt: number
}

/** Key: `sourceKey`. Index `byDevice`: the device's id. */
export const externalSources = collection<ExternalSource>('blocks.sources', {
  byDevice: (source) => source.deviceId,
})
export const sourceFolders = new FolderTree('blocks.sources', 'source-folder')

export const sourceStored = domainEvent<{ source: ExternalSource }>(
  'blocks.source-stored',
  'An external source was created or replaced',
)
export const sourceDeleted = domainEvent<{ deviceId: string; name: string }>(
  'blocks.source-deleted',
  'An external source was deleted',
)

function sourceKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}

/** What the blocks plugin's slice folds for them. */
export const sourceCollections = [externalSources, sourceFolders.folders]
export const sourceReductions = [
  on(sourceStored, (write, { source }) => write(externalSources).set(sourceKey(source.deviceId, source.name), source)),
  on(sourceDeleted, (write, { deviceId, name }) => write(externalSources).delete(sourceKey(deviceId, name))),
  on(projectClosed, (write) => write(externalSources).clear()),
  on(deviceDeleted, (write, { id }) => {
    for (const { name } of write(externalSources).find('byDevice', id))
      write(externalSources).delete(sourceKey(id, name))
  }),
  ...sourceFolders.reductions,
  ...modifiesProject(sourceStored, sourceDeleted, sourceFolders.created, sourceFolders.deleted),
]

/** All sources of a device. */
export function sourcesOf(ctx: { read: SliceReader }, deviceId: string): ExternalSource[] {
  return ctx.read(externalSources).find('byDevice', deviceId)
}

/** The source of this name (case ignored), if there is one. */
export function findSource(ctx: { read: SliceReader }, deviceId: string, name: string): ExternalSource | undefined {
  return ctx.read(externalSources).get(sourceKey(deviceId, name))
}

/** @throws GatewayError `not_found` with the nearest name */
export function requireSource(ctx: { read: SliceReader }, device: Device, name: string): ExternalSource {
  const source = findSource(ctx, device.id, name)
  if (source) return source
  throw notFound(
    'external source',
    name,
    sourcesOf(ctx, device.id).map((other) => other.name),
  )
}
