/** What earlier versions of the state had otherwise: screens of all kinds in one collection, with one set of names. */
import type { Collection, Slice } from '../../../core/index.ts'
import { collectionOfKind, type HmiObject, stationKindOf } from '../object.ts'
import { screenKindNames } from './screen-kinds.ts'

/** The last version of the slice with one collection of screens. */
const lastWithOne = 2

/**
 * Puts back what an undo of an earlier version names. A key of a screen stands for that of any kind.
 * @param collections all of the slice
 */
export function putBackEarlier(collections: readonly Collection<unknown>[]): NonNullable<Slice['putBack']> {
  const byId = new Map(collections.map((one) => [one.id, one]))
  const screens = screenKindNames.map((kind) => collectionOfKind(kind).objects)
  return (write, { collection, key, value }, version) => {
    const isScreen = version <= lastWithOne && collection === collectionOfKind('screen').objects.id
    const to = isScreen && value !== undefined ? collectionOfKind(stationKindOf(value as HmiObject)).objects : undefined
    for (const one of isScreen ? screens : []) if (one.id !== to?.id) write(one).delete(key)
    const entries = write(to ?? byId.get(collection)!)
    if (value === undefined) entries.delete(key)
    else entries.set(key, value)
  }
}
