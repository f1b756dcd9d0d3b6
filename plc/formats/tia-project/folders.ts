/** Where an object stands: its controller, and the folders it is in. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** Names of the folders at the top, which the tree of a controller does not show. */
const rootFolders =
  /^(ProgramBlocksFolder|SystemBlocksFolder|DataTypesFolder|UserTypesFolder|TagTablesFolder|ControllerTagsFolder|WatchTablesFolder|WatchAndForceTablesFolder|TechnologyObjectsFolder|TechnologicalObjectsFolder)$/

/** Folders can be nested 20 times in TIA Portal. */
const mostNested = 64

/** The controller (software container) that an object belongs to. */
export function controllerOf(store: TiaStore, object: StoredObject): StoredObject | undefined {
  return store.first(object, 'BelongsTo') ?? store.first(object, 'Target')
}

/** Names of the user's folders, from the outermost one. */
export function folderPath(store: TiaStore, object: StoredObject): string[] {
  const path: string[] = []
  let at: StoredObject | undefined = object
  for (let depth = 0; depth < mostNested; depth++) {
    at = store.first(at, 'AggregatingFolder')
    if (!at) break
    // Folders of the tool have names that end in "Folder" and no text of a user.
    if (rootFolders.test(at.name) || /^[A-Z]\w+Folder$/.test(at.name)) break
    path.unshift(at.name)
  }
  return path
}
