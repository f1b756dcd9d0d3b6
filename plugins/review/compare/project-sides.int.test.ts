/** The open project, its devices and snapshots as sides of a compare: as an operation, and from the command line. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { docsPlugin } from '../../../core/docs/operations.ts'
import { mcpPlugin } from '../../../core/mcp/operations.ts'
import { commandLine } from '../../../test/command-line.ts'
import { builtInPlugins } from '../../../test/harness.ts'
import { serveMcp, testKey } from '../../../test/mcp.ts'

const motor = (speed: number) => `FUNCTION_BLOCK "Motor"
VAR_OUTPUT
  speed : Int;
END_VAR
BEGIN
  #speed := ${speed};
END_FUNCTION_BLOCK
`

interface Compared {
  readonly objects: {
    name: string
    kind: string
    change: string
    device?: string
    differences: { path: string; right?: string }[]
  }[]
  readonly counts: { added: number; removed: number; changed: number; same: number }
}

test('devices, the project, earlier states and snapshots are sides, over REST, MCP and the command line', async (t) => {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin], durability: 'os' })
  const { client } = await at.connect('streamable-http')
  const diff = async (left: string, right: string) => {
    const answer = await at.request('/api/review/actions/diff', { method: 'POST', json: { left, right } })
    const body = (await answer.json()) as Compared & { code?: string }
    const call = { name: 'call_operation', arguments: { operation: 'review.diff', input: { left, right } } }
    const tool = (await client.callTool(call)) as CallToolResult & { structuredContent: Compared & { code?: string } }
    assert.equal(tool.isError === true, answer.status !== 200)
    if (answer.status === 200) assert.deepEqual(tool.structuredContent, body)
    return { status: answer.status, ...body }
  }
  const cli = async (...args: string[]) => {
    const env = { ...process.env, GANTRY_URL: at.url, GANTRY_API_KEY: testKey }
    const [command, ...entry] = [process.execPath, ...commandLine, 'diff', ...args]
    return promisify(execFile)(command!, entry, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
    )
  }
  assert.equal((await diff('project:', 'project:')).code, 'no_project')

  await at.call('projects.create', { name: 'Plant' })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_1' })
  const write = (deviceName: string, speed: number) =>
    at.call('blocks.import', { deviceName, file: { fileName: 'Motor.scl', content: motor(speed) }, overwrite: true })
  await write('PLC_1', 100)
  await at.call('tags.create-table', { deviceName: 'PLC_1', name: 'Motors' })
  await at.call('tags.add', { deviceName: 'PLC_1', tableName: 'Motors', name: 'On', dataType: 'Bool' })
  const { snapshotId } = await at.call<{ snapshotId: string }>('history.snapshot-block', {
    ...{ deviceName: 'PLC_1', blockName: 'Motor' },
  })
  const before = at.gateway.store.log.durableSeq
  const same = await diff('project:', 'device:PLC_1')
  assert.deepEqual([same.objects, same.counts.same > 3], [[], true], JSON.stringify(same))

  await write('PLC_1', 120)
  const asText = (found: Compared) =>
    found.objects.map(({ name, change, differences }) => [name, change, differences.map(({ right }) => right ?? '-')])
  const changed = [['Motor', 'changed', ['#speed := 120;']]]
  assert.deepEqual(asText(await diff(`device:PLC_1@${before}`, 'device:PLC_1')), changed)
  assert.deepEqual(asText(await diff(`project:@${before}`, 'project:')), changed)
  assert.deepEqual(asText(await diff(`snapshot:${snapshotId}`, 'device:plc_1/motor')), changed)
  const then = await diff(`snapshot:${snapshotId}`, `device:PLC_1/Motor@${before}`)
  assert.deepEqual([then.objects, then.counts.same], [[], 1])

  // A tag with an address is in its table and in the hardware of an AML file: its change is told once.
  const withoutAddress = at.gateway.store.log.durableSeq
  await at.call('tags.update', { deviceName: 'PLC_1', tableName: 'Motors', tagName: 'On', address: '%I0.0' })
  const readdressed = (await diff(`device:PLC_1@${withoutAddress}`, 'device:PLC_1')).objects
  assert.deepEqual(
    readdressed.map(({ kind, name, change }) => [kind, name, change]),
    [['TagTable', 'Motors', 'changed']],
  )

  // Two controllers with blocks of one name: each is compared with its own, and hardware differs apart.
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', deviceName: 'PLC_2' })
  await write('PLC_2', 7)
  const two = at.gateway.store.log.durableSeq
  await write('PLC_2', 8)
  const [one, ...others] = (await diff(`project:@${two}`, 'project:')).objects
  assert.deepEqual(
    [one?.name, one?.device, one?.differences.at(-1)?.right, others],
    ['Motor', 'PLC_2', '#speed := 8;', []],
  )
  const grown = await diff(`project:@${before}`, 'project:')
  assert.ok(grown.objects.some(({ kind, change }) => kind === 'Device' && change === 'added'))
  const devices = await diff('device:PLC_1', 'device:PLC_2')
  assert.ok(devices.objects.some(({ kind, name }) => kind === 'TagTable' && name === 'Motors'))

  // A folder of the workspace against the device, and what is not there.
  const [workspace] = at.gateway.workspace.roots
  await mkdir(join(workspace!, 'plc'))
  await writeFile(join(workspace!, 'plc/Motor.scl'), motor(120))
  const unchanged = { added: 0, removed: 0, changed: 0, written: 0, same: 1 }
  assert.deepEqual((await diff('plc', 'device:PLC_1/Motor')).counts, unchanged)
  for (const [side, code] of [
    ['device:PLC_9', 'not_found'],
    ['device:PLC_1/Motr', 'not_found'],
    ['snapshot:none', 'not_found'],
    ['device:PLC_1@99999999', 'invalid_input'],
    ['project:Plant', 'invalid_input'],
  ] as const)
    assert.equal((await diff(side, 'project:')).code, code, side)

  const told = await cli(`snapshot:${snapshotId}`, 'device:PLC_1/Motor')
  assert.deepEqual([told.code, told.stderr], [1, ''])
  assert.match(
    told.stdout,
    /- #speed := 100;[\s\S]*\+ #speed := 120;[\s\S]*0 added, 0 removed, 1 changed, 0 the same\n$/,
  )
  assert.equal((await cli('project:', 'project:', '--format', 'json')).code, 0)
  assert.match((await cli('project:', `project:@${before}`, '--format', 'html')).stdout, /^<!doctype html>/)
  const absent = await cli('device:PLC_9', 'project:')
  assert.equal(absent.code, 3)
  assert.match(absent.stderr, /PLC_9/)
})
