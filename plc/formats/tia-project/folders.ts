/** Where an object stands: its controller, and the folders it is in. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** Folders of the tool below others of it; what a user makes can have any name. */
const toolFolders = /^(SystemBlocksFolder|SafetyResourcesFolder|SafetyCompilerBlocksFolder|SystemDataTypeFolder)$/

/** Instances that the tool made are in a folder of its own, which exports show by these names. */
const shownFolders: Readonly<Record<string, readonly string[]>> = {
  ProgramResourcesFolder: ['System blocks', 'Program resources'],
}

/** Folders can be nested 20 times in TIA Portal. */
const mostNested = 64

/** The controller (software container) that an object belongs to. */
export function controllerOf(store: TiaStore, object: StoredObject): StoredObject | undefined {
  return store.first(object, 'BelongsTo') ?? store.first(object, 'Target')
}

/** Names of the user's folders, from the outermost one. All are in a folder of the tool, which is not shown. */
export function folderPath(store: TiaStore, object: StoredObject): string[] {
  const path: string[] = []
  let at = store.first(object, 'AggregatingFolder')
  for (let depth = 0; at && depth < mostNested; depth++) {
    const above = store.first(at, 'AggregatingFolder')
    if (toolFolders.test(at.name) || (!above && /Folder$/.test(at.name))) break
    path.unshift(...(shownFolders[at.name] ?? [at.name]))
    at = above
  }
  return path
}
