/** PLC simulator. */
import { writeFile } from 'node:fs/promises'
import { type Call, type Case, lacks, plc } from './case.ts'

const sim = { name: 'Sim' }
const spare = { name: 'Spare' }
const none = { name: 'Nothing' }
const config = { maximumPoweredOn: 7 }
const legacy = [{ InstanceName: 'PLC_3', CPUType: 'CPU1515', IPSuites: [{ IPAddress: '192.168.0.31' }] }]
const run: Call = ['simulation.run', sim]
const stop: Call = ['simulation.stop-instance', sim]
const off: Call = ['simulation.power-off', spare]
const on: Call = ['simulation.power-on', spare]
const connect: Call = ['simulation.connect', sim]
const disconnect: Call = ['simulation.disconnect', {}]
const runtime = 'GET /api/simulation/runtime/config'
const state = 'GET /api/simulation/instances/{name}/state'
const instances = 'GET /api/simulation/instances'
const tag = 'GET /api/simulation/tags/{tagName}'
const limit = { ...sim, tagName: 'Data.limit' }
const moved = { network: [{ ipAddress: '192.168.0.77' }] }

export const simulation: readonly Case[] = [
  {
    routes: ['GET /api/simulation/runtime/status'],
    answer: { runtimeManagerRunning: true, registeredInstances: ['Sim', 'Spare'], poweredOn: 1 },
    shows: 'POST /api/simulation/instances/create',
  },
  {
    routes: ['POST /api/simulation/runtime/start'],
    answer: { runtimeManagerRunning: true },
    effect: ['GET /api/simulation/runtime/status', {}, { runtimeManagerRunning: true, apiAvailable: true }],
  },
  {
    routes: [runtime],
    before: [['simulation.configure-runtime', config]],
    answer: config,
    shows: 'PUT /api/simulation/runtime/config',
  },
  {
    routes: ['PUT /api/simulation/runtime/config'],
    input: config,
    answer: config,
    effect: [runtime, {}, config],
    refused: ['invalid_input', { maximumPoweredOn: 0 }],
  },
  {
    routes: ['POST /api/simulation/runtime/port'],
    input: { port: null },
    answer: { port: null, listening: false },
    effect: [runtime, {}, { communicationPort: null }],
    refused: ['invalid_input', { port: 99999 }],
  },
  {
    routes: ['POST /api/simulation/instances/create'],
    input: { name: 'Extra', cpuType: 'CPU1516', ipAddress: '192.168.0.20' },
    answer: { name: 'Extra', state: 'Off', ipAddresses: ['192.168.0.20'] },
    effect: [instances, {}, { instances: [{ name: 'Extra' }] }],
    after: [['simulation.delete-instance', { name: 'Extra', deleteStorage: true }]],
    refused: ['name_taken', { name: 'sim' }],
  },
  {
    routes: [instances],
    answer: {
      instances: [
        { name: 'Sim', operatingState: 'Stop' },
        { name: 'Spare', state: 'Off' },
      ],
      total: 2,
    },
    shows: 'POST /api/simulation/instances/create',
  },
  {
    routes: ['DELETE /api/simulation/instances/{name}'],
    before: [['simulation.create-instance', { name: 'Extra', ipAddress: '192.168.0.20' }]],
    input: { name: 'Extra' },
    answer: { name: 'Extra', deleted: true },
    effect: [instances, {}, lacks('instances', { name: 'Extra' })],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/simulation/instances/{name}/power-on'],
    input: spare,
    answer: { before: 'Off' },
    effect: [state, spare, ({ state: now }) => now !== 'Off'],
    after: [off],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/simulation/instances/{name}/power-off'],
    before: [on],
    input: spare,
    answer: { state: 'Off' },
    effect: [state, spare, { state: 'Off' }],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/simulation/instances/{name}/run'],
    input: sim,
    answer: { before: 'Stop', operatingState: 'Run' },
    effect: [state, sim, { operatingState: 'Run' }],
    after: [stop],
    refused: ['invalid_operating_state', spare],
  },
  {
    routes: ['POST /api/simulation/instances/{name}/stop'],
    before: [run],
    input: sim,
    answer: { before: 'Run', operatingState: 'Stop' },
    effect: [state, sim, { operatingState: 'Stop' }],
    refused: ['invalid_operating_state', spare],
  },
  {
    routes: ['POST /api/simulation/instances/{name}/memory-reset'],
    before: [['simulation.write-tag', { ...limit, value: 55 }]],
    input: sim,
    answer: { operatingState: 'Stop' },
    effect: [tag, limit, { value: 10 }],
    refused: ['invalid_operating_state', sim, [run], [stop]],
  },
  {
    routes: [state],
    before: [run],
    input: sim,
    answer: { operatingState: 'Run' },
    after: [stop],
    shows: 'POST /api/simulation/instances/{name}/run',
    refused: ['not_found', none],
    varies: ['systemTime'],
  },
  {
    routes: ['GET /api/simulation/instances/{name}/config'],
    before: [['simulation.configure-instance', { ...spare, maximumCycleTimeMs: 321 }]],
    input: spare,
    answer: { maximumCycleTimeMs: 321 },
    shows: 'PUT /api/simulation/instances/{name}/config',
    refused: ['not_found', none],
  },
  {
    routes: ['PUT /api/simulation/instances/{name}/config'],
    input: { ...spare, maximumCycleTimeMs: 321 },
    answer: { maximumCycleTimeMs: 321 },
    effect: ['GET /api/simulation/instances/{name}/config', spare, { maximumCycleTimeMs: 321 }],
    refused: ['invalid_input', { ...spare, maximumCycleTimeMs: -1 }],
  },
  {
    routes: ['GET /api/simulation/instances/{name}/network'],
    before: [['simulation.set-instance-network', { ...spare, ...moved }]],
    input: spare,
    answer: moved,
    after: [['simulation.set-instance-network', { ...spare, ipAddress: '192.168.0.9' }]],
    shows: 'PUT /api/simulation/instances/{name}/network',
    refused: ['not_found', none],
  },
  {
    routes: ['PUT /api/simulation/instances/{name}/network'],
    input: { ...spare, ...moved },
    answer: moved,
    effect: [instances, {}, { instances: [{ name: 'Spare', ipAddresses: ['192.168.0.77'] }] }],
    after: [['simulation.set-instance-network', { ...spare, ipAddress: '192.168.0.9' }]],
    refused: ['conflict', { ...spare, ipAddress: '192.168.0.1' }],
  },
  {
    routes: ['GET /api/simulation/status'],
    before: [connect],
    answer: { connectedInstance: 'Sim', registeredInstances: ['Sim', 'Spare'] },
    after: [disconnect],
    shows: 'POST /api/simulation/connect',
  },
  {
    routes: ['POST /api/simulation/connect'],
    input: sim,
    answer: { connectedInstance: 'Sim' },
    effect: ['GET /api/simulation/state', {}, { connected: true, connectedInstance: 'Sim' }],
    after: [disconnect],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/simulation/disconnect'],
    before: [connect],
    answer: { disconnected: true, instance: 'Sim' },
    effect: ['GET /api/simulation/state', {}, { connected: false }],
  },
  {
    routes: ['GET /api/simulation/tags'],
    input: { ...sim, limit: 100 },
    answer: { instance: 'Sim', tags: [{ name: /Data.*limit/, dataType: 'Int' }] },
    shows: 'POST /api/devices/{deviceName}/actions/download-sync',
    refused: ['invalid_operating_state', spare],
  },
  {
    routes: ['POST /api/simulation/tags/refresh'],
    input: sim,
    answer: ({ total }) => total > 3,
    shows: 'POST /api/devices/{deviceName}/actions/download-sync',
    refused: ['invalid_operating_state', spare],
    varies: ['refreshedAt'],
  },
  {
    routes: [tag],
    before: [['simulation.write-tag', { ...limit, value: 31 }]],
    input: limit,
    answer: { value: 31, dataType: 'Int', quality: /good/i },
    shows: 'PUT /api/simulation/tags/{tagName}',
    refused: ['not_found', { ...sim, tagName: 'Data.nothing' }],
  },
  {
    routes: ['PUT /api/simulation/tags/{tagName}'],
    input: { ...limit, value: 32 },
    answer: { value: 32 },
    effect: [tag, limit, { value: 32 }],
    refused: ['unacceptable_content', { ...limit, value: 'much' }],
  },
  {
    routes: ['POST /api/simulation/tags/batch-read'],
    before: [['simulation.write-tag', { ...limit, value: 33 }]],
    input: { ...sim, tags: ['Data.limit', 'Data.count'] },
    answer: { tags: [{ value: 33 }], total: 2, bad: 0 },
    shows: 'PUT /api/simulation/tags/{tagName}',
    refused: ['invalid_operating_state', { ...spare, tags: ['Data.limit'] }],
  },
  {
    routes: ['POST /api/simulation/tags/batch-write'],
    input: { ...sim, tags: [{ name: 'Data.limit', value: 34 }] },
    answer: { total: 1 },
    effect: [tag, limit, { value: 34 }],
    refused: ['invalid_operating_state', { ...spare, tags: [{ name: 'Data.limit', value: 34 }] }],
  },
  {
    routes: ['GET /api/simulation/profiles'],
    answer: { profiles: [{ fileName: 'Profile', instanceCount: 1 }], total: 1 },
    shows: 'POST /api/simulation/profiles',
  },
  {
    routes: ['POST /api/simulation/profiles'],
    input: { name: 'Second', instances: [{ name: 'A', cpuType: 'CPU1515' }] },
    answer: { fileName: 'Second', instanceCount: 1 },
    effect: ['GET /api/simulation/profiles/{fileName}', { fileName: 'Second' }, { instances: [{ name: 'A' }] }],
    after: [['simulation.delete-profile', { fileName: 'Second' }]],
    refused: ['name_taken', { name: 'profile' }],
  },
  {
    routes: ['GET /api/simulation/profiles/{fileName}'],
    input: { fileName: 'Profile' },
    answer: { name: 'Profile', instances: [{ name: 'Later' }] },
    shows: 'POST /api/simulation/profiles',
    refused: ['not_found', { fileName: 'Nothing' }],
  },
  {
    routes: ['POST /api/simulation/start'],
    input: sim,
    answer: { running: true, connectedInstance: 'Sim' },
    effect: ['GET /api/simulation/state', {}, { connected: true, running: true }],
    after: [['simulation.stop', {}], disconnect],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/simulation/stop'],
    before: [['simulation.start', sim]],
    input: sim,
    answer: { running: false },
    effect: ['GET /api/simulation/state', {}, { running: false }],
    after: [disconnect],
    refused: ['not_found', none],
  },
  {
    routes: ['GET /api/simulation/state'],
    before: [connect],
    answer: { connected: true, connectedInstance: 'Sim', running: false },
    after: [disconnect],
    shows: 'POST /api/simulation/connect',
  },
  {
    routes: ['POST /api/simulation/import-legacy'],
    input: async ({ dir }) => {
      await writeFile(`${dir}/workspace/Old.json`, JSON.stringify(legacy))
      return { filePath: 'Old.json' }
    },
    answer: { instances: [{ name: 'PLC_3', ipAddresses: ['192.168.0.31'] }] },
    effect: [instances, {}, { instances: [{ name: 'PLC_3' }] }],
    after: [['simulation.delete-instance', { name: 'PLC_3' }]],
    refused: ['unacceptable_content', { content: { Something: 1 } }],
  },
]

