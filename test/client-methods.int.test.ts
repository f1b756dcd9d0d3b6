/**
 * What the API layer of an editor for this API family sends and reads, request by request, below `/compat`: a field
 * that is gone or a request that is served no more is noticed here. Its own code is not here: its licence (Elastic
 * License 2.0) lets anybody run it, but it is in no package registry.
 */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { docsPlugin } from '../core/docs/operations.ts'
import { createServer, listen } from '../core/http/server.ts'
import { builtInPlugins, openTestGateway } from './harness.ts'
import { panels } from './hmi.ts'
import { becomes } from './until.ts'

const key = 'client-methods-key'

// biome-ignore lint/suspicious/noExplicitAny: a client reads what it wants
type Data = any

interface Exchange {
  /** `GET /api/projects/overview`; `{id}` stands for the id in the answer before. */
  readonly request: string
  readonly body?: object
  /** The fields that it reads, of a list those of the first entry; below others with dots. Default: it reads none. */
  readonly reads?: string
  /** It waits for the job that the answer names, and reads its result. */
  readonly isJob?: boolean
  /** How many functions of the layer send it. Default: 1. */
  readonly methods?: number
}

const plc = '/api/devices/PLC_1'
const hmi = '/api/devices/HMI_1/hmi'
const vcs = '/api/source-control'
const tests = '/api/testharness'
const steps = [{ description: 'press', write: { Start: true }, waitMs: 50, assert: { Start: { expected: true } } }]
const text = 'FUNCTION "Scale" : Int\nBEGIN\n  #Scale := 1;\nEND_FUNCTION\n'
const file = (name: string) => `out/${name}`
const compiled = 'state errorCount warningCount messages'

const pipelines = '/api/pipelines'
const pipeline =
  'name description trigger variables steps.name steps.action steps.params steps.timeoutSeconds steps.retryCount steps.retryDelayMs onFailure createdAt'
const execution =
  'status startedAt completedAt durationMs stepResults.stepIndex stepResults.stepName stepResults.action stepResults.status stepResults.durationMs stepResults.resultMessage stepResults.attempts'

