/** Engineering-tool instances: the embedded engine's processes (docs/design.md#instances). */

import {
  command,
  domainEvent,
  type Gateway,
  get,
  noInput,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { applicationOf, type EngineHost, type EngineInstance, isEngineError } from '../../core/services.ts'
import { engineeringVersions } from './health.ts'
import { closeProjectOf, openProjectOf } from './shared.ts'

const instanceEvent = (verb: string, title: string) =>
  domainEvent<{ processId: number }>(`instance.${verb}`, title, (t) => t.Object({ processId: t.Integer() }))
const instanceLaunched = instanceEvent('launched', 'An engineering instance was launched and attached')
const instanceAttached = instanceEvent('attached', 'A running engineering instance was attached')
const instanceDetached = instanceEvent('detached', 'The engineering instance was detached and runs on')
const instanceShutDown = instanceEvent('shut-down', 'The engineering instance was shut down')

const instanceSchema = (t: SchemaBuilder) =>
  t.Object({
    processId: t.Integer(),
    version: t.String({ description: 'Version of the engine.' }),
    startedAt: t.DateTime(),
    mode: t.Enum(['WithoutUserInterface']),
    attached: t.Boolean({ description: 'A gateway, this one or another, is attached to it.' }),
    busy: t.Boolean({ description: 'It computes a task.' }),
  })

function wire({ pid, version, startedAt, mode, attached, busy }: EngineInstance) {
  return { processId: pid, version, startedAt, mode, attached, busy }
}

/** @throws GatewayError `not_available` when the gateway was started without an engine */
function hostOf({ engineHost }: Gateway): EngineHost {
  if (!engineHost) throw problem('not_available', 'This gateway runs without an engineering engine.')
  return engineHost
}

/** The attached instance. @throws GatewayError `no_instance` */
function attachedOf(gateway: Gateway): EngineInstance {
  const { attached } = hostOf(gateway)
  if (!attached) {
    throw problem(
      'no_instance',
      'Portal instance is not available: the gateway is not connected to one. Launch or attach an instance.',
    )
  }
  return attached
}

/** @throws GatewayError `invalid_input` for no version of TIA Portal that the instance works with */
function requireVersion(version: string) {
  if (engineeringVersions.some((known) => new RegExp(`^${known.replace('V', 'V?')}(\\.0)*$`, 'i').test(version))) return
  const message = `must be one of ${engineeringVersions.join(', ')}`
  throw problem('invalid_input', `/version: ${message}`, {
    errors: [{ path: '/version', message, value: version, allowed: engineeringVersions }],
  })
}

function refuseSecond(host: EngineHost) {
  if (host.attached) {
    throw problem(
      'conflict',
      `The engineering instance ${host.attached.pid} is attached; detach from it or shut it down first.`,
      { suggestion: 'POST /api/instance/actions/detach' },
    )
  }
}

/** Converts errors of the engine host to problems. Errors that do not concern the request are not changed. */
async function ask<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isEngineError(error) && error.kind === 'engine_not_found')
      throw problem('not_found', error.message, { suggestion: 'GET /api/instances' })
    if (isEngineError(error) && error.kind === 'engine_already_attached') throw problem('conflict', error.message)
    throw error
  }
}

/** Events of instances, for the slice. */
export const instanceEvents = [instanceLaunched, instanceAttached, instanceDetached, instanceShutDown]

