/** MCP, assistant, design spec, system, discovery. */
import { readFile } from 'node:fs/promises'
import { type Call, type Case, gone, plc, type World } from './case.ts'

const readSpec = () => readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8')
const session = async ({ call }: World) => {
  const { sessions } = await call('mcp.list-sessions')
  return { sessionId: sessions[0].sessionId as string }
}

export const mcp: readonly Case[] = [
  {
    routes: ['GET /mcp/info'],
    isWide: true,
    answer: ({ name, toolCount, tools }) => name === 'gantry' && tools.length === toolCount,
    shows: 'the operations of the gateway',
    refused: ['invalid_input', { toolsets: 'nothing' }],
  },
  {
    routes: ['GET /mcp/config'],
    answer: ({ url, clients }) => /^http:/.test(url) && clients.length > 2,
    shows: 'this process',
    refused: ['not_found', { client: 'nothing' }],
    varies: ['url', 'clients'],
  },
  {
    routes: ['GET /mcp/instance'],
    answer: { attached: true, projectOpen: true, projects: [{ name: 'Line' }] },
    shows: 'POST /api/instance/actions/launch',
    varies: ['busy', 'service'],
  },
  {
    routes: ['GET /mcp/sessions'],
    answer: ({ sessions, total }) => total > 0 && sessions.length === total,
    shows: 'GET /mcp/sse',
    varies: ['calls', 'idleSeconds', 'requests', 'lastSeen', 'sessions'],
  },
  {
    routes: ['GET /mcp/sessions/{sessionId}'],
    input: session,
    answer: (answer) => typeof answer === 'object',
    shows: 'GET /mcp/sse',
    refused: ['not_found', { sessionId: 'nothing' }],
    varies: ['calls', 'idleSeconds', 'requests', 'lastSeen', 'lastCall', 'recentCalls', 'running'],
  },
  {
    routes: ['POST /mcp/sessions/cleanup'],
    input: { disconnectedSeconds: 3600 },
    answer: { removed: 0 },
    shows: 'GET /mcp/sessions',
    refused: ['invalid_input', { disconnectedSeconds: -1 }],
  },
]

const talk: Call = ['assistant.chat', { message: 'Which blocks are there?', projectKey: 'Line' }]
const clear: Call = ['assistant.clear-history', {}]

export const assistant: readonly Case[] = [
  {
    routes: ['POST /api/assistant/chat'],
    input: { message: 'Where is "Lamp" used?', projectKey: 'Line' },
    answer: { role: 'assistant', finishReason: 'stop', content: /Lamp/ },
    effect: [
      'GET /api/assistant/history',
      { projectKey: 'Line' },
      { history: [{ role: 'user', content: 'Where is "Lamp" used?' }] },
    ],
    after: [clear],
    refused: ['invalid_input', { message: '' }],
    varies: ['usage'],
  },
  {
    routes: ['GET /api/assistant/history'],
    before: [clear, talk],
    input: { projectKey: 'Line' },
    answer: { history: [{ content: 'Which blocks are there?', projectKey: 'Line' }], total: 2 },
    after: [clear],
    shows: 'POST /api/assistant/chat',
  },
  {
    routes: ['DELETE /api/assistant/history'],
    before: [talk],
    answer: ({ cleared }) => cleared > 0,
    effect: ['GET /api/assistant/history', {}, { total: 0 }],
  },
  {
    routes: ['POST /api/assistant/stop'],
    answer: { stopped: 0, jobIds: [] },
    effect: ['GET /api/assistant/history', {}, { total: 0 }],
  },
  {
    routes: ['POST /api/assistant/models'],
    answer: { models: [{ id: 'gantry/docs' }] },
    shows: 'the settings of the assistant',
    refused: ['invalid_input', { writes: 'often' }],
  },
]

const load: Call = ['design-spec.load', async () => ({ file: { fileName: 'mixer.csv', content: await readSpec() } })]
const phases = 'GET /api/design-spec/phases'
const model = 'GET /api/design-spec/model'

