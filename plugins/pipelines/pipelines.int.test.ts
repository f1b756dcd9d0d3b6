/** Pipelines by their effects: what their steps did, what is refused, what remains of a run. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'

const on = { deviceName: 'PLC_1' }
const scl = (value: string) => `FUNCTION "Scale" : Int\nBEGIN\n  #Scale := ${value};\nEND_FUNCTION\n`

interface Execution {
  id: string
  status: string
  error?: string
  stepResults: { stepName: string; status: string; attempts: number; error?: string; resultMessage: string }[]
}

async function open(t: TestContext) {
  const at = await openTestGateway(t, { pluginDirs: [builtInPlugins], durability: 'os' })
  const { call } = at
  await call('projects.create', { name: 'Line' })
  await call('devices.add', { name: 'PLC_1', orderNumber: '6ES7 513-1AL02-0AB0' })
  await call('blocks.import-and-generate', { ...on, content: scl('1') })
  await call('projects.save', {})
  const fault = async (operation: string, input: Record<string, unknown>) => {
    const error = await call(operation, input).then(
      () => assert.fail(`${operation} was not refused`),
      (thrown: { code: string; message: string; details: { errors?: { path: string }[]; extra?: object } }) => thrown,
    )
    return {
      code: error.code,
      message: error.message,
      path: error.details.errors?.[0]?.path,
      extra: error.details.extra,
    }
  }
  const isModified = async () =>
    (await call<{ projects: { isModified: boolean }[] }>('projects.list')).projects[0]!.isModified
  return { ...at, fault, isModified }
}

test('steps run in order with variables, and their run is in the history', async (t) => {
  const { call, isModified, fault } = await open(t)
  const steps = [
    { name: 'Compile', action: 'blocks.compile-device', params: { deviceName: '{{plc}}' } },
    { name: 'Tag', action: 'tags.add', params: { ...on, name: 'Lamp_{{number}}', dataType: 'Bool' } },
    { name: 'Mend', action: 'tags.add', params: { ...on, name: 'never', dataType: 'Bool' }, condition: 'onFailure' },
    { name: 'Save', action: 'projects.save', condition: 'always' },
  ]
  const saved = await call('pipelines.save', { name: 'Nightly', steps, variables: { plc: 'none', number: 7 } })
  assert.deepEqual(saved, { name: 'Nightly', steps: 4, created: true })
  assert.deepEqual((await call<{ pipelines: string[] }>('pipelines.list')).pipelines, ['Nightly'])
  const run = await call<Execution>('pipelines.run', { name: 'nightly', variables: { plc: 'PLC_1' } })
  assert.deepEqual(
    run.stepResults.map((one) => [one.stepName, one.status, one.attempts]),
    [
      ['Compile', 'Completed', 1],
      ['Tag', 'Completed', 1],
      ['Mend', 'Skipped', 0],
      ['Save', 'Completed', 1],
    ],
  )
  assert.match(run.stepResults[0]!.resultMessage, /errorCount 0/)
  const { tags } = await call<{ tags: { name: string }[] }>('tags.list-all', on)
  assert.deepEqual([tags.map((one) => one.name), await isModified()], [['Lamp_7'], false])
  type History = { executions: Execution[]; total: number }
  const history = await call<History>('pipelines.list-executions', { name: 'NIGHTLY' })
  assert.deepEqual([history.total, history.executions[0]], [1, run])
  assert.deepEqual(await call('pipelines.get-execution', { id: run.id }), run)
  assert.equal((await fault('pipelines.run', { name: 'Nightly', variables: { plg: 'x' } })).code, 'not_found')

  // It is in the files of the project, and goes with them.
  const before = await call('pipelines.get', { name: 'Nightly' })
  await call('projects.close', {})
  await call('projects.open', { path: 'Line' })
  assert.deepEqual(await call('pipelines.get', { name: 'Nightly' }), before)
  await call('pipelines.delete', { name: 'Nightly' })
  assert.equal((await fault('pipelines.get', { name: 'Nightly' })).code, 'not_found')
})

test('a failed step stops the others, is tried again, and fails the job', async (t) => {
  const { call, fault } = await open(t)
  const add = (name: string) => ({ name, action: 'tags.add', params: { ...on, name, dataType: 'Bool' } })
  const refused = {
    name: 'Refused',
    action: 'blocks.delete',
    params: { ...on, blockName: 'None' },
    retryCount: 2,
    retryDelayMs: 1,
  }
  const clean = { ...add('Clean'), condition: 'onFailure' }
  await call('pipelines.save', { name: 'Stop', steps: [refused, add('Lost'), clean] })
  const stopped = await fault('pipelines.run', { name: 'Stop' })
  assert.equal(stopped.code, 'pipeline_failed')
  assert.match(stopped.message, /step 1 \(Refused\) failed: .*None/)
  const { execution } = stopped.extra as { execution: Execution }
  assert.deepEqual(
    execution.stepResults.map((one) => [one.status, one.attempts]),
    [
      ['Failed', 3],
      ['Skipped', 0],
      ['Completed', 1],
    ],
  )
  assert.equal((await call<Execution>('pipelines.get-execution', { id: execution.id })).status, 'Failed')

  await call('pipelines.save', { name: 'Go on', steps: [refused, add('Kept')], onFailure: 'continue' })
  assert.equal((await fault('pipelines.run', { name: 'Go on' })).code, 'pipeline_failed')
  const { tags } = await call<{ tags: { name: string }[] }>('tags.list-all', on)
  assert.deepEqual(tags.map((one) => one.name).sort(), ['Clean', 'Kept'])

  // Errors of a compilation are a result, not a refusal.
  await call('blocks.import-and-generate', { ...on, content: scl('"Nothing"') })
  await call('pipelines.instantiate-template', { templateId: 'compile-and-test', pipelineName: 'Check' })
  assert.match((await fault('pipelines.run', { name: 'Check' })).message, /step 1 \(Compile\) failed: .*errorCount 1/)
})

test('what cannot be a step, or does not fit its operation, is refused with its place', async (t) => {
  const { call, fault } = await open(t)
  const save = (step: object, more: object = {}) =>
    fault('pipelines.save', { name: 'P', steps: [{ name: 'S', ...step }], ...more })
  const table: [object, string, RegExp][] = [
    [{ action: 'blocks.compile-devise' }, '/steps/0/action', /blocks\.compile-device/],
    [{ action: 'pipelines.run', params: { name: 'P' } }, '/steps/0/action', /no step/],
    [{ action: 'tags.add', params: on }, '/steps/0/params/name', /name/],
    [{ action: 'tags.add', params: { ...on, name: '{{who}}', dataType: 'Bool' } }, '/steps/0/action', /"who"/],
  ]
  for (const [step, path, message] of table) {
    const refused = await save(step)
    assert.deepEqual([refused.code, refused.path], ['invalid_input', path], refused.message)
    assert.match(refused.message, message)
  }
  const good = { action: 'projects.save' }
  assert.equal((await save({ ...good, condition: 'perhaps' })).code, 'invalid_input')
  assert.equal((await save(good, { trigger: 'onSave' })).code, 'invalid_input')
  assert.equal((await save(good, { name: 'templates' })).path, '/name')
  assert.equal(
    (await fault('pipelines.instantiate-template', { templateId: 'x', pipelineName: 'P' })).code,
    'not_found',
  )
  await call('devices.add', { name: 'PLC_2', orderNumber: '6ES7 513-1AL02-0AB0' })
  const which = await fault('pipelines.instantiate-template', { templateId: 'compile-and-test', pipelineName: 'P' })
  assert.equal(which.path, '/parameters/deviceName')
  assert.deepEqual((await call<{ pipelines: string[] }>('pipelines.list')).pipelines, [])
})
