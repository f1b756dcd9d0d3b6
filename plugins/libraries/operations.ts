/** The operations on the library of the project: what it holds, master copies, folders. */
import { command, del, get, noInput, type Operation, post, query } from '../../core/index.ts'
import { pageOf } from '../program-objects/index.ts'
import {
  folderAliases,
  instantiateCopyAliases,
  instantiateCopyFields,
  newCopyAliases,
  newCopyFields,
} from './fields.ts'
import { copiesOf, pathOf, projectLibrary, requireCopy } from './library.ts'
import {
  copyFields,
  copyView,
  installedFields,
  installedView,
  libraryFields,
  libraryTree,
  libraryView,
  treeFields,
} from './views.ts'

const base = '/api/project/library'
const mcp = { toolset: 'libraries' } as const

const show = query({
  id: 'libraries.get',
  title: 'Show the library of the project',
  input: noInput,
  output: (t) => t.Object(libraryFields(t)),
  http: [get(base)],
  mcp,
  run: (_input, ctx) => libraryView(ctx, projectLibrary(ctx)),
})

const tree = query({
  id: 'libraries.tree',
  title: 'Show the library of the project as a tree',
  input: noInput,
  output: (t) => t.Object(treeFields(t)),
  http: [get(`${base}/tree`)],
  mcp,
  run: (_input, ctx) => libraryTree(ctx, projectLibrary(ctx)),
})

const list = query({
  id: 'libraries.list-master-copies',
  title: 'List the master copies of the project library',
  description: 'Sorted by path; `q` is a part of the path.',
  input: (t) => t.Object(t.paging()),
  output: (t) =>
    t.Object({
      masterCopies: t.Array(t.Object(copyFields(t))),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(`${base}/master-copies`)],
  mcp,
  run(input, ctx) {
    const all = copiesOf(ctx, projectLibrary(ctx).id).map((copy) => ({ name: pathOf(copy), copy }))
    const { page, ...rest } = pageOf(all, input)
    return { masterCopies: page.map(({ copy }) => copyView(copy)), ...rest }
  },
})

const create = command({
  id: 'libraries.create-master-copy',
  title: 'Make a master copy in the project library',
  description:
    'Of an object (`deviceName`, `objectName`), a folder of objects (`objectFolder`), a whole station (`deviceName` alone), or a master copy of another library. What is used comes along. The content is not copied: the master copy refers to the texts that are there.',
  input: (t) => t.Object(newCopyFields(t)),
  output: (t) =>
    t.Object({
      ...copyFields(t),
      action: t.String({ description: 'created or replaced.' }),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/master-copies`)],
  mcp,
  needsInstance: true,
  aliases: newCopyAliases,
  example: { deviceName: 'PLC_1', objectName: 'Motor', folder: 'Drives', comment: 'Checked on site' },
  async run(input, ctx) {
    const { createCopy } = await import('./copies.ts')
    const { copy, action, warnings } = await createCopy(ctx, projectLibrary(ctx), input)
    return { ...copyView(copy), action, warnings }
  },
})

const remove = command({
  id: 'libraries.delete-master-copy',
  title: 'Delete a master copy of the project library',
  description:
    'By its name, or by its path with `/` as `%2F`: `Drives%2FMotor`. A name that several have is a 400 with their paths. What was made of it stays.',
  input: (t) => t.Object({ name: t.String({ minLength: 1, maxLength: 2000, description: 'Name or path.' }) }),
  output: (t) => t.Object({ name: t.String(), path: t.String(), deleted: t.Boolean() }),
  http: [del(`${base}/master-copies/{name}`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { name: ['mcPath', 'path', 'masterCopyName'] },
  async run(input, ctx) {
    const { deleteCopy } = await import('./copies.ts')
    const copy = deleteCopy(ctx, projectLibrary(ctx), input.name)
    return { name: copy.name, path: pathOf(copy), deleted: true }
  },
})

const instantiate = command({
  id: 'libraries.instantiate-master-copy',
  title: 'Put what a master copy of the project library holds into the project',
  description:
    'The objects are equal to what was copied, to the last character. Everything in the way (names, numbers, other content under a name) is a 409 that names all of it, before anything is stored; `onConflict` or `choices` say what to do.',
  input: (t) => t.Object(instantiateCopyFields(t)),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      newDevice: t.Boolean(),
      objects: t.Array(t.Object(installedFields(t))),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/master-copies/actions/instantiate`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: instantiateCopyAliases,
  example: { name: 'Drives/Motor', deviceName: 'PLC_2', folder: 'Drives', onConflict: 'keep' },
  async run({ name, ...request }, ctx) {
    const { instantiateCopy } = await import('./copies.ts')
    const done = await instantiateCopy(ctx, requireCopy(ctx, projectLibrary(ctx), name), request)
    return {
      deviceName: done.device.name,
      newDevice: done.isNewDevice,
      objects: done.objects.map(installedView),
      warnings: [...done.warnings],
    }
  },
})

const createFolder = command({
  id: 'libraries.create-folder',
  title: 'Create a folder for master copies in the project library',
  description: 'Folders above it are made with it. An existing folder is a 409.',
  input: (t) => t.Object({ path: t.String({ minLength: 1, maxLength: 1000, description: 'A/B' }) }),
  output: (t) => t.Object({ path: t.String(), created: t.Boolean() }),
  http: [post(`${base}/master-copies/folders`)],
  mcp,
  needsInstance: true,
  aliases: { path: folderAliases },
  async run(input, ctx) {
    const { createFolder: make } = await import('./copies.ts')
    return { path: make(ctx, projectLibrary(ctx), 'masterCopies', input.path), created: true }
  },
})

export const projectLibraryOperations: readonly Operation[] = [
  show,
  tree,
  list,
  create,
  remove,
  instantiate,
  createFolder,
]
