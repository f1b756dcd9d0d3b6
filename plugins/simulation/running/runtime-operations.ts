/** Operations on the simulation runtime: status, start, configuration, communication port. */
import { isIPv4, isIPv6 } from 'node:net'
import {
  command,
  defined,
  get,
  noInput,
  type Operation,
  post,
  problem,
  put,
  type QueryContext,
  query,
} from '../../../core/index.ts'
import { partnerFault } from '../communication/allowed-partners.ts'
import { instanceFields } from '../declarations.ts'
import {
  instanceLimit,
  instances,
  type RuntimeConfig,
  requireFreePort,
  runtimeConfigOf,
  runtimeConfigured,
  runtimeStarted,
} from '../instances/instance.ts'
import { runtimeOf } from './runtime.ts'
import { connectedName, instanceView } from './views.ts'

type Builder = Parameters<Operation['input']>[0]

const configOutput = (t: Builder) =>
  t.Object({
    communicationPort: t.Union([t.Integer(), t.Null()], { description: 'TCP port that speaks S7; null: none.' }),
    communicationHost: t.String({ description: 'Address that communication ports listen on.' }),
    autoStart: t.Boolean(),
    maximumPoweredOn: t.Integer(),
    allowedPartners: t.Array(t.String(), {
      description: 'Real partners of programs besides this computer itself: addresses and subnets.',
    }),
  })

const configView = ({ communicationPort = undefined, allowedPartners = [], ...rest }: RuntimeConfig) => ({
  communicationPort: communicationPort ?? null,
  ...rest,
  allowedPartners: [...allowedPartners],
})

const statusFields = (t: Builder) => ({
  runtimeManagerRunning: t.Boolean(),
  apiVersion: t.String({ description: 'Version of the simulation API: that of the gateway, which it is a part of.' }),
  apiAvailable: t.Boolean({
    description: 'true: the simulation is a part of the gateway, nothing needs to be installed.',
  }),
  version: t.String({ description: 'Version of the gateway.' }),
  registeredInstances: t.Array(t.String()),
  connectedInstance: t.Union([t.String(), t.Null()]),
  poweredOn: t.Integer({ description: 'Instances that are not Off.' }),
  maximumPoweredOn: t.Integer(),
  communication: t.Object({
    port: t.Union([t.Integer(), t.Null()]),
    host: t.String(),
    listening: t.Boolean(),
    connections: t.Integer({ description: 'S7 clients of the runtime’s port.' }),
  }),
})

function statusView(ctx: QueryContext) {
  const runtime = runtimeOf(ctx.gateway)
  const config = runtimeConfigOf(ctx)
  const open = runtime.listening
  return {
    runtimeManagerRunning: runtime.isRunning,
    apiVersion: ctx.gateway.version,
    apiAvailable: true,
    version: ctx.gateway.version,
    registeredInstances: [...ctx.read(instances).values()].map(({ name }) => name),
    connectedInstance: connectedName(ctx),
    poweredOn: runtime.poweredOn,
    maximumPoweredOn: config.maximumPoweredOn,
    communication: {
      port: open?.port ?? config.communicationPort ?? null,
      host: config.communicationHost,
      listening: open !== undefined,
      connections: open?.connections ?? 0,
    },
  }
}

/**
 * Checks the address of a host.
 * @throws GatewayError `invalid_input`
 */
function requireHost(host: string): string {
  const text = host === 'localhost' ? '127.0.0.1' : host
  if (isIPv4(text) || isIPv6(text)) return text
  const message = 'must be an IP address of this computer, such as 127.0.0.1, or 0.0.0.0 for all'
  throw problem('invalid_input', `/communicationHost: ${message}`, {
    errors: [{ path: '/communicationHost', message, value: host }],
  })
}