/** In the order in which they can be sent; each finds what those before have left. */
const served: readonly Exchange[] = [
  { request: 'GET /api/health' },
  { request: 'POST /signalr/negotiate' },
  { request: 'GET /api/license/features', reads: 'edition isValid features.key features.name features.enabled' },
  {
    request: 'GET /api/projects/overview',
    reads:
      'projectName projectPath author comment devices.name devices.typeIdentifier devices.blocks.name devices.blocks.type devices.blocks.language devices.tagTables.name devices.deviceItems.name',
  },
  { request: 'GET /api/projects/devices', reads: 'name typeIdentifier' },
  {
    request: 'GET /api/simulation/status',
    reads: 'runtimeManagerRunning apiVersion apiAvailable registeredInstances',
  },
  { request: 'GET /api/projects/history', reads: 'path lastAccess' },
  { request: 'GET /api/docs/search?q=block', reads: 'section snippet relevance' },

  {
    request: `GET ${plc}/blocks/tree`,
    reads: 'name children.name children.type children.programmingLanguage children.number children.isConsistent',
  },
  {
    request: `GET ${plc}/blocks/Scale/content`,
    methods: 3,
    reads:
      'name blockType number programmingLanguage title author isKnowHowProtected needsCompilation rawXml sourceText interface networks',
  },
  { request: `GET ${plc}/blocks/Scale/source`, reads: 'sourceText' },
  {
    request: `POST ${plc}/external-sources/import-and-generate`,
    body: { SclContent: text, SourceName: 'Scale' },
  },
  {
    request: `POST ${plc}/blocks/generate-and-import`,
    body: { BlockType: 'FB', Name: 'Mixer', Language: 'LAD' },
  },
  { request: `POST ${plc}/actions/compile-sync`, reads: compiled },
  { request: `POST ${plc}/blocks/Scale/actions/compile`, body: {}, reads: compiled },
  {
    request: `GET ${plc}/blocks/Main/cross-references`,
    reads: 'blockName sourceCount totalReferenceCount sources.name sources.typeName sources.referenceObjects',
  },

  { request: `GET ${plc}/tag-tables`, reads: 'name tagCount isDefault' },
  {
    request: `GET ${plc}/tag-tables/Default%20tag%20table/tags`,
    reads: 'name dataType logicalAddress comment externalAccessible externalVisible externalWritable',
  },
  {
    request: `POST ${plc}/tag-tables/Default%20tag%20table/actions/export-csv-sync`,
    body: { exportPath: file('t.csv') },
  },
  {
    request: `POST ${plc}/tag-tables/Default%20tag%20table/actions/export-excel-sync`,
    body: { exportPath: file('t.xlsx') },
  },
  { request: `GET ${plc}/tag-tables/Default%20tag%20table/export-xml` },
  {
    request: `POST ${plc}/tag-tables/Default%20tag%20table/actions/import-csv-sync`,
    body: { filePath: file('t.csv') },
  },
  {
    request: `POST ${plc}/tag-tables/Default%20tag%20table/actions/import-xlsx-sync`,
    body: { filePath: file('t.xlsx') },
  },
  { request: `GET ${plc}/udts`, reads: 'name number isConsistent modifiedDate' },
  { request: `GET ${plc}/udts/Motor`, reads: 'name isConsistent members.name members.dataType' },
  { request: `POST ${plc}/udts/Motor/actions/export`, body: { exportPath: file('Motor.xml') } },
  { request: `POST ${plc}/udts/actions/import`, body: { importFilePath: file('Motor.xml') } },
  { request: `GET ${plc}/watch-tables`, reads: 'name entryCount' },
  {
    request: `GET ${plc}/watch-tables/Watch`,
    reads: 'name isConsistent entryCount entries.name entries.address entries.displayFormat entries.monitorTrigger',
  },
  { request: `POST ${plc}/watch-tables/Watch/actions/export`, body: { exportPath: file('Watch.xml') } },

  { request: `GET ${hmi}/screens`, reads: 'name number width height' },
  { request: `POST ${hmi}/screens/Home/actions/export`, body: { exportPath: file('Home.xml') } },
  { request: `POST ${hmi}/screens/actions/import`, body: { importFilePath: file('Home.xml') } },
  { request: `GET ${hmi}/tags`, reads: 'name dataType' },
  { request: `POST ${hmi}/tags/actions/export`, body: { exportPath: file('tags.xml') } },
  { request: `POST ${hmi}/tags/actions/import`, body: { importFilePath: file('tags.xml') } },
  { request: `GET ${hmi}/connections`, reads: 'name' },
  { request: `POST ${hmi}/connections/actions/export`, body: { exportPath: file('connections.xml') } },
  { request: `POST ${hmi}/connections/actions/import`, body: { importFilePath: file('connections.xml') } },
  { request: `POST ${plc}/hardware/actions/export`, body: { exportPath: file('PLC_1.aml') } },
  { request: `POST ${plc}/hardware/actions/import`, body: { importFilePath: file('PLC_1.aml') } },

  { request: `POST ${tests}/tests`, body: { name: 'Press', setup: { Start: false }, steps } },
  { request: `GET ${tests}/tests` },
  { request: `GET ${tests}/tests/Press`, reads: 'name steps.description steps.write steps.waitMs steps.assert' },
  // Two ask for the state of a job, itself and until its end.
  {
    request: `POST ${tests}/run?testName=Press`,
    isJob: true,
    reads: 'total passed failed results.testName',
    methods: 3,
  },
  {
    request: `POST ${tests}/run?testName=*`,
    isJob: true,
    reads: 'results.steps.assertions.tagName results.durationMs',
  },
  { request: `GET ${tests}/results`, reads: 'total passed failed results.passed startedAt completedAt durationMs' },
  { request: `DELETE ${tests}/tests/Press` },

  { request: `POST ${vcs}/init` },
  { request: `POST ${vcs}/export-preview`, isJob: true, reads: 'changes' },
  {
    request: `GET ${vcs}/status`,
    reads:
      'isInitialized changedFilesCount changes.filePath changes.status changes.domain changes.deviceName changes.itemName',
  },
  { request: `POST ${vcs}/commit`, body: { Message: 'As delivered' }, isJob: true },
  { request: `GET ${vcs}/log?count=50`, reads: 'sha shortSha message author timestamp filesChanged' },
  { request: `GET ${vcs}/diff?from=HEAD&to=HEAD`, reads: 'fromSha toSha patch files' },
  { request: `GET ${vcs}/file-content?commitSha=HEAD&filePath=Line.gantry`, reads: 'content' },
  {
    request: `POST ${vcs}/restore`,
    body: { CommitSha: 'HEAD', FilePath: 'devices/PLC_1/blocks/Scale.scl', DeviceName: 'PLC_1' },
    isJob: true,
  },
  { request: `POST ${vcs}/branches`, body: { BranchName: 'a/b' } },
  {
    request: `GET ${vcs}/branches`,
    reads: 'name isCurrentBranch isRemote lastCommitSha lastCommitMessage',
  },
  { request: `POST ${vcs}/branches/checkout`, body: { BranchName: 'a/b' } },
  { request: `POST ${vcs}/merge`, body: { BranchName: 'main' } },
  { request: `POST ${vcs}/branches/checkout`, body: { BranchName: 'main' }, methods: 0 },
  { request: `DELETE ${vcs}/branches/a%2Fb` },
  { request: `GET ${vcs}/config`, reads: 'enabled authorName authorEmail' },
  { request: `GET ${vcs}/remotes` },

  { request: `GET ${pipelines}/templates`, reads: 'id name description category' },
  {
    request: `POST ${pipelines}/templates/compile-and-test/instantiate`,
    body: { pipelineName: 'Test', parameters: {} },
    reads: pipeline,
  },
  {
    request: `POST ${pipelines}`,
    body: {
      ...{ name: 'Nightly', trigger: 'manual', onFailure: 'stop', createdAt: '2025-01-01T00:00:00Z' },
      steps: [
        {
          ...{ name: 'Compile', action: 'blocks.compile-device', params: { deviceName: 'PLC_1' } },
          ...{ timeoutSeconds: 60, retryCount: 0, retryDelayMs: 0 },
        },
      ],
    },
  },
  { request: `GET ${pipelines}` },
  { request: `GET ${pipelines}/Nightly`, reads: pipeline },
  { request: `POST ${pipelines}/Nightly/run`, isJob: true, reads: `pipelineName ${execution}` },
  { request: `GET ${pipelines}/executions?limit=20`, reads: `id pipelineName jobId ${execution}` },
  { request: `GET ${pipelines}/executions/{id}`, reads: `id ${execution}` },
  { request: `DELETE ${pipelines}/Nightly` },

  { request: 'GET /api/assistant/history?projectKey=Line' },
  { request: 'DELETE /api/assistant/history?projectKey=Line' },
  { request: 'POST /api/assistant/stop' },
  { request: 'POST /api/assistant/chat', body: { Message: 'hello', History: [], Locale: 'en' } },

  { request: 'POST /api/projects/actions/save', isJob: true, methods: 0 },
  { request: 'POST /api/projects/actions/close', isJob: true },
  { request: 'GET /api/projects/files', reads: 'name path extension size lastModified' },
  { request: 'POST /api/projects/actions/open', body: { Path: 'Line' }, isJob: true },
  { request: 'POST /api/projects/actions/archive', body: { archivePath: 'Line.zap19' }, isJob: true, methods: 0 },
  { request: 'POST /api/projects/actions/close', isJob: true, methods: 0 },
  {
    request: 'POST /api/projects/actions/retrieve',
    body: { ArchivePath: 'Line.zap19', TargetDirectory: 'back' },
    isJob: true,
  },
]

