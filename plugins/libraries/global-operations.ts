/** The operations on global libraries. */
import { command, del, get, noInput, type Operation, post, query, type SchemaBuilder } from '../../core/index.ts'
import { requireDevice } from '../devices/index.ts'
import { pageOf } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import {
  folderAliases,
  instantiateCopyAliases,
  instantiateCopyFields,
  instantiateTypeAliases,
  instantiateTypeFields,
  libraryAliases,
  libraryName,
  newCopyAliases,
  newCopyFields,
} from './fields.ts'
import {
  copiesOf,
  openLibraries,
  pathOf,
  requireCopy,
  requireGlobalLibrary,
  requireLibraryType,
  typesIn,
} from './library.ts'
import { deletedTypeFields, deleteTypeFields } from './type-operations.ts'
import {
  copyFields,
  copyView,
  installedFields,
  installedView,
  libraryFields,
  libraryTree,
  libraryView,
  referenceFields,
  treeFields,
  typeFields,
  typeView,
} from './views.ts'

const base = '/api/libraries/global'
const mcp = { toolset: 'libraries' } as const
const aliases = { library: libraryAliases }
/** Fields of a library by itself may be called `name` too. */
const named = { library: [...libraryAliases, 'name'] }
const path = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 4096, description })

const list = query({
  id: 'libraries.list-global',
  title: 'List the global libraries that are open',
  input: noInput,
  output: (t) => t.Object({ libraries: t.Array(t.Object(libraryFields(t))), total: t.Integer() }),
  http: [get(base)],
  mcp,
  run(_input, ctx) {
    const all = openLibraries(ctx)
    return { libraries: all.map((library) => libraryView(ctx, library)), total: all.length }
  },
})

const create = command({
  id: 'libraries.create-global',
  title: 'Make a global library and open it',
  description:
    'A folder `<directory>/<name>` with the manifest `<name>.gantrylib`: text, for version control. Projects share it; it stays open when a project is closed.',
  input: (t) =>
    t.Object({
      name: t.String({ minLength: 1, maxLength: 200 }),
      directory: t.Optional(path(t, 'Folder in which its folder is made. Default: the first workspace root.')),
      author: t.Optional(t.String({ maxLength: 200 })),
      comment: t.Optional(t.String({ maxLength: 10_000 })),
      version: t.Optional(t.String({ description: 'Engineering version, V16 to V21. Default: that of the project.' })),
    }),
  output: (t) => t.Object(libraryFields(t)),
  http: [post(base)],
  mcp,
  needsInstance: true,
  aliases: {
    name: ['libraryName'],
    directory: ['targetDirectory', 'path', 'directoryPath', 'folder'],
    version: ['engineeringVersion'],
  },
  example: { name: 'Plant', comment: 'Drives and valves' },
  async run(input, ctx) {
    return libraryView(ctx, await (await import('./global.ts')).createLibrary(ctx, input))
  },
})

const open = command({
  id: 'libraries.open-global',
  title: 'Open a global library',
  description:
    'By its folder, its manifest (`*.gantrylib`) or its archive (`.zalNN`); an archive is unpacked into `targetDirectory`, or opened read-only as it is. A global library of TIA Portal (`.alNN`, `.zalNN`, V14 to V21) is read the same way: types with versions, master copies; `warnings` says what is not. Several can be open. One gateway at a time has a library open for writing: a lock file tells others.',
  input: (t) =>
    t.Object({
      path: path(t, 'Folder, manifest or archive.'),
      openMode: t.Optional(
        t.Enum(['ReadWrite', 'ReadOnly'], { description: 'Default: ReadWrite; of an archive ReadOnly.' }),
      ),
      targetDirectory: t.Optional(path(t, 'Folder in which an archive is unpacked.')),
      takeLock: t.Optional(t.Boolean({ description: 'Take the lock of a gateway that is gone.' })),
    }),
  output: (t) =>
    t.Object({
      ...libraryFields(t),
      warnings: t.Array(t.String(), {
        description: 'Of a library of TIA Portal: what is not read of it, or only in part.',
      }),
    }),
  http: [post(`${base}/actions/open`)],
  mcp,
  needsInstance: true,
  aliases: { path: ['libraryPath', 'filePath', 'archivePath'], takeLock: ['force'], openMode: ['mode'] },
  async run(input, ctx) {
    const { library, warnings } = await (await import('./global.ts')).openLibrary(ctx, input)
    return { ...libraryView(ctx, library), warnings }
  },
})

