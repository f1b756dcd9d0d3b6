/** The operations of the projects plugin. What they do is loaded on first use. */
import {
  command,
  defined,
  del,
  faultSchema,
  get,
  noInput,
  notFound,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { fileOperations } from './files/file-operations.ts'
import { currentProject, historyRemoved, isModified, projectHistory, requireProject } from './project.ts'
import { culturesField, propertyOperations } from './property-operations.ts'
import { searchOperations } from './search/search-operations.ts'
import { tiaFields, tiaOperations, tiaReport } from './tia/tia-operations.ts'

const path = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 4096, description })

/** The fields of `projectView`. */
const projectFields = (t: SchemaBuilder) => ({
  name: t.String(),
  path: t.String({ description: 'Folder of the project.' }),
  id: t.String(),
  version: t.String({ description: 'Engineering version, V16 to V21.' }),
  author: t.String(),
  comment: t.String(),
  createdAt: t.DateTime(),
  modifiedAt: t.DateTime({ description: 'When the content was last changed.' }),
  savedAt: t.Optional(t.DateTime({ description: 'When the files were last written; absent: never.' })),
  isModified: t.Boolean({ description: 'There are changes that are not saved.' }),
  simulationSupport: t.Boolean(),
  cultures: t.Array(t.String(), { description: 'Languages of texts.' }),
})

/** The fields of an opened project. */
const openedFields = (t: SchemaBuilder) => ({
  ...projectFields(t),
  how: t.String({ description: 'opened, restored, or imported (a folder of exported files: not saved yet).' }),
  imported: t.Optional(t.Integer({ description: 'Files imported from a folder without manifest.' })),
  files: t.Optional(
    t.Array(
      t.Object({
        path: t.String(),
        status: t.String({
          description: 'imported, partial, failed, skipped (nothing for a PLC program) or ignored (not read).',
        }),
        errors: t.Optional(t.Array(faultSchema(t))),
        message: t.Optional(t.String({ description: 'Why it was skipped.' })),
      }),
      { description: 'What became of each file of a folder without manifest.' },
    ),
  ),
  warnings: t.Array(t.String()),
  tia: t.Optional(tiaReport(t)),
})

async function openedView(opened: import('./import-content.ts').Opened) {
  const { projectView } = await import('./overview.ts')
  const { project, how, imported, files, warnings, tia } = opened
  return {
    ...projectView(project),
    how,
    ...defined({ imported, files }),
    warnings: [...warnings],
    ...defined({ tia }),
  }
}

const list = query({
  id: 'projects.list',
  title: 'List the open projects',
  description: 'One project can be open at a time; the list is empty when none is.',
  input: noInput,
  output: (t) => t.Object({ projects: t.Array(t.Object(projectFields(t))), total: t.Integer() }),
  http: [get('/api/projects')],
  mcp: { toolset: 'projects' },
  async run(_input, ctx) {
    const { projectView } = await import('./overview.ts')
    const project = currentProject(ctx)
    return { projects: project ? [projectView(project)] : [], total: project ? 1 : 0 }
  },
})

