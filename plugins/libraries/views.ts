/** Libraries, and what is in them, as shown to clients; with the schemas. */

import type { QueryContext, SchemaBuilder } from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import type { Installed } from './install.ts'
import {
  copiesOf,
  foldersIn,
  type GlobalLibrary,
  instances,
  type Library,
  type LibraryType,
  type MasterCopy,
  pathOf,
  typesIn,
} from './library.ts'

const time = (ms: number): string => new Date(ms).toISOString()

/** A library in lists and by itself. */
export function libraryView(ctx: Pick<QueryContext, 'read'>, library: Library | GlobalLibrary) {
  const { id, name, scope, author, comment, version, createdAt, modifiedAt, savedAt } = library
  return {
    id,
    name,
    scope,
    author,
    comment,
    version,
    createdAt: time(createdAt),
    modifiedDate: time(modifiedAt),
    ...(savedAt === undefined ? {} : { savedAt: time(savedAt) }),
    ...('path' in library
      ? {
          path: library.path,
          isReadOnly: library.isReadOnly,
          isModified: library.revision !== library.savedRevision,
        }
      : { instanceCount: ctx.read(instances).size }),
    masterCopyCount: copiesOf(ctx, id).length,
    typeCount: typesIn(ctx, id).length,
    folderCount: foldersIn(ctx, id, 'masterCopies').length + foldersIn(ctx, id, 'types').length,
  }
}

/** Schema of {@link libraryView}. */
export const libraryFields = (t: SchemaBuilder) => ({
  id: t.String(),
  name: t.String(),
  scope: t.String({ description: 'project or global.' }),
  author: t.String(),
  comment: t.String(),
  version: t.String({ description: 'Engineering version, V16 to V21.' }),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
  savedAt: t.Optional(t.DateTime()),
  path: t.Optional(t.String({ description: 'Of a global library: its folder, or its archive.' })),
  isReadOnly: t.Optional(t.Boolean()),
  isModified: t.Optional(t.Boolean({ description: 'There are changes that are not saved.' })),
  instanceCount: t.Optional(t.Integer({ description: 'Objects of the project that are instances of its types.' })),
  masterCopyCount: t.Integer(),
  typeCount: t.Integer(),
  folderCount: t.Integer(),
})

/** A master copy in lists. */
export function copyView(copy: MasterCopy) {
  const { name, folder, kind, author, comment, createdAt, objects } = copy
  const mains = objects.filter(({ isDependency }) => isDependency !== true)
  const [main] = mains
  const single = kind !== 'folder' && kind !== 'device' && main ? main : undefined
  return {
    name,
    path: pathOf(copy),
    folder,
    kind,
    ...(single ? { type: single.objectKind, programmingLanguage: single.language } : {}),
    objectCount: mains.length,
    dependencyCount: objects.length - mains.length,
    size: objects.reduce((sum, { size }) => sum + size, 0),
    author,
    comment,
    createdAt: time(createdAt),
  }
}

/** Schema of {@link copyView}. */
export const copyFields = (t: SchemaBuilder) => ({
  name: t.String(),
  path: t.String({ description: 'A/B/name' }),
  folder: t.String({ description: 'A/B; empty: directly below the master copies.' }),
  kind: t.String({ description: 'block, type, tag-table, watch-table …; folder; device.' }),
  type: t.Optional(t.String({ description: 'Of one object: FB, FC, GlobalDB, UDT, TagTable …' })),
  programmingLanguage: t.Optional(t.String()),
  objectCount: t.Integer(),
  dependencyCount: t.Integer({ description: 'Objects that come along because others use them.' }),
  size: t.Integer({ description: 'Bytes of the texts.' }),
  author: t.String(),
  comment: t.String(),
  createdAt: t.DateTime(),
})

/** A type in lists, with its versions. */
export function typeView(ctx: Pick<QueryContext, 'read'>, type: LibraryType) {
  const { name, folder, kind, author, comment, createdAt, defaultVersion, versions } = type
  const shown = versions.find(({ version }) => version === defaultVersion)!
  return {
    name,
    path: pathOf(type),
    folder,
    kind,
    type: shown.object.objectKind,
    programmingLanguage: shown.object.language,
    author,
    comment,
    createdAt: time(createdAt),
    defaultVersion,
    instanceCount: ctx.read(instances).find('byType', type.id).length,
    versions: versions.map((one) => ({
      version: one.version,
      status: one.status,
      isDefault: one.version === defaultVersion,
      author: one.author,
      comment: one.comment,
      createdAt: time(one.createdAt),
      size: one.object.size,
      document: one.object.document,
      dependencies: one.dependencies.map((used) => ({ ...used })),
    })),
  }
}

