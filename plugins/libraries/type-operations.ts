/** The operations on types of the project library: versions, instances, compare. */
import { command, defined, del, get, type Operation, post, query, type SchemaBuilder } from '../../core/index.ts'
import { requireDevice } from '../devices/index.ts'
import { pageOf } from '../program-objects/index.ts'
import { conflictFields, instantiateTypeAliases, instantiateTypeFields } from './fields.ts'
import { projectLibrary, requireLibrary, requireLibraryType, typesIn } from './library.ts'
import { installedFields, installedView, referenceFields, typeFields, typeView } from './views.ts'

const base = '/api/project/library/types'
const mcp = { toolset: 'libraries' } as const

const typeName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 2000, description: 'Library type; case does not matter.' })
const versionNumber = (t: SchemaBuilder, description: string) => t.String({ minLength: 1, maxLength: 20, description })

const list = query({
  id: 'libraries.list-types',
  title: 'List the types of the project library with their versions',
  input: (t) => t.Object(t.paging()),
  output: (t) =>
    t.Object({ types: t.Array(t.Object(typeFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get(base)],
  mcp,
  run(input, ctx) {
    const { page, ...rest } = pageOf(typesIn(ctx, projectLibrary(ctx).id), input)
    return { types: page.map((type) => typeView(ctx, type)), ...rest }
  },
})

const instantiate = command({
  id: 'libraries.instantiate-type',
  title: 'Put an instance of a type of the project library into a device',
  description:
    'With instances of the types it depends on. The object knows its version. Everything in the way is a 409 that names all of it, before anything is stored; `onConflict` or `choices` say what to do.',
  input: (t) => t.Object(instantiateTypeFields(t)),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      typeName: t.String(),
      version: t.String(),
      objects: t.Array(t.Object(installedFields(t))),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/actions/instantiate`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: instantiateTypeAliases,
  example: { typeName: 'Motor', deviceName: 'PLC_1', folder: 'Drives' },
  async run(input, ctx) {
    const { instantiateType } = await import('./instances.ts')
    requireDevice(ctx, input.deviceName)
    const library = projectLibrary(ctx)
    const type = requireLibraryType(ctx, library, input.typeName)
    const { device, version, objects, warnings } = await instantiateType(ctx, library, type, input)
    return {
      deviceName: device.name,
      typeName: type.name,
      version,
      objects: objects.map(installedView),
      warnings: [...warnings],
    }
  },
})

/** What deleting a type answers. */
export const deletedTypeFields = (t: SchemaBuilder) => ({
  name: t.String(),
  versions: t.Array(t.String(), { description: 'Deleted versions.' }),
  deleted: t.Boolean(),
  users: t.Array(
    t.Object({
      kind: t.String(),
      name: t.String(),
      deviceName: t.Optional(t.String()),
      version: t.String({ description: 'Of an instance: that it has; of a library type: that uses it.' }),
    }),
    { description: 'Who used it, with force.' },
  ),
})

/** Which type, or which version of it, is deleted. */
export const deleteTypeFields = (t: SchemaBuilder) => ({
  typeName: typeName(t),
  version: t.Optional(versionNumber(t, 'Only this version.')),
  force: t.Optional(t.Boolean({ description: 'Delete it although it is used.' })),
})

const remove = command({
  id: 'libraries.delete-type',
  title: 'Delete a type of the project library, or one version of it',
  description:
    'A type that objects of the project are instances of, or that other types use, is a 409 naming them. With `force: true` it is deleted all the same: instances become plain objects.',
  input: (t) => t.Object(deleteTypeFields(t)),
  output: (t) => t.Object(deletedTypeFields(t)),
  http: [del(`${base}/{typeName}`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { typeName: ['name'] },
  async run(input, ctx) {
    const { deleteType } = await import('./type-delete.ts')
    const library = projectLibrary(ctx)
    return deleteType(ctx, library, requireLibraryType(ctx, library, input.typeName), input)
  },
})

const createVersion = command({
  id: 'libraries.store-type-version',
  title: 'Make a new version of a library type',
  description:
    'Of an object of a device (`deviceName`, `objectName`): the type is made when it is new, the types that the object uses are made with it, and the objects become instances. Without a version the next one; a version in work is replaced, a released one stays as it is. Without a device `status`, `comment` or `setDefault` of a version are changed, or with `fromLibrary` a version is copied from another library. Code blocks and PLC data types can be types.',
  input: (t) =>
    t.Object({
      typeName: t.Optional(typeName(t)),
      deviceName: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      objectName: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'Default: the name of the type.' })),
      kind: t.Optional(t.String({ description: 'block or type.' })),
      version: t.Optional(versionNumber(t, '1.0.0')),
      status: t.Optional(
        t.Enum(['inWork', 'released'], { description: 'Default: released. A released version stays as it is.' }),
      ),
      setDefault: t.Optional(
        t.Boolean({ description: 'Default: true for a released version that is newer than the default one.' }),
      ),
      author: t.Optional(t.String({ maxLength: 200 })),
      comment: t.Optional(t.String({ maxLength: 10_000 })),
      folder: t.Optional(t.String({ maxLength: 1000, description: 'Folder of a new type, A/B; made when absent.' })),
      library: t.Optional(
        t.String({ description: 'Where it is made: `project` (default), or an open global library.' }),
      ),
      fromLibrary: t.Optional(
        t.String({ description: 'Copy the version of this library: `project`, or a global one.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      ...typeFields(t),
      version: t.String(),
      status: t.String(),
      action: t.String({ description: 'created, replaced, changed, copied or unchanged.' }),
      alsoStored: t.Array(t.Object(referenceFields(t)), { description: 'Versions of types that came with it.' }),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/versions`)],
  mcp,
  needsInstance: true,
  aliases: {
    typeName: ['name', 'libraryType'],
    objectName: ['blockName', 'udtName', 'itemName', 'sourceName'],
    setDefault: ['isDefault', 'makeDefault'],
    version: ['versionNumber'],
    status: ['state'],
  },
  example: { deviceName: 'PLC_1', objectName: 'Motor', comment: 'First version' },
  async run(input, ctx) {
    const { storeVersion } = await import('./versions.ts')
    const done = await storeVersion(ctx, requireLibrary(ctx, input.library ?? 'project'), input)
    const { version, status } = done.version
    return {
      ...typeView(ctx, done.type),
      version,
      status,
      action: done.action,
      alsoStored: done.alsoStored.map((one) => ({ ...one })),
      warnings: [...done.warnings],
    }
  },
})

const makeDefault = command({
  id: 'libraries.set-default-version',
  title: 'Set the default version of a library type',
  input: (t) => t.Object({ typeName: typeName(t), version: versionNumber(t, '1.0.0') }),
  output: (t) => t.Object({ ...typeFields(t), changed: t.Boolean() }),
  http: [post(`${base}/{typeName}/actions/set-default`)],
  mcp,
  needsInstance: true,
  aliases: { version: ['versionNumber', 'defaultVersion'] },
  async run(input, ctx) {
    const { setDefault } = await import('./versions.ts')
    const library = projectLibrary(ctx)
    const type = requireLibraryType(ctx, library, input.typeName)
    const after = setDefault(ctx, library, type, input.version)
    return { ...typeView(ctx, after), changed: after !== type }
  },
})

const sideFields = (t: SchemaBuilder) =>
  t.Object({
    library: t.Optional(t.String({ description: '`project` (default), or an open global library.' })),
    typeName: t.Optional(t.String()),
    version: t.Optional(t.String({ description: 'Default: the default version.' })),
    masterCopy: t.Optional(t.String({ description: 'Name or path.' })),
    deviceName: t.Optional(t.String()),
    objectName: t.Optional(t.String({ description: 'Of the device; or one of the objects of a master copy.' })),
    kind: t.Optional(t.String()),
  })

const comparedSide = (t: SchemaBuilder) =>
  t.Object({
    title: t.String(),
    name: t.String(),
    kind: t.String(),
    type: t.String(),
    document: t.String({ description: 'Blob of its document.' }),
  })

const compare = query({
  id: 'libraries.compare',
  title: 'Compare library types, versions, instances, master copies and objects',
  description:
    'By meaning, as blocks are compared everywhere: code, interface, start values, comments, properties. Each side is a version of a type, a master copy, or an object of a device. In short: `typeName`, `version` and `otherVersion` (or `otherTypeName`).',
  input: (t) =>
    t.Object({
      left: t.Optional(sideFields(t)),
      right: t.Optional(sideFields(t)),
      typeName: t.Optional(t.String()),
      version: t.Optional(t.String()),
      otherTypeName: t.Optional(t.String()),
      otherVersion: t.Optional(t.String()),
    }),
  output: (t) =>
    t.Object({
      identical: t.Boolean({ description: 'Equal to the last character.' }),
      sameMeaning: t.Boolean({ description: 'Nothing differs but, at most, how it is written.' }),
      left: comparedSide(t),
      right: comparedSide(t),
      aspects: t.Array(t.String(), {
        description:
          'code, interface, startValues, comments, properties, tags, constants, rows; text: only how it is written.',
      }),
      differences: t.Array(
        t.Object({
          aspect: t.String(),
          path: t.String({ description: 'Static.motor.speed, network 3, statement 2 …' }),
          change: t.String({ description: 'added, removed, changed or moved; from left to right.' }),
          left: t.Optional(t.String()),
          right: t.Optional(t.String()),
        }),
      ),
      omitted: t.Integer({ description: 'Differences that the list has no room for.' }),
      text: t.String({ description: 'The same to read.' }),
    }),
  http: [post(`${base}/actions/compare`)],
  mcp,
  aliases: {
    typeName: ['type1', 'leftType', 'firstType', 'sourceType'],
    otherTypeName: ['type2', 'rightType', 'secondType', 'targetType'],
    version: ['version1', 'leftVersion', 'sourceVersion'],
    otherVersion: ['version2', 'rightVersion', 'targetVersion'],
  },
  example: { typeName: 'Motor', version: '1.0.0', otherVersion: '1.0.1' },
  async run(input, ctx) {
    const { compareSides } = await import('./compare.ts')
    const { typeName: first, version, otherTypeName, otherVersion } = input
    const short = (name: string | undefined, of: string | undefined) => ({
      ...defined({ typeName: name, version: of }),
    })
    return compareSides(
      ctx,
      input.left ?? short(first, version),
      input.right ?? short(otherTypeName ?? first, otherVersion),
    )
  },
})

const aspects = (t: SchemaBuilder) => t.Array(t.String(), { description: 'What differs; see libraries.compare.' })

const consistency = query({
  id: 'libraries.consistency',
  title: 'Show the instances of library types, and whether they are as their version',
  description:
    'An instance is outdated when its type has another default version, and changed when its text is another.',
  input: (t) =>
    t.Object({
      deviceName: t.Optional(t.String({ minLength: 1 })),
      typeName: t.Optional(t.String({ minLength: 1 })),
      ...t.paging(),
    }),
  output: (t) =>
    t.Object({
      instances: t.Array(
        t.Object({
          deviceName: t.String(),
          kind: t.String(),
          name: t.String(),
          folder: t.String(),
          typeName: t.String(),
          version: t.String(),
          defaultVersion: t.String(),
          status: t.String({ description: 'upToDate, outdated, changed, or changedAndOutdated.' }),
          aspects: aspects(t),
        }),
      ),
      total: t.Integer(),
      consistent: t.Boolean({ description: 'All of them (of all pages) are as the default version of their type.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(`${base}/consistency`)],
  mcp,
  async run(input, ctx) {
    const { changesOf, instanceStates } = await import('./instances.ts')
    const states = await instanceStates(ctx, input)
    const named = states.map((state) => ({
      name: `${state.device.name}/${state.kind.kind}/${state.entry.name}`,
      state,
    }))
    const { page, ...rest } = pageOf(named, input)
    const shown = []
    for (const { state } of page) {
      const { device, kind, entry, type, instance, isChanged } = state
      const isOutdated = instance.version !== type.defaultVersion
      shown.push({
        deviceName: device.name,
        kind: kind.kind,
        name: entry.name,
        folder: entry.folder,
        typeName: type.name,
        version: instance.version,
        defaultVersion: type.defaultVersion,
        status: isChanged ? (isOutdated ? 'changedAndOutdated' : 'changed') : isOutdated ? 'outdated' : 'upToDate',
        aspects: isChanged ? [...(await changesOf(ctx, state)).aspects] : [],
      })
    }
    const consistent = states.every((one) => !one.isChanged && one.instance.version === one.type.defaultVersion)
    return { instances: shown, consistent, ...rest }
  },
})

const update = command({
  id: 'libraries.update-instances',
  title: 'Bring instances of library types to a version',
  description:
    'Of one device or all, of one type or all; to the default version of each type, or to `version` of `typeName`. With `dryRun: true` the answer says what would change. Instances that were changed are a 409, unless `onConflict` says what to do (overwrite or keep).',
  input: (t) =>
    t.Object({
      deviceName: t.Optional(t.String({ minLength: 1 })),
      typeName: t.Optional(t.String({ minLength: 1 })),
      version: t.Optional(versionNumber(t, 'Of typeName. Default: the default version.')),
      ...conflictFields(t),
    }),
  output: (t) =>
    t.Object({
      updated: t.Array(
        t.Object({
          deviceName: t.String(),
          kind: t.String(),
          name: t.String(),
          typeName: t.String(),
          from: t.String(),
          to: t.String(),
          action: t.String({ description: 'updated or kept.' }),
          aspects: aspects(t),
          differences: t.Integer({ description: 'How many.' }),
        }),
      ),
      others: t.Array(t.Object({ ...installedFields(t), deviceName: t.String() }), {
        description: 'Instances of types that a version uses and that were not there.',
      }),
      unchanged: t.Integer({ description: 'Instances that were as they should be.' }),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/actions/update`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases: { version: ['toVersion', 'versionNumber'], typeName: ['name'] },
  async run(input, ctx) {
    const { updateInstances } = await import('./instances.ts')
    const done = await updateInstances(ctx, input)
    return {
      updated: done.updated.map((one) => ({ ...one, aspects: [...one.aspects] })),
      others: done.others.map((one) => ({ ...one })),
      unchanged: done.unchanged,
      warnings: [...done.warnings],
    }
  },
})

export const typeOperations: readonly Operation[] = [
  list,
  instantiate,
  remove,
  createVersion,
  makeDefault,
  compare,
  consistency,
  update,
]
