/** The objects of the project that instances of library types are. */
import type { QueryContext } from '../../core/index.ts'
import { type Device, devices } from '../devices/index.ts'
import { type KindEntry, kindNamed, type LibraryKind, libraryKind } from './kinds.ts'
import type { Instance } from './library.ts'

export interface InstanceObject {
  readonly instance: Instance
  readonly device: Device
  readonly kind: LibraryKind
  readonly entry: KindEntry
}

/** The objects of these instances; an instance whose object is gone is left out. Each list of objects is read once. */
export function objectsOfInstances(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  all: readonly Instance[],
): InstanceObject[] {
  const later = ctx.extensions(libraryKind)
  const lists = new Map<string, ReadonlyMap<string, KindEntry>>()
  return all.flatMap((instance) => {
    const device = ctx.read(devices).get(instance.deviceId)
    if (!device) return []
    for (const kind of [kindNamed(ctx, instance.kind), ...later.filter(({ earlier }) => earlier === instance.kind)]) {
      const key = `${device.id} ${kind.kind}`
      const entries = lists.get(key) ?? new Map(kind.list(ctx, device).map((entry) => [entry.id, entry]))
      lists.set(key, entries)
      const entry = entries.get(instance.id)
      if (entry) return [{ instance, device, kind, entry }]
    }
    return []
  })
}