const network = 'The gateway opens no connection with its own rights to a server that a client names.'

/** Requests that are not served, each with the reason and how many functions send it. */
const notServed: readonly (readonly [request: string, reason: string, methods: number])[] = [
  [`POST ${vcs}/push`, network, 1],
  [`POST ${vcs}/pull`, network, 1],
  [`POST ${vcs}/remotes`, network, 1],
  [`DELETE ${vcs}/remotes/origin`, network, 1],
]

/** Functions of the layer that send a request. */
const allMethods = 88

/** A project with something of everything that is read. */
async function connect(t: TestContext) {
  const at = await openTestGateway(t, {
    pluginDirs: [builtInPlugins],
    corePlugins: [docsPlugin],
    ...{ apiKey: key, durability: 'os' },
  })
  const app = await createServer(at.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  await mkdir(join(at.dir, 'workspace/out'), { recursive: true })
  const { call } = at
  const [on, panel] = [{ deviceName: 'PLC_1' }, { deviceName: 'HMI_1' }]
  await call('projects.create', { name: 'Line' })
  await call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  await call('devices.add', { name: 'HMI_1', orderNumber: panels.classic })
  await call('tags.add', { ...on, name: 'Start', dataType: 'Bool', logicalAddress: '%M0.0' })
  const main =
    'ORGANIZATION_BLOCK "Main"\nVAR_TEMP\n  x : Int;\nEND_VAR\nBEGIN\n  #x := "Scale"();\nEND_ORGANIZATION_BLOCK\n'
  await call('blocks.import-and-generate', { ...on, content: text + main })
  await call('types.create', { ...on, name: 'Motor', members: [{ name: 'speed', dataType: 'Int' }] })
  await call('watch-tables.create', { ...on, name: 'Watch' })
  await call('watch-tables.add-entries', { ...on, tableName: 'Watch', entries: ['Start'] })
  await call('hmi.create-screen', { ...panel, name: 'Home' })
  await call('hmi.create-tag-table', { ...panel, name: 'Tags' })
  await call('hmi.create-connection', { ...panel, name: 'C', partner: 'PLC_1' })
  await call('hmi.add-tag', { ...panel, tableName: 'Tags', name: 'Speed', dataType: 'Int' })
  const send = async (request: string, body?: object) => {
    const [method, path] = request.split(' ')
    const response = await fetch(`${url}/compat${path}`, {
      method: method!,
      headers: {
        ...{ 'x-api-key': key, 'x-client-id': 'vscode/1.0.3' },
        ...{ 'content-type': 'application/json', accept: 'application/json' },
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, answer: (await response.json()) as Data }
  }
  const result = async ({ jobId }: { jobId: string }): Promise<Data> => {
    const job = async () => (await send(`GET /api/jobs/${jobId}`)).answer.data
    await becomes(async () => ['Completed', 'Failed'].includes((await job()).status), true)
    const { status, error, result: ended } = await job()
    assert.equal(status, 'Completed', error)
    return ended
  }
  return { send, result }
}

/** Paths of fields that are not there: of lists, in the first entry. */
function missing(data: Data, reads: string): string[] {
  return reads.split(' ').filter((path) => {
    let at = data
    for (const name of path.split('.')) {
      if (Array.isArray(at)) [at] = at
      at = at?.[name]
    }
    return at === undefined
  })
}

test('each request of the client is answered with the fields that it reads, or is known not to be served', async (t) => {
  const { send, result } = await connect(t)
  const faults: string[] = []
  let id = ''
  for (const { request, body, reads, isJob } of served) {
    const { status, answer } = await send(request.replace('{id}', id), body)
    id = answer.data?.[0]?.id ?? ''
    const isPlain = request.includes('/signalr/')
    if (status >= 400 || (!isPlain && answer.success !== true)) faults.push(`${request}: ${status} ${answer.message}`)
    else if (isJob || reads !== undefined) {
      const data = isJob ? await result(answer.data).catch((error: Error) => error.message) : answer.data
      if (typeof data === 'string') faults.push(`${request}: ${data}`)
      else for (const path of missing(data, reads ?? '')) if (path !== '') faults.push(`${request}: no ${path}`)
    }
  }
  assert.deepEqual(faults, [])
  for (const [request, reason] of notServed)
    assert.ok([404, 405].includes((await send(request)).status), `${request}: ${reason}`)
})

test('the lists hold all functions of the client', () => {
  const sent = served.reduce((sum, { methods = 1 }) => sum + methods, 0)
  const left = notServed.reduce((sum, [, , methods]) => sum + methods, 0)
  assert.equal(sent + left, allMethods)
})
