/**
 * Which tag table of a device has a name. Tags and user constants share the names of a controller with its blocks and types, so every new
 * name is looked up among them. Kept beside the tables (some 150 bytes a name) because a look through all rows for each object of an import
 * grows with the square of the plant.
 */
import { type CollectionReader, type CollectionWriter, collection, ownedBy } from '../../core/index.ts'
import { device } from '../devices/index.ts'

/** Key: see {@link nameKey}; value: the key of the table. */
export const tagNames = collection<string>('tags.names', { byDevice: (_, key) => key.slice(0, key.indexOf('/')) }, [
  ownedBy(device, 'byDevice'),
])

type Named = { readonly name: string }

/** Names of a device are compared without case. */
export function nameKey(deviceId: string, name: string): string {
  return `${deviceId}/${name.toLowerCase()}`
}

/** Notes that a table has these rows. */
export function holdNames(
  names: CollectionWriter<string>,
  deviceId: string,
  tableKey: string,
  rows: readonly Named[],
): void {
  for (const { name } of rows) names.set(nameKey(deviceId, name), tableKey)
}

/** Notes that a table has these rows no more. A name that another table took in the same command stays there. */
export function freeNames(
  names: CollectionWriter<string>,
  deviceId: string,
  tableKey: string,
  rows: readonly Named[],
): void {
  for (const { name } of rows) {
    const key = nameKey(deviceId, name)
    if (names.get(key) === tableKey) names.delete(key)
  }
}

/** The key of the table that has a tag or user constant of this name (case ignored). */
export function tableOfName(names: CollectionReader<string>, deviceId: string, name: string): string | undefined {
  return names.get(nameKey(deviceId, name))
}
