/** Health of the gateway: whether it is alive and ready, and the reasons when it is not. */
import { defined, get, noInput, type Operation, type QueryContext, query } from '../../core/index.ts'
import { applicationOf } from '../../core/services.ts'
import { openProjectOf } from './shared.ts'

/** Versions of TIA Portal whose files are read and written (docs/design.md#engineering-versions). */
export const engineeringVersions = ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'] as const

/** Reasons why the gateway cannot do all its work. */
async function troubles({ gateway }: QueryContext): Promise<string[]> {
  const { health } = gateway.store
  const found: string[] = []
  if (health.state !== 'ok') found.push(`store: ${health.detail ?? health.state}`)
  found.push(...gateway.jobs.troubles)
  const clock = await gateway.clockWatch.trouble()
  if (clock !== undefined) found.push(clock)
  // Without their reasons, which have paths: this answer needs no key.
  const faulty = [...new Set(gateway.pluginFaults.map(({ name }) => name))]
  if (faulty.length > 0) found.push(`plugins: a fault in ${faulty.join(', ')}; health.diagnostics says which`)
  const host = gateway.engineHost
  if (host && !host.attached) {
    found.push(
      host.connecting
        ? 'engine: an instance is being connected'
        : 'engine: Portal instance is not available; launch or attach one',
    )
  }
  return found
}

function engineState({ gateway }: QueryContext) {
  const { attached, connecting = false } = gateway.engineHost ?? {}
  return { attached: attached !== undefined, connecting, ...(attached ? { processId: attached.pid } : {}) }
}

