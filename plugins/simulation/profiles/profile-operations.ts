/** Operations on profiles: save definitions of instances, load them; import of configurations of S7-PLCSIM Advanced. */
import {
  type CommandContext,
  command,
  defined,
  del,
  domainEvent,
  get,
  isGatewayError,
  noInput,
  type Operation,
  post,
  problem,
  put,
  type QueryContext,
  query,
  type Static,
} from '../../../core/index.ts'
import { definitionLimit, definitionSchema, instanceFields } from '../declarations.ts'
import { createInstance, type NewInstance } from '../instances/create.ts'
import { findInstance, type Instance, instances, requireInstance } from '../instances/instance.ts'
import { configView, defaultConfig } from '../instances/instance-config.ts'
import { networkAliases, networkInput, wantedNetwork } from '../running/instance-operations.ts'
import { instanceView } from '../running/views.ts'
import {
  checkDefinitions,
  findProfile,
  type Profile,
  profileFileName,
  profileNames,
  profilePath,
  readProfile,
  writeProfile,
} from './profile.ts'

type Builder = Parameters<Operation['input']>[0]

const profileSaved = domainEvent<{ fileName: string; name: string; instances: readonly string[] }>(
  'simulation.profile-saved',
  'A simulation profile was written',
)
const profileDeleted = domainEvent<{ fileName: string }>(
  'simulation.profile-deleted',
  'A simulation profile was deleted',
)
/** The events of profiles, for the slice. */
export const profileEvents = [profileSaved, profileDeleted]

const fileName = (t: Builder) => t.String({ minLength: 1, maxLength: 200, description: 'With or without .json.' })
const aliases = { fileName: ['profileName', 'profile', 'file'] }

const summaryFields = (t: Builder) => ({
  fileName: t.String(),
  name: t.String(),
  description: t.String(),
  instanceCount: t.Integer(),
  path: t.String(),
})
const profileFields = (t: Builder) => ({ ...summaryFields(t), instances: t.Array(definitionSchema(t)) })

async function profileView(ctx: Pick<QueryContext, 'files'>, file: string, profile: Profile) {
  return {
    fileName: file,
    name: profile.name,
    description: profile.description,
    instanceCount: profile.instances.length,
    path: await ctx.files.resolve(profilePath(file)),
    instances: profile.instances.map((each) => plain(each) as Definition),
  }
}

/** A definition as stored in the file, without undefined values. */
type Definition = Static<ReturnType<typeof definitionSchema>>

/** Removes undefined values. */
const plain = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The definition of an instance in a profile: everything that differs from a new instance. */
function definitionOf(
  { name, cpuType, orderNumber, firmware, network, communicationPort, ...rest }: Instance,
  config: Readonly<Record<string, unknown>>,
) {
  return {
    name,
    ...(orderNumber === ''
      ? {}
      : { cpuType, orderNumber: firmware ? `OrderNumber:${orderNumber}/${firmware}` : orderNumber }),
    network: network.map((each) => ({ ...each })),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(rest.ownsStorage ? {} : { storagePath: rest.storage }),
    ...defined({ communicationPort }),
  } satisfies NewInstance
}

