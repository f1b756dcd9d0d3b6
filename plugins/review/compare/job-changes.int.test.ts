/** What jobs change: a dry run tells the same as the command that is run then, object by object. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actor, openTestGateway, type TestGateway } from '../../../test/harness.ts'
import { fails } from '../../../test/plant.ts'

interface Side {
  number: number
  pictures?: string[]
  text?: string
}
interface Changes {
  command: string
  dryRun: boolean
  objects: {
    name: string
    kind: string
    change: string
    device?: string
    differences: { aspect: string; path: string; change: string; left?: string; right?: string }[]
    text?: string
    networks?: { change: string; title: string; left?: Side; right?: Side }[]
  }[]
  counts: { added: number; removed: number; changed: number }
  omitted: number
}

const plc = { deviceName: 'PLC_1' }
const table = { ...plc, tableName: 'Motors' }
const motor = { ...plc, blockName: 'Motor' }
const scl = (value: number) =>
  `FUNCTION "Calc" : Int\nVERSION : 0.1\nBEGIN\n  // One\n  #Calc := ${value};\nEND_FUNCTION\n`
const bool = (name: string, section: string) => ({ name, section, dataType: 'Bool' })

async function withProgram(t: Parameters<typeof openTestGateway>[0]): Promise<TestGateway> {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Plant', path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  await at.call('tags.create-table', { ...plc, name: 'Motors' })
  await at.call('tags.add', { ...table, name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0' })
  await at.call('blocks.import', { ...plc, content: scl(1) })
  await at.call('blocks.create', {
    ...{ ...plc, name: 'Motor', type: 'FB', language: 'LAD' },
    interface: [bool('start', 'Input'), bool('stop', 'Input'), bool('run', 'Output')],
    networks: [{ title: 'Run', expressions: '#run := (#start OR #run) AND NOT #stop' }, { title: 'Empty' }],
  })
  return at
}

/** Runs a command, as a dry run or not, and says what it changed. */
async function changesOf(at: TestGateway, id: string, input: object, dryRun: boolean, pictures = false) {
  const { gateway } = at
  const reply = await gateway.invoke(gateway.registry.operation(id)!, { ...input }, { actor: actor(), dryRun })
  const { jobId } = (reply as { job: { jobId: string } }).job
  return at.call<Changes>('review.job-changes', { jobId, pictures })
}

const short = ({ objects }: Changes) =>
  objects.map(({ name, kind, change, differences }) => [
    `${change} ${kind} ${name}`,
    ...differences.map((one) => `${one.change} ${one.path}: ${one.left ?? ''} > ${one.right ?? ''}`),
  ])

test('a dry run tells what the command changes when it is run, by meaning', async (t) => {
  const at = await withProgram(t)
  const cases: [id: string, input: object, told: string[][]][] = [
    [
      'blocks.import',
      { ...plc, content: scl(2), overwrite: true },
      [['changed FC Calc', 'changed network 1, statement 1: #Calc := 1; > #Calc := 2;']],
    ],
    [
      'tags.add',
      { ...table, name: 'Lamp', dataType: 'Bool', logicalAddress: '%Q0.0' },
      [['changed TagTable Motors', 'added Lamp:  > {"name":"Lamp","dataType":"Bool","logicalAddress":"%Q0.0"}']],
    ],
    ['blocks.delete', { ...plc, blockName: 'Calc' }, [['removed FC Calc']]],
    ['blocks.import', { ...plc, content: scl(3) }, [['added FC Calc']]],
  ]
  for (const [id, input, told] of cases) {
    const [tried, done] = [await changesOf(at, id, input, true), await changesOf(at, id, input, false)]
    assert.deepEqual([tried.command, tried.dryRun, done.dryRun], [id, true, false])
    assert.deepEqual(tried.objects, done.objects)
    assert.deepEqual(tried.counts, done.counts)
    assert.deepEqual(short(done), told, id)
  }
})

test('networks are drawn on both sides with what changes marked; text is text', async (t) => {
  const at = await withProgram(t)
  const input = { ...motor, number: 1, expressions: '#run := #start AND NOT #stop' }
  for (const dryRun of [true, false]) {
    const { objects } = await changesOf(at, 'blocks.update-network', input, dryRun, true)
    const [network, ...rest] = objects[0]?.networks ?? []
    assert.deepEqual([objects.length, rest.length, network?.change, network?.title], [1, 0, 'changed', 'Run'])
    const [left = '', right = ''] = [network?.left?.pictures?.[0], network?.right?.pictures?.[0]]
    assert.ok(left.startsWith('<svg') && right.startsWith('<svg'))
    assert.match(left, /class="[^"]*removed/)
    assert.doesNotMatch(right, /class="[^"]*removed/)
  }
  const { objects } = await changesOf(at, 'blocks.import', { ...plc, content: scl(2), overwrite: true }, true, true)
  const [network] = objects[0]?.networks ?? []
  assert.match(network?.left?.text ?? '', /#Calc := 1;/)
  assert.match(network?.right?.text ?? '', /#Calc := 2;/)
  assert.equal(network?.left?.pictures, undefined)
  // Of what goes or comes the whole text.
  const gone = await changesOf(at, 'blocks.delete', { ...plc, blockName: 'Calc' }, true, true)
  assert.match(gone.objects[0]?.text ?? '', /^FUNCTION "Calc"[\s\S]*END_FUNCTION$/)
})

test('devices and modules are told field by field; what changes nothing has no objects', async (t) => {
  const at = await withProgram(t)
  const added = await changesOf(at, 'devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_2' }, true)
  const device = added.objects.find(({ kind }) => kind === 'device')
  assert.deepEqual([device?.name, device?.change], ['PLC_2', 'added'])
  assert.ok(device?.differences.some(({ path, right }) => path === 'orderNumber' && right === '6ES7 515-2AM02-0AB0'))
  const same = await changesOf(at, 'blocks.import', { ...plc, content: scl(1), overwrite: true }, false)
  assert.deepEqual(same.objects, [])
  const renamed = await changesOf(at, 'blocks.rename', { ...motor, newName: 'Drive' }, false)
  assert.deepEqual(renamed.objects.map(({ name, change }) => `${change} ${name}`).sort(), [
    'added Drive',
    'removed Motor',
  ])
})

test('what was changed long ago is told after a restart; an unknown job is not found', async (t) => {
  const at = await withProgram(t)
  const done = await changesOf(at, 'blocks.import', { ...plc, content: scl(5), overwrite: true }, true)
  const { jobs } = await at.call<{ jobs: { jobId: string; command: string }[] }>('jobs.list', {})
  const jobId = jobs.find(({ command }) => command === 'blocks.import')?.jobId ?? ''
  const again = await at.restart()
  assert.deepEqual(await again.call<Changes>('review.job-changes', { jobId }), done)
  await fails(again.call('review.job-changes', { jobId: 'Jzz-none' }), 'not_found', /Jzz-none/)
})