export const healthOperations: readonly Operation[] = [
  query({
    id: 'health.get',
    title: 'Check that the gateway works',
    description:
      '`degraded` when commands cannot be written down, a job makes no progress, the log is ahead of the clock, a plugin is skipped or has failed, or no engineering instance is attached; `reasons` says which. Needs no key.',
    live: true,
    whenDamaged: true,
    access: 'public',
    input: noInput,
    output: (t) =>
      t.Object({
        status: t.Enum(['ok', 'degraded']),
        reasons: t.Array(t.String()),
        version: t.String(),
        uptimeMs: t.Number(),
        engine: t.Object({
          attached: t.Boolean(),
          connecting: t.Boolean(),
          processId: t.Optional(t.Integer()),
        }),
        store: t.Enum(['ok', 'write-failed', 'corrupt', 'closed']),
        project: t.Union([t.String(), t.Null()], { description: 'Name of the open project.' }),
      }),
    http: [get('/api/health')],
    mcp: { toolset: 'system' },
    async run(_, ctx) {
      const reasons = await troubles(ctx)
      const { gateway } = ctx
      return {
        status: reasons.length === 0 ? ('ok' as const) : ('degraded' as const),
        reasons,
        version: gateway.version,
        uptimeMs: gateway.uptime.uptimeMs,
        engine: engineState(ctx),
        store: gateway.store.health.state,
        project: (await openProjectOf(ctx))?.name ?? null,
      }
    },
  }),
  query({
    id: 'health.ping',
    title: 'Check that the gateway is alive',
    live: true,
    whenDamaged: true,
    access: 'public',
    input: noInput,
    output: (t) => t.Object({ status: t.Enum(['ok']), time: t.DateTime() }),
    http: [get('/api/health/ping')],
    mcp: false,
    run: (_, ctx) => ({ status: 'ok' as const, time: new Date(ctx.now).toISOString() }),
  }),
  query({
    id: 'health.diagnostics',
    title: 'Diagnose the gateway',
    description:
      'Connectivity, machine, store, plugins that were loaded or skipped (with the reason), event-loop lag, and who may use the scripting interface.',
    live: true,
    whenDamaged: true,
    input: noInput,
    output: (t) =>
      t.Object({
        status: t.Enum(['ok', 'degraded']),
        reasons: t.Array(t.String()),
        time: t.DateTime(),
        connectivity: t.Object({
          engine: t.Object({
            attached: t.Boolean(),
            connecting: t.Boolean(),
            processId: t.Optional(t.Integer()),
          }),
          instances: t.Integer({ description: 'Running instances, attached or not.' }),
          project: t.Union([t.String(), t.Null()]),
        }),
        process: t.Object({
          pid: t.Integer(),
          version: t.String(),
          node: t.String(),
          startedAt: t.DateTime(),
          uptimeMs: t.Number(),
          memoryBytes: t.Integer({ description: 'Resident set.' }),
          heapUsedBytes: t.Integer(),
          eventLoopLagMs: t.Number({ description: 'How much too late a 10 ms timer was, now.' }),
          eventLoopUtilization: t.Number({ description: 'Share of its life that the event loop was busy, 0-1.' }),
        }),
        machine: t.Object({
          hostname: t.String(),
          platform: t.String(),
          release: t.String(),
          architecture: t.String(),
          cpus: t.Integer(),
          cpuModel: t.String(),
          loadAverage: t.Array(t.Number()),
          memoryBytes: t.Integer(),
          freeMemoryBytes: t.Integer(),
          disk: t.Object({ path: t.String(), totalBytes: t.Number(), freeBytes: t.Number() }),
        }),
        store: t.Object({
          state: t.Enum(['ok', 'write-failed', 'corrupt', 'closed']),
          detail: t.Optional(t.String()),
          durability: t.Enum(['fsync', 'os']),
          records: t.Integer({ description: 'Records in the log: the last sequence number.' }),
          durableRecords: t.Integer(),
          bytes: t.Integer({ description: 'Size of the files.' }),
        }),
        jobs: t.Object({ pending: t.Integer(), running: t.Union([t.String(), t.Null()]) }),
        plugins: t.Object({
          loaded: t.Array(
            t.Object({
              name: t.String(),
              version: t.String(),
              description: t.Optional(t.String()),
              folder: t.String(),
            }),
          ),
          skipped: t.Array(t.Object({ name: t.String(), folder: t.String(), reason: t.String() })),
        }),
        scriptingInterface: t.Object({
          available: t.Boolean(),
          whitelist: t.Array(t.String()),
          enforced: t.Boolean({ description: 'Only applications on the whitelist may use the engineering instance.' }),
          application: t.Union([t.String(), t.Null()], { description: 'The calling application (X-Client-Id).' }),
          whitelisted: t.Boolean(),
        }),
      }),
    http: [get('/api/health/diagnostics')],
    mcp: { toolset: 'system' },
    async run(_, ctx) {
      const { gateway } = ctx
      const { health, log } = gateway.store
      const { machineInfo, processInfo, storeBytes } = await import('./machine.ts')
      const [machine, process, bytes, instances, project] = await Promise.all([
        machineInfo(gateway.dataDir),
        processInfo(),
        storeBytes(gateway.dataDir),
        gateway.engineHost?.list() ?? [],
        openProjectOf(ctx),
      ])
      const reasons = await troubles(ctx)
      const application = applicationOf(ctx.actor.name) ?? null
      const { whitelist, enforceWhitelist } = gateway.settings.security
      return {
        status: reasons.length === 0 ? ('ok' as const) : ('degraded' as const),
        reasons,
        time: new Date(ctx.now).toISOString(),
        connectivity: { engine: engineState(ctx), instances: instances.length, project: project?.name ?? null },
        process: {
          ...process,
          version: gateway.version,
          startedAt: gateway.uptime.startedAt,
          uptimeMs: gateway.uptime.uptimeMs,
        },
        machine,
        store: {
          state: health.state,
          ...defined({ detail: health.detail }),
          durability: gateway.options.durability ?? ('fsync' as const),
          records: log.headSeq,
          durableRecords: log.durableSeq,
          bytes,
        },
        jobs: { pending: gateway.jobs.pending, running: gateway.jobs.running?.jobId ?? null },
        plugins: {
          loaded: gateway.plugins.map(({ plugin: { name, version, description }, folder }) => ({
            name,
            version,
            ...defined({ description }),
            folder,
          })),
          skipped: gateway.pluginFaults.map((fault) => ({ ...fault })),
        },
        scriptingInterface: {
          available: gateway.engineHost?.attached !== undefined,
          whitelist: [...whitelist],
          enforced: enforceWhitelist,
          application,
          whitelisted: application !== null && whitelist.includes(application),
        },
      }
    },
  }),
  query({
    id: 'health.versions',
    title: 'List the engineering-tool versions',
    description:
      'Versions of project files that the embedded engine reads and writes, and the instance that is attached.',
    live: true,
    whenDamaged: true,
    input: noInput,
    output: (t) =>
      t.Object({
        versions: t.Array(
          t.Object({
            version: t.String(),
            installed: t.Boolean({
              description: 'The embedded engine, which knows this version, is part of this gateway.',
            }),
            tiaPortalInstalled: t.Boolean({
              description: 'TIA Portal of this version is on this computer. Nothing here needs it.',
            }),
            reads: t.Boolean(),
            writes: t.Boolean(),
            archiveExtension: t.String(),
            isDefault: t.Boolean({ description: 'New projects are made in it.' }),
          }),
        ),
        total: t.Integer(),
        attached: t.Union([
          t.Object({ processId: t.Integer(), version: t.String({ description: 'Version of the engine.' }) }),
          t.Null(),
        ]),
      }),
    http: [get('/api/health/versions')],
    mcp: { toolset: 'system' },
    async run(_, { gateway }) {
      const hasEngine = gateway.engineHost !== undefined
      const instance = gateway.engineHost?.attached
      const { defaultVersion } = gateway.settings.engineering
      const { tiaPortals } = await import('./machine.ts')
      const present = await tiaPortals()
      return {
        versions: engineeringVersions.map((version) => ({
          version,
          installed: hasEngine,
          tiaPortalInstalled: present.has(version),
          reads: hasEngine,
          writes: hasEngine,
          archiveExtension: `.zap${version.slice(1)}`,
          isDefault: version === defaultVersion,
        })),
        total: engineeringVersions.length,
        attached: instance ? { processId: instance.pid, version: instance.version } : null,
      }
    },
  }),
]
