/**
 * What an undo must not leave: an object in a folder that is not there, or two holders of a name of a controller. Keys
 * and owners are looked after by the engine.
 */
import type { Collection, UndoCheck, UndoEntry, UndoObstacle, UndoView } from '../../../core/index.ts'
import { type FolderTree, folderKey } from '../folders.ts'
import type { KeptObject } from '../object-collection.ts'
import { symbolHolder } from './symbols.ts'

/** What objects of a collection need. */
export interface CheckedCollection {
  readonly objects: Collection<KeptObject>
  readonly folders: FolderTree
}

/** The check of the collections whose objects are in one tree of folders, for `extend(undoCheck, …)`. */
export function objectsCheck(first: CheckedCollection, ...others: readonly CheckedCollection[]): UndoCheck {
  const all = [first, ...others].map(({ objects }) => objects)
  const ids = new Set(all.map(({ id }) => id))
  const { folders } = first
  return (ctx, entries) => {
    const own = entries.filter(({ collection, value }) => ids.has(collection) && value !== undefined)
    return [...own.flatMap((entry) => folderMissing(ctx, folders, entry)), ...leftInFolders(ctx, all, folders, entries)]
  }
}

/** Names that come back must not have another holder: blocks, types, tags and constants share them. */
export const namesCheck: UndoCheck = (ctx, entries) => {
  const holders = ctx.extensions(symbolHolder)
  const kindsOf = new Map(
    holders.flatMap(({ collection, kinds }) => (collection ? [[collection, kinds] as const] : [])),
  )
  return entries.flatMap(({ collection, key, value }) => {
    const own = kindsOf.get(collection)
    if (own === undefined || value === undefined) return []
    const at = key.indexOf('/')
    for (const holder of holders) {
      if (holder.kinds.every((kind) => own.includes(kind))) continue
      const owner = holder.find(ctx, key.slice(0, at), key.slice(at + 1))
      if (owner)
        return [{ collection: holder.collection ?? collection, key, reason: `has the name (${owner.description})` }]
    }
    return []
  })
}

function folderMissing(ctx: UndoView, folders: FolderTree, entry: UndoEntry): UndoObstacle[] {
  const { deviceId, folder } = entry.value as KeptObject
  if (folder === '' || folders.find(ctx, deviceId, folder)) return []
  return [{ collection: folders.folders.id, key: folderKey(deviceId, folder), reason: 'is gone' }]
}

/** Objects that stay in a folder that goes. */
function leftInFolders(
  ctx: UndoView,
  all: readonly Collection<KeptObject>[],
  folders: FolderTree,
  entries: readonly UndoEntry[],
): UndoObstacle[] {
  const gone = entries.filter(({ collection, value }) => collection === folders.folders.id && value === undefined)
  const byDevice = new Map<string, string[]>()
  for (const { key } of gone) {
    const at = key.indexOf('/')
    const device = key.slice(0, at)
    const paths = byDevice.get(device)
    if (paths) paths.push(key.slice(at + 1))
    else byDevice.set(device, [key.slice(at + 1)])
  }
  const left: UndoObstacle[] = []
  for (const [device, paths] of byDevice) {
    const there = new Set(paths)
    const isLeft = (path: string) => ancestors(path.toLowerCase()).some((one) => there.has(one))
    for (const objects of all)
      for (const object of ctx.read(objects).find('byDevice', device))
        if (object.folder !== '' && isLeft(object.folder))
          left.push({
            collection: objects.id,
            key: `${device}/${object.name.toLowerCase()}`,
            reason: 'is in a folder that would go',
          })
    for (const folder of ctx.read(folders.folders).find('byDevice', device))
      if (isLeft(folder.path))
        left.push({
          collection: folders.folders.id,
          key: folderKey(device, folder.path),
          reason: 'is in a folder that would go',
        })
  }
  return left
}

/** `A`, `A/B`, `A/B/C`. */
function ancestors(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, i) => segments.slice(0, i + 1).join('/'))
}