/** Schema of a reference to a version. */
export const referenceFields = (t: SchemaBuilder) => ({ type: t.String(), version: t.String() })

/** Schema of {@link typeView}. */
export const typeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  path: t.String(),
  folder: t.String(),
  kind: t.String({ description: 'block, type …' }),
  type: t.String({ description: 'FB, FC, OB, UDT …' }),
  programmingLanguage: t.String(),
  author: t.String(),
  comment: t.String(),
  createdAt: t.DateTime(),
  defaultVersion: t.String(),
  instanceCount: t.Integer({ description: 'In the open project.' }),
  versions: t.Array(
    t.Object({
      version: t.String(),
      status: t.String({ description: 'inWork or released.' }),
      isDefault: t.Boolean(),
      author: t.String(),
      comment: t.String(),
      createdAt: t.DateTime(),
      size: t.Integer(),
      document: t.String({ description: 'Hash of the text; equal texts have equal hashes.' }),
      dependencies: t.Array(t.Object(referenceFields(t)), { description: 'Versions of types that it uses.' }),
    }),
  ),
})

/** An object that was put into a device. */
export const installedView = (one: Installed) => ({ ...one })

/** Schema of {@link installedView}. */
export const installedFields = (t: SchemaBuilder) => ({
  kind: t.String(),
  type: t.String(),
  name: t.String(),
  originalName: t.Optional(t.String({ description: 'Its name in the library, when it got another one.' })),
  folder: t.String(),
  number: t.Optional(t.Integer()),
  action: t.String({ description: 'created, replaced, unchanged, or kept: what was there stays.' }),
  isDependency: t.Boolean(),
})

interface TreeNode {
  name: string
  path: string
  isFolder: boolean
  kind?: string
  type?: string
  defaultVersion?: string
  children: TreeNode[]
}

/** The tree of a library: its two areas with their folders and what is in them. */
export function libraryTree(ctx: Pick<QueryContext, 'read'>, library: Library) {
  const branch = (name: string, folders: readonly string[], leaves: readonly (TreeNode & { folder: string })[]) => {
    const root: TreeNode = { name, path: '', isFolder: true, children: [] }
    const nodes = new Map<string, TreeNode>([['', root]])
    for (const path of folders) {
      const at = path.lastIndexOf('/')
      const node: TreeNode = { name: path.slice(at + 1), path, isFolder: true, children: [] }
      nodes.set(path.toLowerCase(), node)
      nodes.get(path.slice(0, Math.max(0, at)).toLowerCase())?.children.push(node)
    }
    for (const { folder, ...leaf } of leaves) (nodes.get(folder.toLowerCase()) ?? root).children.push(leaf)
    return root
  }
  const byName = <T extends { readonly name: string }>(list: T[]) =>
    list.sort((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()))
  const leafOf = (one: MasterCopy | LibraryType) => ({
    name: one.name,
    path: pathOf(one),
    folder: one.folder,
    isFolder: false,
    kind: one.kind,
    children: [],
  })
  const copies = byName(copiesOf(ctx, library.id)).map(leafOf)
  const types = byName(typesIn(ctx, library.id)).map((type) => ({
    ...leafOf(type),
    type: type.versions[0]!.object.objectKind,
    defaultVersion: type.defaultVersion,
  }))
  return {
    name: library.name,
    scope: library.scope,
    children: [
      branch('Master copies', foldersIn(ctx, library.id, 'masterCopies'), copies),
      branch('Types', foldersIn(ctx, library.id, 'types'), types),
    ],
  }
}

const libraryNode = (t: SchemaBuilder) =>
  t.Named('LibraryTreeNode', (self) =>
    t.Object({
      name: t.String(),
      path: t.String(),
      isFolder: t.Boolean(),
      kind: t.Optional(t.String({ description: 'Of what is no folder.' })),
      type: t.Optional(t.String({ description: 'Of a library type: the kind of its object.' })),
      defaultVersion: t.Optional(t.String({ description: 'Of a library type.' })),
      children: t.Array(self),
    }),
  )

/** Schema of {@link libraryTree}. */
export const treeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  scope: t.String(),
  children: t.Array(libraryNode(t), { description: 'Master copies, and Types.' }),
})
