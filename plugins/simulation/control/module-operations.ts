/** The configured modules of a running controller: pulled, plugged again, failed stations (OB 83, OB 86). */
import { command, get, notFound, type Operation, post, problem, query, rankedPage } from '../../../core/index.ts'
import { hardwareIn, type IoModule } from '../controller/io-modules.ts'
import { instanceAliases, instanceName } from '../declarations.ts'
import { blocksOf, informationOf } from '../events/events.ts'
import { modulePulled } from '../instances/instance.ts'
import { type Connection, requireOn } from '../running/runtime.ts'
import { requireProgram } from '../tags/index.ts'

const path = '/api/simulation/instances/{name}/modules'

/** Names are unique in a device only. */
const keyOf = ({ device, name }: Pick<IoModule, 'device' | 'name'>) => `${device}/${name}`

/** The modules and IO devices of the loaded package. */
export const loadedHardware = ({ controller }: Pick<Connection, 'controller'>) =>
  hardwareIn(requireProgram(controller).package.manifest)

type LoadedHardware = ReturnType<typeof loadedHardware>

const list = query({
  id: 'simulation.modules',
  title: 'List the configured modules of a virtual controller',
  description:
    'Of the hardware that was loaded with the program. Empty: no I/O module was configured, and every address of the periphery exists.',
  input: (t) => t.Object({ name: instanceName(t), ...t.paging() }),
  output: (t) =>
    t.Object({
      modules: t.Array(
        t.Object({
          name: t.String(),
          device: t.String(),
          position: t.String(),
          hardwareIdentifier: t.Integer(),
          inputs: t.Array(t.Object({ firstByte: t.Integer(), bytes: t.Integer() })),
          outputs: t.Array(t.Object({ firstByte: t.Integer(), bytes: t.Integer() })),
          isPulled: t.Boolean(),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get(path)],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases },
  live: true,
  async run({ name, q, limit, cursor }, ctx) {
    const connection = await requireOn(ctx, name)
    const pulled = new Set((connection.controller.options.pulledModules ?? []).map(keyOf))
    const wanted = q?.toLowerCase() ?? ''
    const all = loadedHardware(connection).modules.filter((one) => one.name.toLowerCase().includes(wanted))
    const { page, ...rest } = rankedPage(all, { limit: limit ?? 1000, cursor }, 'm')
    return {
      modules: page.map(({ inputs, outputs, ...one }) => ({
        ...one,
        inputs: [...inputs],
        outputs: [...outputs],
        isPulled: pulled.has(keyOf(one)),
      })),
      ...rest,
    }
  },
})

type Builder = Parameters<Operation['input']>[0]

const output = (t: Builder) =>
  t.Object({
    name: t.String(),
    modules: t.Array(t.String(), { description: 'Modules whose state changed.' }),
    event: t.Optional(t.String({ description: 'pullOrPlug or rackOrStationFailure.' })),
    ob: t.Optional(
      t.Integer({ description: 'The block that was called; absent: the program has none, or does not run.' }),
    ),
  })

/** IO devices that have modules. The station of the CPU cannot fail beside it, so its name means nothing here. */
function stationsOf({ modules, devices }: LoadedHardware) {
  const stations = new Set(modules.map(({ device }) => device))
  return devices.filter(({ name }) => stations.has(name))
}

/**
 * The modules that a name means: one module, or all of an IO device (`failed`); none when there is no such name.
 * @param field that has the name, for the error
 */
export function namedModules(hardware: LoadedHardware, target: string, field: string) {
  const same = (text: string) => text.toLowerCase() === target.toLowerCase()
  const module = hardware.modules.filter((one) => same(one.name) || same(keyOf(one)))
  if (module.length > 1)
    throw problem('conflict', `${field}: Several devices have a module "${target}": ${module.map(keyOf).join(', ')}.`)
  const failed = module.length > 0 ? undefined : stationsOf(hardware).find((one) => same(one.name))
  const meant = failed === undefined ? module : hardware.modules.filter(({ device }) => device === failed.name)
  return { failed, meant }
}

/**
 * Changes what is there. `target` is a module (OB 83) or an IO device, with all of its modules (OB 86).
 */
async function change(
  ctx: Parameters<typeof requireOn>[0] & { readonly dryRun: boolean },
  name: string,
  target: string,
  isPull: boolean,
) {
  const connection = await requireOn(ctx, name)
  const { instance, controller } = connection
  const { symbols } = requireProgram(controller)
  const hardware = loadedHardware(connection)
  const { failed, meant } = namedModules(hardware, target, '/moduleName')
  if (meant.length === 0)
    throw notFound(
      'module or IO device',
      target,
      [...hardware.modules, ...stationsOf(hardware)].map((one) => one.name),
    )
  const before = controller.options.pulledModules ?? []
  const isOut = new Set(before.map(keyOf))
  const changed = meant.filter((one) => isOut.has(keyOf(one)) !== isPull)
  const told = { name: instance.name, modules: changed.map((one) => one.name) }
  if (changed.length === 0) return told
  const keys = new Set(changed.map(keyOf))
  const pulledModules = isPull
    ? [...before, ...changed.map(({ name: one, device, inputs, outputs }) => ({ name: one, device, inputs, outputs }))]
    : before.filter((one) => !keys.has(keyOf(one)))
  const event = failed ? 'rackOrStationFailure' : 'pullOrPlug'
  const [block] = blocksOf(event, symbols)
  if (ctx.dryRun) return { ...told, event }
  await controller.configure({ ...controller.options, pulledModules })
  if (!block || controller.state !== 'Run') return { ...told, event }
  const { hardwareIdentifier: laddr } = failed ?? (changed[0] as IoModule)
  const became = await controller.raise(block.number, informationOf(event, { laddr, isOutgoing: !isPull }, {}, symbols))
  return became === 'queued' ? { ...told, event, ob: block.number } : { ...told, event }
}

const pull = command({
  id: 'simulation.pull-module',
  title: 'Pull a configured module of a virtual controller, or let an IO device fail',
  description:
    'Its inputs are 0, accesses past the process image (%IW4:P) raise OB 122, and OB 83 is called; of an IO device all modules are gone and OB 86 is called. It stays so until it is plugged or the controller is switched off.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      moduleName: t.String({ minLength: 1, description: 'Name of a module, or of an IO device.' }),
    }),
  output,
  http: [post(`${path}/{moduleName}/actions/pull`)],
  mcp: { toolset: 'simulation', destructive: true },
  aliases: { name: instanceAliases, moduleName: ['module'] },
  async run({ name, moduleName }, ctx) {
    const told = await change(ctx, name, moduleName, true)
    if (told.modules.length > 0)
      ctx.emit(modulePulled, { name: told.name, modules: told.modules, isPulled: true }, `instance/${told.name}`)
    return told
  },
})

const plug = command({
  id: 'simulation.plug-module',
  title: 'Plug a pulled module of a virtual controller again, or let an IO device return',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) =>
    t.Object({
      name: instanceName(t),
      moduleName: t.String({ minLength: 1, description: 'Name of a module, or of an IO device.' }),
    }),
  output,
  http: [post(`${path}/{moduleName}/actions/plug`)],
  mcp: { toolset: 'simulation' },
  aliases: { name: instanceAliases, moduleName: ['module'] },
  async run({ name, moduleName }, ctx) {
    const told = await change(ctx, name, moduleName, false)
    if (told.modules.length > 0)
      ctx.emit(modulePulled, { name: told.name, modules: told.modules, isPulled: false }, `instance/${told.name}`)
    return told
  },
})

export const moduleOperations: readonly Operation[] = [list, pull, plug]
