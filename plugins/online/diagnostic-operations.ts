/** The available online functions: their types by category, and those of one device. */

import { defined, get, type Operation, query } from '../../core/index.ts'
import { requireDevice } from '../devices/index.ts'
import { deviceName } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { addressesOf } from '../simulation/index.ts'
import { connectionOf, findReached } from './connection.ts'
import { cpuStates } from './declarations.ts'

/** A type of online functions. */
export interface TypeEntry {
  readonly name: string
  readonly kind: 'provider' | 'enum' | 'options'
  /** The values of an enum, the names of options. */
  readonly values: readonly string[]
  /** Operation that provides it. */
  readonly operation: string
}

/** Names of providers as in Openness; values as the operations of this gateway take and answer them. */
const types: Readonly<Record<string, readonly TypeEntry[]>> = {
  online: [
    { name: 'OnlineProvider', kind: 'provider', values: ['GoOnline', 'GoOffline'], operation: 'online.connect' },
    { name: 'OnlineState', kind: 'enum', values: ['online', 'offline'], operation: 'online.get-status' },
  ],
  cpu: [
    { name: 'OperatingState', kind: 'enum', values: cpuStates, operation: 'online.get-cpu-status' },
    { name: 'OperatingStateControl', kind: 'provider', values: ['start', 'stop'], operation: 'online.start-cpu' },
  ],
  download: [
    { name: 'DownloadProvider', kind: 'provider', values: ['Download'], operation: 'online.download' },
    {
      name: 'DownloadOptions',
      kind: 'options',
      values: [
        'all',
        'software',
        'hardware',
        'compile',
        'inRun',
        'reinitialize',
        'reinitializeChanged',
        'stopModules',
        'startAfter',
        'force',
      ],
      operation: 'online.download',
    },
    {
      name: 'LoadReport',
      kind: 'enum',
      values: ['added', 'removed', 'kept', 'reinitialized', 'lost'],
      operation: 'online.download',
    },
  ],
  upload: [
    { name: 'StationUploadProvider', kind: 'provider', values: ['StationUpload'], operation: 'online.upload' },
    { name: 'UploadOptions', kind: 'options', values: ['overwrite', 'force'], operation: 'online.upload' },
    { name: 'UploadAction', kind: 'enum', values: ['created', 'replaced', 'unchanged'], operation: 'online.upload' },
  ],
  compare: [
    { name: 'CompareProvider', kind: 'provider', values: ['CompareToOnline'], operation: 'online.compare' },
    {
      name: 'CompareResultState',
      kind: 'enum',
      values: ['equal', 'differs', 'onlyOffline', 'onlyOnline'],
      operation: 'online.compare',
    },
  ],
}

/** All types, of every category. */
export function onlineTypes(): readonly TypeEntry[] {
  return Object.values(types).flat()
}

const listTypes = query({
  id: 'online.list-types',
  title: 'List the types of online functions and downloads, by category',
  input: (t) => t.Object({}),
  output: (t) =>
    t.Object({
      categories: t.Array(
        t.Object({
          category: t.String(),
          types: t.Array(
            t.Object({
              name: t.String(),
              kind: t.Enum(['provider', 'enum', 'options']),
              values: t.Array(t.String()),
              operation: t.String({ description: 'The operation that has it.' }),
            }),
          ),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/diagnostic/online-download-types')],
  mcp: { toolset: 'online' },
  run() {
    const categories = Object.entries(types).map(([category, list]) => ({
      category,
      types: list.map((entry) => ({ ...entry, values: [...entry.values] })),
    }))
    return { categories, total: categories.reduce((sum, each) => sum + each.types.length, 0) }
  },
})

const listServices = query({
  id: 'online.list-cpu-services',
  title: 'List the services of the CPU of a device',
  description: 'Which online functions the device has, and whether they can be used now; `reason` says why not.',
  live: true,
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      hasCpu: t.Boolean(),
      isOnline: t.Boolean(),
      isReachable: t.Boolean(),
      services: t.Array(
        t.Object({ name: t.String(), category: t.String(), isAvailable: t.Boolean(), reason: t.Optional(t.String()) }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/diagnostic/cpu-services/{deviceName}')],
  mcp: { toolset: 'online' },
  example: { deviceName: 'PLC_1' },
  async run(input, ctx) {
    const device = requireDevice(ctx, input.deviceName)
    const hasCpu = device.kind === 'PLC'
    const connection = await connectionOf(ctx, device)
    const reached = connection?.reached ?? (await findReached(ctx, addressesOf(device)))
    const unreachable = reached ? undefined : 'The device cannot be reached: no controller that is on has its address.'
    const noProgram = reached?.controller.program ? undefined : 'The controller has no program.'
    const noSupport = requireProject(ctx).simulationSupport ? undefined : 'The project does not support simulation.'
    const providers = Object.entries(types).flatMap(([category, list]) =>
      list.filter(({ kind }) => kind === 'provider').map(({ name }) => ({ name, category })),
    )
    const services = hasCpu
      ? providers.map(({ name, category }) => {
          const own =
            category === 'download' ? noSupport : ['upload', 'compare'].includes(category) ? noProgram : undefined
          const reason = unreachable ?? own
          return { name, category, isAvailable: reason === undefined, ...defined({ reason }) }
        })
      : []
    return {
      deviceName: device.name,
      hasCpu,
      isOnline: connection !== undefined,
      isReachable: reached !== undefined,
      services,
      total: services.length,
    }
  },
})

export const diagnosticOperations: readonly Operation[] = [listTypes, listServices]
