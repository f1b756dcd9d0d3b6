/** Health and status; instances of the engineering tool. */
import type { Answer, Case } from './case.ts'

const attached = ({ call }: { call(operation: string): Promise<Answer> }) =>
  call('instance.list').then(({ instances }) => ({ processId: instances[0].processId as number }))
const saved = ['projects.save', {}] as const
const reopen = async ({ dir }: { dir: string }) => ({ path: `${dir}/workspace/Line` })

export const health: readonly Case[] = [
  {
    routes: ['GET /api/health'],
    answer: { status: 'ok', project: 'Line', engine: { attached: true } },
    shows: 'POST /api/instance/actions/launch',
    varies: ['processId'],
  },
  {
    routes: ['GET /api/health/diagnostics'],
    isWide: true,
    answer: { status: 'ok', connectivity: { instances: 1, project: 'Line' } },
    shows: 'POST /api/projects/actions/create-sync',
    varies: ['scriptingInterface', 'process', 'machine', 'store', 'time', 'jobs', 'eventLoop', 'log', 'connectivity'],
  },
  {
    routes: ['GET /api/health/versions'],
    answer: { versions: [{ version: 'V19', installed: true }], total: 6 },
    shows: 'the versions that the gateway reads and writes',
  },
  { routes: ['GET /api/health/ping'], answer: { status: 'ok' }, shows: 'this process', varies: ['time'] },
  {
    routes: ['GET /api/instance/status'],
    answer: { connected: true, projectOpen: true, project: { name: 'Line' } },
    shows: 'POST /api/instance/actions/launch',
  },
  { routes: ['GET /api/instance/version'], answer: { version: '0.0.0-test' }, shows: 'this process' },
]

/** They end and start processes: the last ones. */
export const instances: readonly Case[] = [
  {
    routes: ['GET /api/instances'],
    answer: { instances: [{ attached: true }], total: 1 },
    shows: 'POST /api/instance/actions/launch',
    varies: ['busy'],
  },
  {
    routes: ['GET /api/instance/diagnostics'],
    answer: ({ processId, memory }) => processId > 0 && memory.residentBytes > 0,
    shows: 'POST /api/instance/actions/launch',
    varies: ['scriptingInterface', 'memory', 'cpu', 'tasks', 'eventLoop'],
  },
  {
    routes: ['POST /api/instance/actions/detach'],
    answer: { connected: false, running: true },
    effect: ['GET /api/instance/status', {}, { connected: false }],
    after: [['instance.attach', attached]],
    refused: ['no_instance', {}, [['instance.detach', {}]], [['instance.attach', attached]]],
  },
  {
    routes: ['POST /api/instance/actions/attach'],
    before: [['instance.detach', {}]],
    input: attached,
    answer: { attached: true },
    effect: ['GET /api/instance/status', {}, { connected: true }],
    refused: ['not_found', { processId: 1 }, [['instance.detach', {}]], [['instance.attach', attached]]],
    // It names the processes.
    varies: ['detail'],
  },
  {
    routes: ['POST /api/instance/actions/launch'],
    before: [['instance.shut-down', { save: true }]],
    answer: { attached: true },
    effect: ['GET /api/instances', {}, { total: 1 }],
    after: [['projects.open', reopen]],
    refused: ['invalid_input', { version: 'V9' }],
  },
  {
    routes: ['POST /api/instance/actions/shutdown'],
    before: [saved],
    input: { save: true },
    answer: { connected: false, running: false },
    effect: ['GET /api/instances', {}, { total: 0 }],
    after: [
      ['instance.launch', {}],
      ['projects.open', reopen],
    ],
    refused: [
      'conflict',
      {},
      [['tags.create-table', { deviceName: 'PLC_1', name: 'Unsaved' }]],
      [['projects.save', {}]],
    ],
  },
  {
    routes: ['POST /api/eng/firewall/whitelist'],
    input: { application: 'line-tool' },
    answer: { application: 'line-tool', added: true, whitelist: ['line-tool'] },
    effect: ['GET /api/settings', {}, { security: { whitelist: ['line-tool'] } }],
    after: [['settings.change', { security: { whitelist: { remove: ['line-tool'] } } }]],
    refused: ['invalid_input', { application: '' }],
  },
]