const overview = query({
  id: 'projects.overview',
  title: 'Show the open project with its devices, blocks, types and tag tables',
  input: noInput,
  output: (t) =>
    t.Object({
      projectName: t.String(),
      projectPath: t.String(),
      version: t.String(),
      author: t.String(),
      comment: t.String(),
      isModified: t.Boolean(),
      devices: t.Array(
        t.Object(
          {
            name: t.String(),
            typeIdentifier: t.Optional(t.String()),
            type: t.Optional(t.String()),
            articleNumber: t.Optional(t.String()),
            version: t.Optional(t.String({ description: 'Firmware.' })),
            blocks: t.Array(t.Object({ name: t.String(), type: t.String(), language: t.String() })),
            tagTables: t.Array(t.Object({ name: t.String(), tagCount: t.Integer(), isDefault: t.Boolean() })),
            udts: t.Array(
              t.Object({
                name: t.String(),
                number: t.Union([t.Integer(), t.Null()]),
                isConsistent: t.Boolean(),
                modifiedDate: t.DateTime(),
              }),
            ),
            deviceItems: t.Array(t.Object({ name: t.String(), typeIdentifier: t.String() })),
            hmiScreens: t.Optional(t.Array(t.Object({ name: t.String(), screenType: t.String() }))),
            watchTables: t.Optional(t.Array(t.Object({ name: t.String(), entryCount: t.Integer() }))),
            forceTables: t.Optional(t.Array(t.Object({ name: t.String(), entryCount: t.Integer() }))),
          },
          { additionalProperties: true },
        ),
      ),
    }),
  http: [get('/api/projects/overview')],
  mcp: { toolset: 'projects', essential: true },
  async run(_input, ctx) {
    const project = requireProject(ctx)
    return (await import('./overview.ts')).overviewOf(ctx, project)
  },
})

const history = query({
  id: 'projects.history',
  title: 'List recently opened projects, the latest first',
  input: noInput,
  output: (t) =>
    t.Object({
      history: t.Array(t.Object({ path: t.String(), name: t.String(), lastAccess: t.DateTime() })),
      total: t.Integer(),
    }),
  http: [get('/api/projects/history')],
  mcp: { toolset: 'projects' },
  run(_input, ctx) {
    const entries = [...ctx.read(projectHistory).values()].sort((a, b) => b.lastAccess - a.lastAccess)
    return {
      history: entries.map((entry) => ({ ...entry, lastAccess: new Date(entry.lastAccess).toISOString() })),
      total: entries.length,
    }
  },
})

const deleteHistory = command({
  id: 'projects.delete-history',
  title: 'Remove an entry, or all, from the history of opened projects',
  description: 'Removes the entry of `path`; with `all` every entry. The project itself is not touched.',
  input: (t) =>
    t.Object({
      path: t.Optional(path(t, 'Path of the entry, as the history shows it.')),
      all: t.Optional(t.Boolean({ description: 'Remove every entry.' })),
    }),
  output: (t) => t.Object({ removed: t.Integer(), paths: t.Array(t.String()) }),
  http: [del('/api/projects/history')],
  mcp: { toolset: 'projects', destructive: true },
  aliases: { path: ['projectPath'] },
  async run(input, ctx) {
    const known = [...ctx.read(projectHistory).keys()]
    if ((input.path === undefined) === (input.all !== true)) {
      throw problem(
        'invalid_input',
        '/path: name the entry to remove by `path`, or send `all: true`; one of the two.',
        {
          errors: [{ path: '/path', message: 'path or all is needed', allowed: known }],
        },
      )
    }
    const paths = input.path === undefined ? known : [await historyPath(input.path, known)]
    if (paths.length > 0) ctx.emit(historyRemoved, { paths })
    return { removed: paths.length, paths }
  },
})

/** The path in the history that a client means: the shown one, or that of the manifest in it. */
async function historyPath(given: string, known: readonly string[]): Promise<string> {
  const { dirname, resolve } = await import('node:path')
  const candidates = [given, resolve(given), dirname(resolve(given))]
  const found = known.find((entry) => candidates.includes(entry))
  if (found === undefined) throw notFound('project in the history', given, known)
  return found
}

