/** A collection as a part of the project: its files, its overview, its search entries. */
import type { QueryContext } from '../../../core/index.ts'
import type { ProjectSection, SaveContext, SearchEntry } from '../../projects/index.ts'
import type { KeptObject, ObjectCollection } from '../object-collection.ts'
import type { Area, Savable } from './project-files.ts'

/** How a collection saves its objects to files and offers them to the search. */
export interface CollectionFiles<T extends KeptObject> {
  /** Text and attributes of the object's files; undefined: it is not saved. */
  savable(ctx: SaveContext, object: T): Savable | undefined
  /** Entries of the search index. */
  search(ctx: QueryContext): Promise<readonly SearchEntry[]> | readonly SearchEntry[]
}

/** The project part of a collection. `files` is loaded on first use. */
export function collectionSection<T extends KeptObject>(options: {
  /** Folder in a device's folder, and name of the part. */
  readonly area: Area
  /** See {@link ProjectSection.order}. */
  readonly order: number
  readonly collection: ObjectCollection<T>
  readonly files: () => Promise<CollectionFiles<T>>
  readonly overview: NonNullable<ProjectSection['overview']>
  readonly searchKinds: readonly string[]
}): ProjectSection {
  const { area, order, collection, files, overview, searchKinds } = options
  return {
    name: area,
    order,
    folders: [`devices/*/${area}/**`],
    async save(ctx) {
      const [{ saveCollection }, { savable }] = await Promise.all([import('./project-files.ts'), files()])
      return saveCollection(ctx, area, collection, (object) => savable(ctx, object))
    },
    async load(ctx, project, from, progress) {
      const { loadArea } = await import('./project-files.ts')
      return loadArea(ctx, project, from, area, collection.folders, progress)
    },
    overview,
    searchKinds,
    async search(ctx) {
      return (await files()).search(ctx)
    },
  }
}