const list = query({
  id: 'simulation.list-profiles',
  title: 'List the saved simulation profiles',
  description: 'A file that is no profile is listed with its `fault`.',
  live: true,
  input: noInput,
  output: (t) =>
    t.Object({
      profiles: t.Array(
        t.Object({
          ...summaryFields(t),
          modifiedAt: t.DateTime(),
          fault: t.Optional(t.String({ description: 'Why it cannot be loaded.' })),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/simulation/profiles')],
  mcp: { toolset: 'simulation' },
  async run(_, ctx) {
    const profiles = []
    for (const file of await profileNames(ctx.files)) {
      const modifiedAt = (await ctx.files.stat(profilePath(file)))?.modifiedAt
      if (modifiedAt === undefined) continue
      try {
        const { instances: _instances, ...view } = await profileView(
          ctx,
          file,
          (await readProfile(ctx.files, file)).profile,
        )
        profiles.push({ ...view, modifiedAt })
      } catch (error) {
        if (!isGatewayError(error)) throw error
        const path = await ctx.files.resolve(profilePath(file))
        const empty = { fileName: file, name: file, description: '', instanceCount: 0 }
        profiles.push({ ...empty, path, modifiedAt, fault: error.message })
      }
    }
    return { profiles, total: profiles.length }
  },
})

const show = query({
  id: 'simulation.get-profile',
  title: 'Show a saved simulation profile',
  live: true,
  tagged: true,
  input: (t) => t.Object({ fileName: fileName(t) }),
  output: (t) => t.Object(profileFields(t)),
  http: [get('/api/simulation/profiles/{fileName}')],
  mcp: { toolset: 'simulation' },
  aliases,
  async run({ fileName: wanted }, ctx) {
    const { fileName: file, profile } = await readProfile(ctx.files, wanted)
    return profileView(ctx, file, profile)
  },
})

const definitions = (t: Builder) =>
  t.Array(t.Object({ ...definitionSchema(t).properties, ...networkInput(t) }), {
    maxItems: definitionLimit,
    description: 'As `simulation.create-instance` takes them.',
  })

/** The definitions of a request as a profile keeps them: the address of one interface is a network of one. */
function definitionsOf(given: Static<ReturnType<typeof definitions>>): Definition[] {
  const single = { ipAddress: undefined, subnetMask: undefined, gateway: undefined, interface: undefined }
  return given.map(
    (definition): Definition =>
      // `plain` takes the undefined fields out.
      plain({ ...definition, ...single, network: wantedNetwork(definition, []) }) as unknown as Definition,
  )
}

async function save(ctx: CommandContext, file: string, profile: Profile) {
  await checkDefinitions(profile.instances)
  await writeProfile(ctx, file, profile)
  const names = profile.instances.map(({ name }) => name)
  ctx.emit(profileSaved, { fileName: file, name: profile.name, instances: names }, `simulation-profile/${file}`)
  return profileView(ctx, file, profile)
}

const create = command({
  id: 'simulation.create-profile',
  title: 'Save a simulation profile',
  description:
    'A JSON file in simulation/profiles of the workspace. `instances` holds definitions; without it the registered instances are saved, all or those of `instanceNames`. A profile with this name is a 409, unless `overwrite`.',
  input: (t) =>
    t.Object({
      name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'Default: that of the file.' })),
      fileName: t.Optional(fileName(t)),
      description: t.Optional(t.String({ maxLength: 2000 })),
      instances: t.Optional(definitions(t)),
      instanceNames: t.Optional(t.Array(t.String({ minLength: 1 }), { maxItems: definitionLimit })),
      overwrite: t.Optional(t.Boolean()),
    }),
  output: (t) => t.Object(profileFields(t)),
  http: [post('/api/simulation/profiles')],
  mcp: { toolset: 'simulation' },
  aliases: { name: ['profileName'], fileName: ['file'], ...networkAliases },
  example: {
    name: 'Line 1',
    instances: [{ name: 'PLC_1', cpuType: 'CPU1515', network: [{ ipAddress: '192.168.0.1' }] }],
  },
  async run({ name: asked, fileName: given, description = '', instances: defined, instanceNames, overwrite }, ctx) {
    if (defined !== undefined && instanceNames !== undefined) {
      const message = 'cannot be given beside instances'
      throw problem('invalid_input', `/instanceNames: ${message}`, { errors: [{ path: '/instanceNames', message }] })
    }
    const name = asked ?? given?.replace(/\.json$/i, '')
    if (name === undefined)
      throw problem('invalid_input', '/name: is missing', { errors: [{ path: '/name', message: 'is missing' }] })
    const file = profileFileName(given ?? name, given === undefined ? '/name' : '/fileName')
    const present = await findProfile(ctx.files, file)
    if (present !== undefined && !overwrite)
      throw problem('name_taken', `Profile "${present}" already exists; give overwrite: true to replace it.`)
    const registered = instanceNames?.map((each) => requireInstance(ctx, each)) ?? [...ctx.read(instances).values()]
    const isChanged = ([key, value]: [string, unknown]) =>
      // By names of fields.
      JSON.stringify(value) !== JSON.stringify((defaultConfig as unknown as Record<string, unknown>)[key])
    const changed = ({ config }: Instance) => Object.fromEntries(Object.entries(configView(config)).filter(isChanged))
    const kept = defined
      ? definitionsOf(defined)
      : registered.map((instance) => definitionOf(instance, changed(instance)))
    return save(ctx, present ?? file, { name, description, instances: plain(kept) })
  },
})

const update = command({
  id: 'simulation.update-profile',
  title: 'Change a saved simulation profile',
  description: 'What is left out stays; `instances` replaces all definitions.',
  input: (t) =>
    t.Object({
      fileName: fileName(t),
      name: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
      description: t.Optional(t.String({ maxLength: 2000 })),
      instances: t.Optional(definitions(t)),
    }),
  output: (t) => t.Object(profileFields(t)),
  http: [put('/api/simulation/profiles/{fileName}')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: networkAliases,
  async run({ fileName: wanted, name, description, instances: defined }, ctx) {
    const { fileName: file, profile } = await readProfile(ctx.files, wanted)
    return save(ctx, file, {
      name: name ?? profile.name,
      description: description ?? profile.description,
      instances: defined ? definitionsOf(defined) : profile.instances,
    })
  },
})

const remove = command({
  id: 'simulation.delete-profile',
  title: 'Delete a saved simulation profile',
  description: 'Instances that were made from it stay.',
  input: (t) => t.Object({ fileName: fileName(t) }),
  output: (t) => t.Object({ fileName: t.String(), deleted: t.Boolean() }),
  http: [del('/api/simulation/profiles/{fileName}')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases,
  async run({ fileName: wanted }, ctx) {
    const name = profileFileName(wanted)
    const file = await findProfile(ctx.files, name)
    // An invalid profile can be deleted too; when there is no file, `readProfile` throws.
    if (file === undefined) return { fileName: (await readProfile(ctx.files, wanted)).fileName, deleted: false }
    await ctx.files.remove(profilePath(file))
    ctx.emit(profileDeleted, { fileName: file }, `simulation-profile/${file}`)
    return { fileName: file, deleted: true }
  },
})

const existing = (t: Builder) =>
  t.Optional(
    t.Enum(['refuse', 'skip'], {
      description:
        'What happens when an instance of a name exists: refuse the whole (409, default), or leave that one as it is.',
    }),
  )

const createdFields = (t: Builder) => ({
  instances: t.Array(t.Object(instanceFields(t)), { description: 'Those that were created; they are Off.' }),
  skipped: t.Array(t.String(), { description: 'Names that existed.' }),
  total: t.Integer(),
})

/** Creates all instances, or none. */
async function createAll(ctx: CommandContext, wanted: readonly NewInstance[], mode: 'refuse' | 'skip' = 'refuse') {
  const created: Instance[] = []
  const skipped: string[] = []
  for (const [i, each] of wanted.entries()) {
    if (mode === 'skip' && findInstance(ctx, each.name)) skipped.push(each.name)
    else created.push(await createInstance(ctx, each, `/instances/${i}`))
  }
  const views = []
  for (const instance of created) views.push(await instanceView(ctx, instance))
  return { instances: views, skipped, total: views.length }
}

const load = command({
  id: 'simulation.load-profile',
  title: 'Create the instances of a saved simulation profile',
  description: 'All of them or none. They are Off then; power them on.',
  input: (t) => t.Object({ fileName: fileName(t), existing: existing(t) }),
  output: (t) => t.Object({ fileName: t.String(), ...createdFields(t) }),
  http: [post('/api/simulation/profiles/{fileName}/load'), post('/api/simulation/profiles/{fileName}/actions/load')],
  mcp: { toolset: 'simulation', destructive: true },
  aliases,
  async run({ fileName: wanted, existing: mode }, ctx) {
    const { fileName: file, profile } = await readProfile(ctx.files, wanted)
    return { fileName: file, ...(await createAll(ctx, profile.instances, mode)) }
  },
})

const importLegacy = command({
  id: 'simulation.import-legacy',
  title: 'Import instances of S7-PLCSIM Advanced',
  description:
    'A JSON description of instances with the names of PLCSIM Advanced’s API: `InstanceName`, `CPUType`, `IPSuites` with `IPAddress`, `SubnetMask`, `DefaultGateway`, `ScaleFactor` … (documentation, section Simulation). Archives and memory cards of PLCSIM hold compiled programs in a form of Siemens’ own: they are refused (422) with what to do instead.',
  input: (t) =>
    t.Object({
      filePath: t.Optional(t.String({ minLength: 1, description: 'In the workspace.' })),
      content: t.Optional(t.Any({ description: 'Instead of a file: the JSON itself, or its text.' })),
      existing: existing(t),
    }),
  output: (t) =>
    t.Object({
      ...createdFields(t),
      warnings: t.Array(t.String(), { description: 'What has no counterpart here and was left out.' }),
    }),
  http: [post('/api/simulation/import-legacy')],
  mcp: { toolset: 'simulation' },
  aliases: { filePath: ['path', 'importFilePath', 'archivePath', 'projectPath', 'legacyPath'] },
  example: {
    content: { Instances: [{ InstanceName: 'PLC_1', CPUType: 'CPU1515', IPSuites: [{ IPAddress: '192.168.0.1' }] }] },
  },
  async run({ filePath, content, existing: mode }, ctx) {
    const { readLegacy, readLegacyFile } = await import('./legacy.ts')
    if ((filePath === undefined) === (content === undefined)) {
      const message = filePath === undefined ? 'is missing: give filePath or content' : 'cannot be given beside content'
      throw problem('invalid_input', `/filePath: ${message}`, { errors: [{ path: '/filePath', message }] })
    }
    const { definitions: found, warnings } =
      filePath === undefined ? readLegacy(content, 'content') : await readLegacyFile(ctx, filePath)
    await checkDefinitions(found)
    return { ...(await createAll(ctx, found, mode)), warnings }
  },
})

export const profileOperations: readonly Operation[] = [list, create, show, update, remove, load, importLegacy]