const infrastructure = query({
  id: 'projects.infrastructure',
  title: 'Show subnets, connections and IO systems of the open project',
  input: noInput,
  output: (t) =>
    t.Object({
      subnets: t.Array(
        t.Object({
          name: t.String(),
          type: t.String({ description: 'Ethernet, Profibus, Mpi or Asi.' }),
          nodes: t.Array(
            t.Object({
              device: t.String(),
              interface: t.String(),
              ipAddress: t.Optional(t.String()),
              subnetMask: t.Optional(t.String()),
              busAddress: t.Optional(t.Integer({ description: 'On PROFIBUS and MPI.' })),
              profinetName: t.Optional(t.String({ description: 'When one was set.' })),
            }),
          ),
        }),
      ),
      connections: t.Array(
        t.Object({
          name: t.String(),
          type: t.String({
            description:
              'PROFINET IO: an IO controller with an IO device; S7: a configured connection; Topology: a cable.',
          }),
          device: t.String(),
          partner: t.String(),
          ioSystem: t.Optional(t.String()),
          subnet: t.Optional(t.String()),
        }),
        { description: 'HMI connections are not part of it.' },
      ),
      ioSystems: t.Array(
        t.Object({
          name: t.String(),
          number: t.Optional(t.Integer()),
          controller: t.Optional(t.String({ description: 'Device with the IO controller.' })),
          subnet: t.Optional(t.String()),
          devices: t.Array(t.String(), { description: 'IO devices.' }),
          members: t.Array(t.Object({ device: t.String(), deviceNumber: t.Optional(t.Integer()) }), {
            description: 'The IO devices with their numbers.',
          }),
        }),
      ),
    }),
  http: [get('/api/projects/infrastructure')],
  mcp: { toolset: 'projects' },
  async run(_input, ctx) {
    requireProject(ctx)
    return (await import('./overview.ts')).infrastructureOf(ctx)
  },
})

const create = command({
  id: 'projects.create',
  title: 'Create an empty project and open it',
  description:
    'Makes the folder `<directory>/<name>` with the manifest `<name>.gantry`. An existing folder is refused (409), as is a second open project.',
  input: (t) =>
    t.Object({
      name: t.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the project, its folder and its manifest.',
      }),
      directory: t.Optional(path(t, 'Folder in which the project folder is made. Default: the first workspace root.')),
      author: t.Optional(t.String({ maxLength: 1000 })),
      comment: t.Optional(t.String({ maxLength: 100_000 })),
      version: t.Optional(
        t.String({
          description: 'Engineering version, V16 to V21. Default: engineering.defaultVersion of the settings.',
        }),
      ),
      cultures: t.Optional(culturesField(t, 'Languages of texts, e.g. en-US. Default: en-US.')),
    }),
  output: (t) => t.Object(projectFields(t)),
  http: [post('/api/projects/actions/create-sync'), post('/api/projects/actions/create', 'async')],
  mcp: { toolset: 'projects', essential: true },
  needsInstance: true,
  aliases: {
    name: ['projectName'],
    directory: ['path', 'targetDirectory', 'projectPath', 'directoryPath', 'folder'],
    version: ['engineeringVersion', 'tiaVersion'],
  },
  example: { name: 'Bottling', author: 'A. Engineer', version: 'V19' },
  async run(input, ctx) {
    const [{ requireNoProject }, { createProject }, { projectView }] = await Promise.all([
      import('./open.ts'),
      import('./create.ts'),
      import('./overview.ts'),
    ])
    requireNoProject(ctx)
    return projectView(await createProject(ctx, input))
  },
})

const open = command({
  id: 'projects.open',
  title: 'Open a project',
  description:
    'Takes the folder of a project or its manifest (`*.gantry`). A folder without manifest that holds exported files (SimaticML `.xml`, `.scl`, `.db`, `.udt`) is imported and opened as a new project that is not saved yet: `files` says what became of each. All or nothing: any faulty file is a 422 with every fault, unless `continueOnError` is true. A project or library of TIA Portal (V14 to V21; `.apNN`, its folder, archive or backup) is read from its own file and opened as a new project; `tia` says how far each object was read, and damage is a 422 that `continueOnError` leaves out. When there is a Gantry project of that name beside it, that one is opened.',
  input: (t) =>
    t.Object({
      path: path(t, 'Folder or manifest of the project.'),
      continueOnError: t.Optional(
        t.Boolean({ description: 'Of a folder of exported files take those that are right. Default: false.' }),
      ),
      ...tiaFields(t),
    }),
  output: (t) => t.Object(openedFields(t)),
  http: [post('/api/projects/actions/open', 'async'), post('/api/projects/actions/open-sync')],
  mcp: { toolset: 'projects', essential: true },
  needsInstance: true,
  aliases: { path: ['projectPath', 'projectFile', 'filePath'], continueOnError: ['keepOnError', 'ignoreErrors'] },
  example: { path: 'Bottling' },
  async run(input, ctx) {
    const { openPath, requireNoProject } = await import('./open.ts')
    requireNoProject(ctx)
    const { path: named, continueOnError = false, asOfSave } = input
    return openedView(await openPath(ctx, named, { continueOnError, ...defined({ asOfSave }) }))
  },
})