export const instanceOperations: readonly Operation[] = [
  query({
    id: 'instance.status',
    title: 'Read the connection status and the open project',
    live: true,
    input: noInput,
    output: (t) =>
      t.Object({
        connected: t.Boolean(),
        connecting: t.Boolean(),
        processId: t.Union([t.Integer(), t.Null()]),
        instance: t.Union([instanceSchema(t), t.Null()]),
        projectOpen: t.Boolean(),
        project: t.Union([t.Object({ name: t.String(), path: t.String(), version: t.String() }), t.Null()]),
      }),
    http: [get('/api/instance/status')],
    mcp: { toolset: 'system' },
    async run(_, ctx) {
      const { attached, connecting = false } = ctx.gateway.engineHost ?? {}
      const project = await openProjectOf(ctx)
      return {
        connected: attached !== undefined,
        connecting,
        processId: attached?.pid ?? null,
        instance: attached ? wire(attached) : null,
        projectOpen: project !== undefined,
        project: project ? { name: project.name, path: project.path, version: project.version } : null,
      }
    },
  }),
  query({
    id: 'instance.version',
    title: 'Read the version of the service',
    input: noInput,
    output: (t) => t.Object({ name: t.String(), version: t.String() }),
    http: [get('/api/instance/version')],
    mcp: { toolset: 'system' },
    run: (_, { gateway }) => ({ name: 'Gantry', version: gateway.version }),
  }),
  query({
    id: 'instance.list',
    title: 'List running engineering instances',
    description: 'Those of this data directory: launched by this gateway, or left behind by one before it.',
    live: true,
    input: noInput,
    output: (t) => t.Object({ instances: t.Array(instanceSchema(t)), total: t.Integer() }),
    http: [get('/api/instances')],
    mcp: { toolset: 'system' },
    async run(_, { gateway }) {
      const instances = ((await gateway.engineHost?.list()) ?? []).map(wire)
      return { instances, total: instances.length }
    },
  }),
  query({
    id: 'instance.diagnostics',
    title: 'Diagnose the attached engineering instance',
    description:
      'Memory, CPU and tasks of its process, answered also while it computes. 409 `no_instance` without one.',
    live: true,
    input: noInput,
    output: (t) =>
      t.Object({
        processId: t.Integer(),
        version: t.String(),
        startedAt: t.DateTime(),
        uptimeMs: t.Number(),
        memory: t.Object({
          residentBytes: t.Integer(),
          heapTotalBytes: t.Integer(),
          heapUsedBytes: t.Integer(),
          externalBytes: t.Integer(),
          taskHeapUsedBytes: t.Integer(),
        }),
        cpu: t.Object({ userMs: t.Number(), systemMs: t.Number(), percent: t.Number() }),
        tasks: t.Object({
          done: t.Integer(),
          failed: t.Integer(),
          cancelled: t.Integer(),
          waiting: t.Integer(),
          current: t.Union([t.Object({ name: t.String(), runningMs: t.Number(), percent: t.Number() }), t.Null()]),
        }),
        busy: t.Boolean(),
        restarts: t.Integer({ description: 'How often its task thread had to be replaced.' }),
        scriptingInterface: t.Object({
          status: t.Enum(['available']),
          application: t.Union([t.String(), t.Null()]),
          whitelisted: t.Boolean(),
        }),
      }),
    http: [get('/api/instance/diagnostics')],
    mcp: { toolset: 'system' },
    async run(_, { gateway, actor }) {
      attachedOf(gateway)
      const d = await hostOf(gateway).diagnostics()
      const application = applicationOf(actor.name) ?? null
      return {
        processId: d.pid,
        version: d.version,
        startedAt: d.startedAt,
        uptimeMs: d.uptimeMs,
        memory: {
          residentBytes: d.memory.rss,
          heapTotalBytes: d.memory.heapTotal,
          heapUsedBytes: d.memory.heapUsed,
          externalBytes: d.memory.external,
          taskHeapUsedBytes: d.workerHeapUsed,
        },
        cpu: { ...d.cpu },
        tasks: {
          done: d.tasksDone,
          failed: d.tasksFailed,
          cancelled: d.tasksCancelled,
          waiting: d.queue,
          current: d.currentTask
            ? { name: d.currentTask.fn, runningMs: d.currentTask.runningMs, percent: d.currentTask.percent }
            : null,
        },
        busy: d.busy,
        restarts: d.workerRestarts,
        scriptingInterface: {
          status: 'available' as const,
          application,
          whitelisted: application !== null && gateway.settings.security.whitelist.includes(application),
        },
      }
    },
  }),
  command({
    id: 'instance.attach',
    title: 'Attach to a running engineering instance',
    description:
      'By its process id; `GET /api/instances` lists them. Attaching to the one that is attached changes nothing.',
    live: true,
    lasting: 'The engineering instance is a process of its own.',
    input: (t) => t.Object({ processId: t.Integer({ minimum: 1, description: 'Process id (PID).' }) }),
    output: instanceSchema,
    aliases: { processId: ['pid', 'PID'] },
    example: { processId: 4711 },
    http: [post('/api/instance/actions/attach')],
    mcp: { toolset: 'system' },
    async run({ processId }, ctx) {
      const host = hostOf(ctx.gateway)
      if (host.attached?.pid === processId) return wire(host.attached)
      refuseSecond(host)
      if (ctx.dryRun) {
        const instances = await host.list()
        const found = instances.find((instance) => instance.pid === processId)
        if (!found) throw problem('not_found', `No engineering instance has the process id ${processId}.`)
        return wire(found)
      }
      const instance = await ask(host.attach(processId))
      ctx.emit(instanceAttached, { processId: instance.pid })
      return wire(instance)
    },
  }),
  command({
    id: 'instance.launch',
    title: 'Launch an engineering instance and attach to it',
    description: '409 when one is attached already. A launch in progress is joined.',
    live: true,
    lasting: 'The engineering instance is a process of its own.',
    input: (t) =>
      t.Object({
        withUserInterface: t.Optional(
          t.Boolean({ description: 'The instance has no user interface: true is answered with a warning.' }),
        ),
        version: t.Optional(
          t.String({ maxLength: 20, description: 'Of TIA Portal, V16 to V21: one instance works with all of them.' }),
        ),
      }),
    aliases: {
      withUserInterface: ['withUI', 'userInterface', 'showUi', 'ui'],
      version: ['tiaVersion', 'portalVersion'],
    },
    output: (t) =>
      t.Object({
        ...instanceSchema(t).properties,
        processId: t.Union([t.Integer(), t.Null()], { description: 'null in a dry run.' }),
      }),
    http: [post('/api/instance/actions/launch')],
    mcp: { toolset: 'system' },
    async run({ withUserInterface, version }, ctx) {
      const host = hostOf(ctx.gateway)
      if (version !== undefined) requireVersion(version)
      refuseSecond(host)
      if (withUserInterface) ctx.warn(['The engineering instance has no user interface; the studio at / is one.'])
      if (ctx.dryRun) {
        const startedAt = new Date(ctx.now).toISOString()
        const mode = 'WithoutUserInterface' as const
        return { processId: null, version: ctx.gateway.version, startedAt, mode, attached: true, busy: false }
      }
      const instance = await ask(host.launch())
      ctx.emit(instanceLaunched, { processId: instance.pid })
      return wire(instance)
    },
  }),
  command({
    id: 'instance.detach',
    title: 'Detach from the engineering instance',
    description: 'It goes on running, for a day at most, and can be attached to again.',
    live: true,
    lasting: 'The engineering instance is a process of its own.',
    input: noInput,
    output: (t) => t.Object({ processId: t.Integer(), connected: t.Boolean(), running: t.Boolean() }),
    http: [post('/api/instance/actions/detach')],
    mcp: { toolset: 'system', destructive: true },
    async run(_, ctx) {
      const { pid } = attachedOf(ctx.gateway)
      if (!ctx.dryRun) await hostOf(ctx.gateway).detach()
      ctx.emit(instanceDetached, { processId: pid })
      return { processId: pid, connected: false, running: true }
    },
  }),
  command({
    id: 'instance.shut-down',
    title: 'Detach from the engineering instance and end it',
    description:
      'It is asked to stop; when it does not, it is ended after a grace. The open project goes with it: with unsaved changes send `save: true` to save it first or `force: true` to discard them, else the answer is 409 and nothing ends. A new instance has no project open.',
    live: true,
    lasting: 'The engineering instance is a process of its own.',
    input: (t) =>
      t.Object({
        save: t.Optional(t.Boolean({ description: 'Save the open project first.' })),
        force: t.Optional(t.Boolean({ description: 'Discard unsaved changes of the open project.' })),
      }),
    output: (t) =>
      t.Object({
        processId: t.Integer(),
        connected: t.Boolean(),
        running: t.Boolean(),
        project: t.Optional(
          t.Object(
            { name: t.String(), path: t.String(), saved: t.Boolean(), discarded: t.Boolean() },
            { description: 'The project that was closed with it; POST /api/projects/actions/open opens it again.' },
          ),
        ),
      }),
    aliases: { save: ['saveChanges'], force: ['discard', 'discardChanges', 'ignoreChanges'] },
    http: [post('/api/instance/actions/shutdown')],
    mcp: { toolset: 'system', destructive: true },
    async run(input, ctx) {
      const { pid } = attachedOf(ctx.gateway)
      const closed = await closeProjectOf(ctx, input)
      if (!ctx.dryRun) await hostOf(ctx.gateway).shutdown()
      ctx.emit(instanceShutDown, { processId: pid })
      const project = closed && {
        name: closed.name,
        path: closed.path,
        saved: closed.saved,
        discarded: closed.discarded,
      }
      return { processId: pid, connected: false, running: false, ...(project ? { project } : {}) }
    },
  }),
]
