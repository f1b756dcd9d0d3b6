import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ReplayReport } from '../../core/services.ts'
import { openTestGateway } from '../../test/harness.ts'
import { pluginDirectory } from '../../test/system.ts'

const plugin = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

test('a session with a project, its files and an archive comes out the same without them', async (t) => {
  const pluginDirs = [await pluginDirectory(t, ['projects', 'devices', 'system'].map(plugin))]
  const first = await openTestGateway(t, { pluginDirs })
  await first.call('projects.create', { name: 'Line' })
  await first.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await first.call('projects.save')
  const second = await first.restart()
  await second.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0' })
  await assert.rejects(second.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'plc_1' }))
  await second.call('projects.save')
  await second.call('projects.archive', { targetPath: 'line.zap19' })
  await second.call('projects.close')
  await second.call('projects.open', { path: 'Line' })
  await second.call('devices.rename', { deviceName: 'PLC_1', newName: 'PLC_9' })
  const session = second.gateway.sessionSeq
  await rm(join(second.dir, 'workspace'), { recursive: true })
  const third = await second.restart()
  const report = await third.call<ReplayReport>('audit.replay', { session })
  assert.deepEqual(report.differences, [])
  assert.deepEqual([report.jobs, report.same, report.skipped], [7, 7, 0])
})