const services = 'POST /api/projects/devices/actions/add-sync'

export const diagnostics: readonly Case[] = [
  {
    routes: ['GET /api/diagnostic/namespaces'],
    isWide: true,
    answer: ({ namespaces, totalTypes }) => namespaces.length > 10 && totalTypes > 500,
    shows: 'the operations of the gateway',
  },
  {
    routes: ['GET /api/diagnostic/types'],
    isWide: true,
    input: { filter: 'Gantry.Tags', limit: 200 },
    answer: { types: [{ namespace: 'Gantry.Tags' }] },
    shows: 'the operations of the gateway',
    refused: ['invalid_input', { kind: 'class' }],
  },
  {
    routes: ['GET /api/diagnostic/search'],
    isWide: true,
    input: async ({ call }) => {
      const { types } = await call('diagnostics.list-types', { filter: 'Gantry.Tags', kind: 'input', limit: 1 })
      return { typeName: types[0].fullName }
    },
    answer: ({ kind, fields }) => kind === 'input' && fields.length > 0,
    shows: 'GET /api/diagnostic/types',
    refused: ['not_found', { typeName: 'Nothing' }],
  },
  {
    routes: ['GET /api/diagnostic/enum-values/{typeName}'],
    isWide: true,
    input: async ({ call }) => {
      const { types } = await call('diagnostics.list-types', { kind: 'enum', limit: 1 })
      return { typeName: types[0].fullName }
    },
    answer: ({ values, total }) => total > 0 && values.length === total,
    shows: 'GET /api/diagnostic/types',
    refused: ['not_found', { typeName: 'Nothing' }],
  },
  {
    routes: ['GET /api/diagnostic/providers'],
    isWide: true,
    answer: ({ providers, total }) => total > 5 && providers.length === total,
    shows: 'the plugins of the gateway',
  },
  {
    routes: ['GET /api/diagnostic/online-download-types'],
    answer: ({ categories }) => categories.length > 1,
    shows: 'the operations of the gateway',
  },
  {
    routes: ['GET /api/diagnostic/plc-services/{deviceName}'],
    input: plc,
    answer: ({ deviceName, blocks, services: all }) => deviceName === 'PLC_1' && blocks === 4 && all.length > 3,
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['not_found', { deviceName: 'PLC_9' }],
  },
  {
    routes: ['GET /api/diagnostic/cpu-services/{deviceName}'],
    input: plc,
    answer: { deviceName: 'PLC_1', hasCpu: true, isReachable: true },
    shows: services,
    refused: ['not_found', { deviceName: 'PLC_9' }],
  },
]
