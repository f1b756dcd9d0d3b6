/** The operations on folders, the same for every collection: show the tree, create, delete. */
import {
  type CommandContext,
  command,
  defined,
  del,
  get,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
  type TSchema,
} from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import { userFields } from './cross-references/fields.ts'
import type { User } from './cross-references/guard.ts'
import { deviceName } from './fields.ts'
import { isInside, levelOf, treeOf } from './folders.ts'
import type { KeptObject, ObjectCollection } from './object-collection.ts'
import { treeNode } from './views.ts'

/** How the operations of one collection differ. */
export interface FolderOperations<T extends KeptObject> {
  readonly collection: ObjectCollection<T>
  /** Default: `<plugin>.create-folder` and `<plugin>.delete-folder`. */
  readonly ids?: { readonly create: string; readonly delete: string }
  /** Toolset of the operations. */
  readonly toolset: string
  /** The objects in titles, e.g. `PLC data types`. */
  readonly nouns: string
  /** The objects in sentences about folders, e.g. `types`. */
  readonly short: string
  /** Field with the names of deleted objects, e.g. `udts`. */
  readonly field: string
  /** `POST` creates a folder, `DELETE` deletes one. */
  readonly route: string
  /**
   * Field with the path of the folder to delete, and at the end of its route. Default: `path`, which may also be left
   * out of the route. There is no such route where it would be that of an object called `folders`.
   */
  readonly deleteField?: string
  /** A note on deleting, for the description. */
  readonly deleteRule?: string
  /** Deletes an object of the folder. With `check` it only throws for one that cannot be deleted. */
  readonly remove: (ctx: CommandContext, device: Device, object: T) => Promise<void> | void
  readonly check?: (object: T) => void
  /** Names of an object that the rest of the program can use, and its kind; its users are in the answer. */
  readonly symbols?: { readonly category: string; names(object: T): readonly string[] }
}

/** The operations that create and delete a folder. */
export function folderOperations<T extends KeptObject>(options: FolderOperations<T>): Operation[] {
  const { collection, toolset, nouns, short, field, route, deleteField: pathField = 'path', check, symbols } = options
  const { plugin } = collection.names
  const ids = options.ids ?? { create: `${plugin}.create-folder`, delete: `${plugin}.delete-folder` }
  const folderNames = ['path', 'folderPath', 'folder', 'name', 'folderName']
  const create = command({
    id: ids.create,
    title: `Create a folder for ${nouns}`,
    description: 'Folders above it are made with it. An existing folder is a 409.',
    input: (t) => t.Object({ deviceName: deviceName(t), path: t.String({ minLength: 1, description: 'A/B' }) }),
    output: (t) => t.Object({ path: t.String(), created: t.Boolean() }),
    http: [post(route)],
    mcp: { toolset },
    needsInstance: true,
    aliases: { path: folderNames.slice(1) },
    run(input, ctx) {
      return { path: collection.folders.create(ctx, requirePlc(ctx, input.deviceName), input.path), created: true }
    },
  })

  const force = (t: SchemaBuilder) => t.Optional(t.Boolean({ description: `Delete the ${short} in it too.` }))
  const deletedFields = (t: SchemaBuilder): Record<string, TSchema> => ({
    [field]: t.Array(t.String(), { description: `Deleted ${short}.` }),
    ...(symbols === undefined ? {} : { users: userFields(t) }),
  })
  const forceAliases = { force: ['recursive', 'deleteContent'] }
  const remove = command({
    id: ids.delete,
    title: `Delete a folder of ${nouns}`,
    description: `A folder with ${short} in it, or below it, is refused (409) unless \`force\` is true: its ${short} are deleted with it${options.deleteRule ?? ''}.`,
    input: (t) =>
      t.Object({
        deviceName: deviceName(t),
        [pathField]: t.String({ minLength: 1, description: 'A/B' }),
        force: force(t),
      }),
    output: (t) =>
      t.Object({
        path: t.String(),
        folders: t.Array(t.String()),
        ...deletedFields(t),
      }),
    http: [...(pathField === 'path' ? [del(route)] : []), del(`${route}/{${pathField}*}`)],
    mcp: { toolset, destructive: true },
    needsInstance: true,
    aliases: { [pathField]: folderNames.filter((name) => name !== pathField), ...forceAliases },
    async run(input: Readonly<Record<string, unknown>>, ctx) {
      const device = requirePlc(ctx, String(input.deviceName))
      const { path } = collection.folders.require(ctx, device, String(input[pathField]), `/${pathField}`)
      const inside = collection.of(ctx, device.id).filter((object) => isInside(object.folder, path))
      if (inside.length > 0 && input.force !== true) {
        const content = counted(inside.length, short.replace(/s$/, ''))
        throw problem('conflict', `Folder "${path}" holds ${content}, e.g. "${inside[0]!.name}".`, {
          suggestion: 'Move or delete them first, or send force: true to delete them with the folder.',
        })
      }
      if (check) inside.forEach(check)
      const users = symbols === undefined ? undefined : await usersOfAll(ctx, device, inside, symbols)
      for (const object of inside) await options.remove(ctx, device, object)
      const folders = collection.folders.delete(ctx, device, path)
      const deleted = { [field]: inside.map(({ name }) => name), ...defined({ users }) }
      return { path, folders, ...deleted }
    },
  })
  return [create, remove]
}

