/** The templates over REST: list, read, generate, import, run on a virtual controller; what is wrong is told. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { createServer, listen } from '../../test/http-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
type Answer = any

const key = 'gty_key-of-this-test'
const plc = { deviceName: 'PLC_1' }

async function plant(t: TestContext, version?: string): Promise<TestGateway> {
  const at = await openTestGateway(t, { apiKey: key })
  await at.call('projects.create', { name: 'Plant', ...(version === undefined ? {} : { version }) })
  for (const deviceName of ['PLC_1', 'PLC_2'])
    await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName })
  return at
}

async function overRest(t: TestContext, at: TestGateway) {
  const app = await createServer(at.gateway, { graceMs: 1000 })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/blockgeneration/templates${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer }
  }
}

test('list, read, generate, import and run over REST', async (t) => {
  const at = await plant(t)
  const send = await overRest(t, at)
  const { body: all } = await send('GET', '')
  assert.ok(all.total >= 16)
  assert.equal(all.templates.length, all.total)
  assert.deepEqual((await send('GET', '?q=motor')).body.total, 3)

  const { body: read } = await send('GET', '/motor-direct')
  assert.equal(read.parameters.properties.feedbackTime.default, 2)
  assert.match(read.documentation, /## States/)
  assert.match(read.source, /^FUNCTION_BLOCK "MotorDirect"/)
  // Its example is a request that is taken.
  const example = await send('POST', '/motor-direct/actions/generate', { ...read.example, import: false })
  assert.deepEqual([example.status, example.body.source], [200, read.source])
  assert.match(example.body.warnings[0], /import: true/)
  assert.equal((await at.call<Answer>('blocks.list', plc)).total, 0)

  const parameters = { blockName: 'Motor', instances: ['M1', 'M2'], feedbackTime: 0.5 }
  const request = { parameters, ...plc, import: true, folder: 'Drives' }
  const { status, body } = await send('POST', '/Motor_Direct/actions/generate', request)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.template, body.imported, body.result.compileStatus], ['motor-direct', true, 'success'])
  assert.deepEqual(
    body.result.compileMessages.filter((one: Answer) => one.state !== 'Information'),
    [],
  )
  assert.deepEqual(
    body.result.objects.map((one: Answer) => [one.name, one.kind, one.action]),
    [
      ['Motor', 'FB', 'created'],
      ['M1', 'InstanceDB', 'created'],
      ['M2', 'InstanceDB', 'created'],
    ],
  )
  // Again: nothing changes. Not over what is there: refused, with all names.
  const again = await send('POST', '/motor-direct/actions/generate', request)
  assert.equal(again.body.result.unchanged, 3)
  const refused = await send('POST', '/motor-direct/actions/generate', {
    ...request,
    overwrite: false,
    parameters: { ...parameters, counters: false },
  })
  assert.ok([409, 422].includes(refused.status), JSON.stringify(refused.body))
  assert.match(JSON.stringify(refused.body), /Motor/)

  await at.call('blocks.import', {
    ...plc,
    content: 'ORGANIZATION_BLOCK "Main"\nBEGIN\n"M1"();\n"M2"();\nEND_ORGANIZATION_BLOCK\n',
  })
  await at.call('projects.simulation-support', {})
  await at.call('simulation.create-instance', {
    name: 'Sim',
    cpuType: 'CPU1515',
    ipAddress: '192.168.0.1',
    config: { time: { mode: 'stepped', cycleTimeMs: 10 }, startup: 'Stop' },
  })
  await at.call('simulation.power-on', { name: 'Sim' })
  await at.call('online.download', { ...plc, compile: true, startAfter: true })
  const write = (tagName: string, value: unknown) => at.call('simulation.write-tag', { name: 'Sim', tagName, value })
  const value = async (tag: string) =>
    (await at.call<Answer>('simulation.read-tags', { name: 'Sim', tags: [tag] })).tags[0].value
  const advance = (cycles: number) => at.call('simulation.advance', { name: 'Sim', cycles })
  for (const input of ['enable', 'interlockOk', 'protectionOk']) await write(`M1.${input}`, true)
  await write('M1.acknowledge', true)
  await advance(2)
  await write('M1.start', true)
  await advance(2)
  assert.deepEqual([await value('M1.contactor'), await value('M2.contactor')], [true, false])
  await write('M1.runFeedback', true)
  await advance(2)
  assert.equal(await value('M1.running'), true)
  await write('M1.runFeedback', false)
  await advance(60)
  assert.deepEqual([await value('M1.fault'), await value('M1.faultCode')], [true, 2])
})

test('unknown templates, wrong parameters, no device', async (t) => {
  const at = await plant(t)
  const send = await overRest(t, at)
  const blocks = async () => (await at.call<Answer>('blocks.list', plc)).total
  const before = await blocks()
  const near = await send('GET', '/motor-dirct')
  assert.deepEqual([near.status, near.body.suggestion], [404, 'motor-direct'])
  const related = await send('POST', '/valve/actions/generate', {})
  assert.equal(related.status, 404)
  assert.match(related.body.detail, /"valve-on-off", "control-valve"/)
  assert.equal((await send('GET', '/%20')).status, 404)

  const wrong = await send('POST', '/fifo-queue/actions/generate', {
    ...plc,
    import: true,
    parameters: { capacity: 0, element: 'DInd', blockNam: 'x', instances: ['a', 'A', 'b"'], retentive: 1 },
  })
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.body.errors.map((one: Answer) => [one.path, one.message]),
    [
      ['/parameters/capacity', 'must be an integer from 1 to 1000'],
      [
        '/parameters/element',
        'must be one of Int, DInt, UDInt, Real, LReal, Word, DWord, String, record; did you mean "DInt"?',
      ],
      ['/parameters/blockNam', 'unknown parameter; did you mean "blockName"?'],
      ['/parameters/instances/1', 'is in the list twice'],
      [
        '/parameters/instances/2',
        'must not contain quotation marks or control characters, nor begin or end with a blank',
      ],
      ['/parameters/retentive', 'must be true or false'],
    ],
  )
  const without = await send('POST', '/watchdog/actions/generate', { import: true })
  assert.deepEqual([without.status, without.body.errors[0].path], [400, '/deviceName'])
  assert.equal((await send('POST', '/watchdog/actions/generate', { import: true, deviceName: 'PLC_7' })).status, 404)
  assert.equal((await send('POST', '/watchdog/actions/generate', { parameters: 'x' })).status, 400)
  const stale = await send('POST', '/watchdog/actions/generate', { import: true, ...plc }, { 'if-match': '"old"' })
  assert.equal(stale.status, 412)
  assert.equal(await blocks(), before)
  // A name that something else has: nothing is stored.
  await at.call('tags.create-table', { ...plc, name: 'IO' })
  await at.call('tags.add', { ...plc, tableName: 'IO', name: 'Watchdog', dataType: 'Bool', logicalAddress: '%M0.0' })
  const taken = await send('POST', '/watchdog/actions/generate', { import: true, ...plc })
  assert.ok(taken.status === 409 || taken.status === 422, JSON.stringify(taken.body))
  assert.equal(await blocks(), before)
})

for (const version of ['V16', 'V21'])
  test(`every template in a project of ${version}: imported, compiled, exported, and imported again`, async (t) => {
    const at = await plant(t, version)
    const { templates } = await at.call<Answer>('block-templates.list', {})
    for (const { name } of templates) {
      const { result } = await at.call<Answer>('block-templates.generate', { name, ...plc, import: true })
      assert.deepEqual([name, result.compileStatus, result.warnings], [name, 'success', []])
      for (const { name: objectName, kind } of result.objects) {
        const isType = kind === 'UDT'
        const exported = isType
          ? await at.call<Answer>('types.export', { ...plc, udtName: objectName, format: 'xml' })
          : await at.call<Answer>('blocks.export', { ...plc, blockName: objectName, format: 'xml' })
        assert.deepEqual(exported.warnings, [], objectName)
        assert.match(exported.content, new RegExp(`<Engineering version="${version}"`))
        const back = await at.call<Answer>('blocks.import', { deviceName: 'PLC_2', content: exported.content })
        assert.equal(back.objects[0].name, objectName)
      }
    }
    const { state, errorCount, warningCount } = await at.call<Answer>('blocks.compile-device', {
      deviceName: 'PLC_2',
      scope: 'software',
    })
    assert.deepEqual([state, errorCount, warningCount], ['Success', 0, 0])
  })