export const designSpec: readonly Case[] = [
  {
    routes: ['POST /api/design-spec/load'],
    before: [['design-spec.delete-model', {}]],
    input: async () => ({ file: { fileName: 'mixer.csv', content: await readSpec() } }),
    answer: { success: true, phases: 3 },
    effect: [phases, {}, [{ name: 'Mix', steps: ['StartAgitator'] }]],
    after: [load],
    refused: ['unacceptable_content', { file: { fileName: 'x.csv', content: '[Phases]\nnothing' } }],
  },
  {
    routes: ['POST /api/design-spec/load-separate'],
    before: [['design-spec.delete-model', {}]],
    input: {
      logic:
        'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\nRinse;1;Open;TRUE;TRUE;;"TRUE";\n',
    },
    answer: { success: true, phases: 1 },
    effect: [phases, {}, [{ name: 'Rinse' }]],
    after: [load],
    refused: ['unacceptable_content', { logic: '' }],
  },
  {
    routes: [model],
    answer: (answer) => JSON.stringify(answer).includes('"name":"Mix","steps":5'),
    shows: 'POST /api/design-spec/load',
    refused: ['not_found', {}, [['design-spec.delete-model', {}]], [load]],
  },
  {
    routes: ['DELETE /api/design-spec/model'],
    answer: { success: true, cleared: true },
    effect: [phases, {}, gone],
    after: [load],
  },
  {
    routes: [phases],
    answer: [{ name: 'Fill' }, { name: 'Mix', steps: ['StartAgitator', 'Heat', 'Stir', 'Stop', 'Mixed'] }],
    shows: 'POST /api/design-spec/load',
  },
  {
    routes: ['POST /api/design-spec/generate'],
    input: { phase: 'Mix' },
    answer: /FUNCTION_BLOCK "?FB_Mix"?[\s\S]*Execute[\s\S]*CASE/,
    shows: 'POST /api/design-spec/load',
    refused: ['not_found', { phase: 'Nothing' }],
  },
  {
    routes: ['POST /api/design-spec/generate-and-import'],
    input: { phase: 'Mix', device: 'PLC_1' },
    answer: { phase: 'Mix', blockName: 'FB_Mix', imported: true, compiled: true, errors: [] },
    effect: [
      'GET /api/devices/{deviceName}/blocks/{blockName}/content',
      { ...plc, blockName: 'FB_Mix' },
      { sourceText: /_StepEntry/ },
    ],
    refused: ['not_found', { phase: 'Mix', device: 'PLC_9' }],
  },
]

const settings = 'GET /api/settings'
const dialog = (name: string): Case => ({
  routes: [`GET /api/system/browse-${name}`],
  input: { title: 'Choose' },
  answer: { cancelled: false, path: /chosen/ },
  shows: 'the choice in the dialog',
  refused: ['invalid_input', { startIn: 'x'.repeat(5000) }],
})

export const system: readonly Case[] = [
  {
    routes: [settings],
    before: [['settings.change', { limits: { pendingJobs: 777 } }]],
    answer: { limits: { pendingJobs: 777 } },
    after: [['settings.change', { limits: { pendingJobs: 10_000 } }]],
    shows: 'PATCH /api/settings',
  },
  {
    routes: ['POST /api/settings'],
    input: async ({ call }) => {
      const { setByEnvironment: _environment, ...now } = await call('settings.get')
      return { ...now, limits: { ...now.limits, pendingJobs: 888 } }
    },
    answer: { limits: { pendingJobs: 888 } },
    effect: [settings, {}, { limits: { pendingJobs: 888 } }],
    after: [['settings.change', { limits: { pendingJobs: 10_000 } }]],
    refused: ['invalid_input', { limits: {} }],
  },
  {
    routes: ['GET /api/docs'],
    isWide: true,
    answer: /[Ww]atch table/,
    shows: 'the manual',
  },
  {
    routes: ['GET /api/docs/sections'],
    isWide: true,
    answer: ({ sections, total }) => total > 10 && sections.length === total,
    shows: 'the manual',
  },
  {
    routes: ['GET /api/docs/sections/{sectionName}'],
    isWide: true,
    input: { sectionName: 'assistant' },
    answer: { name: 'assistant', text: /assistant/ },
    shows: 'GET /api/docs/sections',
    refused: ['not_found', { sectionName: 'nothing' }],
  },
  {
    routes: ['GET /api/docs/search'],
    isWide: true,
    input: { q: 'force table', limit: 5 },
    answer: (answer) => answer.length > 0 && answer[0].relevance > 0,
    shows: 'the manual',
    refused: ['invalid_input', {}],
  },
  ...['file', 'project', 'folder'].map(dialog),
  {
    routes: ['GET /api/audit'],
    before: [['tags.create-table', { ...plc, name: 'Audited' }]],
    input: { operation: 'tags.create-table', limit: 5 },
    answer: { entries: [{ operation: 'tags.create-table', actor: 'test' }] },
    shows: 'POST /api/devices/{deviceName}/tag-tables/actions/create-sync',
    refused: ['invalid_input', { order: 'up' }],
    varies: ['seq', 'time', 'data', 'total', 'nextCursor'],
  },
]

export const discovery: readonly Case[] = [
  {
    routes: ['GET /api/command/list'],
    isWide: true,
    answer: ({ routes, total }) => total === routes.length && total > 317,
    shows: 'the operations of the gateway',
    refused: ['invalid_input', { nothing: 1 }],
  },
  {
    routes: ['GET /api/command/info/{route}'],
    input: { route: 'api/projects/devices' },
    answer: { path: '/api/projects/devices', operation: 'devices.list' },
    shows: 'GET /api/command/list',
    refused: ['route_not_found', { route: 'api/nothing' }],
  },
]
