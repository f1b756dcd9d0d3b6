/**
 * Which tag table of a device has a name. Tags and user constants share the names of a controller with its blocks and
 * types, so every new name is looked up among them. Kept beside the tables (some 150 bytes a name) because a look
 * through all rows for each object of an import grows with the square of the plant.
 */
import { type CollectionReader, type CollectionWriter, collection, ownedBy } from '../../core/index.ts'
import { device } from '../devices/index.ts'

/** Who has a name. The rows of a table share one. */
export interface NameHolder {
  /** Key of the table. */
  readonly table: string
  readonly kind: 'tag' | 'constant'
}

const deviceOf = (key: string) => key.slice(0, key.indexOf('/'))

/** Key: see {@link nameKey}. Index `tags`: names of tags, by device. */
export const tagNames = collection<NameHolder>(
  'tags.names',
  {
    byDevice: (_, key) => deviceOf(key),
    tags: ({ kind }, key) => (kind === 'tag' ? deviceOf(key) : undefined),
  },
  [ownedBy(device, 'byDevice')],
)

type Named = { readonly name: string }

/** Names of a device are compared without case. */
export function nameKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}

/** Notes that a table has these rows. */
export function holdNames(
  names: CollectionWriter<NameHolder>,
  deviceId: string,
  holder: NameHolder,
  rows: readonly Named[],
): void {
  for (const { name } of rows) names.set(nameKey(deviceId, name), holder)
}

/** Notes that a table has these rows no more. A name that another table took in the same command stays there. */
export function freeNames(
  names: CollectionWriter<NameHolder>,
  deviceId: string,
  table: string,
  rows: readonly Named[],
): void {
  for (const { name } of rows) {
    const key = nameKey(deviceId, name)
    if (names.get(key)?.table === table) names.delete(key)
  }
}

/** The key of the table that has a tag or user constant of this name (case ignored). */
export function tableOfName(names: CollectionReader<NameHolder>, deviceId: string, name: string): string | undefined {
  return names.get(nameKey(deviceId, name))?.table
}