const close = command({
  id: 'libraries.close-global',
  title: 'Close a global library',
  description: 'With unsaved changes send `save: true` or `force: true`; without either it is a 409.',
  input: (t) =>
    t.Object({
      library: libraryName(t),
      save: t.Optional(t.Boolean({ description: 'Save before closing.' })),
      force: t.Optional(t.Boolean({ description: 'Discard unsaved changes.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      path: t.String(),
      closed: t.Boolean(),
      saved: t.Boolean(),
      discarded: t.Boolean(),
    }),
  http: [post(`${base}/actions/close`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...named, save: ['saveChanges'], force: ['discard', 'discardChanges'] },
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    return (await import('./global.ts')).closeLibrary(ctx, library, input)
  },
})

const save = command({
  id: 'libraries.save-global',
  title: 'Save a global library',
  description: 'Writes the files that differ and removes those of what is gone, all together.',
  input: (t) => t.Object({ library: libraryName(t) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      path: t.String(),
      files: t.Integer(),
      written: t.Integer(),
      removed: t.Integer(),
      unchanged: t.Integer(),
    }),
  http: [post(`${base}/actions/save`)],
  mcp,
  needsInstance: true,
  aliases: named,
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    const done = await (await import('./global.ts')).saveLibrary(ctx, library)
    return { name: library.name, path: library.path, ...done }
  },
})

const archive = command({
  id: 'libraries.archive-global',
  title: 'Archive a global library to a .zal file',
  description: 'A ZIP of its files with the extension of its version (`.zal19`). Without a target beside its folder.',
  input: (t) =>
    t.Object({
      library: libraryName(t),
      archivePath: t.Optional(path(t, 'File to write, or an existing folder.')),
      targetDirectory: t.Optional(path(t, 'Folder of the archive, when archivePath is not given.')),
      overwrite: t.Optional(t.Boolean({ description: 'Replace an existing file.' })),
      save: t.Optional(t.Boolean({ description: 'Save unsaved changes first.' })),
    }),
  output: (t) => t.Object({ name: t.String(), archivePath: t.String(), size: t.Integer(), files: t.Integer() }),
  http: [post(`${base}/actions/archive`)],
  mcp,
  needsInstance: true,
  aliases: { ...named, archivePath: ['exportPath', 'targetPath', 'path', 'filePath'] },
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    return (await import('./global.ts')).archiveLibrary(ctx, library, input)
  },
})

const tree = query({
  id: 'libraries.tree-global',
  title: 'Show a global library as a tree',
  input: (t) => t.Object({ library: libraryName(t) }),
  output: (t) => t.Object(treeFields(t)),
  http: [get(`${base}/tree`)],
  mcp,
  aliases: named,
  run: (input, ctx) => libraryTree(ctx, requireGlobalLibrary(ctx, input.library)),
})

const listCopies = query({
  id: 'libraries.list-global-master-copies',
  title: 'List the master copies of a global library',
  description: 'Sorted by path; `q` is a part of the path.',
  input: (t) => t.Object({ library: libraryName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      library: t.String(),
      masterCopies: t.Array(t.Object(copyFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(`${base}/master-copies`)],
  mcp,
  aliases,
  run({ library: wanted, ...request }, ctx) {
    const library = requireGlobalLibrary(ctx, wanted)
    const all = copiesOf(ctx, library.id).map((copy) => ({ name: pathOf(copy), copy }))
    const { page, ...rest } = pageOf(all, request)
    return { library: library.name, masterCopies: page.map(({ copy }) => copyView(copy)), ...rest }
  },
})

const createCopy = command({
  id: 'libraries.create-global-master-copy',
  title: 'Make a master copy in a global library',
  description: 'As `libraries.create-master-copy`. The files of the library are written when it is saved.',
  input: (t) => t.Object({ library: libraryName(t), ...newCopyFields(t) }),
  output: (t) => t.Object({ library: t.String(), ...copyFields(t), action: t.String(), warnings: t.Array(t.String()) }),
  http: [post(`${base}/master-copies`)],
  mcp,
  needsInstance: true,
  aliases: { ...aliases, ...newCopyAliases },
  async run({ library: wanted, ...request }, ctx) {
    const library = requireGlobalLibrary(ctx, wanted)
    const { copy, action, warnings } = await (await import('./copies.ts')).createCopy(ctx, library, request)
    return { library: library.name, ...copyView(copy), action, warnings }
  },
})

const deleteCopy = command({
  id: 'libraries.delete-global-master-copy',
  title: 'Delete a master copy of a global library',
  input: (t) =>
    t.Object({
      library: libraryName(t),
      name: t.String({ minLength: 1, maxLength: 2000, description: 'Name or path (A/B/name).' }),
    }),
  output: (t) => t.Object({ library: t.String(), name: t.String(), path: t.String(), deleted: t.Boolean() }),
  http: [del(`${base}/master-copies`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...aliases, name: ['mcPath', 'path', 'masterCopyName', 'masterCopyPath'] },
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    const copy = (await import('./copies.ts')).deleteCopy(ctx, library, input.name)
    return { library: library.name, name: copy.name, path: pathOf(copy), deleted: true }
  },
})

const instantiateCopy = command({
  id: 'libraries.instantiate-global-master-copy',
  title: 'Put what a master copy of a global library holds into the project',
  description: 'As `libraries.instantiate-master-copy`.',
  input: (t) => t.Object({ library: libraryName(t), ...instantiateCopyFields(t) }),
  output: (t) =>
    t.Object({
      library: t.String(),
      deviceName: t.String(),
      newDevice: t.Boolean(),
      objects: t.Array(t.Object(installedFields(t))),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/master-copies/actions/instantiate`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...aliases, ...instantiateCopyAliases },
  async run({ library: wanted, name, ...request }, ctx) {
    const library = requireGlobalLibrary(ctx, wanted)
    const { instantiateCopy: put } = await import('./copies.ts')
    requireProject(ctx)
    const done = await put(ctx, requireCopy(ctx, library, name), request)
    return {
      library: library.name,
      deviceName: done.device.name,
      newDevice: done.isNewDevice,
      objects: done.objects.map(installedView),
      warnings: [...done.warnings],
    }
  },
})

const createFolder = command({
  id: 'libraries.create-global-folder',
  title: 'Create a folder for master copies in a global library',
  description: 'Folders above it are made with it. An existing folder is a 409.',
  input: (t) =>
    t.Object({ library: libraryName(t), path: t.String({ minLength: 1, maxLength: 1000, description: 'A/B' }) }),
  output: (t) => t.Object({ library: t.String(), path: t.String(), created: t.Boolean() }),
  http: [post(`${base}/master-copies/folders`)],
  mcp,
  needsInstance: true,
  aliases: { ...aliases, path: folderAliases },
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    const made = (await import('./copies.ts')).createFolder(ctx, library, 'masterCopies', input.path)
    return { library: library.name, path: made, created: true }
  },
})

const listTypes = query({
  id: 'libraries.list-global-types',
  title: 'List the types of a global library with their versions',
  input: (t) => t.Object({ library: libraryName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      library: t.String(),
      types: t.Array(t.Object(typeFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(`${base}/types`)],
  mcp,
  aliases,
  run({ library: wanted, ...request }, ctx) {
    const library = requireGlobalLibrary(ctx, wanted)
    const { page, ...rest } = pageOf(typesIn(ctx, library.id), request)
    return { library: library.name, types: page.map((type) => typeView(ctx, type)), ...rest }
  },
})

const instantiateType = command({
  id: 'libraries.instantiate-global-type',
  title: 'Put an instance of a type of a global library into a device',
  description:
    'The version, and those it depends on, are copied into the library of the project first. A different type of the name there is a 409.',
  input: (t) => t.Object({ library: libraryName(t), ...instantiateTypeFields(t) }),
  output: (t) =>
    t.Object({
      library: t.String(),
      deviceName: t.String(),
      typeName: t.String(),
      version: t.String(),
      objects: t.Array(t.Object(installedFields(t))),
      copied: t.Array(t.Object(referenceFields(t)), { description: 'Versions that are now in the project library.' }),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/types/actions/instantiate`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...aliases, ...instantiateTypeAliases },
  async run({ library: wanted, ...request }, ctx) {
    requireDevice(ctx, request.deviceName)
    const library = requireGlobalLibrary(ctx, wanted)
    const type = requireLibraryType(ctx, library, request.typeName)
    const { instantiateType: put } = await import('./instances.ts')
    const { device, version, objects, copied, warnings } = await put(ctx, library, type, request)
    return {
      library: library.name,
      deviceName: device.name,
      typeName: type.name,
      version,
      objects: objects.map(installedView),
      copied: copied.map((one) => ({ ...one })),
      warnings: [...warnings],
    }
  },
})

const deleteType = command({
  id: 'libraries.delete-global-type',
  title: 'Delete a type of a global library, or one version of it',
  description:
    'A type that other types of the library use is a 409 naming them, unless with `force: true`. Projects have what they took from it in their own libraries.',
  input: (t) => t.Object({ library: libraryName(t), ...deleteTypeFields(t) }),
  output: (t) => t.Object({ library: t.String(), ...deletedTypeFields(t) }),
  http: [del(`${base}/types/{typeName}`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { ...aliases, typeName: ['name'] },
  async run(input, ctx) {
    const library = requireGlobalLibrary(ctx, input.library)
    const { deleteType: remove } = await import('./type-delete.ts')
    const done = remove(ctx, library, requireLibraryType(ctx, library, input.typeName), input)
    return { library: library.name, ...done }
  },
})

export const globalOperations: readonly Operation[] = [
  list,
  create,
  open,
  close,
  save,
  archive,
  tree,
  listCopies,
  createCopy,
  deleteCopy,
  instantiateCopy,
  createFolder,
  listTypes,
  instantiateType,
  deleteType,
]