/** The users of objects that are deleted together, except these objects. */
async function usersOfAll<T extends KeptObject>(
  ctx: CommandContext,
  device: Device,
  objects: readonly T[],
  { category, names }: NonNullable<FolderOperations<T>['symbols']>,
): Promise<User[]> {
  if (objects.length === 0) return []
  const { usersOf } = await import('./cross-references/guard.ts')
  const leaving = objects.map(({ name }) => ({ category, name }))
  return usersOf(ctx, device, objects.flatMap(names), leaving)
}

/** `<id>`: the objects of a PLC in their folders. */
export function treeOperation<T extends KeptObject>(options: {
  readonly id: string
  readonly collection: ObjectCollection<T>
  readonly toolset: string
  /** Title of the objects, e.g. `blocks`. */
  readonly nouns: string
  /** Objects in the description of the children, e.g. `Blocks`. */
  readonly leaves: string
  readonly route: string
  /** Name of the root, as the engineering tool shows it. */
  readonly root: string
  /** Name of the type of a node, e.g. `BlockTreeNode`. */
  readonly node: string
  /** Schema of an object in the tree. */
  readonly leaf: (t: SchemaBuilder) => TSchema
  /** The fields of each object in the tree. */
  readonly views: (ctx: QueryContext, device: Device, listed: readonly T[]) => Promise<(object: T) => unknown>
}): Operation {
  const { id, collection, toolset, nouns, leaves, route, root, node, leaf, views } = options
  return query({
    id,
    title: `Show the ${nouns} of a PLC in their folders`,
    description: `Folders first, then ${leaves.toLowerCase()}, each sorted by name. A folder has \`isFolder: true\`, \`path\` and \`children\`. With \`folder\` only what is directly in that folder, in pages: the folders in it then have no \`children\`.`,
    input: (t) =>
      t.Object({
        deviceName: deviceName(t),
        folder: t.Optional(
          t.String({ maxLength: 1000, description: 'A/B; empty: the root. Left out: the whole tree at once.' }),
        ),
        limit: t.Optional(
          t.Integer({ minimum: 1, maximum: 10_000, description: 'With `folder`: most entries. Default: 500.' }),
        ),
        cursor: t.Optional(t.String({ description: 'With `folder`: `nextCursor` of the page before.' })),
      }),
    output: (t) =>
      t.Object({
        name: t.String(),
        children: t.Array(treeNode(t, node, leaf(t)), { description: `${leaves} as in the list, and folders.` }),
        total: t.Integer({ description: `${leaves} in all folders; with \`folder\`: entries directly in it.` }),
        nextCursor: t.Optional(t.String()),
      }),
    http: [get(route)],
    mcp: { toolset },
    async run(input, ctx) {
      const device = requirePlc(ctx, input.deviceName)
      const all = collection.of(ctx, device.id)
      const { folder, limit = 500, cursor } = input
      if (folder !== undefined) {
        const path = folder === '' ? '' : collection.folders.require(ctx, device, folder, '/folder').path
        const { folders, leaves: own } = levelOf(collection.folders.list(ctx, device.id), all, path)
        const level = [...folders, ...own]
        const { page, ...rest } = rankedPage(level, { limit, cursor }, `l${level.length}`)
        const shown = page.filter((one) => 'id' in one) as T[]
        const view = await views(ctx, device, shown)
        return {
          name: path === '' ? root : path,
          children: page.map((one) => ('id' in one ? view(one) : one)),
          ...rest,
        }
      }
      const children = treeOf(collection.folders.list(ctx, device.id), all, await views(ctx, device, all))
      return { name: root, children, total: all.length }
    },
  })
}