const close = command({
  id: 'projects.close',
  title: 'Close the open project',
  description:
    'Unsaved changes are not lost by accident: with changes, send `save: true` to save first or `force: true` to discard them; without either the answer is 409. (TIA Portal asks in its window, and discards when closed by a program.)',
  input: (t) =>
    t.Object({
      save: t.Optional(t.Boolean({ description: 'Save before closing.' })),
      force: t.Optional(t.Boolean({ description: 'Close and discard unsaved changes.' })),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      path: t.String(),
      closed: t.Boolean(),
      saved: t.Boolean({ description: 'It was saved before.' }),
      discarded: t.Boolean({ description: 'Unsaved changes were discarded.' }),
    }),
  http: [post('/api/projects/actions/close-sync'), post('/api/projects/actions/close', 'async')],
  mcp: { toolset: 'projects', essential: true, destructive: true },
  needsInstance: true,
  aliases: { save: ['saveChanges', 'saveBeforeClose'], force: ['discard', 'discardChanges', 'ignoreChanges'] },
  async run(input, ctx) {
    return await (await import('./close.ts')).closeProject(ctx, requireProject(ctx), input)
  },
})

const save = command({
  id: 'projects.save',
  title: 'Save the open project',
  description:
    'Writes the project tree: only files that differ, and removes files of things that are gone; the manifest last. With `path` the project is saved as another one into that new folder, whose name becomes its name, and goes on there.',
  input: (t) => t.Object({ path: t.Optional(path(t, 'Save as: a folder that does not exist yet.')) }),
  output: (t) =>
    t.Object({
      name: t.String(),
      path: t.String(),
      files: t.Integer({ description: 'Files of the project.' }),
      written: t.Integer(),
      removed: t.Integer({ description: 'Files of things that are gone.' }),
      unchanged: t.Integer(),
    }),
  http: [post('/api/projects/actions/save-sync'), post('/api/projects/actions/save', 'async')],
  mcp: { toolset: 'projects', essential: true },
  needsInstance: true,
  aliases: { path: ['projectPath', 'targetDirectory', 'saveAs'] },
  async run(input, ctx) {
    const project = requireProject(ctx)
    const { saveProject, saveTarget } = await import('./files/save.ts')
    if (input.path === undefined) return saveProject(ctx, project)
    return saveProject(ctx, project, await saveTarget(ctx, input.path))
  },
})