export const runtimeOperations: readonly Operation[] = [
  query({
    id: 'simulation.get-runtime-status',
    title: 'Read the status of the simulation runtime',
    live: true,
    input: noInput,
    output: (t) => t.Object(statusFields(t)),
    http: [get('/api/simulation/runtime/status')],
    mcp: { toolset: 'simulation' },
    run: (_, ctx) => statusView(ctx),
  }),
  query({
    id: 'simulation.get-status',
    title: 'Read the status of the simulation: runtime, instances and their states',
    live: true,
    input: noInput,
    output: (t) => t.Object({ ...statusFields(t), instances: t.Array(t.Object(instanceFields(t))) }),
    http: [get('/api/simulation/status')],
    mcp: { toolset: 'simulation', essential: true },
    async run(_, ctx) {
      const views = [...ctx.read(instances).values()].map((instance) => instanceView(ctx, instance))
      return { ...statusView(ctx), instances: await Promise.all(views) }
    },
  }),
  command({
    id: 'simulation.start-runtime',
    title: 'Start the simulation runtime',
    description:
      'Opens its communication port. The first power-on of an instance starts it too. When it runs nothing changes. It stops with the gateway.',
    live: true,
    lasting: 'Virtual controllers are no part of the project.',
    access: 'operator',
    input: noInput,
    output: (t) => t.Object(statusFields(t)),
    http: [post('/api/simulation/runtime/start')],
    mcp: { toolset: 'simulation' },
    async run(_, ctx) {
      const runtime = runtimeOf(ctx.gateway)
      if (!runtime.isRunning) {
        if (!ctx.dryRun) await runtime.start(ctx)
        const { communicationPort } = runtimeConfigOf(ctx)
        ctx.emit(runtimeStarted, communicationPort === undefined ? {} : { communicationPort }, 'simulation-runtime')
      }
      return { ...statusView(ctx), ...(ctx.dryRun ? { runtimeManagerRunning: true } : {}) }
    },
  }),
  query({
    id: 'simulation.get-runtime-config',
    title: 'Read the configuration of the simulation runtime',
    input: noInput,
    output: configOutput,
    http: [get('/api/simulation/runtime/config')],
    mcp: { toolset: 'simulation' },
    run: (_, ctx) => configView(runtimeConfigOf(ctx)),
  }),
  command({
    id: 'simulation.configure-runtime',
    title: 'Change the configuration of the simulation runtime',
    description:
      'What is left out stays. A port or host that changes is put into force at once, while the runtime is on. Whoever opens a port lets S7 clients write without a key: that is for operators.',
    live: true,
    lasting: 'Virtual controllers are no part of the project.',
    access: 'operator',
    input: (t) =>
      t.Object({
        communicationPort: t.Optional(
          t.Union([t.Integer({ minimum: 1, maximum: 65_535 }), t.Null()], {
            description: 'TCP port that speaks S7 for all instances; null: none.',
          }),
        ),
        communicationHost: t.Optional(
          t.String({
            description:
              'Address that communication ports listen on; default 127.0.0.1. Ports of instances take it at their next power-on.',
          }),
        ),
        autoStart: t.Optional(t.Boolean({ description: 'Start the runtime with the gateway.' })),
        maximumPoweredOn: t.Optional(
          t.Integer({ minimum: 1, maximum: instanceLimit, description: 'Instances that may be on at the same time.' }),
        ),
        allowedPartners: t.Optional(
          t.Array(t.String({ minLength: 1 }), {
            maxItems: 1000,
            description:
              'Real partners that programs may communicate with (TCON, MB_CLIENT, GET …), besides other instances and this computer itself: 192.168.0.10, 10.0.0.0/8. Replaces the list.',
          }),
        ),
      }),
    output: configOutput,
    http: [put('/api/simulation/runtime/config')],
    mcp: { toolset: 'simulation', destructive: true },
    aliases: {
      communicationPort: ['port', 's7Port'],
      communicationHost: ['host', 'bindAddress', 'listenAddress'],
      maximumPoweredOn: ['maxInstances', 'maximumInstances'],
      allowedPartners: ['allowedHosts', 'partners'],
    },
    example: { communicationPort: 10_102 },
    async run({ communicationPort: port, communicationHost: host, ...rest }, ctx) {
      const runtime = runtimeOf(ctx.gateway)
      const before = runtimeConfigOf(ctx)
      for (const [i, partner] of (rest.allowedPartners ?? []).entries()) {
        const message = partnerFault(partner)
        if (message === undefined) continue
        throw problem('invalid_input', `/allowedPartners/${i}: ${message}`, {
          errors: [{ path: `/allowedPartners/${i}`, message, value: partner }],
        })
      }
      if (typeof port === 'number') requireFreePort(ctx, port, '/communicationPort')
      const { communicationPort: old, ...others } = before
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
      const wanted = port === undefined ? old : (port ?? undefined)
      const config: RuntimeConfig = {
        ...others,
        ...given,
        ...(host === undefined ? {} : { communicationHost: requireHost(host) }),
        ...defined({ communicationPort: wanted }),
      }
      if (!ctx.dryRun) await runtime.setPort(ctx, config.communicationPort, config.communicationHost)
      ctx.emit(runtimeConfigured, config, 'simulation-runtime')
      return configView(config)
    },
  }),
  command({
    id: 'simulation.set-runtime-port',
    title: 'Set the communication port of the simulation runtime',
    description:
      'Standard S7 clients (ISO-on-TCP, RFC 1006) read and write I, Q, M and standard data blocks there, and read the CPU state. The port is opened at once and the runtime started. A client reaches the instance whose address it calls, else the connected instance, else the only one that is powered on. It listens on loopback unless `host` says otherwise: S7 has no passwords. `port: 0` takes a free one, `port: null` closes it.',
    live: true,
    lasting: 'Virtual controllers are no part of the project.',
    access: 'operator',
    input: (t) =>
      t.Object({
        port: t.Union([t.Integer({ minimum: 0, maximum: 65_535 }), t.Null()]),
        host: t.Optional(t.String({ description: 'Address to listen on; stays when left out.' })),
      }),
    output: (t) => t.Object({ port: t.Union([t.Integer(), t.Null()]), host: t.String(), listening: t.Boolean() }),
    http: [post('/api/simulation/runtime/port')],
    mcp: { toolset: 'simulation', destructive: true },
    aliases: { port: ['communicationPort', 's7Port'], host: ['communicationHost', 'bindAddress'] },
    example: { port: 10_102 },
    async run({ port, host }, ctx) {
      const runtime = runtimeOf(ctx.gateway)
      const { communicationPort: _, ...before } = runtimeConfigOf(ctx)
      const communicationHost = host === undefined ? before.communicationHost : requireHost(host)
      if (port !== null && port !== 0) requireFreePort(ctx, port, '/port')
      let opened = port ?? undefined
      if (!ctx.dryRun) {
        const startsRuntime = port !== null && !runtime.isRunning
        opened = await runtime.setPort(ctx, opened, communicationHost, startsRuntime)
        if (startsRuntime) ctx.emit(runtimeStarted, { communicationPort: opened! }, 'simulation-runtime')
      }
      const config: RuntimeConfig = {
        ...before,
        communicationHost,
        ...defined({ communicationPort: opened }),
      }
      ctx.emit(runtimeConfigured, config, 'simulation-runtime')
      return { port: opened ?? null, host: communicationHost, listening: opened !== undefined }
    },
  }),
]
