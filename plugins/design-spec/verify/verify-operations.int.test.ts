/** Checks phases through a gateway, and runs the phases of a project on an instance over HTTP, as a user does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { loadSound, specWith } from '../../../test/design-spec/specs.ts'
import { faultsOf } from '../../../test/design-spec/verify.ts'
import { actor, builtInPlugins, openTestGateway } from '../../../test/harness.ts'
import { startServer } from '../../../test/http-server.ts'
import { newProject, plc } from '../../../test/online.ts'
import { controllerOf } from '../../simulation/index.ts'
import { unitTypesOf } from '../model/model.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import { reportOf } from './report.ts'
import { runScript } from './run-script.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')

interface Answer {
  success: boolean
  complete: boolean
  scans: number
  phases: {
    phase: string
    blockName: string
    result: string
    deviceBlock?: string
    coverage: { reached: number; total: number }
    limited: boolean
  }[]
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run
  } catch (error) {
    if (isGatewayError(error)) return error.code
    throw error
  }
  return 'none'
}

describe('the operation', () => {
  test('checks all phases, or those that are named, and leaves the project alone', async (t) => {
    const at = await openTestGateway(t)
    await newProject(at, 'Line')
    await at.call('design-spec.load', { file: { fileName: 'mixer.csv', content: fixture('mixer.csv') } })
    const before = at.gateway.state.version
    const all = await at.call<Answer>('design-spec.verify-phases', {})
    assert.deepEqual(
      all.phases.map(({ phase, result, coverage }) => [phase, result, coverage.reached === coverage.total]),
      [
        ['Fill', 'passed', true],
        ['Mix', 'passed', true],
        ['Drain', 'passed', true],
      ],
    )
    assert.deepEqual([all.success, all.complete], [true, true])
    assert.equal(at.gateway.state.version, before, 'no event')
    assert.deepEqual(await at.call('simulation.list-instances'), { instances: [], total: 0 })

    await at.call('design-spec.generate-and-import', { phase: 'Mix', device: 'PLC_1' })
    const some = await at.call<Answer>('design-spec.verify-phases', { phases: ['drain', 'Mix', 'MIX'], ...plc })
    assert.deepEqual(
      some.phases.map(({ phase, deviceBlock }) => [phase, deviceBlock]),
      [
        ['Drain', 'missing'],
        ['Mix', 'present'],
      ],
    )
  })

  test('says what is wrong with a request', async (t) => {
    const at = await openTestGateway(t)
    const id = 'design-spec.verify-phases'
    assert.equal(await codeOf(at.call(id)), 'conflict')
    await at.call('design-spec.load', { file: { fileName: 'plant.csv', content: specWith() } })
    assert.equal(await codeOf(at.call(id, { phases: ['Fil'] })), 'not_found')
    assert.equal(await codeOf(at.call(id, { maxScans: 0 })), 'invalid_input')
    assert.equal(await codeOf(at.call(id, { phases: [] })), 'invalid_input')
    assert.notEqual(await codeOf(at.call(id, { deviceName: 'PLC_9' })), 'none')
    assert.equal(await codeOf(at.call(id, {}, { actor: actor('viewer') })), 'forbidden')
    const cut = await at.call<Answer>(id, { maxScans: 20 })
    assert.deepEqual([cut.success, cut.complete, cut.phases[0]?.limited], [true, false, true])
  })

  test('the engineering instance makes the program; without one it is asked for', async (t) => {
    const at = await openTestGateway(t, { withoutEngine: false })
    await at.call('design-spec.load', { file: { fileName: 'plant.csv', content: specWith() } })
    assert.equal(await codeOf(at.call('design-spec.verify-phases')), 'no_instance')
    await at.gateway.engineHost!.launch()
    t.after(() => at.gateway.engineHost!.shutdown().catch(() => {}))
    assert.equal((await at.call<Answer>('design-spec.verify-phases')).complete, true)
  })

  test('several checks at once all end', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', { file: { fileName: 'plant.csv', content: specWith() } })
    const answers = await Promise.all([1, 2, 3].map(() => at.call<Answer>('design-spec.verify-phases')))
    for (const { complete } of answers) assert.equal(complete, true)
  })
})

test('phases of a project, over HTTP: generated, imported, compiled, downloaded, and driven on the instance', async (t) => {
  const server = await startServer(t, {}, { pluginDirs: [builtInPlugins] })
  const { gateway } = server
  const send = async (path: string, body: unknown = {}) => {
    const answer = await server.post(path, body)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  await send('/api/projects/actions/create-sync', { name: 'Plant' })
  await send('/api/projects/devices/actions/add-sync', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await send('/api/devices/PLC_1/actions/configure-network-sync', { ipAddress: '192.168.0.1' })
  await send('/api/projects/actions/simulation-support')
  const content = fixture('brewery.csv')
  await send('/api/design-spec/load', { file: { fileName: 'brewery.csv', content } })
  const phases = (await (await server.call('/api/design-spec/phases')).json) as unknown as { name: string }[]
  for (const { name } of phases) {
    const { compiled } = await send('/api/design-spec/generate-and-import', { phase: name, device: 'PLC_1' })
    assert.equal(compiled, true)
  }
  const calls = phases.map(({ name }) => `  "FB_${name}_DB"();`)
  const instances = phases.map(
    ({ name }) =>
      `DATA_BLOCK "FB_${name}_DB"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\n"FB_${name}"\nBEGIN\nEND_DATA_BLOCK\n`,
  )
  const main = `ORGANIZATION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE' }\nVERSION : 0.1\nBEGIN\n${calls.join('\n')}\nEND_ORGANIZATION_BLOCK\n`
  await send('/api/devices/PLC_1/blocks/actions/import-sync', {
    content: `${instances.join('\n')}\n${main}`,
    overwrite: true,
  })
  await send('/api/devices/PLC_1/actions/compile-sync', { scope: 'software' })
  const config = { time: { mode: 'stepped', cycleTimeMs: 1 }, startup: 'Stop' }
  const instance = { name: 'Sim', cpuType: 'CPU1515', ipAddress: '192.168.0.1', config }
  await send('/api/simulation/instances/create', instance)
  await send('/api/simulation/instances/Sim/power-on')
  await send('/api/devices/PLC_1/actions/download-sync')
  await send('/api/devices/PLC_1/cpu/actions/start')

  const controller = await controllerOf({ gateway, read: gateway.state.read }, 'Sim')
  assert.equal(controller.state, 'Run')
  const model = await loadSound(content, 'brewery.csv')
  const names = [...unitTypesOf(model)].flatMap(({ unit }) => unit.phases.map(({ name }) => name))
  assert.equal(names.length, phases.length)
  for (const name of names) {
    const script = planPhase(checkedPhase(model, name), 10_000)
    const run = await runScript(controller, `FB_${name}_DB`, script, new AbortController().signal)
    const report = reportOf(`FB_${name}`, script, run)
    assert.equal(report.result, 'passed', JSON.stringify(faultsOf(report), null, 1))
    assert.equal(report.coverage.percent, 100)
  }
})
