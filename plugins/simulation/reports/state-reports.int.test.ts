/** What controllers do by themselves is in the audit, with its cause. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaySession } from '../../../core/services.ts'
import { builtInPlugins, type TestGateway } from '../../../test/harness.ts'
import { type Answer, loadProgram, openWithProgram } from '../../../test/simulation.ts'
import { until } from '../../../test/until.ts'
import type { Controller } from '../controller/contract.ts'

const name = 'PLC_1'
const stopping = `ORGANIZATION_BLOCK "OB1"
BEGIN
  IF "Start" THEN
    STP();
  END_IF;
END_ORGANIZATION_BLOCK
`

/** The events of an instance about states, once there are `count` reports. */
const events = ({ gateway }: TestGateway, count: number): Promise<Answer[]> =>
  until(async () => {
    await gateway.store.log.durable(gateway.store.log.headSeq)
    const found: Answer[] = []
    for (const seq of await gateway.store.index.find(`entity:instance/${name}`, {})) {
      const record = await gateway.store.log.get(seq)
      if (record?.type === 'simulation.state-changed' || record?.type === 'simulation.state-reported')
        found.push({ type: record.type, actor: record.actor, ...(record.data as Answer) })
    }
    return found.filter(({ type }) => type === 'simulation.state-reported').length >= count && found
  }, `${count} changes of state are reported`)

const reports = async (opened: TestGateway, count: number) =>
  (await events(opened, count)).filter(({ type }) => type === 'simulation.state-reported')

async function stopByProgram(opened: TestGateway, controller: Controller) {
  await loadProgram(opened, name, stopping)
  await opened.call('simulation.run', { name })
  const stopped = new Promise<void>((resolve) => {
    const onState = (state: string) => {
      if (state !== 'Stop') return
      controller.events.off('state', onState)
      resolve()
    }
    controller.events.on('state', onState)
  })
  await opened.call('simulation.write-tags', { name, tags: { Start: true } })
  await controller.advance({ cycles: 2 }).catch(() => undefined)
  await stopped
}

test('a program that stops its controller is in the audit with the instruction that did it', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  await stopByProgram(opened, controller)
  const [report, ...more] = await reports(opened, 1)
  assert.deepEqual(more, [])
  assert.deepEqual([report?.actor, report?.before, report?.after], ['system', 'Run', 'Stop'])
  assert.deepEqual([report?.cause.code, report?.cause.block], ['stop-instruction', 'OB1'])
})

test('what operations ask for is told once, by their own event', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  for (const id of ['run', 'freeze', 'unfreeze', 'stop-instance', 'power-off'])
    await opened.call(`simulation.${id}`, { name })
  // Without an operation, as an S7 client does.
  await opened.call('simulation.power-on', { name })
  await controller.change('run')
  await controller.change('stop')
  const all = await events(opened, 2)
  assert.deepEqual(
    all.map(({ type, before, after }) => [type === 'simulation.state-reported', before, after]),
    [
      [false, 'Off', 'Stop'],
      [false, 'Stop', 'Run'],
      [false, 'Run', 'Freeze'],
      [false, 'Freeze', 'Run'],
      [false, 'Run', 'Stop'],
      [false, 'Stop', 'Off'],
      [false, 'Off', 'Stop'],
      [true, 'Stop', 'Run'],
      [true, 'Run', 'Stop'],
    ],
  )
  assert.match(all.at(-1)?.cause.message, /STOP by command/)
})

test('a controller that changes all the time is not noted each time; what was left out is counted', async (t) => {
  let now = 1_700_000_000_000
  const { opened, controller } = await openWithProgram(t, { clock: () => now })
  for (let i = 0; i < 8; i++) {
    await controller.change('run')
    await controller.change('stop')
  }
  assert.equal((await reports(opened, 10)).length, 10)
  now += 60_000
  await controller.change('run')
  const all = await reports(opened, 11)
  assert.deepEqual([all.length, all.at(-1)?.unreported, all.at(-1)?.after], [11, 6, 'Run'])
  await opened.call('simulation.power-off', { name })
})

test('a replay keeps the reports and runs nothing', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  await stopByProgram(opened, controller)
  await reports(opened, 1)
  const { gateway, dir } = opened
  const session = gateway.sessionSeq
  await gateway.close(2000)
  const options = { dataDir: join(dir, 'data'), pluginDirs: [builtInPlugins], version: '0.0.0-test' }
  const { differences, skippedJobs } = await replaySession(options, session)
  assert.deepEqual(differences, [])
  assert.equal(skippedJobs.filter(({ command }) => command === 'simulation.report-state').length, 1)
})