const archive = command({
  id: 'projects.archive',
  title: 'Archive the project to a .zap file',
  description:
    'Packs the saved project folder into a ZIP file with the extension of the project version (`.zap19`). With unsaved changes send `save: true`, else 409. Without a target it goes beside the project folder.',
  input: (t) =>
    t.Object({
      archivePath: t.Optional(path(t, 'File to write, or an existing folder to write `<project>.zapNN` in.')),
      targetDirectory: t.Optional(path(t, 'Folder of the archive, when archivePath is not given.')),
      targetName: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 200,
          pattern: '^[^/\\\\\\u0000]+$',
          description: 'File name. Default: the name of the project.',
        }),
      ),
      overwrite: t.Optional(t.Boolean({ description: 'Replace an existing file.' })),
      save: t.Optional(t.Boolean({ description: 'Save unsaved changes first.' })),
    }),
  output: (t) =>
    t.Object({
      archivePath: t.String(),
      size: t.Integer({ description: 'Bytes.' }),
      files: t.Integer(),
      projectName: t.String(),
    }),
  http: [post('/api/projects/actions/archive', 'async'), post('/api/projects/actions/archive-sync')],
  mcp: { toolset: 'projects' },
  needsInstance: true,
  aliases: {
    archivePath: ['exportPath', 'targetPath', 'path', 'filePath', 'archiveFile'],
    targetName: ['archiveName', 'name'],
  },
  async run(input, ctx) {
    const { archiveProject } = await import('./archive/archive.ts')
    let project = requireProject(ctx)
    if (input.save === true && isModified(project)) {
      await (await import('./files/save.ts')).saveProject(ctx, project)
      project = requireProject(ctx)
    }
    return { ...(await archiveProject(ctx, project, input)), projectName: project.name }
  },
})

const restore = command({
  id: 'projects.create-from-archive',
  title: 'Restore a project from a .zap archive and open it',
  description:
    'Unpacks the archive into `<targetDirectory>/<project>`, which must not exist, and opens it. The archive is a file of the workspace, or sent as `file`. An archive made by TIA Portal (V14 to V21) is read and opened as a new project in that folder; `tia` says how far each object was read.',
  input: (t) =>
    t.Object({
      archivePath: t.Optional(path(t, 'The archive, a file of the workspace.')),
      file: t.Optional(t.Upload({ description: 'The archive itself, instead of archivePath.' })),
      targetDirectory: t.Optional(
        path(t, 'Folder in which the project folder is made. Default: the first workspace root.'),
      ),
      continueOnError: t.Optional(
        t.Boolean({ description: 'Of a TIA Portal project leave damaged records out. Default: false.' }),
      ),
      ...tiaFields(t),
    }),
  output: (t) => t.Object(openedFields(t)),
  http: [
    post('/api/projects/actions/create-from-archive-sync'),
    post('/api/projects/actions/create-from-archive', 'async'),
    post('/api/projects/actions/retrieve', 'async'),
    post('/api/projects/actions/retrieve-sync'),
  ],
  mcp: { toolset: 'projects' },
  needsInstance: true,
  aliases: {
    archivePath: ['path', 'archiveFile', 'sourcePath', 'filePath', 'importFilePath'],
    targetDirectory: ['targetPath', 'directory', 'projectPath'],
  },
  async run(input, ctx) {
    const [{ requireNoProject }, { restoreArchive }] = await Promise.all([
      import('./open.ts'),
      import('./archive/archive.ts'),
    ])
    if ((input.archivePath === undefined) === (input.file === undefined)) {
      throw problem(
        'invalid_input',
        '/archivePath: name an archive of the workspace, or send one as `file`; one of the two.',
        {
          errors: [{ path: '/archivePath', message: 'archivePath or file is needed' }],
        },
      )
    }
    requireNoProject(ctx)
    const source =
      input.archivePath !== undefined
        ? { name: input.archivePath, content: await ctx.files.read(input.archivePath) }
        : { name: input.file!.fileName, content: await ctx.blobs.get(input.file!.blob) }
    const { targetDirectory = '.', continueOnError, asOfSave } = input
    return openedView(
      await restoreArchive(ctx, source, {
        targetDirectory,
        ...defined({ continueOnError, asOfSave }),
      }),
    )
  },
})

export const projectOperations: readonly Operation[] = [
  list,
  overview,
  history,
  deleteHistory,
  infrastructure,
  create,
  open,
  close,
  save,
  archive,
  restore,
  ...propertyOperations,
  ...fileOperations,
  ...searchOperations,
  ...tiaOperations,
]
