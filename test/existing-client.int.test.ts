/**
 * A client of this API family below `/compat`, with paths and spellings as such clients send them: what it did is read
 * back through it.
 */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer, listen } from '../core/http/server.ts'
import { builtInPlugins, openTestGateway } from './harness.ts'
import { panels } from './hmi.ts'
import { becomes } from './until.ts'

const key = 'existing-client-key'

// biome-ignore lint/suspicious/noExplicitAny: a client reads what it wants
type Data = any

async function connect(t: TestContext) {
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins], apiKey: key, durability: 'os' })
  const app = await createServer(at.gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const send = async (method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${url}/compat${path}`, {
      method,
      headers: { 'x-api-key': key, 'x-client-id': 'vscode/1.0.3', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = (await response.json()) as { success: boolean; message: string; data: Data }
    assert.equal(answer.success, true, `${method} ${path}: ${answer.message}`)
    return answer.data
  }
  const ended = async ({ jobId }: { jobId: string }) => {
    const job = () => send('GET', `/api/jobs/${jobId}`)
    await becomes(async () => ['Completed', 'Failed'].includes((await job()).status), true)
    const { status, error, result } = await job()
    assert.equal(status, 'Completed', error)
    return result
  }
  return { ...at, send, ended, workspace: join(at.dir, 'workspace') }
}

test('blocks, files of the workspace, archives, HMI and hardware in the spelling of an editor', async (t) => {
  const { send, ended, call, workspace } = await connect(t)
  const path = join(workspace, 'Line')
  await call('projects.create', { name: 'Line' })
  await call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  await call('devices.add', { name: 'HMI_1', orderNumber: panels.classic })
  const plc = '/api/devices/PLC_1'

  await send('POST', `${plc}/blocks/generate-and-import`, { BlockType: 'FB', Name: 'Mixer', Language: 'LAD' })
  const content = await send('GET', `${plc}/blocks/Mixer/content`)
  assert.match(content.rawXml, /^<\?xml .*<SW\.Blocks\.FB .*<\/Document>$/s)
  assert.deepEqual([content.programmingLanguage, content.networks.length], ['LAD', 1])
  // What it has read as a file can be imported as one.
  await call('blocks.delete', { deviceName: 'PLC_1', blockName: 'Mixer' })
  await call('blocks.import', { deviceName: 'PLC_1', content: content.rawXml })
  assert.equal((await send('GET', `${plc}/blocks/Mixer/content`)).rawXml, content.rawXml)

  const scl = 'FUNCTION "Scale" : Real\nBEGIN\n  #Scale := 1.0;\nEND_FUNCTION\n'
  await send('POST', `${plc}/external-sources/import-and-generate`, { SclContent: scl, SourceName: 'Scale' })
  const exported = await send('POST', `${plc}/blocks/Scale/export`, { Format: 'scl' })
  assert.match(exported.content, /FUNCTION "Scale"/)

  await mkdir(join(workspace, 'out'), { recursive: true })
  const file = (name: string) => join(workspace, 'out', name)
  await send('POST', `${plc}/hardware/actions/export`, { exportPath: file('PLC_1.aml') })
  await call('devices.configure-network', { deviceName: 'PLC_1', ipAddress: '10.1.1.1' })
  await send('POST', `${plc}/hardware/actions/import`, { importFilePath: file('PLC_1.aml') })
  const { ipAddress } = await call<{ ipAddress: string }>('devices.get', { deviceName: 'PLC_1' })
  assert.equal(ipAddress, '192.168.0.1')

  await call('hmi.create-screen', { deviceName: 'HMI_1', name: 'Home' })
  const screens = '/api/devices/HMI_1/hmi/screens'
  await send('POST', `${screens}/Home/actions/export`, { exportPath: file('Home.xml') })
  await call('hmi.delete-screen', { deviceName: 'HMI_1', screenName: 'Home' })
  await send('POST', `${screens}/actions/import`, { importFilePath: file('Home.xml') })
  assert.deepEqual(
    (await send('GET', screens)).map(({ name }: { name: string }) => name),
    ['Home'],
  )

  await ended(await send('POST', '/api/projects/actions/save'))
  await call('projects.archive', { archivePath: join(workspace, 'Line.zap19') })
  await ended(await send('POST', '/api/projects/actions/close'))
  const files: { path: string; extension: string }[] = await send('GET', '/api/projects/files')
  assert.deepEqual(
    files.map((one) => [one.path, one.extension]),
    [
      [join(workspace, 'Line.zap19'), '.zap19'],
      [join(path, 'Line.gantry'), '.gantry'],
    ],
  )
  const request = { ArchivePath: files[0]!.path, TargetDirectory: join(workspace, 'restored') }
  const restored = await ended(await send('POST', '/api/projects/actions/retrieve', request))
  assert.equal(restored.name, 'Line')
  const manifest = await readFile(join(workspace, 'restored/Line/Line.gantry'), 'utf8')
  assert.match(manifest, /gantry-project/)
})

test('a download by its scope, and a tag of the simulation', async (t) => {
  const { send, ended, call } = await connect(t)
  await call('projects.create', { name: 'Line' })
  await call('projects.simulation-support', {})
  await call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  const on = { deviceName: 'PLC_1' }
  for (const [name, logicalAddress] of [
    ['Start', '%I0.0'],
    ['Lamp', '%Q0.0'],
  ])
    await call('tags.add', { ...on, name, dataType: 'Bool', logicalAddress })
  const content = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Lamp" := "Start";\nEND_ORGANIZATION_BLOCK\n'
  await call('blocks.import-and-generate', { ...on, content })
  await call('blocks.compile-device', on)
  const config = { time: { mode: 'stepped', cycleTimeMs: 10 }, startup: 'Stop' }
  await call('simulation.create-instance', { name: 'PLC_1', cpuType: 'CPU1513', ipAddress: '192.168.0.1', config })
  await call('simulation.power-on', { name: 'PLC_1' })
  await call('simulation.connect', { name: 'PLC_1' })
  const done = await ended(await send('POST', '/api/devices/PLC_1/actions/download', { Scope: 'HardwareAndSoftware' }))
  assert.deepEqual([done.downloaded, done.upToDate], [true, false])
  await call('simulation.run', { name: 'PLC_1' })
  assert.equal((await send('POST', '/api/simulation/plcsim/tags/Start', { Value: 'true' })).value, true)
  await call('simulation.advance', { name: 'PLC_1', cycles: 2 })
  assert.equal((await send('GET', '/api/simulation/plcsim/tags/Lamp')).value, true)

  const harness = '/api/testharness'
  const { features } = await send('GET', '/api/license/features')
  assert.equal(features.find((one: { key: string }) => one.key === 'hasTestHarness').enabled, true)
  const steps = [{ description: 'press', write: { Start: true }, waitMs: 50, assert: { Lamp: { expected: true } } }]
  await send('POST', `${harness}/tests`, { name: 'Lamp test', instanceName: 'PLC_1', setup: { Start: false }, steps })
  assert.deepEqual(await send('GET', `${harness}/tests`), ['Lamp test'])
  assert.equal((await send('GET', `${harness}/tests/Lamp%20test`)).steps[0].description, 'press')
  await ended(await send('POST', `${harness}/run?testName=Lamp%20test`))
  await ended(await send('POST', `${harness}/run?testName=*`))
  const last = await send('GET', `${harness}/results`)
  assert.deepEqual([last.total, last.passed, last.results[0].steps[0].assertions[0].tagName], [1, 1, 'Lamp'])
  // The controller of the plant has another value, and keeps it.
  await send('POST', '/api/simulation/plcsim/tags/Start', { Value: 'false' })
  await call('simulation.advance', { name: 'PLC_1', cycles: 2 })
  assert.equal((await send('POST', '/api/tests/run', { DeviceName: 'PLC_1' })).passed, 1)
  assert.equal((await send('GET', '/api/simulation/plcsim/tags/Start')).value, false)
  await send('DELETE', `${harness}/tests/Lamp%20test`)
  assert.deepEqual(await send('GET', `${harness}/tests`), [])
})
